/* Lattice noise: gradient, value and cellular, in octaves. Only + - * / sqrt floor in fixed order,
 * so that a seed gives the same bits on every machine, instruction set and thread count. */
#ifndef MW_RASTER_NOISE_H
#define MW_RASTER_NOISE_H

#include "base/ctx.h"

#define MW_NOISE_OCTAVES_MAX 16
#define MW_NOISE_COLUMNS_MAX 256 /* widest block; see mw_noise_block */
#define MW_NOISE_ROWS_MAX 16     /* tallest */

typedef enum {
	MW_NOISE_GRADIENT = 0, /* Perlin's: 32 directions, quintic fade, zero on the lattice */
	MW_NOISE_VALUE,        /* random values on the lattice, quintic fade between them */
	MW_NOISE_CELLULAR      /* distances to one random point per cell (Worley's) */
} mw_noise_basis;

typedef enum {
	MW_NOISE_SUM = 0, /* sum of the octaves (fBm) */
	MW_NOISE_BILLOW,  /* sum of their absolute values: rounded hills between creases */
	MW_NOISE_RIDGED   /* (1 - |n|)^2, each octave weighted by the one before: sharp ridges */
} mw_noise_fractal;

typedef enum {
	MW_NOISE_F1 = 0, /* distance to the nearest point */
	MW_NOISE_F2,     /* to the second nearest */
	MW_NOISE_F2_F1,  /* the difference: zero on the borders between cells */
	MW_NOISE_CELL    /* a random number per cell, -1..1 */
} mw_noise_cell;

/* Ranges of the result: SUM -amplitude..amplitude, BILLOW and RIDGED 0..amplitude, whatever the
 * octaves (their weights sum to one). Cellular distances: amplitude at a distance of one period,
 * F1 at most 1.5 and F2 at most 1.9 of it; MW_NOISE_CELL -amplitude..amplitude. */
typedef struct {
	mw_noise_basis basis;
	mw_noise_fractal fractal; /* cellular: MW_NOISE_SUM only */
	mw_noise_cell cell;       /* cellular only */
	double period;            /* of the first octave [unit: elmo] [range: 1e-3..1e9] */
	double amplitude;         /* [range: -1e9..1e9] */
	double lacunarity;        /* frequency of an octave over the one before [range: 1..16] */
	double gain;              /* weight of an octave over the one before [range: 0..1] */
	double feedback;          /* RIDGED: how much an octave weighs the next [range: 0..16] */
	double jitter; /* cellular: 0 square grid, 1 anywhere in the cell [range: 0..1] */
	int octaves;   /* [range: 1..MW_NOISE_OCTAVES_MAX] */
	uint64_t seed;
} mw_noise;

/* One octave of gradient noise, period 256, amplitude 1, lacunarity 2, gain 0.5, feedback 2,
 * jitter 1, seed 0. */
void mw_noise_init(mw_noise *noise);

/* MW_ERANGE or MW_EINVALID with the name of the wrong member. */
MW_NODISCARD mw_code mw_noise_check(mw_ctx *cx, const mw_noise *noise);

/* What the kernels read; made once. */
typedef struct {
	float frequency; /* cells per elmo */
	float x, z;      /* shift of the lattice [unit: cell]; zero in the first octave */
	float weight;    /* amplitude of this octave */
	uint32_t key_x, key_z;
	float direction[8]; /* cosines of one quadrant, times the amplitude where that is exact */
} mw_noise_octave;

typedef struct {
	mw_noise_basis basis;
	mw_noise_fractal fractal;
	mw_noise_cell cell;
	int octaves;
	float feedback, jitter;
	mw_noise_octave octave[MW_NOISE_OCTAVES_MAX];
} mw_noise_plan;

/* noise: checked. */
void mw_noise_plan_make(mw_noise_plan *plan, const mw_noise *noise);

/* Working space of one worker. */
typedef struct {
	float fraction[MW_NOISE_COLUMNS_MAX], fade[MW_NOISE_COLUMNS_MAX];
	int32_t control[MW_NOISE_COLUMNS_MAX], first[MW_NOISE_COLUMNS_MAX];
	float zfraction[MW_NOISE_ROWS_MAX], zfade[MW_NOISE_ROWS_MAX];
	int32_t zcell[MW_NOISE_ROWS_MAX];
	float lattice[8][MW_NOISE_COLUMNS_MAX + 32];
	float splat[MW_NOISE_COLUMNS_MAX];
	float weight[MW_NOISE_COLUMNS_MAX * MW_NOISE_ROWS_MAX];
} mw_noise_scratch;

/* At n points. A coordinate that is NaN or infinite gives NaN; beyond 2^23 cells from the origin
 * the lattice is coarser than its cells and the result no longer meaningful, but still defined. [x,
 * z, out: n floats, n a multiple of 8 and <= MW_NOISE_COLUMNS_MAX * MW_NOISE_ROWS_MAX] [isa: <=
 * mw_isa_detect()] */
void mw_noise_points(mw_isa isa, const mw_noise_plan *plan, const float *x, const float *z,
	float *out, size_t n, mw_noise_scratch *scratch);

/* At the crossings of w columns and h rows, out[j * w + i] at (x[i], z[j]): bit for bit what
 * mw_noise_points gives there, several times faster where neighbouring columns share cells.
 * [x: w floats, w a multiple of 8, <= MW_NOISE_COLUMNS_MAX]
 * [z: h floats readable up to the next multiple of 8, h <= MW_NOISE_ROWS_MAX] [out: w * h] */
void mw_noise_block(mw_isa isa, const mw_noise_plan *plan, const float *x, size_t w, const float *z,
	size_t h, float *out, mw_noise_scratch *scratch);

#endif

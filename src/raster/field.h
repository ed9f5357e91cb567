/* Float grids: heights, masks, densities. Row-major, z is the row; sample (0, 0) is north-west. */
#ifndef MW_RASTER_FIELD_H
#define MW_RASTER_FIELD_H

#include "base/ctx.h"

#define MW_FIELD_SIDE_MAX 32769      /* [unit: sample] vertices of a 64x64 map, eight times over */
#define MW_FIELD_COUNT_MAX 268435456 /* samples: 1 GiB */

/* w * h samples without padding, 64-byte aligned. A zeroed struct is valid and empty. */
typedef struct {
	float *v;
	int32_t w, h;
} mw_field;

/* Where the samples lie: sample (i, j) is at (x0 + i * step, z0 + j * step). [unit: elmo] */
typedef struct {
	double x0, z0;
	double step; /* [range: > 0] */
} mw_grid;

/* ---- life --------------------------------------------------------------------------------------
 */

/* w * h zeros. [range: 1..MW_FIELD_SIDE_MAX each] [owned: caller, mw_field_free]
 * MW_ERANGE, MW_ELIMIT for more than MW_FIELD_COUNT_MAX samples, MW_ENOMEM; *f is then empty. */
MW_NODISCARD mw_code mw_field_init(mw_ctx *cx, mw_field *f, int32_t w, int32_t h);
void mw_field_free(mw_ctx *cx, mw_field *f);
/* A new field with the samples of src. */
MW_NODISCARD mw_code mw_field_copy(mw_ctx *cx, mw_field *f, const mw_field *src);

static inline size_t mw_field_count(const mw_field *f)
{
	return (size_t)f->w * (size_t)f->h;
}

static inline float *mw_field_row(const mw_field *f, int32_t j)
{
	return f->v + (size_t)j * (size_t)f->w;
}

/* ---- reading -----------------------------------------------------------------------------------
 */

typedef struct {
	float min, max;       /* of the finite samples; 0 when there are none */
	double mean;          /* of the finite samples */
	uint64_t nan;         /* samples that are not a number */
	uint64_t inf;         /* infinite samples, either sign */
	int32_t bad_i, bad_j; /* the first sample that is not finite; -1 when all are */
} mw_field_stats;

mw_field_stats mw_field_measure(const mw_field *f);

/* MW_ERANGE naming the first cell that is not finite; what is a word such as "height". */
MW_NODISCARD mw_code mw_field_require_finite(mw_ctx *cx, const mw_field *f, const char *what);

/* Count samples into n bins of equal width over lo..hi; a sample at hi is in the last bin.
 * Samples outside, and NaN, are counted in none. [bins: n counts, overwritten] [lo < hi] [n >= 1]
 */
void mw_field_histogram(const mw_field *f, double lo, double hi, uint64_t *bins, int32_t n);

/* Bilinear value at (x, z), clamped to the grid's edge. [unit: elmo] */
double mw_field_sample(const mw_field *f, mw_grid grid, double x, double z);

/* Catmull-Rom value at (x, z), clamped to the grid's edge; may overshoot its neighbours. */
double mw_field_sample_cubic(const mw_field *f, mw_grid grid, double x, double z);

/* The height the engine sees between vertices: two triangles a cell, cut from the north-east to the
 * south-west corner (facts: rts/Map/Ground.cpp:16-66). In float32 as the engine. Clamped to the
 * grid's edge (the engine clamps one elmo earlier, where a position cannot be). [unit: elmo] */
float mw_field_height_at(const mw_field *f, mw_grid grid, double x, double z);

/* ---- arithmetic in place -----------------------------------------------------------------------
 */

typedef enum {
	MW_FIELD_SET,
	MW_FIELD_ADD,
	MW_FIELD_SUB,
	MW_FIELD_MUL,
	MW_FIELD_DIV,
	MW_FIELD_MIN,
	MW_FIELD_MAX
} mw_field_op;

/* f = f op g. MW_EINVALID when the shapes differ. */
MW_NODISCARD mw_code mw_field_apply(mw_ctx *cx, mw_field *f, mw_field_op op, const mw_field *g);
/* f = f op s. */
void mw_field_apply_number(mw_field *f, mw_field_op op, float s);
/* f += g * s. MW_EINVALID when the shapes differ. */
MW_NODISCARD mw_code mw_field_madd(mw_ctx *cx, mw_field *f, const mw_field *g, float s);
/* f += (g - f) * mask: mask 0 keeps f, 1 takes g. MW_EINVALID when the shapes differ. */
MW_NODISCARD mw_code mw_field_lerp(
	mw_ctx *cx, mw_field *f, const mw_field *g, const mw_field *mask);
/* f += (level - f) * mask. */
MW_NODISCARD mw_code mw_field_lerp_number(
	mw_ctx *cx, mw_field *f, float level, const mw_field *mask);
/* f = f * factor + offset. */
void mw_field_scale(mw_field *f, float factor, float offset);
/* [lo <= hi] NaN stays NaN. */
void mw_field_clamp(mw_field *f, float lo, float hi);
void mw_field_abs(mw_field *f);
/* Map min..max of the finite samples to lo..hi, both ends exact; a flat field becomes lo. */
void mw_field_normalise(mw_field *f, float lo, float hi);
/* Replace each sample by a table of n points (xs rising strictly), straight between them, flat
 * beyond the ends. MW_EINVALID naming the point that does not rise. [n: 1..] */
MW_NODISCARD mw_code mw_field_curve(
	mw_ctx *cx, mw_field *f, const double *xs, const double *ys, int32_t n);
/* Steps of equal height: flat treads at offset and every step from there, and smooth risers that
 * take the last share `soften` of each step. [step: > 0] [soften: 0..1; 0 = cliffs] */
void mw_field_terrace(mw_field *f, float step, float offset, float soften);

/* ---- whole-grid operations ---------------------------------------------------------------------
 */

/* Gaussian-like blur (three extended box passes each way) with a standard deviation of radius / 2;
 * edges repeat. A field that is mirrored in x, in z or about the centre stays so to the last bit.
 * [radius: >= 0, unit: sample] MW_ENOMEM, MW_ERANGE for samples that are not finite. */
MW_NODISCARD mw_code mw_field_blur(mw_ctx *cx, mw_field *f, double radius);

#define MW_MIRROR_TURN_MAX 16

typedef enum {
	MW_MIRROR_NONE,
	MW_MIRROR_X,     /* west half onto east */
	MW_MIRROR_Z,     /* north half onto south */
	MW_MIRROR_POINT, /* north half turned by 180 degrees onto south */
	MW_MIRROR_QUAD,  /* north-west quarter onto the other three, mirrored */
	MW_MIRROR_TURN   /* one of n sectors about the centre onto the others, turned */
} mw_mirror_kind;

typedef struct {
	mw_mirror_kind kind;
	int32_t n; /* sectors of MW_MIRROR_TURN [range: 2..MW_MIRROR_TURN_MAX] */
} mw_mirror;

/* Make f symmetric. soften blends across the seam between the kept part and its images.
 * [soften: >= 0, unit: sample; half the width of the blend]
 * x, z, point, quad, turn by 2, and by 4 on a square field: partners are equal bit by bit. Other
 * turns are resampled (bicubic; beyond the map's edge, the edge), exact only as far as their
 * even part goes: 6 and 10 also as point, 8 and 12 on a square field also as turn by 4.
 * A turn by 2 is the same as point. The kept sector of the others begins at north and runs
 * counter-clockwise, through north-west.
 * MW_ERANGE, MW_ENOMEM. */
MW_NODISCARD mw_code mw_field_mirror(mw_ctx *cx, mw_field *f, mw_mirror mirror, double soften);

typedef enum { MW_RESAMPLE_NEAREST, MW_RESAMPLE_LINEAR, MW_RESAMPLE_CUBIC } mw_resample_kind;

/* Fill dst (its size is given) from src so that corner samples map to corner samples, as vertex
 * grids need. Cubic is Catmull-Rom and may overshoot. Symmetric sources give symmetric results. */
MW_NODISCARD mw_code mw_field_resample(
	mw_ctx *cx, mw_field *dst, const mw_field *src, mw_resample_kind kind);

/* Steepness in degrees from central differences (one-sided at the edges) into out, of f's size.
 * [step: distance of samples, in the unit of the values, > 0] MW_EINVALID when the sizes differ. */
MW_NODISCARD mw_code mw_field_slope(mw_ctx *cx, mw_field *out, const mw_field *f, double step);

/* The engine's slope map, one sample for 2 x 2 squares: 1 - mix(least, mean, least / mean) over the
 * upward parts of the eight face normals (Recoil rts/Map/ReadMap.cpp:741-777). A move class passes
 * where it is at most 1 - cos(1.5 * its degrees). f is a vertex grid with an odd number of samples
 * each way; out is ((w - 1) / 2) x ((h - 1) / 2). MW_EINVALID when the sizes do not fit. */
MW_NODISCARD mw_code mw_field_engine_slope(
	mw_ctx *cx, mw_field *out, const mw_field *f, double step);

/* Laplacian: positive in hollows, negative on ridges. [unit: 1 / length] Sizes as for slope. */
MW_NODISCARD mw_code mw_field_curvature(mw_ctx *cx, mw_field *out, const mw_field *f, double step);

/* Cosine and sine of turns (1 = a full circle) from + - * / alone, for rotations that must agree on
 * every machine; error below 1e-15. */
void mw_turn(double turns, double *cosine, double *sine);

#endif

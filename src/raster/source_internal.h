/* Between the parts of source*.c: nodes, program, kernels. */
#ifndef MW_RASTER_SOURCE_INTERNAL_H
#define MW_RASTER_SOURCE_INTERNAL_H

#include "base/mem.h"
#include "raster/source.h"

#define BLOCK_W MW_NOISE_COLUMNS_MAX
#define BLOCK_H MW_NOISE_ROWS_MAX

/* ---- nodes -------------------------------------------------------------------------------------
 */

typedef enum {
	NODE_CONSTANT,
	NODE_X,
	NODE_Z,
	NODE_NOISE,
	NODE_DISTANCE,
	NODE_GRID,
	NODE_APPLY,
	NODE_CURVE,
	NODE_TERRACE,
	NODE_TRANSFORM,
	NODE_WARP,
	NODE_MIRROR,
	NODE_FIT
} node_kind;

/* Rounded once here, so that kernels and cull see the same numbers. */
typedef struct {
	float ax, az, bx, bz; /* ends; a point has both the same */
	float dx, dz;         /* b - a */
	float inverse;        /* 1 / |d|^2, 0 for a point */
	float slope;          /* dx / dz, 0 for a level edge */
} mw__segment;

typedef struct {
	mw_shape_kind kind;
	size_t n;
	mw__segment segment[];
} mw__shape;

typedef struct {
	int32_t w, h;
	float x0, z0, inverse_dx, inverse_dz;
	mw_filter filter;
	mw_edge edge;
	float v[];
} mw__grid;

typedef struct {
	size_t n;
	float x[MW_SOURCE_CURVE_MAX];    /* rising */
	float c[MW_SOURCE_CURVE_MAX][4]; /* from x on: c0 + t (c1 + t (c2 + t c3)), t = v - x */
} mw__curve;

typedef struct {
	int n;
	float cosine[MW_MIRROR_TURN_MAX], sine[MW_MIRROR_TURN_MAX]; /* of k/n of a turn */
} mw__turn;

struct mw_source {
	uint32_t owners;
	uint8_t kind, op;
	bool centred; /* mirror: about the scope's middle */
	uint16_t depth;
	mw_source *operand[3];
	float k[6];      /* constant, terrace, transform, centre and seam of a mirror */
	uint64_t stream; /* noise: 0, or the hash of its name */
	mw_noise noise;
	void *param;       /* shape, grid, curve or turn */
	size_t param_size; /* bytes that tell two of them apart; 0: only the address does */
};

/* ---- programs ----------------------------------------------------------------------------------
 */

/* Which coordinates a value depends on, so how much of a block must be computed. */
enum { SHAPE_CONST = 0, SHAPE_ROW = 1, SHAPE_COLUMN = 2, SHAPE_FULL = 3 };

enum {
	VALUE_CONST = MW_OP_COUNT, /* before it: the operations of mw_source_op */
	VALUE_X,
	VALUE_Z,
	VALUE_EXPAND,  /* a row or column over the whole block */
	VALUE_AFFINE,  /* a * k0 + k1 */
	VALUE_FOLD,    /* k0 - |a - k0| */
	VALUE_POINT_X, /* (a, b) turned into the north half about (k0, k1): its x */
	VALUE_POINT_Z,
	VALUE_TURN_X, /* (a, b) turned into the kept sector: its x */
	VALUE_TURN_Z,
	VALUE_SEAM, /* weight of the kept side at distance a from the seam, soft over k0 */
	VALUE_TERRACE,
	VALUE_CURVE,
	VALUE_NOISE,
	VALUE_DISTANCE,
	VALUE_GRID
};
#define VALUE_NONE UINT32_MAX

typedef struct {
	uint8_t op, shape;
	bool live;
	uint32_t arg[3];
	uint32_t last; /* the last value that reads this one; itself where none does */
	uint32_t slot; /* in the full or the line slots of a scratch */
	float k[3];
	const void *param;
	size_t param_size; /* as in a node */
} mw__value;

typedef struct mw__program mw__program;
struct mw__program {
	MW_ARRAY(mw__value) value;
	uint32_t *root;     /* values of the roots */
	mw_source **source; /* the roots themselves: their parameters are read */
	size_t roots;
	MW_ARRAY(mw_noise_plan *) plan;
	size_t full_slots, line_slots;
	size_t shape_max; /* segments of the largest shape */
	size_t length;
};

/* What a block meets of a grid. */
typedef struct {
	size_t low, cells; /* first column, columns between which samples lie */
	float fraction[BLOCK_W], bad[BLOCK_W];
	int32_t control[BLOCK_W], first[BLOCK_W];
	float column[BLOCK_W + 32], rise[BLOCK_W + 32];
	float zfraction[BLOCK_H], zbad[BLOCK_H];
	int32_t north[BLOCK_H], south[BLOCK_H];
} mw__grid_scratch;

struct mw_program_scratch {
	mw_isa isa;
	float *full, *line;
	uint32_t *near, *across; /* segments that matter to a block */
	mw_noise_scratch *noise;
	mw__grid_scratch grid;
};

/* ---- kernels -----------------------------------------------------------------------------------
 */

/* n a multiple of 8 everywhere; d may be a, b or c. */
typedef struct {
	void (*apply)(int op, float *d, const float *a, const float *b, const float *c,
		const float *k, size_t n);
	void (*curve)(const mw__curve *curve, float *d, const float *a, size_t n);
	void (*turn)(const mw__turn *turn, const float centre[2], bool want_z, float *d,
		const float *x, const float *z, size_t n);
	void (*grid)(const mw__grid *grid, float *d, const float *x, const float *z, size_t n);
	/* At the crossings of w columns and h rows, z readable to BLOCK_H: bit for bit what grid
	 * gives; false, with nothing done, where only grid can do it. */
	bool (*grid_block)(const mw__grid *grid, float *d, const float *x, size_t w, const float *z,
		size_t h, mw__grid_scratch *scratch);
	/* near: nnear segments to measure; across: nacross edges that may be crossed. */
	void (*distance)(const mw__shape *shape, const uint32_t *near, size_t nnear,
		const uint32_t *across, size_t nacross, float *d, const float *x, const float *z,
		size_t n);
	/* Bounds of finite values: low and high of n floats into b[0], b[1]. */
	void (*bounds)(const float *a, size_t n, float b[2]);
	/* Copy n (any number), every NaN as the same bits. */
	void (*store)(float *d, const float *a, size_t n);
} mw__source_kernels;

const mw__source_kernels *mw__source_kernels_for(mw_isa isa);
extern const mw__source_kernels mw__source_kernels_portable;
#if MW_ISA_X86
extern const mw__source_kernels mw__source_kernels_sse41;
extern const mw__source_kernels mw__source_kernels_avx2;
#endif

#endif

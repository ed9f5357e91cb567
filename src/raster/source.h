/* Resolution-free sources: expressions over the plane, compiled once and evaluated block by block
 * in float. A source is an immutable node that counts its owners; it knows no grid.
 *
 * Arithmetic is IEEE single precision in the order written: x / 0 is infinite, 0 / 0 and the root
 * of a negative number are NaN, and a result that is NaN is always the bits 0x7fc00000. min, max
 * and clamp take the second operand where the first is NaN, so that clamp turns a NaN into its
 * lower bound. a ^ b follows IEEE pow (1 for b = 0 and for a = 1; a negative a needs a whole b,
 * else NaN), is within one unit in the last place and uses no libm. Noise, distances and grids give
 * NaN where a coordinate is not finite. Same bits on every machine, instruction set and thread
 * count. */
#ifndef MW_RASTER_SOURCE_H
#define MW_RASTER_SOURCE_H

#include "raster/field.h"
#include "raster/noise.h"

#define MW_SOURCE_DEPTH_MAX 1000     /* operations inside each other */
#define MW_SOURCE_CURVE_MAX 64       /* points of a curve */
#define MW_SOURCE_SHAPE_MAX 100000   /* points of a shape */
#define MW_SOURCE_GRID_MAX 268435456 /* samples of a grid: 1 GiB */
#define MW_PROGRAM_VALUES_MAX 65536  /* values of a compiled program */

typedef struct mw_source mw_source;

/* ---- making: *out is a new source with one owner [owned: caller, mw_source_release]; operands are
 * borrowed and gain an owner. All fail with MW_ENOMEM, MW_ERANGE for a number out of range and
 * MW_ELIMIT for too deep an expression; *out is then NULL. */

/* v: finite, also after rounding to float. */
MW_NODISCARD mw_code mw_source_constant(mw_ctx *cx, mw_source **out, double v);
/* The position itself. [unit: elmo] */
MW_NODISCARD mw_code mw_source_x(mw_ctx *cx, mw_source **out);
MW_NODISCARD mw_code mw_source_z(mw_ctx *cx, mw_source **out);

/* stream: NULL, or a name that makes the seed out of the scope's seed (noise->seed is then added
 * to tell calls of one name apart); under a warp also of the axis it moves. */
MW_NODISCARD mw_code mw_source_noise(
	mw_ctx *cx, mw_source **out, const mw_noise *noise, const char *stream);

typedef enum {
	MW_SHAPE_POINTS = 0, /* n >= 1 */
	MW_SHAPE_LINE,       /* through all points in order, n >= 1 */
	MW_SHAPE_POLYGON     /* closed; negative inside by the even-odd rule, n >= 3 */
} mw_shape_kind;
/* Distance [unit: elmo] to the nearest part of a shape. xz: n pairs x, z [unit: elmo], finite. */
MW_NODISCARD mw_code mw_source_distance(
	mw_ctx *cx, mw_source **out, mw_shape_kind kind, const double *xz, size_t n);

typedef enum { MW_FILTER_NEAREST = 0, MW_FILTER_BILINEAR } mw_filter;
typedef enum { MW_EDGE_CLAMP = 0, MW_EDGE_WRAP } mw_edge;
/* Samples laid over the plane: (i, j) at (x0 + i * dx, z0 + j * dz), copied.
 * [v: w * h, row-major] [dx, dz: unit elmo, not 0; negative turns the picture round]
 * MW_EDGE_WRAP repeats with period w * dx, h * dz. */
MW_NODISCARD mw_code mw_source_grid(mw_ctx *cx, mw_source **out, const float *v, int32_t w,
	int32_t h, double x0, double z0, double dx, double dz, mw_filter filter, mw_edge edge);

typedef enum {
	MW_OP_ADD = 0, /* a + b */
	MW_OP_SUB,
	MW_OP_MUL,
	MW_OP_DIV,
	MW_OP_MIN,  /* a < b ? a : b */
	MW_OP_MAX,  /* a > b ? a : b */
	MW_OP_POW,  /* a ^ b */
	MW_OP_STEP, /* a >= b ? 1 : 0 */
	MW_OP_ABS,  /* |a| */
	MW_OP_NEG,  /* -a */
	MW_OP_SQRT,
	MW_OP_FLOOR,
	MW_OP_CLAMP,      /* min(max(a, b), c) */
	MW_OP_LERP,       /* a + c * (b - a) */
	MW_OP_SMOOTHSTEP, /* a from b to c: 0 to 1 along 3t^2 - 2t^3 */
	MW_OP_SELECT      /* a > 0 ? b : c */
} mw_source_op;
#define MW_OP_COUNT 16
/* Number of operands, 1..3. */
int mw_source_arity(mw_source_op op);
/* operand: as many as the operation has. */
MW_NODISCARD mw_code mw_source_apply(
	mw_ctx *cx, mw_source **out, mw_source_op op, mw_source *const *operand);

/* A table from a's value to another: constant outside, straight lines between the points, or with
 * smooth a monotone cubic that never overshoots.
 * [xs: n rising numbers] [ys: n] [n: 1..MW_SOURCE_CURVE_MAX] */
MW_NODISCARD mw_code mw_source_curve(mw_ctx *cx, mw_source **out, mw_source *a, const double *xs,
	const double *ys, size_t n, bool smooth);
/* Steps of the given height, at offset and every step from there; the last soften of each step
 * climbs smoothly to the next. [step: > 0, in a's unit] [soften: 0..1 of a step] */
MW_NODISCARD mw_code mw_source_terrace(
	mw_ctx *cx, mw_source **out, mw_source *a, double step, double offset, double soften);

/* a at (m[0] x + m[1] z + m[2], m[3] x + m[4] z + m[5]). */
MW_NODISCARD mw_code mw_source_transform(
	mw_ctx *cx, mw_source **out, mw_source *a, const double m[6]);
/* a at (x + dx, z + dz). [unit: elmo] dx, dz: may be NULL for none */
MW_NODISCARD mw_code mw_source_warp(
	mw_ctx *cx, mw_source **out, mw_source *a, mw_source *dx, mw_source *dz);

/* Make a symmetric about a centre: the part that mw_field_mirror keeps is read for all.
 * Exact for all but turns by other than 2 and 4. [mirror.n: 2..MW_MIRROR_TURN_MAX for a turn]
 * centre: x, z; NULL: the middle of the scope's box. soften: half the width of the blend across the
 * seam, for which a is also read at the images [unit: elmo] [range: >= 0] */
MW_NODISCARD mw_code mw_source_mirror(mw_ctx *cx, mw_source **out, mw_source *a, mw_mirror mirror,
	const double *centre, double soften);
/* a, read as if the scope's box were 0..w by 0..h: lays a picture over the whole map.
 * [w, h: > 0, finite] */
MW_NODISCARD mw_code mw_source_fit(mw_ctx *cx, mw_source **out, mw_source *a, double w, double h);

mw_source *mw_source_retain(mw_source *source);
/* NULL does nothing. cx: any with the allocator of the one it was made with. */
void mw_source_release(mw_ctx *cx, mw_source *source);

/* ---- evaluating ---------------------------------------------------------------------------------
 */

/* What a source may leave open until it is compiled. */
typedef struct {
	uint64_t seed; /* of noise without one of its own */
	double x0, z0, x1,
		z1; /* the map: centre of symmetries, place of fitted pictures [unit: elmo] */
} mw_source_scope;

/* The box of a grid of w x h samples. They are taken for corners, as heights are, so that the box
 * ends at the outermost; or, where the first lies half a step from the origin both ways, for the
 * middles of cells. */
mw_source_scope mw_source_scope_of(const mw_grid *grid, int32_t w, int32_t h, uint64_t seed);

/* One or more sources compiled together: what they have in common is computed once. Read-only after
 * compiling, so any number of threads may evaluate it. Zeroed = empty. */
typedef struct {
	struct mw__program *p;
} mw_program;

/* roots: n sources, n >= 1. MW_ENOMEM, MW_ELIMIT. [owned: caller, mw_program_free] */
MW_NODISCARD mw_code mw_program_compile(mw_ctx *cx, mw_program *out, mw_source *const *roots,
	size_t n, const mw_source_scope *scope);
void mw_program_free(mw_ctx *cx, mw_program *program);
/* Values computed per block, constants and coordinates not counted. */
size_t mw_program_length(const mw_program *program);

/* Fill out (initialised) with the first root's values, on all threads of cx->pool. */
MW_NODISCARD mw_code mw_program_eval(
	mw_ctx *cx, const mw_program *program, const mw_grid *grid, mw_field *out);

/* Working space of one worker. */
typedef struct mw_program_scratch mw_program_scratch;
/* [owned: caller, mw_program_scratch_free] NULL with MW_ENOMEM. */
mw_program_scratch *mw_program_scratch_new(mw_ctx *cx, const mw_program *program);
void mw_program_scratch_free(mw_ctx *cx, mw_program_scratch *scratch);

/* Rows row0..row0+nrows-1 of a grid w samples wide, from any thread with its own scratch.
 * [out: as many as roots, each nrows * w floats; an entry may be NULL]
 * [isa: as the context's that made the scratch] */
void mw_program_eval_rows(const mw_program *program, const mw_grid *grid, int64_t row0,
	int32_t nrows, int32_t w, float *const *out, mw_program_scratch *scratch);

#endif

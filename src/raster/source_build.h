/* Between the parts of compiling: source_value.c numbers values, source_nodes.c turns nodes into
 * them, source_compile.c makes the program. */
#ifndef MW_RASTER_SOURCE_BUILD_H
#define MW_RASTER_SOURCE_BUILD_H

#include "raster/source_internal.h"

/* Where a node stands: the values that are its coordinates, and the seed of nameless noise. One
 * node under two warps is two values; a node met twice at one mw__place is one. */
typedef struct {
	uint32_t x, z;
	uint64_t seed;
} mw__place;

typedef struct {
	const mw_source *node;
	mw__place at;
	uint32_t value;
} mw__seen;

/* Two open-addressed tables over arrays, each at most half full: what was built, by its parts, and
 * what was visited, by its place. Entries are index + 1. */
typedef struct {
	uint32_t *slot;
	size_t size;
} mw__table;

typedef struct {
	mw_ctx *cx;
	mw__program *p;
	const mw_source_scope *scope;
	MW_ARRAY(mw__seen) visit;
	mw__table values, visits;
} mw__compiler;

/* ---- source_value.c: a value is never there twice ----------------------------------------------
 */

/* An operation without arguments or parameters yet. */
mw__value mw__value_blank(int op, int shape);
/* The value v, found or added. */
MW_NODISCARD mw_code mw__value_add(mw__compiler *c, const mw__value *v, uint32_t *out);
MW_NODISCARD mw_code mw__value_constant(mw__compiler *c, float f, uint32_t *out);
/* Whether a value is a constant, and which. */
bool mw__value_known(const mw__compiler *c, uint32_t value, float *f);
/* Finish v, whose operation, arguments and parameters are set: its shape, and the arguments brought
 * to it. */
MW_NODISCARD mw_code mw__value_emit(mw__compiler *c, mw__value *v, uint32_t *out);
/* The same for lane-by-lane operations: worked out at once where all arguments are constants. */
MW_NODISCARD mw_code mw__value_emit_map(mw__compiler *c, mw__value *v, uint32_t *out);
MW_NODISCARD mw_code mw__value_map1(
	mw__compiler *c, int op, uint32_t a, float k0, float k1, float k2, uint32_t *out);
MW_NODISCARD mw_code mw__value_map2(mw__compiler *c, int op, uint32_t a, uint32_t b, uint32_t *out);

/* What a node at a place became, or NULL. */
const mw__seen *mw__visit_recall(const mw__compiler *c, const mw_source *node, mw__place at);
MW_NODISCARD mw_code mw__visit_remember(
	mw__compiler *c, const mw_source *node, mw__place at, uint32_t value);

/* ---- source_nodes.c ----------------------------------------------------------------------------
 */

/* The value of a node at a place. */
MW_NODISCARD mw_code mw__build(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out);

#endif

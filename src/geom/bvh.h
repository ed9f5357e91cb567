/* A static tree over boxes: which of them touch a given box. */
#ifndef MW_GEOM_BVH_H
#define MW_GEOM_BVH_H

#include "base/mem.h"
#include "geom/vec.h"

typedef struct {
	mw_aabb box;
	uint32_t first; /* leaf: first of count items; inner: index of the second child */
	uint32_t count; /* 0: inner, the first child follows at once */
} mw_bvh_node;

typedef struct {
	mw_bvh_node *node;
	uint32_t nodes;
	uint32_t *item;
	mw_aabb *box; /* of each item, in their order */
} mw_bvh;

/* Index n boxes; empty ones are left out. [box: n] [owned: arena] */
MW_NODISCARD mw_code mw_bvh_build(mw_arena *arena, const mw_aabb *box, uint32_t n, mw_bvh *out);

typedef MW_ARRAY(uint32_t) mw_bvh_hits;

/* The boxes that touch b, ascending, in hits (cleared first; free hits->v with mw_free). */
MW_NODISCARD mw_code mw_bvh_find(mw_ctx *cx, const mw_bvh *t, const mw_aabb *b, mw_bvh_hits *hits);

#endif

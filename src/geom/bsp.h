/* A BSP over brushes: leaves list the brushes whose inside meets the leaf's cell, decided exactly.
 * A brush is never cut up in the result: what a leaf lists is tested again by all its planes, so no
 * choice of splitters can give a wrong answer, only a slow one. */
#ifndef MW_GEOM_BSP_H
#define MW_GEOM_BSP_H

#include "geom/brush.h"

typedef struct {
	mw_plane_id plane;
	int32_t child[2]; /* 0: in front or on the plane, 1: behind. >= 0 a node, < 0 leaf ~value */
} mw_bsp_node;

typedef struct {
	uint32_t first, count; /* of mw_bsp.item */
} mw_bsp_leaf;

typedef struct {
	int32_t root;   /* as a child link; -1 (leaf 0, empty) when there are no brushes */
	uint32_t depth; /* nodes on the longest path */
	mw_aabb box;    /* of all brushes in it; empty when none */
	MW_ARRAY(mw_bsp_node) node;
	MW_ARRAY(mw_bsp_leaf) leaf; /* leaf 0 is empty, and every empty cell is leaf 0 */
	MW_ARRAY(uint32_t)
	item; /* brush indices; ascending within a leaf, except that a brush that
	       * covers the whole cell comes first */
} mw_bsp;

typedef struct {
	uint32_t leaf_size; /* cells of so few brushes are not split [range: 1..64] 0: 4 */
	uint32_t max_depth; /* [range: 1..64] 0: 40 */
	/* Where a brush covers a cell, later ones of no further contents bits are left out; with
	 * this earlier ones too. Point queries stay the same and lists get shorter, but a ray may
	 * name another of several brushes whose faces coincide. */
	bool drop_covered;
	bool single; /* put axial splitters where a float32 can say it */
} mw_bsp_options;

/* solid: from mw_solids_make of b; brushes without an inside or with contents 0 are left out. May
 * add axial planes to t. o may be NULL. *out is to be zeroed. */
MW_NODISCARD mw_code mw_bsp_build(mw_ctx *cx, mw_planes *t, const mw_brushes *b,
	const mw_solid *solid, const mw_bsp_options *o, mw_bsp *out);
void mw_bsp_free(mw_ctx *cx, mw_bsp *bsp);

/* The leaf that p lies in. Exact. */
uint32_t mw_bsp_leaf_of(const mw_planes *t, const mw_bsp *bsp, const mw_vec3 *p);

/* Contents bits of all brushes that hold p strictly inside. *tested (may be NULL) gets the number
 * of brushes looked at. Exact: equal to testing every brush. */
uint32_t mw_bsp_contents(const mw_planes *t, const mw_brushes *b, const mw_bsp *bsp,
	const mw_vec3 *p, uint32_t *tested);

/* The first brush (lowest index) of the leaf list order that holds p, or MW_TAG_NONE. */
uint32_t mw_bsp_brush_at(
	const mw_planes *t, const mw_brushes *b, const mw_bsp *bsp, const mw_vec3 *p);

/* A box moved along a line; half zero: a ray. */
typedef struct {
	mw_vec3 from, to; /* centre */
	mw_vec3 half;     /* half sizes [range: >= 0] */
	uint32_t mask;    /* only brushes with one of these contents bits */
} mw_sweep;

typedef struct {
	double t;          /* fraction of the way [range: 0..1]; 1 when nothing is in it */
	uint32_t brush;    /* MW_TAG_NONE: nothing hit */
	mw_plane_id plane; /* what was run into; MW_PLANE_NONE when it starts inside */
	bool inside;       /* starts inside the brush */
} mw_sweep_hit;

/* First brush in the way: smallest t, of equal ones the lowest index. A box is swept against the
 * planes of each brush moved out by its extent: exact in the mathematical sense when the brushes
 * have MW_BEVEL_EDGE bevels. Returns whether anything is hit. */
bool mw_bsp_sweep(const mw_planes *t, const mw_brushes *b, const mw_bsp *bsp, const mw_sweep *s,
	mw_sweep_hit *hit);

/* The same by testing every brush. */
bool mw_brushes_sweep(
	const mw_planes *t, const mw_brushes *b, const mw_sweep *s, mw_sweep_hit *hit);

#endif

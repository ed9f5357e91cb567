/* The space that solids leave free, in convex cells, and the gates between them: what can be
 * reached from where. Every decision is exact: cells touch in a gate only where there is a way
 * through, however narrow, and where solids touch there is none. */
#ifndef MW_GEOM_VOIDS_H
#define MW_GEOM_VOIDS_H

#include "geom/bsp.h"

#define MW_VOID_OUTSIDE 0u /* the cell of all that is beyond the box of the solids */
#define MW_VOID_SOLID (-1) /* child link of a cell that one solid fills */
#define MW_VOID_LINK(cell) (-2 - (int32_t)(cell)) /* child link of a free cell, and back */

/* Where two free cells touch in an area. */
typedef struct {
	uint32_t cell[2];
	mw_vec3 at; /* the middle of it, rounded */
} mw_void_gate;

typedef struct {
	mw_aabb box;                /* of all solids; empty when there are none */
	int32_t root;               /* >= 0 a node, MW_VOID_SOLID, or MW_VOID_LINK of a cell */
	MW_ARRAY(mw_bsp_node) node; /* children are links like root */
	uint32_t cells;             /* free ones; cell 0 is MW_VOID_OUTSIDE */
	MW_ARRAY(mw_void_gate) gate;
} mw_voids;

/* Divide the space around n solids (from mw_solids_make; those of n == 0 count as nothing). May add
 * axial planes to t. MW_ELIMIT when that takes a tree deeper than 2048 or of more than 2^26 nodes.
 * *out is to be zeroed. */
MW_NODISCARD mw_code mw_voids_build(
	mw_ctx *cx, mw_planes *t, const mw_solid *solid, uint32_t n, mw_voids *out);
void mw_voids_free(mw_ctx *cx, mw_voids *v);

/* The free cells that p touches: one, or several where it lies on a plane between them; none inside
 * of solids. Exact for a reach of 0; else those that meet the box of that half size around p, give
 * or take rounding. Writes the first most of them and returns how many there are. [cell: most] */
uint32_t mw_voids_at(const mw_planes *t, const mw_voids *v, const mw_vec3 *p, double reach,
	uint32_t *cell, uint32_t most);

/* For each cell the way to the outside through the fewest gates: steps is their number (UINT32_MAX:
 * shut in), gate the first of them. [steps, gate: v->cells] */
MW_NODISCARD mw_code mw_voids_flood(mw_ctx *cx, const mw_voids *v, uint32_t *steps, uint32_t *gate);

#endif

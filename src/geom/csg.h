/* Booleans on brush lists, exact: pieces are cut by planes that are already there, and no piece has
 * a vertex that three planes of the input do not define.
 *
 * All of them append to *out, take tags from the side that a face came from, skip brushes that are
 * open or empty, and give pieces that do not overlap one another where they say so. A brush that
 * nothing touches comes out as it went in, redundant sides and all. Order of the output follows the
 * order of the input. The plane table is only read. */
#ifndef MW_GEOM_CSG_H
#define MW_GEOM_CSG_H

#include "geom/brush.h"

/* a without b: each brush of a cut by itself, so that walls that overlap stay whole elsewhere.
 * Faces that a cut opens carry the tag of the cutter's side. */
MW_NODISCARD mw_code mw_csg_subtract(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *a, const mw_brushes *b, mw_brushes *out);

/* What a and b share, as pieces that do not overlap. Contents and tag come from a's brush. */
MW_NODISCARD mw_code mw_csg_intersect(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *a, const mw_brushes *b, mw_brushes *out);

/* a and b together, as pieces that do not overlap; earlier brushes stay whole. b may be NULL: then
 * the brushes of a are made disjoint. */
MW_NODISCARD mw_code mw_csg_union(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *a, const mw_brushes *b, mw_brushes *out);

/* The parts of a behind (keep < 0) or in front of (keep > 0) plane q, or both (keep == 0). */
MW_NODISCARD mw_code mw_csg_clip(mw_ctx *cx, const mw_planes *t, const mw_brushes *a, mw_plane_id q,
	int keep, uint32_t cap_tag, mw_brushes *out);

/* Walls of the given thickness [unit: scene unit] [range: > 0] inside each brush of a: its sides
 * moved in, and that subtracted. A brush thinner than two walls stays whole. The inner faces carry
 * the tag of the side they were moved from. Adds planes. */
MW_NODISCARD mw_code mw_csg_hollow(
	mw_ctx *cx, mw_planes *t, const mw_brushes *a, double wall, mw_brushes *out);

/* Join pairs of pieces where that is exact: they share a plane from both sides and everything
 * together is convex. Only pieces of equal contents and tag, and only where sides that fall
 * together carry equal tags. Repeats until nothing joins. */
MW_NODISCARD mw_code mw_csg_merge(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *a, mw_brushes *out);

/* Volume of the set of points inside any brush: overlaps count once. */
MW_NODISCARD mw_code mw_csg_volume(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *a, double *volume);

/* Which brush hides whose faces: solid and sky (2) those of all, water (1), which is seen through,
 * those of water, others (0: clip, trigger, none) nobody's. */
int mw_rank_of(uint32_t contents);

#define MW_CONTENTS_SOLID 1u
#define MW_CONTENTS_WATER 2u
#define MW_CONTENTS_CLIP 4u
#define MW_CONTENTS_TRIGGER 8u
#define MW_CONTENTS_SKY 16u

/* A visible piece of a face. */
typedef struct {
	uint32_t brush; /* index in the list */
	mw_poly poly;
} mw_face;

typedef MW_ARRAY(mw_face) mw_faces;

/* The faces of all brushes without what others hide: pieces inside another brush, both of two faces
 * that meet, and all but one of faces that coincide (the higher rank, then the earlier brush, keeps
 * it). rank: one for each brush, or NULL for mw_rank_of. solid: from mw_solids_make of the same
 * list. Pieces of one face are joined again where that is exact. faces->v: mw_free; corners: arena.
 */
MW_NODISCARD mw_code mw_csg_faces(mw_ctx *cx, mw_arena *arena, const mw_planes *t,
	const mw_brushes *b, const mw_solid *solid, const uint8_t *rank, mw_faces *faces);

#endif

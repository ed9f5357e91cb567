/* Convex polygons on a plane, bounded by planes: cut without ever computing a vertex from a vertex.
 */
#ifndef MW_GEOM_POLY_H
#define MW_GEOM_POLY_H

#include "geom/plane.h"

/* A corner, and the edge that starts there. Corner i is where the polygon's plane, the edge plane
 * of corner i - 1 and its own edge plane meet; at and err are what mw_planes_vertex says of it. */
typedef struct {
	mw_vec3 at;
	double err;
	mw_plane_id edge; /* the polygon lies on its back side */
} mw_corner;

/* Corners run counter-clockwise seen from the front of the plane. n == 0: nothing. */
typedef struct {
	mw_plane_id plane;
	uint32_t tag; /* the caller's: which face this is a piece of */
	uint32_t n;
	mw_corner *v; /* [owned: arena] */
} mw_poly;

/* The whole of a plane inside the world. n is 0 when the plane lies outside. */
MW_NODISCARD mw_code mw_poly_whole(
	mw_arena *arena, const mw_planes *t, mw_plane_id plane, uint32_t tag, mw_poly *out);

/* Bits: 1 when some corner lies strictly in front of q, 2 when some lies strictly behind. When side
 * is not NULL it takes each corner's sign. [side: p->n values] */
int mw_poly_side(const mw_planes *t, const mw_poly *p, mw_plane_id q, int8_t *side);

/* Cut by q; front and back may be NULL. A part without area is empty. Parts share corners with p
 * when p is not cut. p must not lie on q itself: then both come out empty. */
MW_NODISCARD mw_code mw_poly_split(mw_arena *arena, const mw_planes *t, const mw_poly *p,
	mw_plane_id q, mw_poly *front, mw_poly *back);

/* Facing the other way, over the same planes. */
MW_NODISCARD mw_code mw_poly_reverse(mw_arena *arena, const mw_poly *p, mw_poly *out);

/* Join two polygons of one plane into *out when that is exact: they share an edge plane from both
 * sides and everything together is convex. *joined says whether. */
MW_NODISCARD mw_code mw_poly_join(mw_arena *arena, const mw_planes *t, const mw_poly *a,
	const mw_poly *b, mw_poly *out, bool *joined);

double mw_poly_area(const mw_poly *p);
/* Area-weighted centre; the corner mean when there is no area. */
mw_vec3 mw_poly_centre(const mw_poly *p);

#endif

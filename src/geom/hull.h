/* Convex hulls of points. */
#ifndef MW_GEOM_HULL_H
#define MW_GEOM_HULL_H

#include "geom/brush.h"

/* One facet: a triangle of point indices, counter-clockwise seen from outside. */
typedef struct {
	uint32_t v[3];
} mw_hull_triangle;

typedef MW_ARRAY(mw_hull_triangle) mw_hull_triangles;

/* The triangles of the hull of n points, exact. Points on a face or an edge between others need not
 * appear. MW_EINVALID when the points lie in one plane (or are fewer than four), MW_ERANGE when a
 * coordinate is not finite. Appends to *out; free out->v with mw_free. */
MW_NODISCARD mw_code mw_hull_points(
	mw_ctx *cx, const mw_vec3 *p, uint32_t n, mw_hull_triangles *out);

/* The hull as one brush, appended to out; side tags count up from first_tag. flat [unit: scene
 * unit] [range: >= 0]: neighbouring facets whose corners lie within it of the larger one's plane
 * become one side (0: only facets of exactly the same plane). */
MW_NODISCARD mw_code mw_hull_brush(mw_ctx *cx, mw_planes *t, const mw_vec3 *p, uint32_t n,
	double flat, uint32_t contents, uint32_t tag, uint32_t first_tag, mw_brushes *out);

#endif

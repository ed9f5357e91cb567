/* What the files of this folder share with one another only. */
#ifndef MW_GEOM_INTERNAL_H
#define MW_GEOM_INTERNAL_H

#include "geom/exact.h"
#include "geom/plane.h"

/* Coefficient k (0..2 normal, 3 distance) of a plane, facing the table's way. */
void mw__plane_coef(const mw_planes *t, uint32_t index, int k, mw_big *r);

/* Makes what mw_planes_vertex said of a corner as exact as doubles are, if it is not. */
void mw__planes_sharpen(
	const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c, mw_vec3 *at, double *err);

#endif

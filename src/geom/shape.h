/* Shapes as convex brushes, in our space (Y up, X east, Z south).
 *
 * Ring points are rounded to a fixed grid of the unit circle before they are scaled, so that for
 * sizes that are short binary fractions every corner that should be shared is shared exactly and
 * every face that should be flat is flat. */
#ifndef MW_GEOM_SHAPE_H
#define MW_GEOM_SHAPE_H

#include "geom/csg.h"

/* Side tags of every shape: which part of it a face belongs to. */
typedef enum {
	MW_PART_TOP,    /* +Y */
	MW_PART_BOTTOM, /* -Y */
	MW_PART_EAST,   /* +X */
	MW_PART_WEST,
	MW_PART_SOUTH, /* +Z */
	MW_PART_NORTH,
	MW_PART_SIDE,  /* round or slanted outside */
	MW_PART_INNER, /* round inside: arch, torus hole, room */
	MW_PART_SEAM   /* between pieces of one shape: hidden when they stay together */
} mw_part;

/* Where shapes go. */
typedef struct {
	mw_planes *t;
	mw_brushes *out;
	uint32_t contents;
	uint32_t tag; /* of the brushes */
} mw_shaper;

typedef enum { MW_NORTH, MW_EAST, MW_SOUTH, MW_WEST } mw_facing; /* -Z +X +Z -X */

/* min < max in every axis, all finite: else MW_EINVALID, as for every min, max below. */
MW_NODISCARD mw_code mw_shape_box(mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max);

/* A ramp that fills the lower half of a box and is highest at the facing side (slope: MW_PART_TOP).
 */
MW_NODISCARD mw_code mw_shape_wedge(
	mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, mw_facing high);

/* A polygon of n points (x, z), in either order, raised from bottom to top along Y. Concave ones
 * become several brushes. MW_EINVALID when it crosses itself or has no area. [n: 3..1024] */
MW_NODISCARD mw_code mw_shape_prism(
	mw_ctx *cx, const mw_shaper *s, const mw_vec2 *p, uint32_t n, double bottom, double top);

/* Upright, elliptic, with corners on the ellipse that the box holds, the first side facing south.
 * top: size of the upper end in parts of the lower [range: 0..1]; 1 a cylinder, 0 a cone.
 * [sides: 3..1024] */
MW_NODISCARD mw_code mw_shape_cylinder(
	mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, uint32_t sides, double top);

/* An ellipsoid of rings of faces, poles up and down. [sides: 3..256] [rings: 2..128] */
MW_NODISCARD mw_code mw_shape_sphere(
	mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, uint32_t sides, uint32_t rings);

/* A bent bar: part of a ring in the X-Y plane that goes from min.z to max.z. The ellipse that the
 * box would hold if whole: angles in degrees from +X towards +Y, 0 to 180 is a round door head (the
 * box then is twice as high as the arch). thickness along the radius. One brush for each segment.
 * [segments: 1..1024] [sweep: > 0..360] [thickness: > 0, less than half of each side] */
MW_NODISCARD mw_code mw_shape_arch(mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max,
	double thickness, double start, double sweep, uint32_t segments);

/* A ring about Y: radius to the middle of the tube. One brush for each segment.
 * [segments, sides: 3..256] [range: 0 < tube < radius] */
MW_NODISCARD mw_code mw_shape_torus(mw_ctx *cx, const mw_shaper *s, mw_vec3 centre, double radius,
	double tube, uint32_t segments, uint32_t sides);

/* Steps that fill a box, lowest first, rising towards the facing side. solid: each step reaches
 * down to the floor; otherwise it is as thick as a step is high. [steps: 1..1024] */
MW_NODISCARD mw_code mw_shape_stairs(mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max,
	mw_facing high, uint32_t steps, bool solid);

/* Six walls that fill a box but for the room inside it; they touch but do not overlap. Faces
 * towards the room are MW_PART_INNER. [wall: > 0, less than half of each side] */
MW_NODISCARD mw_code mw_shape_room(
	mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, double wall);

/* A height field as triangular prisms from base up: heights[z * nx + x] at (min.x + x cell,
 * min.z + z cell). Cells are cut along alternating diagonals; a corner at or below base + least is
 * raised to that. Flat neighbouring pieces are joined. [nx, nz: 2..1025] [cell, least: > 0] */
MW_NODISCARD mw_code mw_shape_terrain(mw_ctx *cx, const mw_shaper *s, mw_vec2 min, double cell,
	const double *heights, uint32_t nx, uint32_t nz, double base, double least);

#endif

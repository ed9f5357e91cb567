#include "geom/shape.h"

#include "geom/exact.h"
#include "geom/space.h"

#include <string.h>

/* Ring points are multiples of this (of the radius), rings of a sphere of RING. */
#define CIRCLE 1048576.0
#define RING 262144.0

typedef struct {
	mw_side v[2 * 1024 + 8];
	uint32_t n;
} sides;

static mw_code check_box(mw_ctx *cx, mw_vec3 min, mw_vec3 max)
{
	for (int i = 0; i < 3; i++)
		if (!(min.v[i] < max.v[i]) || !isfinite(max.v[i] - min.v[i]))
			return mw_fail(cx, MW_EINVALID, "%c from %g to %g is no size", 'x' + i,
				min.v[i], max.v[i]);
	return MW_OK;
}

static mw_code check_count(mw_ctx *cx, const char *what, uint32_t n, uint32_t lo, uint32_t hi)
{
	if (n < lo || n > hi)
		return mw_fail(cx, MW_ERANGE, "%u %s: outside %u..%u", n, what, lo, hi);
	return MW_OK;
}

/* A side facing along axis (sign), at a distance from the origin. */
static mw_code axial(mw_ctx *cx, const mw_shaper *s, sides *b, int axis, int sign, double at)
{
	static const uint8_t part[3][2] = {{MW_PART_WEST, MW_PART_EAST},
		{MW_PART_BOTTOM, MW_PART_TOP}, {MW_PART_NORTH, MW_PART_SOUTH}};
	mw_vec3 n = mw_v3(0, 0, 0);
	n.v[axis] = sign;
	mw_side side = {.tag = part[axis][sign > 0]};
	if (mw_planes_add(cx, s->t, &side.plane, n, sign * at))
		return cx->err.code;
	b->v[b->n++] = side;
	return MW_OK;
}

/* A side through three points, clockwise seen from outside. */
static mw_code through(
	mw_ctx *cx, const mw_shaper *s, sides *b, uint32_t part, mw_vec3 p0, mw_vec3 p1, mw_vec3 p2)
{
	mw_vec3 p[3] = {p0, p1, p2};
	mw_side side = {.tag = part};
	if (mw_planes_add_points(cx, s->t, &side.plane, p))
		return cx->err.code;
	if (side.plane == MW_PLANE_NONE)
		return mw_fail(cx, MW_EINVALID, "a face of the shape has no area");
	b->v[b->n++] = side;
	return MW_OK;
}

static mw_code finish(mw_ctx *cx, const mw_shaper *s, const sides *b)
{
	return mw_brushes_add(cx, s->out, b->v, b->n, s->contents, s->tag);
}

mw_code mw_shape_box(mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max)
{
	sides b = {.n = 0};
	mw_code rc = check_box(cx, min, max);
	static const uint8_t order[3] = {1, 0, 2}; /* sides in the order of mw_part */
	for (int i = 0; i < 3 && !rc; i++) {
		rc = axial(cx, s, &b, order[i], 1, max.v[order[i]]);
		rc = rc ? rc : axial(cx, s, &b, order[i], -1, min.v[order[i]]);
	}
	return rc ? rc : finish(cx, s, &b);
}

/* Towards the facing side: which axis, and which way. */
static int facing_axis(mw_facing f)
{
	return f == MW_EAST || f == MW_WEST ? 0 : 2;
}

static int facing_sign(mw_facing f)
{
	return f == MW_EAST || f == MW_SOUTH ? 1 : -1;
}

mw_code mw_shape_wedge(mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, mw_facing high)
{
	sides b = {.n = 0};
	mw_code rc = check_box(cx, min, max);
	int along = facing_axis(high), across = 2 - along, sign = facing_sign(high);
	double end = sign > 0 ? max.v[along] : min.v[along];
	double low = sign > 0 ? min.v[along] : max.v[along];
	mw_vec3 p[3]; /* two corners of the low edge, one of the high */
	p[0].y = p[1].y = min.y;
	p[2].y = max.y;
	p[0].v[along] = p[1].v[along] = low;
	p[2].v[along] = end;
	p[0].v[across] = p[2].v[across] = min.v[across];
	p[1].v[across] = max.v[across];
	/* outside is up: choose the order by the plane's own normal */
	mw_vec3 n = mw_cross3(mw_sub3(p[0], p[1]), mw_sub3(p[2], p[1]));
	bool turn = n.y < 0;
	rc = rc ? rc : through(cx, s, &b, MW_PART_TOP, p[turn ? 2 : 0], p[1], p[turn ? 0 : 2]);
	rc = rc ? rc : axial(cx, s, &b, 1, -1, min.y);
	rc = rc ? rc : axial(cx, s, &b, along, sign, end);
	rc = rc ? rc : axial(cx, s, &b, across, 1, max.v[across]);
	rc = rc ? rc : axial(cx, s, &b, across, -1, min.v[across]);
	return rc ? rc : finish(cx, s, &b);
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* Point i of n on the unit circle, rounded; from +Z towards +X, the first side astride +Z. */
static mw_vec2 ring(uint32_t i, uint32_t n)
{
	double c, s;
	mw_sincos(360.0 * (2.0 * (i % n) + 1) / (2.0 * n), &c, &s);
	return mw_v2(rint(s * CIRCLE) / CIRCLE, rint(c * CIRCLE) / CIRCLE);
}

static mw_vec3 on_ring(mw_vec3 centre, mw_vec3 half, mw_vec2 r, double scale, double y)
{
	return mw_v3(centre.x + half.x * (r.x * scale), y, centre.z + half.z * (r.y * scale));
}

static mw_vec3 middle(mw_vec3 a, mw_vec3 b)
{
	return mw_v3(a.x / 2 + b.x / 2, a.y / 2 + b.y / 2, a.z / 2 + b.z / 2);
}

mw_code mw_shape_cylinder(
	mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, uint32_t n, double top)
{
	sides b = {.n = 0};
	mw_code rc = check_box(cx, min, max);
	rc = rc ? rc : check_count(cx, "sides", n, 3, 1024);
	if (!rc && !(top >= 0 && top <= 1))
		rc = mw_fail(cx, MW_ERANGE, "upper end %g: outside 0..1", top);
	if (rc)
		return rc;
	top = rint(top * RING) / RING;
	mw_vec3 c = middle(min, max), half = mw_scale3(mw_sub3(max, min), 0.5);
	if (top > 0)
		rc = axial(cx, s, &b, 1, 1, max.y);
	rc = rc ? rc : axial(cx, s, &b, 1, -1, min.y);
	for (uint32_t i = 0; i < n && !rc; i++) {
		mw_vec2 r0 = ring(i + n - 1, n), r1 = ring(i, n);
		/* ring runs counter-clockwise seen from above */
		mw_vec3 low0 = on_ring(c, half, r0, 1, min.y),
			low1 = on_ring(c, half, r1, 1, min.y);
		mw_vec3 up = on_ring(c, half, r0, top, max.y);
		rc = through(cx, s, &b, MW_PART_SIDE, low1, low0, up);
	}
	return rc ? rc : finish(cx, s, &b);
}

mw_code mw_shape_sphere(
	mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, uint32_t n, uint32_t rings)
{
	mw_code rc = check_box(cx, min, max);
	rc = rc ? rc : check_count(cx, "sides", n, 3, 256);
	rc = rc ? rc : check_count(cx, "rings", rings, 2, 128);
	if (rc)
		return rc;
	mw_side *side = mw_alloc_n(cx, (size_t)n * rings, sizeof *side);
	if (!side)
		return MW_ENOMEM;
	uint32_t count = 0;
	mw_vec3 c = middle(min, max), half = mw_scale3(mw_sub3(max, min), 0.5);
	for (uint32_t j = 0; j < rings && !rc; j++) {
		double y[2], scale[2];
		for (uint32_t k = 0; k < 2; k++) {
			double cs, sn;
			mw_sincos(180.0 * (j + k) / rings, &cs, &sn);
			y[k] = c.y - half.y * (rint(cs * RING) / RING);
			scale[k] = rint(sn * RING) / RING;
		}
		for (uint32_t i = 0; i < n && !rc; i++) {
			mw_vec2 r0 = ring(i + n - 1, n), r1 = ring(i, n);
			bool first = scale[0] == 0;
			mw_vec3 a = on_ring(c, half, r0, scale[0], y[0]);
			mw_vec3 b = on_ring(c, half, r1, scale[first ? 1 : 0], y[first ? 1 : 0]);
			mw_vec3 d = on_ring(c, half, r0, scale[1], y[1]);
			sides one = {.n = 0};
			rc = through(cx, s, &one, MW_PART_SIDE, b, a, d);
			side[count++] = one.v[0];
		}
	}
	rc = rc ? rc : mw_brushes_add(cx, s->out, side, count, s->contents, s->tag);
	mw_free(cx, side);
	return rc;
}

/* The convex hull of corners given in two loops of n with the same sense: from[i] to to[i] are the
 * long edges, seen from the outside of the end at from counter-clockwise. */
static mw_code loft(mw_ctx *cx, const mw_shaper *s, const mw_vec3 *from, const mw_vec3 *to,
	uint32_t n, const uint8_t *part, uint32_t part_from, uint32_t part_to)
{
	sides b = {.n = 0};
	mw_code rc = through(cx, s, &b, part_from, from[2], from[1], from[0]);
	rc = rc ? rc : through(cx, s, &b, part_to, to[0], to[1], to[2]);
	for (uint32_t i = 0; i < n && !rc; i++) {
		uint32_t k = (i + 1) % n;
		/* an edge that has shrunk to a point leaves a triangle */
		bool point = mw_eq3(from[i], from[k]);
		rc = through(cx, s, &b, part[i], point ? to[k] : from[i], from[k], to[i]);
	}
	return rc ? rc : finish(cx, s, &b);
}

mw_code mw_shape_arch(mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, double thickness,
	double start, double sweep, uint32_t segments)
{
	mw_code rc = check_box(cx, min, max);
	rc = rc ? rc : check_count(cx, "segments", segments, 1, 1024);
	if (rc)
		return rc;
	mw_vec3 c = middle(min, max), half = mw_scale3(mw_sub3(max, min), 0.5);
	if (!(sweep > 0 && sweep <= 360) || !isfinite(start))
		return mw_fail(cx, MW_ERANGE, "sweep of %g degrees: outside 0..360", sweep);
	if (sweep / segments >= 180)
		return mw_fail(
			cx, MW_EINVALID, "%u segments cannot go round %g degrees", segments, sweep);
	if (!(thickness > 0 && thickness < half.x && thickness < half.y))
		return mw_fail(cx, MW_ERANGE, "thickness %g: outside 0..%g", thickness,
			half.x < half.y ? half.x : half.y);
	for (uint32_t i = 0; i < segments && !rc; i++) {
		mw_vec3 loop[2][4];
		for (uint32_t k = 0; k < 2; k++) {
			double cs, sn;
			mw_sincos(start + sweep * (i + k) / segments, &cs, &sn);
			cs = rint(cs * CIRCLE) / CIRCLE;
			sn = rint(sn * CIRCLE) / CIRCLE;
			for (int o = 0; o < 2; o++) {
				double t = o ? 0 : thickness;
				mw_vec3 p =
					mw_v3(c.x + (half.x - t) * cs, c.y + (half.y - t) * sn, 0);
				uint32_t at = k ? (o ? 2u : 3u) : (o ? 1u : 0u);
				loop[0][at] = loop[1][at] = p;
				loop[0][at].z = max.z;
				loop[1][at].z = min.z;
			}
		}
		bool whole = sweep == 360;
		uint8_t end0 = i == 0 && !whole ? MW_PART_SIDE : MW_PART_SEAM;
		uint8_t end1 = i + 1 == segments && !whole ? MW_PART_SIDE : MW_PART_SEAM;
		/* edges: along the start, the outside, the end, the inside */
		uint8_t part[4] = {end0, MW_PART_SIDE, end1, MW_PART_INNER};
		rc = loft(cx, s, loop[0], loop[1], 4, part, MW_PART_SOUTH, MW_PART_NORTH);
	}
	return rc;
}

mw_code mw_shape_torus(mw_ctx *cx, const mw_shaper *s, mw_vec3 centre, double radius, double tube,
	uint32_t segments, uint32_t n)
{
	mw_code rc = check_count(cx, "segments", segments, 3, 256);
	rc = rc ? rc : check_count(cx, "sides", n, 3, 256);
	if (!rc && (!(tube > 0 && tube < radius) || !isfinite(radius) || !mw_finite3(centre)))
		rc = mw_fail(cx, MW_ERANGE, "tube %g: outside 0..%g", tube, radius);
	mw_vec3 loop[2][256], one = mw_v3(1, 1, 1);
	uint8_t part[256];
	for (uint32_t i = 0; i < segments && !rc; i++) {
		for (uint32_t k = 0; k < n; k++) {
			/* x out, y up: counter-clockwise seen from before the start */
			mw_vec2 r = ring(n - 1 - k, n), q = ring(2 * n - 2 - k, n);
			double out = radius + tube * (rint(r.x * RING) / RING);
			double y = centre.y + tube * (rint(r.y * RING) / RING);
			loop[0][k] = on_ring(centre, one, ring(i + segments - 1, segments), out, y);
			loop[1][k] = on_ring(centre, one, ring(i, segments), out, y);
			/* which way the tube's side k, k + 1 looks */
			part[k] = r.x + q.x < 0 ? MW_PART_INNER : MW_PART_SIDE;
		}
		rc = loft(cx, s, loop[0], loop[1], n, part, MW_PART_SEAM, MW_PART_SEAM);
	}
	return rc;
}

/* ---- boxes of boxes -------------------------------------------------------------------------- */

mw_code mw_shape_stairs(mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, mw_facing high,
	uint32_t steps, bool solid)
{
	mw_code rc = check_box(cx, min, max);
	rc = rc ? rc : check_count(cx, "steps", steps, 1, 1024);
	int axis = facing_axis(high);
	bool up = facing_sign(high) > 0;
	double run = max.v[axis] - min.v[axis], rise = max.y - min.y;
	for (uint32_t i = 0; i < steps && !rc; i++) {
		mw_vec3 lo = min, hi = max;
		double a = run * i / steps, z = run * (i + 1) / steps;
		if (up) {
			lo.v[axis] = min.v[axis] + a;
			hi.v[axis] = i + 1 == steps ? max.v[axis] : min.v[axis] + z;
		} else {
			hi.v[axis] = max.v[axis] - a;
			lo.v[axis] = i + 1 == steps ? min.v[axis] : max.v[axis] - z;
		}
		hi.y = i + 1 == steps ? max.y : min.y + rise * (i + 1) / steps;
		if (!solid)
			lo.y = min.y + rise * i / steps;
		rc = mw_shape_box(cx, s, lo, hi);
	}
	return rc;
}

mw_code mw_shape_room(mw_ctx *cx, const mw_shaper *s, mw_vec3 min, mw_vec3 max, double wall)
{
	mw_code rc = check_box(cx, min, max);
	for (int i = 0; i < 3 && !rc; i++)
		if (!(wall > 0 && min.v[i] + wall < max.v[i] - wall))
			rc = mw_fail(cx, MW_ERANGE, "wall %g: outside 0..%g", wall,
				(max.v[i] - min.v[i]) / 2);
	if (rc)
		return rc;
	mw_vec3 in0 = mw_v3(min.x + wall, min.y + wall, min.z + wall);
	mw_vec3 in1 = mw_v3(max.x - wall, max.y - wall, max.z - wall);
	static const uint8_t inner[6] = {MW_PART_BOTTOM, MW_PART_TOP, MW_PART_WEST, MW_PART_EAST,
		MW_PART_NORTH, MW_PART_SOUTH};
	/* ceiling, floor, east, west (whole length), south, north (between those) */
	for (uint32_t w = 0; w < 6 && !rc; w++) {
		mw_vec3 lo = min, hi = max;
		if (w >= 2) {
			lo.y = in0.y;
			hi.y = in1.y;
		}
		if (w >= 4) {
			lo.x = in0.x;
			hi.x = in1.x;
		}
		int axis = w < 2 ? 1 : w < 4 ? 0 : 2;
		if (w & 1)
			hi.v[axis] = in0.v[axis];
		else
			lo.v[axis] = in1.v[axis];
		rc = mw_shape_box(cx, s, lo, hi);
		if (!rc)
			s->out->side.v[s->out->side.n - 6 + inner[w]].tag = MW_PART_INNER;
	}
	return rc;
}

/* Brushes for tests: boxes, and seeded soups of awkward convex bodies. */
#ifndef MW_TESTS_GEOM_SOUP_H
#define MW_TESTS_GEOM_SOUP_H

#include "base/rng.h"
#include "geom/brush.h"

static inline mw_code add_box(mw_ctx *cx, mw_planes *t, mw_brushes *b, double x0, double y0,
	double z0, double x1, double y1, double z1)
{
	double lo[3] = {x0, y0, z0}, hi[3] = {x1, y1, z1};
	mw_side side[6];
	uint32_t first = (uint32_t)b->brush.n * 100;
	for (int i = 0; i < 6; i++) {
		mw_vec3 n = mw_v3(0, 0, 0);
		n.v[i / 2] = i & 1 ? -1 : 1;
		if (mw_planes_add(cx, t, &side[i].plane, n, i & 1 ? -lo[i / 2] : hi[i / 2]))
			return cx->err.code;
		side[i].tag = first + (uint32_t)i;
	}
	return mw_brushes_add(cx, b, side, 6, 1, (uint32_t)b->brush.n);
}

static inline double grid_value(mw_rng *r, double lo, double hi, double step)
{
	return lo + step * (double)mw_rng_below(r, (uint64_t)((hi - lo) / step) + 1);
}

/* One convex body around a point of a grid: random small integer normals (so that exact volumes
 * stay small numbers), or any doubles when wild. kind 0 box, 1 integer planes, 2 sliver, 3 micro,
 * 4 rotated box, 5 near-parallel pair. 4 and 5 have coefficients of many bits. */
static inline mw_code add_body(mw_ctx *cx, mw_planes *t, mw_brushes *b, mw_rng *r, int kind)
{
	double c[3], e[3];
	for (int i = 0; i < 3; i++) {
		c[i] = grid_value(r, -64, 64, 8);
		e[i] = grid_value(r, 4, 32, 4);
	}
	if (kind == 2)
		e[mw_rng_below(r, 3)] = 1.0 / 64;
	if (kind == 3)
		e[0] = e[1] = e[2] = 1.0 / 1024;
	mw_side side[12];
	uint32_t n = 0, tag = (uint32_t)b->brush.n * 100;
	double a = mw_rng_unit(r) * 3, s = sin(a), co = cos(a);
	for (int i = 0; i < 6; i++) {
		mw_vec3 nv = mw_v3(0, 0, 0);
		nv.v[i / 2] = i & 1 ? -1 : 1;
		if (kind >= 4)
			nv = mw_v3(nv.x * co - nv.y * s, nv.x * s + nv.y * co, nv.z);
		double d = nv.x * c[0] + nv.y * c[1] + nv.z * c[2] + e[i / 2];
		if (mw_planes_add(cx, t, &side[n].plane, nv, d))
			return cx->err.code;
		side[n].tag = tag + n;
		n++;
	}
	for (int i = 0; i < 4 && (kind == 1 || kind == 5); i++) {
		mw_vec3 nv;
		for (int k = 0; k < 3; k++)
			nv.v[k] = (double)mw_rng_below(r, 7) - 3;
		if (nv.x == 0 && nv.y == 0 && nv.z == 0)
			continue;
		if (kind == 5) { /* within a hair of a plane that is there */
			nv = mw_planes_get(t, side[i].plane).n;
			nv.v[mw_rng_below(r, 3)] += ldexp(mw_rng_unit(r) - 0.5, -30);
		}
		double d = nv.x * c[0] + nv.y * c[1] + nv.z * c[2] + (kind == 5 ? e[i / 2] : 20);
		if (mw_planes_add(cx, t, &side[n].plane, nv, d))
			return cx->err.code;
		side[n].tag = tag + n;
		n++;
	}
	return mw_brushes_add(cx, b, side, n, 1, (uint32_t)b->brush.n);
}

/* Three directions at right angles, any way round. */
static inline void any_frame(mw_rng *r, mw_vec3 e[3])
{
	for (int i = 0; i < 2; i++)
		do {
			for (int k = 0; k < 3; k++)
				e[i].v[k] = mw_rng_unit(r) - 0.5;
			if (i)
				e[1] = mw_along3(e[1], e[0], -mw_dot3(e[0], e[1]));
		} while (mw_len3(e[i]) < 0.1 && (e[i] = mw_v3(0, 0, 0), true));
	e[0] = mw_unit3(e[0]);
	e[1] = mw_unit3(mw_along3(e[1], e[0], -mw_dot3(e[0], e[1])));
	e[2] = mw_cross3(e[0], e[1]);
}

#define WILD_KINDS 5

/* Bodies turned any way. kind 0 block, 1 sliver, 2 micro, 3 with planes 2^-8 .. 2^-45 off others, 4
 * wedge between two nearly opposite planes. */
static inline mw_code add_wild_body(mw_ctx *cx, mw_planes *t, mw_brushes *b, mw_rng *r, int kind)
{
	mw_vec3 e[3], c;
	double half[3];
	mw_side side[12];
	mw_vec3 normal[12];
	double d[12];
	uint32_t n = 6;

	any_frame(r, e);
	for (int i = 0; i < 3; i++) {
		c.v[i] = mw_rng_unit(r) * 128 - 64;
		half[i] = 4 + 28 * mw_rng_unit(r);
	}
	if (kind == 1)
		half[mw_rng_below(r, 3)] = ldexp(1, -2 - (int)mw_rng_below(r, 12));
	if (kind == 2)
		half[0] = half[1] = half[2] = ldexp(1, -2 - (int)mw_rng_below(r, 12));
	for (int i = 0; i < 6; i++) {
		normal[i] = mw_scale3(e[i / 2], i & 1 ? -1 : 1);
		d[i] = mw_dot3(normal[i], c) + half[i / 2];
	}
	for (int i = 0; i < 4 && kind == 3; i++, n++) {
		normal[n] = normal[i];
		normal[n].v[mw_rng_below(r, 3)] +=
			ldexp(mw_rng_unit(r) - 0.5, -8 - (int)mw_rng_below(r, 38));
		d[n] = mw_dot3(normal[n], c) + half[i / 2];
	}
	if (kind == 4) {
		double lean = ldexp(1, -4 - (int)mw_rng_below(r, 12));
		normal[1] = mw_along3(normal[1], e[1], lean);
		d[0] = mw_dot3(normal[0], c);
		d[1] = mw_dot3(normal[1], c);
	}
	for (uint32_t i = 0; i < n; i++) {
		side[i].tag = (uint32_t)b->brush.n * 100 + i;
		if (mw_planes_add(cx, t, &side[i].plane, normal[i], d[i]))
			return cx->err.code;
	}
	return mw_brushes_add(cx, b, side, n, 1, (uint32_t)b->brush.n);
}

/* Any of all kinds of bodies. */
#define ANY_KINDS (6 + WILD_KINDS)

static inline mw_code add_any_body(mw_ctx *cx, mw_planes *t, mw_brushes *b, mw_rng *r)
{
	int kind = (int)mw_rng_below(r, ANY_KINDS);
	return kind < 6 ? add_body(cx, t, b, r, kind) : add_wild_body(cx, t, b, r, kind - 6);
}

#endif

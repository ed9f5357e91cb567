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

#endif

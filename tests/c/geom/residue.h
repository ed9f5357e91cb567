/* Volumes modulo the prime 2^61 - 1: exact sums of fractions of any size in words of 64 bits.
 * Volumes that are equal have equal residues; others share theirs once in 2^61. */
#ifndef MW_TESTS_GEOM_RESIDUE_H
#define MW_TESTS_GEOM_RESIDUE_H

#include "geom/brush.h"
#include "geom/exact.h"

#define RES_P 0x1fffffffffffffffu

static inline uint64_t res_mul(uint64_t a, uint64_t b)
{
	mw_u128 x = (mw_u128)a * b;
	uint64_t r = (uint64_t)(x & RES_P) + (uint64_t)(x >> 61);
	return r >= RES_P ? r - RES_P : r;
}

static inline uint64_t res_add(uint64_t a, uint64_t b)
{
	return a + b >= RES_P ? a + b - RES_P : a + b;
}

static inline uint64_t res_sub(uint64_t a, uint64_t b)
{
	return a >= b ? a - b : a + (RES_P - b);
}

static inline uint64_t res_inverse(uint64_t a)
{
	uint64_t r = 1;
	for (uint64_t e = RES_P - 2; e; e >>= 1, a = res_mul(a, a))
		if (e & 1)
			r = res_mul(r, a);
	return r;
}

/* Coefficients of a plane as it faces. */
static inline void res_coef(const mw_planes *t, mw_plane_id id, uint64_t c[4])
{
	const mw_plane_exact *e = &t->exact.v[MW_PLANE_INDEX(id)];
	uint32_t at = e->at;
	for (int i = 0; i < 4; i++) {
		int64_t n = e->wide ? e->limbs[i] : e->c[i];
		uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n, v = size % RES_P;
		if (e->wide) {
			v = 0; /* 2^64 is 8 here; the highest limb first */
			for (uint64_t k = size; k-- > 0;)
				v = res_add(res_mul(v, 8), t->limb.v[at + k] % RES_P);
			at += (uint32_t)size;
		}
		c[i] = (n < 0) != (id & 1) ? res_sub(0, v) : v;
	}
}

static inline uint64_t res_det3(const uint64_t *a, const uint64_t *b, const uint64_t *c)
{
	uint64_t r = 0;
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		uint64_t minor = res_sub(res_mul(b[j], c[k]), res_mul(b[k], c[j]));
		r = res_add(r, res_mul(a[i], minor));
	}
	return r;
}

/* Corner i of a face by Cramer's rule: x[3] is the common denominator. */
static inline void res_corner(const mw_planes *t, const mw_poly *f, uint32_t i, uint64_t x[4])
{
	uint64_t c[3][4], m[3][3];
	res_coef(t, f->plane, c[0]);
	res_coef(t, f->v[i ? i - 1 : f->n - 1].edge, c[1]);
	res_coef(t, f->v[i].edge, c[2]);
	x[3] = res_det3(c[0], c[1], c[2]);
	for (int k = 0; k < 3; k++) {
		for (int r = 0; r < 3; r++)
			for (int j = 0; j < 3; j++)
				m[r][j] = c[r][j == k ? 3 : j];
		x[k] = res_det3(m[0], m[1], m[2]);
	}
}

/* Six times the volume of all closed brushes of a list. */
static inline mw_code res_volume(mw_ctx *cx, const mw_planes *t, const mw_brushes *b, uint64_t *sum)
{
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	*sum = 0;
	for (uint32_t i = 0; i < b->brush.n; i++) {
		const mw_brush *br = &b->brush.v[i];
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		mw_solid s;
		mw_closure how;
		if (mw_solid_make(&arena, t, mw_brush_sides(b, br), br->count, &s, &how))
			break;
		for (uint32_t k = 0; how == MW_CLOSED && k < s.n; k++) {
			uint64_t p[4], q[4], r[4];
			res_corner(t, &s.face[k], 0, p);
			for (uint32_t v = 2; v < s.face[k].n; v++) {
				res_corner(t, &s.face[k], v - 1, q);
				res_corner(t, &s.face[k], v, r);
				uint64_t w = res_mul(res_mul(p[3], q[3]), r[3]);
				*sum = res_add(*sum, res_mul(res_det3(p, q, r), res_inverse(w)));
			}
		}
		mw_arena_reset(&arena, mark);
	}
	mw_arena_free(&arena);
	return cx->err.code;
}

#endif

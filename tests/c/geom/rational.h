/* Rational numbers and exact volumes for tests: from the planes' own integers, through Cramer's
 * rule. */
#ifndef MW_TESTS_GEOM_RATIONAL_H
#define MW_TESTS_GEOM_RATIONAL_H

#include "geom/brush.h"
#include "geom/exact.h"

typedef struct {
	mw_big n, d; /* d > 0, lowest terms */
} rat;

static inline void rat_lowest(rat *r)
{
	mw_big g, x;
	if (r->d.sign < 0) {
		r->d.sign = 1;
		r->n.sign = -r->n.sign;
	}
	mw_big_gcd(&g, &r->n, &r->d);
	mw_big_div_exact(&x, &r->d, &g);
	mw_big_copy(&r->d, &x);
	if (r->n.sign == 0)
		return;
	mw_big_div_exact(&x, &r->n, &g);
	mw_big_copy(&r->n, &x);
}

static inline void rat_set(rat *r, int64_t n, int64_t d)
{
	mw_big_set_i64(&r->n, n);
	mw_big_set_i64(&r->d, d);
	rat_lowest(r);
}

/* r += s * a */
static inline void rat_add(rat *r, const rat *a, int s)
{
	mw_big x, y;
	mw_big_mul(&x, &r->n, &a->d);
	mw_big_mul(&y, &a->n, &r->d);
	y.sign *= s;
	mw_big_add(&r->n, &x, &y);
	mw_big_mul(&x, &r->d, &a->d);
	mw_big_copy(&r->d, &x);
	rat_lowest(r);
}

static inline bool rat_eq(const rat *a, const rat *b)
{
	return mw_big_cmp(&a->n, &b->n) == 0 && mw_big_cmp(&a->d, &b->d) == 0;
}

static inline bool rat_is(const rat *a, int64_t n, int64_t d)
{
	rat b;
	rat_set(&b, n, d);
	return rat_eq(a, &b);
}

/* Homogeneous corner. The planes' coefficients must be narrow. */
typedef struct {
	mw_big x[3], w;
} corner_h;

static inline void coef(const mw_planes *t, mw_plane_id id, mw_big c[4])
{
	const mw_plane_exact *e = &t->exact.v[MW_PLANE_INDEX(id)];
	for (int i = 0; i < 4; i++)
		mw_big_set_i64(&c[i], id & 1 ? -e->c[i] : e->c[i]);
}

static inline void det3(mw_big *r, const mw_big *a, const mw_big *b, const mw_big *c)
{
	mw_big p, q;
	mw_big_set_i64(r, 0);
	for (int i = 0; i < 3; i++) {
		mw_big m;
		mw_big_mul(&p, &b[(i + 1) % 3], &c[(i + 2) % 3]);
		mw_big_mul(&q, &b[(i + 2) % 3], &c[(i + 1) % 3]);
		mw_big_sub(&m, &p, &q);
		mw_big_mul(&p, &m, &a[i]);
		mw_big_add(r, r, &p);
	}
}

static inline void corner_of(const mw_planes *t, const mw_poly *f, uint32_t i, corner_h *v)
{
	mw_big c[3][4], col[3][3];
	coef(t, f->plane, c[0]);
	coef(t, f->v[i ? i - 1 : f->n - 1].edge, c[1]);
	coef(t, f->v[i].edge, c[2]);
	det3(&v->w, c[0], c[1], c[2]);
	for (int k = 0; k < 3; k++) {
		for (int r = 0; r < 3; r++)
			for (int j = 0; j < 3; j++)
				mw_big_copy(&col[r][j], &c[r][j == k ? 3 : j]);
		det3(&v->x[k], col[0], col[1], col[2]);
	}
}

/* Exact volume of a polytope. */
static inline void solid_volume(const mw_planes *t, const mw_solid *s, rat *sum)
{
	rat_set(sum, 0, 1);
	for (uint32_t i = 0; i < s->n; i++) {
		const mw_poly *f = &s->face[i];
		static corner_h a, b, c;
		corner_of(t, f, 0, &a);
		for (uint32_t k = 2; k < f->n; k++) {
			corner_of(t, f, k - 1, &b);
			corner_of(t, f, k, &c);
			static rat v;
			mw_big x, six;
			det3(&v.n, a.x, b.x, c.x);
			mw_big_mul(&x, &a.w, &b.w);
			mw_big_mul(&v.d, &x, &c.w);
			mw_big_set_i64(&six, 6);
			mw_big_mul(&x, &v.d, &six);
			mw_big_copy(&v.d, &x);
			rat_lowest(&v);
			rat_add(sum, &v, 1);
		}
	}
}

/* Sum over all closed brushes of a list. */
static inline mw_code list_volume(mw_ctx *cx, const mw_planes *t, const mw_brushes *b, rat *sum)
{
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	rat_set(sum, 0, 1);
	for (uint32_t i = 0; i < b->brush.n; i++) {
		const mw_brush *br = &b->brush.v[i];
		mw_solid s;
		mw_closure how;
		static rat v;
		if (mw_solid_make(&arena, t, mw_brush_sides(b, br), br->count, &s, &how))
			break;
		if (how != MW_CLOSED)
			continue;
		solid_volume(t, &s, &v);
		rat_add(sum, &v, 1);
	}
	mw_arena_free(&arena);
	return cx->err.code;
}

#endif

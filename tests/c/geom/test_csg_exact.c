/* Union, subtraction and intersection of random bodies: exact volumes, and the same points whatever
 * the order of the brushes. MAPWRIGHT_BOOLEANS: how many pairs of operands. */
#include "geom/rational.h"
#include "geom/residue.h"
#include "geom/soup.h"
#include "support/test.h"

#include "geom/csg.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_planes t;
	mw_brushes a, b;
	/* a + nothing, b + nothing, a & b, a - b, a + b */
	mw_brushes got[5];
} fix;

static void clear(fix *f)
{
	mw_brushes_free(&f->cx, &f->a);
	mw_brushes_free(&f->cx, &f->b);
	for (size_t i = 0; i < MW_COUNTOF(f->got); i++)
		mw_brushes_free(&f->cx, &f->got[i]);
}

static int up(void **state)
{
	static fix f;
	memset(&f, 0, sizeof f);
	mw_ctx_init(&f.cx);
	*state = &f;
	return mw_planes_init(&f.cx, &f.t);
}

static int down(void **state)
{
	fix *f = *state;
	clear(f);
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

static int rounds(int usual)
{
	const char *more = getenv("MAPWRIGHT_BOOLEANS");
	return more ? atoi(more) : usual;
}

/* Each round has planes of its own: numbers do not grow with their count. */
static void start(fix *f)
{
	clear(f);
	mw_planes_free(&f->cx, &f->t);
	assert_ok(&f->cx, mw_planes_init(&f->cx, &f->t));
}

static void booleans(fix *f, const mw_brushes *a, const mw_brushes *b)
{
	for (size_t i = 0; i < MW_COUNTOF(f->got); i++)
		mw_brushes_free(&f->cx, &f->got[i]);
	assert_ok(&f->cx, mw_csg_union(&f->cx, &f->t, a, NULL, &f->got[0]));
	assert_ok(&f->cx, mw_csg_union(&f->cx, &f->t, b, NULL, &f->got[1]));
	assert_ok(&f->cx, mw_csg_intersect(&f->cx, &f->t, a, b, &f->got[2]));
	assert_ok(&f->cx, mw_csg_subtract(&f->cx, &f->t, &f->got[0], b, &f->got[3]));
	assert_ok(&f->cx, mw_csg_union(&f->cx, &f->t, a, b, &f->got[4]));
}

/* The brushes of a list in another order. */
static void shuffled(fix *f, mw_rng *r, const mw_brushes *from, mw_brushes *to)
{
	uint32_t order[64], n = (uint32_t)from->brush.n;
	assert_true(n <= MW_COUNTOF(order));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (uint32_t)mw_rng_below(r, i + 1);
		order[i] = order[k];
		order[k] = i;
	}
	for (uint32_t i = 0; i < n; i++)
		assert_ok(&f->cx, mw_brushes_copy(&f->cx, to, from, order[i]));
}

/* |a| = |a - b| + |a & b|;  |a + b| = |a| + |b| - |a & b|. Bodies of small whole numbers, so that
 * the fractions stay short. */
static void volumes_are_conserved_as_fractions(void **state)
{
	fix *f = *state;
	mw_rng r;
	int n = rounds(25);
	uint64_t pieces = 0;
	mw_rng_init(&r, 21, "csg");
	for (int round = 0; round < n; round++) {
		static rat v[5], w[5];
		mw_brushes a = {0}, b = {0};
		start(f);
		for (int i = 0; i < 5; i++) {
			assert_ok(&f->cx,
				add_body(&f->cx, &f->t, &f->a, &r, (int)mw_rng_below(&r, 4)));
			assert_ok(&f->cx,
				add_body(&f->cx, &f->t, &f->b, &r, (int)mw_rng_below(&r, 4)));
		}
		booleans(f, &f->a, &f->b);
		for (int i = 0; i < 5; i++)
			assert_ok(&f->cx, list_volume(&f->cx, &f->t, &f->got[i], &v[i]));
		for (int i = 0; i < 5; i++)
			pieces += f->got[i].brush.n;
		double said;
		int e1, e2;
		assert_ok(&f->cx, mw_csg_volume(&f->cx, &f->t, &f->a, &said));
		double want = mw_big_frexp(&v[0].n, &e1) / mw_big_frexp(&v[0].d, &e2);
		assert_true(fabs(said - ldexp(want, e1 - e2)) < 1e-6);
		/* other orders of the brushes have the same volumes */
		shuffled(f, &r, &f->a, &a);
		shuffled(f, &r, &f->b, &b);
		booleans(f, &a, &b);
		for (int i = 0; i < 5; i++) {
			assert_ok(&f->cx, list_volume(&f->cx, &f->t, &f->got[i], &w[i]));
			assert_true(rat_eq(&v[i], &w[i]));
		}
		rat_add(&v[3], &v[2], 1);
		assert_true(rat_eq(&v[0], &v[3]));
		rat_add(&v[0], &v[1], 1);
		rat_add(&v[0], &v[2], -1);
		assert_true(rat_eq(&v[0], &v[4]));
		mw_brushes_free(&f->cx, &a);
		mw_brushes_free(&f->cx, &b);
	}
	print_message("# %d pairs of operands, %llu pieces: volumes equal as fractions\n", n,
		(unsigned long long)pieces);
}

/* The same of bodies turned any way, whose planes have hundreds of digits. */
static void volumes_of_any_bodies_are_conserved(void **state)
{
	fix *f = *state;
	mw_rng r;
	int n = rounds(25);
	uint64_t pieces = 0;
	mw_rng_init(&r, 25, "csg");
	for (int round = 0; round < n; round++) {
		uint64_t v[5], w;
		mw_brushes a = {0}, b = {0};
		start(f);
		for (int i = 0; i < 4; i++) {
			assert_ok(&f->cx, add_any_body(&f->cx, &f->t, &f->a, &r));
			assert_ok(&f->cx, add_any_body(&f->cx, &f->t, &f->b, &r));
		}
		booleans(f, &f->a, &f->b);
		for (int i = 0; i < 5; i++) {
			assert_ok(&f->cx, res_volume(&f->cx, &f->t, &f->got[i], &v[i]));
			pieces += f->got[i].brush.n;
		}
		assert_true(v[0] == res_add(v[3], v[2]));
		assert_true(v[4] == res_sub(res_add(v[0], v[1]), v[2]));
		shuffled(f, &r, &f->a, &a);
		shuffled(f, &r, &f->b, &b);
		booleans(f, &a, &b);
		for (int i = 0; i < 5; i++) {
			assert_ok(&f->cx, res_volume(&f->cx, &f->t, &f->got[i], &w));
			assert_true(v[i] == w);
		}
		mw_brushes_free(&f->cx, &a);
		mw_brushes_free(&f->cx, &b);
	}
	print_message("# %d pairs of any bodies, %llu pieces: volumes equal modulo 2^61 - 1\n", n,
		(unsigned long long)pieces);
}

static bool in_any(const mw_planes *t, const mw_brushes *b, const mw_vec3 *p)
{
	for (uint32_t i = 0; i < b->brush.n; i++)
		if (mw_brush_contains(t, b, i, p))
			return true;
	return false;
}

/* A point anywhere, or 1e-3 .. 1e-9 off a plane of an operand; never on one. */
static mw_vec3 off_all_planes(const fix *f, mw_rng *r)
{
	mw_vec3 p;
	bool on = true;
	while (on) {
		for (int k = 0; k < 3; k++)
			p.v[k] = mw_rng_unit(r) * 200 - 100;
		if (mw_rng_below(r, 2)) {
			const mw_brushes *b = mw_rng_below(r, 2) ? &f->a : &f->b;
			mw_plane q =
				mw_planes_get(&f->t, b->side.v[mw_rng_below(r, b->side.n)].plane);
			double off = ldexp(mw_rng_unit(r) - 0.5, -10 - (int)mw_rng_below(r, 20));
			p = mw_along3(p, q.n, q.d - mw_dot3(q.n, p) + off);
		}
		on = false;
		for (size_t i = 0; i < f->a.side.n; i++)
			on = on || mw_planes_side_point(&f->t, &p, f->a.side.v[i].plane) == 0;
		for (size_t i = 0; i < f->b.side.n; i++)
			on = on || mw_planes_side_point(&f->t, &p, f->b.side.v[i].plane) == 0;
	}
	return p;
}

static void points_agree_with_the_operands_in_any_order_of_brushes(void **state)
{
	fix *f = *state;
	mw_rng r;
	int n = rounds(12);
	uint64_t points = 0, inside = 0;
	mw_rng_init(&r, 22, "csg");
	for (int round = 0; round < n; round++) {
		mw_vec3 p[1000];
		start(f);
		for (int i = 0; i < 6; i++) {
			assert_ok(&f->cx, add_any_body(&f->cx, &f->t, &f->a, &r));
			assert_ok(&f->cx, add_any_body(&f->cx, &f->t, &f->b, &r));
		}
		for (size_t i = 0; i < MW_COUNTOF(p); i++)
			p[i] = off_all_planes(f, &r);
		for (int order = 0; order < 3; order++) {
			mw_brushes a = {0}, b = {0};
			shuffled(f, &r, &f->a, &a);
			shuffled(f, &r, &f->b, &b);
			booleans(f, &a, &b);
			for (size_t i = 0; i < MW_COUNTOF(p); i++) {
				bool in_a = in_any(&f->t, &f->a, &p[i]);
				bool in_b = in_any(&f->t, &f->b, &p[i]);
				bool want[5] = {
					in_a, in_b, in_a && in_b, in_a && !in_b, in_a || in_b};
				for (int k = 0; k < 5; k++)
					assert_int_equal(in_any(&f->t, &f->got[k], &p[i]), want[k]);
				points++;
				inside += want[4];
			}
			mw_brushes_free(&f->cx, &a);
			mw_brushes_free(&f->cx, &b);
		}
	}
	print_message("# %d pairs in 3 orders each: %llu points, %llu in a brush, 0 wrong\n", n,
		(unsigned long long)points, (unsigned long long)inside);
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(volumes_are_conserved_as_fractions),
		T(volumes_of_any_bodies_are_conserved),
		T(points_agree_with_the_operands_in_any_order_of_brushes),
	};
	return cmocka_run_group_tests_name("csg exact", tests, NULL, NULL);
}

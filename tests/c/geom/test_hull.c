#include "support/oom.h"
#include "support/test.h"

#include "base/rng.h"
#include "geom/exact.h"
#include "geom/hull.h"

#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_planes t;
	mw_arena arena;
	mw_brushes b;
	mw_hull_triangles tri;
} fix;

static int up(void **state)
{
	static fix f;
	memset(&f, 0, sizeof f);
	mw_ctx_init(&f.cx);
	mw_arena_init(&f.arena, &f.cx);
	*state = &f;
	return mw_planes_init(&f.cx, &f.t);
}

static int down(void **state)
{
	fix *f = *state;
	mw_brushes_free(&f->cx, &f->b);
	mw_free(&f->cx, f->tri.v);
	mw_arena_free(&f->arena);
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

/* Closed (each edge once each way), no point outside any facet, no facet without area. */
static void is_the_hull(fix *f, const mw_vec3 *p, uint32_t n)
{
	const mw_hull_triangle *t = f->tri.v;
	for (size_t i = 0; i < f->tri.n; i++) {
		assert_false(mw_exact_collinear(&p[t[i].v[0]], &p[t[i].v[1]], &p[t[i].v[2]]));
		for (uint32_t k = 0; k < n; k++)
			assert_true(mw_exact_orient(&p[t[i].v[0]], &p[t[i].v[1]], &p[t[i].v[2]],
					    &p[k]) <= 0);
		for (int e = 0; e < 3; e++) {
			int found = 0;
			for (size_t m = 0; m < f->tri.n; m++)
				for (int g = 0; g < 3; g++)
					found += t[m].v[g] == t[i].v[(e + 1) % 3] &&
						t[m].v[(g + 1) % 3] == t[i].v[e];
			assert_int_equal(found, 1);
		}
	}
}

static void corners_of_a_cube_give_six_sides(void **state)
{
	fix *f = *state;
	mw_vec3 p[27];
	uint32_t n = 0;
	for (int i = 0; i < 27; i++) /* with midpoints of edges and faces, and the middle */
		p[n++] = mw_v3(i % 3, i / 3 % 3, i / 9);
	assert_ok(&f->cx, mw_hull_points(&f->cx, p, n, &f->tri));
	is_the_hull(f, p, n);
	assert_ok(&f->cx, mw_hull_brush(&f->cx, &f->t, p, n, 0, 1, 5, 100, &f->b));
	assert_int_equal(f->b.side.n, 6);
	assert_int_equal(f->b.side.v[5].tag, 105);
	mw_solid s;
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, &f->b, &s, NULL));
	assert_true(mw_solid_volume(&s) == 8);
}

static void random_and_degenerate_clouds_give_exact_hulls(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 41, "hull");
	for (int round = 0; round < 120; round++) {
		mw_vec3 p[80];
		uint32_t n = 4 + (uint32_t)mw_rng_below(&r, 76);
		for (uint32_t i = 0; i < n; i++)
			for (int k = 0; k < 3; k++)
				switch (round % 4) {
				case 0: /* many on common planes and lines, and twice */
					p[i].v[k] = (double)mw_rng_below(&r, 4);
					break;
				case 1:
					p[i].v[k] = mw_rng_unit(&r) - 0.5;
					break;
				case 2: /* all within a hair of a plane */
					p[i].v[k] = k == 2
						? 1 + ldexp((double)mw_rng_below(&r, 3), -52)
						: mw_rng_unit(&r);
					break;
				default: /* far and tiny together */
					p[i].v[k] = ldexp(mw_rng_unit(&r) - 0.5,
						(int)mw_rng_below(&r, 200) - 100);
				}
		f->tri.n = 0;
		mw_code rc = mw_hull_points(&f->cx, p, n, &f->tri);
		if (rc) {
			assert_int_equal(rc, MW_EINVALID);
			mw_err_clear(&f->cx);
			assert_true(round % 4 == 0 || round % 4 == 2);
			continue;
		}
		is_the_hull(f, p, n);
	}
}

static void a_rotated_box_has_six_sides_within_a_tolerance(void **state)
{
	fix *f = *state;
	mw_vec3 p[8];
	double s = sin(0.3), c = cos(0.3), s2 = sin(1.1), c2 = cos(1.1);
	for (int i = 0; i < 8; i++) {
		double x = i & 1 ? 10 : -10, y = i & 2 ? 20 : -20, z = i & 4 ? 5 : -5;
		double a = x * c - y * s, b = x * s + y * c;
		p[i] = mw_v3(a, b * c2 - z * s2, b * s2 + z * c2);
	}
	assert_ok(&f->cx, mw_hull_brush(&f->cx, &f->t, p, 8, 1e-9, 1, 0, 0, &f->b));
	assert_int_equal(f->b.side.n, 6);
	mw_solid sol;
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, &f->b, &sol, NULL));
	assert_true(fabs(mw_solid_volume(&sol) - 8000) < 1e-9);
}

static void points_in_a_plane_are_refused(void **state)
{
	fix *f = *state;
	mw_vec3 p[5] = {
		mw_v3(0, 0, 0), mw_v3(1, 0, 1), mw_v3(0, 1, 2), mw_v3(1, 1, 3), mw_v3(2, 1, 4)};
	assert_fails(&f->cx, mw_hull_points(&f->cx, p, 5, &f->tri), MW_EINVALID, "one plane");
	assert_fails(&f->cx, mw_hull_points(&f->cx, p, 3, &f->tri), MW_EINVALID, "3 points");
	p[2].y = INFINITY;
	assert_fails(&f->cx, mw_hull_points(&f->cx, p, 5, &f->tri), MW_ERANGE, "point 3");
}

static mw_code all_of_it(mw_ctx *cx, void *ud)
{
	MW_UNUSED(ud);
	mw_planes t = {0};
	mw_brushes b = {0};
	mw_vec3 p[60];
	mw_rng r;
	mw_rng_init(&r, 7, "oom");
	for (int i = 0; i < 60; i++)
		p[i] = mw_v3(mw_rng_unit(&r), mw_rng_unit(&r), mw_rng_unit(&r));
	mw_code rc = mw_planes_init(cx, &t);
	rc = rc ? rc : mw_hull_brush(cx, &t, p, 60, 0, 1, 0, 0, &b);
	mw_brushes_free(cx, &b);
	mw_planes_free(cx, &t);
	return rc;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(all_of_it, NULL) > 5);
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(corners_of_a_cube_give_six_sides),
		T(random_and_degenerate_clouds_give_exact_hulls),
		T(a_rotated_box_has_six_sides_within_a_tolerance),
		T(points_in_a_plane_are_refused),
		T(every_failing_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests_name("hull", tests, NULL, NULL);
}

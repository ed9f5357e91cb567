#include "support/oom.h"
#include "support/test.h"

#include "geom/rational.h"
#include "geom/soup.h"

#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_planes t;
	mw_arena arena;
	mw_brushes b, out;
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
	mw_brushes_free(&f->cx, &f->out);
	mw_arena_free(&f->arena);
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

/* A brush of planes given as n, d; returns its polytope. */
static mw_solid make(fix *f, const double (*p)[4], uint32_t n, mw_closure want)
{
	mw_side side[32];
	for (uint32_t i = 0; i < n; i++) {
		side[i].tag = i;
		assert_ok(&f->cx,
			mw_planes_add(&f->cx, &f->t, &side[i].plane,
				mw_v3(p[i][0], p[i][1], p[i][2]), p[i][3]));
	}
	mw_solid s;
	mw_closure how;
	assert_ok(&f->cx, mw_solid_make(&f->arena, &f->t, side, n, &s, &how));
	assert_int_equal(how, want);
	return s;
}

static const double cube[6][4] = {
	{1, 0, 0, 64}, {-1, 0, 0, 0}, {0, 1, 0, 64}, {0, -1, 0, 0}, {0, 0, 1, 64}, {0, 0, -1, 0}};

static void a_cube_has_six_squares_and_its_volume(void **state)
{
	fix *f = *state;
	mw_solid s = make(f, cube, 6, MW_CLOSED);
	assert_int_equal(s.n, 6);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(s.face[i].n, 4);
		assert_int_equal(s.face[i].tag, i);
		assert_true(mw_poly_area(&s.face[i]) == 4096);
		/* counter-clockwise seen from outside */
		const mw_corner *v = s.face[i].v;
		mw_vec3 n = mw_cross3(mw_sub3(v[1].at, v[0].at), mw_sub3(v[2].at, v[1].at));
		assert_true(mw_dot3(n, mw_planes_get(&f->t, s.face[i].plane).n) == 4096);
	}
	assert_true(mw_solid_volume(&s) == 262144 && mw_solid_area(&s) == 24576);
	mw_vec3 c = mw_solid_centre(&s);
	assert_true(fabs(c.x - 32) + fabs(c.y - 32) + fabs(c.z - 32) < 1e-9);
	assert_true(s.box.min.x == 0 && s.box.max.z == 64);
	static rat v;
	solid_volume(&f->t, &s, &v);
	assert_true(rat_is(&v, 262144, 1));
}

static void five_planes_and_two_planes_are_open(void **state)
{
	fix *f = *state;
	make(f, cube, 5, MW_OPEN);
	make(f, cube, 2, MW_OPEN);
	make(f, cube, 1, MW_OPEN);
	static const double nowhere[1][4] = {{1, 0, 0, 1e15}};
	make(f, nowhere, 1, MW_OPEN);
	mw_solid s;
	mw_closure how;
	assert_ok(&f->cx, mw_solid_make(&f->arena, &f->t, NULL, 0, &s, &how));
	assert_int_equal(how, MW_OPEN);
}

static void planes_with_nothing_behind_them_are_empty(void **state)
{
	fix *f = *state;
	double p[7][4];
	memcpy(p, cube, sizeof cube);
	memcpy(p[6], (double[4]){-1, -1, -1, -1000}, sizeof p[6]);
	make(f, (const double(*)[4])p, 7, MW_EMPTY);
	p[4][3] = 0; /* all corners at z = 0 */
	make(f, (const double(*)[4])p, 6, MW_EMPTY);
	static const double outside[1][4] = {{1, 0, 0, -1e15}};
	make(f, outside, 1, MW_EMPTY);
}

static void duplicate_redundant_and_touching_planes_give_no_face(void **state)
{
	fix *f = *state;
	double p[10][4];
	memcpy(p, cube, sizeof cube);
	memcpy(p[6], (double[4]){2, 0, 0, 128}, sizeof p[6]); /* the first again */
	memcpy(p[7], (double[4]){1, 1, 0, 128}, sizeof p[7]); /* through one edge */
	memcpy(p[8], (double[4]){1, 1, 1, 192}, sizeof p[8]); /* through one corner */
	memcpy(p[9], (double[4]){1, 0, 0, 100}, sizeof p[9]); /* outside */
	mw_solid s = make(f, (const double(*)[4])p, 10, MW_CLOSED);
	assert_int_equal(s.n, 6);
	assert_true(mw_solid_volume(&s) == 262144);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(s.face[i].n, 4);
	/* one corner cut off by a plane just inside of it */
	p[8][3] = 191;
	s = make(f, (const double(*)[4])p, 10, MW_CLOSED);
	assert_int_equal(s.n, 7);
	static rat v, want;
	solid_volume(&f->t, &s, &v);
	rat_set(&want, 262144 * 6 - 1, 6); /* a corner of side 1: 1/6 */
	assert_true(rat_eq(&v, &want));
}

static void slivers_and_micro_brushes_keep_their_exact_volume(void **state)
{
	fix *f = *state;
	double p[6][4];
	memcpy(p, cube, sizeof cube);
	p[0][3] = p[2][3] = p[4][3] = ldexp(1, -20); /* about a millionth */
	mw_solid s = make(f, (const double(*)[4])p, 6, MW_CLOSED);
	assert_true(mw_solid_volume(&s) == ldexp(1, -60));
	/* a wedge between two planes that differ by 2^-40 in slope: 0 < z < x 2^-40 */
	memcpy(p, cube, sizeof cube);
	memcpy(p[4], (double[4]){-ldexp(1, -40), 0, 1, 0}, sizeof p[4]);
	s = make(f, (const double(*)[4])p, 6, MW_CLOSED);
	assert_int_equal(s.n, 5);
	static rat v, want;
	solid_volume(&f->t, &s, &v);
	rat_set(&want, 64 * 64 * 64 / 2, INT64_C(1) << 40);
	assert_true(rat_eq(&v, &want));
}

static void a_prism_of_288_sides_closes(void **state)
{
	fix *f = *state;
	static double p[290][4];
	mw_side side[290];
	for (int i = 0; i < 288; i++) {
		double a = i * 2 * 3.14159265358979 / 288;
		memcpy(p[i], (double[4]){cos(a), sin(a), 0, 500}, sizeof p[i]);
	}
	memcpy(p[288], (double[4]){0, 0, 1, 16}, sizeof p[0]);
	memcpy(p[289], (double[4]){0, 0, -1, 0}, sizeof p[0]);
	for (uint32_t i = 0; i < 290; i++) {
		side[i].tag = i;
		assert_ok(&f->cx,
			mw_planes_add(&f->cx, &f->t, &side[i].plane,
				mw_v3(p[i][0], p[i][1], p[i][2]), p[i][3]));
	}
	mw_solid s;
	mw_closure how;
	assert_ok(&f->cx, mw_solid_make(&f->arena, &f->t, side, 290, &s, &how));
	assert_int_equal(how, MW_CLOSED);
	assert_int_equal(s.n, 290);
	assert_int_equal(s.face[288].n, 288);
	/* 288 r^2 tan(pi / 288) h */
	assert_true(
		fabs(mw_solid_volume(&s) - 288 * 250000 * tan(3.14159265358979 / 288) * 16) < .1);
}

static void a_split_conserves_volume_and_closes_both_halves(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 11, "brush");
	int cut = 0;
	for (int i = 0; i < 300; i++) {
		f->b.brush.n = f->b.side.n = 0;
		assert_ok(&f->cx, add_body(&f->cx, &f->t, &f->b, &r, (int)mw_rng_below(&r, 4)));
		mw_solid s, front, back;
		mw_closure how;
		assert_ok(&f->cx,
			mw_solid_make(
				&f->arena, &f->t, f->b.side.v, (uint32_t)f->b.side.n, &s, &how));
		if (how != MW_CLOSED)
			continue;
		mw_vec3 c = mw_solid_centre(&s);
		mw_plane_id q;
		mw_vec3 n = mw_v3((double)mw_rng_below(&r, 9) - 4, (double)mw_rng_below(&r, 9) - 4,
			(double)mw_rng_below(&r, 9) - 4);
		assert_ok(&f->cx, mw_planes_add(&f->cx, &f->t, &q, n, rint(mw_dot3(n, c))));
		if (q == MW_PLANE_NONE)
			continue;
		assert_ok(&f->cx, mw_solid_split(&f->arena, &f->t, &s, q, 77, &front, &back));
		static rat whole, a, b;
		solid_volume(&f->t, &s, &whole);
		solid_volume(&f->t, &front, &a);
		solid_volume(&f->t, &back, &b);
		rat_add(&a, &b, 1);
		assert_true(rat_eq(&whole, &a));
		cut += front.n && back.n;
		/* a half is what its planes say: rebuilt from them, it is the same */
		if (front.n) {
			mw_brushes one = {0};
			assert_ok(&f->cx, mw_solid_to_brush(&f->cx, &front, 1, 0, &one));
			mw_solid again;
			assert_ok(&f->cx,
				mw_solid_make(&f->arena, &f->t, one.side.v, (uint32_t)one.side.n,
					&again, &how));
			assert_int_equal(how, MW_CLOSED);
			assert_int_equal(again.n, front.n);
			solid_volume(&f->t, &front, &a);
			solid_volume(&f->t, &again, &b);
			assert_true(rat_eq(&a, &b));
			mw_brushes_free(&f->cx, &one);
		}
	}
	assert_true(cut > 100);
}

static void points_on_the_surface_are_not_inside(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 0, 0, 0, 1, 1, 1));
	mw_vec3 in = mw_v3(0.5, 5e-324, 0.5), on = mw_v3(0.5, 0, 0.5);
	assert_true(mw_brush_contains(&f->t, &f->b, 0, &in));
	assert_false(mw_brush_contains(&f->t, &f->b, 0, &on));
}

static void quarter_turns_mirrors_and_moves_stay_exact(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 1, 2, 3, 4, 6, 8));
	mw_mat turn = {{{0, 0, 1, 0.5}, {0, 1, 0, 0.25}, {-1, 0, 0, 100}}};
	assert_ok(&f->cx, mw_brushes_transform(&f->cx, &f->t, &f->b, &turn, &f->out));
	mw_mat mirror = {{{-1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 1, 0}}};
	assert_ok(&f->cx, mw_brushes_transform(&f->cx, &f->t, &f->b, &mirror, &f->out));
	mw_solid s[2];
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, &f->out, s, NULL));
	assert_true(mw_solid_volume(&s[0]) == 60 && mw_solid_volume(&s[1]) == 120);
	assert_true(mw_eq3(s[0].box.min, mw_v3(3.5, 2.25, 96)));
	assert_true(mw_eq3(s[0].box.max, mw_v3(8.5, 6.25, 99)));
	assert_true(mw_eq3(s[1].box.min, mw_v3(-4, 4, 3)));
	assert_true(mw_eq3(s[1].box.max, mw_v3(-1, 12, 8)));
	assert_int_equal(s[1].face[0].tag, 0);
	mw_mat flat = {{{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}};
	assert_fails(&f->cx, mw_brushes_transform(&f->cx, &f->t, &f->b, &flat, &f->out),
		MW_EINVALID, "flattens");
}

static void bevels_touch_the_solid_and_cut_nothing_off(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 12, "brush");
	for (int i = 0; i < 120; i++) {
		f->b.brush.n = f->b.side.n = f->out.brush.n = f->out.side.n = 0;
		assert_ok(&f->cx, add_body(&f->cx, &f->t, &f->b, &r, i % 6));
		mw_solid s, with;
		mw_closure how;
		assert_ok(&f->cx,
			mw_solid_make(
				&f->arena, &f->t, f->b.side.v, (uint32_t)f->b.side.n, &s, &how));
		if (how != MW_CLOSED)
			continue;
		assert_ok(&f->cx, mw_solid_bevel(&f->cx, &f->t, &s, MW_BEVEL_EDGE, 1, 0, &f->out));
		assert_true(f->out.side.n >= s.n);
		assert_ok(&f->cx,
			mw_solid_make(&f->arena, &f->t, f->out.side.v, (uint32_t)f->out.side.n,
				&with, &how));
		assert_int_equal(how, MW_CLOSED);
		double v = mw_solid_volume(&s);
		assert_true(fabs(mw_solid_volume(&with) - v) <= 1e-12 * v);
		for (size_t k = 0; k < f->out.side.n; k++)
			assert_false(mw_solid_side(&f->t, &s, f->out.side.v[k].plane) & 1);
	}
	/* a tetrahedron: 4 faces, 6 axial planes less the 3 that are faces */
	static const double tetra[4][4] = {
		{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {1, 1, 1, 8}};
	mw_solid s = make(f, tetra, 4, MW_CLOSED);
	f->out.brush.n = f->out.side.n = 0;
	assert_ok(&f->cx, mw_solid_bevel(&f->cx, &f->t, &s, MW_BEVEL_AXIAL, 1, 0, &f->out));
	assert_int_equal(f->out.side.n, 7);
}

static void brushes_are_bevelled_in_their_order_and_open_ones_stay(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_solid s[3];
	mw_side side[4];
	mw_rng_init(&r, 13, "brush");
	assert_ok(&f->cx, add_body(&f->cx, &f->t, &f->b, &r, 4));
	memcpy(side, f->b.side.v, sizeof side);
	assert_ok(&f->cx, mw_brushes_add(&f->cx, &f->b, side, 4, 8, 77)); /* open */
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 0, 0, 0, 8, 8, 8));
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, &f->b, s, NULL));
	assert_ok(&f->cx, mw_brushes_bevel(&f->cx, &f->t, &f->b, s, MW_BEVEL_EDGE, &f->out));
	assert_int_equal(f->out.brush.n, 3);
	/* a block turned about z: four sides of its box more; its edges along z and in the plane
	 * of x and y give no others */
	static const uint32_t count[] = {10, 4, 6}, contents[] = {1, 8, 1}, tag[] = {0, 77, 2};
	for (int i = 0; i < 3; i++) {
		assert_int_equal(f->out.brush.v[i].count, count[i]);
		assert_int_equal(f->out.brush.v[i].contents, contents[i]);
		assert_int_equal(f->out.brush.v[i].tag, tag[i]);
	}
}

static void polygons_split_and_join_back_to_the_same_corners(void **state)
{
	fix *f = *state;
	mw_solid s = make(f, cube, 6, MW_CLOSED);
	mw_plane_id q;
	assert_ok(&f->cx, mw_planes_add(&f->cx, &f->t, &q, mw_v3(3, 1, 0), 100));
	mw_poly front, back, both;
	bool joined;
	const mw_poly *top = &s.face[4];
	assert_ok(&f->cx, mw_poly_split(&f->arena, &f->t, top, q, &front, &back));
	assert_int_equal(front.n, 4);
	assert_int_equal(back.n, 4);
	assert_true(fabs(mw_poly_area(&front) + mw_poly_area(&back) - 4096) < 1e-9);
	assert_ok(&f->cx, mw_poly_join(&f->arena, &f->t, &front, &back, &both, &joined));
	assert_true(joined);
	assert_int_equal(both.n, 4);
	assert_true(mw_poly_area(&both) == 4096);
	/* an L does not join */
	mw_plane_id half;
	mw_poly quarter;
	assert_ok(&f->cx, mw_planes_add(&f->cx, &f->t, &half, mw_v3(0, 1, 0), 32));
	assert_ok(&f->cx, mw_poly_split(&f->arena, &f->t, &back, half, NULL, &quarter));
	assert_ok(&f->cx, mw_poly_join(&f->arena, &f->t, &front, &quarter, &both, &joined));
	assert_false(joined);
	mw_vec3 c = mw_poly_centre(top);
	assert_true(mw_eq3(c, mw_v3(32, 32, 64)));
}

static mw_code all_of_it(mw_ctx *cx, void *ud)
{
	MW_UNUSED(ud);
	mw_planes t = {0};
	mw_brushes b = {0}, out = {0};
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	mw_solid s[3];
	mw_mat m = {{{0, 1, 0, 1}, {-1, 0, 0, 2}, {0, 0.5, 1, 3}}};
	mw_rng r;
	mw_rng_init(&r, 3, "oom");
	mw_code rc = mw_planes_init(cx, &t);
	for (int i = 0; !rc && i < 3; i++)
		rc = add_body(cx, &t, &b, &r, i * 2);
	rc = rc ? rc : mw_solids_make(&arena, &t, &b, s, NULL);
	rc = rc ? rc : mw_solid_bevel(cx, &t, &s[2], MW_BEVEL_EDGE, 1, 0, &out);
	rc = rc ? rc : mw_brushes_transform(cx, &t, &b, &m, &out);
	rc = rc ? rc : mw_solid_split(&arena, &t, &s[0], s[2].face[0].plane, 0, &s[1], &s[2]);
	mw_brushes_free(cx, &b);
	mw_brushes_free(cx, &out);
	mw_arena_free(&arena);
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
		T(a_cube_has_six_squares_and_its_volume),
		T(five_planes_and_two_planes_are_open),
		T(planes_with_nothing_behind_them_are_empty),
		T(duplicate_redundant_and_touching_planes_give_no_face),
		T(slivers_and_micro_brushes_keep_their_exact_volume),
		T(a_prism_of_288_sides_closes),
		T(a_split_conserves_volume_and_closes_both_halves),
		T(points_on_the_surface_are_not_inside),
		T(quarter_turns_mirrors_and_moves_stay_exact),
		T(bevels_touch_the_solid_and_cut_nothing_off),
		T(brushes_are_bevelled_in_their_order_and_open_ones_stay),
		T(polygons_split_and_join_back_to_the_same_corners),
		T(every_failing_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests_name("brush", tests, NULL, NULL);
}

#include "support/oom.h"
#include "support/test.h"

#include "geom/rational.h"
#include "geom/soup.h"

#include "geom/csg.h"

#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_planes t;
	mw_arena arena;
	mw_brushes a, b, out;
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
	mw_brushes_free(&f->cx, &f->a);
	mw_brushes_free(&f->cx, &f->b);
	mw_brushes_free(&f->cx, &f->out);
	mw_arena_free(&f->arena);
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

static void clear(mw_brushes *b)
{
	b->brush.n = b->side.n = 0;
}

static void box(
	fix *f, mw_brushes *b, double x0, double y0, double z0, double x1, double y1, double z1)
{
	assert_ok(&f->cx, add_box(&f->cx, &f->t, b, x0, y0, z0, x1, y1, z1));
}

static void volume_is(fix *f, const mw_brushes *b, int64_t want)
{
	static rat v;
	assert_ok(&f->cx, list_volume(&f->cx, &f->t, b, &v));
	assert_true(rat_is(&v, want, 1));
}

static bool in_any(const mw_planes *t, const mw_brushes *b, const mw_vec3 *p)
{
	for (uint32_t i = 0; i < b->brush.n; i++)
		if (mw_brush_contains(t, b, i, p))
			return true;
	return false;
}

/* No two pieces share an inside. */
static void pieces_do_not_overlap(fix *f, const mw_brushes *b)
{
	mw_solid *s = mw_arena_alloc(&f->arena, (b->brush.n + 1) * sizeof *s);
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, b, s, NULL));
	for (uint32_t i = 0; i < b->brush.n; i++)
		for (uint32_t k = i + 1; k < b->brush.n; k++) {
			mw_solid x = s[i];
			for (uint32_t q = 0; q < s[k].n && x.n; q++) {
				mw_solid back;
				assert_ok(&f->cx,
					mw_solid_split(&f->arena, &f->t, &x, s[k].face[q].plane, 0,
						NULL, &back));
				x = back;
			}
			assert_int_equal(x.n, 0);
		}
}

static void cutting_a_corner_leaves_three_pieces(void **state)
{
	fix *f = *state;
	box(f, &f->a, 0, 0, 0, 64, 64, 64);
	box(f, &f->b, 32, 32, 32, 96, 96, 96);
	assert_ok(&f->cx, mw_csg_subtract(&f->cx, &f->t, &f->a, &f->b, &f->out));
	assert_int_equal(f->out.brush.n, 3);
	volume_is(f, &f->out, 229376);
	pieces_do_not_overlap(f, &f->out);
	clear(&f->out);
	assert_ok(&f->cx, mw_csg_intersect(&f->cx, &f->t, &f->a, &f->b, &f->out));
	assert_int_equal(f->out.brush.n, 1);
	volume_is(f, &f->out, 32768);
	clear(&f->out);
	assert_ok(&f->cx, mw_csg_union(&f->cx, &f->t, &f->a, &f->b, &f->out));
	volume_is(f, &f->out, 2 * 262144 - 32768);
	pieces_do_not_overlap(f, &f->out);
}

static void subtracting_what_is_apart_or_only_touches_changes_nothing(void **state)
{
	fix *f = *state;
	box(f, &f->a, 0, 0, 0, 64, 64, 64);
	/* a redundant side, to see that the brush comes out as it went in */
	mw_side side[7];
	memcpy(side, f->a.side.v, 6 * sizeof *side);
	side[6].tag = 99;
	assert_ok(&f->cx, mw_planes_add(&f->cx, &f->t, &side[6].plane, mw_v3(1, 1, 0), 500));
	clear(&f->a);
	assert_ok(&f->cx, mw_brushes_add(&f->cx, &f->a, side, 7, 5, 42));
	box(f, &f->b, 64, 0, 0, 128, 64, 64);   /* face to face */
	box(f, &f->b, 64, 64, 0, 128, 128, 64); /* along an edge */
	box(f, &f->b, -64, -64, -64, 0, 0, 0);  /* at a corner */
	box(f, &f->b, 300, 0, 0, 400, 64, 64);  /* apart */
	assert_ok(&f->cx, mw_csg_subtract(&f->cx, &f->t, &f->a, &f->b, &f->out));
	assert_int_equal(f->out.brush.n, 1);
	assert_int_equal(f->out.side.n, 7);
	assert_memory_equal(f->out.side.v, side, sizeof side);
	assert_int_equal(f->out.brush.v[0].contents, 5);
	assert_int_equal(f->out.brush.v[0].tag, 42);
}

static void a_notch_leaves_three_pieces_and_a_hole_four(void **state)
{
	fix *f = *state;
	box(f, &f->a, 0, 0, 0, 192, 32, 96);
	box(f, &f->b, 64, -8, 48, 128, 40, 104);
	assert_ok(&f->cx, mw_csg_subtract(&f->cx, &f->t, &f->a, &f->b, &f->out));
	assert_int_equal(f->out.brush.n, 3);
	volume_is(f, &f->out, 192 * 32 * 96 - 64 * 32 * 48);
	clear(&f->b);
	clear(&f->out);
	box(f, &f->b, 64, -8, 16, 128, 40, 64);
	assert_ok(&f->cx, mw_csg_subtract(&f->cx, &f->t, &f->a, &f->b, &f->out));
	assert_int_equal(f->out.brush.n, 4);
	volume_is(f, &f->out, 192 * 32 * 96 - 64 * 32 * 48);
	/* the faces of the hole carry the cutter's tags (0..5), the others the wall's */
	for (size_t i = 0; i < f->out.side.n; i++)
		assert_true(f->out.side.v[i].tag < 6);
}

static void a_brush_inside_the_cutter_vanishes(void **state)
{
	fix *f = *state;
	box(f, &f->a, 0, 0, 0, 64, 64, 64);
	box(f, &f->b, -1, -1, -1, 65, 65, 65);
	assert_ok(&f->cx, mw_csg_subtract(&f->cx, &f->t, &f->a, &f->b, &f->out));
	assert_int_equal(f->out.brush.n, 0);
	assert_ok(&f->cx, mw_csg_subtract(&f->cx, &f->t, &f->a, &f->a, &f->out));
	assert_int_equal(f->out.brush.n, 0);
	assert_ok(&f->cx, mw_csg_union(&f->cx, &f->t, &f->a, &f->a, &f->out));
	assert_int_equal(f->out.brush.n, 1);
}

static void soup(fix *f, mw_brushes *b, mw_rng *r, int n, int kinds)
{
	for (int i = 0; i < n; i++)
		assert_ok(&f->cx,
			add_body(&f->cx, &f->t, b, r, (int)mw_rng_below(r, (uint64_t)kinds)));
}

static void clipping_keeps_the_asked_side(void **state)
{
	fix *f = *state;
	box(f, &f->a, 0, 0, 0, 8, 8, 8);
	box(f, &f->a, 20, 0, 0, 28, 8, 8);
	mw_plane_id q;
	assert_ok(&f->cx, mw_planes_add(&f->cx, &f->t, &q, mw_v3(1, 0, 0), 2));
	assert_ok(&f->cx, mw_csg_clip(&f->cx, &f->t, &f->a, q, -1, 7, &f->out));
	assert_int_equal(f->out.brush.n, 1);
	volume_is(f, &f->out, 128);
	clear(&f->out);
	assert_ok(&f->cx, mw_csg_clip(&f->cx, &f->t, &f->a, q, 1, 7, &f->out));
	assert_int_equal(f->out.brush.n, 2);
	volume_is(f, &f->out, 6 * 64 + 512);
	clear(&f->out);
	assert_ok(&f->cx, mw_csg_clip(&f->cx, &f->t, &f->a, q, 0, 7, &f->out));
	assert_int_equal(f->out.brush.n, 3);
	volume_is(f, &f->out, 1024);
}

static void hollowing_leaves_walls_of_the_asked_thickness(void **state)
{
	fix *f = *state;
	box(f, &f->a, 0, 0, 0, 64, 64, 64);
	box(f, &f->a, 100, 0, 0, 104, 64, 64); /* too thin: stays whole */
	assert_ok(&f->cx, mw_csg_hollow(&f->cx, &f->t, &f->a, 4, &f->out));
	assert_int_equal(f->out.brush.n, 7);
	volume_is(f, &f->out, 64 * 64 * 64 - 56 * 56 * 56 + 4 * 64 * 64);
	pieces_do_not_overlap(f, &f->out);
	assert_fails(&f->cx, mw_csg_hollow(&f->cx, &f->t, &f->a, 0, &f->out), MW_ERANGE, "above 0");
}

static void merging_joins_what_is_convex_together_and_only_that(void **state)
{
	fix *f = *state;
	/* a box cut in eight comes together again */
	for (int i = 0; i < 8; i++) {
		double x = i & 1 ? 8 : 0, y = i & 2 ? 8 : 0, z = i & 4 ? 8 : 0;
		box(f, &f->a, x, y, z, x + 8, y + 8, z + 8);
	}
	for (size_t i = 0; i < f->a.side.n; i++)
		f->a.side.v[i].tag = (uint32_t)i % 6;
	for (size_t i = 0; i < f->a.brush.n; i++)
		f->a.brush.v[i].tag = 3;
	assert_ok(&f->cx, mw_csg_merge(&f->cx, &f->t, &f->a, &f->out));
	assert_int_equal(f->out.brush.n, 1);
	assert_int_equal(f->out.side.n, 6);
	volume_is(f, &f->out, 4096);
	/* other texture on one side, an L, a gap of one unit in the last place: left alone */
	f->a.side.v[2].tag = 50;
	f->a.brush.n = 2;
	clear(&f->out);
	assert_ok(&f->cx, mw_csg_merge(&f->cx, &f->t, &f->a, &f->out));
	assert_int_equal(f->out.brush.n, 2);
	clear(&f->a);
	clear(&f->out);
	box(f, &f->a, 0, 0, 0, 8, 8, 8);
	box(f, &f->a, 8, 0, 0, 16, 9, 8);
	box(f, &f->a, nextafter(16, 17), 0, 0, 24, 9, 8);
	for (size_t i = 0; i < f->a.side.n; i++)
		f->a.side.v[i].tag = 0;
	for (size_t i = 0; i < f->a.brush.n; i++)
		f->a.brush.v[i].tag = 0;
	assert_ok(&f->cx, mw_csg_merge(&f->cx, &f->t, &f->a, &f->out));
	assert_int_equal(f->out.brush.n, 3);
}

static void merging_conserves_volume_exactly(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 23, "csg");
	size_t before = 0, after = 0;
	for (int round = 0; round < 20; round++) {
		mw_brushes cut = {0}, merged = {0};
		clear(&f->a);
		clear(&f->b);
		soup(f, &f->a, &r, 2, 2);
		soup(f, &f->b, &r, 4, 2);
		for (size_t i = 0; i < f->a.side.n; i++)
			f->a.side.v[i].tag = 0;
		for (size_t i = 0; i < f->b.side.n; i++)
			f->b.side.v[i].tag = 0;
		for (size_t i = 0; i < f->a.brush.n; i++)
			f->a.brush.v[i].tag = 0;
		assert_ok(&f->cx, mw_csg_subtract(&f->cx, &f->t, &f->a, &f->b, &cut));
		assert_ok(&f->cx, mw_csg_merge(&f->cx, &f->t, &cut, &merged));
		static rat v, w;
		assert_ok(&f->cx, list_volume(&f->cx, &f->t, &cut, &v));
		assert_ok(&f->cx, list_volume(&f->cx, &f->t, &merged, &w));
		assert_true(rat_eq(&v, &w));
		before += cut.brush.n;
		after += merged.brush.n;
		mw_brushes_free(&f->cx, &cut);
		mw_brushes_free(&f->cx, &merged);
	}
	assert_true(after < before);
}

/* ---- visible faces --------------------------------------------------------------------------- */

static double visible_area(fix *f, const mw_brushes *b, mw_faces *faces)
{
	mw_solid *s = mw_arena_alloc(&f->arena, (b->brush.n + 1) * sizeof *s);
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, b, s, NULL));
	faces->n = 0;
	assert_ok(&f->cx, mw_csg_faces(&f->cx, &f->arena, &f->t, b, s, NULL, faces));
	double sum = 0;
	for (size_t i = 0; i < faces->n; i++)
		sum += mw_poly_area(&faces->v[i].poly);
	return sum;
}

static void two_boxes_side_by_side_hide_the_faces_between_them(void **state)
{
	fix *f = *state;
	mw_faces faces = {0};
	box(f, &f->a, 0, 0, 0, 8, 8, 8);
	box(f, &f->a, 8, 0, 0, 16, 8, 8);
	assert_true(visible_area(f, &f->a, &faces) == 2 * 6 * 64 - 2 * 64);
	assert_int_equal(faces.n, 10);
	/* a smaller neighbour leaves a frame */
	clear(&f->a);
	box(f, &f->a, 0, 0, 0, 8, 8, 8);
	box(f, &f->a, 8, 2, 2, 10, 6, 6);
	assert_true(visible_area(f, &f->a, &faces) == 384 - 16 + 16 + 4 * 8);
	assert_int_equal(faces.n, 5 + 4 + 5);
	mw_free(&f->cx, faces.v);
}

static void a_floor_under_many_things_shows_all_but_their_footprints(void **state)
{
	enum { SIDE = 20 };
	fix *f = *state;
	mw_faces faces = {0};
	const double w = 32 * SIDE, things = SIDE * SIDE;
	box(f, &f->a, 0, 0, -8, w, w, 0);
	/* by sevens, so that neighbours are not one after the other; 7 and 400 share no divisor */
	for (int i = 0; i < SIDE * SIDE; i++) {
		int k = 7 * i % (SIDE * SIDE);
		double x = k % SIDE * 32 + 8, y = (double)(k / SIDE) * 32 + 8;
		box(f, &f->a, x, y, 0, x + 16, y + 16, 4);
	}
	double want = w * w + 4 * w * 8;         /* the floor from below and around */
	want += w * w - things * 16 * 16;        /* from above */
	want += things * (16 * 16 + 4 * 16 * 4); /* the things, but for their feet */
	assert_true(visible_area(f, &f->a, &faces) == want);
	mw_free(&f->cx, faces.v);
}

static void of_faces_that_coincide_one_stays(void **state)
{
	fix *f = *state;
	mw_faces faces = {0};
	box(f, &f->a, 0, 0, 0, 8, 8, 8);
	box(f, &f->a, 4, 0, 0, 12, 8, 8); /* overlaps; four faces are coplanar */
	assert_true(visible_area(f, &f->a, &faces) == 2 * 64 + 4 * 12 * 8);
	/* the earlier brush keeps its four long faces and its end; the later has its rest */
	assert_int_equal(faces.n, 5 + 5);
	clear(&f->a);
	box(f, &f->a, 0, 0, 0, 8, 8, 8);
	box(f, &f->a, 0, 0, 0, 8, 8, 8);
	assert_true(visible_area(f, &f->a, &faces) == 384);
	for (size_t i = 0; i < faces.n; i++)
		assert_int_equal(faces.v[i].brush, 0);
	mw_free(&f->cx, faces.v);
}

static void stronger_contents_hide_weaker_and_clips_hide_nothing(void **state)
{
	fix *f = *state;
	mw_faces faces = {0};
	box(f, &f->a, 0, 0, 0, 8, 8, 8);
	box(f, &f->a, 4, 0, 0, 12, 8, 8);
	f->a.brush.v[0].contents = MW_CONTENTS_WATER;
	/* water loses what is inside the solid or on its faces; the solid keeps all */
	assert_true(visible_area(f, &f->a, &faces) == 384 + 64 + 4 * 4 * 8);
	f->a.brush.v[0].contents = MW_CONTENTS_CLIP;
	f->a.brush.v[1].contents = MW_CONTENTS_TRIGGER;
	assert_true(visible_area(f, &f->a, &faces) == 768);
	assert_int_equal(mw_rank_of(MW_CONTENTS_SOLID | MW_CONTENTS_WATER), 2);
	/* what has no contents is drawn: seen through water, hidden in walls */
	f->a.brush.v[0].contents = MW_CONTENTS_WATER;
	f->a.brush.v[1].contents = 0;
	assert_true(visible_area(f, &f->a, &faces) == 768);
	f->a.brush.v[0].contents = MW_CONTENTS_SOLID;
	assert_true(visible_area(f, &f->a, &faces) == 384 + 64 + 4 * 4 * 8);
	/* water hides water */
	f->a.brush.v[0].contents = f->a.brush.v[1].contents = MW_CONTENTS_WATER;
	assert_true(visible_area(f, &f->a, &faces) == 2 * 64 + 4 * 12 * 8);
	mw_free(&f->cx, faces.v);
}

/* Just outside a point of a visible piece nothing is solid; just inside something is. Just outside
 * a point of a hidden part something is solid, or the face coincides with another. */
static void visible_pieces_are_exactly_the_boundary_of_the_union(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 24, "csg");
	mw_faces faces = {0};
	for (int round = 0; round < 10; round++) {
		clear(&f->a);
		soup(f, &f->a, &r, 12, 2);
		visible_area(f, &f->a, &faces);
		for (size_t i = 0; i < faces.n; i++) {
			const mw_poly *p = &faces.v[i].poly;
			mw_vec3 c = mw_poly_centre(p), n = mw_planes_get(&f->t, p->plane).n;
			if (mw_poly_area(p) < 1e-3)
				continue;
			mw_vec3 out = mw_along3(c, n, 1e-7), in = mw_along3(c, n, -1e-7);
			assert_false(in_any(&f->t, &f->a, &out));
			assert_true(in_any(&f->t, &f->a, &in));
		}
		/* the signed volume under the visible boundary is the volume of the union */
		double sum = 0, want;
		for (size_t i = 0; i < faces.n; i++) {
			const mw_poly *p = &faces.v[i].poly;
			for (uint32_t k = 2; k < p->n; k++)
				sum += mw_dot3(p->v[0].at, mw_cross3(p->v[k - 1].at, p->v[k].at));
		}
		assert_ok(&f->cx, mw_csg_volume(&f->cx, &f->t, &f->a, &want));
		assert_true(fabs(sum / 6 - want) < 1e-5);
	}
	mw_free(&f->cx, faces.v);
}

static mw_code all_of_it(mw_ctx *cx, void *ud)
{
	MW_UNUSED(ud);
	mw_planes t = {0};
	mw_brushes a = {0}, b = {0}, out = {0};
	mw_arena arena = {0};
	mw_faces faces = {0};
	mw_arena_init(&arena, cx);
	mw_solid s[8];
	mw_rng r;
	mw_rng_init(&r, 5, "oom");
	double v;
	mw_code rc = mw_planes_init(cx, &t);
	for (int i = 0; !rc && i < 4; i++)
		rc = add_body(cx, &t, i & 1 ? &a : &b, &r, i & 2);
	rc = rc ? rc : add_box(cx, &t, &a, -60, -60, -60, 60, 60, 60);
	rc = rc ? rc : mw_csg_subtract(cx, &t, &a, &b, &out);
	rc = rc ? rc : mw_csg_intersect(cx, &t, &a, &b, &out);
	rc = rc ? rc : mw_csg_union(cx, &t, &a, &b, &out);
	rc = rc ? rc : mw_csg_hollow(cx, &t, &b, 1, &out);
	mw_brushes_free(cx, &b);
	rc = rc ? rc : mw_csg_merge(cx, &t, &out, &b);
	rc = rc ? rc : mw_csg_volume(cx, &t, &a, &v);
	rc = rc ? rc : mw_solids_make(&arena, &t, &a, s, NULL);
	rc = rc ? rc : mw_csg_faces(cx, &arena, &t, &a, s, NULL, &faces);
	mw_free(cx, faces.v);
	mw_brushes_free(cx, &a);
	mw_brushes_free(cx, &b);
	mw_brushes_free(cx, &out);
	mw_arena_free(&arena);
	mw_planes_free(cx, &t);
	return rc;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(all_of_it, NULL) > 20);
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(cutting_a_corner_leaves_three_pieces),
		T(subtracting_what_is_apart_or_only_touches_changes_nothing),
		T(a_notch_leaves_three_pieces_and_a_hole_four),
		T(a_brush_inside_the_cutter_vanishes),
		T(clipping_keeps_the_asked_side),
		T(hollowing_leaves_walls_of_the_asked_thickness),
		T(merging_joins_what_is_convex_together_and_only_that),
		T(merging_conserves_volume_exactly),
		T(two_boxes_side_by_side_hide_the_faces_between_them),
		T(a_floor_under_many_things_shows_all_but_their_footprints),
		T(of_faces_that_coincide_one_stays),
		T(stronger_contents_hide_weaker_and_clips_hide_nothing),
		T(visible_pieces_are_exactly_the_boundary_of_the_union),
		T(every_failing_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests_name("csg", tests, NULL, NULL);
}

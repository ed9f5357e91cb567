#include "support/oom.h"
#include "support/test.h"

#include "geom/soup.h"

#include "geom/mesh.h"

#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_planes t;
	mw_arena arena;
	mw_brushes b;
	mw_mesh m;
	mw_mesh_indices tri;
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
	mw_mesh_free(&f->cx, &f->m);
	mw_free(&f->cx, f->tri.v);
	mw_arena_free(&f->arena);
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

static void poly(fix *f, const double (*p)[3], uint32_t n, uint32_t smooth)
{
	mw_vec3 v[16];
	for (uint32_t i = 0; i < n; i++)
		v[i] = mw_v3(p[i][0], p[i][1], p[i][2]);
	assert_ok(&f->cx, mw_mesh_add(&f->cx, &f->m, v, NULL, n, 0, smooth));
}

static uint32_t open_edges(fix *f)
{
	uint32_t n;
	assert_ok(&f->cx, mw_mesh_open_edges(&f->cx, &f->m, &n));
	return n;
}

/* Union of the brushes as a welded, repaired mesh. */
static void from_brushes(fix *f, double tolerance)
{
	mw_faces faces = {0};
	mw_solid *s = mw_arena_alloc(&f->arena, (f->b.brush.n + 1) * sizeof *s);
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, &f->b, s, NULL));
	assert_ok(&f->cx, mw_csg_faces(&f->cx, &f->arena, &f->t, &f->b, s, NULL, &faces));
	mw_mesh_free(&f->cx, &f->m);
	assert_ok(&f->cx, mw_mesh_add_faces(&f->cx, &f->m, &f->t, faces.v, faces.n));
	assert_ok(&f->cx, mw_mesh_weld(&f->cx, &f->m, tolerance));
	assert_ok(&f->cx, mw_mesh_fix_tjunctions(&f->cx, &f->m, tolerance, NULL));
	mw_free(&f->cx, faces.v);
}

static double triangles_area(fix *f, uint32_t *count)
{
	double sum = 0;
	f->tri.n = 0;
	for (uint32_t i = 0; i < f->m.poly.n; i++)
		assert_ok(&f->cx, mw_mesh_triangles(&f->cx, &f->m, i, &f->tri));
	for (size_t i = 0; i < f->tri.n; i += 3) {
		mw_vec3 p[3];
		for (int k = 0; k < 3; k++)
			p[k] = f->m.vertex.v[f->m.corner.v[f->tri.v[i + (size_t)k]].vertex];
		double a = mw_len3(mw_cross3(mw_sub3(p[1], p[0]), mw_sub3(p[2], p[0]))) / 2;
		assert_true(a > 0);
		sum += a;
	}
	*count = (uint32_t)(f->tri.n / 3);
	return sum;
}

static void a_box_welds_to_eight_corners_and_is_closed(void **state)
{
	fix *f = *state;
	uint32_t n;
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 0, 0, 0, 8, 8, 8));
	from_brushes(f, 0);
	assert_int_equal(f->m.vertex.n, 8);
	assert_int_equal(f->m.poly.n, 6);
	assert_int_equal(open_edges(f), 0);
	assert_true(triangles_area(f, &n) == 384);
	assert_int_equal(n, 12);
	mw_aabb b = mw_mesh_bounds(&f->m);
	assert_true(mw_eq3(b.min, mw_v3(0, 0, 0)) && mw_eq3(b.max, mw_v3(8, 8, 8)));
	f->m.poly.n--;
	assert_int_equal(open_edges(f), 4);
}

static void welding_is_by_distance_and_does_not_drift(void **state)
{
	fix *f = *state;
	static const double a[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
	static const double b[3][3] = {{0.009, 0, 0}, {0, 1.02, 0}, {1, 0.005, 0}};
	static const double c[3][3] = {{0.018, 0, 0}, {5, 0, 0}, {5, 5, 0}};
	static const double sliver[3][3] = {{0, 0, 0}, {0.004, 0, 0}, {5, 5, 0}};
	poly(f, a, 3, 0);
	poly(f, b, 3, 0);
	poly(f, c, 3, 0);
	poly(f, sliver, 3, 0);
	assert_ok(&f->cx, mw_mesh_weld(&f->cx, &f->m, 0.01));
	/* 0.009 joins 0; 0.018 is near 0.009 but not near 0, which stands for it: stays apart */
	assert_int_equal(f->m.poly.n, 3); /* the sliver has lost a corner */
	assert_int_equal(f->m.vertex.n, 3 + 1 + 3);
	assert_int_equal(f->m.corner.v[3].vertex, f->m.corner.v[0].vertex);
	assert_int_equal(f->m.corner.v[5].vertex, f->m.corner.v[1].vertex);
	assert_true(f->m.vertex.v[f->m.corner.v[6].vertex].x == 0.018);
	assert_fails(&f->cx, mw_mesh_weld(&f->cx, &f->m, -1), MW_ERANGE, "tolerance");
}

static void a_tjunction_is_put_into_the_long_edge(void **state)
{
	fix *f = *state;
	static const double big[4][3] = {{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}};
	static const double low[4][3] = {{8, 0, 0}, {16, 0, 0}, {16, 3, 0}, {8, 3, 0}};
	static const double high[4][3] = {{8, 3, 0}, {16, 3, 0}, {16, 8, 0}, {8, 8, 0}};
	uint32_t added, n;
	poly(f, big, 4, 0);
	poly(f, low, 4, 0);
	poly(f, high, 4, 0);
	for (int i = 0; i < 4; i++)
		f->m.corner.v[i].uv = mw_v2(big[i][0] / 8, big[i][1] / 8);
	assert_ok(&f->cx, mw_mesh_weld(&f->cx, &f->m, 0));
	uint32_t before = open_edges(f);
	assert_ok(&f->cx, mw_mesh_fix_tjunctions(&f->cx, &f->m, 1e-6, &added));
	assert_int_equal(added, 1);
	assert_true(open_edges(f) < before);
	assert_int_equal(f->m.poly.v[0].count, 5);
	mw_mesh_corner c = f->m.corner.v[f->m.poly.v[0].first + 2];
	assert_true(c.uv.x == 1 && c.uv.y == 3.0 / 8);
	/* the middle corner gives no triangle without area, and stays a corner of some */
	assert_true(triangles_area(f, &n) == 128);
	assert_int_equal(n, 3 + 2 + 2);
}

/* Polygons and their triangles leave no edge without a partner. */
static void assert_watertight(fix *f)
{
	mw_mesh tri = {0};
	uint32_t open;
	assert_int_equal(open_edges(f), 0);
	f->tri.n = 0;
	for (uint32_t i = 0; i < f->m.poly.n; i++)
		assert_ok(&f->cx, mw_mesh_triangles(&f->cx, &f->m, i, &f->tri));
	for (size_t i = 0; i < f->m.vertex.n; i++)
		assert_true(MW_PUSH(&f->cx, &tri.vertex, f->m.vertex.v[i]));
	for (size_t i = 0; i < f->tri.n; i += 3) {
		uint32_t v[3];
		for (size_t k = 0; k < 3; k++)
			v[k] = f->m.corner.v[f->tri.v[i + k]].vertex;
		assert_ok(&f->cx, mw_mesh_add_indexed(&f->cx, &tri, v, NULL, 3, 0, 0));
	}
	assert_ok(&f->cx, mw_mesh_open_edges(&f->cx, &tri, &open));
	mw_mesh_free(&f->cx, &tri);
	assert_int_equal(open, 0);
}

static void sealed_rooms_and_soups_come_out_watertight(void **state)
{
	fix *f = *state;
	mw_rng r;
	uint32_t n;
	mw_rng_init(&r, 61, "mesh");
	/* a room of six walls with a doorway-like box poking through one of them */
	for (int w = 0; w < 6; w++) {
		double lo[3] = {0, 0, 0}, hi[3] = {256, 192, 128};
		if (w & 1)
			lo[w / 2] = hi[w / 2] - 16;
		else
			hi[w / 2] = 16;
		assert_ok(&f->cx,
			add_box(&f->cx, &f->t, &f->b, lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]));
	}
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 100, 50, 8, 120, 70, 100));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 8, 60, 20, 30, 90, 60));
	from_brushes(f, 1e-6);
	assert_int_equal(open_edges(f), 0);
	assert_true(triangles_area(f, &n) > 0);
	for (int round = 0; round < 40; round++) {
		f->b.brush.n = f->b.side.n = 0;
		for (int i = 0; i < 14; i++)
			assert_ok(
				&f->cx, add_body(&f->cx, &f->t, &f->b, &r, round & 1 ? i % 3 : 4));
		from_brushes(f, 1e-6);
		assert_watertight(f);
	}
}

static void a_sliver_that_is_pressed_together_leaves_no_hole(void **state)
{
	fix *f = *state;
	/* a tetrahedron whose corner m is a hair off the edge from a to b: of its four faces a m b
	 * falls together, and a b c gets m where its edge was */
	static const double a[3] = {0, 0, 0}, b[3] = {8, 0, 0}, c[3] = {0, 8, 0};
	static const double m[3] = {4, -0.001, -0.001};
	const double *face[4][3] = {{a, b, c}, {a, m, b}, {b, m, c}, {c, m, a}};
	uint32_t n;
	for (int i = 0; i < 4; i++) {
		double p[3][3];
		for (int k = 0; k < 3; k++)
			memcpy(p[k], face[i][k], sizeof p[k]);
		poly(f, (const double(*)[3])p, 3, 0);
	}
	assert_ok(&f->cx, mw_mesh_weld(&f->cx, &f->m, 0.01));
	assert_int_equal(open_edges(f), 0);
	assert_ok(&f->cx, mw_mesh_fix_tjunctions(&f->cx, &f->m, 0.01, NULL));
	assert_int_equal(f->m.poly.n, 3);
	assert_int_equal(f->m.poly.v[0].count, 4);
	assert_watertight(f);
	/* a b c is cut from m: 32; b m c and c m a lie upon it from below */
	assert_true(fabs(triangles_area(f, &n) - 64) < 0.05);
	assert_int_equal(n, 4);
}

static void what_is_closed_stays_closed_however_coarse_the_welding_is(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 62, "coarse");
	for (int round = 0; round < 200; round++) {
		static const double tolerance[] = {1e-6, 1.0 / 64, 0.25, 2};
		f->b.brush.n = f->b.side.n = 0;
		for (int i = 0; i < 16; i++)
			assert_ok(&f->cx, add_body(&f->cx, &f->t, &f->b, &r, (round + i) % 6));
		from_brushes(f, tolerance[round % 4]);
		assert_watertight(f);
	}
}

/* Two boxes upon a third: where they end on its top is decided by planes, not by distance. */
static void tjunctions_of_brushes_are_found_without_a_tolerance(void **state)
{
	fix *f = *state;
	mw_faces faces = {0};
	double third = 1.0 / 3;
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 0, 0, 0, 1, 1, 1));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, third, 0, 1, 1, 1, 2));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 0, 0.1, 1, third, 1, 1.7));
	mw_solid *s = mw_arena_alloc(&f->arena, f->b.brush.n * sizeof *s);
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, &f->b, s, NULL));
	assert_ok(&f->cx, mw_csg_faces(&f->cx, &f->arena, &f->t, &f->b, s, NULL, &faces));
	assert_ok(&f->cx, mw_mesh_add_faces(&f->cx, &f->m, &f->t, faces.v, faces.n));
	mw_free(&f->cx, faces.v);
	assert_watertight(f);
}

static void smoothing_groups_share_normals_and_flat_faces_do_not(void **state)
{
	fix *f = *state;
	/* a ridge: two squares that meet at a right angle along the y axis */
	static const double left[4][3] = {{0, 0, 0}, {0, 1, 0}, {-1, 1, -1}, {-1, 0, -1}};
	static const double right[4][3] = {{0, 0, 0}, {1, 0, -1}, {1, 1, -1}, {0, 1, 0}};
	poly(f, left, 4, 1);
	poly(f, right, 4, 1);
	poly(f, right, 4, 2);
	poly(f, right, 4, 0);
	assert_ok(&f->cx, mw_mesh_weld(&f->cx, &f->m, 0));
	assert_ok(&f->cx, mw_mesh_normals(&f->cx, &f->m));
	double h = sqrt(0.5);
	for (int i = 0; i < 2; i++) {
		mw_vec3 n = f->m.corner.v[i * 4].normal;
		assert_true(fabs(n.x) < 1e-12 && fabs(n.z - 1) < 1e-12);
	}
	mw_vec3 far = f->m.corner.v[5].normal, other = f->m.corner.v[8].normal;
	mw_vec3 flat = f->m.corner.v[12].normal;
	assert_true(
		fabs(far.x - h) < 1e-12 && fabs(other.x - h) < 1e-12 && fabs(flat.x - h) < 1e-12);
}

static void concave_polygons_are_cut_into_ears(void **state)
{
	fix *f = *state;
	uint32_t n;
	static const double l[6][3] = {
		{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 4, 0}, {0, 4, 0}};
	poly(f, l, 6, 0);
	assert_true(triangles_area(f, &n) == 7);
	assert_int_equal(n, 4);
	assert_int_equal(mw_mesh_flaws(&f->m, 0, 0.01, 0.1), 2);
	static const double bent[4][3] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 1}, {0, 4, 0}};
	poly(f, bent, 4, 0);
	assert_int_equal(mw_mesh_flaws(&f->m, 1, 0.01, 0.1) & 1, 1);
	static const double line[3][3] = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}};
	poly(f, line, 3, 0);
	assert_int_equal(mw_mesh_flaws(&f->m, 2, 0.01, 0.1), 4);
	f->tri.n = 0;
	assert_ok(&f->cx, mw_mesh_triangles(&f->cx, &f->m, 2, &f->tri));
	assert_int_equal(f->tri.n, 0);
	assert_fails(&f->cx, mw_mesh_add_indexed(&f->cx, &f->m, NULL, NULL, 2, 0, 0), MW_EINVALID,
		"2 corners");
}

static mw_code all_of_it(mw_ctx *cx, void *ud)
{
	MW_UNUSED(ud);
	mw_mesh m = {0};
	mw_mesh_indices tri = {0};
	uint32_t n;
	mw_code rc = MW_OK;
	for (int i = 0; i < 20 && !rc; i++) {
		mw_vec3 p[4] = {
			mw_v3(i, 0, 0), mw_v3(i + 1, 0, 0), mw_v3(i + 1, 1, 0), mw_v3(i, 1, 0)};
		rc = mw_mesh_add(cx, &m, p, NULL, 4, 0, 1);
	}
	mw_vec3 q[4] = {mw_v3(0, 1, 0), mw_v3(20, 1, 0), mw_v3(20, 2, 0), mw_v3(0, 2, 0)};
	rc = rc ? rc : mw_mesh_add(cx, &m, q, NULL, 4, 0, 1);
	rc = rc ? rc : mw_mesh_weld(cx, &m, 1e-3);
	rc = rc ? rc : mw_mesh_fix_tjunctions(cx, &m, 1e-3, &n);
	rc = rc ? rc : mw_mesh_normals(cx, &m);
	rc = rc ? rc : mw_mesh_triangles(cx, &m, 20, &tri);
	rc = rc ? rc : mw_mesh_open_edges(cx, &m, &n);
	mw_free(cx, tri.v);
	mw_mesh_free(cx, &m);
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
		T(a_box_welds_to_eight_corners_and_is_closed),
		T(welding_is_by_distance_and_does_not_drift),
		T(a_tjunction_is_put_into_the_long_edge),
		T(sealed_rooms_and_soups_come_out_watertight),
		T(a_sliver_that_is_pressed_together_leaves_no_hole),
		T(what_is_closed_stays_closed_however_coarse_the_welding_is),
		T(tjunctions_of_brushes_are_found_without_a_tolerance),
		T(smoothing_groups_share_normals_and_flat_faces_do_not),
		T(concave_polygons_are_cut_into_ears),
		T(every_failing_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}

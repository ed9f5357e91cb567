#include "support/oom.h"
#include "support/test.h"

#include "base/rng.h"
#include "geom/shape.h"

#include <string.h>

#define PI 3.14159265358979323846

typedef struct {
	mw_ctx cx;
	mw_planes t;
	mw_arena arena;
	mw_brushes b;
	mw_shaper s;
	mw_solid *solid;
} fix;

static int up(void **state)
{
	static fix f;
	memset(&f, 0, sizeof f);
	mw_ctx_init(&f.cx);
	mw_arena_init(&f.arena, &f.cx);
	f.s = (mw_shaper){&f.t, &f.b, 1, 9};
	*state = &f;
	return mw_planes_init(&f.cx, &f.t);
}

static int down(void **state)
{
	fix *f = *state;
	mw_brushes_free(&f->cx, &f->b);
	mw_arena_free(&f->arena);
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

static void clear(fix *f)
{
	f->b.brush.n = f->b.side.n = 0;
}

/* Every brush closes, every side is a face, no edge is a splinter; the sum of volumes. */
static double volume(fix *f)
{
	double sum = 0;
	f->solid = mw_arena_alloc(&f->arena, (f->b.brush.n + 1) * sizeof *f->solid);
	mw_closure *how = mw_arena_alloc(&f->arena, (f->b.brush.n + 1) * sizeof *how);
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, &f->b, f->solid, how));
	for (uint32_t i = 0; i < f->b.brush.n; i++) {
		const mw_solid *s = &f->solid[i];
		assert_int_equal(how[i], MW_CLOSED);
		assert_int_equal(s->n, f->b.brush.v[i].count);
		assert_int_equal(f->b.brush.v[i].tag, 9);
		double size = mw_len3(mw_sub3(s->box.max, s->box.min));
		for (uint32_t k = 0; k < s->n; k++)
			for (uint32_t c = 0; c < s->face[k].n; c++) {
				mw_vec3 a = s->face[k].v[c].at;
				mw_vec3 b = s->face[k].v[(c + 1) % s->face[k].n].at;
				assert_true(mw_len3(mw_sub3(a, b)) > 1e-4 * size);
			}
		sum += mw_solid_volume(s);
	}
	return sum;
}

static void overlaps_nothing(fix *f, double sum)
{
	double v;
	assert_ok(&f->cx, mw_csg_volume(&f->cx, &f->t, &f->b, &v));
	assert_true(fabs(v - sum) < 1e-9 * (1 + sum));
}

static void a_box_names_its_sides(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, mw_shape_box(&f->cx, &f->s, mw_v3(1, 2, 3), mw_v3(4, 6, 8)));
	assert_true(volume(f) == 60);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(f->b.side.v[i].tag, i);
	mw_plane p = mw_planes_get(&f->t, f->b.side.v[MW_PART_SOUTH].plane);
	assert_true(p.n.z == 1 && p.d == 8);
	assert_fails(&f->cx, mw_shape_box(&f->cx, &f->s, mw_v3(0, 5, 0), mw_v3(1, 5, 1)),
		MW_EINVALID, "y from 5 to 5");
}

static void a_wedge_is_half_a_box_and_high_where_it_faces(void **state)
{
	fix *f = *state;
	static const double top[4][3] = {{0, 2, -1}, {1, 2, 0}, {0, 2, 1}, {-1, 2, 0}};
	for (int face = 0; face < 4; face++) {
		clear(f);
		assert_ok(&f->cx,
			mw_shape_wedge(
				&f->cx, &f->s, mw_v3(-2, 0, -2), mw_v3(2, 4, 2), (mw_facing)face));
		assert_true(volume(f) == 32);
		mw_vec3 in = mw_v3(top[face][0], top[face][1], top[face][2]);
		mw_vec3 out = mw_v3(-top[face][0], top[face][1], -top[face][2]);
		assert_true(mw_brush_contains(&f->t, &f->b, 0, &in));
		assert_false(mw_brush_contains(&f->t, &f->b, 0, &out));
		assert_int_equal(f->b.side.v[0].tag, MW_PART_TOP);
	}
}

static void cylinders_and_cones_have_their_corners_on_the_ellipse(void **state)
{
	fix *f = *state;
	for (uint32_t n = 3; n <= 64; n += 1 + n / 8) {
		double ring = n * sin(2 * PI / n) / 2; /* area on the unit circle */
		clear(f);
		assert_ok(&f->cx,
			mw_shape_cylinder(&f->cx, &f->s, mw_v3(-8, 1, -4), mw_v3(8, 3, 4), n, 1));
		assert_true(fabs(volume(f) - ring * 32 * 2) < 1e-3);
		assert_int_equal(f->b.side.n, n + 2);
		clear(f);
		assert_ok(&f->cx,
			mw_shape_cylinder(&f->cx, &f->s, mw_v3(-8, 1, -4), mw_v3(8, 7, 4), n, 0));
		assert_true(fabs(volume(f) - ring * 32 * 6 / 3) < 1e-3);
		assert_int_equal(f->b.side.n, n + 1);
		clear(f);
		assert_ok(&f->cx,
			mw_shape_cylinder(&f->cx, &f->s, mw_v3(-8, 1, -4), mw_v3(8, 7, 4), n, 0.5));
		assert_true(fabs(volume(f) - ring * 32 * 6 * (1 + 0.5 + 0.25) / 3) < 1e-3);
	}
	assert_fails(&f->cx, mw_shape_cylinder(&f->cx, &f->s, mw_v3(0, 0, 0), mw_v3(1, 1, 1), 2, 1),
		MW_ERANGE, "2 sides");
}

static void four_sides_make_the_cylinder_a_box(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, mw_shape_cylinder(&f->cx, &f->s, mw_v3(-4, 0, -4), mw_v3(4, 2, 4), 4, 1));
	volume(f);
	/* the first side faces south; corners at 45 degrees */
	for (uint32_t i = 2; i < 6; i++) {
		mw_vec3 n = mw_planes_get(&f->t, f->b.side.v[i].plane).n;
		assert_true(fabs(n.x) + fabs(n.z) == 1 && n.y == 0);
	}
	assert_true(mw_planes_get(&f->t, f->b.side.v[2].plane).n.z == 1);
}

static void a_sphere_has_flat_quads_and_whole_corners(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx,
		mw_shape_sphere(&f->cx, &f->s, mw_v3(-16, -16, -16), mw_v3(16, 16, 16), 16, 8));
	double v = volume(f);
	assert_int_equal(f->b.side.n, 128);
	assert_true(v > 0.9 * 4 / 3 * PI * 4096 && v < 4.0 / 3 * PI * 4096);
	uint32_t quads = 0;
	for (uint32_t k = 0; k < 128; k++)
		quads += f->solid->face[k].n == 4;
	assert_int_equal(quads, 96);
	assert_true(fabs(f->solid->box.max.y - 16) < 1e-9 && fabs(f->solid->box.min.y + 16) < 1e-9);
}

static void an_arch_is_a_chain_of_wedges(void **state)
{
	fix *f = *state;
	/* half ring: radius 8, 2 thick, 3 deep, 8 segments of 22.5 degrees */
	assert_ok(&f->cx,
		mw_shape_arch(&f->cx, &f->s, mw_v3(-8, -8, 0), mw_v3(8, 8, 3), 2, 0, 180, 8));
	double v = volume(f), want = 8 * 0.5 * sin(PI / 8) * (64 - 36) * 3;
	assert_true(fabs(v - want) < 1e-3);
	assert_int_equal(f->b.brush.n, 8);
	overlaps_nothing(f, v);
	mw_vec3 crown = mw_v3(0.1, 7, 1), hole = mw_v3(0.1, 3, 1), below = mw_v3(0.1, -7, 1);
	uint32_t in[3] = {0, 0, 0};
	for (uint32_t i = 0; i < 8; i++) {
		in[0] += mw_brush_contains(&f->t, &f->b, i, &crown);
		in[1] += mw_brush_contains(&f->t, &f->b, i, &hole);
		in[2] += mw_brush_contains(&f->t, &f->b, i, &below);
	}
	assert_true(in[0] == 1 && in[1] == 0 && in[2] == 0);
	/* neighbours share their seam exactly: together they hide two faces each */
	mw_faces faces = {0};
	assert_ok(&f->cx, mw_csg_faces(&f->cx, &f->arena, &f->t, &f->b, f->solid, NULL, &faces));
	assert_int_equal(faces.n, 8 * 4 + 2);
	for (size_t i = 0; i < faces.n; i++)
		assert_int_not_equal(faces.v[i].poly.tag, MW_PART_SEAM);
	mw_free(&f->cx, faces.v);
	assert_fails(&f->cx,
		mw_shape_arch(&f->cx, &f->s, mw_v3(-8, -8, 0), mw_v3(8, 8, 3), 9, 0, 180, 8),
		MW_ERANGE, "thickness 9");
	assert_fails(&f->cx,
		mw_shape_arch(&f->cx, &f->s, mw_v3(-8, -8, 0), mw_v3(8, 8, 3), 1, 0, 360, 2),
		MW_EINVALID, "segments");
}

static void a_torus_is_a_ring_of_convex_pieces(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, mw_shape_torus(&f->cx, &f->s, mw_v3(4, 4, 4), 16, 4, 24, 12));
	double v = volume(f), whole = 2 * PI * PI * 16 * 16;
	assert_int_equal(f->b.brush.n, 24);
	assert_true(v > 0.9 * whole && v < whole);
	overlaps_nothing(f, v);
	mw_faces faces = {0};
	assert_ok(&f->cx, mw_csg_faces(&f->cx, &f->arena, &f->t, &f->b, f->solid, NULL, &faces));
	assert_int_equal(faces.n, 24 * 12);
	uint32_t inner = 0;
	for (size_t i = 0; i < faces.n; i++)
		inner += faces.v[i].poly.tag == MW_PART_INNER;
	assert_true(inner > 0 && inner < faces.n);
	mw_free(&f->cx, faces.v);
}

static void stairs_rise_towards_where_they_face(void **state)
{
	fix *f = *state;
	for (int face = 0; face < 4; face++) {
		clear(f);
		assert_ok(&f->cx,
			mw_shape_stairs(&f->cx, &f->s, mw_v3(0, 0, 0), mw_v3(12, 6, 12),
				(mw_facing)face, 3, true));
		assert_true(volume(f) == 12 * 4 * (2 + 4 + 6));
		static const double at[4][2] = {{6, 1}, {11, 6}, {6, 11}, {1, 6}};
		mw_vec3 p = mw_v3(at[face][0], 5, at[face][1]);
		assert_true(mw_brush_contains(&f->t, &f->b, 2, &p));
		overlaps_nothing(f, 12 * 4 * 12);
	}
	clear(f);
	assert_ok(&f->cx,
		mw_shape_stairs(
			&f->cx, &f->s, mw_v3(0, 0, 0), mw_v3(12, 6, 12), MW_EAST, 3, false));
	assert_true(volume(f) == 12 * 4 * 6);
}

static void a_room_is_six_walls_around_nothing(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, mw_shape_room(&f->cx, &f->s, mw_v3(0, 0, 0), mw_v3(8, 4, 6), 0.5));
	assert_true(volume(f) == 8 * 4 * 6 - 7 * 3 * 5);
	assert_int_equal(f->b.brush.n, 6);
	overlaps_nothing(f, 8 * 4 * 6 - 7 * 3 * 5);
	/* what can be seen from inside is tagged so, and nothing else is */
	mw_faces faces = {0};
	assert_ok(&f->cx, mw_csg_faces(&f->cx, &f->arena, &f->t, &f->b, f->solid, NULL, &faces));
	double inner = 0, outer = 0;
	for (size_t i = 0; i < faces.n; i++) {
		if (faces.v[i].poly.tag == MW_PART_INNER)
			inner += mw_poly_area(&faces.v[i].poly);
		else
			outer += mw_poly_area(&faces.v[i].poly);
	}
	assert_true(inner == 2 * (7 * 3 + 3 * 5 + 7 * 5));
	assert_true(outer == 2 * (8 * 4 + 4 * 6 + 8 * 6));
	mw_free(&f->cx, faces.v);
	assert_fails(&f->cx, mw_shape_room(&f->cx, &f->s, mw_v3(0, 0, 0), mw_v3(8, 4, 6), 2),
		MW_ERANGE, "wall 2");
}

static void a_prism_takes_any_simple_outline(void **state)
{
	fix *f = *state;
	mw_vec2 hex[6], l[6], cross[4], star[10];
	for (int i = 0; i < 6; i++)
		hex[i] = mw_v2(cos(i * PI / 3) * 8, sin(i * PI / 3) * 8);
	assert_ok(&f->cx, mw_shape_prism(&f->cx, &f->s, hex, 6, 0, 2));
	assert_int_equal(f->b.brush.n, 1);
	assert_true(fabs(volume(f) - 2 * 64 * 3 * sqrt(3) / 2) < 1e-9);
	clear(f);
	static const double lp[6][2] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}};
	for (int turn = 0; turn < 2; turn++) {
		clear(f);
		for (int i = 0; i < 6; i++)
			l[turn ? 5 - i : i] = mw_v2(lp[i][0], lp[i][1]);
		assert_ok(&f->cx, mw_shape_prism(&f->cx, &f->s, l, 6, 0, 2));
		assert_true(volume(f) == 14);
		assert_true(f->b.brush.n <= 3);
		overlaps_nothing(f, 14);
	}
	clear(f);
	double area = 0;
	for (int i = 0; i < 10; i++) {
		double r = i & 1 ? 3 : 9;
		star[i] = mw_v2(
			rint(cos(i * PI / 5) * r * 16) / 16, rint(sin(i * PI / 5) * r * 16) / 16);
	}
	for (int i = 0; i < 10; i++)
		area += star[i].x * star[(i + 1) % 10].y - star[i].y * star[(i + 1) % 10].x;
	assert_ok(&f->cx, mw_shape_prism(&f->cx, &f->s, star, 10, -1, 1));
	assert_true(fabs(volume(f) - area) < 1e-9);
	overlaps_nothing(f, area);
	static const double cp[4][2] = {{0, 0}, {4, 4}, {4, 0}, {0, 4}};
	for (int i = 0; i < 4; i++)
		cross[i] = mw_v2(cp[i][0], cp[i][1]);
	assert_fails(&f->cx, mw_shape_prism(&f->cx, &f->s, cross, 4, 0, 1), MW_EINVALID, "crosses");
	cross[1] = mw_v2(0, 4);
	cross[2] = mw_v2(0, 2);
	assert_fails(&f->cx, mw_shape_prism(&f->cx, &f->s, cross, 4, 0, 1), MW_EINVALID, "crosses");
}

static void terrain_has_the_volume_under_its_triangles(void **state)
{
	fix *f = *state;
	double h[5 * 4];
	mw_rng r;
	mw_rng_init(&r, 71, "shape");
	double want = 0;
	for (int i = 0; i < 20; i++)
		h[i] = 1 + (double)mw_rng_below(&r, 32) / 4;
	for (int z = 0; z < 3; z++)
		for (int x = 0; x < 4; x++) {
			double nw = h[z * 5 + x], ne = h[z * 5 + x + 1];
			double sw = h[z * 5 + 5 + x], se = h[z * 5 + 6 + x];
			/* 64 / 2 * mean of three corners, both triangles */
			want += (x + z) & 1 ? 32 / 3.0 * (nw + sw + se + nw + se + ne)
					    : 32 / 3.0 * (nw + sw + ne + sw + se + ne);
		}
	assert_ok(&f->cx, mw_shape_terrain(&f->cx, &f->s, mw_v2(-16, 8), 8, h, 5, 4, 0, 0.5));
	assert_true(fabs(volume(f) - want) < 1e-9);
	overlaps_nothing(f, want);
	/* level ground becomes one slab; ground below the base is raised */
	clear(f);
	for (int i = 0; i < 20; i++)
		h[i] = -5;
	assert_ok(&f->cx, mw_shape_terrain(&f->cx, &f->s, mw_v2(-16, 8), 8, h, 5, 4, 0, 0.5));
	assert_true(volume(f) == 32 * 24 * 0.5);
	assert_true(f->b.brush.n < 12);
	h[3] = NAN;
	assert_fails(&f->cx, mw_shape_terrain(&f->cx, &f->s, mw_v2(0, 0), 8, h, 5, 4, 0, 1),
		MW_ERANGE, "height 4");
}

static mw_code all_of_it(mw_ctx *cx, void *ud)
{
	MW_UNUSED(ud);
	mw_planes t = {0};
	mw_brushes b = {0};
	mw_shaper s = {&t, &b, 1, 0};
	mw_vec3 lo = mw_v3(0, 0, 0), hi = mw_v3(8, 8, 8);
	mw_vec2 l[6] = {
		mw_v2(0, 0), mw_v2(4, 0), mw_v2(4, 1), mw_v2(1, 1), mw_v2(1, 4), mw_v2(0, 4)};
	double h[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	mw_code rc = mw_planes_init(cx, &t);
	rc = rc ? rc : mw_shape_wedge(cx, &s, lo, hi, MW_NORTH);
	rc = rc ? rc : mw_shape_cylinder(cx, &s, lo, hi, 12, 0.5);
	rc = rc ? rc : mw_shape_sphere(cx, &s, lo, hi, 6, 4);
	rc = rc ? rc : mw_shape_arch(cx, &s, lo, hi, 1, 0, 90, 3);
	rc = rc ? rc : mw_shape_torus(cx, &s, lo, 8, 2, 5, 5);
	rc = rc ? rc : mw_shape_room(cx, &s, lo, hi, 1);
	rc = rc ? rc : mw_shape_prism(cx, &s, l, 6, 0, 1);
	rc = rc ? rc : mw_shape_terrain(cx, &s, mw_v2(0, 0), 4, h, 3, 3, 0, 1);
	mw_brushes_free(cx, &b);
	mw_planes_free(cx, &t);
	return rc;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(all_of_it, NULL) > 10);
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_box_names_its_sides),
		T(a_wedge_is_half_a_box_and_high_where_it_faces),
		T(cylinders_and_cones_have_their_corners_on_the_ellipse),
		T(four_sides_make_the_cylinder_a_box),
		T(a_sphere_has_flat_quads_and_whole_corners),
		T(an_arch_is_a_chain_of_wedges),
		T(a_torus_is_a_ring_of_convex_pieces),
		T(stairs_rise_towards_where_they_face),
		T(a_room_is_six_walls_around_nothing),
		T(a_prism_takes_any_simple_outline),
		T(terrain_has_the_volume_under_its_triangles),
		T(every_failing_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}

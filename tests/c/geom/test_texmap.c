#include "support/test.h"

#include "base/rng.h"
#include "geom/space.h"
#include "geom/texmap.h"

static void same(mw_vec2 a, double u, double v)
{
	assert_true(fabs(a.x - u) < 1e-9 && fabs(a.y - v) < 1e-9);
}

static void turns_are_exact_at_quarters_and_close_elsewhere(void **state)
{
	MW_UNUSED(state);
	double c, s;
	for (int i = -8; i <= 8; i++) {
		static const int want[4] = {1, 0, -1, 0};
		mw_sincos(i * 90, &c, &s);
		assert_true(c == want[i & 3] && s == want[(i + 3) & 3]);
	}
	for (int i = -7200; i < 7200; i++) {
		double a = i * 0.1;
		mw_sincos(a, &c, &s);
		assert_true(fabs(c - cos(a * 0.017453292519943295)) < 1e-14);
		assert_true(fabs(s - sin(a * 0.017453292519943295)) < 1e-14);
		assert_true(fabs(c * c + s * s - 1) < 4e-16);
		double back = mw_angle_of(c, s), turns = (a - back) / 360;
		assert_true(fabs(turns - rint(turns)) < 1e-13);
	}
	mw_sincos(INFINITY, &c, &s);
	assert_true(c == 1 && s == 0);
	assert_true(mw_angle_of(0, 0) == 0 && mw_angle_of(-2, 2) == 135);
}

static void yaw_turns_forward_to_the_left_and_pitch_up(void **state)
{
	MW_UNUSED(state);
	mw_vec3 fwd = mw_v3(0, 0, -1), p;
	mw_mat m = mw_mat_turn(0, 90, 0);
	p = mw_mat_dir(&m, fwd);
	assert_true(p.x == -1 && p.y == 0 && p.z == 0);
	m = mw_mat_turn(90, 0, 0);
	p = mw_mat_dir(&m, fwd);
	assert_true(p.x == 0 && p.y == 1 && p.z == 0);
	m = mw_mat_turn(0, 0, 90);
	p = mw_mat_dir(&m, mw_v3(1, 0, 0));
	assert_true(p.y == 1);
	/* pitch comes after roll, yaw after both */
	m = mw_mat_turn(90, 90, 90);
	p = mw_mat_dir(&m, mw_v3(1, 0, 0)); /* roll: +y; pitch: +z; yaw: +x */
	assert_true(p.x == 1 && p.y == 0 && p.z == 0);
}

static void quake_space_turns_z_up(void **state)
{
	MW_UNUSED(state);
	mw_vec3 p = mw_space_to_own(&mw_space_quake, mw_v3(1, 2, 3));
	assert_true(mw_eq3(p, mw_v3(1, 3, -2)));
	p = mw_space_from_own(&mw_space_quake, p);
	assert_true(mw_eq3(p, mw_v3(1, 2, 3)));
	p = mw_space_to_own(&mw_space_quake, mw_v3(0, 0, 0));
	assert_false(signbit(p.z));
}

static void classic_projection_is_quakes(void **state)
{
	MW_UNUSED(state);
	mw_texset s = {{16, 8}, {0.5, 2}, 0};
	mw_texmap m = mw_texmap_classic(mw_v3(0, 0, 1), &s);
	same(mw_texmap_at(&m, mw_v3(10, 20, 30)), 10 / 0.5 + 16, -20 / 2.0 + 8);
	m = mw_texmap_classic(mw_v3(-1, 0, 0), &s);
	same(mw_texmap_at(&m, mw_v3(10, 20, 30)), 20 / 0.5 + 16, -30 / 2.0 + 8);
	m = mw_texmap_classic(mw_v3(0, 1, 0), &s);
	same(mw_texmap_at(&m, mw_v3(10, 20, 30)), 10 / 0.5 + 16, -30 / 2.0 + 8);
	/* turned by 90: u = (0, 1), v = (1, 0) on floors */
	s.rotation = 90;
	m = mw_texmap_classic(mw_v3(0, 0, 1), &s);
	same(mw_texmap_at(&m, mw_v3(10, 20, 30)), 20 / 0.5 + 16, 10 / 2.0 + 8);
	/* a tie goes to the earlier: z before x */
	mw_vec3 u, v;
	mw_texmap_quake_axes(mw_v3(0.5, 0.5, 0.5), &u, &v);
	assert_true(u.x == 1 && v.y == -1);
	mw_texmap_quake_axes(mw_v3(0.7, 0.7, 0.1), &u, &v);
	assert_true(u.y == 1 && v.z == -1);
	/* zero scale is one */
	mw_texset zero = {{0, 0}, {0, 0}, 0};
	m = mw_texmap_classic(mw_v3(0, 0, 1), &zero);
	same(mw_texmap_at(&m, mw_v3(3, 4, 5)), 3, -4);
}

static void valve_axes_are_taken_as_written(void **state)
{
	MW_UNUSED(state);
	double scale[2] = {2, 0};
	mw_texmap m = mw_texmap_valve(mw_v3(32, 0, 0), 5, mw_v3(0, 0, -1), 7, scale);
	same(mw_texmap_at(&m, mw_v3(1, 2, 3)), 32 / 2.0 + 5, -3 + 7);
	mw_vec3 u, v;
	mw_texset s;
	mw_texmap_to_valve(&m, &u, &v, &s);
	assert_true(u.x == 1 && v.z == -1 && s.scale[0] == 1.0 / 16 && s.offset[1] == 7);
}

static void box_projection_follows_the_dominant_axis_of_our_space(void **state)
{
	MW_UNUSED(state);
	mw_texset s = {{0.5, 0.25}, {2, 4}, 0};
	mw_texmap m = mw_texmap_box(mw_v3(0, -1, 0), &s);
	same(mw_texmap_at(&m, mw_v3(8, 9, 12)), 4.5, 3.25);
	m = mw_texmap_box(mw_v3(1, 0, 0), &s);
	same(mw_texmap_at(&m, mw_v3(8, 9, 12)), -5.5, -2);
	m = mw_texmap_box(mw_v3(0, 0, -1), &s);
	same(mw_texmap_at(&m, mw_v3(8, 9, 12)), 4.5, -2);
	mw_vec3 u, v;
	mw_texmap_box_axes(mw_v3(1, 1, 1), &u, &v);
	assert_true(u.x == 1 && v.z == 1);
	mw_texmap_box_axes(mw_v3(-1, 0.5, 1), &u, &v);
	assert_true(u.z == -1 && v.y == -1);
	/* a' = a cos - b sin, b' = a sin + b cos, a = 8, b = 12, 90 degrees */
	s.rotation = 90;
	m = mw_texmap_box(mw_v3(0, 1, 0), &s);
	same(mw_texmap_at(&m, mw_v3(8, 9, 12)), -12 / 2.0 + 0.5, 8 / 4.0 + 0.25);
}

static void face_projection_measures_along_the_slope(void **state)
{
	MW_UNUSED(state);
	/* a slope that rises 3 for 4 along -z, seen from above; normal (0, 4, 3) / 5 */
	mw_texset s = {{0, 0}, {1, 1}, 0};
	mw_texmap m = mw_texmap_face(mw_v3(0, 4, 3), mw_v3(1, 0, 0), &s);
	mw_vec2 a = mw_texmap_at(&m, mw_v3(1, 0, 0)), b = mw_texmap_at(&m, mw_v3(3, -3, 4));
	same(a, 0, 0);
	same(b, 2, 5);
	assert_true(mw_texmap_is_valid(&m, mw_v3(0, 4, 3)));
	mw_texmap bad = m;
	bad.v = bad.u;
	assert_false(mw_texmap_is_valid(&bad, mw_v3(0, 4, 3)));
	assert_false(mw_texmap_is_valid(&m, m.u));
}

static void a_fitted_map_gives_back_its_points(void **state)
{
	MW_UNUSED(state);
	mw_vec3 p[3] = {mw_v3(1, 2, 3), mw_v3(4, -1, 0), mw_v3(-2, 5, 7)};
	mw_vec2 uv[3] = {mw_v2(0, 1), mw_v2(3, -2), mw_v2(0.5, 0.25)};
	mw_texmap m;
	assert_true(mw_texmap_fit(p, uv, &m));
	for (int i = 0; i < 3; i++)
		same(mw_texmap_at(&m, p[i]), uv[i].x, uv[i].y);
	p[2] = mw_along3(p[0], mw_sub3(p[1], p[0]), 2);
	assert_false(mw_texmap_fit(p, uv, &m));
}

static double unit(mw_rng *r)
{
	return mw_rng_unit(r) * 2 - 1;
}

static void texture_lock_keeps_coordinates_on_what_moves(void **state)
{
	MW_UNUSED(state);
	mw_rng r;
	mw_rng_init(&r, 51, "texmap");
	for (int i = 0; i < 200; i++) {
		mw_texmap t = {mw_v3(unit(&r), unit(&r), unit(&r)),
				  mw_v3(unit(&r), unit(&r), unit(&r)), unit(&r), unit(&r)},
			  got;
		mw_mat m;
		for (int k = 0; k < 12; k++)
			m.m[k / 4][k % 4] = unit(&r) + (k % 5 == 0 ? 3 : 0);
		assert_true(mw_texmap_transform(&t, &m, &got));
		mw_vec3 p = mw_v3(unit(&r) * 9, unit(&r) * 9, unit(&r) * 9);
		mw_vec2 want = mw_texmap_at(&t, p);
		same(mw_texmap_at(&got, mw_mat_point(&m, p)), want.x, want.y);
	}
}

/* What classic and box can hold comes back; both as numbers and as coordinates on the plane. */
static void settings_survive_the_way_through_the_map(void **state)
{
	MW_UNUSED(state);
	mw_rng r;
	mw_rng_init(&r, 52, "texmap");
	for (int i = 0; i < 2000; i++) {
		mw_vec3 n = mw_v3(unit(&r), unit(&r), unit(&r));
		if (i % 3 == 0)
			n = mw_v3(i % 2 ? -1 : 0, 0, i % 2 ? 0 : 1);
		double d = unit(&r) * 100;
		mw_texset s = {{unit(&r) * 64, unit(&r) * 64}, {unit(&r) * 4, unit(&r) * 4},
				  rint(unit(&r) * 8) * 22.5},
			  back;
		bool box = i & 1;
		mw_texmap m = box ? mw_texmap_box(n, &s) : mw_texmap_classic(n, &s);
		/* the same on the plane, written otherwise */
		mw_texmap skew = m;
		double k = unit(&r);
		skew.u = mw_along3(m.u, n, k);
		skew.u0 -= k * d;
		assert_true(box ? mw_texmap_to_box(&skew, n, d, 1e-9, &back)
				: mw_texmap_to_classic(&skew, n, d, 1e-9, &back));
		mw_texmap again = box ? mw_texmap_box(n, &back) : mw_texmap_classic(n, &back);
		for (int q = 0; q < 4; q++) {
			mw_vec3 p = mw_v3(unit(&r) * 50, unit(&r) * 50, unit(&r) * 50);
			p = mw_along3(p, n, (d - mw_dot3(n, p)) / mw_dot3(n, n));
			mw_vec2 a = mw_texmap_at(&m, p), b = mw_texmap_at(&again, p);
			double size = 1 + fabs(a.x) + fabs(a.y);
			assert_true(fabs(a.x - b.x) < 1e-9 * size && fabs(a.y - b.y) < 1e-9 * size);
		}
	}
	/* skewed axes have no such settings */
	mw_texmap m = {mw_v3(1, 0, 0), mw_v3(0.5, 1, 0), 0, 0};
	mw_texset s;
	assert_false(mw_texmap_to_classic(&m, mw_v3(0, 0, 1), 0, 1e-9, &s));
	assert_false(mw_texmap_to_box(&m, mw_v3(0, 0, 1), 0, 1e-9, &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turns_are_exact_at_quarters_and_close_elsewhere),
		cmocka_unit_test(yaw_turns_forward_to_the_left_and_pitch_up),
		cmocka_unit_test(quake_space_turns_z_up),
		cmocka_unit_test(classic_projection_is_quakes),
		cmocka_unit_test(valve_axes_are_taken_as_written),
		cmocka_unit_test(box_projection_follows_the_dominant_axis_of_our_space),
		cmocka_unit_test(face_projection_measures_along_the_slope),
		cmocka_unit_test(a_fitted_map_gives_back_its_points),
		cmocka_unit_test(texture_lock_keeps_coordinates_on_what_moves),
		cmocka_unit_test(settings_survive_the_way_through_the_map),
	};
	return cmocka_run_group_tests_name("texmap", tests, NULL, NULL);
}

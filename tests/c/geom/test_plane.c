#include "support/oom.h"
#include "support/test.h"

#include "base/rng.h"
#include "geom/exact.h"
#include "geom/plane.h"

typedef struct {
	mw_ctx cx;
	mw_planes t;
} fix;

static int up(void **state)
{
	static fix f;
	mw_ctx_init(&f.cx);
	*state = &f;
	return mw_planes_init(&f.cx, &f.t);
}

static int down(void **state)
{
	fix *f = *state;
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

static mw_plane_id points(fix *f, mw_vec3 a, mw_vec3 b, mw_vec3 c)
{
	mw_vec3 p[3] = {a, b, c};
	mw_plane_id id;
	assert_ok(&f->cx, mw_planes_add_points(&f->cx, &f->t, &id, p));
	return id;
}

static mw_plane_id plane(fix *f, double a, double b, double c, double d)
{
	mw_plane_id id;
	assert_ok(&f->cx, mw_planes_add(&f->cx, &f->t, &id, mw_v3(a, b, c), d));
	return id;
}

static void three_points_clockwise_from_outside_give_the_outward_plane(void **state)
{
	fix *f = *state;
	/* floor of a box written the way map editors do: seen from below, clockwise */
	mw_plane_id id = points(f, mw_v3(0, 0, 64), mw_v3(0, 64, 64), mw_v3(64, 64, 64));
	mw_plane p = mw_planes_get(&f->t, id);
	/* (p0 - p1) x (p2 - p1) = (0,-64,0) x (64,0,0) = (0,0,4096) */
	assert_true(p.n.x == 0 && p.n.y == 0 && p.n.z == 1 && p.d == 64);
	assert_int_equal(id, plane(f, 0, 0, 1, 64));
}

static void one_plane_has_one_number_whatever_points_name_it(void **state)
{
	fix *f = *state;
	mw_plane_id a = points(f, mw_v3(3, 0, 0), mw_v3(0, 3, 0), mw_v3(0, 0, 3));
	size_t n = f->t.unit.n;
	assert_int_equal(points(f, mw_v3(0, 3, 0), mw_v3(3, 0, 0), mw_v3(0, 0, 3)), a ^ 1);
	assert_int_equal(points(f, mw_v3(-7, 9, 1), mw_v3(1, -7, 9), mw_v3(9, 1, -7)) >> 1, a >> 1);
	assert_int_equal(
		points(f, mw_v3(1.5, 1.5, 0), mw_v3(0, 1.5, 1.5), mw_v3(0, 0, 3)) >> 1, a >> 1);
	assert_int_equal(plane(f, 0.25, 0.25, 0.25, 0.75) >> 1, a >> 1);
	assert_int_equal(f->t.unit.n, n);
	/* the next double beside it is another plane */
	assert_true(plane(f, 0.25, 0.25, 0.25, nextafter(0.75, 1)) >> 1 != a >> 1);
}

static void planes_of_many_digits_are_numbered_exactly_too(void **state)
{
	fix *f = *state;
	mw_vec3 a = mw_v3(0.1, 0.7, -1234.567), b = mw_v3(-99.3, 1e-7, 3.3),
		c = mw_v3(7.1, 8.9, 0.3);
	mw_plane_id id = points(f, a, b, c);
	assert_true(f->t.exact.v[id >> 1].wide);
	size_t n = f->t.unit.n;
	assert_int_equal(points(f, b, c, a), id);
	assert_int_equal(points(f, c, b, a), id ^ 1);
	/* twice as far from a in both directions: exact in doubles, same plane */
	mw_vec3 origin = mw_v3(0, 0, 0), b2 = mw_scale3(b, 2), c2 = mw_scale3(c, 4);
	mw_plane_id through = points(f, origin, b, c);
	assert_int_equal(points(f, origin, b2, c2), through);
	assert_int_equal(f->t.unit.n, n + 1);
	c.x = nextafter(c.x, 8);
	assert_true(points(f, a, b, c) >> 1 != id >> 1);
}

static void points_on_a_line_are_no_plane(void **state)
{
	fix *f = *state;
	size_t n = f->t.unit.n;
	assert_int_equal(points(f, mw_v3(1, 1, 1), mw_v3(2, 2, 2), mw_v3(9, 9, 9)), MW_PLANE_NONE);
	assert_int_equal(
		points(f, mw_v3(.1, .1, .1), mw_v3(.1, .1, .1), mw_v3(9, 9, 7)), MW_PLANE_NONE);
	assert_int_equal(plane(f, 0, 0, 0, 5), MW_PLANE_NONE);
	assert_int_equal(f->t.unit.n, n);
}

static void numbers_that_are_not_finite_are_refused(void **state)
{
	fix *f = *state;
	mw_vec3 p[3] = {mw_v3(0, 0, 0), mw_v3(1, NAN, 0), mw_v3(0, 1, 0)};
	mw_plane_id id;
	assert_fails(&f->cx, mw_planes_add_points(&f->cx, &f->t, &id, p), MW_ERANGE, "finite");
	assert_fails(&f->cx, mw_planes_add(&f->cx, &f->t, &id, mw_v3(0, 1, 0), INFINITY), MW_ERANGE,
		"finite");
}

static void extreme_coordinates_keep_their_order(void **state)
{
	fix *f = *state;
	mw_plane_id lo = plane(f, 0, 5e-324, 1e308, 1e-300), hi = plane(f, 1e-320, 0, 1e308, 1e308);
	mw_plane_id x = plane(f, 1, 0, 0, 0), y = plane(f, 0, 1, 0, 0);
	assert_int_equal(mw_planes_det(&f->t, x, y, lo), 1);
	assert_int_equal(mw_planes_side(&f->t, x, y, lo, hi), -1);
	assert_int_equal(mw_planes_side(&f->t, x, y, hi, lo), 1);
	assert_int_equal(mw_planes_side(&f->t, x, y, hi, lo ^ 1), -1);
	mw_vec3 at;
	double err;
	assert_true(mw_planes_vertex(&f->t, x, y, hi, &at, &err));
	assert_true(at.x == 0 && at.y == 0 && at.z == 1);
}

/* Side of q of the point where a, b, c meet, by Cramer in 128 bits. */
static int side_by_hand(const int64_t c[4][4])
{
	mw_i128 x[3], w = 0;
	for (int k = -1; k < 3; k++) {
		int64_t m[3][3];
		for (int r = 0; r < 3; r++)
			for (int j = 0; j < 3; j++)
				m[r][j] = c[r][j == k ? 3 : j];
		mw_i128 det = 0;
		for (int j = 0; j < 3; j++)
			det += (mw_i128)m[0][j] *
				(m[1][(j + 1) % 3] * m[2][(j + 2) % 3] -
					m[1][(j + 2) % 3] * m[2][(j + 1) % 3]);
		if (k < 0)
			w = det;
		else
			x[k] = det;
	}
	if (w == 0)
		return 2;
	mw_i128 s = c[3][0] * x[0] + c[3][1] * x[1] + c[3][2] * x[2] - c[3][3] * w;
	int sign = s > 0 ? 1 : s < 0 ? -1 : 0;
	return w < 0 ? -sign : sign;
}

static void side_tests_agree_with_cramer_in_128_bits(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 5, "plane");
	int seen[4] = {0};
	for (int i = 0; i < 60000; i++) {
		int64_t c[4][4];
		mw_plane_id id[4];
		int bits = mw_rng_below(&r, 2) ? 3 : 20;
		bool bad = false;
		for (int k = 0; k < 4; k++) {
			for (int j = 0; j < 4; j++) {
				int64_t top = INT64_C(1) << bits;
				c[k][j] = (int64_t)mw_rng_below(&r, (uint64_t)top * 2) - top;
			}
			bad |= !c[k][0] && !c[k][1] && !c[k][2];
		}
		if (bad)
			continue;
		if (i % 3 == 0) /* the fourth through the point of the others: exactly on it */
			for (int j = 0; j < 4; j++)
				c[3][j] = c[0][j] * 3 - c[1][j] * 5 + c[2][j] * 7;
		for (int k = 0; k < 4; k++)
			id[k] = plane(f, (double)c[k][0], (double)c[k][1], (double)c[k][2],
				(double)c[k][3]);
		if (id[3] == MW_PLANE_NONE)
			continue;
		int want = side_by_hand((const int64_t(*)[4])c);
		seen[want + 1]++;
		if (want == 2)
			assert_int_equal(mw_planes_det(&f->t, id[0], id[1], id[2]), 0);
		else
			assert_int_equal(mw_planes_side(&f->t, id[0], id[1], id[2], id[3]), want);
	}
	assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000 && seen[3] > 10);
}

static void a_plane_a_hair_off_a_vertex_is_seen_on_the_right_side(void **state)
{
	fix *f = *state;
	/* three rotated planes of 53-bit coefficients, and one through their exact meeting point: a
	 * sum of the three planes' coefficients, which doubles hold because of how they are chosen
	 */
	double s = 0x1.123456789abp-1, c = 0x1.fedcba98765p-2;
	double a[4] = {s, c, 0.125, 100.5}, b[4] = {-c, s, 0.25, -3.25}, d[4] = {0.5, 0.5, s, 7.75};
	mw_plane_id pa = plane(f, a[0], a[1], a[2], a[3]), pb = plane(f, b[0], b[1], b[2], b[3]);
	mw_plane_id pd = plane(f, d[0], d[1], d[2], d[3]);
	double q[4];
	for (int i = 0; i < 4; i++)
		q[i] = a[i] + b[i] + d[i];
	mw_plane_id on = plane(f, q[0], q[1], q[2], q[3]);
	mw_plane_id above = plane(f, q[0], q[1], q[2], nextafter(q[3], 0));
	mw_plane_id below = plane(f, q[0], q[1], q[2], nextafter(q[3], 1e9));
	assert_int_equal(mw_planes_side(&f->t, pa, pb, pd, on), 0);
	assert_int_equal(mw_planes_side(&f->t, pa, pb, pd, above), 1);
	assert_int_equal(mw_planes_side(&f->t, pa, pb, pd, below), -1);
	assert_int_equal(mw_planes_side(&f->t, pd, pb ^ 1, pa, below ^ 1), 1);
}

static void points_are_classified_exactly(void **state)
{
	fix *f = *state;
	mw_plane_id p = plane(f, 1, 1, 1, 0.3);
	/* 0.1 + 0.2 > 0.3 as the doubles that they are */
	mw_vec3 v = mw_v3(0.1, 0.2, 0);
	assert_int_equal(mw_planes_side_point(&f->t, &v, p), 1);
	v = mw_v3(0.3, 0, 0);
	assert_int_equal(mw_planes_side_point(&f->t, &v, p), 0);
	assert_int_equal(mw_planes_side_point(&f->t, &v, p ^ 1), 0);
	v = mw_v3(0.3, -5e-324, 0);
	assert_int_equal(mw_planes_side_point(&f->t, &v, p), -1);
	assert_int_equal(mw_planes_side_point(&f->t, &v, p ^ 1), 1);
	v = mw_v3(NAN, 0, 0);
	assert_int_equal(mw_planes_side_point(&f->t, &v, p), 1);
}

static void vertices_of_nearly_parallel_planes_come_with_a_true_error_bound(void **state)
{
	fix *f = *state;
	/* z = 0 and z = x * 2^-60 meet along x = 0; with x = 5 as y plane: point (0, 5, 0) */
	mw_plane_id a = plane(f, 0, 0, 1, 0), b = plane(f, -ldexp(1, -60), 0, 1, 0);
	mw_plane_id c = plane(f, 0, 1, 0, 5), far = plane(f, -ldexp(1, -60), 0, 1, ldexp(3, -50));
	mw_vec3 at;
	double err;
	assert_true(mw_planes_vertex(&f->t, a, b, c, &at, &err));
	assert_true(fabs(at.x) <= err && fabs(at.y - 5) <= err && fabs(at.z) <= err && err < 1e-12);
	/* -x 2^-60 = 3 2^-50: x = -3072 */
	assert_true(mw_planes_vertex(&f->t, a, far, c, &at, &err));
	assert_true(fabs(at.x + 3072) <= err && err < 1e-9);
	assert_false(mw_planes_vertex(&f->t, b, far, c, &at, &err));
}

static void near_planes_merge_into_the_earlier_and_only_those(void **state)
{
	fix *f = *state;
	mw_plane_id a = plane(f, 0, 0.6, 0.8, 10), same = plane(f, 0, 0.6 + 1e-9, 0.8, 10 + 1e-6);
	mw_plane_id turned = plane(f, 1e-9, -0.6, -0.8, -10), off = plane(f, 0, 0.6, 0.8, 10.001);
	mw_plane_id z = plane(f, 1e-9, 1, 0, 3), z2 = plane(f, -1e-9, 1, 0, 3);
	mw_plane_id remap[64];
	uint32_t merged;
	assert_ok(&f->cx, mw_planes_merge_near(&f->cx, &f->t, 1e-6, 1e-4, remap, &merged));
	assert_int_equal(merged, 3);
	assert_int_equal(remap[same >> 1] ^ (same & 1), a);
	assert_int_equal(remap[turned >> 1] ^ (turned & 1), a ^ 1);
	assert_int_equal(remap[off >> 1], off & ~1u);
	/* nearly equal planes that the table holds facing opposite ways */
	assert_int_equal(remap[z2 >> 1] ^ (z2 & 1), z);
	assert_fails(&f->cx, mw_planes_merge_near(&f->cx, &f->t, 1, 0, remap, &merged), MW_ERANGE,
		"tolerance");
}

static mw_code all_of_it(mw_ctx *cx, void *ud)
{
	MW_UNUSED(ud);
	mw_planes t = {0};
	mw_plane_id id, remap[256];
	uint32_t merged;
	mw_code rc = mw_planes_init(cx, &t);
	for (int i = 0; !rc && i < 60; i++) {
		mw_vec3 p[3] = {mw_v3(i, 0.1, 0), mw_v3(0, i * 0.7, 0), mw_v3(1, 2, i + 0.3)};
		rc = mw_planes_add_points(cx, &t, &id, p);
		rc = rc ? rc : mw_planes_add(cx, &t, &id, mw_v3(1, i, 0), i);
	}
	rc = rc ? rc : mw_planes_merge_near(cx, &t, 1e-6, 1e-4, remap, &merged);
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
		T(three_points_clockwise_from_outside_give_the_outward_plane),
		T(one_plane_has_one_number_whatever_points_name_it),
		T(planes_of_many_digits_are_numbered_exactly_too),
		T(points_on_a_line_are_no_plane),
		T(numbers_that_are_not_finite_are_refused),
		T(extreme_coordinates_keep_their_order),
		T(side_tests_agree_with_cramer_in_128_bits),
		T(a_plane_a_hair_off_a_vertex_is_seen_on_the_right_side),
		T(points_are_classified_exactly),
		T(vertices_of_nearly_parallel_planes_come_with_a_true_error_bound),
		T(near_planes_merge_into_the_earlier_and_only_those),
		T(every_failing_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests_name("plane", tests, NULL, NULL);
}

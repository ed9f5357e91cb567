#include "raster/stamp.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "base/rng.h"
#include "support/oom.h"
#include "support/test.h"

static mw_ctx cx;
static const mw_grid grid = {0, 0, 8};

static int setup(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	return 0;
}

static mw_field flat(int32_t w, int32_t h, float level)
{
	mw_field f;
	assert_ok(&cx, mw_field_init(&cx, &f, w, h));
	mw_field_apply_number(&f, MW_FIELD_SET, level);
	return f;
}

static double smooth(double t)
{
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return t * t * (3 - 2 * t);
}

static void assert_near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("got %.9g, want %.9g within %g", got, want, tolerance);
}

static void a_disc_is_whole_inside_and_fades_outside(void **state)
{
	(void)state;
	mw_field f = flat(65, 49, 10);
	const mw_stamp_point c = {250.5, 200, 90};
	const mw_stamp_shape disc = {MW_STAMP_DISC, &c, 1, 80};
	assert_ok(&cx, mw_stamp(&cx, &f, grid, &disc, MW_STAMP_LEVEL, 60));
	for (int32_t j = 0; j < 49; j++) {
		for (int32_t i = 0; i < 65; i++) {
			double d = hypot(i * 8 - 250.5, j * 8 - 200);
			float v = mw_field_row(&f, j)[i];
			assert_near((double)v, 10 + 80 * smooth((140 - d) / 60), 1e-4);
			if (d <= 80)
				assert_true(v == 90);
			if (d >= 140)
				assert_true(v == 10);
		}
	}
	mw_field_free(&cx, &f);
}

static void modes_raise_lower_and_add(void **state)
{
	(void)state;
	const mw_stamp_point c = {8, 8, 5};
	const mw_stamp_shape disc = {MW_STAMP_DISC, &c, 1, 100};
	const float want[4][2] = {{5, 5}, {5, 9}, {1, 5}, {6, 14}};
	for (int mode = MW_STAMP_LEVEL; mode <= MW_STAMP_ADD; mode++) {
		mw_field f = flat(3, 3, 1);
		f.v[4] = 9;
		assert_ok(&cx, mw_stamp(&cx, &f, grid, &disc, (mw_stamp_mode)mode, 0));
		assert_true(f.v[0] == want[mode][0] && f.v[4] == want[mode][1]);
		mw_field_free(&cx, &f);
	}
}

/* Distance from a point to a segment, by trying many points of it. */
static double slow_distance(double x, double z, const mw_stamp_point *a, const mw_stamp_point *b)
{
	double best = 1e9;
	for (int k = 0; k <= 2000; k++) {
		double t = k / 2000.0;
		best = fmin(
			best, hypot(x - a->x - t * (b->x - a->x), z - a->z - t * (b->z - a->z)));
	}
	return best;
}

static void a_path_follows_its_line_and_levels(void **state)
{
	(void)state;
	mw_field f = flat(33, 33, 0);
	const mw_stamp_point p[3] = {{20, 30, 100}, {200, 60, 100}, {180, 230, 300}};
	const mw_stamp_shape path = {MW_STAMP_PATH, p, 3, 40};
	assert_ok(&cx, mw_stamp(&cx, &f, grid, &path, MW_STAMP_LEVEL, 0));
	for (int32_t j = 0; j < 33; j++) {
		for (int32_t i = 0; i < 33; i++) {
			double d0 = slow_distance(i * 8, j * 8, &p[0], &p[1]);
			double d1 = slow_distance(i * 8, j * 8, &p[1], &p[2]);
			float v = mw_field_row(&f, j)[i];
			if (fabs(fmin(d0, d1) - 20) < 0.2)
				continue;
			assert_true((v >= 100) == (fmin(d0, d1) < 20));
			if (d0 < 20 && d0 < d1 - 0.2)
				assert_true(v == 100);
		}
	}
	/* halfway along the second leg: (190, 145) rounds to the cell (192, 144) */
	assert_near((double)mw_field_row(&f, 18)[24], 200, 3);
	mw_field_free(&cx, &f);

	mw_field g = flat(9, 9, 0);
	const mw_stamp_shape dot = {MW_STAMP_PATH, p, 1, 20};
	assert_ok(&cx, mw_stamp(&cx, &g, grid, &dot, MW_STAMP_LEVEL, 0));
	assert_true(mw_field_row(&g, 4)[2] == 100 && mw_field_row(&g, 6)[2] == 0);
	mw_field_free(&cx, &g);
}

static void a_ramp_rises_evenly_between_straight_ends(void **state)
{
	(void)state;
	mw_field f = flat(65, 33, -50);
	const mw_stamp_point p[2] = {{80, 128, 0}, {400, 128, 160}};
	const mw_stamp_shape ramp = {MW_STAMP_RAMP, p, 2, 64};
	assert_ok(&cx, mw_stamp(&cx, &f, grid, &ramp, MW_STAMP_LEVEL, 0));
	for (int32_t j = 0; j < 33; j++) {
		for (int32_t i = 0; i < 65; i++) {
			bool in = i >= 10 && i <= 50 && j >= 12 && j <= 20;
			float v = mw_field_row(&f, j)[i];
			if (in)
				assert_near((double)v, 4.0 * (i - 10), 1e-4);
			else
				assert_true(v == -50);
		}
	}
	mw_field_free(&cx, &f);
}

static void a_rectangle_takes_its_corners_in_any_order(void **state)
{
	(void)state;
	mw_field f = flat(17, 17, 0);
	const mw_stamp_point p[2] = {{96, 40, 7}, {32, 64, 1}};
	const mw_stamp_shape rect = {MW_STAMP_RECT, p, 2, 0};
	assert_ok(&cx, mw_stamp(&cx, &f, grid, &rect, MW_STAMP_LEVEL, 16));
	for (int32_t j = 0; j < 17; j++) {
		for (int32_t i = 0; i < 17; i++) {
			double dx = fmax(fmax(32 - i * 8, i * 8 - 96), 0);
			double dz = fmax(fmax(40 - j * 8, j * 8 - 64), 0);
			assert_near((double)mw_field_row(&f, j)[i],
				7 * smooth(1 - hypot(dx, dz) / 16), 1e-5);
		}
	}
	mw_field_free(&cx, &f);
}

/* Crossing number on the left side, the textbook way. */
static bool inside_polygon(const mw_stamp_point *p, size_t n, double x, double z)
{
	bool in = false;
	for (size_t k = 0, l = n - 1; k < n; l = k++) {
		if ((p[k].z > z) != (p[l].z > z) &&
			x < (p[l].x - p[k].x) * (z - p[k].z) / (p[l].z - p[k].z) + p[k].x)
			in = !in;
	}
	return in;
}

static void polygons_agree_with_a_crossing_test(void **state)
{
	(void)state;
	mw_rng r;
	mw_rng_init(&r, 21, NULL);
	for (int round = 0; round < 40; round++) {
		mw_stamp_point p[9];
		size_t n = 3 + mw_rng_below(&r, 7);
		for (size_t k = 0; k < n; k++)
			p[k] = (mw_stamp_point){
				mw_rng_unit(&r) * 400 - 70, mw_rng_unit(&r) * 400 - 70, 1};
		mw_field f = flat(33, 33, 0);
		const mw_stamp_shape polygon = {MW_STAMP_POLYGON, p, n, 0};
		double soft = round % 2 ? 30 : 0;
		assert_ok(&cx, mw_stamp(&cx, &f, grid, &polygon, MW_STAMP_LEVEL, soft));
		for (int32_t j = 0; j < 33; j++) {
			for (int32_t i = 0; i < 33; i++) {
				double want = 1;
				if (!inside_polygon(p, n, i * 8, j * 8)) {
					double d = 1e9;
					for (size_t k = 0; k < n; k++)
						d = fmin(d,
							slow_distance(i * 8, j * 8, &p[k],
								&p[(k + 1) % n]));
					want = soft > 0 ? smooth(1 - d / soft) : 0;
				}
				assert_near((double)mw_field_row(&f, j)[i], want, 2e-3);
			}
		}
		mw_field_free(&cx, &f);
	}
}

static void shapes_beyond_the_field_change_nothing(void **state)
{
	(void)state;
	mw_field f = flat(9, 9, 3);
	const mw_stamp_point p[3] = {{-500, -500, 9}, {-400, -500, 9}, {-450, -300, 9}};
	for (int kind = MW_STAMP_DISC; kind <= MW_STAMP_POLYGON; kind++) {
		size_t n = kind == MW_STAMP_DISC ? 1 : kind == MW_STAMP_POLYGON ? 3 : 2;
		const mw_stamp_shape s = {(mw_stamp_kind)kind, p, n, 10};
		assert_ok(&cx, mw_stamp(&cx, &f, grid, &s, MW_STAMP_LEVEL, 20));
	}
	for (size_t k = 0; k < 81; k++)
		assert_true(f.v[k] == 3);
	mw_field_free(&cx, &f);
}

static void the_mean_is_of_what_lies_inside(void **state)
{
	(void)state;
	mw_field f = flat(9, 9, 100);
	for (int32_t j = 2; j <= 4; j++)
		for (int32_t i = 2; i <= 3; i++)
			mw_field_row(&f, j)[i] = (float)(i + 10 * j);
	const mw_stamp_point p[2] = {{16, 16, 0}, {24, 32, 0}};
	const mw_stamp_shape rect = {MW_STAMP_RECT, p, 2, 0};
	double mean;
	assert_ok(&cx, mw_stamp_mean(&cx, &mean, &f, grid, &rect));
	assert_true(mean == 32.5);
	/* a disc between the samples: bilinear at its middle */
	const mw_stamp_point c = {20, 20, 0};
	const mw_stamp_shape disc = {MW_STAMP_DISC, &c, 1, 2};
	assert_ok(&cx, mw_stamp_mean(&cx, &mean, &f, grid, &disc));
	assert_true(mean == 27.5);
	mw_field_free(&cx, &f);
}

static void senseless_shapes_are_refused(void **state)
{
	(void)state;
	mw_field f = flat(9, 9, 0);
	const mw_stamp_point p[3] = {{8, 8, 0}, {8, 8, 1}, {(double)NAN, 0, 0}};
	const mw_stamp_shape ramp = {MW_STAMP_RAMP, p, 2, 10};
	assert_fails(&cx, mw_stamp(&cx, &f, grid, &ramp, MW_STAMP_LEVEL, 0), MW_EINVALID,
		"no direction");
	const mw_stamp_shape two = {MW_STAMP_POLYGON, p, 2, 0};
	assert_fails(&cx, mw_stamp(&cx, &f, grid, &two, MW_STAMP_LEVEL, 0), MW_EINVALID,
		"a polygon of 2 points needs at least 3");
	const mw_stamp_shape nan = {MW_STAMP_PATH, p, 3, 10};
	assert_fails(&cx, mw_stamp(&cx, &f, grid, &nan, MW_STAMP_LEVEL, 0), MW_EINVALID,
		"a path: point 3 is not finite");
	const mw_stamp_shape disc = {MW_STAMP_DISC, p, 1, -3};
	assert_fails(&cx, mw_stamp(&cx, &f, grid, &disc, MW_STAMP_LEVEL, 0), MW_EINVALID, "-3");
	mw_field_free(&cx, &f);
}

static mw_code work(mw_ctx *c, void *ud)
{
	mw_field f;
	const mw_stamp_point p[4] = {{10, 10, 5}, {300, 40, 50}, {280, 260, 90}, {30, 200, 20}};
	mw_code code = mw_field_init(c, &f, 50, 40);
	for (int kind = MW_STAMP_DISC; code == MW_OK && kind <= MW_STAMP_POLYGON; kind++) {
		const size_t n[] = {1, 2, 4, 2, 4};
		const mw_stamp_shape s = {(mw_stamp_kind)kind, p, n[kind], 55};
		double mean = 0;
		code = mw_stamp(c, &f, grid, &s, MW_STAMP_LEVEL, 33);
		if (code == MW_OK)
			code = mw_stamp_mean(c, &mean, &f, grid, &s);
		mw_field_apply_number(&f, MW_FIELD_SUB, (float)mean);
	}
	if (code == MW_OK && ud)
		memcpy(ud, f.v, 50 * 40 * sizeof(float));
	mw_field_free(c, &f);
	return code;
}

static void threads_and_failing_allocations(void **state)
{
	(void)state;
	static float one[2000], many[2000];
	assert_ok(&cx, work(&cx, one));
	cx.pool = mw_pool_new(&cx, 5);
	assert_ok(&cx, work(&cx, many));
	mw_pool_free(cx.pool);
	cx.pool = NULL;
	assert_memory_equal(one, many, sizeof one);
	oom_sweep(work, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_disc_is_whole_inside_and_fades_outside, setup),
		cmocka_unit_test_setup(modes_raise_lower_and_add, setup),
		cmocka_unit_test_setup(a_path_follows_its_line_and_levels, setup),
		cmocka_unit_test_setup(a_ramp_rises_evenly_between_straight_ends, setup),
		cmocka_unit_test_setup(a_rectangle_takes_its_corners_in_any_order, setup),
		cmocka_unit_test_setup(polygons_agree_with_a_crossing_test, setup),
		cmocka_unit_test_setup(shapes_beyond_the_field_change_nothing, setup),
		cmocka_unit_test_setup(the_mean_is_of_what_lies_inside, setup),
		cmocka_unit_test_setup(senseless_shapes_are_refused, setup),
		cmocka_unit_test_setup(threads_and_failing_allocations, setup),
	};
	return cmocka_run_group_tests_name("stamp", tests, NULL, NULL);
}

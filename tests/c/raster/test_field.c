/* Samples and arithmetic of fields, and what holds for all that is done to them. */
#include "raster/field.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "raster/fields.h"
#include "support/oom.h"

static void a_new_field_is_zero_and_aligned(void **state)
{
	(void)state;
	mw_field f = make(5, 3);
	assert_int_equal((uintptr_t)f.v % 64, 0);
	for (size_t i = 0; i < 15; i++)
		assert_true(f.v[i] == 0.0f);
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &f); /* idempotent */
	assert_null(f.v);
}

static void sizes_outside_the_limits_are_refused(void **state)
{
	(void)state;
	mw_field f;
	assert_fails(&cx, mw_field_init(&cx, &f, 0, 4), MW_ERANGE, "0 x 4");
	assert_null(f.v);
	assert_fails(&cx, mw_field_init(&cx, &f, 4, -1), MW_ERANGE, "-1");
	assert_fails(&cx, mw_field_init(&cx, &f, MW_FIELD_SIDE_MAX + 1, 1), MW_ERANGE, "32770");
	assert_fails(&cx, mw_field_init(&cx, &f, 20000, 20000), MW_ELIMIT, "larger than 268435456");
	assert_null(f.v);
}

static void statistics_skip_what_is_not_finite(void **state)
{
	(void)state;
	mw_field f = make(4, 2);
	const float v[8] = {3, -1, NAN, 5, INFINITY, 1, -INFINITY, 2};
	memcpy(f.v, v, sizeof v);
	mw_field_stats st = mw_field_measure(&f);
	assert_true(st.min == -1 && st.max == 5 && st.mean == 2);
	assert_int_equal(st.nan, 1);
	assert_int_equal(st.inf, 2);
	assert_int_equal(st.bad_i, 2);
	assert_int_equal(st.bad_j, 0);
	assert_fails(&cx, mw_field_require_finite(&cx, &f, "height"), MW_ERANGE,
		"height at sample (2, 0) is not a number; 3 of 8");
	f.v[2] = 0;
	assert_fails(
		&cx, mw_field_require_finite(&cx, &f, "height"), MW_ERANGE, "(0, 1) is infinite");
	f.v[4] = f.v[6] = 0;
	assert_ok(&cx, mw_field_require_finite(&cx, &f, "height"));
	mw_field_free(&cx, &f);
}

static void a_histogram_counts_both_ends_and_nothing_outside(void **state)
{
	(void)state;
	mw_field f = make(8, 1);
	const float v[8] = {0, 0.49f, 0.5f, 1, 2, 2.01f, -0.01f, NAN};
	uint64_t bins[4];
	memcpy(f.v, v, sizeof v);
	mw_field_histogram(&f, 0, 2, bins, 4);
	assert_int_equal(bins[0], 2);
	assert_int_equal(bins[1], 1);
	assert_int_equal(bins[2], 1);
	assert_int_equal(bins[3], 1);
	mw_field_free(&cx, &f);
}

static void bilinear_and_engine_heights_by_hand(void **state)
{
	(void)state;
	mw_field f = make(2, 2);
	const mw_grid grid = {100, 200, 8};
	f.v[0] = 0;
	f.v[1] = 8;  /* north-east */
	f.v[2] = 16; /* south-west */
	f.v[3] = 100;
	assert_true(mw_field_sample(&f, grid, 104, 204) == 31); /* (0 + 8 + 16 + 100) / 4 */
	/* the north-west triangle is the plane 0 + 8 dx + 16 dz */
	assert_true(mw_field_height_at(&f, grid, 102, 202) == 6);
	/* on the cut both triangles agree: (8 + 16) / 2 */
	assert_true(mw_field_height_at(&f, grid, 104, 204) == 12);
	/* the other: 100 + (1 - dx)(16 - 100) + (1 - dz)(8 - 100) */
	assert_true(mw_field_height_at(&f, grid, 106, 206) == 100 - 21 - 23);
	/* outside: the edge */
	assert_true(mw_field_height_at(&f, grid, 0, 0) == 0);
	assert_true(mw_field_height_at(&f, grid, 1e9, 1e9) == 100);
	assert_true(mw_field_sample(&f, grid, -1e9, 1e9) == 16);
	assert_true(mw_field_sample_cubic(&f, grid, 108, 208) == 100);
	mw_field_free(&cx, &f);

	mw_field one = make(1, 1);
	one.v[0] = 7;
	assert_true(mw_field_sample(&one, grid, 3, 3) == 7);
	assert_true(mw_field_sample_cubic(&one, grid, 3, 3) == 7);
	assert_true(mw_field_height_at(&one, grid, 3, 3) == 7);
	mw_field_free(&cx, &one);
}

static void cubic_sampling_follows_a_parabola(void **state)
{
	(void)state;
	mw_field f = make(9, 9);
	const mw_grid grid = {0, 0, 1};
	for (int32_t j = 0; j < 9; j++)
		for (int32_t i = 0; i < 9; i++)
			mw_field_row(&f, j)[i] = (float)(i * i + 3 * j);
	assert_near(mw_field_sample_cubic(&f, grid, 4.3, 2.75), 4.3 * 4.3 + 3 * 2.75, 1e-12);
	assert_near(mw_field_sample(&f, grid, 4.25, 2.75), 16 + 0.25 * 9 + 3 * 2.75, 1e-12);
	mw_field_free(&cx, &f);
}

static void arithmetic_of_two_fields(void **state)
{
	(void)state;
	const float a[3] = {6, -2, 0.5f};
	const float b[3] = {3, 4, -1};
	const float want[7][3] = {{3, 4, -1}, {9, 2, -0.5f}, {3, -6, 1.5f}, {18, -8, -0.5f},
		{2, -0.5f, -0.5f}, {3, -2, -1}, {6, 4, 0.5f}};
	mw_field f = make(3, 1);
	mw_field g = make(3, 1);
	memcpy(g.v, b, sizeof b);
	for (int op = MW_FIELD_SET; op <= MW_FIELD_MAX; op++) {
		memcpy(f.v, a, sizeof a);
		assert_ok(&cx, mw_field_apply(&cx, &f, (mw_field_op)op, &g));
		assert_memory_equal(f.v, want[op], sizeof a);
	}
	memcpy(f.v, a, sizeof a);
	assert_ok(&cx, mw_field_madd(&cx, &f, &g, 2));
	assert_true(f.v[0] == 12 && f.v[1] == 6 && f.v[2] == -1.5f);
	mw_field other = make(1, 3);
	assert_fails(
		&cx, mw_field_apply(&cx, &f, MW_FIELD_ADD, &other), MW_EINVALID, "3 x 1 and 1 x 3");
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &g);
	mw_field_free(&cx, &other);
}

static void arithmetic_with_a_number(void **state)
{
	(void)state;
	const float a[3] = {6, -2, 0.5f};
	const float want[7][3] = {{2, 2, 2}, {8, 0, 2.5f}, {4, -4, -1.5f}, {12, -4, 1},
		{3, -1, 0.25f}, {2, -2, 0.5f}, {6, 2, 2}};
	mw_field f = make(3, 1);
	for (int op = MW_FIELD_SET; op <= MW_FIELD_MAX; op++) {
		memcpy(f.v, a, sizeof a);
		mw_field_apply_number(&f, (mw_field_op)op, 2);
		assert_memory_equal(f.v, want[op], sizeof a);
	}
	memcpy(f.v, a, sizeof a);
	mw_field_scale(&f, 2, 1);
	assert_true(f.v[0] == 13 && f.v[1] == -3 && f.v[2] == 2);
	mw_field_clamp(&f, 0, 10);
	assert_true(f.v[0] == 10 && f.v[1] == 0 && f.v[2] == 2);
	f.v[0] = -0.0f;
	f.v[1] = -7;
	mw_field_abs(&f);
	assert_true(f.v[0] == 0 && !signbit(f.v[0]) && f.v[1] == 7);
	mw_field_free(&cx, &f);
}

static void a_mask_of_one_takes_the_other_value_exactly(void **state)
{
	(void)state;
	mw_field f = make(3, 1);
	mw_field g = make(3, 1);
	mw_field mask = make(3, 1);
	for (int i = 0; i < 3; i++) {
		f.v[i] = 1e8f;
		g.v[i] = 0.1f;
		mask.v[i] = (float)i / 2;
	}
	assert_ok(&cx, mw_field_lerp(&cx, &f, &g, &mask));
	assert_true(f.v[0] == 1e8f && f.v[1] == 5e7f && f.v[2] == 0.1f);
	f.v[2] = 1e8f;
	assert_ok(&cx, mw_field_lerp_number(&cx, &f, 0.3f, &mask));
	assert_true(f.v[0] == 1e8f && f.v[2] == 0.3f);
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &g);
	mw_field_free(&cx, &mask);
}

static void normalising_reaches_both_ends_exactly(void **state)
{
	(void)state;
	mw_field f = rough(33, 17, 5);
	f.v[3] = NAN;
	mw_field_normalise(&f, -0.1f, 0.7f);
	mw_field_stats st = mw_field_measure(&f);
	assert_true(st.min == -0.1f && st.max == 0.7f);
	assert_int_equal(st.nan, 1);
	mw_field_apply_number(&f, MW_FIELD_SET, 12);
	mw_field_normalise(&f, 3, 9);
	assert_true(f.v[0] == 3 && f.v[100] == 3);
	mw_field_free(&cx, &f);
}

static void a_curve_is_straight_between_its_points(void **state)
{
	(void)state;
	const double xs[3] = {0, 10, 30};
	const double ys[3] = {5, 25, -15};
	mw_field f = make(7, 1);
	const float v[7] = {-4, 0, 5, 10, 20, 30, 99};
	const float want[7] = {5, 5, 15, 25, 5, -15, -15};
	memcpy(f.v, v, sizeof v);
	assert_ok(&cx, mw_field_curve(&cx, &f, xs, ys, 3));
	assert_memory_equal(f.v, want, sizeof want);
	const double bad[3] = {0, 10, 10};
	assert_fails(&cx, mw_field_curve(&cx, &f, bad, ys, 3), MW_EINVALID, "point 3 is at 10");
	mw_field_free(&cx, &f);
}

static void terraces_are_flat_and_end_at_the_next_step(void **state)
{
	(void)state;
	mw_field f = make(8, 1);
	const float v[8] = {0, 7.9f, 8, 9, 9.999f, 10, -1, -10};
	memcpy(f.v, v, sizeof v);
	mw_field_terrace(&f, 10, 0, 0.2f);
	assert_true(f.v[0] == 0 && f.v[1] == 0 && f.v[5] == 10 && f.v[7] == -10);
	assert_near((double)f.v[3], 5, 1e-4); /* halfway up the riser 8..10 */
	assert_near((double)f.v[4], 10, 1e-2);
	assert_near((double)f.v[6], -5, 1e-4); /* riser -2..0 of the tread at -10 */
	const float w[8] = {9.99f, 10, 10.01f, -0.01f, 0, NAN, 1e30f, 19};
	memcpy(f.v, w, sizeof w);
	mw_field_terrace(&f, 10, 0, 0);
	assert_true(f.v[0] == 0 && f.v[1] == 10 && f.v[2] == 10 && f.v[3] == -10 && f.v[4] == 0);
	assert_true(isnan(f.v[5]) && f.v[6] == 1e30f && f.v[7] == 10);
	mw_field_apply_number(&f, MW_FIELD_SET, 12.5f);
	mw_field_terrace(&f, 10, 3, 0);
	assert_true(f.v[0] == 3);
	mw_field_free(&cx, &f);
}

/* ---- threads and memory */

static mw_code everything(mw_ctx *c, void *ud)
{
	mw_field f = {0};
	mw_field g = {0};
	mw_field out = {0};
	mw_field slope = {0};
	mw_code code = mw_field_init(c, &f, 101, 67);
	if (code == MW_OK)
		code = mw_field_init(c, &out, 150, 40);
	if (code == MW_OK)
		code = mw_field_init(c, &slope, 101, 67);
	if (code == MW_OK) {
		mw_rng r;
		mw_rng_init(&r, 77, NULL);
		for (size_t i = 0; i < mw_field_count(&f); i++)
			f.v[i] = (float)mw_rng_unit(&r);
		code = mw_field_blur(c, &f, 3.3);
	}
	if (code == MW_OK)
		code = mw_field_mirror(c, &f, (mw_mirror){MW_MIRROR_TURN, 5}, 4);
	if (code == MW_OK)
		code = mw_field_slope(c, &slope, &f, 1);
	if (code == MW_OK)
		code = mw_field_apply(c, &f, MW_FIELD_ADD, &slope);
	if (code == MW_OK)
		code = mw_field_curvature(c, &slope, &f, 1);
	if (code == MW_OK)
		code = mw_field_resample(c, &out, &slope, MW_RESAMPLE_CUBIC);
	if (code == MW_OK)
		code = mw_field_copy(c, &g, &out);
	if (code == MW_OK && ud)
		memcpy(ud, g.v, mw_field_count(&g) * sizeof(float));
	mw_field_free(c, &f);
	mw_field_free(c, &g);
	mw_field_free(c, &out);
	mw_field_free(c, &slope);
	return code;
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
	(void)state;
	static float one[150 * 40], many[150 * 40];
	assert_ok(&cx, everything(&cx, one));
	const int threads[] = {2, 7};
	for (size_t k = 0; k < 2; k++) {
		cx.pool = mw_pool_new(&cx, threads[k]);
		assert_non_null(cx.pool);
		assert_ok(&cx, everything(&cx, many));
		mw_pool_free(cx.pool);
		cx.pool = NULL;
		assert_memory_equal(one, many, sizeof one);
	}
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	oom_sweep(everything, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_new_field_is_zero_and_aligned, setup),
		cmocka_unit_test_setup(sizes_outside_the_limits_are_refused, setup),
		cmocka_unit_test_setup(statistics_skip_what_is_not_finite, setup),
		cmocka_unit_test_setup(a_histogram_counts_both_ends_and_nothing_outside, setup),
		cmocka_unit_test_setup(bilinear_and_engine_heights_by_hand, setup),
		cmocka_unit_test_setup(cubic_sampling_follows_a_parabola, setup),
		cmocka_unit_test_setup(arithmetic_of_two_fields, setup),
		cmocka_unit_test_setup(arithmetic_with_a_number, setup),
		cmocka_unit_test_setup(a_mask_of_one_takes_the_other_value_exactly, setup),
		cmocka_unit_test_setup(normalising_reaches_both_ends_exactly, setup),
		cmocka_unit_test_setup(a_curve_is_straight_between_its_points, setup),
		cmocka_unit_test_setup(terraces_are_flat_and_end_at_the_next_step, setup),
		cmocka_unit_test_setup(any_number_of_threads_gives_the_same_bits, setup),
		cmocka_unit_test_setup(every_allocation_may_fail, setup),
	};
	return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}

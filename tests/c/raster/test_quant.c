#include "raster/quant.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "support/test.h"

static mw_ctx cx;

static int setup(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	return 0;
}

static void the_engines_formula_by_hand(void **state)
{
	(void)state;
	/* range 720: one step is 720 / 65536; 559.98901367 is word 65535 of -160..560 */
	mw_field f;
	uint16_t out[8];
	mw_quant_clip clip;
	assert_ok(&cx, mw_field_init(&cx, &f, 8, 1));
	const float v[8] = {-160, 200, 559.98901367f, 560, 0, -160 + 0.0054f, -160 + 0.0056f, 380};
	memcpy(f.v, v, sizeof v);
	assert_ok(&cx, mw_quantize_u16(&cx, out, &clip, &f, -160, 560));
	const uint16_t want[8] = {0, 32768, 65535, 65535, 14564, 0, 1, 49152};
	assert_memory_equal(out, want, sizeof want);
	assert_int_equal(clip.below + clip.above, 0); /* 560 itself is one step off, not clipped */
	float back[8];
	mw_dequantize_u16(back, out, 8, -160, 560);
	assert_true(back[0] == -160.0f && back[1] == 200.0f && back[7] == 380.0f);
	assert_true(fabsf(back[2] - 559.98901f) < 1e-4f);
	mw_field_free(&cx, &f);
}

static void infinities_and_giants_are_clamped_and_counted(void **state)
{
	(void)state;
	mw_field f;
	static uint16_t out[129 * 129];
	mw_quant_clip clip;
	assert_ok(&cx, mw_field_init(&cx, &f, 129, 129));
	f.v[1] = INFINITY;
	f.v[2] = -INFINITY;
	f.v[3] = 1e9f;
	f.v[4] = -0.0f;
	assert_ok(&cx, mw_quantize_u16(&cx, out, &clip, &f, -100, 100));
	assert_int_equal(out[1], 65535);
	assert_int_equal(out[2], 0);
	assert_int_equal(out[3], 65535);
	assert_int_equal(out[4], 32768);
	assert_int_equal(out[0], 32768);
	assert_int_equal(clip.above, 2);
	assert_int_equal(clip.below, 1);
	assert_int_equal(clip.above_i, 1);
	assert_int_equal(clip.below_i, 2);
	assert_int_equal(clip.below_j, 0);
	assert_true(isinf(clip.worst_above) && isinf(clip.worst_below));
	f.v[129 * 70 + 5] = NAN;
	assert_fails(&cx, mw_quantize_u16(&cx, out, &clip, &f, -100, 100), MW_ERANGE,
		"sample (5, 70) is not a number");
	mw_field_free(&cx, &f);
}

static void what_lies_outside_is_measured(void **state)
{
	(void)state;
	mw_field f;
	uint16_t out[6];
	mw_quant_clip clip;
	assert_ok(&cx, mw_field_init(&cx, &f, 3, 2));
	/* a step is 1: -1 loses just one step */
	const float v[6] = {-1, 65536, 65540, -7, -3, 65537};
	memcpy(f.v, v, sizeof v);
	assert_ok(&cx, mw_quantize_u16(&cx, out, &clip, &f, 0, 65536));
	const uint16_t want[6] = {0, 65535, 65535, 0, 0, 65535};
	assert_memory_equal(out, want, sizeof want);
	assert_int_equal(clip.below, 2);
	assert_int_equal(clip.above, 2);
	assert_true(clip.worst_below == 7 && clip.worst_above == 4);
	assert_true(clip.below_i == 0 && clip.below_j == 1);
	assert_true(clip.above_i == 2 && clip.above_j == 0);
	mw_field_free(&cx, &f);
}

static void a_range_of_nothing_gives_zeros(void **state)
{
	(void)state;
	mw_field f;
	uint16_t out[2] = {9, 9};
	mw_quant_clip clip;
	assert_ok(&cx, mw_field_init(&cx, &f, 2, 1));
	f.v[0] = 50;
	f.v[1] = 51;
	assert_ok(&cx, mw_quantize_u16(&cx, out, &clip, &f, 50, 50));
	assert_true(out[0] == 0 && out[1] == 0);
	assert_int_equal(clip.above, 1);
	assert_true(clip.worst_above == 1);
	mw_field_free(&cx, &f);
}

static void bad_ranges_are_refused(void **state)
{
	(void)state;
	mw_field f;
	uint16_t out[1];
	assert_ok(&cx, mw_field_init(&cx, &f, 1, 1));
	assert_fails(&cx, mw_quantize_u16(&cx, out, NULL, &f, 10, -10), MW_EINVALID,
		"lowest value 10 is above the highest -10");
	assert_fails(&cx, mw_quantize_u16(&cx, out, NULL, &f, (double)NAN, 1), MW_EINVALID,
		"not finite");
	assert_fails(&cx, mw_quantize_u16(&cx, out, NULL, &f, 0, (double)INFINITY), MW_EINVALID,
		"not finite");
	assert_fails(&cx, mw_quantize_u16(&cx, out, NULL, &f, 0, 1e-310), MW_EINVALID, "too small");
	mw_field_free(&cx, &f);
}

static void bytes_reach_both_ends(void **state)
{
	(void)state;
	mw_field f;
	uint8_t out[6];
	mw_quant_clip clip;
	assert_ok(&cx, mw_field_init(&cx, &f, 6, 1));
	const float v[6] = {0, 1, 0.5f, 0.0019f, 0.002f, 1.3f};
	memcpy(f.v, v, sizeof v);
	assert_ok(&cx, mw_quantize_u8(&cx, out, &clip, &f, 0, 1));
	const uint8_t want[6] = {0, 255, 128, 0, 1, 255};
	assert_memory_equal(out, want, sizeof want);
	assert_int_equal(clip.above, 1);
	for (int k = 0; k < 6; k++)
		f.v[k] = (float)(k * 50);
	assert_ok(&cx, mw_quantize_u8(&cx, out, NULL, &f, 0, 255));
	for (int k = 0; k < 6; k++)
		assert_int_equal(out[k], k * 50);
	mw_field_free(&cx, &f);
}

static void every_word_survives_the_round_trip(void **state)
{
	(void)state;
	static uint16_t words[65536], again[65536];
	mw_field f;
	const double ranges[][2] = {{-160, 560}, {0, 1}, {-3000, 12000}, {10, 10.5}};
	assert_ok(&cx, mw_field_init(&cx, &f, 256, 256));
	for (int k = 0; k < 65536; k++)
		words[k] = (uint16_t)k;
	for (size_t r = 0; r < MW_COUNTOF(ranges); r++) {
		mw_dequantize_u16(f.v, words, 65536, (float)ranges[r][0], (float)ranges[r][1]);
		assert_ok(&cx, mw_quantize_u16(&cx, again, NULL, &f, ranges[r][0], ranges[r][1]));
		assert_memory_equal(words, again, sizeof words);
	}
	mw_field_free(&cx, &f);
}

static void the_error_stays_within_half_a_step(void **state)
{
	(void)state;
	mw_field f;
	static uint16_t out[100 * 100];
	static float back[100 * 100];
	mw_rng r;
	mw_rng_init(&r, 3, NULL);
	assert_ok(&cx, mw_field_init(&cx, &f, 100, 100));
	for (size_t i = 0; i < 10000; i++)
		f.v[i] = (float)(mw_rng_unit(&r) * 719.98 - 160);
	assert_ok(&cx, mw_quantize_u16(&cx, out, NULL, &f, -160, 560));
	mw_dequantize_u16(back, out, 10000, -160, 560);
	for (size_t i = 0; i < 10000; i++)
		assert_true(fabs((double)back[i] - (double)f.v[i]) <= 0.5 * 720 / 65536 + 4e-5);
	mw_field_free(&cx, &f);
}

static void the_first_bad_sample_is_named_for_any_number_of_threads(void **state)
{
	(void)state;
	mw_field f;
	static uint16_t out[64 * 500];
	assert_ok(&cx, mw_field_init(&cx, &f, 64, 500));
	f.v[64 * 90 + 3] = NAN;
	f.v[64 * 450 + 1] = NAN;
	const int threads[] = {1, 2, 7};
	for (size_t k = 0; k < 3; k++) {
		cx.pool = mw_pool_new(&cx, threads[k]);
		assert_fails(&cx, mw_quantize_u16(&cx, out, NULL, &f, 0, 1), MW_ERANGE, "(3, 90)");
		mw_pool_free(cx.pool);
		cx.pool = NULL;
	}
	mw_field_free(&cx, &f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_engines_formula_by_hand, setup),
		cmocka_unit_test_setup(infinities_and_giants_are_clamped_and_counted, setup),
		cmocka_unit_test_setup(what_lies_outside_is_measured, setup),
		cmocka_unit_test_setup(a_range_of_nothing_gives_zeros, setup),
		cmocka_unit_test_setup(bad_ranges_are_refused, setup),
		cmocka_unit_test_setup(bytes_reach_both_ends, setup),
		cmocka_unit_test_setup(every_word_survives_the_round_trip, setup),
		cmocka_unit_test_setup(the_error_stays_within_half_a_step, setup),
		cmocka_unit_test_setup(
			the_first_bad_sample_is_named_for_any_number_of_threads, setup),
	};
	return cmocka_run_group_tests_name("quant", tests, NULL, NULL);
}

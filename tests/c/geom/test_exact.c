#include "support/test.h"

#include "base/rng.h"
#include "geom/exact.h"

#include <string.h>

static mw_i128 value(const mw_big *b)
{
	mw_u128 m = b->n ? b->w[0] : 0;
	if (b->n > 1)
		m |= (mw_u128)b->w[1] << 64;
	assert_true(b->n <= 2);
	return b->sign < 0 ? -(mw_i128)m : (mw_i128)m;
}

static int64_t some(mw_rng *r, int bits)
{
	int64_t x = (int64_t)(mw_rng_u64(r) >> (64 - bits));
	return mw_rng_below(r, 2) ? x : -x;
}

static void sums_and_products_agree_with_128_bit_arithmetic(void **state)
{
	MW_UNUSED(state);
	mw_rng r;
	mw_rng_init(&r, 1, "exact");
	for (int i = 0; i < 20000; i++) {
		int64_t x = some(&r, 1 + (int)mw_rng_below(&r, 62));
		int64_t y = some(&r, 1 + (int)mw_rng_below(&r, 62));
		mw_big a, b, c;
		mw_big_set_i64(&a, x);
		mw_big_set_i64(&b, y);
		mw_big_add(&c, &a, &b);
		assert_true(value(&c) == (mw_i128)x + y);
		mw_big_sub(&c, &a, &b);
		assert_true(value(&c) == (mw_i128)x - y);
		mw_big_mul(&c, &a, &b);
		assert_true(value(&c) == (mw_i128)x * y);
		assert_int_equal(mw_big_cmp(&a, &b), x < y ? -1 : x > y);
	}
}

static void random_big(mw_rng *r, mw_big *b, uint32_t limbs)
{
	b->n = 1 + (uint32_t)mw_rng_below(r, limbs);
	b->sign = mw_rng_below(r, 2) ? 1 : -1;
	for (uint32_t i = 0; i < b->n; i++)
		b->w[i] = mw_rng_below(r, 4) ? mw_rng_u64(r) : mw_rng_below(r, 2) ? 0 : UINT64_MAX;
	b->w[b->n - 1] |= 1;
}

static void division_undoes_multiplication_and_gcd_finds_the_factor(void **state)
{
	MW_UNUSED(state);
	mw_rng r;
	mw_rng_init(&r, 2, "exact");
	for (int i = 0; i < 2000; i++) {
		static mw_big a, b, c, q, g, rest;
		random_big(&r, &a, 9);
		random_big(&r, &b, 9);
		b.sign = 1;
		mw_big_mul(&c, &a, &b);
		mw_big_div_exact(&q, &c, &b);
		assert_int_equal(mw_big_cmp(&q, &a), 0);
		/* gcd(a b, b) = b */
		mw_big_gcd(&g, &c, &b);
		assert_int_equal(mw_big_cmp(&g, &b), 0);
		/* gcd(b (x + 1), b x) = b for any x */
		mw_big one, x1;
		mw_big_set_i64(&one, 1);
		a.sign = 1;
		mw_big_add(&x1, &a, &one);
		mw_big_mul(&rest, &x1, &b);
		mw_big_gcd(&g, &c, &rest);
		assert_int_equal(mw_big_cmp(&g, &b), 0);
	}
}

static void shifts_and_lengths_are_consistent(void **state)
{
	MW_UNUSED(state);
	mw_rng r;
	mw_rng_init(&r, 3, "exact");
	for (int i = 0; i < 2000; i++) {
		static mw_big a, b, c;
		random_big(&r, &a, 5);
		uint32_t k = (uint32_t)mw_rng_below(&r, 300);
		mw_big_shl(&b, &a, k);
		assert_int_equal(mw_big_bits(&b), mw_big_bits(&a) + k);
		assert_int_equal(mw_big_twos(&b), mw_big_twos(&a) + k);
		mw_big_shr(&c, &b, k);
		assert_int_equal(mw_big_cmp(&c, &a), 0);
	}
}

static void doubles_convert_without_loss_over_their_whole_range(void **state)
{
	MW_UNUSED(state);
	static const double v[] = {0, -0.0, 1, -1, 0.1, 1e300, -1e300, 5e-324,
		2.2250738585072014e-308, 1.7976931348623157e308, 2.22045e-16, 4096.125};
	for (size_t i = 0; i < MW_COUNTOF(v); i++) {
		int k = mw_big_scale_of(v[i]), e;
		static mw_big b;
		mw_big_set_double(&b, v[i], k);
		double m = mw_big_frexp(&b, &e);
		assert_true(ldexp(m, e - k) == v[i]);
	}
	assert_int_equal(mw_big_scale_of(5e-324), 1074);
	assert_int_equal(mw_big_scale_of(0.75), 2);
	assert_int_equal(mw_big_scale_of(1e300), 0);
}

/* The same determinant in 128 bits, over integers. */
static int orient_by_hand(const int64_t p[4][3])
{
	mw_i128 u[3], v[3], w[3], det = 0;
	for (int i = 0; i < 3; i++) {
		u[i] = p[1][i] - p[0][i];
		v[i] = p[2][i] - p[0][i];
		w[i] = p[3][i] - p[0][i];
	}
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, l = (i + 2) % 3;
		det += w[i] * (u[j] * v[l] - u[l] * v[j]);
	}
	return det > 0 ? 1 : det < 0 ? -1 : 0;
}

static void orientation_is_exact_for_points_that_are_nearly_coplanar(void **state)
{
	MW_UNUSED(state);
	mw_rng r;
	mw_rng_init(&r, 4, "exact");
	int seen[3] = {0, 0, 0};
	for (int i = 0; i < 50000; i++) {
		/* around the plane x + y + z = 3 * 2^30, off by at most 2 units in 2^30 */
		int64_t p[4][3];
		mw_vec3 v[4];
		for (int k = 0; k < 4; k++) {
			p[k][0] = (INT64_C(1) << 30) + some(&r, 20);
			p[k][1] = (INT64_C(1) << 30) + some(&r, 20);
			p[k][2] = 3 * (INT64_C(1) << 30) - p[k][0] - p[k][1] +
				(k == 3 ? (int64_t)mw_rng_below(&r, 3) - 1 : 0);
			for (int a = 0; a < 3; a++)
				v[k].v[a] = ldexp((double)p[k][a], -20);
		}
		int want = orient_by_hand((const int64_t(*)[3])p);
		assert_int_equal(mw_exact_orient(&v[0], &v[1], &v[2], &v[3]), want);
		seen[want + 1]++;
	}
	assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
}

static void orientation_survives_the_ends_of_the_number_range(void **state)
{
	MW_UNUSED(state);
	mw_vec3 o = mw_v3(0, 0, 0), x = mw_v3(1e308, 0, 0), y = mw_v3(0, 1e308, 0);
	mw_vec3 up = mw_v3(-1e308, 1e308, 5e-324), on = mw_v3(-1e308, 1e308, 0);
	assert_int_equal(mw_exact_orient(&o, &x, &y, &up), 1);
	assert_int_equal(mw_exact_orient(&o, &y, &x, &up), -1);
	assert_int_equal(mw_exact_orient(&o, &x, &y, &on), 0);
	mw_vec3 tiny = mw_v3(5e-324, 0, 0), tiny2 = mw_v3(0, 5e-324, 0), t3 = mw_v3(0, 0, 5e-324);
	assert_int_equal(mw_exact_orient(&o, &tiny, &tiny2, &t3), 1);
}

static void collinear_points_are_told_from_nearly_collinear_ones(void **state)
{
	MW_UNUSED(state);
	mw_vec3 a = mw_v3(0.1, 0.2, 0.3), b = mw_v3(0.2, 0.4, 0.6), c = mw_v3(0.4, 0.8, 1.2);
	assert_true(mw_exact_collinear(&a, &b, &c)); /* exact doublings */
	c.z = nextafter(c.z, 2);
	assert_false(mw_exact_collinear(&a, &b, &c));
	assert_true(mw_exact_collinear(&a, &a, &c));
	mw_vec3 far_a = mw_v3(-1e300, -1e300, 0), o = mw_v3(0, 0, 0),
		far_b = mw_v3(1e300, 1e300, 0);
	assert_true(mw_exact_collinear(&far_a, &o, &far_b));
	o.z = 5e-324;
	assert_false(mw_exact_collinear(&far_a, &o, &far_b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_and_products_agree_with_128_bit_arithmetic),
		cmocka_unit_test(division_undoes_multiplication_and_gcd_finds_the_factor),
		cmocka_unit_test(shifts_and_lengths_are_consistent),
		cmocka_unit_test(doubles_convert_without_loss_over_their_whole_range),
		cmocka_unit_test(orientation_is_exact_for_points_that_are_nearly_coplanar),
		cmocka_unit_test(orientation_survives_the_ends_of_the_number_range),
		cmocka_unit_test(collinear_points_are_told_from_nearly_collinear_ones),
	};
	return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}

/* What a source is worth at a point: operations, powers, tables. */
#include "raster/source.h"

#include <math.h>

#include "base/rng.h"
#include "raster/sources.h"

/* ---- operations --------------------------------------------------------------------------------
 */

static void arithmetic_is_the_scalar_arithmetic(void **state)
{
	bench *b = *state;
	mw_source *x = x_of(b), *z = z_of(b);
	static const double at[][2] = {{3, 4}, {-2.5, 8}, {0, 7}, {1e6, -3e-3}, {-5, -5}};
	for (size_t i = 0; i < MW_COUNTOF(at); i++) {
		float p = (float)at[i][0], q = (float)at[i][1];
		double u = at[i][0], v = at[i][1];
		same(value_at(b, x, u, v), p);
		same(value_at(b, z, u, v), q);
		same(value_at(b, op2(b, MW_OP_ADD, x, z), u, v), p + q);
		same(value_at(b, op2(b, MW_OP_SUB, x, z), u, v), p - q);
		same(value_at(b, op2(b, MW_OP_MUL, x, z), u, v), p * q);
		same(value_at(b, op2(b, MW_OP_DIV, x, z), u, v), p / q);
		same(value_at(b, op2(b, MW_OP_MIN, x, z), u, v), p < q ? p : q);
		same(value_at(b, op2(b, MW_OP_MAX, x, z), u, v), p > q ? p : q);
		same(value_at(b, op2(b, MW_OP_STEP, x, z), u, v), p >= q ? 1 : 0);
		same(value_at(b, op1(b, MW_OP_ABS, x), u, v), fabsf(p));
		same(value_at(b, op1(b, MW_OP_NEG, x), u, v), -p);
		same(value_at(b, op1(b, MW_OP_FLOOR, x), u, v), floorf(p));
		same(value_at(b, op1(b, MW_OP_SQRT, op1(b, MW_OP_ABS, x)), u, v), sqrtf(fabsf(p)));
		same(value_at(b, op3(b, MW_OP_CLAMP, x, num(b, -1), num(b, 2)), u, v),
			p < -1          ? -1
				: p > 2 ? 2
					: p);
		same(value_at(b, op3(b, MW_OP_LERP, x, z, num(b, 0.25)), u, v),
			p + 0.25f * (q - p));
		same(value_at(b, op3(b, MW_OP_SELECT, x, z, num(b, 9)), u, v), p > 0 ? q : 9);
	}
}

static void smoothstep_climbs_from_low_to_high(void **state)
{
	bench *b = *state;
	mw_source *s = op3(b, MW_OP_SMOOTHSTEP, x_of(b), num(b, 10), num(b, 20));
	same(value_at(b, s, 9, 0), 0);
	same(value_at(b, s, 10, 0), 0);
	same(value_at(b, s, 12.5, 0), 0.15625); /* 3/16 - 2/64 */
	same(value_at(b, s, 15, 0), 0.5);
	same(value_at(b, s, 20, 0), 1);
	same(value_at(b, s, 99, 0), 1);
	/* An edge without width is a step. */
	s = op3(b, MW_OP_SMOOTHSTEP, x_of(b), num(b, 10), num(b, 10));
	same(value_at(b, s, 9, 0), 0);
	same(value_at(b, s, 10, 0), 0);
	same(value_at(b, s, 11, 0), 1);
}

static void what_is_not_a_number_comes_out_as_stated(void **state)
{
	bench *b = *state;
	mw_source *x = x_of(b), *zero = num(b, 0);
	same(value_at(b, op2(b, MW_OP_DIV, x, zero), 1, 0), INFINITY);
	same(value_at(b, op2(b, MW_OP_DIV, x, zero), -1, 0), -INFINITY);
	mw_source *nan = op2(b, MW_OP_DIV, x, x);
	float v = value_at(b, nan, 0, 0);
	uint32_t u;
	memcpy(&u, &v, sizeof u);
	assert_int_equal(u, 0x7fc00000u);
	v = value_at(b, op1(b, MW_OP_NEG, nan), 0, 0);
	memcpy(&u, &v, sizeof u);
	assert_int_equal(u, 0x7fc00000u);
	v = value_at(b, op1(b, MW_OP_SQRT, num(b, -1)), 0, 0);
	memcpy(&u, &v, sizeof u);
	assert_int_equal(u, 0x7fc00000u);
	same(value_at(b, op3(b, MW_OP_CLAMP, nan, num(b, -7), num(b, 7)), 0, 0), -7);
	same(value_at(b, op2(b, MW_OP_MIN, nan, num(b, 3)), 0, 0), 3);
	same(value_at(b, op2(b, MW_OP_MAX, nan, num(b, 3)), 0, 0), 3);
	same(value_at(b, op3(b, MW_OP_SELECT, nan, num(b, 3), num(b, 4)), 0, 0), 4);
	same(value_at(b, op2(b, MW_OP_STEP, nan, zero), 0, 0), 0);
}

/* ---- a ^ b -------------------------------------------------------------------------------------
 */

static float power(bench *b, float base, float exponent)
{
	/* Not as constants: those would be folded by the portable code alone. */
	mw_source *s = op2(b, MW_OP_POW, x_of(b), z_of(b));
	float v = value_at(b, s, (double)base, (double)exponent);
	for (int i = 0; i < 3; i++)
		mw_source_release(&b->cx, b->made[--b->n]);
	return v;
}

static void powers_of_special_values_are_those_of_ieee(void **state)
{
	bench *b = *state;
	static const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 2.0f, -2.0f, 3.0f,
		-3.0f, 2.5f, -2.5f, 16777216.0f, 16777215.0f, -16777215.0f, 1e-40f, 1e38f, INFINITY,
		-INFINITY, NAN};
	for (size_t i = 0; i < MW_COUNTOF(values); i++)
		for (size_t j = 0; j < MW_COUNTOF(values); j++) {
			float got = power(b, values[i], values[j]);
			float want = powf(values[i], values[j]);
			if (isnan(want))
				assert_true(isnan(got));
			else if (isinf(want) || want == 0.0f)
				assert_true(fabsf(got) == fabsf(want));
			else
				assert_true(fabsf(got - want) <= fabsf(want) * 1.2e-7f);
		}
}

static void powers_are_within_one_unit_in_the_last_place(void **state)
{
	bench *b = *state;
	mw_source *s = op2(b, MW_OP_POW, x_of(b), z_of(b));
	mw_program p = {0};
	mw_field f = {0};
	assert_ok(&b->cx, mw_program_compile(&b->cx, &p, &s, 1, &no_scope));
	assert_ok(&b->cx, mw_field_init(&b->cx, &f, 512, 64));
	double worst = 0;
	static const mw_grid grids[] = {{0.001, -4, 0.0123}, {0.9, -300, 0.0004}, {900, -30, 77.7},
		{1e-3, 0.4999, 1e-3}, {1e5, 0, 0.1}};
	for (size_t g = 0; g < MW_COUNTOF(grids); g++) {
		assert_ok(&b->cx, mw_program_eval(&b->cx, &p, &grids[g], &f));
		for (int j = 0; j < f.h; j++)
			for (int i = 0; i < f.w; i++) {
				float x = (float)(grids[g].x0 + i * grids[g].step);
				float z = (float)(grids[g].z0 + j * grids[g].step);
				long double want = powl((long double)x, (long double)z);
				float got = mw_field_row(&f, j)[i], near = (float)want;
				if (isinf(near) || fabsf(near) < 1.2e-38f) {
					assert_true(got == near ||
						fabsl((long double)got - want) < 1.5e-45L);
					continue;
				}
				float unit = nextafterf(fabsf(near), INFINITY) - fabsf(near);
				double off = (double)(fabsl((long double)got - want) /
					(long double)unit);
				worst = off > worst ? off : worst;
			}
	}
	assert_true(worst < 0.51); /* nearly always the nearest float, never further than one */
	mw_field_free(&b->cx, &f);
	mw_program_free(&b->cx, &p);
}

static void a_square_is_a_product(void **state)
{
	bench *b = *state;
	mw_source *x = x_of(b);
	mw_source *square = op2(b, MW_OP_POW, x, num(b, 2));
	same(value_at(b, square, -3, 0), 9);
	same(value_at(b, op2(b, MW_OP_POW, x, num(b, 1)), -3.7, 0), -3.7f);
	same(value_at(b, op2(b, MW_OP_POW, x, num(b, 3)), -3, 0), -27);
	same(value_at(b, op2(b, MW_OP_POW, num(b, 2), x), 10, 0), 1024);
}

/* ---- tables ------------------------------------------------------------------------------------
 */

static void a_curve_joins_its_points(void **state)
{
	bench *b = *state;
	static const double xs[] = {-10, 0, 10, 30}, ys[] = {5, 0, 100, 60};
	mw_source *s = curved(b, x_of(b), xs, ys, 4, false);
	same(value_at(b, s, -99, 0), 5);
	same(value_at(b, s, -10, 0), 5);
	same(value_at(b, s, -5, 0), 2.5);
	same(value_at(b, s, 0, 0), 0);
	same(value_at(b, s, 4, 0), 40);
	same(value_at(b, s, 10, 0), 100);
	same(value_at(b, s, 20, 0), 80);
	same(value_at(b, s, 30, 0), 60);
	same(value_at(b, s, 1e9, 0), 60);
	/* A single point is a constant; infinity is beyond the last. */
	same(value_at(b, curved(b, x_of(b), xs, ys, 1, false), 77, 0), 5);
	mw_source *infinite = op2(b, MW_OP_DIV, x_of(b), num(b, 0));
	same(value_at(b, curved(b, infinite, xs, ys, 4, false), 1, 0), 60);
	same(value_at(b, curved(b, infinite, xs, ys, 4, false), -1, 0), 5);
}

static void a_smooth_curve_keeps_to_its_points_and_never_overshoots(void **state)
{
	bench *b = *state;
	static const double xs[] = {0, 10, 20, 30, 40}, ys[] = {0, 0, 100, 100, 20};
	mw_source *s = curved(b, x_of(b), xs, ys, 5, true);
	float v[401];
	eval_into(b, s, (mw_grid){0, 0, 0.1}, 401, 1, 0, v);
	for (int i = 0; i < 5; i++)
		assert_true(fabs((double)v[i * 100] - ys[i]) < 1e-3);
	/* Between plateaus it is smoothstep: half way up in the middle, 100 * 5/32 at a quarter. */
	assert_true(fabsf(v[150] - 50.0f) < 0.01f);
	assert_true(fabsf(v[125] - 15.625f) < 0.01f);
	for (int i = 1; i < 401; i++) {
		float rise = v[i] - v[i - 1];
		assert_true(i <= 300 ? rise >= -1e-4f : rise <= 1e-4f);
		assert_true(v[i] >= -1e-3f && v[i] <= 100.001f);
	}
}

static void terraces_are_flat_and_climb_at_the_end(void **state)
{
	bench *b = *state;
	mw_source *s = terraced(b, x_of(b), 40, 10, 0.5);
	same(value_at(b, s, 10, 0), 10);
	same(value_at(b, s, 29, 0), 10);
	same(value_at(b, s, 30, 0), 10);
	same(value_at(b, s, 40, 0), 30); /* half way through the soft half of 10..50 */
	same(value_at(b, s, 50, 0), 50);
	same(value_at(b, s, -30, 0), -30);
	same(value_at(b, s, -20, 0), -30);
	s = terraced(b, x_of(b), 8, 0, 0);
	same(value_at(b, s, 7.999, 0), 0);
	same(value_at(b, s, 8, 0), 8);
	same(value_at(b, s, -0.5, 0), -8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(arithmetic_is_the_scalar_arithmetic),
		TEST(smoothstep_climbs_from_low_to_high),
		TEST(what_is_not_a_number_comes_out_as_stated),
		TEST(powers_of_special_values_are_those_of_ieee),
		TEST(powers_are_within_one_unit_in_the_last_place),
		TEST(a_square_is_a_product),
		TEST(a_curve_joins_its_points),
		TEST(a_smooth_curve_keeps_to_its_points_and_never_overshoots),
		TEST(terraces_are_flat_and_climb_at_the_end),
	};
	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}

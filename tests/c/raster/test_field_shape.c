/* What depends on more than one sample of a field: blur, symmetry, resampling, slope. */
#include "raster/field.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "raster/fields.h"

/* ---- blur */

static void a_blurred_point_has_the_wanted_spread(void **state)
{
	(void)state;
	const double radii[] = {0.5, 1, 2.7, 6, 13.3};
	for (size_t k = 0; k < MW_COUNTOF(radii); k++) {
		mw_field f = make(129, 129);
		mw_field_row(&f, 64)[64] = 1000;
		assert_ok(&cx, mw_field_blur(&cx, &f, radii[k]));
		double sum = 0;
		double var = 0;
		for (int32_t j = 0; j < 129; j++) {
			for (int32_t i = 0; i < 129; i++) {
				double v = (double)at(&f, i, j);
				assert_true(v >= 0);
				sum += v;
				var += v * (i - 64) * (i - 64);
			}
		}
		assert_near(sum, 1000, 1e-3);
		assert_near(sqrt(var / sum), radii[k] / 2, 1e-4);
		mw_field_free(&cx, &f);
	}
}

static void a_wide_blur_is_close_to_a_gaussian(void **state)
{
	(void)state;
	mw_field f = make(101, 3);
	for (int32_t j = 0; j < 3; j++)
		mw_field_row(&f, j)[50] = 1;
	assert_ok(&cx, mw_field_blur(&cx, &f, 16)); /* deviation 8 */
	for (int32_t i = 0; i < 101; i++) {
		double want = exp(-0.5 * (i - 50) * (i - 50) / 64.0) / (8 * sqrt(2 * 3.14159265));
		assert_near((double)at(&f, i, 1), want, 0.07 * 0.05);
	}
	mw_field_free(&cx, &f);
}

static void blurring_keeps_a_flat_field(void **state)
{
	(void)state;
	mw_field f = make(40, 30);
	mw_field_apply_number(&f, MW_FIELD_SET, 123.456f);
	assert_ok(&cx, mw_field_blur(&cx, &f, 500)); /* far wider than the field */
	for (size_t i = 0; i < mw_field_count(&f); i++)
		assert_true(f.v[i] == 123.456f);
	mw_field_free(&cx, &f);
}

static void blurring_refuses_bad_input(void **state)
{
	(void)state;
	mw_field f = make(4, 4);
	assert_fails(&cx, mw_field_blur(&cx, &f, -1), MW_ERANGE, "-1");
	assert_fails(&cx, mw_field_blur(&cx, &f, (double)NAN), MW_ERANGE, "outside");
	f.v[5] = NAN;
	assert_fails(&cx, mw_field_blur(&cx, &f, 2), MW_ERANGE, "(1, 1)");
	mw_field_free(&cx, &f);
}

/* ---- symmetry */

/* Is f equal to itself moved by (i, j) -> image? kind: 'x', 'z', 'p'oint, 'q'uarter turn */
static bool symmetric(const mw_field *f, char kind)
{
	for (int32_t j = 0; j < f->h; j++) {
		for (int32_t i = 0; i < f->w; i++) {
			int32_t a = i;
			int32_t b = j;
			if (kind == 'x' || kind == 'p')
				a = f->w - 1 - i;
			if (kind == 'z' || kind == 'p')
				b = f->h - 1 - j;
			if (kind == 'q') {
				a = j;
				b = f->w - 1 - i;
			}
			float u = at(f, i, j);
			float v = at(f, a, b);
			if (memcmp(&u, &v, sizeof u) != 0)
				return false;
		}
	}
	return true;
}

static const struct {
	mw_mirror mirror;
	const char *kinds;
} symmetries[] = {
	{{MW_MIRROR_X, 0}, "x"},
	{{MW_MIRROR_Z, 0}, "z"},
	{{MW_MIRROR_POINT, 0}, "p"},
	{{MW_MIRROR_QUAD, 0}, "xzp"},
	{{MW_MIRROR_TURN, 2}, "p"},
	{{MW_MIRROR_TURN, 4}, "qp"},
	{{MW_MIRROR_TURN, 6}, "p"},
	{{MW_MIRROR_TURN, 8}, "qp"},
};

static void every_exact_symmetry_is_exact_to_the_bit(void **state)
{
	(void)state;
	const int32_t sides[] = {1, 2, 16, 33};
	const double softs[] = {0, 5.5};
	for (size_t k = 0; k < MW_COUNTOF(symmetries); k++) {
		for (size_t s = 0; s < MW_COUNTOF(sides) * 2; s++) {
			mw_field f = rough(sides[s / 2], sides[s / 2], k);
			assert_ok(
				&cx, mw_field_mirror(&cx, &f, symmetries[k].mirror, softs[s % 2]));
			for (const char *c = symmetries[k].kinds; *c; c++)
				assert_true(symmetric(&f, *c));
			mw_field_free(&cx, &f);
		}
	}
}

static void mirrors_work_on_fields_that_are_not_square(void **state)
{
	(void)state;
	for (size_t k = 0; k < 4; k++) {
		mw_field f = rough(17, 32, k);
		assert_ok(&cx, mw_field_mirror(&cx, &f, symmetries[k].mirror, 3));
		for (const char *c = symmetries[k].kinds; *c; c++)
			assert_true(symmetric(&f, *c));
		mw_field_free(&cx, &f);
	}
}

static void the_kept_part_is_untouched(void **state)
{
	(void)state;
	mw_field was = rough(33, 33, 9);
	for (size_t k = 0; k < 6; k++) {
		mw_field f;
		assert_ok(&cx, mw_field_copy(&cx, &f, &was));
		assert_ok(&cx, mw_field_mirror(&cx, &f, symmetries[k].mirror, 0));
		/* (8, 8) lies in the part that every kind keeps; (24, 24) in none */
		assert_true(at(&f, 8, 8) == at(&was, 8, 8));
		assert_true(at(&f, 24, 24) != at(&was, 24, 24));
		bool keeps_north = symmetries[k].mirror.kind == MW_MIRROR_POINT;
		if (keeps_north)
			assert_true(at(&f, 30, 5) == at(&was, 30, 5));
		mw_field_free(&cx, &f);
	}
	mw_field_free(&cx, &was);
}

static void a_soft_seam_has_no_cliff(void **state)
{
	(void)state;
	/* a ramp to the east: turned by 180 degrees it meets itself with a jump, soft without */
	for (int soft = 0; soft < 2; soft++) {
		mw_field f = make(65, 65);
		for (int32_t j = 0; j < 65; j++)
			for (int32_t i = 0; i < 65; i++)
				mw_field_row(&f, j)[i] = (float)i;
		assert_ok(&cx,
			mw_field_mirror(&cx, &f, (mw_mirror){MW_MIRROR_POINT, 0}, soft ? 16 : 0));
		float jump = 0;
		for (int32_t j = 0; j < 64; j++)
			jump = fmaxf(jump, fabsf(at(&f, 60, j + 1) - at(&f, 60, j)));
		assert_true(soft ? jump < 3 : jump > 50);
		assert_true(symmetric(&f, 'p'));
		mw_field_free(&cx, &f);
	}
}

static void a_third_turn_repeats_within_resampling(void **state)
{
	(void)state;
	mw_field f = make(129, 129);
	const mw_grid cells = {0, 0, 1};
	for (int32_t j = 0; j < 129; j++)
		for (int32_t i = 0; i < 129; i++)
			mw_field_row(&f, j)[i] = (float)(0.01 * i * i - 0.3 * j + 0.002 * i * j);
	assert_ok(&cx, mw_field_mirror(&cx, &f, (mw_mirror){MW_MIRROR_TURN, 3}, 12));
	double c = cos(2 * 3.14159265358979 / 3);
	double s = sin(2 * 3.14159265358979 / 3);
	for (int32_t j = 20; j < 109; j += 3) {
		for (int32_t i = 20; i < 109; i += 3) {
			double x = i - 64;
			double z = j - 64;
			if (x * x + z * z > 55 * 55 || x * x + z * z < 9)
				continue;
			double turned = mw_field_sample_cubic(
				&f, cells, 64 + x * c - z * s, 64 + x * s + z * c);
			assert_near((double)at(&f, i, j), turned, 0.02);
		}
	}
	mw_field_free(&cx, &f);
}

static void bad_symmetries_are_refused(void **state)
{
	(void)state;
	mw_field f = make(8, 8);
	assert_fails(&cx, mw_field_mirror(&cx, &f, (mw_mirror){MW_MIRROR_TURN, 1}, 0), MW_ERANGE,
		"2..16");
	assert_fails(
		&cx, mw_field_mirror(&cx, &f, (mw_mirror){MW_MIRROR_TURN, 17}, 0), MW_ERANGE, "17");
	assert_fails(
		&cx, mw_field_mirror(&cx, &f, (mw_mirror){MW_MIRROR_X, 0}, -1), MW_ERANGE, "-1");
	mw_field_free(&cx, &f);
}

static void turns_agree_with_the_library(void **state)
{
	(void)state;
	for (int k = -40; k <= 40; k++) {
		double c, s;
		double turns = k * 0.0371;
		mw_turn(turns, &c, &s);
		assert_near(c, cos(turns * 2 * 3.141592653589793), 2e-15);
		assert_near(s, sin(turns * 2 * 3.141592653589793), 2e-15);
	}
	double c, s;
	mw_turn(0.25, &c, &s);
	assert_true(c == 0 && s == 1);
	mw_turn(-0.5, &c, &s);
	assert_true(c == -1 && s == 0);
}

/* ---- resample, slope, curvature */

static void resampling_maps_corners_to_corners(void **state)
{
	(void)state;
	mw_field src = make(5, 3);
	mw_field dst = make(13, 9);
	for (int32_t j = 0; j < 3; j++)
		for (int32_t i = 0; i < 5; i++)
			mw_field_row(&src, j)[i] = (float)(30 * i + 8 * j);
	for (int kind = MW_RESAMPLE_LINEAR; kind <= MW_RESAMPLE_CUBIC; kind++) {
		assert_ok(&cx, mw_field_resample(&cx, &dst, &src, (mw_resample_kind)kind));
		assert_true(at(&dst, 0, 0) == 0 && at(&dst, 12, 8) == 136);
		assert_true(at(&dst, 12, 0) == 120 && at(&dst, 0, 8) == 16);
		/* away from the edge both are exact on a plane */
		assert_near((double)at(&dst, 5, 4), 30 * 5 / 3.0 + 8, 1e-4);
	}
	assert_ok(&cx, mw_field_resample(&cx, &dst, &src, MW_RESAMPLE_LINEAR));
	for (int32_t j = 0; j < 9; j++)
		for (int32_t i = 0; i < 13; i++)
			assert_near((double)at(&dst, i, j), 10.0 * i + 2.0 * j, 1e-4);
	assert_ok(&cx, mw_field_resample(&cx, &dst, &src, MW_RESAMPLE_NEAREST));
	assert_true(at(&dst, 1, 0) == 0 && at(&dst, 2, 0) == 30 && at(&dst, 6, 0) == 60);
	mw_field one = make(1, 1);
	assert_ok(&cx, mw_field_resample(&cx, &one, &src, MW_RESAMPLE_CUBIC));
	assert_true(one.v[0] == 68); /* the centre */
	assert_ok(&cx, mw_field_resample(&cx, &dst, &one, MW_RESAMPLE_LINEAR));
	assert_true(at(&dst, 7, 7) == 68);
	mw_field_free(&cx, &src);
	mw_field_free(&cx, &dst);
	mw_field_free(&cx, &one);
}

static void the_same_size_resamples_to_the_same_bits(void **state)
{
	(void)state;
	mw_field src = rough(31, 14, 3);
	mw_field dst = make(31, 14);
	for (int kind = MW_RESAMPLE_NEAREST; kind <= MW_RESAMPLE_CUBIC; kind++) {
		assert_ok(&cx, mw_field_resample(&cx, &dst, &src, (mw_resample_kind)kind));
		assert_same(&src, &dst);
	}
	mw_field_free(&cx, &src);
	mw_field_free(&cx, &dst);
}

static void symmetric_fields_stay_symmetric(void **state)
{
	(void)state;
	for (size_t k = 0; k < 4; k++) {
		mw_field f = rough(33, 49, k + 20);
		mw_field out = make(33, 49);
		mw_field big = make(64, 81);
		assert_ok(&cx, mw_field_mirror(&cx, &f, symmetries[k].mirror, 0));
		assert_ok(&cx, mw_field_blur(&cx, &f, 2.7));
		assert_true(symmetric(&f, symmetries[k].kinds[0]));
		assert_ok(&cx, mw_field_slope(&cx, &out, &f, 8));
		assert_true(symmetric(&out, symmetries[k].kinds[0]));
		assert_ok(&cx, mw_field_curvature(&cx, &out, &f, 8));
		assert_true(symmetric(&out, symmetries[k].kinds[0]));
		for (int kind = MW_RESAMPLE_NEAREST; kind <= MW_RESAMPLE_CUBIC; kind++) {
			assert_ok(&cx, mw_field_resample(&cx, &big, &f, (mw_resample_kind)kind));
			assert_true(symmetric(&big, symmetries[k].kinds[0]));
		}
		mw_field_free(&cx, &f);
		mw_field_free(&cx, &out);
		mw_field_free(&cx, &big);
	}
}

static void slope_of_planes_in_degrees(void **state)
{
	(void)state;
	const double tangents[] = {0, 0.001, 0.1, 0.4142, 0.5, 1, 1.5, 2.5, 40, 1e4};
	mw_field f = make(9, 7);
	mw_field out = make(9, 7);
	for (size_t k = 0; k < MW_COUNTOF(tangents); k++) {
		for (int32_t j = 0; j < 7; j++)
			for (int32_t i = 0; i < 9; i++)
				mw_field_row(&f, j)[i] =
					(float)(tangents[k] * 8 * (0.6 * i - 0.8 * j));
		assert_ok(&cx, mw_field_slope(&cx, &out, &f, 8));
		double want = atan(tangents[k]) * 57.29577951308232;
		for (int32_t j = 0; j < 7; j++)
			for (int32_t i = 0; i < 9; i++)
				assert_near((double)at(&out, i, j), want, 2e-4);
	}
	mw_field small = make(3, 3);
	assert_fails(&cx, mw_field_slope(&cx, &small, &f, 8), MW_EINVALID, "9 x 7");
	mw_field_free(&cx, &small);
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &out);
}

static void the_engines_slope_by_hand(void **state)
{
	(void)state;
	mw_field f = make(5, 5);
	mw_field out = make(2, 2);
	assert_ok(&cx, mw_field_engine_slope(&cx, &out, &f, 8));
	assert_true(out.v[0] == 0 && out.v[3] == 0);
	/* a plane that rises 8 in 8: every normal is 45 degrees */
	for (int32_t j = 0; j < 5; j++)
		for (int32_t i = 0; i < 5; i++)
			mw_field_row(&f, j)[i] = (float)(8 * i);
	assert_ok(&cx, mw_field_engine_slope(&cx, &out, &f, 8));
	assert_near((double)out.v[1], 1 - sqrt(0.5), 1e-6);
	/* one vertex of 8 in the middle of the first 2 x 2: 6 of 8 faces tilt, 4 by 1 : 1 along one
	 * axis, 2 along both, counted by hand */
	memset(f.v, 0, 25 * sizeof(float));
	mw_field_row(&f, 1)[1] = 8;
	assert_ok(&cx, mw_field_engine_slope(&cx, &out, &f, 8));
	double mean = (2 * 1.0 + 4 * sqrt(0.5) + 2 * sqrt(1.0 / 3)) / 8;
	double least = sqrt(1.0 / 3);
	assert_near((double)out.v[0], 1 - (least + (mean - least) * least / mean), 1e-6);
	mw_field even = make(4, 5);
	assert_fails(&cx, mw_field_engine_slope(&cx, &out, &even, 8), MW_EINVALID, "4 x 5");
	mw_field_free(&cx, &even);
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &out);
}

static void curvature_of_a_bowl(void **state)
{
	(void)state;
	mw_field f = make(9, 9);
	mw_field out = make(9, 9);
	for (int32_t j = 0; j < 9; j++)
		for (int32_t i = 0; i < 9; i++)
			mw_field_row(&f, j)[i] = (float)(3 * i * i + 5 * j * j);
	assert_ok(&cx, mw_field_curvature(&cx, &out, &f, 2));
	assert_true(at(&out, 4, 4) == (2 * 3 + 2 * 5) / 4.0f);
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_blurred_point_has_the_wanted_spread, setup),
		cmocka_unit_test_setup(a_wide_blur_is_close_to_a_gaussian, setup),
		cmocka_unit_test_setup(blurring_keeps_a_flat_field, setup),
		cmocka_unit_test_setup(blurring_refuses_bad_input, setup),
		cmocka_unit_test_setup(every_exact_symmetry_is_exact_to_the_bit, setup),
		cmocka_unit_test_setup(mirrors_work_on_fields_that_are_not_square, setup),
		cmocka_unit_test_setup(the_kept_part_is_untouched, setup),
		cmocka_unit_test_setup(a_soft_seam_has_no_cliff, setup),
		cmocka_unit_test_setup(a_third_turn_repeats_within_resampling, setup),
		cmocka_unit_test_setup(bad_symmetries_are_refused, setup),
		cmocka_unit_test_setup(turns_agree_with_the_library, setup),
		cmocka_unit_test_setup(resampling_maps_corners_to_corners, setup),
		cmocka_unit_test_setup(the_same_size_resamples_to_the_same_bits, setup),
		cmocka_unit_test_setup(symmetric_fields_stay_symmetric, setup),
		cmocka_unit_test_setup(slope_of_planes_in_degrees, setup),
		cmocka_unit_test_setup(the_engines_slope_by_hand, setup),
		cmocka_unit_test_setup(curvature_of_a_bowl, setup),
	};
	return cmocka_run_group_tests_name("field_shape", tests, NULL, NULL);
}

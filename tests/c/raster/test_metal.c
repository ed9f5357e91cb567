#include "raster/metal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "support/oom.h"
#include "support/test.h"

#define SIDE 64 /* cells: a map of 1024 x 1024 elmos */

static mw_ctx cx;
static uint8_t bytes[SIDE * SIDE];
static const mw_metal_rules rules = {1.0, 90, {MW_MIRROR_NONE, 0}};

static int setup(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	memset(bytes, 0, sizeof bytes);
	return 0;
}

static mw_code lay(const mw_metal_spot *spots, size_t n, mw_metal_site *sites)
{
	return mw_metal_domes(&cx, bytes, SIDE, SIDE, sites, NULL, NULL, spots, n, &rules);
}

/* The engine's sum, written the slow way round. */
static double mex(double x, double z, double radius)
{
	double sum = 0;
	for (int j = 0; j < SIDE; j++)
		for (int i = 0; i < SIDE; i++)
			if (hypot(i * 16 + 8 - x, j * 16 + 8 - z) < radius - 1e-9)
				sum += bytes[j * SIDE + i] * 1.0;
	return sum / 1000;
}

static void an_extractor_gets_what_the_spot_says(void **state)
{
	(void)state;
	const double metals[] = {0.001, 0.002, 0.003, 0.0284, 0.5, 1.2345, 1.8, 2.0};
	const double radii[] = {20, 48, 70, 89.9};
	for (size_t m = 0; m < MW_COUNTOF(metals); m++) {
		for (size_t r = 0; r < MW_COUNTOF(radii); r++) {
			const mw_metal_spot spot = {488, 424, radii[r], metals[m], true};
			mw_metal_site site;
			if (radii[r] == 20 && metals[m] > 1)
				continue;
			memset(bytes, 0, sizeof bytes);
			assert_ok(&cx, lay(&spot, 1, &site));
			double got = mex(site.x, site.z, 90);
			assert_true(fabs(got - metals[m]) <= 0.0005 + 1e-9);
			assert_true(fabs(site.metal - got) < 1e-9);
			assert_true(fabs(site.alone - got) < 1e-9);
		}
	}
}

static void domes_are_smooth_and_centred(void **state)
{
	(void)state;
	const double places[][2] = {{488, 424}, {200, 200}, {777, 650}};
	for (size_t p = 0; p < 3; p++) {
		for (int metal = 800; metal < 2600; metal += 37) {
			const mw_metal_spot spot = {
				places[p][0], places[p][1], 48, metal / 1000.0, true};
			mw_metal_site site;
			memset(bytes, 0, sizeof bytes);
			assert_ok(&cx, lay(&spot, 1, &site));
			double sum = 0, mx = 0, mz = 0;
			for (int j = 0; j < SIDE; j++) {
				for (int i = 0; i < SIDE; i++) {
					double b = bytes[j * SIDE + i];
					sum += b;
					mx += b * (i * 16 + 8);
					mz += b * (j * 16 + 8);
				}
			}
			assert_true(sum == metal);
			assert_true(fmod(site.x, 16) == 0 && fmod(site.z, 16) == 0);
			assert_true(fabs(mx / sum - site.x) <= 0.0101);
			assert_true(fabs(mz / sum - site.z) <= 0.0101);
			assert_true(fabs(site.x - spot.x) <= 8 && fabs(site.z - spot.z) <= 8);
			/* falls from the centre outwards, apart from single units */
			int cx0 = (int)site.x / 16;
			int row = (int)site.z / 16 * SIDE;
			for (int k = 0; k < 3; k++)
				assert_true(bytes[row + cx0 + k] + 1 >= bytes[row + cx0 + k + 1]);
			assert_int_equal(bytes[row + cx0 + 3], 0);
		}
	}
}

static void snapping_goes_to_the_middle_when_undecided(void **state)
{
	(void)state;
	assert_true(mw_metal_snap(488, 1024) == 496 && mw_metal_snap(536, 1024) == 528);
	assert_true(mw_metal_snap(200, 1024) == 208 && mw_metal_snap(777, 1024) == 784);
	assert_true(mw_metal_snap(0, 1024) == 0 && mw_metal_snap(1024, 1024) == 1024);
	assert_true(mw_metal_snap(7.9, 1024) == 0 && mw_metal_snap(8, 1024) == 16);
}

static void without_snapping_the_spot_stays(void **state)
{
	(void)state;
	const mw_metal_spot spot = {501.25, 300.125, 60, 1.5, false};
	mw_metal_site site;
	assert_ok(&cx, lay(&spot, 1, &site));
	assert_true(site.x == 501.25 && site.z == 300.125);
	assert_true(fabs(mex(501.25, 300.125, 90) - 1.5) < 1e-9);
}

static void mirrored(const mw_metal_spot *in, mw_metal_spot *out, size_t n, int kind)
{
	for (size_t k = 0; k < n; k++) {
		out[k] = in[k];
		if (kind == 0 || kind == 2)
			out[k].x = 1024 - in[k].x;
		if (kind == 1 || kind == 2)
			out[k].z = 1024 - in[k].z;
		if (kind == 3) { /* a quarter turn */
			out[k].x = in[k].z;
			out[k].z = 1024 - in[k].x;
		}
	}
}

static void mirrored_spots_give_mirrored_bytes(void **state)
{
	(void)state;
	mw_rng r;
	mw_rng_init(&r, 11, NULL);
	for (int round = 0; round < 400; round++) {
		int kind = round % 4;
		mw_metal_spot spots[4];
		mw_metal_site sites[4];
		mw_metal_rules own = rules;
		own.mirror.kind = kind == 3 ? MW_MIRROR_TURN : MW_MIRROR_NONE;
		/* both halves of a pair; nothing near the middle, where a dome is its own image */
		bool diagonal = round % 8 >= 4;
		for (int k = 0; k < 2; k++) {
			double x = (double)mw_rng_below(&r, 400);
			double z = diagonal ? x : (double)mw_rng_below(&r, 400);
			spots[k] = (mw_metal_spot){x + 0.25 * (double)mw_rng_below(&r, 4), z,
				30 + mw_rng_unit(&r) * 90, 0.01 + 0.4 * mw_rng_unit(&r),
				mw_rng_below(&r, 2) == 0};
		}
		mirrored(spots, spots + 2, 2, kind);
		memset(bytes, 0, sizeof bytes);
		assert_ok(&cx,
			mw_metal_domes(&cx, bytes, SIDE, SIDE, sites, NULL, NULL, spots, 4, &own));
		for (int k = 0; k < 2; k++) {
			assert_int_equal(sites[k].sum, sites[k + 2].sum);
			assert_int_equal(sites[k].beyond, sites[k + 2].beyond);
		}
		uint8_t image[SIDE * SIDE];
		memset(image, 0, sizeof image);
		assert_ok(&cx,
			mw_metal_domes(&cx, image, SIDE, SIDE, sites, NULL, NULL, spots, 2, &own));
		uint8_t other[SIDE * SIDE];
		memset(other, 0, sizeof other);
		assert_ok(&cx,
			mw_metal_domes(
				&cx, other, SIDE, SIDE, sites, NULL, NULL, spots + 2, 2, &own));
		for (int j = 0; j < SIDE; j++) {
			for (int i = 0; i < SIDE; i++) {
				int a = kind == 0 || kind == 2 ? SIDE - 1 - i : i;
				int b = kind == 1 || kind == 2 ? SIDE - 1 - j : j;
				if (kind == 3) {
					a = j;
					b = SIDE - 1 - i;
				}
				assert_int_equal(image[j * SIDE + i], other[b * SIDE + a]);
			}
		}
	}
}

static void too_much_metal_names_the_most_possible(void **state)
{
	(void)state;
	const mw_metal_spot spots[2] = {{300, 300, 48, 1, true}, {704, 704, 48, 9, true}};
	mw_metal_site sites[2];
	uint8_t before[sizeof bytes];
	memset(bytes, 3, sizeof bytes);
	memcpy(before, bytes, sizeof bytes);
	assert_fails(&cx, lay(spots, 2, sites), MW_ERANGE,
		"metal spot 2 at (704, 704): 9 metal needs a byte above 255");
	assert_memory_equal(bytes, before, sizeof bytes);

	/* and just the most possible does fit: find it by bisection, then ask for one byte more */
	memset(bytes, 0, sizeof bytes);
	int low = 1, high = 20000;
	while (high - low > 1) {
		int mid = (low + high) / 2;
		const mw_metal_spot s = {704, 704, 48, mid / 1000.0, true};
		memset(bytes, 0, sizeof bytes);
		mw_code code = lay(&s, 1, sites);
		mw_err_clear(&cx);
		if (code == MW_OK)
			low = mid;
		else
			high = mid;
	}
	const mw_metal_spot fits = {704, 704, 48, low / 1000.0, true};
	const mw_metal_spot over = {704, 704, 48, high / 1000.0, true};
	char part[64];
	snprintf(part, sizeof part, "at most %g", low / 1000.0);
	assert_fails(&cx, lay(&over, 1, sites), MW_ERANGE, part);
	memset(bytes, 0, sizeof bytes);
	assert_ok(&cx, lay(&fits, 1, sites));
	assert_int_equal(sites[0].peak, 255);
	assert_int_equal(sites[0].sum, low);
}

static void neighbours_are_counted_and_named(void **state)
{
	(void)state;
	const mw_metal_spot spots[3] = {
		{320, 320, 48, 1, true}, {384, 320, 48, 0.5, true}, {800, 800, 48, 1, true}};
	mw_metal_site sites[3];
	mw_metal_overlap *overlaps = NULL;
	size_t n = 0;
	assert_ok(&cx,
		mw_metal_domes(&cx, bytes, SIDE, SIDE, sites, &overlaps, &n, spots, 3, &rules));
	assert_int_equal(n, 1);
	assert_true(overlaps[0].a == 0 && overlaps[0].b == 1);
	assert_true(fabs(sites[0].metal - mex(320, 320, 90)) < 1e-9);
	assert_true(fabs(sites[0].alone - 1) < 1e-9);
	assert_true(fabs(sites[0].metal - sites[0].alone - overlaps[0].a_gets) < 1e-9);
	assert_true(fabs(sites[1].metal - sites[1].alone - overlaps[0].b_gets) < 1e-9);
	assert_true(overlaps[0].a_gets > 0 && sites[2].metal == sites[2].alone);
	uint8_t one[SIDE * SIDE] = {0};
	uint8_t two[SIDE * SIDE] = {0};
	mw_metal_site site;
	uint32_t common = 0;
	assert_ok(
		&cx, mw_metal_domes(&cx, one, SIDE, SIDE, &site, NULL, NULL, &spots[0], 1, &rules));
	assert_ok(
		&cx, mw_metal_domes(&cx, two, SIDE, SIDE, &site, NULL, NULL, &spots[1], 1, &rules));
	for (size_t k = 0; k < sizeof one; k++)
		common += one[k] > 0 && two[k] > 0;
	assert_true(common > 0);
	assert_int_equal(overlaps[0].cells, common);
	mw_free(&cx, overlaps);

	const mw_metal_spot heavy[2] = {{320, 320, 48, 2, true}, {320, 320, 48, 2, true}};
	assert_fails(&cx, lay(heavy, 2, sites), MW_ERANGE, "255 is the most");
	memset(bytes, 0, sizeof bytes);
	assert_fails(&cx, lay(heavy, 2, sites), MW_ERANGE,
		"metal spots 1 at (320, 320) and 2 at (320, 320) overlap");
}

static void cells_at_the_very_radius_are_not_reached(void **state)
{
	(void)state;
	/* cell (20, 20): centre (328, 328); from (328, 248) exactly 80 away */
	bytes[20 * SIDE + 20] = 100;
	assert_true(mw_metal_yield(bytes, SIDE, SIDE, 328, 248, 80, 2.5) == 0);
	assert_true(mw_metal_yield(bytes, SIDE, SIDE, 328, 248, 80.001, 2.5) == 0.25);
	/* far outside, and with a reach beyond the whole map */
	assert_true(mw_metal_yield(bytes, SIDE, SIDE, -1e9, 1e9, 80, 2.5) == 0);
	assert_true(mw_metal_yield(bytes, SIDE, SIDE, 328, 248, 1e12, 2.5) == 0.25);
	assert_true(mw_metal_yield(bytes, SIDE, SIDE, 5000, 328, 4700, 2.5) == 0.25);
}

static void a_dome_wider_than_the_reach_reports_what_is_lost(void **state)
{
	(void)state;
	const mw_metal_spot spot = {512, 512, 160, 1.5, true};
	mw_metal_site site;
	assert_ok(&cx, lay(&spot, 1, &site));
	assert_true(fabs(mex(512, 512, 90) - 1.5) < 1e-9);
	uint32_t all = 0;
	for (size_t k = 0; k < sizeof bytes; k++)
		all += bytes[k];
	assert_int_equal(site.sum, 1500);
	assert_true(site.beyond > 0 && site.sum + site.beyond == all);
}

static void bad_spots_are_refused_by_number(void **state)
{
	(void)state;
	mw_metal_site sites[2];
	mw_metal_spot spots[2] = {{300, 300, 48, 1, true}, {1025, 300, 48, 1, true}};
	assert_fails(
		&cx, lay(spots, 2, sites), MW_ERANGE, "metal spot 2 at (1025, 300) is outside");
	spots[1] = (mw_metal_spot){300, 300, 0, 1, true};
	assert_fails(&cx, lay(spots, 2, sites), MW_EINVALID, "metal spot 2: a radius of 0");
	spots[1] = (mw_metal_spot){300, 300, 48, -1, true};
	assert_fails(&cx, lay(spots, 2, sites), MW_EINVALID, "metal spot 2: metal -1");
	spots[1] = (mw_metal_spot){300, 300, 48, (double)NAN, true};
	assert_fails(&cx, lay(spots, 2, sites), MW_EINVALID, "metal spot 2");
	spots[1] = (mw_metal_spot){300, 300, 11, 1, true};
	assert_fails(&cx, lay(spots, 2, sites), MW_ERANGE, "no cell centre");
	const mw_metal_rules none = {0, 90, {MW_MIRROR_NONE, 0}};
	assert_fails(&cx,
		mw_metal_domes(&cx, bytes, SIDE, SIDE, sites, NULL, NULL, spots, 1, &none),
		MW_EINVALID, "maxMetal 0");
}

static mw_code work(mw_ctx *c, void *ud)
{
	const mw_metal_spot spots[2] = {{320, 320, 48, 1, true}, {384, 320, 48, 0.5, true}};
	mw_metal_site sites[2];
	mw_metal_overlap *overlaps = NULL;
	size_t n;
	uint8_t own[SIDE * SIDE] = {0};
	MW_UNUSED(ud);
	mw_code code = mw_metal_domes(c, own, SIDE, SIDE, sites, &overlaps, &n, spots, 2, &rules);
	mw_free(c, overlaps);
	return code;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	oom_sweep(work, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(an_extractor_gets_what_the_spot_says, setup),
		cmocka_unit_test_setup(domes_are_smooth_and_centred, setup),
		cmocka_unit_test_setup(snapping_goes_to_the_middle_when_undecided, setup),
		cmocka_unit_test_setup(without_snapping_the_spot_stays, setup),
		cmocka_unit_test_setup(mirrored_spots_give_mirrored_bytes, setup),
		cmocka_unit_test_setup(too_much_metal_names_the_most_possible, setup),
		cmocka_unit_test_setup(neighbours_are_counted_and_named, setup),
		cmocka_unit_test_setup(cells_at_the_very_radius_are_not_reached, setup),
		cmocka_unit_test_setup(a_dome_wider_than_the_reach_reports_what_is_lost, setup),
		cmocka_unit_test_setup(bad_spots_are_refused_by_number, setup),
		cmocka_unit_test_setup(every_allocation_may_fail, setup),
	};
	return cmocka_run_group_tests_name("metal", tests, NULL, NULL);
}

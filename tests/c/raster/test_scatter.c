#include "raster/scatter.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "support/oom.h"
#include "support/test.h"

static mw_ctx cx;

static int setup(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	return 0;
}

static const mw_mirror mirrors[] = {{MW_MIRROR_NONE, 0}, {MW_MIRROR_X, 0}, {MW_MIRROR_Z, 0},
	{MW_MIRROR_POINT, 0}, {MW_MIRROR_QUAD, 0}, {MW_MIRROR_TURN, 2}, {MW_MIRROR_TURN, 3},
	{MW_MIRROR_TURN, 4}, {MW_MIRROR_TURN, 5}, {MW_MIRROR_TURN, 16}};

/* Is there a point within tolerance of (x, z)? */
static bool has(const mw_scatter_point *p, size_t n, double x, double z, double tolerance)
{
	for (size_t k = 0; k < n; k++)
		if (fabs(p[k].x - x) <= tolerance && fabs(p[k].z - z) <= tolerance)
			return true;
	return false;
}

/* Every image of every point is there too, worked out with the library's cosines. */
static void assert_symmetric(
	const mw_scatter_point *p, size_t n, const mw_scatter_rules *r, double tolerance)
{
	double w = r->width;
	double d = r->depth;
	for (size_t k = 0; k < n; k++) {
		double x = p[k].x;
		double z = p[k].z;
		switch (r->mirror.kind) {
		case MW_MIRROR_NONE:
			break;
		case MW_MIRROR_X:
			assert_true(has(p, n, w - x, z, 0));
			break;
		case MW_MIRROR_Z:
			assert_true(has(p, n, x, d - z, 0));
			break;
		case MW_MIRROR_POINT:
			assert_true(has(p, n, w - x, d - z, 0));
			break;
		case MW_MIRROR_QUAD:
			assert_true(has(p, n, w - x, z, 0) && has(p, n, x, d - z, 0));
			break;
		case MW_MIRROR_TURN: {
			double c = cos(2 * 3.14159265358979 / r->mirror.n);
			double s = sin(2 * 3.14159265358979 / r->mirror.n);
			double dx = x - w / 2;
			double dz = z - d / 2;
			bool exact = r->mirror.n == 2 || r->mirror.n == 4;
			if (exact) {
				c = round(c);
				s = round(s);
			}
			assert_true(has(p, n, w / 2 + dx * c - dz * s, d / 2 + dx * s + dz * c,
				exact ? 0 : tolerance));
			break;
		}
		}
	}
}

static void every_rule_holds_for_every_position(void **state)
{
	(void)state;
	mw_rng rng;
	mw_rng_init(&rng, 99, NULL);
	mw_field slope;
	mw_field density;
	const mw_grid grid = {0, 0, 32};
	assert_ok(&cx, mw_field_init(&cx, &slope, 65, 65));
	assert_ok(&cx, mw_field_init(&cx, &density, 65, 65));
	size_t total = 0;
	for (int round = 0; round < 120; round++) {
		for (size_t k = 0; k < 65 * 65; k++) {
			slope.v[k] = (float)(mw_rng_unit(&rng) * 60);
			density.v[k] = mw_rng_below(&rng, 3) ? (float)mw_rng_unit(&rng) : 0.0f;
		}
		assert_ok(&cx, mw_field_blur(&cx, &slope, 6));
		const mw_scatter_limit limit = {&slope, grid, -1, 31};
		mw_scatter_disc discs[3];
		for (int k = 0; k < 3; k++)
			discs[k] = (mw_scatter_disc){mw_rng_unit(&rng) * 2048,
				mw_rng_unit(&rng) * 2048, mw_rng_unit(&rng) * 300};
		mw_scatter_rules r = {.width = 2048,
			.depth = round % 3 ? 2048 : 1536,
			.spacing = 40 + mw_rng_unit(&rng) * 200,
			.edge = mw_rng_unit(&rng) * 100,
			.snap = round % 4 == 1 ? 16 : 0,
			.density = round % 5 ? &density : NULL,
			.density_grid = grid,
			.limits = &limit,
			.n_limits = 1,
			.discs = discs,
			.n_discs = 3,
			.mirror = mirrors[(size_t)round % MW_COUNTOF(mirrors)],
			.count = round % 7 == 0 ? 13 : 0,
			.seed = (uint64_t)round};
		if (r.mirror.kind == MW_MIRROR_TURN)
			r.depth = 2048;
		mw_scatter_point *p;
		size_t n;
		assert_ok(&cx, mw_scatter(&cx, &p, &n, &r));
		total += n;
		if (r.count > 0)
			assert_true(n <= r.count);
		bool inexact =
			r.mirror.kind == MW_MIRROR_TURN && r.mirror.n != 2 && r.mirror.n != 4;
		for (size_t k = 0; k < n; k++) {
			assert_true(p[k].x >= r.edge && p[k].x <= r.width - r.edge);
			assert_true(p[k].z >= r.edge && p[k].z <= r.depth - r.edge);
			for (size_t m = 0; m < k; m++)
				assert_true(hypot(p[k].x - p[m].x, p[k].z - p[m].z) >=
					r.spacing * (1 - 1e-12));
			for (int m = 0; m < 3; m++)
				assert_true(hypot(p[k].x - discs[m].x, p[k].z - discs[m].z) >=
					discs[m].radius * (1 - 1e-12));
			assert_true(mw_field_sample(&slope, grid, p[k].x, p[k].z) <= 31);
			if (r.density)
				assert_true(mw_field_sample(&density, grid, p[k].x, p[k].z) > 0);
			double unit = r.snap > 0 ? 16 : 1.0 / 64;
			if (!inexact || r.snap > 0)
				assert_true(fmod(p[k].x, unit) == 0 && fmod(p[k].z, unit) == 0);
			assert_true(p[k].image == 0 || p[k].orbit == p[k - 1].orbit);
		}
		assert_symmetric(p, n, &r, r.snap > 0 ? 24 : 1e-9);
		mw_free(&cx, p);
	}
	assert_true(total > 3000); /* or all of the above proves nothing */
	mw_field_free(&cx, &slope);
	mw_field_free(&cx, &density);
}

static void the_map_is_filled_nearly_as_far_as_it_can_be(void **state)
{
	(void)state;
	for (size_t m = 0; m < 5; m++) {
		const mw_scatter_rules r = {.width = 2048,
			.depth = 2048,
			.spacing = 64,
			.mirror = mirrors[m],
			.seed = 4};
		mw_scatter_point *p;
		size_t n;
		assert_ok(&cx, mw_scatter(&cx, &p, &n, &r));
		/* random packing of discs reaches 0.547 of the plane */
		double packed = (double)n * 3.14159 * 32 * 32 / (2048.0 + 64) / (2048.0 + 64);
		assert_true(packed > 0.50 && packed < 0.56);
		mw_free(&cx, p);
	}
}

static void thin_density_gives_few_positions(void **state)
{
	(void)state;
	mw_field density;
	assert_ok(&cx, mw_field_init(&cx, &density, 2, 2));
	size_t got[3];
	const float levels[3] = {0, 0.1f, 1};
	for (int k = 0; k < 3; k++) {
		mw_field_apply_number(&density, MW_FIELD_SET, levels[k]);
		for (int mirror = 0; mirror < 2; mirror++) {
			const mw_scatter_rules r = {.width = 4096,
				.depth = 4096,
				.spacing = 64,
				.density = &density,
				.density_grid = {0, 0, 4096},
				.mirror = mirrors[mirror * 4],
				.seed = 4};
			mw_scatter_point *p;
			assert_ok(&cx, mw_scatter(&cx, &p, &got[k], &r));
			mw_free(&cx, p);
			if (k == 1) /* a tenth of the 8,400 cells, a few of them too near */
				assert_true(got[1] > 500 && got[1] < 850);
		}
	}
	assert_int_equal(got[0], 0);
	assert_true(got[2] > 3 * got[1]);
	mw_field_free(&cx, &density);
}

static void the_seed_decides(void **state)
{
	(void)state;
	mw_scatter_rules r = {.width = 1024, .depth = 1024, .spacing = 100, .seed = 1};
	mw_scatter_point *a, *b, *c;
	size_t na, nb, nc;
	assert_ok(&cx, mw_scatter(&cx, &a, &na, &r));
	assert_ok(&cx, mw_scatter(&cx, &b, &nb, &r));
	r.seed = 2;
	assert_ok(&cx, mw_scatter(&cx, &c, &nc, &r));
	assert_int_equal(na, nb);
	assert_memory_equal(a, b, na * sizeof *a);
	assert_true(na != nc || memcmp(a, c, na * sizeof *a) != 0);
	mw_free(&cx, a);
	mw_free(&cx, b);
	mw_free(&cx, c);
}

static void a_count_is_reached_when_there_is_room(void **state)
{
	(void)state;
	mw_scatter_rules r = {.width = 4096,
		.depth = 4096,
		.spacing = 100,
		.count = 24,
		.mirror = {MW_MIRROR_QUAD, 0},
		.seed = 8};
	mw_scatter_point *p;
	size_t n;
	assert_ok(&cx, mw_scatter(&cx, &p, &n, &r));
	assert_int_equal(n, 24);
	mw_free(&cx, p);
	r.count = 26; /* not a multiple of 4 */
	assert_ok(&cx, mw_scatter(&cx, &p, &n, &r));
	assert_true(n >= 24 && n <= 26);
	mw_free(&cx, p);
}

static void a_snapped_position_on_the_axis_is_its_own_image(void **state)
{
	(void)state;
	/* only the middle column is allowed */
	const mw_scatter_disc discs[2] = {{0, 512, 511}, {1024, 512, 511}};
	const mw_scatter_rules r = {.width = 1024,
		.depth = 1024,
		.spacing = 200,
		.snap = 16,
		.edge = 500,
		.discs = discs,
		.n_discs = 2,
		.mirror = {MW_MIRROR_X, 0},
		.seed = 3};
	mw_scatter_point *p;
	size_t n;
	assert_ok(&cx, mw_scatter(&cx, &p, &n, &r));
	assert_int_equal(n, 1);
	assert_true(p[0].x == 512);
	mw_free(&cx, p);
}

static void senseless_rules_are_refused(void **state)
{
	(void)state;
	mw_scatter_point *p;
	size_t n;
	mw_scatter_rules r = {.width = 1024, .depth = 1024, .spacing = 0};
	assert_fails(&cx, mw_scatter(&cx, &p, &n, &r), MW_EINVALID, "spacing of 0");
	r.spacing = 0.01;
	assert_fails(&cx, mw_scatter(&cx, &p, &n, &r), MW_ELIMIT, "too small");
	r.spacing = 10;
	r.mirror = (mw_mirror){MW_MIRROR_TURN, 40};
	assert_fails(&cx, mw_scatter(&cx, &p, &n, &r), MW_ERANGE, "40");
	r.mirror.kind = MW_MIRROR_NONE;
	r.depth = (double)NAN;
	assert_fails(&cx, mw_scatter(&cx, &p, &n, &r), MW_EINVALID, "map");
	assert_null(p);
}

static mw_code work(mw_ctx *c, void *ud)
{
	const mw_scatter_rules r = {.width = 512, .depth = 512, .spacing = 30, .seed = 1};
	mw_scatter_point *p;
	size_t n;
	MW_UNUSED(ud);
	mw_code code = mw_scatter(c, &p, &n, &r);
	mw_free(c, p);
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
		cmocka_unit_test_setup(every_rule_holds_for_every_position, setup),
		cmocka_unit_test_setup(the_map_is_filled_nearly_as_far_as_it_can_be, setup),
		cmocka_unit_test_setup(thin_density_gives_few_positions, setup),
		cmocka_unit_test_setup(the_seed_decides, setup),
		cmocka_unit_test_setup(a_count_is_reached_when_there_is_room, setup),
		cmocka_unit_test_setup(a_snapped_position_on_the_axis_is_its_own_image, setup),
		cmocka_unit_test_setup(senseless_rules_are_refused, setup),
		cmocka_unit_test_setup(every_allocation_may_fail, setup),
	};
	return cmocka_run_group_tests_name("scatter", tests, NULL, NULL);
}

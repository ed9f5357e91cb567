#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "raster/noise.h"
#include "support/test.h"

#define W 256
#define H 16

typedef struct {
	mw_ctx cx;
	mw_noise_scratch scratch;
	float x[W], z[H], grid[W * H];
	float px[W * H], pz[W * H], points[W * H];
} world;

static int set_up(void **state)
{
	world *w = calloc(1, sizeof *w);
	mw_ctx_init(&w->cx);
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static void lay_out(world *w, double x0, double z0, double step)
{
	for (int i = 0; i < W; i++)
		w->x[i] = (float)(x0 + i * step);
	for (int j = 0; j < H; j++)
		w->z[j] = (float)(z0 + j * step);
	for (int j = 0; j < H; j++)
		for (int i = 0; i < W; i++) {
			w->px[j * W + i] = w->x[i];
			w->pz[j * W + i] = w->z[j];
		}
}

static void run(world *w, const mw_noise *noise, mw_isa isa)
{
	assert_ok(&w->cx, mw_noise_check(&w->cx, noise));
	mw_noise_plan plan;
	mw_noise_plan_make(&plan, noise);
	memset(w->grid, 0x55, sizeof w->grid);
	memset(w->points, 0x55, sizeof w->points);
	mw_noise_block(isa, &plan, w->x, W, w->z, H, w->grid, &w->scratch);
	mw_noise_points(isa, &plan, w->px, w->pz, w->points, (size_t)W * H, &w->scratch);
}

static float at(world *w, const mw_noise *noise, float x, float z)
{
	mw_noise_plan plan;
	mw_noise_plan_make(&plan, noise);
	float px[8], pz[8], out[8];
	for (int i = 0; i < 8; i++) {
		px[i] = x;
		pz[i] = z;
	}
	mw_noise_points(MW_ISA_PORTABLE, &plan, px, pz, out, 8, &w->scratch);
	return out[0];
}

static void every_path_gives_the_same_bits(void **state)
{
	world *w = *state;
	static float first[W * H];
	/* Steps from many samples a cell to many cells a sample. */
	static const double steps[] = {0.37, 8, 61, 250, 900, 40000};
	for (int basis = 0; basis < 3; basis++)
		for (int kind = 0; kind < (basis == MW_NOISE_CELLULAR ? 4 : 3); kind++)
			for (size_t s = 0; s < MW_COUNTOF(steps); s++) {
				mw_noise n;
				mw_noise_init(&n);
				n.basis = (mw_noise_basis)basis;
				if (basis == MW_NOISE_CELLULAR)
					n.cell = (mw_noise_cell)kind;
				else
					n.fractal = (mw_noise_fractal)kind;
				n.period = 1700;
				n.octaves = 5;
				n.amplitude = 3;
				n.seed = 77 + s;
				lay_out(w, -3000.5, 911.25, steps[s]);
				run(w, &n, MW_ISA_PORTABLE);
				memcpy(first, w->points, sizeof first);
				for (int isa = 0; isa <= (int)mw_isa_detect(); isa++) {
					run(w, &n, (mw_isa)isa);
					assert_memory_equal(first, w->points, sizeof first);
					assert_memory_equal(first, w->grid, sizeof first);
				}
			}
}

static void a_folded_row_of_coordinates_is_still_exact(void **state)
{
	world *w = *state;
	lay_out(w, 0, 0, 8);
	for (int i = 0; i < W; i++) {
		w->x[i] = fabsf(w->x[i] - 1000.0f);
		for (int j = 0; j < H; j++)
			w->px[j * W + i] = w->x[i];
	}
	mw_noise n;
	mw_noise_init(&n);
	n.octaves = 4;
	for (int isa = 0; isa <= (int)mw_isa_detect(); isa++) {
		run(w, &n, (mw_isa)isa);
		assert_memory_equal(w->points, w->grid, sizeof w->grid);
	}
}

static void gradient_noise_is_zero_on_its_lattice(void **state)
{
	world *w = *state;
	lay_out(w, -32 * 100, -100 * 3, 100);
	mw_noise n;
	mw_noise_init(&n);
	n.period = 100;
	n.seed = 9;
	run(w, &n, mw_isa_detect());
	/* 1/100 is not a float, so a hundredth of a cell may be missed on the way. */
	for (int i = 0; i < W * H; i++)
		assert_true(fabsf(w->points[i]) < 1e-4f);
	lay_out(w, -32 * 128, -128 * 3, 128);
	n.period = 128;
	run(w, &n, mw_isa_detect());
	for (int i = 0; i < W * H; i++)
		assert_true(w->points[i] == 0.0f);
}

/* The lattice directions, found by the slopes of the noise at lattice points; then the noise inside
 * the cell from the textbook formula in double. */
static void gradient_noise_is_what_the_textbook_says(void **state)
{
	world *w = *state;
	mw_noise n;
	mw_noise_init(&n);
	n.period = 1024;
	n.seed = 4711;
	double g[2][2][2]; /* [x][z][axis] */
	const float e = 0.25f;
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++) {
			float x = (float)(5 + i) * 1024.0f, z = (float)(-3 + j) * 1024.0f;
			g[i][j][0] = (double)(at(w, &n, x + e, z) - at(w, &n, x - e, z)) * 1024 /
				(2 * (double)e);
			g[i][j][1] = (double)(at(w, &n, x, z + e) - at(w, &n, x, z - e)) * 1024 /
				(2 * (double)e);
			/* Scaled by the root of two, so that the result reaches the amplitude. */
			double length = sqrt(g[i][j][0] * g[i][j][0] + g[i][j][1] * g[i][j][1]);
			assert_true(fabs(length - sqrt(2.0)) < 1e-2);
		}
	for (int k = 0; k < 200; k++) {
		double fx = (k % 20 + 0.5) / 20, fz = (k / 20 + 0.5) / 10;
		double wx = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
		double wz = fz * fz * fz * (fz * (fz * 6 - 15) + 10);
		double want = 0;
		for (int i = 0; i < 2; i++)
			for (int j = 0; j < 2; j++)
				want += (i ? wx : 1 - wx) * (j ? wz : 1 - wz) *
					(g[i][j][0] * (fx - i) + g[i][j][1] * (fz - j));
		double got = (double)at(w, &n, (float)((5 + fx) * 1024), (float)((-3 + fz) * 1024));
		assert_true(fabs(got - want) < 5e-3);
	}
}

static void value_noise_passes_through_its_lattice_values(void **state)
{
	world *w = *state;
	mw_noise n;
	mw_noise_init(&n);
	n.basis = MW_NOISE_VALUE;
	n.period = 64;
	for (int k = 0; k < 50; k++) {
		float x = (float)k * 64.0f, z = 640.0f;
		double a = (double)at(w, &n, x, z), b = (double)at(w, &n, x + 64.0f, z);
		/* The fade is one half in the middle. */
		double middle = (double)at(w, &n, x + 32.0f, z);
		assert_true(fabs(middle - (a + b) / 2) < 1e-6);
		/* 6/1024 - 15/256 + 10/64 = 0.103515625 at a quarter. */
		double quarter = (double)at(w, &n, x + 16.0f, z);
		assert_true(fabs(quarter - (a + 0.103515625 * (b - a))) < 1e-6);
	}
}

/* Every cell's point, found once by a fine search around it, must explain every distance. */
static void cellular_distances_agree_with_a_wide_search(void **state)
{
	world *w = *state;
	mw_noise f1, f2, both, cell;
	mw_noise_init(&f1);
	f1.basis = MW_NOISE_CELLULAR;
	f1.period = 64;
	f1.seed = 3;
	f2 = both = cell = f1;
	f2.cell = MW_NOISE_F2;
	both.cell = MW_NOISE_F2_F1;
	cell.cell = MW_NOISE_CELL;
	/* Where F1 is nearly zero there is a point: refine from a grid of starts. */
	static double point[4000][2];
	size_t points = 0;
	for (int sz = -160; sz < 480; sz += 8)
		for (int sx = -160; sx < 480; sx += 8) {
			double x = sx, z = sz;
			for (double step = 8; step > 1e-4; step /= 2)
				for (int again = 0; again < 4; again++) {
					double best = (double)at(w, &f1, (float)x, (float)z);
					double bx = x, bz = z;
					for (int d = 0; d < 4; d++) {
						double tx = x +
							(d == 0                  ? step
									: d == 1 ? -step
										 : 0);
						double tz = z +
							(d == 2                  ? step
									: d == 3 ? -step
										 : 0);
						double v = (double)at(w, &f1, (float)tx, (float)tz);
						if (v < best) {
							best = v;
							bx = tx;
							bz = tz;
						}
					}
					x = bx;
					z = bz;
				}
			if (at(w, &f1, (float)x, (float)z) > 1e-3f)
				continue;
			bool known = false;
			for (size_t i = 0; i < points && !known; i++)
				known = hypot(point[i][0] - x, point[i][1] - z) < 0.05;
			if (!known && points < MW_COUNTOF(point)) {
				point[points][0] = x;
				point[points++][1] = z;
			}
		}
	/* One point a cell: 10 x 10 cells were searched, those at the rim may be missed. */
	assert_in_range(points, 81, 144);
	for (int k = 0; k < 2000; k++) {
		double x = 20 + (k % 50) * 5.31, z = 20 + (k / 50) * 6.77;
		double a = 1e9, b = 1e9;
		for (size_t i = 0; i < points; i++) {
			double d = hypot(point[i][0] - x, point[i][1] - z);
			b = d < a ? a : d < b ? d : b;
			a = d < a ? d : a;
		}
		double got1 = (double)at(w, &f1, (float)x, (float)z) * 64;
		double got2 = (double)at(w, &f2, (float)x, (float)z) * 64;
		double gap = (double)at(w, &both, (float)x, (float)z) * 64;
		assert_true(fabs(got1 - a) < 0.1);
		assert_true(fabs(got2 - b) < 0.1);
		assert_true(fabs(gap - (got2 - got1)) < 1e-3);
		float id = at(w, &cell, (float)x, (float)z);
		assert_true(id >= -1.0f && id <= 1.0f);
	}
}

static void octaves_share_the_amplitude(void **state)
{
	world *w = *state;
	for (int fractal = 0; fractal < 3; fractal++)
		for (int octaves = 1; octaves <= 16; octaves += 5) {
			mw_noise n;
			mw_noise_init(&n);
			n.fractal = (mw_noise_fractal)fractal;
			n.octaves = octaves;
			n.amplitude = 260;
			n.gain = 0.8;
			n.period = 90;
			n.seed = (uint64_t)octaves;
			lay_out(w, 0, 0, 7.3);
			run(w, &n, mw_isa_detect());
			float low = 1e9f, high = -1e9f;
			for (int i = 0; i < W * H; i++) {
				low = w->grid[i] < low ? w->grid[i] : low;
				high = w->grid[i] > high ? w->grid[i] : high;
			}
			assert_true(high <= 260.001f && high > 50.0f);
			if (fractal == MW_NOISE_SUM)
				assert_true(low >= -260.001f && low < -50.0f);
			else
				assert_true(low >= 0.0f && low < 130.0f);
		}
}

static void one_octave_ridged_is_one_minus_the_noise_squared(void **state)
{
	world *w = *state;
	mw_noise plain, ridged, billow;
	mw_noise_init(&plain);
	plain.seed = 12;
	ridged = billow = plain;
	ridged.fractal = MW_NOISE_RIDGED;
	ridged.amplitude = 10;
	billow.fractal = MW_NOISE_BILLOW;
	billow.amplitude = -2;
	for (int k = 0; k < 100; k++) {
		float x = (float)k * 13.7f, z = 55.0f;
		double n = fabs((double)at(w, &plain, x, z));
		assert_true(fabs((double)at(w, &ridged, x, z) - 10 * (1 - n) * (1 - n)) < 1e-5);
		assert_true(fabs((double)at(w, &billow, x, z) + 2 * n) < 1e-6);
	}
}

static void seeds_change_the_noise_in_all_their_bits(void **state)
{
	world *w = *state;
	mw_noise n;
	mw_noise_init(&n);
	lay_out(w, 0, 0, 31);
	run(w, &n, mw_isa_detect());
	static float first[W * H];
	memcpy(first, w->grid, sizeof first);
	for (int bit = 0; bit < 64; bit++) {
		n.seed = (uint64_t)1 << bit;
		run(w, &n, mw_isa_detect());
		int same = 0;
		for (int i = 0; i < W * H; i++)
			same += first[i] == w->grid[i];
		assert_true(same < W * H / 20);
	}
}

/* A mean of zero and little correlation between neighbouring cells, over 64 K lattice values. */
static void lattice_values_look_random(void **state)
{
	world *w = *state;
	mw_noise n;
	mw_noise_init(&n);
	n.basis = MW_NOISE_VALUE;
	n.period = 1;
	double sum = 0, squares = 0, right = 0, below = 0, diagonal = 0;
	const int bands = 16;
	for (int b = 0; b < bands; b++) {
		lay_out(w, -128, b * H, 1);
		run(w, &n, mw_isa_detect());
		for (int j = 1; j < H; j++)
			for (int i = 1; i < W; i++) {
				double v = (double)w->grid[j * W + i];
				sum += v;
				squares += v * v;
				right += v * (double)w->grid[j * W + i - 1];
				below += v * (double)w->grid[(j - 1) * W + i];
				diagonal += v * (double)w->grid[(j - 1) * W + i - 1];
			}
	}
	double count = (double)bands * (H - 1) * (W - 1);
	assert_true(fabs(sum / count) < 0.01);
	assert_true(fabs(squares / count - 1.0 / 3) < 0.01); /* uniform in -1..1 */
	assert_true(fabs(right / count) < 0.01);
	assert_true(fabs(below / count) < 0.01);
	assert_true(fabs(diagonal / count) < 0.01);
}

static void wild_coordinates_are_defined(void **state)
{
	world *w = *state;
	static const float wild[] = {INFINITY, -INFINITY, NAN, 3e38f, -3e38f, 1e20f, -1e10f};
	for (int basis = 0; basis < 3; basis++) {
		mw_noise n;
		mw_noise_init(&n);
		n.basis = (mw_noise_basis)basis;
		n.octaves = 16;
		n.lacunarity = 16;
		n.period = 1e-3;
		for (size_t a = 0; a < MW_COUNTOF(wild); a++)
			for (int axis = 0; axis < 2; axis++) {
				float v = at(w, &n, axis ? 5.0f : wild[a], axis ? wild[a] : 5.0f);
				if (!isfinite(wild[a]))
					assert_true(isnan(v));
			}
		lay_out(w, 0, 0, 8);
		w->x[5] = NAN;
		w->x[9] = INFINITY;
		w->z[2] = -INFINITY;
		run(w, &n, mw_isa_detect());
		for (int j = 0; j < H; j++)
			for (int i = 0; i < W; i++)
				if (i == 5 || i == 9 || j == 2)
					assert_true(isnan(w->grid[j * W + i]));
	}
}

static void wrong_members_are_named(void **state)
{
	world *w = *state;
	mw_noise n;
	mw_noise_init(&n);
	n.period = 0;
	assert_fails(&w->cx, mw_noise_check(&w->cx, &n), MW_ERANGE, "period = 0");
	n.period = (double)NAN;
	assert_fails(&w->cx, mw_noise_check(&w->cx, &n), MW_ERANGE, "period");
	mw_noise_init(&n);
	n.octaves = 17;
	assert_fails(&w->cx, mw_noise_check(&w->cx, &n), MW_ERANGE, "octaves = 17");
	mw_noise_init(&n);
	n.gain = 1.5;
	assert_fails(&w->cx, mw_noise_check(&w->cx, &n), MW_ERANGE, "gain");
	mw_noise_init(&n);
	n.basis = MW_NOISE_CELLULAR;
	n.fractal = MW_NOISE_RIDGED;
	assert_fails(&w->cx, mw_noise_check(&w->cx, &n), MW_EINVALID, "cellular");
}

/* Bits of a few values, so that a change of the definition does not go unseen. */
static void the_definition_has_not_changed(void **state)
{
	world *w = *state;
	uint64_t sum[4] = {0};
	for (int k = 0; k < 4; k++) {
		mw_noise n;
		mw_noise_init(&n);
		n.basis = k < 2 ? MW_NOISE_GRADIENT : k == 2 ? MW_NOISE_VALUE : MW_NOISE_CELLULAR;
		n.fractal = k == 1 ? MW_NOISE_RIDGED : MW_NOISE_SUM;
		n.octaves = 6;
		n.seed = 1889;
		lay_out(w, 100, 200, 8);
		run(w, &n, mw_isa_detect());
		for (int i = 0; i < W * H; i++) {
			uint32_t u;
			memcpy(&u, &w->grid[i], sizeof u);
			sum[k] = mw_mix64(sum[k] ^ u);
		}
	}
	static const uint64_t known[4] = {
		0xb1b2b95f52c539a5u, 0x2e8fd2dd553ee5bbu, 0x149253d54b2921c6u, 0xba2ae91c09d3b39cu};
	for (int k = 0; k < 4; k++)
		if (sum[k] != known[k])
			print_error("definition %d: 0x%016llxu\n", k, (unsigned long long)sum[k]);
	assert_memory_equal(sum, known, sizeof sum);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_path_gives_the_same_bits),
		TEST(a_folded_row_of_coordinates_is_still_exact),
		TEST(gradient_noise_is_zero_on_its_lattice),
		TEST(gradient_noise_is_what_the_textbook_says),
		TEST(value_noise_passes_through_its_lattice_values),
		TEST(cellular_distances_agree_with_a_wide_search),
		TEST(octaves_share_the_amplitude),
		TEST(one_octave_ridged_is_one_minus_the_noise_squared),
		TEST(seeds_change_the_noise_in_all_their_bits),
		TEST(lattice_values_look_random),
		TEST(wild_coordinates_are_defined),
		TEST(wrong_members_are_named),
		TEST(the_definition_has_not_changed),
	};
	return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}

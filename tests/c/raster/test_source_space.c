/* Where a source takes its values: distances, grids, transforms, symmetry. */
#include "raster/source.h"

#include <math.h>

#include "base/rng.h"
#include "raster/sources.h"

/* ---- distances ---------------------------------------------------------------------------------
 */

static double to_segment(const double *a, const double *b, double x, double z)
{
	double dx = b[0] - a[0], dz = b[1] - a[1], l = dx * dx + dz * dz;
	double t = l > 0 ? ((x - a[0]) * dx + (z - a[1]) * dz) / l : 0;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return hypot(x - a[0] - t * dx, z - a[1] - t * dz);
}

static double slow_distance(
	mw_shape_kind kind, const double *xz, size_t n, double x, double z, bool *inside)
{
	double best = HUGE_VAL;
	*inside = false;
	for (size_t i = 0; i < n; i++) {
		const double *a = xz + 2 * i, *c = a;
		if (kind == MW_SHAPE_LINE && i + 1 < n)
			c = a + 2;
		if (kind == MW_SHAPE_POLYGON)
			c = xz + 2 * ((i + 1) % n);
		best = fmin(best, to_segment(a, c, x, z));
		if (kind == MW_SHAPE_POLYGON && (a[1] > z) != (c[1] > z) &&
			x < a[0] + (z - a[1]) * (c[0] - a[0]) / (c[1] - a[1]))
			*inside = !*inside;
	}
	return best;
}

static void simple_distances_are_exact(void **state)
{
	bench *b = *state;
	static const double point[] = {3, 4};
	same(value_at(b, shape(b, MW_SHAPE_POINTS, point, 1), 0, 0), 5);
	static const double line[] = {0, 0, 10, 0, 10, 10};
	mw_source *s = shape(b, MW_SHAPE_LINE, line, 3);
	same(value_at(b, s, 5, -2), 2);
	same(value_at(b, s, -3, -4), 5);
	same(value_at(b, s, 12, 5), 2);
	same(value_at(b, s, 10, 13), 3);
	same(value_at(b, s, 5, 9), 5); /* open: not closed back to the start */
	same(value_at(b, shape(b, MW_SHAPE_LINE, line, 1), 0, 7), 7);
	static const double square[] = {0, 0, 10, 0, 10, 10, 0, 10};
	s = shape(b, MW_SHAPE_POLYGON, square, 4);
	same(value_at(b, s, 5, 4), -4);
	same(value_at(b, s, 5, 12), 2);
	same(value_at(b, s, 13, 14), 5);
	same(value_at(b, s, 10, 5), 0);
	same(value_at(b, s, 0, 0), 0);
}

static void many_parts_give_the_nearest_whatever_is_culled(void **state)
{
	bench *b = *state;
	enum { N = 300, W = 300, H = 70 };
	double *xz = calloc(2 * N, sizeof *xz);
	float *v = calloc((size_t)W * H, sizeof *v), *w = calloc((size_t)W * H, sizeof *w);
	mw_rng rng;
	mw_rng_init(&rng, 5, "shape");
	for (int round = 0; round < 4; round++) {
		/* A star about the middle: a polygon that crosses nothing and wanders wildly. */
		for (int i = 0; i < N; i++) {
			double a = 6.283185307179586 * i / N;
			double r = 300 + 1500 * mw_rng_unit(&rng);
			xz[2 * i] = (double)(float)(2000 + r * cos(a));
			xz[2 * i + 1] = (double)(float)(1500 + r * sin(a));
		}
		for (int kind = 0; kind < 3; kind++) {
			mw_source *s = shape(b, (mw_shape_kind)kind, xz, N);
			mw_grid grid = {10.0, 900.0 * round, 13.5};
			eval_into(b, s, grid, W, H, 0, v);
			/* Warped by nothing: the coordinates are then not a grid's. */
			mw_source *none =
				op2(b, MW_OP_MUL, op2(b, MW_OP_MUL, x_of(b), z_of(b)), num(b, 0));
			eval_into(b, warped(b, s, none, none), grid, W, H, 0, w);
			assert_memory_equal(v, w, (size_t)W * H * sizeof *v);
			for (int k = 0; k < W * H; k++) {
				double x = grid.x0 + (k % W) * grid.step;
				double z = grid.z0 + (k / W) * grid.step;
				bool inside;
				double want =
					slow_distance((mw_shape_kind)kind, xz, N, x, z, &inside);
				assert_true(fabs(fabs((double)v[k]) - want) < 0.01);
				if (want > 0.01)
					assert_true((v[k] < 0) == inside);
			}
		}
	}
	free(xz);
	free(v);
	free(w);
}

/* ---- grids -------------------------------------------------------------------------------------
 */

static void grids_are_read_between_their_samples(void **state)
{
	bench *b = *state;
	static const float v[] = {0, 10, 20, 100, 110, 120};
	mw_source *s = grid_of(b, v, 3, 2, 50, 60, 8, MW_FILTER_BILINEAR, MW_EDGE_CLAMP);
	same(value_at(b, s, 50, 60), 0);
	same(value_at(b, s, 66, 68), 120);
	same(value_at(b, s, 54, 60), 5);
	same(value_at(b, s, 62, 64), 65);
	same(value_at(b, s, -1e9, 60), 0);
	same(value_at(b, s, 1e9, 1e9), 120);
	assert_true(isnan(value_at(b, s, NAN, 0)));
	s = grid_of(b, v, 3, 2, 50, 60, 8, MW_FILTER_NEAREST, MW_EDGE_CLAMP);
	same(value_at(b, s, 53.9, 60), 0);
	same(value_at(b, s, 54.1, 60), 10);
	same(value_at(b, s, 70, 64.1), 120);
	s = grid_of(b, v, 3, 2, 50, 60, 8, MW_FILTER_BILINEAR, MW_EDGE_WRAP);
	same(value_at(b, s, 50 + 24 * 7, 60), 0);
	same(value_at(b, s, 70, 60), 10); /* between 20 and, one round on, 0 */
	same(value_at(b, s, 46, 60), 10);
	same(value_at(b, s, 50, 72), 50);
	same(value_at(b, s, 50 - 24 * 3 + 8, 60 - 16 * 5), 10);
	s = grid_of(b, v, 3, 2, 50, 60, 8, MW_FILTER_NEAREST, MW_EDGE_WRAP);
	same(value_at(b, s, 71, 60), 0);
	same(value_at(b, s, 69, 60), 20);
	same(value_at(b, s, 45, 60), 20);
	/* A negative step turns the picture round. */
	s = grid_of(b, v, 3, 2, 50, 60, -8, MW_FILTER_BILINEAR, MW_EDGE_CLAMP);
	same(value_at(b, s, 42, 52), 110);
	/* One sample alone. */
	s = grid_of(b, v + 1, 1, 1, 0, 0, 1, MW_FILTER_BILINEAR, MW_EDGE_WRAP);
	same(value_at(b, s, 1234.5, -77), 10);
}

static void grids_are_the_same_however_they_are_met(void **state)
{
	bench *b = *state;
	enum { W = 300, H = 50, GW = 37, GH = 23 };
	static float v[GW * GH], one[W * H], other[W * H];
	mw_rng rng;
	mw_rng_init(&rng, 7, "grid");
	for (int i = 0; i < GW * GH; i++)
		v[i] = (float)(mw_rng_unit(&rng) * 100 - 50);
	mw_source *zero = op2(b, MW_OP_MUL, op2(b, MW_OP_MUL, x_of(b), z_of(b)), num(b, 0));
	/* From many samples between two of the grid's to many of the grid's between two samples; up
	 * to its edges, beyond them, and where a coordinate is no number. */
	static const double steps[] = {0.11, 1, 3.7, 29, 200};
	for (size_t k = 0; k < MW_COUNTOF(steps); k++)
		for (int kind = 0; kind < 4; kind++) {
			mw_source *s = grid_of(b, v, GW, GH, 3, -5, 13, (mw_filter)(kind & 1),
				(mw_edge)(kind >> 1));
			if (k == 1) /* a line is then not finite */
				s = transformed(b, s, 1, 0, 0, 0, 3e38, 0);
			mw_grid grid = {-20.5, 1.5 - 20 * steps[k], steps[k]};
			for (int isa = 0; isa <= (int)mw_isa_detect(); isa++) {
				b->cx.isa = (mw_isa)isa;
				eval_into(b, s, grid, W, H, 0, other);
				if (isa)
					assert_memory_equal(one, other, sizeof one);
				memcpy(one, other, sizeof one);
				eval_into(b, warped(b, s, zero, zero), grid, W, H, 0, other);
				assert_memory_equal(one, other, sizeof one);
			}
		}
}

/* ---- domains -----------------------------------------------------------------------------------
 */

static void transforms_and_warps_move_the_position(void **state)
{
	bench *b = *state;
	mw_source *s = op2(b, MW_OP_ADD, x_of(b), op2(b, MW_OP_MUL, z_of(b), num(b, 1000)));
	same(value_at(b, transformed(b, s, 1, 0, 5, 0, 1, -2), 10, 20), 15 + 18000);
	same(value_at(b, transformed(b, s, 0, 1, 0, -1, 0, 0), 10, 20), 20 - 10000);
	same(value_at(b, transformed(b, s, 2, 3, 4, 5, 6, 7), 10, 20), 84 + 177000);
	same(value_at(b, warped(b, s, num(b, 7), NULL), 10, 20), 17 + 20000);
	same(value_at(b, warped(b, s, z_of(b), x_of(b)), 10, 20), 30 + 30000);
	/* The inner warp happens at the place the outer one leads to. */
	mw_source *twice = warped(b, warped(b, s, z_of(b), NULL), NULL, x_of(b));
	same(value_at(b, twice, 10, 20), 10 + 30 + 30000);
}

static void symmetry_is_exact(void **state)
{
	bench *b = *state;
	enum { N = 65 };
	float v[N * N];
	mw_source *s = op2(b, MW_OP_ADD, noise(b, 100, 4, 3), op2(b, MW_OP_ADD, x_of(b), z_of(b)));
	mw_grid grid = {0, 0, 8};
	const double c = 32 * 8;
	for (int kind = MW_MIRROR_X; kind <= (int)MW_MIRROR_TURN; kind++) {
		eval_into(b, mirrored(b, s, (mw_mirror_kind)kind, 4, c, c), grid, N, N, 0, v);
		float plain[N * N];
		eval_into(b, s, grid, N, N, 0, plain);
		int changed = 0;
		for (int j = 0; j < N; j++)
			for (int i = 0; i < N; i++) {
				int mi = N - 1 - i, mj = N - 1 - j, pi = i, pj = j;
				if (kind == MW_MIRROR_X || kind == MW_MIRROR_QUAD)
					assert_true(v[j * N + i] == v[j * N + mi]);
				if (kind == MW_MIRROR_Z || kind == MW_MIRROR_QUAD)
					assert_true(v[j * N + i] == v[mj * N + i]);
				if (kind == MW_MIRROR_POINT)
					assert_true(v[j * N + i] == v[mj * N + mi]);
				if (kind == MW_MIRROR_TURN)
					assert_true(v[j * N + i] == v[i * N + mj]);
				/* The kept part is as it was. */
				bool kept = kind == MW_MIRROR_X   ? pi <= N / 2
					: kind == MW_MIRROR_Z     ? pj <= N / 2
					: kind == MW_MIRROR_POINT ? pj < N / 2
								  : pi <= N / 2 && pj < N / 2;
				if (kept)
					assert_true(v[j * N + i] == plain[j * N + i]);
				changed += v[j * N + i] != plain[j * N + i];
			}
		assert_true(changed > N * N / 3);
	}
}

static mw_source *fitted(bench *b, mw_source *a, double w, double h)
{
	MAKE(b, mw_source_fit, a, w, h);
}

static void what_is_left_open_is_taken_from_the_map(void **state)
{
	bench *b = *state;
	float v[5 * 3];
	mw_source *x = x_of(b), *z = z_of(b);
	/* Corners 0..32 by 0..16: the middle column and row are the axes. */
	mw_grid corners = {0, 0, 8}, cells = {4, 4, 8}, aside = {100, 200, 8};
	eval_into(b, mirrored(b, x, MW_MIRROR_X, 0, NAN, 0), corners, 5, 3, 0, v);
	assert_true(v[0] == 0 && v[1] == 8 && v[2] == 16 && v[3] == 8 && v[4] == 0);
	eval_into(b, mirrored(b, x, MW_MIRROR_X, 0, NAN, 0), cells, 5, 3, 0, v);
	assert_true(v[0] == 4 && v[1] == 12 && v[2] == 20 && v[3] == 12 && v[4] == 4);
	eval_into(b, mirrored(b, z, MW_MIRROR_POINT, 0, NAN, 0), aside, 5, 3, 0, v);
	assert_true(v[0] == 200 && v[5] == 208 && v[10] == 200);
	/* A picture of 4 x 2 over all of it. */
	eval_into(b, fitted(b, x, 4, 2), corners, 5, 3, 0, v);
	assert_true(v[0] == 0 && v[1] == 1 && v[4] == 4);
	eval_into(b, fitted(b, z, 5, 3), cells, 5, 3, 0, v);
	assert_true(v[0] == 0.5f && v[5] == 1.5f && v[10] == 2.5f);
	eval_into(b, fitted(b, x, 4, 2), aside, 5, 3, 0, v);
	assert_true(v[0] == 0 && v[2] == 2 && v[4] == 4);
}

static void soft_seams_are_symmetric_and_have_no_jump(void **state)
{
	bench *b = *state;
	enum { N = 129 };
	static float hard[N * N], soft[N * N], plain[N * N];
	mw_source *s = op2(b, MW_OP_ADD, noise(b, 300, 2, 3),
		op2(b, MW_OP_ADD, x_of(b), op2(b, MW_OP_MUL, z_of(b), num(b, 3))));
	mw_grid grid = {0, 0, 4};
	eval_into(b, s, grid, N, N, 0, plain);
	for (int kind = MW_MIRROR_X; kind <= (int)MW_MIRROR_TURN; kind++) {
		b->soften = 0;
		eval_into(b, mirrored(b, s, (mw_mirror_kind)kind, 4, NAN, 0), grid, N, N, 0, hard);
		b->soften = 80;
		eval_into(b, mirrored(b, s, (mw_mirror_kind)kind, 4, NAN, 0), grid, N, N, 0, soft);
		float jump = 0, cut = 0, steep = 0;
		for (int j = 0; j < N; j++)
			for (int i = 0; i < N; i++) {
				int mi = N - 1 - i, mj = N - 1 - j;
				int k = kind == MW_MIRROR_X      ? j * N + mi
					: kind == MW_MIRROR_Z    ? mj * N + i
					: kind == MW_MIRROR_TURN ? i * N + mj
								 : mj * N + mi;
				assert_true(fabsf(soft[j * N + i] - soft[k]) < 1e-3f);
				/* Far from the seams nothing changes. */
				int dx = abs(2 * i - N + 1), dz = abs(2 * j - N + 1);
				if (dx > 42 && dz > 42)
					assert_true(
						fabsf(soft[j * N + i] - hard[j * N + i]) < 1e-3f);
				if (j == 0)
					continue;
				float d = fabsf(soft[j * N + i] - soft[j * N - N + i]);
				jump = d > jump ? d : jump;
				d = fabsf(hard[j * N + i] - hard[j * N - N + i]);
				cut = d > cut ? d : cut;
				d = fabsf(plain[j * N + i] - plain[j * N - N + i]);
				steep = d > steep ? d : steep;
			}
		/* The two sides differ by hundreds at a hard point seam; a blend of 160 is gentle.
		 */
		assert_true(jump < 20 * steep);
		if (kind == MW_MIRROR_POINT || kind == MW_MIRROR_TURN)
			assert_true(cut > 250);
	}
}

static void three_sides_see_the_same_world(void **state)
{
	bench *b = *state;
	mw_source *s = mirrored(b, noise(b, 300, 2, 3), MW_MIRROR_TURN, 3, 500, 500);
	for (int k = 0; k < 60; k++) {
		double a = 0.1 * k + 0.03, r = 10 + 7 * k;
		double turn = 6.283185307179586 / 3;
		double one = (double)value_at(b, s, 500 + r * cos(a), 500 + r * sin(a));
		double two =
			(double)value_at(b, s, 500 + r * cos(a + turn), 500 + r * sin(a + turn));
		assert_true(fabs(one - two) < 1e-4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(simple_distances_are_exact),
		TEST(many_parts_give_the_nearest_whatever_is_culled),
		TEST(grids_are_read_between_their_samples),
		TEST(grids_are_the_same_however_they_are_met),
		TEST(transforms_and_warps_move_the_position),
		TEST(symmetry_is_exact),
		TEST(what_is_left_open_is_taken_from_the_map),
		TEST(soft_seams_are_symmetric_and_have_no_jump),
		TEST(three_sides_see_the_same_world),
	};
	return cmocka_run_group_tests_name("source_space", tests, NULL, NULL);
}

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "raster/source.h"
#include "support/oom.h"
#include "support/test.h"

static const mw_source_scope no_scope = {0, 0, 0, 0, 0};

/* Sources made by a test, released together. */
typedef struct {
	mw_ctx cx;
	mw_source *made[256];
	double soften; /* of mirrored */
	size_t n;
} bench;

static int set_up(void **state)
{
	bench *b = calloc(1, sizeof *b);
	mw_ctx_init(&b->cx);
	b->cx.isa = mw_isa_detect();
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	bench *b = *state;
	for (size_t i = 0; i < b->n; i++)
		mw_source_release(&b->cx, b->made[i]);
	free(b);
	return 0;
}

static mw_source *keep(bench *b, mw_code code, mw_source *s)
{
	assert_ok(&b->cx, code);
	assert_non_null(s);
	assert_true(b->n < MW_COUNTOF(b->made));
	b->made[b->n++] = s;
	return s;
}

#define MAKE(b, name, ...)                                                                         \
	do {                                                                                       \
		mw_source *made_ = NULL;                                                           \
		mw_code code_ = name(&(b)->cx, &made_, __VA_ARGS__);                               \
		return keep((b), code_, made_);                                                    \
	} while (0)

static mw_source *num(bench *b, double v)
{
	MAKE(b, mw_source_constant, v);
}

static mw_source *x_of(bench *b)
{
	mw_source *s = NULL;
	mw_code code = mw_source_x(&b->cx, &s);
	return keep(b, code, s);
}

static mw_source *z_of(bench *b)
{
	mw_source *s = NULL;
	mw_code code = mw_source_z(&b->cx, &s);
	return keep(b, code, s);
}

static mw_source *op3(bench *b, mw_source_op op, mw_source *p, mw_source *q, mw_source *r)
{
	mw_source *const operand[3] = {p, q, r};
	MAKE(b, mw_source_apply, op, operand);
}

static mw_source *op2(bench *b, mw_source_op op, mw_source *p, mw_source *q)
{
	return op3(b, op, p, q, NULL);
}

static mw_source *op1(bench *b, mw_source_op op, mw_source *p)
{
	return op3(b, op, p, NULL, NULL);
}

static mw_source *noise(bench *b, double period, int octaves, uint64_t seed)
{
	mw_noise n;
	mw_noise_init(&n);
	n.period = period;
	n.octaves = octaves;
	n.seed = seed;
	MAKE(b, mw_source_noise, &n, NULL);
}

static mw_source *named(bench *b, const char *stream)
{
	mw_noise n;
	mw_noise_init(&n);
	MAKE(b, mw_source_noise, &n, stream);
}

static mw_source *shape(bench *b, mw_shape_kind kind, const double *xz, size_t n)
{
	MAKE(b, mw_source_distance, kind, xz, n);
}

static mw_source *mirrored(bench *b, mw_source *a, mw_mirror_kind kind, int n, double x, double z)
{
	mw_mirror mirror = {.kind = kind, .n = n};
	const double centre[2] = {x, z};
	MAKE(b, mw_source_mirror, a, mirror, isnan(x) ? NULL : centre, b->soften);
}

static mw_source *warped(bench *b, mw_source *a, mw_source *dx, mw_source *dz)
{
	MAKE(b, mw_source_warp, a, dx, dz);
}

static mw_source *transformed(
	bench *b, mw_source *a, double m0, double m1, double m2, double m3, double m4, double m5)
{
	const double m[6] = {m0, m1, m2, m3, m4, m5};
	MAKE(b, mw_source_transform, a, m);
}

static mw_source *grid_of(bench *b, const float *v, int w, int h, double x0, double z0, double step,
	mw_filter filter, mw_edge edge)
{
	MAKE(b, mw_source_grid, v, w, h, x0, z0, step, step, filter, edge);
}

/* Values on a w x h grid in one buffer of the caller's. */
static void eval_into(bench *b, mw_source *s, mw_grid grid, int w, int h, uint64_t seed, float *out)
{
	mw_program p = {0};
	mw_field f = {0};
	mw_source_scope scope = mw_source_scope_of(&grid, w, h, seed);
	assert_ok(&b->cx, mw_program_compile(&b->cx, &p, &s, 1, &scope));
	assert_ok(&b->cx, mw_field_init(&b->cx, &f, w, h));
	assert_ok(&b->cx, mw_program_eval(&b->cx, &p, &grid, &f));
	memcpy(out, f.v, mw_field_count(&f) * sizeof(float));
	mw_field_free(&b->cx, &f);
	mw_program_free(&b->cx, &p);
}

static float value_at(bench *b, mw_source *s, double x, double z)
{
	float v;
	eval_into(b, s, (mw_grid){x, z, 1}, 1, 1, 0, &v);
	return v;
}

#define same(a, b) assert_true((a) == (float)(b))

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

static mw_source *curved(
	bench *b, mw_source *a, const double *xs, const double *ys, size_t n, bool smooth)
{
	MAKE(b, mw_source_curve, a, xs, ys, n, smooth);
}

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

static mw_source *terraced(bench *b, mw_source *a, double step, double offset, double soften)
{
	MAKE(b, mw_source_terrace, a, step, offset, soften);
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

/* ---- seeds, programs, threads ------------------------------------------------------------------
 */

static void nameless_noise_takes_its_seed_from_the_program(void **state)
{
	bench *b = *state;
	float a[64], c[64];
	mw_grid grid = {7, 9, 100};
	eval_into(b, named(b, "noise.gradient"), grid, 64, 1, 1, a);
	eval_into(b, named(b, "noise.gradient"), grid, 64, 1, 1, c);
	assert_memory_equal(a, c, sizeof a);
	eval_into(b, named(b, "noise.gradient"), grid, 64, 1, 2, c);
	assert_memory_not_equal(a, c, sizeof a);
	eval_into(b, named(b, "noise.value"), grid, 64, 1, 1, c);
	assert_memory_not_equal(a, c, sizeof a);
	/* A stated seed does not care. */
	eval_into(b, noise(b, 256, 1, 5), grid, 64, 1, 1, a);
	eval_into(b, noise(b, 256, 1, 5), grid, 64, 1, 2, c);
	assert_memory_equal(a, c, sizeof a);
	/* The same noise along x and z of a warp is two noises: else it would only move diagonally.
	 */
	mw_source *n = named(b, "noise.gradient");
	mw_source *dx = warped(b, x_of(b), n, n), *dz = warped(b, z_of(b), n, n);
	eval_into(b, op2(b, MW_OP_SUB, dx, x_of(b)), grid, 64, 1, 1, a);
	eval_into(b, op2(b, MW_OP_SUB, dz, z_of(b)), grid, 64, 1, 1, c);
	int equal = 0;
	for (int i = 0; i < 64; i++)
		equal += fabsf(a[i] - c[i]) < 1e-3f;
	assert_true(equal < 20);
}

static size_t length_of(bench *b, mw_source *s)
{
	mw_program p = {0};
	assert_ok(&b->cx, mw_program_compile(&b->cx, &p, &s, 1, &no_scope));
	size_t n = mw_program_length(&p);
	mw_program_free(&b->cx, &p);
	return n;
}

static void what_is_the_same_is_computed_once(void **state)
{
	bench *b = *state;
	mw_source *one = noise(b, 100, 3, 1), *again = noise(b, 100, 3, 1);
	assert_int_equal(length_of(b, one), 1);
	assert_int_equal(length_of(b, op2(b, MW_OP_ADD, one, again)), 2);
	assert_int_equal(length_of(b, op2(b, MW_OP_ADD, one, noise(b, 100, 3, 2))), 3);
	/* Constants are worked out, and what changes nothing is left out. */
	mw_source *six = op2(b, MW_OP_MUL, num(b, 2), num(b, 3));
	assert_int_equal(length_of(b, six), 0);
	same(value_at(b, six, 0, 0), 6);
	assert_int_equal(length_of(b, op2(b, MW_OP_MUL, one, num(b, 1))), 1);
	assert_int_equal(length_of(b, op2(b, MW_OP_ADD, x_of(b), six)), 1);
	/* A tree of 2^30 leaves that are all the same two sums. */
	mw_source *s = one;
	for (int i = 0; i < 30; i++)
		s = op2(b, MW_OP_ADD, s, s);
	assert_int_equal(length_of(b, s), 31);
}

/* Everything at once: rows, columns, whole blocks, ragged edges, a warp and a symmetry. */
static mw_source *landscape(bench *b)
{
	static const double square[] = {300, 200, 900, 260, 800, 900, 250, 700};
	static const double xs[] = {-1, 0, 0.5, 1}, ys[] = {-40, 0, 90, 100};
	static const float v[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	mw_noise ridged;
	mw_noise_init(&ridged);
	ridged.fractal = MW_NOISE_RIDGED;
	ridged.octaves = 4;
	ridged.period = 331;
	mw_source *r = NULL, *cells = NULL;
	mw_code code = mw_source_noise(&b->cx, &r, &ridged, "ridged");
	r = keep(b, code, r);
	ridged.basis = MW_NOISE_CELLULAR;
	ridged.fractal = MW_NOISE_SUM;
	ridged.cell = MW_NOISE_F2_F1;
	code = mw_source_noise(&b->cx, &cells, &ridged, "cells");
	cells = keep(b, code, cells);
	mw_source *s = op2(b, MW_OP_ADD, r, curved(b, noise(b, 77, 5, 4), xs, ys, 4, true));
	s = warped(b, s, op2(b, MW_OP_MUL, noise(b, 200, 2, 9), num(b, 30)), cells);
	s = op2(b, MW_OP_ADD, s, op2(b, MW_OP_POW, op1(b, MW_OP_ABS, x_of(b)), num(b, 0.7)));
	s = op2(b, MW_OP_SUB, s, op2(b, MW_OP_POW, op1(b, MW_OP_ABS, z_of(b)), num(b, 1.1)));
	s = terraced(b, s, 13, 1, 0.6);
	b->soften = 50;
	s = mirrored(b, s, MW_MIRROR_TURN, 3, 600, 500);
	b->soften = 0;
	s = mirrored(b, s, MW_MIRROR_POINT, 0, 600, 500);
	s = op2(b, MW_OP_MIN, s, shape(b, MW_SHAPE_POLYGON, square, 4));
	s = op2(b, MW_OP_DIV, s,
		grid_of(b, v, 3, 3, 100, 100, 300, MW_FILTER_BILINEAR, MW_EDGE_WRAP));
	return op3(b, MW_OP_SELECT, op2(b, MW_OP_SUB, x_of(b), z_of(b)), s,
		op3(b, MW_OP_SMOOTHSTEP, s, num(b, -50), x_of(b)));
}

static void threads_and_instruction_sets_change_no_bit(void **state)
{
	bench *b = *state;
	enum { W = 387, H = 91 };
	mw_source *s = landscape(b);
	mw_grid grid = {-101.5, 3.25, 3.7};
	float *first = calloc((size_t)W * H, sizeof *first);
	float *other = calloc((size_t)W * H, sizeof *other);
	b->cx.isa = MW_ISA_PORTABLE;
	eval_into(b, s, grid, W, H, 42, first);
	int finite = 0;
	for (int i = 0; i < W * H; i++)
		finite += isfinite(first[i]) != 0;
	assert_true(finite > W * H * 9 / 10);
	static const int threads[] = {1, 2, 7};
	for (int isa = 0; isa <= (int)mw_isa_detect(); isa++)
		for (size_t t = 0; t < MW_COUNTOF(threads); t++) {
			b->cx.isa = (mw_isa)isa;
			b->cx.pool = mw_pool_new(&b->cx, threads[t]);
			assert_non_null(b->cx.pool);
			eval_into(b, s, grid, W, H, 42, other);
			mw_pool_free(b->cx.pool);
			b->cx.pool = NULL;
			assert_memory_equal(first, other, (size_t)W * H * sizeof *first);
		}
	/* Neither does the place in a block: one sample at a time. */
	mw_source_scope scope = mw_source_scope_of(&grid, W, H, 42);
	for (int k = 0; k < 300; k++) {
		int i = (k * 37) % W, j = (k * 53) % H;
		mw_program p = {0};
		mw_field f = {0};
		assert_ok(&b->cx, mw_program_compile(&b->cx, &p, &s, 1, &scope));
		assert_ok(&b->cx, mw_field_init(&b->cx, &f, 1, 1));
		/* The same doubles as the grid's, so that the float coordinates agree. */
		mw_grid one = {grid.x0 + i * grid.step, grid.z0 + j * grid.step, 1};
		assert_ok(&b->cx, mw_program_eval(&b->cx, &p, &one, &f));
		assert_memory_equal(&first[j * W + i], f.v, sizeof(float));
		mw_field_free(&b->cx, &f);
		mw_program_free(&b->cx, &p);
	}
	free(first);
	free(other);
}

/* A random expression over what was made before it. */
static mw_source *random_node(bench *b, mw_rng *rng, mw_source *const *old, uint64_t n)
{
	mw_source *p = old[mw_rng_below(rng, n)], *q = old[mw_rng_below(rng, n)];
	mw_source *r = old[mw_rng_below(rng, n)];
	static const double points[] = {10, 10, 300, 40, 200, 220, 90, 150};
	switch (mw_rng_below(rng, 12)) {
	case 0:
		return num(b, mw_rng_unit(rng) * 8 - 3);
	case 1:
		return x_of(b);
	case 2:
		return z_of(b);
	case 3:
		return noise(b, 20 + 300 * mw_rng_unit(rng), 1 + (int)mw_rng_below(rng, 3),
			mw_rng_u64(rng));
	case 4:
		return shape(b, (mw_shape_kind)mw_rng_below(rng, 3), points, 4);
	case 5:
		return warped(b, p, q, mw_rng_below(rng, 2) ? r : NULL);
	case 6:
		return mirrored(b, p, (mw_mirror_kind)(1 + mw_rng_below(rng, 5)), 3, 150, 90);
	case 7:
		return transformed(b, p, mw_rng_below(rng, 2) ? 1.5 : 0,
			mw_rng_below(rng, 2) ? 0 : 0.5, 3, 0.25, 1, -4);
	case 8:
		return terraced(b, p, 1 + mw_rng_unit(rng), 0, 0.5);
	default:
		return op3(b, (mw_source_op)mw_rng_below(rng, MW_OP_COUNT), p, q, r);
	}
}

static void random_expressions_agree_with_themselves(void **state)
{
	bench *b = *state;
	enum { W = 45, H = 19, NODES = 24, ROOTS = 8 };
	static float all[ROOTS][W * H], one[W * H];
	float *const out[ROOTS] = {all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]};
	mw_rng rng;
	mw_rng_init(&rng, 11, "expressions");
	mw_grid grid = {5.5, 7.25, 6};
	mw_source_scope scope = mw_source_scope_of(&grid, W, H, 3);
	int ordinary = 0;
	for (int round = 0; round < 150; round++) {
		size_t before = b->n;
		/* Zero, but not known to be while compiling: it hides that x and z are a grid's. */
		mw_source *zero = op2(b, MW_OP_MUL, op2(b, MW_OP_MUL, x_of(b), z_of(b)), num(b, 0));
		mw_source *node[NODES + 2] = {x_of(b), z_of(b)};
		for (int i = 0; i < NODES; i++)
			node[2 + i] = random_node(b, &rng, node, (uint64_t)(2 + i));
		mw_source *const *roots = node + NODES + 2 - ROOTS;
		mw_program p = {0};
		assert_ok(&b->cx, mw_program_compile(&b->cx, &p, roots, ROOTS, &scope));
		for (int isa = (int)mw_isa_detect(); isa >= 0; isa--) {
			b->cx.isa = (mw_isa)isa;
			mw_program_scratch *scratch = mw_program_scratch_new(&b->cx, &p);
			assert_non_null(scratch);
			mw_program_eval_rows(&p, &grid, 0, H, W, out, scratch);
			mw_program_scratch_free(&b->cx, scratch);
			for (int i = 0; i < ROOTS && isa == (int)mw_isa_detect(); i++) {
				/* Alone, and where nothing is a row or a column. */
				eval_into(b, roots[i], grid, W, H, 3, one);
				assert_memory_equal(all[i], one, sizeof one);
				eval_into(b, warped(b, roots[i], zero, zero), grid, W, H, 3, one);
				assert_memory_equal(all[i], one, sizeof one);
				for (int k = 1; k < W * H; k++)
					ordinary += isfinite(one[k]) && one[k] != one[k - 1];
			}
			if (isa == (int)mw_isa_detect())
				continue;
			for (int i = 0; i < ROOTS; i++) {
				b->cx.isa = mw_isa_detect();
				eval_into(b, roots[i], grid, W, H, 3, one);
				assert_memory_equal(all[i], one, sizeof one);
			}
		}
		mw_program_free(&b->cx, &p);
		while (b->n > before)
			mw_source_release(&b->cx, b->made[--b->n]);
	}
	/* The expressions are not all constants or nonsense. */
	assert_true(ordinary > 150 * ROOTS * W * H / 4);
}

static void several_roots_share_one_program(void **state)
{
	bench *b = *state;
	enum { W = 300, H = 40 };
	mw_source *n = noise(b, 90, 4, 8);
	mw_source *roots[4] = {n, op2(b, MW_OP_MUL, n, num(b, 3)), x_of(b), num(b, 5)};
	mw_program p = {0};
	assert_ok(&b->cx, mw_program_compile(&b->cx, &p, roots, 4, &no_scope));
	assert_int_equal(mw_program_length(&p), 2);
	mw_program_scratch *scratch = mw_program_scratch_new(&b->cx, &p);
	assert_non_null(scratch);
	float *v = calloc((size_t)5 * W * H, sizeof *v);
	float *const out[4] = {v, v + W * H, v + 2 * W * H, v + 3 * W * H};
	mw_grid grid = {1, 2, 4};
	mw_program_eval_rows(&p, &grid, 0, H, W, out, scratch);
	float *alone = v + 4 * W * H;
	eval_into(b, n, grid, W, H, 0, alone);
	assert_memory_equal(v, alone, sizeof(float) * W * H);
	for (int k = 0; k < W * H; k++) {
		assert_true(out[1][k] == 3 * alone[k]);
		assert_true(out[2][k] == (float)(1 + 4 * (k % W)));
		assert_true(out[3][k] == 5);
	}
	/* Bands of any height, and outputs that nobody wants. */
	float *const some[4] = {NULL, v, NULL, NULL};
	mw_program_eval_rows(&p, &grid, 17, 5, W, some, scratch);
	assert_memory_equal(v, out[1] + 17 * W, sizeof(float) * 5 * W);
	free(v);
	mw_program_scratch_free(&b->cx, scratch);
	mw_program_free(&b->cx, &p);
}

/* ---- limits and failures -----------------------------------------------------------------------
 */

static void too_much_is_refused(void **state)
{
	bench *b = *state;
	mw_source *s = x_of(b), *t = NULL;
	mw_code code = MW_OK;
	int depth = 1;
	/* Each source holds the one before. */
	mw_source_retain(s);
	while (code == MW_OK) {
		mw_source *const operand[2] = {s, s};
		code = mw_source_apply(&b->cx, &t, MW_OP_ADD, operand);
		if (code != MW_OK)
			break;
		mw_source_release(&b->cx, s);
		s = t;
		depth++;
	}
	assert_null(t);
	assert_int_equal(depth, MW_SOURCE_DEPTH_MAX);
	assert_fails(&b->cx, code, MW_ELIMIT, "inside each other");
	assert_int_equal(length_of(b, s), MW_SOURCE_DEPTH_MAX - 1);
	/* Warped by itself again and again: every step needs all the steps before, elsewhere. */
	mw_source_release(&b->cx, s);
	s = op2(b, MW_OP_ADD, x_of(b), z_of(b));
	for (int i = 0; i < 40; i++)
		s = warped(b, s, s, s);
	mw_program p = {0};
	assert_fails(
		&b->cx, mw_program_compile(&b->cx, &p, &s, 1, &no_scope), MW_ELIMIT, "more than");
	assert_null(p.p);
}

static void wrong_arguments_are_named(void **state)
{
	bench *b = *state;
	mw_ctx *cx = &b->cx;
	mw_source *out = NULL, *x = x_of(b);
	static const double xz[] = {0, 0, NAN, 1, 1e10, 0, 5, 5};
	static const double fall[] = {0, 5, 5}, ys[] = {1, 2, 3};
	static const float v[] = {1};
	assert_fails(cx, mw_source_constant(cx, &out, NAN), MW_ERANGE, "constant");
	assert_fails(cx, mw_source_constant(cx, &out, 1e39), MW_ERANGE, "constant");
	assert_fails(
		cx, mw_source_distance(cx, &out, MW_SHAPE_POINTS, xz, 2), MW_ERANGE, "point 2");
	assert_fails(
		cx, mw_source_distance(cx, &out, MW_SHAPE_LINE, xz + 4, 1), MW_ERANGE, "point 1");
	assert_fails(cx, mw_source_distance(cx, &out, MW_SHAPE_LINE, xz, 0), MW_ERANGE, "0 points");
	assert_fails(
		cx, mw_source_distance(cx, &out, MW_SHAPE_POLYGON, xz, 2), MW_ERANGE, "2 points");
	assert_fails(cx, mw_source_curve(cx, &out, x, fall, ys, 3, false), MW_ERANGE,
		"does not come after");
	assert_fails(cx, mw_source_curve(cx, &out, x, fall, ys, 65, false), MW_ERANGE, "65");
	assert_fails(cx, mw_source_terrace(cx, &out, x, 0, 0, 0), MW_ERANGE, "step");
	assert_fails(cx, mw_source_terrace(cx, &out, x, 1, 0, 2), MW_ERANGE, "soften");
	assert_fails(cx,
		mw_source_grid(cx, &out, v, 0, 1, 0, 0, 1, 1, MW_FILTER_NEAREST, MW_EDGE_CLAMP),
		MW_ERANGE, "0 x 1");
	assert_fails(cx,
		mw_source_grid(cx, &out, v, 1, 1, 0, 0, 0, 1, MW_FILTER_NEAREST, MW_EDGE_CLAMP),
		MW_ERANGE, "step");
	mw_mirror mirror = {MW_MIRROR_TURN, 1};
	assert_fails(cx, mw_source_mirror(cx, &out, x, (mw_mirror){MW_MIRROR_X, 0}, NULL, -1),
		MW_ERANGE, "soft seam");
	assert_fails(cx, mw_source_mirror(cx, &out, x, mirror, NULL, 0), MW_ERANGE, "sectors");
	assert_null(out);
}

static mw_code everything(mw_ctx *cx, void *ud)
{
	MW_UNUSED(ud);
	static const double square[] = {0, 0, 9, 0, 9, 9, 0, 9}, xs[] = {0, 1}, ys[] = {0, 1};
	static const float v[] = {1, 2, 3, 4};
	mw_noise n;
	mw_noise_init(&n);
	mw_source *s[12] = {0};
	mw_program p = {0};
	mw_field f = {0};
	mw_grid grid = {0, 0, 8};
	mw_code code = mw_source_noise(cx, &s[0], &n, "n");
	if (code == MW_OK)
		code = mw_source_distance(cx, &s[1], MW_SHAPE_POLYGON, square, 4);
	if (code == MW_OK)
		code = mw_source_grid(
			cx, &s[2], v, 2, 2, 0, 0, 8, 8, MW_FILTER_BILINEAR, MW_EDGE_CLAMP);
	if (code == MW_OK)
		code = mw_source_curve(cx, &s[3], s[0], xs, ys, 2, true);
	if (code == MW_OK)
		code = mw_source_warp(cx, &s[4], s[3], s[1], s[2]);
	if (code == MW_OK)
		code = mw_source_mirror(cx, &s[5], s[4], (mw_mirror){MW_MIRROR_TURN, 3}, NULL, 2);
	if (code == MW_OK)
		code = mw_source_apply(cx, &s[6], MW_OP_ADD, (mw_source *const[]){s[5], s[0]});
	if (code == MW_OK)
		code = mw_program_compile(cx, &p, &s[6], 1, &no_scope);
	if (code == MW_OK)
		code = mw_field_init(cx, &f, 20, 20);
	if (code == MW_OK)
		code = mw_program_eval(cx, &p, &grid, &f);
	mw_field_free(cx, &f);
	mw_program_free(cx, &p);
	for (size_t i = 0; i < MW_COUNTOF(s); i++)
		mw_source_release(cx, s[i]);
	return code;
}

static void every_failing_allocation_is_reported_and_nothing_leaks(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(everything, NULL) > 20);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

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
		TEST(simple_distances_are_exact),
		TEST(many_parts_give_the_nearest_whatever_is_culled),
		TEST(grids_are_read_between_their_samples),
		TEST(grids_are_the_same_however_they_are_met),
		TEST(transforms_and_warps_move_the_position),
		TEST(symmetry_is_exact),
		TEST(what_is_left_open_is_taken_from_the_map),
		TEST(soft_seams_are_symmetric_and_have_no_jump),
		TEST(three_sides_see_the_same_world),
		TEST(nameless_noise_takes_its_seed_from_the_program),
		TEST(what_is_the_same_is_computed_once),
		TEST(threads_and_instruction_sets_change_no_bit),
		TEST(random_expressions_agree_with_themselves),
		TEST(several_roots_share_one_program),
		TEST(too_much_is_refused),
		TEST(wrong_arguments_are_named),
		TEST(every_failing_allocation_is_reported_and_nothing_leaks),
	};
	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}

/* Sources as programs: seeds, sharing, threads, limits and failures. */
#include "raster/source.h"

#include <math.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "raster/sources.h"
#include "support/oom.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nameless_noise_takes_its_seed_from_the_program),
		TEST(what_is_the_same_is_computed_once),
		TEST(threads_and_instruction_sets_change_no_bit),
		TEST(random_expressions_agree_with_themselves),
		TEST(several_roots_share_one_program),
		TEST(too_much_is_refused),
		TEST(wrong_arguments_are_named),
		TEST(every_failing_allocation_is_reported_and_nothing_leaks),
	};
	return cmocka_run_group_tests_name("source_program", tests, NULL, NULL);
}

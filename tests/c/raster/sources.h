/* Sources for tests: made in one line, released together. */
#ifndef MW_TESTS_RASTER_SOURCES_H
#define MW_TESTS_RASTER_SOURCES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raster/source.h"
#include "support/test.h"

static const mw_source_scope no_scope = {0, 0, 0, 0, 0};

/* Sources made by a test, released together. */
typedef struct {
	mw_ctx cx;
	mw_source *made[256];
	double soften; /* of mirrored */
	size_t n;
} bench;

static inline int set_up(void **state)
{
	bench *b = calloc(1, sizeof *b);
	mw_ctx_init(&b->cx);
	b->cx.isa = mw_isa_detect();
	*state = b;
	return 0;
}

static inline int tear_down(void **state)
{
	bench *b = *state;
	for (size_t i = 0; i < b->n; i++)
		mw_source_release(&b->cx, b->made[i]);
	free(b);
	return 0;
}

static inline mw_source *keep(bench *b, mw_code code, mw_source *s)
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

static inline mw_source *num(bench *b, double v)
{
	MAKE(b, mw_source_constant, v);
}

static inline mw_source *x_of(bench *b)
{
	mw_source *s = NULL;
	mw_code code = mw_source_x(&b->cx, &s);
	return keep(b, code, s);
}

static inline mw_source *z_of(bench *b)
{
	mw_source *s = NULL;
	mw_code code = mw_source_z(&b->cx, &s);
	return keep(b, code, s);
}

static inline mw_source *op3(bench *b, mw_source_op op, mw_source *p, mw_source *q, mw_source *r)
{
	mw_source *const operand[3] = {p, q, r};
	MAKE(b, mw_source_apply, op, operand);
}

static inline mw_source *op2(bench *b, mw_source_op op, mw_source *p, mw_source *q)
{
	return op3(b, op, p, q, NULL);
}

static inline mw_source *op1(bench *b, mw_source_op op, mw_source *p)
{
	return op3(b, op, p, NULL, NULL);
}

static inline mw_source *noise(bench *b, double period, int octaves, uint64_t seed)
{
	mw_noise n;
	mw_noise_init(&n);
	n.period = period;
	n.octaves = octaves;
	n.seed = seed;
	MAKE(b, mw_source_noise, &n, NULL);
}

static inline mw_source *named(bench *b, const char *stream)
{
	mw_noise n;
	mw_noise_init(&n);
	MAKE(b, mw_source_noise, &n, stream);
}

static inline mw_source *shape(bench *b, mw_shape_kind kind, const double *xz, size_t n)
{
	MAKE(b, mw_source_distance, kind, xz, n);
}

static inline mw_source *mirrored(
	bench *b, mw_source *a, mw_mirror_kind kind, int n, double x, double z)
{
	mw_mirror mirror = {.kind = kind, .n = n};
	const double centre[2] = {x, z};
	MAKE(b, mw_source_mirror, a, mirror, isnan(x) ? NULL : centre, b->soften);
}

static inline mw_source *warped(bench *b, mw_source *a, mw_source *dx, mw_source *dz)
{
	MAKE(b, mw_source_warp, a, dx, dz);
}

static inline mw_source *transformed(
	bench *b, mw_source *a, double m0, double m1, double m2, double m3, double m4, double m5)
{
	const double m[6] = {m0, m1, m2, m3, m4, m5};
	MAKE(b, mw_source_transform, a, m);
}

static inline mw_source *grid_of(bench *b, const float *v, int w, int h, double x0, double z0,
	double step, mw_filter filter, mw_edge edge)
{
	MAKE(b, mw_source_grid, v, w, h, x0, z0, step, step, filter, edge);
}

static inline mw_source *curved(
	bench *b, mw_source *a, const double *xs, const double *ys, size_t n, bool smooth)
{
	MAKE(b, mw_source_curve, a, xs, ys, n, smooth);
}

static inline mw_source *terraced(bench *b, mw_source *a, double step, double offset, double soften)
{
	MAKE(b, mw_source_terrace, a, step, offset, soften);
}

/* Values on a w x h grid in one buffer of the caller's. */
static inline void eval_into(
	bench *b, mw_source *s, mw_grid grid, int w, int h, uint64_t seed, float *out)
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

static inline float value_at(bench *b, mw_source *s, double x, double z)
{
	float v;
	eval_into(b, s, (mw_grid){x, z, 1}, 1, 1, 0, &v);
	return v;
}

#define same(a, b) assert_true((a) == (float)(b))

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

#endif

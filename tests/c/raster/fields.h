/* Fields for tests. */
#ifndef MW_TESTS_RASTER_FIELDS_H
#define MW_TESTS_RASTER_FIELDS_H

#include <math.h>

#include "base/rng.h"
#include "raster/field.h"
#include "support/test.h"

static mw_ctx cx;

static inline int setup(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	return 0;
}

static inline mw_field make(int32_t w, int32_t h)
{
	mw_field f;
	assert_ok(&cx, mw_field_init(&cx, &f, w, h));
	return f;
}

/* Rough ground: -200..200. */
static inline mw_field rough(int32_t w, int32_t h, uint64_t seed)
{
	mw_field f = make(w, h);
	mw_rng r;
	mw_rng_init(&r, seed, "test");
	for (size_t i = 0; i < mw_field_count(&f); i++)
		f.v[i] = (float)(mw_rng_unit(&r) * 400 - 200);
	return f;
}

static inline float at(const mw_field *f, int32_t i, int32_t j)
{
	return mw_field_row(f, j)[i];
}

static inline void assert_same(const mw_field *a, const mw_field *b)
{
	assert_int_equal(a->w, b->w);
	assert_int_equal(a->h, b->h);
	assert_memory_equal(a->v, b->v, mw_field_count(a) * sizeof(float));
}

static inline void assert_near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("got %.9g, want %.9g within %g", got, want, tolerance);
}

#endif

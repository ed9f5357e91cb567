#include "raster/erode.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/pool.h"
#include "raster/erode_internal.h"

#define GRAIN 32 /* rows a task */

mw_code mw_erode_thermal(mw_ctx *cx, mw_field *f, double step, const mw_thermal *o)
{
	if (o->iterations < 0 || o->iterations > 1000000)
		return mw_fail(cx, MW_ERANGE, "%d iterations", o->iterations);
	if (!(o->talus >= 0 && o->talus <= 89) || !(o->rate >= 0 && o->rate <= 1))
		return mw_fail(cx, MW_ERANGE, "talus %g is outside 0..89 or rate %g outside 0..1",
			o->talus, o->rate);
	mw_code code = mw_field_require_finite(cx, f, "the height to erode");
	if (code != MW_OK || o->iterations == 0)
		return code;

	double c, s;
	mw_turn(o->talus / 360, &c, &s);
	double holds = s / c * step;
	mw_field other;
	code = mw_field_copy(cx, &other, f);
	if (code != MW_OK)
		return code;
	/* 0.12 * (4 + 4 / sqrt 2) < 1: no cell gives more than it has above its neighbours */
	mw__thermal_job job = {.from = other,
		.to = *f,
		.talus = (float)holds,
		.talus_diagonal = (float)(holds * 1.4142135623730951),
		.rate = (float)(0.12 * o->rate),
		.rate_diagonal = (float)(0.12 * 0.7071067811865476 * o->rate)};
	mw_pool_fn slide = mw__thermal_rows;
#if MW_ISA_X86
	if (cx->isa >= MW_ISA_AVX2)
		slide = mw__thermal_rows_avx2;
#endif
	for (int32_t k = 0; k < o->iterations; k++) {
		code = mw_pool_for(cx, (size_t)f->h, GRAIN, slide, &job);
		mw_field from = job.to;
		job.to = job.from;
		job.from = from;
		mw_log_progress(cx, MW_STAGE_ERODE, (uint64_t)k + 1, (uint64_t)o->iterations);
	}
	if (job.from.v == other.v) {
		other.v = f->v;
		f->v = job.from.v;
	}
	mw_field_free(cx, &other);
	return code;
}

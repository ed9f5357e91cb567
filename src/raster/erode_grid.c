#include "raster/erode.h"

#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "raster/erode_internal.h"

#define GRAIN 64 /* rows a band: two to four more are worked out twice */
#define PLANES 5 /* of a state */

static float *row_at(float *plane, const mw__grid_job *job, int32_t j)
{
	return plane + (size_t)j * job->stride;
}

static mw_code check_options(mw_ctx *cx, const mw_hydraulic *o)
{
	const struct {
		const char *name;
		double value, max;
	} options[] = {{"rain", o->rain, 1000}, {"variation", o->variation, 1},
		{"evaporation", o->evaporation, 1}, {"capacity", o->capacity, 1000},
		{"dissolve", o->dissolve, 1}, {"deposit", o->deposit, 1},
		{"friction", o->friction, 1}, {"iterations", o->iterations, 1000000}};

	for (size_t k = 0; k < MW_COUNTOF(options); k++) {
		if (!(options[k].value >= 0 && options[k].value <= options[k].max))
			return mw_fail(cx, MW_ERANGE, "%s %g is outside 0..%g", options[k].name,
				options[k].value, options[k].max);
	}
	return MW_OK;
}

/* The planes of a state in one block. */
static mw__grid_state planes_in(float *block, size_t plane)
{
	float *p = block + MW__GRID_PAD;
	return (mw__grid_state){p, p + plane, p + 2 * plane, p + 3 * plane, p + 4 * plane};
}

/* A plane of rain that differs from place to place, or a row where it doesn't. */
static void fill_rain(mw__grid_job *job, float *rain, const mw_hydraulic *o)
{
	bool varied = o->variation > 0;

	job->rain = rain;
	job->rain_stride = varied ? job->stride : 0;
	for (int32_t j = 0; j < (varied ? job->h : 1); j++) {
		for (int32_t i = 0; i < job->w; i++) {
			uint64_t bits = mw_mix64(
				o->seed ^ mw_mix64((uint64_t)(uint32_t)j << 32 | (uint32_t)i));
			double unit = (double)(bits >> 11) / 9007199254740992.0;
			rain[(size_t)j * job->stride + (size_t)i] =
				(float)(o->rain * (1 + o->variation * (2 * unit - 1)));
		}
	}
}

mw_code mw_erode_hydraulic(mw_ctx *cx, mw_field *f, double step, const mw_hydraulic *o)
{
	mw_code code = check_options(cx, o);
	if (code == MW_OK)
		code = mw_field_require_finite(cx, f, "the height to erode");
	if (code != MW_OK || o->iterations == 0)
		return code;

	mw__grid_job job = {.w = f->w,
		.h = f->h,
		.pull = 0.25f,
		.keep = (float)(1 - o->friction),
		.slope_by = (float)(0.5 / step),
		.capacity = (float)o->capacity,
		.dissolve = (float)o->dissolve,
		.deposit = (float)o->deposit,
		.stays = (float)(1 - o->evaporation)};
	job.stride =
		((size_t)f->w + 1 + MW__GRID_PAD - 1) / MW__GRID_PAD * MW__GRID_PAD + MW__GRID_PAD;
	size_t plane = job.stride * (size_t)f->h;
	size_t block = PLANES * plane + MW__GRID_PAD;
	size_t rain_rows = o->variation > 0 ? (size_t)f->h : 1;
	float *a = mw_alloc_wide(cx, block * sizeof *a);
	float *b = mw_alloc_wide(cx, block * sizeof *b);
	float *rain = mw_alloc_wide(cx, rain_rows * job.stride * sizeof *rain);
	size_t threads = (size_t)mw_pool_threads(cx->pool);
	job.scratch = mw_alloc_wide(cx,
		(threads * MW__GRID_ROW_BUFFERS * job.stride + MW__GRID_PAD) * sizeof *job.scratch);
	code = MW_ENOMEM;
	if (!a || !b || !rain || !job.scratch)
		goto done;
	memset(a, 0, block * sizeof *a);
	memset(b, 0, block * sizeof *b);
	job.from = planes_in(a, plane);
	job.to = planes_in(b, plane);
	for (int32_t j = 0; j < f->h; j++) {
		float *bed = row_at(job.from.bed, &job, j);
		memcpy(bed, mw_field_row(f, j), (size_t)f->w * sizeof *bed);
		bed[-1] = bed[0];
		bed[f->w] = bed[f->w - 1];
	}
	fill_rain(&job, rain, o);
	mw_pool_fn sweep = mw__grid_rows;
#if MW_ISA_X86
	if (cx->isa >= MW_ISA_AVX2)
		sweep = mw__grid_rows_avx2;
#endif
	code = MW_OK;
	for (int32_t k = 0; k < o->iterations && code == MW_OK; k++) {
		code = mw_pool_for(cx, (size_t)f->h, GRAIN, sweep, &job);
		mw__grid_state from = job.to;
		job.to = job.from;
		job.from = from;
		mw_log_progress(cx, MW_STAGE_ERODE, (uint64_t)k + 1, (uint64_t)o->iterations);
	}
	for (int32_t j = 0; j < f->h && code == MW_OK; j++) {
		const float *bed = row_at(job.from.bed, &job, j);
		const float *load = row_at(job.from.load, &job, j);
		float *out = mw_field_row(f, j);
		for (int32_t i = 0; i < f->w; i++)
			out[i] = bed[i] + load[i];
	}
done:
	mw_free(cx, a);
	mw_free(cx, b);
	mw_free(cx, rain);
	mw_free(cx, job.scratch);
	return code;
}

#include "raster/erode.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/pool.h"

#define GRAIN 32 /* rows a task */

typedef struct {
	mw_field from, to;
	float talus, talus_diagonal; /* height differences that hold */
	float rate, rate_diagonal;
} thermal_job;

/* What of a difference is beyond what holds; odd in d. */
static inline float excess(float d, float holds)
{
	float kept = d < holds ? d : holds;
	kept = kept > -holds ? kept : -holds;
	return d - kept;
}

/* One cell from its row and the rows to the north and south; l and r are the columns beside i. Sums
 * opposite neighbours first, so that mirrored ground gives mirrored results. */
static inline float settled(const thermal_job *job, const float *n, const float *c, const float *s,
	int32_t l, int32_t i, int32_t r)
{
	float h = c[i];
	float t = job->talus;
	float u = job->talus_diagonal;
	float straight = (excess(h - c[l], t) + excess(h - c[r], t)) +
		(excess(h - n[i], t) + excess(h - s[i], t));
	float slant = (excess(h - n[l], u) + excess(h - s[r], u)) +
		(excess(h - n[r], u) + excess(h - s[l], u));
	return h - (straight * job->rate + slant * job->rate_diagonal);
}

static mw_code thermal_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const thermal_job *job = ud;
	int32_t w = job->from.w;
	int32_t h = job->from.h;

	MW_UNUSED(cx);
	MW_UNUSED(worker);
	for (size_t k = first; k < last; k++) {
		int32_t j = (int32_t)k;
		const float *c = mw_field_row(&job->from, j);
		const float *n = j > 0 ? mw_field_row(&job->from, j - 1) : c;
		const float *s = j < h - 1 ? mw_field_row(&job->from, j + 1) : c;
		float *restrict out = mw_field_row(&job->to, j);
		thermal_job own = *job; /* in registers: out cannot alias it */

		for (int32_t i = 1; i < w - 1; i++)
			out[i] = settled(&own, n, c, s, i - 1, i, i + 1);
		out[0] = settled(&own, n, c, s, 0, 0, w > 1 ? 1 : 0);
		out[w - 1] = settled(&own, n, c, s, w > 1 ? w - 2 : 0, w - 1, w - 1);
	}
	return MW_OK;
}

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
	thermal_job job = {.from = other,
		.to = *f,
		.talus = (float)holds,
		.talus_diagonal = (float)(holds * 1.4142135623730951),
		.rate = (float)(0.12 * o->rate),
		.rate_diagonal = (float)(0.12 * 0.7071067811865476 * o->rate)};
	for (int32_t k = 0; k < o->iterations; k++) {
		code = mw_pool_for(cx, (size_t)f->h, GRAIN, thermal_rows, &job);
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

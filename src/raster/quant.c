#include "raster/quant.h"

#include "base/pool.h"

#define GRAIN 32 /* rows a task */

typedef struct {
	const mw_field *f;
	uint16_t *wide; /* one of the two */
	uint8_t *narrow;
	double min, max, scale;
	double top; /* largest result */
} quant_job;

/* floor for values that were clamped to 0..65536. */
static inline double floor_small(double x)
{
	return (double)(int32_t)x;
}

static mw_code quant_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const quant_job *job = ud;
	size_t w = (size_t)job->f->w;
	double top = job->top;

	MW_UNUSED(worker);
	for (size_t j = first; j < last; j++) {
		const float *row = job->f->v + j * w;
		int nan = 0;
		for (size_t i = 0; i < w; i++)
			nan |= row[i] != row[i];
		if (nan) {
			size_t i = 0;
			while (row[i] == row[i])
				i++;
			return mw_fail(cx, MW_ERANGE, "sample (%zu, %zu) is not a number", i, j);
		}
		if (job->wide) {
			uint16_t *out = job->wide + j * w;
			for (size_t i = 0; i < w; i++) {
				double q = ((double)row[i] - job->min) * job->scale + 0.5;
				q = q > 0 ? q : 0;
				q = q < top ? q : top;
				out[i] = (uint16_t)floor_small(q);
			}
		} else {
			uint8_t *out = job->narrow + j * w;
			for (size_t i = 0; i < w; i++) {
				double q = ((double)row[i] - job->min) * job->scale + 0.5;
				q = q > 0 ? q : 0;
				q = q < top ? q : top;
				out[i] = (uint8_t)floor_small(q);
			}
		}
	}
	return MW_OK;
}

static mw_quant_clip count_clipped(const quant_job *job)
{
	mw_quant_clip clip = {.below_i = -1, .below_j = -1, .above_i = -1, .above_j = -1};
	/* One step beyond the lowest and the highest result; with no range any difference counts.
	 */
	double step = job->scale > 0 ? 1 / job->scale : 0;
	double low = job->min - step;
	double high = job->min + job->top * step + step;
	const mw_field *f = job->f;

	for (int32_t j = 0; j < f->h; j++) {
		const float *row = mw_field_row(f, j);
		int out = 0;
		for (int32_t i = 0; i < f->w; i++)
			out |= (double)row[i] < low || (double)row[i] > high;
		if (!out)
			continue;
		for (int32_t i = 0; i < f->w; i++) {
			double x = (double)row[i];
			if (x < low) {
				if (clip.below++ == 0) {
					clip.below_i = i;
					clip.below_j = j;
				}
				if (job->min - x > clip.worst_below)
					clip.worst_below = job->min - x;
			} else if (x > high) {
				if (clip.above++ == 0) {
					clip.above_i = i;
					clip.above_j = j;
				}
				if (x - job->max > clip.worst_above)
					clip.worst_above = x - job->max;
			}
		}
	}
	return clip;
}

static mw_code quantize(mw_ctx *cx, quant_job *job, mw_quant_clip *clip, double steps)
{
	double range = job->max - job->min;

	if (!(range - range == 0) || !(job->max - job->max == 0))
		return mw_fail(
			cx, MW_EINVALID, "the range %g..%g is not finite", job->min, job->max);
	if (range < 0)
		return mw_fail(cx, MW_EINVALID, "the lowest value %g is above the highest %g",
			job->min, job->max);
	job->scale = range > 0 ? steps / range : 0;
	if (!(job->scale - job->scale == 0))
		return mw_fail(cx, MW_EINVALID, "the range %g..%g is too small to divide", job->min,
			job->max);
	if (job->scale == 0 && range > 0)
		return mw_fail(
			cx, MW_EINVALID, "the range %g..%g is too large", job->min, job->max);
	mw_code code = mw_pool_for(cx, (size_t)job->f->h, GRAIN, quant_rows, job);
	if (code == MW_OK && clip)
		*clip = count_clipped(job);
	return code;
}

mw_code mw_quantize_u16(
	mw_ctx *cx, uint16_t *out, mw_quant_clip *clip, const mw_field *f, double min, double max)
{
	quant_job job = {.f = f, .wide = out, .min = min, .max = max, .top = 65535};
	return quantize(cx, &job, clip, 65536);
}

mw_code mw_quantize_u8(
	mw_ctx *cx, uint8_t *out, mw_quant_clip *clip, const mw_field *f, double min, double max)
{
	quant_job job = {.f = f, .narrow = out, .min = min, .max = max, .top = 255};
	return quantize(cx, &job, clip, 255);
}

void mw_dequantize_u16(float *out, const uint16_t *in, size_t n, float min, float max)
{
	float step = (max - min) / 65536.0f;

	for (size_t i = 0; i < n; i++)
		out[i] = min + (float)in[i] * step;
}

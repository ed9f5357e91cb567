/* Measures of shape: steepness, the engine's slope map, curvature. */
#include "raster/field.h"

#include <math.h>

#include "base/pool.h"

typedef struct {
	const mw_field *f;
	mw_field *out;
	double step;
} shape_job;

/* Arc tangent in degrees of t >= 0 from + - * / alone; error below 1e-5 degrees. */
static inline float atan_degrees(float t)
{
	/* Above 1 the complement; then around tan(22.5 degrees) to -0.42..0.42. */
	float big = t > 1.0f ? 1.0f : 0.0f;
	float u = t > 1.0f ? 1.0f / t : t;
	float shifted = (u - 1.0f) / (u + 1.0f);
	float upper = u > 0.41421356f ? 1.0f : 0.0f;
	float x = u > 0.41421356f ? shifted : u;
	float y = x * x;
	float p = x +
		x * y *
			(-3.33329491e-1f +
				y * (1.99777106e-1f + y * (-1.38776856e-1f + y * 8.05374449e-2f)));
	float degrees = upper * 45.0f + p * 57.2957795f;
	return big * 90.0f + (1.0f - 2.0f * big) * degrees;
}

static mw_code slope_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const shape_job *job = ud;
	const mw_field *f = job->f;
	int32_t w = f->w;
	float once = (float)(1 / job->step);
	float half = (float)(0.5 / job->step);

	MW_UNUSED(cx);
	MW_UNUSED(worker);
	for (size_t k = first; k < last; k++) {
		int32_t j = (int32_t)k;
		const float *c = mw_field_row(f, j);
		const float *n = j > 0 ? mw_field_row(f, j - 1) : c;
		const float *s = j < f->h - 1 ? mw_field_row(f, j + 1) : c;
		float per_z = j > 0 && j < f->h - 1 ? half : once;
		float *out = mw_field_row(job->out, j);

		for (int32_t i = 1; i < w - 1; i++) {
			float gx = (c[i + 1] - c[i - 1]) * half;
			float gz = (s[i] - n[i]) * per_z;
			out[i] = atan_degrees(sqrtf(gx * gx + gz * gz));
		}
		int32_t ends[2] = {0, w - 1};
		for (int e = 0; e < 2; e++) {
			int32_t i = ends[e];
			float gx = (c[i < w - 1 ? i + 1 : i] - c[i > 0 ? i - 1 : i]) * once;
			float gz = (s[i] - n[i]) * per_z;
			out[i] = atan_degrees(sqrtf(gx * gx + gz * gz));
		}
	}
	return MW_OK;
}

static mw_code need_size(mw_ctx *cx, const mw_field *out, int32_t w, int32_t h)
{
	if (out->w == w && out->h == h)
		return MW_OK;
	return mw_fail(cx, MW_EINVALID, "the result has %d x %d samples, this needs %d x %d",
		out->w, out->h, w, h);
}

mw_code mw_field_slope(mw_ctx *cx, mw_field *out, const mw_field *f, double step)
{
	mw_code code = need_size(cx, out, f->w, f->h);
	if (code != MW_OK)
		return code;
	shape_job job = {.f = f, .out = out, .step = step};
	return mw_pool_for(cx, (size_t)f->h, 32, slope_rows, &job);
}

/* Upward part of the unit normal of a triangle that falls by dx and dz along the two sides. */
static inline float normal_up(float dx, float dz, float step)
{
	return step / sqrtf(dx * dx + step * step + dz * dz);
}

static mw_code engine_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const shape_job *job = ud;
	float step = (float)job->step;

	MW_UNUSED(cx);
	MW_UNUSED(worker);
	for (size_t k = first; k < last; k++) {
		float *out = mw_field_row(job->out, (int32_t)k);
		for (int32_t i = 0; i < job->out->w; i++) {
			float sum = 0;
			float least = 1;
			for (int q = 0; q < 4; q++) {
				const float *a = mw_field_row(job->f, 2 * (int32_t)k + q / 2) +
					2 * i + q % 2;
				const float *b = a + job->f->w;
				float nw = normal_up(a[1] - a[0], b[0] - a[0], step);
				float se = normal_up(b[1] - b[0], b[1] - a[1], step);
				sum += nw + se;
				least = nw < least ? nw : least;
				least = se < least ? se : least;
			}
			float mean = sum * 0.125f;
			out[i] = 1.0f - (least + (mean - least) * (least / mean));
		}
	}
	return MW_OK;
}

mw_code mw_field_engine_slope(mw_ctx *cx, mw_field *out, const mw_field *f, double step)
{
	if (f->w < 3 || f->h < 3 || f->w % 2 == 0 || f->h % 2 == 0)
		return mw_fail(cx, MW_EINVALID,
			"a slope map needs an odd number of vertices each way, got %d x %d", f->w,
			f->h);
	mw_code code = need_size(cx, out, (f->w - 1) / 2, (f->h - 1) / 2);
	if (code != MW_OK)
		return code;
	shape_job job = {.f = f, .out = out, .step = step};
	return mw_pool_for(cx, (size_t)out->h, 16, engine_rows, &job);
}

static mw_code curvature_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const shape_job *job = ud;
	const mw_field *f = job->f;
	float per = (float)(1 / (job->step * job->step));
	int32_t w = f->w;

	MW_UNUSED(cx);
	MW_UNUSED(worker);
	for (size_t k = first; k < last; k++) {
		int32_t j = (int32_t)k;
		const float *c = mw_field_row(f, j);
		const float *n = j > 0 ? mw_field_row(f, j - 1) : c;
		const float *s = j < f->h - 1 ? mw_field_row(f, j + 1) : c;
		float *out = mw_field_row(job->out, j);

		for (int32_t i = 1; i < w - 1; i++)
			out[i] = ((c[i - 1] + c[i + 1]) + (n[i] + s[i]) - 4.0f * c[i]) * per;
		out[0] = ((c[0] + c[w > 1]) + (n[0] + s[0]) - 4.0f * c[0]) * per;
		int32_t e = w - 1;
		out[e] = ((c[e > 0 ? e - 1 : e] + c[e]) + (n[e] + s[e]) - 4.0f * c[e]) * per;
	}
	return MW_OK;
}

mw_code mw_field_curvature(mw_ctx *cx, mw_field *out, const mw_field *f, double step)
{
	mw_code code = need_size(cx, out, f->w, f->h);
	if (code != MW_OK)
		return code;
	shape_job job = {.f = f, .out = out, .step = step};
	return mw_pool_for(cx, (size_t)f->h, 32, curvature_rows, &job);
}

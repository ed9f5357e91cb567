#include "raster/field.h"

#include <string.h>

#include "base/mem.h"

mw_code mw_field_init(mw_ctx *cx, mw_field *f, int32_t w, int32_t h)
{
	*f = (mw_field){0};
	if (w < 1 || h < 1 || w > MW_FIELD_SIDE_MAX || h > MW_FIELD_SIDE_MAX)
		return mw_fail(cx, MW_ERANGE,
			"a field of %d x %d samples is outside 1..%d each way", w, h,
			MW_FIELD_SIDE_MAX);
	if ((int64_t)w * h > MW_FIELD_COUNT_MAX)
		return mw_fail(cx, MW_ELIMIT,
			"a field of %d x %d samples is larger than %d samples", w, h,
			MW_FIELD_COUNT_MAX);
	size_t bytes = (size_t)w * (size_t)h * sizeof(float);
	float *v = mw_alloc_wide(cx, bytes);
	if (!v)
		return MW_ENOMEM;
	memset(v, 0, bytes);
	*f = (mw_field){.v = v, .w = w, .h = h};
	return MW_OK;
}

void mw_field_free(mw_ctx *cx, mw_field *f)
{
	mw_free(cx, f->v);
	*f = (mw_field){0};
}

mw_code mw_field_copy(mw_ctx *cx, mw_field *f, const mw_field *src)
{
	mw_code code = mw_field_init(cx, f, src->w, src->h);
	if (code == MW_OK)
		memcpy(f->v, src->v, mw_field_count(src) * sizeof(float));
	return code;
}

/* False for NaN too. */
static bool finite32(float x)
{
	return x - x == 0.0f;
}

#define LANES 16

/* Smallest, largest and sum of n finite samples, in lanes that a compiler can keep in registers and
 * that are joined in order, so that the sum does not depend on the compiler. */
static void measure_finite(const float *v, int32_t n, float *low, float *high, double *total)
{
	float min[LANES], max[LANES];
	double sum[LANES] = {0};
	int32_t i = 0;

	for (int l = 0; l < LANES; l++)
		min[l] = max[l] = v[0];
	for (; i + LANES <= n; i += LANES) {
		for (int l = 0; l < LANES; l++) {
			float x = v[i + l];
			min[l] = x < min[l] ? x : min[l];
			max[l] = x > max[l] ? x : max[l];
			sum[l] += (double)x;
		}
	}
	for (int l = 0; i < n; i++, l++) {
		min[l] = v[i] < min[l] ? v[i] : min[l];
		max[l] = v[i] > max[l] ? v[i] : max[l];
		sum[l] += (double)v[i];
	}
	*low = min[0];
	*high = max[0];
	*total = sum[0];
	for (int l = 1; l < LANES; l++) {
		*low = min[l] < *low ? min[l] : *low;
		*high = max[l] > *high ? max[l] : *high;
		*total += sum[l];
	}
}

static bool all_finite(const float *v, size_t n)
{
	int bad = 0;
	for (size_t i = 0; i < n; i++)
		bad |= !finite32(v[i]);
	return !bad;
}

mw_field_stats mw_field_measure(const mw_field *f)
{
	mw_field_stats st = {.bad_i = -1, .bad_j = -1};
	double sum = 0;
	uint64_t good = 0;

	for (int32_t j = 0; j < f->h; j++) {
		const float *row = mw_field_row(f, j);
		/* A row that is finite is one run, else each finite sample. */
		int32_t run = all_finite(row, (size_t)f->w) ? f->w : 1;
		for (int32_t i = 0; i < f->w; i += run) {
			if (MW_UNLIKELY(run == 1 && !finite32(row[i]))) {
				st.nan += row[i] != row[i];
				st.inf += row[i] == row[i];
				if (st.bad_j < 0) {
					st.bad_i = i;
					st.bad_j = j;
				}
				continue;
			}
			float low, high;
			double total;
			measure_finite(row + i, run, &low, &high, &total);
			st.min = good == 0 || low < st.min ? low : st.min;
			st.max = good == 0 || high > st.max ? high : st.max;
			sum += total;
			good += (uint64_t)run;
		}
	}
	if (good > 0)
		st.mean = sum / (double)good;
	return st;
}

mw_code mw_field_require_finite(mw_ctx *cx, const mw_field *f, const char *what)
{
	size_t n = mw_field_count(f);
	if (all_finite(f->v, n))
		return MW_OK;
	mw_field_stats st = mw_field_measure(f);
	float bad = mw_field_row(f, st.bad_j)[st.bad_i];
	return mw_fail(cx, MW_ERANGE,
		"%s at sample (%d, %d) is %s; %llu of %llu samples are not finite", what, st.bad_i,
		st.bad_j, bad != bad ? "not a number" : "infinite",
		(unsigned long long)(st.nan + st.inf), (unsigned long long)n);
}

void mw_field_histogram(const mw_field *f, double lo, double hi, uint64_t *bins, int32_t n)
{
	double scale = n / (hi - lo);
	size_t count = mw_field_count(f);

	memset(bins, 0, (size_t)n * sizeof *bins);
	for (size_t k = 0; k < count; k++) {
		double x = (double)f->v[k];
		if (!(x >= lo && x <= hi))
			continue;
		int32_t bin = (int32_t)((x - lo) * scale);
		bins[bin < n ? bin : n - 1]++;
	}
}

/* Where x lies among n samples: index of the sample to the left and the share of the next one. */
static int32_t locate(double x, double x0, double step, int32_t n, double *t)
{
	double p = (x - x0) / step;
	if (!(p > 0))
		p = 0; /* NaN too */
	if (p > n - 1)
		p = n - 1;
	int32_t i = (int32_t)p;
	if (i > n - 2)
		i = n > 1 ? n - 2 : 0;
	*t = p - i;
	return i;
}

double mw_field_sample(const mw_field *f, mw_grid grid, double x, double z)
{
	double tx, tz;
	int32_t i = locate(x, grid.x0, grid.step, f->w, &tx);
	int32_t j = locate(z, grid.z0, grid.step, f->h, &tz);
	const float *n = mw_field_row(f, j) + i;
	const float *s = f->h > 1 ? n + f->w : n;
	int32_t e = f->w > 1 ? 1 : 0;
	double north = (double)n[0] * (1 - tx) + (double)n[e] * tx;
	double south = (double)s[0] * (1 - tx) + (double)s[e] * tx;

	return north * (1 - tz) + south * tz;
}

float mw_field_height_at(const mw_field *f, mw_grid grid, double x, double z)
{
	double tx, tz;
	int32_t i = locate(x, grid.x0, grid.step, f->w, &tx);
	int32_t j = locate(z, grid.z0, grid.step, f->h, &tz);
	float dx = (float)tx;
	float dz = (float)tz;
	const float *n = mw_field_row(f, j) + i;
	const float *s = f->h > 1 ? n + f->w : n;
	int32_t e = f->w > 1 ? 1 : 0;

	if (dx + dz < 1.0f)
		return n[0] + dx * (n[e] - n[0]) + dz * (s[0] - n[0]);
	return s[e] + (1.0f - dx) * (s[0] - s[e]) + (1.0f - dz) * (n[e] - s[e]);
}

#include "raster/field.h"

#include "base/mem.h"
#include "base/pool.h"

/* Up to four samples of a line and their weights. */
typedef struct {
	int32_t at[4];
	double weight[4];
} taps;

static int32_t clamp_index(int32_t i, int32_t n)
{
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* u and v are the shares of the left and the right neighbour; u + v == 1. Written so that swapping
 * them swaps the weights exactly. */
static taps cubic_taps(int32_t i, double u, double v, int32_t n)
{
	taps t;
	for (int k = 0; k < 4; k++)
		t.at[k] = clamp_index(i - 1 + k, n);
	t.weight[0] = -0.5 * (v * u) * u;
	t.weight[1] = u * (0.5 + u * (2 - 1.5 * u));
	t.weight[2] = v * (0.5 + v * (2 - 1.5 * v));
	t.weight[3] = -0.5 * (u * v) * v;
	return t;
}

/* Sums the outer and the inner pair, so that the mirrored taps give the same value. */
static double weigh(const taps *t, const double a[4])
{
	return (a[1] * t->weight[1] + a[2] * t->weight[2]) +
		(a[0] * t->weight[0] + a[3] * t->weight[3]);
}

static int32_t locate(double x, double x0, double step, int32_t n, double *share)
{
	double p = (x - x0) / step;
	if (!(p > 0))
		p = 0;
	if (p > n - 1)
		p = n - 1;
	int32_t i = (int32_t)p;
	*share = p - i;
	return i;
}

double mw_field_sample_cubic(const mw_field *f, mw_grid grid, double x, double z)
{
	double tx, tz;
	int32_t i = locate(x, grid.x0, grid.step, f->w, &tx);
	int32_t j = locate(z, grid.z0, grid.step, f->h, &tz);
	taps across = cubic_taps(i, 1 - tx, tx, f->w);
	taps down = cubic_taps(j, 1 - tz, tz, f->h);
	double lines[4];

	for (int k = 0; k < 4; k++) {
		const float *row = mw_field_row(f, down.at[k]);
		double a[4];
		for (int m = 0; m < 4; m++)
			a[m] = (double)row[across.at[m]];
		lines[k] = weigh(&across, a);
	}
	return weigh(&down, lines);
}

/* Taps of sample i of n, from m source samples, by whole numbers so that partners agree. */
static taps taps_for(int32_t i, int32_t n, int32_t m, mw_resample_kind kind)
{
	taps t = {{0, 0, 0, 0}, {1, 0, 0, 0}};
	if (n == 1) { /* the middle of the line */
		t.at[0] = (m - 1) / 2;
		t.at[1] = m / 2;
		t.weight[0] = t.weight[1] = 0.5;
		t.at[2] = t.at[3] = t.at[1];
		return t;
	}
	int64_t num = (int64_t)i * (m - 1);
	int32_t den = n - 1;
	int32_t left = (int32_t)(num / den);
	int32_t rest = (int32_t)(num % den);

	if (kind == MW_RESAMPLE_NEAREST) {
		/* a tie goes to the outer one, on both sides of the middle */
		bool west = 2 * (int64_t)i < den;
		int64_t twice = 2 * (int64_t)rest;
		t.at[0] = left + (twice > den || (twice == den && !west) ? 1 : 0);
	} else if (rest == 0) {
		t.at[0] = left;
	} else if (kind == MW_RESAMPLE_LINEAR) {
		t.at[0] = left;
		t.at[1] = left + 1;
		t.weight[0] = (double)(den - rest) / den;
		t.weight[1] = (double)rest / den;
		t.at[2] = t.at[3] = t.at[1];
		return t;
	} else {
		return cubic_taps(left, (double)(den - rest) / den, (double)rest / den, m);
	}
	t.at[1] = t.at[2] = t.at[3] = t.at[0];
	return t;
}

typedef struct {
	mw_field *dst;
	const mw_field *src;
	mw_resample_kind kind;
	taps *across;
	double *lines; /* per worker: one source row after the vertical step */
} resample_job;

static mw_code resample_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const resample_job *job = ud;
	const mw_field *src = job->src;
	double *line = job->lines + (size_t)worker * (size_t)src->w;
	int32_t used = job->kind == MW_RESAMPLE_CUBIC ? 4 : 2;

	MW_UNUSED(cx);
	for (size_t j = first; j < last; j++) {
		taps down = taps_for((int32_t)j, job->dst->h, src->h, job->kind);
		const float *row[4];
		for (int k = 0; k < 4; k++)
			row[k] = mw_field_row(src, down.at[k]);
		if (down.weight[0] == 1) {
			for (int32_t i = 0; i < src->w; i++)
				line[i] = (double)row[0][i];
		} else if (used == 2) {
			for (int32_t i = 0; i < src->w; i++)
				line[i] = (double)row[0][i] * down.weight[0] +
					(double)row[1][i] * down.weight[1];
		} else {
			for (int32_t i = 0; i < src->w; i++)
				line[i] = ((double)row[1][i] * down.weight[1] +
						  (double)row[2][i] * down.weight[2]) +
					((double)row[0][i] * down.weight[0] +
						(double)row[3][i] * down.weight[3]);
		}
		float *out = mw_field_row(job->dst, (int32_t)j);
		for (int32_t i = 0; i < job->dst->w; i++) {
			const taps *t = &job->across[i];
			if (t->weight[0] == 1) {
				out[i] = (float)line[t->at[0]];
				continue;
			}
			double a[4] = {
				line[t->at[0]], line[t->at[1]], line[t->at[2]], line[t->at[3]]};
			out[i] = (float)(used == 4 ? weigh(t, a)
						   : a[0] * t->weight[0] + a[1] * t->weight[1]);
		}
	}
	return MW_OK;
}

mw_code mw_field_resample(mw_ctx *cx, mw_field *dst, const mw_field *src, mw_resample_kind kind)
{
	resample_job job = {.dst = dst, .src = src, .kind = kind};
	mw_code code = MW_ENOMEM;

	job.across = mw_alloc_n(cx, (size_t)dst->w, sizeof *job.across);
	job.lines = mw_alloc_n(
		cx, (size_t)src->w * (size_t)mw_pool_threads(cx->pool), sizeof *job.lines);
	if (job.across && job.lines) {
		for (int32_t i = 0; i < dst->w; i++)
			job.across[i] = taps_for(i, dst->w, src->w, kind);
		code = mw_pool_for(cx, (size_t)dst->h, 16, resample_rows, &job);
	}
	mw_free(cx, job.across);
	mw_free(cx, job.lines);
	return code;
}

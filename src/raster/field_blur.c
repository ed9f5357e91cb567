/* Three extended box passes (a box with a fractional cell at each end) have the variance of the
 * wanted Gaussian exactly. Sums run over values rounded to a common power of two, in double: they
 * are exact, so their order leaves no trace and symmetric fields stay symmetric. */
#include "raster/field.h"

#include <string.h>

#include "base/mem.h"
#include "base/pool.h"

#define LANES 8
#define PASSES 3

typedef struct {
	int32_t reach; /* whole cells to each side of the centre */
	double edge;   /* weight of the next cell on each side [range: 0..1] */
	double norm;   /* 1 / sum of weights */
	double snap;   /* x + snap - snap rounds x to the common power of two */
} box;

typedef struct {
	mw_field *f;
	box box;
	double *scratch; /* per worker: 2 * LANES * longest side */
	size_t stride;   /* doubles a worker */
	bool columns;
} blur_job;

/* The box whose variance is v: reach is the largest whole box below it, edge makes up the rest. */
static box box_for(double v, double largest)
{
	box b = {0};
	while ((double)(b.reach + 1) * (b.reach + 2) / 3 <= v)
		b.reach++;
	double r = b.reach;
	double side = r * (r + 1) * (2 * r + 1) / 3; /* 2 * sum of squares 1..r */
	b.edge = (v * (2 * r + 1) - side) / (2 * ((r + 1) * (r + 1) - v));
	if (!(b.edge > 0))
		b.edge = 0;
	/* In units of q, 2^52 q >= cells * largest: sums of a whole box stay below 2^53 q. */
	double top = 1.0;
	while (top < largest)
		top *= 2;
	while (top / 2 >= largest)
		top /= 2;
	for (int32_t cells = 2 * b.reach + 3; cells > 0; cells /= 2)
		top *= 2;
	b.snap = 1.5 * top; /* 1.5 * 2^52 q */
	b.norm = 1 / (2 * r + 1 + 2 * b.edge);
	return b;
}

/* One box pass along n cells of LANES neighbours each, from in to out. */
static void box_pass(double *restrict out, double *restrict in, int32_t n, const box *b)
{
	double sum[LANES];
	double snap = b->snap;
	double edge = b->edge;
	double norm = b->norm;

	for (size_t k = 0; k < (size_t)n * LANES; k++)
		in[k] = (in[k] + snap) - snap;
	for (int l = 0; l < LANES; l++)
		sum[l] = in[l] * (b->reach + 1);
	for (int32_t i = 1; i <= b->reach; i++) {
		const double *p = in + (size_t)(i < n ? i : n - 1) * LANES;
		for (int l = 0; l < LANES; l++)
			sum[l] += p[l];
	}
	for (int32_t i = 0; i < n; i++) {
		int32_t left = i - b->reach - 1;
		int32_t right = i + b->reach + 1;
		const double *pl = in + (size_t)(left > 0 ? left : 0) * LANES;
		const double *pr = in + (size_t)(right < n ? right : n - 1) * LANES;
		const double *leave = in + (size_t)(left + 1 > 0 ? left + 1 : 0) * LANES;
		double *o = out + (size_t)i * LANES;
		for (int l = 0; l < LANES; l++) {
			o[l] = (sum[l] + (pl[l] + pr[l]) * edge) * norm;
			sum[l] = (sum[l] + pr[l]) - leave[l];
		}
	}
}

static void blur_columns(mw_field *f, const box *b, double *a, double *c, int32_t i0)
{
	int32_t lanes = f->w - i0 < LANES ? f->w - i0 : LANES;

	for (int32_t j = 0; j < f->h; j++) {
		const float *row = mw_field_row(f, j) + i0;
		double *o = a + (size_t)j * LANES;
		if (lanes == LANES) {
			for (int l = 0; l < LANES; l++)
				o[l] = (double)row[l];
		} else {
			for (int l = 0; l < LANES; l++)
				o[l] = l < lanes ? (double)row[l] : 0;
		}
	}
	box_pass(c, a, f->h, b);
	box_pass(a, c, f->h, b);
	box_pass(c, a, f->h, b);
	for (int32_t j = 0; j < f->h; j++) {
		float *row = mw_field_row(f, j) + i0;
		const double *o = c + (size_t)j * LANES;
		for (int l = 0; l < lanes; l++)
			row[l] = (float)o[l];
	}
}

static void blur_rows(mw_field *f, const box *b, double *a, double *c, int32_t j0)
{
	int32_t lanes = f->h - j0 < LANES ? f->h - j0 : LANES;

	for (int l = 0; l < LANES; l++) {
		const float *row = mw_field_row(f, j0 + (l < lanes ? l : 0));
		for (int32_t i = 0; i < f->w; i++)
			a[(size_t)i * LANES + (size_t)l] = (double)row[i];
	}
	box_pass(c, a, f->w, b);
	box_pass(a, c, f->w, b);
	box_pass(c, a, f->w, b);
	for (int l = 0; l < lanes; l++) {
		float *row = mw_field_row(f, j0 + l);
		for (int32_t i = 0; i < f->w; i++)
			row[i] = (float)c[(size_t)i * LANES + (size_t)l];
	}
}

static mw_code blur_some(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	blur_job *job = ud;
	double *a = job->scratch + job->stride * (size_t)worker;
	double *c = a + job->stride / 2;

	MW_UNUSED(cx);
	for (size_t k = first; k < last; k++) {
		if (job->columns)
			blur_columns(job->f, &job->box, a, c, (int32_t)k * LANES);
		else
			blur_rows(job->f, &job->box, a, c, (int32_t)k * LANES);
	}
	return MW_OK;
}

mw_code mw_field_blur(mw_ctx *cx, mw_field *f, double radius)
{
	if (!(radius >= 0 && radius <= 4 * MW_FIELD_SIDE_MAX))
		return mw_fail(cx, MW_ERANGE, "a blur radius of %g samples is outside 0..%d",
			radius, 4 * MW_FIELD_SIDE_MAX);
	mw_code code = mw_field_require_finite(cx, f, "the field to blur");
	if (code != MW_OK || radius == 0)
		return code;

	mw_field_stats st = mw_field_measure(f);
	double largest = (double)(st.max > -st.min ? st.max : -st.min);
	if (largest == 0)
		return MW_OK;
	double sigma = radius / 2;
	size_t longest = (size_t)(f->w > f->h ? f->w : f->h);
	blur_job job = {.f = f, .box = box_for(sigma * sigma / PASSES, largest)};

	job.stride = 2 * LANES * longest;
	job.scratch =
		mw_alloc_n(cx, job.stride * (size_t)mw_pool_threads(cx->pool), sizeof(double));
	if (!job.scratch)
		return MW_ENOMEM;
	code = mw_pool_for(cx, ((size_t)f->h + LANES - 1) / LANES, 4, blur_some, &job);
	job.columns = true;
	if (code == MW_OK)
		code = mw_pool_for(cx, ((size_t)f->w + LANES - 1) / LANES, 4, blur_some, &job);
	mw_free(cx, job.scratch);
	return code;
}

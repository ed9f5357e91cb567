#include "raster/stamp.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"

#define FAR 1e300

/* A row of cells at z and what the shape is there. */
typedef struct {
	double z;
	double *away; /* distance outside the shape's edge; <= 0 inside */
	double *level;
	uint8_t *flip; /* polygon: 1 where inside begins or ends */
} line;

typedef struct {
	mw_field *f;
	mw_grid grid;
	const mw_stamp_shape *shape;
	mw_stamp_mode mode;
	double soften;
	double min_x, min_z, max_x, max_z; /* of the shape without its soft edge */
	int32_t i0, i1, j0, j1;            /* cells that can be touched, last excluded */
	double *scratch;                   /* per worker: away, level */
	uint8_t *flips;                    /* per worker */
} stamp_job;

static double cell_x(const stamp_job *job, int32_t i)
{
	return job->grid.x0 + i * job->grid.step;
}

/* First index whose position is at or beyond p. [range: 0..n] */
static int32_t first_at(double p, double origin, double step, int32_t n)
{
	double q = ceil((p - origin) / step);
	return q > 0 ? (q < n ? (int32_t)q : n) : 0;
}

static void measure_disc(const stamp_job *job, line *l)
{
	const mw_stamp_point *c = job->shape->points;
	double dz = l->z - c->z;

	for (int32_t i = job->i0; i < job->i1; i++) {
		double dx = cell_x(job, i) - c->x;
		l->away[i] = sqrt(dx * dx + dz * dz) - job->shape->size;
	}
}

static double beyond(double p, double min, double max)
{
	return p < min ? min - p : p > max ? p - max : 0;
}

static void measure_rect(const stamp_job *job, line *l)
{
	double dz = beyond(l->z, job->min_z, job->max_z);

	for (int32_t i = job->i0; i < job->i1; i++) {
		double dx = beyond(cell_x(job, i), job->min_x, job->max_x);
		l->away[i] = sqrt(dx * dx + dz * dz);
	}
}

static void measure_ramp(const stamp_job *job, line *l)
{
	const mw_stamp_point *p = job->shape->points;
	double ux = p[1].x - p[0].x;
	double uz = p[1].z - p[0].z;
	double length = sqrt(ux * ux + uz * uz);

	ux /= length;
	uz /= length;
	for (int32_t i = job->i0; i < job->i1; i++) {
		double dx = cell_x(job, i) - p[0].x;
		double dz = l->z - p[0].z;
		double along = dx * ux + dz * uz;
		double across = fabs(dx * uz - dz * ux);
		double a = beyond(along, 0, length);
		double b = beyond(across, 0, job->shape->size / 2);
		double t = along / length;
		t = t < 0 ? 0 : t > 1 ? 1 : t;
		l->away[i] = sqrt(a * a + b * b);
		l->level[i] = p[0].level * (1 - t) + p[1].level * t;
	}
}

/* Lower the squared distances in away to those of the segment a-b, up to reach. */
static void near_segment(const stamp_job *job, line *l, const mw_stamp_point *a,
	const mw_stamp_point *b, double reach, bool levels)
{
	if (beyond(l->z, fmin(a->z, b->z), fmax(a->z, b->z)) > reach)
		return;
	int32_t first = first_at(fmin(a->x, b->x) - reach, job->grid.x0, job->grid.step, job->f->w);
	double ux = b->x - a->x;
	double uz = b->z - a->z;
	double length2 = ux * ux + uz * uz;
	double stop = fmax(a->x, b->x) + reach;

	for (int32_t i = first > job->i0 ? first : job->i0; i < job->i1; i++) {
		double x = cell_x(job, i);
		if (x > stop)
			break;
		double dx = x - a->x;
		double dz = l->z - a->z;
		double t = length2 > 0 ? (dx * ux + dz * uz) / length2 : 0;
		t = t < 0 ? 0 : t > 1 ? 1 : t;
		dx -= t * ux;
		dz -= t * uz;
		double d2 = dx * dx + dz * dz;
		if (d2 < l->away[i]) {
			l->away[i] = d2;
			if (levels)
				l->level[i] = a->level * (1 - t) + b->level * t;
		}
	}
}

static void measure_path(const stamp_job *job, line *l)
{
	const mw_stamp_shape *s = job->shape;
	double half = s->size / 2;

	for (int32_t i = job->i0; i < job->i1; i++)
		l->away[i] = FAR;
	for (size_t k = 0; k + 1 < s->n || k == 0; k++)
		near_segment(job, l, &s->points[k], &s->points[k + 1 < s->n ? k + 1 : k],
			half + job->soften, true);
	for (int32_t i = job->i0; i < job->i1; i++)
		l->away[i] = l->away[i] < FAR ? sqrt(l->away[i]) - half : FAR;
}

static void measure_polygon(const stamp_job *job, line *l)
{
	const mw_stamp_shape *s = job->shape;
	int32_t n = job->i1;

	for (int32_t i = job->i0; i < n; i++) {
		l->away[i] = FAR;
		l->flip[i] = 0;
	}
	for (size_t k = 0; k < s->n; k++) {
		const mw_stamp_point *a = &s->points[k];
		const mw_stamp_point *b = &s->points[k + 1 < s->n ? k + 1 : 0];
		near_segment(job, l, a, b, job->soften, false);
		if ((a->z <= l->z) == (b->z <= l->z))
			continue;
		double x = a->x + (l->z - a->z) / (b->z - a->z) * (b->x - a->x);
		int32_t i = first_at(x, job->grid.x0, job->grid.step, job->f->w);
		if (i < job->i0)
			i = job->i0;
		if (i < n)
			l->flip[i] ^= 1;
	}
	uint8_t inside = 0;
	for (int32_t i = job->i0; i < n; i++) {
		inside ^= l->flip[i];
		l->away[i] = inside ? 0 : l->away[i] < FAR ? sqrt(l->away[i]) : FAR;
	}
}

static void measure(const stamp_job *job, line *l)
{
	const mw_stamp_shape *s = job->shape;

	if (s->kind != MW_STAMP_PATH && s->kind != MW_STAMP_RAMP) {
		for (int32_t i = job->i0; i < job->i1; i++)
			l->level[i] = s->points[0].level;
	}
	switch (s->kind) {
	case MW_STAMP_DISC:
		measure_disc(job, l);
		break;
	case MW_STAMP_RECT:
		measure_rect(job, l);
		break;
	case MW_STAMP_PATH:
		measure_path(job, l);
		break;
	case MW_STAMP_RAMP:
		measure_ramp(job, l);
		break;
	case MW_STAMP_POLYGON:
		measure_polygon(job, l);
		break;
	}
}

static float stamped(float was, double level, double weight, mw_stamp_mode mode)
{
	double h = (double)was;
	double to = mode == MW_STAMP_ADD ? h + level * weight
		: weight == 1            ? level
					 : h + (level - h) * weight;
	if ((mode == MW_STAMP_RAISE && !(to > h)) || (mode == MW_STAMP_LOWER && !(to < h)))
		return was;
	return (float)to;
}

static line line_of(const stamp_job *job, size_t row, int worker)
{
	size_t w = (size_t)job->f->w;
	int32_t j = job->j0 + (int32_t)row;
	double *d = job->scratch + (size_t)worker * 2 * w;
	return (line){.z = job->grid.z0 + j * job->grid.step,
		.away = d,
		.level = d + w,
		.flip = job->flips + (size_t)worker * w};
}

static mw_code stamp_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const stamp_job *job = ud;

	MW_UNUSED(cx);
	for (size_t row = first; row < last; row++) {
		line l = line_of(job, row, worker);
		float *v = mw_field_row(job->f, job->j0 + (int32_t)row);
		measure(job, &l);
		for (int32_t i = job->i0; i < job->i1; i++) {
			double d = l.away[i];
			if (d > 0 && d >= job->soften)
				continue;
			double t = d > 0 ? 1 - d / job->soften : 1;
			v[i] = stamped(v[i], l.level[i], t * t * (3 - 2 * t), job->mode);
		}
	}
	return MW_OK;
}

static bool finite64(double x)
{
	return x - x == 0;
}

static mw_code check_shape(mw_ctx *cx, const mw_stamp_shape *s, double soften)
{
	static const struct {
		const char *name;
		size_t least, most;
	} kinds[] = {
		[MW_STAMP_DISC] = {"a disc", 1, 1},
		[MW_STAMP_RECT] = {"a rectangle", 2, 2},
		[MW_STAMP_PATH] = {"a path", 1, SIZE_MAX},
		[MW_STAMP_RAMP] = {"a ramp", 2, 2},
		[MW_STAMP_POLYGON] = {"a polygon", 3, SIZE_MAX},
	};
	const char *name = kinds[s->kind].name;

	if (s->n < kinds[s->kind].least || s->n > kinds[s->kind].most)
		return mw_fail(cx, MW_EINVALID, "%s of %zu points needs %s%zu", name, s->n,
			kinds[s->kind].most > s->n ? "at least " : "", kinds[s->kind].least);
	for (size_t k = 0; k < s->n; k++) {
		const mw_stamp_point *p = &s->points[k];
		if (!finite64(p->x) || !finite64(p->z) || !finite64(p->level))
			return mw_fail(cx, MW_EINVALID, "%s: point %zu is not finite", name, k + 1);
	}
	if (!(s->size >= 0 && finite64(s->size)))
		return mw_fail(cx, MW_EINVALID, "%s of size %g", name, s->size);
	if (!(soften >= 0 && finite64(soften)))
		return mw_fail(cx, MW_EINVALID, "%s with a soft edge of %g", name, soften);
	if (s->kind == MW_STAMP_RAMP && s->points[0].x == s->points[1].x &&
		s->points[0].z == s->points[1].z)
		return mw_fail(
			cx, MW_EINVALID, "a ramp that begins where it ends has no direction");
	return MW_OK;
}

/* Check the shape, find the cells it can touch and make room for the lines of all workers. */
static mw_code begin(mw_ctx *cx, stamp_job *job)
{
	const mw_stamp_shape *s = job->shape;
	mw_code code = check_shape(cx, s, job->soften);
	if (code != MW_OK)
		return code;
	job->min_x = job->max_x = s->points[0].x;
	job->min_z = job->max_z = s->points[0].z;
	for (size_t k = 1; k < s->n; k++) {
		job->min_x = fmin(job->min_x, s->points[k].x);
		job->max_x = fmax(job->max_x, s->points[k].x);
		job->min_z = fmin(job->min_z, s->points[k].z);
		job->max_z = fmax(job->max_z, s->points[k].z);
	}
	/* size is a radius or a width: as a margin it is enough for both */
	double step = job->grid.step;
	double margin = s->size + job->soften;
	job->i0 = first_at(job->min_x - margin, job->grid.x0, step, job->f->w);
	job->i1 = first_at(job->max_x + margin + step, job->grid.x0, step, job->f->w);
	job->j0 = first_at(job->min_z - margin, job->grid.z0, step, job->f->h);
	job->j1 = first_at(job->max_z + margin + step, job->grid.z0, step, job->f->h);
	size_t room = (size_t)job->f->w * (size_t)mw_pool_threads(cx->pool);
	job->scratch = mw_alloc_n(cx, room, 2 * sizeof *job->scratch);
	job->flips = mw_alloc(cx, room);
	if (job->scratch && job->flips)
		return MW_OK;
	mw_free(cx, job->scratch);
	mw_free(cx, job->flips);
	return MW_ENOMEM;
}

static void end(mw_ctx *cx, stamp_job *job)
{
	mw_free(cx, job->scratch);
	mw_free(cx, job->flips);
}

mw_code mw_stamp(mw_ctx *cx, mw_field *f, mw_grid grid, const mw_stamp_shape *shape,
	mw_stamp_mode mode, double soften)
{
	stamp_job job = {.f = f, .grid = grid, .shape = shape, .mode = mode, .soften = soften};
	mw_code code = begin(cx, &job);
	if (code != MW_OK)
		return code;
	if (job.j1 > job.j0 && job.i1 > job.i0)
		code = mw_pool_for(cx, (size_t)(job.j1 - job.j0), 16, stamp_rows, &job);
	end(cx, &job);
	return code;
}

mw_code mw_stamp_mean(
	mw_ctx *cx, double *mean, const mw_field *f, mw_grid grid, const mw_stamp_shape *shape)
{
	mw_field reading = *f; /* the job's field is only read here */
	stamp_job job = {.f = &reading, .grid = grid, .shape = shape};
	mw_code code = begin(cx, &job);
	if (code != MW_OK)
		return code;
	double sum = 0;
	uint64_t n = 0;
	for (int32_t j = job.j0; j < job.j1; j++) {
		line l = line_of(&job, (size_t)(j - job.j0), 0);
		const float *v = mw_field_row(f, j);
		double row_sum = 0;
		measure(&job, &l);
		for (int32_t i = job.i0; i < job.i1; i++) {
			if (l.away[i] > 0)
				continue;
			row_sum += (double)v[i];
			n++;
		}
		sum += row_sum;
	}
	*mean = n > 0 ? sum / (double)n
		      : mw_field_sample(
				f, grid, (job.min_x + job.max_x) / 2, (job.min_z + job.max_z) / 2);
	end(cx, &job);
	return MW_OK;
}

/* The loops of erosion, plain C that compilers turn into vectors: included by erode_kern.c and, for
 * another instruction set, by erode_kern_avx2.c. Both round the same, so the bits are the same. */
#ifndef MW_RASTER_ERODE_KERN_H
#define MW_RASTER_ERODE_KERN_H

#include "raster/erode_internal.h"

#include <math.h>
#include <string.h>

/* ---- falling rock ---- */

/* What of a difference is beyond what holds; odd in d. */
static inline float excess(float d, float holds)
{
	float kept = d < holds ? d : holds;
	kept = kept > -holds ? kept : -holds;
	return d - kept;
}

/* One cell from its row and the rows to the north and south; l and r are the columns beside i. Sums
 * opposite neighbours first, so that mirrored ground gives mirrored results. */
static inline float settled(const mw__thermal_job *job, const float *n, const float *c,
	const float *s, int32_t l, int32_t i, int32_t r)
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

mw_code MW__ERODE(mw__thermal_rows)(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const mw__thermal_job *job = ud;
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
		mw__thermal_job own = *job; /* in registers: out cannot alias it */

		for (int32_t i = 1; i < w - 1; i++)
			out[i] = settled(&own, n, c, s, i - 1, i, i + 1);
		out[0] = settled(&own, n, c, s, 0, 0, w > 1 ? 1 : 0);
		out[w - 1] = settled(&own, n, c, s, w > 1 ? w - 2 : 0, w - 1, w - 1);
	}
	return MW_OK;
}

/* ---- water on a grid: the stages of an iteration follow each other one row apart on a few row
 * buffers, so that the grid is read and written once. Bands of rows work out the rows they need
 * around them anew, with the same arithmetic, and are independent. ---- */

#define RING 3
/* Row buffers of a worker. level, water: rows t, t + 1; the others: the last three rows. */
typedef struct {
	float *level[2], *wet[RING];
	float *raw_east[2], *raw_south[RING];
	float *scale[RING], *thick[RING];
	float *east, *south[2];
} rows;

static float *row_of(const float *plane, const mw__grid_job *job, int32_t j)
{
	return (float *)(uintptr_t)plane + (size_t)j * job->stride;
}

static rows rows_of(const mw__grid_job *job, int worker)
{
	rows r;
	float *p =
		job->scratch + (size_t)worker * MW__GRID_ROW_BUFFERS * job->stride + MW__GRID_PAD;
	float **all[] = {&r.level[0], &r.level[1], &r.wet[0], &r.wet[1], &r.wet[2], &r.raw_east[0],
		&r.raw_east[1], &r.raw_south[0], &r.raw_south[1], &r.raw_south[2], &r.scale[0],
		&r.scale[1], &r.scale[2], &r.thick[0], &r.thick[1], &r.thick[2], &r.east,
		&r.south[0], &r.south[1]};

	_Static_assert(MW_COUNTOF(all) == MW__GRID_ROW_BUFFERS, "a buffer without a place");
	for (size_t k = 0; k < MW__GRID_ROW_BUFFERS; k++)
		*all[k] = p + k * job->stride;
	return r;
}

/* Row j after the rain: its water and the level of its surface. */
static void wet_row(const mw__grid_job *job, int32_t j, float *restrict wet, float *restrict level)
{
	const float *restrict bed = row_of(job->from.bed, job, j);
	const float *restrict water = row_of(job->from.water, job, j);
	const float *restrict rain = job->rain + (size_t)j * job->rain_stride;

	for (int32_t i = 0; i < job->w; i++) {
		float d = water[i] + rain[i];
		wet[i] = d;
		level[i] = bed[i] + d;
	}
}

/* Flow out of row j that the levels ask for. south may lie outside: no flow. */
static void flow_row(const mw__grid_job *job, int32_t j, const float *restrict level,
	const float *restrict level_south, float *restrict raw_east, float *restrict raw_south)
{
	const float *restrict east = row_of(job->from.east, job, j);
	const float *restrict south = row_of(job->from.south, job, j);
	float pull = job->pull;
	float keep = job->keep;
	int32_t w = job->w;

	for (int32_t i = 0; i < w - 1; i++)
		raw_east[i] = east[i] * keep + (level[i] - level[i + 1]) * pull;
	raw_east[-1] = 0;
	raw_east[w - 1] = 0;
	if (j == job->h - 1) {
		memset(raw_south, 0, (size_t)w * sizeof *raw_south);
		return;
	}
	for (int32_t i = 0; i < w; i++)
		raw_south[i] = south[i] * keep + (level[i] - level_south[i]) * pull;
}

static inline float out_of(float flow)
{
	return flow > 0.0f ? flow : 0.0f;
}

/* By how much the flows out of each cell must shrink so that they don't take more than there is,
 * and how thick its water is with carried ground. */
static void limit_row(const mw__grid_job *job, int32_t j, const float *restrict wet,
	const float *restrict raw_east, const float *restrict raw_north,
	const float *restrict raw_south, float *restrict scale, float *restrict thick)
{
	const float *restrict load = row_of(job->from.load, job, j);
	int32_t w = job->w;

	for (int32_t i = 0; i < w; i++) {
		float out = (out_of(raw_east[i]) + out_of(-raw_east[i - 1])) +
			(out_of(raw_south[i]) + out_of(-raw_north[i]));
		float d = wet[i];
		float most = out > d ? out : d;
		most = most > 1e-20f ? most : 1e-20f;
		scale[i] = d / most;
		thick[i] = load[i] / (d > 1e-6f ? d : 1e-6f);
	}
	scale[-1] = scale[w] = 0;
	thick[-1] = thick[w] = 0;
}

static void shrink_east(int32_t w, const float *restrict raw, const float *restrict scale,
	float *restrict out, float *restrict keep)
{
	for (int32_t i = 0; i < w; i++) {
		float here = scale[i]; /* both are read, so that this becomes a vector loop */
		float there = scale[i + 1];
		float f = raw[i] * (raw[i] > 0.0f ? here : there);
		out[i] = f;
		keep[i] = f;
	}
	out[-1] = 0;
}

static void shrink_south(int32_t w, const float *restrict raw, const float *restrict scale,
	const float *restrict scale_south, float *restrict out, float *restrict keep)
{
	for (int32_t i = 0; i < w; i++) {
		float here = scale[i];
		float there = scale_south[i];
		float f = raw[i] * (raw[i] > 0.0f ? here : there);
		out[i] = f;
		keep[i] = f;
	}
}

static inline float least(float a, float b)
{
	return a < b ? a : b;
}

/* What a row is made of before an iteration: itself and what is around it. */
typedef struct {
	const float *wet, *load, *thick, *thick_n, *thick_s;
	const float *bed, *bed_n, *bed_s;
	const float *east, *north, *south; /* flows */
} around;

/* Move water and load of a row, wear its ground away or build it up. */
static void wear_cells(int32_t w, const mw__grid_job *job, around r, float *restrict to_bed,
	float *restrict to_water, float *restrict to_load)
{
	float slope_by = job->slope_by;
	float capacity = job->capacity;
	float dissolve = job->dissolve;
	float deposit = job->deposit;
	float stays = job->stays;

	for (int32_t i = 0; i < w; i++) {
		float fw = r.east[i - 1];
		float fe = r.east[i];
		float fn = r.north[i];
		float fs = r.south[i];
		float d = r.wet[i] + ((fw - fe) + (fn - fs));
		float own = r.thick[i];
		float tw = r.thick[i - 1];
		float te = r.thick[i + 1];
		float tn = r.thick_n[i];
		float ts = r.thick_s[i];
		float moved = (fw * (fw > 0.0f ? tw : own) - fe * (fe > 0.0f ? own : te)) +
			(fn * (fn > 0.0f ? tn : own) - fs * (fs > 0.0f ? own : ts));
		float s = r.load[i] + moved;
		s = s > 0.0f ? s : 0.0f;

		float qx = (fw + fe) * 0.5f;
		float qz = (fn + fs) * 0.5f;
		float h = r.bed[i];
		float hw = r.bed[i - 1];
		float he = r.bed[i + 1];
		float hn = r.bed_n[i];
		float hs = r.bed_s[i];
		float gx = (he - hw) * slope_by;
		float gz = (hs - hn) * slope_by;
		float g2 = gx * gx + gz * gz;
		float carries = capacity * sqrtf((qx * qx + qz * qz) * g2 / (1.0f + g2));
		float room = (h - least(least(hw, he), least(hn, hs))) * 0.5f;
		room = room > 0.0f ? room : 0.0f;
		float free = carries - s;
		float taken = least((free > 0.0f ? free : 0.0f) * dissolve, room);
		float change = taken + (free < 0.0f ? free : 0.0f) * deposit;
		to_bed[i] = h - change;
		to_load[i] = s + change;
		to_water[i] = (d > 0.0f ? d : 0.0f) * stays;
	}
}

static void wear_row(
	const mw__grid_job *job, int32_t j, const rows *r, const float *north, const float *south)
{
	const float *bed = job->from.bed;
	const around all = {.wet = r->wet[j % RING],
		.load = row_of(job->from.load, job, j),
		.thick = r->thick[j % RING],
		.thick_n = r->thick[(j + 2) % RING],
		.thick_s = r->thick[(j + 1) % RING],
		.bed = row_of(bed, job, j),
		.bed_n = row_of(bed, job, j > 0 ? j - 1 : j),
		.bed_s = row_of(bed, job, j < job->h - 1 ? j + 1 : j),
		.east = r->east,
		.north = north,
		.south = south};
	float *to_bed = row_of(job->to.bed, job, j);

	wear_cells(job->w, job, all, to_bed, row_of(job->to.water, job, j),
		row_of(job->to.load, job, j));
	to_bed[-1] = to_bed[0];
	to_bed[job->w] = to_bed[job->w - 1];
}

mw_code MW__ERODE(mw__grid_rows)(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const mw__grid_job *job = ud;
	rows r = rows_of(job, worker);
	int32_t a = (int32_t)first;
	int32_t b = (int32_t)last;
	int32_t begin = a >= 2 ? a - 2 : 0;
	size_t row_bytes = (size_t)job->w * sizeof(float);

	MW_UNUSED(cx);
	/* Nothing flows over the north edge; also the state before the first row. */
	for (int k = 0; k < RING; k++) {
		memset(r.raw_south[k], 0, row_bytes);
		memset(r.scale[k], 0, row_bytes);
		memset(r.thick[k], 0, row_bytes);
	}
	memset(r.south[0], 0, row_bytes);
	memset(r.south[1], 0, row_bytes);
	wet_row(job, begin, r.wet[begin % RING], r.level[begin % 2]);
	for (int32_t t = begin; t <= b && t < job->h; t++) {
		int now = t % RING;
		int was = (t + 2) % RING;
		int next = (t + 1) % RING;
		if (t < job->h - 1)
			wet_row(job, t + 1, r.wet[next], r.level[(t + 1) % 2]);
		flow_row(job, t, r.level[t % 2], r.level[(t + 1) % 2], r.raw_east[t % 2],
			r.raw_south[now]);
		limit_row(job, t, r.wet[now], r.raw_east[t % 2], r.raw_south[was], r.raw_south[now],
			r.scale[now], r.thick[now]);
		/* Row t - 1 has now all that surrounds it. */
		if (t - 1 >= begin) {
			bool own = t - 1 >= a;
			/* a neighbour's row would be written twice: work it out, keep it here */
			float *keep = own ? row_of(job->to.south, job, t - 1) : r.east;
			shrink_south(job->w, r.raw_south[was], r.scale[was], r.scale[now],
				r.south[(t + 1) % 2], keep);
			if (own) {
				shrink_east(job->w, r.raw_east[(t + 1) % 2], r.scale[was], r.east,
					row_of(job->to.east, job, t - 1));
				wear_row(job, t - 1, &r, r.south[t % 2], r.south[(t + 1) % 2]);
			}
		}
	}
	if (b == job->h) { /* the last row: nothing flows over the south edge */
		int32_t t = job->h;
		int was = (t + 2) % RING;
		int now = t % RING;
		memset(r.south[(t + 1) % 2], 0, row_bytes);
		memset(row_of(job->to.south, job, t - 1), 0, row_bytes);
		memset(r.thick[now], 0, row_bytes);
		shrink_east(job->w, r.raw_east[(t + 1) % 2], r.scale[was], r.east,
			row_of(job->to.east, job, t - 1));
		wear_row(job, t - 1, &r, r.south[t % 2], r.south[(t + 1) % 2]);
	}
	return MW_OK;
}

#endif

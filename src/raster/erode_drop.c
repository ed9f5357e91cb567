/* Drops. The map is cut into square tiles, wider than twice the way of a drop; of each 2 x 2 tiles
 * one at a time is in its turn, so that tiles of one turn never touch the same sample and may run
 * on any threads. Each round cuts the tiles elsewhere. */
#include "raster/erode.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"

#define ROUNDS 8
#define RADIUS_MAX 16
#define BRUSH_ROWS (2 * RADIUS_MAX + 1)
#define BRUSH_COLUMNS 40 /* BRUSH_ROWS up to whole vectors of 8 */

/* The samples of f with a margin that drops wear without looking, so that the brush needs no edges.
 */
typedef struct {
	float *v; /* sample (0, 0) */
	size_t stride;
	int32_t w, h;
} ground;

typedef struct {
	int32_t reach;   /* rows and columns to each side */
	int32_t columns; /* multiple of 8, the last ones weightless */
	float weight[BRUSH_ROWS * BRUSH_COLUMNS];
} brush;

typedef struct {
	ground g;
	brush b;
	const mw_droplets *o;
	float per_step; /* 1 / distance of samples */
	int32_t tile;
	int32_t x0, z0; /* of tile (0, 0), at or before the map's corner */
	int32_t tiles_x, tiles_z;
	int32_t turn; /* 0..3 */
	int32_t round;
} drop_job;

static brush brush_for(double radius)
{
	brush b = {.reach = (int32_t)ceil(radius) - 1};
	double sum = 0;
	int32_t side = 2 * b.reach + 1;

	b.columns = (side + 7) / 8 * 8;
	for (int pass = 0; pass < 2; pass++) {
		double all = sum;
		for (int32_t j = 0; j < side; j++) {
			for (int32_t i = 0; i < side; i++) {
				double dx = i - b.reach;
				double dz = j - b.reach;
				double weight = radius - sqrt(dx * dx + dz * dz);
				weight = weight > 0 ? weight : 0;
				sum += weight;
				if (pass == 1)
					b.weight[j * b.columns + i] = (float)(weight / all);
			}
		}
	}
	return b;
}

static inline void wear(const ground *g, const brush *b, int32_t i, int32_t j, float amount)
{
	float *row = g->v + (ptrdiff_t)(j - b->reach) * (ptrdiff_t)g->stride + (i - b->reach);
	const float *weight = b->weight;
	int32_t rows = 2 * b->reach + 1;

	for (int32_t y = 0; y < rows; y++) {
		for (int32_t block = 0; block < b->columns; block += 8) {
			for (int32_t k = 0; k < 8; k++)
				row[block + k] -= weight[block + k] * amount;
		}
		row += g->stride;
		weight += b->columns;
	}
}

/* One drop from (x, z) until it leaves the map, stops or dries up. */
static void run_drop(const drop_job *job, float x, float z)
{
	const ground *g = &job->g;
	const mw_droplets *o = job->o;
	const float inertia = (float)o->inertia;
	const float capacity = (float)o->capacity;
	const float dissolve = (float)o->dissolve;
	const float deposit = (float)o->deposit;
	const float dries = (float)(1 - o->evaporation);
	const float gravity = (float)o->gravity * job->per_step;
	const float least = 0.01f / job->per_step; /* slope that counts even where it is flat */
	float dir_x = 0;
	float dir_z = 0;
	float speed = 1;
	float water = 1;
	float load = 0;
	int32_t i = (int32_t)x;
	int32_t j = (int32_t)z;
	float *p = g->v + (size_t)j * g->stride + (size_t)i;

	for (int32_t k = 0; k < o->lifetime; k++) {
		float u = x - (float)i;
		float v = z - (float)j;
		float nw = p[0];
		float ne = p[1];
		float sw = p[g->stride];
		float se = p[g->stride + 1];
		float gx = ((ne - nw) * (1 - v) + (se - sw) * v) * job->per_step;
		float gz = ((sw - nw) * (1 - u) + (se - ne) * u) * job->per_step;
		float here = (nw * (1 - u) + ne * u) * (1 - v) + (sw * (1 - u) + se * u) * v;

		dir_x = dir_x * inertia - gx * (1 - inertia);
		dir_z = dir_z * inertia - gz * (1 - inertia);
		float length = sqrtf(dir_x * dir_x + dir_z * dir_z);
		if (!(length > 1e-12f))
			break;
		dir_x /= length;
		dir_z /= length;
		x += dir_x;
		z += dir_z;
		if (!(x >= 0 && z >= 0 && x < (float)(g->w - 1) && z < (float)(g->h - 1)))
			break;
		int32_t to_i = (int32_t)x;
		int32_t to_j = (int32_t)z;
		float *to = g->v + (size_t)to_j * g->stride + (size_t)to_i;
		float tu = x - (float)to_i;
		float tv = z - (float)to_j;
		float there = (to[0] * (1 - tu) + to[1] * tu) * (1 - tv) +
			(to[g->stride] * (1 - tu) + to[g->stride + 1] * tu) * tv;
		float rise = there - here;
		float fall = -rise > least ? -rise : least;
		float carries = fall * speed * water * capacity;

		if (load > carries || rise > 0) {
			/* uphill: fill the hollow; else drop a part of what is too much */
			float dropped =
				rise > 0 ? (rise < load ? rise : load) : (load - carries) * deposit;
			load -= dropped;
			p[0] += dropped * (1 - u) * (1 - v);
			p[1] += dropped * u * (1 - v);
			p[g->stride] += dropped * (1 - u) * v;
			p[g->stride + 1] += dropped * u * v;
		} else {
			float taken = (carries - load) * dissolve;
			taken = taken < -rise ? taken : -rise;
			load += taken;
			wear(g, &job->b, i, j, taken);
		}
		float energy = speed * speed - rise * gravity;
		speed = energy > 0 ? sqrtf(energy) : 0;
		water *= dries;
		i = to_i;
		j = to_j;
		p = to;
	}
	/* What it still carries stays around its last place, or leaves the map with it. */
	if (x >= 0 && z >= 0 && x < (float)(g->w - 1) && z < (float)(g->h - 1))
		wear(g, &job->b, i, j, -load);
}

/* Drops that have begun once so many samples of all rounds have had their turn: tiles take the
 * difference between their ends, so that all together are exactly the count. */
static uint64_t drops_up_to(const drop_job *job, uint64_t samples)
{
	double all = (double)(job->g.w - 1) * (job->g.h - 1) * ROUNDS;
	return (uint64_t)floor((double)samples * ((double)job->o->count / all) + 0.5);
}

static mw_code run_tiles(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const drop_job *job = ud;
	int32_t w = job->g.w - 1;
	int32_t h = job->g.h - 1;
	int32_t across = (job->tiles_x + 1) / 2;

	MW_UNUSED(cx);
	MW_UNUSED(worker);
	for (size_t k = first; k < last; k++) {
		int32_t tx = 2 * (int32_t)(k % (size_t)across) + job->turn % 2;
		int32_t tz = 2 * (int32_t)(k / (size_t)across) + job->turn / 2;
		if (tx >= job->tiles_x || tz >= job->tiles_z)
			continue;
		int32_t x0 = job->x0 + tx * job->tile;
		int32_t z0 = job->z0 + tz * job->tile;
		int32_t x1 = x0 + job->tile < w ? x0 + job->tile : w;
		int32_t z1 = z0 + job->tile < h ? z0 + job->tile : h;
		x0 = x0 > 0 ? x0 : 0;
		z0 = z0 > 0 ? z0 : 0;
		if (x1 <= x0 || z1 <= z0)
			continue;
		/* Counted row of tiles by row of tiles. */
		uint64_t deep = (uint64_t)(z1 - z0);
		uint64_t before = (uint64_t)job->round * (uint64_t)w * (uint64_t)h +
			(uint64_t)z0 * (uint64_t)w + (uint64_t)x0 * deep;
		uint64_t after = before + (uint64_t)(x1 - x0) * deep;
		uint64_t n = drops_up_to(job, after) - drops_up_to(job, before);
		mw_rng rng;
		mw_rng_init(&rng,
			job->o->seed ^
				mw_mix64((uint64_t)job->round << 40 ^ (uint64_t)tz << 20 ^
					(uint64_t)tx),
			"droplets");
		for (uint64_t d = 0; d < n; d++) {
			float x = (float)(x0 + mw_rng_unit(&rng) * (x1 - x0));
			float z = (float)(z0 + mw_rng_unit(&rng) * (z1 - z0));
			if (x < (float)x1 && z < (float)z1)
				run_drop(job, x, z);
		}
	}
	return MW_OK;
}

static mw_code check_options(mw_ctx *cx, const mw_droplets *o)
{
	const struct {
		const char *name;
		double value, min, max;
	} options[] = {{"lifetime", o->lifetime, 1, 1000}, {"radius", o->radius, 1, RADIUS_MAX},
		{"inertia", o->inertia, 0, 1}, {"capacity", o->capacity, 0, 1000},
		{"dissolve", o->dissolve, 0, 1}, {"deposit", o->deposit, 0, 1},
		{"evaporation", o->evaporation, 0, 1}, {"gravity", o->gravity, 0, 1000},
		{"count", (double)o->count, 0, 1e10}};

	for (size_t k = 0; k < MW_COUNTOF(options); k++) {
		if (!(options[k].value >= options[k].min && options[k].value <= options[k].max))
			return mw_fail(cx, MW_ERANGE, "%s %g is outside %g..%g", options[k].name,
				options[k].value, options[k].min, options[k].max);
	}
	return MW_OK;
}

static mw_code run_rounds(mw_ctx *cx, drop_job *job)
{
	mw_rng rng;
	mw_rng_init(&rng, job->o->seed, "tiles");
	for (int32_t round = 0; round < ROUNDS; round++) {
		job->round = round;
		job->x0 = -(int32_t)mw_rng_below(&rng, (uint64_t)job->tile);
		job->z0 = -(int32_t)mw_rng_below(&rng, (uint64_t)job->tile);
		job->tiles_x = (job->g.w - job->x0 + job->tile - 1) / job->tile;
		job->tiles_z = (job->g.h - job->z0 + job->tile - 1) / job->tile;
		size_t n = (size_t)((job->tiles_x + 1) / 2) * (size_t)((job->tiles_z + 1) / 2);
		for (job->turn = 0; job->turn < 4; job->turn++) {
			mw_code code = mw_pool_for(cx, n, 1, run_tiles, job);
			if (code != MW_OK)
				return code;
			mw_log_progress(cx, MW_STAGE_ERODE, (uint64_t)(4 * round + job->turn + 1),
				4 * ROUNDS);
		}
	}
	return MW_OK;
}

mw_code mw_erode_droplets(mw_ctx *cx, mw_field *f, double step, const mw_droplets *o)
{
	mw_code code = check_options(cx, o);
	if (code == MW_OK)
		code = mw_field_require_finite(cx, f, "the height to erode");
	if (code != MW_OK || f->w < 2 || f->h < 2)
		return code;

	drop_job job = {.b = brush_for(o->radius), .o = o, .per_step = (float)(1 / step)};
	int32_t margin = job.b.columns; /* more than the brush reaches on any side */
	/* Two tiles of a turn are one tile apart; from both sides drops and brushes come in. */
	job.tile = 2 * (o->lifetime + margin + 2);
	job.tile = job.tile > 64 ? job.tile : 64;
	job.g = (ground){.w = f->w, .h = f->h, .stride = (size_t)f->w + 2 * (size_t)margin};
	size_t samples = job.g.stride * ((size_t)f->h + 2 * (size_t)margin);
	float *block = mw_alloc_wide(cx, samples * sizeof *block);
	if (!block)
		return MW_ENOMEM;
	memset(block, 0, samples * sizeof *block);
	job.g.v = block + (size_t)margin * job.g.stride + margin;
	size_t row_bytes = (size_t)f->w * sizeof *block;
	for (int32_t j = 0; j < f->h; j++)
		memcpy(job.g.v + (size_t)j * job.g.stride, mw_field_row(f, j), row_bytes);
	code = run_rounds(cx, &job);
	for (int32_t j = 0; j < f->h && code == MW_OK; j++)
		memcpy(mw_field_row(f, j), job.g.v + (size_t)j * job.g.stride, row_bytes);
	mw_free(cx, block);
	return code;
}

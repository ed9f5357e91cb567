#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "raster/source.h"
#include "raster/source_internal.h"

#define FULL_SIZE ((size_t)BLOCK_W * BLOCK_H)

const mw__source_kernels *mw__source_kernels_for(mw_isa isa)
{
#if MW_ISA_X86
	if (isa == MW_ISA_AVX2)
		return &mw__source_kernels_avx2;
	if (isa == MW_ISA_SSE41)
		return &mw__source_kernels_sse41;
#endif
	MW_UNUSED(isa);
	return &mw__source_kernels_portable;
}

/* ---- working space -----------------------------------------------------------------------------
 */

mw_program_scratch *mw_program_scratch_new(mw_ctx *cx, const mw_program *program)
{
	const mw__program *p = program->p;
	mw_program_scratch *s = mw_zalloc(cx, sizeof *s);
	if (!s)
		return NULL;
	s->isa = cx->isa;
	s->full = mw_alloc_wide(cx, (p->full_slots + 1) * FULL_SIZE * sizeof(float));
	s->line = mw_alloc_wide(cx, (p->line_slots + 1) * BLOCK_W * sizeof(float));
	s->near = mw_alloc_n(cx, p->shape_max + 1, sizeof *s->near);
	s->across = mw_alloc_n(cx, p->shape_max + 1, sizeof *s->across);
	s->noise = p->plan.n ? mw_zalloc(cx, sizeof *s->noise) : NULL;
	if (!s->full || !s->line || !s->near || !s->across || (p->plan.n && !s->noise)) {
		mw_program_scratch_free(cx, s);
		return NULL;
	}
	/* Lanes beyond the edge of a block are computed and thrown away, but never garbage. */
	memset(s->full, 0, (p->full_slots + 1) * FULL_SIZE * sizeof(float));
	memset(s->line, 0, (p->line_slots + 1) * BLOCK_W * sizeof(float));
	for (size_t i = 0; i < p->value.n; i++) {
		const mw__value *v = &p->value.v[i];
		if (!v->live || v->op != VALUE_CONST)
			continue;
		float *line = s->line + (size_t)v->slot * BLOCK_W;
		for (size_t j = 0; j < BLOCK_W; j++)
			line[j] = v->k[0];
	}
	return s;
}

void mw_program_scratch_free(mw_ctx *cx, mw_program_scratch *scratch)
{
	if (!scratch)
		return;
	mw_free(cx, scratch->full);
	mw_free(cx, scratch->line);
	mw_free(cx, scratch->near);
	mw_free(cx, scratch->across);
	mw_free(cx, scratch->noise);
	mw_free(cx, scratch);
}

/* ---- one block ---------------------------------------------------------------------------------
 */

typedef struct {
	const mw__program *p;
	const mw__source_kernels *kern;
	mw_program_scratch *s;
	size_t w, h; /* w rounded up to whole vectors */
} block;

static float *slot_of(const block *b, uint32_t value)
{
	const mw__value *v = &b->p->value.v[value];
	return v->shape == SHAPE_FULL ? b->s->full + (size_t)v->slot * FULL_SIZE
				      : b->s->line + (size_t)v->slot * BLOCK_W;
}

static double range_to_segment(const mw__segment *s, double x, double z)
{
	double qx = x - (double)s->ax, qz = z - (double)s->az;
	double t = (qx * (double)s->dx + qz * (double)s->dz) * (double)s->inverse;
	t = t > 0 ? t : 0;
	t = t < 1 ? t : 1;
	qx -= t * (double)s->dx;
	qz -= t * (double)s->dz;
	return sqrt(qx * qx + qz * qz);
}

/* Only the segments that can be the nearest somewhere in the block are measured, and only the edges
 * on its rows are asked for the inside: with room for every rounding, so the result is the same. */
static void distance(
	block *b, const mw__shape *shape, float *d, const float *x, const float *z, size_t n)
{
	float bx[2], bz[2];
	b->kern->bounds(x, n, bx);
	b->kern->bounds(z, n, bz);
	double cx = 0.5 * ((double)bx[0] + (double)bx[1]);
	double cz = 0.5 * ((double)bz[0] + (double)bz[1]);
	double rx = (double)bx[1] - cx, rz = (double)bz[1] - cz;
	double radius = sqrt(rx * rx + rz * rz), least = HUGE_VAL, longest = 0;
	for (size_t i = 0; i < shape->n; i++) {
		const mw__segment *s = &shape->segment[i];
		double range = range_to_segment(s, cx, cz);
		least = range < least ? range : least;
		double length = fabs((double)s->dx) + fabs((double)s->dz);
		longest = length > longest ? length : longest;
	}
	double slack = 1e-4 * (least + radius + longest) + 1e-3;
	double reach = least + 2 * radius + slack;
	bool all = shape->n <= 8 || !(reach < 1e12);
	uint32_t *near = b->s->near, *across = b->s->across;
	size_t nnear = 0, nacross = 0;
	for (size_t i = 0; i < shape->n; i++) {
		const mw__segment *s = &shape->segment[i];
		if (all || range_to_segment(s, cx, cz) <= reach)
			near[nnear++] = (uint32_t)i;
		if (shape->kind != MW_SHAPE_POLYGON || s->az == s->bz)
			continue;
		float low = s->az < s->bz ? s->az : s->bz, high = s->az < s->bz ? s->bz : s->az;
		if (!(high <= bz[0] || low > bz[1]))
			across[nacross++] = (uint32_t)i;
	}
	b->kern->distance(shape, near, nnear, across, nacross, d, x, z, n);
}

static void run(block *b, const mw__value *v, float *d, const float *const a[3], size_t n)
{
	switch (v->op) {
	case VALUE_NOISE:
		mw_noise_points(b->s->isa, v->param, a[0], a[1], d, n, b->s->noise);
		break;
	case VALUE_DISTANCE:
		distance(b, v->param, d, a[0], a[1], n);
		break;
	case VALUE_GRID:
		b->kern->grid(v->param, d, a[0], a[1], n);
		break;
	case VALUE_CURVE:
		b->kern->curve(v->param, d, a[0], n);
		break;
	case VALUE_TURN_X:
	case VALUE_TURN_Z:
		b->kern->turn(v->param, v->k, v->op == VALUE_TURN_Z, d, a[0], a[1], n);
		break;
	default:
		b->kern->apply(v->op, d, a[0], a[1], a[2], v->k, n);
	}
}

static void expand(const block *b, float *d, const float *a, bool column)
{
	for (size_t j = 0; j < b->h; j++) {
		if (!column) {
			memcpy(d + j * b->w, a, b->w * sizeof(float));
			continue;
		}
		for (size_t i = 0; i < b->w; i++)
			d[j * b->w + i] = a[j];
	}
}

static void compute(block *b, uint32_t index)
{
	const mw__value *v = &b->p->value.v[index];
	const float *a[3] = {NULL, NULL, NULL};
	size_t stride[3] = {0, 0, 0};
	bool flat = true, crossing = false;
	for (int i = 0; i < 3; i++) {
		if (v->arg[i] == VALUE_NONE)
			continue;
		int shape = b->p->value.v[v->arg[i]].shape;
		a[i] = slot_of(b, v->arg[i]);
		stride[i] = shape == SHAPE_FULL ? b->w : 0;
		flat = flat && shape == SHAPE_FULL;
		crossing = crossing || shape == SHAPE_COLUMN;
	}
	float *d = slot_of(b, index);
	if (v->op == VALUE_EXPAND) {
		expand(b, d, a[0], crossing);
	} else if (v->shape == SHAPE_ROW) {
		run(b, v, d, a, b->w);
	} else if (v->shape == SHAPE_COLUMN) {
		run(b, v, d, a, BLOCK_H);
	} else if (v->op == VALUE_GRID && crossing) {
		if (b->kern->grid_block(v->param, d, a[0], b->w, a[1], b->h, &b->s->grid))
			return;
		for (size_t j = 0; j < b->h; j++) {
			float *z = b->s->grid.fraction;
			for (size_t i = 0; i < b->w; i++)
				z[i] = a[1][j];
			b->kern->grid(v->param, d + j * b->w, a[0], z, b->w);
		}
	} else if (v->op == VALUE_NOISE && crossing) {
		mw_noise_block(b->s->isa, v->param, a[0], b->w, a[1], b->h, d, b->s->noise);
	} else if (flat) {
		run(b, v, d, a, b->w * b->h);
	} else {
		for (size_t j = 0; j < b->h; j++) {
			const float *at[3] = {a[0] ? a[0] + j * stride[0] : NULL,
				a[1] ? a[1] + j * stride[1] : NULL,
				a[2] ? a[2] + j * stride[2] : NULL};
			run(b, v, d + j * b->w, at, b->w);
		}
	}
}

static void write_root(const block *b, uint32_t index, float *out, size_t stride, size_t width)
{
	const float *a = slot_of(b, index);
	int shape = b->p->value.v[index].shape;
	for (size_t j = 0; j < b->h; j++) {
		float *row = out + j * stride;
		if (shape == SHAPE_COLUMN) {
			b->kern->store(row, a + j, 1);
			for (size_t i = 1; i < width; i++)
				row[i] = row[0];
		} else {
			b->kern->store(row, shape == SHAPE_FULL ? a + j * b->w : a, width);
		}
	}
}

mw_source_scope mw_source_scope_of(const mw_grid *grid, int32_t w, int32_t h, uint64_t seed)
{
	bool cells = grid->x0 == grid->step / 2 && grid->z0 == grid->step / 2;
	mw_source_scope scope = {.seed = seed, .x0 = grid->x0, .z0 = grid->z0};
	scope.x1 = grid->x0 + (w - 1) * grid->step;
	scope.z1 = grid->z0 + (h - 1) * grid->step;
	if (!cells)
		return scope;
	scope.x0 = scope.z0 = 0;
	scope.x1 = w * grid->step;
	scope.z1 = h * grid->step;
	return scope;
}

/* ---- rows and fields ---------------------------------------------------------------------------
 */

void mw_program_eval_rows(const mw_program *program, const mw_grid *grid, int64_t row0,
	int32_t nrows, int32_t w, float *const *out, mw_program_scratch *scratch)
{
	const mw__program *p = program->p;
	block b = {.p = p, .kern = mw__source_kernels_for(scratch->isa), .s = scratch};
	/* X and Z are the first two values; nothing may read them, and then they have no line. */
	float *x = p->value.v[0].live ? slot_of(&b, 0) : NULL;
	float *z = p->value.v[1].live ? slot_of(&b, 1) : NULL;
	for (int32_t j = 0; j < nrows; j += BLOCK_H) {
		b.h = (size_t)(nrows - j < BLOCK_H ? nrows - j : BLOCK_H);
		for (int i = 0; i < BLOCK_H && z; i++)
			z[i] = (float)(grid->z0 + (double)(row0 + j + i) * grid->step);
		for (int32_t left = 0; left < w; left += BLOCK_W) {
			size_t width = (size_t)(w - left < BLOCK_W ? w - left : BLOCK_W);
			b.w = (width + 7) & ~(size_t)7;
			for (size_t i = 0; i < b.w && x; i++)
				x[i] = (float)(grid->x0 + (double)(left + (int32_t)i) * grid->step);
			for (size_t i = 2; i < p->value.n; i++)
				if (p->value.v[i].live && p->value.v[i].op != VALUE_CONST)
					compute(&b, (uint32_t)i);
			for (size_t i = 0; i < p->roots; i++)
				if (out[i])
					write_root(&b, p->root[i],
						out[i] + (size_t)j * (size_t)w + (size_t)left,
						(size_t)w, width);
		}
	}
}

typedef struct {
	const mw_program *program;
	const mw_grid *grid;
	mw_field *out;
	mw_program_scratch **scratch;
} eval_job;

static mw_code eval_bands(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	MW_UNUSED(cx);
	eval_job *job = ud;
	for (size_t band = first; band < last; band++) {
		int32_t row = (int32_t)band * BLOCK_H;
		int32_t n = job->out->h - row < BLOCK_H ? job->out->h - row : BLOCK_H;
		float *const out[1] = {mw_field_row(job->out, row)};
		mw_program_eval_rows(
			job->program, job->grid, row, n, job->out->w, out, job->scratch[worker]);
	}
	return MW_OK;
}

mw_code mw_program_eval(mw_ctx *cx, const mw_program *program, const mw_grid *grid, mw_field *out)
{
	MW_ASSERT(program->p->roots == 1);
	int threads = mw_pool_threads(cx->pool);
	eval_job job = {.program = program, .grid = grid, .out = out};
	job.scratch = mw_zalloc_n(cx, (size_t)threads, sizeof *job.scratch);
	mw_code code = job.scratch ? MW_OK : MW_ENOMEM;
	for (int i = 0; i < threads && code == MW_OK; i++) {
		job.scratch[i] = mw_program_scratch_new(cx, program);
		code = job.scratch[i] ? MW_OK : MW_ENOMEM;
	}
	size_t bands = ((size_t)out->h + BLOCK_H - 1) / BLOCK_H;
	if (code == MW_OK)
		code = mw_pool_for(cx, bands, 1, eval_bands, &job);
	for (int i = 0; i < threads && job.scratch; i++)
		mw_program_scratch_free(cx, job.scratch[i]);
	mw_free(cx, job.scratch);
	return code;
}

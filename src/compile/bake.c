/* Vertex light with shadows, on all threads. */
#include "compile/level.h"

#include "base/pool.h"

typedef struct {
	const mw_level *l;
	const mw_planes *t;
	const mw_brushes *b;
	const mw_bsp *bsp;
	const mw_light_sample *sample;
	const mw_vec3 *spot;
	uint32_t *color;
	double far; /* further than the level is wide */
} bake;

/* Part of the sample's spots from which the lamp is seen. */
static double seen(const bake *b, const mw_light_sample *s, const mw_level_light *l)
{
	uint32_t clear = 0;
	mw_vec3 lamp = mw_v3((double)l->pos[0], (double)l->pos[1], (double)l->pos[2]);
	mw_vec3 dir = mw_v3((double)l->dir[0], (double)l->dir[1], (double)l->dir[2]);
	for (uint32_t i = 0; i < s->count; i++) {
		mw_sweep way = {.from = b->spot[s->first + i], .mask = MW_CONTENTS_SOLID};
		mw_sweep_hit hit;
		way.to = l->kind == MW_LIGHT_SUN ? mw_along3(way.from, dir, -b->far) : lamp;
		clear += !mw_bsp_sweep(b->t, b->b, b->bsp, &way, &hit);
	}
	return s->count ? (double)clear / s->count : 1;
}

static mw_code bake_range(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const bake *b = ud;
	MW_UNUSED(cx);
	MW_UNUSED(worker);
	for (size_t i = first; i < last; i++) {
		const mw_light_sample *s = &b->sample[i];
		double sum[3];
		for (int k = 0; k < 3; k++)
			sum[k] = (double)b->l->ambient[k];
		for (size_t k = 0; k < b->l->light.n; k++) {
			double own[3] = {0, 0, 0};
			mw_light_at(&b->l->light.v[k], s->pos.v, s->normal.v, own);
			if (!(own[0] > 0 || own[1] > 0 || own[2] > 0))
				continue;
			double part = seen(b, s, &b->l->light.v[k]);
			for (int c = 0; c < 3; c++)
				sum[c] += own[c] * part;
		}
		uint32_t rgba = 0xff000000u;
		for (int c = 0; c < 3; c++) {
			double v = sum[c] > 1 ? 1 : sum[c] > 0 ? sum[c] : 0;
			rgba |= (uint32_t)(255 * v + 0.5) << (8 * c);
		}
		b->color[i] = rgba;
	}
	return MW_OK;
}

mw_code mw_level_bake(mw_ctx *cx, const mw_level *l, const mw_planes *t, const mw_brushes *b,
	const mw_bsp *bsp, const mw_light_sample *sample, size_t n, const mw_vec3 *spot,
	uint32_t *color)
{
	bake work = {l, t, b, bsp, sample, spot, color, 1};
	for (int k = 0; k < 3; k++) {
		double wide = bsp->box.max.v[k] - bsp->box.min.v[k];
		work.far += wide > 0 ? 2 * wide : 0;
	}
	return mw_pool_for(cx, n, 64, bake_range, &work);
}

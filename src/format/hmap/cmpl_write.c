/* The compiled chunk back into bytes. */
#include "format/hmap/hmap_internal.h"

static void write_solid(mw_wr *w, const mw_level *l, const mw_level_solid *s)
{
	mw_wr_u32(w, s->contents);
	mw_wr_u32(w, s->source);
	mw_wr_f32v(w, s->box, 6);
	mw_wr_u32(w, s->planes);
	for (uint32_t i = 0; i < s->planes; i++)
		mw_wr_f32v(w, l->plane.v[s->first + i].v, 4);
}

static void write_batches(mw_wr *w, const mw_level *l)
{
	mw_wr_u32(w, (uint32_t)l->batch.n);
	for (size_t i = 0; i < l->batch.n; i++) {
		const mw_level_batch *b = &l->batch.v[i];
		mw_wr_i32(w, b->material);
		mw_wr_u8(w, b->source);
		mw_wr_i32(w, b->model);
		mw_wr_u32(w, b->vertices);
		for (uint32_t k = 0; k < b->vertices; k++) {
			const mw_level_vertex *v = &l->vertex.v[b->first_vertex + k];
			mw_wr_f32v(w, v->pos, 3);
			mw_wr_f32v(w, v->normal, 3);
			mw_wr_f32v(w, v->uv, 2);
			mw_wr_u32(w, v->color);
		}
		mw_wr_u32(w, b->indices);
		for (uint32_t k = 0; k < b->indices; k++)
			mw_wr_u32(w, l->index.v[b->first_index + k]);
	}
}

static void write_models(mw_wr *w, const mw_level *l)
{
	mw_wr_u32(w, (uint32_t)l->model.n);
	for (size_t i = 0; i < l->model.n; i++) {
		const mw_level_model *m = &l->model.v[i];
		mw_wr_u32(w, m->entity);
		mw_wr_f32v(w, m->box, 6);
		mw_wr_u32(w, m->solids);
		for (uint32_t k = 0; k < m->solids; k++)
			write_solid(w, l, &l->solid.v[m->first + k]);
	}
}

static void write_tree(mw_wr *w, const mw_level *l)
{
	mw_wr_i32(w, l->root);
	mw_wr_u32(w, l->depth);
	mw_wr_f32v(w, l->tree_box, 6);
	mw_wr_u32(w, (uint32_t)l->tree_plane.n);
	for (size_t i = 0; i < l->tree_plane.n; i++)
		mw_wr_f32v(w, l->tree_plane.v[i].v, 4);
	mw_wr_u32(w, (uint32_t)l->node.n);
	for (size_t i = 0; i < l->node.n; i++) {
		mw_wr_i32(w, l->node.v[i].plane);
		mw_wr_i32(w, l->node.v[i].child[0]);
		mw_wr_i32(w, l->node.v[i].child[1]);
	}
	mw_wr_u32(w, (uint32_t)l->leaf.n);
	for (size_t i = 0; i < l->leaf.n; i++) {
		mw_wr_u32(w, l->leaf.v[i].first);
		mw_wr_u32(w, l->leaf.v[i].count);
	}
	mw_wr_u32(w, (uint32_t)l->item.n);
	for (size_t i = 0; i < l->item.n; i++)
		mw_wr_u32(w, l->item.v[i]);
	mw_wr_u32(w, l->tree_solids);
	for (uint32_t i = 0; i < l->tree_solids; i++)
		write_solid(w, l, &l->solid.v[l->first_tree_solid + i]);
}

static void write_lights(mw_wr *w, const mw_level *l)
{
	mw_wr_u32(w, (uint32_t)l->light.n);
	for (size_t i = 0; i < l->light.n; i++) {
		const mw_level_light *x = &l->light.v[i];
		mw_wr_u8(w, x->kind);
		mw_wr_f32v(w, x->pos, 3);
		mw_wr_f32v(w, x->dir, 3);
		mw_wr_f32v(w, x->color, 3);
		mw_wr_f32(w, x->intensity);
		mw_wr_f32(w, x->radius);
		mw_wr_f32(w, x->inner);
		mw_wr_f32(w, x->outer);
		mw_wr_u32(w, x->entity);
	}
}

void mw__hmap_write_level(mw_wr *w, const mw_level *l)
{
	mw_wr_f32v(w, l->ambient, 3);
	mw_wr_f32(w, l->units_per_metre);
	mw_wr_u8(w, l->baked);
	mw_wr_f32v(w, l->box, 6);
	write_batches(w, l);
	write_models(w, l);
	write_tree(w, l);
	mw_wr_u32(w, (uint32_t)l->hull.n);
	for (size_t i = 0; i < l->hull.n; i++) {
		const mw_level_hull *h = &l->hull.v[i];
		mw_wr_u32(w, h->object);
		mw_wr_f32v(w, h->box, 6);
		mw_wr_u32(w, h->points);
		for (uint32_t k = 0; k < h->points; k++)
			mw_wr_f32v(w, l->point.v[h->first + k].v, 3);
	}
	write_lights(w, l);
}

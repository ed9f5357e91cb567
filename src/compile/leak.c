#include "compile/leak.h"

#include "geom/voids.h"

#include <string.h>

/* Of the first surface word of Quake 2 and 3. */
#define SURFACE_DETAIL 0x8000000

/* Cells that one point may touch; a corner of more counts as touching these. */
#define TOUCHED 64

void mw_leak_free(mw_ctx *cx, mw_leak *l)
{
	mw_free(cx, l->state.v);
	mw_free(cx, l->line.v);
	memset(l, 0, sizeof *l);
}

static bool is_detail(const mw_scene *s, uint32_t i)
{
	const mw_brush *b = &s->brushes.brush.v[i];
	if (s->brush.v[i].flags & MW_BRUSH_DETAIL)
		return true;
	for (uint32_t k = 0; k < b->count; k++) {
		uint32_t tag = s->brushes.side.v[b->first + k].tag;
		if (tag != MW_TAG_NONE && s->face.v[tag].has_surface &&
			(s->face.v[tag].surface[0] & SURFACE_DETAIL))
			return true;
	}
	return false;
}

static bool seals(const mw_scene *s, uint32_t i)
{
	return s->brush.v[i].owner == 0 && !is_detail(s, i) &&
		(s->brushes.brush.v[i].contents & (MW_CONTENTS_SOLID | MW_CONTENTS_SKY));
}

/* Append brush i with every side moved out by half of the gap. */
static mw_code grow(mw_ctx *cx, mw_scene *s, uint32_t i, double gap, mw_brushes *out)
{
	const mw_brush *b = &s->brushes.brush.v[i];
	mw_brush grown = {.first = (uint32_t)out->side.n, .count = b->count};
	for (uint32_t k = 0; k < b->count; k++) {
		mw_side side = s->brushes.side.v[b->first + k];
		if (gap > 0) {
			mw_plane p = mw_planes_get(s->planes, side.plane);
			mw_code rc = mw_planes_add(cx, s->planes, &side.plane, p.n, p.d + gap / 2);
			if (rc)
				return rc;
		}
		if (!MW_PUSH(cx, &out->side, side))
			return MW_ENOMEM;
	}
	return MW_PUSH(cx, &out->brush, grown) ? MW_OK : MW_ENOMEM;
}

/* Brushes without an inside get none by growing. */
static mw_code take_sealing(mw_ctx *cx, mw_scene *s, mw_arena *arena, double gap, mw_brushes *out)
{
	size_t n = s->brush.n;
	mw_solid *solid = mw_arena_alloc(arena, (n + 1) * sizeof *solid);
	if (!solid)
		return MW_ENOMEM;
	mw_code rc = mw_solids_make(arena, s->planes, &s->brushes, solid, NULL);
	for (uint32_t i = 0; i < n && !rc; i++)
		if (solid[i].n && seals(s, i))
			rc = grow(cx, s, i, gap, out);
	return rc;
}

static mw_code make_voids(mw_ctx *cx, mw_scene *s, double gap, mw_leak *out, mw_voids *v)
{
	mw_arena arena;
	mw_brushes b = {0};
	mw_arena_init(&arena, cx);
	mw_arena_mark mark = mw_arena_get_mark(&arena);
	mw_code rc = take_sealing(cx, s, &arena, gap, &b);
	mw_arena_reset(&arena, mark);
	out->sealing = (uint32_t)b.brush.n;
	mw_solid *solid = mw_arena_alloc(&arena, (b.brush.n + 1) * sizeof *solid);
	if (!rc && !solid)
		rc = MW_ENOMEM;
	rc = rc ? rc : mw_solids_make(&arena, s->planes, &b, solid, NULL);
	rc = rc ? rc : mw_voids_build(cx, s->planes, solid, (uint32_t)b.brush.n, v);
	mw_brushes_free(cx, &b);
	mw_arena_free(&arena);
	return rc;
}

static mw_code mark_unasked(mw_ctx *cx, const mw_scene *s, mw_leak *out)
{
	for (size_t i = 0; i < s->entity.n; i++) {
		bool world = strcmp(s->entity.v[i].classname, "worldspawn") == 0;
		if (!MW_PUSH(cx, &out->state, world ? MW_LEAK_UNASKED : MW_LEAK_IN_SOLID))
			return MW_ENOMEM;
	}
	for (size_t i = 0; i < s->brush.n; i++)
		if (s->brush.v[i].owner)
			out->state.v[s->brush.v[i].owner - 1] = MW_LEAK_UNASKED;
	for (size_t i = 0; i < s->mesh.n; i++)
		if (s->mesh.v[i].owner)
			out->state.v[s->mesh.v[i].owner - 1] = MW_LEAK_UNASKED;
	return MW_OK;
}

/* From a point in a cell to the outside. */
static mw_code draw_line(mw_ctx *cx, const mw_voids *v, const uint32_t *gate, mw_vec3 at,
	uint32_t cell, mw_leak *out)
{
	if (!MW_PUSH(cx, &out->line, at))
		return MW_ENOMEM;
	while (cell != MW_VOID_OUTSIDE) {
		const mw_void_gate *g = &v->gate.v[gate[cell]];
		if (!MW_PUSH(cx, &out->line, g->at))
			return MW_ENOMEM;
		cell = g->cell[g->cell[0] == cell];
	}
	return MW_OK;
}

/* gap: what stands on a side that was moved out by half of it still stands in the space before it
 */
static mw_code ask(mw_ctx *cx, const mw_scene *s, double gap, const mw_voids *v,
	const uint32_t *steps, const uint32_t *gate, mw_leak *out)
{
	for (uint32_t i = 0; i < s->entity.n; i++) {
		uint32_t cell[TOUCHED];
		const mw_vec3 *at = &s->entity.v[i].origin;
		if (out->state.v[i] == MW_LEAK_UNASKED)
			continue;
		uint32_t n = mw_voids_at(s->planes, v, at, gap, cell, TOUCHED);
		if (n == 0)
			continue;
		uint32_t best = cell[0];
		for (uint32_t k = 1; k < n && k < TOUCHED; k++)
			best = steps[cell[k]] < steps[best] ? cell[k] : best;
		bool leaks = steps[best] != UINT32_MAX;
		out->state.v[i] = leaks ? MW_LEAK_LEAKS : MW_LEAK_SEALED;
		if (!leaks || out->entity != MW_TAG_NONE)
			continue;
		out->entity = i;
		mw_code rc = draw_line(cx, v, gate, *at, best, out);
		if (rc)
			return rc;
	}
	return MW_OK;
}

mw_code mw_leak_find(mw_ctx *cx, mw_scene *s, double gap, mw_leak *out)
{
	mw_voids v = {0};
	uint32_t *steps = NULL, *gate = NULL;
	out->entity = MW_TAG_NONE;
	mw_code rc = mark_unasked(cx, s, out);
	rc = rc ? rc : make_voids(cx, s, gap, out, &v);
	if (!rc) {
		steps = mw_alloc_n(cx, v.cells, sizeof *steps);
		gate = mw_alloc_n(cx, v.cells, sizeof *gate);
		rc = steps && gate ? mw_voids_flood(cx, &v, steps, gate) : MW_ENOMEM;
	}
	rc = rc ? rc : ask(cx, s, gap, &v, steps, gate, out);
	mw_free(cx, steps);
	mw_free(cx, gate);
	mw_voids_free(cx, &v);
	if (rc)
		mw_leak_free(cx, out);
	return rc;
}

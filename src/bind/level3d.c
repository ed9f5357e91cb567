#include "bind/level3d.h"

#include "base/mem.h"

#include <string.h>

#define UNSEEN (MW_CONTENTS_CLIP | MW_CONTENTS_TRIGGER | MW_CONTENTS_SKY)

void mw_level3d_free(mw_ctx *cx, mw_level3d *d)
{
	mw_free(cx, d->triangle.v);
	mw_free(cx, d->surface.v);
	memset(d, 0, sizeof *d);
}

/* A colour that is the same for the same name, and not too dark. */
static void name_colour(const char *name, uint8_t rgb[3])
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 16777619u;
	/* a pale tint of one of many hues */
	for (int i = 0; i < 3; i++)
		rgb[i] = (uint8_t)(140 + (h >> (8 * i) & 0xff) * 100 / 255);
}

mw_code mw_level3d_surfaces(mw_ctx *cx, mw_level3d *d, const mw_scene *s)
{
	mw_surface3d plain = {.rgb = {190, 190, 190}}, cut = {.rgb = {70, 74, 84}, .cut = true};

	if (!MW_PUSH(cx, &d->surface, plain))
		return MW_ENOMEM;
	for (size_t i = 0; i < s->material.n; i++) {
		const mw_material *m = &s->material.v[i];
		bool white = m->color[0] >= 1 && m->color[1] >= 1 && m->color[2] >= 1;
		mw_surface3d sf = {.rgb = {0, 0, 0}};
		if (white)
			name_colour(m->name, sf.rgb);
		for (int k = 0; k < 3 && !white; k++) {
			double v = m->color[k] < 0 ? 0 : m->color[k] > 1 ? 1 : m->color[k];
			sf.rgb[k] = (uint8_t)(v * 255 + 0.5);
		}
		if (!MW_PUSH(cx, &d->surface, sf))
			return MW_ENOMEM;
	}
	return MW_PUSH(cx, &d->surface, cut) ? MW_OK : MW_ENOMEM;
}

static uint32_t surface_of(const mw_level3d *d, int64_t material)
{
	return material >= 0 && material + 2 < (int64_t)d->surface.n ? (uint32_t)material + 1 : 0;
}

/* A convex polygon as a fan; its own edges are drawn. */
static mw_code fan(mw_ctx *cx, mw_level3d *d, const mw_vec3 *p, const mw_vec2 *uv, uint32_t n,
	uint32_t surface)
{
	for (uint32_t i = 2; i < n; i++) {
		mw_triangle3d t = {.p = {p[0], p[i - 1], p[i]},
			.uv = {uv[0], uv[i - 1], uv[i]},
			.surface = surface};
		t.edges = (uint8_t)(2 | (i == 2 ? 1 : 0) | (i == n - 1 ? 4 : 0));
		if (!MW_PUSH(cx, &d->triangle, t))
			return MW_ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++)
		mw_aabb_add(&d->box, p[i], 0);
	return MW_OK;
}

static mw_code brush(mw_ctx *cx, mw_level3d *d, const mw_scene *s, mw_arena *arena, size_t i)
{
	const mw_brush *b = &s->brushes.brush.v[i];
	mw_solid solid;
	mw_closure how;
	mw_code code = mw_solid_make(
		arena, s->planes, mw_brush_sides(&s->brushes, b), b->count, &solid, &how);

	if (code || how != MW_CLOSED)
		return code;
	for (uint32_t f = 0; f < solid.n && !code; f++) {
		const mw_poly *poly = &solid.face[f];
		int32_t material = -1;
		if (poly->tag != MW_TAG_NONE) {
			if (s->face.v[poly->tag].flags & MW_FACE_HIDDEN)
				continue;
			material = s->face.v[poly->tag].material;
		}
		mw_plane pl = mw_planes_get(s->planes, poly->plane);
		mw_texmap t = mw_scene_texmap(s, poly->tag, pl.n);
		mw_vec3 *p = mw_arena_alloc(arena, poly->n * sizeof *p);
		mw_vec2 *uv = mw_arena_alloc(arena, poly->n * sizeof *uv);
		if (!p || !uv)
			return MW_ENOMEM;
		for (uint32_t k = 0; k < poly->n; k++) {
			p[k] = poly->v[k].at;
			uv[k] = mw_texmap_at(&t, p[k]);
		}
		code = fan(cx, d, p, uv, poly->n, surface_of(d, material));
	}
	return code;
}

static mw_code mesh(mw_ctx *cx, mw_level3d *d, mw_arena *arena, const mw_scene_mesh *m)
{
	mw_code code = MW_OK;

	for (size_t i = 0; i < m->poly.n && !code; i++) {
		const mw_scene_poly *q = &m->poly.v[i];
		mw_vec3 *p = mw_arena_alloc(arena, q->count * sizeof *p);
		if (!p)
			return MW_ENOMEM;
		for (uint32_t k = 0; k < q->count; k++)
			p[k] = m->vertex.v[m->index.v[q->first + k]];
		code = fan(cx, d, p, m->uv.v + q->first, q->count, surface_of(d, q->material));
	}
	return code;
}

mw_code mw_level3d_scene(mw_ctx *cx, mw_level3d *d, const mw_scene *s, mw_arena *arena)
{
	mw_code code = MW_OK;

	for (size_t i = 0; i < s->brushes.brush.n && !code; i++) {
		mw_arena_mark mark = mw_arena_get_mark(arena);
		if (!(s->brushes.brush.v[i].contents & UNSEEN))
			code = brush(cx, d, s, arena, i);
		mw_arena_reset(arena, mark);
	}
	for (size_t i = 0; i < s->mesh.n && !code; i++) {
		mw_arena_mark mark = mw_arena_get_mark(arena);
		code = mesh(cx, d, arena, &s->mesh.v[i]);
		mw_arena_reset(arena, mark);
	}
	return code;
}

/* ---- a compiled level ------------------------------------------------------------------------ */

static void corner(mw_triangle3d *t, int i, const mw_level_vertex *v)
{
	for (int k = 0; k < 3; k++) {
		t->p[i].v[k] = (double)v->pos[k];
		t->light[i][k] = (float)(v->color >> (8 * k) & 0xff) / 255.0f;
	}
	t->uv[i] = mw_v2((double)v->uv[0], (double)v->uv[1]);
}

mw_code mw_level3d_compiled(mw_ctx *cx, mw_level3d *d, const mw_level *l)
{
	for (size_t b = 0; b < l->batch.n; b++) {
		const mw_level_batch *batch = &l->batch.v[b];
		const uint32_t *index = l->index.v + batch->first_index;
		for (uint32_t i = 0; i + 3 <= batch->indices; i += 3) {
			mw_triangle3d t = {.surface = surface_of(d, batch->material)};
			t.lit = l->baked == 1;
			for (int k = 0; k < 3; k++) {
				corner(&t, k,
					&l->vertex.v[batch->first_vertex + index[i + (uint32_t)k]]);
				mw_aabb_add(&d->box, t.p[k], 0);
			}
			if (!MW_PUSH(cx, &d->triangle, t))
				return MW_ENOMEM;
		}
	}
	return MW_OK;
}

/* ---- cut open -------------------------------------------------------------------------------- */

/* What of a convex polygon lies behind a plane: at most one corner more. [out: room] */
static uint32_t behind(const mw_plane *q, const mw_vec3 *p, uint32_t n, mw_vec3 *out, size_t room)
{
	uint32_t m = 0;

	/* rounding may bend a sliver so that it crosses more than twice: room ends it */
	for (uint32_t i = 0; i < n && m + 2 <= room; i++) {
		const mw_vec3 *a = &p[i], *b = &p[(i + 1) % n];
		double da = mw_dot3(q->n, *a) - q->d, db = mw_dot3(q->n, *b) - q->d;
		if (da <= 0)
			out[m++] = *a;
		if ((da < 0 && db > 0) || (da > 0 && db < 0))
			out[m++] = mw_along3(*a, mw_sub3(*b, *a), da / (da - db));
	}
	return m;
}

mw_code mw_level3d_cut(mw_ctx *cx, mw_level3d *d, const mw_scene *s, mw_arena *arena, double height)
{
	mw_aabb box = d->box;
	uint32_t surface = (uint32_t)d->surface.n - 1;
	mw_code code = MW_OK;

	for (size_t i = 0; i < s->brushes.brush.n && !code; i++) {
		const mw_brush *b = &s->brushes.brush.v[i];
		const mw_side *side = mw_brush_sides(&s->brushes, b);
		if (!(b->contents & MW_CONTENTS_SOLID))
			continue;
		mw_arena_mark mark = mw_arena_get_mark(arena);
		size_t room = (size_t)b->count + 6;
		mw_vec3 *p = mw_arena_alloc(arena, room * sizeof *p);
		mw_vec3 *q = mw_arena_alloc(arena, room * sizeof *q);
		mw_vec2 *uv = mw_arena_alloc(arena, room * sizeof *uv);
		if (!p || !q || !uv)
			return MW_ENOMEM;
		uint32_t n = 4;
		p[0] = mw_v3(box.min.x, height, box.max.z);
		p[1] = mw_v3(box.max.x, height, box.max.z);
		p[2] = mw_v3(box.max.x, height, box.min.z);
		p[3] = mw_v3(box.min.x, height, box.min.z);
		for (uint32_t k = 0; k < b->count && n >= 3; k++) {
			mw_plane plane = mw_planes_get(s->planes, side[k].plane);
			mw_vec3 *swap = p;
			n = behind(&plane, p, n, q, room);
			p = q;
			q = swap;
		}
		memset(uv, 0, room * sizeof *uv);
		if (n >= 3)
			code = fan(cx, d, p, uv, n, surface);
		mw_arena_reset(arena, mark);
	}
	return code;
}

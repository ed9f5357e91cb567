/* Scene <-> source chunks, and compiling them. */
#include "format/hmap/hmap_internal.h"

#include "base/sort.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- from a scene ---------------------------------------------------------------------------- */

typedef struct {
	mw_ctx *cx;
	mw_hmap *h;
	const mw_scene *s;
	bool too_large;
} out_work;

/* No negative zeros, and what float32 cannot hold is told. */
static float f32(out_work *w, double v)
{
	if (!(fabs(v) <= (double)FLT_MAX)) {
		w->too_large = true;
		return 0;
	}
	return (float)mw_single(v);
}

static void f32v(out_work *w, float *out, const double *v, int n)
{
	for (int i = 0; i < n; i++)
		out[i] = f32(w, v[i]);
}

static const char *keep(out_work *w, const char *s)
{
	return mw_arena_strdup(&w->h->mem, s ? s : "", s ? strlen(s) : 0);
}

static mw_hmap_uv uv_of(out_work *w, const mw_texset *set)
{
	mw_hmap_uv uv;
	f32v(w, uv.offset, set->offset, 2);
	f32v(w, uv.scale, set->scale, 2);
	uv.rotation = f32(w, set->rotation);
	return uv;
}

static mw_code put_materials(out_work *w)
{
	for (size_t i = 0; i < w->s->material.n; i++) {
		const mw_material *m = &w->s->material.v[i];
		mw_hmap_material out = {.name = keep(w, m->name),
			.texture = keep(w, m->texture),
			.flags = m->flags};
		f32v(w, out.tile, m->tile, 2);
		f32v(w, out.color, m->color, 3);
		if (!out.name || !out.texture || !MW_PUSH(w->cx, &w->h->material, out))
			return MW_ENOMEM;
	}
	return MW_OK;
}

static uint32_t owner_id(const mw_scene *s, uint32_t owner)
{
	return owner ? s->entity.v[owner - 1].id : 0;
}

/* The projection of a face that has texture axes, as offset, scale and rotation of its box. */
static mw_texset fit_axes(const out_work *w, const mw_face_info *f, mw_plane_id plane, bool *exact)
{
	mw_texset set;
	double tile[2];
	mw_plane p = mw_planes_get(w->s->planes, plane);
	*exact = mw_texmap_to_box(&f->map, p.n, p.d, 1e-6, &set);
	mw_scene_tile(w->s, f->material, tile);
	for (int i = 0; i < 2; i++)
		set.scale[i] /= tile[i];
	return set;
}

static mw_code put_brushes(out_work *w, mw_losses *losses)
{
	const mw_scene *s = w->s;
	uint32_t skewed = 0, surfaces = 0;
	for (size_t i = 0; i < s->brush.n; i++) {
		const mw_brush_info *info = &s->brush.v[i];
		const mw_brush *b = &s->brushes.brush.v[i];
		const mw_side *side = mw_brush_sides(&s->brushes, b);
		mw_hmap_brush out = {.id = info->id,
			.owner = owner_id(s, info->owner),
			.contents = b->contents,
			.flags = info->flags,
			.first = (uint32_t)w->h->face.n,
			.faces = b->count};
		for (uint32_t k = 0; k < b->count; k++) {
			mw_face_info none = mw_face_default();
			const mw_face_info *f =
				side[k].tag == MW_TAG_NONE ? &none : &s->face.v[side[k].tag];
			mw_hmap_face face = {.material = f->material, .flags = f->flags};
			bool exact = true;
			mw_texset set = f->project == MW_PROJECT_AXES
				? fit_axes(w, f, side[k].plane, &exact)
				: f->set;
			skewed += !exact;
			surfaces += f->has_surface;
			mw_scene_plane_f32(s, &side[k], face.plane);
			for (int a = 0; a < 4; a++)
				if (!isfinite(face.plane[a]))
					w->too_large = true;
			face.uv = uv_of(w, &set);
			if (!MW_PUSH(w->cx, &w->h->face, face))
				return MW_ENOMEM;
		}
		if (!MW_PUSH(w->cx, &w->h->brush, out))
			return MW_ENOMEM;
	}
	mw_code rc = mw_loss_add(w->cx, losses, "face with skewed texture axes",
		"faces with skewed texture axes", skewed);
	return rc ? rc : mw_loss_add(w->cx, losses, "surface word", "surface words", surfaces);
}

static mw_code put_meshes(out_work *w)
{
	for (size_t i = 0; i < w->s->mesh.n; i++) {
		const mw_scene_mesh *m = &w->s->mesh.v[i];
		mw_hmap_mesh out = {.id = m->id,
			.owner = owner_id(w->s, m->owner),
			.flags = m->flags,
			.name = keep(w, m->name),
			.first_vertex = (uint32_t)w->h->vertex.n,
			.vertices = (uint32_t)m->vertex.n,
			.first_poly = (uint32_t)w->h->poly.n,
			.polys = (uint32_t)m->poly.n};
		for (size_t k = 0; k < m->vertex.n; k++) {
			mw_level_point p;
			f32v(w, p.v, m->vertex.v[k].v, 3);
			if (!MW_PUSH(w->cx, &w->h->vertex, p))
				return MW_ENOMEM;
		}
		for (size_t k = 0; k < m->poly.n; k++) {
			const mw_scene_poly *p = &m->poly.v[k];
			mw_hmap_poly poly = {.material = p->material,
				.smooth = p->smooth,
				.uv = uv_of(w, &p->set),
				.first = (uint32_t)w->h->index.n,
				.indices = p->count,
				.first_uv = (uint32_t)w->h->uv.n,
				.uvs = p->has_uv ? p->count : 0};
			for (uint32_t c = 0; c < p->count; c++) {
				struct mw_hmap_point2 uv;
				f32v(w, uv.v, m->uv.v[p->first + c].v, 2);
				if (!MW_PUSH(w->cx, &w->h->index, m->index.v[p->first + c]) ||
					(p->has_uv && !MW_PUSH(w->cx, &w->h->uv, uv)))
					return MW_ENOMEM;
			}
			if (!MW_PUSH(w->cx, &w->h->poly, poly))
				return MW_ENOMEM;
		}
		if (!out.name || !MW_PUSH(w->cx, &w->h->mesh, out))
			return MW_ENOMEM;
	}
	return MW_OK;
}

static mw_code put_entities(out_work *w)
{
	for (size_t i = 0; i < w->s->entity.n; i++) {
		const mw_entity *e = &w->s->entity.v[i];
		mw_hmap_entity out = {.id = e->id,
			.flags = e->flags,
			.classname = keep(w, e->classname),
			.first = (uint32_t)w->h->pair.n,
			.pairs = (uint32_t)e->keys.n};
		f32v(w, out.origin, e->origin.v, 3);
		f32v(w, out.angles, e->angles.v, 3);
		f32v(w, out.scale, e->scale.v, 3);
		for (size_t k = 0; k < e->keys.n; k++) {
			mw_pair p = {keep(w, e->keys.v[k].key), keep(w, e->keys.v[k].value)};
			if (!p.key || !p.value || !MW_PUSH(w->cx, &w->h->pair, p))
				return MW_ENOMEM;
		}
		if (!out.classname || !MW_PUSH(w->cx, &w->h->entity, out))
			return MW_ENOMEM;
	}
	return MW_OK;
}

mw_code mw_hmap_from_scene(mw_ctx *cx, mw_hmap *out, mw_scene *s, mw_losses *losses)
{
	static const uint32_t tags[] = {
		MW_HMAP_META, MW_HMAP_MATS, MW_HMAP_BRSH, MW_HMAP_MESH, MW_HMAP_ENTS};
	out_work w = {cx, out, s, false};
	mw_code rc = mw_scene_number(cx, s);
	if (rc)
		return rc;
	out->flags = MW_HMAP_FLAG_SOURCE;
	out->name = keep(&w, s->name);
	f32v(&w, out->ambient, s->ambient, 3);
	out->grid = f32(&w, s->grid);
	out->units_per_metre = f32(&w, s->units_per_metre);
	out->next_id = s->next_id;
	if (!out->name)
		return MW_ENOMEM;
	rc = put_materials(&w);
	rc = rc ? rc : put_brushes(&w, losses);
	rc = rc ? rc : put_meshes(&w);
	rc = rc ? rc : put_entities(&w);
	for (size_t i = 0; i < MW_COUNTOF(tags) && !rc; i++)
		if (!MW_PUSH(cx, &out->chunk, ((mw_hmap_chunk){.tag = tags[i], .known = true})))
			rc = MW_ENOMEM;
	if (!rc && w.too_large)
		rc = mw_fail(cx, MW_ERANGE, "a number of the level is too large for float32");
	uint32_t groups = (uint32_t)s->group.n;
	return rc ? rc : mw_loss_add(cx, losses, "group", "groups", groups);
}

/* ---- to a scene ------------------------------------------------------------------------------ */

typedef struct {
	uint32_t id, index;
} id_row;

static int by_id(const void *a, const void *b, void *ud)
{
	const id_row *x = a, *y = b;
	MW_UNUSED(ud);
	return x->id < y->id ? -1 : x->id > y->id;
}

typedef struct {
	mw_ctx *cx;
	const mw_hmap *h;
	mw_scene *s;
	id_row *ids; /* of entities, sorted */
} in_work;

/* Index + 1 of the entity of that id; 0 when there is none. */
static uint32_t owner_of(const in_work *w, uint32_t id)
{
	size_t lo = 0, hi = w->h->entity.n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (w->ids[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return id && lo < w->h->entity.n && w->ids[lo].id == id ? w->ids[lo].index + 1 : 0;
}

static const char *take(in_work *w, const char *s)
{
	return mw_scene_text(w->s, s, strlen(s));
}

static mw_texset set_of(const mw_hmap_uv *uv)
{
	mw_texset s = {{(double)uv->offset[0], (double)uv->offset[1]},
		{(double)uv->scale[0], (double)uv->scale[1]}, (double)uv->rotation};
	return s;
}

static mw_vec3 vec_of(const float v[3])
{
	return mw_v3((double)v[0], (double)v[1], (double)v[2]);
}

static void see_id(in_work *w, uint32_t id)
{
	if (id >= w->s->next_id)
		w->s->next_id = id < UINT32_MAX ? id + 1 : UINT32_MAX;
}

static int32_t material_of(const in_work *w, int32_t material)
{
	return material >= 0 && (size_t)material < w->h->material.n ? material : -1;
}

static mw_code take_materials(in_work *w)
{
	for (size_t i = 0; i < w->h->material.n; i++) {
		const mw_hmap_material *m = &w->h->material.v[i];
		int32_t at;
		mw_code rc = mw_scene_add_material(w->cx, w->s, m->name, &at);
		if (rc)
			return rc;
		mw_material *out = &w->s->material.v[at];
		for (int k = 0; k < 2; k++)
			out->tile[k] = (double)m->tile[k];
		for (int k = 0; k < 3; k++)
			out->color[k] = (double)m->color[k];
		out->flags = m->flags;
		if (!(out->texture = take(w, m->texture)))
			return MW_ENOMEM;
	}
	return MW_OK;
}

static mw_code take_entities(in_work *w)
{
	for (size_t i = 0; i < w->h->entity.n; i++) {
		const mw_hmap_entity *e = &w->h->entity.v[i];
		mw_entity out = mw_entity_default();
		uint32_t at;
		out.id = e->id;
		out.flags = e->flags;
		out.origin = vec_of(e->origin);
		out.angles = vec_of(e->angles);
		out.scale = vec_of(e->scale);
		out.classname = take(w, e->classname);
		mw_code rc =
			out.classname ? mw_scene_add_entity(w->cx, w->s, &out, &at) : MW_ENOMEM;
		for (uint32_t k = 0; k < e->pairs && !rc; k++) {
			const char *key = take(w, w->h->pair.v[e->first + k].key);
			const char *value = take(w, w->h->pair.v[e->first + k].value);
			rc = key && value
				? mw_pairs_add(w->cx, &w->s->entity.v[at].keys, key, value)
				: MW_ENOMEM;
		}
		if (rc)
			return rc;
		see_id(w, e->id);
	}
	return MW_OK;
}

static mw_code take_brushes(in_work *w)
{
	MW_ARRAY(mw_side) side = {0};
	mw_code rc = MW_OK;
	for (size_t i = 0; i < w->h->brush.n && !rc; i++) {
		const mw_hmap_brush *b = &w->h->brush.v[i];
		mw_brush_info info = {
			.id = b->id, .owner = owner_of(w, b->owner), .flags = b->flags};
		side.n = 0;
		for (uint32_t k = 0; k < b->faces && !rc; k++) {
			const mw_hmap_face *f = &w->h->face.v[b->first + k];
			mw_face_info face = mw_face_default();
			mw_side one;
			face.material = material_of(w, f->material);
			face.flags = f->flags;
			face.set = set_of(&f->uv);
			memcpy(face.noted, f->plane, sizeof face.noted);
			rc = mw_scene_add_face(w->cx, w->s, &face, &one.tag);
			rc = rc ? rc
				: mw_planes_add(w->cx, w->s->planes, &one.plane, vec_of(f->plane),
					  (double)f->plane[3]);
			if (!rc && !MW_PUSH(w->cx, &side, one))
				rc = MW_ENOMEM;
		}
		if (!rc)
			rc = mw_scene_add_brush(
				w->cx, w->s, side.v, (uint32_t)side.n, b->contents, &info, NULL);
		see_id(w, b->id);
	}
	mw_free(w->cx, side.v);
	return rc;
}

static mw_code take_meshes(in_work *w)
{
	MW_ARRAY(mw_vec2) uv = {0};
	mw_code rc = MW_OK;
	for (size_t i = 0; i < w->h->mesh.n && !rc; i++) {
		const mw_hmap_mesh *m = &w->h->mesh.v[i];
		uint32_t at;
		if ((rc = mw_scene_add_mesh(w->cx, w->s, m->name, &at)))
			break;
		mw_scene_mesh *out = &w->s->mesh.v[at];
		out->id = m->id;
		out->owner = owner_of(w, m->owner);
		out->flags = m->flags;
		for (uint32_t k = 0; k < m->vertices && !rc; k++)
			rc = mw_scene_mesh_vertex(
				w->cx, out, vec_of(w->h->vertex.v[m->first_vertex + k].v));
		for (uint32_t k = 0; k < m->polys && !rc; k++) {
			const mw_hmap_poly *p = &w->h->poly.v[m->first_poly + k];
			mw_texset set = set_of(&p->uv);
			uv.n = 0;
			for (uint32_t c = 0; c < p->uvs && !rc; c++) {
				const float *v = w->h->uv.v[p->first_uv + c].v;
				if (!MW_PUSH(w->cx, &uv, mw_v2((double)v[0], (double)v[1])))
					rc = MW_ENOMEM;
			}
			if (!rc)
				rc = mw_scene_mesh_poly(w->cx, out, w->h->index.v + p->first,
					p->uvs ? uv.v : NULL, p->indices,
					material_of(w, p->material), p->smooth, &set);
		}
		see_id(w, m->id);
	}
	mw_free(w->cx, uv.v);
	return rc;
}

mw_code mw_hmap_to_scene(mw_ctx *cx, mw_scene *out, const mw_hmap *h)
{
	in_work w = {.cx = cx, .h = h, .s = out};
	out->next_id = h->next_id ? h->next_id : 1;
	for (int i = 0; i < 3; i++)
		out->ambient[i] = (double)h->ambient[i];
	out->grid = (double)h->grid;
	out->units_per_metre = h->units_per_metre > 0 ? (double)h->units_per_metre : 1;
	w.ids = mw_alloc_n(cx, h->entity.n + 1, sizeof *w.ids);
	out->name = take(&w, h->name);
	if (!w.ids || !out->name) {
		mw_free(cx, w.ids);
		return MW_ENOMEM;
	}
	for (size_t i = 0; i < h->entity.n; i++)
		w.ids[i] = (id_row){h->entity.v[i].id, (uint32_t)i};
	mw_code rc = mw_sort(cx, w.ids, h->entity.n, sizeof *w.ids, by_id, NULL);
	rc = rc ? rc : take_materials(&w);
	rc = rc ? rc : take_entities(&w);
	rc = rc ? rc : take_brushes(&w);
	rc = rc ? rc : take_meshes(&w);
	mw_free(cx, w.ids);
	return rc;
}

/* ---- compiling ------------------------------------------------------------------------------- */

mw_code mw_hmap_compile(mw_ctx *cx, mw_hmap *h, const mw_level_options *o, mw_level_notes *notes)
{
	mw_scene s;
	if (!mw_hmap_has(h, MW_HMAP_BRSH) && !mw_hmap_has(h, MW_HMAP_MESH) &&
		mw_hmap_has(h, MW_HMAP_CMPL))
		return mw_fail(cx, MW_EINVALID,
			"the file holds compiled data only: there is no source to compile");
	mw_code rc = mw_scene_init(cx, &s, NULL);
	rc = rc ? rc : mw_hmap_to_scene(cx, &s, h);
	if (!rc) {
		mw_level_free(cx, &h->level);
		rc = mw_level_compile(cx, &h->level, &s, o, notes);
		if (rc)
			h->level.root = -1;
	}
	if (!rc && !mw_hmap_has(h, MW_HMAP_CMPL) &&
		!MW_PUSH(cx, &h->chunk, ((mw_hmap_chunk){.tag = MW_HMAP_CMPL, .known = true})))
		rc = MW_ENOMEM;
	if (!rc)
		h->flags |= MW_HMAP_FLAG_COMPILED;
	mw_scene_free(cx, &s);
	return rc;
}

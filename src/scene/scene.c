#include "scene/scene.h"

#include "base/mem.h"
#include "base/sort.h"

#include <string.h>

mw_code mw_scene_init(mw_ctx *cx, mw_scene *s, mw_planes *shared)
{
	memset(s, 0, sizeof *s);
	mw_arena_init(&s->mem, cx);
	s->name = "";
	s->grid = 1;
	s->units_per_metre = 1;
	s->next_id = 1;
	s->planes = shared ? shared : &s->own_planes;
	return shared ? MW_OK : mw_planes_init(cx, &s->own_planes);
}

void mw_scene_free(mw_ctx *cx, mw_scene *s)
{
	for (size_t i = 0; i < s->mesh.n; i++) {
		mw_free(cx, s->mesh.v[i].vertex.v);
		mw_free(cx, s->mesh.v[i].poly.v);
		mw_free(cx, s->mesh.v[i].index.v);
		mw_free(cx, s->mesh.v[i].uv.v);
	}
	for (size_t i = 0; i < s->entity.n; i++)
		mw_pairs_free(cx, &s->entity.v[i].keys);
	for (size_t i = 0; i < s->group.n; i++)
		mw_pairs_free(cx, &s->group.v[i].keys);
	mw_free(cx, s->mesh.v);
	mw_free(cx, s->entity.v);
	mw_free(cx, s->group.v);
	mw_free(cx, s->material.v);
	mw_free(cx, s->face.v);
	mw_free(cx, s->point.v);
	mw_free(cx, s->brush.v);
	mw_brushes_free(cx, &s->brushes);
	mw_planes_free(cx, &s->own_planes);
	if (s->mem.cx)
		mw_arena_free(&s->mem);
	memset(s, 0, sizeof *s);
}

const char *mw_scene_text(mw_scene *s, const char *p, size_t n)
{
	return mw_arena_strdup(&s->mem, p, n);
}

mw_code mw_scene_add_material(mw_ctx *cx, mw_scene *s, const char *name, int32_t *index)
{
	mw_material m = {.texture = "", .tile = {1, 1}, .color = {1, 1, 1}};
	m.name = mw_scene_text(s, name, strlen(name));
	if (!m.name)
		return MW_ENOMEM;
	*index = (int32_t)s->material.n;
	return MW_PUSH(cx, &s->material, m) ? MW_OK : MW_ENOMEM;
}

int32_t mw_scene_find_material(const mw_scene *s, mw_sv name)
{
	for (size_t i = 0; i < s->material.n; i++)
		if (mw_sv_eq(mw_sv_of(s->material.v[i].name), name))
			return (int32_t)i;
	return -1;
}

mw_face_info mw_face_default(void)
{
	mw_face_info f = {.material = -1, .set = {.scale = {1, 1}}};
	return f;
}

mw_code mw_scene_add_face(mw_ctx *cx, mw_scene *s, const mw_face_info *face, uint32_t *tag)
{
	*tag = (uint32_t)s->face.n;
	return MW_PUSH(cx, &s->face, *face) ? MW_OK : MW_ENOMEM;
}

mw_code mw_scene_add_brush(mw_ctx *cx, mw_scene *s, const mw_side *side, uint32_t n,
	uint32_t contents, const mw_brush_info *info, uint32_t *index)
{
	static const mw_brush_info none;
	uint32_t i = (uint32_t)s->brushes.brush.n;
	if (!MW_RESERVE(cx, &s->brush, (size_t)i + 1))
		return MW_ENOMEM;
	mw_code code = mw_brushes_add(cx, &s->brushes, side, n, contents, i);
	if (code)
		return code;
	s->brush.v[s->brush.n++] = info ? *info : none;
	if (index)
		*index = i;
	return MW_OK;
}

mw_entity mw_entity_default(void)
{
	mw_entity e = {.classname = ""};
	e.scale = mw_v3(1, 1, 1);
	return e;
}

mw_code mw_scene_add_entity(mw_ctx *cx, mw_scene *s, const mw_entity *e, uint32_t *index)
{
	*index = (uint32_t)s->entity.n;
	return MW_PUSH(cx, &s->entity, *e) ? MW_OK : MW_ENOMEM;
}

mw_code mw_scene_add_mesh(mw_ctx *cx, mw_scene *s, const char *name, uint32_t *index)
{
	mw_scene_mesh m = {.name = mw_scene_text(s, name, strlen(name))};
	if (!m.name)
		return MW_ENOMEM;
	*index = (uint32_t)s->mesh.n;
	return MW_PUSH(cx, &s->mesh, m) ? MW_OK : MW_ENOMEM;
}

mw_code mw_scene_mesh_vertex(mw_ctx *cx, mw_scene_mesh *m, mw_vec3 p)
{
	return MW_PUSH(cx, &m->vertex, p) ? MW_OK : MW_ENOMEM;
}

mw_code mw_scene_mesh_poly(mw_ctx *cx, mw_scene_mesh *m, const uint32_t *index, const mw_vec2 *uv,
	uint32_t n, int32_t material, uint32_t smooth, const mw_texset *set)
{
	mw_scene_poly p = {.first = (uint32_t)m->index.n,
		.count = n,
		.material = material,
		.smooth = smooth,
		.has_uv = uv != NULL,
		.set = {.scale = {1, 1}}};
	if (set)
		p.set = *set;
	if (!MW_RESERVE(cx, &m->index, m->index.n + n) || !MW_RESERVE(cx, &m->uv, m->uv.n + n) ||
		!MW_PUSH(cx, &m->poly, p))
		return MW_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		m->index.v[m->index.n++] = index[i];
		m->uv.v[m->uv.n++] = uv ? uv[i] : mw_v2(0, 0);
	}
	return MW_OK;
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* The id of the i-th object: entities, brushes, meshes. */
static uint32_t *id_of(mw_scene *s, size_t i)
{
	if (i < s->entity.n)
		return &s->entity.v[i].id;
	i -= s->entity.n;
	if (i < s->brush.n)
		return &s->brush.v[i].id;
	return &s->mesh.v[i - s->brush.n].id;
}

static int by_number(const void *a, const void *b, void *ud)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	MW_UNUSED(ud);
	return x < y ? -1 : x > y;
}

/* Ids from the gaps between those in use, the smallest first. */
static mw_code number_in_gaps(mw_ctx *cx, mw_scene *s, size_t objects)
{
	uint32_t *used = mw_alloc_n(cx, objects, sizeof *used), next = 1;
	size_t n = 0, at = 0;
	mw_code code;

	if (!used)
		return MW_ENOMEM;
	for (size_t i = 0; i < objects; i++)
		if (*id_of(s, i))
			used[n++] = *id_of(s, i);
	code = mw_sort(cx, used, n, sizeof *used, by_number, NULL);
	for (size_t i = 0; i < objects && !code; i++) {
		if (*id_of(s, i))
			continue;
		for (; at < n && used[at] <= next; at++)
			next += used[at] == next;
		*id_of(s, i) = next++;
	}
	mw_free(cx, used);
	return code;
}

mw_code mw_scene_number(mw_ctx *cx, mw_scene *s)
{
	size_t objects = s->entity.n + s->brush.n + s->mesh.n, missing = 0;

	for (size_t i = 0; i < objects; i++)
		missing += *id_of(s, i) == 0;
	if (missing > UINT32_MAX - s->next_id) {
		s->next_id = UINT32_MAX;
		return number_in_gaps(cx, s, objects);
	}
	for (size_t i = 0; i < objects && missing; i++)
		if (*id_of(s, i) == 0)
			*id_of(s, i) = s->next_id++;
	return MW_OK;
}

void mw_scene_tile(const mw_scene *s, int32_t material, double tile[2])
{
	tile[0] = tile[1] = 1;
	if (material < 0 || (size_t)material >= s->material.n)
		return;
	for (int i = 0; i < 2; i++)
		if (s->material.v[material].tile[i] > 0)
			tile[i] = s->material.v[material].tile[i];
}

mw_texmap mw_scene_texmap(const mw_scene *s, uint32_t tag, mw_vec3 normal)
{
	mw_face_info none = mw_face_default();
	const mw_face_info *f = tag == MW_TAG_NONE ? &none : &s->face.v[tag];
	if (f->project == MW_PROJECT_AXES)
		return f->map;
	mw_texset set = f->set;
	double tile[2];
	mw_scene_tile(s, f->material, tile);
	for (int i = 0; i < 2; i++)
		set.scale[i] = tile[i] * (set.scale[i] != 0 ? set.scale[i] : 1);
	return mw_texmap_box(normal, &set);
}

void mw_scene_plane_f32(const mw_scene *s, const mw_side *side, float out[4])
{
	if (side->tag != MW_TAG_NONE) {
		const float *q = s->face.v[side->tag].noted;
		if (q[0] != 0 || q[1] != 0 || q[2] != 0) {
			mw_plane_id id = mw_planes_find(s->planes,
				mw_v3((double)q[0], (double)q[1], (double)q[2]), (double)q[3]);
			if (id == side->plane || id == (side->plane ^ 1)) {
				float sign = id == side->plane ? 1.0f : -1.0f;
				for (int i = 0; i < 4; i++)
					out[i] = sign < 0 ? 0.0f - q[i] : q[i];
				return;
			}
		}
	}
	mw_plane p = mw_planes_get(s->planes, side->plane);
	for (int i = 0; i < 3; i++)
		out[i] = (float)mw_single(p.n.v[i]);
	out[3] = (float)mw_single(p.d);
}

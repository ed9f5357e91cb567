#include "scene/scene_check.h"

#include "base/sort.h"
#include "geom/mesh.h"

#include <stdarg.h>
#include <string.h>

static mw_code put(mw_ctx *cx, mw_scene_findings *found, bool error, const char *rule,
	mw_object kind, uint32_t index, const char *at, const char *fmt, ...) MW_PRINTF(8, 9);

static mw_code put(mw_ctx *cx, mw_scene_findings *found, bool error, const char *rule,
	mw_object kind, uint32_t index, const char *at, const char *fmt, ...)
{
	mw_scene_finding f = {.error = error, .rule = rule, .kind = kind, .index = index, .at = at};
	va_list ap;
	va_start(ap, fmt);
	(void)mw_vformat(f.msg, sizeof f.msg, fmt, ap);
	va_end(ap);
	return MW_PUSH(cx, found, f) ? MW_OK : MW_ENOMEM;
}

static double thinnest(const mw_solid *s, const mw_planes *t)
{
	/* the least extent along the normal of a face is the least of all */
	double least = HUGE_VAL;
	for (uint32_t i = 0; i < s->n; i++) {
		mw_plane p = mw_planes_get(t, s->face[i].plane);
		double deep = 0;
		for (uint32_t k = 0; k < s->n; k++)
			for (uint32_t c = 0; c < s->face[k].n; c++) {
				double d = p.d - mw_dot3(p.n, s->face[k].v[c].at);
				deep = d > deep ? d : deep;
			}
		least = deep < least ? deep : least;
	}
	return least;
}

static mw_code check_brush(
	mw_ctx *cx, mw_arena *arena, const mw_scene *s, uint32_t i, mw_scene_findings *found)
{
	const mw_brush *b = &s->brushes.brush.v[i];
	const mw_side *side = mw_brush_sides(&s->brushes, b);
	const char *at = s->brush.v[i].at;
	mw_solid solid;
	mw_closure how;
	mw_code rc = mw_solid_make(arena, s->planes, side, b->count, &solid, &how);
	if (rc)
		return rc;
	if (how == MW_OPEN)
		return put(cx, found, true, "brush-open", MW_OBJECT_BRUSH, i, at,
			"brush %u: its planes do not close", (unsigned)i + 1);
	if (how == MW_EMPTY)
		return put(cx, found, true, "brush-empty", MW_OBJECT_BRUSH, i, at,
			"brush %u: its planes leave no inside", (unsigned)i + 1);
	double thin = thinnest(&solid, s->planes);
	if (thin < s->units_per_metre / 512)
		rc = put(cx, found, false, "brush-micro", MW_OBJECT_BRUSH, i, at,
			"brush %u: it is %.3g thick", (unsigned)i + 1, thin);
	for (uint32_t k = 1; k < b->count && !rc; k++)
		for (uint32_t j = 0; j < k; j++)
			if (side[j].plane == side[k].plane) {
				rc = put(cx, found, false, "brush-plane-twice", MW_OBJECT_BRUSH, i,
					at, "brush %u: sides %u and %u are the same plane",
					(unsigned)i + 1, (unsigned)j + 1, (unsigned)k + 1);
				break;
			}
	return rc;
}

static mw_code check_entities(mw_ctx *cx, const mw_scene *s, mw_scene_findings *found)
{
	mw_code rc = MW_OK;
	for (uint32_t i = 0; i < s->entity.n && !rc; i++) {
		const mw_entity *e = &s->entity.v[i];
		if (!e->classname[0])
			rc = put(cx, found, true, "entity-class", MW_OBJECT_ENTITY, i, e->at,
				"entity %u has no class", (unsigned)i + 1);
		if (!rc &&
			(!mw_finite3(e->origin) || !mw_finite3(e->angles) || !mw_finite3(e->scale)))
			rc = put(cx, found, true, "number", MW_OBJECT_ENTITY, i, e->at,
				"entity %u (%.60s): its place is not a finite number",
				(unsigned)i + 1, e->classname);
	}
	return rc;
}

static mw_code check_mesh(mw_ctx *cx, const mw_scene *s, uint32_t i, mw_scene_findings *found)
{
	const mw_scene_mesh *m = &s->mesh.v[i];
	mw_code rc = MW_OK;
	for (size_t k = 0; k < m->vertex.n; k++)
		if (!mw_finite3(m->vertex.v[k]))
			return put(cx, found, true, "number", MW_OBJECT_MESH, i, m->at,
				"mesh %u (%.60s): vertex %u is not a finite number",
				(unsigned)i + 1, m->name, (unsigned)k + 1);
	for (size_t k = 0; k < m->poly.n && !rc; k++) {
		const mw_scene_poly *p = &m->poly.v[k];
		mw_vec3 sum = mw_v3(0, 0, 0), a = m->vertex.v[m->index.v[p->first]];
		for (uint32_t c = 1; c + 1 < p->count; c++)
			sum = mw_add3(sum,
				mw_cross3(mw_sub3(m->vertex.v[m->index.v[p->first + c]], a),
					mw_sub3(m->vertex.v[m->index.v[p->first + c + 1]], a)));
		if (!(mw_len3(sum) > 0))
			rc = put(cx, found, false, "mesh-polygon", MW_OBJECT_MESH, i, m->at,
				"mesh %u (%.60s): polygon %u has no area", (unsigned)i + 1, m->name,
				(unsigned)k + 1);
	}
	return rc;
}

typedef struct {
	uint32_t id, index;
	mw_object kind;
	const char *at;
} id_use;

static int by_id(const void *a, const void *b, void *ud)
{
	const id_use *x = a, *y = b;
	MW_UNUSED(ud);
	return x->id < y->id ? -1 : x->id > y->id;
}

static mw_code check_ids(mw_ctx *cx, const mw_scene *s, mw_scene_findings *found)
{
	static const char *const words[] = {"brush", "mesh", "entity"};
	MW_ARRAY(id_use) use = {0};
	mw_code rc = MW_OK;
	if (!MW_RESERVE(cx, &use, s->brush.n + s->mesh.n + s->entity.n))
		return MW_ENOMEM;
	for (uint32_t i = 0; i < s->entity.n; i++)
		use.v[use.n++] =
			(id_use){s->entity.v[i].id, i, MW_OBJECT_ENTITY, s->entity.v[i].at};
	for (uint32_t i = 0; i < s->brush.n; i++)
		use.v[use.n++] = (id_use){s->brush.v[i].id, i, MW_OBJECT_BRUSH, s->brush.v[i].at};
	for (uint32_t i = 0; i < s->mesh.n; i++)
		use.v[use.n++] = (id_use){s->mesh.v[i].id, i, MW_OBJECT_MESH, s->mesh.v[i].at};
	rc = mw_sort(cx, use.v, use.n, sizeof *use.v, by_id, NULL);
	for (size_t i = 1; i < use.n && !rc; i++)
		if (use.v[i].id && use.v[i].id == use.v[i - 1].id)
			rc = put(cx, found, true, "id-repeated", use.v[i].kind, use.v[i].index,
				use.v[i].at, "%s %u has the id %u of %s %u", words[use.v[i].kind],
				(unsigned)use.v[i].index + 1, (unsigned)use.v[i].id,
				words[use.v[i - 1].kind], (unsigned)use.v[i - 1].index + 1);
	mw_free(cx, use.v);
	return rc;
}

mw_code mw_scene_check(mw_ctx *cx, const mw_scene *s, mw_scene_findings *found)
{
	mw_arena arena;
	mw_arena_init(&arena, cx);
	mw_code rc = MW_OK;
	for (uint32_t i = 0; i < s->brush.n && !rc; i++) {
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		rc = check_brush(cx, &arena, s, i, found);
		mw_arena_reset(&arena, mark);
	}
	mw_arena_free(&arena);
	for (uint32_t i = 0; i < s->mesh.n && !rc; i++)
		rc = check_mesh(cx, s, i, found);
	rc = rc ? rc : check_entities(cx, s, found);
	rc = rc ? rc : check_ids(cx, s, found);
	for (uint32_t i = 1; i < s->material.n && !rc; i++) {
		const char *name = s->material.v[i].name;
		int32_t first = mw_scene_find_material(s, mw_sv_of(name));
		if (first != (int32_t)i)
			rc = put(cx, found, false, "material-repeated", MW_OBJECT_MATERIAL, i, NULL,
				"materials %u and %u are both called '%.60s'", (unsigned)first + 1,
				(unsigned)i + 1, name);
	}
	return rc;
}

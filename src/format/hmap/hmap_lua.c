/* core.hmap: .hmap files as Lua sees them. */
#include "bind/lx.h"
#include "bind/modules.h"
#include "format/hmap/hmap.h"

#include <string.h>

static void free_hmap(mw_ctx *cx, void *payload)
{
	mw_hmap_free(cx, payload);
}

static void free_findings(mw_ctx *cx, void *payload)
{
	mw_hmap_findings *f = payload;

	mw_free(cx, f->v);
	memset(f, 0, sizeof *f);
}

static void free_losses(mw_ctx *cx, void *payload)
{
	mw_losses *l = payload;

	mw_free(cx, l->v);
	memset(l, 0, sizeof *l);
}

static void free_writer(mw_ctx *cx, void *payload)
{
	mw_wr *w = payload;

	MW_UNUSED(cx);
	if (w->cx)
		mw_wr_free(w);
}

static void free_query(mw_ctx *cx, void *payload)
{
	mw_level_query_free(cx, payload);
}

const mw_lx_type mw_lx_hmap_type = {"mapwright.core.hmap", free_hmap};
static const mw_lx_type findings_type = {"mapwright.core.hmap.findings", free_findings};
static const mw_lx_type losses_type = {"mapwright.core.losses", free_losses};
static const mw_lx_type writer_type = {"mapwright.core.hmap.writer", free_writer};
static const mw_lx_type query_type = {"mapwright.core.query", free_query};

static mw_hmap *new_hmap(lua_State *L)
{
	mw_hmap *h = mw_lx_new(L, &mw_lx_hmap_type, sizeof *h);

	mw_hmap_init(h, mw_lx_ctx(L));
	return h;
}

static mw_hmap *arg_hmap(lua_State *L)
{
	return mw_lx_arg(L, 1, &mw_lx_hmap_type);
}

static void set_text(lua_State *L, const char *key, const char *text)
{
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

static void set_int(lua_State *L, const char *key, int64_t v)
{
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

static void set_num(lua_State *L, const char *key, double v)
{
	lua_pushnumber(L, v);
	lua_setfield(L, -2, key);
}

static void set_floats(lua_State *L, const char *key, const float *v, int n)
{
	lua_createtable(L, n, 0);
	for (int i = 0; i < n; i++) {
		lua_pushnumber(L, (double)v[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, key);
}

static void push_tag(lua_State *L, uint32_t tag)
{
	char text[4];

	for (int i = 0; i < 4; i++)
		text[i] = (char)(tag >> (8 * i) & 0xff);
	lua_pushlstring(L, text, 4);
}

static void set_index(lua_State *L, const char *key, uint32_t v)
{
	if (v != MW_HMAP_NONE)
		set_int(L, key, v);
}

static void push_findings(lua_State *L, const mw_hmap_findings *found)
{
	static const char *const levels[] = {"info", "warning", "error"};

	lua_createtable(L, (int)found->n, 0);
	for (size_t i = 0; i < found->n; i++) {
		const mw_hmap_finding *f = &found->v[i];

		lua_createtable(L, 0, 9);
		set_text(L, "level", levels[f->level]);
		set_text(L, "rule", f->rule);
		set_text(L, "message", f->msg);
		if (f->offset != MW_ERR_NOWHERE)
			set_int(L, "offset", f->offset);
		set_index(L, "entity", f->entity);
		set_index(L, "brush", f->brush);
		set_index(L, "mesh", f->mesh);
		set_index(L, "face", f->face);
		if (f->has_at) {
			lua_createtable(L, 3, 0);
			for (int a = 0; a < 3; a++) {
				lua_pushnumber(L, f->at.v[a]);
				lua_rawseti(L, -2, a + 1);
			}
			lua_setfield(L, -2, "at");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* read(bytes, label, strict) -> hmap, findings; strict raises the first fault */
static int l_read(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	const char *label = mw_lx_str(L, 2, "label").p;
	bool strict = mw_lx_bool(L, 3);
	mw_ctx *cx = mw_lx_ctx(L);
	mw_hmap *h = new_hmap(L);
	mw_hmap_findings *found = mw_lx_new(L, &findings_type, sizeof *found);

	if (mw_hmap_read(cx, h, strict ? NULL : found, (const uint8_t *)bytes.p, bytes.n)) {
		mw_note(cx, "%s", label);
		return mw_lx_raise(L);
	}
	push_findings(L, found);
	lua_remove(L, -2);
	return 2;
}

static void push_losses(lua_State *L, const mw_losses *l)
{
	lua_createtable(L, (int)l->n, 0);
	for (size_t i = 0; i < l->n; i++) {
		lua_createtable(L, 0, 3);
		set_text(L, "one", l->v[i].one);
		set_text(L, "many", l->v[i].many);
		set_int(L, "count", l->v[i].count);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* from_scene(scene) -> hmap, losses {one, many, count} */
static int l_from_scene(lua_State *L)
{
	mw_scene *s = mw_lx_arg(L, 1, &mw_lx_scene_type);
	mw_hmap *h = new_hmap(L);
	mw_losses *l = mw_lx_new(L, &losses_type, sizeof *l);

	mw_lx_check(L, mw_hmap_from_scene(mw_lx_ctx(L), h, s, l));
	push_losses(L, l);
	lua_remove(L, -2);
	return 2;
}

/* hmap:scene() -> scene */
static int l_scene(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	mw_scene *s = mw_lx_scene_new(L);

	mw_lx_check(L, mw_hmap_to_scene(mw_lx_ctx(L), s, h));
	return 1;
}

static bool opt_bool(lua_State *L, const char *key)
{
	lua_getfield(L, 2, key);
	bool v = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return v;
}

static double opt_num(lua_State *L, const char *key)
{
	double v = 0;

	if (lua_getfield(L, 2, key) != LUA_TNIL)
		v = mw_lx_num(L, -1, key);
	lua_pop(L, 1);
	return v;
}

/* hmap:compile{bevels?, keep_hidden?, skip_sky?, bake?, light_grid?, leaf_size?, max_depth?} ->
 * {open, empty, first_open?, first_empty?, cracks, bad_polys} */
static int l_compile(lua_State *L)
{
	static const char *const bevels[] = {"none", "axial", "edge"};
	mw_hmap *h = arg_hmap(L);
	mw_level_options o = mw_level_options_default();
	mw_level_notes notes;

	luaL_checktype(L, 2, LUA_TTABLE);
	if (lua_getfield(L, 2, "bevels") != LUA_TNIL)
		o.bevels = (mw_bevel)mw_lx_enum(L, -1, "bevels", bevels, 3);
	lua_pop(L, 1);
	o.keep_hidden = opt_bool(L, "keep_hidden");
	o.skip_sky = opt_bool(L, "skip_sky");
	o.bake = opt_bool(L, "bake");
	o.light_grid = opt_num(L, "light_grid");
	o.leaf_size = (uint32_t)opt_num(L, "leaf_size");
	o.max_depth = (uint32_t)opt_num(L, "max_depth");
	mw_lx_check(L, mw_hmap_compile(mw_lx_ctx(L), h, &o, &notes));
	lua_createtable(L, 0, 6);
	set_int(L, "open", notes.open);
	set_int(L, "empty", notes.empty);
	if (notes.open)
		set_int(L, "first_open", notes.first_open);
	if (notes.empty)
		set_int(L, "first_empty", notes.first_empty);
	set_int(L, "cracks", notes.cracks);
	set_int(L, "bad_polys", notes.bad_polys);
	return 1;
}

/* hmap:set_content("source" | "compiled" | "both") */
static int l_set_content(lua_State *L)
{
	static const char *const names[] = {"source", "compiled", "both"};
	mw_hmap *h = arg_hmap(L);

	mw_lx_check(L,
		mw_hmap_set_content(
			mw_lx_ctx(L), h, (mw_hmap_content)mw_lx_enum(L, 2, "content", names, 3)));
	return 0;
}

/* hmap:write() -> bytes */
static int l_write(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	mw_wr *w = mw_lx_new(L, &writer_type, sizeof *w);

	mw_wr_init(w, mw_lx_ctx(L));
	mw_lx_check(L, mw_hmap_write(mw_lx_ctx(L), w, h));
	lua_pushlstring(L, (const char *)w->p, w->n);
	free_writer(mw_lx_ctx(L), w);
	return 1;
}

/* ---- lint ------------------------------------------------------------------------------------ */

/* hmap:lint(micro, sliver, gap, grid, limit, weld) -> findings of the level and of what is compiled
 */
static int l_lint(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	mw_shape_limits o = {.micro = mw_lx_num(L, 2, "micro"),
		.sliver = mw_lx_num(L, 3, "sliver"),
		.gap = mw_lx_num(L, 4, "gap"),
		.grid = mw_lx_num(L, 5, "grid"),
		.limit = mw_lx_num(L, 6, "limit")};
	mw_hmap_findings *found = mw_lx_new(L, &findings_type, sizeof *found);

	mw_lx_check(L, mw_hmap_lint(mw_lx_ctx(L), h, &o, mw_lx_num(L, 7, "weld"), found));
	mw_lx_check(L, mw_hmap_lint_compiled(mw_lx_ctx(L), h, found));
	push_findings(L, found);
	return 1;
}

/* hmap:mend(distance, grid) -> how many faces and vertices were changed */
static int l_mend(lua_State *L)
{
	mw_hmap *h = arg_hmap(L);
	uint32_t count;

	mw_lx_check(L,
		mw_hmap_mend(mw_lx_ctx(L), h, mw_lx_num(L, 2, "distance"), mw_lx_num(L, 3, "grid"),
			&count));
	lua_pushinteger(L, count);
	return 1;
}

/* ---- looking --------------------------------------------------------------------------------- */

/* hmap:info() -> {bytes, version, flags, name, ambient, grid, units_per_metre, next_id, materials,
 * brushes, faces, meshes, polygons, entities, has_source, compiled} */
static int l_info(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);

	lua_createtable(L, 0, 16);
	set_int(L, "bytes", (int64_t)h->file_bytes);
	set_int(L, "version", h->version);
	set_int(L, "flags", h->flags);
	set_text(L, "name", h->name);
	set_floats(L, "ambient", h->ambient, 3);
	set_num(L, "grid", (double)h->grid);
	set_num(L, "units_per_metre", (double)h->units_per_metre);
	set_int(L, "next_id", h->next_id);
	set_int(L, "materials", (int64_t)h->material.n);
	set_int(L, "brushes", (int64_t)h->brush.n);
	set_int(L, "faces", (int64_t)h->face.n);
	set_int(L, "meshes", (int64_t)h->mesh.n);
	set_int(L, "polygons", (int64_t)h->poly.n);
	set_int(L, "entities", (int64_t)h->entity.n);
	lua_pushboolean(L, mw_hmap_has(h, MW_HMAP_BRSH) || mw_hmap_has(h, MW_HMAP_MESH));
	lua_setfield(L, -2, "has_source");
	lua_pushboolean(L, mw_hmap_has(h, MW_HMAP_CMPL));
	lua_setfield(L, -2, "compiled");
	return 1;
}

/* hmap:chunks() -> {tag, known, bytes?} rows; bytes: of unknown ones, or what follows a known one's
 * content */
static int l_chunks(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);

	lua_createtable(L, (int)h->chunk.n, 0);
	for (size_t i = 0; i < h->chunk.n; i++) {
		const mw_hmap_chunk *c = &h->chunk.v[i];

		lua_createtable(L, 0, 3);
		push_tag(L, c->tag);
		lua_setfield(L, -2, "tag");
		lua_pushboolean(L, c->known);
		lua_setfield(L, -2, "known");
		if (!c->known || c->n) {
			lua_pushlstring(L, (const char *)c->bytes, c->n);
			lua_setfield(L, -2, "bytes");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:materials() -> {name, texture, tile, color, flags} rows */
static int l_materials(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);

	lua_createtable(L, (int)h->material.n, 0);
	for (size_t i = 0; i < h->material.n; i++) {
		lua_createtable(L, 0, 5);
		set_text(L, "name", h->material.v[i].name);
		set_text(L, "texture", h->material.v[i].texture);
		set_floats(L, "tile", h->material.v[i].tile, 2);
		set_floats(L, "color", h->material.v[i].color, 3);
		set_int(L, "flags", h->material.v[i].flags);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static void set_uv(lua_State *L, const mw_hmap_uv *uv)
{
	float v[5] = {uv->offset[0], uv->offset[1], uv->scale[0], uv->scale[1], uv->rotation};

	set_floats(L, "uv", v, 5);
}

/* hmap:brush(i) -> {id, owner, contents, flags, faces = {{plane, material, uv, flags}}} [i: 1..] */
static int l_brush(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	const mw_hmap_brush *b = &h->brush.v[mw_lx_int(L, 2, "brush", 1, (int64_t)h->brush.n) - 1];

	lua_createtable(L, 0, 5);
	set_int(L, "id", b->id);
	set_int(L, "owner", b->owner);
	set_int(L, "contents", b->contents);
	set_int(L, "flags", b->flags);
	lua_createtable(L, (int)b->faces, 0);
	for (uint32_t k = 0; k < b->faces; k++) {
		const mw_hmap_face *f = &h->face.v[b->first + k];

		lua_createtable(L, 0, 4);
		set_floats(L, "plane", f->plane, 4);
		set_int(L, "material", f->material);
		set_uv(L, &f->uv);
		set_int(L, "flags", f->flags);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "faces");
	return 1;
}

/* hmap:mesh(i) -> {id, owner, flags, name, vertices = {{x, y, z}}, polys = {{material, smooth, uv,
 * indices (as stored), uvs?}}} */
static int l_mesh(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	const mw_hmap_mesh *m = &h->mesh.v[mw_lx_int(L, 2, "mesh", 1, (int64_t)h->mesh.n) - 1];

	lua_createtable(L, 0, 6);
	set_int(L, "id", m->id);
	set_int(L, "owner", m->owner);
	set_int(L, "flags", m->flags);
	set_text(L, "name", m->name);
	lua_createtable(L, (int)m->vertices, 0);
	for (uint32_t k = 0; k < m->vertices; k++) {
		lua_createtable(L, 3, 0);
		for (int a = 0; a < 3; a++) {
			lua_pushnumber(L, (double)h->vertex.v[m->first_vertex + k].v[a]);
			lua_rawseti(L, -2, a + 1);
		}
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "vertices");
	lua_createtable(L, (int)m->polys, 0);
	for (uint32_t k = 0; k < m->polys; k++) {
		const mw_hmap_poly *p = &h->poly.v[m->first_poly + k];

		lua_createtable(L, 0, 5);
		set_int(L, "material", p->material);
		set_int(L, "smooth", p->smooth);
		set_uv(L, &p->uv);
		lua_createtable(L, (int)p->indices, 0);
		for (uint32_t c = 0; c < p->indices; c++) {
			lua_pushinteger(L, h->index.v[p->first + c]);
			lua_rawseti(L, -2, (lua_Integer)c + 1);
		}
		lua_setfield(L, -2, "indices");
		if (p->uvs)
			set_floats(L, "uvs", h->uv.v[p->first_uv].v, (int)(2 * p->uvs));
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "polys");
	return 1;
}

/* hmap:entities() -> {id, flags, offset, classname, origin, angles, scale, keys = {{key, value}}}
 * rows */
static int l_entities(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);

	lua_createtable(L, (int)h->entity.n, 0);
	for (size_t i = 0; i < h->entity.n; i++) {
		const mw_hmap_entity *e = &h->entity.v[i];

		lua_createtable(L, 0, 8);
		set_int(L, "id", e->id);
		set_int(L, "flags", e->flags);
		set_int(L, "offset", (int64_t)e->offset);
		set_text(L, "classname", e->classname);
		set_floats(L, "origin", e->origin, 3);
		set_floats(L, "angles", e->angles, 3);
		set_floats(L, "scale", e->scale, 3);
		lua_createtable(L, (int)e->pairs, 0);
		for (uint32_t k = 0; k < e->pairs; k++) {
			lua_createtable(L, 2, 0);
			lua_pushstring(L, h->pair.v[e->first + k].key);
			lua_rawseti(L, -2, 1);
			lua_pushstring(L, h->pair.v[e->first + k].value);
			lua_rawseti(L, -2, 2);
			lua_rawseti(L, -2, (lua_Integer)k + 1);
		}
		lua_setfield(L, -2, "keys");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:level() -> {ambient, units_per_metre, baked, bounds, batches, vertices, triangles, models,
 * depth, nodes, leaves, planes, items, solids, hulls, lights}, all counts */
static int l_level(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;

	lua_createtable(L, 0, 16);
	set_floats(L, "ambient", l->ambient, 3);
	set_num(L, "units_per_metre", (double)l->units_per_metre);
	set_int(L, "baked", l->baked);
	set_floats(L, "bounds", l->box, 6);
	set_int(L, "batches", (int64_t)l->batch.n);
	set_int(L, "vertices", (int64_t)l->vertex.n);
	set_int(L, "triangles", (int64_t)l->index.n / 3);
	set_int(L, "models", (int64_t)l->model.n);
	set_int(L, "root", l->root);
	set_int(L, "depth", l->depth);
	set_floats(L, "tree_bounds", l->tree_box, 6);
	set_int(L, "nodes", (int64_t)l->node.n);
	set_int(L, "leaves", (int64_t)l->leaf.n);
	set_int(L, "planes", (int64_t)l->tree_plane.n);
	set_int(L, "items", (int64_t)l->item.n);
	set_int(L, "solids", l->tree_solids);
	set_int(L, "hulls", (int64_t)l->hull.n);
	set_int(L, "lights", (int64_t)l->light.n);
	return 1;
}

/* hmap:batch(i) -> {material, source, model, vertices = {{x, y, z, nx, ny, nz, u, v, rgba}},
 * indices} */
static int l_batch(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;
	const mw_level_batch *b = &l->batch.v[mw_lx_int(L, 2, "batch", 1, (int64_t)l->batch.n) - 1];

	lua_createtable(L, 0, 5);
	set_int(L, "material", b->material);
	set_int(L, "source", b->source);
	set_int(L, "model", b->model);
	lua_createtable(L, (int)b->vertices, 0);
	for (uint32_t k = 0; k < b->vertices; k++) {
		const mw_level_vertex *v = &l->vertex.v[b->first_vertex + k];

		lua_createtable(L, 9, 0);
		for (int a = 0; a < 8; a++) {
			lua_pushnumber(L,
				(double)(a < 3          ? v->pos[a]
						: a < 6 ? v->normal[a - 3]
							: v->uv[a - 6]));
			lua_rawseti(L, -2, a + 1);
		}
		lua_pushinteger(L, v->color);
		lua_rawseti(L, -2, 9);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "vertices");
	lua_createtable(L, (int)b->indices, 0);
	for (uint32_t k = 0; k < b->indices; k++) {
		lua_pushinteger(L, l->index.v[b->first_index + k]);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "indices");
	return 1;
}

/* hmap:models() -> {entity, bounds, solids} rows */
static int l_models(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;

	lua_createtable(L, (int)l->model.n, 0);
	for (size_t i = 0; i < l->model.n; i++) {
		lua_createtable(L, 0, 3);
		set_int(L, "entity", l->model.v[i].entity);
		set_floats(L, "bounds", l->model.v[i].box, 6);
		set_int(L, "solids", l->model.v[i].solids);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:node(i) -> plane {4}, front, back; hmap:leaf(i) -> list of solids (from 0) [i: 0.., as in
 * the file] */
static int l_node(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;
	const mw_level_node *n = &l->node.v[mw_lx_int(L, 2, "node", 0, (int64_t)l->node.n - 1)];

	lua_createtable(L, 0, 1);
	set_floats(L, "plane", l->tree_plane.v[n->plane].v, 4);
	lua_getfield(L, -1, "plane");
	lua_pushinteger(L, n->child[0]);
	lua_pushinteger(L, n->child[1]);
	return 3;
}

static int l_leaf(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;
	const mw_level_leaf *leaf = &l->leaf.v[mw_lx_int(L, 2, "leaf", 0, (int64_t)l->leaf.n - 1)];

	lua_createtable(L, (int)leaf->count, 0);
	for (uint32_t i = 0; i < leaf->count; i++) {
		lua_pushinteger(L, l->item.v[leaf->first + i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:solid(i) -> {contents, source, bounds, planes = {{n, d}}} of the tree's [i: 0..] */
static int l_solid(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;
	const mw_level_solid *s = &l->solid.v[l->first_tree_solid +
		mw_lx_int(L, 2, "solid", 0, (int64_t)l->tree_solids - 1)];

	lua_createtable(L, 0, 4);
	set_int(L, "contents", s->contents);
	set_int(L, "source", s->source);
	set_floats(L, "bounds", s->box, 6);
	lua_createtable(L, (int)s->planes, 0);
	for (uint32_t k = 0; k < s->planes; k++) {
		lua_createtable(L, 4, 0);
		for (int a = 0; a < 4; a++) {
			lua_pushnumber(L, (double)l->plane.v[s->first + k].v[a]);
			lua_rawseti(L, -2, a + 1);
		}
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "planes");
	return 1;
}

static void push_light(lua_State *L, const mw_level_light *x)
{
	static const char *const kinds[] = {"point", "spot", "sun"};

	lua_createtable(L, 0, 9);
	set_text(L, "kind", kinds[x->kind]);
	set_floats(L, "pos", x->pos, 3);
	set_floats(L, "dir", x->dir, 3);
	set_floats(L, "color", x->color, 3);
	set_num(L, "intensity", (double)x->intensity);
	set_num(L, "radius", (double)x->radius);
	set_num(L, "inner", (double)x->inner);
	set_num(L, "outer", (double)x->outer);
	set_int(L, "entity", x->entity);
}

/* hmap:lights() -> {kind, pos, dir, color, intensity, radius, inner, outer, entity} rows: of CMPL
 */
static int l_lights(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;

	lua_createtable(L, (int)l->light.n, 0);
	for (size_t i = 0; i < l->light.n; i++) {
		push_light(L, &l->light.v[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:entity_lights() -> as lights, but from the entities */
static int l_entity_lights(lua_State *L)
{
	mw_hmap *h = arg_hmap(L), *scratch = new_hmap(L);
	mw_scene *s = mw_lx_scene_new(L);

	mw_lx_check(L, mw_hmap_to_scene(mw_lx_ctx(L), s, h));
	mw_lx_check(L, mw_level_lights(mw_lx_ctx(L), &scratch->level, s));
	lua_createtable(L, (int)scratch->level.light.n, 0);
	for (size_t i = 0; i < scratch->level.light.n; i++) {
		push_light(L, &scratch->level.light.v[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:hulls() -> {object, bounds, points} rows; points are 9 numbers a triangle */
static int l_hulls(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;

	lua_createtable(L, (int)l->hull.n, 0);
	for (size_t i = 0; i < l->hull.n; i++) {
		const mw_level_hull *h = &l->hull.v[i];

		lua_createtable(L, 0, 3);
		set_int(L, "object", h->object);
		set_floats(L, "bounds", h->box, 6);
		lua_createtable(L, (int)h->points * 3, 0);
		for (uint32_t k = 0; k < 3 * h->points; k++) {
			lua_pushnumber(L, (double)l->point.v[h->first + k / 3].v[k % 3]);
			lua_rawseti(L, -2, (lua_Integer)k + 1);
		}
		lua_setfield(L, -2, "points");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* hmap:query() -> query over CMPL's tree, which lives on without the hmap */
static int l_query(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	mw_level_query *q = mw_lx_new(L, &query_type, sizeof *q);

	mw_lx_check(L, mw_level_query_init(mw_lx_ctx(L), q, &h->level));
	return 1;
}

static mw_vec3 arg_vec(lua_State *L, int idx, const char *name)
{
	return mw_v3(
		mw_lx_num(L, idx, name), mw_lx_num(L, idx + 1, name), mw_lx_num(L, idx + 2, name));
}

/* query:contents(x, y, z) -> bits, brushes tested, list of the solids (from 0) that hold it */
static int l_query_contents(lua_State *L)
{
	const mw_level_query *q = mw_lx_arg(L, 1, &query_type);
	mw_vec3 p = arg_vec(L, 2, "point");
	uint32_t tested;
	lua_Integer n = 0;

	lua_pushinteger(L, mw_level_contents(q, &p, &tested));
	lua_pushinteger(L, tested);
	lua_newtable(L);
	const mw_bsp_leaf *leaf = &q->bsp.leaf.v[mw_bsp_leaf_of(&q->planes, &q->bsp, &p)];
	for (uint32_t i = 0; i < leaf->count; i++) {
		uint32_t k = q->bsp.item.v[leaf->first + i];

		if (!mw_brush_contains(&q->planes, &q->brushes, k, &p))
			continue;
		lua_pushinteger(L, k);
		lua_rawseti(L, -2, ++n);
	}
	return 3;
}

/* query:sweep(from xyz, to xyz, half xyz, mask) -> t, solid (from 0), inside, nx, ny, nz; t alone
 * when nothing is hit, no normal when it starts inside */
static int l_query_sweep(lua_State *L)
{
	const mw_level_query *q = mw_lx_arg(L, 1, &query_type);
	mw_sweep s = {.from = arg_vec(L, 2, "from"),
		.to = arg_vec(L, 5, "to"),
		.half = arg_vec(L, 8, "half"),
		.mask = (uint32_t)mw_lx_int(L, 11, "mask", 0, UINT32_MAX)};
	mw_sweep_hit hit;
	bool any = mw_level_sweep(q, &s, &hit);

	lua_pushnumber(L, hit.t);
	if (!any)
		return 1;
	lua_pushinteger(L, hit.brush);
	lua_pushboolean(L, hit.inside);
	if (hit.inside)
		return 3;
	mw_plane p = mw_planes_get(&q->planes, hit.plane);
	for (int i = 0; i < 3; i++)
		lua_pushnumber(L, p.n.v[i]);
	return 6;
}

/* query:cost(n) -> mean, most brushes that one of n points tests */
static int l_query_cost(lua_State *L)
{
	const mw_level_query *q = mw_lx_arg(L, 1, &query_type);
	double mean;
	uint32_t most;

	mw_level_query_cost(q, (uint32_t)mw_lx_int(L, 2, "n", 1, 10000000), &mean, &most);
	lua_pushnumber(L, mean);
	lua_pushinteger(L, most);
	return 2;
}

int mw_luaopen_hmap(lua_State *L)
{
	static const luaL_Reg methods[] = {{"scene", l_scene}, {"compile", l_compile},
		{"set_content", l_set_content}, {"write", l_write}, {"lint", l_lint},
		{"mend", l_mend}, {"info", l_info}, {"chunks", l_chunks},
		{"materials", l_materials}, {"brush", l_brush}, {"mesh", l_mesh},
		{"entities", l_entities}, {"level", l_level}, {"batch", l_batch},
		{"models", l_models}, {"node", l_node}, {"leaf", l_leaf}, {"solid", l_solid},
		{"lights", l_lights}, {"entity_lights", l_entity_lights}, {"hulls", l_hulls},
		{"query", l_query}, {NULL, NULL}};
	static const luaL_Reg query[] = {{"contents", l_query_contents}, {"sweep", l_query_sweep},
		{"cost", l_query_cost}, {NULL, NULL}};
	static const luaL_Reg functions[] = {
		{"read", l_read}, {"from_scene", l_from_scene}, {NULL, NULL}};

	mw_lx_type_define(L, &mw_lx_hmap_type, methods);
	mw_lx_type_define(L, &findings_type, NULL);
	mw_lx_type_define(L, &losses_type, NULL);
	mw_lx_type_define(L, &writer_type, NULL);
	mw_lx_type_define(L, &query_type, query);
	luaL_newlib(L, functions);
	return 1;
}

/* core.scene: building a brush level and looking at one. */
#include "bind/b_geom.h"
#include "bind/modules.h"
#include "compile/leak.h"
#include "scene/scene_check.h"

#include <string.h>

static void free_scene(mw_ctx *cx, void *payload)
{
	mw_scene_free(cx, payload);
}

const mw_lx_type mw_lx_scene_type = {"mapwright.core.scene", free_scene};

static mw_scene *arg_scene(lua_State *L)
{
	return mw_lx_arg(L, 1, &mw_lx_scene_type);
}

void *mw_lx_scene_new(lua_State *L)
{
	mw_planes *t = mw_lx_planes(L);
	mw_scene *s = mw_lx_new(L, &mw_lx_scene_type, sizeof *s);

	mw_lx_check(L, mw_scene_init(mw_lx_ctx(L), s, t));
	return s;
}

static const char *keep_n(lua_State *L, mw_scene *s, mw_sv text)
{
	const char *copy = mw_scene_text(s, text.p, text.n);

	if (!copy)
		mw_lx_raise(L);
	return copy;
}

static const char *keep(lua_State *L, mw_scene *s, int idx, const char *name)
{
	mw_sv text = mw_lx_str(L, idx, name);

	if (memchr(text.p, 0, text.n))
		mw_lx_bad(L, idx, name, "must not hold a zero byte");
	return keep_n(L, s, text);
}

/* new(name, units_per_metre, grid, ambient r g b) -> scene */
static int l_new(lua_State *L)
{
	mw_scene *s = mw_lx_scene_new(L);

	s->name = keep(L, s, 1, "name");
	s->units_per_metre = mw_lx_num(L, 2, "units_per_metre");
	s->grid = mw_lx_num(L, 3, "grid");
	for (int i = 0; i < 3; i++)
		s->ambient[i] = mw_lx_num(L, 4 + i, "ambient");
	return 1;
}

/* material(scene, name, texture, tile u, tile v, r, g, b, px, py) -> index from 0 */
static int l_material(lua_State *L)
{
	mw_scene *s = arg_scene(L);
	int32_t index;

	mw_lx_check(L, mw_scene_add_material(mw_lx_ctx(L), s, keep(L, s, 2, "name"), &index));
	mw_material *m = &s->material.v[index];
	m->texture = keep(L, s, 3, "texture");
	for (int i = 0; i < 2; i++)
		m->tile[i] = mw_lx_num(L, 4 + i, "tile");
	for (int i = 0; i < 3; i++)
		m->color[i] = mw_lx_num(L, 6 + i, "color");
	for (int i = 0; i < 2; i++)
		m->pixels[i] = (uint32_t)mw_lx_int(L, 9 + i, "pixels", 0, 65536);
	lua_pushinteger(L, index);
	return 1;
}

/* pixels(scene, material from 1, width, height): the size of its picture */
static int l_pixels(lua_State *L)
{
	mw_scene *s = arg_scene(L);
	mw_material *m = &s->material.v[mw_lx_int(L, 2, "material", 1, (int64_t)s->material.n) - 1];

	for (int i = 0; i < 2; i++)
		m->pixels[i] = (uint32_t)mw_lx_int(L, 3 + i, "pixels", 1, 65536);
	return 0;
}

/* group(scene, name, at) -> index + 1 */
static int l_group(lua_State *L)
{
	mw_scene *s = arg_scene(L);
	mw_group g = {.name = keep(L, s, 2, "name"), .at = keep(L, s, 3, "at")};

	if (!MW_PUSH(mw_lx_ctx(L), &s->group, g))
		return mw_lx_raise(L);
	lua_pushinteger(L, (lua_Integer)s->group.n);
	return 1;
}

/* add(scene, solids, owner, group, detail, at) -> how many brushes; owner and group as index + 1 */
static int l_add(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_scene *s = arg_scene(L);
	const mw_lx_solids *a = mw_lx_solids_arg(L, 2);
	mw_brush_info info = {.owner = (uint32_t)mw_lx_int(L, 3, "owner", 0, (int64_t)s->entity.n),
		.group = (uint32_t)mw_lx_int(L, 4, "group", 0, (int64_t)s->group.n),
		.flags = mw_lx_bool(L, 5) ? MW_BRUSH_DETAIL : 0,
		.at = keep(L, s, 6, "at")};
	uint32_t base = (uint32_t)s->face.n;
	mw_arena *arena = mw_lx_arena(L);
	size_t most = 1;

	for (size_t i = 0; i < a->b.brush.n; i++)
		most = a->b.brush.v[i].count > most ? a->b.brush.v[i].count : most;
	mw_side *side = mw_arena_alloc(arena, most * sizeof *side);
	if (!side || !MW_RESERVE(cx, &s->face, s->face.n + a->face.n))
		return mw_lx_raise(L);
	for (size_t i = 0; i < a->face.n; i++)
		s->face.v[s->face.n++] = a->face.v[i].info;
	for (size_t i = 0; i < a->b.brush.n; i++) {
		const mw_brush *b = &a->b.brush.v[i];

		for (uint32_t k = 0; k < b->count; k++) {
			side[k] = a->b.side.v[b->first + k];
			side[k].tag += base;
		}
		mw_lx_check(L, mw_scene_add_brush(cx, s, side, b->count, b->contents, &info, NULL));
	}
	lua_pushinteger(L, (lua_Integer)a->b.brush.n);
	return 1;
}

/* entity(scene, classname, {x, y, z}, {pitch, yaw, roll}, {sx, sy, sz}, {key, value, ...}, group,
 * at) -> index + 1 */
static int l_entity(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_scene *s = arg_scene(L);
	mw_entity e = mw_entity_default();
	mw_vec3 *field[3] = {&e.origin, &e.angles, &e.scale};
	uint32_t index;

	e.classname = keep(L, s, 2, "classname");
	for (int f = 0; f < 3; f++)
		for (int i = 0; i < 3; i++) {
			lua_rawgeti(L, 3 + f, i + 1);
			field[f]->v[i] = mw_lx_num(L, -1, "entity");
			lua_pop(L, 1);
		}
	e.group = (uint32_t)mw_lx_int(L, 7, "group", 0, (int64_t)s->group.n);
	e.at = keep(L, s, 8, "at");
	luaL_checktype(L, 6, LUA_TTABLE);
	mw_lx_check(L, mw_scene_add_entity(cx, s, &e, &index));
	lua_Integer n = (lua_Integer)lua_rawlen(L, 6);
	for (lua_Integer i = 1; i + 1 <= n; i += 2) {
		lua_rawgeti(L, 6, i);
		lua_rawgeti(L, 6, i + 1);
		const char *key = keep(L, s, -2, "key"), *value = keep(L, s, -1, "value");
		mw_lx_check(L, mw_pairs_add(cx, &s->entity.v[index].keys, key, value));
		lua_pop(L, 2);
	}
	lua_pushinteger(L, (lua_Integer)index + 1);
	return 1;
}

/* wire(scene, entity, output, target, input, parameter, delay, once) */
static int l_wire(lua_State *L)
{
	mw_scene *s = arg_scene(L);
	size_t at = (size_t)mw_lx_int(L, 2, "entity", 1, (int64_t)s->entity.n) - 1;
	mw_wire w = {.target = mw_lx_str(L, 4, "target"),
		.input = mw_lx_str(L, 5, "input"),
		.parameter = mw_lx_str(L, 6, "parameter"),
		.delay = mw_lx_num(L, 7, "delay"),
		.once = mw_lx_bool(L, 8)};
	const char *key = keep(L, s, 3, "output"), *value = mw_wire_text(&s->mem, &w);

	if (!value)
		return mw_lx_raise(L);
	mw_lx_check(L, mw_pairs_add(mw_lx_ctx(L), &s->entity.v[at].keys, key, value));
	return 0;
}

static double item(lua_State *L, int idx, lua_Integer i, const char *name)
{
	lua_rawgeti(L, idx, i);
	double v = mw_lx_num(L, -1, name);
	lua_pop(L, 1);
	return v;
}

/* mesh(scene, name, {x, y, z, ...}, polys, owner, group, collides, at); a poly is {material,
 * smooth, indices = {1, 2, 3}, uv = {u, v, ...}?} */
static int l_mesh(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_scene *s = arg_scene(L);
	uint32_t index;

	luaL_checktype(L, 3, LUA_TTABLE);
	luaL_checktype(L, 4, LUA_TTABLE);
	uint32_t owner = (uint32_t)mw_lx_int(L, 5, "owner", 0, (int64_t)s->entity.n);
	uint32_t group = (uint32_t)mw_lx_int(L, 6, "group", 0, (int64_t)s->group.n);
	const char *at = keep(L, s, 8, "at");
	mw_lx_check(L, mw_scene_add_mesh(cx, s, keep(L, s, 2, "name"), &index));
	mw_scene_mesh *m = &s->mesh.v[index];
	m->owner = owner;
	m->group = group;
	m->flags = mw_lx_bool(L, 7) ? 0 : MW_MESH_NO_COLLISION;
	m->at = at;
	lua_Integer n = (lua_Integer)lua_rawlen(L, 3) / 3;
	for (lua_Integer i = 0; i < n; i++)
		mw_lx_check(L,
			mw_scene_mesh_vertex(cx, m,
				mw_v3(item(L, 3, 3 * i + 1, "x"), item(L, 3, 3 * i + 2, "y"),
					item(L, 3, 3 * i + 3, "z"))));
	lua_Integer polys = (lua_Integer)lua_rawlen(L, 4);
	for (lua_Integer p = 1; p <= polys; p++) {
		mw_arena *arena = mw_lx_arena(L);

		lua_rawgeti(L, 4, p);
		lua_rawgeti(L, -1, 1);
		int32_t material =
			(int32_t)mw_lx_int(L, -1, "material", -1, (int64_t)s->material.n - 1);
		lua_rawgeti(L, -2, 2);
		uint32_t smooth = (uint32_t)mw_lx_int(L, -1, "smooth", 0, UINT32_MAX);
		lua_getfield(L, -3, "uv");
		lua_getfield(L, -4, "indices");
		luaL_checktype(L, -1, LUA_TTABLE);
		int top = lua_gettop(L);
		lua_Integer corners = (lua_Integer)lua_rawlen(L, top);
		uint32_t *at_vertex =
			mw_arena_alloc(arena, ((size_t)corners + 1) * sizeof *at_vertex);
		mw_vec2 *uv = mw_arena_alloc(arena, ((size_t)corners + 1) * sizeof *uv);
		bool has_uv = !lua_isnil(L, top - 1);
		if (!at_vertex || !uv)
			return mw_lx_raise(L);
		for (lua_Integer i = 0; i < corners; i++) {
			lua_rawgeti(L, top, i + 1);
			at_vertex[i] = (uint32_t)mw_lx_int(L, -1, "vertex", 1, n) - 1;
			lua_pop(L, 1);
			if (has_uv)
				uv[i] = mw_v2(item(L, top - 1, 2 * i + 1, "u"),
					item(L, top - 1, 2 * i + 2, "v"));
		}
		if (corners < 3)
			return mw_lx_bad(
				L, 4, "mesh", "polygon %d has %d corners", (int)p, (int)corners);
		mw_lx_check(L,
			mw_scene_mesh_poly(cx, m, at_vertex, has_uv ? uv : NULL, (uint32_t)corners,
				material, smooth, NULL));
		lua_pop(L, 6);
	}
	return 0;
}

/* counts(scene) -> {materials, brushes, faces, meshes, entities, groups, units_per_metre, name} */
static int l_counts(lua_State *L)
{
	const mw_scene *s = arg_scene(L);
	const struct {
		const char *key;
		size_t n;
	} rows[] = {{"materials", s->material.n}, {"brushes", s->brush.n},
		{"faces", s->brushes.side.n}, {"meshes", s->mesh.n}, {"entities", s->entity.n},
		{"groups", s->group.n}};

	lua_newtable(L);
	for (size_t i = 0; i < MW_COUNTOF(rows); i++) {
		lua_pushinteger(L, (lua_Integer)rows[i].n);
		lua_setfield(L, -2, rows[i].key);
	}
	lua_pushnumber(L, s->units_per_metre);
	lua_setfield(L, -2, "units_per_metre");
	lua_pushstring(L, s->name);
	lua_setfield(L, -2, "name");
	return 1;
}

/* brushes(scene, owner) -> solids of all brushes of that owner (index + 1; 0 the world) */
static int l_brushes(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_scene *s = arg_scene(L);
	uint32_t owner = (uint32_t)mw_lx_int(L, 2, "owner", 0, (int64_t)s->entity.n);
	mw_lx_solids *out = mw_lx_solids_new(L);

	for (uint32_t i = 0; i < s->brush.n; i++)
		if (s->brush.v[i].owner == owner)
			mw_lx_check(L, mw_brushes_copy(cx, &out->b, &s->brushes, i));
	for (size_t i = 0; i < out->b.side.n; i++) {
		uint32_t tag = out->b.side.v[i].tag;
		mw_lx_face f = {tag == MW_TAG_NONE ? mw_face_default() : s->face.v[tag], 6};

		out->b.side.v[i].tag = (uint32_t)out->face.n;
		if (!MW_PUSH(cx, &out->face, f))
			return mw_lx_raise(L);
	}
	return 1;
}

static void set_triple(lua_State *L, const char *key, mw_vec3 v)
{
	lua_createtable(L, 3, 0);
	for (int i = 0; i < 3; i++) {
		lua_pushnumber(L, v.v[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, key);
}

/* entities(scene) -> {classname, at, angles, scale, pairs = {{key, value}, ...}, where?} rows */
static int l_entities(lua_State *L)
{
	const mw_scene *s = arg_scene(L);

	lua_createtable(L, (int)s->entity.n, 0);
	for (size_t i = 0; i < s->entity.n; i++) {
		const mw_entity *e = &s->entity.v[i];

		lua_createtable(L, 0, 6);
		lua_pushstring(L, e->classname);
		lua_setfield(L, -2, "classname");
		set_triple(L, "at", e->origin);
		set_triple(L, "angles", e->angles);
		set_triple(L, "scale", e->scale);
		lua_pushstring(L, e->at);
		lua_setfield(L, -2, "where");
		lua_createtable(L, (int)e->keys.n, 0);
		for (size_t k = 0; k < e->keys.n; k++) {
			lua_createtable(L, 2, 0);
			lua_pushstring(L, e->keys.v[k].key);
			lua_rawseti(L, -2, 1);
			lua_pushstring(L, e->keys.v[k].value);
			lua_rawseti(L, -2, 2);
			lua_rawseti(L, -2, (lua_Integer)k + 1);
		}
		lua_setfield(L, -2, "pairs");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* materials(scene) -> {name, texture, pixels = width where it is known} rows */
static int l_materials(lua_State *L)
{
	const mw_scene *s = arg_scene(L);

	lua_createtable(L, (int)s->material.n, 0);
	for (size_t i = 0; i < s->material.n; i++) {
		lua_createtable(L, 0, 2);
		lua_pushstring(L, s->material.v[i].name);
		lua_setfield(L, -2, "name");
		lua_pushstring(L, s->material.v[i].texture);
		lua_setfield(L, -2, "texture");
		if (s->material.v[i].pixels[0]) {
			lua_pushinteger(L, s->material.v[i].pixels[0]);
			lua_setfield(L, -2, "pixels");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static void free_findings(mw_ctx *cx, void *payload)
{
	mw_scene_findings *f = payload;

	mw_free(cx, f->v);
	memset(f, 0, sizeof *f);
}

static const mw_lx_type findings_type = {"mapwright.core.scene.findings", free_findings};

/* check(scene) -> {level, rule, kind, index (from 1), where?, message} rows */
static int l_check(lua_State *L)
{
	static const char *const kinds[] = {"brush", "mesh", "entity", "material"};
	const mw_scene *s = arg_scene(L);
	mw_scene_findings *found = mw_lx_new(L, &findings_type, sizeof *found);

	mw_lx_check(L, mw_scene_check(mw_lx_ctx(L), s, found));
	lua_createtable(L, (int)found->n, 0);
	for (size_t i = 0; i < found->n; i++) {
		const mw_scene_finding *f = &found->v[i];

		lua_createtable(L, 0, 6);
		lua_pushstring(L, f->error ? "error" : "warning");
		lua_setfield(L, -2, "level");
		lua_pushstring(L, f->rule);
		lua_setfield(L, -2, "rule");
		lua_pushstring(L, kinds[f->kind]);
		lua_setfield(L, -2, "kind");
		lua_pushinteger(L, (lua_Integer)f->index + 1);
		lua_setfield(L, -2, "index");
		lua_pushstring(L, f->at);
		lua_setfield(L, -2, "where");
		lua_pushstring(L, f->msg);
		lua_setfield(L, -2, "message");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static void free_leak(mw_ctx *cx, void *payload)
{
	mw_leak_free(cx, payload);
}

static const mw_lx_type leak_type = {"mapwright.core.scene.leak", free_leak};

/* leak(scene, gap) -> {sealing = brushes, states = {"unasked" | "in_solid" | "sealed" | "leaks",
 * one for each entity}, entity? = the first that leaks (from 1), line? = {{x, y, z}, ...}} */
static int l_leak(lua_State *L)
{
	static const char *const states[] = {"unasked", "in_solid", "sealed", "leaks"};
	mw_scene *s = arg_scene(L);
	double gap = mw_lx_num(L, 2, "gap");
	mw_leak *l = mw_lx_new(L, &leak_type, sizeof *l);

	mw_lx_check(L, mw_leak_find(mw_lx_ctx(L), s, gap, l));
	lua_createtable(L, 0, 4);
	lua_pushinteger(L, l->sealing);
	lua_setfield(L, -2, "sealing");
	lua_createtable(L, (int)l->state.n, 0);
	for (size_t i = 0; i < l->state.n; i++) {
		lua_pushstring(L, states[l->state.v[i]]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "states");
	if (l->entity == MW_TAG_NONE)
		return 1;
	lua_pushinteger(L, (lua_Integer)l->entity + 1);
	lua_setfield(L, -2, "entity");
	lua_createtable(L, (int)l->line.n, 0);
	for (size_t i = 0; i < l->line.n; i++) {
		lua_createtable(L, 3, 0);
		for (int k = 0; k < 3; k++) {
			lua_pushnumber(L, l->line.v[i].v[k]);
			lua_rawseti(L, -2, k + 1);
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "line");
	return 1;
}

int mw_luaopen_scene(lua_State *L)
{
	static const luaL_Reg methods[] = {{"material", l_material}, {"group", l_group},
		{"add", l_add}, {"entity", l_entity}, {"wire", l_wire}, {"mesh", l_mesh},
		{"counts", l_counts}, {"brushes", l_brushes}, {"entities", l_entities},
		{"materials", l_materials}, {"pixels", l_pixels}, {"check", l_check},
		{"leak", l_leak}, {NULL, NULL}};
	static const luaL_Reg functions[] = {{"new", l_new}, {NULL, NULL}};

	mw_lx_type_define(L, &mw_lx_scene_type, methods);
	mw_lx_type_define(L, &findings_type, NULL);
	mw_lx_type_define(L, &leak_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

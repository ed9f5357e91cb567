/* core.hmap: .hmap files as Lua sees them. */
#include "format/hmap/hmap_lua.h"

#include "bind/modules.h"

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

const mw_lx_type mw_lx_hmap_type = {"mapwright.core.hmap", free_hmap};
static const mw_lx_type findings_type = {"mapwright.core.hmap.findings", free_findings};
static const mw_lx_type losses_type = {"mapwright.core.losses", free_losses};
static const mw_lx_type writer_type = {"mapwright.core.hmap.writer", free_writer};

mw_hmap *mw__hmap_new(lua_State *L)
{
	mw_hmap *h = mw_lx_new(L, &mw_lx_hmap_type, sizeof *h);

	mw_hmap_init(h, mw_lx_ctx(L));
	return h;
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
	mw_hmap *h = mw__hmap_new(L);
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
	mw_hmap *h = mw__hmap_new(L);
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

int mw_luaopen_hmap(lua_State *L)
{
	static const luaL_Reg methods[] = {{"scene", l_scene}, {"compile", l_compile},
		{"set_content", l_set_content}, {"write", l_write}, {"lint", l_lint},
		{"mend", l_mend}, {NULL, NULL}};
	static const luaL_Reg functions[] = {
		{"read", l_read}, {"from_scene", l_from_scene}, {NULL, NULL}};

	mw_lx_type_define(L, &mw_lx_hmap_type, methods);
	luaL_getmetatable(L, mw_lx_hmap_type.name);
	luaL_setfuncs(L, mw__hmap_source, 0);
	luaL_setfuncs(L, mw__hmap_level, 0);
	lua_pop(L, 1);
	mw_lx_type_define(L, &findings_type, NULL);
	mw_lx_type_define(L, &losses_type, NULL);
	mw_lx_type_define(L, &writer_type, NULL);
	mw_lx_type_define(L, &mw__hmap_query_type, mw__hmap_query);
	luaL_newlib(L, functions);
	return 1;
}

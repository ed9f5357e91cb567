/* core.qmap: positional, for lua/mapwright/format/qmap.lua and the quake_map target. */
#include "format/qmap/qmap.h"

#include "bind/lx.h"
#include "bind/modules.h"

#include <string.h>

static void free_model(mw_ctx *cx, void *payload)
{
	mw_qmap_free(cx, payload);
}

static const mw_lx_type model_type = {"mapwright.qmap", free_model};

static void free_findings(mw_ctx *cx, void *payload)
{
	mw_qmap_findings *found = payload;

	mw_free(cx, found->v);
	memset(found, 0, sizeof *found);
}

static const mw_lx_type findings_type = {"mapwright.qmap_findings", free_findings};

static void free_solids(mw_ctx *cx, void *payload)
{
	mw_qmap_solids_free(cx, payload);
}

static const mw_lx_type solids_type = {"mapwright.qmap_solids", free_solids};

static void free_writer(mw_ctx *cx, void *payload)
{
	mw_wr *w = payload;

	MW_UNUSED(cx);
	if (w->cx)
		mw_wr_free(w);
}

static const mw_lx_type writer_type = {"mapwright.qmap_writer", free_writer};

static const mw_qmap *arg_model(lua_State *L)
{
	return mw_lx_arg(L, 1, &model_type);
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

static void set_text(lua_State *L, const char *key, const char *text)
{
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

static void set_sv(lua_State *L, const char *key, mw_sv s)
{
	lua_pushlstring(L, s.p ? s.p : "", s.n);
	lua_setfield(L, -2, key);
}

static void set_numbers(lua_State *L, const char *key, const double *v, int n)
{
	lua_createtable(L, n, 0);
	for (int i = 0; i < n; i++) {
		lua_pushnumber(L, v[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, key);
}

static void set_index(lua_State *L, const char *key, uint32_t v)
{
	if (v != MW_QMAP_NONE)
		set_int(L, key, v);
}

/* Rows {level, rule, message, line, col, entity?, brush?, face?}. */
static void push_findings(lua_State *L, const mw_qmap_findings *found)
{
	lua_createtable(L, (int)found->n, 0);
	for (size_t i = 0; i < found->n; i++) {
		const mw_qmap_finding *f = &found->v[i];

		lua_createtable(L, 0, 9);
		set_text(L, "level", mw_qmap_level_name(f->level));
		set_text(L, "rule", f->rule);
		set_text(L, "message", f->msg);
		set_int(L, "line", f->line);
		set_int(L, "col", f->col);
		set_index(L, "entity", f->entity);
		set_index(L, "brush", f->brush);
		set_index(L, "face", f->face);
		if (f->has_at)
			set_numbers(L, "at", f->at.v, 3);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* read(bytes, label) -> model, findings. A file with errors gives its findings all the same. */
static int l_read(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	const char *label = mw_lx_str(L, 2, "label").p;
	mw_ctx *cx = mw_lx_ctx(L);
	mw_qmap_findings *found = mw_lx_new(L, &findings_type, sizeof *found);
	mw_qmap *m = mw_lx_new(L, &model_type, sizeof *m);

	mw_qmap_init(m, cx);
	if (mw_qmap_read(cx, m, found, (const uint8_t *)bytes.p, bytes.n)) {
		mw_note(cx, "%s", label);
		return mw_lx_raise(L);
	}
	push_findings(L, found);
	return 2;
}

/* model:info() -> {dialect, format, game, version, entities, point_entities, brush_entities,
 * brushes, faces, patches, raw} as the text has them */
static int l_info(lua_State *L)
{
	const mw_qmap *m = arg_model(L);
	uint32_t brush_entities = 0, brushes = 0, patches = 0, raw = 0;

	for (size_t i = 0; i < m->entity.n; i++)
		brush_entities += m->entity.v[i].brushes > 0;
	for (size_t i = 0; i < m->brush.n; i++) {
		mw_qmap_kind k = m->brush.v[i].kind;
		bool patch = k == MW_QMAP_PATCH2 || k == MW_QMAP_PATCH3;
		patches += patch;
		raw += k == MW_QMAP_RAW;
		brushes += !patch && k != MW_QMAP_RAW;
	}
	lua_createtable(L, 0, 12);
	set_text(L, "dialect", mw_qmap_dialect_name(m->dialect));
	set_text(L, "format", mw_qmap_format_name(m->dialect));
	set_sv(L, "game", m->game);
	set_int(L, "version", m->version);
	set_int(L, "entities", (int64_t)m->entity.n);
	set_int(L, "brush_entities", brush_entities);
	set_int(L, "point_entities", (int64_t)m->entity.n - brush_entities);
	set_int(L, "pairs", (int64_t)m->pair.n);
	set_int(L, "brushes", brushes);
	set_int(L, "faces", (int64_t)m->face.n);
	set_int(L, "patches", patches);
	set_int(L, "raw", raw);
	return 1;
}

/* The corners of all faces of a closed solid, one after the other. [arena: as it was] */
static void push_corners(lua_State *L, mw_arena *arena, const mw_qmap_solids *s, const mw_brush *b)
{
	mw_arena_mark mark = mw_arena_get_mark(arena);
	lua_Integer n = 0;
	mw_solid solid;
	mw_closure how;

	mw_lx_check(L,
		mw_solid_make(
			arena, &s->planes, mw_brush_sides(&s->brushes, b), b->count, &solid, &how));
	lua_newtable(L);
	for (uint32_t i = 0; i < solid.n && how == MW_CLOSED; i++)
		for (uint32_t k = 0; k < solid.face[i].n; k++)
			for (int axis = 0; axis < 3; axis++) {
				lua_pushnumber(L, solid.face[i].v[k].at.v[axis]);
				lua_rawseti(L, -2, ++n);
			}
	mw_arena_reset(arena, mark);
}

static void push_solid_row(
	lua_State *L, mw_arena *arena, const mw_qmap *m, const mw_qmap_solids *s, size_t i)
{
	static const char *const how[] = {"closed", "empty", "open"};
	const mw_qmap_brush *b = &m->brush.v[s->brushes.brush.v[i].tag];

	lua_createtable(L, 0, 5);
	set_text(L, "how", how[s->how[i]]);
	set_int(L, "line", b->line);
	lua_pushboolean(L, b->kind != MW_QMAP_BRUSHDEF3);
	lua_setfield(L, -2, "points");
	lua_createtable(L, (int)b->count, 0);
	for (uint32_t k = 0; k < b->count; k++) {
		lua_pushinteger(L, m->face.v[b->first + k].line);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "lines");
	push_corners(L, arena, s, &s->brushes.brush.v[i]);
	lua_setfield(L, -2, "corners");
	lua_rawseti(L, -2, (lua_Integer)i + 1);
}

/* model:solids([rows]) -> {brushes, faces, open, dropped, volume, min?, max?, rows?}, findings
 * A row: {how = "closed", "empty" or "open", line, points = whether faces have three, lines = where
 * the faces begin, corners = x, y, z of each corner of each face when closed}. */
static int l_solids(lua_State *L)
{
	const mw_qmap *m = arg_model(L);
	bool rows = mw_lx_bool(L, 2);
	mw_ctx *cx = mw_lx_ctx(L);
	mw_qmap_findings *found = mw_lx_new(L, &findings_type, sizeof *found);
	mw_qmap_solids *s = mw_lx_new(L, &solids_type, sizeof *s);
	mw_arena *arena = mw_lx_arena(L);
	int64_t closed = 0;

	mw_lx_check(L, mw_qmap_build(cx, m, s, found));
	for (size_t i = 0; i < s->brushes.brush.n; i++)
		closed += s->how[i] == MW_CLOSED;
	lua_createtable(L, 0, 8);
	set_int(L, "brushes", closed);
	set_int(L, "faces", s->closed_faces);
	set_int(L, "open", s->open);
	set_int(L, "dropped", s->dropped);
	set_num(L, "volume", s->volume);
	if (!mw_aabb_is_empty(&s->bounds)) {
		set_numbers(L, "min", s->bounds.min.v, 3);
		set_numbers(L, "max", s->bounds.max.v, 3);
	}
	if (rows) {
		lua_createtable(L, (int)s->brushes.brush.n, 0);
		for (size_t i = 0; i < s->brushes.brush.n; i++)
			push_solid_row(L, arena, m, s, i);
		lua_setfield(L, -2, "rows");
	}
	push_findings(L, found);
	mw_qmap_solids_free(cx, s);
	return 2;
}

/* model:lint(micro, sliver, gap, grid, limit) -> findings of the text's solids and shapes */
static int l_lint(lua_State *L)
{
	const mw_qmap *m = arg_model(L);
	mw_shape_limits o = {.micro = mw_lx_num(L, 2, "micro"),
		.sliver = mw_lx_num(L, 3, "sliver"),
		.gap = mw_lx_num(L, 4, "gap"),
		.grid = mw_lx_num(L, 5, "grid"),
		.limit = mw_lx_num(L, 6, "limit")};
	mw_ctx *cx = mw_lx_ctx(L);
	mw_qmap_findings *found = mw_lx_new(L, &findings_type, sizeof *found);
	mw_qmap_solids *s = mw_lx_new(L, &solids_type, sizeof *s);

	mw_lx_check(L, mw_qmap_build(cx, m, s, found));
	mw_lx_check(L, mw_qmap_lint(cx, m, s, &o, found));
	push_findings(L, found);
	return 1;
}

static void push_face(lua_State *L, const mw_qmap_brush *b, const mw_qmap_face *f)
{
	static const char *const axes[] = {"classic", "valve", "matrix"};

	lua_createtable(L, 0, 10);
	set_int(L, "line", f->line);
	set_sv(L, "texture", f->texture);
	set_text(L, "axes", axes[f->axes]);
	if (b->kind == MW_QMAP_BRUSHDEF3) {
		set_numbers(L, "plane", f->plane, 4);
	} else {
		lua_createtable(L, 3, 0);
		for (int i = 0; i < 3; i++) {
			lua_createtable(L, 3, 0);
			for (int j = 0; j < 3; j++) {
				lua_pushnumber(L, f->p[i].v[j]);
				lua_rawseti(L, -2, j + 1);
			}
			lua_rawseti(L, -2, i + 1);
		}
		lua_setfield(L, -2, "points");
	}
	if (f->axes == MW_QMAP_AXES_CLASSIC) {
		set_numbers(L, "offset", f->offset, 2);
	} else {
		set_numbers(L, "u", f->u, f->axes == MW_QMAP_AXES_VALVE ? 4 : 3);
		set_numbers(L, "v", f->v, f->axes == MW_QMAP_AXES_VALVE ? 4 : 3);
	}
	if (f->axes != MW_QMAP_AXES_MATRIX) {
		set_num(L, "rotation", f->rotation);
		set_numbers(L, "scale", f->scale, 2);
	}
	if (f->num_extra)
		set_numbers(L, "extra", f->extra, f->num_extra);
	if (f->tx)
		set_int(L, "quark", f->tx);
}

static void push_brush(lua_State *L, const mw_qmap *m, const mw_qmap_brush *b)
{
	static const char *const kinds[] = {
		"faces", "brushDef", "brushDef3", "patchDef2", "patchDef3", "raw"};

	lua_createtable(L, 0, 8);
	set_text(L, "kind", kinds[b->kind]);
	set_int(L, "line", b->line);
	if (b->rejected) {
		lua_pushboolean(L, true);
		lua_setfield(L, -2, "rejected");
	}
	if (b->kind == MW_QMAP_RAW) {
		set_sv(L, "text", b->raw);
		return;
	}
	lua_createtable(L, (int)b->count, 0);
	if (b->kind == MW_QMAP_PATCH2 || b->kind == MW_QMAP_PATCH3) {
		for (uint32_t i = 0; i < b->count; i++) {
			const mw_qmap_control *c = &m->control.v[b->first + i];
			double v[5] = {c->at.x, c->at.y, c->at.z, c->uv.x, c->uv.y};
			lua_createtable(L, 5, 0);
			for (int k = 0; k < 5; k++) {
				lua_pushnumber(L, v[k]);
				lua_rawseti(L, -2, k + 1);
			}
			lua_rawseti(L, -2, (lua_Integer)i + 1);
		}
		lua_setfield(L, -2, "points");
		set_sv(L, "texture", b->texture);
		set_int(L, "width", b->w);
		set_int(L, "height", b->h);
		set_numbers(L, "extra", b->extra, 3);
		if (b->kind == MW_QMAP_PATCH3)
			set_numbers(L, "subdivisions", b->sub, 2);
		return;
	}
	for (uint32_t i = 0; i < b->count; i++) {
		push_face(L, b, &m->face.v[b->first + i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "faces");
}

/* model:entity(i [, without_brushes]) -> {line, pairs = {{key, value, line}...}, brushes = {...} or
 * their number} [i: from 1] */
static int l_entity(lua_State *L)
{
	const mw_qmap *m = arg_model(L);
	const mw_qmap_entity *e =
		&m->entity.v[mw_lx_int(L, 2, "entity", 1, (int64_t)m->entity.n) - 1];
	bool bare = mw_lx_bool(L, 3);

	lua_createtable(L, 0, 3);
	set_int(L, "line", e->line);
	lua_createtable(L, (int)e->pairs, 0);
	for (uint32_t i = 0; i < e->pairs; i++) {
		const mw_qmap_pair *p = &m->pair.v[e->first_pair + i];
		lua_createtable(L, 3, 0);
		lua_pushlstring(L, p->key.p, p->key.n);
		lua_rawseti(L, -2, 1);
		lua_pushlstring(L, p->value.p, p->value.n);
		lua_rawseti(L, -2, 2);
		lua_pushinteger(L, p->line);
		lua_rawseti(L, -2, 3);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "pairs");
	if (bare) {
		set_int(L, "brushes", e->brushes);
		return 1;
	}
	lua_createtable(L, (int)e->brushes, 0);
	for (uint32_t i = 0; i < e->brushes; i++) {
		push_brush(L, m, &m->brush.v[e->first_brush + i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "brushes");
	return 1;
}

static mw_qmap_dialect arg_dialect(lua_State *L, int idx)
{
	mw_qmap_dialect d = MW_QMAP_AS_READ;

	if (!lua_isnoneornil(L, idx) && !mw_qmap_dialect_named(mw_lx_str(L, idx, "dialect"), &d))
		mw_lx_bad(L, idx, "dialect", "is not known");
	return d;
}

static void push_lost(lua_State *L, const mw_qmap_lost *lost)
{
	lua_createtable(L, 0, 10);
	set_int(L, "moved", lost->moved);
	set_num(L, "moved_by", lost->moved_by);
	set_int(L, "skewed", lost->skewed);
	set_int(L, "extras", lost->extras);
	set_int(L, "patches", lost->patches);
	set_int(L, "raw", lost->raw);
	set_int(L, "planes", lost->planes);
	set_int(L, "values", lost->values);
	set_int(L, "names", lost->names);
	set_int(L, "flat", lost->flat);
}

/* model:write([dialect, decimals, no_quotes, no_comments]) -> bytes, lost */
static int l_write(lua_State *L)
{
	const mw_qmap *m = arg_model(L);
	mw_qmap_write_opts o = {.dialect = arg_dialect(L, 2),
		.decimals = lua_isnoneornil(L, 3) ? -1 : (int)mw_lx_int(L, 3, "decimals", 0, 15),
		.no_quotes = mw_lx_bool(L, 4),
		.no_comments = mw_lx_bool(L, 5)};
	mw_qmap_lost lost = {0};
	mw_ctx *cx = mw_lx_ctx(L);
	mw_wr *w = mw_lx_new(L, &writer_type, sizeof *w);

	mw_wr_init(w, cx);
	mw_lx_check(L, mw_qmap_write(cx, w, m, &o, &lost));
	lua_pushlstring(L, w->p ? (const char *)w->p : "", w->n);
	mw_wr_free(w);
	push_lost(L, &lost);
	return 2;
}

static void free_losses(mw_ctx *cx, void *payload)
{
	mw_losses *l = payload;

	mw_free(cx, l->v);
	memset(l, 0, sizeof *l);
}

static const mw_lx_type losses_type = {"mapwright.qmap_losses", free_losses};

static mw_qmap_scene_opts scene_opts(lua_State *L, int idx)
{
	static const char *const turns[] = {"file", "quake", "godot"};
	mw_qmap_scene_opts o = {0};

	if (!lua_isnoneornil(L, idx))
		o.units_per_metre = mw_lx_num(L, idx, "units_per_metre");
	if (!lua_isnoneornil(L, idx + 1))
		o.turn = (mw_qmap_turn)mw_lx_enum(L, idx + 1, "axes", turns, 3);
	return o;
}

/* model:textures() -> names of textures of faces and patches, each once, in the text's order */
static int l_textures(lua_State *L)
{
	const mw_qmap *m = arg_model(L);
	lua_Integer n = 0;

	lua_newtable(L);
	lua_newtable(L); /* of those that were met */
	for (size_t i = 0; i < m->face.n + m->brush.n; i++) {
		mw_sv name =
			i < m->face.n ? m->face.v[i].texture : m->brush.v[i - m->face.n].texture;
		if (!name.p)
			continue;
		lua_pushlstring(L, name.p, name.n);
		lua_pushvalue(L, -1);
		if (lua_rawget(L, -3) == LUA_TNIL) {
			lua_pushvalue(L, -2);
			lua_pushboolean(L, true);
			lua_rawset(L, -5);
			lua_pushvalue(L, -2);
			lua_rawseti(L, -5, ++n);
		}
		lua_pop(L, 2);
	}
	lua_pop(L, 1);
	return 1;
}

/* Sizes from a list {{name, width, height}}. [arena: the state's] */
static void take_sizes(lua_State *L, int idx, mw_qmap_scene_opts *o)
{
	size_t n = (size_t)luaL_len(L, idx);
	mw_qmap_size *size = mw_arena_alloc(mw_lx_arena(L), (n + 1) * sizeof *size);

	if (!size) {
		(void)mw_lx_raise(L);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(L, idx, (lua_Integer)i + 1);
		int row = lua_gettop(L);
		lua_rawgeti(L, row, 1);
		size[i].name = mw_lx_str(L, -1, "texture"); /* kept alive by the list */
		for (int k = 0; k < 2; k++) {
			lua_rawgeti(L, row, k + 2);
			size[i].pixels[k] = (uint32_t)mw_lx_int(L, -1, "pixels", 1, 65536);
		}
		lua_settop(L, row - 1);
	}
	o->size = size;
	o->sizes = n;
}

/* model:scene([units_per_metre, axes, scene_units_per_metre, patch_steps, sizes]) -> scene,
 * findings; sizes: {{texture, width, height}} [unit: px] */
static int l_scene(lua_State *L)
{
	const mw_qmap *m = arg_model(L);
	mw_qmap_scene_opts o = scene_opts(L, 2);
	mw_ctx *cx = mw_lx_ctx(L);

	if (!lua_isnoneornil(L, 4))
		o.scene_units_per_metre = mw_lx_num(L, 4, "scene_units_per_metre");
	if (!lua_isnoneornil(L, 5))
		o.patch_steps = (uint32_t)mw_lx_int(L, 5, "patch_steps", 1, 64);
	if (!lua_isnoneornil(L, 6))
		take_sizes(L, 6, &o);
	mw_qmap_findings *found = mw_lx_new(L, &findings_type, sizeof *found);
	mw_scene *s = mw_lx_scene_new(L);
	mw_lx_check(L, mw_qmap_to_scene(cx, s, m, &o, found));
	push_findings(L, found);
	return 2;
}

/* from_scene(scene [, units_per_metre, axes]) -> model, losses {one, many, count} */
static int l_from_scene(lua_State *L)
{
	mw_scene *s = mw_lx_arg(L, 1, &mw_lx_scene_type);
	mw_qmap_scene_opts o = scene_opts(L, 2);
	mw_ctx *cx = mw_lx_ctx(L);
	mw_losses *l = mw_lx_new(L, &losses_type, sizeof *l);
	mw_qmap *m = mw_lx_new(L, &model_type, sizeof *m);

	mw_qmap_init(m, cx);
	mw_lx_check(L, mw_qmap_from_scene(cx, m, s, &o, l));
	lua_createtable(L, (int)l->n, 0);
	for (size_t i = 0; i < l->n; i++) {
		lua_createtable(L, 0, 3);
		set_text(L, "one", l->v[i].one);
		set_text(L, "many", l->v[i].many);
		set_int(L, "count", l->v[i].count);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 2;
}

/* dialect(name) -> our name and TrenchBroom's, or nil */
static int l_dialect(lua_State *L)
{
	mw_qmap_dialect d;

	if (!mw_qmap_dialect_named(mw_lx_str(L, 1, "name"), &d))
		return 0;
	lua_pushstring(L, mw_qmap_dialect_name(d));
	lua_pushstring(L, mw_qmap_format_name(d));
	return 2;
}

/* dialects() -> our names in order */
static int l_dialects(lua_State *L)
{
	lua_createtable(L, MW_QMAP_DIALECTS, 0);
	for (int i = 0; i < MW_QMAP_DIALECTS; i++) {
		lua_pushstring(L, mw_qmap_dialect_name((mw_qmap_dialect)i));
		lua_rawseti(L, -2, i + 1);
	}
	return 1;
}

int mw_luaopen_qmap(lua_State *L)
{
	static const luaL_Reg methods[] = {{"info", l_info}, {"solids", l_solids},
		{"entity", l_entity}, {"write", l_write}, {"scene", l_scene}, {"lint", l_lint},
		{"textures", l_textures}, {NULL, NULL}};
	static const luaL_Reg functions[] = {{"read", l_read}, {"dialect", l_dialect},
		{"dialects", l_dialects}, {"from_scene", l_from_scene}, {NULL, NULL}};

	mw_lx_type_define(L, &model_type, methods);
	mw_lx_type_define(L, &findings_type, NULL);
	mw_lx_type_define(L, &solids_type, NULL);
	mw_lx_type_define(L, &writer_type, NULL);
	mw_lx_type_define(L, &losses_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

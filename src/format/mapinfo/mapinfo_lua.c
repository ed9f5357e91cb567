/* core.mapinfo: the facts of Lua and TDF text, and running it as the engine does. */
#include "format/mapinfo/mapinfo_parse.h"
#include "format/mapinfo/mapinfo_tdf.h"

#include "bind/lx.h"
#include "bind/modules.h"
#include "format/mapinfo/mapinfo_eval.h"

typedef struct {
	mw_mapinfo_source source;
} source_box;

static void free_source(mw_ctx *cx, void *payload)
{
	source_box *box = payload;

	if (box->source.mem.cx)
		mw_mapinfo_source_free(cx, &box->source);
}

static const mw_lx_type source_type = {"mapwright.mapinfo_source", free_source};

static void set_int(lua_State *L, const char *key, lua_Integer v)
{
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

static void set_bool(lua_State *L, const char *key, bool v)
{
	if (!v)
		return;
	lua_pushboolean(L, 1);
	lua_setfield(L, -2, key);
}

static void set_sv(lua_State *L, const char *key, mw_sv s)
{
	lua_pushlstring(L, s.p ? s.p : "", s.n);
	lua_setfield(L, -2, key);
}

/* start and stop are those of string.sub: 1-based, stop included. */
static void set_span(lua_State *L, const mw_mapinfo_span *s)
{
	set_int(L, "line", s->line);
	set_int(L, "col", s->col);
	set_int(L, "start", (lua_Integer)s->start + 1);
	set_int(L, "stop", s->end);
}

static void push_source_value(lua_State *L, const mw_mapinfo_value *v)
{
	static const char *const kinds[] = {
		"other", "nil", "boolean", "number", "string", "table", "function", "name", "call"};

	lua_createtable(L, 0, 8);
	lua_pushstring(L, kinds[v->kind]);
	lua_setfield(L, -2, "kind");
	set_span(L, &v->span);
	switch (v->kind) {
	case MW_SRC_NUMBER:
		mw_mapinfo_push_number(L, v->number);
		lua_setfield(L, -2, "value");
		break;
	case MW_SRC_BOOL:
		lua_pushboolean(L, v->truth);
		lua_setfield(L, -2, "value");
		break;
	case MW_SRC_STRING:
	case MW_SRC_NAME:
		set_sv(L, "value", v->string);
		break;
	case MW_SRC_TABLE:
		set_int(L, "table", v->table + 1);
		break;
	default:
		break;
	}
}

static void push_fields(lua_State *L, const mw_mapinfo_source *s)
{
	static const char *const kinds[] = {"position", "name", "string", "number", "other"};

	lua_createtable(L, (int)s->fields.n, 0);
	for (size_t i = 0; i < s->fields.n; i++) {
		const mw_mapinfo_field *f = &s->fields.v[i];

		lua_createtable(L, 0, 10);
		set_int(L, "table", f->table + 1);
		lua_pushstring(L, kinds[f->kind]);
		lua_setfield(L, -2, "kind");
		set_span(L, &f->key);
		set_int(L, "last", f->end);
		if (f->kind == MW_KEY_NAME || f->kind == MW_KEY_STRING) {
			set_sv(L, "key", f->name);
		} else if (f->kind != MW_KEY_OTHER) {
			mw_mapinfo_push_number(L, f->number);
			lua_setfield(L, -2, "key");
		}
		push_source_value(L, &f->value);
		lua_setfield(L, -2, "value");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_stmts(lua_State *L, const mw_mapinfo_source *s)
{
	static const char *const kinds[] = {"local", "assign", "return"};

	lua_createtable(L, (int)s->stmts.n, 0);
	for (size_t i = 0; i < s->stmts.n; i++) {
		const mw_mapinfo_stmt *t = &s->stmts.v[i];

		lua_createtable(L, 0, 10);
		lua_pushstring(L, kinds[t->kind]);
		lua_setfield(L, -2, "kind");
		set_bool(L, "is_local", t->is_local);
		set_int(L, "depth", t->depth);
		set_int(L, "block", t->block);
		set_span(L, &t->span);
		lua_createtable(L, (int)t->path_n, 0);
		for (size_t k = 0; k < t->path_n; k++) {
			lua_pushlstring(L, t->path[k].p ? t->path[k].p : "", t->path[k].n);
			lua_rawseti(L, -2, (lua_Integer)k + 1);
		}
		lua_setfield(L, -2, "path");
		push_source_value(L, &t->value);
		lua_setfield(L, -2, "value");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_refs(lua_State *L, const mw_mapinfo_source *s)
{
	lua_createtable(L, (int)s->refs.n, 0);
	for (size_t i = 0; i < s->refs.n; i++) {
		const mw_mapinfo_ref *r = &s->refs.v[i];

		lua_createtable(L, 0, 10);
		set_sv(L, "name", r->name);
		if (r->field.n)
			set_sv(L, "field", r->field);
		set_span(L, &r->span);
		set_bool(L, "write", r->write);
		set_bool(L, "tested", r->tested);
		set_bool(L, "guarded", r->guarded);
		set_int(L, "depth", r->depth);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_spans(lua_State *L, const mw_mapinfo_span *v, size_t n)
{
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		lua_createtable(L, 0, 4);
		set_span(L, &v[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_comments(lua_State *L, const mw_mapinfo_source *s, mw_sv text)
{
	lua_createtable(L, (int)s->tokens.comments.n, 0);
	for (size_t i = 0; i < s->tokens.comments.n; i++) {
		const mw_mapinfo_token *t = &s->tokens.comments.v[i];
		mw_mapinfo_span span = {t->start, t->end, t->line, t->col};

		lua_createtable(L, 0, 5);
		set_span(L, &span);
		lua_pushlstring(L, text.p + t->start, t->end - t->start);
		lua_setfield(L, -2, "text");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* nil, {kind, message, line, offset} for what cx recorded, or raises when out of memory. */
static int push_bad_text(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);

	if (cx->err.code == MW_ENOMEM)
		return mw_lx_raise(L);
	lua_pushnil(L);
	lua_createtable(L, 0, 4);
	lua_pushliteral(L, "syntax");
	lua_setfield(L, -2, "kind");
	lua_pushstring(L, cx->err.msg);
	lua_setfield(L, -2, "message");
	set_int(L, "line", cx->err.line > 0 ? cx->err.line : 1);
	if (cx->err.offset >= 0)
		set_int(L, "start", cx->err.offset + 1);
	mw_err_clear(cx);
	return 2;
}

/* parse(text) -> {tables, fields, stmts, refs, comments} or nil, {kind, message, line, start} */
static int l_parse(lua_State *L)
{
	mw_sv text = mw_lx_str(L, 1, "text");
	source_box *box = mw_lx_new(L, &source_type, sizeof *box);
	const mw_mapinfo_source *s = &box->source;

	if (mw_mapinfo_parse(mw_lx_ctx(L), &box->source, text.p, text.n) != MW_OK)
		return push_bad_text(L);
	lua_createtable(L, 0, 5);
	push_spans(L, s->tables.v, s->tables.n);
	lua_setfield(L, -2, "tables");
	push_fields(L, s);
	lua_setfield(L, -2, "fields");
	push_stmts(L, s);
	lua_setfield(L, -2, "stmts");
	push_refs(L, s);
	lua_setfield(L, -2, "refs");
	push_comments(L, s, text);
	lua_setfield(L, -2, "comments");
	free_source(mw_lx_ctx(L), box);
	return 1;
}

/* {name, line, col, value = text} or {name, line, col, items = {...}} in the order of the file */
static void push_tdf(lua_State *L, const mw_val *map)
{
	luaL_checkstack(L, 8, "sections");
	lua_createtable(L, (int)map->u.map.n, 0);
	for (size_t i = 0; i < map->u.map.n; i++) {
		const mw_val_pair *pair = &map->u.map.v[i];

		lua_createtable(L, 0, 6);
		set_sv(L, "name", pair->key);
		set_int(L, "line", pair->key_line);
		set_int(L, "col", pair->key_col);
		if (pair->val.kind == MW_MAP) {
			push_tdf(L, &pair->val);
			lua_setfield(L, -2, "items");
		} else {
			set_sv(L, "value", pair->val.u.str);
			set_int(L, "value_line", pair->val.line);
			set_int(L, "value_col", pair->val.col);
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* tdf(text) -> rows, or nil, {kind, message, line, start} */
static int l_tdf(lua_State *L)
{
	mw_sv text = mw_lx_str(L, 1, "text");
	mw_arena *arena = mw_lx_arena(L);
	mw_val map;

	if (mw_mapinfo_tdf_read(mw_lx_ctx(L), arena, &map, text.p, text.n) != MW_OK)
		return push_bad_text(L);
	push_tdf(L, &map);
	return 1;
}

/* number_text(v) -> as the engine's tostring writes it */
static int l_number_text(lua_State *L)
{
	char text[MW_NUM_TEXT];
	size_t n = mw_mapinfo_number_text(luaL_checknumber(L, 1), text);

	lua_pushlstring(L, text, n);
	return 1;
}

/* float(v) -> v as a float32 */
static int l_float(lua_State *L)
{
	lua_pushnumber(L, (double)(float)luaL_checknumber(L, 1));
	return 1;
}

/* count16(bytes, value) -> how many of the little-endian words have that value */
static int l_count16(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	unsigned value = (unsigned)mw_lx_int(L, 2, "value", 0, 65535);
	lua_Integer n = 0;

	for (size_t i = 0; i + 1 < bytes.n; i += 2)
		n += ((unsigned char)bytes.p[i] | (unsigned)(unsigned char)bytes.p[i + 1] << 8) ==
			value;
	lua_pushinteger(L, n);
	return 1;
}

/* see_through(bytes, offset, blocks) -> how many of the DXT1 blocks have a texel without colour:
 * the first end is not above the second, and an index is 3 */
static int l_see_through(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	size_t at = (size_t)mw_lx_int(L, 2, "offset", 0, INT32_MAX);
	size_t blocks = (size_t)mw_lx_int(L, 3, "blocks", 0, INT64_MAX), n = 0;

	for (; blocks > 0 && at + 8 <= bytes.n; blocks--, at += 8) {
		const unsigned char *p = (const unsigned char *)bytes.p + at;
		uint32_t picks =
			p[4] | (uint32_t)p[5] << 8 | (uint32_t)p[6] << 16 | (uint32_t)p[7] << 24;

		if ((p[0] | p[1] << 8) <= (p[2] | p[3] << 8) && (picks & picks >> 1 & 0x55555555u))
			n++;
	}
	lua_pushinteger(L, (lua_Integer)n);
	return 1;
}

int mw_luaopen_mapinfo(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"count16", l_count16},
		{"float", l_float},
		{"number_text", l_number_text},
		{"parse", l_parse},
		{"run", mw_mapinfo_l_run},
		{"see_through", l_see_through},
		{"tdf", l_tdf},
		{NULL, NULL},
	};

	mw_lx_type_define(L, &source_type, NULL);
	mw_mapinfo_eval_open(L);
	luaL_newlib(L, functions);
	return 1;
}

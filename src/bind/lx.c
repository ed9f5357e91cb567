#include "bind/lx.h"

#include "base/mem.h"
#include "base/str.h"
#include "bind/host.h"

#include <math.h>
#include <string.h>

mw_ctx *mw_lx_ctx(lua_State *L)
{
	return mw_host_ctx(mw_host_of(L));
}

static const char error_meta[] = "mapwright.error";

static int error_tostring(lua_State *L)
{
	lua_getfield(L, 1, "at");
	lua_getfield(L, 1, "message");
	luaL_tolstring(L, -1, NULL);
	if (lua_isstring(L, -3) && *lua_tostring(L, -3))
		lua_pushfstring(L, "%s: %s", lua_tostring(L, -3), lua_tostring(L, -1));
	return 1;
}

static void set_string(lua_State *L, const char *key, const char *text)
{
	if (*text) {
		lua_pushstring(L, text);
		lua_setfield(L, -2, key);
	}
}

/* Chunks are "=mapwright/terrain.lua", and "=mapwright.lua" for the module that scripts require. */
static bool of_library(const char *source)
{
	return strncmp(source, "=mapwright/", 11) == 0 || strcmp(source, "=mapwright.lua") == 0;
}

void mw_lx_push_where(lua_State *L)
{
	lua_Debug ar;

	for (int level = 0; lua_getstack(L, level, &ar); level++) {
		lua_getinfo(L, "Sl", &ar);
		if (ar.currentline < 0 || of_library(ar.source))
			continue;
		lua_pushfstring(L, "%s:%d",
			*ar.source == '@' || *ar.source == '=' ? ar.source + 1 : ar.short_src,
			ar.currentline);
		return;
	}
	lua_pushliteral(L, "");
}

void mw_lx_push_error(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_err err = cx->err;
	char message[MW_ERR_MSG + MW_ERR_SUBJECT + 64];

	mw_err_clear(cx);
	mw_err_format(&err, message, sizeof message);
	lua_createtable(L, 0, 6);
	set_string(L, "code", mw_code_name(err.code));
	set_string(L, "file", err.subject);
	set_string(L, "message", message);
	if (err.line != MW_ERR_NOWHERE) {
		lua_pushinteger(L, err.line);
		lua_setfield(L, -2, "line");
	}
	if (err.offset != MW_ERR_NOWHERE) {
		lua_pushinteger(L, err.offset);
		lua_setfield(L, -2, "offset");
	}
	mw_lx_push_where(L);
	lua_setfield(L, -2, "at");
	if (luaL_newmetatable(L, error_meta)) {
		lua_pushcfunction(L, error_tostring);
		lua_setfield(L, -2, "__tostring");
		lua_pushstring(L, error_meta);
		lua_setfield(L, -2, "__name");
	}
	lua_setmetatable(L, -2);
}

int mw_lx_raise(lua_State *L)
{
	mw_lx_push_error(L);
	return lua_error(L);
}

void mw_lx_check(lua_State *L, mw_code code)
{
	if (code != MW_OK)
		mw_lx_raise(L);
}

/* The payload's type sits in the metatable under this key, so that one __gc serves all types. */
static const char type_key = 0;

static int free_payload(lua_State *L)
{
	void *payload = lua_touserdata(L, 1);

	if (payload && lua_getmetatable(L, 1)) {
		const mw_lx_type *type;

		lua_rawgetp(L, -1, &type_key);
		type = lua_touserdata(L, -1);
		if (type && type->free)
			type->free(mw_lx_ctx(L), payload);
	}
	return 0;
}

void mw_lx_type_define(lua_State *L, const mw_lx_type *type, const luaL_Reg *methods)
{
	if (luaL_newmetatable(L, type->name)) {
		lua_pushlightuserdata(L, (void *)(uintptr_t)type);
		lua_rawsetp(L, -2, &type_key);
		lua_pushcfunction(L, free_payload);
		lua_setfield(L, -2, "__gc");
		lua_pushcfunction(L, free_payload);
		lua_setfield(L, -2, "__close");
		lua_pushvalue(L, -1);
		lua_setfield(L, -2, "__index");
		if (methods)
			luaL_setfuncs(L, methods, 0);
	}
	lua_pop(L, 1);
}

void *mw_lx_new(lua_State *L, const mw_lx_type *type, size_t size)
{
	void *payload = lua_newuserdatauv(L, size, 1);

	memset(payload, 0, size);
	luaL_setmetatable(L, type->name);
	return payload;
}

void *mw_lx_arg(lua_State *L, int idx, const mw_lx_type *type)
{
	return luaL_checkudata(L, idx, type->name);
}

void *mw_lx_test(lua_State *L, int idx, const mw_lx_type *type)
{
	return luaL_testudata(L, idx, type->name);
}

static void arena_free(mw_ctx *cx, void *payload)
{
	MW_UNUSED(cx);
	mw_arena_free(payload);
}

static const mw_lx_type arena_type = {"mapwright.arena", arena_free};

mw_arena *mw_lx_arena(lua_State *L)
{
	mw_arena *a;

	mw_lx_type_define(L, &arena_type, NULL);
	a = mw_lx_new(L, &arena_type, sizeof *a);
	mw_arena_init(a, mw_lx_ctx(L));
	return a;
}

int mw_lx_bad(lua_State *L, int idx, const char *name, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	MW_UNUSED(idx);
	va_start(ap, fmt);
	mw_vformat(text, sizeof text, fmt, ap);
	va_end(ap);
	mw_lx_push_where(L);
	lua_pushfstring(
		L, "%s%s%s: %s", lua_tostring(L, -1), *lua_tostring(L, -1) ? ": " : "", name, text);
	return lua_error(L);
}

double mw_lx_num(lua_State *L, int idx, const char *name)
{
	double v;

	if (lua_type(L, idx) != LUA_TNUMBER)
		mw_lx_bad(L, idx, name, "expected a number, got %s", luaL_typename(L, idx));
	v = lua_tonumber(L, idx);
	if (!isfinite(v))
		mw_lx_bad(L, idx, name, "%s is not a usable number", isnan(v) ? "nan" : "infinity");
	return v;
}

double mw_lx_num_in(lua_State *L, int idx, const char *name, double min, double max)
{
	double v = mw_lx_num(L, idx, name);
	char got[MW_NUM_TEXT], lo[MW_NUM_TEXT], hi[MW_NUM_TEXT];

	if (v < min || v > max) {
		mw_num_text(v, got);
		mw_num_text(min, lo);
		mw_num_text(max, hi);
		mw_lx_bad(L, idx, name, "%s is outside %s..%s", got, lo, hi);
	}
	return v;
}

int64_t mw_lx_int(lua_State *L, int idx, const char *name, int64_t min, int64_t max)
{
	double v = mw_lx_num(L, idx, name);
	char got[MW_NUM_TEXT];
	int whole;
	lua_Integer i = lua_tointegerx(L, idx, &whole);

	if (MW_LIKELY(whole && i >= min && i <= max))
		return i;
	mw_num_text(v, got);
	if (!whole)
		mw_lx_bad(L, idx, name, "%s is not a whole number", got);
	return mw_lx_bad(
		L, idx, name, "%s is outside %lld..%lld", got, (long long)min, (long long)max);
}

bool mw_lx_bool(lua_State *L, int idx)
{
	return lua_toboolean(L, idx) != 0;
}

mw_sv mw_lx_str(lua_State *L, int idx, const char *name)
{
	mw_sv s;

	if (lua_type(L, idx) != LUA_TSTRING)
		mw_lx_bad(L, idx, name, "expected a string, got %s", luaL_typename(L, idx));
	s.p = lua_tolstring(L, idx, &s.n);
	return s;
}

int mw_lx_enum(lua_State *L, int idx, const char *name, const char *const *names, int n)
{
	mw_sv s = mw_lx_str(L, idx, name);
	char all[256] = "";
	size_t at = 0;

	for (int i = 0; i < n; i++)
		if (mw_sv_eq(s, mw_sv_of(names[i])))
			return i;
	for (int i = 0; i < n && at < sizeof all; i++) {
		mw_format(all + at, sizeof all - at, "%s'%s'", i ? ", " : "", names[i]);
		at += strlen(all + at);
	}
	return mw_lx_bad(L, idx, name, "must be one of %s, got '%.60s'", all, s.p);
}

void mw_lx_push_val(lua_State *L, const mw_val *v)
{
	luaL_checkstack(L, 4, "value nested too deep");
	switch (v->kind) {
	case MW_NIL:
		lua_pushnil(L);
		break;
	case MW_BOOL:
		lua_pushboolean(L, v->u.b);
		break;
	case MW_INT:
		lua_pushinteger(L, v->u.i);
		break;
	case MW_NUM:
		lua_pushnumber(L, v->u.num);
		break;
	case MW_STRING:
		lua_pushlstring(L, v->u.str.p, v->u.str.n);
		break;
	case MW_LIST:
		lua_newtable(L);
		for (size_t i = 0; i < v->u.list.n; i++) {
			mw_lx_push_val(L, &v->u.list.v[i]);
			lua_rawseti(L, -2, (lua_Integer)i + 1);
		}
		break;
	case MW_MAP:
		lua_newtable(L);
		for (size_t i = 0; i < v->u.map.n; i++) {
			lua_pushlstring(L, v->u.map.v[i].key.p, v->u.map.v[i].key.n);
			mw_lx_push_val(L, &v->u.map.v[i].val);
			lua_rawset(L, -3);
		}
		break;
	}
}

static mw_val out_of_memory(lua_State *L)
{
	mw_lx_raise(L);
	return mw_val_nil();
}

static mw_val to_val(lua_State *L, int idx, mw_arena *a, uint32_t depth);

/* The table's string keys, sorted bytewise, as a Lua list on top of the stack; returns how many. */
static lua_Integer sorted_keys(lua_State *L, int idx)
{
	lua_Integer n = 0;

	lua_newtable(L);
	for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
		if (lua_type(L, -2) != LUA_TSTRING)
			luaL_error(
				L, "a table with both list items and named keys cannot be written");
		lua_pushvalue(L, -2);
		lua_rawseti(L, -4, ++n);
	}
	lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	lua_getfield(L, -1, "table"); /* the library itself, whatever a script did to its globals */
	lua_getfield(L, -1, "sort");
	lua_replace(L, -3);
	lua_pop(L, 1);
	lua_pushvalue(L, -2);
	lua_call(L, 1, 0);
	return n;
}

static mw_val table_to_val(lua_State *L, int idx, mw_arena *a, uint32_t depth)
{
	lua_Integer n = (lua_Integer)lua_rawlen(L, idx);
	mw_val v = n ? mw_val_list() : mw_val_map();

	luaL_checkstack(L, 8, "value nested too deep");
	for (lua_Integer i = 1; i <= n; i++) {
		lua_rawgeti(L, idx, i);
		if (!mw_val_push(a, &v, to_val(L, lua_gettop(L), a, depth + 1)))
			return out_of_memory(L);
		lua_pop(L, 1);
	}
	if (n)
		return v;
	lua_pushnil(L);
	if (!lua_next(L, idx))
		return mw_val_list();
	lua_pop(L, 2);
	n = sorted_keys(L, idx);
	for (lua_Integer i = 1; i <= n; i++) {
		mw_sv key;

		lua_rawgeti(L, -1, i);
		key.p = lua_tolstring(L, -1, &key.n);
		lua_pushvalue(L, -1);
		lua_rawget(L, idx);
		if (!mw_val_add(a, &v, key, to_val(L, lua_gettop(L), a, depth + 1)))
			return out_of_memory(L);
		lua_pop(L, 2);
	}
	lua_pop(L, 1);
	return v;
}

static mw_val to_val(lua_State *L, int idx, mw_arena *a, uint32_t depth)
{
	if (depth > a->cx->limits.depth)
		luaL_error(L, "a table nested deeper than %d levels (does it contain itself?)",
			(int)a->cx->limits.depth);
	switch (lua_type(L, idx)) {
	case LUA_TNIL:
		return mw_val_nil();
	case LUA_TBOOLEAN:
		return mw_val_bool(lua_toboolean(L, idx));
	case LUA_TNUMBER:
		return lua_isinteger(L, idx) ? mw_val_int(lua_tointeger(L, idx))
					     : mw_val_num(lua_tonumber(L, idx));
	case LUA_TSTRING: {
		size_t n;
		const char *s = lua_tolstring(L, idx, &n);
		mw_val v = mw_val_str(a, s, n);

		return v.kind == MW_STRING ? v : out_of_memory(L);
	}
	case LUA_TTABLE:
		return table_to_val(L, idx, a, depth);
	default:
		luaL_error(L, "a %s cannot be written", luaL_typename(L, idx));
		return mw_val_nil();
	}
}

mw_val mw_lx_to_val(lua_State *L, int idx, mw_arena *a)
{
	return to_val(L, lua_absindex(L, idx), a, 0);
}

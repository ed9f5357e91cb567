#include "format/mapinfo/mapinfo_eval_internal.h"

#include "bind/lx.h"
#include "bind/sandbox.h"

#include <string.h>

/* The globals of every run and those of one, besides VFS. */

static int g_nothing(lua_State *S)
{
	MW_UNUSED(S);
	return 0;
}

/* Spring.TimeCheck(name, function, ...) */
static int g_time_check(lua_State *S)
{
	luaL_checktype(S, 2, LUA_TFUNCTION);
	lua_remove(S, 1);
	lua_call(S, lua_gettop(S) - 1, LUA_MULTRET);
	return lua_gettop(S);
}

static int g_random(lua_State *S)
{
	mw__eval_event(mw__eval_of(S), S, "random", NULL);
	return 0;
}

static int g_keep_case(lua_State *S)
{
	mw__eval_of(S)->keep_case = !lua_toboolean(S, 1);
	return 0;
}

static int g_map_options(lua_State *S)
{
	lua_newtable(S);
	for (lua_pushnil(S); lua_next(S, lua_upvalueindex(1)); lua_pop(S, 1)) {
		lua_pushvalue(S, -2);
		lua_pushvalue(S, -2);
		lua_rawset(S, -5);
	}
	return 1;
}

static int g_min_version(lua_State *S)
{
	lua_pushboolean(S, 1);
	return 1;
}

/* ---- Encoding -------------------------------------------------------------------------------- */

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int g_encode(lua_State *S)
{
	size_t n;
	const char *s = mw_sandbox_text(S, 1, &n);
	luaL_Buffer b;

	mw_sandbox_spend(S, n);
	luaL_buffinit(S, &b);
	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = 0;

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (i + k < n ? (unsigned char)s[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			luaL_addchar(&b, i + k > n ? '=' : base64[v >> (18 - 6 * k) & 63]);
	}
	luaL_pushresult(&b);
	return 1;
}

static int g_decode(lua_State *S)
{
	size_t n;
	const char *s = mw_sandbox_text(S, 1, &n);
	uint32_t v = 0;
	int bits = 0;
	luaL_Buffer b;

	mw_sandbox_spend(S, n);
	luaL_buffinit(S, &b);
	for (size_t i = 0; i < n; i++) {
		const char *at = s[i] ? strchr(base64, s[i]) : NULL;

		if (!at)
			continue;
		v = (v << 6 | (uint32_t)(at - base64)) & 0xffffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			luaL_addchar(&b, (char)(unsigned char)(v >> bits & 255));
		}
	}
	luaL_pushresult(&b);
	return 1;
}

/* ---- opening --------------------------------------------------------------------------------- */

static void set_function(lua_State *S, const char *name, lua_CFunction f)
{
	lua_pushcfunction(S, f);
	lua_setfield(S, -2, name);
}

static void set_text(lua_State *S, const char *name, const char *text)
{
	lua_pushstring(S, text);
	lua_setfield(S, -2, name);
}

static void set_number(lua_State *S, const char *name, double v)
{
	lua_pushnumber(S, v);
	lua_setfield(S, -2, name);
}

/* Globals of every run (rts/Lua/LuaParser.cpp:123-201). */
int mw__eval_open_globals(lua_State *S)
{
	static const char *const levels[] = {
		"DEBUG", "INFO", "NOTICE", "DEPRECATED", "WARNING", "ERROR", "FATAL"};

	mw__eval_open_vfs(S);
	lua_newtable(S);
	set_function(S, "Echo", g_nothing);
	set_function(S, "Log", g_nothing);
	set_function(S, "TimeCheck", g_time_check);
	lua_setglobal(S, "Spring");
	lua_newtable(S);
	set_function(S, "IsEngineMinVersion", g_min_version);
	lua_setglobal(S, "Script");
	lua_newtable(S);
	set_text(S, "version", "2025.06");
	set_text(S, "versionFull", "2025.06");
	set_text(S, "versionPatchSet", "0");
	set_text(S, "buildFlags", "");
	set_number(S, "wordSize", 64);
	lua_setglobal(S, "Engine");
	lua_newtable(S);
	for (size_t i = 0; i < MW_COUNTOF(levels); i++)
		set_number(S, levels[i], 20 + 5 * (double)i);
	lua_setglobal(S, "LOG");
	lua_newtable(S);
	set_function(S, "EncodeBase64", g_encode);
	set_function(S, "DecodeBase64", g_decode);
	set_function(S, "IsValidBase64", g_min_version);
	lua_setglobal(S, "Encoding");
	lua_pushcfunction(S, g_keep_case);
	lua_setglobal(S, "DontMessWithMyCase");
	lua_getglobal(S, "math");
	set_function(S, "random", g_random);
	set_function(S, "randomseed", g_random);
	return 0;
}

int mw__eval_open_extras(lua_State *S)
{
	mw__eval_extras *x = lua_touserdata(S, 1);
	lua_State *L = x->L;

	if (x->options) {
		lua_getglobal(S, "Spring");
		lua_newtable(S);
		for (lua_pushnil(L); lua_next(L, x->options); lua_pop(L, 1)) {
			if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
				continue;
			lua_pushstring(S, lua_tostring(L, -1));
			lua_setfield(S, -2, lua_tostring(L, -2));
		}
		lua_pushcclosure(S, g_map_options, 1);
		lua_setfield(S, -2, "GetMapOptions");
	}
	if (x->map) {
		lua_newtable(S);
		for (lua_pushnil(L); lua_next(L, x->map); lua_pop(L, 1)) {
			if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
				continue;
			lua_pushstring(S, lua_tostring(L, -1));
			lua_setfield(S, -2, lua_tostring(L, -2));
		}
		lua_setglobal(S, "Map");
	}
	return 0;
}

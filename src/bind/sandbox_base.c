#include "bind/sandbox_lib.h"

#include <lualib.h>
#include <string.h>

/* The base and coroutine functions of Lua 5.1 over the built-in Lua 5.4. */

/* ---- calls that catch errors ----------------------------------------------------------------- */

/* An error that stopped the program goes on to the outside. */
static void pass_on(lua_State *L, int status)
{
	if (status == LUA_ERRMEM)
		mw__sandbox_stop(L, MW_SANDBOX_MEMORY);
	if (mw__sandbox_stopped(L))
		lua_error(L);
}

static int l_pcall(lua_State *L)
{
	int status;

	luaL_checkany(L, 1);
	status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
	if (status != LUA_OK)
		pass_on(L, status);
	lua_pushboolean(L, status == LUA_OK);
	lua_insert(L, 1);
	return lua_gettop(L);
}

/* The user's handler (upvalue), but not once the program was stopped: it would run where no count
 * reaches it. */
static int handle(lua_State *L)
{
	if (mw__sandbox_stopped(L))
		return 1;
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 1, 1);
	return 1;
}

static int l_xpcall(lua_State *L)
{
	int status;

	luaL_checkany(L, 2);
	lua_settop(L, 2);
	lua_pushcclosure(L, handle, 1);
	lua_insert(L, 1); /* below the function */
	status = lua_pcall(L, 0, LUA_MULTRET, 1);
	if (status != LUA_OK)
		pass_on(L, status);
	lua_pushboolean(L, status == LUA_OK);
	lua_replace(L, 1);
	return lua_gettop(L);
}

/* coroutine.resume, the original in the upvalue. */
static int l_resume(lua_State *L)
{
	int n = lua_gettop(L);

	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, n, LUA_MULTRET);
	if (mw__sandbox_stopped(L)) {
		lua_settop(L, 2);
		lua_error(L);
	}
	return lua_gettop(L);
}

/* ---- environments, loading ------------------------------------------------------------------- */

static int l_getfenv(lua_State *L)
{
	if (lua_isfunction(L, 1)) {
		const char *name;

		for (int i = 1; (name = lua_getupvalue(L, 1, i)) != NULL; i++) {
			if (strcmp(name, "_ENV") == 0)
				return 1;
			lua_pop(L, 1);
		}
		lua_pushglobaltable(L);
		return 1;
	}
	lua_Integer level = mw__sandbox_opt_int(L, 1, 1);
	lua_Debug ar;

	luaL_argcheck(L, level >= 0, 1, "level must be non-negative");
	luaL_argcheck(L, level == 0 || lua_getstack(L, (int)level, &ar), 1, "invalid level");
	mw_sandbox_push_env(L, (int)level);
	return 1;
}

static int l_setfenv(lua_State *L)
{
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	if (!lua_isfunction(L, 1)) {
		lua_Integer level = mw__sandbox_int(L, 1);
		lua_Debug ar;

		luaL_argcheck(L, level >= 0, 1, "level must be non-negative");
		if (level == 0)
			return luaL_error(L, "setfenv(0, ...) is not supported here");
		luaL_argcheck(L, lua_getstack(L, (int)level, &ar), 1, "invalid level");
		lua_getinfo(L, "f", &ar);
		lua_replace(L, 1);
	}
	if (!mw_sandbox_set_env(L, 1))
		return luaL_error(L, "'setfenv' cannot change environment of given object");
	lua_settop(L, 1);
	return 1;
}

static int l_loadstring(lua_State *L)
{
	size_t n;
	const char *text = mw_sandbox_text(L, 1, &n);
	const char *chunk = luaL_optstring(L, 2, text);

	return mw_sandbox_compile(L, text, n, chunk) ? 1 : 2;
}

static int l_load(lua_State *L)
{
	const char *chunk = luaL_optstring(L, 2, "=(load)");
	luaL_Buffer b;
	size_t n;

	if (lua_type(L, 1) == LUA_TSTRING) /* refused by 5.1 as well, which takes a function only */
		return luaL_typeerror(L, 1, "function");
	luaL_checktype(L, 1, LUA_TFUNCTION);
	lua_settop(L, 2);
	luaL_buffinit(L, &b);
	for (;;) {
		lua_pushvalue(L, 1);
		lua_call(L, 0, 1);
		if (lua_isnil(L, -1) || (lua_isstring(L, -1) && lua_rawlen(L, -1) == 0)) {
			lua_pop(L, 1);
			break;
		}
		if (!lua_isstring(L, -1))
			return luaL_error(L, "reader function must return a string");
		luaL_addvalue(&b);
	}
	luaL_pushresult(&b);
	{
		const char *text = lua_tolstring(L, -1, &n);

		return mw_sandbox_compile(L, text, n, chunk) ? 1 : 2;
	}
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Without finalizers: they would run outside of every limit. */
static int l_setmetatable(lua_State *L)
{
	int t = lua_type(L, 2);

	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_argexpected(L, t == LUA_TNIL || t == LUA_TTABLE, 2, "nil or table");
	if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
		return luaL_error(L, "cannot change a protected metatable");
	lua_settop(L, 2);
	if (t == LUA_TTABLE) {
		lua_pushliteral(L, "__gc");
		lua_pushvalue(L, -1);
		lua_rawget(L, 2); /* 3: the name, 4: the finalizer */
		lua_pushvalue(L, 3);
		lua_pushnil(L);
		lua_rawset(L, 2);
		lua_pushvalue(L, 2);
		lua_setmetatable(L, 1);
		lua_rawset(L, 2);
	} else {
		lua_setmetatable(L, 1);
	}
	lua_settop(L, 1);
	return 1;
}

static int l_next(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 2);
	if (lua_next(L, 1))
		return 2;
	lua_pushnil(L);
	return 1;
}

static int l_unpack(lua_State *L)
{
	lua_Integer from, to;

	luaL_checktype(L, 1, LUA_TTABLE);
	from = mw__sandbox_opt_int(L, 2, 1);
	to = lua_isnoneornil(L, 3) ? (lua_Integer)lua_rawlen(L, 1) : mw__sandbox_int(L, 3);
	if (from > to)
		return 0;
	if (to - from >= 100000 || !lua_checkstack(L, (int)(to - from) + 1))
		return luaL_error(L, "too many results to unpack");
	mw_sandbox_spend(L, (uint64_t)(to - from));
	for (lua_Integer i = from; i <= to; i++)
		lua_rawgeti(L, 1, i);
	return (int)(to - from) + 1;
}

static int l_tonumber(lua_State *L)
{
	lua_Integer base = mw__sandbox_opt_int(L, 2, 10);
	double v = 0;

	if (base == 10) {
		luaL_checkany(L, 1);
		if (mw__sandbox_to_number(L, 1, &v)) {
			mw__sandbox_push_number(L, v);
			return 1;
		}
	} else {
		size_t n, digits = 0;
		const char *s = mw_sandbox_text(L, 1, &n);
		bool minus;

		luaL_argcheck(L, 2 <= base && base <= 36, 2, "base out of range");
		while (*s == ' ')
			s++;
		minus = *s == '-';
		s += minus;
		for (;; s++, digits++) {
			int c = *s | 0x20;
			int digit = *s >= '0' && *s <= '9' ? *s - '0'
				: c >= 'a' && c <= 'z'     ? c - 'a' + 10
							   : 99;

			if (digit >= base)
				break;
			v = v * (double)base + digit;
		}
		while (*s == ' ')
			s++;
		if (digits > 0 && *s == '\0') {
			mw__sandbox_push_number(L, minus ? -v : v);
			return 1;
		}
	}
	lua_pushnil(L);
	return 1;
}

static int l_tostring(lua_State *L)
{
	luaL_checkany(L, 1);
	mw_sandbox_push_text(L, 1);
	return 1;
}

static int l_nothing(lua_State *L)
{
	MW_UNUSED(L);
	return 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

static void take(lua_State *L, int from, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		lua_getfield(L, from, names[i]);
		lua_setfield(L, -2, names[i]);
	}
}

void mw__sandbox_open_base(lua_State *L)
{
	static const char *const kept[] = {"assert", "error", "getmetatable", "ipairs", "rawequal",
		"rawget", "rawset", "select", "type"};
	static const char *const routines[] = {"create", "running", "status", "wrap", "yield"};
	static const luaL_Reg functions[] = {{"pcall", l_pcall}, {"xpcall", l_xpcall},
		{"getfenv", l_getfenv}, {"setfenv", l_setfenv}, {"load", l_load},
		{"loadstring", l_loadstring}, {"setmetatable", l_setmetatable},
		{"pairs", mw__sandbox_pairs}, {"next", l_next}, {"unpack", l_unpack},
		{"tonumber", l_tonumber}, {"tostring", l_tostring}, {"print", l_nothing},
		{NULL, NULL}};
	int base;

	lua_pushglobaltable(L);
	luaL_requiref(L, "_G", luaopen_base, 0); /* fills the global table itself */
	lua_pop(L, 2);
	lua_newtable(L); /* the new globals */
	base = lua_gettop(L);
	lua_pushglobaltable(L);
	lua_insert(L, base); /* base: the old, base + 1: the new */
	take(L, base, kept, MW_COUNTOF(kept));
	luaL_setfuncs(L, functions, 0);
	lua_pushvalue(L, base + 1);
	lua_setfield(L, base + 1, "_G");
	lua_pushliteral(L, "Lua 5.1");
	lua_setfield(L, base + 1, "_VERSION");
	luaL_requiref(L, "coroutine", luaopen_coroutine, 0); /* base + 2 */
	lua_newtable(L);
	take(L, base + 2, routines, MW_COUNTOF(routines));
	lua_getfield(L, base + 2, "resume");
	lua_pushcclosure(L, l_resume, 1);
	lua_setfield(L, -2, "resume");
	lua_setfield(L, base + 1, "coroutine");
	lua_settop(L, base + 1);
	lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
	lua_settop(L, base - 1);
	/* what was loaded on the way stays out of reach: no require, no package, no registry */
}

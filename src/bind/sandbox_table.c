#include "bind/sandbox_lib.h"

#include "base/sort.h"

#include <lualib.h>

/* The library table of Lua 5.1 over that of 5.4, and pairs in a fixed order. */

/* ---- pairs ----------------------------------------------------------------------------------- */

typedef struct {
	int kind; /* 0 number, 1 text, 2 others */
	double number;
	mw_sv text;
	int at;
} sort_key;

static int compare_keys(const void *a, const void *b, void *ud)
{
	const sort_key *x = a, *y = b;

	MW_UNUSED(ud);
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->kind == 0)
		return x->number < y->number ? -1 : x->number > y->number ? 1 : 0;
	return x->kind == 1 ? mw_sv_cmp(x->text, y->text) : 0;
}

static int pairs_step(lua_State *L)
{
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));

	for (;;) {
		i++;
		if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL)
			return 1;
		lua_pushvalue(L, -1);
		if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
			break;
		lua_pop(L, 2);
	}
	lua_pushinteger(L, i);
	lua_replace(L, lua_upvalueindex(3));
	return 2;
}

int mw__sandbox_pairs(lua_State *L)
{
	mw_ctx *cx = mw_sandbox_ctx(mw_sandbox_of(L));
	sort_key *keys;
	int n = 0, i = 0;

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	lua_newtable(L); /* 2: keys in the table's own order */
	for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
		lua_pushvalue(L, -2);
		lua_rawseti(L, 2, ++n);
	}
	mw_sandbox_spend(L, (uint64_t)n * 4);
	keys = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *keys * 2, 0); /* 3 */
	for (i = 0; i < n; i++) {
		sort_key *k = &keys[i];

		lua_rawgeti(L, 2, i + 1);
		k->at = i + 1;
		k->kind = lua_type(L, -1) == LUA_TNUMBER ? 0
			: lua_type(L, -1) == LUA_TSTRING ? 1
							 : 2;
		k->number = k->kind == 0 ? lua_tonumber(L, -1) : 0;
		k->text.p = "";
		k->text.n = 0;
		if (k->kind == 1)
			k->text.p = lua_tolstring(L, -1, &k->text.n);
		lua_pop(L, 1);
	}
	if (mw_sort(cx, keys, (size_t)n, sizeof *keys, compare_keys, NULL) != MW_OK) {
		mw_err_clear(cx);
		return mw__sandbox_no_memory(L);
	}
	lua_pushvalue(L, 1);
	lua_createtable(L, n, 0);
	for (i = 0; i < n; i++) {
		lua_rawgeti(L, 2, keys[i].at);
		lua_rawseti(L, -2, i + 1);
	}
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, pairs_step, 3);
	lua_pushvalue(L, 1);
	lua_pushnil(L);
	return 3;
}

/* ---- as lists -------------------------------------------------------------------------------- */

static int l_concat(lua_State *L)
{
	size_t sep_n = 0, bytes = 0, n;
	const char *sep = lua_isnoneornil(L, 2) ? "" : mw_sandbox_text(L, 2, &sep_n);
	lua_Integer from, to;
	luaL_Buffer b;

	luaL_checktype(L, 1, LUA_TTABLE);
	from = mw__sandbox_opt_int(L, 3, 1);
	to = lua_isnoneornil(L, 4) ? (lua_Integer)lua_rawlen(L, 1) : mw__sandbox_int(L, 4);
	luaL_buffinit(L, &b);
	for (lua_Integer i = from; i <= to; i++) {
		lua_rawgeti(L, 1, i);
		if (lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER)
			return luaL_error(L, "invalid value (%s) at index %d in table for 'concat'",
				luaL_typename(L, -1), (int)i);
		mw_sandbox_text(L, -1, &n);
		bytes += n + sep_n;
		mw_sandbox_spend(L, 1 + (n + sep_n) / 8);
		if (bytes > mw__sandbox_string_max(L))
			return luaL_error(L, "a text of more than %d MiB is over the limit",
				(int)(mw__sandbox_string_max(L) >> 20));
		luaL_addvalue(&b);
		if (i < to)
			luaL_addlstring(&b, sep, sep_n);
	}
	luaL_pushresult(&b);
	return 1;
}

static int l_insert(lua_State *L)
{
	lua_Integer n, at;

	luaL_checktype(L, 1, LUA_TTABLE);
	n = (lua_Integer)lua_rawlen(L, 1) + 1;
	switch (lua_gettop(L)) {
	case 2:
		at = n;
		break;
	case 3:
		at = mw__sandbox_int(L, 2);
		if (at > n)
			n = at;
		if (n - at > 0)
			mw_sandbox_spend(L, (uint64_t)(n - at));
		for (lua_Integer i = n; i > at; i--) {
			lua_rawgeti(L, 1, i - 1);
			lua_rawseti(L, 1, i);
		}
		break;
	default:
		return luaL_error(L, "wrong number of arguments to 'insert'");
	}
	lua_settop(L, 3);
	lua_rawseti(L, 1, at); /* whatever came last */
	return 0;
}

static int l_remove(lua_State *L)
{
	lua_Integer n, at;

	luaL_checktype(L, 1, LUA_TTABLE);
	n = (lua_Integer)lua_rawlen(L, 1);
	at = mw__sandbox_opt_int(L, 2, n);
	if (at < 1 || at > n)
		return 0;
	mw_sandbox_spend(L, (uint64_t)(n - at));
	lua_rawgeti(L, 1, at);
	for (; at < n; at++) {
		lua_rawgeti(L, 1, at + 1);
		lua_rawseti(L, 1, at);
	}
	lua_pushnil(L);
	lua_rawseti(L, 1, n);
	return 1;
}

static int l_getn(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_pushnumber(L, (double)lua_rawlen(L, 1));
	return 1;
}

static int l_setn(lua_State *L)
{
	return luaL_error(L, "'setn' is obsolete");
}

/* table.sort, the original in the upvalue: what it does without a comparison in Lua is reckoned
 * before. */
static int l_sort(lua_State *L)
{
	lua_Unsigned n;
	uint64_t log = 1;

	luaL_checktype(L, 1, LUA_TTABLE);
	n = lua_rawlen(L, 1);
	while (((uint64_t)n >> log) > 0)
		log++;
	mw_sandbox_spend(L, n * log);
	lua_settop(L, 2);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 2, 0);
	return 0;
}

/* ---- over all -------------------------------------------------------------------------------- */

static int l_maxn(lua_State *L)
{
	double most = 0;

	luaL_checktype(L, 1, LUA_TTABLE);
	for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
		mw_sandbox_spend(L, 1);
		if (lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) > most)
			most = lua_tonumber(L, -2);
	}
	mw__sandbox_push_number(L, most);
	return 1;
}

static int l_foreachi(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checktype(L, 2, LUA_TFUNCTION);
	for (lua_Integer i = 1, n = (lua_Integer)lua_rawlen(L, 1); i <= n; i++) {
		lua_pushvalue(L, 2);
		lua_pushnumber(L, (double)i);
		lua_rawgeti(L, 1, i);
		lua_call(L, 2, 1);
		if (!lua_isnil(L, -1))
			return 1;
		lua_pop(L, 1);
	}
	return 0;
}

static int l_foreach(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	lua_pushcfunction(L, mw__sandbox_pairs);
	lua_pushvalue(L, 1);
	lua_call(L, 1, 3); /* 3: the step */
	for (;;) {
		lua_settop(L, 3);
		lua_pushvalue(L, 3);
		lua_call(L, 0, 2);
		if (lua_isnil(L, 4))
			return 0;
		lua_pushvalue(L, 2);
		lua_insert(L, 4);
		lua_call(L, 2, 1);
		if (!lua_isnil(L, -1))
			return 1;
	}
}

void mw__sandbox_open_table(lua_State *L)
{
	static const luaL_Reg functions[] = {{"concat", l_concat}, {"insert", l_insert},
		{"remove", l_remove}, {"getn", l_getn}, {"maxn", l_maxn}, {"foreach", l_foreach},
		{"foreachi", l_foreachi}, {"setn", l_setn}, {NULL, NULL}};

	lua_newtable(L);
	luaL_setfuncs(L, functions, 0);
	luaL_requiref(L, "table", luaopen_table, 0);
	lua_getfield(L, -1, "sort");
	lua_pushcclosure(L, l_sort, 1);
	lua_setfield(L, -3, "sort");
	lua_pop(L, 1);
	lua_setglobal(L, "table");
}

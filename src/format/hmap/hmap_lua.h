/* Between the Lua faces of this room: the hmap they take and how they fill tables. Belongs to the
 * layer bind. */
#ifndef MW_FORMAT_HMAP_HMAP_LUA_H
#define MW_FORMAT_HMAP_HMAP_LUA_H

#include "bind/lx.h"
#include "bind/modules.h"
#include "format/hmap/hmap.h"

/* Push an empty hmap. Raises. */
mw_hmap *mw__hmap_new(lua_State *L);

/* The hmap that a method is called on. */
static inline mw_hmap *arg_hmap(lua_State *L)
{
	return mw_lx_arg(L, 1, &mw_lx_hmap_type);
}

/* Into the table on top. */
static inline void set_text(lua_State *L, const char *key, const char *text)
{
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

static inline void set_int(lua_State *L, const char *key, int64_t v)
{
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

static inline void set_num(lua_State *L, const char *key, double v)
{
	lua_pushnumber(L, v);
	lua_setfield(L, -2, key);
}

static inline void set_floats(lua_State *L, const char *key, const float *v, int n)
{
	lua_createtable(L, n, 0);
	for (int i = 0; i < n; i++) {
		lua_pushnumber(L, (double)v[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, key);
}

/* Methods of an hmap that live in hmap_source_lua.c and hmap_level_lua.c. */
extern const luaL_Reg mw__hmap_source[], mw__hmap_level[];
/* What hmap:query() makes, a mw_level_query, and its methods. */
extern const mw_lx_type mw__hmap_query_type;
extern const luaL_Reg mw__hmap_query[];

#endif

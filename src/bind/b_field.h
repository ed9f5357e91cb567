/* Fields as Lua sees them: samples, where they lie and the seed of what fills them. */
#ifndef MW_BIND_B_FIELD_H
#define MW_BIND_B_FIELD_H

#include "bind/lx.h"
#include "raster/field.h"

/* Userdata "mapwright.field"; the public methods of lua/mapwright/field.lua sit in its metatable.
 */
typedef struct {
	mw_field f;
	mw_grid grid;
	uint64_t seed; /* for noise that has none of its own */
} mw_lx_field;

/* Push a field of w * h zeros. Raises. */
mw_lx_field *mw_lx_field_new(lua_State *L, int32_t w, int32_t h, mw_grid grid, uint64_t seed);
mw_lx_field *mw_lx_field_arg(lua_State *L, int idx);
/* NULL for anything else. */
mw_lx_field *mw_lx_field_test(lua_State *L, int idx);

/* Positional symmetry: kind ("none", "x", "z", "point", "quad", "turn") at idx, sectors at idx + 1.
 */
mw_mirror mw_lx_mirror(lua_State *L, int idx);

/* The number at key n of the list at idx; name is for the message. */
double mw_lx_item(lua_State *L, int idx, const char *name, lua_Integer n);

/* Functions of core.field that live in b_field_shape.c. */
extern const luaL_Reg mw_lx_field_shape[];

#endif

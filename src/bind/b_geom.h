/* Brushes as Lua sees them: lists of solids with what hangs on their faces, all over one plane
 * table, so that what two scripts make of the same plane is the same plane. */
#ifndef MW_BIND_B_GEOM_H
#define MW_BIND_B_GEOM_H

#include "bind/lx.h"
#include "geom/bsp.h"
#include "scene/scene.h"

typedef struct {
	mw_face_info info;
	uint32_t part; /* mw_part of the shape it came from */
} mw_lx_face;

/* Userdata "mapwright.solids". Side tags index face. */
typedef struct {
	mw_brushes b;
	MW_ARRAY(mw_lx_face) face;
} mw_lx_solids;

mw_lx_solids *mw_lx_solids_new(lua_State *L);
mw_lx_solids *mw_lx_solids_arg(lua_State *L, int idx);

/* The state's plane table; lives as long as the state. Raises. */
mw_planes *mw_lx_planes(lua_State *L);

/* n numbers from idx on as a vector; the name is for messages. */
mw_vec3 mw_lx_vec3(lua_State *L, int idx, const char *name);
void mw_lx_push_vec3(lua_State *L, mw_vec3 v); /* three numbers */

/* Raise what the context recorded unless ok. */
static inline void mw_lx_need(lua_State *L, bool ok)
{
	if (!ok)
		mw_lx_raise(L);
}

/* Functions of core.solids that live in b_geom_shape.c and b_geom_change.c. */
extern const luaL_Reg mw_lx_solids_shape[], mw_lx_solids_change[];

#endif

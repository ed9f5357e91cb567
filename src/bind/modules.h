/* The C modules behind `mapwright.core`. */
#ifndef MW_BIND_MODULES_H
#define MW_BIND_MODULES_H

#include "bind/lx.h"

#include <lua.h>

/* The only list of open functions: a new binding is one line here and one row in modules.c. Each
 * pushes its table of functions. */
int mw_luaopen_archive(lua_State *L);
int mw_luaopen_base(lua_State *L);
int mw_luaopen_dxt1(lua_State *L);
int mw_luaopen_field(lua_State *L);
int mw_luaopen_format(lua_State *L);
int mw_luaopen_fs(lua_State *L);
int mw_luaopen_ground(lua_State *L);
int mw_luaopen_image(lua_State *L);
int mw_luaopen_log(lua_State *L);
int mw_luaopen_bsp(lua_State *L);
int mw_luaopen_hmap(lua_State *L);
int mw_luaopen_scene(lua_State *L);
int mw_luaopen_solids(lua_State *L);
int mw_luaopen_smf(lua_State *L);
int mw_luaopen_smt(lua_State *L);
int mw_luaopen_mapinfo(lua_State *L);
int mw_luaopen_metal(lua_State *L);
int mw_luaopen_qmap(lua_State *L);
int mw_luaopen_quantize(lua_State *L);
int mw_luaopen_raster3d(lua_State *L);
int mw_luaopen_scatter(lua_State *L);
int mw_luaopen_source(lua_State *L);
int mw_luaopen_tile(lua_State *L);
int mw_luaopen_view(lua_State *L);

/* Userdata of a brush level: the payload is a mw_scene. */
extern const mw_lx_type mw_lx_scene_type;
/* Userdata of a .hmap level: the payload is a mw_hmap. */
extern const mw_lx_type mw_lx_hmap_type;
/* Push an empty scene over the state's plane table and return its mw_scene. Raises. */
void *mw_lx_scene_new(lua_State *L);

/* Push the table `core`, one field a module. */
int mw_luaopen_core(lua_State *L);

#endif

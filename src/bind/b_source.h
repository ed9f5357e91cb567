/* Sources in Lua, for the bindings that take them. */
#ifndef MW_BIND_B_SOURCE_H
#define MW_BIND_B_SOURCE_H

#include "bind/lx.h"
#include "raster/source.h"

/* The source at idx (userdata "mapwright.source") or an argument error. [borrowed from the stack
 * slot] Numbers, fields and images become sources in Lua: require "mapwright.source".of(v). */
mw_source *mw_lx_source_arg(lua_State *L, int idx);

#endif

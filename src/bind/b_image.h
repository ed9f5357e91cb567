/* Pictures in Lua, for the bindings that take them. */
#ifndef MW_BIND_B_IMAGE_H
#define MW_BIND_B_IMAGE_H

#include "bind/lx.h"
#include "raster/image.h"

/* Userdata "mapwright.image": one of the two is in use, the other empty. The public methods of
 * lua/mapwright/image.lua sit in its metatable. */
typedef struct {
	mw_image colour;
	mw_grey grey;
} mw_lx_image;

/* The image at idx or an argument error; never an empty one. */
mw_lx_image *mw_lx_image_arg(lua_State *L, int idx);

/* Push an empty image, to be filled by the caller. Raises. */
mw_lx_image *mw_lx_image_new(lua_State *L);

#endif

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

static inline bool mw_lx_image_is_grey(const mw_lx_image *img)
{
	return img->grey.v != NULL;
}

static inline uint32_t mw_lx_image_width(const mw_lx_image *img)
{
	return mw_lx_image_is_grey(img) ? img->grey.w : img->colour.w;
}

static inline uint32_t mw_lx_image_height(const mw_lx_image *img)
{
	return mw_lx_image_is_grey(img) ? img->grey.h : img->colour.h;
}

/* Functions of core.image that live in b_image_draw.c and b_image_data.c, and a userdata that holds
 * bytes on their way to Lua. */
extern const luaL_Reg mw_lx_image_draw[], mw_lx_image_data[];
extern const mw_lx_type mw_lx_image_bytes_type;

#endif

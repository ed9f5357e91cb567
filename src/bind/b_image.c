/* core.image: pictures in memory, grey or colour. Pixels count from 0, (0, 0) is north-west;
 * colours are r, g, b, a in 0..1, grey is the stored whole number. */
#include "bind/b_image.h"

#include "bind/modules.h"

#include <string.h>

static void free_image(mw_ctx *cx, void *payload)
{
	mw_lx_image *img = payload;

	mw_image_free(cx, &img->colour);
	mw_grey_free(cx, &img->grey);
}

static const mw_lx_type image_type = {"mapwright.image", free_image};

mw_lx_image *mw_lx_image_new(lua_State *L)
{
	return mw_lx_new(L, &image_type, sizeof(mw_lx_image));
}

mw_lx_image *mw_lx_image_arg(lua_State *L, int idx)
{
	mw_lx_image *img = mw_lx_arg(L, idx, &image_type);

	if (!img->colour.px && !img->grey.v)
		luaL_error(L, "this image is empty");
	return img;
}

/* Label the failure with the file's name and raise it. */
static void check_named(lua_State *L, mw_code code, const char *label)
{
	if (code && label && *label)
		mw_note(mw_lx_ctx(L), "%s", label);
	mw_lx_check(L, code);
}

/* ---- making ---------------------------------------------------------------------------------- */

/* new(w, h, bits or nil) -> image; bits 8 or 16: grey, nil: colour; all zero */
static int l_new(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	uint32_t w = (uint32_t)mw_lx_int(L, 1, "w", 1, cx->limits.image_side);
	uint32_t h = (uint32_t)mw_lx_int(L, 2, "h", 1, cx->limits.image_side);
	uint8_t bits = lua_isnoneornil(L, 3) ? 0 : (uint8_t)mw_lx_int(L, 3, "bits", 8, 16);
	mw_lx_image *img = mw_lx_image_new(L);

	mw_lx_check(L,
		bits ? mw_grey_init(cx, &img->grey, w, h, bits)
		     : mw_image_init(cx, &img->colour, w, h));
	return 1;
}

/* decode(bytes, label) -> image: grey with exact values when the file is grey, else colour */
static int l_decode(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	const char *label = luaL_optstring(L, 2, "");
	mw_lx_image *img = mw_lx_image_new(L);
	mw_image_info info;
	mw_code code = mw_image_probe(cx, &info, bytes.p, bytes.n);

	if (!code && info.channels <= 2)
		code = mw_grey_decode(cx, &img->grey, bytes.p, bytes.n);
	else if (!code)
		code = mw_image_decode(cx, &img->colour, bytes.p, bytes.n);
	check_named(L, code, label);
	return 1;
}

/* decode_grey(bytes, label) -> grey image with exact values; refuses colour */
static int l_decode_grey(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	const char *label = luaL_optstring(L, 2, "");
	mw_lx_image *img = mw_lx_image_new(L);

	check_named(L, mw_grey_decode(mw_lx_ctx(L), &img->grey, bytes.p, bytes.n), label);
	return 1;
}

/* raw(bytes, w, h, big_endian, label) -> 16-bit grey image; w = h = 0: square */
static int l_raw(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	uint32_t w = (uint32_t)mw_lx_int(L, 2, "w", 0, cx->limits.image_side);
	uint32_t h = (uint32_t)mw_lx_int(L, 3, "h", 0, cx->limits.image_side);
	bool big = mw_lx_bool(L, 4);
	const char *label = luaL_optstring(L, 5, "");
	mw_lx_image *img = mw_lx_image_new(L);

	check_named(L, mw_grey_raw(cx, &img->grey, bytes.p, bytes.n, w, h, big), label);
	return 1;
}

static int push_info(lua_State *L, const mw_image_info *info)
{
	static const char *const kinds[] = {"png", "jpeg", "tga", "bmp"};

	lua_pushstring(L, kinds[info->kind]);
	lua_pushinteger(L, info->w);
	lua_pushinteger(L, info->h);
	lua_pushinteger(L, info->channels);
	lua_pushinteger(L, info->bits);
	return 5;
}

/* probe(bytes) -> kind, w, h, channels, bits */
static int l_probe(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	mw_image_info info;

	mw_lx_check(L, mw_image_probe(mw_lx_ctx(L), &info, bytes.p, bytes.n));
	return push_info(L, &info);
}

/* probe_file(path) -> kind, w, h, channels, bits */
static int l_probe_file(lua_State *L)
{
	mw_image_info info;

	mw_lx_check(L, mw_image_probe_file(mw_lx_ctx(L), &info, mw_lx_str(L, 1, "path").p));
	return push_info(L, &info);
}

/* copy(image) -> image */
static int l_copy(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_image *from = mw_lx_image_arg(L, 1);
	uint32_t w = mw_lx_image_width(from), h = mw_lx_image_height(from);
	mw_lx_image *img = mw_lx_image_new(L);

	if (mw_lx_image_is_grey(from)) {
		mw_lx_check(L, mw_grey_init(cx, &img->grey, w, h, from->grey.bits));
		memcpy(img->grey.v, from->grey.v, (size_t)w * h * 2);
	} else {
		mw_lx_check(L, mw_image_init(cx, &img->colour, w, h));
		memcpy(img->colour.px, from->colour.px, (size_t)w * h * 4);
	}
	return 1;
}

/* resize(image, w, h, "smooth" | "nearest") -> image */
static int l_resize(lua_State *L)
{
	static const char *const kinds[] = {"nearest", "smooth"};
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_image *from = mw_lx_image_arg(L, 1);
	uint32_t w = (uint32_t)mw_lx_int(L, 2, "w", 1, cx->limits.image_side);
	uint32_t h = (uint32_t)mw_lx_int(L, 3, "h", 1, cx->limits.image_side);
	mw_resize_kind kind = (mw_resize_kind)mw_lx_enum(L, 4, "filter", kinds, 2);
	mw_lx_image *img = mw_lx_image_new(L);

	mw_lx_check(L,
		mw_lx_image_is_grey(from)
			? mw_grey_resize(cx, &img->grey, &from->grey, w, h, kind)
			: mw_image_resize(cx, &img->colour, &from->colour, w, h, kind));
	return 1;
}

/* to_grey(image, label) -> grey image; refuses differing channels. to_colour(image) -> colour */
static int l_to_grey(lua_State *L)
{
	const mw_lx_image *from = mw_lx_image_arg(L, 1);
	const char *label = luaL_optstring(L, 2, "");

	if (mw_lx_image_is_grey(from)) {
		lua_settop(L, 1);
		return 1;
	}
	mw_lx_image *img = mw_lx_image_new(L);
	check_named(L, mw_grey_from_image(mw_lx_ctx(L), &img->grey, &from->colour), label);
	return 1;
}

static int l_to_colour(lua_State *L)
{
	const mw_lx_image *from = mw_lx_image_arg(L, 1);

	if (!mw_lx_image_is_grey(from)) {
		lua_settop(L, 1);
		return 1;
	}
	mw_lx_image *img = mw_lx_image_new(L);
	mw_lx_check(L, mw_image_from_grey(mw_lx_ctx(L), &img->colour, &from->grey));
	return 1;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* info(image) -> w, h, bits of grey or nil */
static int l_info(lua_State *L)
{
	const mw_lx_image *img = mw_lx_image_arg(L, 1);

	lua_pushinteger(L, mw_lx_image_width(img));
	lua_pushinteger(L, mw_lx_image_height(img));
	if (mw_lx_image_is_grey(img))
		lua_pushinteger(L, img->grey.bits);
	else
		lua_pushnil(L);
	return 3;
}

/* has_alpha(image): whether any alpha is below 1 */
static int l_has_alpha(lua_State *L)
{
	const mw_lx_image *img = mw_lx_image_arg(L, 1);

	lua_pushboolean(L, !mw_lx_image_is_grey(img) && mw_image_has_alpha(&img->colour));
	return 1;
}

/* check_size(image, what, w, h): both sizes in the message */
static int l_check_size(lua_State *L)
{
	const mw_lx_image *img = mw_lx_image_arg(L, 1);
	const char *what = mw_lx_str(L, 2, "what").p;
	uint32_t w = (uint32_t)mw_lx_int(L, 3, "w", 1, UINT32_MAX);
	uint32_t h = (uint32_t)mw_lx_int(L, 4, "h", 1, UINT32_MAX);

	mw_lx_check(L,
		mw_image_check_size(
			mw_lx_ctx(L), what, mw_lx_image_width(img), mw_lx_image_height(img), w, h));
	return 0;
}

int mw_luaopen_image(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"new", l_new},
		{"decode", l_decode},
		{"decode_grey", l_decode_grey},
		{"raw", l_raw},
		{"probe", l_probe},
		{"probe_file", l_probe_file},
		{"copy", l_copy},
		{"resize", l_resize},
		{"to_grey", l_to_grey},
		{"to_colour", l_to_colour},
		{"info", l_info},
		{"has_alpha", l_has_alpha},
		{"check_size", l_check_size},
		{NULL, NULL},
	};

	mw_lx_type_define(L, &image_type, NULL);
	mw_lx_type_define(L, &mw_lx_image_bytes_type, NULL);
	luaL_newlib(L, functions);
	luaL_setfuncs(L, mw_lx_image_draw, 0);
	luaL_setfuncs(L, mw_lx_image_data, 0);
	luaL_getmetatable(L, image_type.name);
	lua_setfield(L, -2, "class"); /* methods are added in Lua */
	return 1;
}

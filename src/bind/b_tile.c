/* core.tile: ground tiles and minimaps as pictures. */
#include "base/mem.h"
#include "bind/b_image.h"
#include "bind/modules.h"
#include "compile/product.h"
#include "raster/tile.h"

#include <string.h>

/* encode(image, "fast" | "normal" | "best") -> 680 bytes a tile, rows of tiles from north */
static int l_encode(lua_State *L)
{
	static const char *const levels[] = {"fast", "normal", "best"};
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_image *img = &mw_lx_image_arg(L, 1)->colour;
	mw_dxt1_level level = (mw_dxt1_level)mw_lx_enum(L, 2, "quality", levels, 3);
	uint8_t tile[MW_TILE_BYTES];
	luaL_Buffer b;

	if (!img->px || img->w % MW_TILE_SIDE || img->h % MW_TILE_SIDE)
		luaL_error(L, "tiles need a colour image whose sides are multiples of %d",
			(int)MW_TILE_SIDE);
	luaL_buffinit(L, &b);
	for (uint32_t y = 0; y < img->h; y += MW_TILE_SIDE) {
		for (uint32_t x = 0; x < img->w; x += MW_TILE_SIDE) {
			const uint8_t *at = img->px + ((size_t)y * img->w + x) * 4;

			mw_tile_encode(cx->isa, level, tile, at, (size_t)img->w * 4);
			luaL_addlstring(&b, (const char *)tile, sizeof tile);
		}
	}
	luaL_pushresult(&b);
	return 1;
}

/* The picture that a tile index makes of tile records at mip level 0..3. */
static void assemble(
	mw_image *img, const uint8_t *tiles, const uint8_t *index, uint32_t across, unsigned mip)
{
	uint32_t side = MW_TILE_SIDE >> mip;
	uint8_t px[MW_TILE_SIDE * MW_TILE_SIDE * 4];

	for (uint32_t y = 0; y < img->h; y += side) {
		for (uint32_t x = 0; x < img->w; x += side) {
			const uint8_t *i = index + 4 * ((size_t)(y / side) * across + x / side);
			uint32_t at = (uint32_t)i[0] | (uint32_t)i[1] << 8 | (uint32_t)i[2] << 16 |
				(uint32_t)i[3] << 24;

			mw_tile_decode(px, tiles + (size_t)at * MW_TILE_BYTES, mip);
			for (uint32_t row = 0; row < side; row++)
				memcpy(img->px + ((size_t)(y + row) * img->w + x) * 4,
					px + (size_t)row * side * 4, (size_t)side * 4);
		}
	}
}

/* picture(tiles, index, across, mip) -> image. tiles: records of 680 bytes; index: i32
 * little-endian record numbers, `across` to a row */
static int l_picture(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_sv tiles = mw_lx_str(L, 1, "tiles"), index = mw_lx_str(L, 2, "index");
	uint32_t across = (uint32_t)mw_lx_int(L, 3, "across", 1, cx->limits.image_side);
	unsigned mip = (unsigned)mw_lx_int(L, 4, "mip", 0, 3);
	size_t cells = index.n / 4, records = tiles.n / MW_TILE_BYTES;
	mw_sv at = {index.p, 4};

	if (!cells || index.n % 4 || cells % across)
		luaL_error(L, "tile index of %d bytes is no rectangle", (int)index.n);
	for (size_t i = 0; i < cells; i++, at.p += 4) {
		const uint8_t *p = (const uint8_t *)at.p;
		uint32_t v = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
			(uint32_t)p[3] << 24;

		if (v >= records)
			luaL_error(L, "tile %d of %d in cell %d", (int)v, (int)records, (int)i);
	}
	mw_lx_image *img = mw_lx_image_new(L);
	mw_lx_check(L,
		mw_image_init(cx, &img->colour, across * (MW_TILE_SIDE >> mip),
			(uint32_t)(cells / across) * (MW_TILE_SIDE >> mip)));
	assemble(&img->colour, (const uint8_t *)tiles.p, (const uint8_t *)index.p, across, mip);
	return 1;
}

/* minimap(bytes, level) -> image of 1024 >> level; level 0..8 */
static int l_minimap(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	unsigned level = (unsigned)mw_lx_int(L, 2, "level", 0, 8);
	const uint8_t *p = (const uint8_t *)bytes.p;
	uint32_t side = MW_MINIMAP_SIDE;

	if (bytes.n < MW_MINIMAP_BYTES)
		luaL_error(
			L, "a minimap has %d bytes, not %d", (int)MW_MINIMAP_BYTES, (int)bytes.n);
	for (; level > 0; level--, side /= 2)
		p += mw_dxt1_size(side, side);
	mw_lx_image *img = mw_lx_image_new(L);
	mw_lx_check(L, mw_image_init(mw_lx_ctx(L), &img->colour, side, side));
	mw_dxt1_decode(img->colour.px, (size_t)side * 4, p, side, side);
	return 1;
}

int mw_luaopen_tile(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"encode", l_encode},
		{"picture", l_picture},
		{"minimap", l_minimap},
		{NULL, NULL},
	};

	luaL_newlib(L, functions);
	return 1;
}

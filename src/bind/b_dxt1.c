/* core.dxt1: pictures to DXT1 blocks and back. Lua above has seen to it that sizes fit. */
#include "base/pool.h"
#include "bind/b_image.h"
#include "bind/modules.h"
#include "raster/dxt1.h"

static const char *const level_names[] = {"fast", "normal", "best"};

/* The colour image at idx with sides that are multiples of 4. */
static const mw_image *block_image(lua_State *L, int idx)
{
	const mw_image *img = &mw_lx_image_arg(L, idx)->colour;

	if (!img->px)
		mw_lx_bad(L, idx, "image", "a colour image is needed");
	if (img->w % 4 || img->h % 4)
		mw_lx_bad(L, idx, "image", "%ux%u is not a multiple of 4", img->w, img->h);
	return img;
}

/* The string at idx, as many bytes as the blocks of a w x h image. */
static const uint8_t *block_bytes(lua_State *L, int idx, uint32_t w, uint32_t h)
{
	mw_sv bytes = mw_lx_str(L, idx, "bytes");

	if (bytes.n != mw_dxt1_size(w, h))
		mw_lx_bad(L, idx, "bytes", "%zu bytes, a %ux%u image has %zu", bytes.n, w, h,
			mw_dxt1_size(w, h));
	return (const uint8_t *)bytes.p;
}

typedef struct {
	const mw_image *img;
	mw_dxt1_level level;
	uint8_t *out;
} job;

static mw_code encode_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const job *j = ud;
	size_t stride = 4 * (size_t)j->img->w;

	MW_UNUSED(worker);
	mw_dxt1_encode(cx->isa, j->level, j->out + mw_dxt1_size(j->img->w, 4) * first,
		j->img->px + 4 * stride * first, stride, j->img->w, (uint32_t)(4 * (last - first)));
	return MW_OK;
}

/* encode(image, level) -> bytes */
static int l_encode(lua_State *L)
{
	const mw_image *img = block_image(L, 1);
	int level = mw_lx_enum(L, 2, "level", level_names, (int)MW_COUNTOF(level_names));
	size_t n = mw_dxt1_size(img->w, img->h);
	luaL_Buffer b;
	job j = {img, (mw_dxt1_level)level, (uint8_t *)luaL_buffinitsize(L, &b, n)};

	mw_lx_check(L, mw_pool_for(mw_lx_ctx(L), img->h / 4, 16, encode_rows, &j));
	luaL_pushresultsize(&b, n);
	return 1;
}

/* decode(bytes, w, h) -> colour image */
static int l_decode(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	uint32_t w = (uint32_t)mw_lx_int(L, 2, "w", 4, cx->limits.image_side);
	uint32_t h = (uint32_t)mw_lx_int(L, 3, "h", 4, cx->limits.image_side);

	if (w % 4 || h % 4)
		mw_lx_bad(L, w % 4 ? 2 : 3, w % 4 ? "w" : "h", "%u is not a multiple of 4",
			w % 4 ? w : h);
	const uint8_t *blocks = block_bytes(L, 1, w, h);
	mw_lx_image *img = mw_lx_image_new(L);
	mw_lx_check(L, mw_image_init(cx, &img->colour, w, h));
	mw_dxt1_decode(img->colour.px, 4 * (size_t)w, blocks, w, h);
	return 1;
}

/* error(image, bytes) -> sum of squared differences, PSNR in dB */
static int l_error(lua_State *L)
{
	const mw_image *img = block_image(L, 1);
	const uint8_t *blocks = block_bytes(L, 2, img->w, img->h);
	uint64_t sum = mw_dxt1_error(img->px, 4 * (size_t)img->w, blocks, img->w, img->h);

	lua_pushinteger(L, (lua_Integer)sum);
	lua_pushnumber(L, mw_dxt1_psnr(sum, img->w, img->h));
	return 2;
}

int mw_luaopen_dxt1(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"encode", l_encode},
		{"decode", l_decode},
		{"error", l_error},
		{NULL, NULL},
	};

	luaL_newlib(L, functions);
	return 1;
}

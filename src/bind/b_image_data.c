/* Functions of core.image between pictures and fields or bytes. */
#include "bind/b_image.h"

#include "base/mem.h"
#include "bind/b_field.h"
#include "raster/png.h"

/* ---- fields ---------------------------------------------------------------------------------- */

/* from_field(field, min, max, bits) -> grey image: min -> 0, max -> 255 or 65535, clamped */
static int l_from_field(lua_State *L)
{
	const mw_field *f = &mw_lx_field_arg(L, 1)->f;
	double min = mw_lx_num(L, 2, "min"), max = mw_lx_num(L, 3, "max");
	uint8_t bits = (uint8_t)mw_lx_int(L, 4, "bits", 8, 16);
	double top = bits == 16 ? 65535 : 255;
	mw_lx_image *img = mw_lx_image_new(L);

	mw_lx_check(
		L, mw_grey_init(mw_lx_ctx(L), &img->grey, (uint32_t)f->w, (uint32_t)f->h, bits));
	for (size_t i = 0; i < mw_field_count(f); i++) {
		double v = ((double)f->v[i] - min) / (max - min) * top;

		v = v > 0 ? v : 0; /* NaN too */
		img->grey.v[i] = (uint16_t)((v < top ? v : top) + 0.5);
	}
	return 1;
}

/* range(field) -> least, greatest finite sample */
static int l_range(lua_State *L)
{
	mw_field_stats s = mw_field_measure(&mw_lx_field_arg(L, 1)->f);

	lua_pushnumber(L, (lua_Number)s.min);
	lua_pushnumber(L, (lua_Number)s.max);
	return 2;
}

#define STOPS_MAX 64

/* ramp(field, {at1, r1, g1, b1, at2, ...}) -> colour image; straight between the stops */
static int l_ramp(lua_State *L)
{
	const mw_field *f = &mw_lx_field_arg(L, 1)->f;
	double stop[STOPS_MAX][4];
	size_t n = (size_t)lua_rawlen(L, 2) / 4;

	luaL_checktype(L, 2, LUA_TTABLE);
	if (n < 1 || n > STOPS_MAX)
		mw_lx_bad(L, 2, "image.from_field", "'ramp' may have 1 to %d stops", STOPS_MAX);
	for (size_t i = 0; i < 4 * n; i++) {
		lua_rawgeti(L, 2, (lua_Integer)i + 1);
		stop[i / 4][i % 4] = mw_lx_num(L, -1, "stop");
		lua_pop(L, 1);
	}
	mw_lx_image *img = mw_lx_image_new(L);
	mw_lx_check(L, mw_image_init(mw_lx_ctx(L), &img->colour, (uint32_t)f->w, (uint32_t)f->h));
	for (size_t i = 0; i < mw_field_count(f); i++) {
		double v = (double)f->v[i], t = 0;
		size_t k = 0;

		while (k + 1 < n && v >= stop[k + 1][0])
			k++;
		size_t next = k + 1 < n ? k + 1 : k;
		if (v > stop[k][0] && next > k)
			t = (v - stop[k][0]) / (stop[next][0] - stop[k][0]);
		for (unsigned c = 0; c < 3; c++) {
			double a = stop[k][c + 1];

			a = (a + t * (stop[next][c + 1] - a)) * 255.0;
			a = a > 0 ? a : 0;
			img->colour.px[4 * i + c] = (uint8_t)((a < 255 ? a : 255) + 0.5);
		}
		img->colour.px[4 * i + 3] = 255;
	}
	return 1;
}

/* to_field(image, channel, factor, offset) -> field of value * factor + offset; channel 0..3, or -1
 * for grey and the brightness of colour */
static int l_to_field(lua_State *L)
{
	const mw_lx_image *img = mw_lx_image_arg(L, 1);
	int channel = (int)mw_lx_int(L, 2, "channel", -1, 3);
	double factor = mw_lx_num(L, 3, "factor"), offset = mw_lx_num(L, 4, "offset");
	int32_t w = (int32_t)mw_lx_image_width(img), h = (int32_t)mw_lx_image_height(img);
	mw_field *f = &mw_lx_field_new(L, w, h, (mw_grid){0, 0, 1}, 0)->f;

	for (size_t i = 0; i < mw_field_count(f); i++) {
		double v;

		if (mw_lx_image_is_grey(img)) {
			v = img->grey.v[i];
		} else if (channel >= 0) {
			v = img->colour.px[4 * i + (unsigned)channel];
		} else {
			const uint8_t *p = img->colour.px + 4 * i;

			v = 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
		}
		f->v[i] = (float)(v * factor + offset);
	}
	return 1;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* widen(image, label): 8-bit grey becomes 16-bit grey, v * 257, with a warning */
static int l_widen(lua_State *L)
{
	mw_lx_image *img = mw_lx_image_arg(L, 1);

	if (!mw_lx_image_is_grey(img))
		luaL_error(L, "widen: the image must be a grey one");
	mw_grey_widen(mw_lx_ctx(L), &img->grey, luaL_optstring(L, 2, NULL));
	return 0;
}

static void free_bytes(mw_ctx *cx, void *payload)
{
	uint8_t **p = payload;

	mw_free(cx, *p);
	*p = NULL;
}

const mw_lx_type mw_lx_image_bytes_type = {"mapwright.image_bytes", free_bytes};

/* bytes(image, label) -> one byte a pixel of a grey image; 16 bits are rounded with a warning */
static int l_bytes(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_image *img = mw_lx_image_arg(L, 1);
	const char *label = luaL_optstring(L, 2, NULL);
	uint8_t **box = mw_lx_new(L, &mw_lx_image_bytes_type, sizeof *box);
	size_t n = (size_t)mw_lx_image_width(img) * mw_lx_image_height(img);

	if (!mw_lx_image_is_grey(img))
		luaL_error(L, "bytes: the image must be a grey one");
	*box = mw_alloc(cx, n);
	mw_lx_check(L, *box ? MW_OK : cx->err.code);
	mw_grey_to_bytes(cx, *box, &img->grey, label);
	lua_pushlstring(L, (const char *)*box, n);
	free_bytes(cx, box);
	return 1;
}

/* words(image) -> two little-endian bytes a pixel of a 16-bit grey image */
static int l_words(lua_State *L)
{
	const mw_lx_image *img = mw_lx_image_arg(L, 1);
	size_t n = (size_t)mw_lx_image_width(img) * mw_lx_image_height(img);
	luaL_Buffer b;

	if (!mw_lx_image_is_grey(img) || img->grey.bits != 16)
		luaL_error(L, "words: the image must be a grey one of 16 bits");
	uint8_t *out = (uint8_t *)luaL_buffinitsize(L, &b, 2 * n);
	for (size_t i = 0; i < n; i++) {
		out[2 * i] = (uint8_t)img->grey.v[i];
		out[2 * i + 1] = (uint8_t)(img->grey.v[i] >> 8);
	}
	luaL_pushresultsize(&b, 2 * n);
	return 1;
}

/* encode(image, level) -> bytes of a PNG */
static int l_encode(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_image *img = mw_lx_image_arg(L, 1);
	int level = (int)mw_lx_int(L, 2, "level", 0, 12);
	uint8_t **box = mw_lx_new(L, &mw_lx_image_bytes_type, sizeof *box);
	size_t n;

	mw_lx_check(L,
		mw_lx_image_is_grey(img) ? mw_png_encode_grey(cx, box, &n, &img->grey, level)
					 : mw_png_encode_image(cx, box, &n, &img->colour, level));
	lua_pushlstring(L, (const char *)*box, n);
	free_bytes(cx, box);
	return 1;
}

const luaL_Reg mw_lx_image_data[] = {
	{"from_field", l_from_field},
	{"range", l_range},
	{"ramp", l_ramp},
	{"to_field", l_to_field},
	{"widen", l_widen},
	{"bytes", l_bytes},
	{"words", l_words},
	{"encode", l_encode},
	{NULL, NULL},
};

/* core.image: pictures in memory, grey or colour. Pixels count from 0, (0, 0) is north-west;
 * colours are r, g, b, a in 0..1, grey is the stored whole number. */
#include "bind/b_image.h"

#include "base/mem.h"
#include "bind/b_field.h"
#include "bind/modules.h"
#include "raster/png.h"

#include <math.h>
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

static bool is_grey(const mw_lx_image *img)
{
	return img->grey.v != NULL;
}

static uint32_t width_of(const mw_lx_image *img)
{
	return is_grey(img) ? img->grey.w : img->colour.w;
}

static uint32_t height_of(const mw_lx_image *img)
{
	return is_grey(img) ? img->grey.h : img->colour.h;
}

/* Label the failure with the file's name and raise it. */
static void check_named(lua_State *L, mw_code code, const char *label)
{
	if (code && label && *label)
		mw_note(mw_lx_ctx(L), "%s", label);
	mw_lx_check(L, code);
}

/* ---- making --------------------------------------------------------------------------------- */

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
	uint32_t w = width_of(from), h = height_of(from);
	mw_lx_image *img = mw_lx_image_new(L);

	if (is_grey(from)) {
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
		is_grey(from) ? mw_grey_resize(cx, &img->grey, &from->grey, w, h, kind)
			      : mw_image_resize(cx, &img->colour, &from->colour, w, h, kind));
	return 1;
}

/* to_grey(image, label) -> grey image; refuses differing channels. to_colour(image) -> colour */
static int l_to_grey(lua_State *L)
{
	const mw_lx_image *from = mw_lx_image_arg(L, 1);
	const char *label = luaL_optstring(L, 2, "");

	if (is_grey(from)) {
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

	if (!is_grey(from)) {
		lua_settop(L, 1);
		return 1;
	}
	mw_lx_image *img = mw_lx_image_new(L);
	mw_lx_check(L, mw_image_from_grey(mw_lx_ctx(L), &img->colour, &from->grey));
	return 1;
}

/* ---- asking --------------------------------------------------------------------------------- */

/* info(image) -> w, h, bits of grey or nil */
static int l_info(lua_State *L)
{
	const mw_lx_image *img = mw_lx_image_arg(L, 1);

	lua_pushinteger(L, width_of(img));
	lua_pushinteger(L, height_of(img));
	if (is_grey(img))
		lua_pushinteger(L, img->grey.bits);
	else
		lua_pushnil(L);
	return 3;
}

/* check_size(image, what, w, h): both sizes in the message */
static int l_check_size(lua_State *L)
{
	const mw_lx_image *img = mw_lx_image_arg(L, 1);
	const char *what = mw_lx_str(L, 2, "what").p;
	uint32_t w = (uint32_t)mw_lx_int(L, 3, "w", 1, UINT32_MAX);
	uint32_t h = (uint32_t)mw_lx_int(L, 4, "h", 1, UINT32_MAX);

	mw_lx_check(
		L, mw_image_check_size(mw_lx_ctx(L), what, width_of(img), height_of(img), w, h));
	return 0;
}

static size_t pixel_arg(lua_State *L, const mw_lx_image *img, int idx)
{
	int64_t x = mw_lx_int(L, idx, "x", 0, (int64_t)width_of(img) - 1);
	int64_t y = mw_lx_int(L, idx + 1, "y", 0, (int64_t)height_of(img) - 1);

	return (size_t)y * width_of(img) + (size_t)x;
}

static int push_pixel(lua_State *L, const mw_lx_image *img, size_t at)
{
	if (is_grey(img)) {
		lua_pushinteger(L, img->grey.v[at]);
		return 1;
	}
	for (unsigned c = 0; c < 4; c++)
		lua_pushnumber(L, img->colour.px[4 * at + c] / 255.0);
	return 4;
}

/* get(image, x, y) -> value, or r, g, b, a */
static int l_get(lua_State *L)
{
	const mw_lx_image *img = mw_lx_image_arg(L, 1);

	return push_pixel(L, img, pixel_arg(L, img, 2));
}

/* ---- drawing --------------------------------------------------------------------------------- */

typedef struct {
	uint16_t grey;
	uint8_t px[4];
} ink;

/* The value or the colour at idx.. of the kind the image takes. */
static ink ink_arg(lua_State *L, const mw_lx_image *img, int idx)
{
	static const char *const names[] = {"red", "green", "blue", "alpha"};
	ink k = {0, {0, 0, 0, 255}};

	if (is_grey(img)) {
		int64_t top = img->grey.bits == 16 ? 65535 : 255;

		k.grey = (uint16_t)mw_lx_int(L, idx, "value", 0, top);
		return k;
	}
	for (int c = 0; c < 4; c++) {
		if (c == 3 && lua_isnoneornil(L, idx + 3))
			break;
		double v = mw_lx_num_in(L, idx + c, names[c], 0, 1);

		k.px[c] = (uint8_t)(v * 255.0 + 0.5);
	}
	return k;
}

static void put(mw_lx_image *img, size_t at, const ink *k)
{
	if (is_grey(img))
		img->grey.v[at] = k->grey;
	else
		memcpy(img->colour.px + 4 * at, k->px, 4);
}

/* set(image, x, y, value | r, g, b, a) */
static int l_set(lua_State *L)
{
	mw_lx_image *img = mw_lx_image_arg(L, 1);
	size_t at = pixel_arg(L, img, 2);
	ink k = ink_arg(L, img, 4);

	put(img, at, &k);
	return 0;
}

/* Whole pixels lo..hi-1 of 0..n whose centres lie in [from, to). */
static void range_of(double from, double to, uint32_t n, uint32_t *lo, uint32_t *hi)
{
	double a = ceil(from - 0.5), b = ceil(to - 0.5);

	*lo = a <= 0 ? 0 : a >= n ? n : (uint32_t)a;
	*hi = b <= 0 ? 0 : b >= n ? n : (uint32_t)b;
}

/* rect(image, x, y, w, h, ink): pixels whose centres are inside */
static int l_rect(lua_State *L)
{
	mw_lx_image *img = mw_lx_image_arg(L, 1);
	double x = mw_lx_num(L, 2, "x"), y = mw_lx_num(L, 3, "y");
	double w = mw_lx_num(L, 4, "w"), h = mw_lx_num(L, 5, "h");
	ink k = ink_arg(L, img, 6);
	uint32_t x0, x1, y0, y1;

	range_of(x, x + w, width_of(img), &x0, &x1);
	range_of(y, y + h, height_of(img), &y0, &y1);
	for (uint32_t j = y0; j < y1; j++)
		for (uint32_t i = x0; i < x1; i++)
			put(img, (size_t)j * width_of(img) + i, &k);
	return 0;
}

/* line(image, x0, y0, x1, y1, radius, ink): pixels whose centres are within radius of the line; a
 * disc when both ends are one */
static int l_line(lua_State *L)
{
	mw_lx_image *img = mw_lx_image_arg(L, 1);
	double ax = mw_lx_num(L, 2, "x0"), ay = mw_lx_num(L, 3, "y0");
	double bx = mw_lx_num(L, 4, "x1"), by = mw_lx_num(L, 5, "y1");
	double r = mw_lx_num_in(L, 6, "radius", 0, 1e6);
	ink k = ink_arg(L, img, 7);
	double dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy;
	uint32_t x0, x1, y0, y1;

	range_of(fmin(ax, bx) - r, fmax(ax, bx) + r + 1, width_of(img), &x0, &x1);
	range_of(fmin(ay, by) - r, fmax(ay, by) + r + 1, height_of(img), &y0, &y1);
	for (uint32_t j = y0; j < y1; j++) {
		for (uint32_t i = x0; i < x1; i++) {
			double px = i + 0.5 - ax, py = j + 0.5 - ay;
			double t = length2 > 0 ? (px * dx + py * dy) / length2 : 0;

			t = t < 0 ? 0 : t > 1 ? 1 : t;
			px -= t * dx;
			py -= t * dy;
			if (px * px + py * py <= r * r)
				put(img, (size_t)j * width_of(img) + i, &k);
		}
	}
	return 0;
}

/* blit(image, from, x, y): copy pixels, cut off at the edges; both of one kind */
static int l_blit(lua_State *L)
{
	mw_lx_image *img = mw_lx_image_arg(L, 1);
	const mw_lx_image *from = mw_lx_image_arg(L, 2);
	int64_t x = mw_lx_int(L, 3, "x", -1000000, 1000000);
	int64_t y = mw_lx_int(L, 4, "y", -1000000, 1000000);

	if (is_grey(img) != is_grey(from) || (is_grey(img) && img->grey.bits != from->grey.bits))
		mw_lx_bad(L, 2, "image:blit", "both images must be of one kind");
	for (int64_t j = 0; j < height_of(from); j++) {
		for (int64_t i = 0; i < width_of(from); i++) {
			ink k = {0, {0}};
			size_t at = (size_t)j * width_of(from) + (size_t)i;

			if (x + i < 0 || x + i >= width_of(img) || y + j < 0 ||
				y + j >= height_of(img))
				continue;
			if (is_grey(from))
				k.grey = from->grey.v[at];
			else
				memcpy(k.px, from->colour.px + 4 * at, 4);
			put(img, (size_t)(y + j) * width_of(img) + (size_t)(x + i), &k);
		}
	}
	return 0;
}

/* map(image, fn): fn(x, y, value | r, g, b, a) gives the new value or colour; nil keeps the old */
static int l_map(lua_State *L)
{
	mw_lx_image *img = mw_lx_image_arg(L, 1);

	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	for (uint32_t j = 0; j < height_of(img); j++) {
		for (uint32_t i = 0; i < width_of(img); i++) {
			size_t at = (size_t)j * width_of(img) + i;

			lua_pushvalue(L, 2);
			lua_pushinteger(L, i);
			lua_pushinteger(L, j);
			lua_call(L, 2 + push_pixel(L, img, at), is_grey(img) ? 1 : 4);
			if (!lua_isnil(L, 3)) {
				ink k = ink_arg(L, img, 3);

				put(img, at, &k);
			}
			lua_settop(L, 2);
		}
	}
	return 0;
}

/* ---- tileable -------------------------------------------------------------------------------- */

/* Share of the picture itself at pixel i; the rest is the picture moved by half its size, whose own
 * seam lies in the middle, where the share is 1. */
static float own_share(uint32_t i, uint32_t n, float border)
{
	float d = ((float)(i < n - 1 - i ? i : n - 1 - i) + 0.5f) / (border * (float)n);

	d = d < 1.0f ? d : 1.0f;
	return d * d * (3.0f - 2.0f * d);
}

static void blend_axis(
	uint8_t *out, const uint8_t *in, uint32_t w, uint32_t h, bool along_x, float border)
{
	for (uint32_t j = 0; j < h; j++) {
		for (uint32_t i = 0; i < w; i++) {
			float s = along_x ? own_share(i, w, border) : own_share(j, h, border);
			size_t a = (size_t)j * w + i;
			size_t b = along_x ? (size_t)j * w + (i + w / 2) % w
					   : (size_t)((j + h / 2) % h) * w + i;

			for (unsigned c = 0; c < 4; c++) {
				float v = (float)in[4 * b + c];

				v += s * ((float)in[4 * a + c] - v);
				out[4 * a + c] = (uint8_t)(v + 0.5f);
			}
		}
	}
}

/* tileable(image, border) -> colour image whose opposite edges fit; border is the share of each
 * side that is blended, 0..0.5 */
static int l_tileable(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_image *from = mw_lx_image_arg(L, 1);
	float border = (float)mw_lx_num_in(L, 2, "border", 0.01, 0.5);

	if (is_grey(from))
		mw_lx_bad(L, 1, "image:tileable", "the image must be a colour one");
	mw_lx_image *img = mw_lx_image_new(L), *half = mw_lx_image_new(L);
	uint32_t w = from->colour.w, h = from->colour.h;
	mw_lx_check(L, mw_image_init(cx, &img->colour, w, h));
	mw_lx_check(L, mw_image_init(cx, &half->colour, w, h));
	blend_axis(half->colour.px, from->colour.px, w, h, true, border);
	blend_axis(img->colour.px, half->colour.px, w, h, false, border);
	lua_pop(L, 1);
	return 1;
}

/* ---- fields and bytes -------------------------------------------------------------------------
 */

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
	int32_t w = (int32_t)width_of(img), h = (int32_t)height_of(img);
	mw_field *f = &mw_lx_field_new(L, w, h, (mw_grid){0, 0, 1}, 0)->f;

	for (size_t i = 0; i < mw_field_count(f); i++) {
		double v;

		if (is_grey(img)) {
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

/* widen(image, label): 8-bit grey becomes 16-bit grey, v * 257, with a warning */
static int l_widen(lua_State *L)
{
	mw_lx_image *img = mw_lx_image_arg(L, 1);

	if (!is_grey(img))
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

static const mw_lx_type bytes_type = {"mapwright.image_bytes", free_bytes};

/* bytes(image, label) -> one byte a pixel of a grey image; 16 bits are rounded with a warning */
static int l_bytes(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_image *img = mw_lx_image_arg(L, 1);
	const char *label = luaL_optstring(L, 2, NULL);
	uint8_t **box = mw_lx_new(L, &bytes_type, sizeof *box);
	size_t n = (size_t)width_of(img) * height_of(img);

	if (!is_grey(img))
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
	size_t n = (size_t)width_of(img) * height_of(img);
	luaL_Buffer b;

	if (!is_grey(img) || img->grey.bits != 16)
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
	uint8_t **box = mw_lx_new(L, &bytes_type, sizeof *box);
	size_t n;

	mw_lx_check(L,
		is_grey(img) ? mw_png_encode_grey(cx, box, &n, &img->grey, level)
			     : mw_png_encode_image(cx, box, &n, &img->colour, level));
	lua_pushlstring(L, (const char *)*box, n);
	free_bytes(cx, box);
	return 1;
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
		{"check_size", l_check_size},
		{"get", l_get},
		{"set", l_set},
		{"rect", l_rect},
		{"line", l_line},
		{"blit", l_blit},
		{"map", l_map},
		{"tileable", l_tileable},
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

	mw_lx_type_define(L, &image_type, NULL);
	mw_lx_type_define(L, &bytes_type, NULL);
	luaL_newlib(L, functions);
	luaL_getmetatable(L, image_type.name);
	lua_setfield(L, -2, "class"); /* methods are added in Lua */
	return 1;
}

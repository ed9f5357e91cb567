/* Functions of core.image that write pixels. */
#include "bind/b_image.h"

#include <math.h>
#include <string.h>

static size_t pixel_arg(lua_State *L, const mw_lx_image *img, int idx)
{
	int64_t x = mw_lx_int(L, idx, "x", 0, (int64_t)mw_lx_image_width(img) - 1);
	int64_t y = mw_lx_int(L, idx + 1, "y", 0, (int64_t)mw_lx_image_height(img) - 1);

	return (size_t)y * mw_lx_image_width(img) + (size_t)x;
}

static int push_pixel(lua_State *L, const mw_lx_image *img, size_t at)
{
	if (mw_lx_image_is_grey(img)) {
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

typedef struct {
	uint16_t grey;
	uint8_t px[4];
} ink;

/* The value or the colour at idx.. of the kind the image takes. */
static ink ink_arg(lua_State *L, const mw_lx_image *img, int idx)
{
	static const char *const names[] = {"red", "green", "blue", "alpha"};
	ink k = {0, {0, 0, 0, 255}};

	if (mw_lx_image_is_grey(img)) {
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
	if (mw_lx_image_is_grey(img))
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

	range_of(x, x + w, mw_lx_image_width(img), &x0, &x1);
	range_of(y, y + h, mw_lx_image_height(img), &y0, &y1);
	for (uint32_t j = y0; j < y1; j++)
		for (uint32_t i = x0; i < x1; i++)
			put(img, (size_t)j * mw_lx_image_width(img) + i, &k);
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

	range_of(fmin(ax, bx) - r, fmax(ax, bx) + r + 1, mw_lx_image_width(img), &x0, &x1);
	range_of(fmin(ay, by) - r, fmax(ay, by) + r + 1, mw_lx_image_height(img), &y0, &y1);
	for (uint32_t j = y0; j < y1; j++) {
		for (uint32_t i = x0; i < x1; i++) {
			double px = i + 0.5 - ax, py = j + 0.5 - ay;
			double t = length2 > 0 ? (px * dx + py * dy) / length2 : 0;

			t = t < 0 ? 0 : t > 1 ? 1 : t;
			px -= t * dx;
			py -= t * dy;
			if (px * px + py * py <= r * r)
				put(img, (size_t)j * mw_lx_image_width(img) + i, &k);
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

	if (mw_lx_image_is_grey(img) != mw_lx_image_is_grey(from) ||
		(mw_lx_image_is_grey(img) && img->grey.bits != from->grey.bits))
		mw_lx_bad(L, 2, "image:blit", "both images must be of one kind");
	for (int64_t j = 0; j < mw_lx_image_height(from); j++) {
		for (int64_t i = 0; i < mw_lx_image_width(from); i++) {
			ink k = {0, {0}};
			size_t at = (size_t)j * mw_lx_image_width(from) + (size_t)i;

			if (x + i < 0 || x + i >= mw_lx_image_width(img) || y + j < 0 ||
				y + j >= mw_lx_image_height(img))
				continue;
			if (mw_lx_image_is_grey(from))
				k.grey = from->grey.v[at];
			else
				memcpy(k.px, from->colour.px + 4 * at, 4);
			put(img, (size_t)(y + j) * mw_lx_image_width(img) + (size_t)(x + i), &k);
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
	for (uint32_t j = 0; j < mw_lx_image_height(img); j++) {
		for (uint32_t i = 0; i < mw_lx_image_width(img); i++) {
			size_t at = (size_t)j * mw_lx_image_width(img) + i;

			lua_pushvalue(L, 2);
			lua_pushinteger(L, i);
			lua_pushinteger(L, j);
			lua_call(L, 2 + push_pixel(L, img, at), mw_lx_image_is_grey(img) ? 1 : 4);
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

	if (mw_lx_image_is_grey(from))
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

const luaL_Reg mw_lx_image_draw[] = {
	{"get", l_get},
	{"set", l_set},
	{"rect", l_rect},
	{"line", l_line},
	{"blit", l_blit},
	{"map", l_map},
	{"tileable", l_tileable},
	{NULL, NULL},
};

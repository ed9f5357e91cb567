#include "raster/image.h"

#include "base/fs.h"
#include "base/log.h"
#include "base/mem.h"
#include "raster/png.h"
#include "raster/stb_impl.h"

#include <string.h>

static mw_code check_side(mw_ctx *cx, uint64_t w, uint64_t h)
{
	if (w == 0 || h == 0)
		return mw_fail(cx, MW_EFORMAT, "picture of %llux%llu px has no pixels",
			(unsigned long long)w, (unsigned long long)h);
	if (w > cx->limits.image_side || h > cx->limits.image_side)
		return mw_fail(cx, MW_ELIMIT, "picture of %llux%llu px, at most %u px a side",
			(unsigned long long)w, (unsigned long long)h, cx->limits.image_side);
	return MW_OK;
}

static mw_image_kind kind_of(const uint8_t *p, size_t n)
{
	if (mw_png_is(p, n))
		return MW_IMAGE_PNG;
	if (n >= 2 && p[0] == 0xff && p[1] == 0xd8)
		return MW_IMAGE_JPEG;
	if (n >= 2 && p[0] == 'B' && p[1] == 'M')
		return MW_IMAGE_BMP;
	return MW_IMAGE_TGA; /* has no magic: stb checks its header fields */
}

/* After stb refused it: what our own reader says of a PNG, else what stb said. */
static mw_code reason_of(mw_ctx *cx, mw_image_info *out, const void *bytes, size_t n)
{
	mw_err said = cx->err;
	mw_png *png;

	if (said.code != MW_EFORMAT || !mw_png_begun(bytes, n))
		return said.code;
	mw_err_clear(cx);
	mw_code code = mw_png_open(cx, &png, bytes, n);
	if (code == MW_EUNSUPPORTED) {
		cx->err = said;
		return said.code;
	}
	if (!code) {
		*out = mw_png_info(png);
		mw_png_close(cx, png);
	}
	return code;
}

mw_code mw_image_probe(mw_ctx *cx, mw_image_info *out, const void *bytes, size_t n)
{
	int w = 0, h = 0, channels = 0;
	bool sixteen = false;
	memset(out, 0, sizeof *out);
	if (n == 0)
		return mw_fail(cx, MW_EFORMAT,
			"the picture file is empty, expected PNG, JPEG, TGA or BMP");
	mw_code code = mw__stb_info(cx, &w, &h, &channels, &sixteen, bytes, n);
	if (code)
		return reason_of(cx, out, bytes, n);
	if (w < 0 || h < 0)
		return mw_fail(cx, MW_EFORMAT, "picture of %dx%d px", w, h);
	code = check_side(cx, (uint64_t)w, (uint64_t)h);
	if (code)
		return code;
	out->kind = kind_of(bytes, n);
	out->w = (uint32_t)w;
	out->h = (uint32_t)h;
	out->channels = (uint8_t)channels;
	out->bits = sixteen ? 16 : 8;
	return MW_OK;
}

mw_code mw_image_probe_file(mw_ctx *cx, mw_image_info *out, const char *path)
{
	mw_png *png = NULL;
	mw_code code = mw_png_open_file(cx, &png, path);
	if (!code) {
		*out = mw_png_info(png);
		mw_png_close(cx, png);
		return MW_OK;
	}
	if (code != MW_EUNSUPPORTED) /* another kind, or interlaced */
		return code;
	mw_err_clear(cx);
	uint8_t *bytes = NULL;
	size_t n = 0;
	code = mw_fs_read(cx, &bytes, &n, path);
	if (!code) {
		code = mw_image_probe(cx, out, bytes, n);
		if (code)
			mw_note(cx, "%s", path);
	}
	mw_free(cx, bytes);
	return code;
}

/* As mw_image_init, pixels not set. */
static mw_code image_make(mw_ctx *cx, mw_image *img, uint32_t w, uint32_t h)
{
	memset(img, 0, sizeof *img);
	mw_code code = check_side(cx, w, h);
	if (code)
		return code;
	size_t n;
	if (!mw_mul(w, h, &n))
		return mw_fail(cx, MW_ELIMIT, "picture of %ux%u px is too large", w, h);
	img->px = mw_alloc_n(cx, n, 4);
	if (!img->px)
		return cx->err.code;
	img->w = w;
	img->h = h;
	return MW_OK;
}

mw_code mw_image_init(mw_ctx *cx, mw_image *img, uint32_t w, uint32_t h)
{
	mw_code code = image_make(cx, img, w, h);
	if (!code)
		memset(img->px, 0, (size_t)w * h * 4);
	return code;
}

void mw_image_free(mw_ctx *cx, mw_image *img)
{
	mw_free(cx, img->px);
	memset(img, 0, sizeof *img);
}

mw_code mw_grey_init(mw_ctx *cx, mw_grey *g, uint32_t w, uint32_t h, uint8_t bits)
{
	memset(g, 0, sizeof *g);
	mw_code code = check_side(cx, w, h);
	if (code)
		return code;
	size_t n;
	if (!mw_mul(w, h, &n))
		return mw_fail(cx, MW_ELIMIT, "picture of %ux%u px is too large", w, h);
	g->v = mw_zalloc_n(cx, n, sizeof *g->v);
	if (!g->v)
		return cx->err.code;
	g->w = w;
	g->h = h;
	g->bits = bits;
	return MW_OK;
}

void mw_grey_free(mw_ctx *cx, mw_grey *g)
{
	mw_free(cx, g->v);
	memset(g, 0, sizeof *g);
}

/* ---- decoding ------------------------------------------------------------------------------- */

/* Our own reader takes what it can; stb keeps interlaced PNG and the other kinds. */
static mw_code open_png(mw_ctx *cx, mw_png **png, const void *bytes, size_t n, bool *interlaced)
{
	*png = NULL;
	*interlaced = false;
	mw_code code = mw_png_open(cx, png, bytes, n);
	if (code == MW_EUNSUPPORTED) {
		mw_err_clear(cx);
		*interlaced = true;
		return MW_OK;
	}
	return code;
}

static mw_code decode_png_rows(mw_ctx *cx, mw_image *img, mw_png *png)
{
	mw_image_info info = mw_png_info(png);
	mw_code code = image_make(cx, img, info.w, info.h);
	for (uint32_t y = 0; !code && y < info.h; y++)
		code = mw_png_row_rgba(cx, png, img->px + (size_t)y * info.w * 4);
	return code;
}

mw_code mw_image_decode(mw_ctx *cx, mw_image *img, const void *bytes, size_t n)
{
	mw_image_info info;
	memset(img, 0, sizeof *img);
	if (mw_png_begun(bytes, n)) {
		mw_png *png;
		bool interlaced;
		mw_code code = open_png(cx, &png, bytes, n, &interlaced);
		if (code)
			return code;
		if (!interlaced) {
			code = decode_png_rows(cx, img, png);
			mw_png_close(cx, png);
			if (code)
				mw_image_free(cx, img);
			return code;
		}
	}
	mw_code code = mw_image_probe(cx, &info, bytes, n);
	if (code)
		return code;
	code = mw__stb_load8(cx, &img->px, bytes, n, 4);
	if (code)
		return code;
	img->w = info.w;
	img->h = info.h;
	return MW_OK;
}

/* Index of the first pixel whose channels differ, or count. */
static size_t first_coloured(const uint8_t *px, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (px[4 * i] != px[4 * i + 1] || px[4 * i] != px[4 * i + 2])
			return i;
	return count;
}

static mw_code refuse_colour(mw_ctx *cx, size_t i, uint32_t w, unsigned r, unsigned g, unsigned b)
{
	return mw_fail(cx, MW_EFORMAT,
		"picture must be grey, but red %u, green %u and blue %u differ at pixel (%zu, %zu)",
		r, g, b, i % w, i / w);
}

mw_code mw_grey_from_image(mw_ctx *cx, mw_grey *g, const mw_image *img)
{
	size_t count = (size_t)img->w * img->h;
	memset(g, 0, sizeof *g);
	size_t bad = first_coloured(img->px, count);
	if (bad < count) {
		const uint8_t *p = img->px + 4 * bad;
		return refuse_colour(cx, bad, img->w, p[0], p[1], p[2]);
	}
	mw_code code = mw_grey_init(cx, g, img->w, img->h, 8);
	if (code)
		return code;
	for (size_t i = 0; i < count; i++)
		g->v[i] = img->px[4 * i];
	return MW_OK;
}

/* 16-bit files our reader does not take as grey: colour, palette never (8 bits), interlaced. */
static mw_code grey_from_rgb16(
	mw_ctx *cx, mw_grey *g, const mw_image_info *info, const void *bytes, size_t n)
{
	uint16_t *rgb = NULL;
	mw_code code = mw__stb_load16(cx, &rgb, bytes, n, 3);
	if (!code)
		code = mw_grey_init(cx, g, info->w, info->h, 16);
	size_t count = (size_t)info->w * info->h;
	for (size_t i = 0; !code && i < count; i++) {
		const uint16_t *p = rgb + 3 * i;
		if (p[0] != p[1] || p[0] != p[2])
			code = refuse_colour(cx, i, info->w, p[0], p[1], p[2]);
		g->v[i] = p[0];
	}
	mw_free(cx, rgb);
	if (code)
		mw_grey_free(cx, g);
	return code;
}

static mw_code decode_grey_rows(mw_ctx *cx, mw_grey *g, mw_png *png)
{
	mw_image_info info = mw_png_info(png);
	mw_code code = mw_grey_init(cx, g, info.w, info.h, info.bits);
	for (uint32_t y = 0; !code && y < info.h; y++)
		code = mw_png_row_grey(cx, png, g->v + (size_t)y * info.w);
	return code;
}

mw_code mw_grey_decode(mw_ctx *cx, mw_grey *g, const void *bytes, size_t n)
{
	mw_image_info info;
	memset(g, 0, sizeof *g);
	if (mw_png_begun(bytes, n)) {
		mw_png *png;
		bool interlaced;
		mw_code code = open_png(cx, &png, bytes, n, &interlaced);
		if (code)
			return code;
		bool grey = !interlaced && mw_png_info(png).channels <= 2;
		if (grey)
			code = decode_grey_rows(cx, g, png);
		mw_png_close(cx, png);
		if (code)
			mw_grey_free(cx, g);
		if (grey)
			return code;
	}
	mw_code code = mw_image_probe(cx, &info, bytes, n);
	if (code)
		return code;
	if (info.bits == 16)
		return grey_from_rgb16(cx, g, &info, bytes, n);
	mw_image img;
	code = mw_image_decode(cx, &img, bytes, n);
	if (!code)
		code = mw_grey_from_image(cx, g, &img);
	mw_image_free(cx, &img);
	return code;
}

/* Largest r with r * r <= n. */
static uint64_t root_of(uint64_t n)
{
	uint64_t r = 0;
	for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1)
		if ((r | bit) * (r | bit) <= n)
			r |= bit;
	return r;
}

mw_code mw_grey_raw(mw_ctx *cx, mw_grey *g, const void *bytes, size_t n, uint32_t w, uint32_t h,
	bool big_endian)
{
	const uint8_t *p = bytes;
	memset(g, 0, sizeof *g);
	if (w == 0 && h == 0) {
		uint64_t side = root_of(n / 2);
		if (n % 2 || side * side != n / 2)
			return mw_fail(cx, MW_EFORMAT,
				"raw picture of %zu bytes is not a square of 16-bit samples; "
				"state its width and height",
				n);
		if (side > cx->limits.image_side)
			return check_side(cx, side, side);
		w = h = (uint32_t)side;
	}
	mw_code code = check_side(cx, w, h);
	if (code)
		return code;
	if ((uint64_t)w * h * 2 != n)
		return mw_fail(cx, MW_EFORMAT,
			"raw picture of %ux%u 16-bit samples needs %llu bytes, file has %zu", w, h,
			(unsigned long long)w * h * 2, n);
	code = mw_grey_init(cx, g, w, h, 16);
	if (code)
		return code;
	unsigned low = big_endian ? 1 : 0;
	for (size_t i = 0; i < n / 2; i++)
		g->v[i] = (uint16_t)(p[2 * i + low] | p[2 * i + 1 - low] << 8);
	return MW_OK;
}

/* ---- conversions ---------------------------------------------------------------------------- */

mw_code mw_image_check_size(
	mw_ctx *cx, const char *what, uint32_t w, uint32_t h, uint32_t want_w, uint32_t want_h)
{
	if (w == want_w && h == want_h)
		return MW_OK;
	return mw_fail(
		cx, MW_ERANGE, "the %s is %ux%u, this map needs %ux%u", what, w, h, want_w, want_h);
}

void mw_grey_widen(mw_ctx *cx, mw_grey *g, const char *name)
{
	if (g->bits == 16)
		return;
	size_t count = (size_t)g->w * g->h;
	for (size_t i = 0; i < count; i++)
		g->v[i] = (uint16_t)(g->v[i] * 257u);
	g->bits = 16;
	mw_warn(cx, "heightmap-8-bit", "%s%sthe heightmap has 8 bits, at most 256 levels of height",
		name ? name : "", name ? ": " : "");
}

static uint8_t byte_of_16(uint16_t v)
{
	return (uint8_t)((v + 128u) / 257u);
}

void mw_grey_to_bytes(mw_ctx *cx, uint8_t *out, const mw_grey *g, const char *name)
{
	size_t count = (size_t)g->w * g->h;
	if (g->bits == 16)
		mw_warn(cx, "picture-16-bit", "%s%s16-bit picture is rounded to 8 bits",
			name ? name : "", name ? ": " : "");
	for (size_t i = 0; i < count; i++)
		out[i] = g->bits == 16 ? byte_of_16(g->v[i]) : (uint8_t)g->v[i];
}

mw_code mw_image_from_grey(mw_ctx *cx, mw_image *img, const mw_grey *g)
{
	mw_code code = mw_image_init(cx, img, g->w, g->h);
	if (code)
		return code;
	size_t count = (size_t)g->w * g->h;
	for (size_t i = 0; i < count; i++) {
		uint8_t v = g->bits == 16 ? byte_of_16(g->v[i]) : (uint8_t)g->v[i];
		uint8_t *p = img->px + 4 * i;
		p[0] = p[1] = p[2] = v;
		p[3] = 255;
	}
	return MW_OK;
}

void mw_image_halve(uint8_t *out, size_t out_stride, const uint8_t *in, size_t in_stride,
	uint32_t w, uint32_t h)
{
	for (uint32_t y = 0; y < h / 2; y++) {
		const uint8_t *a = in + 2 * y * in_stride;
		const uint8_t *b = a + in_stride;
		uint8_t *o = out + y * out_stride;
		for (uint32_t x = 0; x < w / 2; x++) {
			for (unsigned c = 0; c < 4; c++) {
				unsigned sum = a[8 * x + c] + a[8 * x + 4 + c];
				sum += b[8 * x + c] + b[8 * x + 4 + c];
				o[4 * x + c] = (uint8_t)((sum + 2) >> 2);
			}
		}
	}
}

bool mw_image_has_alpha(const mw_image *img)
{
	size_t count = (size_t)img->w * img->h;
	for (size_t i = 0; i < count; i++)
		if (img->px[4 * i + 3] != 255)
			return true;
	return false;
}

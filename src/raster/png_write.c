#include "raster/png.h"

#include "base/flate.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/wr.h"
#include "raster/png_filter.h"

#include <string.h>

#define FILTERS 5
/* From this level on the filter is chosen row by row; below it every row uses SUB, which costs
 * little and gains most of it on pictures of terrain. */
#define ADAPTIVE_LEVEL 4

typedef struct {
	uint32_t w, h;
	mw_png_kind kind;
	const uint8_t *px;
	size_t stride;
	size_t row_bytes;
	unsigned bpp;
	uint8_t *row[2]; /* file order: this row and the one above, by parity */
	uint8_t *trial;
} encoder;

static unsigned file_bpp(mw_png_kind kind)
{
	switch (kind) {
	case MW_PNG_GREY8:
		return 1;
	case MW_PNG_GREY16:
		return 2;
	case MW_PNG_RGBA8:
		return 4;
	default:
		return 3;
	}
}

/* Row y in the byte order of the file. */
static void fetch_row(const encoder *e, uint8_t *out, uint32_t y)
{
	const uint8_t *p = e->px + y * e->stride;
	if (e->kind == MW_PNG_GREY16) {
		for (uint32_t x = 0; x < e->w; x++) {
			uint16_t v;
			memcpy(&v, p + 2 * (size_t)x, 2);
			out[2 * (size_t)x] = (uint8_t)(v >> 8);
			out[2 * (size_t)x + 1] = (uint8_t)v;
		}
	} else if (e->kind == MW_PNG_RGB8_OF_RGBA) {
		for (uint32_t x = 0; x < e->w; x++)
			memcpy(out + 3 * (size_t)x, p + 4 * (size_t)x, 3);
	} else {
		memcpy(out, p, e->row_bytes);
	}
}

/* Sum of distances to zero: the usual guess at what deflates best. */
static uint64_t cost(const uint8_t *p, size_t n)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += p[i] < 128 ? p[i] : 256u - p[i];
	return sum;
}

static void filter_row(
	const encoder *e, uint8_t *out, const uint8_t *row, const uint8_t *above, int level)
{
	if (level < ADAPTIVE_LEVEL) {
		out[0] = 1;
		mw__png_filter(1, out + 1, row, above, e->row_bytes, e->bpp);
		return;
	}
	uint64_t least = UINT64_MAX;
	for (unsigned f = 0; f < FILTERS; f++) {
		mw__png_filter(f, e->trial, row, above, e->row_bytes, e->bpp);
		uint64_t c = cost(e->trial, e->row_bytes);
		if (c < least) {
			least = c;
			out[0] = (uint8_t)f;
			memcpy(out + 1, e->trial, e->row_bytes);
		}
	}
}

static void put_be32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

static void put_chunk(mw_wr *wr, const char *type, const void *body, size_t n)
{
	uint8_t b[4];
	put_be32(b, (uint32_t)n);
	mw_wr_bytes(wr, b, 4);
	mw_wr_bytes(wr, type, 4);
	mw_wr_bytes(wr, body, n);
	put_be32(b, mw_crc32(mw_crc32(0, type, 4), body, n));
	mw_wr_bytes(wr, b, 4);
}

static mw_code filter_all(mw_ctx *cx, encoder *e, uint8_t **out, size_t *out_n, int level)
{
	size_t line = e->row_bytes + 1, n;
	if (!mw_mul(line, e->h, &n))
		return mw_fail(cx, MW_ELIMIT, "picture of %ux%u px is too large", e->w, e->h);
	uint8_t *all = NULL;
	if (!(e->row[0] = mw_zalloc(cx, e->row_bytes)) ||
		!(e->row[1] = mw_zalloc(cx, e->row_bytes)) ||
		!(e->trial = mw_alloc(cx, e->row_bytes)) || !(all = mw_alloc(cx, n)))
		return cx->err.code;
	for (uint32_t y = 0; y < e->h; y++) {
		fetch_row(e, e->row[y & 1], y);
		filter_row(e, all + y * line, e->row[y & 1], e->row[~y & 1], level);
	}
	*out = all;
	*out_n = n;
	return MW_OK;
}

mw_code mw_png_encode(mw_ctx *cx, uint8_t **out, size_t *out_n, mw_png_kind kind, uint32_t w,
	uint32_t h, const void *px, size_t stride, int level)
{
	static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	uint8_t *filtered = NULL, *packed = NULL;
	size_t filtered_n = 0, packed_n = 0;
	mw_wr wr;
	*out = NULL;
	*out_n = 0;
	if (w == 0 || h == 0)
		return mw_fail(cx, MW_EINVALID, "cannot write a picture of %ux%u px", w, h);
	mw_wr_init(&wr, cx);
	encoder e = {.w = w, .h = h, .kind = kind, .px = px, .stride = stride};
	e.bpp = file_bpp(kind);
	e.row_bytes = (size_t)w * e.bpp;
	mw_code code = filter_all(cx, &e, &filtered, &filtered_n, level);
	if (!code)
		code = mw_deflate(
			cx, &packed, &packed_n, filtered, filtered_n, level, MW_FLATE_ZLIB);
	mw_free(cx, filtered);
	if (!code && packed_n > INT32_MAX)
		code = mw_fail(cx, MW_ELIMIT, "picture of %ux%u px is too large for PNG", w, h);
	if (!code) {
		uint8_t ihdr[13] = {0};
		put_be32(ihdr, w);
		put_be32(ihdr + 4, h);
		ihdr[8] = kind == MW_PNG_GREY16 ? 16 : 8;
		ihdr[9] = e.bpp <= 2 ? 0 : kind == MW_PNG_RGBA8 ? 6 : 2;
		mw_wr_reserve(&wr, packed_n + 64);
		mw_wr_bytes(&wr, magic, sizeof magic);
		put_chunk(&wr, "IHDR", ihdr, sizeof ihdr);
		put_chunk(&wr, "IDAT", packed, packed_n);
		put_chunk(&wr, "IEND", "", 0);
		code = mw_wr_code(&wr);
		if (!code)
			*out = mw_wr_take(&wr, out_n);
		if (!code && !*out)
			code = cx->err.code;
	}
	mw_wr_free(&wr);
	mw_free(cx, packed);
	mw_free(cx, e.row[0]);
	mw_free(cx, e.row[1]);
	mw_free(cx, e.trial);
	return code;
}

mw_code mw_png_encode_image(
	mw_ctx *cx, uint8_t **out, size_t *out_n, const mw_image *img, int level)
{
	mw_png_kind kind = mw_image_has_alpha(img) ? MW_PNG_RGBA8 : MW_PNG_RGB8_OF_RGBA;
	return mw_png_encode(
		cx, out, out_n, kind, img->w, img->h, img->px, (size_t)img->w * 4, level);
}

mw_code mw_png_encode_grey(mw_ctx *cx, uint8_t **out, size_t *out_n, const mw_grey *g, int level)
{
	if (g->bits == 16)
		return mw_png_encode(
			cx, out, out_n, MW_PNG_GREY16, g->w, g->h, g->v, (size_t)g->w * 2, level);
	size_t count = (size_t)g->w * g->h;
	uint8_t *bytes = mw_alloc(cx, count);
	if (!bytes)
		return cx->err.code;
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)g->v[i];
	mw_code code = mw_png_encode(cx, out, out_n, MW_PNG_GREY8, g->w, g->h, bytes, g->w, level);
	mw_free(cx, bytes);
	return code;
}

#include "raster/png.h"

#include "base/mem.h"
#include "raster/png_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Opening and closing a PNG, and its rows as pixels of 8 or 16 bits. */

/* ---- life ------------------------------------------------------------------------------------ */

static mw_png *new_png(mw_ctx *cx)
{
	mw_png *png = mw_zalloc(cx, sizeof *png);
	if (png)
		png->fd = -1;
	return png;
}

static mw_code open_rest(mw_ctx *cx, mw_png **out, mw_png *png)
{
	mw_code code = mw__png_head(cx, png);
	if (!code)
		code = mw__png_start(cx, png);
	if (code) {
		if (png->path && code != MW_EUNSUPPORTED && !cx->err.subject[0])
			mw_note(cx, "%s", png->path);
		mw_png_close(cx, png);
		return code;
	}
	*out = png;
	return MW_OK;
}

mw_code mw_png_open(mw_ctx *cx, mw_png **out, const void *bytes, size_t n)
{
	*out = NULL;
	mw_png *png = new_png(cx);
	if (!png)
		return cx->err.code;
	png->p = bytes;
	png->n = n;
	return open_rest(cx, out, png);
}

mw_code mw_png_open_file(mw_ctx *cx, mw_png **out, const char *path)
{
	*out = NULL;
	mw_png *png = new_png(cx);
	if (!png)
		return cx->err.code;
	size_t len = strlen(path) + 1;
	char *copy = mw_alloc(cx, len);
	png->piece = copy ? mw_alloc(cx, MW__PNG_PIECE) : NULL;
	if (!png->piece) {
		mw_free(cx, copy);
		mw_png_close(cx, png);
		return cx->err.code;
	}
	memcpy(copy, path, len);
	png->path = copy;
	png->p = png->piece;
	png->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (png->fd < 0) {
		mw_code code = mw_fail(cx, MW_EIO, "%s", strerror(errno));
		mw_note(cx, "%s", path);
		mw_png_close(cx, png);
		return code;
	}
	return open_rest(cx, out, png);
}

void mw_png_close(mw_ctx *cx, mw_png *png)
{
	if (!png)
		return;
	png->cx = cx;
	if (png->z_on)
		inflateEnd(&png->z);
	if (png->fd >= 0)
		close(png->fd);
	mw_free(cx, png->raw);
	mw_free(cx, png->previous);
	mw_free(cx, png->piece);
	mw_free(cx, png->path);
	mw_free(cx, png);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Sample i of a row with less than 8 bits a sample. */
static unsigned small_sample(const uint8_t *row, uint32_t i, unsigned depth)
{
	unsigned per = 8 / depth;
	unsigned shift = (per - 1 - i % per) * depth;
	return ((unsigned)row[i / per] >> shift) & ((1u << depth) - 1u);
}

static uint8_t round16(uint16_t v)
{
	return (uint8_t)((v + 128u) / 257u);
}

static mw_code expand_palette(mw_ctx *cx, const mw_png *png, uint8_t *out, const uint8_t *row)
{
	for (uint32_t x = 0; x < png->w; x++) {
		unsigned i = png->depth == 8 ? row[x] : small_sample(row, x, png->depth);
		if (i >= png->palette_n)
			return mw_fail(cx, MW_EFORMAT, "PNG row %u: colour %u of a palette of %u",
				png->row - 1, i, png->palette_n);
		memcpy(out + 4 * (size_t)x, png->palette[i], 4);
	}
	return MW_OK;
}

static void expand_grey(const mw_png *png, uint8_t *out, const uint8_t *row)
{
	unsigned scale = png->depth < 8 ? 255u / ((1u << png->depth) - 1u) : 1;
	for (uint32_t x = 0; x < png->w; x++, out += 4) {
		unsigned v = png->depth == 16 ? mw__be16(row + 2 * (size_t)x)
			: png->depth == 8     ? row[x]
					      : small_sample(row, x, png->depth);
		bool clear = png->has_key && v == png->key[0];
		uint8_t b = png->depth == 16 ? round16((uint16_t)v) : (uint8_t)(v * scale);
		out[0] = out[1] = out[2] = b;
		out[3] = clear ? 0 : 255;
	}
}

static void expand_rgb8(const mw_png *png, uint8_t *out, const uint8_t *row)
{
	for (uint32_t x = 0; x < png->w; x++) {
		out[4 * (size_t)x] = row[3 * (size_t)x];
		out[4 * (size_t)x + 1] = row[3 * (size_t)x + 1];
		out[4 * (size_t)x + 2] = row[3 * (size_t)x + 2];
		out[4 * (size_t)x + 3] = 255;
	}
	for (uint32_t x = 0; png->has_key && x < png->w; x++, out += 4)
		if (out[0] == png->key[0] && out[1] == png->key[1] && out[2] == png->key[2])
			out[3] = 0;
}

/* Grey + alpha, and everything with 16 bits. */
static void expand_wide(const mw_png *png, uint8_t *out, const uint8_t *row)
{
	unsigned samples = mw__png_samples(png->type), bytes = png->depth / 8;
	bool alpha = samples == 2 || samples == 4;
	for (uint32_t x = 0; x < png->w; x++, out += 4, row += samples * bytes) {
		uint16_t raw[4];
		uint8_t s[4];
		for (unsigned i = 0; i < samples; i++) {
			raw[i] = bytes == 2 ? mw__be16(row + 2 * i) : row[i];
			s[i] = bytes == 2 ? round16(raw[i]) : (uint8_t)raw[i];
		}
		out[0] = s[0];
		out[1] = samples > 2 ? s[1] : s[0];
		out[2] = samples > 2 ? s[2] : s[0];
		out[3] = alpha ? s[samples - 1] : 255;
		if (png->has_key && samples == 3 && raw[0] == png->key[0] &&
			raw[1] == png->key[1] && raw[2] == png->key[2])
			out[3] = 0;
	}
}

mw_code mw_png_row_rgba(mw_ctx *cx, mw_png *png, uint8_t *out)
{
	const uint8_t *row;
	mw_code code = mw__png_next_row(cx, png, &row);
	if (code)
		return code;
	if (png->type == MW__PNG_PALETTE)
		return expand_palette(cx, png, out, row);
	if (png->type == MW__PNG_GREY)
		expand_grey(png, out, row);
	else if (png->type == MW__PNG_RGB && png->depth == 8)
		expand_rgb8(png, out, row);
	else if (png->type == MW__PNG_RGB_ALPHA && png->depth == 8)
		memcpy(out, row, (size_t)png->w * 4);
	else
		expand_wide(png, out, row);
	return MW_OK;
}

mw_code mw_png_row_grey(mw_ctx *cx, mw_png *png, uint16_t *out)
{
	const uint8_t *row;
	MW_ASSERT(png->type == MW__PNG_GREY || png->type == MW__PNG_GREY_ALPHA);
	mw_code code = mw__png_next_row(cx, png, &row);
	if (code)
		return code;
	size_t step = mw__png_samples(png->type) * (png->depth == 16 ? 2u : 1u);
	unsigned scale = png->depth < 8 ? 255u / ((1u << png->depth) - 1u) : 1;
	for (uint32_t x = 0; x < png->w; x++) {
		if (png->depth == 16)
			out[x] = mw__be16(row + x * step);
		else if (png->depth == 8)
			out[x] = row[x * step];
		else
			out[x] = (uint16_t)(small_sample(row, x, png->depth) * scale);
	}
	return MW_OK;
}

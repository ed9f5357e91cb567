#include "raster/png_internal.h"

#include "base/str.h"

#include <string.h>

/* What stands in front of the picture data: size, kind, palette, transparent colours. */

static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

bool mw_png_is(const void *bytes, size_t n)
{
	return n >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

bool mw_png_begun(const void *bytes, size_t n)
{
	return n >= 4 && memcmp((const uint8_t *)bytes + 1, magic + 1, 3) == 0;
}

static bool depth_allowed(unsigned type, unsigned depth)
{
	switch (type) {
	case MW__PNG_GREY:
		return depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
	case MW__PNG_PALETTE:
		return depth == 1 || depth == 2 || depth == 4 || depth == 8;
	case MW__PNG_RGB:
	case MW__PNG_GREY_ALPHA:
	case MW__PNG_RGB_ALPHA:
		return depth == 8 || depth == 16;
	default:
		return false;
	}
}

static mw_code read_ihdr(mw_ctx *cx, mw_png *png)
{
	uint32_t len;
	uint8_t type[4], b[13];
	mw_code code = mw__png_chunk_begin(cx, png, &len, type);
	if (code)
		return code;
	if (len != 13 || memcmp(type, "IHDR", 4) != 0)
		return mw__png_fail(
			cx, png, MW_EFORMAT, "it does not start with a header of 13 bytes");
	code = mw__png_chunk_body(cx, png, b, sizeof b);
	if (code)
		return code;
	png->w = mw__be32(b);
	png->h = mw__be32(b + 4);
	png->depth = b[8];
	png->type = b[9];
	if (png->w == 0 || png->h == 0)
		return mw__png_fail(cx, png, MW_EFORMAT, "its header gives it no pixels");
	if (png->w > cx->limits.image_side || png->h > cx->limits.image_side)
		return mw_fail(cx, MW_ELIMIT, "picture of %ux%u px, at most %u px a side", png->w,
			png->h, cx->limits.image_side);
	if (!depth_allowed(png->type, png->depth))
		return mw_fail(cx, MW_EFORMAT,
			"damaged PNG: its header has colour type %u with %u bits", png->type,
			png->depth);
	if (b[10] != 0 || b[11] != 0 || b[12] > 1)
		return mw_fail(cx, MW_EFORMAT,
			"damaged PNG: its header has compression %u, filter method %u, interlace "
			"%u",
			b[10], b[11], b[12]);
	if (b[12] == 1)
		return mw_fail(cx, MW_EUNSUPPORTED, "interlaced PNG cannot be read row by row");
	uint64_t bits = (uint64_t)png->w * mw__png_samples(png->type) * png->depth;
	png->row_bytes = (size_t)((bits + 7) / 8);
	unsigned pixel_bits = mw__png_samples(png->type) * png->depth;
	png->bpp = pixel_bits < 8 ? 1 : pixel_bits / 8;
	return MW_OK;
}

static mw_code read_plte(mw_ctx *cx, mw_png *png, uint32_t len)
{
	uint8_t b[768];
	if (len == 0 || len > sizeof b || len % 3)
		return mw__png_fail(cx, png, MW_EFORMAT, "its palette is not 1 to 256 colours");
	mw_code code = mw__png_chunk_body(cx, png, b, len);
	if (code)
		return code;
	png->palette_n = len / 3;
	for (unsigned i = 0; i < png->palette_n; i++) {
		memcpy(png->palette[i], b + 3 * i, 3);
		png->palette[i][3] = 255;
	}
	return MW_OK;
}

static mw_code read_trns(mw_ctx *cx, mw_png *png, uint32_t len)
{
	uint8_t b[256];
	unsigned samples = mw__png_samples(png->type);
	bool ok = png->type == MW__PNG_PALETTE
		? len <= png->palette_n
		: (png->type == MW__PNG_GREY || png->type == MW__PNG_RGB) && len == 2 * samples;
	if (!ok)
		return mw__png_fail(
			cx, png, MW_EFORMAT, "its transparency chunk has a wrong length");
	mw_code code = mw__png_chunk_body(cx, png, b, len);
	if (code)
		return code;
	if (png->type == MW__PNG_PALETTE) {
		for (unsigned i = 0; i < len; i++)
			png->palette[i][3] = b[i];
		png->palette_alpha = true;
		return MW_OK;
	}
	for (unsigned i = 0; i < samples; i++)
		png->key[i] = mw__be16(b + 2 * i);
	png->has_key = true;
	return MW_OK;
}

/* The first bytes are there to show a transfer that took the file for text. */
static mw_code read_magic(mw_ctx *cx, mw_png *png)
{
	mw_code code = mw__png_need(cx, png, sizeof magic);
	const uint8_t *p = png->p + png->at;
	char found[3 * sizeof magic + 1], text[96];

	if (!mw_png_begun(p, png->n - png->at)) {
		mw_err_clear(cx);
		return mw_fail(cx, MW_EUNSUPPORTED, "not a PNG file");
	}
	if (code)
		return code;
	if (mw_png_is(p, sizeof magic)) {
		png->at += sizeof magic;
		return MW_OK;
	}
	for (size_t i = 0; i < sizeof magic; i++)
		mw_format(found + 3 * i, 4, i + 1 < sizeof magic ? "%02x " : "%02x", p[i]);
	mw_format(text, sizeof text, "its first 8 bytes are %s, expected 89 50 4e 47 0d 0a 1a 0a",
		found);
	return mw__png_fail(cx, png, MW_EFORMAT, text);
}

mw_code mw__png_head(mw_ctx *cx, mw_png *png)
{
	mw_code code = read_magic(cx, png);
	if (code)
		return code;
	code = read_ihdr(cx, png);
	while (!code) {
		uint32_t len;
		uint8_t type[4];
		code = mw__png_chunk_begin(cx, png, &len, type);
		if (code)
			break;
		if (memcmp(type, "IDAT", 4) == 0) {
			png->chunk_left = len;
			break;
		}
		if (memcmp(type, "PLTE", 4) == 0)
			code = read_plte(cx, png, len);
		else if (memcmp(type, "tRNS", 4) == 0)
			code = read_trns(cx, png, len);
		else if (memcmp(type, "IEND", 4) == 0)
			code = mw__png_fail(cx, png, MW_EFORMAT, "no picture data");
		else if (type[0] & 0x20) /* lower case: may be left out */
			code = mw__png_skip(cx, png, (uint64_t)len + 4);
		else
			code = mw__png_fail(
				cx, png, MW_EFORMAT, "a necessary chunk of an unknown kind");
	}
	if (!code && png->type == MW__PNG_PALETTE && png->palette_n == 0)
		code = mw__png_fail(cx, png, MW_EFORMAT, "colours of a palette and no palette");
	return code;
}

mw_image_info mw_png_info(const mw_png *png)
{
	mw_image_info info = {MW_IMAGE_PNG, png->w, png->h, 0, 0};
	bool alpha = png->has_key || png->palette_alpha;
	info.bits = png->depth == 16 ? 16 : 8;
	switch (png->type) {
	case MW__PNG_GREY:
		info.channels = alpha ? 2 : 1;
		break;
	case MW__PNG_GREY_ALPHA:
		info.channels = 2;
		break;
	case MW__PNG_RGB_ALPHA:
		info.channels = 4;
		break;
	default:
		info.channels = alpha ? 4 : 3;
	}
	return info;
}

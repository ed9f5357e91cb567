/* PNG: a writer over libdeflate and a reader that goes row by row. */
#ifndef MW_RASTER_PNG_H
#define MW_RASTER_PNG_H

#include "raster/image.h"

typedef enum {
	MW_PNG_GREY8,        /* 1 byte a pixel */
	MW_PNG_GREY16,       /* native uint16_t a pixel */
	MW_PNG_RGB8,         /* 3 bytes a pixel */
	MW_PNG_RGBA8,        /* 4 bytes a pixel */
	MW_PNG_RGB8_OF_RGBA, /* 4 bytes a pixel, alpha left out of the file */
} mw_png_kind;

/* Encode w x h pixels. The same pixels and level give the same bytes with the same libdeflate.
 * stride: bytes from row to row. [range: level 0..12; 1 quick, 6 ordinary] [owned: caller, mw_free]
 */
MW_NODISCARD mw_code mw_png_encode(mw_ctx *cx, uint8_t **out, size_t *out_n, mw_png_kind kind,
	uint32_t w, uint32_t h, const void *px, size_t stride, int level);
/* The picture as RGB, or as RGBA when any alpha is below 255. */
MW_NODISCARD mw_code mw_png_encode_image(
	mw_ctx *cx, uint8_t **out, size_t *out_n, const mw_image *img, int level);
/* 8 or 16 bits by g->bits. */
MW_NODISCARD mw_code mw_png_encode_grey(
	mw_ctx *cx, uint8_t **out, size_t *out_n, const mw_grey *g, int level);

/* Reader of non-interlaced PNG, every colour type and depth (PNG 1.2, sections 2 to 6). Checks the
 * CRC of critical chunks, never trusts a length. */
typedef struct mw_png mw_png;

bool mw_png_is(const void *bytes, size_t n);
/* Whether it is a PNG, perhaps one whose first 8 bytes are damaged. */
bool mw_png_begun(const void *bytes, size_t n);

/* bytes are borrowed until close. MW_EUNSUPPORTED when interlaced. [owned: caller] */
MW_NODISCARD mw_code mw_png_open(mw_ctx *cx, mw_png **out, const void *bytes, size_t n);
/* Reads the file in pieces of 64 KiB. */
MW_NODISCARD mw_code mw_png_open_file(mw_ctx *cx, mw_png **out, const char *path);
void mw_png_close(mw_ctx *cx, mw_png *png);

/* bits: 8 or 16 (16 only for 16-bit files); channels as in mw_image_info, palettes count as 3 or 4.
 */
mw_image_info mw_png_info(const mw_png *png);

/* The next row; at most h calls in all. [out: 4 * w bytes] */
MW_NODISCARD mw_code mw_png_row_rgba(mw_ctx *cx, mw_png *png, uint8_t *out);
/* The next row of a grey or grey + alpha file with its exact values, 1, 2 and 4 bits widened to 8.
 * Must not be called for colour files. [out: w values] */
MW_NODISCARD mw_code mw_png_row_grey(mw_ctx *cx, mw_png *png, uint16_t *out);

#endif

/* Shared by the files of the PNG reader: bytes -> chunks -> head and inflated rows -> pixels. */
#ifndef MW_RASTER_PNG_INTERNAL_H
#define MW_RASTER_PNG_INTERNAL_H

#include "raster/png.h"

#define ZLIB_CONST
#include <zlib.h>

#define MW__PNG_PIECE 65536u /* of a file that is read in pieces [unit: byte] */

/* Colour types. */
enum {
	MW__PNG_GREY = 0,
	MW__PNG_RGB = 2,
	MW__PNG_PALETTE = 3,
	MW__PNG_GREY_ALPHA = 4,
	MW__PNG_RGB_ALPHA = 6
};

struct mw_png {
	/* input: all of it in memory, or a window on a file */
	const uint8_t *p;
	size_t n, at;
	uint64_t base; /* file offset of p */
	uint8_t *piece;
	int fd;     /* -1: memory */
	char *path; /* [owned] for messages, NULL for memory */

	uint32_t w, h;
	uint8_t type, depth;
	bool has_key; /* tRNS of grey and RGB: this sample value is transparent */
	uint16_t key[3];
	unsigned palette_n;
	uint8_t palette[256][4];
	bool palette_alpha;

	uint32_t chunk_left, crc; /* of the running IDAT chunk */
	bool idat_done;
	bool whole; /* try to inflate everything at once */
	z_stream z;
	bool z_on, z_end;
	mw_ctx *cx; /* of the running call, for zlib's allocations */

	size_t row_bytes;  /* without the filter byte */
	unsigned bpp;      /* bytes from a sample to the same one of the pixel to the left, >= 1 */
	uint8_t *raw;      /* batch of rows, each filter byte + row_bytes */
	uint8_t *previous; /* the row above the batch, unfiltered */
	uint32_t batch, batch_at, batch_n; /* [unit: row] capacity, next, filled */
	uint32_t inflated, row;            /* rows inflated and handed out */
};

static inline uint32_t mw__be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint16_t mw__be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline unsigned mw__png_samples(unsigned type)
{
	switch (type) {
	case MW__PNG_RGB:
		return 3;
	case MW__PNG_GREY_ALPHA:
		return 2;
	case MW__PNG_RGB_ALPHA:
		return 4;
	default:
		return 1;
	}
}

/* ---- bytes and chunks ------------------------------------------------------------------------ */

/* Record a failure at the next byte, with the file's name where there is one. */
mw_code mw__png_fail(mw_ctx *cx, const mw_png *png, mw_code code, const char *text);
/* Have so many bytes at p + at. [range: bytes <= MW__PNG_PIECE] */
MW_NODISCARD mw_code mw__png_need(mw_ctx *cx, mw_png *png, size_t bytes);
MW_NODISCARD mw_code mw__png_skip(mw_ctx *cx, mw_png *png, uint64_t bytes);
/* Length and type of the next chunk; the CRC starts over the type. */
MW_NODISCARD mw_code mw__png_chunk_begin(mw_ctx *cx, mw_png *png, uint32_t *len, uint8_t type[4]);
/* Compare the CRC of what was read with the one that follows. */
MW_NODISCARD mw_code mw__png_chunk_end(mw_ctx *cx, mw_png *png);
/* A whole small chunk into out [n bytes], CRC checked. */
MW_NODISCARD mw_code mw__png_chunk_body(mw_ctx *cx, mw_png *png, void *out, size_t n);

/* ---- head and rows --------------------------------------------------------------------------- */

/* Everything up to the first IDAT chunk. */
MW_NODISCARD mw_code mw__png_head(mw_ctx *cx, mw_png *png);
/* Get zlib and the buffers of rows ready, after the head. [owned: png] */
MW_NODISCARD mw_code mw__png_start(mw_ctx *cx, mw_png *png);
/* The next row, unfiltered in place; valid until the next call. [out: row_bytes bytes] */
MW_NODISCARD mw_code mw__png_next_row(mw_ctx *cx, mw_png *png, const uint8_t **out);

#endif

#include "raster/png_internal.h"

#include "base/flate.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/wr.h"
#include "raster/png_filter.h"

#include <string.h>

/* From the IDAT chunks to rows of samples: all at once where the whole file is at hand and sound,
 * many rows at a time otherwise. */

/* Rows are inflated many at a time: zlib is slow when its output room is small. */
#define RAW_BATCH (256u * 1024u)
/* Pictures in memory up to this size are inflated at once, which is two to seven times as quick. */
#define RAW_WHOLE (64u * 1024u * 1024u)
#define ROW_SLACK 16u /* vector code may read past the last pixel of a row */

static void *z_alloc(void *ud, unsigned count, unsigned size)
{
	mw_png *png = ud;
	return mw_alloc_n(png->cx, count, size);
}

static void z_free(void *ud, void *p)
{
	mw_png *png = ud;
	mw_free(png->cx, p);
}

mw_code mw__png_start(mw_ctx *cx, mw_png *png)
{
	size_t line = png->row_bytes + 1;
	uint64_t rows = RAW_BATCH / line;
	png->whole = png->fd < 0 && line <= RAW_WHOLE / png->h;
	png->batch = rows < 1 ? 1 : rows < png->h && !png->whole ? (uint32_t)rows : png->h;
	png->raw = mw_alloc(cx, png->batch * line + ROW_SLACK);
	png->previous = png->raw ? mw_zalloc(cx, line + ROW_SLACK) : NULL;
	if (!png->previous)
		return cx->err.code;
	png->z.zalloc = z_alloc;
	png->z.zfree = z_free;
	png->z.opaque = png;
	png->cx = cx;
	int rc = inflateInit(&png->z);
	png->z_on = rc == Z_OK;
	if (rc == Z_MEM_ERROR)
		return mw_fail(cx, MW_ENOMEM, "out of memory");
	return rc == Z_OK ? MW_OK : mw_fail(cx, MW_EUNSUPPORTED, "zlib would not start");
}

/* ---- piece by piece -------------------------------------------------------------------------- */

/* Give zlib the next bytes of picture data; none are left when avail_in stays 0. */
static mw_code feed(mw_ctx *cx, mw_png *png)
{
	while (png->chunk_left == 0 && !png->idat_done) {
		uint32_t len;
		uint8_t type[4];
		mw_code code = mw__png_chunk_end(cx, png);
		if (!code)
			code = mw__png_chunk_begin(cx, png, &len, type);
		if (code)
			return code;
		if (memcmp(type, "IDAT", 4) == 0)
			png->chunk_left = len;
		else
			png->idat_done = true;
	}
	if (png->idat_done)
		return MW_OK;
	mw_code code = mw__png_need(cx, png, 1);
	if (code)
		return code;
	size_t n = png->n - png->at;
	if (n > png->chunk_left)
		n = png->chunk_left;
	png->z.next_in = png->p + png->at;
	png->z.avail_in = (uInt)n;
	png->crc = mw_crc32(png->crc, png->z.next_in, n);
	png->at += n;
	png->chunk_left -= (uint32_t)n;
	return MW_OK;
}

static mw_code inflate_into(mw_ctx *cx, mw_png *png, uint8_t *out, size_t n)
{
	z_stream *z = &png->z;
	png->cx = cx;
	while (n > 0) {
		if (z->avail_in == 0) {
			mw_code code = feed(cx, png);
			if (code)
				return code;
		}
		size_t step = n < (1u << 30) ? n : 1u << 30;
		z->next_out = out;
		z->avail_out = (uInt)step;
		uInt had = z->avail_in;
		int rc = inflate(z, Z_NO_FLUSH);
		size_t got = step - z->avail_out;
		out += got;
		n -= got;
		png->z_end = rc == Z_STREAM_END;
		if (rc == Z_MEM_ERROR)
			return mw_fail(cx, MW_ENOMEM, "out of memory");
		if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
			return mw__png_fail(
				cx, png, MW_EFORMAT, "its compressed data is not sound");
		bool stuck = got == 0 && z->avail_in == had && had > 0;
		if (n > 0 && (png->z_end || stuck || (got == 0 && png->idat_done)))
			return mw__png_fail(cx, png, MW_EFORMAT, "too little picture data");
	}
	return MW_OK;
}

/* After the last row: let zlib see the end of its stream, so that all checksums are compared.
 * Data behind the picture is harmless and left alone. */
static mw_code finish(mw_ctx *cx, mw_png *png)
{
	uint8_t spare[16];
	z_stream *z = &png->z;
	while (!png->z_end) {
		if (z->avail_in == 0) {
			mw_code code = feed(cx, png);
			if (code)
				return code;
			if (z->avail_in == 0)
				return mw__png_fail(
					cx, png, MW_EFORMAT, "its picture data has no end");
		}
		z->next_out = spare;
		z->avail_out = sizeof spare;
		int rc = inflate(z, Z_NO_FLUSH);
		if (rc != Z_STREAM_END && rc != Z_OK && rc != Z_BUF_ERROR)
			return mw__png_fail(
				cx, png, MW_EFORMAT, "its compressed data is not sound");
		png->z_end = rc == Z_STREAM_END || z->avail_out < sizeof spare;
	}
	return png->chunk_left == 0 && !png->idat_done ? mw__png_chunk_end(cx, png) : MW_OK;
}

/* ---- at once --------------------------------------------------------------------------------- */

/* The picture data of all IDAT chunks in one piece, from the running chunk on; false when the
 * chunks are not sound. *copy holds it where there are several. */
static bool gather(mw_ctx *cx, const mw_png *png, mw_wr *copy, const uint8_t **data, size_t *n)
{
	size_t at = png->at, len = png->chunk_left;
	bool more = true;
	*data = png->p + at;
	*n = len;
	mw_wr_init(copy, cx);
	while (more) {
		if (len > png->n - at || png->n - at - len < 12)
			return false;
		const uint8_t *body = png->p + at, *end = body + len;
		if (mw_crc32(mw_crc32(0, body - 4, 4), body, len) != mw__be32(end))
			return false;
		more = memcmp(end + 8, "IDAT", 4) == 0;
		if (more || copy->n) {
			mw_wr_bytes(copy, body, len);
			*data = copy->p;
			*n = copy->n;
		}
		at += len + 12;
		len = mw__be32(end + 4);
	}
	return mw_wr_code(copy) == MW_OK;
}

/* All rows at once; what is unusual in any way is left to the way row by row and its messages. */
static mw_code inflate_whole(mw_ctx *cx, mw_png *png, bool *done)
{
	mw_wr copy;
	const uint8_t *data;
	size_t n;
	*done = gather(cx, png, &copy, &data, &n) &&
		mw_inflate(cx, png->raw, png->batch * (png->row_bytes + 1), data, n,
			MW_FLATE_ZLIB) == MW_OK;
	mw_wr_free(&copy);
	if (*done || cx->err.code == MW_ENOMEM)
		return cx->err.code;
	mw_err_clear(cx);
	return MW_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

mw_code mw__png_next_row(mw_ctx *cx, mw_png *png, const uint8_t **out)
{
	size_t line = png->row_bytes + 1;
	if (png->row >= png->h)
		return mw_fail(cx, MW_EINVALID, "PNG has %u rows, no more", png->h);
	if (png->batch_at == png->batch_n) {
		if (png->batch_n > 0)
			memcpy(png->previous, png->raw + (png->batch_n - 1) * line + 1,
				png->row_bytes);
		uint32_t left = png->h - png->inflated;
		png->batch_n = left < png->batch ? left : png->batch;
		png->batch_at = 0;
		bool done = false;
		mw_code code = png->whole ? inflate_whole(cx, png, &done) : MW_OK;
		if (!code && !done)
			code = inflate_into(cx, png, png->raw, png->batch_n * line);
		png->inflated += png->batch_n;
		if (!code && !done && png->inflated == png->h)
			code = finish(cx, png);
		if (code) {
			png->row = png->h;
			return code;
		}
	}
	uint8_t *row = png->raw + png->batch_at * line + 1;
	const uint8_t *above = png->batch_at ? row - line : png->previous;
	if (!mw__png_unfilter(row[-1], row, above, png->row_bytes, png->bpp))
		return mw_fail(
			cx, MW_EFORMAT, "PNG row %u has the unknown filter %u", png->row, row[-1]);
	png->batch_at++;
	png->row++;
	*out = row;
	return MW_OK;
}

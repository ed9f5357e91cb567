#include "raster/png.h"

#include "base/flate.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/wr.h"
#include "raster/png_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#define ZLIB_CONST
#include <zlib.h>

#define FILE_PIECE 65536u
/* Rows are inflated many at a time: zlib is slow when its output room is small. */
#define RAW_BATCH (256u * 1024u)
/* Pictures in memory up to this size are inflated at once, which is two to seven times as quick. */
#define RAW_WHOLE (64u * 1024u * 1024u)
#define ROW_SLACK 16u /* vector code may read past the last pixel of a row */

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGB_ALPHA = 6 };

static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

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

bool mw_png_is(const void *bytes, size_t n)
{
	return n >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* ---- input ------------------------------------------------------------------------------------
 */

static mw_code png_fail(mw_ctx *cx, const mw_png *png, mw_code code, const char *text)
{
	mw_fail_at(cx, code, MW_ERR_NOWHERE, (int64_t)(png->base + png->at), "%s", text);
	return png->path ? mw_note(cx, "%s", png->path) : code;
}

/* Move what is left to the front of the window and read more behind it. */
static mw_code refill(mw_ctx *cx, mw_png *png)
{
	if (png->fd < 0)
		return MW_OK;
	size_t left = png->n - png->at;
	memmove(png->piece, png->piece + png->at, left);
	png->base += png->at;
	png->at = 0;
	png->n = left;
	while (png->n < FILE_PIECE) {
		ssize_t got = read(png->fd, png->piece + png->n, FILE_PIECE - png->n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return mw_fail(cx, MW_EIO, "%s: %s", png->path, strerror(errno));
		if (got == 0)
			break;
		png->n += (size_t)got;
	}
	return MW_OK;
}

/* need bytes at p + at. [range: need <= FILE_PIECE] */
static mw_code need(mw_ctx *cx, mw_png *png, size_t bytes)
{
	if (png->n - png->at >= bytes)
		return MW_OK;
	mw_code code = refill(cx, png);
	if (!code && png->n - png->at < bytes)
		code = png_fail(cx, png, MW_EFORMAT, "PNG file ends early");
	return code;
}

static mw_code skip(mw_ctx *cx, mw_png *png, uint64_t bytes)
{
	while (bytes > 0) {
		mw_code code = need(cx, png, 1);
		if (code)
			return code;
		size_t step = png->n - png->at < bytes ? png->n - png->at : (size_t)bytes;
		png->at += step;
		bytes -= step;
	}
	return MW_OK;
}

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint16_t be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/* Length and type of the next chunk; the CRC starts over the type. */
static mw_code chunk_begin(mw_ctx *cx, mw_png *png, uint32_t *len, uint8_t type[4])
{
	mw_code code = need(cx, png, 8);
	if (code)
		return code;
	const uint8_t *p = png->p + png->at;
	*len = be32(p);
	memcpy(type, p + 4, 4);
	if (*len > INT32_MAX)
		return png_fail(cx, png, MW_EFORMAT, "PNG chunk is longer than 2^31 - 1");
	png->crc = mw_crc32(0, type, 4);
	png->at += 8;
	return MW_OK;
}

static mw_code chunk_end(mw_ctx *cx, mw_png *png)
{
	mw_code code = need(cx, png, 4);
	if (code)
		return code;
	if (be32(png->p + png->at) != png->crc)
		return png_fail(cx, png, MW_EFORMAT, "checksum of a PNG chunk is wrong");
	png->at += 4;
	return MW_OK;
}

/* A whole small chunk into out [n bytes], CRC checked. */
static mw_code chunk_body(mw_ctx *cx, mw_png *png, void *out, size_t n)
{
	mw_code code = need(cx, png, n);
	if (code)
		return code;
	memcpy(out, png->p + png->at, n);
	png->crc = mw_crc32(png->crc, out, n);
	png->at += n;
	return chunk_end(cx, png);
}

/* ---- header ------------------------------------------------------------------------------------
 */

static unsigned samples_of(unsigned type)
{
	switch (type) {
	case RGB:
		return 3;
	case GREY_ALPHA:
		return 2;
	case RGB_ALPHA:
		return 4;
	default:
		return 1;
	}
}

static bool depth_allowed(unsigned type, unsigned depth)
{
	switch (type) {
	case GREY:
		return depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
	case PALETTE:
		return depth == 1 || depth == 2 || depth == 4 || depth == 8;
	case RGB:
	case GREY_ALPHA:
	case RGB_ALPHA:
		return depth == 8 || depth == 16;
	default:
		return false;
	}
}

static mw_code read_ihdr(mw_ctx *cx, mw_png *png)
{
	uint32_t len;
	uint8_t type[4], b[13];
	mw_code code = chunk_begin(cx, png, &len, type);
	if (code)
		return code;
	if (len != 13 || memcmp(type, "IHDR", 4) != 0)
		return png_fail(
			cx, png, MW_EFORMAT, "PNG does not start with a header of 13 bytes");
	code = chunk_body(cx, png, b, sizeof b);
	if (code)
		return code;
	png->w = be32(b);
	png->h = be32(b + 4);
	png->depth = b[8];
	png->type = b[9];
	if (png->w == 0 || png->h == 0)
		return png_fail(cx, png, MW_EFORMAT, "PNG without pixels");
	if (png->w > cx->limits.image_side || png->h > cx->limits.image_side)
		return mw_fail(cx, MW_ELIMIT, "picture of %ux%u px, at most %u px a side", png->w,
			png->h, cx->limits.image_side);
	if (!depth_allowed(png->type, png->depth))
		return mw_fail(cx, MW_EFORMAT, "PNG of colour type %u with %u bits", png->type,
			png->depth);
	if (b[10] != 0 || b[11] != 0 || b[12] > 1)
		return mw_fail(cx, MW_EFORMAT,
			"PNG with compression %u, filter method %u, interlace %u", b[10], b[11],
			b[12]);
	if (b[12] == 1)
		return mw_fail(cx, MW_EUNSUPPORTED, "interlaced PNG cannot be read row by row");
	uint64_t bits = (uint64_t)png->w * samples_of(png->type) * png->depth;
	png->row_bytes = (size_t)((bits + 7) / 8);
	unsigned pixel_bits = samples_of(png->type) * png->depth;
	png->bpp = pixel_bits < 8 ? 1 : pixel_bits / 8;
	return MW_OK;
}

static mw_code read_plte(mw_ctx *cx, mw_png *png, uint32_t len)
{
	uint8_t b[768];
	if (len == 0 || len > sizeof b || len % 3)
		return png_fail(cx, png, MW_EFORMAT, "PNG palette is not 1 to 256 colours");
	mw_code code = chunk_body(cx, png, b, len);
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
	unsigned samples = samples_of(png->type);
	bool ok = png->type == PALETTE
		? len <= png->palette_n
		: (png->type == GREY || png->type == RGB) && len == 2 * samples;
	if (!ok)
		return png_fail(cx, png, MW_EFORMAT, "PNG transparency chunk has a wrong length");
	mw_code code = chunk_body(cx, png, b, len);
	if (code)
		return code;
	if (png->type == PALETTE) {
		for (unsigned i = 0; i < len; i++)
			png->palette[i][3] = b[i];
		png->palette_alpha = true;
		return MW_OK;
	}
	for (unsigned i = 0; i < samples; i++)
		png->key[i] = be16(b + 2 * i);
	png->has_key = true;
	return MW_OK;
}

/* Everything up to the first IDAT chunk. */
static mw_code read_head(mw_ctx *cx, mw_png *png)
{
	mw_code code = need(cx, png, sizeof magic);
	if (code || !mw_png_is(png->p + png->at, sizeof magic)) {
		mw_err_clear(cx);
		return mw_fail(cx, MW_EUNSUPPORTED, "not a PNG file");
	}
	png->at += sizeof magic;
	code = read_ihdr(cx, png);
	while (!code) {
		uint32_t len;
		uint8_t type[4];
		code = chunk_begin(cx, png, &len, type);
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
			code = png_fail(cx, png, MW_EFORMAT, "PNG without picture data");
		else if (type[0] & 0x20) /* lower case: may be left out */
			code = skip(cx, png, (uint64_t)len + 4);
		else
			code = png_fail(cx, png, MW_EFORMAT, "PNG with an unknown necessary chunk");
	}
	if (!code && png->type == PALETTE && png->palette_n == 0)
		code = png_fail(cx, png, MW_EFORMAT, "PNG with a palette picture and no palette");
	return code;
}

/* ---- inflating ---------------------------------------------------------------------------------
 */

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

static mw_code start(mw_ctx *cx, mw_png *png)
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

/* Give zlib the next bytes of picture data; none are left when avail_in stays 0. */
static mw_code feed(mw_ctx *cx, mw_png *png)
{
	while (png->chunk_left == 0 && !png->idat_done) {
		uint32_t len;
		uint8_t type[4];
		mw_code code = chunk_end(cx, png);
		if (!code)
			code = chunk_begin(cx, png, &len, type);
		if (code)
			return code;
		if (memcmp(type, "IDAT", 4) == 0)
			png->chunk_left = len;
		else
			png->idat_done = true;
	}
	if (png->idat_done)
		return MW_OK;
	mw_code code = need(cx, png, 1);
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
			return png_fail(
				cx, png, MW_EFORMAT, "compressed data of the PNG is damaged");
		bool stuck = got == 0 && z->avail_in == had && had > 0;
		if (n > 0 && (png->z_end || stuck || (got == 0 && png->idat_done)))
			return png_fail(cx, png, MW_EFORMAT, "PNG has too little picture data");
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
				return png_fail(cx, png, MW_EFORMAT, "PNG picture data has no end");
		}
		z->next_out = spare;
		z->avail_out = sizeof spare;
		int rc = inflate(z, Z_NO_FLUSH);
		if (rc != Z_STREAM_END && rc != Z_OK && rc != Z_BUF_ERROR)
			return png_fail(
				cx, png, MW_EFORMAT, "compressed data of the PNG is damaged");
		png->z_end = rc == Z_STREAM_END || z->avail_out < sizeof spare;
	}
	return png->chunk_left == 0 && !png->idat_done ? chunk_end(cx, png) : MW_OK;
}

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
		if (mw_crc32(mw_crc32(0, body - 4, 4), body, len) != be32(end))
			return false;
		more = memcmp(end + 8, "IDAT", 4) == 0;
		if (more || copy->n) {
			mw_wr_bytes(copy, body, len);
			*data = copy->p;
			*n = copy->n;
		}
		at += len + 12;
		len = be32(end + 4);
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

/* The next row, unfiltered in place; valid until the next call. */
static mw_code next_row(mw_ctx *cx, mw_png *png, const uint8_t **out)
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

/* ---- life ---------------------------------------------------------------------------------------
 */

static mw_png *new_png(mw_ctx *cx)
{
	mw_png *png = mw_zalloc(cx, sizeof *png);
	if (png)
		png->fd = -1;
	return png;
}

static mw_code open_rest(mw_ctx *cx, mw_png **out, mw_png *png)
{
	mw_code code = read_head(cx, png);
	if (!code)
		code = start(cx, png);
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
	png->piece = copy ? mw_alloc(cx, FILE_PIECE) : NULL;
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

mw_image_info mw_png_info(const mw_png *png)
{
	mw_image_info info = {MW_IMAGE_PNG, png->w, png->h, 0, 0};
	bool alpha = png->has_key || png->palette_alpha;
	info.bits = png->depth == 16 ? 16 : 8;
	switch (png->type) {
	case GREY:
		info.channels = alpha ? 2 : 1;
		break;
	case GREY_ALPHA:
		info.channels = 2;
		break;
	case RGB_ALPHA:
		info.channels = 4;
		break;
	default:
		info.channels = alpha ? 4 : 3;
	}
	return info;
}

/* ---- rows
 * ---------------------------------------------------------------------------------------- */

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
		unsigned v = png->depth == 16 ? be16(row + 2 * (size_t)x)
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
	unsigned samples = samples_of(png->type), bytes = png->depth / 8;
	bool alpha = samples == 2 || samples == 4;
	for (uint32_t x = 0; x < png->w; x++, out += 4, row += samples * bytes) {
		uint16_t raw[4];
		uint8_t s[4];
		for (unsigned i = 0; i < samples; i++) {
			raw[i] = bytes == 2 ? be16(row + 2 * i) : row[i];
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
	mw_code code = next_row(cx, png, &row);
	if (code)
		return code;
	if (png->type == PALETTE)
		return expand_palette(cx, png, out, row);
	if (png->type == GREY)
		expand_grey(png, out, row);
	else if (png->type == RGB && png->depth == 8)
		expand_rgb8(png, out, row);
	else if (png->type == RGB_ALPHA && png->depth == 8)
		memcpy(out, row, (size_t)png->w * 4);
	else
		expand_wide(png, out, row);
	return MW_OK;
}

mw_code mw_png_row_grey(mw_ctx *cx, mw_png *png, uint16_t *out)
{
	const uint8_t *row;
	MW_ASSERT(png->type == GREY || png->type == GREY_ALPHA);
	mw_code code = next_row(cx, png, &row);
	if (code)
		return code;
	size_t step = samples_of(png->type) * (png->depth == 16 ? 2u : 1u);
	unsigned scale = png->depth < 8 ? 255u / ((1u << png->depth) - 1u) : 1;
	for (uint32_t x = 0; x < png->w; x++) {
		if (png->depth == 16)
			out[x] = be16(row + x * step);
		else if (png->depth == 8)
			out[x] = row[x * step];
		else
			out[x] = (uint16_t)(small_sample(row, x, png->depth) * scale);
	}
	return MW_OK;
}

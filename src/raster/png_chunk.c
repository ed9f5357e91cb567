#include "raster/png_internal.h"

#include "base/hash.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The bytes of a PNG, from memory or through a window on a file, and its chunks. */

/* ---- bytes ----------------------------------------------------------------------------------- */

mw_code mw__png_fail(mw_ctx *cx, const mw_png *png, mw_code code, const char *text)
{
	mw_fail_at(
		cx, code, MW_ERR_NOWHERE, (int64_t)(png->base + png->at), "damaged PNG: %s", text);
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
	while (png->n < MW__PNG_PIECE) {
		ssize_t got = read(png->fd, png->piece + png->n, MW__PNG_PIECE - png->n);
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

mw_code mw__png_need(mw_ctx *cx, mw_png *png, size_t bytes)
{
	if (png->n - png->at >= bytes)
		return MW_OK;
	mw_code code = refill(cx, png);
	if (!code && png->n - png->at < bytes)
		code = mw__png_fail(cx, png, MW_EFORMAT, "the file ends early");
	return code;
}

mw_code mw__png_skip(mw_ctx *cx, mw_png *png, uint64_t bytes)
{
	while (bytes > 0) {
		mw_code code = mw__png_need(cx, png, 1);
		if (code)
			return code;
		size_t step = png->n - png->at < bytes ? png->n - png->at : (size_t)bytes;
		png->at += step;
		bytes -= step;
	}
	return MW_OK;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

mw_code mw__png_chunk_begin(mw_ctx *cx, mw_png *png, uint32_t *len, uint8_t type[4])
{
	mw_code code = mw__png_need(cx, png, 8);
	if (code)
		return code;
	const uint8_t *p = png->p + png->at;
	*len = mw__be32(p);
	memcpy(type, p + 4, 4);
	if (*len > INT32_MAX)
		return mw__png_fail(cx, png, MW_EFORMAT, "a chunk is longer than 2^31 - 1 bytes");
	png->crc = mw_crc32(0, type, 4);
	png->at += 8;
	return MW_OK;
}

mw_code mw__png_chunk_end(mw_ctx *cx, mw_png *png)
{
	mw_code code = mw__png_need(cx, png, 4);
	if (code)
		return code;
	if (mw__be32(png->p + png->at) != png->crc)
		return mw__png_fail(cx, png, MW_EFORMAT, "the checksum of a chunk is wrong");
	png->at += 4;
	return MW_OK;
}

mw_code mw__png_chunk_body(mw_ctx *cx, mw_png *png, void *out, size_t n)
{
	mw_code code = mw__png_need(cx, png, n);
	if (code)
		return code;
	memcpy(out, png->p + png->at, n);
	png->crc = mw_crc32(png->crc, out, n);
	png->at += n;
	return mw__png_chunk_end(cx, png);
}

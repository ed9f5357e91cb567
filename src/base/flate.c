#include "base/flate.h"

#include "base/mem.h"

#include <libdeflate.h>

static size_t bound(struct libdeflate_compressor *c, size_t n, mw_flate_kind kind)
{
	switch (kind) {
	case MW_FLATE_ZLIB:
		return libdeflate_zlib_compress_bound(c, n);
	case MW_FLATE_GZIP:
		return libdeflate_gzip_compress_bound(c, n);
	default:
		return libdeflate_deflate_compress_bound(c, n);
	}
}

static size_t compress(struct libdeflate_compressor *c, const void *in, size_t n, void *out,
	size_t room, mw_flate_kind kind)
{
	switch (kind) {
	case MW_FLATE_ZLIB:
		return libdeflate_zlib_compress(c, in, n, out, room);
	case MW_FLATE_GZIP:
		return libdeflate_gzip_compress(c, in, n, out, room);
	default:
		return libdeflate_deflate_compress(c, in, n, out, room);
	}
}

mw_code mw_deflate(mw_ctx *cx, uint8_t **out, size_t *out_n, const void *in, size_t n, int level,
	mw_flate_kind kind)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
	mw_code code = MW_OK;
	size_t room;
	uint8_t *p;

	if (!c)
		return mw_fail(cx, MW_ENOMEM, "out of memory: deflate level %d", level);
	room = bound(c, n, kind);
	p = mw_alloc(cx, room);
	if (p) {
		*out_n = compress(c, in, n, p, room, kind);
		*out = p;
	} else {
		code = MW_ENOMEM;
	}
	libdeflate_free_compressor(c);
	return code;
}

static enum libdeflate_result expand(struct libdeflate_decompressor *d, const void *in, size_t n,
	void *out, size_t room, size_t *got, mw_flate_kind kind)
{
	switch (kind) {
	case MW_FLATE_ZLIB:
		return libdeflate_zlib_decompress(d, in, n, out, room, got);
	case MW_FLATE_GZIP:
		return libdeflate_gzip_decompress(d, in, n, out, room, got);
	default:
		return libdeflate_deflate_decompress(d, in, n, out, room, got);
	}
}

mw_code mw_inflate(
	mw_ctx *cx, uint8_t *out, size_t want, const void *in, size_t n, mw_flate_kind kind)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	enum libdeflate_result result;
	size_t got = 0;

	if (!d)
		return mw_fail(cx, MW_ENOMEM, "out of memory: inflate");
	result = expand(d, in, n, out, want, &got, kind);
	libdeflate_free_decompressor(d);
	if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
		return mw_fail(
			cx, MW_EFORMAT, "deflate data: more than the %zu bytes stated", want);
	if (result != LIBDEFLATE_SUCCESS)
		return mw_fail(cx, MW_EFORMAT, "deflate data: damaged");
	if (got != want)
		return mw_fail(cx, MW_EFORMAT, "deflate data: %zu bytes, %zu stated", got, want);
	return MW_OK;
}

mw_code mw_inflate_grow(mw_ctx *cx, uint8_t **out, size_t *out_n, size_t max, const void *in,
	size_t n, mw_flate_kind kind)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	size_t room = n < 1024 ? 4096 : n > max / 4 ? max : n * 4;
	uint8_t *p = NULL;
	mw_code code = MW_OK;

	if (!d)
		return mw_fail(cx, MW_ENOMEM, "out of memory: inflate");
	if (room > max)
		room = max;
	for (;;) {
		enum libdeflate_result result;

		p = mw_alloc(cx, room ? room : 1);
		if (!p) {
			code = MW_ENOMEM;
			break;
		}
		result = expand(d, in, n, p, room, out_n, kind);
		if (result == LIBDEFLATE_SUCCESS)
			break;
		mw_free(cx, p);
		p = NULL;
		if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
			code = mw_fail(cx, MW_EFORMAT, "deflate data: damaged");
			break;
		}
		if (room == max) {
			code = mw_fail(cx, MW_ELIMIT,
				"deflate data: more than the limit of %zu bytes", max);
			break;
		}
		room = room > max / 4 ? max : room * 4;
	}
	libdeflate_free_decompressor(d);
	*out = p;
	return code;
}

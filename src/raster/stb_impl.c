#include "raster/stb_impl.h"

#include "base/mem.h"
#include "raster/jpeg_clean.h"

#include <limits.h>

/* stb has no user pointer: the context of the running call, one per thread, set for its duration.
 */
static _Thread_local mw_ctx *stb_cx;

static void *stb_malloc(size_t n)
{
	return mw_alloc(stb_cx, n);
}

static void *stb_realloc(void *p, size_t n)
{
	return mw_realloc(stb_cx, p, n);
}

static void stb_free(void *p)
{
	mw_free(stb_cx, p);
}

#define STBI_MALLOC(n) stb_malloc(n)
#define STBI_REALLOC(p, n) stb_realloc(p, n)
#define STBI_FREE(p) stb_free(p)
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_TGA
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
/* The real limit is cx->limits.image_side, checked before decoding; this one is a second lock. */
#define STBI_MAX_DIMENSIONS 65536
#define STBI_ASSERT(x) MW_ASSERT(x)
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function" /* reported at the end of the file: no pop */
#endif
#include <stb_image.h>

/* A failed allocation counts even where stb went on: it takes it for "not this kind of picture". */
static mw_code result(mw_ctx *cx, bool ok, const char *what)
{
	const char *why = stbi_failure_reason();
	if (cx->err.code || ok)
		return cx->err.code;
	return mw_fail(cx, MW_EFORMAT, "%s: %s", what, why ? why : "unknown reason");
}

/* What stb is given: JPEG files only as far as they were checked. *p, *n: the file, then that. */
static mw_code guard(mw_ctx *cx, mw_wr *clean, const uint8_t **p, size_t *n)
{
	mw_wr_init(clean, cx);
	if (*n > INT_MAX)
		return mw_fail(cx, MW_ELIMIT, "picture file of %zu bytes, at most %d", *n, INT_MAX);
	if (*n < 2 || (*p)[0] != 0xff)
		return MW_OK;
	if ((*p)[1] == 0xff) /* stb would take it for a JPEG with fill bytes */
		return mw_fail(cx, MW_EFORMAT, "not a PNG, JPEG, TGA or BMP picture");
	if ((*p)[1] != 0xd8)
		return MW_OK;
	mw_code code = mw__jpeg_clean(cx, clean, *p, *n);
	*p = clean->p;
	*n = clean->n;
	return code;
}

mw_code mw__stb_info(
	mw_ctx *cx, int *w, int *h, int *channels, bool *sixteen, const void *bytes, size_t n)
{
	mw_wr clean;
	const uint8_t *p = bytes;
	mw_code code = guard(cx, &clean, &p, &n);
	if (!code) {
		stb_cx = cx;
		int ok = stbi_info_from_memory(p, (int)n, w, h, channels);
		*sixteen = ok && stbi_is_16_bit_from_memory(p, (int)n);
		code = result(cx, ok, "not a PNG, JPEG, TGA or BMP picture");
		stb_cx = NULL;
	}
	mw_wr_free(&clean);
	return code;
}

static mw_code load(mw_ctx *cx, void **out, const uint8_t *p, size_t n, int channels, bool sixteen)
{
	int w, h, c;
	mw_wr clean;
	*out = NULL;
	mw_code code = guard(cx, &clean, &p, &n);
	if (!code) {
		stb_cx = cx;
		*out = sixteen ? (void *)stbi_load_16_from_memory(p, (int)n, &w, &h, &c, channels)
			       : (void *)stbi_load_from_memory(p, (int)n, &w, &h, &c, channels);
		code = result(cx, *out, "picture is damaged");
		if (code) {
			stb_free(*out);
			*out = NULL;
		}
		stb_cx = NULL;
	}
	mw_wr_free(&clean);
	return code;
}

mw_code mw__stb_load8(mw_ctx *cx, uint8_t **out, const void *bytes, size_t n, int channels)
{
	void *px;
	mw_code code = load(cx, &px, bytes, n, channels, false);
	*out = px;
	return code;
}

mw_code mw__stb_load16(mw_ctx *cx, uint16_t **out, const void *bytes, size_t n, int channels)
{
	void *px;
	mw_code code = load(cx, &px, bytes, n, channels, true);
	*out = px;
	return code;
}

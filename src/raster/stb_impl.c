#include "raster/stb_impl.h"

#include "base/mem.h"

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

mw_code mw__stb_info(
	mw_ctx *cx, int *w, int *h, int *channels, bool *sixteen, const void *bytes, size_t n)
{
	if (n > INT_MAX)
		return mw_fail(cx, MW_ELIMIT, "picture file of %zu bytes, at most %d", n, INT_MAX);
	stb_cx = cx;
	int ok = stbi_info_from_memory(bytes, (int)n, w, h, channels);
	*sixteen = ok && stbi_is_16_bit_from_memory(bytes, (int)n);
	mw_code code = result(cx, ok, "not a PNG, JPEG, TGA or BMP picture");
	stb_cx = NULL;
	return code;
}

mw_code mw__stb_load8(mw_ctx *cx, uint8_t **out, const void *bytes, size_t n, int channels)
{
	int w, h, c;
	stb_cx = cx;
	*out = stbi_load_from_memory(bytes, (int)n, &w, &h, &c, channels);
	mw_code code = result(cx, *out, "picture is damaged");
	if (code) {
		stb_free(*out);
		*out = NULL;
	}
	stb_cx = NULL;
	return code;
}

mw_code mw__stb_load16(mw_ctx *cx, uint16_t **out, const void *bytes, size_t n, int channels)
{
	int w, h, c;
	stb_cx = cx;
	*out = stbi_load_16_from_memory(bytes, (int)n, &w, &h, &c, channels);
	mw_code code = result(cx, *out, "picture is damaged");
	if (code) {
		stb_free(*out);
		*out = NULL;
	}
	stb_cx = NULL;
	return code;
}

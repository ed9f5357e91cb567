/* Deflate and inflate of whole buffers (libdeflate), with caps on what comes out. */
#ifndef MW_BASE_FLATE_H
#define MW_BASE_FLATE_H

#include "base/ctx.h"

typedef enum { MW_FLATE_RAW, MW_FLATE_ZLIB, MW_FLATE_GZIP } mw_flate_kind;

/* level [range: 0..12]. [owned: caller, mw_free] */
MW_NODISCARD mw_code mw_deflate(mw_ctx *cx, uint8_t **out, size_t *out_n, const void *in, size_t n,
	int level, mw_flate_kind kind);
/* Inflate exactly want bytes into out; MW_EFORMAT when the stream is broken or has another size. */
MW_NODISCARD mw_code mw_inflate(
	mw_ctx *cx, uint8_t *out, size_t want, const void *in, size_t n, mw_flate_kind kind);
/* Inflate data of unknown size, at most max bytes: MW_ELIMIT. [owned: caller, mw_free] */
MW_NODISCARD mw_code mw_inflate_grow(mw_ctx *cx, uint8_t **out, size_t *out_n, size_t max,
	const void *in, size_t n, mw_flate_kind kind);

#endif

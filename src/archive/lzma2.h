/* LZMA2 encoder for whole slices in memory; several times as fast as liblzma's at its size on
 * texture tiles. Any LZMA2 decoder reads it. */
#ifndef MW_ARCHIVE_LZMA2_H
#define MW_ARCHIVE_LZMA2_H

#include "base/ctx.h"

#define MW_LZMA2_WINDOW ((size_t)1 << 25)
enum { MW_LZMA2_LINES_LEAST = 6, MW_LZMA2_TABLES_MOST = 4 };

typedef struct {
	uint8_t lc, lp, pb; /* context bits [range: lc + lp <= 4, pb <= 4] */
	uint8_t step; /* matches of 4 bytes and more begin at its multiples [range: 1, 2, 4, 8] */
	uint8_t long_step; /* those of 8 and more, unless nearby [range: a multiple of step <= 8] */
	uint16_t nice;     /* a match as long is taken at once [range: 8..273] */
	bool priced;       /* weigh what symbols cost; else take the longest */
	uint8_t tables;    /* look for equal 4, 8, 16, 24 bytes: so many of them [range: 1..4] */
	uint8_t entries;   /* one less is looked at in each [range: 8, 16, 32] */
	uint8_t lines;     /* 2^lines lines of entries in each, at most [range: 6..20] */
} mw_lzma2_effort;

/* Most bytes n can take, the end mark included. */
size_t mw_lzma2_bound(size_t n);

/* Encode in[0..n). Slices of one stream are encoded apart and laid end to end; no end mark (a zero
 * byte) is written. past: bytes before in[0] that may be referred to, already laid there by the
 * slices before; 0 starts with a dictionary reset. A decoder needs a dictionary of past + n bytes.
 * [out: mw_lzma2_bound(n) bytes] [past: a multiple of 16 that begins at one of the stream]
 * [range: n >= 1, past + n <= MW_LZMA2_WINDOW] */
MW_NODISCARD mw_code mw_lzma2_encode(mw_ctx *cx, uint8_t *out, size_t *out_n, const uint8_t *in,
	size_t past, size_t n, const mw_lzma2_effort *effort);

#endif

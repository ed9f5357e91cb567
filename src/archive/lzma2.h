/* LZMA2 encoder for whole slices in memory; several times as fast as liblzma's at its size on
 * texture tiles. Any LZMA2 decoder reads it. */
#ifndef MW_ARCHIVE_LZMA2_H
#define MW_ARCHIVE_LZMA2_H

#include "base/ctx.h"

#define MW_LZMA2_ROWS_MOST 17

typedef struct {
	uint8_t lc, lp, pb; /* context bits [range: lc + lp <= 4, pb <= 4] */
	uint16_t nice;      /* a match as long is taken at once [range: 8..273] */
	uint16_t depth;     /* candidates looked at for each position [range: 1..16] */
	bool priced;        /* weigh what symbols cost; else take the longest */
	uint8_t rows;       /* 2^rows lines of 64 bytes for positions, at most [range: 6..17] */
} mw_lzma2_effort;

/* Most bytes n can take, the end mark included. */
size_t mw_lzma2_bound(size_t n);

/* Encode in[0..n), which starts with a dictionary reset and refers to nothing before it: encoded
 * slices can be laid end to end. No end mark (a zero byte) is written. A decoder needs a dictionary
 * of n bytes. [out: mw_lzma2_bound(n) bytes] [n: 1..2^23] */
MW_NODISCARD mw_code mw_lzma2_encode(mw_ctx *cx, uint8_t *out, size_t *out_n, const uint8_t *in,
	size_t n, const mw_lzma2_effort *effort);

#endif

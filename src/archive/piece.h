/* Deflate in independent pieces that are joined by laying them end to end: one member of a zip is
 * then packed by many threads and never held whole. */
#ifndef MW_ARCHIVE_PIECE_H
#define MW_ARCHIVE_PIECE_H

#include "base/ctx.h"

/* Most bytes a piece of n bytes can take. */
size_t mw_piece_bound(size_t n);

/* Deflate in[0..n) as a run of blocks. last: the end of the stream. Otherwise no block is marked
 * final and the piece ends on a byte, so that the next piece can follow. [level: 1..12,
 * libdeflate's] [out: mw_piece_bound(n) bytes] [in: not NULL] */
MW_NODISCARD mw_code mw_piece_deflate(
	mw_ctx *cx, uint8_t *out, size_t *out_n, const uint8_t *in, size_t n, int level, bool last);

/* Find in a whole raw deflate stream the bit where its final block begins and the bit behind its
 * end. false when the stream is damaged. */
bool mw_piece_scan(const uint8_t *p, size_t n, uint64_t *final_bit, uint64_t *end_bit);

#endif

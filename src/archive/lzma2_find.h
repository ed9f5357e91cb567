/* Earlier places with the same bytes, for the LZMA2 encoder. Private to it. */
#ifndef MW_ARCHIVE_LZMA2_FIND_H
#define MW_ARCHIVE_LZMA2_FIND_H

#include "archive/lzma2.h"
#include "archive/lzma2_model.h"

#define MW_LZMA2_NONE UINT32_MAX
enum { HASH3_BITS = 13, HASH2_BITS = 10 };

typedef struct {
	uint32_t len, distance; /* distance 0: the byte before */
} mw__lzma_match;

typedef struct {
	const uint8_t *in;
	uint32_t n;
	const mw_lzma2_effort *effort;
	/* Positions by the hash of so many bytes, a line of them for each hash: one access to far
	 * memory finds as many as a chain would by one access each. The first word of a line says
	 * where the newest is. */
	uint32_t *lines;
	unsigned line_bits, line_entries;
	uint32_t head3[1 << HASH3_BITS], head2[1 << HASH2_BITS];
	uint32_t entered; /* positions below are in the tables */
	mw__lzma_match found[MATCH_MAX];
} mw__lzma_finder;

/* Ready for position `past`, with what is before it entered. */
MW_NODISCARD mw_code mw__lzma_finder_begin(mw_ctx *cx, mw__lzma_finder *f, const uint8_t *in,
	uint32_t past, uint32_t n, const mw_lzma2_effort *effort);
void mw__lzma_finder_end(mw_ctx *cx, mw__lzma_finder *f);

/* Into f->found: ever longer matches at `at`, of at most max bytes, each the nearest of its length
 * that was looked at. Their number. Enters the position. */
unsigned mw__lzma_find(mw__lzma_finder *f, uint32_t at, uint32_t max);
/* Enter the positions before `at` that were passed over. */
void mw__lzma_enter_until(mw__lzma_finder *f, uint32_t at);

static inline uint32_t mw__load4(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t mw__load8(const uint8_t *p)
{
	return mw__load4(p) | (uint64_t)mw__load4(p + 4) << 32;
}

/* How far a and b agree, up to max; they do up to len. */
static inline uint32_t mw__lzma_extend(
	const uint8_t *a, const uint8_t *b, uint32_t len, uint32_t max)
{
	for (; len + 8 <= max; len += 8) {
		uint64_t differ = mw__load8(a + len) ^ mw__load8(b + len);
		if (differ)
			return len + MW_LOW_BIT(differ) / 8;
	}
	while (len < max && a[len] == b[len])
		len++;
	return len;
}

#endif

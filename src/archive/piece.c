#include "archive/piece.h"

#include "base/mem.h"

#include <libdeflate.h>
#include <string.h>

enum { FAST_BITS = 11, MAX_BITS = 15, LITLENS = 288, DISTS = 32 };
enum { KIND_LITERAL, KIND_LENGTH, KIND_END, KIND_BAD };

/* ---- bits, least significant first ----------------------------------------------------------- */

typedef struct {
	const uint8_t *p;
	size_t n, at;
	uint64_t acc;
	unsigned have; /* [range: 0..63] */
} bits;

/* At least 56 bits in acc, or all that are left. */
static inline void refill(bits *b)
{
	if (MW_LIKELY(b->n - b->at >= 8)) {
		const uint8_t *p = b->p + b->at;
		uint64_t w = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 |
			(uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 |
			(uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
		b->acc |= w << b->have;
		b->at += (63 - b->have) >> 3;
		b->have |= 56;
		return;
	}
	while (b->have < 56 && b->at < b->n) {
		b->acc |= (uint64_t)b->p[b->at++] << b->have;
		b->have += 8;
	}
}

static inline bool drop(bits *b, unsigned n)
{
	if (MW_UNLIKELY(n > b->have))
		return false;
	b->acc >>= n;
	b->have -= n;
	return true;
}

static bool take(bits *b, unsigned n, unsigned *v)
{
	refill(b);
	*v = (unsigned)(b->acc & ((1U << n) - 1));
	return drop(b, n);
}

static uint64_t bit_position(const bits *b)
{
	return (uint64_t)b->at * 8 - b->have;
}

/* ---- codes ----------------------------------------------------------------------------------- */

/* Codes up to FAST_BITS by table: length in the low 4 bits, kind in the next 4, extra bits above.
 * Longer ones by counting, shortest first. */
typedef struct {
	uint16_t fast[1 << FAST_BITS]; /* 0: longer or not a code */
	uint16_t count[MAX_BITS + 1];
	uint16_t symbol[LITLENS];
	const uint16_t *meaning; /* symbol -> kind << 4 | extra << 8 */
} code;

static bool code_build(code *c, const uint8_t *len, unsigned n, const uint16_t *meaning)
{
	uint16_t next[MAX_BITS + 2];
	uint16_t offset[MAX_BITS + 2];
	memset(c->fast, 0, sizeof c->fast);
	memset(c->count, 0, sizeof c->count);
	c->meaning = meaning;
	for (unsigned i = 0; i < n; i++)
		c->count[len[i]]++;
	c->count[0] = 0;
	unsigned word = 0, used = 0;
	for (unsigned l = 1; l <= MAX_BITS; l++) {
		word = (word + c->count[l - 1]) << 1;
		next[l] = (uint16_t)word;
		offset[l] = (uint16_t)used;
		used += c->count[l];
		if (word + c->count[l] > 1U << l)
			return false;
	}
	for (unsigned i = 0; i < n; i++) {
		unsigned l = len[i];
		if (!l)
			continue;
		c->symbol[offset[l]++] = (uint16_t)i;
		unsigned w = next[l]++, reversed = 0;
		if (l > FAST_BITS)
			continue;
		for (unsigned k = 0; k < l; k++)
			reversed |= (w >> k & 1) << (l - 1 - k);
		for (unsigned at = reversed; at < 1U << FAST_BITS; at += 1U << l)
			c->fast[at] = (uint16_t)(l | meaning[i]);
	}
	return true;
}

/* The next code's entry as in `fast`, 0 when there is none. Needs 15 bits refilled. */
static inline unsigned code_next(const code *c, const bits *b)
{
	unsigned e = c->fast[b->acc & ((1U << FAST_BITS) - 1)];
	if (MW_LIKELY(e))
		return e;
	unsigned word = 0, first = 0, index = 0;
	for (unsigned l = 1; l <= MAX_BITS; l++) {
		word |= (unsigned)(b->acc >> (l - 1)) & 1;
		unsigned count = c->count[l];
		if (word < first + count)
			return l | c->meaning[c->symbol[index + (word - first)]];
		index += count;
		first = (first + count) << 1;
		word <<= 1;
	}
	return 0;
}

#define LEN(extra) (KIND_LENGTH << 4 | (extra) << 8)
#define DIST(extra) ((extra) << 8)
#define BAD (KIND_BAD << 4)

static const uint16_t dist_meaning[DISTS] = {DIST(0), DIST(0), DIST(0), DIST(0), DIST(1), DIST(1),
	DIST(2), DIST(2), DIST(3), DIST(3), DIST(4), DIST(4), DIST(5), DIST(5), DIST(6), DIST(6),
	DIST(7), DIST(7), DIST(8), DIST(8), DIST(9), DIST(9), DIST(10), DIST(10), DIST(11),
	DIST(11), DIST(12), DIST(12), DIST(13), DIST(13), BAD, BAD};
static const uint16_t length_meaning[LITLENS - 256] = {KIND_END << 4, LEN(0), LEN(0), LEN(0),
	LEN(0), LEN(0), LEN(0), LEN(0), LEN(0), LEN(1), LEN(1), LEN(1), LEN(1), LEN(2), LEN(2),
	LEN(2), LEN(2), LEN(3), LEN(3), LEN(3), LEN(3), LEN(4), LEN(4), LEN(4), LEN(4), LEN(5),
	LEN(5), LEN(5), LEN(5), LEN(0), BAD, BAD};

typedef struct {
	code litlen, dist, lens;
	uint16_t litlen_meaning[LITLENS];
	uint16_t lens_meaning[19];
} tables;

static bool read_codes(tables *t, bits *b, unsigned type)
{
	uint8_t len[LITLENS + DISTS] = {0};
	if (type == 1) {
		memset(len, 8, 144);
		memset(len + 144, 9, 112);
		memset(len + 256, 7, 24);
		memset(len + 280, 8, 8);
		memset(len + LITLENS, 5, DISTS);
		return code_build(&t->litlen, len, LITLENS, t->litlen_meaning) &&
			code_build(&t->dist, len + LITLENS, DISTS, dist_meaning);
	}
	static const uint8_t order[19] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
	unsigned nlit, ndist, nlen, v;
	uint8_t code_len[19] = {0};
	if (!take(b, 5, &nlit) || !take(b, 5, &ndist) || !take(b, 4, &nlen))
		return false;
	nlit += 257;
	ndist += 1;
	nlen += 4;
	if (nlit > 286)
		return false;
	for (unsigned i = 0; i < nlen; i++) {
		if (!take(b, 3, &v))
			return false;
		code_len[order[i]] = (uint8_t)v;
	}
	if (!code_build(&t->lens, code_len, 19, t->lens_meaning))
		return false;
	for (unsigned i = 0; i < nlit + ndist;) {
		refill(b);
		unsigned e = code_next(&t->lens, b);
		if (!e || !drop(b, e & 15))
			return false;
		unsigned sym = e >> 4, times = 1;
		uint8_t fill = (uint8_t)sym;
		if (sym >= 16) {
			static const uint8_t extra[3] = {2, 3, 7}, base[3] = {3, 3, 11};
			if (!take(b, extra[sym - 16], &v) || (sym == 16 && i == 0))
				return false;
			times = base[sym - 16] + v;
			fill = sym == 16 ? len[i - 1] : 0;
		}
		if (times > nlit + ndist - i)
			return false;
		memset(len + i, fill, times);
		i += times;
	}
	return code_build(&t->litlen, len, nlit, t->litlen_meaning) &&
		code_build(&t->dist, len + nlit, ndist, dist_meaning);
}

/* Pass over the codes of one block up to its end code. */
static bool skip_codes(const tables *t, bits *b)
{
	for (;;) {
		refill(b);
		unsigned e = code_next(&t->litlen, b);
		/* Three literals fit one refill. */
		if (MW_LIKELY((e & 0xf0) == 0 && e)) {
			if (!drop(b, e & 15))
				return false;
			e = code_next(&t->litlen, b);
			if ((e & 0xf0) == 0 && e) {
				if (!drop(b, e & 15))
					return false;
				continue;
			}
			refill(b);
		}
		if (!e || !drop(b, e & 15))
			return false;
		unsigned kind = e >> 4 & 15;
		if (kind == KIND_END)
			return true;
		if (kind != KIND_LENGTH || !drop(b, e >> 8))
			return false;
		unsigned d = code_next(&t->dist, b);
		if (!d || d >> 4 == KIND_BAD || !drop(b, d & 15))
			return false;
		refill(b);
		if (!drop(b, d >> 8))
			return false;
	}
}

static bool skip_stored(bits *b)
{
	unsigned len, inverse;
	drop(b, b->have & 7);
	if (!take(b, 16, &len) || !take(b, 16, &inverse) || (len ^ inverse) != 0xffff)
		return false;
	size_t at = b->at - b->have / 8;
	if (len > b->n - at)
		return false;
	b->at = at + len;
	b->acc = 0;
	b->have = 0;
	return true;
}

static bool scan(tables *t, bits *b, uint64_t *final_bit, uint64_t *end_bit)
{
	for (unsigned i = 0; i < LITLENS; i++)
		t->litlen_meaning[i] = i < 256 ? 0 : length_meaning[i - 256];
	for (unsigned i = 0; i < 19; i++)
		t->lens_meaning[i] = (uint16_t)(i << 4);
	for (;;) {
		unsigned last, type;
		uint64_t start = bit_position(b);
		if (!take(b, 1, &last) || !take(b, 2, &type) || type == 3)
			return false;
		if (type == 0 ? !skip_stored(b) : !(read_codes(t, b, type) && skip_codes(t, b)))
			return false;
		if (last) {
			*final_bit = start;
			*end_bit = bit_position(b);
			return true;
		}
	}
}

bool mw_piece_scan(const uint8_t *p, size_t n, uint64_t *final_bit, uint64_t *end_bit)
{
	tables t;
	bits b = {.p = p, .n = n};
	return scan(&t, &b, final_bit, end_bit);
}

/* ---- packing --------------------------------------------------------------------------------- */

/* The empty stored block that ends a piece: 3 bits, up to 7 to the byte, length and its inverse. */
enum { JOIN_BYTES = 6 };

size_t mw_piece_bound(size_t n)
{
	/* libdeflate falls back to stored blocks: 5 bytes for each 5000 at the very least. */
	return n + n / 1000 + 64 + JOIN_BYTES;
}

mw_code mw_piece_deflate(
	mw_ctx *cx, uint8_t *out, size_t *out_n, const uint8_t *in, size_t n, int level, bool last)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
	if (!c)
		return mw_fail(cx, MW_ENOMEM, "no memory for a deflate compressor");
	size_t made = libdeflate_deflate_compress(c, in, n, out, mw_piece_bound(n) - JOIN_BYTES);
	libdeflate_free_compressor(c);
	if (!made)
		return mw_fail(cx, MW_EINVALID, "deflate needs more than its bound");
	if (!last) {
		uint64_t final_bit, end_bit;
		if (!mw_piece_scan(out, made, &final_bit, &end_bit))
			return mw_fail(cx, MW_EINVALID, "deflate made a stream that ends early");
		out[final_bit >> 3] &= (uint8_t) ~(1U << (final_bit & 7));
		/* Bits behind the end are zero: an empty block's header already, if 3 are left. */
		made = (size_t)((end_bit + 3 + 7) >> 3);
		if (made > (size_t)((end_bit + 7) >> 3))
			out[made - 1] = 0;
		static const uint8_t empty[4] = {0, 0, 0xff, 0xff};
		memcpy(out + made, empty, sizeof empty);
		made += sizeof empty;
	}
	*out_n = made;
	return MW_OK;
}

/* The adaptive model of LZMA (lzma-specification.txt of the LZMA SDK): its range coder, what its
 * symbols look like and what they cost. Private to the encoder. */
#ifndef MW_ARCHIVE_LZMA2_MODEL_H
#define MW_ARCHIVE_LZMA2_MODEL_H

#include "base/mw.h"

enum {
	MATCH_MAX = 273,
	PROB_BITS = 11,
	PROB_HALF = 1 << (PROB_BITS - 1),
	LEN_STATES = 4, /* distances are coded apart for lengths 2, 3, 4 and more */
	SLOT_TABLE = 4096
};

/* ---- range coder ----------------------------------------------------------------------------- */

typedef struct {
	uint8_t *p; /* where the next byte goes */
	uint32_t low, range;
} mw__range_coder;

static inline void mw__range_begin(mw__range_coder *rc, uint8_t *out)
{
	/* The first byte is always zero: it takes the last carry. */
	*out = 0;
	rc->p = out + 1;
	rc->low = 0;
	rc->range = UINT32_MAX;
}

static inline void mw__range_carry(mw__range_coder *rc)
{
	uint8_t *p = rc->p;
	while (++*--p == 0)
		;
}

static inline void mw__range_shift(mw__range_coder *rc)
{
	if (rc->range < 1U << 24) {
		*rc->p++ = (uint8_t)(rc->low >> 24);
		rc->low <<= 8;
		rc->range <<= 8;
	}
}

static inline void mw__range_bit(mw__range_coder *rc, uint16_t *prob, unsigned bit)
{
	uint32_t p = *prob, bound = (rc->range >> PROB_BITS) * p;
	if (bit) {
		rc->low += bound;
		if (rc->low < bound)
			mw__range_carry(rc);
		rc->range -= bound;
		*prob = (uint16_t)(p - (p >> 5));
	} else {
		rc->range = bound;
		*prob = (uint16_t)(p + (((1U << PROB_BITS) - p) >> 5));
	}
	mw__range_shift(rc);
}

/* The end of what was written. */
static inline uint8_t *mw__range_end(mw__range_coder *rc)
{
	for (int i = 0; i < 4; i++) {
		*rc->p++ = (uint8_t)(rc->low >> 24);
		rc->low <<= 8;
	}
	return rc->p;
}

/* ---- model ------------------------------------------------------------------------------------
 */

typedef struct {
	uint16_t choice, choice2;
	uint16_t low[16][8], mid[16][8], high[256];
} mw__lzma_len;

typedef struct {
	uint32_t pos_mask, lc, literal_pos_mask;
	uint16_t is_match[12][16], is_rep0_long[12][16];
	uint16_t is_rep[12], is_rep0[12], is_rep1[12], is_rep2[12];
	uint16_t slot[LEN_STATES][64];
	uint16_t special[1 + 128 - 14];
	uint16_t align[16];
	mw__lzma_len match_len, rep_len;
	uint16_t literal[0x300 << 4];
} mw__lzma_model;

void mw__lzma_model_reset(mw__lzma_model *m, unsigned lc, unsigned lp, unsigned pb);

/* The state after a literal, of each state. */
extern const uint8_t mw__lzma_after_literal[12];

void mw__lzma_put_literal(mw__range_coder *rc, mw__lzma_model *m, uint32_t at, unsigned before,
	unsigned byte, bool after_match, unsigned matched);
/* All of a match behind its is_match bit. back: 0..3 a repeat (len 1: a short one), else the
 * distance
 * + 4. */
void mw__lzma_put_match(mw__range_coder *rc, mw__lzma_model *m, uint32_t back, uint32_t len,
	uint32_t state, uint32_t ps);

/* ---- prices, in sixteenths of a bit -------------------------------------------------------------
 */

typedef struct {
	uint8_t bit[128]; /* of a 0 at probability p: [p >> 4] */
	uint8_t slot_of[SLOT_TABLE];
	uint16_t match_len[16][MATCH_MAX + 1], rep_len[16][MATCH_MAX + 1];
	uint16_t slot[LEN_STATES][64]; /* with the direct bits */
	uint16_t near[LEN_STATES][128];
	uint16_t align[16];
} mw__lzma_prices;

void mw__lzma_prices_begin(mw__lzma_prices *c);
/* Take over the model's present probabilities. Lengths up to max_len are priced. */
void mw__lzma_prices_refresh(mw__lzma_prices *c, const mw__lzma_model *m, unsigned max_len);

static inline uint32_t mw__price0(const mw__lzma_prices *c, unsigned prob)
{
	return c->bit[prob >> 4];
}

static inline uint32_t mw__price1(const mw__lzma_prices *c, unsigned prob)
{
	return c->bit[((1U << PROB_BITS) - prob) >> 4];
}

static inline uint32_t mw__price(const mw__lzma_prices *c, unsigned prob, unsigned bit)
{
	/* (2^11 - 1) ^ prob is 1 off 2^11 - prob: the same sixteenth or its neighbour. */
	return c->bit[(prob ^ ((0U - bit) & ((1U << PROB_BITS) - 1))) >> 4];
}

/* lzma-specification.txt: distance slots are powers of two and their halves. */
static inline uint32_t mw__lzma_slot(const mw__lzma_prices *c, uint32_t distance)
{
	if (distance < SLOT_TABLE)
		return c->slot_of[distance];
	return distance < SLOT_TABLE << 11 ? c->slot_of[distance >> 11] + 22U
					   : c->slot_of[distance >> 22] + 44U;
}

static inline const uint16_t *mw__lzma_literal_probs(
	const mw__lzma_model *m, uint32_t at, unsigned before)
{
	return m->literal +
		(((at & m->literal_pos_mask) << m->lc) + (before >> (8 - m->lc))) * 0x300;
}

/* Bit i of a literal, of which symbol holds a 1 and the byte. */
static inline uint32_t mw__literal_step(
	const mw__lzma_prices *c, const uint16_t *p, unsigned symbol, unsigned i)
{
	return mw__price(c, p[symbol >> (i + 1)], symbol >> i & 1);
}

static inline uint32_t mw__matched_step(const mw__lzma_prices *c, const uint16_t *p,
	unsigned symbol, unsigned i, unsigned matched, unsigned *offset)
{
	/* While the bits so far are those of the byte a match would give, its next bit is a
	 * context. */
	unsigned bit = symbol >> i & 1, match_bit = matched << (8 - i) & *offset;
	uint32_t price = mw__price(c, p[*offset + match_bit + (symbol >> (i + 1))], bit);
	*offset &= ~(match_bit ^ bit << 8);
	return price;
}

static inline uint32_t mw__lzma_literal_price(const mw__lzma_prices *c, const mw__lzma_model *m,
	uint32_t at, unsigned before, unsigned byte, bool after_match, unsigned matched)
{
	const uint16_t *p = mw__lzma_literal_probs(m, at, before);
	unsigned symbol = byte | 0x100, offset = 0x100;
	uint32_t price = 0;
	if (!after_match)
		return mw__literal_step(c, p, symbol, 7) + mw__literal_step(c, p, symbol, 6) +
			mw__literal_step(c, p, symbol, 5) + mw__literal_step(c, p, symbol, 4) +
			mw__literal_step(c, p, symbol, 3) + mw__literal_step(c, p, symbol, 2) +
			mw__literal_step(c, p, symbol, 1) + mw__literal_step(c, p, symbol, 0);
	price += mw__matched_step(c, p, symbol, 7, matched, &offset);
	price += mw__matched_step(c, p, symbol, 6, matched, &offset);
	price += mw__matched_step(c, p, symbol, 5, matched, &offset);
	price += mw__matched_step(c, p, symbol, 4, matched, &offset);
	price += mw__matched_step(c, p, symbol, 3, matched, &offset);
	price += mw__matched_step(c, p, symbol, 2, matched, &offset);
	price += mw__matched_step(c, p, symbol, 1, matched, &offset);
	price += mw__matched_step(c, p, symbol, 0, matched, &offset);
	return price;
}

static inline uint32_t mw__lzma_rep_price(
	const mw__lzma_prices *c, const mw__lzma_model *m, uint32_t k, uint32_t state, uint32_t ps)
{
	if (k == 0)
		return mw__price0(c, m->is_rep0[state]) + mw__price1(c, m->is_rep0_long[state][ps]);
	uint32_t price = mw__price1(c, m->is_rep0[state]);
	if (k == 1)
		return price + mw__price0(c, m->is_rep1[state]);
	return price + mw__price1(c, m->is_rep1[state]) + mw__price(c, m->is_rep2[state], k - 2);
}

/* len <= the max_len of the refresh */
static inline uint32_t mw__lzma_len_price(
	const uint16_t (*table)[MATCH_MAX + 1], uint32_t len, uint32_t ps)
{
	return table[ps][len];
}

static inline uint32_t mw__lzma_distance_price(
	const mw__lzma_prices *c, uint32_t distance, uint32_t len)
{
	uint32_t ls = len < 5 ? len - 2 : 3;
	if (distance < 128)
		return c->near[ls][distance];
	return c->slot[ls][mw__lzma_slot(c, distance)] + c->align[distance & 15];
}

#endif

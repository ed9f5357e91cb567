#include "archive/lzma2_model.h"

#include <string.h>

const uint8_t mw__lzma_after_literal[12] = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5};

static void half(uint16_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = PROB_HALF;
}

#define HALF(table) half((uint16_t *)(table), sizeof(table) / sizeof(uint16_t))

static void len_reset(mw__lzma_len *l)
{
	l->choice = l->choice2 = PROB_HALF;
	HALF(l->low);
	HALF(l->mid);
	HALF(l->high);
}

void mw__lzma_model_reset(mw__lzma_model *m, unsigned lc, unsigned lp, unsigned pb)
{
	m->pos_mask = (1U << pb) - 1;
	m->literal_pos_mask = (1U << lp) - 1;
	m->lc = lc;
	HALF(m->is_match);
	HALF(m->is_rep0_long);
	HALF(m->is_rep);
	HALF(m->is_rep0);
	HALF(m->is_rep1);
	HALF(m->is_rep2);
	HALF(m->slot);
	HALF(m->special);
	HALF(m->align);
	len_reset(&m->match_len);
	len_reset(&m->rep_len);
	half(m->literal, (size_t)0x300 << (lc + lp));
}

/* ---- symbols --------------------------------------------------------------------------------- */

static void put_tree(mw__range_coder *rc, uint16_t *p, unsigned bits, unsigned v)
{
	unsigned m = 1;
	for (unsigned i = bits; i-- > 0;) {
		unsigned bit = v >> i & 1;
		mw__range_bit(rc, &p[m], bit);
		m = m << 1 | bit;
	}
}

static void put_reverse(mw__range_coder *rc, uint16_t *p, unsigned bits, unsigned v)
{
	unsigned m = 1;
	for (unsigned i = 0; i < bits; i++) {
		unsigned bit = v >> i & 1;
		mw__range_bit(rc, &p[m], bit);
		m = m << 1 | bit;
	}
}

static void put_direct(mw__range_coder *rc, unsigned bits, uint32_t v)
{
	for (unsigned i = bits; i-- > 0;) {
		rc->range >>= 1;
		if (v >> i & 1) {
			rc->low += rc->range;
			if (rc->low < rc->range)
				mw__range_carry(rc);
		}
		mw__range_shift(rc);
	}
}

static inline void put_plain(mw__range_coder *rc, uint16_t *p, unsigned symbol, unsigned i)
{
	mw__range_bit(rc, &p[symbol >> (i + 1)], symbol >> i & 1);
}

static inline void put_matched(mw__range_coder *rc, uint16_t *p, unsigned symbol, unsigned i,
	unsigned matched, unsigned *offset)
{
	unsigned bit = symbol >> i & 1, match_bit = matched << (8 - i) & *offset;
	mw__range_bit(rc, &p[*offset + match_bit + (symbol >> (i + 1))], bit);
	*offset &= ~(match_bit ^ bit << 8);
}

void mw__lzma_put_literal(mw__range_coder *rc, mw__lzma_model *m, uint32_t at, unsigned before,
	unsigned byte, bool after_match, unsigned matched)
{
	uint16_t *p = m->literal + (mw__lzma_literal_probs(m, at, before) - m->literal);
	/* A copy of its own, so that the compiler can keep it in registers. */
	mw__range_coder local = *rc;
	unsigned symbol = byte | 0x100, offset = 0x100;
	if (after_match) {
		put_matched(&local, p, symbol, 7, matched, &offset);
		put_matched(&local, p, symbol, 6, matched, &offset);
		put_matched(&local, p, symbol, 5, matched, &offset);
		put_matched(&local, p, symbol, 4, matched, &offset);
		put_matched(&local, p, symbol, 3, matched, &offset);
		put_matched(&local, p, symbol, 2, matched, &offset);
		put_matched(&local, p, symbol, 1, matched, &offset);
		put_matched(&local, p, symbol, 0, matched, &offset);
	} else {
		put_plain(&local, p, symbol, 7);
		put_plain(&local, p, symbol, 6);
		put_plain(&local, p, symbol, 5);
		put_plain(&local, p, symbol, 4);
		put_plain(&local, p, symbol, 3);
		put_plain(&local, p, symbol, 2);
		put_plain(&local, p, symbol, 1);
		put_plain(&local, p, symbol, 0);
	}
	*rc = local;
}

static void put_len(mw__range_coder *rc, mw__lzma_len *l, uint32_t len, uint32_t ps)
{
	len -= 2;
	mw__range_bit(rc, &l->choice, len >= 8);
	if (len < 8) {
		put_tree(rc, l->low[ps], 3, len);
		return;
	}
	mw__range_bit(rc, &l->choice2, len >= 16);
	if (len < 16)
		put_tree(rc, l->mid[ps], 3, len - 8);
	else
		put_tree(rc, l->high, 8, len - 16);
}

static void put_distance(mw__range_coder *rc, mw__lzma_model *m, uint32_t distance, uint32_t len)
{
	unsigned bits = 0, slot = distance;
	while (distance >> bits > 1)
		bits++;
	if (distance >= 4)
		slot = bits * 2 + (distance >> (bits - 1) & 1);
	put_tree(rc, m->slot[len < 5 ? len - 2 : 3], 6, slot);
	if (slot < 4)
		return;
	unsigned foot = (slot >> 1) - 1;
	uint32_t base = (2U | (slot & 1)) << foot, rest = distance - base;
	if (slot < 14) {
		put_reverse(rc, m->special + base - slot, foot, rest);
	} else {
		put_direct(rc, foot - 4, rest >> 4);
		put_reverse(rc, m->align, 4, rest & 15);
	}
}

void mw__lzma_put_match(mw__range_coder *rc, mw__lzma_model *m, uint32_t back, uint32_t len,
	uint32_t state, uint32_t ps)
{
	mw__range_bit(rc, &m->is_rep[state], back < 4);
	if (back >= 4) {
		put_len(rc, &m->match_len, len, ps);
		put_distance(rc, m, back - 4, len);
		return;
	}
	mw__range_bit(rc, &m->is_rep0[state], back > 0);
	if (back == 0) {
		mw__range_bit(rc, &m->is_rep0_long[state][ps], len > 1);
	} else {
		mw__range_bit(rc, &m->is_rep1[state], back > 1);
		if (back > 1)
			mw__range_bit(rc, &m->is_rep2[state], back > 2);
	}
	if (len > 1)
		put_len(rc, &m->rep_len, len, ps);
}

/* ---- prices ---------------------------------------------------------------------------------- */

void mw__lzma_prices_begin(mw__lzma_prices *c)
{
	/* 16 * -log2(p / 2^11) in whole numbers: the logarithm by squaring four times, which leaves
	 * its sixteenths in the exponent. Probabilities of one entry are taken at their middle. */
	for (unsigned i = 0; i < 128; i++) {
		uint64_t w = i * 16 + 8;
		unsigned log = 0;
		for (int k = 0; k < 4; k++) {
			w *= w;
			log *= 2;
			for (; w >= 1 << 16; log++)
				w >>= 1;
		}
		/* w is in 2^15..2^16 now */
		c->bit[i] = (uint8_t)(11 * 16 - (log + 15));
	}
	for (uint32_t d = 0; d < SLOT_TABLE; d++) {
		unsigned bits = 0;
		while (d >> bits > 1)
			bits++;
		c->slot_of[d] = (uint8_t)(d < 4 ? d : bits * 2 + (d >> (bits - 1) & 1));
	}
}

static uint32_t tree_price(const mw__lzma_prices *c, const uint16_t *p, unsigned bits, unsigned v)
{
	uint32_t price = 0;
	unsigned m = 1;
	for (unsigned i = bits; i-- > 0;) {
		unsigned bit = v >> i & 1;
		price += mw__price(c, p[m], bit);
		m = m << 1 | bit;
	}
	return price;
}

static uint32_t reverse_price(
	const mw__lzma_prices *c, const uint16_t *p, unsigned bits, unsigned v)
{
	uint32_t price = 0;
	unsigned m = 1;
	for (unsigned i = 0; i < bits; i++) {
		unsigned bit = v >> i & 1;
		price += mw__price(c, p[m], bit);
		m = m << 1 | bit;
	}
	return price;
}

static void len_prices(const mw__lzma_prices *c, const mw__lzma_len *l,
	uint16_t (*out)[MATCH_MAX + 1], unsigned n_ps, unsigned max_len)
{
	for (unsigned ps = 0; ps < n_ps; ps++) {
		uint32_t low = mw__price(c, l->choice, 0), more = mw__price(c, l->choice, 1);
		uint32_t mid = more + mw__price(c, l->choice2, 0);
		uint32_t high = more + mw__price(c, l->choice2, 1);
		for (unsigned len = 0; len + 2 <= max_len; len++)
			out[ps][len + 2] = (uint16_t)(len < 8
					? low + tree_price(c, l->low[ps], 3, len)
					: len < 16 ? mid + tree_price(c, l->mid[ps], 3, len - 8)
						   : high + tree_price(c, l->high, 8, len - 16));
	}
}

void mw__lzma_prices_refresh(mw__lzma_prices *c, const mw__lzma_model *m, unsigned max_len)
{
	len_prices(c, &m->match_len, c->match_len, m->pos_mask + 1, max_len);
	len_prices(c, &m->rep_len, c->rep_len, m->pos_mask + 1, max_len);
	for (unsigned ls = 0; ls < LEN_STATES; ls++) {
		for (unsigned slot = 0; slot < 64; slot++) {
			uint32_t price = tree_price(c, m->slot[ls], 6, slot);
			if (slot >= 14)
				price += ((slot >> 1) - 1 - 4) * 16;
			c->slot[ls][slot] = (uint16_t)price;
		}
		for (unsigned d = 0; d < 128; d++) {
			unsigned slot = c->slot_of[d], foot = slot < 4 ? 0 : (slot >> 1) - 1;
			unsigned base = slot < 4 ? d : (2U | (slot & 1)) << foot;
			c->near[ls][d] = (uint16_t)(c->slot[ls][slot] +
				(foot ? reverse_price(c, m->special + base - slot, foot, d - base)
				      : 0));
		}
	}
	for (unsigned i = 0; i < 16; i++)
		c->align[i] = (uint16_t)reverse_price(c, m->align, 4, i);
}

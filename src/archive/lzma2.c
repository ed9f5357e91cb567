#include "archive/lzma2.h"

#include "archive/lzma2_find.h"
#include "archive/lzma2_model.h"
#include "base/mem.h"

#include <string.h>

/* Prices first, then the cheapest way through: a run of positions is parsed by dynamic programming
 * over literals, repeats and matches, and its path encoded. A run ends where all ways meet, so the
 * prices stay close to what the adaptive coder will charge. */

enum { RUN = 1024, REFRESH = 512 };
#define INFINITE (UINT32_MAX / 2)

typedef struct {
	uint32_t price; /* to get here */
	uint32_t back;  /* how: LITERAL, 0..3 a repeat, else distance + 4 */
	uint32_t reps[4];
	uint16_t len;
	uint16_t next; /* of the path, once chosen */
	uint8_t state;
} node;
#define LITERAL UINT32_MAX

typedef struct {
	const uint8_t *in;
	uint32_t n;
	const mw_lzma2_effort *effort;
	mw__lzma_finder finder;
	node nodes[RUN + 1];
	mw__lzma_model model;
	mw__lzma_prices prices;
	unsigned until_refresh;
	/* where the coder is */
	uint32_t at, state, reps[4];
	mw__range_coder rc;
	/* the chunk being written */
	uint8_t *chunk;
	uint32_t chunk_from;
	unsigned reset; /* what the next chunk resets: 3 all, 2 state and properties, 1 state, 0
			   none */
} encoder;

/* ---- parsing --------------------------------------------------------------------------------- */

static inline void arrive(encoder *e, uint32_t to, uint32_t price, uint32_t back, uint32_t len)
{
	node *t = &e->nodes[to];
	if (price < t->price) {
		t->price = price;
		t->back = back;
		t->len = (uint16_t)len;
	}
}

static inline void reach(encoder *e, uint32_t *end, uint32_t to)
{
	while (*end < to)
		e->nodes[++*end].price = INFINITE;
}

/* State and repeats of node i from where its best way comes. */
static inline void settle(encoder *e, uint32_t i)
{
	node *t = &e->nodes[i];
	const node *f = &e->nodes[i - t->len];
	if (t->back == LITERAL) {
		t->state = mw__lzma_after_literal[f->state];
		memcpy(t->reps, f->reps, sizeof t->reps);
	} else if (t->back < 4) {
		t->state = t->len == 1 ? (f->state < 7 ? 9 : 11) : (f->state < 7 ? 8 : 11);
		uint32_t k = t->back;
		memcpy(t->reps, f->reps, sizeof t->reps);
		for (uint32_t j = k; j > 0; j--)
			t->reps[j] = f->reps[j - 1];
		t->reps[0] = f->reps[k];
	} else {
		t->state = f->state < 7 ? 7 : 10;
		t->reps[0] = t->back - 4;
		t->reps[1] = f->reps[0];
		t->reps[2] = f->reps[1];
		t->reps[3] = f->reps[2];
	}
}

/* Ways from node i by literal and repeats. Returns the longest repeat of `nice` and more, *which of
 * the four; 0 for none. */
static uint32_t try_near(encoder *e, uint32_t i, uint32_t max, uint32_t *end, uint32_t *which)
{
	const node *f = &e->nodes[i];
	const mw__lzma_model *m = &e->model;
	const mw__lzma_prices *c = &e->prices;
	uint32_t at = e->at + i, ps = at & m->pos_mask, longest = 0;
	const uint8_t *p = e->in + at;
	unsigned before = at ? p[-1] : 0;
	unsigned matched = f->reps[0] < at ? p[-1 - (ptrdiff_t)f->reps[0]] : 0;
	uint32_t no_match = f->price + mw__price0(c, m->is_match[f->state][ps]);
	reach(e, end, i + 1);
	arrive(e, i + 1,
		no_match + mw__lzma_literal_price(c, m, at, before, p[0], f->state >= 7, matched),
		LITERAL, 1);
	uint32_t is_match = f->price + mw__price1(c, m->is_match[f->state][ps]);
	uint32_t is_rep = is_match + mw__price1(c, m->is_rep[f->state]);
	if (f->reps[0] < at && matched == p[0])
		arrive(e, i + 1,
			is_rep + mw__price0(c, m->is_rep0[f->state]) +
				mw__price0(c, m->is_rep0_long[f->state][ps]),
			0, 1);
	for (uint32_t k = 0; k < 4 && max >= 2; k++) {
		if (f->reps[k] >= at)
			continue;
		const uint8_t *q = p - 1 - f->reps[k];
		if (q[0] != p[0] || q[1] != p[1])
			continue;
		uint32_t len = mw__lzma_extend(q, p, 2, max);
		uint32_t base = is_rep + mw__lzma_rep_price(c, m, k, f->state, ps);
		/* Long ones are taken whole by the caller. */
		if (len >= e->effort->nice) {
			if (len > longest) {
				longest = len;
				*which = k;
			}
			continue;
		}
		reach(e, end, i + len);
		for (uint32_t l = len; l >= 2; l--)
			arrive(e, i + l, base + mw__lzma_len_price(c->rep_len, l, ps), k, l);
	}
	return longest;
}

static void try_matches(encoder *e, uint32_t i, unsigned n, uint32_t *end)
{
	const node *f = &e->nodes[i];
	const mw__lzma_model *m = &e->model;
	const mw__lzma_prices *c = &e->prices;
	uint32_t ps = (e->at + i) & m->pos_mask, len = 2;
	uint32_t base = f->price + mw__price1(c, m->is_match[f->state][ps]) +
		mw__price0(c, m->is_rep[f->state]);
	if (!n)
		return;
	reach(e, end, i + e->finder.found[n - 1].len);
	for (unsigned k = 0; k < n; k++) {
		const mw__lzma_match *found = &e->finder.found[k];
		for (; len <= found->len; len++)
			arrive(e, i + len,
				base + mw__lzma_len_price(c->match_len, len, ps) +
					mw__lzma_distance_price(c, found->distance, len),
				found->distance + 4, len);
	}
}

/* Whether any repeat is possible at e->at. */
static inline bool repeats(const encoder *e)
{
	const uint8_t *p = e->in + e->at;
	bool two = e->n - e->at >= 2;
	for (uint32_t k = 0; k < 4; k++) {
		const uint8_t *q = p - 1 - (ptrdiff_t)e->reps[k];
		if (e->reps[k] < e->at && q[0] == p[0] && (k == 0 || (two && q[1] == p[1])))
			return true;
	}
	return false;
}

/* Parse from e->at; the number of nodes on the way, whose `next` links lead from node 0 on. A long
 * match at the end is given in *tail (len 0: none). */
static uint32_t parse(encoder *e, mw__lzma_match *tail)
{
	uint32_t end = 0, i = 0, nice = e->effort->nice;
	e->nodes[0].price = 0;
	e->nodes[0].state = (uint8_t)e->state;
	memcpy(e->nodes[0].reps, e->reps, sizeof e->reps);
	for (;; i++) {
		uint32_t left = e->n - e->at - i, which = 0;
		if (i > 0) {
			settle(e, i);
			if (i == end || i >= RUN - 1)
				break;
		}
		uint32_t all = left < MATCH_MAX ? left : MATCH_MAX;
		uint32_t max = RUN - i < all ? RUN - i : all;
		unsigned n = mw__lzma_find(&e->finder, e->at + i, max);
		if (i == 0 && n == 0 && !repeats(e)) {
			e->nodes[0].next = 1;
			e->nodes[1].back = LITERAL;
			e->nodes[1].len = 1;
			return 1;
		}
		uint32_t rep = try_near(e, i, max, &end, &which);
		uint32_t longest = n ? e->finder.found[n - 1].len : 0;
		if (rep >= nice || longest >= nice) {
			const uint8_t *p = e->in + e->at + i;
			if (rep >= nice && rep + 8 >= longest) {
				tail->distance = which;
				tail->len = mw__lzma_extend(
					p - 1 - e->nodes[i].reps[which], p, rep, all);
			} else {
				tail->distance = e->finder.found[n - 1].distance + 4;
				tail->len = mw__lzma_extend(
					p - 1 - e->finder.found[n - 1].distance, p, longest, all);
			}
			break;
		}
		try_matches(e, i, n, &end);
	}
	/* Turn the way back into a way on. */
	for (uint32_t to = i; to > 0;) {
		uint32_t from = to - e->nodes[to].len;
		e->nodes[from].next = (uint16_t)to;
		to = from;
	}
	return i;
}

/* One symbol by length alone, nothing priced. */
static mw__lzma_match choose_fast(encoder *e)
{
	uint32_t left = e->n - e->at, max = left < MATCH_MAX ? left : MATCH_MAX, rep = 0, which = 0;
	const uint8_t *p = e->in + e->at;
	unsigned n = mw__lzma_find(&e->finder, e->at, max);
	const mw__lzma_match *best = n ? &e->finder.found[n - 1] : NULL;
	for (uint32_t k = 0; k < 4 && max >= 2; k++) {
		const uint8_t *q = p - 1 - (ptrdiff_t)e->reps[k];
		if (e->reps[k] >= e->at || q[0] != p[0] || q[1] != p[1])
			continue;
		uint32_t len = mw__lzma_extend(q, p, 2, max);
		if (len > rep) {
			rep = len;
			which = k;
		}
	}
	/* A repeat saves the distance, about a literal and more. */
	if (rep >= 2 &&
		(!best || rep + 1 >= best->len || (rep + 2 >= best->len && best->distance > 512)))
		return (mw__lzma_match){rep, which};
	if (best && (best->len > 3 || (best->len == 3 && best->distance < 256)))
		return (mw__lzma_match){best->len, best->distance + 4};
	return (mw__lzma_match){1, LITERAL};
}

/* ---- chunks ---------------------------------------------------------------------------------- */

enum { CHUNK_PACKED = 1 << 16, CHUNK_PLAIN = 1 << 21, SYMBOL_MOST = 32 };

static void chunk_begin(encoder *e, uint8_t *out)
{
	e->chunk = out;
	e->chunk_from = e->at;
	if (e->reset) {
		mw__lzma_model_reset(&e->model, e->effort->lc, e->effort->lp, e->effort->pb);
		e->until_refresh = 0;
		e->state = 0;
		memset(e->reps, 0, sizeof e->reps);
	}
	mw__range_begin(&e->rc, out + (e->reset >= 2 ? 6 : 5));
}

/* Write the chunk's header, or the chunk as it is when that is no longer. The end of it. */
static uint8_t *chunk_end(encoder *e)
{
	uint8_t *c = e->chunk, *data = c + (e->reset >= 2 ? 6 : 5);
	uint32_t plain = e->at - e->chunk_from;
	uint32_t packed = (uint32_t)(mw__range_end(&e->rc) - data);
	if (packed < plain && packed <= CHUNK_PACKED) {
		c[0] = (uint8_t)(0x80 | e->reset << 5 | (plain - 1) >> 16);
		c[1] = (uint8_t)((plain - 1) >> 8);
		c[2] = (uint8_t)(plain - 1);
		c[3] = (uint8_t)((packed - 1) >> 8);
		c[4] = (uint8_t)(packed - 1);
		if (e->reset >= 2)
			c[5] = (uint8_t)((e->effort->pb * 5 + e->effort->lp) * 9 + e->effort->lc);
		e->reset = 0;
		return data + packed;
	}
	for (uint32_t at = e->chunk_from; at < e->at;) {
		uint32_t n = e->at - at < CHUNK_PACKED ? e->at - at : CHUNK_PACKED;
		c[0] = e->reset == 3 ? 1 : 2;
		c[1] = (uint8_t)((n - 1) >> 8);
		c[2] = (uint8_t)(n - 1);
		memcpy(c + 3, e->in + at, n);
		/* The dictionary is reset once; the properties are still to be told, the state is
		 * void. */
		e->reset = e->reset >= 2 ? 2 : 1;
		c += 3 + n;
		at += n;
	}
	return c;
}

static bool chunk_full(const encoder *e)
{
	return e->rc.p - e->chunk > CHUNK_PACKED - SYMBOL_MOST ||
		e->at - e->chunk_from > CHUNK_PLAIN - MATCH_MAX;
}

/* ---- encoding -------------------------------------------------------------------------------- */

static void put_symbol(encoder *e, uint32_t back, uint32_t len)
{
	mw__lzma_model *m = &e->model;
	uint32_t ps = e->at & m->pos_mask, state = e->state;
	const uint8_t *p = e->in + e->at;
	if (back == LITERAL) {
		mw__range_bit(&e->rc, &m->is_match[state][ps], 0);
		mw__lzma_put_literal(&e->rc, m, e->at, e->at ? p[-1] : 0, p[0], state >= 7,
			state >= 7 ? p[-1 - (ptrdiff_t)e->reps[0]] : 0);
		e->state = mw__lzma_after_literal[state];
	} else {
		mw__range_bit(&e->rc, &m->is_match[state][ps], 1);
		mw__lzma_put_match(&e->rc, m, back, len, state, ps);
		if (back >= 4) {
			e->reps[3] = e->reps[2];
			e->reps[2] = e->reps[1];
			e->reps[1] = e->reps[0];
			e->reps[0] = back - 4;
			e->state = state < 7 ? 7 : 10;
		} else {
			uint32_t d = e->reps[back];
			for (uint32_t k = back; k > 0; k--)
				e->reps[k] = e->reps[k - 1];
			e->reps[0] = d;
			e->state = len == 1 ? (state < 7 ? 9 : 11) : (state < 7 ? 8 : 11);
		}
	}
	e->at += len;
	e->until_refresh -= e->until_refresh > 0;
}

/* Encode a parsed run, beginning new chunks as they fill. False when a chunk was stored plainly:
 * the coder's state is void then, and the rest must be parsed anew. */
static bool put_run(encoder *e, uint32_t nodes, const mw__lzma_match *tail)
{
	uint32_t i = 0;
	for (bool more = true; more;) {
		uint32_t back = tail->distance, len = tail->len;
		if (i < nodes) {
			i = e->nodes[i].next;
			back = e->nodes[i].back;
			len = e->nodes[i].len;
			more = i < nodes || tail->len;
		} else {
			more = false;
		}
		put_symbol(e, back, len);
		if (chunk_full(e)) {
			uint8_t *out = chunk_end(e);
			bool plain = e->reset != 0;
			chunk_begin(e, out);
			if (plain)
				return false;
		}
	}
	return true;
}

size_t mw_lzma2_bound(size_t n)
{
	return n + (n / 60000 + 1) * 6 + CHUNK_PACKED + 2 * SYMBOL_MOST;
}

mw_code mw_lzma2_encode(mw_ctx *cx, uint8_t *out, size_t *out_n, const uint8_t *in, size_t past,
	size_t n, const mw_lzma2_effort *effort)
{
	encoder *e = mw_alloc(cx, sizeof *e);
	*out_n = 0;
	if (!e)
		return MW_ENOMEM;
	e->in = in - past;
	e->n = (uint32_t)(past + n);
	e->effort = effort;
	if (mw__lzma_finder_begin(cx, &e->finder, e->in, (uint32_t)past, e->n, effort) != MW_OK) {
		mw_free(cx, e);
		return MW_ENOMEM;
	}
	e->at = (uint32_t)past;
	e->reset = past ? 2 : 3;
	mw__lzma_prices_begin(&e->prices);
	chunk_begin(e, out);
	while (e->at < e->n) {
		mw__lzma_match tail = {0, 0};
		if (!e->effort->priced) {
			tail = choose_fast(e);
			put_run(e, 0, &tail);
			mw__lzma_enter_until(&e->finder, e->at);
			continue;
		}
		if (!e->until_refresh) {
			mw__lzma_prices_refresh(&e->prices, &e->model, e->effort->nice);
			e->until_refresh = REFRESH;
		}
		uint32_t nodes = parse(e, &tail);
		/* What a long match passed over can still be referred to. */
		if (put_run(e, nodes, &tail))
			mw__lzma_enter_until(&e->finder, e->at);
	}
	*out_n = (size_t)((e->at > e->chunk_from ? chunk_end(e) : e->chunk) - out);
	mw__lzma_finder_end(cx, &e->finder);
	mw_free(cx, e);
	return MW_OK;
}

#include "archive/lzma2_find.h"

#include "base/mem.h"

#include <string.h>

enum { NEAR_2 = 256, NEAR_3 = 1 << 14 };
#define POSITION ((uint32_t)MW_LZMA2_WINDOW - 1)

/* Bytes that are hashed for each table. Many places share 4 bytes, the newest of them only that:
 * the longer hashes lead to the long matches, further away. */
static const uint8_t hashed[MW_LZMA2_TABLES_MOST] = {4, 8, 16, 24};

/* The first `tables` hashes. High bits: which line. Low bits go into the entry as a tag, so that
 * most entries of other strings are passed over without a look at the bytes, far away and not
 * cached. */
static inline void hash_all(uint32_t *h, const uint8_t *p, unsigned tables)
{
	const uint64_t k = 0x9e3779b97f4a7c15;
	uint64_t v = mw__load4(p) * k;
	h[0] = (uint32_t)(v >> 32);
	for (unsigned t = 1; t < tables; t++, p += 8) {
		v = ((t > 1 ? v ^ v >> 29 : 0) + mw__load8(p)) * k;
		h[t] = (uint32_t)(v >> 32);
	}
}

/* How many of the tables there are bytes left for. */
static inline unsigned tables_at(const mw__lzma_finder *f, uint32_t at)
{
	unsigned tables = f->effort->tables;
	if (at & (f->effort->step - 1U))
		return 0;
	if (at & (f->effort->long_step - 1U))
		tables = 1;
	while (tables && f->n - at < hashed[tables - 1])
		tables--;
	return tables;
}

static inline uint32_t tag_of(uint32_t hash)
{
	return hash * MW_LZMA2_WINDOW;
}

static inline uint32_t *line_of(const mw__lzma_finder *f, unsigned table, uint32_t hash)
{
	size_t line = ((size_t)table << f->line_bits) + (hash >> (32 - f->line_bits));
	return f->lines + line * f->line_entries;
}

static inline uint32_t hash3(uint32_t v)
{
	return (v << 8) * 506832829U >> (32 - HASH3_BITS);
}

static inline uint32_t hash2(uint32_t v)
{
	return (v << 16) * 2654435761U >> (32 - HASH2_BITS);
}

static inline void enter_line(const mw__lzma_finder *f, uint32_t *line, uint32_t entry)
{
	/* Backwards, from the end again; a fresh line holds nonsense here. */
	uint32_t newest = line[0] - 1;
	if (newest - 1 >= f->line_entries - 1)
		newest = f->line_entries - 1;
	line[0] = newest;
	line[newest] = entry;
}

/* Enter the position into the tables from the first on. */
static inline void enter(mw__lzma_finder *f, uint32_t at, unsigned first)
{
	uint32_t hash[MW_LZMA2_TABLES_MOST];
	unsigned tables = tables_at(f, at);
	if (tables)
		hash_all(hash, f->in + at, tables);
	for (unsigned t = first; t < tables; t++)
		enter_line(f, line_of(f, t, hash[t]), at | tag_of(hash[t]));
}

/* The lines do not fit the near caches. Always inline: gcc takes calls of a function that does
 * nothing else for useless. */
static MW_ALWAYS_INLINE void prefetch(const mw__lzma_finder *f, uint32_t at, unsigned first)
{
	uint32_t hash[MW_LZMA2_TABLES_MOST];
	unsigned tables = at < f->n ? tables_at(f, at) : 0;
	if (tables)
		hash_all(hash, f->in + at, tables);
	for (unsigned t = first; t < tables; t++)
		MW_PREFETCH(line_of(f, t, hash[t]));
}

/* Short matches from far away do not pay: the table of the shortest is filled from nearby. */
static void enter_past(mw__lzma_finder *f, uint32_t past)
{
	enum { AHEAD = 32, NEARBY = 1 << 20 };
	for (uint32_t at = 0; at < past; at += f->effort->step) {
		unsigned first = past - at > NEARBY;
		prefetch(f, at + AHEAD, first);
		enter(f, at, first);
	}
}

static inline void enter_near(mw__lzma_finder *f, uint32_t at)
{
	uint32_t v = mw__load4(f->in + at);
	f->head3[hash3(v)] = at;
	f->head2[hash2(v)] = at;
	f->entered = at + 1;
}

void mw__lzma_enter_until(mw__lzma_finder *f, uint32_t at)
{
	while (f->entered < at && f->n - f->entered >= 4) {
		enter(f, f->entered, 0);
		enter_near(f, f->entered);
	}
}

mw_code mw__lzma_finder_begin(mw_ctx *cx, mw__lzma_finder *f, const uint8_t *in, uint32_t past,
	uint32_t n, const mw_lzma2_effort *effort)
{
	/* No more lines than there are positions to fill them. */
	unsigned bits = MW_LZMA2_LINES_LEAST;
	while (bits < effort->lines && (size_t)effort->entries * effort->step << bits < n)
		bits++;
	size_t bytes = (sizeof *f->lines * effort->entries * effort->tables) << bits;
	f->in = in;
	f->n = n;
	f->effort = effort;
	f->line_bits = bits;
	f->line_entries = effort->entries;
	f->lines = mw_alloc_wide(cx, bytes);
	if (!f->lines)
		return MW_ENOMEM;
	memset(f->lines, 0xff, bytes);
	memset(f->head3, 0xff, sizeof f->head3);
	memset(f->head2, 0xff, sizeof f->head2);
	enter_past(f, past);
	f->entered = past;
	return MW_OK;
}

void mw__lzma_finder_end(mw_ctx *cx, mw__lzma_finder *f)
{
	mw_free(cx, f->lines);
	f->lines = NULL;
}

/* Longer matches than the *n there are, in one line. */
static inline void look(mw__lzma_finder *f, const uint32_t *line, uint32_t tag, uint32_t at,
	uint32_t max, unsigned left, unsigned *n)
{
	const uint8_t *p = f->in + at;
	uint32_t k = line[0], best = *n ? f->found[*n - 1].len : 1;
	if (k >= f->line_entries)
		return;
	for (; left && best < max; left--) {
		uint32_t entry = line[k], from = entry & POSITION;
		if (++k == f->line_entries)
			k = 1;
		/* Free places are beyond every position; a parse begun anew meets later ones, too.
		 */
		if ((entry & ~POSITION) != tag || from >= at || f->in[from + best] != p[best])
			continue;
		uint32_t len = mw__lzma_extend(f->in + from, p, 0, max), distance = at - from - 1;
		if (len <= best || len < 4)
			continue;
		best = len;
		while (*n && f->found[*n - 1].distance >= distance)
			--*n;
		f->found[(*n)++] = (mw__lzma_match){len, distance};
	}
}

unsigned mw__lzma_find(mw__lzma_finder *f, uint32_t at, uint32_t max)
{
	enum { AHEAD = 16 };
	const uint8_t *p = f->in + at;
	uint32_t best = 1, hash[MW_LZMA2_TABLES_MOST];
	unsigned n = 0;
	if (f->n - at < 4)
		return 0;
	prefetch(f, at + AHEAD, 0);
	bool fresh = at >= f->entered;
	if (fresh) {
		uint32_t v = mw__load4(p), c2 = f->head2[hash2(v)], c3 = f->head3[hash3(v)];
		enter_near(f, at);
		/* Short matches from far away cost more than their literals. */
		if (c2 != MW_LZMA2_NONE && at - c2 <= NEAR_2 && f->in[c2] == p[0] &&
			f->in[c2 + 1] == p[1] && max >= 2) {
			best = mw__lzma_extend(f->in + c2, p, 2, max);
			f->found[n++] = (mw__lzma_match){best, at - c2 - 1};
		}
		if (c3 != MW_LZMA2_NONE && at - c3 <= NEAR_3 && c3 != c2 && best < max &&
			f->in[c3 + best] == p[best]) {
			uint32_t len = mw__lzma_extend(f->in + c3, p, 0, max);
			if (len > best && len > 2)
				f->found[n++] = (mw__lzma_match){len, at - c3 - 1};
		}
	}
	unsigned tables = tables_at(f, at);
	if (tables)
		hash_all(hash, p, tables);
	for (unsigned t = 0; t < tables; t++) {
		uint32_t *line = line_of(f, t, hash[t]), tag = tag_of(hash[t]);
		if (n == 0 || f->found[n - 1].len < f->effort->nice)
			look(f, line, tag, at, max,
				t ? f->line_entries - 1 : f->line_entries / 2 - 1, &n);
		if (fresh)
			enter_line(f, line, at | tag);
	}
	return n;
}

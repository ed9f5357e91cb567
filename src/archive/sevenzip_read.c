#include "archive/parts.h"

#include "archive/sevenzip.h"
#include "archive/sevenzip_header.h"
#include "base/hash.h"

#include <lzma.h>
#include <string.h>

enum { CHUNK = 64 << 10, MAX_HEADER = 16 << 20, MAX_NESTING = 4, DICT_MIN = 4096 };

/* A decoder that stays where it is, so that the members of a solid block can be had one after the
 * other without starting anew each time. */
typedef struct {
	mw_ctx *cx; /* of the call that runs; the allocator of all is the same */
	mw__7z_header header;
	lzma_stream lzma;
	lzma_allocator allocator;
	bool live, copy;
	uint32_t block;
	uint64_t at;             /* unpacked bytes that were delivered or passed over */
	uint64_t in_at, in_left; /* packed bytes not yet read */
	uint8_t *buffer;         /* CHUNK packed bytes, CHUNK unpacked bytes */
} decoder;

static void *lzma_allocate(void *ud, size_t count, size_t size)
{
	return mw_alloc_n(((decoder *)ud)->cx, count, size);
}

static void lzma_release(void *ud, void *p)
{
	mw_free(((decoder *)ud)->cx, p);
}

/* ---- decoding a block --------------------------------------------------------------------------
 */

static uint32_t fitting_dictionary(uint64_t dict, uint64_t size)
{
	/* No distance reaches back further than the block is long, whatever it declares. */
	if (dict > size)
		dict = size;
	return dict < DICT_MIN ? DICT_MIN : (uint32_t)dict;
}

static mw_code lzma_options(mw_ctx *cx, const mw__7z_coder *c, const mw__7z_block *b,
	lzma_filter *f, lzma_options_lzma *o)
{
	*o = (lzma_options_lzma){0};
	f->options = o;
	if (c->method == Z7_LZMA2) {
		uint64_t dict = c->n_props == 1 && c->props[0] < 40
			? (uint64_t)(2 | (c->props[0] & 1)) << (c->props[0] / 2 + 11)
			: UINT32_MAX;
		if (c->n_props != 1 || c->props[0] > 40)
			return mw_fail(cx, MW_EFORMAT, "damaged LZMA2 properties");
		f->id = LZMA_FILTER_LZMA2;
		o->dict_size = fitting_dictionary(dict, b->size);
		return MW_OK;
	}
	if (c->n_props != 5 || c->props[0] >= 9 * 5 * 5)
		return mw_fail(cx, MW_EFORMAT, "damaged LZMA properties");
	o->lc = c->props[0] % 9;
	o->lp = c->props[0] / 9 % 5;
	o->pb = c->props[0] / 45;
	o->dict_size = fitting_dictionary((uint64_t)c->props[1] | (uint64_t)c->props[2] << 8 |
			(uint64_t)c->props[3] << 16 | (uint64_t)c->props[4] << 24,
		b->size);
#ifdef LZMA_FILTER_LZMA1EXT
	/* The size ends the stream, so that a filter behind it gives its last bytes. */
	f->id = LZMA_FILTER_LZMA1EXT;
	o->ext_flags = LZMA_LZMA1EXT_ALLOW_EOPM;
	o->ext_size_low = (uint32_t)b->size;
	o->ext_size_high = (uint32_t)(b->size >> 32);
#else
	f->id = LZMA_FILTER_LZMA1;
#endif
	return MW_OK;
}

static void decoder_stop(decoder *d)
{
	if (d->live && !d->copy)
		lzma_end(&d->lzma);
	d->live = false;
}

static mw_code decoder_start(mw_ctx *cx, decoder *d, uint32_t block)
{
	const mw__7z_block *b = &d->header.blocks.v[block];
	lzma_filter chain[Z7_MAX_CODERS + 1];
	lzma_options_lzma options = {0};
	unsigned n = 0;
	decoder_stop(d);
	for (unsigned i = 0; i < b->n_coders; i++) {
		const mw__7z_coder *c = &b->coders[i];
		if (c->method == Z7_COPY)
			continue;
		chain[n] = (lzma_filter){.id = c->filter};
		if ((c->method == Z7_LZMA || c->method == Z7_LZMA2) &&
			lzma_options(cx, c, b, &chain[n], &options) != MW_OK)
			return cx->err.code;
		n++;
	}
	if (n && options.dict_size > cx->limits.unpacked_bytes)
		return mw_fail(cx, MW_ELIMIT, "dictionary of %lu bytes, the limit is %llu",
			(unsigned long)options.dict_size,
			(unsigned long long)cx->limits.unpacked_bytes);
	chain[n] = (lzma_filter){.id = LZMA_VLI_UNKNOWN};
	d->block = block;
	d->at = 0;
	d->in_at = b->packed_at;
	d->in_left = b->packed;
	d->copy = n == 0;
	d->lzma = (lzma_stream)LZMA_STREAM_INIT;
	d->lzma.allocator = &d->allocator;
	if (!d->copy) {
		lzma_ret status = lzma_raw_decoder(&d->lzma, chain);
		if (status == LZMA_MEM_ERROR)
			return mw_fail(cx, MW_ENOMEM, "no memory for an LZMA decoder");
		if (status != LZMA_OK)
			return mw_fail(cx, MW_EUNSUPPORTED,
				"the packing options are not usable (%d)", (int)status);
	}
	d->live = true;
	return MW_OK;
}

static mw_code read_packed(mw_ctx *cx, const mw__input *in, decoder *d, uint8_t *to, size_t n)
{
	mw_code code = mw__input_read(cx, in, d->in_at, to, n);
	d->in_at += n;
	d->in_left -= n;
	return code;
}

/* Up to want (<= CHUNK) unpacked bytes into the second half of the buffer. */
static mw_code decoder_step(mw_ctx *cx, const mw__input *in, decoder *d, size_t want, size_t *got)
{
	uint8_t *out = d->buffer + CHUNK;
	if (d->copy) {
		*got = want;
		if (want > d->in_left)
			return mw_fail(cx, MW_EFORMAT, "packed data is cut off");
		return read_packed(cx, in, d, out, want);
	}
	d->lzma.next_out = out;
	d->lzma.avail_out = want;
	while (d->lzma.avail_out == want) {
		if (d->lzma.avail_in == 0 && d->in_left) {
			size_t n = d->in_left < CHUNK ? (size_t)d->in_left : CHUNK;
			if (read_packed(cx, in, d, d->buffer, n) != MW_OK)
				return cx->err.code;
			d->lzma.next_in = d->buffer;
			d->lzma.avail_in = n;
		}
		lzma_ret status = lzma_code(&d->lzma, d->in_left ? LZMA_RUN : LZMA_FINISH);
		if (status == LZMA_MEM_ERROR)
			return mw_fail(cx, MW_ENOMEM, "no memory for an LZMA decoder");
		if (status != LZMA_OK && d->lzma.avail_out == want)
			return mw_fail(cx, MW_EFORMAT, "damaged LZMA data, or cut off");
	}
	*got = want - d->lzma.avail_out;
	return MW_OK;
}

/* n bytes at offset `from` of block, into sink. */
static mw_code decode(mw_ctx *cx, const mw__input *in, decoder *d, uint32_t block, uint64_t from,
	uint64_t n, mw_archive_sink sink, void *ud)
{
	mw_code code = MW_OK;
	d->cx = cx;
	if (!d->live || d->block != block || d->at > from)
		code = decoder_start(cx, d, block);
	while (code == MW_OK && d->at < from + n) {
		uint64_t to = d->at < from ? from : from + n;
		size_t want = to - d->at < CHUNK ? (size_t)(to - d->at) : CHUNK, got = 0;
		code = decoder_step(cx, in, d, want, &got);
		if (code == MW_OK && d->at >= from)
			code = sink(cx, ud, d->buffer + CHUNK, got);
		d->at += got;
	}
	if (code != MW_OK)
		decoder_stop(d);
	return code;
}

static mw_code sevenzip_unpack(
	mw_ctx *cx, mw_archive *a, const mw_archive_entry *e, mw_archive_sink sink, void *ud)
{
	if (e->size == 0)
		return MW_OK;
	if (e->at > cx->limits.unpacked_bytes)
		return mw_fail(cx, MW_ELIMIT,
			"%llu bytes of its solid block come before it, the limit is %llu",
			(unsigned long long)e->at, (unsigned long long)cx->limits.unpacked_bytes);
	return decode(cx, &a->in, a->state, e->block, e->at, e->size, sink, ud);
}

static void sevenzip_close(mw_ctx *cx, mw_archive *a)
{
	decoder *d = a->state;
	d->cx = cx;
	decoder_stop(d);
	mw__7z_header_free(cx, &d->header);
	mw_free(cx, d->buffer);
	mw_free(cx, d);
}

/* ---- opening ------------------------------------------------------------------------------------
 */

typedef struct {
	uint8_t *p;
	size_t n;
} header_bytes;

static mw_code into_header(mw_ctx *cx, void *ud, const void *bytes, size_t n)
{
	header_bytes *h = ud;
	MW_UNUSED(cx);
	memcpy(h->p + h->n, bytes, n);
	h->n += n;
	return MW_OK;
}

/* Replace the header by what the stream that it describes unpacks to. */
static mw_code unpack_header(mw_ctx *cx, mw_archive *a, decoder *d, header_bytes *h)
{
	if (mw__7z_header_read_packed(cx, &d->header, h->p, h->n, a->in.n) != MW_OK)
		return cx->err.code;
	const mw__7z_block *b = &d->header.blocks.v[0];
	if (b->problem)
		return mw_fail(cx, MW_EUNSUPPORTED, "%s", b->problem);
	if (b->size > MAX_HEADER)
		return mw_fail(cx, MW_ELIMIT, "header of %llu bytes, the limit is %d",
			(unsigned long long)b->size, MAX_HEADER);
	header_bytes next = {.p = mw_alloc(cx, (size_t)b->size)};
	if (!next.p)
		return MW_ENOMEM;
	mw_code code = decode(cx, &a->in, d, 0, 0, b->size, into_header, &next);
	if (code == MW_OK && b->has_crc && mw_crc32(0, next.p, next.n) != b->crc)
		code = mw_fail(cx, MW_EFORMAT, "the header's checksum is wrong");
	mw_free(cx, h->p);
	*h = next;
	decoder_stop(d);
	mw__7z_header_free(cx, &d->header);
	return code;
}

static uint64_t little(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

static mw_code read_header(mw_ctx *cx, mw_archive *a, header_bytes *h)
{
	uint8_t start[Z7_START_BYTES];
	if (mw__input_read(cx, &a->in, 0, start, sizeof start) != MW_OK)
		return cx->err.code;
	if (start[6] != 0)
		return mw_fail(
			cx, MW_EUNSUPPORTED, "7z version %u.%u, expected 0", start[6], start[7]);
	if (mw_crc32(0, start + 12, 20) != (uint32_t)little(start + 8, 4))
		return mw_fail(cx, MW_EFORMAT, "the checksum of the 7z start is wrong");
	uint64_t at = little(start + 12, 8), n = little(start + 20, 8);
	uint64_t left = a->in.n - Z7_START_BYTES;
	if (at > left || n > left - at)
		return mw_fail(cx, MW_EFORMAT,
			"header of %llu bytes at %llu, the file has %llu: cut off",
			(unsigned long long)n, (unsigned long long)at, (unsigned long long)a->in.n);
	if (n > MAX_HEADER)
		return mw_fail(cx, MW_ELIMIT, "header of %llu bytes, the limit is %d",
			(unsigned long long)n, MAX_HEADER);
	h->n = (size_t)n;
	h->p = mw_alloc(cx, h->n);
	if (!h->p || mw__input_read(cx, &a->in, Z7_START_BYTES + at, h->p, h->n) != MW_OK)
		return cx->err.code;
	if (n && mw_crc32(0, h->p, h->n) != (uint32_t)little(start + 28, 4))
		return mw_fail(cx, MW_EFORMAT, "the header's checksum is wrong");
	return MW_OK;
}

mw_code mw__7z_open(mw_ctx *cx, mw_archive *a)
{
	header_bytes h = {0};
	decoder *d = mw_zalloc(cx, sizeof *d);
	if (!d)
		return MW_ENOMEM;
	d->allocator = (lzma_allocator){lzma_allocate, lzma_release, d};
	a->state = d;
	a->unpack = sevenzip_unpack;
	a->close = sevenzip_close;
	d->buffer = mw_alloc(cx, 2 * CHUNK);
	mw_code code = d->buffer ? read_header(cx, a, &h) : MW_ENOMEM;
	for (int i = 0; code == MW_OK && h.n && h.p[0] == Z7_ENCODED_HEADER; i++)
		code = i < MAX_NESTING ? unpack_header(cx, a, d, &h)
				       : mw_fail(cx, MW_EFORMAT, "header packed over and over");
	if (code == MW_OK && h.n)
		code = mw__7z_header_read(cx, &d->header, h.p, h.n, a);
	mw_free(cx, h.p);
	return code;
}

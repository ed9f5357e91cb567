#include "archive/parts.h"

#include "archive/lzma2.h"
#include "archive/sevenzip.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "base/wr.h"

#include <string.h>

/* One folder (7z's word for a packed stream) a file: never solid, which BAR's checks refuse and for
 * which the engine would use one thread only. A long file is cut into slices that are encoded
 * apart: an LZMA2 stream may begin its model anew at any chunk and still refer to what came before,
 * so they are laid end to end with only the last one's end mark. */

/* 1980-01-01 00:00 UTC in 100 ns since 1601. */
#define FILETIME ((uint64_t)(315532800 + 11644473600) * 10000000)
/* Archive bit, "unix mode follows", mode. */
#define ATTRIBUTES ((uint32_t)(0x8000 | 0x20) | (uint32_t)0100644 << 16)

typedef struct {
	size_t slice, past; /* [unit: byte] what is encoded apart, and how far before it to look */
	bool priced;
	uint16_t nice;
	uint8_t tables, entries, lines; /* as in mw_lzma2_effort */
} level_effort;

typedef struct {
	uint64_t size, packed;
	uint32_t crc;
} stream;

typedef struct {
	const mw_archive_item *items;
	const level_effort *effort;
	mw_fs_file *file;
	stream *streams; /* of each item */
} writer;

/* As large as a decoder needs for an item. */
static uint32_t dictionary(uint64_t item_n, const level_effort *l)
{
	uint32_t dict = 4096;
	while (dict < item_n && dict < l->slice + l->past)
		dict *= 2;
	return dict;
}

enum { GENERAL, WORDS, BLOCKS };
static const struct {
	uint8_t lc, lp, pb, step, long_step;
} kinds[] = {[GENERAL] = {3, 0, 2, 1, 1}, [WORDS] = {2, 1, 1, 1, 1}, [BLOCKS] = {1, 3, 3, 4, 8}};

/* What the bytes are made of decides how their bits are best predicted, and where matches begin:
 * texture blocks are colours and choices of 4 bytes each, most of
 * them repeated whole, heights are words. Try each on a stretch
 * from the middle. */
static mw_code choose_kind(mw_ctx *cx, const mw__piece *p, uint8_t *out, size_t *kind)
{
	enum { STRETCH = 32 << 10, STRETCHES = 4 };
	size_t best_n = SIZE_MAX;
	*kind = GENERAL;
	if (p->n < 4 * STRETCH * STRETCHES)
		return MW_OK;
	for (size_t i = 0; i < MW_COUNTOF(kinds); i++) {
		const mw_lzma2_effort probe = {.lc = kinds[i].lc,
			.lp = kinds[i].lp,
			.pb = kinds[i].pb,
			.step = kinds[i].step,
			.long_step = kinds[i].long_step,
			.nice = 32,
			.tables = 2,
			.entries = 8,
			.lines = 15};
		size_t sum = 0;
		for (size_t k = 0; k < STRETCHES; k++) {
			/* A multiple of 16 from the item's start keeps the phase. */
			size_t n, at = p->n / STRETCHES * k & ~(size_t)15;
			if (mw_lzma2_encode(cx, out, &n, p->in + at, 0, STRETCH, &probe) != MW_OK)
				return cx->err.code;
			sum += n;
		}
		/* Blocks are the quickest to pack, and take longer to learn than a stretch is. */
		if (sum < best_n || (i == BLOCKS && sum - best_n < best_n / 128)) {
			best_n = sum;
			*kind = i;
		}
	}
	return MW_OK;
}

static mw_code pack(mw_ctx *cx, void *ud, mw__piece *p)
{
	const writer *w = ud;
	const level_effort *l = w->effort;
	size_t kind;
	if (p->n == 0) {
		p->stored = true;
		return MW_OK;
	}
	p->out = mw_alloc(cx, mw_lzma2_bound(p->n));
	if (!p->out || choose_kind(cx, p, p->out, &kind) != MW_OK)
		return cx->err.code;
	const mw_lzma2_effort e = {.lc = kinds[kind].lc,
		.lp = kinds[kind].lp,
		.pb = kinds[kind].pb,
		.step = kinds[kind].step,
		.long_step = kinds[kind].long_step,
		.nice = l->nice,
		.priced = l->priced,
		.tables = l->tables,
		.entries = l->entries,
		.lines = l->lines};
	if (mw_lzma2_encode(cx, p->out, &p->out_n, p->in, p->past, p->n, &e) != MW_OK)
		return cx->err.code;
	if (p->last)
		p->out[p->out_n++] = 0; /* the end mark */
	return MW_OK;
}

static mw_code emit(mw_ctx *cx, void *ud, const mw__piece *p)
{
	writer *w = ud;
	stream *s = &w->streams[p->item];
	if (p->n == 0)
		return MW_OK;
	s->size += p->n;
	s->packed += p->out_n;
	s->crc = mw_crc32(s->crc, p->in, p->n);
	return mw_fs_append(cx, w->file, p->out, p->out_n);
}

/* ---- the header --------------------------------------------------------------------------------
 */

/* 7z's number: leading one bits of the first byte count the bytes that follow. */
static void put_num(mw_wr *h, uint64_t v)
{
	unsigned more = 0;
	while (more < 8 && v >> (7 * (more + 1)))
		more++;
	unsigned first = more == 8 ? 0xff : 0xff & ~(0xffU >> more);
	if (more < 8)
		first |= (unsigned)(v >> (8 * more)) & (0x7fU >> more);
	mw_wr_u8(h, (uint8_t)first);
	for (unsigned i = 0; i < more; i++)
		mw_wr_u8(h, (uint8_t)(v >> (8 * i)));
}

static void put_streams(mw_wr *h, const writer *w, size_t n, size_t filled)
{
	mw_wr_u8(h, Z7_MAIN_STREAMS);
	mw_wr_u8(h, Z7_PACK_INFO);
	put_num(h, 0);
	put_num(h, filled);
	mw_wr_u8(h, Z7_SIZE);
	for (size_t i = 0; i < n; i++)
		if (w->streams[i].size)
			put_num(h, w->streams[i].packed);
	mw_wr_u8(h, Z7_END);
	mw_wr_u8(h, Z7_UNPACK_INFO);
	mw_wr_u8(h, Z7_FOLDER);
	put_num(h, filled);
	mw_wr_u8(h, 0); /* here, not in another stream */
	for (size_t i = 0; i < n; i++) {
		unsigned bits = 12;
		if (!w->streams[i].size)
			continue;
		while (1U << bits < dictionary(w->streams[i].size, w->effort))
			bits++;
		/* One coder with properties and an id of one byte; one property: 2^(D / 2 + 12). */
		const uint8_t folder[] = {1, 0x21, Z7_LZMA2, 1, (uint8_t)((bits - 12) * 2)};
		mw_wr_bytes(h, folder, sizeof folder);
	}
	mw_wr_u8(h, Z7_UNPACK_SIZE);
	for (size_t i = 0; i < n; i++)
		if (w->streams[i].size)
			put_num(h, w->streams[i].size);
	mw_wr_u8(h, Z7_CRC);
	mw_wr_u8(h, 1); /* all are there */
	for (size_t i = 0; i < n; i++)
		if (w->streams[i].size)
			mw_wr_u32(h, w->streams[i].crc);
	mw_wr_u8(h, Z7_END);
	mw_wr_u8(h, Z7_SUBSTREAMS); /* one in each folder */
	mw_wr_u8(h, Z7_END);
	mw_wr_u8(h, Z7_END);
}

/* One bit an item, first in the high bit: those without data; or all `bits` set. */
static void put_bits(mw_wr *h, const writer *w, size_t bits, bool all)
{
	uint8_t byte = 0;
	put_num(h, (bits + 7) / 8);
	for (size_t i = 0; i < bits; i++) {
		if (all || !w->streams[i].size)
			byte |= (uint8_t)(0x80 >> (i & 7));
		if ((i & 7) == 7 || i + 1 == bits) {
			mw_wr_u8(h, byte);
			byte = 0;
		}
	}
}

static void put_utf16(mw_wr *h, const char *name)
{
	size_t n = strlen(name);
	for (size_t at = 0; at < n;) {
		uint32_t c = mw_utf8_next(name, n, &at);
		if (c >= 0x10000) {
			mw_wr_u16(h, (uint16_t)(0xd800 + ((c - 0x10000) >> 10)));
			c = 0xdc00 + ((c - 0x10000) & 0x3ff);
		}
		mw_wr_u16(h, (uint16_t)c);
	}
	mw_wr_u16(h, 0);
}

static mw_code put_files(mw_ctx *cx, mw_wr *h, const writer *w, size_t n, size_t filled)
{
	mw_wr names;
	mw_wr_init(&names, cx);
	for (size_t i = 0; i < n; i++)
		put_utf16(&names, w->items[i].name);
	mw_wr_u8(h, Z7_FILES);
	put_num(h, n);
	if (filled < n) {
		mw_wr_u8(h, Z7_EMPTY_STREAM);
		put_bits(h, w, n, false);
		mw_wr_u8(h, Z7_EMPTY_FILE); /* an empty file, no folder */
		put_bits(h, w, n - filled, true);
	}
	mw_wr_u8(h, Z7_NAMES);
	put_num(h, 1 + names.n);
	mw_wr_u8(h, 0);
	mw_wr_bytes(h, names.p, names.n);
	mw_wr_u8(h, Z7_MTIME);
	put_num(h, 2 + 8 * (uint64_t)n);
	mw_wr_u8(h, 1);
	mw_wr_u8(h, 0);
	for (size_t i = 0; i < n; i++)
		mw_wr_u64(h, FILETIME);
	mw_wr_u8(h, Z7_ATTRIBUTES);
	put_num(h, 2 + 4 * (uint64_t)n);
	mw_wr_u8(h, 1);
	mw_wr_u8(h, 0);
	for (size_t i = 0; i < n; i++)
		mw_wr_u32(h, ATTRIBUTES);
	mw_wr_u8(h, Z7_END);
	mw_code code = mw_wr_code(&names);
	mw_wr_free(&names);
	return code;
}

static mw_code put_header(mw_ctx *cx, writer *w, size_t n)
{
	size_t filled = 0;
	mw_wr h, start;
	mw_wr_init(&h, cx);
	mw_wr_init(&start, cx);
	for (size_t i = 0; i < n; i++)
		filled += w->streams[i].size != 0;
	uint64_t at = mw_fs_tell(w->file) - Z7_START_BYTES;
	mw_code code = MW_OK;
	if (n) {
		mw_wr_u8(&h, Z7_HEADER);
		if (filled)
			put_streams(&h, w, n, filled);
		code = put_files(cx, &h, w, n, filled);
		mw_wr_u8(&h, Z7_END);
	}
	if (code == MW_OK)
		code = mw_wr_code(&h);
	if (code == MW_OK)
		code = mw_fs_append(cx, w->file, h.p, h.n);
	if (code == MW_OK) {
		static const uint8_t mark[8] = {'7', 'z', 0xbc, 0xaf, 0x27, 0x1c, 0, 4};
		mw_wr_bytes(&start, mark, sizeof mark);
		mw_wr_u32(&start, 0);
		mw_wr_u64(&start, n ? at : 0);
		mw_wr_u64(&start, h.n);
		mw_wr_u32(&start, h.n ? mw_crc32(0, h.p, h.n) : 0);
		code = mw_wr_code(&start);
	}
	if (code == MW_OK) {
		mw_wr_patch_u32(&start, 8, mw_crc32(0, start.p + 12, 20));
		code = mw_fs_patch(cx, w->file, 0, start.p, start.n);
	}
	mw_wr_free(&h);
	mw_wr_free(&start);
	return code;
}

mw_code mw__7z_write(mw_ctx *cx, const char *path, mw_archive_level level,
	const mw_archive_item *items, size_t n, uint64_t *bytes)
{
	/* Measured on tiles of 8192 x 8192 texels, where ground repeats itself from far away:
	 * normal is within 1 % of 7-Zip 26 at -mx=5 in a third of the time, release within 2 % of
	 * -mx=9. */
	static const level_effort efforts[] = {
		[MW_ARCHIVE_FAST] = {4 << 20, 0, false, 32, 1, 8, 15},
		[MW_ARCHIVE_NORMAL] = {8 << 20, 8 << 20, true, 64, 4, 8, 17},
		[MW_ARCHIVE_RELEASE] = {8 << 20, 24 << 20, true, 96, 4, 16, 17},
	};
	static const uint8_t zeros[Z7_START_BYTES] = {0};
	writer w = {.items = items, .effort = &efforts[level]};
	mw__packer packer = {.piece_bytes = w.effort->slice,
		.past_bytes = w.effort->past,
		.pack = pack,
		.emit = emit,
		.ud = &w};
	w.streams = mw_zalloc_n(cx, n, sizeof *w.streams);
	mw_code code = w.streams ? mw_fs_create(cx, &w.file, path) : MW_ENOMEM;
	if (code == MW_OK)
		code = mw_fs_append(cx, w.file, zeros, sizeof zeros);
	if (code == MW_OK)
		code = mw__pack(cx, &packer, items, n);
	*bytes = packer.bytes;
	if (code == MW_OK)
		code = put_header(cx, &w, n);
	mw_free(cx, w.streams);
	if (code == MW_OK)
		return mw_fs_commit(cx, w.file);
	mw_fs_discard(cx, w.file);
	return code;
}

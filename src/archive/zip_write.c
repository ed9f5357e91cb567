#include "archive/parts.h"

#include "archive/piece.h"
#include "archive/zip.h"
#include "base/hash.h"
#include "base/wr.h"

#include <string.h>

/* The container is written here and not by minizip: sizes are known when a header is written (but
 * for members in several pieces), so nothing is sought back to, and memory goes through the
 * context. The tests read it with minizip, which is what the engine does. */

/* One number is the same for all entries, so that equal input gives equal bytes: the earliest date
 * there is, 1980-01-01 00:00 (day 1, month 1). */
enum { DOS_TIME = 0, DOS_DATE = 1 << 5 | 1 };
enum { VERSION_NEEDED = 20, MADE_BY_UNIX = 3 << 8 | 20 };
#define EXTERNAL ((uint32_t)0100644 << 16)
/* 0xffffffff would mean zip64, which the engine refuses (minizip's 32-bit calls). */
#define MAX_BYTES ((uint64_t)UINT32_MAX - 1)

/* Long enough that the lost window of 32 KiB and the join cost under 0.1 %. */
enum { PIECE_BYTES = 2 << 20 };

typedef struct {
	const mw_archive_item *items;
	mw_fs_file *file;
	mw_wr central;
	int level;
	/* the member being written */
	uint64_t start; /* of its local header */
	uint64_t packed;
	uint32_t crc;
} writer;

static mw_code pack(mw_ctx *cx, void *ud, mw__piece *p)
{
	const writer *w = ud;
	if (p->n == 0 && p->first) {
		p->stored = true;
		return MW_OK;
	}
	p->out = mw_alloc(cx, mw_piece_bound(p->n));
	if (!p->out || mw_piece_deflate(cx, p->out, &p->out_n, p->in, p->n, w->level, p->last))
		return cx->err.code;
	/* A member of one piece is stored when that is no longer; pieces of longer ones hold stored
	 * blocks where that helps. */
	p->stored = p->first && p->last && p->out_n >= p->n;
	return MW_OK;
}

static void put_common(mw_wr *h, const writer *w, const mw__piece *p, size_t name_n)
{
	mw_wr_u16(h, VERSION_NEEDED);
	mw_wr_u16(h, ZIP_UTF8);
	mw_wr_u16(h, p->stored ? ZIP_STORE : ZIP_DEFLATE);
	mw_wr_u16(h, DOS_TIME);
	mw_wr_u16(h, DOS_DATE);
	mw_wr_u32(h, w->crc);
	mw_wr_u32(h, (uint32_t)w->packed);
	mw_wr_u32(h, (uint32_t)p->item_n);
	mw_wr_u16(h, (uint16_t)name_n);
	mw_wr_u16(h, 0); /* extra */
}

static mw_code put_local(mw_ctx *cx, writer *w, const mw__piece *p, bool again)
{
	const char *name = w->items[p->item].name;
	size_t name_n = strlen(name);
	mw_wr h;
	mw_wr_init(&h, cx);
	mw_wr_u32(&h, ZIP_LOCAL);
	put_common(&h, w, p, name_n);
	mw_wr_bytes(&h, name, name_n);
	mw_code code = mw_wr_code(&h);
	if (code == MW_OK)
		code = again ? mw_fs_patch(cx, w->file, w->start, h.p, h.n)
			     : mw_fs_append(cx, w->file, h.p, h.n);
	mw_wr_free(&h);
	return code;
}

static void put_central(writer *w, const mw__piece *p)
{
	const char *name = w->items[p->item].name;
	size_t name_n = strlen(name);
	mw_wr *c = &w->central;
	mw_wr_u32(c, ZIP_CENTRAL);
	mw_wr_u16(c, MADE_BY_UNIX);
	put_common(c, w, p, name_n);
	mw_wr_u16(c, 0); /* comment */
	mw_wr_u16(c, 0); /* disk */
	mw_wr_u16(c, 0); /* internal attributes */
	mw_wr_u32(c, EXTERNAL);
	mw_wr_u32(c, (uint32_t)w->start);
	mw_wr_bytes(c, name, name_n);
}

static mw_code too_long(mw_ctx *cx, const char *name)
{
	mw_fail(cx, MW_ELIMIT, "past 4 GiB, which a zip holds for the engine; use .sd7");
	return mw_note(cx, "%s", name);
}

static mw_code emit(mw_ctx *cx, void *ud, const mw__piece *p)
{
	writer *w = ud;
	const char *name = w->items[p->item].name;
	const uint8_t *bytes = p->stored ? p->in : p->out;
	size_t n = p->stored ? p->n : p->out_n;
	if (p->first) {
		w->start = mw_fs_tell(w->file);
		w->crc = 0;
		w->packed = p->last ? n : 0;
		if (p->last)
			w->crc = mw_crc32(0, p->in, p->n);
		if (p->item_n > MAX_BYTES || w->start > MAX_BYTES)
			return too_long(cx, name);
		if (put_local(cx, w, p, false) != MW_OK)
			return cx->err.code;
	}
	if (!(p->first && p->last)) {
		w->crc = mw_crc32(w->crc, p->in, p->n);
		w->packed += n;
	}
	if (mw_fs_append(cx, w->file, bytes, n) != MW_OK)
		return cx->err.code;
	if (!p->last)
		return MW_OK;
	if (w->packed > MAX_BYTES)
		return too_long(cx, name);
	if (!p->first && put_local(cx, w, p, true) != MW_OK)
		return cx->err.code;
	put_central(w, p);
	return mw_wr_code(&w->central);
}

static mw_code put_end(mw_ctx *cx, writer *w, size_t n)
{
	uint64_t at = mw_fs_tell(w->file);
	size_t central_n = w->central.n;
	if (at > MAX_BYTES || central_n > MAX_BYTES)
		return too_long(cx, "directory");
	mw_wr *c = &w->central;
	mw_wr_u32(c, ZIP_END);
	mw_wr_u16(c, 0); /* this disk */
	mw_wr_u16(c, 0); /* the directory's disk */
	mw_wr_u16(c, (uint16_t)n);
	mw_wr_u16(c, (uint16_t)n);
	mw_wr_u32(c, (uint32_t)central_n);
	mw_wr_u32(c, (uint32_t)at);
	mw_wr_u16(c, 0); /* comment */
	if (mw_wr_code(c) != MW_OK)
		return cx->err.code;
	return mw_fs_append(cx, w->file, c->p, c->n);
}

mw_code mw__zip_write(mw_ctx *cx, const char *path, mw_archive_level level,
	const mw_archive_item *items, size_t n, uint64_t *bytes)
{
	static const int levels[] = {
		[MW_ARCHIVE_FAST] = 1, [MW_ARCHIVE_NORMAL] = 6, [MW_ARCHIVE_RELEASE] = 12};
	writer w = {.items = items, .level = levels[level]};
	mw__packer packer = {.piece_bytes = PIECE_BYTES, .pack = pack, .emit = emit, .ud = &w};
	if (n >= UINT16_MAX)
		return mw_fail(cx, MW_ELIMIT, "%zu files, a zip holds %d for the engine; use .sd7",
			n, UINT16_MAX - 1);
	if (mw_fs_create(cx, &w.file, path) != MW_OK)
		return cx->err.code;
	mw_wr_init(&w.central, cx);
	mw_code code = mw__pack(cx, &packer, items, n);
	*bytes = packer.bytes;
	if (code == MW_OK)
		code = put_end(cx, &w, n);
	mw_wr_free(&w.central);
	if (code == MW_OK)
		return mw_fs_commit(cx, w.file);
	mw_fs_discard(cx, w.file);
	return code;
}

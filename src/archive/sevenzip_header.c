#include "archive/sevenzip_header.h"

#include "archive/sevenzip.h"
#include "archive/sevenzip_parser.h"
#include "base/utf8.h"

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct {
	size_t n;
	const uint8_t *no_stream, *empty_file, *anti; /* NULL: none */
	mw_rd names;
	bool named;
} files;

/* The next UTF-16 name as UTF-8. */
static mw_code add_name(mw__7z_parser *p, mw_archive *a, mw_rd *names, mw_archive_entry **e)
{
	mw_ctx *cx = p->cx;
	size_t n = 0, room = mw_rd_left(names);
	const uint8_t *u = names->p + names->at;
	while (n + 2 <= room && (u[n] || u[n + 1]))
		n += 2;
	if (n + 2 > room)
		return mw_rd_fail(names, MW_EFORMAT, "a name without an end");
	char *text = mw_alloc(cx, n / 2 * 3 + 1);
	size_t len = 0;
	if (!text)
		return MW_ENOMEM;
	for (size_t i = 0; i < n; i += 2) {
		uint32_t c = (uint32_t)u[i] | (uint32_t)u[i + 1] << 8;
		uint32_t d = i + 2 < n ? (uint32_t)u[i + 2] | (uint32_t)u[i + 3] << 8 : 0;
		if ((c & 0xfc00) == 0xd800 && (d & 0xfc00) == 0xdc00) {
			c = 0x10000 + ((c & 0x3ff) << 10) + (d & 0x3ff);
			i += 2;
		} else if ((c & 0xf800) == 0xd800) {
			c = 0xfffd;
		}
		len += mw_utf8_put(c, text + len);
	}
	mw_rd_skip(names, n + 2, "name");
	*e = NULL;
	mw_code code = MW_OK;
	if (a) {
		*e = mw__entry_add(cx, a, text, len);
		code = *e ? MW_OK : cx->err.code;
	}
	mw_free(cx, text);
	return code;
}

static mw_code add_files(mw__7z_parser *p, mw_archive *a, files *f)
{
	size_t empty = 0, stream = 0, block = 0, in_block = 0;
	uint64_t at = 0;
	for (size_t i = 0; i < f->n; i++) {
		mw_archive_entry *e;
		bool has_stream = !f->no_stream || !mw__7z_bit(f->no_stream, i);
		bool file = has_stream || (f->empty_file && mw__7z_bit(f->empty_file, empty));
		if (!has_stream && f->anti && mw__7z_bit(f->anti, empty))
			file = false;
		empty += !has_stream;
		if (add_name(p, file ? a : NULL, &f->names, &e) != MW_OK)
			return p->cx->err.code;
		if (!has_stream)
			continue;
		if (stream == p->streams.n)
			return mw_fail(
				p->cx, MW_EFORMAT, "more files than the blocks hold (%zu)", stream);
		while (in_block == p->h->blocks.v[block].n_streams) {
			block++;
			in_block = 0;
			at = 0;
		}
		const mw__7z_block *b = &p->h->blocks.v[block];
		const mw__7z_file *s = &p->streams.v[stream++];
		e->size = s->size;
		e->crc = s->crc;
		e->has_crc = s->has_crc;
		e->at = at;
		e->block = (uint32_t)block;
		e->packed = b->n_streams == 1 ? b->packed : 0;
		e->problem = b->problem;
		a->solid = a->solid || b->n_streams > 1;
		at += s->size;
		in_block++;
	}
	if (stream != p->streams.n)
		return mw_fail(p->cx, MW_EFORMAT, "the blocks hold %zu files, %zu have names",
			p->streams.n, stream);
	return MW_OK;
}

static mw_code read_files(mw__7z_parser *p, mw_archive *a)
{
	mw_rd *r = &p->r;
	files f = {.n = mw__7z_count(r, 2, "files")};
	size_t no_stream_n = 0, empty_file_n = 0, anti_n = 0, empty = 0;
	while (!r->failed) {
		unsigned id = mw_rd_u8(r, "file property");
		if (id == Z7_END)
			break;
		size_t n = mw__7z_count(r, 1, "file property");
		size_t at = r->at;
		const uint8_t *bytes = mw_rd_bytes(r, n, "file property");
		if (r->failed)
			break;
		if (id == Z7_EMPTY_STREAM) {
			f.no_stream = bytes;
			no_stream_n = n;
		} else if (id == Z7_EMPTY_FILE) {
			f.empty_file = bytes;
			empty_file_n = n;
		} else if (id == Z7_ANTI) {
			f.anti = bytes;
			anti_n = n;
		} else if (id == Z7_NAMES) {
			if (n == 0 || bytes[0])
				return mw_rd_fail(r, MW_EUNSUPPORTED, "names in another stream");
			f.names = mw_rd_sub(r, at + 1, n - 1, "names");
			f.named = true;
		}
	}
	if (mw_rd_code(r) != MW_OK)
		return mw_rd_code(r);
	if (f.n && !f.named)
		return mw_fail(p->cx, MW_EFORMAT, "files without names");
	if (f.no_stream && no_stream_n >= (f.n + 7) / 8)
		for (size_t i = 0; i < f.n; i++)
			empty += mw__7z_bit(f.no_stream, i);
	if ((f.no_stream && no_stream_n < (f.n + 7) / 8) ||
		(f.empty_file && empty_file_n < (empty + 7) / 8) ||
		(f.anti && anti_n < (empty + 7) / 8))
		return mw_fail(p->cx, MW_EFORMAT, "a list of empty files is short");
	return add_files(p, a, &f);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void parser_free(mw__7z_parser *p)
{
	mw_free(p->cx, p->packs.v);
	mw_free(p->cx, p->streams.v);
}

static void skip_properties(mw__7z_parser *p)
{
	while (!p->r.failed && mw_rd_u8(&p->r, "archive property") != Z7_END)
		mw_rd_skip(&p->r, mw__7z_count(&p->r, 1, "archive property"), "archive property");
}

static mw_code parser_code(const mw__7z_parser *p)
{
	return p->cx->err.code != MW_OK ? p->cx->err.code : mw_rd_code(&p->r);
}

mw_code mw__7z_header_read(
	mw_ctx *cx, mw__7z_header *h, const uint8_t *bytes, size_t n, mw_archive *a)
{
	mw__7z_parser p = {.cx = cx, .h = h, .file_n = a->in.n};
	mw_arena_init(&h->arena, cx);
	mw_rd_init(&p.r, cx, bytes, n);
	mw__7z_expect(&p, Z7_HEADER, "header");
	unsigned id = mw__7z_id(&p, "header");
	if (id == Z7_ARCHIVE_PROPERTIES && !p.r.failed) {
		skip_properties(&p);
		id = mw__7z_id(&p, "header");
	}
	if (id == Z7_ADDITIONAL_STREAMS && !p.r.failed)
		mw_rd_fail(&p.r, MW_EUNSUPPORTED, "a header with additional streams");
	if (id == Z7_MAIN_STREAMS && !p.r.failed) {
		mw__7z_read_streams(&p);
		id = mw__7z_id(&p, "header");
	}
	mw_code code = parser_code(&p);
	if (code == MW_OK && id == Z7_FILES) {
		code = read_files(&p, a);
		id = code == MW_OK ? mw__7z_id(&p, "header") : Z7_END;
	}
	if (code == MW_OK && id != Z7_END)
		code = mw_rd_fail(&p.r, MW_EFORMAT, "header: property 0x%02x", id);
	if (code == MW_OK)
		code = parser_code(&p);
	parser_free(&p);
	return code;
}

mw_code mw__7z_header_read_packed(
	mw_ctx *cx, mw__7z_header *h, const uint8_t *bytes, size_t n, uint64_t file_n)
{
	mw__7z_parser p = {.cx = cx, .h = h, .file_n = file_n};
	mw_arena_init(&h->arena, cx);
	mw_rd_init(&p.r, cx, bytes, n);
	mw__7z_expect(&p, Z7_ENCODED_HEADER, "packed header");
	if (!p.r.failed)
		mw__7z_read_streams(&p);
	mw_code code = parser_code(&p);
	if (code == MW_OK && h->blocks.n != 1)
		code = mw_fail(cx, MW_EFORMAT, "packed header of %zu blocks", h->blocks.n);
	parser_free(&p);
	return code;
}

void mw__7z_header_free(mw_ctx *cx, mw__7z_header *h)
{
	mw_free(cx, h->blocks.v);
	if (h->arena.cx)
		mw_arena_free(&h->arena);
	*h = (mw__7z_header){0};
}

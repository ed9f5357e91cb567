#include "archive/sevenzip_header.h"

#include "archive/sevenzip.h"
#include "base/rd.h"
#include "base/str.h"
#include "base/utf8.h"

#include <lzma.h>
#include <string.h>

/* What the engine's decoder knows (Spring 106 rts/lib/7z/7zDec.c:19-27), without BCJ2, which only
 * programs are packed with. */
static const struct {
	uint32_t method;
	uint64_t filter;
} usable[] = {
	{Z7_COPY, 0},
	{Z7_LZMA, LZMA_FILTER_LZMA1},
	{Z7_LZMA2, LZMA_FILTER_LZMA2},
	{0x03030103, LZMA_FILTER_X86},
	{0x03030205, LZMA_FILTER_POWERPC},
	{0x03030501, LZMA_FILTER_ARM},
};

static const struct {
	uint32_t method;
	const char *name;
} known[] = {
	{0x03, "Delta"},
	{0x0303011b, "BCJ2"},
	{0x030401, "PPMd"},
	{0x040108, "Deflate"},
	{0x040109, "Deflate64"},
	{0x040202, "BZip2"},
	{0x04f71101, "Zstandard"},
	{0x06f10701, "AES"},
};

/* The files of all blocks, in order. */
typedef struct {
	uint64_t size;
	uint32_t crc;
	bool has_crc;
} substream;

typedef struct {
	mw_ctx *cx;
	mw_rd r;
	mw__7z_header *h;
	uint64_t file_n;
	uint64_t pack_at;
	MW_ARRAY(uint64_t) packs;
	MW_ARRAY(substream) streams;
} parser;

/* ---- numbers ------------------------------------------------------------------------------------
 */

static uint64_t number(mw_rd *r, const char *name)
{
	unsigned first = mw_rd_u8(r, name);
	uint64_t v = 0;
	for (unsigned i = 0; i < 8; i++) {
		unsigned mask = 0x80U >> i;
		if (!(first & mask))
			return v | (uint64_t)(first & (mask - 1)) << (8 * i);
		v |= (uint64_t)mw_rd_u8(r, name) << (8 * i);
	}
	return v;
}

/* A count of things of at least min_bytes each in what is left. */
static size_t count(mw_rd *r, size_t min_bytes, const char *name)
{
	uint64_t n = number(r, name);
	if (n > mw_rd_left(r) / min_bytes) {
		mw_rd_fail(r, MW_EFORMAT, "%s: %llu, and %zu bytes left", name,
			(unsigned long long)n, mw_rd_left(r));
		return 0;
	}
	return (size_t)n;
}

static bool bit(const uint8_t *bits, size_t i)
{
	return bits[i / 8] >> (7 - i % 8) & 1;
}

static bool expect(parser *p, unsigned id, const char *name)
{
	unsigned got = mw_rd_u8(&p->r, name);
	if (!p->r.failed && got != id)
		mw_rd_fail(
			&p->r, MW_EFORMAT, "%s: property 0x%02x, expected 0x%02x", name, got, id);
	return !p->r.failed;
}

/* Pass over properties up to one of two ids; the id found. */
static unsigned next_id(parser *p, const char *name)
{
	return mw_rd_u8(&p->r, name);
}

/* Which of n have a checksum: NULL for all. */
static const uint8_t *defined_bits(parser *p, size_t n)
{
	if (mw_rd_u8(&p->r, "checksums") || p->r.failed)
		return NULL;
	return mw_rd_bytes(&p->r, (n + 7) / 8, "checksums");
}

/* ---- blocks
 * -------------------------------------------------------------------------------------- */

static void read_packs(parser *p)
{
	mw_rd *r = &p->r;
	p->pack_at = number(r, "pack position");
	size_t n = count(r, 1, "packed streams");
	unsigned id = next_id(p, "pack info");
	if (id == Z7_SIZE) {
		for (size_t i = 0; i < n && !r->failed; i++)
			if (!MW_PUSH(p->cx, &p->packs, number(r, "packed size")))
				r->failed = true;
		id = next_id(p, "pack info");
	}
	if (id == Z7_CRC) {
		const uint8_t *bits = defined_bits(p, n);
		for (size_t i = 0; i < n && !r->failed; i++)
			if (!bits || bit(bits, i))
				mw_rd_skip(r, 4, "packed checksum");
		id = next_id(p, "pack info");
	}
	if (!r->failed && (id != Z7_END || p->packs.n != n))
		mw_rd_fail(r, MW_EFORMAT, "pack info: property 0x%02x", id);
}

static const char *method_problem(parser *p, uint32_t method)
{
	char text[128];
	const char *name = "unknown";
	for (size_t i = 0; i < MW_COUNTOF(known); i++)
		if (known[i].method == method)
			name = known[i].name;
	mw_format(text, sizeof text,
		"packed with %s (method %x); only LZMA, LZMA2 and Copy are usable", name, method);
	return mw_arena_strdup(&p->h->arena, text, strlen(text));
}

/* Put the coders in order by following which one's output is whose input. Anything but a chain is
 * a problem of the block, not of the archive. */
static void order_coders(mw__7z_block *b, mw__7z_coder *all, unsigned n, const uint64_t (*bind)[2],
	uint64_t packed_in)
{
	unsigned at = n, used = 0;
	for (unsigned i = 0; i < n; i++) {
		bool bound = false;
		for (unsigned k = 0; k + 1 < n; k++)
			bound = bound || bind[k][1] == i;
		if (!bound)
			at = i;
	}
	while (at < n && used < n) {
		b->coders[used++] = all[at];
		unsigned next = n;
		for (unsigned k = 0; k + 1 < n; k++)
			if (bind[k][0] == at)
				next = (unsigned)(bind[k][1] < n ? bind[k][1] : n);
		if (next == n && packed_in != at)
			break;
		at = next;
	}
	b->n_coders = (uint8_t)used;
	if (used != n && !b->problem)
		b->problem = "packed by coders that form no chain";
}

static void read_coder(parser *p, mw__7z_block *b, mw__7z_coder *c, size_t *ins, size_t *outs)
{
	mw_rd *r = &p->r;
	unsigned flags = mw_rd_u8(r, "coder");
	const uint8_t *id = mw_rd_bytes(r, flags & 15, "coder id");
	uint64_t n_in = 1, n_out = 1;
	for (unsigned i = 0; id && i < (flags & 15); i++)
		c->method = c->method << 8 | id[i];
	if (flags & 0x10) {
		n_in = number(r, "coder inputs");
		n_out = number(r, "coder outputs");
	}
	if (n_in > 32 || n_out > 32 || flags & 0x80 || (flags & 15) > 4)
		mw_rd_fail(r, MW_EFORMAT, "coder flags 0x%02x with %llu inputs and %llu outputs",
			flags, (unsigned long long)n_in, (unsigned long long)n_out);
	if (flags & 0x20) {
		size_t n = count(r, 1, "coder properties");
		const uint8_t *props = mw_rd_bytes(r, n, "coder properties");
		c->n_props = (uint8_t)(n <= sizeof c->props ? n : 0);
		if (props)
			memcpy(c->props, props, c->n_props);
	}
	if (r->failed)
		return;
	*ins += (size_t)n_in;
	*outs += (size_t)n_out;
	for (size_t i = 0; i < MW_COUNTOF(usable); i++)
		if (usable[i].method == c->method && n_in == 1 && n_out == 1) {
			c->filter = usable[i].filter;
			return;
		}
	if (!b->problem)
		b->problem = method_problem(p, c->method);
	if (!b->problem)
		r->failed = true;
}

/* One block; *outs: how many unpack sizes it has, *main_out: which of them is the whole's. */
static void read_block(parser *p, mw__7z_block *b, size_t *outs, size_t *main_out, size_t *packs)
{
	mw_rd *r = &p->r;
	mw__7z_coder all[Z7_MAX_CODERS] = {0};
	uint64_t bind[64][2] = {{0}}, packed_in = 0;
	size_t ins = 0;
	size_t n = count(r, 2, "coders");
	*outs = 0;
	if (!r->failed && (n == 0 || n > 32))
		mw_rd_fail(r, MW_EFORMAT, "block with %zu coders", n);
	if (r->failed)
		return;
	for (size_t i = 0; i < n && !r->failed; i++) {
		mw__7z_coder extra = {0};
		read_coder(p, b, i < Z7_MAX_CODERS ? &all[i] : &extra, &ins, outs);
	}
	if (n > Z7_MAX_CODERS && !b->problem)
		b->problem = "packed by more coders than are usable";
	if (!r->failed && (*outs == 0 || *outs > 65 || ins + 1 < *outs))
		mw_rd_fail(r, MW_EFORMAT, "block with %zu inputs and %zu outputs", ins, *outs);
	if (r->failed)
		return;
	for (size_t i = 0; i + 1 < *outs; i++) {
		bind[i][0] = number(r, "bound input");
		bind[i][1] = number(r, "bound output");
	}
	*packs = ins - (*outs - 1);
	for (size_t i = 0; *packs > 1 && i < *packs; i++)
		number(r, "packed input");
	if (*packs == 1) {
		/* The one input that nothing is bound to. */
		for (packed_in = 0; packed_in < ins; packed_in++) {
			bool bound = false;
			for (size_t k = 0; k + 1 < *outs; k++)
				bound = bound || bind[k][0] == packed_in;
			if (!bound)
				break;
		}
	}
	*main_out = 0;
	for (size_t i = 0; i < *outs; i++) {
		bool bound = false;
		for (size_t k = 0; k + 1 < *outs; k++)
			bound = bound || bind[k][1] == i;
		if (!bound)
			*main_out = i;
	}
	if (b->problem || r->failed)
		return;
	b->coders = mw_arena_zalloc(&p->h->arena, n * sizeof *b->coders);
	if (b->coders)
		order_coders(b, all, (unsigned)n, (const uint64_t(*)[2])bind, packed_in);
	else
		r->failed = true;
}

static void read_blocks(parser *p)
{
	mw_rd *r = &p->r;
	if (!expect(p, Z7_FOLDER, "blocks"))
		return;
	size_t n = count(r, 3, "blocks");
	if (mw_rd_u8(r, "external")) {
		mw_rd_fail(r, MW_EUNSUPPORTED, "blocks described in another stream");
		return;
	}
	MW_ARRAY(uint8_t) outs = {0}, mains = {0};
	size_t pack = 0;
	uint64_t at = Z7_START_BYTES + p->pack_at;
	for (size_t i = 0; i < n && !r->failed; i++) {
		mw__7z_block b = {.n_streams = 1};
		size_t n_outs = 0, main_out = 0, n_packs = 0;
		read_block(p, &b, &n_outs, &main_out, &n_packs);
		if (r->failed)
			break;
		if (n_packs > p->packs.n - pack) {
			mw_rd_fail(r, MW_EFORMAT, "block %zu has no packed stream", i);
			break;
		}
		b.packed_at = at;
		for (size_t k = 0; k < n_packs; k++) {
			uint64_t size = p->packs.v[pack++];
			if (at > p->file_n || size > p->file_n - at) {
				mw_rd_fail(r, MW_EFORMAT, "packed stream %zu ends behind the file",
					pack - 1);
				break;
			}
			b.packed += size;
			at += size;
		}
		if (!MW_PUSH(p->cx, &p->h->blocks, b) || !MW_PUSH(p->cx, &outs, (uint8_t)n_outs) ||
			!MW_PUSH(p->cx, &mains, (uint8_t)main_out))
			r->failed = true;
	}
	if (!r->failed && expect(p, Z7_UNPACK_SIZE, "unpack sizes"))
		for (size_t i = 0; i < n && !r->failed; i++)
			for (unsigned k = 0; k < outs.v[i]; k++) {
				uint64_t size = number(r, "unpack size");
				if (k == mains.v[i])
					p->h->blocks.v[i].size = size;
			}
	mw_free(p->cx, outs.v);
	mw_free(p->cx, mains.v);
	unsigned id = r->failed ? Z7_END : next_id(p, "unpack info");
	if (id == Z7_CRC) {
		const uint8_t *bits = defined_bits(p, n);
		for (size_t i = 0; i < n && !r->failed; i++) {
			mw__7z_block *b = &p->h->blocks.v[i];
			b->has_crc = !bits || bit(bits, i);
			if (b->has_crc)
				b->crc = mw_rd_u32(r, "block checksum");
		}
		id = next_id(p, "unpack info");
	}
	if (!r->failed && id != Z7_END)
		mw_rd_fail(r, MW_EFORMAT, "unpack info: property 0x%02x", id);
}

/* ---- files in blocks
 * ------------------------------------------------------------------------------ */

static void read_stream_sizes(parser *p, bool given)
{
	mw_rd *r = &p->r;
	for (size_t i = 0; i < p->h->blocks.n && !r->failed; i++) {
		const mw__7z_block *b = &p->h->blocks.v[i];
		uint64_t left = b->size;
		for (uint32_t k = 0; k < b->n_streams && !r->failed; k++) {
			bool last = k + 1 == b->n_streams;
			substream s = {.size = last ? left : given ? number(r, "file size") : 0};
			if (s.size > left || (!last && !given)) {
				mw_rd_fail(
					r, MW_EFORMAT, "files of block %zu are longer than it", i);
				return;
			}
			left -= s.size;
			if (b->n_streams == 1) {
				s.crc = b->crc;
				s.has_crc = b->has_crc;
			}
			if (!MW_PUSH(p->cx, &p->streams, s))
				r->failed = true;
		}
	}
}

static void read_stream_crcs(parser *p)
{
	mw_rd *r = &p->r;
	size_t unknown = 0, at = 0;
	for (size_t i = 0; i < p->streams.n; i++)
		unknown += !p->streams.v[i].has_crc;
	const uint8_t *bits = defined_bits(p, unknown);
	for (size_t i = 0; i < p->streams.n && !r->failed; i++) {
		substream *s = &p->streams.v[i];
		if (s->has_crc)
			continue;
		s->has_crc = !bits || bit(bits, at);
		at++;
		if (s->has_crc)
			s->crc = mw_rd_u32(r, "file checksum");
	}
}

static void read_substreams(parser *p)
{
	mw_rd *r = &p->r;
	unsigned id = next_id(p, "substreams");
	if (id == Z7_NUM_UNPACK_STREAM) {
		uint64_t total = 0;
		for (size_t i = 0; i < p->h->blocks.n && !r->failed; i++) {
			uint64_t n = number(r, "files of a block");
			/* All but the last have a size of a byte or more to come. */
			if (n > mw_rd_left(r) + 1 || total + n > p->cx->limits.elements) {
				mw_rd_fail(r, MW_EFORMAT, "block %zu with %llu files", i,
					(unsigned long long)n);
				return;
			}
			total += n;
			p->h->blocks.v[i].n_streams = (uint32_t)n;
		}
		id = next_id(p, "substreams");
	}
	read_stream_sizes(p, id == Z7_SIZE);
	if (id == Z7_SIZE)
		id = next_id(p, "substreams");
	if (id == Z7_CRC && !r->failed) {
		read_stream_crcs(p);
		id = next_id(p, "substreams");
	}
	if (!r->failed && id != Z7_END)
		mw_rd_fail(r, MW_EFORMAT, "substreams: property 0x%02x", id);
}

static void read_streams(parser *p)
{
	mw_rd *r = &p->r;
	unsigned id = next_id(p, "streams");
	bool listed = false;
	if (id == Z7_PACK_INFO) {
		read_packs(p);
		id = next_id(p, "streams");
	}
	if (id == Z7_UNPACK_INFO && !r->failed) {
		read_blocks(p);
		id = next_id(p, "streams");
	}
	if (id == Z7_SUBSTREAMS && !r->failed) {
		read_substreams(p);
		listed = true;
		id = next_id(p, "streams");
	}
	if (!listed && !r->failed)
		read_stream_sizes(p, false);
	if (!r->failed && id != Z7_END)
		mw_rd_fail(r, MW_EFORMAT, "streams: property 0x%02x", id);
}

/* ---- files
 * ---------------------------------------------------------------------------------------- */

typedef struct {
	size_t n;
	const uint8_t *no_stream, *empty_file, *anti; /* NULL: none */
	mw_rd names;
	bool named;
} files;

/* The next UTF-16 name as UTF-8. */
static mw_code add_name(parser *p, mw_archive *a, mw_rd *names, mw_archive_entry **e)
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

static mw_code add_files(parser *p, mw_archive *a, files *f)
{
	size_t empty = 0, stream = 0, block = 0, in_block = 0;
	uint64_t at = 0;
	for (size_t i = 0; i < f->n; i++) {
		mw_archive_entry *e;
		bool has_stream = !f->no_stream || !bit(f->no_stream, i);
		bool file = has_stream || (f->empty_file && bit(f->empty_file, empty));
		if (!has_stream && f->anti && bit(f->anti, empty))
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
		const substream *s = &p->streams.v[stream++];
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

static mw_code read_files(parser *p, mw_archive *a)
{
	mw_rd *r = &p->r;
	files f = {.n = count(r, 2, "files")};
	size_t no_stream_n = 0, empty_file_n = 0, anti_n = 0, empty = 0;
	while (!r->failed) {
		unsigned id = mw_rd_u8(r, "file property");
		if (id == Z7_END)
			break;
		size_t n = count(r, 1, "file property");
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
			empty += bit(f.no_stream, i);
	if ((f.no_stream && no_stream_n < (f.n + 7) / 8) ||
		(f.empty_file && empty_file_n < (empty + 7) / 8) ||
		(f.anti && anti_n < (empty + 7) / 8))
		return mw_fail(p->cx, MW_EFORMAT, "a list of empty files is short");
	return add_files(p, a, &f);
}

/* ---- the whole
 * -------------------------------------------------------------------------------------- */

static void parser_free(parser *p)
{
	mw_free(p->cx, p->packs.v);
	mw_free(p->cx, p->streams.v);
}

static void skip_properties(parser *p)
{
	while (!p->r.failed && mw_rd_u8(&p->r, "archive property") != Z7_END)
		mw_rd_skip(&p->r, count(&p->r, 1, "archive property"), "archive property");
}

static mw_code parser_code(const parser *p)
{
	return p->cx->err.code != MW_OK ? p->cx->err.code : mw_rd_code(&p->r);
}

mw_code mw__7z_header_read(
	mw_ctx *cx, mw__7z_header *h, const uint8_t *bytes, size_t n, mw_archive *a)
{
	parser p = {.cx = cx, .h = h, .file_n = a->in.n};
	mw_arena_init(&h->arena, cx);
	mw_rd_init(&p.r, cx, bytes, n);
	expect(&p, Z7_HEADER, "header");
	unsigned id = next_id(&p, "header");
	if (id == Z7_ARCHIVE_PROPERTIES && !p.r.failed) {
		skip_properties(&p);
		id = next_id(&p, "header");
	}
	if (id == Z7_ADDITIONAL_STREAMS && !p.r.failed)
		mw_rd_fail(&p.r, MW_EUNSUPPORTED, "a header with additional streams");
	if (id == Z7_MAIN_STREAMS && !p.r.failed) {
		read_streams(&p);
		id = next_id(&p, "header");
	}
	mw_code code = parser_code(&p);
	if (code == MW_OK && id == Z7_FILES) {
		code = read_files(&p, a);
		id = code == MW_OK ? next_id(&p, "header") : Z7_END;
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
	parser p = {.cx = cx, .h = h, .file_n = file_n};
	mw_arena_init(&h->arena, cx);
	mw_rd_init(&p.r, cx, bytes, n);
	expect(&p, Z7_ENCODED_HEADER, "packed header");
	if (!p.r.failed)
		read_streams(&p);
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

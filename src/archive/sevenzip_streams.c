#include "archive/sevenzip_parser.h"

#include "archive/sevenzip.h"
#include "base/str.h"

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

/* Which of n have a checksum: NULL for all. */
static const uint8_t *defined_bits(mw__7z_parser *p, size_t n)
{
	if (mw_rd_u8(&p->r, "checksums") || p->r.failed)
		return NULL;
	return mw_rd_bytes(&p->r, (n + 7) / 8, "checksums");
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void read_packs(mw__7z_parser *p)
{
	mw_rd *r = &p->r;
	p->pack_at = mw__7z_number(r, "pack position");
	size_t n = mw__7z_count(r, 1, "packed streams");
	unsigned id = mw__7z_id(p, "pack info");
	if (id == Z7_SIZE) {
		for (size_t i = 0; i < n && !r->failed; i++)
			if (!MW_PUSH(p->cx, &p->packs, mw__7z_number(r, "packed size")))
				r->failed = true;
		id = mw__7z_id(p, "pack info");
	}
	if (id == Z7_CRC) {
		const uint8_t *bits = defined_bits(p, n);
		for (size_t i = 0; i < n && !r->failed; i++)
			if (!bits || mw__7z_bit(bits, i))
				mw_rd_skip(r, 4, "packed checksum");
		id = mw__7z_id(p, "pack info");
	}
	if (!r->failed && (id != Z7_END || p->packs.n != n))
		mw_rd_fail(r, MW_EFORMAT, "pack info: property 0x%02x", id);
}

static const char *method_problem(mw__7z_parser *p, uint32_t method)
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

static void read_coder(
	mw__7z_parser *p, mw__7z_block *b, mw__7z_coder *c, size_t *ins, size_t *outs)
{
	mw_rd *r = &p->r;
	unsigned flags = mw_rd_u8(r, "coder");
	const uint8_t *id = mw_rd_bytes(r, flags & 15, "coder id");
	uint64_t n_in = 1, n_out = 1;
	for (unsigned i = 0; id && i < (flags & 15); i++)
		c->method = c->method << 8 | id[i];
	if (flags & 0x10) {
		n_in = mw__7z_number(r, "coder inputs");
		n_out = mw__7z_number(r, "coder outputs");
	}
	if (n_in > 32 || n_out > 32 || flags & 0x80 || (flags & 15) > 4)
		mw_rd_fail(r, MW_EFORMAT, "coder flags 0x%02x with %llu inputs and %llu outputs",
			flags, (unsigned long long)n_in, (unsigned long long)n_out);
	if (flags & 0x20) {
		size_t n = mw__7z_count(r, 1, "coder properties");
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
static void read_block(
	mw__7z_parser *p, mw__7z_block *b, size_t *outs, size_t *main_out, size_t *packs)
{
	mw_rd *r = &p->r;
	mw__7z_coder all[Z7_MAX_CODERS] = {0};
	uint64_t bind[64][2] = {{0}}, packed_in = 0;
	size_t ins = 0;
	size_t n = mw__7z_count(r, 2, "coders");
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
		bind[i][0] = mw__7z_number(r, "bound input");
		bind[i][1] = mw__7z_number(r, "bound output");
	}
	*packs = ins - (*outs - 1);
	for (size_t i = 0; *packs > 1 && i < *packs; i++)
		mw__7z_number(r, "packed input");
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

static void read_blocks(mw__7z_parser *p)
{
	mw_rd *r = &p->r;
	if (!mw__7z_expect(p, Z7_FOLDER, "blocks"))
		return;
	size_t n = mw__7z_count(r, 3, "blocks");
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
	if (!r->failed && mw__7z_expect(p, Z7_UNPACK_SIZE, "unpack sizes"))
		for (size_t i = 0; i < n && !r->failed; i++)
			for (unsigned k = 0; k < outs.v[i]; k++) {
				uint64_t size = mw__7z_number(r, "unpack size");
				if (k == mains.v[i])
					p->h->blocks.v[i].size = size;
			}
	mw_free(p->cx, outs.v);
	mw_free(p->cx, mains.v);
	unsigned id = r->failed ? Z7_END : mw__7z_id(p, "unpack info");
	if (id == Z7_CRC) {
		const uint8_t *bits = defined_bits(p, n);
		for (size_t i = 0; i < n && !r->failed; i++) {
			mw__7z_block *b = &p->h->blocks.v[i];
			b->has_crc = !bits || mw__7z_bit(bits, i);
			if (b->has_crc)
				b->crc = mw_rd_u32(r, "block checksum");
		}
		id = mw__7z_id(p, "unpack info");
	}
	if (!r->failed && id != Z7_END)
		mw_rd_fail(r, MW_EFORMAT, "unpack info: property 0x%02x", id);
}

/* ---- files in blocks ------------------------------------------------------------------------- */

static void read_stream_sizes(mw__7z_parser *p, bool given)
{
	mw_rd *r = &p->r;
	for (size_t i = 0; i < p->h->blocks.n && !r->failed; i++) {
		const mw__7z_block *b = &p->h->blocks.v[i];
		uint64_t left = b->size;
		for (uint32_t k = 0; k < b->n_streams && !r->failed; k++) {
			bool last = k + 1 == b->n_streams;
			mw__7z_file s = {.size = last ? left
					: given       ? mw__7z_number(r, "file size")
						      : 0};
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

static void read_stream_crcs(mw__7z_parser *p)
{
	mw_rd *r = &p->r;
	size_t unknown = 0, at = 0;
	for (size_t i = 0; i < p->streams.n; i++)
		unknown += !p->streams.v[i].has_crc;
	const uint8_t *bits = defined_bits(p, unknown);
	for (size_t i = 0; i < p->streams.n && !r->failed; i++) {
		mw__7z_file *s = &p->streams.v[i];
		if (s->has_crc)
			continue;
		s->has_crc = !bits || mw__7z_bit(bits, at);
		at++;
		if (s->has_crc)
			s->crc = mw_rd_u32(r, "file checksum");
	}
}

static void read_substreams(mw__7z_parser *p)
{
	mw_rd *r = &p->r;
	unsigned id = mw__7z_id(p, "substreams");
	if (id == Z7_NUM_UNPACK_STREAM) {
		uint64_t total = 0;
		for (size_t i = 0; i < p->h->blocks.n && !r->failed; i++) {
			uint64_t n = mw__7z_number(r, "files of a block");
			/* All but the last have a size of a byte or more to come. */
			if (n > mw_rd_left(r) + 1 || total + n > p->cx->limits.elements) {
				mw_rd_fail(r, MW_EFORMAT, "block %zu with %llu files", i,
					(unsigned long long)n);
				return;
			}
			total += n;
			p->h->blocks.v[i].n_streams = (uint32_t)n;
		}
		id = mw__7z_id(p, "substreams");
	}
	read_stream_sizes(p, id == Z7_SIZE);
	if (id == Z7_SIZE)
		id = mw__7z_id(p, "substreams");
	if (id == Z7_CRC && !r->failed) {
		read_stream_crcs(p);
		id = mw__7z_id(p, "substreams");
	}
	if (!r->failed && id != Z7_END)
		mw_rd_fail(r, MW_EFORMAT, "substreams: property 0x%02x", id);
}

void mw__7z_read_streams(mw__7z_parser *p)
{
	mw_rd *r = &p->r;
	unsigned id = mw__7z_id(p, "streams");
	bool listed = false;
	if (id == Z7_PACK_INFO) {
		read_packs(p);
		id = mw__7z_id(p, "streams");
	}
	if (id == Z7_UNPACK_INFO && !r->failed) {
		read_blocks(p);
		id = mw__7z_id(p, "streams");
	}
	if (id == Z7_SUBSTREAMS && !r->failed) {
		read_substreams(p);
		listed = true;
		id = mw__7z_id(p, "streams");
	}
	if (!listed && !r->failed)
		read_stream_sizes(p, false);
	if (!r->failed && id != Z7_END)
		mw_rd_fail(r, MW_EFORMAT, "streams: property 0x%02x", id);
}

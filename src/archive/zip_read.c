#include "archive/parts.h"

#include "archive/zip.h"
#include "base/rd.h"

#include <string.h>
#include <zlib.h>

enum { COMMENT_MAX = 0xffff, CHUNK = 64 << 10 };
#define ZIP64_MARK UINT32_MAX

/* ---- the directory ----------------------------------------------------------------------------
 */

static uint32_t u32_at(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static const char *method_name(unsigned method)
{
	switch (method) {
	case 1:
		return " (shrink)";
	case 6:
		return " (implode)";
	case 9:
		return " (deflate64)";
	case 12:
		return " (bzip2)";
	case 14:
		return " (lzma)";
	case 93:
		return " (zstd)";
	case 95:
		return " (xz)";
	case 98:
		return " (ppmd)";
	case 99:
		return " (aes)";
	default:
		return "";
	}
}

typedef struct {
	uint64_t at; /* of the directory, in this file */
	uint64_t n;
	uint64_t junk; /* bytes before the zip, to be added to its offsets */
	unsigned count;
} directory;

static mw_code find_directory(mw_ctx *cx, const mw__input *in, directory *d)
{
	size_t tail_n = ZIP_END_BYTES + COMMENT_MAX, at = 0;
	if (in->n < tail_n)
		tail_n = (size_t)in->n;
	if (tail_n < ZIP_END_BYTES)
		return mw_fail(cx, MW_EFORMAT, "neither zip nor 7z: %zu bytes", tail_n);
	uint8_t *tail = mw_alloc(cx, tail_n);
	if (!tail)
		return MW_ENOMEM;
	mw_code code = mw__input_read(cx, in, in->n - tail_n, tail, tail_n);
	bool found = false;
	for (at = tail_n - ZIP_END_BYTES + 1; code == MW_OK && !found && at-- > 0;)
		found = u32_at(tail + at) == ZIP_END &&
			(size_t)(tail[at + 20] | tail[at + 21] << 8) <= tail_n - at - ZIP_END_BYTES;
	if (code == MW_OK && !found)
		code = mw_fail(cx, MW_EFORMAT,
			"neither zip nor 7z, or cut off: no end of a zip's directory");
	if (code == MW_OK) {
		const uint8_t *e = tail + at;
		uint64_t end = in->n - tail_n + at, said = u32_at(e + 16);
		d->count = (unsigned)(e[10] | e[11] << 8);
		d->n = u32_at(e + 12);
		if (d->count == UINT16_MAX || d->n == ZIP64_MARK || said == ZIP64_MARK)
			code = mw_fail(
				cx, MW_EUNSUPPORTED, "is a zip64, which the engine cannot read");
		else if (e[4] | e[5] | e[6] | e[7])
			code = mw_fail(
				cx, MW_EUNSUPPORTED, "is one part of a zip in several parts");
		else if (d->n > end || said > end - d->n)
			code = mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, (int64_t)end,
				"directory of %llu bytes at %llu, the file has %llu before its end "
				"record",
				(unsigned long long)d->n, (unsigned long long)said,
				(unsigned long long)end);
		else if (d->n / ZIP_CENTRAL_BYTES < d->count)
			code = mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, (int64_t)end,
				"directory of %llu bytes for %u entries", (unsigned long long)d->n,
				d->count);
		d->at = end - d->n;
		d->junk = d->at - said;
	}
	mw_free(cx, tail);
	return code;
}

static mw_code add_entry(mw_ctx *cx, mw_archive *a, mw_rd *r, const directory *d)
{
	if (mw_rd_u32(r, "entry") != ZIP_CENTRAL)
		return mw_rd_fail(
			r, MW_EFORMAT, "entry %zu of the directory has no signature", a->entries.n);
	mw_rd_skip(r, 4, "versions");
	unsigned flags = mw_rd_u16(r, "flags");
	unsigned method = mw_rd_u16(r, "method");
	mw_rd_skip(r, 4, "date");
	uint32_t crc = mw_rd_u32(r, "crc");
	uint32_t packed = mw_rd_u32(r, "packed size");
	uint32_t size = mw_rd_u32(r, "size");
	size_t name_n = mw_rd_u16(r, "name length");
	size_t extra_n = mw_rd_u16(r, "extra length");
	size_t comment_n = mw_rd_u16(r, "comment length");
	mw_rd_skip(r, 8, "attributes");
	uint32_t local = mw_rd_u32(r, "local header");
	const char *name = (const char *)mw_rd_bytes(r, name_n, "name");
	mw_rd_skip(r, extra_n + comment_n, "extra and comment");
	if (mw_rd_code(r) != MW_OK)
		return mw_rd_code(r);
	/* A folder has an entry of its own in some archives. */
	if (name_n && (name[name_n - 1] == '/' || name[name_n - 1] == '\\'))
		return MW_OK;
	mw_archive_entry *e = mw__entry_add(cx, a, name, name_n);
	if (!e)
		return cx->err.code;
	e->size = size;
	e->packed = packed;
	e->crc = crc;
	e->has_crc = true;
	e->method = method;
	e->at = local + d->junk;
	if (size == ZIP64_MARK || packed == ZIP64_MARK || local == ZIP64_MARK)
		e->problem = "is a zip64 entry, which the engine cannot read";
	else if (flags & ZIP_ENCRYPTED)
		e->problem = "is encrypted";
	else if (method != ZIP_STORE && method != ZIP_DEFLATE) {
		e->problem = mw__text(cx, a,
			"compression method %u%s; only 0 (store) and 8 (deflate) are usable",
			method, method_name(method));
		return e->problem ? MW_OK : MW_ENOMEM;
	}
	return MW_OK;
}

/* ---- members ----------------------------------------------------------------------------------
 */

static mw_code data_start(mw_ctx *cx, mw_archive *a, const mw_archive_entry *e, uint64_t *at)
{
	uint8_t h[ZIP_LOCAL_BYTES];
	if (mw__input_read(cx, &a->in, e->at, h, sizeof h) != MW_OK)
		return cx->err.code;
	if (u32_at(h) != ZIP_LOCAL)
		return mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, (int64_t)e->at,
			"no local header where the directory says");
	*at = e->at + ZIP_LOCAL_BYTES + (uint64_t)(h[26] | h[27] << 8) +
		(uint64_t)(h[28] | h[29] << 8);
	if (*at > a->in.n || e->packed > a->in.n - *at)
		return mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, (int64_t)*at,
			"%llu packed bytes, the file ends before", (unsigned long long)e->packed);
	return MW_OK;
}

static void *zlib_alloc(void *ud, unsigned count, unsigned size)
{
	return mw_alloc_n(ud, count, size);
}

static void zlib_free(void *ud, void *p)
{
	mw_free(ud, p);
}

static mw_code inflate_member(mw_ctx *cx, mw_archive *a, uint64_t at, uint64_t left,
	uint8_t *buffer, mw_archive_sink sink, void *ud)
{
	z_stream z = {.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = cx};
	uint8_t *in = buffer, *out = buffer + CHUNK;
	mw_code code = MW_OK;
	int status = Z_OK;
	if (inflateInit2(&z, -15) != Z_OK)
		return mw_fail(cx, MW_ENOMEM, "no memory to inflate");
	while (code == MW_OK && status != Z_STREAM_END) {
		if (z.avail_in == 0 && left) {
			size_t n = left < CHUNK ? (size_t)left : CHUNK;
			code = mw__input_read(cx, &a->in, at, in, n);
			z.next_in = in;
			z.avail_in = (unsigned)n;
			at += n;
			left -= n;
		}
		if (code != MW_OK)
			break;
		z.next_out = out;
		z.avail_out = CHUNK;
		status = inflate(&z, Z_NO_FLUSH);
		if (status == Z_MEM_ERROR)
			code = mw_fail(cx, MW_ENOMEM, "no memory to inflate");
		else if (status != Z_OK && status != Z_STREAM_END)
			code = mw_fail(cx, MW_EFORMAT, "damaged deflate data%s%s",
				status == Z_DATA_ERROR && z.msg ? ": " : "",
				status == Z_DATA_ERROR && z.msg ? z.msg : ", or cut off");
		else
			code = sink(cx, ud, out, CHUNK - z.avail_out);
	}
	inflateEnd(&z);
	return code;
}

static mw_code copy_member(mw_ctx *cx, mw_archive *a, uint64_t at, uint64_t left, uint8_t *buffer,
	mw_archive_sink sink, void *ud)
{
	mw_code code = MW_OK;
	while (code == MW_OK && left) {
		size_t n = left < CHUNK ? (size_t)left : CHUNK;
		code = mw__input_read(cx, &a->in, at, buffer, n);
		if (code == MW_OK)
			code = sink(cx, ud, buffer, n);
		at += n;
		left -= n;
	}
	return code;
}

static mw_code zip_unpack(
	mw_ctx *cx, mw_archive *a, const mw_archive_entry *e, mw_archive_sink sink, void *ud)
{
	uint64_t at = 0;
	if (data_start(cx, a, e, &at) != MW_OK)
		return cx->err.code;
	uint8_t *buffer = mw_alloc(cx, 2 * CHUNK);
	if (!buffer)
		return MW_ENOMEM;
	mw_code code = e->method == ZIP_DEFLATE
		? inflate_member(cx, a, at, e->packed, buffer, sink, ud)
		: copy_member(cx, a, at, e->packed, buffer, sink, ud);
	mw_free(cx, buffer);
	return code;
}

mw_code mw__zip_open(mw_ctx *cx, mw_archive *a)
{
	directory d = {0};
	mw_rd r;
	a->unpack = zip_unpack;
	if (find_directory(cx, &a->in, &d) != MW_OK)
		return cx->err.code;
	uint8_t *bytes = mw_alloc(cx, (size_t)d.n);
	if (!bytes)
		return MW_ENOMEM;
	mw_code code = mw__input_read(cx, &a->in, d.at, bytes, (size_t)d.n);
	mw_rd_init(&r, cx, bytes, (size_t)d.n);
	r.base = (size_t)d.at;
	for (unsigned i = 0; code == MW_OK && i < d.count; i++)
		code = add_entry(cx, a, &r, &d);
	mw_free(cx, bytes);
	return code;
}

/* What the two halves of the 7z header's parser share. */
#ifndef MW_ARCHIVE_SEVENZIP_PARSER_H
#define MW_ARCHIVE_SEVENZIP_PARSER_H

#include "archive/sevenzip_header.h"
#include "base/rd.h"

/* The files of all blocks, in order. */
typedef struct {
	uint64_t size;
	uint32_t crc;
	bool has_crc;
} mw__7z_file;

typedef struct {
	mw_ctx *cx;
	mw_rd r;
	mw__7z_header *h;
	uint64_t file_n;
	uint64_t pack_at;
	MW_ARRAY(uint64_t) packs;
	MW_ARRAY(mw__7z_file) streams;
} mw__7z_parser;

static inline uint64_t mw__7z_number(mw_rd *r, const char *name)
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
static inline size_t mw__7z_count(mw_rd *r, size_t min_bytes, const char *name)
{
	uint64_t n = mw__7z_number(r, name);
	if (n > mw_rd_left(r) / min_bytes) {
		mw_rd_fail(r, MW_EFORMAT, "%s: %llu, and %zu bytes left", name,
			(unsigned long long)n, mw_rd_left(r));
		return 0;
	}
	return (size_t)n;
}

static inline bool mw__7z_bit(const uint8_t *bits, size_t i)
{
	return bits[i / 8] >> (7 - i % 8) & 1;
}

static inline bool mw__7z_expect(mw__7z_parser *p, unsigned id, const char *name)
{
	unsigned got = mw_rd_u8(&p->r, name);
	if (!p->r.failed && got != id)
		mw_rd_fail(
			&p->r, MW_EFORMAT, "%s: property 0x%02x, expected 0x%02x", name, got, id);
	return !p->r.failed;
}

/* The id of the next property. */
static inline unsigned mw__7z_id(mw__7z_parser *p, const char *name)
{
	return mw_rd_u8(&p->r, name);
}

/* What packed streams there are: blocks into p->h, their files into p->streams. */
void mw__7z_read_streams(mw__7z_parser *p);

#endif

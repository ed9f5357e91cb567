/* The header of a 7z: which packed blocks there are and which files lie in them. */
#ifndef MW_ARCHIVE_SEVENZIP_HEADER_H
#define MW_ARCHIVE_SEVENZIP_HEADER_H

#include "archive/parts.h"

enum { Z7_MAX_CODERS = 4 };

typedef struct {
	uint32_t method; /* the id's bytes, first one highest */
	uint64_t filter; /* liblzma's name for it */
	uint8_t n_props;
	uint8_t props[5];
} mw__7z_coder;

/* "Folder" in 7z's words: one packed stream and how to unpack it. */
typedef struct {
	const char *
		problem; /* why it cannot be unpacked, or NULL [owned: archive's text, or static] */
	uint64_t packed_at; /* [unit: byte] in the file */
	uint64_t packed;    /* [unit: byte] */
	uint64_t size;      /* [unit: byte] unpacked */
	uint32_t crc;
	bool has_crc;
	uint8_t n_coders;
	uint32_t n_streams;   /* files in it */
	mw__7z_coder *coders; /* from the unpacked end to the packed end */
} mw__7z_block;

typedef struct {
	MW_ARRAY(mw__7z_block) blocks;
	mw_arena arena; /* coders, problems */
} mw__7z_header;

/* Read a header (type 1): blocks into h, files into a's entries. */
MW_NODISCARD mw_code mw__7z_header_read(
	mw_ctx *cx, mw__7z_header *h, const uint8_t *bytes, size_t n, mw_archive *a);
/* Read a packed header (type 0x17): its one block into h. file_n: bytes of the archive. */
MW_NODISCARD mw_code mw__7z_header_read_packed(
	mw_ctx *cx, mw__7z_header *h, const uint8_t *bytes, size_t n, uint64_t file_n);
void mw__7z_header_free(mw_ctx *cx, mw__7z_header *h);

#endif

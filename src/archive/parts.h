/* Shared by the files of src/archive and by nobody else. */
#ifndef MW_ARCHIVE_PARTS_H
#define MW_ARCHIVE_PARTS_H

#include "archive/archive.h"
#include "base/fs.h"
#include "base/mem.h"

/* ---- random access to the container ---------------------------------------------------------- */

typedef struct {
	int fd;           /* -1: bytes in memory */
	const uint8_t *p; /* [borrowed] */
	uint64_t n;       /* [unit: byte] */
} mw__input;

MW_NODISCARD mw_code mw__input_open(mw_ctx *cx, mw__input *in, const char *path);
void mw__input_close(mw__input *in);
/* Exactly n bytes at offset; MW_EFORMAT when the file ends before, MW_EIO. */
MW_NODISCARD mw_code mw__input_read(
	mw_ctx *cx, const mw__input *in, uint64_t offset, void *out, size_t n);

/* ---- an open archive ------------------------------------------------------------------------- */

struct mw_archive {
	mw_archive_kind kind;
	const char *label; /* for messages [owned: text] */
	bool solid;
	mw__input in;
	mw_arena text; /* names and problems */
	MW_ARRAY(mw_archive_entry) entries;
	uint32_t *by_fold;    /* entries by folded name, then by the file's order */
	void *state;          /* the container's own */
	mw_archive_items dir; /* MW_ARCHIVE_DIR */
	mw_code (*unpack)(mw_ctx *cx, mw_archive *a, const mw_archive_entry *e,
		mw_archive_sink sink, void *ud);
	void (*close)(mw_ctx *cx, mw_archive *a);
};

/* Fill entries (in the file's order), state, unpack and close of a. */
MW_NODISCARD mw_code mw__dir_open(mw_ctx *cx, mw_archive *a, const char *path);
MW_NODISCARD mw_code mw__zip_open(mw_ctx *cx, mw_archive *a);
MW_NODISCARD mw_code mw__7z_open(mw_ctx *cx, mw_archive *a);

/* Add an entry with a stored name of n bytes: UTF-8 (else taken as code page 437), backslashes
 * turned, control characters replaced. NULL with the failure recorded. Names of folders are not for
 * it. */
mw_archive_entry *mw__entry_add(mw_ctx *cx, mw_archive *a, const char *name, size_t n);
/* printf into the archive's text; NULL with MW_ENOMEM. */
const char *mw__text(mw_ctx *cx, mw_archive *a, const char *fmt, ...) MW_PRINTF(3, 4);

/* ASCII letters lowered, as the engine does before it compares names. */
int mw__fold_cmp(const char *a, const char *b);

/* ---- packing --------------------------------------------------------------------------------- */

/* One stretch of one item, packed by one thread. */
typedef struct {
	size_t item;
	uint64_t offset;   /* [unit: byte] in the item */
	size_t n;          /* [unit: byte] */
	uint64_t item_n;   /* [unit: byte] of the whole item */
	bool first, last;  /* of its item */
	int fd;            /* where to read it from; -1: `in` is there */
	size_t past;       /* [unit: byte] of the item, before in[0] */
	const uint8_t *in; /* [borrowed while packing] */
	uint8_t *read;     /* where `in` is when it came from a file [owned: packer] */
	uint8_t *out;      /* what the container made of it [owned: packer] */
	size_t out_n;
	bool stored; /* out is NULL and `in` goes into the container as it is */
} mw__piece;

typedef struct {
	size_t piece_bytes; /* longest piece */
	size_t past_bytes;  /* how much of the item before a piece `pack` may look at */
	/* On any thread: fill out and out_n, or stored. item_n: bytes of the whole item. */
	mw_code (*pack)(mw_ctx *cx, void *ud, mw__piece *piece);
	/* On the calling thread, in order. */
	mw_code (*emit)(mw_ctx *cx, void *ud, const mw__piece *piece);
	void *ud;
	uint64_t bytes; /* out: of all items */
} mw__packer;

/* Cut items into pieces, pack them on cx->pool, hand them to emit in order. Every item has at least
 * one piece, if only of 0 bytes. */
MW_NODISCARD mw_code mw__pack(
	mw_ctx *cx, mw__packer *packer, const mw_archive_item *items, size_t n);

/* The writers; items are checked and sorted. *bytes: what was packed. */
MW_NODISCARD mw_code mw__dir_write(
	mw_ctx *cx, const char *path, const mw_archive_item *items, size_t n, uint64_t *bytes);
MW_NODISCARD mw_code mw__zip_write(mw_ctx *cx, const char *path, mw_archive_level level,
	const mw_archive_item *items, size_t n, uint64_t *bytes);
MW_NODISCARD mw_code mw__7z_write(mw_ctx *cx, const char *path, mw_archive_level level,
	const mw_archive_item *items, size_t n, uint64_t *bytes);

#endif

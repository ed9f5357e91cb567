/* Archives of the engine: named byte strings in a folder (.sdd), a zip (.sdz) or a 7z (.sd7). */
#ifndef MW_ARCHIVE_ARCHIVE_H
#define MW_ARCHIVE_ARCHIVE_H

#include "base/mem.h"

typedef enum {
	MW_ARCHIVE_NONE, /* none of ours */
	MW_ARCHIVE_DIR,  /* .sdd, or any folder */
	MW_ARCHIVE_ZIP,  /* .sdz .zip */
	MW_ARCHIVE_7Z    /* .sd7 .7z */
} mw_archive_kind;

/* By the extension alone, without case. [path: terminated] */
mw_archive_kind mw_archive_kind_of_name(const char *path);
/* "sdd", "sdz", "sd7"; "none". [owned: static] */
const char *mw_archive_kind_name(mw_archive_kind kind);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct {
	const char *name;    /* forward slashes only, UTF-8 [owned: archive] */
	const char *problem; /* why it can never be read, or NULL [owned: archive] */
	const char *unsafe; /* why it may not be extracted: "leaves the folder"; or NULL [static] */
	uint64_t size;      /* [unit: byte] unpacked, as declared: checked while reading */
	uint64_t packed;    /* [unit: byte] 0: not known (a member of a solid block, a folder) */
	uint32_t crc;
	bool has_crc;
	bool backslash; /* stored with backslashes, which the engine does not take for folders */
	bool shadowed;  /* an earlier entry has this name (case apart): lookups never give it */
	/* The container's own: where the data lies. */
	uint32_t ordinal; /* place in the file's own order */
	uint32_t method;
	uint32_t block;
	uint64_t at;
} mw_archive_entry;

typedef struct mw_archive mw_archive;

/* Open a folder or file; the kind of a file comes from its content (a warning when the name says
 * otherwise: the engine goes by the name). Entries can be listed even where some of them are
 * broken, packed by an unknown method or unsafely named. MW_EIO, MW_EFORMAT, MW_ELIMIT,
 * MW_EUNSUPPORTED. [owned: caller, mw_archive_close] */
MW_NODISCARD mw_code mw_archive_open(mw_ctx *cx, mw_archive **out, const char *path);
/* The same over bytes of a zip or 7z, which stay where they are. [bytes: borrowed until closed]
 * label names them in messages. */
MW_NODISCARD mw_code mw_archive_open_bytes(
	mw_ctx *cx, mw_archive **out, const void *bytes, size_t n, const char *label);
void mw_archive_close(mw_ctx *cx, mw_archive *a); /* NULL allowed */

mw_archive_kind mw_archive_kind_of(const mw_archive *a);
/* Whether several entries share one packed block, which BAR's checks refuse (7z only). */
bool mw_archive_is_solid(const mw_archive *a);
/* Files only, sorted bytewise by name; entries of equal names keep the file's order. */
size_t mw_archive_count(const mw_archive *a);
const mw_archive_entry *mw_archive_at(const mw_archive *a, size_t i); /* [i: < count] */
/* As the engine looks names up: ASCII case ignored, the first duplicate of the file wins.
 * NULL when there is none. */
const mw_archive_entry *mw_archive_find(const mw_archive *a, const char *name);

/* Unpack one entry under limits.unpacked_bytes and limits.unpack_ratio; size and checksum must be
 * as declared. One NUL byte follows the data. MW_ELIMIT, MW_EUNSUPPORTED (the method is named),
 * MW_EFORMAT; the subject is the entry's name. [out owned: caller, mw_free] */
MW_NODISCARD mw_code mw_archive_read(
	mw_ctx *cx, uint8_t **out, size_t *n, mw_archive *a, const mw_archive_entry *e);

/* Unpack in pieces, in order; the memory needed does not depend on the entry's size. What sink got
 * before a failure is of no use. The same checks as mw_archive_read. */
typedef mw_code (*mw_archive_sink)(mw_ctx *cx, void *ud, const void *bytes, size_t n);
MW_NODISCARD mw_code mw_archive_unpack(
	mw_ctx *cx, mw_archive *a, const mw_archive_entry *e, mw_archive_sink sink, void *ud);

/* Unpack everything into the folder dir, which must not exist or be empty; all or nothing.
 * MW_EINVALID naming every entry that would land outside. Shadowed entries are left out with a
 * warning. */
MW_NODISCARD mw_code mw_archive_extract(mw_ctx *cx, mw_archive *a, const char *dir);

/* Why name cannot be the name of a file inside a folder, or NULL. Forward slashes separate;
 * `.` and empty segments are let through. [owned: static] */
const char *mw_archive_unsafe_name(const char *name);

/* ---- writing --------------------------------------------------------------------------------- */

/* One file to be stored: bytes in memory, or (path not NULL) a file read while packing. */
typedef struct {
	const char *name; /* UTF-8, forward slashes, relative, no `.` or `..` segments [borrowed] */
	const void *bytes; /* [borrowed] [size: n] */
	size_t n;
	const char *path; /* [borrowed] */
} mw_archive_item;

/* How hard to pack. The same level gives the same bytes for any number of threads. */
typedef enum { MW_ARCHIVE_FAST, MW_ARCHIVE_NORMAL, MW_ARCHIVE_RELEASE } mw_archive_level;

/* Write items, sorted by name, as path; on any failure what was at path before is untouched and
 * nothing of ours is left. Packs on cx->pool. Every date is 1980-01-01, every mode 0644.
 * MW_EINVALID naming both when two names differ only in case (one file for the engine), when one
 * is a folder of the other or a name is unsafe; MW_ELIMIT past what the container holds;
 * MW_DIR over a folder that neither is empty nor holds a mapinfo.lua is MW_EINVALID.
 * A zip uses store and deflate only and never zip64: the engine reads nothing else. */
MW_NODISCARD mw_code mw_archive_write(mw_ctx *cx, const char *path, mw_archive_kind kind,
	mw_archive_level level, const mw_archive_item *items, size_t n);

/* The files of a folder as items (path set), sorted; names relative to dir. Links are followed only
 * where they stay inside dir. hidden: also files and folders whose name starts with a dot.
 * Free with mw_archive_items_free. */
typedef struct {
	mw_archive_item *v;
	size_t n, cap;
	mw_arena text;                          /* the names and paths */
	size_t hidden_left_out, links_left_out; /* links: also what is no file at all */
} mw_archive_items;
MW_NODISCARD mw_code mw_archive_items_of_dir(
	mw_ctx *cx, mw_archive_items *out, const char *dir, bool hidden);
void mw_archive_items_free(mw_ctx *cx, mw_archive_items *items);

#endif

/* Whole files in, whole files out. A failed or interrupted write leaves the old file as it was. */
#ifndef MW_BASE_FS_H
#define MW_BASE_FS_H

#include "base/ctx.h"

/* Read a file under cx->limits.file_bytes. One extra NUL byte follows the data.
 * MW_EIO with the path and the system's reason, MW_ELIMIT when larger. [owned: caller, mw_free] */
MW_NODISCARD mw_code mw_fs_read(mw_ctx *cx, uint8_t **out, size_t *n, const char *path);

/* Record "path: cannot <doing>: <errno in words>". Returns MW_EIO. */
mw_code mw_fs_fail(mw_ctx *cx, const char *path, const char *doing);

/* Write beside path under a temporary name, flush, rename over path. On any failure the temporary
 * is removed and path is untouched. Missing parent folders are made. */
MW_NODISCARD mw_code mw_fs_write(mw_ctx *cx, const char *path, const void *bytes, size_t n);

/* The same in pieces, for outputs that never sit in memory whole. */
typedef struct mw_fs_file mw_fs_file;
MW_NODISCARD mw_code mw_fs_create(mw_ctx *cx, mw_fs_file **out, const char *path);
MW_NODISCARD mw_code mw_fs_append(mw_ctx *cx, mw_fs_file *f, const void *bytes, size_t n);
/* Overwrite n bytes at offset of what was already written. */
MW_NODISCARD mw_code mw_fs_patch(
	mw_ctx *cx, mw_fs_file *f, uint64_t offset, const void *bytes, size_t n);
/* Read back n bytes at offset of what was already written. */
MW_NODISCARD mw_code mw_fs_fetch(mw_ctx *cx, mw_fs_file *f, uint64_t offset, void *out, size_t n);
uint64_t mw_fs_tell(const mw_fs_file *f);
/* Where its bytes are until it is committed or discarded. [owned: f] */
const char *mw_fs_unfinished_path(const mw_fs_file *f);
MW_NODISCARD mw_code mw_fs_commit(mw_ctx *cx, mw_fs_file *f); /* frees f, also on failure */
void mw_fs_discard(mw_ctx *cx, mw_fs_file *f);                /* frees f; NULL allowed */

typedef enum { MW_FS_NONE, MW_FS_FILE, MW_FS_DIR, MW_FS_OTHER } mw_fs_kind;
mw_fs_kind mw_fs_kind_of(const char *path);
MW_NODISCARD mw_code mw_fs_mkdirs(mw_ctx *cx, const char *path);
/* Remove a file or a whole folder tree (links are removed, never followed). Absent is fine. */
MW_NODISCARD mw_code mw_fs_remove_tree(mw_ctx *cx, const char *path);
MW_NODISCARD mw_code mw_fs_rename(mw_ctx *cx, const char *from, const char *to);

/* Sorted (bytewise) names of a folder without "." and "..". Free with mw_fs_list_free. */
typedef struct {
	char **v; /* terminated names, one allocation each */
	size_t n, cap;
} mw_fs_names;
MW_NODISCARD mw_code mw_fs_list(mw_ctx *cx, mw_fs_names *out, const char *path);
void mw_fs_names_free(mw_ctx *cx, mw_fs_names *names);

/* A whole folder, built beside its place under a temporary name and swapped in: what was there
 * before stays as it was until then, and is removed after. */
typedef struct mw_fs_folder mw_fs_folder;
MW_NODISCARD mw_code mw_fs_folder_begin(mw_ctx *cx, mw_fs_folder **out, const char *path);
/* A new file in it; folders on the way are made. Append, patch and commit or discard as usual.
 * [name: relative, forward slashes, no "." or ".." segments, not yet there] */
MW_NODISCARD mw_code mw_fs_folder_create(
	mw_ctx *cx, mw_fs_folder *folder, mw_fs_file **out, const char *name);
MW_NODISCARD mw_code mw_fs_folder_commit(mw_ctx *cx, mw_fs_folder *folder); /* frees folder */
void mw_fs_folder_discard(mw_ctx *cx, mw_fs_folder *folder); /* frees folder; NULL allowed */

/* Remove what processes that are gone (killed, so that they could not do it themselves) left beside
 * path under temporary names: "<path>.<pid>-<n>.part" and "<path>.<more>.<pid>-<n>.part". What
 * cannot be removed stays; no error is left in cx. */
void mw_fs_sweep(mw_ctx *cx, const char *path);

/* Remove the temporaries of every unfinished mw_fs_create and mw_fs_folder_begin of this process;
 * safe in a signal handler (unlink and rmdir only). */
void mw_fs_discard_all_unfinished(void);

#endif

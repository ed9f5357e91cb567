/* realpath */
#define _XOPEN_SOURCE 700

#include "archive/parts.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DEPTH = 64, READ_BYTES = 256 << 10 };

/* ---- listing ----------------------------------------------------------------------------------
 */

typedef struct {
	mw_archive_items *out;
	char *real_root; /* malloc'ed by realpath */
	bool hidden;
} walk;

static char *join(mw_arena *a, const char *dir, const char *name)
{
	size_t n = strlen(dir), len = strlen(name);
	char *p = mw_arena_alloc(a, n + len + 2);
	if (!p)
		return NULL;
	memcpy(p, dir, n);
	if (n)
		p[n++] = '/';
	memcpy(p + n, name, len + 1);
	return p;
}

/* Whether a link leads to a file inside the root. */
static bool link_stays(const walk *w, const char *path)
{
	struct stat st;
	char *real = realpath(path, NULL);
	size_t n = strlen(w->real_root);
	bool stays = real && strncmp(real, w->real_root, n) == 0 &&
		(real[n] == '/' || strcmp(w->real_root, "/") == 0) && stat(real, &st) == 0 &&
		S_ISREG(st.st_mode);
	free(real);
	return stays;
}

static mw_code walk_dir(mw_ctx *cx, walk *w, const char *path, const char *prefix, int depth)
{
	mw_fs_names names;
	mw_archive_items *out = w->out;
	if (depth > MAX_DEPTH)
		return mw_fail(cx, MW_ELIMIT, "folders more than %d deep", MAX_DEPTH);
	mw_code code = mw_fs_list(cx, &names, path);
	for (size_t i = 0; code == MW_OK && i < names.n; i++) {
		struct stat st;
		if (names.v[i][0] == '.' && !w->hidden) {
			out->hidden_left_out++;
			continue;
		}
		char *at = join(&out->text, path, names.v[i]);
		char *name = join(&out->text, prefix, names.v[i]);
		if (!at || !name) {
			code = MW_ENOMEM;
		} else if (lstat(at, &st) != 0) {
			code = mw_fs_fail(cx, at, "examine");
		} else if (S_ISDIR(st.st_mode)) {
			code = walk_dir(cx, w, at, name, depth + 1);
		} else if (S_ISREG(st.st_mode) || (S_ISLNK(st.st_mode) && link_stays(w, at))) {
			mw_archive_item item = {.name = name, .path = at};
			if (!MW_PUSH(cx, out, item))
				code = MW_ENOMEM;
		} else {
			out->links_left_out++;
		}
	}
	mw_fs_names_free(cx, &names);
	return code;
}

mw_code mw_archive_items_of_dir(mw_ctx *cx, mw_archive_items *out, const char *dir, bool hidden)
{
	walk w = {.out = out, .hidden = hidden};
	*out = (mw_archive_items){0};
	mw_arena_init(&out->text, cx);
	w.real_root = realpath(dir, NULL);
	if (!w.real_root)
		return mw_fs_fail(cx, dir, "list the folder");
	mw_code code = walk_dir(cx, &w, dir, "", 0);
	free(w.real_root);
	if (code != MW_OK)
		mw_archive_items_free(cx, out);
	return code;
}

void mw_archive_items_free(mw_ctx *cx, mw_archive_items *items)
{
	mw_free(cx, items->v);
	mw_arena_free(&items->text);
	*items = (mw_archive_items){0};
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static mw_code dir_unpack(
	mw_ctx *cx, mw_archive *a, const mw_archive_entry *e, mw_archive_sink sink, void *ud)
{
	mw__input in;
	mw_code code = mw__input_open(cx, &in, a->dir.v[e->at].path);
	uint8_t *buffer = code == MW_OK ? mw_alloc(cx, READ_BYTES) : NULL;
	if (code == MW_OK && !buffer)
		code = MW_ENOMEM;
	for (uint64_t at = 0; code == MW_OK && at < in.n;) {
		size_t n = in.n - at < READ_BYTES ? (size_t)(in.n - at) : READ_BYTES;
		code = mw__input_read(cx, &in, at, buffer, n);
		if (code == MW_OK)
			code = sink(cx, ud, buffer, n);
		at += n;
	}
	mw_free(cx, buffer);
	mw__input_close(&in);
	return code;
}

mw_code mw__dir_open(mw_ctx *cx, mw_archive *a, const char *path)
{
	a->unpack = dir_unpack;
	/* Names that begin with a dot are the author's, not the map's. */
	if (mw_archive_items_of_dir(cx, &a->dir, path, false) != MW_OK)
		return cx->err.code;
	if (a->dir.links_left_out)
		mw_warn(cx, "archive-link", "%s: %zu links or special files left out", path,
			a->dir.links_left_out);
	for (size_t i = 0; i < a->dir.n; i++) {
		struct stat st;
		mw_archive_entry *e =
			mw__entry_add(cx, a, a->dir.v[i].name, strlen(a->dir.v[i].name));
		if (!e)
			return cx->err.code;
		e->at = i;
		e->backslash = false;
		if (stat(a->dir.v[i].path, &st) != 0)
			return mw_fs_fail(cx, a->dir.v[i].path, "examine");
		e->size = (uint64_t)st.st_size;
		e->packed = e->size;
	}
	return MW_OK;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

typedef struct {
	const mw_archive_item *items;
	mw_fs_folder *folder;
	mw_fs_file *file;
} writer;

static mw_code pack_nothing(mw_ctx *cx, void *ud, mw__piece *piece)
{
	MW_UNUSED(cx);
	MW_UNUSED(ud);
	piece->stored = true;
	return MW_OK;
}

static mw_code emit(mw_ctx *cx, void *ud, const mw__piece *piece)
{
	writer *w = ud;
	if (piece->first &&
		mw_fs_folder_create(cx, w->folder, &w->file, w->items[piece->item].name) != MW_OK)
		return cx->err.code;
	if (mw_fs_append(cx, w->file, piece->in, piece->n) != MW_OK)
		return cx->err.code;
	if (!piece->last)
		return MW_OK;
	mw_fs_file *done = w->file;
	w->file = NULL;
	return mw_fs_commit(cx, done);
}

/* A folder that is plainly something else, a home for one, is not replaced by a map. */
static mw_code check_replaced(mw_ctx *cx, const char *path)
{
	mw_fs_names names;
	if (mw_fs_kind_of(path) != MW_FS_DIR)
		return MW_OK;
	if (mw_fs_list(cx, &names, path) != MW_OK)
		return cx->err.code;
	bool fine = names.n == 0;
	for (size_t i = 0; i < names.n; i++)
		fine = fine || mw__fold_cmp(names.v[i], "mapinfo.lua") == 0;
	mw_fs_names_free(cx, &names);
	return fine ? MW_OK
		    : mw_fail(cx, MW_EINVALID,
			      "the folder holds no mapinfo.lua, so it is not replaced by a map");
}

mw_code mw__dir_write(
	mw_ctx *cx, const char *path, const mw_archive_item *items, size_t n, uint64_t *bytes)
{
	writer w = {.items = items};
	mw__packer packer = {.piece_bytes = 4 << 20, .pack = pack_nothing, .emit = emit, .ud = &w};
	if (check_replaced(cx, path) != MW_OK || mw_fs_folder_begin(cx, &w.folder, path) != MW_OK)
		return cx->err.code;
	mw_code code = mw__pack(cx, &packer, items, n);
	*bytes = packer.bytes;
	mw_fs_discard(cx, w.file);
	if (code == MW_OK)
		return mw_fs_folder_commit(cx, w.folder);
	mw_fs_folder_discard(cx, w.folder);
	return code;
}

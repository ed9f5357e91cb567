#include "archive/parts.h"

#include "base/log.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Recoil reads names into 512 bytes (rts/System/FileSystem/Archives/ZipArchive.cpp, constructor).
 */
enum { NAME_MAX_BYTES = 511, BATCH_PIECES = 256 };
#define BATCH_BYTES ((size_t)128 << 20)

/* ---- names ------------------------------------------------------------------------------------
 */

static mw_code check_name(mw_ctx *cx, const char *name)
{
	const char *why = mw_archive_unsafe_name(name);
	size_t len = strlen(name);
	if (why)
		return mw_fail(cx, MW_EINVALID, "the name '%s' %s", name, why);
	if (!mw_utf8_valid(name, len))
		return mw_fail(cx, MW_EINVALID, "the name '%s' is not UTF-8", name);
	if (len > NAME_MAX_BYTES)
		return mw_fail(cx, MW_EINVALID,
			"the name '%.60s...' has %zu bytes, the engine reads %d", name, len,
			NAME_MAX_BYTES);
	if (strchr(name, '\\'))
		return mw_fail(cx, MW_EINVALID,
			"the name '%s' has a backslash; the engine takes '/' only", name);
	for (const char *p = name; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL)
		if (*p == '/' || (*p == '.' && (p[1] == '/' || !p[1])))
			return mw_fail(
				cx, MW_EINVALID, "the name '%s' has an empty or '.' segment", name);
	return MW_OK;
}

static int item_by_name(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	return strcmp(((const mw_archive_item *)a)->name, ((const mw_archive_item *)b)->name);
}

static int item_by_fold(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	return mw__fold_cmp(((const mw_archive_item *)a)->name, ((const mw_archive_item *)b)->name);
}

/* Whether v, sorted by fold, holds the first len bytes of name as a name. */
static const char *find_prefix(const mw_archive_item *v, size_t n, const char *name, size_t len)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const char *have = v[mid].name;
		size_t i = 0;
		int order = 0;
		for (; order == 0 && i < len; i++) {
			char x[2] = {have[i], '\0'}, y[2] = {name[i], '\0'};
			order = mw__fold_cmp(x, y);
			if (!have[i])
				break;
		}
		if (order == 0 && !have[len])
			return have;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* v is sorted by fold. */
static mw_code check_collisions(mw_ctx *cx, const mw_archive_item *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (mw__fold_cmp(v[i - 1].name, v[i].name) != 0)
			continue;
		if (strcmp(v[i - 1].name, v[i].name) == 0)
			return mw_fail(cx, MW_EINVALID, "the name '%s' is there twice", v[i].name);
		return mw_fail(cx, MW_EINVALID, "'%s' and '%s' are one name for the engine",
			v[i - 1].name, v[i].name);
	}
	for (size_t i = 0; i < n; i++) {
		const char *slash = strchr(v[i].name, '/');
		for (; slash; slash = strchr(slash + 1, '/')) {
			const char *file =
				find_prefix(v, n, v[i].name, (size_t)(slash - v[i].name));
			if (file)
				return mw_fail(cx, MW_EINVALID,
					"'%s' is a file, and a folder for '%s'", file, v[i].name);
		}
	}
	return MW_OK;
}

mw_code mw_archive_write(mw_ctx *cx, const char *path, mw_archive_kind kind, mw_archive_level level,
	const mw_archive_item *items, size_t n)
{
	mw_code code = MW_OK;
	uint64_t bytes = 0;
	mw_archive_item *v = mw_alloc_n(cx, n, sizeof *v);
	mw_stage_run run = mw_stage_begin(cx, MW_STAGE_PACK);
	if (!v)
		return mw_note(cx, "%s", path);
	for (size_t i = 0; code == MW_OK && i < n; i++) {
		v[i] = items[i];
		code = check_name(cx, v[i].name);
	}
	if (code == MW_OK)
		code = mw_sort(cx, v, n, sizeof *v, item_by_name, NULL);
	if (code == MW_OK)
		code = mw_sort(cx, v, n, sizeof *v, item_by_fold, NULL);
	if (code == MW_OK)
		code = check_collisions(cx, v, n);
	if (code == MW_OK)
		code = mw_sort(cx, v, n, sizeof *v, item_by_name, NULL);
	if (code == MW_OK) {
		switch (kind) {
		case MW_ARCHIVE_DIR:
			code = mw__dir_write(cx, path, v, n, &bytes);
			break;
		case MW_ARCHIVE_ZIP:
			code = mw__zip_write(cx, path, level, v, n, &bytes);
			break;
		case MW_ARCHIVE_7Z:
			code = mw__7z_write(cx, path, level, v, n, &bytes);
			break;
		case MW_ARCHIVE_NONE:
			code = mw_fail(cx, MW_EINVALID, "the name must end in .sdd, .sdz or .sd7");
			break;
		}
	}
	mw_free(cx, v);
	mw_stage_end(cx, run, n, bytes);
	return code == MW_OK ? MW_OK : mw_note(cx, "%s", path);
}

/* ---- pieces -----------------------------------------------------------------------------------
 */

typedef struct {
	const mw__packer *packer;
	const mw_archive_item *items;
	size_t n_items;
	uint64_t *size;  /* of each item */
	size_t item;     /* cursor: the next piece begins here */
	uint64_t offset; /* in it */
	int fd;          /* of the item at the cursor, once begun */
	mw__piece *piece;
	size_t n_pieces;
} packing;

static mw_code read_piece(mw_ctx *cx, const mw_archive_item *item, mw__piece *p)
{
	size_t n = p->past + p->n;
	off_t from = (off_t)(p->offset - p->past);
	p->read = mw_alloc(cx, n);
	if (!p->read)
		return MW_ENOMEM;
	for (size_t at = 0; at < n;) {
		ssize_t got = pread(p->fd, p->read + at, n - at, from + (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return mw_fs_fail(cx, item->path, "read");
		if (got == 0)
			return mw_fail(cx, MW_EIO, "became shorter while it was packed");
		at += (size_t)got;
	}
	p->in = p->read + p->past;
	return MW_OK;
}

/* The past is much longer than the piece, which waits for its turn to be emitted. */
static mw_code forget_past(mw_ctx *cx, mw__piece *p)
{
	memmove(p->read, p->in, p->n);
	p->in = p->read;
	p->past = 0;
	uint8_t *less = mw_realloc(cx, p->read, p->n);
	if (!less)
		return MW_ENOMEM;
	p->in = p->read = less;
	return MW_OK;
}

static mw_code pack_range(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	packing *k = ud;
	mw_code code = MW_OK;
	MW_UNUSED(worker);
	for (size_t i = first; code == MW_OK && i < last; i++) {
		mw__piece *p = &k->piece[i];
		const mw_archive_item *item = &k->items[p->item];
		if (p->fd >= 0)
			code = read_piece(cx, item, p);
		if (code == MW_OK)
			code = k->packer->pack(cx, k->packer->ud, p);
		if (code == MW_OK && p->read && p->past)
			code = forget_past(cx, p);
		if (code != MW_OK)
			mw_note(cx, "%s", item->name);
	}
	return code;
}

static mw_code open_item(mw_ctx *cx, packing *k)
{
	struct stat st;
	const mw_archive_item *item = &k->items[k->item];
	k->fd = -1;
	if (!item->path)
		return MW_OK;
	k->fd = open(item->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (k->fd < 0 || fstat(k->fd, &st) != 0)
		return mw_fs_fail(cx, item->path, "read");
	if ((uint64_t)st.st_size == k->size[k->item])
		return MW_OK;
	mw_fail(cx, MW_EIO, "changed its size while it was packed");
	return mw_note(cx, "%s", item->path);
}

/* The pieces that are packed at a time; where they end changes no byte of the output. */
static mw_code next_batch(mw_ctx *cx, packing *k)
{
	size_t bytes = 0, want = k->packer->piece_bytes * 2;
	size_t threads = (size_t)mw_pool_threads(cx->pool);
	want = want > BATCH_BYTES / threads ? BATCH_BYTES : want * threads;
	k->n_pieces = 0;
	while (k->item < k->n_items && bytes < want && k->n_pieces < BATCH_PIECES) {
		uint64_t size = k->size[k->item], left = size - k->offset;
		if (k->offset == 0 && open_item(cx, k) != MW_OK)
			return cx->err.code;
		const uint8_t *from = k->items[k->item].bytes;
		mw__piece *p = &k->piece[k->n_pieces++];
		*p = (mw__piece){.item = k->item, .item_n = size, .offset = k->offset, .fd = k->fd};
		p->n = left < k->packer->piece_bytes ? (size_t)left : k->packer->piece_bytes;
		p->past = k->offset < k->packer->past_bytes ? (size_t)k->offset
							    : k->packer->past_bytes;
		p->first = k->offset == 0;
		p->last = p->n == left;
		/* No null pointers for the packers, whatever an empty item points to. */
		p->in = p->n ? from ? from + k->offset : NULL : (const uint8_t *)"";
		bytes += p->n;
		k->offset += p->n;
		if (p->last) {
			k->item++;
			k->offset = 0;
			k->fd = -1;
		}
	}
	return MW_OK;
}

/* Also closes the files whose last piece was in it. */
static void drop_batch(mw_ctx *cx, packing *k)
{
	for (size_t i = 0; i < k->n_pieces; i++) {
		mw__piece *p = &k->piece[i];
		mw_free(cx, p->read);
		mw_free(cx, p->out);
		if (p->last && p->fd >= 0)
			close(p->fd);
	}
	k->n_pieces = 0;
}

static mw_code item_sizes(mw_ctx *cx, packing *k, uint64_t *total)
{
	for (size_t i = 0; i < k->n_items; i++) {
		struct stat st;
		const char *path = k->items[i].path;
		if (!path) {
			k->size[i] = k->items[i].n;
		} else if (stat(path, &st) != 0) {
			return mw_fs_fail(cx, path, "read");
		} else if (!S_ISREG(st.st_mode)) {
			mw_fail(cx, MW_EIO, "is not a file");
			return mw_note(cx, "%s", path);
		} else {
			k->size[i] = (uint64_t)st.st_size;
		}
		*total += k->size[i];
	}
	return MW_OK;
}

mw_code mw__pack(mw_ctx *cx, mw__packer *packer, const mw_archive_item *items, size_t n)
{
	packing k = {.packer = packer, .items = items, .n_items = n, .fd = -1};
	uint64_t total = 0, done = 0;
	mw_code code = MW_ENOMEM;
	k.size = mw_alloc_n(cx, n, sizeof *k.size);
	k.piece = mw_alloc_n(cx, BATCH_PIECES, sizeof *k.piece);
	if (k.size && k.piece)
		code = item_sizes(cx, &k, &total);
	packer->bytes = total;
	while (code == MW_OK && k.item < n) {
		code = next_batch(cx, &k);
		if (code == MW_OK)
			code = mw_pool_for(cx, k.n_pieces, 1, pack_range, &k);
		for (size_t i = 0; code == MW_OK && i < k.n_pieces; i++) {
			code = packer->emit(cx, packer->ud, &k.piece[i]);
			done += k.piece[i].n;
		}
		drop_batch(cx, &k);
		if (code == MW_OK)
			mw_log_progress(cx, MW_STAGE_PACK, done, total);
	}
	if (k.fd >= 0)
		close(k.fd);
	mw_free(cx, k.size);
	mw_free(cx, k.piece);
	return code;
}

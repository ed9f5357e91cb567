#include "archive/archive.h"

#include "archive/parts.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Below this size the ratio of an entry does not matter: flat maps pack a thousandfold. */
#define RATIO_FROM ((uint64_t)64 << 20)

/* ---- kinds ----------------------------------------------------------------------------------- */

mw_archive_kind mw_archive_kind_of_name(const char *path)
{
	mw_sv s = mw_sv_of(path);
	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	if (mw_sv_ends_nocase(s, ".sdd"))
		return MW_ARCHIVE_DIR;
	if (mw_sv_ends_nocase(s, ".sdz") || mw_sv_ends_nocase(s, ".zip"))
		return MW_ARCHIVE_ZIP;
	if (mw_sv_ends_nocase(s, ".sd7") || mw_sv_ends_nocase(s, ".7z"))
		return MW_ARCHIVE_7Z;
	return MW_ARCHIVE_NONE;
}

const char *mw_archive_kind_name(mw_archive_kind kind)
{
	static const char *const name[] = {"none", "sdd", "sdz", "sd7"};
	return name[kind];
}

/* ---- the container's bytes --------------------------------------------------------------------
 */

mw_code mw__input_open(mw_ctx *cx, mw__input *in, const char *path)
{
	struct stat st;
	/* O_NONBLOCK: a pipe of this name must not make us wait. */
	*in = (mw__input){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
	if (in->fd < 0 || fstat(in->fd, &st) != 0)
		return mw_fs_fail(cx, path, "open");
	if (!S_ISREG(st.st_mode))
		return mw_fail(cx, MW_EIO, "is neither a file nor a folder");
	in->n = (uint64_t)st.st_size;
	return MW_OK;
}

void mw__input_close(mw__input *in)
{
	if (in->fd >= 0)
		close(in->fd);
	in->fd = -1;
}

mw_code mw__input_read(mw_ctx *cx, const mw__input *in, uint64_t offset, void *out, size_t n)
{
	uint8_t *to = out;
	if (offset > in->n || n > in->n - offset)
		return mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, (int64_t)offset,
			"needs %zu bytes, the file ends after %llu", n, (unsigned long long)in->n);
	if (in->fd < 0) {
		if (n)
			memcpy(to, in->p + offset, n);
		return MW_OK;
	}
	while (n) {
		ssize_t got = pread(in->fd, to, n, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return mw_fs_fail(cx, "archive", "read");
		if (got == 0)
			return mw_fail(cx, MW_EIO, "became shorter while it was read");
		to += got;
		n -= (size_t)got;
		offset += (uint64_t)got;
	}
	return MW_OK;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static unsigned char fold(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

int mw__fold_cmp(const char *a, const char *b)
{
	for (; *a && fold(*a) == fold(*b); a++)
		b++;
	return (int)fold(*a) - (int)fold(*b);
}

const char *mw_archive_unsafe_name(const char *name)
{
	if (!*name)
		return "is empty";
	if (*name == '/')
		return "is an absolute path";
	if (((*name | 32) >= 'a' && (*name | 32) <= 'z') && name[1] == ':')
		return "starts with a drive letter";
	for (const char *p = name; *p; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return "holds a control character";
		if ((p == name || p[-1] == '/') && p[0] == '.' && p[1] == '.' &&
			(p[2] == '/' || !p[2]))
			return "leaves the folder";
	}
	if (name[strlen(name) - 1] == '/')
		return "is a folder";
	return NULL;
}

/* Code page 437, the zip format's own, from 0x80. */
static const uint16_t cp437[128] = {0xc7, 0xfc, 0xe9, 0xe2, 0xe4, 0xe0, 0xe5, 0xe7, 0xea, 0xeb,
	0xe8, 0xef, 0xee, 0xec, 0xc4, 0xc5, 0xc9, 0xe6, 0xc6, 0xf4, 0xf6, 0xf2, 0xfb, 0xf9, 0xff,
	0xd6, 0xdc, 0xa2, 0xa3, 0xa5, 0x20a7, 0x192, 0xe1, 0xed, 0xf3, 0xfa, 0xf1, 0xd1, 0xaa, 0xba,
	0xbf, 0x2310, 0xac, 0xbd, 0xbc, 0xa1, 0xab, 0xbb, 0x2591, 0x2592, 0x2593, 0x2502, 0x2524,
	0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557, 0x255d, 0x255c, 0x255b, 0x2510,
	0x2514, 0x2534, 0x252c, 0x251c, 0x2500, 0x253c, 0x255e, 0x255f, 0x255a, 0x2554, 0x2569,
	0x2566, 0x2560, 0x2550, 0x256c, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559, 0x2558, 0x2552,
	0x2553, 0x256b, 0x256a, 0x2518, 0x250c, 0x2588, 0x2584, 0x258c, 0x2590, 0x2580, 0x3b1, 0xdf,
	0x393, 0x3c0, 0x3a3, 0x3c3, 0xb5, 0x3c4, 0x3a6, 0x398, 0x3a9, 0x3b4, 0x221e, 0x3c6, 0x3b5,
	0x2229, 0x2261, 0xb1, 0x2265, 0x2264, 0x2320, 0x2321, 0xf7, 0x2248, 0xb0, 0x2219, 0xb7,
	0x221a, 0x207f, 0xb2, 0x25a0, 0xa0};

mw_archive_entry *mw__entry_add(mw_ctx *cx, mw_archive *a, const char *name, size_t n)
{
	bool utf8 = mw_utf8_valid(name, n), control = false;
	char *text = mw_arena_alloc(&a->text, n * 3 + 1), *to = text;
	mw_archive_entry e = {.name = text, .ordinal = (uint32_t)a->entries.n};
	if (!text)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)name[i];
		if (c < 0x20 || c == 0x7f) {
			control = true;
			*to++ = '?';
		} else if (c == '\\') {
			e.backslash = true;
			*to++ = '/';
		} else if (c < 0x80 || utf8) {
			*to++ = (char)c;
		} else {
			to += mw_utf8_put(cp437[c - 0x80], to);
		}
	}
	*to = '\0';
	e.unsafe = control ? "holds a control character" : mw_archive_unsafe_name(text);
	if (a->entries.n >= cx->limits.elements || a->entries.n >= UINT32_MAX) {
		mw_fail(cx, MW_ELIMIT, "more than %zu entries", a->entries.n);
		return NULL;
	}
	return MW_PUSH(cx, &a->entries, e) ? &a->entries.v[a->entries.n - 1] : NULL;
}

const char *mw__text(mw_ctx *cx, mw_archive *a, const char *fmt, ...)
{
	char buffer[256];
	va_list ap;
	va_start(ap, fmt);
	mw_vformat(buffer, sizeof buffer, fmt, ap);
	va_end(ap);
	MW_UNUSED(cx);
	return mw_arena_strdup(&a->text, buffer, strlen(buffer));
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static int by_name(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	return strcmp(((const mw_archive_entry *)a)->name, ((const mw_archive_entry *)b)->name);
}

static int by_fold(const void *a, const void *b, void *ud)
{
	const mw_archive_entry *v = ud;
	const mw_archive_entry *x = &v[*(const uint32_t *)a], *y = &v[*(const uint32_t *)b];
	int order = mw__fold_cmp(x->name, y->name);
	return order ? order : x->ordinal < y->ordinal ? -1 : 1;
}

static mw_code index_names(mw_ctx *cx, mw_archive *a)
{
	size_t n = a->entries.n;
	mw_archive_entry *v = a->entries.v;
	if (mw_sort(cx, v, n, sizeof *v, by_name, NULL) != MW_OK)
		return cx->err.code;
	a->by_fold = mw_alloc_n(cx, n, sizeof *a->by_fold);
	if (!a->by_fold)
		return MW_ENOMEM;
	for (size_t i = 0; i < n; i++)
		a->by_fold[i] = (uint32_t)i;
	if (mw_sort(cx, a->by_fold, n, sizeof *a->by_fold, by_fold, v) != MW_OK)
		return cx->err.code;
	for (size_t i = 1; i < n; i++)
		v[a->by_fold[i]].shadowed =
			mw__fold_cmp(v[a->by_fold[i - 1]].name, v[a->by_fold[i]].name) == 0;
	return MW_OK;
}

static mw_archive *archive_new(mw_ctx *cx, const char *label)
{
	mw_archive *a = mw_zalloc(cx, sizeof *a);
	if (!a)
		return NULL;
	a->in.fd = -1;
	mw_arena_init(&a->text, cx);
	a->label = mw_arena_strdup(&a->text, label, strlen(label));
	if (a->label)
		return a;
	mw_free(cx, a);
	return NULL;
}

static mw_code open_container(mw_ctx *cx, mw_archive *a)
{
	static const uint8_t mark_7z[6] = {'7', 'z', 0xbc, 0xaf, 0x27, 0x1c};
	uint8_t head[6] = {0};
	size_t n = a->in.n < sizeof head ? (size_t)a->in.n : sizeof head;
	if (mw__input_read(cx, &a->in, 0, head, n) != MW_OK)
		return cx->err.code;
	a->kind = memcmp(head, mark_7z, sizeof head) == 0 ? MW_ARCHIVE_7Z : MW_ARCHIVE_ZIP;
	return a->kind == MW_ARCHIVE_7Z ? mw__7z_open(cx, a) : mw__zip_open(cx, a);
}

static mw_code finish_open(
	mw_ctx *cx, mw_archive **out, mw_archive *a, const char *label, mw_code code)
{
	if (code == MW_OK)
		code = index_names(cx, a);
	if (code != MW_OK) {
		mw_archive_close(cx, a);
		/* An error of the system names the file already. */
		return code == MW_EIO && cx->err.subject[0] ? code : mw_note(cx, "%s", label);
	}
	*out = a;
	return MW_OK;
}

mw_code mw_archive_open(mw_ctx *cx, mw_archive **out, const char *path)
{
	mw_code code;
	mw_archive *a = archive_new(cx, path);
	*out = NULL;
	if (!a)
		return MW_ENOMEM;
	if (mw_fs_kind_of(path) == MW_FS_DIR) {
		a->kind = MW_ARCHIVE_DIR;
		code = mw__dir_open(cx, a, path);
	} else {
		code = mw__input_open(cx, &a->in, path);
		if (code == MW_OK)
			code = open_container(cx, a);
		mw_archive_kind said = mw_archive_kind_of_name(path);
		if (code == MW_OK && said != MW_ARCHIVE_NONE && said != a->kind)
			mw_warn(cx, "archive-kind",
				"%s: is a .%s by its content, and the engine goes by the name",
				path, mw_archive_kind_name(a->kind));
	}
	return finish_open(cx, out, a, path, code);
}

mw_code mw_archive_open_bytes(
	mw_ctx *cx, mw_archive **out, const void *bytes, size_t n, const char *label)
{
	mw_archive *a = archive_new(cx, label);
	*out = NULL;
	if (!a)
		return MW_ENOMEM;
	a->in.p = bytes;
	a->in.n = n;
	return finish_open(cx, out, a, label, open_container(cx, a));
}

void mw_archive_close(mw_ctx *cx, mw_archive *a)
{
	if (!a)
		return;
	if (a->close)
		a->close(cx, a);
	mw_archive_items_free(cx, &a->dir);
	mw__input_close(&a->in);
	mw_free(cx, a->entries.v);
	mw_free(cx, a->by_fold);
	mw_arena_free(&a->text);
	mw_free(cx, a);
}

mw_archive_kind mw_archive_kind_of(const mw_archive *a)
{
	return a->kind;
}

bool mw_archive_is_solid(const mw_archive *a)
{
	return a->solid;
}

size_t mw_archive_count(const mw_archive *a)
{
	return a->entries.n;
}

const mw_archive_entry *mw_archive_at(const mw_archive *a, size_t i)
{
	MW_ASSERT(i < a->entries.n);
	return &a->entries.v[i];
}

const mw_archive_entry *mw_archive_find(const mw_archive *a, const char *name)
{
	size_t low = 0, high = a->entries.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (mw__fold_cmp(a->entries.v[a->by_fold[mid]].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == a->entries.n)
		return NULL;
	const mw_archive_entry *e = &a->entries.v[a->by_fold[low]];
	return mw__fold_cmp(e->name, name) == 0 ? e : NULL;
}

/* ---- unpacking --------------------------------------------------------------------------------
 */

/* Between the container and the caller's sink: never more than was declared. */
typedef struct {
	mw_archive_sink sink;
	void *ud;
	uint64_t size, left;
	uint32_t crc;
} guard;

static mw_code guarded(mw_ctx *cx, void *ud, const void *bytes, size_t n)
{
	guard *g = ud;
	if (n > g->left)
		return mw_fail(cx, MW_EFORMAT, "unpacks to more than the %llu bytes it declares",
			(unsigned long long)g->size);
	g->left -= n;
	g->crc = mw_crc32(g->crc, bytes, n);
	return n ? g->sink(cx, g->ud, bytes, n) : MW_OK;
}

static mw_code unpack_checked(
	mw_ctx *cx, mw_archive *a, const mw_archive_entry *e, mw_archive_sink sink, void *ud)
{
	unsigned long long size = e->size, limit = cx->limits.unpacked_bytes;
	guard g = {.sink = sink, .ud = ud, .size = e->size, .left = e->size};
	if (e->problem)
		return mw_fail(cx, MW_EUNSUPPORTED, "%s", e->problem);
	if (size > limit)
		return mw_fail(
			cx, MW_ELIMIT, "%llu bytes unpacked, the limit is %llu", size, limit);
	if (cx->limits.unpack_ratio && e->packed && e->size > RATIO_FROM &&
		e->size / e->packed > cx->limits.unpack_ratio)
		return mw_fail(cx, MW_ELIMIT,
			"%llu bytes unpacked is %llu times what is packed, the limit is %u", size,
			size / (unsigned long long)e->packed, cx->limits.unpack_ratio);
	if (a->unpack(cx, a, e, guarded, &g) != MW_OK)
		return cx->err.code;
	if (g.left)
		return mw_fail(cx, MW_EFORMAT, "ends after %llu of %llu bytes",
			(unsigned long long)(e->size - g.left), size);
	if (e->has_crc && g.crc != e->crc)
		return mw_fail(cx, MW_EFORMAT, "checksum is %08x, expected %08x", g.crc, e->crc);
	return MW_OK;
}

mw_code mw_archive_unpack(
	mw_ctx *cx, mw_archive *a, const mw_archive_entry *e, mw_archive_sink sink, void *ud)
{
	mw_code code = unpack_checked(cx, a, e, sink, ud);
	if (code == MW_OK)
		return MW_OK;
	mw_note(cx, "%s", e->name);
	return mw_note(cx, "%s", a->label);
}

typedef struct {
	uint8_t *p;
	size_t n, cap;
} buffer;

/* Grows with what really comes: a declared size alone reserves nothing. */
static mw_code into_buffer(mw_ctx *cx, void *ud, const void *bytes, size_t n)
{
	buffer *b = ud;
	if (n > b->cap - b->n) {
		size_t cap = b->cap + b->cap / 2;
		if (cap < b->n + n)
			cap = b->n + n;
		uint8_t *p = mw_realloc(cx, b->p, cap + 1);
		if (!p)
			return MW_ENOMEM;
		b->p = p;
		b->cap = cap;
	}
	memcpy(b->p + b->n, bytes, n);
	b->n += n;
	return MW_OK;
}

mw_code mw_archive_read(
	mw_ctx *cx, uint8_t **out, size_t *n, mw_archive *a, const mw_archive_entry *e)
{
	*out = NULL;
	*n = 0;
	/* Deflate reaches about 1032:1, and files are usually what they declare. */
	buffer b = {.cap = 4096};
	if (!e->problem && e->size <= cx->limits.unpacked_bytes && e->size / 1040 <= e->packed)
		b.cap = (size_t)e->size;
	b.p = mw_alloc(cx, b.cap + 1);
	if (!b.p)
		return mw_note(cx, "%s", e->name);
	mw_code code = mw_archive_unpack(cx, a, e, into_buffer, &b);
	if (code != MW_OK) {
		mw_free(cx, b.p);
		return code;
	}
	b.p[b.n] = 0;
	*out = b.p;
	*n = b.n;
	return MW_OK;
}

/* ---- extracting -------------------------------------------------------------------------------
 */

static mw_code refuse_unsafe(mw_ctx *cx, const mw_archive *a)
{
	char names[300] = "";
	size_t at = 0, bad = 0, listed = 0;
	for (size_t i = 0; i < a->entries.n; i++) {
		const mw_archive_entry *e = &a->entries.v[i];
		size_t len = strlen(e->name);
		if (!e->unsafe)
			continue;
		bad++;
		mw_warn(cx, "archive-name", "entry '%s' %s", e->name, e->unsafe);
		if (at + len + 5 > sizeof names)
			continue;
		mw_format(names + at, sizeof names - at, "%s'%s'", listed ? ", " : "", e->name);
		at += strlen(names + at);
		listed++;
	}
	if (!bad)
		return MW_OK;
	if (listed < bad)
		mw_fail(cx, MW_EINVALID, "refused, unsafe names: %s and %zu more", names,
			bad - listed);
	else
		mw_fail(cx, MW_EINVALID, "refused, unsafe names: %s", names);
	return mw_note(cx, "%s", a->label);
}

static mw_code to_file(mw_ctx *cx, void *ud, const void *bytes, size_t n)
{
	return mw_fs_append(cx, ud, bytes, n);
}

/* Without `.` and empty segments. [out: strlen(name) + 1] */
static void clean_name(char *out, const char *name)
{
	char *to = out;
	while (*name) {
		size_t len = strcspn(name, "/");
		if (len && !(len == 1 && *name == '.')) {
			if (to != out)
				*to++ = '/';
			memcpy(to, name, len);
			to += len;
		}
		name += len + (name[len] == '/');
	}
	*to = '\0';
}

static mw_code extract_entry(
	mw_ctx *cx, mw_archive *a, const mw_archive_entry *e, mw_fs_folder *folder)
{
	mw_fs_file *f;
	char *name = mw_alloc(cx, strlen(e->name) + 1);
	if (!name)
		return MW_ENOMEM;
	clean_name(name, e->name);
	mw_code code = mw_fs_folder_create(cx, folder, &f, name);
	mw_free(cx, name);
	if (code != MW_OK)
		return code;
	code = mw_archive_unpack(cx, a, e, to_file, f);
	if (code == MW_OK)
		return mw_fs_commit(cx, f);
	mw_fs_discard(cx, f);
	return code;
}

static mw_code check_target(mw_ctx *cx, const char *dir)
{
	mw_fs_names names;
	if (mw_fs_kind_of(dir) == MW_FS_NONE)
		return MW_OK;
	if (mw_fs_list(cx, &names, dir) != MW_OK)
		return cx->err.code;
	size_t n = names.n;
	mw_fs_names_free(cx, &names);
	if (n)
		mw_fail(cx, MW_EINVALID, "the folder is not empty (%zu names in it)", n);
	return n ? mw_note(cx, "%s", dir) : MW_OK;
}

mw_code mw_archive_extract(mw_ctx *cx, mw_archive *a, const char *dir)
{
	uint64_t total = 0;
	mw_fs_folder *folder;
	if (refuse_unsafe(cx, a) != MW_OK || check_target(cx, dir) != MW_OK)
		return cx->err.code;
	for (size_t i = 0; i < a->entries.n; i++) {
		const mw_archive_entry *e = &a->entries.v[i];
		total += e->shadowed || total + e->size < total ? 0 : e->size;
		if (total > cx->limits.unpacked_bytes) {
			mw_fail(cx, MW_ELIMIT,
				"with this entry %llu bytes unpacked, the limit is %llu",
				(unsigned long long)total,
				(unsigned long long)cx->limits.unpacked_bytes);
			mw_note(cx, "%s", e->name);
			return mw_note(cx, "%s", a->label);
		}
	}
	/* In the file's order: a solid block is then unpacked once. */
	uint32_t *order = mw_alloc_n(cx, a->entries.n, sizeof *order);
	if (!order)
		return MW_ENOMEM;
	for (size_t i = 0; i < a->entries.n; i++)
		order[a->entries.v[i].ordinal] = (uint32_t)i;
	if (mw_fs_folder_begin(cx, &folder, dir) != MW_OK)
		goto done;
	for (size_t i = 0; i < a->entries.n; i++) {
		const mw_archive_entry *e = &a->entries.v[order[i]];
		if (e->shadowed) {
			mw_warn(cx, "archive-duplicate",
				"entry '%s' left out: an earlier one has this name", e->name);
			continue;
		}
		if (extract_entry(cx, a, e, folder) != MW_OK) {
			mw_fs_folder_discard(cx, folder);
			goto done;
		}
	}
	if (mw_fs_folder_commit(cx, folder) != MW_OK)
		goto done;
done:
	mw_free(cx, order);
	return cx->err.code;
}

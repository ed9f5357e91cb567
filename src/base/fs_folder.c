/* renameat2, the only call that swaps two folders in one step */
#define _GNU_SOURCE

#include "base/fs.h"

#include "base/fs_file.h"
#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Everything that may lie under the temporary name, newest first: the files of a folder come before
 * the folder. A signal handler walks this list, so a node is complete before head shows it. */
typedef struct node {
	struct node *next;
	bool is_dir;
	char path[];
} node;

struct mw_fs_folder {
	_Atomic(node *) head;
	char *path, *temp;
};

#define SLOTS 8
typedef _Atomic(mw_fs_folder *) folder_slot;

static folder_slot *folder_slots(void)
{
	/* The one process-wide table: a signal handler gets no argument to find it by. */
	static folder_slot slots[SLOTS];

	return slots;
}

static void remove_all(mw_fs_folder *folder)
{
	for (node *at = atomic_load(&folder->head); at; at = at->next) {
		if (at->is_dir)
			rmdir(at->path);
		else
			unlink(at->path);
	}
}

void mw__fs_discard_folders(void)
{
	for (int i = 0; i < SLOTS; i++) {
		mw_fs_folder *folder = atomic_load(&folder_slots()[i]);

		if (folder)
			remove_all(folder);
	}
}

static void folder_free(mw_ctx *cx, mw_fs_folder *folder)
{
	for (int i = 0; i < SLOTS; i++) {
		mw_fs_folder *mine = folder;

		atomic_compare_exchange_strong(&folder_slots()[i], &mine, NULL);
	}
	for (node *at = atomic_load(&folder->head), *next; at; at = next) {
		next = at->next;
		mw_free(cx, at);
	}
	mw_free(cx, folder->path);
	mw_free(cx, folder->temp);
	mw_free(cx, folder);
}

static node *remember(mw_ctx *cx, mw_fs_folder *folder, const char *dir, const char *name,
	size_t len, bool is_dir)
{
	size_t n = strlen(dir);
	node *at = mw_alloc(cx, sizeof *at + n + len + 2);

	if (!at)
		return NULL;
	at->is_dir = is_dir;
	memcpy(at->path, dir, n);
	if (len) {
		at->path[n++] = '/';
		memcpy(at->path + n, name, len);
	}
	at->path[n + len] = '\0';
	at->next = atomic_load(&folder->head);
	atomic_store(&folder->head, at);
	return at;
}

/* path without slashes at its end, and the place itself where path is a link. */
static char *real_place(mw_ctx *cx, const char *path)
{
	struct stat st;
	size_t len = strlen(path);
	char *out, *real = NULL;

	while (len > 1 && path[len - 1] == '/')
		len--;
	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
		real = realpath(path, NULL);
	if (real) {
		path = real;
		len = strlen(real);
	}
	out = mw_alloc(cx, len + 1);
	if (out) {
		memcpy(out, path, len);
		out[len] = '\0';
	}
	free(real);
	return out;
}

mw_code mw_fs_folder_begin(mw_ctx *cx, mw_fs_folder **out, const char *path)
{
	size_t room;
	mw_code code = MW_OK;
	mw_fs_folder *folder = mw_zalloc(cx, sizeof *folder);

	*out = NULL;
	if (!folder)
		return MW_ENOMEM;
	folder->path = real_place(cx, path);
	if (!folder->path) {
		code = MW_ENOMEM;
		goto done;
	}
	room = strlen(folder->path) + 48;
	folder->temp = mw_alloc(cx, room);
	if (!folder->temp) {
		code = MW_ENOMEM;
		goto done;
	}
	char *slash = strrchr(folder->path, '/');
	if (slash && slash != folder->path) {
		*slash = '\0';
		code = mw_fs_mkdirs(cx, folder->path);
		*slash = '/';
		if (code != MW_OK)
			goto done;
	}
	for (int i = 0; i < SLOTS; i++) {
		mw_fs_folder *none = NULL;

		if (atomic_compare_exchange_strong(&folder_slots()[i], &none, folder))
			break;
	}
	/* No signal between the folder and its note, or the handler would not know of it. */
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	for (int i = 0; code == MW_OK; i++) {
		mw_format(folder->temp, room, "%s.%ld-%d.part", folder->path, (long)getpid(), i);
		if (mkdir(folder->temp, 0777) == 0)
			break;
		if (errno != EEXIST || i == 1000)
			code = mw_fs_fail(cx, path, "write");
	}
	if (code == MW_OK && !remember(cx, folder, folder->temp, "", 0, true)) {
		rmdir(folder->temp);
		code = MW_ENOMEM;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
done:
	if (code != MW_OK)
		folder_free(cx, folder);
	else
		*out = folder;
	return code;
}

/* Make dir/name for every folder above the file, remembering those that are new. */
static mw_code make_folders(mw_ctx *cx, mw_fs_folder *folder, const char *name)
{
	for (const char *p = strchr(name, '/'); p; p = strchr(p + 1, '/')) {
		node *at = remember(cx, folder, folder->temp, name, (size_t)(p - name), true);

		if (!at)
			return MW_ENOMEM;
		if (mkdir(at->path, 0777) == 0)
			continue;
		if (errno != EEXIST)
			return mw_fs_fail(cx, at->path, "make the folder");
		/* There already: an older node removes it, after what is in it. */
		atomic_store(&folder->head, at->next);
		mw_free(cx, at);
	}
	return MW_OK;
}

mw_code mw_fs_folder_create(mw_ctx *cx, mw_fs_folder *folder, mw_fs_file **out, const char *name)
{
	mw_code code = make_folders(cx, folder, name);
	mw_fs_file *f;
	node *at;

	*out = NULL;
	if (code != MW_OK)
		return code;
	f = mw_zalloc(cx, sizeof *f);
	if (!f)
		return MW_ENOMEM;
	f->slot = -1;
	f->fd = -1;
	at = remember(cx, folder, folder->temp, name, strlen(name), false);
	if (at)
		f->path = mw_alloc(cx, strlen(at->path) + 1);
	if (!f->path) {
		mw_free(cx, f);
		return MW_ENOMEM;
	}
	memcpy(f->path, at->path, strlen(at->path) + 1);
	f->fd = open(f->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (f->fd < 0) {
		code = mw_fs_fail(cx, f->path, "write");
		mw_free(cx, f->path);
		mw_free(cx, f);
		return code;
	}
	*out = f;
	return MW_OK;
}

/* Remember what lies at path under the name it gets by the swap. [depth: a stop for odd trees] */
static mw_code remember_old(
	mw_ctx *cx, mw_fs_folder *folder, const char *path, const char *temp, unsigned depth)
{
	mw_fs_names names;
	mw_code code = mw_fs_list(cx, &names, path);

	if (code == MW_OK && depth > 200)
		code = mw_fail(cx, MW_ELIMIT, "folders more than %u deep", depth);
	for (size_t i = 0; code == MW_OK && i < names.n; i++) {
		size_t len = strlen(names.v[i]), room = strlen(path) + len + 2;
		struct stat st;
		char *child = mw_alloc(cx, room);

		if (!child) {
			code = MW_ENOMEM;
			break;
		}
		mw_format(child, room, "%s/%s", path, names.v[i]);
		bool is_dir = lstat(child, &st) == 0 && S_ISDIR(st.st_mode);
		node *at = remember(cx, folder, temp, names.v[i], len, is_dir);
		code = at ? MW_OK : MW_ENOMEM;
		if (at && is_dir)
			code = remember_old(cx, folder, child, at->path, depth + 1);
		mw_free(cx, child);
	}
	mw_fs_names_free(cx, &names);
	return code;
}

/* Where the kernel or file system cannot swap: out of the way, in, and back when that fails. */
static bool swap_in_steps(const char *temp, const char *path, const char *aside)
{
	if (rename(path, aside) != 0)
		return false;
	if (rename(temp, path) != 0) {
		int why = errno;

		if (rename(aside, path) == 0)
			errno = why;
		return false;
	}
	return rename(aside, temp) == 0;
}

static bool swap(mw_ctx *cx, const char *temp, const char *path)
{
#ifdef RENAME_EXCHANGE
	if (renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_EXCHANGE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
#endif
	size_t room = strlen(temp) + 8;
	char *aside = mw_alloc(cx, room);
	bool done =
		aside && mw_format(aside, room, "%s.old", temp) && swap_in_steps(temp, path, aside);
	mw_free(cx, aside);
	return done;
}

mw_code mw_fs_folder_commit(mw_ctx *cx, mw_fs_folder *folder)
{
	mw_fs_kind kind = mw_fs_kind_of(folder->path);
	mw_code code = MW_OK;

	if (kind == MW_FS_NONE) {
		if (rename(folder->temp, folder->path) != 0)
			code = mw_fs_fail(cx, folder->path, "write");
	} else if (kind != MW_FS_DIR) {
		mw_fail(cx, MW_EIO, "cannot write the folder: there is a file of this name");
		code = mw_note(cx, "%s", folder->path);
	} else {
		code = remember_old(cx, folder, folder->path, folder->temp, 0);
		if (code == MW_OK && !swap(cx, folder->temp, folder->path)) {
			code = cx->err.code ? cx->err.code
					    : mw_fs_fail(cx, folder->path, "replace the folder");
		}
	}
	/* Under the temporary name is now the old folder, nothing, or what could not be put in
	 * place. */
	remove_all(folder);
	folder_free(cx, folder);
	return code;
}

void mw_fs_folder_discard(mw_ctx *cx, mw_fs_folder *folder)
{
	if (!folder)
		return;
	remove_all(folder);
	folder_free(cx, folder);
}

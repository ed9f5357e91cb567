#include "base/fs.h"

#include "base/fs_file.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

mw_code mw_fs_fail(mw_ctx *cx, const char *path, const char *doing)
{
	int why = errno;
	char reason[128];

	if (strerror_r(why, reason, sizeof reason) != 0)
		mw_format(reason, sizeof reason, "error %d", why);
	reason[0] = (char)(reason[0] >= 'A' && reason[0] <= 'Z' ? reason[0] + 32 : reason[0]);
	mw_fail(cx, MW_EIO, "cannot %s: %s", doing, reason);
	return mw_note(cx, "%s", path);
}

mw_code mw_fs_read(mw_ctx *cx, uint8_t **out, size_t *n, const char *path)
{
	struct stat st;
	uint8_t *p = NULL;
	size_t size, got = 0;
	mw_code code = MW_OK;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*out = NULL;
	*n = 0;
	if (fd < 0)
		return mw_fs_fail(cx, path, "open");
	if (fstat(fd, &st) != 0) {
		code = mw_fs_fail(cx, path, "read");
		goto done;
	}
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		code = mw_fs_fail(cx, path, "read");
		goto done;
	}
	if ((uint64_t)st.st_size > cx->limits.file_bytes) {
		mw_fail(cx, MW_ELIMIT, "%lld bytes, the limit is %llu", (long long)st.st_size,
			(unsigned long long)cx->limits.file_bytes);
		code = mw_note(cx, "%s", path);
		goto done;
	}
	size = (size_t)st.st_size;
	p = mw_alloc(cx, size + 1);
	if (!p) {
		code = mw_note(cx, "%s", path);
		goto done;
	}
	while (got < size) {
		ssize_t r = read(fd, p + got, size - got);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0) {
			code = mw_fs_fail(cx, path, "read");
			goto done;
		}
		if (r == 0)
			break; /* it shrank meanwhile: what is there counts */
		got += (size_t)r;
	}
	p[got] = 0;
	*out = p;
	*n = got;
	p = NULL;
done:
	mw_free(cx, p);
	close(fd);
	return code;
}

/* Temporaries of this process, so that a signal handler can remove them. A slot is claimed by its
 * flag; the name is written before the flag says so. */
#define SLOTS 64
typedef struct {
	atomic_int state; /* 0 free, 1 being set, 2 holds a name */
	char path[PATH_MAX];
} temp_slot;

static temp_slot *temp_slots(void)
{
	/* The one process-wide table: a signal handler gets no argument to find it by. */
	static temp_slot slots[SLOTS];

	return slots;
}

void mw_fs_discard_all_unfinished(void)
{
	for (int i = 0; i < SLOTS; i++)
		if (atomic_load(&temp_slots()[i].state) == 2)
			unlink(temp_slots()[i].path);
	mw__fs_discard_folders();
}

static int claim_slot(const char *temp)
{
	for (int i = 0; i < SLOTS; i++) {
		int expected = 0;

		if (strlen(temp) < PATH_MAX &&
			atomic_compare_exchange_strong(&temp_slots()[i].state, &expected, 1)) {
			memcpy(temp_slots()[i].path, temp, strlen(temp) + 1);
			atomic_store(&temp_slots()[i].state, 2);
			return i;
		}
	}
	return -1;
}

static mw_code make_parents(mw_ctx *cx, const char *path)
{
	const char *slash = strrchr(path, '/');
	mw_code code;
	char *dir;

	if (!slash || slash == path)
		return MW_OK;
	dir = mw_alloc(cx, (size_t)(slash - path) + 1);
	if (!dir)
		return MW_ENOMEM;
	memcpy(dir, path, (size_t)(slash - path));
	dir[slash - path] = '\0';
	code = mw_fs_mkdirs(cx, dir);
	mw_free(cx, dir);
	return code;
}

static void file_free(mw_ctx *cx, mw_fs_file *f)
{
	if (f->slot >= 0)
		atomic_store(&temp_slots()[f->slot].state, 0);
	mw_free(cx, f->temp);
	mw_free(cx, f->path);
	mw_free(cx, f);
}

mw_code mw_fs_create(mw_ctx *cx, mw_fs_file **out, const char *path)
{
	size_t len = strlen(path), room = len + 48;
	mw_code code = make_parents(cx, path);
	mw_fs_file *f;

	*out = NULL;
	if (code != MW_OK)
		return code;
	f = mw_zalloc(cx, sizeof *f);
	if (!f)
		return MW_ENOMEM;
	f->slot = -1;
	f->path = mw_alloc(cx, len + 1);
	f->temp = mw_alloc(cx, room);
	if (!f->path || !f->temp) {
		file_free(cx, f);
		return MW_ENOMEM;
	}
	memcpy(f->path, path, len + 1);
	/* No signal between the file and its slot, or its handler would not know of it. */
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	for (int i = 0;; i++) {
		mw_format(f->temp, room, "%s.%ld-%d.part", path, (long)getpid(), i);
		f->fd = open(f->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (f->fd >= 0 || errno != EEXIST || i == 1000)
			break;
	}
	if (f->fd >= 0)
		f->slot = claim_slot(f->temp);
	else
		code = mw_fs_fail(cx, path, "write");
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (code != MW_OK) {
		file_free(cx, f);
		return code;
	}
	*out = f;
	return MW_OK;
}

static mw_code write_at(mw_ctx *cx, mw_fs_file *f, uint64_t at, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t w = pwrite(f->fd, p, n, (off_t)at);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return mw_fs_fail(cx, f->path, "write");
		p += w;
		n -= (size_t)w;
		at += (uint64_t)w;
	}
	return MW_OK;
}

mw_code mw_fs_append(mw_ctx *cx, mw_fs_file *f, const void *bytes, size_t n)
{
	mw_code code = write_at(cx, f, f->at, bytes, n);

	if (code == MW_OK)
		f->at += n;
	return code;
}

mw_code mw_fs_patch(mw_ctx *cx, mw_fs_file *f, uint64_t offset, const void *bytes, size_t n)
{
	if (offset > f->at || n > f->at - offset)
		return mw_fail(cx, MW_EINVALID, "patch of %zu bytes at %llu, the file has %llu", n,
			(unsigned long long)offset, (unsigned long long)f->at);
	return write_at(cx, f, offset, bytes, n);
}

mw_code mw_fs_fetch(mw_ctx *cx, mw_fs_file *f, uint64_t offset, void *out, size_t n)
{
	if (offset > f->at || n > f->at - offset)
		return mw_fail(cx, MW_EINVALID, "%zu bytes wanted at %llu, the file has %llu", n,
			(unsigned long long)offset, (unsigned long long)f->at);
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(f->fd, (char *)out + done, n - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return mw_fs_fail(cx, f->path, "read");
		done += (size_t)got;
	}
	return MW_OK;
}

uint64_t mw_fs_tell(const mw_fs_file *f)
{
	return f->at;
}

const char *mw_fs_unfinished_path(const mw_fs_file *f)
{
	return f->temp;
}

mw_code mw_fs_commit(mw_ctx *cx, mw_fs_file *f)
{
	mw_code code = MW_OK;

	/* The data reaches the disk before the name does: a power cut leaves the old file whole. */
	if (fsync(f->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
		code = mw_fs_fail(cx, f->path, "write");
	if (close(f->fd) != 0 && code == MW_OK)
		code = mw_fs_fail(cx, f->path, "write");
	if (code == MW_OK && f->temp && rename(f->temp, f->path) != 0)
		code = mw_fs_fail(cx, f->path, "write");
	if (code != MW_OK)
		unlink(f->temp ? f->temp : f->path);
	file_free(cx, f);
	return code;
}

void mw_fs_discard(mw_ctx *cx, mw_fs_file *f)
{
	if (!f)
		return;
	close(f->fd);
	unlink(f->temp ? f->temp : f->path);
	file_free(cx, f);
}

mw_code mw_fs_write(mw_ctx *cx, const char *path, const void *bytes, size_t n)
{
	mw_fs_file *f;
	mw_code code = mw_fs_create(cx, &f, path);

	if (code != MW_OK)
		return code;
	code = mw_fs_append(cx, f, bytes, n);
	if (code != MW_OK) {
		mw_fs_discard(cx, f);
		return code;
	}
	return mw_fs_commit(cx, f);
}

mw_fs_kind mw_fs_kind_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return MW_FS_NONE;
	return S_ISREG(st.st_mode) ? MW_FS_FILE : S_ISDIR(st.st_mode) ? MW_FS_DIR : MW_FS_OTHER;
}

mw_code mw_fs_mkdirs(mw_ctx *cx, const char *path)
{
	size_t len = strlen(path);
	char *p = mw_alloc(cx, len + 1);
	mw_code code = MW_OK;

	if (!p)
		return MW_ENOMEM;
	memcpy(p, path, len + 1);
	for (size_t i = 1; i <= len && code == MW_OK; i++) {
		if (p[i] != '/' && p[i] != '\0')
			continue;
		p[i] = '\0';
		if (mkdir(p, 0777) != 0 && mw_fs_kind_of(p) != MW_FS_DIR)
			code = mw_fs_fail(cx, p, "make the folder");
		if (i < len)
			p[i] = '/';
	}
	mw_free(cx, p);
	return code;
}

static int name_cmp(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	return strcmp(*(char *const *)a, *(char *const *)b);
}

mw_code mw_fs_list(mw_ctx *cx, mw_fs_names *out, const char *path)
{
	mw_code code = MW_OK;
	struct dirent *e;
	DIR *dir = opendir(path);

	*out = (mw_fs_names){0};
	if (!dir)
		return mw_fs_fail(cx, path, "list the folder");
	while (code == MW_OK && (e = readdir(dir)) != NULL) {
		size_t len = strlen(e->d_name);
		char *name;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		name = mw_alloc(cx, len + 1);
		if (!name || !MW_PUSH(cx, out, name)) {
			mw_free(cx, name);
			code = MW_ENOMEM;
			break;
		}
		memcpy(name, e->d_name, len + 1);
	}
	closedir(dir);
	if (code == MW_OK)
		code = mw_sort(cx, out->v, out->n, sizeof *out->v, name_cmp, NULL);
	if (code != MW_OK)
		mw_fs_names_free(cx, out);
	return code;
}

void mw_fs_names_free(mw_ctx *cx, mw_fs_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		mw_free(cx, names->v[i]);
	mw_free(cx, names->v);
	*names = (mw_fs_names){0};
}

mw_code mw_fs_remove_tree(mw_ctx *cx, const char *path)
{
	struct stat st;
	mw_fs_names names;
	mw_code code;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? MW_OK : mw_fs_fail(cx, path, "remove");
	if (!S_ISDIR(st.st_mode))
		return unlink(path) == 0 ? MW_OK : mw_fs_fail(cx, path, "remove");
	code = mw_fs_list(cx, &names, path);
	for (size_t i = 0; code == MW_OK && i < names.n; i++) {
		size_t room = strlen(path) + strlen(names.v[i]) + 2;
		char *child = mw_alloc(cx, room);

		if (!child) {
			code = MW_ENOMEM;
			break;
		}
		mw_format(child, room, "%s/%s", path, names.v[i]);
		code = mw_fs_remove_tree(cx, child);
		mw_free(cx, child);
	}
	mw_fs_names_free(cx, &names);
	if (code == MW_OK && rmdir(path) != 0)
		code = mw_fs_fail(cx, path, "remove");
	return code;
}

mw_code mw_fs_rename(mw_ctx *cx, const char *from, const char *to)
{
	return rename(from, to) == 0 ? MW_OK : mw_fs_fail(cx, to, "rename to it");
}

#include "base/fs.h"

#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Process of a temporary's name, "<name>.<anything>.<pid>-<n>.part" or "<name>.<pid>-<n>.part"; 0:
 * this is no such name. */
static long owner_of(const char *entry, const char *name, size_t name_len)
{
	static const char tail[] = ".part";
	size_t n = strlen(entry);
	const char *at;
	char *end;
	long pid;

	if (n < name_len + sizeof tail || strncmp(entry, name, name_len) != 0 ||
		entry[name_len] != '.' || strcmp(entry + n - (sizeof tail - 1), tail) != 0)
		return 0;
	at = entry + n - (sizeof tail - 1);
	while (at > entry + name_len && at[-1] != '.')
		at--;
	if (*at < '1' || *at > '9')
		return 0;
	pid = strtol(at, &end, 10);
	if (*end != '-' || pid <= 0 || (long)(pid_t)pid != pid)
		return 0;
	for (end++; *end >= '0' && *end <= '9'; end++)
		;
	return strcmp(end, tail) == 0 && end[-1] != '-' ? pid : 0;
}

void mw_fs_sweep(mw_ctx *cx, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t dir_len = slash ? (size_t)(slash - path) : 0;
	mw_fs_names names = {0};
	mw_str full;

	if (cx->err.code != MW_OK || *name == '\0')
		return;
	mw_str_init(&full, cx);
	if (slash)
		mw_str_putn(&full, path, dir_len ? dir_len : 1);
	else
		mw_str_putc(&full, '.');
	if (full.p && mw_fs_list(cx, &names, full.p) == MW_OK) {
		for (size_t i = 0; i < names.n; i++) {
			long pid = owner_of(names.v[i], name, strlen(name));

			if (pid == 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
				continue;
			full.n = 0;
			mw_str_putn(&full, path, slash ? dir_len + 1 : 0);
			mw_str_put(&full, names.v[i]);
			if (mw_str_code(&full) == MW_OK && mw_fs_remove_tree(cx, full.p) != MW_OK)
				mw_err_clear(cx); /* another user's: it stays */
		}
	}
	mw_err_clear(cx); /* no such folder, nothing to sweep */
	mw_fs_names_free(cx, &names);
	mw_str_free(&full);
}

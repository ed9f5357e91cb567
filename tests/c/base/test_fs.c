/* Files: whole or not at all. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "base/flate.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/str.h"
#include "support/oom.h"

static char dir[256];

static const char *in_dir(const char *name)
{
	static char path[2][512];
	static int turn;

	turn ^= 1;
	mw_format(path[turn], sizeof path[turn], "%s/%s", dir, name);
	return path[turn];
}

static int setup(void **state)
{
	(void)state;
	mw_format(dir, sizeof dir, "/tmp/mapwright-fs-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	return mw_fs_remove_tree(&cx, dir) == MW_OK ? 0 : -1;
}

static size_t files_in(const char *path)
{
	mw_fs_names names;
	mw_ctx cx;
	size_t n;

	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_list(&cx, &names, path));
	n = names.n;
	mw_fs_names_free(&cx, &names);
	return n;
}

static void what_was_written_is_read(void **state)
{
	uint8_t *p;
	mw_ctx cx;
	size_t n;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_write(&cx, in_dir("a/b/c.bin"), "x\0y", 3));
	assert_ok(&cx, mw_fs_read(&cx, &p, &n, in_dir("a/b/c.bin")));
	assert_int_equal(n, 3);
	assert_memory_equal(p, "x\0y\0", 4);
	mw_free(&cx, p);
	assert_int_equal(files_in(in_dir("a/b")), 1);
}

static void a_discarded_write_leaves_the_old_file(void **state)
{
	mw_fs_file *f;
	uint8_t *p;
	mw_ctx cx;
	size_t n;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_write(&cx, in_dir("keep"), "old", 3));
	assert_ok(&cx, mw_fs_create(&cx, &f, in_dir("keep")));
	assert_ok(&cx, mw_fs_append(&cx, f, "new and longer", 14));
	mw_fs_discard(&cx, f);
	assert_ok(&cx, mw_fs_create(&cx, &f, in_dir("keep")));
	mw_fs_discard_all_unfinished(); /* as a signal handler would */
	assert_int_equal(files_in(dir), 1);
	mw_fs_discard(&cx, f);
	assert_ok(&cx, mw_fs_read(&cx, &p, &n, in_dir("keep")));
	assert_memory_equal(p, "old", 4);
	mw_free(&cx, p);
}

static void patches_stay_inside_what_was_written(void **state)
{
	mw_fs_file *f;
	uint8_t *p;
	mw_ctx cx;
	size_t n;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_create(&cx, &f, in_dir("p")));
	assert_ok(&cx, mw_fs_append(&cx, f, "0123456789", 10));
	assert_ok(&cx, mw_fs_patch(&cx, f, 4, "ab", 2));
	assert_fails(&cx, mw_fs_patch(&cx, f, 9, "ab", 2), MW_EINVALID, "patch");
	assert_int_equal(mw_fs_tell(f), 10);
	assert_ok(&cx, mw_fs_commit(&cx, f));
	assert_ok(&cx, mw_fs_read(&cx, &p, &n, in_dir("p")));
	assert_memory_equal(p, "0123ab6789", 11);
	mw_free(&cx, p);
}

static void a_missing_file_says_so(void **state)
{
	uint8_t *p;
	mw_ctx cx;
	size_t n;

	(void)state;
	mw_ctx_init(&cx);
	assert_fails(&cx, mw_fs_read(&cx, &p, &n, in_dir("none.png")), MW_EIO,
		"none.png: cannot open: no such file or directory");
	assert_fails(&cx, mw_fs_read(&cx, &p, &n, dir), MW_EIO, "is a directory");
	assert_null(p);
}

static void a_file_over_the_limit_is_not_read(void **state)
{
	uint8_t *p;
	mw_ctx cx;
	size_t n;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_write(&cx, in_dir("big"), "12345", 5));
	cx.limits.file_bytes = 4;
	assert_fails(
		&cx, mw_fs_read(&cx, &p, &n, in_dir("big")), MW_ELIMIT, "5 bytes, the limit is 4");
}

static void a_full_disk_leaves_nothing_behind(void **state)
{
	struct rlimit old, tiny;
	static char block[65536];
	mw_code code;
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_write(&cx, in_dir("full"), "old", 3));
	/* a file-size limit fails the write as a full disk does */
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	tiny = old;
	tiny.rlim_cur = 4096;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tiny), 0);
	code = mw_fs_write(&cx, in_dir("full"), block, sizeof block);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_fails(&cx, code, MW_EIO, "full: cannot write");
	assert_int_equal(files_in(dir), 1);
}

static void names_are_sorted_bytewise(void **state)
{
	mw_fs_names names;
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_write(&cx, in_dir("b"), "", 0));
	assert_ok(&cx, mw_fs_write(&cx, in_dir("B"), "", 0));
	assert_ok(&cx, mw_fs_write(&cx, in_dir("a10"), "", 0));
	assert_ok(&cx, mw_fs_write(&cx, in_dir("a9"), "", 0));
	assert_ok(&cx, mw_fs_list(&cx, &names, dir));
	assert_int_equal(names.n, 4);
	assert_string_equal(names.v[0], "B");
	assert_string_equal(names.v[1], "a10");
	assert_string_equal(names.v[3], "b");
	mw_fs_names_free(&cx, &names);
}

static void links_are_removed_but_not_followed(void **state)
{
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_write(&cx, in_dir("outside/keep"), "", 0));
	assert_ok(&cx, mw_fs_mkdirs(&cx, in_dir("tree/sub")));
	assert_int_equal(symlink(in_dir("outside"), in_dir("tree/sub/link")), 0);
	assert_ok(&cx, mw_fs_remove_tree(&cx, in_dir("tree")));
	assert_int_equal(mw_fs_kind_of(in_dir("tree")), MW_FS_NONE);
	assert_int_equal(mw_fs_kind_of(in_dir("outside/keep")), MW_FS_FILE);
}

static void deflate_round_trips_and_caps(void **state)
{
	static uint8_t plain[100000], back[100000];
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	for (size_t i = 0; i < sizeof plain; i++)
		plain[i] = (uint8_t)(i * i >> 7);
	for (mw_flate_kind kind = MW_FLATE_RAW; kind <= MW_FLATE_GZIP; kind++) {
		uint8_t *packed, *grown;
		size_t n, m;

		assert_ok(&cx, mw_deflate(&cx, &packed, &n, plain, sizeof plain, 6, kind));
		assert_ok(&cx, mw_inflate(&cx, back, sizeof back, packed, n, kind));
		assert_memory_equal(plain, back, sizeof plain);
		assert_fails(&cx, mw_inflate(&cx, back, sizeof back - 1, packed, n, kind),
			MW_EFORMAT, "more than");
		assert_fails(&cx, mw_inflate(&cx, back, sizeof back, packed, n / 2, kind),
			MW_EFORMAT, "damaged");
		assert_ok(&cx, mw_inflate_grow(&cx, &grown, &m, sizeof plain, packed, n, kind));
		assert_int_equal(m, sizeof plain);
		mw_free(&cx, grown);
		assert_fails(&cx, mw_inflate_grow(&cx, &grown, &m, 99999, packed, n, kind),
			MW_ELIMIT, "99999");
		mw_free(&cx, packed);
	}
}

static mw_code write_and_read(mw_ctx *cx, void *ud)
{
	uint8_t *p = NULL;
	mw_code code;
	size_t n;

	(void)ud;
	code = mw_fs_write(cx, in_dir("sub/oom"), "abc", 3);
	if (code == MW_OK)
		code = mw_fs_read(cx, &p, &n, in_dir("sub/oom"));
	mw_free(cx, p);
	return code;
}

static void files_survive_no_memory(void **state)
{
	(void)state;
	oom_sweep(write_and_read, NULL);
	assert_int_equal(files_in(in_dir("sub")), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static long gone_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return (long)pid;
}

/* The pattern with its '@', if it has one, replaced by a process number. */
static void with_pid(char name[64], const char *pattern, long pid)
{
	const char *at = strchr(pattern, '@');

	if (at)
		mw_format(name, 64, "%.*s%ld%s", (int)(at - pattern), pattern, pid, at + 1);
	else
		mw_format(name, 64, "%s", pattern);
}

static void sweeping_takes_what_gone_processes_left(void **state)
{
	mw_ctx cx;
	long gone = gone_process();
	char name[64];
	static const char *const kept[] = {"m.sd7", "m.sd7.part", "m.sd7.x-0.part",
		"m.sd7.0-0.part", "m.sd7.99999999999-0.part", "m.sd7.@-.part", "m.sd7.@-0",
		"m.sd7.@-0.part.png", "m.sd78.@-0.part", "n.sd7.@-0.part"};
	static const char *const swept[] = {
		"m.sd7.@-0.part", "m.sd7.m.smt.@-12.part", "m.sd7.@-1.part/sub/file"};

	(void)state;
	mw_ctx_init(&cx);
	for (size_t i = 0; i < MW_COUNTOF(kept); i++) {
		with_pid(name, kept[i], gone);
		assert_int_equal(mw_fs_write(&cx, in_dir(name), "x", 1), MW_OK);
	}
	with_pid(name, "m.sd7.@-0.part", (long)getpid());
	assert_int_equal(mw_fs_write(&cx, in_dir(name), "x", 1), MW_OK);
	for (size_t i = 0; i < MW_COUNTOF(swept); i++) {
		with_pid(name, swept[i], gone);
		assert_int_equal(mw_fs_write(&cx, in_dir(name), "x", 1), MW_OK);
	}
	assert_int_equal(files_in(dir), MW_COUNTOF(kept) + 1 + MW_COUNTOF(swept));
	mw_fs_sweep(&cx, in_dir("m.sd7"));
	assert_int_equal(cx.err.code, MW_OK);
	assert_int_equal(files_in(dir), MW_COUNTOF(kept) + 1);
	mw_fs_sweep(&cx, in_dir("nowhere/m.sd7"));
	mw_fs_sweep(&cx, "/");
	mw_fs_sweep(&cx, "");
	assert_int_equal(cx.err.code, MW_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_written_is_read),
		TEST(a_discarded_write_leaves_the_old_file),
		TEST(patches_stay_inside_what_was_written),
		TEST(a_missing_file_says_so),
		TEST(a_file_over_the_limit_is_not_read),
		TEST(a_full_disk_leaves_nothing_behind),
		TEST(names_are_sorted_bytewise),
		TEST(links_are_removed_but_not_followed),
		TEST(deflate_round_trips_and_caps),
		TEST(sweeping_takes_what_gone_processes_left),
		TEST(files_survive_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Folders, extraction and what happens when writing fails. */
#include "support/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive/archive.h"
#include "base/fs.h"
#include "base/log.h"
#include "support/oom.h"
#include "support/scratch.h"

typedef struct {
	mw_ctx cx;
	scratch dir;
	char path[600];
} fixture;

static int set_up(void **state)
{
	fixture *f = calloc(1, sizeof *f);
	mw_ctx_init(&f->cx);
	scratch_make(&f->dir);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	fixture *f = *state;
	scratch_remove(&f->dir);
	free(f);
	return 0;
}

static const char *at(fixture *f, const char *name)
{
	snprintf(f->path, sizeof f->path, "%s/%s", f->dir.path, name);
	return f->path;
}

static const mw_archive_item three[] = {
	{.name = "mapinfo.lua", .bytes = "return {}", .n = 9},
	{.name = "maps/a/b/c.txt", .bytes = "deep", .n = 4},
	{.name = "maps/empty"},
};

static void expect_file(fixture *f, const char *name, const char *text)
{
	uint8_t *bytes;
	size_t n;
	assert_ok(&f->cx, mw_fs_read(&f->cx, &bytes, &n, at(f, name)));
	assert_string_equal((const char *)bytes, text);
	mw_free(&f->cx, bytes);
}

static void kinds_go_by_the_extension(void **state)
{
	static const struct {
		const char *path;
		mw_archive_kind kind;
	} rows[] = {{"a.sdd", MW_ARCHIVE_DIR}, {"a.sdd/", MW_ARCHIVE_DIR},
		{"A.SDZ", MW_ARCHIVE_ZIP}, {"x/y.zip", MW_ARCHIVE_ZIP}, {"a.sd7", MW_ARCHIVE_7Z},
		{"a.7z", MW_ARCHIVE_7Z}, {"sd7", MW_ARCHIVE_NONE}, {"", MW_ARCHIVE_NONE},
		{"a.sd7.txt", MW_ARCHIVE_NONE}};
	(void)state;
	for (size_t i = 0; i < MW_COUNTOF(rows); i++)
		assert_int_equal(mw_archive_kind_of_name(rows[i].path), rows[i].kind);
}

static void unsafe_names_are_known(void **state)
{
	static const char *const bad[] = {"", "/", "/a", "..", "../a", "a/..", "a/../b",
		"a/b/../../../c", "c:", "C:/x", "z:x", "a\nb", "a\x7f", "a/", "maps/"};
	static const char *const good[] = {"a", "a..b", "..a", "a..", "...", ".hidden", "a/.../b",
		"./a", "a//b", "a b", "ab:c"};
	(void)state;
	for (size_t i = 0; i < MW_COUNTOF(bad); i++)
		assert_non_null(mw_archive_unsafe_name(bad[i]));
	for (size_t i = 0; i < MW_COUNTOF(good); i++)
		assert_null(mw_archive_unsafe_name(good[i]));
}

static void folder_is_written_and_replaced_whole(void **state)
{
	fixture *f = *state;
	assert_ok(&f->cx,
		mw_archive_write(
			&f->cx, at(f, "new/m.sdd"), MW_ARCHIVE_DIR, MW_ARCHIVE_NORMAL, three, 3));
	expect_file(f, "new/m.sdd/maps/a/b/c.txt", "deep");
	expect_file(f, "new/m.sdd/maps/empty", "");
	assert_ok(&f->cx,
		mw_archive_write(
			&f->cx, at(f, "new/m.sdd/"), MW_ARCHIVE_DIR, MW_ARCHIVE_NORMAL, three, 1));
	assert_int_equal(scratch_count(&f->dir, "new/m.sdd"), 1);
	assert_int_equal(scratch_count(&f->dir, "new"), 1);
}

/* What a link of the target's name leads to is replaced, beside itself. */
static void link_to_a_folder_stays_a_link(void **state)
{
	fixture *f = *state;
	char target[600];
	struct stat st;
	assert_ok(&f->cx,
		mw_archive_write(
			&f->cx, at(f, "real.sdd"), MW_ARCHIVE_DIR, MW_ARCHIVE_NORMAL, three, 3));
	snprintf(target, sizeof target, "%s", at(f, "real.sdd"));
	assert_int_equal(symlink(target, at(f, "link.sdd")), 0);
	assert_ok(&f->cx,
		mw_archive_write(
			&f->cx, at(f, "link.sdd"), MW_ARCHIVE_DIR, MW_ARCHIVE_NORMAL, three, 1));
	assert_int_equal(lstat(at(f, "link.sdd"), &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(scratch_count(&f->dir, "real.sdd"), 1);
	assert_int_equal(scratch_count(&f->dir, "."), 2);
}

static void file_in_the_way_of_a_folder_stays(void **state)
{
	fixture *f = *state;
	assert_ok(&f->cx, mw_fs_write(&f->cx, at(f, "m.sdd"), "mine", 4));
	assert_fails(&f->cx,
		mw_archive_write(
			&f->cx, at(f, "m.sdd"), MW_ARCHIVE_DIR, MW_ARCHIVE_NORMAL, three, 3),
		MW_EIO, "file of this name");
	expect_file(f, "m.sdd", "mine");
	assert_int_equal(scratch_count(&f->dir, "."), 1);
}

/* ---- extraction -------------------------------------------------------------------------------
 */

static mw_archive *archive_of(fixture *f, const mw_archive_item *items, size_t n)
{
	mw_archive *a;
	assert_ok(&f->cx,
		mw_archive_write(
			&f->cx, at(f, "x.sdz"), MW_ARCHIVE_ZIP, MW_ARCHIVE_FAST, items, n));
	assert_ok(&f->cx, mw_archive_open(&f->cx, &a, at(f, "x.sdz")));
	return a;
}

static void archive_is_extracted_to_a_new_or_empty_folder(void **state)
{
	fixture *f = *state;
	mw_archive *a = archive_of(f, three, 3);
	assert_ok(&f->cx, mw_archive_extract(&f->cx, a, at(f, "out/x")));
	expect_file(f, "out/x/maps/a/b/c.txt", "deep");
	assert_fails(
		&f->cx, mw_archive_extract(&f->cx, a, at(f, "out/x")), MW_EINVALID, "not empty");
	assert_int_equal(mkdir(at(f, "none"), 0777), 0);
	assert_ok(&f->cx, mw_archive_extract(&f->cx, a, at(f, "none")));
	expect_file(f, "none/mapinfo.lua", "return {}");
	mw_archive_close(&f->cx, a);
	assert_int_equal(scratch_count(&f->dir, "."), 3);
}

/* A stored zip made by hand: names as they come, data "x". */
static size_t put_zip(uint8_t *out, const char *const *names, size_t n, unsigned version)
{
	uint8_t central[4096];
	size_t at_n = 0, central_n = 0;
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(names[i]);
		/* crc32("x") = 0x8cdc1683 */
		const uint8_t common[26] = {(uint8_t)version, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, 0x83,
			0x16, 0xdc, 0x8c, 1, 0, 0, 0, 1, 0, 0, 0, (uint8_t)len, (uint8_t)(len >> 8),
			0, 0};
		uint8_t *c = central + central_n;
		memset(c, 0, 46);
		memcpy(c, "PK\1\2\24\0", 6);
		memcpy(c + 6, common, 26);
		for (int k = 0; k < 4; k++)
			c[42 + k] = (uint8_t)(at_n >> (8 * k));
		memcpy(c + 46, names[i], len);
		central_n += 46 + len;
		memcpy(out + at_n, "PK\3\4", 4);
		memcpy(out + at_n + 4, common, 26);
		memcpy(out + at_n + 30, names[i], len);
		out[at_n + 30 + len] = 'x';
		at_n += 31 + len;
	}
	memcpy(out + at_n, central, central_n);
	uint8_t *e = out + at_n + central_n;
	memset(e, 0, 22);
	memcpy(e, "PK\5\6", 4);
	e[8] = e[10] = (uint8_t)n;
	for (int k = 0; k < 4; k++) {
		e[12 + k] = (uint8_t)(central_n >> (8 * k));
		e[16 + k] = (uint8_t)(at_n >> (8 * k));
	}
	return at_n + central_n + 22;
}

static void hostile_names_are_all_told_and_nothing_is_written(void **state)
{
	static const char *const names[] = {"ok.txt", "../up", "a/../../up2", "/abs", "C:\\win",
		"..\\back", "bell\a", "a/../fine?"};
	fixture *f = *state;
	uint8_t bytes[4096];
	size_t n = put_zip(bytes, names, MW_COUNTOF(names), 20);
	mw_archive *a;
	assert_ok(&f->cx, mw_archive_open_bytes(&f->cx, &a, bytes, n, "h.sdz"));
	assert_int_equal(mw_archive_count(a), MW_COUNTOF(names));
	assert_true(mw_archive_find(a, "../back")->backslash);
	mw_code code = mw_archive_extract(&f->cx, a, at(f, "deep/er/out"));
	assert_int_equal(code, MW_EINVALID);
	static const char *const told[] = {"'../up'", "'a/../../up2'", "'/abs'", "'C:/win'",
		"'../back'", "'bell?'", "'a/../fine?'"};
	for (size_t i = 0; i < MW_COUNTOF(told); i++)
		assert_non_null(strstr(f->cx.err.msg, told[i]));
	assert_null(strstr(f->cx.err.msg, "ok.txt"));
	mw_err_clear(&f->cx);
	/* A single good one can still be read. */
	uint8_t *x;
	size_t x_n;
	assert_ok(&f->cx, mw_archive_read(&f->cx, &x, &x_n, a, mw_archive_find(a, "OK.txt")));
	assert_string_equal((char *)x, "x");
	mw_free(&f->cx, x);
	mw_archive_close(&f->cx, a);
	assert_int_equal(scratch_count(&f->dir, "."), 0);
}

static void dots_are_cleaned_and_the_first_of_equal_names_wins(void **state)
{
	static const char *const names[] = {"./maps//./a.txt", "b.txt", "B.TXT", "dir/"};
	fixture *f = *state;
	uint8_t bytes[4096];
	size_t n = put_zip(bytes, names, MW_COUNTOF(names), 20);
	mw_archive *a;
	assert_ok(&f->cx, mw_archive_open_bytes(&f->cx, &a, bytes, n, "d.sdz"));
	assert_int_equal(mw_archive_count(a), 3);
	assert_string_equal(mw_archive_find(a, "B.txt")->name, "b.txt");
	assert_null(mw_archive_find(a, "maps/a.txt")); /* the engine does not find it either */
	assert_ok(&f->cx, mw_archive_extract(&f->cx, a, at(f, "out")));
	expect_file(f, "out/maps/a.txt", "x");
	assert_int_equal(scratch_count(&f->dir, "out"), 2);
	mw_archive_close(&f->cx, a);
}

static void names_that_are_not_utf8_are_code_page_437(void **state)
{
	static const char *const names[] = {"\x84\x81.txt"};
	fixture *f = *state;
	uint8_t bytes[512];
	size_t n = put_zip(bytes, names, 1, 20);
	mw_archive *a;
	assert_ok(&f->cx, mw_archive_open_bytes(&f->cx, &a, bytes, n, "c.sdz"));
	assert_string_equal(mw_archive_at(a, 0)->name, "\xc3\xa4\xc3\xbc.txt");
	mw_archive_close(&f->cx, a);
}

static void encrypted_and_zip64_entries_are_told(void **state)
{
	static const char *const names[] = {"a", "b"};
	fixture *f = *state;
	uint8_t bytes[512], *out;
	size_t n = put_zip(bytes, names, 2, 20), out_n;
	mw_archive *a;
	uint8_t *central = bytes + 2 * 32;
	central[8] |= 1;                    /* flags of a */
	memset(central + 47 + 24, 0xff, 4); /* size of b */
	assert_ok(&f->cx, mw_archive_open_bytes(&f->cx, &a, bytes, n, "e.sdz"));
	assert_fails(&f->cx, mw_archive_read(&f->cx, &out, &out_n, a, mw_archive_at(a, 0)),
		MW_EUNSUPPORTED, "e.sdz: a: is encrypted");
	assert_fails(&f->cx, mw_archive_read(&f->cx, &out, &out_n, a, mw_archive_at(a, 1)),
		MW_EUNSUPPORTED, "zip64");
	mw_archive_close(&f->cx, a);
}

/* ---- limits -------------------------------------------------------------------------------------
 */

static void ratio_stops_a_bomb_below_the_size_limit(void **state)
{
	fixture *f = *state;
	size_t n = (size_t)65 << 20;
	uint8_t *zeros = calloc(n, 1), *out;
	size_t out_n;
	for (int kind = MW_ARCHIVE_ZIP; kind <= MW_ARCHIVE_7Z; kind++) {
		mw_archive_item item = {.name = "zeros", .bytes = zeros, .n = n};
		mw_archive *a;
		assert_ok(&f->cx,
			mw_archive_write(&f->cx, at(f, "z"), (mw_archive_kind)kind, MW_ARCHIVE_FAST,
				&item, 1));
		assert_ok(&f->cx, mw_archive_open(&f->cx, &a, at(f, "z")));
		const mw_archive_entry *e = mw_archive_at(a, 0);
		assert_fails(&f->cx, mw_archive_read(&f->cx, &out, &out_n, a, e), MW_ELIMIT,
			"times what is packed, the limit is 250");
		assert_fails(
			&f->cx, mw_archive_extract(&f->cx, a, at(f, "out")), MW_ELIMIT, "zeros");
		f->cx.limits.unpack_ratio = 0;
		assert_ok(&f->cx, mw_archive_read(&f->cx, &out, &out_n, a, e));
		assert_int_equal(out_n, n);
		mw_free(&f->cx, out);
		f->cx.limits = mw_limits_default();
		mw_archive_close(&f->cx, a);
	}
	free(zeros);
	assert_int_equal(scratch_count(&f->dir, "."), 1);
}

static void sum_of_all_entries_is_limited(void **state)
{
	fixture *f = *state;
	mw_archive *a = archive_of(f, three, 3);
	f->cx.limits.unpacked_bytes = 12;
	assert_fails(&f->cx, mw_archive_extract(&f->cx, a, at(f, "out")), MW_ELIMIT,
		"maps/a/b/c.txt: with this entry 13 bytes unpacked, the limit is 12");
	f->cx.limits.unpacked_bytes = 13;
	assert_ok(&f->cx, mw_archive_extract(&f->cx, a, at(f, "out")));
	mw_archive_close(&f->cx, a);
}

/* ---- failure --------------------------------------------------------------------------------- */

static void full_disk_leaves_the_old_file_and_nothing_else(void **state)
{
	static uint8_t noise[200000];
	fixture *f = *state;
	struct rlimit old, small;
	uint32_t s = 1;
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (uint8_t)((s = s * 1664525 + 1013904223) >> 24);
	const mw_archive_item items[] = {
		three[0], {.name = "noise", .bytes = noise, .n = sizeof noise}};
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 100000;
	for (int kind = MW_ARCHIVE_DIR; kind <= MW_ARCHIVE_7Z; kind++) {
		assert_ok(&f->cx,
			mw_archive_write(&f->cx, at(f, "m"), (mw_archive_kind)kind, MW_ARCHIVE_FAST,
				three, 3));
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		mw_code code = mw_archive_write(
			&f->cx, at(f, "m"), (mw_archive_kind)kind, MW_ARCHIVE_FAST, items, 2);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		assert_int_equal(code, MW_EIO);
		mw_err_clear(&f->cx);
		assert_int_equal(scratch_count(&f->dir, "."), 1);
		mw_archive *a;
		assert_ok(&f->cx, mw_archive_open(&f->cx, &a, at(f, "m")));
		assert_int_equal(mw_archive_count(a), 3);
		mw_archive_close(&f->cx, a);
		assert_ok(&f->cx, mw_fs_remove_tree(&f->cx, at(f, "m")));
	}
	signal(SIGXFSZ, handler);
}

/* Killed by a signal whose handler calls mw_fs_discard_all_unfinished, in the middle of it all. */
static void on_signal(int sig)
{
	mw_fs_discard_all_unfinished();
	_exit(sig);
}

static void report(void *ud, mw_stage stage, uint64_t done, uint64_t total)
{
	(void)ud;
	(void)stage;
	if (done < total && done > 1000)
		raise(SIGTERM);
}

static void signal_in_the_middle_leaves_nothing(void **state)
{
	fixture *f = *state;
	size_t n = 20 << 20;
	uint8_t *big = calloc(n, 1);
	const mw_archive_item items[] = {{.name = "a/b/big", .bytes = big, .n = n}, three[0]};
	for (int kind = MW_ARCHIVE_DIR; kind <= MW_ARCHIVE_7Z; kind++) {
		assert_ok(&f->cx,
			mw_archive_write(&f->cx, at(f, "m"), (mw_archive_kind)kind, MW_ARCHIVE_FAST,
				three, 3));
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			mw_log log = {.progress = report};
			f->cx.log = &log;
			signal(SIGTERM, on_signal);
			if (mw_archive_write(&f->cx, at(f, "m"), (mw_archive_kind)kind,
				    MW_ARCHIVE_FAST, items, 2) != MW_OK)
				_exit(99);
			_exit(0);
		}
		int status;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == SIGTERM);
		assert_int_equal(scratch_count(&f->dir, "."), 1);
		mw_archive *a;
		assert_ok(&f->cx, mw_archive_open(&f->cx, &a, at(f, "m")));
		assert_int_equal(mw_archive_count(a), 3);
		mw_archive_close(&f->cx, a);
		assert_ok(&f->cx, mw_fs_remove_tree(&f->cx, at(f, "m")));
	}
	free(big);
}

static mw_code folder_round(mw_ctx *cx, void *ud)
{
	fixture *f = ud;
	char path[600];
	mw_archive *a = NULL;
	mw_archive_items items = {0};
	snprintf(path, sizeof path, "%s/oom.sdd", f->dir.path);
	mw_code code = mw_archive_write(cx, path, MW_ARCHIVE_DIR, MW_ARCHIVE_FAST, three, 3);
	if (code == MW_OK)
		code = mw_archive_items_of_dir(cx, &items, path, true);
	if (code == MW_OK) {
		code = items.n == 3 ? MW_OK : MW_EINVALID;
		mw_archive_items_free(cx, &items);
	}
	if (code == MW_OK)
		code = mw_archive_open(cx, &a, path);
	snprintf(path, sizeof path, "%s/oom.out", f->dir.path);
	assert_ok(&f->cx, mw_fs_remove_tree(&f->cx, path));
	if (code == MW_OK)
		code = mw_archive_extract(cx, a, path);
	mw_archive_close(cx, a);
	return code;
}

static void each_allocation_may_fail(void **state)
{
	fixture *f = *state;
	assert_true(oom_sweep(folder_round, f) > 50);
	assert_ok(&f->cx, mw_fs_remove_tree(&f->cx, at(f, "oom.sdd")));
	assert_ok(&f->cx, mw_fs_remove_tree(&f->cx, at(f, "oom.out")));
	assert_int_equal(scratch_count(&f->dir, "."), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(kinds_go_by_the_extension),
		TEST(unsafe_names_are_known),
		TEST(folder_is_written_and_replaced_whole),
		TEST(link_to_a_folder_stays_a_link),
		TEST(file_in_the_way_of_a_folder_stays),
		TEST(archive_is_extracted_to_a_new_or_empty_folder),
		TEST(hostile_names_are_all_told_and_nothing_is_written),
		TEST(dots_are_cleaned_and_the_first_of_equal_names_wins),
		TEST(names_that_are_not_utf8_are_code_page_437),
		TEST(encrypted_and_zip64_entries_are_told),
		TEST(ratio_stops_a_bomb_below_the_size_limit),
		TEST(sum_of_all_entries_is_limited),
		TEST(full_disk_leaves_the_old_file_and_nothing_else),
		TEST(signal_in_the_middle_leaves_nothing),
		TEST(each_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

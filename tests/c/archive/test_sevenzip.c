/* The 7z container, written by us and read by 7z; written by 7z and read by us. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/archive.h"
#include "base/fs.h"
#include "base/pool.h"
#include "support/oom.h"
#include "support/prefix.h"
#include "support/scratch.h"

#define SLICE ((size_t)8 << 20) /* the longest of any level */
#define NEAR ((size_t)1 << 18)
#define BIG (SLICE + 100001)

typedef struct {
	mw_ctx cx;
	scratch dir;
	uint8_t *big;
	mw_archive_item items[6];
} fixture;

/* Blocks of 8 bytes that share halves, as texture tiles do, around a long nothing; behind a slice,
 * what was before it. */
static uint8_t *tiles(mw_ctx *cx, size_t n)
{
	uint8_t *p = mw_alloc(cx, n);
	uint32_t state = 99;
	for (size_t i = 0; i < n; i++) {
		state = state * 1664525 + 1013904223;
		if (i >= SLICE)
			p[i] = p[i - NEAR];
		else if (i >= NEAR && i < SLICE - NEAR)
			p[i] = 0;
		else if (i & 4 || i < 640)
			p[i] = (uint8_t)(state >> 26);
		else
			p[i] = p[i - 8 * (1 + (state >> 28))];
	}
	return p;
}

static int set_up(void **state)
{
	fixture *f = calloc(1, sizeof *f);
	mw_ctx_init(&f->cx);
	scratch_make(&f->dir);
	f->big = tiles(&f->cx, BIG);
	f->items[0] = (mw_archive_item){.name = "maps/x.smt", .bytes = f->big, .n = BIG};
	f->items[1] = (mw_archive_item){.name = "mapinfo.lua", .bytes = "return {}\n", .n = 10};
	f->items[2] = (mw_archive_item){
		.name = "maps/gr\303\266\303\237e_\346\265\213\360\237\227\272.txt",
		.bytes = "a",
		.n = 1};
	f->items[3] = (mw_archive_item){.name = "empty.txt"};
	f->items[4] = (mw_archive_item){.name = "LuaGaia/a.lua", .bytes = f->big, .n = 3000};
	f->items[5] = (mw_archive_item){.name = "zz/none"};
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	fixture *f = *state;
	mw_free(&f->cx, f->big);
	scratch_remove(&f->dir);
	free(f);
	return 0;
}

static void expect_items(fixture *f, const char *path, size_t first, bool solid)
{
	mw_archive *a;
	assert_ok(&f->cx, mw_archive_open(&f->cx, &a, path));
	assert_int_equal(mw_archive_kind_of(a), MW_ARCHIVE_7Z);
	assert_int_equal(mw_archive_is_solid(a), solid);
	assert_int_equal(mw_archive_count(a), 6 - first);
	for (size_t i = first; i < 6; i++) {
		uint8_t *bytes;
		size_t n;
		const mw_archive_entry *e = mw_archive_find(a, f->items[i].name);
		assert_non_null(e);
		assert_string_equal(e->name, f->items[i].name);
		assert_ok(&f->cx, mw_archive_read(&f->cx, &bytes, &n, a, e));
		assert_int_equal(n, f->items[i].n);
		if (n)
			assert_memory_equal(bytes, f->items[i].bytes, n);
		mw_free(&f->cx, bytes);
	}
	mw_archive_close(&f->cx, a);
}

static void written_archive_reads_back(void **state)
{
	fixture *f = *state;
	for (int level = MW_ARCHIVE_FAST; level <= MW_ARCHIVE_RELEASE; level++) {
		char path[600];
		snprintf(path, sizeof path, "%s", scratch_path(&f->dir, "x.sd7"));
		assert_ok(&f->cx,
			mw_archive_write(
				&f->cx, path, MW_ARCHIVE_7Z, (mw_archive_level)level, f->items, 6));
		expect_items(f, path, 0, false);
	}
}

/* What BAR's check of uploaded maps looks for is the line "Solid = -". */
static void seven_zip_finds_no_fault(void **state)
{
	static const char *const programs[] = {"7zz", "7z", "7za"};
	fixture *f = *state;
	int tried = 0;
	assert_ok(&f->cx,
		mw_archive_write(&f->cx, scratch_path(&f->dir, "x.sd7"), MW_ARCHIVE_7Z,
			MW_ARCHIVE_NORMAL, f->items, 6));
	assert_ok(&f->cx,
		mw_archive_write(&f->cx, scratch_path(&f->dir, "none.sd7"), MW_ARCHIVE_7Z,
			MW_ARCHIVE_FAST, NULL, 0));
	assert_ok(&f->cx,
		mw_archive_write(&f->cx, scratch_path(&f->dir, "empty.sd7"), MW_ARCHIVE_7Z,
			MW_ARCHIVE_FAST, f->items + 5, 1));
	for (size_t i = 0; i < MW_COUNTOF(programs); i++) {
		const char *p = programs[i];
		char line[256];
		if (!scratch_try(&f->dir, p, "t x.sd7"))
			continue;
		tried++;
		scratch_try(&f->dir, p, "t none.sd7");
		scratch_try(&f->dir, p, "t empty.sd7");
		snprintf(line, sizeof line, "-c '%s l -slt x.sd7 | grep -qx \"Solid = -\"'", p);
		scratch_try(&f->dir, "sh", line);
		snprintf(line, sizeof line, "-c '%s l -slt x.sd7 | grep -qx \"Blocks = 4\"'", p);
		scratch_try(&f->dir, "sh", line);
		snprintf(line, sizeof line, "-c '! %s t x.sd7 | grep -i warning'", p);
		scratch_try(&f->dir, "sh", line);
		snprintf(line, sizeof line,
			"-c 'rm -rf out; %s x -y -oout x.sd7 && ls out/maps | wc -l | grep -qx 2'",
			p);
		scratch_try(&f->dir, "sh", line);
		uint8_t *bytes;
		size_t n;
		assert_ok(&f->cx,
			mw_fs_read(&f->cx, &bytes, &n, scratch_path(&f->dir, "out/maps/x.smt")));
		assert_int_equal(n, BIG);
		assert_memory_equal(bytes, f->big, n);
		mw_free(&f->cx, bytes);
	}
	if (!tried) {
		print_message("no 7z here\n");
		skip();
	}
}

static void put_tree(fixture *f)
{
	for (size_t i = 0; i < 6; i++) {
		char name[300];
		snprintf(name, sizeof name, "tree/%s", f->items[i].name);
		assert_ok(&f->cx,
			mw_fs_write(&f->cx, scratch_path(&f->dir, name), f->items[i].bytes,
				i == 0 ? 300000 : f->items[i].n));
	}
	f->items[0].n = 300000;
}

static const char *seven_zip(fixture *f)
{
	static const char *const programs[] = {"7zz", "7z", "7za"};
	for (size_t i = 0; i < MW_COUNTOF(programs); i++)
		if (scratch_try(&f->dir, programs[i], "i"))
			return programs[i];
	print_message("no 7z here\n");
	skip();
	return NULL;
}

static void archives_of_7z_are_read(void **state)
{
	static const struct {
		const char *options;
		bool solid;
	} made[] = {{"", true}, {"-ms=off", false}, {"-m0=lzma", true}, {"-m0=lzma -mhc=off", true},
		{"-m0=lzma2 -md=256m -ms=off", false}, {"-m0=copy", false},
		{"-m0=copy -ms=off", false}, {"-m0=bcj -m1=lzma", true},
		{"-m0=bcj -m1=lzma2 -ms=off", false}, {"-mhc=off -ms=off", false}, {"-mx=9", true}};
	fixture *f = *state;
	const char *program = seven_zip(f);
	put_tree(f);
	for (size_t i = 0; i < MW_COUNTOF(made); i++) {
		char line[200];
		snprintf(line, sizeof line,
			"-c 'cd tree && rm -f ../a.sd7 && %s a -t7z %s ../a.sd7 .'", program,
			made[i].options);
		scratch_try(&f->dir, "sh", line);
		char path[600];
		snprintf(path, sizeof path, "%s", scratch_path(&f->dir, "a.sd7"));
		expect_items(f, path, 0, made[i].solid);
	}
}

/* Members of one solid block in an order that makes the decoder start anew, and go on. */
static void members_of_a_solid_block_come_in_any_order(void **state)
{
	fixture *f = *state;
	const char *program = seven_zip(f);
	char line[200];
	mw_archive *a;
	put_tree(f);
	snprintf(line, sizeof line, "-c 'cd tree && %s a -t7z ../a.sd7 .'", program);
	scratch_try(&f->dir, "sh", line);
	assert_ok(&f->cx, mw_archive_open(&f->cx, &a, scratch_path(&f->dir, "a.sd7")));
	static const int order[] = {4, 0, 0, 2, 1, 4, 3, 2, 0, 1, 5};
	for (size_t i = 0; i < MW_COUNTOF(order); i++) {
		const mw_archive_item *item = &f->items[order[i]];
		uint8_t *bytes;
		size_t n;
		assert_ok(&f->cx,
			mw_archive_read(&f->cx, &bytes, &n, a, mw_archive_find(a, item->name)));
		assert_int_equal(n, item->n);
		if (n)
			assert_memory_equal(bytes, item->bytes, n);
		mw_free(&f->cx, bytes);
	}
	mw_archive_close(&f->cx, a);
}

static void methods_the_engine_lacks_are_named(void **state)
{
	static const struct {
		const char *options, *part;
	} made[] = {{"-m0=ppmd", "PPMd"}, {"-m0=bzip2", "BZip2"}, {"-m0=deflate", "Deflate"},
		{"-m0=delta:2 -m1=lzma", "Delta"}, {"-psecret", "AES"}};
	fixture *f = *state;
	const char *program = seven_zip(f);
	put_tree(f);
	for (size_t i = 0; i < MW_COUNTOF(made); i++) {
		char line[200];
		mw_archive *a;
		uint8_t *bytes;
		size_t n;
		snprintf(line, sizeof line,
			"-c 'cd tree && rm -f ../a.sd7 && %s a -t7z %s ../a.sd7 .'", program,
			made[i].options);
		scratch_try(&f->dir, "sh", line);
		assert_ok(&f->cx, mw_archive_open(&f->cx, &a, scratch_path(&f->dir, "a.sd7")));
		assert_int_equal(mw_archive_count(a), 6);
		const mw_archive_entry *e = mw_archive_find(a, "mapinfo.lua");
		assert_non_null(e->problem);
		assert_fails(&f->cx, mw_archive_read(&f->cx, &bytes, &n, a, e), MW_EUNSUPPORTED,
			made[i].part);
		mw_archive_close(&f->cx, a);
	}
}

/* One item from memory or from a file, by one thread or many. [owned: caller] */
static uint8_t *packed_by(fixture *f, mw_archive_level level, int threads, bool file, size_t *n)
{
	uint8_t *bytes;
	char path[600];
	mw_archive_item item = f->items[0];
	snprintf(path, sizeof path, "%s", scratch_path(&f->dir, "x.smt"));
	if (file) {
		item.bytes = NULL;
		item.path = path;
	}
	f->cx.pool = mw_pool_new(&f->cx, threads);
	assert_ok(&f->cx,
		mw_archive_write(
			&f->cx, scratch_path(&f->dir, "t.sd7"), MW_ARCHIVE_7Z, level, &item, 1));
	mw_pool_free(f->cx.pool);
	f->cx.pool = NULL;
	assert_ok(&f->cx, mw_fs_read(&f->cx, &bytes, n, scratch_path(&f->dir, "t.sd7")));
	return bytes;
}

static void bytes_do_not_depend_on_threads_or_where_they_came_from(void **state)
{
	fixture *f = *state;
	assert_ok(&f->cx, mw_fs_write(&f->cx, scratch_path(&f->dir, "x.smt"), f->big, BIG));
	for (int level = MW_ARCHIVE_FAST; level <= MW_ARCHIVE_RELEASE; level++) {
		size_t n, other_n;
		uint8_t *bytes = packed_by(f, (mw_archive_level)level, 1, false, &n);
		uint8_t *other = packed_by(f, (mw_archive_level)level, 4, true, &other_n);
		assert_int_equal(n, other_n);
		assert_memory_equal(bytes, other, n);
		mw_free(&f->cx, other);
		mw_free(&f->cx, bytes);
	}
}

static void slices_repeat_what_came_before(void **state)
{
	fixture *f = *state;
	size_t all, part;
	uint8_t *bytes = packed_by(f, MW_ARCHIVE_NORMAL, 2, false, &all);
	mw_free(&f->cx, bytes);
	f->items[0].n = SLICE;
	bytes = packed_by(f, MW_ARCHIVE_NORMAL, 2, false, &part);
	mw_free(&f->cx, bytes);
	/* apart they would take about half of their length */
	assert_true(part > NEAR / 2);
	assert_true(all < part + (BIG - SLICE) / 20);
}

static mw_code read_all(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	mw_archive *a;
	mw_code code = mw_archive_open_bytes(cx, &a, bytes, n, "x.sd7");
	(void)ud;
	if (code != MW_OK)
		return code;
	for (size_t i = 0; code == MW_OK && i < mw_archive_count(a); i++) {
		uint8_t *out;
		size_t out_n;
		code = mw_archive_read(cx, &out, &out_n, a, mw_archive_at(a, i));
		mw_free(cx, out);
	}
	mw_archive_close(cx, a);
	return code;
}

static uint32_t crc_of(const uint8_t *p, size_t n)
{
	uint32_t c = 0xffffffff;
	for (size_t i = 0; i < n; i++) {
		c ^= p[i];
		for (int k = 0; k < 8; k++)
			c = c >> 1 ^ (0xedb88320 & (0 - (c & 1)));
	}
	return ~c;
}

static void put_u32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

/* Damage behind the checksums: they are put right again, so that the parser sees it. */
static mw_code read_mended(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	uint8_t *copy = malloc(n ? n : 1);
	memcpy(copy, bytes, n);
	if (n > 32) {
		uint64_t at = 0, len = 0;
		for (int i = 7; i >= 0; i--) {
			at = at << 8 | copy[12 + i];
			len = len << 8 | copy[20 + i];
		}
		if (at <= n - 32 && len <= n - 32 - at)
			put_u32(copy + 28, crc_of(copy + 32 + at, (size_t)len));
		put_u32(copy + 8, crc_of(copy + 12, 20));
	}
	mw_code code = read_all(cx, copy, n, ud);
	free(copy);
	return code;
}

static void damage_is_refused(void **state)
{
	fixture *f = *state;
	uint8_t *bytes;
	size_t n;
	assert_ok(&f->cx,
		mw_archive_write(&f->cx, scratch_path(&f->dir, "s.sd7"), MW_ARCHIVE_7Z,
			MW_ARCHIVE_FAST, f->items + 1, 3));
	assert_ok(&f->cx, mw_fs_read(&f->cx, &bytes, &n, scratch_path(&f->dir, "s.sd7")));
	prefix_sweep(read_all, NULL, bytes, n, PREFIX_MUST_FAIL);
	mutate_sweep(read_all, NULL, bytes, n);
	mutate_sweep(read_mended, NULL, bytes, n);
	mw_free(&f->cx, bytes);
}

static void damage_in_a_solid_archive_of_7z_is_refused(void **state)
{
	fixture *f = *state;
	const char *program = seven_zip(f);
	char line[200];
	uint8_t *bytes;
	size_t n;
	put_tree(f);
	snprintf(line, sizeof line,
		"-c 'cd tree && rm maps/x.smt LuaGaia/a.lua && %s a -t7z -mhc=off -m0=bcj -m1=lzma "
		"../a.sd7 .'",
		program);
	scratch_try(&f->dir, "sh", line);
	assert_ok(&f->cx, mw_fs_read(&f->cx, &bytes, &n, scratch_path(&f->dir, "a.sd7")));
	prefix_sweep(read_all, NULL, bytes, n, PREFIX_MUST_FAIL);
	mutate_sweep(read_mended, NULL, bytes, n);
	mw_free(&f->cx, bytes);
}

static mw_code write_and_read(mw_ctx *cx, void *ud)
{
	fixture *f = ud;
	mw_archive *a = NULL;
	mw_code code = mw_archive_write(cx, scratch_path(&f->dir, "oom.sd7"), MW_ARCHIVE_7Z,
		MW_ARCHIVE_FAST, f->items + 1, 4);
	if (code == MW_OK)
		code = mw_archive_open(cx, &a, scratch_path(&f->dir, "oom.sd7"));
	for (size_t i = 0; code == MW_OK && i < mw_archive_count(a); i++) {
		uint8_t *out;
		size_t n;
		code = mw_archive_read(cx, &out, &n, a, mw_archive_at(a, i));
		mw_free(cx, out);
	}
	mw_archive_close(cx, a);
	return code;
}

static void each_allocation_may_fail(void **state)
{
	assert_true(oom_sweep(write_and_read, *state) > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(written_archive_reads_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(seven_zip_finds_no_fault, set_up, tear_down),
		cmocka_unit_test_setup_teardown(archives_of_7z_are_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			members_of_a_solid_block_come_in_any_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			methods_the_engine_lacks_are_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			bytes_do_not_depend_on_threads_or_where_they_came_from, set_up, tear_down),
		cmocka_unit_test_setup_teardown(slices_repeat_what_came_before, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			damage_in_a_solid_archive_of_7z_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(each_allocation_may_fail, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

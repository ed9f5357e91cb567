/* The zip container against readers that are not ours: minizip (the engine's own), zlib, and unzip,
 * 7z and python3 where they are installed. */
#include "support/test.h"

#include <minizip/unzip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "archive/archive.h"
#include "archive/piece.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/pool.h"
#include "base/rng.h"
#include "support/oom.h"
#include "support/prefix.h"
#include "support/scratch.h"

static uint8_t *grainy(mw_ctx *cx, size_t n, unsigned alphabet)
{
	uint8_t *p = mw_alloc(cx, n);
	uint32_t state = 12345;
	for (size_t i = 0; i < n; i++) {
		state = state * 1664525 + 1013904223;
		p[i] = (uint8_t)((state >> 24) % alphabet + (i >> 12));
	}
	return p;
}

/* ---- pieces -----------------------------------------------------------------------------------
 */

static size_t zlib_inflate(const uint8_t *in, size_t n, uint8_t *out, size_t room)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)in, .avail_in = (unsigned)n, .next_out = out};
	z.avail_out = (unsigned)room;
	assert_int_equal(inflateInit2(&z, -15), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
	return room - z.avail_out;
}

/* Every level, data from all the same to noise, pieces of odd lengths: zlib takes the joined
 * stream for one. */
static void joined_pieces_are_one_stream(void **state)
{
	static const unsigned alphabets[] = {1, 3, 60, 256};
	static const size_t lengths[] = {1, 7, 4095, 70000, 3, 65536, 150001};
	mw_ctx cx;
	mw_ctx_init(&cx);
	(void)state;
	for (int level = 1; level <= 12; level++) {
		for (size_t k = 0; k < MW_COUNTOF(alphabets); k++) {
			size_t total = 0, made = 0, at = 0;
			for (size_t i = 0; i < MW_COUNTOF(lengths); i++)
				total += lengths[i];
			uint8_t *in = grainy(&cx, total, alphabets[k]);
			uint8_t *packed = mw_alloc(&cx, mw_piece_bound(total) + 1024);
			uint8_t *back = mw_alloc(&cx, total + 1);
			for (size_t i = 0; i < MW_COUNTOF(lengths); i++) {
				size_t n;
				assert_ok(&cx,
					mw_piece_deflate(&cx, packed + made, &n, in + at,
						lengths[i], level, i + 1 == MW_COUNTOF(lengths)));
				assert_true(n <= mw_piece_bound(lengths[i]));
				made += n;
				at += lengths[i];
			}
			assert_int_equal(zlib_inflate(packed, made, back, total + 1), total);
			assert_memory_equal(in, back, total);
			mw_free(&cx, in);
			mw_free(&cx, packed);
			mw_free(&cx, back);
		}
	}
}

/* zlib's fixed, stored and dynamic blocks, which libdeflate may not have made. */
static void scan_finds_the_final_block_of_zlib_streams(void **state)
{
	static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE};
	mw_ctx cx;
	mw_ctx_init(&cx);
	(void)state;
	for (int level = 0; level <= 9; level += 3) {
		for (size_t s = 0; s < MW_COUNTOF(strategies); s++) {
			uint8_t *in = grainy(&cx, 300000, 40), *out = mw_alloc(&cx, 400000);
			z_stream z = {.next_in = in, .avail_in = 100000, .next_out = out};
			z.avail_out = 400000;
			assert_int_equal(
				deflateInit2(&z, level, Z_DEFLATED, -15, 8, strategies[s]), Z_OK);
			assert_int_equal(deflate(&z, Z_SYNC_FLUSH), Z_OK);
			/* All so far is without a final block; the rest of the stream begins here.
			 */
			uint64_t before = z.total_out, final_bit, end_bit;
			assert_false(mw_piece_scan(out, (size_t)before, &final_bit, &end_bit));
			z.avail_in = 7;
			assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
			assert_true(mw_piece_scan(out, z.total_out, &final_bit, &end_bit));
			assert_int_equal(final_bit, before * 8);
			assert_int_equal((end_bit + 7) / 8, z.total_out);
			deflateEnd(&z);
			mw_free(&cx, in);
			mw_free(&cx, out);
		}
	}
}

static mw_code scan_any(mw_ctx *cx, const uint8_t *p, size_t n, void *ud)
{
	uint64_t a, b;
	(void)ud;
	return mw_piece_scan(p, n, &a, &b) ? MW_OK : mw_fail(cx, MW_EFORMAT, "cut off");
}

static void scan_stops_at_damage(void **state)
{
	mw_ctx cx;
	size_t n;
	mw_ctx_init(&cx);
	(void)state;
	uint8_t *in = grainy(&cx, 3000, 20), *out = mw_alloc(&cx, mw_piece_bound(3000));
	assert_ok(&cx, mw_piece_deflate(&cx, out, &n, in, 3000, 6, true));
	prefix_sweep(scan_any, NULL, out, n, PREFIX_MUST_FAIL);
	mutate_sweep(scan_any, NULL, out, n);
	mw_free(&cx, in);
	mw_free(&cx, out);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

#define BIG ((size_t)(5 << 20) + 12345)

typedef struct {
	mw_ctx cx;
	scratch dir;
	uint8_t *big;
	mw_archive_item items[5];
} fixture;

static int set_up(void **state)
{
	fixture *f = calloc(1, sizeof *f);
	mw_ctx_init(&f->cx);
	scratch_make(&f->dir);
	f->big = grainy(&f->cx, BIG, 90);
	f->items[0] = (mw_archive_item){.name = "maps/x.smt", .bytes = f->big, .n = BIG};
	f->items[1] = (mw_archive_item){.name = "mapinfo.lua", .bytes = "return {}\n", .n = 10};
	f->items[2] =
		(mw_archive_item){.name = "maps/gr\303\266\303\237e.txt", .bytes = "a", .n = 1};
	f->items[3] = (mw_archive_item){.name = "empty.txt"};
	f->items[4] = (mw_archive_item){.name = "LuaGaia/a.lua",
		.bytes = "--------------------------------"
			 "--------------------------------",
		.n = 64};
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

static void written_archive_is_read_by_minizip(void **state)
{
	static const char *const names[] = {"LuaGaia/a.lua", "empty.txt", "mapinfo.lua",
		"maps/gr\303\266\303\237e.txt", "maps/x.smt"};
	static const int methods[] = {8, 0, 0, 0, 8};
	fixture *f = *state;
	for (int level = MW_ARCHIVE_FAST; level <= MW_ARCHIVE_RELEASE; level++) {
		const char *path = scratch_path(&f->dir, "x.sdz");
		assert_ok(&f->cx,
			mw_archive_write(&f->cx, path, MW_ARCHIVE_ZIP, (mw_archive_level)level,
				f->items, 5));
		unzFile z = unzOpen(path);
		assert_non_null(z);
		int i = 0;
		for (int status = unzGoToFirstFile(z); status == UNZ_OK;
			status = unzGoToNextFile(z)) {
			char name[512];
			unz_file_info info;
			assert_int_equal(unzGetCurrentFileInfo(
						 z, &info, name, sizeof name, NULL, 0, NULL, 0),
				UNZ_OK);
			assert_string_equal(name, names[i]);
			assert_int_equal(info.compression_method, methods[i]);
			assert_int_equal(info.flag, 1 << 11);
			assert_int_equal(info.dosDate, 0x00210000);
			assert_int_equal(info.external_fa, 0100644u << 16);
			assert_int_equal(info.version_needed, 20);
			const mw_archive_item *item = NULL;
			for (size_t k = 0; k < 5; k++)
				if (strcmp(f->items[k].name, name) == 0)
					item = &f->items[k];
			assert_int_equal(info.uncompressed_size, item->n);
			uint8_t *back = malloc(item->n + 1);
			assert_int_equal(unzOpenCurrentFile(z), UNZ_OK);
			assert_int_equal(
				unzReadCurrentFile(z, back, (unsigned)item->n + 1), item->n);
			assert_int_equal(unzCloseCurrentFile(z), UNZ_OK); /* checks the crc */
			assert_memory_equal(back, item->bytes, item->n);
			free(back);
			i++;
		}
		assert_int_equal(i, 5);
		unzClose(z);
	}
}

static void other_programs_find_no_fault(void **state)
{
	fixture *f = *state;
	const char *path = scratch_path(&f->dir, "x.sdz");
	assert_ok(&f->cx,
		mw_archive_write(&f->cx, path, MW_ARCHIVE_ZIP, MW_ARCHIVE_NORMAL, f->items, 5));
	int tried = 0;
	tried += scratch_try(&f->dir, "unzip", "-tq x.sdz");
	tried += scratch_try(&f->dir, "7zz", "t x.sdz");
	tried += scratch_try(&f->dir, "7z", "t x.sdz");
	tried += scratch_try(&f->dir, "python3",
		"-c \"import zipfile; z = zipfile.ZipFile('x.sdz'); "
		"assert z.testzip() is None; assert len(z.read('maps/x.smt')) == 5255225; "
		"assert 'maps/gr\\u00f6\\u00dfe.txt' in z.namelist()\"");
	if (!tried) {
		print_message("no unzip, 7z or python3 here\n");
		skip();
	}
}

static void bytes_do_not_depend_on_threads_order_or_source(void **state)
{
	fixture *f = *state;
	uint8_t *first = NULL;
	size_t first_n = 0;
	assert_ok(&f->cx, mw_fs_write(&f->cx, scratch_path(&f->dir, "smt"), f->big, BIG));
	char source[4096];
	snprintf(source, sizeof source, "%s", scratch_path(&f->dir, "smt"));
	for (int threads = 1; threads <= 7; threads += 3) {
		for (int kind = MW_ARCHIVE_ZIP; kind <= MW_ARCHIVE_ZIP; kind++) {
			mw_archive_item turned[5];
			for (size_t i = 0; i < 5; i++)
				turned[i] = f->items[4 - i];
			if (threads > 1)
				turned[4] = (mw_archive_item){.name = "maps/x.smt", .path = source};
			f->cx.pool = mw_pool_new(&f->cx, threads);
			const char *path = scratch_path(&f->dir, "t.sdz");
			assert_ok(&f->cx,
				mw_archive_write(&f->cx, path, MW_ARCHIVE_ZIP, MW_ARCHIVE_NORMAL,
					threads > 1 ? turned : f->items, 5));
			mw_pool_free(f->cx.pool);
			f->cx.pool = NULL;
			uint8_t *bytes;
			size_t n;
			assert_ok(&f->cx, mw_fs_read(&f->cx, &bytes, &n, path));
			if (!first) {
				first = bytes;
				first_n = n;
				continue;
			}
			assert_int_equal(n, first_n);
			assert_memory_equal(bytes, first, n);
			mw_free(&f->cx, bytes);
		}
	}
	mw_free(&f->cx, first);
}

static void own_reader_gives_back_what_was_written(void **state)
{
	fixture *f = *state;
	const char *path = scratch_path(&f->dir, "x.sdz");
	mw_archive *a;
	assert_ok(&f->cx,
		mw_archive_write(&f->cx, path, MW_ARCHIVE_ZIP, MW_ARCHIVE_FAST, f->items, 5));
	assert_ok(&f->cx, mw_archive_open(&f->cx, &a, path));
	assert_int_equal(mw_archive_count(a), 5);
	assert_int_equal(mw_archive_kind_of(a), MW_ARCHIVE_ZIP);
	for (size_t i = 0; i < 5; i++) {
		uint8_t *bytes;
		size_t n;
		const mw_archive_entry *e = mw_archive_find(a, f->items[i].name);
		assert_non_null(e);
		assert_ok(&f->cx, mw_archive_read(&f->cx, &bytes, &n, a, e));
		assert_int_equal(n, f->items[i].n);
		assert_memory_equal(bytes, f->items[i].bytes, n);
		assert_int_equal(bytes[n], 0);
		mw_free(&f->cx, bytes);
	}
	assert_string_equal(mw_archive_find(a, "MAPS/X.smt")->name, "maps/x.smt");
	assert_null(mw_archive_find(a, "maps/x.sm"));
	mw_archive_close(&f->cx, a);
}

/* ---- damage -----------------------------------------------------------------------------------
 */

static mw_code read_all(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	mw_archive *a;
	mw_code code = mw_archive_open_bytes(cx, &a, bytes, n, "x.sdz");
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

static void small_archive(fixture *f, uint8_t **bytes, size_t *n)
{
	const char *path = scratch_path(&f->dir, "small.sdz");
	assert_ok(&f->cx,
		mw_archive_write(&f->cx, path, MW_ARCHIVE_ZIP, MW_ARCHIVE_NORMAL, f->items + 1, 4));
	assert_ok(&f->cx, mw_fs_read(&f->cx, bytes, n, path));
}

static void every_cut_is_refused(void **state)
{
	fixture *f = *state;
	uint8_t *bytes;
	size_t n;
	small_archive(f, &bytes, &n);
	prefix_sweep(read_all, NULL, bytes, n, PREFIX_MUST_FAIL);
	mutate_sweep(read_all, NULL, bytes, n);
	mw_free(&f->cx, bytes);
}

static mw_code write_and_read(mw_ctx *cx, void *ud)
{
	fixture *f = ud;
	const char *path = scratch_path(&f->dir, "oom.sdz");
	mw_archive *a = NULL;
	mw_code code = mw_archive_write(cx, path, MW_ARCHIVE_ZIP, MW_ARCHIVE_FAST, f->items + 1, 4);
	if (code == MW_OK)
		code = mw_archive_open(cx, &a, path);
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
	assert_true(oom_sweep(write_and_read, *state) > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joined_pieces_are_one_stream),
		cmocka_unit_test(scan_finds_the_final_block_of_zlib_streams),
		cmocka_unit_test(scan_stops_at_damage),
		cmocka_unit_test_setup_teardown(
			written_archive_is_read_by_minizip, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_programs_find_no_fault, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			bytes_do_not_depend_on_threads_order_or_source, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			own_reader_gives_back_what_was_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(every_cut_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(each_allocation_may_fail, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

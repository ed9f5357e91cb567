#include "format/smf/smf.h"

#include "support/hex.h"
#include "support/oom.h"
#include "support/prefix.h"
#include "support/smf_file.h"
#include "support/test.h"

#include <string.h>

static mw_ctx cx;
static uint8_t file[32 + 3 * 680 + 16];

static int set_up(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	hex_bytes("'spring tilefile' 00  01 00 00 00  03 00 00 00  20 00 00 00  01 00 00 00", file,
		32);
	for (size_t i = 32; i < sizeof file; i++)
		file[i] = (uint8_t)(i % 249);
	return 0;
}

static const size_t whole = 32 + 3 * 680;

static void put_field(size_t at, uint8_t v)
{
	file[at] = v;
}

static void known_bytes_decode(void **state)
{
	(void)state;
	mw_smt smt;
	assert_true(mw_smt_probe(file, whole));
	assert_ok(&cx, mw_smt_read(&cx, &smt, NULL, file, whole));
	assert_int_equal(smt.declared, 3);
	assert_int_equal(smt.count, 3);
	assert_int_equal(smt.trailing, 0);
	assert_ptr_equal(smt.tiles, file + 32);
}

static void written_bytes_are_the_read_ones(void **state)
{
	(void)state;
	mw_wr out;
	mw_wr_init(&out, &cx);
	assert_ok(&cx, mw_smt_write(&cx, &out, file + 32, 3));
	assert_int_equal(out.n, whole);
	assert_memory_equal(out.p, file, whole);
	mw_wr_free(&out);
}

static void a_header_can_be_put_first_and_completed_later(void **state)
{
	(void)state;
	uint8_t header[MW_SMT_HEADER_BYTES];
	mw_smt_header(header, 0x01020304);
	assert_hex(header, 32,
		"'spring tilefile' 00  01 00 00 00  04 03 02 01  20 00 00 00  01 00 00 00");
}

static void each_corrupted_header_field_is_refused(void **state)
{
	(void)state;
	static const struct {
		size_t at;
		const char *part;
	} fields[] = {{0, "does not begin"}, {15, "does not begin"}, {16, "version is 9"},
		{24, "tile size is 9, must be 32"}, {28, "compression is 9, must be 1"}};
	mw_smt smt;
	mw_smf_findings found = {0};
	for (size_t i = 0; i < MW_COUNTOF(fields); i++) {
		set_up(NULL);
		put_field(fields[i].at, 9);
		assert_fails(&cx, mw_smt_read(&cx, &smt, &found, file, whole), MW_EFORMAT,
			fields[i].part);
	}
	set_up(NULL);
	put_field(23, 0x80);
	assert_fails(&cx, mw_smt_read(&cx, &smt, &found, file, whole), MW_EFORMAT,
		"number of tiles is -2147483645");
	assert_int_equal(found.n, 0);
}

static void a_short_file_gives_the_whole_tiles_it_has(void **state)
{
	(void)state;
	mw_smt smt;
	assert_fails(&cx, mw_smt_read(&cx, &smt, NULL, file, whole - 1), MW_EFORMAT,
		"3 tiles of 680 bytes, file of 2071 bytes has 2");
	mw_smf_findings found = {0};
	assert_ok(&cx, mw_smt_read(&cx, &smt, &found, file, whole - 1));
	assert_int_equal(smt.count, 2);
	assert_int_equal(found.n, 1);
	assert_string_equal(found.v[0].rule, "smt-short");
	mw_free(&cx, found.v);
}

static void trailing_bytes_are_only_mentioned(void **state)
{
	(void)state;
	mw_smt smt;
	mw_smf_findings found = {0};
	assert_ok(&cx, mw_smt_read(&cx, &smt, NULL, file, sizeof file));
	assert_ok(&cx, mw_smt_read(&cx, &smt, &found, file, sizeof file));
	assert_int_equal(smt.count, 3);
	assert_int_equal(smt.trailing, 16);
	assert_int_equal(found.n, 1);
	assert_int_equal(found.v[0].level, MW_SMF_WARNING);
	mw_free(&cx, found.v);
}

static void a_declared_count_of_zero_means_all_there_are(void **state)
{
	(void)state;
	mw_smt smt;
	put_field(20, 0);
	assert_ok(&cx, mw_smt_read(&cx, &smt, NULL, file, whole));
	assert_int_equal(smt.declared, 0);
	assert_int_equal(smt.count, 3);
}

static mw_code read(mw_ctx *c, const uint8_t *bytes, size_t n, void *ud)
{
	(void)ud;
	mw_smt smt;
	mw_code code = mw_smt_read(c, &smt, NULL, bytes, n);
	volatile uint8_t sum = 0; /* the sanitizer sees whether all tiles are there */
	for (size_t i = 0; !code && i < (size_t)smt.count * MW_SMT_TILE_BYTES; i++)
		sum = (uint8_t)(sum + smt.tiles[i]);
	return code;
}

static void every_truncated_prefix_fails_cleanly(void **state)
{
	(void)state;
	prefix_sweep(read, NULL, file, whole, PREFIX_MUST_FAIL);
}

static void changed_bytes_read_or_fail_cleanly(void **state)
{
	(void)state;
	mutate_sweep(read, NULL, file, 32 + 680);
}

static mw_code write(mw_ctx *c, void *ud)
{
	(void)ud;
	mw_wr out;
	mw_smt smt;
	mw_smf_findings found = {0};
	mw_wr_init(&out, c);
	mw_code code = mw_smt_read(c, &smt, &found, file, sizeof file);
	if (!code)
		code = mw_smt_write(c, &out, smt.tiles, smt.count);
	mw_wr_free(&out);
	mw_free(c, found.v);
	return code;
}

static void each_refused_allocation_is_reported_and_leaks_nothing(void **state)
{
	(void)state;
	oom_sweep(write, NULL);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup(name, set_up)
	const struct CMUnitTest tests[] = {
		T(known_bytes_decode),
		T(written_bytes_are_the_read_ones),
		T(a_header_can_be_put_first_and_completed_later),
		T(each_corrupted_header_field_is_refused),
		T(a_short_file_gives_the_whole_tiles_it_has),
		T(trailing_bytes_are_only_mentioned),
		T(a_declared_count_of_zero_means_all_there_are),
		T(every_truncated_prefix_fails_cleanly),
		T(changed_bytes_read_or_fail_cleanly),
		T(each_refused_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Reader and writer: little-endian bytes by hand, bounds, sticky failures. */
#include "support/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/rd.h"
#include "base/wr.h"
#include "support/hex.h"
#include "support/oom.h"

static void scalars_are_little_endian(void **state)
{
	mw_ctx cx;
	mw_wr w;

	(void)state;
	mw_ctx_init(&cx);
	mw_wr_init(&w, &cx);
	mw_wr_u8(&w, 0xab);
	mw_wr_u16(&w, 0x1234);
	mw_wr_u32(&w, 0xdeadbeef);
	mw_wr_u64(&w, UINT64_C(0x0102030405060708));
	mw_wr_i32(&w, -2);
	mw_wr_f32(&w, 1.5f);
	mw_wr_f64(&w, -0.25);
	assert_int_equal(mw_wr_code(&w), MW_OK);
	assert_hex(w.p, w.n,
		"ab 34 12 ef be ad de 08 07 06 05 04 03 02 01 fe ff ff ff 00 00 c0 3f"
		" 00 00 00 00 00 00 d0 bf");

	mw_rd r;
	mw_rd_init(&r, &cx, w.p, w.n);
	assert_int_equal(mw_rd_u8(&r, "a"), 0xab);
	assert_int_equal(mw_rd_u16(&r, "b"), 0x1234);
	assert_int_equal(mw_rd_u32(&r, "c"), 0xdeadbeef);
	assert_true(mw_rd_u64(&r, "d") == UINT64_C(0x0102030405060708));
	assert_int_equal(mw_rd_i32(&r, "e"), -2);
	assert_true(mw_rd_f32(&r, "f") == 1.5f);
	assert_true(mw_rd_f64(&r, "g") == -0.25);
	mw_rd_end(&r, "end");
	assert_int_equal(mw_rd_code(&r), MW_OK);
	mw_wr_free(&w);
}

static void the_first_failure_is_kept_and_names_field_and_offset(void **state)
{
	static const uint8_t six[6] = {1, 0, 0, 0, 2, 0};
	char text[256];
	mw_ctx cx;
	mw_rd r;

	(void)state;
	mw_ctx_init(&cx);
	mw_rd_init(&r, &cx, six, sizeof six);
	assert_int_equal(mw_rd_u32(&r, "header.magic"), 1);
	assert_int_equal(mw_rd_u32(&r, "header.mapid"), 0);
	assert_int_equal(mw_rd_u8(&r, "header.later"), 0);
	assert_int_equal(mw_rd_code(&r), MW_EFORMAT);
	mw_err_format(&cx.err, text, sizeof text);
	assert_string_equal(text, "@0x4: header.mapid: needs 4 bytes, 2 are left");
}

static void counts_are_checked_against_what_is_left(void **state)
{
	static const uint8_t bytes[] = {3, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
	mw_ctx cx;
	mw_rd r;

	(void)state;
	mw_ctx_init(&cx);
	mw_rd_init(&r, &cx, bytes, sizeof bytes);
	assert_int_equal(mw_rd_count(&r, 2, "faces"), 3);
	mw_rd_init(&r, &cx, bytes, sizeof bytes);
	assert_int_equal(mw_rd_count(&r, 3, "faces"), 0);
	assert_fails(
		&cx, mw_rd_code(&r), MW_EFORMAT, "faces: 3 need at least 3 bytes each, 8 are left");
	cx.limits.elements = 2;
	mw_rd_init(&r, &cx, bytes, sizeof bytes);
	assert_int_equal(mw_rd_count(&r, 2, "faces"), 0);
	assert_fails(&cx, mw_rd_code(&r), MW_ELIMIT, "over the limit of 2");
}

static void strings_end_inside_the_data(void **state)
{
	static const char text[] = "ab\0cd";
	size_t len;
	mw_ctx cx;
	mw_rd r;

	(void)state;
	mw_ctx_init(&cx);
	mw_rd_init(&r, &cx, text, 5);
	assert_string_equal(mw_rd_cstr(&r, 2, &len, "name"), "ab");
	assert_int_equal(len, 2);
	assert_null(mw_rd_cstr(&r, 10, &len, "name"));
	assert_fails(&cx, mw_rd_code(&r), MW_EFORMAT, "not ended by a zero byte");
	mw_rd_init(&r, &cx, text, 5);
	assert_null(mw_rd_cstr(&r, 1, &len, "name"));
	assert_fails(&cx, mw_rd_code(&r), MW_EFORMAT, "longer than 1 bytes");
}

static void sub_readers_keep_file_offsets(void **state)
{
	static const uint8_t bytes[16] = {0};
	mw_ctx cx;
	mw_rd r, sub;

	(void)state;
	mw_ctx_init(&cx);
	mw_rd_init(&r, &cx, bytes, sizeof bytes);
	sub = mw_rd_sub(&r, 8, 6, "block");
	mw_rd_skip(&sub, 4, "head");
	mw_rd_u32(&sub, "tail");
	assert_int_equal(cx.err.offset, 12);
	mw_err_clear(&cx);
	sub = mw_rd_sub(&r, 8, SIZE_MAX, "block");
	assert_int_equal(mw_rd_code(&r), MW_EFORMAT);
	assert_null(mw_rd_bytes(&sub, 0, "anything"));
}

static void huge_vector_counts_do_not_overflow(void **state)
{
	static const uint8_t bytes[8] = {0};
	uint16_t out[4];
	mw_ctx cx;
	mw_rd r;

	(void)state;
	mw_ctx_init(&cx);
	mw_rd_init(&r, &cx, bytes, sizeof bytes);
	assert_false(mw_rd_u16v(&r, out, SIZE_MAX / 2 + 2, "grid"));
	assert_fails(&cx, mw_rd_code(&r), MW_EFORMAT, "grid");
}

static void holes_and_chunks_are_patched(void **state)
{
	mw_ctx cx;
	mw_wr w;
	size_t slot, mark;

	(void)state;
	mw_ctx_init(&cx);
	mw_wr_init(&w, &cx);
	slot = mw_wr_hole_u32(&w);
	mark = mw_wr_chunk(&w, 0x41544144); /* DATA */
	mw_wr_bytes(&w, "xyz", 3);
	mw_wr_chunk_end(&w, mark);
	mw_wr_patch_u32(&w, slot, (uint32_t)w.n);
	assert_hex(w.p, w.n, "0f 00 00 00 'DATA' 03 00 00 00 'xyz'");
	mw_wr_free(&w);
}

static void a_writer_stops_at_its_maximum(void **state)
{
	mw_ctx cx;
	mw_wr w;

	(void)state;
	mw_ctx_init(&cx);
	mw_wr_init(&w, &cx);
	w.max = 8;
	mw_wr_u64(&w, 1);
	assert_int_equal(mw_wr_code(&w), MW_OK);
	mw_wr_u8(&w, 1);
	assert_int_equal(w.n, 8);
	assert_fails(&cx, mw_wr_code(&w), MW_ELIMIT, "over the limit of 8");
	mw_wr_free(&w);
}

static mw_code write_much(mw_ctx *cx, void *ud)
{
	mw_code code;
	mw_wr w;

	(void)ud;
	mw_wr_init(&w, cx);
	for (uint32_t i = 0; i < 1000; i++)
		mw_wr_u32(&w, i);
	code = mw_wr_code(&w);
	mw_wr_free(&w);
	return code;
}

static void running_out_of_memory_is_sticky(void **state)
{
	(void)state;
	assert_true(oom_sweep(write_much, NULL) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalars_are_little_endian),
		cmocka_unit_test(the_first_failure_is_kept_and_names_field_and_offset),
		cmocka_unit_test(counts_are_checked_against_what_is_left),
		cmocka_unit_test(strings_end_inside_the_data),
		cmocka_unit_test(sub_readers_keep_file_offsets),
		cmocka_unit_test(huge_vector_counts_do_not_overflow),
		cmocka_unit_test(holes_and_chunks_are_patched),
		cmocka_unit_test(a_writer_stops_at_its_maximum),
		cmocka_unit_test(running_out_of_memory_is_sticky),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

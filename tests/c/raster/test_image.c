#include "support/test.h"

#include "base/fs.h"
#include "base/log.h"
#include "base/mem.h"
#include "raster/image.h"
#include "raster/png.h"
#include "support/hex.h"
#include "support/oom.h"
#include "support/prefix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mw_ctx cx;
static mw_log sink;
static char last_warning[512], last_id[64];

static void on_message(void *ud, mw_log_level level, const char *id, const char *text)
{
	MW_UNUSED(ud);
	assert_int_equal(level, MW_LOG_WARNING);
	strncpy(last_warning, text, sizeof last_warning - 1);
	strncpy(last_id, id, sizeof last_id - 1);
}

static int setup(void **state)
{
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	memset(&sink, 0, sizeof sink);
	sink.message = on_message;
	cx.log = &sink;
	last_warning[0] = last_id[0] = 0;
	return 0;
}

/* 2x2 BMP, 24 bits, bottom row first: (1,2,3) (4,5,6) above (7,8,9) (10,11,12) in RGB. */
static const char bmp_text[] = "'BM' 46 00 00 00  00*4  36 00 00 00  28 00 00 00  02 00 00 00 "
			       "02 00 00 00  01 00 18 00  00*24 "
			       "09 08 07 0c 0b 0a 00 00  03 02 01 06 05 04 00 00";

/* 2x1 TGA, true colour, 24 bits, top to bottom. */
static const char tga_text[] = "00 00 02  00*5  00*4  02 00 01 00  18 20  03 02 01 06 05 04";

/* 3x1 TGA, grey. */
static const char tga_grey_text[] = "00 00 03  00*5  00*4  03 00 01 00  08 20  05 80 ff";

/* Eight bytes that every PNG begins with, chosen so that a transfer as text breaks them (PNG 1.2,
 * 3.1), then IHDR: its length and name, 4x4 px, 8 bits, RGB, its CRC left out. */
static void a_damaged_png_is_not_taken_for_an_unknown_kind(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"89 'PNG' 0d 0a 1a 0a", "damaged PNG: the file ends early"},
		{"89 'PNG' 0d", "damaged PNG: the file ends early"},
		{"89 'PNG' 0a 1a 0a 00 00 00 0d 'IHDR' 00 00 00 04 00 00 00 04 08 02 00 00 00",
			"damaged PNG: its first 8 bytes are 89 50 4e 47 0a 1a 0a 00, expected "
			"89 50 4e 47 0d 0a 1a 0a"},
		{"09 'PNG' 0d 0a 1a 0a", "damaged PNG: its first 8 bytes are 09 50"},
		{"89 'PNG' 0d 0a 1a 0a  00 00 00 00 'IHDR' 00*17",
			"damaged PNG: it does not start with a header of 13 bytes"},
		{"89 'PNG' 0d 0a 1a 0a  00 00 00 0d 'IHDR' 00 00 00 04 00 00 00 04 08 02 00 00 00 "
		 "00*4",
			"damaged PNG: the checksum of a chunk is wrong"},
		{"89 'PNG' 0d 0a 1a 0a  00 00 00 0d 'IHDR' 00 00 00 04 00 00 00 04 08 02",
			"damaged PNG: the file ends early"},
		{"", "the picture file is empty"},
	};
	uint8_t b[128];
	mw_image_info info;
	mw_image img;
	mw_grey g;
	char path[] = "/tmp/mw_test_image_XXXXXX";

	MW_UNUSED(state);
	close(mkstemp(path));
	for (size_t i = 0; i < MW_COUNTOF(cases); i++) {
		size_t n = hex_bytes(cases[i].text, b, sizeof b);

		assert_fails(&cx, mw_image_decode(&cx, &img, b, n), MW_EFORMAT, cases[i].want);
		assert_fails(&cx, mw_grey_decode(&cx, &g, b, n), MW_EFORMAT, cases[i].want);
		assert_ok(&cx, mw_fs_write(&cx, path, b, n));
		assert_fails(&cx, mw_image_probe_file(&cx, &info, path), MW_EFORMAT, cases[i].want);
		if (i == 5 || i == 6) /* in memory a probe takes what it has of the header */
			continue;
		assert_fails(&cx, mw_image_probe(&cx, &info, b, n), MW_EFORMAT, cases[i].want);
	}
	remove(path);
}

static void bmp_and_tga_decode_to_hand_values(void **state)
{
	uint8_t b[128];
	mw_image img;
	mw_image_info info;
	mw_grey g;
	MW_UNUSED(state);
	size_t n = hex_bytes(bmp_text, b, sizeof b);
	assert_ok(&cx, mw_image_probe(&cx, &info, b, n));
	assert_int_equal(info.kind, MW_IMAGE_BMP);
	assert_int_equal(info.w, 2);
	assert_ok(&cx, mw_image_decode(&cx, &img, b, n));
	assert_hex(img.px, 16, "010203ff 040506ff 070809ff 0a0b0cff");
	mw_image_free(&cx, &img);
	n = hex_bytes(tga_text, b, sizeof b);
	assert_ok(&cx, mw_image_decode(&cx, &img, b, n));
	assert_hex(img.px, 8, "010203ff 040506ff");
	mw_image_free(&cx, &img);
	n = hex_bytes(tga_grey_text, b, sizeof b);
	assert_ok(&cx, mw_grey_decode(&cx, &g, b, n));
	assert_int_equal(g.bits, 8);
	assert_int_equal(g.v[0], 5);
	assert_int_equal(g.v[1], 128);
	assert_int_equal(g.v[2], 255);
	mw_grey_free(&cx, &g);
}

/* 8x8 JPEG of one block a component: one code for a DC of 7 bits (72, 64, -64), one for end of
 * block; all quantizers 8, so that a DC of n is a level of 128 + n. */
static const char jpeg_head[] = "ff d8  ff db 00 43 00 08*64  ff c0";
static const char jpeg_tables[] = "ff c4 00 14 00 01 00*15 07  ff c4 00 14 10 01 00*15 00  ff da";

static void jpeg_decodes_to_hand_values(void **state)
{
	uint8_t b[256];
	char text[512];
	mw_image img;
	mw_grey g;
	MW_UNUSED(state);
	snprintf(text, sizeof text,
		"%s 00 0b 08 00 08 00 08 01 01 11 00 %s 00 08 01 01 00 00 3f 00 %s", jpeg_head,
		jpeg_tables, "48 7f ff d9");
	size_t n = hex_bytes(text, b, sizeof b);
	assert_ok(&cx, mw_grey_decode(&cx, &g, b, n));
	assert_int_equal(g.w, 8);
	for (int i = 0; i < 64; i++)
		assert_int_equal(g.v[i], 200);
	mw_grey_free(&cx, &g);
	/* Y 200, Cb 192, Cr 64: R 200 - 1.402 * 64, G 200 - 0.344 * 64 + 0.714 * 64, B over 255. */
	snprintf(text, sizeof text,
		"%s 00 11 08 00 08 00 08 03 01 11 00 02 11 00 03 11 00 %s "
		"00 0c 03 01 00 02 00 03 00 00 3f 00 %s",
		jpeg_head, jpeg_tables, "48 20 0f df ff d9");
	n = hex_bytes(text, b, sizeof b);
	assert_ok(&cx, mw_image_decode(&cx, &img, b, n));
	for (int i = 0; i < 64; i++)
		assert_hex(img.px + 4 * i, 4, "6e e0 ff ff");
	mw_image_free(&cx, &img);
}

static mw_code decode(mw_ctx *c, const uint8_t *bytes, size_t n, void *ud)
{
	mw_image img;
	MW_UNUSED(ud);
	mw_code code = mw_image_decode(c, &img, bytes, n);
	mw_image_free(c, &img);
	return code;
}

/* stb_image 2.27 writes past its table where a Huffman table counts more than 256 codes. */
static void jpeg_tables_with_too_many_codes_never_reach_the_decoder(void **state)
{
	uint8_t b[256];
	char text[512];
	mw_image img;
	MW_UNUSED(state);
	snprintf(text, sizeof text,
		"%s 00 0b 08 00 08 00 08 01 01 11 00 ff c4 00 14 00 %s 07 ff d9", jpeg_head,
		"80 89 01 00*13");
	size_t n = hex_bytes(text, b, sizeof b);
	assert_fails(&cx, mw_image_decode(&cx, &img, b, n), MW_EFORMAT, "impossible counts");
	/* Nor where a decoder could find one between the segments, or behind fill bytes. */
	snprintf(text, sizeof text,
		"%s 00 0b 08 00 08 00 08 01 01 11 00 00 00 ff c4 00 14 00 80 89 01 00*13 07 %s",
		jpeg_head, "ff d9");
	n = hex_bytes(text, b, sizeof b);
	assert_fails(&cx, mw_image_decode(&cx, &img, b, n), MW_EFORMAT, "impossible counts");
	memmove(b + 1, b, n);
	assert_fails(&cx, mw_image_decode(&cx, &img, b, n + 1), MW_EFORMAT, "not a PNG, JPEG");
	/* Cut off anywhere, it says so. */
	snprintf(text, sizeof text,
		"%s 00 0b 08 00 08 00 08 01 01 11 00 %s 00 08 01 01 00 00 3f 00 %s", jpeg_head,
		jpeg_tables, "48 7f ff d9");
	n = hex_bytes(text, b, sizeof b);
	prefix_sweep(decode, NULL, b, n, PREFIX_MUST_FAIL);
	mutate_sweep(decode, NULL, b, n);
	/* What does not matter to the pixels may be there. */
	memmove(b + 2 + 6, b + 2, n - 2);
	memcpy(b + 2, "\xff\xe1\0\4\xff\xc4", 6);
	assert_ok(&cx, mw_image_decode(&cx, &img, b, n + 6));
	mw_image_free(&cx, &img);
}

static void other_kinds_are_refused(void **state)
{
	mw_image img;
	MW_UNUSED(state);
	assert_fails(&cx, mw_image_decode(&cx, &img, "GIF89a\1\0\1\0", 10), MW_EFORMAT, "PNG");
	assert_fails(&cx, mw_image_decode(&cx, &img, "", 0), MW_EFORMAT, "PNG");
}

static void a_side_over_the_limit_is_refused_before_decoding(void **state)
{
	uint8_t b[128];
	mw_image img;
	MW_UNUSED(state);
	size_t n = hex_bytes(bmp_text, b, sizeof b);
	cx.limits.image_side = 1;
	assert_fails(&cx, mw_image_decode(&cx, &img, b, n), MW_ELIMIT, "2x2 px, at most 1");
}

static void a_colour_picture_is_no_grey_one(void **state)
{
	mw_image img;
	mw_grey g;
	MW_UNUSED(state);
	assert_ok(&cx, mw_image_init(&cx, &img, 3, 2));
	memset(img.px, 200, 24);
	img.px[4 * 4 + 1] = 199; /* (1, 1) */
	assert_fails(&cx, mw_grey_from_image(&cx, &g, &img), MW_EFORMAT,
		"red 200, green 199 and blue 200 differ at pixel (1, 1)");
	img.px[4 * 4 + 1] = 200;
	img.px[4 * 4 + 3] = 0; /* alpha does not matter */
	assert_ok(&cx, mw_grey_from_image(&cx, &g, &img));
	assert_int_equal(g.v[4], 200);
	mw_grey_free(&cx, &g);
	mw_image_free(&cx, &img);
}

static void raw_samples_come_in_either_byte_order(void **state)
{
	const uint8_t b[] = {1, 2, 3, 4, 5, 6, 7, 8};
	mw_grey g;
	MW_UNUSED(state);
	assert_ok(&cx, mw_grey_raw(&cx, &g, b, 8, 0, 0, false));
	assert_int_equal(g.w, 2);
	assert_int_equal(g.h, 2);
	assert_int_equal(g.v[0], 0x0201);
	assert_int_equal(g.v[3], 0x0807);
	mw_grey_free(&cx, &g);
	assert_ok(&cx, mw_grey_raw(&cx, &g, b, 8, 4, 1, true));
	assert_int_equal(g.v[0], 0x0102);
	mw_grey_free(&cx, &g);
	assert_fails(&cx, mw_grey_raw(&cx, &g, b, 6, 0, 0, false), MW_EFORMAT, "not a square");
	assert_fails(&cx, mw_grey_raw(&cx, &g, b, 7, 0, 0, false), MW_EFORMAT, "not a square");
	assert_fails(&cx, mw_grey_raw(&cx, &g, b, 8, 3, 1, false), MW_EFORMAT,
		"3x1 16-bit samples needs 6 bytes, file has 8");
	assert_fails(&cx, mw_grey_raw(&cx, &g, b, 0, 0, 0, false), MW_EFORMAT, "no pixels");
}

static void both_sizes_are_in_the_message(void **state)
{
	MW_UNUSED(state);
	assert_ok(&cx, mw_image_check_size(&cx, "metal picture", 64, 64, 64, 64));
	assert_fails(&cx, mw_image_check_size(&cx, "metal picture", 32, 16, 64, 48), MW_ERANGE,
		"the metal picture is 32x16, this map needs 64x48");
}

static void eight_bit_heights_are_spread_with_a_warning(void **state)
{
	mw_grey g;
	MW_UNUSED(state);
	assert_ok(&cx, mw_grey_init(&cx, &g, 3, 1, 8));
	g.v[1] = 128;
	g.v[2] = 255;
	mw_grey_widen(&cx, &g, "ramp.png");
	assert_int_equal(g.v[0], 0);
	assert_int_equal(g.v[1], 32896);
	assert_int_equal(g.v[2], 65535);
	assert_string_equal(last_id, "heightmap-8-bit");
	assert_non_null(strstr(last_warning, "ramp.png: the heightmap has 8 bits"));
	last_id[0] = 0;
	mw_grey_widen(&cx, &g, NULL);
	assert_int_equal(g.v[1], 32896);
	assert_string_equal(last_id, "");
	mw_grey_free(&cx, &g);
}

static void sixteen_bits_become_bytes_by_rounding(void **state)
{
	mw_grey g;
	uint8_t out[4];
	MW_UNUSED(state);
	assert_ok(&cx, mw_grey_init(&cx, &g, 4, 1, 16));
	g.v[1] = 7 * 257;
	g.v[2] = 7 * 257 + 129;
	g.v[3] = 65535;
	mw_grey_to_bytes(&cx, out, &g, NULL);
	assert_hex(out, 4, "00 07 08 ff");
	assert_string_equal(last_id, "picture-16-bit");
	mw_grey_free(&cx, &g);
}

static void half_size_is_the_rounded_mean_in_stored_values(void **state)
{
	const uint8_t in[] = {
		0, 0, 255, 1, 255, 0, 255, 2, 9, 9, 9, 9, 255, 1, 255, 3, 0, 0, 254, 4, 9, 9, 9, 9};
	uint8_t out[4];
	MW_UNUSED(state);
	mw_image_halve(out, 4, in, 12, 3, 2);
	assert_hex(out, 4, "80 00 ff 03"); /* 127.5, 0.25, 254.75, 2.5 */
}

static void shrinking_averages_areas(void **state)
{
	mw_grey in, out;
	MW_UNUSED(state);
	/* 3 -> 2: each output covers one and a half input cells. */
	assert_ok(&cx, mw_grey_init(&cx, &in, 3, 1, 16));
	in.v[0] = 300;
	in.v[1] = 600;
	in.v[2] = 60000;
	assert_ok(&cx, mw_grey_resize(&cx, &out, &in, 2, 1, MW_RESIZE_SMOOTH));
	assert_int_equal(out.v[0], 400);
	assert_int_equal(out.v[1], 40200);
	mw_grey_free(&cx, &out);
	/* 3 -> 6: linear between centres, the edge repeated. */
	assert_ok(&cx, mw_grey_resize(&cx, &out, &in, 6, 1, MW_RESIZE_SMOOTH));
	const uint16_t want[] = {300, 375, 525, 15450, 45150, 60000};
	assert_memory_equal(out.v, want, sizeof want);
	mw_grey_free(&cx, &out);
	assert_ok(&cx, mw_grey_resize(&cx, &out, &in, 6, 2, MW_RESIZE_NEAREST));
	const uint16_t near[] = {300, 300, 600, 600, 60000, 60000};
	assert_memory_equal(out.v, near, sizeof near);
	assert_memory_equal(out.v + 6, near, sizeof near);
	mw_grey_free(&cx, &out);
	mw_grey_free(&cx, &in);
}

static void a_flat_picture_stays_flat_at_every_size(void **state)
{
	mw_image in, out;
	MW_UNUSED(state);
	assert_ok(&cx, mw_image_init(&cx, &in, 37, 23));
	for (size_t i = 0; i < 37 * 23; i++)
		memcpy(in.px + 4 * i, "\x01\x80\xff\xfe", 4);
	static const uint32_t sizes[][2] = {
		{1, 1}, {36, 22}, {37, 23}, {38, 24}, {100, 7}, {5, 99}};
	for (size_t s = 0; s < MW_COUNTOF(sizes); s++) {
		assert_ok(&cx,
			mw_image_resize(
				&cx, &out, &in, sizes[s][0], sizes[s][1], MW_RESIZE_SMOOTH));
		for (size_t i = 0; i < (size_t)out.w * out.h; i++)
			assert_memory_equal(out.px + 4 * i, "\x01\x80\xff\xfe", 4);
		mw_image_free(&cx, &out);
	}
	mw_image_free(&cx, &in);
}

static void shrinking_keeps_the_mean(void **state)
{
	mw_grey in, out;
	MW_UNUSED(state);
	assert_ok(&cx, mw_grey_init(&cx, &in, 60, 50, 16));
	double sum = 0, got = 0;
	for (uint32_t i = 0; i < 3000; i++) {
		in.v[i] = (uint16_t)(i * 2654435761u >> 16);
		sum += in.v[i];
	}
	assert_ok(&cx, mw_grey_resize(&cx, &out, &in, 7, 11, MW_RESIZE_SMOOTH));
	for (uint32_t i = 0; i < 77; i++)
		got += out.v[i];
	assert_true(got / 77 - sum / 3000 < 0.6 && sum / 3000 - got / 77 < 0.6);
	mw_grey_free(&cx, &out);
	mw_grey_free(&cx, &in);
}

static void rows_resized_one_by_one_equal_the_whole(void **state)
{
	mw_image in, out;
	mw_rows *rows;
	uint8_t line[4 * 90];
	MW_UNUSED(state);
	assert_ok(&cx, mw_image_init(&cx, &in, 40, 30));
	for (uint32_t i = 0; i < 4 * 40 * 30; i++)
		in.px[i] = (uint8_t)(i * 2654435761u >> 24);
	static const uint32_t sizes[][2] = {{13, 9}, {90, 70}, {40, 30}};
	for (size_t s = 0; s < MW_COUNTOF(sizes); s++) {
		uint32_t w = sizes[s][0], h = sizes[s][1];
		assert_ok(&cx, mw_image_resize(&cx, &out, &in, w, h, MW_RESIZE_SMOOTH));
		assert_ok(&cx, mw_rows_image(&cx, &rows, &in));
		assert_ok(&cx, mw_rows_resize(&cx, &rows, rows, w, h));
		for (uint32_t y = 0; y < h; y++) {
			assert_ok(&cx, rows->next(&cx, rows, line));
			assert_memory_equal(line, out.px + (size_t)y * w * 4, w * 4);
		}
		mw_rows_close(&cx, rows);
		mw_image_free(&cx, &out);
	}
	mw_image_free(&cx, &in);
}

static mw_code resize_work(mw_ctx *c, void *ud)
{
	mw_image img = {0}, half = {0};
	mw_rows *rows = NULL;
	uint8_t line[4 * 5], b[128];
	MW_UNUSED(ud);
	mw_code code = mw_image_decode(c, &img, b, hex_bytes(bmp_text, b, sizeof b));
	if (!code)
		code = mw_image_resize(c, &half, &img, 1, 1, MW_RESIZE_SMOOTH);
	if (!code)
		code = mw_rows_image(c, &rows, &img);
	if (!code)
		code = mw_rows_resize(c, &rows, rows, 5, 5);
	if (!code)
		code = rows->next(c, rows, line);
	mw_rows_close(c, rows);
	mw_image_free(c, &half);
	mw_image_free(c, &img);
	return code;
}

static void every_failing_allocation_is_reported(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(resize_work, NULL) > 8);
}

static void damaged_bmp_and_tga_are_survived(void **state)
{
	uint8_t b[128];
	MW_UNUSED(state);
	cx.limits.image_side = 4096;
	size_t n = hex_bytes(bmp_text, b, sizeof b);
	prefix_sweep(decode, NULL, b, n, PREFIX_MAY_READ);
	n = hex_bytes(tga_text, b, sizeof b);
	prefix_sweep(decode, NULL, b, n, PREFIX_MAY_READ);
	mutate_sweep(decode, NULL, b, n);
}

/* ---- shared cases
 * -------------------------------------------------------------------------------- */

static void load_case(const char *path, mw_grey *g, mw_code want, const char *part)
{
	uint8_t *bytes;
	size_t n;
	assert_ok(&cx, mw_fs_read(&cx, &bytes, &n, test_shared(path)));
	mw_code code = mw_grey_decode(&cx, g, bytes, n);
	if (want)
		assert_fails(&cx, code, want, part);
	else
		assert_ok(&cx, code);
	mw_free(&cx, bytes);
}

static void hm01_an_8_bit_ramp(void **state)
{
	mw_grey g;
	MW_UNUSED(state);
	load_case("cases/heightmap/hm01/ramp8.png", &g, MW_OK, NULL);
	mw_grey_widen(&cx, &g, "ramp8.png");
	assert_int_equal(g.v[64], 32896);
	assert_int_equal(g.v[128 * 129 + 128], 65535);
	assert_non_null(strstr(last_warning, "8"));
	mw_grey_free(&cx, &g);
}

static void hm03_the_byte_order_of_16_bit_png(void **state)
{
	mw_grey g;
	MW_UNUSED(state);
	load_case("cases/heightmap/hm03/order.png", &g, MW_OK, NULL);
	const uint16_t want[] = {0x0102, 0x0201, 0x00ff, 0xff00, 0x1234};
	assert_memory_equal(g.v, want, sizeof want);
	assert_int_equal(g.v[100 * 129], 100);
	mw_grey_free(&cx, &g);
}

static void hm05_a_red_picture_is_no_heightmap(void **state)
{
	mw_grey g;
	MW_UNUSED(state);
	load_case("cases/heightmap/hm05/red.png", &g, MW_EFORMAT, "must be grey");
}

static void hm07_columns_are_x(void **state)
{
	mw_grey g;
	MW_UNUSED(state);
	load_case("cases/heightmap/hm07/rect.png", &g, MW_OK, NULL);
	assert_int_equal(g.w, 257);
	assert_int_equal(g.h, 129);
	assert_int_equal(g.v[0], 10);
	assert_int_equal(g.v[256], 20);
	assert_int_equal(g.v[128 * 257], 30);
	assert_int_equal(g.v[128 * 257 + 256], 40);
	assert_int_equal(g.v[5 * 257 + 200], 50);
	mw_grey_free(&cx, &g);
}

static void mg01_metal_and_grass_bytes_are_exact(void **state)
{
	mw_grey g;
	uint8_t *out = malloc(64 * 64);
	MW_UNUSED(state);
	load_case("cases/metal-grass-features/mg01/metal.png", &g, MW_OK, NULL);
	mw_grey_to_bytes(&cx, out, &g, "metal.png");
	for (int z = 0; z < 64; z++)
		for (int x = 0; x < 64; x++)
			assert_int_equal(out[z * 64 + x], (3 * x + z) & 255);
	mw_grey_free(&cx, &g);
	load_case("cases/metal-grass-features/mg01/grass.png", &g, MW_OK, NULL);
	mw_grey_to_bytes(&cx, out, &g, "grass.png");
	assert_int_equal(out[0], 1);
	assert_int_equal(out[31 * 32 + 31], 120);
	assert_string_equal(last_id, "");
	mw_grey_free(&cx, &g);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_damaged_png_is_not_taken_for_an_unknown_kind, setup),
		cmocka_unit_test_setup(bmp_and_tga_decode_to_hand_values, setup),
		cmocka_unit_test_setup(jpeg_decodes_to_hand_values, setup),
		cmocka_unit_test_setup(
			jpeg_tables_with_too_many_codes_never_reach_the_decoder, setup),
		cmocka_unit_test_setup(other_kinds_are_refused, setup),
		cmocka_unit_test_setup(a_side_over_the_limit_is_refused_before_decoding, setup),
		cmocka_unit_test_setup(a_colour_picture_is_no_grey_one, setup),
		cmocka_unit_test_setup(raw_samples_come_in_either_byte_order, setup),
		cmocka_unit_test_setup(both_sizes_are_in_the_message, setup),
		cmocka_unit_test_setup(eight_bit_heights_are_spread_with_a_warning, setup),
		cmocka_unit_test_setup(sixteen_bits_become_bytes_by_rounding, setup),
		cmocka_unit_test_setup(half_size_is_the_rounded_mean_in_stored_values, setup),
		cmocka_unit_test_setup(shrinking_averages_areas, setup),
		cmocka_unit_test_setup(a_flat_picture_stays_flat_at_every_size, setup),
		cmocka_unit_test_setup(shrinking_keeps_the_mean, setup),
		cmocka_unit_test_setup(rows_resized_one_by_one_equal_the_whole, setup),
		cmocka_unit_test_setup(every_failing_allocation_is_reported, setup),
		cmocka_unit_test_setup(damaged_bmp_and_tga_are_survived, setup),
		cmocka_unit_test_setup(hm01_an_8_bit_ramp, setup),
		cmocka_unit_test_setup(hm03_the_byte_order_of_16_bit_png, setup),
		cmocka_unit_test_setup(hm05_a_red_picture_is_no_heightmap, setup),
		cmocka_unit_test_setup(hm07_columns_are_x, setup),
		cmocka_unit_test_setup(mg01_metal_and_grass_bytes_are_exact, setup),
	};
	return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}

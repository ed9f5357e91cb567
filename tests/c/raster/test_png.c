#include "support/test.h"

#include "base/flate.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/wr.h"
#include "raster/png.h"
#include "raster/stb_impl.h"
#include "support/hex.h"
#include "support/oom.h"
#include "support/prefix.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mw_ctx cx;

/* ---- a PNG maker of the test's own: any colour type, depth and filter -------------------------
 */

static void be32(mw_wr *w, uint32_t v)
{
	for (int s = 24; s >= 0; s -= 8)
		mw_wr_u8(w, (uint8_t)(v >> s));
}

static void chunk(mw_wr *w, const char *type, const void *body, size_t n)
{
	be32(w, (uint32_t)n);
	mw_wr_bytes(w, type, 4);
	mw_wr_bytes(w, body, n);
	be32(w, mw_crc32(mw_crc32(0, type, 4), body, n));
}

typedef struct {
	uint32_t w, h;
	unsigned type, depth, interlace;
	const uint8_t *plte, *trns;
	size_t plte_n, trns_n;
	size_t idat_piece; /* 0: one chunk */
} recipe;

static size_t samples(unsigned type)
{
	return type == 2 ? 3 : type == 4 ? 2 : type == 6 ? 4 : 1;
}

static int paeth_slow(int a, int b, int c)
{
	int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
	return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* rows: unfiltered bytes, every row filtered by filter(y). */
static void make_png(mw_wr *out, const recipe *r, const uint8_t *rows, int (*filter)(uint32_t y))
{
	size_t bits = samples(r->type) * r->depth, row = (r->w * bits + 7) / 8;
	size_t bpp = bits < 8 ? 1 : bits / 8;
	uint8_t *raw = calloc(r->h, row + 1);
	for (uint32_t y = 0; y < r->h; y++) {
		const uint8_t *p = rows + y * row;
		uint8_t *o = raw + y * (row + 1);
		*o++ = (uint8_t)filter(y);
		for (size_t i = 0; i < row; i++) {
			int a = i >= bpp ? p[i - bpp] : 0, b = y ? p[i - row] : 0;
			int c = i >= bpp && y ? p[i - row - bpp] : 0;
			int guess[] = {0, a, b, (a + b) / 2, paeth_slow(a, b, c)};
			o[i] = (uint8_t)(p[i] - guess[filter(y) % 5]);
		}
	}
	uint8_t *packed = NULL;
	size_t packed_n = 0;
	assert_ok(
		&cx, mw_deflate(&cx, &packed, &packed_n, raw, r->h * (row + 1), 6, MW_FLATE_ZLIB));
	free(raw);
	uint8_t ihdr[13] = {0, 0, (uint8_t)(r->w >> 8), (uint8_t)r->w, 0, 0, (uint8_t)(r->h >> 8),
		(uint8_t)r->h, (uint8_t)r->depth, (uint8_t)r->type, 0, 0, (uint8_t)r->interlace};
	mw_wr_init(out, &cx);
	mw_wr_bytes(out, "\x89PNG\r\n\x1a\n", 8);
	chunk(out, "IHDR", ihdr, 13);
	chunk(out, "tEXt", "Title\0x", 7);
	if (r->plte)
		chunk(out, "PLTE", r->plte, r->plte_n);
	if (r->trns)
		chunk(out, "tRNS", r->trns, r->trns_n);
	size_t piece = r->idat_piece ? r->idat_piece : packed_n;
	for (size_t at = 0; at < packed_n; at += piece)
		chunk(out, "IDAT", packed + at, packed_n - at < piece ? packed_n - at : piece);
	chunk(out, "IEND", "", 0);
	mw_free(&cx, packed);
	assert_ok(&cx, mw_wr_code(out));
}

static int all_filters(uint32_t y)
{
	return (int)(y % 5);
}

static int bad_filter(uint32_t y)
{
	return y == 3 ? 5 : 0;
}

static void fill_random(uint8_t *p, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
		p[i] = (uint8_t)(seed >> 56);
	}
}

static int setup(void **state)
{
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	return 0;
}

/* ---- reading -----------------------------------------------------------------------------------
 */

static void every_kind_reads_as_an_independent_reader_does(void **state)
{
	static const unsigned kinds[][2] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {2, 8}, {3, 1},
		{3, 2}, {3, 4}, {3, 8}, {4, 8}, {6, 8}};
	static const uint32_t sizes[][2] = {{1, 1}, {3, 7}, {8, 5}, {61, 33}};
	uint8_t plte[768], rows[61 * 8 * 33];
	MW_UNUSED(state);
	fill_random(plte, sizeof plte, 5);
	for (size_t k = 0; k < MW_COUNTOF(kinds); k++) {
		for (size_t s = 0; s < MW_COUNTOF(sizes); s++) {
			recipe r = {.w = sizes[s][0],
				.h = sizes[s][1],
				.type = kinds[k][0],
				.depth = kinds[k][1],
				.idat_piece = 7};
			if (r.type == 3) {
				r.plte = plte;
				r.plte_n = 3u << r.depth;
			}
			fill_random(rows, sizeof rows, 11 + k * 4 + s);
			mw_wr png;
			make_png(&png, &r, rows, all_filters);
			mw_image img;
			assert_ok(&cx, mw_image_decode(&cx, &img, png.p, png.n));
			assert_int_equal(img.w, r.w);
			assert_int_equal(img.h, r.h);
			uint8_t *ref = NULL;
			assert_ok(&cx, mw__stb_load8(&cx, &ref, png.p, png.n, 4));
			size_t n = (size_t)r.w * r.h * 4;
			if (r.depth != 16) {
				assert_memory_equal(img.px, ref, n);
			} else { /* stb takes the high byte, we round */
				for (size_t i = 0; i < n; i++)
					assert_true(abs(img.px[i] - ref[i]) <= 1);
			}
			mw_free(&cx, ref);
			mw_image_free(&cx, &img);
			mw_wr_free(&png);
		}
	}
}

static void sixteen_bit_values_are_exact(void **state)
{
	mw_wr png;
	mw_grey g;
	MW_UNUSED(state);
	uint8_t rows[37 * 9 * 2];
	fill_random(rows, sizeof rows, 3);
	make_png(&png, &(recipe){.w = 37, .h = 9, .type = 0, .depth = 16}, rows, all_filters);
	assert_ok(&cx, mw_grey_decode(&cx, &g, png.p, png.n));
	assert_int_equal(g.bits, 16);
	for (size_t i = 0; i < 37 * 9; i++)
		assert_int_equal(g.v[i], rows[2 * i] << 8 | rows[2 * i + 1]);
	mw_grey_free(&cx, &g);
	mw_wr_free(&png);
}

static void small_depths_are_widened(void **state)
{
	mw_wr png;
	mw_grey g;
	MW_UNUSED(state);
	make_png(&png, &(recipe){.w = 4, .h = 1, .type = 0, .depth = 2}, (const uint8_t[]){0x1b},
		all_filters);
	assert_ok(&cx, mw_grey_decode(&cx, &g, png.p, png.n));
	assert_int_equal(g.bits, 8);
	for (int i = 0; i < 4; i++)
		assert_int_equal(g.v[i], 85 * i);
	mw_grey_free(&cx, &g);
	mw_wr_free(&png);
}

static void transparency_chunks_make_alpha(void **state)
{
	mw_wr png;
	mw_image img;
	MW_UNUSED(state);
	const uint8_t plte[] = {10, 20, 30, 40, 50, 60}, alpha[] = {128};
	make_png(&png,
		&(recipe){.w = 2,
			.h = 1,
			.type = 3,
			.depth = 8,
			.plte = plte,
			.plte_n = 6,
			.trns = alpha,
			.trns_n = 1},
		(const uint8_t[]){0, 1}, all_filters);
	assert_ok(&cx, mw_image_decode(&cx, &img, png.p, png.n));
	assert_hex(img.px, 8, "0a 14 1e 80 28 32 3c ff");
	mw_image_free(&cx, &img);
	mw_wr_free(&png);

	const uint8_t key[] = {0, 1, 0, 2, 0, 3};
	make_png(&png, &(recipe){.w = 2, .h = 1, .type = 2, .depth = 8, .trns = key, .trns_n = 6},
		(const uint8_t[]){1, 2, 3, 1, 2, 4}, all_filters);
	assert_ok(&cx, mw_image_decode(&cx, &img, png.p, png.n));
	assert_hex(img.px, 8, "01 02 03 00 01 02 04 ff");
	mw_image_free(&cx, &img);
	mw_wr_free(&png);
}

static void an_interlaced_picture_reads_like_a_plain_one(void **state)
{
	/* 1x1: the first pass holds the only pixel, so the plain maker can make it. */
	mw_wr png;
	mw_image img;
	MW_UNUSED(state);
	make_png(&png, &(recipe){.w = 1, .h = 1, .type = 2, .depth = 8, .interlace = 1},
		(const uint8_t[]){9, 8, 7}, all_filters);
	assert_ok(&cx, mw_image_decode(&cx, &img, png.p, png.n));
	assert_hex(img.px, 4, "09 08 07 ff");
	mw_image_free(&cx, &img);
	mw_wr_free(&png);
}

static void reading_a_file_equals_reading_memory(void **state)
{
	char path[] = "/tmp/mw_test_png_XXXXXX";
	mw_wr png;
	mw_png *reader;
	mw_image img;
	MW_UNUSED(state);
	size_t n = (size_t)300 * 3 * 500;
	uint8_t *rows = malloc(n);
	uint8_t line[300 * 4];
	fill_random(rows, n, 77); /* does not deflate: the file is larger than the read window */
	make_png(&png, &(recipe){.w = 300, .h = 500, .type = 2, .depth = 8}, rows, all_filters);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, png.p, png.n), png.n);
	close(fd);
	assert_ok(&cx, mw_image_decode(&cx, &img, png.p, png.n));
	assert_ok(&cx, mw_png_open_file(&cx, &reader, path));
	for (uint32_t y = 0; y < 500; y++) {
		assert_ok(&cx, mw_png_row_rgba(&cx, reader, line));
		assert_memory_equal(line, img.px + y * sizeof line, sizeof line);
	}
	assert_fails(&cx, mw_png_row_rgba(&cx, reader, line), MW_EINVALID, "500 rows");
	mw_png_close(&cx, reader);
	mw_image_free(&cx, &img);

	/* A truncated file names itself. */
	assert_int_equal(truncate(path, (off_t)png.n / 2), 0);
	assert_ok(&cx, mw_png_open_file(&cx, &reader, path));
	mw_code code = MW_OK;
	for (uint32_t y = 0; y < 500 && !code; y++)
		code = mw_png_row_rgba(&cx, reader, line);
	assert_int_equal(code, MW_EFORMAT);
	assert_string_equal(cx.err.subject, path);
	mw_err_clear(&cx);
	mw_png_close(&cx, reader);
	unlink(path);
	assert_fails(&cx, mw_png_open_file(&cx, &reader, path), MW_EIO, path);
	mw_wr_free(&png);
	free(rows);
}

static void damage_is_refused_with_a_reason(void **state)
{
	mw_wr png;
	mw_image img;
	uint8_t rows[16 * 3 * 16] = {0};
	MW_UNUSED(state);
	make_png(&png, &(recipe){.w = 16, .h = 16, .type = 2, .depth = 8}, rows, bad_filter);
	assert_fails(&cx, mw_image_decode(&cx, &img, png.p, png.n), MW_EFORMAT, "row 3");
	mw_wr_free(&png);

	make_png(&png, &(recipe){.w = 16, .h = 16, .type = 2, .depth = 8}, rows, all_filters);
	png.p[png.n - 12 - 1] ^= 1; /* in the CRC of IDAT */
	assert_fails(&cx, mw_image_decode(&cx, &img, png.p, png.n), MW_EFORMAT, "checksum");
	mw_wr_free(&png);

	const uint8_t plte[] = {1, 2, 3, 4, 5, 6};
	make_png(&png, &(recipe){.w = 2, .h = 1, .type = 3, .depth = 8, .plte = plte, .plte_n = 6},
		(const uint8_t[]){1, 2}, all_filters);
	assert_fails(&cx, mw_image_decode(&cx, &img, png.p, png.n), MW_EFORMAT,
		"colour 2 of a palette of 2");
	mw_wr_free(&png);

	cx.limits.image_side = 15;
	make_png(&png, &(recipe){.w = 16, .h = 16, .type = 2, .depth = 8}, rows, all_filters);
	assert_fails(&cx, mw_image_decode(&cx, &img, png.p, png.n), MW_ELIMIT, "16x16");
	mw_wr_free(&png);
}

static mw_code read_all(mw_ctx *c, const uint8_t *bytes, size_t n, void *ud)
{
	mw_image img;
	MW_UNUSED(ud);
	mw_code code = mw_image_decode(c, &img, bytes, n);
	mw_image_free(c, &img);
	return code;
}

static void truncations_and_changed_bytes_are_survived(void **state)
{
	mw_wr png;
	uint8_t rows[9 * 7];
	const uint8_t plte[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, alpha[] = {1, 2};
	MW_UNUSED(state);
	for (size_t i = 0; i < sizeof rows; i++)
		rows[i] = (uint8_t)(i % 4);
	make_png(&png,
		&(recipe){.w = 9,
			.h = 7,
			.type = 3,
			.depth = 8,
			.plte = plte,
			.plte_n = 12,
			.trns = alpha,
			.trns_n = 2,
			.idat_piece = 9},
		rows, all_filters);
	/* The last 12 bytes are IEND, which says nothing. */
	size_t whole = png.n - 12;
	for (size_t n = 0; n < whole; n++) {
		mw_image img;
		mw_code code = mw_image_decode(&cx, &img, png.p, n);
		assert_int_not_equal(code, MW_OK);
		mw_err_clear(&cx);
	}
	prefix_sweep(read_all, NULL, png.p, png.n, PREFIX_MAY_READ);
	mutate_sweep(read_all, NULL, png.p, png.n);
	mw_wr_free(&png);
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static void what_is_written_reads_back_with_two_readers(void **state)
{
	MW_UNUSED(state);
	mw_image img, back;
	uint8_t *png, *ref;
	size_t n;
	assert_ok(&cx, mw_image_init(&cx, &img, 53, 31));
	fill_random(img.px, 53 * 31 * 4, 9);
	for (int alpha = 0; alpha < 2; alpha++) {
		for (size_t i = 0; i < 53 * 31; i++)
			img.px[4 * i + 3] = alpha ? (uint8_t)i : 255;
		for (int level = 0; level <= 12; level += 3) {
			assert_ok(&cx, mw_png_encode_image(&cx, &png, &n, &img, level));
			assert_int_equal(png[25], alpha ? 6 : 2);
			assert_ok(&cx, mw_image_decode(&cx, &back, png, n));
			assert_memory_equal(back.px, img.px, 53 * 31 * 4);
			assert_ok(&cx, mw__stb_load8(&cx, &ref, png, n, 4));
			assert_memory_equal(ref, img.px, 53 * 31 * 4);
			mw_free(&cx, ref);
			mw_image_free(&cx, &back);
			mw_free(&cx, png);
		}
	}
	mw_image_free(&cx, &img);
}

static void sixteen_bit_grey_is_written_big_endian(void **state)
{
	MW_UNUSED(state);
	mw_grey g, back;
	uint8_t *png;
	uint16_t *ref;
	size_t n;
	assert_ok(&cx, mw_grey_init(&cx, &g, 70, 40, 16));
	for (uint32_t i = 0; i < 70 * 40; i++)
		g.v[i] = (uint16_t)(i * 23u);
	assert_ok(&cx, mw_png_encode_grey(&cx, &png, &n, &g, 6));
	assert_hex(png + 16, 13, "00 00 00 46  00 00 00 28  10 00 00 00 00");
	assert_ok(&cx, mw_grey_decode(&cx, &back, png, n));
	assert_memory_equal(back.v, g.v, 70 * 40 * 2);
	assert_ok(&cx, mw__stb_load16(&cx, &ref, png, n, 1));
	assert_memory_equal(ref, g.v, 70 * 40 * 2);
	mw_free(&cx, ref);
	mw_grey_free(&cx, &back);
	mw_free(&cx, png);
	g.bits = 8;
	for (uint32_t i = 0; i < 70 * 40; i++)
		g.v[i] &= 255;
	assert_ok(&cx, mw_png_encode_grey(&cx, &png, &n, &g, 1));
	assert_ok(&cx, mw_grey_decode(&cx, &back, png, n));
	assert_int_equal(back.bits, 8);
	assert_memory_equal(back.v, g.v, 70 * 40 * 2);
	mw_grey_free(&cx, &back);
	mw_free(&cx, png);
	mw_grey_free(&cx, &g);
}

static mw_code write_and_read(mw_ctx *c, void *ud)
{
	mw_grey g = {0}, back = {0};
	uint8_t *png = NULL;
	size_t n = 0;
	MW_UNUSED(ud);
	mw_code code = mw_grey_init(c, &g, 20, 20, 16);
	if (!code)
		code = mw_png_encode_grey(c, &png, &n, &g, 6);
	if (!code)
		code = mw_grey_decode(c, &back, png, n);
	mw_free(c, png);
	mw_grey_free(c, &back);
	mw_grey_free(c, &g);
	return code;
}

static void every_failing_allocation_is_reported(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(write_and_read, NULL) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_kind_reads_as_an_independent_reader_does, setup),
		cmocka_unit_test_setup(sixteen_bit_values_are_exact, setup),
		cmocka_unit_test_setup(small_depths_are_widened, setup),
		cmocka_unit_test_setup(transparency_chunks_make_alpha, setup),
		cmocka_unit_test_setup(an_interlaced_picture_reads_like_a_plain_one, setup),
		cmocka_unit_test_setup(reading_a_file_equals_reading_memory, setup),
		cmocka_unit_test_setup(damage_is_refused_with_a_reason, setup),
		cmocka_unit_test_setup(truncations_and_changed_bytes_are_survived, setup),
		cmocka_unit_test_setup(what_is_written_reads_back_with_two_readers, setup),
		cmocka_unit_test_setup(sixteen_bit_grey_is_written_big_endian, setup),
		cmocka_unit_test_setup(every_failing_allocation_is_reported, setup),
	};
	return cmocka_run_group_tests_name("png", tests, NULL, NULL);
}

#include "support/test.h"

#include "base/fs.h"
#include "base/mem.h"
#include "raster/image.h"
#include "raster/tile.h"
#include "support/oom.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mw_ctx cx;

static int setup(void **state)
{
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	return 0;
}

static void load(mw_image *img, const char *path)
{
	uint8_t *bytes;
	size_t n;
	assert_ok(&cx, mw_fs_read(&cx, &bytes, &n, test_shared(path)));
	assert_ok(&cx, mw_image_decode(&cx, img, bytes, n));
	mw_free(&cx, bytes);
}

/* Tile (tx, ty) of a picture. */
static void encode_tile(uint8_t *out, const mw_image *img, unsigned tx, unsigned ty)
{
	size_t stride = (size_t)img->w * 4;
	mw_tile_encode(cx.isa, MW_DXT1_NORMAL, out, img->px + ty * 32 * stride + tx * 128, stride);
}

static void assert_all_near(const uint8_t *px, size_t n, const int want[3], int tolerance)
{
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(px[4 * i + 3], 255);
		for (unsigned c = 0; c < 3; c++)
			if (abs(px[4 * i + c] - want[c]) > tolerance)
				fail_msg("texel %zu channel %u is %d, want %d", i, c, px[4 * i + c],
					want[c]);
	}
}

static void a_tile_is_four_levels_one_after_the_other(void **state)
{
	uint8_t rgba[32 * 128], tile[MW_TILE_BYTES], ref[512], level[32 * 32 * 4];
	MW_UNUSED(state);
	for (size_t i = 0; i < sizeof rgba; i++)
		rgba[i] = (uint8_t)(i * 2654435761u >> 24);
	mw_tile_encode(cx.isa, MW_DXT1_NORMAL, tile, rgba, 128);
	mw_dxt1_encode(cx.isa, MW_DXT1_NORMAL, ref, rgba, 128, 32, 32);
	assert_memory_equal(tile, ref, 512);
	/* The other levels by a slow mean of their own. */
	memcpy(level, rgba, sizeof rgba);
	size_t at = 512;
	for (unsigned side = 16; side >= 4; side /= 2) {
		for (unsigned y = 0; y < side; y++)
			for (unsigned x = 0; x < side; x++)
				for (unsigned c = 0; c < 4; c++) {
					const uint8_t *p =
						level + (2 * y * 2 * side + 2 * x) * 4 + c;
					int sum = p[0] + p[4] + p[8 * side] + p[8 * side + 4];
					level[(y * side + x) * 4 + c] = (uint8_t)((sum + 2) / 4);
				}
		mw_dxt1_encode(cx.isa, MW_DXT1_NORMAL, ref, level, side * 4, side, side);
		assert_memory_equal(tile + at, ref, side * side / 2);
		at += side * side / 2;
	}
	assert_int_equal(at, MW_TILE_BYTES);
}

/* ---- shared cases
 * -------------------------------------------------------------------------------- */

static void td01_no_block_has_a_transparent_texel(void **state)
{
	mw_image img;
	uint8_t tile[MW_TILE_BYTES], out[32 * 128], level[32 * 128], next[32 * 128];
	MW_UNUSED(state);
	load(&img, "cases/texture-dxt/td01/nearflat.png");
	for (unsigned ty = 0; ty < img.h / 32; ty++)
		for (unsigned tx = 0; tx < img.w / 32; tx++) {
			encode_tile(tile, &img, tx, ty);
			for (unsigned b = 0; b < 85; b++) {
				const uint8_t *p = tile + 8 * b;
				int c0 = p[0] | p[1] << 8, c1 = p[2] | p[3] << 8;
				assert_true(
					c0 > c1 || (c0 == c1 && !p[4] && !p[5] && !p[6] && !p[7]));
			}
			for (unsigned y = 0; y < 32; y++)
				memcpy(level + y * 128,
					img.px + ((ty * 32 + y) * (size_t)img.w + tx * 32) * 4,
					128);
			for (unsigned mip = 0, side = 32; mip < 4; mip++, side /= 2) {
				mw_tile_decode(out, tile, mip);
				for (size_t i = 0; i < (size_t)side * side * 4; i++)
					if (i % 4 != 3)
						assert_true(abs(out[i] - level[i]) <= 8);
				if (side > 4)
					mw_image_halve(next, side * 2, level, side * 4, side, side);
				memcpy(level, next, sizeof level);
			}
		}
	mw_image_free(&cx, &img);
}

static void td03_flat_greys_stay_grey(void **state)
{
	mw_image img;
	uint8_t tile[MW_TILE_BYTES], out[32 * 128];
	MW_UNUSED(state);
	load(&img, "cases/texture-dxt/td03/greys.png");
	encode_tile(tile, &img, 0, 0);
	mw_tile_decode(out, tile, 0);
	for (unsigned i = 0; i < 32 * 32; i++) {
		int v = img.px[((i / 32) * (size_t)img.w + i % 32) * 4];
		for (unsigned c = 0; c < 3; c++)
			assert_true(abs(out[4 * i + c] - v) <= 2);
		assert_true(abs(out[4 * i] - out[4 * i + 1]) <= 2);
	}
	mw_image_free(&cx, &img);
}

static void td05_alpha_changes_nothing(void **state)
{
	mw_image a, b;
	uint8_t ta[MW_TILE_BYTES], tb[MW_TILE_BYTES];
	MW_UNUSED(state);
	load(&a, "cases/texture-dxt/td05/opaque.png");
	load(&b, "cases/texture-dxt/td05/ramp_alpha.png");
	assert_true(mw_image_has_alpha(&b));
	encode_tile(ta, &a, 0, 0);
	encode_tile(tb, &b, 0, 0);
	assert_memory_equal(ta, tb, MW_TILE_BYTES);
	mw_image_free(&cx, &a);
	mw_image_free(&cx, &b);
}

static void td06_mips_see_no_texel_of_the_neighbour(void **state)
{
	mw_image img;
	uint8_t tile[MW_TILE_BYTES], out[32 * 128];
	MW_UNUSED(state);
	load(&img, "cases/texture-dxt/td06/redblue.png");
	for (unsigned tx = 0; tx < 2; tx++) {
		const int want[3] = {tx ? 0 : 255, 0, tx ? 255 : 0};
		encode_tile(tile, &img, tx, 0);
		for (unsigned mip = 0; mip < 4; mip++) {
			mw_tile_decode(out, tile, mip);
			assert_all_near(out, (32u >> mip) * (32u >> mip), want, 8);
		}
	}
	mw_image_free(&cx, &img);
}

static void td07_mips_average_stored_values(void **state)
{
	mw_image img;
	uint8_t tile[MW_TILE_BYTES], out[32 * 128];
	const int want[3] = {127, 127, 127};
	MW_UNUSED(state);
	load(&img, "cases/texture-dxt/td07/checker.png");
	encode_tile(tile, &img, 0, 0);
	for (unsigned mip = 1; mip < 4; mip++) {
		mw_tile_decode(out, tile, mip);
		assert_all_near(out, (32u >> mip) * (32u >> mip), want, 4);
	}
	mw_image_free(&cx, &img);
}

/* ---- deduplication
 * ------------------------------------------------------------------------------- */

enum { N = 40 };

/* Tiles whose bytes are their letter; 'a'.. */
static void letters(uint8_t *tiles, mw_hash *hashes, const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		memset(tiles + i * MW_TILE_BYTES, text[i], MW_TILE_BYTES);
		hashes[i] = mw_hash_bytes(tiles + i * MW_TILE_BYTES, MW_TILE_BYTES);
	}
}

static void assert_records(const uint8_t *p, const char *text)
{
	for (size_t i = 0; text[i]; i++)
		for (size_t k = 0; k < MW_TILE_BYTES; k++)
			assert_int_equal(p[i * MW_TILE_BYTES + k], text[i]);
}

static void equal_tiles_share_a_record_in_order_of_appearance(void **state)
{
	uint8_t tiles[N * MW_TILE_BYTES];
	mw_hash hashes[N];
	uint32_t index[N];
	mw_tile_dedup d;
	mw_wr wr;
	MW_UNUSED(state);
	mw_wr_init(&wr, &cx);
	mw_wr_bytes(&wr, "header", 6);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_tile_dedup_init(&d, true);
	letters(tiles, hashes, "abacabb");
	assert_ok(&cx, mw_tile_dedup_add(&cx, &d, &store, index, tiles, hashes, 7));
	const uint32_t first[] = {0, 1, 0, 2, 0, 1, 1};
	assert_memory_equal(index, first, sizeof first);
	letters(tiles, hashes, "dca");
	assert_ok(&cx, mw_tile_dedup_add(&cx, &d, &store, index, tiles, hashes, 3));
	const uint32_t second[] = {3, 2, 0};
	assert_memory_equal(index, second, sizeof second);
	assert_int_equal(d.records, 4);
	assert_int_equal(wr.n, 6 + 4 * MW_TILE_BYTES);
	assert_records(wr.p + 6, "abcd");
	mw_tile_dedup_free(&cx, &d);
	mw_wr_free(&wr);
}

static void equal_hashes_with_other_bytes_stay_apart(void **state)
{
	uint8_t tiles[N * MW_TILE_BYTES];
	mw_hash hashes[N] = {{0, 0}};
	uint32_t index[N];
	mw_tile_dedup d;
	mw_wr wr;
	MW_UNUSED(state);
	mw_wr_init(&wr, &cx);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_tile_dedup_init(&d, true);
	letters(tiles, hashes, "abcab");
	memset(hashes, 7, sizeof hashes);
	assert_ok(&cx, mw_tile_dedup_add(&cx, &d, &store, index, tiles, hashes, 5));
	const uint32_t want[] = {0, 1, 2, 0, 1};
	assert_memory_equal(index, want, sizeof want);
	mw_tile_dedup_free(&cx, &d);
	mw_wr_free(&wr);
}

static void without_sharing_every_tile_is_a_record(void **state)
{
	uint8_t tiles[N * MW_TILE_BYTES];
	mw_hash hashes[N];
	uint32_t index[N];
	mw_tile_dedup d;
	mw_wr wr;
	MW_UNUSED(state);
	mw_wr_init(&wr, &cx);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_tile_dedup_init(&d, false);
	letters(tiles, hashes, "aaa");
	assert_ok(&cx, mw_tile_dedup_add(&cx, &d, &store, index, tiles, hashes, 3));
	assert_int_equal(index[2], 2);
	assert_records(wr.p, "aaa");
	mw_tile_dedup_free(&cx, &d);
	mw_wr_free(&wr);
}

static void a_file_holds_the_same_records(void **state)
{
	uint8_t tiles[N * MW_TILE_BYTES], *bytes;
	mw_hash hashes[N];
	uint32_t index[N];
	mw_tile_dedup d;
	mw_fs_file *file;
	char path[] = "/tmp/mw_test_tile_XXXXXX";
	size_t n;
	MW_UNUSED(state);
	close(mkstemp(path));
	assert_ok(&cx, mw_fs_create(&cx, &file, path));
	assert_ok(&cx, mw_fs_append(&cx, file, "header", 6));
	mw_tile_store store = mw_tile_store_file(file);
	mw_tile_dedup_init(&d, true);
	letters(tiles, hashes, "abacabbdcae");
	memset(hashes, 7, sizeof hashes); /* every look-up reads back */
	assert_ok(&cx, mw_tile_dedup_add(&cx, &d, &store, index, tiles, hashes, 11));
	const uint32_t want[] = {0, 1, 0, 2, 0, 1, 1, 3, 2, 0, 4};
	assert_memory_equal(index, want, sizeof want);
	assert_ok(&cx, mw_fs_commit(&cx, file));
	assert_ok(&cx, mw_fs_read(&cx, &bytes, &n, path));
	assert_int_equal(n, 6 + 5 * MW_TILE_BYTES);
	assert_records(bytes + 6, "abcde");
	mw_free(&cx, bytes);
	unlink(path);
	mw_tile_dedup_free(&cx, &d);
}

static void thousands_of_tiles_keep_their_numbers(void **state)
{
	enum { MANY = 3000 };
	uint8_t *tiles = calloc(MANY, MW_TILE_BYTES);
	mw_hash *hashes = calloc(MANY, sizeof *hashes);
	uint32_t *index = calloc(MANY, sizeof *index);
	mw_tile_dedup d;
	mw_wr wr;
	MW_UNUSED(state);
	mw_wr_init(&wr, &cx);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_tile_dedup_init(&d, true);
	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t v = i % 1700;
		memcpy(tiles + (size_t)i * MW_TILE_BYTES, &v, 4);
		hashes[i] = mw_hash_bytes(tiles + (size_t)i * MW_TILE_BYTES, MW_TILE_BYTES);
	}
	for (uint32_t at = 0; at < MANY; at += 500)
		assert_ok(&cx,
			mw_tile_dedup_add(&cx, &d, &store, index + at,
				tiles + (size_t)at * MW_TILE_BYTES, hashes + at, 500));
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(index[i], i % 1700);
	assert_int_equal(d.records, 1700);
	mw_tile_dedup_free(&cx, &d);
	mw_wr_free(&wr);
	free(tiles);
	free(hashes);
	free(index);
}

static mw_code dedup_work(mw_ctx *c, void *ud)
{
	uint8_t tiles[N * MW_TILE_BYTES];
	mw_hash hashes[N];
	uint32_t index[N];
	mw_tile_dedup d;
	mw_wr wr;
	MW_UNUSED(ud);
	mw_wr_init(&wr, c);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_tile_dedup_init(&d, true);
	letters(tiles, hashes, "abcabcdefghijklmnopqrstuvwxyz");
	mw_code code = mw_tile_dedup_add(c, &d, &store, index, tiles, hashes, 29);
	mw_tile_dedup_free(c, &d);
	mw_wr_free(&wr);
	return code;
}

static void every_failing_allocation_is_reported(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(dedup_work, NULL) >= 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_tile_is_four_levels_one_after_the_other, setup),
		cmocka_unit_test_setup(td01_no_block_has_a_transparent_texel, setup),
		cmocka_unit_test_setup(td03_flat_greys_stay_grey, setup),
		cmocka_unit_test_setup(td05_alpha_changes_nothing, setup),
		cmocka_unit_test_setup(td06_mips_see_no_texel_of_the_neighbour, setup),
		cmocka_unit_test_setup(td07_mips_average_stored_values, setup),
		cmocka_unit_test_setup(equal_tiles_share_a_record_in_order_of_appearance, setup),
		cmocka_unit_test_setup(equal_hashes_with_other_bytes_stay_apart, setup),
		cmocka_unit_test_setup(without_sharing_every_tile_is_a_record, setup),
		cmocka_unit_test_setup(a_file_holds_the_same_records, setup),
		cmocka_unit_test_setup(thousands_of_tiles_keep_their_numbers, setup),
		cmocka_unit_test_setup(every_failing_allocation_is_reported, setup),
	};
	return cmocka_run_group_tests_name("tile", tests, NULL, NULL);
}

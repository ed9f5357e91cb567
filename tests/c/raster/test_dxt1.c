#include "support/test.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/rng.h"
#include "raster/dxt1.h"
#include "raster/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 64 /* of the pictures below [unit: px] */
#define BYTES (SIDE * SIDE * 4)

static const mw_dxt1_level levels[] = {MW_DXT1_FAST, MW_DXT1_NORMAL, MW_DXT1_BEST};

static uint8_t byte_of(double v)
{
	return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)(v + 0.5);
}

enum picture { NOISE, TEXTURE, RAMPS, NEAR_FLAT, EXTREMES, TWO_COLOURS, ONE_CHANNEL, PICTURES };

/* Pictures that go through every path of the encoder. */
static void draw(uint8_t *rgba, enum picture what, uint64_t seed)
{
	mw_rng r;
	mw_rng_init(&r, seed, "dxt1");
	uint8_t two[2][4] = {{0}};
	for (int block = 0; block < SIDE * SIDE / 16; block++) {
		int left = block % (SIDE / 4) * 4, top = block / (SIDE / 4) * 4;
		double base[3], slope[3][2];
		for (int c = 0; c < 3; c++) {
			base[c] = (double)mw_rng_below(&r, 256);
			slope[c][0] = mw_rng_unit(&r) * 16 - 8;
			slope[c][1] = mw_rng_unit(&r) * 16 - 8;
			two[0][c] = (uint8_t)mw_rng_below(&r, 256);
			two[1][c] = (uint8_t)mw_rng_below(&r, 256);
		}
		for (int k = 0; k < 16; k++) {
			int x = left + k % 4, y = top + k / 4;
			uint8_t *t = rgba + 4 * (y * SIDE + x);
			double luma = mw_rng_unit(&r) * 40 - 20;
			int pick = k == 0 ? 0 : k == 15 ? 1 : (int)mw_rng_below(&r, 2);
			for (int c = 0; c < 3; c++) {
				uint8_t any = (uint8_t)mw_rng_below(&r, 256);
				switch (what) {
				case NOISE:
					t[c] = any;
					break;
				case TEXTURE:
					t[c] = byte_of(90 + 20 * c + luma +
						30 * sin(x * 0.3 + y * 0.2) + any / 32.0);
					break;
				case RAMPS:
					t[c] = byte_of(base[c] + slope[c][0] * (k % 4) +
						slope[c][1] * (k / 4));
					break;
				case NEAR_FLAT:
					t[c] = byte_of(base[c] + any % (block * 5 / 16 % 8 + 1));
					break;
				case EXTREMES:
					t[c] = any & 1 ? 255 : 0;
					break;
				case TWO_COLOURS:
					t[c] = two[pick][c];
					break;
				default:
					t[c] = c == block % 3 ? any : 77;
				}
			}
			t[3] = (uint8_t)mw_rng_below(&r, 256);
		}
	}
}

static uint8_t picture[BYTES], blocks[BYTES / 8], again[BYTES / 8];

static unsigned word_at(const uint8_t *p)
{
	return p[0] | (unsigned)p[1] << 8;
}

static void an_empty_region_has_no_bytes_and_others_half_a_byte_per_texel(void **state)
{
	MW_UNUSED(state);
	assert_int_equal(mw_dxt1_size(0, 4), 0);
	assert_int_equal(mw_dxt1_size(4, 4), 8);
	assert_int_equal(mw_dxt1_size(32, 12), 192);
	assert_true(mw_dxt1_size(65536, 65536) == (size_t)1 << 31);
}

static void known_bytes_decode_to_hand_values(void **state)
{
	MW_UNUSED(state);
	/* red 31, then blue 31 with green 1: 0xf800 > 0x003f; indices 0 1 2 3 in every row */
	static const uint8_t four[8] = {0x00, 0xf8, 0x3f, 0x00, 0xe4, 0xe4, 0xe4, 0xe4};
	static const uint8_t four_row[16] = {
		255, 0, 0, 255, 0, 4, 255, 255, 170, 1, 85, 255, 85, 3, 170, 255};
	/* the same words the other way round: the mean, and transparent black */
	static const uint8_t three[8] = {0x3f, 0x00, 0x00, 0xf8, 0xe4, 0xe4, 0xe4, 0x1b};
	static const uint8_t three_row[16] = {
		0, 4, 255, 255, 255, 0, 0, 255, 127, 2, 127, 255, 0, 0, 0, 0};
	uint8_t out[4 * 20];
	memset(out, 0xee, sizeof out);
	mw_dxt1_decode_block(out, 20, four);
	for (int y = 0; y < 4; y++) {
		assert_memory_equal(out + 20 * y, four_row, 16);
		assert_int_equal(out[20 * y + 16], 0xee);
	}
	mw_dxt1_decode_block(out, 20, three);
	assert_memory_equal(out, three_row, 16);
	for (int x = 0; x < 4; x++) /* 0x1b: 3 2 1 0 */
		assert_memory_equal(out + 60 + 4 * x, three_row + 4 * (3 - x), 4);
	/* equal words are the three-colour kind too */
	static const uint8_t equal[8] = {0xff, 0xff, 0xff, 0xff, 0xe4, 0, 0, 0};
	static const uint8_t equal_row[16] = {
		255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0};
	mw_dxt1_decode_block(out, 20, equal);
	assert_memory_equal(out, equal_row, 16);
}

static void five_and_six_bits_widen_by_repeating_their_upper_bits(void **state)
{
	MW_UNUSED(state);
	for (unsigned i = 0; i < 64; i++) {
		unsigned word = (i & 31) << 11 | i << 5 | (i & 31);
		uint8_t block[8] = {(uint8_t)(word & 255), (uint8_t)(word >> 8)}, out[64];
		mw_dxt1_decode_block(out, 16, block);
		unsigned five = (i & 31) * 8 + (i & 31) / 4, six = i * 4 + i / 16;
		assert_int_equal(out[0], five);
		assert_int_equal(out[1], six);
		assert_int_equal(out[2], five);
		assert_int_equal(out[3], 255);
	}
}

static void regions_decode_block_by_block(void **state)
{
	MW_UNUSED(state);
	uint8_t two[16] = {0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	uint8_t out[4 * 36];
	memset(out, 0xee, sizeof out);
	mw_dxt1_decode(out, 36, two, 8, 4);
	for (int y = 0; y < 4; y++) {
		assert_int_equal(out[36 * y + 15], 255);
		assert_int_equal(out[36 * y + 14], 255);
		assert_int_equal(out[36 * y + 16], 0);
		assert_int_equal(out[36 * y + 32], 0xee);
	}
	memset(out, 0xee, sizeof out);
	mw_dxt1_decode(out, 16, two, 4, 8);
	assert_int_equal(out[63], 255);
	assert_int_equal(out[60], 255);
	assert_int_equal(out[64], 0);
	assert_int_equal(out[128], 0xee);
}

static void the_error_is_the_sum_of_squares_without_alpha(void **state)
{
	MW_UNUSED(state);
	/* white beside black, as above; the picture differs in three known texels */
	uint8_t two[16] = {0xff, 0xff}, rgba[4 * 32];
	mw_dxt1_decode(rgba, 32, two, 8, 4);
	assert_true(mw_dxt1_error(rgba, 32, two, 8, 4) == 0);
	assert_true(isinf(mw_dxt1_psnr(0, 8, 4)));
	rgba[0] = 245;      /* 10^2 */
	rgba[32 + 17] = 3;  /* 3^2 */
	rgba[96 + 30] = 20; /* 20^2 */
	rgba[3] = 7;        /* alpha */
	assert_true(mw_dxt1_error(rgba, 32, two, 8, 4) == 100 + 9 + 400);
	/* 10 log10(255^2 / (509 / 96)) */
	assert_true(fabs(mw_dxt1_psnr(509, 8, 4) - 40.886) < 0.001);
}

static void assert_flat(mw_dxt1_level level, int r, int g, int b)
{
	uint8_t texels[64], block[8], out[64];
	for (int k = 0; k < 16; k++) {
		texels[4 * k] = (uint8_t)r;
		texels[4 * k + 1] = (uint8_t)g;
		texels[4 * k + 2] = (uint8_t)b;
		texels[4 * k + 3] = (uint8_t)(k * 16);
	}
	mw_dxt1_encode(mw_isa_detect(), level, block, texels, 16, 4, 4);
	mw_dxt1_decode_block(out, 16, block);
	for (int i = 0; i < 64; i++) {
		if (i % 4 < 3 && abs(out[i] - texels[i]) > 1)
			fail_msg("level %d, colour %d %d %d: texel byte %d is %d", level, r, g, b,
				i, out[i]);
	}
}

static void flat_colours_come_back_within_one(void **state)
{
	MW_UNUSED(state);
	mw_rng r;
	mw_rng_init(&r, 11, "flat");
	for (size_t l = 0; l < MW_COUNTOF(levels); l++) {
		for (int v = 0; v < 256; v++)
			assert_flat(levels[l], v, v, v);
		for (int i = 0; i < 2000; i++) {
			uint64_t bits = mw_rng_u64(&r);
			assert_flat(levels[l], bits & 255, bits >> 8 & 255, bits >> 16 & 255);
		}
	}
}

static int widen(int i, int bits)
{
	return bits == 5 ? i << 3 | i >> 2 : i << 2 | i >> 4;
}

/* The least error of any four-colour block for n texels of u and 16 - n of v: each of the two
 * colours takes one of the four, and the channels are free of each other. */
static int least_error_of_two(const uint8_t u[3], const uint8_t v[3], int n)
{
	int best = INT32_MAX;
	for (int q = 0; q < 16; q++) {
		int qu = q % 4, qv = q / 4, sum = 0;
		for (int c = 0; c < 3; c++) {
			int bits = c == 1 ? 6 : 5, least = INT32_MAX;
			for (int i = 0; i < 1 << bits; i++) {
				for (int j = 0; j < 1 << bits; j++) {
					int a = widen(i, bits), b = widen(j, bits);
					int du = ((3 - qu) * a + qu * b + 1) / 3 - u[c];
					int dv = ((3 - qv) * a + qv * b + 1) / 3 - v[c];
					int e = n * du * du + (16 - n) * dv * dv;
					least = e < least ? e : least;
				}
			}
			sum += least;
		}
		best = sum < best ? sum : best;
	}
	return best;
}

static void two_colours_have_the_least_error_there_is(void **state)
{
	MW_UNUSED(state);
	mw_rng r;
	mw_rng_init(&r, 12, "two");
	for (int i = 0; i < 900; i++) {
		/* far and near colours, channels running any way against each other */
		int spread = i % 4 == 0 ? 255 : i % 4 == 1 ? 80 : i % 4 == 2 ? 20 : 3;
		/* anywhere, at the rim of the range, and as far from the 5 bit numbers as can be */
		int where = i / 4 % 3, mixed = (int)mw_rng_below(&r, 16);
		uint8_t colour[2][3], texels[64], block[8];
		int n = 0;
		for (int c = 0; c < 3; c++) {
			int u = (int)mw_rng_below(&r, 256);
			int v = u + (int)mw_rng_below(&r, 2 * (uint64_t)spread + 1) - spread;
			u = where == 1 ? (u & 1) * 255 : where == 2 ? u / 8 * 8 + 4 : u;
			v = where == 2 && c != 1 ? u : where == 1 ? u + (u ? -spread : spread) : v;
			colour[0][c] = (uint8_t)u;
			colour[1][c] = byte_of(v);
		}
		if (memcmp(colour[0], colour[1], 3) == 0)
			continue;
		for (int k = 0; k < 16; k++) {
			int pick = k < 2 ? k : (int)mw_rng_below(&r, 16) < mixed;
			n += !pick;
			memcpy(texels + 4 * k, colour[pick], 3);
			texels[4 * k + 3] = (uint8_t)i;
		}
		int least = least_error_of_two(colour[0], colour[1], n);
		mw_dxt1_encode(mw_isa_detect(), levels[i % 3], block, texels, 16, 4, 4);
		int got = (int)mw_dxt1_error(texels, 16, block, 4, 4);
		if (got != least)
			fail_msg("%d texels of %d %d %d, the others %d %d %d: error %d, least %d",
				n, colour[0][0], colour[0][1], colour[0][2], colour[1][0],
				colour[1][1], colour[1][2], got, least);
	}
}

static void every_block_has_four_colours_or_only_the_first(void **state)
{
	MW_UNUSED(state);
	for (int p = 0; p < PICTURES; p++) {
		for (size_t l = 0; l < MW_COUNTOF(levels); l++) {
			draw(picture, (enum picture)p, 21);
			mw_dxt1_encode(
				mw_isa_detect(), levels[l], blocks, picture, SIDE * 4, SIDE, SIDE);
			for (size_t i = 0; i < sizeof blocks; i += 8) {
				unsigned w0 = word_at(blocks + i), w1 = word_at(blocks + i + 2);
				assert_true(w0 > w1 ||
					(w0 == w1 && memcmp(blocks + i + 4, "\0\0\0\0", 4) == 0));
			}
		}
	}
}

static void alpha_changes_nothing(void **state)
{
	MW_UNUSED(state);
	for (int p = 0; p < PICTURES; p++) {
		for (size_t l = 0; l < MW_COUNTOF(levels); l++) {
			draw(picture, (enum picture)p, 22);
			mw_dxt1_encode(
				mw_isa_detect(), levels[l], blocks, picture, SIDE * 4, SIDE, SIDE);
			for (size_t i = 3; i < sizeof picture; i += 4)
				picture[i] = (uint8_t)(p * 40);
			mw_dxt1_encode(
				mw_isa_detect(), levels[l], again, picture, SIDE * 4, SIDE, SIDE);
			assert_memory_equal(blocks, again, sizeof blocks);
		}
	}
}

static void every_instruction_set_gives_the_same_bytes(void **state)
{
	MW_UNUSED(state);
	for (int p = 0; p < PICTURES; p++) {
		for (size_t l = 0; l < MW_COUNTOF(levels); l++) {
			draw(picture, (enum picture)p, 23);
			mw_dxt1_encode(
				MW_ISA_PORTABLE, levels[l], blocks, picture, SIDE * 4, SIDE, SIDE);
			for (int isa = 1; isa <= (int)mw_isa_detect(); isa++) {
				mw_dxt1_encode((mw_isa)isa, levels[l], again, picture, SIDE * 4,
					SIDE, SIDE);
				assert_memory_equal(blocks, again, sizeof blocks);
			}
		}
	}
}

/* One block alone must be what it is among others, whatever their number, for every set. */
static void blocks_do_not_depend_on_their_neighbours(void **state)
{
	MW_UNUSED(state);
	const uint8_t *at[80];
	for (int p = 0; p < PICTURES; p++) {
		draw(picture, (enum picture)p, 24);
		for (int isa = 0; isa <= (int)mw_isa_detect(); isa++) {
			mw_dxt1_level level = levels[(p + isa) % 3];
			mw_dxt1_encode(
				MW_ISA_PORTABLE, level, blocks, picture, SIDE * 4, SIDE, SIDE);
			for (size_t n = 1; n <= MW_COUNTOF(at); n += n < 40 ? 1 : 13) {
				uint8_t out[(MW_COUNTOF(at) + 1) * 8];
				memset(out, 0xee, sizeof out);
				/* backwards, so that no two neighbours are those of the region */
				for (size_t i = 0; i < n; i++) {
					size_t b = (n - 1 - i) * 3;
					at[i] = picture + b / 16 * 16 * SIDE + b % 16 * 16;
				}
				mw_dxt1_encode_blocks((mw_isa)isa, level, out, at, SIDE * 4, n);
				for (size_t i = 0; i < n; i++)
					assert_memory_equal(
						out + 8 * i, blocks + 8 * 3 * (n - 1 - i), 8);
				assert_int_equal(out[8 * n], 0xee);
			}
		}
	}
}

static void a_block_alone_is_what_it_is_among_others(void **state)
{
	MW_UNUSED(state);
	for (int p = 0; p < PICTURES; p++) {
		draw(picture, (enum picture)p, 27);
		for (size_t l = 0; l < MW_COUNTOF(levels); l++) {
			mw_dxt1_encode(
				mw_isa_detect(), levels[l], blocks, picture, SIDE * 4, SIDE, SIDE);
			for (size_t b = 0; b < sizeof blocks / 8; b++) {
				uint8_t alone[8];
				const uint8_t *at = picture + b / 16 * 16 * SIDE + b % 16 * 16;
				mw_dxt1_encode(
					mw_isa_detect(), levels[l], alone, at, SIDE * 4, 4, 4);
				assert_memory_equal(alone, blocks + 8 * b, 8);
			}
		}
	}
}

static void a_region_inside_a_larger_picture_encodes_like_a_copy_of_it(void **state)
{
	MW_UNUSED(state);
	uint8_t copy[20 * 12 * 4];
	draw(picture, TEXTURE, 25);
	const uint8_t *inside = picture + 8 * SIDE * 4 + 4 * 4;
	for (int y = 0; y < 12; y++)
		memcpy(copy + 80 * y, inside + SIDE * 4 * y, 80);
	mw_dxt1_encode(mw_isa_detect(), MW_DXT1_NORMAL, blocks, inside, SIDE * 4, 20, 12);
	mw_dxt1_encode(mw_isa_detect(), MW_DXT1_NORMAL, again, copy, 80, 20, 12);
	assert_memory_equal(blocks, again, mw_dxt1_size(20, 12));
}

/* The plainest encoder there is: the corners of the colour box, each texel at its nearest. */
static uint64_t error_of_the_box(const uint8_t *rgba)
{
	uint64_t total = 0;
	for (int b = 0; b < SIDE * SIDE / 16; b++) {
		const uint8_t *at = rgba + b / (SIDE / 4) * 16 * SIDE + b % (SIDE / 4) * 16;
		int colour[4][3];
		for (int c = 0; c < 3; c++) {
			int bits = c == 1 ? 6 : 5, top = (1 << bits) - 1, min = 255, max = 0;
			for (int k = 0; k < 16; k++) {
				int v = at[k / 4 * SIDE * 4 + k % 4 * 4 + c];
				min = v < min ? v : min;
				max = v > max ? v : max;
			}
			int lo = widen((min * top + 127) / 255, bits);
			int hi = widen((max * top + 127) / 255, bits);
			for (int q = 0; q < 4; q++)
				colour[q][c] = ((3 - q) * lo + q * hi + 1) / 3;
		}
		for (int k = 0; k < 16; k++) {
			int least = INT32_MAX;
			for (int q = 0; q < 4; q++) {
				int e = 0;
				for (int c = 0; c < 3; c++) {
					int d = at[k / 4 * SIDE * 4 + k % 4 * 4 + c] - colour[q][c];
					e += d * d;
				}
				least = e < least ? e : least;
			}
			total += (uint64_t)least;
		}
	}
	return total;
}

static void higher_levels_lose_less_and_all_less_than_the_colour_box(void **state)
{
	MW_UNUSED(state);
	static const enum picture fair[] = {NOISE, TEXTURE, RAMPS, EXTREMES, ONE_CHANNEL};
	for (size_t p = 0; p < MW_COUNTOF(fair); p++) {
		uint64_t error[3];
		draw(picture, fair[p], 26);
		for (size_t l = 0; l < MW_COUNTOF(levels); l++) {
			mw_dxt1_encode(
				mw_isa_detect(), levels[l], blocks, picture, SIDE * 4, SIDE, SIDE);
			error[l] = mw_dxt1_error(picture, SIDE * 4, blocks, SIDE, SIDE);
		}
		uint64_t box = error_of_the_box(picture);
		assert_true(error[0] * 10 < box * 9);
		assert_true(error[1] <= error[0]);
		assert_true(error[2] <= error[1]);
	}
}

static mw_ctx cx;

static void load(mw_image *img, const char *relative)
{
	uint8_t *bytes;
	size_t n;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_fs_read(&cx, &bytes, &n, test_shared(relative)));
	assert_ok(&cx, mw_image_decode(&cx, img, bytes, n));
	mw_free(&cx, bytes);
}

static void near_flat_blocks_stay_opaque_and_close(void **state)
{
	MW_UNUSED(state);
	mw_image img = {0};
	load(&img, "cases/texture-dxt/td01/nearflat.png");
	for (size_t l = 0; l < MW_COUNTOF(levels); l++) {
		for (uint32_t y = 0; y + 4 <= img.h; y += 4) {
			for (uint32_t x = 0; x + 4 <= img.w; x += 4) {
				const uint8_t *at = img.px + 4 * (y * img.w + x);
				uint8_t block[8], out[64];
				mw_dxt1_encode(mw_isa_detect(), levels[l], block, at,
					4 * (size_t)img.w, 4, 4);
				mw_dxt1_decode_block(out, 16, block);
				for (uint32_t i = 0; i < 64; i++) {
					int want = at[i / 16 * 4 * img.w + i % 16];
					if (i % 4 == 3)
						want = 255;
					assert_in_range(out[i] + 8, want, want + 16);
				}
			}
		}
	}
	mw_image_free(&cx, &img);
}

static void alpha_of_a_picture_is_left_out(void **state)
{
	MW_UNUSED(state);
	mw_image ramp = {0}, opaque = {0};
	load(&ramp, "cases/texture-dxt/td05/ramp_alpha.png");
	load(&opaque, "cases/texture-dxt/td05/opaque.png");
	assert_int_equal(ramp.w, opaque.w);
	assert_true(mw_dxt1_size(ramp.w, ramp.h) <= sizeof blocks);
	mw_dxt1_encode(mw_isa_detect(), MW_DXT1_NORMAL, blocks, ramp.px, 4 * (size_t)ramp.w, ramp.w,
		ramp.h);
	mw_dxt1_encode(mw_isa_detect(), MW_DXT1_NORMAL, again, opaque.px, 4 * (size_t)ramp.w,
		ramp.w, ramp.h);
	assert_memory_equal(blocks, again, mw_dxt1_size(ramp.w, ramp.h));
	mw_image_free(&cx, &ramp);
	mw_image_free(&cx, &opaque);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_region_has_no_bytes_and_others_half_a_byte_per_texel),
		cmocka_unit_test(known_bytes_decode_to_hand_values),
		cmocka_unit_test(five_and_six_bits_widen_by_repeating_their_upper_bits),
		cmocka_unit_test(regions_decode_block_by_block),
		cmocka_unit_test(the_error_is_the_sum_of_squares_without_alpha),
		cmocka_unit_test(flat_colours_come_back_within_one),
		cmocka_unit_test(two_colours_have_the_least_error_there_is),
		cmocka_unit_test(every_block_has_four_colours_or_only_the_first),
		cmocka_unit_test(alpha_changes_nothing),
		cmocka_unit_test(every_instruction_set_gives_the_same_bytes),
		cmocka_unit_test(blocks_do_not_depend_on_their_neighbours),
		cmocka_unit_test(a_block_alone_is_what_it_is_among_others),
		cmocka_unit_test(a_region_inside_a_larger_picture_encodes_like_a_copy_of_it),
		cmocka_unit_test(higher_levels_lose_less_and_all_less_than_the_colour_box),
		cmocka_unit_test(near_flat_blocks_stay_opaque_and_close),
		cmocka_unit_test(alpha_of_a_picture_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

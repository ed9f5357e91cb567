/* What a texel of the ground is: textures, tint and shade, light, the minimap. */
#include "compile/grounds.h"

/* ---- pieces: exact values
 * -------------------------------------------------------------------------- */

enum { PW = 8, PH = 4 };

typedef struct {
	float plane[8][PW * PH];
	int32_t column[PW];
	mw__piece p;
} piece;

static void piece_init(piece *q, uint32_t x, uint32_t z)
{
	memset(q, 0, sizeof *q);
	q->p = (mw__piece){x, z, PW, PH, q->plane[0], q->plane[1], q->plane[2], q->plane[3],
		q->plane[4], q->plane[5], q->plane[6], q->plane[7], q->column};
}

static void a_texture_repeats_every_scale_elmos(void **state)
{
	mw_image img;
	mw__layer_textures t;
	piece q;
	MW_UNUSED(state);
	make_image(&img, 5, 3, 1);
	mw_ground_layer l = plain(0, 0, 0);
	l.image = &img;
	l.scale = 5;
	assert_ok(&cx, mw__layer_prepare(&cx, &t, &l, 64, 64));
	piece_init(&q, 1003, 502);
	mw__layer_apply(&q.p, &l, &t, NULL, NULL, NULL);
	for (uint32_t j = 0; j < PH; j++)
		for (uint32_t i = 0; i < PW; i++) {
			const uint8_t *px = img.px + 4 * ((502 + j) % 3 * 5 + (1003 + i) % 5);
			assert_true(q.p.r[j * PW + i] == (float)px[0]);
			assert_true(q.p.g[j * PW + i] == (float)px[1]);
			assert_true(q.p.b[j * PW + i] == (float)px[2]);
		}
	mw__layer_free(&cx, &t);
	mw_image_free(&cx, &img);
}

static void a_stretched_texture_meets_the_map_edges(void **state)
{
	mw_image img;
	mw__layer_textures t;
	piece q;
	MW_UNUSED(state);
	/* Two pixels over 4096 texels: magnified texel by texel; the middle of each pixel is pure.
	 */
	assert_ok(&cx, mw_image_init(&cx, &img, 2, 1));
	img.px[0] = 200;
	img.px[4] = 100;
	mw_ground_layer l = plain(0, 0, 0);
	l.image = &img;
	assert_ok(&cx, mw__layer_prepare(&cx, &t, &l, 4096, 4096));
	assert_false(t.first.exact);
	piece_init(&q, 1024 - PW / 2, 0);
	mw__layer_apply(&q.p, &l, &t, NULL, NULL, NULL);
	assert_true(q.p.r[PW / 2 - 1] > 199.9f && q.p.r[PW / 2] > 199.9f);
	piece_init(&q, 2048 - PW / 2, 0);
	mw__layer_apply(&q.p, &l, &t, NULL, NULL, NULL);
	assert_true(q.p.r[0] > q.p.r[1] && q.p.r[PW / 2 - 1] > 150.0f && q.p.r[PW / 2] < 150.0f);
	mw__layer_free(&cx, &t);
	mw_image_free(&cx, &img);
}

static void blending_by_brightness_keeps_the_ends_of_the_mask(void **state)
{
	mw_image img;
	mw__layer_textures t;
	piece q;
	float mask[PW * PH];
	MW_UNUSED(state);
	/* A column dark, a column bright. */
	assert_ok(&cx, mw_image_init(&cx, &img, 2, 1));
	memset(img.px + 4, 255, 4);
	mw_ground_layer l = plain(0, 0, 0);
	l.image = &img;
	l.scale = 2;
	l.blend = 1;
	assert_ok(&cx, mw__layer_prepare(&cx, &t, &l, 64, 64));
	for (uint32_t i = 0; i < PW * PH; i++)
		mask[i] = (float)(i / PW) / (PH - 1);
	piece_init(&q, 0, 0);
	for (uint32_t i = 0; i < PW * PH; i++)
		q.p.g[i] = 100;
	mw__layer_apply(&q.p, &l, &t, mask, NULL, NULL);
	for (uint32_t i = 0; i < PW; i++) {
		assert_true(q.p.g[i] == 100.0f);
		assert_true(q.p.g[3 * PW + i] == (i % 2 ? 255.0f : 0.0f));
	}
	/* At a third the bright texels are there already, the dark ones not at all. */
	assert_true(q.p.g[PW] == 100.0f);
	assert_true(q.p.g[PW + 1] == 255.0f);
	mw__layer_free(&cx, &t);
	mw_image_free(&cx, &img);
}

static void tint_and_shade_multiply(void **state)
{
	mw__layer_textures t;
	piece q;
	float where[PW * PH], shade[PW * PH];
	MW_UNUSED(state);
	mw_ground_layer l = plain(0.4f, 0.4f, 0.4f);
	l.tint[0] = 0.5f;
	l.tint[2] = 2.0f;
	assert_ok(&cx, mw__layer_prepare(&cx, &t, &l, 64, 64));
	for (uint32_t i = 0; i < PW * PH; i++) {
		where[i] = i % 2 ? 1.0f : 0.0f;
		shade[i] = i < 8 ? 1.5f : -1.0f;
	}
	shade[2] = 0.0f / (shade[0] - 1.5f);
	piece_init(&q, 0, 0);
	mw__layer_apply(&q.p, &l, &t, NULL, where, shade);
	assert_true(q.p.r[0] == 153.0f && q.p.b[0] == 153.0f);
	assert_true(q.p.r[1] == 76.5f && q.p.g[1] == 153.0f && q.p.b[1] == 306.0f);
	assert_true(q.p.r[2] == 102.0f); /* not a number: unshaded */
	assert_true(q.p.r[8] == 0.0f);
	mw__layer_free(&cx, &t);
}

static void a_second_scale_keeps_mean_and_contrast(void **state)
{
	mw_image img;
	mw__layer_textures t;
	MW_UNUSED(state);
	assert_ok(&cx, mw_image_init(&cx, &img, 32, 32));
	for (uint32_t i = 0; i < 32 * 32; i++)
		img.px[4 * i] = (uint8_t)(100 + (i * 2654435761u >> 26)); /* 100..163 */
	mw_ground_layer l = plain(0, 0, 0);
	l.image = &img;
	l.scale = 32;
	double spread[2] = {0, 0}, mean[2] = {0, 0};
	for (int k = 0; k < 2; k++) {
		l.second_scale = k ? 47 : 0;
		assert_ok(&cx, mw__layer_prepare(&cx, &t, &l, 64, 64));
		for (uint32_t z = 0; z < 512; z += PH)
			for (uint32_t x = 0; x < 512; x += PW) {
				piece q;
				piece_init(&q, x, z);
				mw__layer_apply(&q.p, &l, &t, NULL, NULL, NULL);
				for (uint32_t i = 0; i < PW * PH; i++) {
					double d = (double)q.p.r[i] - 131.5;
					mean[k] += (double)q.p.r[i] / (512 * 512);
					spread[k] += d * d / (512 * 512);
				}
			}
		mw__layer_free(&cx, &t);
	}
	assert_true(mean[1] - mean[0] < 1 && mean[0] - mean[1] < 1);
	/* The second is magnified, so smoother; a plain average would leave a third. */
	assert_true(spread[1] > 0.6 * spread[0] && spread[1] < 1.2 * spread[0]);
	mw_image_free(&cx, &img);
}

/* ---- light
 * ------------------------------------------------------------------------------------------ */

static void light_is_one_on_flat_ground_and_follows_the_sun(void **state)
{
	mw_field h, light;
	const double sun[3] = {1, 1, 0}; /* from the east */
	MW_UNUSED(state);
	assert_ok(&cx, mw_field_init(&cx, &h, 5, 3));
	assert_ok(&cx, mw_ground_light(&cx, &light, &h, 8, sun, 1));
	for (int i = 0; i < 15; i++)
		assert_true(light.v[i] == 1.0f);
	mw_field_free(&cx, &light);
	/* 45 degrees, rising to the west: it looks straight at the sun, 1 / cos 45. */
	for (int i = 0; i < 15; i++)
		h.v[i] = (float)(-8 * (i % 5));
	assert_ok(&cx, mw_ground_light(&cx, &light, &h, 8, sun, 1));
	for (int i = 0; i < 15; i++)
		assert_float_equal(light.v[i], 1.41421356f, 1e-6f);
	mw_field_free(&cx, &light);
	/* The other way it is dark; at half strength half as dark. */
	for (int i = 0; i < 15; i++)
		h.v[i] = (float)(8 * (i % 5));
	assert_ok(&cx, mw_ground_light(&cx, &light, &h, 8, sun, 0.5));
	for (int i = 0; i < 15; i++)
		assert_float_equal(light.v[i], 0.5f, 1e-6f);
	mw_field_free(&cx, &light);
	const double below[3] = {1, 0, 0};
	assert_fails(&cx, mw_ground_light(&cx, &light, &h, 8, below, 1), MW_ERANGE, "horizon");
	mw_field_free(&cx, &h);
}

static void light_is_laid_corner_to_corner(void **state)
{
	mw_field light;
	piece q;
	MW_UNUSED(state);
	assert_ok(&cx, mw_field_init(&cx, &light, 3, 2));
	for (int i = 0; i < 6; i++)
		light.v[i] = (float)(i % 3);
	piece_init(&q, 4, 0);
	for (int i = 0; i < PW * PH; i++)
		q.p.r[i] = 16;
	mw__light_apply(&q.p, &light, 16, 8); /* 8 texels between samples */
	for (int i = 0; i < PW; i++)
		assert_true(q.p.r[i] == 2.0f * (4.5f + (float)i));
	mw_field_free(&cx, &light);
}

/* ---- minimap
 * ------------------------------------------------------------------------------------------ */

static void minimap_texel(const uint8_t *minimap, uint32_t x, uint32_t y, uint8_t out[4])
{
	uint8_t px[64];
	mw_dxt1_decode_block(px, 16, minimap + 8 * ((size_t)(y / 4) * 256 + x / 4));
	memcpy(out, px + (y % 4 * 4 + x % 4) * 4, 4);
}

static void the_minimap_averages_the_ground_and_tints_water(void **state)
{
	mw_image img;
	mw_field heights;
	mw_ground g;
	result r;
	uint8_t px[4];
	MW_UNUSED(state);
	/* 2048 x 64 texels: 2 x 1 texels a cell across, stretched down. */
	assert_ok(&cx, mw_image_init(&cx, &img, 2048, 64));
	for (size_t i = 0; i < 2048 * 64; i++)
		img.px[4 * i] = i % 2 ? 255 : 45; /* mean 150 */
	assert_ok(&cx, mw_field_init(&cx, &heights, 257, 9));
	for (int j = 0; j < 9; j++)
		for (int i = 0; i < 257; i++)
			heights.v[j * 257 + i] = i < 128 ? 10.0f : -40.0f;
	mw_ground_init(&g, 2048, 64);
	assert_ok(&cx, mw_rows_image(&cx, &g.picture, &img));
	g.heights = &heights;
	g.water = (mw_ground_water){{0, 1, 0}, {0, 0, 1}, 0.5f, 1.0f, 40.0f};
	compile(&r, &g);
	minimap_texel(r.p.minimap, 10, 500, px);
	assert_in_range(px[0], 149, 151);
	assert_in_range(px[1], 0, 1);
	/* Depth = half: half-way from 0.5 to 1, colour half-way from green to blue. */
	minimap_texel(r.p.minimap, 1000, 500, px);
	assert_in_range(px[0], 36, 40);
	assert_in_range(px[1], 94, 98);
	assert_in_range(px[2], 94, 98);
	/* The smallest level is the mean of all. */
	uint8_t last[64];
	mw_dxt1_decode_block(last, 16, r.p.minimap + MW_MINIMAP_BYTES - 8);
	assert_in_range(last[0], 140, 160);
	assert_in_range(last[12], 30, 46);
	drop(&r);
	mw_rows_close(&cx, g.picture);
	mw_field_free(&cx, &heights);
	mw_image_free(&cx, &img);
}

static void a_minimap_may_come_from_a_picture(void **state)
{
	mw_image img;
	mw_ground g;
	result r;
	uint8_t px[4];
	MW_UNUSED(state);
	assert_ok(&cx, mw_image_init(&cx, &img, 2, 2));
	for (int i = 0; i < 4; i++)
		img.px[4 * i + 1] = (uint8_t)(i * 80);
	mw_ground_init(&g, 64, 64);
	g.minimap = &img;
	compile(&r, &g);
	minimap_texel(r.p.minimap, 1020, 3, px);
	assert_in_range(px[1], 79, 81);
	minimap_texel(r.p.minimap, 3, 1020, px);
	assert_in_range(px[1], 159, 161);
	drop(&r);
	mw_image_free(&cx, &img);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_texture_repeats_every_scale_elmos, setup),
		cmocka_unit_test_setup(a_stretched_texture_meets_the_map_edges, setup),
		cmocka_unit_test_setup(blending_by_brightness_keeps_the_ends_of_the_mask, setup),
		cmocka_unit_test_setup(tint_and_shade_multiply, setup),
		cmocka_unit_test_setup(a_second_scale_keeps_mean_and_contrast, setup),
		cmocka_unit_test_setup(light_is_one_on_flat_ground_and_follows_the_sun, setup),
		cmocka_unit_test_setup(light_is_laid_corner_to_corner, setup),
		cmocka_unit_test_setup(the_minimap_averages_the_ground_and_tints_water, setup),
		cmocka_unit_test_setup(a_minimap_may_come_from_a_picture, setup),
	};
	return cmocka_run_group_tests_name("groundtex_texel", tests, NULL, NULL);
}

#include "support/test.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/pool.h"
#include "compile/groundtex.h"
#include "compile/groundtex_layer.h"
#include "support/oom.h"

#include <stdlib.h>
#include <string.h>

static mw_ctx cx;

static int setup(void **state)
{
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	return 0;
}

/* A compiled ground with its tiles in memory. */
typedef struct {
	mw_ground_product p;
	mw_wr tiles;
} result;

static void compile_in(mw_ctx *c, result *r, const mw_ground *g)
{
	mw_wr_init(&r->tiles, c);
	mw_tile_store store = mw_tile_store_memory(&r->tiles);
	assert_ok(c, mw_ground_compile(c, &r->p, g, &store));
	assert_int_equal(r->tiles.n, (size_t)r->p.tile_count * MW_TILE_BYTES);
}

static void compile(result *r, const mw_ground *g)
{
	compile_in(&cx, r, g);
}

static void drop(result *r)
{
	mw_ground_product_free(&cx, &r->p);
	mw_wr_free(&r->tiles);
}

static void texel(const result *r, uint32_t x, uint32_t z, uint8_t out[4])
{
	uint8_t px[32 * 32 * 4];
	uint32_t tile = r->p.index[z / 32 * r->p.tiles_x + x / 32];
	mw_tile_decode(px, r->tiles.p + (size_t)tile * MW_TILE_BYTES, 0);
	memcpy(out, px + 4 * (z % 32 * 32 + x % 32), 4);
}

static void assert_texel(const result *r, uint32_t x, uint32_t z, int red, int green, int blue)
{
	uint8_t px[4];
	texel(r, x, z, px);
	if (abs(px[0] - red) > 1 || abs(px[1] - green) > 1 || abs(px[2] - blue) > 1)
		fail_msg("texel (%u, %u) is %d %d %d, want %d %d %d", x, z, px[0], px[1], px[2],
			red, green, blue);
}

static void assert_same(const result *a, const result *b)
{
	assert_int_equal(a->p.tile_count, b->p.tile_count);
	assert_memory_equal(
		a->p.index, b->p.index, (size_t)a->p.tiles_x * a->p.tiles_z * sizeof *a->p.index);
	assert_memory_equal(a->tiles.p, b->tiles.p, a->tiles.n);
	assert_memory_equal(a->p.minimap, b->p.minimap, MW_MINIMAP_BYTES);
}

/* A layer of one colour everywhere. */
static mw_ground_layer plain(float r, float g, float b)
{
	return (mw_ground_layer){.colour = {r, g, b},
		.mask = MW_GROUND_NONE,
		.opacity = 1,
		.tint = {1, 1, 1},
		.tint_mask = MW_GROUND_NONE,
		.shade = MW_GROUND_NONE};
}

static void make_image(mw_image *img, uint32_t w, uint32_t h, unsigned seed)
{
	assert_ok(&cx, mw_image_init(&cx, img, w, h));
	for (size_t i = 0; i < (size_t)w * h; i++) {
		uint32_t v = (uint32_t)(i + seed) * 2654435761u;
		img->px[4 * i] = (uint8_t)(v >> 24);
		img->px[4 * i + 1] = (uint8_t)(v >> 16);
		img->px[4 * i + 2] = (uint8_t)(v >> 8);
		img->px[4 * i + 3] = 255;
	}
}

/* ---- whole compiles with hand values
 * ------------------------------------------------------------- */

static void layers_lie_over_each_other_by_mask_and_opacity(void **state)
{
	mw_ground g;
	mw_source *mask, *x, *limit, *nan;
	mw_program program;
	result r;
	MW_UNUSED(state);
	assert_ok(&cx, mw_source_x(&cx, &x));
	assert_ok(&cx, mw_source_constant(&cx, &limit, 64.0));
	assert_ok(&cx, mw_source_apply(&cx, &mask, MW_OP_STEP, (mw_source *[]){x, limit}));
	const mw_source_scope scope = {1, 0, 0, 128, 64};
	mw_source *zero, *ratio[2];
	assert_ok(&cx, mw_source_constant(&cx, &zero, 0.0));
	ratio[0] = ratio[1] = zero;
	assert_ok(&cx, mw_source_apply(&cx, &nan, MW_OP_DIV, ratio));
	assert_ok(&cx, mw_program_compile(&cx, &program, (mw_source *[]){mask, nan}, 2, &scope));
	mw_ground_layer layers[3] = {plain(1, 0, 0), plain(0, 0, 1), plain(1, 1, 1)};
	layers[1].mask = 0;
	layers[1].opacity = 0.5f;
	layers[2].mask = 1; /* not a number: shows nothing */
	mw_ground_init(&g, 128, 64);
	g.layers = layers;
	g.layer_count = 3;
	g.program = &program;
	g.roots = 2;
	compile(&r, &g);
	assert_texel(&r, 0, 0, 255, 0, 0);
	assert_texel(&r, 63, 63, 255, 0, 0);
	assert_texel(&r, 64, 0, 128, 0, 128);
	assert_texel(&r, 127, 63, 128, 0, 128);
	assert_int_equal(r.p.tile_count, 2);
	drop(&r);
	mw_program_free(&cx, &program);
	mw_source *all[] = {mask, x, limit, nan, zero};
	for (size_t i = 0; i < MW_COUNTOF(all); i++)
		mw_source_release(&cx, all[i]);
}

static void a_picture_lies_beneath_and_keeps_its_place(void **state)
{
	mw_image img;
	mw_ground g;
	result r;
	MW_UNUSED(state);
	assert_ok(&cx, mw_image_init(&cx, &img, 96, 64));
	for (uint32_t y = 0; y < 64; y++)
		for (uint32_t x = 0; x < 96; x++) /* one colour a tile */
			memcpy(img.px + 4 * (y * 96 + x),
				(const uint8_t[]){
					(uint8_t)(x / 32 * 100), (uint8_t)(y / 32 * 100), 50, 0},
				4);
	mw_ground_init(&g, 96, 64);
	for (uint32_t bands = 0; bands < 3; bands++) {
		assert_ok(&cx, mw_rows_image(&cx, &g.picture, &img));
		g.band_rows = bands;
		compile(&r, &g);
		for (uint32_t y = 0; y < 64; y += 31)
			for (uint32_t x = 0; x < 96; x += 31)
				assert_texel(
					&r, x, y, (int)(x / 32 * 100), (int)(y / 32 * 100), 50);
		assert_int_equal(r.p.tile_count, 6);
		drop(&r);
		mw_rows_close(&cx, g.picture);
	}
	mw_image_free(&cx, &img);
}

static void sb05_only_equal_tiles_are_shared(void **state)
{
	mw_ground g;
	result r;
	MW_UNUSED(state);
	mw_ground_init(&g, 1024, 1024);
	assert_ok(&cx, mw_rows_open(&cx, &g.picture, test_shared("cases/smf-build/sb05/tex.png")));
	compile(&r, &g);
	assert_int_equal(r.p.tile_count, 3);
	assert_int_equal(r.tiles.n, 3 * 680);
	assert_int_not_equal(r.p.index[101], r.p.index[649]);
	for (uint32_t i = 0; i < 1024; i++)
		if (i == 101 || i == 649)
			assert_int_not_equal(r.p.index[i], r.p.index[0]);
		else
			assert_int_equal(r.p.index[i], r.p.index[0]);
	drop(&r);
	mw_rows_close(&cx, g.picture);
	g.picture = NULL;
	g.share = false;
	compile(&r, &g);
	assert_int_equal(r.p.tile_count, 1024);
	drop(&r);
}

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

/* ---- the same for any bands and threads
 * ----------------------------------------------------------------- */

typedef struct {
	mw_image pictures[2];
	mw_source *noise, *half;
	mw_program program;
	mw_field heights, light;
	mw_ground_layer layers[2];
	mw_ground g;
} scene;

/* Everything at once: picture, textures, noise masks, tint, shade, light, water. */
static void scene_init(scene *s, uint32_t w, uint32_t h)
{
	const double sun[3] = {1, 2, 1};
	const mw_source_scope scope = {5, 0, 0, w, h};
	memset(s, 0, sizeof *s);
	make_image(&s->pictures[0], 50, 40, 3);
	make_image(&s->pictures[1], 33, 17, 4);
	mw_noise n;
	mw_noise_init(&n);
	n.period = 90;
	n.octaves = 3;
	assert_ok(&cx, mw_source_noise(&cx, &s->noise, &n, "test"));
	assert_ok(&cx, mw_source_constant(&cx, &s->half, 0.5));
	assert_ok(&cx,
		mw_program_compile(
			&cx, &s->program, (mw_source *[]){s->noise, s->half}, 2, &scope));
	assert_ok(&cx, mw_field_init(&cx, &s->heights, (int32_t)w / 8 + 1, (int32_t)h / 8 + 1));
	for (size_t i = 0; i < mw_field_count(&s->heights); i++)
		s->heights.v[i] = (float)(i * 2654435761u >> 20 & 63) - 20.0f;
	assert_ok(&cx, mw_ground_light(&cx, &s->light, &s->heights, 8, sun, 0.7));
	for (int i = 0; i < 2; i++) {
		s->layers[i] = plain(0, 0, 0);
		s->layers[i].image = &s->pictures[1];
		s->layers[i].scale = i ? 47.3 : 200;
		s->layers[i].mask = i;
		s->layers[i].blend = 0.4f;
		s->layers[i].opacity = 0.8f;
	}
	s->layers[1].second_scale = 121;
	s->layers[1].tint[0] = 0.7f;
	s->layers[1].tint_mask = 0;
	s->layers[1].shade = 1;
	mw_ground_init(&s->g, w, h);
	s->g.layers = s->layers;
	s->g.layer_count = 2;
	s->g.program = &s->program;
	s->g.roots = 2;
	s->g.light = &s->light;
	s->g.heights = &s->heights;
}

static void scene_free(scene *s)
{
	mw_image_free(&cx, &s->pictures[0]);
	mw_image_free(&cx, &s->pictures[1]);
	mw_program_free(&cx, &s->program);
	mw_source_release(&cx, s->noise);
	mw_source_release(&cx, s->half);
	mw_field_free(&cx, &s->heights);
	mw_field_free(&cx, &s->light);
}

static void open_picture(scene *s)
{
	assert_ok(&cx, mw_rows_image(&cx, &s->g.picture, &s->pictures[0]));
	assert_ok(&cx, mw_rows_resize(&cx, &s->g.picture, s->g.picture, s->g.w, s->g.h));
}

static void bands_and_threads_change_nothing(void **state)
{
	scene s;
	result whole, r;
	MW_UNUSED(state);
	scene_init(&s, 544, 224);
	open_picture(&s);
	s.g.band_rows = 7; /* all of it */
	compile(&whole, &s.g);
	mw_rows_close(&cx, s.g.picture);
	static const uint32_t bands[] = {1, 2, 3, 0};
	static const int threads[] = {1, 2, 7};
	for (size_t t = 0; t < MW_COUNTOF(threads); t++) {
		mw_pool *pool = mw_pool_new(&cx, threads[t]);
		cx.pool = pool;
		for (size_t b = 0; b < MW_COUNTOF(bands); b++) {
			open_picture(&s);
			s.g.band_rows = bands[b];
			compile(&r, &s.g);
			assert_same(&whole, &r);
			drop(&r);
			mw_rows_close(&cx, s.g.picture);
		}
		cx.pool = NULL;
		mw_pool_free(pool);
	}
	drop(&whole);
	scene_free(&s);
}

static void every_instruction_set_gives_the_same_bytes(void **state)
{
	scene s;
	result best, r;
	MW_UNUSED(state);
	scene_init(&s, 160, 64);
	mw_isa isa = cx.isa;
	open_picture(&s);
	compile(&best, &s.g);
	mw_rows_close(&cx, s.g.picture);
	for (int i = MW_ISA_PORTABLE; i < (int)isa; i++) {
		cx.isa = (mw_isa)i;
		open_picture(&s);
		compile(&r, &s.g);
		assert_same(&best, &r);
		drop(&r);
		mw_rows_close(&cx, s.g.picture);
	}
	cx.isa = isa;
	drop(&best);
	scene_free(&s);
}

/* Peak bytes of a compile of w x h with tiles left out of the count (they go to a store of none).
 */
static mw_code forget(mw_ctx *c, mw_tile_store *store, const uint8_t *tiles, size_t n)
{
	MW_UNUSED(c);
	MW_UNUSED(store);
	MW_UNUSED(tiles);
	MW_UNUSED(n);
	return MW_OK;
}

static mw_code recall(mw_ctx *c, mw_tile_store *store, uint32_t index, uint8_t *tile)
{
	MW_UNUSED(c);
	MW_UNUSED(store);
	memset(tile, (int)index, MW_TILE_BYTES);
	return MW_OK;
}

static size_t peak_of(scene *s, uint32_t h)
{
	mw_mem_meter meter = {0};
	mw_ctx metered;
	mw_ground_product p;
	mw_tile_store store = {forget, recall, NULL, 0};
	mw_ctx_init(&metered);
	metered.alloc = mw_mem_metered;
	metered.alloc_ud = &meter;
	s->g.h = h;
	assert_ok(&metered, mw_rows_image(&metered, &s->g.picture, &s->pictures[0]));
	assert_ok(&metered, mw_rows_resize(&metered, &s->g.picture, s->g.picture, s->g.w, h));
	assert_ok(&metered, mw_ground_compile(&metered, &p, &s->g, &store));
	mw_ground_product_free(&metered, &p);
	mw_rows_close(&metered, s->g.picture);
	assert_int_equal(meter.in_use, 0);
	return meter.peak;
}

static void a_taller_map_needs_hardly_more_memory(void **state)
{
	scene s;
	MW_UNUSED(state);
	scene_init(&s, 256, 1024);
	s.g.share = false;
	size_t low = peak_of(&s, 1024), high = peak_of(&s, 8192);
	size_t tiles = 8 * (8192 - 1024) / 32;
	/* One index a tile, one axis entry a row of the stretched picture, nothing else. */
	assert_true(high - low <= tiles * 4 + (8192 - 1024) * 32);
	scene_free(&s);
}

/* ---- refusals, failures, splitting
 * ---------------------------------------------------------------------- */

static void impossible_requests_are_refused(void **state)
{
	mw_ground g;
	mw_ground_product p;
	mw_image img;
	mw_wr wr;
	MW_UNUSED(state);
	mw_wr_init(&wr, &cx);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_ground_init(&g, 100, 64);
	assert_fails(&cx, mw_ground_compile(&cx, &p, &g, &store), MW_ERANGE, "100x64");
	mw_ground_init(&g, 64, 64);
	make_image(&img, 32, 32, 0);
	assert_ok(&cx, mw_rows_image(&cx, &g.picture, &img));
	assert_fails(&cx, mw_ground_compile(&cx, &p, &g, &store), MW_EINVALID, "32x32");
	mw_rows_close(&cx, g.picture);
	g.picture = NULL;
	mw_ground_layer l = plain(1, 1, 1);
	l.mask = 0;
	g.layers = &l;
	g.layer_count = 1;
	assert_fails(&cx, mw_ground_compile(&cx, &p, &g, &store), MW_EINVALID, "output 0 of 0");
	assert_int_equal(wr.n, 0);
	mw_image_free(&cx, &img);
	mw_wr_free(&wr);
}

static mw_code broken_append(mw_ctx *c, mw_tile_store *store, const uint8_t *tiles, size_t n)
{
	MW_UNUSED(store);
	MW_UNUSED(tiles);
	MW_UNUSED(n);
	return mw_fail(c, MW_EIO, "disk full");
}

static void a_failing_store_or_picture_stops_the_work(void **state)
{
	mw_ground g;
	mw_ground_product p;
	MW_UNUSED(state);
	mw_tile_store store = {broken_append, recall, NULL, 0};
	mw_ground_init(&g, 64, 64);
	assert_fails(&cx, mw_ground_compile(&cx, &p, &g, &store), MW_EIO, "disk full");
	assert_null(p.index);
}

static mw_code work(mw_ctx *c, void *ud)
{
	scene *s = ud;
	mw_ground_product p = {0};
	mw_wr wr;
	mw_ground g = s->g;
	mw_wr_init(&wr, c);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_code code = mw_rows_image(c, &g.picture, &s->pictures[0]);
	if (!code)
		code = mw_rows_resize(c, &g.picture, g.picture, g.w, g.h);
	if (!code)
		code = mw_ground_compile(c, &p, &g, &store);
	mw_rows_close(c, g.picture);
	mw_ground_product_free(c, &p);
	mw_wr_free(&wr);
	return code;
}

static void every_failing_allocation_is_reported(void **state)
{
	scene s;
	MW_UNUSED(state);
	scene_init(&s, 64, 32);
	s.g.minimap = &s.pictures[0];
	s.g.level = MW_DXT1_FAST;
	assert_true(oom_sweep(work, &s) > 20);
	scene_free(&s);
}

static void records_are_split_evenly(void **state)
{
	uint32_t counts[4];
	MW_UNUSED(state);
	mw_ground_split(counts, 4, 10);
	const uint32_t want[] = {3, 3, 2, 2};
	assert_memory_equal(counts, want, sizeof want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(layers_lie_over_each_other_by_mask_and_opacity, setup),
		cmocka_unit_test_setup(a_picture_lies_beneath_and_keeps_its_place, setup),
		cmocka_unit_test_setup(sb05_only_equal_tiles_are_shared, setup),
		cmocka_unit_test_setup(a_texture_repeats_every_scale_elmos, setup),
		cmocka_unit_test_setup(a_stretched_texture_meets_the_map_edges, setup),
		cmocka_unit_test_setup(blending_by_brightness_keeps_the_ends_of_the_mask, setup),
		cmocka_unit_test_setup(tint_and_shade_multiply, setup),
		cmocka_unit_test_setup(a_second_scale_keeps_mean_and_contrast, setup),
		cmocka_unit_test_setup(light_is_one_on_flat_ground_and_follows_the_sun, setup),
		cmocka_unit_test_setup(light_is_laid_corner_to_corner, setup),
		cmocka_unit_test_setup(the_minimap_averages_the_ground_and_tints_water, setup),
		cmocka_unit_test_setup(a_minimap_may_come_from_a_picture, setup),
		cmocka_unit_test_setup(bands_and_threads_change_nothing, setup),
		cmocka_unit_test_setup(every_instruction_set_gives_the_same_bytes, setup),
		cmocka_unit_test_setup(a_taller_map_needs_hardly_more_memory, setup),
		cmocka_unit_test_setup(impossible_requests_are_refused, setup),
		cmocka_unit_test_setup(a_failing_store_or_picture_stops_the_work, setup),
		cmocka_unit_test_setup(every_failing_allocation_is_reported, setup),
		cmocka_unit_test_setup(records_are_split_evenly, setup),
	};
	return cmocka_run_group_tests_name("groundtex", tests, NULL, NULL);
}

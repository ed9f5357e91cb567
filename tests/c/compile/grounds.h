/* Grounds for tests, compiled into memory. */
#ifndef MW_TESTS_COMPILE_GROUNDS_H
#define MW_TESTS_COMPILE_GROUNDS_H

#include "base/mem.h"
#include "compile/groundtex.h"
#include "compile/groundtex_layer.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static mw_ctx cx;

static inline int setup(void **state)
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

static inline void compile_in(mw_ctx *c, result *r, const mw_ground *g)
{
	mw_wr_init(&r->tiles, c);
	mw_tile_store store = mw_tile_store_memory(&r->tiles);
	assert_ok(c, mw_ground_compile(c, &r->p, g, &store));
	assert_int_equal(r->tiles.n, (size_t)r->p.tile_count * MW_TILE_BYTES);
}

static inline void compile(result *r, const mw_ground *g)
{
	compile_in(&cx, r, g);
}

static inline void drop(result *r)
{
	mw_ground_product_free(&cx, &r->p);
	mw_wr_free(&r->tiles);
}

static inline void texel(const result *r, uint32_t x, uint32_t z, uint8_t out[4])
{
	uint8_t px[32 * 32 * 4];
	uint32_t tile = r->p.index[z / 32 * r->p.tiles_x + x / 32];
	mw_tile_decode(px, r->tiles.p + (size_t)tile * MW_TILE_BYTES, 0);
	memcpy(out, px + 4 * (z % 32 * 32 + x % 32), 4);
}

static inline void assert_texel(
	const result *r, uint32_t x, uint32_t z, int red, int green, int blue)
{
	uint8_t px[4];
	texel(r, x, z, px);
	if (abs(px[0] - red) > 1 || abs(px[1] - green) > 1 || abs(px[2] - blue) > 1)
		fail_msg("texel (%u, %u) is %d %d %d, want %d %d %d", x, z, px[0], px[1], px[2],
			red, green, blue);
}

static inline void assert_same(const result *a, const result *b)
{
	assert_int_equal(a->p.tile_count, b->p.tile_count);
	assert_memory_equal(
		a->p.index, b->p.index, (size_t)a->p.tiles_x * a->p.tiles_z * sizeof *a->p.index);
	assert_memory_equal(a->tiles.p, b->tiles.p, a->tiles.n);
	assert_memory_equal(a->p.minimap, b->p.minimap, MW_MINIMAP_BYTES);
}

/* A layer of one colour everywhere. */
static inline mw_ground_layer plain(float r, float g, float b)
{
	return (mw_ground_layer){.colour = {r, g, b},
		.mask = MW_GROUND_NONE,
		.opacity = 1,
		.tint = {1, 1, 1},
		.tint_mask = MW_GROUND_NONE,
		.shade = MW_GROUND_NONE};
}

static inline void make_image(mw_image *img, uint32_t w, uint32_t h, unsigned seed)
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

#endif

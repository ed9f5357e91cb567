/* Pictures in, tiles out: PNG against libpng and stb_image, and what a finished picture costs on
 * its way to tiles, stage by stage. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/wr.h"
#include "compile/groundtex.h"
#include "peers.h"
#include "pictures.h"
#include "raster/png.h"

#define SIDE 2048

typedef struct {
	mw_ctx *cx;
	const mw_image *img;
	uint8_t *png, *out;
	size_t png_n, out_n, cap;
	int level;
	mw_image decoded;
	mw_wr tiles;
	uint32_t records;
	uint8_t *tile;
} job;

static void check(mw_code code)
{
	if (code)
		abort();
}

/* ---- reading --------------------------------------------------------------------------------- */

static void ours_read(void *ud)
{
	job *j = ud;
	mw_image_free(j->cx, &j->decoded);
	check(mw_image_decode(j->cx, &j->decoded, j->png, j->png_n));
}

static void libpng_read(void *ud)
{
	job *j = ud;
	peer_libpng_read(j->out, j->png, j->png_n);
}

static void stb_read(void *ud)
{
	job *j = ud;
	peer_stb_image(j->out, j->png, j->png_n);
}

static void compare_reading(bench *b, job *j, const char *name)
{
	char row[64];
	double mpix = SIDE * (double)SIDE / 1e6;
	bool libpng = peer_libpng_there();
	bench_work works[] = {
		{ours_read, j, 0}, {libpng ? libpng_read : NULL, j, 0}, {stb_read, j, 0}};
	bench_thread_time(works, 3);
	bool same = !memcmp(j->decoded.px, j->out, SIDE * SIDE * 4);
	snprintf(row, sizeof row, "png read, %s", name);
	bench_row(b, row, "2048x2048", "MPix/s", BENCH_MORE, mpix / works[0].seconds,
		libpng ? mpix / works[1].seconds : 0, libpng ? "libpng" : NULL,
		same ? "same pixels" : "OTHER PIXELS");
	bench_row(b, row, "2048x2048", "MPix/s", BENCH_MORE, mpix / works[0].seconds,
		mpix / works[2].seconds, "stb_image", NULL);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void ours_write(void *ud)
{
	job *j = ud;
	mw_free(j->cx, j->png);
	check(mw_png_encode_image(j->cx, &j->png, &j->png_n, j->img, j->level));
}

static void libpng_write(void *ud)
{
	job *j = ud;
	j->out_n = peer_libpng_write(j->out, j->cap, j->img->px, SIDE, SIDE, j->level);
}

static void compare_writing(bench *b, job *j, const char *name)
{
	char row[64], size[64];
	double mpix = SIDE * (double)SIDE / 1e6;
	bool libpng = peer_libpng_there();
	bench_work works[] = {{ours_write, j, 0}, {libpng ? libpng_write : NULL, j, 0}};
	bench_thread_time(works, 2);
	snprintf(row, sizeof row, "png write level %d, %s", j->level, name);
	snprintf(size, sizeof size, "%.1f against %.1f MB", (double)j->png_n / 1e6,
		(double)j->out_n / 1e6);
	bench_row(b, row, "2048x2048", "MPix/s", BENCH_MORE, mpix / works[0].seconds,
		libpng ? mpix / works[1].seconds : 0, libpng ? "libpng" : NULL,
		libpng ? size : NULL);
}

/* ---- from a picture to tiles ------------------------------------------------------------------
 */

static void whole_ground(void *ud)
{
	job *j = ud;
	mw_ground g;
	mw_ground_product p;
	mw_tile_store store;
	mw_rows *rows;
	mw_ground_init(&g, SIDE, SIDE);
	check(mw_rows_image(j->cx, &rows, j->img));
	g.picture = rows;
	mw_wr_free(&j->tiles);
	mw_wr_init(&j->tiles, j->cx);
	store = mw_tile_store_memory(&j->tiles);
	check(mw_ground_compile(j->cx, &p, &g, &store));
	j->records = p.tile_count;
	mw_ground_product_free(j->cx, &p);
	mw_rows_close(j->cx, rows);
}

static void only_encode(void *ud)
{
	job *j = ud;
	size_t stride = (size_t)SIDE * 4;
	for (uint32_t y = 0; y < SIDE; y += MW_TILE_SIDE)
		for (uint32_t x = 0; x < SIDE; x += MW_TILE_SIDE)
			mw_tile_encode(j->cx->isa, MW_DXT1_NORMAL, j->tile,
				j->img->px + y * stride + (size_t)x * 4, stride);
}

static void pipeline(bench *b, job *j)
{
	char text[64];
	double mpix = SIDE * (double)SIDE / 1e6;
	bench_work works[] = {{whole_ground, j, 0}, {only_encode, j, 0}, {ours_read, j, 0}};
	bench_thread_time(works, 3);
	snprintf(text, sizeof text, "%u tiles", j->records);
	bench_row(b, "ground from a picture in memory", "2048x2048", "MPix/s", BENCH_MORE,
		mpix / works[0].seconds, 0, NULL, text);
	bench_row(b, "  of it mips and DXT1", "2048x2048", "MPix/s", BENCH_MORE,
		mpix / works[1].seconds, 0, NULL, NULL);
	snprintf(text, sizeof text, "read %.0f %%, encode %.0f %%, rest %.0f %%",
		100 * works[2].seconds / (works[0].seconds + works[2].seconds),
		100 * works[1].seconds / (works[0].seconds + works[2].seconds),
		100 * (works[0].seconds - works[1].seconds) /
			(works[0].seconds + works[2].seconds));
	bench_row(b, "ground from a PNG", "2048x2048", "MPix/s", BENCH_MORE,
		mpix / (works[0].seconds + works[2].seconds), 0, NULL, text);
}

void bench_ground(bench *b, mw_ctx *cx)
{
	static void (*const make[])(uint8_t *, int, uint32_t) = {picture_terrain, picture_smooth};
	static const char *const names[] = {"terrain", "smooth"};
	mw_image img;
	job j = {.cx = cx, .img = &img, .cap = (size_t)SIDE * SIDE * 5};
	check(mw_image_init(cx, &img, SIDE, SIDE));
	j.out = mw_alloc(cx, j.cap);
	j.tile = mw_alloc(cx, MW_TILE_BYTES);
	if (!j.out || !j.tile)
		abort();
	for (int i = 1; i >= 0; i--) {
		make[i](img.px, SIDE, 7);
		for (j.level = 1; j.level <= 6; j.level += 5)
			compare_writing(b, &j, names[i]);
		compare_reading(b, &j, names[i]);
	}
	pipeline(b, &j);
	mw_wr_free(&j.tiles);
	mw_image_free(cx, &j.decoded);
	mw_image_free(cx, &img);
	mw_free(cx, j.png);
	mw_free(cx, j.out);
	mw_free(cx, j.tile);
}

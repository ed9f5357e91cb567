/* DXT1 against stb_dxt and libsquish: speed on one thread, error by one decoder, two threads. */
#include "bench.h"
#include "peers.h"
#include "pictures.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/pool.h"
#include "raster/dxt1.h"
#include "raster/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 1024

/* Debian package lomiri-wallpapers-16.04: mountains, forest, rock. */
#define PHOTO "/usr/share/backgrounds/picosdeeuropa_by_Aitzol_Berasategi.jpg"

enum who { STB, SQUISH, FAST, NORMAL, BEST, SSE41, PORTABLE, WHO };

static const mw_isa isa_of[WHO] = {
	[FAST] = MW_ISA_AVX2, [NORMAL] = MW_ISA_AVX2, [BEST] = MW_ISA_AVX2, [SSE41] = MW_ISA_SSE41};
static const mw_dxt1_level level_of[WHO] = {[FAST] = MW_DXT1_FAST,
	[NORMAL] = MW_DXT1_NORMAL,
	[BEST] = MW_DXT1_BEST,
	[SSE41] = MW_DXT1_NORMAL,
	[PORTABLE] = MW_DXT1_NORMAL};

typedef struct {
	enum who who;
	const uint8_t *rgba;
	uint8_t *out; /* SIDE * SIDE / 2 bytes */
} job;

static mw_isa isa_for(enum who who)
{
	mw_isa best = mw_isa_detect();
	return isa_of[who] < best ? isa_of[who] : best;
}

static void encode(void *ud)
{
	job *j = ud;
	if (j->who == STB)
		peer_stb_dxt(j->out, j->rgba, SIDE, SIDE);
	else if (j->who == SQUISH)
		peer_squish_range(j->out, j->rgba, SIDE, SIDE);
	else
		mw_dxt1_encode(
			isa_for(j->who), level_of[j->who], j->out, j->rgba, SIDE * 4, SIDE, SIDE);
}

static void compare(bench *b, const char *picture, const uint8_t *rgba, uint8_t *out)
{
	bench_work works[WHO] = {{0}};
	job jobs[WHO];
	double rate[WHO], psnr[WHO];
	for (int i = 0; i < WHO; i++) {
		jobs[i] = (job){(enum who)i, rgba, out + (size_t)i * (SIDE * SIDE / 2)};
		if (i == SQUISH && !peer_squish_there())
			continue;
		works[i] = (bench_work){encode, &jobs[i], 0};
	}
	bench_thread_time(works, WHO);
	for (int i = 0; i < WHO; i++) {
		rate[i] = works[i].run ? SIDE * SIDE / 1e6 / works[i].seconds : 0;
		psnr[i] = mw_dxt1_psnr(
			mw_dxt1_error(rgba, SIDE * 4, jobs[i].out, SIDE, SIDE), SIDE, SIDE);
	}
	static const struct {
		enum who ours, peer;
		const char *name, *peer_name;
	} rows[] = {
		{FAST, STB, "fast", "stb_dxt high quality"},
		{NORMAL, STB, "normal", "stb_dxt high quality"},
		{SSE41, STB, "normal, SSE4.1", "stb_dxt high quality"},
		{PORTABLE, STB, "normal, portable", "stb_dxt high quality"},
		{BEST, STB, "best", "stb_dxt high quality"},
		{BEST, SQUISH, "best", "libsquish range fit"},
	};
	for (size_t i = 0; i < MW_COUNTOF(rows); i++) {
		enum who us = rows[i].ours, peer = rows[i].peer;
		char name[64], quality[64];
		if (!works[peer].run)
			continue;
		snprintf(name, sizeof name, "dxt1 %s, %s", picture, rows[i].name);
		snprintf(
			quality, sizeof quality, "%.3f dB, %+.3f", psnr[us], psnr[us] - psnr[peer]);
		bench_row(b, name, "1024x1024", "MPix/s", BENCH_MORE, rate[us], rate[peer],
			rows[i].peer_name, quality);
	}
}

/* ---- two threads: what they gain against what a loop that needs no memory gains ---- */

typedef struct {
	mw_ctx *cx;
	const uint8_t *rgba; /* NULL: the busy loop */
	uint8_t *out;
	uint32_t sink[256];
} threaded;

static mw_code rows_of(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	threaded *t = ud;
	MW_UNUSED(worker);
	if (t->rgba) {
		for (int again = 0; again < 4; again++)
			mw_dxt1_encode(cx->isa, MW_DXT1_NORMAL, t->out + first * SIDE * 2,
				t->rgba + first * SIDE * 16, SIDE * 4, SIDE,
				(uint32_t)(last - first) * 4);
		return MW_OK;
	}
	for (size_t i = first; i < last; i++) {
		uint32_t x = (uint32_t)i;
		for (int k = 0; k < 30000; k++)
			x = x * 1664525 + 1013904223;
		t->sink[i] = x;
	}
	return MW_OK;
}

static void run_rows(void *ud)
{
	threaded *t = ud;
	if (mw_pool_for(t->cx, SIDE / 4, 4, rows_of, t))
		abort();
}

static void two_threads(bench *b, mw_ctx *cx, const uint8_t *rgba, uint8_t *out)
{
	mw_ctx one = *cx, two = *cx;
	two.pool = mw_pool_new(cx, 2);
	if (!two.pool)
		abort();
	threaded jobs[4] = {
		{.cx = &one, .rgba = rgba, .out = out},
		{.cx = &two, .rgba = rgba, .out = out},
		{.cx = &one},
		{.cx = &two},
	};
	bench_work works[4];
	for (int i = 0; i < 4; i++)
		works[i] = (bench_work){run_rows, &jobs[i], 0};
	bench_wall_time(works, 4);
	bench_row(b, "dxt1 terrain, gain of two threads", "1024x1024", "times", BENCH_MORE,
		works[0].seconds / works[1].seconds, works[2].seconds / works[3].seconds,
		"busy loop", NULL);
	mw_pool_free(two.pool);
}

/* The middle of the photograph, or false with a word where it is not installed. */
static bool load_photo(bench *b, mw_ctx *cx, uint8_t *rgba)
{
	const char *path = getenv("BENCH_PHOTO");
	uint8_t *bytes = NULL;
	size_t n;
	mw_image img = {0};
	bool good = false;
	path = path ? path : PHOTO;
	if (mw_fs_read(cx, &bytes, &n, path) == MW_OK &&
		mw_image_decode(cx, &img, bytes, n) == MW_OK && img.w >= SIDE && img.h >= SIDE) {
		size_t left = (img.w - SIDE) / 2, top = (img.h - SIDE) / 2;
		for (size_t y = 0; y < SIDE; y++)
			memcpy(rgba + y * SIDE * 4, img.px + 4 * ((top + y) * img.w + left),
				SIDE * 4);
		good = true;
	}
	if (!good)
		bench_say(b,
			"dxt1 photo: left out, no " PHOTO
			" (Debian package lomiri-wallpapers-16.04; BENCH_PHOTO=FILE)");
	mw_err_clear(cx);
	mw_free(cx, bytes);
	mw_image_free(cx, &img);
	return good;
}

void bench_dxt1(bench *b, mw_ctx *cx)
{
	uint8_t *rgba = mw_alloc(cx, (size_t)SIDE * SIDE * 4);
	uint8_t *out = mw_zalloc(cx, (size_t)SIDE * SIDE / 2 * WHO);
	if (!rgba || !out)
		abort();
	picture_terrain(rgba, SIDE, 1);
	compare(b, "terrain", rgba, out);
	two_threads(b, cx, rgba, out);
	picture_smooth(rgba, SIDE, 2);
	compare(b, "smooth", rgba, out);
	picture_noise(rgba, SIDE, 3);
	compare(b, "noise", rgba, out);
	static const char *const two[] = {
		"two colours", "two, same way", "two, R against G", "two, R against B"};
	for (int i = 0; i < 4; i++) {
		picture_two_colours(rgba, SIDE, 4, (enum two_colours)i);
		compare(b, two[i], rgba, out);
	}
	if (load_photo(b, cx, rgba))
		compare(b, "photo", rgba, out);
	mw_free(cx, out);
	mw_free(cx, rgba);
}

/* Level text of the Quake family on one thread: reading, writing, and nothing but strtod over the
 * numbers of the same text, which every reader that uses it must take at least. */
#include "bench.h"

#include "format/qmap/qmap.h"

#include <stdio.h>
#include <stdlib.h>

#define BRUSHES 5000

static mw_ctx *own;
static mw_str text;
static mw_qmap model;

static void must(mw_code code)
{
	if (code != MW_OK) {
		fprintf(stderr, "bench: %s\n", own->err.msg);
		exit(1);
	}
}

static void put_face(const double p[9], double offset)
{
	for (int i = 0; i < 9; i += 3)
		mw_str_putf(&text, "( %.9g %.9g %.9g ) ", p[i], p[i + 1], p[i + 2]);
	mw_str_putf(&text, "wall_%d [ 1 0 0 %.4g ] [ 0 -1 0 0 ] 0 1 1\n", (int)offset % 7, offset);
}

/* Boxes as editors write them: most corners whole, some with fractions. */
static void make_text(void)
{
	mw_str_init(&text, own);
	mw_str_put(&text, "{\n\"classname\" \"worldspawn\"\n");
	for (int b = 0; b < BRUSHES; b++) {
		double x = b % 71 * 48 - 1700, y = b / 71 * 48 - 1700, z = b % 5 * 16;
		double e = b % 6 ? 0 : 0.123046875, s = 32;
		double f[6][9] = {{x, y, z + s, x, y, z, x, y + s, z},
			{x + s, y + s, z, x + s, y, z, x + s, y, z + s},
			{x + s, y, z, x, y, z, x, y, z + s},
			{x, y + s, z + s, x, y + s, z, x + s, y + s, z},
			{x, y + s, z, x, y, z, x + s, y, z},
			{x + s, y, z + s + e, x, y, z + s, x, y + s, z + s - e}};
		mw_str_put(&text, "{\n");
		for (int i = 0; i < 6; i++)
			put_face(f[i], b % 64 + e);
		mw_str_put(&text, "}\n");
	}
	mw_str_put(&text, "}\n");
	must(mw_str_code(&text));
}

static void run_read(void *ud)
{
	mw_qmap m;
	(void)ud;
	mw_qmap_init(&m, own);
	must(mw_qmap_read(own, &m, NULL, (const uint8_t *)text.p, text.n));
	mw_qmap_free(own, &m);
}

static void run_strtod(void *ud)
{
	double sum = 0;
	(void)ud;
	for (char *p = text.p; *p;) {
		if ((*p >= '0' && *p <= '9') || *p == '-')
			sum += strtod(p, &p);
		else
			p++;
	}
	if (sum == 1.5)
		fprintf(stderr, "never\n");
}

static void run_write(void *ud)
{
	mw_wr out;
	(void)ud;
	mw_wr_init(&out, own);
	must(mw_qmap_write(own, &out, &model, NULL, NULL));
	mw_wr_free(&out);
}

static void run_solids(void *ud)
{
	mw_qmap_solids s = {0};
	(void)ud;
	must(mw_qmap_build(own, &model, &s, NULL));
	mw_qmap_solids_free(own, &s);
}

void bench_qmap(bench *b, mw_ctx *cx)
{
	char size[48];
	bench_work works[] = {{run_read, NULL, 0}, {run_strtod, NULL, 0}, {run_write, NULL, 0},
		{run_solids, NULL, 0}};

	own = cx;
	make_text();
	mw_qmap_init(&model, cx);
	must(mw_qmap_read(cx, &model, NULL, (const uint8_t *)text.p, text.n));
	bench_thread_time(works, MW_COUNTOF(works));
	double mb = (double)text.n / 1e6;
	snprintf(size, sizeof size, "%.1f MB, %d brushes", mb, BRUSHES);
	bench_row(b, ".map read", size, "MB/s", BENCH_MORE, mb / works[0].seconds,
		mb / works[1].seconds, "strtod alone", NULL);
	bench_row(b, ".map write", size, "MB/s", BENCH_MORE, mb / works[2].seconds, 0, NULL, NULL);
	bench_row(b, ".map solids", size, "ms", BENCH_LESS, 1e3 * works[3].seconds, 0, NULL, NULL);
	mw_qmap_free(cx, &model);
	mw_str_free(&text);
}

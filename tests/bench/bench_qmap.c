/* Level text of the Quake family (levels.h) on one thread: reading, writing, and nothing but strtod
 * over the numbers of the same text, which every reader that uses it must take at least. */
#include "bench.h"

#include "format/qmap/qmap.h"
#include "levels.h"

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
	char size[16], brushes[32];
	bench_work works[] = {{run_read, NULL, 0}, {run_strtod, NULL, 0}, {run_write, NULL, 0},
		{run_solids, NULL, 0}};

	own = cx;
	mw_str_init(&text, cx);
	level_text(&text, BRUSHES, LEVEL_SEED);
	must(mw_str_code(&text));
	mw_qmap_init(&model, cx);
	must(mw_qmap_read(cx, &model, NULL, (const uint8_t *)text.p, text.n));
	bench_thread_time(works, MW_COUNTOF(works));
	double mb = (double)text.n / 1e6;
	snprintf(size, sizeof size, "%.1f MB", mb);
	snprintf(brushes, sizeof brushes, "%d brushes", BRUSHES);
	bench_row(b, ".map read", size, "MB/s", BENCH_MORE, mb / works[0].seconds,
		mb / works[1].seconds, "strtod alone", brushes);
	bench_row(
		b, ".map read", size, "MB/s", BENCH_MORE, mb / works[0].seconds, 300, "goal", NULL);
	bench_row(b, ".map write", size, "MB/s", BENCH_MORE, mb / works[2].seconds, 0, NULL, NULL);
	bench_row(b, ".map solids", size, "ms", BENCH_LESS, 1e3 * works[3].seconds, 0, NULL, NULL);
	mw_qmap_free(cx, &model);
	mw_str_free(&text);
}

/* Instruction counts by callgrind: a second opinion that no load of the machine changes. Five
 * primitives, each run in this program under valgrind with counting on between its begin and end
 * only; and whole small maps, for the growth from one size to the next. */
#include "bench.h"
#include "child.h"
#include "pictures.h"

#include "base/flate.h"
#include "base/mem.h"
#include "raster/dxt1.h"
#include "raster/erode.h"
#include "raster/png.h"
#include "raster/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIDE 256

typedef struct {
	mw_ctx *cx;
	mw_image img, read;
	mw_field field;
	mw_program program;
	uint8_t *bytes;
	size_t n;
} job;

static const mw_grid grid = {0, 0, 8};

static void must(mw_code code)
{
	if (code != MW_OK)
		abort();
}

static void ready_picture(job *j)
{
	must(mw_image_init(j->cx, &j->img, SIDE, SIDE));
	picture_terrain(j->img.px, SIDE, 7);
	j->n = SIDE * SIDE / 2;
	j->bytes = mw_alloc(j->cx, j->n);
	if (!j->bytes)
		abort();
}

static void run_dxt1(job *j)
{
	mw_dxt1_encode(j->cx->isa, MW_DXT1_NORMAL, j->bytes, j->img.px, SIDE * 4, SIDE, SIDE);
}

static void ready_tiles(job *j)
{
	ready_picture(j);
	run_dxt1(j);
}

static void run_deflate(job *j)
{
	uint8_t *out;
	size_t n;
	must(mw_deflate(j->cx, &out, &n, j->bytes, j->n, 6, MW_FLATE_RAW));
	mw_free(j->cx, out);
}

static void ready_png(job *j)
{
	ready_picture(j);
	mw_free(j->cx, j->bytes);
	must(mw_png_encode_image(j->cx, &j->bytes, &j->n, &j->img, 6));
}

static void run_png(job *j)
{
	must(mw_image_decode(j->cx, &j->read, j->bytes, j->n));
}

static void ready_noise(job *j)
{
	mw_noise n;
	mw_source *s;
	mw_source_scope scope = mw_source_scope_of(&grid, SIDE, SIDE, 0);
	mw_noise_init(&n);
	n.period = 1700;
	n.octaves = 6;
	must(mw_source_noise(j->cx, &s, &n, NULL));
	must(mw_program_compile(j->cx, &j->program, &s, 1, &scope));
	must(mw_field_init(j->cx, &j->field, SIDE, SIDE));
}

static void run_noise(job *j)
{
	must(mw_program_eval(j->cx, &j->program, &grid, &j->field));
}

static void ready_erosion(job *j)
{
	ready_noise(j);
	run_noise(j);
}

enum { ITERATIONS = 4 };

static void run_erosion(job *j)
{
	static const mw_hydraulic water = {.iterations = ITERATIONS,
		.rain = 0.02,
		.evaporation = 0.02,
		.capacity = 2,
		.dissolve = 0.1,
		.deposit = 0.2,
		.friction = 0.05};
	must(mw_erode_hydraulic(j->cx, &j->field, 8, &water));
}

static const struct {
	const char *name, *what, *unit;
	void (*ready)(job *j);
	void (*run)(job *j);
	double per; /* what the count is divided by */
} works[] = {
	{"dxt1", "instructions: DXT1, normal", "per texel", ready_picture, run_dxt1, SIDE *SIDE},
	{"noise", "instructions: fBm, 6 octaves", "per cell", ready_noise, run_noise, SIDE *SIDE},
	{"erosion", "instructions: water, an iteration", "per cell", ready_erosion, run_erosion,
		SIDE *SIDE *ITERATIONS},
	{"png", "instructions: PNG read", "per texel", ready_png, run_png, SIDE *SIDE},
	{"deflate", "instructions: deflate 6 of tiles", "per byte", ready_tiles, run_deflate,
		SIDE *SIDE / 2},
};

/* Callgrind counts while this runs, by its name; called through a pointer, so that no compiler
 * makes a copy of another name. */
void bench_counted(void (*run)(void *ud), void *ud);
void bench_counted(void (*run)(void *ud), void *ud)
{
	run(ud);
}
static void (*volatile counted)(void (*run)(void *ud), void *ud) = bench_counted;

static void (*chosen)(job *j);

static void run_chosen(void *ud)
{
	chosen(ud);
}

bool bench_count_once(const char *name, mw_ctx *cx)
{
	for (size_t i = 0; i < MW_COUNTOF(works); i++) {
		job j = {.cx = cx};
		if (strcmp(works[i].name, name) != 0)
			continue;
		works[i].ready(&j);
		chosen = works[i].run;
		counted(run_chosen, &j);
		return true;
	}
	return false;
}

/* ---- running valgrind --------------------------------------------------------------------------
 */

/* The count of "Collected : N" in what valgrind printed; 0 when it is not there. */
static double collected(const char *path)
{
	char line[512];
	double count = 0;
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f)) {
		const char *at = strstr(line, "Collected :");
		if (at)
			count = strtod(at + strlen("Collected :"), NULL);
	}
	if (f)
		fclose(f);
	return count;
}

static double count_work(const char *self, const char *name, const char *log)
{
	const char *const argv[] = {"valgrind", "--tool=callgrind",
		"--callgrind-out-file=/dev/null", "--collect-atstart=no",
		"--toggle-collect=bench_counted", self, "--once", name, NULL};
	return child_run(argv, log).ok ? collected(log) : 0;
}

static double count_map(int units, const char *dir, const char *log)
{
	char size[32], out[96];
	const char *program = getenv("MAPWRIGHT");
	snprintf(size, sizeof size, "units=%d", units);
	const char *const argv[] = {"valgrind", "--tool=callgrind",
		"--callgrind-out-file=/dev/null", program ? program : "build/release/mapwright",
		"build", "--no-cache", "-j1", "-o", dir, "-D", size, "-D", "kind=sdz",
		"tests/bench/map/build.lua", NULL};
	double count = child_run(argv, log).ok ? collected(log) : 0;
	snprintf(out, sizeof out, "%s/bench_%d.sdz", dir, units);
	unlink(out);
	return count;
}

/* A small map is mostly what every map costs once: the start of the program, a minimap of 1024 x
 * 1024, headers. So what counts is each further texel from one size to the next; four times the
 * texels of the size before, and what is left of a size is that fixed part. */
static void count_maps(bench *b, const char *dir, const char *log)
{
	enum { SIZES = 3 };
	double count[SIZES], further[SIZES] = {0};
	char size[16], quality[96];
	for (int i = 0; i < SIZES; i++) {
		int side = 2 << i;
		double texels = (double)side * side * 512 * 512;
		count[i] = count_map(side, dir, log);
		snprintf(size, sizeof size, "%dx%d", side, side);
		bench_row(b, "instructions: map to .sdz", size, "per texel", BENCH_LESS,
			count[i] / texels, 0, NULL, NULL);
		if (i == 0)
			continue;
		further[i] = (count[i] - count[i - 1]) / (texels * 3 / 4);
		snprintf(size, sizeof size, "%d to %d", side / 2, side);
		int n = snprintf(quality, sizeof quality, "fixed part %.0f million",
			(4 * count[i - 1] - count[i]) / 3e6);
		if (i > 1)
			snprintf(quality + n, sizeof quality - (size_t)n, ", grows by %+.1f %%",
				100 * (further[i] / further[i - 1] - 1));
		bench_row(b, "instructions: each further texel", size, "per texel", BENCH_LESS,
			further[i], 0, NULL, quality);
	}
}

void bench_count(bench *b, mw_ctx *cx)
{
	char dir[] = "/tmp/bench_count.XXXXXX", log[64], self[1024];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	MW_UNUSED(cx);
	if (n < 0 || !child_there("valgrind") || !mkdtemp(dir)) {
		bench_say(b, "count: no valgrind, no instruction counts");
		return;
	}
	self[n] = '\0';
	snprintf(log, sizeof log, "%s/log", dir);
	for (size_t i = 0; i < MW_COUNTOF(works); i++)
		bench_row(b, works[i].what, "256x256", works[i].unit, BENCH_LESS,
			count_work(self, works[i].name, log) / works[i].per, 0, NULL, NULL);
	count_maps(b, dir, log);
	unlink(log);
	rmdir(dir);
}

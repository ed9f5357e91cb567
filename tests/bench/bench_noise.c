/* Noise and sources against libnoise and stb_perlin, on a grid of heights and on warped positions.
 *
 * stb_perlin is the quickest scalar noise that Debian 12 has as C: 83 ns for six octaves of its
 * three-dimensional noise in one comparison, where the C inside python3-noise took 125 (noise2) and
 * 114 (simplex noise2), and GLM's gtc/noise.hpp 470 in either form. There is no FastNoise,
 * FastNoiseLite or OpenSimplex package.
 */
#include "bench.h"
#include "peers.h"

#include "base/mem.h"
#include "base/pool.h"
#include "raster/source.h"

#include <stdio.h>
#include <stdlib.h>

#define SIDE 1025 /* heights of a 16x16 map */
#define STEP 8.0
#define PERIOD 1700.0

typedef struct {
	mw_ctx *cx; /* with the instruction set and pool to use */
	mw_program program;
	mw_field out;
} ours;

static const mw_grid heights = {0, 0, STEP};

static void must(mw_ctx *cx, mw_code code)
{
	char text[512];
	if (code == MW_OK)
		return;
	mw_err_format(&cx->err, text, sizeof text);
	fprintf(stderr, "bench: %s\n", text);
	exit(1);
}

static void evaluate(void *ud)
{
	ours *o = ud;
	must(o->cx, mw_program_eval(o->cx, &o->program, &heights, &o->out));
}

/* ---- peers -------------------------------------------------------------------------------------
 */

typedef struct {
	void (*fill)(float *out, int side, double step, double period, int octaves);
	int octaves;
	float *out;
} theirs;

static void fill(void *ud)
{
	theirs *t = ud;
	t->fill(t->out, SIDE, STEP, PERIOD, t->octaves);
}

/* ---- rows --------------------------------------------------------------------------------------
 */

/* One source on every instruction set, beside up to two peers. */
static void compare(bench *b, mw_ctx *cx, const char *name, mw_source *s, const theirs *peer,
	const char *const *peer_name, int peers)
{
	mw_ctx child[MW_ISA_COUNT];
	ours o[MW_ISA_COUNT];
	bench_work works[MW_ISA_COUNT + 2] = {{0}};
	mw_source_scope scope = mw_source_scope_of(&heights, SIDE, SIDE, 0);
	for (int i = 0; i <= (int)mw_isa_detect(); i++) {
		child[i] = *cx;
		child[i].isa = (mw_isa)i;
		o[i] = (ours){.cx = &child[i]};
		must(cx, mw_program_compile(cx, &o[i].program, &s, 1, &scope));
		must(cx, mw_field_init(cx, &o[i].out, SIDE, SIDE));
		works[i] = (bench_work){evaluate, &o[i], 0};
	}
	theirs t[2];
	for (int i = 0; i < peers; i++) {
		t[i] = peer[i];
		t[i].out = mw_alloc_n(cx, (size_t)SIDE * SIDE, sizeof(float));
		if (!t[i].out)
			must(cx, MW_ENOMEM);
		if (t[i].fill)
			works[MW_ISA_COUNT + i] = (bench_work){fill, &t[i], 0};
	}
	bench_thread_time(works, MW_COUNTOF(works));
	const double ns = 1e9 / ((double)SIDE * SIDE);
	for (int i = (int)mw_isa_detect(); i >= 0; i--) {
		char row[64];
		snprintf(row, sizeof row, "%s, %s", name, mw_isa_name((mw_isa)i));
		for (int k = 0; k < peers; k++)
			if (works[MW_ISA_COUNT + k].run)
				bench_row(b, row, "1025^2", "ns/sample", BENCH_LESS,
					works[i].seconds * ns, works[MW_ISA_COUNT + k].seconds * ns,
					peer_name[k], NULL);
		if (!peers || !works[MW_ISA_COUNT].run)
			bench_row(b, row, "1025^2", "ns/sample", BENCH_LESS, works[i].seconds * ns,
				0, NULL, NULL);
	}
	for (int i = 0; i < peers; i++)
		mw_free(cx, t[i].out);
	for (int i = 0; i <= (int)mw_isa_detect(); i++) {
		mw_field_free(cx, &o[i].out);
		mw_program_free(cx, &o[i].program);
	}
}

/* ---- two threads: what they gain against what a loop that needs no memory gains ----------------
 */

#define WIDE 4097 /* heights of a 64x64 map: enough that waking a thread does not count */

typedef struct {
	mw_ctx *cx;
	uint32_t sink[WIDE];
} busy;

static mw_code busy_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	MW_UNUSED(cx);
	MW_UNUSED(worker);
	busy *b = ud;
	for (size_t j = first; j < last; j++) {
		uint32_t v = (uint32_t)j;
		for (int i = 0; i < 4000; i++)
			v = v * 1664525u + 1013904223u;
		b->sink[j] = v;
	}
	return MW_OK;
}

static void run_busy(void *ud)
{
	busy *b = ud;
	must(b->cx, mw_pool_for(b->cx, WIDE, 16, busy_rows, b));
}

static void scaling(bench *b, mw_ctx *cx, const char *name, mw_source *s)
{
	mw_ctx one = *cx, two = *cx;
	one.isa = two.isa = mw_isa_detect();
	two.pool = mw_pool_new(cx, 2);
	if (!two.pool)
		must(cx, MW_ENOMEM);
	ours o[2] = {{.cx = &one}, {.cx = &two}};
	static busy loops[2];
	bench_work works[4];
	mw_source_scope scope = mw_source_scope_of(&heights, WIDE, WIDE, 0);
	for (int i = 0; i < 2; i++) {
		must(cx, mw_program_compile(cx, &o[i].program, &s, 1, &scope));
		must(cx, mw_field_init(cx, &o[i].out, WIDE, WIDE));
		loops[i].cx = o[i].cx;
		works[i] = (bench_work){evaluate, &o[i], 0};
		works[2 + i] = (bench_work){run_busy, &loops[i], 0};
	}
	bench_wall_time(works, 4);
	bench_row(b, name, "4097^2", "times", BENCH_MORE, works[0].seconds / works[1].seconds,
		works[2].seconds / works[3].seconds, "busy loop", NULL);
	for (int i = 0; i < 2; i++) {
		mw_field_free(cx, &o[i].out);
		mw_program_free(cx, &o[i].program);
	}
	mw_pool_free(two.pool);
}

static mw_source *noise(mw_ctx *cx, mw_noise_basis basis, mw_noise_fractal fractal, int octaves,
	double amplitude, double period, uint64_t seed)
{
	mw_noise n;
	mw_noise_init(&n);
	n.basis = basis;
	n.fractal = fractal;
	n.octaves = octaves;
	n.amplitude = amplitude;
	n.period = period;
	n.seed = seed;
	mw_source *s;
	must(cx, mw_source_noise(cx, &s, &n, NULL));
	return s;
}

void bench_noise(bench *b, mw_ctx *cx)
{
	mw_source *fbm = noise(cx, MW_NOISE_GRADIENT, MW_NOISE_SUM, 6, 260, PERIOD, 1);
	mw_source *ridged = noise(cx, MW_NOISE_GRADIENT, MW_NOISE_RIDGED, 6, 260, PERIOD, 1);
	mw_source *cells = noise(cx, MW_NOISE_CELLULAR, MW_NOISE_SUM, 1, 1, PERIOD, 1);
	mw_source *dx = noise(cx, MW_NOISE_GRADIENT, MW_NOISE_SUM, 2, 60, 400, 2);
	mw_source *dz = noise(cx, MW_NOISE_GRADIENT, MW_NOISE_SUM, 2, 60, 400, 3);
	mw_source *warped;
	must(cx, mw_source_warp(cx, &warped, fbm, dx, dz));
	const char *const names[] = {"libnoise", "stb_perlin"};
	const theirs sums[] = {{peer_libnoise_fbm, 6, NULL}, {peer_stb_perlin_fbm, 6, NULL}};
	const theirs ridges[] = {
		{peer_libnoise_ridged, 6, NULL}, {peer_stb_perlin_ridged, 6, NULL}};
	const theirs voronoi[] = {{peer_libnoise_voronoi, 1, NULL}};
	/* Peers that have no grid path of their own: their sums are what a warp would cost. */
	int known = peer_libnoise_there() ? 0 : 1;
	compare(b, cx, "fBm 6 octaves", fbm, sums + known, names + known, 2 - known);
	compare(b, cx, "fBm 6, warped", warped, sums + known, names + known, 2 - known);
	compare(b, cx, "ridged 6 octaves", ridged, ridges + known, names + known, 2 - known);
	compare(b, cx, "cellular F1", cells, voronoi, names, 1 - known);
	scaling(b, cx, "fBm 6 octaves, gain of two threads", fbm);
	mw_source *const made[] = {fbm, ridged, cells, dx, dz, warped};
	for (size_t i = 0; i < MW_COUNTOF(made); i++)
		mw_source_release(cx, made[i]);
}

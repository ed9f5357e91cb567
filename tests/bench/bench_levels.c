/* Brush levels from .map text to a compiled .hmap through the program on one thread, at growing
 * size: CPU time, peak memory, and how both grow. Then levels of people, where they are beside the
 * checkout. */
#include "bench.h"
#include "child.h"
#include "levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool print_level(mw_ctx *cx, uint32_t brushes, FILE *f)
{
	mw_str text;
	mw_str_init(&text, cx);
	level_text(&text, brushes, LEVEL_SEED);
	bool good = mw_str_code(&text) == MW_OK && fwrite(text.p, 1, text.n, f) == text.n;
	mw_str_free(&text);
	return good;
}

bool bench_levels_print(const char *brushes, mw_ctx *cx)
{
	return print_level(cx, (uint32_t)strtoul(brushes, NULL, 10), stdout) && fflush(stdout) == 0;
}

static bool write_level(mw_ctx *cx, uint32_t brushes, const char *path)
{
	FILE *f = fopen(path, "w");
	bool good = f && print_level(cx, brushes, f);
	return f && fclose(f) == 0 && good;
}

static int by_cpu(const void *a, const void *b)
{
	const child_cost *x = a, *y = b;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

#define MOST_REPS 9

/* The median run of BENCH_REPS (9). */
static child_cost compile(const char *from, const char *to)
{
	child_cost cost[MOST_REPS];
	const char *program = getenv("MAPWRIGHT"), *text = getenv("BENCH_REPS");
	int reps = text ? atoi(text) : MOST_REPS;
	reps = reps < 1 ? 1 : reps > MOST_REPS ? MOST_REPS : reps;
	const char *const argv[] = {program ? program : "build/release/mapwright", "convert", "-q",
		"-j1", from, to, NULL};
	for (int i = 0; i < reps; i++) {
		cost[i] = child_run(argv, NULL);
		if (!cost[i].ok)
			return cost[i];
	}
	qsort(cost, (size_t)reps, sizeof *cost, by_cpu);
	return cost[reps / 2];
}

static void series(bench *b, mw_ctx *cx, const char *from, const char *to)
{
	static const uint32_t sizes[] = {500, 1000, 2000, 5000, 10000, 20000, 50000};
	child_cost last = {0};
	for (size_t i = 0; i < MW_COUNTOF(sizes); i++) {
		char size[24], cpu[96], memory[96];
		child_cost c = {0};
		if (write_level(cx, sizes[i], from))
			c = compile(from, to);
		if (!c.ok) {
			bench_say(b, "levels: a generated level does not compile");
			return;
		}
		double by = i ? log((double)sizes[i] / sizes[i - 1]) : 1;
		int n = snprintf(cpu, sizeof cpu, "%.4f s per 1,000", c.cpu * 1000 / sizes[i]);
		int m = snprintf(
			memory, sizeof memory, "%.1f MB per 1,000", c.peak * 1000 / sizes[i]);
		if (i) {
			snprintf(cpu + n, sizeof cpu - (size_t)n, ", grows by n^%.2f",
				log(c.cpu / last.cpu) / by);
			snprintf(memory + m, sizeof memory - (size_t)m, ", grows by n^%.2f",
				log(c.peak / last.peak) / by);
		}
		snprintf(size, sizeof size, "%u br.", (unsigned)sizes[i]);
		bench_row(
			b, "brush level to .hmap, CPU", size, "s", BENCH_LESS, c.cpu, 0, NULL, cpu);
		bench_row(b, "brush level to .hmap, peak memory", size, "MB", BENCH_LESS, c.peak, 0,
			NULL, memory);
		last = c;
	}
}

/* Levels that people made: what the compile may take at most. */
static void corpus(bench *b, const char *to)
{
	static const struct {
		const char *name;
		double cpu, peak; /* [unit: s, MB] 0: nothing said */
	} levels[] = {{"lq_e2m4", 0.5, 100}, {"qodot_tb_groups", 0.2, 0}};
	const char *shared = getenv("MAPWRIGHT_SHARED");
	for (size_t i = 0; i < MW_COUNTOF(levels); i++) {
		char path[4096], name[64];
		snprintf(path, sizeof path, "%s/corpus/map/%s.map", shared ? shared : "../shared",
			levels[i].name);
		if (access(path, R_OK) != 0) {
			snprintf(name, sizeof name, "levels: no %s.map here, left out",
				levels[i].name);
			bench_say(b, name);
			continue;
		}
		child_cost c = compile(path, to);
		if (!c.ok) {
			bench_say(b, "levels: a level of the corpus does not compile");
			continue;
		}
		snprintf(name, sizeof name, "%s.map to .hmap, CPU", levels[i].name);
		bench_row(b, name, "corpus", "s", BENCH_LESS, c.cpu, levels[i].cpu, "goal", NULL);
		snprintf(name, sizeof name, "%s.map to .hmap, peak memory", levels[i].name);
		bench_row(b, name, "corpus", "MB", BENCH_LESS, c.peak, levels[i].peak,
			levels[i].peak > 0 ? "goal" : NULL, NULL);
	}
}

void bench_levels(bench *b, mw_ctx *cx)
{
	char dir[] = "/tmp/bench_levels.XXXXXX", from[64], to[64];
	if (!mkdtemp(dir)) {
		bench_say(b, "levels: no scratch folder");
		return;
	}
	snprintf(from, sizeof from, "%s/level.map", dir);
	snprintf(to, sizeof to, "%s/level.hmap", dir);
	series(b, cx, from, to);
	corpus(b, to);
	unlink(from);
	unlink(to);
	rmdir(dir);
}

/* bench [SUITE...]: all suites, or those named. BENCH_REPS=N runs of each work (default 9),
 * BENCH_JSON=FILE writes the rows as an array of objects. bench --once WORK: for the suite count.
 * bench --level N: the level of N brushes that the suite levels compiles.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
	const char *name;
	bench_suite *run;
} suites[] = {
	{"dxt1", bench_dxt1},
	{"noise", bench_noise},
	{"ground", bench_ground},
	{"picture", bench_picture},
	{"field", bench_field},
	{"qmap", bench_qmap},
	{"levels", bench_levels},
	{"archive", bench_archive},
	{"count", bench_count},
	{"maps", bench_maps},
};

struct bench {
	FILE *json;
	int rows;
};

static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

#define MOST_REPS 101
#define MOST_WORKS 16

static void measure(bench_work *works, size_t n, clockid_t clock)
{
	static double taken[MOST_WORKS][MOST_REPS];
	const char *text = getenv("BENCH_REPS");
	int reps = text ? atoi(text) : 9;
	reps = reps < 1 ? 1 : reps > MOST_REPS ? MOST_REPS : reps;
	if (n > MOST_WORKS)
		abort();
	for (int r = -1; r < reps; r++) { /* the first round only warms up */
		for (size_t i = 0; i < n; i++) {
			if (!works[i].run)
				continue;
			double start = now(clock);
			works[i].run(works[i].ud);
			if (r >= 0)
				taken[i][r] = now(clock) - start;
		}
	}
	for (size_t i = 0; i < n; i++) {
		works[i].seconds = 0;
		if (!works[i].run)
			continue;
		qsort(taken[i], (size_t)reps, sizeof(double), by_value);
		works[i].seconds = taken[i][reps / 2];
	}
}

void bench_thread_time(bench_work *works, size_t n)
{
	measure(works, n, CLOCK_THREAD_CPUTIME_ID);
}

void bench_wall_time(bench_work *works, size_t n)
{
	measure(works, n, CLOCK_MONOTONIC);
}

static void json_text(FILE *f, const char *name, const char *s, const char *end)
{
	fprintf(f, "\"%s\": ", name);
	if (!s) {
		fprintf(f, "null%s", end);
		return;
	}
	fputc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', f);
		if ((unsigned char)*s >= 32)
			fputc(*s, f);
	}
	fprintf(f, "\"%s", end);
}

void bench_row(bench *b, const char *name, const char *size, const char *unit, bench_sense sense,
	double ours, double peer, const char *peer_name, const char *quality)
{
	double ratio = sense == BENCH_MORE ? ours / peer : peer / ours;
	printf("%-40s %-11s %9.4g", name, size, ours);
	if (peer_name)
		printf(" %9.4g %-20s %7.2fx", peer, peer_name, ratio);
	else
		printf(" %9s %-20s %8s", "-", "", "");
	printf("  %-9s %s\n", unit, quality ? quality : "");
	fflush(stdout);
	if (!b->json)
		return;
	fprintf(b->json, "%s\n  {", b->rows++ ? "," : "");
	json_text(b->json, "name", name, ", ");
	json_text(b->json, "size", size, ", ");
	json_text(b->json, "unit", unit, ", ");
	fprintf(b->json, "\"ours\": %.6g, ", ours);
	if (peer_name)
		fprintf(b->json, "\"peer\": %.6g, ", peer);
	else
		fputs("\"peer\": null, ", b->json);
	json_text(b->json, "peer_name", peer_name, ", ");
	if (peer_name)
		fprintf(b->json, "\"ratio\": %.4g, ", ratio);
	else
		fputs("\"ratio\": null, ", b->json);
	json_text(b->json, "quality", quality, "}");
}

void bench_say(bench *b, const char *text)
{
	MW_UNUSED(b);
	puts(text);
}

static bool wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], name) == 0)
			return true;
	}
	return argc < 2;
}

int main(int argc, char **argv)
{
	bench b = {0};
	mw_ctx cx;
	const char *path = getenv("BENCH_JSON");
	if (path && *path) {
		b.json = fopen(path, "w");
		if (!b.json) {
			perror(path);
			return 1;
		}
		fputc('[', b.json);
	}
	mw_ctx_init(&cx);
	if (argc == 3 && strcmp(argv[1], "--once") == 0)
		return bench_count_once(argv[2], &cx) ? 0 : 2;
	if (argc == 3 && strcmp(argv[1], "--level") == 0)
		return bench_levels_print(argv[2], &cx) ? 0 : 2;
	printf("%-40s %-11s %9s %9s %-20s %8s  %-9s %s\n", "what", "size", "ours", "peer", "",
		"ratio", "unit", "quality");
	for (size_t i = 0; i < MW_COUNTOF(suites); i++) {
		if (wanted(suites[i].name, argc, argv))
			suites[i].run(&b, &cx);
	}
	if (b.json) {
		fputs("\n]\n", b.json);
		if (fclose(b.json)) {
			perror(path);
			return 1;
		}
	}
	return 0;
}

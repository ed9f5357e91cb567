/* Whole maps through the program, at growing size: CPU time, peak memory, and how both grow. The
 * script is tests/bench/map/build.lua. BENCH_UNITS: the largest side (default 32). */
#include "bench.h"
#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Map units have 512 texels a side. */
static double texels(int units)
{
	return (double)units * units * 512 * 512;
}

static child_cost build(const char *dir, int units, const char *kind)
{
	char size[32], what[32];
	const char *program = getenv("MAPWRIGHT");
	snprintf(size, sizeof size, "units=%d", units);
	snprintf(what, sizeof what, "kind=%s", kind);
	const char *const argv[] = {program ? program : "build/release/mapwright", "build",
		"--no-cache", "-o", dir, "-D", size, "-D", what, "tests/bench/map/build.lua", NULL};
	return child_run(argv, NULL);
}

void bench_maps(bench *b, mw_ctx *cx)
{
	static const int sides[] = {8, 16, 32};
	static const char *const kinds[] = {"sd7", "sdz"};
	const char *text = getenv("BENCH_UNITS");
	int most = text ? atoi(text) : 32;
	char dir[] = "/tmp/bench_maps.XXXXXX", line[160];
	MW_UNUSED(cx);
	if (!mkdtemp(dir)) {
		bench_say(b, "maps: no scratch folder");
		return;
	}
	for (size_t k = 0; k < MW_COUNTOF(kinds); k++) {
		child_cost first = {0};
		for (size_t i = 0; i < MW_COUNTOF(sides) && sides[i] <= most; i++) {
			char name[48], size[32], out[64], growth[96];
			child_cost c = build(dir, sides[i], kinds[k]);
			if (!c.ok) {
				bench_say(b, "maps: the build failed");
				break;
			}
			if (i == 0)
				first = c;
			snprintf(size, sizeof size, "%dx%d", sides[i], sides[i]);
			snprintf(growth, sizeof growth, "%.2f times the first per texel",
				c.cpu / texels(sides[i]) / (first.cpu / texels(sides[0])));
			snprintf(name, sizeof name, "map to .%s, CPU", kinds[k]);
			bench_row(b, name, size, "s", BENCH_LESS, c.cpu, 0, NULL, growth);
			snprintf(
				growth, sizeof growth, "%.2f times the first", c.peak / first.peak);
			snprintf(name, sizeof name, "map to .%s, peak memory", kinds[k]);
			bench_row(b, name, size, "MB", BENCH_LESS, c.peak, 0, NULL, growth);
			snprintf(out, sizeof out, "%s/bench_%d.%s", dir, sides[i], kinds[k]);
			unlink(out);
		}
	}
	if (rmdir(dir) != 0) {
		snprintf(line, sizeof line, "maps: something is left in %s", dir);
		bench_say(b, line);
	}
}

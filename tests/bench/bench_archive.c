/* Archives of texture tiles: .sdz against zlib at its highest level, .sd7 against the 7z program at
 * the preset of each level. */
#include "bench.h"
#include "child.h"
#include "peers.h"
#include "pictures.h"

#include "archive/archive.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/pool.h"
#include "raster/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The tiles of an 8x8 and of a 16x16 map. */
enum { SIDE = 4096, LARGE = 8192 };

static size_t tiles_bytes(size_t side)
{
	return side / MW_TILE_SIDE * (side / MW_TILE_SIDE) * MW_TILE_BYTES;
}

typedef struct {
	mw_ctx *cx;
	char dir[32], in[64], out[64];
	uint8_t *tiles, *packed;
	size_t n, cap, packed_n;
	mw_archive_kind kind;
	mw_archive_level level;
} job;

static void must(mw_ctx *cx, mw_code code)
{
	char text[512];
	if (code == MW_OK)
		return;
	mw_err_format(&cx->err, text, sizeof text);
	fprintf(stderr, "bench: %s\n", text);
	exit(1);
}

static void make_tiles(job *j, int side, void (*make)(uint8_t *, int, uint32_t))
{
	size_t n = (size_t)side, stride = n * 4;
	uint8_t *rgba = mw_alloc(j->cx, stride * n), *to = j->tiles;
	j->n = tiles_bytes(n);
	if (!rgba)
		must(j->cx, MW_ENOMEM);
	make(rgba, side, 7);
	for (size_t y = 0; y < n; y += MW_TILE_SIDE)
		for (size_t x = 0; x < n; x += MW_TILE_SIDE, to += MW_TILE_BYTES)
			mw_tile_encode(
				j->cx->isa, MW_DXT1_NORMAL, to, rgba + y * stride + x * 4, stride);
	mw_free(j->cx, rgba);
	FILE *f = fopen(j->in, "wb");
	if (!f || fwrite(j->tiles, 1, j->n, f) != j->n || fclose(f) != 0)
		must(j->cx, mw_fs_fail(j->cx, j->in, "write"));
}

static double size_of(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? (double)st.st_size : 0;
}

static void ours(void *ud)
{
	job *j = ud;
	mw_archive_item item = {.name = "maps/bench.smt", .bytes = j->tiles, .n = j->n};
	must(j->cx, mw_archive_write(j->cx, j->out, j->kind, j->level, &item, 1));
}

static void zlib9(void *ud)
{
	job *j = ud;
	j->packed_n = peer_zlib(j->packed, j->cap, j->tiles, j->n, 9);
}

static void compare_zip(bench *b, job *j, const char *picture)
{
	static const char *const names[] = {"fast", "normal", "release"};
	const double mb = (double)j->n / 1e6;
	j->kind = MW_ARCHIVE_ZIP;
	snprintf(j->out, sizeof j->out, "%s/bench.sdz", j->dir);
	for (int level = MW_ARCHIVE_FAST; level <= MW_ARCHIVE_RELEASE; level++) {
		char row[64], quality[96];
		bench_work works[] = {{ours, j, 0}, {zlib9, j, 0}};
		j->level = (mw_archive_level)level;
		bench_thread_time(works, 2);
		snprintf(row, sizeof row, ".sdz of tiles, %s, %s", picture, names[level]);
		snprintf(quality, sizeof quality, "%.2f against %.2f MB: %+.1f %%",
			size_of(j->out) / 1e6, (double)j->packed_n / 1e6,
			100 * (size_of(j->out) / (double)j->packed_n - 1));
		bench_row(b, row, "11 MB", "MB/s", BENCH_MORE, mb / works[0].seconds,
			mb / works[1].seconds, "zlib level 9", quality);
	}
	unlink(j->out);
}

/* ---- 7z: seconds each, so few rounds -----------------------------------------------------------
 */

static double clock_of(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compare_7z(bench *b, job *j, const char *picture, const char *program,
	mw_archive_level level, const char *name, const char *preset)
{
	char theirs[64], row[64], size[16], quality[96];
	double wall = 1e30, cpu = 1e30;
	child_cost peer = {.wall = 1e30, .cpu = 1e30};
	snprintf(theirs, sizeof theirs, "%s/peer.7z", j->dir);
	snprintf(j->out, sizeof j->out, "%s/bench.sd7", j->dir);
	j->kind = MW_ARCHIVE_7Z;
	j->level = level;
	for (int round = 0; round < 2; round++) {
		double from = clock_of(CLOCK_MONOTONIC), used = clock_of(CLOCK_PROCESS_CPUTIME_ID);
		ours(j);
		double w = clock_of(CLOCK_MONOTONIC) - from,
		       c = clock_of(CLOCK_PROCESS_CPUTIME_ID) - used;
		wall = w < wall ? w : wall;
		cpu = c < cpu ? c : cpu;
		unlink(theirs);
		const char *const argv[] = {program, "a", "-mmt=2", preset, theirs, j->in, NULL};
		child_cost cost = child_run(argv, NULL);
		if (!cost.ok) {
			bench_say(b, "archive: the 7z program failed");
			return;
		}
		peer.wall = cost.wall < peer.wall ? cost.wall : peer.wall;
		peer.cpu = cost.cpu < peer.cpu ? cost.cpu : peer.cpu;
	}
	snprintf(quality, sizeof quality, "%.2f against %.2f MB: %+.1f %%", size_of(j->out) / 1e6,
		size_of(theirs) / 1e6, 100 * (size_of(j->out) / size_of(theirs) - 1));
	snprintf(row, sizeof row, ".sd7 of tiles, %s, %s", picture, name);
	snprintf(size, sizeof size, "%.0f MB, 2 T", (double)j->n / 1e6);
	bench_row(b, row, size, "s wall", BENCH_LESS, wall, peer.wall, preset, quality);
	bench_row(b, row, size, "s CPU", BENCH_LESS, cpu, peer.cpu, preset, NULL);
	unlink(theirs);
	unlink(j->out);
}

void bench_archive(bench *b, mw_ctx *cx)
{
	static const struct {
		void (*make)(uint8_t *, int, uint32_t);
		int side;
		const char *name;
	} pictures[] = {{picture_terrain, SIDE, "terrain"}, {picture_smooth, SIDE, "smooth"},
		{picture_calm, LARGE, "calm"}, {picture_tinted, LARGE, "tinted"}};
	static const char *const programs[] = {"7zz", "7z", "7za"};
	const char *program = NULL;
	job j = {.cx = cx, .dir = "/tmp/bench_pack.XXXXXX", .n = tiles_bytes(LARGE)};
	for (size_t i = MW_COUNTOF(programs); i-- > 0;)
		program = child_there(programs[i]) ? programs[i] : program;
	j.cap = j.n + (j.n >> 8) + 1024;
	j.tiles = mw_alloc(cx, j.n);
	j.packed = mw_alloc(cx, j.cap);
	if (!j.tiles || !j.packed || !mkdtemp(j.dir))
		must(cx, MW_ENOMEM);
	snprintf(j.in, sizeof j.in, "%s/bench.smt", j.dir);
	for (size_t i = 0; i < MW_COUNTOF(pictures); i++) {
		const char *name = pictures[i].name;
		make_tiles(&j, pictures[i].side, pictures[i].make);
		if (pictures[i].side == SIDE)
			compare_zip(b, &j, name);
		if (!program) {
			bench_say(b, "archive: no 7z program to compare with");
			continue;
		}
		cx->pool = mw_pool_new(cx, 2);
		compare_7z(b, &j, name, program, MW_ARCHIVE_FAST, "fast", "-mx=1");
		compare_7z(b, &j, name, program, MW_ARCHIVE_NORMAL, "normal", "-mx=5");
		compare_7z(b, &j, name, program, MW_ARCHIVE_RELEASE, "release", "-mx=9");
		mw_pool_free(cx->pool);
		cx->pool = NULL;
	}
	unlink(j.in);
	rmdir(j.dir);
	mw_free(cx, j.tiles);
	mw_free(cx, j.packed);
}

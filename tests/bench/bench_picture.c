/* From a finished picture of 8,192 x 8,192 texels to an archive: where the time goes. First the
 * stages one after the other on one thread, on the same bands of rows as the program takes, then
 * the program itself. The picture is picture_terrain, seed 7, as an ordinary PNG. */
#include "bench.h"
#include "child.h"
#include "peers.h"
#include "pictures.h"

#include "archive/archive.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/pool.h"
#include "raster/png.h"
#include "raster/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SIDE 8192
#define SIZE "8192x8192"
#define ACROSS (SIDE / MW_TILE_SIDE)
#define TILES ((size_t)ACROSS * ACROSS)
#define SEED 7

enum { READ, ENCODE, SHARE, PACK_ZIP, PACK_7Z, STAGES };

typedef struct {
	mw_ctx *cx;
	char dir[40], png[64], script[64], smt[64], out[64];
	uint8_t *rgba, *tiles;
	double cpu[STAGES];
	uint32_t records;
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

static double thread_cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the picture ----------------------------------------------------------------------------- */

static mw_code some_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	job *j = ud;
	MW_UNUSED(cx);
	MW_UNUSED(worker);
	picture_terrain_rows(j->rgba + first * SIDE * 4, SIDE, SEED, (int)first, (int)last);
	return MW_OK;
}

static void make_png(job *j)
{
	mw_image img = {.w = SIDE, .h = SIDE};
	uint8_t *png;
	size_t n;
	img.px = j->rgba;
	j->cx->pool = mw_pool_new(j->cx, 2);
	must(j->cx, mw_pool_for(j->cx, SIDE, 32, some_rows, j));
	mw_pool_free(j->cx->pool);
	j->cx->pool = NULL;
	must(j->cx, mw_png_encode_image(j->cx, &png, &n, &img, 6));
	must(j->cx, mw_fs_write(j->cx, j->png, png, n));
	mw_free(j->cx, png);
}

/* A script reads only what lies below its own folder. */
static void copy_script(job *j)
{
	uint8_t *text;
	size_t n;
	must(j->cx, mw_fs_read(j->cx, &text, &n, "tests/bench/map/picture.lua"));
	must(j->cx, mw_fs_write(j->cx, j->script, text, n));
	mw_free(j->cx, text);
}

/* ---- reading it, beside others --------------------------------------------------------------- */

typedef struct {
	job *j;
	uint8_t *png;
	size_t n;
} reading;

static void read_rows(void *ud)
{
	reading *r = ud;
	mw_png *png;
	must(r->j->cx, mw_png_open_file(r->j->cx, &png, r->j->png));
	for (size_t y = 0; y < SIDE; y++)
		must(r->j->cx, mw_png_row_rgba(r->j->cx, png, r->j->rgba + y * SIDE * 4));
	mw_png_close(r->j->cx, png);
}

static void libpng_read(void *ud)
{
	reading *r = ud;
	peer_libpng_read(r->j->rgba, r->png, r->n);
}

static void stb_read(void *ud)
{
	reading *r = ud;
	peer_stb_image(r->j->rgba, r->png, r->n);
}

static void compare_reading(bench *b, job *j)
{
	reading r = {.j = j};
	const double mpix = (double)SIDE * SIDE / 1e6;
	char quality[64];
	bool libpng = peer_libpng_there();
	must(j->cx, mw_fs_read(j->cx, &r.png, &r.n, j->png));
	bench_work works[] = {
		{read_rows, &r, 0}, {libpng ? libpng_read : NULL, &r, 0}, {stb_read, &r, 0}};
	bench_thread_time(works, 3);
	snprintf(quality, sizeof quality, "%.1f MB, row by row from the file", (double)r.n / 1e6);
	bench_row(b, "ground picture, PNG read", SIZE, "MPix/s", BENCH_MORE,
		mpix / works[0].seconds, libpng ? mpix / works[1].seconds : 0,
		libpng ? "libpng" : NULL, quality);
	bench_row(b, "ground picture, PNG read", SIZE, "MPix/s", BENCH_MORE,
		mpix / works[0].seconds, mpix / works[2].seconds, "stb_image", NULL);
	mw_free(j->cx, r.png);
}

/* ---- the stages, one after the other --------------------------------------------------------- */

enum { BAND = 8 }; /* rows of tiles, as the program has it at this size */

static void tiles_of_picture(job *j)
{
	mw_ctx *cx = j->cx;
	const size_t stride = (size_t)SIDE * 4, band = (size_t)BAND * ACROSS;
	static mw_hash hash[BAND * ACROSS];
	uint32_t *index = mw_alloc_n(cx, TILES, sizeof *index);
	mw_tile_dedup dedup;
	mw_fs_file *file;
	mw_png *png;
	double at = thread_cpu(), to;
	must(cx, index ? MW_OK : MW_ENOMEM);
	must(cx, mw_fs_create(cx, &file, j->smt));
	mw_tile_store store = mw_tile_store_file(file);
	mw_tile_dedup_init(&dedup, true);
	must(cx, mw_png_open_file(cx, &png, j->png));
	for (size_t row = 0; row < ACROSS; row += BAND) {
		for (size_t y = 0; y < (size_t)BAND * MW_TILE_SIDE; y++)
			must(cx, mw_png_row_rgba(cx, png, j->rgba + y * stride));
		to = thread_cpu();
		j->cpu[READ] += to - at;
		for (size_t i = 0; i < band; i++)
			mw_tile_encode(cx->isa, MW_DXT1_NORMAL, j->tiles + i * MW_TILE_BYTES,
				j->rgba + i / ACROSS * MW_TILE_SIDE * stride +
					i % ACROSS * MW_TILE_SIDE * 4,
				stride);
		at = thread_cpu();
		j->cpu[ENCODE] += at - to;
		for (size_t i = 0; i < band; i++)
			hash[i] = mw_hash_bytes(j->tiles + i * MW_TILE_BYTES, MW_TILE_BYTES);
		must(cx,
			mw_tile_dedup_add(
				cx, &dedup, &store, index + row * ACROSS, j->tiles, hash, band));
		to = thread_cpu();
		j->cpu[SHARE] += to - at;
		at = to;
	}
	j->records = dedup.records;
	mw_png_close(cx, png);
	must(cx, mw_fs_commit(cx, file));
	mw_tile_dedup_free(cx, &dedup);
	mw_free(cx, index);
}

static void pack(job *j, mw_archive_kind kind, int stage)
{
	mw_archive_item item = {.name = "maps/bench.smt", .path = j->smt};
	double from = thread_cpu();
	must(j->cx, mw_archive_write(j->cx, j->out, kind, MW_ARCHIVE_NORMAL, &item, 1));
	j->cpu[stage] = thread_cpu() - from;
	unlink(j->out);
}

/* ---- the program ----------------------------------------------------------------------------- */

static child_cost build(const job *j, const char *kind, const char *jobs)
{
	char what[32];
	const char *program = getenv("MAPWRIGHT");
	snprintf(what, sizeof what, "kind=%s", kind);
	const char *const argv[] = {program ? program : "build/release/mapwright", "build",
		"--no-cache", "-o", j->dir, "-D", what, j->script, jobs, NULL};
	return child_run(argv, NULL);
}

static void stages(bench *b, const job *j, const char *kind, int pack_stage)
{
	static const char *const names[STAGES] = {"read the picture", "mips and DXT1",
		"hash, share, store", "pack the archive", "pack the archive"};
	char row[64], quality[64], out[96];
	child_cost one = build(j, kind, "-j1"), all = build(j, kind, NULL);
	snprintf(out, sizeof out, "%s/bench_picture.%s", j->dir, kind);
	if (!one.ok || !all.ok) {
		bench_say(b, "picture: the build failed");
		return;
	}
	double rest = one.cpu;
	for (int i = 0; i < STAGES; i++) {
		if (i >= PACK_ZIP && i != pack_stage)
			continue;
		rest -= j->cpu[i];
		snprintf(row, sizeof row, "picture to .%s: %s", kind, names[i]);
		snprintf(quality, sizeof quality, "%.0f %%", 100 * j->cpu[i] / one.cpu);
		bench_row(b, row, SIZE, "s CPU", BENCH_LESS, j->cpu[i], 0, NULL, quality);
	}
	snprintf(row, sizeof row, "picture to .%s: the rest", kind);
	snprintf(quality, sizeof quality, "%.0f %%: start, heights, minimap, lint",
		100 * rest / one.cpu);
	bench_row(b, row, SIZE, "s CPU", BENCH_LESS, rest, 0, NULL, quality);
	snprintf(row, sizeof row, "picture to .%s: whole, one thread", kind);
	bench_row(b, row, SIZE, "s CPU", BENCH_LESS, one.cpu, 0, NULL, NULL);
	snprintf(row, sizeof row, "picture to .%s: whole, all cores", kind);
	snprintf(quality, sizeof quality, "%.2f s CPU", all.cpu);
	bench_row(b, row, SIZE, "s wall", BENCH_LESS, all.wall, 0, NULL, quality);
	snprintf(row, sizeof row, "picture to .%s: peak memory", kind);
	bench_row(b, row, SIZE, "MB", BENCH_LESS, all.peak, 0, NULL, NULL);
	unlink(out);
}

void bench_picture(bench *b, mw_ctx *cx)
{
	job j = {.cx = cx, .dir = "/tmp/bench_picture.XXXXXX"};
	if (!mkdtemp(j.dir)) {
		bench_say(b, "picture: no scratch folder");
		return;
	}
	snprintf(j.png, sizeof j.png, "%s/ground.png", j.dir);
	snprintf(j.script, sizeof j.script, "%s/build.lua", j.dir);
	snprintf(j.smt, sizeof j.smt, "%s/ground.smt", j.dir);
	snprintf(j.out, sizeof j.out, "%s/ground.pack", j.dir);
	j.rgba = mw_alloc(cx, (size_t)SIDE * SIDE * 4);
	j.tiles = mw_alloc(cx, (size_t)BAND * ACROSS * MW_TILE_BYTES);
	must(cx, j.rgba && j.tiles ? MW_OK : MW_ENOMEM);
	make_png(&j);
	copy_script(&j);
	compare_reading(b, &j);
	tiles_of_picture(&j);
	pack(&j, MW_ARCHIVE_ZIP, PACK_ZIP);
	pack(&j, MW_ARCHIVE_7Z, PACK_7Z);
	/* a child's peak memory is no less than ours when it starts */
	mw_free(cx, j.rgba);
	mw_free(cx, j.tiles);
	stages(b, &j, "sdz", PACK_ZIP);
	stages(b, &j, "sd7", PACK_7Z);
	unlink(j.png);
	unlink(j.script);
	unlink(j.smt);
	rmdir(j.dir);
}

#include "compile/groundtex.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/pool.h"
#include "compile/groundtex_layer.h"

#include <math.h>
#include <string.h>

#define PIECE_W 128u     /* [unit: texel] least width of a piece; working planes stay in L2 */
#define BAND_TILES 2048u /* tiles of a band, about: enough pieces for all workers */
#define BAND_ROWS_MAX 8u /* [unit: tile] */

void mw_ground_product_free(mw_ctx *cx, mw_ground_product *p)
{
	mw_free(cx, p->index);
	mw_free(cx, p->minimap);
	memset(p, 0, sizeof *p);
}

void mw_ground_init(mw_ground *g, uint32_t w, uint32_t h)
{
	memset(g, 0, sizeof *g);
	g->w = w;
	g->h = h;
	g->colour[0] = g->colour[1] = g->colour[2] = 0.5f;
	g->water = (mw_ground_water){.shallow = {0.36f, 0.62f, 0.70f},
		.deep = {0.05f, 0.18f, 0.38f},
		.least = 0.35f,
		.most = 0.92f,
		.half = 40.0f};
	g->level = MW_DXT1_NORMAL;
	g->share = true;
}

void mw_ground_split(uint32_t *counts, uint32_t files, uint32_t tile_count)
{
	for (uint32_t i = 0; i < files; i++)
		counts[i] = tile_count / files + (i < tile_count % files ? 1 : 0);
}

/* ---- the running compile -----------------------------------------------------------------------
 */

/* Working space of one worker. */
typedef struct {
	float *planes; /* mask, four of a texture, the picture's three, then one a root */
	float **root;  /* [roots] */
	int32_t *column;
	uint8_t *rgba;
	mw_program_scratch *program;
} worker;

typedef struct {
	const mw_ground *g;
	mw__layer_textures *textures;
	worker *workers;
	int worker_count;

	uint32_t tiles_x, tiles_z;
	uint32_t piece_w, pieces; /* widest piece and number of pieces across */
	uint32_t band_rows;       /* [unit: tile] */
	uint32_t first_row, rows; /* of the running band [unit: tile] */
	uint8_t *picture[2];      /* band of the picture: this one, the next, by parity */
	unsigned parity;
	uint32_t next_rows; /* band of the picture to read meanwhile */
	uint8_t *tiles;     /* [band_rows * tiles_x * MW_TILE_BYTES] */
	mw_hash *hashes;    /* [band_rows * tiles_x] */

	uint32_t box_x, box_z;   /* texels that make a minimap cell */
	uint32_t mini_w, mini_h; /* cells */
	uint32_t *sums;          /* [mini_w * mini_h * 3]; NULL: not wanted */
} run;

static uint32_t common_multiple(uint32_t a, uint32_t b)
{
	uint32_t x = a, y = b;
	while (y) {
		uint32_t t = x % y;
		x = y;
		y = t;
	}
	return a / x * b;
}

static mw_code check(mw_ctx *cx, const mw_ground *g)
{
	if (g->w == 0 || g->h == 0 || g->w % MW_TILE_SIDE || g->h % MW_TILE_SIDE ||
		g->w > MW_GROUND_SIDE_MAX || g->h > MW_GROUND_SIDE_MAX)
		return mw_fail(cx, MW_ERANGE,
			"ground of %ux%u texels, each side must be a multiple of %u up to %u", g->w,
			g->h, MW_TILE_SIDE, MW_GROUND_SIDE_MAX);
	if (g->picture && (g->picture->w != g->w || g->picture->h != g->h))
		return mw_fail(cx, MW_EINVALID, "the ground picture is %ux%u, this map needs %ux%u",
			g->picture->w, g->picture->h, g->w, g->h);
	if (g->layer_count > MW_GROUND_LAYERS_MAX)
		return mw_fail(cx, MW_ELIMIT, "%zu ground layers, at most %d", g->layer_count,
			MW_GROUND_LAYERS_MAX);
	for (size_t i = 0; i < g->layer_count; i++) {
		const mw_ground_layer *l = &g->layers[i];
		int roots[] = {l->mask, l->tint_mask, l->shade};
		for (size_t k = 0; k < MW_COUNTOF(roots); k++)
			if (roots[k] != MW_GROUND_NONE &&
				(!g->program || roots[k] < 0 || (size_t)roots[k] >= g->roots))
				return mw_fail(cx, MW_EINVALID,
					"ground layer %zu wants output %d of %zu", i + 1, roots[k],
					g->program ? g->roots : 0);
	}
	if ((g->light && (g->light->w < 2 || g->light->h < 2)) ||
		(g->heights && (g->heights->w < 2 || g->heights->h < 2)))
		return mw_fail(cx, MW_EINVALID, "heights of less than two samples a side");
	if (g->light && ((uint32_t)g->light->w > g->w || (uint32_t)g->light->h > g->h))
		return mw_fail(cx, MW_EINVALID, "light of %dx%d samples for %ux%u texels",
			g->light->w, g->light->h, g->w, g->h);
	return MW_OK;
}

static void worker_free(mw_ctx *cx, worker *w)
{
	mw_free(cx, w->planes);
	mw_free(cx, w->root);
	mw_free(cx, w->column);
	mw_free(cx, w->rgba);
	mw_program_scratch_free(cx, w->program);
}

static mw_code worker_init(mw_ctx *cx, worker *w, const run *r)
{
	size_t texels = (size_t)r->piece_w * MW_TILE_SIDE;
	size_t roots = r->g->program ? r->g->roots : 0;
	w->planes = mw_alloc_wide(cx, texels * (8 + roots) * sizeof(float));
	w->rgba = w->planes ? mw_alloc_wide(cx, texels * 4) : NULL;
	w->column = w->rgba ? mw_alloc_n(cx, r->piece_w, sizeof *w->column) : NULL;
	w->root = w->column ? mw_alloc_n(cx, roots + 1, sizeof *w->root) : NULL;
	if (!w->root)
		return cx->err.code;
	for (size_t i = 0; i < roots; i++)
		w->root[i] = w->planes + (8 + i) * texels;
	if (!r->g->program)
		return MW_OK;
	w->program = mw_program_scratch_new(cx, r->g->program);
	return w->program ? MW_OK : cx->err.code;
}

static void run_free(mw_ctx *cx, run *r)
{
	for (size_t i = 0; r->textures && i < r->g->layer_count; i++)
		mw__layer_free(cx, &r->textures[i]);
	for (int i = 0; r->workers && i < r->worker_count; i++)
		worker_free(cx, &r->workers[i]);
	mw_free(cx, r->textures);
	mw_free(cx, r->workers);
	mw_free(cx, r->picture[0]);
	mw_free(cx, r->picture[1]);
	mw_free(cx, r->tiles);
	mw_free(cx, r->hashes);
	mw_free(cx, r->sums);
}

/* How the map falls into bands, pieces and minimap cells. A piece holds whole tiles and whole
 * cells, so that no two pieces of a band touch one cell. */
static void lay_out(run *r)
{
	const mw_ground *g = r->g;
	r->tiles_x = g->w / MW_TILE_SIDE;
	r->tiles_z = g->h / MW_TILE_SIDE;
	r->box_x = g->w / MW_MINIMAP_SIDE ? g->w / MW_MINIMAP_SIDE : 1;
	r->box_z = g->h / MW_MINIMAP_SIDE ? g->h / MW_MINIMAP_SIDE : 1;
	r->mini_w = (g->w + r->box_x - 1) / r->box_x;
	r->mini_h = (g->h + r->box_z - 1) / r->box_z;
	uint32_t unit = common_multiple(MW_TILE_SIDE, r->box_x);
	r->piece_w = (PIECE_W + unit - 1) / unit * unit;
	if (r->piece_w > g->w)
		r->piece_w = g->w;
	r->pieces = (g->w + r->piece_w - 1) / r->piece_w;
	r->band_rows = g->band_rows ? g->band_rows : BAND_TILES / r->tiles_x;
	if (!g->band_rows && r->band_rows > BAND_ROWS_MAX)
		r->band_rows = BAND_ROWS_MAX;
	if (r->band_rows > r->tiles_z)
		r->band_rows = r->tiles_z;
	if (r->band_rows == 0)
		r->band_rows = 1;
}

static mw_code run_init(mw_ctx *cx, run *r, const mw_ground *g)
{
	memset(r, 0, sizeof *r);
	r->g = g;
	lay_out(r);
	size_t band = (size_t)r->band_rows * r->tiles_x;
	r->worker_count = mw_pool_threads(cx->pool);
	if (!(r->workers = mw_zalloc_n(cx, (size_t)r->worker_count, sizeof *r->workers)) ||
		!(r->textures = mw_zalloc_n(cx, g->layer_count + 1, sizeof *r->textures)) ||
		!(r->tiles = mw_alloc_n(cx, band, MW_TILE_BYTES)) ||
		!(r->hashes = mw_alloc_n(cx, band, sizeof *r->hashes)))
		return cx->err.code;
	if (!g->minimap &&
		!(r->sums = mw_zalloc_n(cx, (size_t)r->mini_w * r->mini_h, 3 * sizeof *r->sums)))
		return cx->err.code;
	for (unsigned i = 0; g->picture && i < 2; i++) {
		r->picture[i] = mw_alloc_n(cx, band * MW_TILE_SIDE, MW_TILE_SIDE * 4);
		if (!r->picture[i])
			return cx->err.code;
	}
	for (int i = 0; i < r->worker_count; i++) {
		mw_code code = worker_init(cx, &r->workers[i], r);
		if (code)
			return code;
	}
	for (size_t i = 0; i < g->layer_count; i++) {
		mw_code code = mw__layer_prepare(cx, &r->textures[i], &g->layers[i], g->w, g->h);
		if (code)
			return code;
	}
	return MW_OK;
}

/* ---- one piece
 * ----------------------------------------------------------------------------------- */

/* The first texel of a row of the piece in the running band of the picture. */
static const uint8_t *picture_row(const run *r, const mw__piece *p, uint32_t row)
{
	return r->picture[r->parity] + ((size_t)row * r->g->w + p->x) * 4;
}

static void fill_base(const run *r, const mw__piece *p, uint32_t row_in_band)
{
	const mw_ground *g = r->g;
	size_t n = (size_t)p->w * p->h;
	if (!g->picture) {
		for (size_t i = 0; i < n; i++) {
			p->r[i] = g->colour[0] * 255.0f;
			p->g[i] = g->colour[1] * 255.0f;
			p->b[i] = g->colour[2] * 255.0f;
		}
		return;
	}
	for (uint32_t j = 0; j < p->h; j++) {
		const uint8_t *px = picture_row(r, p, row_in_band * MW_TILE_SIDE + j);
		size_t at = (size_t)j * p->w;
		for (uint32_t i = 0; i < p->w; i++) {
			p->r[at + i] = (float)px[4 * i];
			p->g[at + i] = (float)px[4 * i + 1];
			p->b[at + i] = (float)px[4 * i + 2];
		}
	}
}

static const float *root_of(const worker *w, int root)
{
	return root == MW_GROUND_NONE ? NULL : w->root[root];
}

static uint8_t to_byte(float v)
{
	v = v > 0.0f ? v : 0.0f;
	v = v < 255.0f ? v : 255.0f;
	return (uint8_t)(int)(v + 0.5f); /* by way of int many at once */
}

static void quantise(uint8_t *out, const mw__piece *p)
{
	const float *r = p->r, *g = p->g, *b = p->b; /* a byte written might be one of *p */
	size_t n = (size_t)p->w * p->h;
	for (size_t i = 0; i < n; i++) {
		out[4 * i] = to_byte(r[i]);
		out[4 * i + 1] = to_byte(g[i]);
		out[4 * i + 2] = to_byte(b[i]);
		out[4 * i + 3] = 255;
	}
}

/* Whole numbers, so the order of adding does not matter. p->x is the first texel of a cell. */
static void add_to_minimap(const run *r, const mw__piece *p, const uint8_t *rgba)
{
	for (uint32_t j = 0; j < p->h; j++) {
		uint32_t *row = r->sums + (size_t)((p->z + j) / r->box_z) * r->mini_w * 3;
		uint32_t *cell = row + (size_t)(p->x / r->box_x) * 3;
		const uint8_t *px = rgba + (size_t)j * p->w * 4;
		for (uint32_t i = 0; i < p->w; cell += 3) {
			uint32_t end = p->w - i < r->box_x ? p->w : i + r->box_x;
			uint32_t red = 0, green = 0, blue = 0;
			for (; i < end; i++, px += 4) {
				red += px[0];
				green += px[1];
				blue += px[2];
			}
			cell[0] += red;
			cell[1] += green;
			cell[2] += blue;
		}
	}
}

static void compose(const run *r, worker *w, const mw__piece *p, uint32_t row_in_band)
{
	const mw_ground *g = r->g;
	if (g->picture && !g->layer_count && !g->light) { /* the picture and nothing else */
		for (uint32_t j = 0; j < p->h; j++)
			memcpy(w->rgba + (size_t)j * p->w * 4,
				picture_row(r, p, row_in_band * MW_TILE_SIDE + j),
				(size_t)p->w * 4);
		return;
	}
	fill_base(r, p, row_in_band);
	if (g->program) {
		mw_grid grid = {p->x + 0.5, p->z + 0.5, 1.0};
		mw_program_eval_rows(
			g->program, &grid, 0, (int32_t)p->h, (int32_t)p->w, w->root, w->program);
	}
	for (size_t i = 0; i < g->layer_count; i++) {
		const mw_ground_layer *l = &g->layers[i];
		mw__layer_apply(p, l, &r->textures[i], root_of(w, l->mask),
			root_of(w, l->tint_mask), root_of(w, l->shade));
	}
	if (g->light)
		mw__light_apply(p, g->light, g->w, g->h);
	quantise(w->rgba, p);
}

static void do_piece(mw_ctx *cx, const run *r, worker *w, uint32_t piece)
{
	uint32_t x = piece * r->piece_w;
	uint32_t width = r->g->w - x < r->piece_w ? r->g->w - x : r->piece_w;
	size_t texels = (size_t)r->piece_w * MW_TILE_SIDE;
	float *f = w->planes;
	mw__piece p = {x, 0, width, MW_TILE_SIDE, f, f + texels, f + 2 * texels, f + 3 * texels,
		f + 4 * texels, f + 5 * texels, f + 6 * texels, f + 7 * texels, w->column};
	for (uint32_t row = 0; row < r->rows; row++) {
		p.z = (r->first_row + row) * MW_TILE_SIDE;
		compose(r, w, &p, row);
		if (r->sums)
			add_to_minimap(r, &p, w->rgba);
		size_t at = (size_t)row * r->tiles_x + x / MW_TILE_SIDE;
		for (uint32_t t = 0; t < width / MW_TILE_SIDE; t++) {
			uint8_t *tile = r->tiles + (at + t) * MW_TILE_BYTES;
			mw_tile_encode(cx->isa, r->g->level, tile,
				w->rgba + (size_t)t * MW_TILE_SIDE * 4, (size_t)width * 4);
			r->hashes[at + t] = mw_hash_bytes(tile, MW_TILE_BYTES);
		}
	}
}

/* ---- bands
 * --------------------------------------------------------------------------------------- */

static mw_code read_picture(mw_ctx *cx, const run *r, uint32_t rows, unsigned parity)
{
	mw_rows *picture = r->g->picture;
	for (uint32_t y = 0; y < rows * MW_TILE_SIDE; y++) {
		mw_code code =
			picture->next(cx, picture, r->picture[parity] + (size_t)y * r->g->w * 4);
		if (code)
			return code;
	}
	return MW_OK;
}

/* With a picture, job 0 reads its next band while the others compose this one. */
static mw_code band_job(mw_ctx *cx, void *ud, size_t first, size_t last, int at)
{
	const run *r = ud;
	for (size_t job = first; job < last; job++) {
		mw_code code = MW_OK;
		if (!r->g->picture)
			do_piece(cx, r, &r->workers[at], (uint32_t)job);
		else if (job > 0)
			do_piece(cx, r, &r->workers[at], (uint32_t)job - 1);
		else
			code = read_picture(cx, r, r->next_rows, r->parity ^ 1);
		if (code)
			return code;
	}
	return MW_OK;
}

static uint32_t rows_from(const run *r, uint32_t first)
{
	uint32_t left = r->tiles_z - first;
	return left < r->band_rows ? left : r->band_rows;
}

static mw_code all_bands(
	mw_ctx *cx, run *r, mw_ground_product *out, mw_tile_store *store, mw_tile_dedup *dedup)
{
	mw_code code = r->g->picture ? read_picture(cx, r, rows_from(r, 0), 0) : MW_OK;
	while (!code && r->first_row < r->tiles_z) {
		r->rows = rows_from(r, r->first_row);
		r->next_rows = rows_from(r, r->first_row + r->rows);
		size_t jobs = r->pieces + (r->g->picture ? 1 : 0);
		code = mw_pool_for(cx, jobs, 1, band_job, r);
		if (!code)
			code = mw_tile_dedup_add(cx, dedup, store,
				out->index + (size_t)r->first_row * r->tiles_x, r->tiles, r->hashes,
				(size_t)r->rows * r->tiles_x);
		r->first_row += r->rows;
		r->parity ^= 1;
		mw_log_progress(cx, MW_STAGE_TILES, r->first_row, r->tiles_z);
	}
	return code;
}

/* ---- minimap
 * -------------------------------------------------------------------------------------- */

static void water_tint(uint8_t *px, const mw_ground_water *w, float depth)
{
	float t = depth / (depth + w->half);
	float share = w->least + (w->most - w->least) * t;
	for (unsigned c = 0; c < 3; c++) {
		float colour = (w->shallow[c] + (w->deep[c] - w->shallow[c]) * t) * 255.0f;
		px[c] = to_byte((float)px[c] + share * (colour - (float)px[c]));
	}
}

static void lay_water(mw_image *img, const mw_field *heights, const mw_ground_water *w)
{
	mw_grid grid = {0, 0, 1};
	double sx = (double)(heights->w - 1) / img->w, sz = (double)(heights->h - 1) / img->h;
	for (uint32_t j = 0; j < img->h; j++) {
		for (uint32_t i = 0; i < img->w; i++) {
			float h = (float)mw_field_sample(
				heights, grid, (i + 0.5) * sx, (j + 0.5) * sz);
			if (h < 0)
				water_tint(img->px + 4 * ((size_t)j * img->w + i), w, -h);
		}
	}
}

/* The averaged cells as a picture of the minimap's size. */
static mw_code minimap_picture(mw_ctx *cx, mw_image *out, const run *r)
{
	mw_image cells;
	mw_code code = mw_image_init(cx, &cells, r->mini_w, r->mini_h);
	for (uint32_t j = 0; !code && j < r->mini_h; j++) {
		for (uint32_t i = 0; i < r->mini_w; i++) {
			uint32_t w = r->g->w - i * r->box_x, h = r->g->h - j * r->box_z;
			uint32_t n = (w < r->box_x ? w : r->box_x) * (h < r->box_z ? h : r->box_z);
			size_t at = (size_t)j * r->mini_w + i;
			for (unsigned c = 0; c < 3; c++)
				cells.px[4 * at + c] = (uint8_t)((r->sums[3 * at + c] + n / 2) / n);
			cells.px[4 * at + 3] = 255;
		}
	}
	if (!code && r->mini_w == MW_MINIMAP_SIDE && r->mini_h == MW_MINIMAP_SIDE) {
		*out = cells;
		return MW_OK;
	}
	if (!code)
		code = mw_image_resize(
			cx, out, &cells, MW_MINIMAP_SIDE, MW_MINIMAP_SIDE, MW_RESIZE_SMOOTH);
	mw_image_free(cx, &cells);
	return code;
}

mw_code mw_ground_minimap(mw_ctx *cx, uint8_t *out, const mw_image *img, mw_dxt1_level level)
{
	mw_image sized = {0}, half = {0};
	mw_code code = mw_image_resize(
		cx, &sized, img, MW_MINIMAP_SIDE, MW_MINIMAP_SIDE, MW_RESIZE_SMOOTH);
	if (!code)
		code = mw_image_init(cx, &half, MW_MINIMAP_SIDE / 2, MW_MINIMAP_SIDE / 2);
	uint8_t *from = sized.px, *to = half.px;
	for (uint32_t side = MW_MINIMAP_SIDE; !code && side >= 4; side /= 2) {
		mw_dxt1_encode(cx->isa, level, out, from, (size_t)side * 4, side, side);
		out += (size_t)side * side / 2;
		mw_image_halve(to, (size_t)side * 2, from, (size_t)side * 4, side, side);
		uint8_t *t = from;
		from = to;
		to = t;
	}
	mw_image_free(cx, &half);
	mw_image_free(cx, &sized);
	return code;
}

static mw_code make_minimap(mw_ctx *cx, mw_ground_product *out, const run *r)
{
	const mw_ground *g = r->g;
	mw_image img = {0};
	out->minimap = mw_alloc(cx, MW_MINIMAP_BYTES);
	mw_code code = out->minimap ? MW_OK : cx->err.code;
	if (!code && g->minimap)
		return mw_ground_minimap(cx, out->minimap, g->minimap, g->level);
	if (!code)
		code = minimap_picture(cx, &img, r);
	if (!code && g->heights)
		lay_water(&img, g->heights, &g->water);
	if (!code)
		code = mw_ground_minimap(cx, out->minimap, &img, g->level);
	mw_image_free(cx, &img);
	return code;
}

/* ---- whole
 * ----------------------------------------------------------------------------------------- */

mw_code mw_ground_compile(
	mw_ctx *cx, mw_ground_product *out, const mw_ground *g, mw_tile_store *store)
{
	run r;
	mw_tile_dedup dedup;
	memset(out, 0, sizeof *out);
	mw_code code = check(cx, g);
	if (code)
		return code;
	mw_stage_run stage = mw_stage_begin(cx, MW_STAGE_TILES);
	mw_tile_dedup_init(&dedup, g->share);
	code = run_init(cx, &r, g);
	if (!code) {
		out->tiles_x = r.tiles_x;
		out->tiles_z = r.tiles_z;
		out->index = mw_alloc_n(cx, (size_t)r.tiles_x * r.tiles_z, sizeof *out->index);
		code = out->index ? all_bands(cx, &r, out, store, &dedup) : cx->err.code;
	}
	out->tile_count = dedup.records;
	if (!code)
		code = make_minimap(cx, out, &r);
	run_free(cx, &r);
	mw_tile_dedup_free(cx, &dedup);
	if (code)
		mw_ground_product_free(cx, out);
	mw_stage_end(cx, stage, (uint64_t)g->w * g->h, (uint64_t)out->tile_count * MW_TILE_BYTES);
	return code;
}

/* ---- light
 * ------------------------------------------------------------------------------------------ */

typedef struct {
	mw_field *out;
	const mw_field *heights;
	double step, sun[3], strength;
} light_job;

static mw_code light_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker_)
{
	const light_job *l = ud;
	const mw_field *f = l->heights;
	MW_UNUSED(cx);
	MW_UNUSED(worker_);
	for (int32_t j = (int32_t)first; j < (int32_t)last; j++) {
		int32_t up = j > 0 ? j - 1 : j, down = j + 1 < f->h ? j + 1 : j;
		const float *row = mw_field_row(f, j), *n = mw_field_row(f, up);
		const float *s = mw_field_row(f, down);
		float *o = mw_field_row(l->out, j);
		double dz = l->step * (down - up);
		for (int32_t i = 0; i < f->w; i++) {
			int32_t west = i > 0 ? i - 1 : i, east = i + 1 < f->w ? i + 1 : i;
			double gx = (double)(row[east] - row[west]) / (l->step * (east - west));
			double gz = (double)(s[i] - n[i]) / dz;
			double dot = l->sun[1] - gx * l->sun[0] - gz * l->sun[2];
			double length = sqrt(1.0 + gx * gx + gz * gz);
			double lambert = dot > 0 ? dot / length : 0;
			/* Against flat ground, which keeps the colours it was given. */
			o[i] = (float)(1.0 + l->strength * (lambert / l->sun[1] - 1.0));
		}
	}
	return MW_OK;
}

mw_code mw_ground_light(mw_ctx *cx, mw_field *out, const mw_field *heights, double step,
	const double sun[3], double strength)
{
	memset(out, 0, sizeof *out);
	if (heights->w < 2 || heights->h < 2)
		return mw_fail(cx, MW_EINVALID, "heights of less than two samples a side");
	double length = sqrt(sun[0] * sun[0] + sun[1] * sun[1] + sun[2] * sun[2]);
	if (!(sun[1] > 0) || !(length > 0))
		return mw_fail(cx, MW_ERANGE, "the sun must stand above the horizon");
	mw_code code = mw_field_init(cx, out, heights->w, heights->h);
	if (code)
		return code;
	light_job l = {
		out, heights, step, {sun[0] / length, sun[1] / length, sun[2] / length}, strength};
	code = mw_pool_for(cx, (size_t)heights->h, 16, light_rows, &l);
	if (code)
		mw_field_free(cx, out);
	return code;
}

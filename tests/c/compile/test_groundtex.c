/* Whole grounds: layers, shared tiles, the same bytes for any bands and threads, failures. */
#include "compile/grounds.h"

#include "base/fs.h"
#include "base/pool.h"
#include "support/oom.h"

/* ---- whole compiles with hand values
 * ------------------------------------------------------------- */

static void layers_lie_over_each_other_by_mask_and_opacity(void **state)
{
	mw_ground g;
	mw_source *mask, *x, *limit, *nan;
	mw_program program;
	result r;
	MW_UNUSED(state);
	assert_ok(&cx, mw_source_x(&cx, &x));
	assert_ok(&cx, mw_source_constant(&cx, &limit, 64.0));
	assert_ok(&cx, mw_source_apply(&cx, &mask, MW_OP_STEP, (mw_source *[]){x, limit}));
	const mw_source_scope scope = {1, 0, 0, 128, 64};
	mw_source *zero, *ratio[2];
	assert_ok(&cx, mw_source_constant(&cx, &zero, 0.0));
	ratio[0] = ratio[1] = zero;
	assert_ok(&cx, mw_source_apply(&cx, &nan, MW_OP_DIV, ratio));
	assert_ok(&cx, mw_program_compile(&cx, &program, (mw_source *[]){mask, nan}, 2, &scope));
	mw_ground_layer layers[3] = {plain(1, 0, 0), plain(0, 0, 1), plain(1, 1, 1)};
	layers[1].mask = 0;
	layers[1].opacity = 0.5f;
	layers[2].mask = 1; /* not a number: shows nothing */
	mw_ground_init(&g, 128, 64);
	g.layers = layers;
	g.layer_count = 3;
	g.program = &program;
	g.roots = 2;
	compile(&r, &g);
	assert_texel(&r, 0, 0, 255, 0, 0);
	assert_texel(&r, 63, 63, 255, 0, 0);
	assert_texel(&r, 64, 0, 128, 0, 128);
	assert_texel(&r, 127, 63, 128, 0, 128);
	assert_int_equal(r.p.tile_count, 2);
	drop(&r);
	mw_program_free(&cx, &program);
	mw_source *all[] = {mask, x, limit, nan, zero};
	for (size_t i = 0; i < MW_COUNTOF(all); i++)
		mw_source_release(&cx, all[i]);
}

static void a_picture_lies_beneath_and_keeps_its_place(void **state)
{
	mw_image img;
	mw_ground g;
	result r;
	MW_UNUSED(state);
	assert_ok(&cx, mw_image_init(&cx, &img, 96, 64));
	for (uint32_t y = 0; y < 64; y++)
		for (uint32_t x = 0; x < 96; x++) /* one colour a tile */
			memcpy(img.px + 4 * (y * 96 + x),
				(const uint8_t[]){
					(uint8_t)(x / 32 * 100), (uint8_t)(y / 32 * 100), 50, 0},
				4);
	mw_ground_init(&g, 96, 64);
	for (uint32_t bands = 0; bands < 3; bands++) {
		assert_ok(&cx, mw_rows_image(&cx, &g.picture, &img));
		g.band_rows = bands;
		compile(&r, &g);
		for (uint32_t y = 0; y < 64; y += 31)
			for (uint32_t x = 0; x < 96; x += 31)
				assert_texel(
					&r, x, y, (int)(x / 32 * 100), (int)(y / 32 * 100), 50);
		assert_int_equal(r.p.tile_count, 6);
		drop(&r);
		mw_rows_close(&cx, g.picture);
	}
	mw_image_free(&cx, &img);
}

static void sb05_only_equal_tiles_are_shared(void **state)
{
	mw_ground g;
	result r;
	MW_UNUSED(state);
	mw_ground_init(&g, 1024, 1024);
	assert_ok(&cx, mw_rows_open(&cx, &g.picture, test_shared("cases/smf-build/sb05/tex.png")));
	compile(&r, &g);
	assert_int_equal(r.p.tile_count, 3);
	assert_int_equal(r.tiles.n, 3 * 680);
	assert_int_not_equal(r.p.index[101], r.p.index[649]);
	for (uint32_t i = 0; i < 1024; i++)
		if (i == 101 || i == 649)
			assert_int_not_equal(r.p.index[i], r.p.index[0]);
		else
			assert_int_equal(r.p.index[i], r.p.index[0]);
	drop(&r);
	mw_rows_close(&cx, g.picture);
	g.picture = NULL;
	g.share = false;
	compile(&r, &g);
	assert_int_equal(r.p.tile_count, 1024);
	drop(&r);
}

/* ---- the same for any bands and threads
 * ----------------------------------------------------------------- */

typedef struct {
	mw_image pictures[2];
	mw_source *noise, *half;
	mw_program program;
	mw_field heights, light;
	mw_ground_layer layers[2];
	mw_ground g;
} scene;

/* Everything at once: picture, textures, noise masks, tint, shade, light, water. */
static void scene_init(scene *s, uint32_t w, uint32_t h)
{
	const double sun[3] = {1, 2, 1};
	const mw_source_scope scope = {5, 0, 0, w, h};
	memset(s, 0, sizeof *s);
	make_image(&s->pictures[0], 50, 40, 3);
	make_image(&s->pictures[1], 33, 17, 4);
	mw_noise n;
	mw_noise_init(&n);
	n.period = 90;
	n.octaves = 3;
	assert_ok(&cx, mw_source_noise(&cx, &s->noise, &n, "test"));
	assert_ok(&cx, mw_source_constant(&cx, &s->half, 0.5));
	assert_ok(&cx,
		mw_program_compile(
			&cx, &s->program, (mw_source *[]){s->noise, s->half}, 2, &scope));
	assert_ok(&cx, mw_field_init(&cx, &s->heights, (int32_t)w / 8 + 1, (int32_t)h / 8 + 1));
	for (size_t i = 0; i < mw_field_count(&s->heights); i++)
		s->heights.v[i] = (float)(i * 2654435761u >> 20 & 63) - 20.0f;
	assert_ok(&cx, mw_ground_light(&cx, &s->light, &s->heights, 8, sun, 0.7));
	for (int i = 0; i < 2; i++) {
		s->layers[i] = plain(0, 0, 0);
		s->layers[i].image = &s->pictures[1];
		s->layers[i].scale = i ? 47.3 : 200;
		s->layers[i].mask = i;
		s->layers[i].blend = 0.4f;
		s->layers[i].opacity = 0.8f;
	}
	s->layers[1].second_scale = 121;
	s->layers[1].tint[0] = 0.7f;
	s->layers[1].tint_mask = 0;
	s->layers[1].shade = 1;
	mw_ground_init(&s->g, w, h);
	s->g.layers = s->layers;
	s->g.layer_count = 2;
	s->g.program = &s->program;
	s->g.roots = 2;
	s->g.light = &s->light;
	s->g.heights = &s->heights;
}

static void scene_free(scene *s)
{
	mw_image_free(&cx, &s->pictures[0]);
	mw_image_free(&cx, &s->pictures[1]);
	mw_program_free(&cx, &s->program);
	mw_source_release(&cx, s->noise);
	mw_source_release(&cx, s->half);
	mw_field_free(&cx, &s->heights);
	mw_field_free(&cx, &s->light);
}

static void open_picture(scene *s)
{
	assert_ok(&cx, mw_rows_image(&cx, &s->g.picture, &s->pictures[0]));
	assert_ok(&cx, mw_rows_resize(&cx, &s->g.picture, s->g.picture, s->g.w, s->g.h));
}

static void bands_and_threads_change_nothing(void **state)
{
	scene s;
	result whole, r;
	MW_UNUSED(state);
	scene_init(&s, 544, 224);
	open_picture(&s);
	s.g.band_rows = 7; /* all of it */
	compile(&whole, &s.g);
	mw_rows_close(&cx, s.g.picture);
	static const uint32_t bands[] = {1, 2, 3, 0};
	static const int threads[] = {1, 2, 7};
	for (size_t t = 0; t < MW_COUNTOF(threads); t++) {
		mw_pool *pool = mw_pool_new(&cx, threads[t]);
		cx.pool = pool;
		for (size_t b = 0; b < MW_COUNTOF(bands); b++) {
			open_picture(&s);
			s.g.band_rows = bands[b];
			compile(&r, &s.g);
			assert_same(&whole, &r);
			drop(&r);
			mw_rows_close(&cx, s.g.picture);
		}
		cx.pool = NULL;
		mw_pool_free(pool);
	}
	drop(&whole);
	scene_free(&s);
}

static void every_instruction_set_gives_the_same_bytes(void **state)
{
	scene s;
	result best, r;
	MW_UNUSED(state);
	scene_init(&s, 160, 64);
	mw_isa isa = cx.isa;
	open_picture(&s);
	compile(&best, &s.g);
	mw_rows_close(&cx, s.g.picture);
	for (int i = MW_ISA_PORTABLE; i < (int)isa; i++) {
		cx.isa = (mw_isa)i;
		open_picture(&s);
		compile(&r, &s.g);
		assert_same(&best, &r);
		drop(&r);
		mw_rows_close(&cx, s.g.picture);
	}
	cx.isa = isa;
	drop(&best);
	scene_free(&s);
}

/* Peak bytes of a compile of w x h with tiles left out of the count (they go to a store of none).
 */
static mw_code forget(mw_ctx *c, mw_tile_store *store, const uint8_t *tiles, size_t n)
{
	MW_UNUSED(c);
	MW_UNUSED(store);
	MW_UNUSED(tiles);
	MW_UNUSED(n);
	return MW_OK;
}

static mw_code recall(mw_ctx *c, mw_tile_store *store, uint32_t index, uint8_t *tile)
{
	MW_UNUSED(c);
	MW_UNUSED(store);
	memset(tile, (int)index, MW_TILE_BYTES);
	return MW_OK;
}

static size_t peak_of(scene *s, uint32_t h)
{
	mw_mem_meter meter = {0};
	mw_ctx metered;
	mw_ground_product p;
	mw_tile_store store = {forget, recall, NULL, 0};
	mw_ctx_init(&metered);
	metered.alloc = mw_mem_metered;
	metered.alloc_ud = &meter;
	s->g.h = h;
	assert_ok(&metered, mw_rows_image(&metered, &s->g.picture, &s->pictures[0]));
	assert_ok(&metered, mw_rows_resize(&metered, &s->g.picture, s->g.picture, s->g.w, h));
	assert_ok(&metered, mw_ground_compile(&metered, &p, &s->g, &store));
	mw_ground_product_free(&metered, &p);
	mw_rows_close(&metered, s->g.picture);
	assert_int_equal(meter.in_use, 0);
	return meter.peak;
}

static void a_taller_map_needs_hardly_more_memory(void **state)
{
	scene s;
	MW_UNUSED(state);
	scene_init(&s, 256, 1024);
	s.g.share = false;
	size_t low = peak_of(&s, 1024), high = peak_of(&s, 8192);
	size_t tiles = 8 * (8192 - 1024) / 32;
	/* One index a tile, one axis entry a row of the stretched picture, nothing else. */
	assert_true(high - low <= tiles * 4 + (8192 - 1024) * 32);
	scene_free(&s);
}

/* ---- refusals, failures, splitting
 * ---------------------------------------------------------------------- */

static void impossible_requests_are_refused(void **state)
{
	mw_ground g;
	mw_ground_product p;
	mw_image img;
	mw_wr wr;
	MW_UNUSED(state);
	mw_wr_init(&wr, &cx);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_ground_init(&g, 100, 64);
	assert_fails(&cx, mw_ground_compile(&cx, &p, &g, &store), MW_ERANGE, "100x64");
	mw_ground_init(&g, 64, 64);
	make_image(&img, 32, 32, 0);
	assert_ok(&cx, mw_rows_image(&cx, &g.picture, &img));
	assert_fails(&cx, mw_ground_compile(&cx, &p, &g, &store), MW_EINVALID, "32x32");
	mw_rows_close(&cx, g.picture);
	g.picture = NULL;
	mw_ground_layer l = plain(1, 1, 1);
	l.mask = 0;
	g.layers = &l;
	g.layer_count = 1;
	assert_fails(&cx, mw_ground_compile(&cx, &p, &g, &store), MW_EINVALID, "output 0 of 0");
	assert_int_equal(wr.n, 0);
	mw_image_free(&cx, &img);
	mw_wr_free(&wr);
}

static mw_code broken_append(mw_ctx *c, mw_tile_store *store, const uint8_t *tiles, size_t n)
{
	MW_UNUSED(store);
	MW_UNUSED(tiles);
	MW_UNUSED(n);
	return mw_fail(c, MW_EIO, "disk full");
}

static void a_failing_store_or_picture_stops_the_work(void **state)
{
	mw_ground g;
	mw_ground_product p;
	MW_UNUSED(state);
	mw_tile_store store = {broken_append, recall, NULL, 0};
	mw_ground_init(&g, 64, 64);
	assert_fails(&cx, mw_ground_compile(&cx, &p, &g, &store), MW_EIO, "disk full");
	assert_null(p.index);
}

static mw_code work(mw_ctx *c, void *ud)
{
	scene *s = ud;
	mw_ground_product p = {0};
	mw_wr wr;
	mw_ground g = s->g;
	mw_wr_init(&wr, c);
	mw_tile_store store = mw_tile_store_memory(&wr);
	mw_code code = mw_rows_image(c, &g.picture, &s->pictures[0]);
	if (!code)
		code = mw_rows_resize(c, &g.picture, g.picture, g.w, g.h);
	if (!code)
		code = mw_ground_compile(c, &p, &g, &store);
	mw_rows_close(c, g.picture);
	mw_ground_product_free(c, &p);
	mw_wr_free(&wr);
	return code;
}

static void every_failing_allocation_is_reported(void **state)
{
	scene s;
	MW_UNUSED(state);
	scene_init(&s, 64, 32);
	s.g.minimap = &s.pictures[0];
	s.g.level = MW_DXT1_FAST;
	assert_true(oom_sweep(work, &s) > 20);
	scene_free(&s);
}

static void records_are_split_evenly(void **state)
{
	uint32_t counts[4];
	MW_UNUSED(state);
	mw_ground_split(counts, 4, 10);
	const uint32_t want[] = {3, 3, 2, 2};
	assert_memory_equal(counts, want, sizeof want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(layers_lie_over_each_other_by_mask_and_opacity, setup),
		cmocka_unit_test_setup(a_picture_lies_beneath_and_keeps_its_place, setup),
		cmocka_unit_test_setup(sb05_only_equal_tiles_are_shared, setup),
		cmocka_unit_test_setup(bands_and_threads_change_nothing, setup),
		cmocka_unit_test_setup(every_instruction_set_gives_the_same_bytes, setup),
		cmocka_unit_test_setup(a_taller_map_needs_hardly_more_memory, setup),
		cmocka_unit_test_setup(impossible_requests_are_refused, setup),
		cmocka_unit_test_setup(a_failing_store_or_picture_stops_the_work, setup),
		cmocka_unit_test_setup(every_failing_allocation_is_reported, setup),
		cmocka_unit_test_setup(records_are_split_evenly, setup),
	};
	return cmocka_run_group_tests_name("groundtex", tests, NULL, NULL);
}

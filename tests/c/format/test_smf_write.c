#include "format/smf/smf.h"

#include "base/fs.h"
#include "support/hex.h"
#include "support/oom.h"
#include "support/smf_file.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static mw_ctx cx;
static mw_smf smf;
static mw_wr out;

static int set_up(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	mw_smf_init(&smf, &cx);
	mw_wr_init(&out, &cx);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	mw_smf_free(&smf);
	mw_wr_free(&out);
	return 0;
}

static const uint16_t heights[257 * 257];
static const int32_t index_of_zeros[64 * 64];
static const mw_smf_tile_file one_tile = {"t.smt", 1};

static void flat_256_by_128(void)
{
	smf.mapx = 256;
	smf.mapy = 128;
	smf.max_height = 100.0f;
	smf.heights = heights;
	smf.tile_files = &one_tile;
	smf.num_tile_files = 1;
	smf.num_tiles = 1;
	smf.tile_index = index_of_zeros;
}

/* Sizes by hand: 80, 257*129*2 = 66306, 128*64 = 8192, 699048, 8192, 8 + 4 + 6 + 64*32*4 = 8210. */
static void a_flat_map_has_every_block_where_the_sizes_put_it(void **state)
{
	(void)state;
	flat_256_by_128();
	smf.map_id = 0x01020304;
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, NULL));
	assert_hex(out.p, 80,
		"'spring map file' 00  01 00 00 00  04 03 02 01  00 01 00 00  80 00 00 00"
		"08 00 00 00  08 00 00 00  20 00 00 00  00 00 00 00  00 00 c8 42"
		"50 00 00 00  # heights at 80\n"
		"52 03 01 00  # types at 66386\n"
		"fa ed 0b 00  # tile index at 781818\n"
		"52 23 01 00  # minimap at 74578\n"
		"fa cd 0b 00  # metal at 773626\n"
		"0c 0e 0c 00  # features at 790028\n"
		"00 00 00 00");
	assert_int_equal(out.n, 790036);
	assert_hex(out.p + 781818, 22, "01 00 00 00  01 00 00 00  01 00 00 00  't.smt' 00  00*4");
	assert_hex(out.p + 790028, 8, "00*8");
}

static void seventeen_builtin_names_take_174_bytes(void **state)
{
	(void)state;
	flat_256_by_128();
	static const char *names[MW_SMF_BUILTIN_TYPES];
	for (size_t i = 0; i < MW_COUNTOF(names); i++)
		names[i] = mw_smf_builtin_type(i);
	smf.feature_types = names;
	smf.num_feature_types = MW_COUNTOF(names);
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, NULL));
	assert_int_equal(out.n, 790210);
}

static void grass_adds_its_header_and_block(void **state)
{
	(void)state;
	flat_256_by_128();
	static uint8_t grass[64 * 32];
	memset(grass, 7, sizeof grass);
	smf.grass = grass;
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, NULL));
	assert_int_equal(out.n, 790036 + 12 + 64 * 32);
	assert_int_equal(smf_get32(out.p, 76), 1);
	assert_int_equal(smf_get32(out.p, 80), 12);
	assert_int_equal(smf_get32(out.p, 84), 1);
	size_t at = (size_t)smf_get32(out.p, 88);
	assert_int_equal(at, 781818 + 12); /* right after the metal map */
	assert_memory_equal(out.p + at, grass, sizeof grass);
	assert_int_equal(smf_get32(out.p, 52), 92);
}

static void an_absent_block_is_zeros(void **state)
{
	(void)state;
	flat_256_by_128();
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, NULL));
	for (size_t i = 66386; i < 781818; i++)
		assert_int_equal(out.p[i], 0);
}

static void a_derived_id_is_never_zero_and_follows_the_content(void **state)
{
	(void)state;
	flat_256_by_128();
	const mw_smf_write_opts opts = {.derive_id = true};
	smf.map_id = 99;
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, &opts));
	int32_t first = smf_get32(out.p, 20);
	assert_true(first > 0);

	smf.map_id = 7; /* the old id does not count */
	mw_wr_free(&out);
	mw_wr_init(&out, &cx);
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, &opts));
	assert_int_equal(smf_get32(out.p, 20), first);

	smf.max_height = 101.0f;
	mw_wr_free(&out);
	mw_wr_init(&out, &cx);
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, &opts));
	assert_int_not_equal(smf_get32(out.p, 20), first);
}

static void what_cannot_be_written_is_refused(void **state)
{
	(void)state;
	flat_256_by_128();
	smf.mapx = 130;
	assert_fails(&cx, mw_smf_write(&cx, &out, &smf, NULL), MW_EINVALID, "multiples of 4");
	smf.mapx = 0;
	assert_fails(&cx, mw_smf_write(&cx, &out, &smf, NULL), MW_EINVALID, "positive");
	smf.mapx = 256;
	smf.heights = NULL;
	assert_fails(&cx, mw_smf_write(&cx, &out, &smf, NULL), MW_EINVALID, "no height map");
	smf.heights = heights;
	smf.tile_index = NULL;
	assert_fails(&cx, mw_smf_write(&cx, &out, &smf, NULL), MW_EINVALID, "no tile index");
	smf.tile_index = index_of_zeros;
	smf.mapx = smf.mapy = 32768; /* the heights alone take 2 GiB */
	assert_fails(&cx, mw_smf_write(&cx, &out, &smf, NULL), MW_ELIMIT, "2147483647");
	assert_int_equal(out.n, 0);
}

static void a_kept_layout_gives_the_same_bytes(void **state)
{
	(void)state;
	const mw_smf_write_opts keep = {.keep_layout = true};
	for (int i = 0; i < SMF_WRITERS; i++) {
		struct smf_file f;
		smf_file_writer(&f, i);
		f.feature_name = "rock";
		f.unknown_extra = i % 2 ? "payload of another tool" : NULL;
		f.tail = i % 2 ? NULL : "what is this";
		smf_file_make(&f);
		assert_ok(&cx, mw_smf_read(&cx, &smf, NULL, f.bytes, f.size));
		assert_ok(&cx, mw_smf_write(&cx, &out, &smf, &keep));
		assert_int_equal(out.n, f.size);
		assert_memory_equal(out.p, f.bytes, f.size);
		mw_smf_free(&smf);
		mw_wr_free(&out);
		mw_wr_init(&out, &cx);
		smf_file_free(&f);
	}
}

/* Everything that means something, of two models. */
static void assert_same_content(const mw_smf *a, const mw_smf *b)
{
	assert_int_equal(a->mapx, b->mapx);
	assert_int_equal(a->mapy, b->mapy);
	assert_int_equal(a->map_id, b->map_id);
	assert_memory_equal(&a->min_height, &b->min_height, 4);
	assert_memory_equal(&a->max_height, &b->max_height, 4);
	assert_memory_equal(
		a->heights, b->heights, (size_t)mw_smf_cells(a->mapx, a->mapy, MW_SMF_HEIGHT) * 2);
	size_t cells = (size_t)mw_smf_cells(a->mapx, a->mapy, MW_SMF_TYPE);
	assert_memory_equal(a->types, b->types, cells);
	assert_memory_equal(a->metal, b->metal, cells);
	cells = (size_t)mw_smf_cells(a->mapx, a->mapy, MW_SMF_GRASS);
	assert_true(!a->grass == !b->grass);
	if (a->grass)
		assert_memory_equal(a->grass, b->grass, cells);
	assert_memory_equal(a->tile_index, b->tile_index, cells * 4);
	assert_memory_equal(a->minimap, b->minimap, MW_SMF_MINIMAP_BYTES);
	assert_int_equal(a->num_tiles, b->num_tiles);
	assert_int_equal(a->num_tile_files, b->num_tile_files);
	for (size_t i = 0; i < a->num_tile_files; i++) {
		assert_string_equal(a->tile_files[i].name, b->tile_files[i].name);
		assert_int_equal(a->tile_files[i].count, b->tile_files[i].count);
	}
	assert_int_equal(a->num_feature_types, b->num_feature_types);
	for (size_t i = 0; i < a->num_feature_types; i++)
		assert_string_equal(a->feature_types[i], b->feature_types[i]);
	assert_int_equal(a->num_features, b->num_features);
	if (a->num_features)
		assert_memory_equal(
			a->features, b->features, a->num_features * sizeof *a->features);
}

static void assert_rewrite_keeps_content(const uint8_t *bytes, size_t n)
{
	mw_smf again;
	mw_smf_init(&again, &cx);
	assert_ok(&cx, mw_smf_read(&cx, &smf, NULL, bytes, n));
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, NULL));
	assert_ok(&cx, mw_smf_read(&cx, &again, NULL, out.p, out.n));
	assert_same_content(&smf, &again);
	assert_int_equal(again.minimap_bytes, MW_SMF_MINIMAP_BYTES);
	/* the conventional order, without gaps */
	for (size_t i = 1; i < again.num_spans; i++) {
		assert_true(again.spans[i - 1].block < again.spans[i].block);
		assert_int_not_equal(again.spans[i].block, MW_SMF_GAP);
	}
	for (size_t i = 0; i < again.num_extras; i++)
		if (again.extras[i].type == MW_SMF_EXTRA_GRASS)
			assert_int_equal(again.extras[i].size, 12);
	mw_smf_free(&again);
	mw_smf_free(&smf);
	mw_wr_free(&out);
	mw_wr_init(&out, &cx);
}

static void a_full_rewrite_of_each_layout_keeps_the_content(void **state)
{
	(void)state;
	for (int i = 0; i < SMF_WRITERS; i++) {
		struct smf_file f;
		smf_file_writer(&f, i);
		f.feature_name = "rock";
		f.tail = "tail";
		smf_file_make(&f);
		assert_rewrite_keeps_content(f.bytes, f.size);
		smf_file_free(&f);
	}
}

static void corpus_file(const char *name)
{
	const char *path = test_shared(name);
	const mw_smf_write_opts keep = {.keep_layout = true};
	uint8_t *bytes;
	size_t n;
	assert_ok(&cx, mw_fs_read(&cx, &bytes, &n, path));
	assert_ok(&cx, mw_smf_read(&cx, &smf, NULL, bytes, n));
	assert_ok(&cx, mw_smf_write(&cx, &out, &smf, &keep));
	assert_int_equal(out.n, n);
	assert_memory_equal(out.p, bytes, n);
	mw_smf_free(&smf);
	mw_wr_free(&out);
	mw_wr_init(&out, &cx);
	assert_rewrite_keeps_content(bytes, n);
	mw_free(&cx, bytes);
}

static void a_map_of_mapconv_survives_both_ways_of_writing(void **state)
{
	(void)state;
	corpus_file("corpus/smf/mapconv_128_blank.smf");
}

static void a_map_of_pymapconv_survives_both_ways_of_writing(void **state)
{
	(void)state;
	corpus_file("corpus/smf/pymapconv_128_grass190.smf");
}

static void a_map_of_springmapconvng_survives_both_ways_of_writing(void **state)
{
	(void)state;
	corpus_file("corpus/smf/convng_256_grass18.smf");
}

static mw_code rewrite(mw_ctx *c, void *ud)
{
	struct smf_file *f = ud;
	mw_smf s;
	mw_wr w;
	mw_smf_init(&s, c);
	mw_wr_init(&w, c);
	mw_code code = mw_smf_read(c, &s, NULL, f->bytes, f->size);
	if (!code)
		code = mw_smf_write(c, &w, &s, &(mw_smf_write_opts){.derive_id = true});
	mw_wr_free(&w);
	mw_smf_free(&s);
	return code;
}

static void each_refused_allocation_is_reported_and_leaks_nothing(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_writer(&f, SMF_PYMAPCONV);
	smf_file_make(&f);
	oom_sweep(rewrite, &f);
	smf_file_free(&f);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(a_flat_map_has_every_block_where_the_sizes_put_it),
		T(seventeen_builtin_names_take_174_bytes),
		T(grass_adds_its_header_and_block),
		T(an_absent_block_is_zeros),
		T(a_derived_id_is_never_zero_and_follows_the_content),
		T(what_cannot_be_written_is_refused),
		T(a_kept_layout_gives_the_same_bytes),
		T(a_full_rewrite_of_each_layout_keeps_the_content),
		T(a_map_of_mapconv_survives_both_ways_of_writing),
		T(a_map_of_pymapconv_survives_both_ways_of_writing),
		T(a_map_of_springmapconvng_survives_both_ways_of_writing),
		T(each_refused_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

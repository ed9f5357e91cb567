#include "format/smf/smf.h"

#include "support/oom.h"
#include "support/prefix.h"
#include "support/smf_file.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mw_ctx cx;
static mw_smf smf;

static int set_up(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	mw_smf_init(&smf, &cx);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	mw_smf_free(&smf);
	return 0;
}

static const char *order_of(const mw_smf *s)
{
	static char text[128];
	size_t n = 0;
	for (size_t i = 0; i < s->num_spans; i++) {
		const char *name = mw_smf_block_name(s->spans[i].block);
		memcpy(text + n, name, strlen(name));
		n += strlen(name);
		text[n++] = ' ';
	}
	text[n - 1] = 0;
	return text;
}

static const mw_smf_finding *finding(const mw_smf_findings *found, const char *rule)
{
	for (size_t i = 0; i < found->n; i++)
		if (strcmp(found->v[i].rule, rule) == 0)
			return &found->v[i];
	return NULL;
}

static void known_bytes_decode(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	f.order = "htimgxf";
	f.grass_header_size = 12;
	f.feature_name = "GeoVent";
	f.num_tiles = 3;
	f.min_height = -100.0f;
	f.max_height = 400.0f;
	smf_file_make(&f);
	assert_ok(&cx, mw_smf_read(&cx, &smf, NULL, f.bytes, f.size));

	assert_int_equal(smf.map_id, 4711);
	assert_int_equal(smf.mapx, 128);
	assert_int_equal(smf.mapy, 128);
	assert_true(smf.min_height == -100.0f && smf.max_height == 400.0f);
	assert_int_equal(smf.heights[0], 0);
	assert_int_equal(smf.heights[5 * 129 + 7], 7 * 31 + 5 * 17);
	assert_int_equal(smf.heights[128 * 129 + 128], 128 * 48);
	assert_int_equal(smf.types[63 * 64 + 63], 126 % 4);
	assert_int_equal(smf.metal[1 * 64 + 2], 7);
	assert_int_equal(smf.metal[63 * 64 + 63], 252);
	assert_int_equal(smf.grass[0], 1);
	assert_int_equal(smf.grass[31 * 32 + 31], 120);
	assert_int_equal(smf.minimap_bytes, 699048);
	assert_int_equal(smf.minimap[699047], 699047 % 251);
	assert_int_equal(smf.num_tile_files, 1);
	assert_string_equal(smf.tile_files[0].name, "t.smt");
	assert_int_equal(smf.tile_files[0].count, 3);
	assert_int_equal(smf.num_tiles, 3);
	assert_int_equal(smf.tile_index[2 * 32 + 5], 7 % 3);
	assert_int_equal(smf.num_feature_types, 1);
	assert_string_equal(smf.feature_types[0], "GeoVent");
	assert_int_equal(smf.num_features, 1);
	assert_true(smf.features[0].x == 512.0f && smf.features[0].z == 256.0f);
	assert_true(smf.features[0].rotation == 90.0f && smf.features[0].relative_size == 1.0f);
	assert_string_equal(
		order_of(&smf), "header height type minimap metal grass tiles features");

	uint32_t used;
	assert_ok(&cx, mw_smf_tiles_used(&cx, &used, &smf));
	assert_int_equal(used, 3);
	smf_file_free(&f);
}

static void layouts_of_the_four_known_writers_read(void **state)
{
	(void)state;
	static const char *const orders[SMF_WRITERS] = {
		[SMF_PYMAPCONV] = "header grass height type minimap metal tiles features",
		[SMF_MAPCONV] = "header height type minimap tiles metal grass features",
		[SMF_CONVNG] = "header grass minimap height type metal features tiles",
		[SMF_MAPEDIT] = "header grass height type metal tiles features minimap",
	};
	for (int i = 0; i < SMF_WRITERS; i++) {
		struct smf_file f;
		smf_file_writer(&f, i);
		smf_file_make(&f);
		mw_smf_findings found = {0};
		assert_ok(&cx, mw_smf_read(&cx, &smf, &found, f.bytes, f.size));
		assert_int_equal(found.n, 0);
		assert_string_equal(order_of(&smf), orders[i]);
		assert_int_equal(smf.minimap_bytes, f.minimap_bytes);
		assert_memory_equal(smf.minimap, f.bytes + f.at['i'], smf.minimap_bytes);
		assert_int_equal(smf.num_feature_types, f.builtin_types ? 17 : 0);
		assert_memory_equal(smf.grass, f.bytes + f.at['g'], 32 * 32);
		assert_memory_equal(smf.metal, f.bytes + f.at['m'], 64 * 64);
		assert_int_equal(smf.extras[0].size, f.grass_header_size);
		mw_free(&cx, found.v);
		mw_smf_free(&smf);
		smf_file_free(&f);
	}
}

static void unknown_extra_headers_and_gaps_are_kept(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	f.order = "ghtimxf";
	f.grass_header_size = 12;
	f.unknown_extra = "whatever";
	f.tail = "bytes that nothing points at";
	smf_file_make(&f);
	assert_ok(&cx, mw_smf_read(&cx, &smf, NULL, f.bytes, f.size));
	assert_int_equal(smf.num_extras, 2);
	assert_int_equal(smf.extras[0].type, 77);
	assert_int_equal(smf.extras[0].payload_bytes, 8);
	assert_memory_equal(smf.extras[0].payload, "whatever", 8);
	assert_non_null(smf.grass);
	const mw_smf_span *last = &smf.spans[smf.num_spans - 1];
	assert_int_equal(last->block, MW_SMF_GAP);
	assert_int_equal(last->size, strlen(f.tail));
	assert_memory_equal(last->bytes, f.tail, strlen(f.tail));
	smf_file_free(&f);
}

/* Strictly refused with part in the message; collected under rule, at a level that refuses. */
static void refused(struct smf_file *f, const char *rule, const char *part)
{
	assert_fails(&cx, mw_smf_read(&cx, &smf, NULL, f->bytes, f->size), MW_EFORMAT, part);
	mw_smf_free(&smf);
	mw_smf_findings found = {0};
	assert_ok(&cx, mw_smf_read(&cx, &smf, &found, f->bytes, f->size));
	const mw_smf_finding *what = finding(&found, rule);
	if (!what)
		fail_msg("no finding %s", rule);
	else
		assert_true(what->level >= MW_SMF_ERROR);
	mw_free(&cx, found.v);
	mw_smf_free(&smf);
}

static void every_pointer_is_checked_against_the_file(void **state)
{
	(void)state;
	static const struct {
		int at;
		const char *part;
	} pointers[] = {{52, "height map"}, {56, "type map"}, {60, "tile index"}, {64, "minimap"},
		{68, "metal map"}, {72, "feature block"}, {88, "grass map"}};
	for (size_t i = 0; i < MW_COUNTOF(pointers); i++) {
		struct smf_file f;
		smf_file_defaults(&f);
		f.order = "htimgxf";
		f.grass_header_size = 12;
		smf_file_make(&f);
		const int32_t bad[] = {(int32_t)f.size - 3, (int32_t)f.size, (int32_t)f.size + 1,
			INT32_MAX, -1, INT32_MIN};
		for (size_t k = 0; k < MW_COUNTOF(bad); k++) {
			smf_put32(&f, (size_t)pointers[i].at, bad[k]);
			char length[32];
			snprintf(length, sizeof length, "%zu", f.size);
			refused(&f, "smf-pointer-range", length);
			mw_code code = mw_smf_read(&cx, &smf, NULL, f.bytes, f.size);
			assert_int_equal(code, MW_EFORMAT);
			assert_non_null(strstr(cx.err.subject, pointers[i].part));
			mw_err_clear(&cx);
			mw_smf_free(&smf);
		}
		smf_file_free(&f);
	}
}

static void a_metal_map_past_the_end_names_block_offset_and_length(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	smf_file_make(&f);
	smf_put32(&f, 68, (int32_t)f.size - 10);
	assert_int_equal(mw_smf_read(&cx, &smf, NULL, f.bytes, f.size), MW_EFORMAT);
	char text[512], want[128];
	mw_err_format(&cx.err, text, sizeof text);
	snprintf(want, sizeof want, "needs 4096 bytes at offset %zu, file has %zu", f.size - 10,
		f.size);
	assert_non_null(strstr(text, want));
	assert_non_null(strstr(text, "metal map"));
	smf_file_free(&f);
}

static void other_blocks_are_there_when_one_is_broken(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	smf_file_make(&f);
	smf_put32(&f, 68, INT32_MAX);
	mw_smf_findings found = {0};
	assert_ok(&cx, mw_smf_read(&cx, &smf, &found, f.bytes, f.size));
	assert_null(smf.metal);
	assert_non_null(smf.heights);
	assert_non_null(smf.tile_index);
	assert_non_null(smf.features);
	assert_int_equal(found.n, 1);
	assert_int_equal(found.v[0].level, MW_SMF_BROKEN);
	assert_int_equal(found.v[0].block, MW_SMF_METAL);
	mw_free(&cx, found.v);
	smf_file_free(&f);
}

static void each_corrupted_header_field_is_refused(void **state)
{
	(void)state;
	static const struct {
		int at;
		int32_t v;
		const char *part;
	} fields[] = {{0, 0x52505321, "does not begin"}, {12, 0x20656c69, "does not begin"},
		{16, 2, "version is 2, must be 1"}, {32, 4, "square size is 4, must be 8"},
		{36, 16, "texels per square is 16"}, {40, 64, "tile size is 64, must be 32"},
		{24, 0, "0 x 128"}, {28, -128, "128 x -128"}};
	for (size_t i = 0; i < MW_COUNTOF(fields); i++) {
		struct smf_file f;
		smf_file_defaults(&f);
		smf_file_make(&f);
		smf_put32(&f, (size_t)fields[i].at, fields[i].v);
		/* no collecting reader takes a header that is none */
		mw_smf_findings found = {0};
		assert_fails(&cx, mw_smf_read(&cx, &smf, &found, f.bytes, f.size), MW_EFORMAT,
			fields[i].part);
		mw_free(&cx, found.v);
		mw_smf_free(&smf);
		smf_file_free(&f);
	}
}

static void hostile_counts_and_sizes_are_refused(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	f.feature_name = "rock";
	smf_file_make(&f);
	static const int32_t wild[] = {INT32_MAX, INT32_MIN, -1, 0x10000000};
	const size_t tiles = f.at['x'], features = f.at['f'];
	static const char *const rules[] = {
		"smf-pointer-range", "smf-pointer-range", "smf-pointer-range"};
	const size_t at[] = {tiles, features, features + 4};
	for (size_t i = 0; i < MW_COUNTOF(at); i++) {
		int32_t was = smf_get32(f.bytes, at[i]);
		for (size_t k = 0; k < MW_COUNTOF(wild); k++) {
			smf_put32(&f, at[i], wild[k]);
			refused(&f, rules[i], NULL);
		}
		smf_put32(&f, at[i], was);
	}
	for (size_t k = 0; k < MW_COUNTOF(wild); k++) {
		if (wild[k] < 0)
			continue;
		smf_put32(&f, 24, wild[k]);
		smf_put32(&f, 28, wild[k]);
		refused(&f, "smf-pointer-range", "height map");
	}
	smf_put32(&f, 24, 128);
	smf_put32(&f, 28, 128);
	smf_put32(&f, 76, INT32_MAX);
	refused(&f, "extra-header-count", "extra headers");
	smf_file_free(&f);
}

static void extra_header_sizes_that_kill_the_map_lister_are_refused(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	f.unknown_extra = "12345678";
	smf_file_make(&f);
	static const int32_t sizes[] = {0, -5, 7, INT32_MIN};
	for (size_t i = 0; i < MW_COUNTOF(sizes); i++) {
		smf_put32(&f, 80, sizes[i]);
		refused(&f, "extra-header-size", "at least 8");
	}
	smf_put32(&f, 80, 1 << 30);
	refused(&f, "extra-header-size", "1073741824");
	smf_put32(&f, 80, 32 * 32 + 9);
	refused(&f, "extra-header-size", "1032");
	smf_file_free(&f);
}

static void a_tile_index_out_of_range_names_value_cell_and_count(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	smf_file_make(&f);
	size_t index = f.at['x'] + 12 + sizeof "t.smt";
	smf_put32(&f, index + 4 * (2 * 32 + 5), 7);
	refused(&f, "smf-tile-index-range", "column 5, row 2 is 7, but there is only 1 tile");
	smf_put32(&f, index + 4 * (2 * 32 + 5), 0);
	smf_put32(&f, index + 4 * 1023, -1);
	smf_put32(&f, index + 4 * 1022, INT32_MIN);
	refused(&f, "smf-tile-index-range", "column 30, row 31 is -2147483648");
	refused(&f, "smf-tile-index-range", "2 such cells");
	smf_file_free(&f);
}

static void tile_counts_must_add_up(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	smf_file_make(&f);
	smf_put32(&f, f.at['x'] + 8, 2); /* in the file, where the map says 1 */
	refused(&f, "smf-tile-count-sum", "overruns");
	smf_put32(&f, f.at['x'] + 8, -1);
	refused(&f, "smf-tile-count-sum", "-1 tiles");
	smf_put32(&f, f.at['x'] + 8, 1);
	smf_put32(&f, f.at['x'] + 4, 0);
	refused(&f, "smf-tile-count-sum", "number of tiles is 0");
	smf_file_free(&f);
}

static void an_unused_tile_is_no_complaint(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	smf_file_make(&f);
	smf_put32(&f, f.at['x'] + 4, 2);
	smf_put32(&f, f.at['x'] + 8, 2);
	mw_smf_findings found = {0};
	assert_ok(&cx, mw_smf_read(&cx, &smf, &found, f.bytes, f.size));
	assert_int_equal(found.n, 0);
	uint32_t used;
	assert_ok(&cx, mw_smf_tiles_used(&cx, &used, &smf));
	assert_int_equal(smf.num_tiles, 2);
	assert_int_equal(used, 1);
	smf_file_free(&f);
}

static void an_unterminated_feature_name_is_refused(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	smf_file_make(&f);
	/* the file ends inside the second of two names */
	static const char names[] = "\2\0\0\0\0\0\0\0TreeType0\0rock_grey";
	struct smf_file g = f;
	g.size = f.at['f'] + sizeof names - 1;
	g.bytes = malloc(g.size);
	assert_non_null(g.bytes);
	memcpy(g.bytes, f.bytes, f.at['f']);
	memcpy(g.bytes + f.at['f'], names, sizeof names - 1);
	refused(&g, "smf-pointer-range", "feature type name: not ended");
	smf_file_free(&f);
	smf_file_free(&g);
}

static void feature_names_past_30_bytes_are_refused(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	f.feature_name = "a_name_of_exactly_thirty_bytes";
	smf_file_make(&f);
	assert_ok(&cx, mw_smf_read(&cx, &smf, NULL, f.bytes, f.size));
	mw_smf_free(&smf);
	smf_file_free(&f);
	f.feature_name = "a_name_of_exactly_31_bytes_long";
	smf_file_make(&f);
	refused(&f, "smf-feature-name-length", "31 bytes");
	smf_file_free(&f);
}

static void features_are_judged_by_index_and_place(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	f.feature_name = "rock";
	smf_file_make(&f);
	size_t record = f.at['f'] + 8 + 5;
	smf_put32(&f, record, 1);
	refused(&f, "smf-feature-index", "type 1 of 1");
	smf_put32(&f, record, -1);
	refused(&f, "smf-feature-index", "type -1");
	smf_put32(&f, record, 0);
	smf_put32(&f, record + 4, 0x7fc00000); /* NaN */
	refused(&f, "smf-feature-number", "no number");

	smf_put32(&f, record + 4, 0x44800001); /* a hair past 1024 */
	mw_smf_findings found = {0};
	assert_ok(&cx, mw_smf_read(&cx, &smf, &found, f.bytes, f.size));
	assert_int_equal(found.n, 1);
	assert_string_equal(found.v[0].rule, "feature-outside");
	assert_int_equal(found.v[0].level, MW_SMF_WARNING);
	mw_free(&cx, found.v);
	smf_file_free(&f);
}

static void overlapping_blocks_are_refused(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	smf_file_make(&f);
	smf_put32(&f, 68, (int32_t)f.at['t'] + 1);
	refused(&f, "smf-block-overlap", "begins inside the type map");
	smf_put32(&f, 68, 40);
	refused(&f, "smf-block-overlap", "begins inside the header");
	smf_file_free(&f);
}

static void sizes_that_crash_the_engine_are_errors(void **state)
{
	(void)state;
	static const struct {
		int x, y;
		const char *rule;
	} sizes[] = {{192, 128, "smf-size-not-128"}, {64, 128, "smf-size-not-128"},
		{128, 130, "smf-size-not-128"}, {384, 128, "smf-size-crash"},
		{128, 512, "smf-size-crash"}};
	for (size_t i = 0; i < MW_COUNTOF(sizes); i++) {
		struct smf_file f;
		smf_file_defaults(&f);
		f.mapx = sizes[i].x;
		f.mapy = sizes[i].y;
		smf_file_make(&f);
		refused(&f, sizes[i].rule, NULL);
		smf_file_free(&f);
	}
	struct smf_file f;
	smf_file_defaults(&f);
	f.mapx = 256;
	f.mapy = 384;
	smf_file_make(&f);
	assert_ok(&cx, mw_smf_read(&cx, &smf, NULL, f.bytes, f.size));
	smf_file_free(&f);
}

static void heights_that_are_no_numbers_are_refused(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	f.max_height = NAN;
	smf_file_make(&f);
	refused(&f, "smf-height-range", "no number");
	smf_file_free(&f);
	f.max_height = 0.0f;
	f.min_height = -INFINITY;
	smf_file_make(&f);
	refused(&f, "smf-height-range", "no number");
	smf_file_free(&f);
	f.min_height = 160.0f; /* turned over on purpose in real maps */
	f.max_height = -60.0f;
	smf_file_make(&f);
	assert_ok(&cx, mw_smf_read(&cx, &smf, NULL, f.bytes, f.size));
	smf_file_free(&f);
}

static void heights_follow_the_engine_formula(void **state)
{
	(void)state;
	/* values measured in the running engine: range -100..400 */
	assert_float_equal(mw_smf_height_of(-100.0f, 400.0f, 65535), 399.99237f, 1e-4f);
	assert_float_equal(mw_smf_height_of(-100.0f, 400.0f, 13107), -0.0015259f, 1e-6f);
	assert_float_equal(mw_smf_height_of(-160.0f, 560.0f, 65535), 559.98901f, 1e-4f);
	assert_true(mw_smf_height_of(-100.0f, 400.0f, 0) == -100.0f);
}

static void ground_is_two_triangles_a_square(void **state)
{
	(void)state;
	static uint16_t heights[129 * 129];
	memset(heights, 0, sizeof heights);
	heights[1] = 32768;       /* north-east corner of the first square: 32 */
	heights[129] = 32768;     /* south-west: 32 */
	heights[129 + 1] = 16384; /* south-east: 16 */
	smf.mapx = smf.mapy = 128;
	smf.max_height = 64.0f;
	smf.heights = heights;
	assert_float_equal(mw_smf_ground_at(&smf, 0.0f, 0.0f), 0.0f, 1e-4f);
	assert_float_equal(mw_smf_ground_at(&smf, 4.0f, 0.0f), 16.0f, 1e-4f);
	assert_float_equal(mw_smf_ground_at(&smf, 2.0f, 2.0f), 16.0f, 1e-4f);
	assert_float_equal(mw_smf_ground_at(&smf, 4.0f, 4.0f), 32.0f, 1e-4f); /* on the diagonal */
	assert_float_equal(mw_smf_ground_at(&smf, 6.0f, 6.0f), 24.0f, 1e-4f);
	assert_float_equal(mw_smf_ground_at(&smf, -50.0f, -1.0f), 0.0f, 1e-4f);
	heights[128 * 129 + 128] = 65535;
	assert_float_equal(mw_smf_ground_at(&smf, 1024.0f, 1024.0f), 63.999f, 1e-3f);
	assert_float_equal(mw_smf_ground_at(&smf, 1e30f, INFINITY), 63.999f, 1e-3f);
	assert_float_equal(mw_smf_ground_at(&smf, 1020.0f, 1024.0f), 32.0f, 1e-3f);
	assert_true(isfinite((double)mw_smf_ground_at(&smf, NAN, NAN)));
}

static void ground_at_the_far_edge_of_a_large_map_stays_inside(void **state)
{
	(void)state;
	/* from 2176 squares on, the number just below the edge is no longer below it as a float */
	static uint16_t strip[2177 * 129];
	strip[2177 * 129 - 1] = 32768;
	smf.mapx = 2176;
	smf.mapy = 128;
	smf.max_height = 64.0f;
	smf.heights = strip;
	assert_float_equal(mw_smf_ground_at(&smf, 2176.0f * 8.0f, 1024.0f), 32.0f, 1e-4f);
	assert_float_equal(mw_smf_ground_at(&smf, 1e9f, 1e9f), 32.0f, 1e-4f);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static mw_code read_strict(mw_ctx *c, const uint8_t *bytes, size_t n, void *ud)
{
	(void)ud;
	mw_smf s;
	mw_smf_init(&s, c);
	mw_code code = mw_smf_read(c, &s, NULL, bytes, n);
	mw_smf_free(&s);
	return code;
}

static mw_code read_collecting(mw_ctx *c, const uint8_t *bytes, size_t n, void *ud)
{
	(void)ud;
	mw_smf s;
	mw_smf_findings found = {0};
	mw_smf_init(&s, c);
	mw_code code = mw_smf_read(c, &s, &found, bytes, n);
	uint32_t used;
	if (!code)
		code = mw_smf_tiles_used(c, &used, &s);
	mw_free(c, found.v);
	mw_smf_free(&s);
	return code;
}

static void every_truncated_prefix_fails_cleanly(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_writer(&f, SMF_MAPEDIT);
	f.order = "igxthmf"; /* small blocks last, where every length is tried */
	f.feature_name = "rock";
	smf_file_make(&f);
	prefix_sweep(read_strict, NULL, f.bytes, f.size, PREFIX_MUST_FAIL);
	prefix_sweep(read_collecting, NULL, f.bytes, f.size, PREFIX_MAY_READ);
	smf_file_free(&f);
}

static void changed_header_and_record_bytes_read_or_fail_cleanly(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_defaults(&f);
	f.order = "htimgxf";
	f.grass_header_size = 12;
	f.unknown_extra = "ab";
	f.feature_name = "rock";
	smf_file_make(&f);
	const struct {
		size_t from, to;
	} parts[] = {{16, 102}, {f.at['x'], f.at['x'] + 24}, {f.at['f'], f.size}};
	static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	for (size_t p = 0; p < MW_COUNTOF(parts); p++) {
		for (size_t at = parts[p].from; at < parts[p].to; at++) {
			uint8_t was = f.bytes[at];
			for (size_t v = 0; v < MW_COUNTOF(values); v++) {
				f.bytes[at] = values[v];
				mw_code code = read_collecting(&cx, f.bytes, f.size, NULL);
				assert_true(code == MW_OK || code == MW_EFORMAT);
				assert_int_equal(cx.err.code, code);
				mw_err_clear(&cx);
			}
			f.bytes[at] = was;
		}
	}
	smf_file_free(&f);
}

static mw_code read_file(mw_ctx *c, void *ud)
{
	struct smf_file *f = ud;
	return read_collecting(c, f->bytes, f->size, NULL);
}

static void each_refused_allocation_is_reported_and_leaks_nothing(void **state)
{
	(void)state;
	struct smf_file f;
	smf_file_writer(&f, SMF_CONVNG);
	f.unknown_extra = "ab";
	f.feature_name = "a_name_that_is_far_too_long_for_the_engine";
	f.tail = "tail";
	smf_file_make(&f);
	oom_sweep(read_file, &f);
	smf_file_free(&f);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(known_bytes_decode),
		T(layouts_of_the_four_known_writers_read),
		T(unknown_extra_headers_and_gaps_are_kept),
		T(every_pointer_is_checked_against_the_file),
		T(a_metal_map_past_the_end_names_block_offset_and_length),
		T(other_blocks_are_there_when_one_is_broken),
		T(each_corrupted_header_field_is_refused),
		T(hostile_counts_and_sizes_are_refused),
		T(extra_header_sizes_that_kill_the_map_lister_are_refused),
		T(a_tile_index_out_of_range_names_value_cell_and_count),
		T(tile_counts_must_add_up),
		T(an_unused_tile_is_no_complaint),
		T(an_unterminated_feature_name_is_refused),
		T(feature_names_past_30_bytes_are_refused),
		T(features_are_judged_by_index_and_place),
		T(overlapping_blocks_are_refused),
		T(sizes_that_crash_the_engine_are_errors),
		T(heights_that_are_no_numbers_are_refused),
		T(heights_follow_the_engine_formula),
		T(ground_is_two_triangles_a_square),
		T(ground_at_the_far_edge_of_a_large_map_stays_inside),
		T(every_truncated_prefix_fails_cleanly),
		T(changed_header_and_record_bytes_read_or_fail_cleanly),
		T(each_refused_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

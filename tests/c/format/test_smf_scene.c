#include "format/smf/smf.h"

#include "base/log.h"
#include "base/str.h"
#include "support/oom.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static mw_ctx cx;
static mw_smf smf;
static mw_log sink;
static char warnings[4096]; /* "id: text\n" each */

static uint16_t heights[129 * 129];
static uint8_t grass[32 * 32];
static const int32_t tile_index[32 * 32];
static const mw_smf_tile_file one_tile = {"t.smt", 1};
static mw_smf_level_desc level;

static void hear(void *ud, mw_log_level at, const char *id, const char *text)
{
	(void)ud;
	assert_int_equal(at, MW_LOG_WARNING);
	size_t n = strlen(warnings);
	mw_format(warnings + n, sizeof warnings - n, "%s: %s\n", id, text);
}

static int set_up(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	mw_smf_init(&smf, &cx);
	sink = (mw_log){.message = hear};
	cx.log = &sink;
	warnings[0] = 0;
	memset(grass, 2, sizeof grass);
	for (size_t i = 0; i < MW_COUNTOF(heights); i++)
		heights[i] = 32768;
	level = (mw_smf_level_desc){
		.mapx = 128,
		.mapy = 128,
		.max_height = 25.0f,
		.heights = heights,
		.tile_files = &one_tile,
		.num_tile_files = 1,
		.tile_index = tile_index,
	};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	mw_smf_free(&smf);
	return 0;
}

static void features_are_stored_as_given_under_names_listed_once(void **state)
{
	(void)state;
	static const mw_smf_placement features[] = {
		{"GeoVent", 512.0f, 512.0f, NAN, 0.0f},
		{"rock_grey", 100.5f, 200.25f, NAN, 90.0f},
		{"rock_grey", 1023.5f, 0.5f, NAN, 359.5f},
	};
	level.features = features;
	level.num_features = MW_COUNTOF(features);
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_int_equal(smf.num_feature_types, 2);
	assert_string_equal(smf.feature_types[0], "GeoVent");
	assert_string_equal(smf.feature_types[1], "rock_grey");
	assert_int_equal(smf.num_features, 3);
	for (size_t i = 0; i < 3; i++) {
		const mw_smf_feature *f = &smf.features[i];
		assert_int_equal(f->type, i > 0);
		assert_memory_equal(&f->x, &features[i].x, 4);
		assert_memory_equal(&f->z, &features[i].z, 4);
		assert_memory_equal(&f->rotation, &features[i].heading, 4);
		assert_true(f->relative_size == 1.0f);
		assert_float_equal(f->y, 12.5f, 0.01f); /* on the ground */
	}
	assert_string_equal(warnings, "");
}

static void built_in_types_come_first_and_are_matched_without_case(void **state)
{
	(void)state;
	static const mw_smf_placement features[] = {
		{"geovent", 1.0f, 1.0f, 3.0f, 0.0f},
		{"rock", 1.0f, 1.0f, 3.0f, 0.0f},
		{"TREETYPE3", 1.0f, 1.0f, 3.0f, 0.0f},
	};
	level.features = features;
	level.num_features = MW_COUNTOF(features);
	level.builtin_types = true;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_int_equal(smf.num_feature_types, 18);
	assert_string_equal(smf.feature_types[0], "TreeType0");
	assert_string_equal(smf.feature_types[16], "GeoVent");
	assert_string_equal(smf.feature_types[17], "rock");
	assert_int_equal(smf.features[0].type, 16);
	assert_int_equal(smf.features[1].type, 17);
	assert_int_equal(smf.features[2].type, 3);
	assert_true(smf.features[0].y == 3.0f);
}

static void a_map_without_features_has_no_types(void **state)
{
	(void)state;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_int_equal(smf.num_feature_types, 0);
	assert_int_equal(smf.num_features, 0);
}

static void bad_feature_names_are_refused(void **state)
{
	(void)state;
	mw_smf_placement f = {"a_name_of_exactly_31_bytes_long", 1.0f, 1.0f, NAN, 0.0f};
	level.features = &f;
	level.num_features = 1;
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ERANGE,
		"'a_name_of_exactly_31_bytes_long' has 31 bytes; the engine reads at most 30");
	f.name = "";
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ERANGE, "has no name");
	f.name = "two\nlines";
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ERANGE, "control character");
	f.name = "a_name_of_exactly_thirty_bytes";
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
}

static void feature_numbers_must_be_numbers(void **state)
{
	(void)state;
	static const mw_smf_placement bad[] = {
		{"rock", NAN, 1.0f, NAN, 0.0f},
		{"rock", 1.0f, INFINITY, NAN, 0.0f},
		{"rock", 1.0f, 1.0f, NAN, NAN},
		{"rock", 1.0f, 1.0f, -INFINITY, 0.0f},
	};
	level.num_features = 1;
	for (size_t i = 0; i < MW_COUNTOF(bad); i++) {
		level.features = &bad[i];
		assert_fails(
			&cx, mw_smf_from_level(&cx, &smf, &level), MW_ERANGE, "feature 1 'rock'");
	}
}

static void headings_are_brought_back_by_full_turns(void **state)
{
	(void)state;
	static const struct {
		float in, out;
	} turns[] = {{0, 0}, {32767, 32767}, {32767.5f, 32767.5f}, {-32768, -32768},
		{32768, -32768}, {40000, -25536}, {65536, 0}, {-40000, 25536}, {-32769, 32767},
		{131072 + 90, 90}};
	for (size_t i = 0; i < MW_COUNTOF(turns); i++)
		assert_true(mw_smf_wrap_heading(turns[i].in) == turns[i].out);
	float wild = mw_smf_wrap_heading(-3e38f);
	assert_true(wild >= -32768.0f && wild < 32768.0f);

	mw_smf_placement f = {"rock", 1.0f, 1.0f, NAN, 40000.0f};
	level.features = &f;
	level.num_features = 1;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_true(smf.features[0].rotation == -25536.0f);
	assert_non_null(strstr(warnings, "feature-heading-wrapped: "));
}

static void features_outside_are_reported_and_kept(void **state)
{
	(void)state;
	static const mw_smf_placement features[] = {
		{"rock", 1024.0f, 1024.0f, NAN, 0.0f}, /* the very edge is inside */
		{"rock", 1025.0f, 5.0f, NAN, 0.0f},
		{"rock", 5.0f, -1.0f, NAN, 0.0f},
	};
	level.features = features;
	level.num_features = MW_COUNTOF(features);
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_true(smf.features[1].x == 1025.0f);
	assert_string_equal(warnings,
		"feature-outside: feature 2 'rock' at (1025, 5) is outside the map (0..1024, "
		"0..1024 "
		"elmos); the engine moves it to the edge; such features: 2\n");
}

static void more_features_or_types_than_the_engine_takes_are_refused(void **state)
{
	(void)state;
	static mw_smf_placement many[32001];
	static char names[16385][8];
	for (size_t i = 0; i < MW_COUNTOF(many); i++)
		many[i] = (mw_smf_placement){"rock", 1.0f, 1.0f, 0.0f, 0.0f};
	level.features = many;
	level.num_features = 32000;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_int_equal(smf.num_features, 32000);
	assert_int_equal(smf.num_feature_types, 1);
	level.num_features = 32001;
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ELIMIT,
		"32001 features; the engine takes 32000");

	for (size_t i = 0; i < MW_COUNTOF(names); i++) {
		mw_format(names[i], sizeof names[i], "f%zu", i);
		many[i].name = names[i];
	}
	level.num_features = 16384;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_int_equal(smf.num_feature_types, 16384);
	assert_int_equal(smf.features[16383].type, 16383);
	level.num_features = 16385;
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ELIMIT,
		"more than 16384 feature types");
}

static void reserved_and_binary_grass_values_warn_once(void **state)
{
	(void)state;
	level.grass = grass;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_string_equal(warnings, "");
	grass[77] = 255;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_string_equal(warnings,
		"grass-255: grass map: 1 cell holds 255, which is reserved for \"no grass map\": "
		"no "
		"grass is drawn\n");
	warnings[0] = 0;
	memset(grass, 0, sizeof grass);
	grass[3] = 1;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
	assert_string_equal(warnings,
		"grass-binary: grass map: the highest value is 1: read as on or off, patch sizes "
		"become random\n");
}

static void sizes_are_refused_with_the_nearest_legal_ones(void **state)
{
	(void)state;
	assert_fails(&cx, mw_smf_check_size(&cx, 192, 128, false), MW_ERANGE,
		"width 192 is not a multiple of 128 squares; the nearest legal widths are 128 and "
		"256");
	assert_fails(&cx, mw_smf_check_size(&cx, 256, 1000, false), MW_ERANGE,
		"depth 1000 is not a multiple of 128 squares; the nearest legal depths are 896 and "
		"1024");
	assert_fails(&cx, mw_smf_check_size(&cx, 64, 256, false), MW_ERANGE,
		"the smallest legal width is 128");
	assert_fails(&cx, mw_smf_check_size(&cx, 0, 256, false), MW_ERANGE, "width 0");
	assert_fails(&cx, mw_smf_check_size(&cx, 256, -128, false), MW_ERANGE, "depth -128");
	assert_fails(&cx, mw_smf_check_size(&cx, 384, 128, false), MW_ERANGE, "overruns a buffer");
	assert_fails(&cx, mw_smf_check_size(&cx, 128, 640, false), MW_ERANGE, "overruns a buffer");
	assert_fails(&cx, mw_smf_check_size(&cx, INT64_MAX, 128, false), MW_ERANGE, "width");
	static const int good[][2] = {
		{128, 128}, {128, 256}, {256, 128}, {256, 384}, {1664, 256}, {2048, 2048}};
	for (size_t i = 0; i < MW_COUNTOF(good); i++)
		assert_ok(&cx, mw_smf_check_size(&cx, good[i][0], good[i][1], false));
}

static void force_lets_a_bad_size_pass(void **state)
{
	(void)state;
	assert_ok(&cx, mw_smf_check_size(&cx, 384, 128, true));
	assert_ok(&cx, mw_smf_check_size(&cx, 64, 100, true));
	assert_fails(&cx, mw_smf_check_size(&cx, 66, 128, true), MW_ERANGE, "multiple of 4");
	assert_fails(&cx, mw_smf_check_size(&cx, 0, 128, true), MW_ERANGE, "positive");
	level.mapx = 64;
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ERANGE, "width 64");
	level.force_size = true;
	assert_ok(&cx, mw_smf_from_level(&cx, &smf, &level));
}

static void heights_that_are_no_numbers_are_refused(void **state)
{
	(void)state;
	level.max_height = NAN;
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ERANGE, "no number");
	level.max_height = INFINITY;
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ERANGE, "no number");
}

static void a_tile_that_is_not_there_is_refused(void **state)
{
	(void)state;
	static int32_t index[32 * 32];
	index[69] = 1;
	level.tile_index = index;
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_ERANGE, "column 5, row 2 is 1");
	level.tile_index = NULL;
	assert_fails(&cx, mw_smf_from_level(&cx, &smf, &level), MW_EINVALID, "tile index");
}

static mw_code build(mw_ctx *c, void *ud)
{
	(void)ud;
	mw_smf s;
	mw_wr out;
	mw_smf_init(&s, c);
	mw_wr_init(&out, c);
	mw_code code = mw_smf_from_level(c, &s, &level);
	if (!code)
		code = mw_smf_write(c, &out, &s, NULL);
	mw_wr_free(&out);
	mw_smf_free(&s);
	return code;
}

static void each_refused_allocation_is_reported_and_leaks_nothing(void **state)
{
	(void)state;
	static mw_smf_placement features[100];
	static char names[100][8];
	for (size_t i = 0; i < MW_COUNTOF(features); i++) {
		mw_format(names[i], sizeof names[i], "f%zu", i);
		features[i] = (mw_smf_placement){names[i], 1.0f, 1.0f, 0.0f, 0.0f};
	}
	level.features = features;
	level.num_features = MW_COUNTOF(features);
	level.builtin_types = true;
	oom_sweep(build, NULL);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(features_are_stored_as_given_under_names_listed_once),
		T(built_in_types_come_first_and_are_matched_without_case),
		T(a_map_without_features_has_no_types),
		T(bad_feature_names_are_refused),
		T(feature_numbers_must_be_numbers),
		T(headings_are_brought_back_by_full_turns),
		T(features_outside_are_reported_and_kept),
		T(more_features_or_types_than_the_engine_takes_are_refused),
		T(reserved_and_binary_grass_values_warn_once),
		T(sizes_are_refused_with_the_nearest_legal_ones),
		T(force_lets_a_bad_size_pass),
		T(heights_that_are_no_numbers_are_refused),
		T(a_tile_that_is_not_there_is_refused),
		T(each_refused_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every .map of the corpus: read with the counts that others found, closed, and the same level in
 * every dialect. */
#include "format/qmap_same.h"
#include "support/test.h"

#include "base/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mw_ctx cx;

/* False: refused, as its findings say. */
static bool read_file(mw_qmap *m, const char *relative)
{
	uint8_t *bytes;
	size_t n;
	mw_qmap_findings found = {0};
	mw_qmap_init(m, &cx);
	assert_ok(&cx, mw_fs_read(&cx, &bytes, &n, test_shared(relative)));
	assert_ok(&cx, mw_qmap_read(&cx, m, &found, bytes, n));
	bool good = mw_qmap_refuse(&cx, &found) == MW_OK;
	mw_err_clear(&cx);
	mw_free(&cx, found.v);
	mw_free(&cx, bytes);
	return good;
}

typedef struct {
	uint32_t entities, pairs, blocks, closed, open, dropped, faces, patches, fractions;
	double reach; /* greatest |coordinate| */
} counts;

static counts count(const mw_qmap *m)
{
	counts c = {.entities = (uint32_t)m->entity.n, .pairs = (uint32_t)m->pair.n};
	mw_qmap_solids s = {0};
	for (size_t i = 0; i < m->brush.n; i++) {
		const mw_qmap_brush *b = &m->brush.v[i];
		bool patch = b->kind == MW_QMAP_PATCH2 || b->kind == MW_QMAP_PATCH3;
		c.patches += patch;
		c.blocks += !patch;
		c.faces += patch ? 0 : b->count;
		for (uint32_t k = 0; k < b->count && b->kind == MW_QMAP_FACES; k++)
			for (int j = 0; j < 9; j++) {
				double v = m->face.v[b->first + k].p[j / 3].v[j % 3];
				c.fractions += v != rint(v);
				c.reach = fmax(c.reach, fabs(v));
			}
	}
	assert_ok(&cx, mw_qmap_build(&cx, m, &s, NULL));
	for (size_t i = 0; i < s.brushes.brush.n; i++)
		c.closed += s.how[i] == MW_CLOSED;
	c.open = s.open;
	c.dropped = s.dropped;
	mw_qmap_solids_free(&cx, &s);
	return c;
}

static void head(void)
{
	print_message("# %-28s %8s %7s %6s %6s %5s %7s | %-26s | %-32s | %s\n", "level", "entities",
		"brushes", "closed", "faces", "lost", "patches", "Valve 220: planes, texels",
		"classic: planes, texels, skewed", "others");
}

/* One dialect of each kind; of Valve 220 and classic the figures. */
static void row(const char *name, const mw_qmap *m, const counts *c)
{
	static const mw_qmap_dialect more[] = {
		MW_QMAP_QUAKE3, MW_QMAP_DOOM3, MW_QMAP_QUAKE2_VALVE, MW_QMAP_DAIKATANA};
	uint32_t others = 0;
	qmap_same valve = qmap_in_dialect(&cx, name, m, MW_QMAP_VALVE220);
	qmap_same classic = qmap_in_dialect(&cx, name, m, MW_QMAP_CLASSIC);
	assert_true(valve.held && classic.held);
	assert_int_equal(valve.brushes, c->closed);
	assert_int_equal(classic.brushes, c->closed);
	/* axes of any kind are what Valve's are for */
	assert_int_equal(valve.skewed + valve.off, 0);
	for (size_t i = 0; i < MW_COUNTOF(more); i++)
		others += qmap_in_dialect(&cx, name, m, more[i]).held;
	print_message("# %-28.28s %8u %7u %6u %6u %5u %7u | %6u of %-6u %-8.1e    | %6u of %-6u "
		      "%-8.1e %8u | %u\n",
		name, c->entities, c->blocks, c->closed, c->faces, c->dropped, c->patches,
		valve.same, valve.faces, valve.apart, classic.same, classic.faces, classic.apart,
		classic.skewed, others);
}

/* Column i of a line of tabs. */
static double column(const char *line, int i)
{
	for (; i > 0; i--) {
		line = strchr(line, '\t');
		assert_non_null(line);
		line++;
	}
	return strtod(line, NULL);
}

static void real_levels_have_the_counts_of_the_index(void **state)
{
	char line[1024], path[256];
	uint32_t levels = 0;
	FILE *index = fopen(test_shared("corpus/map/index.tsv"), "r");
	(void)state;
	assert_non_null(index);
	assert_non_null(fgets(line, sizeof line, index));
	assert_non_null(strstr(line, "entities\tbrushes\tbrush faces\tpatches\tkey/values"));
	head();
	while (fgets(line, sizeof line, index)) {
		mw_qmap m;
		char name[64];
		size_t n = strcspn(line, "\t");
		assert_true(mw_format(name, sizeof name, "%.*s", (int)n, line));
		assert_true(mw_format(path, sizeof path, "corpus/map/%s", name));
		assert_true(read_file(&m, path));
		counts c = count(&m);
		assert_int_equal(c.entities, column(line, 7));
		assert_int_equal(c.blocks, column(line, 8));
		assert_int_equal(c.faces, column(line, 9));
		assert_int_equal(c.patches, column(line, 10));
		assert_int_equal(c.pairs, column(line, 11));
		assert_int_equal(c.fractions, column(line, 12));
		assert_true(c.reach == column(line, 13));
		/* every one of them closes, by all of its planes */
		assert_int_equal(c.closed, c.blocks);
		assert_int_equal(c.open + c.dropped, 0);
		row(name, &m, &c);
		mw_qmap_free(&cx, &m);
		levels++;
	}
	fclose(index);
	assert_true(levels >= 6);
}

/* Each is a room of six brushes with a start point, but for what its name tells. Where it has a
 * seventh brush, that one is what the file is about. */
static void made_levels_are_read_as_they_should_be(void **state)
{
	static const struct {
		const char *name;
		uint32_t blocks, closed, dropped, entities, patches;
	} other[] = {
		{"d11_q3_legacy_patchdef2", 6, 6, 0, 2, 1},
		{"d12_doom3_v2", 6, 6, 0, 2, 1},
		{"d15_tb_layers_groups", 6, 6, 0, 4, 0},
		{"d30_cut_short", 0, 0, 0, 0, 0},
		/* a plane repeated, or turned round: the later goes */
		{"g01_duplicate_plane", 7, 7, 1, 2, 0},
		{"g02_duplicate_plane_shifted_points", 7, 7, 1, 2, 0},
		{"g03_opposite_plane", 7, 7, 1, 2, 0},
		/* a face of a box lost: open */
		{"g04_collinear_points", 7, 6, 0, 2, 0},
		{"g05_same_point", 7, 6, 0, 2, 0},
		{"g06_near_parallel", 7, 7, 0, 2, 0},
		{"g07_sliver_0p01", 7, 7, 0, 2, 0},
		{"g08_micro_0p05", 7, 7, 0, 2, 0},
		{"g09_micro_0p001", 7, 7, 0, 2, 0},
		{"g10_unbounded_5planes", 7, 6, 0, 2, 0},
		{"g11_two_planes", 7, 6, 0, 2, 0},
		{"g12_inside_out", 7, 7, 0, 2, 0},
		{"g13_mixed_winding", 7, 6, 0, 2, 0},
		/* planes that bound nothing go, the brush stays */
		{"g14_redundant_plane", 7, 7, 1, 2, 0},
		{"g15_plane_through_two_edges", 7, 7, 2, 2, 0},
		{"g16_empty_intersection", 7, 6, 0, 2, 0},
		{"g17_nan", 7, 6, 0, 2, 0},
		{"g18_huge_coord", 7, 7, 0, 2, 0},
		{"g19_offgrid_rotated_3dec", 7, 7, 0, 2, 0},
		{"g20_rotated_rounded_int", 7, 7, 0, 2, 0},
		{"g21_prism64", 7, 7, 0, 2, 0},
		{"g22_prism256", 7, 7, 0, 2, 0},
		{"g23_overlap_coplanar", 8, 8, 0, 2, 0},
		{"g24_tjunction", 9, 9, 0, 2, 0},
		{"g25_gap_0p005", 8, 8, 0, 2, 0},
		{"g26_empty_brush", 7, 6, 0, 2, 0},
		{"g27_leak", 5, 5, 0, 2, 0},
		/* two nearly opposite planes through one line: a wedge */
		{"g28_wedge_sliver", 7, 7, 3, 2, 0},
		{"h01_hammerforge_valve", 2, 2, 0, 3, 0},
	};
	char path[256];
	uint32_t levels = 0;
	mw_fs_names names = {0};
	(void)state;
	assert_ok(&cx, mw_fs_list(&cx, &names, test_shared("corpus/map-synth")));
	head();
	for (size_t i = 0; i < names.n; i++) {
		mw_qmap m;
		size_t n = strlen(names.v[i]);
		uint32_t blocks = 6, closed = 6, dropped = 0, entities = 2, patches = 0;
		if (n < 4 || strcmp(names.v[i] + n - 4, ".map") != 0)
			continue;
		names.v[i][n - 4] = 0;
		bool listed = names.v[i][0] == 'd';
		for (size_t k = 0; k < MW_COUNTOF(other); k++)
			if (strcmp(other[k].name, names.v[i]) == 0) {
				listed = true;
				blocks = other[k].blocks;
				closed = other[k].closed;
				dropped = other[k].dropped;
				entities = other[k].entities;
				patches = other[k].patches;
			}
		if (!listed)
			fail_msg("what is %s?", names.v[i]);
		assert_true(mw_format(path, sizeof path, "corpus/map-synth/%s.map", names.v[i]));
		bool good = read_file(&m, path);
		levels++;
		if (good != (blocks > 0))
			fail_msg("%s is %s", path, good ? "read" : "refused");
		if (good) {
			counts c = count(&m);
			if (c.blocks != blocks || c.closed != closed || c.dropped != dropped ||
				c.open != blocks - closed || c.entities != entities ||
				c.patches != patches)
				fail_msg("%s: %u brushes, %u closed, %u open, %u faces lost, %u "
					 "entities, %u patches",
					path, c.blocks, c.closed, c.open, c.dropped, c.entities,
					c.patches);
			row(names.v[i], &m, &c);
		} else {
			print_message("# %-28.28s refused\n", names.v[i]);
		}
		mw_qmap_free(&cx, &m);
	}
	mw_fs_names_free(&cx, &names);
	assert_true(levels >= 59);
}

static int set_up(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_levels_have_the_counts_of_the_index),
		cmocka_unit_test(made_levels_are_read_as_they_should_be),
	};
	return cmocka_run_group_tests_name("qmap corpus", tests, set_up, NULL);
}

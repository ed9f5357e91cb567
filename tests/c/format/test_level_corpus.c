/* Every level of the corpus compiled: points are classified as by testing every brush, the tree
 * earns its keep, sweeps stop where brute force says, and what is written comes back the same.
 * MAPWRIGHT_POINTS: how many random points a level is asked at (and every plane of it then, instead
 * of some). */
#include "support/level_judge.h"
#include "support/test.h"

#include "base/fs.h"
#include "format/hmap/hmap.h"
#include "format/qmap/qmap.h"

#include <stdio.h>

#define POINTS 1000 /* and about as many near planes, unless the environment asks for all */

typedef struct {
	mw_ctx cx;
	mw_qmap m;
	mw_hmap h;
	mw_level_query q;
} level;

/* False: the text is refused, or has no brush that closes. */
static bool compile(level *l, const char *path)
{
	uint8_t *bytes;
	size_t n;
	mw_scene s;
	mw_qmap_findings found = {0};
	memset(l, 0, sizeof *l);
	mw_ctx_init(&l->cx);
	mw_hmap_init(&l->h, &l->cx);
	mw_qmap_init(&l->m, &l->cx);
	assert_ok(&l->cx, mw_fs_read(&l->cx, &bytes, &n, path));
	assert_ok(&l->cx, mw_qmap_read(&l->cx, &l->m, &found, bytes, n));
	mw_free(&l->cx, bytes);
	bool refused = mw_qmap_refuse(&l->cx, &found) != MW_OK;
	mw_err_clear(&l->cx);
	mw_free(&l->cx, found.v);
	if (refused)
		return false;
	assert_ok(&l->cx, mw_scene_init(&l->cx, &s, NULL));
	assert_ok(&l->cx, mw_qmap_to_scene(&l->cx, &s, &l->m, NULL, NULL));
	assert_ok(&l->cx, mw_hmap_from_scene(&l->cx, &l->h, &s, NULL));
	assert_ok(&l->cx, mw_hmap_compile(&l->cx, &l->h, NULL, NULL));
	mw_scene_free(&l->cx, &s);
	assert_ok(&l->cx, mw_level_query_init(&l->cx, &l->q, &l->h.level));
	return l->h.level.tree_solids > 0;
}

static void forget(level *l)
{
	mw_level_query_free(&l->cx, &l->q);
	mw_hmap_free(&l->cx, &l->h);
	mw_qmap_free(&l->cx, &l->m);
}

/* ---- the text's own planes ------------------------------------------------------------------- */

static bool is_world(const mw_qmap *m, const mw_qmap_entity *e)
{
	mw_sv name = mw_qmap_get(m, e, "classname");
	return mw_sv_eq(name, mw_sv_of("worldspawn")) || mw_sv_eq(name, mw_sv_of("func_group")) ||
		(mw_sv_eq(name, mw_sv_of("func_detail")) && e->brushes);
}

/* Solid is what some world brush of the text holds, but where a plane is nearer than floats tell.
 */
static void text_and_level_agree(level *l, judge *j, uint32_t n)
{
	mw_qmap_solids s = {0};
	const mw_qmap *m = &l->m;
	assert_ok(&l->cx, mw_qmap_build(&l->cx, m, &s, NULL));
	uint8_t *world = calloc(m->brush.n + 1, 1);
	assert_non_null(world);
	bool own = m->entity.n &&
		mw_sv_eq(mw_qmap_get(m, &m->entity.v[0], "_hf_axis_convention"), mw_sv_of("godot"));
	for (size_t e = 0; e < m->entity.n; e++)
		for (uint32_t i = 0; i < m->entity.v[e].brushes; i++)
			world[m->entity.v[e].first_brush + i] = is_world(m, &m->entity.v[e]);
	for (uint32_t i = 0; i < n; i++) {
		mw_vec3 p, q;
		int solid = 0, close = 0;
		for (int k = 0; k < 3; k++)
			p.v[k] = j->o.all.min.v[k] +
				mw_rng_unit(&j->r) * (j->o.all.max.v[k] - j->o.all.min.v[k]);
		q = own ? p : mw_v3(p.x, -p.z, p.y);
		for (uint32_t b = 0; b < s.brushes.brush.n && !solid; b++) {
			const mw_brush *br = &s.brushes.brush.v[b];
			double most = -HUGE_VAL;
			if (s.how[b] != MW_CLOSED || !world[br->tag])
				continue;
			for (uint32_t k = 0; k < br->count && most < 1e-2; k++) {
				mw_plane f = mw_planes_get(
					&s.planes, mw_brush_sides(&s.brushes, br)[k].plane);
				most = fmax(most, mw_dot3(f.n, q) - f.d);
			}
			solid = most < -1e-2;
			close += fabs(most) <= 1e-2;
		}
		if ((solid || !close) && (mw_level_contents(&l->q, &p, NULL) != 0) != solid &&
			j->wrong++ < 5)
			print_error("%s: %.17g %.17g %.17g is %s in the text\n", j->name, p.x, p.y,
				p.z, solid ? "solid" : "empty");
	}
	free(world);
	mw_qmap_solids_free(&l->cx, &s);
}

/* ---- all levels ------------------------------------------------------------------------------ */

typedef void level_fn(const char *name, const char *path, void *ud);

static void each_level(level_fn *fn, void *ud)
{
	static const char *const folders[] = {"corpus/map", "corpus/map-synth"};
	mw_ctx cx;
	mw_ctx_init(&cx);
	for (size_t k = 0; k < MW_COUNTOF(folders); k++) {
		char folder[512], path[1024];
		mw_fs_names names = {0};
		(void)mw_format(folder, sizeof folder, "%s", test_shared(folders[k]));
		assert_ok(&cx, mw_fs_list(&cx, &names, folder));
		for (size_t i = 0; i < names.n; i++) {
			size_t n = strlen(names.v[i]);
			if (n < 4 || strcmp(names.v[i] + n - 4, ".map") != 0)
				continue;
			(void)mw_format(path, sizeof path, "%s/%s", folder, names.v[i]);
			fn(names.v[i], path, ud);
		}
		mw_fs_names_free(&cx, &names);
	}
}

typedef struct {
	uint32_t points; /* 0: not asked for */
	uint32_t levels, wrong, bad;
} sums;

static void ask(const char *name, const char *path, void *ud)
{
	sums *sum = ud;
	uint32_t points = sum->points ? sum->points : POINTS;
	level l;
	judge j;
	if (!compile(&l, path)) {
		print_message("# %-28s no brush that closes\n", name);
		forget(&l);
		return;
	}
	judge_init(&j, name, &l.h.level, &l.q);
	judge_random(&j, points);
	judge_planes(&j, sum->points ? 0 : POINTS);
	text_and_level_agree(&l, &j, points / 4);
	judge_sweeps(&j, points / 10);
	uint32_t depth = l.h.level.depth;
	print_message("# %-28.28s %7u %8u %8u %6u %6.2f %6u %6u %7u %6u %6u %6u %8.1e\n", name,
		l.h.level.tree_solids, j.random, j.near, j.wrong, judge_mean(&j), j.worst, depth,
		j.rays, j.hits, j.wrong_rays, j.grazing, j.apart);
	sum->levels++;
	sum->wrong += j.wrong + j.wrong_rays;
	sum->bad += judge_mean(&j) > 8 || j.worst > 40 || depth > 40;
	judge_free(&j);
	forget(&l);
}

static void points_and_sweeps_answer_as_by_every_brush(void **state)
{
	const char *more = getenv("MAPWRIGHT_POINTS");
	sums sum = {.points = more ? (uint32_t)atoi(more) : 0};
	MW_UNUSED(state);
	print_message("# %-28s %7s %8s %8s %6s %6s %6s %6s %7s %6s %6s %6s %8s\n", "level",
		"brushes", "points", "at plane", "wrong", "mean", "worst", "depth", "sweeps",
		"hits", "wrong", "graze", "apart");
	each_level(ask, &sum);
	print_message("# %u levels, %u wrong answers, %u trees beyond mean 8, worst 40, depth 40\n",
		sum.levels, sum.wrong, sum.bad);
	assert_true(sum.levels >= 6 && sum.wrong == 0 && sum.bad == 0);
}

/* A compiler that drops what is thinner than 0.1 takes the whole room for solid. */
static void the_room_around_a_tiny_brush_stays_empty(void **state)
{
	static const char *const names[] = {
		"g08_micro_0p05", "g09_micro_0p001", "g28_wedge_sliver"};
	MW_UNUSED(state);
	for (size_t i = 0; i < MW_COUNTOF(names); i++) {
		char path[128];
		level l;
		mw_vec3 in = mw_v3(96, 24, -96), floor = mw_v3(96, -8, -96);
		(void)mw_format(path, sizeof path, "corpus/map-synth/%s.map", names[i]);
		assert_true(compile(&l, test_shared(path)));
		assert_int_equal(l.h.level.tree_solids, 7);
		assert_int_equal(mw_level_contents(&l.q, &in, NULL), 0);
		assert_int_equal(mw_level_contents(&l.q, &floor, NULL), 1);
		print_message("# %s: 7 solids, 96 96 24 is empty\n", names[i]);
		forget(&l);
	}
}

/* ---- files ----------------------------------------------------------------------------------- */

/* .map -> .hmap -> scene -> .hmap. */
static void there_and_back(const char *name, const char *path, void *ud)
{
	uint32_t *levels = ud;
	level l;
	mw_wr one, two;
	mw_scene s;
	mw_hmap h, again;
	bool solid = compile(&l, path);
	if (solid) {
		mw_wr_init(&one, &l.cx);
		mw_wr_init(&two, &l.cx);
		mw_hmap_init(&h, &l.cx);
		mw_hmap_init(&again, &l.cx);
		assert_ok(&l.cx, mw_hmap_write(&l.cx, &one, &l.h));
		assert_ok(&l.cx, mw_hmap_read(&l.cx, &h, NULL, one.p, one.n));
		assert_ok(&l.cx, mw_scene_init(&l.cx, &s, NULL));
		assert_ok(&l.cx, mw_hmap_to_scene(&l.cx, &s, &h));
		assert_ok(&l.cx, mw_hmap_from_scene(&l.cx, &again, &s, NULL));
		assert_ok(&l.cx, mw_hmap_compile(&l.cx, &again, NULL, NULL));
		assert_ok(&l.cx, mw_hmap_write(&l.cx, &two, &again));
		if (one.n != two.n || memcmp(one.p, two.p, one.n) != 0)
			fail_msg("%s: the .hmap of its scene is another (%zu bytes, were %zu)",
				name, two.n, one.n);
		mw_scene_free(&l.cx, &s);
		mw_hmap_free(&l.cx, &h);
		mw_hmap_free(&l.cx, &again);
		mw_wr_free(&one);
		mw_wr_free(&two);
		++*levels;
	}
	forget(&l);
}

static void compiled_levels_pass_through_scenes_byte_for_byte(void **state)
{
	uint32_t levels = 0;
	MW_UNUSED(state);
	each_level(there_and_back, &levels);
	print_message(
		"# %u levels: the .hmap of the scene of their .hmap is the same bytes\n", levels);
	assert_true(levels >= 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_and_sweeps_answer_as_by_every_brush),
		cmocka_unit_test(the_room_around_a_tiny_brush_stays_empty),
		cmocka_unit_test(compiled_levels_pass_through_scenes_byte_for_byte),
	};
	return cmocka_run_group_tests_name("level corpus", tests, NULL, NULL);
}

/* Every level of the corpus compiled: points are classified as by testing every brush, the tree
 * earns its keep, sweeps stop where brute force says, and what is written comes back the same.
 * MAPWRIGHT_POINTS: how many random points a level is asked at (and every plane of it then, instead
 * of some). */
#include "support/level_oracle.h"
#include "support/test.h"

#include "base/fs.h"
#include "base/rng.h"
#include "format/hmap/hmap.h"
#include "format/qmap/qmap.h"

#include <stdio.h>

#define POINTS 1000 /* and about as many near planes, unless the environment asks for all */

typedef struct {
	char name[64];
	mw_ctx cx;
	mw_qmap m;
	mw_hmap h;
	mw_level_query q;
	oracle o;
	mw_rng r;
	/* what came out */
	uint32_t random, near, wrong, worst, rays, hits, wrong_rays, grazing;
	uint64_t tested;
	double apart; /* most of a sweep's end [unit: scene unit] */
} level;

/* False: the text is refused, or has no brush that closes. */
static bool compile(level *l, const char *path)
{
	uint8_t *bytes;
	size_t n;
	mw_scene s;
	mw_qmap_findings found = {0};
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
	oracle_init(&l->o, &l->h.level);
	mw_rng_init(&l->r, 1, l->name);
	return l->h.level.tree_solids > 0;
}

static void forget(level *l)
{
	oracle_free(&l->o);
	mw_level_query_free(&l->cx, &l->q);
	mw_hmap_free(&l->cx, &l->h);
	mw_qmap_free(&l->cx, &l->m);
}

/* ---- points ---------------------------------------------------------------------------------- */

static uint32_t ask(level *l, const mw_vec3 *p)
{
	uint32_t tested, got = mw_level_contents(&l->q, p, &tested);
	uint32_t want = oracle_contents(&l->o, p);
	if (got != want && l->wrong++ < 5)
		print_error("%s: contents %u at %.17g %.17g %.17g, by every brush %u\n", l->name,
			got, p->x, p->y, p->z, want);
	l->worst = tested > l->worst ? tested : l->worst;
	return tested;
}

static void random_points(level *l, uint32_t n)
{
	const mw_aabb *b = &l->o.all;
	for (uint32_t i = 0; i < n; i++) {
		mw_vec3 p;
		for (int k = 0; k < 3; k++)
			p.v[k] = b->min.v[k] + mw_rng_unit(&l->r) * (b->max.v[k] - b->min.v[k]);
		l->tested += ask(l, &p);
	}
	l->random += n;
}

#define GRID 3
static const double offsets[] = {0, 1e-6, -1e-6, 1e-3, -1e-3};

/* A grid over a box, dropped onto the plane along its greatest axis, and just off it. jitter: as
 * part of a field of the grid; without it the corners and the middles of the box are asked. */
static void near_plane(level *l, const float q[4], const mw_aabb *box, double jitter)
{
	mw_vec3 n = mw_v3((double)q[0], (double)q[1], (double)q[2]), p;
	int a = fabs(n.x) > fabs(n.y) ? 0 : 1;
	a = fabs(n.z) > fabs(n.v[a]) ? 2 : a;
	int u = (a + 1) % 3, v = (a + 2) % 3;
	for (int i = 0; i < GRID * GRID; i++) {
		double s = (i % GRID + jitter * (mw_rng_unit(&l->r) - 0.5)) / (GRID - 1);
		double t = (i / GRID + jitter * (mw_rng_unit(&l->r) - 0.5)) / (GRID - 1);
		p.v[u] = box->min.v[u] + s * (box->max.v[u] - box->min.v[u]);
		p.v[v] = box->min.v[v] + t * (box->max.v[v] - box->min.v[v]);
		p.v[a] = ((double)q[3] - n.v[u] * p.v[u] - n.v[v] * p.v[v]) / n.v[a];
		for (size_t k = 0; k < MW_COUNTOF(offsets); k++) {
			mw_vec3 at = mw_along3(p, n, offsets[k]);
			ask(l, &at);
			l->near++;
		}
	}
}

/* The planes of every solid over its box, those of the tree over all: one in step of them. */
static void near_planes(level *l, uint32_t want)
{
	const mw_level *c = &l->h.level;
	size_t each = GRID * GRID * MW_COUNTOF(offsets), planes = c->tree_plane.n;
	for (uint32_t i = 0; i < c->tree_solids; i++)
		planes += oracle_solid(&l->o, i)->planes;
	size_t step = want && planes * each > want ? planes * each / want : 1, at = 0;
	for (uint32_t i = 0; i < c->tree_solids; i++) {
		const mw_level_solid *s = oracle_solid(&l->o, i);
		for (uint32_t k = 0; k < s->planes; k++)
			if (at++ % step == 0)
				near_plane(l, c->plane.v[s->first + k].v, &l->o.box[i], 0);
	}
	for (size_t i = 0; i < c->tree_plane.n; i++)
		if (at++ % step == 0)
			near_plane(l, c->tree_plane.v[i].v, &l->o.all, 0.9);
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
static void text_and_level_agree(level *l, uint32_t n)
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
			p.v[k] = l->o.all.min.v[k] +
				mw_rng_unit(&l->r) * (l->o.all.max.v[k] - l->o.all.min.v[k]);
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
			l->wrong++ < 5)
			print_error("%s: %.17g %.17g %.17g is %s in the text\n", l->name, p.x, p.y,
				p.z, solid ? "solid" : "empty");
	}
	free(world);
	mw_qmap_solids_free(&l->cx, &s);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* The product's own walk over all brushes names the same brush; the oracle's stops at the same
 * place, unless the way only grazes a corner: then brushes larger and smaller by a hair bracket it.
 */
static void one_sweep(level *l, const mw_sweep *s)
{
	mw_sweep_hit a, b;
	uint32_t which, other;
	double way = mw_len3(mw_sub3(s->to, s->from));
	bool hit = mw_level_sweep(&l->q, s, &a);
	bool good = hit == mw_brushes_sweep(&l->q.planes, &l->q.brushes, s, &b) &&
		a.brush == b.brush && fabs(a.t - b.t) * way < 1e-9;
	long double t = oracle_sweep(&l->o, &s->from, &s->to, &s->half, s->mask, 0, &which);
	double got = hit ? a.t : 2;
	bool near = hit == (which != UINT32_MAX) && fabs((double)t - got) * way < 1e-9;
	if (near && hit) {
		long double own = oracle_reach(&l->o, a.brush, &s->from, &s->to, &s->half, 0);
		l->apart = fmax(l->apart, fabs((double)t - got) * way);
		near = a.brush == which || fabs((double)(own - t)) * way < 1e-9;
	}
	if (!near) {
		double early = (double)oracle_sweep(
			&l->o, &s->from, &s->to, &s->half, s->mask, 1e-9, &other);
		double late = (double)oracle_sweep(
			&l->o, &s->from, &s->to, &s->half, s->mask, -1e-9, &other);
		near = early * way - 1e-9 <= got * way && got * way <= late * way + 1e-9;
		l->grazing += near;
	}
	l->rays++;
	l->hits += hit;
	if (!(good && near) && l->wrong_rays++ < 5)
		print_error("%s: sweep from %.17g %.17g %.17g to %.17g %.17g %.17g half %g: %u at "
			    "%.17g, every brush %u at %.17g, by the oracle %u at %.17g\n",
			l->name, s->from.x, s->from.y, s->from.z, s->to.x, s->to.y, s->to.z,
			s->half.x, a.brush, a.t, b.brush, b.t, which, (double)t);
}

/* From around some solid: half of them boxes, a third from whole numbers to whole numbers, some
 * along an axis. */
static void sweeps(level *l, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		mw_sweep s = {.mask = i % 7 ? 1u : 31u};
		double far = i % 4 ? 600 : 6000;
		const mw_aabb *near = &l->o.box[mw_rng_below(&l->r, l->h.level.tree_solids)];
		for (int k = 0; k < 3; k++) {
			double size = near->max.v[k] - near->min.v[k] + 256;
			s.from.v[k] = near->min.v[k] - 128 + mw_rng_unit(&l->r) * size;
			s.to.v[k] = s.from.v[k] + (mw_rng_unit(&l->r) - 0.5) * far;
			if (i % 3 == 0) {
				s.from.v[k] = rint(s.from.v[k] / 8) * 8;
				s.to.v[k] = rint(s.to.v[k] / 8) * 8;
			}
			if (i % 2)
				s.half.v[k] = i % 3 ? 20 * mw_rng_unit(&l->r) : k == 2 ? 28 : 16;
		}
		if (i % 5 == 0)
			for (uint32_t k = 0; k < 3; k++)
				if (k != i % 3)
					s.to.v[k] = s.from.v[k];
		one_sweep(l, &s);
	}
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

static void judge(const char *name, const char *path, void *ud)
{
	sums *sum = ud;
	level l = {.wrong = 0};
	(void)mw_format(l.name, sizeof l.name, "%s", name);
	if (!compile(&l, path)) {
		print_message("# %-28s no brush that closes\n", name);
		forget(&l);
		return;
	}
	random_points(&l, sum->points ? sum->points : POINTS);
	near_planes(&l, sum->points ? 0 : POINTS);
	text_and_level_agree(&l, (sum->points ? sum->points : POINTS) / 4);
	sweeps(&l, (sum->points ? sum->points : POINTS) / 10);
	double mean = (double)l.tested / l.random;
	print_message("# %-28s %7u %8u %8u %6u %6.2f %6u %6u %7u %6u %6u %6u %8.1e\n", name,
		l.h.level.tree_solids, l.random, l.near, l.wrong, mean, l.worst, l.h.level.depth,
		l.rays, l.hits, l.wrong_rays, l.grazing, l.apart);
	sum->levels++;
	sum->wrong += l.wrong + l.wrong_rays;
	sum->bad += mean > 8 || l.worst > 40 || l.h.level.depth > 40;
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
	each_level(judge, &sum);
	print_message("# %u levels, %u wrong answers, %u trees beyond mean 8, worst 40, depth 40\n",
		sum.levels, sum.wrong, sum.bad);
	assert_true(sum.levels >= 6 && sum.wrong == 0 && sum.bad == 0);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* .map -> .hmap -> scene -> .hmap. */
static void there_and_back(const char *name, const char *path, void *ud)
{
	uint32_t *levels = ud;
	level l = {.wrong = 0};
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
		cmocka_unit_test(compiled_levels_pass_through_scenes_byte_for_byte),
	};
	return cmocka_run_group_tests_name("level corpus", tests, NULL, NULL);
}

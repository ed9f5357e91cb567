/* Real levels compiled: points are classified as by testing every brush, and the tree earns its
 * keep. */
#include "support/test.h"

#include "base/fs.h"
#include "base/rng.h"
#include "format/hmap/hmap.h"
#include "format/qmap/qmap.h"

#include <stdlib.h>

static const char *const maps[] = {
	"lq_lqdm1", "lq_e0m5", "lq_e1m1", "lq_e2m4", "qodot_materials", "qodot_tb_groups"};

typedef struct {
	mw_ctx cx;
	mw_hmap h;
	mw_level_query q;
	uint32_t brushes;
} level;

static void compile(level *l, const char *name)
{
	char relative[128];
	uint8_t *bytes;
	size_t n;
	mw_qmap m;
	mw_scene s;
	mw_qmap_findings found = {0};
	(void)mw_format(relative, sizeof relative, "corpus/map/%s.map", name);
	const char *path = test_shared(relative);
	mw_ctx_init(&l->cx);
	mw_hmap_init(&l->h, &l->cx);
	mw_qmap_init(&m, &l->cx);
	assert_ok(&l->cx, mw_fs_read(&l->cx, &bytes, &n, path));
	assert_ok(&l->cx, mw_qmap_read(&l->cx, &m, &found, bytes, n));
	assert_ok(&l->cx, mw_scene_init(&l->cx, &s, NULL));
	assert_ok(&l->cx, mw_qmap_to_scene(&l->cx, &s, &m, NULL, &found));
	assert_ok(&l->cx, mw_hmap_from_scene(&l->cx, &l->h, &s, NULL));
	assert_ok(&l->cx, mw_hmap_compile(&l->cx, &l->h, NULL, NULL));
	assert_ok(&l->cx, mw_level_query_init(&l->cx, &l->q, &l->h.level));
	l->brushes = (uint32_t)l->q.brushes.brush.n;
	assert_true(l->brushes > 0);
	mw_scene_free(&l->cx, &s);
	mw_qmap_free(&l->cx, &m);
	mw_free(&l->cx, found.v);
	mw_free(&l->cx, bytes);
}

static uint32_t by_all(const level *l, const mw_vec3 *p)
{
	uint32_t c = 0;
	for (uint32_t i = 0; i < l->brushes; i++)
		if (mw_brush_contains(&l->q.planes, &l->q.brushes, i, p))
			c |= l->q.brushes.brush.v[i].contents;
	return c;
}

/* Every second point lies on or close to a plane of the tree or of a brush. */
static mw_vec3 probe(const level *l, mw_rng *r, int i)
{
	mw_vec3 p;
	const mw_aabb *b = &l->q.bsp.box;
	for (int k = 0; k < 3; k++)
		p.v[k] = b->min.v[k] + mw_rng_unit(r) * (b->max.v[k] - b->min.v[k]);
	const mw_level_plane *list = i % 4 == 1 ? l->h.level.tree_plane.v : l->h.level.plane.v;
	size_t n = i % 4 == 1 ? l->h.level.tree_plane.n : l->h.level.plane.n;
	if (i % 2 == 0 || n == 0)
		return p;
	const float *q = list[mw_rng_below(r, n)].v;
	mw_vec3 normal = mw_v3((double)q[0], (double)q[1], (double)q[2]);
	double off = (i / 4 % 3 - 1) * 1e-6;
	return mw_along3(p, normal, (double)q[3] - mw_dot3(normal, p) + off);
}

static void points_of_real_levels_are_classified_as_by_every_brush(void **state)
{
	const char *more = getenv("MAPWRIGHT_POINTS");
	MW_UNUSED(state);
	for (size_t i = 0; i < MW_COUNTOF(maps); i++) {
		level l = {.brushes = 0};
		mw_rng r;
		double mean;
		uint32_t most;
		compile(&l, maps[i]);
		mw_rng_init(&r, i, "probe");
		int points = more ? atoi(more) : 400;
		for (int k = 0; k < points; k++) {
			mw_vec3 p = probe(&l, &r, k);
			assert_int_equal(mw_level_contents(&l.q, &p, NULL), by_all(&l, &p));
		}
		mw_level_query_cost(&l.q, 20000, &mean, &most);
		assert_true(mean <= 8);
		assert_true(most <= 40);
		assert_true(l.h.level.depth <= 40);
		mw_level_query_free(&l.cx, &l.q);
		mw_hmap_free(&l.cx, &l.h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_of_real_levels_are_classified_as_by_every_brush),
	};
	return cmocka_run_group_tests_name("level corpus", tests, NULL, NULL);
}

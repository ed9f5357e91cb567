/* Random levels, compiled as a file is: turned, sliver, micro and near-parallel brushes by the
 * thousand. MAPWRIGHT_SOUPS: how many levels. */
#include "geom/soup.h"
#include "support/level_judge.h"
#include "support/test.h"

#include "format/hmap/hmap.h"

#define SOUPS 60

static void compile(mw_ctx *cx, mw_hmap *h, mw_rng *r, int n)
{
	mw_scene s;
	mw_brushes b = {0};
	assert_ok(cx, mw_scene_init(cx, &s, NULL));
	for (int i = 0; i < n; i++)
		assert_ok(cx, add_any_body(cx, s.planes, &b, r));
	for (size_t i = 0; i < b.brush.n; i++) {
		mw_side *side = b.side.v + b.brush.v[i].first;
		for (uint32_t k = 0; k < b.brush.v[i].count; k++) {
			mw_face_info face = mw_face_default();
			assert_ok(cx, mw_scene_add_face(cx, &s, &face, &side[k].tag));
		}
		assert_ok(cx,
			mw_scene_add_brush(cx, &s, side, b.brush.v[i].count,
				1u << mw_rng_below(r, 3), NULL, NULL));
	}
	mw_brushes_free(cx, &b);
	assert_ok(cx, mw_hmap_from_scene(cx, h, &s, NULL));
	assert_ok(cx, mw_hmap_compile(cx, h, NULL, NULL));
	mw_scene_free(cx, &s);
}

typedef struct {
	uint32_t soups, solids, deepest, worst, wrong, rays, hits, wrong_rays, grazing;
	uint64_t points;
	double mean, apart; /* most of each */
} sums;

/* How crowded: a few brushes in the way of each other, or a room full of them. */
static void one_soup(sums *sum, uint32_t number)
{
	char name[32];
	mw_ctx cx;
	mw_hmap h;
	mw_level_query q;
	mw_rng r;
	judge j;
	(void)mw_format(name, sizeof name, "soup %u", number);
	mw_ctx_init(&cx);
	mw_hmap_init(&h, &cx);
	mw_rng_init(&r, number, "soup");
	compile(&cx, &h, &r, 1 + (int)mw_rng_below(&r, 60));
	assert_ok(&cx, mw_level_check(&cx, &h.level));
	assert_ok(&cx, mw_level_query_init(&cx, &q, &h.level));
	judge_init(&j, name, &h.level, &q);
	if (h.level.tree_solids) {
		judge_random(&j, 400);
		judge_planes(&j, 4000);
		judge_sweeps(&j, 40);
	}
	sum->soups++;
	sum->solids += h.level.tree_solids;
	sum->points += j.random + j.near;
	sum->wrong += j.wrong;
	sum->rays += j.rays;
	sum->hits += j.hits;
	sum->wrong_rays += j.wrong_rays;
	sum->grazing += j.grazing;
	sum->worst = j.worst > sum->worst ? j.worst : sum->worst;
	sum->deepest = h.level.depth > sum->deepest ? h.level.depth : sum->deepest;
	sum->mean = fmax(sum->mean, judge_mean(&j));
	sum->apart = fmax(sum->apart, j.apart);
	judge_free(&j);
	mw_level_query_free(&cx, &q);
	mw_hmap_free(&cx, &h);
}

static void random_levels_answer_as_by_every_brush(void **state)
{
	const char *more = getenv("MAPWRIGHT_SOUPS");
	uint32_t n = more ? (uint32_t)atoi(more) : SOUPS;
	sums s = {0};
	MW_UNUSED(state);
	for (uint32_t i = 0; i < n; i++)
		one_soup(&s, i);
	print_message("# %u levels, %u solids: %llu points, %u wrong; brushes a query: mean of a "
		      "level at most %.2f, worst %u; depth at most %u\n",
		s.soups, s.solids, (unsigned long long)s.points, s.wrong, s.mean, s.worst,
		s.deepest);
	print_message("# %u sweeps, %u hits, %u wrong, %u grazing, %.1e apart at most\n", s.rays,
		s.hits, s.wrong_rays, s.grazing, s.apart);
	assert_true(s.wrong == 0 && s.wrong_rays == 0);
	assert_true(s.mean <= 8 && s.worst <= 40 && s.deepest <= 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_levels_answer_as_by_every_brush),
	};
	return cmocka_run_group_tests_name("level soup", tests, NULL, NULL);
}

#include "support/oom.h"
#include "support/test.h"

#include "geom/soup.h"

#include "geom/bsp.h"
#include "geom/csg.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_planes t;
	mw_arena arena;
	mw_brushes b;
	mw_solid *solid;
	mw_bsp bsp;
} fix;

static int up(void **state)
{
	static fix f;
	memset(&f, 0, sizeof f);
	mw_ctx_init(&f.cx);
	mw_arena_init(&f.arena, &f.cx);
	*state = &f;
	return mw_planes_init(&f.cx, &f.t);
}

static int down(void **state)
{
	fix *f = *state;
	mw_bsp_free(&f->cx, &f->bsp);
	mw_brushes_free(&f->cx, &f->b);
	mw_arena_free(&f->arena);
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

static void build(fix *f, const mw_bsp_options *o)
{
	mw_bsp_free(&f->cx, &f->bsp);
	f->solid = mw_arena_alloc(&f->arena, (f->b.brush.n + 1) * sizeof *f->solid);
	assert_ok(&f->cx, mw_solids_make(&f->arena, &f->t, &f->b, f->solid, NULL));
	assert_ok(&f->cx, mw_bsp_build(&f->cx, &f->t, &f->b, f->solid, o, &f->bsp));
}

static uint32_t by_force(const fix *f, const mw_vec3 *p)
{
	uint32_t c = 0;
	for (uint32_t i = 0; i < f->b.brush.n; i++)
		if (f->solid[i].n && mw_brush_contains(&f->t, &f->b, i, p))
			c |= f->b.brush.v[i].contents;
	return c;
}

typedef struct {
	double mean;
	uint32_t worst;
} cost;

/* Random points, and points on and within a hair of corners, edges and faces. */
static cost agrees_everywhere(const fix *f, mw_rng *r, int n)
{
	cost c = {0, 0};
	mw_vec3 size = mw_sub3(f->bsp.box.max, f->bsp.box.min);
	for (int i = 0; i < n; i++) {
		mw_vec3 p;
		for (int k = 0; k < 3; k++)
			p.v[k] = f->bsp.box.min.v[k] + (mw_rng_unit(r) * 1.1 - 0.05) * size.v[k];
		const mw_solid *s = &f->solid[mw_rng_below(r, f->b.brush.n)];
		if (i & 1 && s->n) {
			const mw_poly *g = &s->face[mw_rng_below(r, s->n)];
			uint32_t at = (uint32_t)mw_rng_below(r, g->n);
			mw_vec3 a = g->v[at].at, b = g->v[(at + 1) % g->n].at;
			double w = (double)mw_rng_below(r, 3) / 2;
			p = mw_along3(a, mw_sub3(b, a), w);
			if (i & 2)
				p = mw_along3(p, mw_sub3(mw_poly_centre(g), p), 0.5);
			if (i & 4)
				for (int k = 0; k < 3; k++)
					p.v[k] += (mw_rng_unit(r) - 0.5) * 1e-9;
		}
		uint32_t tested;
		assert_int_equal(
			mw_bsp_contents(&f->t, &f->b, &f->bsp, &p, &tested), by_force(f, &p));
		/* the mean is that of points anywhere, the worst that of all */
		c.mean += i & 1 ? 0 : tested;
		c.worst = tested > c.worst ? tested : c.worst;
	}
	c.mean /= n / 2;
	return c;
}

static uint32_t depth_below(const mw_bsp *b, int32_t link)
{
	if (link < 0)
		return 0;
	uint32_t f = depth_below(b, b->node.v[link].child[0]);
	uint32_t k = depth_below(b, b->node.v[link].child[1]);
	return 1 + (f > k ? f : k);
}

static void leaves_are_well_formed(const fix *f)
{
	assert_int_equal(f->bsp.leaf.v[0].count, 0);
	for (size_t i = 0; i < f->bsp.node.n; i++)
		for (int k = 0; k < 2; k++) {
			int32_t c = f->bsp.node.v[i].child[k];
			assert_true(c >= 0 ? c > (int32_t)i && (size_t)c < f->bsp.node.n
					   : (size_t)~c < f->bsp.leaf.n);
		}
	for (size_t i = 0; i < f->bsp.leaf.n; i++) {
		const mw_bsp_leaf *l = &f->bsp.leaf.v[i];
		assert_true(i == 0 || l->count > 0);
		assert_true(l->first + l->count <= f->bsp.item.n);
		for (uint32_t k = 2; k < l->count; k++)
			assert_true(f->bsp.item.v[l->first + k - 1] < f->bsp.item.v[l->first + k]);
	}
	assert_int_equal(depth_below(&f->bsp, f->bsp.root), f->bsp.depth);
	assert_true(f->bsp.depth <= 40);
}

static void an_empty_list_is_one_empty_leaf(void **state)
{
	fix *f = *state;
	build(f, NULL);
	mw_vec3 p = mw_v3(0, 0, 0);
	assert_int_equal(f->bsp.root, -1);
	assert_int_equal(f->bsp.depth, 0);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &p, NULL), 0);
	mw_sweep s = {.from = p, .to = mw_v3(9, 9, 9), .mask = 1};
	mw_sweep_hit hit;
	assert_false(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &hit));
	assert_true(hit.t == 1 && hit.brush == MW_TAG_NONE);
}

static void random_soups_classify_as_by_testing_every_brush(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 31, "bsp");
	const char *more = getenv("MAPWRIGHT_SOUPS");
	int rounds = more ? atoi(more) : 200;
	uint32_t worst = 0, depth = 0;
	for (int round = 0; round < rounds; round++) {
		/* planes of 50 soups stay: new ones meet old numbers */
		if (round % 50 == 49) {
			mw_planes_free(&f->cx, &f->t);
			assert_ok(&f->cx, mw_planes_init(&f->cx, &f->t));
		}
		f->b.brush.n = f->b.side.n = 0;
		int n = 1 + (int)mw_rng_below(&r, 60);
		mw_arena_mark mark = mw_arena_get_mark(&f->arena);
		for (int i = 0; i < n; i++) {
			assert_ok(&f->cx, add_any_body(&f->cx, &f->t, &f->b, &r));
			f->b.brush.v[i].contents = 1u << mw_rng_below(&r, 3);
		}
		mw_bsp_options o = {
			.leaf_size = 1 + (uint32_t)mw_rng_below(&r, 6), .drop_covered = round & 1};
		build(f, &o);
		leaves_are_well_formed(f);
		cost c = agrees_everywhere(f, &r, 500);
		assert_true(c.mean <= 8 && c.worst <= 40);
		worst = c.worst > worst ? c.worst : worst;
		depth = f->bsp.depth > depth ? f->bsp.depth : depth;
		mw_arena_reset(&f->arena, mark);
	}
	print_message("# %d soups of up to 60 brushes, 500 points each: 0 wrong; brushes a query: "
		      "worst %u; depth at most %u\n",
		rounds, worst, depth);
}

static void a_grid_of_rooms_needs_few_tests_and_a_shallow_tree(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 32, "bsp");
	/* 10 x 10 x 4 rooms of six walls each, walls shared and overlapping at corners */
	for (int i = 0; i < 400; i++) {
		double x = i % 10 * 128, y = i / 10 % 10 * 128, z = i / 100 * 128;
		for (int w = 0; w < 6; w++) {
			double lo[3] = {x, y, z}, hi[3] = {x + 128, y + 128, z + 128};
			if (w & 1)
				lo[w / 2] = hi[w / 2] - 8;
			else
				hi[w / 2] = lo[w / 2] + 8;
			assert_ok(&f->cx,
				add_box(&f->cx, &f->t, &f->b, lo[0], lo[1], lo[2], hi[0], hi[1],
					hi[2]));
		}
	}
	build(f, NULL);
	leaves_are_well_formed(f);
	cost c = agrees_everywhere(f, &r, 3000);
	assert_true(c.mean <= 4 && c.worst <= 12);
	assert_true(f->bsp.item.n < 4 * f->b.brush.n);
}

static void a_fan_of_60_walls_through_one_line_stays_usable(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 33, "bsp");
	for (int k = 0; k < 60; k++) {
		double a = 3.14159265358979323846 * k / 60;
		mw_vec3 u = mw_v3(cos(a), sin(a), 0), v = mw_v3(-sin(a), cos(a), 0);
		mw_vec3 n[6] = {
			u, mw_scale3(u, -1), v, mw_scale3(v, -1), mw_v3(0, 0, 1), mw_v3(0, 0, -1)};
		double d[6] = {400, 400, 1, 1, 64, 0};
		mw_side side[6];
		for (uint32_t i = 0; i < 6; i++) {
			side[i].tag = i;
			assert_ok(&f->cx, mw_planes_add(&f->cx, &f->t, &side[i].plane, n[i], d[i]));
		}
		assert_ok(&f->cx, mw_brushes_add(&f->cx, &f->b, side, 6, 1, 0));
	}
	build(f, NULL);
	leaves_are_well_formed(f);
	mw_vec3 in = mw_v3(0, 0, 32), out = mw_v3(200, 5, 32), above = mw_v3(0, 0, 100);
	mw_vec3 end = mw_v3(399, 0, 32);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &in, NULL), 1);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &out, NULL), 0);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &above, NULL), 0);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &end, NULL), 1);
	cost c = agrees_everywhere(f, &r, 3000);
	assert_true(c.mean <= 8 && c.worst <= 40);
}

static void a_micro_brush_does_not_make_its_room_solid(void **state)
{
	fix *f = *state;
	for (int w = 0; w < 6; w++) {
		double lo[3] = {0, 0, 0}, hi[3] = {256, 256, 256};
		if (w & 1)
			lo[w / 2] = 240;
		else
			hi[w / 2] = 16;
		assert_ok(&f->cx,
			add_box(&f->cx, &f->t, &f->b, lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]));
	}
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 128, 128, 24, 128.001, 128.001, 24.001));
	mw_bsp_options o = {.leaf_size = 1};
	build(f, &o);
	mw_vec3 p = mw_v3(96, 96, 24), q = mw_v3(128.0005, 128.0005, 24.0005);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &p, NULL), 0);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &q, NULL), 1);
	assert_int_equal(mw_bsp_brush_at(&f->t, &f->b, &f->bsp, &q), 6);
}

static void contents_of_overlapping_brushes_add_up(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 0, 0, 0, 64, 64, 64));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 32, 0, 0, 96, 64, 64));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 0, 0, 0, 96, 64, 64));
	f->b.brush.v[0].contents = MW_CONTENTS_SOLID;
	f->b.brush.v[1].contents = MW_CONTENTS_WATER;
	f->b.brush.v[2].contents = 0; /* drawn only: not in the tree */
	mw_bsp_options o = {.leaf_size = 1, .drop_covered = true};
	build(f, &o);
	mw_vec3 a = mw_v3(1, 1, 1), ab = mw_v3(40, 1, 1), b = mw_v3(90, 1, 1);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &a, NULL), 1);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &ab, NULL), 3);
	assert_int_equal(mw_bsp_contents(&f->t, &f->b, &f->bsp, &b, NULL), 2);
}

/* ---- rays and boxes -------------------------------------------------------------------------- */

static void a_ray_names_the_face_and_the_distance(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 10, -8, -8, 20, 8, 8));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 30, -8, -8, 40, 8, 8));
	build(f, NULL);
	mw_sweep s = {.from = mw_v3(0, 0, 0), .to = mw_v3(40, 0, 0), .mask = 1};
	mw_sweep_hit h;
	assert_true(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &h));
	assert_true(h.t == 0.25 && h.brush == 0 && !h.inside);
	assert_true(mw_planes_get(&f->t, h.plane).n.x == -1);
	s.half = mw_v3(2, 2, 2);
	assert_true(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &h));
	assert_true(h.t == 0.2);
	s.from = mw_v3(25, 0, 0);
	assert_true(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &h));
	assert_true(fabs(h.t - 0.2) < 1e-15 && h.brush == 1); /* 25 + 2 + 3 = 30 */
	s.from = mw_v3(15, 0, 0);
	assert_true(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &h));
	assert_true(h.t == 0 && h.brush == 0 && h.inside && h.plane == MW_PLANE_NONE);
	/* sliding along a face is no hit, nor is leaving it */
	s = (mw_sweep){.from = mw_v3(0, 8, 0), .to = mw_v3(40, 8, 0), .mask = 1};
	assert_false(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &h));
	s = (mw_sweep){.from = mw_v3(20, 0, 0), .to = mw_v3(25, 0, 0), .mask = 1};
	assert_false(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &h));
	s.mask = 2;
	s.to = mw_v3(0, 0, 0);
	assert_false(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &h));
}

static void rays_and_boxes_hit_what_testing_every_brush_says(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 34, "bsp");
	int hits = 0, inside = 0;
	for (int round = 0; round < 30; round++) {
		f->b.brush.n = f->b.side.n = 0;
		for (int i = 0; i < 40; i++)
			assert_ok(&f->cx, add_body(&f->cx, &f->t, &f->b, &r, i % 6));
		/* closed ones only, with bevels: brute force looks at all of the list */
		mw_brushes closed = {0};
		build(f, NULL);
		for (uint32_t i = 0; i < f->b.brush.n; i++)
			if (f->solid[i].n)
				assert_ok(&f->cx,
					mw_solid_bevel(&f->cx, &f->t, &f->solid[i], MW_BEVEL_EDGE,
						1u + (i & 1), 0, &closed));
		mw_brushes_free(&f->cx, &f->b);
		f->b = closed;
		mw_bsp_options o = {.leaf_size = 1 + (uint32_t)round % 5};
		build(f, &o);
		for (int i = 0; i < 400; i++) {
			mw_sweep s = {.mask = 1u + (uint32_t)mw_rng_below(&r, 3)};
			for (int k = 0; k < 3; k++) {
				s.from.v[k] = mw_rng_unit(&r) * 240 - 120;
				s.to.v[k] = i & 1 ? mw_rng_unit(&r) * 240 - 120
						  : rint(mw_rng_unit(&r) * 30 - 15) * 8;
				if (i & 2)
					s.from.v[k] = rint(s.from.v[k] / 8) * 8;
				if (i & 4)
					s.half.v[k] = mw_rng_unit(&r) * 10;
			}
			if (i % 5 == 0)
				s.to.v[i % 3] = s.from.v[i % 3];
			mw_sweep_hit a, b;
			bool got = mw_bsp_sweep(&f->t, &f->b, &f->bsp, &s, &a);
			assert_int_equal(got, mw_brushes_sweep(&f->t, &f->b, &s, &b));
			assert_int_equal(a.brush, b.brush);
			assert_true(a.t == b.t && a.plane == b.plane && a.inside == b.inside);
			hits += got;
			inside += a.inside;
		}
	}
	assert_true(hits > 3000 && inside > 300 && hits > inside + 1000);
}

/* A box sweep is a point swept against the sum of brush and box: where the hit says it stands, the
 * box touches the brush, and just before it does not. */
static void a_swept_box_stops_where_it_touches(void **state)
{
	fix *f = *state;
	mw_rng r;
	mw_rng_init(&r, 35, "bsp");
	int checked = 0;
	for (int round = 0; round < 60; round++) {
		f->b.brush.n = f->b.side.n = 0;
		mw_brushes one = {0};
		assert_ok(&f->cx, add_body(&f->cx, &f->t, &one, &r, round & 1 ? 1 : 4));
		mw_solid s;
		mw_closure how;
		assert_ok(&f->cx,
			mw_solid_make(
				&f->arena, &f->t, one.side.v, (uint32_t)one.side.n, &s, &how));
		if (how == MW_CLOSED) {
			assert_ok(&f->cx,
				mw_solid_bevel(&f->cx, &f->t, &s, MW_BEVEL_EDGE, 1, 0, &f->b));
			build(f, NULL);
			for (int i = 0; i < 40; i++) {
				mw_sweep w = {.mask = 1, .half = mw_v3(3, 5, 2)};
				for (int k = 0; k < 3; k++) {
					w.from.v[k] = mw_rng_unit(&r) * 300 - 150;
					w.to.v[k] = s.box.min.v[k] / 2 + s.box.max.v[k] / 2;
				}
				mw_sweep_hit h;
				if (!mw_bsp_sweep(&f->t, &f->b, &f->bsp, &w, &h) || h.inside)
					continue;
				for (int side = -1; side <= 1; side += 2) {
					mw_brushes boxes = {0}, meet = {0};
					mw_vec3 c = mw_along3(
						w.from, mw_sub3(w.to, w.from), h.t + side * 1e-6);
					assert_ok(&f->cx,
						add_box(&f->cx, &f->t, &boxes, c.x - 3, c.y - 5,
							c.z - 2, c.x + 3, c.y + 5, c.z + 2));
					assert_ok(&f->cx,
						mw_csg_intersect(
							&f->cx, &f->t, &one, &boxes, &meet));
					assert_int_equal(meet.brush.n, side > 0);
					mw_brushes_free(&f->cx, &boxes);
					mw_brushes_free(&f->cx, &meet);
				}
				checked++;
			}
		}
		mw_brushes_free(&f->cx, &one);
	}
	assert_true(checked > 1000);
}

/* A side that leans by a millionth is none of the box: a wide body would stop a thousandth early.
 */
static void a_side_that_leans_by_a_hair_is_no_side_of_the_box(void **state)
{
	fix *f = *state;
	for (int i = 0; i < 3; i++) {
		static const double lean[] = {1e-6, 1e-9, 1e-13};
		mw_brushes one = {0};
		mw_solid s;
		mw_closure how;
		f->b.brush.n = f->b.side.n = 0;
		assert_ok(&f->cx, add_box(&f->cx, &f->t, &one, 0, 0, 0, 64, 64, 64));
		assert_ok(&f->cx,
			mw_planes_add(
				&f->cx, &f->t, &one.side.v[0].plane, mw_v3(1, lean[i], 0), 64));
		assert_ok(&f->cx, mw_solid_make(&f->arena, &f->t, one.side.v, 6, &s, &how));
		assert_int_equal(how, MW_CLOSED);
		assert_ok(&f->cx, mw_solid_bevel(&f->cx, &f->t, &s, MW_BEVEL_AXIAL, 1, 0, &f->b));
		assert_int_equal(f->b.side.n, 7);
		build(f, NULL);
		mw_sweep w = {.mask = 1,
			.from = mw_v3(164, 32, 32),
			.to = mw_v3(-36, 32, 32),
			.half = mw_v3(16, 1000, 16)};
		mw_sweep_hit h;
		assert_true(mw_bsp_sweep(&f->t, &f->b, &f->bsp, &w, &h));
		/* the edge at x = 64, y = 0 is met 84 of 200 on the way */
		assert_true(fabs(h.t * 200 - 84) < 1e-9);
		mw_brushes_free(&f->cx, &one);
	}
}

static mw_code all_of_it(mw_ctx *cx, void *ud)
{
	MW_UNUSED(ud);
	mw_planes t = {0};
	mw_brushes b = {0};
	mw_arena arena = {0};
	mw_bsp bsp = {0};
	mw_solid s[24];
	mw_rng r;
	mw_rng_init(&r, 6, "oom");
	mw_arena_init(&arena, cx);
	mw_bsp_options o = {.leaf_size = 1};
	mw_code rc = mw_planes_init(cx, &t);
	for (int i = 0; !rc && i < 24; i++)
		rc = add_body(cx, &t, &b, &r, i % 6);
	rc = rc ? rc : mw_solids_make(&arena, &t, &b, s, NULL);
	rc = rc ? rc : mw_bsp_build(cx, &t, &b, s, &o, &bsp);
	mw_bsp_free(cx, &bsp);
	mw_brushes_free(cx, &b);
	mw_arena_free(&arena);
	mw_planes_free(cx, &t);
	return rc;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
	fix *f = *state;
	assert_true(oom_sweep(all_of_it, NULL) > 5);
	mw_bsp_options o = {.leaf_size = 1000};
	assert_fails(&f->cx, mw_bsp_build(&f->cx, &f->t, &f->b, NULL, &o, &f->bsp), MW_ERANGE,
		"leaf size");
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(an_empty_list_is_one_empty_leaf),
		T(random_soups_classify_as_by_testing_every_brush),
		T(a_grid_of_rooms_needs_few_tests_and_a_shallow_tree),
		T(a_fan_of_60_walls_through_one_line_stays_usable),
		T(a_micro_brush_does_not_make_its_room_solid),
		T(contents_of_overlapping_brushes_add_up),
		T(a_ray_names_the_face_and_the_distance),
		T(rays_and_boxes_hit_what_testing_every_brush_says),
		T(a_swept_box_stops_where_it_touches),
		T(a_side_that_leans_by_a_hair_is_no_side_of_the_box),
		T(every_failing_allocation_is_reported_and_leaks_nothing),
	};
	return cmocka_run_group_tests_name("bsp", tests, NULL, NULL);
}

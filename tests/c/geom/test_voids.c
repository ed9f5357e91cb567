#include "support/oom.h"
#include "support/test.h"

#include "geom/soup.h"

#include "geom/voids.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_planes t;
	mw_arena arena;
	mw_brushes b;
	mw_voids v;
	uint32_t *steps, *gate;
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

static void forget(fix *f)
{
	mw_free(&f->cx, f->steps);
	mw_free(&f->cx, f->gate);
	f->steps = f->gate = NULL;
	mw_voids_free(&f->cx, &f->v);
	mw_brushes_free(&f->cx, &f->b);
	mw_arena_free(&f->arena);
	mw_arena_init(&f->arena, &f->cx);
}

static int down(void **state)
{
	fix *f = *state;
	forget(f);
	mw_arena_free(&f->arena);
	mw_planes_free(&f->cx, &f->t);
	return 0;
}

static mw_code build(fix *f)
{
	mw_solid *solid = mw_arena_alloc(&f->arena, (f->b.brush.n + 1) * sizeof *solid);
	if (!solid)
		return MW_ENOMEM;
	mw_code rc = mw_solids_make(&f->arena, &f->t, &f->b, solid, NULL);
	rc = rc ? rc : mw_voids_build(&f->cx, &f->t, solid, (uint32_t)f->b.brush.n, &f->v);
	if (rc)
		return rc;
	f->steps = mw_alloc_n(&f->cx, f->v.cells, sizeof *f->steps);
	f->gate = mw_alloc_n(&f->cx, f->v.cells, sizeof *f->gate);
	if (!f->steps || !f->gate)
		return MW_ENOMEM;
	return mw_voids_flood(&f->cx, &f->v, f->steps, f->gate);
}

/* Gates to the outside; -1: shut in, -2: in a solid. */
static int way_out(const fix *f, double x, double y, double z)
{
	mw_vec3 p = mw_v3(x, y, z);
	uint32_t cell[8], n = mw_voids_at(&f->t, &f->v, &p, 0, cell, 8), best = UINT32_MAX;
	assert_true(n <= 8);
	for (uint32_t i = 0; i < n; i++)
		best = f->steps[cell[i]] < best ? f->steps[cell[i]] : best;
	return n == 0 ? -2 : best == UINT32_MAX ? -1 : (int)best;
}

static mw_code add_shell(fix *f)
{
	mw_code rc = add_box(&f->cx, &f->t, &f->b, 0, 0, 0, 1, 8, 8);
	rc = rc ? rc : add_box(&f->cx, &f->t, &f->b, 7, 0, 0, 8, 8, 8);
	rc = rc ? rc : add_box(&f->cx, &f->t, &f->b, 1, 0, 0, 7, 1, 8);
	rc = rc ? rc : add_box(&f->cx, &f->t, &f->b, 1, 7, 0, 7, 8, 8);
	return rc ? rc : add_box(&f->cx, &f->t, &f->b, 1, 1, 0, 7, 7, 1);
}

static void walls_that_touch_shut_a_room(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, add_shell(f));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 1, 1, 7, 7, 7, 8));
	assert_ok(&f->cx, build(f));
	assert_int_equal(way_out(f, 4, 4, 4), -1);
	assert_int_equal(way_out(f, 1, 4, 4), -1); /* on a wall */
	assert_int_equal(way_out(f, 1, 1, 1), -1); /* in a corner */
	assert_int_equal(way_out(f, 0.5, 4, 4), -2);
	assert_int_equal(way_out(f, 1, 0.5, 4), -2); /* between two walls */
	assert_int_equal(way_out(f, 9, 4, 4), 0);
	assert_int_equal(way_out(f, 8, 4, 4), 0); /* on a wall, from outside */
	assert_int_equal(f->v.cells, 2);
	assert_int_equal(f->v.gate.n, 0);
}

static void the_narrowest_gap_that_doubles_can_say_opens_it(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, add_shell(f));
	/* the lid ends one unit in the last place short of the wall at 7 */
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 1, 1, 7, nextafter(7, 0), 7, 8));
	assert_ok(&f->cx, build(f));
	assert_true(way_out(f, 4, 4, 4) >= 1);
}

static void solids_that_share_an_edge_only_leave_no_way_between_them(void **state)
{
	fix *f = *state;
	/* a square of four bars whose corners touch in edges along z */
	for (int lid = 0; lid < 2; lid++)
		assert_ok(&f->cx,
			add_box(&f->cx, &f->t, &f->b, 0, 0, lid ? 3 : -1, 4, 4, lid ? 4 : 0));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 1, 0, 0, 3, 1, 3));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 1, 3, 0, 3, 4, 3));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 0, 1, 0, 1, 3, 3));
	assert_ok(&f->cx, add_box(&f->cx, &f->t, &f->b, 3, 1, 0, 4, 3, 3));
	assert_ok(&f->cx, build(f));
	assert_int_equal(way_out(f, 2, 2, 1), -1);
	assert_int_equal(way_out(f, 0.5, 0.5, 1), 1);
}

static void nothing_at_all_is_outside(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, build(f));
	assert_int_equal(f->v.cells, 1);
	assert_int_equal(way_out(f, 3, 4, 5), 0);
}

/* ---- against a flood of little cubes --------------------------------------------------------- */

#define N 7

typedef struct {
	bool solid[N][N][N], out[N][N][N];
} cubes;

static void flood(cubes *c)
{
	bool more = true;
	memset(c->out, 0, sizeof c->out);
	while (more) {
		more = false;
		for (int i = 0; i < N * N * N; i++) {
			int p[3] = {i / N / N, i / N % N, i % N};
			bool *out = &c->out[p[0]][p[1]][p[2]];
			if (*out || c->solid[p[0]][p[1]][p[2]])
				continue;
			for (int k = 0; k < 6 && !*out; k++) {
				int q[3] = {p[0], p[1], p[2]};
				q[k / 2] += k & 1 ? -1 : 1;
				*out = q[k / 2] < 0 || q[k / 2] >= N || c->out[q[0]][q[1]][q[2]];
			}
			more = more || *out;
		}
	}
}

/* Random boxes on a lattice, upright and sheared in two ways by whole numbers, which moves no plane
 * by rounding. */
static void what_is_shut_in_is_what_a_flood_of_cubes_says(void **state)
{
	fix *f = *state;
	static cubes c;
	mw_rng r;
	uint32_t shut = 0, open = 0, filled = 0;
	mw_rng_init(&r, 7, "voids");
	for (int round = 0; round < 60; round++) {
		double lean = round % 3 == 1 ? 1 : 0, twist = round % 3 == 2 ? 2 : 0;
		mw_mat m = {{{1, lean, twist, 0}, {0, 1, lean, 0}, {twist, 0, 1, 0}}};
		mw_brushes boxes = {0};
		forget(f);
		memset(&c, 0, sizeof c);
		for (int i = 0; i < 220; i++) {
			int lo[3], hi[3];
			for (int k = 0; k < 3; k++) {
				lo[k] = (int)mw_rng_below(&r, N);
				hi[k] = lo[k] + 1 + (int)mw_rng_below(&r, k == i % 3 ? 3 : 1);
				hi[k] = hi[k] > N ? N : hi[k];
			}
			assert_ok(&f->cx,
				add_box(&f->cx, &f->t, &boxes, lo[0], lo[1], lo[2], hi[0], hi[1],
					hi[2]));
			for (int x = lo[0]; x < hi[0]; x++)
				for (int y = lo[1]; y < hi[1]; y++)
					for (int z = lo[2]; z < hi[2]; z++)
						c.solid[x][y][z] = true;
		}
		assert_ok(&f->cx, mw_brushes_transform(&f->cx, &f->t, &boxes, &m, &f->b));
		mw_brushes_free(&f->cx, &boxes);
		assert_ok(&f->cx, build(f));
		flood(&c);
		for (int i = 0; i < N * N * N; i++) {
			int x = i / N / N, y = i / N % N, z = i % N;
			mw_vec3 p = mw_v3(x + 0.5, y + 0.5, z + 0.5);
			p = mw_v3(p.x + lean * p.y + twist * p.z, p.y + lean * p.z,
				p.z + twist * p.x);
			int way = way_out(f, p.x, p.y, p.z);
			if (c.solid[x][y][z]) {
				assert_int_equal(way, -2);
				filled++;
			} else if (c.out[x][y][z]) {
				assert_true(way >= 0);
				open++;
			} else {
				assert_int_equal(way, -1);
				shut++;
			}
		}
	}
	print_message("# cubes: %u solid, %u open, %u shut in\n", filled, open, shut);
	assert_true(filled > 1000 && open > 1000 && shut > 100);
}

static bool in_some_brush(const fix *f, const mw_vec3 *p)
{
	for (uint32_t i = 0; i < f->b.brush.n; i++)
		if (mw_brush_contains(&f->t, &f->b, i, p))
			return true;
	return false;
}

/* Soups of turned, near-parallel, sliver and micro brushes in a shell, which has a hole in every
 * second round. */
static void points_that_see_each_other_are_shut_in_alike(void **state)
{
	fix *f = *state;
	mw_rng r;
	uint32_t filled = 0, pairs = 0, shut = 0, open = 0;
	mw_rng_init(&r, 11, "voids that see");
	for (int round = 0; round < 24; round++) {
		enum { POINTS = 100 };
		mw_vec3 p[POINTS];
		int way[POINTS];
		forget(f);
		for (int i = 0; i < 6; i++) {
			double box[6] = {-120, -120, -120, 120, 120, 120};
			box[(i / 2 + (i % 2 ? 0 : 3)) % 6] = i % 2 ? 104 : -104;
			if (i == 0 && round % 2)
				box[5] = 90; /* from there to the lid */
			assert_ok(&f->cx,
				add_box(&f->cx, &f->t, &f->b, box[0], box[1], box[2], box[3],
					box[4], box[5]));
		}
		for (int i = 0; i < 30; i++)
			assert_ok(&f->cx, add_body(&f->cx, &f->t, &f->b, &r, i % 6));
		assert_ok(&f->cx, build(f));
		for (int i = 0; i < POINTS; i++) {
			for (int k = 0; k < 3; k++)
				p[i].v[k] = mw_rng_unit(&r) * 280 - 140;
			way[i] = way_out(f, p[i].x, p[i].y, p[i].z);
			assert_int_equal(way[i] == -2, in_some_brush(f, &p[i]));
			filled += way[i] == -2;
			shut += way[i] == -1;
			open += way[i] >= 0;
		}
		for (int i = 0; i < POINTS; i++)
			for (int k = 0; k < i; k++) {
				mw_sweep s = {.from = p[i], .to = p[k], .mask = 1};
				mw_sweep_hit hit;
				if (way[i] == -2 || way[k] == -2 ||
					mw_brushes_sweep(&f->t, &f->b, &s, &hit))
					continue;
				assert_int_equal(way[i] == -1, way[k] == -1);
				pairs++;
			}
	}
	print_message("# points: %u in solids, %u shut in, %u open; %u pairs see each other\n",
		filled, shut, open, pairs);
	assert_true(filled > 100 && shut > 100 && open > 100 && pairs > 1000);
}

/* A pillar of many sides must not make a branch of as many levels. */
static void a_round_pillar_is_no_deep_tree(void **state)
{
	fix *f = *state;
	enum { SIDES = 4000 };
	static mw_side side[SIDES + 2];
	for (int i = 0; i < SIDES + 2; i++) {
		double a = 6.283185307179586 * i / SIDES;
		mw_vec3 n = i < SIDES ? mw_v3(cos(a), sin(a), 0) : mw_v3(0, 0, i == SIDES ? 1 : -1);
		assert_ok(&f->cx, mw_planes_add(&f->cx, &f->t, &side[i].plane, n, 100));
		side[i].tag = 0;
	}
	assert_ok(&f->cx, mw_brushes_add(&f->cx, &f->b, side, SIDES + 2, 1, 0));
	assert_ok(&f->cx, build(f));
	assert_int_equal(way_out(f, 0, 0, 0), -2);
	assert_true(way_out(f, 75, 75, 0) >= 0);
}

static mw_code whole(mw_ctx *cx, void *ud)
{
	fix f = {.cx = *cx};
	MW_UNUSED(ud);
	mw_arena_init(&f.arena, &f.cx);
	mw_code rc = mw_planes_init(&f.cx, &f.t);
	rc = rc ? rc : add_shell(&f);
	rc = rc ? rc : add_box(&f.cx, &f.t, &f.b, 1, 1, 7, 6.5, 7, 8);
	rc = rc ? rc : build(&f);
	forget(&f);
	mw_arena_free(&f.arena);
	mw_planes_free(&f.cx, &f.t);
	*cx = f.cx;
	return rc;
}

static void every_refused_allocation_is_reported(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(whole, NULL) > 20);
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(walls_that_touch_shut_a_room),
		T(the_narrowest_gap_that_doubles_can_say_opens_it),
		T(solids_that_share_an_edge_only_leave_no_way_between_them),
		T(nothing_at_all_is_outside),
		T(what_is_shut_in_is_what_a_flood_of_cubes_says),
		T(points_that_see_each_other_are_shut_in_alike),
		T(a_round_pillar_is_no_deep_tree),
		T(every_refused_allocation_is_reported),
	};
	return cmocka_run_group_tests_name("voids", tests, NULL, NULL);
}

#include "support/level_scene.h"
#include "support/oom.h"
#include "support/test.h"

#include "base/pool.h"
#include "base/rng.h"
#include "compile/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_scene s;
	mw_level l;
	mw_level_query q;
} fix;

static int up(void **state)
{
	static fix f;
	memset(&f, 0, sizeof f);
	mw_ctx_init(&f.cx);
	*state = &f;
	return mw_scene_init(&f.cx, &f.s, NULL);
}

static int down(void **state)
{
	fix *f = *state;
	mw_level_query_free(&f->cx, &f->q);
	mw_level_free(&f->cx, &f->l);
	mw_scene_free(&f->cx, &f->s);
	return 0;
}

/* Every directed edge of the model's triangles (by position) has one that runs the other way. */
static size_t unpaired_edges(const mw_level *l, int32_t model, uint8_t source)
{
	typedef struct {
		float a[3], b[3];
	} edge;
	size_t n = 0, open = 0;
	edge *e = malloc((l->index.n + 1) * sizeof *e);
	assert_non_null(e);
	for (size_t i = 0; i < l->batch.n; i++) {
		const mw_level_batch *b = &l->batch.v[i];
		if (b->model != model || b->source != source)
			continue;
		for (uint32_t k = 0; k < b->indices; k++) {
			uint32_t to = k % 3 == 2 ? k - 2 : k + 1;
			uint32_t p = l->index.v[b->first_index + k];
			uint32_t q = l->index.v[b->first_index + to];
			memcpy(e[n].a, l->vertex.v[b->first_vertex + p].pos, sizeof e[n].a);
			memcpy(e[n].b, l->vertex.v[b->first_vertex + q].pos, sizeof e[n].b);
			n++;
		}
	}
	for (size_t i = 0; i < n; i++) {
		int there = 0, back = 0;
		for (size_t k = 0; k < n; k++) {
			there += memcmp(e[k].a, e[i].a, 12) == 0 && memcmp(e[k].b, e[i].b, 12) == 0;
			back += memcmp(e[k].a, e[i].b, 12) == 0 && memcmp(e[k].b, e[i].a, 12) == 0;
		}
		open += there != back;
	}
	free(e);
	return open;
}

static void a_sealed_room_has_watertight_batches(void **state)
{
	fix *f = *state;
	mw_level_notes notes;
	mw_level_options o = mw_level_options_default();
	assert_ok(&f->cx, level_cellar(&f->cx, &f->s));
	for (int bake = 0; bake < 2; bake++) {
		o.bake = bake;
		o.light_grid = 0.75;
		assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, &o, &notes));
		assert_int_equal(unpaired_edges(&f->l, 0, 0), 0);
		assert_int_equal(unpaired_edges(&f->l, 0, 1), 0);
		assert_int_equal(unpaired_edges(&f->l, 1, 0), 0);
		assert_int_equal(notes.cracks, 0);
		assert_int_equal(notes.open + notes.empty + notes.bad_polys, 0);
		assert_int_equal(f->l.model.n, 2);
		assert_int_equal(f->l.hull.n, 1);
		assert_int_equal(f->l.hull.v[0].points, 12);
		assert_ok(&f->cx, mw_level_check(&f->cx, &f->l));
		mw_level_free(&f->cx, &f->l);
	}
}

static void faces_that_are_hidden_are_left_out_unless_asked_for(void **state)
{
	fix *f = *state;
	mw_level_options o = mw_level_options_default();
	for (int i = 0; i < 2; i++)
		assert_ok(&f->cx,
			level_box(&f->cx, &f->s, mw_v3(i, 0, 0), mw_v3(i + 1, 1, 1),
				MW_CONTENTS_SOLID, -1, 0));
	assert_ok(&f->cx, mw_scene_number(&f->cx, &f->s));
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, &o, NULL));
	assert_int_equal(f->l.batch.n, 1);
	assert_int_equal(f->l.batch.v[0].material, -1);
	/* the two halves of four sides are one polygon each */
	size_t few = f->l.index.n;
	mw_level_free(&f->cx, &f->l);
	o.keep_hidden = true;
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, &o, NULL));
	assert_int_equal(few, 10 * 2 * 3);
	assert_int_equal(f->l.index.n, 12 * 2 * 3);
	assert_true(f->l.box[0] == 0.0f && f->l.box[3] == 2.0f && f->l.box[5] == 1.0f);
}

static void what_is_drawn_and_what_collides_depends_on_contents(void **state)
{
	static const uint32_t contents[] = {0, 1, 2, 4, 8, 16};
	fix *f = *state;
	mw_level_options o = mw_level_options_default();
	for (int i = 0; i < 6; i++)
		assert_ok(&f->cx,
			level_box(&f->cx, &f->s, mw_v3(2 * i, 0, 0), mw_v3(2 * i + 1, 1, 1),
				contents[i], i, 0));
	for (int i = 0; i < 6; i++) {
		int32_t m;
		assert_ok(&f->cx, mw_scene_add_material(&f->cx, &f->s, "m", &m));
	}
	assert_ok(&f->cx, mw_scene_number(&f->cx, &f->s));
	o.skip_sky = true;
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, &o, NULL));
	assert_int_equal(f->l.batch.n, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(f->l.batch.v[i].material, i);
	assert_int_equal(f->l.tree_solids, 5);
	assert_int_equal(f->l.model.v[0].solids, 5);
	assert_ok(&f->cx, mw_level_query_init(&f->cx, &f->q, &f->l));
	for (int i = 0; i < 6; i++) {
		mw_vec3 p = mw_v3(2 * i + 0.5, 0.5, 0.5);
		assert_int_equal(mw_level_contents(&f->q, &p, NULL), contents[i]);
	}
}

/* Brushes between float planes in all directions, slivers and near-parallel pairs among them. */
static void add_soup(fix *f, mw_rng *rng, int n)
{
	for (int i = 0; i < n; i++) {
		mw_side side[12];
		uint32_t sides = 0;
		mw_vec3 c =
			mw_v3(mw_rng_unit(rng) * 20, mw_rng_unit(rng) * 20, mw_rng_unit(rng) * 20);
		double size = i % 7 == 0 ? 0.01 : 0.5 + 2 * mw_rng_unit(rng);
		for (int k = 0; k < 8 + i % 4; k++) {
			mw_vec3 v = mw_v3(mw_rng_unit(rng) - 0.5, mw_rng_unit(rng) - 0.5,
				mw_rng_unit(rng) - 0.5);
			if (k < 6 && i % 3)
				v = mw_v3((k == 0) - (k == 1), (k == 2) - (k == 3),
					(k == 4) - (k == 5));
			else if (k == 7 && i % 5 == 0)
				v = mw_v3(1, 1e-4, 0);
			v = mw_unit3(v);
			mw_face_info face = mw_face_default();
			for (int a = 0; a < 3; a++) {
				v.v[a] = mw_single(v.v[a]);
				face.noted[a] = (float)v.v[a];
			}
			double d = mw_single(mw_dot3(v, c) + size * (0.4 + mw_rng_unit(rng)));
			face.noted[3] = (float)d;
			assert_ok(
				&f->cx, mw_scene_add_face(&f->cx, &f->s, &face, &side[sides].tag));
			assert_ok(&f->cx,
				mw_planes_add(&f->cx, f->s.planes, &side[sides].plane, v, d));
			sides++;
		}
		assert_ok(&f->cx,
			mw_scene_add_brush(&f->cx, &f->s, side, sides,
				i % 11 ? MW_CONTENTS_SOLID : MW_CONTENTS_WATER, NULL, NULL));
	}
	assert_ok(&f->cx, mw_scene_number(&f->cx, &f->s));
}

static uint32_t contents_by_all(const fix *f, const mw_vec3 *p)
{
	uint32_t c = 0;
	for (uint32_t i = 0; i < f->q.brushes.brush.n; i++)
		if (mw_brush_contains(&f->q.planes, &f->q.brushes, i, p))
			c |= f->q.brushes.brush.v[i].contents;
	return c;
}

static void points_are_classified_as_by_testing_every_brush(void **state)
{
	fix *f = *state;
	mw_rng rng;
	mw_rng_init(&rng, 7, "points");
	add_soup(f, &rng, 300);
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, NULL, NULL));
	assert_ok(&f->cx, mw_level_query_init(&f->cx, &f->q, &f->l));
	uint64_t solid = 0;
	for (int i = 0; i < 20000; i++) {
		mw_vec3 p = mw_v3(mw_rng_unit(&rng) * 22 - 1, mw_rng_unit(&rng) * 22 - 1,
			mw_rng_unit(&rng) * 22 - 1);
		uint32_t c = mw_level_contents(&f->q, &p, NULL);
		assert_int_equal(c, contents_by_all(f, &p));
		solid += c != 0;
	}
	assert_in_range(solid, 1000, 19000);
	/* on and close to every splitting plane */
	for (size_t i = 0; i < f->l.tree_plane.n; i++)
		for (int k = 0; k < 40; k++) {
			const float *q = f->l.tree_plane.v[i].v;
			mw_vec3 n = mw_v3((double)q[0], (double)q[1], (double)q[2]);
			mw_vec3 p = mw_v3(mw_rng_unit(&rng) * 20, mw_rng_unit(&rng) * 20,
				mw_rng_unit(&rng) * 20);
			double off = (k % 3 - 1) * 1e-7;
			p = mw_along3(p, n, (double)q[3] - mw_dot3(n, p) + off);
			assert_int_equal(
				mw_level_contents(&f->q, &p, NULL), contents_by_all(f, &p));
		}
	double mean;
	uint32_t most;
	mw_level_query_cost(&f->q, 4096, &mean, &most);
	assert_true(mean > 0 && mean < 8 && most <= 40);
	assert_true(f->l.depth <= 40);
}

static void rays_and_boxes_stop_where_brute_force_says(void **state)
{
	fix *f = *state;
	mw_rng rng;
	mw_level_options o = mw_level_options_default();
	mw_rng_init(&rng, 8, "rays");
	add_soup(f, &rng, 200);
	o.bevels = MW_BEVEL_EDGE;
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, &o, NULL));
	assert_ok(&f->cx, mw_level_query_init(&f->cx, &f->q, &f->l));
	int hits = 0;
	for (int i = 0; i < 3000; i++) {
		mw_sweep s = {.mask = MW_CONTENTS_SOLID};
		for (int k = 0; k < 3; k++) {
			s.from.v[k] = mw_rng_unit(&rng) * 24 - 2;
			s.to.v[k] = mw_rng_unit(&rng) * 24 - 2;
			s.half.v[k] = i % 2 ? 0.3 : 0;
		}
		mw_sweep_hit a, b;
		bool hit = mw_level_sweep(&f->q, &s, &a);
		assert_int_equal(hit, mw_brushes_sweep(&f->q.planes, &f->q.brushes, &s, &b));
		assert_int_equal(a.brush, b.brush);
		assert_true(fabs(a.t - b.t) * mw_len3(mw_sub3(s.to, s.from)) < 1e-9);
		hits += hit;
	}
	assert_in_range(hits, 500, 2990);
}

static void bevels_keep_the_whole_brush_behind_them(void **state)
{
	fix *f = *state;
	mw_rng rng;
	mw_level_options o = mw_level_options_default();
	mw_arena arena;
	mw_solid solid;
	mw_closure how;
	mw_rng_init(&rng, 9, "bevels");
	add_soup(f, &rng, 120);
	o.bevels = MW_BEVEL_EDGE;
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, &o, NULL));
	mw_arena_init(&arena, &f->cx);
	for (uint32_t i = 0, at = 0; i < f->s.brush.n; i++) {
		const mw_brush *b = &f->s.brushes.brush.v[i];
		assert_ok(&f->cx,
			mw_solid_make(&arena, f->s.planes, mw_brush_sides(&f->s.brushes, b),
				b->count, &solid, &how));
		if (how != MW_CLOSED)
			continue;
		const mw_level_solid *s = &f->l.solid.v[at++];
		assert_int_equal(s->source, f->s.brush.v[i].id);
		for (uint32_t k = 0; k < s->planes; k++) {
			const float *p = f->l.plane.v[s->first + k].v;
			double most = -HUGE_VAL;
			for (uint32_t c = 0; c < solid.n; c++)
				for (uint32_t v = 0; v < solid.face[c].n; v++) {
					mw_vec3 x = solid.face[c].v[v].at;
					double d = (double)p[0] * x.x + (double)p[1] * x.y +
						(double)p[2] * x.z - (double)p[3];
					most = d > most ? d : most;
					for (int a = 0; a < 3; a++)
						assert_true((double)s->box[a] <= x.v[a] + 1e-9 &&
							(double)s->box[a + 3] >= x.v[a] - 1e-9);
				}
			assert_true(most < 1e-5 && most > -1e-4);
			if (k >= solid.n)
				assert_true(most <= 0);
		}
	}
	mw_arena_free(&arena);
}

static mw_entity light_of(
	fix *f, const char *classname, const char *key, const char *value, mw_level_light *out)
{
	mw_entity e = mw_entity_default();
	uint32_t at;
	e.classname = classname;
	e.origin = mw_v3(1, 2, 3);
	e.angles = mw_v3(30, 90, 0);
	if (key)
		assert_ok(&f->cx, mw_pairs_add(&f->cx, &e.keys, key, value));
	assert_ok(&f->cx, mw_scene_add_entity(&f->cx, &f->s, &e, &at));
	size_t before = f->l.light.n;
	assert_ok(&f->cx, mw_level_lights(&f->cx, &f->l, &f->s));
	*out = f->l.light.v[f->l.light.n - 1];
	MW_UNUSED(before);
	return e;
}

static void lights_are_read_in_all_their_spellings(void **state)
{
	fix *f = *state;
	mw_level_light l;
	f->s.units_per_metre = 2;
	light_of(f, "light_spot", "radius", "6", &l);
	assert_int_equal(l.kind, MW_LIGHT_SPOT);
	assert_true(fabs((double)l.dir[0] + 0.8660254) < 1e-6 &&
		fabs((double)l.dir[1] - 0.5) < 1e-6 && fabs((double)l.dir[2]) < 1e-6);
	assert_true(l.radius == 6.0f && l.outer == 45.0f && l.inner == 36.0f);
	assert_true(l.intensity == 1.0f && l.color[0] == 1.0f && l.pos[1] == 2.0f);
	light_of(f, "light", "light", "450", &l);
	assert_int_equal(l.kind, MW_LIGHT_POINT);
	assert_true(l.intensity == 1.5f && l.radius == 20.0f);
	light_of(f, "light_omni", "_color", "255 128 0", &l);
	assert_true(l.color[0] == 1.0f && l.color[1] == (float)(128 / 255.0));
	light_of(f, "light_environment", "color", "0.5 0.25 1", &l);
	assert_int_equal(l.kind, MW_LIGHT_SUN);
	assert_true(l.color[0] == 0.5f && l.color[1] == 0.25f);
	light_of(f, "light_point", "color", "#ff0080", &l);
	assert_true(l.color[0] == 1.0f && l.color[1] == 0.0f && l.color[2] == (float)(128 / 255.0));
	light_of(f, "light", "color", "#ff", &l);
	assert_true(l.color[1] == 1.0f);
	light_of(f, "light_spot", "spot_angle", "20", &l);
	assert_true(l.outer == 20.0f && l.inner == 16.0f);
	size_t n = f->l.light.n;
	mw_level_free(&f->cx, &f->l);
	mw_entity other = mw_entity_default();
	uint32_t at;
	other.classname = "lightning";
	assert_ok(&f->cx, mw_scene_add_entity(&f->cx, &f->s, &other, &at));
	assert_ok(&f->cx, mw_level_lights(&f->cx, &f->l, &f->s));
	assert_in_range(n, 8, 64);
	assert_int_equal(f->l.light.n, 7);
}

static void lamps_with_numbers_beyond_floats_are_plain_lamps(void **state)
{
	fix *f = *state;
	mw_level_light l;
	light_of(f, "light", "radius", "1e300", &l);
	assert_true(l.radius == 10.0f);
	light_of(f, "light", "light", "-1e60", &l);
	assert_true(l.intensity == 1.0f);
	light_of(f, "light", "_color", "0.5 1e50 0.5", &l);
	assert_true(l.color[0] == 1.0f && l.color[1] == 1.0f);
	light_of(f, "light_spot", "angle", "1e39", &l);
	assert_true(l.outer == 45.0f && l.inner == 36.0f);
	light_of(f, "light", "radius", "3e38", &l);
	assert_true(l.radius == 3e38f);
}

/* Colours of all vertices of a model at a place with a normal; at least one must be there. */
static uint32_t color_at(const mw_level *l, float x, float y, float z, float ny)
{
	for (size_t i = 0; i < l->vertex.n; i++) {
		const mw_level_vertex *v = &l->vertex.v[i];
		if (v->pos[0] == x && v->pos[1] == y && v->pos[2] == z && v->normal[1] == ny)
			return v->color;
	}
	fail_msg("no vertex at %g %g %g", (double)x, (double)y, (double)z);
	return 0;
}

static void baked_light_is_what_a_hand_calculation_gives(void **state)
{
	fix *f = *state;
	mw_level_options o = mw_level_options_default();
	mw_pool *pool = NULL;
	assert_ok(&f->cx, level_cellar(&f->cx, &f->s));
	o.bake = true;
	o.light_grid = 0.5;
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, &o, NULL));
	assert_int_equal(f->l.baked, 1);
	/* light at (1.5, 2.5, 4.5), radius 12; floor at y = 0.5: (1.5, 0.5, 4.5) lies straight
	 * below it, d = 2: ambient + (1 - 4/144)^2 = 0.125 + 0.945216 > 1 */
	assert_int_equal(color_at(&f->l, 1.5f, 0.5f, 4.5f, 1.0f), 0xffffffffu);
	/* (2.5, 0.5, 8.5): to the light (-1, 2, -4), d2 = 21, cos = 2 / sqrt(21) = 0.436436;
	 * (1 - 21/144)^2 = 0.729601; 0.125 + 0.318424 = 0.443424 -> 113 */
	assert_int_equal(color_at(&f->l, 2.5f, 0.5f, 8.5f, 1.0f), 0xff717171u);
	/* behind the pillar (4..5): only the ambient 0.125 -> 32 */
	assert_int_equal(color_at(&f->l, 7.0f, 0.5f, 4.5f, 1.0f), 0xff202020u);
	assert_int_equal(color_at(&f->l, 8.0f, 0.5f, 4.5f, 1.0f), 0xff202020u);
	/* beside the shadow: (7, 0.5, 1): to the light (-5.5, 2, 3.5), d2 = 46.5,
	 * cos = 2 / 6.81909 = 0.293294; (1 - 46.5/144)^2 = 0.458442; 0.125 + 0.134458 -> 66 */
	assert_int_equal(color_at(&f->l, 7.0f, 0.5f, 1.0f, 1.0f), 0xff424242u);
	/* any number of threads */
	mw_level again = {0};
	f->cx.pool = pool = mw_pool_new(&f->cx, 3);
	assert_non_null(pool);
	assert_ok(&f->cx, mw_level_compile(&f->cx, &again, &f->s, &o, NULL));
	assert_int_equal(again.vertex.n, f->l.vertex.n);
	assert_memory_equal(again.vertex.v, f->l.vertex.v, again.vertex.n * sizeof *again.vertex.v);
	mw_level_free(&f->cx, &again);
	f->cx.pool = NULL;
	mw_pool_free(pool);
}

static void a_spot_lights_its_cone_and_a_sun_all_that_faces_it(void **state)
{
	mw_level_light spot = {.kind = MW_LIGHT_SPOT,
		.pos = {0, 4, 0},
		.dir = {0, -1, 0},
		.color = {1, 0.5f, 0},
		.intensity = 1,
		.radius = 8,
		.inner = 30,
		.outer = 60};
	mw_level_light sun = {
		.kind = MW_LIGHT_SUN, .dir = {0, -1, 0}, .color = {1, 1, 1}, .intensity = 0.5f};
	const double up_[3] = {0, 1, 0}, below[3] = {0, 0, 0}, far[3] = {9, 0, 0};
	double c[3] = {0, 0, 0};
	MW_UNUSED(state);
	mw_light_at(&spot, below, up_, c);
	assert_true(fabs(c[0] - 0.5625) < 1e-12 && fabs(c[1] - 0.28125) < 1e-12 && c[2] == 0);
	/* at 45 degrees: cosines 0.707 between 0.866 and 0.5, smooth step of 0.56583 */
	const double aside[3] = {4, 0, 0};
	double t = (sqrt(0.5) - 0.5) / (sqrt(0.75) - 0.5);
	c[0] = 0;
	mw_light_at(&spot, aside, up_, c);
	assert_true(fabs(c[0] - 0.25 * sqrt(0.5) * t * t * (3 - 2 * t)) < 1e-12);
	c[0] = 0;
	mw_light_at(&spot, far, up_, c);
	assert_true(c[0] == 0);
	mw_light_at(&sun, far, up_, c);
	assert_true(c[0] == 0.5);
}

static void open_and_empty_brushes_are_left_out_and_counted(void **state)
{
	fix *f = *state;
	mw_level_notes notes;
	mw_side side[6];
	assert_ok(&f->cx, level_box(&f->cx, &f->s, mw_v3(0, 0, 0), mw_v3(1, 1, 1), 1, -1, 0));
	memcpy(side, f->s.brushes.side.v, sizeof side);
	assert_ok(&f->cx, mw_scene_add_brush(&f->cx, &f->s, side, 5, 1, NULL, NULL));
	assert_ok(&f->cx, mw_planes_add(&f->cx, f->s.planes, &side[5].plane, mw_v3(1, 0, 0), -5));
	for (int i = 0; i < 5; i++)
		side[i] = f->s.brushes.side.v[i];
	assert_ok(&f->cx, mw_scene_add_brush(&f->cx, &f->s, side, 6, 1, NULL, NULL));
	assert_ok(&f->cx, mw_scene_number(&f->cx, &f->s));
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, NULL, &notes));
	assert_int_equal(notes.open + notes.empty, 2);
	assert_int_equal(f->l.tree_solids, 1);
}

static void planes_that_floats_cannot_hold_are_refused(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, level_box(&f->cx, &f->s, mw_v3(0.1, 0, 0), mw_v3(1, 1, 1), 1, -1, 0));
	assert_ok(&f->cx, mw_scene_number(&f->cx, &f->s));
	assert_fails(
		&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, NULL, NULL), MW_EINVALID, "float32");
}

static void all_numbers_are_floats(const float *v, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(v[i]) || (v[i] == 0.0f && signbit(v[i])))
			fail_msg("%s: number %zu is %g", what, i, (double)v[i]);
}

static void tiny_and_huge_numbers_leave_neither_minus_0_nor_infinity(void **state)
{
	fix *f = *state;
	mw_level_options o = mw_level_options_default();
	mw_entity sun = mw_entity_default();
	mw_side side[6];
	uint32_t at, mesh;
	/* planes and corners a hair below 0, pictures of no size */
	assert_ok(&f->cx, level_box(&f->cx, &f->s, mw_v3(-4, -4, -4), mw_v3(0, 0, 0), 1, -1, 0));
	memcpy(side, f->s.brushes.side.v, sizeof side);
	for (int i = 0; i < 6; i++) {
		mw_face_info face = mw_face_default();
		face.set.scale[0] = 1e-44;
		face.set.scale[1] = -1e-44;
		face.set.offset[0] = -1e-60;
		assert_ok(&f->cx, mw_scene_add_face(&f->cx, &f->s, &face, &side[i].tag));
	}
	assert_ok(&f->cx, mw_scene_add_brush(&f->cx, &f->s, side, 6, 2, NULL, NULL));
	assert_ok(&f->cx, mw_scene_add_mesh(&f->cx, &f->s, "hair", &mesh));
	static const mw_vec3 corner[3] = {{{-1e-60, 0, 0}}, {{1, -1e-70, 0}}, {{0, 1, -1e-50}}};
	static const mw_vec2 uv[3] = {{{-1e-60, 1e300}}, {{-1e300, 0}}, {{0, -1e-60}}};
	static const uint32_t tri[3] = {0, 1, 2};
	for (int i = 0; i < 3; i++)
		assert_ok(&f->cx, mw_scene_mesh_vertex(&f->cx, &f->s.mesh.v[mesh], corner[i]));
	assert_ok(&f->cx, mw_scene_mesh_poly(&f->cx, &f->s.mesh.v[mesh], tri, uv, 3, -1, 0, NULL));
	sun.classname = "light_sun";
	sun.origin = mw_v3(-1e-60, 0, 0);
	sun.angles = mw_v3(-90, 180, 0);
	assert_ok(&f->cx, mw_scene_add_entity(&f->cx, &f->s, &sun, &at));
	assert_ok(&f->cx, mw_scene_number(&f->cx, &f->s));
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, &o, NULL));
	const mw_level *l = &f->l;
	assert_true(l->vertex.n >= 3 && l->plane.n >= 6 && l->light.n == 1 && l->point.n == 3);
	for (size_t i = 0; i < l->vertex.n; i++) {
		all_numbers_are_floats(l->vertex.v[i].pos, 3, "corner");
		all_numbers_are_floats(l->vertex.v[i].normal, 3, "normal");
		all_numbers_are_floats(l->vertex.v[i].uv, 2, "texture coordinate");
	}
	for (size_t i = 0; i < l->plane.n; i++)
		all_numbers_are_floats(l->plane.v[i].v, 4, "plane");
	for (size_t i = 0; i < l->tree_plane.n; i++)
		all_numbers_are_floats(l->tree_plane.v[i].v, 4, "tree plane");
	for (size_t i = 0; i < l->point.n; i++)
		all_numbers_are_floats(l->point.v[i].v, 3, "mesh point");
	for (size_t i = 0; i < l->solid.n; i++)
		all_numbers_are_floats(l->solid.v[i].box, 6, "box");
	all_numbers_are_floats(l->hull.v[0].box, 6, "box of the mesh");
	all_numbers_are_floats(l->light.v[0].pos, 3, "light");
	all_numbers_are_floats(l->light.v[0].dir, 3, "its direction");
	all_numbers_are_floats(l->box, 6, "bounds");
}

static void an_empty_level_has_a_tree_of_one_empty_leaf(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, mw_level_compile(&f->cx, &f->l, &f->s, NULL, NULL));
	assert_int_equal(f->l.root, -1);
	assert_int_equal(f->l.leaf.n, 1);
	assert_int_equal(f->l.leaf.v[0].count, 0);
	assert_int_equal(f->l.model.n, 1);
	for (int i = 0; i < 6; i++)
		assert_true(f->l.box[i] == 0.0f && f->l.tree_box[i] == 0.0f);
	assert_ok(&f->cx, mw_level_check(&f->cx, &f->l));
	assert_ok(&f->cx, mw_level_query_init(&f->cx, &f->q, &f->l));
	mw_vec3 p = mw_v3(0, 0, 0);
	assert_int_equal(mw_level_contents(&f->q, &p, NULL), 0);
}

/* Peak memory of compiling a floor with n doors, each an entity with a brush. */
static size_t peak_of_doors(int n)
{
	mw_mem_meter meter = {0};
	mw_ctx cx;
	mw_scene s;
	mw_level l = {0};
	mw_ctx_init(&cx);
	cx.alloc = mw_mem_metered;
	cx.alloc_ud = &meter;
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	assert_ok(&cx, level_box(&cx, &s, mw_v3(0, -1, 0), mw_v3(n, 0, 8), 1, -1, 0));
	for (int i = 0; i < n; i++) {
		mw_entity door = mw_entity_default();
		uint32_t e;
		door.classname = "func_door";
		assert_ok(&cx, mw_scene_add_entity(&cx, &s, &door, &e));
		assert_ok(&cx,
			level_box(&cx, &s, mw_v3(i, 0, 0), mw_v3(i + 0.5, 1, 1), 1, -1, e + 1));
	}
	assert_ok(&cx, mw_scene_number(&cx, &s));
	assert_ok(&cx, mw_level_compile(&cx, &l, &s, NULL, NULL));
	assert_int_equal(l.model.n, n + 1);
	mw_level_free(&cx, &l);
	mw_scene_free(&cx, &s);
	return meter.peak;
}

static void memory_grows_with_the_brushes_and_not_with_their_owners_too(void **state)
{
	MW_UNUSED(state);
	assert_true(peak_of_doors(1600) < 6 * peak_of_doors(400));
}

static mw_code whole(mw_ctx *cx, void *ud)
{
	mw_scene s;
	mw_level l = {0};
	mw_level_query q = {0};
	mw_level_options o = mw_level_options_default();
	MW_UNUSED(ud);
	o.bake = true;
	o.light_grid = -1;
	mw_code rc = mw_scene_init(cx, &s, NULL);
	rc = rc ? rc : level_cellar(cx, &s);
	rc = rc ? rc : mw_level_compile(cx, &l, &s, &o, NULL);
	rc = rc ? rc : mw_level_query_init(cx, &q, &l);
	mw_level_query_free(cx, &q);
	mw_level_free(cx, &l);
	mw_scene_free(cx, &s);
	return rc;
}

static void compiling_survives_running_out_of_memory(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(whole, NULL) > 50);
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_sealed_room_has_watertight_batches),
		T(faces_that_are_hidden_are_left_out_unless_asked_for),
		T(what_is_drawn_and_what_collides_depends_on_contents),
		T(points_are_classified_as_by_testing_every_brush),
		T(rays_and_boxes_stop_where_brute_force_says),
		T(bevels_keep_the_whole_brush_behind_them),
		T(lights_are_read_in_all_their_spellings),
		T(lamps_with_numbers_beyond_floats_are_plain_lamps),
		T(baked_light_is_what_a_hand_calculation_gives),
		T(a_spot_lights_its_cone_and_a_sun_all_that_faces_it),
		T(open_and_empty_brushes_are_left_out_and_counted),
		T(planes_that_floats_cannot_hold_are_refused),
		T(tiny_and_huge_numbers_leave_neither_minus_0_nor_infinity),
		T(an_empty_level_has_a_tree_of_one_empty_leaf),
		T(memory_grows_with_the_brushes_and_not_with_their_owners_too),
		T(compiling_survives_running_out_of_memory),
	};
	return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}

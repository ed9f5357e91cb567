#include "format/qmap/qmap.h"

#include "base/fs.h"
#include "support/oom.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static mw_ctx cx;

#define BOX(tex)                                                                                   \
	"{\n( 0 0 96 ) ( 0 0 0 ) ( 0 48 0 ) " tex "\n( 160 48 0 ) ( 160 0 0 ) ( 160 0 96 ) " tex   \
	"\n( 160 0 0 ) ( 0 0 0 ) ( 0 0 96 ) " tex "\n( 0 48 96 ) ( 0 48 0 ) ( 160 48 0 ) " tex     \
	"\n( 0 48 0 ) ( 0 0 0 ) ( 160 0 0 ) " tex "\n( 160 0 96 ) ( 0 0 96 ) ( 0 48 96 ) " tex     \
	"\n}\n"

static const char level[] =
	"{\n\"classname\" \"worldspawn\"\n\"wad\" \"x.wad\"\n\"_hf_units_per_metre\" \"32\"\n"
	"\"_hf_axis_convention\" \"quake\"\n" BOX("stone 1 2 30 0.5 2") BOX("*water 0 0 0 1 1") BOX("clip 0 0 0 1 1") BOX(
		"skip 0 0 0 1 1 1 2 3") "}\n"
					"{\n\"classname\" \"func_group\"\n\"_tb_type\" "
					"\"_tb_layer\"\n\"_tb_name\" \"Upper\"\n"
					"\"_tb_id\" \"7\"\n\"_tb_layer_sort_index\" "
					"\"0\"\n" BOX(
						"wall 0 0 0 1 1") "}\n"
								  "{\n\"classname\" "
								  "\"func_group\"\n\"_tb_"
								  "type\" "
								  "\"_tb_group\"\n\"_tb_"
								  "name\" \"Pillars\"\n"
								  "\"_tb_id\" "
								  "\"3\"\n\"_tb_layer\" "
								  "\"7\"\n" BOX(
									  "wall 0 0 0 1 "
									  "1") "}\n"
									       "{\n\"clas"
									       "sname\" "
									       "\"func_"
									       "group\"\n"
									       "\"colour"
									       "\" "
									       "\"red\""
									       "\n" BOX(
										       "w"
										       "a"
										       "l"
										       "l"
										       " "
										       "0"
										       " "
										       "0"
										       " "
										       "0"
										       " "
										       "1"
										       " "
										       "1") "}\n"
											    "{\n\"c"
											    "lassna"
											    "me\" "
											    "\"func"
											    "_detai"
											    "l\""
											    "\n" BOX(
												    "wall 0 0 0 1 1") "}\n"
														      "{\n\"classname\" \"info_player_start\"\n\"origin\" \"80 24 24\"\n\"angle\" \"45\"\n}\n"
														      "{\n\"classname\" \"info_null\"\n\"origin\" \"0 0 8.5\"\n\"_tb_group\" \"3\"\n}\n"
														      "{\n\"classname\" \"func_door\"\n\"angle\" \"-2\"\n\"OnOpen\" \"a,b,,0.5,1\"\n"
														      "\"OnOpen\" \"c,d,,0.0,0\"\n" BOX(
															      "door 0 0 0 1 1") "}\n"
																		"{\n\"classname\" \"trigger_once\"\n" BOX(
																			"door 0 0 0 1 1") "}\n"
																					  "{\n\"classname\" \"light\"\n\"origin\" \"1 2 3\"\n\"light\" \"450\"\n\"_color\" \"1 0.5 0\"\n}\n";

static void read_level(mw_qmap *m, const void *bytes, size_t n)
{
	mw_qmap_init(m, &cx);
	assert_ok(&cx, mw_qmap_read(&cx, m, NULL, bytes, n));
}

static void same_text(mw_sv a, const char *b)
{
	if (a.n != strlen(b) || memcmp(a.p, b, a.n) != 0)
		fail_msg("'%.*s' is not '%s'", (int)a.n, a.p, b);
}

static void a_level_becomes_a_scene(void **state)
{
	(void)state;
	mw_qmap m;
	mw_scene s;
	mw_qmap_scene_opts o = {.scene_units_per_metre = 1};
	read_level(&m, level, sizeof level - 1);
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	assert_ok(&cx, mw_qmap_to_scene(&cx, &s, &m, &o, NULL));
	assert_int_equal(s.brushes.brush.n, 10);
	assert_int_equal(s.entity.n, 6);
	assert_int_equal(s.group.n, 4);
	static const uint32_t contents[] = {1, 2, 4, 1, 1, 1, 1, 1, 1, 8};
	static const uint32_t owner[] = {0, 0, 0, 0, 0, 0, 0, 0, 4, 5};
	static const uint32_t group[] = {0, 0, 0, 0, 1, 2, 3, 4, 0, 0};
	for (size_t i = 0; i < 10; i++) {
		assert_int_equal(s.brushes.brush.v[i].contents, contents[i]);
		assert_int_equal(s.brush.v[i].owner, owner[i]);
		assert_int_equal(s.brush.v[i].group, group[i]);
		assert_int_equal(s.brush.v[i].flags, i == 7 ? MW_BRUSH_DETAIL : 0);
	}
	assert_true(s.group.v[0].layer && !s.group.v[1].layer);
	assert_int_equal(s.group.v[1].parent, 1);
	assert_string_equal(s.group.v[1].name, "Pillars");
	/* metres, Y up, north away from us */
	mw_arena arena;
	mw_solid solid;
	mw_closure how;
	mw_arena_init(&arena, &cx);
	assert_ok(&cx, mw_solid_make(&arena, s.planes, s.brushes.side.v, 6, &solid, &how));
	assert_int_equal(how, MW_CLOSED);
	mw_aabb box = mw_aabb_empty();
	for (uint32_t i = 0; i < solid.n; i++)
		for (uint32_t k = 0; k < solid.face[i].n; k++)
			mw_aabb_add(&box, solid.face[i].v[k].at, 0);
	assert_true(mw_eq3(box.min, mw_v3(0, 0, -1.5)) && mw_eq3(box.max, mw_v3(5, 3, 0)));
	mw_arena_free(&arena);
	const mw_entity *e = &s.entity.v[1];
	assert_string_equal(e->classname, "player_start");
	assert_true(mw_eq3(e->origin, mw_v3(2.5, 0.75, -0.75)));
	assert_true(mw_eq3(e->angles, mw_v3(0, -45, 0)));
	assert_int_equal(s.entity.v[2].group, 2);
	assert_true(mw_eq3(s.entity.v[3].angles, mw_v3(-90, 0, 0)));
	assert_string_equal(mw_pairs_get(&s.entity.v[5].keys, "intensity"), "1.5");
	assert_string_equal(mw_pairs_get(&s.entity.v[0].keys, "wad"), "x.wad");
	assert_null(mw_pairs_get(&s.entity.v[0].keys, "_hf_units_per_metre"));
	/* a texel is a 64th of a repeat */
	uint32_t tag = s.brushes.side.v[0].tag;
	assert_string_equal(s.material.v[s.face.v[tag].material].name, "stone");
	assert_true(s.face.v[tag].map.u0 == 1.0 / 64 && s.face.v[tag].map.v0 == 2.0 / 64);
	tag = s.brushes.side.v[18].tag;
	assert_int_equal(s.face.v[tag].flags, MW_FACE_HIDDEN);
	assert_int_equal(s.face.v[tag].material, -1);
	assert_string_equal(s.face.v[tag].texture, "skip");
	assert_true(s.face.v[tag].has_surface && s.face.v[tag].surface[2] == 3);
	mw_scene_free(&cx, &s);
	mw_qmap_free(&cx, &m);
}

static void a_scene_becomes_the_level_again(void **state)
{
	(void)state;
	mw_qmap m, again;
	mw_scene s;
	mw_losses losses = {0};
	mw_qmap_scene_opts in = {.scene_units_per_metre = 1}, out = {0};
	read_level(&m, level, sizeof level - 1);
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	assert_ok(&cx, mw_qmap_to_scene(&cx, &s, &m, &in, NULL));
	mw_qmap_init(&again, &cx);
	assert_ok(&cx, mw_qmap_from_scene(&cx, &again, &s, &out, &losses));
	assert_int_equal(losses.n, 0);
	assert_int_equal(again.entity.n, m.entity.n);
	assert_int_equal(again.brush.n, m.brush.n);
	assert_int_equal(again.face.n, m.face.n);
	for (size_t i = 0; i < m.entity.n; i++) {
		const mw_qmap_entity *a = &m.entity.v[i], *b = &again.entity.v[i];
		/* the two keys of the world are of no use where they say what is usual */
		assert_int_equal(b->pairs, a->pairs - (i == 0 ? 2 : 0));
		assert_int_equal(a->brushes, b->brushes);
		for (uint32_t k = 0; k < b->pairs; k++) {
			const mw_qmap_pair *p = &again.pair.v[b->first_pair + k];
			char key[64];
			snprintf(key, sizeof key, "%.*s", (int)p->key.n, p->key.p);
			mw_sv was = mw_qmap_get(&m, a, key);
			if (strcmp(key, "OnOpen") != 0 && !mw_sv_eq(was, p->value))
				fail_msg("entity %zu: %s was '%.*s', is '%.*s'", i, key, (int)was.n,
					was.p, (int)p->value.n, p->value.p);
		}
	}
	const mw_qmap_entity *door = &again.entity.v[7];
	uint32_t wires = 0;
	for (uint32_t k = 0; k < door->pairs; k++) {
		const mw_qmap_pair *p = &again.pair.v[door->first_pair + k];
		if (mw_sv_eq(p->key, mw_sv_of("OnOpen")))
			same_text(p->value, wires++ ? "c,d,,0.0,0" : "a,b,,0.5,1");
	}
	assert_int_equal(wires, 2);
	for (size_t i = 0; i < m.face.n; i++) {
		for (int c = 0; c < 9; c++)
			assert_true(
				m.face.v[i].p[c / 3].v[c % 3] == again.face.v[i].p[c / 3].v[c % 3]);
		assert_true(mw_sv_eq(m.face.v[i].texture, again.face.v[i].texture));
	}
	assert_int_equal(again.face.v[18].num_extra, 3);
	mw_qmap_free(&cx, &again);
	mw_scene_free(&cx, &s);
	mw_qmap_free(&cx, &m);
}

static void units_and_axes_are_said_where_they_are_unusual(void **state)
{
	(void)state;
	mw_qmap m, again;
	mw_scene s;
	mw_qmap_scene_opts out = {.units_per_metre = 40, .turn = MW_QMAP_TURN_GODOT};
	read_level(&m, level, sizeof level - 1);
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	assert_ok(&cx, mw_qmap_to_scene(&cx, &s, &m, NULL, NULL));
	assert_true(s.units_per_metre == 32);
	mw_qmap_init(&again, &cx);
	assert_ok(&cx, mw_qmap_from_scene(&cx, &again, &s, &out, NULL));
	same_text(mw_qmap_get(&again, &again.entity.v[0], "_hf_units_per_metre"), "40");
	same_text(mw_qmap_get(&again, &again.entity.v[0], "_hf_axis_convention"), "godot");
	same_text(mw_qmap_get(&again, &again.entity.v[5], "origin"), "100 30 -30");
	/* and read back by what it says */
	mw_scene t;
	mw_qmap_scene_opts in = {.scene_units_per_metre = 32};
	assert_ok(&cx, mw_scene_init(&cx, &t, s.planes));
	assert_ok(&cx, mw_qmap_to_scene(&cx, &t, &again, &in, NULL));
	assert_int_equal(t.brushes.side.n, s.brushes.side.n);
	for (size_t i = 0; i < t.brushes.side.n; i++) {
		assert_int_equal(t.brushes.side.v[i].plane, s.brushes.side.v[i].plane);
		mw_plane pl = mw_planes_get(s.planes, s.brushes.side.v[i].plane);
		mw_texmap a = mw_scene_texmap(&s, s.brushes.side.v[i].tag, pl.n);
		mw_texmap b = mw_scene_texmap(&t, t.brushes.side.v[i].tag, pl.n);
		mw_vec2 p = mw_texmap_at(&a, mw_v3(100, 50, -20));
		mw_vec2 q = mw_texmap_at(&b, mw_v3(100, 50, -20));
		assert_true(fabs(p.x - q.x) < 1e-9 && fabs(p.y - q.y) < 1e-9);
	}
	static const double bad[] = {-32, 1e-30, 1e30};
	for (size_t i = 0; i < MW_COUNTOF(bad); i++) {
		mw_qmap_scene_opts wrong = {.units_per_metre = bad[i]};
		mw_scene none;
		assert_ok(&cx, mw_scene_init(&cx, &none, NULL));
		assert_fails(&cx, mw_qmap_to_scene(&cx, &none, &m, &wrong, NULL), MW_ERANGE,
			"units_per_metre");
		mw_scene_free(&cx, &none);
	}
	mw_scene_free(&cx, &t);
	mw_qmap_free(&cx, &again);
	mw_scene_free(&cx, &s);
	mw_qmap_free(&cx, &m);
}

static void planes_without_points_get_some(void **state)
{
	(void)state;
	mw_qmap m;
	mw_scene s;
	mw_losses losses = {0};
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	/* a box turned by 3, 4, 5 and 1, 2, 2: corners are whole or are not */
	static const double n[6][4] = {{3, 4, 0, 100}, {-3, -4, 0, 100}, {4, -3, 0, 50},
		{-4, 3, 0, 50}, {0, 0, 1, 8}, {0, 0, -1, 8}};
	static const double slope[6][4] = {{1, 2, 2, 7}, {-1, -2, -2, 7}, {2, 1, -2, 7},
		{-2, -1, 2, 7}, {2, -2, 1, 7}, {-2, 2, -1, 7}};
	for (int k = 0; k < 2; k++) {
		mw_side side[6];
		for (int i = 0; i < 6; i++) {
			const double *p = k ? slope[i] : n[i];
			side[i].tag = MW_TAG_NONE;
			assert_ok(&cx,
				mw_planes_add(&cx, s.planes, &side[i].plane,
					mw_v3(p[0], p[1], p[2]), p[3]));
		}
		assert_ok(&cx, mw_scene_add_brush(&cx, &s, side, 6, 1, NULL, NULL));
	}
	mw_qmap_init(&m, &cx);
	assert_ok(&cx, mw_qmap_from_scene(&cx, &m, &s, NULL, &losses));
	assert_int_equal(losses.n, 0);
	mw_qmap_solids solids = {0};
	assert_ok(&cx, mw_qmap_build(&cx, &m, &solids, NULL));
	assert_int_equal(solids.open, 0);
	assert_int_equal(solids.closed_faces, 12);
	double want = (40 * 20 * 16 + pow(14.0 / 3, 3)) * pow(32, 3);
	assert_true(fabs(solids.volume - want) < 1e-9 * want);
	mw_qmap_solids_free(&cx, &solids);
	mw_qmap_free(&cx, &m);
	mw_scene_free(&cx, &s);
}

static void patches_become_meshes(void **state)
{
	(void)state;
	static const char text[] =
		"{\n\"classname\" \"worldspawn\"\n{ patchDef2 { p ( 3 3 0 0 0 ) ( "
		"( ( 0 0 0 0 0 ) ( 0 32 0 0 0.5 ) ( 0 64 0 0 1 ) ) "
		"( ( 32 0 64 0.5 0 ) ( 32 32 64 0.5 0.5 ) ( 32 64 64 0.5 1 ) ) "
		"( ( 64 0 0 1 0 ) ( 64 32 0 1 0.5 ) ( 64 64 0 1 1 ) ) ) } }\n"
		"{ patchDef2 { q ( 2 3 0 0 0 ) ( ( ( 0 0 0 0 0 ) ( 0 0 0 0 0 ) ( 0 0 0 0 0 ) ) "
		"( ( 0 0 0 0 0 ) ( 0 0 0 0 0 ) ( 0 0 0 0 0 ) ) ) } }\n}\n";
	mw_qmap m;
	mw_scene s;
	mw_qmap_findings found = {0};
	mw_losses losses = {0};
	read_level(&m, text, sizeof text - 1);
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	assert_ok(&cx, mw_qmap_to_scene(&cx, &s, &m, NULL, &found));
	assert_int_equal(found.n, 1);
	assert_string_equal(found.v[0].rule, "map-patch");
	assert_int_equal(s.mesh.n, 1);
	assert_int_equal(s.mesh.v[0].vertex.n, 25);
	assert_int_equal(s.mesh.v[0].poly.n, 32);
	/* the top of an arch whose middle controls are 64 up is 32 up */
	mw_vec3 top = s.mesh.v[0].vertex.v[2 * 5 + 2];
	assert_true(mw_eq3(top, mw_v3(32, 32, -32)));
	for (size_t i = 0; i < s.mesh.v[0].poly.n; i++) {
		const uint32_t *c = &s.mesh.v[0].index.v[s.mesh.v[0].poly.v[i].first];
		const mw_vec3 *v = s.mesh.v[0].vertex.v;
		mw_vec3 up = mw_cross3(mw_sub3(v[c[1]], v[c[0]]), mw_sub3(v[c[2]], v[c[0]]));
		assert_true(up.y > 0);
	}
	mw_qmap again;
	mw_qmap_init(&again, &cx);
	assert_ok(&cx, mw_qmap_from_scene(&cx, &again, &s, NULL, &losses));
	assert_string_equal(losses.v[0].one, "mesh");
	mw_free(&cx, losses.v);
	mw_free(&cx, found.v);
	mw_qmap_free(&cx, &again);
	mw_scene_free(&cx, &s);
	mw_qmap_free(&cx, &m);
}

static mw_code there_and_back(mw_ctx *c, void *ud)
{
	mw_qmap m, again;
	mw_scene s;
	mw_qmap_findings found = {0};
	mw_losses losses = {0};
	(void)ud;
	mw_qmap_init(&m, c);
	mw_qmap_init(&again, c);
	mw_code code = mw_scene_init(c, &s, NULL);
	if (!code)
		code = mw_qmap_read(c, &m, NULL, (const uint8_t *)level, sizeof level - 1);
	if (!code)
		code = mw_qmap_to_scene(c, &s, &m, NULL, &found);
	if (!code)
		code = mw_qmap_from_scene(c, &again, &s, NULL, &losses);
	mw_free(c, found.v);
	mw_free(c, losses.v);
	mw_scene_free(c, &s);
	mw_qmap_free(c, &m);
	mw_qmap_free(c, &again);
	return code;
}

static void every_failing_allocation_is_survived(void **state)
{
	(void)state;
	assert_true(oom_sweep(there_and_back, NULL) > 10);
}

/* ---- real levels ----------------------------------------------------------------------------- */

static bool is_block_of_the_world(const mw_qmap *m, const mw_qmap_entity *e)
{
	mw_sv name = mw_qmap_get(m, e, "classname");
	return mw_sv_eq(name, mw_sv_of("func_group")) ||
		(mw_sv_eq(name, mw_sv_of("func_detail")) && e->brushes);
}

/* The closed brushes of a level in the order in which a scene of it is written. */
static uint32_t in_order(const mw_qmap *m, const mw_qmap_solids *s, uint32_t *out)
{
	uint32_t n = 0;
	for (int pass = 0; pass < 3; pass++)
		for (size_t e = 0; e < m->entity.n; e++) {
			const mw_qmap_entity *x = &m->entity.v[e];
			bool world =
				mw_sv_eq(mw_qmap_get(m, x, "classname"), mw_sv_of("worldspawn"));
			int when = world ? 0 : is_block_of_the_world(m, x) ? 1 : 2;
			for (size_t i = 0; when == pass && i < s->brushes.brush.n; i++) {
				uint32_t b = s->brushes.brush.v[i].tag;
				if (s->how[i] == MW_CLOSED && b >= x->first_brush &&
					b < x->first_brush + x->brushes)
					out[n++] = (uint32_t)i;
			}
		}
	return n;
}

static void same_brush(const char *name, const mw_qmap *a, const mw_qmap_solids *sa, uint32_t i,
	const mw_qmap *b, const mw_qmap_solids *sb, uint32_t k, mw_arena *arena)
{
	const mw_brush *x = &sa->brushes.brush.v[i];
	mw_solid solid, other;
	mw_closure how;
	assert_ok(&cx,
		mw_solid_make(arena, &sa->planes, mw_brush_sides(&sa->brushes, x), x->count, &solid,
			&how));
	x = &sb->brushes.brush.v[k];
	assert_ok(&cx,
		mw_solid_make(arena, &sb->planes, mw_brush_sides(&sb->brushes, x), x->count, &other,
			&how));
	assert_int_equal(solid.n, other.n);
	assert_true(fabs(mw_solid_volume(&solid) - mw_solid_volume(&other)) <=
		1e-12 * mw_solid_volume(&solid));
	for (uint32_t f = 0; f < solid.n; f++) {
		const mw_qmap_brush *ba = &a->brush.v[sa->brushes.brush.v[i].tag];
		const mw_qmap_brush *bb = &b->brush.v[x->tag];
		const mw_qmap_face *p = &a->face.v[solid.face[f].tag];
		const mw_qmap_face *q = &b->face.v[other.face[f].tag];
		mw_vec3 n, o;
		double d;
		assert_true(mw_sv_eq(p->texture, q->texture));
		assert_true(mw_qmap_plane(ba, p, &n, &d) && mw_qmap_plane(bb, q, &o, &d));
		mw_texmap t = mw_qmap_texmap(a, ba, p, n, NULL);
		mw_texmap u = mw_qmap_texmap(b, bb, q, o, NULL);
		for (uint32_t v = 0; v < solid.face[f].n; v++) {
			mw_vec3 at = solid.face[f].v[v].at;
			mw_vec2 s = mw_texmap_at(&t, at), r = mw_texmap_at(&u, at);
			double near = HUGE_VAL; /* faces that bound nothing are gone: any corner */
			for (uint32_t c = 0; c < other.face[f].n; c++)
				near = fmin(near, mw_len3(mw_sub3(at, other.face[f].v[c].at)));
			if (!(near < 1e-9))
				fail_msg("%s:%u: corner %u moved by %g", name, p->line, v, near);
			if (!(fabs(s.x - r.x) < 1e-4 && fabs(s.y - r.y) < 1e-4))
				fail_msg("%s:%u: texture at %g %g, was %g %g", name, p->line, r.x,
					r.y, s.x, s.y);
		}
	}
}

static void through_a_scene(const char *name, const uint8_t *bytes, size_t n)
{
	mw_qmap m, back, again;
	mw_scene s;
	mw_wr out;
	mw_qmap_solids sa = {0}, sb = {0};
	mw_qmap_findings found = {0};
	/* metres: a power of two away */
	mw_qmap_scene_opts in = {.scene_units_per_metre = 1};
	mw_qmap_init(&m, &cx);
	assert_ok(&cx, mw_qmap_read(&cx, &m, &found, bytes, n));
	bool refused = mw_qmap_refuse(&cx, &found) != MW_OK;
	mw_err_clear(&cx);
	mw_free(&cx, found.v);
	if (refused) {
		mw_qmap_free(&cx, &m);
		return;
	}
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	assert_ok(&cx, mw_qmap_to_scene(&cx, &s, &m, &in, NULL));
	mw_qmap_init(&back, &cx);
	assert_ok(&cx, mw_qmap_from_scene(&cx, &back, &s, NULL, NULL));
	mw_wr_init(&out, &cx);
	assert_ok(&cx, mw_qmap_write(&cx, &out, &back, NULL, NULL));
	read_level(&again, out.p, out.n);
	assert_int_equal(again.entity.n, m.entity.n);
	assert_ok(&cx, mw_qmap_build(&cx, &m, &sa, NULL));
	assert_ok(&cx, mw_qmap_build(&cx, &again, &sb, NULL));
	assert_int_equal(sb.open, 0);
	assert_int_equal(sa.closed_faces, sb.closed_faces);
	uint32_t *order = mw_alloc_n(&cx, sa.brushes.brush.n, sizeof *order);
	uint32_t count = in_order(&m, &sa, order);
	assert_int_equal(count, sb.brushes.brush.n);
	mw_arena arena;
	mw_arena_init(&arena, &cx);
	for (uint32_t i = 0; i < count; i++) {
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		same_brush(name, &m, &sa, order[i], &again, &sb, i, &arena);
		mw_arena_reset(&arena, mark);
	}
	mw_arena_free(&arena);
	mw_free(&cx, order);
	mw_qmap_solids_free(&cx, &sa);
	mw_qmap_solids_free(&cx, &sb);
	mw_wr_free(&out);
	mw_scene_free(&cx, &s);
	mw_qmap_free(&cx, &again);
	mw_qmap_free(&cx, &back);
	mw_qmap_free(&cx, &m);
}

static void the_shared_levels_pass_through_scenes(void **state)
{
	(void)state;
	static const char *const folders[] = {"corpus/map-synth", "corpus/map"};
	for (size_t k = 0; k < MW_COUNTOF(folders); k++) {
		char folder[512], path[1024];
		mw_fs_names names = {0};
		snprintf(folder, sizeof folder, "%s", test_shared(folders[k]));
		assert_ok(&cx, mw_fs_list(&cx, &names, folder));
		for (size_t i = 0; i < names.n; i++) {
			uint8_t *bytes;
			size_t n;
			if (!strstr(names.v[i], ".map"))
				continue;
			snprintf(path, sizeof path, "%s/%s", folder, names.v[i]);
			assert_ok(&cx, mw_fs_read(&cx, &bytes, &n, path));
			through_a_scene(names.v[i], bytes, n);
			mw_free(&cx, bytes);
		}
		mw_fs_names_free(&cx, &names);
	}
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
		cmocka_unit_test(a_level_becomes_a_scene),
		cmocka_unit_test(a_scene_becomes_the_level_again),
		cmocka_unit_test(units_and_axes_are_said_where_they_are_unusual),
		cmocka_unit_test(planes_without_points_get_some),
		cmocka_unit_test(patches_become_meshes),
		cmocka_unit_test(every_failing_allocation_is_survived),
		cmocka_unit_test(the_shared_levels_pass_through_scenes),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}

#include "support/oom.h"
#include "support/test.h"

#include "geom/shape.h"
#include "scene/scene_check.h"

#include <string.h>

static void a_noted_plane_counts_while_it_is_the_plane(void **state)
{
	mw_ctx cx;
	mw_scene s;
	float q[4], noted[4] = {0.6f, 0.8f, 0.0f, 2.5f};
	uint32_t tag;
	mw_side side;
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	mw_face_info f = mw_face_default();
	memcpy(f.noted, noted, sizeof noted);
	assert_ok(&cx, mw_scene_add_face(&cx, &s, &f, &tag));
	assert_ok(&cx,
		mw_planes_add(&cx, s.planes, &side.plane,
			mw_v3((double)noted[0], (double)noted[1], (double)noted[2]),
			(double)noted[3]));
	side.tag = tag;
	mw_scene_plane_f32(&s, &side, q);
	assert_memory_equal(q, noted, sizeof q);
	side.plane ^= 1;
	mw_scene_plane_f32(&s, &side, q);
	assert_true(q[0] == -noted[0] && q[3] == -noted[3] && q[2] == 0.0f);
	assert_ok(&cx, mw_planes_add(&cx, s.planes, &side.plane, mw_v3(0, 3, 0), 6));
	mw_scene_plane_f32(&s, &side, q);
	assert_true(q[0] == 0.0f && q[1] == 1.0f && q[2] == 0.0f && q[3] == 2.0f);
	mw_scene_free(&cx, &s);
}

static void box_faces_measure_in_tiles_of_their_material(void **state)
{
	mw_ctx cx;
	mw_scene s;
	int32_t m;
	uint32_t tag;
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	assert_ok(&cx, mw_scene_add_material(&cx, &s, "stone", &m));
	s.material.v[m].tile[0] = 2;
	s.material.v[m].tile[1] = 4;
	assert_int_equal(mw_scene_find_material(&s, mw_sv_of("stone")), m);
	assert_int_equal(mw_scene_find_material(&s, mw_sv_of("Stone")), -1);
	mw_face_info f = mw_face_default();
	f.material = m;
	f.set.scale[1] = 0.5;
	f.set.offset[0] = 0.25;
	assert_ok(&cx, mw_scene_add_face(&cx, &s, &f, &tag));
	mw_texmap map = mw_scene_texmap(&s, tag, mw_v3(0, 1, 0));
	mw_vec2 uv = mw_texmap_at(&map, mw_v3(3, 9, 5));
	assert_true(uv.x == 3 / 2.0 + 0.25 && uv.y == 5 / 2.0);
	mw_scene_free(&cx, &s);
}

static void checks_name_the_object_and_who_made_it(void **state)
{
	static const char *const want[] = {"brush-micro", "brush-plane-twice", "brush-empty",
		"brush-open", "mesh-polygon", "number", "entity-class", "number", "id-repeated",
		"material-repeated"};
	mw_ctx cx;
	mw_scene s;
	mw_scene_findings found = {0};
	mw_side side[6];
	uint32_t at, mesh;
	int32_t m;
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	mw_brushes b = {0};
	mw_shaper shape = {s.planes, &b, MW_CONTENTS_SOLID, 0};
	mw_brush_info info = {.id = 7, .at = "build.lua:4"};
	assert_ok(&cx, mw_shape_box(&cx, &shape, mw_v3(0, 0, 0), mw_v3(1, 0.001, 3)));
	assert_ok(&cx, mw_shape_box(&cx, &shape, mw_v3(0, 0, 0), mw_v3(1, 1, 1)));
	for (size_t i = 0; i < b.side.n; i++)
		b.side.v[i].tag = MW_TAG_NONE;
	assert_ok(&cx, mw_scene_add_brush(&cx, &s, b.side.v, 6, 1, &info, NULL));
	memcpy(side, b.side.v + 6, sizeof side);
	mw_side more[7];
	memcpy(more, side, sizeof side);
	more[6] = side[2];
	assert_ok(&cx, mw_scene_add_brush(&cx, &s, more, 7, 1, NULL, NULL));
	more[6].plane = side[2].plane ^ 1;
	assert_ok(&cx, mw_scene_add_brush(&cx, &s, more, 7, 1, NULL, NULL));
	assert_ok(&cx, mw_scene_add_brush(&cx, &s, side, 5, 1, NULL, NULL));
	assert_ok(&cx, mw_scene_add_mesh(&cx, &s, "flat", &mesh));
	for (int i = 0; i < 3; i++)
		assert_ok(&cx, mw_scene_mesh_vertex(&cx, &s.mesh.v[mesh], mw_v3(i, 0, 0)));
	assert_ok(&cx,
		mw_scene_mesh_poly(
			&cx, &s.mesh.v[mesh], (const uint32_t[]){0, 1, 2}, NULL, 3, -1, 0, NULL));
	assert_ok(&cx, mw_scene_add_mesh(&cx, &s, "nan", &mesh));
	assert_ok(&cx, mw_scene_mesh_vertex(&cx, &s.mesh.v[mesh], mw_v3(0, NAN, 0)));
	mw_entity e = mw_entity_default();
	e.id = 7;
	e.origin.x = HUGE_VAL;
	assert_ok(&cx, mw_scene_add_entity(&cx, &s, &e, &at));
	assert_ok(&cx, mw_scene_add_material(&cx, &s, "m", &m));
	assert_ok(&cx, mw_scene_add_material(&cx, &s, "m", &m));
	assert_ok(&cx, mw_scene_check(&cx, &s, &found));
	assert_int_equal(found.n, MW_COUNTOF(want));
	for (size_t i = 0; i < found.n; i++)
		assert_string_equal(found.v[i].rule, want[i]);
	assert_string_equal(found.v[0].at, "build.lua:4");
	assert_string_equal(found.v[0].msg, "brush 1: it is 0.001 thick");
	mw_free(&cx, found.v);
	mw_brushes_free(&cx, &b);
	mw_scene_free(&cx, &s);
}

static mw_code build(mw_ctx *cx, void *ud)
{
	mw_scene s;
	int32_t m;
	uint32_t i, e;
	MW_UNUSED(ud);
	mw_code code = mw_scene_init(cx, &s, NULL);
	if (!code)
		code = mw_scene_add_material(cx, &s, "stone", &m);
	mw_entity door = mw_entity_default();
	door.classname = "func_door";
	if (!code)
		code = mw_pairs_add(cx, &door.keys, "speed", "100");
	if (!code)
		code = mw_scene_add_entity(cx, &s, &door, &e);
	if (code)
		mw_pairs_free(cx, &door.keys);
	mw_brushes b = {0};
	mw_shaper shape = {s.planes, &b, MW_CONTENTS_SOLID, 0};
	if (!code)
		code = mw_shape_box(cx, &shape, mw_v3(0, 0, 0), mw_v3(1, 2, 3));
	mw_face_info f = mw_face_default();
	uint32_t tag;
	if (!code)
		code = mw_scene_add_face(cx, &s, &f, &tag);
	for (size_t k = 0; !code && k < b.side.n; k++)
		b.side.v[k].tag = tag;
	mw_brush_info info = {.owner = e + 1};
	if (!code)
		code = mw_scene_add_brush(cx, &s, b.side.v, (uint32_t)b.side.n, 1, &info, &i);
	uint32_t mesh;
	if (!code)
		code = mw_scene_add_mesh(cx, &s, "vase", &mesh);
	for (uint32_t k = 0; !code && k < 3; k++)
		code = mw_scene_mesh_vertex(cx, &s.mesh.v[mesh], mw_v3(k == 1, k == 2, 0));
	if (!code)
		code = mw_scene_mesh_poly(
			cx, &s.mesh.v[mesh], (const uint32_t[]){0, 1, 2}, NULL, 3, m, 0, NULL);
	if (!code)
		code = mw_scene_number(cx, &s);
	if (!code) {
		assert_int_equal(s.entity.v[0].id, 1);
		assert_int_equal(s.brush.v[0].id, 2);
		assert_int_equal(s.mesh.v[0].id, 3);
		assert_int_equal(s.next_id, 4);
		assert_int_equal(s.brushes.brush.v[i].tag, i);
	}
	mw_brushes_free(cx, &b);
	mw_scene_free(cx, &s);
	return code;
}

static void ids_come_from_gaps_where_numbers_end(void **state)
{
	/* 0: to be given; from next_id on there is one number for three */
	static const uint32_t had[] = {3, 0, 0xffffffff, 1, 0, 3, 0};
	static const uint32_t got[] = {3, 2, 0xffffffff, 1, 4, 3, 5};
	mw_ctx cx;
	mw_scene s;
	mw_entity e = mw_entity_default();
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_scene_init(&cx, &s, NULL));
	for (size_t i = 0; i < MW_COUNTOF(had); i++) {
		e.id = had[i];
		assert_true(MW_PUSH(&cx, &s.entity, e));
	}
	s.next_id = 0xfffffffe;
	assert_ok(&cx, mw_scene_number(&cx, &s));
	for (size_t i = 0; i < MW_COUNTOF(had); i++)
		assert_int_equal(s.entity.v[i].id, got[i]);
	assert_int_equal(s.next_id, 0xffffffff);
	/* with room they follow next_id */
	s.next_id = 0xfffffff0;
	s.entity.v[0].id = s.entity.v[4].id = 0;
	assert_ok(&cx, mw_scene_number(&cx, &s));
	assert_int_equal(s.entity.v[0].id, 0xfffffff0);
	assert_int_equal(s.entity.v[4].id, 0xfffffff1);
	assert_int_equal(s.next_id, 0xfffffff2);
	mw_scene_free(&cx, &s);
}

static void a_scene_survives_running_out_of_memory(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(build, NULL) > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_noted_plane_counts_while_it_is_the_plane),
		cmocka_unit_test(box_faces_measure_in_tiles_of_their_material),
		cmocka_unit_test(checks_name_the_object_and_who_made_it),
		cmocka_unit_test(ids_come_from_gaps_where_numbers_end),
		cmocka_unit_test(a_scene_survives_running_out_of_memory),
	};
	return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}

/* Small brush levels for tests. Static: tests of several layers include it. */
#ifndef MW_TESTS_SUPPORT_LEVEL_SCENE_H
#define MW_TESTS_SUPPORT_LEVEL_SCENE_H

#include "geom/shape.h"
#include "scene/scene.h"

/* Move shapes into a scene, all faces of one material. The shapes are freed. */
static inline mw_code level_take(
	mw_ctx *cx, mw_scene *s, mw_brushes *b, int32_t material, uint32_t owner)
{
	mw_face_info f = mw_face_default();
	uint32_t tag;
	f.material = material;
	mw_code rc = mw_scene_add_face(cx, s, &f, &tag);
	for (size_t i = 0; i < b->side.n; i++)
		b->side.v[i].tag = tag;
	mw_brush_info info = {.owner = owner};
	for (size_t i = 0; i < b->brush.n && !rc; i++)
		rc = mw_scene_add_brush(cx, s, b->side.v + b->brush.v[i].first, b->brush.v[i].count,
			b->brush.v[i].contents, &info, NULL);
	mw_brushes_free(cx, b);
	return rc;
}

static inline mw_code level_box(mw_ctx *cx, mw_scene *s, mw_vec3 min, mw_vec3 max,
	uint32_t contents, int32_t material, uint32_t owner)
{
	mw_brushes b = {0};
	mw_shaper shape = {s->planes, &b, contents, 0};
	mw_code rc = mw_shape_box(cx, &shape, min, max);
	if (rc) {
		mw_brushes_free(cx, &b);
		return rc;
	}
	return level_take(cx, s, &b, material, owner);
}

/* A room of 8 x 4 x 8 inside walls of 0.5, a pillar in its middle, a door that an entity owns, a
 * light in a corner, a mesh. */
static inline mw_code level_cellar(mw_ctx *cx, mw_scene *s)
{
	mw_brushes b = {0};
	mw_shaper shape = {s->planes, &b, MW_CONTENTS_SOLID, 0};
	int32_t stone = 0, wood = 0;
	uint32_t e, mesh;
	s->name = "cellar";
	s->ambient[0] = s->ambient[1] = s->ambient[2] = 0.125;
	mw_code rc = mw_scene_add_material(cx, s, "stone", &stone);
	rc = rc ? rc : mw_scene_add_material(cx, s, "wood", &wood);
	rc = rc ? rc : mw_shape_room(cx, &shape, mw_v3(0, 0, 0), mw_v3(9, 5, 9), 0.5);
	if (rc) {
		mw_brushes_free(cx, &b);
		return rc;
	}
	rc = level_take(cx, s, &b, stone, 0);
	rc = rc ? rc
		: level_box(cx, s, mw_v3(4, 0.5, 4), mw_v3(5, 4.5, 5), MW_CONTENTS_SOLID, stone, 0);
	mw_entity light = mw_entity_default(), door = mw_entity_default();
	light.classname = "light";
	light.origin = mw_v3(1.5, 2.5, 4.5);
	door.classname = "func_door";
	rc = rc ? rc : mw_pairs_add(cx, &light.keys, "radius", "12");
	rc = rc ? rc : mw_scene_add_entity(cx, s, &light, &e);
	if (rc) {
		mw_pairs_free(cx, &light.keys);
		return rc;
	}
	rc = rc ? rc : mw_pairs_add(cx, &door.keys, "speed", "100");
	rc = rc ? rc : mw_pairs_add(cx, &door.keys, "OnOpen", "a,b,,0.5,0");
	rc = rc ? rc : mw_pairs_add(cx, &door.keys, "OnOpen", "c,d,,0.5,0");
	rc = rc ? rc : mw_scene_add_entity(cx, s, &door, &e);
	if (rc) {
		mw_pairs_free(cx, &door.keys);
		return rc;
	}
	rc = rc ? rc
		: level_box(cx, s, mw_v3(2, 0.5, 0.5), mw_v3(3, 2.5, 0.75), MW_CONTENTS_SOLID, wood,
			  e + 1);
	rc = rc ? rc : mw_scene_add_mesh(cx, s, "vase", &mesh);
	static const mw_vec3 corner[4] = {
		{{7, 0.5, 7}}, {{7, 0.5, 8}}, {{8, 0.5, 7}}, {{7, 1.5, 7}}};
	static const uint32_t tri[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
	static const mw_vec2 uv[3] = {{{0, 0}}, {{1, 0}}, {{0, 1}}};
	for (int i = 0; i < 4 && !rc; i++)
		rc = mw_scene_mesh_vertex(cx, &s->mesh.v[mesh], corner[i]);
	for (int i = 0; i < 4 && !rc; i++)
		rc = mw_scene_mesh_poly(cx, &s->mesh.v[mesh], tri[i], i % 2 ? uv : NULL, 3, wood,
			(uint32_t)i / 2, NULL);
	return rc ? rc : mw_scene_number(cx, s);
}

#endif

/* Shared by the stages of compiling a brush level. */
#ifndef MW_COMPILE_LEVEL_PARTS_H
#define MW_COMPILE_LEVEL_PARTS_H

#include "compile/level.h"
#include "geom/mesh.h"

typedef struct {
	uint32_t vertex; /* of mw_level.vertex */
	mw_vec3 at;
} mw__spot;

typedef struct {
	mw_ctx *cx;
	mw_scene *s;
	const mw_level_options *o;
	mw_level *out;
	mw_level_notes *notes;
	mw_arena arena;
	mw_solid *solid; /* one for each brush; n == 0: left out */
	/* what each owner has: brushes brush_of[brush_from[owner]] up to those of the next owner,
	 * ascending; meshes likewise */
	uint32_t *brush_from, *brush_of, *mesh_from, *mesh_of;
	MW_ARRAY(mw__spot) spot; /* when baking */
	/* the world's collision brushes and their tree */
	mw_brushes tree_brushes;
	mw_bsp bsp;
} mw__level_work;

/* Brushes of one owner, with their solids. [owned: arena, cx] */
typedef struct {
	mw_brushes b; /* tags: brush indices of the scene */
	mw_solid *solid;
} mw__level_group;

/* want: whether a brush of these contents belongs to it. */
mw_code mw__level_group_of(
	mw__level_work *w, uint32_t owner, bool (*want)(uint32_t contents), mw__level_group *out);

/* Batches of one model: brushes, then meshes. */
mw_code mw__level_brush_batches(mw__level_work *w, uint32_t owner, uint32_t model);
mw_code mw__level_mesh_batches(mw__level_work *w, uint32_t owner, uint32_t model);
/* Triangles of all meshes that collide. */
mw_code mw__level_hulls(mw__level_work *w);
/* Collision brushes of a model; the world's once more for the tree, and the tree. */
mw_code mw__level_solids(mw__level_work *w, uint32_t owner, mw_level_model *model);
mw_code mw__level_tree(mw__level_work *w);

/* Grow a box of floats so that it holds b (empty: nothing). An unset one has min > max. */
void mw__box_add(float box[6], const mw_aabb *b);
float mw__float_down(double v); /* the nearest float32 that is not above v */
float mw__float_up(double v);

/* Triangles of m, whose polygons' tags are materials (as uint32_t), sorted into batches. */
mw_code mw__level_emit(mw__level_work *w, const mw_mesh *m, uint8_t source, uint32_t model);

#endif

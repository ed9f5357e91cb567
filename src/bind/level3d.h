/* Brush levels as triangles for view/raster3d: the brushes and meshes of a scene, or the faces and
 * light of a compiled level. */
#ifndef MW_BIND_LEVEL3D_H
#define MW_BIND_LEVEL3D_H

#include "compile/product.h"
#include "scene/scene.h"
#include "view/raster3d.h"

/* Zeroed = empty. */
typedef struct {
	MW_ARRAY(mw_triangle3d) triangle;
	MW_ARRAY(mw_surface3d) surface; /* 0: no material; 1 + i: material i; the last: cuts */
	mw_aabb box;                    /* of all that is drawn */
} mw_level3d;

void mw_level3d_free(mw_ctx *cx, mw_level3d *d);

/* A surface for each material of the scene, a check in its colour; a white one gets a pale colour
 * by its name. Comes before the rest. */
MW_NODISCARD mw_code mw_level3d_surfaces(mw_ctx *cx, mw_level3d *d, const mw_scene *s);

/* Brushes and meshes of a scene, but for clips, triggers, sky and hidden faces. Open brushes are
 * left out. [arena: scratch, reset] */
MW_NODISCARD mw_code mw_level3d_scene(
	mw_ctx *cx, mw_level3d *d, const mw_scene *s, mw_arena *arena);

/* The batches of a compiled level, with the light of their vertices when it was baked. */
MW_NODISCARD mw_code mw_level3d_compiled(mw_ctx *cx, mw_level3d *d, const mw_level *l);

/* Where the plane y = height cuts solid brushes, seen from above. */
MW_NODISCARD mw_code mw_level3d_cut(
	mw_ctx *cx, mw_level3d *d, const mw_scene *s, mw_arena *arena, double height);

#endif

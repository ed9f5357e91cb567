/* From a scene to a compiled level: faces, batches, collision, the tree, lights. */
#ifndef MW_COMPILE_LEVEL_H
#define MW_COMPILE_LEVEL_H

#include "compile/product.h"
#include "geom/bsp.h"
#include "scene/scene.h"

typedef struct {
	mw_bevel bevels;    /* of collision brushes */
	bool keep_hidden;   /* leave faces whole that other brushes hide */
	bool skip_sky;      /* no batches for faces of sky brushes */
	bool bake;          /* light the vertices */
	double light_grid;  /* faces are cut along a grid of this width for that [unit: scene
			       unit] 0: 4 metres, < 0: not at all */
	uint32_t leaf_size; /* as mw_bsp_options */
	uint32_t max_depth;
} mw_level_options;

/* Axial bevels, everything else off. */
mw_level_options mw_level_options_default(void);

/* What was met on the way. */
typedef struct {
	uint32_t open, empty;             /* brushes left out for that */
	uint32_t first_open, first_empty; /* index of the first such brush; MW_TAG_NONE: none */
	uint32_t cracks;    /* directed edges of the world's batches without a partner: borders of
			       hidden faces, and of water and what does not collide at solids */
	uint32_t bad_polys; /* polygons of meshes that are not flat or not convex */
} mw_level_notes;

/* Compile. Every plane of the scene must be one that float32 numbers say (as in a scene that was
 * read from a .hmap): MW_EINVALID otherwise. Ids must be given (mw_scene_number). Adds planes to
 * the scene's table. o and notes may be NULL. *out is to be zeroed.
 * The result is the same for any number of threads. */
MW_NODISCARD mw_code mw_level_compile(
	mw_ctx *cx, mw_level *out, mw_scene *s, const mw_level_options *o, mw_level_notes *notes);

/* ---- stages, for those who want one alone ---------------------------------------------------- */

/* Lights of the scene's entities (.hmap words and their common spellings) appended to out->light.
 * Classes light, light_point, light_omni: points; light_spot: spots; light_sun, light_directional,
 * light_environment: suns. A value that is no number, or none that float32 holds, counts as absent.
 */
MW_NODISCARD mw_code mw_level_lights(mw_ctx *cx, mw_level *out, const mw_scene *s);

/* Which way an entity faces. */
mw_vec3 mw_entity_forward(const mw_entity *e);

/* Light of one lamp at a point with that normal, shadows left aside. [color: added to] */
void mw_light_at(
	const mw_level_light *l, const double pos[3], const double normal[3], double color[3]);

/* A point to be lit: what a vertex is, and spots beside it from which the lamps are looked for. */
typedef struct {
	mw_vec3 pos, normal;
	uint32_t first, count; /* of the spots */
} mw_light_sample;

/* Colours of n samples: ambient and every lamp, each by the part of the sample's spots that see it
 * past solids of the tree. Runs on cx->pool. [color: n] */
MW_NODISCARD mw_code mw_level_bake(mw_ctx *cx, const mw_level *l, const mw_planes *t,
	const mw_brushes *b, const mw_bsp *bsp, const mw_light_sample *sample, size_t n,
	const mw_vec3 *spot, uint32_t *color);

/* ---- asking a compiled level ----------------------------------------------------------------- */

/* A compiled level as exact planes, brushes (tag: the number of the solid) and a tree. The brushes
 * have the bevels that box sweeps need, whichever the file has. */
typedef struct {
	mw_planes planes;
	mw_brushes brushes;
	mw_bsp bsp;
	bool deep; /* too deep to walk down with a sweep: all brushes are tried */
} mw_level_query;

/* Zeroed is valid for mw_level_query_free. The level must have been checked (mw_level_check). */
MW_NODISCARD mw_code mw_level_query_init(mw_ctx *cx, mw_level_query *q, const mw_level *l);
void mw_level_query_free(mw_ctx *cx, mw_level_query *q);
/* Contents bits at a point: of the brushes that hold it strictly inside. */
uint32_t mw_level_contents(const mw_level_query *q, const mw_vec3 *p, uint32_t *tested);
bool mw_level_sweep(const mw_level_query *q, const mw_sweep *s, mw_sweep_hit *hit);

/* Whether all indices of a level from a stranger are in range and its tree is one: MW_EFORMAT with
 * what is wrong otherwise. */
MW_NODISCARD mw_code mw_level_check(mw_ctx *cx, const mw_level *l);

/* Mean and greatest number of brushes that a point query tests, over n points spread evenly through
 * the tree's box (the same ones each time). */
void mw_level_query_cost(const mw_level_query *q, uint32_t n, double *mean, uint32_t *most);

#endif

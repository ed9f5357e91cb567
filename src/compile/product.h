/* What compile stages hand to the writers: baked products that say nothing of how they were made.
 */
#ifndef MW_COMPILE_PRODUCT_H
#define MW_COMPILE_PRODUCT_H

#include "base/mem.h"

#define MW_MINIMAP_SIDE 1024u /* [unit: px] */
#define MW_MINIMAP_BYTES                                                                           \
	699048u /* DXT1, 9 levels 1024..4 (facts: rts/Map/SMF/SMFReadMap.cpp:164) */

/* Ground texture as tiles. The tile records themselves went to a mw_tile_store. Zeroed = empty. */
typedef struct {
	uint32_t tiles_x, tiles_z; /* [unit: tile of 32 texels] */
	uint32_t *index;           /* tiles_x * tiles_z record numbers, rows from north [owned] */
	uint32_t tile_count;       /* records */
	uint8_t *minimap;          /* MW_MINIMAP_BYTES [owned] */
} mw_ground_product;

void mw_ground_product_free(mw_ctx *cx, mw_ground_product *p);

/* ---- compiled brush levels ------------------------------------------------------------------- */

/* All numbers of a compiled level are the float32 that files hold: what was decided with them (the
 * tree, its leaves) was decided for exactly these. Boxes are min x y z, max x y z and contain what
 * they bound. Planes are n and d, the solid behind: dot(n, p) < d. */

typedef struct {
	float pos[3], normal[3], uv[2];
	uint32_t color; /* red in the lowest byte, alpha in the highest */
} mw_level_vertex;

/* One material's triangles of one model, counter-clockwise seen from the front. */
typedef struct {
	int32_t material; /* index; -1: the default one */
	uint8_t source;   /* 0 brushes, 1 meshes */
	int32_t model;
	uint32_t first_vertex, vertices; /* of mw_level.vertex */
	uint32_t first_index, indices;   /* of mw_level.index; they count from first_vertex */
} mw_level_batch;

/* A collision brush. */
typedef struct {
	uint32_t contents, source; /* source: id of the brush it was */
	float box[6];
	uint32_t first, planes; /* of mw_level.plane */
} mw_level_solid;

typedef struct {
	uint32_t entity; /* its id; 0: the world */
	float box[6];
	uint32_t first, solids; /* of mw_level.solid */
} mw_level_model;

typedef struct {
	int32_t plane;    /* of mw_level.tree_plane */
	int32_t child[2]; /* front (on the plane too), back: >= 0 a node, < 0 leaf ~value */
} mw_level_node;

typedef struct {
	uint32_t first, count; /* of mw_level.item */
} mw_level_leaf;

/* Triangles of a mesh for collision, three points each. */
typedef struct {
	uint32_t object; /* id of the mesh */
	float box[6];
	uint32_t first, points; /* of mw_level.point */
} mw_level_hull;

typedef enum { MW_LIGHT_POINT, MW_LIGHT_SPOT, MW_LIGHT_SUN } mw_light_kind;

typedef struct {
	uint8_t kind; /* mw_light_kind */
	float pos[3], dir[3], color[3];
	float intensity;
	float radius;       /* [unit: scene unit] */
	float inner, outer; /* half of the cone [unit: degree] */
	uint32_t entity;    /* its id */
} mw_level_light;

typedef struct {
	float v[3];
} mw_level_point;

typedef struct {
	float v[4]; /* n, d */
} mw_level_plane;

/* Zeroed = empty, but for a root of -1 over one empty leaf. */
typedef struct {
	float ambient[3];
	float units_per_metre;
	uint8_t baked; /* 1: colours hold light, otherwise they are white */
	float box[6];
	MW_ARRAY(mw_level_batch) batch; /* by model, source, material */
	MW_ARRAY(mw_level_vertex) vertex;
	MW_ARRAY(uint32_t) index;
	MW_ARRAY(mw_level_model) model; /* 0: the world */
	MW_ARRAY(mw_level_solid) solid; /* of all models, then of the tree */
	MW_ARRAY(mw_level_plane) plane;
	int32_t root;
	uint32_t depth;
	float tree_box[6];
	MW_ARRAY(mw_level_plane) tree_plane;
	MW_ARRAY(mw_level_node) node;
	MW_ARRAY(mw_level_leaf) leaf;
	MW_ARRAY(uint32_t) item; /* numbers of tree solids */
	uint32_t first_tree_solid, tree_solids;
	MW_ARRAY(mw_level_hull) hull;
	MW_ARRAY(mw_level_point) point;
	MW_ARRAY(mw_level_light) light;
} mw_level;

void mw_level_free(mw_ctx *cx, mw_level *l);

#endif

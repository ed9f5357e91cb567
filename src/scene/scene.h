/* A brush level in no file's terms: materials, brushes with their faces, meshes, entities, groups.
 * Our space: Y up, right-handed, X east, Z south. */
#ifndef MW_SCENE_SCENE_H
#define MW_SCENE_SCENE_H

#include "geom/csg.h"
#include "geom/texmap.h"
#include "scene/entity.h"

typedef struct {
	const char *name;
	const char *texture; /* file or texture name; may be "" */
	double tile[2];      /* size of one repeat at scale 1 [unit: scene unit] <= 0 counts as 1 */
	double color[3];     /* [range: 0..1] */
	uint32_t flags;      /* the format's word; kept */
	uint32_t pixels[2];  /* size of the texture [unit: px] 0: not known (64 is assumed) */
} mw_material;

/* How texture coordinates (in repeats) come about. BOX: by set over mw_texmap_box, scale in parts
 * of the material's tile. AXES: by map as it is. */
typedef enum { MW_PROJECT_BOX, MW_PROJECT_AXES } mw_project;

#define MW_FACE_HIDDEN 0x10000u  /* not drawn (Quake: skip, nodraw, caulk) */
#define MW_BRUSH_DETAIL 0x10000u /* of mw_brush_info.flags: detail of the Quake family */

/* What hangs on one side of a brush: mw_side.tag is its index in mw_scene.face. Several sides may
 * share one. */
typedef struct {
	int32_t material; /* index in mw_scene.material; -1: the default one */
	uint32_t flags;   /* the format's word, MW_FACE_HIDDEN */
	mw_project project;
	bool has_surface;
	int32_t surface[3]; /* contents, flags, value of Quake 2 and 3 */
	mw_texset set;      /* MW_PROJECT_BOX: offset in repeats */
	mw_texmap map;      /* MW_PROJECT_AXES */
	/* The numbers of the plane as a format had them, n and d; a note that counts only while
	 * the side's plane is exactly that (mw_scene_plane_f32 looks). 0 0 0 0: none. */
	float noted[4];
	/* Index + 1 of the first of three points of mw_scene.point that a format had for the plane,
	 * clockwise seen from outside; they count only while the plane through them is the side's.
	 */
	uint32_t points;
	const char *texture; /* texture name as a .map spelled it, when that is not the material's
				name; else NULL */
} mw_face_info;

/* Brush i of mw_scene.brushes in terms of the level. */
typedef struct {
	uint32_t id; /* unique over brushes, meshes and entities [range: >= 1] 0: not given yet */
	uint32_t owner; /* index in mw_scene.entity + 1; 0: the world */
	uint32_t flags; /* the format's word, MW_BRUSH_DETAIL */
	uint32_t group; /* index in mw_scene.group + 1; 0: none */
	const char *at; /* who made it: "build.lua:12"; may be NULL */
} mw_brush_info;

typedef struct {
	uint32_t first, count; /* of mw_scene_mesh.index and .uv */
	int32_t material;      /* as mw_face_info.material */
	uint32_t smooth;       /* smoothing group; 0: flat */
	bool has_uv;           /* else by set, as MW_PROJECT_BOX */
	mw_texset set;
} mw_scene_poly;

/* Convex polygons, counter-clockwise seen from the front. */
typedef struct {
	uint32_t id, owner, flags, group; /* as mw_brush_info */
	const char *name;                 /* may be "" */
	const char *at;
	MW_ARRAY(mw_vec3) vertex;
	MW_ARRAY(mw_scene_poly) poly;
	MW_ARRAY(uint32_t) index; /* of vertex */
	MW_ARRAY(mw_vec2) uv;     /* one for each index; meaningless where !has_uv */
} mw_scene_mesh;

#define MW_MESH_NO_COLLISION 0x10000u /* of mw_scene_mesh.flags */

/* A layer or a group of an editor, or a group of a script. */
typedef struct {
	const char *name;
	uint32_t parent; /* index + 1 of the layer or group it is in; 0: none */
	bool layer;
	mw_pairs keys; /* whatever else the editor keeps with it */
	const char *at;
} mw_group;

/* mw_scene_init makes one; zeroed is valid for mw_scene_free. */
typedef struct {
	mw_arena mem;      /* strings */
	mw_planes *planes; /* its own, or one that several scenes share */
	mw_planes own_planes;
	const char *name;
	double ambient[3];      /* light that is everywhere [range: 0..1] */
	double grid;            /* of the editor [unit: scene unit] */
	double units_per_metre; /* [range: > 0] */
	uint32_t next_id;       /* above all ids; UINT32_MAX: those below may be in use */
	MW_ARRAY(mw_material) material;
	MW_ARRAY(mw_face_info) face;
	MW_ARRAY(mw_vec3) point; /* of mw_face_info.points */
	mw_brushes brushes; /* .brush[i].tag == i, .side[].tag indexes face or is MW_TAG_NONE */
	MW_ARRAY(mw_brush_info) brush; /* one for each of brushes */
	MW_ARRAY(mw_scene_mesh) mesh;
	/* An entity of class worldspawn carries the world's keys; brushes with owner 0 are the
	 * world's whether there is one or not. */
	MW_ARRAY(mw_entity) entity;
	MW_ARRAY(mw_group) group;
} mw_scene;

/* Empty, named "", ambient 0, grid 1, one unit a metre. shared: a plane table that outlives the
 * scene, or NULL for one of its own. */
MW_NODISCARD mw_code mw_scene_init(mw_ctx *cx, mw_scene *s, mw_planes *shared);
void mw_scene_free(mw_ctx *cx, mw_scene *s);

/* A copy of n bytes that lives as long as the scene; NULL when out of memory. */
const char *mw_scene_text(mw_scene *s, const char *p, size_t n);

/* Append a material: white, tile 1 x 1. *index: of it. [name: copied] */
MW_NODISCARD mw_code mw_scene_add_material(
	mw_ctx *cx, mw_scene *s, const char *name, int32_t *index);
/* First material of that name (bytes equal), or -1. */
int32_t mw_scene_find_material(const mw_scene *s, mw_sv name);

/* A face as formats start it: no material, box projection of scale 1. */
mw_face_info mw_face_default(void);
/* Append a face; *tag: for mw_side.tag. */
MW_NODISCARD mw_code mw_scene_add_face(
	mw_ctx *cx, mw_scene *s, const mw_face_info *face, uint32_t *tag);

/* Append a brush over n sides (tags index s->face). info may be NULL: the world's. An id of 0 stays
 * 0 until mw_scene_number. *index may be NULL. */
MW_NODISCARD mw_code mw_scene_add_brush(mw_ctx *cx, mw_scene *s, const mw_side *side, uint32_t n,
	uint32_t contents, const mw_brush_info *info, uint32_t *index);

/* Append an entity (its strings are kept, its keys taken over) or an empty mesh; *index: of it. */
MW_NODISCARD mw_code mw_scene_add_entity(
	mw_ctx *cx, mw_scene *s, const mw_entity *e, uint32_t *index);
MW_NODISCARD mw_code mw_scene_add_mesh(mw_ctx *cx, mw_scene *s, const char *name, uint32_t *index);
MW_NODISCARD mw_code mw_scene_mesh_vertex(mw_ctx *cx, mw_scene_mesh *m, mw_vec3 p);
/* Append a polygon. uv: n, or NULL for the projection. [index: n, each < vertex.n] */
MW_NODISCARD mw_code mw_scene_mesh_poly(mw_ctx *cx, mw_scene_mesh *m, const uint32_t *index,
	const mw_vec2 *uv, uint32_t n, int32_t material, uint32_t smooth, const mw_texset *set);
/* The class "" entity with identity fields. */
mw_entity mw_entity_default(void);

/* Give ids to what has none, from next_id on: entities, brushes, meshes, in that order. Where
 * numbers end before that, all come from gaps between those in use. */
MW_NODISCARD mw_code mw_scene_number(mw_ctx *cx, mw_scene *s);

/* The size of one repeat of a material at scale 1; 1 x 1 for -1. */
void mw_scene_tile(const mw_scene *s, int32_t material, double tile[2]);
/* Texture coordinates in repeats of a face on a plane with this normal. tag may be MW_TAG_NONE. */
mw_texmap mw_scene_texmap(const mw_scene *s, uint32_t tag, mw_vec3 normal);

/* The plane of a side as float32 numbers, n and d: those noted at its face if they still are that
 * plane (facing either way), else rounded. */
void mw_scene_plane_f32(const mw_scene *s, const mw_side *side, float out[4]);

#endif

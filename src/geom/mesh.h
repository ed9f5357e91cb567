/* Indexed polygon meshes: welding, T-junctions, smooth normals, triangles. */
#ifndef MW_GEOM_MESH_H
#define MW_GEOM_MESH_H

#include "geom/csg.h"

typedef struct {
	uint32_t vertex;
	mw_vec3 normal; /* set by mw_mesh_normals */
	mw_vec2 uv;     /* the caller's */
} mw_mesh_corner;

/* Corners run counter-clockwise seen from the front. */
typedef struct {
	uint32_t first, count; /* of mw_mesh.corner */
	uint32_t tag;          /* the caller's */
	uint32_t smooth;       /* smoothing group; 0: flat */
	mw_vec3 normal;        /* unit, of the whole polygon */
} mw_mesh_poly;

/* Zeroed is empty. */
typedef struct {
	MW_ARRAY(mw_vec3) vertex;
	MW_ARRAY(mw_mesh_corner) corner;
	MW_ARRAY(mw_mesh_poly) poly;
} mw_mesh;

void mw_mesh_free(mw_ctx *cx, mw_mesh *m);

/* Append a polygon over n new vertices. uv: n, or NULL. Its normal is Newell's. MW_EINVALID for
 * fewer than 3 points. */
MW_NODISCARD mw_code mw_mesh_add(mw_ctx *cx, mw_mesh *m, const mw_vec3 *p, const mw_vec2 *uv,
	uint32_t n, uint32_t tag, uint32_t smooth);

/* Append a polygon over vertices that are there. [vertex: n, each < m->vertex.n] */
MW_NODISCARD mw_code mw_mesh_add_indexed(mw_ctx *cx, mw_mesh *m, const uint32_t *vertex,
	const mw_vec2 *uv, uint32_t n, uint32_t tag, uint32_t smooth);

/* Append exact polygons; the normal is their plane's. Corners that are one point share a vertex,
 * and one that lies on an edge of another polygon becomes a corner of that too where the edges of a
 * closed surface need it: both are decided on the planes. What is closed (as the union of brushes
 * is) has no open edges then, and welding and T-junction repair of any tolerance leave it so. */
MW_NODISCARD mw_code mw_mesh_add_faces(
	mw_ctx *cx, mw_mesh *m, const mw_planes *t, const mw_face *face, size_t n);

/* Let vertices within tolerance of one another be one: the earliest stands for those near it, so
 * clusters cannot drift. Polygons that it presses together fall apart at corners they touch, and
 * what has fewer than 3 left is dropped; edges keep their partners. Unused vertices go. [tolerance:
 * >= 0, 0: equal coordinates] */
MW_NODISCARD mw_code mw_mesh_weld(mw_ctx *cx, mw_mesh *m, double tolerance);

/* Put every vertex that lies within tolerance of an edge, between its ends, into that edge; texture
 * coordinates in between. Slivers thinner than that are pressed together as by welding. Weld first.
 * *added: corners put in, may be NULL. */
MW_NODISCARD mw_code mw_mesh_fix_tjunctions(
	mw_ctx *cx, mw_mesh *m, double tolerance, uint32_t *added);

/* Corner normals: polygons of one non-zero smoothing group that share a vertex get the mean of
 * their normals, weighted by the angle at it; all others their own. */
MW_NODISCARD mw_code mw_mesh_normals(mw_ctx *cx, mw_mesh *m);

typedef MW_ARRAY(uint32_t) mw_mesh_indices;

/* Triangles of polygon i as corner indices, three each, appended. Any simple polygon: ears are cut
 * where they are best shaped, so corners in the middle of an edge give no triangle without area.
 * Together they have the edges of the polygon, even where it crosses itself by a little; only one
 * whose corners are all on a line gives nothing. */
MW_NODISCARD mw_code mw_mesh_triangles(
	mw_ctx *cx, const mw_mesh *m, uint32_t i, mw_mesh_indices *out);

/* How many directed edges have no partner running the other way: 0 for a closed mesh. */
MW_NODISCARD mw_code mw_mesh_open_edges(mw_ctx *cx, const mw_mesh *m, uint32_t *open);

/* How far a corner of polygon i is from the plane in the middle of them, at most, and which. */
double mw_mesh_bend(const mw_mesh *m, uint32_t i, mw_vec3 *corner);

/* Bits of what keeps polygon i from being convex and flat within a distance and an angle
 * [unit: degree]: 1 not planar, 2 not convex, 4 no area. */
int mw_mesh_flaws(const mw_mesh *m, uint32_t i, double distance, double angle);

mw_aabb mw_mesh_bounds(const mw_mesh *m);

#endif

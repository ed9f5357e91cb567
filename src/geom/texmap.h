/* Texture projections: an affine map from space to texture coordinates, and the ways in which level
 * formats write it down. The coordinates are texels or repeats as the caller has it. */
#ifndef MW_GEOM_TEXMAP_H
#define MW_GEOM_TEXMAP_H

#include "geom/vec.h"

/* u = dot(p, u.xyz) + u0, v likewise. */
typedef struct {
	mw_vec3 u, v;
	double u0, v0;
} mw_texmap;

/* Offset, scale and turn as formats have them. scale: space units for one texture unit along the
 * axis; 0 counts as 1. rotation: degrees. */
typedef struct {
	double offset[2];
	double scale[2];
	double rotation;
} mw_texset;

static inline mw_vec2 mw_texmap_at(const mw_texmap *m, mw_vec3 p)
{
	return mw_v2(mw_dot3(m->u, p) + m->u0, mw_dot3(m->v, p) + m->v0);
}

/* The axes that classic Quake gives a face of this normal (Z up): by the first greatest of the
 * normal's parts in the order +z -z +x -x +y -y. (id QBSP MAP.C TextureAxisFromPlane) */
void mw_texmap_quake_axes(mw_vec3 normal, mw_vec3 *u, mw_vec3 *v);

/* Classic: those axes turned within their plane, divided by the scale, plus the offset. */
mw_texmap mw_texmap_classic(mw_vec3 normal, const mw_texset *s);

/* Valve 220: axes as written (any length; the rotation number is not used), divided by the scale,
 * plus offsets. */
mw_texmap mw_texmap_valve(mw_vec3 u, double u0, mw_vec3 v, double v0, const double scale[2]);

/* Box: axes by the dominant part of the normal in our space (Y up; ties Y, X, Z): Y u=+X v=+Z,
 * X u=-Z v=-Y, Z u=+X v=-Y; turned by +rotation, divided by the scale, plus the offset. */
void mw_texmap_box_axes(mw_vec3 normal, mw_vec3 *u, mw_vec3 *v);
mw_texmap mw_texmap_box(mw_vec3 normal, const mw_texset *s);

/* Face: axes within the face's plane, u level and v down the slope (Y up; for level faces as box),
 * measured from origin. */
mw_texmap mw_texmap_face(mw_vec3 normal, mw_vec3 origin, const mw_texset *s);

/* The map for which texture coordinates at three points are as given; false for points on a line.
 * It is level across the plane: nothing changes along the normal. */
bool mw_texmap_fit(const mw_vec3 p[3], const mw_vec2 uv[3], mw_texmap *out);

/* Texture lock: the map that gives m * p what t gave p. false when m flattens space. */
bool mw_texmap_transform(const mw_texmap *t, const mw_mat *m, mw_texmap *out);

/* Whether textures show on a face of this normal: the axes are not parallel and the normal is not
 * in their span (cosine above 1e-4). */
bool mw_texmap_is_valid(const mw_texmap *t, mw_vec3 normal);

/* How the map is written for the face normal n, plane dot(n, p) = d (n need not be unit length):
 * exact on that plane when the result is true, that is when the axes as projected are at right
 * angles within tolerance [range: about 1e-9]; the nearest such otherwise. */
bool mw_texmap_to_classic(
	const mw_texmap *t, mw_vec3 n, double d, double tolerance, mw_texset *out);
bool mw_texmap_to_box(const mw_texmap *t, mw_vec3 n, double d, double tolerance, mw_texset *out);

/* Valve axes of unit length with the scales that go with them; always exact. Rotation is 0. */
void mw_texmap_to_valve(const mw_texmap *t, mw_vec3 *u, mw_vec3 *v, mw_texset *out);

#endif

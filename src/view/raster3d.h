/* Triangles seen from somewhere: a software renderer with a z-buffer, for pictures of levels. */
#ifndef MW_VIEW_RASTER3D_H
#define MW_VIEW_RASTER3D_H

#include "geom/vec.h"
#include "raster/image.h"

/* How a surface looks: a texture, or a check of its colour where there is none. */
typedef struct {
	uint8_t rgb[3];
	const mw_image *texture; /* repeated; may be NULL [borrowed] */
	bool cut;                /* hatched in rgb, not lit: where solids are cut open */
} mw_surface3d;

/* Counter-clockwise seen from the front. uv: in repeats. Bit i of edges: the edge from corner i to
 * the next is one of the polygon it is part of, and is drawn. */
typedef struct {
	mw_vec3 p[3];
	mw_vec2 uv[3];
	uint32_t surface;
	uint8_t edges;
	bool lit;          /* by light; else by a lamp behind the viewer */
	float light[3][3]; /* red, green, blue at each corner [range: 0..1] */
} mw_triangle3d;

/* Where from. right, up and back are unit vectors at right angles; what is seen lies along -back.
 */
typedef struct {
	mw_vec3 eye, right, up, back;
	bool perspective;
	double reach; /* half the height of what is seen: [unit: scene unit] for orthographic views,
		       * the tangent of half the angle for perspective ones [range: > 0] */
	double near;  /* nothing closer to the eye is drawn: brushes are seen cut open there */
	double far;
} mw_camera3d;

typedef struct {
	const mw_triangle3d *triangle;
	size_t triangles;
	const mw_surface3d *surface;
	size_t surfaces;
	mw_camera3d camera;
	uint8_t background[3];
} mw_picture3d;

/* A camera that sees the whole of a box: from above (north is up), from the south, from the east.
 * aspect: width over height of the picture. [what: 't', 'f', 's'] */
mw_camera3d mw_camera3d_over(const mw_aabb *box, char what, double aspect);
/* From outside, above the south-east corner, so that the whole box is seen. */
mw_camera3d mw_camera3d_outside(const mw_aabb *box, double aspect);
/* As somebody stands there and looks: yaw and pitch in degrees, -Z ahead at 0, yaw turns to -X. */
mw_camera3d mw_camera3d_at(mw_vec3 eye, double yaw, double pitch, double far);

/* Draw into out (empty), w x h pixels. Light falls from above and behind the viewer's left unless a
 * triangle brings its own; backs of triangles are hatched in one colour, so that holes show.
 * [range: w, h 16..8192] MW_ERANGE, MW_ENOMEM, MW_EINVALID for a surface that is not there
 * [owned: caller, mw_image_free] */
MW_NODISCARD mw_code mw_raster3d_draw(
	mw_ctx *cx, mw_image *out, const mw_picture3d *picture, uint32_t w, uint32_t h);

#endif

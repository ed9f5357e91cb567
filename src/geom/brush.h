/* Brushes: sets of planes whose common back is solid, and the polytopes that they bound. */
#ifndef MW_GEOM_BRUSH_H
#define MW_GEOM_BRUSH_H

#include "geom/poly.h"

#define MW_TAG_NONE UINT32_MAX

/* One side of a brush. tag: the caller's index of whatever hangs on the face (texture, flags). */
typedef struct {
	mw_plane_id plane;
	uint32_t tag;
} mw_side;

typedef struct {
	uint32_t first, count; /* of mw_brushes.side */
	uint32_t contents;     /* the caller's bits; ranked by mw_rank_of when faces are hidden */
	uint32_t tag;          /* the caller's: where the brush came from */
} mw_brush;

/* A list of brushes; zeroed is empty. */
typedef struct {
	MW_ARRAY(mw_side) side;
	MW_ARRAY(mw_brush) brush;
} mw_brushes;

/* First of the sides of a brush of b; NULL when it has none. */
static inline const mw_side *mw_brush_sides(const mw_brushes *b, const mw_brush *br)
{
	return br->count ? b->side.v + br->first : NULL;
}

void mw_brushes_free(mw_ctx *cx, mw_brushes *b);
/* Append a brush over n sides (copied). */
MW_NODISCARD mw_code mw_brushes_add(mw_ctx *cx, mw_brushes *b, const mw_side *side, uint32_t n,
	uint32_t contents, uint32_t tag);
/* Append brush i of from. */
MW_NODISCARD mw_code mw_brushes_copy(mw_ctx *cx, mw_brushes *b, const mw_brushes *from, uint32_t i);

typedef enum {
	MW_CLOSED, /* bounded, with an inside */
	MW_EMPTY,  /* no point lies behind every plane */
	MW_OPEN    /* not bounded (or reaching beyond MW_WORLD) */
} mw_closure;

/* The polytope of a brush: its faces in the order of its sides, those without area left out.
 * box contains the exact polytope. n == 0: empty. */
typedef struct {
	uint32_t n;
	mw_poly *face; /* [owned: arena] */
	mw_aabb box;
} mw_solid;

/* Faces of the sides. Of equal planes the first counts. For MW_OPEN *out holds what is inside the
 * world, for MW_EMPTY nothing. */
MW_NODISCARD mw_code mw_solid_make(mw_arena *arena, const mw_planes *t, const mw_side *side,
	uint32_t n, mw_solid *out, mw_closure *how);

/* The polytopes of all brushes of a list; those not MW_CLOSED come out with n == 0.
 * [out, how: b->brush.n; how may be NULL] */
MW_NODISCARD mw_code mw_solids_make(
	mw_arena *arena, const mw_planes *t, const mw_brushes *b, mw_solid *out, mw_closure *how);

/* Bits: 1 when some part lies strictly in front of q, 2 when some lies strictly behind. Exact. */
int mw_solid_side(const mw_planes *t, const mw_solid *s, mw_plane_id q);

/* Cut by q; front and back may be NULL; a part without an inside is empty. The new faces lie on q
 * and carry cap_tag. Faces are shared with s where they are not cut. */
MW_NODISCARD mw_code mw_solid_split(mw_arena *arena, const mw_planes *t, const mw_solid *s,
	mw_plane_id q, uint32_t cap_tag, mw_solid *front, mw_solid *back);

/* Append as a brush: one side for each face. */
MW_NODISCARD mw_code mw_solid_to_brush(
	mw_ctx *cx, const mw_solid *s, uint32_t contents, uint32_t tag, mw_brushes *out);

double mw_solid_volume(const mw_solid *s);
double mw_solid_area(const mw_solid *s);
mw_vec3 mw_solid_centre(const mw_solid *s); /* of mass */

/* Whether p lies strictly behind every side. Exact, the doubles taken as they are. */
bool mw_brush_contains(const mw_planes *t, const mw_brushes *b, uint32_t i, const mw_vec3 *p);

/* Map every plane of b by m and append the brushes to out, tags kept. A mirror keeps solids solid.
 * The new planes are rounded to doubles once and exact from then on; translations keep normals, and
 * axial planes stay axial under quarter turns. MW_EINVALID when m flattens space. */
MW_NODISCARD mw_code mw_brushes_transform(
	mw_ctx *cx, mw_planes *t, const mw_brushes *b, const mw_mat *m, mw_brushes *out);

/* What keeps a box sweep from catching on corners: planes that touch the solid and cut nothing off.
 * AXIAL adds the missing planes of the box, EDGE also those through edges along an axis crossed
 * with each edge (they are exact for sweeps of a box). */
typedef enum { MW_BEVEL_NONE, MW_BEVEL_AXIAL, MW_BEVEL_EDGE } mw_bevel;

/* Append the sides of s and its bevels (tag MW_TAG_NONE). Every bevel is proved to lie outside. */
MW_NODISCARD mw_code mw_solid_bevel(mw_ctx *cx, mw_planes *t, const mw_solid *s, mw_bevel what,
	uint32_t contents, uint32_t tag, mw_brushes *out);

/* What box sweeps are asked of: append every brush of b to out, with its contents and tag, those
 * that are closed as mw_solid_bevel has them, sides that bound nothing left out; the others, and
 * those of more than 1024 faces, as they are. A point is in the same brushes as before.
 * [solid: from mw_solids_make of b] */
MW_NODISCARD mw_code mw_brushes_bevel(mw_ctx *cx, mw_planes *t, const mw_brushes *b,
	const mw_solid *solid, mw_bevel what, mw_brushes *out);

#endif

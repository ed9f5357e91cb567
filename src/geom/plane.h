/* The plane table: every plane of a piece of work, numbered exactly, and the predicates on them.
 *
 * Planes are the only primary data of this layer. Their coefficients are exact integers (the values
 * of the doubles that came in, brought to a common denominator and divided by their greatest common
 * divisor), so two planes are the same plane exactly when they have the same number. A vertex is
 * never stored as truth: it is a triple of planes, and every decision is the sign of a determinant
 * of plane coefficients, computed in doubles with an error bound, then in 128 bits, then in as many
 * bits as it takes. */
#ifndef MW_GEOM_PLANE_H
#define MW_GEOM_PLANE_H

#include "base/mem.h"
#include "geom/vec.h"

/* 2 * index + (1 when it faces against the table's own orientation); id ^ 1 is the same plane
 * facing the other way. Index order is the order of first appearance. */
typedef uint32_t mw_plane_id;
#define MW_PLANE_NONE UINT32_MAX
#define MW_PLANE_INDEX(id) ((id) >> 1)

/* Points with |coordinate| up to this are inside the world; it is bounded by the six planes of
 * index 0..5 (x max, x min, y max ... each facing outwards at even ids). What reaches further is
 * open. */
#define MW_WORLD 1099511627776.0
#define MW_WORLD_PLANES 6

/* The solid is where dot(n, p) < d. */
typedef struct {
	mw_vec3 n; /* unit length; each part within 4 units in the last place of the exact plane's
		    */
	double d;  /* [unit: scene unit] likewise */
} mw_plane;

typedef struct {
	int64_t c[4];     /* a b c d of a x + b y + c z = d; used unless wide */
	uint32_t at;      /* wide: first limb */
	int32_t limbs[4]; /* wide: signed number of limbs of each */
	uint32_t nbits;   /* length of the longest of a b c */
	uint32_t dbits;   /* length of d */
	int8_t axis;      /* 0..2: the normal is that axis, and d is exact in a double; else -1 */
	bool wide;
} mw_plane_exact;

typedef struct {
	MW_ARRAY(mw_plane) unit;
	MW_ARRAY(mw_plane_exact) exact;
	MW_ARRAY(uint64_t) limb;
	uint32_t *slot; /* open addressing: index + 1 */
	uint32_t slots;
} mw_planes;

/* Make a table that holds the world planes. Zeroed is valid for mw_planes_free. */
MW_NODISCARD mw_code mw_planes_init(mw_ctx *cx, mw_planes *t);
void mw_planes_free(mw_ctx *cx, mw_planes *t);

/* The plane through three points, facing along (p0 - p1) x (p2 - p1): the points run clockwise seen
 * from its front. *id is MW_PLANE_NONE when they lie on one line. MW_ERANGE for a coordinate that
 * is not finite. */
MW_NODISCARD mw_code mw_planes_add_points(
	mw_ctx *cx, mw_planes *t, mw_plane_id *id, const mw_vec3 p[3]);

/* The plane dot(n, p) = d; n of any length. *id is MW_PLANE_NONE for a zero normal. MW_ERANGE for a
 * number that is not finite. */
MW_NODISCARD mw_code mw_planes_add(mw_ctx *cx, mw_planes *t, mw_plane_id *id, mw_vec3 n, double d);

/* Find without adding; MW_PLANE_NONE when absent or when a number is not usable. */
mw_plane_id mw_planes_find(const mw_planes *t, mw_vec3 n, double d);

static inline mw_plane mw_planes_get(const mw_planes *t, mw_plane_id id)
{
	mw_plane p = t->unit.v[MW_PLANE_INDEX(id)];
	if (id & 1) {
		/* 0 - x rather than -x: no negative zeros in what is written later */
		p.n = mw_v3(0 - p.n.x, 0 - p.n.y, 0 - p.n.z);
		p.d = 0 - p.d;
	}
	return p;
}

/* As mw_planes_get, but with the exact integer coefficients (any length of n) where doubles hold
 * them. */
mw_plane mw_planes_raw(const mw_planes *t, mw_plane_id id);

static inline bool mw_planes_is_world(mw_plane_id id)
{
	return MW_PLANE_INDEX(id) < MW_WORLD_PLANES;
}

/* For each index of t (remap: t->unit.n ids) the id that stands for its even id: itself, or that of
 * an earlier plane whose normal differs by at most normal_eps in each part and whose distance by at
 * most dist_eps, facing either way. Returns how many were replaced in *merged. This moves input: it
 * is never done unasked. */
MW_NODISCARD mw_code mw_planes_merge_near(mw_ctx *cx, const mw_planes *t, double normal_eps,
	double dist_eps, mw_plane_id *remap, uint32_t *merged);

/* Sign of det(na, nb, nc): 0 when the three planes do not meet in exactly one point. Exact. */
int mw_planes_det(const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c);

/* Where three planes meet: *at rounded, *err a bound on the error of each coordinate. False when
 * they do not meet in one point. */
bool mw_planes_vertex(
	const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c, mw_vec3 *at, double *err);

/* Side of q on which the meeting point of a, b, c lies: 1 front, 0 on it, -1 behind. Exact. The
 * three must meet in one point. */
int mw_planes_side(const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c, mw_plane_id q);

/* As mw_planes_side, given what mw_planes_vertex said of that point. */
int mw_planes_side_of(const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c,
	const mw_vec3 *at, double err, mw_plane_id q);

/* Side of q on which a point lies, the doubles taken as exact. */
int mw_planes_side_point(const mw_planes *t, const mw_vec3 *p, mw_plane_id q);

#endif

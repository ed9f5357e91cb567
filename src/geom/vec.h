/* Vectors, boxes and affine maps in double precision; everything inline, nothing can fail. */
#ifndef MW_GEOM_VEC_H
#define MW_GEOM_VEC_H

#include "base/mw.h"

#include <math.h>

typedef union {
	struct {
		double x, y;
	};
	double v[2];
} mw_vec2;

typedef union {
	struct {
		double x, y, z;
	};
	double v[3];
} mw_vec3;

/* min > max in any axis: empty. */
typedef struct {
	mw_vec3 min, max;
} mw_aabb;

/* Affine map, rows: p' = (m[r][0] x + m[r][1] y + m[r][2] z + m[r][3]) for r = 0..2. */
typedef struct {
	double m[3][4];
} mw_mat;

/* The nearest float32, as a double; 0 for what is too small, never -0. By way of memory: gcc 12
 * joins neighbouring conversions to float and back into vector code that leaves the rounding out.
 */
static inline double mw_single(double v)
{
	volatile float f = (float)v;
	return (double)f + 0.0;
}

static inline mw_vec2 mw_v2(double x, double y)
{
	mw_vec2 r;
	r.x = x;
	r.y = y;
	return r;
}

static inline mw_vec3 mw_v3(double x, double y, double z)
{
	mw_vec3 r;
	r.x = x;
	r.y = y;
	r.z = z;
	return r;
}

static inline mw_vec3 mw_add3(mw_vec3 a, mw_vec3 b)
{
	return mw_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline mw_vec3 mw_sub3(mw_vec3 a, mw_vec3 b)
{
	return mw_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline mw_vec3 mw_scale3(mw_vec3 a, double s)
{
	return mw_v3(a.x * s, a.y * s, a.z * s);
}

/* a + b * s */
static inline mw_vec3 mw_along3(mw_vec3 a, mw_vec3 b, double s)
{
	return mw_v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline double mw_dot3(mw_vec3 a, mw_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mw_vec3 mw_cross3(mw_vec3 a, mw_vec3 b)
{
	return mw_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double mw_len3(mw_vec3 a)
{
	return sqrt(mw_dot3(a, a));
}

/* The zero vector stays zero. */
static inline mw_vec3 mw_unit3(mw_vec3 a)
{
	double l = mw_len3(a);
	return l > 0 ? mw_scale3(a, 1 / l) : a;
}

static inline bool mw_finite3(mw_vec3 a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline bool mw_eq3(mw_vec3 a, mw_vec3 b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline mw_aabb mw_aabb_empty(void)
{
	mw_aabb b;
	b.min = mw_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
	b.max = mw_v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
	return b;
}

static inline bool mw_aabb_is_empty(const mw_aabb *b)
{
	return !(b->min.x <= b->max.x && b->min.y <= b->max.y && b->min.z <= b->max.z);
}

/* Grow by a point with a margin [range: margin >= 0]. */
static inline void mw_aabb_add(mw_aabb *b, mw_vec3 p, double margin)
{
	for (int i = 0; i < 3; i++) {
		if (p.v[i] - margin < b->min.v[i])
			b->min.v[i] = p.v[i] - margin;
		if (p.v[i] + margin > b->max.v[i])
			b->max.v[i] = p.v[i] + margin;
	}
}

static inline void mw_aabb_join(mw_aabb *b, const mw_aabb *o)
{
	for (int i = 0; i < 3; i++) {
		if (o->min.v[i] < b->min.v[i])
			b->min.v[i] = o->min.v[i];
		if (o->max.v[i] > b->max.v[i])
			b->max.v[i] = o->max.v[i];
	}
}

/* Whether the closed boxes share a point. */
static inline bool mw_aabb_touch(const mw_aabb *a, const mw_aabb *b)
{
	return a->min.x <= b->max.x && a->max.x >= b->min.x && a->min.y <= b->max.y &&
		a->max.y >= b->min.y && a->min.z <= b->max.z && a->max.z >= b->min.z;
}

/* Surface area; 0 when empty. */
static inline double mw_aabb_area(const mw_aabb *b)
{
	if (mw_aabb_is_empty(b))
		return 0;
	mw_vec3 s = mw_sub3(b->max, b->min);
	return 2 * (s.x * s.y + s.y * s.z + s.z * s.x);
}

static inline mw_mat mw_mat_identity(void)
{
	mw_mat r = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
	return r;
}

static inline mw_vec3 mw_mat_point(const mw_mat *m, mw_vec3 p)
{
	mw_vec3 r;
	for (int i = 0; i < 3; i++)
		r.v[i] = m->m[i][0] * p.x + m->m[i][1] * p.y + m->m[i][2] * p.z + m->m[i][3];
	return r;
}

/* As mw_mat_point, without the translation. */
static inline mw_vec3 mw_mat_dir(const mw_mat *m, mw_vec3 p)
{
	mw_vec3 r;
	for (int i = 0; i < 3; i++)
		r.v[i] = m->m[i][0] * p.x + m->m[i][1] * p.y + m->m[i][2] * p.z;
	return r;
}

/* a after b. */
static inline mw_mat mw_mat_mul(const mw_mat *a, const mw_mat *b)
{
	mw_mat r;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 4; j++)
			r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] +
				a->m[i][2] * b->m[2][j] + (j == 3 ? a->m[i][3] : 0);
	return r;
}

static inline double mw_mat_det(const mw_mat *a)
{
	return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) -
		a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
		a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}

/* Cofactors of the linear part: maps normals (not unit length); also right for mirrors. */
static inline mw_vec3 mw_mat_normal(const mw_mat *a, mw_vec3 n)
{
	mw_vec3 r0 = mw_v3(a->m[0][0], a->m[0][1], a->m[0][2]);
	mw_vec3 r1 = mw_v3(a->m[1][0], a->m[1][1], a->m[1][2]);
	mw_vec3 r2 = mw_v3(a->m[2][0], a->m[2][1], a->m[2][2]);
	double s = mw_mat_det(a) < 0 ? -1 : 1;
	mw_vec3 q = mw_v3(mw_dot3(mw_cross3(r1, r2), n), mw_dot3(mw_cross3(r2, r0), n),
		mw_dot3(mw_cross3(r0, r1), n));
	return mw_scale3(q, s);
}

/* false (and *out untouched) when a flattens space. */
static inline bool mw_mat_invert(const mw_mat *a, mw_mat *out)
{
	double det = mw_mat_det(a);
	if (!(fabs(det) > 0) || !isfinite(1 / det))
		return false;
	mw_mat r;
	for (int i = 0; i < 3; i++) {
		int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
		for (int j = 0; j < 3; j++) {
			int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
			r.m[j][i] =
				(a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1]) / det;
		}
	}
	for (int i = 0; i < 3; i++)
		r.m[i][3] =
			-(r.m[i][0] * a->m[0][3] + r.m[i][1] * a->m[1][3] + r.m[i][2] * a->m[2][3]);
	*out = r;
	return true;
}

#endif

/* Predicates on planes: doubles with an error bound, then 128 bits, then as many as it takes. */
#include "geom/plane.h"

#include "geom/internal.h"

#include <string.h>

/* 2^-53 */
#define U 1.1102230246251565e-16

void mw__plane_coef(const mw_planes *t, uint32_t index, int k, mw_big *r)
{
	const mw_plane_exact *e = &t->exact.v[index];
	if (!e->wide) {
		mw_big_set_i64(r, e->c[k]);
		return;
	}
	uint32_t at = e->at;
	for (int i = 0; i < k; i++)
		at += (uint32_t)(e->limbs[i] < 0 ? -e->limbs[i] : e->limbs[i]);
	int32_t n = e->limbs[k];
	r->sign = n < 0 ? -1 : n > 0;
	r->n = (uint32_t)(n < 0 ? -n : n);
	if (r->n)
		memcpy(r->w, t->limb.v + at, r->n * sizeof r->w[0]);
}

/* Meeting point of three planes in homogeneous coordinates: x[3] / w. */
typedef struct {
	mw_big x[3], w;
} big_point;

static void meet_big(const mw_planes *t, const uint32_t i[3], big_point *r)
{
	mw_big c[3][4], m, p, q;
	for (int k = 0; k < 3; k++)
		for (int j = 0; j < 4; j++)
			mw__plane_coef(t, i[k], j, &c[k][j]);
	for (int j = 0; j < 3; j++)
		mw_big_set_i64(&r->x[j], 0);
	mw_big_set_i64(&r->w, 0);
	for (int k = 0; k < 3; k++) {
		const mw_big *a = c[(k + 1) % 3], *b = c[(k + 2) % 3];
		for (int j = 0; j < 3; j++) {
			int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
			mw_big_mul(&p, &a[j1], &b[j2]);
			mw_big_mul(&q, &a[j2], &b[j1]);
			mw_big_sub(&m, &p, &q);
			mw_big_mul(&p, &m, &c[k][3]);
			mw_big_add(&r->x[j], &r->x[j], &p);
			if (k == 0) {
				mw_big_mul(&p, &m, &c[0][j]);
				mw_big_add(&r->w, &r->w, &p);
			}
		}
	}
}

typedef struct {
	mw_i128 x[3], w;
} small_point;

static void meet_small(const mw_planes *t, const uint32_t i[3], small_point *r)
{
	r->x[0] = r->x[1] = r->x[2] = r->w = 0;
	for (int k = 0; k < 3; k++) {
		const int64_t *a = t->exact.v[i[(k + 1) % 3]].c, *b = t->exact.v[i[(k + 2) % 3]].c;
		const int64_t *own = t->exact.v[i[k]].c;
		for (int j = 0; j < 3; j++) {
			int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
			mw_i128 m = (mw_i128)a[j1] * b[j2] - (mw_i128)a[j2] * b[j1];
			r->x[j] += m * own[3];
			if (k == 0)
				r->w += m * own[j];
		}
	}
}

/* Whether every step of a side test with these planes stays below 2^127: at most 24 products of
 * three normals and a distance. */
static bool small_enough(const mw_planes *t, const uint32_t *i, int n)
{
	uint32_t nb = 0, db = 0;
	for (int k = 0; k < n; k++) {
		const mw_plane_exact *e = &t->exact.v[i[k]];
		if (e->wide)
			return false;
		nb = e->nbits > nb ? e->nbits : nb;
		db = e->dbits > db ? e->dbits : db;
	}
	db = db > nb ? db : nb;
	return 3 * nb + db + 5 <= 126;
}

int mw_planes_det(const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c)
{
	uint32_t i[3] = {MW_PLANE_INDEX(a), MW_PLANE_INDEX(b), MW_PLANE_INDEX(c)};
	int flip = ((a ^ b ^ c) & 1) ? -1 : 1;
	const mw_vec3 *na = &t->unit.v[i[0]].n, *nb = &t->unit.v[i[1]].n, *nc = &t->unit.v[i[2]].n;
	double w = mw_dot3(*na, mw_cross3(*nb, *nc));
	if (w > 64 * U || w < -64 * U)
		return w > 0 ? flip : -flip;
	if (small_enough(t, i, 3)) {
		small_point s;
		meet_small(t, i, &s);
		return s.w > 0 ? flip : s.w < 0 ? -flip : 0;
	}
	big_point p;
	meet_big(t, i, &p);
	return p.w.sign * flip;
}

static bool vertex_exact(const mw_planes *t, const uint32_t i[3], mw_vec3 *at, double *err)
{
	double m = 0;
	if (small_enough(t, i, 3)) {
		small_point s;
		meet_small(t, i, &s);
		if (s.w == 0)
			return false;
		for (int j = 0; j < 3; j++)
			at->v[j] = (double)s.x[j] / (double)s.w;
	} else {
		big_point p;
		meet_big(t, i, &p);
		if (p.w.sign == 0)
			return false;
		int ew, ex;
		double w = mw_big_frexp(&p.w, &ew);
		for (int j = 0; j < 3; j++) {
			double x = mw_big_frexp(&p.x[j], &ex);
			at->v[j] = x != 0 ? ldexp(x / w, ex - ew) : 0;
		}
	}
	for (int j = 0; j < 3; j++)
		m = fabs(at->v[j]) > m ? fabs(at->v[j]) : m;
	*err = 8 * U * m + 1e-300;
	return true;
}

bool mw_planes_vertex(
	const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c, mw_vec3 *at, double *err)
{
	uint32_t i[3] = {MW_PLANE_INDEX(a), MW_PLANE_INDEX(b), MW_PLANE_INDEX(c)};
	int ax = t->exact.v[i[0]].axis, bx = t->exact.v[i[1]].axis, cx = t->exact.v[i[2]].axis;
	const mw_plane *pa = &t->unit.v[i[0]], *pb = &t->unit.v[i[1]], *pc = &t->unit.v[i[2]];
	if (ax >= 0 && bx >= 0 && cx >= 0) {
		if (ax == bx || bx == cx || cx == ax)
			return false;
		at->v[ax] = pa->d;
		at->v[bx] = pb->d;
		at->v[cx] = pc->d;
		*err = 0;
		return true;
	}
	mw_vec3 bc = mw_cross3(pb->n, pc->n), ca = mw_cross3(pc->n, pa->n);
	mw_vec3 ab = mw_cross3(pa->n, pb->n);
	double w = mw_dot3(pa->n, bc), ew = 32 * U;
	double ex = 32 * U * (fabs(pa->d) + fabs(pb->d) + fabs(pc->d));
	if (fabs(w) > 1024 * U) {
		double m = 0;
		for (int j = 0; j < 3; j++) {
			at->v[j] = (pa->d * bc.v[j] + pb->d * ca.v[j] + pc->d * ab.v[j]) / w;
			m = fabs(at->v[j]) > m ? fabs(at->v[j]) : m;
		}
		double e = 1.01 * (ex + m * ew) / (fabs(w) - ew) + 4 * U * m + 1e-300;
		if (e <= 1e-10 * (1 + m)) {
			*err = e;
			return true;
		}
	}
	return vertex_exact(t, i, at, err);
}

void mw__planes_sharpen(
	const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c, mw_vec3 *at, double *err)
{
	uint32_t i[3] = {MW_PLANE_INDEX(a), MW_PLANE_INDEX(b), MW_PLANE_INDEX(c)};
	double m = fmax(fmax(fabs(at->x), fabs(at->y)), fabs(at->z));
	if (*err > 16 * U * m)
		(void)vertex_exact(t, i, at, err); /* they meet: it is a corner */
}

static int side_exact(const mw_planes *t, const uint32_t i[4])
{
	if (small_enough(t, i, 4)) {
		small_point s;
		meet_small(t, i, &s);
		const int64_t *q = t->exact.v[i[3]].c;
		mw_i128 v = s.x[0] * q[0] + s.x[1] * q[1] + s.x[2] * q[2] - s.w * q[3];
		int sign = v > 0 ? 1 : v < 0 ? -1 : 0;
		return s.w < 0 ? -sign : sign;
	}
	big_point p;
	meet_big(t, i, &p);
	mw_big q, m, sum;
	mw__plane_coef(t, i[3], 3, &q);
	mw_big_mul(&sum, &q, &p.w);
	sum.sign = -sum.sign;
	for (int j = 0; j < 3; j++) {
		mw__plane_coef(t, i[3], j, &q);
		mw_big_mul(&m, &q, &p.x[j]);
		mw_big_add(&sum, &sum, &m);
	}
	MW_ASSERT(p.w.sign != 0);
	return sum.sign * p.w.sign;
}

int mw_planes_side_of(const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c,
	const mw_vec3 *at, double err, mw_plane_id q)
{
	uint32_t i[4] = {
		MW_PLANE_INDEX(a), MW_PLANE_INDEX(b), MW_PLANE_INDEX(c), MW_PLANE_INDEX(q)};
	if (i[3] == i[0] || i[3] == i[1] || i[3] == i[2])
		return 0;
	int flip = q & 1 ? -1 : 1;
	const mw_plane *p = &t->unit.v[i[3]];
	int axis = t->exact.v[i[3]].axis;
	if (axis >= 0) {
		double s = at->v[axis] - p->d;
		if (err == 0)
			return s > 0 ? flip : s < 0 ? -flip : 0;
		double e = err + 4 * U * (fabs(at->v[axis]) + fabs(p->d));
		if (s > e || s < -e)
			return s > 0 ? flip : -flip;
		return flip * side_exact(t, i);
	}
	double x = p->n.x * at->x, y = p->n.y * at->y, z = p->n.z * at->z;
	double s = x + y + z - p->d;
	double e = 1.01 * err * (fabs(p->n.x) + fabs(p->n.y) + fabs(p->n.z)) +
		20 * U * (fabs(x) + fabs(y) + fabs(z) + fabs(p->d)) + 1e-290;
	if (s > e || s < -e)
		return s > 0 ? flip : -flip;
	return flip * side_exact(t, i);
}

int mw_planes_side(const mw_planes *t, mw_plane_id a, mw_plane_id b, mw_plane_id c, mw_plane_id q)
{
	mw_vec3 at;
	double err;
	if (!mw_planes_vertex(t, a, b, c, &at, &err))
		return 0;
	return mw_planes_side_of(t, a, b, c, &at, err, q);
}

int mw_planes_side_point(const mw_planes *t, const mw_vec3 *v, mw_plane_id q)
{
	uint32_t index = MW_PLANE_INDEX(q);
	const mw_plane *p = &t->unit.v[index];
	int flip = q & 1 ? -1 : 1;
	int axis = t->exact.v[index].axis;
	if (axis >= 0)
		return v->v[axis] > p->d ? flip : v->v[axis] < p->d ? -flip : 0;
	double x = p->n.x * v->x, y = p->n.y * v->y, z = p->n.z * v->z;
	double s = x + y + z - p->d;
	double e = 20 * U * (fabs(x) + fabs(y) + fabs(z) + fabs(p->d)) + 1e-290;
	if (s > e || s < -e)
		return s > 0 ? flip : -flip;
	if (!mw_finite3(*v))
		return flip; /* nowhere: in front of everything */
	int k = 0;
	for (int j = 0; j < 3; j++) {
		int sc = mw_big_scale_of(v->v[j]);
		k = sc > k ? sc : k;
	}
	mw_big c, m, w, sum;
	mw__plane_coef(t, index, 3, &c);
	mw_big_shl(&sum, &c, (uint32_t)k);
	sum.sign = -sum.sign;
	for (int j = 0; j < 3; j++) {
		mw__plane_coef(t, index, j, &c);
		mw_big_set_double(&w, v->v[j], k);
		mw_big_mul(&m, &c, &w);
		mw_big_add(&sum, &sum, &m);
	}
	return sum.sign * flip;
}

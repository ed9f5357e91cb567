/* Meshes for output: normals, triangles, checks. */
#include "geom/mesh.h"

#include "base/sort.h"

#include <string.h>

static mw_vec3 at(const mw_mesh *m, const mw_mesh_poly *p, uint32_t i)
{
	return m->vertex.v[m->corner.v[p->first + i].vertex];
}

mw_aabb mw_mesh_bounds(const mw_mesh *m)
{
	mw_aabb b = mw_aabb_empty();
	for (size_t i = 0; i < m->vertex.n; i++)
		mw_aabb_add(&b, m->vertex.v[i], 0);
	return b;
}

/* ---- normals --------------------------------------------------------------------------------- */

typedef struct {
	uint32_t vertex, smooth, corner;
	mw_vec3 weighted;
} share;

static int by_vertex(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	const share *x = a, *y = b;
	if (x->vertex != y->vertex)
		return x->vertex < y->vertex ? -1 : 1;
	if (x->smooth != y->smooth)
		return x->smooth < y->smooth ? -1 : 1;
	return x->corner < y->corner ? -1 : x->corner > y->corner;
}

static double angle_at(const mw_mesh *m, const mw_mesh_poly *p, uint32_t i)
{
	mw_vec3 o = at(m, p, i);
	mw_vec3 a = mw_unit3(mw_sub3(at(m, p, (i + 1) % p->count), o));
	mw_vec3 b = mw_unit3(mw_sub3(at(m, p, (i + p->count - 1) % p->count), o));
	return atan2(mw_len3(mw_cross3(a, b)), mw_dot3(a, b));
}

mw_code mw_mesh_normals(mw_ctx *cx, mw_mesh *m)
{
	MW_ARRAY(share) s = {0};
	mw_code rc = MW_OK;
	for (size_t i = 0; i < m->poly.n && !rc; i++) {
		const mw_mesh_poly *p = &m->poly.v[i];
		for (uint32_t k = 0; k < p->count && !rc; k++) {
			mw_mesh_corner *c = &m->corner.v[p->first + k];
			c->normal = p->normal;
			share x = {c->vertex, p->smooth, p->first + k,
				mw_scale3(p->normal, p->smooth ? angle_at(m, p, k) : 0)};
			if (p->smooth && !MW_PUSH(cx, &s, x))
				rc = MW_ENOMEM;
		}
	}
	if (!rc && s.n)
		rc = mw_sort(cx, s.v, s.n, sizeof *s.v, by_vertex, NULL);
	for (size_t lo = 0, hi; !rc && lo < s.n; lo = hi) {
		mw_vec3 sum = mw_v3(0, 0, 0);
		for (hi = lo; hi < s.n && s.v[hi].vertex == s.v[lo].vertex &&
			s.v[hi].smooth == s.v[lo].smooth;
			hi++)
			sum = mw_add3(sum, s.v[hi].weighted);
		/* opposite faces may cancel out: they keep their own */
		if (mw_len3(sum) > 1e-9)
			for (size_t i = lo; i < hi; i++)
				m->corner.v[s.v[i].corner].normal = mw_unit3(sum);
	}
	mw_free(cx, s.v);
	return rc;
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* Twice the area of a, b, c as seen along n. */
static double turn(mw_vec3 a, mw_vec3 b, mw_vec3 c, mw_vec3 n)
{
	return mw_dot3(mw_cross3(mw_sub3(b, a), mw_sub3(c, b)), n);
}

static bool blocks(mw_vec3 p, mw_vec3 a, mw_vec3 b, mw_vec3 c, mw_vec3 n)
{
	return turn(a, b, p, n) >= 0 && turn(b, c, p, n) >= 0 && turn(c, a, p, n) >= 0;
}

/* Shape of an ear: twice its area over the square of its longest side; negative when it is none. */
static double quality(const mw_mesh *m, const mw_mesh_poly *p, const uint32_t *left, uint32_t n,
	uint32_t i, mw_vec3 normal)
{
	uint32_t i0 = left[(i + n - 1) % n], i1 = left[i], i2 = left[(i + 1) % n];
	mw_vec3 a = at(m, p, i0), b = at(m, p, i1), c = at(m, p, i2);
	double area = turn(a, b, c, normal);
	mw_vec3 e[3] = {mw_sub3(b, a), mw_sub3(c, b), mw_sub3(a, c)};
	double longest = 0;
	for (int k = 0; k < 3; k++)
		longest = mw_dot3(e[k], e[k]) > longest ? mw_dot3(e[k], e[k]) : longest;
	if (!(area > longest * 1e-12))
		return -1;
	for (uint32_t k = 0; k < n; k++) {
		mw_vec3 q = at(m, p, left[k]);
		if (left[k] != i0 && left[k] != i1 && left[k] != i2 && !mw_eq3(q, a) &&
			!mw_eq3(q, b) && !mw_eq3(q, c) && blocks(q, a, b, c, normal))
			return -1;
	}
	return area / longest;
}

/* What is left has area again once its middle corners lie on one of its sides: an ear whose removal
 * leaves only corners on a line is to be avoided. */
static bool leaves_area(const mw_mesh *m, const mw_mesh_poly *p, const uint32_t *left, uint32_t n,
	uint32_t skip, mw_vec3 normal)
{
	uint32_t prev[2] = {0, 0};
	uint32_t seen = 0;
	for (uint32_t k = 0; k < n; k++) {
		if (k == skip)
			continue;
		mw_vec3 c = at(m, p, left[k]);
		if (seen >= 2) {
			mw_vec3 a = at(m, p, prev[0]), b = at(m, p, prev[1]);
			mw_vec3 d = mw_sub3(c, a);
			if (fabs(turn(a, b, c, normal)) > 1e-12 * mw_dot3(d, d))
				return true;
			prev[1] = left[k];
		} else {
			prev[seen] = left[k];
		}
		seen++;
	}
	return false;
}

mw_code mw_mesh_triangles(mw_ctx *cx, const mw_mesh *m, uint32_t i, mw_mesh_indices *out)
{
	const mw_mesh_poly *p = &m->poly.v[i];
	uint32_t n = p->count;
	uint32_t *left = mw_alloc_n(cx, (size_t)n + 1, sizeof *left);
	if (!left)
		return MW_ENOMEM;
	for (uint32_t k = 0; k < n; k++)
		left[k] = k;
	mw_code rc = MW_OK;
	while (n >= 3 && !rc) {
		uint32_t best = n;
		double q = -1;
		for (uint32_t k = 0; k < n; k++) {
			double x = quality(m, p, left, n, k, p->normal);
			if (x > q && (n == 3 || leaves_area(m, p, left, n, k, p->normal))) {
				q = x;
				best = k;
			}
		}
		if (best == n)
			break; /* no ear with area is left */
		uint32_t tri[3] = {left[(best + n - 1) % n], left[best], left[(best + 1) % n]};
		for (int k = 0; k < 3 && !rc; k++)
			if (!MW_PUSH(cx, out, p->first + tri[k]))
				rc = MW_ENOMEM;
		memmove(&left[best], &left[best + 1], (n - best - 1) * sizeof *left);
		n--;
	}
	mw_free(cx, left);
	return rc;
}

/* ---- checks ---------------------------------------------------------------------------------- */

typedef struct {
	uint32_t lo, hi;
	int32_t way;
} edge;

static int by_ends(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	const edge *x = a, *y = b;
	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->hi < y->hi ? -1 : x->hi > y->hi;
}

mw_code mw_mesh_open_edges(mw_ctx *cx, const mw_mesh *m, uint32_t *open)
{
	MW_ARRAY(edge) e = {0};
	mw_code rc = MW_OK;
	*open = 0;
	for (size_t i = 0; i < m->poly.n && !rc; i++) {
		const mw_mesh_poly *p = &m->poly.v[i];
		for (uint32_t k = 0; k < p->count && !rc; k++) {
			uint32_t a = m->corner.v[p->first + k].vertex;
			uint32_t b = m->corner.v[p->first + (k + 1) % p->count].vertex;
			edge x = {a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
			if (!MW_PUSH(cx, &e, x))
				rc = MW_ENOMEM;
		}
	}
	if (!rc && e.n)
		rc = mw_sort(cx, e.v, e.n, sizeof *e.v, by_ends, NULL);
	for (size_t lo = 0, hi; !rc && lo < e.n; lo = hi) {
		int32_t sum = 0;
		for (hi = lo; hi < e.n && by_ends(&e.v[lo], &e.v[hi], NULL) == 0; hi++)
			sum += e.v[hi].way;
		*open += (uint32_t)(sum < 0 ? -sum : sum);
	}
	mw_free(cx, e.v);
	return rc;
}

int mw_mesh_flaws(const mw_mesh *m, uint32_t i, double distance, double angle)
{
	const mw_mesh_poly *p = &m->poly.v[i];
	mw_vec3 sum = mw_v3(0, 0, 0), mean = sum;
	for (uint32_t k = 0; k < p->count; k++) {
		mean = mw_along3(mean, at(m, p, k), 1.0 / p->count);
		if (k >= 1 && k + 1 < p->count)
			sum = mw_add3(sum,
				mw_cross3(mw_sub3(at(m, p, k), at(m, p, 0)),
					mw_sub3(at(m, p, k + 1), at(m, p, 0))));
	}
	double area = mw_len3(sum);
	if (!(area > 0))
		return 4;
	mw_vec3 n = mw_scale3(sum, 1 / area);
	int flaws = 0;
	double least = -sin(angle * 0.017453292519943295);
	for (uint32_t k = 0; k < p->count; k++) {
		mw_vec3 a = at(m, p, (k + p->count - 1) % p->count), b = at(m, p, k);
		mw_vec3 c = at(m, p, (k + 1) % p->count);
		if (fabs(mw_dot3(n, mw_sub3(b, mean))) > distance)
			flaws |= 1;
		mw_vec3 u = mw_unit3(mw_sub3(b, a)), v = mw_unit3(mw_sub3(c, b));
		if (mw_dot3(mw_cross3(u, v), n) < least)
			flaws |= 2;
	}
	return flaws;
}

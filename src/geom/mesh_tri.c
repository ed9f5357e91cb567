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
	return turn(c, a, p, n) >= 0 && turn(a, b, p, n) >= 0 && turn(b, c, p, n) >= 0;
}

/* A corner that is left, and the shape of the ear at it: twice its area over the square of its
 * longest side; negative when it turns the wrong way or has no area. */
typedef struct {
	uint32_t corner;
	uint32_t refused; /* the round in which it was found to be no ear; 0: none */
	double quality;
} ear;

typedef struct {
	const mw_mesh *m;
	const mw_mesh_poly *p;
	ear *left;
	uint32_t n;
} cutting;

static mw_vec3 corner_at(const cutting *c, uint32_t k)
{
	return at(c->m, c->p, c->left[k].corner);
}

static void judge(const cutting *c, uint32_t k)
{
	uint32_t n = c->n;
	mw_vec3 p = corner_at(c, (k + n - 1) % n), q = corner_at(c, k);
	mw_vec3 r = corner_at(c, (k + 1) % n);
	double area = turn(p, q, r, c->p->normal);
	mw_vec3 e[3] = {mw_sub3(q, p), mw_sub3(r, q), mw_sub3(p, r)};
	double longest = 0;
	for (int i = 0; i < 3; i++)
		longest = mw_dot3(e[i], e[i]) > longest ? mw_dot3(e[i], e[i]) : longest;
	c->left[k].quality = area > longest * 1e-12 ? area / longest : -1;
}

/* Whether another corner lies in the ear at k. */
static bool is_blocked(const cutting *c, uint32_t k)
{
	uint32_t before = (k + c->n - 1) % c->n, after = (k + 1) % c->n;
	mw_vec3 p = corner_at(c, before), q = corner_at(c, k), r = corner_at(c, after);
	for (uint32_t i = 0; i < c->n; i++) {
		mw_vec3 x = corner_at(c, i);
		if (i != before && i != k && i != after && !mw_eq3(x, p) && !mw_eq3(x, q) &&
			!mw_eq3(x, r) && blocks(x, p, q, r, c->p->normal))
			return true;
	}
	return false;
}

/* What is left has area again once its middle corners lie on one of its sides: an ear whose removal
 * leaves only corners on a line is to be avoided. */
static bool leaves_area(const cutting *c, uint32_t skip)
{
	mw_vec3 prev[2] = {{{0, 0, 0}}, {{0, 0, 0}}};
	uint32_t seen = 0;
	for (uint32_t k = 0; k < c->n; k++) {
		if (k == skip)
			continue;
		mw_vec3 x = corner_at(c, k);
		if (seen >= 2) {
			mw_vec3 d = mw_sub3(x, prev[0]);
			if (fabs(turn(prev[0], prev[1], x, c->p->normal)) > 1e-12 * mw_dot3(d, d))
				return true;
			prev[1] = x;
		} else {
			prev[seen] = x;
		}
		seen++;
	}
	return false;
}

/* The best of the ears, of equal ones the first; c->n when there is none. Shapes are known, so that
 * only those that win are looked at closely. */
static uint32_t best_ear(const cutting *c, uint32_t round)
{
	for (;;) {
		uint32_t best = c->n;
		double q = -1;
		for (uint32_t k = 0; k < c->n; k++)
			if (c->left[k].quality > q && c->left[k].refused != round) {
				q = c->left[k].quality;
				best = k;
			}
		if (best == c->n || (!is_blocked(c, best) && (c->n == 3 || leaves_area(c, best))))
			return best;
		c->left[best].refused = round;
	}
}

/* What welding left of a polygon may cross itself by less than the tolerance. The corner that turns
 * most to the left then: the triangle may have no area or face backwards by that little, but its
 * edges are there for those on the other side. */
static uint32_t least_bad_ear(const cutting *c)
{
	uint32_t best = 0;
	double most = -HUGE_VAL;
	for (uint32_t k = 0; k < c->n; k++) {
		double x = turn(corner_at(c, (k + c->n - 1) % c->n), corner_at(c, k),
			corner_at(c, (k + 1) % c->n), c->p->normal);
		if (x > most) {
			most = x;
			best = k;
		}
	}
	return best;
}

mw_code mw_mesh_triangles(mw_ctx *cx, const mw_mesh *m, uint32_t i, mw_mesh_indices *out)
{
	cutting c = {.m = m, .p = &m->poly.v[i], .n = m->poly.v[i].count};
	c.left = mw_alloc_n(cx, (size_t)c.n + 1, sizeof *c.left);
	if (!c.left)
		return MW_ENOMEM;
	for (uint32_t k = 0; k < c.n; k++)
		c.left[k] = (ear){.corner = k};
	for (uint32_t k = 0; k < c.n; k++)
		judge(&c, k);
	mw_code rc = MW_OK;
	for (uint32_t round = 1; c.n >= 3 && !rc; round++) {
		uint32_t best = best_ear(&c, round);
		if (best == c.n && round == 1 && !leaves_area(&c, c.n))
			break; /* all on a line */
		if (best == c.n)
			best = least_bad_ear(&c);
		uint32_t around[3] = {(best + c.n - 1) % c.n, best, (best + 1) % c.n};
		for (int k = 0; k < 3 && !rc; k++)
			if (!MW_PUSH(cx, out, c.p->first + c.left[around[k]].corner))
				rc = MW_ENOMEM;
		c.n--;
		memmove(&c.left[best], &c.left[best + 1], (c.n - best) * sizeof *c.left);
		judge(&c, (best + c.n - 1) % c.n);
		judge(&c, best % c.n);
	}
	mw_free(cx, c.left);
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

/* The plane in the middle of polygon i: its unit normal and the mean of its corners; false when it
 * has no area. */
static bool middle_plane(const mw_mesh *m, uint32_t i, mw_vec3 *n, mw_vec3 *mean)
{
	const mw_mesh_poly *p = &m->poly.v[i];
	mw_vec3 sum = mw_v3(0, 0, 0);
	*mean = sum;
	for (uint32_t k = 0; k < p->count; k++) {
		*mean = mw_along3(*mean, at(m, p, k), 1.0 / p->count);
		if (k >= 1 && k + 1 < p->count)
			sum = mw_add3(sum,
				mw_cross3(mw_sub3(at(m, p, k), at(m, p, 0)),
					mw_sub3(at(m, p, k + 1), at(m, p, 0))));
	}
	double area = mw_len3(sum);
	*n = area > 0 ? mw_scale3(sum, 1 / area) : sum;
	return area > 0;
}

double mw_mesh_bend(const mw_mesh *m, uint32_t i, mw_vec3 *corner)
{
	const mw_mesh_poly *p = &m->poly.v[i];
	mw_vec3 n, mean;
	double most = 0;
	*corner = at(m, p, 0);
	if (!middle_plane(m, i, &n, &mean))
		return 0;
	for (uint32_t k = 0; k < p->count; k++) {
		double off = fabs(mw_dot3(n, mw_sub3(at(m, p, k), mean)));
		if (off > most) {
			most = off;
			*corner = at(m, p, k);
		}
	}
	return most;
}

int mw_mesh_flaws(const mw_mesh *m, uint32_t i, double distance, double angle)
{
	const mw_mesh_poly *p = &m->poly.v[i];
	mw_vec3 n, mean;
	if (!middle_plane(m, i, &n, &mean))
		return 4;
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

/* What a compiled level says of points and sweeps, from its list of solids alone: no tree, and none
 * of the product's predicates. Static: tests of several layers include it. */
#ifndef MW_TESTS_SUPPORT_LEVEL_ORACLE_H
#define MW_TESTS_SUPPORT_LEVEL_ORACLE_H

#include "support/test.h"

#include "compile/product.h"
#include "geom/vec.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- exact signs ----------------------------------------------------------------------------- */

/* Sign of the sum of n doubles, exact (Shewchuk, grow-expansion: parts that do not overlap, the
 * greatest last, have the sign of the last that is not 0). */
static inline int oracle_sum_sign(const double *x, int n)
{
	double e[8];
	for (int i = 0; i < n; i++) {
		double q = x[i];
		for (int k = 0; k < i; k++) {
			double s = q + e[k], b = s - q;
			e[k] = (q - (s - b)) + (e[k] - b);
			q = s;
		}
		e[i] = q;
	}
	for (int i = n; i-- > 0;)
		if (e[i] != 0)
			return e[i] > 0 ? 1 : -1;
	return 0;
}

/* Side of a plane n, d on which a point lies: 1 front, 0 on it, -1 behind. */
static inline int oracle_side(const float q[4], const mw_vec3 *p)
{
	double part[7], sum = 0, size = 0;
	for (int k = 0; k < 3; k++) {
		part[k] = (double)q[k] * p->v[k];
		sum += part[k];
		size += fabs(part[k]);
	}
	sum -= (double)q[3];
	size += fabs((double)q[3]);
	if (fabs(sum) > 8 * DBL_EPSILON * size)
		return sum > 0 ? 1 : -1;
	for (int k = 0; k < 3; k++)
		part[4 + k] = fma((double)q[k], p->v[k], -part[k]);
	part[3] = -(double)q[3];
	return oracle_sum_sign(part, 7);
}

/* ---- solids by where they are ---------------------------------------------------------------- */

#define ORACLE_CELLS 64

/* The solids of the tree, sorted into columns over x and z. A solid's box is what its own axial
 * planes say: to be behind all planes is to be in it. */
typedef struct {
	const mw_level *l;
	mw_aabb *box; /* of each solid of the tree; without an axial plane it has no end there */
	mw_aabb all;
	uint32_t *first; /* ORACLE_CELLS * ORACLE_CELLS + 1, of item */
	uint32_t *item;
	/* oracle_rests: planes n, d that rest on solids */
	long double (*rest)[4];
	size_t rests, room, *first_rest;
} oracle;

static inline const mw_level_solid *oracle_solid(const oracle *o, uint32_t i)
{
	return &o->l->solid.v[o->l->first_tree_solid + i];
}

static inline int oracle_column(const oracle *o, int axis, double at)
{
	double lo = o->all.min.v[axis], size = o->all.max.v[axis] - lo;
	double c = size > 0 ? (at - lo) / size * ORACLE_CELLS : 0;
	return !(c > 0) ? 0 : c >= ORACLE_CELLS ? ORACLE_CELLS - 1 : (int)c;
}

static inline void oracle_init(oracle *o, const mw_level *l)
{
	uint32_t n = l->tree_solids, cells = ORACLE_CELLS * ORACLE_CELLS;
	memset(o, 0, sizeof *o);
	o->l = l;
	o->all = mw_aabb_empty();
	assert_non_null(o->box = malloc((n + 1) * sizeof *o->box));
	assert_non_null(o->first = calloc(cells + 1, sizeof *o->first));
	for (uint32_t i = 0; i < n; i++) {
		const mw_level_solid *s = oracle_solid(o, i);
		mw_aabb *b = &o->box[i];
		b->min = mw_v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
		b->max = mw_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
		for (uint32_t k = 0; k < s->planes; k++) {
			const float *q = l->plane.v[s->first + k].v;
			for (int a = 0; a < 3; a++) {
				bool along = q[(a + 1) % 3] == 0.0f && q[(a + 2) % 3] == 0.0f;
				if (along && q[a] == 1.0f)
					b->max.v[a] = fmin(b->max.v[a], (double)q[3]);
				if (along && q[a] == -1.0f)
					b->min.v[a] = fmax(b->min.v[a], -(double)q[3]);
			}
		}
		for (int a = 0; a < 3; a++) {
			o->all.min.v[a] = fmin(o->all.min.v[a], (double)s->box[a]);
			o->all.max.v[a] = fmax(o->all.max.v[a], (double)s->box[a + 3]);
		}
	}
	/* count, add up to the ends of the columns, place from the ends down to the beginnings */
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = n; i-- > 0;) {
			int x1 = oracle_column(o, 0, o->box[i].max.x);
			int z0 = oracle_column(o, 2, o->box[i].min.z);
			int z1 = oracle_column(o, 2, o->box[i].max.z);
			for (int x = oracle_column(o, 0, o->box[i].min.x); x <= x1; x++)
				for (int z = z0; z <= z1; z++) {
					uint32_t *c = &o->first[x * ORACLE_CELLS + z];
					if (pass)
						o->item[--*c] = i;
					else
						++*c;
				}
		}
		for (uint32_t c = 1; c <= cells && !pass; c++)
			o->first[c] += o->first[c - 1];
		if (!pass)
			assert_non_null(o->item = malloc((o->first[cells] + 1) * sizeof *o->item));
	}
}

static inline void oracle_free(oracle *o)
{
	free(o->box);
	free(o->first);
	free(o->item);
	free(o->rest);
	free(o->first_rest);
	memset(o, 0, sizeof *o);
}

static inline bool oracle_holds(const oracle *o, uint32_t i, const mw_vec3 *p)
{
	const mw_level_solid *s = oracle_solid(o, i);
	const mw_aabb *b = &o->box[i];
	for (int a = 0; a < 3; a++)
		if (!(p->v[a] > b->min.v[a] && p->v[a] < b->max.v[a]))
			return false;
	for (uint32_t k = 0; k < s->planes; k++)
		if (oracle_side(o->l->plane.v[s->first + k].v, p) >= 0)
			return false;
	return true;
}

/* Contents bits of all solids of the tree that hold a point strictly inside. */
static inline uint32_t oracle_contents(const oracle *o, const mw_vec3 *p)
{
	uint32_t c = 0;
	int at = oracle_column(o, 0, p->x) * ORACLE_CELLS + oracle_column(o, 2, p->z);
	for (uint32_t i = o->first[at]; i < o->first[at + 1]; i++)
		if (oracle_holds(o, o->item[i], p))
			c |= oracle_solid(o, o->item[i])->contents;
	return c;
}

/* ---- corners and edges of solids ------------------------------------------------------------- */

typedef long double oracle_num;

#define ORACLE_SIDES 640 /* of a polygon */

typedef struct {
	oracle_num v[3];
} oracle_point;

static inline oracle_num oracle_dot(const oracle_num *a, const oracle_num *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void oracle_cross(const oracle_num *a, const oracle_num *b, oracle_num *r)
{
	for (int i = 0; i < 3; i++)
		r[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static inline void oracle_unit(oracle_num *a)
{
	oracle_num l = sqrtl(oracle_dot(a, a));
	for (int i = 0; i < 3 && l > 0; i++)
		a[i] /= l;
}

/* The face of solid i on its plane k: corners to p, how many is returned. */
static inline uint32_t oracle_face(const oracle *o, uint32_t i, uint32_t k, oracle_point *p)
{
	const mw_level_solid *s = oracle_solid(o, i);
	static oracle_point other[ORACLE_SIDES];
	oracle_num n[3], u[3], v[3], mid[3], at, size = 1;
	const float *q = o->l->plane.v[s->first + k].v;
	uint32_t count = 4;
	for (int c = 0; c < 3; c++) {
		double lo = o->box[i].min.v[c], hi = o->box[i].max.v[c];
		n[c] = (oracle_num)q[c];
		mid[c] = ((oracle_num)lo + (oracle_num)hi) / 2;
		size += (oracle_num)(hi - lo);
	}
	oracle_num len = oracle_dot(n, n);
	at = ((oracle_num)q[3] - oracle_dot(n, mid)) / len;
	int least = fabsf(q[0]) < fabsf(q[1]) ? 0 : 1;
	least = fabsf(q[2]) < fabsf(q[least]) ? 2 : least;
	oracle_num axis[3] = {least == 0, least == 1, least == 2};
	oracle_cross(n, axis, u);
	oracle_unit(u);
	oracle_cross(n, u, v);
	oracle_unit(v);
	for (uint32_t c = 0; c < 4; c++)
		for (int d = 0; d < 3; d++)
			p[c].v[d] = mid[d] + n[d] * at + (c == 1 || c == 2 ? u[d] : -u[d]) * size +
				(c >= 2 ? v[d] : -v[d]) * size;
	for (uint32_t j = 0; j < s->planes && count; j++) {
		const float *r = o->l->plane.v[s->first + j].v;
		oracle_num m[3] = {(oracle_num)r[0], (oracle_num)r[1], (oracle_num)r[2]};
		uint32_t left = 0;
		if (j == k || memcmp(q, r, 4 * sizeof *q) == 0)
			continue;
		for (uint32_t c = 0; c < count; c++) {
			const oracle_point *a = &p[c], *b = &p[(c + 1) % count];
			oracle_num da = oracle_dot(m, a->v) - (oracle_num)r[3];
			oracle_num db = oracle_dot(m, b->v) - (oracle_num)r[3];
			if (da <= 0)
				other[left++] = *a;
			if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
				for (int d = 0; d < 3; d++)
					other[left].v[d] =
						a->v[d] + (b->v[d] - a->v[d]) * (da / (da - db));
				left++;
			}
			assert_true(left + 2 < ORACLE_SIDES);
		}
		memcpy(p, other, left * sizeof *p);
		count = left;
	}
	return count >= 3 ? count : 0;
}

static inline void oracle_support(
	oracle *o, const oracle_point *corner, size_t corners, const oracle_num *n, size_t first)
{
	oracle_num d = -HUGE_VALL;
	for (size_t i = first; i < o->rests; i++) {
		const oracle_num *q = o->rest[i];
		if (fabsl(q[0] - n[0]) + fabsl(q[1] - n[1]) + fabsl(q[2] - n[2]) < 1e-15L)
			return;
	}
	for (size_t i = 0; i < corners; i++) {
		oracle_num x = oracle_dot(n, corner[i].v);
		d = x > d ? x : d;
	}
	if (o->rests == o->room) {
		o->room = o->room ? 2 * o->room : 1024;
		assert_non_null(o->rest = realloc(o->rest, o->room * sizeof *o->rest));
	}
	oracle_num *to = o->rest[o->rests++];
	memcpy(to, n, 3 * sizeof *to);
	to[3] = d;
}

/* The planes that a moved box can meet a solid with, other than its faces: along the axes, and
 * through an edge of the solid and one of the box. Each rests on the solid, so that none cuts off
 * anything that a box can touch. */
static inline void oracle_rests(oracle *o)
{
	uint32_t n = o->l->tree_solids;
	static oracle_point face[ORACLE_SIDES];
	assert_non_null(o->first_rest = calloc(n + 1, sizeof *o->first_rest));
	for (uint32_t i = 0; i < n; i++) {
		const mw_level_solid *s = oracle_solid(o, i);
		oracle_point *corner = NULL, *edge = NULL;
		size_t corners = 0, edges = 0, first = o->rests;
		for (uint32_t k = 0; k < s->planes; k++) {
			uint32_t count = oracle_face(o, i, k, face);
			corner = realloc(corner, (corners + count + 1) * sizeof *corner);
			edge = realloc(edge, (corners + count + 1) * sizeof *edge);
			assert_true(corner && edge);
			for (uint32_t c = 0; c < count; c++) {
				for (int d = 0; d < 3; d++)
					edge[edges].v[d] =
						face[(c + 1) % count].v[d] - face[c].v[d];
				oracle_unit(edge[edges++].v);
				corner[corners++] = face[c];
			}
		}
		for (int a = 0; a < 6 && corners; a++) {
			oracle_num along[3] = {0, 0, 0}, across[3];
			along[a / 2] = a & 1 ? -1 : 1;
			oracle_support(o, corner, corners, along, first);
			for (size_t e = 0; e < edges; e++) {
				oracle_cross(edge[e].v, along, across);
				if (oracle_dot(across, across) < 1e-18L)
					continue;
				oracle_unit(across);
				oracle_support(o, corner, corners, across, first);
			}
		}
		o->first_rest[i + 1] = o->rests;
		free(corner);
		free(edge);
	}
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

typedef struct {
	const mw_vec3 *from, *to, *half;
	double grow;
	oracle_num enter, leave;
} oracle_way;

/* False: in front of the plane all the way. */
static inline bool oracle_pass(oracle_way *w, const oracle_num *n, oracle_num d)
{
	oracle_num a = -d, b = -d, r = 0;
	for (int c = 0; c < 3; c++) {
		a += n[c] * (oracle_num)w->from->v[c];
		b += n[c] * (oracle_num)w->to->v[c];
		r += fabsl(n[c]) * (oracle_num)w->half->v[c];
	}
	if (w->grow != 0)
		r += (oracle_num)w->grow * sqrtl(oracle_dot(n, n));
	a -= r;
	b -= r;
	if (a >= 0 && b >= 0)
		return false;
	if (a >= 0 && a / (a - b) > w->enter)
		w->enter = a / (a - b);
	if (a < 0 && b >= 0 && a / (a - b) < w->leave)
		w->leave = a / (a - b);
	return w->enter < w->leave;
}

/* How far along from..to (0..1) a box of these half sizes gets before solid i, which is larger by
 * grow all around; 2 when it passes. oracle_rests must have been called for boxes. */
static inline oracle_num oracle_reach(const oracle *o, uint32_t i, const mw_vec3 *from,
	const mw_vec3 *to, const mw_vec3 *half, double grow)
{
	const mw_level_solid *s = oracle_solid(o, i);
	oracle_way w = {from, to, half, grow, 0, 1};
	for (uint32_t k = 0; k < s->planes; k++) {
		const float *q = o->l->plane.v[s->first + k].v;
		oracle_num n[3] = {(oracle_num)q[0], (oracle_num)q[1], (oracle_num)q[2]};
		if (!oracle_pass(&w, n, (oracle_num)q[3]))
			return 2;
	}
	bool ray = half->x == 0 && half->y == 0 && half->z == 0;
	for (size_t k = ray ? 0 : o->first_rest[i]; !ray && k < o->first_rest[i + 1]; k++)
		if (!oracle_pass(&w, o->rest[k], o->rest[k][3]))
			return 2;
	return w.enter;
}

/* The same over all solids of these contents; *which gets the first that is reached. */
static inline oracle_num oracle_sweep(const oracle *o, const mw_vec3 *from, const mw_vec3 *to,
	const mw_vec3 *half, uint32_t mask, double grow, uint32_t *which)
{
	oracle_num best = 2;
	*which = UINT32_MAX;
	for (uint32_t i = 0; i < o->l->tree_solids; i++) {
		if (!(oracle_solid(o, i)->contents & mask))
			continue;
		oracle_num t = oracle_reach(o, i, from, to, half, grow);
		if (t < best) {
			best = t;
			*which = i;
		}
	}
	return best;
}

#endif

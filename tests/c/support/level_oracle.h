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

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* How far along from..to (0..1) a box of these half sizes gets before solid i, its planes moved out
 * by grow; 2 when it passes. */
static inline long double oracle_reach(const oracle *o, uint32_t i, const mw_vec3 *from,
	const mw_vec3 *to, const mw_vec3 *half, double grow)
{
	const mw_level_solid *s = oracle_solid(o, i);
	long double enter = 0, leave = 1;
	for (uint32_t k = 0; k < s->planes; k++) {
		const float *q = o->l->plane.v[s->first + k].v;
		long double a = -(long double)q[3], b = a, r = 0, len = 0;
		for (int c = 0; c < 3; c++) {
			long double n = (long double)q[c];
			a += n * (long double)from->v[c];
			b += n * (long double)to->v[c];
			r += fabsl(n) * (long double)half->v[c];
			len += n * n;
		}
		r += (long double)grow * sqrtl(len);
		a -= r;
		b -= r;
		if (a >= 0 && b >= 0)
			return 2;
		if (a >= 0 && a / (a - b) > enter)
			enter = a / (a - b);
		if (a < 0 && b >= 0 && a / (a - b) < leave)
			leave = a / (a - b);
	}
	return enter < leave ? enter : 2;
}

/* The same over all solids of these contents; *which gets the first that is reached. */
static inline long double oracle_sweep(const oracle *o, const mw_vec3 *from, const mw_vec3 *to,
	const mw_vec3 *half, uint32_t mask, double grow, uint32_t *which)
{
	long double best = 2;
	*which = UINT32_MAX;
	for (uint32_t i = 0; i < o->l->tree_solids; i++) {
		if (!(oracle_solid(o, i)->contents & mask))
			continue;
		long double t = oracle_reach(o, i, from, to, half, grow);
		if (t < best) {
			best = t;
			*which = i;
		}
	}
	return best;
}

#endif

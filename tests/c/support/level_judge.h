/* Asks a compiled level, and the oracle the same; counts what differs. Static: tests of several
 * layers include it. */
#ifndef MW_TESTS_SUPPORT_LEVEL_JUDGE_H
#define MW_TESTS_SUPPORT_LEVEL_JUDGE_H

#include "support/level_oracle.h"

#include "base/rng.h"
#include "compile/level.h"

typedef struct {
	const char *name;
	const mw_level_query *q;
	oracle o;
	mw_rng r;
	uint32_t random, near, wrong, worst; /* worst: brushes that one query tested */
	uint64_t tested;                     /* by the random points */
	uint32_t rays, hits, wrong_rays, grazing;
	double apart; /* most, of a sweep's end [unit: scene unit] */
} judge;

/* l, q: not kept beyond judge_free. */
static inline void judge_init(
	judge *j, const char *name, const mw_level *l, const mw_level_query *q)
{
	memset(j, 0, sizeof *j);
	j->name = name;
	j->q = q;
	oracle_init(&j->o, l);
	mw_rng_init(&j->r, 1, name);
}

static inline void judge_free(judge *j)
{
	oracle_free(&j->o);
}

static inline double judge_mean(const judge *j)
{
	return j->random ? (double)j->tested / j->random : 0;
}

/* ---- points ---------------------------------------------------------------------------------- */

static inline uint32_t judge_point(judge *j, const mw_vec3 *p)
{
	uint32_t tested, got = mw_level_contents(j->q, p, &tested);
	uint32_t want = oracle_contents(&j->o, p);
	if (got != want && j->wrong++ < 5)
		print_error("%s: contents %u at %.17g %.17g %.17g, by every brush %u\n", j->name,
			got, p->x, p->y, p->z, want);
	j->worst = tested > j->worst ? tested : j->worst;
	return tested;
}

static inline void judge_random(judge *j, uint32_t n)
{
	const mw_aabb *b = &j->o.all;
	for (uint32_t i = 0; i < n; i++) {
		mw_vec3 p;
		for (int k = 0; k < 3; k++)
			p.v[k] = b->min.v[k] + mw_rng_unit(&j->r) * (b->max.v[k] - b->min.v[k]);
		j->tested += judge_point(j, &p);
	}
	j->random += n;
}

#define JUDGE_GRID 3
static const double judge_offsets[] = {0, 1e-6, -1e-6, 1e-3, -1e-3};

/* A grid over a box, dropped onto the plane along its greatest axis, and just off it. jitter: as
 * part of a field of the grid; without it the corners and the middles of the box are asked. */
static inline void judge_plane(judge *j, const float q[4], const mw_aabb *box, double jitter)
{
	mw_vec3 n = mw_v3((double)q[0], (double)q[1], (double)q[2]), p;
	int a = fabs(n.x) > fabs(n.y) ? 0 : 1;
	a = fabs(n.z) > fabs(n.v[a]) ? 2 : a;
	int u = (a + 1) % 3, v = (a + 2) % 3;
	for (int i = 0; i < JUDGE_GRID * JUDGE_GRID; i++) {
		double s =
			(i % JUDGE_GRID + jitter * (mw_rng_unit(&j->r) - 0.5)) / (JUDGE_GRID - 1);
		double t =
			(i / JUDGE_GRID + jitter * (mw_rng_unit(&j->r) - 0.5)) / (JUDGE_GRID - 1);
		p.v[u] = box->min.v[u] + s * (box->max.v[u] - box->min.v[u]);
		p.v[v] = box->min.v[v] + t * (box->max.v[v] - box->min.v[v]);
		p.v[a] = ((double)q[3] - n.v[u] * p.v[u] - n.v[v] * p.v[v]) / n.v[a];
		for (size_t k = 0; k < MW_COUNTOF(judge_offsets); k++) {
			mw_vec3 at = mw_along3(p, n, judge_offsets[k]);
			judge_point(j, &at);
			j->near++;
		}
	}
}

/* The planes of every solid over its box, those of the tree over all: one in step of them. */
static inline void judge_planes(judge *j, uint32_t want)
{
	const mw_level *c = j->o.l;
	size_t each = JUDGE_GRID * JUDGE_GRID * MW_COUNTOF(judge_offsets), planes = c->tree_plane.n;
	for (uint32_t i = 0; i < c->tree_solids; i++)
		planes += oracle_solid(&j->o, i)->planes;
	size_t step = want && planes * each > want ? planes * each / want : 1, at = 0;
	for (uint32_t i = 0; i < c->tree_solids; i++) {
		const mw_level_solid *s = oracle_solid(&j->o, i);
		for (uint32_t k = 0; k < s->planes; k++)
			if (at++ % step == 0)
				judge_plane(j, c->plane.v[s->first + k].v, &j->o.box[i], 0);
	}
	for (size_t i = 0; i < c->tree_plane.n; i++)
		if (at++ % step == 0)
			judge_plane(j, c->tree_plane.v[i].v, &j->o.all, 0.9);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* The product's own walk over all brushes names the same brush; the oracle's stops at the same
 * place, unless the way only grazes a corner: then brushes larger and smaller by a hair bracket it.
 */
static inline void judge_sweep(judge *j, const mw_sweep *s)
{
	mw_sweep_hit a, b;
	uint32_t which, other;
	double way = mw_len3(mw_sub3(s->to, s->from));
	bool hit = mw_level_sweep(j->q, s, &a);
	bool good = hit == mw_brushes_sweep(&j->q->planes, &j->q->brushes, s, &b) &&
		a.brush == b.brush && fabs(a.t - b.t) * way < 1e-9;
	oracle_num t = oracle_sweep(&j->o, &s->from, &s->to, &s->half, s->mask, 0, &which);
	double got = hit ? a.t : 2;
	bool near = hit == (which != UINT32_MAX) && fabs((double)t - got) * way < 1e-9;
	if (near && hit) {
		oracle_num own = oracle_reach(&j->o, a.brush, &s->from, &s->to, &s->half, 0);
		j->apart = fmax(j->apart, fabs((double)t - got) * way);
		near = a.brush == which || fabs((double)(own - t)) * way < 1e-9;
	}
	if (!near) {
		double early = (double)oracle_sweep(
			&j->o, &s->from, &s->to, &s->half, s->mask, 1e-9, &other);
		double late = (double)oracle_sweep(
			&j->o, &s->from, &s->to, &s->half, s->mask, -1e-9, &other);
		near = early * way - 1e-9 <= got * way && got * way <= late * way + 1e-9;
		j->grazing += near;
	}
	j->rays++;
	j->hits += hit;
	if (!(good && near) && j->wrong_rays++ < 5)
		print_error("%s: sweep from %.17g %.17g %.17g to %.17g %.17g %.17g half %g: %u at "
			    "%.17g, every brush %u at %.17g, by the oracle %u at %.17g\n",
			j->name, s->from.x, s->from.y, s->from.z, s->to.x, s->to.y, s->to.z,
			s->half.x, a.brush, a.t, b.brush, b.t, which, (double)t);
}

/* From around some solid: half of them boxes, a third from whole numbers to whole numbers, some
 * along an axis. */
static inline void judge_sweeps(judge *j, uint32_t n)
{
	oracle_rests(&j->o);
	for (uint32_t i = 0; i < n; i++) {
		mw_sweep s = {.mask = i % 7 ? 1u : 31u};
		double far = i % 4 ? 600 : 6000;
		const mw_aabb *near = &j->o.box[mw_rng_below(&j->r, j->o.l->tree_solids)];
		for (int k = 0; k < 3; k++) {
			double size = near->max.v[k] - near->min.v[k] + 256;
			s.from.v[k] = near->min.v[k] - 128 + mw_rng_unit(&j->r) * size;
			s.to.v[k] = s.from.v[k] + (mw_rng_unit(&j->r) - 0.5) * far;
			if (i % 3 == 0) {
				s.from.v[k] = rint(s.from.v[k] / 8) * 8;
				s.to.v[k] = rint(s.to.v[k] / 8) * 8;
			}
			if (i % 2)
				s.half.v[k] = i % 3 ? 20 * mw_rng_unit(&j->r) : k == 2 ? 28 : 16;
		}
		if (i % 5 == 0)
			for (uint32_t k = 0; k < 3; k++)
				if (k != i % 3)
					s.to.v[k] = s.from.v[k];
		judge_sweep(j, &s);
	}
}

#endif

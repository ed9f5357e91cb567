#include "geom/hull.h"

#include "base/sort.h"
#include "geom/exact.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct {
	uint32_t v[3];
	uint32_t next[3]; /* facet across edge v[k], v[k + 1] */
	uint32_t first;   /* points outside: list through hull.link */
	bool gone;
} facet;

typedef struct {
	uint32_t from, facet, edge; /* horizon edge: of facet (which stays), its edge index */
} rim;

typedef struct {
	mw_ctx *cx;
	const mw_vec3 *p;
	uint32_t n;
	MW_ARRAY(facet) f;
	uint32_t *link;
	MW_ARRAY(uint32_t) seen; /* facets that a point sees */
	MW_ARRAY(uint32_t) stack;
	MW_ARRAY(rim) rim;
	MW_ARRAY(uint32_t) loose; /* points of removed facets */
} hull;

static int side(const hull *h, const facet *f, uint32_t i)
{
	return mw_exact_orient(&h->p[f->v[0]], &h->p[f->v[1]], &h->p[f->v[2]], &h->p[i]);
}

/* How far out, for picking the next point only. */
static double height(const hull *h, const facet *f, uint32_t i)
{
	mw_vec3 a = h->p[f->v[0]];
	mw_vec3 n = mw_cross3(mw_sub3(h->p[f->v[1]], a), mw_sub3(h->p[f->v[2]], a));
	return mw_dot3(n, mw_sub3(h->p[i], a));
}

static bool add_facet(hull *h, uint32_t a, uint32_t b, uint32_t c)
{
	facet f = {{a, b, c}, {NONE, NONE, NONE}, NONE, false};
	return MW_PUSH(h->cx, &h->f, f);
}

/* Put a point on the list of the first of some facets that it lies outside of. */
static void assign(hull *h, uint32_t i, size_t first_facet)
{
	for (size_t k = first_facet; k < h->f.n; k++) {
		facet *f = &h->f.v[k];
		if (!f->gone && side(h, f, i) > 0) {
			h->link[i] = f->first;
			f->first = i;
			return;
		}
	}
}

/* Four points not in a plane, as far apart as is easily found; false when there are none. */
static bool simplex(const hull *h, uint32_t s[4])
{
	s[0] = 0;
	for (uint32_t i = 1; i < h->n; i++)
		if (h->p[i].x < h->p[s[0]].x)
			s[0] = i;
	double best = 0;
	for (int pass = 0; pass < 2; pass++) {
		/* by distance; when rounding hides it, the first that will do */
		best = 0;
		s[1] = NONE;
		for (uint32_t i = 0; i < h->n; i++) {
			double d = mw_len3(mw_sub3(h->p[i], h->p[s[0]]));
			if (!mw_eq3(h->p[i], h->p[s[0]]) && (s[1] == NONE || d > best)) {
				best = d;
				s[1] = i;
			}
		}
		if (s[1] == NONE)
			return false;
		if (pass == 0) {
			uint32_t x = s[0];
			s[0] = s[1];
			s[1] = x;
		}
	}
	s[2] = s[3] = NONE;
	best = 0;
	mw_vec3 u = mw_sub3(h->p[s[1]], h->p[s[0]]);
	for (uint32_t i = 0; i < h->n; i++) {
		double d = mw_len3(mw_cross3(u, mw_sub3(h->p[i], h->p[s[0]])));
		if ((s[2] == NONE || d > best) &&
			!mw_exact_collinear(&h->p[s[0]], &h->p[s[1]], &h->p[i])) {
			best = d;
			s[2] = i;
		}
	}
	if (s[2] == NONE)
		return false;
	facet f = {{s[0], s[1], s[2]}, {0}, NONE, false};
	best = 0;
	for (uint32_t i = 0; i < h->n; i++) {
		double d = fabs(height(h, &f, i));
		if ((s[3] == NONE || d > best) && side(h, &f, i) != 0) {
			best = d;
			s[3] = i;
		}
	}
	if (s[3] == NONE)
		return false;
	if (side(h, &f, s[3]) > 0) { /* the first facet is to look away from the fourth point */
		uint32_t x = s[0];
		s[0] = s[1];
		s[1] = x;
	}
	return true;
}

static mw_code start(hull *h)
{
	uint32_t s[4];
	if (h->n < 4 || !simplex(h, s))
		return mw_fail(h->cx, MW_EINVALID, "the %u points lie in one plane", h->n);
	static const uint8_t tri[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
	static const uint8_t next[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
	for (int i = 0; i < 4; i++) {
		if (!add_facet(h, s[tri[i][0]], s[tri[i][1]], s[tri[i][2]]))
			return MW_ENOMEM;
		for (int k = 0; k < 3; k++)
			h->f.v[i].next[k] = next[i][k];
	}
	for (uint32_t i = 0; i < h->n; i++)
		if (i != s[0] && i != s[1] && i != s[2] && i != s[3])
			assign(h, i, 0);
	return MW_OK;
}

/* Mark the facets that point i sees, from one that it does; their outline goes to h->rim. */
static mw_code look(hull *h, uint32_t i, uint32_t from)
{
	h->seen.n = h->stack.n = h->rim.n = 0;
	h->f.v[from].gone = true;
	if (!MW_PUSH(h->cx, &h->stack, from) || !MW_PUSH(h->cx, &h->seen, from))
		return MW_ENOMEM;
	while (h->stack.n) {
		uint32_t at = h->stack.v[--h->stack.n];
		for (int k = 0; k < 3; k++) {
			uint32_t to = h->f.v[at].next[k];
			if (h->f.v[to].gone)
				continue;
			if (side(h, &h->f.v[to], i) > 0) {
				h->f.v[to].gone = true;
				if (!MW_PUSH(h->cx, &h->stack, to) || !MW_PUSH(h->cx, &h->seen, to))
					return MW_ENOMEM;
			}
		}
	}
	/* Only now is it known which neighbours stay. */
	for (size_t s = 0; s < h->seen.n; s++)
		for (int k = 0; k < 3; k++) {
			uint32_t at = h->seen.v[s], to = h->f.v[at].next[k], e = 0;
			if (h->f.v[to].gone)
				continue;
			/* the neighbour has the edge the other way round */
			while (h->f.v[to].v[e] != h->f.v[at].v[(k + 1) % 3])
				e++;
			rim r = {h->f.v[at].v[k], to, e};
			if (!MW_PUSH(h->cx, &h->rim, r))
				return MW_ENOMEM;
		}
	return MW_OK;
}

static int by_from(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	uint32_t x = ((const rim *)a)->from, y = ((const rim *)b)->from;
	return x < y ? -1 : x > y;
}

static uint32_t rim_from(const hull *h, uint32_t v)
{
	size_t lo = 0, hi = h->rim.n;
	while (lo + 1 < hi) {
		size_t mid = (lo + hi) / 2;
		if (h->rim.v[mid].from <= v)
			lo = mid;
		else
			hi = mid;
	}
	return (uint32_t)lo;
}

/* Replace what point i sees by a cone over its outline. */
static mw_code grow(hull *h, uint32_t i, uint32_t from)
{
	mw_code rc = look(h, i, from);
	rc = rc ? rc : mw_sort(h->cx, h->rim.v, h->rim.n, sizeof *h->rim.v, by_from, NULL);
	if (rc)
		return rc;
	size_t base = h->f.n;
	if (base + h->rim.n > UINT32_MAX / 2)
		return mw_fail(h->cx, MW_ELIMIT, "a hull of more than %u facets", UINT32_MAX / 2);
	for (size_t k = 0; k < h->rim.n; k++) {
		const rim *r = &h->rim.v[k];
		uint32_t to = h->f.v[r->facet].v[r->edge];
		if (!add_facet(h, r->from, to, i))
			return MW_ENOMEM;
		h->f.v[base + k].next[0] = r->facet;
		h->f.v[r->facet].next[r->edge] = (uint32_t)(base + k);
	}
	for (size_t k = 0; k < h->rim.n; k++) {
		facet *f = &h->f.v[base + k];
		uint32_t after = (uint32_t)base + rim_from(h, f->v[1]);
		f->next[1] = after; /* edge v[1], i */
		h->f.v[after].next[2] = (uint32_t)(base + k);
	}
	h->loose.n = 0;
	for (size_t s = 0; s < h->seen.n; s++) {
		facet *f = &h->f.v[h->seen.v[s]];
		for (uint32_t q = f->first; q != NONE; q = h->link[q])
			if (q != i && !MW_PUSH(h->cx, &h->loose, q))
				return MW_ENOMEM;
		f->first = NONE;
	}
	for (size_t k = 0; k < h->loose.n; k++)
		assign(h, h->loose.v[k], base);
	return MW_OK;
}

mw_code mw_hull_points(mw_ctx *cx, const mw_vec3 *p, uint32_t n, mw_hull_triangles *out)
{
	for (uint32_t i = 0; i < n; i++)
		if (!mw_finite3(p[i]))
			return mw_fail(cx, MW_ERANGE, "point %u is not a finite number", i + 1);
	hull h = {.cx = cx, .p = p, .n = n};
	h.link = mw_alloc_n(cx, (size_t)n + 1, sizeof *h.link);
	mw_code rc = h.link ? start(&h) : MW_ENOMEM;
	/* Facets only ever lose their points to later ones: one pass over the growing list. */
	for (uint32_t k = 0; !rc && k < h.f.n; k++) {
		const facet *f = &h.f.v[k];
		if (f->gone || f->first == NONE)
			continue;
		uint32_t far = f->first;
		double best = -HUGE_VAL;
		for (uint32_t i = f->first; i != NONE; i = h.link[i]) {
			double d = height(&h, f, i);
			if (d > best || (d == best && i < far)) {
				best = d;
				far = i;
			}
		}
		rc = grow(&h, far, k);
	}
	for (size_t k = 0; !rc && k < h.f.n; k++) {
		const facet *f = &h.f.v[k];
		mw_hull_triangle tri = {{f->v[0], f->v[1], f->v[2]}};
		if (!f->gone && !MW_PUSH(cx, out, tri))
			rc = MW_ENOMEM;
	}
	mw_free(cx, h.f.v);
	mw_free(cx, h.link);
	mw_free(cx, h.seen.v);
	mw_free(cx, h.stack.v);
	mw_free(cx, h.rim.v);
	mw_free(cx, h.loose.v);
	return rc;
}

/* ---- sides from triangles -------------------------------------------------------------------- */

typedef struct {
	uint32_t tri;
	double area;
} big;

static int by_area(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	const big *x = a, *y = b;
	if (x->area != y->area)
		return x->area > y->area ? -1 : 1;
	return x->tri < y->tri ? -1 : x->tri > y->tri;
}

static mw_code sides_of(mw_ctx *cx, mw_planes *t, const mw_vec3 *p, const mw_hull_triangles *tri,
	double flat, uint32_t first_tag, mw_side *side, uint32_t *sides)
{
	big *order = mw_alloc_n(cx, tri->n, sizeof *order);
	bool *done = mw_zalloc_n(cx, tri->n, sizeof *done);
	mw_code rc = order && done ? MW_OK : MW_ENOMEM;
	*sides = 0;
	for (uint32_t i = 0; !rc && i < tri->n; i++) {
		const uint32_t *v = tri->v[i].v;
		order[i].tri = i;
		order[i].area =
			mw_len3(mw_cross3(mw_sub3(p[v[1]], p[v[0]]), mw_sub3(p[v[2]], p[v[0]])));
	}
	rc = rc ? rc : mw_sort(cx, order, tri->n, sizeof *order, by_area, NULL);
	for (uint32_t i = 0; !rc && i < tri->n; i++) {
		const uint32_t *v = tri->v[order[i].tri].v;
		if (done[order[i].tri])
			continue;
		mw_side s = {.tag = first_tag + *sides};
		/* clockwise seen from the front is what the plane wants */
		mw_vec3 q[3] = {p[v[2]], p[v[1]], p[v[0]]};
		if ((rc = mw_planes_add_points(cx, t, &s.plane, q)))
			break;
		mw_plane pl = mw_planes_get(t, s.plane);
		for (uint32_t k = i; k < tri->n; k++) {
			const uint32_t *w = tri->v[order[k].tri].v;
			bool in = true;
			for (int c = 0; c < 3 && in; c++)
				in = flat > 0 ? fabs(mw_dot3(pl.n, p[w[c]]) - pl.d) <= flat
					      : mw_planes_side_point(t, &p[w[c]], s.plane) == 0;
			if (!in || done[order[k].tri])
				continue;
			mw_vec3 n = mw_cross3(mw_sub3(p[w[1]], p[w[0]]), mw_sub3(p[w[2]], p[w[0]]));
			/* a flat body has two such faces */
			done[order[k].tri] = k == i || mw_dot3(n, pl.n) > 0;
		}
		side[(*sides)++] = s;
	}
	mw_free(cx, order);
	mw_free(cx, done);
	return rc;
}

mw_code mw_hull_brush(mw_ctx *cx, mw_planes *t, const mw_vec3 *p, uint32_t n, double flat,
	uint32_t contents, uint32_t tag, uint32_t first_tag, mw_brushes *out)
{
	if (!(flat >= 0))
		return mw_fail(cx, MW_ERANGE, "hull flatness %g is below 0", flat);
	mw_hull_triangles tri = {0};
	mw_code rc = mw_hull_points(cx, p, n, &tri);
	mw_side *side = rc ? NULL : mw_alloc_n(cx, tri.n, sizeof *side);
	uint32_t sides = 0;
	if (!rc && !side)
		rc = MW_ENOMEM;
	rc = rc ? rc : sides_of(cx, t, p, &tri, flat, first_tag, side, &sides);
	rc = rc ? rc : mw_brushes_add(cx, out, side, sides, contents, tag);
	mw_free(cx, side);
	mw_free(cx, tri.v);
	return rc;
}

#include "geom/mesh.h"

#include "base/rng.h"
#include "base/sort.h"
#include "geom/bvh.h"

#include <string.h>

void mw_mesh_free(mw_ctx *cx, mw_mesh *m)
{
	mw_free(cx, m->vertex.v);
	mw_free(cx, m->corner.v);
	mw_free(cx, m->poly.v);
	memset(m, 0, sizeof *m);
}

static mw_vec3 at(const mw_mesh *m, const mw_mesh_poly *p, uint32_t i)
{
	return m->vertex.v[m->corner.v[p->first + i].vertex];
}

/* Newell, relative to the first corner: twice the area long. */
static mw_vec3 newell(const mw_mesh *m, const mw_mesh_poly *p)
{
	mw_vec3 sum = mw_v3(0, 0, 0), o = at(m, p, 0);
	for (uint32_t i = 1; i + 1 < p->count; i++)
		sum = mw_add3(sum, mw_cross3(mw_sub3(at(m, p, i), o), mw_sub3(at(m, p, i + 1), o)));
	return sum;
}

mw_code mw_mesh_add_indexed(mw_ctx *cx, mw_mesh *m, const uint32_t *vertex, const mw_vec2 *uv,
	uint32_t n, uint32_t tag, uint32_t smooth)
{
	if (n < 3)
		return mw_fail(cx, MW_EINVALID, "a polygon of %u corners", n);
	if (m->corner.n + n > UINT32_MAX / 2)
		return mw_fail(cx, MW_ELIMIT, "more than %u mesh corners", UINT32_MAX / 2);
	mw_mesh_poly p = {.first = (uint32_t)m->corner.n, .count = n, .tag = tag, .smooth = smooth};
	if (!MW_RESERVE(cx, &m->corner, m->corner.n + n) || !MW_PUSH(cx, &m->poly, p))
		return MW_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		mw_mesh_corner c = {.vertex = vertex[i], .uv = uv ? uv[i] : mw_v2(0, 0)};
		m->corner.v[m->corner.n++] = c;
	}
	mw_mesh_poly *q = &m->poly.v[m->poly.n - 1];
	q->normal = mw_unit3(newell(m, q));
	for (uint32_t i = 0; i < n; i++)
		m->corner.v[q->first + i].normal = q->normal;
	return MW_OK;
}

mw_code mw_mesh_add(mw_ctx *cx, mw_mesh *m, const mw_vec3 *p, const mw_vec2 *uv, uint32_t n,
	uint32_t tag, uint32_t smooth)
{
	if (!MW_RESERVE(cx, &m->vertex, m->vertex.n + n))
		return MW_ENOMEM;
	uint32_t *index = mw_alloc_n(cx, (size_t)n + 1, sizeof *index);
	if (!index)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		index[i] = (uint32_t)m->vertex.n;
		m->vertex.v[m->vertex.n++] = p[i];
	}
	mw_code rc = mw_mesh_add_indexed(cx, m, index, uv, n, tag, smooth);
	mw_free(cx, index);
	return rc;
}

/* ---- welding --------------------------------------------------------------------------------- */

typedef struct {
	uint32_t *slot; /* vertex + 1, chained by next */
	uint32_t *next;
	uint32_t mask;
	double cell;
} grid;

static int64_t cell_of(double x, double size)
{
	double q = floor(x / size + 0.37);
	return q > 4e18 ? 4000000000000000000 : q < -4e18 ? -4000000000000000000 : (int64_t)q;
}

static uint32_t slot_of(const grid *g, const int64_t c[3])
{
	uint64_t h = 7;
	for (int i = 0; i < 3; i++)
		h = mw_mix64(h ^ (uint64_t)c[i]);
	return (uint32_t)h & g->mask;
}

/* The earliest representative within tolerance of vertex i, or i itself (then put in the grid). */
static uint32_t representative(const mw_mesh *m, grid *g, uint32_t i, double tolerance)
{
	int64_t lo[3], hi[3], c[3];
	mw_vec3 p = m->vertex.v[i];
	for (int k = 0; k < 3; k++) {
		lo[k] = cell_of(p.v[k] - tolerance, g->cell);
		hi[k] = cell_of(p.v[k] + tolerance, g->cell);
	}
	uint32_t best = i;
	for (c[0] = lo[0]; c[0] <= hi[0]; c[0]++)
		for (c[1] = lo[1]; c[1] <= hi[1]; c[1]++)
			for (c[2] = lo[2]; c[2] <= hi[2]; c[2]++)
				for (uint32_t k = g->slot[slot_of(g, c)]; k; k = g->next[k - 1]) {
					mw_vec3 d = mw_sub3(m->vertex.v[k - 1], p);
					if (k - 1 < best && mw_len3(d) <= tolerance)
						best = k - 1;
				}
	if (best == i) {
		for (int k = 0; k < 3; k++)
			c[k] = cell_of(p.v[k], g->cell);
		uint32_t s = slot_of(g, c);
		g->next[i] = g->slot[s];
		g->slot[s] = i + 1;
	}
	return best;
}

/* ---- closed walks ---------------------------------------------------------------------------- */

/* Polygons and corners that take the place of a mesh's own. */
typedef struct {
	MW_ARRAY(mw_mesh_corner) corner;
	MW_ARRAY(mw_mesh_poly) poly;
	MW_ARRAY(mw_mesh_corner) walk; /* of the polygon at hand */
} rebuilt;

/* The corners from walk[from] on as a polygon like p; with fewer than 3 they are an edge there and
 * back, which is nothing. */
static mw_code put_loop(mw_ctx *cx, rebuilt *r, const mw_mesh_poly *p, size_t from)
{
	mw_mesh_poly q = *p;
	q.first = (uint32_t)r->corner.n;
	q.count = (uint32_t)(r->walk.n - from);
	if (q.count < 3)
		return MW_OK;
	for (size_t i = from; i < r->walk.n; i++)
		if (!MW_PUSH(cx, &r->corner, r->walk.v[i]))
			return MW_ENOMEM;
	return MW_PUSH(cx, &r->poly, q) ? MW_OK : MW_ENOMEM;
}

/* Go on to a corner. Where the walk has been before it has gone round a loop, which is a polygon of
 * its own: so a polygon that is pressed together falls apart, and what runs there and back goes,
 * while every edge that is left has the partners it had. */
static mw_code walk_to(mw_ctx *cx, rebuilt *r, const mw_mesh_poly *p, const mw_mesh_corner *c)
{
	for (size_t i = r->walk.n; i-- > 0;)
		if (r->walk.v[i].vertex == c->vertex) {
			mw_code rc = put_loop(cx, r, p, i);
			r->walk.n = i + 1;
			return rc;
		}
	return MW_PUSH(cx, &r->walk, *c) ? MW_OK : MW_ENOMEM;
}

static void take_rebuilt(mw_ctx *cx, mw_mesh *m, rebuilt *r)
{
	mw_free(cx, m->corner.v);
	mw_free(cx, m->poly.v);
	m->corner.v = r->corner.v;
	m->corner.n = r->corner.n;
	m->corner.cap = r->corner.cap;
	m->poly.v = r->poly.v;
	m->poly.n = r->poly.n;
	m->poly.cap = r->poly.cap;
	r->corner.v = NULL;
	r->poly.v = NULL;
}

static void free_rebuilt(mw_ctx *cx, rebuilt *r)
{
	mw_free(cx, r->corner.v);
	mw_free(cx, r->poly.v);
	mw_free(cx, r->walk.v);
}

static mw_code renumber(mw_ctx *cx, mw_mesh *m, const uint32_t *map)
{
	rebuilt r = {0};
	mw_code rc = MW_OK;
	if (!MW_RESERVE(cx, &r.corner, m->corner.n) || !MW_RESERVE(cx, &r.poly, m->poly.n))
		rc = MW_ENOMEM;
	for (size_t i = 0; i < m->poly.n && !rc; i++) {
		const mw_mesh_poly *p = &m->poly.v[i];
		r.walk.n = 0;
		for (uint32_t k = 0; k < p->count && !rc; k++) {
			mw_mesh_corner c = m->corner.v[p->first + k];
			c.vertex = map[c.vertex];
			rc = walk_to(cx, &r, p, &c);
		}
		rc = rc ? rc : put_loop(cx, &r, p, 0);
	}
	if (!rc)
		take_rebuilt(cx, m, &r);
	free_rebuilt(cx, &r);
	return rc;
}

static void drop_unused(mw_mesh *m, uint32_t *map)
{
	memset(map, 0, m->vertex.n * sizeof *map);
	for (size_t i = 0; i < m->corner.n; i++)
		map[m->corner.v[i].vertex] = 1;
	uint32_t n = 0;
	for (size_t i = 0; i < m->vertex.n; i++)
		if (map[i]) {
			m->vertex.v[n] = m->vertex.v[i];
			map[i] = n++;
		}
	for (size_t i = 0; i < m->corner.n; i++)
		m->corner.v[i].vertex = map[m->corner.v[i].vertex];
	m->vertex.n = n;
}

mw_code mw_mesh_weld(mw_ctx *cx, mw_mesh *m, double tolerance)
{
	if (!(tolerance >= 0) || !isfinite(tolerance))
		return mw_fail(cx, MW_ERANGE, "weld tolerance %g is below 0", tolerance);
	if (m->vertex.n == 0)
		return MW_OK;
	uint32_t n = (uint32_t)m->vertex.n, size = 64;
	while (size < n && size < (UINT32_C(1) << 30))
		size *= 2;
	grid g = {.mask = size - 1, .cell = tolerance > 0 ? tolerance * 4 : 1.0 / 16};
	g.slot = mw_zalloc_n(cx, size, sizeof *g.slot);
	g.next = mw_alloc_n(cx, n, sizeof *g.next);
	uint32_t *map = mw_alloc_n(cx, n, sizeof *map);
	mw_code rc = MW_ENOMEM;
	if (g.slot && g.next && map) {
		for (uint32_t i = 0; i < n; i++)
			map[i] = representative(m, &g, i, tolerance);
		if (!(rc = renumber(cx, m, map)))
			drop_unused(m, map);
	}
	mw_free(cx, g.slot);
	mw_free(cx, g.next);
	mw_free(cx, map);
	return rc;
}

/* ---- T-junctions ----------------------------------------------------------------------------- */

typedef struct {
	double t;
	uint32_t vertex;
} on_edge;

static int by_place(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	const on_edge *x = a, *y = b;
	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

typedef struct {
	mw_bvh bvh;
	mw_bvh_hits hits;
	MW_ARRAY(on_edge) on;
	rebuilt out;
	double tolerance;
} repair;

/* The vertices on the edge between two others, from lo to hi (lo < hi): the same ones for every
 * polygon that runs along it. */
static mw_code find_on_edge(mw_ctx *cx, const mw_mesh *m, repair *r, uint32_t lo, uint32_t hi)
{
	mw_vec3 p = m->vertex.v[lo], q = m->vertex.v[hi], d = mw_sub3(q, p);
	double dd = mw_dot3(d, d);
	mw_aabb box = mw_aabb_empty();
	mw_aabb_add(&box, p, r->tolerance);
	mw_aabb_add(&box, q, r->tolerance);
	r->on.n = 0;
	mw_code rc = mw_bvh_find(cx, &r->bvh, &box, &r->hits);
	for (size_t i = 0; !rc && i < r->hits.n; i++) {
		uint32_t v = r->hits.v[i];
		mw_vec3 e = mw_sub3(m->vertex.v[v], p);
		double t = mw_dot3(e, d) / dd;
		if (v == lo || v == hi || !(t > 0 && t < 1) ||
			mw_len3(mw_along3(e, d, -t)) > r->tolerance)
			continue;
		if (!MW_PUSH(cx, &r->on, ((on_edge){t, v})))
			rc = MW_ENOMEM;
	}
	if (!rc && r->on.n > 1)
		rc = mw_sort(cx, r->on.v, r->on.n, sizeof *r->on.v, by_place, NULL);
	return rc;
}

static mw_code repair_poly(
	mw_ctx *cx, const mw_mesh *m, repair *r, const mw_mesh_poly *p, uint32_t *added)
{
	r->out.walk.n = 0;
	for (uint32_t k = 0; k < p->count; k++) {
		mw_mesh_corner a = m->corner.v[p->first + k];
		mw_mesh_corner b = m->corner.v[p->first + (k + 1) % p->count];
		bool turned = a.vertex > b.vertex;
		mw_code rc = walk_to(cx, &r->out, p, &a);
		rc = rc ? rc
			: find_on_edge(cx, m, r, turned ? b.vertex : a.vertex,
				  turned ? a.vertex : b.vertex);
		for (size_t i = 0; !rc && i < r->on.n; i++) {
			const on_edge *o = &r->on.v[turned ? r->on.n - 1 - i : i];
			double t = turned ? 1 - o->t : o->t;
			mw_mesh_corner c = a;
			c.vertex = o->vertex;
			c.uv = mw_v2(
				a.uv.x + (b.uv.x - a.uv.x) * t, a.uv.y + (b.uv.y - a.uv.y) * t);
			rc = walk_to(cx, &r->out, p, &c);
			(*added)++;
		}
		if (rc)
			return rc;
	}
	return put_loop(cx, &r->out, p, 0);
}

mw_code mw_mesh_fix_tjunctions(mw_ctx *cx, mw_mesh *m, double tolerance, uint32_t *added)
{
	if (!(tolerance >= 0) || !isfinite(tolerance))
		return mw_fail(cx, MW_ERANGE, "T-junction tolerance %g is below 0", tolerance);
	uint32_t n = (uint32_t)m->vertex.n, count = 0;
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	repair r = {.tolerance = tolerance};
	mw_aabb *box = mw_arena_alloc(&arena, ((size_t)n + 1) * sizeof *box);
	mw_code rc = box ? MW_OK : MW_ENOMEM;
	for (uint32_t i = 0; !rc && i < n; i++)
		box[i] = (mw_aabb){m->vertex.v[i], m->vertex.v[i]};
	rc = rc ? rc : mw_bvh_build(&arena, box, n, &r.bvh);
	for (size_t i = 0; !rc && i < m->poly.n; i++)
		rc = repair_poly(cx, m, &r, &m->poly.v[i], &count);
	if (!rc)
		take_rebuilt(cx, m, &r.out);
	if (added)
		*added = count;
	free_rebuilt(cx, &r.out);
	mw_free(cx, r.on.v);
	mw_free(cx, r.hits.v);
	mw_arena_free(&arena);
	return rc;
}

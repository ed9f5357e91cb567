/* Exact polygons to an indexed mesh. Which corners are one point and which lie on an edge of
 * another polygon is decided on the planes: what was closed before a coordinate was rounded stays
 * closed, for whatever moves vertices later moves those of both sides of an edge. */
#include "geom/mesh.h"

#include "base/rng.h"
#include "base/sort.h"
#include "geom/bvh.h"

#include <string.h>

/* A corner as the planes that meet there. */
typedef struct {
	mw_vec3 at;
	double err;
	mw_plane_id plane[3];
} point;

/* A pair of vertices that polygons run along. */
typedef struct {
	uint32_t lo, hi;
	int32_t way;         /* how many run from lo to hi, less those from hi to lo */
	mw_plane_id line[2]; /* of one of them */
	uint32_t first, n;   /* of work.on: vertices between, from lo to hi; n == 0 while even */
} edge;

typedef struct {
	double t;
	uint32_t vertex;
} place;

typedef struct {
	mw_ctx *cx;
	const mw_planes *t;
	mw_arena arena;
	point *corner; /* of all polygons */
	uint32_t *id;  /* for each corner: the earliest that is the same point */
	uint32_t *next, *slot;
	uint32_t n, mask;
	double near, cell;
	edge *edge; /* open addressing; lo == hi: free */
	uint32_t edges;
	mw_bvh_hits hits;
	MW_ARRAY(place) place;
	MW_ARRAY(uint32_t) on;
} work;

static int side_of(const work *w, const point *p, mw_plane_id q)
{
	return mw_planes_side_of(w->t, p->plane[0], p->plane[1], p->plane[2], &p->at, p->err, q);
}

/* ---- equal corners --------------------------------------------------------------------------- */

static bool same_point(const work *w, const point *a, const point *b)
{
	if (mw_len3(mw_sub3(a->at, b->at)) > w->near)
		return false;
	if (a->err == 0 && b->err == 0)
		return mw_eq3(a->at, b->at);
	for (int i = 0; i < 3; i++)
		if (side_of(w, a, b->plane[i]) != 0)
			return false;
	return true;
}

static uint32_t slot_of(const work *w, const double c[3])
{
	uint64_t h = 7;
	for (int i = 0; i < 3; i++) {
		double whole = c[i] + 0.0; /* one zero of two */
		uint64_t bits;
		memcpy(&bits, &whole, sizeof bits);
		h = mw_mix64(h ^ bits);
	}
	return (uint32_t)h & w->mask;
}

/* The earliest corner that is the same point as corner i, or i itself, which is put in the grid. */
static uint32_t earliest(work *w, uint32_t i)
{
	const point *p = &w->corner[i];
	double lo[3], hi[3], c[3];
	uint32_t best = i;
	for (int k = 0; k < 3; k++) {
		lo[k] = floor((p->at.v[k] - w->near) / w->cell + 0.37);
		hi[k] = floor((p->at.v[k] + w->near) / w->cell + 0.37);
		hi[k] = hi[k] > lo[k] + 2 ? lo[k] + 2 : hi[k];
	}
	for (c[0] = lo[0]; c[0] <= hi[0]; c[0]++)
		for (c[1] = lo[1]; c[1] <= hi[1]; c[1]++)
			for (c[2] = lo[2]; c[2] <= hi[2]; c[2]++)
				for (uint32_t k = w->slot[slot_of(w, c)]; k; k = w->next[k - 1])
					if (k - 1 < best && same_point(w, p, &w->corner[k - 1]))
						best = k - 1;
	if (best == i) {
		for (int k = 0; k < 3; k++)
			c[k] = floor(p->at.v[k] / w->cell + 0.37);
		uint32_t s = slot_of(w, c);
		w->next[i] = w->slot[s];
		w->slot[s] = i + 1;
	}
	return best;
}

static mw_code number_corners(work *w, const mw_face *face, size_t n)
{
	double err = 0, reach = 0;
	uint32_t at = 0, size = 64;
	while (size < w->n && size < (UINT32_C(1) << 30))
		size *= 2;
	w->mask = size - 1;
	w->corner = mw_arena_alloc(&w->arena, ((size_t)w->n + 1) * sizeof *w->corner);
	w->id = mw_arena_alloc(&w->arena, ((size_t)w->n + 1) * sizeof *w->id);
	w->next = mw_arena_alloc(&w->arena, ((size_t)w->n + 1) * sizeof *w->next);
	w->slot = mw_arena_alloc(&w->arena, size * sizeof *w->slot);
	if (!w->corner || !w->id || !w->next || !w->slot)
		return MW_ENOMEM;
	memset(w->slot, 0, size * sizeof *w->slot);
	for (size_t i = 0; i < n; i++) {
		const mw_poly *f = &face[i].poly;
		for (uint32_t k = 0; k < f->n; k++) {
			const mw_corner *c = &f->v[k];
			mw_plane_id before = f->v[k ? k - 1 : f->n - 1].edge;
			w->corner[at++] = (point){c->at, c->err, {f->plane, before, c->edge}};
			err = c->err > err ? c->err : err;
			for (int a = 0; a < 3; a++)
				reach = fabs(c->at.v[a]) > reach ? fabs(c->at.v[a]) : reach;
		}
	}
	/* corners that are known worse than a float32 says them are left to welding; cells are so
	 * wide that neighbouring ones have different numbers */
	w->near = 4 * err < reach / 67108864 ? 4 * err : reach / 67108864;
	w->cell = 8 * w->near > reach / 68719476736 ? 8 * w->near : reach / 68719476736;
	if (!(w->cell > 0))
		w->cell = 1;
	for (uint32_t i = 0; i < w->n; i++)
		w->id[i] = earliest(w, i);
	return MW_OK;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static edge *edge_of(const work *w, uint32_t a, uint32_t b)
{
	uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
	uint32_t at = (uint32_t)mw_mix64((uint64_t)lo << 32 | hi) & (w->edges - 1);
	for (;; at = (at + 1) & (w->edges - 1)) {
		edge *e = &w->edge[at];
		if (e->lo == e->hi || (e->lo == lo && e->hi == hi))
			return e;
	}
}

static mw_code count_edges(work *w, const mw_face *face, size_t n)
{
	w->edges = 64;
	while (w->edges / 4 * 3 < w->n) /* half of that many where all is closed */
		w->edges *= 2;
	w->edge = mw_arena_alloc(&w->arena, w->edges * sizeof *w->edge);
	if (!w->edge)
		return MW_ENOMEM;
	memset(w->edge, 0, w->edges * sizeof *w->edge);
	for (size_t i = 0, first = 0; i < n; first += face[i++].poly.n) {
		const mw_poly *f = &face[i].poly;
		for (uint32_t k = 0; k < f->n; k++) {
			uint32_t a = w->id[first + k];
			uint32_t b = w->id[first + (k + 1 < f->n ? k + 1 : 0)];
			if (a == b)
				continue;
			edge *e = edge_of(w, a, b);
			if (e->lo == e->hi)
				*e = (edge){.lo = a < b ? a : b,
					.hi = a < b ? b : a,
					.line = {f->plane, f->v[k].edge}};
			e->way += a < b ? 1 : -1;
		}
	}
	return MW_OK;
}

static int by_place(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	const place *x = a, *y = b;
	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

/* The corners that lie on an edge, between its ends. ends: corner number of each box. */
static mw_code find_between(work *w, const mw_bvh *bvh, const uint32_t *ends, edge *e)
{
	const point *a = &w->corner[e->lo], *b = &w->corner[e->hi];
	mw_vec3 d = mw_sub3(b->at, a->at);
	double dd = mw_dot3(d, d);
	mw_aabb box = mw_aabb_empty();
	mw_aabb_add(&box, a->at, w->near);
	mw_aabb_add(&box, b->at, w->near);
	mw_code rc = mw_bvh_find(w->cx, bvh, &box, &w->hits);
	w->place.n = 0;
	for (size_t i = 0; i < w->hits.n && !rc; i++) {
		uint32_t v = ends[w->hits.v[i]];
		const point *p = &w->corner[v];
		mw_vec3 to = mw_sub3(p->at, a->at);
		place on = {mw_dot3(to, d) / dd, v};
		if (v == e->lo || v == e->hi || !(on.t > 0 && on.t < 1) ||
			mw_len3(mw_along3(to, d, -on.t)) > w->near + 1e-9 * sqrt(dd))
			continue;
		if (side_of(w, p, e->line[0]) == 0 && side_of(w, p, e->line[1]) == 0 &&
			!MW_PUSH(w->cx, &w->place, on))
			rc = MW_ENOMEM;
	}
	if (!rc && w->place.n > 1)
		rc = mw_sort(w->cx, w->place.v, w->place.n, sizeof *w->place.v, by_place, NULL);
	e->first = (uint32_t)w->on.n;
	e->n = (uint32_t)w->place.n;
	for (size_t i = 0; i < w->place.n && !rc; i++)
		if (!MW_PUSH(w->cx, &w->on, w->place.v[i].vertex))
			rc = MW_ENOMEM;
	return rc;
}

/* Edges that as many polygons follow one way as the other need nothing; where a closed surface has
 * others, they cover each other in pieces, and end where others of them begin. */
static mw_code join_edges(work *w, const mw_face *face, size_t n)
{
	mw_arena_mark mark = mw_arena_get_mark(&w->arena);
	uint8_t *is_end = mw_arena_alloc(&w->arena, (size_t)w->n + 1);
	uint32_t *end = mw_arena_alloc(&w->arena, ((size_t)w->n + 1) * sizeof *end), ends = 0;
	if (!is_end || !end)
		return MW_ENOMEM;
	memset(is_end, 0, (size_t)w->n + 1);
	for (uint32_t i = 0; i < w->edges; i++)
		if (w->edge[i].way != 0)
			is_end[w->edge[i].lo] = is_end[w->edge[i].hi] = 1;
	for (uint32_t i = 0; i < w->n; i++)
		if (is_end[i])
			end[ends++] = i;
	mw_bvh bvh;
	mw_aabb *box = mw_arena_alloc(&w->arena, ((size_t)ends + 1) * sizeof *box);
	if (!box)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < ends; i++) {
		box[i] = mw_aabb_empty();
		mw_aabb_add(&box[i], w->corner[end[i]].at, 0);
	}
	mw_code rc = mw_bvh_build(&w->arena, box, ends, &bvh);
	/* in the order of the faces, where one looks for what lies beside the last */
	for (size_t i = 0, first = 0; i < n && !rc; first += face[i++].poly.n)
		for (uint32_t k = 0; k < face[i].poly.n && !rc; k++) {
			uint32_t a = w->id[first + k];
			uint32_t b = w->id[first + (k + 1 < face[i].poly.n ? k + 1 : 0)];
			edge *e = a == b ? NULL : edge_of(w, a, b);
			if (!e || e->way == 0)
				continue;
			rc = find_between(w, &bvh, end, e);
			e->way = 0;
		}
	mw_arena_reset(&w->arena, mark);
	return rc;
}

/* ---- the mesh -------------------------------------------------------------------------------- */

/* The vertex of a corner number; vertex[]: UINT32_MAX while it has none. */
static mw_code vertex_of(work *w, mw_mesh *m, uint32_t *vertex, uint32_t corner, uint32_t *out)
{
	if (vertex[corner] == UINT32_MAX) {
		vertex[corner] = (uint32_t)m->vertex.n;
		if (!MW_PUSH(w->cx, &m->vertex, w->corner[corner].at))
			return MW_ENOMEM;
	}
	*out = vertex[corner];
	return MW_OK;
}

static mw_code put_face(work *w, mw_mesh *m, uint32_t *vertex, const mw_poly *f, uint32_t first)
{
	MW_ARRAY(uint32_t) index = {0};
	mw_code rc = MW_OK;
	for (uint32_t k = 0; k < f->n && !rc; k++) {
		uint32_t a = w->id[first + k], b = w->id[first + (k + 1 < f->n ? k + 1 : 0)], v;
		if (a == b)
			continue;
		rc = vertex_of(w, m, vertex, a, &v);
		if (!rc && !MW_PUSH(w->cx, &index, v))
			rc = MW_ENOMEM;
		const edge *e = edge_of(w, a, b);
		for (uint32_t i = 0; i < e->n && !rc; i++) {
			uint32_t on = w->on.v[e->first + (a < b ? i : e->n - 1 - i)];
			rc = vertex_of(w, m, vertex, on, &v);
			if (!rc && !MW_PUSH(w->cx, &index, v))
				rc = MW_ENOMEM;
		}
	}
	if (!rc && index.n >= 3)
		rc = mw_mesh_add_indexed(w->cx, m, index.v, NULL, (uint32_t)index.n, f->tag, 0);
	if (!rc && index.n >= 3) {
		mw_mesh_poly *q = &m->poly.v[m->poly.n - 1];
		q->normal = mw_planes_get(w->t, f->plane).n;
		for (uint32_t k = 0; k < q->count; k++)
			m->corner.v[q->first + k].normal = q->normal;
	}
	mw_free(w->cx, index.v);
	return rc;
}

mw_code mw_mesh_add_faces(mw_ctx *cx, mw_mesh *m, const mw_planes *t, const mw_face *face, size_t n)
{
	size_t corners = 0;
	for (size_t i = 0; i < n; i++)
		corners += face[i].poly.n;
	if (m->corner.n + corners > UINT32_MAX / 4)
		return mw_fail(cx, MW_ELIMIT, "more than %u mesh corners", UINT32_MAX / 4);
	work w = {.cx = cx, .t = t, .n = (uint32_t)corners};
	mw_arena_init(&w.arena, cx);
	uint32_t *vertex = mw_arena_alloc(&w.arena, (corners + 1) * sizeof *vertex);
	mw_code rc = vertex ? MW_OK : MW_ENOMEM;
	if (vertex)
		memset(vertex, 0xff, (corners + 1) * sizeof *vertex);
	if (!rc && !(rc = number_corners(&w, face, n)) && !(rc = count_edges(&w, face, n)))
		rc = join_edges(&w, face, n);
	for (size_t i = 0, first = 0; i < n && !rc; first += face[i++].poly.n)
		rc = put_face(&w, m, vertex, &face[i].poly, (uint32_t)first);
	mw_free(cx, w.hits.v);
	mw_free(cx, w.place.v);
	mw_free(cx, w.on.v);
	mw_arena_free(&w.arena);
	return rc;
}

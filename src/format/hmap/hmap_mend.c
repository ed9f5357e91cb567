/* Small distances taken out of the source: corners onto the grid, planes through them. */
#include "format/hmap/hmap_internal.h"

#include "geom/bvh.h"

#include <string.h>

typedef struct {
	mw_ctx *cx;
	mw_hmap *h;
	mw_planes t;
	double distance, grid;
	mw_arena arena;
	uint32_t count;
	mw_hmap_face *face; /* of the brush at hand */
	uint32_t faces;
} mender;

static double snapped(const mender *w, double v)
{
	double to = floor(v / w->grid + 0.5) * w->grid;
	return fabs(v - to) <= w->distance ? to + 0.0 : v;
}

/* As near as float32 says it: what is on the grid already must not be seen as moved. */
static bool moves(double from, double to)
{
	return mw_single(from) != mw_single(to);
}

/* ---- planes ---------------------------------------------------------------------------------- */

/* The plane through snapped corners that span the most, if all of them are near it. */
static bool plane_through(const mender *w, const mw_vec3 *p, uint32_t n, float out[4])
{
	mw_vec3 old = mw_v3((double)out[0], (double)out[1], (double)out[2]), best = old;
	double most = 0;
	uint32_t at = 0;
	for (int a = 0; a < 3; a++) {
		bool flat = fabs(old.v[a]) > 0.99;
		for (uint32_t i = 1; i < n && flat; i++)
			flat = p[i].v[a] == p[0].v[a];
		if (!flat)
			continue;
		for (int k = 0; k < 3; k++)
			out[k] = k != a ? 0.0f : old.v[a] > 0 ? 1.0f : -1.0f;
		out[3] = (float)(old.v[a] > 0 ? p[0].v[a] : 0 - p[0].v[a]);
		return true;
	}
	for (uint32_t i = 1; i + 1 < n; i++)
		for (uint32_t k = i + 1; k < n; k++) {
			mw_vec3 c = mw_cross3(mw_sub3(p[i], p[0]), mw_sub3(p[k], p[0]));
			if (mw_len3(c) > most) {
				most = mw_len3(c);
				best = c;
				at = i;
			}
		}
	best = mw_unit3(best);
	if (!(most > 0) || mw_dot3(best, old) < 0.99)
		return false;
	for (int k = 0; k < 3; k++)
		best.v[k] = mw_single(best.v[k] + 0.0);
	double d = mw_single(mw_dot3(best, p[at]) + 0.0);
	for (uint32_t i = 0; i < n; i++)
		if (fabs(mw_dot3(best, p[i]) - d) > w->distance)
			return false;
	for (int k = 0; k < 3; k++)
		out[k] = (float)best.v[k];
	out[3] = (float)d;
	return true;
}

static mw_code solid_of(
	mender *w, const mw_hmap_face *face, uint32_t n, mw_solid *out, bool *closed)
{
	mw_side *side = mw_arena_alloc(&w->arena, ((size_t)n + 1) * sizeof *side);
	mw_closure how;
	mw_code rc = side ? MW_OK : MW_ENOMEM;
	for (uint32_t i = 0; i < n && !rc; i++) {
		const float *p = face[i].plane;
		side[i].tag = i;
		rc = mw_planes_add(w->cx, &w->t, &side[i].plane,
			mw_v3((double)p[0], (double)p[1], (double)p[2]), (double)p[3]);
	}
	rc = rc ? rc : mw_solid_make(&w->arena, &w->t, side, n, out, &how);
	*closed = !rc && how == MW_CLOSED;
	return rc;
}

static bool near_box(const mw_aabb *a, const mw_aabb *b, double distance)
{
	for (int i = 0; i < 3; i++)
		if (fabs(a->min.v[i] - b->min.v[i]) > distance ||
			fabs(a->max.v[i] - b->max.v[i]) > distance)
			return false;
	return true;
}

/* ---- brushes --------------------------------------------------------------------------------- */

/* Take out faces that bound nothing; of an empty brush those on a plane that is there from the
 * other side, if that closes it. */
static mw_code drop_faces(mender *w, mw_solid *solid, bool *closed)
{
	mw_code rc = solid_of(w, w->face, w->faces, solid, closed);
	uint32_t kept = 0;
	if (rc)
		return rc;
	mw_hmap_face *left = mw_arena_alloc(&w->arena, ((size_t)w->faces + 1) * sizeof *left);
	if (!left)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < w->faces; i++) {
		bool keep = false;
		for (uint32_t k = 0; k < solid->n && *closed; k++)
			keep |= solid->face[k].tag == i;
		if (!*closed) {
			keep = true;
			for (uint32_t k = 0; k < kept && keep; k++) {
				bool turned = true;
				for (int a = 0; a < 4; a++)
					turned &= left[k].plane[a] == 0 - w->face[i].plane[a];
				keep = !turned;
			}
		}
		if (keep)
			left[kept++] = w->face[i];
	}
	if (kept == w->faces)
		return MW_OK;
	mw_solid other;
	bool good;
	rc = solid_of(w, left, kept, &other, &good);
	if (rc || !good)
		return rc;
	w->count += w->faces - kept;
	memcpy(w->face, left, kept * sizeof *left);
	w->faces = kept;
	*solid = other;
	*closed = true;
	return MW_OK;
}

static mw_code snap_faces(mender *w, const mw_solid *solid)
{
	mw_hmap_face *now = mw_arena_alloc(&w->arena, ((size_t)w->faces + 1) * sizeof *now);
	uint32_t changed = 0;
	if (!now)
		return MW_ENOMEM;
	memcpy(now, w->face, w->faces * sizeof *now);
	for (uint32_t i = 0; i < solid->n; i++) {
		const mw_poly *f = &solid->face[i];
		mw_vec3 *p = mw_arena_alloc(&w->arena, f->n * sizeof *p);
		bool any = false;
		float plane[4];
		if (!p)
			return MW_ENOMEM;
		for (uint32_t k = 0; k < f->n; k++)
			for (int a = 0; a < 3; a++) {
				p[k].v[a] = snapped(w, f->v[k].at.v[a]);
				any |= moves(f->v[k].at.v[a], p[k].v[a]);
			}
		memcpy(plane, now[f->tag].plane, sizeof plane);
		if (!any || !plane_through(w, p, f->n, plane) ||
			memcmp(plane, now[f->tag].plane, sizeof plane) == 0)
			continue;
		memcpy(now[f->tag].plane, plane, sizeof plane);
		changed++;
	}
	if (!changed)
		return MW_OK;
	mw_solid other;
	bool closed;
	mw_code rc = solid_of(w, now, w->faces, &other, &closed);
	if (rc || !closed || other.n != solid->n ||
		!near_box(&other.box, &solid->box, 2 * w->distance))
		return rc;
	memcpy(w->face, now, w->faces * sizeof *now);
	w->count += changed;
	return MW_OK;
}

static mw_code brushes(mender *w)
{
	mw_hmap *h = w->h;
	uint32_t most = 0, at = 0;
	mw_code rc = MW_OK;
	for (size_t i = 0; i < h->brush.n; i++)
		most = h->brush.v[i].faces > most ? h->brush.v[i].faces : most;
	w->face = mw_alloc_n(w->cx, (size_t)most + 1, sizeof *w->face);
	if (!w->face)
		return MW_ENOMEM;
	for (size_t i = 0; i < h->brush.n && !rc; i++) {
		mw_hmap_brush *b = &h->brush.v[i];
		mw_arena_mark mark = mw_arena_get_mark(&w->arena);
		mw_solid solid;
		bool closed = false;
		w->faces = b->faces;
		if (b->faces)
			memcpy(w->face, h->face.v + b->first, b->faces * sizeof *w->face);
		rc = drop_faces(w, &solid, &closed);
		if (!rc && closed)
			rc = snap_faces(w, &solid);
		/* faces only become fewer, so this is behind what is still to be read */
		b->first = at;
		b->faces = w->faces;
		if (w->faces)
			memcpy(h->face.v + at, w->face, w->faces * sizeof *w->face);
		at += w->faces;
		mw_arena_reset(&w->arena, mark);
	}
	if (!rc)
		h->face.n = at;
	mw_free(w->cx, w->face);
	return rc;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static bool share_poly(const mw_hmap *h, const mw_hmap_mesh *m, uint32_t a, uint32_t b)
{
	for (uint32_t k = 0; k < m->polys; k++) {
		const mw_hmap_poly *p = &h->poly.v[m->first_poly + k];
		bool has_a = false, has_b = false;
		for (uint32_t c = 0; c < p->indices; c++) {
			has_a |= h->index.v[p->first + c] == a;
			has_b |= h->index.v[p->first + c] == b;
		}
		if (has_a && has_b)
			return true;
	}
	return false;
}

/* Vertices onto the grid, then each to the first that is near it, unless a polygon has both. */
static mw_code mend_mesh(mender *w, const mw_hmap_mesh *m)
{
	mw_level_point *v = m->vertices ? w->h->vertex.v + m->first_vertex : NULL;
	mw_aabb *box = mw_arena_alloc(&w->arena, ((size_t)m->vertices + 1) * sizeof *box);
	mw_bvh bvh;
	mw_bvh_hits hits = {0};
	if (!box)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < m->vertices; i++) {
		bool any = false;
		for (int a = 0; a < 3; a++) {
			double to = snapped(w, (double)v[i].v[a]);
			any |= moves((double)v[i].v[a], to);
			v[i].v[a] = (float)to;
		}
		w->count += any;
		box[i].min = mw_v3((double)v[i].v[0], (double)v[i].v[1], (double)v[i].v[2]);
		box[i].max = box[i].min;
	}
	mw_code rc = mw_bvh_build(&w->arena, box, m->vertices, &bvh);
	for (uint32_t i = 0; i < m->vertices && !rc; i++) {
		mw_aabb around = mw_aabb_empty();
		mw_aabb_add(&around, box[i].min, w->distance);
		rc = mw_bvh_find(w->cx, &bvh, &around, &hits);
		if (rc || hits.n == 0 || hits.v[0] >= i)
			continue;
		uint32_t to = hits.v[0];
		double off = mw_len3(mw_sub3(box[to].min, box[i].min));
		if (off == 0 || off > w->distance || share_poly(w->h, m, to, i))
			continue;
		v[i] = v[to];
		w->count++;
	}
	mw_free(w->cx, hits.v);
	return rc;
}

mw_code mw_hmap_mend(mw_ctx *cx, mw_hmap *h, double distance, double grid, uint32_t *count)
{
	mender w = {.cx = cx, .h = h, .distance = distance, .grid = grid};
	*count = 0;
	if (!(distance > 0) || !(grid > 2 * distance))
		return mw_fail(cx, MW_ERANGE, "a distance of %g on a grid of %g", distance, grid);
	mw_arena_init(&w.arena, cx);
	mw_code rc = mw_planes_init(cx, &w.t);
	rc = rc ? rc : brushes(&w);
	for (size_t i = 0; i < h->mesh.n && !rc; i++) {
		mw_arena_mark mark = mw_arena_get_mark(&w.arena);
		rc = mend_mesh(&w, &h->mesh.v[i]);
		mw_arena_reset(&w.arena, mark);
	}
	mw_planes_free(cx, &w.t);
	mw_arena_free(&w.arena);
	*count = w.count;
	return rc;
}

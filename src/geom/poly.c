#include "geom/poly.h"

#include <string.h>

static mw_corner *corners(mw_arena *arena, size_t n)
{
	return mw_arena_alloc(arena, n * sizeof(mw_corner));
}

mw_code mw_poly_whole(
	mw_arena *arena, const mw_planes *t, mw_plane_id plane, uint32_t tag, mw_poly *out)
{
	mw_plane p = mw_planes_get(t, plane);
	int k = 0;
	for (int i = 1; i < 3; i++)
		if (fabs(p.n.v[i]) > fabs(p.n.v[k]))
			k = i;
	uint32_t i = (uint32_t)(k + 1) % 3, j = (uint32_t)(k + 2) % 3;
	/* world planes outwards: index 2 a faces +a (even id), index 2 a + 1 faces -a (odd id) */
	mw_plane_id imax = 4 * i, imin = 4 * i + 3, jmax = 4 * j, jmin = 4 * j + 3;
	mw_plane_id up[4] = {imax, jmax, imin, jmin}, down[4] = {jmax, imax, jmin, imin};
	const mw_plane_id *edge = p.n.v[k] > 0 ? up : down;
	mw_plane_id kmax = 4 * (uint32_t)k, kmin = kmax + 3;

	mw_poly poly = {.plane = plane, .tag = tag, .n = 4, .v = corners(arena, 4)};
	*out = (mw_poly){.plane = plane, .tag = tag};
	if (!poly.v)
		return MW_ENOMEM;
	for (int c = 0; c < 4; c++) {
		mw_corner *v = &poly.v[c];
		v->edge = edge[c];
		if (!mw_planes_vertex(t, plane, edge[(c + 3) & 3], edge[c], &v->at, &v->err)) {
			MW_ASSERT(!"the plane is not parallel to its dominant axis");
			return MW_OK;
		}
	}
	/* What sticks out along the dominant axis. */
	mw_plane_id caps[2] = {kmax, kmin};
	for (int c = 0; c < 2 && poly.n; c++) {
		if (MW_PLANE_INDEX(caps[c]) == MW_PLANE_INDEX(plane))
			continue;
		mw_poly kept;
		if (mw_poly_split(arena, t, &poly, caps[c], NULL, &kept))
			return MW_ENOMEM;
		poly = kept;
	}
	*out = poly;
	return MW_OK;
}

static int corner_side(const mw_planes *t, const mw_poly *p, uint32_t i, mw_plane_id q)
{
	const mw_corner *v = &p->v[i];
	mw_plane_id before = p->v[i ? i - 1 : p->n - 1].edge;
	return mw_planes_side_of(t, p->plane, before, v->edge, &v->at, v->err, q);
}

int mw_poly_side(const mw_planes *t, const mw_poly *p, mw_plane_id q, int8_t *side)
{
	int bits = 0;
	if (MW_PLANE_INDEX(q) == MW_PLANE_INDEX(p->plane)) {
		if (side)
			memset(side, 0, p->n);
		return 0;
	}
	for (uint32_t i = 0; i < p->n; i++) {
		int s = corner_side(t, p, i, q);
		bits |= s > 0 ? 1 : s < 0 ? 2 : 0;
		if (side)
			side[i] = (int8_t)s;
		else if (bits == 3)
			break;
	}
	return bits;
}

/* The part of p on the side of q where corners have sign keep; new_edge is q facing away from it.
 */
static mw_code cut(mw_arena *arena, const mw_planes *t, const mw_poly *p, mw_plane_id new_edge,
	const int8_t *side, int keep, mw_poly *out)
{
	mw_corner *v = corners(arena, (size_t)p->n + 1);
	if (!v)
		return MW_ENOMEM;
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->n; i++) {
		int cur = side[i] * keep, next = side[i + 1 < p->n ? i + 1 : 0] * keep;
		if (cur >= 0 && (cur > 0 || next != 0)) {
			v[n] = p->v[i];
			if (cur == 0 && next < 0)
				v[n].edge = new_edge;
			n++;
		}
		if ((cur > 0 && next < 0) || (cur < 0 && next > 0)) {
			mw_corner *c = &v[n++];
			if (!mw_planes_vertex(t, p->plane, p->v[i].edge, new_edge, &c->at, &c->err))
				MW_ASSERT(!"a crossing edge is not parallel to the plane");
			c->edge = cur > 0 ? new_edge : p->v[i].edge;
		}
	}
	MW_ASSERT(n >= 3 && n <= p->n + 1);
	*out = (mw_poly){.plane = p->plane, .tag = p->tag, .n = n, .v = v};
	return MW_OK;
}

mw_code mw_poly_split(mw_arena *arena, const mw_planes *t, const mw_poly *p, mw_plane_id q,
	mw_poly *front, mw_poly *back)
{
	int8_t small[64], *side = small;
	mw_poly none = {.plane = p->plane, .tag = p->tag}, whole = *p;
	if (front)
		*front = none;
	if (back)
		*back = none;
	if (p->n > sizeof small && !(side = mw_arena_alloc(arena, p->n)))
		return MW_ENOMEM;
	int bits = mw_poly_side(t, p, q, side);
	if (bits == 1 && front)
		*front = whole;
	if (bits == 2 && back)
		*back = whole;
	if (bits != 3)
		return MW_OK;
	if (front && cut(arena, t, &whole, q ^ 1, side, 1, front))
		return MW_ENOMEM;
	if (back && cut(arena, t, &whole, q, side, -1, back))
		return MW_ENOMEM;
	return MW_OK;
}

mw_code mw_poly_reverse(mw_arena *arena, const mw_poly *p, mw_poly *out)
{
	mw_corner *v = corners(arena, p->n);
	if (!v)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t from = p->n - 1 - i;
		v[i] = p->v[from];
		v[i].edge = p->v[from ? from - 1 : p->n - 1].edge;
	}
	*out = (mw_poly){.plane = p->plane ^ 1, .tag = p->tag, .n = p->n, .v = v};
	return MW_OK;
}

static bool inside_edges(
	const mw_planes *t, const mw_poly *in, const mw_poly *edges, mw_plane_id but)
{
	for (uint32_t i = 0; i < edges->n; i++)
		if (edges->v[i].edge != but && (mw_poly_side(t, in, edges->v[i].edge, NULL) & 1))
			return false;
	return true;
}

/* The corners of a after its edge at, then those of b after the matching edge; between them the
 * outlines touch. Where both go on along one line the corner between is dropped. */
static mw_code stitch(mw_arena *arena, const mw_planes *t, const mw_poly *a, uint32_t ea,
	const mw_poly *b, uint32_t eb, mw_poly *out, bool *joined)
{
	mw_corner *v = corners(arena, (size_t)a->n + b->n);
	if (!v)
		return MW_ENOMEM;
	uint32_t n = 0;
	/* a from the end of its shared edge round to the start of it, then b likewise */
	for (uint32_t i = 1; i < a->n; i++)
		v[n++] = a->v[(ea + i) % a->n];
	for (uint32_t i = 1; i < b->n; i++)
		v[n++] = b->v[(eb + i) % b->n];
	/* drop corners between edges on one plane, then place every corner anew */
	uint32_t m = 0;
	for (uint32_t i = 0; i < n; i++)
		if (v[i].edge != v[i ? i - 1 : n - 1].edge)
			v[m++] = v[i];
	for (uint32_t i = 0; i < m && m >= 3; i++)
		if (!mw_planes_vertex(
			    t, a->plane, v[i ? i - 1 : m - 1].edge, v[i].edge, &v[i].at, &v[i].err))
			m = 0; /* one line under two planes: leave such a pair alone */
	*joined = m >= 3;
	if (*joined)
		*out = (mw_poly){.plane = a->plane, .tag = a->tag, .n = m, .v = v};
	return MW_OK;
}

/* Exact: corner i of a is corner j of b. Both lie on one plane. */
static bool same_corner(
	const mw_planes *t, const mw_poly *a, uint32_t i, const mw_poly *b, uint32_t j)
{
	mw_plane_id e0 = b->v[j ? j - 1 : b->n - 1].edge, e1 = b->v[j].edge;
	return corner_side(t, a, i, e0) == 0 && corner_side(t, a, i, e1) == 0;
}

mw_code mw_poly_join(mw_arena *arena, const mw_planes *t, const mw_poly *a, const mw_poly *b,
	mw_poly *out, bool *joined)
{
	*joined = false;
	if (a->plane != b->plane || a->tag != b->tag)
		return MW_OK;
	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t j = 0; j < b->n; j++) {
			if ((a->v[i].edge ^ 1) != b->v[j].edge)
				continue;
			/* the shared edge must be whole on both sides: then the outlines meet */
			if (!same_corner(t, a, i, b, (j + 1) % b->n) ||
				!same_corner(t, a, (i + 1) % a->n, b, j))
				return MW_OK;
			if (!inside_edges(t, b, a, a->v[i].edge) ||
				!inside_edges(t, a, b, b->v[j].edge))
				return MW_OK;
			return stitch(arena, t, a, i, b, j, out, joined);
		}
	return MW_OK;
}

double mw_poly_area(const mw_poly *p)
{
	mw_vec3 sum = mw_v3(0, 0, 0);
	for (uint32_t i = 2; i < p->n; i++)
		sum = mw_add3(sum,
			mw_cross3(mw_sub3(p->v[i - 1].at, p->v[0].at),
				mw_sub3(p->v[i].at, p->v[0].at)));
	return mw_len3(sum) / 2;
}

mw_vec3 mw_poly_centre(const mw_poly *p)
{
	mw_vec3 sum = mw_v3(0, 0, 0), mean = sum;
	double total = 0;
	if (p->n == 0)
		return mean;
	for (uint32_t i = 0; i < p->n; i++)
		mean = mw_along3(mean, p->v[i].at, 1.0 / p->n);
	for (uint32_t i = 2; i < p->n; i++) {
		mw_vec3 u = mw_sub3(p->v[i - 1].at, p->v[0].at),
			v = mw_sub3(p->v[i].at, p->v[0].at);
		double w = mw_len3(mw_cross3(u, v));
		mw_vec3 c = mw_add3(p->v[0].at, mw_scale3(mw_add3(u, v), 1.0 / 3));
		sum = mw_along3(sum, c, w);
		total += w;
	}
	return total > 0 ? mw_scale3(sum, 1 / total) : mean;
}

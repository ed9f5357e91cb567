#include "geom/bsp.h"

/* ---- points ---------------------------------------------------------------------------------- */

uint32_t mw_bsp_leaf_of(const mw_planes *t, const mw_bsp *bsp, const mw_vec3 *p)
{
	int32_t at = bsp->root;
	while (at >= 0) {
		const mw_bsp_node *n = &bsp->node.v[at];
		at = n->child[mw_planes_side_point(t, p, n->plane) < 0];
	}
	return (uint32_t)~at;
}

/* Strictly: a brush holds no point of its own box's sides. */
static bool in_box(const mw_aabb *b, const mw_vec3 *p)
{
	for (int i = 0; i < 3; i++)
		if (!(p->v[i] > b->min.v[i] && p->v[i] < b->max.v[i]))
			return false;
	return true;
}

uint32_t mw_bsp_contents(const mw_planes *t, const mw_brushes *b, const mw_bsp *bsp,
	const mw_vec3 *p, uint32_t *tested)
{
	uint32_t found = 0, looked = 0;
	if (tested)
		*tested = 0;
	if (!in_box(&bsp->box, p))
		return 0;
	const mw_bsp_leaf *leaf = &bsp->leaf.v[mw_bsp_leaf_of(t, bsp, p)];
	for (uint32_t i = 0; i < leaf->count; i++) {
		uint32_t k = bsp->item.v[leaf->first + i];
		if (!(b->brush.v[k].contents & ~found))
			continue; /* could add nothing */
		looked++;
		if (mw_brush_contains(t, b, k, p))
			found |= b->brush.v[k].contents;
	}
	if (tested)
		*tested = looked;
	return found;
}

uint32_t mw_bsp_brush_at(
	const mw_planes *t, const mw_brushes *b, const mw_bsp *bsp, const mw_vec3 *p)
{
	if (!in_box(&bsp->box, p))
		return MW_TAG_NONE;
	const mw_bsp_leaf *leaf = &bsp->leaf.v[mw_bsp_leaf_of(t, bsp, p)];
	for (uint32_t i = 0; i < leaf->count; i++)
		if (mw_brush_contains(t, b, bsp->item.v[leaf->first + i], p))
			return bsp->item.v[leaf->first + i];
	return MW_TAG_NONE;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* How far the box reaches along n. */
static double reach(const mw_vec3 *half, const mw_vec3 *n)
{
	return fabs(n->x) * half->x + fabs(n->y) * half->y + fabs(n->z) * half->z;
}

/* Clip the way against one brush; better hits go to *hit. */
static void sweep_brush(
	const mw_planes *t, const mw_brushes *b, uint32_t i, const mw_sweep *s, mw_sweep_hit *hit)
{
	const mw_brush *br = &b->brush.v[i];
	double enter = -1, leave = 2;
	mw_plane_id by = MW_PLANE_NONE;
	if (!(br->contents & s->mask) || br->count == 0)
		return;
	for (uint32_t k = 0; k < br->count; k++) {
		mw_plane_id id = b->side.v[br->first + k].plane;
		mw_plane p = mw_planes_get(t, id);
		double r = p.d + reach(&s->half, &p.n);
		double d0 = mw_dot3(p.n, s->from) - r, d1 = mw_dot3(p.n, s->to) - r;
		if (d0 >= 0 && d1 >= 0)
			return;
		if (d0 < 0 && d1 < 0)
			continue;
		double at = d0 / (d0 - d1);
		if (d0 >= 0) {
			if (at > enter) {
				enter = at;
				by = id;
			}
		} else if (at < leave) {
			leave = at;
		}
	}
	if (!(enter < leave))
		return;
	double at = by == MW_PLANE_NONE ? 0 : enter;
	if (hit->brush != MW_TAG_NONE && (at > hit->t || (at == hit->t && i >= hit->brush)))
		return;
	*hit = (mw_sweep_hit){at, i, by, by == MW_PLANE_NONE};
}

bool mw_brushes_sweep(const mw_planes *t, const mw_brushes *b, const mw_sweep *s, mw_sweep_hit *hit)
{
	*hit = (mw_sweep_hit){1, MW_TAG_NONE, MW_PLANE_NONE, false};
	for (uint32_t i = 0; i < b->brush.n; i++)
		sweep_brush(t, b, i, s, hit);
	return hit->brush != MW_TAG_NONE;
}

typedef struct {
	const mw_planes *t;
	const mw_brushes *b;
	const mw_bsp *bsp;
	const mw_sweep *s;
	mw_sweep_hit *hit;
	double slack; /* cells are taken larger by this: more than all rounding together */
} walk;

static void walk_leaf(const walk *w, int32_t link)
{
	const mw_bsp_leaf *leaf = &w->bsp->leaf.v[~link];
	for (uint32_t i = 0; i < leaf->count; i++)
		sweep_brush(w->t, w->b, w->bsp->item.v[leaf->first + i], w->s, w->hit);
}

/* [t0, t1] holds the part of the way on which the box may touch the cell. */
static void walk_node(const walk *w, int32_t link, double t0, double t1)
{
	if (w->hit->brush != MW_TAG_NONE && w->hit->t < t0)
		return;
	if (link < 0) {
		walk_leaf(w, link);
		return;
	}
	const mw_bsp_node *n = &w->bsp->node.v[link];
	mw_plane p = mw_planes_get(w->t, n->plane);
	double r = reach(&w->s->half, &p.n) + w->slack;
	double d0 = mw_dot3(p.n, w->s->from) - p.d, d1 = mw_dot3(p.n, w->s->to) - p.d;
	double slope = d1 - d0;
	/* where the box touches the front (d > -r) and the back (d < r), as parts of the way */
	double part[2][2] = {{t0, t1}, {t0, t1}};
	for (int side = 0; side < 2; side++) {
		double sign = side ? -1 : 1; /* sign * d > -r */
		double a = sign * d0 + r, m = sign * slope;
		if (m > 0)
			part[side][0] = -a / m > t0 ? -a / m : t0;
		else if (m < 0)
			part[side][1] = -a / m < t1 ? -a / m : t1;
		else if (a < 0)
			part[side][1] = -1;
	}
	int first = slope < 0 ? 0 : slope > 0 ? 1 : d0 < 0;
	for (int k = 0; k < 2; k++) {
		int side = k ? !first : first;
		if (part[side][0] <= part[side][1])
			walk_node(w, n->child[side], part[side][0], part[side][1]);
	}
}

bool mw_bsp_sweep(const mw_planes *t, const mw_brushes *b, const mw_bsp *bsp, const mw_sweep *s,
	mw_sweep_hit *hit)
{
	*hit = (mw_sweep_hit){1, MW_TAG_NONE, MW_PLANE_NONE, false};
	double size = 1;
	for (int i = 0; i < 3; i++)
		size += fabs(s->from.v[i]) + fabs(s->to.v[i]) + s->half.v[i];
	walk w = {t, b, bsp, s, hit, 1e-10 * size};
	walk_node(&w, bsp->root, 0, 1);
	return hit->brush != MW_TAG_NONE;
}

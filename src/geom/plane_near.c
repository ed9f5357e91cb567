/* Near-equal planes: the one place of this layer that knows a tolerance for planes. */
#include "geom/plane.h"

#include "base/rng.h"

#include <string.h>

/* Cells far larger than any sensible tolerance, and shifted so that zero and whole numbers, where
 * planes crowd, lie well inside a cell: a query then looks at one cell nearly always. */
#define NORMAL_CELL 0.013
#define DIST_CELL 0.77
#define SHIFT 0.37

typedef struct {
	mw_plane p;
	mw_plane_id id;
	uint32_t next; /* index + 1 in the same slot */
} kept;

typedef struct {
	MW_ARRAY(kept) list;
	uint32_t *slot;
	uint32_t mask;
} grid;

static uint64_t cell_hash(const int64_t c[4])
{
	uint64_t h = 1;
	for (int i = 0; i < 4; i++)
		h = mw_mix64(h ^ (uint64_t)c[i]);
	return h;
}

static int64_t cell_of(double x, double size)
{
	double q = floor(x / size + SHIFT);
	return q > 4e18 ? 4000000000000000000 : q < -4e18 ? -4000000000000000000 : (int64_t)q;
}

static bool put(mw_ctx *cx, grid *g, const mw_plane *p, mw_plane_id id)
{
	int64_t c[4];
	for (int i = 0; i < 4; i++)
		c[i] = cell_of(i < 3 ? p->n.v[i] : p->d, i < 3 ? NORMAL_CELL : DIST_CELL);
	uint32_t *s = &g->slot[cell_hash(c) & g->mask];
	kept k = {*p, id, *s};
	if (!MW_PUSH(cx, &g->list, k))
		return false;
	*s = (uint32_t)g->list.n;
	return true;
}

static bool is_near(const mw_plane *a, const mw_plane *b, double ne, double de)
{
	return fabs(a->n.x - b->n.x) <= ne && fabs(a->n.y - b->n.y) <= ne &&
		fabs(a->n.z - b->n.z) <= ne && fabs(a->d - b->d) <= de;
}

/* The earliest kept plane near p, or MW_PLANE_NONE. */
static mw_plane_id look(const grid *g, const mw_plane *p, double ne, double de)
{
	int64_t lo[4], hi[4], c[4];
	for (int i = 0; i < 4; i++) {
		double x = i < 3 ? p->n.v[i] : p->d, e = i < 3 ? ne : de;
		double size = i < 3 ? NORMAL_CELL : DIST_CELL;
		lo[i] = cell_of(x - e, size);
		hi[i] = cell_of(x + e, size);
	}
	mw_plane_id best = MW_PLANE_NONE;
	for (c[0] = lo[0]; c[0] <= hi[0]; c[0]++)
		for (c[1] = lo[1]; c[1] <= hi[1]; c[1]++)
			for (c[2] = lo[2]; c[2] <= hi[2]; c[2]++)
				for (c[3] = lo[3]; c[3] <= hi[3]; c[3]++) {
					uint32_t at = g->slot[cell_hash(c) & g->mask];
					for (; at; at = g->list.v[at - 1].next) {
						const kept *k = &g->list.v[at - 1];
						if (k->id < best && is_near(&k->p, p, ne, de))
							best = k->id;
					}
				}
	return best;
}

mw_code mw_planes_merge_near(mw_ctx *cx, const mw_planes *t, double normal_eps, double dist_eps,
	mw_plane_id *remap, uint32_t *merged)
{
	*merged = 0;
	if (!(normal_eps >= 0 && normal_eps <= NORMAL_CELL) || !(dist_eps >= 0 && dist_eps <= 8))
		return mw_fail(cx, MW_ERANGE, "plane tolerance %g, %g is outside 0..%g, 0..8",
			normal_eps, dist_eps, NORMAL_CELL);
	uint32_t size = 64;
	while (size < t->unit.n * 4)
		size *= 2;
	grid g = {.slot = mw_zalloc_n(cx, size, sizeof *g.slot), .mask = size - 1};
	if (!g.slot)
		return MW_ENOMEM;
	mw_code rc = MW_ENOMEM;
	for (uint32_t i = 0; i < t->unit.n; i++) {
		mw_plane p = mw_planes_get(t, i * 2), turned = mw_planes_get(t, i * 2 + 1);
		mw_plane_id to =
			i < MW_WORLD_PLANES ? MW_PLANE_NONE : look(&g, &p, normal_eps, dist_eps);
		if (to != MW_PLANE_NONE) {
			remap[i] = to;
			(*merged)++;
			continue;
		}
		remap[i] = i * 2;
		if (i >= MW_WORLD_PLANES &&
			(!put(cx, &g, &p, i * 2) || !put(cx, &g, &turned, i * 2 + 1)))
			goto done;
	}
	rc = MW_OK;
done:
	mw_free(cx, g.list.v);
	mw_free(cx, g.slot);
	return rc;
}

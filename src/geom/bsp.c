#include "geom/bsp.h"

#include <float.h>
#include <string.h>

/* Tags of fragment faces while building. */
#define FACE_OWN 0  /* a side of the brush */
#define FACE_CAP 1  /* on a plane that bounds the cell */
#define FACE_EDGE 2 /* both, and points on that plane belong to the cell */

/* Weight of descending through one node against testing one brush. */
#define NODE_COST 0.4
/* Cells of more brushes are halved even where that gains nothing at once. */
#define HALVE_ABOVE 16
/* ... and of more than this out of a purse of their own, first come, first served. */
#define HALVE_ALWAYS 32

/* What of a brush lies in the cell. */
typedef struct {
	mw_solid solid;
	uint32_t brush;
} fragment;

typedef struct {
	fragment *v;
	uint32_t n;
} fragments;

typedef struct {
	mw_ctx *cx;
	mw_planes *t;
	const mw_brushes *b;
	mw_bsp *out;
	mw_arena arena;
	mw_bsp_options o;
	uint64_t halvings; /* left for crowded cells */
} build;

void mw_bsp_free(mw_ctx *cx, mw_bsp *bsp)
{
	mw_free(cx, bsp->node.v);
	mw_free(cx, bsp->leaf.v);
	mw_free(cx, bsp->item.v);
	memset(bsp, 0, sizeof *bsp);
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static bool covers_cell(const fragment *f)
{
	/* bounded by the cell's planes alone: then it is the cell, and holds all its points but
	 * those on an edge */
	for (uint32_t i = 0; i < f->solid.n; i++)
		if (f->solid.face[i].tag != FACE_CAP)
			return false;
	return true;
}

/* The first fragment that covers the cell (n when none), and how many add contents to it. */
static uint32_t find_cover(const build *b, const fragments *in, uint32_t *others)
{
	uint32_t cover = in->n;
	for (uint32_t i = 0; i < in->n && cover == in->n; i++)
		if (covers_cell(&in->v[i]))
			cover = i;
	*others = in->n;
	if (cover == in->n)
		return cover;
	uint32_t has = b->b->brush.v[in->v[cover].brush].contents;
	*others = 0;
	for (uint32_t i = 0; i < in->n; i++)
		*others += (b->b->brush.v[in->v[i].brush].contents & ~has) != 0;
	return cover;
}

/* fragments are in ascending brush order: splitting keeps it */
static mw_code make_leaf(build *b, const fragments *in, uint32_t cover, int32_t *link)
{
	*link = -1;
	if (in->n == 0)
		return MW_OK;
	mw_bsp_leaf leaf = {(uint32_t)b->out->item.n, 0};
	uint32_t has = 0;
	if (cover < in->n) {
		has = b->b->brush.v[in->v[cover].brush].contents;
		if (!MW_PUSH(b->cx, &b->out->item, in->v[cover].brush))
			return MW_ENOMEM;
	}
	for (uint32_t i = 0; i < in->n; i++) {
		uint32_t brush = in->v[i].brush;
		bool adds = cover == in->n || (b->b->brush.v[brush].contents & ~has);
		/* Later brushes can neither add contents nor be the first that a ray meets here:
		 * where their faces coincide with the cover's, the lower index is the answer. */
		if (i == cover || (!adds && (i > cover || b->o.drop_covered)))
			continue;
		if (!MW_PUSH(b->cx, &b->out->item, brush))
			return MW_ENOMEM;
	}
	leaf.count = (uint32_t)b->out->item.n - leaf.first;
	if (b->out->leaf.n > INT32_MAX - 2)
		return mw_fail(b->cx, MW_ELIMIT, "more than %d BSP leaves", INT32_MAX - 2);
	if (!MW_PUSH(b->cx, &b->out->leaf, leaf))
		return MW_ENOMEM;
	*link = ~(int32_t)(b->out->leaf.n - 1);
	return MW_OK;
}

/* ---- splitter choice ------------------------------------------------------------------------- */

typedef struct {
	double cost;
	int axis;          /* 0..2, or -1: plane */
	double at;         /* axis >= 0 */
	mw_plane_id plane; /* axis < 0 */
	bool any;
} choice;

/* Chance that what meets the cell meets the part lo..hi of it too: the mean of a ray's (area) and a
 * point's (volume). */
static double share_of(const mw_aabb *cell, int axis, double lo, double hi)
{
	mw_aabb b = *cell;
	b.min.v[axis] = lo;
	b.max.v[axis] = hi;
	double part = (hi - lo) / (cell->max.v[axis] - cell->min.v[axis]);
	double whole = mw_aabb_area(cell);
	return whole > 0 ? (mw_aabb_area(&b) / whole + part) / 2 : part;
}

/* Expected brush tests below a split, against the fragments' boxes. */
static void try_axial(
	const fragments *in, const mw_aabb *cell, int axis, double at, bool balance, choice *best)
{
	double lo = cell->min.v[axis], hi = cell->max.v[axis];
	if (!(at > lo && at < hi))
		return;
	uint32_t nf = 0, nb = 0;
	for (uint32_t i = 0; i < in->n; i++) {
		nf += in->v[i].solid.box.max.v[axis] > at;
		nb += in->v[i].solid.box.min.v[axis] < at;
	}
	if (nf == in->n && nb == in->n)
		return;
	double cost;
	if (balance) {
		cost = nf > nb ? nf : nb;
		if (nf == 0 || nb == 0)
			return;
	} else {
		cost = NODE_COST + share_of(cell, axis, at, hi) * nf +
			share_of(cell, axis, lo, at) * nb;
	}
	if (!best->any || cost < best->cost)
		*best = (choice){cost, axis, at, MW_PLANE_NONE, true};
}

#define BINS 32

/* Many fragments: one box edge of each kind from each of BINS slices. */
static void try_binned(
	const fragments *in, const mw_aabb *cell, int axis, bool balance, choice *best)
{
	double first[BINS], last[BINS];
	double lo = cell->min.v[axis], size = cell->max.v[axis] - lo;
	if (!(size > 0))
		return;
	for (int k = 0; k < BINS; k++) {
		first[k] = HUGE_VAL;
		last[k] = -HUGE_VAL;
	}
	for (uint32_t i = 0; i < in->n; i++) {
		double a = in->v[i].solid.box.min.v[axis], z = in->v[i].solid.box.max.v[axis];
		int ka = (int)((a - lo) / size * BINS), kz = (int)((z - lo) / size * BINS);
		ka = ka < 0 ? 0 : ka >= BINS ? BINS - 1 : ka;
		kz = kz < 0 ? 0 : kz >= BINS ? BINS - 1 : kz;
		first[ka] = a < first[ka] ? a : first[ka];
		last[kz] = z > last[kz] ? z : last[kz];
	}
	for (int k = 0; k < BINS; k++) {
		if (first[k] <= DBL_MAX)
			try_axial(in, cell, axis, first[k], balance, best);
		if (last[k] >= -DBL_MAX && last[k] != first[k])
			try_axial(in, cell, axis, last[k], balance, best);
	}
}

/* Share of the box in front of a plane, roughly: by the box's extent along the normal. */
static double front_share(const mw_aabb *cell, const mw_plane *p)
{
	double mid = -p->d, r = 0;
	for (int i = 0; i < 3; i++) {
		mid += p->n.v[i] * (cell->max.v[i] / 2 + cell->min.v[i] / 2);
		r += fabs(p->n.v[i]) * (cell->max.v[i] / 2 - cell->min.v[i] / 2);
	}
	double s = r > 0 ? 0.5 + mid / (2 * r) : 0.5;
	return s < 0.02 ? 0.02 : s > 0.98 ? 0.98 : s;
}

static void try_plane(
	const build *b, const fragments *in, const mw_aabb *cell, mw_plane_id q, choice *best)
{
	uint32_t nf = 0, nb = 0;
	for (uint32_t i = 0; i < in->n; i++) {
		int bits = mw_solid_side(b->t, &in->v[i].solid, q);
		nf += (bits & 1) != 0;
		nb += (bits & 2) != 0;
	}
	/* cutting off what is empty with them would have no end: the cell's box does not follow */
	if ((nf == in->n && nb == in->n) || nf == 0 || nb == 0)
		return;
	mw_plane p = mw_planes_get(b->t, q);
	double share = front_share(cell, &p);
	/* slanted cells fit their contents less well: ask for a little more */
	double cost = NODE_COST + 1.05 * (share * nf + (1 - share) * nb);
	if (!best->any || cost < best->cost)
		*best = (choice){cost, -1, 0, q, true};
}

static void try_slanted(const build *b, const fragments *in, const mw_aabb *cell, choice *best)
{
	uint32_t tried = 0;
	for (uint32_t i = 0; i < in->n && tried < 48; i++)
		for (uint32_t k = 0; k < in->v[i].solid.n && tried < 48; k++) {
			const mw_poly *f = &in->v[i].solid.face[k];
			if (f->tag != FACE_OWN)
				continue;
			/* axial planes are box edges: tried already */
			if (b->t->exact.v[MW_PLANE_INDEX(f->plane)].axis >= 0)
				continue;
			try_plane(b, in, cell, f->plane & ~1u, best);
			tried++;
		}
}

/* Whether cutting across an axis can tell anything apart: some side of a brush in the cell leans
 * along it, or crosses it inside the box. */
static bool matters(const build *b, const fragments *in, const mw_aabb *box, int axis)
{
	for (uint32_t i = 0; i < in->n; i++)
		for (uint32_t k = 0; k < in->v[i].solid.n; k++) {
			const mw_poly *f = &in->v[i].solid.face[k];
			mw_plane p = mw_planes_get(b->t, f->plane & ~1u);
			if (f->tag != FACE_OWN || p.n.v[axis] == 0)
				continue;
			if (b->t->exact.v[MW_PLANE_INDEX(f->plane)].axis < 0 ||
				(p.d > box->min.v[axis] && p.d < box->max.v[axis]))
				return true;
		}
	return false;
}

/* Nothing helps at once: many brushes through one place. Halves of the cell have fewer of them
 * sooner or later. */
static void halve(const build *b, const fragments *in, const mw_aabb *cell, choice *best)
{
	mw_aabb box = mw_aabb_empty();
	for (uint32_t i = 0; i < in->n; i++)
		mw_aabb_join(&box, &in->v[i].solid.box);
	double longest = 0;
	for (int axis = 0; axis < 3; axis++) {
		double size = box.max.v[axis] - box.min.v[axis];
		double at = box.max.v[axis] / 2 + box.min.v[axis] / 2;
		if (size > longest && at > cell->min.v[axis] && at < cell->max.v[axis] &&
			matters(b, in, &box, axis)) {
			longest = size;
			*best = (choice){in->n, axis, at, MW_PLANE_NONE, true};
		}
	}
}

static choice choose(const build *b, const fragments *in, const mw_aabb *cell, uint32_t depth)
{
	choice best = {0};
	/* Deep down, halving counts more than area, so that the depth limit is never met by it. */
	bool balance = depth * 3 > b->o.max_depth * 2;
	for (int axis = 0; axis < 3; axis++) {
		if (in->n > 2 * BINS) {
			try_binned(in, cell, axis, balance, &best);
			continue;
		}
		for (uint32_t i = 0; i < in->n; i++) {
			try_axial(in, cell, axis, in->v[i].solid.box.min.v[axis], balance, &best);
			try_axial(in, cell, axis, in->v[i].solid.box.max.v[axis], balance, &best);
		}
	}
	if (in->n <= 2 * BINS && (!best.any || best.cost > 0.6 * in->n))
		try_slanted(b, in, cell, &best);
	/* what is hardly a gain is worth a level of depth to small cells only */
	double most = balance ? 0.8 : in->n > HALVE_ABOVE ? 0.95 : 0.99;
	if (best.any && best.cost - (balance ? 0 : NODE_COST) > most * in->n)
		best.any = false;
	return best;
}

/* ---- splitting ------------------------------------------------------------------------------- */

static void mark_caps(mw_solid *s, mw_plane_id q, bool in_front)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (MW_PLANE_INDEX(s->face[i].plane) == MW_PLANE_INDEX(q) &&
			s->face[i].tag == FACE_OWN)
			s->face[i].tag = in_front ? FACE_EDGE : FACE_CAP;
}

static mw_code divide(
	build *b, const fragments *in, mw_plane_id q, fragments *front, fragments *back)
{
	front->n = back->n = 0;
	front->v = mw_arena_alloc(&b->arena, (in->n + 1) * sizeof *front->v);
	back->v = mw_arena_alloc(&b->arena, (in->n + 1) * sizeof *back->v);
	if (!front->v || !back->v)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < in->n; i++) {
		fragment f = {.brush = in->v[i].brush}, k = f;
		if (mw_solid_split(
			    &b->arena, b->t, &in->v[i].solid, q, FACE_CAP, &f.solid, &k.solid))
			return MW_ENOMEM;
		if (f.solid.n) {
			mark_caps(&f.solid, q, true);
			front->v[front->n++] = f;
		}
		if (k.solid.n) {
			mark_caps(&k.solid, q, false);
			back->v[back->n++] = k;
		}
	}
	return MW_OK;
}

static mw_code axial_plane(build *b, int axis, double at, mw_plane_id *q)
{
	mw_vec3 n = mw_v3(0, 0, 0);
	n.v[axis] = 1;
	return mw_planes_add(b->cx, b->t, q, n, at);
}

/* The boxes of the parts of a cell; a slanted plane leaves each the box of its fragments. */
static void divide_cell(const mw_aabb *cell, const choice *c, const fragments *front,
	const fragments *back, mw_aabb *fc, mw_aabb *bc)
{
	*fc = *bc = *cell;
	if (c->axis >= 0) {
		fc->min.v[c->axis] = c->at;
		bc->max.v[c->axis] = c->at;
		return;
	}
	*fc = *bc = mw_aabb_empty();
	for (uint32_t i = 0; i < front->n; i++)
		mw_aabb_join(fc, &front->v[i].solid.box);
	for (uint32_t i = 0; i < back->n; i++)
		mw_aabb_join(bc, &back->v[i].solid.box);
}

/* halvings: how many splits without a gain of their own are left to this cell; handed down in
 * proportion, so that the whole tree stays linear in the number of brushes. stuck: splits in a row
 * that left all fragments on both sides. */
typedef struct {
	uint32_t depth, stuck;
	double halvings;
} state;

static mw_code build_cell(
	build *b, const fragments *in, const mw_aabb *cell, state st, int32_t *link)
{
	uint32_t others, cover = find_cover(b, in, &others);
	if (st.depth > b->out->depth)
		b->out->depth = st.depth;
	if (others <= b->o.leaf_size || st.depth >= b->o.max_depth)
		return make_leaf(b, in, cover, link);
	choice c = choose(b, in, cell, st.depth);
	if (!c.any && in->n > HALVE_ALWAYS && b->halvings) {
		halve(b, in, cell, &c);
		b->halvings--;
	} else if (!c.any && in->n > HALVE_ABOVE && st.halvings >= 1) {
		halve(b, in, cell, &c);
		st.halvings--;
	}
	if (!c.any)
		return make_leaf(b, in, cover, link);
	mw_arena_mark mark = mw_arena_get_mark(&b->arena);
	fragments front, back;
	mw_code rc = MW_OK;
	if (c.axis >= 0 && b->o.single && fabs(c.at) < (double)FLT_MAX)
		c.at = mw_single(c.at);
	if (c.axis >= 0)
		rc = axial_plane(b, c.axis, c.at, &c.plane);
	rc = rc ? rc : divide(b, in, c.plane, &front, &back);
	if (rc)
		return rc;
	st.stuck = front.n == in->n && back.n == in->n ? st.stuck + 1 : 0;
	if (st.stuck > 4) {
		mw_arena_reset(&b->arena, mark);
		return make_leaf(b, in, cover, link);
	}
	if (b->out->node.n > INT32_MAX - 2)
		return mw_fail(b->cx, MW_ELIMIT, "more than %d BSP nodes", INT32_MAX - 2);
	uint32_t at = (uint32_t)b->out->node.n;
	if (!MW_PUSH(b->cx, &b->out->node, ((mw_bsp_node){c.plane, {-1, -1}})))
		return MW_ENOMEM;
	mw_aabb fc, bc;
	int32_t child[2];
	divide_cell(cell, &c, &front, &back, &fc, &bc);
	double each = st.halvings / (front.n + back.n);
	state sf = {st.depth + 1, st.stuck, each * front.n},
	      sb = {st.depth + 1, st.stuck, each * back.n};
	rc = build_cell(b, &front, &fc, sf, &child[0]);
	rc = rc ? rc : build_cell(b, &back, &bc, sb, &child[1]);
	if (rc)
		return rc;
	memcpy(b->out->node.v[at].child, child, sizeof child);
	*link = (int32_t)at;
	mw_arena_reset(&b->arena, mark);
	return MW_OK;
}

/* The tree tells nothing apart outside the box of all brushes, where there are none; nor on it. */
static bool on_outer_box(const build *b, mw_plane_id q)
{
	int axis = b->t->exact.v[MW_PLANE_INDEX(q)].axis;
	if (axis < 0)
		return false;
	double d = b->t->unit.v[MW_PLANE_INDEX(q)].d;
	return d <= b->out->box.min.v[axis] || d >= b->out->box.max.v[axis];
}

/* Copies of the polytopes whose tags are ours to set. */
static mw_code take_fragments(build *b, const mw_solid *solid, fragments *all)
{
	all->n = 0;
	all->v = mw_arena_alloc(&b->arena, (b->b->brush.n + 1) * sizeof *all->v);
	if (!all->v)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < b->b->brush.n; i++)
		if (solid[i].n && b->b->brush.v[i].contents)
			mw_aabb_join(&b->out->box, &solid[i].box);
	for (uint32_t i = 0; i < b->b->brush.n; i++) {
		if (solid[i].n == 0 || b->b->brush.v[i].contents == 0)
			continue;
		fragment f = {solid[i], i};
		f.solid.face = mw_arena_alloc(&b->arena, solid[i].n * sizeof *f.solid.face);
		if (!f.solid.face)
			return MW_ENOMEM;
		for (uint32_t k = 0; k < solid[i].n; k++) {
			f.solid.face[k] = solid[i].face[k];
			f.solid.face[k].tag =
				on_outer_box(b, solid[i].face[k].plane) ? FACE_CAP : FACE_OWN;
		}
		all->v[all->n++] = f;
	}
	return MW_OK;
}

mw_code mw_bsp_build(mw_ctx *cx, mw_planes *t, const mw_brushes *b, const mw_solid *solid,
	const mw_bsp_options *o, mw_bsp *out)
{
	build w = {.cx = cx, .t = t, .b = b, .out = out};
	if (o)
		w.o = *o;
	if (!w.o.leaf_size)
		w.o.leaf_size = 4;
	if (!w.o.max_depth)
		w.o.max_depth = 40;
	if (w.o.leaf_size > 64 || w.o.max_depth > 64)
		return mw_fail(cx, MW_ERANGE, "BSP leaf size %u, depth %u: at most 64, 64",
			w.o.leaf_size, w.o.max_depth);
	mw_arena_init(&w.arena, cx);
	memset(out, 0, sizeof *out);
	out->box = mw_aabb_empty();
	fragments all = {0};
	mw_code rc = MW_ENOMEM;
	if (MW_PUSH(cx, &out->leaf, ((mw_bsp_leaf){0, 0})))
		rc = take_fragments(&w, solid, &all);
	w.halvings = 64 * (uint64_t)all.n;
	state st = {0, 0, 16.0 * all.n};
	rc = rc ? rc : build_cell(&w, &all, &out->box, st, &out->root);
	mw_arena_free(&w.arena);
	if (rc)
		mw_bsp_free(cx, out);
	return rc;
}

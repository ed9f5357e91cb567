#include "geom/voids.h"

#include <string.h>

/* Tags of the faces of pieces. */
#define FACE_OWN 0 /* a side of the solid */
#define FACE_CAP 1 /* on a plane that bounds the cell */

#define MAX_DEPTH 2048
#define MAX_NODES (1 << 26)
/* Cells of more pieces are divided along the axes. */
#define MANY 12
/* Cells where more sides are left are halved, this often on one path: a round pillar would take a
 * branch as long as it has sides. */
#define MANY_SIDES 96
#define MAX_HALVINGS 48
/* Sides that are tried as splitters. */
#define TRIES 32
#define BINS 32

typedef struct {
	mw_ctx *cx;
	mw_planes *t;
	mw_voids *out;
	mw_arena arena;
} build;

/* What of the solids lies in a cell. */
typedef struct {
	mw_solid *v;
	uint32_t n;
} pieces;

void mw_voids_free(mw_ctx *cx, mw_voids *v)
{
	mw_free(cx, v->node.v);
	mw_free(cx, v->gate.v);
	memset(v, 0, sizeof *v);
}

/* ---- where to split -------------------------------------------------------------------------- */

static mw_code axial_plane(build *b, int axis, double at, mw_plane_id *q)
{
	mw_vec3 n = mw_v3(0, 0, 0);
	n.v[axis] = 1;
	return mw_planes_add(b->cx, b->t, q, n, at);
}

typedef struct {
	double cost;
	int axis; /* -1: nothing found */
	double at;
} cut;

/* Pieces times the share of the cell that they are met in, on both sides. */
static void try_axial(const pieces *in, const mw_aabb *cell, int axis, double at, cut *best)
{
	double lo = cell->min.v[axis], hi = cell->max.v[axis];
	uint32_t nf = 0, nb = 0;
	if (!(at > lo && at < hi))
		return;
	for (uint32_t i = 0; i < in->n; i++) {
		nf += in->v[i].box.max.v[axis] > at;
		nb += in->v[i].box.min.v[axis] < at;
	}
	/* fewer on both sides: so this comes to an end */
	if (nf == in->n || nb == in->n)
		return;
	double share = (hi - at) / (hi - lo), cost = share * nf + (1 - share) * nb;
	if (best->axis < 0 || cost < best->cost)
		*best = (cut){cost, axis, at};
}

/* One box edge of each kind from each of BINS slices. */
static cut best_axial(const pieces *in, const mw_aabb *cell)
{
	cut best = {.axis = -1};
	for (int axis = 0; axis < 3; axis++) {
		double first[BINS], last[BINS];
		double lo = cell->min.v[axis], size = cell->max.v[axis] - lo;
		if (!(size > 0))
			continue;
		for (int k = 0; k < BINS; k++) {
			first[k] = HUGE_VAL;
			last[k] = -HUGE_VAL;
		}
		for (uint32_t i = 0; i < in->n; i++) {
			double edge[2] = {in->v[i].box.min.v[axis], in->v[i].box.max.v[axis]};
			for (int e = 0; e < 2; e++) {
				double f = (edge[e] - lo) / size * BINS;
				int k = f < 0 ? 0 : f >= BINS ? BINS - 1 : (int)f;
				if (e == 0 && edge[e] > lo && edge[e] < first[k])
					first[k] = edge[e];
				if (e == 1 && edge[e] < cell->max.v[axis] && edge[e] > last[k])
					last[k] = edge[e];
			}
		}
		for (int k = 0; k < BINS; k++) {
			try_axial(in, cell, axis, first[k], &best);
			if (last[k] != first[k])
				try_axial(in, cell, axis, last[k], &best);
		}
	}
	return best;
}

static double side_cost(const build *b, const pieces *in, mw_plane_id q)
{
	uint32_t nf = 0, nb = 0, both = 0;
	for (uint32_t i = 0; i < in->n; i++) {
		int bits = mw_solid_side(b->t, &in->v[i], q);
		nf += bits == 1;
		nb += bits == 2;
		both += bits == 3;
	}
	double apart = nf > nb ? nf - nb : nb - nf;
	bool axial = b->t->exact.v[MW_PLANE_INDEX(q)].axis >= 0;
	return 5.0 * both + apart + (axial ? 0 : 2);
}

/* The side of a piece that divides the others best. There is one: no piece fills the cell. */
static mw_plane_id best_side(const build *b, const pieces *in)
{
	mw_plane_id best = MW_PLANE_NONE, tried[TRIES];
	double cost = 0;
	uint32_t n = 0;
	for (uint32_t i = 0; i < in->n && n < TRIES; i++)
		for (uint32_t k = 0; k < in->v[i].n && n < TRIES; k++) {
			const mw_poly *f = &in->v[i].face[k];
			mw_plane_id q = f->plane & ~1u;
			bool known = f->tag != FACE_OWN;
			for (uint32_t j = 0; j < n && !known; j++)
				known = tried[j] == q;
			if (known)
				continue;
			tried[n++] = q;
			double c = side_cost(b, in, q);
			if (best == MW_PLANE_NONE || c < cost) {
				best = q;
				cost = c;
			}
		}
	return best;
}

static uint32_t own_sides(const pieces *in)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < in->n; i++)
		for (uint32_t k = 0; k < in->v[i].n; k++)
			n += in->v[i].face[k].tag == FACE_OWN;
	return n;
}

/* The middle of the longest axis of what is in the cell. */
static cut halve(const pieces *in, const mw_aabb *cell)
{
	cut best = {.axis = -1};
	mw_aabb box = mw_aabb_empty();
	for (uint32_t i = 0; i < in->n; i++)
		mw_aabb_join(&box, &in->v[i].box);
	for (int axis = 0; axis < 3; axis++) {
		double size = box.max.v[axis] - box.min.v[axis];
		double at = box.max.v[axis] / 2 + box.min.v[axis] / 2;
		double room = (cell->max.v[axis] - cell->min.v[axis]) / 1024;
		if (at - cell->min.v[axis] > room && cell->max.v[axis] - at > room &&
			(best.axis < 0 || size > best.cost))
			best = (cut){size, axis, at};
	}
	return best;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Bounded by the cell's planes alone. */
static bool fills_cell(const mw_solid *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->face[i].tag != FACE_CAP)
			return false;
	return true;
}

static void mark_caps(mw_solid *s, mw_plane_id q)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (MW_PLANE_INDEX(s->face[i].plane) == MW_PLANE_INDEX(q))
			s->face[i].tag = FACE_CAP;
}

static mw_code divide(build *b, const pieces *in, mw_plane_id q, pieces *front, pieces *back)
{
	front->n = back->n = 0;
	front->v = mw_arena_alloc(&b->arena, (in->n + 1) * sizeof *front->v);
	back->v = mw_arena_alloc(&b->arena, (in->n + 1) * sizeof *back->v);
	if (!front->v || !back->v)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < in->n; i++) {
		mw_solid f, k;
		if (mw_solid_split(&b->arena, b->t, &in->v[i], q, FACE_CAP, &f, &k))
			return MW_ENOMEM;
		mark_caps(&f, q);
		mark_caps(&k, q);
		if (f.n)
			front->v[front->n++] = f;
		if (k.n)
			back->v[back->n++] = k;
	}
	return MW_OK;
}

/* Push an area down a branch; what comes out at free cells is pushed down the branch behind it, and
 * joins two cells where that ends in a free one too. No node below has the area's own plane. */
static mw_code sift(build *b, int32_t link, const mw_poly *p, int32_t behind, uint32_t cell)
{
	if (link == MW_VOID_SOLID || p->n == 0)
		return MW_OK;
	if (link < 0) {
		uint32_t here = (uint32_t)MW_VOID_LINK(link);
		if (behind != MW_VOID_SOLID)
			return sift(b, behind, p, MW_VOID_SOLID, here);
		if (b->out->gate.n >= UINT32_MAX / 2)
			return mw_fail(b->cx, MW_ELIMIT, "more than 2^31 gates between cells");
		mw_void_gate gate = {{cell, here}, mw_poly_centre(p)};
		return MW_PUSH(b->cx, &b->out->gate, gate) ? MW_OK : MW_ENOMEM;
	}
	mw_arena_mark mark = mw_arena_get_mark(&b->arena);
	mw_bsp_node n = b->out->node.v[link];
	mw_poly front, back;
	MW_ASSERT(MW_PLANE_INDEX(n.plane) != MW_PLANE_INDEX(p->plane));
	if (mw_poly_split(&b->arena, b->t, p, n.plane, &front, &back))
		return MW_ENOMEM;
	mw_code rc = sift(b, n.child[0], &front, behind, cell);
	rc = rc ? rc : sift(b, n.child[1], &back, behind, cell);
	mw_arena_reset(&b->arena, mark);
	return rc;
}

static const mw_poly *face_on(const mw_solid *s, mw_plane_id q)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (MW_PLANE_INDEX(s->face[i].plane) == MW_PLANE_INDEX(q))
			return &s->face[i];
	return NULL;
}

/* Choose a plane and cut the cell by it. */
static mw_code cut_cell(build *b, const pieces *in, const mw_solid *cell, uint32_t *halvings,
	mw_plane_id *q, mw_solid *front, mw_solid *back)
{
	cut c = {.axis = -1};
	if (in->n > MANY)
		c = best_axial(in, &cell->box);
	if (c.axis < 0 && *halvings < MAX_HALVINGS && own_sides(in) > MANY_SIDES) {
		c = halve(in, &cell->box);
		++*halvings;
	}
	front->n = back->n = 0;
	if (c.axis >= 0) {
		mw_code rc = axial_plane(b, c.axis, c.at, q);
		if (rc)
			return rc;
		if (mw_solid_split(&b->arena, b->t, cell, *q, FACE_CAP, front, back))
			return MW_ENOMEM;
	}
	/* a box may reach a little beyond what is in it */
	if (front->n && back->n)
		return MW_OK;
	*q = best_side(b, in);
	MW_ASSERT(*q != MW_PLANE_NONE);
	if (mw_solid_split(&b->arena, b->t, cell, *q, FACE_CAP, front, back))
		return MW_ENOMEM;
	MW_ASSERT(front->n && back->n);
	return MW_OK;
}

static mw_code build_cell(build *b, const pieces *in, const mw_solid *cell, uint32_t depth,
	uint32_t halvings, int32_t *link)
{
	if (in->n == 0) {
		*link = MW_VOID_LINK(b->out->cells++);
		return MW_OK;
	}
	*link = MW_VOID_SOLID;
	for (uint32_t i = 0; i < in->n; i++)
		if (fills_cell(&in->v[i]))
			return MW_OK;
	if (depth >= MAX_DEPTH || b->out->node.n >= MAX_NODES)
		return mw_fail(b->cx, MW_ELIMIT,
			"the free space takes a tree of more than %d levels or 2^26 nodes",
			MAX_DEPTH);
	mw_arena_mark mark = mw_arena_get_mark(&b->arena);
	mw_plane_id q;
	mw_solid front_cell, back_cell;
	pieces front, back;
	mw_code rc = cut_cell(b, in, cell, &halvings, &q, &front_cell, &back_cell);
	rc = rc ? rc : divide(b, in, q, &front, &back);
	if (rc)
		return rc;
	uint32_t at = (uint32_t)b->out->node.n;
	if (!MW_PUSH(b->cx, &b->out->node, ((mw_bsp_node){q, {MW_VOID_SOLID, MW_VOID_SOLID}})))
		return MW_ENOMEM;
	int32_t child[2];
	rc = build_cell(b, &front, &front_cell, depth + 1, halvings, &child[0]);
	rc = rc ? rc : build_cell(b, &back, &back_cell, depth + 1, halvings, &child[1]);
	if (rc)
		return rc;
	memcpy(b->out->node.v[at].child, child, sizeof child);
	*link = (int32_t)at;
	if (child[1] != MW_VOID_SOLID)
		rc = sift(b, child[0], face_on(&front_cell, q), child[1], 0);
	mw_arena_reset(&b->arena, mark);
	return rc;
}

/* Copies of the polytopes whose tags are ours to set; those on the outer box are caps. */
static mw_code take_pieces(
	build *b, const mw_solid *solid, uint32_t n, const mw_solid *root, pieces *all)
{
	all->v = mw_arena_alloc(&b->arena, ((size_t)n + 1) * sizeof *all->v);
	if (!all->v)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		mw_solid s = solid[i];
		if (s.n == 0)
			continue;
		s.face = mw_arena_alloc(&b->arena, s.n * sizeof *s.face);
		if (!s.face)
			return MW_ENOMEM;
		memcpy(s.face, solid[i].face, s.n * sizeof *s.face);
		for (uint32_t k = 0; k < s.n; k++)
			s.face[k].tag = face_on(root, s.face[k].plane) ? FACE_CAP : FACE_OWN;
		all->v[all->n++] = s;
	}
	return MW_OK;
}

static mw_code make_root(build *b, mw_solid *root)
{
	mw_side side[6];
	mw_closure how;
	for (int i = 0; i < 6; i++) {
		mw_plane_id q;
		const mw_vec3 *edge = i & 1 ? &b->out->box.min : &b->out->box.max;
		mw_code rc = axial_plane(b, i / 2, edge->v[i / 2], &q);
		if (rc)
			return rc;
		side[i] = (mw_side){i & 1 ? q ^ 1 : q, FACE_CAP};
	}
	return mw_solid_make(&b->arena, b->t, side, 6, root, &how);
}

mw_code mw_voids_build(mw_ctx *cx, mw_planes *t, const mw_solid *solid, uint32_t n, mw_voids *out)
{
	build b = {.cx = cx, .t = t, .out = out};
	mw_solid root;
	pieces all = {0};
	out->box = mw_aabb_empty();
	out->cells = 1;
	out->root = MW_VOID_LINK(MW_VOID_OUTSIDE);
	for (uint32_t i = 0; i < n; i++)
		if (solid[i].n)
			mw_aabb_join(&out->box, &solid[i].box);
	if (mw_aabb_is_empty(&out->box))
		return MW_OK;
	mw_arena_init(&b.arena, cx);
	mw_code rc = make_root(&b, &root);
	rc = rc ? rc : take_pieces(&b, solid, n, &root, &all);
	rc = rc ? rc : build_cell(&b, &all, &root, 0, 0, &out->root);
	for (uint32_t i = 0; i < root.n && !rc; i++)
		rc = sift(&b, out->root, &root.face[i], MW_VOID_SOLID, MW_VOID_OUTSIDE);
	mw_arena_free(&b.arena);
	if (rc)
		mw_voids_free(cx, out);
	return rc;
}

/* ---- asking ---------------------------------------------------------------------------------- */

typedef struct {
	const mw_planes *t;
	const mw_voids *v;
	const mw_vec3 *p;
	double reach;
	uint32_t *cell;
	uint32_t most, n;
} asked;

/* Side of q: 0 when what is asked for is on both. */
static int side_of(const asked *a, mw_plane_id q)
{
	if (a->reach == 0)
		return mw_planes_side_point(a->t, a->p, q);
	mw_plane p = mw_planes_get(a->t, q);
	double s = mw_dot3(p.n, *a->p) - p.d;
	double r = a->reach * (fabs(p.n.x) + fabs(p.n.y) + fabs(p.n.z));
	return s > r ? 1 : s < -r ? -1 : 0;
}

static void touch(asked *a, int32_t link)
{
	while (link >= 0) {
		const mw_bsp_node *node = &a->v->node.v[link];
		int s = side_of(a, node->plane);
		if (s == 0)
			touch(a, node->child[0]);
		link = node->child[s <= 0];
	}
	if (link == MW_VOID_SOLID)
		return;
	if (a->n < a->most)
		a->cell[a->n] = (uint32_t)MW_VOID_LINK(link);
	a->n++;
}

uint32_t mw_voids_at(const mw_planes *t, const mw_voids *v, const mw_vec3 *p, double reach,
	uint32_t *cell, uint32_t most)
{
	asked a = {t, v, p, reach, cell, most, 0};
	bool beyond = mw_aabb_is_empty(&v->box), edge = beyond;
	for (int i = 0; i < 3 && !beyond; i++) {
		double lo = v->box.min.v[i], hi = v->box.max.v[i];
		beyond = p->v[i] + reach < lo || p->v[i] - reach > hi;
		edge = edge || p->v[i] - reach <= lo || p->v[i] + reach >= hi;
	}
	/* the tree of nothing is the outside itself */
	if ((beyond || edge) && v->root != MW_VOID_LINK(MW_VOID_OUTSIDE)) {
		if (most)
			cell[0] = MW_VOID_OUTSIDE;
		a.n = 1;
	}
	if (!beyond || v->root < 0)
		touch(&a, v->root);
	return a.n;
}

mw_code mw_voids_flood(mw_ctx *cx, const mw_voids *v, uint32_t *steps, uint32_t *gate)
{
	/* gates of cell c: of[from[c]] up to of[from[c + 1]] */
	uint32_t *from = mw_zalloc_n(cx, (size_t)v->cells + 2, sizeof *from);
	uint32_t *of = mw_alloc_n(cx, 2 * v->gate.n + 1, sizeof *of);
	uint32_t *queue = mw_alloc_n(cx, v->cells, sizeof *queue);
	mw_code rc = from && of && queue ? MW_OK : MW_ENOMEM;
	if (rc)
		goto done;
	for (size_t i = 0; i < v->gate.n; i++)
		for (int e = 0; e < 2; e++)
			from[v->gate.v[i].cell[e] + 2]++;
	for (uint32_t c = 2; c < v->cells + 2; c++)
		from[c] += from[c - 1];
	for (size_t i = 0; i < v->gate.n; i++)
		for (int e = 0; e < 2; e++)
			of[from[v->gate.v[i].cell[e] + 1]++] = (uint32_t)i;
	memset(steps, 0xff, v->cells * sizeof *steps);
	memset(gate, 0xff, v->cells * sizeof *gate);
	uint32_t head = 0, tail = 0;
	steps[MW_VOID_OUTSIDE] = 0;
	queue[tail++] = MW_VOID_OUTSIDE;
	while (head < tail) {
		uint32_t c = queue[head++];
		for (uint32_t k = from[c]; k < from[c + 1]; k++) {
			const mw_void_gate *g = &v->gate.v[of[k]];
			uint32_t other = g->cell[g->cell[0] == c];
			if (steps[other] != UINT32_MAX)
				continue;
			steps[other] = steps[c] + 1;
			gate[other] = of[k];
			queue[tail++] = other;
		}
	}
done:
	mw_free(cx, from);
	mw_free(cx, of);
	mw_free(cx, queue);
	return rc;
}

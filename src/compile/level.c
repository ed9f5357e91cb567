#include "compile/level.h"

#include <string.h>

#define SWEEP_DEPTH                                                                                \
	1024 /* a sweep walks the tree by recursion; deeper ones only strangers write              \
	      */

void mw_level_free(mw_ctx *cx, mw_level *l)
{
	mw_free(cx, l->batch.v);
	mw_free(cx, l->vertex.v);
	mw_free(cx, l->index.v);
	mw_free(cx, l->model.v);
	mw_free(cx, l->solid.v);
	mw_free(cx, l->plane.v);
	mw_free(cx, l->tree_plane.v);
	mw_free(cx, l->node.v);
	mw_free(cx, l->leaf.v);
	mw_free(cx, l->item.v);
	mw_free(cx, l->hull.v);
	mw_free(cx, l->point.v);
	mw_free(cx, l->light.v);
	memset(l, 0, sizeof *l);
}

/* ---- checking -------------------------------------------------------------------------------- */

static bool link_is_good(const mw_level *l, int32_t link)
{
	return link >= 0 ? (size_t)link < l->node.n : (size_t)(uint32_t)~link < l->leaf.n;
}

/* Every node is reached at most once from the root, so a walk down ends. */
static mw_code check_tree(mw_ctx *cx, const mw_level *l)
{
	MW_ARRAY(int32_t) todo = {0};
	uint8_t *seen = mw_zalloc_n(cx, l->node.n + 1, 1);
	mw_code rc = MW_ENOMEM;
	if (!seen)
		return MW_ENOMEM;
	if (l->root >= 0 && !MW_PUSH(cx, &todo, l->root))
		goto done;
	while (todo.n) {
		int32_t at = todo.v[--todo.n];
		if (seen[at]) {
			rc = mw_fail(cx, MW_EFORMAT, "tree node %d has two parents", (int)at);
			goto done;
		}
		seen[at] = 1;
		for (int k = 0; k < 2; k++)
			if (l->node.v[at].child[k] >= 0 &&
				!MW_PUSH(cx, &todo, l->node.v[at].child[k]))
				goto done;
	}
	rc = MW_OK;
done:
	mw_free(cx, todo.v);
	mw_free(cx, seen);
	return rc;
}

static mw_code check_batches(mw_ctx *cx, const mw_level *l)
{
	for (size_t i = 0; i < l->batch.n; i++) {
		const mw_level_batch *b = &l->batch.v[i];
		if (b->indices % 3)
			return mw_fail(cx, MW_EFORMAT, "batch %zu: %u indices are no triangles", i,
				(unsigned)b->indices);
		if (b->model < 0 || (size_t)b->model >= l->model.n)
			return mw_fail(cx, MW_EFORMAT, "batch %zu: model %d of %zu", i,
				(int)b->model, l->model.n);
		for (uint32_t k = 0; k < b->indices; k++)
			if (l->index.v[b->first_index + k] >= b->vertices)
				return mw_fail(cx, MW_EFORMAT, "batch %zu: index %u of %u vertices",
					i, (unsigned)l->index.v[b->first_index + k],
					(unsigned)b->vertices);
	}
	return MW_OK;
}

mw_code mw_level_check(mw_ctx *cx, const mw_level *l)
{
	mw_code rc = check_batches(cx, l);
	if (rc)
		return rc;
	if (!link_is_good(l, l->root) && !(l->root == -1 && l->leaf.n == 0))
		return mw_fail(cx, MW_EFORMAT, "tree root %d is no node and no leaf", (int)l->root);
	for (size_t i = 0; i < l->node.n; i++) {
		const mw_level_node *n = &l->node.v[i];
		if (n->plane < 0 || (size_t)n->plane >= l->tree_plane.n)
			return mw_fail(cx, MW_EFORMAT, "tree node %zu: plane %d of %zu", i,
				(int)n->plane, l->tree_plane.n);
		for (int k = 0; k < 2; k++)
			if (!link_is_good(l, n->child[k]))
				return mw_fail(cx, MW_EFORMAT,
					"tree node %zu: child %d is no node and no leaf", i,
					(int)n->child[k]);
	}
	for (size_t i = 0; i < l->leaf.n; i++)
		if (l->leaf.v[i].first > l->item.n ||
			l->leaf.v[i].count > l->item.n - l->leaf.v[i].first)
			return mw_fail(cx, MW_EFORMAT, "tree leaf %zu: items %u + %u of %zu", i,
				(unsigned)l->leaf.v[i].first, (unsigned)l->leaf.v[i].count,
				l->item.n);
	for (size_t i = 0; i < l->item.n; i++)
		if (l->item.v[i] >= l->tree_solids)
			return mw_fail(cx, MW_EFORMAT, "tree item %zu: brush %u of %u", i,
				(unsigned)l->item.v[i], (unsigned)l->tree_solids);
	for (size_t i = 0; i < l->hull.n; i++)
		if (l->hull.v[i].points % 3)
			return mw_fail(cx, MW_EFORMAT,
				"mesh collision %zu: %u points are no "
				"triangles",
				i, (unsigned)l->hull.v[i].points);
	return check_tree(cx, l);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static mw_code add_plane(mw_ctx *cx, mw_planes *t, const mw_level_plane *p, mw_plane_id *id)
{
	mw_code rc = mw_planes_add(cx, t, id,
		mw_v3((double)p->v[0], (double)p->v[1], (double)p->v[2]), (double)p->v[3]);
	if (!rc && *id == MW_PLANE_NONE)
		rc = mw_fail(cx, MW_EFORMAT, "a plane has no normal");
	return rc;
}

/* With bevels of our own: those of the file are rounded, or missing. */
static mw_code bevel_solids(mw_ctx *cx, mw_level_query *q, const mw_brushes *as_read)
{
	mw_arena arena;
	mw_arena_init(&arena, cx);
	mw_solid *solid = mw_arena_alloc(&arena, (as_read->brush.n + 1) * sizeof *solid);
	mw_code rc = solid ? mw_solids_make(&arena, &q->planes, as_read, solid, NULL) : MW_ENOMEM;
	rc = rc ? rc : mw_brushes_bevel(cx, &q->planes, as_read, solid, MW_BEVEL_EDGE, &q->brushes);
	mw_arena_free(&arena);
	return rc;
}

static mw_code take_solids(mw_ctx *cx, mw_level_query *q, const mw_level *l)
{
	MW_ARRAY(mw_side) side = {0};
	mw_brushes as_read = {0};
	mw_code rc = MW_OK;
	for (uint32_t i = 0; i < l->tree_solids && !rc; i++) {
		const mw_level_solid *s = &l->solid.v[l->first_tree_solid + i];
		side.n = 0;
		if (!MW_RESERVE(cx, &side, s->planes))
			rc = MW_ENOMEM;
		for (uint32_t k = 0; k < s->planes && !rc; k++) {
			mw_side one = {MW_PLANE_NONE, MW_TAG_NONE};
			rc = add_plane(cx, &q->planes, &l->plane.v[s->first + k], &one.plane);
			if (!rc)
				side.v[side.n++] = one;
		}
		if (!rc)
			rc = mw_brushes_add(cx, &as_read, side.v, s->planes, s->contents, i);
	}
	rc = rc ? rc : bevel_solids(cx, q, &as_read);
	mw_brushes_free(cx, &as_read);
	mw_free(cx, side.v);
	return rc;
}

mw_code mw_level_query_init(mw_ctx *cx, mw_level_query *q, const mw_level *l)
{
	memset(q, 0, sizeof *q);
	q->bsp.root = l->root;
	q->bsp.depth = l->depth;
	q->deep = l->node.n > SWEEP_DEPTH && l->depth > SWEEP_DEPTH;
	mw_code rc = mw_planes_init(cx, &q->planes);
	if (!rc)
		rc = take_solids(cx, q, l);
	/* the box that the file says only has to hold what its brushes hold */
	q->bsp.box = mw_aabb_empty();
	for (uint32_t i = 0; i < l->tree_solids; i++)
		for (int k = 0; k < 3; k++) {
			const float *box = l->solid.v[l->first_tree_solid + i].box;
			if ((double)box[k] < q->bsp.box.min.v[k])
				q->bsp.box.min.v[k] = (double)box[k];
			if ((double)box[k + 3] > q->bsp.box.max.v[k])
				q->bsp.box.max.v[k] = (double)box[k + 3];
		}
	for (size_t i = 0; i < l->node.n && !rc; i++) {
		mw_bsp_node n = {MW_PLANE_NONE, {l->node.v[i].child[0], l->node.v[i].child[1]}};
		rc = add_plane(cx, &q->planes, &l->tree_plane.v[l->node.v[i].plane], &n.plane);
		if (!rc && !MW_PUSH(cx, &q->bsp.node, n))
			rc = MW_ENOMEM;
	}
	for (size_t i = 0; i < l->leaf.n && !rc; i++)
		if (!MW_PUSH(cx, &q->bsp.leaf,
			    ((mw_bsp_leaf){l->leaf.v[i].first, l->leaf.v[i].count})))
			rc = MW_ENOMEM;
	if (!rc && l->leaf.n == 0 && !MW_PUSH(cx, &q->bsp.leaf, ((mw_bsp_leaf){0, 0})))
		rc = MW_ENOMEM;
	for (size_t i = 0; i < l->item.n && !rc; i++)
		if (!MW_PUSH(cx, &q->bsp.item, l->item.v[i]))
			rc = MW_ENOMEM;
	return rc;
}

void mw_level_query_free(mw_ctx *cx, mw_level_query *q)
{
	mw_planes_free(cx, &q->planes);
	mw_brushes_free(cx, &q->brushes);
	mw_bsp_free(cx, &q->bsp);
	memset(q, 0, sizeof *q);
}

uint32_t mw_level_contents(const mw_level_query *q, const mw_vec3 *p, uint32_t *tested)
{
	return mw_bsp_contents(&q->planes, &q->brushes, &q->bsp, p, tested);
}

bool mw_level_sweep(const mw_level_query *q, const mw_sweep *s, mw_sweep_hit *hit)
{
	if (q->deep)
		return mw_brushes_sweep(&q->planes, &q->brushes, s, hit);
	return mw_bsp_sweep(&q->planes, &q->brushes, &q->bsp, s, hit);
}

/* Digits of i in a base, mirrored at the point: spreads 0, 1, 2, ... evenly over 0..1. */
static double mirrored(uint32_t i, uint32_t base)
{
	double out = 0, digit = 1.0 / base;
	for (; i; i /= base, digit /= base)
		out += digit * (i % base);
	return out;
}

void mw_level_query_cost(const mw_level_query *q, uint32_t n, double *mean, uint32_t *most)
{
	uint64_t sum = 0;
	const mw_aabb *b = &q->bsp.box;
	*mean = 0;
	*most = 0;
	if (mw_aabb_is_empty(b) || n == 0)
		return;
	for (uint32_t i = 0; i < n; i++) {
		mw_vec3 at = mw_v3(mirrored(i + 1, 2), mirrored(i + 1, 3), mirrored(i + 1, 5));
		uint32_t tested;
		for (int k = 0; k < 3; k++)
			at.v[k] = b->min.v[k] + at.v[k] * (b->max.v[k] - b->min.v[k]);
		(void)mw_level_contents(q, &at, &tested);
		sum += tested;
		*most = tested > *most ? tested : *most;
	}
	*mean = (double)sum / n;
}

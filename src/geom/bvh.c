#include "geom/bvh.h"

#include "base/sort.h"

#include <string.h>

#define LEAF 4

typedef struct {
	mw_bvh *t;
	const mw_aabb *box;
} build;

static double middle(const mw_aabb *b, int axis)
{
	return b->min.v[axis] / 2 + b->max.v[axis] / 2;
}

/* Move the k-th smallest centre to place k, smaller ones before it (ties by index: total). */
static bool before(const build *b, uint32_t p, uint32_t q, int axis)
{
	double x = middle(&b->box[p], axis), y = middle(&b->box[q], axis);
	return x < y || (x == y && p < q);
}

static void select_middle(const build *b, uint32_t *item, uint32_t n, uint32_t k, int axis)
{
	uint32_t lo = 0, hi = n;
	while (hi - lo > 1) {
		uint32_t pivot = item[lo + (hi - lo) / 2], i = lo, j = hi;
		for (;;) {
			while (before(b, item[i], pivot, axis))
				i++;
			j--;
			while (before(b, pivot, item[j], axis))
				j--;
			if (i >= j)
				break;
			uint32_t x = item[i];
			item[i] = item[j];
			item[j] = x;
			i++;
		}
		/* everything below i is smaller than the pivot or the pivot itself */
		if (i == lo)
			i = lo + 1;
		if (k < i)
			hi = i;
		else
			lo = i;
	}
}

static void build_node(build *b, uint32_t first, uint32_t n)
{
	mw_bvh *t = b->t;
	mw_bvh_node *node = &t->node[t->nodes++];
	node->box = mw_aabb_empty();
	for (uint32_t i = 0; i < n; i++)
		mw_aabb_join(&node->box, &b->box[t->item[first + i]]);
	node->first = first;
	node->count = n;
	if (n <= LEAF)
		return;
	int axis = 0;
	double best = -1;
	for (int a = 0; a < 3; a++) {
		double lo = HUGE_VAL, hi = -HUGE_VAL;
		for (uint32_t i = 0; i < n; i++) {
			double m = middle(&b->box[t->item[first + i]], a);
			lo = m < lo ? m : lo;
			hi = m > hi ? m : hi;
		}
		if (hi - lo > best) {
			best = hi - lo;
			axis = a;
		}
	}
	select_middle(b, t->item + first, n, n / 2, axis);
	node->count = 0;
	build_node(b, first, n / 2);
	node->first = t->nodes;
	build_node(b, first + n / 2, n - n / 2);
}

mw_code mw_bvh_build(mw_arena *arena, const mw_aabb *box, uint32_t n, mw_bvh *out)
{
	*out = (mw_bvh){0};
	out->item = mw_arena_alloc(arena, ((size_t)n + 1) * sizeof *out->item);
	out->box = mw_arena_alloc(arena, ((size_t)n + 1) * sizeof *out->box);
	/* more than LEAF items are halved, so that every leaf but a lone one has two or more */
	out->node = mw_arena_alloc(arena, ((size_t)n + 1) * sizeof *out->node);
	if (!out->item || !out->box || !out->node)
		return MW_ENOMEM;
	uint32_t m = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!mw_aabb_is_empty(&box[i]))
			out->item[m++] = i;
	build b = {out, box};
	build_node(&b, 0, m);
	for (uint32_t i = 0; i < m; i++)
		out->box[i] = box[out->item[i]];
	return MW_OK;
}

/* mw_aabb_touch without branches: which of the six decides is anyone's guess down here. */
static bool touch(const mw_aabb *a, const mw_aabb *b)
{
	return (a->min.x <= b->max.x) & (a->max.x >= b->min.x) & (a->min.y <= b->max.y) &
		(a->max.y >= b->min.y) & (a->min.z <= b->max.z) & (a->max.z >= b->min.z);
}

static int by_value(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

mw_code mw_bvh_find(mw_ctx *cx, const mw_bvh *t, const mw_aabb *b, mw_bvh_hits *hits)
{
	uint32_t stack[64], depth = 0;
	hits->n = 0;
	stack[depth++] = 0;
	while (depth) {
		uint32_t at = stack[--depth];
		const mw_bvh_node *node = &t->node[at];
		if (!touch(&node->box, b))
			continue;
		if (node->count == 0 && node->first) {
			stack[depth++] = node->first;
			stack[depth++] = at + 1;
			continue;
		}
		for (uint32_t i = 0; i < node->count; i++) {
			uint32_t at_item = node->first + i;
			if (touch(&t->box[at_item], b) && !MW_PUSH(cx, hits, t->item[at_item]))
				return MW_ENOMEM;
		}
	}
	if (hits->n < 2)
		return MW_OK;
	if (hits->n > 32)
		return mw_sort(cx, hits->v, hits->n, sizeof *hits->v, by_value, NULL);
	for (size_t i = 1; i < hits->n; i++) {
		uint32_t x = hits->v[i];
		size_t k = i;
		for (; k && hits->v[k - 1] > x; k--)
			hits->v[k] = hits->v[k - 1];
		hits->v[k] = x;
	}
	return MW_OK;
}

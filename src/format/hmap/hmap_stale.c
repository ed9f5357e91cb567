/* The compiled part against itself and against its source, compiled again. */
#include "format/hmap/hmap_internal.h"

#include "base/sort.h"

#include <string.h>

#define MOST 20         /* findings about one file's stale parts */
#define DEEP_TREE 40    /* nodes on a path */
#define FULL_LEAF 40    /* brushes in a leaf */
#define NEAR_PLANE 1e-4 /* normals and, for each unit of distance, distances that are equal */

typedef struct {
	mw_ctx *cx;
	const mw_hmap *h;
	mw_hmap_findings *found;
	uint32_t count;
	int64_t cmpl; /* offset of the chunk */
} checker;

/* ---- the tree -------------------------------------------------------------------------------- */

static mw_code see_point(checker *w, const mw_level_query *q, uint32_t solid, mw_vec3 p, bool *bad)
{
	uint32_t tested, want = q->brushes.brush.v[solid].contents;
	*bad = mw_brush_contains(&q->planes, &q->brushes, solid, &p) &&
		(mw_level_contents(q, &p, &tested) & want) != want;
	if (!*bad)
		return MW_OK;
	mw_code rc = mw_hmap_report(w->cx, w->found, MW_HMAP_ERROR, "hmap-tree", MW_HMAP_CMPL,
		w->cmpl, "(%.9g %.9g %.9g) is in brush %u of the tree, but not by its leaves", p.x,
		p.y, p.z, (unsigned)solid);
	if (!rc && w->found) {
		w->found->v[w->found->n - 1].has_at = true;
		w->found->v[w->found->n - 1].at = p;
	}
	return rc;
}

/* The middle of every brush, and a point behind the middle of each of its faces. */
static mw_code see_points(checker *w, const mw_level_query *q)
{
	mw_arena arena;
	mw_arena_init(&arena, w->cx);
	mw_code rc = MW_OK;
	uint32_t count = 0;
	for (uint32_t i = 0; i < q->brushes.brush.n && !rc && count < MOST; i++) {
		const mw_brush *b = &q->brushes.brush.v[i];
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		mw_solid s;
		mw_closure how;
		bool bad = false;
		rc = mw_solid_make(
			&arena, &q->planes, mw_brush_sides(&q->brushes, b), b->count, &s, &how);
		if (!rc && how == MW_CLOSED) {
			mw_vec3 middle = mw_solid_centre(&s);
			rc = see_point(w, q, i, middle, &bad);
			for (uint32_t k = 0; k < s.n && !rc && !bad; k++) {
				mw_vec3 at = mw_poly_centre(&s.face[k]);
				at = mw_along3(at, mw_sub3(middle, at), 1.0 / 64);
				rc = see_point(w, q, i, at, &bad);
			}
		}
		count += bad;
		mw_arena_reset(&arena, mark);
	}
	mw_arena_free(&arena);
	return rc;
}

static mw_code depth_of(mw_ctx *cx, const mw_level *l, uint32_t *deepest)
{
	typedef struct {
		int32_t node;
		uint32_t depth;
	} step;
	MW_ARRAY(step) todo = {0};
	mw_code rc = MW_OK;
	*deepest = 0;
	if (l->root >= 0 && !MW_PUSH(cx, &todo, ((step){l->root, 1})))
		rc = MW_ENOMEM;
	while (todo.n && !rc) {
		step at = todo.v[--todo.n];
		*deepest = at.depth > *deepest ? at.depth : *deepest;
		for (int k = 0; k < 2 && !rc; k++) {
			int32_t child = l->node.v[at.node].child[k];
			if (child >= 0 && !MW_PUSH(cx, &todo, ((step){child, at.depth + 1})))
				rc = MW_ENOMEM;
		}
	}
	mw_free(cx, todo.v);
	return rc;
}

static mw_code tree(checker *w)
{
	const mw_level *l = &w->h->level;
	mw_level_query q = {0};
	uint32_t deepest = 0, fullest = 0;
	mw_code rc = mw_level_query_init(w->cx, &q, l);
	rc = rc ? rc : see_points(w, &q);
	mw_level_query_free(w->cx, &q);
	rc = rc ? rc : depth_of(w->cx, l, &deepest);
	for (size_t i = 0; i < l->leaf.n; i++)
		fullest = l->leaf.v[i].count > fullest ? l->leaf.v[i].count : fullest;
	if (!rc && deepest != l->depth)
		rc = mw_hmap_report(w->cx, w->found, MW_HMAP_WARNING, "hmap-tree-depth",
			MW_HMAP_CMPL, w->cmpl, "the tree is %u nodes deep, the file says %u",
			(unsigned)deepest, (unsigned)l->depth);
	if (!rc && deepest > DEEP_TREE)
		rc = mw_hmap_report(w->cx, w->found, MW_HMAP_INFO, "hmap-limit", MW_HMAP_CMPL,
			w->cmpl, "the tree is %u nodes deep, %u more than %u", (unsigned)deepest,
			(unsigned)deepest - DEEP_TREE, DEEP_TREE);
	if (!rc && fullest > FULL_LEAF)
		rc = mw_hmap_report(w->cx, w->found, MW_HMAP_INFO, "hmap-limit", MW_HMAP_CMPL,
			w->cmpl, "a leaf of the tree has %u brushes, %u more than %u",
			(unsigned)fullest, (unsigned)fullest - FULL_LEAF, FULL_LEAF);
	return rc;
}

/* ---- stale parts ----------------------------------------------------------------------------- */

static mw_code stale(checker *w, int64_t offset, const char *fmt, ...) MW_PRINTF(3, 4);

static mw_code stale(checker *w, int64_t offset, const char *fmt, ...)
{
	char text[MW_HMAP_MSG];
	va_list ap;
	if (w->count++ >= MOST)
		return MW_OK;
	va_start(ap, fmt);
	(void)mw_vformat(text, sizeof text, fmt, ap);
	va_end(ap);
	return mw_hmap_report(
		w->cx, w->found, MW_HMAP_WARNING, "hmap-stale", MW_HMAP_CMPL, offset, "%s", text);
}

/* A solid of a model, or an area of triangles, by what it belongs to. */
typedef struct {
	uint32_t entity, id, contents; /* areas: material as id, source as contents */
	uint32_t index;                /* of mw_level.solid */
	double area;
} row;

typedef MW_ARRAY(row) rows;

static int by_key(const void *a, const void *b, void *ud)
{
	const row *x = a, *y = b;
	MW_UNUSED(ud);
	if (x->entity != y->entity)
		return x->entity < y->entity ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->contents < y->contents ? -1 : x->contents > y->contents;
}

static mw_code solids_of(mw_ctx *cx, const mw_level *l, rows *out)
{
	for (size_t m = 0; m < l->model.n; m++)
		for (uint32_t i = 0; i < l->model.v[m].solids; i++) {
			uint32_t at = l->model.v[m].first + i;
			const mw_level_solid *s = &l->solid.v[at];
			row r = {l->model.v[m].entity, s->source, s->contents, at, 0};
			if (!MW_PUSH(cx, out, r))
				return MW_ENOMEM;
		}
	return mw_sort(cx, out->v, out->n, sizeof *out->v, by_key, NULL);
}

static bool has_plane(const mw_level *l, const mw_level_solid *s, const float want[4])
{
	for (uint32_t k = 0; k < s->planes; k++) {
		const float *p = l->plane.v[s->first + k].v;
		bool same = fabs((double)p[3] - (double)want[3]) <=
			NEAR_PLANE * (1 + fabs((double)want[3]));
		for (int i = 0; i < 3 && same; i++)
			same = fabs((double)p[i] - (double)want[i]) <= NEAR_PLANE;
		if (same)
			return true;
	}
	return false;
}

/* Where the brush of an id is in the file, or the compiled chunk. */
static int64_t brush_offset(const checker *w, uint32_t id)
{
	for (size_t i = 0; i < w->h->brush.n && w->count < MOST; i++)
		if (w->h->brush.v[i].id == id)
			return (int64_t)w->h->brush.v[i].offset;
	return w->cmpl;
}

static mw_code compare_solids(checker *w, const mw_level *now)
{
	const mw_level *old = &w->h->level;
	rows a = {0}, b = {0};
	mw_code rc = solids_of(w->cx, old, &a);
	rc = rc ? rc : solids_of(w->cx, now, &b);
	for (size_t i = 0, k = 0; (i < a.n || k < b.n) && !rc;) {
		int way = i == a.n ? 1 : k == b.n ? -1 : by_key(&a.v[i], &b.v[k], NULL);
		const row *r = way < 0 ? &a.v[i] : &b.v[k];
		if (way < 0)
			rc = stale(w, w->cmpl,
				"a solid with contents %u of a brush with id %u is compiled, the "
				"source has none",
				(unsigned)r->contents, (unsigned)r->id);
		else if (way > 0)
			rc = stale(w, brush_offset(w, r->id),
				"the brush with id %u and contents %u is not compiled",
				(unsigned)r->id, (unsigned)r->contents);
		for (uint32_t f = 0; way == 0 && f < now->solid.v[r->index].planes; f++) {
			const float *p = now->plane.v[now->solid.v[r->index].first + f].v;
			if (has_plane(old, &old->solid.v[a.v[i].index], p))
				continue;
			rc = stale(w, brush_offset(w, r->id),
				"the brush with id %u is compiled in another shape: it lacks the "
				"plane (%.6g %.6g %.6g) %.9g",
				(unsigned)r->id, (double)p[0], (double)p[1], (double)p[2],
				(double)p[3]);
			break;
		}
		i += way <= 0;
		k += way >= 0;
	}
	mw_free(w->cx, a.v);
	mw_free(w->cx, b.v);
	return rc;
}

static double area_of(const mw_level *l, const mw_level_batch *b)
{
	double sum = 0;
	for (uint32_t i = 0; i + 2 < b->indices; i += 3) {
		mw_vec3 p[3];
		for (uint32_t k = 0; k < 3; k++) {
			const float *v =
				l->vertex.v[b->first_vertex + l->index.v[b->first_index + i + k]]
					.pos;
			p[k] = mw_v3((double)v[0], (double)v[1], (double)v[2]);
		}
		sum += mw_len3(mw_cross3(mw_sub3(p[1], p[0]), mw_sub3(p[2], p[0]))) / 2;
	}
	return sum;
}

static mw_code areas_of(mw_ctx *cx, const mw_level *l, rows *out)
{
	for (size_t i = 0; i < l->batch.n; i++) {
		const mw_level_batch *b = &l->batch.v[i];
		row r = {l->model.v[b->model].entity, (uint32_t)b->material, b->source, 0,
			area_of(l, b)};
		if (!MW_PUSH(cx, out, r))
			return MW_ENOMEM;
	}
	mw_code rc = mw_sort(cx, out->v, out->n, sizeof *out->v, by_key, NULL);
	size_t n = 0;
	for (size_t i = 0; i < out->n && !rc; i++) {
		if (n && by_key(&out->v[n - 1], &out->v[i], NULL) == 0)
			out->v[n - 1].area += out->v[i].area;
		else
			out->v[n++] = out->v[i];
	}
	out->n = n;
	return rc;
}

static double area_in(const rows *list, size_t *at, const row *key)
{
	while (*at < list->n && by_key(&list->v[*at], key, NULL) < 0)
		++*at;
	return *at < list->n && by_key(&list->v[*at], key, NULL) == 0 ? list->v[*at].area : 0;
}

/* What is drawn must lie between all that can be seen and all there is. */
static mw_code compare_areas(checker *w, const mw_level *least, const mw_level *most)
{
	rows a = {0}, lo = {0}, hi = {0}, keys = {0};
	mw_code rc = areas_of(w->cx, &w->h->level, &a);
	rc = rc ? rc : areas_of(w->cx, least, &lo);
	rc = rc ? rc : areas_of(w->cx, most, &hi);
	for (size_t i = 0; i < a.n + hi.n && !rc; i++)
		if (!MW_PUSH(w->cx, &keys, i < a.n ? a.v[i] : hi.v[i - a.n]))
			rc = MW_ENOMEM;
	rc = rc ? rc : mw_sort(w->cx, keys.v, keys.n, sizeof *keys.v, by_key, NULL);
	size_t in_a = 0, in_lo = 0, in_hi = 0;
	for (size_t i = 0; i < keys.n && !rc; i++) {
		const row *k = &keys.v[i];
		if (i && by_key(&keys.v[i - 1], k, NULL) == 0)
			continue;
		double there = area_in(&a, &in_a, k), l = area_in(&lo, &in_lo, k);
		double m = area_in(&hi, &in_hi, k);
		if (there >= l * 0.999 - 1e-3 && there <= m * 1.001 + 1e-3)
			continue;
		rc = stale(w, w->cmpl,
			"material %d of entity %u is drawn on an area of %.6g, the source has "
			"%.6g to %.6g",
			(int)(int32_t)k->id, (unsigned)k->entity, there, l, m);
	}
	mw_free(w->cx, a.v);
	mw_free(w->cx, lo.v);
	mw_free(w->cx, hi.v);
	mw_free(w->cx, keys.v);
	return rc;
}

static int by_light(const void *a, const void *b, void *ud)
{
	const mw_level_light *x = a, *y = b;
	MW_UNUSED(ud);
	return x->entity < y->entity ? -1 : x->entity > y->entity;
}

static mw_code compare_lights(checker *w, const mw_level *now)
{
	const mw_level *old = &w->h->level;
	MW_ARRAY(mw_level_light) a = {0}, b = {0};
	mw_code rc = MW_OK;
	for (size_t i = 0; i < old->light.n && !rc; i++)
		rc = MW_PUSH(w->cx, &a, old->light.v[i]) ? MW_OK : MW_ENOMEM;
	for (size_t i = 0; i < now->light.n && !rc; i++)
		rc = MW_PUSH(w->cx, &b, now->light.v[i]) ? MW_OK : MW_ENOMEM;
	rc = rc ? rc : mw_sort(w->cx, a.v, a.n, sizeof *a.v, by_light, NULL);
	rc = rc ? rc : mw_sort(w->cx, b.v, b.n, sizeof *b.v, by_light, NULL);
	if (!rc && a.n != b.n)
		rc = stale(w, w->cmpl, "%zu lights are compiled, the source has %zu", a.n, b.n);
	for (size_t i = 0; i < a.n && i < b.n && a.n == b.n && !rc; i++)
		if (a.v[i].entity != b.v[i].entity ||
			memcmp(a.v[i].pos, b.v[i].pos, sizeof a.v[i].pos) != 0)
			rc = stale(w, w->cmpl,
				"the light of entity %u is compiled elsewhere than it is",
				(unsigned)b.v[i].entity);
	mw_free(w->cx, a.v);
	mw_free(w->cx, b.v);
	return rc;
}

static int by_object(const void *a, const void *b, void *ud)
{
	const row *x = a, *y = b;
	MW_UNUSED(ud);
	return x->id < y->id ? -1 : x->id > y->id;
}

static mw_code hulls_of(mw_ctx *cx, const mw_level *l, rows *out)
{
	for (size_t i = 0; i < l->hull.n; i++) {
		row r = {.id = l->hull.v[i].object, .index = (uint32_t)i};
		if (!MW_PUSH(cx, out, r))
			return MW_ENOMEM;
	}
	return mw_sort(cx, out->v, out->n, sizeof *out->v, by_object, NULL);
}

static mw_code compare_hulls(checker *w, const mw_level *now)
{
	const mw_level *old = &w->h->level;
	rows a = {0}, b = {0};
	mw_code rc = hulls_of(w->cx, old, &a);
	rc = rc ? rc : hulls_of(w->cx, now, &b);
	for (size_t i = 0, k = 0; (i < a.n || k < b.n) && !rc;) {
		int way = i == a.n ? 1 : k == b.n ? -1 : by_object(&a.v[i], &b.v[k], NULL);
		if (way != 0) {
			rc = stale(w, w->cmpl,
				way < 0 ? "the collision of a mesh with id %u is compiled, the "
					  "source has none"
					: "the collision of the mesh with id %u is not compiled",
				(unsigned)(way < 0 ? a.v[i].id : b.v[k].id));
		} else {
			const mw_level_hull *x = &old->hull.v[a.v[i].index];
			const mw_level_hull *y = &now->hull.v[b.v[k].index];
			if (x->points != y->points || memcmp(x->box, y->box, sizeof x->box) != 0)
				rc = stale(w, w->cmpl,
					"the collision of the mesh with id %u is compiled in "
					"another shape",
					(unsigned)x->object);
		}
		i += way <= 0;
		k += way >= 0;
	}
	mw_free(w->cx, a.v);
	mw_free(w->cx, b.v);
	return rc;
}

static mw_code against_source(checker *w)
{
	mw_level_options o = mw_level_options_default();
	mw_level least = {0}, most = {0};
	mw_scene s;
	mw_code rc = mw_scene_init(w->cx, &s, NULL);
	rc = rc ? rc : mw_hmap_to_scene(w->cx, &s, w->h);
	o.bevels = MW_BEVEL_NONE;
	o.skip_sky = true;
	rc = rc ? rc : mw_level_compile(w->cx, &least, &s, &o, NULL);
	o.skip_sky = false;
	o.keep_hidden = true;
	rc = rc ? rc : mw_level_compile(w->cx, &most, &s, &o, NULL);
	rc = rc ? rc : compare_solids(w, &least);
	rc = rc ? rc : compare_hulls(w, &least);
	rc = rc ? rc : compare_lights(w, &least);
	rc = rc ? rc : compare_areas(w, &least, &most);
	if (!rc && w->count > MOST) {
		w->count = 0;
		rc = stale(w, w->cmpl, "and more");
	}
	mw_level_free(w->cx, &least);
	mw_level_free(w->cx, &most);
	mw_scene_free(w->cx, &s);
	return rc;
}

mw_code mw_hmap_lint_compiled(mw_ctx *cx, const mw_hmap *h, mw_hmap_findings *found)
{
	checker w = {.cx = cx, .h = h, .found = found};
	if (!mw_hmap_has(h, MW_HMAP_CMPL))
		return MW_OK;
	for (size_t i = 0; i < h->chunk.n; i++)
		if (h->chunk.v[i].known && h->chunk.v[i].tag == MW_HMAP_CMPL)
			w.cmpl = (int64_t)h->chunk.v[i].offset;
	mw_code rc = tree(&w);
	if (!rc && (mw_hmap_has(h, MW_HMAP_BRSH) || mw_hmap_has(h, MW_HMAP_MESH)))
		rc = against_source(&w);
	return rc;
}

#include "scene/shape_lint.h"

#include "base/str.h"
#include "geom/bvh.h"

#include <stdarg.h>
#include <string.h>

static mw_shape_finding finding(uint32_t brush, uint32_t face, const char *rule)
{
	return (mw_shape_finding){.rule = rule,
		.brush = brush,
		.face = face,
		.other_brush = MW_TAG_NONE,
		.other_face = MW_TAG_NONE,
		.rest = ""};
}

static mw_code put(const mw_shape_sink *sink, mw_shape_finding *f, const char *fmt, ...)
	MW_PRINTF(3, 4);

static mw_code put(const mw_shape_sink *sink, mw_shape_finding *f, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	(void)mw_vformat(f->msg, sizeof f->msg, fmt, ap);
	va_end(ap);
	return sink->report(sink->ud, f);
}

static void set_at(mw_shape_finding *f, mw_vec3 at)
{
	f->has_at = true;
	f->at = mw_add3(at, mw_v3(0, 0, 0)); /* -0 is shown as 0 */
}

/* ---- brushes while they are put together ----------------------------------------------------- */

void mw_shape_builder_free(mw_shape_builder *b)
{
	mw_free(b->cx, b->seen.v);
	b->seen.v = NULL;
}

mw_code mw_shape_unique(mw_shape_builder *b, mw_side *side, uint32_t *n)
{
	uint32_t kept = 0;
	mw_code code = MW_OK;

	for (uint32_t i = 0; i < *n && !code; i++) {
		uint32_t plane = MW_PLANE_INDEX(side[i].plane);
		while (b->seen.n <= plane)
			if (!MW_PUSH(b->cx, &b->seen, 0))
				return MW_ENOMEM;
		uint32_t old = b->seen.v[plane];
		if (old == 0) {
			side[kept++] = side[i];
			b->seen.v[plane] = kept;
			continue;
		}
		if (!b->sink.report)
			continue;
		bool same = side[old - 1].plane == side[i].plane;
		mw_shape_finding f = finding(
			b->brush, side[i].tag, same ? "map-face-repeated" : "map-face-opposite");
		f.other_brush = b->brush;
		f.other_face = side[old - 1].tag;
		f.rest = b->left_out;
		code = put(
			&b->sink, &f, "the face has the %splane of", same ? "" : "turned round ");
	}
	for (uint32_t i = 0; i < kept; i++)
		b->seen.v[MW_PLANE_INDEX(side[i].plane)] = 0;
	*n = kept;
	return code;
}

/* *inverted: whether the brush closes when it is turned round. */
static mw_code close_turned(mw_shape_builder *b, mw_side *side, uint32_t n, mw_solid *solid,
	mw_closure *how, bool *inverted)
{
	mw_solid other;
	mw_closure turned;
	mw_code code;

	for (uint32_t i = 0; i < n; i++)
		side[i].plane ^= 1;
	code = mw_solid_make(b->arena, b->t, side, n, &other, &turned);
	bool take = b->turn && turned == MW_CLOSED;
	for (uint32_t i = 0; i < n && !take; i++)
		side[i].plane ^= 1;
	*inverted = !code && turned == MW_CLOSED;
	if (!*inverted)
		return code;
	if (take) {
		*solid = other;
		*how = turned;
	}
	if (!b->sink.report)
		return MW_OK;
	mw_shape_finding f = finding(b->brush, MW_TAG_NONE, "map-brush-inverted");
	set_at(&f, other.face[0].v[0].at);
	return put(&b->sink, &f, "the brush is inside out; it is %s", b->turned);
}

static mw_code unused_faces(
	mw_shape_builder *b, const mw_side *side, uint32_t n, const mw_solid *solid)
{
	mw_code code = MW_OK;
	uint32_t k = 0;

	/* faces come in the order of their sides */
	for (uint32_t i = 0; i < n && !code; i++) {
		if (k < solid->n && solid->face[k].tag == side[i].tag) {
			k++;
			continue;
		}
		mw_shape_finding f = finding(b->brush, side[i].tag, "map-face-unused");
		code = put(&b->sink, &f, "the face bounds nothing of its brush");
	}
	return code;
}

mw_code mw_shape_close(
	mw_shape_builder *b, mw_side *side, uint32_t n, mw_solid *solid, mw_closure *how)
{
	mw_code code = mw_solid_make(b->arena, b->t, side, n, solid, how);
	bool inverted = false;

	if (!code && *how != MW_CLOSED && n >= 4)
		code = close_turned(b, side, n, solid, how, &inverted);
	if (code || !b->sink.report || (inverted && *how != MW_CLOSED))
		return code;
	if (*how == MW_CLOSED)
		return unused_faces(b, side, n, solid);
	mw_shape_finding f = finding(
		b->brush, MW_TAG_NONE, *how == MW_OPEN ? "map-brush-open" : "map-brush-empty");
	return put(&b->sink, &f, "%s",
		n == 0                    ? "has no faces"
			: *how == MW_OPEN ? "is open: its faces bound no solid"
					  : "has no volume");
}

/* ---- brushes that are closed ----------------------------------------------------------------- */

typedef struct {
	mw_ctx *cx;
	const mw_planes *t;
	const mw_brushes *b;
	const mw_solid *solid;
	const mw_shape_limits *o;
	const mw_shape_sink *sink;
	mw_arena arena;
} linter;

static mw_aabb corners_of(const mw_solid *s)
{
	mw_aabb box = mw_aabb_empty();

	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->face[i].n; k++)
			mw_aabb_add(&box, s->face[i].v[k].at, 0);
	return box;
}

/* How deep the solid lies behind its face. */
static double depth_behind(const mw_plane *pl, const mw_solid *s)
{
	double deep = 0;

	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->face[i].n; k++)
			deep = fmax(deep, pl->d - mw_dot3(pl->n, s->face[i].v[k].at));
	return deep;
}

static double reach_of(mw_vec3 p)
{
	return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
}

static mw_code bounds(
	const mw_shape_sink *sink, const mw_shape_limits *o, mw_vec3 far, mw_shape_finding *f)
{
	if (!(reach_of(far) > o->limit))
		return MW_OK;
	set_at(f, far);
	return put(sink, f, "a corner at (%.9g %.9g %.9g) is %.9g past the limit of %.9g", f->at.x,
		f->at.y, f->at.z, reach_of(far) - o->limit, o->limit);
}

static mw_code size(linter *w, uint32_t i, const mw_aabb *box)
{
	const mw_solid *s = &w->solid[i];
	mw_vec3 d = mw_sub3(box->max, box->min);
	double thin = HUGE_VAL;
	bool low = reach_of(box->min) > reach_of(box->max);
	mw_shape_finding f = finding(i, MW_TAG_NONE, "map-bounds");
	mw_code code = bounds(w->sink, w->o, low ? box->min : box->max, &f);

	if (!code && fmax(d.x, fmax(d.y, d.z)) < w->o->micro) {
		f = finding(i, MW_TAG_NONE, "map-brush-micro");
		set_at(&f, box->min);
		return put(w->sink, &f,
			"the brush is %.4g x %.4g x %.4g units around (%.6g %.6g %.6g)", d.x, d.y,
			d.z, box->min.x, box->min.y, box->min.z);
	}
	for (uint32_t k = 0; k < s->n; k++) {
		mw_plane pl = mw_planes_get(w->t, s->face[k].plane);
		thin = fmin(thin, depth_behind(&pl, s));
	}
	if (!code && thin < w->o->sliver) {
		f = finding(i, MW_TAG_NONE, "map-brush-sliver");
		set_at(&f, box->min);
		code = put(w->sink, &f, "the brush is %.4g units thin at (%.6g %.6g %.6g)", thin,
			box->min.x, box->min.y, box->min.z);
	}
	return code;
}

static mw_code near_planes(linter *w, uint32_t i)
{
	const mw_solid *s = &w->solid[i];
	mw_code code = MW_OK;

	for (uint32_t a = 0; a < s->n && !code && s->n <= 512; a++) {
		mw_plane p = mw_planes_get(w->t, s->face[a].plane);
		for (uint32_t b = a + 1; b < s->n && !code; b++) {
			mw_plane q = mw_planes_get(w->t, s->face[b].plane);
			if (!(mw_dot3(p.n, q.n) > 1 - 5e-7))
				continue;
			mw_shape_finding f = finding(i, s->face[b].tag, "map-plane-near");
			f.other_brush = i;
			f.other_face = s->face[a].tag;
			set_at(&f, s->face[b].v[0].at);
			code = put(w->sink, &f, "the face has almost the plane of");
		}
	}
	return code;
}

/* Keep the point that is furthest off the grid, of those further than exact. */
static void see_grid(const mw_shape_limits *o, mw_vec3 p, double exact, double *worst, mw_vec3 *at)
{
	for (int a = 0; a < 3; a++) {
		double v = p.v[a] / o->grid;
		double off = fabs(v - floor(v + 0.5)) * o->grid;
		if (off > *worst && off > 1e-6 && off > exact) {
			*worst = off;
			*at = p;
		}
	}
}

static mw_code off_grid(const mw_shape_sink *sink, const mw_shape_limits *o, double worst,
	mw_vec3 at, mw_shape_finding *f)
{
	if (!(worst > 0))
		return MW_OK;
	f->info = true;
	set_at(f, at);
	return put(sink, f, "a corner at (%.9g %.9g %.9g) is %.4g off the grid of %.6g", f->at.x,
		f->at.y, f->at.z, worst, o->grid);
}

/* How far a corner may be off for how its planes are stored: the more, the flatter they meet. */
static double corner_exact(const linter *w, const mw_poly *p, uint32_t i)
{
	if (!(w->o->exact > 0))
		return 0;
	mw_vec3 a = mw_planes_get(w->t, p->plane).n, b = mw_planes_get(w->t, p->v[i].edge).n;
	mw_vec3 c = mw_planes_get(w->t, p->v[i ? i - 1 : p->n - 1].edge).n;
	double det = fabs(mw_dot3(a, mw_cross3(b, c)));
	return w->o->exact / fmax(det, 1e-6);
}

static mw_code off_grid_brush(linter *w, uint32_t i)
{
	const mw_solid *s = &w->solid[i];
	mw_shape_finding f = finding(i, MW_TAG_NONE, "map-off-grid");
	mw_vec3 at = mw_v3(0, 0, 0);
	double worst = 0;

	for (uint32_t k = 0; k < s->n && w->o->grid > 0; k++)
		for (uint32_t c = 0; c < s->face[k].n; c++)
			see_grid(w->o, s->face[k].v[c].at, corner_exact(w, &s->face[k], c), &worst,
				&at);
	return off_grid(w->sink, w->o, worst, at, &f);
}

mw_code mw_shape_lint_points(const mw_vec3 *p, size_t n, const mw_shape_limits *limits,
	const mw_shape_sink *sink, mw_shape_finding *f)
{
	mw_vec3 at = mw_v3(0, 0, 0), far = at;
	double worst = 0;

	for (size_t i = 0; i < n; i++) {
		if (limits->grid > 0)
			see_grid(limits, p[i], limits->exact, &worst, &at);
		if (reach_of(p[i]) > reach_of(far))
			far = p[i];
	}
	f->rule = "map-bounds";
	f->info = false;
	mw_code code = bounds(sink, limits, far, f);
	f->rule = "map-off-grid";
	return code ? code : off_grid(sink, limits, worst, at, f);
}

/* Whether two parallel polygons lie over one another, going by their boxes. */
static bool overlap(const mw_poly *a, const mw_poly *b, mw_vec3 n, double gap)
{
	mw_aabb x = mw_aabb_empty(), y = mw_aabb_empty();

	for (uint32_t k = 0; k < a->n; k++)
		mw_aabb_add(&x, a->v[k].at, 0);
	for (uint32_t k = 0; k < b->n; k++)
		mw_aabb_add(&y, b->v[k].at, 0);
	for (int i = 0; i < 3; i++) {
		double lap = fmin(x.max.v[i], y.max.v[i]) - fmax(x.min.v[i], y.min.v[i]);
		/* along the normal they are a gap apart */
		if (lap < (fabs(n.v[i]) > 0.9 ? -2 * gap : gap))
			return false;
	}
	return true;
}

static mw_code gaps_between(linter *w, uint32_t i, uint32_t j)
{
	const mw_solid *a = &w->solid[i], *b = &w->solid[j];
	mw_code code = MW_OK;

	for (uint32_t k = 0; k < a->n && !code; k++) {
		mw_plane p = mw_planes_get(w->t, a->face[k].plane);
		for (uint32_t g = 0; g < b->n && !code; g++) {
			mw_plane q = mw_planes_get(w->t, b->face[g].plane);
			double gap = 0 - q.d - p.d;
			if (!(gap > fmax(1e-9, w->o->exact) && gap <= w->o->gap &&
				    mw_dot3(p.n, q.n) < -1 + 1e-12) ||
				!overlap(&a->face[k], &b->face[g], p.n, w->o->gap))
				continue;
			mw_shape_finding f = finding(i, a->face[k].tag, "map-gap");
			f.other_brush = j;
			f.other_face = b->face[g].tag;
			set_at(&f, a->face[k].v[0].at);
			code = put(w->sink, &f, "a gap of %.4g units to", gap);
		}
	}
	return code;
}

static mw_code gaps(linter *w, const mw_aabb *box, uint32_t n)
{
	mw_bvh tree;
	mw_bvh_hits hits = {0};
	mw_code code = mw_bvh_build(&w->arena, box, n, &tree);

	for (uint32_t i = 0; i < n && !code; i++) {
		if (!w->solid[i].n)
			continue;
		mw_aabb near = box[i];
		for (int a = 0; a < 3; a++) {
			near.min.v[a] -= w->o->gap;
			near.max.v[a] += w->o->gap;
		}
		code = mw_bvh_find(w->cx, &tree, &near, &hits);
		for (size_t k = 0; k < hits.n && !code; k++)
			if (hits.v[k] > i)
				code = gaps_between(w, i, hits.v[k]);
	}
	mw_free(w->cx, hits.v);
	return code;
}

mw_code mw_shape_lint(mw_ctx *cx, const mw_planes *t, const mw_brushes *b, const mw_solid *solid,
	const mw_shape_limits *limits, const mw_shape_sink *sink)
{
	linter w = {.cx = cx, .t = t, .b = b, .solid = solid, .o = limits, .sink = sink};
	uint32_t n = (uint32_t)b->brush.n;

	mw_arena_init(&w.arena, cx);
	mw_aabb *box = mw_arena_alloc(&w.arena, ((size_t)n + 1) * sizeof *box);
	mw_code code = box ? MW_OK : MW_ENOMEM;
	for (uint32_t i = 0; i < n && !code; i++) {
		box[i] = corners_of(&solid[i]);
		if (!solid[i].n)
			continue;
		code = size(&w, i, &box[i]);
		if (!code)
			code = near_planes(&w, i);
		if (!code)
			code = off_grid_brush(&w, i);
	}
	if (!code)
		code = gaps(&w, box, n);
	mw_arena_free(&w.arena);
	return code;
}

/* What is odd about the shapes of a level: too small, too thin, almost touching, off the grid. */
#include "format/qmap/qmap.h"

#include "geom/bvh.h"

#include <string.h>

typedef struct {
	mw_ctx *cx;
	const mw_qmap *m;
	const mw_qmap_solids *s;
	const mw_qmap_lint_opts *o;
	mw_qmap_findings *found;
	mw_arena arena;
	mw_solid *solid; /* one for each of s->brushes; n == 0: not closed */
	uint32_t *entity;
} linter;

static mw_qmap_finding place(const linter *w, uint32_t brush, uint32_t face)
{
	uint32_t index = w->s->brushes.brush.v[brush].tag;
	const mw_qmap_brush *b = &w->m->brush.v[index];
	mw_qmap_finding at = {
		.line = b->line, .col = 1, .entity = w->entity[index], .face = MW_QMAP_NONE};

	at.brush = index - w->m->entity.v[at.entity].first_brush;
	if (face != MW_QMAP_NONE) {
		at.line = w->m->face.v[face].line;
		at.face = face - b->first;
	}
	return at;
}

static mw_code report(linter *w, uint32_t brush, uint32_t face, mw_qmap_level level,
	const char *rule, const char *text)
{
	mw_qmap_finding at = place(w, brush, face);
	return mw_qmap_report(w->cx, w->found, &at, level, rule, "%s", text);
}

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

static mw_code size(linter *w, uint32_t i, const mw_aabb *box)
{
	const mw_solid *s = &w->solid[i];
	mw_vec3 d = mw_sub3(box->max, box->min);
	double thin = HUGE_VAL, far = 0;
	char text[160];
	mw_code code = MW_OK;

	for (int a = 0; a < 3; a++)
		far = fmax(far, fmax(fabs(box->min.v[a]), fabs(box->max.v[a])));
	if (far > w->o->limit) {
		mw_format(text, sizeof text, "the brush reaches %.9g, %.9g past the limit of %.9g",
			far, far - w->o->limit, w->o->limit);
		code = report(w, i, MW_QMAP_NONE, MW_QMAP_WARNING, "map-bounds", text);
	}
	if (!code && fmax(d.x, fmax(d.y, d.z)) < w->o->micro) {
		mw_format(text, sizeof text,
			"the brush is %.4g x %.4g x %.4g units around (%.6g %.6g %.6g)", d.x, d.y,
			d.z, box->min.x, box->min.y, box->min.z);
		return report(w, i, MW_QMAP_NONE, MW_QMAP_WARNING, "map-brush-micro", text);
	}
	for (uint32_t f = 0; f < s->n; f++) {
		mw_plane pl = mw_planes_get(&w->s->planes, s->face[f].plane);
		thin = fmin(thin, depth_behind(&pl, s));
	}
	if (!code && thin < w->o->sliver) {
		mw_format(text, sizeof text, "the brush is %.4g units thin at (%.6g %.6g %.6g)",
			thin, box->min.x, box->min.y, box->min.z);
		code = report(w, i, MW_QMAP_NONE, MW_QMAP_WARNING, "map-brush-sliver", text);
	}
	return code;
}

static mw_code near_planes(linter *w, uint32_t i)
{
	const mw_solid *s = &w->solid[i];
	mw_code code = MW_OK;

	for (uint32_t a = 0; a < s->n && !code && s->n <= 512; a++) {
		mw_plane p = mw_planes_get(&w->s->planes, s->face[a].plane);
		for (uint32_t b = a + 1; b < s->n && !code; b++) {
			mw_plane q = mw_planes_get(&w->s->planes, s->face[b].plane);
			char text[120];
			if (!(mw_dot3(p.n, q.n) > 1 - 5e-7))
				continue;
			mw_format(text, sizeof text,
				"the face has almost the plane of the face in line %u",
				w->m->face.v[s->face[a].tag].line);
			code = report(
				w, i, s->face[b].tag, MW_QMAP_WARNING, "map-plane-near", text);
		}
	}
	return code;
}

static mw_code off_grid(linter *w, uint32_t i)
{
	const mw_solid *s = &w->solid[i];
	double grid = w->o->grid, worst = 0;
	mw_vec3 at = mw_v3(0, 0, 0);
	char text[160];

	for (uint32_t f = 0; f < s->n && grid > 0; f++)
		for (uint32_t k = 0; k < s->face[f].n; k++)
			for (int a = 0; a < 3; a++) {
				double v = s->face[f].v[k].at.v[a] / grid;
				double off = fabs(v - floor(v + 0.5)) * grid;
				if (off > worst) {
					worst = off;
					at = s->face[f].v[k].at;
				}
			}
	if (!(worst > 1e-6))
		return MW_OK;
	mw_format(text, sizeof text, "a corner at (%.9g %.9g %.9g) is %.4g off the grid of %.6g",
		at.x, at.y, at.z, worst, grid);
	return report(w, i, MW_QMAP_NONE, MW_QMAP_INFO, "map-off-grid", text);
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

	for (uint32_t f = 0; f < a->n && !code; f++) {
		mw_plane p = mw_planes_get(&w->s->planes, a->face[f].plane);
		for (uint32_t g = 0; g < b->n && !code; g++) {
			mw_plane q = mw_planes_get(&w->s->planes, b->face[g].plane);
			double gap = 0 - q.d - p.d;
			char text[120];
			if (!(gap > 1e-9 && gap <= w->o->gap && mw_dot3(p.n, q.n) < -1 + 1e-12) ||
				!overlap(&a->face[f], &b->face[g], p.n, w->o->gap))
				continue;
			mw_format(text, sizeof text, "a gap of %.4g units to the face in line %u",
				gap, w->m->face.v[b->face[g].tag].line);
			code = report(w, i, a->face[f].tag, MW_QMAP_WARNING, "map-gap", text);
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

mw_code mw_qmap_lint(mw_ctx *cx, const mw_qmap *m, const mw_qmap_solids *s,
	const mw_qmap_lint_opts *o, mw_qmap_findings *found)
{
	linter w = {.cx = cx, .m = m, .s = s, .o = o, .found = found};
	uint32_t n = (uint32_t)s->brushes.brush.n;
	mw_code code = MW_OK;

	mw_arena_init(&w.arena, cx);
	w.solid = mw_arena_zalloc(&w.arena, n * sizeof *w.solid);
	w.entity = mw_arena_zalloc(&w.arena, m->brush.n * sizeof *w.entity);
	mw_aabb *box = mw_arena_alloc(&w.arena, n * sizeof *box);
	if (!w.solid || !w.entity || !box)
		code = MW_ENOMEM;
	for (uint32_t e = 0; e < m->entity.n && !code; e++)
		for (uint32_t k = 0; k < m->entity.v[e].brushes; k++)
			w.entity[m->entity.v[e].first_brush + k] = e;
	if (!code)
		code = mw_solids_make(&w.arena, &s->planes, &s->brushes, w.solid, NULL);
	for (uint32_t i = 0; i < n && !code; i++) {
		box[i] = corners_of(&w.solid[i]);
		if (!w.solid[i].n)
			continue;
		code = size(&w, i, &box[i]);
		if (!code)
			code = near_planes(&w, i);
		if (!code)
			code = off_grid(&w, i);
	}
	if (!code)
		code = gaps(&w, box, n);
	mw_arena_free(&w.arena);
	return code;
}

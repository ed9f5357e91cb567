/* What is odd about the level of a good file: shapes, textures, meshes, chunks. */
#include "format/hmap/hmap_internal.h"

#include "base/sort.h"
#include "geom/bvh.h"
#include "geom/mesh.h"

#include <string.h>

typedef struct {
	mw_ctx *cx;
	const mw_hmap *h;
	mw_hmap_findings *found;
	mw_shape_limits o;
	double weld;
	mw_scene s;
	mw_arena arena;
	uint32_t mesh; /* at hand */
} linter;

static mw_vec3 vec(const float v[3])
{
	return mw_v3((double)v[0], (double)v[1], (double)v[2]);
}

static void at_face(linter *w, uint32_t brush, uint32_t face)
{
	mw__hmap_place(w->h, w->found, MW_HMAP_BRSH, brush);
	w->found->v[w->found->n - 1].face = face;
}

static int64_t face_offset(const mw_hmap *h, uint32_t brush, uint32_t face)
{
	return (int64_t)h->brush.v[brush].offset + MW_HMAP_BRUSH_BYTES +
		(int64_t)face * MW_HMAP_FACE_BYTES;
}

/* ---- brushes --------------------------------------------------------------------------------- */

/* Faces of the scene are those of the file, in order. */
static mw_code take_brush(void *ud, const mw_shape_finding *f)
{
	linter *w = ud;
	const mw_hmap_brush *b = &w->h->brush.v[f->brush];
	uint32_t face = f->face == MW_TAG_NONE ? MW_HMAP_NONE : f->face - b->first;
	bool whole =
		strcmp(f->rule, "map-brush-open") == 0 || strcmp(f->rule, "map-brush-empty") == 0;
	char other[64] = "";
	if (f->other_brush == f->brush)
		mw_format(other, sizeof other, " face %u", (unsigned)(f->other_face - b->first));
	else if (f->other_brush != MW_TAG_NONE)
		mw_format(other, sizeof other, " face %u of brush %u",
			(unsigned)(f->other_face - w->h->brush.v[f->other_brush].first),
			(unsigned)f->other_brush);
	mw_code rc = mw_hmap_report(w->cx, w->found, f->info ? MW_HMAP_INFO : MW_HMAP_WARNING,
		f->rule, MW_HMAP_BRSH,
		face == MW_HMAP_NONE ? (int64_t)b->offset : face_offset(w->h, f->brush, face),
		"%s%s%s%s", whole ? "the brush " : "", f->msg, other, f->rest);
	if (rc)
		return rc;
	at_face(w, f->brush, face);
	w->found->v[w->found->n - 1].has_at = f->has_at;
	w->found->v[w->found->n - 1].at = f->at;
	return MW_OK;
}

static mw_code scales(linter *w, uint32_t brush)
{
	const mw_hmap_brush *b = &w->h->brush.v[brush];
	mw_code rc = MW_OK;
	for (uint32_t k = 0; k < b->faces && !rc; k++) {
		const mw_hmap_uv *uv = &w->h->face.v[b->first + k].uv;
		if (uv->scale[0] != 0.0f && uv->scale[1] != 0.0f)
			continue;
		rc = mw_hmap_report(w->cx, w->found, MW_HMAP_WARNING, "map-scale-zero",
			MW_HMAP_BRSH, face_offset(w->h, brush, k),
			"a texture scale of 0 counts as 1");
		if (!rc)
			at_face(w, brush, k);
	}
	return rc;
}

static mw_code brushes(linter *w)
{
	const mw_scene *s = &w->s;
	mw_shape_sink sink = {take_brush, w};
	mw_shape_builder build = {.cx = w->cx,
		.arena = &w->arena,
		.t = s->planes,
		.sink = sink,
		.left_out = "",
		.turned = "left out of what is compiled"};
	MW_ARRAY(mw_side) side = {0};
	mw_solid *solid = mw_arena_zalloc(&w->arena, (s->brush.n + 1) * sizeof *solid);
	mw_code rc = solid ? MW_OK : MW_ENOMEM;
	for (uint32_t i = 0; i < s->brush.n && !rc; i++) {
		const mw_brush *b = &s->brushes.brush.v[i];
		const mw_side *sides = mw_brush_sides(&s->brushes, b);
		uint32_t n = b->count;
		mw_closure how;
		side.n = 0;
		for (uint32_t k = 0; k < n; k++)
			if (!MW_PUSH(w->cx, &side, sides[k])) {
				rc = MW_ENOMEM;
				goto done;
			}
		build.brush = i;
		if ((rc = mw_shape_unique(&build, side.v, &n)))
			break;
		/* a plane from both sides leaves nothing, and so compiling has it */
		bool opposite = false;
		for (uint32_t k = 0; k < b->count && n < b->count && !opposite; k++)
			for (uint32_t j = 0; j < n && !opposite; j++)
				opposite = sides[k].plane == (side.v[j].plane ^ 1);
		if (opposite)
			memcpy(side.v, sides, b->count * sizeof *sides);
		rc = mw_shape_close(&build, side.v, opposite ? b->count : n, &solid[i], &how);
		if (!rc && how != MW_CLOSED)
			solid[i].n = 0;
		rc = rc ? rc : scales(w, i);
	}
	if (!rc)
		rc = mw_shape_lint(w->cx, s->planes, &s->brushes, solid, &w->o, &sink);
done:
	mw_free(w->cx, side.v);
	mw_shape_builder_free(&build);
	return rc;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static mw_code take_mesh(void *ud, const mw_shape_finding *f)
{
	linter *w = ud;
	mw_code rc = mw_hmap_report(w->cx, w->found, f->info ? MW_HMAP_INFO : MW_HMAP_WARNING,
		f->rule, MW_HMAP_MESH, (int64_t)w->h->mesh.v[w->mesh].offset, "%s", f->msg);
	if (rc)
		return rc;
	mw__hmap_place(w->h, w->found, MW_HMAP_MESH, w->mesh);
	w->found->v[w->found->n - 1].has_at = f->has_at;
	w->found->v[w->found->n - 1].at = f->at;
	return MW_OK;
}

static mw_code poly_finding(
	linter *w, uint32_t poly, const char *rule, mw_vec3 at, const char *text)
{
	const mw_hmap_mesh *m = &w->h->mesh.v[w->mesh];
	mw_code rc = mw_hmap_report(w->cx, w->found, MW_HMAP_WARNING, rule, MW_HMAP_MESH,
		(int64_t)w->h->poly.v[m->first_poly + poly].offset, "%s", text);
	if (rc)
		return rc;
	mw__hmap_place(w->h, w->found, MW_HMAP_MESH, w->mesh);
	mw_hmap_finding *f = &w->found->v[w->found->n - 1];
	f->face = poly;
	f->has_at = true;
	f->at = at;
	return MW_OK;
}

static mw_code check_poly(linter *w, const mw_mesh *m, uint32_t i)
{
	const mw_hmap_poly *p = &w->h->poly.v[w->h->mesh.v[w->mesh].first_poly + i];
	double flat = 0.01 * w->s.units_per_metre / 32;
	int flaws = mw_mesh_flaws(m, i, flat, 0.1);
	mw_vec3 at = m->vertex.v[m->corner.v[m->poly.v[i].first].vertex];
	char text[160];
	mw_code rc = MW_OK;
	if (flaws & 4)
		rc = poly_finding(w, i, "hmap-polygon-flat", at, "the polygon has no area");
	if (!rc && (flaws & 1)) {
		double off = mw_mesh_bend(m, i, &at);
		mw_format(text, sizeof text,
			"a corner at (%.9g %.9g %.9g) is %.4g off the plane of its polygon", at.x,
			at.y, at.z, off);
		rc = poly_finding(w, i, "hmap-polygon-bent", at, text);
	}
	if (!rc && (flaws & 2))
		rc = poly_finding(w, i, "hmap-polygon-concave", at, "the polygon is not convex");
	if (!rc && !p->uvs && (p->uv.scale[0] == 0.0f || p->uv.scale[1] == 0.0f))
		rc = poly_finding(w, i, "map-scale-zero", at, "a texture scale of 0 counts as 1");
	return rc;
}

static int by_coordinates(const void *a, const void *b, void *ud)
{
	const mw_vec3 *x = a, *y = b;
	MW_UNUSED(ud);
	for (int i = 0; i < 3; i++)
		if (x->v[i] != y->v[i])
			return x->v[i] < y->v[i] ? -1 : 1;
	return 0;
}

/* Vertices that almost coincide, once for a mesh. */
static mw_code near_vertices(linter *w, const mw_mesh *m)
{
	mw_vec3 *p = mw_arena_alloc(&w->arena, (m->vertex.n + 1) * sizeof *p);
	mw_aabb *box = mw_arena_alloc(&w->arena, (m->vertex.n + 1) * sizeof *box);
	mw_bvh_hits hits = {0};
	mw_bvh bvh;
	uint32_t n = 0, pairs = 0;
	mw_vec3 first = mw_v3(0, 0, 0);
	if (!p || !box)
		return MW_ENOMEM;
	if (m->vertex.n)
		memcpy(p, m->vertex.v, m->vertex.n * sizeof *p);
	mw_code rc = mw_sort(w->cx, p, m->vertex.n, sizeof *p, by_coordinates, NULL);
	for (size_t i = 0; i < m->vertex.n && !rc; i++)
		if (n == 0 || !mw_eq3(p[n - 1], p[i]))
			p[n++] = p[i];
	for (uint32_t i = 0; i < n; i++)
		box[i] = (mw_aabb){p[i], p[i]};
	rc = rc ? rc : mw_bvh_build(&w->arena, box, n, &bvh);
	for (uint32_t i = 0; i < n && !rc && pairs < 1000; i++) {
		mw_aabb around = mw_aabb_empty();
		mw_aabb_add(&around, p[i], w->weld);
		rc = mw_bvh_find(w->cx, &bvh, &around, &hits);
		for (size_t k = 0; k < hits.n && !rc; k++)
			if (hits.v[k] > i && mw_len3(mw_sub3(p[hits.v[k]], p[i])) <= w->weld &&
				pairs++ == 0)
				first = p[i];
	}
	mw_free(w->cx, hits.v);
	if (rc || !pairs)
		return rc;
	rc = mw_hmap_report(w->cx, w->found, MW_HMAP_INFO, "hmap-vertex-near", MW_HMAP_MESH,
		(int64_t)w->h->mesh.v[w->mesh].offset,
		"%u pairs of vertices are nearer than %.4g, the first at (%.9g %.9g %.9g)",
		(unsigned)pairs, w->weld, first.x, first.y, first.z);
	if (rc)
		return rc;
	mw__hmap_place(w->h, w->found, MW_HMAP_MESH, w->mesh);
	w->found->v[w->found->n - 1].has_at = true;
	w->found->v[w->found->n - 1].at = first;
	return MW_OK;
}

static mw_code meshes(linter *w)
{
	const mw_hmap *h = w->h;
	mw_shape_sink sink = {take_mesh, w};
	mw_code rc = MW_OK;
	for (w->mesh = 0; w->mesh < h->mesh.n && !rc; w->mesh++) {
		const mw_hmap_mesh *from = &h->mesh.v[w->mesh];
		mw_arena_mark mark = mw_arena_get_mark(&w->arena);
		mw_shape_finding f = {.brush = MW_TAG_NONE,
			.face = MW_TAG_NONE,
			.other_brush = MW_TAG_NONE,
			.other_face = MW_TAG_NONE,
			.rest = ""};
		mw_mesh m = {0};
		for (uint32_t k = 0; k < from->vertices && !rc; k++)
			if (!MW_PUSH(w->cx, &m.vertex, vec(h->vertex.v[from->first_vertex + k].v)))
				rc = MW_ENOMEM;
		for (uint32_t k = 0; k < from->polys && !rc; k++) {
			const mw_hmap_poly *p = &h->poly.v[from->first_poly + k];
			rc = mw_mesh_add_indexed(
				w->cx, &m, h->index.v + p->first, NULL, p->indices, 0, 0);
			rc = rc ? rc : check_poly(w, &m, k);
		}
		rc = rc ? rc : near_vertices(w, &m);
		rc = rc ? rc : mw_shape_lint_points(m.vertex.v, m.vertex.n, &w->o, &sink, &f);
		mw_mesh_free(w->cx, &m);
		mw_arena_reset(&w->arena, mark);
	}
	return rc;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static mw_code materials(linter *w)
{
	mw_code rc = MW_OK;
	for (size_t i = 0; i < w->h->material.n && !rc; i++) {
		const mw_hmap_material *m = &w->h->material.v[i];
		if (m->tile[0] > 0.0f && m->tile[1] > 0.0f)
			continue;
		rc = mw_hmap_report(w->cx, w->found, MW_HMAP_WARNING, "hmap-tile", MW_HMAP_MATS,
			(int64_t)m->offset, "material %zu (%.60s) has a tile of %g x %g: 1 counts",
			i, m->name, (double)m->tile[0], (double)m->tile[1]);
	}
	return rc;
}

static mw_code chunks(linter *w)
{
	static const uint32_t known[] = {
		MW_HMAP_META, MW_HMAP_MATS, MW_HMAP_BRSH, MW_HMAP_MESH, MW_HMAP_ENTS, MW_HMAP_CMPL};
	mw_code rc = MW_OK;
	for (size_t i = 0; i < w->h->chunk.n && !rc; i++) {
		const mw_hmap_chunk *c = &w->h->chunk.v[i];
		char tag[5] = "";
		bool is_known = false;
		for (size_t k = 0; k < MW_COUNTOF(known); k++)
			is_known |= known[k] == c->tag;
		for (int k = 0; k < 4; k++) {
			uint32_t ch = c->tag >> (8 * k) & 0xff;
			tag[k] = ch < 33 || ch > 126 ? '?' : (char)ch;
		}
		if (!is_known)
			rc = mw_hmap_report(w->cx, w->found, MW_HMAP_INFO, "hmap-chunk-unknown",
				c->tag, (int64_t)c->offset,
				"chunk %s of %zu bytes is not known: it is kept as it is", tag,
				c->n);
	}
	return rc;
}

/* How far the numbers of the file may be off: what float32 leaves of the greatest of them. */
static double resolution(const mw_hmap *h)
{
	double reach = 0;
	for (size_t i = 0; i < h->face.n; i++)
		reach = fmax(reach, fabs((double)h->face.v[i].plane[3]));
	for (size_t i = 0; i < h->vertex.n; i++)
		for (int k = 0; k < 3; k++)
			reach = fmax(reach, fabs((double)h->vertex.v[i].v[k]));
	return reach / 4194304;
}

mw_code mw_hmap_lint(mw_ctx *cx, const mw_hmap *h, const mw_shape_limits *limits, double weld,
	mw_hmap_findings *found)
{
	linter w = {.cx = cx, .h = h, .found = found, .o = *limits, .weld = weld};
	mw_arena_init(&w.arena, cx);
	w.o.exact = resolution(h);
	mw_code rc = mw_scene_init(cx, &w.s, NULL);
	rc = rc ? rc : mw_hmap_to_scene(cx, &w.s, h);
	rc = rc ? rc : brushes(&w);
	rc = rc ? rc : meshes(&w);
	rc = rc ? rc : materials(&w);
	rc = rc ? rc : chunks(&w);
	mw_scene_free(cx, &w.s);
	mw_arena_free(&w.arena);
	return rc;
}

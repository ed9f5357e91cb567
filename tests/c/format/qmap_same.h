/* Whether a level text in another dialect holds the same level. Static: several tests include it.
 */
#ifndef MW_TESTS_FORMAT_QMAP_SAME_H
#define MW_TESTS_FORMAT_QMAP_SAME_H

#include "support/test.h"

#include "format/qmap/qmap.h"

#include <math.h>

/* What was compared. */
typedef struct {
	bool held;        /* the dialect can say such planes at all */
	uint32_t brushes; /* closed ones, each with the same faces and corners */
	uint32_t faces;   /* of them */
	uint32_t same;    /* of these, on the plane through the same three points, bit for bit */
	uint32_t corners; /* at which texture coordinates were compared */
	uint32_t skewed;  /* faces that were said to have texture axes the dialect cannot say */
	uint32_t off;     /* faces with other texture coordinates by more than 1e-4 texel */
	double apart,
		moved; /* most: of texture coordinates [unit: texel] of the others, of corners */
} qmap_same;

static inline void same_texture(qmap_same *r, const mw_qmap *a, const mw_qmap_brush *ba,
	const mw_qmap_face *f, const mw_qmap *b, const mw_qmap_brush *bb, const mw_qmap_face *g,
	const mw_poly *poly)
{
	mw_vec3 n, m;
	double d, worst = 0;
	assert_true(mw_qmap_plane(ba, f, &n, &d) && mw_qmap_plane(bb, g, &m, &d));
	mw_texmap t = mw_qmap_texmap(a, ba, f, n, NULL), u = mw_qmap_texmap(b, bb, g, m, NULL);
	for (uint32_t v = 0; v < poly->n; v++) {
		mw_vec2 p = mw_texmap_at(&t, poly->v[v].at), q = mw_texmap_at(&u, poly->v[v].at);
		worst = fmax(worst, fmax(fabs(p.x - q.x), fabs(p.y - q.y)));
		r->corners++;
	}
	if (!(worst <= 1e-4))
		r->off++;
	else
		r->apart = fmax(r->apart, worst);
}

static inline void same_solid(mw_ctx *cx, qmap_same *r, const char *name, mw_arena *arena,
	const mw_qmap_solids *sa, const mw_brush *x, const mw_qmap_solids *sb, const mw_brush *y,
	mw_solid *solid)
{
	mw_solid other;
	mw_closure how;
	assert_ok(cx,
		mw_solid_make(arena, &sa->planes, mw_brush_sides(&sa->brushes, x), x->count, solid,
			&how));
	assert_int_equal(how, MW_CLOSED);
	assert_ok(cx,
		mw_solid_make(arena, &sb->planes, mw_brush_sides(&sb->brushes, y), y->count, &other,
			&how));
	assert_int_equal(how, MW_CLOSED);
	assert_int_equal(solid->n, other.n);
	for (uint32_t k = 0; k < solid->n; k++) {
		assert_int_equal(solid->face[k].n, other.face[k].n);
		for (uint32_t v = 0; v < solid->face[k].n; v++) {
			double near = HUGE_VAL; /* corners may begin elsewhere */
			for (uint32_t c = 0; c < other.face[k].n; c++)
				near = fmin(near,
					mw_len3(mw_sub3(
						solid->face[k].v[v].at, other.face[k].v[c].at)));
			r->moved = fmax(r->moved, near);
		}
	}
	if (!(r->moved < 1e-9))
		fail_msg("%s: a corner moved by %g", name, r->moved);
}

/* Closed brushes of a and b pair by pair. points: the planes of b are said by points too. */
static inline void same_brushes(
	mw_ctx *cx, qmap_same *r, const char *name, const mw_qmap *a, const mw_qmap *b, bool points)
{
	mw_qmap_solids sa = {0}, sb = {0};
	mw_arena arena;
	uint32_t rejected = 0; /* these are not written */
	assert_ok(cx, mw_qmap_build(cx, a, &sa, NULL));
	assert_ok(cx, mw_qmap_build(cx, b, &sb, NULL));
	assert_int_equal(sa.brushes.brush.n, sb.brushes.brush.n);
	assert_int_equal(sa.closed_faces, sb.closed_faces);
	for (size_t i = 0; i < a->brush.n; i++)
		rejected += a->brush.v[i].rejected;
	assert_int_equal(sa.open, sb.open + rejected);
	if (points ? sa.volume != sb.volume : fabs(sa.volume - sb.volume) > 1e-9 * fabs(sa.volume))
		fail_msg("%s: volume %.17g, was %.17g", name, sb.volume, sa.volume);
	mw_arena_init(&arena, cx);
	for (size_t i = 0; i < sa.brushes.brush.n; i++) {
		const mw_brush *x = &sa.brushes.brush.v[i], *y = &sb.brushes.brush.v[i];
		const mw_qmap_brush *ba = &a->brush.v[x->tag], *bb = &b->brush.v[y->tag];
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		mw_solid solid;
		assert_int_equal(sa.how[i], sb.how[i]);
		assert_int_equal(x->count, y->count);
		if (sa.how[i] != MW_CLOSED)
			continue;
		same_solid(cx, r, name, &arena, &sa, x, &sb, y, &solid);
		r->brushes++;
		r->faces += solid.n;
		for (uint32_t k = 0; k < solid.n; k++) {
			uint32_t at = solid.face[k].tag - ba->first;
			const mw_qmap_face *f = &a->face.v[ba->first + at];
			const mw_qmap_face *g = &b->face.v[bb->first + at];
			bool same = points;
			for (int c = 0; c < 9 && points; c++)
				same = same && f->p[c / 3].v[c % 3] == g->p[c / 3].v[c % 3];
			r->same += same;
			same_texture(r, a, ba, f, b, bb, g, &solid.face[k]);
		}
		mw_arena_reset(&arena, mark);
	}
	mw_arena_free(&arena);
	mw_qmap_solids_free(cx, &sa);
	mw_qmap_solids_free(cx, &sb);
}

/* Write a in a dialect, read it again, compare. Solids are the same; texture coordinates at every
 * corner are within 1e-4 texel but on faces that the writer said are skewed. */
static inline qmap_same qmap_in_dialect(
	mw_ctx *cx, const char *name, const mw_qmap *a, mw_qmap_dialect d)
{
	qmap_same r = {.held = false};
	mw_qmap b;
	mw_wr out;
	mw_qmap_lost lost = {0};
	mw_qmap_write_opts o = {.dialect = d, .decimals = -1};
	bool four = d == MW_QMAP_DOOM3 || d == MW_QMAP_QUAKE4;
	mw_wr_init(&out, cx);
	if (mw_qmap_write(cx, &out, a, &o, &lost)) {
		/* faces without a plane cannot be written as four numbers */
		assert_true(four);
		mw_err_clear(cx);
		mw_wr_free(&out);
		return r;
	}
	mw_qmap_init(&b, cx);
	assert_ok(cx, mw_qmap_read(cx, &b, NULL, out.p, out.n));
	assert_int_equal(b.entity.n, a->entity.n);
	assert_int_equal(lost.moved, 0);
	r.skewed = lost.skewed;
	/* rounded unit normals may move an edge: solids are compared where they can't */
	if (!four || lost.planes == 0) {
		bool points = !four && a->dialect != MW_QMAP_DOOM3 && a->dialect != MW_QMAP_QUAKE4;
		r.held = true;
		same_brushes(cx, &r, name, a, &b, points);
		if (points && r.same != r.faces)
			fail_msg("%s as %s: %u of %u planes are the same", name,
				mw_qmap_dialect_name(d), r.same, r.faces);
		if (r.off > r.skewed)
			fail_msg("%s as %s: %u faces have other texture coordinates, %u were said",
				name, mw_qmap_dialect_name(d), r.off, r.skewed);
	}
	mw_qmap_free(cx, &b);
	mw_wr_free(&out);
	return r;
}

#endif

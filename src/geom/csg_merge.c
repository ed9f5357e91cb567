/* Joining convex pieces where the result is exactly their union. */
#include "geom/csg.h"

#include "base/sort.h"

#include <string.h>

typedef struct {
	mw_plane_id plane; /* even id: pieces behind it (odd sides) and in front meet here */
	uint32_t piece;
	bool flipped;
} side_ref;

typedef MW_ARRAY(side_ref) refs;

typedef struct {
	mw_solid solid;
	uint32_t contents, tag;
	uint32_t from; /* brush it still is, or UINT32_MAX once joined */
	bool gone;
} piece;

typedef MW_ARRAY(piece) pieces;

static int by_plane(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	const side_ref *p = a, *q = b;
	if (p->plane != q->plane)
		return p->plane < q->plane ? -1 : 1;
	return p->piece < q->piece ? -1 : p->piece > q->piece;
}

/* Whether all of s lies behind every face of o but the one on but. */
static bool behind_all(const mw_planes *t, const mw_solid *s, const mw_solid *o, mw_plane_id but)
{
	for (uint32_t i = 0; i < o->n; i++)
		if (o->face[i].plane != but && (mw_solid_side(t, s, o->face[i].plane) & 1))
			return false;
	return true;
}

static bool tags_agree(const mw_solid *a, const mw_solid *b)
{
	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t k = 0; k < b->n; k++)
			if (a->face[i].plane == b->face[k].plane &&
				a->face[i].tag != b->face[k].tag)
				return false;
	return true;
}

/* Behind each other's faces: then the planes of both without the shared one bound exactly the two
 * together (a where the shared plane's back is, b where its front is). */
static bool can_join(const mw_planes *t, const piece *a, const piece *b, mw_plane_id shared)
{
	return a->contents == b->contents && a->tag == b->tag &&
		mw_aabb_touch(&a->solid.box, &b->solid.box) && tags_agree(&a->solid, &b->solid) &&
		behind_all(t, &b->solid, &a->solid, shared) &&
		behind_all(t, &a->solid, &b->solid, shared ^ 1);
}

static mw_code join(
	mw_arena *arena, const mw_planes *t, piece *a, const piece *b, mw_plane_id shared)
{
	uint32_t n = 0;
	mw_side *side = mw_arena_alloc(arena, (a->solid.n + b->solid.n) * sizeof *side);
	if (!side)
		return MW_ENOMEM;
	const mw_solid *s[2] = {&a->solid, &b->solid};
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < s[k]->n; i++)
			if (MW_PLANE_INDEX(s[k]->face[i].plane) != MW_PLANE_INDEX(shared))
				side[n++] = (mw_side){s[k]->face[i].plane, s[k]->face[i].tag};
	mw_closure how;
	mw_code rc = mw_solid_make(arena, t, side, n, &a->solid, &how);
	a->from = UINT32_MAX;
	MW_ASSERT(rc || how == MW_CLOSED);
	return rc;
}

static mw_code collect(mw_ctx *cx, const pieces *p, refs *r)
{
	r->n = 0;
	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t k = 0; !p->v[i].gone && k < p->v[i].solid.n; k++) {
			mw_plane_id q = p->v[i].solid.face[k].plane;
			side_ref ref = {q & ~1u, i, (q & 1) != 0};
			if (!MW_PUSH(cx, r, ref))
				return MW_ENOMEM;
		}
	return mw_sort(cx, r->v, r->n, sizeof *r->v, by_plane, NULL);
}

/* One sweep over the planes; each piece joins at most once a sweep. */
static mw_code sweep(
	mw_arena *arena, const mw_planes *t, pieces *p, const refs *r, uint8_t *busy, bool *any)
{
	for (size_t lo = 0, hi; lo < r->n; lo = hi) {
		for (hi = lo + 1; hi < r->n && r->v[hi].plane == r->v[lo].plane; hi++)
			;
		for (size_t i = lo; i < hi; i++)
			for (size_t k = i + 1; k < hi && !busy[r->v[i].piece]; k++) {
				uint32_t x = r->v[i].piece, y = r->v[k].piece;
				if (r->v[i].flipped == r->v[k].flipped || busy[y])
					continue;
				mw_plane_id shared = r->v[i].plane | (r->v[i].flipped ? 1 : 0);
				if (!can_join(t, &p->v[x], &p->v[y], shared))
					continue;
				mw_code rc = join(arena, t, &p->v[x], &p->v[y], shared);
				if (rc)
					return rc;
				p->v[y].gone = true;
				busy[x] = busy[y] = 1;
				*any = true;
			}
	}
	return MW_OK;
}

static mw_code load(mw_arena *arena, const mw_planes *t, const mw_brushes *a, pieces *p)
{
	for (uint32_t i = 0; i < a->brush.n; i++) {
		const mw_brush *br = &a->brush.v[i];
		piece x = {.contents = br->contents, .tag = br->tag, .from = i};
		mw_closure how;
		mw_code rc =
			mw_solid_make(arena, t, mw_brush_sides(a, br), br->count, &x.solid, &how);
		if (rc)
			return rc;
		x.gone = how != MW_CLOSED;
		if (!MW_PUSH(arena->cx, p, x))
			return MW_ENOMEM;
	}
	return MW_OK;
}

mw_code mw_csg_merge(mw_ctx *cx, const mw_planes *t, const mw_brushes *a, mw_brushes *out)
{
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	pieces p = {0};
	refs r = {0};
	mw_code rc = load(&arena, t, a, &p);
	uint8_t *busy = mw_arena_alloc(&arena, p.n + 1);
	if (!rc && !busy)
		rc = MW_ENOMEM;
	for (bool any = true; !rc && any;) {
		any = false;
		memset(busy, 0, p.n);
		rc = collect(cx, &p, &r);
		rc = rc ? rc : sweep(&arena, t, &p, &r, busy, &any);
	}
	for (uint32_t i = 0; !rc && i < p.n; i++) {
		const piece *x = &p.v[i];
		if (x->gone)
			continue;
		rc = x->from != UINT32_MAX
			? mw_brushes_copy(cx, out, a, x->from)
			: mw_solid_to_brush(cx, &x->solid, x->contents, x->tag, out);
	}
	mw_free(cx, p.v);
	mw_free(cx, r.v);
	mw_arena_free(&arena);
	return rc;
}

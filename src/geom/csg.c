#include "geom/csg.h"

#include "geom/bvh.h"

#include <string.h>

typedef MW_ARRAY(mw_solid) solids;

/* Whether s and the polytope of b share an inside. Cuts s down plane by plane. */
static mw_code common_part(
	mw_arena *arena, const mw_planes *t, const mw_solid *s, const mw_solid *b, mw_solid *out)
{
	*out = *s;
	for (uint32_t i = 0; i < b->n && out->n; i++) {
		mw_solid back;
		mw_code rc = mw_solid_split(
			arena, t, out, b->face[i].plane, b->face[i].tag, NULL, &back);
		if (rc)
			return rc;
		*out = back;
	}
	return MW_OK;
}

/* Sides of b by how much of s they leave whole: cutting off large pieces first leaves fewer. Here
 * simply the sides that bound s too (or pass it) are skipped, the rest taken in order. */
static mw_code remainder_of(
	mw_arena *arena, const mw_planes *t, const mw_solid *s, const mw_solid *b, solids *to)
{
	mw_solid in = *s;
	for (uint32_t i = 0; i < b->n && in.n; i++) {
		mw_solid front, back;
		mw_code rc = mw_solid_split(
			arena, t, &in, b->face[i].plane, b->face[i].tag, &front, &back);
		if (rc)
			return rc;
		if (front.n) {
			/* seen from the piece the new face looks into b */
			if (!MW_PUSH(arena->cx, to, front))
				return MW_ENOMEM;
		}
		in = back;
	}
	return MW_OK;
}

static bool boxes_overlap(const mw_aabb *a, const mw_aabb *b)
{
	return a->min.x < b->max.x && a->max.x > b->min.x && a->min.y < b->max.y &&
		a->max.y > b->min.y && a->min.z < b->max.z && a->max.z > b->min.z;
}

/* Replace the pieces of list by what of them lies outside b. *cut is set when b met any. */
static mw_code take_away(
	mw_arena *arena, const mw_planes *t, solids *list, const mw_solid *b, bool *cut)
{
	solids next = {0};
	mw_code rc = MW_OK;
	for (size_t i = 0; i < list->n && !rc; i++) {
		const mw_solid *s = &list->v[i];
		mw_solid meet = {0};
		if (boxes_overlap(&s->box, &b->box))
			rc = common_part(arena, t, s, b, &meet);
		if (rc)
			break;
		if (meet.n == 0) {
			if (!MW_PUSH(arena->cx, &next, *s))
				rc = MW_ENOMEM;
			continue;
		}
		*cut = true;
		rc = remainder_of(arena, t, s, b, &next);
	}
	if (rc) {
		mw_free(arena->cx, next.v);
		return rc;
	}
	mw_free(arena->cx, list->v);
	*list = next;
	return MW_OK;
}

/* The polytopes of a list and a tree over their boxes. */
typedef struct {
	mw_solid *solid;
	mw_aabb *box;
	mw_bvh bvh;
	uint32_t n;
} operand;

static mw_code prepare(mw_arena *arena, const mw_planes *t, const mw_brushes *b, operand *o)
{
	o->n = (uint32_t)b->brush.n;
	o->solid = mw_arena_alloc(arena, (o->n + 1) * sizeof *o->solid);
	o->box = mw_arena_alloc(arena, (o->n + 1) * sizeof *o->box);
	if (!o->solid || !o->box)
		return MW_ENOMEM;
	mw_code rc = mw_solids_make(arena, t, b, o->solid, NULL);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < o->n; i++)
		o->box[i] = o->solid[i].box;
	return mw_bvh_build(arena, o->box, o->n, &o->bvh);
}

/* Emit the pieces of brush i of from: as it was when nothing cut it. */
static mw_code emit(mw_ctx *cx, const mw_brushes *from, uint32_t i, const solids *pieces, bool cut,
	mw_brushes *out)
{
	if (!cut)
		return mw_brushes_copy(cx, out, from, i);
	const mw_brush *br = &from->brush.v[i];
	for (size_t k = 0; k < pieces->n; k++)
		if (mw_solid_to_brush(cx, &pieces->v[k], br->contents, br->tag, out))
			return cx->err.code;
	return MW_OK;
}

static mw_code one_piece(mw_ctx *cx, solids *list, const mw_solid *s)
{
	list->n = 0;
	return MW_PUSH(cx, list, *s) ? MW_OK : MW_ENOMEM;
}

mw_code mw_csg_subtract(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *a, const mw_brushes *b, mw_brushes *out)
{
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	operand oa, ob;
	solids list = {0};
	mw_bvh_hits hits = {0};
	mw_code rc = prepare(&arena, t, a, &oa);
	rc = rc ? rc : prepare(&arena, t, b, &ob);
	for (uint32_t i = 0; !rc && i < oa.n; i++) {
		if (oa.solid[i].n == 0)
			continue;
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		bool cut = false;
		rc = one_piece(cx, &list, &oa.solid[i]);
		rc = rc ? rc : mw_bvh_find(cx, &ob.bvh, &oa.box[i], &hits);
		for (size_t k = 0; !rc && k < hits.n; k++)
			rc = take_away(&arena, t, &list, &ob.solid[hits.v[k]], &cut);
		rc = rc ? rc : emit(cx, a, i, &list, cut, out);
		mw_arena_reset(&arena, mark);
	}
	mw_free(cx, hits.v);
	mw_free(cx, list.v);
	mw_arena_free(&arena);
	return rc;
}

/* Brush i of o without the brushes before it. */
static mw_code without_earlier(mw_arena *arena, const mw_planes *t, const operand *o, uint32_t i,
	mw_bvh_hits *hits, solids *list, bool *cut)
{
	mw_code rc = one_piece(arena->cx, list, &o->solid[i]);
	rc = rc ? rc : mw_bvh_find(arena->cx, &o->bvh, &o->box[i], hits);
	for (size_t k = 0; !rc && k < hits->n && hits->v[k] < i; k++)
		rc = take_away(arena, t, list, &o->solid[hits->v[k]], cut);
	return rc;
}

mw_code mw_csg_intersect(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *a, const mw_brushes *b, mw_brushes *out)
{
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	operand oa, ob;
	solids list = {0}, rest = {0};
	mw_bvh_hits hits = {0}, earlier = {0};
	mw_code rc = prepare(&arena, t, a, &oa);
	rc = rc ? rc : prepare(&arena, t, b, &ob);
	for (uint32_t i = 0; !rc && i < oa.n; i++) {
		if (oa.solid[i].n == 0)
			continue;
		const mw_brush *br = &a->brush.v[i];
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		bool cut = false;
		rc = without_earlier(&arena, t, &oa, i, &earlier, &list, &cut);
		rc = rc ? rc : mw_bvh_find(cx, &ob.bvh, &oa.box[i], &hits);
		/* Each brush of b takes its share from what is left: shares then cannot overlap. */
		for (size_t k = 0; !rc && k < hits.n; k++) {
			const mw_solid *with = &ob.solid[hits.v[k]];
			for (size_t m = 0; !rc && m < list.n; m++) {
				mw_solid meet;
				if (!boxes_overlap(&list.v[m].box, &with->box))
					continue;
				rc = common_part(&arena, t, &list.v[m], with, &meet);
				if (!rc && meet.n)
					rc = mw_solid_to_brush(
						cx, &meet, br->contents, br->tag, out);
			}
			rc = rc ? rc : take_away(&arena, t, &list, with, &cut);
		}
		mw_arena_reset(&arena, mark);
	}
	mw_free(cx, hits.v);
	mw_free(cx, earlier.v);
	mw_free(cx, list.v);
	mw_free(cx, rest.v);
	mw_arena_free(&arena);
	return rc;
}

static mw_code disjoint(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *all, mw_brushes *out, double *volume)
{
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	operand o;
	solids list = {0};
	mw_bvh_hits hits = {0};
	mw_code rc = prepare(&arena, t, all, &o);
	for (uint32_t i = 0; !rc && i < o.n; i++) {
		if (o.solid[i].n == 0)
			continue;
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		bool cut = false;
		rc = without_earlier(&arena, t, &o, i, &hits, &list, &cut);
		if (!rc && out)
			rc = emit(cx, all, i, &list, cut, out);
		for (size_t k = 0; !rc && volume && k < list.n; k++)
			*volume += mw_solid_volume(&list.v[k]);
		mw_arena_reset(&arena, mark);
	}
	mw_free(cx, hits.v);
	mw_free(cx, list.v);
	mw_arena_free(&arena);
	return rc;
}

mw_code mw_csg_union(
	mw_ctx *cx, const mw_planes *t, const mw_brushes *a, const mw_brushes *b, mw_brushes *out)
{
	mw_brushes all = {0};
	mw_code rc = MW_OK;
	for (uint32_t i = 0; !rc && i < a->brush.n; i++)
		rc = mw_brushes_copy(cx, &all, a, i);
	for (uint32_t i = 0; !rc && b && i < b->brush.n; i++)
		rc = mw_brushes_copy(cx, &all, b, i);
	rc = rc ? rc : disjoint(cx, t, &all, out, NULL);
	mw_brushes_free(cx, &all);
	return rc;
}

mw_code mw_csg_volume(mw_ctx *cx, const mw_planes *t, const mw_brushes *a, double *volume)
{
	*volume = 0;
	return disjoint(cx, t, a, NULL, volume);
}

mw_code mw_csg_clip(mw_ctx *cx, const mw_planes *t, const mw_brushes *a, mw_plane_id q, int keep,
	uint32_t cap_tag, mw_brushes *out)
{
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	mw_code rc = MW_OK;
	mw_arena_mark mark = mw_arena_get_mark(&arena);
	for (uint32_t i = 0; !rc && i < a->brush.n; i++) {
		const mw_brush *br = &a->brush.v[i];
		mw_solid s, front, back;
		mw_closure how;
		rc = mw_solid_make(&arena, t, mw_brush_sides(a, br), br->count, &s, &how);
		if (rc || how != MW_CLOSED)
			continue;
		int bits = mw_solid_side(t, &s, q);
		if (bits != 3) {
			if (keep == 0 || (keep > 0) == (bits == 1))
				rc = mw_brushes_copy(cx, out, a, i);
			continue;
		}
		rc = mw_solid_split(&arena, t, &s, q, cap_tag, &front, &back);
		if (!rc && keep >= 0)
			rc = mw_solid_to_brush(cx, &front, br->contents, br->tag, out);
		if (!rc && keep <= 0)
			rc = mw_solid_to_brush(cx, &back, br->contents, br->tag, out);
		mw_arena_reset(&arena, mark);
	}
	mw_arena_free(&arena);
	return rc;
}

mw_code mw_csg_hollow(mw_ctx *cx, mw_planes *t, const mw_brushes *a, double wall, mw_brushes *out)
{
	if (!(wall > 0) || !isfinite(wall))
		return mw_fail(cx, MW_ERANGE, "wall thickness %g is not above 0", wall);
	mw_arena arena = {0};
	mw_arena_init(&arena, cx);
	mw_brushes one = {0}, inner = {0};
	mw_code rc = MW_OK;
	for (uint32_t i = 0; !rc && i < a->brush.n; i++) {
		const mw_brush *br = &a->brush.v[i];
		mw_solid s;
		mw_closure how;
		mw_arena_mark mark = mw_arena_get_mark(&arena);
		one.side.n = one.brush.n = inner.side.n = inner.brush.n = 0;
		rc = mw_solid_make(&arena, t, mw_brush_sides(a, br), br->count, &s, &how);
		if (rc || how != MW_CLOSED)
			continue;
		rc = mw_solid_to_brush(cx, &s, br->contents, br->tag, &inner);
		for (uint32_t k = 0; !rc && k < s.n; k++) {
			mw_plane p = mw_planes_raw(t, s.face[k].plane);
			double len = mw_len3(p.n);
			rc = mw_planes_add(cx, t, &inner.side.v[k].plane, p.n, p.d - wall * len);
		}
		rc = rc ? rc : mw_brushes_copy(cx, &one, a, i);
		rc = rc ? rc : mw_csg_subtract(cx, t, &one, &inner, out);
		mw_arena_reset(&arena, mark);
	}
	mw_brushes_free(cx, &one);
	mw_brushes_free(cx, &inner);
	mw_arena_free(&arena);
	return rc;
}

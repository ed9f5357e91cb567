/* Hidden-face removal: what of each face can be seen from outside all brushes. */
#include "geom/csg.h"

#include "geom/bvh.h"

#include <string.h>

int mw_rank_of(uint32_t contents)
{
	if (contents & (MW_CONTENTS_SOLID | MW_CONTENTS_SKY))
		return 2;
	return contents & MW_CONTENTS_WATER ? 1 : 0;
}

typedef MW_ARRAY(mw_poly) polys;

typedef struct {
	mw_arena *arena;
	const mw_planes *t;
	const mw_solid *solid;
	const uint8_t *rank;
	polys piece, next;
} work;

/* Which part of b's planes bounds what b hides of a face on plane p of brush a. */
typedef enum { HIDES_NOTHING, HIDES_INSIDE } hiding;

static hiding relation(const work *w, uint32_t a, uint32_t b, mw_plane_id p)
{
	if (w->rank[b] == 0 || w->rank[b] < w->rank[a])
		return HIDES_NOTHING;
	const mw_solid *s = &w->solid[b];
	for (uint32_t i = 0; i < s->n; i++)
		if (s->face[i].plane == p) /* they coincide: one of them stays */
			return w->rank[b] > w->rank[a] || b < a ? HIDES_INSIDE : HIDES_NOTHING;
	return HIDES_INSIDE;
}

static bool boxes_touch(const mw_poly *p, const mw_aabb *b)
{
	mw_aabb box = mw_aabb_empty();
	for (uint32_t i = 0; i < p->n; i++)
		mw_aabb_add(&box, p->v[i].at, p->v[i].err);
	return mw_aabb_touch(&box, b);
}

/* Cut p down to what lies within s; faces of s on the plane of p do not count. */
static mw_code within(const work *w, const mw_poly *p, const mw_solid *s, mw_poly *out)
{
	*out = *p;
	for (uint32_t i = 0; i < s->n && out->n; i++) {
		if (MW_PLANE_INDEX(s->face[i].plane) == MW_PLANE_INDEX(p->plane))
			continue;
		mw_poly back;
		if (mw_poly_split(w->arena, w->t, out, s->face[i].plane, NULL, &back))
			return MW_ENOMEM;
		*out = back;
	}
	return MW_OK;
}

/* Append to w->next what of p lies outside s. */
static mw_code outside(work *w, const mw_poly *p, const mw_solid *s)
{
	mw_poly in = *p;
	for (uint32_t i = 0; i < s->n && in.n; i++) {
		if (MW_PLANE_INDEX(s->face[i].plane) == MW_PLANE_INDEX(p->plane))
			continue;
		mw_poly front, back;
		if (mw_poly_split(w->arena, w->t, &in, s->face[i].plane, &front, &back))
			return MW_ENOMEM;
		if (front.n && !MW_PUSH(w->arena->cx, &w->next, front))
			return MW_ENOMEM;
		in = back;
	}
	return MW_OK;
}

static mw_code hide_behind(work *w, const mw_solid *s, mw_plane_id plane)
{
	w->next.n = 0;
	/* the face's plane must reach into s or lie on one of its faces */
	int bits = mw_solid_side(w->t, s, plane);
	bool on = bits != 3;
	for (uint32_t i = 0; i < s->n && on; i++)
		if (MW_PLANE_INDEX(s->face[i].plane) == MW_PLANE_INDEX(plane))
			on = false;
	if (on)
		return MW_OK;
	bool changed = false;
	for (size_t i = 0; i < w->piece.n; i++) {
		mw_poly in = {.n = 0};
		if (boxes_touch(&w->piece.v[i], &s->box) && within(w, &w->piece.v[i], s, &in))
			return MW_ENOMEM;
		if (in.n == 0) {
			if (!MW_PUSH(w->arena->cx, &w->next, w->piece.v[i]))
				return MW_ENOMEM;
			continue;
		}
		changed = true;
		if (outside(w, &w->piece.v[i], s))
			return MW_ENOMEM;
	}
	if (changed) {
		polys x = w->piece;
		w->piece = w->next;
		w->next = x;
	}
	return MW_OK;
}

static mw_code rejoin(work *w)
{
	for (bool any = w->piece.n > 1 && w->piece.n <= 64; any;) {
		any = false;
		for (size_t i = 0; i < w->piece.n; i++)
			for (size_t k = i + 1; k < w->piece.n; k++) {
				mw_poly both;
				bool joined;
				if (mw_poly_join(w->arena, w->t, &w->piece.v[i], &w->piece.v[k],
					    &both, &joined))
					return MW_ENOMEM;
				if (!joined)
					continue;
				w->piece.v[i] = both;
				memmove(&w->piece.v[k], &w->piece.v[k + 1],
					(w->piece.n - k - 1) * sizeof w->piece.v[0]);
				w->piece.n--;
				k = i;
				any = true;
			}
	}
	return MW_OK;
}

static mw_code visible(work *w, uint32_t brush, const mw_poly *face, const mw_bvh_hits *hits)
{
	w->piece.n = 0;
	if (!MW_PUSH(w->arena->cx, &w->piece, *face))
		return MW_ENOMEM;
	for (size_t i = 0; i < hits->n && w->piece.n; i++) {
		uint32_t other = hits->v[i];
		if (other == brush || relation(w, brush, other, face->plane) == HIDES_NOTHING ||
			!boxes_touch(face, &w->solid[other].box))
			continue;
		mw_code rc = hide_behind(w, &w->solid[other], face->plane);
		if (rc)
			return rc;
	}
	return rejoin(w);
}

mw_code mw_csg_faces(mw_ctx *cx, mw_arena *arena, const mw_planes *t, const mw_brushes *b,
	const mw_solid *solid, const uint8_t *rank, mw_faces *faces)
{
	uint32_t n = (uint32_t)b->brush.n;
	mw_arena scratch = {0};
	mw_arena_init(&scratch, cx);
	work w = {.arena = &scratch, .t = t, .solid = solid, .rank = rank};
	mw_bvh bvh;
	mw_bvh_hits hits = {0};
	mw_code rc = MW_ENOMEM;
	mw_aabb *box = mw_arena_alloc(&scratch, (n + 1) * sizeof *box);
	uint8_t *ranks = mw_arena_alloc(&scratch, n + 1);
	if (!box || !ranks)
		goto done;
	for (uint32_t i = 0; i < n; i++) {
		box[i] = solid[i].box;
		ranks[i] = rank ? rank[i] : (uint8_t)mw_rank_of(b->brush.v[i].contents);
	}
	w.rank = ranks;
	if ((rc = mw_bvh_build(&scratch, box, n, &bvh)))
		goto done;
	for (uint32_t i = 0; i < n; i++) {
		if (solid[i].n == 0)
			continue;
		if ((rc = mw_bvh_find(cx, &bvh, &box[i], &hits)))
			goto done;
		for (uint32_t k = 0; k < solid[i].n; k++) {
			mw_arena_mark mark = mw_arena_get_mark(&scratch);
			if ((rc = visible(&w, i, &solid[i].face[k], &hits)))
				goto done;
			for (size_t m = 0; m < w.piece.n; m++) {
				mw_face f = {i, w.piece.v[m]};
				size_t size = f.poly.n * sizeof *f.poly.v;
				f.poly.v = mw_arena_alloc(arena, size);
				rc = MW_ENOMEM;
				if (!f.poly.v || !MW_PUSH(cx, faces, f))
					goto done;
				memcpy(f.poly.v, w.piece.v[m].v, size);
			}
			mw_arena_reset(&scratch, mark);
		}
	}
	rc = MW_OK;
done:
	mw_free(cx, hits.v);
	mw_free(cx, w.piece.v);
	mw_free(cx, w.next.v);
	mw_arena_free(&scratch);
	return rc;
}

/* Hidden-face removal: what of each face can be seen from outside all brushes. */
#include "geom/csg.h"

#include "geom/bvh.h"

#include <string.h>

#define RANK_OPAQUE 2

int mw_rank_of(uint32_t contents)
{
	if (contents & (MW_CONTENTS_SOLID | MW_CONTENTS_SKY))
		return RANK_OPAQUE;
	return contents & MW_CONTENTS_WATER ? 1 : 0;
}

/* A piece of a face, or one that was cut: then its parts stand for it, in their order. A solid that
 * does not touch the box of a piece touches none of its parts: a floor of the whole level with
 * thousands of things on it is not looked through for each of them. */
typedef struct {
	mw_poly poly;
	mw_aabb box;
	bool cut;
	uint32_t first, count; /* of the parts; none: all of it is hidden */
} piece;

typedef struct {
	mw_arena *arena;
	const mw_planes *t;
	const mw_solid *solid;
	const uint8_t *rank;
	MW_ARRAY(piece) piece; /* 0: the face */
	MW_ARRAY(uint32_t) todo;
	uint32_t seen;            /* pieces that are not cut */
	MW_ARRAY(mw_poly) result; /* those pieces */
} work;

/* Which part of b's planes bounds what b hides of a face on plane p of brush a. */
typedef enum { HIDES_NOTHING, HIDES_INSIDE } hiding;

static hiding relation(const work *w, uint32_t a, uint32_t b, mw_plane_id p)
{
	if (w->rank[b] < w->rank[a] || (w->rank[b] < RANK_OPAQUE && w->rank[b] != w->rank[a]) ||
		w->rank[b] == 0)
		return HIDES_NOTHING;
	const mw_solid *s = &w->solid[b];
	for (uint32_t i = 0; i < s->n; i++)
		if (s->face[i].plane == p) /* they coincide: one of them stays */
			return w->rank[b] > w->rank[a] || b < a ? HIDES_INSIDE : HIDES_NOTHING;
	return HIDES_INSIDE;
}

static mw_aabb box_of(const mw_poly *p)
{
	mw_aabb box = mw_aabb_empty();
	for (uint32_t i = 0; i < p->n; i++)
		mw_aabb_add(&box, p->v[i].at, p->v[i].err);
	return box;
}

static mw_code put_piece(work *w, const mw_poly *p)
{
	piece new = {.poly = *p, .box = box_of(p)};
	w->seen++;
	return MW_PUSH(w->arena->cx, &w->piece, new) ? MW_OK : MW_ENOMEM;
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

/* Let what lies outside s stand for piece i. */
static mw_code cut_piece(work *w, uint32_t i, const mw_solid *s)
{
	mw_poly in = w->piece.v[i].poly;
	uint32_t first = (uint32_t)w->piece.n;
	mw_plane_id plane = in.plane;
	w->seen--;
	for (uint32_t k = 0; k < s->n && in.n; k++) {
		if (MW_PLANE_INDEX(s->face[k].plane) == MW_PLANE_INDEX(plane))
			continue;
		mw_poly front, back;
		if (mw_poly_split(w->arena, w->t, &in, s->face[k].plane, &front, &back) ||
			(front.n && put_piece(w, &front)))
			return MW_ENOMEM;
		in = back;
	}
	w->piece.v[i].cut = true;
	w->piece.v[i].first = first;
	w->piece.v[i].count = (uint32_t)w->piece.n - first;
	return MW_OK;
}

static mw_code put_parts(work *w, const piece *p)
{
	for (uint32_t k = p->count; k-- > 0;)
		if (!MW_PUSH(w->arena->cx, &w->todo, p->first + k))
			return MW_ENOMEM;
	return MW_OK;
}

static mw_code hide_behind(work *w, const mw_solid *s, mw_plane_id plane)
{
	/* the face's plane must reach into s or lie on one of its faces */
	int bits = mw_solid_side(w->t, s, plane);
	bool on = bits != 3;
	for (uint32_t i = 0; i < s->n && on; i++)
		if (MW_PLANE_INDEX(s->face[i].plane) == MW_PLANE_INDEX(plane))
			on = false;
	if (on)
		return MW_OK;
	w->todo.n = 0;
	if (!MW_PUSH(w->arena->cx, &w->todo, 0))
		return MW_ENOMEM;
	while (w->todo.n) {
		uint32_t i = w->todo.v[--w->todo.n];
		const piece *p = &w->piece.v[i];
		mw_poly in = {.n = 0};
		if (!mw_aabb_touch(&p->box, &s->box))
			continue;
		if (p->cut) {
			if (put_parts(w, p))
				return MW_ENOMEM;
		} else if (within(w, &p->poly, s, &in) || (in.n && cut_piece(w, i, s))) {
			return MW_ENOMEM;
		}
	}
	return MW_OK;
}

/* The pieces that are left, in order, in w->result. */
static mw_code gather(work *w)
{
	w->result.n = 0;
	w->todo.n = 0;
	if (!MW_PUSH(w->arena->cx, &w->todo, 0))
		return MW_ENOMEM;
	while (w->todo.n) {
		const piece *p = &w->piece.v[w->todo.v[--w->todo.n]];
		if (p->cut ? put_parts(w, p) != MW_OK : !MW_PUSH(w->arena->cx, &w->result, p->poly))
			return MW_ENOMEM;
	}
	return MW_OK;
}

static mw_code rejoin(work *w)
{
	for (bool any = w->result.n > 1 && w->result.n <= 64; any;) {
		any = false;
		for (size_t i = 0; i < w->result.n; i++)
			for (size_t k = i + 1; k < w->result.n; k++) {
				mw_poly both;
				bool joined;
				if (mw_poly_join(w->arena, w->t, &w->result.v[i], &w->result.v[k],
					    &both, &joined))
					return MW_ENOMEM;
				if (!joined)
					continue;
				w->result.v[i] = both;
				memmove(&w->result.v[k], &w->result.v[k + 1],
					(w->result.n - k - 1) * sizeof w->result.v[0]);
				w->result.n--;
				k = i;
				any = true;
			}
	}
	return MW_OK;
}

static mw_code visible(work *w, uint32_t brush, const mw_poly *face, const mw_bvh_hits *hits)
{
	w->piece.n = 0;
	w->seen = 0;
	if (put_piece(w, face))
		return MW_ENOMEM;
	for (size_t i = 0; i < hits->n && w->seen; i++) {
		uint32_t other = hits->v[i];
		if (other == brush || relation(w, brush, other, face->plane) == HIDES_NOTHING ||
			!mw_aabb_touch(&w->piece.v[0].box, &w->solid[other].box))
			continue;
		mw_code rc = hide_behind(w, &w->solid[other], face->plane);
		if (rc)
			return rc;
	}
	mw_code rc = gather(w);
	return rc ? rc : rejoin(w);
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
			for (size_t m = 0; m < w.result.n; m++) {
				mw_face f = {i, w.result.v[m]};
				size_t size = f.poly.n * sizeof *f.poly.v;
				f.poly.v = mw_arena_alloc(arena, size);
				rc = MW_ENOMEM;
				if (!f.poly.v || !MW_PUSH(cx, faces, f))
					goto done;
				memcpy(f.poly.v, w.result.v[m].v, size);
			}
			mw_arena_reset(&scratch, mark);
		}
	}
	rc = MW_OK;
done:
	mw_free(cx, hits.v);
	mw_free(cx, w.piece.v);
	mw_free(cx, w.todo.v);
	mw_free(cx, w.result.v);
	mw_arena_free(&scratch);
	return rc;
}

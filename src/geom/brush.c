#include "geom/brush.h"

#include "geom/internal.h"

#include <string.h>

void mw_brushes_free(mw_ctx *cx, mw_brushes *b)
{
	mw_free(cx, b->side.v);
	mw_free(cx, b->brush.v);
	memset(b, 0, sizeof *b);
}

mw_code mw_brushes_add(
	mw_ctx *cx, mw_brushes *b, const mw_side *side, uint32_t n, uint32_t contents, uint32_t tag)
{
	if (b->side.n + n > UINT32_MAX / 2)
		return mw_fail(cx, MW_ELIMIT, "more than %u brush sides", UINT32_MAX / 2);
	mw_brush br = {(uint32_t)b->side.n, n, contents, tag};
	if (!MW_RESERVE(cx, &b->side, b->side.n + n) || !MW_PUSH(cx, &b->brush, br))
		return MW_ENOMEM;
	if (n)
		memcpy(b->side.v + b->side.n, side, n * sizeof *side);
	b->side.n += n;
	return MW_OK;
}

mw_code mw_brushes_copy(mw_ctx *cx, mw_brushes *b, const mw_brushes *from, uint32_t i)
{
	const mw_brush *br = &from->brush.v[i];
	return mw_brushes_add(cx, b, mw_brush_sides(from, br), br->count, br->contents, br->tag);
}

/* ---- polytopes ------------------------------------------------------------------------------- */

static void measure(const mw_planes *t, mw_solid *s)
{
	s->box = mw_aabb_empty();
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->face[i].n; k++)
			mw_aabb_add(&s->box, s->face[i].v[k].at, s->face[i].v[k].err);
	/* an axial face says it exactly */
	for (uint32_t i = 0; i < s->n; i++) {
		int axis = t->exact.v[MW_PLANE_INDEX(s->face[i].plane)].axis;
		if (axis < 0)
			continue;
		mw_plane p = mw_planes_get(t, s->face[i].plane);
		if (p.n.v[axis] > 0)
			s->box.max.v[axis] = p.d;
		else
			s->box.min.v[axis] = 0 - p.d;
	}
}

/* How an earlier or later side j bears on the face of side i. */
static bool is_repeat(const mw_side *side, uint32_t i, uint32_t j)
{
	return side[i].plane == side[j].plane;
}

/* Where a face can be at most: nothing is known of radius infinity. */
typedef struct {
	mw_vec3 at;
	double radius;
} ball;

/* Whether the ball lies behind side j beyond all doubt of rounding, so that it cannot cut there. */
static bool is_behind(const ball *b, const mw_plane *p)
{
	double err =
		1e-12 * (fabs(p->d) + fabs(b->at.x) + fabs(b->at.y) + fabs(b->at.z) + b->radius);
	return mw_dot3(p->n, b->at) - p->d < -b->radius - err;
}

static mw_code make_face(mw_arena *arena, const mw_planes *t, const mw_side *side, uint32_t n,
	uint32_t i, const mw_plane *plane, const ball *within, mw_poly *face, bool *flat)
{
	*face = (mw_poly){.plane = side[i].plane, .tag = side[i].tag};
	for (uint32_t j = 0; j < i; j++)
		if (is_repeat(side, i, j))
			return MW_OK;
	mw_poly p;
	if (mw_poly_whole(arena, t, side[i].plane, side[i].tag, &p))
		return MW_ENOMEM;
	for (uint32_t j = 0; j < n && p.n; j++) {
		if (side[j].plane == (side[i].plane ^ 1)) {
			*flat = true; /* nothing lies behind a plane and its reverse */
			return MW_OK;
		}
		if (is_repeat(side, i, j) || (plane && is_behind(within, &plane[j])))
			continue;
		mw_poly kept;
		if (mw_poly_split(arena, t, &p, side[j].plane, NULL, &kept))
			return MW_ENOMEM;
		p = kept;
	}
	*face = p;
	return MW_OK;
}

/* Move the corners of a finished face to a block of its own: clipping leaves many behind. */
static mw_code settle(mw_arena *arena, mw_corner *from, mw_poly *f)
{
	mw_corner *v = mw_arena_alloc(arena, f->n * sizeof *v);
	if (!v)
		return MW_ENOMEM;
	memcpy(v, from, f->n * sizeof *v);
	f->v = v;
	return MW_OK;
}

/* Brushes of so many sides are worth finding the neighbours of each first. */
#define MANY_SIDES 64
#define NEIGHBOURS 16

/* Sides of a brush by which a face is soon cut small: those that look most its way, and those that
 * look most along each axis. */
typedef struct {
	uint32_t side[NEIGHBOURS + 6];
	double dot[NEIGHBOURS];
	uint32_t n;
} neighbours;

static void most_along_axes(const mw_plane *plane, uint32_t n, uint32_t out[6])
{
	for (uint32_t a = 0; a < 6; a++) {
		double best = -2, sign = a & 1 ? -1 : 1;
		for (uint32_t j = 0; j < n; j++)
			if (sign * plane[j].n.v[a / 2] > best) {
				best = sign * plane[j].n.v[a / 2];
				out[a] = j;
			}
	}
}

static void find_neighbours(const mw_plane *plane, uint32_t n, uint32_t i, neighbours *out)
{
	out->n = 0;
	for (uint32_t j = 0; j < n; j++) {
		double dot = mw_dot3(plane[i].n, plane[j].n);
		if (j == i || (out->n == NEIGHBOURS && dot <= out->dot[NEIGHBOURS - 1]))
			continue;
		uint32_t k = out->n < NEIGHBOURS ? out->n++ : NEIGHBOURS - 1;
		for (; k > 0 && out->dot[k - 1] < dot; k--) {
			out->dot[k] = out->dot[k - 1];
			out->side[k] = out->side[k - 1];
		}
		out->dot[k] = dot;
		out->side[k] = j;
	}
}

/* A ball about what the neighbours leave of the plane of side i. [arena: as it was] */
static mw_code bound_face(mw_arena *arena, const mw_planes *t, const mw_side *side,
	const mw_plane *plane, uint32_t n, const uint32_t axes[6], uint32_t i, ball *out)
{
	mw_arena_mark mark = mw_arena_get_mark(arena);
	mw_aabb box = mw_aabb_empty();
	neighbours near;
	mw_poly p;
	*out = (ball){.radius = HUGE_VAL};
	find_neighbours(plane, n, i, &near);
	memcpy(near.side + near.n, axes, 6 * sizeof *axes);
	if (mw_poly_whole(arena, t, side[i].plane, 0, &p))
		return MW_ENOMEM;
	for (uint32_t k = 0; k < near.n + 6 && p.n; k++) {
		mw_plane_id q = side[near.side[k]].plane;
		mw_poly kept;
		if (MW_PLANE_INDEX(q) == MW_PLANE_INDEX(side[i].plane))
			continue;
		if (mw_poly_split(arena, t, &p, q, NULL, &kept))
			return MW_ENOMEM;
		p = kept;
	}
	for (uint32_t k = 0; k < p.n; k++)
		mw_aabb_add(&box, p.v[k].at, p.v[k].err);
	if (p.n) {
		out->at = mw_scale3(mw_add3(box.min, box.max), 0.5);
		out->radius = mw_len3(mw_sub3(box.max, out->at)) * (1 + 1e-12);
	}
	mw_arena_reset(arena, mark);
	return MW_OK;
}

/* The planes of many sides; NULL for few. */
static mw_code planes_of(
	mw_arena *arena, const mw_planes *t, const mw_side *side, uint32_t n, mw_plane **out)
{
	*out = NULL;
	if (n < MANY_SIDES)
		return MW_OK;
	*out = mw_arena_alloc(arena, n * sizeof **out);
	if (!*out)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		(*out)[i] = mw_planes_get(t, side[i].plane);
	return MW_OK;
}

static mw_code make_settled(mw_arena *arena, const mw_planes *t, const mw_side *side, uint32_t n,
	uint32_t i, const mw_plane *plane, const uint32_t axes[6], mw_poly *face, bool *flat)
{
	ball within = {.radius = HUGE_VAL};
	if (plane && bound_face(arena, t, side, plane, n, axes, i, &within))
		return MW_ENOMEM;
	mw_corner few[32], *copy = few;
	mw_arena_mark mark = mw_arena_get_mark(arena);
	if (make_face(arena, t, side, n, i, plane, &within, face, flat))
		return MW_ENOMEM;
	if (face->n == 0 || face->n > MW_COUNTOF(few)) {
		if (face->n == 0)
			mw_arena_reset(arena, mark);
		return MW_OK;
	}
	memcpy(copy, face->v, face->n * sizeof *copy);
	mw_arena_reset(arena, mark);
	return settle(arena, copy, face);
}

mw_code mw_solid_make(mw_arena *arena, const mw_planes *t, const mw_side *side, uint32_t n,
	mw_solid *out, mw_closure *how)
{
	*out = (mw_solid){.box = mw_aabb_empty()};
	*how = MW_OPEN;
	mw_solid s = {.face = mw_arena_alloc(arena, (n ? n : 1) * sizeof *s.face)};
	if (!s.face)
		return MW_ENOMEM;
	bool flat = false;
	uint32_t axes[6] = {0};
	mw_plane *plane;
	if (planes_of(arena, t, side, n, &plane))
		return MW_ENOMEM;
	if (plane)
		most_along_axes(plane, n, axes);
	for (uint32_t i = 0; i < n && !flat; i++) {
		if (make_settled(arena, t, side, n, i, plane, axes, &s.face[s.n], &flat))
			return MW_ENOMEM;
		s.n += s.face[s.n].n != 0;
	}
	if (n == 0)
		return MW_OK;
	if (flat || s.n == 0) {
		/* nothing, or all of the world where every plane passes it by */
		mw_vec3 origin = mw_v3(0, 0, 0);
		for (uint32_t i = 0; i < n && *how == MW_OPEN; i++)
			if (flat || mw_planes_side_point(t, &origin, side[i].plane) >= 0)
				*how = MW_EMPTY;
		return MW_OK;
	}
	*how = MW_CLOSED;
	for (uint32_t i = 0; i < s.n; i++)
		for (uint32_t k = 0; k < s.face[i].n; k++)
			if (mw_planes_is_world(s.face[i].v[k].edge))
				*how = MW_OPEN;
	measure(t, &s);
	*out = s;
	return MW_OK;
}

mw_code mw_solids_make(
	mw_arena *arena, const mw_planes *t, const mw_brushes *b, mw_solid *out, mw_closure *how)
{
	for (uint32_t i = 0; i < b->brush.n; i++) {
		const mw_brush *br = &b->brush.v[i];
		mw_closure h;
		if (mw_solid_make(arena, t, mw_brush_sides(b, br), br->count, &out[i], &h))
			return MW_ENOMEM;
		if (h != MW_CLOSED)
			out[i] = (mw_solid){.box = mw_aabb_empty()};
		if (how)
			how[i] = h;
	}
	return MW_OK;
}

/* -1 behind, 1 in front, 0 not decided by the box */
static int box_side(const mw_planes *t, const mw_aabb *b, mw_plane_id q)
{
	mw_plane p = mw_planes_get(t, q);
	double lo = -p.d, hi = -p.d, mag = fabs(p.d);
	for (int i = 0; i < 3; i++) {
		double a = p.n.v[i] * b->min.v[i], c = p.n.v[i] * b->max.v[i];
		lo += a < c ? a : c;
		hi += a < c ? c : a;
		mag += fabs(a) > fabs(c) ? fabs(a) : fabs(c);
	}
	double err = 1e-14 * mag + 1e-290;
	return lo > err ? 1 : hi < -err ? -1 : 0;
}

int mw_solid_side(const mw_planes *t, const mw_solid *s, mw_plane_id q)
{
	if (s->n == 0)
		return 0;
	int quick = box_side(t, &s->box, q);
	if (quick)
		return quick > 0 ? 1 : 2;
	int bits = 0;
	for (uint32_t i = 0; i < s->n && bits != 3; i++)
		bits |= mw_poly_side(t, &s->face[i], q, NULL);
	return bits;
}

static mw_code add_cap(mw_arena *arena, const mw_planes *t, const mw_solid *s, mw_plane_id q,
	uint32_t tag, mw_solid *front, mw_solid *back)
{
	mw_poly cap;
	if (mw_poly_whole(arena, t, q, tag, &cap))
		return MW_ENOMEM;
	for (uint32_t i = 0; i < s->n && cap.n; i++) {
		mw_poly kept;
		if (mw_poly_split(arena, t, &cap, s->face[i].plane, NULL, &kept))
			return MW_ENOMEM;
		cap = kept;
	}
	MW_ASSERT(cap.n >= 3);
	if (back)
		back->face[back->n++] = cap;
	if (front) {
		if (mw_poly_reverse(arena, &cap, &front->face[front->n]))
			return MW_ENOMEM;
		front->n++;
	}
	return MW_OK;
}

mw_code mw_solid_split(mw_arena *arena, const mw_planes *t, const mw_solid *s, mw_plane_id q,
	uint32_t cap_tag, mw_solid *front, mw_solid *back)
{
	mw_solid none = {.box = mw_aabb_empty()}, whole = *s;
	if (front)
		*front = none;
	if (back)
		*back = none;
	int bits = mw_solid_side(t, &whole, q);
	if (bits == 1 && front)
		*front = whole;
	if (bits == 2 && back)
		*back = whole;
	if (bits != 3)
		return MW_OK;
	mw_solid *half[2] = {front, back};
	for (int h = 0; h < 2; h++)
		if (half[h]) {
			half[h]->face = mw_arena_alloc(arena, (whole.n + 1) * sizeof(mw_poly));
			if (!half[h]->face)
				return MW_ENOMEM;
		}
	for (uint32_t i = 0; i < whole.n; i++) {
		mw_poly f, b;
		if (mw_poly_split(arena, t, &whole.face[i], q, front ? &f : NULL, back ? &b : NULL))
			return MW_ENOMEM;
		if (front && f.n)
			front->face[front->n++] = f;
		if (back && b.n)
			back->face[back->n++] = b;
	}
	if (add_cap(arena, t, &whole, q, cap_tag, front, back))
		return MW_ENOMEM;
	if (front)
		measure(t, front);
	if (back)
		measure(t, back);
	return MW_OK;
}

mw_code mw_solid_to_brush(
	mw_ctx *cx, const mw_solid *s, uint32_t contents, uint32_t tag, mw_brushes *out)
{
	if (out->side.n + s->n > UINT32_MAX / 2)
		return mw_fail(cx, MW_ELIMIT, "more than %u brush sides", UINT32_MAX / 2);
	mw_brush br = {(uint32_t)out->side.n, s->n, contents, tag};
	if (!MW_RESERVE(cx, &out->side, out->side.n + s->n) || !MW_PUSH(cx, &out->brush, br))
		return MW_ENOMEM;
	for (uint32_t i = 0; i < s->n; i++)
		out->side.v[out->side.n++] = (mw_side){s->face[i].plane, s->face[i].tag};
	return MW_OK;
}

/* ---- measures -------------------------------------------------------------------------------- */

/* Six times the signed volume under face i as seen from o, and four times its moment. */
static double wedge(const mw_poly *f, mw_vec3 o, mw_vec3 *moment)
{
	double sum = 0;
	mw_vec3 a = mw_sub3(f->v[0].at, o);
	for (uint32_t i = 2; i < f->n; i++) {
		mw_vec3 b = mw_sub3(f->v[i - 1].at, o), c = mw_sub3(f->v[i].at, o);
		double v = mw_dot3(a, mw_cross3(b, c));
		*moment = mw_along3(*moment, mw_add3(a, mw_add3(b, c)), v);
		sum += v;
	}
	return sum;
}

double mw_solid_volume(const mw_solid *s)
{
	if (s->n == 0)
		return 0;
	mw_vec3 o = s->face[0].v[0].at, m = mw_v3(0, 0, 0);
	double sum = 0;
	for (uint32_t i = 0; i < s->n; i++)
		sum += wedge(&s->face[i], o, &m);
	return sum / 6;
}

double mw_solid_area(const mw_solid *s)
{
	double sum = 0;
	for (uint32_t i = 0; i < s->n; i++)
		sum += mw_poly_area(&s->face[i]);
	return sum;
}

mw_vec3 mw_solid_centre(const mw_solid *s)
{
	if (s->n == 0)
		return mw_v3(0, 0, 0);
	mw_vec3 o = s->face[0].v[0].at, m = mw_v3(0, 0, 0);
	double sum = 0;
	for (uint32_t i = 0; i < s->n; i++)
		sum += wedge(&s->face[i], o, &m);
	if (!(sum > 0))
		return mw_scale3(mw_add3(s->box.min, s->box.max), 0.5);
	return mw_along3(o, m, 0.25 / sum);
}

bool mw_brush_contains(const mw_planes *t, const mw_brushes *b, uint32_t i, const mw_vec3 *p)
{
	const mw_brush *br = &b->brush.v[i];
	for (uint32_t k = 0; k < br->count; k++)
		if (mw_planes_side_point(t, p, b->side.v[br->first + k].plane) >= 0)
			return false;
	return br->count > 0;
}

/* ---- transforms ------------------------------------------------------------------------------ */

mw_code mw_brushes_transform(
	mw_ctx *cx, mw_planes *t, const mw_brushes *b, const mw_mat *m, mw_brushes *out)
{
	mw_mat inv;
	for (int i = 0; i < 12; i++)
		if (!isfinite(m->m[i / 4][i % 4]))
			return mw_fail(cx, MW_ERANGE, "a matrix entry is not a finite number");
	if (!mw_mat_invert(m, &inv))
		return mw_fail(cx, MW_EINVALID, "the transform flattens space");
	mw_vec3 move = mw_v3(m->m[0][3], m->m[1][3], m->m[2][3]);
	MW_ARRAY(mw_side) side = {0};
	mw_code rc = MW_OK;
	for (uint32_t i = 0; i < b->brush.n && !rc; i++) {
		const mw_brush *br = &b->brush.v[i];
		side.n = 0;
		for (uint32_t k = 0; k < br->count && !rc; k++) {
			mw_side s = b->side.v[br->first + k];
			mw_plane p = mw_planes_raw(t, s.plane);
			/* det * m^-T n, and d scaled to match: small integers stay exact */
			mw_vec3 n = mw_mat_normal(m, p.n);
			double det = fabs(mw_mat_det(m));
			double d = det * p.d + mw_dot3(n, move);
			rc = mw_planes_add(cx, t, &s.plane, n, d);
			if (!rc && s.plane == MW_PLANE_NONE)
				rc = mw_fail(cx, MW_EINVALID, "the transform flattens space");
			if (!rc && !MW_PUSH(cx, &side, s))
				rc = MW_ENOMEM;
		}
		if (!rc)
			rc = mw_brushes_add(
				cx, out, side.v, (uint32_t)side.n, br->contents, br->tag);
	}
	mw_free(cx, side.v);
	return rc;
}

/* ---- bevels ---------------------------------------------------------------------------------- */

static bool has_side(const mw_side *side, size_t n, mw_plane_id plane)
{
	for (size_t i = 0; i < n; i++)
		if (side[i].plane == plane)
			return true;
	return false;
}

typedef MW_ARRAY(mw_side) side_list;

typedef struct {
	mw_ctx *cx;
	mw_planes *t;
	const mw_solid *s;
	mw_corner *corner; /* of all faces, as exact as doubles are */
	size_t corners;
	double size;
	side_list to;
} bevelling;

/* Corners where planes nearly agree are known to a tenth of a billionth only; a bevel is to rest on
 * the solid, not beside it. */
static mw_code take_corners(bevelling *w)
{
	size_t n = 0;
	if (w->corner)
		return MW_OK;
	for (uint32_t i = 0; i < w->s->n; i++)
		n += w->s->face[i].n;
	w->corner = mw_alloc_n(w->cx, n + 1, sizeof *w->corner);
	if (!w->corner)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < w->s->n; i++) {
		const mw_poly *f = &w->s->face[i];
		for (uint32_t k = 0; k < f->n; k++) {
			mw_corner *c = &w->corner[w->corners++];
			*c = f->v[k];
			mw__planes_sharpen(w->t, f->plane, f->v[k ? k - 1 : f->n - 1].edge, c->edge,
				&c->at, &c->err);
		}
	}
	w->size = mw_len3(mw_sub3(w->s->box.max, w->s->box.min));
	return MW_OK;
}

/* The plane of direction n that rests on s, moved out by what rounding may have taken. */
static mw_code rest(bevelling *w, mw_vec3 n)
{
	double d = -HUGE_VAL, mag = 0, sum = fabs(n.x) + fabs(n.y) + fabs(n.z);
	if (take_corners(w))
		return w->cx->err.code;
	for (size_t i = 0; i < w->corners; i++) {
		const mw_corner *v = &w->corner[i];
		double x = mw_dot3(n, v->at) + 1.01 * v->err * sum;
		double m = sum * (fabs(v->at.x) + fabs(v->at.y) + fabs(v->at.z));
		d = x > d ? x : d;
		mag = m > mag ? m : mag;
	}
	bool axial = (n.x != 0) + (n.y != 0) + (n.z != 0) == 1;
	mw_plane_id id;
	if (mw_planes_add(w->cx, w->t, &id, n, axial ? d : d + 1e-15 * mag))
		return w->cx->err.code;
	MW_ASSERT(id != MW_PLANE_NONE && !(mw_solid_side(w->t, w->s, id) & 1));
	if (has_side(w->to.v, w->to.n, id))
		return MW_OK;
	return MW_PUSH(w->cx, &w->to, ((mw_side){id, MW_TAG_NONE})) ? MW_OK : MW_ENOMEM;
}

/* Whether direction n (unit) looks away from every corner at at, apart from rounding. */
static bool rests_on(const bevelling *w, mw_vec3 n, mw_vec3 at)
{
	double d = mw_dot3(n, at) + 1e-9 * w->size;
	for (size_t i = 0; i < w->corners; i++)
		if (mw_dot3(n, w->corner[i].at) > d)
			return false;
	return true;
}

/* A plane next to one that is there adds nothing. */
static bool has_near(const bevelling *w, mw_vec3 n)
{
	for (size_t i = 0; i < w->to.n; i++) {
		mw_vec3 d = mw_sub3(mw_planes_get(w->t, w->to.v[i].plane).n, n);
		if (mw_dot3(d, d) < 1e-24)
			return true;
	}
	return false;
}

/* Whether a side faces exactly along an axis: one that leans by a hair is no side of the box. */
static bool has_axial(const mw_planes *t, const side_list *l, int axis, double sign)
{
	for (size_t i = 0; i < l->n; i++)
		if (t->exact.v[MW_PLANE_INDEX(l->v[i].plane)].axis == axis &&
			mw_planes_get(t, l->v[i].plane).n.v[axis] == sign)
			return true;
	return false;
}

/* Along the edge from a to b, where planes p and q meet: across their normals, or from end to end
 * where that says it better. */
static mw_vec3 edge_direction(
	const mw_planes *t, mw_plane_id p, mw_plane_id q, const mw_corner *a, const mw_corner *b)
{
	mw_vec3 across = mw_cross3(mw_planes_get(t, p).n, mw_planes_get(t, q).n);
	mw_vec3 way = mw_sub3(b->at, a->at);
	/* rounding over length; an err is some rounding of a coordinate */
	bool planes = (a->err + b->err) * mw_len3(across) >= 1e-15 * mw_len3(way);
	return mw_unit3(planes ? across : way);
}

static mw_code edge_bevels(bevelling *w)
{
	if (take_corners(w))
		return w->cx->err.code;
	for (size_t i = 0, first = 0; i < w->s->n; first += w->s->face[i++].n)
		for (uint32_t k = 0; k < w->s->face[i].n; k++) {
			const mw_poly *f = &w->s->face[i];
			const mw_corner *a = &w->corner[first + k];
			const mw_corner *b = &w->corner[first + (k + 1) % f->n];
			mw_vec3 e = edge_direction(w->t, f->plane, f->v[k].edge, a, b);
			for (int axis = 0; axis < 6; axis++) {
				mw_vec3 dir = mw_v3(0, 0, 0);
				dir.v[axis / 2] = axis & 1 ? -1 : 1;
				mw_vec3 n = mw_cross3(e, dir);
				if (mw_len3(n) < 1e-12)
					continue;
				n = mw_unit3(n);
				if (has_near(w, n) || !rests_on(w, n, a->at))
					continue;
				if (rest(w, n))
					return w->cx->err.code;
			}
		}
	return MW_OK;
}

mw_code mw_solid_bevel(mw_ctx *cx, mw_planes *t, const mw_solid *s, mw_bevel what,
	uint32_t contents, uint32_t tag, mw_brushes *out)
{
	bevelling w = {.cx = cx, .t = t, .s = s};
	mw_code rc = MW_OK;
	for (uint32_t i = 0; i < s->n && !rc; i++)
		if (!MW_PUSH(cx, &w.to, ((mw_side){s->face[i].plane, s->face[i].tag})))
			rc = MW_ENOMEM;
	for (int a = 0; a < 6 && what != MW_BEVEL_NONE && !rc; a++) {
		mw_vec3 n = mw_v3(0, 0, 0);
		n.v[a / 2] = a & 1 ? -1 : 1;
		if (!has_axial(t, &w.to, a / 2, n.v[a / 2]))
			rc = rest(&w, n);
	}
	if (what == MW_BEVEL_EDGE && !rc)
		rc = edge_bevels(&w);
	rc = rc ? rc : mw_brushes_add(cx, out, w.to.v, (uint32_t)w.to.n, contents, tag);
	mw_free(cx, w.to.v);
	mw_free(cx, w.corner);
	return rc;
}

/* Bevels take time with the square of the number of faces, and strangers write numbers. */
#define BEVEL_FACES 1024

mw_code mw_brushes_bevel(mw_ctx *cx, mw_planes *t, const mw_brushes *b, const mw_solid *solid,
	mw_bevel what, mw_brushes *out)
{
	mw_code rc = MW_OK;
	for (uint32_t i = 0; i < b->brush.n && !rc; i++) {
		const mw_brush *br = &b->brush.v[i];
		if (solid[i].n && solid[i].n <= BEVEL_FACES)
			rc = mw_solid_bevel(cx, t, &solid[i], what, br->contents, br->tag, out);
		else
			rc = mw_brushes_copy(cx, out, b, i);
	}
	return rc;
}

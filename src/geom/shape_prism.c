/* Prisms over any simple polygon, and terrain: shapes that are cut up and joined again. */
#include "geom/shape.h"

#include "geom/exact.h"

#include <string.h>

/* Exact turn a, b, c in the x, z plane as seen from above (counter-clockwise 1: z runs south). */
static int turn(mw_vec2 a, mw_vec2 b, mw_vec2 c)
{
	mw_vec3 p = mw_v3(a.x, -a.y, 0), q = mw_v3(b.x, -b.y, 0), r = mw_v3(c.x, -c.y, 0);
	mw_vec3 up = mw_v3(a.x, -a.y, 1);
	return mw_exact_orient(&p, &q, &r, &up);
}

static bool eq(mw_vec2 a, mw_vec2 b)
{
	return a.x == b.x && a.y == b.y;
}

static bool between(mw_vec2 a, mw_vec2 b, mw_vec2 p)
{
	return (p.x >= a.x ? p.x <= b.x : p.x >= b.x) && (p.y >= a.y ? p.y <= b.y : p.y >= b.y);
}

static bool edges_meet(mw_vec2 a, mw_vec2 b, mw_vec2 c, mw_vec2 d)
{
	int s1 = turn(a, b, c), s2 = turn(a, b, d), s3 = turn(c, d, a), s4 = turn(c, d, b);
	if (s1 * s2 < 0 && s3 * s4 < 0)
		return true;
	return (s1 == 0 && between(a, b, c)) || (s2 == 0 && between(a, b, d)) ||
		(s3 == 0 && between(c, d, a)) || (s4 == 0 && between(c, d, b));
}

static bool is_simple(const mw_vec2 *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t i1 = (i + 1) % n;
		if (eq(p[i], p[i1]))
			return false;
		for (uint32_t k = i + 1; k < n; k++) {
			uint32_t k1 = (k + 1) % n;
			if (k == i1 || k1 == i) {
				/* neighbours share a corner: they may not fold back */
				mw_vec2 a = k == i1 ? p[i] : p[i1], b = k == i1 ? p[i1] : p[i];
				mw_vec2 c = k == i1 ? p[k1] : p[k];
				if (turn(a, b, c) == 0 && !between(a, c, b))
					return false;
				continue;
			}
			if (edges_meet(p[i], p[i1], p[k], p[k1]))
				return false;
		}
	}
	return true;
}

/* One triangular or convex prism over points that run counter-clockwise seen from above. seam: bit
 * i set when the edge from point i is not on the outline. */
static mw_code raise_piece(mw_ctx *cx, const mw_shaper *s, mw_brushes *to, const mw_vec2 *p,
	uint32_t n, const bool *seam, double bottom, double top)
{
	mw_side *side = mw_alloc_n(cx, (size_t)n + 2, sizeof *side);
	if (!side)
		return MW_ENOMEM;
	side[0].tag = MW_PART_TOP;
	side[1].tag = MW_PART_BOTTOM;
	mw_code rc = mw_planes_add(cx, s->t, &side[0].plane, mw_v3(0, 1, 0), top);
	rc = rc ? rc : mw_planes_add(cx, s->t, &side[1].plane, mw_v3(0, -1, 0), -bottom);
	for (uint32_t i = 0; i < n && !rc; i++) {
		mw_vec2 a = p[i], b = p[(i + 1) % n];
		mw_vec3 q[3] = {mw_v3(b.x, 0, b.y), mw_v3(a.x, 0, a.y), mw_v3(a.x, 1, a.y)};
		rc = mw_planes_add_points(cx, s->t, &side[i + 2].plane, q);
		side[i + 2].tag = seam && seam[i] ? MW_PART_SEAM : MW_PART_SIDE;
	}
	rc = rc ? rc : mw_brushes_add(cx, to, side, n + 2, s->contents, s->tag);
	mw_free(cx, side);
	return rc;
}

static bool is_ear(const mw_vec2 *p, const uint32_t *left, uint32_t n, uint32_t i)
{
	uint32_t i0 = left[(i + n - 1) % n], i1 = left[i], i2 = left[(i + 1) % n];
	if (turn(p[i0], p[i1], p[i2]) <= 0)
		return false;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t q = left[k];
		if (q != i0 && q != i1 && q != i2 && turn(p[i0], p[i1], p[q]) >= 0 &&
			turn(p[i1], p[i2], p[q]) >= 0 && turn(p[i2], p[i0], p[q]) >= 0)
			return false;
	}
	return true;
}

/* Ears of the polygon as prisms; edges of the outline are those between neighbours. */
static mw_code cut_ears(mw_ctx *cx, const mw_shaper *s, mw_brushes *to, const mw_vec2 *p,
	uint32_t total, double bottom, double top)
{
	uint32_t *left = mw_alloc_n(cx, total, sizeof *left);
	if (!left)
		return MW_ENOMEM;
	uint32_t n = total;
	mw_code rc = MW_OK;
	for (uint32_t i = 0; i < n; i++)
		left[i] = i;
	while (n >= 3 && !rc) {
		uint32_t ear = n;
		for (uint32_t i = 0; i < n && ear == n; i++)
			if (is_ear(p, left, n, i))
				ear = i;
		if (ear == n)
			break; /* only corners on a line are left */
		uint32_t v[3] = {left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]};
		mw_vec2 q[3] = {p[v[0]], p[v[1]], p[v[2]]};
		bool seam[3];
		for (int k = 0; k < 3; k++)
			seam[k] = v[(k + 1) % 3] != (v[k] + 1) % total;
		rc = raise_piece(cx, s, to, q, 3, seam, bottom, top);
		memmove(&left[ear], &left[ear + 1], (n - ear - 1) * sizeof *left);
		n--;
	}
	mw_free(cx, left);
	return rc;
}

mw_code mw_shape_prism(
	mw_ctx *cx, const mw_shaper *s, const mw_vec2 *p, uint32_t n, double bottom, double top)
{
	if (n < 3 || n > 1024)
		return mw_fail(cx, MW_ERANGE, "%u points: outside 3..1024", n);
	if (!(bottom < top) || !isfinite(top - bottom))
		return mw_fail(cx, MW_EINVALID, "y from %g to %g is no size", bottom, top);
	for (uint32_t i = 0; i < n; i++)
		if (!isfinite(p[i].x) || !isfinite(p[i].y))
			return mw_fail(cx, MW_ERANGE, "point %u is not a finite number", i + 1);
	if (!is_simple(p, n))
		return mw_fail(cx, MW_EINVALID, "the outline crosses or touches itself");
	/* the lowest point's turn tells the sense */
	uint32_t low = 0;
	for (uint32_t i = 1; i < n; i++)
		if (p[i].x < p[low].x || (p[i].x == p[low].x && p[i].y < p[low].y))
			low = i;
	int sense = turn(p[(low + n - 1) % n], p[low], p[(low + 1) % n]);
	if (sense == 0)
		return mw_fail(cx, MW_EINVALID, "the outline has no area");
	mw_vec2 *q = mw_alloc_n(cx, n, sizeof *q);
	if (!q)
		return MW_ENOMEM;
	bool convex = true;
	for (uint32_t i = 0; i < n; i++)
		q[i] = p[sense > 0 ? i : n - 1 - i];
	for (uint32_t i = 0; i < n; i++)
		convex &= turn(q[i], q[(i + 1) % n], q[(i + 2) % n]) >= 0;
	mw_code rc;
	if (convex) {
		rc = raise_piece(cx, s, s->out, q, n, NULL, bottom, top);
	} else {
		mw_brushes cut = {0};
		rc = cut_ears(cx, s, &cut, q, n, bottom, top);
		rc = rc ? rc : mw_csg_merge(cx, s->t, &cut, s->out);
		mw_brushes_free(cx, &cut);
	}
	mw_free(cx, q);
	return rc;
}

/* ---- terrain --------------------------------------------------------------------------------- */

typedef struct {
	const mw_shaper *s;
	mw_vec2 min;
	double cell, base, least;
	const double *heights;
	uint32_t nx, nz;
} field;

static mw_vec3 corner(const field *f, uint32_t x, uint32_t z)
{
	double h = f->heights[(size_t)z * f->nx + x];
	if (!(h > f->base + f->least))
		h = f->base + f->least;
	return mw_v3(f->min.x + x * f->cell, h, f->min.y + z * f->cell);
}

/* a, b, c counter-clockwise seen from above */
static mw_code column(mw_ctx *cx, const field *f, mw_brushes *to, mw_vec3 a, mw_vec3 b, mw_vec3 c,
	const uint32_t part[3])
{
	mw_side side[5];
	mw_vec3 v[3] = {a, b, c}, top[3] = {c, b, a};
	side[0].tag = MW_PART_TOP;
	side[1].tag = MW_PART_BOTTOM;
	mw_code rc = mw_planes_add_points(cx, f->s->t, &side[0].plane, top);
	rc = rc ? rc : mw_planes_add(cx, f->s->t, &side[1].plane, mw_v3(0, -1, 0), -f->base);
	for (int i = 0; i < 3 && !rc; i++) {
		mw_vec3 p = v[i], q = v[(i + 1) % 3];
		mw_vec3 w[3] = {mw_v3(q.x, 0, q.z), mw_v3(p.x, 0, p.z), mw_v3(p.x, 1, p.z)};
		rc = mw_planes_add_points(cx, f->s->t, &side[i + 2].plane, w);
		side[i + 2].tag = part[i];
	}
	return rc ? rc : mw_brushes_add(cx, to, side, 5, f->s->contents, f->s->tag);
}

static mw_code cell_columns(mw_ctx *cx, const field *f, mw_brushes *to, uint32_t x, uint32_t z)
{
	/* north-west, south-west, south-east, north-east: counter-clockwise from above */
	mw_vec3 nw = corner(f, x, z), sw = corner(f, x, z + 1), se = corner(f, x + 1, z + 1);
	mw_vec3 ne = corner(f, x + 1, z);
	uint32_t west = x == 0 ? MW_PART_WEST : MW_PART_SEAM;
	uint32_t south = z + 2 == f->nz ? MW_PART_SOUTH : MW_PART_SEAM;
	uint32_t east = x + 2 == f->nx ? MW_PART_EAST : MW_PART_SEAM;
	uint32_t north = z == 0 ? MW_PART_NORTH : MW_PART_SEAM;
	if ((x + z) & 1) {
		uint32_t p[3] = {west, south, MW_PART_SEAM}, q[3] = {MW_PART_SEAM, east, north};
		mw_code rc = column(cx, f, to, nw, sw, se, p);
		return rc ? rc : column(cx, f, to, nw, se, ne, q);
	}
	uint32_t p[3] = {west, MW_PART_SEAM, north}, q[3] = {south, east, MW_PART_SEAM};
	mw_code rc = column(cx, f, to, nw, sw, ne, p);
	return rc ? rc : column(cx, f, to, sw, se, ne, q);
}

mw_code mw_shape_terrain(mw_ctx *cx, const mw_shaper *s, mw_vec2 min, double cell,
	const double *heights, uint32_t nx, uint32_t nz, double base, double least)
{
	if (nx < 2 || nz < 2 || nx > 1025 || nz > 1025)
		return mw_fail(cx, MW_ERANGE, "%u x %u heights: outside 2..1025", nx, nz);
	if (!(cell > 0) || !(least > 0) || !isfinite(cell + least + base + min.x + min.y))
		return mw_fail(cx, MW_ERANGE, "cell %g, least height %g: not above 0", cell, least);
	for (size_t i = 0; i < (size_t)nx * nz; i++)
		if (!isfinite(heights[i]))
			return mw_fail(cx, MW_ERANGE, "height %zu is not a finite number", i + 1);
	field f = {s, min, cell, base, least, heights, nx, nz};
	mw_brushes cut = {0};
	mw_code rc = MW_OK;
	for (uint32_t z = 0; z + 1 < nz && !rc; z++)
		for (uint32_t x = 0; x + 1 < nx && !rc; x++)
			rc = cell_columns(cx, &f, &cut, x, z);
	rc = rc ? rc : mw_csg_merge(cx, s->t, &cut, s->out);
	mw_brushes_free(cx, &cut);
	return rc;
}

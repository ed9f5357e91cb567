#include "raster/scatter.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"

#define ROUNDS_MIN 16        /* draws in each empty cell: fills all but a few per cent */
#define ROUNDS_MAX 256       /* finds small places on small maps */
#define DRAWS (1u << 22)     /* draws to spend where they are between the two */
#define CELLS_MAX (1u << 26) /* of the search grid */
#define FINE 64.0            /* positions are multiples of 1 / FINE: exact in float too */

/* Accepted positions on a grid so fine that a cell holds at most one. */
typedef struct {
	const mw_scatter_rules *rules;
	double cell;
	int32_t w, h;
	uint32_t *slot; /* 1 + index of the point in each cell; 0: none */
	MW_ARRAY(mw_scatter_point) points;
} search;

int mw_scatter_images(
	double (*out)[2], mw_mirror mirror, double width, double depth, double x, double z)
{
	double far_x = width - x;
	double far_z = depth - z;
	int n = 1;

	out[0][0] = x;
	out[0][1] = z;
	switch (mirror.kind) {
	case MW_MIRROR_NONE:
		break;
	case MW_MIRROR_X:
		out[n][0] = far_x;
		out[n++][1] = z;
		break;
	case MW_MIRROR_Z:
		out[n][0] = x;
		out[n++][1] = far_z;
		break;
	case MW_MIRROR_POINT:
		out[n][0] = far_x;
		out[n++][1] = far_z;
		break;
	case MW_MIRROR_QUAD:
		out[n][0] = far_x;
		out[n++][1] = z;
		out[n][0] = far_x;
		out[n++][1] = far_z;
		out[n][0] = x;
		out[n++][1] = far_z;
		break;
	case MW_MIRROR_TURN: {
		double mid_x = width / 2;
		double mid_z = depth / 2;
		for (; n < mirror.n; n++) {
			double c, s;
			mw_turn((double)n / mirror.n, &c, &s);
			out[n][0] = mid_x + ((x - mid_x) * c + (z - mid_z) * s);
			out[n][1] = mid_z + ((z - mid_z) * c - (x - mid_x) * s);
		}
		break;
	}
	}
	return n;
}

/* Is (x, z) in the part that the symmetry repeats? */
static bool kept(const mw_scatter_rules *r, double x, double z)
{
	double dx = x - r->width / 2;
	double dz = z - r->depth / 2;
	double c, s;

	switch (r->mirror.kind) {
	case MW_MIRROR_NONE:
		return true;
	case MW_MIRROR_X:
		return dx <= 0;
	case MW_MIRROR_Z:
		return dz <= 0;
	case MW_MIRROR_POINT:
		return dz < 0 || (dz == 0 && dx <= 0);
	case MW_MIRROR_QUAD:
		return dx <= 0 && dz <= 0;
	case MW_MIRROR_TURN:
		break;
	}
	if (r->mirror.n == 2)
		return dz < 0 || (dz == 0 && dx <= 0);
	/* from north, counter-clockwise, to the ray one sector on */
	mw_turn(1.0 / r->mirror.n, &c, &s);
	return dx <= 0 && dx * c - dz * s > 0;
}

static double distance2(const double a[2], const double b[2])
{
	double dx = a[0] - b[0];
	double dz = a[1] - b[1];
	return dx * dx + dz * dz;
}

static int32_t cell_index(double p, double cell, int32_t n)
{
	int32_t i = (int32_t)(p / cell);
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Is an accepted position nearer than the spacing? */
static bool crowded(const search *s, const double at[2])
{
	int32_t ci = cell_index(at[0], s->cell, s->w);
	int32_t cj = cell_index(at[1], s->cell, s->h);
	double spacing2 = s->rules->spacing * s->rules->spacing;

	for (int32_t j = cj > 2 ? cj - 2 : 0; j <= cj + 2 && j < s->h; j++) {
		for (int32_t i = ci > 2 ? ci - 2 : 0; i <= ci + 2 && i < s->w; i++) {
			uint32_t k = s->slot[(size_t)j * (size_t)s->w + (size_t)i];
			if (k == 0)
				continue;
			const double other[2] = {s->points.v[k - 1].x, s->points.v[k - 1].z};
			if (distance2(at, other) < spacing2)
				return true;
		}
	}
	return false;
}

/* Do the rules that know nothing of other positions hold here? Lowers *density. */
static bool allowed(const mw_scatter_rules *r, const double at[2], double *density)
{
	if (!(at[0] >= r->edge && at[0] <= r->width - r->edge && at[1] >= r->edge &&
		    at[1] <= r->depth - r->edge))
		return false;
	for (size_t k = 0; k < r->n_discs; k++) {
		const double centre[2] = {r->discs[k].x, r->discs[k].z};
		if (distance2(at, centre) < r->discs[k].radius * r->discs[k].radius)
			return false;
	}
	for (size_t k = 0; k < r->n_limits; k++) {
		const mw_scatter_limit *l = &r->limits[k];
		double v = mw_field_sample(l->f, l->grid, at[0], at[1]);
		if (!(v >= l->min && v <= l->max))
			return false;
	}
	if (r->density) {
		double v = mw_field_sample(r->density, r->density_grid, at[0], at[1]);
		*density = v < *density ? v : v == v ? *density : 0;
	}
	return true;
}

static double snapped(double p, double grid)
{
	return floor(p / grid + 0.5) * grid;
}

/* The images of (x, z) without repetitions; 0 when a rule speaks against one of them. */
static int orbit_of(const search *s, double (*at)[2], double x, double z, double threshold)
{
	const mw_scatter_rules *r = s->rules;
	double images[MW_MIRROR_TURN_MAX][2];
	int n = mw_scatter_images(images, r->mirror, r->width, r->depth, x, z);
	bool inexact = r->mirror.kind == MW_MIRROR_TURN && r->mirror.n != 2 && r->mirror.n != 4;
	double density = 1;
	int used = 0;

	for (int k = 0; k < n; k++) {
		if (inexact && r->snap > 0) {
			images[k][0] = snapped(images[k][0], r->snap);
			images[k][1] = snapped(images[k][1], r->snap);
		}
		bool again = false;
		for (int m = 0; m < used; m++) {
			double d2 = distance2(images[k], at[m]);
			again = again || d2 == 0;
			if (d2 > 0 && d2 < r->spacing * r->spacing)
				return 0;
		}
		if (again)
			continue;
		if (!allowed(r, images[k], &density) || crowded(s, images[k]))
			return 0;
		at[used][0] = images[k][0];
		at[used++][1] = images[k][1];
	}
	return density > threshold ? used : 0;
}

static mw_code accept(mw_ctx *cx, search *s, double (*at)[2], int n, uint32_t orbit)
{
	for (int k = 0; k < n; k++) {
		mw_scatter_point p = {
			.x = at[k][0], .z = at[k][1], .orbit = orbit, .image = (uint32_t)k};
		if (!MW_PUSH(cx, &s->points, p))
			return MW_ENOMEM;
		size_t cell = (size_t)cell_index(p.z, s->cell, s->h) * (size_t)s->w +
			(size_t)cell_index(p.x, s->cell, s->w);
		s->slot[cell] = (uint32_t)s->points.n;
	}
	return MW_OK;
}

static mw_code draw(mw_ctx *cx, search *s, const uint32_t *order, size_t cells, mw_rng *rng)
{
	const mw_scatter_rules *r = s->rules;
	double grid = r->snap > 0 ? r->snap : 1 / FINE;
	uint64_t salt = mw_rng_u64(rng);
	uint32_t orbit = 0;
	double at[MW_MIRROR_TURN_MAX][2];

	size_t rounds = DRAWS / cells;
	rounds = rounds < ROUNDS_MIN ? ROUNDS_MIN : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
	for (size_t round = 0; round < rounds; round++) {
		for (size_t k = 0; k < cells; k++) {
			double ux = mw_rng_unit(rng);
			double uz = mw_rng_unit(rng);
			if (s->slot[order[k]] != 0)
				continue;
			/* the last cells hang over the map: no draw is spent there */
			double i = order[k] % (uint32_t)s->w;
			double j = order[k] / (uint32_t)s->w;
			double x =
				snapped((i + ux * fmin(1, r->width / s->cell - i)) * s->cell, grid);
			double z =
				snapped((j + uz * fmin(1, r->depth / s->cell - j)) * s->cell, grid);
			if (!kept(r, x, z))
				continue;
			/* one threshold for a cell in all rounds, so that thin places stay thin */
			double threshold =
				(double)(mw_mix64(salt ^ order[k]) >> 11) / 9007199254740992.0;
			int n = orbit_of(s, at, x, z, threshold);
			if (n == 0 || (r->count > 0 && s->points.n + (size_t)n > r->count))
				continue;
			mw_code code = accept(cx, s, at, n, orbit++);
			if (code != MW_OK)
				return code;
			if (r->count > 0 && s->points.n == r->count)
				return MW_OK;
		}
	}
	return MW_OK;
}

static bool positive(double x)
{
	return x > 0 && x - x == 0;
}

static mw_code check_rules(mw_ctx *cx, const mw_scatter_rules *r)
{
	if (!positive(r->width) || !positive(r->depth))
		return mw_fail(cx, MW_EINVALID, "a map of %g x %g elmos", r->width, r->depth);
	if (!positive(r->spacing))
		return mw_fail(cx, MW_EINVALID, "a spacing of %g elmos", r->spacing);
	if (!(r->edge >= 0) || !(r->snap >= 0) || !(r->snap <= r->width + r->depth))
		return mw_fail(
			cx, MW_EINVALID, "an edge of %g and a grid of %g elmos", r->edge, r->snap);
	if (r->mirror.kind == MW_MIRROR_TURN &&
		(r->mirror.n < 2 || r->mirror.n > MW_MIRROR_TURN_MAX))
		return mw_fail(cx, MW_ERANGE, "a symmetry of %d sectors is outside 2..%d",
			r->mirror.n, MW_MIRROR_TURN_MAX);
	for (size_t k = 0; k < r->n_discs; k++) {
		const mw_scatter_disc *d = &r->discs[k];
		if (!(d->radius >= 0) || d->x - d->x != 0 || d->z - d->z != 0)
			return mw_fail(cx, MW_EINVALID, "disc %zu to avoid is not usable", k + 1);
	}
	return MW_OK;
}

mw_code mw_scatter(mw_ctx *cx, mw_scatter_point **points, size_t *n, const mw_scatter_rules *rules)
{
	*points = NULL;
	*n = 0;
	mw_code code = check_rules(cx, rules);
	if (code != MW_OK)
		return code;
	/* A square of this side has a diagonal just below the spacing: one point a cell. */
	search s = {.rules = rules, .cell = rules->spacing * 0.7071};
	double across = floor(rules->width / s.cell) + 1;
	double down = floor(rules->depth / s.cell) + 1;
	if (!(across * down <= CELLS_MAX))
		return mw_fail(cx, MW_ELIMIT,
			"a spacing of %g is too small for a map of %g x %g elmos", rules->spacing,
			rules->width, rules->depth);
	s.w = (int32_t)across;
	s.h = (int32_t)down;
	size_t cells = (size_t)s.w * (size_t)s.h;
	uint32_t *order = mw_alloc_n(cx, cells, sizeof *order);
	s.slot = mw_zalloc_n(cx, cells, sizeof *s.slot);
	code = MW_ENOMEM;
	if (order && s.slot) {
		mw_rng rng;
		mw_rng_init(&rng, rules->seed, "scatter");
		for (size_t k = 0; k < cells; k++) { /* shuffled while it is written */
			size_t other = (size_t)mw_rng_below(&rng, k + 1);
			order[k] = order[other];
			order[other] = (uint32_t)k;
		}
		code = draw(cx, &s, order, cells, &rng);
	}
	mw_free(cx, order);
	mw_free(cx, s.slot);
	if (code != MW_OK) {
		mw_free(cx, s.points.v);
		return code;
	}
	*points = s.points.v;
	*n = s.points.n;
	return MW_OK;
}

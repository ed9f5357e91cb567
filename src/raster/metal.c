#include "raster/metal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

/* One cell of a dome. The keys order cells the same way in every image of the dome. */
typedef struct {
	int32_t i, j;
	double d2;        /* squared distance from the spot */
	double far, near; /* larger and smaller distance from the map's middle along an axis */
	double turn;      /* which side of the line from the middle to the spot, or |x| */
	double side;      /* the same side for a spot on an axis of a point-symmetric map, or 0 */
	double weight;    /* of the dome's profile */
	uint32_t byte;
	bool reached; /* by an extractor on the spot */
} cell;

typedef struct {
	cell *v;
	size_t n;
	size_t reached;
} dome;

static int by_place(const void *pa, const void *pb, void *ud)
{
	const cell *a = pa;
	const cell *b = pb;

	MW_UNUSED(ud);
	const double keys[][2] = {{a->d2, b->d2}, {a->far, b->far}, {a->near, b->near},
		{a->turn, b->turn}, {a->side, b->side}, {a->j, b->j}, {a->i, b->i}};
	for (size_t k = 0; k < MW_COUNTOF(keys); k++) {
		if (keys[k][0] != keys[k][1])
			return keys[k][0] < keys[k][1] ? -1 : 1;
	}
	return 0;
}

double mw_metal_snap(double position, double size)
{
	double unit = position / MW_METAL_CELL;
	double low = floor(unit);
	double rest = unit - low;
	bool up = rest > 0.5 || (rest == 0.5 && 2 * position < size);
	return (low + (up ? 1 : 0)) * MW_METAL_CELL;
}

/* First and last cell whose centre can be within radius of position. */
static void cell_range(double position, double radius, int32_t n, int32_t *first, int32_t *last)
{
	double low = floor((position - radius) / MW_METAL_CELL);
	double high = floor((position + radius) / MW_METAL_CELL);
	*first = low > 0 ? (low < n ? (int32_t)low : n) : 0;
	*last = high < n - 1 ? (high >= 0 ? (int32_t)high : -1) : n - 1;
}

double mw_metal_yield(const uint8_t *bytes, int32_t w, int32_t h, double x, double z, double radius,
	double max_metal)
{
	double r2 = radius * radius;
	uint64_t sum = 0;
	int32_t i0, i1, j0, j1;

	cell_range(x, radius, w, &i0, &i1);
	cell_range(z, radius, h, &j0, &j1);
	for (int32_t j = j0; j <= j1; j++) {
		double dz = j * MW_METAL_CELL + MW_METAL_CELL / 2.0 - z;
		for (int32_t i = i0; i <= i1; i++) {
			double dx = i * MW_METAL_CELL + MW_METAL_CELL / 2.0 - x;
			if (dx * dx + dz * dz < r2)
				sum += bytes[(size_t)j * (size_t)w + (size_t)i];
		}
	}
	return (double)sum * max_metal / 1000;
}

/* The cells of a dome in order of place, those in reach and their weights known. */
static mw_code find_cells(mw_ctx *cx, dome *out, int32_t w, int32_t h, const mw_metal_site *site,
	const mw_metal_spot *spot, const mw_metal_rules *rules)
{
	double r2 = spot->radius * spot->radius;
	double reach2 = rules->extractor_radius * rules->extractor_radius;
	double mid_x = w * (MW_METAL_CELL / 2.0);
	double mid_z = h * (MW_METAL_CELL / 2.0);
	MW_ARRAY(cell) cells = {0};

	int32_t i0, i1, j0, j1;
	cell_range(site->x, spot->radius, w, &i0, &i1);
	cell_range(site->z, spot->radius, h, &j0, &j1);
	for (int32_t j = j0; j <= j1; j++) {
		for (int32_t i = i0; i <= i1; i++) {
			double x = i * MW_METAL_CELL + MW_METAL_CELL / 2.0;
			double z = j * MW_METAL_CELL + MW_METAL_CELL / 2.0;
			double dx = x - site->x;
			double dz = z - site->z;
			double d2 = dx * dx + dz * dz;
			if (!(d2 < r2))
				continue;
			double ax = fabs(x - mid_x);
			double az = fabs(z - mid_z);
			double fall = 1 - d2 / r2;
			double cross = (site->x - mid_x) * dz - (site->z - mid_z) * dx;
			cell c = {.i = i,
				.j = j,
				.d2 = d2,
				.far = fmax(ax, az),
				.near = fmin(ax, az),
				.turn = rules->mirror.kind == MW_MIRROR_TURN ? cross : ax,
				.side = rules->mirror.kind == MW_MIRROR_POINT ? cross : 0,
				.weight = fall * fall,
				.reached = d2 < reach2};
			if (!MW_PUSH(cx, &cells, c)) {
				mw_free(cx, cells.v);
				return MW_ENOMEM;
			}
			out->reached += c.reached;
		}
	}
	out->v = cells.v;
	out->n = cells.n;
	return out->n > 0 ? mw_sort(cx, out->v, out->n, sizeof *out->v, by_place, NULL) : MW_OK;
}

/* One past the last cell at the same distance as cell k. */
static size_t ring_end(const dome *d, size_t k)
{
	size_t end = k + 1;
	while (end < d->n && d->v[end].d2 == d->v[k].d2)
		end++;
	return end;
}

/* The cell of the ring first..end opposite to cell k, or end. */
static size_t opposite(const dome *d, size_t k, size_t first, size_t end, const mw_metal_site *site)
{
	double x = 2 * site->x - (d->v[k].i * MW_METAL_CELL + MW_METAL_CELL / 2.0);
	double z = 2 * site->z - (d->v[k].j * MW_METAL_CELL + MW_METAL_CELL / 2.0);
	for (size_t m = first; m < end; m++) {
		if (d->v[m].i * MW_METAL_CELL + MW_METAL_CELL / 2.0 == x &&
			d->v[m].j * MW_METAL_CELL + MW_METAL_CELL / 2.0 == z)
			return m;
	}
	return end;
}

/* Raise whole rings by one, those that lost most to rounding first, while what is left allows. */
static uint64_t raise_rings(dome *d, double scale, uint64_t left, bool *raised)
{
	for (;;) {
		size_t best = d->n;
		double most = -1;
		for (size_t k = 0; k < d->reached; k = ring_end(d, k)) {
			double ideal = d->v[k].weight * scale;
			double lost = ideal - floor(ideal);
			if (!raised[k] && d->v[k].byte < 255 && ring_end(d, k) - k <= left &&
				lost > most) {
				most = lost;
				best = k;
			}
		}
		if (best == d->n)
			return left;
		raised[best] = true;
		for (size_t k = best; k < ring_end(d, best); k++) {
			d->v[k].byte++;
			left--;
		}
	}
}

/* Give less than a ring to the innermost cells with room, in opposite pairs, so that the dome's
 * centre of mass stays on the spot. */
static void raise_cells(dome *d, const mw_metal_site *site, uint64_t left, bool *raised)
{
	size_t first = 0;
	while (left > 0) {
		size_t end = ring_end(d, first);
		size_t k = first;
		while (k < end && (raised[k] || d->v[k].byte >= 255))
			k++;
		if (k == end) { /* once more round, or outwards when the ring is full */
			if (d->v[first].byte >= 255)
				first = end < d->reached ? end : 0;
			memset(raised, 0, d->n * sizeof *raised);
			continue;
		}
		size_t pair[2] = {k, opposite(d, k, first, end, site)};
		for (int m = 0; m < 2 && left > 0; m++) {
			if (pair[m] < end && !raised[pair[m]]) {
				raised[pair[m]] = true;
				d->v[pair[m]].byte++;
				left--;
			}
		}
	}
}

/* Give the cells in reach bytes in proportion to their weights that sum to total. */
static mw_code share_out(mw_ctx *cx, dome *d, const mw_metal_site *site, double total)
{
	double weights = 0;
	uint64_t given = 0;

	for (size_t k = 0; k < d->reached; k++)
		weights += d->v[k].weight;
	double scale = total / weights;
	for (size_t k = 0; k < d->n; k++) {
		d->v[k].byte = (uint32_t)(d->v[k].weight * scale);
		given += k < d->reached ? d->v[k].byte : 0;
	}
	while (given > (uint64_t)total) { /* a product just below a whole number came out above */
		size_t k = 0;
		while (d->v[k].byte == 0)
			k++;
		d->v[k].byte--;
		given--;
	}
	bool *raised = mw_zalloc_n(cx, d->n, sizeof *raised);
	if (!raised)
		return MW_ENOMEM;
	uint64_t left = raise_rings(d, scale, (uint64_t)total - given, raised);
	memset(raised, 0, d->n * sizeof *raised);
	raise_cells(d, site, left, raised);
	mw_free(cx, raised);
	return MW_OK;
}

static uint32_t highest(const dome *d)
{
	uint32_t high = 0;
	for (size_t k = 0; k < d->n; k++)
		high = d->v[k].byte > high ? d->v[k].byte : high;
	return high;
}

/* The largest sum whose bytes stay within 255. */
static double most_possible(const dome *d)
{
	double weights = 0;
	for (size_t k = 0; k < d->reached; k++)
		weights += d->v[k].weight;
	return floor(255 * weights / d->v[0].weight);
}

static mw_code check_spot(mw_ctx *cx, size_t number, const mw_metal_spot *s, int32_t w, int32_t h)
{
	double wide = (double)w * MW_METAL_CELL;
	double high = (double)h * MW_METAL_CELL;

	if (!(s->x >= 0 && s->x <= wide && s->z >= 0 && s->z <= high))
		return mw_fail(cx, MW_ERANGE,
			"metal spot %zu at (%g, %g) is outside the map (0..%g, 0..%g elmos)",
			number, s->x, s->z, wide, high);
	if (!(s->radius > 0 && s->radius <= 1e6))
		return mw_fail(cx, MW_EINVALID,
			"metal spot %zu: a radius of %g elmos is outside 0..1e6", number,
			s->radius);
	if (!(s->metal >= 0 && s->metal <= 1e6))
		return mw_fail(cx, MW_EINVALID, "metal spot %zu: metal %g is outside 0..1e6",
			number, s->metal);
	return MW_OK;
}

static mw_code make_dome(mw_ctx *cx, dome *d, mw_metal_site *site, size_t number,
	const mw_metal_spot *s, int32_t w, int32_t h, const mw_metal_rules *rules)
{
	mw_code code = check_spot(cx, number, s, w, h);
	if (code != MW_OK)
		return code;
	*site = (mw_metal_site){.x = s->x, .z = s->z};
	if (s->snap) {
		site->x = mw_metal_snap(s->x, (double)w * MW_METAL_CELL);
		site->z = mw_metal_snap(s->z, (double)h * MW_METAL_CELL);
	} else {
		/* fine enough for anyone, and exact in both halves of the map */
		site->x = floor(s->x * 256 + 0.5) / 256;
		site->z = floor(s->z * 256 + 0.5) / 256;
	}
	code = find_cells(cx, d, w, h, site, s, rules);
	if (code != MW_OK)
		return code;
	double total = floor(s->metal * 1000 / rules->max_metal + 0.5);
	if (total == 0)
		return MW_OK;
	if (d->reached == 0)
		return mw_fail(cx, MW_ERANGE,
			"metal spot %zu at (%g, %g): no cell centre is within its radius of %g and "
			"the "
			"extractor's of %g; 12 is enough where cells meet",
			number, site->x, site->z, s->radius, rules->extractor_radius);
	double most = most_possible(d);
	if (total > most)
		return mw_fail(cx, MW_ERANGE,
			"metal spot %zu at (%g, %g): %g metal needs a byte above 255; with a "
			"radius of %g "
			"and maxMetal %g it can give at most %g",
			number, site->x, site->z, s->metal, s->radius, rules->max_metal,
			most * rules->max_metal / 1000);
	code = share_out(cx, d, site, total);
	if (code != MW_OK)
		return code;
	for (size_t k = 0; k < d->n; k++) {
		if (d->v[k].reached)
			site->sum += d->v[k].byte;
		else
			site->beyond += d->v[k].byte;
	}
	site->peak = (uint8_t)highest(d);
	site->alone = (double)site->sum * rules->max_metal / 1000;
	return MW_OK;
}

/* What of the dome d an extractor at (x, z) gets. */
static double dome_yield(const dome *d, double x, double z, const mw_metal_rules *rules)
{
	double r2 = rules->extractor_radius * rules->extractor_radius;
	uint64_t sum = 0;

	for (size_t k = 0; k < d->n; k++) {
		double dx = d->v[k].i * MW_METAL_CELL + MW_METAL_CELL / 2.0 - x;
		double dz = d->v[k].j * MW_METAL_CELL + MW_METAL_CELL / 2.0 - z;
		if (dx * dx + dz * dz < r2)
			sum += d->v[k].byte;
	}
	return (double)sum * rules->max_metal / 1000;
}

static mw_code find_overlaps(mw_ctx *cx, mw_metal_overlap **out, size_t *n_out, const dome *domes,
	const mw_metal_site *sites, const mw_metal_spot *spots, size_t n,
	const mw_metal_rules *rules)
{
	MW_ARRAY(mw_metal_overlap) found = {0};

	for (size_t a = 0; a < n; a++) {
		for (size_t b = a + 1; b < n; b++) {
			double dx = sites[a].x - sites[b].x;
			double dz = sites[a].z - sites[b].z;
			double widest = fmax(spots[a].radius, spots[b].radius);
			double near = widest + fmax(widest, rules->extractor_radius);
			if (dx * dx + dz * dz >= near * near)
				continue;
			mw_metal_overlap o = {.a = (uint32_t)a,
				.b = (uint32_t)b,
				.a_gets = dome_yield(&domes[b], sites[a].x, sites[a].z, rules),
				.b_gets = dome_yield(&domes[a], sites[b].x, sites[b].z, rules)};
			for (size_t k = 0; k < domes[a].n; k++) {
				const cell *p = &domes[a].v[k];
				for (size_t m = 0; p->byte > 0 && m < domes[b].n; m++) {
					const cell *q = &domes[b].v[m];
					o.cells += q->byte > 0 && p->i == q->i && p->j == q->j;
				}
			}
			if (o.cells == 0 && o.a_gets == 0 && o.b_gets == 0)
				continue;
			if (!MW_PUSH(cx, &found, o)) {
				mw_free(cx, found.v);
				return MW_ENOMEM;
			}
		}
	}
	*out = found.v;
	*n_out = found.n;
	return MW_OK;
}

/* Add a dome to the map; MW_ERANGE naming the cell and both spots where a byte would pass 255. */
static mw_code lay(mw_ctx *cx, uint8_t *bytes, int32_t w, const dome *domes,
	const mw_metal_site *sites, size_t s)
{
	for (size_t k = 0; k < domes[s].n; k++) {
		const cell *c = &domes[s].v[k];
		uint8_t *byte = bytes + (size_t)c->j * (size_t)w + (size_t)c->i;
		if (*byte + c->byte <= 255) {
			*byte = (uint8_t)(*byte + c->byte);
			continue;
		}
		for (size_t o = 0; o < s; o++) {
			for (size_t m = 0; m < domes[o].n; m++) {
				const cell *q = &domes[o].v[m];
				if (q->i == c->i && q->j == c->j && q->byte > 0)
					return mw_fail(cx, MW_ERANGE,
						"metal spots %zu at (%g, %g) and %zu at (%g, %g) "
						"overlap: "
						"cell (%d, %d) would hold %u, 255 is the most",
						o + 1, sites[o].x, sites[o].z, s + 1, sites[s].x,
						sites[s].z, c->i, c->j, *byte + c->byte);
			}
		}
		return mw_fail(cx, MW_ERANGE,
			"metal spot %zu at (%g, %g): cell (%d, %d) already holds %u and would hold "
			"%u, "
			"255 is the most",
			s + 1, sites[s].x, sites[s].z, c->i, c->j, *byte, *byte + c->byte);
	}
	return MW_OK;
}

mw_code mw_metal_domes(mw_ctx *cx, uint8_t *bytes, int32_t w, int32_t h, mw_metal_site *sites,
	mw_metal_overlap **overlaps, size_t *n_overlaps, const mw_metal_spot *spots, size_t n,
	const mw_metal_rules *rules)
{
	if (!(rules->max_metal > 0 && rules->max_metal <= 1e6))
		return mw_fail(cx, MW_EINVALID, "maxMetal %g is outside 0..1e6", rules->max_metal);
	if (!(rules->extractor_radius > 0 && rules->extractor_radius <= 1e6))
		return mw_fail(cx, MW_EINVALID, "extractorRadius %g is outside 0..1e6",
			rules->extractor_radius);

	size_t cells = (size_t)w * (size_t)h;
	mw_metal_overlap *found = NULL;
	size_t n_found = 0;
	mw_code code = MW_ENOMEM;
	dome *domes = mw_zalloc_n(cx, n, sizeof *domes);
	uint8_t *laid = mw_alloc(cx, cells);
	if (!domes || !laid)
		goto done;
	memcpy(laid, bytes, cells);
	code = MW_OK;
	for (size_t s = 0; s < n && code == MW_OK; s++) {
		code = make_dome(cx, &domes[s], &sites[s], s + 1, &spots[s], w, h, rules);
		if (code == MW_OK)
			code = lay(cx, laid, w, domes, sites, s);
	}
	if (code == MW_OK && overlaps)
		code = find_overlaps(cx, &found, &n_found, domes, sites, spots, n, rules);
	if (code != MW_OK)
		goto done;
	memcpy(bytes, laid, cells);
	for (size_t s = 0; s < n; s++)
		sites[s].metal = mw_metal_yield(bytes, w, h, sites[s].x, sites[s].z,
			rules->extractor_radius, rules->max_metal);
	if (overlaps) {
		*overlaps = found;
		*n_overlaps = n_found;
	}
done:
	for (size_t s = 0; domes && s < n; s++)
		mw_free(cx, domes[s].v);
	mw_free(cx, domes);
	mw_free(cx, laid);
	return code;
}

/* Body of the source kernels, in the words of lanes.h; included by source_kern.c, source_sse41.c
 * and source_avx2.c. */
#include "raster/lanes.h"
#include "raster/source_internal.h"

/* ---- a ^ b: exp2(b log2 a) in double, so that the float is within one unit in the last place ----
 */

static inline uint64_t bits64(double a)
{
	uint64_t u;
	memcpy(&u, &a, sizeof u);
	return u;
}

static inline double from_bits64(uint64_t u)
{
	double a;
	memcpy(&a, &u, sizeof a);
	return a;
}

#define SHIFT52                                                                                    \
	6755399441055744.0 /* 1.5 * 2^52: adding it leaves a whole number in the low bits          \
			    */

/* x: positive, finite, at least the smallest float. Relative error below 2e-12. */
static inline double log2_of(double x)
{
	uint64_t u = bits64(x);
	/* Exponent that leaves a mantissa in sqrt(1/2)..sqrt(2). */
	uint64_t e = ((u - 0x3fe6a09e667f3bcdu + ((uint64_t)1024 << 52)) >> 52) - 1024;
	double m = from_bits64(u - (e << 52));
	double exponent = from_bits64(bits64(SHIFT52) + e) - SHIFT52;
	double s = (m - 1.0) / (m + 1.0), q = s * s;
	double p = 2.8853900817779268 / 17.0;
	p = p * q + 2.8853900817779268 / 15.0;
	p = p * q + 2.8853900817779268 / 13.0;
	p = p * q + 2.8853900817779268 / 11.0;
	p = p * q + 2.8853900817779268 / 9.0;
	p = p * q + 2.8853900817779268 / 7.0;
	p = p * q + 2.8853900817779268 / 5.0;
	p = p * q + 2.8853900817779268 / 3.0;
	p = p * q + 2.8853900817779268;
	return exponent + s * p;
}

/* Clamped to 2^-300..2^300, which is 0 and infinity in float. Relative error below 1e-13. */
static inline double exp2_of(double y)
{
	y = y > -300.0 ? y : -300.0;
	y = y < 300.0 ? y : 300.0;
	double t = y + SHIFT52;
	double f = (y - (t - SHIFT52)) * 0.69314718055994531;
	double p = 1.0 / 39916800.0;
	p = p * f + 1.0 / 3628800.0;
	p = p * f + 1.0 / 362880.0;
	p = p * f + 1.0 / 40320.0;
	p = p * f + 1.0 / 5040.0;
	p = p * f + 1.0 / 720.0;
	p = p * f + 1.0 / 120.0;
	p = p * f + 1.0 / 24.0;
	p = p * f + 1.0 / 6.0;
	p = p * f + 0.5;
	p = p * f + 1.0;
	p = p * f + 1.0;
	return p * from_bits64((bits64(t) + 1023) << 52);
}

/* The magnitude only needs a sane |a|; zero, infinity, NaN and the sign are put in afterwards. */
static inline float power(float base, float exponent)
{
	float size = base < 0 ? -base : base;
	float sane = size > 1e-45f ? size : 1e-45f;
	sane = sane < 3.4028235e38f ? sane : 3.4028235e38f;
	float r = (float)exp2_of((double)exponent * log2_of((double)sane));
	float zero = exponent > 0 ? 0.0f : INFINITY;
	float infinite = exponent > 0 ? INFINITY : 0.0f;
	r = size == 0.0f ? zero : r;
	r = size == INFINITY ? infinite : r;
	/* From 2^24 on every float is even. */
	float half = exponent * 0.5f;
	bool whole = floorf(exponent) == exponent;
	bool odd = whole && floorf(half) != half;
	r = base < 0 && odd ? -r : r;
	r = base < 0 && !whole && size != INFINITY ? NAN : r;
	/* An infinite exponent: towards 0, 1 or infinity by the size of a. */
	if (exponent - exponent != 0.0f && exponent == exponent) {
		float grows = exponent > 0 ? INFINITY : 0.0f,
		      shrinks = exponent > 0 ? 0.0f : INFINITY;
		r = size > 1.0f ? grows : size < 1.0f ? shrinks : 1.0f;
	}
	r = base != base || exponent != exponent ? NAN : r;
	return exponent == 0.0f || base == 1.0f ? 1.0f : r;
}

/* ---- lane by lane ------------------------------------------------------------------------------
 */

static inline vf smoothstep(vf a, vf low, vf high)
{
	vf t = vf_div(vf_sub(a, low), vf_sub(high, low));
	t = vf_min(vf_max(t, vf_set(0.0f)), vf_set(1.0f));
	return vf_mul(vf_mul(t, t), vf_sub(vf_set(3.0f), vf_mul(vf_set(2.0f), t)));
}

static inline vf terrace(vf a, vf step, vf offset, vf soften)
{
	vf u = vf_div(vf_sub(a, offset), step);
	vf whole = vf_floor(u);
	vf t = smoothstep(vf_sub(u, whole), vf_sub(vf_set(1.0f), soften), vf_set(1.0f));
	return vf_add(vf_mul(vf_add(whole, t), step), offset);
}

/* As in field_mirror.c: 1 well inside, 1/2 on the seam, 0 beyond. */
static inline vf seam(vf d, vf soften)
{
	vf t = vf_min(vf_max(vf_div(d, soften), vf_set(-1.0f)), vf_set(1.0f));
	vf slope = vf_sub(vf_set(0.75f), vf_mul(vf_set(0.25f), vf_mul(t, t)));
	return vf_add(vf_set(0.5f), vf_mul(t, slope));
}

/* The side of a point symmetry that is kept: north, and the west half of the middle row. */
static inline vm turned_half(vf dx, vf dz)
{
	vf zero = vf_set(0.0f);
	return vm_or(vf_lt(zero, dz), vm_and(vf_eq(dz, zero), vf_lt(zero, dx)));
}

static inline vf point_x(vf x, vf z, vf cx, vf cz)
{
	vf d = vf_sub(x, cx);
	return vf_add(cx, vf_select(turned_half(d, vf_sub(z, cz)), vf_neg(d), d));
}

static inline vf point_z(vf x, vf z, vf cx, vf cz)
{
	vf d = vf_sub(z, cz);
	return vf_add(cz, vf_select(turned_half(vf_sub(x, cx), d), vf_neg(d), d));
}

#define A vf_load(a + i)
#define B vf_load(b + i)
#define C vf_load(c + i)
#define K(j) vf_set(k[j])
#define LOOP(expression)                                                                           \
	for (size_t i = 0; i < n; i += MW_LANES)                                                   \
		vf_store(d + i, (expression));                                                     \
	break

static void apply(
	int op, float *d, const float *a, const float *b, const float *c, const float *k, size_t n)
{
	switch (op) {
	case MW_OP_ADD:
		LOOP(vf_add(A, B));
	case MW_OP_SUB:
		LOOP(vf_sub(A, B));
	case MW_OP_MUL:
		LOOP(vf_mul(A, B));
	case MW_OP_DIV:
		LOOP(vf_div(A, B));
	case MW_OP_MIN:
		LOOP(vf_min(A, B));
	case MW_OP_MAX:
		LOOP(vf_max(A, B));
	case MW_OP_POW:
		for (size_t i = 0; i < n; i++)
			d[i] = power(a[i], b[i]);
		break;
	case MW_OP_STEP:
		LOOP(vf_select(vf_ge(A, B), vf_set(1.0f), vf_set(0.0f)));
	case MW_OP_ABS:
		LOOP(vf_abs(A));
	case MW_OP_NEG:
		LOOP(vf_neg(A));
	case MW_OP_SQRT:
		LOOP(vf_sqrt(A));
	case MW_OP_FLOOR:
		LOOP(vf_floor(A));
	case MW_OP_CLAMP:
		LOOP(vf_min(vf_max(A, B), C));
	case MW_OP_LERP:
		LOOP(vf_lerp(A, B, C));
	case MW_OP_SMOOTHSTEP:
		LOOP(smoothstep(A, B, C));
	case MW_OP_SELECT:
		LOOP(vf_select(vf_lt(vf_set(0.0f), A), B, C));
	case VALUE_AFFINE:
		LOOP(vf_add(vf_mul(A, K(0)), K(1)));
	case VALUE_FOLD:
		LOOP(vf_sub(K(0), vf_abs(vf_sub(A, K(0)))));
	case VALUE_POINT_X:
		LOOP(point_x(A, B, K(0), K(1)));
	case VALUE_POINT_Z:
		LOOP(point_z(A, B, K(0), K(1)));
	case VALUE_SEAM:
		LOOP(seam(A, K(0)));
	case VALUE_TERRACE:
		LOOP(terrace(A, K(0), K(1), K(2)));
	default:
		MW_ASSERT(false);
	}
}

static void curve(const mw__curve *table, float *d, const float *a, size_t n)
{
	for (size_t i = 0; i < n; i += MW_LANES) {
		vf v = A, from = vf_set(table->x[0]);
		vf c0 = vf_set(table->c[0][0]), c1 = vf_set(table->c[0][1]);
		vf c2 = vf_set(table->c[0][2]), c3 = vf_set(table->c[0][3]);
		for (size_t s = 1; s < table->n; s++) {
			vf x = vf_set(table->x[s]);
			vm on = vf_ge(v, x);
			if (!vm_any(on))
				break;
			from = vf_select(on, x, from);
			c0 = vf_select(on, vf_set(table->c[s][0]), c0);
			c1 = vf_select(on, vf_set(table->c[s][1]), c1);
			c2 = vf_select(on, vf_set(table->c[s][2]), c2);
			c3 = vf_select(on, vf_set(table->c[s][3]), c3);
		}
		vf t = vf_sub(v, from);
		t = vf_select(vf_lt(v, vf_set(table->x[0])), vf_set(0.0f), t);
		/* Beyond the last point the slope is zero, but zero times infinity is not. */
		t = vf_select(vf_ge(v, vf_set(table->x[table->n - 1])), vf_set(0.0f), t);
		vf r = vf_add(c2, vf_mul(t, c3));
		r = vf_add(c1, vf_mul(t, r));
		vf_store(d + i, vf_add(c0, vf_mul(t, r)));
	}
}

static void turn(const mw__turn *t, const float centre[2], bool want_z, float *d, const float *x,
	const float *z, size_t n)
{
	vf zero = vf_set(0.0f), cx = vf_set(centre[0]), cz = vf_set(centre[1]);
	vf edge_c = vf_set(t->cosine[1]), edge_s = vf_set(t->sine[1]);
	for (size_t i = 0; i < n; i += MW_LANES) {
		vf dx = vf_sub(vf_load(x + i), cx), dz = vf_sub(vf_load(z + i), cz);
		vf rx = dx, rz = dz;
		vm done = vm_none();
		for (int k = 0; k < t->n; k++) {
			vf c = vf_set(t->cosine[k]), s = vf_set(t->sine[k]);
			vf px = vf_sub(vf_mul(dx, c), vf_mul(dz, s));
			vf pz = vf_add(vf_mul(dx, s), vf_mul(dz, c));
			/* From north by west, the far edge excluded. */
			vf before = vf_sub(vf_mul(px, edge_c), vf_mul(pz, edge_s));
			vm in = vm_and(vf_ge(zero, px), vf_lt(zero, before));
			vm now = vm_xor(in, vm_and(in, done));
			rx = vf_select(now, px, rx);
			rz = vf_select(now, pz, rz);
			done = vm_or(done, in);
		}
		vf_store(d + i, want_z ? vf_add(cz, rz) : vf_add(cx, rx));
	}
}

/* ---- grids -------------------------------------------------------------------------------------
 */

/* Zero, or NaN where a coordinate is not finite. */
static inline vf bad(vf x, vf z)
{
	return vf_add(vf_sub(x, x), vf_sub(z, z));
}

/* Bring u to 0..count-1 (clamp) or 0..count (wrap), whatever it was. */
static inline vf into_grid(vf u, float count, mw_edge edge)
{
	if (edge == MW_EDGE_CLAMP)
		return vf_min(vf_max(u, vf_set(0.0f)), vf_set(count - 1.0f));
	u = vf_sub(u, vf_mul(vf_floor(vf_div(u, vf_set(count))), vf_set(count)));
	return vf_min(vf_max(u, vf_set(0.0f)), vf_set(count));
}

/* Index after i, as the edge says. i: 0..count-1, whole. */
static inline vf next_in_grid(vf i, float count, mw_edge edge)
{
	vf next = vf_add(i, vf_set(1.0f));
	vf last = edge == MW_EDGE_CLAMP ? vf_set(count - 1.0f) : vf_set(0.0f);
	return vf_select(vf_lt(next, vf_set(count)), next, last);
}

static inline vf fetch(const mw__grid *g, vf i, vf j)
{
	vi index = vi_add(vi_mul(vf_to_int(j), vi_set((uint32_t)g->w)), vf_to_int(i));
	return vf_gather(g->v, index);
}

static void grid(const mw__grid *g, float *d, const float *x, const float *z, size_t n)
{
	float w = (float)g->w, h = (float)g->h;
	for (size_t i = 0; i < n; i += MW_LANES) {
		vf px = vf_load(x + i), pz = vf_load(z + i);
		vf u = vf_mul(vf_sub(px, vf_set(g->x0)), vf_set(g->inverse_dx));
		vf v = vf_mul(vf_sub(pz, vf_set(g->z0)), vf_set(g->inverse_dz));
		vf r;
		if (g->filter == MW_FILTER_NEAREST) {
			u = vf_floor(into_grid(vf_add(u, vf_set(0.5f)), w, g->edge));
			v = vf_floor(into_grid(vf_add(v, vf_set(0.5f)), h, g->edge));
			r = fetch(g, vf_min(u, vf_set(w - 1.0f)), vf_min(v, vf_set(h - 1.0f)));
		} else {
			u = into_grid(u, w, g->edge);
			v = into_grid(v, h, g->edge);
			vf i0 = vf_min(vf_floor(u), vf_set(w - 1.0f));
			vf j0 = vf_min(vf_floor(v), vf_set(h - 1.0f));
			vf i1 = next_in_grid(i0, w, g->edge), j1 = next_in_grid(j0, h, g->edge);
			vf fx = vf_sub(u, i0), fz = vf_sub(v, j0);
			vf west = vf_lerp(fetch(g, i0, j0), fetch(g, i0, j1), fz);
			vf east = vf_lerp(fetch(g, i1, j0), fetch(g, i1, j1), fz);
			r = vf_lerp(west, east, fx);
		}
		vf_store(d + i, vf_add(r, bad(px, pz)));
	}
}

/* The columns of the grid that a block meets, and where its samples lie between them. */
static bool meet_columns(const mw__grid *g, const float *x, size_t w, mw__grid_scratch *s)
{
	float count = (float)g->w;
	int32_t low = INT32_MAX, high = 0;
	for (size_t i = 0; i < w; i += MW_LANES) {
		vf px = vf_load(x + i);
		vf u = vf_mul(vf_sub(px, vf_set(g->x0)), vf_set(g->inverse_dx));
		u = into_grid(u, count, g->edge);
		vf i0 = vf_min(vf_floor(u), vf_set(count - 1.0f));
		vi c = vf_to_int(i0);
		int32_t a = vi_hmin(c), b = vi_hmax(c);
		if (b - a >= MW_LANES)
			return false;
		low = a < low ? a : low;
		high = b > high ? b : high;
		vf_store(s->fraction + i, vf_sub(u, i0));
		vf_store(s->bad + i, vf_sub(px, px));
		s->first[i / MW_LANES] = a;
		vi_store(s->control + i, vc_make(vi_add(c, vi_set(0u - (uint32_t)a))));
	}
	if (high - low >= BLOCK_W)
		return false;
	for (size_t i = 0; i < w / MW_LANES; i++)
		s->first[i] -= low;
	s->low = (size_t)low;
	s->cells = (size_t)(high - low) + 1;
	return true;
}

static void meet_rows(const mw__grid *g, const float *z, size_t h, mw__grid_scratch *s)
{
	float count = (float)g->h;
	for (size_t j = 0; j < h; j += MW_LANES) {
		vf pz = vf_load(z + j);
		vf v = vf_mul(vf_sub(pz, vf_set(g->z0)), vf_set(g->inverse_dz));
		v = into_grid(v, count, g->edge);
		vf j0 = vf_min(vf_floor(v), vf_set(count - 1.0f));
		vf_store(s->zfraction + j, vf_sub(v, j0));
		vf_store(s->zbad + j, vf_sub(pz, pz));
		vi_store(s->north + j, vf_to_int(j0));
		vi_store(s->south + j, vf_to_int(next_in_grid(j0, count, g->edge)));
	}
}

/* The grid's own columns along one row of a block: values, and the rise to the next. */
static void column_values(const mw__grid *g, size_t row, mw__grid_scratch *s)
{
	const float *a = g->v + (size_t)s->north[row] * (size_t)g->w;
	const float *b = g->v + (size_t)s->south[row] * (size_t)g->w;
	float fz = s->zfraction[row];
	size_t n = s->cells + 1, inside = (size_t)g->w - s->low, i = 0;
	inside = n < inside ? n : inside;
	for (; i + MW_LANES <= inside; i += MW_LANES)
		vf_store(s->column + i,
			vf_lerp(vf_load(a + s->low + i), vf_load(b + s->low + i), vf_set(fz)));
	for (; i < n; i++) {
		size_t at = s->low + i < (size_t)g->w ? s->low + i
			: g->edge == MW_EDGE_CLAMP    ? (size_t)g->w - 1
						      : 0;
		s->column[i] = a[at] + fz * (b[at] - a[at]);
	}
	for (i = 0; i < s->cells; i += MW_LANES)
		vf_store(s->rise + i, vf_sub(vf_load(s->column + i + 1), vf_load(s->column + i)));
}

static bool grid_block(const mw__grid *g, float *d, const float *x, size_t w, const float *z,
	size_t h, mw__grid_scratch *s)
{
	if (g->filter == MW_FILTER_NEAREST || !meet_columns(g, x, w, s))
		return false;
	meet_rows(g, z, h, s);
	for (size_t j = 0; j < h; j++) {
		column_values(g, j, s);
		vf bad_z = vf_set(s->zbad[j]);
		float *out = d + j * w;
		for (size_t i = 0; i < w; i += MW_LANES) {
			vi control = vi_load(s->control + i);
			size_t base = (size_t)s->first[i / MW_LANES];
			vf r = vf_add(vc_pick(s->column + base, control),
				vf_mul(vf_load(s->fraction + i), vc_pick(s->rise + base, control)));
			vf_store(out + i, vf_add(r, vf_add(vf_load(s->bad + i), bad_z)));
		}
	}
	return true;
}

/* ---- distances ---------------------------------------------------------------------------------
 */

static void distance(const mw__shape *shape, const uint32_t *near, size_t nnear,
	const uint32_t *across, size_t nacross, float *d, const float *x, const float *z, size_t n)
{
	vf zero = vf_set(0.0f), one = vf_set(1.0f);
	for (size_t i = 0; i < n; i += MW_LANES) {
		vf px = vf_load(x + i), pz = vf_load(z + i), best = vf_set(INFINITY);
		for (size_t e = 0; e < nnear; e++) {
			const mw__segment *s = &shape->segment[near[e]];
			vf qx = vf_sub(px, vf_set(s->ax)), qz = vf_sub(pz, vf_set(s->az));
			if (shape->kind != MW_SHAPE_POINTS) {
				vf dx = vf_set(s->dx), dz = vf_set(s->dz);
				vf t = vf_mul(
					vf_add(vf_mul(qx, dx), vf_mul(qz, dz)), vf_set(s->inverse));
				t = vf_min(vf_max(t, zero), one);
				qx = vf_sub(qx, vf_mul(t, dx));
				qz = vf_sub(qz, vf_mul(t, dz));
			}
			best = vf_min(vf_add(vf_mul(qx, qx), vf_mul(qz, qz)), best);
		}
		vm inside = vm_none();
		for (size_t e = 0; e < nacross; e++) {
			const mw__segment *s = &shape->segment[across[e]];
			vf az = vf_set(s->az);
			vm spans = vm_xor(vf_lt(pz, az), vf_lt(pz, vf_set(s->bz)));
			vf at = vf_add(vf_set(s->ax), vf_mul(vf_sub(pz, az), vf_set(s->slope)));
			inside = vm_xor(inside, vm_and(spans, vf_lt(px, at)));
		}
		vf r = vf_sqrt(best);
		r = vf_select(inside, vf_sub(zero, r), r);
		vf_store(d + i, vf_add(r, bad(px, pz)));
	}
}

static void bounds(const float *a, size_t n, float b[2])
{
	vf low = vf_set(INFINITY), high = vf_set(-INFINITY);
	for (size_t i = 0; i < n; i += MW_LANES) {
		low = vf_min(A, low);
		high = vf_max(A, high);
	}
	float l[MW_LANES], h[MW_LANES];
	vf_store(l, low);
	vf_store(h, high);
	b[0] = l[0];
	b[1] = h[0];
	for (int i = 1; i < MW_LANES; i++) {
		b[0] = l[i] < b[0] ? l[i] : b[0];
		b[1] = h[i] > b[1] ? h[i] : b[1];
	}
}

static void store(float *d, const float *a, size_t n)
{
	vi quiet = vi_set(0x7fc00000u);
	size_t i = 0;
	for (; i + MW_LANES <= n; i += MW_LANES) {
		vf v = A;
		vf_store(d + i, vf_select(vf_eq(v, v), v, vf_from_bits(quiet)));
	}
	for (; i < n; i++) {
		uint32_t u = 0x7fc00000u;
		if (a[i] == a[i])
			d[i] = a[i];
		else
			memcpy(&d[i], &u, sizeof u);
	}
}

const mw__source_kernels MW_LANES_SUFFIX(mw__source_kernels) = {
	apply, curve, turn, grid, grid_block, distance, bounds, store};

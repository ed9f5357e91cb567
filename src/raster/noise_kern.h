/* Body of the noise kernels, in the words of lanes.h; included by noise_kern.c, noise_sse41.c and
 * noise_avx2.c. The order of operations is the definition of the noise: both paths keep it. */
#include "raster/lanes.h"
#include "raster/noise_internal.h"

#define PRIME_X 0x9e3779b1u
#define PRIME_Z 0x85ebca77u

/* Whole and fractional part; the cell is held within +-2^29, so that casts and differences are
 * defined for any coordinate (a NaN goes to the lower end and comes out of the fraction). */
static inline vi split(vf u, vf *fraction)
{
	vf floor = vf_floor(u);
	*fraction = vf_sub(u, floor);
	return vf_to_int(vf_min(vf_max(floor, vf_set(-536870912.0f)), vf_set(536870912.0f)));
}

static inline vi mix(vi hx, vi hz)
{
	vi h = vi_mul(vi_xor(hx, hz), vi_set(0xc2b2ae3du));
	h = vi_mul(vi_xor(h, vi_shr(h, 15)), vi_set(0x27d4eb2fu));
	return vi_xor(h, vi_shr(h, 16));
}

/* One of 32 unit vectors, none along an axis: a quadrant's eight by the low bits, two signs. */
static inline void direction(vt table, vi h, vf *gx, vf *gz)
{
	vi sign = vi_set(0x80000000u);
	*gx = vf_from_bits(vi_xor(vf_bits(vt_get(table, h)), vi_and(h, sign)));
	*gz = vf_from_bits(vi_xor(vf_bits(vt_get(table, vi_xor(h, vi_set(0xffffffffu)))),
		vi_and(vi_shl(h, 1), sign)));
}

static inline vf lattice_value(vi h, vf scale)
{
	return vf_mul(vf_from_int(h), scale);
}

/* On one column of the lattice, interpolated along z: slope along x and value. */
static inline void column(vf gx0, vf gz0, vf gx1, vf gz1, vf fz, vf wz, vf *slope, vf *value)
{
	*slope = vf_lerp(gx0, gx1, wz);
	*value = vf_lerp(vf_mul(gz0, fz), vf_mul(gz1, vf_sub(fz, vf_set(1.0f))), wz);
}

/* Between two columns: (a + b fx) + wx (c + d fx). */
static inline vf between(vf a, vf b, vf c, vf d, vf fx, vf wx)
{
	return vf_add(vf_add(a, vf_mul(b, fx)), vf_mul(wx, vf_add(c, vf_mul(d, fx))));
}

/* Add an octave's n to what the octaves before it left in *acc (and *weight). */
static inline void combine(const mw_noise_plan *plan, int k, vf n, float *acc, float *weight)
{
	if (plan->fractal == MW_NOISE_SUM) {
		vf_store(acc, k ? vf_add(vf_load(acc), n) : n);
	} else if (plan->fractal == MW_NOISE_BILLOW) {
		vf part = vf_mul(vf_abs(n), vf_set(plan->octave[k].weight));
		vf_store(acc, k ? vf_add(vf_load(acc), part) : part);
	} else {
		vf s = vf_sub(vf_set(1.0f), vf_abs(n));
		s = vf_mul(s, s);
		if (k)
			s = vf_mul(s, vf_load(weight));
		vf part = vf_mul(s, vf_set(plan->octave[k].weight));
		vf_store(acc, k ? vf_add(vf_load(acc), part) : part);
		s = vf_mul(s, vf_set(plan->feedback));
		vf_store(weight, vf_min(vf_max(s, vf_set(0.0f)), vf_set(1.0f)));
	}
}

static void gradient_points(const mw_noise_plan *plan, int k, const float *x, const float *z,
	float *acc, float *weight, size_t n)
{
	const mw_noise_octave *o = &plan->octave[k];
	vt table = vt_load(o->direction);
	for (size_t i = 0; i < n; i += MW_LANES) {
		vf fx, fz;
		vi cx = split(
			vf_add(vf_mul(vf_load(x + i), vf_set(o->frequency)), vf_set(o->x)), &fx);
		vi cz = split(
			vf_add(vf_mul(vf_load(z + i), vf_set(o->frequency)), vf_set(o->z)), &fz);
		vi hx0 = vi_add(vi_mul(cx, vi_set(PRIME_X)), vi_set(o->key_x));
		vi hz0 = vi_add(vi_mul(cz, vi_set(PRIME_Z)), vi_set(o->key_z));
		vi hx1 = vi_add(hx0, vi_set(PRIME_X));
		vi hz1 = vi_add(hz0, vi_set(PRIME_Z));
		vf wx = vf_fade(fx), wz = vf_fade(fz);
		vf gx0, gz0, gx1, gz1, s0, v0, s1, v1;
		direction(table, mix(hx0, hz0), &gx0, &gz0);
		direction(table, mix(hx0, hz1), &gx1, &gz1);
		column(gx0, gz0, gx1, gz1, fz, wz, &s0, &v0);
		direction(table, mix(hx1, hz0), &gx0, &gz0);
		direction(table, mix(hx1, hz1), &gx1, &gz1);
		column(gx0, gz0, gx1, gz1, fz, wz, &s1, &v1);
		vf r = between(v0, s0, vf_sub(vf_sub(v1, s1), v0), vf_sub(s1, s0), fx, wx);
		combine(plan, k, r, acc + i, weight + i);
	}
}

static void value_points(const mw_noise_plan *plan, int k, const float *x, const float *z,
	float *acc, float *weight, size_t n)
{
	const mw_noise_octave *o = &plan->octave[k];
	vf scale = vf_set(o->direction[0]);
	for (size_t i = 0; i < n; i += MW_LANES) {
		vf fx, fz;
		vi cx = split(
			vf_add(vf_mul(vf_load(x + i), vf_set(o->frequency)), vf_set(o->x)), &fx);
		vi cz = split(
			vf_add(vf_mul(vf_load(z + i), vf_set(o->frequency)), vf_set(o->z)), &fz);
		vi hx0 = vi_add(vi_mul(cx, vi_set(PRIME_X)), vi_set(o->key_x));
		vi hz0 = vi_add(vi_mul(cz, vi_set(PRIME_Z)), vi_set(o->key_z));
		vi hx1 = vi_add(hx0, vi_set(PRIME_X));
		vi hz1 = vi_add(hz0, vi_set(PRIME_Z));
		vf wx = vf_fade(fx), wz = vf_fade(fz);
		vf v0 = vf_lerp(lattice_value(mix(hx0, hz0), scale),
			lattice_value(mix(hx0, hz1), scale), wz);
		vf v1 = vf_lerp(lattice_value(mix(hx1, hz0), scale),
			lattice_value(mix(hx1, hz1), scale), wz);
		combine(plan, k, vf_add(v0, vf_mul(wx, vf_sub(v1, v0))), acc + i, weight + i);
	}
}

/* Squared distances to the nearest two points and the hash of the nearest's cell. */
typedef struct {
	vf f1, f2;
	vi h1;
} nearest;

static inline void near_cell(nearest *s, vi hx, vi hz, float dx, float dz, vf fx, vf fz, vf jitter)
{
	vi h = mix(vi_add(hx, vi_set((uint32_t)(int32_t)dx * PRIME_X)),
		vi_add(hz, vi_set((uint32_t)(int32_t)dz * PRIME_Z)));
	vf half = vf_set(32767.5f);
	vf px = vf_mul(vf_sub(vf_from_int(vi_and(h, vi_set(0xffff))), half), jitter);
	vf pz = vf_mul(vf_sub(vf_from_int(vi_shr(h, 16)), half), jitter);
	px = vf_sub(vf_add(px, vf_set(dx + 0.5f)), fx);
	pz = vf_sub(vf_add(pz, vf_set(dz + 0.5f)), fz);
	vf d = vf_add(vf_mul(px, px), vf_mul(pz, pz));
	vm closer = vf_lt(d, s->f1);
	s->h1 = vf_bits(vf_select(closer, vf_from_bits(h), vf_from_bits(s->h1)));
	s->f2 = vf_max(s->f1, vf_min(d, s->f2));
	s->f1 = vf_min(d, s->f1);
}

static void cellular_points(const mw_noise_plan *plan, int k, const float *x, const float *z,
	float *acc, float *weight, size_t n)
{
	const mw_noise_octave *o = &plan->octave[k];
	vf jitter = vf_set(plan->jitter);
	bool second = plan->cell == MW_NOISE_F2 || plan->cell == MW_NOISE_F2_F1;
	for (size_t i = 0; i < n; i += MW_LANES) {
		vf fx, fz;
		vi cx = split(
			vf_add(vf_mul(vf_load(x + i), vf_set(o->frequency)), vf_set(o->x)), &fx);
		vi cz = split(
			vf_add(vf_mul(vf_load(z + i), vf_set(o->frequency)), vf_set(o->z)), &fz);
		vi hx = vi_add(vi_mul(cx, vi_set(PRIME_X)), vi_set(o->key_x));
		vi hz = vi_add(vi_mul(cz, vi_set(PRIME_Z)), vi_set(o->key_z));
		nearest s = {vf_set(64.0f), vf_set(64.0f), vi_set(0)};
		for (int c = 0; c < 9; c++)
			near_cell(
				&s, hx, hz, (float)(c % 3 - 1), (float)(c / 3 - 1), fx, fz, jitter);
		/* The ring outside those nine begins one cell beyond the own cell's edge. */
		vf edge = vf_min(
			vf_min(fx, vf_sub(vf_set(1.0f), fx)), vf_min(fz, vf_sub(vf_set(1.0f), fz)));
		edge = vf_add(edge, vf_set(1.0f));
		vm open = vf_lt(vf_mul(edge, edge), second ? s.f2 : s.f1);
		if (vm_any(open)) {
			nearest t = s;
			for (int c = 0; c < 25; c++) {
				int dx = c % 5 - 2, dz = c / 5 - 2;
				if (dx < -1 || dx > 1 || dz < -1 || dz > 1)
					near_cell(&t, hx, hz, (float)dx, (float)dz, fx, fz, jitter);
			}
			s.f1 = vf_select(open, t.f1, s.f1);
			s.f2 = vf_select(open, t.f2, s.f2);
			s.h1 = vf_bits(vf_select(open, vf_from_bits(t.h1), vf_from_bits(s.h1)));
		}
		vf r;
		if (plan->cell == MW_NOISE_CELL)
			r = vf_mul(vf_from_int(mix(s.h1, vi_set(o->key_x))),
				vf_set(1.0f / 2147483648.0f));
		else if (plan->cell == MW_NOISE_F1)
			r = vf_sqrt(s.f1);
		else if (plan->cell == MW_NOISE_F2)
			r = vf_sqrt(s.f2);
		else
			r = vf_sub(vf_sqrt(s.f2), vf_sqrt(s.f1));
		/* Zero, or NaN where a coordinate is not a number. */
		vf bad = vf_add(vf_sub(fx, fx), vf_sub(fz, fz));
		combine(plan, k, vf_add(vf_mul(r, vf_set(o->weight)), bad), acc + i, weight + i);
	}
}

static void points(const mw_noise_plan *plan, int k, const float *x, const float *z, float *acc,
	float *weight, size_t n)
{
	if (plan->basis == MW_NOISE_GRADIENT)
		gradient_points(plan, k, x, z, acc, weight, n);
	else if (plan->basis == MW_NOISE_VALUE)
		value_points(plan, k, x, z, acc, weight, n);
	else
		cellular_points(plan, k, x, z, acc, weight, n);
}

/* What an octave of a block asks of its columns: fraction, fade, first cell of each vector and the
 * control that picks each lane's cell from it. False where a vector meets too many cells. */
static bool prepare_columns(const mw_noise_octave *o, const float *x, size_t w, mw_noise_scratch *s,
	int32_t *first, size_t *cells)
{
	int32_t low = INT32_MAX, high = INT32_MIN;
	for (size_t i = 0; i < w; i += MW_LANES) {
		vf f;
		vi c = split(
			vf_add(vf_mul(vf_load(x + i), vf_set(o->frequency)), vf_set(o->x)), &f);
		vf_store(s->fraction + i, f);
		vf_store(s->fade + i, vf_fade(f));
		int32_t a = vi_hmin(c), b = vi_hmax(c);
		if (b - a >= MW_LANES)
			return false;
		low = a < low ? a : low;
		high = b > high ? b : high;
		s->first[i / MW_LANES] = a;
		vi_store(s->control + i, vc_make(vi_add(c, vi_set(0u - (uint32_t)a))));
	}
	if (high - low >= MW_NOISE_COLUMNS_MAX)
		return false;
	for (size_t i = 0; i < w / MW_LANES; i++)
		s->first[i] -= low;
	*first = low;
	*cells = (size_t)(high - low) + 1;
	return true;
}

static void prepare_rows(const mw_noise_octave *o, const float *z, size_t h, mw_noise_scratch *s)
{
	for (size_t j = 0; j < h; j += MW_LANES) {
		vf f;
		vi c = split(
			vf_add(vf_mul(vf_load(z + j), vf_set(o->frequency)), vf_set(o->z)), &f);
		vf_store(s->zfraction + j, f);
		vf_store(s->zfade + j, vf_fade(f));
		vi_store(s->zcell + j, c);
	}
}

/* Directions on n lattice columns from first on, in lattice row cz. */
static void direction_row(
	const mw_noise_octave *o, int32_t first, int32_t cz, size_t n, float *gx, float *gz)
{
	vt table = vt_load(o->direction);
	vi hz = vi_set((uint32_t)cz * PRIME_Z + o->key_z);
	for (size_t i = 0; i < n; i += MW_LANES) {
		vi c = vi_add(vi_iota(), vi_set((uint32_t)first + (uint32_t)i));
		vf a, b;
		direction(table, mix(vi_add(vi_mul(c, vi_set(PRIME_X)), vi_set(o->key_x)), hz), &a,
			&b);
		vf_store(gx + i, a);
		vf_store(gz + i, b);
	}
}

static void value_row(const mw_noise_octave *o, int32_t first, int32_t cz, size_t n, float *v)
{
	vf scale = vf_set(o->direction[0]);
	vi hz = vi_set((uint32_t)cz * PRIME_Z + o->key_z);
	for (size_t i = 0; i < n; i += MW_LANES) {
		vi c = vi_add(vi_iota(), vi_set((uint32_t)first + (uint32_t)i));
		vi h = mix(vi_add(vi_mul(c, vi_set(PRIME_X)), vi_set(o->key_x)), hz);
		vf_store(v + i, lattice_value(h, scale));
	}
}

static void gradient_rows(const mw_noise_plan *plan, int k, int32_t first, size_t cells, size_t w,
	size_t h, float *acc, mw_noise_scratch *s)
{
	const mw_noise_octave *o = &plan->octave[k];
	float *gx0 = s->lattice[0], *gz0 = s->lattice[1];
	float *gx1 = s->lattice[2], *gz1 = s->lattice[3];
	float *slope = s->lattice[4], *value = s->lattice[5];
	float *dvalue = s->lattice[6], *dslope = s->lattice[7];
	for (size_t j = 0; j < h; j++) {
		int32_t cz = s->zcell[j];
		if (j == 0 || cz != s->zcell[j - 1]) {
			direction_row(o, first, cz, cells + 1, gx0, gz0);
			direction_row(o, first, cz + 1, cells + 1, gx1, gz1);
		}
		vf fz = vf_set(s->zfraction[j]), wz = vf_set(s->zfade[j]);
		for (size_t i = 0; i < cells + 1; i += MW_LANES) {
			vf a, b;
			column(vf_load(gx0 + i), vf_load(gz0 + i), vf_load(gx1 + i),
				vf_load(gz1 + i), fz, wz, &a, &b);
			vf_store(slope + i, a);
			vf_store(value + i, b);
		}
		for (size_t i = 0; i < cells; i += MW_LANES) {
			vf s1 = vf_load(slope + i + 1);
			vf_store(dslope + i, vf_sub(s1, vf_load(slope + i)));
			vf_store(dvalue + i,
				vf_sub(vf_sub(vf_load(value + i + 1), s1), vf_load(value + i)));
		}
		float *out = acc + j * w, *weight = s->weight + j * w;
		for (size_t i = 0; i < w; i += MW_LANES) {
			vi control = vi_load(s->control + i);
			size_t base = (size_t)s->first[i / MW_LANES];
			vf r = between(vc_pick(value + base, control),
				vc_pick(slope + base, control), vc_pick(dvalue + base, control),
				vc_pick(dslope + base, control), vf_load(s->fraction + i),
				vf_load(s->fade + i));
			combine(plan, k, r, out + i, weight + i);
		}
	}
}

static void value_rows(const mw_noise_plan *plan, int k, int32_t first, size_t cells, size_t w,
	size_t h, float *acc, mw_noise_scratch *s)
{
	const mw_noise_octave *o = &plan->octave[k];
	float *v0 = s->lattice[0], *v1 = s->lattice[1], *value = s->lattice[2];
	float *dvalue = s->lattice[3];
	for (size_t j = 0; j < h; j++) {
		int32_t cz = s->zcell[j];
		if (j == 0 || cz != s->zcell[j - 1]) {
			value_row(o, first, cz, cells + 1, v0);
			value_row(o, first, cz + 1, cells + 1, v1);
		}
		/* The fraction carries a NaN that the fade would also carry. */
		vf wz = vf_set(s->zfade[j]);
		for (size_t i = 0; i < cells + 1; i += MW_LANES)
			vf_store(value + i, vf_lerp(vf_load(v0 + i), vf_load(v1 + i), wz));
		for (size_t i = 0; i < cells; i += MW_LANES)
			vf_store(dvalue + i, vf_sub(vf_load(value + i + 1), vf_load(value + i)));
		float *out = acc + j * w, *weight = s->weight + j * w;
		for (size_t i = 0; i < w; i += MW_LANES) {
			vi control = vi_load(s->control + i);
			size_t base = (size_t)s->first[i / MW_LANES];
			vf r = vf_add(vc_pick(value + base, control),
				vf_mul(vf_load(s->fade + i), vc_pick(dvalue + base, control)));
			combine(plan, k, r, out + i, weight + i);
		}
	}
}

static bool block(const mw_noise_plan *plan, int k, const float *x, size_t w, const float *z,
	size_t h, float *acc, mw_noise_scratch *s)
{
	const mw_noise_octave *o = &plan->octave[k];
	int32_t first;
	size_t cells;
	if (plan->basis == MW_NOISE_CELLULAR || !prepare_columns(o, x, w, s, &first, &cells))
		return false;
	prepare_rows(o, z, h, s);
	if (plan->basis == MW_NOISE_GRADIENT)
		gradient_rows(plan, k, first, cells, w, h, acc, s);
	else
		value_rows(plan, k, first, cells, w, h, acc, s);
	return true;
}

const mw__noise_kernels MW_LANES_SUFFIX(mw__noise_kernels) = {points, block};

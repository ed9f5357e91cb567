#include "geom/plane.h"

#include "base/rng.h"
#include "geom/internal.h"

#include <string.h>

/* ---- exact coefficients ---------------------------------------------------------------------- */

/* Divide out the common factor and make the first non-zero part of the normal positive. Returns
 * whether it was turned round. */
static bool canonical(mw_big c[4])
{
	uint32_t twos = UINT32_MAX;
	int first = 0;
	for (int i = 0; i < 4; i++)
		if (c[i].sign) {
			uint32_t n = mw_big_twos(&c[i]);
			twos = n < twos ? n : twos;
			if (!first)
				first = c[i].sign;
		}
	mw_big g, h;
	mw_big_set_i64(&g, 0);
	for (int i = 0; i < 4; i++)
		if (c[i].sign) {
			mw_big_shr(&c[i], &c[i], twos);
			if (!(g.n == 1 && g.w[0] == 1)) {
				mw_big_gcd(&h, &g, &c[i]);
				mw_big_copy(&g, &h);
			}
		}
	for (int i = 0; i < 4; i++) {
		if (!(g.n == 1 && g.w[0] == 1) && c[i].sign) {
			mw_big_div_exact(&h, &c[i], &g);
			mw_big_copy(&c[i], &h);
		}
		c[i].sign *= first;
	}
	return first < 0;
}

static bool fits_narrow(const mw_big c[4])
{
	for (int i = 0; i < 4; i++)
		if (mw_big_bits(&c[i]) > 62)
			return false;
	return true;
}

static int64_t narrow(const mw_big *b)
{
	int64_t v = b->n ? (int64_t)b->w[0] : 0;
	return b->sign < 0 ? -v : v;
}

static uint32_t hash_of(const mw_big c[4])
{
	uint64_t h = 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 4; i++) {
		h = mw_mix64(h ^ (uint64_t)(uint32_t)(c[i].sign + 2));
		for (uint32_t k = 0; k < c[i].n; k++)
			h = mw_mix64(h ^ c[i].w[k]);
	}
	return (uint32_t)(h >> 32);
}

static uint32_t hash_narrow(const int64_t c[4])
{
	uint64_t h = 0x9e3779b97f4a7c15u;
	for (int i = 0; i < 4; i++) {
		int sign = c[i] < 0 ? -1 : c[i] > 0;
		h = mw_mix64(h ^ (uint64_t)(uint32_t)(sign + 2));
		if (sign)
			h = mw_mix64(h ^ (uint64_t)(c[i] < 0 ? -c[i] : c[i]));
	}
	return (uint32_t)(h >> 32);
}

static bool same(const mw_planes *t, uint32_t index, const mw_big c[4])
{
	const mw_plane_exact *e = &t->exact.v[index];
	const uint64_t *w = t->limb.v ? t->limb.v + e->at : NULL;
	for (int i = 0; i < 4; i++) {
		if (!e->wide) {
			if (c[i].n > 1 || narrow(&c[i]) != e->c[i])
				return false;
			continue;
		}
		int32_t n = (int32_t)c[i].n;
		if ((c[i].sign < 0 ? -n : n) != e->limbs[i])
			return false;
		if (n && memcmp(c[i].w, w, (size_t)n * sizeof *w) != 0)
			return false;
		w += n;
	}
	return true;
}

/* ---- the rounded plane ----------------------------------------------------------------------- */

static mw_plane rounded(const mw_big c[4])
{
	double m[4];
	int e[4], top = INT32_MIN;
	for (int i = 0; i < 4; i++) {
		m[i] = mw_big_frexp(&c[i], &e[i]);
		if (i < 3 && m[i] != 0 && e[i] > top)
			top = e[i];
	}
	mw_vec3 n;
	for (int i = 0; i < 3; i++)
		n.v[i] = m[i] != 0 ? ldexp(m[i], e[i] - top) : 0;
	double len = mw_len3(n);
	mw_plane p;
	p.n = mw_v3(n.x / len, n.y / len, n.z / len);
	double d = m[3] != 0 ? ldexp(m[3], e[3] - top) / len : 0;
	p.d = d > 1e300 ? 1e300 : d < -1e300 ? -1e300 : d;
	return p;
}

static mw_code grow_slots(mw_ctx *cx, mw_planes *t)
{
	uint32_t want = t->slots ? t->slots * 2 : 64;
	if (want > (UINT32_C(1) << 30))
		return mw_fail(cx, MW_ELIMIT, "more than %u planes", t->slots / 2);
	uint32_t *slot = mw_zalloc_n(cx, want, sizeof *slot);
	if (!slot)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < t->exact.n; i++) {
		uint32_t h;
		if (t->exact.v[i].wide) {
			mw_big c[4];
			for (int k = 0; k < 4; k++)
				mw__plane_coef(t, i, k, &c[k]);
			h = hash_of(c);
		} else {
			h = hash_narrow(t->exact.v[i].c);
		}
		while (slot[h & (want - 1)])
			h++;
		slot[h & (want - 1)] = i + 1;
	}
	mw_free(cx, t->slot);
	t->slot = slot;
	t->slots = want;
	return MW_OK;
}

static bool is_power_of_two(int64_t x)
{
	return x > 0 && (x & (x - 1)) == 0;
}

static mw_code append(mw_ctx *cx, mw_planes *t, const mw_plane *unit, const mw_plane_exact *e)
{
	if ((t->exact.n + 1) * 2 > t->slots && grow_slots(cx, t))
		return cx->err.code;
	if (!MW_RESERVE(cx, &t->unit, t->exact.n + 1) || !MW_PUSH(cx, &t->exact, *e))
		return MW_ENOMEM;
	t->unit.v[t->unit.n++] = *unit;
	return MW_OK;
}

static void put_slot(mw_planes *t, uint32_t h, uint32_t index)
{
	while (t->slot[h & (t->slots - 1)])
		h++;
	t->slot[h & (t->slots - 1)] = index + 1;
}

static void measure_narrow(mw_plane_exact *e)
{
	uint64_t n = 0;
	int parts = 0, axis = -1;
	for (int i = 0; i < 3; i++) {
		n |= (uint64_t)(e->c[i] < 0 ? -e->c[i] : e->c[i]);
		if (e->c[i]) {
			parts++;
			axis = i;
		}
	}
	uint64_t d = (uint64_t)(e->c[3] < 0 ? -e->c[3] : e->c[3]);
	e->nbits = n ? 64 - (uint32_t)__builtin_clzll(n) : 0;
	e->dbits = d ? 64 - (uint32_t)__builtin_clzll(d) : 0;
	bool exact = parts == 1 && is_power_of_two(e->c[axis]) && e->dbits <= 53;
	e->axis = exact ? (int8_t)axis : -1;
}

/* c: canonical, 62 bits or fewer each */
static mw_code add_narrow(mw_ctx *cx, mw_planes *t, uint32_t *index, const int64_t c[4])
{
	uint32_t h = hash_narrow(c);
	for (uint32_t at = h; t->slots && t->slot[at & (t->slots - 1)]; at++) {
		uint32_t i = t->slot[at & (t->slots - 1)] - 1;
		const mw_plane_exact *e = &t->exact.v[i];
		if (!e->wide && memcmp(e->c, c, sizeof e->c) == 0) {
			*index = i;
			return MW_OK;
		}
	}
	mw_plane_exact e = {.at = 0};
	memcpy(e.c, c, sizeof e.c);
	measure_narrow(&e);
	mw_plane unit;
	if (e.axis >= 0) {
		unit.n = mw_v3(0, 0, 0);
		unit.n.v[e.axis] = 1;
		unit.d = (double)c[3] / (double)c[e.axis];
	} else {
		mw_vec3 n = mw_v3((double)c[0], (double)c[1], (double)c[2]);
		double len = mw_len3(n);
		unit.n = mw_v3(n.x / len, n.y / len, n.z / len);
		unit.d = (double)c[3] / len;
	}
	if (append(cx, t, &unit, &e))
		return cx->err.code;
	*index = (uint32_t)t->exact.n - 1;
	put_slot(t, h, *index);
	return MW_OK;
}

static uint32_t find_big(const mw_planes *t, const mw_big c[4])
{
	for (uint32_t at = hash_of(c); t->slots && t->slot[at & (t->slots - 1)]; at++) {
		uint32_t i = t->slot[at & (t->slots - 1)] - 1;
		if (same(t, i, c))
			return i;
	}
	return UINT32_MAX;
}

/* c: canonical */
static mw_code add_big(mw_ctx *cx, mw_planes *t, uint32_t *index, const mw_big c[4])
{
	if (fits_narrow(c)) {
		int64_t s[4];
		for (int i = 0; i < 4; i++)
			s[i] = narrow(&c[i]);
		return add_narrow(cx, t, index, s);
	}
	*index = find_big(t, c);
	if (*index != UINT32_MAX)
		return MW_OK;
	mw_plane_exact e = {.wide = true, .axis = -1, .at = (uint32_t)t->limb.n};
	size_t limbs = t->limb.n;
	for (int i = 0; i < 4; i++)
		limbs += c[i].n;
	if (limbs > UINT32_MAX / 2)
		return mw_fail(cx, MW_ELIMIT, "too many digits in plane coefficients");
	if (!MW_RESERVE(cx, &t->limb, limbs))
		return MW_ENOMEM;
	mw_plane unit = rounded(c);
	for (int i = 0; i < 4; i++) {
		e.limbs[i] = c[i].sign < 0 ? -(int32_t)c[i].n : (int32_t)c[i].n;
		uint32_t bits = mw_big_bits(&c[i]);
		if (i == 3)
			e.dbits = bits;
		else if (bits > e.nbits)
			e.nbits = bits;
	}
	if (append(cx, t, &unit, &e))
		return cx->err.code;
	for (int i = 0; i < 4; i++) {
		if (c[i].n)
			memcpy(t->limb.v + t->limb.n, c[i].w, c[i].n * sizeof c[i].w[0]);
		t->limb.n += c[i].n;
	}
	*index = (uint32_t)t->exact.n - 1;
	put_slot(t, hash_of(c), *index);
	return MW_OK;
}

mw_code mw_planes_init(mw_ctx *cx, mw_planes *t)
{
	memset(t, 0, sizeof *t);
	for (int i = 0; i < MW_WORLD_PLANES; i++) {
		int64_t c[4] = {0, 0, 0, i & 1 ? -(int64_t)MW_WORLD : (int64_t)MW_WORLD};
		c[i / 2] = 1;
		uint32_t index;
		if (add_narrow(cx, t, &index, c)) {
			mw_planes_free(cx, t);
			return cx->err.code;
		}
	}
	return MW_OK;
}

void mw_planes_free(mw_ctx *cx, mw_planes *t)
{
	mw_free(cx, t->unit.v);
	mw_free(cx, t->exact.v);
	mw_free(cx, t->limb.v);
	mw_free(cx, t->slot);
	memset(t, 0, sizeof *t);
}

/* ---- adding ---------------------------------------------------------------------------------- */

static mw_u128 abs128(mw_i128 x)
{
	return x < 0 ? 0 - (mw_u128)x : (mw_u128)x;
}

static uint64_t gcd64(uint64_t a, uint64_t b)
{
	if (a == 0 || b == 0)
		return a | b;
	int s = __builtin_ctzll(a | b);
	a >>= __builtin_ctzll(a);
	while (b) {
		b >>= __builtin_ctzll(b);
		if (a > b) {
			uint64_t x = a;
			a = b;
			b = x;
		}
		b -= a;
	}
	return a << s;
}

/* gcd(g, |x|), g below 2^64 */
static uint64_t gcd_into(uint64_t g, mw_i128 x)
{
	mw_u128 a = abs128(x);
	if (g == 0)
		return a >> 64 ? 0 : (uint64_t)a;
	return gcd64(g, (uint64_t)(a % g));
}

/* Points whose coordinates are integers of at most 26 bits (nearly all of a map file): everything
 * fits in 128 bits. */
static bool small_points(const mw_vec3 p[3], int64_t c[4], bool *turned)
{
	int64_t x[3][3];
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) {
			double v = p[i].v[k];
			if (!(fabs(v) <= 67108864.0) || (double)(int64_t)v != v)
				return false;
			x[i][k] = (int64_t)v;
		}
	mw_i128 n[3], d = 0;
	uint64_t g = 0;
	int first = 0;
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		n[i] = (mw_i128)(x[0][j] - x[1][j]) * (x[2][k] - x[1][k]) -
			(mw_i128)(x[0][k] - x[1][k]) * (x[2][j] - x[1][j]);
		d += n[i] * x[1][i];
		g = gcd_into(g, n[i]);
		if (!first)
			first = n[i] < 0 ? -1 : n[i] > 0;
	}
	if (!first || !g)
		return false;
	g = gcd_into(g, d);
	for (int i = 0; i < 3; i++)
		c[i] = (int64_t)(n[i] / (mw_i128)g) * first;
	d = d / (mw_i128)g * first;
	if (abs128(d) >> 62)
		return false;
	c[3] = (int64_t)d;
	*turned = first < 0;
	return true;
}

/* false when the points are on one line */
static bool big_points(const mw_vec3 p[3], mw_big c[4])
{
	int k = 0;
	for (int i = 0; i < 9; i++) {
		int s = mw_big_scale_of(p[i / 3].v[i % 3]);
		k = s > k ? s : k;
	}
	mw_big u[3], v[3], x, y;
	mw_big m[3];
	for (int i = 0; i < 3; i++) {
		mw_big_set_double(&m[i], p[1].v[i], k);
		mw_big_set_double(&x, p[0].v[i], k);
		mw_big_sub(&u[i], &x, &m[i]);
		mw_big_set_double(&x, p[2].v[i], k);
		mw_big_sub(&v[i], &x, &m[i]);
	}
	mw_big_set_i64(&c[3], 0);
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, l = (i + 2) % 3;
		mw_big_mul(&x, &u[j], &v[l]);
		mw_big_mul(&y, &u[l], &v[j]);
		mw_big_sub(&c[i], &x, &y);
		mw_big_mul(&x, &c[i], &m[i]);
		mw_big_add(&c[3], &c[3], &x);
	}
	/* n . (x 2^k) = d in the scaled space */
	bool ok = false;
	for (int i = 0; i < 3; i++) {
		mw_big_shl(&c[i], &c[i], (uint32_t)k);
		ok |= c[i].sign != 0;
	}
	return ok;
}

static bool all_finite(const mw_vec3 *p, int n)
{
	for (int i = 0; i < n; i++)
		if (!mw_finite3(p[i]))
			return false;
	return true;
}

mw_code mw_planes_add_points(mw_ctx *cx, mw_planes *t, mw_plane_id *id, const mw_vec3 p[3])
{
	*id = MW_PLANE_NONE;
	if (!all_finite(p, 3))
		return mw_fail(cx, MW_ERANGE, "a plane point is not a finite number");
	uint32_t index;
	bool turned;
	int64_t c[4];
	if (small_points(p, c, &turned)) {
		if (add_narrow(cx, t, &index, c))
			return cx->err.code;
	} else {
		mw_big b[4];
		if (!big_points(p, b))
			return MW_OK;
		turned = canonical(b);
		if (add_big(cx, t, &index, b))
			return cx->err.code;
	}
	*id = index * 2 + (turned ? 1 : 0);
	return MW_OK;
}

static bool big_coefficients(mw_vec3 n, double d, mw_big c[4])
{
	int k = mw_big_scale_of(d);
	for (int i = 0; i < 3; i++) {
		int s = mw_big_scale_of(n.v[i]);
		k = s > k ? s : k;
	}
	for (int i = 0; i < 4; i++)
		mw_big_set_double(&c[i], i < 3 ? n.v[i] : d, k);
	return c[0].sign || c[1].sign || c[2].sign;
}

mw_code mw_planes_add(mw_ctx *cx, mw_planes *t, mw_plane_id *id, mw_vec3 n, double d)
{
	*id = MW_PLANE_NONE;
	if (!mw_finite3(n) || !isfinite(d))
		return mw_fail(cx, MW_ERANGE, "a plane coefficient is not a finite number");
	mw_big c[4];
	if (!big_coefficients(n, d, c))
		return MW_OK;
	bool turned = canonical(c);
	uint32_t index;
	if (add_big(cx, t, &index, c))
		return cx->err.code;
	*id = index * 2 + (turned ? 1 : 0);
	return MW_OK;
}

mw_plane_id mw_planes_find(const mw_planes *t, mw_vec3 n, double d)
{
	mw_big c[4];
	if (!mw_finite3(n) || !isfinite(d) || !big_coefficients(n, d, c))
		return MW_PLANE_NONE;
	bool turned = canonical(c);
	uint32_t index = find_big(t, c);
	return index == UINT32_MAX ? MW_PLANE_NONE : index * 2 + (turned ? 1 : 0);
}

mw_plane mw_planes_raw(const mw_planes *t, mw_plane_id id)
{
	const mw_plane_exact *e = &t->exact.v[MW_PLANE_INDEX(id)];
	if (e->wide || e->nbits > 53 || e->dbits > 53)
		return mw_planes_get(t, id);
	int64_t s = id & 1 ? -1 : 1;
	mw_plane p;
	p.n = mw_v3((double)(s * e->c[0]), (double)(s * e->c[1]), (double)(s * e->c[2]));
	p.d = (double)(s * e->c[3]);
	return p;
}

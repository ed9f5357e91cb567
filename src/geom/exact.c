#include "geom/exact.h"

#include <string.h>

static void trim(mw_big *r, uint32_t n, int32_t sign)
{
	while (n > 0 && r->w[n - 1] == 0)
		n--;
	r->n = n;
	r->sign = n ? sign : 0;
}

void mw_big_set_i64(mw_big *r, int64_t x)
{
	r->w[0] = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
	trim(r, 1, x < 0 ? -1 : 1);
}

/* |x| = m * 2^e with m an odd integer below 2^53 (0 for 0). */
static uint64_t take_apart(double x, int *e)
{
	if (!(x != 0)) {
		*e = 0;
		return 0;
	}
	int ex;
	double m = frexp(fabs(x), &ex);
	uint64_t w = (uint64_t)ldexp(m, 53);
	int tz = __builtin_ctzll(w);
	*e = ex - 53 + tz;
	return w >> tz;
}

int mw_big_scale_of(double x)
{
	int e;
	take_apart(x, &e);
	return e < 0 ? -e : 0;
}

void mw_big_set_double(mw_big *r, double x, int k)
{
	int e;
	uint64_t m = take_apart(x, &e);
	mw_big one;
	one.w[0] = m;
	trim(&one, 1, x < 0 ? -1 : 1);
	MW_ASSERT(m == 0 || e + k >= 0);
	mw_big_shl(r, &one, m ? (uint32_t)(e + k) : 0);
}

void mw_big_copy(mw_big *r, const mw_big *a)
{
	r->sign = a->sign;
	r->n = a->n;
	memmove(r->w, a->w, a->n * sizeof a->w[0]);
}

static int cmp_mag(const mw_big *a, const mw_big *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (uint32_t i = a->n; i-- > 0;)
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i] ? -1 : 1;
	return 0;
}

int mw_big_cmp(const mw_big *a, const mw_big *b)
{
	if (a->sign != b->sign)
		return a->sign < b->sign ? -1 : 1;
	return a->sign < 0 ? -cmp_mag(a, b) : cmp_mag(a, b);
}

static void add_mag(mw_big *r, const mw_big *a, const mw_big *b, int32_t sign)
{
	if (a->n < b->n) {
		const mw_big *t = a;
		a = b;
		b = t;
	}
	uint32_t an = a->n, bn = b->n;
	uint64_t carry = 0;
	for (uint32_t i = 0; i < an; i++) {
		mw_u128 s = (mw_u128)a->w[i] + (i < bn ? b->w[i] : 0) + carry;
		r->w[i] = (uint64_t)s;
		carry = (uint64_t)(s >> 64);
	}
	MW_ASSERT(an < MW_BIG_LIMBS);
	r->w[an] = carry;
	trim(r, an + 1, sign);
}

/* |a| - |b|, |a| >= |b| */
static void sub_mag(mw_big *r, const mw_big *a, const mw_big *b, int32_t sign)
{
	uint32_t an = a->n, bn = b->n;
	uint64_t borrow = 0;
	for (uint32_t i = 0; i < an; i++) {
		mw_u128 s = (mw_u128)a->w[i] - (i < bn ? b->w[i] : 0) - borrow;
		r->w[i] = (uint64_t)s;
		borrow = (uint64_t)(s >> 64) & 1;
	}
	trim(r, an, sign);
}

static void add_signed(mw_big *r, const mw_big *a, const mw_big *b, int32_t bsign)
{
	if (bsign == 0) {
		mw_big_copy(r, a);
		return;
	}
	if (a->sign == 0) {
		mw_big_copy(r, b);
		r->sign = bsign;
		return;
	}
	if (a->sign == bsign) {
		add_mag(r, a, b, bsign);
		return;
	}
	int c = cmp_mag(a, b);
	if (c >= 0)
		sub_mag(r, a, b, a->sign);
	else
		sub_mag(r, b, a, bsign);
}

void mw_big_add(mw_big *r, const mw_big *a, const mw_big *b)
{
	add_signed(r, a, b, b->sign);
}

void mw_big_sub(mw_big *r, const mw_big *a, const mw_big *b)
{
	add_signed(r, a, b, -b->sign);
}

void mw_big_mul(mw_big *r, const mw_big *a, const mw_big *b)
{
	if (a->sign == 0 || b->sign == 0) {
		r->sign = 0;
		r->n = 0;
		return;
	}
	uint32_t n = a->n + b->n;
	MW_ASSERT(n <= MW_BIG_LIMBS);
	memset(r->w, 0, n * sizeof r->w[0]);
	for (uint32_t i = 0; i < a->n; i++) {
		uint64_t carry = 0;
		for (uint32_t j = 0; j < b->n; j++) {
			mw_u128 s = (mw_u128)a->w[i] * b->w[j] + r->w[i + j] + carry;
			r->w[i + j] = (uint64_t)s;
			carry = (uint64_t)(s >> 64);
		}
		r->w[i + b->n] = carry;
	}
	trim(r, n, a->sign * b->sign);
}

void mw_big_shl(mw_big *r, const mw_big *a, uint32_t bits)
{
	uint32_t limbs = bits / 64, rest = bits % 64, n = a->n;
	int32_t sign = a->sign;
	if (n == 0) {
		r->sign = 0;
		r->n = 0;
		return;
	}
	MW_ASSERT(n + limbs + 1 <= MW_BIG_LIMBS);
	r->w[n + limbs] = 0;
	for (uint32_t i = n; i-- > 0;) {
		uint64_t w = a->w[i];
		if (rest) {
			r->w[i + limbs + 1] |= w >> (64 - rest);
			r->w[i + limbs] = w << rest;
		} else {
			r->w[i + limbs] = w;
		}
	}
	memset(r->w, 0, limbs * sizeof r->w[0]);
	trim(r, n + limbs + 1, sign);
}

void mw_big_shr(mw_big *r, const mw_big *a, uint32_t bits)
{
	uint32_t limbs = bits / 64, rest = bits % 64, n = a->n;
	int32_t sign = a->sign;
	if (limbs >= n) {
		r->sign = 0;
		r->n = 0;
		return;
	}
	for (uint32_t i = limbs; i < n; i++) {
		uint64_t hi = i + 1 < n ? a->w[i + 1] : 0;
		r->w[i - limbs] = rest ? (a->w[i] >> rest) | (hi << (64 - rest)) : a->w[i];
	}
	trim(r, n - limbs, sign);
}

uint32_t mw_big_bits(const mw_big *a)
{
	return a->n ? a->n * 64 - (uint32_t)__builtin_clzll(a->w[a->n - 1]) : 0;
}

uint32_t mw_big_twos(const mw_big *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->w[i])
			return i * 64 + (uint32_t)__builtin_ctzll(a->w[i]);
	return 0;
}

static uint64_t gcd_u64(uint64_t a, uint64_t b)
{
	if (a == 0 || b == 0)
		return a | b;
	int s = __builtin_ctzll(a | b);
	a >>= __builtin_ctzll(a);
	do {
		b >>= __builtin_ctzll(b);
		if (a > b) {
			uint64_t t = a;
			a = b;
			b = t;
		}
		b -= a;
	} while (b);
	return a << s;
}

void mw_big_gcd(mw_big *r, const mw_big *a, const mw_big *b)
{
	if (a->n <= 1 && b->n <= 1) {
		r->w[0] = gcd_u64(a->n ? a->w[0] : 0, b->n ? b->w[0] : 0);
		trim(r, 1, 1);
		return;
	}
	if (a->sign == 0 || b->sign == 0) {
		mw_big_copy(r, a->sign ? a : b);
		r->sign = 1;
		return;
	}
	uint32_t ta = mw_big_twos(a), tb = mw_big_twos(b);
	mw_big u, v;
	mw_big_shr(&u, a, ta);
	mw_big_shr(&v, b, tb);
	u.sign = v.sign = 1;
	for (;;) {
		int c = cmp_mag(&u, &v);
		if (c == 0)
			break;
		mw_big *big = c > 0 ? &u : &v, *small = c > 0 ? &v : &u;
		sub_mag(big, big, small, 1);
		mw_big_shr(big, big, mw_big_twos(big));
	}
	mw_big_shl(r, &u, ta < tb ? ta : tb);
}

void mw_big_div_exact(mw_big *r, const mw_big *a, const mw_big *b)
{
	if (a->n <= 1 && b->n <= 1) {
		r->w[0] = a->n ? a->w[0] / b->w[0] : 0;
		trim(r, 1, a->sign);
		return;
	}
	/* Jebelean: with b odd the quotient comes out limb by limb from the low end. */
	uint32_t tb = mw_big_twos(b);
	mw_big rem, odd;
	mw_big_shr(&rem, a, tb);
	mw_big_shr(&odd, b, tb);
	uint32_t n = rem.n, bn = odd.n;
	if (n < bn) {
		r->sign = 0;
		r->n = 0;
		return;
	}
	uint64_t inv = odd.w[0]; /* Newton: right to 3 bits, doubling each step */
	for (int i = 0; i < 6; i++)
		inv *= 2 - odd.w[0] * inv;
	uint32_t qn = n - bn + 1;
	for (uint32_t i = 0; i < qn; i++) {
		uint64_t q = rem.w[i] * inv, carry = 0, borrow = 0;
		r->w[i] = q;
		for (uint32_t j = 0; j < bn && i + j < n; j++) {
			mw_u128 p = (mw_u128)q * odd.w[j] + carry;
			carry = (uint64_t)(p >> 64);
			mw_u128 s = (mw_u128)rem.w[i + j] - (uint64_t)p - borrow;
			rem.w[i + j] = (uint64_t)s;
			borrow = (uint64_t)(s >> 64) & 1;
		}
		for (uint32_t j = i + bn; j < n && (carry || borrow); j++) {
			mw_u128 s = (mw_u128)rem.w[j] - carry - borrow;
			rem.w[j] = (uint64_t)s;
			borrow = (uint64_t)(s >> 64) & 1;
			carry = 0;
		}
	}
	trim(r, qn, a->sign);
}

double mw_big_frexp(const mw_big *a, int *e)
{
	uint32_t bits = mw_big_bits(a);
	*e = 0;
	if (bits == 0)
		return 0;
	uint64_t top;
	if (bits <= 64) {
		top = a->w[0] << (64 - bits);
	} else {
		uint32_t at = bits - 64, limb = at / 64, rest = at % 64;
		top = a->w[limb] >> rest;
		if (rest)
			top |= a->w[limb + 1] << (64 - rest);
	}
	double m = ldexp((double)top, -64);
	*e = (int)bits;
	return a->sign < 0 ? -m : m;
}

/* (p - q) in integers at scale k. */
static void diff(mw_big r[3], const mw_vec3 *p, const mw_vec3 *q, int k)
{
	for (int i = 0; i < 3; i++) {
		mw_big x, y;
		mw_big_set_double(&x, p->v[i], k);
		mw_big_set_double(&y, q->v[i], k);
		mw_big_sub(&r[i], &x, &y);
	}
}

static int common_scale(const mw_vec3 *const *p, int n)
{
	int k = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 3; j++) {
			int s = mw_big_scale_of(p[i]->v[j]);
			k = s > k ? s : k;
		}
	return k;
}

static void minor(mw_big *r, const mw_big *a, const mw_big *b, const mw_big *c, const mw_big *d)
{
	mw_big x, y;
	mw_big_mul(&x, a, b);
	mw_big_mul(&y, c, d);
	mw_big_sub(r, &x, &y);
}

static int orient_exact(const mw_vec3 *a, const mw_vec3 *b, const mw_vec3 *c, const mw_vec3 *d)
{
	const mw_vec3 *all[4] = {a, b, c, d};
	int k = common_scale(all, 4);
	mw_big u[3], v[3], w[3], sum, m, t;
	diff(u, b, a, k);
	diff(v, c, a, k);
	diff(w, d, a, k);
	mw_big_set_i64(&sum, 0);
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, l = (i + 2) % 3;
		minor(&m, &u[j], &v[l], &u[l], &v[j]);
		mw_big_mul(&t, &m, &w[i]);
		mw_big_add(&sum, &sum, &t);
	}
	return sum.sign;
}

int mw_exact_orient(const mw_vec3 *a, const mw_vec3 *b, const mw_vec3 *c, const mw_vec3 *d)
{
	mw_vec3 u = mw_sub3(*b, *a), v = mw_sub3(*c, *a), w = mw_sub3(*d, *a);
	double det = 0, bound = 0;
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, l = (i + 2) % 3;
		double p = u.v[j] * v.v[l], q = u.v[l] * v.v[j];
		det += (p - q) * w.v[i];
		bound += (fabs(p) + fabs(q)) * fabs(w.v[i]);
	}
	/* Shewchuk's static bound for orient3d is (7 + 56 u) u; twice that is ample. The lower
	 * limit keeps products that underflowed from passing. */
	double err = bound * 1.6e-15;
	if (isfinite(bound) && bound > 1e-250 && (det > err || det < -err))
		return det > 0 ? 1 : -1;
	return orient_exact(a, b, c, d);
}

bool mw_exact_collinear(const mw_vec3 *a, const mw_vec3 *b, const mw_vec3 *c)
{
	mw_vec3 u = mw_sub3(*b, *a), v = mw_sub3(*c, *a);
	for (int i = 0; i < 3; i++) {
		double p = u.v[(i + 1) % 3] * v.v[(i + 2) % 3];
		double q = u.v[(i + 2) % 3] * v.v[(i + 1) % 3];
		double bound = fabs(p) + fabs(q);
		if (isfinite(bound) && bound > 1e-250 && fabs(p - q) > bound * 1e-15)
			return false;
	}
	const mw_vec3 *all[3] = {a, b, c};
	int k = common_scale(all, 3);
	mw_big bu[3], bv[3], m;
	diff(bu, b, a, k);
	diff(bv, c, a, k);
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, l = (i + 2) % 3;
		minor(&m, &bu[j], &bv[l], &bu[l], &bv[j]);
		if (m.sign)
			return false;
	}
	return true;
}

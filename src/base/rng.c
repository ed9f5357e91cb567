#include "base/rng.h"

/* SplitMix64's finalizer: every bit of x reaches every bit of the result. */
uint64_t mw_mix64(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

void mw_rng_init(mw_rng *r, uint64_t seed, const char *stream)
{
	uint64_t key = mw_mix64(seed);

	for (; stream && *stream; stream++)
		key = mw_mix64(key ^ (unsigned char)*stream);
	for (int i = 0; i < 4; i++) {
		key = mw_mix64(key);
		r->s[i] = key;
	}
}

static uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

uint64_t mw_rng_u64(mw_rng *r)
{
	uint64_t out = rotl(r->s[1] * 5, 7) * 9, t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = rotl(r->s[3], 45);
	return out;
}

double mw_rng_unit(mw_rng *r)
{
	return (double)(mw_rng_u64(r) >> 11) * 0x1p-53;
}

uint64_t mw_rng_below(mw_rng *r, uint64_t n)
{
	uint64_t tail = (0 - n) % n, v; /* 2^64 mod n: values below it would be too frequent */

	do
		v = mw_rng_u64(r);
	while (v < tail);
	return v % n;
}

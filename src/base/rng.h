/* Seeded generator with named streams: inserting a call in one stream never reshuffles another. */
#ifndef MW_BASE_RNG_H
#define MW_BASE_RNG_H

#include "base/mw.h"

typedef struct {
	uint64_t s[4]; /* xoshiro256** */
} mw_rng;

/* stream may be NULL; equal (seed, stream) give equal numbers on every machine. */
void mw_rng_init(mw_rng *r, uint64_t seed, const char *stream);
uint64_t mw_rng_u64(mw_rng *r);
double mw_rng_unit(mw_rng *r); /* [range: 0..1, 1 excluded] 53 bits */
/* Uniform without bias. [range: 0..n-1] [n: >= 1] */
uint64_t mw_rng_below(mw_rng *r, uint64_t n);

/* Stateless mix of a key, for hashes over grids. */
uint64_t mw_mix64(uint64_t x);

#endif

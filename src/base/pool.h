/* Thread pool: index ranges by an atomic counter. Job i writes only output i: the result is the
 * same for any number of threads. */
#ifndef MW_BASE_POOL_H
#define MW_BASE_POOL_H

#include "base/ctx.h"

/* threads: workers including the caller [range: 1..256]; 0 = online cores. NULL with MW_ENOMEM. */
mw_pool *mw_pool_new(mw_ctx *cx, int threads);
void mw_pool_free(mw_pool *pool);
/* 1 for a NULL pool. */
int mw_pool_threads(const mw_pool *pool);

/* Run over [first, last) of 0..n. worker is 0..threads-1 and stable within a call: index scratch
 * with it. cx is that worker's child context. Return MW_OK or a recorded failure. */
typedef mw_code (*mw_pool_fn)(mw_ctx *cx, void *ud, size_t first, size_t last, int worker);

/* Cut 0..n into ranges of grain (>= 1) and run fn over all of them on cx->pool (inline when NULL).
 * The failure with the lowest index is adopted into cx, whatever the thread count; no further
 * ranges above it are started. Not re-entrant: fn must not call it with the same pool. */
MW_NODISCARD mw_code mw_pool_for(mw_ctx *cx, size_t n, size_t grain, mw_pool_fn fn, void *ud);

#endif

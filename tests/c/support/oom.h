/* Allocation-failure sweep: the same work again and again, each time with one allocation more. */
#ifndef MW_TESTS_SUPPORT_OOM_H
#define MW_TESTS_SUPPORT_OOM_H

#include "base/ctx.h"

/* One complete piece of work: initialise, use, free again, whatever happens. Returns the first
 * failure. */
typedef mw_code (*oom_work)(mw_ctx *cx, void *ud);

/* Runs work with k = 0, 1, 2... allocations allowed until it succeeds untouched, twice for each k:
 * once with everything after the k-th refused, once with only one refused. Every refusal must come
 * back as MW_ENOMEM, recorded in cx (a single one may be survived), and every block must have been
 * freed. Long works are sampled: each of the first 300, then ever larger steps. Returns the number
 * of allocations of a whole run. Fails the running cmocka test otherwise. */
size_t oom_sweep(oom_work work, void *ud);

/* As oom_sweep, with the limits and log of *base (its allocator and pool are replaced). */
size_t oom_sweep_in(const mw_ctx *base, oom_work work, void *ud);

#endif

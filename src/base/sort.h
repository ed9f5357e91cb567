/* Stable merge sort; libc's is not stable and differs between systems. */
#ifndef MW_BASE_SORT_H
#define MW_BASE_SORT_H

#include "base/ctx.h"

/* < 0, 0, > 0; must be total apart from equal elements, which keep their order. */
typedef int (*mw_cmp_fn)(const void *a, const void *b, void *ud);

/* Sort n elements of size bytes at base. Needs n * size bytes of scratch: MW_ENOMEM. */
MW_NODISCARD mw_code mw_sort(
	mw_ctx *cx, void *base, size_t n, size_t size, mw_cmp_fn cmp, void *ud);

#endif

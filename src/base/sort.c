#include "base/sort.h"

#include "base/mem.h"

#include <string.h>

#define RUN 8 /* insertion sort below this many elements */

static void insertion(char *v, size_t n, size_t size, mw_cmp_fn cmp, void *ud, char *one)
{
	for (size_t i = 1; i < n; i++) {
		size_t j = i;

		while (j > 0 && cmp(v + (j - 1) * size, v + i * size, ud) > 0)
			j--;
		if (j < i) {
			memcpy(one, v + i * size, size);
			memmove(v + (j + 1) * size, v + j * size, (i - j) * size);
			memcpy(v + j * size, one, size);
		}
	}
}

static void merge(const char *a, size_t na, const char *b, size_t nb, char *out, size_t size,
	mw_cmp_fn cmp, void *ud)
{
	while (na && nb) {
		if (cmp(a, b, ud) <= 0) {
			memcpy(out, a, size);
			a += size;
			na--;
		} else {
			memcpy(out, b, size);
			b += size;
			nb--;
		}
		out += size;
	}
	memcpy(out, na ? a : b, (na ? na : nb) * size);
}

mw_code mw_sort(mw_ctx *cx, void *base, size_t n, size_t size, mw_cmp_fn cmp, void *ud)
{
	char *from = base, *to, *scratch;

	if (n < 2)
		return MW_OK;
	scratch = mw_alloc_n(cx, n + 1, size);
	if (!scratch)
		return MW_ENOMEM;
	for (size_t i = 0; i < n; i += RUN)
		insertion(from + i * size, n - i < RUN ? n - i : RUN, size, cmp, ud,
			scratch + n * size);
	to = scratch;
	for (size_t run = RUN; run < n; run *= 2) {
		char *swap = from;

		for (size_t i = 0; i < n; i += 2 * run) {
			size_t na = n - i < run ? n - i : run;
			size_t nb = n - i - na < run ? n - i - na : run;

			merge(from + i * size, na, from + (i + na) * size, nb, to + i * size, size,
				cmp, ud);
		}
		from = to;
		to = swap;
	}
	if (from != (char *)base)
		memcpy(base, from, n * size);
	mw_free(cx, scratch);
	return MW_OK;
}

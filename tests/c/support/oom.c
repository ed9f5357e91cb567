#include "support/oom.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "support/test.h"

struct oom {
	size_t allowed;        /* allocations before the first refusal */
	bool only_one;         /* grant again after one refusal */
	atomic_size_t asked;   /* allocations asked for so far */
	atomic_size_t refused; /* of these, refused */
	atomic_size_t live;    /* blocks not yet freed */
};

static void *oom_alloc(void *ud, void *ptr, size_t osize, size_t nsize)
{
	struct oom *oom = ud;

	(void)osize;
	if (nsize == 0) {
		if (ptr != NULL)
			atomic_fetch_sub(&oom->live, 1);
		free(ptr);
		return NULL;
	}
	size_t nth = atomic_fetch_add(&oom->asked, 1);
	if (oom->only_one ? nth == oom->allowed : nth >= oom->allowed) {
		atomic_fetch_add(&oom->refused, 1);
		return NULL;
	}
	void *block = realloc(ptr, nsize);
	assert_non_null(block);
	if (ptr == NULL)
		atomic_fetch_add(&oom->live, 1);
	return block;
}

/* One run; true when nothing was refused. */
static bool run(
	const mw_ctx *base, oom_work work, void *ud, size_t allowed, bool only_one, size_t *asked)
{
	struct oom oom = {.allowed = allowed, .only_one = only_one};
	mw_ctx cx;

	mw_ctx_init(&cx);
	if (base != NULL) {
		cx.limits = base->limits;
		cx.log = base->log;
	}
	cx.alloc = oom_alloc;
	cx.alloc_ud = &oom;
	mw_code code = work(&cx, ud);
	size_t refused = atomic_load(&oom.refused);
	size_t live = atomic_load(&oom.live);

	if (live != 0)
		fail_msg("%zu block(s) leaked with %zu allocation(s) allowed%s", live, allowed,
			only_one ? " and one refused" : "");
	/* A single refusal may be survived: Lua collects garbage and asks again. */
	if (code != (refused != 0 ? MW_ENOMEM : MW_OK) && !(only_one && code == MW_OK))
		fail_msg("got %s (%s) with %zu allocation(s) allowed and %zu refused",
			mw_code_name(code), cx.err.msg, allowed, refused);
	if (cx.err.code != code)
		fail_msg("returned %s but recorded %s", mw_code_name(code),
			mw_code_name(cx.err.code));
	*asked = atomic_load(&oom.asked);
	return refused == 0;
}

size_t oom_sweep_in(const mw_ctx *base, oom_work work, void *ud)
{
	size_t asked = 0;
	size_t k = 0;

	while (!run(base, work, ud, k, false, &asked)) {
		run(base, work, ud, k, true, &asked);
		k += k < 300 ? 1 : k / 50;
	}
	assert_true(asked > 0); /* a sweep over work that allocates nothing proves nothing */
	return asked;
}

size_t oom_sweep(oom_work work, void *ud)
{
	return oom_sweep_in(NULL, work, ud);
}

/* The thread pool: every range once, the lowest failure wins, whatever the number of threads. */
#include "support/test.h"

#include <stdatomic.h>
#include <string.h>

#include "base/pool.h"

#define N 10007

typedef struct {
	unsigned char seen[N];
	atomic_int worker_out_of_range;
	int threads;
	size_t fail_from; /* every range from here on fails */
} job;

static mw_code mark(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	job *j = ud;

	if (worker < 0 || worker >= j->threads)
		atomic_store(&j->worker_out_of_range, 1);
	for (size_t i = first; i < last; i++)
		j->seen[i]++;
	if (first >= j->fail_from)
		return mw_fail(cx, MW_EFORMAT, "range %zu", first);
	return MW_OK;
}

static void with_threads(int threads)
{
	static job j;
	mw_ctx cx;

	mw_ctx_init(&cx);
	cx.pool = mw_pool_new(&cx, threads);
	assert_non_null(cx.pool);
	for (int round = 0; round < 50; round++) {
		memset(&j, 0, sizeof j);
		j.threads = threads;
		j.fail_from = N;
		assert_ok(&cx, mw_pool_for(&cx, N, 100, mark, &j));
		for (size_t i = 0; i < N; i++)
			assert_int_equal(j.seen[i], 1);
		assert_int_equal(j.worker_out_of_range, 0);
		j.fail_from = 5000;
		assert_fails(&cx, mw_pool_for(&cx, N, 100, mark, &j), MW_EFORMAT, "range 5000");
	}
	assert_ok(&cx, mw_pool_for(&cx, 0, 1, mark, &j));
	mw_pool_free(cx.pool);
}

static void one_thread_runs_all(void **state)
{
	(void)state;
	with_threads(1);
}

static void two_threads_give_the_same(void **state)
{
	(void)state;
	with_threads(2);
}

static void seven_threads_give_the_same(void **state)
{
	(void)state;
	with_threads(7);
}

static void no_pool_runs_inline(void **state)
{
	static job j;
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	j.threads = 1;
	j.fail_from = 300;
	assert_fails(&cx, mw_pool_for(&cx, N, 100, mark, &j), MW_EFORMAT, "range 300");
	assert_int_equal(j.seen[399], 1);
	assert_int_equal(j.seen[400], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_runs_all),
		cmocka_unit_test(two_threads_give_the_same),
		cmocka_unit_test(seven_threads_give_the_same),
		cmocka_unit_test(no_pool_runs_inline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

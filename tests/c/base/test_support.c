/* The sweeps themselves: a test that cannot fail proves nothing, so each must notice what it is
 * for. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/hex.h"
#include "support/oom.h"
#include "support/prefix.h"

static mw_code two_blocks(mw_ctx *cx, void *ud)
{
	void *a = mw_alloc(cx, 10);
	void *b = a != NULL ? mw_alloc(cx, 20) : NULL;

	(void)ud;
	mw_free(cx, b);
	mw_free(cx, a);
	return cx->err.code;
}

static mw_code leaking(mw_ctx *cx, void *ud)
{
	void *a = mw_alloc(cx, 10);
	void *b = a != NULL ? mw_alloc(cx, 20) : NULL;

	(void)ud;
	if (b == NULL)
		return cx->err.code;
	mw_free(cx, b);
	mw_free(cx, a);
	return MW_OK;
}

static mw_code swallowing(mw_ctx *cx, void *ud)
{
	(void)ud;
	mw_free(cx, mw_alloc(cx, 10));
	mw_err_clear(cx);
	return MW_OK;
}

/* Format of the prefix tests: a length byte, then as many bytes. */
static mw_code read_counted(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	(void)ud;
	if (n == 0 || n - 1 < bytes[0])
		return mw_fail(cx, MW_EFORMAT, "too short: %zu bytes", n);
	return MW_OK;
}

static mw_code read_anything(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	(void)cx;
	(void)bytes;
	(void)n;
	(void)ud;
	return MW_OK;
}

static void sweep_leaking(void **state)
{
	(void)state;
	oom_sweep(leaking, NULL);
}

static void sweep_swallowing(void **state)
{
	(void)state;
	oom_sweep(swallowing, NULL);
}

static void sweep_anything(void **state)
{
	(void)state;
	prefix_sweep(read_anything, NULL, "\002ab", 3, PREFIX_MUST_FAIL);
}

static void wrong_hex(void **state)
{
	(void)state;
	assert_hex("ab", 2, "'ac'");
}

/* The test fails in a process of its own, whose output is not ours. */
static void assert_test_fails(const struct CMUnitTest *test)
{
	pid_t child = fork();
	int status = 0;

	assert_true(child >= 0);
	if (child == 0) {
		if (freopen("/dev/null", "w", stdout) == NULL ||
			freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		_exit(_cmocka_run_group_tests("inner", test, 1, NULL, NULL) == 1 ? 7 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

static void a_sweep_counts_the_allocations_of_a_whole_run(void **state)
{
	(void)state;
	assert_int_equal(oom_sweep(two_blocks, NULL), 2);
}

static void a_sweep_notices_leaks_and_swallowed_failures(void **state)
{
	const struct CMUnitTest leak = cmocka_unit_test(sweep_leaking);
	const struct CMUnitTest swallow = cmocka_unit_test(sweep_swallowing);

	(void)state;
	assert_test_fails(&leak);
	assert_test_fails(&swallow);
}

static void truncations_of_a_counted_string_are_refused(void **state)
{
	const struct CMUnitTest anything = cmocka_unit_test(sweep_anything);

	(void)state;
	prefix_sweep(read_counted, NULL, "\003abc", 4, PREFIX_MUST_FAIL);
	mutate_sweep(read_counted, NULL, "\003abc", 4);
	assert_test_fails(&anything);
}

static void hex_text_becomes_bytes(void **state)
{
	const struct CMUnitTest wrong = cmocka_unit_test(wrong_hex);
	uint8_t out[8];

	(void)state;
	assert_int_equal(hex_bytes("4D 57, 'a b' 00*3 # rest", out, sizeof out), 8);
	assert_memory_equal(out, "MWa b\0\0\0", 8);
	assert_hex("\001\002", 2, "01\n02");
	assert_test_fails(&wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sweep_counts_the_allocations_of_a_whole_run),
		cmocka_unit_test(a_sweep_notices_leaks_and_swallowed_failures),
		cmocka_unit_test(truncations_of_a_counted_string_are_refused),
		cmocka_unit_test(hex_text_becomes_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* cmocka with what it needs before it, and the checks that every test of ours shares. */
#ifndef MW_TESTS_SUPPORT_TEST_H
#define MW_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ctx.h"

/* The call worked; otherwise the test fails with the recorded message. */
#define assert_ok(cx, call) test_assert_code((cx), (call), MW_OK, NULL, __FILE__, __LINE__)

/* The call failed with this code, recorded it, and its one-line message contains part (NULL: any).
 */
#define assert_fails(cx, call, code, part)                                                         \
	test_assert_code((cx), (call), (code), (part), __FILE__, __LINE__)

/* A failure is also forgotten, so that one context serves many checks. */
void test_assert_code(
	mw_ctx *cx, mw_code got, mw_code want, const char *part, const char *file, int line);

/* Path of a file under ../shared (environment MAPWRIGHT_SHARED overrides) in a static buffer; skips
 * the running test where it is absent. */
const char *test_shared(const char *relative);

#endif

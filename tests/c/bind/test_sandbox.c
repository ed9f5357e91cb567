/* The second Lua state: results, limits, allocation failures. */
#include "support/oom.h"
#include "support/test.h"

#include "bind/sandbox.h"

#include <lauxlib.h>
#include <string.h>

static mw_code run(mw_ctx *cx, const char *text, double *result, const mw_sandbox_limits *limits)
{
	mw_sandbox *sb = mw_sandbox_new(cx, limits);
	mw_code code;

	if (!sb)
		return cx->err.code;
	code = mw_sandbox_load(sb, text, strlen(text), "x.lua");
	if (code == MW_OK)
		code = mw_sandbox_run(sb);
	if (code == MW_OK && result)
		*result = lua_tonumber(mw_sandbox_lua(sb), -1);
	mw_sandbox_free(sb);
	return code;
}

static void a_program_gives_its_result(void **state)
{
	mw_ctx cx;
	double v = 0;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, run(&cx, "local n = 0 for i = 1, 10 do n = n + i end return n", &v, NULL));
	assert_true(v == 55);
}

static void failures_name_file_and_line(void **state)
{
	mw_ctx cx;
	char text[256];

	(void)state;
	mw_ctx_init(&cx);
	assert_int_equal(run(&cx, "local a\n\nreturn a.b", NULL, NULL), MW_EFORMAT);
	mw_err_format(&cx.err, text, sizeof text);
	assert_string_equal(text, "x.lua:3: attempt to index a nil value (local 'a')");
	mw_err_clear(&cx);
	assert_int_equal(run(&cx, "\nreturn (", NULL, NULL), MW_EFORMAT);
	mw_err_format(&cx.err, text, sizeof text);
	assert_string_equal(text, "x.lua:2: unexpected symbol near '<eof>'");
	mw_err_clear(&cx);
	assert_int_equal(run(&cx, "error({})", NULL, NULL), MW_EFORMAT);
}

static void limits_stop_it(void **state)
{
	mw_sandbox_limits limits = mw_sandbox_limits_default();
	mw_ctx cx;

	(void)state;
	limits.steps = 2000000;
	limits.memory = (size_t)2 << 20;
	limits.string = 1000;
	mw_ctx_init(&cx);
	assert_fails(
		&cx, run(&cx, "while true do end", NULL, &limits), MW_ELIMIT, "2 million steps");
	assert_fails(
		&cx, run(&cx, "while true do pcall(error) end", NULL, &limits), MW_ELIMIT, "steps");
	assert_fails(&cx, run(&cx, "local t = {} while true do t[#t + 1] = {} end", NULL, &limits),
		MW_ELIMIT, "2 MiB of memory");
	assert_fails(&cx, run(&cx, "return ('x'):rep(1001)", NULL, &limits), MW_EFORMAT, "limit");
	limits.steps = UINT64_MAX;
	limits.milliseconds = 50;
	assert_fails(&cx, run(&cx, "while true do end", NULL, &limits), MW_ELIMIT,
		"50 ms of processor time");
}

static mw_code oom_work_of(mw_ctx *cx, void *ud)
{
	return run(cx, ud, NULL, NULL);
}

/* Allocations that fail inside the state come back as errors of Lua that a program may catch, so
 * these programs do not. */
static void running_out_of_memory_is_survived(void **state)
{
	(void)state;
	assert_true(
		oom_sweep(oom_work_of,
			(void *)(uintptr_t) "local t = {} for i = 1, 20 do t[i] = i .. 'x' end "
					    "for k, v in pairs(t) do t[k] = v:gsub('x', 'y') end "
					    "return #table.concat(t)") > 100);
	assert_true(oom_sweep(oom_work_of,
			    (void *)(uintptr_t) "local f = loadstring('return 1 + 2') return f()") >
		50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_gives_its_result),
		cmocka_unit_test(failures_name_file_and_line),
		cmocka_unit_test(limits_stop_it),
		cmocka_unit_test(running_out_of_memory_is_survived),
	};

	return cmocka_run_group_tests_name("sandbox", tests, NULL, NULL);
}

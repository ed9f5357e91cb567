#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void test_assert_code(
	mw_ctx *cx, mw_code got, mw_code want, const char *part, const char *file, int line)
{
	char text[MW_ERR_SUBJECT + MW_ERR_MSG + 64] = "";

	if (cx->err.code != MW_OK)
		mw_err_format(&cx->err, text, sizeof text);
	if (got != want) {
		print_error("got %s, want %s: %s\n", mw_code_name(got), mw_code_name(want), text);
		_fail(file, line);
	}
	if (cx->err.code != got) {
		print_error("returned %s but recorded %s: %s\n", mw_code_name(got),
			mw_code_name(cx->err.code), text);
		_fail(file, line);
	}
	if (got != MW_OK && (cx->err.msg[0] == '\0' || strchr(text, '\n') != NULL)) {
		print_error("not a one-line message: \"%s\"\n", text);
		_fail(file, line);
	}
	if (part != NULL && strstr(text, part) == NULL) {
		print_error("\"%s\" does not contain \"%s\"\n", text, part);
		_fail(file, line);
	}
	mw_err_clear(cx);
}

const char *test_shared(const char *relative)
{
	static char path[4096];
	const char *root = getenv("MAPWRIGHT_SHARED");
	int n = snprintf(path, sizeof path, "%s/%s", root != NULL ? root : "../shared", relative);

	assert_true(n > 0 && (size_t)n < sizeof path);
	if (access(path, R_OK) != 0) {
		print_message("skipped: no %s\n", path);
		skip();
	}
	return path;
}

#include "support/prefix.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static mw_code run(
	prefix_read read, void *ud, const uint8_t *data, size_t n, const char *what, size_t at)
{
	mw_mem_meter meter = {0};
	mw_ctx cx;
	uint8_t *copy = malloc(n != 0 ? n : 1);

	assert_non_null(copy);
	if (n != 0)
		memcpy(copy, data, n);
	mw_ctx_init(&cx);
	cx.alloc = mw_mem_metered;
	cx.alloc_ud = &meter;
	mw_code code = read(&cx, copy, n, ud);
	free(copy);

	if (cx.err.code != code)
		fail_msg("%s %zu: returned %s but recorded %s", what, at, mw_code_name(code),
			mw_code_name(cx.err.code));
	if (code != MW_OK && cx.err.msg[0] == '\0')
		fail_msg("%s %zu: %s without a message", what, at, mw_code_name(code));
	if (meter.in_use != 0)
		fail_msg("%s %zu: %zu byte(s) leaked", what, at, meter.in_use);
	return code;
}

void prefix_sweep(prefix_read read, void *ud, const void *data, size_t size, enum prefix_rule rule)
{
	for (size_t n = 0; n < size;) {
		mw_code code = run(read, ud, data, n, "prefix of", n);

		if (rule == PREFIX_MUST_FAIL && code == MW_OK)
			fail_msg("%zu of %zu bytes were read without an error", n, size);
		n += n < 1000 || size - n <= 1000 ? 1 : (size - n - 1000) / 200 + 1;
	}
	mw_code code = run(read, ud, data, size, "whole of", size);
	if (code != MW_OK)
		fail_msg("the whole data is refused: %s", mw_code_name(code));
}

void mutate_sweep(prefix_read read, void *ud, const void *data, size_t size)
{
	uint8_t *copy = malloc(size != 0 ? size : 1);

	assert_non_null(copy);
	memcpy(copy, data, size);
	for (size_t at = 0; at < size; at++) {
		const uint8_t was = copy[at];
		const uint8_t values[] = {
			0x00, 0x7f, 0x80, 0xff, (uint8_t)(was - 1), (uint8_t)(was + 1)};

		for (size_t i = 0; i < MW_COUNTOF(values); i++) {
			copy[at] = values[i];
			run(read, ud, copy, size, "change at byte", at);
		}
		copy[at] = was;
	}
	free(copy);
}

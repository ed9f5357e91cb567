/* What is read as JSON is written and read again, and written once more as the same text. (Trees
 * may differ: 3e2 is a number, its text 300 an integer.) */
#include "fuzz/fuzz.h"

#include <string.h>

#include "base/json.h"

static void round_trip(mw_ctx *cx, mw_arena *arena, const mw_val *v, int indent)
{
	mw_str text = {0}, second = {0};
	mw_val again;

	mw_str_init(&text, cx);
	mw_str_init(&second, cx);
	FUZZ_CHECK(mw_json_write(&text, v, indent) == MW_OK);
	FUZZ_CHECK(mw_json_read(cx, arena, &again, text.p, text.n) == MW_OK);
	FUZZ_CHECK(mw_json_write(&second, &again, indent) == MW_OK);
	FUZZ_CHECK(text.n == second.n && memcmp(text.p, second.p, text.n) == 0);
	mw_str_free(&text);
	mw_str_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mw_ctx cx;
	mw_arena arena = {0};
	mw_val v;

	mw_ctx_init(&cx);
	mw_arena_init(&arena, &cx);
	if (mw_json_read(&cx, &arena, &v, (const char *)data, size) == MW_OK) {
		round_trip(&cx, &arena, &v, 0);
		round_trip(&cx, &arena, &v, 2);
	} else {
		FUZZ_CHECK(cx.err.code != MW_OK && cx.err.msg[0] != '\0');
	}
	mw_arena_free(&arena);
	return 0;
}

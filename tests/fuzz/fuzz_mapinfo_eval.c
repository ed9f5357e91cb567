/* Strangers' programs in the sandbox: they end, within their limits. */
#include "fuzz/fuzz.h"

#include "bind/sandbox.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mw_sandbox_limits limits = mw_sandbox_limits_default();
	mw_sandbox *sb;
	mw_ctx cx;

	limits.steps = 300000;
	limits.memory = (size_t)8 << 20;
	limits.string = (size_t)1 << 20;
	mw_ctx_init(&cx);
	sb = mw_sandbox_new(&cx, &limits);
	FUZZ_CHECK(sb != NULL);
	if (mw_sandbox_load(sb, (const char *)data, size, "x.lua") == MW_OK &&
		mw_sandbox_run(sb) == MW_OK) {
		FUZZ_CHECK(lua_gettop(mw_sandbox_lua(sb)) == 1);
	} else {
		FUZZ_CHECK(cx.err.code != MW_OK && cx.err.code != MW_ENOMEM);
		FUZZ_CHECK(cx.err.msg[0] != '\0');
	}
	mw_sandbox_free(sb);
	return 0;
}

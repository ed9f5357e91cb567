/* A tile file that reads is written again as it was; all its tiles are there. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "format/smf/smf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mw_ctx cx;
	mw_smt smt, strict;
	mw_smf_findings found = {0};
	mw_ctx_init(&cx);
	mw_code code = mw_smt_read(&cx, &smt, &found, data, size);
	FUZZ_CHECK(code == MW_OK || (code == MW_EFORMAT && cx.err.msg[0] != '\0'));
	mw_err_clear(&cx);
	if (code == MW_OK) {
		size_t tiles = (size_t)smt.count * MW_SMT_TILE_BYTES;
		FUZZ_CHECK(smt.tiles + tiles + smt.trailing == data + size);
		FUZZ_CHECK(smt.count <= smt.present);
		bool good = mw_smt_read(&cx, &strict, NULL, data, size) == MW_OK;
		mw_err_clear(&cx);
		FUZZ_CHECK(good == (smt.declared <= smt.present));
		if (good) {
			mw_wr out;
			mw_wr_init(&out, &cx);
			FUZZ_CHECK(mw_smt_codec.rewrite(&cx, &out, data, size) == MW_OK);
			FUZZ_CHECK(out.n == size && memcmp(out.p, data, size) == 0);
			mw_wr_free(&out);
		}
	}
	mw_free(&cx, found.v);
	return 0;
}

/* .smf and .smt as two of the formats of format/list.c. */
#include "format/smf/smf.h"

static mw_code verify_smf(mw_ctx *cx, const uint8_t *bytes, size_t n)
{
	mw_smf smf;
	mw_smf_init(&smf, cx);
	mw_code code = mw_smf_read(cx, &smf, NULL, bytes, n);
	mw_smf_free(&smf);
	return code;
}

/* Also of a file with faults, as long as all its blocks can be read. */
static mw_code rewrite_smf(mw_ctx *cx, mw_wr *out, const uint8_t *bytes, size_t n)
{
	mw_smf smf;
	mw_smf_findings found = {0};
	mw_smf_init(&smf, cx);
	mw_code code = mw_smf_read(cx, &smf, &found, bytes, n);
	for (size_t i = 0; i < found.n && !code; i++)
		if (found.v[i].level == MW_SMF_BROKEN)
			code = mw_smf_refuse(cx, &found);
	if (!code)
		code = mw_smf_write(cx, out, &smf, &(mw_smf_write_opts){.keep_layout = true});
	mw_free(cx, found.v);
	mw_smf_free(&smf);
	return code;
}

static mw_code verify_smt(mw_ctx *cx, const uint8_t *bytes, size_t n)
{
	mw_smt smt;
	return mw_smt_read(cx, &smt, NULL, bytes, n);
}

static mw_code rewrite_smt(mw_ctx *cx, mw_wr *out, const uint8_t *bytes, size_t n)
{
	mw_smt smt;
	mw_code code = mw_smt_read(cx, &smt, NULL, bytes, n);
	if (code)
		return code;
	code = mw_smt_write(cx, out, smt.tiles, smt.count);
	mw_wr_patch_u32(out, 20, smt.declared);
	mw_wr_bytes(out, smt.tiles + (size_t)smt.count * MW_SMT_TILE_BYTES, smt.trailing);
	return mw_wr_code(out);
}

static const char *const smf_extensions[] = {".smf", NULL};
static const char *const smt_extensions[] = {".smt", NULL};

const mw_codec mw_smf_codec = {
	.name = "smf",
	.title = "map file",
	.extensions = smf_extensions,
	.probe = mw_smf_probe,
	.verify = verify_smf,
	.rewrite = rewrite_smf,
};

const mw_codec mw_smt_codec = {
	.name = "smt",
	.title = "tile file",
	.extensions = smt_extensions,
	.probe = mw_smt_probe,
	.verify = verify_smt,
	.rewrite = rewrite_smt,
};

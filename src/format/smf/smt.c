/* Tile files: a 32 byte header and tiles of 680 bytes. */
#include "format/smf/smf.h"

#include "base/rd.h"
#include "format/smf/smf_internal.h"

#include <string.h>

bool mw_smt_probe(const uint8_t *bytes, size_t n)
{
	return n >= sizeof MW_SMT_MAGIC && memcmp(bytes, MW_SMT_MAGIC, sizeof MW_SMT_MAGIC) == 0;
}

mw_code mw_smt_read(mw_ctx *cx, mw_smt *out, mw_smf_findings *found, const uint8_t *bytes, size_t n)
{
	memset(out, 0, sizeof *out);
	if (n < MW_SMT_HEADER_BYTES)
		return mw_fail(cx, MW_EFORMAT, "header: needs %d bytes, file has %zu",
			MW_SMT_HEADER_BYTES, n);
	if (!mw_smt_probe(bytes, n))
		return mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, 0,
			"header: does not begin with \"" MW_SMT_MAGIC "\"");
	mw_rd rd;
	mw_rd_init(&rd, cx, bytes, n);
	mw_rd_skip(&rd, sizeof MW_SMT_MAGIC, "header.magic");
	int32_t version = mw_rd_i32(&rd, "header.version");
	int32_t declared = mw_rd_i32(&rd, "header.numTiles");
	int32_t side = mw_rd_i32(&rd, "header.tileSize");
	int32_t compression = mw_rd_i32(&rd, "header.compressionType");
	mw_code code = mw_rd_code(&rd);
	if (!code)
		code = mw__smf_header_field(cx, 16, "version", version, MW_SMF_VERSION);
	if (!code)
		code = mw__smf_header_field(cx, 24, "tile size", side, MW_SMF_TILE);
	if (!code)
		code = mw__smf_header_field(cx, 28, "compression", compression, MW_SMT_DXT1);
	if (!code && declared < 0)
		code = mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, 20,
			"header: number of tiles is %d", (int)declared);
	if (code)
		return code;

	size_t present = (n - MW_SMT_HEADER_BYTES) / MW_SMT_TILE_BYTES;
	out->declared = (uint32_t)declared;
	out->present = present < UINT32_MAX ? (uint32_t)present : UINT32_MAX;
	/* the first SpringMapConvNG leaves the number at 0, and the engine never looks at it */
	out->count = declared == 0 || out->declared > out->present ? out->present : out->declared;
	out->trailing = n - MW_SMT_HEADER_BYTES - (size_t)out->count * MW_SMT_TILE_BYTES;
	out->tiles = bytes + MW_SMT_HEADER_BYTES;

	mw_smf_findings own = {0};
	mw_smf_findings *to = found ? found : &own;
	if (out->declared > out->present)
		code = mw_smf_report(cx, to, MW_SMF_ERROR, "smt-short", MW_SMF_HEADER, 20,
			"header says %u tiles of 680 bytes, file of %zu bytes has %u",
			(unsigned)out->declared, n, (unsigned)out->present);
	else if (declared == 0 && present > 0)
		code = mw_smf_report(cx, to, MW_SMF_WARNING, "smt-count", MW_SMF_HEADER, 20,
			"header says 0 tiles, file has %u", (unsigned)out->present);
	else if (out->trailing)
		code = mw_smf_report(cx, to, MW_SMF_WARNING, "smt-trailing", MW_SMF_HEADER,
			(int64_t)(n - out->trailing), "%zu bytes after the last tile",
			out->trailing);
	if (!code && !found)
		code = mw_smf_refuse(cx, &own);
	mw_free(cx, own.v);
	return code;
}

void mw_smt_header(uint8_t out[MW_SMT_HEADER_BYTES], uint32_t count)
{
	const uint32_t fields[4] = {MW_SMF_VERSION, count, MW_SMF_TILE, MW_SMT_DXT1};
	memcpy(out, MW_SMT_MAGIC, sizeof MW_SMT_MAGIC);
	for (size_t i = 0; i < MW_COUNTOF(fields); i++)
		for (size_t b = 0; b < 4; b++)
			out[16 + 4 * i + b] = (uint8_t)(fields[i] >> (8 * b));
}

mw_code mw_smt_write(mw_ctx *cx, mw_wr *out, const uint8_t *tiles, uint32_t count)
{
	uint8_t header[MW_SMT_HEADER_BYTES];
	if (count > INT32_MAX)
		return mw_fail(cx, MW_ELIMIT, "%u tiles; a tile file counts to 2147483647",
			(unsigned)count);
	mw_smt_header(header, count);
	mw_wr_bytes(out, header, sizeof header);
	mw_wr_bytes(out, tiles, (size_t)count * MW_SMT_TILE_BYTES);
	return mw_wr_code(out);
}

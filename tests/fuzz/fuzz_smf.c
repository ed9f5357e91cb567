/* A map file that reads is written and read again with the same content; one without faults comes
 * back byte for byte. The input is tried as it is and with zeros behind it, where its pointers find
 * room for the blocks that no small file has. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "format/smf/smf.h"

#define ROOM 760000 /* the blocks of a 128 x 128 map */

static void same(const void *a, const void *b, uint64_t bytes)
{
	FUZZ_CHECK(!a == !b);
	FUZZ_CHECK(!a || memcmp(a, b, (size_t)bytes) == 0);
}

static void same_content(const mw_smf *a, const mw_smf *b)
{
	FUZZ_CHECK(a->map_id == b->map_id && a->mapx == b->mapx && a->mapy == b->mapy);
	same(&a->min_height, &b->min_height, 4);
	same(&a->max_height, &b->max_height, 4);
	same(a->heights, b->heights, mw_smf_cells(a->mapx, a->mapy, MW_SMF_HEIGHT) * 2);
	same(a->types, b->types, mw_smf_cells(a->mapx, a->mapy, MW_SMF_TYPE));
	same(a->metal, b->metal, mw_smf_cells(a->mapx, a->mapy, MW_SMF_METAL));
	same(a->grass, b->grass, mw_smf_cells(a->mapx, a->mapy, MW_SMF_GRASS));
	same(a->tile_index, b->tile_index, mw_smf_cells(a->mapx, a->mapy, MW_SMF_TILES) * 4);
	same(a->minimap, b->minimap, MW_SMF_MINIMAP_BYTES);
	FUZZ_CHECK(a->num_tiles == b->num_tiles && a->num_tile_files == b->num_tile_files);
	for (size_t i = 0; i < a->num_tile_files; i++)
		FUZZ_CHECK(a->tile_files[i].count == b->tile_files[i].count &&
			strcmp(a->tile_files[i].name, b->tile_files[i].name) == 0);
	FUZZ_CHECK(a->num_feature_types == b->num_feature_types);
	for (size_t i = 0; i < a->num_feature_types; i++)
		FUZZ_CHECK(strcmp(a->feature_types[i], b->feature_types[i]) == 0);
	FUZZ_CHECK(a->num_features == b->num_features);
	same(a->features, b->features, a->num_features * sizeof *a->features);
}

static void write_and_read_again(
	mw_ctx *cx, const mw_smf *smf, const uint8_t *bytes, size_t n, bool faultless)
{
	mw_wr out;
	mw_smf again;
	mw_smf_findings found = {0};
	mw_wr_init(&out, cx);
	mw_smf_init(&again, cx);
	FUZZ_CHECK(mw_smf_write(cx, &out, smf, NULL) == MW_OK);
	FUZZ_CHECK(mw_smf_read(cx, &again, &found, out.p, out.n) == MW_OK);
	same_content(smf, &again);
	mw_smf_free(&again);
	mw_wr_free(&out);
	if (faultless) {
		mw_wr_init(&out, cx);
		FUZZ_CHECK(mw_smf_write(cx, &out, smf, &(mw_smf_write_opts){.keep_layout = true}) ==
			MW_OK);
		FUZZ_CHECK(out.n == n && memcmp(out.p, bytes, n) == 0);
		mw_wr_free(&out);
	}
	mw_free(cx, found.v);
}

static void try_bytes(mw_ctx *cx, const uint8_t *bytes, size_t n)
{
	mw_smf smf, strict;
	mw_smf_findings found = {0};
	mw_smf_init(&smf, cx);
	mw_smf_init(&strict, cx);
	mw_smf_level worst = MW_SMF_INFO;
	mw_code code = mw_smf_read(cx, &smf, &found, bytes, n);
	for (size_t i = 0; i < found.n; i++)
		worst = found.v[i].level > worst ? found.v[i].level : worst;
	FUZZ_CHECK(code == MW_OK || (code == MW_EFORMAT && cx->err.msg[0] != '\0'));
	mw_err_clear(cx);
	if (code == MW_OK) {
		uint32_t used;
		FUZZ_CHECK(mw_smf_tiles_used(cx, &used, &smf) == MW_OK);
		if (smf.heights)
			(void)mw_smf_ground_at(&smf, 300.0f, 1e9f);
		if (worst < MW_SMF_BROKEN && smf.mapx % 4 == 0 && smf.mapy % 4 == 0)
			write_and_read_again(cx, &smf, bytes, n, found.n == 0);
	}
	mw_code refused = mw_smf_read(cx, &strict, NULL, bytes, n);
	FUZZ_CHECK((refused == MW_OK) == (code == MW_OK && worst < MW_SMF_ERROR));
	mw_err_clear(cx);
	mw_smf_free(&strict);
	mw_smf_free(&smf);
	mw_free(cx, found.v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mw_ctx cx;
	mw_ctx_init(&cx);
	try_bytes(&cx, data, size);
	uint8_t *padded = calloc(1, size + ROOM);
	FUZZ_CHECK(padded);
	if (size)
		memcpy(padded, data, size);
	try_bytes(&cx, padded, size + ROOM);
	free(padded);
	return 0;
}

/* TDF text: read or refused with a line. */
#include "fuzz/fuzz.h"

#include "format/mapinfo/mapinfo_tdf.h"

static void check(const mw_val *map, unsigned depth)
{
	FUZZ_CHECK(map->kind == MW_MAP && depth <= 1000);
	for (size_t i = 0; i < map->u.map.n; i++) {
		const mw_val_pair *p = &map->u.map.v[i];

		FUZZ_CHECK(p->key.n > 0 && p->key_line >= 1 && p->key_col >= 1);
		if (p->val.kind == MW_MAP)
			check(&p->val, depth + 1);
		else
			FUZZ_CHECK(p->val.kind == MW_STRING);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mw_arena arena = {0};
	mw_ctx cx;
	mw_val v;

	mw_ctx_init(&cx);
	mw_arena_init(&arena, &cx);
	if (mw_mapinfo_tdf_read(&cx, &arena, &v, (const char *)data, size) == MW_OK)
		check(&v, 0);
	else
		FUZZ_CHECK(cx.err.msg[0] != '\0' && cx.err.line >= 1);
	mw_arena_free(&arena);
	return 0;
}

/* A level text that reads is written and read again with the same content; what is written again
 * then is the same text. Its solids are built, and it is written in every other dialect. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "format/qmap/qmap.h"

static void same_face(const mw_qmap_brush *b, const mw_qmap_face *x, const mw_qmap_face *y)
{
	if (b->kind == MW_QMAP_BRUSHDEF3)
		for (int i = 0; i < 4; i++)
			FUZZ_CHECK(x->plane[i] == y->plane[i]);
	else
		for (int i = 0; i < 9; i++)
			FUZZ_CHECK(x->p[i / 3].v[i % 3] == y->p[i / 3].v[i % 3]);
	FUZZ_CHECK(x->axes == y->axes && x->tx == y->tx && x->num_extra == y->num_extra);
	FUZZ_CHECK(mw_sv_eq(x->texture, y->texture));
	for (int i = 0; i < 4; i++)
		FUZZ_CHECK(x->u[i] == y->u[i] && x->v[i] == y->v[i]);
	for (int i = 0; i < 2; i++)
		FUZZ_CHECK(x->offset[i] == y->offset[i] && x->scale[i] == y->scale[i]);
}

static void same_model(const mw_qmap *a, const mw_qmap *b)
{
	size_t k = 0;
	FUZZ_CHECK(a->entity.n == b->entity.n && a->pair.n == b->pair.n);
	for (size_t i = 0; i < a->pair.n; i++)
		FUZZ_CHECK(mw_sv_eq(a->pair.v[i].key, b->pair.v[i].key) &&
			mw_sv_eq(a->pair.v[i].value, b->pair.v[i].value));
	for (size_t i = 0; i < a->brush.n; i++) {
		const mw_qmap_brush *x = &a->brush.v[i], *y;
		if (x->rejected)
			continue;
		FUZZ_CHECK(k < b->brush.n);
		y = &b->brush.v[k++];
		FUZZ_CHECK(x->kind == y->kind && x->count == y->count && mw_sv_eq(x->raw, y->raw));
		if (x->kind <= MW_QMAP_BRUSHDEF3)
			for (uint32_t j = 0; j < x->count; j++)
				same_face(x, &a->face.v[x->first + j], &b->face.v[y->first + j]);
	}
	FUZZ_CHECK(k == b->brush.n);
}

static void write_again(mw_ctx *cx, const mw_qmap *m)
{
	mw_qmap again;
	mw_wr out, second;
	mw_qmap_lost lost = {0};
	mw_wr_init(&out, cx);
	mw_wr_init(&second, cx);
	mw_qmap_init(&again, cx);
	FUZZ_CHECK(mw_qmap_write(cx, &out, m, NULL, &lost) == MW_OK);
	FUZZ_CHECK(mw_qmap_read(cx, &again, NULL, out.p, out.n) == MW_OK);
	if (!lost.values && !lost.names) {
		same_model(m, &again);
		FUZZ_CHECK(mw_qmap_write(cx, &second, &again, NULL, NULL) == MW_OK);
		FUZZ_CHECK(second.n == out.n && (!out.n || memcmp(out.p, second.p, out.n) == 0));
	}
	mw_qmap_free(cx, &again);
	for (int d = 0; d < MW_QMAP_DIALECTS; d++) {
		mw_qmap_write_opts o = {.dialect = (mw_qmap_dialect)d,
			.decimals = d % 2 ? -1 : 3,
			.no_quotes = d % 3 == 0};
		out.n = 0;
		mw_code code = mw_qmap_write(cx, &out, m, &o, NULL);
		/* a face without a plane cannot be four numbers, or out of four numbers */
		FUZZ_CHECK(code == MW_OK || code == MW_EINVALID || code == MW_ERANGE);
		mw_err_clear(cx);
		if (code)
			continue;
		mw_qmap_findings found = {0};
		mw_qmap_init(&again, cx);
		FUZZ_CHECK(mw_qmap_read(cx, &again, &found, out.p, out.n) == MW_OK);
		FUZZ_CHECK(mw_qmap_refuse(cx, &found) == MW_OK);
		mw_free(cx, found.v);
		mw_qmap_free(cx, &again);
	}
	mw_wr_free(&second);
	mw_wr_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mw_ctx cx;
	mw_qmap m;
	mw_qmap_findings found = {0};
	mw_qmap_solids s = {0};
	if (size > 20000)
		return 0;
	mw_ctx_init(&cx);
	mw_qmap_init(&m, &cx);
	FUZZ_CHECK(mw_qmap_read(&cx, &m, &found, data, size) == MW_OK);
	bool good = mw_qmap_refuse(&cx, &found) == MW_OK;
	mw_err_clear(&cx);
	if (good) {
		mw_code code = mw_qmap_build(&cx, &m, &s, &found);
		FUZZ_CHECK(code == MW_OK);
		write_again(&cx, &m);
	}
	mw_qmap_solids_free(&cx, &s);
	mw_free(&cx, found.v);
	mw_qmap_free(&cx, &m);
	return 0;
}

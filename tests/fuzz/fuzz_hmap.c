/* A .hmap that reads is written back byte for byte; what its source chunks tell goes to a scene and
 * a file and is the same scene again; a compiled chunk that passed can be asked anything; lint and
 * its mending take all of it. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "compile/leak.h"
#include "format/hmap/hmap.h"

#define MANY 2000 /* sides: compiling stays quick */
#define SOME 300  /* sides: walls through one another make free cells with their third power */

static void ask(mw_ctx *cx, const mw_level *l)
{
	mw_level_query q = {0};
	if (mw_level_query_init(cx, &q, l) == MW_OK) {
		for (int i = 0; i < 64; i++) {
			mw_sweep s = {
				.from = {{i % 4 - 2, i / 4 % 4 - 2, i / 16 - 2}}, .mask = ~0u};
			mw_sweep_hit hit;
			(void)mw_level_contents(&q, &s.from, NULL);
			s.to = mw_v3(i % 5, -i, 3);
			(void)mw_level_sweep(&q, &s, &hit);
		}
	}
	mw_err_clear(cx);
	mw_level_query_free(cx, &q);
}

static void write_bytes(mw_ctx *cx, const mw_hmap *h, mw_wr *w)
{
	mw_wr_init(w, cx);
	FUZZ_CHECK(mw_hmap_write(cx, w, h) == MW_OK);
}

/* Where it leaks, exactly and not, there is a line; without brushes everything does. */
static void leak(mw_ctx *cx, mw_scene *s)
{
	for (int k = 0; k < 2; k++) {
		mw_leak l = {0};
		FUZZ_CHECK(mw_leak_find(cx, s, k ? 0.001 : 0, &l) == MW_OK);
		FUZZ_CHECK(l.state.n == s->entity.n);
		FUZZ_CHECK((l.entity == MW_TAG_NONE) == (l.line.n == 0));
		for (size_t i = 0; i < l.state.n && l.sealing == 0; i++)
			FUZZ_CHECK(
				l.state.v[i] == MW_LEAK_LEAKS || l.state.v[i] == MW_LEAK_UNASKED);
		mw_leak_free(cx, &l);
	}
}

/* hmap -> scene -> hmap -> scene -> hmap: the last two files are equal. */
static void round_trip(mw_ctx *cx, const mw_hmap *h)
{
	mw_scene a, b;
	mw_hmap one, two;
	mw_wr w1, w2;
	mw_hmap_init(&one, cx);
	mw_hmap_init(&two, cx);
	FUZZ_CHECK(mw_scene_init(cx, &a, NULL) == MW_OK && mw_scene_init(cx, &b, NULL) == MW_OK);
	FUZZ_CHECK(mw_hmap_to_scene(cx, &a, h) == MW_OK);
	FUZZ_CHECK(mw_hmap_from_scene(cx, &one, &a, NULL) == MW_OK);
	FUZZ_CHECK(mw_hmap_to_scene(cx, &b, &one) == MW_OK);
	FUZZ_CHECK(mw_hmap_from_scene(cx, &two, &b, NULL) == MW_OK);
	write_bytes(cx, &one, &w1);
	write_bytes(cx, &two, &w2);
	FUZZ_CHECK(w1.n == w2.n && memcmp(w1.p, w2.p, w1.n) == 0);
	mw_wr_free(&w1);
	mw_wr_free(&w2);
	if (h->face.n <= MANY && h->poly.n <= MANY) {
		mw_level_options o = mw_level_options_default();
		o.bake = h->entity.n < 4;
		o.light_grid = -1;
		if (mw_hmap_compile(cx, &one, &o, NULL) == MW_OK) {
			FUZZ_CHECK(mw_level_check(cx, &one.level) == MW_OK);
			ask(cx, &one.level);
		}
		mw_err_clear(cx);
	}
	if (h->face.n <= SOME)
		leak(cx, &a);
	mw_scene_free(cx, &a);
	mw_scene_free(cx, &b);
	mw_hmap_free(cx, &one);
	mw_hmap_free(cx, &two);
}

/* Lint ends without a failure (but a compile that has its own limits), and what was mended reads.
 */
static void lint(mw_ctx *cx, mw_hmap *h)
{
	mw_shape_limits o = {
		.micro = 0.25, .sliver = 0.05, .gap = 0.05, .grid = 0.125, .limit = 4096};
	mw_hmap_findings found = {0};
	mw_hmap again;
	mw_wr w;
	uint32_t count;
	if (h->face.n > MANY || h->poly.n > MANY)
		return;
	FUZZ_CHECK(mw_hmap_lint(cx, h, &o, 0.01, &found) == MW_OK);
	if (mw_hmap_lint_compiled(cx, h, &found) != MW_OK)
		FUZZ_CHECK(cx->err.msg[0]);
	mw_err_clear(cx);
	mw_free(cx, found.v);
	FUZZ_CHECK(mw_hmap_mend(cx, h, 0.01, 0.125, &count) == MW_OK);
	write_bytes(cx, h, &w);
	mw_hmap_init(&again, cx);
	found = (mw_hmap_findings){0};
	FUZZ_CHECK(mw_hmap_read(cx, &again, &found, w.p, w.n) == MW_OK);
	FUZZ_CHECK(again.brush.n == h->brush.n && again.face.n == h->face.n);
	mw_free(cx, found.v);
	mw_hmap_free(cx, &again);
	mw_wr_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mw_ctx cx;
	mw_hmap h;
	mw_hmap_findings found = {0};
	mw_wr w;
	mw_ctx_init(&cx);
	mw_hmap_init(&h, &cx);
	mw_code rc = mw_hmap_read(&cx, &h, &found, data, size);
	FUZZ_CHECK(rc == MW_OK || cx.err.msg[0]);
	mw_err_clear(&cx);
	if (rc == MW_OK) {
		write_bytes(&cx, &h, &w);
		FUZZ_CHECK(w.n == size && memcmp(w.p, data, size) == 0);
		mw_wr_free(&w);
		round_trip(&cx, &h);
		if (mw_hmap_has(&h, MW_HMAP_CMPL))
			ask(&cx, &h.level);
		lint(&cx, &h);
	}
	bool fault = rc != MW_OK;
	for (size_t i = 0; i < found.n; i++)
		fault = fault || found.v[i].level == MW_HMAP_ERROR;
	FUZZ_CHECK((mw_hmap_codec.verify(&cx, data, size) != MW_OK) == fault);
	mw_free(&cx, found.v);
	mw_hmap_free(&cx, &h);
	return 0;
}

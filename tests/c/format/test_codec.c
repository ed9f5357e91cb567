#include "format/codec.h"

#include "support/smf_file.h"
#include "support/test.h"

#include <string.h>

static void every_format_is_complete_and_its_name_its_own(void **state)
{
	(void)state;
	assert_true(mw_codec_count() >= 2);
	for (size_t i = 0; i < mw_codec_count(); i++) {
		const mw_codec *c = mw_codec_at(i);
		assert_non_null(c->title);
		assert_non_null(c->verify);
		assert_non_null(c->extensions[0]);
		for (const char *const *e = c->extensions; *e; e++)
			assert_int_equal((*e)[0], '.');
		assert_ptr_equal(mw_codec_named(c->name), c);
	}
	assert_null(mw_codec_named("dwg"));
	assert_null(mw_codec_named(""));
}

static void content_tells_more_than_the_name(void **state)
{
	(void)state;
	static const uint8_t smf[] = "spring map file", smt[] = "spring tilefile";
	assert_string_equal(mw_codec_of(smf, sizeof smf, "x.smt")->name, "smf");
	assert_string_equal(mw_codec_of(smt, sizeof smt, "")->name, "smt");
	/* without its zero byte it is no beginning */
	assert_null(mw_codec_of(smf, sizeof smf - 1, "x.bin"));
	assert_string_equal(mw_codec_of(NULL, 0, "maps/X.SMF")->name, "smf");
	assert_null(mw_codec_of(NULL, 0, "smf"));
	assert_null(mw_codec_of(NULL, 0, ""));
}

/* Whatever the format: garbage is refused with a message; an empty file may be a good one. */
static void every_format_refuses_garbage(void **state)
{
	(void)state;
	static uint8_t garbage[4096];
	mw_ctx cx;
	mw_ctx_init(&cx);
	for (size_t i = 0; i < sizeof garbage; i++)
		garbage[i] = (uint8_t)(i * 37 + i / 11);
	for (size_t i = 0; i < mw_codec_count(); i++) {
		const mw_codec *c = mw_codec_at(i);
		assert_int_not_equal(c->verify(&cx, garbage, sizeof garbage), MW_OK);
		assert_true(cx.err.msg[0]);
		mw_err_clear(&cx);
		mw_code code = c->verify(&cx, garbage, 0);
		assert_int_equal(code, cx.err.code);
		mw_err_clear(&cx);
	}
	assert_fails(&cx, mw_codec_named("smf")->verify(&cx, garbage, 0), MW_EFORMAT, "has 0");
	assert_fails(&cx, mw_codec_named("smt")->verify(&cx, garbage, 0), MW_EFORMAT, "has 0");
}

static void a_map_with_faults_is_rewritten_but_not_a_broken_one(void **state)
{
	(void)state;
	mw_ctx cx;
	mw_wr out;
	struct smf_file f;
	const mw_codec *c = mw_codec_named("smf");
	mw_ctx_init(&cx);
	smf_file_defaults(&f);
	f.mapx = 192; /* the engine would not take it */
	smf_file_make(&f);
	assert_fails(&cx, c->verify(&cx, f.bytes, f.size), MW_EFORMAT, "width is 192");
	mw_wr_init(&out, &cx);
	assert_ok(&cx, c->rewrite(&cx, &out, f.bytes, f.size));
	assert_int_equal(out.n, f.size);
	assert_memory_equal(out.p, f.bytes, f.size);
	mw_wr_free(&out);
	smf_put32(&f, 68, INT32_MAX);
	mw_wr_init(&out, &cx);
	assert_fails(&cx, c->rewrite(&cx, &out, f.bytes, f.size), MW_EFORMAT, NULL);
	mw_wr_free(&out);
	smf_file_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_complete_and_its_name_its_own),
		cmocka_unit_test(content_tells_more_than_the_name),
		cmocka_unit_test(every_format_refuses_garbage),
		cmocka_unit_test(a_map_with_faults_is_rewritten_but_not_a_broken_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

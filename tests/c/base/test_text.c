/* Number text, string building, UTF-8, errors as one line. */
#include "support/test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/utf8.h"
#include "support/oom.h"

static void assert_text(double v, const char *want)
{
	char text[MW_NUM_TEXT];

	assert_int_equal(mw_num_text(v, text), strlen(want));
	assert_string_equal(text, want);
}

static void numbers_print_as_people_write_them(void **state)
{
	(void)state;
	assert_text(0, "0");
	assert_text(-0.0, "-0");
	assert_text(12, "12");
	assert_text(-7.5, "-7.5");
	assert_text(0.1, "0.1");
	assert_text(1.0 / 3, "0.3333333333333333");
	assert_text(1e30, "1e+30");
	assert_text(5e-324, "5e-324");
	assert_text(123456789.125, "123456789.125");
	assert_text(0.1234567891, "0.1234567891");
	assert_text((double)NAN, "nan");
	assert_text(-(double)INFINITY, "-inf");
}

static void any_double_reads_back_to_itself(void **state)
{
	mw_rng rng;

	(void)state;
	mw_rng_init(&rng, 7, "doubles");
	for (int i = 0; i < 20000; i++) {
		char text[MW_NUM_TEXT];
		uint64_t bits = mw_rng_u64(&rng);
		double v, back;

		memcpy(&v, &bits, sizeof v);
		if (!isfinite(v) || fpclassify(v) == FP_SUBNORMAL)
			continue;
		mw_num_text(v, text);
		assert_true(mw_num_parse(mw_sv_of(text), &back));
		assert_memory_equal(&v, &back, sizeof v);
	}
}

static void float32_text_is_the_shortest_for_a_float32(void **state)
{
	char text[MW_NUM_TEXT];

	(void)state;
	mw_num_text_f32(0.1f, text);
	assert_string_equal(text, "0.1");
	mw_num_text_f32(16777216.0f, text);
	assert_string_equal(text, "16777216");
	mw_num_text_f32(-720.25f, text);
	assert_string_equal(text, "-720.25");
}

static void only_whole_decimal_numbers_parse(void **state)
{
	static const char *const bad[] = {"", "-", ".", "1e", "0x10", "nan", "inf", "1 ", " 1",
		"1,5", "1e999", "--1", "1.2.3", "+"};
	double v;
	int64_t i;

	(void)state;
	for (size_t k = 0; k < MW_COUNTOF(bad); k++)
		assert_false(mw_num_parse(mw_sv_of(bad[k]), &v));
	assert_true(mw_num_parse(mw_sv_of("-1.5e+2"), &v) && v == -150);
	assert_true(mw_num_parse(mw_sv_of(".5"), &v) && v == 0.5);
	assert_true(mw_num_parse(mw_sv_of("5."), &v) && v == 5);
	assert_true(mw_int_parse(mw_sv_of("-9223372036854775808"), &i) && i == INT64_MIN);
	assert_false(mw_int_parse(mw_sv_of("9223372036854775808"), &i));
	assert_false(mw_int_parse(mw_sv_of("1.0"), &i));
}

static void a_string_builder_stops_at_its_maximum(void **state)
{
	mw_ctx cx;
	mw_str s;

	(void)state;
	mw_ctx_init(&cx);
	mw_str_init(&s, &cx);
	s.max = 5;
	mw_str_put(&s, "hel");
	mw_str_putf(&s, "%d", 42);
	assert_string_equal(s.p, "hel42");
	mw_str_putc(&s, '!');
	assert_int_equal(s.n, 5);
	assert_fails(&cx, mw_str_code(&s), MW_ELIMIT, "over the limit of 5");
	mw_str_free(&s);
}

static mw_code build_text(mw_ctx *cx, void *ud)
{
	mw_code code;
	mw_str s;

	(void)ud;
	mw_str_init(&s, cx);
	for (int i = 0; i < 100; i++)
		mw_str_putf(&s, "%300d", i);
	code = mw_str_code(&s);
	if (code == MW_OK)
		assert_int_equal(s.n, 30000);
	mw_str_free(&s);
	return code;
}

static void building_text_survives_no_memory(void **state)
{
	(void)state;
	oom_sweep(build_text, NULL);
}

static void utf8_knows_good_from_bad(void **state)
{
	static const struct {
		const char *text;
		bool good;
	} rows[] = {
		{"Ger\xc3\xa4t \xe6\xb5\x8b \xf0\x9f\x97\xba", true},
		{"\xc3", false},             /* cut short */
		{"\xc0\xaf", false},         /* overlong '/' */
		{"\xe0\x80\xaf", false},     /* overlong */
		{"\xed\xa0\x80", false},     /* a surrogate */
		{"\xf4\x90\x80\x80", false}, /* past U+10FFFF */
		{"\x80", false},             /* a continuation alone */
		{"", true},
	};

	(void)state;
	for (size_t i = 0; i < MW_COUNTOF(rows); i++)
		assert_int_equal(mw_utf8_valid(rows[i].text, strlen(rows[i].text)), rows[i].good);
}

static void every_code_point_round_trips(void **state)
{
	(void)state;
	for (uint32_t cp = 0; cp <= 0x10ffff; cp += cp < 0x900 ? 1 : 61) {
		char text[4];
		size_t n, at = 0;

		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		n = mw_utf8_put(cp, text);
		assert_int_equal(mw_utf8_next(text, n, &at), cp);
		assert_int_equal(at, n);
	}
}

static void an_error_keeps_the_first_message_and_gathers_places(void **state)
{
	char text[256];
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	assert_int_equal(mw_note(&cx, "nothing failed"), MW_OK);
	assert_int_equal(mw_fail(&cx, MW_EFORMAT, "tile index %u of %u", 7u, 1u), MW_EFORMAT);
	assert_int_equal(mw_fail(&cx, MW_EIO, "later"), MW_EIO);
	mw_note(&cx, "tile block");
	assert_int_equal(mw_note(&cx, "%s", "maps/x.smf"), MW_EFORMAT);
	mw_err_format(&cx.err, text, sizeof text);
	assert_string_equal(text, "maps/x.smf: tile block: tile index 7 of 1");
	mw_err_clear(&cx);
	mw_fail_at(&cx, MW_EFORMAT, 12, MW_ERR_NOWHERE, "bad");
	mw_note(&cx, "a.map");
	mw_err_format(&cx.err, text, sizeof text);
	assert_string_equal(text, "a.map:12: bad");
	assert_string_equal(mw_code_name(MW_EUNSUPPORTED), "unsupported");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_print_as_people_write_them),
		cmocka_unit_test(any_double_reads_back_to_itself),
		cmocka_unit_test(float32_text_is_the_shortest_for_a_float32),
		cmocka_unit_test(only_whole_decimal_numbers_parse),
		cmocka_unit_test(a_string_builder_stops_at_its_maximum),
		cmocka_unit_test(building_text_survives_no_memory),
		cmocka_unit_test(utf8_knows_good_from_bad),
		cmocka_unit_test(every_code_point_round_trips),
		cmocka_unit_test(an_error_keeps_the_first_message_and_gathers_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

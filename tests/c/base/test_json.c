/* JSON and the value tree: what is read, where, and what is refused. */
#include "support/test.h"

#include <string.h>

#include "base/json.h"
#include "support/oom.h"
#include "support/prefix.h"

typedef struct {
	mw_ctx cx;
	mw_arena a;
	mw_str out;
} fixture;

static int setup(void **state)
{
	static fixture f;

	mw_ctx_init(&f.cx);
	mw_arena_init(&f.a, &f.cx);
	mw_str_init(&f.out, &f.cx);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	fixture *f = *state;

	mw_str_free(&f->out);
	mw_arena_free(&f->a);
	return 0;
}

static mw_code parse(fixture *f, mw_val *v, const char *text)
{
	return mw_json_read(&f->cx, &f->a, v, text, strlen(text));
}

static void values_keep_order_kind_and_place(void **state)
{
	fixture *f = *state;
	mw_val v;

	assert_ok(&f->cx,
		parse(f, &v,
			"{\"b\": [1, -2.5, true],\n \"a\": {\"n\": null, \"s\": "
			"\"x\\u00e4\\n\"}}"));
	assert_int_equal(v.kind, MW_MAP);
	assert_int_equal(v.u.map.n, 2);
	assert_string_equal(v.u.map.v[0].key.p, "b");
	assert_int_equal(v.u.map.v[1].key_line, 2);
	assert_int_equal(v.u.map.v[1].key_col, 2);
	assert_int_equal(v.u.map.v[0].val.u.list.v[0].kind, MW_INT);
	assert_true(v.u.map.v[0].val.u.list.v[1].u.num == -2.5);
	assert_string_equal(mw_val_get(mw_val_get(&v, "a"), "s")->u.str.p, "x\xc3\xa4\n");
	assert_null(mw_val_get(&v, "c"));
	assert_ok(&f->cx, mw_json_write(&f->out, &v, 0));
	assert_string_equal(f->out.p,
		"{\"b\": [1, -2.5, true], \"a\": {\"n\": null, \"s\": \"x\xc3\xa4\\n\"}}");
}

static void big_integers_stay_exact(void **state)
{
	fixture *f = *state;
	mw_val v;

	assert_ok(&f->cx, parse(f, &v, "9007199254740993"));
	assert_ok(&f->cx, mw_json_write(&f->out, &v, 0));
	assert_string_equal(f->out.p, "9007199254740993");
}

static void surrogate_pairs_are_one_character(void **state)
{
	fixture *f = *state;
	mw_val v;

	assert_ok(&f->cx, parse(f, &v, "\"\\ud83d\\uddfa\""));
	assert_string_equal(v.u.str.p, "\xf0\x9f\x97\xba");
	assert_fails(&f->cx, parse(f, &v, "\"\\ud83d\""), MW_EFORMAT, "surrogate");
}

static void what_is_not_json_is_refused_with_its_column(void **state)
{
	static const struct {
		const char *text, *part;
	} rows[] = {
		{"", "ends where a value was expected"},
		{"[1,]", "column 4: not a number"},
		{"{\"a\" 1}", "column 6: expected ':'"},
		{"[1 2]", "column 4: expected ',' or ']'"},
		{"01", "not a number"},
		{"1.", "digits must follow the point"},
		{"\"\t\"", "control character"},
		{"\"\\x\"", "unknown escape"},
		{"\"\xff\"", "not UTF-8"},
		{"nul", "not a value"},
		{"1 2", "column 3: more text after the value"},
		{"{\"a\":1,\n\"a\":2}", "key \"a\" was given before in line 1"},
		{"\xef\xbb\xbf{}", "byte order mark"},
		{"1e999", "out of range"},
	};
	fixture *f = *state;
	mw_val v;

	for (size_t i = 0; i < MW_COUNTOF(rows); i++)
		assert_fails(&f->cx, parse(f, &v, rows[i].text), MW_EFORMAT, rows[i].part);
}

static void nesting_has_a_limit(void **state)
{
	fixture *f = *state;
	char text[600];
	mw_val v;

	memset(text, '[', sizeof text);
	text[sizeof text - 1] = '\0';
	assert_fails(&f->cx, parse(f, &v, text), MW_ELIMIT, "deeper than 128");
}

static void nan_cannot_be_written(void **state)
{
	fixture *f = *state;
	mw_val v = mw_val_num(0.0 / (double)(f == NULL));

	v.u.num = v.u.num - v.u.num;
	assert_fails(&f->cx, mw_json_write(&f->out, &v, 0), MW_EINVALID, "JSON: cannot hold nan");
}

static mw_code read_only(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	mw_arena a;
	mw_code code;
	mw_val v;

	(void)ud;
	mw_arena_init(&a, cx);
	code = mw_json_read(cx, &a, &v, (const char *)bytes, n);
	mw_arena_free(&a);
	return code;
}

static const char sample[] =
	"{\"k\": [1, 2.5, \"t\\u00e4\", {\"x\": false}], \"m\": {\"p\": null}}";

static void every_truncation_is_refused(void **state)
{
	(void)state;
	prefix_sweep(read_only, NULL, sample, sizeof sample - 1, PREFIX_MUST_FAIL);
	mutate_sweep(read_only, NULL, sample, sizeof sample - 1);
}

static mw_code read_and_write(mw_ctx *cx, void *ud)
{
	mw_arena a;
	mw_code code;
	mw_str out;
	mw_val v;

	(void)ud;
	mw_arena_init(&a, cx);
	mw_str_init(&out, cx);
	code = mw_json_read(cx, &a, &v, sample, sizeof sample - 1);
	if (code == MW_OK)
		code = mw_json_write(&out, &v, 2);
	mw_str_free(&out);
	mw_arena_free(&a);
	return code;
}

static void reading_survives_no_memory(void **state)
{
	(void)state;
	oom_sweep(read_and_write, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(values_keep_order_kind_and_place),
		TEST(big_integers_stay_exact),
		TEST(surrogate_pairs_are_one_character),
		TEST(what_is_not_json_is_refused_with_its_column),
		TEST(nesting_has_a_limit),
		TEST(nan_cannot_be_written),
		TEST(every_truncation_is_refused),
		TEST(reading_survives_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

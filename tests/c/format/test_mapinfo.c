/* Reading Lua 5.1 and TDF text: tokens with places, facts, translation, numbers, damage. */
#include "support/oom.h"
#include "support/prefix.h"
#include "support/test.h"

#include "format/mapinfo/mapinfo_parse.h"
#include "format/mapinfo/mapinfo_tdf.h"

#include <math.h>
#include <string.h>

static const char sample[] =
	"local mapinfo = {\n"
	"\tname = \"A\\tB\", [\"b c\"] = [[long]], [0] = -1.5, --[[ note ]] 7;\n"
	"\tteams = { [0] = { x = 1 + 2 .. 'z' % 3 } },\n"
	"}\n"
	"if Map and Spring.GetMapOptions then y = VFS.FileExists('a') end\n"
	"for i = 1, 3 do mapinfo.n = i ^ 2 end\n"
	"local function f(...) return arg.n, goto_ end\n"
	"mapinfo.a[\"b\"] = f\n"
	"return mapinfo -- end\n";

static mw_code parse(mw_ctx *cx, mw_mapinfo_source *s, const char *text)
{
	return mw_mapinfo_parse(cx, s, text, strlen(text));
}

static void tokens_know_their_places(void **state)
{
	static const char text[] = "a\r\n  [[x\ny]] -- c\n\t== 0x1F ...";
	mw_ctx cx;
	mw_mapinfo_tokens t = {0};

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_mapinfo_lex(&cx, &t, text, sizeof text - 1));
	assert_int_equal(t.tokens.n, 6);
	assert_int_equal(t.comments.n, 1);
	assert_int_equal(t.tokens.v[1].kind, MW_TK_STRING);
	assert_int_equal(t.tokens.v[1].line, 2);
	assert_int_equal(t.tokens.v[1].col, 3);
	assert_int_equal(t.comments.v[0].line, 3);
	assert_int_equal(t.comments.v[0].col, 5);
	assert_int_equal(t.tokens.v[2].op, MW_OP_EQ);
	assert_int_equal(t.tokens.v[2].line, 4);
	assert_int_equal(t.tokens.v[2].col, 2);
	assert_int_equal(t.tokens.v[3].kind, MW_TK_NUMBER);
	assert_int_equal(t.tokens.v[4].op, MW_OP_DOTS);
	assert_int_equal(t.tokens.v[5].kind, MW_TK_END);
	mw_mapinfo_tokens_free(&cx, &t);
}

static void check_string(const char *text, const char *want, size_t n)
{
	mw_ctx cx;
	mw_arena a = {0};
	mw_mapinfo_tokens t = {0};
	mw_sv s;

	mw_ctx_init(&cx);
	mw_arena_init(&a, &cx);
	assert_ok(&cx, mw_mapinfo_lex(&cx, &t, text, strlen(text)));
	s = mw_mapinfo_string(&a, text, &t.tokens.v[0]);
	assert_int_equal(s.n, n);
	assert_memory_equal(s.p, want, n);
	mw_mapinfo_tokens_free(&cx, &t);
	mw_arena_free(&a);
}

static void strings_mean_what_lua_51_says(void **state)
{
	(void)state;
	check_string("'a\\n\\065\\0z'", "a\nA\0z", 5);
	check_string("\"\\x41\\z\\\"\"", "x41z\"", 5);
	check_string("'a\\\r\nb'", "a\nb", 3);
	check_string("[[\r\na\rb\n\rc]]", "a\nb\nc", 5);
	check_string("[==[]]]=]]==]", "]]]=]", 5);
	check_string("'\\2555'", "\3775", 2);
}

static void numerals_are_floats_of_32_bits(void **state)
{
	static const struct {
		const char *text;
		double v;
	} good[] = {{"1", 1}, {"0.1", (double)0.1f}, {".5", .5}, {"5.", 5}, {"1e3", 1000},
		{"0x1F", 31}, {"1e-3", (double)1e-3f}, {"16777217", 16777216}, {"1e39", INFINITY},
		{"1E+2", 100}, {"1e400", INFINITY}, {"0e400", 0}};
	static const char *const bad[] = {
		"", "x", "0x", "1x", "1..2", "1e", "0xg", " 1", "1 ", ".", "e5", "1e5x", "--1"};
	double v;

	(void)state;
	for (size_t i = 0; i < MW_COUNTOF(good); i++) {
		assert_true(mw_mapinfo_number(mw_sv_of(good[i].text), &v));
		assert_true(v == good[i].v);
	}
	for (size_t i = 0; i < MW_COUNTOF(bad); i++)
		assert_false(mw_mapinfo_number(mw_sv_of(bad[i]), &v));
}

static void numbers_are_written_as_the_engine_does(void **state)
{
	static const struct {
		double v;
		const char *text;
	} want[] = {{5, "5"}, {-0.0, "0"}, {16777217, "16777216"}, {1.0 / 3, "0.33333334"},
		{1e10, "1.0e+10"}, {1e-5, "0.00001"}, {-1.0 / 3, "-0.3333333"}, {INFINITY, "+inf"},
		{-INFINITY, "-inf"}, {123456.789, "123456.789"}, {0.1, "0.1"}, {1e-9, "1.0e-9"}};
	char text[MW_NUM_TEXT], fixed[MW_NUM_LONG];

	(void)state;
	for (size_t i = 0; i < MW_COUNTOF(want); i++) {
		size_t n = mw_mapinfo_number_text(want[i].v, text);

		assert_string_equal(text, want[i].text);
		assert_int_equal(n, strlen(text));
	}
	mw_mapinfo_number_fixed(3.14159, 2, fixed);
	assert_string_equal(fixed, "3.14");
	mw_mapinfo_number_fixed(2.9999, 2, fixed);
	assert_string_equal(fixed, "3.00");
	mw_mapinfo_number_fixed(7, 3, fixed);
	assert_string_equal(fixed, "7.000");
}

static const mw_mapinfo_field *field_named(const mw_mapinfo_source *s, const char *name)
{
	for (size_t i = 0; i < s->fields.n; i++)
		if (mw_sv_eq(s->fields.v[i].name, mw_sv_of(name)))
			return &s->fields.v[i];
	fail_msg("no field %s", name);
	return NULL;
}

static void keys_and_values_are_found(void **state)
{
	mw_ctx cx;
	mw_mapinfo_source s = {0};
	const mw_mapinfo_field *f;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, parse(&cx, &s, sample));
	assert_int_equal(s.tables.n, 3);
	f = field_named(&s, "name");
	assert_int_equal(f->key.line, 2);
	assert_int_equal(f->key.col, 2);
	assert_int_equal(f->value.kind, MW_SRC_STRING);
	assert_true(mw_sv_eq(f->value.string, mw_sv_of("A\tB")));
	assert_int_equal(f->value.span.col, 9);
	f = field_named(&s, "b c");
	assert_int_equal(f->kind, MW_KEY_STRING);
	assert_memory_equal(sample + f->key.start, "[\"b c\"]", f->key.end - f->key.start);
	f = field_named(&s, "teams");
	assert_int_equal(f->value.kind, MW_SRC_TABLE);
	assert_int_equal(f->table, 0);
	for (size_t i = 0; i < s.fields.n; i++) {
		const mw_mapinfo_field *g = &s.fields.v[i];

		if (g->table == 0 && g->kind == MW_KEY_NUMBER) {
			assert_true(g->value.number == -1.5);
			assert_int_equal(sample[g->value.span.start], '-');
		}
		if (g->table == 0 && g->kind == MW_KEY_POSITION) {
			assert_true(g->number == 1 && g->value.number == 7);
			assert_int_equal(sample[g->end - 1], ';');
		}
	}
	mw_mapinfo_source_free(&cx, &s);
}

static void statements_and_globals_are_found(void **state)
{
	mw_ctx cx;
	mw_mapinfo_source s = {0};
	int found = 0;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, parse(&cx, &s, sample));
	for (size_t i = 0; i < s.refs.n; i++) {
		const mw_mapinfo_ref *r = &s.refs.v[i];

		if (mw_sv_eq(r->name, mw_sv_of("VFS"))) {
			assert_true(r->guarded && !r->write);
			assert_true(mw_sv_eq(r->field, mw_sv_of("FileExists")));
			found |= 1;
		}
		if (mw_sv_eq(r->name, mw_sv_of("y")) && r->write)
			found |= 2;
		if (mw_sv_eq(r->name, mw_sv_of("Map")) && r->tested)
			found |= 4;
		assert_false(mw_sv_eq(r->name, mw_sv_of("mapinfo")));
		assert_false(mw_sv_eq(r->name, mw_sv_of("i")));
	}
	assert_int_equal(found, 7);
	found = 0;
	for (size_t i = 0; i < s.stmts.n; i++) {
		const mw_mapinfo_stmt *t = &s.stmts.v[i];

		if (t->kind == MW_STMT_RETURN && t->depth == 0) {
			assert_int_equal(t->value.kind, MW_SRC_NAME);
			found |= 1;
		}
		if (t->kind == MW_STMT_ASSIGN && t->path_n == 3) {
			assert_true(t->is_local && mw_sv_eq(t->path[2], mw_sv_of("b")));
			found |= 2;
		}
	}
	assert_int_equal(found, 3);
	mw_mapinfo_source_free(&cx, &s);
}

static void the_translation_keeps_lines_and_nests_calls(void **state)
{
	mw_ctx cx;
	mw_mapinfo_source s = {0};
	size_t lines = 0;

	(void)state;
	mw_ctx_init(&cx);
	assert_ok(&cx, parse(&cx, &s, "return a .. b % c * d .. -e ^ 2,\nf(1)"));
	for (size_t i = 0; i < s.rewritten.n; i++)
		lines += s.rewritten.p[i] == '\n';
	assert_int_equal(lines, 2); /* the text's own, and one in front of the last end */
	assert_non_null(strstr(s.rewritten.p, "_mw_c("));
	assert_non_null(strstr(s.rewritten.p, "_mw_f(_mw_m(b"));
	assert_non_null(strstr(s.rewritten.p, "-_mw_f(e ^ 2.0)"));
	assert_non_null(strstr(s.rewritten.p, "f(1.0)"));
	mw_mapinfo_source_free(&cx, &s);
}

static void what_is_not_lua_51_is_refused_at_its_line(void **state)
{
	static const struct {
		const char *text, *part;
		int64_t line;
	} bad[] = {{"\n\ngoto x", "'=' expected near 'x'", 3},
		{"x = 1 // 2", "unexpected symbol", 1}, {"x = 'a\ny'", "unfinished string", 1},
		{"x = [[", "unfinished long string", 1},
		{"--[[\n[[", "nesting of [[...]] is deprecated", 2},
		{"x = 3z", "malformed number", 1}, {"for i = 1 do end", "',' expected", 1},
		{"return 1 x = 2", "'<eof>' expected", 1},
		{"x = '\\300'", "escape sequence too large", 1}, {";", "unexpected symbol", 1},
		{"function f()\nend end", "'<eof>' expected near 'end'", 2},
		{"f = function(a,) end", "<name> expected", 1},
		{"local function f() return ... end", "cannot use '...' outside a vararg function",
			1},
		{"x.y:z = 1", "function arguments expected", 1}, {"(a) b", "syntax error", 1},
		{"while x do f(function()\nbreak end) end", "no loop to break near 'end'", 2}};
	mw_ctx cx;

	(void)state;
	for (size_t i = 0; i < MW_COUNTOF(bad); i++) {
		mw_mapinfo_source s = {0};

		mw_ctx_init(&cx);
		assert_int_equal(parse(&cx, &s, bad[i].text), MW_EFORMAT);
		assert_int_equal(cx.err.line, bad[i].line);
		if (!strstr(cx.err.msg, bad[i].part))
			fail_msg("%s: %s", bad[i].text, cx.err.msg);
		mw_mapinfo_source_free(&cx, &s);
	}
}

static void nesting_has_an_end(void **state)
{
	char text[2001];
	mw_ctx cx;
	mw_mapinfo_source s = {0};

	(void)state;
	memset(text, '(', 2000);
	memcpy(text, "x=", 2);
	text[2000] = '\0';
	mw_ctx_init(&cx);
	assert_fails(&cx, parse(&cx, &s, text), MW_ELIMIT, "too many syntax levels");
	mw_mapinfo_source_free(&cx, &s);
}

static mw_code read_lua(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	mw_mapinfo_source s = {0};
	mw_code code = mw_mapinfo_parse(cx, &s, (const char *)bytes, n);

	MW_UNUSED(ud);
	mw_mapinfo_source_free(cx, &s);
	return code;
}

static mw_code read_tdf(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud)
{
	mw_arena a = {0};
	mw_val v;
	mw_code code;

	MW_UNUSED(ud);
	mw_arena_init(&a, cx);
	code = mw_mapinfo_tdf_read(cx, &a, &v, (const char *)bytes, n);
	mw_arena_free(&a);
	return code;
}

static const char tdf_sample[] = "// map\n[MAP]\n{\n\tName=A b ;;\n\tQuoted=\"x;y\" ;\n"
				 "\t[In ner] { K=1; } /* c\n */\n\tname=again;\n}\n";

static mw_code oom_lua(mw_ctx *cx, void *ud)
{
	return read_lua(cx, (const uint8_t *)sample, sizeof sample - 1, ud);
}

static mw_code oom_tdf(mw_ctx *cx, void *ud)
{
	return read_tdf(cx, (const uint8_t *)tdf_sample, sizeof tdf_sample - 1, ud);
}

static void damage_is_survived(void **state)
{
	(void)state;
	prefix_sweep(read_lua, NULL, sample, sizeof sample - 1, PREFIX_MAY_READ);
	mutate_sweep(read_lua, NULL, sample, sizeof sample - 1);
	prefix_sweep(read_tdf, NULL, tdf_sample, sizeof tdf_sample - 1, PREFIX_MAY_READ);
	mutate_sweep(read_tdf, NULL, tdf_sample, sizeof tdf_sample - 1);
}

static void running_out_of_memory_is_survived(void **state)
{
	(void)state;
	assert_true(oom_sweep(oom_lua, NULL) > 20);
	assert_true(oom_sweep(oom_tdf, NULL) >= 1);
}

static void tdf_is_read_as_the_engine_does(void **state)
{
	mw_ctx cx;
	mw_arena a = {0};
	mw_val v;
	const mw_val *map, *inner;

	(void)state;
	mw_ctx_init(&cx);
	mw_arena_init(&a, &cx);
	assert_ok(&cx, mw_mapinfo_tdf_read(&cx, &a, &v, tdf_sample, sizeof tdf_sample - 1));
	map = mw_val_get(&v, "map");
	assert_non_null(map);
	assert_string_equal(mw_val_get(map, "name")->u.str.p, "again");
	assert_string_equal(mw_val_get(map, "quoted")->u.str.p, "x;y");
	assert_int_equal(mw_val_get(map, "quoted")->line, 5);
	assert_int_equal(mw_val_get(map, "quoted")->col, 9);
	inner = mw_val_get(map, "in ner");
	assert_string_equal(mw_val_get(inner, "k")->u.str.p, "1");
	mw_arena_free(&a);
}

static void broken_tdf_is_refused_at_its_line(void **state)
{
	static const struct {
		const char *text, *part;
		int64_t line;
	} bad[] = {{"[A]\n{ b=1\n}", "';' expected", 2}, {"[A]\n", "'{' expected", 2},
		{"[A] {\n b=1;", "section 'a' is not closed", 1},
		{"\n}", "'}' without a section", 2}, {"[A", "the name of a section", 1},
		{"/* x", "a comment is not closed", 1}, {"\n\nword;", "expected 'key=value;'", 3}};

	(void)state;
	for (size_t i = 0; i < MW_COUNTOF(bad); i++) {
		mw_ctx cx;

		mw_ctx_init(&cx);
		assert_int_equal(
			read_tdf(&cx, (const uint8_t *)bad[i].text, strlen(bad[i].text), NULL),
			MW_EFORMAT);
		assert_int_equal(cx.err.line, bad[i].line);
		if (!strstr(cx.err.msg, bad[i].part))
			fail_msg("%s: %s", bad[i].text, cx.err.msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_know_their_places),
		cmocka_unit_test(strings_mean_what_lua_51_says),
		cmocka_unit_test(numerals_are_floats_of_32_bits),
		cmocka_unit_test(numbers_are_written_as_the_engine_does),
		cmocka_unit_test(keys_and_values_are_found),
		cmocka_unit_test(statements_and_globals_are_found),
		cmocka_unit_test(the_translation_keeps_lines_and_nests_calls),
		cmocka_unit_test(what_is_not_lua_51_is_refused_at_its_line),
		cmocka_unit_test(nesting_has_an_end),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(running_out_of_memory_is_survived),
		cmocka_unit_test(tdf_is_read_as_the_engine_does),
		cmocka_unit_test(broken_tdf_is_refused_at_its_line),
	};

	return cmocka_run_group_tests_name("mapinfo", tests, NULL, NULL);
}

#include "format/qmap_same.h"

#include "support/oom.h"
#include "support/prefix.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static mw_ctx cx;

/* Every construct of every dialect; what a reader must not stumble over. */
static const char everything[] =
	"\xef\xbb\xbf// Game: Half-Life\r\n// Format: Valve\r\n\r\n"
	"// entity 0\n{\n\"classname\" \"worldspawn\"\n\"message\" \"he said \\\"hi\\\" // no "
	"comment\"\n"
	"\"wad\" \"c:\\quake\\\"\n\"note\" \"a\\nb\\\\\\\\c\"\n\"twice\" \"1\"\n\"twice\" \"2\"\n"
	"\"lines\" \"first\r\nsecond\"\n"
	"{\n( 0 0 64 ) ( 0 0 0 ) ( 0 64 0 ) {fence 0 0 0 1 1\n"
	"(64 64 0)(64 0 0)(64 0 64) *water1 0 .5 0 1e0 1.0E0 // a comment\n"
	"( 64 0 0 ) ( 0 0 0 ) ( 0 0 6.4e1 )\n+0button\n0 0 0 1 1\n"
	"( 0 64 64 ) ( 0 64 0 ) ( 64 64 0 ) \"old wall 15\" [ 1 0 0 3 ] [ 0 0 -1 -2.5 ] 0 1 1\n"
	"( 0 64 0 ) ( 0 0 0 ) ( 64 0 0 ) sky/blue_1 0 0 45 0.3 0.7 134217728 64 -3\n"
	"; a QuArK comment\n"
	"( 64 0 64 ) ( 0 0 64 ) ( 0 64 64 ) #trim-2 0 0 0 1 1 0 0 0 255 128 64 //TX2\n}\n"
	"{ brushDef { ( 0 0 64 ) ( 0 0 0 ) ( 0 64 0 ) ( ( 0.03125 0 0.5 ) ( 0 0.015625 0 ) ) a/b 0 "
	"0 0"
	" ( 64 64 0 ) ( 64 0 0 ) ( 64 0 64 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) a/b 1 2 3 } }\n"
	"{ brushDef3 { ( -1 0 0 -128 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) \"textures/a\" 0 0 0"
	" ( 0.6 0.8 0 -8 ) ( ( 1 0 0 ) ( 0 1 0 ) ) \"textures/b c\" 0 0 0 } }\n"
	"{ patchDef2 { base/p ( 3 3 0 0 0 ) ( "
	"( ( 0 0 0 0 0 ) ( 0 1 0 0 0.5 ) ( 0 2 0 0 1 ) ) "
	"( ( 1 0 2 0.5 0 ) ( 1 1 2 0.5 0.5 ) ( 1 2 2 0.5 1 ) ) "
	"( ( 2 0 0 1 0 ) ( 2 1 0 1 0.5 ) ( 2 2 0 1 1 ) ) ) } }\n"
	"{ patchDef3 { \"q r\" ( 1 1 4 5 0 0 0 ) ( ( ( 0 0 0 0 0 ) ) ) } }\n"
	"{ terrainDef { 1 2 ( \"x\\\"y\" ) { } } }\n"
	"{ }\n}\n{ \"classname\" \"light\" \"origin\" \"1 2 3\" }";

static mw_code read_text(mw_qmap *m, mw_qmap_findings *found, const char *text)
{
	mw_qmap_init(m, &cx);
	return mw_qmap_read(&cx, m, found, (const uint8_t *)text, strlen(text));
}

static void same_text(mw_sv a, const char *b)
{
	assert_int_equal(a.n, strlen(b));
	assert_memory_equal(a.p, b, a.n);
}

static uint32_t count_rule(const mw_qmap_findings *found, const char *rule)
{
	uint32_t n = 0;
	for (size_t i = 0; i < found->n; i++)
		n += strcmp(found->v[i].rule, rule) == 0;
	return n;
}

static void known_text_is_read(void **state)
{
	(void)state;
	mw_qmap m;
	mw_qmap_findings found = {0};
	assert_ok(&cx, read_text(&m, &found, everything));
	assert_int_equal(m.entity.n, 2);
	same_text(m.game, "Half-Life");
	same_text(m.format, "Valve");
	const mw_qmap_entity *world = &m.entity.v[0];
	assert_int_equal(world->line, 5);
	assert_int_equal(world->pairs, 7);
	same_text(mw_qmap_get(&m, world, "message"), "he said \"hi\" // no comment");
	same_text(mw_qmap_get(&m, world, "wad"), "c:\\quake\\");
	same_text(mw_qmap_get(&m, world, "note"), "a\\nb\\\\c");
	same_text(mw_qmap_get(&m, world, "twice"), "2");
	same_text(mw_qmap_get(&m, world, "lines"), "first\r\nsecond");
	assert_null(mw_qmap_get(&m, world, "nothing").p);
	assert_int_equal(world->brushes, 7);
	static const mw_qmap_kind kinds[] = {MW_QMAP_FACES, MW_QMAP_BRUSHDEF, MW_QMAP_BRUSHDEF3,
		MW_QMAP_PATCH2, MW_QMAP_PATCH3, MW_QMAP_RAW, MW_QMAP_FACES};
	static const uint32_t counts[] = {6, 2, 2, 9, 1, 0, 0};
	for (size_t i = 0; i < MW_COUNTOF(kinds); i++) {
		assert_int_equal(m.brush.v[i].kind, kinds[i]);
		assert_int_equal(m.brush.v[i].count, counts[i]);
	}
	const mw_qmap_face *f = m.face.v;
	static const char *const names[] = {
		"{fence", "*water1", "+0button", "old wall 15", "sky/blue_1", "#trim-2"};
	for (size_t i = 0; i < 6; i++)
		same_text(f[i].texture, names[i]);
	assert_true(f[1].offset[1] == 0.5 && f[1].scale[0] == 1 && f[1].scale[1] == 1);
	assert_true(f[2].p[2].z == 64);
	assert_int_equal(f[3].axes, MW_QMAP_AXES_VALVE);
	assert_true(f[3].u[3] == 3 && f[3].v[2] == -1 && f[3].v[3] == -2.5);
	assert_true(f[4].rotation == 45 && f[4].scale[0] == 0.3);
	assert_int_equal(f[4].num_extra, 3);
	assert_true(f[4].extra[0] == 134217728 && f[4].extra[2] == -3);
	assert_int_equal(f[5].num_extra, 6);
	assert_int_equal(f[5].tx, 2);
	assert_int_equal(f[0].tx, 0);
	assert_true(m.face.v[6].u[0] == 0.03125 && m.face.v[6].u[2] == 0.5);
	assert_true(m.face.v[9].plane[0] == 0.6 && m.face.v[9].plane[3] == -8);
	assert_true(m.brush.v[4].sub[1] == 5 && m.control.v[8].uv.x == 1);
	same_text(m.brush.v[5].raw, "terrainDef { 1 2 ( \"x\\\"y\" ) { } }");
	assert_int_equal(m.entity.v[1].line, 32);
	assert_int_equal(count_rule(&found, "map-raw"), 1);
	assert_int_equal(found.n, 1);
	mw_free(&cx, found.v);
	mw_qmap_free(&cx, &m);
}

static void same_face(const mw_qmap_brush *b, const mw_qmap_face *x, const mw_qmap_face *y)
{
	if (b->kind == MW_QMAP_BRUSHDEF3)
		for (int i = 0; i < 4; i++)
			assert_true(x->plane[i] == y->plane[i]);
	else
		for (int i = 0; i < 9; i++)
			assert_true(x->p[i / 3].v[i % 3] == y->p[i / 3].v[i % 3]);
	assert_int_equal(x->axes, y->axes);
	assert_int_equal(x->tx, y->tx);
	assert_int_equal(x->num_extra, y->num_extra);
	assert_true(mw_sv_eq(x->texture, y->texture));
	for (int i = 0; i < 4; i++)
		assert_true(x->u[i] == y->u[i] && x->v[i] == y->v[i]);
	for (int i = 0; i < 2; i++)
		assert_true(x->offset[i] == y->offset[i] && x->scale[i] == y->scale[i]);
	assert_true(x->rotation == y->rotation);
	for (int i = 0; i < x->num_extra; i++)
		assert_true(x->extra[i] == y->extra[i]);
}

static void same_model(const mw_qmap *a, const mw_qmap *b)
{
	assert_int_equal(a->entity.n, b->entity.n);
	assert_int_equal(a->pair.n, b->pair.n);
	assert_int_equal(a->brush.n, b->brush.n);
	assert_int_equal(a->face.n, b->face.n);
	assert_int_equal(a->dialect, b->dialect);
	assert_int_equal(a->version, b->version);
	for (size_t i = 0; i < a->pair.n; i++) {
		assert_true(mw_sv_eq(a->pair.v[i].key, b->pair.v[i].key));
		assert_true(mw_sv_eq(a->pair.v[i].value, b->pair.v[i].value));
	}
	for (size_t i = 0; i < a->brush.n; i++) {
		const mw_qmap_brush *x = &a->brush.v[i], *y = &b->brush.v[i];
		assert_int_equal(x->kind, y->kind);
		assert_int_equal(x->count, y->count);
		assert_true(mw_sv_eq(x->raw, y->raw));
		if (x->kind == MW_QMAP_FACES || x->kind == MW_QMAP_BRUSHDEF ||
			x->kind == MW_QMAP_BRUSHDEF3)
			for (uint32_t k = 0; k < x->count; k++)
				same_face(x, &a->face.v[x->first + k], &b->face.v[y->first + k]);
	}
	assert_int_equal(a->control.n, b->control.n);
	for (size_t i = 0; i < a->control.n; i++)
		assert_memory_equal(&a->control.v[i], &b->control.v[i], sizeof(mw_qmap_control));
}

static void what_is_written_reads_back_the_same(void **state)
{
	(void)state;
	mw_qmap m, again;
	mw_qmap_findings found = {0};
	mw_wr out, out2;
	mw_qmap_lost lost = {0};
	mw_wr_init(&out, &cx);
	mw_wr_init(&out2, &cx);
	assert_ok(&cx, read_text(&m, &found, everything));
	assert_ok(&cx, mw_qmap_write(&cx, &out, &m, NULL, &lost));
	mw_qmap_init(&again, &cx);
	assert_ok(&cx, mw_qmap_read(&cx, &again, &found, out.p, out.n));
	same_model(&m, &again);
	assert_ok(&cx, mw_qmap_write(&cx, &out2, &again, NULL, NULL));
	assert_int_equal(out.n, out2.n);
	assert_memory_equal(out.p, out2.p, out.n);
	mw_qmap_lost none = {0};
	assert_memory_equal(&lost, &none, sizeof lost);
	mw_free(&cx, found.v);
	mw_wr_free(&out);
	mw_wr_free(&out2);
	mw_qmap_free(&cx, &again);
	mw_qmap_free(&cx, &m);
}

static mw_code read_all(mw_ctx *c, const uint8_t *bytes, size_t n, void *ud)
{
	mw_qmap m;
	mw_qmap_solids s = {0};
	mw_qmap_findings found = {0};
	(void)ud;
	mw_qmap_init(&m, c);
	mw_code code = mw_qmap_read(c, &m, NULL, bytes, n);
	if (!code)
		code = mw_qmap_build(c, &m, &s, &found);
	mw_qmap_solids_free(c, &s);
	mw_free(c, found.v);
	mw_qmap_free(c, &m);
	return code;
}

static void truncated_and_changed_text_is_refused_or_read(void **state)
{
	(void)state;
	prefix_sweep(read_all, NULL, everything, sizeof everything - 1, PREFIX_MAY_READ);
	mutate_sweep(read_all, NULL, everything, sizeof everything - 1);
}

static mw_code read_and_write(mw_ctx *c, void *ud)
{
	mw_qmap m;
	mw_wr out;
	mw_qmap_write_opts o = {.dialect = MW_QMAP_VALVE220, .decimals = -1};
	(void)ud;
	mw_qmap_init(&m, c);
	mw_wr_init(&out, c);
	mw_code code = read_all(c, (const uint8_t *)everything, sizeof everything - 1, NULL);
	if (!code)
		code = mw_qmap_read(
			c, &m, NULL, (const uint8_t *)everything, sizeof everything - 1);
	if (!code)
		code = mw_qmap_write(c, &out, &m, &o, NULL);
	mw_wr_free(&out);
	mw_qmap_free(c, &m);
	return code;
}

static void every_failing_allocation_is_survived(void **state)
{
	(void)state;
	assert_true(oom_sweep(read_and_write, NULL) > 10);
}

static void errors_are_all_named_with_their_lines(void **state)
{
	(void)state;
	static const struct {
		const char *text, *rule, *part;
		uint32_t line;
	} bad[] = {
		{"nails, glue", "map-outside", "text outside any block: 'nails,'", 1},
		{"{\n}\n}\n", "map-outside", "closing brace with nothing open", 3},
		{"{\n\"a\" \"b\"\n", "map-unclosed", "entity opened in line 1", 3},
		{"{\n{\n", "map-unclosed", "brush opened in line 2", 3},
		{"{\n\"a\"\n}\n", "map-pair", "no value after key 'a'", 2},
		{"{\n\"a\" \"b", "map-unclosed", "value of 'a' is not closed", 2},
		{"{\n{\n{\n}\n}\n}", "map-nested", "brush inside a brush", 3},
		{"{\n{\n( 0 0 ) ( 0 0 0 ) ( 0 0 0 ) t 0 0 0 1 1\n}\n}", "map-face",
			"three points ( x y z ), found ')'", 3},
		{"{\n{\n( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) t 0 0\n}\n}", "map-face",
			"rotation scale scale, found '}'", 4},
		{"{\n{\n( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) t [ 0 0 0 ] [ 0 0 0 0 ] 0 1 1\n}\n}",
			"map-face", "texture axes", 3},
		{"{\n{\npatchDef2\n{\nt\n( 0 3 0 0 0 )\n(\n)\n}\n}\n}", "map-face",
			"a patch of 0 x 3", 6},
		{"{\nclassname\n}", "map-pair", "not a key value pair", 2},
	};
	for (size_t i = 0; i < MW_COUNTOF(bad); i++) {
		mw_qmap m;
		mw_qmap_findings found = {0};
		assert_ok(&cx, read_text(&m, &found, bad[i].text));
		assert_true(found.n >= 1);
		assert_string_equal(found.v[0].rule, bad[i].rule);
		assert_int_equal(found.v[0].level, MW_QMAP_ERROR);
		assert_int_equal(found.v[0].line, bad[i].line);
		if (!strstr(found.v[0].msg, bad[i].part))
			fail_msg("'%s' has no '%s'", found.v[0].msg, bad[i].part);
		mw_free(&cx, found.v);
		mw_qmap_free(&cx, &m);
		assert_fails(&cx, read_text(&m, NULL, bad[i].text), MW_EFORMAT, bad[i].part);
		mw_qmap_free(&cx, &m);
	}
	/* three in one file */
	mw_qmap m;
	mw_qmap_findings found = {0};
	assert_ok(&cx, read_text(&m, &found, "glue\n{\n\"a\"\n}\n}\n{ \"b\" \"c\" }\n"));
	assert_int_equal(found.n, 3);
	assert_int_equal(found.v[1].line, 3);
	assert_int_equal(found.v[2].line, 5);
	assert_int_equal(m.entity.n, 2);
	mw_free(&cx, found.v);
	mw_qmap_free(&cx, &m);
}

static void a_flood_of_errors_ends(void **state)
{
	(void)state;
	static char text[20000];
	for (size_t i = 0; i + 2 < sizeof text; i += 2)
		memcpy(text + i, "x\n", 2);
	mw_qmap m;
	mw_qmap_findings found = {0};
	assert_ok(&cx, read_text(&m, &found, text));
	assert_int_equal(found.n, 101);
	assert_string_equal(found.v[100].rule, "map-errors");
	mw_free(&cx, found.v);
	mw_qmap_free(&cx, &m);
}

static void no_number_rejects_the_brush_alone(void **state)
{
	(void)state;
	static const char *const words[] = {"nan", "inf", "-inf", "1e999", "12abc", "0x10"};
	for (size_t i = 0; i < MW_COUNTOF(words); i++) {
		char text[200];
		mw_qmap m;
		mw_qmap_findings found = {0};
		snprintf(text, sizeof text,
			"{\n{\n( %s 0 0 ) ( 0 0 0 ) ( 0 1 0 ) t 0 0 0 1 1\n}\n}", words[i]);
		assert_ok(&cx, read_text(&m, &found, text));
		assert_true(m.brush.v[0].rejected);
		assert_int_equal(found.n, 1);
		assert_int_equal(found.v[0].level, MW_QMAP_WARNING);
		assert_int_equal(found.v[0].line, 3);
		assert_non_null(strstr(found.v[0].msg, words[i]));
		mw_free(&cx, found.v);
		mw_qmap_free(&cx, &m);
	}
}

static void dialects_have_both_their_names(void **state)
{
	(void)state;
	mw_qmap_dialect d;
	for (int i = 0; i < MW_QMAP_DIALECTS; i++) {
		assert_true(mw_qmap_dialect_named(
			mw_sv_of(mw_qmap_dialect_name((mw_qmap_dialect)i)), &d));
		assert_int_equal(d, i);
		assert_true(mw_qmap_dialect_named(
			mw_sv_of(mw_qmap_format_name((mw_qmap_dialect)i)), &d));
		assert_int_equal(d, i);
	}
	assert_true(mw_qmap_dialect_named(mw_sv_of("quake2 (valve)"), &d));
	assert_int_equal(d, MW_QMAP_QUAKE2_VALVE);
	assert_false(mw_qmap_dialect_named(mw_sv_of("vmf"), &d));
}

static void probing_tells_a_level_from_other_braces(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool is;
	} t[] = {{"{\n\"classname\" \"worldspawn\"", true}, {"// x\n\n{ \"a\" \"b\" }", true},
		{"Version 2\n{", true}, {"{ \"a\": 1 }", false}, {"{}", false}, {"", false},
		{"return { }", false}, {"{ a = 1 }", false}};
	for (size_t i = 0; i < MW_COUNTOF(t); i++)
		assert_int_equal(
			mw_qmap_probe((const uint8_t *)t[i].text, strlen(t[i].text)), t[i].is);
}

/* ---- other dialects -------------------------------------------------------------------------- */

static void every_dialect_holds_the_same_level(void **state)
{
	(void)state;
	static const char box[] =
		"{\n\"classname\" \"worldspawn\"\n{\n"
		"( 0.1 0 64 ) ( 0 0 0 ) ( 0 64 0 ) a 13 -7 30 0.3 0.7\n"
		"( 64 64 0 ) ( 64 0 0 ) ( 65 0 64 ) b 0 0 -135 2 -3\n"
		"( 64 0 0 ) ( 0 0 0 ) ( 0 0 64 ) c [ 2 0 0 1 ] [ 0 0.1 -0.7 2 ] 9 0.25 4\n"
		"( 0 64 64 ) ( 0 64 0 ) ( 64 64 0 ) d [ 0.7 0 0.7 1 ] [ 0.7 0 -0.7 2 ] 0 1 1\n"
		"( 0 64 0 ) ( 0 0 0 ) ( 64 0 0 ) e 0 0 0 1 1 //TX1\n"
		"( 64 0 64 ) ( 0 0 64 ) ( 0 64 60 ) f 5 6 90 1 1\n}\n}\n";
	mw_qmap m;
	assert_ok(&cx, read_text(&m, NULL, box));
	uint32_t held = 0;
	for (int d = 0; d < MW_QMAP_DIALECTS; d++) {
		qmap_same r = qmap_in_dialect(&cx, "box", &m, (mw_qmap_dialect)d);
		assert_int_equal(r.brushes, r.held);
		held += r.held;
	}
	/* all but the two that have planes of four numbers: one of these is rounded */
	assert_int_equal(held, MW_QMAP_DIALECTS - 2);
	mw_qmap_free(&cx, &m);
}

static void decimals_round_and_say_so(void **state)
{
	(void)state;
	static const char text[] =
		"{\n{\n( 0 64 60.5 ) ( 64 0 64.25 ) ( 0 0 -60.5 ) t 0.25 0 0 1 1\n"
		"( 0 64 1 ) ( 64 0 2 ) ( 0 0 3 ) t 0 0 0 1 1\n}\n}\n";
	mw_qmap m;
	mw_wr out;
	mw_qmap_lost lost = {0};
	mw_qmap_write_opts o = {.dialect = MW_QMAP_AS_READ, .decimals = 0, .no_comments = true};
	mw_wr_init(&out, &cx);
	assert_ok(&cx, read_text(&m, NULL, text));
	assert_ok(&cx, mw_qmap_write(&cx, &out, &m, &o, &lost));
	assert_int_equal(lost.moved, 1);
	assert_true(lost.moved_by == 0.5);
	static const char want[] = "{\n{\n( 0 64 61 ) ( 64 0 64 ) ( 0 0 -60 ) t 0 0 0 1 1\n"
				   "( 0 64 1 ) ( 64 0 2 ) ( 0 0 3 ) t 0 0 0 1 1\n}\n}\n";
	assert_int_equal(out.n, sizeof want - 1);
	assert_memory_equal(out.p, want, out.n);
	mw_wr_free(&out);
	mw_qmap_free(&cx, &m);
}

static void names_without_quotes_are_counted(void **state)
{
	(void)state;
	static const char text[] =
		"{\n{\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) \" old \\\"wall\\\"  15\" 0 0 0 1 1\n"
		"( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) \"\" 0 0 0 1 1\n"
		"( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) plain 0 0 0 1 1\n}\n}\n";
	mw_qmap m;
	mw_wr out;
	mw_qmap_lost lost = {0};
	mw_qmap_write_opts o = {.dialect = MW_QMAP_AS_READ, .decimals = -1, .no_quotes = true};
	mw_wr_init(&out, &cx);
	assert_ok(&cx, read_text(&m, NULL, text));
	assert_ok(&cx, mw_qmap_write(&cx, &out, &m, &o, &lost));
	mw_wr_u8(&out, 0);
	assert_int_equal(lost.names, 2);
	assert_non_null(strstr((char *)out.p, ") old_wall_15 0"));
	assert_non_null(strstr((char *)out.p, ") __default 0"));
	assert_non_null(strstr((char *)out.p, ") plain 0"));
	mw_wr_free(&out);
	mw_qmap_free(&cx, &m);
}

static void valve_files_get_their_version(void **state)
{
	(void)state;
	mw_qmap m;
	mw_wr out;
	mw_qmap_write_opts o = {.dialect = MW_QMAP_VALVE220, .decimals = -1, .no_comments = true};
	mw_wr_init(&out, &cx);
	assert_ok(&cx, read_text(&m, NULL, "{ \"classname\" \"worldspawn\" \"a\" \"b\" }"));
	assert_ok(&cx, mw_qmap_write(&cx, &out, &m, &o, NULL));
	static const char want[] =
		"{\n\"classname\" \"worldspawn\"\n\"mapversion\" \"220\"\n\"a\" \"b\"\n}\n";
	assert_int_equal(out.n, sizeof want - 1);
	assert_memory_equal(out.p, want, out.n);
	mw_qmap_free(&cx, &m);
	assert_ok(&cx, mw_qmap_read(&cx, (mw_qmap_init(&m, &cx), &m), NULL, out.p, out.n));
	out.n = 0;
	o.dialect = MW_QMAP_CLASSIC;
	assert_ok(&cx, mw_qmap_write(&cx, &out, &m, &o, NULL));
	assert_int_equal(out.n, strlen("{\n\"classname\" \"worldspawn\"\n\"a\" \"b\"\n}\n"));
	mw_wr_free(&out);
	mw_qmap_free(&cx, &m);
}

static int set_up(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_text_is_read),
		cmocka_unit_test(what_is_written_reads_back_the_same),
		cmocka_unit_test(truncated_and_changed_text_is_refused_or_read),
		cmocka_unit_test(every_failing_allocation_is_survived),
		cmocka_unit_test(errors_are_all_named_with_their_lines),
		cmocka_unit_test(a_flood_of_errors_ends),
		cmocka_unit_test(no_number_rejects_the_brush_alone),
		cmocka_unit_test(dialects_have_both_their_names),
		cmocka_unit_test(probing_tells_a_level_from_other_braces),
		cmocka_unit_test(every_dialect_holds_the_same_level),
		cmocka_unit_test(decimals_round_and_say_so),
		cmocka_unit_test(names_without_quotes_are_counted),
		cmocka_unit_test(valve_files_get_their_version),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}

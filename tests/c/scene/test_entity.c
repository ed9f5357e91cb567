#include "support/oom.h"
#include "support/test.h"

#include "scene/entity.h"
#include "scene/loss.h"

#include <string.h>

static void a_key_given_twice_means_its_last_value(void **state)
{
	mw_ctx cx;
	mw_pairs p = {0};
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	assert_ok(&cx, mw_pairs_add(&cx, &p, "a", "1"));
	assert_ok(&cx, mw_pairs_add(&cx, &p, "b", "2"));
	assert_ok(&cx, mw_pairs_add(&cx, &p, "a", "3"));
	assert_string_equal(mw_pairs_get(&p, "a"), "3");
	assert_null(mw_pairs_get(&p, "A"));
	assert_int_equal(p.n, 3);
	mw_pairs_free(&cx, &p);
}

static void numbers_of_a_value_end_at_the_first_word(void **state)
{
	double v[4];
	MW_UNUSED(state);
	assert_int_equal(mw_pairs_numbers(" 1  -2.5\t3e2 ", v, 4), 3);
	assert_true(v[0] == 1 && v[1] == -2.5 && v[2] == 300);
	assert_int_equal(mw_pairs_numbers("1 2 3 4 5", v, 4), 4);
	assert_int_equal(mw_pairs_numbers("1 x 3", v, 4), 1);
	assert_int_equal(mw_pairs_numbers("", v, 4), 0);
}

/* Neutral entity -> family -> neutral gives what went in; between, `want` as "class|key=value". */
static void there_and_back(
	mw_family family, const char *classname, const char *keys[][2], size_t n, const char *want)
{
	mw_ctx cx;
	mw_arena arena;
	mw_str text;
	mw_entity e = {.classname = classname};
	mw_ctx_init(&cx);
	mw_arena_init(&arena, &cx);
	mw_str_init(&text, &cx);
	for (size_t i = 0; i < n; i++)
		assert_ok(&cx, mw_pairs_add(&cx, &e.keys, keys[i][0], keys[i][1]));
	assert_ok(&cx, mw_entity_from_neutral(&cx, &arena, family, &e));
	mw_str_put(&text, e.classname);
	for (size_t i = 0; i < e.keys.n; i++)
		mw_str_putf(&text, "|%s=%s", e.keys.v[i].key, e.keys.v[i].value);
	assert_string_equal(text.p, want);
	assert_ok(&cx, mw_entity_to_neutral(&cx, &arena, family, &e));
	assert_string_equal(e.classname, classname);
	assert_int_equal(e.keys.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(e.keys.v[i].key, keys[i][0]);
		assert_string_equal(e.keys.v[i].value, keys[i][1]);
	}
	mw_str_free(&text);
	mw_pairs_free(&cx, &e.keys);
	mw_arena_free(&arena);
}

static void neutral_entities_go_to_a_family_and_back(void **state)
{
	const char *point[][2] = {
		{"color", "1 0.5 0"}, {"intensity", "1.2"}, {"radius", "7"}, {"style", "3"}};
	const char *sun[][2] = {{"intensity", "0.5"}};
	const char *start[][2] = {{"spawnflags", "1"}};
	MW_UNUSED(state);
	there_and_back(MW_FAMILY_QUAKE, "light", point, 4,
		"light|_color=1 0.5 0|light=360|_radius=7|style=3");
	there_and_back(MW_FAMILY_QUAKE, "light_sun", sun, 1, "light|light=150|_sun=1");
	there_and_back(MW_FAMILY_QUAKE, "player_start", start, 1, "info_player_start|spawnflags=1");
	there_and_back(MW_FAMILY_HAMMERFORGE, "light", point, 4,
		"light_point|color=1 0.5 0|energy=1.2|range=7|style=3");
	there_and_back(MW_FAMILY_QUAKE, "func_wall", start, 1, "func_wall|spawnflags=1");
}

static void a_quake_light_with_a_direction_is_a_spot(void **state)
{
	mw_ctx cx;
	mw_arena arena;
	mw_entity e = {.classname = "light"};
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	mw_arena_init(&arena, &cx);
	assert_ok(&cx, mw_pairs_add(&cx, &e.keys, "light", "450"));
	assert_ok(&cx, mw_pairs_add(&cx, &e.keys, "mangle", "0 -90 0"));
	assert_ok(&cx, mw_pairs_add(&cx, &e.keys, "angle", "60"));
	assert_ok(&cx, mw_entity_to_neutral(&cx, &arena, MW_FAMILY_QUAKE, &e));
	assert_string_equal(e.classname, "light_spot");
	assert_string_equal(mw_pairs_get(&e.keys, "intensity"), "1.5");
	assert_string_equal(mw_pairs_get(&e.keys, "outer"), "30");
	mw_pairs_free(&cx, &e.keys);
	mw_arena_free(&arena);
}

static void a_wire_is_five_fields_with_a_delay(void **state)
{
	mw_ctx cx;
	mw_arena arena;
	mw_wire w;
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	mw_arena_init(&arena, &cx);
	assert_true(mw_wire_parse(&(mw_pair){"OnUse", "door1,Open,fast,0.5,1"}, &w));
	assert_true(mw_sv_eq(w.target, mw_sv_of("door1")) && mw_sv_eq(w.input, mw_sv_of("Open")));
	assert_true(w.delay == 0.5 && w.once);
	assert_string_equal(mw_wire_text(&arena, &w), "door1,Open,fast,0.5,1");
	w.parameter = mw_sv_of("a,b");
	w.delay = 2;
	w.once = false;
	assert_string_equal(mw_wire_text(&arena, &w), "door1,Open,a b,2.0,0");
	const mw_pair bad[] = {{"OnUse", "door1,Open,,x,1"}, {"OnUse", "door1,Open,,0"},
		{"OnUse", ",Open,,0,1"}, {"OnUse", "d, ,,0,1"}, {"OnUse", "d,o,,0,1,2"},
		{"targetname", "d,o,,0,1"}};
	for (size_t i = 0; i < MW_COUNTOF(bad); i++)
		assert_false(mw_wire_parse(&bad[i], NULL));
	mw_arena_free(&arena);
}

static void losses_of_a_kind_are_counted_together(void **state)
{
	mw_ctx cx;
	mw_losses l = {0};
	mw_str text;
	MW_UNUSED(state);
	mw_ctx_init(&cx);
	mw_str_init(&text, &cx);
	assert_ok(&cx, mw_loss_add(&cx, &l, "light", "lights", 1));
	assert_ok(&cx, mw_loss_add(&cx, &l, "group", "groups", 0));
	assert_ok(&cx, mw_loss_add(&cx, &l, "smoothing group", "smoothing groups", 1));
	assert_ok(&cx, mw_loss_add(&cx, &l, "smoothing group", "smoothing groups", 1));
	assert_ok(&cx, mw_loss_add(&cx, NULL, "light", "lights", 1));
	mw_loss_text(&text, &l);
	assert_string_equal(text.p, "1 light, 2 smoothing groups");
	mw_str_free(&text);
	mw_free(&cx, l.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_given_twice_means_its_last_value),
		cmocka_unit_test(numbers_of_a_value_end_at_the_first_word),
		cmocka_unit_test(neutral_entities_go_to_a_family_and_back),
		cmocka_unit_test(a_quake_light_with_a_direction_is_a_spot),
		cmocka_unit_test(a_wire_is_five_fields_with_a_delay),
		cmocka_unit_test(losses_of_a_kind_are_counted_together),
	};
	return cmocka_run_group_tests_name("entity", tests, NULL, NULL);
}

#include "scene/entity.h"

#include <string.h>

void mw_pairs_free(mw_ctx *cx, mw_pairs *p)
{
	mw_free(cx, p->v);
	memset(p, 0, sizeof *p);
}

mw_code mw_pairs_add(mw_ctx *cx, mw_pairs *p, const char *key, const char *value)
{
	mw_pair pair = {key, value};
	return MW_PUSH(cx, p, pair) ? MW_OK : MW_ENOMEM;
}

const char *mw_pairs_get(const mw_pairs *p, const char *key)
{
	for (size_t i = p->n; i > 0; i--)
		if (strcmp(p->v[i - 1].key, key) == 0)
			return p->v[i - 1].value;
	return NULL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

int mw_pairs_numbers(const char *value, double *out, int n)
{
	int found = 0;
	while (found < n) {
		while (is_blank(*value))
			value++;
		mw_sv word = {value, 0};
		while (word.p[word.n] && !is_blank(word.p[word.n]))
			word.n++;
		if (!word.n || !mw_num_parse(word, &out[found]))
			return found;
		found++;
		value = word.p + word.n;
	}
	return found;
}

/* ---- classes and keys of the families -------------------------------------------------------- */

typedef struct {
	const char *name[3]; /* by mw_family */
} class_row;

/* The first row of a class counts, in each direction. */
static const class_row classes[] = {
	{{"player_start", "info_player_start", "player_start"}},
	{{"player_deathmatch", "info_player_deathmatch", "player_deathmatch"}},
	{{"player_coop", "info_player_coop", "player_coop"}},
	{{"teleport", "info_teleport_destination", "teleport_destination"}},
	{{"teleport_trigger", "trigger_teleport", "trigger_teleport"}},
	{{"light", "light", "light_point"}},
	{{"light_spot", "light", "light_spot"}},
	{{"light_sun", "light", "light_directional"}},
	{{"light", "light_fluoro", "light_omni"}},
	{{"light_sun", "light_environment", "light_environment"}},
	{{"door", "func_door", "func_door"}},
	{{"platform", "func_plat", "func_plat"}},
	{{"trigger", "trigger_multiple", "trigger_multiple"}},
};

const char *mw_class_to_neutral(mw_family from, const char *classname)
{
	for (size_t i = 0; i < MW_COUNTOF(classes); i++)
		if (strcmp(classes[i].name[from], classname) == 0)
			return classes[i].name[MW_FAMILY_NEUTRAL];
	return classname;
}

const char *mw_class_from_neutral(mw_family to, const char *classname)
{
	for (size_t i = 0; i < MW_COUNTOF(classes); i++)
		if (strcmp(classes[i].name[MW_FAMILY_NEUTRAL], classname) == 0)
			return classes[i].name[to];
	return classname;
}

/* Keys of lights: theirs is factor times ours. */
typedef struct {
	const char *neutral, *quake, *hammerforge;
	double factor; /* Quake's; 0: the text as it is */
} key_row;

static const key_row light_keys[] = {
	{"color", "_color", "color", 0},
	{"intensity", "light", "energy", 300},
	{"radius", "_radius", "range", 1},
	{"outer", "angle", "angle", 2},
	{"inner", "_softangle", "inner_angle", 2},
};

static bool is_light(const char *neutral)
{
	return strncmp(neutral, "light", 5) == 0 &&
		(neutral[5] == '\0' || strcmp(neutral + 5, "_spot") == 0 ||
			strcmp(neutral + 5, "_sun") == 0);
}

static const char *scaled(mw_arena *arena, const char *value, double by)
{
	double v;
	char text[MW_NUM_TEXT];
	mw_sv word = mw_sv_of(value);
	if (by == 1 || !mw_num_parse(word, &v))
		return value;
	/* 300 * 1.2 is not 360: what has a short text close by is meant to be that */
	double exact = v * by, rough = (double)(float)exact;
	double back;
	/* six digits, when the value is a float32's distance from them: 250 from 300 x 0.8333333 */
	if (mw_format(text, sizeof text, "%.6g", exact) && mw_num_parse(mw_sv_of(text), &back) &&
		back - exact <= 1.2e-7 * exact && exact - back <= 1.2e-7 * exact)
		return mw_arena_strdup(arena, text, mw_num_text(back, text));
	size_t n = mw_num_text_f32((float)rough, text);
	if (!mw_num_parse((mw_sv){text, n}, &back) || !(back - exact < 1e-6 * exact) ||
		!(exact - back < 1e-6 * exact))
		n = mw_num_text(exact, text);
	return mw_arena_strdup(arena, text, n);
}

static mw_code rename_keys(mw_ctx *cx, mw_arena *arena, mw_family family, bool to_neutral,
	const char *neutral, mw_entity *e)
{
	MW_UNUSED(cx);
	for (size_t k = 0; k < e->keys.n; k++) {
		for (size_t i = 0; i < MW_COUNTOF(light_keys); i++) {
			const key_row *row = &light_keys[i];
			const char *theirs =
				family == MW_FAMILY_QUAKE ? row->quake : row->hammerforge;
			const char *from = to_neutral ? theirs : row->neutral;
			/* angle is the cone of a spot, and a direction elsewhere */
			if (strcmp(e->keys.v[k].key, from) != 0 ||
				(i >= 3 && strcmp(neutral, "light_spot") != 0))
				continue;
			double factor =
				family == MW_FAMILY_QUAKE && row->factor != 0 ? row->factor : 1;
			e->keys.v[k].key = to_neutral ? row->neutral : theirs;
			e->keys.v[k].value =
				scaled(arena, e->keys.v[k].value, to_neutral ? 1 / factor : factor);
			if (!e->keys.v[k].value)
				return MW_ENOMEM;
			break;
		}
	}
	return MW_OK;
}

static void drop_key(mw_entity *e, const char *key)
{
	size_t n = 0;
	for (size_t i = 0; i < e->keys.n; i++)
		if (strcmp(e->keys.v[i].key, key) != 0)
			e->keys.v[n++] = e->keys.v[i];
	e->keys.n = n;
}

mw_code mw_entity_to_neutral(mw_ctx *cx, mw_arena *arena, mw_family from, mw_entity *e)
{
	if (from == MW_FAMILY_NEUTRAL)
		return MW_OK;
	const char *name = mw_class_to_neutral(from, e->classname);
	if (from == MW_FAMILY_QUAKE && strcmp(name, "light") == 0) {
		const char *sun = mw_pairs_get(&e->keys, "_sun");
		if (sun && strcmp(sun, "0") != 0) {
			name = "light_sun";
			drop_key(e, "_sun");
		} else if (mw_pairs_get(&e->keys, "mangle") || mw_pairs_get(&e->keys, "target")) {
			name = "light_spot";
		}
	}
	e->classname = name;
	return is_light(name) ? rename_keys(cx, arena, from, true, name, e) : MW_OK;
}

mw_code mw_entity_from_neutral(mw_ctx *cx, mw_arena *arena, mw_family to, mw_entity *e)
{
	if (to == MW_FAMILY_NEUTRAL)
		return MW_OK;
	const char *neutral = e->classname;
	e->classname = mw_class_from_neutral(to, neutral);
	if (!is_light(neutral))
		return MW_OK;
	mw_code code = rename_keys(cx, arena, to, false, neutral, e);
	if (!code && to == MW_FAMILY_QUAKE && strcmp(neutral, "light_sun") == 0)
		code = mw_pairs_add(cx, &e->keys, "_sun", "1");
	return code;
}

/* ---- wires ----------------------------------------------------------------------------------- */

static bool sv_is_blank(mw_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_blank(s.p[i]))
			return false;
	return true;
}

bool mw_wire_parse(const mw_pair *p, mw_wire *out)
{
	mw_sv field[5];
	int n = 0;
	const char *at = p->value;
	if (strcmp(p->key, "classname") == 0 || strcmp(p->key, "origin") == 0 ||
		strcmp(p->key, "targetname") == 0)
		return false;
	for (;;) {
		const char *end = at;
		while (*end && *end != ',')
			end++;
		if (n == 5)
			return false;
		field[n++] = (mw_sv){at, (size_t)(end - at)};
		if (!*end)
			break;
		at = end + 1;
	}
	mw_wire w = {.output = mw_sv_of(p->key)};
	if (n != 5 || sv_is_blank(field[0]) || sv_is_blank(field[1]) ||
		!mw_num_parse(field[3], &w.delay))
		return false;
	w.target = field[0];
	w.input = field[1];
	w.parameter = field[2];
	w.once = field[4].n == 1 && field[4].p[0] == '1';
	if (out)
		*out = w;
	return true;
}

static void put_field(mw_str *s, mw_sv field)
{
	for (size_t i = 0; i < field.n; i++)
		mw_str_putc(s, field.p[i] == ',' ? ' ' : field.p[i]);
	mw_str_putc(s, ',');
}

const char *mw_wire_text(mw_arena *arena, const mw_wire *w)
{
	mw_str s;
	char delay[MW_NUM_TEXT];
	mw_str_init(&s, arena->cx);
	put_field(&s, w->target);
	put_field(&s, w->input);
	put_field(&s, w->parameter);
	size_t n = mw_num_text(w->delay, delay);
	mw_str_putn(&s, delay, n);
	if (!memchr(delay, '.', n) && !memchr(delay, 'e', n))
		mw_str_put(&s, ".0");
	mw_str_put(&s, w->once ? ",1" : ",0");
	const char *text = mw_str_code(&s) ? NULL : mw_arena_strdup(arena, s.p, s.n);
	mw_str_free(&s);
	return text;
}

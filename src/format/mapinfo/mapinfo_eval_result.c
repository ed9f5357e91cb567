#include "format/mapinfo/mapinfo_eval_internal.h"

#include "base/str.h"
#include "bind/lx.h"

#include <math.h>
#include <string.h>

/* The table that a run returned, into the host state: keys in lower case, numbers as float32. */

#define MAX_NODES 200000 /* values of one result */
#define MAX_DEPTH 100

typedef struct place {
	const struct place *outer;
	const void *table; /* of S, to notice a table inside itself */
	char name[80];
} place;

static void path_text(const place *at, char *out, size_t size)
{
	const place *chain[MAX_DEPTH + 2];
	size_t n = 0, len = 0;

	for (; at && n < MW_COUNTOF(chain); at = at->outer)
		chain[n++] = at;
	out[0] = '\0';
	while (n-- > 0 && len + 1 < size) {
		const char *name = chain[n]->name;

		mw_format(out + len, size - len, "%s%s", len && name[0] != '[' ? "." : "", name);
		len = strlen(out);
	}
}

static void path_event(mw__evaluator *ev, const place *at, const char *kind)
{
	char path[512];

	path_text(at, path, sizeof path);
	mw__eval_event(ev, NULL, kind, path);
}

static void note_mixed_case(mw__evaluator *ev, const place *at)
{
	char path[sizeof ev->mixed];

	path_text(at, path, sizeof path);
	if (!ev->mixed[0] || strcmp(path, ev->mixed) < 0)
		memcpy(ev->mixed, path, sizeof path);
}

/* 130 and 0.1 rather than 130.0 and 0.10000000149: the shortest that is the same float. */
void mw_mapinfo_push_number(lua_State *L, double v)
{
	char text[MW_NUM_TEXT];
	mw_sv s = {text, 0};
	double nice;

	if (v == floor(v) && v > -1e15 && v < 1e15 && !(v == 0 && signbit(v))) {
		lua_pushinteger(L, (lua_Integer)v);
		return;
	}
	s.n = mw_num_text_f32((float)v, text);
	lua_pushnumber(L, isfinite(v) && mw_num_parse(s, &nice) ? nice : v);
}

static mw_code copy_value(mw__evaluator *ev, lua_State *S, place *at);

static void lower_text(const char *from, size_t n, char *to)
{
	for (size_t i = 0; i < n; i++)
		to[i] = mw__eval_lower(from[i]);
}

/* Where keys fall together: the lower-case one wins, else the first by its bytes; the host's table
 * of spellings at spelled remembers which it was. */
static bool key_wins(
	mw__evaluator *ev, lua_State *S, const place *at, int spelled, mw_sv key, const char *low)
{
	lua_State *L = ev->L;
	const char *before;
	bool wins = true;

	MW_UNUSED(S);
	lua_pushlstring(L, low, key.n);
	if (lua_rawget(L, spelled) == LUA_TSTRING) {
		size_t n;
		char text[256];
		place inner = {at, NULL, ""};

		before = lua_tolstring(L, -1, &n);
		if (memcmp(before, low, n) == 0)
			wins = false;
		else
			wins = memcmp(key.p, low, key.n) == 0 || memcmp(key.p, before, n) < 0;
		mw_format(inner.name, sizeof inner.name, "%.*s", (int)key.n, low);
		path_text(&inner, text, sizeof text);
		mw__eval_event(ev, NULL, "case-duplicate", text);
	}
	lua_pop(L, 1);
	if (wins) {
		lua_pushlstring(L, low, key.n);
		lua_pushlstring(L, key.p, key.n);
		lua_rawset(L, spelled);
	}
	return wins;
}

/* The table on top of S into a new one on top of L. */
static mw_code copy_table(mw__evaluator *ev, lua_State *S, place *at)
{
	lua_State *L = ev->L;
	mw_ctx *cx = mw_lx_ctx(L);
	int to, spelled, depth = 0;
	mw_code code = MW_OK;

	for (const place *p = at->outer; p; p = p->outer, depth++) {
		if (p->table == at->table) {
			char path[512];

			path_text(at, path, sizeof path);
			mw__eval_event(ev, NULL, "cycle", path);
			return mw_fail(cx, MW_EFORMAT, "the table contains itself at %s", path);
		}
	}
	if (depth > MAX_DEPTH)
		return mw_fail(cx, MW_ELIMIT, "tables are nested deeper than %d", MAX_DEPTH);
	luaL_checkstack(L, 8, "result");
	if (!lua_checkstack(S, 8))
		return mw_fail(cx, MW_ELIMIT, "tables are nested too deep");
	lua_newtable(L);
	to = lua_gettop(L);
	lua_newtable(L);
	spelled = to + 1;
	for (lua_pushnil(S); code == MW_OK && lua_next(S, -2);) {
		place inner = {at, NULL, ""};
		int key = lua_type(S, -2);

		if (key == LUA_TNUMBER) {
			double k = lua_tonumber(S, -2);
			char text[MW_NUM_TEXT];

			mw_num_text(k, text);
			mw_format(inner.name, sizeof inner.name, "[%s]", text);
			mw_mapinfo_push_number(L, k);
		} else if (key == LUA_TSTRING) {
			mw_sv name;
			char low[512];

			name.p = lua_tolstring(S, -2, &name.n);
			if (name.n >= sizeof low) {
				path_event(ev, at, "long-key");
				lua_pop(S, 1);
				continue;
			}
			lower_text(name.p, name.n, low);
			mw_format(inner.name, sizeof inner.name, "%.*s", (int)name.n, name.p);
			if (ev->keep_case) {
				lua_pushlstring(L, name.p, name.n);
			} else {
				if (!key_wins(ev, S, at, spelled, name, low)) {
					lua_pop(S, 1);
					continue;
				}
				if (memcmp(low, name.p, name.n) != 0)
					note_mixed_case(ev, &inner);
				lua_pushlstring(L, low, name.n);
			}
		} else {
			path_event(ev, at, "odd-key");
			lua_pop(S, 1);
			continue;
		}
		code = copy_value(ev, S, &inner);
		if (code == MW_OK)
			lua_rawset(L, to);
		if (code == MW_OK)
			lua_pop(S, 1);
	}
	lua_settop(L, to);
	return code;
}

/* The value on top of S onto L; functions and the like as nil. */
static mw_code copy_value(mw__evaluator *ev, lua_State *S, place *at)
{
	lua_State *L = ev->L;
	double v;
	size_t n;
	const char *s;

	if (++ev->nodes > MAX_NODES)
		return mw_fail(
			mw_lx_ctx(L), MW_ELIMIT, "the table has more than %d values", MAX_NODES);
	switch (lua_type(S, -1)) {
	case LUA_TNUMBER:
		v = (double)(float)lua_tonumber(S, -1);
		if (!isfinite(v))
			path_event(ev, at, "not-finite");
		mw_mapinfo_push_number(L, v);
		return MW_OK;
	case LUA_TSTRING:
		s = lua_tolstring(S, -1, &n);
		lua_pushlstring(L, s, n);
		return MW_OK;
	case LUA_TBOOLEAN:
		lua_pushboolean(L, lua_toboolean(S, -1));
		return MW_OK;
	case LUA_TTABLE:
		at->table = lua_topointer(S, -1);
		return copy_table(ev, S, at);
	default:
		path_event(ev, at, "odd-value");
		lua_pushnil(L);
		return MW_OK;
	}
}

mw_code mw__eval_copy(mw__evaluator *ev, lua_State *S)
{
	place root = {NULL, NULL, ""};

	return copy_value(ev, S, &root);
}

#include "bind/sandbox_lib.h"

#include "base/mem.h"
#include "base/sort.h"
#include "format/mapinfo/mapinfo_lex.h"

#include <lualib.h>
#include <string.h>

/* The base, table and coroutine functions of Lua 5.1 over the built-in Lua 5.4. */

/* ---- numbers and texts
 * --------------------------------------------------------------------------- */

void mw__sandbox_push_number(lua_State *L, double v)
{
	lua_pushnumber(L, (double)(float)v);
}

static bool text_to_number(mw_sv s, double *v)
{
	bool minus = false;

	while (s.n > 0 && strchr(" \t\n\v\f\r", s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && strchr(" \t\n\v\f\r", s.p[s.n - 1]))
		s.n--;
	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+')) {
		minus = s.p[0] == '-';
		s.p++;
		s.n--;
	}
	if (!mw_mapinfo_number(s, v))
		return false;
	if (minus)
		*v = -*v;
	return true;
}

bool mw__sandbox_to_number(lua_State *L, int idx, double *v)
{
	if (lua_type(L, idx) == LUA_TNUMBER) {
		*v = (double)(float)lua_tonumber(L, idx);
		return true;
	}
	if (lua_type(L, idx) == LUA_TSTRING) {
		mw_sv s;

		s.p = lua_tolstring(L, idx, &s.n);
		return text_to_number(s, v);
	}
	return false;
}

double mw__sandbox_number(lua_State *L, int idx)
{
	double v = 0;

	if (!mw__sandbox_to_number(L, idx, &v))
		luaL_typeerror(L, idx, "number");
	return v;
}

lua_Integer mw__sandbox_int(lua_State *L, int idx)
{
	double v = mw__sandbox_number(L, idx);

	if (!(v > -9.2e18))
		return -9200000000000000000;
	return v < 9.2e18 ? (lua_Integer)v : 9200000000000000000;
}

lua_Integer mw__sandbox_opt_int(lua_State *L, int idx, lua_Integer otherwise)
{
	return lua_isnoneornil(L, idx) ? otherwise : mw__sandbox_int(L, idx);
}

static void push_number_text(lua_State *L, double v)
{
	char text[MW_NUM_TEXT];
	size_t n = mw_mapinfo_number_text(v, text);

	lua_pushlstring(L, text, n);
}

const char *mw_sandbox_text(lua_State *L, int idx, size_t *n)
{
	idx = lua_absindex(L, idx);
	if (lua_type(L, idx) == LUA_TNUMBER) {
		push_number_text(L, lua_tonumber(L, idx));
		lua_replace(L, idx);
	} else if (lua_type(L, idx) != LUA_TSTRING) {
		luaL_typeerror(L, idx, "string");
	}
	return lua_tolstring(L, idx, n);
}

void mw_sandbox_push_text(lua_State *L, int idx)
{
	if (luaL_callmeta(L, idx, "__tostring"))
		return;
	switch (lua_type(L, idx)) {
	case LUA_TNUMBER:
		push_number_text(L, lua_tonumber(L, idx));
		break;
	case LUA_TSTRING:
		lua_pushvalue(L, idx);
		break;
	case LUA_TBOOLEAN:
		lua_pushstring(L, lua_toboolean(L, idx) ? "true" : "false");
		break;
	case LUA_TNIL:
		lua_pushliteral(L, "nil");
		break;
	default: /* addresses would differ from run to run */
		lua_pushfstring(L, "%s: 0x00000000", luaL_typename(L, idx));
		break;
	}
}

/* ---- what translated programs call
 * ---------------------------------------------------------------- */

static int h_round(lua_State *L)
{
	if (lua_type(L, 1) == LUA_TNUMBER)
		mw__sandbox_push_number(L, lua_tonumber(L, 1));
	else
		lua_settop(L, 1);
	return 1;
}

static double modulo(double a, double b)
{
	float q = (float)a / (float)b;
	float whole = q >= -8388608.0f && q <= 8388608.0f ? (float)(long)q : q;

	if (whole > q)
		whole -= 1;
	return (double)((float)a - whole * (float)b);
}

static int h_modulo(lua_State *L)
{
	double a, b;

	if (mw__sandbox_to_number(L, 1, &a) && mw__sandbox_to_number(L, 2, &b)) {
		mw__sandbox_push_number(L, modulo(a, b));
		return 1;
	}
	lua_settop(L, 2);
	lua_arith(L, LUA_OPMOD);
	return 1;
}

static int h_concat(lua_State *L)
{
	int n = lua_gettop(L);
	size_t bytes = 0;

	for (int i = 1; i <= n; i++) {
		if (lua_type(L, i) == LUA_TNUMBER) {
			push_number_text(L, lua_tonumber(L, i));
			lua_replace(L, i);
		}
		bytes += lua_type(L, i) == LUA_TSTRING ? lua_rawlen(L, i) : 0;
	}
	if (bytes > mw__sandbox_string_max(L))
		return luaL_error(L, "a text of %d MiB is over the limit of %d MiB",
			(int)(bytes >> 20), (int)(mw__sandbox_string_max(L) >> 20));
	mw_sandbox_spend(L, bytes / 8);
	lua_concat(L, n);
	return 1;
}

static int for_step(lua_State *L)
{
	float at = (float)lua_tonumber(L, lua_upvalueindex(1));
	float last = (float)lua_tonumber(L, lua_upvalueindex(2));
	float step = (float)lua_tonumber(L, lua_upvalueindex(3));

	if (step > 0 ? !(at <= last) : !(at >= last))
		return 0;
	lua_pushnumber(L, (double)(at + step));
	lua_replace(L, lua_upvalueindex(1));
	lua_pushnumber(L, (double)at);
	return 1;
}

static int h_range(lua_State *L)
{
	static const char *const names[] = {"initial", "limit", "step"};
	double v[3] = {0, 0, 1};

	for (int i = 0; i < 3; i++)
		if ((i < 2 || !lua_isnoneornil(L, 3)) && !mw__sandbox_to_number(L, i + 1, &v[i]))
			return luaL_error(
				L, "'for' %s%s must be a number", names[i], i == 0 ? " value" : "");
	for (int i = 0; i < 3; i++)
		lua_pushnumber(L, v[i]);
	lua_pushcclosure(L, for_step, 3);
	return 1;
}

static int h_arg(lua_State *L)
{
	int n = lua_gettop(L);

	lua_createtable(L, n, 1);
	lua_insert(L, 1);
	for (int i = n; i >= 1; i--)
		lua_rawseti(L, 1, i);
	lua_pushnumber(L, n);
	lua_setfield(L, 1, "n");
	return 1;
}

void mw__sandbox_push_helpers(lua_State *L)
{
	lua_pushcfunction(L, h_round);
	lua_pushcfunction(L, h_modulo);
	lua_pushcfunction(L, h_concat);
	lua_pushcfunction(L, h_range);
	lua_pushcfunction(L, h_arg);
}

/* ---- calls that catch errors
 * ---------------------------------------------------------------------- */

/* An error that stopped the program goes on to the outside. */
static void pass_on(lua_State *L, int status)
{
	if (status == LUA_ERRMEM)
		mw__sandbox_stop(L, MW_SANDBOX_MEMORY);
	if (mw__sandbox_stopped(L))
		lua_error(L);
}

static int l_pcall(lua_State *L)
{
	int status;

	luaL_checkany(L, 1);
	status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
	if (status != LUA_OK)
		pass_on(L, status);
	lua_pushboolean(L, status == LUA_OK);
	lua_insert(L, 1);
	return lua_gettop(L);
}

/* The user's handler (upvalue), but not once the program was stopped: it would run where no count
 * reaches it. */
static int handle(lua_State *L)
{
	if (mw__sandbox_stopped(L))
		return 1;
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 1, 1);
	return 1;
}

static int l_xpcall(lua_State *L)
{
	int status;

	luaL_checkany(L, 2);
	lua_settop(L, 2);
	lua_pushcclosure(L, handle, 1);
	lua_insert(L, 1); /* below the function */
	status = lua_pcall(L, 0, LUA_MULTRET, 1);
	if (status != LUA_OK)
		pass_on(L, status);
	lua_pushboolean(L, status == LUA_OK);
	lua_replace(L, 1);
	return lua_gettop(L);
}

/* coroutine.resume, the original in the upvalue. */
static int l_resume(lua_State *L)
{
	int n = lua_gettop(L);

	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, n, LUA_MULTRET);
	if (mw__sandbox_stopped(L)) {
		lua_settop(L, 2);
		lua_error(L);
	}
	return lua_gettop(L);
}

/* ---- environments, loading
 * ------------------------------------------------------------------------ */

static int l_getfenv(lua_State *L)
{
	if (lua_isfunction(L, 1)) {
		const char *name;

		for (int i = 1; (name = lua_getupvalue(L, 1, i)) != NULL; i++) {
			if (strcmp(name, "_ENV") == 0)
				return 1;
			lua_pop(L, 1);
		}
		lua_pushglobaltable(L);
		return 1;
	}
	lua_Integer level = mw__sandbox_opt_int(L, 1, 1);
	lua_Debug ar;

	luaL_argcheck(L, level >= 0, 1, "level must be non-negative");
	luaL_argcheck(L, level == 0 || lua_getstack(L, (int)level, &ar), 1, "invalid level");
	mw_sandbox_push_env(L, (int)level);
	return 1;
}

static int l_setfenv(lua_State *L)
{
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	if (!lua_isfunction(L, 1)) {
		lua_Integer level = mw__sandbox_int(L, 1);
		lua_Debug ar;

		luaL_argcheck(L, level >= 0, 1, "level must be non-negative");
		if (level == 0)
			return luaL_error(L, "setfenv(0, ...) is not supported here");
		luaL_argcheck(L, lua_getstack(L, (int)level, &ar), 1, "invalid level");
		lua_getinfo(L, "f", &ar);
		lua_replace(L, 1);
	}
	if (!mw_sandbox_set_env(L, 1))
		return luaL_error(L, "'setfenv' cannot change environment of given object");
	lua_settop(L, 1);
	return 1;
}

static int l_loadstring(lua_State *L)
{
	size_t n;
	const char *text = mw_sandbox_text(L, 1, &n);
	const char *chunk = luaL_optstring(L, 2, text);

	return mw_sandbox_compile(L, text, n, chunk) ? 1 : 2;
}

static int l_load(lua_State *L)
{
	const char *chunk = luaL_optstring(L, 2, "=(load)");
	luaL_Buffer b;
	size_t n;

	if (lua_type(L, 1) == LUA_TSTRING) /* refused by 5.1 as well, which takes a function only */
		return luaL_typeerror(L, 1, "function");
	luaL_checktype(L, 1, LUA_TFUNCTION);
	lua_settop(L, 2);
	luaL_buffinit(L, &b);
	for (;;) {
		lua_pushvalue(L, 1);
		lua_call(L, 0, 1);
		if (lua_isnil(L, -1) || (lua_isstring(L, -1) && lua_rawlen(L, -1) == 0)) {
			lua_pop(L, 1);
			break;
		}
		if (!lua_isstring(L, -1))
			return luaL_error(L, "reader function must return a string");
		luaL_addvalue(&b);
	}
	luaL_pushresult(&b);
	{
		const char *text = lua_tolstring(L, -1, &n);

		return mw_sandbox_compile(L, text, n, chunk) ? 1 : 2;
	}
}

/* ---- tables
 * ----------------------------------------------------------------------------------------- */

/* Without finalizers: they would run outside of every limit. */
static int l_setmetatable(lua_State *L)
{
	int t = lua_type(L, 2);

	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_argexpected(L, t == LUA_TNIL || t == LUA_TTABLE, 2, "nil or table");
	if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
		return luaL_error(L, "cannot change a protected metatable");
	lua_settop(L, 2);
	if (t == LUA_TTABLE) {
		lua_pushliteral(L, "__gc");
		lua_pushvalue(L, -1);
		lua_rawget(L, 2); /* 3: the name, 4: the finalizer */
		lua_pushvalue(L, 3);
		lua_pushnil(L);
		lua_rawset(L, 2);
		lua_pushvalue(L, 2);
		lua_setmetatable(L, 1);
		lua_rawset(L, 2);
	} else {
		lua_setmetatable(L, 1);
	}
	lua_settop(L, 1);
	return 1;
}

typedef struct {
	int kind; /* 0 number, 1 text, 2 others */
	double number;
	mw_sv text;
	int at;
} sort_key;

static int compare_keys(const void *a, const void *b, void *ud)
{
	const sort_key *x = a, *y = b;

	MW_UNUSED(ud);
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->kind == 0)
		return x->number < y->number ? -1 : x->number > y->number ? 1 : 0;
	return x->kind == 1 ? mw_sv_cmp(x->text, y->text) : 0;
}

static int pairs_step(lua_State *L)
{
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));

	for (;;) {
		i++;
		if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL)
			return 1;
		lua_pushvalue(L, -1);
		if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
			break;
		lua_pop(L, 2);
	}
	lua_pushinteger(L, i);
	lua_replace(L, lua_upvalueindex(3));
	return 2;
}

/* pairs by a sorted list of the keys: stock Lua's order differs from run to run. */
static int l_pairs(lua_State *L)
{
	mw_ctx *cx = mw_sandbox_ctx(mw_sandbox_of(L));
	sort_key *keys;
	int n = 0, i = 0;

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	lua_newtable(L); /* 2: keys in the table's own order */
	for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
		lua_pushvalue(L, -2);
		lua_rawseti(L, 2, ++n);
	}
	mw_sandbox_spend(L, (uint64_t)n * 4);
	keys = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *keys * 2, 0); /* 3 */
	for (i = 0; i < n; i++) {
		sort_key *k = &keys[i];

		lua_rawgeti(L, 2, i + 1);
		k->at = i + 1;
		k->kind = lua_type(L, -1) == LUA_TNUMBER ? 0
			: lua_type(L, -1) == LUA_TSTRING ? 1
							 : 2;
		k->number = k->kind == 0 ? lua_tonumber(L, -1) : 0;
		k->text.p = "";
		k->text.n = 0;
		if (k->kind == 1)
			k->text.p = lua_tolstring(L, -1, &k->text.n);
		lua_pop(L, 1);
	}
	if (mw_sort(cx, keys, (size_t)n, sizeof *keys, compare_keys, NULL) != MW_OK) {
		mw_err_clear(cx);
		return mw__sandbox_no_memory(L);
	}
	lua_pushvalue(L, 1);
	lua_createtable(L, n, 0);
	for (i = 0; i < n; i++) {
		lua_rawgeti(L, 2, keys[i].at);
		lua_rawseti(L, -2, i + 1);
	}
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, pairs_step, 3);
	lua_pushvalue(L, 1);
	lua_pushnil(L);
	return 3;
}

static int l_next(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 2);
	if (lua_next(L, 1))
		return 2;
	lua_pushnil(L);
	return 1;
}

static int l_unpack(lua_State *L)
{
	lua_Integer from, to;

	luaL_checktype(L, 1, LUA_TTABLE);
	from = mw__sandbox_opt_int(L, 2, 1);
	to = lua_isnoneornil(L, 3) ? (lua_Integer)lua_rawlen(L, 1) : mw__sandbox_int(L, 3);
	if (from > to)
		return 0;
	if (to - from >= 100000 || !lua_checkstack(L, (int)(to - from) + 1))
		return luaL_error(L, "too many results to unpack");
	mw_sandbox_spend(L, (uint64_t)(to - from));
	for (lua_Integer i = from; i <= to; i++)
		lua_rawgeti(L, 1, i);
	return (int)(to - from) + 1;
}

static int l_tonumber(lua_State *L)
{
	lua_Integer base = mw__sandbox_opt_int(L, 2, 10);
	double v = 0;

	if (base == 10) {
		luaL_checkany(L, 1);
		if (mw__sandbox_to_number(L, 1, &v)) {
			mw__sandbox_push_number(L, v);
			return 1;
		}
	} else {
		size_t n, digits = 0;
		const char *s = mw_sandbox_text(L, 1, &n);
		bool minus;

		luaL_argcheck(L, 2 <= base && base <= 36, 2, "base out of range");
		while (*s == ' ')
			s++;
		minus = *s == '-';
		s += minus;
		for (;; s++, digits++) {
			int c = *s | 0x20;
			int digit = *s >= '0' && *s <= '9' ? *s - '0'
				: c >= 'a' && c <= 'z'     ? c - 'a' + 10
							   : 99;

			if (digit >= base)
				break;
			v = v * (double)base + digit;
		}
		while (*s == ' ')
			s++;
		if (digits > 0 && *s == '\0') {
			mw__sandbox_push_number(L, minus ? -v : v);
			return 1;
		}
	}
	lua_pushnil(L);
	return 1;
}

static int l_tostring(lua_State *L)
{
	luaL_checkany(L, 1);
	mw_sandbox_push_text(L, 1);
	return 1;
}

static int l_nothing(lua_State *L)
{
	MW_UNUSED(L);
	return 0;
}

/* ---- table
 * ------------------------------------------------------------------------------------------ */

static int l_concat(lua_State *L)
{
	size_t sep_n = 0, bytes = 0, n;
	const char *sep = lua_isnoneornil(L, 2) ? "" : mw_sandbox_text(L, 2, &sep_n);
	lua_Integer from, to;
	luaL_Buffer b;

	luaL_checktype(L, 1, LUA_TTABLE);
	from = mw__sandbox_opt_int(L, 3, 1);
	to = lua_isnoneornil(L, 4) ? (lua_Integer)lua_rawlen(L, 1) : mw__sandbox_int(L, 4);
	luaL_buffinit(L, &b);
	for (lua_Integer i = from; i <= to; i++) {
		lua_rawgeti(L, 1, i);
		if (lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER)
			return luaL_error(L, "invalid value (%s) at index %d in table for 'concat'",
				luaL_typename(L, -1), (int)i);
		mw_sandbox_text(L, -1, &n);
		bytes += n + sep_n;
		mw_sandbox_spend(L, 1 + (n + sep_n) / 8);
		if (bytes > mw__sandbox_string_max(L))
			return luaL_error(L, "a text of more than %d MiB is over the limit",
				(int)(mw__sandbox_string_max(L) >> 20));
		luaL_addvalue(&b);
		if (i < to)
			luaL_addlstring(&b, sep, sep_n);
	}
	luaL_pushresult(&b);
	return 1;
}

static int l_insert(lua_State *L)
{
	lua_Integer n, at;

	luaL_checktype(L, 1, LUA_TTABLE);
	n = (lua_Integer)lua_rawlen(L, 1) + 1;
	switch (lua_gettop(L)) {
	case 2:
		at = n;
		break;
	case 3:
		at = mw__sandbox_int(L, 2);
		if (at > n)
			n = at;
		if (n - at > 0)
			mw_sandbox_spend(L, (uint64_t)(n - at));
		for (lua_Integer i = n; i > at; i--) {
			lua_rawgeti(L, 1, i - 1);
			lua_rawseti(L, 1, i);
		}
		break;
	default:
		return luaL_error(L, "wrong number of arguments to 'insert'");
	}
	lua_settop(L, 3);
	lua_rawseti(L, 1, at); /* whatever came last */
	return 0;
}

static int l_remove(lua_State *L)
{
	lua_Integer n, at;

	luaL_checktype(L, 1, LUA_TTABLE);
	n = (lua_Integer)lua_rawlen(L, 1);
	at = mw__sandbox_opt_int(L, 2, n);
	if (at < 1 || at > n)
		return 0;
	mw_sandbox_spend(L, (uint64_t)(n - at));
	lua_rawgeti(L, 1, at);
	for (; at < n; at++) {
		lua_rawgeti(L, 1, at + 1);
		lua_rawseti(L, 1, at);
	}
	lua_pushnil(L);
	lua_rawseti(L, 1, n);
	return 1;
}

static int l_getn(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_pushnumber(L, (double)lua_rawlen(L, 1));
	return 1;
}

static int l_maxn(lua_State *L)
{
	double most = 0;

	luaL_checktype(L, 1, LUA_TTABLE);
	for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
		mw_sandbox_spend(L, 1);
		if (lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) > most)
			most = lua_tonumber(L, -2);
	}
	mw__sandbox_push_number(L, most);
	return 1;
}

static int l_foreachi(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checktype(L, 2, LUA_TFUNCTION);
	for (lua_Integer i = 1, n = (lua_Integer)lua_rawlen(L, 1); i <= n; i++) {
		lua_pushvalue(L, 2);
		lua_pushnumber(L, (double)i);
		lua_rawgeti(L, 1, i);
		lua_call(L, 2, 1);
		if (!lua_isnil(L, -1))
			return 1;
		lua_pop(L, 1);
	}
	return 0;
}

static int l_foreach(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	lua_pushcfunction(L, l_pairs);
	lua_pushvalue(L, 1);
	lua_call(L, 1, 3); /* 3: the step */
	for (;;) {
		lua_settop(L, 3);
		lua_pushvalue(L, 3);
		lua_call(L, 0, 2);
		if (lua_isnil(L, 4))
			return 0;
		lua_pushvalue(L, 2);
		lua_insert(L, 4);
		lua_call(L, 2, 1);
		if (!lua_isnil(L, -1))
			return 1;
	}
}

static int l_setn(lua_State *L)
{
	return luaL_error(L, "'setn' is obsolete");
}

/* table.sort, the original in the upvalue: what it does without a comparison in Lua is reckoned
 * before. */
static int l_sort(lua_State *L)
{
	lua_Unsigned n;
	uint64_t log = 1;

	luaL_checktype(L, 1, LUA_TTABLE);
	n = lua_rawlen(L, 1);
	while (((uint64_t)n >> log) > 0)
		log++;
	mw_sandbox_spend(L, n * log);
	lua_settop(L, 2);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 2, 0);
	return 0;
}

void mw__sandbox_open_table(lua_State *L)
{
	static const luaL_Reg functions[] = {{"concat", l_concat}, {"insert", l_insert},
		{"remove", l_remove}, {"getn", l_getn}, {"maxn", l_maxn}, {"foreach", l_foreach},
		{"foreachi", l_foreachi}, {"setn", l_setn}, {NULL, NULL}};

	lua_newtable(L);
	luaL_setfuncs(L, functions, 0);
	luaL_requiref(L, "table", luaopen_table, 0);
	lua_getfield(L, -1, "sort");
	lua_pushcclosure(L, l_sort, 1);
	lua_setfield(L, -3, "sort");
	lua_pop(L, 1);
	lua_setglobal(L, "table");
}

/* ---- opening
 * ----------------------------------------------------------------------------------------- */

static void take(lua_State *L, int from, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		lua_getfield(L, from, names[i]);
		lua_setfield(L, -2, names[i]);
	}
}

void mw__sandbox_open_base(lua_State *L)
{
	static const char *const kept[] = {"assert", "error", "getmetatable", "ipairs", "rawequal",
		"rawget", "rawset", "select", "type"};
	static const char *const routines[] = {"create", "running", "status", "wrap", "yield"};
	static const luaL_Reg functions[] = {{"pcall", l_pcall}, {"xpcall", l_xpcall},
		{"getfenv", l_getfenv}, {"setfenv", l_setfenv}, {"load", l_load},
		{"loadstring", l_loadstring}, {"setmetatable", l_setmetatable}, {"pairs", l_pairs},
		{"next", l_next}, {"unpack", l_unpack}, {"tonumber", l_tonumber},
		{"tostring", l_tostring}, {"print", l_nothing}, {NULL, NULL}};
	int base;

	lua_pushglobaltable(L);
	luaL_requiref(L, "_G", luaopen_base, 0); /* fills the global table itself */
	lua_pop(L, 2);
	lua_newtable(L); /* the new globals */
	base = lua_gettop(L);
	lua_pushglobaltable(L);
	lua_insert(L, base); /* base: the old, base + 1: the new */
	take(L, base, kept, MW_COUNTOF(kept));
	luaL_setfuncs(L, functions, 0);
	lua_pushvalue(L, base + 1);
	lua_setfield(L, base + 1, "_G");
	lua_pushliteral(L, "Lua 5.1");
	lua_setfield(L, base + 1, "_VERSION");
	luaL_requiref(L, "coroutine", luaopen_coroutine, 0); /* base + 2 */
	lua_newtable(L);
	take(L, base + 2, routines, MW_COUNTOF(routines));
	lua_getfield(L, base + 2, "resume");
	lua_pushcclosure(L, l_resume, 1);
	lua_setfield(L, -2, "resume");
	lua_setfield(L, base + 1, "coroutine");
	lua_settop(L, base + 1);
	lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
	lua_settop(L, base - 1);
	/* what was loaded on the way stays out of reach: no require, no package, no registry */
}

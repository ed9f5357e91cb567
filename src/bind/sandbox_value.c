#include "bind/sandbox_lib.h"

#include "format/mapinfo/mapinfo_lex.h"

#include <string.h>

/* Numbers and texts as Lua 5.1 with floats of 32 bits has them, and what translated programs call
 * for its arithmetic. */

/* ---- numbers --------------------------------------------------------------------------------- */

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

/* ---- texts ----------------------------------------------------------------------------------- */

void mw__sandbox_push_number_text(lua_State *L, double v)
{
	char text[MW_NUM_TEXT];
	size_t n = mw_mapinfo_number_text(v, text);

	lua_pushlstring(L, text, n);
}

const char *mw_sandbox_text(lua_State *L, int idx, size_t *n)
{
	idx = lua_absindex(L, idx);
	if (lua_type(L, idx) == LUA_TNUMBER) {
		mw__sandbox_push_number_text(L, lua_tonumber(L, idx));
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
		mw__sandbox_push_number_text(L, lua_tonumber(L, idx));
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

/* ---- what translated programs call ----------------------------------------------------------- */

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
			mw__sandbox_push_number_text(L, lua_tonumber(L, i));
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

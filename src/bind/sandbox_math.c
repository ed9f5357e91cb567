#include "bind/sandbox_lib.h"

#include <math.h>

/* math of the engine's Lua 5.1: everything in and out is a float32. random and randomseed are added
 * by who knows what they do there. */

#define UNARY(name, expression)                                                                    \
	static int m_##name(lua_State *L)                                                          \
	{                                                                                          \
		double x = mw__sandbox_number(L, 1);                                               \
                                                                                                   \
		mw__sandbox_push_number(L, (expression));                                          \
		return 1;                                                                          \
	}

#define PI 3.14159265358979323846

UNARY(abs, fabs(x))
UNARY(acos, acos(x))
UNARY(asin, asin(x))
UNARY(atan, atan(x))
UNARY(ceil, ceil(x))
UNARY(cos, cos(x))
UNARY(cosh, cosh(x))
UNARY(deg, x / (PI / 180.0))
UNARY(exp, exp(x))
UNARY(floor, floor(x))
UNARY(log, log(x)) /* a base is not looked at */
UNARY(log10, log10(x))
UNARY(rad, x *(PI / 180.0))
UNARY(sin, sin(x))
UNARY(sinh, sinh(x))
UNARY(sqrt, sqrt(x))
UNARY(tan, tan(x))
UNARY(tanh, tanh(x))

#define BINARY(name, expression)                                                                   \
	static int m_##name(lua_State *L)                                                          \
	{                                                                                          \
		double x = mw__sandbox_number(L, 1), y = mw__sandbox_number(L, 2);                 \
                                                                                                   \
		mw__sandbox_push_number(L, (expression));                                          \
		return 1;                                                                          \
	}

BINARY(atan2, atan2(x, y))
BINARY(fmod, fmod(x, y))
BINARY(pow, pow(x, y))
BINARY(ldexp, ldexp(x, y > -10000 && y < 10000 ? (int)y : y > 0 ? 10000 : -10000))

static int m_frexp(lua_State *L)
{
	int e = 0;
	double v = frexp(mw__sandbox_number(L, 1), &e);

	mw__sandbox_push_number(L, v);
	mw__sandbox_push_number(L, e);
	return 2;
}

static int m_modf(lua_State *L)
{
	double whole, part = modf(mw__sandbox_number(L, 1), &whole);

	mw__sandbox_push_number(L, whole);
	mw__sandbox_push_number(L, part);
	return 2;
}

static int m_max(lua_State *L)
{
	double most = mw__sandbox_number(L, 1);

	for (int i = 2; i <= lua_gettop(L); i++) {
		double v = mw__sandbox_number(L, i);

		if (v > most)
			most = v;
	}
	mw__sandbox_push_number(L, most);
	return 1;
}

static int m_min(lua_State *L)
{
	double least = mw__sandbox_number(L, 1);

	for (int i = 2; i <= lua_gettop(L); i++) {
		double v = mw__sandbox_number(L, i);

		if (v < least)
			least = v;
	}
	mw__sandbox_push_number(L, least);
	return 1;
}

void mw__sandbox_open_math(lua_State *L)
{
	static const luaL_Reg functions[] = {{"abs", m_abs}, {"acos", m_acos}, {"asin", m_asin},
		{"atan", m_atan}, {"atan2", m_atan2}, {"ceil", m_ceil}, {"cos", m_cos},
		{"cosh", m_cosh}, {"deg", m_deg}, {"exp", m_exp}, {"floor", m_floor},
		{"fmod", m_fmod}, {"frexp", m_frexp}, {"ldexp", m_ldexp}, {"log", m_log},
		{"log10", m_log10}, {"max", m_max}, {"min", m_min}, {"modf", m_modf},
		{"pow", m_pow}, {"rad", m_rad}, {"sin", m_sin}, {"sinh", m_sinh}, {"sqrt", m_sqrt},
		{"tan", m_tan}, {"tanh", m_tanh}, {NULL, NULL}};

	lua_newtable(L);
	luaL_setfuncs(L, functions, 0);
	mw__sandbox_push_number(L, PI);
	lua_setfield(L, -2, "pi");
	mw__sandbox_push_number(L, 2 * PI);
	lua_setfield(L, -2, "tau");
	lua_pushnumber(L, HUGE_VAL);
	lua_setfield(L, -2, "huge");
	lua_setglobal(L, "math");
}

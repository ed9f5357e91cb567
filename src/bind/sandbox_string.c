#include "bind/sandbox_lib.h"

#include "base/mem.h"
#include "format/mapinfo/mapinfo_lex.h"

#include <string.h>

/* string of Lua 5.1: own matcher, lengths under a limit, numbers as the engine writes them. */

static const char *checked(lua_State *L, int idx, size_t *n)
{
	const char *s = mw_sandbox_text(L, idx, n);

	mw_sandbox_spend(L, *n / 16);
	return s;
}

/* A place from the end becomes one from the start. */
static lua_Integer from_start(lua_Integer at, size_t n)
{
	if (at < 0)
		at = at + (lua_Integer)n + 1;
	return at >= 0 ? at : 0;
}

static int s_len(lua_State *L)
{
	size_t n;

	mw_sandbox_text(L, 1, &n);
	mw__sandbox_push_number(L, (double)n);
	return 1;
}

static int s_sub(lua_State *L)
{
	size_t n;
	const char *s = checked(L, 1, &n);
	lua_Integer from = from_start(mw__sandbox_int(L, 2), n);
	lua_Integer to = from_start(mw__sandbox_opt_int(L, 3, -1), n);

	if (from < 1)
		from = 1;
	if (to > (lua_Integer)n)
		to = (lua_Integer)n;
	if (from <= to)
		lua_pushlstring(L, s + from - 1, (size_t)(to - from + 1));
	else
		lua_pushliteral(L, "");
	return 1;
}

static int each_byte(lua_State *L, int mode)
{
	size_t n;
	const char *s = checked(L, 1, &n);
	luaL_Buffer b;
	char *to = luaL_buffinitsize(L, &b, n);

	for (size_t i = 0; i < n; i++) {
		char c = mode == 'r' ? s[n - 1 - i] : s[i];

		if (mode == 'l' && c >= 'A' && c <= 'Z')
			c = (char)(c + 32);
		else if (mode == 'u' && c >= 'a' && c <= 'z')
			c = (char)(c - 32);
		to[i] = c;
	}
	luaL_pushresultsize(&b, n);
	return 1;
}

static int s_lower(lua_State *L)
{
	return each_byte(L, 'l');
}

static int s_upper(lua_State *L)
{
	return each_byte(L, 'u');
}

static int s_reverse(lua_State *L)
{
	return each_byte(L, 'r');
}

static int s_rep(lua_State *L)
{
	size_t n;
	const char *s = mw_sandbox_text(L, 1, &n);
	lua_Integer times = mw__sandbox_int(L, 2);
	luaL_Buffer b;
	char *to;

	if (times <= 0 || n == 0) {
		lua_pushliteral(L, "");
		return 1;
	}
	if ((uint64_t)times > mw__sandbox_string_max(L) / n)
		return luaL_error(L, "string.rep of %d bytes, %I times: over the limit of %d MiB",
			(int)n, (LUAI_UACINT)times, (int)(mw__sandbox_string_max(L) >> 20));
	mw_sandbox_spend(L, n * (size_t)times / 16 + (size_t)times);
	to = luaL_buffinitsize(L, &b, n * (size_t)times);
	for (lua_Integer i = 0; i < times; i++)
		memcpy(to + (size_t)i * n, s, n);
	luaL_pushresultsize(&b, n * (size_t)times);
	return 1;
}

static int s_byte(lua_State *L)
{
	size_t n;
	const char *s = mw_sandbox_text(L, 1, &n);
	lua_Integer from = from_start(mw__sandbox_opt_int(L, 2, 1), n);
	lua_Integer to = from_start(mw__sandbox_opt_int(L, 3, from), n);

	if (from < 1)
		from = 1;
	if (to > (lua_Integer)n)
		to = (lua_Integer)n;
	if (from > to)
		return 0;
	if (to - from > 10000)
		return luaL_error(L, "string slice too long");
	luaL_checkstack(L, (int)(to - from) + 1, "string slice too long");
	for (lua_Integer i = from; i <= to; i++)
		mw__sandbox_push_number(L, (unsigned char)s[i - 1]);
	return (int)(to - from) + 1;
}

static int s_char(lua_State *L)
{
	int n = lua_gettop(L);
	luaL_Buffer b;
	char *to = luaL_buffinitsize(L, &b, (size_t)n);

	for (int i = 1; i <= n; i++) {
		lua_Integer c = mw__sandbox_int(L, i);

		luaL_argcheck(L, 0 <= c && c <= 255, i, "invalid value");
		to[i - 1] = (char)(unsigned char)c;
	}
	luaL_pushresultsize(&b, (size_t)n);
	return 1;
}

/* ---- patterns
 * ---------------------------------------------------------------------------------------- */

static void push_capture(mw__matcher *m, int i, const char *s, const char *e)
{
	if (i >= m->captures_n) {
		if (i != 0)
			luaL_error(m->L, "invalid capture index");
		lua_pushlstring(m->L, s, (size_t)(e - s));
		return;
	}
	if (m->captures[i].n == MW_PATTERN_OPEN)
		luaL_error(m->L, "unfinished capture");
	if (m->captures[i].n == MW_PATTERN_POSITION)
		mw__sandbox_push_number(m->L, (double)(m->captures[i].start - m->text + 1));
	else
		lua_pushlstring(m->L, m->captures[i].start, (size_t)m->captures[i].n);
}

/* All captures, or the whole match where there are none. [s: NULL: captures only] */
static int push_captures(mw__matcher *m, const char *s, const char *e)
{
	int n = m->captures_n == 0 && s ? 1 : m->captures_n;

	luaL_checkstack(m->L, n, "too many captures");
	for (int i = 0; i < n; i++)
		push_capture(m, i, s, e);
	return n;
}

static void prepare(mw__matcher *m, lua_State *L, const char *s, size_t n, const char *p, size_t pn)
{
	memset(m, 0, sizeof *m);
	m->L = L;
	m->text = s;
	m->text_end = s + n;
	m->pattern_end = p + pn;
}

static const char *find_plain(lua_State *L, const char *s, size_t n, const char *p, size_t pn)
{
	mw_sandbox_spend(L, n / 8);
	if (pn == 0)
		return s;
	for (; n >= pn; s++, n--) {
		const char *at = memchr(s, p[0], n - pn + 1);

		if (!at)
			return NULL;
		n -= (size_t)(at - s);
		s = at;
		if (memcmp(s, p, pn) == 0)
			return s;
		mw_sandbox_spend(L, 1 + pn / 16);
	}
	return NULL;
}

static int find(lua_State *L, bool positions)
{
	size_t n, pn;
	const char *s = mw_sandbox_text(L, 1, &n), *p = mw_sandbox_text(L, 2, &pn);
	lua_Integer start = from_start(mw__sandbox_opt_int(L, 3, 1), n) - 1;
	bool anchor = pn > 0 && p[0] == '^';
	mw__matcher m;

	if (start < 0)
		start = 0;
	if (start > (lua_Integer)n)
		start = (lua_Integer)n;
	if (positions && (lua_toboolean(L, 4) || !strpbrk(p, "^$*+?.([%-"))) {
		const char *at = find_plain(L, s + start, n - (size_t)start, p, pn);

		if (!at) {
			lua_pushnil(L);
			return 1;
		}
		mw__sandbox_push_number(L, (double)(at - s + 1));
		mw__sandbox_push_number(L, (double)(at - s) + (double)pn);
		return 2;
	}
	prepare(&m, L, s, n, p, pn);
	for (const char *at = s + start; at <= m.text_end; at++) {
		const char *e = mw__pattern_match(&m, at, p + anchor);

		if (e) {
			if (!positions)
				return push_captures(&m, at, e);
			mw__sandbox_push_number(L, (double)(at - s + 1));
			mw__sandbox_push_number(L, (double)(e - s));
			return push_captures(&m, NULL, NULL) + 2;
		}
		if (anchor)
			break;
	}
	lua_pushnil(L);
	return 1;
}

static int s_find(lua_State *L)
{
	return find(L, true);
}

static int s_match(lua_State *L)
{
	return find(L, false);
}

static int gmatch_step(lua_State *L)
{
	size_t n, pn;
	const char *s = lua_tolstring(L, lua_upvalueindex(1), &n);
	const char *p = lua_tolstring(L, lua_upvalueindex(2), &pn);
	mw__matcher m;

	prepare(&m, L, s, n, p, pn);
	for (const char *at = s + lua_tointeger(L, lua_upvalueindex(3)); at <= m.text_end; at++) {
		const char *e = mw__pattern_match(&m, at, p);

		if (e) {
			lua_pushinteger(L, (e == at ? e + 1 : e) - s);
			lua_replace(L, lua_upvalueindex(3));
			return push_captures(&m, at, e);
		}
	}
	return 0;
}

static int s_gmatch(lua_State *L)
{
	size_t n;

	mw_sandbox_text(L, 1, &n);
	mw_sandbox_text(L, 2, &n);
	lua_settop(L, 2);
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, gmatch_step, 3);
	return 1;
}

static int s_gfind(lua_State *L)
{
	return luaL_error(L, "'string.gfind' was renamed to 'string.gmatch'");
}

static void add_replacement(mw__matcher *m, luaL_Buffer *b, const char *s, const char *e)
{
	lua_State *L = m->L;

	switch (lua_type(L, 3)) {
	case LUA_TSTRING: {
		size_t n;
		const char *r = lua_tolstring(L, 3, &n);

		mw_sandbox_spend(L, 1 + n / 8);
		for (size_t i = 0; i < n; i++) {
			if (r[i] != '%') {
				luaL_addchar(b, r[i]);
			} else if (++i >= n || r[i] < '0' || r[i] > '9') {
				luaL_addchar(b, i < n ? r[i] : '\0');
			} else if (r[i] == '0') {
				luaL_addlstring(b, s, (size_t)(e - s));
			} else {
				size_t len;

				push_capture(m, r[i] - '1', s, e);
				mw_sandbox_text(L, -1, &len);
				luaL_addvalue(b);
			}
		}
		return;
	}
	case LUA_TTABLE:
		push_capture(m, 0, s, e);
		lua_gettable(L, 3);
		break;
	default: {
		int n;

		lua_pushvalue(L, 3);
		n = push_captures(m, s, e);
		lua_call(L, n, 1);
		break;
	}
	}
	if (!lua_toboolean(L, -1)) {
		lua_pop(L, 1);
		lua_pushlstring(L, s, (size_t)(e - s));
	} else if (lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER) {
		luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
	} else {
		size_t len;

		mw_sandbox_text(L, -1, &len);
	}
	luaL_addvalue(b);
}

static int s_gsub(lua_State *L)
{
	size_t n, pn, len;
	const char *s = checked(L, 1, &n), *p = mw_sandbox_text(L, 2, &pn);
	int kind = lua_type(L, 3);
	bool anchor = pn > 0 && p[0] == '^';
	lua_Integer most, done = 0;
	mw__matcher m;
	luaL_Buffer b;
	const char *at = s;

	if (kind == LUA_TNUMBER)
		mw_sandbox_text(L, 3, &len);
	else
		luaL_argexpected(L,
			kind == LUA_TSTRING || kind == LUA_TTABLE || kind == LUA_TFUNCTION, 3,
			"string/function/table");
	most = mw__sandbox_opt_int(L, 4, (lua_Integer)n + 1);
	luaL_buffinit(L, &b);
	prepare(&m, L, s, n, p, pn);
	while (done < most) {
		const char *e = mw__pattern_match(&m, at, p + anchor);

		if (e) {
			done++;
			add_replacement(&m, &b, at, e);
		}
		if (e && e > at)
			at = e;
		else if (at < m.text_end)
			luaL_addchar(&b, *at++);
		else
			break;
		if (anchor)
			break;
	}
	if (at < m.text_end)
		luaL_addlstring(&b, at, (size_t)(m.text_end - at));
	luaL_pushresult(&b);
	mw__sandbox_push_number(L, (double)done);
	return 2;
}

/* ---- format
 * ------------------------------------------------------------------------------------------ */

static void add_quoted(lua_State *L, luaL_Buffer *b, int idx)
{
	size_t n;
	const char *s = checked(L, idx, &n);

	luaL_addchar(b, '"');
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"' || s[i] == '\\' || s[i] == '\n')
			luaL_addchar(b, '\\');
		if (s[i] == '\r')
			luaL_addstring(b, "\\r");
		else if (s[i] == '\0')
			luaL_addstring(b, "\\000");
		else
			luaL_addchar(b, s[i]);
	}
	luaL_addchar(b, '"');
}

typedef struct {
	bool left, plus, space, zero;
	int width, precision; /* precision < 0: not given */
} conversion;

/* Flags, width and precision from p on; returns what comes behind them. */
static const char *read_conversion(lua_State *L, conversion *c, const char *p)
{
	int digits;

	memset(c, 0, sizeof *c);
	c->precision = -1;
	for (;; p++) {
		if (*p == '-')
			c->left = true;
		else if (*p == '+')
			c->plus = true;
		else if (*p == ' ')
			c->space = true;
		else if (*p == '0')
			c->zero = true;
		else if (*p != '#')
			break;
	}
	for (digits = 0; *p >= '0' && *p <= '9'; p++, digits++)
		c->width = digits < 2 ? c->width * 10 + (*p - '0') : 0;
	if (*p == '.') {
		int more = 0;

		c->precision = 0;
		for (p++; *p >= '0' && *p <= '9'; p++, more++)
			c->precision = more < 2 ? c->precision * 10 + (*p - '0') : 0;
		digits = more > digits ? more : digits;
	}
	if (digits > 2)
		luaL_error(L, "invalid format (width or precision too long)");
	return p;
}

static void add_padding(luaL_Buffer *b, char c, int n)
{
	while (n-- > 0)
		luaL_addchar(b, c);
}

/* A number's sign and digits, padded as asked. */
static void add_number(
	luaL_Buffer *b, const conversion *c, bool minus, const char *digits, bool zero)
{
	int n = (int)strlen(digits), room;
	const char *sign = minus ? "-" : c->plus ? "+" : c->space ? " " : "";

	room = c->width - n - (int)strlen(sign);
	if (!c->left && !zero)
		add_padding(b, ' ', room);
	luaL_addstring(b, sign);
	if (!c->left && zero)
		add_padding(b, '0', room);
	luaL_addlstring(b, digits, (size_t)n);
	if (c->left)
		add_padding(b, ' ', room);
}

static void add_integer(lua_State *L, luaL_Buffer *b, const conversion *c, int idx, char kind)
{
	lua_Integer v = mw__sandbox_int(L, idx);
	bool is_signed = kind == 'd' || kind == 'i', minus = is_signed && v < 0;
	unsigned long long u = minus ? 0 - (unsigned long long)v : (unsigned long long)v;
	char digits[128];
	int least = c->precision < 0 ? 1 : c->precision;

	if (kind == 'x')
		mw_format(digits, sizeof digits, "%0*llx", least, u);
	else if (kind == 'X')
		mw_format(digits, sizeof digits, "%0*llX", least, u);
	else if (kind == 'o')
		mw_format(digits, sizeof digits, "%0*llo", least, u);
	else
		mw_format(digits, sizeof digits, "%0*llu", least, u);
	add_number(b, c, minus, digits, c->zero && c->precision < 0);
}

/* %f, %e and %g are all the same there; neither width nor flags count (measured). */
static void add_float(lua_State *L, luaL_Buffer *b, const conversion *c, int idx)
{
	char text[MW_NUM_LONG];

	mw_mapinfo_number_fixed(mw__sandbox_number(L, idx), c->precision, text);
	luaL_addstring(b, text);
}

/* One conversion from behind the '%' on; returns what comes behind it. */
static const char *add_conversion(lua_State *L, luaL_Buffer *b, const char *p, int idx)
{
	conversion c;
	size_t n;
	const char *s;
	char one;

	p = read_conversion(L, &c, p);
	switch (*p) {
	case 'c':
		one = (char)(unsigned char)mw__sandbox_int(L, idx);
		luaL_addlstring(b, &one, 1);
		break;
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X':
		add_integer(L, b, &c, idx, *p);
		break;
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
		add_float(L, b, &c, idx);
		break;
	case 'q':
		add_quoted(L, b, idx);
		break;
	case 's':
		s = mw_sandbox_text(L, idx, &n);
		if (c.precision >= 0 && n > (size_t)c.precision)
			n = (size_t)c.precision;
		if (!c.left)
			add_padding(b, ' ', c.width - (int)(n < 1000 ? n : 1000));
		luaL_addlstring(b, s, n);
		if (c.left)
			add_padding(b, ' ', c.width - (int)(n < 1000 ? n : 1000));
		break;
	default:
		luaL_error(L, "invalid option '%%%c' to 'format'", *p);
	}
	return p + 1;
}

static int s_format(lua_State *L)
{
	size_t n;
	const char *p = checked(L, 1, &n), *end = p + n;
	int idx = 1, top = lua_gettop(L);
	luaL_Buffer b;

	luaL_buffinit(L, &b);
	while (p < end) {
		if (*p != '%') {
			luaL_addchar(&b, *p++);
		} else if (p[1] == '%') {
			luaL_addchar(&b, '%');
			p += 2;
		} else {
			if (++idx > top)
				return luaL_argerror(L, idx, "no value");
			p = add_conversion(L, &b, p + 1, idx);
		}
	}
	luaL_pushresult(&b);
	return 1;
}

/* ---- arithmetic with texts
 * ----------------------------------------------------------------------------- */

static int arithmetic(lua_State *L, int op)
{
	double a, b;

	if (!mw__sandbox_to_number(L, 1, &a) || !mw__sandbox_to_number(L, 2, &b)) {
		int bad = mw__sandbox_to_number(L, 1, &a) ? 2 : 1;

		return luaL_error(
			L, "attempt to perform arithmetic on a %s value", luaL_typename(L, bad));
	}
	lua_pushnumber(L, a);
	lua_pushnumber(L, b);
	lua_arith(L, op);
	mw__sandbox_push_number(L, lua_tonumber(L, -1));
	return 1;
}

#define META(name, op)                                                                             \
	static int t_##name(lua_State *L)                                                          \
	{                                                                                          \
		return arithmetic(L, op);                                                          \
	}
META(add, LUA_OPADD)
META(sub, LUA_OPSUB)
META(mul, LUA_OPMUL)
META(div, LUA_OPDIV)
META(mod, LUA_OPMOD)
META(pow, LUA_OPPOW)

static int t_unm(lua_State *L)
{
	mw__sandbox_push_number(L, -mw__sandbox_number(L, 1));
	return 1;
}

void mw__sandbox_open_string(lua_State *L)
{
	static const luaL_Reg functions[] = {{"byte", s_byte}, {"char", s_char}, {"find", s_find},
		{"format", s_format}, {"gfind", s_gfind}, {"gmatch", s_gmatch}, {"gsub", s_gsub},
		{"len", s_len}, {"lower", s_lower}, {"match", s_match}, {"rep", s_rep},
		{"reverse", s_reverse}, {"sub", s_sub}, {"upper", s_upper}, {NULL, NULL}};
	static const luaL_Reg meta[] = {{"__add", t_add}, {"__sub", t_sub}, {"__mul", t_mul},
		{"__div", t_div}, {"__mod", t_mod}, {"__pow", t_pow}, {"__unm", t_unm},
		{NULL, NULL}};

	lua_newtable(L);
	luaL_setfuncs(L, functions, 0);
	lua_pushliteral(L, "");
	lua_newtable(L);
	luaL_setfuncs(L, meta, 0);
	lua_pushvalue(L, -3);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_pop(L, 1);
	lua_setglobal(L, "string");
}

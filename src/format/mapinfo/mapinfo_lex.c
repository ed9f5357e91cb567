#include "format/mapinfo/mapinfo_lex.h"

#include <math.h>
#include <string.h>

typedef struct {
	mw_ctx *cx;
	const char *text;
	size_t n, at;
	size_t line_start;
	uint32_t line;
} lexer;

static const char *const words[] = {"and", "break", "do", "else", "elseif", "end", "false", "for",
	"function", "if", "in", "local", "nil", "not", "or", "repeat", "return", "then", "true",
	"until", "while"};

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_alpha(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int peek(const lexer *x, size_t ahead)
{
	return x->at + ahead < x->n ? (unsigned char)x->text[x->at + ahead] : -1;
}

/* The text from start on for a message: one line, cut short. */
static void excerpt(const lexer *x, size_t start, size_t end, char out[48])
{
	size_t n = 0;

	for (size_t i = start; i < end && n < 40; i++) {
		unsigned char c = (unsigned char)x->text[i];

		if (c == '\n' || c == '\r')
			break;
		out[n++] = (char)(c < 32 || c == 127 ? '?' : c);
	}
	out[n] = '\0';
}

static mw_code fail_near(lexer *x, size_t start, const char *what)
{
	char near[48];
	size_t end = x->at < x->n ? x->at + 1 : x->n;

	excerpt(x, start, end > start ? end : start, near);
	if (start >= x->n)
		return mw_fail_at(
			x->cx, MW_EFORMAT, x->line, (int64_t)x->n, "%s near '<eof>'", what);
	return mw_fail_at(x->cx, MW_EFORMAT, x->line, (int64_t)start, "%s near '%s'", what, near);
}

/* One line end, two different characters of it counting as one. */
static void newline(lexer *x)
{
	int first = peek(x, 0), second = peek(x, 1);

	x->at++;
	if ((second == '\n' || second == '\r') && second != first)
		x->at++;
	x->line++;
	x->line_start = x->at;
}

/* Number of = of a long bracket that opens here, or -1. */
static int long_level(const lexer *x)
{
	size_t i = 1;

	if (peek(x, 0) != '[')
		return -1;
	while (peek(x, i) == '=')
		i++;
	return peek(x, i) == '[' ? (int)(i - 1) : -1;
}

static mw_code read_long(lexer *x, int level, const char *what)
{
	uint32_t line = x->line;
	size_t start = x->at;

	x->at += (size_t)level + 2;
	while (x->at < x->n) {
		int c = peek(x, 0);

		if (c == ']') {
			size_t i = 1;

			while (peek(x, i) == '=')
				i++;
			if (i - 1 == (size_t)level && peek(x, i) == ']') {
				x->at += i + 1;
				return MW_OK;
			}
			x->at += i;
		} else if (c == '[' && level == 0 && peek(x, 1) == '[') {
			return mw_fail_at(x->cx, MW_EFORMAT, x->line, (int64_t)x->at,
				"nesting of [[...]] is deprecated near '[['");
		} else if (c == '\n' || c == '\r') {
			newline(x);
		} else {
			x->at++;
		}
	}
	return mw_fail_at(x->cx, MW_EFORMAT, x->line, (int64_t)start,
		"unfinished %s near '<eof>' (it starts in line %u)", what, (unsigned)line);
}

static mw_code read_short(lexer *x, mw_mapinfo_token *t)
{
	int quote = peek(x, 0);
	size_t start = x->at;

	x->at++;
	for (;;) {
		int c = peek(x, 0);

		if (c < 0)
			return mw_fail_at(x->cx, MW_EFORMAT, x->line, (int64_t)start,
				"unfinished string near '<eof>'");
		if (c == '\n' || c == '\r') {
			x->at--;
			return fail_near(x, start, "unfinished string");
		}
		if (c == quote)
			break;
		if (c == '\\') {
			t->escapes = true;
			x->at++;
			c = peek(x, 0);
			if (c == '\n' || c == '\r') {
				newline(x);
				continue;
			}
			if (is_digit(c)) {
				int v = 0;

				for (int i = 0; i < 3 && is_digit(peek(x, 0)); i++) {
					v = v * 10 + (peek(x, 0) - '0');
					x->at++;
				}
				if (v > 255)
					return fail_near(x, start, "escape sequence too large");
				continue;
			}
			if (c < 0)
				continue;
		}
		x->at++;
	}
	x->at++;
	return MW_OK;
}

/* Everything that could belong to a numeral, sense or not: so does Lua. */
static mw_code read_number(lexer *x, const mw_mapinfo_token *t)
{
	double v;
	mw_sv s;

	while (is_digit(peek(x, 0)) || peek(x, 0) == '.')
		x->at++;
	if ((peek(x, 0) == 'e' || peek(x, 0) == 'E')) {
		x->at++;
		if (peek(x, 0) == '+' || peek(x, 0) == '-')
			x->at++;
	}
	while (is_digit(peek(x, 0)) || is_alpha(peek(x, 0)))
		x->at++;
	s.p = x->text + t->start;
	s.n = x->at - t->start;
	if (!mw_mapinfo_number(s, &v)) {
		x->at--;
		return fail_near(x, t->start, "malformed number");
	}
	return MW_OK;
}

static void read_name(lexer *x, mw_mapinfo_token *t)
{
	mw_sv name = {x->text + t->start, 0};

	while (is_alpha(peek(x, 0)) || is_digit(peek(x, 0)))
		x->at++;
	name.n = x->at - t->start;
	t->kind = MW_TK_NAME;
	for (size_t i = 0; i < MW_COUNTOF(words); i++)
		if (mw_sv_eq(name, mw_sv_of(words[i])))
			t->kind = (mw_mapinfo_token_kind)(MW_TK_AND + (int)i);
}

static void read_op(lexer *x, mw_mapinfo_token *t)
{
	static const struct {
		char text[4];
		uint16_t op;
	} ops[] = {{"...", MW_OP_DOTS}, {"..", MW_OP_CONCAT}, {"==", MW_OP_EQ}, {"~=", MW_OP_NE},
		{"<=", MW_OP_LE}, {">=", MW_OP_GE}};

	t->kind = MW_TK_OP;
	for (size_t i = 0; i < MW_COUNTOF(ops); i++) {
		size_t n = strlen(ops[i].text);

		if (x->n - x->at >= n && memcmp(x->text + x->at, ops[i].text, n) == 0) {
			t->op = ops[i].op;
			x->at += n;
			return;
		}
	}
	t->op = (unsigned char)x->text[x->at++];
}

static mw_code read_comment(lexer *x, mw_mapinfo_token *t)
{
	int level;

	t->kind = MW_TK_COMMENT;
	x->at += 2;
	level = long_level(x);
	if (level >= 0) {
		t->long_form = true;
		return read_long(x, level, "long comment");
	}
	while (x->at < x->n && peek(x, 0) != '\n' && peek(x, 0) != '\r')
		x->at++;
	return MW_OK;
}

static mw_code read_token(lexer *x, mw_mapinfo_token *t)
{
	int c = peek(x, 0), level;

	if (is_alpha(c)) {
		read_name(x, t);
	} else if (is_digit(c) || (c == '.' && is_digit(peek(x, 1)))) {
		t->kind = MW_TK_NUMBER;
		return read_number(x, t);
	} else if (c == '"' || c == '\'') {
		t->kind = MW_TK_STRING;
		return read_short(x, t);
	} else if (c == '-' && peek(x, 1) == '-') {
		return read_comment(x, t);
	} else if ((level = long_level(x)) >= 0) {
		t->kind = MW_TK_STRING;
		t->long_form = true;
		return read_long(x, level, "long string");
	} else {
		read_op(x, t);
	}
	return MW_OK;
}

mw_code mw_mapinfo_lex(mw_ctx *cx, mw_mapinfo_tokens *out, const char *text, size_t n)
{
	lexer x = {cx, text, n, 0, 0, 1};
	mw_mapinfo_token t;

	if (n > MW_MAPINFO_TEXT_MAX)
		return mw_fail(cx, MW_ELIMIT, "%zu bytes of Lua text, more than %u", n,
			MW_MAPINFO_TEXT_MAX);
	for (;;) {
		int c = peek(&x, 0);

		if (c == '\n' || c == '\r') {
			newline(&x);
			continue;
		}
		if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
			x.at++;
			continue;
		}
		memset(&t, 0, sizeof t);
		t.start = t.end = (uint32_t)x.at;
		t.line = x.line;
		t.col = (uint32_t)(x.at - x.line_start) + 1;
		if (c >= 0) {
			mw_code code = read_token(&x, &t);

			if (code != MW_OK)
				return code;
			t.end = (uint32_t)x.at;
		}
		if (t.kind == MW_TK_COMMENT ? !MW_PUSH(cx, &out->comments, t)
					    : !MW_PUSH(cx, &out->tokens, t))
			return MW_ENOMEM;
		if (c < 0)
			return MW_OK;
	}
}

void mw_mapinfo_tokens_free(mw_ctx *cx, mw_mapinfo_tokens *t)
{
	mw_free(cx, t->tokens.v);
	mw_free(cx, t->comments.v);
	memset(t, 0, sizeof *t);
}

static char simple_escape(char c)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : c;
}

mw_sv mw_mapinfo_string(mw_arena *a, const char *text, const mw_mapinfo_token *t)
{
	const char *p = text + t->start, *end = text + t->end;
	mw_sv out = {NULL, 0};
	char *to = mw_arena_alloc(a, (size_t)(t->end - t->start) + 1);

	if (!to)
		return out;
	out.p = to;
	if (t->long_form) {
		size_t bracket = 2;

		while (p[bracket - 1] == '=')
			bracket++;
		p += bracket;
		end -= bracket;
		if (p < end &&
			(*p == '\n' || *p == '\r')) { /* a first line end is not part of it */
			char first = *p++;

			if (p < end && (*p == '\n' || *p == '\r') && *p != first)
				p++;
		}
	} else {
		p++;
		end--;
	}
	while (p < end) {
		if (*p == '\n' || *p == '\r') {
			char first = *p++;

			if (p < end && (*p == '\n' || *p == '\r') && *p != first)
				p++;
			*to++ = '\n';
		} else if (*p != '\\' || t->long_form) {
			*to++ = *p++;
		} else if (is_digit(p[1])) {
			int v = 0;

			p++;
			for (int i = 0; i < 3 && p < end && is_digit(*p); i++)
				v = v * 10 + (*p++ - '0');
			*to++ = (char)(unsigned char)v;
		} else {
			p++;
			if (*p != '\n' && *p != '\r')
				*to++ = simple_escape(*p++);
		}
	}
	*to = '\0';
	out.n = (size_t)(to - out.p);
	return out;
}

static bool hex_number(mw_sv s, double *out)
{
	double v = 0;

	for (size_t i = 2; i < s.n; i++) {
		int c = s.p[i] | 0x20;
		int digit = is_digit(s.p[i])   ? s.p[i] - '0'
			: c >= 'a' && c <= 'f' ? c - 'a' + 10
					       : -1;

		if (digit < 0)
			return false;
		v = v * 16 + digit;
	}
	*out = (double)(float)v;
	return s.n > 2;
}

bool mw_mapinfo_number(mw_sv s, double *out)
{
	char text[128];
	size_t n = 0, digits = 0;
	double v;

	if (s.n > 2 && s.p[0] == '0' && (s.p[1] | 0x20) == 'x')
		return hex_number(s, out);
	if (s.n + 2 >= sizeof text)
		return false;
	/* "5." and ".5" are numerals of Lua, but not of mw_num_parse. */
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.' && (i == 0 || !is_digit(s.p[i - 1])))
			text[n++] = '0';
		text[n++] = s.p[i];
		digits += is_digit(s.p[i]);
		if (s.p[i] == '.' && (i + 1 == s.n || !is_digit(s.p[i + 1])))
			text[n++] = '0';
		if (n + 4 >= sizeof text)
			return false;
	}
	if (digits == 0)
		return false;
	s.p = text;
	s.n = n;
	if (!mw_num_parse(s, &v)) {
		size_t e = 0;

		/* Too large for a double: infinite for the engine as well. */
		while (e < n && (text[e] | 0x20) != 'e')
			e++;
		s.n = e;
		if (e + 2 >= n || !mw_num_parse(s, &v))
			return false;
		for (size_t i = e + 1; i < n; i++)
			if (!is_digit(text[i]) && !(i == e + 1 && text[i] == '+'))
				return false;
		v = v == 0 ? 0 : v < 0 ? -INFINITY : INFINITY;
	}
	*out = (double)(float)v;
	return true;
}

/* Decimal exponent of f > 0, as rounded as the engine's. */
static int exponent_of(float f)
{
	double n = 10;
	int e = 0;

	if (f < 1.0f || f >= 4.6e18f)
		return (int)floorf(log10f(f));
	while ((double)truncf(f) >= n) {
		n *= 10;
		e++;
	}
	return e;
}

/* digits digits of part, trailing zeros off but for keep of them. */
static void fraction_text(double part, int digits, int keep, char *out, size_t size)
{
	size_t n;

	mw_format(out, size, "%0*lld", digits, (long long)(part * pow(10.0, digits) + 0.5));
	for (n = strlen(out); n > (size_t)(keep < 1 ? 1 : keep) && out[n - 1] == '0';)
		out[--n] = '\0';
}

size_t mw_mapinfo_number_fixed(double v, int precision, char out[MW_NUM_LONG])
{
	float f = (float)v;
	const char *sign = signbit(f) ? "-" : "";
	int room = signbit(f) ? 9 : 10, e10, digits, shift = 0;
	char fraction[40], whole_text[64];
	double whole, part;

	if (precision > 15)
		precision = 15;
	if (isnan(f) || isinf(f)) {
		mw_format(out, MW_NUM_LONG, "%s", isnan(f) ? "nan" : signbit(f) ? "-inf" : "+inf");
		return strlen(out);
	}
	if (f >= -2147483648.0f && f < 2147483648.0f && f == truncf(f)) {
		if (precision > 0)
			mw_format(out, MW_NUM_LONG, "%d.%0*d", (int)f, precision, 0);
		else
			mw_format(out, MW_NUM_LONG, "%d", (int)f);
		return strlen(out);
	}
	f = fabsf(f);
	e10 = exponent_of(f);
	if (precision < 0 && (e10 >= 0 ? e10 + 1 : 2 - e10) > room) {
		room -= 4; /* the exponent's */
		shift = e10;
		f *= powf(10.0f, (float)-e10);
	}
	whole = (double)truncf(f);
	part = (double)f - whole;
	if (precision >= 0) {
		digits = precision;
	} else {
		mw_format(whole_text, sizeof whole_text, "%.0f", whole);
		digits = room - (int)strlen(whole_text) - 1;
		if (digits < 0)
			digits = 0;
	}
	if (part * pow(10.0, digits) + 0.5 >= pow(10.0, digits)) { /* it carries */
		whole += 1;
		part = 0;
		if (shift && whole >= 10) {
			whole = 1;
			shift++;
		}
	}
	mw_format(whole_text, sizeof whole_text, "%.0f", whole);
	if (digits == 0 || (part == 0 && !shift && precision <= 0))
		mw_format(out, MW_NUM_LONG, "%s%s", sign, whole_text);
	else {
		fraction_text(part, digits, precision, fraction, sizeof fraction);
		mw_format(out, MW_NUM_LONG, "%s%s.%s", sign, whole_text, fraction);
	}
	if (shift) {
		size_t n = strlen(out);

		mw_format(out + n, MW_NUM_LONG - n, "e%+02d", shift);
	}
	return strlen(out);
}

size_t mw_mapinfo_number_text(double v, char out[MW_NUM_TEXT])
{
	char text[MW_NUM_LONG];

	mw_mapinfo_number_fixed(v, -1, text);
	mw_format(out, MW_NUM_TEXT, "%s", text);
	return strlen(out);
}

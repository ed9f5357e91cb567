#include "base/json.h"

#include "base/sort.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <string.h>

typedef struct {
	mw_ctx *cx;
	mw_arena *a;
	const char *p;
	size_t n, at;
	int32_t line;
	size_t line_start;
	uint32_t depth;
} parser;

static int32_t column(const parser *j, size_t at)
{
	return (int32_t)(at - j->line_start + 1);
}

static mw_code bad(parser *j, const char *fmt, ...) MW_PRINTF(2, 3);
static mw_code bad(parser *j, const char *fmt, ...)
{
	char msg[MW_ERR_MSG];
	va_list ap;

	va_start(ap, fmt);
	mw_vformat(msg, sizeof msg, fmt, ap);
	va_end(ap);
	return mw_fail_at(j->cx, MW_EFORMAT, j->line, MW_ERR_NOWHERE, "column %d: %s",
		(int)column(j, j->at), msg);
}

static void blanks(parser *j)
{
	for (; j->at < j->n; j->at++) {
		char c = j->p[j->at];

		if (c == '\n') {
			j->line++;
			j->line_start = j->at + 1;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return;
		}
	}
}

static int peek(const parser *j)
{
	return j->at < j->n ? (unsigned char)j->p[j->at] : -1;
}

static mw_code hex4(parser *j, uint32_t *out)
{
	*out = 0;
	for (int i = 0; i < 4; i++, j->at++) {
		int c = peek(j);

		if (c >= '0' && c <= '9')
			*out = *out << 4 | (uint32_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*out = *out << 4 | (uint32_t)(c - 'a' + 10);
		else if (c >= 'A' && c <= 'F')
			*out = *out << 4 | (uint32_t)(c - 'A' + 10);
		else
			return bad(j, "\\u needs four hex digits");
	}
	return MW_OK;
}

static mw_code escape(parser *j, mw_str *s)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int c = peek(j);
	const char *found = c > 0 ? strchr(from, c) : NULL;
	uint32_t cp, low;
	char utf8[4];

	j->at++;
	if (found) {
		mw_str_putc(s, to[found - from]);
		return MW_OK;
	}
	if (c != 'u')
		return bad(j, "unknown escape in a string");
	if (hex4(j, &cp) != MW_OK)
		return MW_EFORMAT;
	if (cp >= 0xd800 && cp <= 0xdbff) {
		if (peek(j) != '\\' || j->at + 1 >= j->n || j->p[j->at + 1] != 'u')
			return bad(j, "half of a surrogate pair");
		j->at += 2;
		if (hex4(j, &low) != MW_OK)
			return MW_EFORMAT;
		if (low < 0xdc00 || low > 0xdfff)
			return bad(j, "half of a surrogate pair");
		cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
	} else if (cp >= 0xdc00 && cp <= 0xdfff) {
		return bad(j, "half of a surrogate pair");
	}
	mw_str_putn(s, utf8, mw_utf8_put(cp, utf8));
	return MW_OK;
}

static mw_code string(parser *j, mw_sv *out)
{
	mw_str s;
	mw_code code = MW_OK;
	char *copy;

	mw_str_init(&s, j->cx);
	s.max = (size_t)j->cx->limits.string_bytes;
	j->at++;
	for (;;) {
		size_t start = j->at;

		while (j->at < j->n && j->p[j->at] != '"' && j->p[j->at] != '\\' &&
			(unsigned char)j->p[j->at] >= 0x20)
			j->at++;
		if (!mw_utf8_valid(j->p + start, j->at - start)) {
			code = bad(j, "string is not UTF-8");
			break;
		}
		mw_str_putn(&s, j->p + start, j->at - start);
		if (peek(j) == '"') {
			j->at++;
			break;
		}
		if (peek(j) != '\\') {
			code = bad(j,
				peek(j) < 0 ? "string does not end"
					    : "control character in a string");
			break;
		}
		j->at++;
		if ((code = escape(j, &s)) != MW_OK)
			break;
	}
	if (code == MW_OK)
		code = mw_str_code(&s);
	if (code == MW_OK) {
		copy = mw_arena_strdup(j->a, s.p ? s.p : "", s.n);
		if (copy)
			*out = (mw_sv){copy, s.n};
		else
			code = MW_ENOMEM;
	}
	mw_str_free(&s);
	return code;
}

static mw_code number(parser *j, mw_val *out)
{
	size_t start = j->at, digits;
	bool whole = true;
	mw_sv text;

	if (peek(j) == '-')
		j->at++;
	digits = j->at;
	while (peek(j) >= '0' && peek(j) <= '9')
		j->at++;
	if (j->at == digits || (j->p[digits] == '0' && j->at - digits > 1))
		return bad(j, "not a number");
	if (peek(j) == '.') {
		whole = false;
		digits = ++j->at;
		while (peek(j) >= '0' && peek(j) <= '9')
			j->at++;
		if (j->at == digits)
			return bad(j, "digits must follow the point");
	}
	if (peek(j) == 'e' || peek(j) == 'E') {
		whole = false;
		j->at++;
		if (peek(j) == '+' || peek(j) == '-')
			j->at++;
		digits = j->at;
		while (peek(j) >= '0' && peek(j) <= '9')
			j->at++;
		if (j->at == digits)
			return bad(j, "digits must follow the exponent");
	}
	text = (mw_sv){j->p + start, j->at - start};
	out->kind = MW_INT;
	/* -0 is a number: an integer would lose its sign. */
	if (whole && mw_int_parse(text, &out->u.i) && !(out->u.i == 0 && text.p[0] == '-'))
		return MW_OK;
	out->kind = MW_NUM;
	if (!mw_num_parse(text, &out->u.num))
		return bad(j, "number out of range");
	return MW_OK;
}

static mw_code value(parser *j, mw_val *out);

static mw_code list(parser *j, mw_val *out)
{
	mw_val item;
	mw_code code;

	out->kind = MW_LIST;
	j->at++;
	blanks(j);
	if (peek(j) == ']') {
		j->at++;
		return MW_OK;
	}
	for (;;) {
		if ((code = value(j, &item)) != MW_OK)
			return code;
		if (!mw_val_push(j->a, out, item))
			return MW_ENOMEM;
		blanks(j);
		if (peek(j) == ']') {
			j->at++;
			return MW_OK;
		}
		if (peek(j) != ',')
			return bad(j, "expected ',' or ']' in a list");
		j->at++;
	}
}

static int by_key(const void *a, const void *b, void *ud)
{
	MW_UNUSED(ud);
	return mw_sv_cmp(
		(*(const mw_val_pair *const *)a)->key, (*(const mw_val_pair *const *)b)->key);
}

/* Key indices ordered by text, so that duplicates show up without comparing all pairs. */
static mw_code check_duplicates(parser *j, const mw_val *map)
{
	size_t n = map->u.map.n;
	const mw_val_pair **byname;
	mw_code code = MW_OK;

	if (n < 2)
		return MW_OK;
	byname = mw_alloc_n(j->cx, n, sizeof *byname);
	if (!byname)
		return MW_ENOMEM;
	for (size_t i = 0; i < n; i++)
		byname[i] = &map->u.map.v[i];
	code = mw_sort(j->cx, byname, n, sizeof *byname, by_key, NULL);
	for (size_t i = 1; i < n && code == MW_OK; i++)
		if (mw_sv_eq(byname[i - 1]->key, byname[i]->key))
			code = mw_fail_at(j->cx, MW_EFORMAT, byname[i]->key_line, MW_ERR_NOWHERE,
				"column %d: key \"%.*s\" was given before in line %d",
				(int)byname[i]->key_col,
				(int)(byname[i]->key.n > 60 ? 60 : byname[i]->key.n),
				byname[i]->key.p, (int)byname[i - 1]->key_line);
	mw_free(j->cx, byname);
	return code;
}

static mw_code map(parser *j, mw_val *out)
{
	mw_code code;

	out->kind = MW_MAP;
	j->at++;
	blanks(j);
	if (peek(j) == '}') {
		j->at++;
		return MW_OK;
	}
	for (;;) {
		mw_val_pair *pair;
		mw_val item;
		mw_sv key;
		int32_t key_line, key_col;

		blanks(j);
		key_line = j->line;
		key_col = column(j, j->at);
		if (peek(j) != '"')
			return bad(j, "expected a key in quotes");
		if ((code = string(j, &key)) != MW_OK)
			return code;
		blanks(j);
		if (peek(j) != ':')
			return bad(j, "expected ':' after the key");
		j->at++;
		if ((code = value(j, &item)) != MW_OK)
			return code;
		if (!mw_val_add(j->a, out, key, item))
			return MW_ENOMEM;
		pair = &out->u.map.v[out->u.map.n - 1];
		pair->key_line = key_line;
		pair->key_col = key_col;
		blanks(j);
		if (peek(j) == '}') {
			j->at++;
			return check_duplicates(j, out);
		}
		if (peek(j) != ',')
			return bad(j, "expected ',' or '}' in a map");
		j->at++;
	}
}

static bool word(parser *j, const char *w)
{
	size_t n = strlen(w);

	if (j->n - j->at < n || memcmp(j->p + j->at, w, n) != 0)
		return false;
	j->at += n;
	return true;
}

static mw_code value(parser *j, mw_val *out)
{
	mw_code code = MW_OK;

	blanks(j);
	memset(out, 0, sizeof *out);
	out->line = j->line;
	out->col = column(j, j->at);
	if (++j->depth > j->cx->limits.depth) {
		mw_fail_at(j->cx, MW_ELIMIT, j->line, MW_ERR_NOWHERE, "nested deeper than %u",
			(unsigned)j->cx->limits.depth);
		return MW_ELIMIT;
	}
	switch (peek(j)) {
	case '{':
		code = map(j, out);
		break;
	case '[':
		code = list(j, out);
		break;
	case '"':
		out->kind = MW_STRING;
		code = string(j, &out->u.str);
		break;
	case 't':
	case 'f':
		out->kind = MW_BOOL;
		out->u.b = peek(j) == 't';
		if (!word(j, out->u.b ? "true" : "false"))
			code = bad(j, "not a value");
		break;
	case 'n':
		if (!word(j, "null"))
			code = bad(j, "not a value");
		break;
	case -1:
		code = bad(j, "the text ends where a value was expected");
		break;
	default:
		code = number(j, out);
	}
	j->depth--;
	return code;
}

mw_code mw_json_read(mw_ctx *cx, mw_arena *a, mw_val *out, const char *text, size_t n)
{
	parser j = {.cx = cx, .a = a, .p = text, .n = n, .line = 1};
	mw_code code;

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		return bad(&j, "starts with a byte order mark, which JSON does not allow");
	code = value(&j, out);
	if (code != MW_OK)
		return code;
	blanks(&j);
	if (j.at < j.n)
		return bad(&j, "more text after the value");
	return MW_OK;
}

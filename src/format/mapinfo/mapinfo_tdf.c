#include "format/mapinfo/mapinfo_tdf.h"

#include <string.h>

typedef struct {
	mw_ctx *cx;
	mw_arena *a;
	const char *text;
	size_t n, at, line_start;
	int32_t line;
} reader;

static int peek(const reader *r, size_t ahead)
{
	return r->at + ahead < r->n ? (unsigned char)r->text[r->at + ahead] : -1;
}

static int32_t column(const reader *r)
{
	return (int32_t)(r->at - r->line_start) + 1;
}

static void step(reader *r)
{
	if (r->text[r->at++] == '\n') {
		r->line++;
		r->line_start = r->at;
	}
}

static mw_code fail(reader *r, const char *what)
{
	return mw_fail_at(r->cx, MW_EFORMAT, r->line, (int64_t)r->at, "%s", what);
}

/* Blanks and comments. */
static mw_code skip(reader *r)
{
	for (;;) {
		int c = peek(r, 0);

		if (c == ' ' || (c >= 9 && c <= 13)) {
			step(r);
		} else if (c == '/' && peek(r, 1) == '/') {
			while (r->at < r->n && peek(r, 0) != '\n')
				step(r);
		} else if (c == '/' && peek(r, 1) == '*') {
			int32_t line = r->line;

			r->at += 2;
			while (r->at < r->n && !(peek(r, 0) == '*' && peek(r, 1) == '/'))
				step(r);
			if (r->at >= r->n)
				return mw_fail_at(r->cx, MW_EFORMAT, line, (int64_t)r->at,
					"a comment is not closed");
			r->at += 2;
		} else {
			return MW_OK;
		}
	}
}

static mw_sv lowered(reader *r, mw_sv s)
{
	char *copy = mw_arena_strdup(r->a, s.p, s.n);
	mw_sv out = {copy, copy ? s.n : 0};

	for (size_t i = 0; copy && i < s.n; i++)
		if (copy[i] >= 'A' && copy[i] <= 'Z')
			copy[i] = (char)(copy[i] + 32);
	return out;
}

/* The value of key, made when it is not there. [owned: arena] */
static mw_val *slot(reader *r, mw_val *map, mw_sv key, int32_t line, int32_t col)
{
	for (size_t i = 0; i < map->u.map.n; i++)
		if (mw_sv_eq(map->u.map.v[i].key, key)) {
			map->u.map.v[i].key_line = line;
			map->u.map.v[i].key_col = col;
			return &map->u.map.v[i].val;
		}
	if (!mw_val_add(r->a, map, key, mw_val_nil()))
		return NULL;
	map->u.map.v[map->u.map.n - 1].key_line = line;
	map->u.map.v[map->u.map.n - 1].key_col = col;
	return &map->u.map.v[map->u.map.n - 1].val;
}

static void skip_spaces(reader *r)
{
	while (peek(r, 0) == ' ' || peek(r, 0) == '\t')
		r->at++;
}

/* "..." before its semicolon, where it is all on this line; false otherwise. */
static bool read_quoted(reader *r, mw_sv *text)
{
	size_t end = r->at + 1, behind;

	if (peek(r, 0) != '"')
		return false;
	while (end < r->n && r->text[end] != '"' && r->text[end] != '\n')
		end++;
	behind = end + 1;
	while (behind < r->n && (r->text[behind] == ' ' || r->text[behind] == '\t'))
		behind++;
	if (end >= r->n || r->text[end] != '"' || behind >= r->n || r->text[behind] != ';')
		return false;
	text->p = r->text + r->at + 1;
	text->n = end - r->at - 1;
	r->at = behind;
	return true;
}

static mw_code read_pair(reader *r, mw_val *map)
{
	size_t start = r->at;
	int32_t line = r->line, col = column(r), value_col;
	mw_sv key, text;
	mw_val *v;

	while (r->at < r->n && (unsigned char)r->text[r->at] > ' ' && peek(r, 0) != '=')
		r->at++;
	key.p = r->text + start;
	key.n = r->at - start;
	skip_spaces(r);
	if (peek(r, 0) != '=' || key.n == 0)
		return mw_fail_at(r->cx, MW_EFORMAT, line, (int64_t)start,
			"expected 'key=value;' or '[NAME]'");
	r->at++;
	skip_spaces(r);
	value_col = column(r);
	if (!read_quoted(r, &text)) {
		text.p = r->text + r->at;
		while (r->at < r->n && peek(r, 0) != ';' && peek(r, 0) != '\n')
			r->at++;
		text.n = (size_t)(r->text + r->at - text.p);
		if (peek(r, 0) != ';')
			return fail(r, "';' expected behind a value");
	}
	while (peek(r, 0) == ';')
		r->at++;
	key = lowered(r, key);
	v = key.p ? slot(r, map, key, line, col) : NULL;
	if (!v)
		return MW_ENOMEM;
	*v = mw_val_str(r->a, text.p, text.n);
	v->line = line;
	v->col = value_col;
	return v->kind == MW_NIL ? MW_ENOMEM : MW_OK;
}

static mw_code read_section(reader *r, mw_val *map, uint32_t depth);

static mw_code read_items(reader *r, mw_val *map, uint32_t depth)
{
	for (;;) {
		mw_code code = skip(r);
		int c = peek(r, 0);

		if (code != MW_OK)
			return code;
		if (c < 0 || c == '}')
			return MW_OK;
		code = c == '[' ? read_section(r, map, depth + 1) : read_pair(r, map);
		if (code != MW_OK)
			return code;
	}
}

static mw_code read_section(reader *r, mw_val *map, uint32_t depth)
{
	int32_t line = r->line, col = column(r);
	size_t start = ++r->at;
	mw_sv name;
	mw_val *inner;
	mw_code code;

	if (depth > r->cx->limits.depth)
		return mw_fail_at(r->cx, MW_ELIMIT, r->line, (int64_t)r->at,
			"sections are nested deeper than %u", r->cx->limits.depth);
	while (r->at < r->n && peek(r, 0) != ']')
		step(r);
	if (peek(r, 0) != ']' || r->at == start)
		return mw_fail_at(r->cx, MW_EFORMAT, line, (int64_t)start,
			"expected '[NAME]', the name of a section");
	name.p = r->text + start;
	name.n = r->at - start;
	name = lowered(r, name);
	r->at++;
	if (!name.p)
		return MW_ENOMEM;
	code = skip(r);
	if (code != MW_OK)
		return code;
	if (peek(r, 0) != '{')
		return fail(r, "'{' expected behind the name of a section");
	r->at++;
	inner = slot(r, map, name, line, col);
	if (!inner)
		return MW_ENOMEM;
	*inner = mw_val_map();
	inner->line = line;
	inner->col = col;
	/* the place of inner moves when map grows, but map does not grow in here */
	code = read_items(r, inner, depth);
	if (code != MW_OK)
		return code;
	if (peek(r, 0) != '}')
		return mw_fail_at(r->cx, MW_EFORMAT, line, (int64_t)r->at,
			"'}' expected: section '%s' is not closed", name.p);
	r->at++;
	return MW_OK;
}

mw_code mw_mapinfo_tdf_read(mw_ctx *cx, mw_arena *a, mw_val *out, const char *text, size_t n)
{
	reader r = {cx, a, text, n, 0, 0, 1};
	mw_code code;

	if (n > cx->limits.string_bytes && n > ((size_t)8 << 20))
		return mw_fail(cx, MW_ELIMIT, "%zu bytes of text", n);
	*out = mw_val_map();
	code = read_items(&r, out, 0);
	if (code == MW_OK && r.at < n)
		return fail(&r, "'}' without a section");
	return code;
}

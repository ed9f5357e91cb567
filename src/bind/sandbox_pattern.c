#include "bind/sandbox_lib.h"

#include <string.h>

/* Lua's patterns by backtracking, counting steps: a pattern made to take for ever is stopped, which
 * the state's own hook cannot do inside a C function. */

#define MAX_DEPTH 200

static const char *match(mw__matcher *m, const char *s, const char *p);

/* Letters by the C locale, whatever the process has. */
static bool is_class(int c, int letter)
{
	bool alpha = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	bool digit = c >= '0' && c <= '9';
	bool punct = c > 32 && c < 127 && !alpha && !digit;
	bool in;

	switch (letter | 0x20) {
	case 'a':
		in = alpha;
		break;
	case 'c':
		in = c < 32 || c == 127;
		break;
	case 'd':
		in = digit;
		break;
	case 'l':
		in = c >= 'a' && c <= 'z';
		break;
	case 'p':
		in = punct;
		break;
	case 's':
		in = c == ' ' || (c >= 9 && c <= 13);
		break;
	case 'u':
		in = c >= 'A' && c <= 'Z';
		break;
	case 'w':
		in = alpha || digit;
		break;
	case 'x':
		in = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
		break;
	case 'z':
		in = c == 0;
		break;
	default:
		return letter == c;
	}
	return letter >= 'A' && letter <= 'Z' ? !in : in;
}

static void malformed(mw__matcher *m, const char *why)
{
	luaL_error(m->L, "malformed pattern (%s)", why);
}

/* Behind the one-character item at p. */
static const char *item_end(mw__matcher *m, const char *p)
{
	if (*p == '%') {
		if (p + 1 >= m->pattern_end)
			malformed(m, "ends with '%'");
		return p + 2;
	}
	if (*p != '[')
		return p + 1;
	p++;
	if (p < m->pattern_end && *p == '^')
		p++;
	do { /* a first ] is an ordinary one */
		if (p >= m->pattern_end)
			malformed(m, "missing ']'");
		if (*p++ == '%' && p < m->pattern_end)
			p++;
	} while (p >= m->pattern_end || *p != ']');
	return p + 1;
}

/* Whether c is in the set [ ... ] that begins at p and whose ] is at end - 1. */
static bool in_set(int c, const char *p, const char *end)
{
	bool wanted = true;

	p++;
	end--;
	if (*p == '^') {
		wanted = false;
		p++;
	}
	while (p < end) {
		if (*p == '%' && p + 1 < end) {
			if (is_class(c, (unsigned char)p[1]))
				return wanted;
			p += 2;
		} else if (p + 2 < end && p[1] == '-') {
			if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2])
				return wanted;
			p += 3;
		} else if ((unsigned char)*p++ == c) {
			return wanted;
		}
	}
	return !wanted;
}

static bool one(const mw__matcher *m, const char *s, const char *p, const char *end)
{
	int c;

	if (s >= m->text_end)
		return false;
	c = (unsigned char)*s;
	switch (*p) {
	case '.':
		return true;
	case '%':
		return is_class(c, (unsigned char)p[1]);
	case '[':
		return in_set(c, p, end);
	default:
		return (unsigned char)*p == c;
	}
}

/* As many as there are, then fewer and fewer. */
static const char *most(mw__matcher *m, const char *s, const char *p, const char *end)
{
	ptrdiff_t n = 0;

	while (one(m, s + n, p, end))
		n++;
	mw_sandbox_spend(m->L, (uint64_t)n);
	for (; n >= 0; n--) {
		const char *found = match(m, s + n, end + 1);

		if (found)
			return found;
	}
	return NULL;
}

static const char *fewest(mw__matcher *m, const char *s, const char *p, const char *end)
{
	for (;;) {
		const char *found = match(m, s, end + 1);

		if (found)
			return found;
		if (!one(m, s, p, end))
			return NULL;
		s++;
	}
}

/* %bxy: from an x to the y that belongs to it. */
static const char *balance(mw__matcher *m, const char *s, const char *p)
{
	int depth = 1;

	if (p + 1 >= m->pattern_end)
		luaL_error(m->L, "unbalanced pattern");
	if (s >= m->text_end || *s != p[0])
		return NULL;
	for (const char *at = s + 1; at < m->text_end; at++) {
		if (*at == p[1]) {
			if (--depth == 0) {
				mw_sandbox_spend(m->L, (uint64_t)(at - s));
				return at + 1;
			}
		} else if (*at == p[0]) {
			depth++;
		}
	}
	mw_sandbox_spend(m->L, (uint64_t)(m->text_end - s));
	return NULL;
}

static const char *open_capture(mw__matcher *m, const char *s, const char *p, ptrdiff_t what)
{
	const char *found;

	if (m->captures_n >= MW_PATTERN_CAPTURES)
		luaL_error(m->L, "too many captures");
	m->captures[m->captures_n].start = s;
	m->captures[m->captures_n].n = what;
	m->captures_n++;
	found = match(m, s, p);
	if (!found)
		m->captures_n--;
	return found;
}

static const char *close_capture(mw__matcher *m, const char *s, const char *p)
{
	int i = m->captures_n - 1;
	const char *found;

	while (i >= 0 && m->captures[i].n != MW_PATTERN_OPEN)
		i--;
	if (i < 0)
		luaL_error(m->L, "invalid pattern capture");
	m->captures[i].n = s - m->captures[i].start;
	found = match(m, s, p);
	if (!found)
		m->captures[i].n = MW_PATTERN_OPEN;
	return found;
}

static const char *back_reference(mw__matcher *m, const char *s, int digit)
{
	int i = digit - '1';
	size_t n;

	if (i < 0 || i >= m->captures_n || m->captures[i].n == MW_PATTERN_OPEN)
		luaL_error(m->L, "invalid capture index");
	if (m->captures[i].n < 0)
		return NULL;
	n = (size_t)m->captures[i].n;
	mw_sandbox_spend(m->L, n);
	if ((size_t)(m->text_end - s) < n || memcmp(m->captures[i].start, s, n) != 0)
		return NULL;
	return s + n;
}

/* %f[set]: between a character outside of the set and one inside. */
static bool frontier(mw__matcher *m, const char *s, const char *p, const char *end)
{
	int before = s == m->text ? 0 : (unsigned char)s[-1];
	int here = s < m->text_end ? (unsigned char)*s : 0;

	return !in_set(before, p, end) && in_set(here, p, end);
}

static const char *match_here(mw__matcher *m, const char *s, const char *p)
{
	const char *end;

	while (p < m->pattern_end) {
		mw_sandbox_spend(m->L, 1);
		if (*p == '(') {
			if (p + 1 < m->pattern_end && p[1] == ')')
				return open_capture(m, s, p + 2, MW_PATTERN_POSITION);
			return open_capture(m, s, p + 1, MW_PATTERN_OPEN);
		}
		if (*p == ')')
			return close_capture(m, s, p + 1);
		if (*p == '$' && p + 1 == m->pattern_end)
			return s == m->text_end ? s : NULL;
		if (*p == '%' && p + 1 < m->pattern_end) {
			if (p[1] == 'b') {
				s = balance(m, s, p + 2);
				if (!s)
					return NULL;
				p += 4;
				continue;
			}
			if (p[1] == 'f') {
				p += 2;
				if (p >= m->pattern_end || *p != '[')
					luaL_error(m->L, "missing '[' after '%%f' in pattern");
				end = item_end(m, p);
				if (!frontier(m, s, p, end))
					return NULL;
				p = end;
				continue;
			}
			if (p[1] >= '0' && p[1] <= '9') {
				s = back_reference(m, s, p[1]);
				if (!s)
					return NULL;
				p += 2;
				continue;
			}
		}
		end = item_end(m, p);
		switch (end < m->pattern_end ? *end : '\0') {
		case '?':
			if (one(m, s, p, end)) {
				const char *found = match(m, s + 1, end + 1);

				if (found)
					return found;
			}
			p = end + 1;
			continue;
		case '*':
			return most(m, s, p, end);
		case '+':
			return one(m, s, p, end) ? most(m, s + 1, p, end) : NULL;
		case '-':
			return fewest(m, s, p, end);
		default:
			if (!one(m, s, p, end))
				return NULL;
			s++;
			p = end;
		}
	}
	return s;
}

static const char *match(mw__matcher *m, const char *s, const char *p)
{
	const char *found;

	if (++m->depth > MAX_DEPTH)
		luaL_error(m->L, "pattern too complex");
	found = match_here(m, s, p);
	m->depth--;
	return found;
}

const char *mw__pattern_match(mw__matcher *m, const char *s, const char *pattern)
{
	m->depth = 0;
	m->captures_n = 0;
	return match(m, s, pattern);
}

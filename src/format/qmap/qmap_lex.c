/* Tokens of .map text with line and column; strings are unescaped in place. */
#include "format/qmap/qmap_internal.h"

#include <string.h>

void mw__qmap_lex_init(mw__qmap_lex *lx, char *text, size_t n)
{
	memset(lx, 0, sizeof *lx);
	lx->p = text;
	lx->end = text + n;
	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		lx->p += 3;
	lx->line_start = lx->p;
	lx->line = 1;
}

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

/* Over one byte that is a line end. CR, LF and CRLF are one each. */
static void line_end(mw__qmap_lex *lx)
{
	if (*lx->p == '\r' && lx->p[1] == '\n')
		lx->p++;
	lx->p++;
	lx->line++;
	lx->line_start = lx->p;
}

void mw__qmap_skip_line(mw__qmap_lex *lx)
{
	while (lx->p < lx->end && *lx->p != '\n' && *lx->p != '\r')
		lx->p++;
}

void mw__qmap_blank(mw__qmap_lex *lx)
{
	for (;;) {
		char c = *lx->p;

		if (c == ' ' || c == '\t')
			lx->p++;
		else if (c == '\n' || c == '\r')
			line_end(lx);
		else if (c == '/' && lx->p[1] == '/')
			mw__qmap_skip_line(lx);
		else if (c == ';')
			mw__qmap_skip_line(lx);
		else if (lx->p < lx->end && is_blank(c))
			lx->p++;
		else
			break;
	}
}

char mw__qmap_peek(mw__qmap_lex *lx)
{
	mw__qmap_blank(lx);
	lx->at_line = lx->line;
	lx->at_col = (uint32_t)(lx->p - lx->line_start) + 1;
	return *lx->p;
}

/* A quote after a backslash ends the string when nothing could follow it: a path that ends in a
 * backslash. */
static bool closes(const char *after)
{
	return *after == '\n' || *after == '\r' || *after == '}' || *after == '\0';
}

static void string(mw__qmap_lex *lx)
{
	char *from = ++lx->p, *to = from;
	bool keep = lx->keep;

	lx->kind = MW__QMAP_STRING;
	lx->cut = false;
	for (;;) {
		char c = *lx->p;
		if (lx->p >= lx->end) {
			lx->cut = true;
			break;
		}
		if (c == '"') {
			lx->p++;
			break;
		}
		if (c == '\n' || c == '\r') {
			char *start = lx->p;
			line_end(lx);
			for (; start < lx->p; start++, to++)
				if (!keep)
					*to = *start;
			continue;
		}
		if (c == '\\' && (lx->p[1] == '\\' || lx->p[1] == '"')) {
			if (lx->p[1] == '"' && closes(lx->p + 2)) {
				if (!keep)
					*to = '\\';
				to++;
				lx->p += 2;
				break;
			}
			lx->p++;
			c = *lx->p;
		}
		if (!keep)
			*to = c;
		to++;
		lx->p++;
	}
	lx->text = (mw_sv){from, (size_t)(to - from)};
}

static bool ends_word(const char *p)
{
	switch (*p) {
	case '{':
	case '}':
	case '(':
	case ')':
	case '[':
	case ']':
	case '"':
		return true;
	case '/':
		return p[1] == '/';
	default:
		return is_blank(*p);
	}
}

static void word(mw__qmap_lex *lx)
{
	char *from = lx->p;

	while (lx->p < lx->end && !ends_word(lx->p))
		lx->p++;
	if (lx->p == from && lx->p < lx->end)
		lx->p++;
	lx->kind = MW__QMAP_WORD;
	lx->text = (mw_sv){from, (size_t)(lx->p - from)};
}

void mw__qmap_next(mw__qmap_lex *lx)
{
	char c = mw__qmap_peek(lx);

	lx->cut = false;
	if (lx->p >= lx->end) {
		lx->kind = MW__QMAP_END;
		lx->ch = '\0';
		lx->text = (mw_sv){lx->end, 0};
	} else if (c == '"') {
		string(lx);
	} else if (memchr("{}()[]", c, 6)) {
		lx->kind = MW__QMAP_PUNCT;
		lx->ch = c;
		lx->text = (mw_sv){lx->p, 1};
		lx->p++;
	} else {
		word(lx);
	}
}

bool mw__qmap_texture(mw__qmap_lex *lx)
{
	char c = mw__qmap_peek(lx);

	lx->cut = false;
	if (lx->p >= lx->end)
		return false;
	if (c == '"') {
		string(lx);
		return !lx->cut;
	}
	char *from = lx->p;
	while (lx->p < lx->end && !is_blank(*lx->p))
		lx->p++;
	lx->kind = MW__QMAP_WORD;
	lx->text = (mw_sv){from, (size_t)(lx->p - from)};
	return true;
}

/* Powers of ten that are exact in a double. */
static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The digits of at most 15 places times or through an exact power of ten: one rounding, so the
 * nearest double. False for what needs more. */
static bool quick_number(const char **at, double *out)
{
	const char *p = *at;
	bool minus = *p == '-', any = false;
	uint64_t m = 0;
	int digits = 0, scale = 0;

	if (*p == '-' || *p == '+')
		p++;
	for (; *p >= '0' && *p <= '9'; p++, any = true) {
		m = m * 10 + (uint64_t)(*p - '0');
		digits += m != 0;
		if (digits > 15)
			return false;
	}
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++, any = true) {
			m = m * 10 + (uint64_t)(*p - '0');
			digits += m != 0;
			scale--;
			if (digits > 15 || scale < -40)
				return false;
		}
	if (!any)
		return false;
	if (*p == 'e' || *p == 'E') {
		const char *e = p + 1;
		bool down = *e == '-';
		int n = 0;

		if (*e == '-' || *e == '+')
			e++;
		if (*e < '0' || *e > '9')
			return false;
		for (; *e >= '0' && *e <= '9'; e++)
			if ((n = n * 10 + (*e - '0')) > 400)
				return false;
		scale += down ? -n : n;
		p = e;
	}
	if (scale < -22 || scale > 22)
		return false;
	double v = (double)m;
	v = scale < 0 ? v / tens[-scale] : v * tens[scale];
	*out = minus ? -v : v;
	*at = p;
	return true;
}

int mw__qmap_number(mw__qmap_lex *lx, double *out)
{
	char c = mw__qmap_peek(lx);
	const char *p = lx->p;

	/* most numbers are small and whole, with a blank behind them */
	const char *d = p + (c == '-');
	int64_t v = 0;
	while (*d >= '0' && *d <= '9' && d - p < 16)
		v = v * 10 + (*d++ - '0');
	if ((*d == ' ' || *d == '\n') && d > p + (c == '-')) {
		*out = (double)(c == '-' ? -v : v);
		lx->p += d - p;
		return 1;
	}
	if (lx->p >= lx->end || c == '{' || c == '}' || c == '(' || c == ')' || c == '[' ||
		c == ']' || c == '"')
		return 0;
	if (quick_number(&p, out) && ends_word(p)) {
		lx->p += p - lx->p;
		return 1;
	}
	word(lx);
	return mw_num_parse(lx->text, out) ? 1 : -1;
}

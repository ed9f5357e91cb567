#include "base/str.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mw_sv mw_sv_of(const char *s)
{
	return (mw_sv){s, strlen(s)};
}

bool mw_sv_eq(mw_sv a, mw_sv b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

bool mw_sv_eq_nocase(mw_sv a, mw_sv b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (lower(a.p[i]) != lower(b.p[i]))
			return false;
	return true;
}

int mw_sv_cmp(mw_sv a, mw_sv b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int d = n ? memcmp(a.p, b.p, n) : 0;

	if (d)
		return d;
	return a.n < b.n ? -1 : a.n > b.n;
}

bool mw_sv_ends_nocase(mw_sv s, const char *suffix)
{
	mw_sv end = mw_sv_of(suffix);

	return s.n >= end.n && mw_sv_eq_nocase((mw_sv){s.p + s.n - end.n, end.n}, end);
}

void mw_str_init(mw_str *s, mw_ctx *cx)
{
	*s = (mw_str){.cx = cx};
}

void mw_str_free(mw_str *s)
{
	if (s->p)
		mw_free(s->cx, s->p);
	s->p = NULL;
	s->n = s->cap = 0;
}

char *mw_str_take(mw_str *s, size_t *n)
{
	char *p;

	mw_str_putn(s, "", 0);
	p = s->p;
	if (n)
		*n = s->n;
	s->p = NULL;
	s->n = s->cap = 0;
	return p;
}

void mw_str_putn(mw_str *s, const char *p, size_t n)
{
	size_t need;

	if (s->failed)
		return;
	if (!mw_add(s->n, n, &need) || need == SIZE_MAX || (s->max && need > s->max)) {
		s->failed = true;
		mw_fail(s->cx, MW_ELIMIT, "text of %zu bytes is over the limit of %zu", need,
			s->max);
		return;
	}
	if (need + 1 > s->cap &&
		!mw_array_reserve(s->cx, (void **)(void *)&s->p, &s->cap, need + 1, 1)) {
		s->failed = true;
		return;
	}
	if (n)
		memcpy(s->p + s->n, p, n);
	s->n = need;
	s->p[need] = '\0';
}

void mw_str_put(mw_str *s, const char *text)
{
	mw_str_putn(s, text, strlen(text));
}

void mw_str_putc(mw_str *s, char c)
{
	mw_str_putn(s, &c, 1);
}

void mw_str_pad(mw_str *s, char c, size_t n)
{
	while (n-- && !s->failed)
		mw_str_putc(s, c);
}

void mw_str_putf(mw_str *s, const char *fmt, ...)
{
	char small[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof small, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n < sizeof small) {
		mw_str_putn(s, small, (size_t)n);
		return;
	}
	if (!s->failed &&
		!mw_array_reserve(s->cx, (void **)(void *)&s->p, &s->cap, s->n + (size_t)n + 1, 1))
		s->failed = true;
	if (s->failed || (s->max && s->n + (size_t)n > s->max)) {
		if (!s->failed)
			mw_fail(s->cx, MW_ELIMIT, "text is over the limit of %zu bytes", s->max);
		s->failed = true;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(s->p + s->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	s->n += (size_t)n;
}

mw_code mw_str_code(const mw_str *s)
{
	if (!s->failed)
		return MW_OK;
	return s->cx->err.code != MW_OK ? s->cx->err.code : MW_ENOMEM;
}

bool mw_vformat(char *out, size_t size, const char *fmt, va_list ap)
{
	int n = vsnprintf(out, size, fmt, ap);

	return n >= 0 && (size_t)n < size;
}

bool mw_format(char *out, size_t size, const char *fmt, ...)
{
	va_list ap;
	bool whole;

	va_start(ap, fmt);
	whole = mw_vformat(out, size, fmt, ap);
	va_end(ap);
	return whole;
}

/* strtod and snprintf follow LC_NUMERIC: the program never sets it, and a host that did would get
 * a comma here; both are turned back to a point so that no locale can reach a file. */
static void fix_point(char *text)
{
	for (; *text; text++)
		if (*text == ',')
			*text = '.';
}

static size_t not_finite(double v, char out[MW_NUM_TEXT])
{
	mw_format(out, MW_NUM_TEXT, "%s", isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
	return strlen(out);
}

static size_t tidy_exponent(char *text)
{
	/* "1e+05" as C prints it is fine for every reader of ours; "1e+005" (another libc) is not.
	 */
	char *e = strchr(text, 'e');

	if (e && (e[1] == '+' || e[1] == '-')) {
		char *digits = e + 2;

		while (digits[0] == '0' && digits[1] && digits[2])
			memmove(digits, digits + 1, strlen(digits));
	}
	return strlen(text);
}

size_t mw_num_text(double v, char out[MW_NUM_TEXT])
{
	if (!isfinite(v))
		return not_finite(v, out);
	if (v == floor(v) && fabs(v) < 1e15) {
		snprintf(out, MW_NUM_TEXT, "%.0f", v);
		return strlen(out);
	}
	for (int digits = 1; digits <= 17; digits++) {
		/* most values that people write have few digits; the rest need 15 or more */
		if (digits == 9)
			digits = 15;
		snprintf(out, MW_NUM_TEXT, "%.*g", digits, v);
		if (strtod(out, NULL) == v)
			break;
	}
	if (strtod(out, NULL) == v) {
		/* the jump from 8 to 15 may have skipped the shortest text */
		char shorter[MW_NUM_TEXT];

		for (int digits = 9; digits < 15 && strlen(out) > 9; digits++) {
			snprintf(shorter, MW_NUM_TEXT, "%.*g", digits, v);
			if (strtod(shorter, NULL) == v) {
				memcpy(out, shorter, sizeof shorter);
				break;
			}
		}
	}
	fix_point(out);
	return tidy_exponent(out);
}

size_t mw_num_text_f32(float v, char out[MW_NUM_TEXT])
{
	double d = (double)v;

	if (!isfinite(d))
		return not_finite(d, out);
	if (d == floor(d) && fabs(d) < 1e7) {
		snprintf(out, MW_NUM_TEXT, "%.0f", d);
		return strlen(out);
	}
	for (int digits = 1; digits <= 9; digits++) {
		snprintf(out, MW_NUM_TEXT, "%.*g", digits, d);
		if (strtof(out, NULL) == v)
			break;
	}
	fix_point(out);
	return tidy_exponent(out);
}

static size_t digits_at(mw_sv s, size_t at)
{
	size_t i = at;

	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return i - at;
}

/* Whether s is [+-]digits[.digits][e[+-]digits] with at least one digit in the mantissa. */
static bool is_decimal(mw_sv s)
{
	size_t at = s.n && (s.p[0] == '+' || s.p[0] == '-'), whole, part = 0;

	whole = digits_at(s, at);
	at += whole;
	if (at < s.n && s.p[at] == '.') {
		part = digits_at(s, at + 1);
		at += 1 + part;
	}
	if (whole + part == 0)
		return false;
	if (at < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
		size_t exponent;

		at++;
		if (at < s.n && (s.p[at] == '+' || s.p[at] == '-'))
			at++;
		exponent = digits_at(s, at);
		if (!exponent)
			return false;
		at += exponent;
	}
	return at == s.n;
}

bool mw_num_parse(mw_sv s, double *out)
{
	char text[128];
	double v;

	if (s.n >= sizeof text || !is_decimal(s))
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	v = strtod(text, NULL);
	if (!isfinite(v))
		return false;
	*out = v;
	return true;
}

bool mw_int_parse(mw_sv s, int64_t *out)
{
	char text[32], *end;
	long long v;

	if (s.n == 0 || s.n >= sizeof text)
		return false;
	if (digits_at(s, s.p[0] == '-' || s.p[0] == '+') + (s.p[0] == '-' || s.p[0] == '+') != s.n)
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	errno = 0;
	v = strtoll(text, &end, 10);
	if (errno || *end || end == text)
		return false;
	*out = v;
	return true;
}

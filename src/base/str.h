/* String views, a builder with a maximum, and number <-> text that no locale can change. */
#ifndef MW_BASE_STR_H
#define MW_BASE_STR_H

#include "base/ctx.h"

#include <stdarg.h>

typedef struct {
	const char *p; /* [borrowed] not terminated */
	size_t n;
} mw_sv;

mw_sv mw_sv_of(const char *s);
bool mw_sv_eq(mw_sv a, mw_sv b);
bool mw_sv_eq_nocase(mw_sv a, mw_sv b); /* ASCII letters only */
int mw_sv_cmp(mw_sv a, mw_sv b);        /* bytewise, total */
bool mw_sv_ends_nocase(mw_sv s, const char *suffix);

typedef struct {
	char *p;  /* terminated once anything was put [owned: builder] */
	size_t n; /* without the NUL */
	size_t cap;
	size_t max; /* [unit: byte] 0: none; more gives MW_ELIMIT */
	mw_ctx *cx;
	bool failed;
} mw_str;

void mw_str_init(mw_str *s, mw_ctx *cx);
void mw_str_free(mw_str *s);
char *mw_str_take(mw_str *s, size_t *n); /* [owned: caller, mw_free] */
void mw_str_put(mw_str *s, const char *text);
void mw_str_putn(mw_str *s, const char *p, size_t n);
void mw_str_putc(mw_str *s, char c);
void mw_str_putf(mw_str *s, const char *fmt, ...) MW_PRINTF(2, 3);
void mw_str_pad(mw_str *s, char c, size_t n);
mw_code mw_str_code(const mw_str *s);

/* snprintf for char arrays, always terminated; returns whether everything fitted. */
bool mw_format(char *out, size_t size, const char *fmt, ...) MW_PRINTF(3, 4);
bool mw_vformat(char *out, size_t size, const char *fmt, va_list ap) MW_PRINTF(3, 0);

#define MW_NUM_TEXT 40
/* Shortest decimal text that reads back to the same value; integers without a point ("12", "0.5",
 * "1e+30"). -0 gives "-0". NaN "nan", infinities "inf" "-inf". Returns the length. */
size_t mw_num_text(double v, char out[MW_NUM_TEXT]);
size_t mw_num_text_f32(float v, char out[MW_NUM_TEXT]);
/* A whole decimal number (C locale, optional sign, fraction, exponent; no hex, nan, inf, blanks)
 * of s; false when s is anything else or out of range. */
bool mw_num_parse(mw_sv s, double *out);
bool mw_int_parse(mw_sv s, int64_t *out);

#endif

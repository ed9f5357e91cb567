/* UTF-8 validation and decoding. */
#ifndef MW_BASE_UTF8_H
#define MW_BASE_UTF8_H

#include "base/mw.h"

/* Whether all n bytes are well-formed (no overlong forms, no surrogates). */
bool mw_utf8_valid(const char *s, size_t n);
/* Decode one code point at s[*at], advance; 0xFFFD and one byte on a bad sequence. [*at: < n] */
uint32_t mw_utf8_next(const char *s, size_t n, size_t *at);
/* Encode cp (<= 0x10FFFF) into out, returns 1..4. */
size_t mw_utf8_put(uint32_t cp, char out[4]);

#endif

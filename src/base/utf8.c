#include "base/utf8.h"

/* Length of the well-formed sequence at s, its code point in *cp; 0 when there is none. */
static size_t sequence(const char *s, size_t n, uint32_t *cp)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len = u[0] < 0x80  ? 1
		: u[0] >> 5 == 6  ? 2
		: u[0] >> 4 == 14 ? 3
		: u[0] >> 3 == 30 ? 4
				  : 0;
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t c;

	if (!len || len > n)
		return 0;
	c = len == 1 ? u[0] : u[0] & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if (u[i] >> 6 != 2)
			return 0;
		c = c << 6 | (u[i] & 0x3fu);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*cp = c;
	return len;
}

bool mw_utf8_valid(const char *s, size_t n)
{
	uint32_t cp;

	for (size_t at = 0; at < n;) {
		size_t len = sequence(s + at, n - at, &cp);

		if (!len)
			return false;
		at += len;
	}
	return true;
}

uint32_t mw_utf8_next(const char *s, size_t n, size_t *at)
{
	uint32_t cp;
	size_t len = sequence(s + *at, n - *at, &cp);

	*at += len ? len : 1;
	return len ? cp : 0xfffd;
}

size_t mw_utf8_put(uint32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

#include "support/hex.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static int digit(char c)
{
	const char *digits = "0123456789abcdef0123456789ABCDEF";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)((at - digits) % 16) : -1;
}

size_t hex_bytes(const char *text, uint8_t *out, size_t cap)
{
	size_t n = 0;

	for (const char *p = text; *p != '\0';) {
		if (strchr(" \t\n,", *p) != NULL) {
			p++;
		} else if (*p == '#') {
			p += strcspn(p, "\n");
		} else if (*p == '\'') {
			for (p++; *p != '\''; p++) {
				if (*p == '\0' || n == cap)
					fail_msg("hex: open quote or over %zu bytes", cap);
				out[n++] = (uint8_t)*p;
			}
			p++;
		} else if (*p == '*' && n > 0) {
			char *end;
			size_t times = strtoul(p + 1, &end, 10);

			if (end == p + 1 || times == 0 || times - 1 > cap - n)
				fail_msg("hex: bad repeat at \"%.12s\"", p);
			for (p = end; times > 1; times--, n++)
				out[n] = out[n - 1];
		} else {
			int high = digit(p[0]);
			int low = high >= 0 ? digit(p[1]) : -1;

			if (low < 0 || n == cap)
				fail_msg("hex: bad pair or over %zu bytes at \"%.12s\"", cap, p);
			out[n++] = (uint8_t)(high * 16 + low);
			p += 2;
		}
	}
	return n;
}

void assert_hex(const void *data, size_t size, const char *text)
{
	const uint8_t *got = data;
	size_t cap = strlen(text) + size + 65536;
	uint8_t *want = malloc(cap);

	assert_non_null(want);
	size_t n = hex_bytes(text, want, cap);
	for (size_t i = 0; i < n && i < size; i++)
		if (got[i] != want[i])
			fail_msg("byte %zu (0x%zx) is %02x, want %02x", i, i, got[i], want[i]);
	if (n != size)
		fail_msg("%zu bytes, want %zu", size, n);
	free(want);
}

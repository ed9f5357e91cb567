#include "raster/jpeg_clean.h"

enum {
	SOF0 = 0xc0,
	SOF2 = 0xc2,
	DHT = 0xc4,
	SOF15 = 0xcf,
	RST0 = 0xd0,
	RST7 = 0xd7,
	SOI = 0xd8,
	EOI = 0xd9,
	SOS = 0xda,
	DQT = 0xdb,
	DRI = 0xdd,
	APP0 = 0xe0,
	APP14 = 0xee,
};

static mw_code bad(mw_ctx *cx, size_t at, const char *text)
{
	return mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, (int64_t)at, "%s", text);
}

/* Tables of a DHT segment: class and slot, 16 counts, as many values. */
static bool dht_fits(const uint8_t *p, size_t n)
{
	while (n >= 17) {
		size_t sum = 0;
		for (size_t i = 1; i <= 16; i++)
			sum += p[i];
		if (sum > 256 || sum > n - 17)
			return false;
		p += 17 + sum;
		n -= 17 + sum;
	}
	return n == 0;
}

/* Tables of a DQT segment: precision and slot, 64 values of 1 or 2 bytes. */
static bool dqt_fits(const uint8_t *p, size_t n)
{
	while (n > 0) {
		size_t size = p[0] >> 4 ? 129 : 65;
		if (size > n)
			return false;
		p += size;
		n -= size;
	}
	return true;
}

/* The end of the coded data from at on: the next FF that begins a marker, or n. */
static size_t scan_end(const uint8_t *p, size_t n, size_t at)
{
	for (; at + 1 < n; at++)
		if (p[at] == 0xff && p[at + 1] != 0 && p[at + 1] != 0xff &&
			!(p[at + 1] >= RST0 && p[at + 1] <= RST7))
			return at;
	return n;
}

/* One segment whose body is p[at..at + len). *end: where the next begins. */
static mw_code segment(mw_ctx *cx, mw_wr *out, const uint8_t *p, size_t n, unsigned marker,
	size_t at, size_t len, size_t *end)
{
	*end = at + len;
	switch (marker) {
	case DHT:
		if (!dht_fits(p + at, len))
			return bad(cx, at, "JPEG Huffman table with impossible counts");
		break;
	case DQT:
		if (!dqt_fits(p + at, len))
			return bad(cx, at, "JPEG quantization table of a wrong size");
		break;
	case SOS:
		*end = scan_end(p, n, at + len);
		break;
	case DRI:
	case APP0:
	case APP14:
		break;
	default:
		if (marker > SOF2 && marker <= SOF15)
			return mw_fail(
				cx, MW_EUNSUPPORTED, "JPEG of coding process 0x%02x", marker);
		if (marker < SOF0 || marker > SOF2)
			return MW_OK; /* nothing the pixels depend on */
	}
	mw_wr_bytes(out, p + at - 4, *end - at + 4);
	return MW_OK;
}

mw_code mw__jpeg_clean(mw_ctx *cx, mw_wr *out, const uint8_t *p, size_t n)
{
	static const uint8_t start[] = {0xff, SOI}, stop[] = {0xff, EOI};
	size_t at = 2;
	if (n < 2 || p[0] != 0xff || p[1] != SOI)
		return bad(cx, 0, "not a JPEG file");
	mw_wr_bytes(out, start, sizeof start);
	for (;;) {
		while (at + 1 < n && !(p[at] == 0xff && p[at + 1] != 0 && p[at + 1] != 0xff))
			at++;
		if (at + 1 >= n)
			return bad(cx, n, "JPEG file ends early");
		unsigned marker = p[at + 1];
		at += 2;
		if (marker == EOI)
			break;
		if (marker == SOI || marker == 1 || (marker >= RST0 && marker <= RST7))
			continue; /* without a body */
		size_t len = at + 2 <= n ? (size_t)p[at] << 8 | p[at + 1] : 0;
		if (len < 2 || len > n - at)
			return bad(cx, at, "JPEG segment reaches past the end of the file");
		mw_code code = segment(cx, out, p, n, marker, at + 2, len - 2, &at);
		if (code)
			return code;
	}
	mw_wr_bytes(out, stop, sizeof stop);
	return mw_wr_code(out);
}

#include "raster/png_filter.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static uint8_t paeth(unsigned left, unsigned up, unsigned corner)
{
	int pa = (int)up - (int)corner, pb = (int)left - (int)corner, pc = pa + pb;
	pa = pa < 0 ? -pa : pa;
	pb = pb < 0 ? -pb : pb;
	pc = pc < 0 ? -pc : pc;
	return (uint8_t)(pa <= pb && pa <= pc ? left : pb <= pc ? up : corner);
}

/* ---- undoing ----------------------------------------------------------------------------------
 */

static void un_sub(uint8_t *row, size_t n, unsigned bpp)
{
	for (size_t i = bpp; i < n; i++)
		row[i] = (uint8_t)(row[i] + row[i - bpp]);
}

static void un_up(uint8_t *row, const uint8_t *above, size_t n)
{
	for (size_t i = 0; i < n; i++)
		row[i] = (uint8_t)(row[i] + above[i]);
}

static void un_average(uint8_t *row, const uint8_t *above, size_t n, unsigned bpp)
{
	for (size_t i = 0; i < n; i++) {
		unsigned left = i >= bpp ? row[i - bpp] : 0;
		row[i] = (uint8_t)(row[i] + (left + above[i]) / 2);
	}
}

static void un_paeth(uint8_t *row, const uint8_t *above, size_t n, unsigned bpp)
{
	for (size_t i = 0; i < n; i++) {
		unsigned left = i >= bpp ? row[i - bpp] : 0;
		unsigned corner = i >= bpp ? above[i - bpp] : 0;
		row[i] = (uint8_t)(row[i] + paeth(left, above[i], corner));
	}
}

#if defined(__SSE2__)
/* A pixel of 3 or 4 bytes at a time: what a row needs of its left neighbour stays in a register. */

static __m128i load4(const uint8_t *p)
{
	int v;
	memcpy(&v, p, 4);
	return _mm_cvtsi32_si128(v);
}

static void store(uint8_t *p, __m128i v, unsigned bpp)
{
	uint32_t bits = (uint32_t)_mm_cvtsi128_si32(v);
	if (bpp == 4) {
		memcpy(p, &bits, 4);
		return;
	}
	uint16_t low = (uint16_t)bits; /* three bytes at once would go over the stack */
	memcpy(p, &low, 2);
	p[2] = (uint8_t)(bits >> 16);
}

static inline void un_sub_pixels(uint8_t *row, size_t n, unsigned bpp)
{
	__m128i left = _mm_setzero_si128();
	for (size_t i = 0; i < n; i += bpp) {
		left = _mm_add_epi8(load4(row + i), left);
		store(row + i, left, bpp);
	}
}

static inline void un_average_pixels(uint8_t *row, const uint8_t *above, size_t n, unsigned bpp)
{
	const __m128i one = _mm_set1_epi8(1);
	__m128i left = _mm_setzero_si128();
	for (size_t i = 0; i < n; i += bpp) {
		__m128i up = load4(above + i);
		/* _mm_avg_epu8 rounds up; the filter rounds down. */
		__m128i mean = _mm_avg_epu8(left, up);
		mean = _mm_sub_epi8(mean, _mm_and_si128(_mm_xor_si128(left, up), one));
		left = _mm_add_epi8(load4(row + i), mean);
		store(row + i, left, bpp);
	}
}

static __m128i abs16(__m128i v)
{
	return _mm_max_epi16(v, _mm_sub_epi16(_mm_setzero_si128(), v));
}

static __m128i choose(__m128i mask, __m128i yes, __m128i no)
{
	return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

static inline void un_paeth_pixels(uint8_t *row, const uint8_t *above, size_t n, unsigned bpp)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i left = zero, corner = zero; /* 16 bits a sample */
	for (size_t i = 0; i < n; i += bpp) {
		__m128i up = _mm_unpacklo_epi8(load4(above + i), zero);
		__m128i delta = _mm_unpacklo_epi8(load4(row + i), zero);
		__m128i pa = _mm_sub_epi16(up, corner);
		__m128i pb = _mm_sub_epi16(left, corner);
		__m128i pc = abs16(_mm_add_epi16(pa, pb));
		pa = abs16(pa);
		pb = abs16(pb);
		__m128i least = _mm_min_epi16(pc, _mm_min_epi16(pa, pb));
		__m128i guess = choose(_mm_cmpeq_epi16(least, pa), left,
			choose(_mm_cmpeq_epi16(least, pb), up, corner));
		left = _mm_and_si128(_mm_add_epi16(delta, guess), _mm_set1_epi16(255));
		corner = up;
		store(row + i, _mm_packus_epi16(left, left), bpp);
	}
}

static bool unfilter_pixels(
	unsigned filter, uint8_t *row, const uint8_t *above, size_t n, unsigned bpp)
{
	/* Written out so that bpp is a constant in each loop. */
	switch (filter * 8 + bpp) {
	case 8 + 3:
		un_sub_pixels(row, n, 3);
		return true;
	case 8 + 4:
		un_sub_pixels(row, n, 4);
		return true;
	case 24 + 3:
		un_average_pixels(row, above, n, 3);
		return true;
	case 24 + 4:
		un_average_pixels(row, above, n, 4);
		return true;
	case 32 + 3:
		un_paeth_pixels(row, above, n, 3);
		return true;
	case 32 + 4:
		un_paeth_pixels(row, above, n, 4);
		return true;
	default:
		return false;
	}
}
#endif

bool mw__png_unfilter(unsigned filter, uint8_t *row, const uint8_t *above, size_t n, unsigned bpp)
{
#if defined(__SSE2__)
	if (unfilter_pixels(filter, row, above, n, bpp))
		return true;
#endif
	switch (filter) {
	case 0:
		return true;
	case 1:
		un_sub(row, n, bpp);
		return true;
	case 2:
		un_up(row, above, n);
		return true;
	case 3:
		un_average(row, above, n, bpp);
		return true;
	case 4:
		un_paeth(row, above, n, bpp);
		return true;
	default:
		return false;
	}
}

/* ---- doing ------------------------------------------------------------------------------------
 */

void mw__png_filter(unsigned filter, uint8_t *out, const uint8_t *row, const uint8_t *above,
	size_t n, unsigned bpp)
{
	size_t head = bpp < n ? bpp : n;
	switch (filter) {
	case 1:
		memcpy(out, row, head);
		for (size_t i = head; i < n; i++)
			out[i] = (uint8_t)(row[i] - row[i - bpp]);
		break;
	case 2:
		for (size_t i = 0; i < n; i++)
			out[i] = (uint8_t)(row[i] - above[i]);
		break;
	case 3:
		for (size_t i = 0; i < head; i++)
			out[i] = (uint8_t)(row[i] - above[i] / 2);
		for (size_t i = head; i < n; i++)
			out[i] = (uint8_t)(row[i] - (row[i - bpp] + above[i]) / 2);
		break;
	case 4:
		for (size_t i = 0; i < head; i++)
			out[i] = (uint8_t)(row[i] - above[i]);
		for (size_t i = head; i < n; i++)
			out[i] = (uint8_t)(row[i] - paeth(row[i - bpp], above[i], above[i - bpp]));
		break;
	default:
		memcpy(out, row, n);
	}
}

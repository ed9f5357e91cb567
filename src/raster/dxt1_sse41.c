/* The vector operations of dxt1_kernel.inc on SSE4.1: 8 blocks at a time. */
#include "raster/dxt1_kernel.h"

#include <smmintrin.h>

#define LANES 8

typedef __m128i vi;
typedef struct {
	__m128 lo, hi; /* in the order of unpacklo and unpackhi */
} vf;

#define OP static MW_ALWAYS_INLINE

OP vi vi_set(int x)
{
	return _mm_set1_epi16((int16_t)x);
}

OP vi vi_add(vi a, vi b)
{
	return _mm_add_epi16(a, b);
}

OP vi vi_sub(vi a, vi b)
{
	return _mm_sub_epi16(a, b);
}

OP vi vi_mul(vi a, vi b)
{
	return _mm_mullo_epi16(a, b);
}

OP vi vi_mul_q15(vi a, vi b)
{
	return _mm_mulhrs_epi16(a, b);
}

OP vi vi_mul_high(vi a, vi b)
{
	return _mm_mulhi_epu16(a, b);
}

OP vi vi_min(vi a, vi b)
{
	return _mm_min_epi16(a, b);
}

OP vi vi_max(vi a, vi b)
{
	return _mm_max_epi16(a, b);
}

OP vi vi_abs(vi a)
{
	return _mm_abs_epi16(a);
}

OP vi vi_and(vi a, vi b)
{
	return _mm_and_si128(a, b);
}

OP vi vi_or(vi a, vi b)
{
	return _mm_or_si128(a, b);
}

OP vi vi_xor(vi a, vi b)
{
	return _mm_xor_si128(a, b);
}

OP vi vi_not_and(vi a, vi b)
{
	return _mm_andnot_si128(a, b);
}

#define vi_shl(a, n) _mm_slli_epi16(a, n)
#define vi_shr(a, n) _mm_srli_epi16(a, n)
#define vi_sar(a, n) _mm_srai_epi16(a, n)

OP vi vi_more(vi a, vi b)
{
	return _mm_cmpgt_epi16(a, b);
}

OP vi vi_equal(vi a, vi b)
{
	return _mm_cmpeq_epi16(a, b);
}

OP vi vi_pick(vi mask, vi a, vi b)
{
	return _mm_blendv_epi8(b, a, mask);
}

OP bool vi_any(vi mask)
{
	return !_mm_testz_si128(mask, mask);
}

OP vi vb_add(vi a, vi b)
{
	return _mm_add_epi8(a, b);
}

OP vi vb_sub(vi a, vi b)
{
	return _mm_sub_epi8(a, b);
}

OP vi vb_min(vi a, vi b)
{
	return _mm_min_epu8(a, b);
}

OP vi vb_max(vi a, vi b)
{
	return _mm_max_epu8(a, b);
}

OP vi vb_more(vi a, vi b)
{
	return _mm_cmpgt_epi8(a, b);
}

OP vi vb_equal(vi a, vi b)
{
	return _mm_cmpeq_epi8(a, b);
}

OP vi vb_dot(vi a, vi b)
{
	return _mm_maddubs_epi16(a, b);
}

OP vf vf_set(float x)
{
	return (vf){_mm_set1_ps(x), _mm_set1_ps(x)};
}

OP vf vf_from(vi a)
{
	vi lo = _mm_srai_epi32(_mm_unpacklo_epi16(a, a), 16);
	vi hi = _mm_srai_epi32(_mm_unpackhi_epi16(a, a), 16);
	return (vf){_mm_cvtepi32_ps(lo), _mm_cvtepi32_ps(hi)};
}

OP vf vf_dot(vi a, vi b, vi c, vi d)
{
	vi lo = _mm_madd_epi16(_mm_unpacklo_epi16(a, c), _mm_unpacklo_epi16(b, d));
	vi hi = _mm_madd_epi16(_mm_unpackhi_epi16(a, c), _mm_unpackhi_epi16(b, d));
	return (vf){_mm_cvtepi32_ps(lo), _mm_cvtepi32_ps(hi)};
}

OP vi vf_to_int(vf a)
{
	return _mm_packs_epi32(_mm_cvttps_epi32(a.lo), _mm_cvttps_epi32(a.hi));
}

OP vf vf_add(vf a, vf b)
{
	return (vf){_mm_add_ps(a.lo, b.lo), _mm_add_ps(a.hi, b.hi)};
}

OP vf vf_sub(vf a, vf b)
{
	return (vf){_mm_sub_ps(a.lo, b.lo), _mm_sub_ps(a.hi, b.hi)};
}

OP vf vf_mul(vf a, vf b)
{
	return (vf){_mm_mul_ps(a.lo, b.lo), _mm_mul_ps(a.hi, b.hi)};
}

OP vf vf_div(vf a, vf b)
{
	return (vf){_mm_div_ps(a.lo, b.lo), _mm_div_ps(a.hi, b.hi)};
}

OP vf vf_min(vf a, vf b)
{
	return (vf){_mm_min_ps(a.lo, b.lo), _mm_min_ps(a.hi, b.hi)};
}

OP vf vf_max(vf a, vf b)
{
	return (vf){_mm_max_ps(a.lo, b.lo), _mm_max_ps(a.hi, b.hi)};
}

OP vi vf_less(vf a, vf b)
{
	__m128 lo = _mm_cmplt_ps(a.lo, b.lo);
	__m128 hi = _mm_cmplt_ps(a.hi, b.hi);
	return _mm_packs_epi32(_mm_castps_si128(lo), _mm_castps_si128(hi));
}

OP vf vf_pick(vi mask, vf a, vf b)
{
	__m128 lo = _mm_castsi128_ps(_mm_unpacklo_epi16(mask, mask));
	__m128 hi = _mm_castsi128_ps(_mm_unpackhi_epi16(mask, mask));
	return (vf){_mm_blendv_ps(b.lo, a.lo, lo), _mm_blendv_ps(b.hi, a.hi, hi)};
}

/* Texels of one row of 8 blocks: block[i] in 16-bit lane i. */
OP void load_row(vi rg[4], vi ba[4], const uint8_t *const *block, size_t at)
{
	const vi low = _mm_set1_epi32(0xffff);
	vi t[2][4];
	for (int half = 0; half < 2; half++) {
		vi in[4];
		for (int i = 0; i < 4; i++)
			in[i] = _mm_loadu_si128((const void *)(block[4 * half + i] + at));
		vi a = _mm_unpacklo_epi32(in[0], in[1]), b = _mm_unpackhi_epi32(in[0], in[1]);
		vi c = _mm_unpacklo_epi32(in[2], in[3]), d = _mm_unpackhi_epi32(in[2], in[3]);
		t[half][0] = _mm_unpacklo_epi64(a, c);
		t[half][1] = _mm_unpackhi_epi64(a, c);
		t[half][2] = _mm_unpacklo_epi64(b, d);
		t[half][3] = _mm_unpackhi_epi64(b, d);
	}
	for (int i = 0; i < 4; i++) {
		rg[i] = _mm_packus_epi32(_mm_and_si128(t[0][i], low), _mm_and_si128(t[1][i], low));
		ba[i] = _mm_packus_epi32(_mm_srli_epi32(t[0][i], 16), _mm_srli_epi32(t[1][i], 16));
	}
}

/* LANES blocks of 8 bytes from their four 16-bit words. */
OP void store_blocks(uint8_t *out, vi w0, vi w1, vi w2, vi w3)
{
	vi a = _mm_unpacklo_epi16(w0, w1), b = _mm_unpackhi_epi16(w0, w1);
	vi c = _mm_unpacklo_epi16(w2, w3), d = _mm_unpackhi_epi16(w2, w3);
	_mm_storeu_si128((void *)out, _mm_unpacklo_epi32(a, c));
	_mm_storeu_si128((void *)(out + 16), _mm_unpackhi_epi32(a, c));
	_mm_storeu_si128((void *)(out + 32), _mm_unpacklo_epi32(b, d));
	_mm_storeu_si128((void *)(out + 48), _mm_unpackhi_epi32(b, d));
}

OP void vi_store(int16_t out[LANES], vi a)
{
	_mm_storeu_si128((void *)out, a);
}

OP vi vi_load(const int16_t in[LANES])
{
	return _mm_loadu_si128((const void *)in);
}

#define DXT1_RUN mw__dxt1_run_sse41
#include "raster/dxt1_kernel.inc"

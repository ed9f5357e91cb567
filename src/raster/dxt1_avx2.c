/* The vector operations of dxt1_kernel.inc on AVX2: 16 blocks at a time. */
#include "raster/dxt1_kernel.h"

#include <immintrin.h>

#define LANES 16

typedef __m256i vi;
typedef struct {
	__m256 lo, hi; /* in the order of unpacklo and unpackhi */
} vf;

#define OP static MW_ALWAYS_INLINE

OP vi vi_set(int x)
{
	return _mm256_set1_epi16((int16_t)x);
}

OP vi vi_add(vi a, vi b)
{
	return _mm256_add_epi16(a, b);
}

OP vi vi_sub(vi a, vi b)
{
	return _mm256_sub_epi16(a, b);
}

OP vi vi_mul(vi a, vi b)
{
	return _mm256_mullo_epi16(a, b);
}

OP vi vi_mul_q15(vi a, vi b)
{
	return _mm256_mulhrs_epi16(a, b);
}

OP vi vi_mul_high(vi a, vi b)
{
	return _mm256_mulhi_epu16(a, b);
}

OP vi vi_min(vi a, vi b)
{
	return _mm256_min_epi16(a, b);
}

OP vi vi_max(vi a, vi b)
{
	return _mm256_max_epi16(a, b);
}

OP vi vi_abs(vi a)
{
	return _mm256_abs_epi16(a);
}

OP vi vi_and(vi a, vi b)
{
	return _mm256_and_si256(a, b);
}

OP vi vi_or(vi a, vi b)
{
	return _mm256_or_si256(a, b);
}

OP vi vi_xor(vi a, vi b)
{
	return _mm256_xor_si256(a, b);
}

OP vi vi_not_and(vi a, vi b)
{
	return _mm256_andnot_si256(a, b);
}

#define vi_shl(a, n) _mm256_slli_epi16(a, n)
#define vi_shr(a, n) _mm256_srli_epi16(a, n)
#define vi_sar(a, n) _mm256_srai_epi16(a, n)

OP vi vi_more(vi a, vi b)
{
	return _mm256_cmpgt_epi16(a, b);
}

OP vi vi_equal(vi a, vi b)
{
	return _mm256_cmpeq_epi16(a, b);
}

OP vi vi_pick(vi mask, vi a, vi b)
{
	return _mm256_blendv_epi8(b, a, mask);
}

OP bool vi_any(vi mask)
{
	return !_mm256_testz_si256(mask, mask);
}

OP vi vb_add(vi a, vi b)
{
	return _mm256_add_epi8(a, b);
}

OP vi vb_sub(vi a, vi b)
{
	return _mm256_sub_epi8(a, b);
}

OP vi vb_min(vi a, vi b)
{
	return _mm256_min_epu8(a, b);
}

OP vi vb_max(vi a, vi b)
{
	return _mm256_max_epu8(a, b);
}

OP vi vb_more(vi a, vi b)
{
	return _mm256_cmpgt_epi8(a, b);
}

OP vi vb_equal(vi a, vi b)
{
	return _mm256_cmpeq_epi8(a, b);
}

OP vi vb_dot(vi a, vi b)
{
	return _mm256_maddubs_epi16(a, b);
}

OP vf vf_set(float x)
{
	return (vf){_mm256_set1_ps(x), _mm256_set1_ps(x)};
}

OP vf vf_from(vi a)
{
	vi lo = _mm256_srai_epi32(_mm256_unpacklo_epi16(a, a), 16);
	vi hi = _mm256_srai_epi32(_mm256_unpackhi_epi16(a, a), 16);
	return (vf){_mm256_cvtepi32_ps(lo), _mm256_cvtepi32_ps(hi)};
}

OP vf vf_dot(vi a, vi b, vi c, vi d)
{
	vi lo = _mm256_madd_epi16(_mm256_unpacklo_epi16(a, c), _mm256_unpacklo_epi16(b, d));
	vi hi = _mm256_madd_epi16(_mm256_unpackhi_epi16(a, c), _mm256_unpackhi_epi16(b, d));
	return (vf){_mm256_cvtepi32_ps(lo), _mm256_cvtepi32_ps(hi)};
}

OP vi vf_to_int(vf a)
{
	return _mm256_packs_epi32(_mm256_cvttps_epi32(a.lo), _mm256_cvttps_epi32(a.hi));
}

OP vf vf_add(vf a, vf b)
{
	return (vf){_mm256_add_ps(a.lo, b.lo), _mm256_add_ps(a.hi, b.hi)};
}

OP vf vf_sub(vf a, vf b)
{
	return (vf){_mm256_sub_ps(a.lo, b.lo), _mm256_sub_ps(a.hi, b.hi)};
}

OP vf vf_mul(vf a, vf b)
{
	return (vf){_mm256_mul_ps(a.lo, b.lo), _mm256_mul_ps(a.hi, b.hi)};
}

OP vf vf_div(vf a, vf b)
{
	return (vf){_mm256_div_ps(a.lo, b.lo), _mm256_div_ps(a.hi, b.hi)};
}

OP vf vf_min(vf a, vf b)
{
	return (vf){_mm256_min_ps(a.lo, b.lo), _mm256_min_ps(a.hi, b.hi)};
}

OP vf vf_max(vf a, vf b)
{
	return (vf){_mm256_max_ps(a.lo, b.lo), _mm256_max_ps(a.hi, b.hi)};
}

OP vi vf_less(vf a, vf b)
{
	__m256 lo = _mm256_cmp_ps(a.lo, b.lo, _CMP_LT_OQ);
	__m256 hi = _mm256_cmp_ps(a.hi, b.hi, _CMP_LT_OQ);
	return _mm256_packs_epi32(_mm256_castps_si256(lo), _mm256_castps_si256(hi));
}

OP vf vf_pick(vi mask, vf a, vf b)
{
	__m256 lo = _mm256_castsi256_ps(_mm256_unpacklo_epi16(mask, mask));
	__m256 hi = _mm256_castsi256_ps(_mm256_unpackhi_epi16(mask, mask));
	return (vf){_mm256_blendv_ps(b.lo, a.lo, lo), _mm256_blendv_ps(b.hi, a.hi, hi)};
}

/* Texels of one row of 16 blocks: block[i] in 16-bit lane i. */
OP void load_row(vi rg[4], vi ba[4], const uint8_t *const *block, size_t at)
{
	const vi low = _mm256_set1_epi32(0xffff);
	vi t[2][4];
	for (int half = 0; half < 2; half++) {
		vi in[4];
		for (int i = 0; i < 4; i++) {
			const uint8_t *const *b = block + 4 * half + i;
			in[i] = _mm256_inserti128_si256(
				_mm256_castsi128_si256(_mm_loadu_si128((const void *)(b[0] + at))),
				_mm_loadu_si128((const void *)(b[8] + at)), 1);
		}
		vi a = _mm256_unpacklo_epi32(in[0], in[1]);
		vi b = _mm256_unpackhi_epi32(in[0], in[1]);
		vi c = _mm256_unpacklo_epi32(in[2], in[3]);
		vi d = _mm256_unpackhi_epi32(in[2], in[3]);
		t[half][0] = _mm256_unpacklo_epi64(a, c);
		t[half][1] = _mm256_unpackhi_epi64(a, c);
		t[half][2] = _mm256_unpacklo_epi64(b, d);
		t[half][3] = _mm256_unpackhi_epi64(b, d);
	}
	for (int i = 0; i < 4; i++) {
		rg[i] = _mm256_packus_epi32(
			_mm256_and_si256(t[0][i], low), _mm256_and_si256(t[1][i], low));
		ba[i] = _mm256_packus_epi32(
			_mm256_srli_epi32(t[0][i], 16), _mm256_srli_epi32(t[1][i], 16));
	}
}

/* LANES blocks of 8 bytes from their four 16-bit words. */
OP void store_blocks(uint8_t *out, vi w0, vi w1, vi w2, vi w3)
{
	vi a = _mm256_unpacklo_epi16(w0, w1), b = _mm256_unpackhi_epi16(w0, w1);
	vi c = _mm256_unpacklo_epi16(w2, w3), d = _mm256_unpackhi_epi16(w2, w3);
	vi e = _mm256_unpacklo_epi32(a, c), f = _mm256_unpackhi_epi32(a, c);
	vi g = _mm256_unpacklo_epi32(b, d), h = _mm256_unpackhi_epi32(b, d);
	_mm256_storeu_si256((void *)out, _mm256_permute2x128_si256(e, f, 0x20));
	_mm256_storeu_si256((void *)(out + 32), _mm256_permute2x128_si256(g, h, 0x20));
	_mm256_storeu_si256((void *)(out + 64), _mm256_permute2x128_si256(e, f, 0x31));
	_mm256_storeu_si256((void *)(out + 96), _mm256_permute2x128_si256(g, h, 0x31));
}

OP void vi_store(int16_t out[LANES], vi a)
{
	_mm256_storeu_si256((void *)out, a);
}

OP vi vi_load(const int16_t in[LANES])
{
	return _mm256_loadu_si256((const void *)in);
}

#define DXT1_RUN mw__dxt1_run_avx2
#include "raster/dxt1_kernel.inc"

/* One vocabulary for vector kernels: a kernel's body is a header written in these words, included
 * by x.c (one lane, plain C), x_sse41.c (four) and x_avx2.c (eight). Every word rounds once, as the
 * scalar does, so that all three give the same bits. Included by those files only. */
#ifndef MW_RASTER_LANES_H
#define MW_RASTER_LANES_H

#include <math.h>
#include <string.h>

#include "base/mw.h"

#if defined(__AVX2__)
#include <immintrin.h>
#define MW_LANES 8
#define MW_LANES_SUFFIX(name) name##_avx2

typedef __m256 vf;  /* floats */
typedef __m256i vi; /* 32-bit integers, wrapping */
typedef __m256 vm;  /* masks: all ones or zero per lane */
typedef __m256 vt;  /* a table of eight floats */

static inline vf vf_load(const float *p)
{
	return _mm256_loadu_ps(p);
}
static inline void vf_store(float *p, vf a)
{
	_mm256_storeu_ps(p, a);
}
static inline vf vf_set(float a)
{
	return _mm256_set1_ps(a);
}
static inline vf vf_add(vf a, vf b)
{
	return _mm256_add_ps(a, b);
}
static inline vf vf_sub(vf a, vf b)
{
	return _mm256_sub_ps(a, b);
}
static inline vf vf_mul(vf a, vf b)
{
	return _mm256_mul_ps(a, b);
}
static inline vf vf_div(vf a, vf b)
{
	return _mm256_div_ps(a, b);
}
static inline vf vf_min(vf a, vf b)
{
	return _mm256_min_ps(a, b);
}
static inline vf vf_max(vf a, vf b)
{
	return _mm256_max_ps(a, b);
}
static inline vf vf_sqrt(vf a)
{
	return _mm256_sqrt_ps(a);
}
static inline vf vf_floor(vf a)
{
	return _mm256_floor_ps(a);
}
static inline vm vf_lt(vf a, vf b)
{
	return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
static inline vm vf_ge(vf a, vf b)
{
	return _mm256_cmp_ps(a, b, _CMP_GE_OQ);
}
static inline vm vf_eq(vf a, vf b)
{
	return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
static inline vm vm_and(vm a, vm b)
{
	return _mm256_and_ps(a, b);
}
static inline vm vm_or(vm a, vm b)
{
	return _mm256_or_ps(a, b);
}
static inline vm vm_xor(vm a, vm b)
{
	return _mm256_xor_ps(a, b);
}
static inline vm vm_none(void)
{
	return _mm256_setzero_ps();
}
static inline bool vm_any(vm a)
{
	return _mm256_movemask_ps(a) != 0;
}
static inline vf vf_select(vm m, vf a, vf b)
{
	return _mm256_blendv_ps(b, a, m);
}
static inline vi vf_bits(vf a)
{
	return _mm256_castps_si256(a);
}
static inline vf vf_from_bits(vi a)
{
	return _mm256_castsi256_ps(a);
}
static inline vi vf_to_int(vf a)
{
	return _mm256_cvttps_epi32(a);
}
static inline vf vf_from_int(vi a)
{
	return _mm256_cvtepi32_ps(a);
}
static inline vi vi_load(const int32_t *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
static inline void vi_store(int32_t *p, vi a)
{
	_mm256_storeu_si256((__m256i *)(void *)p, a);
}
static inline vi vi_set(uint32_t a)
{
	return _mm256_set1_epi32((int32_t)a);
}
static inline vi vi_add(vi a, vi b)
{
	return _mm256_add_epi32(a, b);
}
static inline vi vi_mul(vi a, vi b)
{
	return _mm256_mullo_epi32(a, b);
}
static inline vi vi_xor(vi a, vi b)
{
	return _mm256_xor_si256(a, b);
}
static inline vi vi_and(vi a, vi b)
{
	return _mm256_and_si256(a, b);
}
#define vi_shl(a, n) _mm256_slli_epi32((a), (n))
#define vi_shr(a, n) _mm256_srli_epi32((a), (n))
static inline vi vi_iota(void)
{
	return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}
static inline vf vf_gather(const float *base, vi index)
{
	return _mm256_i32gather_ps(base, index, 4);
}
static inline vt vt_load(const float table[8])
{
	return _mm256_loadu_ps(table);
}
static inline vf vt_get(vt table, vi index)
{
	return _mm256_permutevar8x32_ps(table, index);
}
/* vc_pick(p, vc_make(i)) = p[i] for i in 0..MW_LANES-1. */
static inline vi vc_make(vi index)
{
	return index;
}
static inline vf vc_pick(const float *base, vi control)
{
	return _mm256_permutevar8x32_ps(_mm256_loadu_ps(base), control);
}
static inline int32_t vi_hmin(vi a)
{
	__m128i m = _mm_min_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
	m = _mm_min_epi32(m, _mm_shuffle_epi32(m, 0x4e));
	return _mm_cvtsi128_si32(_mm_min_epi32(m, _mm_shuffle_epi32(m, 0xb1)));
}
static inline int32_t vi_hmax(vi a)
{
	__m128i m = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
	m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0x4e));
	return _mm_cvtsi128_si32(_mm_max_epi32(m, _mm_shuffle_epi32(m, 0xb1)));
}

#elif defined(__SSE4_1__)
#include <smmintrin.h>
#define MW_LANES 4
#define MW_LANES_SUFFIX(name) name##_sse41

typedef __m128 vf;
typedef __m128i vi;
typedef __m128 vm;
typedef struct {
	__m128i lo, hi;
} vt;

static inline vf vf_load(const float *p)
{
	return _mm_loadu_ps(p);
}
static inline void vf_store(float *p, vf a)
{
	_mm_storeu_ps(p, a);
}
static inline vf vf_set(float a)
{
	return _mm_set1_ps(a);
}
static inline vf vf_add(vf a, vf b)
{
	return _mm_add_ps(a, b);
}
static inline vf vf_sub(vf a, vf b)
{
	return _mm_sub_ps(a, b);
}
static inline vf vf_mul(vf a, vf b)
{
	return _mm_mul_ps(a, b);
}
static inline vf vf_div(vf a, vf b)
{
	return _mm_div_ps(a, b);
}
static inline vf vf_min(vf a, vf b)
{
	return _mm_min_ps(a, b);
}
static inline vf vf_max(vf a, vf b)
{
	return _mm_max_ps(a, b);
}
static inline vf vf_sqrt(vf a)
{
	return _mm_sqrt_ps(a);
}
static inline vf vf_floor(vf a)
{
	return _mm_floor_ps(a);
}
static inline vm vf_lt(vf a, vf b)
{
	return _mm_cmplt_ps(a, b);
}
static inline vm vf_ge(vf a, vf b)
{
	return _mm_cmpge_ps(a, b);
}
static inline vm vf_eq(vf a, vf b)
{
	return _mm_cmpeq_ps(a, b);
}
static inline vm vm_and(vm a, vm b)
{
	return _mm_and_ps(a, b);
}
static inline vm vm_or(vm a, vm b)
{
	return _mm_or_ps(a, b);
}
static inline vm vm_xor(vm a, vm b)
{
	return _mm_xor_ps(a, b);
}
static inline vm vm_none(void)
{
	return _mm_setzero_ps();
}
static inline bool vm_any(vm a)
{
	return _mm_movemask_ps(a) != 0;
}
static inline vf vf_select(vm m, vf a, vf b)
{
	return _mm_blendv_ps(b, a, m);
}
static inline vi vf_bits(vf a)
{
	return _mm_castps_si128(a);
}
static inline vf vf_from_bits(vi a)
{
	return _mm_castsi128_ps(a);
}
static inline vi vf_to_int(vf a)
{
	return _mm_cvttps_epi32(a);
}
static inline vf vf_from_int(vi a)
{
	return _mm_cvtepi32_ps(a);
}
static inline vi vi_load(const int32_t *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}
static inline void vi_store(int32_t *p, vi a)
{
	_mm_storeu_si128((__m128i *)(void *)p, a);
}
static inline vi vi_set(uint32_t a)
{
	return _mm_set1_epi32((int32_t)a);
}
static inline vi vi_add(vi a, vi b)
{
	return _mm_add_epi32(a, b);
}
static inline vi vi_mul(vi a, vi b)
{
	return _mm_mullo_epi32(a, b);
}
static inline vi vi_xor(vi a, vi b)
{
	return _mm_xor_si128(a, b);
}
static inline vi vi_and(vi a, vi b)
{
	return _mm_and_si128(a, b);
}
#define vi_shl(a, n) _mm_slli_epi32((a), (n))
#define vi_shr(a, n) _mm_srli_epi32((a), (n))
static inline vi vi_iota(void)
{
	return _mm_setr_epi32(0, 1, 2, 3);
}
static inline vf vf_gather(const float *base, vi index)
{
	return _mm_setr_ps(base[_mm_extract_epi32(index, 0)], base[_mm_extract_epi32(index, 1)],
		base[_mm_extract_epi32(index, 2)], base[_mm_extract_epi32(index, 3)]);
}
/* Byte controls that fetch float i (0..3) of a vector. */
static inline vi vc_make(vi index)
{
	return _mm_add_epi32(
		_mm_mullo_epi32(index, _mm_set1_epi32(0x04040404)), _mm_set1_epi32(0x03020100));
}
static inline vf vc_pick(const float *base, vi control)
{
	return _mm_castsi128_ps(
		_mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)base), control));
}
static inline vt vt_load(const float table[8])
{
	return (vt){_mm_loadu_si128((const __m128i *)(const void *)table),
		_mm_loadu_si128((const __m128i *)(const void *)(table + 4))};
}
static inline vf vt_get(vt table, vi index)
{
	__m128i control = vc_make(_mm_and_si128(index, _mm_set1_epi32(3)));
	return _mm_blendv_ps(_mm_castsi128_ps(_mm_shuffle_epi8(table.lo, control)),
		_mm_castsi128_ps(_mm_shuffle_epi8(table.hi, control)),
		_mm_castsi128_ps(_mm_slli_epi32(index, 29)));
}
static inline int32_t vi_hmin(vi a)
{
	__m128i m = _mm_min_epi32(a, _mm_shuffle_epi32(a, 0x4e));
	return _mm_cvtsi128_si32(_mm_min_epi32(m, _mm_shuffle_epi32(m, 0xb1)));
}
static inline int32_t vi_hmax(vi a)
{
	__m128i m = _mm_max_epi32(a, _mm_shuffle_epi32(a, 0x4e));
	return _mm_cvtsi128_si32(_mm_max_epi32(m, _mm_shuffle_epi32(m, 0xb1)));
}

#else
#define MW_LANES 1
#define MW_LANES_SUFFIX(name) name##_portable

typedef float vf;
typedef uint32_t vi;
typedef uint32_t vm;
typedef const float *vt;

static inline vf vf_load(const float *p)
{
	return *p;
}
static inline void vf_store(float *p, vf a)
{
	*p = a;
}
static inline vf vf_set(float a)
{
	return a;
}
static inline vf vf_add(vf a, vf b)
{
	return a + b;
}
static inline vf vf_sub(vf a, vf b)
{
	return a - b;
}
static inline vf vf_mul(vf a, vf b)
{
	return a * b;
}
static inline vf vf_div(vf a, vf b)
{
	return a / b;
}
static inline vf vf_min(vf a, vf b)
{
	return a < b ? a : b;
}
static inline vf vf_max(vf a, vf b)
{
	return a > b ? a : b;
}
static inline vf vf_sqrt(vf a)
{
	return sqrtf(a);
}
static inline vi vf_bits(vf a)
{
	uint32_t u;
	memcpy(&u, &a, sizeof u);
	return u;
}
static inline vf vf_from_bits(vi a)
{
	float f;
	memcpy(&f, &a, sizeof f);
	return f;
}
/* Without a call where the machine has no instruction for it; the sign of zero is kept. */
static inline vf vf_floor(vf a)
{
	if (!(a > -8388608.0f && a < 8388608.0f))
		return a;
	float t = (float)(int32_t)a;
	t = t > a ? t - 1.0f : t;
	return vf_from_bits(vf_bits(t) | (vf_bits(a) & 0x80000000u));
}
static inline vm vf_lt(vf a, vf b)
{
	return a < b ? UINT32_MAX : 0;
}
static inline vm vf_ge(vf a, vf b)
{
	return a >= b ? UINT32_MAX : 0;
}
static inline vm vf_eq(vf a, vf b)
{
	return a == b ? UINT32_MAX : 0;
}
static inline vm vm_and(vm a, vm b)
{
	return a & b;
}
static inline vm vm_or(vm a, vm b)
{
	return a | b;
}
static inline vm vm_xor(vm a, vm b)
{
	return a ^ b;
}
static inline vm vm_none(void)
{
	return 0;
}
static inline bool vm_any(vm a)
{
	return a != 0;
}
static inline vf vf_select(vm m, vf a, vf b)
{
	return m ? a : b;
}
static inline vi vf_to_int(vf a)
{
	return (uint32_t)(int32_t)a;
}
static inline vf vf_from_int(vi a)
{
	return (float)(int32_t)a;
}
static inline vi vi_load(const int32_t *p)
{
	return (uint32_t)*p;
}
static inline void vi_store(int32_t *p, vi a)
{
	*p = (int32_t)a;
}
static inline vi vi_set(uint32_t a)
{
	return a;
}
static inline vi vi_add(vi a, vi b)
{
	return a + b;
}
static inline vi vi_mul(vi a, vi b)
{
	return a * b;
}
static inline vi vi_xor(vi a, vi b)
{
	return a ^ b;
}
static inline vi vi_and(vi a, vi b)
{
	return a & b;
}
#define vi_shl(a, n) ((a) << (n))
#define vi_shr(a, n) ((a) >> (n))
static inline vi vi_iota(void)
{
	return 0;
}
static inline vf vf_gather(const float *base, vi index)
{
	return base[index];
}
static inline vi vc_make(vi index)
{
	return index;
}
static inline vf vc_pick(const float *base, vi control)
{
	return base[control];
}
static inline vt vt_load(const float table[8])
{
	return table;
}
static inline vf vt_get(vt table, vi index)
{
	return table[index & 7];
}
static inline int32_t vi_hmin(vi a)
{
	return (int32_t)a;
}
static inline int32_t vi_hmax(vi a)
{
	return (int32_t)a;
}
#endif

/* The same in all three. */
static inline vf vf_abs(vf a)
{
	return vf_from_bits(vi_and(vf_bits(a), vi_set(0x7fffffffu)));
}
static inline vf vf_neg(vf a)
{
	return vf_from_bits(vi_xor(vf_bits(a), vi_set(0x80000000u)));
}
/* a + t * (b - a) */
static inline vf vf_lerp(vf a, vf b, vf t)
{
	return vf_add(a, vf_mul(t, vf_sub(b, a)));
}
/* Quintic fade: 6t^5 - 15t^4 + 10t^3. */
static inline vf vf_fade(vf t)
{
	vf p = vf_add(vf_mul(t, vf_sub(vf_mul(t, vf_set(6.0f)), vf_set(15.0f))), vf_set(10.0f));
	return vf_mul(vf_mul(vf_mul(t, t), t), p);
}

#endif

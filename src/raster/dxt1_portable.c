/* The vector operations of dxt1_kernel.inc in plain C: what every other build of it must equal. A
 * vector holds one 16-bit number (or two bytes) for each of LANES blocks. */
#include "raster/dxt1_kernel.h"

#define LANES 32

typedef union {
	int16_t w[LANES];
	uint8_t b[2 * LANES]; /* no operation cares which byte of a word comes first */
} vi;

typedef struct {
	float f[LANES];
} vf;

#define OP static inline

/* vi_*: on words. Sums and products keep their low 16 bits; a mask is 0 or -1. */

OP vi vi_set(int x)
{
	vi a;
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)x;
	return a;
}

OP vi vi_add(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)(a.w[i] + b.w[i]);
	return a;
}

OP vi vi_sub(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)(a.w[i] - b.w[i]);
	return a;
}

OP vi vi_mul(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)(a.w[i] * b.w[i]);
	return a;
}

/* from the two halves of the product: no vector of wider numbers is needed */
static inline int16_t q15(int16_t a, int16_t b)
{
	int high = (int16_t)(a * b >> 16);
	unsigned low = (uint16_t)(a * b);
	return (int16_t)(2 * high + (int)(((low >> 14) + 1) >> 1));
}

/* a * b / 2^15, rounded */
OP vi vi_mul_q15(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = q15(a.w[i], b.w[i]);
	return a;
}

/* a * b / 2^16 of unsigned words */
OP vi vi_mul_high(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)((uint32_t)(uint16_t)a.w[i] * (uint16_t)b.w[i] >> 16);
	return a;
}

OP vi vi_min(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = a.w[i] < b.w[i] ? a.w[i] : b.w[i];
	return a;
}

OP vi vi_max(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = a.w[i] > b.w[i] ? a.w[i] : b.w[i];
	return a;
}

OP vi vi_abs(vi a)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)(a.w[i] < 0 ? -a.w[i] : a.w[i]);
	return a;
}

OP vi vi_and(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = a.w[i] & b.w[i];
	return a;
}

OP vi vi_or(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = a.w[i] | b.w[i];
	return a;
}

OP vi vi_xor(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = a.w[i] ^ b.w[i];
	return a;
}

OP vi vi_not_and(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)(~a.w[i] & b.w[i]);
	return a;
}

OP vi vi_shl(vi a, int n)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)(a.w[i] * (1 << n));
	return a;
}

OP vi vi_shr(vi a, int n)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)((uint16_t)a.w[i] >> n);
	return a;
}

OP vi vi_sar(vi a, int n)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)(a.w[i] >> n);
	return a;
}

OP vi vi_more(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = a.w[i] > b.w[i] ? -1 : 0;
	return a;
}

OP vi vi_equal(vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = a.w[i] == b.w[i] ? -1 : 0;
	return a;
}

/* a where the mask is set, b elsewhere */
OP vi vi_pick(vi mask, vi a, vi b)
{
	for (int i = 0; i < LANES; i++)
		a.w[i] = (int16_t)((a.w[i] & mask.w[i]) | (b.w[i] & ~mask.w[i]));
	return a;
}

OP bool vi_any(vi mask)
{
	int any = 0;
	for (int i = 0; i < LANES; i++)
		any |= mask.w[i];
	return any != 0;
}

/* vb_*: on bytes, the upper and the lower of each word alike. */

OP vi vb_add(vi a, vi b)
{
	for (int i = 0; i < 2 * LANES; i++)
		a.b[i] = (uint8_t)(a.b[i] + b.b[i]);
	return a;
}

OP vi vb_sub(vi a, vi b)
{
	for (int i = 0; i < 2 * LANES; i++)
		a.b[i] = (uint8_t)(a.b[i] - b.b[i]);
	return a;
}

OP vi vb_min(vi a, vi b)
{
	for (int i = 0; i < 2 * LANES; i++)
		a.b[i] = a.b[i] < b.b[i] ? a.b[i] : b.b[i];
	return a;
}

OP vi vb_max(vi a, vi b)
{
	for (int i = 0; i < 2 * LANES; i++)
		a.b[i] = a.b[i] > b.b[i] ? a.b[i] : b.b[i];
	return a;
}

/* of signed bytes */
OP vi vb_more(vi a, vi b)
{
	for (int i = 0; i < 2 * LANES; i++)
		a.b[i] = (int8_t)a.b[i] > (int8_t)b.b[i] ? 255 : 0;
	return a;
}

OP vi vb_equal(vi a, vi b)
{
	for (int i = 0; i < 2 * LANES; i++)
		a.b[i] = a.b[i] == b.b[i] ? 255 : 0;
	return a;
}

/* Per word: both products of an unsigned byte of a with a signed byte of b, added. */
OP vi vb_dot(vi a, vi b)
{
	for (int i = 0; i < LANES; i++) {
		int low = (a.w[i] & 255) * (int8_t)(b.w[i] & 255);
		a.w[i] = (int16_t)(low + (a.w[i] >> 8 & 255) * (b.w[i] >> 8));
	}
	return a;
}

/* vf_*: one float for each block. */

OP vf vf_set(float x)
{
	vf a;
	for (int i = 0; i < LANES; i++)
		a.f[i] = x;
	return a;
}

OP vf vf_from(vi a)
{
	vf r;
	for (int i = 0; i < LANES; i++)
		r.f[i] = (float)a.w[i];
	return r;
}

/* a * b + c * d, summed exactly */
OP vf vf_dot(vi a, vi b, vi c, vi d)
{
	vf r;
	for (int i = 0; i < LANES; i++)
		r.f[i] = (float)(a.w[i] * b.w[i] + c.w[i] * d.w[i]);
	return r;
}

/* Towards zero; the caller sees to it that the result is a 16-bit number. */
OP vi vf_to_int(vf a)
{
	vi r;
	for (int i = 0; i < LANES; i++)
		r.w[i] = (int16_t)a.f[i];
	return r;
}

OP vf vf_add(vf a, vf b)
{
	for (int i = 0; i < LANES; i++)
		a.f[i] = a.f[i] + b.f[i];
	return a;
}

OP vf vf_sub(vf a, vf b)
{
	for (int i = 0; i < LANES; i++)
		a.f[i] = a.f[i] - b.f[i];
	return a;
}

OP vf vf_mul(vf a, vf b)
{
	for (int i = 0; i < LANES; i++)
		a.f[i] = a.f[i] * b.f[i];
	return a;
}

OP vf vf_div(vf a, vf b)
{
	for (int i = 0; i < LANES; i++)
		a.f[i] = a.f[i] / b.f[i];
	return a;
}

OP vf vf_min(vf a, vf b)
{
	for (int i = 0; i < LANES; i++)
		a.f[i] = a.f[i] < b.f[i] ? a.f[i] : b.f[i];
	return a;
}

OP vf vf_max(vf a, vf b)
{
	for (int i = 0; i < LANES; i++)
		a.f[i] = a.f[i] > b.f[i] ? a.f[i] : b.f[i];
	return a;
}

OP vi vf_less(vf a, vf b)
{
	vi r;
	for (int i = 0; i < LANES; i++)
		r.w[i] = a.f[i] < b.f[i] ? -1 : 0;
	return r;
}

OP vf vf_pick(vi mask, vf a, vf b)
{
	for (int i = 0; i < LANES; i++)
		a.f[i] = mask.w[i] ? a.f[i] : b.f[i];
	return a;
}

/* What dxt1_kernel.inc does to eight registers one after the other, in one go: sums that stay in a
 * register of the processor spare it half of the work. */
#define FUSED
#define EIGHT(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7)

OP vi vb_dot_sum(const vi a[8], const vi b[8])
{
	vi r;
	for (int i = 0; i < LANES; i++) {
		uint16_t sum = 0;
#define ADD(k)                                                                                     \
	sum = (uint16_t)(sum + (a[k].w[i] & 255) * (b[k].w[i] & 255));                             \
	sum = (uint16_t)(sum + (a[k].w[i] >> 8 & 255) * (b[k].w[i] >> 8 & 255));
		EIGHT(ADD)
#undef ADD
		r.w[i] = (int16_t)sum;
	}
	return r;
}

OP vi vb_sum(const vi a[8])
{
	vi r;
	for (int i = 0; i < LANES; i++) {
		uint16_t sum = 0;
#define ADD(k) sum = (uint16_t)(sum + (a[k].w[i] & 255) + (a[k].w[i] >> 8 & 255));
		EIGHT(ADD)
#undef ADD
		r.w[i] = (int16_t)sum;
	}
	return r;
}

#define vb_sum_small vb_sum

OP void vb_bounds(vi *min, vi *max, const vi a[8])
{
	for (int i = 0; i < 2 * LANES; i++) {
		uint8_t least = a[0].b[i], most = least;
#define LESS(k) least = a[k].b[i] < least ? a[k].b[i] : least;
#define MORE(k) most = a[k].b[i] > most ? a[k].b[i] : most;
		EIGHT(LESS)
		EIGHT(MORE)
#undef LESS
#undef MORE
		min->b[i] = least;
		max->b[i] = most;
	}
}

OP void vb_above(vi *count, vi *sum, const vi a[8], int cut)
{
	const int16_t edge = (int16_t)cut;
	for (int i = 0; i < LANES; i++) {
		uint16_t n = 0, above = 0;
#define ADD(k)                                                                                     \
	{                                                                                          \
		int16_t lower = a[k].w[i] & 255, upper = a[k].w[i] >> 8;                           \
		uint16_t in_lower = lower > edge ? 0xffff : 0;                                     \
		uint16_t in_upper = upper > edge ? 0xffff : 0;                                     \
		n = (uint16_t)(n - in_lower - in_upper);                                           \
		above = (uint16_t)(above + (lower & in_lower));                                    \
		above = (uint16_t)(above + (upper & in_upper));                                    \
	}
		EIGHT(ADD)
#undef ADD
		count->w[i] = (int16_t)n;
		sum->w[i] = (int16_t)above;
	}
}

OP vi vb_step(vi u, vi t1, vi t2, vi t3)
{
	vi r;
	for (int i = 0; i < 2 * LANES; i++) {
		int8_t x = (int8_t)u.b[i];
		r.b[i] = (uint8_t)((x > (int8_t)t1.b[i]) + (x > (int8_t)t2.b[i]) +
			(x > (int8_t)t3.b[i]));
	}
	return r;
}

OP vi vi_step(vi u, vi t1, vi t2, vi t3)
{
	vi r;
	for (int i = 0; i < LANES; i++)
		r.w[i] = (int16_t)((u.w[i] > t1.w[i]) + (u.w[i] > t2.w[i]) + (u.w[i] > t3.w[i]));
	return r;
}

OP vi vb_project(vi rg, vi ba, const vi axis[3])
{
	vi r;
	for (int i = 0; i < LANES; i++)
		r.w[i] = (int16_t)((rg.w[i] & 255) * axis[0].w[i] +
			(rg.w[i] >> 8 & 255) * axis[1].w[i] + (ba.w[i] & 255) * axis[2].w[i]);
	return r;
}

OP vi vf_round(vf a, float by, float top)
{
	vi r;
	for (int i = 0; i < LANES; i++) {
		float v = a.f[i] * by + 0.5f;
		v = v > 0 ? v : 0;
		r.w[i] = (int16_t)(v < top ? v : top);
	}
	return r;
}

OP vf vf_form(vf x, vf y, vf aa, vf ab2, vf bb)
{
	vf r;
	for (int i = 0; i < LANES; i++)
		r.f[i] = x.f[i] * (aa.f[i] * x.f[i] + ab2.f[i] * y.f[i]) +
			bb.f[i] * (y.f[i] * y.f[i]);
	return r;
}

OP vf vf_share(vi a, vi b)
{
	vf r;
	for (int i = 0; i < LANES; i++) {
		float x = (float)a.w[i], y = (float)(b.w[i] > 1 ? b.w[i] : 1);
		r.f[i] = x * x / y;
	}
	return r;
}

/* Texels of one row of LANES blocks: block[i] in lane i. */
OP void load_row(vi rg[4], vi ba[4], const uint8_t *const *block, size_t at)
{
	uint32_t texel[4][LANES];
	for (int i = 0; i < LANES; i++) {
		const uint8_t *t = block[i] + at;
		for (int k = 0; k < 4; k++, t += 4)
			texel[k][i] = t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 |
				(uint32_t)t[3] << 24;
	}
	for (int k = 0; k < 4; k++) {
		for (int i = 0; i < LANES; i++) {
			rg[k].w[i] = (int16_t)(texel[k][i] & 0xffff);
			ba[k].w[i] = (int16_t)(texel[k][i] >> 16);
		}
	}
}

/* LANES blocks of 8 bytes from their four 16-bit words. */
OP void store_blocks(uint8_t *out, vi w0, vi w1, vi w2, vi w3)
{
	for (int i = 0; i < LANES; i++) {
		const int16_t w[4] = {w0.w[i], w1.w[i], w2.w[i], w3.w[i]};
		for (int k = 0; k < 4; k++) {
			*out++ = (uint8_t)(w[k] & 255);
			*out++ = (uint8_t)(w[k] >> 8 & 255);
		}
	}
}

OP void vi_store(int16_t out[LANES], vi a)
{
	for (int i = 0; i < LANES; i++)
		out[i] = a.w[i];
}

OP vi vi_load(const int16_t in[LANES])
{
	vi a;
	for (int i = 0; i < LANES; i++)
		a.w[i] = in[i];
	return a;
}

#define DXT1_RUN mw__dxt1_run_portable
#include "raster/dxt1_kernel.inc"

#include "raster/noise.h"

#include "base/rng.h"
#include "raster/noise_internal.h"

void mw_noise_init(mw_noise *noise)
{
	*noise = (mw_noise){.period = 256,
		.amplitude = 1,
		.lacunarity = 2,
		.gain = 0.5,
		.feedback = 2,
		.jitter = 1,
		.octaves = 1};
}

static mw_code check_range(mw_ctx *cx, const char *name, double v, double low, double high)
{
	if (v >= low && v <= high)
		return MW_OK;
	return mw_fail(cx, MW_ERANGE, "noise: %s = %g is outside %g..%g", name, v, low, high);
}

mw_code mw_noise_check(mw_ctx *cx, const mw_noise *noise)
{
	const struct {
		const char *name;
		double v, low, high;
	} rows[] = {
		{"period", noise->period, 1e-3, 1e9},
		{"amplitude", noise->amplitude, -1e9, 1e9},
		{"lacunarity", noise->lacunarity, 1, 16},
		{"gain", noise->gain, 0, 1},
		{"feedback", noise->feedback, 0, 16},
		{"jitter", noise->jitter, 0, 1},
		{"octaves", noise->octaves, 1, MW_NOISE_OCTAVES_MAX},
	};
	for (size_t i = 0; i < MW_COUNTOF(rows); i++) {
		mw_code code = check_range(cx, rows[i].name, rows[i].v, rows[i].low, rows[i].high);
		if (code != MW_OK)
			return code;
	}
	if (noise->basis == MW_NOISE_CELLULAR && noise->fractal != MW_NOISE_SUM)
		return mw_fail(
			cx, MW_EINVALID, "noise: cellular noise has neither billow nor ridges");
	return MW_OK;
}

/* Cosines of the middles of eight equal parts of a quadrant; the sines are the same backwards. */
static const double quadrant[8] = {0.99518472667219688, 0.95694033573220886, 0.88192126434835503,
	0.77301045336273696, 0.63439328416364550, 0.47139673682599765, 0.29028467725446236,
	0.09801714032956060};

void mw_noise_plan_make(mw_noise_plan *plan, const mw_noise *noise)
{
	*plan = (mw_noise_plan){.basis = noise->basis,
		.fractal = noise->fractal,
		.cell = noise->cell,
		.octaves = noise->octaves,
		.feedback = (float)noise->feedback,
		.jitter = (float)(noise->jitter / 65536.0)};
	double sum = 0, part = 1;
	for (int k = 0; k < noise->octaves; k++) {
		sum += part;
		part *= noise->gain;
	}
	double frequency = 1.0 / noise->period;
	double weight = noise->amplitude / sum;
	for (int k = 0; k < noise->octaves; k++) {
		mw_noise_octave *o = &plan->octave[k];
		uint64_t key = mw_mix64(noise->seed + (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u);
		uint64_t shift = mw_mix64(key);
		o->frequency = (float)frequency;
		o->weight = (float)weight;
		o->key_x = (uint32_t)key;
		o->key_z = (uint32_t)(key >> 32);
		if (k) { /* so that the octaves' zeros do not meet */
			o->x = (float)(shift & 0xffff) * (1.0f / 65536.0f);
			o->z = (float)(shift >> 48) * (1.0f / 65536.0f);
		}
		/* Ridges and billow need the bare noise, -1..1; a sum takes its weight here. */
		double scale = noise->fractal == MW_NOISE_SUM ? weight : 1.0;
		for (int i = 0; i < 8; i++)
			o->direction[i] = (float)(noise->basis == MW_NOISE_GRADIENT
					? scale * 1.4142135623730951 * quadrant[i]
					: scale / 2147483648.0);
		frequency *= noise->lacunarity;
		weight *= noise->gain;
	}
}

static const mw__noise_kernels *kernels(mw_isa isa)
{
#if MW_ISA_X86
	if (isa == MW_ISA_AVX2)
		return &mw__noise_kernels_avx2;
	if (isa == MW_ISA_SSE41)
		return &mw__noise_kernels_sse41;
#endif
	MW_UNUSED(isa);
	return &mw__noise_kernels_portable;
}

void mw_noise_points(mw_isa isa, const mw_noise_plan *plan, const float *x, const float *z,
	float *out, size_t n, mw_noise_scratch *scratch)
{
	MW_ASSERT(n % 8 == 0 && n <= MW_COUNTOF(scratch->weight));
	const mw__noise_kernels *kern = kernels(isa);
	for (int k = 0; k < plan->octaves; k++)
		kern->points(plan, k, x, z, out, scratch->weight, n);
}

void mw_noise_block(mw_isa isa, const mw_noise_plan *plan, const float *x, size_t w, const float *z,
	size_t h, float *out, mw_noise_scratch *scratch)
{
	MW_ASSERT(w % 8 == 0 && w <= MW_NOISE_COLUMNS_MAX && h <= MW_NOISE_ROWS_MAX);
	const mw__noise_kernels *kern = kernels(isa);
	for (int k = 0; k < plan->octaves; k++) {
		if (kern->block(plan, k, x, w, z, h, out, scratch))
			continue;
		for (size_t j = 0; j < h; j++) {
			for (size_t i = 0; i < w; i++)
				scratch->splat[i] = z[j];
			kern->points(plan, k, x, scratch->splat, out + j * w,
				scratch->weight + j * w, w);
		}
	}
}

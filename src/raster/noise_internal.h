/* Between noise.c and its kernels. */
#ifndef MW_RASTER_NOISE_INTERNAL_H
#define MW_RASTER_NOISE_INTERNAL_H

#include "raster/noise.h"

typedef struct {
	/* Octave k at n points (a multiple of 8), added to acc. */
	void (*points)(const mw_noise_plan *plan, int k, const float *x, const float *z, float *acc,
		float *weight, size_t n);
	/* Octave k of a block; false, with nothing done, where only points can do it. */
	bool (*block)(const mw_noise_plan *plan, int k, const float *x, size_t w, const float *z,
		size_t h, float *acc, mw_noise_scratch *scratch);
} mw__noise_kernels;

extern const mw__noise_kernels mw__noise_kernels_portable;
#if MW_ISA_X86
extern const mw__noise_kernels mw__noise_kernels_sse41;
extern const mw__noise_kernels mw__noise_kernels_avx2;
#endif

#endif

/* What dxt1.c and the three builds of dxt1_kernel.inc say to each other; not for other files. */
#ifndef MW_RASTER_DXT1_KERNEL_H
#define MW_RASTER_DXT1_KERNEL_H

#include "raster/dxt1.h"

#include <string.h>

/* Encode n blocks. block[i] points at the first texel of block i; its four rows are stride bytes
 * apart. [out: n * 8 bytes] */
typedef void mw__dxt1_run(
	mw_dxt1_level level, uint8_t *out, const uint8_t *const *block, size_t stride, size_t n);

mw__dxt1_run mw__dxt1_run_portable;
mw__dxt1_run mw__dxt1_run_sse41;
mw__dxt1_run mw__dxt1_run_avx2;

/* One block of one colour: comes back within 1 per channel. [out: 8 bytes] */
void mw__dxt1_flat(uint8_t *out, const uint8_t mean[3]);

/* What a channel that is to be v becomes by it; six: the channel of 6 bits. [range of v: 0..255] */
int mw__dxt1_flat_value(int v, bool six);

/* mw_dxt1_error of one block. [rgba: 4 rows of 16 bytes, stride bytes apart] */
uint32_t mw__dxt1_block_error(const uint8_t *rgba, size_t stride, const uint8_t *block);

#endif

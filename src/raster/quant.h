/* Floats to the whole numbers that files hold, and back. */
#ifndef MW_RASTER_QUANT_H
#define MW_RASTER_QUANT_H

#include "raster/field.h"

/* Samples that lost more than one step because they lie outside the range. (A sample at the very
 * top loses one step by the formula: the highest word stands for max - range / 65536.) */
typedef struct {
	uint64_t below, above;
	double worst_below,
		worst_above;      /* [unit: of the samples] [range: > 0, infinity possible] */
	int32_t below_i, below_j; /* the first in row order; -1 when none */
	int32_t above_i, above_j;
} mw_quant_clip;

/* out[k] = clamp(floor((h - min) * 65536 / (max - min) + 0.5), 0, 65535) in double, row-major: the
 * inverse of the engine's min + v * ((max - min) / 65536) (Recoil
 * rts/Map/SMF/SMFReadMap.cpp:149-160). A range of nothing gives zeros. Infinities are clamped and
 * counted. [out: w * h words] [min <= max, finite] [clip: may be NULL] MW_EINVALID for the range,
 * MW_ERANGE naming the first sample that is not a number. */
MW_NODISCARD mw_code mw_quantize_u16(
	mw_ctx *cx, uint16_t *out, mw_quant_clip *clip, const mw_field *f, double min, double max);

/* As mw_quantize_u16 with floor((x - min) * 255 / (max - min) + 0.5) in 0..255: both ends are
 * reachable. */
MW_NODISCARD mw_code mw_quantize_u8(
	mw_ctx *cx, uint8_t *out, mw_quant_clip *clip, const mw_field *f, double min, double max);

/* Heights as the engine has them: min + v * ((max - min) / 65536) in float32. */
void mw_dequantize_u16(float *out, const uint16_t *in, size_t n, float min, float max);

#endif

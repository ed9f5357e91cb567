/* DXT1 (BC1): colour blocks of 4x4 texels in 8 bytes, encoder, decoder and error measure.
 *
 * A block is two little-endian 5:6:5 colours and 16 two-bit indices, texel 0 (top left) in the
 * lowest bits, row by row. With color0 > color1 there are four colours: color0, color1 and the two
 * between them; otherwise three and transparent black (Microsoft, "Block Compression", BC1).
 * The decoder is exact and stated: 5 and 6 bits are widened by repeating their upper bits, colours
 * between are (2 a + b + 1) / 3 or (a + b) / 2, whole numbers rounded down.
 *
 * The encoder always writes four-colour blocks: color0 > color1, or both equal with every index 0.
 * Alpha is ignored. The bytes depend on the texels and the level, never on the instruction set, the
 * number of blocks in a call or what lies next to a block. */
#ifndef MW_RASTER_DXT1_H
#define MW_RASTER_DXT1_H

#include "base/isa.h"

#define MW_DXT1_BLOCK 8 /* [unit: byte] */

/* At every level a block of one colour comes back within 1 per channel, and a block of two colours
 * with the least squared error that any four-colour block can have. */
typedef enum { MW_DXT1_FAST, MW_DXT1_NORMAL, MW_DXT1_BEST } mw_dxt1_level;

/* Bytes of a w x h region encoded. [unit of w, h: px] [range: multiples of 4] */
size_t mw_dxt1_size(uint32_t w, uint32_t h);

/* Encode a region, blocks row by row. [isa: at most mw_isa_detect()] [out: mw_dxt1_size(w, h)
 * bytes] [rgba: h rows of 4 * w bytes, stride bytes apart] [range: w, h multiples of 4] */
void mw_dxt1_encode(mw_isa isa, mw_dxt1_level level, uint8_t *out, const uint8_t *rgba,
	size_t stride, uint32_t w, uint32_t h);

/* Encode n blocks that lie anywhere: block[i] points at the first texel of block i, whose four rows
 * of 16 bytes are stride bytes apart. [out: n * 8 bytes] */
void mw_dxt1_encode_blocks(mw_isa isa, mw_dxt1_level level, uint8_t *out,
	const uint8_t *const *block, size_t stride, size_t n);

/* Decode one block of either kind into 4 rows of 16 bytes, stride bytes apart. Alpha is 255, or 0
 * with black where a three-colour block says transparent. */
void mw_dxt1_decode_block(uint8_t *rgba, size_t stride, const uint8_t block[MW_DXT1_BLOCK]);

/* Decode a region. [rgba: h rows of 4 * w bytes, stride bytes apart] [blocks: mw_dxt1_size(w, h)
 * bytes] [range: w, h multiples of 4] */
void mw_dxt1_decode(uint8_t *rgba, size_t stride, const uint8_t *blocks, uint32_t w, uint32_t h);

/* Sum over all texels of the squared differences of red, green and blue between a region and its
 * blocks as mw_dxt1_decode gives them; alpha does not count. */
uint64_t mw_dxt1_error(
	const uint8_t *rgba, size_t stride, const uint8_t *blocks, uint32_t w, uint32_t h);

/* That sum as a peak signal-to-noise ratio over three channels; infinite for 0. [unit: dB] */
double mw_dxt1_psnr(uint64_t error, uint32_t w, uint32_t h);

#endif

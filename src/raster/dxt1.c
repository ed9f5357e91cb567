#include "raster/dxt1.h"

#include "raster/dxt1_kernel.h"

#include <math.h>

size_t mw_dxt1_size(uint32_t w, uint32_t h)
{
	return (size_t)(w / 4) * (h / 4) * MW_DXT1_BLOCK;
}

void mw_dxt1_encode_blocks(mw_isa isa, mw_dxt1_level level, uint8_t *out,
	const uint8_t *const *block, size_t stride, size_t n)
{
	switch (isa) {
#if MW_ISA_X86
	case MW_ISA_AVX2:
		mw__dxt1_run_avx2(level, out, block, stride, n);
		return;
	case MW_ISA_SSE41:
		mw__dxt1_run_sse41(level, out, block, stride, n);
		return;
#endif
	default:
		mw__dxt1_run_portable(level, out, block, stride, n);
	}
}

void mw_dxt1_encode(mw_isa isa, mw_dxt1_level level, uint8_t *out, const uint8_t *rgba,
	size_t stride, uint32_t w, uint32_t h)
{
	/* so many that what waits for its like finds some, small enough for the stack */
	const uint8_t *block[1024];
	size_t n = 0;
	MW_ASSERT(w % 4 == 0 && h % 4 == 0);
	for (uint32_t y = 0; y < h; y += 4) {
		const uint8_t *row = rgba + y * stride;
		for (uint32_t x = 0; x < w; x += 4) {
			block[n++] = row + 4 * (size_t)x;
			if (n == MW_COUNTOF(block)) {
				mw_dxt1_encode_blocks(isa, level, out, block, stride, n);
				out += n * MW_DXT1_BLOCK;
				n = 0;
			}
		}
	}
	if (n > 0)
		mw_dxt1_encode_blocks(isa, level, out, block, stride, n);
}

/* The four colours of a block as RGBA. */
static void block_colours(uint8_t colour[4][4], const uint8_t *block)
{
	unsigned word[2] = {block[0] | (unsigned)block[1] << 8, block[2] | (unsigned)block[3] << 8};
	for (int i = 0; i < 2; i++) {
		unsigned r = word[i] >> 11, g = word[i] >> 5 & 63, b = word[i] & 31;
		colour[i][0] = (uint8_t)(r << 3 | r >> 2);
		colour[i][1] = (uint8_t)(g << 2 | g >> 4);
		colour[i][2] = (uint8_t)(b << 3 | b >> 2);
		colour[i][3] = 255;
	}
	bool four = word[0] > word[1];
	for (int c = 0; c < 3; c++) {
		int a = colour[0][c], b = colour[1][c];
		colour[2][c] = (uint8_t)(four ? (2 * a + b + 1) / 3 : (a + b) / 2);
		colour[3][c] = (uint8_t)(four ? (a + 2 * b + 1) / 3 : 0);
	}
	colour[2][3] = 255;
	colour[3][3] = four ? 255 : 0;
}

static uint32_t block_indices(const uint8_t *block)
{
	return block[4] | (uint32_t)block[5] << 8 | (uint32_t)block[6] << 16 |
		(uint32_t)block[7] << 24;
}

void mw_dxt1_decode_block(uint8_t *rgba, size_t stride, const uint8_t block[MW_DXT1_BLOCK])
{
	uint8_t colour[4][4];
	uint32_t index = block_indices(block);
	block_colours(colour, block);
	for (int y = 0; y < 4; y++, rgba += stride) {
		for (int x = 0; x < 4; x++, index >>= 2)
			for (int c = 0; c < 4; c++)
				rgba[4 * x + c] = colour[index & 3][c];
	}
}

void mw_dxt1_decode(uint8_t *rgba, size_t stride, const uint8_t *blocks, uint32_t w, uint32_t h)
{
	MW_ASSERT(w % 4 == 0 && h % 4 == 0);
	for (uint32_t y = 0; y < h; y += 4, rgba += 4 * stride) {
		for (uint32_t x = 0; x < w; x += 4, blocks += MW_DXT1_BLOCK)
			mw_dxt1_decode_block(rgba + 4 * (size_t)x, stride, blocks);
	}
}

uint32_t mw__dxt1_block_error(const uint8_t *rgba, size_t stride, const uint8_t *block)
{
	uint8_t colour[4][4];
	uint32_t index = block_indices(block), sum = 0;
	block_colours(colour, block);
	for (int y = 0; y < 4; y++, rgba += stride) {
		for (int x = 0; x < 4; x++, index >>= 2) {
			for (int c = 0; c < 3; c++) {
				int d = rgba[4 * x + c] - colour[index & 3][c];
				sum += (uint32_t)(d * d);
			}
		}
	}
	return sum;
}

uint64_t mw_dxt1_error(
	const uint8_t *rgba, size_t stride, const uint8_t *blocks, uint32_t w, uint32_t h)
{
	uint64_t sum = 0;
	MW_ASSERT(w % 4 == 0 && h % 4 == 0);
	for (uint32_t y = 0; y < h; y += 4, rgba += 4 * stride) {
		for (uint32_t x = 0; x < w; x += 4, blocks += MW_DXT1_BLOCK)
			sum += mw__dxt1_block_error(rgba + 4 * (size_t)x, stride, blocks);
	}
	return sum;
}

double mw_dxt1_psnr(uint64_t error, uint32_t w, uint32_t h)
{
	if (error == 0)
		return (double)INFINITY;
	return 10 * log10(255.0 * 255.0 * 3 * w * h / (double)error);
}

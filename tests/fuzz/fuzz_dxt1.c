/* Texels of whatever the bytes say: every instruction set writes the same four-colour blocks, whose
 * error is what the decoded texels say; and the bytes as blocks decode. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "raster/dxt1.h"

#define MOST 40 /* blocks */

static void check_block(const uint8_t *texels, const uint8_t *block)
{
	unsigned w0 = block[0] | (unsigned)block[1] << 8, w1 = block[2] | (unsigned)block[3] << 8;
	uint8_t out[64];
	uint64_t sum = 0;
	FUZZ_CHECK(w0 > w1 || (w0 == w1 && memcmp(block + 4, "\0\0\0\0", 4) == 0));
	mw_dxt1_decode_block(out, 16, block);
	for (int i = 0; i < 64; i++) {
		int d = out[i] - texels[i];
		if (i % 4 < 3)
			sum += (uint64_t)(d * d);
		else
			FUZZ_CHECK(out[i] == 255);
	}
	FUZZ_CHECK(sum == mw_dxt1_error(texels, 16, block, 4, 4));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t texels[MOST * 64], portable[MOST * 8], other[MOST * 8], out[64];
	const uint8_t *block[MOST] = {NULL};
	if (size < 1)
		return 0;
	mw_dxt1_level level = (mw_dxt1_level)(data[0] % 3);
	/* few values make flat and two-colour blocks */
	uint8_t keep = data[0] & 128 ? 255 : 0xc1;
	size_t n = size / 64 < MOST ? size / 64 : MOST;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < 64; k++)
			texels[64 * i + k] = data[64 * i + k] & keep;
		block[i] = texels + 64 * i;
	}
	mw_dxt1_encode_blocks(MW_ISA_PORTABLE, level, portable, block, 16, n);
	for (size_t i = 0; i < n; i++)
		check_block(block[i], portable + 8 * i);
	for (int isa = 1; isa <= (int)mw_isa_detect(); isa++) {
		mw_dxt1_encode_blocks((mw_isa)isa, level, other, block, 16, n);
		FUZZ_CHECK(memcmp(portable, other, 8 * n) == 0);
	}
	for (size_t i = 0; i + 8 <= size; i += 8)
		mw_dxt1_decode_block(out, 16, data + i);
	return 0;
}

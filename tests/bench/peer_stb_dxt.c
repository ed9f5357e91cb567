#include "peers.h"

#include <string.h>

#define STB_DXT_IMPLEMENTATION
#define STB_DXT_STATIC
#define STB_DXT_USE_ROUNDING_BIAS
#include <stb_dxt.h>

void peer_stb_dxt(uint8_t *out, const uint8_t *rgba, uint32_t w, uint32_t h)
{
	for (uint32_t y = 0; y < h; y += 4) {
		for (uint32_t x = 0; x < w; x += 4, out += 8) {
			uint8_t block[64];
			for (uint32_t row = 0; row < 4; row++)
				memcpy(block + 16 * row, rgba + 4 * ((size_t)(y + row) * w + x),
					16);
			stb_compress_dxt_block(out, block, 0, STB_DXT_HIGHQUAL);
		}
	}
}

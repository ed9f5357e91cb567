#include "peers.h"

#if __has_include(<squish.h>)
#include <cstring>
#include <squish.h>

bool peer_squish_there(void)
{
	return true;
}

/* Block by block: squish::CompressImage starts threads. */
void peer_squish_range(uint8_t *out, const uint8_t *rgba, uint32_t w, uint32_t h)
{
	for (uint32_t y = 0; y < h; y += 4) {
		for (uint32_t x = 0; x < w; x += 4, out += 8) {
			uint8_t block[64];
			for (uint32_t row = 0; row < 4; row++)
				memcpy(block + 16 * row, rgba + 4 * ((size_t)(y + row) * w + x),
					16);
			squish::CompressMasked(
				block, 0xffff, out, squish::kDxt1 | squish::kColourRangeFit);
		}
	}
}
#else
bool peer_squish_there(void)
{
	return false;
}

void peer_squish_range(uint8_t *, const uint8_t *, uint32_t, uint32_t)
{
}
#endif

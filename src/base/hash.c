#include "base/hash.h"

#include <libdeflate.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

mw_hash mw_hash_bytes(const void *p, size_t n)
{
	XXH128_hash_t h = XXH3_128bits(p, n);

	return (mw_hash){h.low64, h.high64};
}

bool mw_hash_eq(mw_hash a, mw_hash b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

void mw_hash_hex(mw_hash h, char out[33])
{
	static const char digits[] = "0123456789abcdef";

	for (int i = 0; i < 16; i++) {
		out[i] = digits[h.hi >> (60 - 4 * i) & 15];
		out[16 + i] = digits[h.lo >> (60 - 4 * i) & 15];
	}
	out[32] = '\0';
}

uint32_t mw_crc32(uint32_t crc, const void *p, size_t n)
{
	return n ? libdeflate_crc32(crc, p, n) : crc;
}

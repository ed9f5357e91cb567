/* Content hash for deduplication and caches (XXH3, 128 bits); not for security. */
#ifndef MW_BASE_HASH_H
#define MW_BASE_HASH_H

#include "base/mw.h"

typedef struct {
	uint64_t lo, hi;
} mw_hash;

mw_hash mw_hash_bytes(const void *p, size_t n);
bool mw_hash_eq(mw_hash a, mw_hash b);
/* 32 lower-case hex digits and a NUL. */
void mw_hash_hex(mw_hash h, char out[33]);
/* CRC-32 (zlib polynomial), continued from crc; start with 0. */
uint32_t mw_crc32(uint32_t crc, const void *p, size_t n);

#endif

/* 7z archives, their start and header checksums put right so that what lies behind them is seen. */
#include "fuzz/archive_all.h"

static void put_u32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t get_u64(const uint8_t *p)
{
	uint64_t v = 0;

	for (int i = 7; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t mark_7z[7] = {'7', 'z', 0xbc, 0xaf, 0x27, 0x1c, 0};
	uint64_t at, n;
	uint8_t *copy;

	if (size < 32)
		return 0;
	copy = malloc(size);
	if (copy == NULL)
		return 0;
	memcpy(copy, data, size);
	memcpy(copy, mark_7z, sizeof mark_7z);
	at = get_u64(copy + 12);
	n = get_u64(copy + 20);
	if (at <= size - 32 && n <= size - 32 - at)
		put_u32(copy + 28, mw_crc32(0, copy + 32 + at, (size_t)n));
	put_u32(copy + 8, mw_crc32(0, copy + 12, 20));
	read_archive(copy, size);
	free(copy);
	return 0;
}

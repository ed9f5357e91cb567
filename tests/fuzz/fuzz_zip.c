/* Zips as they come. */
#include "fuzz/archive_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t mark_7z[6] = {'7', 'z', 0xbc, 0xaf, 0x27, 0x1c};

	if (size < 6 || memcmp(data, mark_7z, 6) != 0)
		read_archive(data, size);
	return 0;
}

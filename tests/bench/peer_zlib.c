#include "peers.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

size_t peer_zlib(uint8_t *out, size_t cap, const uint8_t *in, size_t n, int level)
{
	z_stream z;
	memset(&z, 0, sizeof z);
	if (deflateInit2(&z, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	z.next_in = (Bytef *)(uintptr_t)in;
	z.avail_in = (uInt)n;
	z.next_out = out;
	z.avail_out = (uInt)cap;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	size_t packed = z.total_out;
	deflateEnd(&z);
	return packed;
}

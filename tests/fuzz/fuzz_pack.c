/* The packers: what the LZMA2 encoder and joined pieces of deflate make is unpacked by others to
 * the bytes that went in. The first four bytes choose how; any bytes are also scanned as deflate.
 */
#include "fuzz/fuzz.h"

#include <lzma.h>
#include <string.h>
#include <zlib.h>

#include "archive/lzma2.h"
#include "archive/piece.h"
#include "base/mem.h"

static void lzma2(mw_ctx *cx, const uint8_t *how, const uint8_t *in, size_t n)
{
	mw_lzma2_effort e = {0};
	lzma_options_lzma o = {.dict_size = 4096};
	lzma_filter chain[2] = {{LZMA_FILTER_LZMA2, &o}, {LZMA_VLI_UNKNOWN, NULL}};
	size_t first = n > 32 ? n / 2 & ~(size_t)15 : n, made, more = 0, in_at = 0, out_at = 0;
	uint8_t *out = malloc(mw_lzma2_bound(first) + mw_lzma2_bound(n)), *back = malloc(n + 1);

	e.lc = how[0] % 5;
	e.lp = (uint8_t)(how[0] / 5 % (5 - e.lc));
	e.pb = how[1] % 5;
	e.nice = (uint16_t)(8 + how[2]);
	e.step = (uint8_t)(1 << how[1] / 5 % 4);
	e.long_step = (uint8_t)(how[2] & 1 ? 8 : e.step);
	e.tables = (uint8_t)(1 + how[3] / 2 % 4);
	e.entries = (uint8_t)(8 << how[1] / 20 % 3);
	e.lines = (uint8_t)(6 + how[3] / 32);
	e.priced = how[3] & 1;
	while (o.dict_size < n)
		o.dict_size *= 2;
	/* Two slices, the second of which may refer to the first. */
	FUZZ_CHECK(mw_lzma2_encode(cx, out, &made, in, 0, first, &e) == MW_OK);
	FUZZ_CHECK(made < mw_lzma2_bound(first));
	if (first < n)
		FUZZ_CHECK(mw_lzma2_encode(cx, out + made, &more, in + first, first, n - first,
				   &e) == MW_OK);
	FUZZ_CHECK(more < mw_lzma2_bound(n - first));
	made += more;
	out[made++] = 0;
	FUZZ_CHECK(lzma_raw_buffer_decode(chain, NULL, out, &in_at, made, back, &out_at, n + 1) ==
		LZMA_OK);
	FUZZ_CHECK(in_at == made && out_at == n && memcmp(back, in, n) == 0);
	free(out);
	free(back);
}

static void pieces(mw_ctx *cx, const uint8_t *how, const uint8_t *in, size_t n)
{
	size_t first = n * how[1] / 256, a, b;
	int level = 1 + how[0] % 12;
	uint8_t *out = malloc(mw_piece_bound(first) + mw_piece_bound(n)), *back = malloc(n + 1);
	z_stream z = {0};

	FUZZ_CHECK(mw_piece_deflate(cx, out, &a, in, first, level, false) == MW_OK);
	FUZZ_CHECK(a <= mw_piece_bound(first));
	FUZZ_CHECK(mw_piece_deflate(cx, out + a, &b, in + first, n - first, level, true) == MW_OK);
	z.next_in = out;
	z.avail_in = (unsigned)(a + b);
	z.next_out = back;
	z.avail_out = (unsigned)n + 1;
	FUZZ_CHECK(inflateInit2(&z, -15) == Z_OK);
	FUZZ_CHECK(inflate(&z, Z_FINISH) == Z_STREAM_END);
	FUZZ_CHECK(z.avail_in == 0 && z.total_out == n && memcmp(back, in, n) == 0);
	inflateEnd(&z);
	free(out);
	free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t final_bit, end_bit;
	mw_ctx cx;

	mw_ctx_init(&cx);
	if (mw_piece_scan(data, size, &final_bit, &end_bit))
		FUZZ_CHECK(final_bit < end_bit && end_bit <= (uint64_t)size * 8);
	if (size < 5)
		return 0;
	lzma2(&cx, data, data + 4, size - 4);
	pieces(&cx, data, data + 4, size - 4);
	return 0;
}

/* The LZMA2 encoder, decoded by liblzma. */
#include "support/test.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "archive/lzma2.h"
#include "base/mem.h"
#include "support/oom.h"

static const mw_lzma2_effort efforts[] = {
	{3, 0, 2, 1, 1, 32, false, 2, 8, 15},
	{3, 0, 2, 1, 1, 32, true, 1, 8, 6},
	{1, 3, 3, 4, 8, 48, true, 4, 8, 15},
	{0, 4, 4, 2, 4, 8, true, 3, 16, 10},
	{4, 0, 0, 1, 1, 273, true, 4, 32, 17},
	{0, 0, 0, 8, 8, 273, false, 1, 8, 6},
};

/* Decode what slices of `slice` bytes were encoded to, each with up to `reach` bytes before it, and
 * compare. Returns the packed size. */
static size_t round_trip_reaching(
	const uint8_t *in, size_t n, size_t slice, size_t reach, const mw_lzma2_effort *effort)
{
	mw_ctx cx;
	mw_ctx_init(&cx);
	uint8_t *packed = malloc(n + (n / slice + 1) * mw_lzma2_bound(slice));
	uint8_t *back = malloc(n + 1);
	size_t packed_n = 0, in_at = 0, out_at = 0;
	for (size_t at = 0; at < n; at += slice) {
		size_t m = n - at < slice ? n - at : slice, past = at < reach ? at : reach, made;
		/* A buffer of its own size, so that the address sanitizer sees every step too far.
		 */
		uint8_t *exact = malloc(past + m), *out = malloc(mw_lzma2_bound(m));
		memcpy(exact, in + at - past, past + m);
		assert_ok(&cx, mw_lzma2_encode(&cx, out, &made, exact + past, past, m, effort));
		assert_true(made + 1 <= mw_lzma2_bound(m));
		memcpy(packed + packed_n, out, made);
		packed_n += made;
		free(exact);
		free(out);
	}
	packed[packed_n++] = 0;
	lzma_options_lzma o = {
		.dict_size = slice + reach < 4096 ? 4096 : (uint32_t)(slice + reach)};
	lzma_filter chain[2] = {{LZMA_FILTER_LZMA2, &o}, {LZMA_VLI_UNKNOWN, NULL}};
	assert_int_equal(
		lzma_raw_buffer_decode(chain, NULL, packed, &in_at, packed_n, back, &out_at, n + 1),
		LZMA_OK);
	assert_int_equal(in_at, packed_n);
	assert_int_equal(out_at, n);
	assert_memory_equal(back, in, n);
	free(packed);
	free(back);
	return packed_n;
}

static size_t round_trip(const uint8_t *in, size_t n, size_t slice, const mw_lzma2_effort *effort)
{
	return round_trip_reaching(in, n, slice, 0, effort);
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void fill_with_noise(uint8_t *p, size_t n, uint32_t seed)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(next(&seed) >> 15);
}

/* Copies from anywhere before, of any length, between new bytes: every kind of symbol. */
static uint8_t *patchwork(size_t n, uint32_t seed, unsigned copies)
{
	uint8_t *p = malloc(n);
	uint32_t state = seed, near = 1;
	for (size_t i = 0; i < n;) {
		uint32_t r = next(&state);
		size_t len = 1 + next(&state) % (r % 16 == 0 ? 600 : 12);
		if (len > n - i)
			len = n - i;
		if (i && r % 100 < copies) {
			size_t d = r % 3 ? near : 1 + next(&state) % i;
			if (d > i)
				d = i;
			near = (uint32_t)d;
			for (size_t k = 0; k < len; k++)
				p[i + k] = p[i + k - d];
		} else {
			for (size_t k = 0; k < len; k++)
				p[i + k] = (uint8_t)(next(&state) % (r % 5 ? 256 : 4));
		}
		i += len;
	}
	return p;
}

static void every_length_from_one_byte_on(void **state)
{
	uint8_t *p = patchwork(400, 7, 60);
	(void)state;
	for (size_t n = 1; n <= 400; n++)
		for (size_t k = 0; k < MW_COUNTOF(efforts); k++)
			round_trip(p, n, 4096, &efforts[k]);
	free(p);
}

static void data_of_every_kind(void **state)
{
	enum { N = 300000 };
	(void)state;
	for (uint32_t seed = 1; seed <= 4; seed++) {
		uint8_t *p = patchwork(N, seed, seed * 24);
		for (size_t k = 0; k < MW_COUNTOF(efforts); k++) {
			round_trip(p, N, 1 << 23, &efforts[k]);
			round_trip(p, N, 65536 + 16, &efforts[k]);
			round_trip_reaching(p, N, 65536, 32768, &efforts[k]);
			round_trip_reaching(p, N, 16400, 80000, &efforts[k]);
		}
		free(p);
	}
}

/* One chunk holds at most 2 MiB of plain bytes: zeros fill it, and nothing else is any trouble. */
static void long_runs_pass_the_chunk_limit(void **state)
{
	size_t n = (5 << 20) + 3;
	uint8_t *p = calloc(n, 1);
	(void)state;
	p[n / 2] = 1;
	for (size_t k = 0; k < MW_COUNTOF(efforts); k++)
		assert_true(round_trip(p, n, 1 << 23, &efforts[k]) < n / 1000);
	free(p);
}

/* Noise is stored; what follows is packed again, with its properties told anew. */
static void noise_is_stored_and_packing_goes_on(void **state)
{
	enum { N = 400000 };
	uint8_t *p = malloc(N);
	(void)state;
	fill_with_noise(p, N, 5);
	for (size_t k = 0; k < MW_COUNTOF(efforts); k++) {
		assert_true(round_trip(p, N, 1 << 23, &efforts[k]) < N + 100);
		/* noise, text, noise, text */
		for (size_t i = 0; i < N; i++)
			p[i] = i / 100000 % 2 ? (uint8_t) "the quick brown fox "[i % 20] : p[i];
		assert_true(round_trip(p, N, 1 << 23, &efforts[k]) < N / 2 + 4000);
	}
	free(p);
}

/* Bytes that repeat every 8, as texture blocks: the position contexts must pay. */
static void contexts_of_blocks_pay(void **state)
{
	enum { N = 400000 };
	uint32_t seed = 5;
	uint8_t *p = malloc(N);
	(void)state;
	for (size_t i = 0; i < N; i++)
		p[i] = (uint8_t)((i & 7) * 31 + (next(&seed) >> 20 & 7));
	size_t general = round_trip(p, N, 1 << 23, &efforts[1]);
	size_t blocks = round_trip(p, N, 1 << 23, &efforts[2]);
	/* 3 bits a byte are there, 150,000 bytes; what is certain costs a little, too. */
	assert_true(blocks > 150000 && blocks < 160000);
	assert_true(blocks < general - 10000);
	free(p);
}

/* The same noise four times: all but the first are matches when slices reach back as far. */
static void slices_repeat_what_came_before(void **state)
{
	enum { N = 1 << 16 };
	uint8_t *p = malloc(4 * N);
	(void)state;
	fill_with_noise(p, N, 5);
	for (size_t i = N; i < 4 * N; i++)
		p[i] = p[i - N];
	for (size_t k = 0; k < MW_COUNTOF(efforts); k++) {
		const mw_lzma2_effort *e = &efforts[k];
		if ((size_t)e->entries * e->step << e->lines < 2 * N)
			continue; /* too few lines to keep N positions */
		assert_true(round_trip(p, 4 * N, N, &efforts[k]) > 4 * N);
		size_t near = round_trip_reaching(p, 4 * N, N, N, &efforts[k]);
		size_t far = round_trip_reaching(p, 4 * N, N, 3 * N, &efforts[k]);
		/* 241 matches of 273 bytes are a slice of N, at most some 6 bytes each. */
		assert_true(near < N + 3 * 1500);
		assert_true(far < N + 3 * 1500);
	}
	free(p);
}

/* Once as far as a window is long: the farthest byte there is. */
static void a_match_may_span_the_whole_window(void **state)
{
	enum { FAR = MW_LZMA2_WINDOW - 4096, N = 4096 };
	static const mw_lzma2_effort blocks = {1, 3, 3, 4, 8, 64, true, 4, 8, 16};
	uint8_t *p = calloc(FAR + N, 1);
	(void)state;
	fill_with_noise(p, N, 9);
	memcpy(p + FAR, p, N);
	size_t before = round_trip_reaching(p, FAR, FAR, FAR, &blocks);
	assert_true(before < 4096 + 10000);
	assert_true(round_trip_reaching(p, FAR + N, FAR, FAR, &blocks) < before + 200);
	free(p);
}

/* lzma2 control bytes (xz's file format, "lzma2"): 1 and 2 are stored bytes, with and without a
 * reset of the dictionary; of packed ones, bits 5 and 6 say what is reset. */
static void only_the_first_slice_resets_the_dictionary(void **state)
{
	enum { N = 4096 };
	uint8_t p[2 * N], out[N + 70000 + 6];
	size_t n;
	mw_ctx cx;
	(void)state;
	mw_ctx_init(&cx);
	fill_with_noise(p, N, 5);
	memset(p + N, 'a', N);
	assert_true(mw_lzma2_bound(N) <= sizeof out);
	assert_ok(&cx, mw_lzma2_encode(&cx, out, &n, p, 0, N, &efforts[1]));
	assert_int_equal(out[0], 1);
	assert_ok(&cx, mw_lzma2_encode(&cx, out, &n, p + N, 0, N, &efforts[1]));
	assert_int_equal(out[0] & 0xe0, 0xe0);
	assert_ok(&cx, mw_lzma2_encode(&cx, out, &n, p + N, N, N, &efforts[1]));
	assert_int_equal(out[0] & 0xe0, 0xc0);
	fill_with_noise(p + N, N, 6);
	assert_ok(&cx, mw_lzma2_encode(&cx, out, &n, p + N, N, N, &efforts[1]));
	assert_int_equal(out[0], 2);
}

static mw_code encode_once(mw_ctx *cx, void *ud)
{
	uint8_t *out = malloc(mw_lzma2_bound(5000));
	size_t n;
	mw_code code = mw_lzma2_encode(cx, out, &n, (uint8_t *)ud + 1600, 1600, 3400, &efforts[1]);
	free(out);
	return code;
}

static void each_allocation_may_fail(void **state)
{
	uint8_t *p = patchwork(5000, 3, 50);
	(void)state;
	assert_int_equal(oom_sweep(encode_once, p), 2);
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_from_one_byte_on),
		cmocka_unit_test(data_of_every_kind),
		cmocka_unit_test(long_runs_pass_the_chunk_limit),
		cmocka_unit_test(noise_is_stored_and_packing_goes_on),
		cmocka_unit_test(contexts_of_blocks_pay),
		cmocka_unit_test(slices_repeat_what_came_before),
		cmocka_unit_test(a_match_may_span_the_whole_window),
		cmocka_unit_test(only_the_first_slice_resets_the_dictionary),
		cmocka_unit_test(each_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

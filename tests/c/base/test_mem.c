/* Blocks, arenas, arrays, the meter; sorting, hashing and random numbers. */
#include "support/test.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/sort.h"
#include "support/oom.h"

static void wide_blocks_are_aligned_for_vectors(void **state)
{
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	for (size_t n = 0; n < 200; n += 7) {
		void *p = mw_alloc_wide(&cx, n);

		assert_int_equal((uintptr_t)p % 64, 0);
		mw_free(&cx, p);
	}
}

static void sizes_that_overflow_are_refused(void **state)
{
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	assert_null(mw_alloc(&cx, SIZE_MAX));
	assert_fails(&cx, cx.err.code, MW_ENOMEM, "too large");
	assert_null(mw_alloc_n(&cx, SIZE_MAX / 2, 3));
	assert_fails(&cx, cx.err.code, MW_ENOMEM, "elements of 3 bytes");
}

static void the_meter_counts_and_refuses(void **state)
{
	mw_mem_meter meter = {.limit = 1000};
	mw_ctx cx;
	void *a, *b;

	(void)state;
	mw_ctx_init(&cx);
	cx.alloc = mw_mem_metered;
	cx.alloc_ud = &meter;
	a = mw_alloc(&cx, 400);
	b = mw_alloc(&cx, 300);
	assert_non_null(a);
	assert_non_null(b);
	assert_null(mw_alloc(&cx, 400));
	mw_err_clear(&cx);
	a = mw_realloc(&cx, a, 500);
	assert_non_null(a);
	mw_free(&cx, a);
	mw_free(&cx, b);
	assert_int_equal(meter.in_use, 0);
	assert_true(meter.peak >= 800 && meter.peak <= 1000);
}

static void an_arena_goes_back_to_its_mark(void **state)
{
	mw_mem_meter meter = {0};
	mw_arena_mark mark;
	mw_arena a;
	mw_ctx cx;
	char *kept;
	size_t at_mark;

	(void)state;
	mw_ctx_init(&cx);
	cx.alloc = mw_mem_metered;
	cx.alloc_ud = &meter;
	mw_arena_init(&a, &cx);
	kept = mw_arena_strdup(&a, "kept", 4);
	mark = mw_arena_get_mark(&a);
	at_mark = meter.in_use;
	for (int i = 0; i < 100; i++)
		assert_int_equal((uintptr_t)mw_arena_alloc(&a, 5000) % 16, 0);
	assert_true(meter.in_use > 500000);
	mw_arena_reset(&a, mark);
	assert_int_equal(meter.in_use, at_mark);
	assert_string_equal(kept, "kept");
	mw_arena_free(&a);
	assert_int_equal(meter.in_use, 0);
}

typedef struct {
	int key, order;
} item;

static int by_key(const void *a, const void *b, void *ud)
{
	const item *x = a, *y = b;

	*(int *)ud += 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static void sorting_is_stable(void **state)
{
	item v[1000];
	int calls = 0;
	mw_rng rng;
	mw_ctx cx;

	(void)state;
	mw_ctx_init(&cx);
	mw_rng_init(&rng, 1, NULL);
	for (size_t n = 0; n <= 1000; n += n < 40 ? 1 : 137) {
		for (size_t i = 0; i < n; i++)
			v[i] = (item){(int)mw_rng_below(&rng, 20), (int)i};
		assert_ok(&cx, mw_sort(&cx, v, n, sizeof *v, by_key, &calls));
		for (size_t i = 1; i < n; i++) {
			assert_true(v[i - 1].key <= v[i].key);
			if (v[i - 1].key == v[i].key)
				assert_true(v[i - 1].order < v[i].order);
		}
	}
	assert_true(calls > 0);
}

static void hashes_are_the_published_ones(void **state)
{
	char hex[33];

	(void)state;
	/* XXH3 128 of nothing, and CRC-32's check value: numbers of the algorithms' own papers. */
	mw_hash_hex(mw_hash_bytes("", 0), hex);
	assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
	assert_true(mw_crc32(0, "123456789", 9) == 0xcbf43926u);
	assert_true(mw_crc32(mw_crc32(0, "1234", 4), "56789", 5) == 0xcbf43926u);
}

static void streams_of_one_seed_differ_and_repeat(void **state)
{
	mw_rng a, b, c;
	uint64_t first;

	(void)state;
	mw_rng_init(&a, 42, "scatter");
	mw_rng_init(&b, 42, "erosion");
	mw_rng_init(&c, 42, "scatter");
	first = mw_rng_u64(&a);
	assert_true(first != mw_rng_u64(&b));
	assert_true(first == mw_rng_u64(&c));
}

static void below_is_uniform(void **state)
{
	int counts[6] = {0};
	mw_rng rng;

	(void)state;
	mw_rng_init(&rng, 3, NULL);
	for (int i = 0; i < 60000; i++) {
		uint64_t v = mw_rng_below(&rng, 6);
		double u = mw_rng_unit(&rng);

		assert_true(v < 6 && u >= 0 && u < 1);
		counts[v]++;
	}
	for (int i = 0; i < 6; i++) /* 10000 +- 5 standard deviations of 91 */
		assert_in_range(counts[i], 9540, 10460);
}

static mw_code grow_array(mw_ctx *cx, void *ud)
{
	MW_ARRAY(int) a = {0};
	mw_code code = MW_OK;

	(void)ud;
	for (int i = 0; i < 500 && code == MW_OK; i++)
		if (!MW_PUSH(cx, &a, i))
			code = MW_ENOMEM;
	if (code == MW_OK)
		assert_true(a.n == 500 && a.v[499] == 499);
	mw_free(cx, a.v);
	return code;
}

static void arrays_survive_no_memory(void **state)
{
	(void)state;
	oom_sweep(grow_array, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wide_blocks_are_aligned_for_vectors),
		cmocka_unit_test(sizes_that_overflow_are_refused),
		cmocka_unit_test(the_meter_counts_and_refuses),
		cmocka_unit_test(an_arena_goes_back_to_its_mark),
		cmocka_unit_test(sorting_is_stable),
		cmocka_unit_test(hashes_are_the_published_ones),
		cmocka_unit_test(streams_of_one_seed_differ_and_repeat),
		cmocka_unit_test(below_is_uniform),
		cmocka_unit_test(arrays_survive_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

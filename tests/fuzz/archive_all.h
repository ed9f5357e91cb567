/* What the archive targets do with an archive: everything a reader can ask of it. */
#ifndef MW_TESTS_FUZZ_ARCHIVE_ALL_H
#define MW_TESTS_FUZZ_ARCHIVE_ALL_H

#include "fuzz/fuzz.h"

#include <string.h>

#include "archive/archive.h"
#include "base/hash.h"
#include "base/utf8.h"

static mw_code count_bytes(mw_ctx *cx, void *ud, const void *bytes, size_t n)
{
	(void)cx;
	(void)bytes;
	*(uint64_t *)ud += n;
	return MW_OK;
}

/* Names are clean, sorted and found again; what is read is what was declared, or an error. */
static void read_archive(const uint8_t *data, size_t size)
{
	mw_ctx cx;
	mw_archive *a;

	mw_ctx_init(&cx);
	cx.limits.unpacked_bytes = 1 << 20;
	if (mw_archive_open_bytes(&cx, &a, data, size, "fuzz") != MW_OK) {
		FUZZ_CHECK(cx.err.code != MW_OK && cx.err.msg[0] != '\0');
		return;
	}
	for (size_t i = 0; i < mw_archive_count(a) && i < 64; i++) {
		const mw_archive_entry *e = mw_archive_at(a, i),
				       *first = mw_archive_find(a, e->name);
		uint64_t streamed = 0;
		uint8_t *bytes;
		size_t n;

		FUZZ_CHECK(first != NULL && (first == e) == !e->shadowed);
		FUZZ_CHECK(mw_utf8_valid(e->name, strlen(e->name)));
		FUZZ_CHECK(strchr(e->name, '\\') == NULL);
		FUZZ_CHECK(i == 0 || strcmp(mw_archive_at(a, i - 1)->name, e->name) <= 0);
		mw_err_clear(&cx);
		if (mw_archive_read(&cx, &bytes, &n, a, e) == MW_OK) {
			FUZZ_CHECK(n == e->size && n <= cx.limits.unpacked_bytes && bytes[n] == 0);
			FUZZ_CHECK(!e->has_crc || mw_crc32(0, bytes, n) == e->crc);
			mw_free(&cx, bytes);
			FUZZ_CHECK(mw_archive_unpack(&cx, a, e, count_bytes, &streamed) == MW_OK);
			FUZZ_CHECK(streamed == n);
		} else {
			FUZZ_CHECK(bytes == NULL && cx.err.code != MW_OK && cx.err.msg[0] != '\0');
		}
	}
	mw_archive_close(&cx, a);
}

#endif

/* What is read as a picture is written as PNG and read again as the same one; as grey too. Row by
 * row gives what the whole gives. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "base/mem.h"
#include "raster/image.h"
#include "raster/png.h"

static void colour(mw_ctx *cx, const uint8_t *data, size_t size)
{
	mw_image img = {0}, again = {0};
	uint8_t *png = NULL;
	size_t n = 0;

	if (mw_image_decode(cx, &img, data, size) == MW_OK) {
		FUZZ_CHECK(mw_png_encode_image(cx, &png, &n, &img, 1) == MW_OK);
		FUZZ_CHECK(mw_image_decode(cx, &again, png, n) == MW_OK);
		FUZZ_CHECK(again.w == img.w && again.h == img.h);
		FUZZ_CHECK(memcmp(again.px, img.px, (size_t)img.w * img.h * 4) == 0);
	} else {
		FUZZ_CHECK(cx->err.code != MW_OK && cx->err.msg[0] != '\0');
		FUZZ_CHECK(img.px == NULL);
	}
	mw_free(cx, png);
	mw_image_free(cx, &again);
	mw_image_free(cx, &img);
	mw_err_clear(cx);
}

static void grey(mw_ctx *cx, const uint8_t *data, size_t size)
{
	mw_grey g = {0}, again = {0};
	uint8_t *png = NULL;
	size_t n = 0;

	if (mw_grey_decode(cx, &g, data, size) == MW_OK) {
		FUZZ_CHECK(mw_png_encode_grey(cx, &png, &n, &g, 6) == MW_OK);
		FUZZ_CHECK(mw_grey_decode(cx, &again, png, n) == MW_OK);
		FUZZ_CHECK(again.bits == g.bits && again.w == g.w && again.h == g.h);
		FUZZ_CHECK(memcmp(again.v, g.v, (size_t)g.w * g.h * 2) == 0);
	} else {
		FUZZ_CHECK(cx->err.code != MW_OK && cx->err.msg[0] != '\0');
		FUZZ_CHECK(g.v == NULL);
	}
	mw_free(cx, png);
	mw_grey_free(cx, &again);
	mw_grey_free(cx, &g);
	mw_err_clear(cx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	mw_ctx cx;

	mw_ctx_init(&cx);
	cx.limits.image_side = 512; /* the inputs are small; so may be their pictures */
	colour(&cx, data, size);
	grey(&cx, data, size);
	return 0;
}

/* stb_image behind our allocator; only PNG, JPEG, TGA and BMP are compiled in. */
#ifndef MW_RASTER_STB_IMPL_H
#define MW_RASTER_STB_IMPL_H

#include "raster/image.h"

/* Size and depth from the header; MW_EFORMAT with stb's reason. n is at most INT_MAX. */
MW_NODISCARD mw_code mw__stb_info(
	mw_ctx *cx, int *w, int *h, int *channels, bool *sixteen, const void *bytes, size_t n);
/* Decoded pixels, channels asked for (1..4); free with mw_free. */
MW_NODISCARD mw_code mw__stb_load8(
	mw_ctx *cx, uint8_t **out, const void *bytes, size_t n, int channels);
MW_NODISCARD mw_code mw__stb_load16(
	mw_ctx *cx, uint16_t **out, const void *bytes, size_t n, int channels);

#endif

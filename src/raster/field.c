#include "raster/field.h"

#include <string.h>

#include "base/mem.h"

mw_code mw_field_init(mw_ctx *cx, mw_field *f, int32_t w, int32_t h)
{
	*f = (mw_field){0};
	if (w < 1 || h < 1 || w > MW_FIELD_SIDE_MAX || h > MW_FIELD_SIDE_MAX)
		return mw_fail(cx, MW_ERANGE,
			"a field of %d x %d samples is outside 1..%d each way", w, h,
			MW_FIELD_SIDE_MAX);
	size_t bytes = (size_t)w * (size_t)h * sizeof(float);
	float *v = mw_alloc_wide(cx, bytes);
	if (!v)
		return MW_ENOMEM;
	memset(v, 0, bytes);
	*f = (mw_field){.v = v, .w = w, .h = h};
	return MW_OK;
}

void mw_field_free(mw_ctx *cx, mw_field *f)
{
	mw_free(cx, f->v);
	*f = (mw_field){0};
}

mw_code mw_field_copy(mw_ctx *cx, mw_field *f, const mw_field *src)
{
	mw_code code = mw_field_init(cx, f, src->w, src->h);
	if (code == MW_OK)
		memcpy(f->v, src->v, mw_field_count(src) * sizeof(float));
	return code;
}

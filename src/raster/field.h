/* Float grids: heights, masks, densities. Row-major, z is the row; sample (0, 0) is north-west. */
#ifndef MW_RASTER_FIELD_H
#define MW_RASTER_FIELD_H

#include "base/ctx.h"

#define MW_FIELD_SIDE_MAX 32769 /* [unit: sample] vertices of a 64x64 map, four times over */

/* w * h samples without padding, 64-byte aligned. A zeroed struct is valid and empty. */
typedef struct {
	float *v;
	int32_t w, h;
} mw_field;

/* Where the samples lie: sample (i, j) is at (x0 + i * step, z0 + j * step). [unit: elmo] */
typedef struct {
	double x0, z0;
	double step; /* [range: > 0] */
} mw_grid;

/* ---- life --------------------------------------------------------------------------------------
 */

/* w * h zeros. [range: 1..MW_FIELD_SIDE_MAX each] [owned: caller, mw_field_free]
 * MW_ERANGE, MW_ENOMEM; *f is then empty. */
MW_NODISCARD mw_code mw_field_init(mw_ctx *cx, mw_field *f, int32_t w, int32_t h);
void mw_field_free(mw_ctx *cx, mw_field *f);
/* A new field with the samples of src. */
MW_NODISCARD mw_code mw_field_copy(mw_ctx *cx, mw_field *f, const mw_field *src);

static inline size_t mw_field_count(const mw_field *f)
{
	return (size_t)f->w * (size_t)f->h;
}

static inline float *mw_field_row(const mw_field *f, int32_t j)
{
	return f->v + (size_t)j * (size_t)f->w;
}

#endif

/* Shared by the files of erosion: jobs, and the kernels that run over their rows. */
#ifndef MW_RASTER_ERODE_INTERNAL_H
#define MW_RASTER_ERODE_INTERNAL_H

#include "base/isa.h"
#include "base/pool.h"
#include "raster/erode.h"

typedef struct {
	mw_field from, to;
	float talus, talus_diagonal; /* height differences that hold */
	float rate, rate_diagonal;
} mw__thermal_job;

/* Floats before each row, so that column -1 exists and rows stay aligned. */
#define MW__GRID_PAD 16

/* Planes of floats with room beside each row. */
typedef struct {
	float *bed, *water, *load; /* ground, water and carried ground */
	float *east, *south;       /* flow over the edge to the next cell, in water an iteration */
} mw__grid_state;

typedef struct {
	mw__grid_state from, to;
	const float *rain; /* one row, or a plane */
	size_t rain_stride;
	size_t stride;
	int32_t w, h;
	float pull;     /* flow per difference of level */
	float keep;     /* share of the flow that goes on by itself */
	float slope_by; /* 1 / (2 * step) */
	float capacity, dissolve, deposit, stays;
	float *scratch; /* per worker */
} mw__grid_job;

#define MW__GRID_ROW_BUFFERS 19 /* row buffers of a worker, each a stride long */

/* Tasks of mw_pool_for over the rows of a job; ud is the job. The same bits from both sets. */
mw_code mw__thermal_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker);
mw_code mw__grid_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker);
#if MW_ISA_X86
mw_code mw__thermal_rows_avx2(mw_ctx *cx, void *ud, size_t first, size_t last, int worker);
mw_code mw__grid_rows_avx2(mw_ctx *cx, void *ud, size_t first, size_t last, int worker);
#endif

#endif

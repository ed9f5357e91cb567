/* Shapes with soft edges pressed into a field. */
#ifndef MW_RASTER_STAMP_H
#define MW_RASTER_STAMP_H

#include "raster/field.h"

typedef struct {
	double x, z;  /* [unit: elmo] */
	double level; /* what the field is to be here */
} mw_stamp_point;

typedef enum {
	MW_STAMP_DISC,   /* points[0] is the centre, size the radius */
	MW_STAMP_RECT,   /* points[0] and points[1] are opposite corners */
	MW_STAMP_PATH,   /* a line through all points, size wide, with round ends */
	MW_STAMP_RAMP,   /* from points[0] to points[1], size wide, with straight ends */
	MW_STAMP_POLYGON /* closed; even-odd where it crosses itself */
} mw_stamp_kind;

/* Disc, rectangle and polygon have the level of points[0] all over; paths and ramps go from level
 * to level along their line. */
typedef struct {
	mw_stamp_kind kind;
	const mw_stamp_point *points; /* [borrowed] */
	size_t n;                     /* disc 1, rect and ramp 2, path 1.., polygon 3.. */
	double size;                  /* [unit: elmo] [range: >= 0] */
} mw_stamp_shape;

typedef enum {
	MW_STAMP_LEVEL, /* bring the field to the level */
	MW_STAMP_RAISE, /* only where it is lower */
	MW_STAMP_LOWER, /* only where it is higher */
	MW_STAMP_ADD    /* add the level */
} mw_stamp_mode;

/* Inside the shape the effect is whole; it fades smoothly to nothing within `soften` outside its
 * edge. [soften: >= 0, unit: elmo] MW_EINVALID for shapes that make no sense; MW_ENOMEM. */
MW_NODISCARD mw_code mw_stamp(mw_ctx *cx, mw_field *f, mw_grid grid, const mw_stamp_shape *shape,
	mw_stamp_mode mode, double soften);

/* Mean of the samples inside the shape; where it covers none, the value at its middle. */
MW_NODISCARD mw_code mw_stamp_mean(
	mw_ctx *cx, double *mean, const mw_field *f, mw_grid grid, const mw_stamp_shape *shape);

#endif

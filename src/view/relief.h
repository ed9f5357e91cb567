/* A map seen from above: hill shading, height colours, water, contour lines and what stands there.
 */
#ifndef MW_VIEW_RELIEF_H
#define MW_VIEW_RELIEF_H

#include "raster/field.h"
#include "raster/image.h"

typedef enum {
	MW_MARK_START,  /* numbered circle */
	MW_MARK_METAL,  /* disc */
	MW_MARK_VENT,   /* triangle */
	MW_MARK_FEATURE /* dot */
} mw_mark_kind;

typedef struct {
	mw_mark_kind kind;
	double x, z;   /* [unit: elmo] */
	int32_t label; /* number drawn into a start */
} mw_relief_mark;

typedef struct {
	const mw_field *height; /* vertex grid [unit: elmo] [borrowed] */
	double step;            /* [unit: elmo] between vertices */
	const mw_image *ground; /* colours instead of height colours, stretched over the map; may be
				 * NULL [borrowed] */
	bool void_water;        /* nothing instead of water below 0 */
	double contour;         /* [unit: elmo] between lines, 0: none */
	const mw_relief_mark *marks;
	size_t n_marks;
	const char *title; /* below the map, may be NULL: no legend */
} mw_relief;

/* Draw into out (empty), w pixels wide; the map keeps its shape and the legend adds a strip below.
 * Light falls from the north-west. [range: w 16..8192] MW_ERANGE, MW_ENOMEM [owned: caller] */
MW_NODISCARD mw_code mw_relief_draw(mw_ctx *cx, mw_image *out, const mw_relief *r, uint32_t w);

#endif

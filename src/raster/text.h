/* Small text in pictures: capital letters, digits and some signs, 5x7 dots each. */
#ifndef MW_RASTER_TEXT_H
#define MW_RASTER_TEXT_H

#include "raster/image.h"

#define MW_TEXT_HEIGHT 7 /* [unit: dot] */

/* Width of a line. [unit: px] [scale: px a dot, >= 1] */
uint32_t mw_text_width(const char *text, uint32_t scale);

/* Draw a line with its top left corner at (x, y); what is outside the picture is left out. Small
 * letters are drawn as capitals, unknown bytes as '?'. */
void mw_text_draw(mw_image *img, int32_t x, int32_t y, uint32_t scale, const uint8_t rgb[3],
	const char *text);

#endif

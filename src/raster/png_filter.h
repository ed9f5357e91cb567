/* The five PNG row filters (PNG 1.2, section 6), both ways. */
#ifndef MW_RASTER_PNG_FILTER_H
#define MW_RASTER_PNG_FILTER_H

#include "base/mw.h"

/* Undo a filter in place. above: the unfiltered row above, zeros for the first. bpp: bytes to the
 * same sample of the pixel on the left [range: 1..8]. row and above are followed by at least 4
 * readable bytes. false: unknown filter. */
bool mw__png_unfilter(unsigned filter, uint8_t *row, const uint8_t *above, size_t n, unsigned bpp);

/* Filter row into out [n bytes]. [range: filter 0..4] */
void mw__png_filter(unsigned filter, uint8_t *out, const uint8_t *row, const uint8_t *above,
	size_t n, unsigned bpp);

#endif

/* A guard before the JPEG decoder: hands on only segments that were checked. */
#ifndef MW_RASTER_JPEG_CLEAN_H
#define MW_RASTER_JPEG_CLEAN_H

#include "base/wr.h"

/* Append a copy of a JPEG file that holds nothing but what a decoder needs: tables, frame, scans.
 * The decoder trusts the counts of Huffman tables, so they are checked here (ITU T.81, B.2.4.2: at
 * most 256 codes), and bytes between segments are left out, so that it cannot come to read them as
 * segments. MW_EFORMAT, MW_EUNSUPPORTED for lossless, hierarchical and arithmetic coding. */
MW_NODISCARD mw_code mw__jpeg_clean(mw_ctx *cx, mw_wr *out, const uint8_t *p, size_t n);

#endif

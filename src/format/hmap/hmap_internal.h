/* Shared by the files of this room only. */
#ifndef MW_FORMAT_HMAP_HMAP_INTERNAL_H
#define MW_FORMAT_HMAP_HMAP_INTERNAL_H

#include "base/rd.h"
#include "format/hmap/hmap.h"

/* Read CMPL's content into l, which is zeroed. Failures are in r. */
void mw__hmap_read_level(mw_rd *r, mw_level *l);
void mw__hmap_write_level(mw_wr *w, const mw_level *l);

/* n floats that must be finite. */
void mw__hmap_floats(mw_rd *r, float *out, size_t n, const char *name);
/* A plane: finite, normal of unit length within 1e-3. */
void mw__hmap_plane(mw_rd *r, float out[4], const char *name);

/* Where a brush, mesh or entity (by the tag of its chunk) is in the file, and say so in the last
 * finding. */
int64_t mw__hmap_offset(const mw_hmap *h, uint32_t tag, size_t index);
void mw__hmap_place(const mw_hmap *h, mw_hmap_findings *found, uint32_t tag, size_t index);

#endif

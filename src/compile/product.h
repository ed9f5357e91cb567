/* What compile stages hand to the writers: baked products that say nothing of how they were made.
 */
#ifndef MW_COMPILE_PRODUCT_H
#define MW_COMPILE_PRODUCT_H

#include "base/ctx.h"

#define MW_MINIMAP_SIDE 1024u /* [unit: px] */
#define MW_MINIMAP_BYTES                                                                           \
	699048u /* DXT1, 9 levels 1024..4 (facts: rts/Map/SMF/SMFReadMap.cpp:164) */

/* Ground texture as tiles. The tile records themselves went to a mw_tile_store. Zeroed = empty. */
typedef struct {
	uint32_t tiles_x, tiles_z; /* [unit: tile of 32 texels] */
	uint32_t *index;           /* tiles_x * tiles_z record numbers, rows from north [owned] */
	uint32_t tile_count;       /* records */
	uint8_t *minimap;          /* MW_MINIMAP_BYTES [owned] */
} mw_ground_product;

void mw_ground_product_free(mw_ctx *cx, mw_ground_product *p);

#endif

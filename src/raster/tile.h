/* Ground tiles: 32x32 texels with three mips of their own, DXT1, and exact deduplication. */
#ifndef MW_RASTER_TILE_H
#define MW_RASTER_TILE_H

#include "base/fs.h"
#include "base/hash.h"
#include "base/wr.h"
#include "raster/dxt1.h"

#define MW_TILE_SIDE 32u   /* [unit: texel] */
#define MW_TILE_BYTES 680u /* 512 + 128 + 32 + 8: levels 32, 16, 8, 4 (spec bar-map, SMT tile) */

/* Encode one tile. Each mip is the rounded 2x2 mean of the level above in stored (gamma) values and
 * sees no texel of another tile; alpha is ignored, every block is four-colour.
 * rgba: 32 rows of 128 bytes, stride bytes apart. */
void mw_tile_encode(mw_isa isa, mw_dxt1_level level, uint8_t out[MW_TILE_BYTES],
	const uint8_t *rgba, size_t stride);

/* Decode one level of a tile to RGBA8. [range: mip 0..3] [out: 4 * side * side, side = 32 >> mip]
 */
void mw_tile_decode(uint8_t *out, const uint8_t tile[MW_TILE_BYTES], unsigned mip);

/* Where the tile records go, one after the other; record i is the i-th appended. */
typedef struct mw_tile_store mw_tile_store;
struct mw_tile_store {
	mw_code (*append)(mw_ctx *cx, mw_tile_store *store, const uint8_t *tiles, size_t n);
	/* Read record index back, to compare bytes where hashes agree. */
	mw_code (*fetch)(mw_ctx *cx, mw_tile_store *store, uint32_t index, uint8_t *tile);
	void *to;       /* [borrowed] */
	uint64_t start; /* [unit: byte] place of record 0 in to */
};

/* The two usual places; records follow what is there already, such as a header. */
mw_tile_store mw_tile_store_memory(mw_wr *wr);
mw_tile_store mw_tile_store_file(mw_fs_file *file);

/* Hash table of the records so far. */
typedef struct {
	mw_hash hash;
	uint32_t index;
	bool used;
} mw_tile_slot;
typedef struct {
	mw_tile_slot *slots;
	size_t cap;       /* power of two */
	uint32_t records; /* appended so far */
	bool share;       /* false: every tile becomes a record of its own */
} mw_tile_dedup;

void mw_tile_dedup_init(mw_tile_dedup *d, bool share);
void mw_tile_dedup_free(mw_ctx *cx, mw_tile_dedup *d);

/* Give n tiles their record numbers, in order: a tile whose bytes equal an earlier record's gets
 * that number, the others are appended to store. hashes: mw_hash_bytes of each tile [n]; index
 * [out: n] */
MW_NODISCARD mw_code mw_tile_dedup_add(mw_ctx *cx, mw_tile_dedup *d, mw_tile_store *store,
	uint32_t *index, const uint8_t *tiles, const mw_hash *hashes, size_t n);

#endif

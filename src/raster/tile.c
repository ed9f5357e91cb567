#include "raster/tile.h"

#include "base/mem.h"
#include "raster/image.h"

#include <string.h>

#define LEVELS 4u

/* Bytes of a level, and where it starts in a record. */
static const uint16_t level_at[LEVELS] = {0, 512, 640, 672};

/* All levels side by side in rows of one length, so that one call encodes the 85 blocks. */
#define SHEET_STRIDE 128u /* [unit: byte] 32 texels */
#define SHEET_ROWS 48u
#define BLOCKS 85u

/* Where a level begins on the sheet. [unit: texel] */
static const uint8_t sheet_x[LEVELS] = {0, 0, 16, 24}, sheet_y[LEVELS] = {0, 32, 32, 32};

void mw_tile_encode(mw_isa isa, mw_dxt1_level level, uint8_t out[MW_TILE_BYTES],
	const uint8_t *rgba, size_t stride)
{
	uint8_t sheet[SHEET_ROWS * SHEET_STRIDE];
	const uint8_t *block[BLOCKS], **next = block;
	for (unsigned y = 0; y < MW_TILE_SIDE; y++)
		memcpy(sheet + y * SHEET_STRIDE, rgba + y * stride, SHEET_STRIDE);
	const uint8_t *above = sheet;
	for (unsigned i = 0; i < LEVELS; i++) {
		unsigned side = MW_TILE_SIDE >> i;
		uint8_t *at = sheet + sheet_y[i] * SHEET_STRIDE + sheet_x[i] * 4;
		if (i > 0)
			mw_image_halve(at, SHEET_STRIDE, above, SHEET_STRIDE, 2 * side, 2 * side);
		for (unsigned y = 0; y < side; y += 4)
			for (unsigned x = 0; x < side; x += 4)
				*next++ = at + y * SHEET_STRIDE + x * 4;
		above = at;
	}
	mw_dxt1_encode_blocks(isa, level, out, block, SHEET_STRIDE, BLOCKS);
}

void mw_tile_decode(uint8_t *out, const uint8_t tile[MW_TILE_BYTES], unsigned mip)
{
	uint32_t side = MW_TILE_SIDE >> mip;
	mw_dxt1_decode(out, (size_t)side * 4, tile + level_at[mip], side, side);
}

/* ---- stores -----------------------------------------------------------------------------------
 */

static mw_code memory_append(mw_ctx *cx, mw_tile_store *store, const uint8_t *tiles, size_t n)
{
	mw_wr *wr = store->to;
	MW_UNUSED(cx);
	mw_wr_bytes(wr, tiles, n * MW_TILE_BYTES);
	return mw_wr_code(wr);
}

static mw_code memory_fetch(mw_ctx *cx, mw_tile_store *store, uint32_t index, uint8_t *tile)
{
	const mw_wr *wr = store->to;
	MW_UNUSED(cx);
	memcpy(tile, wr->p + store->start + (size_t)index * MW_TILE_BYTES, MW_TILE_BYTES);
	return MW_OK;
}

mw_tile_store mw_tile_store_memory(mw_wr *wr)
{
	return (mw_tile_store){memory_append, memory_fetch, wr, wr->n};
}

static mw_code file_append(mw_ctx *cx, mw_tile_store *store, const uint8_t *tiles, size_t n)
{
	return mw_fs_append(cx, store->to, tiles, n * MW_TILE_BYTES);
}

static mw_code file_fetch(mw_ctx *cx, mw_tile_store *store, uint32_t index, uint8_t *tile)
{
	uint64_t at = store->start + (uint64_t)index * MW_TILE_BYTES;
	return mw_fs_fetch(cx, store->to, at, tile, MW_TILE_BYTES);
}

mw_tile_store mw_tile_store_file(mw_fs_file *file)
{
	return (mw_tile_store){file_append, file_fetch, file, mw_fs_tell(file)};
}

/* ---- deduplication ----------------------------------------------------------------------------
 */

void mw_tile_dedup_init(mw_tile_dedup *d, bool share)
{
	memset(d, 0, sizeof *d);
	d->share = share;
}

void mw_tile_dedup_free(mw_ctx *cx, mw_tile_dedup *d)
{
	mw_free(cx, d->slots);
	memset(d, 0, sizeof *d);
}

/* At most half full, so that probing stays short. */
static mw_code make_room(mw_ctx *cx, mw_tile_dedup *d, size_t more)
{
	size_t cap = d->cap ? d->cap : 256;
	while (cap < 2 * (d->records + more))
		cap *= 2;
	if (cap == d->cap)
		return MW_OK;
	mw_tile_slot *slots = mw_zalloc_n(cx, cap, sizeof *slots);
	if (!slots)
		return cx->err.code;
	for (size_t i = 0; i < d->cap; i++) {
		if (!d->slots[i].used)
			continue;
		size_t at = (size_t)d->slots[i].hash.lo & (cap - 1);
		while (slots[at].used)
			at = (at + 1) & (cap - 1);
		slots[at] = d->slots[i];
	}
	mw_free(cx, d->slots);
	d->slots = slots;
	d->cap = cap;
	return MW_OK;
}

/* New tiles that lie side by side are appended together, one write for many. */
typedef struct {
	mw_tile_store *store;
	const uint8_t *tiles; /* first one not appended yet */
	size_t n;
} run;

static mw_code flush(mw_ctx *cx, run *r)
{
	mw_code code = r->n ? r->store->append(cx, r->store, r->tiles, r->n) : MW_OK;
	r->n = 0;
	return code;
}

/* Is record index equal to tile, byte for byte? */
static mw_code same_bytes(mw_ctx *cx, run *r, uint32_t index, const uint8_t *tile, bool *same)
{
	uint8_t known[MW_TILE_BYTES];
	mw_code code = flush(cx, r);
	if (!code)
		code = r->store->fetch(cx, r->store, index, known);
	*same = !code && memcmp(known, tile, MW_TILE_BYTES) == 0;
	return code;
}

/* The slot of the record with these bytes, or the free one where it belongs. */
static mw_code find(
	mw_ctx *cx, mw_tile_dedup *d, run *r, const uint8_t *tile, mw_hash hash, mw_tile_slot **out)
{
	size_t at = (size_t)hash.lo & (d->cap - 1);
	for (; d->slots[at].used; at = (at + 1) & (d->cap - 1)) {
		bool same = false;
		if (!mw_hash_eq(d->slots[at].hash, hash))
			continue;
		mw_code code = same_bytes(cx, r, d->slots[at].index, tile, &same);
		if (code)
			return code;
		if (same)
			break;
	}
	*out = &d->slots[at];
	return MW_OK;
}

mw_code mw_tile_dedup_add(mw_ctx *cx, mw_tile_dedup *d, mw_tile_store *store, uint32_t *index,
	const uint8_t *tiles, const mw_hash *hashes, size_t n)
{
	run r = {store, NULL, 0};
	mw_code code = d->share ? make_room(cx, d, n) : MW_OK;
	for (size_t i = 0; !code && i < n; i++) {
		const uint8_t *tile = tiles + i * MW_TILE_BYTES;
		mw_tile_slot *slot = NULL;
		if (d->share) {
			code = find(cx, d, &r, tile, hashes[i], &slot);
			if (code)
				break;
			if (slot->used) {
				index[i] = slot->index;
				continue;
			}
			*slot = (mw_tile_slot){hashes[i], d->records, true};
		}
		if (r.n && tile != r.tiles + r.n * MW_TILE_BYTES)
			code = flush(cx, &r);
		if (!r.n)
			r.tiles = tile;
		r.n++;
		index[i] = d->records++;
	}
	return code ? code : flush(cx, &r);
}

/* The model into bytes: sizes first, so that every pointer is known before the first byte. */
#include "format/smf/smf.h"

#include "base/hash.h"

#include <string.h>

typedef struct {
	mw_ctx *cx;
	const mw_smf *smf;
	mw_smf_write_opts opts;
	mw_smf_span spans[4 * MW_SMF_BLOCKS]; /* in the order of writing */
	size_t num_spans;
	int32_t pointer[MW_SMF_BLOCKS];
} writer;

static const mw_smf_extra grass_header = {
	.size = MW_SMF_EXTRA_GRASS_BYTES, .type = MW_SMF_EXTRA_GRASS};

/* ---- sizes ----------------------------------------------------------------------------------- */

static size_t minimap_bytes(const writer *w)
{
	const mw_smf *s = w->smf;
	if (w->opts.keep_layout && s->minimap && s->minimap_bytes > MW_SMF_MINIMAP_BYTES)
		return s->minimap_bytes;
	return MW_SMF_MINIMAP_BYTES;
}

/* Extra headers to write, one call each, NULL at the end: those read, with one for the grass map
 * exactly when there is one. */
typedef struct {
	size_t next;
	bool grass; /* its header is done */
} extra_walk;

static const mw_smf_extra *next_extra(const mw_smf *s, extra_walk *walk)
{
	while (walk->next < s->num_extras) {
		const mw_smf_extra *e = &s->extras[walk->next++];
		if (e->type != MW_SMF_EXTRA_GRASS)
			return e;
		if (s->grass && !walk->grass) {
			walk->grass = true;
			return e;
		}
	}
	if (s->grass && !walk->grass) {
		walk->grass = true;
		return &grass_header;
	}
	return NULL;
}

static uint64_t size_of(const writer *w, mw_smf_block block)
{
	const mw_smf *s = w->smf;
	const mw_smf_extra *e;
	uint64_t cells = mw_smf_cells(s->mapx, s->mapy, block), n = 0;
	switch (block) {
	case MW_SMF_HEADER:
		n = MW_SMF_HEADER_BYTES;
		for (extra_walk walk = {0}; (e = next_extra(s, &walk)) != NULL;)
			n += e->type == MW_SMF_EXTRA_GRASS ? MW_SMF_EXTRA_GRASS_BYTES
							   : 8 + e->payload_bytes;
		return n;
	case MW_SMF_HEIGHT:
		return cells * 2;
	case MW_SMF_MINIMAP:
		return minimap_bytes(w);
	case MW_SMF_GRASS:
		return s->grass ? cells : 0;
	case MW_SMF_TILES:
		n = 8 + cells * 4;
		for (size_t i = 0; i < s->num_tile_files; i++)
			n += 4 + strlen(s->tile_files[i].name) + 1;
		return n;
	case MW_SMF_FEATURES:
		n = 8 + (uint64_t)s->num_features * MW_SMF_FEATURE_BYTES;
		for (size_t i = 0; i < s->num_feature_types; i++)
			n += strlen(s->feature_types[i]) + 1;
		return n;
	default:
		return cells;
	}
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool has_span(const writer *w, mw_smf_block block)
{
	for (size_t i = 0; i < w->num_spans; i++)
		if (w->spans[i].block == block)
			return true;
	return false;
}

static mw_code lay_out(writer *w)
{
	const mw_smf *s = w->smf;
	w->spans[w->num_spans++] = (mw_smf_span){.block = MW_SMF_HEADER};
	if (w->opts.keep_layout)
		for (size_t i = 0; i < s->num_spans; i++)
			if (s->spans[i].block != MW_SMF_HEADER)
				w->spans[w->num_spans++] = s->spans[i];
	for (int b = MW_SMF_HEIGHT; b < MW_SMF_BLOCKS; b++)
		if (!has_span(w, (mw_smf_block)b))
			w->spans[w->num_spans++] = (mw_smf_span){.block = (mw_smf_block)b};

	uint64_t at = 0;
	for (size_t i = 0; i < w->num_spans; i++) {
		mw_smf_span *span = &w->spans[i];
		span->offset = at;
		if (span->block != MW_SMF_GAP) {
			span->size = size_of(w, span->block);
			if (at <= INT32_MAX)
				w->pointer[span->block] = (int32_t)at;
		}
		at += span->size;
	}
	if (at > INT32_MAX)
		return mw_fail(w->cx, MW_ELIMIT,
			"the map takes %llu bytes; pointers in a .smf reach 2147483647",
			(unsigned long long)at);
	return MW_OK;
}

static mw_code check_model(writer *w)
{
	const mw_smf *s = w->smf;
	if (s->mapx <= 0 || s->mapy <= 0 || s->mapx % 4 || s->mapy % 4)
		return mw_fail(w->cx, MW_EINVALID,
			"%d x %d squares: both sides must be positive multiples of 4", (int)s->mapx,
			(int)s->mapy);
	if (!s->heights || !s->tile_index)
		return mw_fail(w->cx, MW_EINVALID, "the model has no %s",
			mw_smf_block_title(s->heights ? MW_SMF_TILES : MW_SMF_HEIGHT));
	if (s->num_tile_files > INT32_MAX || s->num_feature_types > INT32_MAX ||
		s->num_features > INT32_MAX)
		return mw_fail(w->cx, MW_ELIMIT, "more than 2147483647 records");
	return MW_OK;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void put_header(const writer *w, mw_wr *out)
{
	const mw_smf *s = w->smf;
	const int32_t *p = w->pointer;
	mw_wr_bytes(out, MW_SMF_MAGIC, sizeof MW_SMF_MAGIC);
	mw_wr_i32(out, MW_SMF_VERSION);
	mw_wr_i32(out, s->map_id);
	mw_wr_i32(out, s->mapx);
	mw_wr_i32(out, s->mapy);
	mw_wr_i32(out, MW_SMF_SQUARE);
	mw_wr_i32(out, MW_SMF_TEXELS);
	mw_wr_i32(out, MW_SMF_TILE);
	mw_wr_f32(out, s->min_height);
	mw_wr_f32(out, s->max_height);
	mw_wr_i32(out, p[MW_SMF_HEIGHT]);
	mw_wr_i32(out, p[MW_SMF_TYPE]);
	mw_wr_i32(out, p[MW_SMF_TILES]);
	mw_wr_i32(out, p[MW_SMF_MINIMAP]);
	mw_wr_i32(out, p[MW_SMF_METAL]);
	mw_wr_i32(out, p[MW_SMF_FEATURES]);
	size_t slot = mw_wr_hole_u32(out);
	uint32_t count = 0;
	const mw_smf_extra *e;
	for (extra_walk walk = {0}; (e = next_extra(s, &walk)) != NULL; count++) {
		bool grass = e->type == MW_SMF_EXTRA_GRASS;
		/* sizes of unknown records are only wrong where the reader had to mend them */
		int32_t size = grass ? MW_SMF_EXTRA_GRASS_BYTES : (int32_t)(8 + e->payload_bytes);
		mw_wr_i32(out, w->opts.keep_layout ? e->size : size);
		mw_wr_i32(out, e->type);
		if (grass)
			mw_wr_i32(out, p[MW_SMF_GRASS]);
		else
			mw_wr_bytes(out, e->payload, e->payload_bytes);
	}
	mw_wr_patch_u32(out, slot, count);
}

static void put_tiles(const mw_smf *s, mw_wr *out)
{
	mw_wr_i32(out, (int32_t)s->num_tile_files);
	mw_wr_i32(out, s->num_tiles);
	for (size_t i = 0; i < s->num_tile_files; i++) {
		mw_wr_i32(out, s->tile_files[i].count);
		mw_wr_bytes(out, s->tile_files[i].name, strlen(s->tile_files[i].name) + 1);
	}
	mw_wr_i32v(out, s->tile_index, (size_t)mw_smf_cells(s->mapx, s->mapy, MW_SMF_TILES));
}

static void put_features(const mw_smf *s, mw_wr *out)
{
	mw_wr_i32(out, (int32_t)s->num_feature_types);
	mw_wr_i32(out, (int32_t)s->num_features);
	for (size_t i = 0; i < s->num_feature_types; i++)
		mw_wr_bytes(out, s->feature_types[i], strlen(s->feature_types[i]) + 1);
	for (size_t i = 0; i < s->num_features; i++) {
		const mw_smf_feature *f = &s->features[i];
		mw_wr_i32(out, f->type);
		mw_wr_f32(out, f->x);
		mw_wr_f32(out, f->y);
		mw_wr_f32(out, f->z);
		mw_wr_f32(out, f->rotation);
		mw_wr_f32(out, f->relative_size);
	}
}

static void put_bytes(mw_wr *out, const uint8_t *bytes, uint64_t size)
{
	if (bytes)
		mw_wr_bytes(out, bytes, (size_t)size);
	else
		mw_wr_zeros(out, (size_t)size);
}

static void put_block(const writer *w, mw_wr *out, const mw_smf_span *span)
{
	const mw_smf *s = w->smf;
	switch (span->block) {
	case MW_SMF_HEADER:
		put_header(w, out);
		break;
	case MW_SMF_HEIGHT:
		mw_wr_u16v(out, s->heights, (size_t)(span->size / 2));
		break;
	case MW_SMF_TYPE:
		put_bytes(out, s->types, span->size);
		break;
	case MW_SMF_MINIMAP:
		put_bytes(out, s->minimap, span->size);
		break;
	case MW_SMF_METAL:
		put_bytes(out, s->metal, span->size);
		break;
	case MW_SMF_GRASS:
		if (s->grass)
			mw_wr_bytes(out, s->grass, (size_t)span->size);
		break;
	case MW_SMF_TILES:
		put_tiles(s, out);
		break;
	case MW_SMF_FEATURES:
		put_features(s, out);
		break;
	case MW_SMF_GAP:
		put_bytes(out, span->bytes, span->size);
		break;
	}
}

mw_code mw_smf_write(mw_ctx *cx, mw_wr *out, const mw_smf *smf, const mw_smf_write_opts *opts)
{
	writer w = {.cx = cx, .smf = smf};
	MW_ASSERT(out->n == 0);
	if (opts)
		w.opts = *opts;
	mw_code code = check_model(&w);
	if (!code)
		code = lay_out(&w);
	if (code)
		return code;
	const mw_smf_span *last = &w.spans[w.num_spans - 1];
	mw_wr_reserve(out, (size_t)(last->offset + last->size));
	for (size_t i = 0; i < w.num_spans; i++) {
		MW_ASSERT(out->failed || out->n == w.spans[i].offset);
		put_block(&w, out, &w.spans[i]);
	}
	code = mw_wr_code(out);
	if (!code && w.opts.derive_id) {
		mw_wr_patch_u32(out, 20, 0);
		uint32_t id = (uint32_t)mw_hash_bytes(out->p, out->n).lo & 0x7fffffff;
		mw_wr_patch_u32(out, 20, id ? id : 1);
		code = mw_wr_code(out);
	}
	return code;
}

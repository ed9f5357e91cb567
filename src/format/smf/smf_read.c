/* Bytes of a .smf into the model: header, extra headers, blocks through their pointers. */
#include "format/smf/smf.h"

#include "base/rd.h"
#include "base/str.h"
#include "format/smf/smf_internal.h"

#include <stdarg.h>
#include <string.h>

typedef struct {
	mw_ctx *cx;
	mw_smf *smf;
	mw_smf_findings *found;
	const uint8_t *p; /* the whole file */
	size_t n;
	mw_smf_span spans[MW_SMF_BLOCKS];
	size_t num_spans;
	int64_t pointer[MW_SMF_BLOCKS];    /* as in the file */
	size_t grass_headers, long_extras; /* of each kind only the first is reported */
} reader;

static const struct {
	const char *name, *title;
} block_texts[] = {
	[MW_SMF_HEADER] = {"header", "header"},
	[MW_SMF_HEIGHT] = {"height", "height map"},
	[MW_SMF_TYPE] = {"type", "type map"},
	[MW_SMF_MINIMAP] = {"minimap", "minimap"},
	[MW_SMF_METAL] = {"metal", "metal map"},
	[MW_SMF_GRASS] = {"grass", "grass map"},
	[MW_SMF_TILES] = {"tiles", "tile index"},
	[MW_SMF_FEATURES] = {"features", "feature block"},
	[MW_SMF_GAP] = {"gap", "gap"},
};

const char *mw_smf_block_name(mw_smf_block block)
{
	return (size_t)block < MW_COUNTOF(block_texts) ? block_texts[block].name : "?";
}

const char *mw_smf_block_title(mw_smf_block block)
{
	return (size_t)block < MW_COUNTOF(block_texts) ? block_texts[block].title : "?";
}

const char *mw_smf_level_name(mw_smf_level level)
{
	static const char *const names[] = {"info", "warning", "error", "error"};
	return (size_t)level < MW_COUNTOF(names) ? names[level] : "?";
}

void mw_smf_init(mw_smf *smf, mw_ctx *cx)
{
	memset(smf, 0, sizeof *smf);
	mw_arena_init(&smf->mem, cx);
}

void mw_smf_free(mw_smf *smf)
{
	mw_ctx *cx = smf->mem.cx;
	if (cx) {
		mw_arena_free(&smf->mem);
		mw_smf_init(smf, cx);
	}
}

uint64_t mw_smf_cells(int32_t mapx, int32_t mapy, mw_smf_block block)
{
	if (mapx <= 0 || mapy <= 0)
		return 0;
	uint64_t w = (uint32_t)mapx, h = (uint32_t)mapy;
	switch (block) {
	case MW_SMF_HEIGHT:
		return (w + 1) * (h + 1);
	case MW_SMF_TYPE:
	case MW_SMF_METAL:
		return (w / 2) * (h / 2);
	case MW_SMF_GRASS:
	case MW_SMF_TILES:
		return (w / 4) * (h / 4);
	default:
		return 0;
	}
}

mw_code mw_smf_report(mw_ctx *cx, mw_smf_findings *to, mw_smf_level level, const char *rule,
	mw_smf_block block, int64_t offset, const char *fmt, ...)
{
	mw_smf_finding f = {.level = level, .rule = rule, .block = block, .offset = offset};
	va_list ap;
	va_start(ap, fmt);
	mw_vformat(f.msg, sizeof f.msg, fmt, ap);
	va_end(ap);
	return MW_PUSH(cx, to, f) ? MW_OK : MW_ENOMEM;
}

mw_code mw_smf_refuse(mw_ctx *cx, const mw_smf_findings *found)
{
	for (size_t i = 0; i < found->n; i++) {
		const mw_smf_finding *f = &found->v[i];
		if (f->level < MW_SMF_ERROR)
			continue;
		mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, f->offset, "%s", f->msg);
		return mw_note(cx, "%s", mw_smf_block_title(f->block));
	}
	return MW_OK;
}

bool mw_smf_probe(const uint8_t *bytes, size_t n)
{
	return n >= sizeof MW_SMF_MAGIC && memcmp(bytes, MW_SMF_MAGIC, sizeof MW_SMF_MAGIC) == 0;
}

/* What a reader over one block failed with becomes a finding; out of memory stays a failure. */
static mw_code broken(reader *r, mw_smf_block block, const mw_ctx *child)
{
	if (child->err.code == MW_ENOMEM)
		return mw_ctx_adopt(r->cx, child);
	const mw_err *e = &child->err;
	return mw_smf_report(r->cx, r->found, MW_SMF_BROKEN, "smf-pointer-range", block, e->offset,
		"%s; the file has %zu bytes", e->msg, r->n);
}

static void add_span(reader *r, mw_smf_block block, uint64_t offset, uint64_t size)
{
	MW_ASSERT(r->num_spans < MW_COUNTOF(r->spans));
	r->spans[r->num_spans++] = (mw_smf_span){.block = block, .offset = offset, .size = size};
}

/* The bytes of a block of known size; *out stays NULL, with a finding, when they are not there. */
static mw_code find_block(reader *r, mw_smf_block block, uint64_t size, const uint8_t **out)
{
	int64_t at = r->pointer[block];
	*out = NULL;
	if (at < 0 || (uint64_t)at > r->n || size > r->n - (uint64_t)at)
		return mw_smf_report(r->cx, r->found, MW_SMF_BROKEN, "smf-pointer-range", block,
			at < 0 ? MW_ERR_NOWHERE : at,
			"needs %llu bytes at offset %lld, file has %zu", (unsigned long long)size,
			(long long)at, r->n);
	*out = r->p + at;
	add_span(r, block, (uint64_t)at, size);
	return MW_OK;
}

/* A reader at the start of a block whose size shows only in reading it. */
static mw_rd block_reader(reader *r, mw_ctx *child, mw_smf_block block)
{
	mw_rd rd;
	mw_ctx_child(child, r->cx);
	mw_rd_init(&rd, child, r->p, r->n);
	int64_t at = r->pointer[block];
	if (at < 0 || (uint64_t)at > r->n)
		mw_rd_fail(&rd, MW_EFORMAT, "starts at offset %lld", (long long)at);
	else
		mw_rd_seek(&rd, (size_t)at, "start");
	return rd;
}

/* ---- header ---------------------------------------------------------------------------------- */

mw_code mw__smf_header_field(mw_ctx *cx, int64_t offset, const char *name, int32_t is, int32_t must)
{
	if (is == must)
		return MW_OK;
	return mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, offset, "header: %s is %d, must be %d",
		name, (int)is, (int)must);
}

static mw_code read_header(reader *r, int32_t *num_extras)
{
	mw_ctx *cx = r->cx;
	mw_smf *smf = r->smf;
	if (r->n < MW_SMF_HEADER_BYTES)
		return mw_fail(cx, MW_EFORMAT, "header: needs %d bytes, file has %zu",
			MW_SMF_HEADER_BYTES, r->n);
	if (!mw_smf_probe(r->p, r->n))
		return mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, 0,
			"header: does not begin with \"" MW_SMF_MAGIC "\"");

	mw_rd rd;
	mw_rd_init(&rd, cx, r->p, MW_SMF_HEADER_BYTES);
	mw_rd_skip(&rd, sizeof MW_SMF_MAGIC, "header.magic");
	int32_t version = mw_rd_i32(&rd, "header.version");
	smf->map_id = mw_rd_i32(&rd, "header.mapid");
	smf->mapx = mw_rd_i32(&rd, "header.mapx");
	smf->mapy = mw_rd_i32(&rd, "header.mapy");
	int32_t square = mw_rd_i32(&rd, "header.squareSize");
	int32_t texels = mw_rd_i32(&rd, "header.texelsPerSquare");
	int32_t tile = mw_rd_i32(&rd, "header.tileSize");
	smf->min_height = mw_rd_f32(&rd, "header.minHeight");
	smf->max_height = mw_rd_f32(&rd, "header.maxHeight");
	static const mw_smf_block order[] = {MW_SMF_HEIGHT, MW_SMF_TYPE, MW_SMF_TILES,
		MW_SMF_MINIMAP, MW_SMF_METAL, MW_SMF_FEATURES};
	for (size_t i = 0; i < MW_COUNTOF(order); i++)
		r->pointer[order[i]] = mw_rd_i32(&rd, "header.pointer");
	*num_extras = mw_rd_i32(&rd, "header.numExtraHeaders");

	mw_code code = mw_rd_code(&rd);
	if (!code)
		code = mw__smf_header_field(cx, 16, "version", version, MW_SMF_VERSION);
	if (!code)
		code = mw__smf_header_field(cx, 32, "square size", square, MW_SMF_SQUARE);
	if (!code)
		code = mw__smf_header_field(cx, 36, "texels per square", texels, MW_SMF_TEXELS);
	if (!code)
		code = mw__smf_header_field(cx, 40, "tile size", tile, MW_SMF_TILE);
	if (!code && (smf->mapx <= 0 || smf->mapy <= 0))
		code = mw_fail_at(cx, MW_EFORMAT, MW_ERR_NOWHERE, 24,
			"header: size is %d x %d squares, both must be positive", (int)smf->mapx,
			(int)smf->mapy);
	return code;
}

/* One record at *at, which moves behind it; *at stays where the rest cannot be read.
 * A record's own size cannot be trusted where it matters: type 1 has 12 bytes whatever it says
 * (rts/Map/SMF/SMFMapFile.cpp:239-270 never looks at it), others are stepped over by it. */
static mw_code read_extra(reader *r, size_t *at, mw_smf_extra *e)
{
	mw_ctx child;
	mw_rd rd;
	mw_code code = MW_OK;
	mw_ctx_child(&child, r->cx);
	mw_rd_init(&rd, &child, r->p, r->n);
	mw_rd_seek(&rd, *at, "extra header");
	*e = (mw_smf_extra){0};
	e->size = mw_rd_i32(&rd, "extra header.size");
	e->type = mw_rd_i32(&rd, "extra header.type");
	int64_t offset = (int64_t)*at;
	if (mw_rd_code(&rd))
		return broken(r, MW_SMF_HEADER, &child);
	if (e->type == MW_SMF_EXTRA_GRASS) {
		int32_t grass = mw_rd_i32(&rd, "extra header.grass");
		if (mw_rd_code(&rd))
			return broken(r, MW_SMF_HEADER, &child);
		*at = rd.at;
		if (r->grass_headers++ == 0)
			r->pointer[MW_SMF_GRASS] = grass;
		else if (r->grass_headers == 2)
			return mw_smf_report(r->cx, r->found, MW_SMF_WARNING, "extra-header-twice",
				MW_SMF_HEADER, offset,
				"a second grass header; the first one counts");
		return MW_OK;
	}
	if (e->size < 8) /* the engine would read this record again for each that is left */
		return mw_smf_report(r->cx, r->found, MW_SMF_ERROR, "extra-header-size",
			MW_SMF_HEADER, offset,
			"extra header of type %d says %d bytes, must be at least 8", (int)e->type,
			(int)e->size);
	e->payload_bytes = (size_t)e->size - 8;
	uint64_t grass_cells = mw_smf_cells(r->smf->mapx, r->smf->mapy, MW_SMF_GRASS);
	if (e->payload_bytes > grass_cells && r->long_extras++ == 0)
		code = mw_smf_report(r->cx, r->found, MW_SMF_ERROR, "extra-header-size",
			MW_SMF_HEADER, offset,
			"extra header of type %d has %d bytes; past %llu the map lister overruns "
			"the "
			"buffer it made for the grass map",
			(int)e->type, (int)e->size, (unsigned long long)grass_cells + 8);
	if (code)
		return code;
	const uint8_t *payload = mw_rd_bytes(&rd, e->payload_bytes, "extra header.payload");
	if (mw_rd_code(&rd))
		return broken(r, MW_SMF_HEADER, &child);
	*at = rd.at;
	uint8_t *copy = mw_arena_alloc(&r->smf->mem, e->payload_bytes + 1);
	if (!copy)
		return MW_ENOMEM;
	memcpy(copy, payload, e->payload_bytes);
	e->payload = copy;
	return MW_OK;
}

static mw_code read_extras(reader *r, int32_t declared)
{
	mw_ctx *cx = r->cx;
	mw_smf *smf = r->smf;
	mw_code code = MW_OK;
	size_t at = MW_SMF_HEADER_BYTES;
	if (declared < 0)
		code = mw_smf_report(cx, r->found, MW_SMF_WARNING, "extra-header-count",
			MW_SMF_HEADER, 76, "number of extra headers is %d; read as none",
			(int)declared);
	size_t count = declared > 0 ? (size_t)declared : 0;
	if (count > (r->n - at) / 8) {
		code = mw_smf_report(cx, r->found, MW_SMF_ERROR, "extra-header-count",
			MW_SMF_HEADER, 76,
			"%zu extra headers of at least 8 bytes, file has %zu left", count,
			r->n - at);
		count = (r->n - at) / 8;
	}
	MW_ARRAY(mw_smf_extra) extras = {0};
	for (size_t i = 0; i < count && !code; i++) {
		mw_smf_extra e;
		size_t before = at;
		code = read_extra(r, &at, &e);
		if (!code && at == before)
			break;
		if (!code && !MW_PUSH(cx, &extras, e))
			code = MW_ENOMEM;
	}
	if (!code && extras.n > 0) {
		mw_smf_extra *copy = mw_arena_alloc(&smf->mem, extras.n * sizeof *copy);
		if (copy) {
			memcpy(copy, extras.v, extras.n * sizeof *copy);
			smf->extras = copy;
			smf->num_extras = extras.n;
		} else {
			code = MW_ENOMEM;
		}
	}
	mw_free(cx, extras.v);
	add_span(r, MW_SMF_HEADER, 0, at);
	return code;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static mw_code read_heights(reader *r)
{
	const uint8_t *p;
	uint64_t cells = mw_smf_cells(r->smf->mapx, r->smf->mapy, MW_SMF_HEIGHT);
	mw_code code = find_block(r, MW_SMF_HEIGHT, cells * 2, &p);
	if (code || !p)
		return code;
	uint16_t *heights = mw_arena_alloc(&r->smf->mem, (size_t)cells * sizeof *heights);
	if (!heights)
		return MW_ENOMEM;
	mw_rd rd;
	mw_rd_init(&rd, r->cx, p, (size_t)cells * 2);
	mw_rd_u16v(&rd, heights, (size_t)cells, "height map");
	r->smf->heights = heights;
	return mw_rd_code(&rd);
}

static mw_code read_bytes(reader *r, mw_smf_block block, uint64_t size, const uint8_t **out)
{
	const uint8_t *p;
	mw_code code = find_block(r, block, size, &p);
	if (code || !p)
		return code;
	uint8_t *copy = mw_arena_alloc(&r->smf->mem, (size_t)size);
	if (!copy)
		return MW_ENOMEM;
	if (size)
		memcpy(copy, p, (size_t)size);
	*out = copy;
	return MW_OK;
}

static mw_code read_tiles(reader *r)
{
	mw_ctx child;
	mw_smf *smf = r->smf;
	mw_rd rd = block_reader(r, &child, MW_SMF_TILES);
	int32_t num_files = mw_rd_i32(&rd, "number of tile files");
	int32_t num_tiles = mw_rd_i32(&rd, "number of tiles");
	if (!mw_rd_code(&rd) && (num_files < 0 || (size_t)num_files > mw_rd_left(&rd) / 5))
		mw_rd_fail(&rd, MW_EFORMAT, "%d tile files of at least 5 bytes, %zu bytes are left",
			(int)num_files, mw_rd_left(&rd));
	if (mw_rd_code(&rd))
		return broken(r, MW_SMF_TILES, &child);

	mw_smf_tile_file *files = mw_arena_alloc(&smf->mem, (size_t)num_files * sizeof *files + 1);
	if (!files)
		return MW_ENOMEM;
	for (int32_t i = 0; i < num_files; i++) {
		size_t len = 0;
		files[i].count = mw_rd_i32(&rd, "tile file.count");
		const char *name = mw_rd_cstr(&rd, MW_SMF_TILE_NAME_MAX, &len, "tile file.name");
		if (mw_rd_code(&rd))
			return broken(r, MW_SMF_TILES, &child);
		files[i].name = mw_arena_strdup(&smf->mem, name, len);
		if (!files[i].name)
			return MW_ENOMEM;
	}
	smf->tile_files = files;
	smf->num_tile_files = (size_t)num_files;
	smf->num_tiles = num_tiles;

	uint64_t cells = mw_smf_cells(smf->mapx, smf->mapy, MW_SMF_TILES);
	if (cells > mw_rd_left(&rd) / 4) {
		mw_rd_fail(&rd, MW_EFORMAT, "needs %llu bytes at offset %zu",
			(unsigned long long)cells * 4, rd.at);
		return broken(r, MW_SMF_TILES, &child);
	}
	int32_t *index = mw_arena_alloc(&smf->mem, (size_t)cells * sizeof *index);
	if (!index)
		return MW_ENOMEM;
	mw_rd_i32v(&rd, index, (size_t)cells, "tile index");
	if (mw_rd_code(&rd))
		return broken(r, MW_SMF_TILES, &child);
	smf->tile_index = index;
	add_span(r, MW_SMF_TILES, (uint64_t)r->pointer[MW_SMF_TILES],
		rd.at - (uint64_t)r->pointer[MW_SMF_TILES]);
	return MW_OK;
}

static mw_code read_features(reader *r)
{
	mw_ctx child;
	mw_smf *smf = r->smf;
	mw_rd rd = block_reader(r, &child, MW_SMF_FEATURES);
	int32_t num_types = mw_rd_i32(&rd, "number of feature types");
	int32_t num_features = mw_rd_i32(&rd, "number of features");
	if (!mw_rd_code(&rd) && (num_types < 0 || (size_t)num_types > mw_rd_left(&rd)))
		mw_rd_fail(&rd, MW_EFORMAT, "%d feature types, %zu bytes are left", (int)num_types,
			mw_rd_left(&rd));
	if (mw_rd_code(&rd))
		return broken(r, MW_SMF_FEATURES, &child);

	const char **types = mw_arena_alloc(&smf->mem, (size_t)num_types * sizeof *types + 1);
	if (!types)
		return MW_ENOMEM;
	for (int32_t i = 0; i < num_types; i++) {
		size_t len = 0;
		const char *name = mw_rd_cstr(&rd, 255, &len, "feature type name");
		if (mw_rd_code(&rd))
			return broken(r, MW_SMF_FEATURES, &child);
		types[i] = mw_arena_strdup(&smf->mem, name, len);
		if (!types[i])
			return MW_ENOMEM;
	}
	if (num_features < 0 || (size_t)num_features > mw_rd_left(&rd) / MW_SMF_FEATURE_BYTES) {
		mw_rd_fail(&rd, MW_EFORMAT, "%d features of 24 bytes at offset %zu",
			(int)num_features, rd.at);
		return broken(r, MW_SMF_FEATURES, &child);
	}
	smf->feature_types = types;
	smf->num_feature_types = (size_t)num_types;

	mw_smf_feature *features =
		mw_arena_alloc(&smf->mem, (size_t)num_features * sizeof *features + 1);
	if (!features)
		return MW_ENOMEM;
	for (int32_t i = 0; i < num_features; i++) {
		mw_smf_feature *f = &features[i];
		f->type = mw_rd_i32(&rd, "feature.type");
		f->x = mw_rd_f32(&rd, "feature.x");
		f->y = mw_rd_f32(&rd, "feature.y");
		f->z = mw_rd_f32(&rd, "feature.z");
		f->rotation = mw_rd_f32(&rd, "feature.rotation");
		f->relative_size = mw_rd_f32(&rd, "feature.relativeSize");
	}
	if (mw_rd_code(&rd))
		return broken(r, MW_SMF_FEATURES, &child);
	smf->features = features;
	smf->num_features = (size_t)num_features;
	add_span(r, MW_SMF_FEATURES, (uint64_t)r->pointer[MW_SMF_FEATURES],
		rd.at - (uint64_t)r->pointer[MW_SMF_FEATURES]);
	return MW_OK;
}

/* ---- where everything lies ------------------------------------------------------------------- */

static void sort_spans(mw_smf_span *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		mw_smf_span s = v[i];
		size_t j = i;
		for (; j > 0 &&
			(v[j - 1].offset > s.offset ||
				(v[j - 1].offset == s.offset && v[j - 1].block > s.block));
			j--)
			v[j] = v[j - 1];
		v[j] = s;
	}
}

/* Writers differ in how many of the last minimap levels they store: 4x4, 2x2 or 1x1. The engine
 * reads the first nine; what more there is shows as exactly one or two blocks before the next. */
static void grow_minimap(reader *r, size_t i)
{
	uint64_t end = r->spans[i].offset + r->spans[i].size;
	uint64_t next = i + 1 < r->num_spans ? r->spans[i + 1].offset : r->n;
	if (next == end + 8 || next == end + 16) {
		r->smf->minimap_bytes = (size_t)(next - r->spans[i].offset);
		r->spans[i].size = r->smf->minimap_bytes;
	}
}

static mw_code lay_out(reader *r)
{
	mw_smf *smf = r->smf;
	sort_spans(r->spans, r->num_spans);
	uint64_t end = 0;
	mw_smf_block last = MW_SMF_HEADER;
	for (size_t i = 0; i <= r->num_spans; i++) {
		uint64_t at = i < r->num_spans ? r->spans[i].offset : r->n;
		if (at > end) {
			uint8_t *copy = mw_arena_alloc(&smf->mem, (size_t)(at - end));
			if (!copy)
				return MW_ENOMEM;
			memcpy(copy, r->p + end, (size_t)(at - end));
			smf->spans[smf->num_spans++] = (mw_smf_span){.block = MW_SMF_GAP,
				.offset = end,
				.size = at - end,
				.bytes = copy};
		}
		if (i == r->num_spans)
			break;
		mw_smf_span *s = &r->spans[i];
		if (s->block == MW_SMF_MINIMAP)
			grow_minimap(r, i);
		if (at < end && s->size > 0) {
			mw_code code = mw_smf_report(r->cx, r->found, MW_SMF_ERROR,
				"smf-block-overlap", s->block, (int64_t)at,
				"begins inside the %s, which ends at offset %llu",
				mw_smf_block_title(last), (unsigned long long)end);
			if (code)
				return code;
		}
		if (at + s->size > end) {
			end = at + s->size;
			last = s->block;
		}
		smf->spans[smf->num_spans++] = *s;
	}
	return MW_OK;
}

/* The minimap is read before its size is known; take the copy again when it grew. */
static mw_code read_minimap_tail(reader *r)
{
	mw_smf *smf = r->smf;
	if (!smf->minimap || smf->minimap_bytes == MW_SMF_MINIMAP_BYTES)
		return MW_OK;
	uint8_t *copy = mw_arena_alloc(&smf->mem, smf->minimap_bytes);
	if (!copy)
		return MW_ENOMEM;
	memcpy(copy, r->p + r->pointer[MW_SMF_MINIMAP], smf->minimap_bytes);
	smf->minimap = copy;
	return MW_OK;
}

static mw_code read_all(reader *r)
{
	mw_smf *smf = r->smf;
	int32_t num_extras = 0;
	uint64_t cells = 0;
	mw_code code = read_header(r, &num_extras);
	if (code)
		return code;
	smf->file_bytes = r->n;
	code = read_extras(r, num_extras);
	if (!code)
		code = read_heights(r);
	if (!code) {
		cells = mw_smf_cells(smf->mapx, smf->mapy, MW_SMF_TYPE);
		code = read_bytes(r, MW_SMF_TYPE, cells, &smf->types);
	}
	if (!code)
		code = read_bytes(r, MW_SMF_MINIMAP, MW_SMF_MINIMAP_BYTES, &smf->minimap);
	if (!code) {
		smf->minimap_bytes = smf->minimap ? MW_SMF_MINIMAP_BYTES : 0;
		code = read_bytes(r, MW_SMF_METAL, cells, &smf->metal);
	}
	if (!code && r->grass_headers > 0) {
		cells = mw_smf_cells(smf->mapx, smf->mapy, MW_SMF_GRASS);
		code = read_bytes(r, MW_SMF_GRASS, cells, &smf->grass);
	}
	if (!code)
		code = read_tiles(r);
	if (!code)
		code = read_features(r);
	if (!code)
		code = lay_out(r);
	if (!code)
		code = read_minimap_tail(r);
	return code;
}

mw_code mw_smf_read(mw_ctx *cx, mw_smf *out, mw_smf_findings *found, const uint8_t *bytes, size_t n)
{
	mw_smf_findings own = {0};
	reader r = {.cx = cx, .smf = out, .found = found ? found : &own, .p = bytes, .n = n};
	mw_code code = read_all(&r);
	if (!code)
		code = mw_smf_check(cx, out, r.found);
	if (!code && !found)
		code = mw_smf_refuse(cx, &own);
	mw_free(cx, own.v);
	return code;
}

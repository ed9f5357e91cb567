/* core.smf and core.smt: positional, for lua/mapwright/format/smf.lua and the BAR target. */
#include "format/smf/smf.h"

#include "base/rd.h"
#include "base/str.h"
#include "bind/lx.h"
#include "bind/modules.h"

#include <math.h>
#include <string.h>

static void free_smf(mw_ctx *cx, void *payload)
{
	MW_UNUSED(cx);
	mw_smf_free(payload);
}

static const mw_lx_type smf_type = {"mapwright.smf", free_smf};

static void free_findings(mw_ctx *cx, void *payload)
{
	mw_smf_findings *found = payload;

	mw_free(cx, found->v);
	found->v = NULL;
	found->n = found->cap = 0;
}

static const mw_lx_type findings_type = {"mapwright.smf_findings", free_findings};

static void free_writer(mw_ctx *cx, void *payload)
{
	mw_wr *w = payload;

	MW_UNUSED(cx);
	if (w->cx)
		mw_wr_free(w);
}

static const mw_lx_type writer_type = {"mapwright.smf_writer", free_writer};

static mw_smf *new_smf(lua_State *L)
{
	mw_smf *smf = mw_lx_new(L, &smf_type, sizeof *smf);

	mw_smf_init(smf, mw_lx_ctx(L));
	return smf;
}

static void set_int(lua_State *L, const char *key, int64_t v)
{
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

static void set_num(lua_State *L, const char *key, double v)
{
	lua_pushnumber(L, v);
	lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *text)
{
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

/* Rows {level, rule, block, message, offset?}. */
static void push_findings(lua_State *L, const mw_smf_findings *found)
{
	lua_createtable(L, (int)found->n, 0);
	for (size_t i = 0; i < found->n; i++) {
		const mw_smf_finding *f = &found->v[i];

		lua_createtable(L, 0, 5);
		set_text(L, "level", mw_smf_level_name(f->level));
		set_text(L, "rule", f->rule);
		set_text(L, "block", mw_smf_block_name(f->block));
		lua_pushfstring(L, "%s: %s", mw_smf_block_title(f->block), f->msg);
		lua_setfield(L, -2, "message");
		if (f->offset != MW_ERR_NOWHERE)
			set_int(L, "offset", f->offset);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* read(bytes, label) -> smf, findings. Raises when the header is none; blocks that cannot be read
 * are absent. */
static int l_read(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	const char *label = mw_lx_str(L, 2, "label").p;
	mw_ctx *cx = mw_lx_ctx(L);
	mw_smf_findings *found = mw_lx_new(L, &findings_type, sizeof *found);
	mw_smf *smf = new_smf(L);

	if (mw_smf_read(cx, smf, found, (const uint8_t *)bytes.p, bytes.n)) {
		mw_note(cx, "%s", label);
		return mw_lx_raise(L);
	}
	push_findings(L, found);
	return 2;
}

/* ---- what a model holds ---------------------------------------------------------------------- */

static mw_smf *arg_smf(lua_State *L)
{
	return mw_lx_arg(L, 1, &smf_type);
}

/* smf:info() -> {mapx, mapy, map_id, min_height, max_height, num_tiles, minimap_bytes, file_bytes}
 */
static int l_smf_info(lua_State *L)
{
	const mw_smf *s = arg_smf(L);

	lua_createtable(L, 0, 8);
	set_int(L, "mapx", s->mapx);
	set_int(L, "mapy", s->mapy);
	set_int(L, "map_id", s->map_id);
	set_num(L, "min_height", (double)s->min_height);
	set_num(L, "max_height", (double)s->max_height);
	set_int(L, "num_tiles", s->num_tiles);
	set_int(L, "minimap_bytes", (int64_t)s->minimap_bytes);
	set_int(L, "file_bytes", (int64_t)s->file_bytes);
	return 1;
}

/* smf:tiles_used() -> number of tiles the index names */
static int l_smf_tiles_used(lua_State *L)
{
	uint32_t used;

	mw_lx_check(L, mw_smf_tiles_used(mw_lx_ctx(L), &used, arg_smf(L)));
	lua_pushinteger(L, used);
	return 1;
}

/* smf:spans() -> {block, offset, size} rows as the file had them, "gap" among them */
static int l_smf_spans(lua_State *L)
{
	const mw_smf *s = arg_smf(L);

	lua_createtable(L, (int)s->num_spans, 0);
	for (size_t i = 0; i < s->num_spans; i++) {
		lua_createtable(L, 0, 3);
		set_text(L, "block", mw_smf_block_name(s->spans[i].block));
		set_int(L, "offset", (int64_t)s->spans[i].offset);
		set_int(L, "size", (int64_t)s->spans[i].size);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* smf:extras() -> {size, type, payload?} rows */
static int l_smf_extras(lua_State *L)
{
	const mw_smf *s = arg_smf(L);

	lua_createtable(L, (int)s->num_extras, 0);
	for (size_t i = 0; i < s->num_extras; i++) {
		const mw_smf_extra *e = &s->extras[i];

		lua_createtable(L, 0, 3);
		set_int(L, "size", e->size);
		set_int(L, "type", e->type);
		if (e->payload) {
			lua_pushlstring(L, (const char *)e->payload, e->payload_bytes);
			lua_setfield(L, -2, "payload");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* smf:tile_files() -> {name, count} rows */
static int l_smf_tile_files(lua_State *L)
{
	const mw_smf *s = arg_smf(L);

	lua_createtable(L, (int)s->num_tile_files, 0);
	for (size_t i = 0; i < s->num_tile_files; i++) {
		lua_createtable(L, 0, 2);
		set_text(L, "name", s->tile_files[i].name);
		set_int(L, "count", s->tile_files[i].count);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* smf:feature_types() -> names */
static int l_smf_feature_types(lua_State *L)
{
	const mw_smf *s = arg_smf(L);

	lua_createtable(L, (int)s->num_feature_types, 0);
	for (size_t i = 0; i < s->num_feature_types; i++) {
		lua_pushstring(L, s->feature_types[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* smf:features() -> {type (0-based, as stored), name?, x, y, z, rotation, relative_size} rows */
static int l_smf_features(lua_State *L)
{
	const mw_smf *s = arg_smf(L);

	lua_createtable(L, (int)s->num_features, 0);
	for (size_t i = 0; i < s->num_features; i++) {
		const mw_smf_feature *f = &s->features[i];

		lua_createtable(L, 0, 7);
		set_int(L, "type", f->type);
		if (f->type >= 0 && (size_t)f->type < s->num_feature_types)
			set_text(L, "name", s->feature_types[f->type]);
		set_num(L, "x", (double)f->x);
		set_num(L, "y", (double)f->y);
		set_num(L, "z", (double)f->z);
		set_num(L, "rotation", (double)f->rotation);
		set_num(L, "relative_size", (double)f->relative_size);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static const char *const grid_names[] = {
	"height", "type", "minimap", "metal", "grass", "tiles"}; /* MW_SMF_HEIGHT on */

/* smf:grid(block) -> little-endian bytes, width, depth; nil when the map has none.
 * height u16, tiles i32, the others u8; the minimap is DXT1 and has no width. */
static int l_smf_grid(lua_State *L)
{
	const mw_smf *s = arg_smf(L);
	mw_smf_block block = (mw_smf_block)(mw_lx_enum(L, 2, "block", grid_names, 6) + 1);
	size_t n = (size_t)mw_smf_cells(s->mapx, s->mapy, block);
	const uint8_t *bytes = NULL;
	int32_t part = block == MW_SMF_GRASS || block == MW_SMF_TILES ? 4 : 2;

	if (block == MW_SMF_TYPE)
		bytes = s->types;
	else if (block == MW_SMF_METAL)
		bytes = s->metal;
	else if (block == MW_SMF_GRASS)
		bytes = s->grass;
	else if (block == MW_SMF_MINIMAP)
		bytes = s->minimap, n = s->minimap_bytes;
	if (bytes) {
		lua_pushlstring(L, (const char *)bytes, n);
		if (block == MW_SMF_MINIMAP)
			return 1;
	} else if ((block == MW_SMF_HEIGHT && s->heights) ||
		(block == MW_SMF_TILES && s->tile_index)) {
		mw_wr *w = mw_lx_new(L, &writer_type, sizeof *w);

		mw_wr_init(w, mw_lx_ctx(L));
		if (block == MW_SMF_HEIGHT)
			mw_wr_u16v(w, s->heights, n);
		else
			mw_wr_i32v(w, s->tile_index, n);
		mw_lx_check(L, mw_wr_code(w));
		lua_pushlstring(L, (const char *)w->p, w->n);
		free_writer(mw_lx_ctx(L), w);
	} else {
		return 0;
	}
	lua_pushinteger(L, block == MW_SMF_HEIGHT ? s->mapx + 1 : s->mapx / part);
	lua_pushinteger(L, block == MW_SMF_HEIGHT ? s->mapy + 1 : s->mapy / part);
	return 3;
}

/* smf:stats(block) -> {min, max, distinct, nonzero, sum} of a grid; nil when the map has none */
static int l_smf_stats(lua_State *L)
{
	const mw_smf *s = arg_smf(L);
	mw_smf_block block = (mw_smf_block)(mw_lx_enum(L, 2, "block", grid_names, 6) + 1);
	size_t n = (size_t)mw_smf_cells(s->mapx, s->mapy, block), distinct = 0, nonzero = 0;
	const uint8_t *bytes = block == MW_SMF_TYPE ? s->types
		: block == MW_SMF_METAL             ? s->metal
		: block == MW_SMF_GRASS             ? s->grass
						    : NULL;
	uint64_t seen[65536 / 64] = {0}, sum = 0;
	uint32_t min = UINT32_MAX, max = 0;

	if (n == 0 || (!bytes && !(block == MW_SMF_HEIGHT && s->heights)))
		return 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t v = bytes ? bytes[i] : s->heights[i];

		distinct += !(seen[v >> 6] >> (v & 63) & 1);
		seen[v >> 6] |= (uint64_t)1 << (v & 63);
		nonzero += v != 0;
		sum += v;
		min = v < min ? v : min;
		max = v > max ? v : max;
	}
	lua_createtable(L, 0, 5);
	set_int(L, "min", min);
	set_int(L, "max", max);
	set_int(L, "distinct", (int64_t)distinct);
	set_int(L, "nonzero", (int64_t)nonzero);
	set_int(L, "sum", (int64_t)sum);
	return 1;
}

/* smf:ground_at(x, z) -> height in elmos as the engine interpolates it; nil without heights */
static int l_smf_ground_at(lua_State *L)
{
	const mw_smf *s = arg_smf(L);

	if (!s->heights)
		return 0;
	lua_pushnumber(L,
		(double)mw_smf_ground_at(
			s, (float)mw_lx_num(L, 2, "x"), (float)mw_lx_num(L, 3, "z")));
	return 1;
}

/* smf:write(keep_layout, derive_id) -> bytes */
static int l_smf_write(lua_State *L)
{
	const mw_smf *s = arg_smf(L);
	const mw_smf_write_opts opts = {
		.keep_layout = mw_lx_bool(L, 2), .derive_id = mw_lx_bool(L, 3)};
	mw_wr *w = mw_lx_new(L, &writer_type, sizeof *w);

	mw_wr_init(w, mw_lx_ctx(L));
	mw_lx_check(L, mw_smf_write(mw_lx_ctx(L), w, s, &opts));
	lua_pushlstring(L, (const char *)w->p, w->n);
	free_writer(mw_lx_ctx(L), w);
	return 1;
}

/* ---- from a level ---------------------------------------------------------------------------- */

/* check_size(mapx, mapy, force): raises for a size the engine cannot take */
static int l_check_size(lua_State *L)
{
	int64_t mapx = mw_lx_int(L, 1, "width", INT64_MIN, INT64_MAX);
	int64_t mapy = mw_lx_int(L, 2, "depth", INT64_MIN, INT64_MAX);

	mw_lx_check(L, mw_smf_check_size(mw_lx_ctx(L), mapx, mapy, mw_lx_bool(L, 3)));
	return 0;
}

/* The bytes of field key of the table at 1, which must be exactly n; NULL when absent. They live in
 * the model. */
static const uint8_t *level_grid(lua_State *L, mw_smf *smf, const char *key, uint64_t n)
{
	uint8_t *copy = NULL;

	if (lua_getfield(L, 1, key) != LUA_TNIL) {
		mw_sv bytes = mw_lx_str(L, -1, key);

		if (bytes.n != n)
			mw_lx_bad(L, -1, key, "has %d bytes, this map needs %d", (int)bytes.n,
				(int)n);
		copy = mw_arena_alloc(&smf->mem, bytes.n + 1);
		if (!copy)
			mw_lx_raise(L);
		memcpy(copy, bytes.p, bytes.n);
	}
	lua_pop(L, 1);
	return copy;
}

static void *level_alloc(lua_State *L, mw_smf *smf, size_t n, size_t size)
{
	void *p = mw_arena_zalloc(&smf->mem, n * size + 1);

	if (!p)
		mw_lx_raise(L);
	return p;
}

static const char *level_text(lua_State *L, mw_smf *smf, const char *key)
{
	lua_getfield(L, -1, key);
	mw_sv text = mw_lx_str(L, -1, key);
	if (memchr(text.p, 0, text.n))
		mw_lx_bad(L, -1, key, "must not hold a zero byte");
	char *copy = mw_arena_strdup(&smf->mem, text.p, text.n);
	if (!copy)
		mw_lx_raise(L);
	lua_pop(L, 1);
	return copy;
}

static double level_num(lua_State *L, const char *key, double absent)
{
	double v = absent;

	/* what is no number is refused further down, with the feature's name */
	if (lua_getfield(L, -1, key) != LUA_TNIL)
		v = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : mw_lx_num(L, -1, key);
	lua_pop(L, 1);
	return v;
}

static void level_tile_files(lua_State *L, mw_smf *smf, mw_smf_level_desc *level)
{
	lua_getfield(L, 1, "tile_files");
	luaL_checktype(L, -1, LUA_TTABLE);
	level->num_tile_files = (size_t)lua_rawlen(L, -1);
	mw_smf_tile_file *files = level_alloc(L, smf, level->num_tile_files, sizeof *files);
	for (size_t i = 0; i < level->num_tile_files; i++) {
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		files[i].name = level_text(L, smf, "name");
		lua_getfield(L, -1, "count");
		files[i].count = (int32_t)mw_lx_int(L, -1, "count", 0, INT32_MAX);
		lua_pop(L, 2);
	}
	level->tile_files = files;
	lua_pop(L, 1);
}

static void level_features(lua_State *L, mw_smf *smf, mw_smf_level_desc *level)
{
	if (lua_getfield(L, 1, "features") != LUA_TNIL) {
		luaL_checktype(L, -1, LUA_TTABLE);
		level->num_features = (size_t)lua_rawlen(L, -1);
		mw_smf_placement *f = level_alloc(L, smf, level->num_features, sizeof *f);
		for (size_t i = 0; i < level->num_features; i++) {
			lua_rawgeti(L, -1, (lua_Integer)i + 1);
			f[i].name = level_text(L, smf, "name");
			f[i].x = (float)level_num(L, "x", (double)NAN);
			f[i].y = (float)level_num(L, "y", (double)NAN);
			f[i].z = (float)level_num(L, "z", (double)NAN);
			f[i].heading = (float)level_num(L, "heading", 0.0);
			lua_pop(L, 1);
		}
		level->features = f;
	}
	lua_pop(L, 1);
}

/* from_level{mapx, mapy, min_height, max_height, heights, types?, metal?, grass?, minimap?,
 * tile_files, tile_index, features?, builtin_types?, force_size?} -> smf.
 * Grids are little-endian bytes: heights u16, tile_index i32, the others u8. tile_files are {name,
 * count} rows, features {name, x, z, y?, heading?} rows. Warnings go to the log. */
static int l_from_level(lua_State *L)
{
	mw_smf_level_desc level = {0};

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	mw_smf *smf = new_smf(L);
	lua_pushvalue(L, 1);
	lua_getfield(L, 1, "force_size");
	level.force_size = mw_lx_bool(L, -1);
	lua_getfield(L, 1, "builtin_types");
	level.builtin_types = mw_lx_bool(L, -1);
	lua_getfield(L, 1, "mapx");
	level.mapx = (int32_t)mw_lx_int(L, -1, "mapx", INT32_MIN, INT32_MAX);
	lua_getfield(L, 1, "mapy");
	level.mapy = (int32_t)mw_lx_int(L, -1, "mapy", INT32_MIN, INT32_MAX);
	lua_pop(L, 4);
	mw_lx_check(L, mw_smf_check_size(mw_lx_ctx(L), level.mapx, level.mapy, level.force_size));
	level.min_height = (float)level_num(L, "min_height", 0.0);
	level.max_height = (float)level_num(L, "max_height", 0.0);

	uint64_t vertices = mw_smf_cells(level.mapx, level.mapy, MW_SMF_HEIGHT);
	uint64_t cells = mw_smf_cells(level.mapx, level.mapy, MW_SMF_TYPE);
	uint64_t tiles = mw_smf_cells(level.mapx, level.mapy, MW_SMF_TILES);
	level.types = level_grid(L, smf, "types", cells);
	level.metal = level_grid(L, smf, "metal", cells);
	level.grass = level_grid(L, smf, "grass", tiles);
	level.minimap = level_grid(L, smf, "minimap", MW_SMF_MINIMAP_BYTES);
	const uint8_t *heights = level_grid(L, smf, "heights", vertices * 2);
	const uint8_t *index = level_grid(L, smf, "tile_index", tiles * 4);
	mw_rd rd;
	if (heights) {
		uint16_t *v = level_alloc(L, smf, (size_t)vertices, sizeof *v);

		mw_rd_init(&rd, mw_lx_ctx(L), heights, (size_t)vertices * 2);
		mw_rd_u16v(&rd, v, (size_t)vertices, "heights");
		level.heights = v;
	}
	if (index) {
		int32_t *v = level_alloc(L, smf, (size_t)tiles, sizeof *v);

		mw_rd_init(&rd, mw_lx_ctx(L), index, (size_t)tiles * 4);
		mw_rd_i32v(&rd, v, (size_t)tiles, "tile_index");
		level.tile_index = v;
	}
	level_tile_files(L, smf, &level);
	level_features(L, smf, &level);
	mw_lx_check(L, mw_smf_from_level(mw_lx_ctx(L), smf, &level));
	lua_settop(L, 2);
	return 1;
}

/* wrap_heading(h) -> h in -32768 <= h < 32768 */
static int l_wrap_heading(lua_State *L)
{
	lua_pushnumber(L, (double)mw_smf_wrap_heading((float)mw_lx_num(L, 1, "heading")));
	return 1;
}

/* height_of(min_height, max_height, value) -> height in elmos of a stored value */
static int l_height_of(lua_State *L)
{
	lua_pushnumber(L,
		(double)mw_smf_height_of((float)mw_lx_num(L, 1, "min_height"),
			(float)mw_lx_num(L, 2, "max_height"),
			(uint16_t)mw_lx_int(L, 3, "value", 0, 65535)));
	return 1;
}

int mw_luaopen_smf(lua_State *L)
{
	static const luaL_Reg methods[] = {{"info", l_smf_info}, {"tiles_used", l_smf_tiles_used},
		{"spans", l_smf_spans}, {"extras", l_smf_extras}, {"tile_files", l_smf_tile_files},
		{"feature_types", l_smf_feature_types}, {"features", l_smf_features},
		{"grid", l_smf_grid}, {"stats", l_smf_stats}, {"ground_at", l_smf_ground_at},
		{"write", l_smf_write}, {NULL, NULL}};
	static const luaL_Reg functions[] = {{"read", l_read}, {"check_size", l_check_size},
		{"from_level", l_from_level}, {"wrap_heading", l_wrap_heading},
		{"height_of", l_height_of}, {NULL, NULL}};

	mw_lx_type_define(L, &smf_type, methods);
	mw_lx_type_define(L, &findings_type, NULL);
	mw_lx_type_define(L, &writer_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

/* ---- tile files ------------------------------------------------------------------------------ */

/* smt.read(bytes, label) -> {declared, count, present, trailing}, findings */
static int l_smt_read(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	const char *label = mw_lx_str(L, 2, "label").p;
	mw_ctx *cx = mw_lx_ctx(L);
	mw_smf_findings *found = mw_lx_new(L, &findings_type, sizeof *found);
	mw_smt smt;

	if (mw_smt_read(cx, &smt, found, (const uint8_t *)bytes.p, bytes.n)) {
		mw_note(cx, "%s", label);
		return mw_lx_raise(L);
	}
	lua_createtable(L, 0, 4);
	set_int(L, "declared", smt.declared);
	set_int(L, "count", smt.count);
	set_int(L, "present", smt.present);
	set_int(L, "trailing", (int64_t)smt.trailing);
	push_findings(L, found);
	return 2;
}

/* smt.header(count) -> the 32 bytes in front of that many tiles */
static int l_smt_header(lua_State *L)
{
	uint8_t header[MW_SMT_HEADER_BYTES];

	mw_smt_header(header, (uint32_t)mw_lx_int(L, 1, "count", 0, INT32_MAX));
	lua_pushlstring(L, (const char *)header, sizeof header);
	return 1;
}

/* smt.write(tiles) -> bytes of a tile file; tiles are 680 bytes each */
static int l_smt_write(lua_State *L)
{
	mw_sv tiles = mw_lx_str(L, 1, "tiles");
	mw_wr *w;

	if (tiles.n % MW_SMT_TILE_BYTES || tiles.n / MW_SMT_TILE_BYTES > INT32_MAX)
		return mw_lx_bad(L, 1, "tiles", "%d bytes are no whole number of 680 byte tiles",
			(int)tiles.n);
	w = mw_lx_new(L, &writer_type, sizeof *w);
	mw_wr_init(w, mw_lx_ctx(L));
	mw_lx_check(L,
		mw_smt_write(mw_lx_ctx(L), w, (const uint8_t *)tiles.p,
			(uint32_t)(tiles.n / MW_SMT_TILE_BYTES)));
	lua_pushlstring(L, (const char *)w->p, w->n);
	free_writer(mw_lx_ctx(L), w);
	return 1;
}

int mw_luaopen_smt(lua_State *L)
{
	static const luaL_Reg functions[] = {{"read", l_smt_read}, {"header", l_smt_header},
		{"write", l_smt_write}, {NULL, NULL}};

	mw_lx_type_define(L, &findings_type, NULL);
	mw_lx_type_define(L, &writer_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

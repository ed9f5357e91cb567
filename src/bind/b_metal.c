/* core.quantize and core.metal: fields to the bytes of a map, metal spots to bytes. */
#include "bind/b_field.h"

#include <string.h>

#include "base/mem.h"
#include "bind/modules.h"
#include "raster/metal.h"
#include "raster/quant.h"

static void set_number(lua_State *L, const char *key, double v)
{
	lua_pushnumber(L, v);
	lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, lua_Integer v)
{
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

/* {below, above, worst_below, worst_above, below_at = {i, j}, above_at = {i, j}} */
static void push_clip(lua_State *L, const mw_quant_clip *clip)
{
	lua_createtable(L, 0, 6);
	set_integer(L, "below", (lua_Integer)clip->below);
	set_integer(L, "above", (lua_Integer)clip->above);
	set_number(L, "worst_below", clip->worst_below);
	set_number(L, "worst_above", clip->worst_above);
	for (int k = 0; k < 2; k++) {
		if (k == 0 ? clip->below == 0 : clip->above == 0)
			continue;
		lua_createtable(L, 2, 0);
		lua_pushinteger(L, k == 0 ? clip->below_i : clip->above_i);
		lua_rawseti(L, -2, 1);
		lua_pushinteger(L, k == 0 ? clip->below_j : clip->above_j);
		lua_rawseti(L, -2, 2);
		lua_setfield(L, -2, k == 0 ? "below_at" : "above_at");
	}
}

/* u16(field, min, max) -> little-endian words, clip report */
static int l_u16(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	double min = mw_lx_num(L, 2, "min_height");
	double max = mw_lx_num(L, 3, "max_height");
	size_t n = mw_field_count(&f->f);
	mw_arena *a = mw_lx_arena(L);
	uint16_t *words = mw_arena_alloc(a, n * sizeof *words);
	mw_quant_clip clip;

	if (!words)
		mw_lx_raise(L);
	mw_lx_check(L, mw_quantize_u16(cx, words, &clip, &f->f, min, max));
	uint8_t *bytes = (uint8_t *)words;
	for (size_t k = 0; k < n; k++) {
		uint16_t v = words[k];
		bytes[2 * k] = (uint8_t)v;
		bytes[2 * k + 1] = (uint8_t)(v >> 8);
	}
	lua_pushlstring(L, (const char *)bytes, 2 * n);
	push_clip(L, &clip);
	mw_arena_free(a);
	return 2;
}

/* u8(field, min, max) -> bytes, clip report */
static int l_u8(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	double min = mw_lx_num(L, 2, "min");
	double max = mw_lx_num(L, 3, "max");
	size_t n = mw_field_count(&f->f);
	luaL_Buffer b;
	char *out = luaL_buffinitsize(L, &b, n);
	mw_quant_clip clip;

	mw_lx_check(L, mw_quantize_u8(mw_lx_ctx(L), (uint8_t *)out, &clip, &f->f, min, max));
	luaL_pushresultsize(&b, n);
	push_clip(L, &clip);
	return 2;
}

/* bytes(field, what) -> samples rounded to 0..255; raises naming the first sample that does not fit
 */
static int l_quantize_bytes(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	const char *what = luaL_checkstring(L, 2);
	size_t n = mw_field_count(&f->f);
	luaL_Buffer b;
	char *out = luaL_buffinitsize(L, &b, n);

	for (size_t k = 0; k < n; k++) {
		double v = (double)f->f.v[k];
		if (MW_UNLIKELY(!(v > -0.5 && v < 255.5))) {
			mw_lx_check(L,
				mw_fail(cx, MW_ERANGE,
					"%s: cell (%d, %d) holds %g, which is outside 0..255", what,
					(int)(k % (size_t)f->f.w), (int)(k / (size_t)f->f.w), v));
		}
		out[k] = (char)(uint8_t)(v + 0.5);
	}
	luaL_pushresultsize(&b, n);
	return 1;
}

/* decode_u16(bytes, w, h, min, max, x0, z0, step) -> field of heights as the engine has them */
static int l_decode_u16(lua_State *L)
{
	mw_sv s = mw_lx_str(L, 1, "bytes");
	int32_t w = (int32_t)mw_lx_int(L, 2, "w", 1, MW_FIELD_SIDE_MAX);
	int32_t h = (int32_t)mw_lx_int(L, 3, "h", 1, MW_FIELD_SIDE_MAX);
	float min = (float)mw_lx_num(L, 4, "min_height");
	float max = (float)mw_lx_num(L, 5, "max_height");
	mw_grid grid = {
		mw_lx_num(L, 6, "x"), mw_lx_num(L, 7, "z"), mw_lx_num_in(L, 8, "step", 1e-6, 1e9)};
	size_t n = (size_t)w * (size_t)h;

	if (s.n != 2 * n)
		mw_lx_bad(L, 1, "bytes", "%zu bytes, %d x %d words need %zu", s.n, (int)w, (int)h,
			2 * n);
	mw_lx_field *f = mw_lx_field_new(L, w, h, grid, 0);
	uint16_t row[256];
	for (size_t k = 0; k < n; k += MW_COUNTOF(row)) {
		size_t m = n - k < MW_COUNTOF(row) ? n - k : MW_COUNTOF(row);
		for (size_t i = 0; i < m; i++)
			row[i] = (uint16_t)((uint8_t)s.p[2 * (k + i)] |
				(uint8_t)s.p[2 * (k + i) + 1] << 8);
		mw_dequantize_u16(f->f.v + k, row, m, min, max);
	}
	return 1;
}

/* decode_u8(bytes, w, h, x0, z0, step) -> field of the bytes as they are */
static int l_decode_u8(lua_State *L)
{
	mw_sv s = mw_lx_str(L, 1, "bytes");
	int32_t w = (int32_t)mw_lx_int(L, 2, "w", 1, MW_FIELD_SIDE_MAX);
	int32_t h = (int32_t)mw_lx_int(L, 3, "h", 1, MW_FIELD_SIDE_MAX);
	mw_grid grid = {
		mw_lx_num(L, 4, "x"), mw_lx_num(L, 5, "z"), mw_lx_num_in(L, 6, "step", 1e-6, 1e9)};
	size_t n = (size_t)w * (size_t)h;

	if (s.n != n)
		mw_lx_bad(
			L, 1, "bytes", "%zu bytes, %d x %d cells need %zu", s.n, (int)w, (int)h, n);
	mw_lx_field *f = mw_lx_field_new(L, w, h, grid, 0);
	for (size_t k = 0; k < n; k++)
		f->f.v[k] = (float)(uint8_t)s.p[k];
	return 1;
}

int mw_luaopen_quantize(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"u16", l_u16},
		{"u8", l_u8},
		{"bytes", l_quantize_bytes},
		{"decode_u8", l_decode_u8},
		{"decode_u16", l_decode_u16},
		{NULL, NULL},
	};
	luaL_newlib(L, functions);
	return 1;
}

/* An overlap list from the core, owned by Lua. */
static void free_overlaps(mw_ctx *cx, void *payload)
{
	mw_metal_overlap **list = payload;
	mw_free(cx, *list);
	*list = NULL;
}

static const mw_lx_type overlaps_type = {"mapwright.overlaps", free_overlaps};

static double number_field(lua_State *L, int idx, const char *key)
{
	lua_getfield(L, idx, key);
	double v = mw_lx_num(L, -1, key);
	lua_pop(L, 1);
	return v;
}

static mw_metal_spot *spots_arg(lua_State *L, int idx, mw_arena *a, size_t n)
{
	mw_metal_spot *spots = mw_arena_zalloc(a, n * sizeof *spots);

	if (!spots)
		mw_lx_raise(L);
	for (size_t k = 0; k < n; k++) {
		lua_geti(L, idx, (lua_Integer)k + 1);
		luaL_checktype(L, -1, LUA_TTABLE);
		int spot = lua_gettop(L);
		spots[k].x = number_field(L, spot, "x");
		spots[k].z = number_field(L, spot, "z");
		spots[k].radius = number_field(L, spot, "radius");
		spots[k].metal = number_field(L, spot, "metal");
		lua_getfield(L, spot, "snap");
		spots[k].snap = lua_isnil(L, -1) || lua_toboolean(L, -1);
		lua_pop(L, 2);
	}
	return spots;
}

static void push_sites(lua_State *L, const mw_metal_site *sites, size_t n)
{
	lua_createtable(L, (int)n, 0);
	for (size_t k = 0; k < n; k++) {
		lua_createtable(L, 0, 7);
		set_number(L, "x", sites[k].x);
		set_number(L, "z", sites[k].z);
		set_integer(L, "sum", sites[k].sum);
		set_integer(L, "beyond", sites[k].beyond);
		set_integer(L, "peak", sites[k].peak);
		set_number(L, "alone", sites[k].alone);
		set_number(L, "metal", sites[k].metal);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
}

/* domes(bytes, w, h, spots, max_metal, extractor_radius, mirror, n)
 *   -> bytes, sites, overlaps
 * spots: list of {x, z, radius, metal, snap}; sites: {x, z, sum, beyond, peak, alone, metal};
 * overlaps: {a, b, cells, a_gets, b_gets} with spot numbers from 1 */
static int l_domes(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_sv s = mw_lx_str(L, 1, "bytes");
	int32_t w = (int32_t)mw_lx_int(L, 2, "w", 1, MW_FIELD_SIDE_MAX);
	int32_t h = (int32_t)mw_lx_int(L, 3, "h", 1, MW_FIELD_SIDE_MAX);
	luaL_checktype(L, 4, LUA_TTABLE);
	mw_metal_rules rules = {.max_metal = mw_lx_num(L, 5, "max_metal"),
		.extractor_radius = mw_lx_num(L, 6, "extractor_radius"),
		.mirror = mw_lx_mirror(L, 7)};
	size_t cells = (size_t)w * (size_t)h;
	size_t n = (size_t)luaL_len(L, 4);

	if (s.n != cells)
		mw_lx_bad(L, 1, "bytes", "%zu bytes, %d x %d cells need %zu", s.n, (int)w, (int)h,
			cells);
	lua_settop(L, 8);
	mw_lx_type_define(L, &overlaps_type, NULL);
	mw_metal_overlap **overlaps = mw_lx_new(L, &overlaps_type, sizeof *overlaps);
	size_t n_overlaps = 0;
	mw_arena *a = mw_lx_arena(L);
	mw_metal_spot *spots = spots_arg(L, 4, a, n);
	mw_metal_site *sites = mw_arena_zalloc(a, n * sizeof *sites);
	uint8_t *bytes = mw_arena_alloc(a, cells);
	if (!sites || !bytes)
		mw_lx_raise(L);
	memcpy(bytes, s.p, cells);
	mw_lx_check(
		L, mw_metal_domes(cx, bytes, w, h, sites, overlaps, &n_overlaps, spots, n, &rules));
	lua_pushlstring(L, (const char *)bytes, cells);
	push_sites(L, sites, n);
	lua_createtable(L, (int)n_overlaps, 0);
	for (size_t k = 0; k < n_overlaps; k++) {
		const mw_metal_overlap *o = &(*overlaps)[k];
		lua_createtable(L, 0, 5);
		set_integer(L, "a", o->a + 1);
		set_integer(L, "b", o->b + 1);
		set_integer(L, "cells", o->cells);
		set_number(L, "a_gets", o->a_gets);
		set_number(L, "b_gets", o->b_gets);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	return 3;
}

/* yield(bytes, w, h, x, z, radius, max_metal) -> metal per second */
static int l_yield(lua_State *L)
{
	mw_sv s = mw_lx_str(L, 1, "bytes");
	int32_t w = (int32_t)mw_lx_int(L, 2, "w", 1, MW_FIELD_SIDE_MAX);
	int32_t h = (int32_t)mw_lx_int(L, 3, "h", 1, MW_FIELD_SIDE_MAX);

	if (s.n != (size_t)w * (size_t)h)
		mw_lx_bad(L, 1, "bytes", "%zu bytes for %d x %d cells", s.n, (int)w, (int)h);
	lua_pushnumber(L,
		mw_metal_yield((const uint8_t *)s.p, w, h, mw_lx_num(L, 4, "x"),
			mw_lx_num(L, 5, "z"), mw_lx_num(L, 6, "radius"),
			mw_lx_num(L, 7, "max_metal")));
	return 1;
}

/* snap(position, size) -> nearest place an extractor can stand */
static int l_snap(lua_State *L)
{
	lua_pushnumber(L, mw_metal_snap(mw_lx_num(L, 1, "position"), mw_lx_num(L, 2, "size")));
	return 1;
}

int mw_luaopen_metal(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"domes", l_domes},
		{"yield", l_yield},
		{"snap", l_snap},
		{NULL, NULL},
	};
	luaL_newlib(L, functions);
	return 1;
}

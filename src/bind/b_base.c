/* core.base: hash, JSON, deflate, number text, seeded numbers, versions. */
#include "base/flate.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/pool.h"
#include "base/rng.h"
#include "bind/host.h"
#include "bind/lx.h"
#include "bind/modules.h"

#include <libdeflate.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>

/* hash(bytes) -> 32 hex digits */
static int l_hash(lua_State *L)
{
	mw_sv s = mw_lx_str(L, 1, "bytes");
	char hex[33];

	mw_hash_hex(mw_hash_bytes(s.p, s.n), hex);
	lua_pushlstring(L, hex, 32);
	return 1;
}

/* json_read(text) -> value */
static int l_json_read(lua_State *L)
{
	mw_sv s = mw_lx_str(L, 1, "text");
	mw_arena *a = mw_lx_arena(L);
	mw_val v;

	mw_lx_check(L, mw_json_read(mw_lx_ctx(L), a, &v, s.p, s.n));
	mw_lx_push_val(L, &v);
	return 1;
}

static void free_str(mw_ctx *cx, void *payload)
{
	MW_UNUSED(cx);
	if (((mw_str *)payload)->cx)
		mw_str_free(payload);
}

static const mw_lx_type str_type = {"mapwright.str", free_str};

/* A table with a list `__keys` is a map in that key order; everything else as mw_lx_to_val. */
static mw_val ordered_val(lua_State *L, int idx, mw_arena *a, uint32_t depth)
{
	mw_val v = mw_val_map();
	lua_Integer n;

	idx = lua_absindex(L, idx);
	if (depth > a->cx->limits.depth)
		luaL_error(L, "a table nested too deep");
	if (lua_type(L, idx) != LUA_TTABLE)
		return mw_lx_to_val(L, idx, a);
	luaL_checkstack(L, 8, "value nested too deep");
	lua_getfield(L, idx, "__keys");
	if (lua_type(L, -1) != LUA_TTABLE) {
		lua_pop(L, 1);
		n = (lua_Integer)lua_rawlen(L, idx);
		if (!n)
			return mw_lx_to_val(L, idx, a);
		v = mw_val_list();
		for (lua_Integer i = 1; i <= n; i++) {
			lua_rawgeti(L, idx, i);
			if (!mw_val_push(a, &v, ordered_val(L, -1, a, depth + 1)))
				mw_lx_raise(L);
			lua_pop(L, 1);
		}
		return v;
	}
	n = (lua_Integer)lua_rawlen(L, -1);
	for (lua_Integer i = 1; i <= n; i++) {
		mw_sv key;

		lua_rawgeti(L, -1, i);
		key = mw_lx_str(L, -1, "key");
		lua_getfield(L, idx, key.p);
		if (!mw_val_add(a, &v, key, ordered_val(L, -1, a, depth + 1)))
			mw_lx_raise(L);
		lua_pop(L, 2);
	}
	lua_pop(L, 1);
	return v;
}

/* json_write(value, indent) -> text. A table with a list `__keys` is a map in that key order. */
static int l_json_write(lua_State *L)
{
	int indent = (int)luaL_optinteger(L, 2, 0);
	mw_arena *a = mw_lx_arena(L);
	mw_val v = ordered_val(L, 1, a, 0);
	mw_str *out;

	mw_lx_type_define(L, &str_type, NULL);
	out = mw_lx_new(L, &str_type, sizeof *out);
	mw_str_init(out, mw_lx_ctx(L));
	mw_lx_check(L, mw_json_write(out, &v, indent));
	lua_pushlstring(L, out->p ? out->p : "", out->n);
	return 1;
}

static const char *const flate_kinds[] = {"raw", "zlib", "gzip"};

typedef struct {
	uint8_t *p;
} bytes_box;

static void free_bytes(mw_ctx *cx, void *payload)
{
	bytes_box *box = payload;

	mw_free(cx, box->p);
	box->p = NULL;
}

static const mw_lx_type bytes_type = {"mapwright.bytes", free_bytes};

/* deflate(bytes, level, kind) -> bytes */
static int l_deflate(lua_State *L)
{
	mw_sv s = mw_lx_str(L, 1, "bytes");
	int level = (int)mw_lx_int(L, 2, "level", 0, 12);
	int kind = mw_lx_enum(L, 3, "kind", flate_kinds, 3);
	bytes_box *box;
	size_t n;

	mw_lx_type_define(L, &bytes_type, NULL);
	box = mw_lx_new(L, &bytes_type, sizeof *box);
	mw_lx_check(L, mw_deflate(mw_lx_ctx(L), &box->p, &n, s.p, s.n, level, (mw_flate_kind)kind));
	lua_pushlstring(L, (const char *)box->p, n);
	return 1;
}

/* inflate(bytes, max, kind) -> bytes */
static int l_inflate(lua_State *L)
{
	mw_sv s = mw_lx_str(L, 1, "bytes");
	size_t max = (size_t)mw_lx_int(L, 2, "max", 0, INT64_MAX), n;
	int kind = mw_lx_enum(L, 3, "kind", flate_kinds, 3);
	bytes_box *box;

	mw_lx_type_define(L, &bytes_type, NULL);
	box = mw_lx_new(L, &bytes_type, sizeof *box);
	mw_lx_check(
		L, mw_inflate_grow(mw_lx_ctx(L), &box->p, &n, max, s.p, s.n, (mw_flate_kind)kind));
	lua_pushlstring(L, (const char *)box->p, n);
	return 1;
}

/* number_text(v) -> shortest text that reads back; float32_text(v) the same for a float32 */
static int l_number_text(lua_State *L)
{
	char text[MW_NUM_TEXT];

	lua_pushlstring(L, text, mw_num_text(luaL_checknumber(L, 1), text));
	return 1;
}

static int l_float32_text(lua_State *L)
{
	char text[MW_NUM_TEXT];

	lua_pushlstring(L, text, mw_num_text_f32((float)luaL_checknumber(L, 1), text));
	return 1;
}

static const mw_lx_type rng_type = {"mapwright.rng", NULL};

/* rng(seed, stream) -> generator with :unit() and :below(n) */
static int l_rng(lua_State *L)
{
	uint64_t seed = (uint64_t)mw_lx_int(L, 1, "seed", INT64_MIN, INT64_MAX);
	const char *stream = luaL_optstring(L, 2, NULL);

	mw_rng_init(mw_lx_new(L, &rng_type, sizeof(mw_rng)), seed, stream);
	return 1;
}

static int l_rng_unit(lua_State *L)
{
	lua_pushnumber(L, mw_rng_unit(mw_lx_arg(L, 1, &rng_type)));
	return 1;
}

static int l_rng_below(lua_State *L)
{
	mw_rng *r = mw_lx_arg(L, 1, &rng_type);

	lua_pushinteger(
		L, (lua_Integer)mw_rng_below(r, (uint64_t)mw_lx_int(L, 2, "n", 1, INT64_MAX)));
	return 1;
}

/* threads() -> workers of the pool, the calling thread included */
static int l_threads(lua_State *L)
{
	lua_pushinteger(L, mw_pool_threads(mw_lx_ctx(L)->pool));
	return 1;
}

/* set_threads(n): n workers from here on, 0 for one per core */
static int l_set_threads(lua_State *L)
{
	int n = (int)mw_lx_int(L, 1, "threads", 0, 256);

	mw_lx_check(L, mw_host_set_threads(mw_host_of(L), n));
	return 0;
}

/* versions() -> list of {name, version} of what is linked */
static int l_versions(lua_State *L)
{
	const char *rows[][2] = {{"mapwright", MW_VERSION},
		{"Lua", LUA_VERSION_MAJOR "." LUA_VERSION_MINOR "." LUA_VERSION_RELEASE},
		{"zlib", zlibVersion()}, {"libdeflate", LIBDEFLATE_VERSION_STRING},
		{"liblzma", lzma_version_string()}};

	lua_newtable(L);
	for (size_t i = 0; i < MW_COUNTOF(rows); i++) {
		lua_createtable(L, 2, 0);
		lua_pushstring(L, rows[i][0]);
		lua_rawseti(L, -2, 1);
		lua_pushstring(L, rows[i][1]);
		lua_rawseti(L, -2, 2);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* where() -> "file:line" of the user's code, or "" */
static int l_where(lua_State *L)
{
	mw_lx_push_where(L);
	return 1;
}

/* fail(code, message): raise an error object as the core does */
static int l_fail(lua_State *L)
{
	static const char *const codes[] = {
		"io", "format", "range", "unsupported", "limit", "invalid"};
	static const mw_code values[] = {
		MW_EIO, MW_EFORMAT, MW_ERANGE, MW_EUNSUPPORTED, MW_ELIMIT, MW_EINVALID};
	int i = mw_lx_enum(L, 1, "code", codes, (int)MW_COUNTOF(codes));

	mw_fail(mw_lx_ctx(L), values[i], "%s", luaL_checkstring(L, 2));
	return mw_lx_raise(L);
}

int mw_luaopen_base(lua_State *L)
{
	static const luaL_Reg rng_methods[] = {
		{"unit", l_rng_unit}, {"below", l_rng_below}, {NULL, NULL}};
	static const luaL_Reg functions[] = {
		{"hash", l_hash},
		{"json_read", l_json_read},
		{"json_write", l_json_write},
		{"deflate", l_deflate},
		{"inflate", l_inflate},
		{"number_text", l_number_text},
		{"float32_text", l_float32_text},
		{"rng", l_rng},
		{"threads", l_threads},
		{"set_threads", l_set_threads},
		{"versions", l_versions},
		{"where", l_where},
		{"fail", l_fail},
		{NULL, NULL},
	};

	mw_lx_type_define(L, &rng_type, rng_methods);
	luaL_newlib(L, functions);
	return 1;
}

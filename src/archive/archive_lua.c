/* core.archive: reading and writing .sdd, .sdz and .sd7. */
#include "archive/archive.h"
#include "base/mem.h"
#include "base/str.h"
#include "bind/lx.h"
#include "bind/modules.h"

#include <string.h>

static const char *const kind_names[] = {"none", "sdd", "sdz", "sd7"};
static const char *const level_names[] = {"fast", "normal", "release"};

typedef struct {
	mw_archive *a;
} archive_box;

static void free_archive(mw_ctx *cx, void *payload)
{
	archive_box *box = payload;

	mw_archive_close(cx, box->a);
	box->a = NULL;
}

static const mw_lx_type archive_type = {"mapwright.archive", free_archive};

typedef struct {
	uint8_t *p;
} entry_box;

static void free_entry(mw_ctx *cx, void *payload)
{
	entry_box *box = payload;

	mw_free(cx, box->p);
	box->p = NULL;
}

static const mw_lx_type entry_type = {"mapwright.entry_bytes", free_entry};

static void free_items(mw_ctx *cx, void *payload)
{
	mw_archive_items *items = payload;

	if (items->text.cx)
		mw_archive_items_free(cx, items);
}

static const mw_lx_type items_type = {"mapwright.items", free_items};

/* kind(path) -> "sdd" | "sdz" | "sd7" | nil, by the extension */
static int l_kind(lua_State *L)
{
	mw_archive_kind kind = mw_archive_kind_of_name(mw_lx_str(L, 1, "path").p);

	if (kind == MW_ARCHIVE_NONE)
		lua_pushnil(L);
	else
		lua_pushstring(L, mw_archive_kind_name(kind));
	return 1;
}

/* unsafe_name(name) -> why it cannot be a file inside a folder, or nil */
static int l_unsafe_name(lua_State *L)
{
	lua_pushstring(L, mw_archive_unsafe_name(mw_lx_str(L, 1, "name").p));
	return 1;
}

/* open(path) -> archive */
static int l_open(lua_State *L)
{
	const char *path = mw_lx_str(L, 1, "path").p;
	archive_box *box = mw_lx_new(L, &archive_type, sizeof *box);

	mw_lx_check(L, mw_archive_open(mw_lx_ctx(L), &box->a, path));
	return 1;
}

/* open_bytes(bytes, label) -> archive */
static int l_open_bytes(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	const char *label = mw_lx_str(L, 2, "label").p;
	archive_box *box = mw_lx_new(L, &archive_type, sizeof *box);

	/* The bytes live as long as the archive. */
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	mw_lx_check(L, mw_archive_open_bytes(mw_lx_ctx(L), &box->a, bytes.p, bytes.n, label));
	return 1;
}

static mw_archive *arg_archive(lua_State *L)
{
	archive_box *box = mw_lx_arg(L, 1, &archive_type);

	if (!box->a)
		luaL_error(L, "the archive is closed");
	return box->a;
}

/* archive:kind() -> "sdd" | "sdz" | "sd7", by its content */
static int l_archive_kind(lua_State *L)
{
	lua_pushstring(L, mw_archive_kind_name(mw_archive_kind_of(arg_archive(L))));
	return 1;
}

/* archive:solid() -> boolean */
static int l_archive_solid(lua_State *L)
{
	lua_pushboolean(L, mw_archive_is_solid(arg_archive(L)));
	return 1;
}

static void set_text(lua_State *L, const char *key, const char *text)
{
	if (text) {
		lua_pushstring(L, text);
		lua_setfield(L, -2, key);
	}
}

static void set_flag(lua_State *L, const char *key, bool value)
{
	if (value) {
		lua_pushboolean(L, 1);
		lua_setfield(L, -2, key);
	}
}

/* archive:entries() -> {name, size, packed, crc?, problem?, unsafe?, backslash?, shadowed?} rows,
 * sorted by name */
static int l_archive_entries(lua_State *L)
{
	const mw_archive *a = arg_archive(L);
	size_t n = mw_archive_count(a);

	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		const mw_archive_entry *e = mw_archive_at(a, i);

		lua_createtable(L, 0, 4);
		set_text(L, "name", e->name);
		lua_pushinteger(L, (lua_Integer)e->size);
		lua_setfield(L, -2, "size");
		lua_pushinteger(L, (lua_Integer)e->packed);
		lua_setfield(L, -2, "packed");
		if (e->has_crc) {
			lua_pushinteger(L, e->crc);
			lua_setfield(L, -2, "crc");
		}
		set_text(L, "problem", e->problem);
		set_text(L, "unsafe", e->unsafe);
		set_flag(L, "backslash", e->backslash);
		set_flag(L, "shadowed", e->shadowed);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* archive:find(name) -> the name as it is stored, size; or nil. As the engine looks names up. */
static int l_archive_find(lua_State *L)
{
	const mw_archive_entry *e = mw_archive_find(arg_archive(L), mw_lx_str(L, 2, "name").p);

	if (!e)
		return 0;
	lua_pushstring(L, e->name);
	lua_pushinteger(L, (lua_Integer)e->size);
	return 2;
}

/* archive:read(name) -> bytes; nil when there is no such entry */
static int l_archive_read(lua_State *L)
{
	mw_archive *a = arg_archive(L);
	const mw_archive_entry *e = mw_archive_find(a, mw_lx_str(L, 2, "name").p);
	entry_box *box;
	size_t n;

	if (!e)
		return 0;
	box = mw_lx_new(L, &entry_type, sizeof *box);
	mw_lx_check(L, mw_archive_read(mw_lx_ctx(L), &box->p, &n, a, e));
	lua_pushlstring(L, (const char *)box->p, n);
	free_entry(mw_lx_ctx(L), box);
	return 1;
}

typedef struct {
	uint8_t *p;
	size_t n, most;
} head_work;

/* Take bytes until there are enough, then stop the unpacking. */
static mw_code take_head(mw_ctx *cx, void *ud, const void *bytes, size_t n)
{
	head_work *w = ud;
	size_t room = w->most - w->n;

	memcpy(w->p + w->n, bytes, n < room ? n : room);
	w->n += n < room ? n : room;
	return w->n == w->most ? mw_fail(cx, MW_ECANCELLED, "enough was read") : MW_OK;
}

/* archive:head(name, n) -> the first n bytes or fewer, without unpacking the rest; nil when there
 * is no such entry */
static int l_archive_head(lua_State *L)
{
	mw_archive *a = arg_archive(L);
	const mw_archive_entry *e = mw_archive_find(a, mw_lx_str(L, 2, "name").p);
	mw_ctx *cx = mw_lx_ctx(L);
	head_work w = {NULL, 0, (size_t)mw_lx_int(L, 3, "n", 1, INT32_MAX)};
	entry_box *box;
	mw_code code;

	if (!e)
		return 0;
	if (w.most > e->size)
		w.most = e->size ? (size_t)e->size : 1;
	box = mw_lx_new(L, &entry_type, sizeof *box);
	w.p = box->p = mw_alloc(cx, w.most);
	if (!w.p)
		return mw_lx_raise(L);
	code = mw_archive_unpack(cx, a, e, take_head, &w);
	if (code == MW_ECANCELLED && w.n == w.most)
		mw_err_clear(cx);
	else
		mw_lx_check(L, code);
	lua_pushlstring(L, (const char *)w.p, w.n);
	free_entry(cx, box);
	return 1;
}

/* archive:extract(dir) */
static int l_archive_extract(lua_State *L)
{
	mw_archive *a = arg_archive(L);

	mw_lx_check(L, mw_archive_extract(mw_lx_ctx(L), a, mw_lx_str(L, 2, "dir").p));
	return 0;
}

static int l_archive_close(lua_State *L)
{
	free_archive(mw_lx_ctx(L), mw_lx_arg(L, 1, &archive_type));
	return 0;
}

/* dir_items(dir, hidden) -> {name, path} rows, number of hidden and of special files left out */
static int l_dir_items(lua_State *L)
{
	const char *dir = mw_lx_str(L, 1, "dir").p;
	bool hidden = mw_lx_bool(L, 2);
	mw_archive_items *items = mw_lx_new(L, &items_type, sizeof *items);

	mw_lx_check(L, mw_archive_items_of_dir(mw_lx_ctx(L), items, dir, hidden));
	lua_createtable(L, (int)items->n, 0);
	for (size_t i = 0; i < items->n; i++) {
		lua_createtable(L, 0, 2);
		set_text(L, "name", items->v[i].name);
		set_text(L, "path", items->v[i].path);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_pushinteger(L, (lua_Integer)items->hidden_left_out);
	lua_pushinteger(L, (lua_Integer)items->links_left_out);
	return 3;
}

/* The string field, which stays in the table at idx while that does; NULL when absent. */
static const char *field(lua_State *L, int idx, const char *key, size_t *n)
{
	const char *p = NULL;

	if (lua_getfield(L, idx, key) == LUA_TSTRING)
		p = lua_tolstring(L, -1, n);
	else if (!lua_isnil(L, -1))
		luaL_error(L, "items: '%s' is a %s, not a string", key, luaL_typename(L, -1));
	lua_pop(L, 1);
	return p;
}

/* write(path, kind, level, items): items are {name = , bytes = } or {name = , path = } */
static int l_write(lua_State *L)
{
	const char *path = mw_lx_str(L, 1, "path").p;
	int kind = mw_lx_enum(L, 2, "kind", kind_names, MW_COUNTOF(kind_names));
	int level = mw_lx_enum(L, 3, "level", level_names, MW_COUNTOF(level_names));
	mw_archive_item *items;
	size_t n;

	luaL_checktype(L, 4, LUA_TTABLE);
	n = (size_t)lua_rawlen(L, 4);
	items = mw_arena_alloc(mw_lx_arena(L), (n ? n : 1) * sizeof *items);
	if (!items)
		return mw_lx_raise(L);
	for (size_t i = 0; i < n; i++) {
		mw_archive_item *item = &items[i];

		*item = (mw_archive_item){0};
		if (lua_rawgeti(L, 4, (lua_Integer)i + 1) != LUA_TTABLE)
			return luaL_error(L, "items: number %d is not a table", (int)i + 1);
		item->name = field(L, -1, "name", &item->n);
		if (!item->name)
			return luaL_error(L, "items: number %d has no name", (int)i + 1);
		if (strlen(item->name) != item->n)
			return luaL_error(L, "items: name %d holds a zero byte", (int)i + 1);
		item->n = 0;
		item->bytes = field(L, -1, "bytes", &item->n);
		if (!item->bytes)
			item->path = field(L, -1, "path", &(size_t){0});
		if (!item->bytes && !item->path)
			return luaL_error(L, "items: '%s' has neither bytes nor path", item->name);
		lua_pop(L, 1);
	}
	mw_lx_check(L,
		mw_archive_write(mw_lx_ctx(L), path, (mw_archive_kind)kind, (mw_archive_level)level,
			items, n));
	return 0;
}

/* limit_unpacked(bytes): raise or lower what archives may unpack to, an entry and in total; any
 * ratio goes from then on. Returns the limit before. */
static int l_limit_unpacked(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	uint64_t before = cx->limits.unpacked_bytes;

	cx->limits.unpacked_bytes = (uint64_t)mw_lx_int(L, 1, "bytes", 1, INT64_MAX);
	cx->limits.unpack_ratio = 0;
	lua_pushinteger(L, (lua_Integer)before);
	return 1;
}

int mw_luaopen_archive(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"kind", l_kind},
		{"unsafe_name", l_unsafe_name},
		{"open", l_open},
		{"open_bytes", l_open_bytes},
		{"dir_items", l_dir_items},
		{"write", l_write},
		{"limit_unpacked", l_limit_unpacked},
		{NULL, NULL},
	};
	static const luaL_Reg methods[] = {
		{"kind", l_archive_kind},
		{"solid", l_archive_solid},
		{"entries", l_archive_entries},
		{"find", l_archive_find},
		{"read", l_archive_read},
		{"head", l_archive_head},
		{"extract", l_archive_extract},
		{"close", l_archive_close},
		{NULL, NULL},
	};

	mw_lx_type_define(L, &archive_type, methods);
	mw_lx_type_define(L, &entry_type, NULL);
	mw_lx_type_define(L, &items_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

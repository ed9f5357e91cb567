/* core.fs: whole files, atomic writes, folders. Paths are given as they are: what a script may
 * reach is decided in Lua (mapwright.project). */
#include "base/fs.h"
#include "base/mem.h"
#include "bind/lx.h"
#include "bind/modules.h"

#include <string.h>

typedef struct {
	uint8_t *p;
} file_box;

static void free_file(mw_ctx *cx, void *payload)
{
	file_box *box = payload;

	mw_free(cx, box->p);
	box->p = NULL;
}

static const mw_lx_type file_type = {"mapwright.file_bytes", free_file};

/* read(path) -> bytes */
static int l_read(lua_State *L)
{
	const char *path = mw_lx_str(L, 1, "path").p;
	file_box *box = mw_lx_new(L, &file_type, sizeof *box);
	size_t n;

	mw_lx_check(L, mw_fs_read(mw_lx_ctx(L), &box->p, &n, path));
	lua_pushlstring(L, (const char *)box->p, n);
	free_file(mw_lx_ctx(L), box);
	return 1;
}

/* write(path, bytes): beside it, then renamed */
static int l_write(lua_State *L)
{
	const char *path = mw_lx_str(L, 1, "path").p;
	mw_sv bytes = mw_lx_str(L, 2, "bytes");

	mw_lx_check(L, mw_fs_write(mw_lx_ctx(L), path, bytes.p, bytes.n));
	return 0;
}

/* kind(path) -> "file" | "folder" | "other" | nil */
static int l_kind(lua_State *L)
{
	static const char *const names[] = {NULL, "file", "folder", "other"};
	mw_fs_kind kind = mw_fs_kind_of(mw_lx_str(L, 1, "path").p);

	lua_pushstring(L, names[kind]);
	return 1;
}

static void free_names(mw_ctx *cx, void *payload)
{
	mw_fs_names_free(cx, payload);
}

static const mw_lx_type names_type = {"mapwright.names", free_names};

/* list(path) -> sorted names */
static int l_list(lua_State *L)
{
	const char *path = mw_lx_str(L, 1, "path").p;
	mw_fs_names *names = mw_lx_new(L, &names_type, sizeof *names);

	mw_lx_check(L, mw_fs_list(mw_lx_ctx(L), names, path));
	lua_createtable(L, (int)names->n, 0);
	for (size_t i = 0; i < names->n; i++) {
		lua_pushstring(L, names->v[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* mkdirs(path), remove_tree(path), rename(from, to) */
static int l_mkdirs(lua_State *L)
{
	mw_lx_check(L, mw_fs_mkdirs(mw_lx_ctx(L), mw_lx_str(L, 1, "path").p));
	return 0;
}

static int l_remove_tree(lua_State *L)
{
	mw_lx_check(L, mw_fs_remove_tree(mw_lx_ctx(L), mw_lx_str(L, 1, "path").p));
	return 0;
}

static int l_rename(lua_State *L)
{
	const char *from = mw_lx_str(L, 1, "from").p, *to = mw_lx_str(L, 2, "to").p;

	mw_lx_check(L, mw_fs_rename(mw_lx_ctx(L), from, to));
	return 0;
}

/* sweep(path): remove the temporaries that killed processes left beside path */
static int l_sweep(lua_State *L)
{
	mw_fs_sweep(mw_lx_ctx(L), mw_lx_str(L, 1, "path").p);
	return 0;
}

int mw_luaopen_fs(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"read", l_read},
		{"write", l_write},
		{"kind", l_kind},
		{"list", l_list},
		{"mkdirs", l_mkdirs},
		{"remove_tree", l_remove_tree},
		{"rename", l_rename},
		{"sweep", l_sweep},
		{NULL, NULL},
	};

	mw_lx_type_define(L, &file_type, NULL);
	mw_lx_type_define(L, &names_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

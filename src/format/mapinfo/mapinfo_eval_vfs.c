#include "format/mapinfo/mapinfo_eval_internal.h"

#include "base/str.h"
#include "bind/lx.h"
#include "bind/sandbox.h"

#include <string.h>

/* VFS over the files that the host has mounted. */

/* ---- names and files ------------------------------------------------------------------------- */

/* No way up, no drive, no root (rts/Lua/LuaIO.cpp). */
static bool is_simple_path(const char *path)
{
	return path[0] != '/' && path[0] != '\\' && !strstr(path, "..") &&
		!(path[0] != '\0' && path[1] == ':');
}

/* As the engine looks names up: lower case, forward slashes. False when it does not fit. */
static bool normalise(const char *path, char out[512])
{
	size_t n = strlen(path);

	if (n >= 512)
		return false;
	for (size_t i = 0; i <= n; i++)
		out[i] = path[i] == '\\' ? '/' : mw__eval_lower(path[i]);
	return true;
}

static bool exists(mw__evaluator *ev, const char *path)
{
	lua_State *L = ev->L;
	char name[512];
	bool found = false;

	if (ev->names == 0 || !normalise(path, name))
		return false;
	for (lua_Integer i = 1; !found && lua_rawgeti(L, ev->names, i) == LUA_TSTRING; i++) {
		found = strcmp(lua_tostring(L, -1), name) == 0;
		lua_pop(L, 1);
	}
	if (!found)
		lua_pop(L, 1);
	return found;
}

/* Push the bytes of a file onto S; false (nothing pushed) when there is none. */
static bool read_file(mw__evaluator *ev, lua_State *S, const char *path)
{
	lua_State *L = ev->L;
	char name[512];
	const char *bytes;
	size_t n;

	if (!exists(ev, path) || !normalise(path, name))
		return false;
	lua_pushvalue(L, ev->read);
	lua_pushstring(L, name);
	if (lua_pcall(L, 1, 1, 0) != LUA_OK || lua_type(L, -1) != LUA_TSTRING) {
		lua_pop(L, 1);
		return false;
	}
	bytes = lua_tolstring(L, -1, &n);
	mw_sandbox_spend(S, n / 16);
	lua_pushlstring(S, bytes, n);
	lua_pop(L, 1);
	return true;
}

/* ---- folders --------------------------------------------------------------------------------- */

/* * and ? , without case. */
static bool glob(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			from = text;
		} else if (*pattern == '?' || mw__eval_lower(*pattern) == mw__eval_lower(*text)) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

/* The files (or folders) of a folder, with the folder in front as it was given. */
static int list(lua_State *S, bool folders)
{
	mw__evaluator *ev = mw__eval_of(S);
	lua_State *L = ev->L;
	size_t n, dir_n;
	const char *given = mw_sandbox_text(S, 1, &n);
	const char *pattern = lua_isnoneornil(S, 2) ? "*" : mw_sandbox_text(S, 2, &n);
	bool deep = lua_toboolean(S, 4), slash;
	char dir[514];
	lua_Integer found = 0;

	if (!is_simple_path(given) || !normalise(given, dir))
		return 0;
	dir_n = strlen(dir);
	slash = dir_n > 0 && dir[dir_n - 1] != '/';
	if (slash) {
		dir[dir_n++] = '/';
		dir[dir_n] = '\0';
	}
	lua_newtable(S);
	for (lua_Integer i = 1; ev->names && lua_rawgeti(L, ev->names, i) == LUA_TSTRING; i++) {
		const char *name = lua_tostring(L, -1), *rest, *base, *end;

		mw_sandbox_spend(S, 1);
		rest = name + dir_n;
		if (strncmp(name, dir, dir_n) != 0) {
			lua_pop(L, 1);
			continue;
		}
		base = strrchr(rest, '/');
		base = base ? base + 1 : rest;
		end = folders ? strchr(rest, '/') : NULL;
		if (folders ? end != NULL : (deep || base == rest) && glob(pattern, base)) {
			size_t length = folders ? (size_t)(end - rest) + 1 : strlen(rest);

			lua_pushfstring(S, "%s%s", given, slash ? "/" : "");
			lua_pushlstring(S, rest, length);
			lua_concat(S, 2);
			/* names are sorted: the same folder comes in a row */
			if (found > 0 && lua_rawgeti(S, -2, found) == LUA_TSTRING &&
				lua_rawequal(S, -1, -2)) {
				lua_pop(S, 2);
			} else {
				if (found > 0)
					lua_pop(S, 1);
				lua_rawseti(S, -2, ++found);
			}
		}
		lua_pop(L, 1);
	}
	if (ev->names)
		lua_pop(L, 1);
	return 1;
}

static int v_dir_list(lua_State *S)
{
	return list(S, false);
}

static int v_sub_dirs(lua_State *S)
{
	return list(S, true);
}

/* ---- functions ------------------------------------------------------------------------------- */

static int v_file_exists(lua_State *S)
{
	mw__evaluator *ev = mw__eval_of(S);
	size_t n;
	const char *path = mw_sandbox_text(S, 1, &n);

	if (ev->names == 0)
		mw__eval_event(ev, S, "file-exists", path);
	if (!is_simple_path(path))
		return 0;
	lua_pushboolean(S, exists(ev, path));
	return 1;
}

static int v_load_file(lua_State *S)
{
	mw__evaluator *ev = mw__eval_of(S);
	size_t n;
	const char *path = mw_sandbox_text(S, 1, &n);

	if (!is_simple_path(path))
		return 0;
	if (!read_file(ev, S, path)) {
		lua_pushnil(S);
		lua_pushliteral(S, "missing file");
		return 2;
	}
	lua_pushstring(S, lua_tostring(S, -1)); /* up to a NUL */
	return 1;
}

static int v_include(lua_State *S)
{
	mw__evaluator *ev = mw__eval_of(S);
	size_t n;
	const char *path = mw_sandbox_text(S, 1, &n), *text;
	char chunk[520];
	int top;

	if (!is_simple_path(path))
		return luaL_error(S, "bad pathname");
	if (!read_file(ev, S, path)) {
		if (ev->names == 0)
			mw__eval_event(ev, S, "include-missing", path);
		return luaL_error(S, "Include() file missing '%s'", path);
	}
	text = lua_tolstring(S, -1, &n);
	mw_format(chunk, sizeof chunk, "=%s", path);
	if (!mw_sandbox_compile(S, text, n, chunk))
		return lua_error(S); /* "file:line: message" */
	if (lua_istable(S, 2))
		lua_pushvalue(S, 2);
	else
		mw_sandbox_push_env(S, 1);
	mw_sandbox_set_env(S, -2);
	mw__eval_event(ev, NULL, "included", path);
	top = lua_gettop(S) - 1;
	lua_call(S, 0, LUA_MULTRET); /* its own errors already name file and line */
	return lua_gettop(S) - top;
}

void mw__eval_open_vfs(lua_State *S)
{
	static const luaL_Reg functions[] = {{"DirList", v_dir_list}, {"SubDirs", v_sub_dirs},
		{"Include", v_include}, {"LoadFile", v_load_file}, {"FileExists", v_file_exists},
		{NULL, NULL}};
	static const char *const modes[][2] = {{"RAW", "r"}, {"GAME", "M"}, {"MAP", "m"},
		{"BASE", "b"}, {"MENU", "e"}, {"MOD", "M"}, {"ZIP", "Mmeb"}, {"RAW_FIRST", "rMmeb"},
		{"ZIP_FIRST", "Mmebr"}, {"RAW_ONLY", "r"}, {"ZIP_ONLY", "Mmeb"}};

	lua_newtable(S);
	luaL_setfuncs(S, functions, 0);
	for (size_t i = 0; i < MW_COUNTOF(modes); i++) {
		lua_pushstring(S, modes[i][1]);
		lua_setfield(S, -2, modes[i][0]);
	}
	lua_setglobal(S, "VFS");
}

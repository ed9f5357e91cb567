#include "format/mapinfo/mapinfo_eval.h"

#include "base/str.h"
#include "bind/lx.h"
#include "bind/sandbox.h"

#include <math.h>
#include <string.h>

/* Runs one Lua file of a map as the engine's parser does and hands the table it returns to the host
 * state, keys in lower case. Two states meet here: S is the sandbox, L the host. */

#define MAX_NODES 200000 /* values of one result */
#define MAX_DEPTH 100
#define MAX_EVENTS 200

typedef struct {
	lua_State *L; /* the host */
	int names;  /* index of the sorted list of paths, in lower case, or 0: nothing is mounted */
	int read;   /* index of function(path) -> bytes or nil */
	int events; /* index of the list that is filled */
	bool keep_case;
	int nodes;
	char mixed[512]; /* the first path, by its bytes, whose key is not in lower case */
} evaluator;

/* ---- events: what the engine would stumble over
 * ---------------------------------------------------- */

/* Append {kind, line, file, text} to the host's list. */
static void add_event(evaluator *ev, lua_State *S, const char *kind, const char *text)
{
	lua_State *L = ev->L;
	lua_Debug ar;
	lua_Integer n = (lua_Integer)lua_rawlen(L, ev->events);

	if (n >= MAX_EVENTS)
		return;
	lua_createtable(L, 0, 4);
	lua_pushstring(L, kind);
	lua_setfield(L, -2, "kind");
	if (text) {
		lua_pushstring(L, text);
		lua_setfield(L, -2, "text");
	}
	for (int level = 1; S && lua_getstack(S, level, &ar); level++) {
		lua_getinfo(S, "Sl", &ar);
		if (ar.currentline > 0) {
			lua_pushinteger(L, ar.currentline);
			lua_setfield(L, -2, "line");
			lua_pushstring(L, ar.short_src);
			lua_setfield(L, -2, "file");
			break;
		}
	}
	lua_rawseti(L, ev->events, n + 1);
}

static evaluator *evaluator_of(lua_State *S)
{
	return mw_sandbox_user(mw_sandbox_of(S));
}

/* ---- VFS
 * -----------------------------------------------------------------------------------------------
 */

/* No way up, no drive, no root (rts/Lua/LuaIO.cpp). */
static bool is_simple_path(const char *path)
{
	return path[0] != '/' && path[0] != '\\' && !strstr(path, "..") &&
		!(path[0] != '\0' && path[1] == ':');
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* As the engine looks names up: lower case, forward slashes. False when it does not fit. */
static bool normalise(const char *path, char out[512])
{
	size_t n = strlen(path);

	if (n >= 512)
		return false;
	for (size_t i = 0; i <= n; i++)
		out[i] = path[i] == '\\' ? '/' : lower(path[i]);
	return true;
}

static bool exists(evaluator *ev, const char *path)
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
static bool read_file(evaluator *ev, lua_State *S, const char *path)
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

/* * and ? , without case. */
static bool glob(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			from = text;
		} else if (*pattern == '?' || lower(*pattern) == lower(*text)) {
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
	evaluator *ev = evaluator_of(S);
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

static int v_file_exists(lua_State *S)
{
	evaluator *ev = evaluator_of(S);
	size_t n;
	const char *path = mw_sandbox_text(S, 1, &n);

	if (ev->names == 0)
		add_event(ev, S, "file-exists", path);
	if (!is_simple_path(path))
		return 0;
	lua_pushboolean(S, exists(ev, path));
	return 1;
}

static int v_load_file(lua_State *S)
{
	evaluator *ev = evaluator_of(S);
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
	evaluator *ev = evaluator_of(S);
	size_t n;
	const char *path = mw_sandbox_text(S, 1, &n), *text;
	char chunk[520];
	int top;

	if (!is_simple_path(path))
		return luaL_error(S, "bad pathname");
	if (!read_file(ev, S, path)) {
		if (ev->names == 0)
			add_event(ev, S, "include-missing", path);
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
	add_event(ev, NULL, "included", path);
	top = lua_gettop(S) - 1;
	lua_call(S, 0, LUA_MULTRET); /* its own errors already name file and line */
	return lua_gettop(S) - top;
}

/* ---- the other globals
 * --------------------------------------------------------------------------------- */

static int g_nothing(lua_State *S)
{
	MW_UNUSED(S);
	return 0;
}

/* Spring.TimeCheck(name, function, ...) */
static int g_time_check(lua_State *S)
{
	luaL_checktype(S, 2, LUA_TFUNCTION);
	lua_remove(S, 1);
	lua_call(S, lua_gettop(S) - 1, LUA_MULTRET);
	return lua_gettop(S);
}

static int g_random(lua_State *S)
{
	add_event(evaluator_of(S), S, "random", NULL);
	return 0;
}

static int g_keep_case(lua_State *S)
{
	evaluator_of(S)->keep_case = !lua_toboolean(S, 1);
	return 0;
}

static int g_map_options(lua_State *S)
{
	lua_newtable(S);
	for (lua_pushnil(S); lua_next(S, lua_upvalueindex(1)); lua_pop(S, 1)) {
		lua_pushvalue(S, -2);
		lua_pushvalue(S, -2);
		lua_rawset(S, -5);
	}
	return 1;
}

static int g_min_version(lua_State *S)
{
	lua_pushboolean(S, 1);
	return 1;
}

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int g_encode(lua_State *S)
{
	size_t n;
	const char *s = mw_sandbox_text(S, 1, &n);
	luaL_Buffer b;

	mw_sandbox_spend(S, n);
	luaL_buffinit(S, &b);
	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = 0;

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (i + k < n ? (unsigned char)s[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			luaL_addchar(&b, i + k > n ? '=' : base64[v >> (18 - 6 * k) & 63]);
	}
	luaL_pushresult(&b);
	return 1;
}

static int g_decode(lua_State *S)
{
	size_t n;
	const char *s = mw_sandbox_text(S, 1, &n);
	uint32_t v = 0;
	int bits = 0;
	luaL_Buffer b;

	mw_sandbox_spend(S, n);
	luaL_buffinit(S, &b);
	for (size_t i = 0; i < n; i++) {
		const char *at = s[i] ? strchr(base64, s[i]) : NULL;

		if (!at)
			continue;
		v = (v << 6 | (uint32_t)(at - base64)) & 0xffffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			luaL_addchar(&b, (char)(unsigned char)(v >> bits & 255));
		}
	}
	luaL_pushresult(&b);
	return 1;
}

static void set_function(lua_State *S, const char *name, lua_CFunction f)
{
	lua_pushcfunction(S, f);
	lua_setfield(S, -2, name);
}

static void set_text(lua_State *S, const char *name, const char *text)
{
	lua_pushstring(S, text);
	lua_setfield(S, -2, name);
}

static void set_number(lua_State *S, const char *name, double v)
{
	lua_pushnumber(S, v);
	lua_setfield(S, -2, name);
}

static void open_vfs(lua_State *S)
{
	static const char *const modes[][2] = {{"RAW", "r"}, {"GAME", "M"}, {"MAP", "m"},
		{"BASE", "b"}, {"MENU", "e"}, {"MOD", "M"}, {"ZIP", "Mmeb"}, {"RAW_FIRST", "rMmeb"},
		{"ZIP_FIRST", "Mmebr"}, {"RAW_ONLY", "r"}, {"ZIP_ONLY", "Mmeb"}};

	lua_newtable(S);
	set_function(S, "DirList", v_dir_list);
	set_function(S, "SubDirs", v_sub_dirs);
	set_function(S, "Include", v_include);
	set_function(S, "LoadFile", v_load_file);
	set_function(S, "FileExists", v_file_exists);
	for (size_t i = 0; i < MW_COUNTOF(modes); i++)
		set_text(S, modes[i][0], modes[i][1]);
	lua_setglobal(S, "VFS");
}

/* Globals of every run (rts/Lua/LuaParser.cpp:123-201). */
static int open_globals(lua_State *S)
{
	static const char *const levels[] = {
		"DEBUG", "INFO", "NOTICE", "DEPRECATED", "WARNING", "ERROR", "FATAL"};

	open_vfs(S);
	lua_newtable(S);
	set_function(S, "Echo", g_nothing);
	set_function(S, "Log", g_nothing);
	set_function(S, "TimeCheck", g_time_check);
	lua_setglobal(S, "Spring");
	lua_newtable(S);
	set_function(S, "IsEngineMinVersion", g_min_version);
	lua_setglobal(S, "Script");
	lua_newtable(S);
	set_text(S, "version", "2025.06");
	set_text(S, "versionFull", "2025.06");
	set_text(S, "versionPatchSet", "0");
	set_text(S, "buildFlags", "");
	set_number(S, "wordSize", 64);
	lua_setglobal(S, "Engine");
	lua_newtable(S);
	for (size_t i = 0; i < MW_COUNTOF(levels); i++)
		set_number(S, levels[i], 20 + 5 * (double)i);
	lua_setglobal(S, "LOG");
	lua_newtable(S);
	set_function(S, "EncodeBase64", g_encode);
	set_function(S, "DecodeBase64", g_decode);
	set_function(S, "IsValidBase64", g_min_version);
	lua_setglobal(S, "Encoding");
	lua_pushcfunction(S, g_keep_case);
	lua_setglobal(S, "DontMessWithMyCase");
	lua_getglobal(S, "math");
	set_function(S, "random", g_random);
	set_function(S, "randomseed", g_random);
	return 0;
}

/* Spring.GetMapOptions over the host's table at L idx; Map from its table. */
typedef struct {
	lua_State *L;
	int options, map;
} extras;

static int open_extras(lua_State *S)
{
	extras *x = lua_touserdata(S, 1);
	lua_State *L = x->L;

	if (x->options) {
		lua_getglobal(S, "Spring");
		lua_newtable(S);
		for (lua_pushnil(L); lua_next(L, x->options); lua_pop(L, 1)) {
			if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
				continue;
			lua_pushstring(S, lua_tostring(L, -1));
			lua_setfield(S, -2, lua_tostring(L, -2));
		}
		lua_pushcclosure(S, g_map_options, 1);
		lua_setfield(S, -2, "GetMapOptions");
	}
	if (x->map) {
		lua_newtable(S);
		for (lua_pushnil(L); lua_next(L, x->map); lua_pop(L, 1)) {
			if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
				continue;
			lua_pushstring(S, lua_tostring(L, -1));
			lua_setfield(S, -2, lua_tostring(L, -2));
		}
		lua_setglobal(S, "Map");
	}
	return 0;
}

/* ---- the result
 * ---------------------------------------------------------------------------------------- */

typedef struct place {
	const struct place *outer;
	const void *table; /* of S, to notice a table inside itself */
	char name[80];
} place;

static void path_text(const place *at, char *out, size_t size)
{
	const place *chain[MAX_DEPTH + 2];
	size_t n = 0, len = 0;

	for (; at && n < MW_COUNTOF(chain); at = at->outer)
		chain[n++] = at;
	out[0] = '\0';
	while (n-- > 0 && len + 1 < size) {
		const char *name = chain[n]->name;

		mw_format(out + len, size - len, "%s%s", len && name[0] != '[' ? "." : "", name);
		len = strlen(out);
	}
}

static void path_event(evaluator *ev, const place *at, const char *kind)
{
	char path[512];

	path_text(at, path, sizeof path);
	add_event(ev, NULL, kind, path);
}

static void note_mixed_case(evaluator *ev, const place *at)
{
	char path[sizeof ev->mixed];

	path_text(at, path, sizeof path);
	if (!ev->mixed[0] || strcmp(path, ev->mixed) < 0)
		memcpy(ev->mixed, path, sizeof path);
}

/* 130 and 0.1 rather than 130.0 and 0.10000000149: the shortest that is the same float. */
void mw_mapinfo_push_number(lua_State *L, double v)
{
	char text[MW_NUM_TEXT];
	mw_sv s = {text, 0};
	double nice;

	if (v == floor(v) && v > -1e15 && v < 1e15 && !(v == 0 && signbit(v))) {
		lua_pushinteger(L, (lua_Integer)v);
		return;
	}
	s.n = mw_num_text_f32((float)v, text);
	lua_pushnumber(L, isfinite(v) && mw_num_parse(s, &nice) ? nice : v);
}

static mw_code copy_value(evaluator *ev, lua_State *S, place *at);

static void lower_text(const char *from, size_t n, char *to)
{
	for (size_t i = 0; i < n; i++)
		to[i] = lower(from[i]);
}

/* Where keys fall together: the lower-case one wins, else the first by its bytes; the host's table
 * of spellings at spelled remembers which it was. */
static bool key_wins(
	evaluator *ev, lua_State *S, const place *at, int spelled, mw_sv key, const char *low)
{
	lua_State *L = ev->L;
	const char *before;
	bool wins = true;

	MW_UNUSED(S);
	lua_pushlstring(L, low, key.n);
	if (lua_rawget(L, spelled) == LUA_TSTRING) {
		size_t n;
		char text[256];
		place inner = {at, NULL, ""};

		before = lua_tolstring(L, -1, &n);
		if (memcmp(before, low, n) == 0)
			wins = false;
		else
			wins = memcmp(key.p, low, key.n) == 0 || memcmp(key.p, before, n) < 0;
		mw_format(inner.name, sizeof inner.name, "%.*s", (int)key.n, low);
		path_text(&inner, text, sizeof text);
		add_event(ev, NULL, "case-duplicate", text);
	}
	lua_pop(L, 1);
	if (wins) {
		lua_pushlstring(L, low, key.n);
		lua_pushlstring(L, key.p, key.n);
		lua_rawset(L, spelled);
	}
	return wins;
}

/* The table on top of S into a new one on top of L. */
static mw_code copy_table(evaluator *ev, lua_State *S, place *at)
{
	lua_State *L = ev->L;
	mw_ctx *cx = mw_lx_ctx(L);
	int to, spelled, depth = 0;
	mw_code code = MW_OK;

	for (const place *p = at->outer; p; p = p->outer, depth++) {
		if (p->table == at->table) {
			char path[512];

			path_text(at, path, sizeof path);
			add_event(ev, NULL, "cycle", path);
			return mw_fail(cx, MW_EFORMAT, "the table contains itself at %s", path);
		}
	}
	if (depth > MAX_DEPTH)
		return mw_fail(cx, MW_ELIMIT, "tables are nested deeper than %d", MAX_DEPTH);
	luaL_checkstack(L, 8, "result");
	if (!lua_checkstack(S, 8))
		return mw_fail(cx, MW_ELIMIT, "tables are nested too deep");
	lua_newtable(L);
	to = lua_gettop(L);
	lua_newtable(L);
	spelled = to + 1;
	for (lua_pushnil(S); code == MW_OK && lua_next(S, -2);) {
		place inner = {at, NULL, ""};
		int key = lua_type(S, -2);

		if (key == LUA_TNUMBER) {
			double k = lua_tonumber(S, -2);
			char text[MW_NUM_TEXT];

			mw_num_text(k, text);
			mw_format(inner.name, sizeof inner.name, "[%s]", text);
			mw_mapinfo_push_number(L, k);
		} else if (key == LUA_TSTRING) {
			mw_sv name;
			char low[512];

			name.p = lua_tolstring(S, -2, &name.n);
			if (name.n >= sizeof low) {
				path_event(ev, at, "long-key");
				lua_pop(S, 1);
				continue;
			}
			lower_text(name.p, name.n, low);
			mw_format(inner.name, sizeof inner.name, "%.*s", (int)name.n, name.p);
			if (ev->keep_case) {
				lua_pushlstring(L, name.p, name.n);
			} else {
				if (!key_wins(ev, S, at, spelled, name, low)) {
					lua_pop(S, 1);
					continue;
				}
				if (memcmp(low, name.p, name.n) != 0)
					note_mixed_case(ev, &inner);
				lua_pushlstring(L, low, name.n);
			}
		} else {
			path_event(ev, at, "odd-key");
			lua_pop(S, 1);
			continue;
		}
		code = copy_value(ev, S, &inner);
		if (code == MW_OK)
			lua_rawset(L, to);
		if (code == MW_OK)
			lua_pop(S, 1);
	}
	lua_settop(L, to);
	return code;
}

/* The value on top of S onto L; functions and the like as nil. */
static mw_code copy_value(evaluator *ev, lua_State *S, place *at)
{
	lua_State *L = ev->L;
	double v;
	size_t n;
	const char *s;

	if (++ev->nodes > MAX_NODES)
		return mw_fail(
			mw_lx_ctx(L), MW_ELIMIT, "the table has more than %d values", MAX_NODES);
	switch (lua_type(S, -1)) {
	case LUA_TNUMBER:
		v = (double)(float)lua_tonumber(S, -1);
		if (!isfinite(v))
			path_event(ev, at, "not-finite");
		mw_mapinfo_push_number(L, v);
		return MW_OK;
	case LUA_TSTRING:
		s = lua_tolstring(S, -1, &n);
		lua_pushlstring(L, s, n);
		return MW_OK;
	case LUA_TBOOLEAN:
		lua_pushboolean(L, lua_toboolean(S, -1));
		return MW_OK;
	case LUA_TTABLE:
		at->table = lua_topointer(S, -1);
		return copy_table(ev, S, at);
	default:
		path_event(ev, at, "odd-value");
		lua_pushnil(L);
		return MW_OK;
	}
}

/* ---- the binding
 * ------------------------------------------------------------------------------------------ */

typedef struct {
	mw_sandbox *sb;
} sandbox_box;

static void free_sandbox(mw_ctx *cx, void *payload)
{
	sandbox_box *box = payload;

	MW_UNUSED(cx);
	mw_sandbox_free(box->sb);
	box->sb = NULL;
}

static const mw_lx_type sandbox_type = {"mapwright.sandbox", free_sandbox};

void mw_mapinfo_eval_open(lua_State *L)
{
	mw_lx_type_define(L, &sandbox_type, NULL);
}

static const char *end_name(mw_sandbox_end end)
{
	static const char *const names[] = {"result", "syntax", "runtime", "steps", "memory"};

	return names[end];
}

/* Push nil and {kind, message, file, line} for what cx recorded. */
static int push_failure(lua_State *L, const char *kind)
{
	mw_ctx *cx = mw_lx_ctx(L);

	if (cx->err.code == MW_ENOMEM)
		return mw_lx_raise(L);
	lua_pushnil(L);
	lua_createtable(L, 0, 4);
	lua_pushstring(L, kind);
	lua_setfield(L, -2, "kind");
	lua_pushstring(L, cx->err.msg);
	lua_setfield(L, -2, "message");
	lua_pushstring(L, cx->err.subject);
	lua_setfield(L, -2, "file");
	if (cx->err.line > 0) {
		lua_pushinteger(L, cx->err.line);
		lua_setfield(L, -2, "line");
	}
	mw_err_clear(cx);
	return 2;
}

static int given(lua_State *L, int idx, int type)
{
	if (lua_isnoneornil(L, idx))
		return 0;
	luaL_checktype(L, idx, type);
	return idx;
}

int mw_mapinfo_l_run(lua_State *L)
{
	mw_sv text = mw_lx_str(L, 1, "text"), name = mw_lx_str(L, 2, "name");
	mw_ctx *cx = mw_lx_ctx(L);
	evaluator ev = {L, 0, 0, 7, false, 0, ""};
	extras x = {L, 0, 0};
	place root = {NULL, NULL, ""};
	sandbox_box *box;
	lua_State *S;
	mw_code code;

	lua_settop(L, 6);
	ev.names = given(L, 3, LUA_TTABLE);
	ev.read = given(L, 4, LUA_TFUNCTION);
	x.options = given(L, 5, LUA_TTABLE);
	x.map = given(L, 6, LUA_TTABLE);
	if (ev.names && !ev.read)
		return mw_lx_bad(L, 4, "read", "expected a function");
	lua_newtable(L); /* 7: events */
	box = mw_lx_new(L, &sandbox_type, sizeof *box);
	box->sb = mw_sandbox_new(cx, NULL);
	if (!box->sb)
		return mw_lx_raise(L);
	mw_sandbox_set_user(box->sb, &ev);
	S = mw_sandbox_lua(box->sb);
	lua_pushcfunction(S, open_globals);
	if (lua_pcall(S, 0, 0, 0) != LUA_OK)
		goto no_memory;
	lua_pushcfunction(S, open_extras);
	lua_pushlightuserdata(S, &x);
	if (lua_pcall(S, 1, 0, 0) != LUA_OK)
		goto no_memory;
	lua_settop(L, 8);
	code = mw_sandbox_load(box->sb, text.p, text.n, name.p);
	if (code == MW_OK)
		code = mw_sandbox_run(box->sb);
	lua_settop(L, 8); /* what a raise in S left behind */
	if (code != MW_OK) {
		push_failure(L, end_name(mw_sandbox_ended(box->sb)));
		lua_pushvalue(L, 7);
		return 3;
	}
	lua_pushboolean(L, lua_istable(S, -1));
	if (lua_istable(S, -1)) {
		/* S raises no more: lua_next, lua_tolstring of texts and checkstack are safe */
		code = copy_value(&ev, S, &root);
		if (code != MW_OK) {
			lua_settop(L, 8);
			push_failure(L, "result");
			lua_pushvalue(L, 7);
			return 3;
		}
	} else {
		lua_newtable(L);
		lua_pushstring(L, luaL_typename(S, -1));
		lua_replace(L, 9);
	}
	if (ev.mixed[0])
		add_event(&ev, NULL, "mixed-case", ev.mixed);
	lua_pushvalue(L, 7);
	lua_pushvalue(L, 9);
	free_sandbox(cx, box);
	return 3; /* table, events, true or the type of what came instead */
no_memory:
	mw_fail(cx, MW_ENOMEM, "out of memory: Lua state");
	return mw_lx_raise(L);
}

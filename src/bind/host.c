#include "bind/host.h"

#include "base/fs.h"
#include "base/pool.h"
#include "base/str.h"
#include "bind/embed.h"
#include "bind/lx.h"
#include "bind/modules.h"

#include <lfs.h>
#include <lualib.h>
#include <string.h>

struct mw_host {
	mw_ctx *cx;
	lua_State *L;
	char *lua_root; /* NULL: embedded modules only */
	mw_pool *pool;  /* what set_threads made, or NULL */
	mw_log log;     /* takes the place of a context's missing log */
	mw_host_messages pending;
};

/* A run that warns more often than this says the same thing over and over. */
#define MAX_PENDING 10000

mw_host *mw_host_of(lua_State *L)
{
	mw_host *host;

	memcpy(&host, lua_getextraspace(L), sizeof host);
	return host;
}

mw_ctx *mw_host_ctx(mw_host *host)
{
	return host->cx;
}

lua_State *mw_host_lua(mw_host *host)
{
	return host->L;
}

mw_host_messages *mw_host_pending(mw_host *host)
{
	return &host->pending;
}

static char *copy_text(mw_ctx *cx, const char *text)
{
	size_t n = text ? strlen(text) + 1 : 0;
	char *copy = n ? mw_alloc(cx, n) : NULL;

	if (copy)
		memcpy(copy, text, n);
	return copy;
}

static void keep_message(void *ud, mw_log_level level, const char *id, const char *text)
{
	mw_host *host = ud;
	mw_host_message m = {level, NULL, NULL};

	if (host->pending.n >= MAX_PENDING)
		return;
	m.id = copy_text(host->cx, id);
	m.text = copy_text(host->cx, text);
	if (!m.text || !MW_PUSH(host->cx, &host->pending, m)) {
		mw_free(host->cx, m.id);
		mw_free(host->cx, m.text);
	}
}

mw_code mw_host_set_threads(mw_host *host, int n)
{
	mw_pool *pool = mw_pool_new(host->cx, n);

	if (!pool)
		return MW_ENOMEM;
	mw_pool_free(host->pool);
	host->pool = pool;
	host->cx->pool = pool;
	return MW_OK;
}

static void *lua_alloc(void *ud, void *ptr, size_t osize, size_t nsize)
{
	mw_ctx *cx = ud;

	return cx->alloc(cx->alloc_ud, ptr, osize, nsize);
}

/* "mapwright.target.bar" -> "mapwright/target/bar.lua", the library's own folder left out. */
static void module_file(const char *name, char *out, size_t size, const char *init)
{
	mw_format(out, size, "%s%s.lua", name, init);
	for (char *p = out; *p && strcmp(p, ".lua") != 0; p++)
		if (*p == '.')
			*p = '/';
}

static int load_from_disk(lua_State *L, const char *root, const char *name)
{
	static const char *const inits[] = {"", "/init"};
	char file[512], path[1024], chunk[520];

	for (size_t i = 0; i < MW_COUNTOF(inits); i++) {
		mw_ctx *cx = mw_lx_ctx(L);
		uint8_t *text;
		size_t n;
		int status;

		module_file(name, file, sizeof file, inits[i]);
		mw_format(path, sizeof path, "%s/%s", root, file);
		if (mw_fs_kind_of(path) != MW_FS_FILE)
			continue;
		mw_format(chunk, sizeof chunk, "=%s", file);
		mw_lx_check(L, mw_fs_read(cx, &text, &n, path));
		status = luaL_loadbufferx(L, (const char *)text, n, chunk, "t");
		mw_free(cx, text);
		if (status != LUA_OK)
			return lua_error(L);
		lua_pushstring(L, path);
		return 2;
	}
	return 0;
}

/* Searcher: MAPWRIGHT_LUA's folder first, then what is embedded. Chunk names start with
 * "=mapwright/", by which errors know the library's frames from the user's. */
static int search(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1);
	mw_host *host = mw_host_of(L);
	char file[512], chunk[520];

	if (strncmp(name, "mapwright", 9) != 0 || (name[9] && name[9] != '.'))
		return 0;
	if (host->lua_root) {
		int found = load_from_disk(L, host->lua_root, name);

		if (found)
			return found;
	}
	for (size_t i = 0; i < mw_embed_count; i++) {
		if (strcmp(mw_embed_files[i].name, name) != 0)
			continue;
		module_file(name, file, sizeof file, "");
		mw_format(chunk, sizeof chunk, "=%s", file);
		if (luaL_loadbufferx(L, (const char *)mw_embed_files[i].data,
			    mw_embed_files[i].size, chunk, "t") != LUA_OK)
			return lua_error(L);
		lua_pushliteral(L, "(embedded)");
		return 2;
	}
	lua_pushfstring(L, "no embedded module '%s'", name);
	return 1;
}

static int open_all(lua_State *L)
{
	luaL_openlibs(L);
	luaL_requiref(L, "lfs", luaopen_lfs, 0);
	luaL_requiref(L, "mapwright.core", mw_luaopen_core, 0);
	lua_settop(L, 0);
	lua_getglobal(L, "package");
	lua_getfield(L, -1, "searchers");
	lua_getglobal(L, "table");
	lua_getfield(L, -1, "insert");
	lua_pushvalue(L, -3);
	lua_pushinteger(L, 2); /* behind package.preload */
	lua_pushcfunction(L, search);
	lua_call(L, 3, 0);
	return 0;
}

mw_host *mw_host_new(mw_ctx *cx, const char *lua_root)
{
	mw_host *host = mw_zalloc(cx, sizeof *host);

	if (!host)
		return NULL;
	host->cx = cx;
	if (!cx->log)
		cx->log = &host->log;
	cx->log->message = keep_message;
	cx->log->ud = host;
	if (lua_root && *lua_root) {
		host->lua_root = mw_alloc(cx, strlen(lua_root) + 1);
		if (!host->lua_root)
			goto fail;
		memcpy(host->lua_root, lua_root, strlen(lua_root) + 1);
	}
	host->L = lua_newstate(lua_alloc, cx);
	if (!host->L) {
		mw_fail(cx, MW_ENOMEM, "out of memory: Lua state");
		goto fail;
	}
	memcpy(lua_getextraspace(host->L), &host, sizeof host);
	lua_pushcfunction(host->L, open_all);
	if (lua_pcall(host->L, 0, 0, 0) != LUA_OK) {
		if (cx->err.code == MW_OK)
			mw_fail(cx, MW_ENOMEM, "%s", lua_tostring(host->L, -1));
		goto fail;
	}
	return host;
fail:
	mw_host_free(host);
	return NULL;
}

void mw_host_free(mw_host *host)
{
	if (!host)
		return;
	if (host->L)
		lua_close(host->L);
	for (size_t i = 0; i < host->pending.n; i++) {
		mw_free(host->cx, host->pending.v[i].id);
		mw_free(host->cx, host->pending.v[i].text);
	}
	mw_free(host->cx, host->pending.v);
	if (host->pool) {
		host->cx->pool = NULL;
		mw_pool_free(host->pool);
	}
	if (host->cx->log == &host->log)
		host->cx->log = NULL;
	else if (host->cx->log)
		host->cx->log->message = NULL;
	mw_free(host->cx, host->lua_root);
	mw_free(host->cx, host);
}

#include "format/mapinfo/mapinfo_eval.h"

#include "base/str.h"
#include "bind/lx.h"
#include "bind/sandbox.h"
#include "format/mapinfo/mapinfo_eval_internal.h"

/* Runs one Lua file of a map as the engine's parser does and hands the table it returns to the host
 * state, keys in lower case. */

#define MAX_EVENTS 200

/* ---- events: what the engine would stumble over ---------------------------------------------- */

void mw__eval_event(mw__evaluator *ev, lua_State *S, const char *kind, const char *text)
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

mw__evaluator *mw__eval_of(lua_State *S)
{
	return mw_sandbox_user(mw_sandbox_of(S));
}

/* ---- the binding ----------------------------------------------------------------------------- */

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
	mw__evaluator ev = {L, 0, 0, 7, false, 0, ""};
	mw__eval_extras x = {L, 0, 0};
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
	lua_pushcfunction(S, mw__eval_open_globals);
	if (lua_pcall(S, 0, 0, 0) != LUA_OK)
		goto no_memory;
	lua_pushcfunction(S, mw__eval_open_extras);
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
		/* lua_next, lua_tolstring of texts and checkstack of S are safe */
		code = mw__eval_copy(&ev, S);
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
		mw__eval_event(&ev, NULL, "mixed-case", ev.mixed);
	lua_pushvalue(L, 7);
	lua_pushvalue(L, 9);
	free_sandbox(cx, box);
	return 3; /* table, events, true or the type of what came instead */
no_memory:
	mw_fail(cx, MW_ENOMEM, "out of memory: Lua state");
	return mw_lx_raise(L);
}

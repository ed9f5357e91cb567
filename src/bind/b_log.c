/* core.log: warnings and stage figures of this run, for the command line to print. */
#include "base/log.h"
#include "base/mem.h"
#include "bind/host.h"
#include "bind/lx.h"
#include "bind/modules.h"

#include <unistd.h>

/* put(level, id or nil, text): to the sink that cli installed */
static int l_put(lua_State *L)
{
	static const char *const levels[] = {"debug", "info", "warning"};
	int level = mw_lx_enum(L, 1, "level", levels, 3);
	const char *id = lua_isnoneornil(L, 2) ? NULL : luaL_checkstring(L, 2);

	mw_log_put(mw_lx_ctx(L), (mw_log_level)level, id, "%s", luaL_checkstring(L, 3));
	return 0;
}

/* drain() -> list of {level, id or nil, text} recorded since the last call */
static int l_drain(lua_State *L)
{
	static const char *const levels[] = {"debug", "info", "warning"};
	mw_host_messages *pending = mw_host_pending(mw_host_of(L));
	mw_ctx *cx = mw_lx_ctx(L);

	lua_newtable(L);
	for (size_t i = 0; i < pending->n; i++) {
		lua_createtable(L, 0, 3);
		lua_pushstring(L, levels[pending->v[i].level]);
		lua_setfield(L, -2, "level");
		lua_pushstring(L, pending->v[i].id);
		lua_setfield(L, -2, "id");
		lua_pushstring(L, pending->v[i].text);
		lua_setfield(L, -2, "text");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	for (size_t i = 0; i < pending->n; i++) {
		mw_free(cx, pending->v[i].id);
		mw_free(cx, pending->v[i].text);
	}
	pending->n = 0;
	return 1;
}

/* stats() -> list of {stage, wall, cpu, items, bytes, peak} of the stages that ran */
static int l_stats(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	lua_Integer n = 0;

	lua_newtable(L);
	for (int i = 0; cx->log && i < MW_STAGE_COUNT; i++) {
		const mw_stage_stats *s = &cx->log->stats[i];

		if (!s->runs)
			continue;
		lua_createtable(L, 0, 6);
		lua_pushstring(L, mw_stage_name((mw_stage)i));
		lua_setfield(L, -2, "stage");
		lua_pushnumber(L, s->wall);
		lua_setfield(L, -2, "wall");
		lua_pushnumber(L, s->cpu);
		lua_setfield(L, -2, "cpu");
		lua_pushinteger(L, (lua_Integer)s->items);
		lua_setfield(L, -2, "items");
		lua_pushinteger(L, (lua_Integer)s->bytes);
		lua_setfield(L, -2, "bytes");
		lua_pushinteger(L, (lua_Integer)s->peak_bytes);
		lua_setfield(L, -2, "peak");
		lua_rawseti(L, -2, ++n);
	}
	return 1;
}

/* quiet(): no progress from here on */
static int l_quiet(lua_State *L)
{
	if (mw_lx_ctx(L)->log)
		mw_lx_ctx(L)->log->progress = NULL;
	return 0;
}

/* process() -> {wall, cpu, peak} of the program so far */
static int l_process(lua_State *L)
{
	mw_process_stats s = mw_process_measure();

	lua_createtable(L, 0, 3);
	lua_pushnumber(L, s.wall);
	lua_setfield(L, -2, "wall");
	lua_pushnumber(L, s.cpu);
	lua_setfield(L, -2, "cpu");
	lua_pushinteger(L, (lua_Integer)s.peak_bytes);
	lua_setfield(L, -2, "peak");
	return 1;
}

/* terminal() -> whether messages go to a terminal */
static int l_terminal(lua_State *L)
{
	lua_pushboolean(L, isatty(STDERR_FILENO));
	return 1;
}

/* wipe(): take the progress line away before a message */
static int l_wipe(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);

	if (cx->log && cx->log->wipe)
		cx->log->wipe(cx->log->progress_ud);
	return 0;
}

static const mw_lx_type run_type = {"mapwright.stage", NULL};

/* begin(stage) -> run; run:done(items, bytes) */
static int l_begin(lua_State *L)
{
	const char *names[MW_STAGE_COUNT];
	mw_stage_run *run;

	for (int i = 0; i < MW_STAGE_COUNT; i++)
		names[i] = mw_stage_name((mw_stage)i);
	run = mw_lx_new(L, &run_type, sizeof *run);
	*run = mw_stage_begin(
		mw_lx_ctx(L), (mw_stage)mw_lx_enum(L, 1, "stage", names, MW_STAGE_COUNT));
	return 1;
}

static int l_done(lua_State *L)
{
	mw_stage_run *run = mw_lx_arg(L, 1, &run_type);

	mw_stage_end(mw_lx_ctx(L), *run, (uint64_t)luaL_optinteger(L, 2, 0),
		(uint64_t)luaL_optinteger(L, 3, 0));
	return 0;
}

int mw_luaopen_log(lua_State *L)
{
	static const luaL_Reg methods[] = {{"done", l_done}, {NULL, NULL}};
	static const luaL_Reg functions[] = {{"put", l_put}, {"drain", l_drain}, {"stats", l_stats},
		{"process", l_process}, {"terminal", l_terminal}, {"wipe", l_wipe},
		{"quiet", l_quiet}, {"begin", l_begin}, {NULL, NULL}};

	mw_lx_type_define(L, &run_type, methods);
	luaL_newlib(L, functions);
	return 1;
}

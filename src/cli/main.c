/* argv -> host -> lua/mapwright/cli. Exit status: 0 done, 1 the work failed, 2 wrong command line.
 */
#include "base/ctx.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/mem.h"
#include "bind/host.h"
#include "cli/progress.h"

#include <lauxlib.h>
#include <lua.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Interrupted: leave no half file, keep the old one. */
static void on_signal(int sig)
{
	mw_fs_discard_all_unfinished();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void catch_signals(void)
{
	static const int stop[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
	struct sigaction sa;

	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on_signal;
	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < MW_COUNTOF(stop); i++)
		sigaction(stop[i], &sa, NULL);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL); /* a closed pipe and a file-size limit become */
	sigaction(SIGXFSZ, &sa, NULL); /* write errors, which have a message */
}

static int traceback(lua_State *L)
{
	if (lua_type(L, 1) == LUA_TSTRING)
		luaL_traceback(L, L, lua_tostring(L, 1), 1);
	else
		luaL_tolstring(L, 1, NULL);
	return 1;
}

/* Called protected: pushes argv and runs require("mapwright.cli").main(argv) -> status. */
static int run(lua_State *L)
{
	char **argv = lua_touserdata(L, 1);

	lua_getglobal(L, "require");
	lua_pushliteral(L, "mapwright.cli");
	lua_call(L, 1, 1);
	lua_getfield(L, -1, "main");
	lua_newtable(L);
	for (int i = 0; argv[i]; i++) {
		lua_pushstring(L, argv[i]);
		lua_rawseti(L, -2, i);
	}
	lua_call(L, 1, 1);
	return 1;
}

int main(int argc, char **argv)
{
	mw_progress progress;
	mw_log log = {0};
	mw_host *host;
	lua_State *L;
	mw_isa isa;
	mw_ctx cx;
	const char *forced = getenv("MAPWRIGHT_ISA");
	int status = 1;

	MW_UNUSED(argc);
	catch_signals();
	mw_ctx_init(&cx);
	mw_progress_init(&progress, &log);
	cx.log = &log;
	if (forced && *forced) {
		if (!mw_isa_from_name(forced, &isa) || isa > mw_isa_detect()) {
			fprintf(stderr,
				"mapwright: MAPWRIGHT_ISA=%s: must be portable, sse41 or avx2, "
				"and one that this machine has (%s)\n",
				forced, mw_isa_name(mw_isa_detect()));
			return 2;
		}
		cx.isa = isa;
	}
	host = mw_host_new(&cx, getenv("MAPWRIGHT_LUA"));
	if (!host || mw_host_set_threads(host, 0) != MW_OK) {
		fprintf(stderr, "mapwright: %s\n", cx.err.msg);
		return 1;
	}
	L = mw_host_lua(host);
	lua_pushcfunction(L, traceback);
	lua_pushcfunction(L, run);
	lua_pushlightuserdata(L, argv);
	if (lua_pcall(L, 1, 1, 1) == LUA_OK)
		status = (int)lua_tointeger(L, -1);
	else
		fprintf(stderr, "mapwright: %s\n", lua_tostring(L, -1));
	mw_progress_end(&progress);
	mw_host_free(host);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "mapwright: cannot write to standard output\n");
		status = status ? status : 1;
	}
	return status;
}

/* The host: one Lua state with the core preloaded, embedded modules, one allocator for C and Lua.
 */
#ifndef MW_BIND_HOST_H
#define MW_BIND_HOST_H

#include "base/ctx.h"
#include "base/log.h"
#include "base/mem.h"

typedef struct lua_State lua_State;
typedef struct mw_host mw_host;

/* cx must outlive the host. Opens the standard libraries, lfs and `mapwright.core`, and puts a
 * searcher for the embedded modules (or the folder `lua_root`, when given: edit without rebuilding)
 * in front. NULL with MW_ENOMEM recorded. [owned: caller] */
mw_host *mw_host_new(mw_ctx *cx, const char *lua_root);
void mw_host_free(mw_host *host);

lua_State *mw_host_lua(mw_host *host);
mw_ctx *mw_host_ctx(mw_host *host);
/* The host a state (or one of its coroutines) belongs to. */
mw_host *mw_host_of(lua_State *L);

/* Replace the context's pool by one of n threads (0: one per core), owned by the host. */
MW_NODISCARD mw_code mw_host_set_threads(mw_host *host, int n);

/* Warnings recorded by the core wait here until Lua fetches them (core.log.drain): they can come
 * from inside a C call, when no Lua may run. */
typedef struct {
	mw_log_level level;
	char *id; /* may be NULL */
	char *text;
} mw_host_message;
typedef MW_ARRAY(mw_host_message) mw_host_messages;
mw_host_messages *mw_host_pending(mw_host *host);

#endif

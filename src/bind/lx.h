/* What every binding file uses: the context behind a state, typed userdata, argument checks,
 * raising from an error record. C functions are positional and private; Lua above them checks
 * options and words messages for people. */
#ifndef MW_BIND_LX_H
#define MW_BIND_LX_H

#include "base/ctx.h"
#include "base/val.h"

#include <lua.h>
#include <lauxlib.h>

/* The context of the host this state belongs to. Its error slot is empty on entry of a binding. */
mw_ctx *mw_lx_ctx(lua_State *L);

/* Raise what cx's error slot holds as an error object {code, file, line, offset, message, at} and
 * empty the slot. Where `at` is the user's own "file:line". Never returns. */
int mw_lx_raise(lua_State *L);
/* Raise unless code is MW_OK. Anything owned must sit in a userdata or arena box by then. */
void mw_lx_check(lua_State *L, mw_code code);
/* Push that error object instead (for nil, err results) and empty the slot. */
void mw_lx_push_error(lua_State *L);

/* Typed userdata. free gets the payload, must accept a zeroed one and be idempotent. */
typedef struct {
	const char *name; /* metatable name, "mapwright.field" */
	void (*free)(mw_ctx *cx, void *payload);
} mw_lx_type;

/* Create the metatable with these methods (__index = itself, __gc, __close, __name). Call once per
 * state, in the open function. methods may hold metamethods ("__len") and may be NULL. */
void mw_lx_type_define(lua_State *L, const mw_lx_type *type, const luaL_Reg *methods);
/* Push a zeroed payload of size bytes. Push it before anything that can fail. [owned: Lua] */
void *mw_lx_new(lua_State *L, const mw_lx_type *type, size_t size);
/* The payload at idx or an argument error. */
void *mw_lx_arg(lua_State *L, int idx, const mw_lx_type *type);
/* The payload at idx or NULL. */
void *mw_lx_test(lua_State *L, int idx, const mw_lx_type *type);

/* An arena freed with the box it lives in; pushes the box. */
mw_arena *mw_lx_arena(lua_State *L);

/* Argument checks; name is for the message: "width: 128.5 is not a whole number". */
int64_t mw_lx_int(lua_State *L, int idx, const char *name, int64_t min, int64_t max);
double mw_lx_num(lua_State *L, int idx, const char *name); /* finite */
double mw_lx_num_in(lua_State *L, int idx, const char *name, double min, double max);
bool mw_lx_bool(lua_State *L, int idx);                   /* nil is false */
mw_sv mw_lx_str(lua_State *L, int idx, const char *name); /* [borrowed from the stack slot] */
/* Index of the string at idx in names[0..n-1]; lists all of them otherwise. */
int mw_lx_enum(lua_State *L, int idx, const char *name, const char *const *names, int n);
/* Argument error with a name: never returns. */
int mw_lx_bad(lua_State *L, int idx, const char *name, const char *fmt, ...) MW_PRINTF(4, 5);

/* Value trees to and from Lua tables. Lists are 1..n; maps have string keys, bytewise order.
 * mw_lx_to_val raises on cycles, functions and mixed tables. An empty table is a list. */
void mw_lx_push_val(lua_State *L, const mw_val *v);
mw_val mw_lx_to_val(lua_State *L, int idx, mw_arena *a);

/* "file:line" of the first frame that is not the library's own, or "" when there is none: after
 * `return mw.f{}` in a function that is the line of that function's call. Pushes a string. */
void mw_lx_push_where(lua_State *L);

#endif

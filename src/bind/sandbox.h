/* A second Lua state for programs of strangers, with the ways of the engine's Lua 5.1: text only,
 * numbers of 32 bits, no way out, and an end to its steps, memory and time. */
#ifndef MW_BIND_SANDBOX_H
#define MW_BIND_SANDBOX_H

#include "base/ctx.h"

#include <lua.h>

typedef struct {
	uint64_t steps;        /* instructions, and what C functions reckon as such */
	uint32_t milliseconds; /* of processor time: the last resort, as steps end sooner */
	size_t memory;         /* [unit: byte] of the whole state */
	size_t string;         /* [unit: byte] the longest that one call may make */
} mw_sandbox_limits;

/* 50 million steps, 1500 ms, 64 MiB, 16 MiB. */
mw_sandbox_limits mw_sandbox_limits_default(void);

typedef struct mw_sandbox mw_sandbox;

/* Globals: the base, coroutine, math, string and table functions that the engine's parsers have
 * (rts/Lua/LuaParser.cpp:123-201), nothing else. pairs goes by sorted keys, so that a run is the
 * same each time. NULL with MW_ENOMEM recorded. [owned: caller] [limits: NULL for the default] */
mw_sandbox *mw_sandbox_new(mw_ctx *cx, const mw_sandbox_limits *limits);
void mw_sandbox_free(mw_sandbox *sb);

lua_State *mw_sandbox_lua(mw_sandbox *sb);
/* The sandbox a state, or a coroutine of it, belongs to. */
mw_sandbox *mw_sandbox_of(lua_State *L);
mw_ctx *mw_sandbox_ctx(mw_sandbox *sb);

/* For the functions that a caller adds. [borrowed] */
void mw_sandbox_set_user(mw_sandbox *sb, void *user);
void *mw_sandbox_user(mw_sandbox *sb);

typedef enum {
	MW_SANDBOX_OK,
	MW_SANDBOX_SYNTAX, /* the text is no Lua 5.1 */
	MW_SANDBOX_ERROR,  /* it raised */
	MW_SANDBOX_STEPS,  /* steps or time */
	MW_SANDBOX_MEMORY
} mw_sandbox_end;

/* How the last failed call of mw_sandbox_load or mw_sandbox_run ended. */
mw_sandbox_end mw_sandbox_ended(const mw_sandbox *sb);

/* Translate and load text; the function is left on the stack of the state. name is what messages
 * call it. MW_EFORMAT with line recorded, MW_ELIMIT, MW_ENOMEM. */
MW_NODISCARD mw_code mw_sandbox_load(mw_sandbox *sb, const char *text, size_t n, const char *name);

/* Call the function on top of the stack, without arguments, for one result, which is left there.
 * MW_EFORMAT with the line and the file's name as subject; MW_ELIMIT when it was stopped;
 * MW_ENOMEM when the outside is out of memory. */
MW_NODISCARD mw_code mw_sandbox_run(mw_sandbox *sb);

/* Inside functions of the sandbox: push the translated function, or nil and a message and return
 * false. chunk is as for lua_load ("=name" or the text itself). */
bool mw_sandbox_compile(lua_State *L, const char *text, size_t n, const char *chunk);
/* Push the environment of the Lua function that called (level 1), or of a deeper one. */
void mw_sandbox_push_env(lua_State *L, int level);
/* Give the function at idx an environment of its own: the table on top, which is popped. False when
 * it has none (a C function). */
bool mw_sandbox_set_env(lua_State *L, int idx);
/* Reckon n steps; raises when they are used up. */
void mw_sandbox_spend(lua_State *L, uint64_t n);
/* The text at idx, numbers written as the engine does; an argument error for others. Replaces the
 * stack slot. [borrowed from it] */
const char *mw_sandbox_text(lua_State *L, int idx, size_t *n);
/* Push the text of any value, as tostring does. */
void mw_sandbox_push_text(lua_State *L, int idx);

#endif

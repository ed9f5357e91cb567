/* What the files of the sandbox share. */
#ifndef MW_BIND_SANDBOX_LIB_H
#define MW_BIND_SANDBOX_LIB_H

#include "bind/sandbox.h"

#include "base/str.h"

#include <lauxlib.h>

/* Fill the globals of the state. Unprotected. */
void mw__sandbox_open_base(lua_State *L);
void mw__sandbox_open_math(lua_State *L);
void mw__sandbox_open_table(lua_State *L);
void mw__sandbox_open_string(lua_State *L);
/* pairs by a sorted list of the keys: stock Lua's order differs from run to run. */
int mw__sandbox_pairs(lua_State *L);
/* Push the helpers that translated programs call: _mw_f _mw_m _mw_c _mw_r _mw_a. */
void mw__sandbox_push_helpers(lua_State *L);

/* A number as the engine holds it. */
void mw__sandbox_push_number(lua_State *L, double v);
/* Push a number's text. */
void mw__sandbox_push_number_text(lua_State *L, double v);
/* The number at idx, also of a string; false otherwise. */
bool mw__sandbox_to_number(lua_State *L, int idx, double *v);
double mw__sandbox_number(lua_State *L, int idx);
/* As luaL_checkinteger of 5.1: cut towards zero. */
lua_Integer mw__sandbox_int(lua_State *L, int idx);
lua_Integer mw__sandbox_opt_int(lua_State *L, int idx, lua_Integer otherwise);

/* Longest string a call may make. */
size_t mw__sandbox_string_max(lua_State *L);
/* Whether it was stopped: such an error is not for pcall. */
bool mw__sandbox_stopped(lua_State *L);
void mw__sandbox_stop(lua_State *L, mw_sandbox_end why);
/* Stop because an allocation outside of the state failed; never returns. */
int mw__sandbox_no_memory(lua_State *L);

/* ---- patterns (sandbox_pattern.c) -------------------------------------------------------------
 */

#define MW_PATTERN_CAPTURES 32

typedef struct {
	const char *start; /* NULL: open */
	ptrdiff_t n;       /* MW_PATTERN_POSITION: a place, not a text */
} mw__capture;
#define MW_PATTERN_POSITION (-1)
#define MW_PATTERN_OPEN (-2)

typedef struct {
	lua_State *L;
	const char *text, *text_end, *pattern_end;
	int depth;
	int captures_n;
	mw__capture captures[MW_PATTERN_CAPTURES];
} mw__matcher;

/* Match pattern at s; the end of the match or NULL. Raises on a malformed pattern and when the
 * steps are used up. */
const char *mw__pattern_match(mw__matcher *m, const char *s, const char *pattern);

#endif

/* Shared by the files of the evaluator. Two states meet here: S is the sandbox, L the host. Belongs
 * to the layer bind. */
#ifndef MW_FORMAT_MAPINFO_MAPINFO_EVAL_INTERNAL_H
#define MW_FORMAT_MAPINFO_MAPINFO_EVAL_INTERNAL_H

#include "format/mapinfo/mapinfo_eval.h"

#include "base/ctx.h"

typedef struct {
	lua_State *L; /* the host */
	int names;  /* index of the sorted list of paths, in lower case, or 0: nothing is mounted */
	int read;   /* index of function(path) -> bytes or nil */
	int events; /* index of the list that is filled */
	bool keep_case;
	int nodes;
	char mixed[512]; /* the first path, by its bytes, whose key is not in lower case */
} mw__evaluator;

/* The evaluator that runs in S. */
mw__evaluator *mw__eval_of(lua_State *S);
/* Append {kind, line, file, text} to the host's list. S: whose line it is, or NULL. [text: may be
 * NULL] */
void mw__eval_event(mw__evaluator *ev, lua_State *S, const char *kind, const char *text);

/* Where the host has what Spring.GetMapOptions returns and the fields of Map; 0: neither exists. */
typedef struct {
	lua_State *L;
	int options, map; /* indices of tables of texts */
} mw__eval_extras;

/* Set the global VFS. Unprotected. */
void mw__eval_open_vfs(lua_State *S);
/* Functions of S: globals of every run; those of this one, from a light mw__eval_extras. */
int mw__eval_open_globals(lua_State *S);
int mw__eval_open_extras(lua_State *S);

/* The value on top of S onto L; functions and the like as nil. S raises no more: it is only looked
 * at. After a failure the stack of L is as it comes. */
MW_NODISCARD mw_code mw__eval_copy(mw__evaluator *ev, lua_State *S);

static inline char mw__eval_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

#endif

/* Running one Lua file of a map as the engine's parser does. Belongs to the layer bind. */
#ifndef MW_FORMAT_MAPINFO_MAPINFO_EVAL_H
#define MW_FORMAT_MAPINFO_MAPINFO_EVAL_H

typedef struct lua_State lua_State;

/* Define the userdata type; once per host state. */
void mw_mapinfo_eval_open(lua_State *L);

/* run(text, name, names?, read?, options?, map?) -> table, events, true
 *                                                -> {}, events, "nil" (no table came back)
 *                                                -> nil, {kind, message, file, line?}, events
 * names: the mounted files, sorted, in lower case (nil: none are, as in the archive scan, where
 * VFS.FileExists crashes the engine); read(path) gives bytes or nil; options: what
 * Spring.GetMapOptions returns, texts (nil: it does not exist); map: the fields of Map (nil: none).
 * Keys are in lower case unless DontMessWithMyCase(false) was called. kind: "syntax", "runtime",
 * "steps", "memory", "result" (too deep, too large, inside itself). Events are rows {kind, text?,
 * file?, line?}: file-exists, include-missing, included, random, case-duplicate, mixed-case,
 * not-finite, odd-key, odd-value, long-key, cycle; those without a line have a key's path as text.
 */
int mw_mapinfo_l_run(lua_State *L);

/* A number of a result: whole ones as integers, others as the shortest double that is the same
 * float32. */
void mw_mapinfo_push_number(lua_State *L, double v);

#endif

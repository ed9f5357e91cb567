#include "bind/sandbox.h"

#include "base/mem.h"
#include "bind/sandbox_lib.h"
#include "format/mapinfo/mapinfo_parse.h"

#include <string.h>
#include <time.h>

#define HOOK_STEPS 1000

struct mw_sandbox {
	mw_ctx *cx;
	lua_State *L;
	void *user;
	mw_sandbox_limits limits;
	size_t in_use;
	bool full;    /* an allocation met the limit */
	bool outside; /* an allocation failed although the limit was not met */
	bool stopped; /* raised for good: pcall passes it on */
	uint64_t steps;
	int64_t deadline; /* [unit: ns] of processor time */
	mw_sandbox_end ended;
	char name[160];  /* what was loaded last */
	char where[160]; /* "file:line: " of the last look at the clock */
};

mw_sandbox_limits mw_sandbox_limits_default(void)
{
	mw_sandbox_limits limits = {50000000, 1500, (size_t)64 << 20, (size_t)16 << 20};

	return limits;
}

static int64_t cpu_now(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		return 0;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

mw_sandbox *mw_sandbox_of(lua_State *L)
{
	mw_sandbox *sb;

	memcpy(&sb, lua_getextraspace(L), sizeof sb);
	return sb;
}

lua_State *mw_sandbox_lua(mw_sandbox *sb)
{
	return sb->L;
}

mw_ctx *mw_sandbox_ctx(mw_sandbox *sb)
{
	return sb->cx;
}

void mw_sandbox_set_user(mw_sandbox *sb, void *user)
{
	sb->user = user;
}

void *mw_sandbox_user(mw_sandbox *sb)
{
	return sb->user;
}

mw_sandbox_end mw_sandbox_ended(const mw_sandbox *sb)
{
	return sb->ended;
}

size_t mw__sandbox_string_max(lua_State *L)
{
	return mw_sandbox_of(L)->limits.string;
}

bool mw__sandbox_stopped(lua_State *L)
{
	return mw_sandbox_of(L)->stopped;
}

void mw__sandbox_stop(lua_State *L, mw_sandbox_end why)
{
	mw_sandbox *sb = mw_sandbox_of(L);

	if (!sb->stopped)
		sb->ended = why;
	sb->stopped = true;
}

int mw__sandbox_no_memory(lua_State *L)
{
	mw_sandbox_of(L)->outside = true;
	mw__sandbox_stop(L, MW_SANDBOX_MEMORY);
	lua_pushliteral(L, "not enough memory");
	return lua_error(L);
}

static void *allocate(void *ud, void *ptr, size_t osize, size_t nsize)
{
	mw_sandbox *sb = ud;
	size_t old = ptr ? osize : 0; /* Lua passes a type tag as osize of a new block */
	void *p;

	if (nsize > old && nsize - old > sb->limits.memory - sb->in_use) {
		sb->full = true;
		return NULL;
	}
	p = sb->cx->alloc(sb->cx->alloc_ud, ptr, old, nsize);
	if (!p && nsize) {
		sb->outside = true;
		return NULL;
	}
	sb->in_use = sb->in_use - old + nsize;
	return p;
}

/* Where the program is, for messages of errors that carry no place. */
static void look_around(mw_sandbox *sb, lua_State *L)
{
	lua_Debug ar;

	for (int level = 0; lua_getstack(L, level, &ar); level++) {
		lua_getinfo(L, "Sl", &ar);
		if (ar.currentline > 0) {
			mw_format(sb->where, sizeof sb->where, "%s:%d: ", ar.short_src,
				ar.currentline);
			return;
		}
	}
}

static void check_time(mw_sandbox *sb, lua_State *L)
{
	bool late = cpu_now() > sb->deadline;

	if (sb->steps <= sb->limits.steps && !late && !sb->stopped)
		return;
	mw__sandbox_stop(L, MW_SANDBOX_STEPS);
	look_around(sb, L);
	if (sb->steps > sb->limits.steps)
		lua_pushfstring(L, "%sstopped at the limit of %d million steps", sb->where,
			(int)(sb->limits.steps / 1000000));
	else
		lua_pushfstring(L, "%sstopped at the limit of %d ms of processor time", sb->where,
			(int)sb->limits.milliseconds);
	lua_error(L);
}

static void on_count(lua_State *L, lua_Debug *ar)
{
	mw_sandbox *sb = mw_sandbox_of(L);

	MW_UNUSED(ar);
	sb->steps += HOOK_STEPS;
	look_around(sb, L);
	check_time(sb, L);
}

void mw_sandbox_spend(lua_State *L, uint64_t n)
{
	mw_sandbox *sb = mw_sandbox_of(L);
	uint64_t before = sb->steps / HOOK_STEPS;

	sb->steps += n;
	if (sb->steps / HOOK_STEPS != before)
		check_time(sb, L);
}

static int open_all(lua_State *L)
{
	mw__sandbox_open_base(L);
	mw__sandbox_open_math(L);
	mw__sandbox_open_table(L);
	mw__sandbox_open_string(L);
	return 0;
}

mw_sandbox *mw_sandbox_new(mw_ctx *cx, const mw_sandbox_limits *limits)
{
	mw_sandbox *sb = mw_zalloc(cx, sizeof *sb);

	if (!sb)
		return NULL;
	sb->cx = cx;
	sb->limits = limits ? *limits : mw_sandbox_limits_default();
	sb->L = lua_newstate(allocate, sb);
	if (!sb->L)
		goto fail;
	memcpy(lua_getextraspace(sb->L), &sb, sizeof sb);
	lua_pushcfunction(sb->L, open_all);
	if (lua_pcall(sb->L, 0, 0, 0) != LUA_OK)
		goto fail;
	sb->deadline = cpu_now() + (int64_t)sb->limits.milliseconds * 1000000;
	lua_sethook(sb->L, on_count, LUA_MASKCOUNT, HOOK_STEPS);
	return sb;
fail:
	mw_fail(cx, MW_ENOMEM, "out of memory: Lua state");
	mw_sandbox_free(sb);
	return NULL;
}

void mw_sandbox_free(mw_sandbox *sb)
{
	if (!sb)
		return;
	if (sb->L)
		lua_close(sb->L);
	mw_free(sb->cx, sb);
}

/* ---- loading ------------------------------------------------------------------------------------
 */

/* Load the translated text and take the program out of its wrapping. What can raise lies here. */
static int finish_load(lua_State *L)
{
	const mw_mapinfo_source *source = lua_touserdata(L, 1);
	const char *chunk = lua_touserdata(L, 2);

	if (luaL_loadbufferx(L, source->rewritten.p, source->rewritten.n, chunk, "t") != LUA_OK)
		return lua_error(L);
	mw__sandbox_push_helpers(L);
	lua_call(L, 5, 1);
	return 1;
}

/* Function or message on the stack; MW_SANDBOX_OK or what went wrong. line gets the place of a
 * syntax error, 0 otherwise. */
static mw_sandbox_end compile(
	lua_State *L, const char *text, size_t n, const char *chunk, int64_t *line)
{
	mw_sandbox *sb = mw_sandbox_of(L);
	mw_mapinfo_source source = {0};
	mw_ctx child;
	mw_sandbox_end end = MW_SANDBOX_OK;
	int status;

	*line = 0;
	if (n > 0 && text[0] == LUA_SIGNATURE[0]) {
		lua_pushliteral(L, "bytecode is not loaded, only text");
		return MW_SANDBOX_SYNTAX;
	}
	mw_ctx_child(&child, sb->cx);
	if (mw_mapinfo_parse(&child, &source, text, n) != MW_OK) {
		/* no allocation of Lua while the source is still held could leak it */
		char message[MW_ERR_MSG];

		mw_format(message, sizeof message, "%s", child.err.msg);
		*line = child.err.line > 0 ? child.err.line : 0;
		end = child.err.code == MW_ENOMEM ? MW_SANDBOX_MEMORY : MW_SANDBOX_SYNTAX;
		sb->outside |= child.err.code == MW_ENOMEM;
		mw_mapinfo_source_free(&child, &source);
		lua_pushstring(L, message);
		return end;
	}
	lua_pushcfunction(L, finish_load);
	lua_pushlightuserdata(L, &source);
	lua_pushlightuserdata(L, (void *)(uintptr_t)chunk);
	status = lua_pcall(L, 2, 1, 0);
	mw_mapinfo_source_free(&child, &source);
	if (status != LUA_OK)
		end = status == LUA_ERRMEM ? MW_SANDBOX_MEMORY : MW_SANDBOX_SYNTAX;
	return end;
}

bool mw_sandbox_compile(lua_State *L, const char *text, size_t n, const char *chunk)
{
	int64_t line;
	mw_sandbox_end end;

	mw_sandbox_spend(L, n);
	end = compile(L, text, n, chunk, &line);
	if (end == MW_SANDBOX_OK)
		return true;
	if (end == MW_SANDBOX_MEMORY) {
		mw__sandbox_stop(L, MW_SANDBOX_MEMORY);
		lua_error(L);
	}
	if (line > 0) {
		char where[80];

		if (chunk[0] == '=' || chunk[0] == '@')
			mw_format(where, sizeof where, "%.60s", chunk + 1);
		else
			mw_format(where, sizeof where, "[string \"...\"]");
		lua_pushfstring(L, "%s:%d: %s", where, (int)line, lua_tostring(L, -1));
		lua_remove(L, -2);
	}
	lua_pushnil(L);
	lua_insert(L, -2);
	return false;
}

/* "file:12: what" -> the line, and where the rest begins; 0 when the text has no such place. */
static int64_t split_place(const char *text, char *file, size_t size, const char **rest)
{
	const char *colon = text;
	int64_t line;

	*rest = text;
	while ((colon = strchr(colon, ':')) != NULL) {
		size_t digits = strspn(colon + 1, "0123456789");
		mw_sv number = {colon + 1, digits};

		if (digits > 0 && digits < 10 && colon[1 + digits] == ':' &&
			mw_int_parse(number, &line)) {
			mw_format(file, size, "%.*s", (int)(colon - text), text);
			*rest = colon + 2 + digits;
			while (**rest == ' ')
				(*rest)++;
			return line;
		}
		colon++;
	}
	return 0;
}

/* The first line of an error that is no more than text. */
static const char *message_of(lua_State *L)
{
	if (lua_type(L, -1) == LUA_TSTRING)
		return lua_tostring(L, -1);
	return NULL;
}

static mw_code record(mw_sandbox *sb, mw_sandbox_end end, const char *name, const char *message)
{
	char file[160], text[MW_ERR_MSG];
	const char *rest = message ? message : "an error that is no text was raised";
	int64_t line = 0;
	mw_code code;
	size_t n;

	sb->ended = end;
	if (end == MW_SANDBOX_MEMORY && sb->outside)
		return mw_fail(sb->cx, MW_ENOMEM, "out of memory");
	mw_format(file, sizeof file, "%s", name);
	if (end == MW_SANDBOX_MEMORY) {
		mw_format(text, sizeof text, "%sstopped at the limit of %zu MiB of memory",
			sb->where, sb->limits.memory >> 20);
		line = split_place(text, file, sizeof file, &rest);
	} else if (rest == message) {
		line = split_place(message, file, sizeof file, &rest);
		/* coroutine.wrap puts a place in front of one that is there already */
		n = (size_t)(rest - message);
		while (line > 0 && strncmp(rest, message, n) == 0)
			rest += n;
	}
	n = strcspn(rest, "\r\n");
	code = mw_fail_at(sb->cx, end >= MW_SANDBOX_STEPS ? MW_ELIMIT : MW_EFORMAT,
		line > 0 ? line : MW_ERR_NOWHERE, MW_ERR_NOWHERE, "%.*s", (int)n, rest);
	mw_note(sb->cx, "%s", file);
	return code;
}

typedef struct {
	const char *text, *chunk;
	size_t n;
	int64_t line;
	mw_sandbox_end end;
} load_work;

static int protected_load(lua_State *L)
{
	load_work *w = lua_touserdata(L, 1);

	w->end = compile(L, w->text, w->n, w->chunk, &w->line);
	return 1;
}

mw_code mw_sandbox_load(mw_sandbox *sb, const char *text, size_t n, const char *name)
{
	char chunk[160];
	load_work w = {text, chunk, n, 0, MW_SANDBOX_OK};
	mw_code code;

	mw_format(sb->name, sizeof sb->name, "%s", name);
	mw_format(chunk, sizeof chunk, "=%s", name);
	lua_pushcfunction(sb->L, protected_load);
	lua_pushlightuserdata(sb->L, &w);
	if (lua_pcall(sb->L, 1, 1, 0) != LUA_OK)
		w.end = MW_SANDBOX_MEMORY;
	if (w.end == MW_SANDBOX_OK)
		return MW_OK;
	if (w.line > 0) {
		sb->ended = w.end;
		code = mw_fail_at(
			sb->cx, MW_EFORMAT, w.line, MW_ERR_NOWHERE, "%s", message_of(sb->L));
		mw_note(sb->cx, "%s", name);
	} else {
		code = record(sb, w.end, name, message_of(sb->L));
	}
	lua_pop(sb->L, 1);
	return code;
}

mw_code mw_sandbox_run(mw_sandbox *sb)
{
	int status;
	mw_code code;
	mw_sandbox_end end = MW_SANDBOX_ERROR;

	status = lua_pcall(sb->L, 0, 1, 0);
	if (status == LUA_OK)
		return MW_OK;
	if (status == LUA_ERRMEM)
		end = MW_SANDBOX_MEMORY;
	else if (sb->stopped)
		end = sb->ended;
	code = record(sb, end, sb->name, message_of(sb->L));
	lua_pop(sb->L, 1);
	return code;
}

/* ---- environments -------------------------------------------------------------------------------
 */

/* Index of the upvalue _ENV of the function at idx, or 0. */
static int env_upvalue(lua_State *L, int idx)
{
	const char *name;

	for (int i = 1; (name = lua_getupvalue(L, idx, i)) != NULL; i++) {
		lua_pop(L, 1);
		if (strcmp(name, "_ENV") == 0)
			return i;
	}
	return 0;
}

void mw_sandbox_push_env(lua_State *L, int level)
{
	lua_Debug ar;
	int up;

	if (level > 0 && lua_getstack(L, level, &ar)) {
		lua_getinfo(L, "f", &ar);
		up = env_upvalue(L, -1);
		if (up > 0) {
			lua_getupvalue(L, -1, up);
			lua_remove(L, -2);
			return;
		}
		lua_pop(L, 1);
	}
	lua_pushglobaltable(L);
}

static const char *read_nothing(lua_State *L, void *ud, size_t *n)
{
	int *done = ud;

	MW_UNUSED(L);
	*n = *done ? 0 : 1;
	*done = 1;
	return " ";
}

bool mw_sandbox_set_env(lua_State *L, int idx)
{
	int up, done = 0;

	idx = lua_absindex(L, idx);
	up = env_upvalue(L, idx);
	if (up == 0) {
		lua_pop(L, 1);
		return false;
	}
	/* a chunk of nothing, for its fresh _ENV */
	if (lua_load(L, read_nothing, &done, "=", "t") != LUA_OK)
		lua_error(L);
	lua_insert(L, -2);
	lua_setupvalue(L, -2, 1);
	lua_upvaluejoin(L, idx, up, -1, 1);
	lua_pop(L, 1);
	return true;
}

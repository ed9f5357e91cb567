/* Lua 5.1 text: what our parser takes, Lua 5.4 takes in translation, with as many lines. */
#include "fuzz/fuzz.h"

#include <lauxlib.h>
#include <string.h>

#include "format/mapinfo/mapinfo_parse.h"

static size_t lines_in(const char *p, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		if (p[i] == '\n' || (p[i] == '\r' && (i + 1 >= n || p[i + 1] != '\n')))
			lines++;
	return lines;
}

static void check_places(const mw_mapinfo_source *s, size_t size)
{
	for (size_t i = 0; i + 1 < s->tokens.tokens.n; i++) {
		const mw_mapinfo_token *t = &s->tokens.tokens.v[i];

		FUZZ_CHECK(t->start < t->end && t->end <= size && t->line >= 1 && t->col >= 1);
	}
	for (size_t i = 0; i < s->fields.n; i++) {
		const mw_mapinfo_field *f = &s->fields.v[i];

		FUZZ_CHECK(f->table >= 0 && (size_t)f->table < s->tables.n);
		FUZZ_CHECK(
			f->key.start < f->key.end && f->value.span.end <= f->end && f->end <= size);
		FUZZ_CHECK(f->value.table < (int32_t)s->tables.n);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	mw_mapinfo_source s = {0};
	mw_ctx cx;
	lua_State *L;

	mw_ctx_init(&cx);
	if (mw_mapinfo_parse(&cx, &s, text, size) == MW_OK) {
		check_places(&s, size);
		L = luaL_newstate();
		FUZZ_CHECK(L != NULL);
		if (luaL_loadbufferx(L, s.rewritten.p, s.rewritten.n, "=x", "t") != LUA_OK) {
			const char *why = lua_tostring(L, -1);

			/* limits of the built-in Lua that 5.1 has not, or has elsewhere */
			FUZZ_CHECK(strstr(why, "too many") || strstr(why, "overflow") ||
				strstr(why, "too long") || strstr(why, "too large") ||
				strstr(why, "control structure"));
		}
		lua_close(L);
		if (!memchr(text, '\r', size))
			FUZZ_CHECK(
				lines_in(s.rewritten.p, s.rewritten.n) == lines_in(text, size) + 1);
	} else {
		FUZZ_CHECK(cx.err.code != MW_OK && cx.err.msg[0] != '\0');
		FUZZ_CHECK(cx.err.code != MW_EFORMAT || cx.err.line >= 1);
	}
	mw_mapinfo_source_free(&cx, &s);
	return 0;
}

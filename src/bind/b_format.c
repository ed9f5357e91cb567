/* core.format: which formats there are, which one a file is, checking and rewriting any of them. */
#include "bind/lx.h"
#include "bind/modules.h"

#include "base/mem.h"
#include "base/str.h"
#include "format/codec.h"

static void free_writer(mw_ctx *cx, void *payload)
{
	mw_wr *w = payload;

	MW_UNUSED(cx);
	if (w->cx)
		mw_wr_free(w);
}

static const mw_lx_type writer_type = {"mapwright.writer", free_writer};

static void set_field(lua_State *L, const char *key, const char *text)
{
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

/* list() -> {name, title, extensions, writable} rows */
static int l_list(lua_State *L)
{
	lua_createtable(L, (int)mw_codec_count(), 0);
	for (size_t i = 0; i < mw_codec_count(); i++) {
		const mw_codec *c = mw_codec_at(i);

		lua_createtable(L, 0, 4);
		set_field(L, "name", c->name);
		set_field(L, "title", c->title);
		lua_pushboolean(L, c->rewrite != NULL);
		lua_setfield(L, -2, "writable");
		lua_newtable(L);
		for (lua_Integer k = 0; c->extensions[k]; k++) {
			lua_pushstring(L, c->extensions[k]);
			lua_rawseti(L, -2, k + 1);
		}
		lua_setfield(L, -2, "extensions");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* of(bytes, path) -> name of the format, or nil */
static int l_of(lua_State *L)
{
	mw_sv bytes = mw_lx_str(L, 1, "bytes");
	const mw_codec *c =
		mw_codec_of((const uint8_t *)bytes.p, bytes.n, mw_lx_str(L, 2, "path").p);

	if (!c)
		return 0;
	lua_pushstring(L, c->name);
	return 1;
}

static const mw_codec *arg_codec(lua_State *L, int idx)
{
	const char *name = mw_lx_str(L, idx, "format").p;
	const mw_codec *c = mw_codec_named(name);

	if (!c)
		mw_lx_bad(L, idx, "format", "no format is called '%s'", name);
	return c;
}

/* verify(format, bytes, label): raises what is wrong with it */
static int l_verify(lua_State *L)
{
	const mw_codec *c = arg_codec(L, 1);
	mw_sv bytes = mw_lx_str(L, 2, "bytes");
	mw_ctx *cx = mw_lx_ctx(L);

	if (c->verify(cx, (const uint8_t *)bytes.p, bytes.n)) {
		mw_note(cx, "%s", mw_lx_str(L, 3, "label").p);
		return mw_lx_raise(L);
	}
	return 0;
}

/* rewrite(format, bytes, label) -> the same file, read and written again */
static int l_rewrite(lua_State *L)
{
	const mw_codec *c = arg_codec(L, 1);
	mw_sv bytes = mw_lx_str(L, 2, "bytes");
	mw_ctx *cx = mw_lx_ctx(L);
	mw_wr *w;

	if (!c->rewrite)
		return mw_lx_bad(L, 1, "format", "'%s' is only read", c->name);
	w = mw_lx_new(L, &writer_type, sizeof *w);
	mw_wr_init(w, cx);
	if (c->rewrite(cx, w, (const uint8_t *)bytes.p, bytes.n)) {
		mw_note(cx, "%s", mw_lx_str(L, 3, "label").p);
		return mw_lx_raise(L);
	}
	lua_pushlstring(L, (const char *)w->p, w->n);
	free_writer(cx, w);
	return 1;
}

int mw_luaopen_format(lua_State *L)
{
	static const luaL_Reg functions[] = {{"list", l_list}, {"of", l_of}, {"verify", l_verify},
		{"rewrite", l_rewrite}, {NULL, NULL}};

	mw_lx_type_define(L, &writer_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

/* core.view: pictures for people. */
#include "base/mem.h"
#include "bind/b_field.h"
#include "bind/b_image.h"
#include "bind/lx.h"
#include "bind/modules.h"
#include "view/relief.h"

typedef struct {
	mw_relief_mark *v;
} marks_box;

static void free_marks(mw_ctx *cx, void *payload)
{
	marks_box *box = payload;

	mw_free(cx, box->v);
	box->v = NULL;
}

static const mw_lx_type marks_type = {"mapwright.marks", free_marks};

static double number_field(lua_State *L, int idx, const char *key)
{
	double v;

	lua_getfield(L, idx, key);
	v = mw_lx_num(L, -1, key);
	lua_pop(L, 1);
	return v;
}

static void read_mark(lua_State *L, mw_relief_mark *m)
{
	static const char *const kinds[] = {"start", "metal", "vent", "feature"};
	int idx = lua_gettop(L);

	luaL_checktype(L, idx, LUA_TTABLE);
	lua_getfield(L, idx, "kind");
	m->kind = (mw_mark_kind)mw_lx_enum(L, -1, "kind", kinds, (int)MW_COUNTOF(kinds));
	lua_getfield(L, idx, "label");
	m->label = (int32_t)luaL_optinteger(L, -1, 0);
	m->x = number_field(L, idx, "x");
	m->z = number_field(L, idx, "z");
	lua_settop(L, idx);
}

/* relief(heights, width, {ground = image, void_water, contour, title, marks = {{kind, x, z,
 * label}}})
 * -> image. heights: a field of vertices */
static int l_relief(lua_State *L)
{
	mw_lx_field *height = mw_lx_field_arg(L, 1);
	uint32_t width = (uint32_t)mw_lx_int(L, 2, "width", 16, 8192);
	mw_relief r = {.height = &height->f, .step = height->grid.step};
	mw_lx_image *out;
	marks_box *box;

	luaL_checktype(L, 3, LUA_TTABLE);
	box = mw_lx_new(L, &marks_type, sizeof *box);
	lua_getfield(L, 3, "ground");
	if (!lua_isnil(L, -1))
		r.ground = &mw_lx_image_arg(L, -1)->colour;
	lua_getfield(L, 3, "void_water");
	r.void_water = mw_lx_bool(L, -1);
	lua_getfield(L, 3, "contour");
	r.contour = luaL_optnumber(L, -1, 0);
	lua_getfield(L, 3, "title");
	r.title = luaL_optstring(L, -1, NULL);
	lua_getfield(L, 3, "marks");
	if (!lua_isnil(L, -1)) {
		luaL_checktype(L, -1, LUA_TTABLE);
		r.n_marks = (size_t)lua_rawlen(L, -1);
		box->v = mw_alloc_n(mw_lx_ctx(L), r.n_marks, sizeof *box->v);
		if (!box->v)
			mw_lx_raise(L);
		for (size_t i = 0; i < r.n_marks; i++) {
			lua_rawgeti(L, -1, (lua_Integer)i + 1);
			read_mark(L, &box->v[i]);
			lua_pop(L, 1);
		}
	}
	r.marks = box->v;
	out = mw_lx_image_new(L);
	mw_lx_check(L, mw_relief_draw(mw_lx_ctx(L), &out->colour, &r, width));
	return 1;
}

int mw_luaopen_view(lua_State *L)
{
	static const luaL_Reg functions[] = {{"relief", l_relief}, {NULL, NULL}};

	mw_lx_type_define(L, &marks_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

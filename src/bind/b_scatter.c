/* core.scatter: positions by density, spacing and symmetry. */
#include "bind/b_field.h"

#include "base/mem.h"
#include "bind/modules.h"
#include "raster/scatter.h"

static void free_points(mw_ctx *cx, void *payload)
{
	mw_scatter_point **points = payload;
	mw_free(cx, *points);
	*points = NULL;
}

static const mw_lx_type points_type = {"mapwright.scatter_points", free_points};

static double named(lua_State *L, int idx, const char *key, double missing)
{
	lua_getfield(L, idx, key);
	double v = lua_isnil(L, -1) ? missing : mw_lx_num(L, -1, key);
	lua_pop(L, 1);
	return v;
}

/* limits = list of {field, min, max}; the fields stay alive in the table. */
static void read_limits(lua_State *L, int idx, mw_arena *a, mw_scatter_rules *r)
{
	lua_getfield(L, idx, "limits");
	if (!lua_isnil(L, -1)) {
		luaL_checktype(L, -1, LUA_TTABLE);
		r->n_limits = (size_t)luaL_len(L, -1);
		mw_scatter_limit *limits = mw_arena_zalloc(a, r->n_limits * sizeof *limits);
		if (!limits)
			mw_lx_raise(L);
		for (size_t k = 0; k < r->n_limits; k++) {
			lua_geti(L, -1, (lua_Integer)k + 1);
			lua_geti(L, -1, 1);
			const mw_lx_field *f = mw_lx_field_arg(L, -1);
			lua_pop(L, 1);
			limits[k] = (mw_scatter_limit){&f->f, f->grid,
				mw_lx_item(L, lua_gettop(L), "min", 2),
				mw_lx_item(L, lua_gettop(L), "max", 3)};
			lua_pop(L, 1);
		}
		r->limits = limits;
	}
	lua_pop(L, 1);
}

/* discs = flat list of x, z, radius */
static void read_discs(lua_State *L, int idx, mw_arena *a, mw_scatter_rules *r)
{
	lua_getfield(L, idx, "discs");
	if (!lua_isnil(L, -1)) {
		luaL_checktype(L, -1, LUA_TTABLE);
		int list = lua_gettop(L);
		r->n_discs = (size_t)luaL_len(L, list) / 3;
		mw_scatter_disc *discs = mw_arena_zalloc(a, r->n_discs * sizeof *discs);
		if (!discs)
			mw_lx_raise(L);
		for (size_t k = 0; k < r->n_discs; k++)
			discs[k] = (mw_scatter_disc){
				mw_lx_item(L, list, "x", (lua_Integer)(3 * k + 1)),
				mw_lx_item(L, list, "z", (lua_Integer)(3 * k + 2)),
				mw_lx_item(L, list, "radius", (lua_Integer)(3 * k + 3))};
		r->discs = discs;
	}
	lua_pop(L, 1);
}

/* positions(rules, mirror, n) -> list of {x, z, orbit, image}
 * rules: {width, depth, spacing, edge, snap, density = field, limits, discs, count, seed} */
static int l_positions(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);

	luaL_checktype(L, 1, LUA_TTABLE);
	mw_scatter_rules r = {.width = named(L, 1, "width", 0),
		.depth = named(L, 1, "depth", 0),
		.spacing = named(L, 1, "spacing", 0),
		.edge = named(L, 1, "edge", 0),
		.snap = named(L, 1, "snap", 0),
		.mirror = mw_lx_mirror(L, 2)};
	lua_settop(L, 3);
	lua_getfield(L, 1, "count");
	r.count = lua_isnil(L, -1) ? 0 : (size_t)mw_lx_int(L, -1, "count", 1, 1000000);
	lua_getfield(L, 1, "seed");
	r.seed = (uint64_t)luaL_optinteger(L, -1, 0);
	lua_getfield(L, 1, "density");
	if (!lua_isnil(L, -1)) {
		const mw_lx_field *f = mw_lx_field_arg(L, -1);
		r.density = &f->f;
		r.density_grid = f->grid;
	}
	mw_arena *a = mw_lx_arena(L);
	read_limits(L, 1, a, &r);
	read_discs(L, 1, a, &r);
	mw_lx_type_define(L, &points_type, NULL);
	mw_scatter_point **points = mw_lx_new(L, &points_type, sizeof *points);
	size_t n = 0;
	mw_lx_check(L, mw_scatter(cx, points, &n, &r));
	lua_createtable(L, (int)n, 0);
	for (size_t k = 0; k < n; k++) {
		const mw_scatter_point *p = &(*points)[k];
		lua_createtable(L, 0, 4);
		lua_pushnumber(L, p->x);
		lua_setfield(L, -2, "x");
		lua_pushnumber(L, p->z);
		lua_setfield(L, -2, "z");
		lua_pushinteger(L, (lua_Integer)p->orbit + 1);
		lua_setfield(L, -2, "orbit");
		lua_pushinteger(L, p->image);
		lua_setfield(L, -2, "image");
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	return 1;
}

int mw_luaopen_scatter(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"positions", l_positions},
		{NULL, NULL},
	};
	luaL_newlib(L, functions);
	return 1;
}

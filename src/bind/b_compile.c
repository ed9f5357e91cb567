/* core.bsp: trees over lists of brushes. */
#include "bind/b_geom.h"
#include "bind/modules.h"

#include <string.h>

typedef struct {
	mw_brushes b;
	mw_bsp bsp;
} lx_bsp;

static void free_bsp(mw_ctx *cx, void *payload)
{
	lx_bsp *t = payload;

	mw_brushes_free(cx, &t->b);
	mw_bsp_free(cx, &t->bsp);
	memset(t, 0, sizeof *t);
}

static const mw_lx_type bsp_type = {"mapwright.core.bsp", free_bsp};

static const lx_bsp *arg_bsp(lua_State *L)
{
	return mw_lx_arg(L, 1, &bsp_type);
}

/* build(solids, leaf_size, max_depth) -> bsp */
static int l_build(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	mw_bsp_options o = {.leaf_size = (uint32_t)mw_lx_int(L, 2, "leaf_size", 0, 64),
		.max_depth = (uint32_t)mw_lx_int(L, 3, "max_depth", 0, 64)};
	lx_bsp *t = mw_lx_new(L, &bsp_type, sizeof *t);
	mw_planes *planes = mw_lx_planes(L);
	mw_arena *arena = mw_lx_arena(L);
	mw_solid *solid = mw_arena_alloc(arena, (a->b.brush.n + 1) * sizeof *solid);

	if (!solid)
		return mw_lx_raise(L);
	mw_lx_check(L, mw_solids_make(arena, planes, &a->b, solid, NULL));
	mw_lx_check(L, mw_brushes_bevel(cx, planes, &a->b, solid, MW_BEVEL_EDGE, &t->b));
	mw_lx_check(L, mw_bsp_build(cx, planes, &t->b, solid, &o, &t->bsp));
	lua_pop(L, 1);
	return 1;
}

/* contents(bsp, x, y, z) -> bits, brushes tested, first brush that holds it (from 1) or nil */
static int l_contents(lua_State *L)
{
	const lx_bsp *t = arg_bsp(L);
	mw_vec3 p = mw_lx_vec3(L, 2, "point");
	uint32_t tested, at = mw_bsp_brush_at(mw_lx_planes(L), &t->b, &t->bsp, &p);

	lua_pushinteger(L, mw_bsp_contents(mw_lx_planes(L), &t->b, &t->bsp, &p, &tested));
	lua_pushinteger(L, tested);
	if (at == MW_TAG_NONE)
		return 2;
	lua_pushinteger(L, (lua_Integer)at + 1);
	return 3;
}

/* sweep(bsp, from xyz, to xyz, half xyz, mask) -> t, brush (from 1), inside, nx, ny, nz; t alone
 * (1) when nothing is hit, no normal when it starts inside */
static int l_sweep(lua_State *L)
{
	const lx_bsp *t = arg_bsp(L);
	mw_sweep s = {.from = mw_lx_vec3(L, 2, "from"),
		.to = mw_lx_vec3(L, 5, "to"),
		.half = mw_lx_vec3(L, 8, "half"),
		.mask = (uint32_t)mw_lx_int(L, 11, "mask", 0, UINT32_MAX)};
	mw_sweep_hit hit;
	bool any = mw_bsp_sweep(mw_lx_planes(L), &t->b, &t->bsp, &s, &hit);

	lua_pushnumber(L, hit.t);
	if (!any)
		return 1;
	lua_pushinteger(L, (lua_Integer)hit.brush + 1);
	lua_pushboolean(L, hit.inside);
	if (hit.inside)
		return 3;
	mw_lx_push_vec3(L, mw_planes_get(mw_lx_planes(L), hit.plane).n);
	return 6;
}

static void set_int(lua_State *L, const char *key, int64_t v)
{
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

/* stats(bsp) -> {depth, nodes, leaves, planes, items, most} */
static int l_stats(lua_State *L)
{
	const lx_bsp *t = arg_bsp(L);
	uint32_t most = 0;

	for (size_t i = 0; i < t->bsp.leaf.n; i++)
		most = t->bsp.leaf.v[i].count > most ? t->bsp.leaf.v[i].count : most;
	lua_createtable(L, 0, 5);
	set_int(L, "depth", t->bsp.depth);
	set_int(L, "nodes", (int64_t)t->bsp.node.n);
	set_int(L, "leaves", (int64_t)t->bsp.leaf.n);
	set_int(L, "items", (int64_t)t->bsp.item.n);
	set_int(L, "most", most);
	return 1;
}

/* node(bsp, link) -> nx, ny, nz, d, front link, back link of a node (link >= 0), or the list of the
 * brushes (from 1) of leaf ~link */
static int l_node(lua_State *L)
{
	const lx_bsp *t = arg_bsp(L);
	int64_t link = mw_lx_int(L, 2, "link", -(int64_t)t->bsp.leaf.n, (int64_t)t->bsp.node.n - 1);

	if (link < 0) {
		const mw_bsp_leaf *leaf = &t->bsp.leaf.v[~link];

		lua_createtable(L, (int)leaf->count, 0);
		for (uint32_t i = 0; i < leaf->count; i++) {
			lua_pushinteger(L, (lua_Integer)t->bsp.item.v[leaf->first + i] + 1);
			lua_rawseti(L, -2, (lua_Integer)i + 1);
		}
		return 1;
	}
	const mw_bsp_node *n = &t->bsp.node.v[link];
	mw_plane p = mw_planes_get(mw_lx_planes(L), n->plane);
	mw_lx_push_vec3(L, p.n);
	lua_pushnumber(L, p.d);
	lua_pushinteger(L, n->child[0]);
	lua_pushinteger(L, n->child[1]);
	return 6;
}

/* root(bsp) -> link */
static int l_root(lua_State *L)
{
	lua_pushinteger(L, arg_bsp(L)->bsp.root);
	return 1;
}

int mw_luaopen_bsp(lua_State *L)
{
	static const luaL_Reg methods[] = {{"contents", l_contents}, {"sweep", l_sweep},
		{"stats", l_stats}, {"node", l_node}, {"root", l_root}, {NULL, NULL}};
	static const luaL_Reg functions[] = {{"build", l_build}, {NULL, NULL}};

	mw_lx_type_define(L, &bsp_type, methods);
	luaL_newlib(L, functions);
	return 1;
}

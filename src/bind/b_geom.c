/* core.solids: the lists of brushes themselves, their faces and questions on them. */
#include "bind/b_geom.h"

#include "bind/modules.h"

#include <string.h>

static void free_solids(mw_ctx *cx, void *payload)
{
	mw_lx_solids *s = payload;

	mw_brushes_free(cx, &s->b);
	mw_free(cx, s->face.v);
	memset(s, 0, sizeof *s);
}

static const mw_lx_type solids_type = {"mapwright.solids", free_solids};

static void free_planes(mw_ctx *cx, void *payload)
{
	mw_planes_free(cx, payload);
}

static const mw_lx_type planes_type = {"mapwright.planes", free_planes};
static const char planes_key;

mw_planes *mw_lx_planes(lua_State *L)
{
	lua_rawgetp(L, LUA_REGISTRYINDEX, &planes_key);
	mw_planes *t = mw_lx_test(L, -1, &planes_type);
	lua_pop(L, 1);
	if (t)
		return t;
	t = mw_lx_new(L, &planes_type, sizeof *t);
	mw_lx_check(L, mw_planes_init(mw_lx_ctx(L), t));
	lua_rawsetp(L, LUA_REGISTRYINDEX, &planes_key);
	return t;
}

mw_lx_solids *mw_lx_solids_new(lua_State *L)
{
	(void)mw_lx_planes(L);
	return mw_lx_new(L, &solids_type, sizeof(mw_lx_solids));
}

mw_lx_solids *mw_lx_solids_arg(lua_State *L, int idx)
{
	return mw_lx_arg(L, idx, &solids_type);
}

mw_vec3 mw_lx_vec3(lua_State *L, int idx, const char *name)
{
	mw_vec3 v;

	for (int i = 0; i < 3; i++)
		v.v[i] = mw_lx_num(L, idx + i, name);
	return v;
}

void mw_lx_push_vec3(lua_State *L, mw_vec3 v)
{
	for (int i = 0; i < 3; i++)
		lua_pushnumber(L, v.v[i]);
}

/* ---- faces ----------------------------------------------------------------------------------- */

/* contents(a, bits): of all brushes, in place */
static int l_contents(lua_State *L)
{
	mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	uint32_t bits = (uint32_t)mw_lx_int(L, 2, "contents", 0, UINT32_MAX);

	for (size_t i = 0; i < a->b.brush.n; i++)
		a->b.brush.v[i].contents = bits;
	return 0;
}

static double opt_num(lua_State *L, const char *key, double absent)
{
	double v = absent;

	if (lua_getfield(L, 2, key) != LUA_TNIL)
		v = mw_lx_num(L, -1, key);
	lua_pop(L, 1);
	return v;
}

/* paint(a, {material?, u?, v?, scale_u?, scale_v?, rotation?, hidden?, part?, nx?, ny?, nz?}), in
 * place: faces of that part (number), or whose normal is within 45 degrees of nx ny nz */
static int l_paint(lua_State *L)
{
	mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	luaL_checktype(L, 2, LUA_TTABLE);
	double material = opt_num(L, "material", -2), part = opt_num(L, "part", -1);
	mw_vec3 way = mw_v3(opt_num(L, "nx", 0), opt_num(L, "ny", 0), opt_num(L, "nz", 0));
	bool any_way = way.x == 0 && way.y == 0 && way.z == 0;
	lua_getfield(L, 2, "hidden");
	int hidden = lua_isnil(L, -1) ? -1 : mw_lx_bool(L, -1);
	lua_pop(L, 1);

	way = mw_unit3(way);
	for (size_t i = 0; i < a->b.side.n; i++) {
		mw_lx_face *f = &a->face.v[a->b.side.v[i].tag];
		mw_vec3 n = mw_planes_get(mw_lx_planes(L), a->b.side.v[i].plane).n;

		if ((part >= 0 && f->part != (uint32_t)part) ||
			(!any_way && mw_dot3(n, way) < 0.70710678))
			continue;
		if (material >= -1)
			f->info.material = (int32_t)material;
		if (hidden >= 0)
			f->info.flags = hidden ? f->info.flags | MW_FACE_HIDDEN
					       : f->info.flags & ~MW_FACE_HIDDEN;
		f->info.set.offset[0] = opt_num(L, "u", f->info.set.offset[0]);
		f->info.set.offset[1] = opt_num(L, "v", f->info.set.offset[1]);
		f->info.set.scale[0] = opt_num(L, "scale_u", f->info.set.scale[0]);
		f->info.set.scale[1] = opt_num(L, "scale_v", f->info.set.scale[1]);
		f->info.set.rotation = opt_num(L, "rotation", f->info.set.rotation);
	}
	return 0;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* count(a) -> brushes, sides */
static int l_count(lua_State *L)
{
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);

	lua_pushinteger(L, (lua_Integer)a->b.brush.n);
	lua_pushinteger(L, (lua_Integer)a->b.side.n);
	return 2;
}

/* measure(a) -> volume of the set, sum of volumes, sum of areas, box (6 numbers) when not empty */
static int l_measure(lua_State *L)
{
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	mw_arena *arena = mw_lx_arena(L);
	mw_solid *solid = mw_arena_alloc(arena, (a->b.brush.n + 1) * sizeof *solid);
	double volume, sum = 0, area = 0;
	mw_aabb box = mw_aabb_empty();

	mw_lx_need(L, solid != NULL);
	mw_lx_check(L, mw_solids_make(arena, mw_lx_planes(L), &a->b, solid, NULL));
	for (size_t i = 0; i < a->b.brush.n; i++) {
		if (!solid[i].n)
			continue;
		sum += mw_solid_volume(&solid[i]);
		area += mw_solid_area(&solid[i]);
		for (uint32_t k = 0; k < solid[i].n; k++)
			for (uint32_t c = 0; c < solid[i].face[k].n; c++)
				mw_aabb_add(&box, solid[i].face[k].v[c].at, 0);
	}
	mw_lx_check(L, mw_csg_volume(mw_lx_ctx(L), mw_lx_planes(L), &a->b, &volume));
	lua_pushnumber(L, volume);
	lua_pushnumber(L, sum);
	lua_pushnumber(L, area);
	if (mw_aabb_is_empty(&box))
		return 3;
	mw_lx_push_vec3(L, box.min);
	mw_lx_push_vec3(L, box.max);
	return 9;
}

/* at(a, x, y, z) -> contents bits of the brushes that hold the point inside */
static int l_at(lua_State *L)
{
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	mw_vec3 p = mw_lx_vec3(L, 2, "point");
	uint32_t bits = 0;

	for (uint32_t i = 0; i < a->b.brush.n; i++)
		if (mw_brush_contains(mw_lx_planes(L), &a->b, i, &p))
			bits |= a->b.brush.v[i].contents;
	lua_pushinteger(L, bits);
	return 1;
}

static void push_corner_list(lua_State *L, const mw_poly *p)
{
	lua_createtable(L, (int)p->n, 0);
	for (uint32_t k = 0; k < p->n; k++) {
		lua_createtable(L, 3, 0);
		for (int i = 0; i < 3; i++) {
			lua_pushnumber(L, p->v[k].at.v[i]);
			lua_rawseti(L, -2, i + 1);
		}
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
}

static void set_num(lua_State *L, const char *key, double v)
{
	lua_pushnumber(L, v);
	lua_setfield(L, -2, key);
}

/* brush(a, i) -> {contents, volume, faces = {{nx, ny, nz, d, material, part, corners}}} [i: 1..] */
static int l_brush(lua_State *L)
{
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	size_t i = (size_t)mw_lx_int(L, 2, "brush", 1, (int64_t)a->b.brush.n) - 1;
	const mw_brush *b = &a->b.brush.v[i];
	mw_arena *arena = mw_lx_arena(L);
	mw_solid solid;
	mw_closure how;

	mw_lx_check(L,
		mw_solid_make(
			arena, mw_lx_planes(L), mw_brush_sides(&a->b, b), b->count, &solid, &how));
	lua_createtable(L, 0, 3);
	lua_pushinteger(L, b->contents);
	lua_setfield(L, -2, "contents");
	set_num(L, "volume", how == MW_CLOSED ? mw_solid_volume(&solid) : 0);
	lua_createtable(L, (int)solid.n, 0);
	for (uint32_t k = 0; k < solid.n; k++) {
		const mw_lx_face *f = &a->face.v[solid.face[k].tag];
		mw_plane p = mw_planes_get(mw_lx_planes(L), solid.face[k].plane);

		lua_createtable(L, 0, 7);
		set_num(L, "nx", p.n.x);
		set_num(L, "ny", p.n.y);
		set_num(L, "nz", p.n.z);
		set_num(L, "d", p.d);
		lua_pushinteger(L, f->info.material);
		lua_setfield(L, -2, "material");
		lua_pushinteger(L, f->part);
		lua_setfield(L, -2, "part");
		push_corner_list(L, &solid.face[k]);
		lua_setfield(L, -2, "corners");
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "faces");
	return 1;
}

int mw_luaopen_solids(lua_State *L)
{
	static const luaL_Reg functions[] = {{"contents", l_contents}, {"paint", l_paint},
		{"count", l_count}, {"measure", l_measure}, {"at", l_at}, {"brush", l_brush},
		{NULL, NULL}};

	mw_lx_type_define(L, &solids_type, NULL);
	mw_lx_type_define(L, &planes_type, NULL);
	luaL_newlib(L, functions);
	luaL_setfuncs(L, mw_lx_solids_shape, 0);
	luaL_setfuncs(L, mw_lx_solids_change, 0);
	return 1;
}

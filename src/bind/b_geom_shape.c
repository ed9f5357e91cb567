/* Functions of core.solids that make brushes: shapes, hulls, planes, ground. */
#include "bind/b_geom.h"

#include "bind/b_field.h"
#include "geom/hull.h"
#include "geom/shape.h"

/* Give every side made since a face of its own, whose part is what the shape called it. */
static void dress(lua_State *L, mw_lx_solids *s, size_t first_side)
{
	mw_ctx *cx = mw_lx_ctx(L);

	for (size_t i = first_side; i < s->b.side.n; i++) {
		mw_lx_face f = {mw_face_default(), s->b.side.v[i].tag};

		s->b.side.v[i].tag = (uint32_t)s->face.n;
		mw_lx_need(L, MW_PUSH(cx, &s->face, f));
	}
}

static mw_shaper shaper(lua_State *L, mw_lx_solids *s)
{
	return (mw_shaper){mw_lx_planes(L), &s->b, MW_CONTENTS_SOLID, 0};
}

static const char *const facings[] = {"north", "east", "south", "west"};

/* box(min xyz, max xyz) and its like: (..., kind, more numbers) -> solids
 * shape(kind, min xyz, max xyz, a, b, c, d) */
static int l_shape(lua_State *L)
{
	static const char *const kinds[] = {
		"box", "wedge", "cylinder", "sphere", "arch", "stairs", "room", "torus"};
	mw_ctx *cx = mw_lx_ctx(L);
	int kind = mw_lx_enum(L, 1, "kind", kinds, 8);
	mw_vec3 min = mw_lx_vec3(L, 2, "min"), max = mw_lx_vec3(L, 5, "max");
	mw_lx_solids *s = mw_lx_solids_new(L);
	mw_shaper to = shaper(L, s);
	mw_code rc = MW_OK;

	switch (kind) {
	case 0:
		rc = mw_shape_box(cx, &to, min, max);
		break;
	case 1:
		rc = mw_shape_wedge(
			cx, &to, min, max, (mw_facing)mw_lx_enum(L, 8, "facing", facings, 4));
		break;
	case 2:
		rc = mw_shape_cylinder(cx, &to, min, max,
			(uint32_t)mw_lx_int(L, 8, "sides", 3, 1024), mw_lx_num(L, 9, "top"));
		break;
	case 3:
		rc = mw_shape_sphere(cx, &to, min, max, (uint32_t)mw_lx_int(L, 8, "sides", 3, 256),
			(uint32_t)mw_lx_int(L, 9, "rings", 2, 128));
		break;
	case 4:
		rc = mw_shape_arch(cx, &to, min, max, mw_lx_num(L, 8, "thickness"),
			mw_lx_num(L, 9, "start"), mw_lx_num(L, 10, "sweep"),
			(uint32_t)mw_lx_int(L, 11, "segments", 1, 1024));
		break;
	case 5:
		rc = mw_shape_stairs(cx, &to, min, max,
			(mw_facing)mw_lx_enum(L, 8, "facing", facings, 4),
			(uint32_t)mw_lx_int(L, 9, "steps", 1, 1024), mw_lx_bool(L, 10));
		break;
	case 6:
		rc = mw_shape_room(cx, &to, min, max, mw_lx_num(L, 8, "wall"));
		break;
	default: /* torus: min is the centre, max holds radius and tube */
		rc = mw_shape_torus(cx, &to, min, max.x, max.y,
			(uint32_t)mw_lx_int(L, 8, "segments", 3, 256),
			(uint32_t)mw_lx_int(L, 9, "sides", 3, 256));
		break;
	}
	mw_lx_check(L, rc);
	dress(L, s, 0);
	return 1;
}

/* prism({x, z, x, z, ...}, bottom, top) -> solids */
static int l_prism(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Integer n = (lua_Integer)lua_rawlen(L, 1) / 2;
	double bottom = mw_lx_num(L, 2, "bottom"), top = mw_lx_num(L, 3, "top");
	mw_lx_solids *s = mw_lx_solids_new(L);
	mw_shaper to = shaper(L, s);
	mw_arena *arena = mw_lx_arena(L);
	mw_vec2 *p = mw_arena_alloc(arena, ((size_t)n + 1) * sizeof *p);

	mw_lx_need(L, p != NULL);
	for (lua_Integer i = 0; i < n; i++) {
		p[i].x = mw_lx_item(L, 1, "x", 2 * i + 1);
		p[i].y = mw_lx_item(L, 1, "z", 2 * i + 2);
	}
	mw_lx_check(L, mw_shape_prism(mw_lx_ctx(L), &to, p, (uint32_t)n, bottom, top));
	dress(L, s, 0);
	lua_pop(L, 1);
	return 1;
}

/* hull({x, y, z, ...}, flat) -> solids of one brush */
static int l_hull(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Integer n = (lua_Integer)lua_rawlen(L, 1) / 3;
	double flat = mw_lx_num(L, 2, "flat");
	mw_lx_solids *s = mw_lx_solids_new(L);
	mw_arena *arena = mw_lx_arena(L);
	mw_vec3 *p = mw_arena_alloc(arena, ((size_t)n + 1) * sizeof *p);

	mw_lx_need(L, p != NULL);
	for (lua_Integer i = 0; i < n; i++)
		for (int k = 0; k < 3; k++)
			p[i].v[k] = mw_lx_item(L, 1, "points", 3 * i + k + 1);
	mw_lx_check(L,
		mw_hull_brush(mw_lx_ctx(L), mw_lx_planes(L), p, (uint32_t)n, flat,
			MW_CONTENTS_SOLID, 0, 0, &s->b));
	for (size_t i = 0; i < s->b.side.n; i++)
		s->b.side.v[i].tag = MW_PART_SIDE;
	dress(L, s, 0);
	lua_pop(L, 1);
	return 1;
}

/* planes({nx, ny, nz, d, ...}) -> solids of one brush, closure ("closed", "empty", "open") */
static int l_planes(lua_State *L)
{
	static const char *const names[] = {"closed", "empty", "open"};
	mw_ctx *cx = mw_lx_ctx(L);
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Integer n = (lua_Integer)lua_rawlen(L, 1) / 4;
	mw_lx_solids *s = mw_lx_solids_new(L);
	mw_arena *arena = mw_lx_arena(L);
	mw_side *side = mw_arena_alloc(arena, ((size_t)n + 1) * sizeof *side);
	mw_solid solid;
	mw_closure how;

	mw_lx_need(L, side != NULL);
	for (lua_Integer i = 0; i < n; i++) {
		double q[4];

		for (int k = 0; k < 4; k++)
			q[k] = mw_lx_item(L, 1, "planes", 4 * i + k + 1);
		mw_lx_check(L,
			mw_planes_add(cx, mw_lx_planes(L), &side[i].plane, mw_v3(q[0], q[1], q[2]),
				q[3]));
		if (side[i].plane == MW_PLANE_NONE)
			return mw_lx_bad(L, 1, "planes", "plane %d has no normal", (int)i + 1);
		side[i].tag = MW_PART_SIDE;
	}
	mw_lx_check(L, mw_brushes_add(cx, &s->b, side, (uint32_t)n, MW_CONTENTS_SOLID, 0));
	dress(L, s, 0);
	mw_lx_check(
		L, mw_solid_make(arena, mw_lx_planes(L), s->b.side.v, (uint32_t)n, &solid, &how));
	lua_pop(L, 1);
	lua_pushstring(L, names[how]);
	return 2;
}

/* terrain(field, base, least, x, z, cell) -> solids under a height field */
static int l_terrain(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	double base = mw_lx_num(L, 2, "base"), least = mw_lx_num(L, 3, "least");
	mw_vec2 at = mw_v2(mw_lx_num(L, 4, "x"), mw_lx_num(L, 5, "z"));
	double cell = mw_lx_num(L, 6, "cell");
	mw_lx_solids *s = mw_lx_solids_new(L);
	mw_shaper to = shaper(L, s);
	mw_arena *arena = mw_lx_arena(L);
	size_t n = (size_t)f->f.w * (size_t)f->f.h;
	double *h = mw_arena_alloc(arena, (n + 1) * sizeof *h);

	mw_lx_need(L, h != NULL);
	for (int32_t z = 0; z < f->f.h; z++)
		for (int32_t x = 0; x < f->f.w; x++)
			h[(size_t)z * (size_t)f->f.w + (size_t)x] =
				(double)f->f.v[(size_t)z * (size_t)f->f.w + (size_t)x];
	mw_lx_check(L,
		mw_shape_terrain(mw_lx_ctx(L), &to, at, cell, h, (uint32_t)f->f.w, (uint32_t)f->f.h,
			base, least));
	dress(L, s, 0);
	lua_pop(L, 1);
	return 1;
}

const luaL_Reg mw_lx_solids_shape[] = {
	{"shape", l_shape},
	{"prism", l_prism},
	{"hull", l_hull},
	{"planes", l_planes},
	{"terrain", l_terrain},
	{NULL, NULL},
};

/* core.field: fields, their samples and arithmetic. Operations on whole shapes: b_field_shape.c. */
#include "bind/b_field.h"

#include "base/mem.h"
#include "bind/modules.h"

static void free_field(mw_ctx *cx, void *payload)
{
	mw_field_free(cx, &((mw_lx_field *)payload)->f);
}

static const mw_lx_type field_type = {"mapwright.field", free_field};

mw_lx_field *mw_lx_field_new(lua_State *L, int32_t w, int32_t h, mw_grid grid, uint64_t seed)
{
	mw_lx_field *f = mw_lx_new(L, &field_type, sizeof *f);

	f->grid = grid;
	f->seed = seed;
	mw_lx_check(L, mw_field_init(mw_lx_ctx(L), &f->f, w, h));
	return f;
}

/* A field that a <close> variable closed has no samples any more. */
static mw_lx_field *open_field(lua_State *L, int idx, mw_lx_field *f)
{
	if (MW_UNLIKELY(f && !f->f.v))
		mw_lx_bad(L, idx, "field", "was closed");
	return f;
}

mw_lx_field *mw_lx_field_arg(lua_State *L, int idx)
{
	return open_field(L, idx, mw_lx_arg(L, idx, &field_type));
}

mw_lx_field *mw_lx_field_test(lua_State *L, int idx)
{
	return open_field(L, idx, mw_lx_test(L, idx, &field_type));
}

double mw_lx_item(lua_State *L, int idx, const char *name, lua_Integer n)
{
	lua_geti(L, idx, n);
	double v = mw_lx_num(L, -1, name);
	lua_pop(L, 1);
	return v;
}

mw_mirror mw_lx_mirror(lua_State *L, int idx)
{
	static const char *const kinds[] = {"none", "x", "z", "point", "quad", "turn"};
	mw_mirror m = {.kind = (mw_mirror_kind)mw_lx_enum(L, idx, "mirror", kinds, 6)};

	if (m.kind == MW_MIRROR_TURN)
		m.n = (int32_t)mw_lx_int(L, idx + 1, "n", 2, MW_MIRROR_TURN_MAX);
	return m;
}

static float arg_float(lua_State *L, int idx, const char *name)
{
	return (float)mw_lx_num(L, idx, name);
}

/* new(w, h, x0, z0, step, seed) -> field */
static int l_new(lua_State *L)
{
	int32_t w = (int32_t)mw_lx_int(L, 1, "w", 1, MW_FIELD_SIDE_MAX);
	int32_t h = (int32_t)mw_lx_int(L, 2, "h", 1, MW_FIELD_SIDE_MAX);
	mw_grid grid = {
		mw_lx_num(L, 3, "x"), mw_lx_num(L, 4, "z"), mw_lx_num_in(L, 5, "step", 1e-6, 1e9)};

	mw_lx_field_new(L, w, h, grid, (uint64_t)luaL_optinteger(L, 6, 0));
	return 1;
}

/* copy(field) -> field */
static int l_copy(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	mw_lx_field *g = mw_lx_field_new(L, f->f.w, f->f.h, f->grid, f->seed);

	mw_lx_check(L, mw_field_apply(cx, &g->f, MW_FIELD_SET, &f->f));
	return 1;
}

/* shape(field) -> w, h, x0, z0, step, seed */
static int l_shape(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);

	lua_pushinteger(L, f->f.w);
	lua_pushinteger(L, f->f.h);
	lua_pushnumber(L, f->grid.x0);
	lua_pushnumber(L, f->grid.z0);
	lua_pushnumber(L, f->grid.step);
	lua_pushinteger(L, (lua_Integer)f->seed);
	return 6;
}

/* place(field, x0, z0, step, seed): where its samples lie from now on */
static int l_place(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);

	f->grid = (mw_grid){
		mw_lx_num(L, 2, "x"), mw_lx_num(L, 3, "z"), mw_lx_num_in(L, 4, "step", 1e-6, 1e9)};
	f->seed = (uint64_t)luaL_optinteger(L, 5, (lua_Integer)f->seed);
	return 0;
}

/* apply(field, op, number or field) */
static int l_apply(lua_State *L)
{
	static const char *const ops[] = {"set", "add", "sub", "mul", "div", "min", "max"};
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	mw_field_op op = (mw_field_op)mw_lx_enum(L, 2, "op", ops, 7);
	const mw_lx_field *g = mw_lx_field_test(L, 3);

	if (g)
		mw_lx_check(L, mw_field_apply(mw_lx_ctx(L), &f->f, op, &g->f));
	else
		mw_field_apply_number(&f->f, op, arg_float(L, 3, "value"));
	return 0;
}

/* madd(field, other, factor) */
static int l_madd(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	const mw_lx_field *g = mw_lx_field_arg(L, 2);

	mw_lx_check(L, mw_field_madd(mw_lx_ctx(L), &f->f, &g->f, arg_float(L, 3, "factor")));
	return 0;
}

/* lerp(field, number or field, mask) */
static int l_lerp(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	const mw_lx_field *g = mw_lx_field_test(L, 2);
	const mw_lx_field *mask = mw_lx_field_arg(L, 3);

	mw_lx_check(L,
		g ? mw_field_lerp(cx, &f->f, &g->f, &mask->f)
		  : mw_field_lerp_number(cx, &f->f, arg_float(L, 2, "value"), &mask->f));
	return 0;
}

/* scale(field, factor, offset) */
static int l_scale(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);

	mw_field_scale(&f->f, arg_float(L, 2, "factor"), arg_float(L, 3, "offset"));
	return 0;
}

/* clamp(field, lo, hi) */
static int l_clamp(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	float lo = arg_float(L, 2, "lo");
	float hi = arg_float(L, 3, "hi");

	if (lo > hi)
		mw_lx_bad(L, 2, "lo", "is above hi");
	mw_field_clamp(&f->f, lo, hi);
	return 0;
}

/* abs(field) */
static int l_abs(lua_State *L)
{
	mw_field_abs(&mw_lx_field_arg(L, 1)->f);
	return 0;
}

/* normalise(field, lo, hi) */
static int l_normalise(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);

	mw_field_normalise(&f->f, arg_float(L, 2, "lo"), arg_float(L, 3, "hi"));
	return 0;
}

/* curve(field, xs, ys): two lists of numbers */
static int l_curve(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	lua_Integer n = luaL_len(L, 2);
	mw_arena *a = mw_lx_arena(L);

	if (n < 1 || n > 4096 || luaL_len(L, 3) != n)
		mw_lx_bad(L, 2, "curve", "needs 1..4096 points");
	double *xs = mw_arena_alloc(a, (size_t)n * 2 * sizeof *xs);
	if (!xs)
		mw_lx_raise(L);
	for (lua_Integer k = 0; k < n; k++) {
		xs[k] = mw_lx_item(L, 2, "x", k + 1);
		xs[n + k] = mw_lx_item(L, 3, "y", k + 1);
	}
	mw_lx_check(L, mw_field_curve(mw_lx_ctx(L), &f->f, xs, xs + n, (int32_t)n));
	return 0;
}

/* terrace(field, step, offset, soften) */
static int l_terrace(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);

	mw_field_terrace(&f->f, (float)mw_lx_num_in(L, 2, "step", 1e-6, 1e9),
		arg_float(L, 3, "offset"), (float)mw_lx_num_in(L, 4, "soften", 0, 1));
	return 0;
}

/* get(field, i, j) -> number; zero-based */
static int l_get(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	int64_t i = mw_lx_int(L, 2, "i", 0, f->f.w - 1);
	int64_t j = mw_lx_int(L, 3, "j", 0, f->f.h - 1);

	lua_pushnumber(L, (lua_Number)mw_field_row(&f->f, (int32_t)j)[i]);
	return 1;
}

/* put(field, i, j, value); zero-based */
static int l_put(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	int64_t i = mw_lx_int(L, 2, "i", 0, f->f.w - 1);
	int64_t j = mw_lx_int(L, 3, "j", 0, f->f.h - 1);

	if (lua_type(L, 4) !=
		LUA_TNUMBER) /* NaN and infinity may be put: they are refused on use */
		mw_lx_bad(L, 4, "value", "expected a number, got %s", luaL_typename(L, 4));
	mw_field_row(&f->f, (int32_t)j)[i] = (float)lua_tonumber(L, 4);
	return 0;
}

/* at(field, x, z) -> bilinear value */
static int l_at(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);

	lua_pushnumber(
		L, mw_field_sample(&f->f, f->grid, mw_lx_num(L, 2, "x"), mw_lx_num(L, 3, "z")));
	return 1;
}

/* height_at(field, x, z) -> the engine's height between vertices */
static int l_height_at(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	float h = mw_field_height_at(&f->f, f->grid, mw_lx_num(L, 2, "x"), mw_lx_num(L, 3, "z"));

	lua_pushnumber(L, (lua_Number)h);
	return 1;
}

/* map(field, fn): each sample becomes fn(value, x, z) */
static int l_map(lua_State *L)
{
	mw_lx_field *f = mw_lx_field_arg(L, 1);

	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	luaL_checkstack(L, 8, "map");
	for (int32_t j = 0; j < f->f.h; j++) {
		double z = f->grid.z0 + j * f->grid.step;
		for (int32_t i = 0; i < f->f.w; i++) {
			int is_number;

			lua_pushvalue(L, 2);
			lua_pushnumber(L, (lua_Number)mw_field_row(&f->f, j)[i]);
			lua_pushnumber(L, f->grid.x0 + i * f->grid.step);
			lua_pushnumber(L, z);
			lua_call(L, 3, 1);
			lua_Number out = lua_tonumberx(L, -1, &is_number);
			if (MW_UNLIKELY(!is_number))
				mw_lx_bad(L, 2, "map",
					"the function gave %s for sample (%d, %d), a number is "
					"needed",
					luaL_typename(L, -1), (int)i, (int)j);
			if (MW_UNLIKELY(!f->f.v)) /* by the function */
				mw_lx_bad(L, 1, "field", "was closed");
			mw_field_row(&f->f, j)[i] = (float)out;
			lua_pop(L, 1);
		}
	}
	return 0;
}

/* measure(field) -> min, max, mean, nan, inf */
static int l_measure(lua_State *L)
{
	mw_field_stats st = mw_field_measure(&mw_lx_field_arg(L, 1)->f);

	lua_pushnumber(L, (lua_Number)st.min);
	lua_pushnumber(L, (lua_Number)st.max);
	lua_pushnumber(L, st.mean);
	lua_pushinteger(L, (lua_Integer)st.nan);
	lua_pushinteger(L, (lua_Integer)st.inf);
	return 5;
}

/* histogram(field, lo, hi, bins) -> list of counts */
static int l_histogram(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	double lo = mw_lx_num(L, 2, "lo");
	double hi = mw_lx_num(L, 3, "hi");
	int32_t n = (int32_t)mw_lx_int(L, 4, "bins", 1, 65536);
	mw_arena *a = mw_lx_arena(L);

	if (!(lo < hi))
		mw_lx_bad(L, 2, "lo", "is not below hi");
	uint64_t *bins = mw_arena_alloc(a, (size_t)n * sizeof *bins);
	if (!bins)
		mw_lx_raise(L);
	mw_field_histogram(&f->f, lo, hi, bins, n);
	lua_createtable(L, n, 0);
	for (int32_t k = 0; k < n; k++) {
		lua_pushinteger(L, (lua_Integer)bins[k]);
		lua_rawseti(L, -2, k + 1);
	}
	return 1;
}

/* bytes(field) -> its samples as little-endian float32, row by row */
static int l_bytes(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	size_t n = mw_field_count(&f->f);
	luaL_Buffer b;
	unsigned char *p = (unsigned char *)luaL_buffinitsize(L, &b, n * 4);

	for (size_t k = 0; k < n; k++) {
		union {
			float f;
			uint32_t u;
		} bits = {.f = f->f.v[k]};
		for (int byte = 0; byte < 4; byte++)
			p[4 * k + (size_t)byte] = (unsigned char)(bits.u >> (8 * byte));
	}
	luaL_pushresultsize(&b, n * 4);
	return 1;
}

/* __index of fields: upvalue 1 holds the methods, upvalue 2 is called for every other name. In C
 * because scripts ask for methods in their innermost loops. */
static int l_index(lua_State *L)
{
	lua_settop(L, 2);
	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
		return 1;
	lua_pop(L, 1);
	lua_pushvalue(L, lua_upvalueindex(2));
	lua_insert(L, 1);
	lua_call(L, 2, 1);
	return 1;
}

/* set_methods(methods, other): what field.name gives; other(field, name) for unknown names */
static int l_set_methods(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	luaL_getmetatable(L, field_type.name);
	lua_insert(L, 1);
	lua_pushcclosure(L, l_index, 2);
	lua_setfield(L, 1, "__index");
	return 0;
}

static const luaL_Reg functions[] = {
	{"set_methods", l_set_methods},
	{"new", l_new},
	{"copy", l_copy},
	{"shape", l_shape},
	{"place", l_place},
	{"apply", l_apply},
	{"madd", l_madd},
	{"lerp", l_lerp},
	{"scale", l_scale},
	{"clamp", l_clamp},
	{"abs", l_abs},
	{"normalise", l_normalise},
	{"curve", l_curve},
	{"terrace", l_terrace},
	{"get", l_get},
	{"put", l_put},
	{"at", l_at},
	{"height_at", l_height_at},
	{"map", l_map},
	{"measure", l_measure},
	{"histogram", l_histogram},
	{"bytes", l_bytes},
	{NULL, NULL},
};

int mw_luaopen_field(lua_State *L)
{
	mw_lx_type_define(L, &field_type, NULL);
	luaL_newlib(L, functions);
	luaL_setfuncs(L, mw_lx_field_shape, 0);
	luaL_getmetatable(L, field_type.name);
	lua_setfield(L, -2, "meta");
	return 1;
}

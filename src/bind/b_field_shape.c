/* core.field: blur, symmetry, resampling, slope, stamps, erosion. */
#include "bind/b_field.h"

#include "base/log.h"
#include "base/mem.h"
#include "raster/erode.h"
#include "raster/stamp.h"

/* A stage around one operation; the figures are counted whether it fails or not. */
static void finish(lua_State *L, mw_stage_run run, const mw_field *f, mw_code code)
{
	mw_stage_end(mw_lx_ctx(L), run, mw_field_count(f), mw_field_count(f) * sizeof(float));
	mw_lx_check(L, code);
}

/* blur(field, radius); in samples */
static int l_blur(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	double radius = mw_lx_num(L, 2, "radius");
	mw_stage_run run = mw_stage_begin(cx, MW_STAGE_FIELD);

	finish(L, run, &f->f, mw_field_blur(cx, &f->f, radius));
	return 0;
}

/* mirror(field, kind, n, soften); soften in samples */
static int l_mirror(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	mw_mirror m = mw_lx_mirror(L, 2);
	double soften = mw_lx_num(L, 4, "soften");
	mw_stage_run run = mw_stage_begin(cx, MW_STAGE_FIELD);

	finish(L, run, &f->f, mw_field_mirror(cx, &f->f, m, soften));
	return 0;
}

/* resample(field, w, h, kind, step) -> field; the corners stay where they are */
static int l_resample(lua_State *L)
{
	static const char *const kinds[] = {"nearest", "linear", "cubic"};
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	int32_t w = (int32_t)mw_lx_int(L, 2, "w", 1, MW_FIELD_SIDE_MAX);
	int32_t h = (int32_t)mw_lx_int(L, 3, "h", 1, MW_FIELD_SIDE_MAX);
	mw_resample_kind kind = (mw_resample_kind)mw_lx_enum(L, 4, "kind", kinds, 3);
	mw_grid grid = {f->grid.x0, f->grid.z0, mw_lx_num_in(L, 5, "step", 1e-6, 1e9)};
	mw_lx_field *out = mw_lx_field_new(L, w, h, grid, f->seed);
	mw_stage_run run = mw_stage_begin(cx, MW_STAGE_FIELD);

	finish(L, run, &out->f, mw_field_resample(cx, &out->f, &f->f, kind));
	return 1;
}

typedef mw_code (*shape_fn)(mw_ctx *cx, mw_field *out, const mw_field *f, double step);

static int derive(lua_State *L, shape_fn fn)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	mw_lx_field *out = mw_lx_field_new(L, f->f.w, f->f.h, f->grid, f->seed);
	mw_stage_run run = mw_stage_begin(cx, MW_STAGE_FIELD);

	finish(L, run, &out->f, fn(cx, &out->f, &f->f, f->grid.step));
	return 1;
}

/* slope(field) -> field of degrees */
static int l_slope(lua_State *L)
{
	return derive(L, mw_field_slope);
}

/* curvature(field) -> field */
static int l_curvature(lua_State *L)
{
	return derive(L, mw_field_curvature);
}

/* engine_slope(field) -> field, one sample for 2 x 2 squares */
static int l_engine_slope(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	double step = f->grid.step;
	/* sample (i, j) is of the squares around the odd vertices */
	mw_grid grid = {f->grid.x0 + step, f->grid.z0 + step, 2 * step};
	mw_lx_field *out = mw_lx_field_new(L, f->f.w > 2 ? (f->f.w - 1) / 2 : 1,
		f->f.h > 2 ? (f->f.h - 1) / 2 : 1, grid, f->seed);

	mw_lx_check(L, mw_field_engine_slope(cx, &out->f, &f->f, step));
	return 1;
}

/* The shape at idx: kind, flat list {x, z, level, ...}, size. */
static mw_stamp_shape shape_arg(lua_State *L, int idx)
{
	static const char *const kinds[] = {"disc", "rect", "path", "ramp", "polygon"};
	mw_stamp_shape s = {.kind = (mw_stamp_kind)mw_lx_enum(L, idx, "kind", kinds, 5),
		.size = mw_lx_num(L, idx + 2, "size")};
	lua_Integer n = luaL_len(L, idx + 1) / 3;

	if (n < 0 || n > 1000000)
		mw_lx_bad(L, idx + 1, "points", "there are more than a million");
	mw_arena *a = mw_lx_arena(L);
	mw_stamp_point *points = mw_arena_alloc(a, (size_t)n * sizeof *points);
	if (!points)
		mw_lx_raise(L);
	for (lua_Integer k = 0; k < n; k++)
		points[k] = (mw_stamp_point){mw_lx_item(L, idx + 1, "x", 3 * k + 1),
			mw_lx_item(L, idx + 1, "z", 3 * k + 2),
			mw_lx_item(L, idx + 1, "level", 3 * k + 3)};
	s.points = points;
	s.n = (size_t)n;
	return s;
}

/* stamp(field, kind, points, size, mode, soften); in elmos */
static int l_stamp(lua_State *L)
{
	static const char *const modes[] = {"level", "raise", "lower", "add"};
	mw_ctx *cx = mw_lx_ctx(L);
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	mw_stamp_mode mode = (mw_stamp_mode)mw_lx_enum(L, 5, "mode", modes, 4);
	double soften = mw_lx_num(L, 6, "soften");
	mw_stamp_shape s = shape_arg(L, 2);

	mw_lx_check(L, mw_stamp(cx, &f->f, f->grid, &s, mode, soften));
	return 0;
}

/* mean(field, kind, points, size) -> mean inside the shape */
static int l_mean(lua_State *L)
{
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	mw_stamp_shape s = shape_arg(L, 2);
	double mean = 0;

	mw_lx_check(L, mw_stamp_mean(mw_lx_ctx(L), &mean, &f->f, f->grid, &s));
	lua_pushnumber(L, mean);
	return 1;
}

/* erode_thermal(field, iterations, talus, rate) */
static int l_erode_thermal(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	const mw_thermal o = {.iterations = (int32_t)mw_lx_int(L, 2, "iterations", 0, 1000000),
		.talus = mw_lx_num(L, 3, "talus"),
		.rate = mw_lx_num(L, 4, "rate")};
	mw_stage_run run = mw_stage_begin(cx, MW_STAGE_ERODE);

	finish(L, run, &f->f, mw_erode_thermal(cx, &f->f, f->grid.step, &o));
	return 0;
}

/* erode_hydraulic(field, iterations, rain, variation, evaporation, capacity, dissolve, deposit,
 * friction, seed) */
static int l_erode_hydraulic(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	const mw_hydraulic o = {.iterations = (int32_t)mw_lx_int(L, 2, "iterations", 0, 1000000),
		.rain = mw_lx_num(L, 3, "rain"),
		.variation = mw_lx_num(L, 4, "variation"),
		.evaporation = mw_lx_num(L, 5, "evaporation"),
		.capacity = mw_lx_num(L, 6, "capacity"),
		.dissolve = mw_lx_num(L, 7, "dissolve"),
		.deposit = mw_lx_num(L, 8, "deposit"),
		.friction = mw_lx_num(L, 9, "friction"),
		.seed = (uint64_t)luaL_checkinteger(L, 10)};
	mw_stage_run run = mw_stage_begin(cx, MW_STAGE_ERODE);

	finish(L, run, &f->f, mw_erode_hydraulic(cx, &f->f, f->grid.step, &o));
	return 0;
}

/* erode_droplets(field, count, lifetime, radius, inertia, capacity, dissolve, deposit, evaporation,
 * gravity, seed); radius in samples */
static int l_erode_droplets(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_lx_field *f = mw_lx_field_arg(L, 1);
	const mw_droplets o = {.count = (uint64_t)mw_lx_int(L, 2, "count", 0, 10000000000),
		.lifetime = (int32_t)mw_lx_int(L, 3, "lifetime", 1, 1000),
		.radius = mw_lx_num(L, 4, "radius"),
		.inertia = mw_lx_num(L, 5, "inertia"),
		.capacity = mw_lx_num(L, 6, "capacity"),
		.dissolve = mw_lx_num(L, 7, "dissolve"),
		.deposit = mw_lx_num(L, 8, "deposit"),
		.evaporation = mw_lx_num(L, 9, "evaporation"),
		.gravity = mw_lx_num(L, 10, "gravity"),
		.seed = (uint64_t)luaL_checkinteger(L, 11)};
	mw_stage_run run = mw_stage_begin(cx, MW_STAGE_ERODE);

	finish(L, run, &f->f, mw_erode_droplets(cx, &f->f, f->grid.step, &o));
	return 0;
}

const luaL_Reg mw_lx_field_shape[] = {
	{"blur", l_blur},
	{"mirror", l_mirror},
	{"resample", l_resample},
	{"slope", l_slope},
	{"curvature", l_curvature},
	{"engine_slope", l_engine_slope},
	{"stamp", l_stamp},
	{"mean", l_mean},
	{"erode_thermal", l_erode_thermal},
	{"erode_hydraulic", l_erode_hydraulic},
	{"erode_droplets", l_erode_droplets},
	{NULL, NULL},
};

/* Fields against Lua loops, and erosion: one thread, 1025 x 1025 samples. */
#include "bench.h"

#include "base/mem.h"
#include "base/rng.h"
#include "bind/host.h"
#include "raster/erode.h"
#include "raster/field.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 1025
#define CELLS ((double)SIDE * SIDE)
#define SIZE "1025x1025"

/* ---- array operations ---- */

static mw_ctx *own;
static mw_field ground, other, result;
static const mw_mirror turned = {MW_MIRROR_POINT, 0};

/* Operations in a run: scripts chain them, so the field is warm for all but the first. */
#define CHAIN 8

static void must(mw_code code)
{
	if (code != MW_OK) {
		fprintf(stderr, "bench: %s\n", own->err.msg);
		exit(1);
	}
}

static void run_add(void *ud)
{
	(void)ud;
	for (int k = 0; k < CHAIN; k++)
		must(mw_field_apply(own, &ground, MW_FIELD_ADD, &other));
}

static void run_madd(void *ud)
{
	(void)ud;
	for (int k = 0; k < CHAIN; k++)
		must(mw_field_madd(own, &ground, &other, 0.5f));
}

static void run_clamp(void *ud)
{
	(void)ud;
	for (int k = 0; k < CHAIN; k++)
		mw_field_clamp(&ground, -1e6f, 1e6f);
}

static void run_mirror(void *ud)
{
	(void)ud;
	must(mw_field_mirror(own, &ground, turned, 0));
}

static void run_blur(void *ud)
{
	(void)ud;
	must(mw_field_blur(own, &ground, 3));
}

static void run_slope(void *ud)
{
	(void)ud;
	must(mw_field_slope(own, &result, &ground, 8));
}

/* ---- Lua: the function on top of the host's stack at this index ---- */

typedef struct {
	lua_State *L;
	int at;
} lua_work;

static void run_lua(void *ud)
{
	const lua_work *w = ud;
	lua_pushvalue(w->L, w->at);
	if (lua_pcall(w->L, 0, 0, 0) != LUA_OK) {
		fprintf(stderr, "bench: %s\n", lua_tostring(w->L, -1));
		exit(1);
	}
}

static lua_work lua_of(lua_State *L, const char *text)
{
	if (luaL_loadstring(L, text) != LUA_OK || lua_pcall(L, 0, 1, 0) != LUA_OK) {
		fprintf(stderr, "bench: %s\n", lua_tostring(L, -1));
		exit(1);
	}
	return (lua_work){L, lua_gettop(L)};
}

#define TABLES                                                                                     \
	"local n = 1025 * 1025 local a, b = table.move({}, 1, 0, 1, {}), {} "                      \
	"for i = 1, n do a[i], b[i] = i % 97 + 0.5, i % 89 + 0.25 end "

static void arrays(bench *b, lua_State *L)
{
	lua_work add =
		lua_of(L, TABLES "return function() for i = 1, n do a[i] = a[i] + b[i] end end");
	lua_work madd = lua_of(
		L, TABLES "return function() for i = 1, n do a[i] = a[i] + b[i] * 0.5 end end");
	lua_work clamp = lua_of(L,
		TABLES "return function() for i = 1, n do local v = a[i] "
		       "if v < -1e6 then v = -1e6 elseif v > 1e6 then v = 1e6 end "
		       "a[i] = v end end");
	lua_work methods = lua_of(L,
		"local f = require 'mapwright'.field{ w = 1025, h = 1025 } "
		"return function() for j = 0, 1024 do for i = 0, 1024 do "
		"f:set(i, j, f:get(i, j) + 0.5) end end end");
	bench_work works[] = {{run_add, NULL, 0}, {run_lua, &add, 0}, {run_madd, NULL, 0},
		{run_lua, &madd, 0}, {run_clamp, NULL, 0}, {run_lua, &clamp, 0},
		{run_lua, &methods, 0}};
	static const char *const names[] = {"field add", "field multiply-add", "field clamp"};

	bench_thread_time(works, MW_COUNTOF(works));
	for (int k = 0; k < 3; k++)
		bench_row(b, names[k], SIZE, "ns/sample", BENCH_LESS,
			works[2 * k].seconds * 1e9 / CELLS / CHAIN,
			works[2 * k + 1].seconds * 1e9 / CELLS, "Lua 5.4 loop, tables", NULL);
	bench_row(b, "field add", SIZE, "ns/sample", BENCH_LESS,
		works[0].seconds * 1e9 / CELLS / CHAIN, works[6].seconds * 1e9 / CELLS,
		"Lua 5.4 loop, get and set", NULL);

	bench_work whole[] = {{run_mirror, NULL, 0}, {run_blur, NULL, 0}, {run_slope, NULL, 0}};
	static const char *const whole_names[] = {
		"field mirror, point", "field blur, any radius", "field slope"};
	bench_thread_time(whole, MW_COUNTOF(whole));
	for (size_t k = 0; k < MW_COUNTOF(whole); k++)
		bench_row(b, whole_names[k], SIZE, "ns/sample", BENCH_LESS,
			whole[k].seconds * 1e9 / CELLS, 0, NULL, NULL);
}

static void callbacks(bench *b, lua_State *L)
{
	lua_work map = lua_of(L,
		"local f = require 'mapwright'.field{ w = 1025, h = 1025 } "
		"return function() f:map(function(v) return v * 0.5 + 1 end) end");
	lua_work place = lua_of(L,
		"local f = require 'mapwright'.field{ w = 1025, h = 1025 } "
		"return function() f:map(function(v, x, z) return x * 0.01 + z * 0.02 end) end");
	bench_work works[] = {{run_lua, &map, 0}, {run_lua, &place, 0}};

	bench_thread_time(works, 2);
	bench_row(b, "map with a Lua function", SIZE, "ns/sample", BENCH_LESS,
		works[0].seconds * 1e9 / CELLS, 40, "goal", NULL);
	bench_row(b, "map with a Lua function of the place", SIZE, "ns/sample", BENCH_LESS,
		works[1].seconds * 1e9 / CELLS, 40, "goal", NULL);
}

/* ---- erosion: the ground is rough again before each run, so that all runs do the same ---- */

#define ITERATIONS 20
#define DROPS 50000

static const mw_thermal rock = {.iterations = ITERATIONS, .talus = 30, .rate = 1};
static const mw_hydraulic water = {.iterations = ITERATIONS,
	.rain = 0.02,
	.evaporation = 0.02,
	.capacity = 2,
	.dissolve = 0.1,
	.deposit = 0.2,
	.friction = 0.05};
/* Lifetime and radius of the published scheme that the goal was taken from. */
static const mw_droplets drops = {.count = DROPS,
	.lifetime = 30,
	.radius = 3,
	.inertia = 0.3,
	.capacity = 1,
	.dissolve = 0.15,
	.deposit = 0.1,
	.evaporation = 0.03,
	.gravity = 1};

typedef struct {
	mw_isa isa;
	int kind;
} erosion;

static void run_erosion(void *ud)
{
	const erosion *e = ud;
	mw_isa before = own->isa;

	own->isa = e->isa;
	must(mw_field_apply(own, &result, MW_FIELD_SET, &other));
	if (e->kind == 0)
		must(mw_erode_thermal(own, &result, 8, &rock));
	else if (e->kind == 1)
		must(mw_erode_hydraulic(own, &result, 8, &water));
	else
		must(mw_erode_droplets(own, &result, 8, &drops));
	own->isa = before;
}

static void erosions(bench *b)
{
	mw_isa best = mw_isa_detect();
	erosion jobs[] = {
		{best, 0}, {MW_ISA_PORTABLE, 0}, {best, 1}, {MW_ISA_PORTABLE, 1}, {best, 2}};
	bench_work works[MW_COUNTOF(jobs)];
	static const struct {
		const char *name, *unit;
		double per, goal;
	} rows[] = {
		{"erosion, falling rock", "ns/sample/iteration", CELLS * ITERATIONS / 1e9, 0},
		{"erosion, falling rock, portable", "ns/sample/iteration", CELLS * ITERATIONS / 1e9,
			0},
		{"erosion, water on a grid", "ns/sample/iteration", CELLS * ITERATIONS / 1e9, 10},
		{"erosion, water on a grid, portable", "ns/sample/iteration",
			CELLS * ITERATIONS / 1e9, 10},
		{"erosion, droplets", "us/drop", DROPS / 1e6, 2},
	};

	for (size_t k = 0; k < MW_COUNTOF(jobs); k++)
		works[k] = (bench_work){run_erosion, &jobs[k], 0};
	bench_thread_time(works, MW_COUNTOF(works));
	for (size_t k = 0; k < MW_COUNTOF(rows); k++)
		bench_row(b, rows[k].name, SIZE, rows[k].unit, BENCH_LESS,
			works[k].seconds / rows[k].per, rows[k].goal,
			rows[k].goal > 0 ? "goal" : NULL, NULL);
}

void bench_field(bench *b, mw_ctx *cx)
{
	mw_rng r;

	own = cx;
	must(mw_field_init(cx, &ground, SIDE, SIDE));
	must(mw_field_init(cx, &other, SIDE, SIDE));
	must(mw_field_init(cx, &result, SIDE, SIDE));
	mw_rng_init(&r, 1, "bench");
	for (size_t k = 0; k < mw_field_count(&other); k++)
		other.v[k] = (float)(mw_rng_unit(&r) * 4000);
	must(mw_field_blur(cx, &other, 40)); /* hills of some hundred elmos */

	mw_host *host = mw_host_new(cx, NULL);
	if (!host) {
		fprintf(stderr, "bench: %s\n", cx->err.msg);
		exit(1);
	}
	arrays(b, mw_host_lua(host));
	callbacks(b, mw_host_lua(host));
	erosions(b);
	mw_host_free(host);
	mw_field_free(cx, &ground);
	mw_field_free(cx, &other);
	mw_field_free(cx, &result);
}

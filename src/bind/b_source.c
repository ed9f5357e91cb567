/* core.source: sources, their making and their values on a field's grid. Operands are sources; Lua
 * above turns numbers and fields into them. */
#include "bind/b_source.h"

#include "base/mem.h"
#include "bind/b_field.h"
#include "bind/modules.h"

typedef struct {
	mw_source *source;
} box;

static void free_source(mw_ctx *cx, void *payload)
{
	box *b = payload;

	mw_source_release(cx, b->source);
	b->source = NULL;
}

static const mw_lx_type source_type = {"mapwright.source", free_source};

static mw_source **push_source(lua_State *L)
{
	return &((box *)mw_lx_new(L, &source_type, sizeof(box)))->source;
}

mw_source *mw_lx_source_arg(lua_State *L, int idx)
{
	box *b = mw_lx_arg(L, idx, &source_type);

	if (!b->source)
		luaL_error(L, "this source is empty");
	return b->source;
}

static mw_source *opt_source(lua_State *L, int idx)
{
	return lua_isnoneornil(L, idx) ? NULL : mw_lx_source_arg(L, idx);
}

/* ---- making ------------------------------------------------------------------------------------
 */

/* constant(v) -> source */
static int l_constant(lua_State *L)
{
	double v = mw_lx_num(L, 1, "value");

	mw_lx_check(L, mw_source_constant(mw_lx_ctx(L), push_source(L), v));
	return 1;
}

/* x() -> source */
static int l_x(lua_State *L)
{
	mw_lx_check(L, mw_source_x(mw_lx_ctx(L), push_source(L)));
	return 1;
}

/* z() -> source */
static int l_z(lua_State *L)
{
	mw_lx_check(L, mw_source_z(mw_lx_ctx(L), push_source(L)));
	return 1;
}

/* noise(basis, fractal, cell, period, octaves, amplitude, lacunarity, gain, feedback, jitter,
 *       seed, stream or nil) -> source */
static int l_noise(lua_State *L)
{
	static const char *const bases[] = {"gradient", "value", "cellular"};
	static const char *const fractals[] = {"sum", "billow", "ridged"};
	static const char *const cells[] = {"f1", "f2", "f2-f1", "cell"};
	mw_noise noise = {
		.basis = (mw_noise_basis)mw_lx_enum(L, 1, "basis", bases, 3),
		.fractal = (mw_noise_fractal)mw_lx_enum(L, 2, "fractal", fractals, 3),
		.cell = (mw_noise_cell)mw_lx_enum(L, 3, "distance", cells, 4),
		.period = mw_lx_num(L, 4, "period"),
		.octaves = (int)mw_lx_int(L, 5, "octaves", 1, MW_NOISE_OCTAVES_MAX),
		.amplitude = mw_lx_num(L, 6, "amplitude"),
		.lacunarity = mw_lx_num(L, 7, "lacunarity"),
		.gain = mw_lx_num(L, 8, "gain"),
		.feedback = mw_lx_num(L, 9, "feedback"),
		.jitter = mw_lx_num(L, 10, "jitter"),
		.seed = (uint64_t)luaL_checkinteger(L, 11),
	};
	const char *stream = luaL_optstring(L, 12, NULL);

	mw_lx_check(L, mw_source_noise(mw_lx_ctx(L), push_source(L), &noise, stream));
	return 1;
}

/* Numbers of the list at idx in a new arena; pushes the arena's box. */
static double *list_arg(lua_State *L, int idx, const char *name, size_t *n)
{
	luaL_checktype(L, idx, LUA_TTABLE);
	*n = (size_t)luaL_len(L, idx);
	if (*n > 2 * (size_t)MW_SOURCE_SHAPE_MAX)
		mw_lx_bad(L, idx, name, "more than %d numbers", 2 * MW_SOURCE_SHAPE_MAX);
	double *v = mw_arena_alloc(mw_lx_arena(L), (*n + 1) * sizeof *v);
	if (!v)
		mw_lx_raise(L);
	for (size_t i = 0; i < *n; i++)
		v[i] = mw_lx_item(L, idx, name, (lua_Integer)i + 1);
	return v;
}

/* distance(kind, {x, z, x, z, ...}) -> source */
static int l_distance(lua_State *L)
{
	static const char *const kinds[] = {"points", "line", "polygon"};
	mw_shape_kind kind = (mw_shape_kind)mw_lx_enum(L, 1, "kind", kinds, 3);
	size_t n;
	const double *xz = list_arg(L, 2, "points", &n);

	mw_lx_check(L, mw_source_distance(mw_lx_ctx(L), push_source(L), kind, xz, n / 2));
	return 1;
}

/* field(field, filter, edge) -> source of the field's samples as they are now, where they lie */
static int l_field(lua_State *L)
{
	static const char *const filters[] = {"nearest", "bilinear"};
	static const char *const edges[] = {"clamp", "wrap"};
	const mw_lx_field *f = mw_lx_field_arg(L, 1);
	mw_filter filter = (mw_filter)mw_lx_enum(L, 2, "filter", filters, 2);
	mw_edge edge = (mw_edge)mw_lx_enum(L, 3, "edge", edges, 2);

	mw_lx_check(L,
		mw_source_grid(mw_lx_ctx(L), push_source(L), f->f.v, f->f.w, f->f.h, f->grid.x0,
			f->grid.z0, f->grid.step, f->grid.step, filter, edge));
	return 1;
}

/* ---- working -----------------------------------------------------------------------------------
 */

/* apply(op, a, b, c) -> source; as many operands as the operation has */
static int l_apply(lua_State *L)
{
	static const char *const ops[MW_OP_COUNT] = {"add", "sub", "mul", "div", "min", "max",
		"pow", "step", "abs", "neg", "sqrt", "floor", "clamp", "lerp", "smoothstep",
		"select"};
	mw_source_op op = (mw_source_op)mw_lx_enum(L, 1, "op", ops, MW_OP_COUNT);
	mw_source *operand[3] = {NULL, NULL, NULL};

	for (int i = 0; i < mw_source_arity(op); i++)
		operand[i] = mw_lx_source_arg(L, 2 + i);
	mw_lx_check(L, mw_source_apply(mw_lx_ctx(L), push_source(L), op, operand));
	return 1;
}

/* curve(a, {x...}, {y...}, smooth) -> source */
static int l_curve(lua_State *L)
{
	mw_source *a = mw_lx_source_arg(L, 1);
	size_t n, m;
	const double *xs = list_arg(L, 2, "x", &n);
	const double *ys = list_arg(L, 3, "y", &m);

	if (n != m)
		mw_lx_bad(L, 3, "y", "as many numbers as x has");
	mw_lx_check(
		L, mw_source_curve(mw_lx_ctx(L), push_source(L), a, xs, ys, n, mw_lx_bool(L, 4)));
	return 1;
}

/* terrace(a, step, offset, soften) -> source */
static int l_terrace(lua_State *L)
{
	mw_source *a = mw_lx_source_arg(L, 1);
	double step = mw_lx_num(L, 2, "step"), offset = mw_lx_num(L, 3, "offset");
	double soften = mw_lx_num(L, 4, "soften");

	mw_lx_check(L, mw_source_terrace(mw_lx_ctx(L), push_source(L), a, step, offset, soften));
	return 1;
}

/* transform(a, m0...m5) -> source: a at (m0 x + m1 z + m2, m3 x + m4 z + m5) */
static int l_transform(lua_State *L)
{
	mw_source *a = mw_lx_source_arg(L, 1);
	double m[6];

	for (int i = 0; i < 6; i++)
		m[i] = mw_lx_num(L, 2 + i, "transform");
	mw_lx_check(L, mw_source_transform(mw_lx_ctx(L), push_source(L), a, m));
	return 1;
}

/* rotate(a, turns, x, z) -> source: a turned clockwise, seen from above, about (x, z) */
static int l_rotate(lua_State *L)
{
	mw_source *a = mw_lx_source_arg(L, 1);
	double turns = mw_lx_num_in(L, 2, "turns", -1e6, 1e6);
	double x = mw_lx_num(L, 3, "x"), z = mw_lx_num(L, 4, "z");
	double c, s;

	mw_turn(turns, &c, &s);
	/* The position is turned back. */
	const double m[6] = {c, s, x - c * x - s * z, -s, c, z + s * x - c * z};
	mw_lx_check(L, mw_source_transform(mw_lx_ctx(L), push_source(L), a, m));
	return 1;
}

/* warp(a, dx or nil, dz or nil) -> source */
static int l_warp(lua_State *L)
{
	mw_source *a = mw_lx_source_arg(L, 1), *dx = opt_source(L, 2), *dz = opt_source(L, 3);

	mw_lx_check(L, mw_source_warp(mw_lx_ctx(L), push_source(L), a, dx, dz));
	return 1;
}

/* mirror(a, kind, n, x or nil, z or nil, soften) -> source; without a centre about the map's */
static int l_mirror(lua_State *L)
{
	mw_source *a = mw_lx_source_arg(L, 1);
	mw_mirror mirror = mw_lx_mirror(L, 2);
	bool centred = lua_isnoneornil(L, 4);
	double centre[2] = {0, 0};

	for (int i = 0; i < 2 && !centred; i++)
		centre[i] = mw_lx_num(L, 4 + i, i ? "z" : "x");
	mw_lx_check(L,
		mw_source_mirror(mw_lx_ctx(L), push_source(L), a, mirror, centred ? NULL : centre,
			mw_lx_num(L, 6, "soften")));
	return 1;
}

/* fit(a, w, h) -> source: a as if the map were 0..w by 0..h */
static int l_fit(lua_State *L)
{
	mw_source *a = mw_lx_source_arg(L, 1);
	double w = mw_lx_num(L, 2, "w"), h = mw_lx_num(L, 3, "h");

	mw_lx_check(L, mw_source_fit(mw_lx_ctx(L), push_source(L), a, w, h));
	return 1;
}

/* ---- values ------------------------------------------------------------------------------------
 */

typedef struct {
	mw_program program;
} program_box;

static void free_program(mw_ctx *cx, void *payload)
{
	mw_program_free(cx, &((program_box *)payload)->program);
}

static const mw_lx_type program_type = {"mapwright.program", free_program};

/* eval(source, field): fill the field where its samples lie, with its seed, on all cores */
static int l_eval(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	mw_source *s = mw_lx_source_arg(L, 1);
	mw_lx_field *f = mw_lx_field_arg(L, 2);
	mw_source_scope scope = mw_source_scope_of(&f->grid, f->f.w, f->f.h, f->seed);
	program_box *p = mw_lx_new(L, &program_type, sizeof *p);

	mw_lx_check(L, mw_program_compile(cx, &p->program, &s, 1, &scope));
	mw_lx_check(L, mw_program_eval(cx, &p->program, &f->grid, &f->f));
	mw_program_free(cx, &p->program);
	return 0;
}

/* length(source) -> values computed per block, shared ones counted once */
static int l_length(lua_State *L)
{
	mw_source *s = mw_lx_source_arg(L, 1);
	const mw_source_scope scope = {.x1 = 1, .z1 = 1};
	program_box *p = mw_lx_new(L, &program_type, sizeof *p);

	mw_lx_check(L, mw_program_compile(mw_lx_ctx(L), &p->program, &s, 1, &scope));
	lua_pushinteger(L, (lua_Integer)mw_program_length(&p->program));
	return 1;
}

int mw_luaopen_source(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"constant", l_constant},
		{"x", l_x},
		{"z", l_z},
		{"noise", l_noise},
		{"distance", l_distance},
		{"field", l_field},
		{"apply", l_apply},
		{"curve", l_curve},
		{"terrace", l_terrace},
		{"transform", l_transform},
		{"rotate", l_rotate},
		{"warp", l_warp},
		{"mirror", l_mirror},
		{"fit", l_fit},
		{"eval", l_eval},
		{"length", l_length},
		{NULL, NULL},
	};

	mw_lx_type_define(L, &source_type, NULL);
	mw_lx_type_define(L, &program_type, NULL);
	luaL_newlib(L, functions);
	luaL_getmetatable(L, source_type.name);
	lua_setfield(L, -2, "meta"); /* methods are added in Lua */
	return 1;
}

/* core.ground: the ground of a map from checked options to tile files, tile index and minimap. */
#include "base/fs.h"
#include "base/mem.h"
#include "base/str.h"
#include "bind/b_field.h"
#include "bind/b_image.h"
#include "bind/b_source.h"
#include "bind/modules.h"
#include "compile/groundtex.h"
#include "format/smf/smf.h"

#include <string.h>

#define FILES_MAX 48 /* tile files; each stays open until the map is written */

/* A compiled ground. Its tile files are unfinished ones: they go when it does. */
typedef struct {
	mw_ground_product p;
	mw_tile_store store;
	char *path; /* of the first tile file, were it kept */
	mw_fs_file *file[FILES_MAX];
	uint32_t count[FILES_MAX]; /* tiles in it */
	uint32_t files, split;
} ground_box;

static void free_ground(mw_ctx *cx, void *payload)
{
	ground_box *g = payload;

	mw_ground_product_free(cx, &g->p);
	for (uint32_t i = 0; i < g->files; i++)
		mw_fs_discard(cx, g->file[i]);
	g->files = 0;
	mw_free(cx, g->path);
	g->path = NULL;
}

static const mw_lx_type ground_type = {"mapwright.ground", free_ground};

/* What a compile holds while it runs. */
typedef struct {
	mw_ground_layer layer[MW_GROUND_LAYERS_MAX];
	mw_source *root[3 * MW_GROUND_LAYERS_MAX];
	size_t roots;
	mw_program program;
	mw_rows *picture;
	mw_field light;
	mw_image grey[MW_GROUND_LAYERS_MAX]; /* grey textures as colour */
	mw_image grey_picture, grey_minimap;
} work;

static void free_work(mw_ctx *cx, void *payload)
{
	work *w = payload;

	mw_program_free(cx, &w->program);
	mw_rows_close(cx, w->picture);
	w->picture = NULL;
	mw_field_free(cx, &w->light);
	for (size_t i = 0; i < MW_COUNTOF(w->grey); i++)
		mw_image_free(cx, &w->grey[i]);
	mw_image_free(cx, &w->grey_picture);
	mw_image_free(cx, &w->grey_minimap);
}

static const mw_lx_type work_type = {"mapwright.ground_work", free_work};

/* ---- tile files ----------------------------------------------------------------------------- */

static mw_code next_file(mw_ctx *cx, ground_box *g)
{
	static const uint8_t header[MW_SMT_HEADER_BYTES];

	if (g->files == FILES_MAX)
		return mw_fail(cx, MW_ELIMIT, "smt_split of %u tiles makes more than %d tile files",
			g->split, FILES_MAX);
	mw_code code = mw_fs_create(cx, &g->file[g->files], g->path);
	if (code)
		return code;
	g->count[g->files] = 0;
	return mw_fs_append(cx, g->file[g->files++], header, sizeof header);
}

static mw_code split_append(mw_ctx *cx, mw_tile_store *store, const uint8_t *tiles, size_t n)
{
	ground_box *g = store->to;

	while (n > 0) {
		if (!g->files || g->count[g->files - 1] == g->split) {
			mw_code code = next_file(cx, g);
			if (code)
				return code;
		}
		uint32_t at = g->files - 1, room = g->split - g->count[at];
		size_t step = n < room ? n : room;
		mw_code code = mw_fs_append(cx, g->file[at], tiles, step * MW_TILE_BYTES);
		if (code)
			return code;
		g->count[at] += (uint32_t)step;
		tiles += step * MW_TILE_BYTES;
		n -= step;
	}
	return MW_OK;
}

static mw_code split_fetch(mw_ctx *cx, mw_tile_store *store, uint32_t index, uint8_t *tile)
{
	ground_box *g = store->to;
	uint64_t at = MW_SMT_HEADER_BYTES + (uint64_t)(index % g->split) * MW_TILE_BYTES;

	return mw_fs_fetch(cx, g->file[index / g->split], at, tile, MW_TILE_BYTES);
}

static mw_code write_headers(mw_ctx *cx, ground_box *g)
{
	for (uint32_t i = 0; i < g->files; i++) {
		uint8_t header[MW_SMT_HEADER_BYTES];

		mw_smt_header(header, g->count[i]);
		mw_code code = mw_fs_patch(cx, g->file[i], 0, header, sizeof header);
		if (code)
			return code;
	}
	return MW_OK;
}

/* ---- options ----------------------------------------------------------------------------------
 */

static double number_at(lua_State *L, int idx, const char *key)
{
	lua_getfield(L, idx, key);
	double v = mw_lx_num(L, -1, key);
	lua_pop(L, 1);
	return v;
}

static double number_or(lua_State *L, int idx, const char *key, double otherwise)
{
	lua_getfield(L, idx, key);
	double v = lua_isnil(L, -1) ? otherwise : mw_lx_num(L, -1, key);
	lua_pop(L, 1);
	return v;
}

/* {a, b, c} at key; false when absent. */
static bool triple_at(lua_State *L, int idx, const char *key, double out[3])
{
	bool there = lua_getfield(L, idx, key) == LUA_TTABLE;

	for (int i = 0; there && i < 3; i++)
		out[i] = mw_lx_item(L, -1, key, i + 1);
	lua_pop(L, 1);
	return there;
}

static void colour_at(lua_State *L, int idx, const char *key, float out[3])
{
	double v[3];

	if (triple_at(L, idx, key, v))
		for (int i = 0; i < 3; i++)
			out[i] = (float)v[i];
}

/* The source at key as an output of the program, or MW_GROUND_NONE. Its owner is the option table.
 */
static int root_at(lua_State *L, int idx, const char *key, work *w)
{
	if (lua_getfield(L, idx, key) == LUA_TNIL) {
		lua_pop(L, 1);
		return MW_GROUND_NONE;
	}
	mw_source *source = mw_lx_source_arg(L, -1);
	lua_pop(L, 1);
	for (size_t i = 0; i < w->roots; i++)
		if (w->root[i] == source)
			return (int)i;
	w->root[w->roots] = source;
	return (int)w->roots++;
}

/* The image at key as a colour one, or NULL. spare holds it where it is grey. */
static const mw_image *image_at(lua_State *L, int idx, const char *key, mw_image *spare)
{
	const mw_image *out = NULL;

	if (lua_getfield(L, idx, key) != LUA_TNIL) {
		mw_lx_image *img = mw_lx_image_arg(L, -1);

		out = &img->colour;
		if (img->grey.v) {
			mw_lx_check(L, mw_image_from_grey(mw_lx_ctx(L), spare, &img->grey));
			out = spare;
		}
	}
	lua_pop(L, 1);
	return out;
}

static void read_layer(lua_State *L, int idx, work *w, size_t i)
{
	mw_ground_layer *l = &w->layer[i];

	*l = (mw_ground_layer){.colour = {0, 0, 0}, .tint = {1, 1, 1}};
	l->image = image_at(L, idx, "image", &w->grey[i]);
	colour_at(L, idx, "color", l->colour);
	l->scale = number_or(L, idx, "scale", 0);
	l->second_scale = number_or(L, idx, "second_scale", 0);
	l->mask = root_at(L, idx, "mask", w);
	l->opacity = (float)number_or(L, idx, "opacity", 1);
	l->blend = (float)number_or(L, idx, "blend", 0);
	colour_at(L, idx, "tint", l->tint);
	l->tint_mask = root_at(L, idx, "tint_mask", w);
	l->shade = root_at(L, idx, "shade", w);
}

static void read_layers(lua_State *L, work *w, mw_ground *g)
{
	lua_getfield(L, 1, "layers");
	luaL_checktype(L, -1, LUA_TTABLE);
	g->layer_count = (size_t)lua_rawlen(L, -1);
	if (g->layer_count > MW_GROUND_LAYERS_MAX)
		mw_lx_bad(L, 1, "ground", "%d layers, at most %d", (int)g->layer_count,
			MW_GROUND_LAYERS_MAX);
	for (size_t i = 0; i < g->layer_count; i++) {
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		read_layer(L, lua_gettop(L), w, i);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	g->layers = w->layer;
}

/* Rows of the picture, a path or an image, resampled to the map. */
static void open_picture(lua_State *L, work *w, mw_ground *g)
{
	mw_ctx *cx = mw_lx_ctx(L);
	int type = lua_getfield(L, 1, "picture");

	if (type == LUA_TSTRING)
		mw_lx_check(L, mw_rows_open(cx, &w->picture, lua_tostring(L, -1)));
	lua_pop(L, 1);
	if (type == LUA_TUSERDATA)
		mw_lx_check(L,
			mw_rows_image(
				cx, &w->picture, image_at(L, 1, "picture", &w->grey_picture)));
	if (!w->picture)
		return;
	mw_rows *rows = w->picture;
	w->picture = NULL; /* the resizer takes it over, also when it fails */
	mw_lx_check(L, mw_rows_resize(cx, &w->picture, rows, g->w, g->h));
	g->picture = w->picture;
}

static void read_light(lua_State *L, work *w, mw_ground *g)
{
	double sun[3];

	if (lua_getfield(L, 1, "heights") == LUA_TNIL) {
		lua_pop(L, 1);
		return;
	}
	const mw_lx_field *heights = mw_lx_field_arg(L, -1);
	lua_pop(L, 1); /* stays in the option table */
	lua_getfield(L, 1, "water");
	if (mw_lx_bool(L, -1))
		g->heights = &heights->f;
	lua_pop(L, 1);
	if (!triple_at(L, 1, "sun", sun))
		return;
	mw_lx_check(L,
		mw_ground_light(mw_lx_ctx(L), &w->light, &heights->f, heights->grid.step, sun,
			number_at(L, 1, "light")));
	g->light = &w->light;
}

static void read_water(lua_State *L, mw_ground_water *water)
{
	if (lua_getfield(L, 1, "water_look") == LUA_TTABLE) {
		int idx = lua_gettop(L);

		colour_at(L, idx, "shallow", water->shallow);
		colour_at(L, idx, "deep", water->deep);
		water->least = (float)number_or(L, idx, "least", (double)water->least);
		water->most = (float)number_or(L, idx, "most", (double)water->most);
		water->half = (float)number_or(L, idx, "half", (double)water->half);
	}
	lua_pop(L, 1);
}

static void compile_program(lua_State *L, work *w, mw_ground *g)
{
	mw_source_scope scope = {0, 0, 0, g->w, g->h};

	if (!w->roots)
		return;
	lua_getfield(L, 1, "seed");
	scope.seed = (uint64_t)luaL_optinteger(L, -1, 0);
	lua_pop(L, 1);
	mw_lx_check(L, mw_program_compile(mw_lx_ctx(L), &w->program, w->root, w->roots, &scope));
	g->program = &w->program;
	g->roots = w->roots;
}

static void start_files(lua_State *L, ground_box *g)
{
	mw_ctx *cx = mw_lx_ctx(L);

	lua_getfield(L, 1, "path");
	mw_sv path = mw_lx_str(L, -1, "path");
	g->path = mw_alloc(cx, path.n + 1);
	mw_lx_check(L, g->path ? MW_OK : cx->err.code);
	memcpy(g->path, path.p, path.n + 1);
	lua_pop(L, 1);
	lua_getfield(L, 1, "split");
	g->split =
		lua_isnil(L, -1) ? UINT32_MAX : (uint32_t)mw_lx_int(L, -1, "split", 1, INT32_MAX);
	lua_pop(L, 1);
	g->store = (mw_tile_store){split_append, split_fetch, g, 0};
}

/* compile{w, h, path, split?, seed?, quality?, share?, color?, picture?, layers, heights?, water?,
 * water_look?, sun?, light?, minimap?} -> ground, whether the picture has alpha
 * w, h: texels. path: where tile files would stand; they stay unfinished beside it until the ground
 * is closed. picture: path or image. layers: rows of {image | color, scale?, second_scale?, mask?,
 * opacity?, blend?, tint?, tint_mask?, shade?} with sources for mask, tint_mask and shade. */
static int l_compile(lua_State *L)
{
	static const char *const levels[] = {"fast", "normal", "best"};
	mw_ctx *cx = mw_lx_ctx(L);
	mw_ground g;

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	ground_box *out = mw_lx_new(L, &ground_type, sizeof *out);
	work *w = mw_lx_new(L, &work_type, sizeof *w);
	mw_ground_init(&g, (uint32_t)number_at(L, 1, "w"), (uint32_t)number_at(L, 1, "h"));
	if (lua_getfield(L, 1, "quality") != LUA_TNIL)
		g.level = (mw_dxt1_level)mw_lx_enum(L, -1, "quality", levels, 3);
	if (lua_getfield(L, 1, "share") != LUA_TNIL)
		g.share = mw_lx_bool(L, -1);
	lua_pop(L, 2);
	colour_at(L, 1, "color", g.colour);
	read_layers(L, w, &g);
	compile_program(L, w, &g);
	open_picture(L, w, &g);
	read_water(L, &g.water);
	read_light(L, w, &g);
	g.minimap = image_at(L, 1, "minimap", &w->grey_minimap);
	start_files(L, out);
	mw_lx_check(L, mw_ground_compile(cx, &out->p, &g, &out->store));
	mw_lx_check(L, write_headers(cx, out));
	lua_settop(L, 2);
	lua_pushboolean(L, g.picture && g.picture->has_alpha);
	free_work(cx, w);
	return 2;
}

/* ---- what came out ------------------------------------------------------------------------------
 */

static ground_box *ground_arg(lua_State *L)
{
	ground_box *g = mw_lx_arg(L, 1, &ground_type);

	if (!g->p.index)
		luaL_error(L, "this ground is closed");
	return g;
}

/* files(ground) -> {{path, count}, ...} in order of the tile numbers */
static int l_files(lua_State *L)
{
	ground_box *g = ground_arg(L);

	lua_createtable(L, (int)g->files, 0);
	for (uint32_t i = 0; i < g->files; i++) {
		lua_createtable(L, 0, 2);
		lua_pushstring(L, mw_fs_unfinished_path(g->file[i]));
		lua_setfield(L, -2, "path");
		lua_pushinteger(L, g->count[i]);
		lua_setfield(L, -2, "count");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* index(ground) -> tile numbers, i32 little-endian, rows from north */
static int l_index(lua_State *L)
{
	ground_box *g = ground_arg(L);
	size_t n = (size_t)g->p.tiles_x * g->p.tiles_z;
	luaL_Buffer b;
	uint8_t *out = (uint8_t *)luaL_buffinitsize(L, &b, 4 * n);

	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 4; k++)
			out[4 * i + k] = (uint8_t)(g->p.index[i] >> 8 * k);
	luaL_pushresultsize(&b, 4 * n);
	return 1;
}

/* minimap(ground) -> its DXT1 levels */
static int l_minimap(lua_State *L)
{
	lua_pushlstring(L, (const char *)ground_arg(L)->p.minimap, MW_MINIMAP_BYTES);
	return 1;
}

/* size(ground) -> tiles across, tiles down, records */
static int l_size(lua_State *L)
{
	ground_box *g = ground_arg(L);

	lua_pushinteger(L, g->p.tiles_x);
	lua_pushinteger(L, g->p.tiles_z);
	lua_pushinteger(L, g->p.tile_count);
	return 3;
}

/* close(ground): removes the tile files */
static int l_close(lua_State *L)
{
	free_ground(mw_lx_ctx(L), mw_lx_arg(L, 1, &ground_type));
	return 0;
}

int mw_luaopen_ground(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{"compile", l_compile},
		{"files", l_files},
		{"index", l_index},
		{"minimap", l_minimap},
		{"size", l_size},
		{"close", l_close},
		{NULL, NULL},
	};

	mw_lx_type_define(L, &ground_type, NULL);
	mw_lx_type_define(L, &work_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

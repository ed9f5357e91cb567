/* Methods of hmap that show what is compiled, and questions to its tree. */
#include "format/hmap/hmap_lua.h"

/* ---- looking --------------------------------------------------------------------------------- */

/* hmap:level() -> {ambient, units_per_metre, baked, bounds, batches, vertices, triangles, models,
 * depth, nodes, leaves, planes, items, solids, hulls, lights}, all counts */
static int l_level(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;

	lua_createtable(L, 0, 16);
	set_floats(L, "ambient", l->ambient, 3);
	set_num(L, "units_per_metre", (double)l->units_per_metre);
	set_int(L, "baked", l->baked);
	set_floats(L, "bounds", l->box, 6);
	set_int(L, "batches", (int64_t)l->batch.n);
	set_int(L, "vertices", (int64_t)l->vertex.n);
	set_int(L, "triangles", (int64_t)l->index.n / 3);
	set_int(L, "models", (int64_t)l->model.n);
	set_int(L, "root", l->root);
	set_int(L, "depth", l->depth);
	set_floats(L, "tree_bounds", l->tree_box, 6);
	set_int(L, "nodes", (int64_t)l->node.n);
	set_int(L, "leaves", (int64_t)l->leaf.n);
	set_int(L, "planes", (int64_t)l->tree_plane.n);
	set_int(L, "items", (int64_t)l->item.n);
	set_int(L, "solids", l->tree_solids);
	set_int(L, "hulls", (int64_t)l->hull.n);
	set_int(L, "lights", (int64_t)l->light.n);
	return 1;
}

/* hmap:batch(i) -> {material, source, model, vertices = {{x, y, z, nx, ny, nz, u, v, rgba}},
 * indices} */
static int l_batch(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;
	const mw_level_batch *b = &l->batch.v[mw_lx_int(L, 2, "batch", 1, (int64_t)l->batch.n) - 1];

	lua_createtable(L, 0, 5);
	set_int(L, "material", b->material);
	set_int(L, "source", b->source);
	set_int(L, "model", b->model);
	lua_createtable(L, (int)b->vertices, 0);
	for (uint32_t k = 0; k < b->vertices; k++) {
		const mw_level_vertex *v = &l->vertex.v[b->first_vertex + k];

		lua_createtable(L, 9, 0);
		for (int a = 0; a < 8; a++) {
			lua_pushnumber(L,
				(double)(a < 3          ? v->pos[a]
						: a < 6 ? v->normal[a - 3]
							: v->uv[a - 6]));
			lua_rawseti(L, -2, a + 1);
		}
		lua_pushinteger(L, v->color);
		lua_rawseti(L, -2, 9);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "vertices");
	lua_createtable(L, (int)b->indices, 0);
	for (uint32_t k = 0; k < b->indices; k++) {
		lua_pushinteger(L, l->index.v[b->first_index + k]);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "indices");
	return 1;
}

/* hmap:models() -> {entity, bounds, solids} rows */
static int l_models(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;

	lua_createtable(L, (int)l->model.n, 0);
	for (size_t i = 0; i < l->model.n; i++) {
		lua_createtable(L, 0, 3);
		set_int(L, "entity", l->model.v[i].entity);
		set_floats(L, "bounds", l->model.v[i].box, 6);
		set_int(L, "solids", l->model.v[i].solids);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:node(i) -> plane {4}, front, back; hmap:leaf(i) -> list of solids (from 0) [i: 0.., as in
 * the file] */
static int l_node(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;
	const mw_level_node *n = &l->node.v[mw_lx_int(L, 2, "node", 0, (int64_t)l->node.n - 1)];

	lua_createtable(L, 0, 1);
	set_floats(L, "plane", l->tree_plane.v[n->plane].v, 4);
	lua_getfield(L, -1, "plane");
	lua_pushinteger(L, n->child[0]);
	lua_pushinteger(L, n->child[1]);
	return 3;
}

static int l_leaf(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;
	const mw_level_leaf *leaf = &l->leaf.v[mw_lx_int(L, 2, "leaf", 0, (int64_t)l->leaf.n - 1)];

	lua_createtable(L, (int)leaf->count, 0);
	for (uint32_t i = 0; i < leaf->count; i++) {
		lua_pushinteger(L, l->item.v[leaf->first + i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:solid(i) -> {contents, source, bounds, planes = {{n, d}}} of the tree's [i: 0..] */
static int l_solid(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;
	const mw_level_solid *s = &l->solid.v[l->first_tree_solid +
		mw_lx_int(L, 2, "solid", 0, (int64_t)l->tree_solids - 1)];

	lua_createtable(L, 0, 4);
	set_int(L, "contents", s->contents);
	set_int(L, "source", s->source);
	set_floats(L, "bounds", s->box, 6);
	lua_createtable(L, (int)s->planes, 0);
	for (uint32_t k = 0; k < s->planes; k++) {
		lua_createtable(L, 4, 0);
		for (int a = 0; a < 4; a++) {
			lua_pushnumber(L, (double)l->plane.v[s->first + k].v[a]);
			lua_rawseti(L, -2, a + 1);
		}
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "planes");
	return 1;
}

static void push_light(lua_State *L, const mw_level_light *x)
{
	static const char *const kinds[] = {"point", "spot", "sun"};

	lua_createtable(L, 0, 9);
	set_text(L, "kind", kinds[x->kind]);
	set_floats(L, "pos", x->pos, 3);
	set_floats(L, "dir", x->dir, 3);
	set_floats(L, "color", x->color, 3);
	set_num(L, "intensity", (double)x->intensity);
	set_num(L, "radius", (double)x->radius);
	set_num(L, "inner", (double)x->inner);
	set_num(L, "outer", (double)x->outer);
	set_int(L, "entity", x->entity);
}

/* hmap:lights() -> {kind, pos, dir, color, intensity, radius, inner, outer, entity} rows: of CMPL
 */
static int l_lights(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;

	lua_createtable(L, (int)l->light.n, 0);
	for (size_t i = 0; i < l->light.n; i++) {
		push_light(L, &l->light.v[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:entity_lights() -> as lights, but from the entities */
static int l_entity_lights(lua_State *L)
{
	mw_hmap *h = arg_hmap(L), *scratch = mw__hmap_new(L);
	mw_scene *s = mw_lx_scene_new(L);

	mw_lx_check(L, mw_hmap_to_scene(mw_lx_ctx(L), s, h));
	mw_lx_check(L, mw_level_lights(mw_lx_ctx(L), &scratch->level, s));
	lua_createtable(L, (int)scratch->level.light.n, 0);
	for (size_t i = 0; i < scratch->level.light.n; i++) {
		push_light(L, &scratch->level.light.v[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:hulls() -> {object, bounds, points} rows; points are 9 numbers a triangle */
static int l_hulls(lua_State *L)
{
	const mw_level *l = &arg_hmap(L)->level;

	lua_createtable(L, (int)l->hull.n, 0);
	for (size_t i = 0; i < l->hull.n; i++) {
		const mw_level_hull *h = &l->hull.v[i];

		lua_createtable(L, 0, 3);
		set_int(L, "object", h->object);
		set_floats(L, "bounds", h->box, 6);
		lua_createtable(L, (int)h->points * 3, 0);
		for (uint32_t k = 0; k < 3 * h->points; k++) {
			lua_pushnumber(L, (double)l->point.v[h->first + k / 3].v[k % 3]);
			lua_rawseti(L, -2, (lua_Integer)k + 1);
		}
		lua_setfield(L, -2, "points");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void free_query(mw_ctx *cx, void *payload)
{
	mw_level_query_free(cx, payload);
}

const mw_lx_type mw__hmap_query_type = {"mapwright.core.query", free_query};

/* hmap:query() -> query over CMPL's tree, which lives on without the hmap */
static int l_query(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	mw_level_query *q = mw_lx_new(L, &mw__hmap_query_type, sizeof *q);

	mw_lx_check(L, mw_level_query_init(mw_lx_ctx(L), q, &h->level));
	return 1;
}

static mw_vec3 arg_vec(lua_State *L, int idx, const char *name)
{
	return mw_v3(
		mw_lx_num(L, idx, name), mw_lx_num(L, idx + 1, name), mw_lx_num(L, idx + 2, name));
}

/* query:contents(x, y, z) -> bits, brushes tested, list of the solids (from 0) that hold it */
static int l_query_contents(lua_State *L)
{
	const mw_level_query *q = mw_lx_arg(L, 1, &mw__hmap_query_type);
	mw_vec3 p = arg_vec(L, 2, "point");
	uint32_t tested;
	lua_Integer n = 0;

	lua_pushinteger(L, mw_level_contents(q, &p, &tested));
	lua_pushinteger(L, tested);
	lua_newtable(L);
	const mw_bsp_leaf *leaf = &q->bsp.leaf.v[mw_bsp_leaf_of(&q->planes, &q->bsp, &p)];
	for (uint32_t i = 0; i < leaf->count; i++) {
		uint32_t k = q->bsp.item.v[leaf->first + i];

		if (!mw_brush_contains(&q->planes, &q->brushes, k, &p))
			continue;
		lua_pushinteger(L, k);
		lua_rawseti(L, -2, ++n);
	}
	return 3;
}

/* query:sweep(from xyz, to xyz, half xyz, mask) -> t, solid (from 0), inside, nx, ny, nz; t alone
 * when nothing is hit, no normal when it starts inside */
static int l_query_sweep(lua_State *L)
{
	const mw_level_query *q = mw_lx_arg(L, 1, &mw__hmap_query_type);
	mw_sweep s = {.from = arg_vec(L, 2, "from"),
		.to = arg_vec(L, 5, "to"),
		.half = arg_vec(L, 8, "half"),
		.mask = (uint32_t)mw_lx_int(L, 11, "mask", 0, UINT32_MAX)};
	mw_sweep_hit hit;
	bool any = mw_level_sweep(q, &s, &hit);

	lua_pushnumber(L, hit.t);
	if (!any)
		return 1;
	lua_pushinteger(L, hit.brush);
	lua_pushboolean(L, hit.inside);
	if (hit.inside)
		return 3;
	mw_plane p = mw_planes_get(&q->planes, hit.plane);
	for (int i = 0; i < 3; i++)
		lua_pushnumber(L, p.n.v[i]);
	return 6;
}

/* query:cost(n) -> mean, most brushes that one of n points tests */
static int l_query_cost(lua_State *L)
{
	const mw_level_query *q = mw_lx_arg(L, 1, &mw__hmap_query_type);
	double mean;
	uint32_t most;

	mw_level_query_cost(q, (uint32_t)mw_lx_int(L, 2, "n", 1, 10000000), &mean, &most);
	lua_pushnumber(L, mean);
	lua_pushinteger(L, most);
	return 2;
}

const luaL_Reg mw__hmap_level[] = {{"level", l_level}, {"batch", l_batch}, {"models", l_models},
	{"node", l_node}, {"leaf", l_leaf}, {"solid", l_solid}, {"lights", l_lights},
	{"entity_lights", l_entity_lights}, {"hulls", l_hulls}, {"query", l_query}, {NULL, NULL}};

const luaL_Reg mw__hmap_query[] = {{"contents", l_query_contents}, {"sweep", l_query_sweep},
	{"cost", l_query_cost}, {NULL, NULL}};

/* Methods of hmap that show what the file says of its source: chunks, materials, brushes, meshes,
 * entities. */
#include "format/hmap/hmap_lua.h"

static void push_tag(lua_State *L, uint32_t tag)
{
	char text[4];

	for (int i = 0; i < 4; i++)
		text[i] = (char)(tag >> (8 * i) & 0xff);
	lua_pushlstring(L, text, 4);
}

/* hmap:info() -> {bytes, version, flags, name, ambient, grid, units_per_metre, next_id, materials,
 * brushes, faces, meshes, polygons, entities, has_source, compiled} */
static int l_info(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);

	lua_createtable(L, 0, 16);
	set_int(L, "bytes", (int64_t)h->file_bytes);
	set_int(L, "version", h->version);
	set_int(L, "flags", h->flags);
	set_text(L, "name", h->name);
	set_floats(L, "ambient", h->ambient, 3);
	set_num(L, "grid", (double)h->grid);
	set_num(L, "units_per_metre", (double)h->units_per_metre);
	set_int(L, "next_id", h->next_id);
	set_int(L, "materials", (int64_t)h->material.n);
	set_int(L, "brushes", (int64_t)h->brush.n);
	set_int(L, "faces", (int64_t)h->face.n);
	set_int(L, "meshes", (int64_t)h->mesh.n);
	set_int(L, "polygons", (int64_t)h->poly.n);
	set_int(L, "entities", (int64_t)h->entity.n);
	lua_pushboolean(L, mw_hmap_has(h, MW_HMAP_BRSH) || mw_hmap_has(h, MW_HMAP_MESH));
	lua_setfield(L, -2, "has_source");
	lua_pushboolean(L, mw_hmap_has(h, MW_HMAP_CMPL));
	lua_setfield(L, -2, "compiled");
	return 1;
}

/* hmap:chunks() -> {tag, known, bytes?} rows; bytes: of unknown ones, or what follows a known one's
 * content */
static int l_chunks(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);

	lua_createtable(L, (int)h->chunk.n, 0);
	for (size_t i = 0; i < h->chunk.n; i++) {
		const mw_hmap_chunk *c = &h->chunk.v[i];

		lua_createtable(L, 0, 3);
		push_tag(L, c->tag);
		lua_setfield(L, -2, "tag");
		lua_pushboolean(L, c->known);
		lua_setfield(L, -2, "known");
		if (!c->known || c->n) {
			lua_pushlstring(L, (const char *)c->bytes, c->n);
			lua_setfield(L, -2, "bytes");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* hmap:materials() -> {name, texture, tile, color, flags} rows */
static int l_materials(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);

	lua_createtable(L, (int)h->material.n, 0);
	for (size_t i = 0; i < h->material.n; i++) {
		lua_createtable(L, 0, 5);
		set_text(L, "name", h->material.v[i].name);
		set_text(L, "texture", h->material.v[i].texture);
		set_floats(L, "tile", h->material.v[i].tile, 2);
		set_floats(L, "color", h->material.v[i].color, 3);
		set_int(L, "flags", h->material.v[i].flags);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static void set_uv(lua_State *L, const mw_hmap_uv *uv)
{
	float v[5] = {uv->offset[0], uv->offset[1], uv->scale[0], uv->scale[1], uv->rotation};

	set_floats(L, "uv", v, 5);
}

/* hmap:brush(i) -> {id, owner, contents, flags, faces = {{plane, material, uv, flags}}} [i: 1..] */
static int l_brush(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	const mw_hmap_brush *b = &h->brush.v[mw_lx_int(L, 2, "brush", 1, (int64_t)h->brush.n) - 1];

	lua_createtable(L, 0, 5);
	set_int(L, "id", b->id);
	set_int(L, "owner", b->owner);
	set_int(L, "contents", b->contents);
	set_int(L, "flags", b->flags);
	lua_createtable(L, (int)b->faces, 0);
	for (uint32_t k = 0; k < b->faces; k++) {
		const mw_hmap_face *f = &h->face.v[b->first + k];

		lua_createtable(L, 0, 4);
		set_floats(L, "plane", f->plane, 4);
		set_int(L, "material", f->material);
		set_uv(L, &f->uv);
		set_int(L, "flags", f->flags);
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "faces");
	return 1;
}

/* hmap:mesh(i) -> {id, owner, flags, name, vertices = {{x, y, z}}, polys = {{material, smooth, uv,
 * indices (as stored), uvs?}}} */
static int l_mesh(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);
	const mw_hmap_mesh *m = &h->mesh.v[mw_lx_int(L, 2, "mesh", 1, (int64_t)h->mesh.n) - 1];

	lua_createtable(L, 0, 6);
	set_int(L, "id", m->id);
	set_int(L, "owner", m->owner);
	set_int(L, "flags", m->flags);
	set_text(L, "name", m->name);
	lua_createtable(L, (int)m->vertices, 0);
	for (uint32_t k = 0; k < m->vertices; k++) {
		lua_createtable(L, 3, 0);
		for (int a = 0; a < 3; a++) {
			lua_pushnumber(L, (double)h->vertex.v[m->first_vertex + k].v[a]);
			lua_rawseti(L, -2, a + 1);
		}
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "vertices");
	lua_createtable(L, (int)m->polys, 0);
	for (uint32_t k = 0; k < m->polys; k++) {
		const mw_hmap_poly *p = &h->poly.v[m->first_poly + k];

		lua_createtable(L, 0, 5);
		set_int(L, "material", p->material);
		set_int(L, "smooth", p->smooth);
		set_uv(L, &p->uv);
		lua_createtable(L, (int)p->indices, 0);
		for (uint32_t c = 0; c < p->indices; c++) {
			lua_pushinteger(L, h->index.v[p->first + c]);
			lua_rawseti(L, -2, (lua_Integer)c + 1);
		}
		lua_setfield(L, -2, "indices");
		if (p->uvs)
			set_floats(L, "uvs", h->uv.v[p->first_uv].v, (int)(2 * p->uvs));
		lua_rawseti(L, -2, (lua_Integer)k + 1);
	}
	lua_setfield(L, -2, "polys");
	return 1;
}

/* hmap:entities() -> {id, flags, offset, classname, origin, angles, scale, keys = {{key, value}}}
 * rows */
static int l_entities(lua_State *L)
{
	const mw_hmap *h = arg_hmap(L);

	lua_createtable(L, (int)h->entity.n, 0);
	for (size_t i = 0; i < h->entity.n; i++) {
		const mw_hmap_entity *e = &h->entity.v[i];

		lua_createtable(L, 0, 8);
		set_int(L, "id", e->id);
		set_int(L, "flags", e->flags);
		set_int(L, "offset", (int64_t)e->offset);
		set_text(L, "classname", e->classname);
		set_floats(L, "origin", e->origin, 3);
		set_floats(L, "angles", e->angles, 3);
		set_floats(L, "scale", e->scale, 3);
		lua_createtable(L, (int)e->pairs, 0);
		for (uint32_t k = 0; k < e->pairs; k++) {
			lua_createtable(L, 2, 0);
			lua_pushstring(L, h->pair.v[e->first + k].key);
			lua_rawseti(L, -2, 1);
			lua_pushstring(L, h->pair.v[e->first + k].value);
			lua_rawseti(L, -2, 2);
			lua_rawseti(L, -2, (lua_Integer)k + 1);
		}
		lua_setfield(L, -2, "keys");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

const luaL_Reg mw__hmap_source[] = {{"info", l_info}, {"chunks", l_chunks},
	{"materials", l_materials}, {"brush", l_brush}, {"mesh", l_mesh}, {"entities", l_entities},
	{NULL, NULL}};

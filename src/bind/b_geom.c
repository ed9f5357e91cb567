/* core.solids: shapes, booleans and questions on lists of brushes. */
#include "bind/b_geom.h"

#include "bind/b_field.h"
#include "bind/modules.h"
#include "geom/hull.h"
#include "geom/shape.h"
#include "geom/space.h"

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

static void need(lua_State *L, bool ok)
{
	if (!ok)
		mw_lx_raise(L);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Give every side made since a face of its own, whose part is what the shape called it. */
static void dress(lua_State *L, mw_lx_solids *s, size_t first_side)
{
	mw_ctx *cx = mw_lx_ctx(L);

	for (size_t i = first_side; i < s->b.side.n; i++) {
		mw_lx_face f = {mw_face_default(), s->b.side.v[i].tag};

		s->b.side.v[i].tag = (uint32_t)s->face.n;
		need(L, MW_PUSH(cx, &s->face, f));
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

	need(L, p != NULL);
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

	need(L, p != NULL);
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

	need(L, side != NULL);
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

	need(L, h != NULL);
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

/* ---- booleans -------------------------------------------------------------------------------- */

/* Append b's brushes and faces to s. */
static void append(lua_State *L, mw_lx_solids *s, const mw_lx_solids *b)
{
	mw_ctx *cx = mw_lx_ctx(L);
	uint32_t base = (uint32_t)s->face.n;
	size_t first = s->b.side.n;

	need(L, MW_RESERVE(cx, &s->face, s->face.n + b->face.n));
	for (size_t i = 0; i < b->face.n; i++)
		s->face.v[s->face.n++] = b->face.v[i];
	for (uint32_t i = 0; i < b->b.brush.n; i++)
		mw_lx_check(L, mw_brushes_copy(cx, &s->b, &b->b, i));
	for (size_t i = first; i < s->b.side.n; i++)
		s->b.side.v[i].tag += base;
}

/* copy(a) -> solids */
static int l_copy(lua_State *L)
{
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);

	append(L, mw_lx_solids_new(L), a);
	return 1;
}

/* append(a, b): put b's brushes behind those of a */
static int l_append(lua_State *L)
{
	mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	const mw_lx_solids *b = mw_lx_solids_arg(L, 2);

	if (a == b)
		return mw_lx_bad(L, 2, "brushes", "a list cannot be put behind itself");
	append(L, a, b);
	return 0;
}

/* boolean("subtract" | "intersect" | "union", a, b) -> solids. Tags keep their faces: those of a,
 * then those of b. */
static int l_boolean(lua_State *L)
{
	static const char *const kinds[] = {"subtract", "intersect", "union"};
	mw_ctx *cx = mw_lx_ctx(L);
	int kind = mw_lx_enum(L, 1, "kind", kinds, 3);
	const mw_lx_solids *a = mw_lx_solids_arg(L, 2), *b = mw_lx_solids_arg(L, 3);
	const mw_planes *t = mw_lx_planes(L);
	mw_lx_solids *other = mw_lx_solids_new(L), *out = mw_lx_solids_new(L);
	size_t base = a->face.n;

	append(L, other, b);
	for (size_t i = 0; i < other->b.side.n; i++)
		other->b.side.v[i].tag += (uint32_t)base;
	mw_lx_check(L,
		kind == 0           ? mw_csg_subtract(cx, t, &a->b, &other->b, &out->b)
			: kind == 1 ? mw_csg_intersect(cx, t, &a->b, &other->b, &out->b)
				    : mw_csg_union(cx, t, &a->b, &other->b, &out->b));
	need(L, MW_RESERVE(cx, &out->face, base + b->face.n));
	for (size_t i = 0; i < base; i++)
		out->face.v[out->face.n++] = a->face.v[i];
	for (size_t i = 0; i < b->face.n; i++)
		out->face.v[out->face.n++] = b->face.v[i];
	return 1;
}

static mw_lx_solids *with_faces_of(lua_State *L, const mw_lx_solids *a, size_t more)
{
	mw_lx_solids *out = mw_lx_solids_new(L);

	need(L, MW_RESERVE(mw_lx_ctx(L), &out->face, a->face.n + more));
	for (size_t i = 0; i < a->face.n; i++)
		out->face.v[out->face.n++] = a->face.v[i];
	return out;
}

/* clip(a, nx, ny, nz, d, keep) -> solids; keep < 0: what is behind, > 0: in front, 0: both */
static int l_clip(lua_State *L)
{
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	mw_vec3 n = mw_lx_vec3(L, 2, "normal");
	double d = mw_lx_num(L, 5, "d");
	int keep = (int)mw_lx_int(L, 6, "keep", -1, 1);
	mw_plane_id q;

	mw_lx_check(L, mw_planes_add(mw_lx_ctx(L), mw_lx_planes(L), &q, n, d));
	if (q == MW_PLANE_NONE)
		return mw_lx_bad(L, 2, "normal", "has no length");
	mw_lx_solids *out = with_faces_of(L, a, 1);
	mw_lx_face cap = {mw_face_default(), MW_PART_SEAM};
	uint32_t tag = (uint32_t)out->face.n;
	if (a->face.n) /* a cut shows what the brush is made of */
		cap.info.material = a->face.v[0].info.material;
	out->face.v[out->face.n++] = cap;
	mw_lx_check(L, mw_csg_clip(mw_lx_ctx(L), mw_lx_planes(L), &a->b, q, keep, tag, &out->b));
	return 1;
}

/* hollow(a, wall) -> solids */
static int l_hollow(lua_State *L)
{
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	double wall = mw_lx_num(L, 2, "wall");
	mw_lx_solids *out = with_faces_of(L, a, 0);

	mw_lx_check(L, mw_csg_hollow(mw_lx_ctx(L), mw_lx_planes(L), &a->b, wall, &out->b));
	return 1;
}

static bool same_face(const mw_lx_face *a, const mw_lx_face *b)
{
	return a->info.material == b->info.material && a->info.flags == b->info.flags &&
		a->info.project == b->info.project &&
		memcmp(&a->info.set, &b->info.set, sizeof a->info.set) == 0 &&
		memcmp(&a->info.map, &b->info.map, sizeof a->info.map) == 0;
}

/* merge(a) -> solids: pieces joined where that is exact and their faces look the same */
static int l_merge(lua_State *L)
{
	mw_ctx *cx = mw_lx_ctx(L);
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	mw_lx_solids *in = mw_lx_solids_new(L), *out = with_faces_of(L, a, 0);

	append(L, in, a);
	/* equal faces under one tag, so that merging sees them as equal */
	mw_arena *arena = mw_lx_arena(L);
	uint32_t *tag = mw_arena_alloc(arena, (a->face.n + 1) * sizeof *tag);
	MW_ARRAY(uint32_t) kinds = {0};
	need(L, tag != NULL);
	kinds.v = mw_arena_alloc(arena, (a->face.n + 1) * sizeof *kinds.v);
	need(L, kinds.v != NULL);
	for (size_t i = 0; i < a->face.n; i++) {
		size_t k = 0;

		while (k < kinds.n && !same_face(&a->face.v[kinds.v[k]], &a->face.v[i]))
			k++;
		if (k == kinds.n)
			kinds.v[kinds.n++] = (uint32_t)i;
		tag[i] = kinds.v[k];
	}
	for (size_t i = 0; i < in->b.side.n; i++)
		in->b.side.v[i].tag = tag[in->b.side.v[i].tag];
	for (size_t i = 0; i < in->b.brush.n; i++)
		in->b.brush.v[i].tag = 0;
	mw_lx_check(L, mw_csg_merge(cx, mw_lx_planes(L), &in->b, &out->b));
	lua_pop(L, 1);
	return 1;
}

/* Whether p's texture stays put on its surface under m. */
static void lock_texture(const mw_planes *t, mw_lx_face *f, mw_plane_id plane, const mw_mat *m)
{
	mw_texmap map, moved;
	mw_plane p = mw_planes_get(t, plane);

	/* without its material's tile: that comes on top again when the scene looks */
	map = f->info.project == MW_PROJECT_AXES ? f->info.map : mw_texmap_box(p.n, &f->info.set);
	if (!mw_texmap_transform(&map, m, &moved))
		return;
	f->info.map = moved;
	if (f->info.project == MW_PROJECT_AXES)
		return;
	/* back to a box projection on the plane where it will lie */
	mw_vec3 n = mw_mat_normal(m, p.n);
	mw_vec3 on = mw_mat_point(m, mw_scale3(p.n, p.d));
	mw_texset set;
	n = mw_unit3(n);
	(void)mw_texmap_to_box(&moved, n, mw_dot3(n, on), 1e-6, &set);
	f->info.set = set;
	memset(&f->info.map, 0, sizeof f->info.map);
}

/* transform(a, 12 numbers (rows of 4), lock) -> solids */
static int l_transform(lua_State *L)
{
	const mw_lx_solids *a = mw_lx_solids_arg(L, 1);
	mw_mat m;

	for (int i = 0; i < 12; i++)
		m.m[i / 4][i % 4] = mw_lx_num(L, 2 + i, "transform");
	mw_lx_solids *out = with_faces_of(L, a, 0);
	if (mw_lx_bool(L, 14))
		for (size_t i = 0; i < a->b.side.n; i++) {
			uint32_t tag = a->b.side.v[i].tag;

			lock_texture(mw_lx_planes(L), &out->face.v[tag], a->b.side.v[i].plane, &m);
		}
	mw_lx_check(L, mw_brushes_transform(mw_lx_ctx(L), mw_lx_planes(L), &a->b, &m, &out->b));
	return 1;
}

/* turn(pitch, yaw, roll) -> 9 numbers, rows of the rotation */
static int l_turn(lua_State *L)
{
	mw_mat m = mw_mat_turn(
		mw_lx_num(L, 1, "pitch"), mw_lx_num(L, 2, "yaw"), mw_lx_num(L, 3, "roll"));

	for (int i = 0; i < 9; i++)
		lua_pushnumber(L, m.m[i / 3][i % 3]);
	return 9;
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

	need(L, solid != NULL);
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
	static const luaL_Reg functions[] = {{"shape", l_shape}, {"prism", l_prism},
		{"hull", l_hull}, {"planes", l_planes}, {"terrain", l_terrain}, {"copy", l_copy},
		{"append", l_append}, {"boolean", l_boolean}, {"clip", l_clip},
		{"hollow", l_hollow}, {"merge", l_merge}, {"transform", l_transform},
		{"turn", l_turn}, {"contents", l_contents}, {"paint", l_paint}, {"count", l_count},
		{"measure", l_measure}, {"at", l_at}, {"brush", l_brush}, {NULL, NULL}};

	mw_lx_type_define(L, &solids_type, NULL);
	mw_lx_type_define(L, &planes_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

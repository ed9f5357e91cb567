/* Functions of core.solids that make brushes of brushes: lists, booleans, movements. */
#include "bind/b_geom.h"

#include "geom/shape.h"
#include "geom/space.h"

#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

/* Append b's brushes and faces to s. */
static void append(lua_State *L, mw_lx_solids *s, const mw_lx_solids *b)
{
	mw_ctx *cx = mw_lx_ctx(L);
	uint32_t base = (uint32_t)s->face.n;
	size_t first = s->b.side.n;

	mw_lx_need(L, MW_RESERVE(cx, &s->face, s->face.n + b->face.n));
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

/* ---- booleans -------------------------------------------------------------------------------- */

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
	mw_lx_need(L, MW_RESERVE(cx, &out->face, base + b->face.n));
	for (size_t i = 0; i < base; i++)
		out->face.v[out->face.n++] = a->face.v[i];
	for (size_t i = 0; i < b->face.n; i++)
		out->face.v[out->face.n++] = b->face.v[i];
	return 1;
}

static mw_lx_solids *with_faces_of(lua_State *L, const mw_lx_solids *a, size_t more)
{
	mw_lx_solids *out = mw_lx_solids_new(L);

	mw_lx_need(L, MW_RESERVE(mw_lx_ctx(L), &out->face, a->face.n + more));
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
	mw_lx_need(L, tag != NULL);
	kinds.v = mw_arena_alloc(arena, (a->face.n + 1) * sizeof *kinds.v);
	mw_lx_need(L, kinds.v != NULL);
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

/* ---- movements ------------------------------------------------------------------------------- */

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

const luaL_Reg mw_lx_solids_change[] = {
	{"copy", l_copy},
	{"append", l_append},
	{"boolean", l_boolean},
	{"clip", l_clip},
	{"hollow", l_hollow},
	{"merge", l_merge},
	{"transform", l_transform},
	{"turn", l_turn},
	{NULL, NULL},
};

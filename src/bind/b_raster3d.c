/* core.raster3d: a scene as a picture. */
#include "base/mem.h"
#include "bind/b_image.h"
#include "bind/lx.h"
#include "bind/modules.h"
#include "scene/scene.h"
#include "view/raster3d.h"

#include <string.h>

typedef struct {
	MW_ARRAY(mw_triangle3d) triangle;
	MW_ARRAY(mw_surface3d) surface;
	mw_aabb box;
} heap;

static void free_heap(mw_ctx *cx, void *payload)
{
	heap *h = payload;

	mw_free(cx, h->triangle.v);
	mw_free(cx, h->surface.v);
	memset(h, 0, sizeof *h);
}

static const mw_lx_type heap_type = {"mapwright.core.raster3d", free_heap};

/* A colour that is the same for the same name, and not too dark. */
static void name_colour(const char *name, uint8_t rgb[3])
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 16777619u;
	/* a pale tint of one of many hues */
	for (int i = 0; i < 3; i++)
		rgb[i] = (uint8_t)(140 + (h >> (8 * i) & 0xff) * 100 / 255);
}

static mw_code surfaces(mw_ctx *cx, heap *h, const mw_scene *s)
{
	mw_surface3d plain = {{190, 190, 190}, NULL};

	if (!MW_PUSH(cx, &h->surface, plain))
		return MW_ENOMEM;
	for (size_t i = 0; i < s->material.n; i++) {
		const mw_material *m = &s->material.v[i];
		bool white = m->color[0] >= 1 && m->color[1] >= 1 && m->color[2] >= 1;
		mw_surface3d sf = {{0, 0, 0}, NULL};
		if (white)
			name_colour(m->name, sf.rgb);
		for (int k = 0; k < 3 && !white; k++) {
			double v = m->color[k] < 0 ? 0 : m->color[k] > 1 ? 1 : m->color[k];
			sf.rgb[k] = (uint8_t)(v * 255 + 0.5);
		}
		if (!MW_PUSH(cx, &h->surface, sf))
			return MW_ENOMEM;
	}
	return MW_OK;
}

/* A convex polygon as a fan; its own edges are drawn. */
static mw_code fan(
	mw_ctx *cx, heap *h, const mw_vec3 *p, const mw_vec2 *uv, uint32_t n, int32_t material)
{
	for (uint32_t i = 2; i < n; i++) {
		mw_triangle3d t = {.p = {p[0], p[i - 1], p[i]},
			.uv = {uv[0], uv[i - 1], uv[i]},
			.surface = (uint32_t)(material + 1)};
		t.edges = (uint8_t)(2 | (i == 2 ? 1 : 0) | (i == n - 1 ? 4 : 0));
		if (t.surface >= h->surface.n)
			t.surface = 0;
		if (!MW_PUSH(cx, &h->triangle, t))
			return MW_ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++)
		mw_aabb_add(&h->box, p[i], 0);
	return MW_OK;
}

static mw_code brush(mw_ctx *cx, heap *h, const mw_scene *s, mw_arena *arena, size_t i)
{
	const mw_brush *b = &s->brushes.brush.v[i];
	mw_solid solid;
	mw_closure how;
	mw_code code = mw_solid_make(
		arena, s->planes, mw_brush_sides(&s->brushes, b), b->count, &solid, &how);

	if (code || how != MW_CLOSED)
		return code;
	for (uint32_t f = 0; f < solid.n && !code; f++) {
		const mw_poly *poly = &solid.face[f];
		int32_t material = -1;
		if (poly->tag != MW_TAG_NONE) {
			if (s->face.v[poly->tag].flags & MW_FACE_HIDDEN)
				continue;
			material = s->face.v[poly->tag].material;
		}
		mw_plane pl = mw_planes_get(s->planes, poly->plane);
		mw_texmap t = mw_scene_texmap(s, poly->tag, pl.n);
		mw_vec3 *p = mw_arena_alloc(arena, poly->n * sizeof *p);
		mw_vec2 *uv = mw_arena_alloc(arena, poly->n * sizeof *uv);
		if (!p || !uv)
			return MW_ENOMEM;
		for (uint32_t k = 0; k < poly->n; k++) {
			p[k] = poly->v[k].at;
			uv[k] = mw_texmap_at(&t, p[k]);
		}
		code = fan(cx, h, p, uv, poly->n, material);
	}
	return code;
}

static mw_code mesh(mw_ctx *cx, heap *h, mw_arena *arena, const mw_scene_mesh *m)
{
	mw_code code = MW_OK;

	for (size_t i = 0; i < m->poly.n && !code; i++) {
		const mw_scene_poly *q = &m->poly.v[i];
		mw_vec3 *p = mw_arena_alloc(arena, q->count * sizeof *p);
		if (!p)
			return MW_ENOMEM;
		for (uint32_t k = 0; k < q->count; k++)
			p[k] = m->vertex.v[m->index.v[q->first + k]];
		code = fan(cx, h, p, m->uv.v + q->first, q->count, q->material);
	}
	return code;
}

/* What is drawn: neither clips, triggers nor sky. */
static mw_code collect(mw_ctx *cx, heap *h, const mw_scene *s, mw_arena *arena)
{
	mw_code code = surfaces(cx, h, s);

	h->box = mw_aabb_empty();
	for (size_t i = 0; i < s->brushes.brush.n && !code; i++) {
		mw_arena_mark mark = mw_arena_get_mark(arena);
		if (!(s->brushes.brush.v[i].contents & (4 | 8 | 16)))
			code = brush(cx, h, s, arena, i);
		mw_arena_reset(arena, mark);
	}
	for (size_t i = 0; i < s->mesh.n && !code; i++) {
		mw_arena_mark mark = mw_arena_get_mark(arena);
		code = mesh(cx, h, arena, &s->mesh.v[i]);
		mw_arena_reset(arena, mark);
	}
	return code;
}

static const mw_entity *start_of(const mw_scene *s)
{
	for (size_t i = 0; i < s->entity.n; i++)
		if (strncmp(s->entity.v[i].classname, "player_", 7) == 0)
			return &s->entity.v[i];
	return NULL;
}

static mw_camera3d camera_of(const mw_scene *s, const mw_aabb *box, int view, double aspect)
{
	const mw_entity *start = start_of(s);
	double metre = s->units_per_metre, eye = 1.6 * metre;
	mw_camera3d c;

	if (view == 3)
		return mw_camera3d_outside(box, aspect);
	if (view == 4 && start) {
		/* an origin is where the feet are, or the middle of a body of that family */
		mw_vec3 at = mw_v3(start->origin.x, start->origin.y + 0.7 * metre, start->origin.z);
		double far = mw_len3(mw_sub3(box->max, box->min)) + 1;
		return mw_camera3d_at(at, start->angles.y, start->angles.x, far);
	}
	if (view == 4)
		return mw_camera3d_outside(box, aspect);
	c = mw_camera3d_over(box, "tfs"[view], aspect);
	/* a plan is cut open above the head of who starts there */
	if (view == 0 && start && start->origin.y + eye < box->max.y &&
		start->origin.y + eye > box->min.y)
		c.near = c.eye.y - (start->origin.y + eye);
	return c;
}

/* draw(scene, view, w, h) -> image, triangles; views: top front side persp start */
static int l_draw(lua_State *L)
{
	static const char *const views[] = {"top", "front", "side", "persp", "start"};
	const mw_scene *s = mw_lx_arg(L, 1, &mw_lx_scene_type);
	int view = mw_lx_enum(L, 2, "view", views, (int)MW_COUNTOF(views));
	uint32_t w = (uint32_t)mw_lx_int(L, 3, "width", 16, 8192);
	uint32_t h = (uint32_t)mw_lx_int(L, 4, "height", 0, 8192);
	mw_ctx *cx = mw_lx_ctx(L);
	mw_arena *arena = mw_lx_arena(L);
	heap *t = mw_lx_new(L, &heap_type, sizeof *t);
	mw_lx_image *out;

	mw_lx_check(L, collect(cx, t, s, arena));
	if (mw_aabb_is_empty(&t->box)) {
		t->box.min = mw_v3(-1, -1, -1);
		t->box.max = mw_v3(1, 1, 1);
	}
	mw_vec3 size = mw_sub3(t->box.max, t->box.min);
	if (!h) {
		/* the picture takes the shape of what is seen */
		double wide = view == 2 ? size.z : size.x, high = view == 0 ? size.z : size.y;
		double k = view >= 3 ? 0.75 : wide > 0 && high > 0 ? high / wide : 1;
		k = k < 0.25 ? 0.25 : k > 4 ? 4 : k;
		h = (uint32_t)(w * k + 0.5);
		h = h < 16 ? 16 : h > 8192 ? 8192 : h;
	}
	mw_picture3d pic = {.triangle = t->triangle.v,
		.triangles = t->triangle.n,
		.surface = t->surface.v,
		.surfaces = t->surface.n,
		.camera = camera_of(s, &t->box, view, (double)w / h),
		.background = {30, 33, 40}};
	out = mw_lx_image_new(L);
	mw_lx_check(L, mw_raster3d_draw(cx, &out->colour, &pic, w, h));
	lua_pushinteger(L, (lua_Integer)t->triangle.n);
	return 2;
}

int mw_luaopen_raster3d(lua_State *L)
{
	static const luaL_Reg functions[] = {{"draw", l_draw}, {NULL, NULL}};

	mw_lx_type_define(L, &heap_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

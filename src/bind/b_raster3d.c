/* core.raster3d: a level as a picture. */
#include "bind/b_image.h"
#include "bind/level3d.h"
#include "bind/lx.h"
#include "bind/modules.h"
#include "format/hmap/hmap.h"

#include <string.h>

static void free_level(mw_ctx *cx, void *payload)
{
	mw_level3d_free(cx, payload);
}

static const mw_lx_type level3d_type = {"mapwright.core.raster3d", free_level};

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

/* The picture takes the shape of what is seen. [unit: px] */
static uint32_t fitting_height(const mw_aabb *box, int view, uint32_t w)
{
	mw_vec3 size = mw_sub3(box->max, box->min);
	double wide = view == 2 ? size.z : size.x, high = view == 0 ? size.z : size.y;
	double k = view >= 3 ? 0.75 : wide > 0 && high > 0 ? high / wide : 1;
	uint32_t h;

	k = k < 0.25 ? 0.25 : k > 4 ? 4 : k;
	h = (uint32_t)(w * k + 0.5);
	return h < 16 ? 16 : h > 8192 ? 8192 : h;
}

/* Textures of materials, from a table {[material number] = colour image}. */
static void take_textures(lua_State *L, int idx, mw_level3d *d)
{
	if (lua_isnil(L, idx))
		return;
	luaL_checktype(L, idx, LUA_TTABLE);
	for (size_t i = 1; i + 1 < d->surface.n; i++) {
		if (lua_rawgeti(L, idx, (lua_Integer)i) != LUA_TNIL) {
			const mw_lx_image *image = mw_lx_image_arg(L, -1);
			if (image->colour.px) /* the table keeps it alive */
				d->surface.v[i].texture = &image->colour;
		}
		lua_pop(L, 1);
	}
}

/* draw(scene, view, w, h, hmap?, textures?) -> image, triangles
 * view: top front side persp start; h 0: the shape of what is seen; with hmap its compiled faces
 * and light are drawn, the scene gives materials, the start and what is cut; textures: {[material
 * number] = colour image} */
static int l_draw(lua_State *L)
{
	static const char *const views[] = {"top", "front", "side", "persp", "start"};
	const mw_scene *s = mw_lx_arg(L, 1, &mw_lx_scene_type);
	int view = mw_lx_enum(L, 2, "view", views, (int)MW_COUNTOF(views));
	uint32_t w = (uint32_t)mw_lx_int(L, 3, "width", 16, 8192);
	uint32_t h = (uint32_t)mw_lx_int(L, 4, "height", 0, 8192);
	lua_settop(L, 6);
	const mw_hmap *hmap = lua_isnil(L, 5) ? NULL : mw_lx_arg(L, 5, &mw_lx_hmap_type);
	mw_ctx *cx = mw_lx_ctx(L);
	mw_arena *arena = mw_lx_arena(L);
	mw_level3d *t = mw_lx_new(L, &level3d_type, sizeof *t);
	mw_lx_image *out;

	t->box = mw_aabb_empty();
	mw_lx_check(L, mw_level3d_surfaces(cx, t, s));
	take_textures(L, 6, t);
	mw_lx_check(L,
		hmap ? mw_level3d_compiled(cx, t, &hmap->level)
		     : mw_level3d_scene(cx, t, s, arena));
	if (mw_aabb_is_empty(&t->box)) {
		t->box.min = mw_v3(-1, -1, -1);
		t->box.max = mw_v3(1, 1, 1);
	}
	if (!h)
		h = fitting_height(&t->box, view, w);
	mw_camera3d camera = camera_of(s, &t->box, view, (double)w / h);
	if (view == 0 && camera.near > 0)
		/* a little below, so that it is not cut off itself */
		mw_lx_check(L,
			mw_level3d_cut(
				cx, t, s, arena, camera.eye.y - camera.near - camera.far * 1e-9));
	mw_picture3d pic = {.triangle = t->triangle.v,
		.triangles = t->triangle.n,
		.surface = t->surface.v,
		.surfaces = t->surface.n,
		.camera = camera,
		.background = {30, 33, 40}};
	out = mw_lx_image_new(L);
	mw_lx_check(L, mw_raster3d_draw(cx, &out->colour, &pic, w, h));
	lua_pushinteger(L, (lua_Integer)t->triangle.n);
	return 2;
}

int mw_luaopen_raster3d(lua_State *L)
{
	static const luaL_Reg functions[] = {{"draw", l_draw}, {NULL, NULL}};

	mw_lx_type_define(L, &level3d_type, NULL);
	luaL_newlib(L, functions);
	return 1;
}

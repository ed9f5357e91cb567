#include "view/raster3d.h"

#include "support/oom.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static mw_ctx cx;
static const mw_surface3d plain[] = {{.rgb = {200, 100, 50}}, {.rgb = {20, 40, 220}}};

/* A square of side 2 around the origin, facing +Z, at this depth. */
static void square(mw_triangle3d t[2], double z, uint32_t surface, uint8_t edges)
{
	mw_vec3 p[4] = {mw_v3(-1, -1, z), mw_v3(1, -1, z), mw_v3(1, 1, z), mw_v3(-1, 1, z)};
	static const int corner[2][3] = {{0, 1, 2}, {0, 2, 3}};
	for (int k = 0; k < 2; k++) {
		memset(&t[k], 0, sizeof t[k]);
		for (int i = 0; i < 3; i++) {
			t[k].p[i] = p[corner[k][i]];
			/* all in the light field of the check */
			t[k].uv[i] = mw_v2(0.1 + 0.01 * p[corner[k][i]].x, 0.1);
		}
		t[k].surface = surface;
	}
	t[0].edges = edges & 3;
	t[1].edges = (uint8_t)(edges >> 1 & 6);
}

static mw_picture3d front_view(const mw_triangle3d *t, size_t n)
{
	mw_aabb box = {{{-2, -2, -2}}, {{2, 2, 2}}};
	mw_picture3d p = {.triangle = t,
		.triangles = n,
		.surface = plain,
		.surfaces = 2,
		.camera = mw_camera3d_over(&box, 'f', 1),
		.background = {1, 2, 3}};
	return p;
}

static const uint8_t *pixel(const mw_image *img, uint32_t x, uint32_t y)
{
	return img->px + 4 * ((size_t)y * img->w + x);
}

/* 0 background, 1 and 2 a surface, 3 a back. */
static int seen(const mw_image *img, uint32_t x, uint32_t y)
{
	const uint8_t *px = pixel(img, x, y);
	if (px[0] == 1 && px[1] == 2 && px[2] == 3)
		return 0;
	return px[2] > px[0] ? 2 : px[1] > px[2] ? 1 : 3;
}

static void what_is_near_hides_what_is_far(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		mw_triangle3d t[4];
		mw_image img = {0};
		square(t + (order ? 2 : 0), 1, 0, 0);
		square(t + (order ? 0 : 2), -1, 1, 0);
		mw_picture3d pic = front_view(t, 4);
		assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
		assert_int_equal(seen(&img, 32, 32), 1);
		assert_int_equal(seen(&img, 2, 2), 0);
		assert_int_equal(pixel(&img, 2, 2)[3], 255);
		mw_image_free(&cx, &img);
	}
}

static void a_square_covers_its_own_pixels(void **state)
{
	(void)state;
	mw_triangle3d t[2];
	mw_image img = {0};
	square(t, 0, 0, 0);
	mw_picture3d pic = front_view(t, 2);
	pic.camera.reach = 2;
	assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
	for (uint32_t y = 0; y < 64; y++)
		for (uint32_t x = 0; x < 64; x++)
			assert_int_equal(seen(&img, x, y), x >= 16 && x < 48 && y >= 16 && y < 48);
	mw_image_free(&cx, &img);
}

static void backs_are_marked(void **state)
{
	(void)state;
	mw_triangle3d t[2];
	mw_image img = {0};
	square(t, 0, 0, 0);
	for (int k = 0; k < 2; k++) {
		mw_vec3 swap = t[k].p[0];
		t[k].p[0] = t[k].p[1];
		t[k].p[1] = swap;
	}
	mw_picture3d pic = front_view(t, 2);
	assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
	assert_int_equal(seen(&img, 32, 32), 3);
	mw_image_free(&cx, &img);
}

static void the_near_plane_cuts_open(void **state)
{
	(void)state;
	mw_triangle3d t[4];
	mw_image img = {0};
	square(t, 1, 0, 0);
	square(t + 2, -1, 1, 0);
	mw_picture3d pic = front_view(t, 4);
	pic.camera.near = pic.camera.eye.z; /* everything in front of z = 0 is gone */
	assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
	assert_int_equal(seen(&img, 32, 32), 2);
	mw_image_free(&cx, &img);
}

static void perspective_makes_far_things_small(void **state)
{
	(void)state;
	mw_triangle3d t[4];
	mw_image img = {0};
	square(t, -10, 0, 0);
	mw_picture3d pic = front_view(t, 2);
	pic.camera = mw_camera3d_at(mw_v3(0, 0, 0), 0, 0, 100);
	pic.camera.reach = 0.2;
	assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
	/* half a side of 1 at a distance of 10, where 2 would fill half the picture */
	assert_int_equal(seen(&img, 32 - 15, 32), 1);
	assert_int_equal(seen(&img, 32 - 17, 32), 0);
	/* looking the other way there is nothing, nor at what touches the eye */
	mw_image_free(&cx, &img);
	pic.camera = mw_camera3d_at(mw_v3(0, 0, 0), 180, 0, 100);
	assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
	for (uint32_t i = 0; i < 64; i++)
		assert_int_equal(seen(&img, i, 32), 0);
	mw_image_free(&cx, &img);
}

static void textures_and_edges_show(void **state)
{
	(void)state;
	mw_triangle3d t[2];
	mw_image img = {0}, tex = {0};
	assert_ok(&cx, mw_image_init(&cx, &tex, 2, 1));
	memcpy(tex.px, "\xff\x00\x00\xff\x00\xff\x00\xff", 8);
	mw_surface3d s = {.texture = &tex};
	square(t, 0, 0, 15);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 3; i++)
			t[k].uv[i] = mw_v2(0.5 * t[k].p[i].x, 0);
	mw_picture3d pic = front_view(t, 2);
	pic.surface = &s;
	pic.surfaces = 1;
	pic.camera.reach = 2;
	assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
	/* u runs from -0.5 to 0.5: green left of the middle, red right of it */
	assert_true(pixel(&img, 24, 32)[1] > 100 && pixel(&img, 24, 32)[0] == 0);
	assert_true(pixel(&img, 40, 32)[0] > 100 && pixel(&img, 40, 32)[1] == 0);
	assert_true(pixel(&img, 16, 32)[1] < pixel(&img, 24, 32)[1]);
	/* the diagonal is no edge */
	assert_int_equal(pixel(&img, 37, 26)[0], pixel(&img, 44, 32)[0]);
	mw_image_free(&cx, &img);
	mw_image_free(&cx, &tex);
}

static void light_of_corners_replaces_the_lamp(void **state)
{
	(void)state;
	mw_triangle3d t[2];
	mw_image img = {0};
	square(t, 0, 0, 0);
	for (int k = 0; k < 2; k++) {
		t[k].lit = true;
		for (int i = 0; i < 3; i++) {
			/* red and blue full; green grows from 0 in the west to 1 in the east */
			t[k].light[i][0] = t[k].light[i][2] = 1;
			t[k].light[i][1] = t[k].p[i].x > 0 ? 1 : 0;
		}
	}
	mw_picture3d pic = front_view(t, 2);
	pic.camera.reach = 2; /* the square covers pixels 16..47 */
	assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
	for (uint32_t x = 16; x < 48; x++) {
		int green = (int)(100 * (x + 0.5 - 16) / 32 + 0.5);
		assert_int_equal(pixel(&img, x, 20)[0], 200);
		assert_in_range(pixel(&img, x, 20)[1] + 1, green, green + 2);
		assert_int_equal(pixel(&img, x, 40)[2], 50);
	}
	mw_image_free(&cx, &img);
}

static void cut_surfaces_are_hatched_in_their_colour(void **state)
{
	(void)state;
	mw_triangle3d t[2];
	mw_image img = {0};
	mw_surface3d s = {.rgb = {100, 150, 200}, .cut = true};
	int bright = 0, dark = 0;
	square(t, 0, 0, 0);
	mw_picture3d pic = front_view(t, 2);
	pic.surface = &s;
	pic.surfaces = 1;
	pic.camera.reach = 2;
	assert_ok(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64));
	for (uint32_t x = 16; x < 48; x++) {
		const uint8_t *px = pixel(&img, x, 30);
		bright += px[0] == 100 && px[1] == 150 && px[2] == 200;
		dark += px[0] == 72 && px[1] == 108 && px[2] == 144; /* 0.72 of it */
	}
	/* stripes of 5 samples, 2 samples a pixel: of 5 pixels 2 are dark, 1 bright, 2 hold a
	 * border */
	assert_true(bright >= 6 && dark >= 12);
	mw_image_free(&cx, &img);
}

static void cameras_see_the_whole_box(void **state)
{
	(void)state;
	mw_aabb box = {{{-100, 5, 20}}, {{300, 50, 900}}};
	for (int k = 0; k < 4; k++) {
		double aspect = 1.5;
		mw_camera3d c = k == 3 ? mw_camera3d_outside(&box, aspect)
				       : mw_camera3d_over(&box, "tfs"[k], aspect);
		assert_true(fabs(mw_dot3(mw_cross3(c.right, c.up), c.back) - 1) < 1e-12);
		for (int i = 0; i < 8; i++) {
			mw_vec3 d = mw_sub3(
				mw_v3((i & 1 ? box.max : box.min).x, (i & 2 ? box.max : box.min).y,
					(i & 4 ? box.max : box.min).z),
				c.eye);
			double z = -mw_dot3(d, c.back), w = c.perspective ? z : 1;
			assert_true(z > c.near && z <= c.far * 1.001);
			assert_true(fabs(mw_dot3(d, c.up)) <= c.reach * w);
			assert_true(fabs(mw_dot3(d, c.right)) <= c.reach * w * aspect);
		}
	}
	/* the plan has north up, east right */
	mw_camera3d top = mw_camera3d_over(&box, 't', 1);
	assert_true(mw_eq3(top.right, mw_v3(1, 0, 0)) && top.up.z == -1 && top.back.y == 1);
}

static void what_makes_no_sense_is_refused(void **state)
{
	(void)state;
	mw_triangle3d t[2];
	mw_image img = {0};
	square(t, 0, 7, 0);
	mw_picture3d pic = front_view(t, 2);
	assert_fails(&cx, mw_raster3d_draw(&cx, &img, &pic, 64, 64), MW_EINVALID, "surface 7 of 2");
	assert_fails(&cx, mw_raster3d_draw(&cx, &img, &pic, 8, 64), MW_ERANGE, "16..8192");
}

static mw_code draw_one(mw_ctx *c, void *ud)
{
	mw_triangle3d t[2];
	mw_image img = {0};
	(void)ud;
	square(t, 0, 0, 0);
	mw_picture3d pic = front_view(t, 2);
	mw_code code = mw_raster3d_draw(c, &img, &pic, 32, 32);
	mw_image_free(c, &img);
	return code;
}

static void every_failing_allocation_is_survived(void **state)
{
	(void)state;
	assert_int_equal(oom_sweep(draw_one, NULL), 3);
}

static int set_up(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_near_hides_what_is_far),
		cmocka_unit_test(a_square_covers_its_own_pixels),
		cmocka_unit_test(backs_are_marked),
		cmocka_unit_test(the_near_plane_cuts_open),
		cmocka_unit_test(perspective_makes_far_things_small),
		cmocka_unit_test(textures_and_edges_show),
		cmocka_unit_test(light_of_corners_replaces_the_lamp),
		cmocka_unit_test(cut_surfaces_are_hatched_in_their_colour),
		cmocka_unit_test(cameras_see_the_whole_box),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(every_failing_allocation_is_survived),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}

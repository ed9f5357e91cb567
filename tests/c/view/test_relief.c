/* The relief picture: light, water, places and shape of the result. */
#include "support/test.h"

#include "raster/text.h"
#include "support/oom.h"
#include "view/relief.h"

typedef struct {
	mw_ctx cx;
	mw_field height;
	mw_image out;
} fixture;

static int setup(void **state)
{
	static fixture f;

	mw_ctx_init(&f.cx);
	f.out = (mw_image){0};
	*state = &f;
	return mw_field_init(&f.cx, &f.height, 129, 65);
}

static int teardown(void **state)
{
	fixture *f = *state;

	mw_image_free(&f->cx, &f->out);
	mw_field_free(&f->cx, &f->height);
	return 0;
}

static const uint8_t *pixel(const fixture *f, uint32_t x, uint32_t y)
{
	return f->out.px + 4 * ((size_t)y * f->out.w + x);
}

static int brightness(const uint8_t *px)
{
	return px[0] + px[1] + px[2];
}

static void the_picture_has_the_shape_of_the_map(void **state)
{
	fixture *f = *state;
	mw_relief r = {.height = &f->height, .step = 8};

	assert_ok(&f->cx, mw_relief_draw(&f->cx, &f->out, &r, 256));
	assert_int_equal(f->out.w, 256);
	assert_int_equal(f->out.h, 128);
	mw_image_free(&f->cx, &f->out);
	r.title = "x";
	assert_ok(&f->cx, mw_relief_draw(&f->cx, &f->out, &r, 256));
	assert_int_equal(f->out.h, 128 + 15);
}

static void slopes_towards_north_west_are_bright(void **state)
{
	fixture *f = *state;
	mw_relief r = {.height = &f->height, .step = 8};

	/* a ridge along x = 64: the west side rises to the east, so it faces west */
	for (int32_t j = 0; j < 65; j++)
		for (int32_t i = 0; i < 129; i++)
			mw_field_row(&f->height, j)[i] = (float)(8 * (i < 64 ? i : 128 - i));
	assert_ok(&f->cx, mw_relief_draw(&f->cx, &f->out, &r, 128));
	assert_true(brightness(pixel(f, 40, 32)) > brightness(pixel(f, 88, 32)) + 60);
}

static void ground_below_zero_is_blue(void **state)
{
	fixture *f = *state;
	mw_relief r = {.height = &f->height, .step = 8};

	for (int32_t j = 0; j < 65; j++)
		for (int32_t i = 0; i < 129; i++)
			mw_field_row(&f->height, j)[i] = i < 64 ? -50.0f : 50.0f;
	assert_ok(&f->cx, mw_relief_draw(&f->cx, &f->out, &r, 128));
	assert_true(pixel(f, 20, 32)[2] > pixel(f, 20, 32)[0] + 30);
	assert_true(pixel(f, 100, 32)[2] < pixel(f, 100, 32)[0]);
}

static void marks_stand_where_they_say(void **state)
{
	fixture *f = *state;
	mw_relief_mark marks[] = {{MW_MARK_METAL, 256, 128, 0}, {MW_MARK_START, 768, 384, 2}};
	mw_relief r = {.height = &f->height, .step = 8, .marks = marks, .n_marks = 2};

	assert_ok(&f->cx, mw_relief_draw(&f->cx, &f->out, &r, 512));
	/* 2 elmos a pixel: the spot's middle is at (128, 64), the start's at (384, 192) */
	assert_int_equal(pixel(f, 128, 64)[0], 120);
	assert_int_equal(pixel(f, 128, 64)[1], 226);
	assert_true(brightness(pixel(f, 384, 186)) < 200);
	assert_true(pixel(f, 64, 128)[1] < 200); /* not mirrored along the diagonal */
}

static void text_is_drawn_dot_by_dot(void **state)
{
	static const uint8_t red[3] = {255, 0, 0};
	fixture *f = *state;

	assert_ok(&f->cx, mw_image_init(&f->cx, &f->out, 24, 16));
	assert_int_equal(mw_text_width("L1", 2), 22);
	mw_text_draw(&f->out, 0, 0, 2, red, "l");
	assert_int_equal(pixel(f, 0, 0)[0], 255);
	assert_int_equal(pixel(f, 1, 13)[0], 255);
	assert_int_equal(pixel(f, 9, 12)[0], 255);
	assert_int_equal(pixel(f, 2, 0)[0], 0);
	mw_text_draw(&f->out, -3, -3, 5, red, "clipped on all sides without harm");
}

static mw_code draw(mw_ctx *cx, void *ud)
{
	mw_relief r = {.height = ud, .step = 8, .title = "title"};
	mw_image out = {0};
	mw_code code = mw_relief_draw(cx, &out, &r, 64);

	mw_image_free(cx, &out);
	return code;
}

static void drawing_survives_no_memory(void **state)
{
	fixture *f = *state;

	oom_sweep(draw, &f->height);
}

static void silly_sizes_are_refused(void **state)
{
	fixture *f = *state;
	mw_relief r = {.height = &f->height, .step = 8};

	assert_fails(&f->cx, mw_relief_draw(&f->cx, &f->out, &r, 8), MW_ERANGE, "16..8192");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_picture_has_the_shape_of_the_map),
		TEST(slopes_towards_north_west_are_bright),
		TEST(ground_below_zero_is_blue),
		TEST(marks_stand_where_they_say),
		TEST(text_is_drawn_dot_by_dot),
		TEST(drawing_survives_no_memory),
		TEST(silly_sizes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

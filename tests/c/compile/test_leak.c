#include "support/level_scene.h"
#include "support/oom.h"
#include "support/test.h"

#include "compile/leak.h"

#include <math.h>
#include <string.h>

typedef struct {
	mw_ctx cx;
	mw_scene s;
	mw_leak l;
} fix;

static int up(void **state)
{
	static fix f;
	memset(&f, 0, sizeof f);
	mw_ctx_init(&f.cx);
	*state = &f;
	return mw_scene_init(&f.cx, &f.s, NULL);
}

static int down(void **state)
{
	fix *f = *state;
	mw_leak_free(&f->cx, &f->l);
	mw_scene_free(&f->cx, &f->s);
	return 0;
}

static mw_code box(fix *f, mw_vec3 min, mw_vec3 max, uint32_t contents, uint32_t owner)
{
	return level_box(&f->cx, &f->s, min, max, contents, -1, owner);
}

static mw_code stand(fix *f, const char *classname, double x, double y, double z)
{
	mw_entity e = mw_entity_default();
	uint32_t index;
	e.classname = classname;
	e.origin = mw_v3(x, y, z);
	return mw_scene_add_entity(&f->cx, &f->s, &e, &index);
}

/* Inside x + 1..x + 9, 1..5, 1..9, walls 1 thick; in the wall at x + 9..x + 10 a hole over
 * 2..4, 4..6. */
static mw_code room_with_a_hole(fix *f, double x)
{
	static const double wall[9][6] = {{0, 0, 0, 10, 1, 10}, {0, 5, 0, 10, 6, 10},
		{0, 1, 0, 1, 5, 10}, {1, 1, 0, 9, 5, 1}, {1, 1, 9, 9, 5, 10}, {9, 1, 0, 10, 2, 10},
		{9, 4, 0, 10, 5, 10}, {9, 2, 0, 10, 4, 4}, {9, 2, 6, 10, 4, 10}};
	mw_code rc = MW_OK;
	for (int i = 0; i < 9 && !rc; i++)
		rc = box(f, mw_v3(x + wall[i][0], wall[i][1], wall[i][2]),
			mw_v3(x + wall[i][3], wall[i][4], wall[i][5]), MW_CONTENTS_SOLID, 0);
	return rc;
}

static mw_code plug(fix *f, double x, uint32_t contents, uint32_t owner)
{
	return box(f, mw_v3(x + 9, 2, 4), mw_v3(x + 10, 4, 6), contents, owner);
}

static mw_leak_state state_of(fix *f, uint32_t entity, double gap)
{
	mw_leak_free(&f->cx, &f->l);
	assert_ok(&f->cx, mw_leak_find(&f->cx, &f->s, gap, &f->l));
	assert_int_equal(f->l.state.n, f->s.entity.n);
	return f->l.state.v[entity];
}

static void assert_at(mw_vec3 p, double x, double y, double z)
{
	assert_true(p.x == x && p.y == y && p.z == z);
}

static void a_sealed_room_does_not_leak(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, room_with_a_hole(f, 0));
	assert_ok(&f->cx, plug(f, 0, MW_CONTENTS_SOLID, 0));
	assert_ok(&f->cx, stand(f, "player_start", 5, 1, 5)); /* on the floor */
	for (int k = 0; k < 2; k++) {
		assert_int_equal(state_of(f, 0, k ? 0.001 : 0), MW_LEAK_SEALED);
		assert_int_equal(f->l.sealing, 10);
		assert_int_equal(f->l.entity, MW_TAG_NONE);
		assert_int_equal(f->l.line.n, 0);
	}
}

static void a_hole_in_a_wall_leaks_along_a_line_through_it(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, room_with_a_hole(f, 0));
	assert_ok(&f->cx, stand(f, "player_start", 5, 3, 5));
	assert_int_equal(state_of(f, 0, 0), MW_LEAK_LEAKS);
	assert_int_equal(f->l.entity, 0);
	size_t n = f->l.line.n;
	assert_in_range(n, 3, 6);
	assert_at(f->l.line.v[0], 5, 3, 5);
	/* the middles of both ends of the hole */
	assert_at(f->l.line.v[n - 2], 9, 3, 5);
	assert_at(f->l.line.v[n - 1], 10, 3, 5);
}

static void a_gap_leaks_when_it_is_as_wide_as_asked_for(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, room_with_a_hole(f, 0));
	assert_ok(&f->cx,
		box(f, mw_v3(9, 2, 4), mw_v3(10, 4, 5.99), MW_CONTENTS_SOLID, 0)); /* to 6 */
	assert_ok(&f->cx, stand(f, "player_start", 5, 3, 5));
	assert_int_equal(state_of(f, 0, 0), MW_LEAK_LEAKS);
	assert_true(fabs(f->l.line.v[f->l.line.n - 1].z - 5.995) < 1e-12);
	assert_int_equal(state_of(f, 0, 0.001), MW_LEAK_LEAKS);
	assert_int_equal(state_of(f, 0, 0.0099), MW_LEAK_LEAKS);
	assert_int_equal(state_of(f, 0, 0.0101), MW_LEAK_SEALED);
}

static void sky_closes_a_hole_and_water_clips_and_triggers_do_not(void **state)
{
	fix *f = *state;
	static const struct {
		uint32_t contents;
		mw_leak_state state;
	} row[] = {{MW_CONTENTS_SKY, MW_LEAK_SEALED}, {MW_CONTENTS_WATER, MW_LEAK_LEAKS},
		{MW_CONTENTS_CLIP, MW_LEAK_LEAKS}, {MW_CONTENTS_TRIGGER, MW_LEAK_LEAKS},
		{MW_CONTENTS_SOLID | MW_CONTENTS_WATER, MW_LEAK_SEALED}};
	assert_ok(&f->cx, stand(f, "player_start", 5, 3, 5));
	assert_ok(&f->cx, room_with_a_hole(f, 0));
	assert_ok(&f->cx, plug(f, 0, MW_CONTENTS_SOLID, 0));
	mw_brush *last = &f->s.brushes.brush.v[f->s.brushes.brush.n - 1];
	for (size_t i = 0; i < MW_COUNTOF(row); i++) {
		last->contents = row[i].contents;
		assert_int_equal(state_of(f, 0, 0), row[i].state);
	}
}

static void brushes_of_entities_and_details_do_not_close_a_hole(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, stand(f, "func_door", 0, 0, 0));
	assert_ok(&f->cx, stand(f, "player_start", 5, 3, 5));
	assert_ok(&f->cx, room_with_a_hole(f, 0));
	assert_ok(&f->cx, plug(f, 0, MW_CONTENTS_SOLID, 1));
	uint32_t last = (uint32_t)f->s.brush.n - 1;
	assert_int_equal(state_of(f, 1, 0), MW_LEAK_LEAKS);
	assert_int_equal(f->l.state.v[0], MW_LEAK_UNASKED); /* a door stands nowhere */
	assert_int_equal(f->l.sealing, 9);
	f->s.brush.v[last].owner = 0;
	assert_int_equal(state_of(f, 1, 0), MW_LEAK_SEALED);
	f->s.brush.v[last].flags = MW_BRUSH_DETAIL;
	assert_int_equal(state_of(f, 1, 0), MW_LEAK_LEAKS);
	f->s.brush.v[last].flags = 0;
	/* detail as Quake 2 says it, on one face */
	mw_face_info *face = &f->s.face.v[f->s.brushes.side.v[f->s.brushes.side.n - 1].tag];
	face->has_surface = true;
	face->surface[0] = 0x8000000;
	assert_int_equal(state_of(f, 1, 0), MW_LEAK_LEAKS);
}

static void only_who_is_in_the_open_room_leaks(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, stand(f, "worldspawn", 0, 0, 0));
	assert_ok(&f->cx, room_with_a_hole(f, 0));
	assert_ok(&f->cx, plug(f, 0, MW_CONTENTS_SOLID, 0));
	assert_ok(&f->cx, room_with_a_hole(f, 20));
	assert_ok(&f->cx, stand(f, "player_start", 5, 3, 5));
	assert_int_equal(state_of(f, 1, 0), MW_LEAK_SEALED);
	assert_int_equal(f->l.entity, MW_TAG_NONE);
	assert_ok(&f->cx, stand(f, "light", 0.5, 3, 5));  /* in a wall */
	assert_ok(&f->cx, stand(f, "light", 25, 3, 5));   /* in the open room */
	assert_ok(&f->cx, stand(f, "light", 15, 3, 5));   /* between the rooms */
	assert_ok(&f->cx, stand(f, "light", 50, 3, 500)); /* far away */
	static const mw_leak_state want[6] = {MW_LEAK_UNASKED, MW_LEAK_SEALED, MW_LEAK_IN_SOLID,
		MW_LEAK_LEAKS, MW_LEAK_LEAKS, MW_LEAK_LEAKS};
	state_of(f, 0, 0);
	for (int i = 0; i < 6; i++)
		assert_int_equal(f->l.state.v[i], want[i]);
	assert_int_equal(f->l.entity, 3);
	assert_at(f->l.line.v[0], 25, 3, 5);
}

static void without_brushes_everything_is_outside(void **state)
{
	fix *f = *state;
	assert_ok(&f->cx, mw_leak_find(&f->cx, &f->s, 0, &f->l));
	assert_int_equal(f->l.state.n, 0);
	assert_int_equal(f->l.entity, MW_TAG_NONE);
	assert_ok(&f->cx, stand(f, "light", 1, 2, 3));
	assert_int_equal(state_of(f, 0, 0.001), MW_LEAK_LEAKS);
	assert_int_equal(f->l.line.n, 1);
}

static mw_code whole(mw_ctx *cx, void *ud)
{
	mw_scene s = {0};
	mw_leak l = {0};
	MW_UNUSED(ud);
	mw_code rc = mw_scene_init(cx, &s, NULL);
	rc = rc ? rc : level_cellar(cx, &s);
	rc = rc ? rc : mw_leak_find(cx, &s, 0.001, &l);
	if (!rc)
		assert_int_equal(l.state.v[0], MW_LEAK_SEALED);
	mw_leak_free(cx, &l);
	mw_scene_free(cx, &s);
	return rc;
}

static void every_refused_allocation_is_reported(void **state)
{
	MW_UNUSED(state);
	assert_true(oom_sweep(whole, NULL) > 50);
}

#define T(name) cmocka_unit_test_setup_teardown(name, up, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_sealed_room_does_not_leak),
		T(a_hole_in_a_wall_leaks_along_a_line_through_it),
		T(a_gap_leaks_when_it_is_as_wide_as_asked_for),
		T(sky_closes_a_hole_and_water_clips_and_triggers_do_not),
		T(brushes_of_entities_and_details_do_not_close_a_hole),
		T(only_who_is_in_the_open_room_leaks),
		T(without_brushes_everything_is_outside),
		T(every_refused_allocation_is_reported),
	};
	return cmocka_run_group_tests_name("leak", tests, NULL, NULL);
}

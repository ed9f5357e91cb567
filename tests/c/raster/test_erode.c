#include "raster/erode.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "support/oom.h"
#include "support/test.h"

static mw_ctx cx;

static int setup(void **state)
{
	(void)state;
	mw_ctx_init(&cx);
	return 0;
}

static const mw_thermal rock = {.iterations = 40, .talus = 30, .rate = 1};
static const mw_hydraulic water = {.iterations = 25,
	.rain = 0.05,
	.evaporation = 0.02,
	.capacity = 2,
	.dissolve = 0.2,
	.deposit = 0.2,
	.friction = 0.05};
static const mw_droplets drops = {.count = 4000,
	.lifetime = 30,
	.radius = 3,
	.inertia = 0.3,
	.capacity = 1,
	.dissolve = 0.15,
	.deposit = 0.1,
	.evaporation = 0.03,
	.gravity = 1};

/* Hills of some hundred elmos, fractal enough for every branch. */
static mw_field hills(int32_t w, int32_t h, uint64_t seed)
{
	mw_field f;
	mw_field g;
	mw_rng r;
	mw_rng_init(&r, seed, "hills");
	assert_ok(&cx, mw_field_init(&cx, &f, w, h));
	assert_ok(&cx, mw_field_init(&cx, &g, w, h));
	double radius = 30;
	float height = 400;
	for (int octave = 0; octave < 4; octave++) {
		for (size_t k = 0; k < mw_field_count(&g); k++)
			g.v[k] = (float)mw_rng_unit(&r);
		assert_ok(&cx, mw_field_blur(&cx, &g, radius));
		mw_field_normalise(&g, -100, height);
		assert_ok(&cx, mw_field_apply(&cx, &f, MW_FIELD_ADD, &g));
		radius /= 3;
		height /= 3;
	}
	mw_field_free(&cx, &g);
	return f;
}

static double sum(const mw_field *f)
{
	double s = 0;
	for (size_t k = 0; k < mw_field_count(f); k++)
		s += (double)f->v[k];
	return s;
}

static float at(const mw_field *f, int32_t i, int32_t j)
{
	i = i < 0 ? 0 : i >= f->w ? f->w - 1 : i;
	j = j < 0 ? 0 : j >= f->h ? f->h - 1 : j;
	return mw_field_row(f, j)[i];
}

static bool same(const mw_field *a, const mw_field *b)
{
	return memcmp(a->v, b->v, mw_field_count(a) * sizeof(float)) == 0;
}

static void assert_mirrored(const mw_field *f, mw_mirror mirror)
{
	mw_field g;
	assert_ok(&cx, mw_field_copy(&cx, &g, f));
	assert_ok(&cx, mw_field_mirror(&cx, &g, mirror, 0));
	assert_true(same(f, &g));
	mw_field_free(&cx, &g);
}

/* ---- thermal */

static void gentle_slopes_hold(void **state)
{
	(void)state;
	mw_field f;
	mw_field was;
	assert_ok(&cx, mw_field_init(&cx, &f, 40, 30));
	for (int32_t j = 0; j < 30; j++)
		for (int32_t i = 0; i < 40; i++)
			mw_field_row(&f, j)[i] = (float)(4 * i); /* 26.6 degrees */
	assert_ok(&cx, mw_field_copy(&cx, &was, &f));
	assert_ok(&cx, mw_erode_thermal(&cx, &f, 8, &rock));
	assert_true(same(&f, &was));
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &was);
}

static void one_iteration_of_a_spike_by_hand(void **state)
{
	(void)state;
	mw_field f;
	assert_ok(&cx, mw_field_init(&cx, &f, 5, 5));
	mw_field_row(&f, 2)[2] = 100;
	const mw_thermal once = {.iterations = 1, .talus = 45, .rate = 0.5};
	assert_ok(&cx, mw_erode_thermal(&cx, &f, 10, &once));
	/* 90 beyond 10 straight, 85.858 beyond 14.142 aslant; 6 % of each, aslant over sqrt 2 */
	double straight = 0.06 * 90;
	double slant = 0.06 / sqrt(2) * (100 - 10 * sqrt(2));
	assert_true(fabs((double)at(&f, 1, 2) - straight) < 1e-4);
	assert_true(fabs((double)at(&f, 3, 3) - slant) < 1e-4);
	assert_true(fabs((double)at(&f, 2, 2) - (100 - 4 * straight - 4 * slant)) < 1e-4);
	assert_true(at(&f, 0, 2) == 0);
	mw_field_free(&cx, &f);
}

static void rock_slides_until_it_holds(void **state)
{
	(void)state;
	mw_field f = hills(36, 28, 1);
	double before = sum(&f);
	mw_thermal long_enough = rock;
	long_enough.iterations = 8000;
	assert_ok(&cx, mw_erode_thermal(&cx, &f, 4, &long_enough));
	double holds = tan(30 / 57.29577951308232) * 4;
	for (int32_t j = 0; j < 28; j++) {
		for (int32_t i = 0; i < 36; i++) {
			assert_true(fabs((double)(at(&f, i, j) - at(&f, i + 1, j))) < holds * 1.02);
			assert_true(fabs((double)(at(&f, i, j) - at(&f, i, j + 1))) < holds * 1.02);
		}
	}
	assert_true(fabs(sum(&f) - before) < 1e-4 * fabs(before));
	mw_field_free(&cx, &f);
}

/* ---- hydraulic: the model once more, plainly, in double and one stage after the other */

typedef struct {
	double bed, wet, load, east, south, k, thick;
} slow_cell;

static void slow_hydraulic(mw_field *f, double step, const mw_hydraulic *o)
{
	int32_t w = f->w;
	int32_t h = f->h;
	slow_cell *c = mw_zalloc_n(&cx, (size_t)w * (size_t)h, sizeof *c);
	slow_cell *n = mw_zalloc_n(&cx, (size_t)w * (size_t)h, sizeof *n);
	const slow_cell nothing = {0};
#define AT(i, j) ((i) < 0 || (j) < 0 || (i) >= w || (j) >= h ? &nothing : &c[(j)*w + (i)])
	for (int32_t k = 0; k < w * h; k++)
		c[k].bed = (double)f->v[k];
	for (int it = 0; it < o->iterations; it++) {
		for (int32_t k = 0; k < w * h; k++)
			c[k].wet += o->rain;
		for (int32_t j = 0; j < h; j++) {
			for (int32_t i = 0; i < w; i++) {
				slow_cell *p = &c[j * w + i];
				double level = p->bed + p->wet;
				p->east = i == w - 1 ? 0
						     : p->east * (1 - o->friction) +
						0.25 * (level - p[1].bed - p[1].wet);
				p->south = j == h - 1 ? 0
						      : p->south * (1 - o->friction) +
						0.25 * (level - p[w].bed - p[w].wet);
			}
		}
		for (int32_t j = 0; j < h; j++) {
			for (int32_t i = 0; i < w; i++) {
				slow_cell *p = &c[j * w + i];
				double out = fmax(p->east, 0) + fmax(p->south, 0) +
					fmax(-AT(i - 1, j)->east, 0) +
					fmax(-AT(i, j - 1)->south, 0);
				p->k = out > p->wet ? p->wet / out : 1;
				p->thick = p->wet > 1e-6 ? p->load / p->wet : p->load / 1e-6;
			}
		}
		for (int32_t j = 0; j < h; j++) {
			for (int32_t i = 0; i < w; i++) {
				slow_cell *p = &c[j * w + i];
				p->east *= p->east > 0 ? p->k : AT(i + 1, j)->k;
				p->south *= p->south > 0 ? p->k : AT(i, j + 1)->k;
			}
		}
		memcpy(n, c, (size_t)w * (size_t)h * sizeof *c);
		for (int32_t j = 0; j < h; j++) {
			for (int32_t i = 0; i < w; i++) {
				const slow_cell *p = &c[j * w + i];
				const slow_cell *pw = AT(i - 1, j);
				const slow_cell *pe = AT(i + 1, j);
				const slow_cell *pn = AT(i, j - 1);
				const slow_cell *ps = AT(i, j + 1);
				double in = pw->east - p->east + pn->south - p->south;
				double s = p->load;
				s += pw->east * (pw->east > 0 ? pw->thick : p->thick);
				s -= p->east * (p->east > 0 ? p->thick : pe->thick);
				s += pn->south * (pn->south > 0 ? pn->thick : p->thick);
				s -= p->south * (p->south > 0 ? p->thick : ps->thick);
				s = fmax(s, 0);
				double qx = (pw->east + p->east) / 2;
				double qz = (pn->south + p->south) / 2;
				double bw = i > 0 ? pw->bed : p->bed;
				double be = i < w - 1 ? pe->bed : p->bed;
				double bn = j > 0 ? pn->bed : p->bed;
				double bs = j < h - 1 ? ps->bed : p->bed;
				double g = hypot(be - bw, bs - bn) / (2 * step);
				double sine = g / sqrt(1 + g * g);
				double carries = o->capacity * hypot(qx, qz) * sine;
				double room =
					fmax(0, p->bed - fmin(fmin(bw, be), fmin(bn, bs))) / 2;
				double change = carries > s
					? fmin((carries - s) * o->dissolve, room)
					: (carries - s) * o->deposit;
				slow_cell *q = &n[j * w + i];
				q->bed = p->bed - change;
				q->load = s + change;
				q->wet = fmax(p->wet + in, 0) * (1 - o->evaporation);
			}
		}
		slow_cell *swap = c;
		c = n;
		n = swap;
	}
#undef AT
	for (int32_t k = 0; k < w * h; k++)
		f->v[k] = (float)(c[k].bed + c[k].load);
	mw_free(&cx, c);
	mw_free(&cx, n);
}

static void the_fused_sweep_agrees_with_plain_stages(void **state)
{
	(void)state;
	const int32_t sizes[][2] = {{50, 150}, {33, 64}, {17, 65}, {7, 3}, {2, 2}, {1, 5}, {5, 1}};
	for (size_t k = 0; k < MW_COUNTOF(sizes); k++) {
		mw_field f = hills(sizes[k][0], sizes[k][1], k);
		mw_field g;
		mw_field was;
		assert_ok(&cx, mw_field_copy(&cx, &g, &f));
		assert_ok(&cx, mw_field_copy(&cx, &was, &f));
		assert_ok(&cx, mw_erode_hydraulic(&cx, &f, 8, &water));
		slow_hydraulic(&g, 8, &water);
		double changed = 0;
		for (size_t m = 0; m < mw_field_count(&f); m++) {
			double apart = fabs((double)f.v[m] - (double)g.v[m]);
			changed = fmax(changed, fabs((double)f.v[m] - (double)was.v[m]));
			assert_true(apart < 5e-3);
		}
		if (sizes[k][0] > 10)
			assert_true(changed > 0.5); /* or the tolerance would hide everything */
		mw_field_free(&cx, &f);
		mw_field_free(&cx, &g);
		mw_field_free(&cx, &was);
	}
}

static void what_water_takes_it_leaves_elsewhere(void **state)
{
	(void)state;
	mw_field f = hills(120, 100, 3);
	mw_hydraulic o = water;
	o.iterations = 200;
	o.variation = 0.5;
	double before = sum(&f);
	assert_ok(&cx, mw_erode_hydraulic(&cx, &f, 8, &o));
	assert_true(fabs(sum(&f) - before) / 12000 < 1e-3);
	mw_field_free(&cx, &f);
}

static void water_stands_on_flat_ground(void **state)
{
	(void)state;
	mw_field f;
	assert_ok(&cx, mw_field_init(&cx, &f, 20, 20));
	mw_field_apply_number(&f, MW_FIELD_SET, 42.5f);
	assert_ok(&cx, mw_erode_hydraulic(&cx, &f, 8, &water));
	for (size_t k = 0; k < 400; k++)
		assert_true(f.v[k] == 42.5f);
	mw_field_free(&cx, &f);
}

static void variation_follows_the_seed(void **state)
{
	(void)state;
	mw_field f[3];
	mw_hydraulic o = water;
	o.variation = 0.8;
	for (int k = 0; k < 3; k++) {
		f[k] = hills(40, 40, 5);
		o.seed = k == 2 ? 9 : 8;
		assert_ok(&cx, mw_erode_hydraulic(&cx, &f[k], 8, &o));
	}
	assert_true(same(&f[0], &f[1]));
	assert_false(same(&f[0], &f[2]));
	for (int k = 0; k < 3; k++)
		mw_field_free(&cx, &f[k]);
}

static void grid_models_keep_symmetry_to_the_bit(void **state)
{
	(void)state;
	const mw_mirror mirrors[] = {{MW_MIRROR_X, 0}, {MW_MIRROR_Z, 0}, {MW_MIRROR_POINT, 0},
		{MW_MIRROR_QUAD, 0}, {MW_MIRROR_TURN, 4}};
	for (size_t k = 0; k < MW_COUNTOF(mirrors); k++) {
		mw_field f = hills(130, 130, k);
		assert_ok(&cx, mw_field_mirror(&cx, &f, mirrors[k], 10));
		assert_ok(&cx, mw_erode_thermal(&cx, &f, 8, &rock));
		assert_mirrored(&f, mirrors[k]);
		assert_ok(&cx, mw_erode_hydraulic(&cx, &f, 8, &water));
		assert_mirrored(&f, mirrors[k]);
		mw_field_free(&cx, &f);
	}
}

/* ---- droplets */

static void drops_dig_on_slopes_and_fill_hollows(void **state)
{
	(void)state;
	/* a cone with a moat around it */
	mw_field f;
	mw_field was;
	assert_ok(&cx, mw_field_init(&cx, &f, 129, 129));
	for (int32_t j = 0; j < 129; j++) {
		for (int32_t i = 0; i < 129; i++) {
			double d = hypot(i - 64, j - 64);
			mw_field_row(&f, j)[i] = (float)(d < 40 ? 300 - 7 * d
					: d < 50                ? 20 + 3 * (d - 40)
								: 50);
		}
	}
	assert_ok(&cx, mw_field_copy(&cx, &was, &f));
	mw_droplets o = drops;
	o.count = 20000;
	assert_ok(&cx, mw_erode_droplets(&cx, &f, 8, &o));
	double cone = 0;
	double moat = 0;
	for (int32_t j = 0; j < 129; j++) {
		for (int32_t i = 0; i < 129; i++) {
			double d = hypot(i - 64, j - 64);
			double change = (double)at(&f, i, j) - (double)at(&was, i, j);
			if (d < 20)
				cone += change;
			if (d > 36 && d < 46)
				moat += change;
		}
	}
	assert_true(cone < -500 && moat > 500);
	assert_true(fabs(sum(&f) - sum(&was)) < 50); /* nothing reaches the edge */
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &was);
}

static void a_single_drop_stays_near_its_way(void **state)
{
	(void)state;
	mw_field f = hills(200, 200, 6);
	mw_field was;
	assert_ok(&cx, mw_field_copy(&cx, &was, &f));
	mw_droplets o = drops;
	o.count = 1;
	assert_ok(&cx, mw_erode_droplets(&cx, &f, 8, &o));
	int32_t i0 = 200, i1 = -1, j0 = 200, j1 = -1;
	for (int32_t j = 0; j < 200; j++) {
		for (int32_t i = 0; i < 200; i++) {
			if (at(&f, i, j) == at(&was, i, j))
				continue;
			i0 = i < i0 ? i : i0;
			i1 = i > i1 ? i : i1;
			j0 = j < j0 ? j : j0;
			j1 = j > j1 ? j : j1;
		}
	}
	assert_true(i1 >= i0); /* it ran */
	assert_true(i1 - i0 <= 30 + 6 && j1 - j0 <= 30 + 6);
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &was);
}

static void no_drops_change_nothing_and_the_seed_decides(void **state)
{
	(void)state;
	mw_field f[4];
	for (int k = 0; k < 4; k++) {
		f[k] = hills(100, 80, 7);
		mw_droplets o = drops;
		o.count = k == 0 ? 0 : 4000;
		o.seed = k == 3 ? 2 : 1;
		assert_ok(&cx, mw_erode_droplets(&cx, &f[k], 8, &o));
	}
	mw_field was = hills(100, 80, 7);
	assert_true(same(&f[0], &was));
	assert_true(same(&f[1], &f[2]));
	assert_false(same(&f[1], &f[3]));
	assert_false(same(&f[1], &was));
	mw_field_free(&cx, &was);
	for (int k = 0; k < 4; k++)
		mw_field_free(&cx, &f[k]);
}

static void narrow_fields_survive(void **state)
{
	(void)state;
	const int32_t sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {2, 2}, {3, 40}};
	for (size_t k = 0; k < MW_COUNTOF(sizes); k++) {
		mw_field f = hills(sizes[k][0], sizes[k][1], k);
		mw_droplets o = drops;
		o.radius = 16;
		assert_ok(&cx, mw_erode_droplets(&cx, &f, 8, &o));
		assert_ok(&cx, mw_erode_thermal(&cx, &f, 8, &rock));
		assert_ok(&cx, mw_erode_hydraulic(&cx, &f, 8, &water));
		assert_ok(&cx, mw_field_require_finite(&cx, &f, "height"));
		mw_field_free(&cx, &f);
	}
}

/* ---- all */

static void bad_input_is_refused_and_left_alone(void **state)
{
	(void)state;
	mw_field f = hills(30, 30, 2);
	mw_field was;
	f.v[30 * 4 + 7] = NAN;
	assert_ok(&cx, mw_field_copy(&cx, &was, &f));
	assert_fails(&cx, mw_erode_thermal(&cx, &f, 8, &rock), MW_ERANGE, "(7, 4)");
	assert_fails(&cx, mw_erode_hydraulic(&cx, &f, 8, &water), MW_ERANGE, "(7, 4)");
	assert_fails(&cx, mw_erode_droplets(&cx, &f, 8, &drops), MW_ERANGE, "(7, 4)");
	assert_true(same(&f, &was));
	mw_thermal t = rock;
	t.talus = 90;
	assert_fails(&cx, mw_erode_thermal(&cx, &f, 8, &t), MW_ERANGE, "talus 90");
	mw_hydraulic w = water;
	w.evaporation = 1.5;
	assert_fails(&cx, mw_erode_hydraulic(&cx, &f, 8, &w), MW_ERANGE, "evaporation 1.5");
	mw_droplets d = drops;
	d.radius = 17;
	assert_fails(
		&cx, mw_erode_droplets(&cx, &f, 8, &d), MW_ERANGE, "radius 17 is outside 1..16");
	mw_field_free(&cx, &f);
	mw_field_free(&cx, &was);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
	(void)state;
	mw_field one = {0};
	const int threads[] = {1, 2, 3, 7};
	for (size_t k = 0; k < MW_COUNTOF(threads); k++) {
		mw_field f = hills(300, 400, 11);
		cx.pool = mw_pool_new(&cx, threads[k]);
		assert_non_null(cx.pool);
		assert_ok(&cx, mw_erode_thermal(&cx, &f, 8, &rock));
		assert_ok(&cx, mw_erode_hydraulic(&cx, &f, 8, &water));
		mw_droplets o = drops;
		o.count = 30000;
		assert_ok(&cx, mw_erode_droplets(&cx, &f, 8, &o));
		mw_pool_free(cx.pool);
		cx.pool = NULL;
		if (k == 0) {
			one = f;
			continue;
		}
		assert_true(same(&one, &f));
		mw_field_free(&cx, &f);
	}
	mw_field_free(&cx, &one);
}

static void every_instruction_set_gives_the_same_bits(void **state)
{
	(void)state;
	mw_field f[2];
	mw_isa best = cx.isa;
	if (best < MW_ISA_AVX2)
		skip();
	for (int k = 0; k < 2; k++) {
		f[k] = hills(203, 150, 12);
		cx.isa = k == 0 ? MW_ISA_PORTABLE : best;
		mw_hydraulic o = water;
		o.variation = 0.4;
		assert_ok(&cx, mw_erode_thermal(&cx, &f[k], 8, &rock));
		assert_ok(&cx, mw_erode_hydraulic(&cx, &f[k], 8, &o));
		assert_ok(&cx, mw_erode_droplets(&cx, &f[k], 8, &drops));
	}
	assert_true(same(&f[0], &f[1]));
	mw_field_free(&cx, &f[0]);
	mw_field_free(&cx, &f[1]);
}

static mw_code work(mw_ctx *c, void *ud)
{
	mw_field f;
	mw_code code = mw_field_init(c, &f, 40, 30);
	MW_UNUSED(ud);
	for (size_t k = 0; code == MW_OK && k < 1200; k++)
		f.v[k] = (float)(k * 7919 % 301);
	mw_thermal t = rock;
	t.iterations = 3;
	mw_hydraulic w = water;
	w.iterations = 3;
	w.variation = 0.5;
	if (code == MW_OK)
		code = mw_erode_thermal(c, &f, 8, &t);
	if (code == MW_OK)
		code = mw_erode_hydraulic(c, &f, 8, &w);
	if (code == MW_OK)
		code = mw_erode_droplets(c, &f, 8, &drops);
	mw_field_free(c, &f);
	return code;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	oom_sweep(work, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(gentle_slopes_hold, setup),
		cmocka_unit_test_setup(one_iteration_of_a_spike_by_hand, setup),
		cmocka_unit_test_setup(rock_slides_until_it_holds, setup),
		cmocka_unit_test_setup(the_fused_sweep_agrees_with_plain_stages, setup),
		cmocka_unit_test_setup(what_water_takes_it_leaves_elsewhere, setup),
		cmocka_unit_test_setup(water_stands_on_flat_ground, setup),
		cmocka_unit_test_setup(variation_follows_the_seed, setup),
		cmocka_unit_test_setup(grid_models_keep_symmetry_to_the_bit, setup),
		cmocka_unit_test_setup(drops_dig_on_slopes_and_fill_hollows, setup),
		cmocka_unit_test_setup(a_single_drop_stays_near_its_way, setup),
		cmocka_unit_test_setup(no_drops_change_nothing_and_the_seed_decides, setup),
		cmocka_unit_test_setup(narrow_fields_survive, setup),
		cmocka_unit_test_setup(bad_input_is_refused_and_left_alone, setup),
		cmocka_unit_test_setup(any_number_of_threads_gives_the_same_bits, setup),
		cmocka_unit_test_setup(every_instruction_set_gives_the_same_bits, setup),
		cmocka_unit_test_setup(every_allocation_may_fail, setup),
	};
	return cmocka_run_group_tests_name("erode", tests, NULL, NULL);
}

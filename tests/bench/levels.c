#include "levels.h"

#include <math.h>

#define PITCH 512 /* from room to room */
#define STOREY 256
#define STOREYS 3
#define WALL 16
#define A_ROOM 45 /* brushes, about */

typedef struct {
	mw_str *world, *group, *apart; /* brushes of the world, of one group, entities after it */
	uint32_t left, seed, side;
	uint32_t random; /* state of the room's own generator */
	double x, y, z;  /* the room's corner */
} maker;

/* Whole-numbered right triangles: turns that no library's sine decides. */
static const double turns[][2] = {{3.0 / 5, 4.0 / 5}, {5.0 / 13, 12.0 / 13}, {15.0 / 17, 8.0 / 17},
	{24.0 / 25, 7.0 / 25}, {21.0 / 29, 20.0 / 29}, {40.0 / 41, 9.0 / 41}};

static uint32_t draw(maker *m, uint32_t below)
{
	m->random = m->random * 1664525u + 1013904223u;
	return (m->random >> 8) % below;
}

/* ---- brushes --------------------------------------------------------------------------------- */

#define CORNERS 8

typedef struct {
	uint32_t n;
	double low[CORNERS][3], high[CORNERS][3]; /* counter-clockwise from above */
} prism;

static double decimals(double v)
{
	return floor(v * 1000 + 0.5) / 1000 + 0.0;
}

/* Quake has the outside on the side of (a - b) x (c - b). */
static void put_face(mw_str *s, const char *texture, const double *a, const double *b,
	const double *c, bool flat)
{
	const double *p[3] = {a, b, c};
	for (int i = 0; i < 3; i++)
		mw_str_putf(s, "( %.9g %.9g %.9g ) ", decimals(p[i][0]), decimals(p[i][1]),
			decimals(p[i][2]));
	bool along_x = fabs(a[0] - b[0]) >= fabs(a[1] - b[1]);
	mw_str_putf(s, "%s %s %s 0 1 1\n", texture,
		flat || along_x ? "[ 1 0 0 0 ]" : "[ 0 1 0 16 ]",
		flat ? "[ 0 -1 0 0 ]" : "[ 0 0 -1 8 ]");
}

static void put_prism(maker *m, mw_str *to, const prism *p, const char *texture)
{
	if (m->left == 0)
		return;
	m->left--;
	mw_str_put(to, "{\n");
	for (uint32_t i = 0; i < p->n; i++)
		put_face(to, texture, p->low[(i + 1) % p->n], p->low[i], p->high[i], false);
	put_face(to, texture, p->high[1], p->high[0], p->high[2], true);
	put_face(to, texture, p->low[2], p->low[0], p->low[1], true);
	mw_str_put(to, "}\n");
}

static void set_corner(maker *m, prism *p, uint32_t i, double x, double y, double low, double high)
{
	p->low[i][0] = p->high[i][0] = m->x + x;
	p->low[i][1] = p->high[i][1] = m->y + y;
	p->low[i][2] = m->z + low;
	p->high[i][2] = m->z + high;
}

static void box(maker *m, mw_str *to, const char *texture, double x0, double y0, double z0,
	double x1, double y1, double z1)
{
	prism p = {.n = 4};
	set_corner(m, &p, 0, x0, y0, z0, z1);
	set_corner(m, &p, 1, x1, y0, z0, z1);
	set_corner(m, &p, 2, x1, y1, z0, z1);
	set_corner(m, &p, 3, x0, y1, z0, z1);
	put_prism(m, to, &p, texture);
}

static void turn(double v[3], int i, int k, const double by[2])
{
	double a = v[i] * by[0] - v[k] * by[1], b = v[i] * by[1] + v[k] * by[0];
	v[i] = a;
	v[k] = b;
}

/* A box about a point, turned about the upright axis and perhaps once more. */
static void crate(maker *m, double x, double y, double z, double half, bool tilted)
{
	static const double at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	const double *first = turns[draw(m, MW_COUNTOF(turns))];
	const double *second = turns[draw(m, MW_COUNTOF(turns))];
	const double middle[3] = {m->x + x, m->y + y, m->z + z};
	prism p = {.n = 4};
	for (uint32_t i = 0; i < 4; i++) {
		double *end[2] = {p.low[i], p.high[i]};
		for (int k = 0; k < 2; k++) {
			end[k][0] = at[i][0] * half;
			end[k][1] = at[i][1] * half;
			end[k][2] = k ? half : -half;
			if (tilted)
				turn(end[k], 1, 2, second);
			turn(end[k], 0, 1, first);
			for (int a = 0; a < 3; a++)
				end[k][a] += middle[a];
		}
	}
	put_prism(m, m->group, &p, "crate");
}

/* ---- parts of a room ------------------------------------------------------------------------- */

/* A wall along x or y with a doorway, the doorway's frame, and skirting. */
static void wall(maker *m, bool along_x, bool open)
{
	double door = 96 + 32 * draw(m, 9), wide = 96, high = 112;
	struct {
		double from, to, low, high, out;
		const char *texture;
	} part[] = {{0, open ? door : PITCH, 0, STOREY, 0, "wall_a"},
		{door + wide, PITCH, 0, STOREY, 0, "wall_a"},
		{door, door + wide, high, STOREY, 0, "wall_b"},
		{door - 8, door + 4, 0, high + 4, 4, "frame"},
		{door + wide - 4, door + wide + 8, 0, high + 4, 4, "frame"},
		{door - 8, door + wide + 8, high - 4, high + 8, 6, "frame"},
		{0, open ? door : PITCH, 0, 12, 3, "skirting"},
		{door + wide, PITCH, 0, 12, 3, "skirting"}};
	for (size_t i = 0; i < MW_COUNTOF(part); i++) {
		bool closed_too = i == 0 || i == 6;
		double out = part[i].out;
		if (!open && !closed_too)
			continue;
		if (along_x)
			box(m, m->world, part[i].texture, part[i].from, -out, part[i].low,
				part[i].to, WALL + out, part[i].high);
		else
			box(m, m->world, part[i].texture, -out, part[i].from, part[i].low,
				WALL + out, part[i].to, part[i].high);
	}
}

static void floor_and_ceiling(maker *m)
{
	double cut = 128 + 32 * draw(m, 8), step = 8 * draw(m, 2);
	bool pool = draw(m, 8) == 0;
	box(m, m->world, "floor_a", 0, 0, -16, cut, cut, 0);
	box(m, m->world, "floor_b", cut, 0, -16, PITCH, cut, pool ? -8 : step);
	box(m, m->world, "floor_b", 0, cut, -16, cut, PITCH, 0);
	box(m, m->world, "floor_a", cut, cut, -16, PITCH, PITCH, step);
	if (pool)
		box(m, m->world, "*water1", cut, 16, -8, PITCH, cut, -1);
	box(m, m->world, "ceiling", 0, 0, STOREY - 16 - 8, PITCH, PITCH, STOREY - 16);
	box(m, m->world, "beam", 0, 120, STOREY - 48, PITCH, 136, STOREY - 20);
	box(m, m->world, "beam", 0, 376, STOREY - 48, PITCH, 392, STOREY - 20);
}

static void pillar(maker *m, double x, double y)
{
	static const double at[8][2] = {{24, -10}, {24, 10}, {10, 24}, {-10, 24}, {-24, 10},
		{-24, -10}, {-10, -24}, {10, -24}};
	prism p = {.n = 8};
	for (uint32_t i = 0; i < 8; i++)
		set_corner(m, &p, i, x + at[i][0], y + at[i][1], 0, STOREY - 24);
	put_prism(m, m->world, &p, "pillar");
	box(m, m->world, "pillar_foot", x - 28, y - 28, -4, x + 28, y + 28, 12);
	box(m, m->world, "pillar_foot", x - 28, y - 28, STOREY - 64, x + 28, y + 28, STOREY - 20);
}

static void stairs(maker *m)
{
	for (int i = 0; i < 12; i++)
		box(m, m->world, "step", 240 + 16 * i, 320, 0, 256 + 16 * i, 400, 8 + 8 * i);
}

static void crates(maker *m)
{
	mw_str_put(m->group, "{\n\"classname\" \"func_group\"\n");
	for (int i = 0; i < 6; i++) {
		double x = 200 + draw(m, 80), y = 200 + draw(m, 80), half = 8 + draw(m, 12);
		bool tilted = i % 3 == 2;
		crate(m, x, y, tilted ? half * 1.5 : half, half, tilted);
	}
	mw_str_put(m->group, "}\n");
}

static void entities(maker *m, uint32_t number)
{
	mw_str *s = m->apart;
	mw_str_putf(s, "{\n\"classname\" \"light\"\n\"origin\" \"%.9g %.9g %.9g\"\n", m->x + 256,
		m->y + 256, m->z + 180);
	mw_str_put(s, "\"light\" \"200\"\n}\n");
	if (m->left) {
		mw_str_putf(s, "{\n\"classname\" \"func_door\"\n\"targetname\" \"door%u\"\n",
			(unsigned)number);
		box(m, s, "door", 128, 4, 0, 192, 12, 100);
		mw_str_put(s, "}\n");
	}
	if (m->left && number % 4 == 0) {
		mw_str_putf(s, "{\n\"classname\" \"trigger_multiple\"\n\"target\" \"door%u\"\n",
			(unsigned)number);
		box(m, s, "trigger", 96, 32, 0, 224, 96, 64);
		mw_str_put(s, "}\n");
	}
}

static void room(maker *m, uint32_t number)
{
	uint32_t column = number / STOREYS % m->side, row = number / STOREYS / m->side;
	m->x = (double)PITCH * column - PITCH * m->side / 2.0;
	m->y = (double)PITCH * row - PITCH * m->side / 2.0;
	m->z = (double)STOREY * (number % STOREYS);
	m->random = (number + 1) * 2654435761u ^ m->seed;
	draw(m, 2);
	floor_and_ceiling(m);
	wall(m, true, row > 0);
	wall(m, false, column > 0);
	if (draw(m, 3)) {
		pillar(m, 128, 128);
		pillar(m, 384, 128);
		pillar(m, 384, 384);
		pillar(m, 128, 384);
	} else {
		stairs(m);
	}
	crates(m);
	entities(m, number);
}

void level_text(mw_str *out, uint32_t brushes, uint32_t seed)
{
	mw_str group, apart;
	mw_str_init(&group, out->cx);
	mw_str_init(&apart, out->cx);
	maker m = {.world = out, .group = &group, .apart = &apart, .left = brushes, .seed = seed};
	for (m.side = 1; m.side * m.side * STOREYS * A_ROOM < brushes; m.side++)
		;
	mw_str_put(out, "// Game: Quake\n// Format: Valve\n{\n\"classname\" \"worldspawn\"\n");
	mw_str_put(out, "\"mapversion\" \"220\"\n");
	for (uint32_t number = 0; m.left; number++)
		room(&m, number);
	mw_str_put(out, "}\n");
	mw_str_putn(out, group.p, group.n);
	mw_str_putn(out, apart.p, apart.n);
	mw_str_put(out, "{\n\"classname\" \"info_player_start\"\n\"origin\" \"0 0 64\"\n}\n");
	mw_str_free(&group);
	mw_str_free(&apart);
}

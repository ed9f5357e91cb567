/* Levels for the benchmarks, as .map text, each the same on every machine for a seed. */
#ifndef BENCH_LEVELS_H
#define BENCH_LEVELS_H

#include "base/str.h"

#define LEVEL_SEED 1996 /* of all suites */

/* Storeys of rooms behind one another: walls with doorways and frames, floors of several slabs,
 * beams, skirting that runs into walls and corners, eight-sided pillars with foot and head, stairs,
 * crates turned about one axis or two (three decimals, as editors write them), pools, doors,
 * triggers and lights; about 45 brushes a room. Exactly so many brushes, Valve 220, appended to
 * out, whose code the caller looks at. [unit: Quake units] */
void level_text(mw_str *out, uint32_t brushes, uint32_t seed);

#endif

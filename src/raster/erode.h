/* Erosion: falling rock, running water on a grid, single drops. Only + - * / and square roots, so
 * that the result is the same on every machine and for any thread count. */
#ifndef MW_RASTER_ERODE_H
#define MW_RASTER_ERODE_H

#include "raster/field.h"

/* All three change f in place. step is the distance of samples in the unit of the heights
 * [range: > 0]. MW_ERANGE for heights that are not finite and options out of range, MW_ENOMEM; f is
 * then as it was. */

/* Where the ground is steeper than it can hold, rock slides to the eight neighbours. What slides
 * arrives: the sum of heights stays (to rounding). Keeps the symmetry of f to the bit. */
typedef struct {
	int32_t iterations; /* [range: 0..1000000] */
	double talus;       /* steepest slope that holds [unit: degree] [range: 0..89] */
	double rate;        /* share of the excess that slides in an iteration [range: 0..1] */
} mw_thermal;

MW_NODISCARD mw_code mw_erode_thermal(mw_ctx *cx, mw_field *f, double step, const mw_thermal *o);

/* Water on a grid: rain falls everywhere, runs downhill through pipes between neighbours, loosens
 * ground where it is fast and steep, carries it and drops it where it slows down. No water leaves
 * at the edges; what is carried at the end is dropped, so that the sum of heights stays (to
 * rounding). With variation 0 keeps the symmetry of f to the bit. */
typedef struct {
	int32_t iterations; /* [range: 0..1000000] water runs one sample an iteration at most */
	double rain;        /* water an iteration [unit: of heights] [range: 0..1000] */
	double variation;   /* how much the rain differs from place to place [range: 0..1] */
	double evaporation; /* share of the water lost in an iteration [range: 0..1] */
	double capacity;    /* what water carries at slope 1 [range: 0..1000] */
	double dissolve;    /* share of the free capacity taken up in an iteration [range: 0..1] */
	double deposit;     /* share of the surplus dropped in an iteration [range: 0..1] */
	double friction;    /* share of its motion water loses in an iteration [range: 0..1] */
	uint64_t seed;      /* of the variation */
} mw_hydraulic;

MW_NODISCARD mw_code mw_erode_hydraulic(
	mw_ctx *cx, mw_field *f, double step, const mw_hydraulic *o);

/* Single drops that roll downhill, one after the other: sharper gullies than the grid model, no
 * standing water. Drops start in tiles; tiles far enough apart run side by side, in an order that
 * does not depend on the threads. */
typedef struct {
	uint64_t count;     /* drops [range: 0..1e10]; about one a sample is a lot */
	int32_t lifetime;   /* steps of one sample [range: 1..1000] */
	double radius;      /* of what a drop wears away [unit: sample] [range: 1..16] */
	double inertia;     /* 0: straight down; 1: straight on [range: 0..1] */
	double capacity;    /* what a drop carries at slope and speed 1 [range: 0..1000] */
	double dissolve;    /* share of the free capacity taken up in a step [range: 0..1] */
	double deposit;     /* share of the surplus dropped in a step [range: 0..1] */
	double evaporation; /* share of the water lost in a step [range: 0..1] */
	double gravity;     /* gain of speed [range: 0..1000] */
	uint64_t seed;
} mw_droplets;

MW_NODISCARD mw_code mw_erode_droplets(mw_ctx *cx, mw_field *f, double step, const mw_droplets *o);

#endif

/* Positions drawn by density with an exact least distance, symmetric by construction. */
#ifndef MW_RASTER_SCATTER_H
#define MW_RASTER_SCATTER_H

#include "raster/field.h"

/* A place counts only where the field's bilinear value is within min..max. NaN never is. */
typedef struct {
	const mw_field *f; /* [borrowed] */
	mw_grid grid;
	double min, max;
} mw_scatter_limit;

/* Keep at least radius away from (x, z). [unit: elmo] */
typedef struct {
	double x, z, radius;
} mw_scatter_disc;

typedef struct {
	double width, depth;     /* the map: 0..width, 0..depth [unit: elmo] [range: > 0] */
	double spacing;          /* no two positions are nearer [unit: elmo] [range: > 0] */
	double edge;             /* least distance from the map's edge [unit: elmo] [range: >= 0] */
	double snap;             /* positions are multiples of this; 0: of 1/64 [unit: elmo] */
	const mw_field *density; /* likelihood 0..1, bilinear; NULL: 1 everywhere [borrowed] */
	mw_grid density_grid;
	const mw_scatter_limit *limits; /* all must hold [borrowed] */
	size_t n_limits;
	const mw_scatter_disc *discs; /* [borrowed] */
	size_t n_discs;
	mw_mirror mirror;
	size_t count; /* at most so many, images included; 0: as many as fit */
	uint64_t seed;
} mw_scatter_rules;

typedef struct {
	double x, z;    /* [unit: elmo] */
	uint32_t orbit; /* images of one position have the same number, in order from 0 */
	uint32_t image; /* 0: the drawn one, in the part that mw_field_mirror keeps; 1..: its images
			 */
} mw_scatter_point;

/* Every rule holds for every image of every position; an image that falls on its own origin is left
 * out. Images under x, z, point, quad and turns by 2 and 4 are exact; those of other turns are
 * exact to rounding, or to the grid of snap. Where density is below 1 throughout, a share of places
 * stays empty. Equal rules give equal positions on every machine and for any thread count.
 * [points: n of them; owned: caller, mw_free]
 * MW_EINVALID for senseless rules, MW_ELIMIT for a spacing too small for the map, MW_ENOMEM. */
MW_NODISCARD mw_code mw_scatter(
	mw_ctx *cx, mw_scatter_point **points, size_t *n, const mw_scatter_rules *rules);

/* The images of (x, z) under a symmetry about the middle of a map of width x depth: itself first.
 * [out: MW_MIRROR_TURN_MAX of them] Returns how many. */
int mw_scatter_images(
	double (*out)[2], mw_mirror mirror, double width, double depth, double x, double z);

#endif

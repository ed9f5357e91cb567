/* Metal spots as smooth domes whose sum is what an extractor on the spot is to get. */
#ifndef MW_RASTER_METAL_H
#define MW_RASTER_METAL_H

#include "raster/field.h"

#define MW_METAL_CELL                                                                              \
	16 /* [unit: elmo] side of a metal cell; cell (i, j)'s centre is at 16 i + 8 */

/* "metal" of a spot or site is metal per second of an extractor with extractsMetal 0.001 on flat
 * control: sum(byte * max_metal) / 1000 over the cells whose centre is strictly closer than the
 * extractor's radius (measured; Spring rts/Sim/Units/UnitTypes/ExtractorBuilding.cpp:95-115). */
typedef struct {
	double x, z;   /* [unit: elmo] inside the map */
	double radius; /* of the dome [unit: elmo] [range: > 0] */
	double metal;  /* [range: >= 0] */
	bool snap;     /* move to the nearest multiple of 16, where extractors can stand */
} mw_metal_spot;

/* What became of a spot. */
typedef struct {
	double x, z;     /* where the dome is [unit: elmo] */
	uint32_t sum;    /* of its own bytes within the extractor's reach */
	uint32_t beyond; /* of its own bytes outside it, which an extractor here does not get */
	uint8_t peak;    /* its highest own byte */
	double alone;    /* metal from its own dome */
	double metal;    /* metal an extractor here gets, with all that is on the map */
} mw_metal_site;

/* Two spots whose domes have cells in common, or whose extractors reach the other's metal. */
typedef struct {
	uint32_t a, b;         /* spot numbers, a < b [zero-based] */
	uint32_t cells;        /* that both domes put metal on */
	double a_gets, b_gets; /* metal of the other's dome within the own reach */
} mw_metal_overlap;

typedef struct {
	double max_metal;        /* of the map [range: > 0] */
	double extractor_radius; /* of the map [unit: elmo] [range: > 0] */
	mw_mirror mirror; /* symmetry the spots have: remainders are laid so that partners' bytes
			   * are images of each other. MW_MIRROR_NONE will do for all but
			   * MW_MIRROR_POINT and MW_MIRROR_TURN. */
} mw_metal_rules;

/* Add the domes of n spots to the cells of bytes. Each sum is exact to half a byte; cells at equal
 * distance from the spot get equal bytes, except for at most a ring's remainder at the centre.
 * [bytes: w * h, row-major, may hold other metal] [sites: n]
 * [overlaps, n_overlaps: may be NULL; owned: caller, mw_free]
 * Spots are named by number counting from 1. MW_EINVALID for bad numbers; MW_ERANGE where a spot is
 * outside the map, its radius covers no cell in reach, or a byte would pass 255 (the message has
 * the most this spot can give); MW_ENOMEM. On failure bytes are as before. */
MW_NODISCARD mw_code mw_metal_domes(mw_ctx *cx, uint8_t *bytes, int32_t w, int32_t h,
	mw_metal_site *sites, mw_metal_overlap **overlaps, size_t *n_overlaps,
	const mw_metal_spot *spots, size_t n, const mw_metal_rules *rules);

/* Metal per second of an extractor with extractsMetal 0.001 at (x, z).
 * [bytes: w * h] [x, z, radius: elmo] */
double mw_metal_yield(const uint8_t *bytes, int32_t w, int32_t h, double x, double z, double radius,
	double max_metal);

/* Nearest multiple of 16; halfway goes towards the middle of the map, so that mirrored positions
 * stay mirrored. [size: of the map along this axis, elmo] */
double mw_metal_snap(double position, double size);

#endif

/* Pictures for the benchmarks, each the same on every machine for a seed. */
#ifndef BENCH_PICTURES_H
#define BENCH_PICTURES_H

#include <stdbool.h>
#include <stdint.h>

/* All write RGBA8, alpha 255. [rgba: side * side * 4 bytes] [unit of side: px] [range: multiple of
 * 8] */

/* Grass, dirt, sand, rock and snow by height and slope, shaded, with fine detail and a grain of
 * luma and chroma in every texel: the hard, usual case of a map texture. */
void picture_terrain(uint8_t *rgba, int side, uint32_t seed);
/* Its rows from first up to last. [rgba: (last - first) * side * 4 bytes] */
void picture_terrain_rows(uint8_t *rgba, int side, uint32_t seed, int first, int last);
/* The same without any detail, and a flat sea: repeats itself from far away. */
void picture_calm(uint8_t *rgba, int side, uint32_t seed);
/* The calm one with a tint of noise on its land, but no grain: as scripts make ground. */
void picture_tinted(uint8_t *rgba, int side, uint32_t seed);
/* Cells of 128 px: slow gradients, flat colours and grey ramps. */
void picture_smooth(uint8_t *rgba, int side, uint32_t seed);
/* Every channel of every texel at random. */
void picture_noise(uint8_t *rgba, int side, uint32_t seed);

/* How the channels of a two-colour picture run. */
enum two_colours {
	TWO_RANDOM,     /* any two colours */
	TWO_SAME,       /* all channels rise together */
	TWO_RG_SWAPPED, /* red rises where green falls */
	TWO_RB_SWAPPED  /* red rises where blue falls, green constant */
};
/* Every 4x4 block holds exactly two colours in a random pattern. */
void picture_two_colours(uint8_t *rgba, int side, uint32_t seed, enum two_colours how);

#endif

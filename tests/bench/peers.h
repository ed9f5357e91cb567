/* Other people's libraries behind plain C functions; each says whether it was there to build with.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* stb_dxt at STB_DXT_HIGHQUAL, its interpolation matched to the decoder that measures (thirds
 * rounded: STB_DXT_USE_ROUNDING_BIAS). [out: w * h / 2 bytes] */
void peer_stb_dxt(uint8_t *out, const uint8_t *rgba, uint32_t w, uint32_t h);

/* libsquish, DXT1, range fit. */
bool peer_squish_there(void);
void peer_squish_range(uint8_t *out, const uint8_t *rgba, uint32_t w, uint32_t h);

/* Three-dimensional noise on a plane, octaves of doubling frequency and half the weight, over
 * side x side samples. [step, period: the same unit] */
bool peer_libnoise_there(void);
void peer_libnoise_fbm(float *out, int side, double step, double period, int octaves);
void peer_libnoise_ridged(float *out, int side, double step, double period, int octaves);
/* Distance to the nearest point of a cell; octaves is not used. */
void peer_libnoise_voronoi(float *out, int side, double step, double period, int octaves);
void peer_stb_perlin_fbm(float *out, int side, double step, double period, int octaves);
void peer_stb_perlin_ridged(float *out, int side, double step, double period, int octaves);

/* zlib: raw deflate. [out: cap bytes, which must do] [range of level: 1..9] Its size. */
size_t peer_zlib(uint8_t *out, size_t cap, const uint8_t *in, size_t n, int level);

/* stb_image: PNG to RGBA. [out: w * h * 4 bytes] */
void peer_stb_image(uint8_t *out, const uint8_t *png, size_t n);

/* libpng: PNG to RGBA; RGBA to an RGB PNG in memory, its size. [out: cap bytes, 0 when they do not
 * do] */
bool peer_libpng_there(void);
void peer_libpng_read(uint8_t *out, const uint8_t *png, size_t n);
size_t peer_libpng_write(
	uint8_t *out, size_t cap, const uint8_t *rgba, uint32_t w, uint32_t h, int level);

#ifdef __cplusplus
}
#endif

#endif

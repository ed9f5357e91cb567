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

#ifdef __cplusplus
}
#endif

#endif

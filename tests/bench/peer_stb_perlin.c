#include "peers.h"

#define STB_PERLIN_IMPLEMENTATION
#include <stb_perlin.h>

void peer_stb_perlin_fbm(float *out, int side, double step, double period, int octaves)
{
	float f = (float)(step / period);
	for (int j = 0; j < side; j++)
		for (int i = 0; i < side; i++)
			*out++ = stb_perlin_fbm_noise3(
				(float)i * f, (float)j * f, 0.5f, 2.0f, 0.5f, octaves);
}

void peer_stb_perlin_ridged(float *out, int side, double step, double period, int octaves)
{
	float f = (float)(step / period);
	for (int j = 0; j < side; j++)
		for (int i = 0; i < side; i++)
			*out++ = stb_perlin_ridge_noise3(
				(float)i * f, (float)j * f, 0.5f, 2.0f, 0.5f, 1.0f, octaves);
}

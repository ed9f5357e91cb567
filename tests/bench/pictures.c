#include "pictures.h"

#include <math.h>

static uint32_t mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352dU;
	x ^= x >> 15;
	x *= 0x846ca68bU;
	return x ^ (x >> 16);
}

static uint32_t at_random(uint32_t x, uint32_t y, uint32_t seed)
{
	return mix(x + mix(y + mix(seed)));
}

/* [0, 1) */
static float lattice(int x, int y, uint32_t seed)
{
	return (float)(at_random((uint32_t)x, (uint32_t)y, seed) >> 8) * (1.0f / 16777216.0f);
}

static float smooth_step(float t)
{
	return t * t * (3 - 2 * t);
}

static float value_noise(float x, float y, uint32_t seed)
{
	int ix = (int)floorf(x), iy = (int)floorf(y);
	float fx = smooth_step(x - (float)ix), fy = smooth_step(y - (float)iy);
	float a = lattice(ix, iy, seed), b = lattice(ix + 1, iy, seed);
	float c = lattice(ix, iy + 1, seed), d = lattice(ix + 1, iy + 1, seed);
	return (a + (b - a) * fx) + ((c + (d - c) * fx) - (a + (b - a) * fx)) * fy;
}

static float fractal(float x, float y, int octaves, uint32_t seed)
{
	float sum = 0, weight = 0.5f;
	for (int o = 0; o < octaves; o++) {
		sum += weight * value_noise(x, y, seed + (uint32_t)o);
		x *= 2.03f;
		y *= 2.03f;
		weight *= 0.5f;
	}
	return sum;
}

static uint8_t to_byte(float v)
{
	return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)(v + 0.5f);
}

static float ramp(float lo, float hi, float v)
{
	float t = (v - lo) / (hi - lo);
	return smooth_step(t < 0 ? 0 : t > 1 ? 1 : t);
}

void picture_terrain(uint8_t *rgba, int side, uint32_t seed)
{
	picture_terrain_rows(rgba, side, seed, 0, side);
}

void picture_terrain_rows(uint8_t *rgba, int side, uint32_t seed, int first, int last)
{
	static const float layer[5][3] = {
		{214, 196, 148}, {86, 112, 52}, {120, 92, 62}, {128, 124, 118}, {236, 240, 246}};
	for (int y = first; y < last; y++) {
		for (int x = 0; x < side; x++) {
			float u = (float)x / 340, v = (float)y / 340;
			float h = fractal(u, v, 6, seed);
			float dx = fractal(u + 0.012f, v, 6, seed) - h;
			float dy = fractal(u, v + 0.012f, 6, seed) - h;
			float steep = fabsf(dx) + fabsf(dy);
			float w[4] = {ramp(0.34f, 0.40f, h), ramp(0.46f, 0.58f, h + 4 * steep),
				ramp(0.010f, 0.022f, steep), ramp(0.64f, 0.70f, h)};
			float shade = 0.86f + 14 * (dx - dy);
			float fine =
				0.80f + 0.40f * value_noise((float)x / 3, (float)y / 3, seed + 90);
			uint32_t bits = at_random((uint32_t)x, (uint32_t)y, seed + 91);
			float luma = ((float)(bits & 255) + (float)(bits >> 8 & 255)) / 255 - 1;
			float warm = (float)(bits >> 16 & 255) / 255 - 0.5f;
			float cool = (float)(bits >> 24) / 255 - 0.5f;
			float grain[3] = {9 * luma + 7 * warm, 9 * luma - 3 * warm - 2 * cool,
				9 * luma + 7 * cool};
			for (int c = 0; c < 3; c++) {
				float p = layer[0][c];
				for (int i = 0; i < 4; i++)
					p += (layer[i + 1][c] - p) * w[i];
				*rgba++ = to_byte(p * shade * fine + grain[c]);
			}
			*rgba++ = 255;
		}
	}
}

static void calm(uint8_t *rgba, int side, uint32_t seed, float tint)
{
	static const float layer[4][3] = {
		{194, 177, 132}, {93, 107, 62}, {128, 118, 104}, {169, 164, 155}};
	static const uint8_t sea[3] = {48, 80, 112};
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++, rgba += 4) {
			float u = (float)x / 850, v = (float)y / 850;
			float h = fractal(u, v, 3, seed);
			float dx = fractal(u + 0.01f, v, 3, seed) - h;
			float dy = fractal(u, v + 0.01f, 3, seed) - h;
			float w[3] = {ramp(0.36f, 0.40f, h),
				ramp(0.004f, 0.008f, fabsf(dx) + fabsf(dy)), ramp(0.6f, 0.7f, h)};
			float shade = 0.86f + 14 * (dx - dy);
			if (tint > 0)
				shade *= 1 - tint / 2 +
					tint * fractal((float)x / 60, (float)y / 60, 5, seed + 90);
			for (int c = 0; c < 3; c++) {
				float p = layer[0][c];
				for (int i = 0; i < 3; i++)
					p += (layer[i + 1][c] - p) * w[i];
				rgba[c] = h < 0.34f ? sea[c] : to_byte(p * shade);
			}
			rgba[3] = 255;
		}
	}
}

void picture_calm(uint8_t *rgba, int side, uint32_t seed)
{
	calm(rgba, side, seed, 0);
}

void picture_tinted(uint8_t *rgba, int side, uint32_t seed)
{
	calm(rgba, side, seed, 0.2f);
}

void picture_smooth(uint8_t *rgba, int side, uint32_t seed)
{
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++) {
			int cx = x / 128, cy = y / 128;
			uint32_t cell = at_random((uint32_t)cx, (uint32_t)cy, seed);
			for (int c = 0; c < 3; c++) {
				float p = (float)(mix(cell + (uint32_t)c) & 255);
				if (cell % 3 == 0) {
					float n = fractal((float)x / 96, (float)y / 96, 2,
						seed + 7 * (uint32_t)c);
					p = 0.4f * p + 240 * n;
				} else if (cell % 3 == 1) {
					p = (float)(x % 128) * 2;
				}
				*rgba++ = to_byte(p);
			}
			*rgba++ = 255;
		}
	}
}

void picture_noise(uint8_t *rgba, int side, uint32_t seed)
{
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++) {
			uint32_t bits = at_random((uint32_t)x, (uint32_t)y, seed);
			*rgba++ = (uint8_t)bits;
			*rgba++ = (uint8_t)(bits >> 8);
			*rgba++ = (uint8_t)(bits >> 16);
			*rgba++ = 255;
		}
	}
}

static void two_colours(uint8_t colour[2][3], uint32_t cell, enum two_colours how)
{
	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t c = 0; c < 3; c++)
			colour[i][c] = (uint8_t)mix(cell + 3 * i + c);
	for (uint32_t c = 0; c < 3 && how != TWO_RANDOM; c++) {
		uint8_t a = colour[0][c], b = colour[1][c];
		bool falls = (how == TWO_RG_SWAPPED && c == 1) || (how == TWO_RB_SWAPPED && c == 2);
		colour[falls][c] = a < b ? a : b;
		colour[!falls][c] = a < b ? b : a;
		if (how == TWO_RB_SWAPPED && c == 1)
			colour[1][c] = colour[0][c];
	}
}

void picture_two_colours(uint8_t *rgba, int side, uint32_t seed, enum two_colours how)
{
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++) {
			uint32_t cell = at_random((uint32_t)x / 4, (uint32_t)y / 4, seed);
			uint8_t colour[2][3];
			two_colours(colour, cell, how);
			uint32_t bit = mix(cell + 99) >> (y % 4 * 4 + x % 4) & 1;
			/* never one colour only */
			bit = x % 4 == 0 && y % 4 == 0 ? 0 : x % 4 == 3 && y % 4 == 3 ? 1 : bit;
			for (int c = 0; c < 3; c++)
				*rgba++ = colour[bit][c];
			*rgba++ = 255;
		}
	}
}

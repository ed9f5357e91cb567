/* Blocks of one and of two colours: few enough to be solved exactly, one at a time. */
#include "raster/dxt1_kernel.h"

/* For every byte v the pair (a, b) of 5 or 6 bit endpoints whose two thirds a and one third b, as
 * the decoder makes it, lies nearest to v; of equals the pair that lies closest together. */
/* clang-format off */
static const uint8_t match5[256][2] = {
	{0, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 1},
	{1, 1}, {1, 1}, {1, 2}, {1, 2}, {1, 2}, {2, 1}, {0, 5}, {2, 2},
	{2, 2}, {2, 2}, {2, 3}, {2, 3}, {2, 3}, {3, 2}, {2, 4}, {3, 3},
	{3, 3}, {4, 1}, {3, 4}, {3, 4}, {3, 4}, {4, 3}, {4, 3}, {4, 3},
	{3, 6}, {4, 4}, {4, 4}, {5, 3}, {4, 5}, {4, 5}, {5, 4}, {5, 4},
	{5, 5}, {5, 5}, {5, 5}, {7, 2}, {5, 6}, {5, 6}, {6, 5}, {4, 9},
	{6, 6}, {6, 6}, {6, 6}, {6, 7}, {6, 7}, {6, 7}, {7, 6}, {6, 8},
	{7, 7}, {7, 7}, {8, 5}, {7, 8}, {7, 8}, {7, 8}, {8, 7}, {8, 7},
	{8, 7}, {7, 10}, {8, 8}, {8, 8}, {9, 7}, {8, 9}, {8, 9}, {9, 8},
	{9, 8}, {9, 9}, {9, 9}, {9, 9}, {11, 6}, {9, 10}, {9, 10}, {10, 9},
	{8, 13}, {10, 10}, {10, 10}, {10, 10}, {10, 11}, {10, 11}, {10, 11}, {11, 10},
	{10, 12}, {11, 11}, {11, 11}, {12, 9}, {11, 12}, {11, 12}, {11, 12}, {12, 11},
	{12, 11}, {12, 11}, {11, 14}, {12, 12}, {12, 12}, {13, 11}, {12, 13}, {12, 13},
	{13, 12}, {13, 12}, {13, 13}, {13, 13}, {13, 13}, {15, 10}, {13, 14}, {13, 14},
	{14, 13}, {12, 17}, {14, 14}, {14, 14}, {14, 14}, {14, 15}, {14, 15}, {14, 15},
	{15, 14}, {14, 16}, {15, 15}, {15, 15}, {16, 13}, {15, 16}, {15, 16}, {15, 16},
	{16, 15}, {16, 15}, {16, 15}, {15, 18}, {16, 16}, {16, 16}, {17, 15}, {16, 17},
	{16, 17}, {17, 16}, {17, 16}, {17, 17}, {17, 17}, {17, 17}, {19, 14}, {17, 18},
	{17, 18}, {18, 17}, {16, 21}, {18, 18}, {18, 18}, {18, 18}, {18, 19}, {18, 19},
	{18, 19}, {19, 18}, {18, 20}, {19, 19}, {19, 19}, {20, 17}, {19, 20}, {19, 20},
	{19, 20}, {20, 19}, {20, 19}, {20, 19}, {19, 22}, {20, 20}, {20, 20}, {21, 19},
	{20, 21}, {20, 21}, {21, 20}, {21, 20}, {21, 21}, {21, 21}, {21, 21}, {23, 18},
	{21, 22}, {21, 22}, {22, 21}, {20, 25}, {22, 22}, {22, 22}, {22, 22}, {22, 23},
	{22, 23}, {22, 23}, {23, 22}, {22, 24}, {23, 23}, {23, 23}, {24, 21}, {23, 24},
	{23, 24}, {23, 24}, {24, 23}, {24, 23}, {24, 23}, {23, 26}, {24, 24}, {24, 24},
	{25, 23}, {24, 25}, {24, 25}, {25, 24}, {25, 24}, {25, 25}, {25, 25}, {25, 25},
	{27, 22}, {25, 26}, {25, 26}, {26, 25}, {24, 29}, {26, 26}, {26, 26}, {26, 26},
	{26, 27}, {26, 27}, {26, 27}, {27, 26}, {26, 28}, {27, 27}, {27, 27}, {28, 25},
	{27, 28}, {27, 28}, {27, 28}, {28, 27}, {28, 27}, {28, 27}, {27, 30}, {28, 28},
	{28, 28}, {29, 27}, {28, 29}, {28, 29}, {29, 28}, {29, 28}, {29, 29}, {29, 29},
	{29, 29}, {31, 26}, {29, 30}, {29, 30}, {30, 29}, {30, 29}, {30, 30}, {30, 30},
	{30, 30}, {30, 31}, {30, 31}, {30, 31}, {31, 30}, {31, 30}, {31, 31}, {31, 31}
};

static const uint8_t match6[256][2] = {
	{0, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {1, 2}, {2, 1},
	{2, 2}, {2, 3}, {2, 3}, {3, 2}, {3, 3}, {3, 4}, {3, 4}, {4, 3},
	{4, 4}, {4, 5}, {4, 5}, {5, 4}, {5, 5}, {5, 6}, {0, 16}, {6, 5},
	{6, 6}, {6, 7}, {1, 17}, {7, 6}, {7, 7}, {7, 8}, {3, 16}, {8, 7},
	{8, 8}, {8, 9}, {4, 17}, {9, 8}, {9, 9}, {9, 10}, {6, 16}, {10, 9},
	{10, 10}, {10, 11}, {7, 17}, {11, 10}, {11, 11}, {11, 12}, {9, 16}, {12, 11},
	{12, 12}, {12, 13}, {10, 17}, {13, 12}, {13, 13}, {13, 14}, {12, 16}, {14, 13},
	{14, 14}, {14, 15}, {13, 17}, {15, 14}, {15, 15}, {16, 13}, {15, 16}, {16, 15},
	{15, 18}, {16, 16}, {16, 17}, {18, 14}, {17, 16}, {17, 17}, {17, 18}, {19, 15},
	{18, 17}, {18, 18}, {18, 19}, {21, 14}, {19, 18}, {19, 19}, {19, 20}, {22, 15},
	{20, 19}, {20, 20}, {20, 21}, {24, 14}, {21, 20}, {21, 21}, {21, 22}, {25, 15},
	{22, 21}, {22, 22}, {22, 23}, {27, 14}, {23, 22}, {23, 23}, {23, 24}, {19, 32},
	{24, 23}, {24, 24}, {24, 25}, {20, 33}, {25, 24}, {25, 25}, {25, 26}, {22, 32},
	{26, 25}, {26, 26}, {26, 27}, {23, 33}, {27, 26}, {27, 27}, {27, 28}, {25, 32},
	{28, 27}, {28, 28}, {28, 29}, {26, 33}, {29, 28}, {29, 29}, {29, 30}, {28, 32},
	{30, 29}, {30, 30}, {30, 31}, {29, 33}, {31, 30}, {31, 31}, {32, 29}, {31, 32},
	{32, 31}, {31, 34}, {32, 32}, {32, 33}, {34, 30}, {33, 32}, {33, 33}, {33, 34},
	{35, 31}, {34, 33}, {34, 34}, {34, 35}, {37, 30}, {35, 34}, {35, 35}, {35, 36},
	{38, 31}, {36, 35}, {36, 36}, {36, 37}, {40, 30}, {37, 36}, {37, 37}, {37, 38},
	{41, 31}, {38, 37}, {38, 38}, {38, 39}, {43, 30}, {39, 38}, {39, 39}, {39, 40},
	{35, 48}, {40, 39}, {40, 40}, {40, 41}, {36, 49}, {41, 40}, {41, 41}, {41, 42},
	{38, 48}, {42, 41}, {42, 42}, {42, 43}, {39, 49}, {43, 42}, {43, 43}, {43, 44},
	{41, 48}, {44, 43}, {44, 44}, {44, 45}, {42, 49}, {45, 44}, {45, 45}, {45, 46},
	{44, 48}, {46, 45}, {46, 46}, {46, 47}, {45, 49}, {47, 46}, {47, 47}, {48, 45},
	{47, 48}, {48, 47}, {47, 50}, {48, 48}, {48, 49}, {50, 46}, {49, 48}, {49, 49},
	{49, 50}, {51, 47}, {50, 49}, {50, 50}, {50, 51}, {53, 46}, {51, 50}, {51, 51},
	{51, 52}, {54, 47}, {52, 51}, {52, 52}, {52, 53}, {56, 46}, {53, 52}, {53, 53},
	{53, 54}, {57, 47}, {54, 53}, {54, 54}, {54, 55}, {59, 46}, {55, 54}, {55, 55},
	{55, 56}, {60, 47}, {56, 55}, {56, 56}, {56, 57}, {62, 46}, {57, 56}, {57, 57},
	{57, 58}, {63, 47}, {58, 57}, {58, 58}, {58, 59}, {58, 59}, {59, 58}, {59, 59},
	{59, 60}, {59, 60}, {60, 59}, {60, 60}, {60, 61}, {60, 61}, {61, 60}, {61, 61},
	{61, 62}, {61, 62}, {62, 61}, {62, 62}, {62, 63}, {62, 63}, {63, 62}, {63, 63}
};
/* clang-format on */

static const int channel_bits[3] = {5, 6, 5};

static int widen(int i, int bits)
{
	return i << (8 - bits) | i >> (2 * bits - 8);
}

/* The colour q thirds of the way from a to b, as the decoder makes it. */
static int third(int a, int b, int q)
{
	return ((3 - q) * a + q * b + 1) / 3;
}

static int clamp(int v, int top)
{
	return v < 0 ? 0 : v > top ? top : v;
}

static uint8_t low_byte(unsigned v)
{
	return (uint8_t)(v & 255);
}

/* Write a block whose colours run from a to b in four steps, texel k at step q >> 2 * k & 3. */
static void put_block(uint8_t *out, const int a[3], const int b[3], uint32_t q)
{
	unsigned w0 = (unsigned)(a[0] << 11 | a[1] << 5 | a[2]);
	unsigned w1 = (unsigned)(b[0] << 11 | b[1] << 5 | b[2]);
	uint32_t high = q >> 1 & 0x55555555, low = q & 0x55555555;
	uint32_t code = (high ^ low) << 1 | high; /* steps 0 1 2 3 are called 0 2 3 1 */
	if (w0 < w1) {
		unsigned w = w0;
		w0 = w1;
		w1 = w;
		code ^= 0x55555555;
	} else if (w0 == w1) {
		code = 0;
	}
	out[0] = low_byte(w0);
	out[1] = low_byte(w0 >> 8);
	out[2] = low_byte(w1);
	out[3] = low_byte(w1 >> 8);
	for (int i = 0; i < 4; i++)
		out[4 + i] = low_byte(code >> 8 * i);
}

void mw__dxt1_flat(uint8_t *out, const uint8_t mean[3])
{
	int a[3], b[3];
	for (int c = 0; c < 3; c++) {
		const uint8_t *m = c == 1 ? match6[mean[c]] : match5[mean[c]];
		a[c] = m[0];
		b[c] = m[1];
	}
	put_block(out, a, b, 0x55555555);
}

/* Two colours of one channel, how many texels have each, and which step each is to use. */
struct pair {
	int colour[2], count[2], q[2];
};

static int pair_error(const struct pair *p, int a, int b)
{
	int d0 = third(a, b, p->q[0]) - p->colour[0];
	int d1 = third(a, b, p->q[1]) - p->colour[1];
	return p->count[0] * d0 * d0 + p->count[1] * d1 * d1;
}

/* The real b that serves p best beside a given a; which end is a, which b, is the caller's. */
static float best_beside(const struct pair *p, float a, const int qb[2])
{
	float num = 0, den = 0;
	for (int i = 0; i < 2; i++) {
		float n = (float)(p->count[i] * qb[i]);
		num += n * (3 * (float)p->colour[i] - (float)(3 - qb[i]) * a);
		den += n * (float)qb[i];
	}
	float b = den > 0 ? num / den : a;
	return b < 0 ? 0 : b > 255 ? 255 : b;
}

static float real_error(const struct pair *p, float a, float b)
{
	float sum = 0;
	for (int i = 0; i < 2; i++) {
		float d = a + (b - a) * (float)p->q[i] / 3 - (float)p->colour[i];
		sum += (float)p->count[i] * d * d;
	}
	return sum;
}

/* The real a in 0..255 that serves p best when b may be any in 0..255. [error: what is left] */
static float best_start(const struct pair *p, float *error)
{
	if (p->q[0] == p->q[1]) {
		float n = (float)(p->count[0] + p->count[1]);
		float mean = (float)(p->count[0] * p->colour[0] + p->count[1] * p->colour[1]) / n;
		*error = real_error(p, mean, mean);
		return mean;
	}
	float step = (float)(p->colour[1] - p->colour[0]) / (float)(p->q[1] - p->q[0]);
	float a = (float)p->colour[0] - (float)p->q[0] * step, b = a + 3 * step;
	*error = 0;
	if (a >= 0 && a <= 255 && b >= 0 && b <= 255)
		return a;
	/* the best lies on the rim: hold either end to the range, then the other follows */
	const int toward_a[2] = {3 - p->q[0], 3 - p->q[1]};
	float a0 = a < 0 ? 0 : a > 255 ? 255 : a;
	float e0 = real_error(p, a0, best_beside(p, a0, p->q));
	float b1 = b < 0 ? 0 : b > 255 ? 255 : b;
	float a1 = best_beside(p, b1, toward_a);
	float e1 = real_error(p, a1, b1);
	*error = e0 < e1 ? e0 : e1;
	return e0 < e1 ? a0 : a1;
}

/* The best endpoints of one channel for the steps of p; returns their error. */
static int solve_channel(const struct pair *p, float start, int bits, int *a_out, int *b_out)
{
	/* The best b for an a is (num - slope * a) / den. a itself is near start, but not always
	 * nearest: rounding b may be worth more. This window holds the best one (see the tests). */
	int top = (1 << bits) - 1, window = bits == 5 ? 4 : 8, best = INT32_MAX;
	int w0 = p->count[0] * p->q[0], w1 = p->count[1] * p->q[1];
	int den = w0 * p->q[0] + w1 * p->q[1];
	float scale = (float)top / 255, inv = den > 0 ? scale / (float)den : 0;
	float num = (float)(3 * (w0 * p->colour[0] + w1 * p->colour[1])) * inv;
	float slope = (float)(w0 * (3 - p->q[0]) + w1 * (3 - p->q[1])) * inv;
	int mid = (int)(start * scale + 0.5f);
	for (int a = clamp(mid - window, top); a <= clamp(mid + window, top); a++) {
		int wide = widen(a, bits);
		float real = num - slope * (float)wide;
		int b = real < 0 ? 0 : clamp((int)real, top - 1);
		for (int last = b + 1; b <= last; b++) {
			int e = pair_error(p, wide, widen(b, bits));
			if (e < best) {
				best = e;
				*a_out = a;
				*b_out = b;
			}
		}
	}
	return best;
}

static uint32_t colour_at(const uint8_t *block, size_t stride, int k)
{
	const uint8_t *t = block + (size_t)(k / 4) * stride + 4 * (size_t)(k % 4);
	return (uint32_t)t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16;
}

bool mw__dxt1_two(uint8_t *out, const uint8_t *block, size_t stride)
{
	uint32_t first = colour_at(block, stride, 0), second = first, mask = 0;
	int count = 0;
	for (int k = 1; k < 16; k++) {
		uint32_t colour = colour_at(block, stride, k);
		if (colour == first)
			continue;
		if (second != first && colour != second)
			return false;
		second = colour;
		mask |= 1U << 2 * k;
		count++;
	}
	if (count == 0)
		return false;

	/* every way to give two colours two of the four steps, mirror images left out */
	static const uint8_t ways[8][2] = {
		{0, 3}, {1, 2}, {0, 2}, {2, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}};
	int best = INT32_MAX, a[3] = {0}, b[3] = {0};
	uint32_t q = 0;
	for (int w = 0; w < 8; w++) {
		struct pair p[3];
		float start[3], bound = 0;
		for (int c = 0; c < 3; c++) {
			p[c] = (struct pair){
				{(int)(first >> 8 * c & 255), (int)(second >> 8 * c & 255)},
				{16 - count, count}, {ways[w][0], ways[w][1]}};
			float error;
			start[c] = best_start(&p[c], &error);
			bound += error;
		}
		/* rounding to thirds can only help by less than this */
		if (bound * 0.9f > (float)best + 16)
			continue;
		int sum = 0, aw[3], bw[3];
		for (int c = 0; c < 3 && sum < best; c++)
			sum += solve_channel(&p[c], start[c], channel_bits[c], &aw[c], &bw[c]);
		if (sum >= best)
			continue;
		best = sum;
		for (int c = 0; c < 3; c++) {
			a[c] = aw[c];
			b[c] = bw[c];
		}
		q = (0x55555555 - mask) * ways[w][0] + mask * ways[w][1];
	}
	put_block(out, a, b, q);
	return true;
}

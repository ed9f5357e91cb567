#include "peers.h"

#if __has_include(<libnoise/noise.h>)
#include <libnoise/noise.h>

template <class Module>
static void fill(Module &module, float *out, int side, double step)
{
	for (int j = 0; j < side; j++)
		for (int i = 0; i < side; i++)
			*out++ = static_cast<float>(module.GetValue(i * step, 0.5, j * step));
}

bool peer_libnoise_there(void)
{
	return true;
}

void peer_libnoise_fbm(float *out, int side, double step, double period, int octaves)
{
	noise::module::Perlin module;
	module.SetFrequency(1 / period);
	module.SetOctaveCount(octaves);
	fill(module, out, side, step);
}

void peer_libnoise_ridged(float *out, int side, double step, double period, int octaves)
{
	noise::module::RidgedMulti module;
	module.SetFrequency(1 / period);
	module.SetOctaveCount(octaves);
	fill(module, out, side, step);
}

void peer_libnoise_voronoi(float *out, int side, double step, double period, int octaves)
{
	noise::module::Voronoi module;
	(void)octaves;
	module.SetFrequency(1 / period);
	module.EnableDistance();
	module.SetDisplacement(0);
	fill(module, out, side, step);
}

#else

bool peer_libnoise_there(void)
{
	return false;
}

void peer_libnoise_fbm(float *, int, double, double, int)
{
}

void peer_libnoise_ridged(float *, int, double, double, int)
{
}

void peer_libnoise_voronoi(float *, int, double, double, int)
{
}
#endif

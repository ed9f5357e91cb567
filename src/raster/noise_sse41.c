#include "raster/noise_kern.h"

#include "raster/source_kern.h"

#include "raster/erode_internal.h"

#define MW__ERODE(name) name##_avx2
#include "raster/erode_kern.inc"

#include "raster/erode_internal.h"

#define MW__ERODE(name) name
#include "raster/erode_kern.inc"

/* Userdata that more than one binding handles: their types and what their payloads are. Each type
 * is defined once, by the binding named here; a zeroed payload is empty. */
#ifndef MW_BIND_TYPES_H
#define MW_BIND_TYPES_H

#include "bind/lx.h"
#include "raster/field.h"
#include "raster/image.h"

/* "mapwright.field": payload is a mw_field. */
extern const mw_lx_type mw_lx_field_type;

/* "mapwright.image", b_image.c: one of the two is in use, the other empty. */
typedef struct {
	mw_image colour;
	mw_grey grey;
} mw_lx_image;
extern const mw_lx_type mw_lx_image_type;

#endif

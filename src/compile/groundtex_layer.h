/* Composing one piece of the ground: what each worker does, apart from bands and tiles. */
#ifndef MW_COMPILE_GROUNDTEX_LAYER_H
#define MW_COMPILE_GROUNDTEX_LAYER_H

#include "compile/groundtex.h"

/* A texture made ready: planes of one repeat, or the picture itself where it is magnified much. */
typedef struct {
	uint32_t w, h;
	uint8_t *
		plane[4]; /* red, green, blue, brightness stretched to 0..255 [owned]; NULL: none */
	bool exact;       /* one plane sample a texel */
	double step_x, step_z; /* else: plane samples a texel */
	float mean[3];
} mw__texture;

typedef struct {
	mw__texture first, second;
} mw__layer_textures;

MW_NODISCARD mw_code mw__layer_prepare(mw_ctx *cx, mw__layer_textures *t,
	const mw_ground_layer *layer, uint32_t map_w, uint32_t map_h);
void mw__layer_free(mw_ctx *cx, mw__layer_textures *t);

/* A piece of the ground, w x h texels at (x, z): planes of w * h floats, 0..255. */
typedef struct {
	uint32_t x, z, w, h;
	float *r, *g, *b;
	float *mask, *tr, *tg, *tb, *tl; /* working planes */
	int32_t *column;                 /* w, working space */
} mw__piece;

/* Lay one layer over the piece. mask, tint_mask, shade: planes of the layer's roots or NULL. */
void mw__layer_apply(const mw__piece *p, const mw_ground_layer *layer, const mw__layer_textures *t,
	const float *mask, const float *tint_mask, const float *shade);

/* Multiply by light factors laid corner to corner over map_w x map_h texels. */
void mw__light_apply(const mw__piece *p, const mw_field *light, uint32_t map_w, uint32_t map_h);

#endif

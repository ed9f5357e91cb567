/* The ground texture: layers over a picture, composed, cut into tiles and encoded in bands, so that
 * the texture never sits in memory whole. One texel is one elmo; texel (0, 0) is north-west. */
#ifndef MW_COMPILE_GROUNDTEX_H
#define MW_COMPILE_GROUNDTEX_H

#include "compile/product.h"
#include "raster/field.h"
#include "raster/image.h"
#include "raster/source.h"
#include "raster/tile.h"

#define MW_GROUND_NONE (-1)
#define MW_GROUND_LAYERS_MAX 64
#define MW_GROUND_SIDE_MAX 32768u /* [unit: texel] 64 map units */

/* One layer over what lies beneath it. Roots are outputs of mw_ground.program, evaluated at texel
 * centres; MW_GROUND_NONE leaves the step out. */
typedef struct {
	const mw_image *image; /* NULL: the flat colour [borrowed] */
	float colour[3];       /* [range: 0..1] without an image */
	double scale; /* [unit: elmo] one repeat of the image along x; 0: stretched over the map */
	double second_scale; /* [unit: elmo] another repeat mixed in to hide the first; 0: none */
	int mask;            /* root: 0 shows nothing of the layer, 1 all; clamped, NaN is 0 */
	float opacity;       /* [range: 0..1] times the mask */
	float blend;   /* [range: 0..1] how far bright texels win over dark ones at soft edges */
	float tint[3]; /* times the colour [range: >= 0]; 1, 1, 1 for none */
	int tint_mask; /* root: where the tint shows, 0..1; none: everywhere */
	int shade;     /* root: times the colour, clamped to 0..4; NaN is 1 */
} mw_ground_layer;

/* How the minimap shows water: over ground at height h < 0 the colour goes from `shallow` to `deep`
 * and its share from `least` to `most`, half-way at depth `half`. */
typedef struct {
	float shallow[3], deep[3]; /* [range: 0..1] */
	float least, most;         /* [range: 0..1] */
	float half;                /* [unit: elmo] [range: > 0] */
} mw_ground_water;

typedef struct {
	uint32_t w, h;    /* [unit: texel] multiples of 32 */
	mw_rows *picture; /* w x h rows beneath all layers, or NULL; read to its end [borrowed] */
	float colour[3];  /* [range: 0..1] beneath all layers without a picture */
	const mw_ground_layer *layers; /* from the lowest up [borrowed] */
	size_t layer_count;
	const mw_program *program; /* NULL when no layer has a root */
	size_t roots;              /* outputs of program */
	const mw_field *light;     /* factors over the whole map, corner to corner; NULL: none
				      [range: no finer than texels] */
	const mw_field *heights; /* vertex heights over the whole map for the minimap's water; NULL:
				    none [unit: elmo] */
	mw_ground_water water;
	const mw_image *minimap; /* instead of the one made from the ground; any size; NULL: made */
	mw_dxt1_level level;
	bool share;         /* equal tiles become one record */
	uint32_t band_rows; /* [unit: tile] 0: chosen; the result is the same for any */
} mw_ground;

/* All fields as nothing set: grey, sharing, normal level, the usual water. */
void mw_ground_init(mw_ground *g, uint32_t w, uint32_t h);

/* Compose, encode and deduplicate on all threads of cx->pool. out must be empty; tile records go to
 * store. Peak memory does not depend on h but for the index and one hash slot a record.
 * MW_EINVALID, MW_ERANGE, MW_ENOMEM, and what picture or store report. [owned: caller] */
MW_NODISCARD mw_code mw_ground_compile(
	mw_ctx *cx, mw_ground_product *out, const mw_ground *g, mw_tile_store *store);

/* Light factors for mw_ground.light: 1 where the ground is flat, more where it faces the sun, less
 * where it turns away. out is made with the size of heights.
 * [step: elmo between samples, > 0] [sun: towards the sun, y up, need not be of length 1, y > 0]
 * [strength: 0 none .. 1 full Lambert] [owned: caller] */
MW_NODISCARD mw_code mw_ground_light(mw_ctx *cx, mw_field *out, const mw_field *heights,
	double step, const double sun[3], double strength);

/* The 9 levels of a minimap from a picture of any size (resampled to 1024 x 1024).
 * [out: MW_MINIMAP_BYTES] */
MW_NODISCARD mw_code mw_ground_minimap(
	mw_ctx *cx, uint8_t *out, const mw_image *img, mw_dxt1_level level);

/* How many records go into each of `files` tile files: as even as can be, the first ones larger.
 * [counts: out, files entries] [range: files >= 1, <= tile_count unless tile_count is 0] */
void mw_ground_split(uint32_t *counts, uint32_t files, uint32_t tile_count);

#endif

/* Whether a level is closed: can what starts at an entity get outside of all brushes? */
#ifndef MW_COMPILE_LEAK_H
#define MW_COMPILE_LEAK_H

#include "scene/scene.h"

typedef enum {
	MW_LEAK_UNASKED,  /* worldspawn, and what owns brushes or meshes: it stands nowhere */
	MW_LEAK_IN_SOLID, /* no empty space touches its origin: it does not count */
	MW_LEAK_SEALED,
	MW_LEAK_LEAKS
} mw_leak_state;

/* Zeroed is valid for mw_leak_free. */
typedef struct {
	MW_ARRAY(uint8_t) state; /* mw_leak_state of each entity of the scene */
	uint32_t sealing;        /* brushes that close space */
	uint32_t entity;         /* the first that leaks; MW_TAG_NONE: none does */
	/* From its origin through the gates between free cells, as few as there are, to the outside
	 * of the box of all brushes that close space. [unit: scene unit] */
	MW_ARRAY(mw_vec3) line;
} mw_leak;

/* What closes space: brushes of the world that are solid or sky, closed themselves and no detail.
 * Water, clips, triggers, meshes and the brushes of entities do not. gap: where brushes are nearer
 * to one another than this the space between them counts as closed [unit: scene unit]
 * [range: >= 0]; 0 is exact: a gap of any width leaks, and none is where brushes touch. Rounded
 * planes of turned brushes leave gaps of 1e-13 to 1e-3. May add planes to the scene's table;
 * MW_ELIMIT as mw_voids_build. *out is to be zeroed. */
MW_NODISCARD mw_code mw_leak_find(mw_ctx *cx, mw_scene *s, double gap, mw_leak *out);
void mw_leak_free(mw_ctx *cx, mw_leak *l);

#endif

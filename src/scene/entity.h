/* Entities: a class, ordered keys, wires; and the one table that says what our neutral classes are
 * called in each family of formats.
 *
 * Neutral words (those of .hmap): classes player_start, player_deathmatch, player_coop, teleport,
 * light, light_spot, light_sun, door, platform, trigger, teleport_trigger; keys of lights color
 * ("r g b", 0..1), intensity (1 is plain), radius [unit: scene unit], outer and inner [unit:
 * degree, half the cone]. All other classes and keys are the engine's and pass through untouched.
 * Where an entity stands and looks is in its fields, never in its keys. */
#ifndef MW_SCENE_ENTITY_H
#define MW_SCENE_ENTITY_H

#include "base/mem.h"
#include "base/str.h"
#include "geom/vec.h"

/* Strings are NUL-terminated and live as long as the scene (or model) that they belong to. */
typedef struct {
	const char *key, *value;
} mw_pair;

/* In order, repeats kept. */
typedef MW_ARRAY(mw_pair) mw_pairs;

typedef struct {
	uint32_t id; /* unique over brushes, meshes and entities [range: >= 1] 0: not given yet */
	uint32_t flags; /* the format's word; kept */
	const char *classname;
	mw_vec3 origin; /* [unit: scene unit] */
	mw_vec3 angles; /* pitch, yaw, roll [unit: degree]: R = Ry(yaw) Rx(pitch) Rz(roll), -Z ahead
			 */
	mw_vec3 scale;
	mw_pairs keys;
	uint32_t group; /* index in mw_scene.group + 1; 0: none */
	const char *at; /* who made it: "build.lua:12", "x.map:7"; may be NULL */
} mw_entity;

void mw_pairs_free(mw_ctx *cx, mw_pairs *p);
/* Append; the strings are kept as they are. */
MW_NODISCARD mw_code mw_pairs_add(mw_ctx *cx, mw_pairs *p, const char *key, const char *value);
/* Value of the last pair of that key (what engines take), or NULL. Case counts. */
const char *mw_pairs_get(const mw_pairs *p, const char *key);
/* Numbers of a value, as many as there are up to n. Returns how many; 0 for a value that is none.
 */
int mw_pairs_numbers(const char *value, double *out, int n);

/* ---- classes and keys of the families -------------------------------------------------------- */

typedef enum {
	MW_FAMILY_NEUTRAL, /* .hmap, and scenes */
	MW_FAMILY_QUAKE,   /* .map */
	MW_FAMILY_HAMMERFORGE
} mw_family;

/* The class of another family in ours, and ours in another; the same string when the table does not
 * know it. [static or borrowed] */
const char *mw_class_to_neutral(mw_family from, const char *classname);
const char *mw_class_from_neutral(mw_family to, const char *classname);

/* Turn class and keys of an entity (fields and other keys stay) into ours or from ours. New strings
 * come from arena; keys->v is replaced. Lights of Quake: light is 300 x intensity, _color, _radius;
 * a cone is angle (whole) and _softangle, a sun has _sun 1. */
MW_NODISCARD mw_code mw_entity_to_neutral(
	mw_ctx *cx, mw_arena *arena, mw_family from, mw_entity *e);
MW_NODISCARD mw_code mw_entity_from_neutral(
	mw_ctx *cx, mw_arena *arena, mw_family to, mw_entity *e);

/* ---- wires ----------------------------------------------------------------------------------- */

/* One output joined to one input. Stored as a pair: key = output, value =
 * "target,input,parameter,delay,once". */
typedef struct {
	mw_sv output, target, input, parameter;
	double delay; /* [unit: second] */
	bool once;
} mw_wire;

/* Whether a pair is a wire: exactly five fields, a delay that is a number, target and input not
 * blank, and the key not classname, origin or targetname. out may be NULL. [out: borrows p] */
bool mw_wire_parse(const mw_pair *p, mw_wire *out);
/* The value of a wire's pair, made in arena; commas within fields become spaces, the delay has at
 * least one decimal. NULL when out of memory. */
const char *mw_wire_text(mw_arena *arena, const mw_wire *w);

#endif

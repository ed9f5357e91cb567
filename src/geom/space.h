/* Coordinate systems as data, and turns that are the same on every machine. */
#ifndef MW_GEOM_SPACE_H
#define MW_GEOM_SPACE_H

#include "geom/vec.h"

/* Cosine and sine of an angle in degrees from + - * alone: no libm, the same bits everywhere;
 * within 2 units in the last place, exact for multiples of 90. 1, 0 for what is not finite. */
void mw_sincos(double degrees, double *c, double *s);

/* Angle of (x, y) in degrees [range: -180..180]; multiples of 45 come out exact. 0 for (0, 0). */
double mw_angle_of(double x, double y);

/* Rotation in our space: R = Ry(yaw) Rx(pitch) Rz(roll), degrees; -Z is forward at zero, yaw turns
 * towards -X, pitch looks up. */
mw_mat mw_mat_turn(double pitch, double yaw, double roll);
/* About a unit axis by the right-hand rule. */
mw_mat mw_mat_axis_turn(mw_vec3 axis, double degrees);

/* A format's axes in terms of ours (Y up, right-handed, X east, Z south). */
typedef struct {
	const char *name;
	int8_t axis[3]; /* our axis (0 x, 1 y, 2 z) that its x, y, z is ... */
	int8_t sign[3]; /* ... and which way */
	bool mirrored;  /* left-handed: windings turn round */
} mw_space;

extern const mw_space mw_space_own;
extern const mw_space mw_space_quake; /* Z up: theirs (x, y, z) is ours (x, -z, y) */

mw_vec3 mw_space_to_own(const mw_space *s, mw_vec3 p);
mw_vec3 mw_space_from_own(const mw_space *s, mw_vec3 p);

#endif

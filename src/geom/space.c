#include "geom/space.h"

const mw_space mw_space_own = {"own", {0, 1, 2}, {1, 1, 1}, false};
const mw_space mw_space_quake = {"quake", {0, 2, 1}, {1, -1, 1}, false};

mw_vec3 mw_space_to_own(const mw_space *s, mw_vec3 p)
{
	mw_vec3 r = mw_v3(0, 0, 0);
	for (int i = 0; i < 3; i++)
		r.v[s->axis[i]] = s->sign[i] < 0 ? 0 - p.v[i] : p.v[i];
	return r;
}

mw_vec3 mw_space_from_own(const mw_space *s, mw_vec3 p)
{
	mw_vec3 r;
	for (int i = 0; i < 3; i++)
		r.v[i] = s->sign[i] < 0 ? 0 - p.v[s->axis[i]] : p.v[s->axis[i]];
	return r;
}

/* Taylor series for |x| <= pi / 4: the next terms are below 2^-57. */
static double sin_small(double x)
{
	double y = x * x;
	double s = -1.0 / 1307674368000.0;
	s = s * y + 1.0 / 6227020800.0;
	s = s * y - 1.0 / 39916800.0;
	s = s * y + 1.0 / 362880.0;
	s = s * y - 1.0 / 5040.0;
	s = s * y + 1.0 / 120.0;
	s = s * y - 1.0 / 6.0;
	return x + x * y * s;
}

static double cos_small(double x)
{
	double y = x * x;
	double s = 1.0 / 20922789888000.0;
	s = s * y - 1.0 / 87178291200.0;
	s = s * y + 1.0 / 479001600.0;
	s = s * y - 1.0 / 3628800.0;
	s = s * y + 1.0 / 40320.0;
	s = s * y - 1.0 / 720.0;
	s = s * y + 1.0 / 24.0;
	return 1 - (y / 2 - y * y * s);
}

#define RADIANS 0.017453292519943295769

void mw_sincos(double degrees, double *c, double *s)
{
	*c = 1;
	*s = 0;
	if (!isfinite(degrees))
		return;
	double a = fmod(degrees, 360); /* exact */
	if (a < 0)
		a += 360;
	int quarter = (int)((a + 45) / 90);
	double x = (a - quarter * 90) * RADIANS;
	double cs = cos_small(x), sn = sin_small(x);
	switch (quarter & 3) {
	case 0:
		*c = cs;
		*s = sn;
		break;
	case 1:
		*c = 0 - sn;
		*s = cs;
		break;
	case 2:
		*c = 0 - cs;
		*s = 0 - sn;
		break;
	default:
		*c = sn;
		*s = 0 - cs;
	}
}

double mw_angle_of(double x, double y)
{
	if (x == 0 && y == 0)
		return 0;
	if (y == 0)
		return x > 0 ? 0 : 180;
	if (x == 0)
		return y > 0 ? 90 : -90;
	if (fabs(x) == fabs(y))
		return (x > 0 ? 45 : 135) * (y > 0 ? 1 : -1);
	/* Newton from libm's answer with our own sine: rounds its last places to ours. */
	double a = atan2(y, x) / RADIANS, len = sqrt(x * x + y * y), c, s;
	for (int i = 0; i < 2; i++) {
		mw_sincos(a, &c, &s);
		a += (c * (y / len) - s * (x / len)) / RADIANS;
	}
	double near = rint(a);
	return fabs(a - near) < 1e-12 ? near : a;
}

mw_mat mw_mat_axis_turn(mw_vec3 u, double degrees)
{
	double c, s;
	mw_sincos(degrees, &c, &s);
	double k = 1 - c;
	mw_mat r = {{{c + u.x * u.x * k, u.x * u.y * k - u.z * s, u.x * u.z * k + u.y * s, 0},
		{u.y * u.x * k + u.z * s, c + u.y * u.y * k, u.y * u.z * k - u.x * s, 0},
		{u.z * u.x * k - u.y * s, u.z * u.y * k + u.x * s, c + u.z * u.z * k, 0}}};
	return r;
}

mw_mat mw_mat_turn(double pitch, double yaw, double roll)
{
	mw_mat y = mw_mat_axis_turn(mw_v3(0, 1, 0), yaw),
	       x = mw_mat_axis_turn(mw_v3(1, 0, 0), pitch);
	mw_mat z = mw_mat_axis_turn(mw_v3(0, 0, 1), roll), xz = mw_mat_mul(&x, &z);
	return mw_mat_mul(&y, &xz);
}

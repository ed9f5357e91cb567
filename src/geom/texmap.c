#include "geom/texmap.h"

#include "geom/space.h"

static double scale_of(double s)
{
	return s != 0 && isfinite(s) ? s : 1;
}

static mw_texmap scaled(mw_vec3 u, mw_vec3 v, const mw_texset *s)
{
	mw_texmap m = {mw_scale3(u, 1 / scale_of(s->scale[0])),
		mw_scale3(v, 1 / scale_of(s->scale[1])), s->offset[0], s->offset[1]};
	return m;
}

/* ---- Quake ----------------------------------------------------------------------------------- */

static int quake_group(mw_vec3 n)
{
	double part[6] = {n.z, -n.z, n.x, -n.x, n.y, -n.y};
	int best = 0;
	for (int i = 1; i < 6; i++)
		if (part[i] > part[best])
			best = i;
	return best / 2;
}

void mw_texmap_quake_axes(mw_vec3 normal, mw_vec3 *u, mw_vec3 *v)
{
	int g = quake_group(normal);
	*u = g == 1 ? mw_v3(0, 1, 0) : mw_v3(1, 0, 0);
	*v = g == 0 ? mw_v3(0, -1, 0) : mw_v3(0, 0, -1);
}

mw_texmap mw_texmap_classic(mw_vec3 normal, const mw_texset *s)
{
	mw_vec3 u, v;
	mw_texmap_quake_axes(normal, &u, &v);
	int su = u.x != 0 ? 0 : 1, tv = v.y != 0 ? 1 : 2;
	double c, sn;
	mw_sincos(s->rotation, &c, &sn);
	mw_vec3 *axis[2] = {&u, &v};
	for (int i = 0; i < 2; i++) {
		double a = axis[i]->v[su], b = axis[i]->v[tv];
		axis[i]->v[su] = c * a - sn * b;
		axis[i]->v[tv] = sn * a + c * b;
	}
	return scaled(u, v, s);
}

mw_texmap mw_texmap_valve(mw_vec3 u, double u0, mw_vec3 v, double v0, const double scale[2])
{
	mw_texset s = {{u0, v0}, {scale[0], scale[1]}, 0};
	return scaled(u, v, &s);
}

/* ---- box and face ---------------------------------------------------------------------------- */

void mw_texmap_box_axes(mw_vec3 n, mw_vec3 *u, mw_vec3 *v)
{
	double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
	if (y >= x && y >= z) {
		*u = mw_v3(1, 0, 0);
		*v = mw_v3(0, 0, 1);
	} else if (x >= z) {
		*u = mw_v3(0, 0, -1);
		*v = mw_v3(0, -1, 0);
	} else {
		*u = mw_v3(1, 0, 0);
		*v = mw_v3(0, -1, 0);
	}
}

static void turn_axes(mw_vec3 *u, mw_vec3 *v, double degrees)
{
	double c, s;
	mw_sincos(degrees, &c, &s);
	mw_vec3 a = mw_along3(mw_scale3(*u, c), *v, -s);
	*v = mw_along3(mw_scale3(*u, s), *v, c);
	*u = a;
}

mw_texmap mw_texmap_box(mw_vec3 normal, const mw_texset *s)
{
	mw_vec3 u, v;
	mw_texmap_box_axes(normal, &u, &v);
	turn_axes(&u, &v, s->rotation);
	return scaled(u, v, s);
}

mw_texmap mw_texmap_face(mw_vec3 normal, mw_vec3 origin, const mw_texset *s)
{
	mw_vec3 n = mw_unit3(normal), u, v;
	mw_vec3 level = mw_cross3(mw_v3(0, 1, 0), n);
	if (mw_len3(level) < 1e-6) {
		mw_texmap_box_axes(n, &u, &v);
	} else {
		u = mw_unit3(level);
		v = mw_cross3(u, n);
	}
	turn_axes(&u, &v, s->rotation);
	mw_texmap m = scaled(u, v, s);
	m.u0 -= mw_dot3(m.u, origin);
	m.v0 -= mw_dot3(m.v, origin);
	return m;
}

bool mw_texmap_fit(const mw_vec3 p[3], const mw_vec2 uv[3], mw_texmap *out)
{
	mw_vec3 a = mw_sub3(p[1], p[0]), b = mw_sub3(p[2], p[0]), n = mw_cross3(a, b);
	double nn = mw_dot3(n, n);
	if (!(nn > 0) || !isfinite(1 / nn))
		return false;
	/* dual basis within the plane */
	mw_vec3 da = mw_scale3(mw_cross3(b, n), 1 / nn), db = mw_scale3(mw_cross3(n, a), 1 / nn);
	out->u = mw_along3(mw_scale3(da, uv[1].x - uv[0].x), db, uv[2].x - uv[0].x);
	out->v = mw_along3(mw_scale3(da, uv[1].y - uv[0].y), db, uv[2].y - uv[0].y);
	out->u0 = uv[0].x - mw_dot3(out->u, p[0]);
	out->v0 = uv[0].y - mw_dot3(out->v, p[0]);
	return true;
}

bool mw_texmap_transform(const mw_texmap *t, const mw_mat *m, mw_texmap *out)
{
	mw_mat inv;
	if (!mw_mat_invert(m, &inv))
		return false;
	mw_vec3 in[2] = {t->u, t->v}, res[2];
	double off[2] = {t->u0, t->v0};
	mw_vec3 move = mw_v3(inv.m[0][3], inv.m[1][3], inv.m[2][3]);
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 3; k++)
			res[i].v[k] = in[i].x * inv.m[0][k] + in[i].y * inv.m[1][k] +
				in[i].z * inv.m[2][k];
		off[i] += mw_dot3(in[i], move);
	}
	*out = (mw_texmap){res[0], res[1], off[0], off[1]};
	return true;
}

bool mw_texmap_is_valid(const mw_texmap *t, mw_vec3 normal)
{
	mw_vec3 x = mw_cross3(mw_unit3(t->u), mw_unit3(t->v));
	if (!mw_finite3(x) || mw_len3(x) < 1e-4)
		return false;
	return fabs(mw_dot3(mw_unit3(x), mw_unit3(normal))) >= 1e-4;
}

/* ---- the way back ---------------------------------------------------------------------------- */

/* The same map on the plane, without any change along axis k (on which n has a part). */
static mw_texmap flatten(const mw_texmap *t, mw_vec3 n, double d, int k)
{
	mw_texmap m = *t;
	double a = t->u.v[k] / n.v[k], b = t->v.v[k] / n.v[k];
	m.u = mw_along3(t->u, n, -a);
	m.v = mw_along3(t->v, n, -b);
	m.u.v[k] = m.v.v[k] = 0;
	m.u0 += a * d;
	m.v0 += b * d;
	return m;
}

static int axis_across(mw_vec3 u, mw_vec3 v)
{
	for (int k = 0; k < 3; k++)
		if (u.v[k] == 0 && v.v[k] == 0)
			return k;
	return 0;
}

/* With e, f the base axes and the turn a at zero scale: u = (c e + s f) / su, v = g (-s e + c f) /
 * sv. g is 1 or -1, sense the sign of s. */
static bool solve(
	const mw_texmap *m, mw_vec3 e, mw_vec3 f, double sense, double tolerance, mw_texset *out)
{
	double ue = mw_dot3(m->u, e), uf = sense * mw_dot3(m->u, f);
	double ve = sense * mw_dot3(m->v, e), vf = mw_dot3(m->v, f);
	double ul = sqrt(ue * ue + uf * uf), vl = sqrt(ve * ve + vf * vf);
	*out = (mw_texset){{m->u0, m->v0}, {1, 1}, 0};
	if (!(ul > 0) || !(vl > 0))
		return false;
	out->rotation = mw_angle_of(ue, uf);
	out->scale[0] = 1 / ul;
	/* v along (-s, c) */
	double along = (-uf * ve + ue * vf) / ul;
	out->scale[1] = 1 / (along < 0 ? -vl : vl);
	return fabs(ue * ve + uf * vf) <= tolerance * ul * vl;
}

bool mw_texmap_to_classic(const mw_texmap *t, mw_vec3 n, double d, double tolerance, mw_texset *out)
{
	mw_vec3 u, v;
	mw_texmap_quake_axes(n, &u, &v);
	mw_texmap m = flatten(t, n, d, axis_across(u, v));
	/* Quake's u is +axis and its v is -axis, both turned from +u axis towards +v axis */
	bool ok = solve(&m, u, mw_scale3(v, -1), 1, tolerance, out);
	out->scale[1] = -out->scale[1];
	return ok;
}

bool mw_texmap_to_box(const mw_texmap *t, mw_vec3 n, double d, double tolerance, mw_texset *out)
{
	mw_vec3 u, v;
	mw_texmap_box_axes(n, &u, &v);
	mw_texmap m = flatten(t, n, d, axis_across(u, v));
	return solve(&m, u, v, -1, tolerance, out);
}

void mw_texmap_to_valve(const mw_texmap *t, mw_vec3 *u, mw_vec3 *v, mw_texset *out)
{
	double ul = mw_len3(t->u), vl = mw_len3(t->v);
	*out = (mw_texset){{t->u0, t->v0}, {ul > 0 ? 1 / ul : 1, vl > 0 ? 1 / vl : 1}, 0};
	*u = mw_unit3(t->u);
	*v = mw_unit3(t->v);
}

/* Lights from entities, and what they give a point. */
#include "compile/level.h"

#include "geom/space.h"

#include <float.h>
#include <string.h>

mw_vec3 mw_entity_forward(const mw_entity *e)
{
	mw_mat m = mw_mat_turn(e->angles.x, e->angles.y, e->angles.z);
	return mw_mat_dir(&m, mw_v3(0, 0, -1));
}

static const struct {
	const char *name;
	mw_light_kind kind;
} classes[] = {
	{"light", MW_LIGHT_POINT},
	{"light_point", MW_LIGHT_POINT},
	{"light_omni", MW_LIGHT_POINT},
	{"light_spot", MW_LIGHT_SPOT},
	{"light_sun", MW_LIGHT_SUN},
	{"light_directional", MW_LIGHT_SUN},
	{"light_environment", MW_LIGHT_SUN},
};

/* First key of a NULL-ended list that has a value. */
static const char *first_of(const mw_entity *e, const char *const *keys, size_t *which)
{
	for (size_t i = 0; keys[i]; i++) {
		const char *v = mw_pairs_get(&e->keys, keys[i]);
		if (v) {
			*which = i;
			return v;
		}
	}
	return NULL;
}

/* As mw_pairs_numbers, all or none; what float32 cannot hold is no number of a lamp. */
static bool numbers(const char *text, double *out, int n)
{
	if (mw_pairs_numbers(text, out, n) != n)
		return false;
	for (int i = 0; i < n; i++)
		if (!(fabs(out[i]) <= (double)FLT_MAX))
			return false;
	return true;
}

static double number_of(const mw_entity *e, const char *const *keys, double absent)
{
	size_t which;
	double v;
	const char *text = first_of(e, keys, &which);
	return text && numbers(text, &v, 1) ? v : absent;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9'    ? c - '0'
		: c >= 'a' && c <= 'f' ? c - 'a' + 10
		: c >= 'A' && c <= 'F' ? c - 'A' + 10
				       : -1;
}

/* "r g b" in 0..1 or 0..255, or "#rrggbb". White when it is none. */
static void color_of(const mw_entity *e, float out[3])
{
	static const char *const keys[] = {"color", "_color", "light_color", NULL};
	size_t which;
	double v[3];
	const char *text = first_of(e, keys, &which);
	out[0] = out[1] = out[2] = 1;
	if (!text)
		return;
	if (text[0] == '#') {
		int byte[3];
		for (int i = 0; i < 3; i++) {
			int hi = text[1 + 2 * i] ? hex_digit(text[1 + 2 * i]) : -1;
			int lo = hi >= 0 ? hex_digit(text[2 + 2 * i]) : -1;
			if (lo < 0)
				return;
			byte[i] = hi * 16 + lo;
		}
		for (int i = 0; i < 3; i++)
			out[i] = (float)(byte[i] / 255.0);
		return;
	}
	if (!numbers(text, v, 3))
		return;
	double scale = v[0] > 1 || v[1] > 1 || v[2] > 1 ? 255 : 1;
	for (int i = 0; i < 3; i++)
		out[i] = (float)(v[i] / scale);
}

static float intensity_of(const mw_entity *e)
{
	static const char *const keys[] = {"intensity", "energy", "light", NULL};
	size_t which;
	double v;
	const char *text = first_of(e, keys, &which);
	if (!text || !numbers(text, &v, 1))
		return 1;
	return (float)(which == 2 ? v / 300 : v);
}

mw_code mw_level_lights(mw_ctx *cx, mw_level *out, const mw_scene *s)
{
	static const char *const radius[] = {"radius", "range", "omni_range", "spot_range", NULL};
	static const char *const outer[] = {"outer", "angle", "spot_angle", NULL};
	static const char *const inner[] = {"inner", NULL};
	for (size_t i = 0; i < s->entity.n; i++) {
		const mw_entity *e = &s->entity.v[i];
		for (size_t k = 0; k < MW_COUNTOF(classes); k++) {
			if (strcmp(classes[k].name, e->classname) != 0)
				continue;
			mw_level_light l = {.kind = (uint8_t)classes[k].kind, .entity = e->id};
			mw_vec3 dir = mw_entity_forward(e);
			double cone = number_of(e, outer, 45);
			for (int a = 0; a < 3; a++) {
				l.pos[a] = (float)mw_single(e->origin.v[a]);
				l.dir[a] = (float)mw_single(dir.v[a]);
			}
			color_of(e, l.color);
			l.intensity = intensity_of(e);
			l.radius = (float)mw_single(number_of(e, radius, 10 * s->units_per_metre));
			l.outer = (float)cone;
			l.inner = (float)number_of(e, inner, 0.8 * cone);
			if (!MW_PUSH(cx, &out->light, l))
				return MW_ENOMEM;
			break;
		}
	}
	return MW_OK;
}

static double cone_part(const mw_level_light *l, double cosine)
{
	double cos_in, cos_out, unused;
	mw_sincos((double)l->inner, &cos_in, &unused);
	mw_sincos((double)l->outer, &cos_out, &unused);
	if (cosine >= cos_in)
		return 1;
	if (cosine <= cos_out)
		return 0;
	double t = (cosine - cos_out) / (cos_in - cos_out);
	return t * t * (3 - 2 * t);
}

void mw_light_at(
	const mw_level_light *l, const double pos[3], const double normal[3], double color[3])
{
	mw_vec3 n = mw_v3(normal[0], normal[1], normal[2]), to;
	mw_vec3 dir = mw_v3((double)l->dir[0], (double)l->dir[1], (double)l->dir[2]);
	double part = (double)l->intensity;
	if (l->kind == MW_LIGHT_SUN) {
		to = mw_unit3(mw_scale3(dir, -1));
	} else {
		to = mw_sub3(mw_v3((double)l->pos[0], (double)l->pos[1], (double)l->pos[2]),
			mw_v3(pos[0], pos[1], pos[2]));
		double r = (double)l->radius, d2 = mw_dot3(to, to);
		if (!(d2 < r * r))
			return;
		double fade = 1 - d2 / (r * r);
		part *= fade * fade;
		to = mw_unit3(to);
		if (l->kind == MW_LIGHT_SPOT)
			part *= cone_part(l, -mw_dot3(to, mw_unit3(dir)));
	}
	double facing = mw_dot3(n, to);
	if (!(facing > 0) || !(part > 0))
		return;
	for (int i = 0; i < 3; i++)
		color[i] += (double)l->color[i] * part * facing;
}

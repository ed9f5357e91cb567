/* What words of .map files mean: angles of entities, names of textures; and the way between the
 * file's space and ours. */
#include "format/qmap/qmap_internal.h"

#include <string.h>

/* ---- space ----------------------------------------------------------------------------------- */

/* 0 rather than -0: signs of nothing are written nowhere. */
static mw_vec3 turned(double x, double y, double z)
{
	return mw_v3(x + 0.0, y + 0.0, z + 0.0);
}

mw_vec3 mw__qmap_turn_in(const mw__qmap_way *w, mw_vec3 p)
{
	return w->own ? p : turned(p.x, p.z, 0 - p.y);
}

mw_vec3 mw__qmap_turn_out(const mw__qmap_way *w, mw_vec3 p)
{
	return w->own ? p : turned(p.x, 0 - p.z, p.y);
}

double mw__qmap_tidy(double v)
{
	char text[MW_NUM_TEXT];
	double r;

	if (!mw_format(text, sizeof text, "%.12g", v) || !mw_num_parse(mw_sv_of(text), &r))
		return v;
	return fabs(r - v) <= 4e-13 * fabs(v) ? r : fabs(v) < 1e-12 ? 0 : v;
}

/* ---- angles ---------------------------------------------------------------------------------- */

static bool is_light(const mw_entity *e)
{
	return strncmp(e->classname, "light", 5) == 0;
}

bool mw__qmap_is_angle_key(const mw_entity *e, const char *key)
{
	if (is_light(e))
		return strcmp(key, "mangle") == 0;
	return strcmp(key, "angle") == 0 || strcmp(key, "angles") == 0 ||
		strcmp(key, "mangle") == 0;
}

/* Theirs: yaw 0 is east and turns to north, pitch looks down, roll leans right. Lights have yaw
 * first and a pitch that looks up. */
mw_vec3 mw__qmap_angles(const mw_entity *e, bool brushes)
{
	const char *three = mw_pairs_get(&e->keys, "mangle"), *one = NULL;
	double v[3];

	if (is_light(e)) {
		if (three && mw_pairs_numbers(three, v, 3) == 3)
			return mw_v3(v[1], v[0] - 90, 0 - v[2]);
		return mw_v3(0, 0, 0);
	}
	if (!three)
		three = mw_pairs_get(&e->keys, "angles");
	if (three && mw_pairs_numbers(three, v, 3) == 3)
		return mw_v3(0 - v[0], v[1] - 90, 0 - v[2]);
	one = mw_pairs_get(&e->keys, "angle");
	if (one && mw_pairs_numbers(one, v, 1) == 1) {
		if (v[0] == -1 || v[0] == -2)
			return mw_v3(v[0] == -1 ? 90 : -90, 0, 0);
		return mw_v3(0, v[0] - 90, 0);
	}
	return mw_v3(0, brushes ? 0 : -90, 0);
}

/* ---- textures -------------------------------------------------------------------------------- */

static bool one_of(mw_sv name, const char *const *list)
{
	for (; *list; list++)
		if (mw_sv_eq_nocase(name, mw_sv_of(*list)))
			return true;
	return false;
}

/* The last part of a path. */
static mw_sv base_name(mw_sv s)
{
	for (size_t i = s.n; i-- > 0;)
		if (s.p[i] == '/' || s.p[i] == '\\')
			return (mw_sv){s.p + i + 1, s.n - i - 1};
	return s;
}

static bool begins(mw_sv s, const char *with)
{
	size_t n = strlen(with);

	return s.n >= n && mw_sv_eq_nocase((mw_sv){s.p, n}, mw_sv_of(with));
}

bool mw__qmap_hidden_name(mw_sv texture)
{
	static const char *const names[] = {"skip", "nodraw", "null", "common/nodraw",
		"common/caulk", "textures/common/nodraw", "textures/common/caulk",
		"tools/toolsnodraw", NULL};

	return one_of(texture, names);
}

bool mw__qmap_clip_name(mw_sv texture)
{
	static const char *const names[] = {"clip", "playerclip", "clipplayer", "toolsclip",
		"toolsplayerclip", "weapclip", "fullclip", NULL};

	return one_of(base_name(texture), names);
}

uint32_t mw__qmap_contents_of(mw_sv texture)
{
	mw_sv name = base_name(texture);

	if (name.n && (name.p[0] == '*' || (name.p[0] == '!' && name.n > 1)))
		return 2;
	if (begins(name, "water") || begins(name, "lava") || begins(name, "slime"))
		return 2;
	if (begins(name, "sky"))
		return 16;
	if (mw__qmap_clip_name(texture))
		return 4;
	if (begins(name, "trigger") || begins(name, "toolstrigger") || begins(name, "aaatrigger"))
		return 8;
	return 1;
}

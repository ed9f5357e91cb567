/* From a scene to a level text. */
#include "format/qmap/qmap_internal.h"

#include <string.h>

typedef struct {
	mw_ctx *cx;
	mw_qmap *out;
	mw_scene *s;
	mw_losses *losses;
	mw__qmap_way way;
	mw_arena scratch;
	uint32_t inexact; /* faces whose plane no three points have */
	uint32_t open;    /* brushes that do not close */
	uint32_t *next;   /* of each brush: index + 1 of the next one in the same block */
	uint32_t *of_owner, *of_group; /* index + 1 of the first brush; [0] of_owner: the world's */
	uint32_t *group_id;
} writer;

/* ---- pairs ----------------------------------------------------------------------------------- */

static mw_sv kept(writer *w, const char *text)
{
	size_t n = strlen(text);
	char *p = mw_arena_strdup(&w->out->text, text, n);

	return (mw_sv){p, p ? n : 0};
}

static mw_code pair(writer *w, const char *key, const char *value)
{
	mw_qmap_pair p = {.key = kept(w, key), .value = kept(w, value)};

	if (!p.key.p || !p.value.p || !MW_PUSH(w->cx, &w->out->pair, p))
		return MW_ENOMEM;
	return MW_OK;
}

static mw_code numbers(writer *w, const char *key, const double *v, int n)
{
	mw_str text;

	mw_str_init(&text, w->cx);
	for (int i = 0; i < n; i++) {
		char number[MW_NUM_TEXT];
		mw_num_text(mw__qmap_tidy(v[i]), number);
		mw_str_putf(&text, i ? " %s" : "%s", number);
	}
	mw_code code = mw_str_code(&text);
	if (!code)
		code = pair(w, key, text.p);
	mw_str_free(&text);
	return code;
}

/* ---- faces ----------------------------------------------------------------------------------- */

static const char *plain_name(const writer *w, const mw_face_info *info)
{
	const char *name = info->texture;
	bool hidden = (info->flags & MW_FACE_HIDDEN) != 0;

	if (!name && info->material >= 0 && !hidden)
		name = w->s->material.v[info->material].name;
	if (!name || !name[0])
		name = hidden ? "skip" : "__default";
	return name;
}

/* What a brush is, this family says by its textures: the contents that no face of it says yet. */
static uint32_t unsaid_contents(const writer *w, const mw_brush *br)
{
	const mw_side *side = mw_brush_sides(&w->s->brushes, br);

	for (uint32_t i = 0; i < br->count && br->contents != 4; i++)
		if (side[i].tag != MW_TAG_NONE &&
			mw__qmap_contents_of(mw_sv_of(plain_name(w, &w->s->face.v[side[i].tag]))) ==
				br->contents)
			return 0;
	return br->contents;
}

static mw_sv face_texture(writer *w, const mw_face_info *info, uint32_t contents)
{
	const char *name = plain_name(w, info);
	mw_sv sv = mw_sv_of(name);

	if (contents == 4 && !mw__qmap_clip_name(sv))
		return kept(w, "clip");
	if ((contents == 2 || contents == 16) && !mw__qmap_hidden_name(sv)) {
		char text[300];
		mw_format(text, sizeof text, contents == 2 ? "*%s" : "sky_%s", name);
		return kept(w, text);
	}
	return kept(w, name);
}

/* From repeats over our space to texels over file space, as Valve axes. */
static void face_axes(writer *w, mw_qmap_face *f, const mw_side *side)
{
	const mw_face_info *info = &w->s->face.v[side->tag];
	const mw_material *mat = info->material >= 0 ? &w->s->material.v[info->material] : NULL;
	mw_plane pl = mw_planes_get(w->s->planes, side->plane);
	mw_texmap t = mw_scene_texmap(w->s, side->tag, pl.n), r;
	double px[2] = {64, 64};
	mw_vec3 u, v;
	mw_texset set;

	for (int i = 0; i < 2; i++)
		if (mat && mat->pixels[i])
			px[i] = mat->pixels[i];
	r.u = mw_scale3(mw__qmap_turn_out(&w->way, t.u), px[0] * w->way.k);
	r.v = mw_scale3(mw__qmap_turn_out(&w->way, t.v), px[1] * w->way.k);
	r.u0 = t.u0 * px[0];
	r.v0 = t.v0 * px[1];
	mw_vec3 n = mw__qmap_turn_out(&w->way, pl.n);
	if (!mw_texmap_is_valid(&r, n)) {
		mw_texset plain = {{0, 0}, {1, 1}, 0};
		r = mw_texmap_classic(n, &plain);
	}
	mw_texmap_to_valve(&r, &u, &v, &set);
	for (int i = 0; i < 3; i++) {
		f->u[i] = mw__qmap_tidy(u.v[i]);
		f->v[i] = mw__qmap_tidy(v.v[i]);
	}
	f->u[3] = mw__qmap_tidy(set.offset[0]);
	f->v[3] = mw__qmap_tidy(set.offset[1]);
	f->scale[0] = mw__qmap_tidy(set.scale[0]);
	f->scale[1] = mw__qmap_tidy(set.scale[1]);
	f->axes = MW_QMAP_AXES_VALVE;
}

/* The points that the plane came with, while they are still on it; else others. */
static mw_code face_points(writer *w, mw_qmap_face *f, const mw_side *side, const mw_poly *poly)
{
	mw_scene *s = w->s;
	uint32_t noted = s->face.v[side->tag].points;
	mw_vec3 p[3];
	mw_plane_id id = MW_PLANE_NONE;
	mw_code code = MW_OK;
	bool exact = false;

	if (noted && noted + 2 <= s->point.n) {
		memcpy(p, &s->point.v[noted - 1], sizeof p);
		code = mw_planes_add_points(w->cx, s->planes, &id, p);
		exact = id == side->plane;
	}
	if (!code && !exact)
		code = mw__qmap_points(w->cx, s->planes, side->plane, poly, p, &exact);
	if (code)
		return code;
	/* beyond what any reader tells apart, when anything */
	mw_vec3 n = mw_unit3(mw_cross3(mw_sub3(p[0], p[1]), mw_sub3(p[2], p[1])));
	double off = 0;
	for (uint32_t i = 0; i < poly->n && !exact; i++)
		off = fmax(off, fabs(mw_dot3(n, mw_sub3(poly->v[i].at, p[1]))));
	w->inexact += off > 1e-6 * w->way.k;
	for (int i = 0; i < 3; i++) {
		mw_vec3 q = mw__qmap_turn_out(&w->way, mw_scale3(p[i], 1 / w->way.k));
		for (int j = 0; j < 3; j++)
			f->p[i].v[j] = w->way.power ? q.v[j] : mw__qmap_tidy(q.v[j]);
	}
	return MW_OK;
}

static mw_code one_face(writer *w, const mw_side *side, const mw_poly *poly, uint32_t contents)
{
	mw_qmap_face f;
	mw_face_info info = mw_face_default();

	memset(&f, 0, sizeof f);
	mw_side known = *side;
	if (known.tag == MW_TAG_NONE) {
		mw_code code = mw_scene_add_face(w->cx, w->s, &info, &known.tag);
		if (code)
			return code;
	}
	info = w->s->face.v[known.tag];
	f.texture = face_texture(w, &info, contents);
	if (!f.texture.p)
		return MW_ENOMEM;
	face_axes(w, &f, &known);
	if (info.has_surface) {
		f.num_extra = 3;
		for (int i = 0; i < 3; i++)
			f.extra[i] = info.surface[i];
	}
	mw_code code = face_points(w, &f, &known, poly);
	if (!code && !MW_PUSH(w->cx, &w->out->face, f))
		code = MW_ENOMEM;
	return code;
}

static mw_code one_brush(writer *w, uint32_t i)
{
	const mw_brush br = w->s->brushes.brush.v[i];
	mw_arena_mark mark = mw_arena_get_mark(&w->scratch);
	mw_qmap_brush b = {.first = (uint32_t)w->out->face.n};
	mw_solid solid;
	mw_closure how;
	uint32_t contents = unsaid_contents(w, &br);
	mw_code code = mw_solid_make(&w->scratch, w->s->planes, mw_brush_sides(&w->s->brushes, &br),
		br.count, &solid, &how);

	if (!code && how != MW_CLOSED) {
		w->open++;
	} else if (!code) {
		/* one line for each flat side; sides that bound nothing stay away */
		for (uint32_t k = 0; k < solid.n && !code; k++) {
			mw_side side = {solid.face[k].plane, solid.face[k].tag};
			code = one_face(w, &side, &solid.face[k], contents);
		}
		b.count = (uint32_t)w->out->face.n - b.first;
		if (!code && !MW_PUSH(w->cx, &w->out->brush, b))
			code = MW_ENOMEM;
	}
	mw_arena_reset(&w->scratch, mark);
	return code;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static mw_qmap_entity begin(const writer *w)
{
	return (mw_qmap_entity){
		.first_pair = (uint32_t)w->out->pair.n, .first_brush = (uint32_t)w->out->brush.n};
}

static mw_code end(writer *w, mw_qmap_entity *e, uint32_t first_brush, mw_code code)
{
	for (uint32_t i = first_brush; i && !code; i = w->next[i - 1])
		code = one_brush(w, i - 1);
	e->pairs = (uint32_t)w->out->pair.n - e->first_pair;
	e->brushes = (uint32_t)w->out->brush.n - e->first_brush;
	if (!code && !MW_PUSH(w->cx, &w->out->entity, *e))
		code = MW_ENOMEM;
	return code;
}

static mw_code membership(writer *w, uint32_t group)
{
	char id[24];

	if (!group || group > w->s->group.n || !w->group_id[group - 1])
		return MW_OK;
	mw_format(id, sizeof id, "%u", w->group_id[group - 1]);
	return pair(w, w->s->group.v[group - 1].layer ? "_tb_layer" : "_tb_group", id);
}

static mw_code world(writer *w, const mw_qmap_scene_opts *o)
{
	mw_qmap_entity e = begin(w);
	const mw_entity *from = NULL;
	double units = w->s->units_per_metre / w->way.k;
	mw_code code = pair(w, "classname", "worldspawn");

	for (size_t i = 0; i < w->s->entity.n && !from; i++)
		if (strcmp(w->s->entity.v[i].classname, "worldspawn") == 0)
			from = &w->s->entity.v[i];
	for (size_t k = 0; from && k < from->keys.n && !code; k++)
		code = pair(w, from->keys.v[k].key, from->keys.v[k].value);
	if (!code && fabs(units - MW_QMAP_UNITS_PER_METRE) > 1e-9)
		code = numbers(w, "_hf_units_per_metre", &units, 1);
	if (!code && o->turn == MW_QMAP_TURN_GODOT)
		code = pair(w, "_hf_axis_convention", "godot");
	return end(w, &e, w->of_owner[0], code);
}

static mw_code group(writer *w, uint32_t i)
{
	const mw_group *g = &w->s->group.v[i];
	const char *classname = mw_pairs_get(&g->keys, "classname");
	mw_qmap_entity e = begin(w);
	char id[24];
	mw_code code = pair(w, "classname", classname ? classname : "func_group");

	if (!code && !classname) {
		mw_format(id, sizeof id, "%u", w->group_id[i]);
		code = pair(w, "_tb_type", g->layer ? "_tb_layer" : "_tb_group");
		if (!code)
			code = pair(w, "_tb_name", g->name ? g->name : "");
		if (!code)
			code = pair(w, "_tb_id", id);
	}
	if (!code)
		code = membership(w, g->parent);
	for (size_t k = 0; k < g->keys.n && !code; k++)
		if (strcmp(g->keys.v[k].key, "classname") != 0 &&
			strcmp(g->keys.v[k].key, "_tb_id") != 0)
			code = pair(w, g->keys.v[k].key, g->keys.v[k].value);
	return end(w, &e, w->of_group[i], code);
}

static bool same_angles(mw_vec3 a, mw_vec3 b)
{
	for (int i = 0; i < 3; i++) {
		double d = fmod(fabs(a.v[i] - b.v[i]), 360);
		if (!(d < 1e-9 || d > 360 - 1e-9))
			return false;
	}
	return true;
}

static double wrapped(double a)
{
	a = fmod(a, 360);
	return mw__qmap_tidy(a < 0 ? a + 360 : a);
}

static mw_code angles(writer *w, const mw_entity *e)
{
	mw_vec3 a = e->angles;
	double yaw = wrapped(a.y + 90);

	if (strncmp(e->classname, "light", 5) == 0) {
		double v[3] = {yaw, a.x, 0 - a.z};
		return numbers(w, "mangle", v, 3);
	}
	if (a.x == 0 && a.z == 0)
		return numbers(w, "angle", &yaw, 1);
	double v[3] = {0 - a.x, yaw, 0 - a.z};
	return numbers(w, "angles", v, 3);
}

static mw_code entity(writer *w, uint32_t i)
{
	const mw_entity *from = &w->s->entity.v[i];
	mw_entity e = *from;
	mw_qmap_entity out = begin(w);
	bool brushes = w->of_owner[i + 1] != 0;
	/* keys that say the same as the fields stay as they were written */
	bool said = same_angles(mw__qmap_angles(from, brushes), from->angles);
	mw_code code = MW_OK;

	memset(&e.keys, 0, sizeof e.keys);
	for (size_t k = 0; k < from->keys.n && !code; k++)
		if (said || !mw__qmap_is_angle_key(from, from->keys.v[k].key))
			code = mw_pairs_add(
				w->cx, &e.keys, from->keys.v[k].key, from->keys.v[k].value);
	if (!code)
		code = mw_entity_from_neutral(w->cx, &w->s->mem, MW_FAMILY_QUAKE, &e);
	if (!code)
		code = pair(w, "classname", e.classname);
	if (!code && (!brushes || e.origin.x != 0 || e.origin.y != 0 || e.origin.z != 0)) {
		mw_vec3 at = mw__qmap_turn_out(&w->way, mw_scale3(e.origin, 1 / w->way.k));
		code = numbers(w, "origin", at.v, 3);
	}
	if (!code && !said)
		code = angles(w, from);
	if (!code)
		code = membership(w, from->group);
	for (size_t k = 0; k < e.keys.n && !code; k++)
		code = pair(w, e.keys.v[k].key, e.keys.v[k].value);
	mw_pairs_free(w->cx, &e.keys);
	return end(w, &out, w->of_owner[i + 1], code);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Lists of brushes by the block they go to, in order. */
static mw_code sort_brushes(writer *w)
{
	mw_scene *s = w->s;
	size_t n = s->brushes.brush.n;

	w->next = mw_zalloc_n(w->cx, n, sizeof *w->next);
	w->of_owner = mw_zalloc_n(w->cx, s->entity.n + 1, sizeof *w->of_owner);
	w->of_group = mw_zalloc_n(w->cx, s->group.n, sizeof *w->of_group);
	w->group_id = mw_zalloc_n(w->cx, s->group.n, sizeof *w->group_id);
	if (!w->next || !w->of_owner || !w->of_group || !w->group_id)
		return MW_ENOMEM;
	for (size_t i = n; i-- > 0;) {
		const mw_brush_info *b = &s->brush.v[i];
		uint32_t owner = b->owner <= s->entity.n ? b->owner : 0, *list;

		if (owner && strcmp(s->entity.v[owner - 1].classname, "worldspawn") == 0)
			owner = 0;
		list = owner || !b->group || b->group > s->group.n ? &w->of_owner[owner]
								   : &w->of_group[b->group - 1];
		w->next[i] = *list;
		*list = (uint32_t)i + 1;
	}
	/* ids as they were, then free ones */
	uint32_t most = 0;
	for (size_t i = 0; i < s->group.n; i++) {
		const char *id = mw_pairs_get(&s->group.v[i].keys, "_tb_id");
		int64_t v;
		if (id && mw_int_parse(mw_sv_of(id), &v) && v > 0 && v < 1000000000)
			w->group_id[i] = (uint32_t)v;
		if (w->group_id[i] > most)
			most = w->group_id[i];
	}
	for (size_t i = 0; i < s->group.n; i++)
		if (!w->group_id[i] && !mw_pairs_get(&s->group.v[i].keys, "classname"))
			w->group_id[i] = ++most;
	return MW_OK;
}

static mw_code count_losses(writer *w)
{
	const mw_scene *s = w->s;
	uint32_t smooth = 0, detail = 0, open_contents = 0;
	mw_code code = mw_loss_add(w->cx, w->losses, "mesh", "meshes", (uint32_t)s->mesh.n);

	for (size_t i = 0; i < s->mesh.n; i++)
		for (size_t k = 0; k < s->mesh.v[i].poly.n; k++)
			smooth += s->mesh.v[i].poly.v[k].smooth != 0;
	for (size_t i = 0; i < s->brush.n; i++) {
		uint32_t g = s->brush.v[i].group, c = s->brushes.brush.v[i].contents;
		const char *name = g && g <= s->group.n
			? mw_pairs_get(&s->group.v[g - 1].keys, "classname")
			: NULL;
		detail += (s->brush.v[i].flags & MW_BRUSH_DETAIL) &&
			!(name && strcmp(name, "func_detail") == 0);
		open_contents += c == 0 || (c == 8 && !s->brush.v[i].owner);
	}
	if (!code)
		code = mw_loss_add(w->cx, w->losses, "smooth polygon", "smooth polygons", smooth);
	if (!code)
		code = mw_loss_add(w->cx, w->losses, "detail mark", "detail marks", detail);
	if (!code)
		code = mw_loss_add(
			w->cx, w->losses, "brush contents", "brush contents", open_contents);
	if (!code && (s->ambient[0] > 0 || s->ambient[1] > 0 || s->ambient[2] > 0))
		code = mw_loss_add(w->cx, w->losses, "ambient light", "ambient lights", 1);
	if (!code)
		code = mw_loss_add(w->cx, w->losses, "open brush", "open brushes", w->open);
	if (!code)
		code = mw_loss_add(w->cx, w->losses, "face moved by rounding",
			"faces moved by rounding", w->inexact);
	return code;
}

mw_code mw_qmap_from_scene(
	mw_ctx *cx, mw_qmap *out, mw_scene *s, const mw_qmap_scene_opts *opts, mw_losses *losses)
{
	mw_qmap_scene_opts none = {0};
	const mw_qmap_scene_opts *o = opts ? opts : &none;
	writer w = {.cx = cx, .out = out, .s = s, .losses = losses};
	double units = o->units_per_metre;
	int e;

	if (units == 0)
		units = s->units_per_metre > 1 ? s->units_per_metre : MW_QMAP_UNITS_PER_METRE;
	if (!(units >= 1e-6 && units <= 1e6))
		return mw_fail(cx, MW_ERANGE, "units_per_metre: %g is outside 1e-06..1e+06", units);
	w.way.k = s->units_per_metre / units;
	w.way.own = o->turn == MW_QMAP_TURN_GODOT;
	w.way.power = frexp(w.way.k, &e) == 0.5;
	mw_arena_init(&w.scratch, cx);
	mw_code code = sort_brushes(&w);
	if (!code)
		code = world(&w, o);
	for (uint32_t i = 0; i < s->group.n && !code; i++)
		code = group(&w, i);
	for (uint32_t i = 0; i < s->entity.n && !code; i++)
		if (strcmp(s->entity.v[i].classname, "worldspawn") != 0)
			code = entity(&w, i);
	if (!code)
		code = count_losses(&w);
	out->dialect = MW_QMAP_VALVE220;
	mw_free(cx, w.next);
	mw_free(cx, w.of_owner);
	mw_free(cx, w.of_group);
	mw_free(cx, w.group_id);
	mw_arena_free(&w.scratch);
	return code;
}

/* From a level text to a scene. */
#include "format/qmap/qmap_internal.h"

#include "base/hash.h"

#include <string.h>

#define TEXELS 64u /* of a texture whose size is not known */
#define MAX_UNITS 1e6

typedef struct {
	mw_ctx *cx;
	mw_scene *s;
	const mw_qmap *m;
	const mw_qmap_scene_opts *opts;
	mw_qmap_solids solids;
	mw_qmap_findings *found;
	mw__qmap_way way;
	uint32_t next;   /* of solids.brushes: they come in the order of the text */
	uint32_t *group; /* of each entity: index + 1 of the group that it is */
	uint32_t world;  /* index of the entity that is the world */
	uint32_t steps;
	int32_t last_material;
	mw_sv last_texture;
	uint32_t *by_name; /* materials: index + 1, from the slot of the name's hash on */
	uint32_t slots;    /* a power of two */
} maker;

#define REPORT(w, at_line, at_entity, rule, ...)                                                   \
	((w)->found ? mw_qmap_report((w)->cx, (w)->found,                                          \
			      &(mw_qmap_finding){.line = (at_line),                                \
				      .col = 1,                                                    \
				      .entity = (at_entity),                                       \
				      .brush = MW_QMAP_NONE,                                       \
				      .face = MW_QMAP_NONE},                                       \
			      MW_QMAP_WARNING, rule, __VA_ARGS__)                                  \
		    : MW_OK)

static const char *text_of(maker *w, mw_sv s)
{
	return mw_scene_text(w->s, s.p ? s.p : "", s.n);
}

static const char *place_of(maker *w, uint32_t line)
{
	char text[32];

	mw_format(text, sizeof text, "line %u", line);
	return mw_scene_text(w->s, text, strlen(text));
}

/* ---- faces and brushes ----------------------------------------------------------------------- */

static void size_of(const maker *w, mw_sv name, uint32_t pixels[2])
{
	for (size_t i = 0; i < w->opts->sizes; i++)
		if (mw_sv_eq(w->opts->size[i].name, name))
			memcpy(pixels, w->opts->size[i].pixels, 2 * sizeof *pixels);
}

/* The slot of a material of that name, or the one to put it in. */
static uint32_t slot_of(const maker *w, mw_sv name)
{
	uint32_t at = (uint32_t)mw_hash_bytes(name.p, name.n).lo & (w->slots - 1);
	while (w->by_name[at] &&
		!mw_sv_eq(mw_sv_of(w->s->material.v[w->by_name[at] - 1].name), name))
		at = (at + 1) & (w->slots - 1);
	return at;
}

/* Room for one more name. */
static mw_code grow_names(maker *w)
{
	uint32_t n = (uint32_t)w->s->material.n;
	if (w->slots > 2 * n)
		return MW_OK;
	uint32_t slots = w->slots ? w->slots * 4 : 64;
	uint32_t *by_name = mw_zalloc_n(w->cx, slots, sizeof *by_name);
	if (!by_name)
		return MW_ENOMEM;
	mw_free(w->cx, w->by_name);
	w->by_name = by_name;
	w->slots = slots;
	for (uint32_t i = 0; i < n; i++)
		by_name[slot_of(w, mw_sv_of(w->s->material.v[i].name))] = i + 1;
	return MW_OK;
}

static mw_code material(maker *w, mw_sv name, int32_t *index)
{
	if (w->last_material >= 0 && mw_sv_eq(name, w->last_texture)) {
		*index = w->last_material;
		return MW_OK;
	}
	mw_code code = grow_names(w);
	if (code)
		return code;
	uint32_t slot = slot_of(w, name);
	*index = (int32_t)w->by_name[slot] - 1;
	if (*index < 0) {
		const char *text = text_of(w, name);
		code = text ? mw_scene_add_material(w->cx, w->s, text, index) : MW_ENOMEM;
		if (code)
			return code;
		w->by_name[slot] = (uint32_t)*index + 1;
		mw_material *mat = &w->s->material.v[*index];
		mat->texture = mat->name;
		size_of(w, name, mat->pixels);
		for (int i = 0; i < 2; i++)
			mat->tile[i] = (mat->pixels[i] ? mat->pixels[i] : TEXELS) * w->way.k;
	}
	w->last_material = *index;
	w->last_texture = name;
	return MW_OK;
}

/* From texels over file space to repeats of that many over ours. */
static mw_texmap repeats(const maker *w, const mw_texmap *t, const uint32_t pixels[2])
{
	mw_texmap r;

	r.u = mw_scale3(mw__qmap_turn_in(&w->way, t->u), 1 / (pixels[0] * w->way.k));
	r.v = mw_scale3(mw__qmap_turn_in(&w->way, t->v), 1 / (pixels[1] * w->way.k));
	r.u0 = t->u0 / pixels[0];
	r.v0 = t->v0 / pixels[1];
	return r;
}

static mw_code scene_face(
	maker *w, const mw_qmap_brush *b, const mw_qmap_face *f, uint32_t points, uint32_t *tag)
{
	mw_face_info info = mw_face_default();
	mw_vec3 n = mw_v3(0, 0, 1);
	uint32_t pixels[2] = {TEXELS, TEXELS};
	double d;

	info.points = points;
	if (mw__qmap_hidden_name(f->texture)) {
		info.flags |= MW_FACE_HIDDEN;
		info.material = -1;
		info.texture = text_of(w, f->texture);
		if (!info.texture)
			return MW_ENOMEM;
	} else {
		mw_code code = material(w, f->texture, &info.material);
		if (code)
			return code;
		const mw_material *mat = &w->s->material.v[info.material];
		for (int i = 0; i < 2; i++)
			pixels[i] = mat->pixels[i] ? mat->pixels[i] : TEXELS;
	}
	(void)mw_qmap_plane(b, f, &n, &d);
	mw_texmap t = mw_qmap_texmap(w->m, b, f, n, pixels);
	info.project = MW_PROJECT_AXES;
	info.map = repeats(w, &t, pixels);
	if (f->num_extra >= 2) {
		info.has_surface = true;
		for (int i = 0; i < 3; i++) {
			/* contents are written with or without a sign */
			double v = f->extra[i];
			info.surface[i] = v >= -2147483648.0 && v < 4294967296.0
				? (int32_t)(uint32_t)(int64_t)v
				: 0;
		}
	}
	return mw_scene_add_face(w->cx, w->s, &info, tag);
}

/* The plane of a face in our space, facing as the solid has it. *points: index + 1 of those that
 * were kept. */
static mw_code scene_plane(maker *w, const mw_qmap_brush *b, const mw_qmap_face *f,
	mw_plane_id theirs, mw_plane_id *id, uint32_t *points)
{
	mw_scene *s = w->s;
	mw_plane_id same;
	mw_code code;

	*points = 0;
	if (b->kind == MW_QMAP_BRUSHDEF3) {
		mw_vec3 n = mw_v3(f->plane[0], f->plane[1], f->plane[2]);
		code = mw_planes_add(w->cx, &w->solids.planes, &same, n, 0 - f->plane[3]);
		if (!code)
			code = mw_planes_add(w->cx, s->planes, id, mw__qmap_turn_in(&w->way, n),
				(0 - f->plane[3]) * w->way.k);
	} else {
		mw_vec3 p[3];
		code = mw_planes_add_points(w->cx, &w->solids.planes, &same, f->p);
		for (int i = 0; i < 3; i++)
			p[i] = mw_scale3(mw__qmap_turn_in(&w->way, f->p[i]), w->way.k);
		if (!code)
			code = mw_planes_add_points(w->cx, s->planes, id, p);
		bool turn = same != theirs;
		for (int i = 0; i < 3 && !code; i++)
			if (!MW_PUSH(w->cx, &s->point, p[turn ? 2 - i : i]))
				code = MW_ENOMEM;
		*points = (uint32_t)s->point.n - 2;
	}
	if (!code && *id != MW_PLANE_NONE && same != theirs)
		*id ^= 1;
	return code;
}

static uint32_t contents_of(const maker *w, const mw_qmap_brush *b)
{
	uint32_t contents = 0;
	bool clip = true;

	for (uint32_t i = 0; i < b->count; i++) {
		mw_sv name = w->m->face.v[b->first + i].texture;
		clip = clip && mw__qmap_clip_name(name);
		if (!contents && !mw__qmap_hidden_name(name) && !mw__qmap_clip_name(name))
			contents = mw__qmap_contents_of(name);
	}
	return clip ? 4 : contents ? contents : 1;
}

static mw_code scene_brush(maker *w, const mw_brush *in, mw_brush_info *info, bool trigger)
{
	const mw_qmap_brush *b = &w->m->brush.v[in->tag];
	const mw_side *from = mw_brush_sides(&w->solids.brushes, in);
	mw_side *side = mw_alloc_n(w->cx, in->count, sizeof *side);
	mw_code code = side ? MW_OK : MW_ENOMEM;
	uint32_t n = 0;

	for (uint32_t i = 0; i < in->count && !code; i++) {
		const mw_qmap_face *f = &w->m->face.v[from[i].tag];
		mw_plane_id id = MW_PLANE_NONE;
		uint32_t points = 0;

		code = scene_plane(w, b, f, from[i].plane, &id, &points);
		if (code || id == MW_PLANE_NONE)
			continue;
		side[n].plane = id;
		code = scene_face(w, b, f, points, &side[n].tag);
		n++;
	}
	if (!code)
		info->at = place_of(w, b->line);
	if (!code && !info->at)
		code = MW_ENOMEM;
	if (!code)
		code = mw_scene_add_brush(
			w->cx, w->s, side, n, trigger ? 8 : contents_of(w, b), info, NULL);
	mw_free(w->cx, side);
	return code;
}

/* ---- patches --------------------------------------------------------------------------------- */

/* Where a curve of three controls is at t. */
static double curve(double a, double b, double c, double t)
{
	double s = 1 - t;
	return a * s * s + 2 * b * s * t + c * t * t;
}

static mw_qmap_control at_patch(
	const mw_qmap *m, const mw_qmap_brush *b, uint32_t steps, uint32_t x, uint32_t y)
{
	/* the piece of three by three controls, and where in it */
	uint32_t px = x / steps * 2, py = y / steps * 2;
	double u = (double)(x % steps) / steps, v = (double)(y % steps) / steps;
	mw_qmap_control out;
	double r[5];

	if (px + 2 >= b->w) {
		u += (double)(px + 3 - b->w) / 2;
		px = b->w - 3;
	}
	if (py + 2 >= b->h) {
		v += (double)(py + 3 - b->h) / 2;
		py = b->h - 3;
	}
	for (int k = 0; k < 5; k++) {
		double row[3];
		for (uint32_t i = 0; i < 3; i++) {
			double c[3];
			for (uint32_t j = 0; j < 3; j++) {
				const mw_qmap_control *p =
					&m->control.v[b->first + (px + i) * b->h + py + j];
				c[j] = k < 3 ? p->at.v[k] : p->uv.v[k - 3];
			}
			row[i] = curve(c[0], c[1], c[2], v);
		}
		r[k] = curve(row[0], row[1], row[2], u);
	}
	out.at = mw_v3(r[0], r[1], r[2]);
	out.uv = mw_v2(r[3], r[4]);
	return out;
}

static bool has_area(mw_vec3 a, mw_vec3 b, mw_vec3 c)
{
	mw_vec3 n = mw_cross3(mw_sub3(b, a), mw_sub3(c, a));
	return mw_dot3(n, n) > 1e-18;
}

static mw_code triangle(
	maker *w, mw_scene_mesh *mesh, const mw_qmap_control *c, const uint32_t i[3], int32_t mat)
{
	mw_texset plain = {{0, 0}, {1, 1}, 0};
	mw_vec2 uv[3] = {c[i[0]].uv, c[i[1]].uv, c[i[2]].uv};

	if (!has_area(mesh->vertex.v[i[0]], mesh->vertex.v[i[1]], mesh->vertex.v[i[2]]))
		return MW_OK;
	return mw_scene_mesh_poly(w->cx, mesh, i, uv, 3, mat, 1, &plain);
}

/* Triangles over the curved sheet; its front is where the columns, seen in their order, run
 * downwards (Quake 3 draws them clockwise). */
static mw_code scene_patch(maker *w, const mw_qmap_brush *b, const mw_brush_info *info)
{
	uint32_t nx = (b->w - 1) / 2 * w->steps + 1, ny = (b->h - 1) / 2 * w->steps + 1, index;
	int32_t mat;

	if (b->w < 3 || b->h < 3 || b->w % 2 == 0 || b->h % 2 == 0)
		return REPORT(w, b->line, MW_QMAP_NONE, "map-patch",
			"a patch of %u x %u points is left out: both must be odd and 3 or more",
			b->w, b->h);
	mw_code code = material(w, b->texture, &mat);
	const char *name = code ? NULL : text_of(w, b->texture);
	if (!name)
		return code ? code : MW_ENOMEM;
	code = mw_scene_add_mesh(w->cx, w->s, name, &index);
	mw_qmap_control *grid = code ? NULL : mw_alloc_n(w->cx, (size_t)nx * ny, sizeof *grid);
	if (!grid)
		return code ? code : MW_ENOMEM;
	mw_scene_mesh *mesh = &w->s->mesh.v[index];
	mesh->owner = info->owner;
	mesh->group = info->group;
	mesh->at = place_of(w, b->line);
	for (uint32_t x = 0; x < nx; x++)
		for (uint32_t y = 0; y < ny && !code; y++) {
			mw_qmap_control *c = &grid[x * ny + y];
			*c = at_patch(w->m, b, w->steps, x, y);
			code = mw_scene_mesh_vertex(
				w->cx, mesh, mw_scale3(mw__qmap_turn_in(&w->way, c->at), w->way.k));
		}
	for (uint32_t x = 0; x + 1 < nx; x++)
		for (uint32_t y = 0; y + 1 < ny && !code; y++) {
			uint32_t a = x * ny + y, d = a + ny;
			uint32_t one[3] = {d + 1, a + 1, a}, two[3] = {d, d + 1, a};
			code = triangle(w, mesh, grid, one, mat);
			if (!code)
				code = triangle(w, mesh, grid, two, mat);
		}
	mw_free(w->cx, grid);
	return code;
}

/* ---- entities -------------------------------------------------------------------------------- */

static bool key_is(mw_sv key, const char *name)
{
	return mw_sv_eq(key, mw_sv_of(name));
}

static uint32_t group_with_id(const maker *w, mw_sv id)
{
	for (uint32_t i = 0; i < w->m->entity.n; i++) {
		mw_sv other = mw_qmap_get(w->m, &w->m->entity.v[i], "_tb_id");
		if (w->group[i] && other.p && mw_sv_eq(other, id))
			return w->group[i];
	}
	return 0;
}

static uint32_t parent_of(const maker *w, const mw_qmap_entity *e)
{
	mw_sv id = mw_qmap_get(w->m, e, "_tb_group");

	if (!id.p)
		id = mw_qmap_get(w->m, e, "_tb_layer");
	return id.p ? group_with_id(w, id) : 0;
}

/* Whether an entity is no entity but a group of world brushes. */
static bool is_group(const maker *w, uint32_t i)
{
	const mw_qmap_entity *e = &w->m->entity.v[i];
	mw_sv name = mw_qmap_get(w->m, e, "classname");

	return i != w->world &&
		(key_is(name, "func_group") || (key_is(name, "func_detail") && e->brushes > 0));
}

static mw_code push_pair(maker *w, mw_pairs *to, mw_sv key, mw_sv value)
{
	const char *k = text_of(w, key), *v = text_of(w, value);

	return k && v ? mw_pairs_add(w->cx, to, k, v) : MW_ENOMEM;
}

static mw_code make_group(maker *w, uint32_t i)
{
	const mw_qmap_entity *e = &w->m->entity.v[i];
	mw_sv type = mw_qmap_get(w->m, e, "_tb_type"), name = mw_qmap_get(w->m, e, "_tb_name");
	mw_group g = {.layer = key_is(type, "_tb_layer")};
	mw_code code = MW_OK;

	g.name = text_of(w, name);
	g.at = place_of(w, e->line);
	for (uint32_t k = 0; k < e->pairs && !code; k++) {
		const mw_qmap_pair *p = &w->m->pair.v[e->first_pair + k];
		bool ours = key_is(p->key, "_tb_type") || key_is(p->key, "_tb_name") ||
			key_is(p->key, "_tb_layer") || key_is(p->key, "_tb_group");
		/* the class of what is no group of TrenchBroom says so when it is written */
		if (!ours && !(type.p && key_is(p->key, "classname")))
			code = push_pair(w, &g.keys, p->key, p->value);
	}
	if (!code && (!g.name || !g.at || !MW_PUSH(w->cx, &w->s->group, g)))
		code = MW_ENOMEM;
	if (code) {
		mw_pairs_free(w->cx, &g.keys);
		return code;
	}
	w->group[i] = (uint32_t)w->s->group.n;
	return MW_OK;
}

static mw_code make_entity(maker *w, uint32_t i, uint32_t *index)
{
	const mw_qmap_entity *e = &w->m->entity.v[i];
	mw_entity out = mw_entity_default();
	bool world = i == w->world;
	mw_code code = MW_OK;

	out.classname = text_of(w, mw_qmap_get(w->m, e, "classname"));
	out.at = place_of(w, e->line);
	if (!out.classname || !out.at)
		return MW_ENOMEM;
	if (world && !out.classname[0])
		out.classname = "worldspawn";
	for (uint32_t k = 0; k < e->pairs && !code; k++) {
		const mw_qmap_pair *p = &w->m->pair.v[e->first_pair + k];
		double v[3];

		if (key_is(p->key, "classname") || key_is(p->key, "_tb_layer") ||
			key_is(p->key, "_tb_group"))
			continue;
		if (world &&
			(key_is(p->key, "_hf_units_per_metre") ||
				key_is(p->key, "_hf_axis_convention") ||
				key_is(p->key, "mapversion")))
			continue;
		if (key_is(p->key, "origin")) {
			const char *text = text_of(w, p->value);
			if (text && mw_pairs_numbers(text, v, 3) == 3) {
				out.origin = mw_scale3(
					mw__qmap_turn_in(&w->way, mw_v3(v[0], v[1], v[2])),
					w->way.k);
				continue;
			}
		}
		code = push_pair(w, &out.keys, p->key, p->value);
	}
	if (!code)
		code = mw_entity_to_neutral(w->cx, &w->s->mem, MW_FAMILY_QUAKE, &out);
	out.angles = world ? mw_v3(0, 0, 0) : mw__qmap_angles(&out, e->brushes > 0);
	out.group = parent_of(w, e);
	if (!code)
		code = mw_scene_add_entity(w->cx, w->s, &out, index);
	if (code)
		mw_pairs_free(w->cx, &out.keys);
	return code;
}

/* The brushes of entity i, as those of info->owner and info->group. */
static mw_code make_brushes(maker *w, uint32_t i, mw_brush_info info, bool trigger)
{
	const mw_qmap_entity *e = &w->m->entity.v[i];
	mw_code code = MW_OK;

	for (uint32_t k = 0; k < e->brushes && !code; k++) {
		uint32_t index = e->first_brush + k;
		const mw_qmap_brush *b = &w->m->brush.v[index];

		if (b->kind == MW_QMAP_PATCH2 || b->kind == MW_QMAP_PATCH3) {
			code = scene_patch(w, b, &info);
		} else if (w->next < w->solids.brushes.brush.n &&
			w->solids.brushes.brush.v[w->next].tag == index) {
			if (w->solids.how[w->next] == MW_CLOSED)
				code = scene_brush(
					w, &w->solids.brushes.brush.v[w->next], &info, trigger);
			w->next++;
		}
	}
	return code;
}

static mw_code one_entity(maker *w, uint32_t i)
{
	const mw_qmap_entity *e = &w->m->entity.v[i];
	mw_sv name = mw_qmap_get(w->m, e, "classname");
	mw_brush_info info = {0};
	uint32_t index;
	bool trigger = name.n > 8 && memcmp(name.p, "trigger_", 8) == 0;

	if (w->group[i]) {
		info.group = w->group[i];
		if (key_is(name, "func_detail"))
			info.flags |= MW_BRUSH_DETAIL;
		w->s->group.v[w->group[i] - 1].parent = parent_of(w, e);
		return make_brushes(w, i, info, false);
	}
	mw_code code = make_entity(w, i, &index);
	if (code)
		return code;
	if (i != w->world)
		info.owner = index + 1;
	return make_brushes(w, i, info, trigger);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static mw_code good_units(mw_ctx *cx, double v, const char *what)
{
	if (!(v >= 1 / MAX_UNITS && v <= MAX_UNITS))
		return mw_fail(cx, MW_ERANGE, "%s: %g is outside 1e-06..1e+06", what, v);
	return MW_OK;
}

/* What the file says of its units and axes, over what the caller says. */
static mw_code find_way(maker *w, const mw_qmap_scene_opts *o)
{
	double units = o->units_per_metre == 0 ? MW_QMAP_UNITS_PER_METRE : o->units_per_metre, v;
	mw_qmap_turn turn = o->turn;
	mw_code code = good_units(w->cx, units, "units_per_metre");

	if (!code && w->world != MW_QMAP_NONE) {
		const mw_qmap_entity *e = &w->m->entity.v[w->world];
		mw_sv said = mw_qmap_get(w->m, e, "_hf_units_per_metre");
		mw_sv axes = mw_qmap_get(w->m, e, "_hf_axis_convention");
		if (said.p) {
			if (mw_num_parse(said, &v) && v >= 1 / MAX_UNITS && v <= MAX_UNITS)
				units = v;
			else
				code = REPORT(w, e->line, w->world, "map-units",
					"_hf_units_per_metre is no number of units: %.*s; %g are "
					"taken",
					(int)(said.n > 40 ? 40 : said.n), said.p, units);
		}
		if (turn == MW_QMAP_TURN_FILE && axes.p && key_is(axes, "godot"))
			turn = MW_QMAP_TURN_GODOT;
	}
	double scene = o->scene_units_per_metre == 0 ? units : o->scene_units_per_metre;
	if (!code)
		code = good_units(w->cx, scene, "scene_units_per_metre");
	int e;
	w->way.k = scene / units;
	w->way.own = turn == MW_QMAP_TURN_GODOT;
	w->way.power = frexp(w->way.k, &e) == 0.5;
	w->s->units_per_metre = scene;
	return code;
}

mw_code mw_qmap_to_scene(mw_ctx *cx, mw_scene *out, const mw_qmap *m,
	const mw_qmap_scene_opts *opts, mw_qmap_findings *found)
{
	mw_qmap_scene_opts none = {0};
	const mw_qmap_scene_opts *o = opts ? opts : &none;
	maker w = {.cx = cx,
		.s = out,
		.m = m,
		.opts = o,
		.found = found,
		.last_material = -1,
		.steps = o->patch_steps ? o->patch_steps : 4,
		.world = MW_QMAP_NONE};
	mw_code code;

	for (uint32_t i = (uint32_t)m->entity.n; i-- > 0;)
		if (key_is(mw_qmap_get(m, &m->entity.v[i], "classname"), "worldspawn"))
			w.world = i;
	if (w.world == MW_QMAP_NONE && m->entity.n &&
		!mw_qmap_get(m, &m->entity.v[0], "classname").p)
		w.world = 0;
	code = find_way(&w, o);
	w.group = mw_zalloc_n(cx, m->entity.n, sizeof *w.group);
	if (!code && !w.group)
		code = MW_ENOMEM;
	if (!code)
		code = mw_qmap_build(cx, m, &w.solids, found);
	for (uint32_t i = 0; i < m->entity.n && !code; i++)
		if (is_group(&w, i))
			code = make_group(&w, i);
	for (uint32_t i = 0; i < m->entity.n && !code; i++)
		code = one_entity(&w, i);
	if (!code)
		code = mw_scene_number(cx, out);
	mw_qmap_solids_free(cx, &w.solids);
	mw_free(cx, w.group);
	mw_free(cx, w.by_name);
	return code;
}

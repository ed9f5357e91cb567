/* From faces to solids: planes, closedness, what bounds nothing; how faces are textured. */
#include "format/qmap/qmap_internal.h"

#include <string.h>

/* ---- faces ----------------------------------------------------------------------------------- */

bool mw_qmap_plane(const mw_qmap_brush *b, const mw_qmap_face *f, mw_vec3 *n, double *d)
{
	if (b->kind == MW_QMAP_BRUSHDEF3) {
		*n = mw_v3(f->plane[0], f->plane[1], f->plane[2]);
		*d = 0 - f->plane[3];
	} else {
		*n = mw_cross3(mw_sub3(f->p[0], f->p[1]), mw_sub3(f->p[2], f->p[1]));
		*d = mw_dot3(*n, f->p[1]);
	}
	return mw_finite3(*n) && (n->x != 0 || n->y != 0 || n->z != 0);
}

/* The two directions of the face's plane that a brush primitive's matrix works on: level, and down
 * the face (Radiant's axis base: east and down for one that looks north or south). */
static void base_axes(mw_vec3 n, mw_vec3 *x, mw_vec3 *y)
{
	n = mw_unit3(n);
	for (int i = 0; i < 3; i++)
		if (fabs(n.v[i]) < 1e-6)
			n.v[i] = 0;
	double h = sqrt(n.x * n.x + n.y * n.y), c = 1, s = 0;
	if (h > 0) {
		c = n.x / h;
		s = n.y / h;
	}
	double len = sqrt(h * h + n.z * n.z);
	*x = mw_v3(0 - s, c, 0);
	*y = mw_v3(n.z * c / len, n.z * s / len, 0 - h / len);
}

static mw_texmap matrix_map(const mw_qmap_face *f, mw_vec3 normal, const uint32_t pixels[2])
{
	mw_texmap t;
	mw_vec3 x, y;

	base_axes(normal, &x, &y);
	t.u = mw_add3(mw_scale3(x, f->u[0]), mw_scale3(y, f->u[1]));
	t.v = mw_add3(mw_scale3(x, f->v[0]), mw_scale3(y, f->v[1]));
	t.u0 = f->u[2];
	t.v0 = f->v[2];
	double w = pixels && pixels[0] ? pixels[0] : 64, h = pixels && pixels[1] ? pixels[1] : 64;
	t.u = mw_scale3(t.u, w);
	t.u0 *= w;
	t.v = mw_scale3(t.v, h);
	t.v0 *= h;
	return t;
}

void mw__qmap_matrix(const mw_texmap *t, mw_vec3 n, double d, double row[2][3])
{
	mw_vec3 x, y, axis[2] = {t->u, t->v};
	double len = mw_len3(n), from[2] = {t->u0, t->v0};

	base_axes(n, &x, &y);
	for (int i = 0; i < 2; i++) {
		row[i][0] = mw_dot3(axis[i], x) / 64;
		row[i][1] = mw_dot3(axis[i], y) / 64;
		row[i][2] = (mw_dot3(axis[i], n) / len * (d / len) + from[i]) / 64;
	}
}

/* The numbers as they say, good or not. */
static mw_texmap plain_map(const mw_qmap_face *f, mw_vec3 normal, const uint32_t pixels[2])
{
	mw_texmap t;

	if (f->axes == MW_QMAP_AXES_MATRIX)
		return matrix_map(f, normal, pixels);
	if (f->axes == MW_QMAP_AXES_VALVE) {
		double scale[2] = {
			f->scale[0] == 0 ? 1 : f->scale[0], f->scale[1] == 0 ? 1 : f->scale[1]};
		return mw_texmap_valve(mw_v3(f->u[0], f->u[1], f->u[2]), f->u[3],
			mw_v3(f->v[0], f->v[1], f->v[2]), f->v[3], scale);
	}
	if (f->tx) {
		/* the texture's corner, and its two neighbours, 128 texels away */
		mw_vec3 p[3] = {
			f->p[0], f->tx == 1 ? f->p[2] : f->p[1], f->tx == 1 ? f->p[1] : f->p[2]};
		mw_vec2 uv[3] = {mw_v2(0, 0), mw_v2(128, 0), mw_v2(0, -128)};
		if (mw_texmap_fit(p, uv, &t))
			return t;
	}
	mw_texset set = {{f->offset[0], f->offset[1]}, {f->scale[0], f->scale[1]}, f->rotation};
	return mw_texmap_classic(normal, &set);
}

static bool finite_map(const mw_texmap *t)
{
	return mw_finite3(t->u) && mw_finite3(t->v) && isfinite(t->u0) && isfinite(t->v0);
}

mw_texmap mw_qmap_texmap(const mw_qmap *m, const mw_qmap_brush *b, const mw_qmap_face *f,
	mw_vec3 normal, const uint32_t pixels[2])
{
	MW_UNUSED(m);
	MW_UNUSED(b);
	mw_texmap t = plain_map(f, normal, pixels);

	if (!finite_map(&t) ||
		(f->axes != MW_QMAP_AXES_CLASSIC && !mw_texmap_is_valid(&t, normal))) {
		mw_texset plain = {{0, 0}, {1, 1}, 0};
		return mw_texmap_classic(normal, &plain);
	}
	return t;
}

/* ---- brushes --------------------------------------------------------------------------------- */

typedef struct {
	mw_ctx *cx;
	const mw_qmap *m;
	mw_qmap_solids *out;
	mw_qmap_findings *found;
	mw_qmap_finding at;
	mw_arena arena;
	MW_ARRAY(mw_side) side;
	mw_shape_builder shape;
	uint32_t index; /* of the brush at hand */
} builder;

#define REPORT(s, level, rule, ...)                                                                \
	((s)->found ? mw_qmap_report((s)->cx, (s)->found, &(s)->at, level, rule, __VA_ARGS__)      \
		    : MW_OK)

static void place(builder *s, uint32_t line, uint32_t face)
{
	s->at.line = line;
	s->at.col = 1;
	s->at.face = face;
}

static mw_code check_alignment(builder *s, const mw_qmap_brush *b, const mw_qmap_face *f)
{
	mw_vec3 n;
	double d;
	mw_code code = MW_OK;

	if (f->axes != MW_QMAP_AXES_MATRIX && (f->scale[0] == 0 || f->scale[1] == 0))
		code = REPORT(
			s, MW_QMAP_WARNING, "map-scale-zero", "a texture scale of 0 counts as 1");
	if (!code && s->found && mw_qmap_plane(b, f, &n, &d)) {
		mw_texmap t = plain_map(f, n, NULL);
		if (!finite_map(&t) ||
			(f->axes != MW_QMAP_AXES_CLASSIC && !mw_texmap_is_valid(&t, n)))
			code = REPORT(s, MW_QMAP_WARNING, "map-axes",
				"the texture axes give no picture on this face; plain ones are "
				"taken");
	}
	return code;
}

/* Planes of the faces, without those that an earlier face has. */
static mw_code collect_sides(builder *s, const mw_qmap_brush *b)
{
	mw_ctx *cx = s->cx;
	mw_code code = MW_OK;

	s->side.n = 0;
	for (uint32_t i = 0; i < b->count && !code; i++) {
		const mw_qmap_face *f = &s->m->face.v[b->first + i];
		mw_side side = {MW_PLANE_NONE, b->first + i};

		place(s, f->line, i);
		if (b->kind == MW_QMAP_BRUSHDEF3)
			code = mw_planes_add(cx, &s->out->planes, &side.plane,
				mw_v3(f->plane[0], f->plane[1], f->plane[2]), 0 - f->plane[3]);
		else
			code = mw_planes_add_points(cx, &s->out->planes, &side.plane, f->p);
		if (code)
			return code;
		if (side.plane == MW_PLANE_NONE)
			code = REPORT(s, MW_QMAP_WARNING, "map-face-flat",
				"the points of the face lie on one line; the face is left out");
		else if (!MW_PUSH(cx, &s->side, side))
			return MW_ENOMEM;
	}
	uint32_t n = (uint32_t)s->side.n;
	code = code ? code : mw_shape_unique(&s->shape, s->side.v, &n);
	s->side.n = n;
	for (uint32_t i = 0; i < n && !code && s->found; i++) {
		uint32_t face = s->side.v[i].tag;

		place(s, s->m->face.v[face].line, face - b->first);
		code = check_alignment(s, b, &s->m->face.v[face]);
	}
	return code;
}

/* "brush 3 of entity 2 (func_wall)", with the kind of a primitive */
static const char *which(const builder *s, const mw_qmap_brush *b, char out[128])
{
	mw_sv name = mw_qmap_get(s->m, &s->m->entity.v[s->at.entity], "classname");
	char kind[48] = "";

	if (b->kind != MW_QMAP_FACES)
		mw_format(kind, sizeof kind, ", brushDef%s in line %u",
			b->kind == MW_QMAP_BRUSHDEF3 ? "3" : "", b->name_line);
	mw_format(out, 128, "brush %u of entity %u (%.*s%s) ", s->at.brush, s->at.entity,
		(int)(name.n > 40 ? 40 : name.n), name.p ? name.p : "", kind);
	return out;
}

static mw_code take(void *ud, const mw_shape_finding *f)
{
	builder *s = ud;
	char name[128] = "";
	bool whole =
		strcmp(f->rule, "map-brush-open") == 0 || strcmp(f->rule, "map-brush-empty") == 0;

	return mw__qmap_shape(s->cx, s->found, s->m, &s->at, s->index,
		whole ? which(s, &s->m->brush.v[s->index], name) : "", f);
}

static mw_code one_brush(builder *s, uint32_t index)
{
	const mw_qmap_brush *b = &s->m->brush.v[index];
	mw_qmap_solids *out = s->out;
	mw_solid solid = {0};
	mw_closure how = MW_OPEN;

	s->index = index;
	mw_code code = collect_sides(s, b);
	if (!code)
		code = mw_shape_close(&s->shape, s->side.v, (uint32_t)s->side.n, &solid, &how);
	if (code)
		return code;
	out->how[out->brushes.brush.n] = how;
	if (how == MW_CLOSED) {
		out->faces[out->brushes.brush.n] = solid.n;
		out->closed_faces += solid.n;
		out->dropped += b->count - solid.n;
		out->volume += mw_solid_volume(&solid);
		for (uint32_t i = 0; i < solid.n; i++)
			for (uint32_t j = 0; j < solid.face[i].n; j++)
				mw_aabb_add(&out->bounds, solid.face[i].v[j].at, 0);
	} else {
		out->open++;
	}
	return mw_brushes_add(s->cx, &out->brushes, s->side.v, (uint32_t)s->side.n, 1, index);
}

mw_code mw_qmap_build(mw_ctx *cx, const mw_qmap *m, mw_qmap_solids *out, mw_qmap_findings *found)
{
	builder s = {.cx = cx, .m = m, .out = out, .found = found};
	mw_code code = mw_planes_init(cx, &out->planes);

	out->bounds = mw_aabb_empty();
	mw_arena_init(&s.arena, cx);
	s.shape = (mw_shape_builder){.cx = cx,
		.arena = &s.arena,
		.t = &out->planes,
		.sink = {found ? take : NULL, &s},
		.left_out = "; it is left out",
		.turned = "turned round",
		.turn = true};
	out->how = mw_alloc_n(cx, m->brush.n, sizeof *out->how);
	out->faces = mw_zalloc_n(cx, m->brush.n, sizeof *out->faces);
	if (!code && (!out->how || !out->faces))
		code = MW_ENOMEM;
	for (uint32_t e = 0; e < m->entity.n && !code; e++)
		for (uint32_t i = 0; i < m->entity.v[e].brushes && !code; i++) {
			uint32_t index = m->entity.v[e].first_brush + i;
			const mw_qmap_brush *b = &m->brush.v[index];
			mw_arena_mark mark = mw_arena_get_mark(&s.arena);

			s.at.entity = e;
			s.at.brush = i;
			if (b->kind == MW_QMAP_PATCH2 || b->kind == MW_QMAP_PATCH3)
				for (uint32_t k = 0; k < b->count; k++)
					mw_aabb_add(&out->bounds, m->control.v[b->first + k].at, 0);
			else if (b->rejected)
				out->open++;
			else if (b->kind != MW_QMAP_RAW)
				code = one_brush(&s, index);
			mw_arena_reset(&s.arena, mark);
		}
	mw_free(cx, s.side.v);
	mw_shape_builder_free(&s.shape);
	mw_arena_free(&s.arena);
	return code;
}

void mw_qmap_solids_free(mw_ctx *cx, mw_qmap_solids *s)
{
	mw_planes_free(cx, &s->planes);
	mw_brushes_free(cx, &s->brushes);
	mw_free(cx, s->how);
	mw_free(cx, s->faces);
	memset(s, 0, sizeof *s);
}

/* Solids to visible faces to batches of triangles. */
#include "compile/level_parts.h"

#include "base/hash.h"
#include "base/sort.h"

#include <float.h>
#include <string.h>

/* ---- triangles into batches ------------------------------------------------------------------ */

typedef struct {
	int32_t material;
	uint32_t poly;
} poly_order;

static int by_material(const void *a, const void *b, void *ud)
{
	const poly_order *x = a, *y = b;
	MW_UNUSED(ud);
	return x->material < y->material ? -1 : x->material > y->material;
}

/* Vertices of one batch by their bytes. */
typedef struct {
	uint32_t *slot; /* vertex + 1 */
	uint32_t slots;
} vertex_set;

#define VERTEX_BYTES offsetof(mw_level_vertex, color)

static mw_code grow(mw__level_work *w, vertex_set *set, const mw_level_batch *batch)
{
	uint32_t slots = set->slots ? set->slots * 2 : 256;
	uint32_t *slot = mw_zalloc_n(w->cx, slots, sizeof *slot);
	if (!slot)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < batch->vertices; i++) {
		const mw_level_vertex *v = &w->out->vertex.v[batch->first_vertex + i];
		uint32_t at = (uint32_t)mw_hash_bytes(v, VERTEX_BYTES).lo & (slots - 1);
		while (slot[at])
			at = (at + 1) & (slots - 1);
		slot[at] = i + 1;
	}
	mw_free(w->cx, set->slot);
	set->slot = slot;
	set->slots = slots;
	return MW_OK;
}

static mw_code put_vertex(mw__level_work *w, vertex_set *set, mw_level_batch *batch,
	const mw_level_vertex *v, uint32_t *index)
{
	if (set->slots < 2 * (batch->vertices + 1)) {
		mw_code rc = grow(w, set, batch);
		if (rc)
			return rc;
	}
	uint32_t at = (uint32_t)mw_hash_bytes(v, VERTEX_BYTES).lo & (set->slots - 1);
	for (; set->slot[at]; at = (at + 1) & (set->slots - 1)) {
		const mw_level_vertex *other =
			&w->out->vertex.v[batch->first_vertex + set->slot[at] - 1];
		if (memcmp(other, v, VERTEX_BYTES) == 0) {
			*index = set->slot[at] - 1;
			return MW_OK;
		}
	}
	*index = batch->vertices;
	set->slot[at] = ++batch->vertices;
	return MW_PUSH(w->cx, &w->out->vertex, *v) ? MW_OK : MW_ENOMEM;
}

/* A scale next to 0 asks for repeats beyond all floats: the picture is noise, the file is not to
 * be.
 */
static float uv32(double v)
{
	double most = (double)FLT_MAX;
	return (float)mw_single(v > most ? most : v >= -most ? v : -most);
}

static mw_level_vertex vertex_of(const mw_mesh *m, const mw_mesh_corner *c)
{
	mw_level_vertex v;
	memset(&v, 0, sizeof v);
	for (int i = 0; i < 3; i++) {
		v.pos[i] = (float)mw_single(m->vertex.v[c->vertex].v[i]);
		v.normal[i] = (float)mw_single(c->normal.v[i]);
	}
	for (int i = 0; i < 2; i++)
		v.uv[i] = uv32(c->uv.v[i]);
	v.color = 0xffffffffu;
	return v;
}

static mw_vec3 middle_of(const mw_mesh *m, const mw_mesh_poly *p)
{
	mw_vec3 middle = mw_v3(0, 0, 0);
	for (uint32_t k = 0; k < p->count; k++)
		middle = mw_along3(
			middle, m->vertex.v[m->corner.v[p->first + k].vertex], 1.0 / p->count);
	return middle;
}

/* Where the lamps are looked for from a corner: a little off the surface, towards the middle of its
 * polygon, so that it is in no wall that stands there. */
static mw_vec3 spot_of(const mw__level_work *w, const mw_mesh_poly *p, mw_vec3 at, mw_vec3 middle)
{
	double off = w->s->units_per_metre / 512;
	mw_vec3 to = mw_sub3(middle, at);
	double length = mw_len3(to);
	at = mw_along3(at, p->normal, off);
	return length > 0 ? mw_along3(at, to, (length > 4 * off ? off : length / 4) / length) : at;
}

static mw_code emit_poly(mw__level_work *w, const mw_mesh *m, uint32_t poly, vertex_set *set,
	mw_level_batch *batch, mw_mesh_indices *tri)
{
	const mw_mesh_poly *p = &m->poly.v[poly];
	tri->n = 0;
	mw_code rc = mw_mesh_triangles(w->cx, m, poly, tri);
	if (rc || tri->n == 0)
		return rc;
	uint32_t *index = mw_alloc_n(w->cx, p->count, sizeof *index);
	if (!index)
		return MW_ENOMEM;
	memset(index, 0xff, p->count * sizeof *index);
	mw_vec3 middle = w->o->bake ? middle_of(m, p) : mw_v3(0, 0, 0);
	for (size_t k = 0; k < tri->n && !rc; k++) {
		uint32_t corner = tri->v[k] - p->first;
		if (index[corner] == UINT32_MAX) {
			const mw_mesh_corner *c = &m->corner.v[tri->v[k]];
			mw_level_vertex v = vertex_of(m, c);
			rc = put_vertex(w, set, batch, &v, &index[corner]);
			mw__spot spot = {batch->first_vertex + index[corner],
				spot_of(w, p, m->vertex.v[c->vertex], middle)};
			if (!rc && w->o->bake && !MW_PUSH(w->cx, &w->spot, spot))
				rc = MW_ENOMEM;
		}
		if (!rc && !MW_PUSH(w->cx, &w->out->index, index[corner]))
			rc = MW_ENOMEM;
	}
	batch->indices = (uint32_t)w->out->index.n - batch->first_index;
	mw_free(w->cx, index);
	return rc;
}

mw_code mw__level_emit(mw__level_work *w, const mw_mesh *m, uint8_t source, uint32_t model)
{
	poly_order *order = mw_alloc_n(w->cx, m->poly.n + 1, sizeof *order);
	vertex_set set = {0};
	mw_mesh_indices tri = {0};
	mw_code rc = order ? MW_OK : MW_ENOMEM;
	for (uint32_t i = 0; i < m->poly.n && !rc; i++)
		order[i] = (poly_order){(int32_t)m->poly.v[i].tag, i};
	if (!rc)
		rc = mw_sort(w->cx, order, m->poly.n, sizeof *order, by_material, NULL);
	for (size_t i = 0; i < m->poly.n && !rc;) {
		mw_level_batch b = {.material = order[i].material,
			.source = source,
			.model = (int32_t)model,
			.first_vertex = (uint32_t)w->out->vertex.n,
			.first_index = (uint32_t)w->out->index.n};
		if (set.slots)
			memset(set.slot, 0, set.slots * sizeof *set.slot);
		for (; i < m->poly.n && order[i].material == b.material && !rc; i++)
			rc = emit_poly(w, m, order[i].poly, &set, &b, &tri);
		if (!rc && b.indices && !MW_PUSH(w->cx, &w->out->batch, b))
			rc = MW_ENOMEM;
	}
	mw_free(w->cx, tri.v);
	mw_free(w->cx, set.slot);
	mw_free(w->cx, order);
	return rc;
}

/* ---- brushes --------------------------------------------------------------------------------- */

mw_code mw__level_group_of(
	mw__level_work *w, uint32_t owner, bool (*want)(uint32_t contents), mw__level_group *out)
{
	const mw_scene *s = w->s;
	const uint32_t *from = w->brush_from + owner;
	size_t n = 0;
	memset(out, 0, sizeof *out);
	out->solid = mw_arena_alloc(&w->arena, (from[1] - from[0] + 1) * sizeof *out->solid);
	if (!out->solid)
		return MW_ENOMEM;
	for (uint32_t k = from[0]; k < from[1]; k++) {
		uint32_t i = w->brush_of[k];
		if (w->solid[i].n == 0 || !want(s->brushes.brush.v[i].contents))
			continue;
		mw_code rc = mw_brushes_copy(w->cx, &out->b, &s->brushes, i);
		if (rc)
			return rc;
		out->solid[n++] = w->solid[i];
	}
	return MW_OK;
}

static bool is_drawn(uint32_t contents)
{
	return contents == 0 ||
		(contents & (MW_CONTENTS_SOLID | MW_CONTENTS_WATER | MW_CONTENTS_SKY)) != 0;
}

/* All faces of all brushes, nothing hidden. */
static mw_code whole_faces(mw__level_work *w, const mw__level_group *g, mw_faces *out)
{
	for (uint32_t i = 0; i < g->b.brush.n; i++)
		for (uint32_t k = 0; k < g->solid[i].n; k++)
			if (!MW_PUSH(w->cx, out, ((mw_face){i, g->solid[i].face[k]})))
				return MW_ENOMEM;
	return MW_OK;
}

static bool is_shown(const mw__level_work *w, const mw__level_group *g, const mw_face *f)
{
	if (f->poly.tag != MW_TAG_NONE && (w->s->face.v[f->poly.tag].flags & MW_FACE_HIDDEN))
		return false;
	return !(w->o->skip_sky && (g->b.brush.v[f->brush].contents & MW_CONTENTS_SKY));
}

static double span(const mw_poly *p, int axis, double *low)
{
	double lo = p->v[0].at.v[axis], hi = lo;
	for (uint32_t i = 1; i < p->n; i++) {
		lo = p->v[i].at.v[axis] < lo ? p->v[i].at.v[axis] : lo;
		hi = p->v[i].at.v[axis] > hi ? p->v[i].at.v[axis] : hi;
	}
	*low = lo;
	return hi - lo;
}

#define GRID_CUTS 4096 /* across one face and axis */

/* Cut a face along the planes of a grid across one axis; appended to out. */
static mw_code cut_face(mw__level_work *w, const mw_face *f, int axis, double grid, mw_faces *out)
{
	double low, wide = span(&f->poly, axis, &low);
	mw_poly rest = f->poly;
	if (wide / grid <= GRID_CUTS) {
		for (double k = floor(low / grid) + 1; k * grid < low + wide; k++) {
			mw_vec3 n = mw_v3(0, 0, 0);
			mw_plane_id q;
			mw_poly front, back;
			n.v[axis] = 1;
			mw_code rc = mw_planes_add(w->cx, w->s->planes, &q, n, k * grid);
			if (rc)
				return rc;
			int side = mw_poly_side(w->s->planes, &rest, q, NULL);
			if (side == 1)
				continue;
			if (side != 3)
				break;
			rc = mw_poly_split(&w->arena, w->s->planes, &rest, q, &front, &back);
			if (rc)
				return rc;
			if (back.n && !MW_PUSH(w->cx, out, ((mw_face){f->brush, back})))
				return MW_ENOMEM;
			rest = front;
			if (!rest.n)
				return MW_OK;
		}
	}
	return MW_PUSH(w->cx, out, ((mw_face){f->brush, rest})) ? MW_OK : MW_ENOMEM;
}

static mw_code cut_faces(mw__level_work *w, mw_faces *faces)
{
	double grid = w->o->light_grid > 0 ? w->o->light_grid : 4 * w->s->units_per_metre;
	mw_code rc = MW_OK;
	if (!w->o->bake || w->o->light_grid < 0)
		return MW_OK;
	for (int axis = 0; axis < 3 && !rc; axis++) {
		mw_faces out = {0};
		for (size_t i = 0; i < faces->n && !rc; i++)
			rc = cut_face(w, &faces->v[i], axis, grid, &out);
		mw_free(w->cx, faces->v);
		*faces = out;
	}
	return rc;
}

/* Greatest coordinate, for what is small beside it. */
static double reach_of(const mw_mesh *m)
{
	double most = 0;
	for (size_t i = 0; i < m->vertex.n; i++)
		for (int k = 0; k < 3; k++)
			if (fabs(m->vertex.v[i].v[k]) > most)
				most = fabs(m->vertex.v[i].v[k]);
	return most;
}

/* Texture coordinates of all corners; tags turn from faces into materials. */
static void map_texture(mw__level_work *w, mw_mesh *m)
{
	for (size_t i = 0; i < m->poly.n; i++) {
		mw_mesh_poly *p = &m->poly.v[i];
		mw_texmap map = mw_scene_texmap(w->s, p->tag, p->normal);
		for (uint32_t k = 0; k < p->count; k++) {
			mw_mesh_corner *c = &m->corner.v[p->first + k];
			c->uv = mw_texmap_at(&map, m->vertex.v[c->vertex]);
			c->normal = p->normal;
		}
		p->tag = (uint32_t)(p->tag == MW_TAG_NONE ? -1 : w->s->face.v[p->tag].material);
	}
}

mw_code mw__level_brush_batches(mw__level_work *w, uint32_t owner, uint32_t model)
{
	mw__level_group g;
	mw_faces faces = {0};
	mw_mesh mesh = {0};
	mw_arena_mark mark = mw_arena_get_mark(&w->arena);
	mw_code rc = mw__level_group_of(w, owner, is_drawn, &g);
	if (rc)
		goto done;
	if (w->o->keep_hidden)
		rc = whole_faces(w, &g, &faces);
	else
		rc = mw_csg_faces(w->cx, &w->arena, w->s->planes, &g.b, g.solid, NULL, &faces);
	if (rc)
		goto done;
	size_t n = 0;
	for (size_t i = 0; i < faces.n; i++)
		if (is_shown(w, &g, &faces.v[i]))
			faces.v[n++] = faces.v[i];
	faces.n = n;
	if ((rc = cut_faces(w, &faces)) ||
		(rc = mw_mesh_add_faces(w->cx, &mesh, w->s->planes, faces.v, faces.n)))
		goto done;
	/* the mesh has all that is needed of the faces, and is about to need their memory */
	mw_free(w->cx, faces.v);
	faces.v = NULL;
	mw_arena_reset(&w->arena, mark);
	/* the float32 planes of neighbours need not meet in one point, nor do those of an editor
	 * that wrote three decimals; further apart than this (1/64 of a Quake unit) they were made
	 * so */
	double metre = w->s->units_per_metre, least = reach_of(&mesh) / 4194304;
	double weld = metre / 2048 > least ? metre / 2048 : least;
	if ((rc = mw_mesh_weld(w->cx, &mesh, weld)))
		goto done;
	/* places are told apart, and triangles cut, by what is written */
	for (size_t i = 0; i < mesh.vertex.n; i++)
		for (int k = 0; k < 3; k++)
			mesh.vertex.v[i].v[k] = mw_single(mesh.vertex.v[i].v[k] + 0.0);
	if ((rc = mw_mesh_fix_tjunctions(w->cx, &mesh, weld, NULL)))
		goto done;
	if (owner == 0 && w->notes && (rc = mw_mesh_open_edges(w->cx, &mesh, &w->notes->cracks)))
		goto done;
	map_texture(w, &mesh);
	rc = mw__level_emit(w, &mesh, 0, model);
done:
	mw_mesh_free(w->cx, &mesh);
	mw_free(w->cx, faces.v);
	mw_brushes_free(w->cx, &g.b);
	mw_arena_reset(&w->arena, mark);
	return rc;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

/* Append a mesh of the scene to m: material tags, smooth normals to come, texture coordinates. */
static mw_code add_mesh(mw__level_work *w, mw_mesh *m, const mw_scene_mesh *from)
{
	uint32_t base = (uint32_t)m->vertex.n;
	MW_ARRAY(uint32_t) index = {0};
	MW_ARRAY(mw_vec2) uv = {0};
	mw_code rc = MW_OK;
	if (!MW_RESERVE(w->cx, &m->vertex, base + from->vertex.n))
		return MW_ENOMEM;
	for (size_t i = 0; i < from->vertex.n; i++)
		m->vertex.v[m->vertex.n++] = from->vertex.v[i];
	for (size_t i = 0; i < from->poly.n && !rc; i++) {
		const mw_scene_poly *p = &from->poly.v[i];
		index.n = uv.n = 0;
		if (!MW_RESERVE(w->cx, &index, p->count) || !MW_RESERVE(w->cx, &uv, p->count))
			rc = MW_ENOMEM;
		for (uint32_t k = 0; k < p->count && !rc; k++) {
			index.v[k] = base + from->index.v[p->first + k];
			uv.v[k] = from->uv.v[p->first + k];
		}
		rc = rc ? rc
			: mw_mesh_add_indexed(w->cx, m, index.v, uv.v, p->count,
				  (uint32_t)p->material, p->smooth);
		if (rc)
			break;
		mw_mesh_poly *q = &m->poly.v[m->poly.n - 1];
		int flaws = mw_mesh_flaws(
			m, (uint32_t)m->poly.n - 1, 0.01 * w->s->units_per_metre / 32, 0.1);
		if (flaws && w->notes)
			w->notes->bad_polys++;
		if (p->has_uv)
			continue;
		mw_texset set = p->set;
		double tile[2];
		mw_scene_tile(w->s, p->material, tile);
		for (int a = 0; a < 2; a++)
			set.scale[a] = tile[a] * (set.scale[a] != 0 ? set.scale[a] : 1);
		mw_texmap map = mw_texmap_box(q->normal, &set);
		for (uint32_t k = 0; k < q->count; k++) {
			mw_mesh_corner *c = &m->corner.v[q->first + k];
			c->uv = mw_texmap_at(&map, m->vertex.v[c->vertex]);
		}
	}
	mw_free(w->cx, index.v);
	mw_free(w->cx, uv.v);
	return rc;
}

mw_code mw__level_mesh_batches(mw__level_work *w, uint32_t owner, uint32_t model)
{
	mw_mesh mesh = {0};
	mw_code rc = MW_OK;
	for (uint32_t k = w->mesh_from[owner]; k < w->mesh_from[owner + 1] && !rc; k++)
		rc = add_mesh(w, &mesh, &w->s->mesh.v[w->mesh_of[k]]);
	if (!rc && mesh.poly.n)
		rc = mw_mesh_normals(w->cx, &mesh);
	if (!rc && mesh.poly.n)
		rc = mw__level_emit(w, &mesh, 1, model);
	mw_mesh_free(w->cx, &mesh);
	return rc;
}

mw_code mw__level_hulls(mw__level_work *w)
{
	mw_mesh_indices tri = {0};
	mw_code rc = MW_OK;
	for (size_t i = 0; i < w->s->mesh.n && !rc; i++) {
		const mw_scene_mesh *from = &w->s->mesh.v[i];
		mw_mesh mesh = {0};
		mw_aabb box = mw_aabb_empty();
		if (from->flags & MW_MESH_NO_COLLISION)
			continue;
		mw_level_hull h = {.object = from->id, .first = (uint32_t)w->out->point.n};
		uint32_t bad = w->notes ? w->notes->bad_polys : 0;
		rc = add_mesh(w, &mesh, from);
		if (w->notes)
			w->notes->bad_polys = bad; /* counted with the batches */
		for (uint32_t p = 0; p < mesh.poly.n && !rc; p++) {
			tri.n = 0;
			rc = mw_mesh_triangles(w->cx, &mesh, p, &tri);
			for (size_t k = 0; k < tri.n && !rc; k++) {
				mw_vec3 v = mesh.vertex.v[mesh.corner.v[tri.v[k]].vertex];
				mw_level_point out;
				for (int a = 0; a < 3; a++) {
					v.v[a] = mw_single(v.v[a]);
					out.v[a] = (float)v.v[a];
				}
				mw_aabb_add(&box, v, 0);
				if (!MW_PUSH(w->cx, &w->out->point, out))
					rc = MW_ENOMEM;
			}
		}
		mw_mesh_free(w->cx, &mesh);
		h.points = (uint32_t)w->out->point.n - h.first;
		if (h.points) {
			h.box[0] = h.box[1] = h.box[2] = 1;
			h.box[3] = h.box[4] = h.box[5] = -1;
			mw__box_add(h.box, &box);
			if (!rc && !MW_PUSH(w->cx, &w->out->hull, h))
				rc = MW_ENOMEM;
		}
	}
	mw_free(w->cx, tri.v);
	return rc;
}

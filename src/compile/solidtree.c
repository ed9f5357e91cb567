/* Collision brushes, the tree over the world's, and the compile from end to end. */
#include "compile/level_parts.h"

#include <float.h>
#include <string.h>

/* ---- boxes of floats ------------------------------------------------------------------------- */

float mw__float_down(double v)
{
	float f = (float)mw_single(v);
	return (double)f > v ? nextafterf(f, -FLT_MAX) : f;
}

float mw__float_up(double v)
{
	float f = (float)mw_single(v);
	return (double)f < v ? nextafterf(f, FLT_MAX) : f;
}

void mw__box_add(float box[6], const mw_aabb *b)
{
	if (mw_aabb_is_empty(b))
		return;
	bool unset = box[0] > box[3];
	for (int i = 0; i < 3; i++) {
		float lo = mw__float_down(b->min.v[i]), hi = mw__float_up(b->max.v[i]);
		if (unset || lo < box[i])
			box[i] = lo;
		if (unset || hi > box[i + 3])
			box[i + 3] = hi;
	}
}

static void unset_box(float box[6])
{
	for (int i = 0; i < 6; i++)
		box[i] = i < 3 ? 1 : -1;
}

static void close_box(float box[6])
{
	if (box[0] > box[3])
		memset(box, 0, 6 * sizeof *box);
}

static mw_aabb aabb_of(const float box[6])
{
	mw_aabb b;
	b.min = mw_v3((double)box[0], (double)box[1], (double)box[2]);
	b.max = mw_v3((double)box[3], (double)box[4], (double)box[5]);
	return b;
}

/* ---- collision brushes ----------------------------------------------------------------------- */

static bool collides(uint32_t contents)
{
	return contents != 0;
}

/* A plane that touches the solid, as floats that keep all of it behind. */
static mw_level_plane bevel_plane(const mw_planes *t, mw_plane_id id, const mw_solid *s)
{
	mw_level_plane out;
	mw_plane p = mw_planes_get(t, id);
	double most = -HUGE_VAL;
	mw_vec3 n;
	for (int i = 0; i < 3; i++) {
		n.v[i] = mw_single(p.n.v[i]);
		out.v[i] = (float)n.v[i];
	}
	bool axial = t->exact.v[MW_PLANE_INDEX(id)].axis >= 0;
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->face[i].n; k++) {
			const mw_corner *c = &s->face[i].v[k];
			double d = mw_dot3(n, c->at) + c->err;
			/* the sum's own rounding */
			if (!axial)
				d += 4e-16 * (fabs(c->at.x) + fabs(c->at.y) + fabs(c->at.z));
			most = d > most ? d : most;
		}
	out.v[3] = mw__float_up(most);
	return out;
}

static mw_code add_solid(mw__level_work *w, const mw__level_group *g, uint32_t i)
{
	const mw_solid *s = &g->solid[i];
	mw_brushes bevelled = {0};
	mw_level_solid out = {.contents = g->b.brush.v[i].contents,
		.source = w->s->brush.v[g->b.brush.v[i].tag].id,
		.first = (uint32_t)w->out->plane.n};
	mw_code rc =
		mw_solid_bevel(w->cx, w->s->planes, s, w->o->bevels, out.contents, 0, &bevelled);
	for (uint32_t k = 0; k < bevelled.side.n && !rc; k++) {
		mw_level_plane p;
		/* the sides come first, in the order of the faces */
		if (k < s->n)
			mw_scene_plane_f32(w->s, &bevelled.side.v[k], p.v);
		else
			p = bevel_plane(w->s->planes, bevelled.side.v[k].plane, s);
		if (!MW_PUSH(w->cx, &w->out->plane, p))
			rc = MW_ENOMEM;
	}
	out.planes = (uint32_t)w->out->plane.n - out.first;
	unset_box(out.box);
	mw__box_add(out.box, &s->box);
	if (!rc && !MW_PUSH(w->cx, &w->out->solid, out))
		rc = MW_ENOMEM;
	mw_brushes_free(w->cx, &bevelled);
	return rc;
}

mw_code mw__level_solids(mw__level_work *w, uint32_t owner, mw_level_model *model)
{
	mw__level_group g;
	mw_arena_mark mark = mw_arena_get_mark(&w->arena);
	mw_code rc = mw__level_group_of(w, owner, collides, &g);
	model->first = (uint32_t)w->out->solid.n;
	for (uint32_t i = 0; i < g.b.brush.n && !rc; i++)
		rc = add_solid(w, &g, i);
	model->solids = (uint32_t)w->out->solid.n - model->first;
	mw_brushes_free(w->cx, &g.b);
	mw_arena_reset(&w->arena, mark);
	return rc;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Floats of every plane that a side of the world lies on, as the even id faces. */
typedef struct {
	mw_level_plane *plane; /* by plane index */
	uint8_t *known;
} plane_floats;

static void note_plane(mw__level_work *w, plane_floats *f, const mw_side *side)
{
	uint32_t i = MW_PLANE_INDEX(side->plane);
	if (f->known[i])
		return;
	mw_level_plane *p = &f->plane[i];
	mw_scene_plane_f32(w->s, side, p->v);
	for (int k = 0; k < 4 && (side->plane & 1); k++)
		p->v[k] = 0.0f - p->v[k];
	f->known[i] = 1;
}

static mw_code put_nodes(mw__level_work *w, const plane_floats *f, size_t planes)
{
	mw_level *out = w->out;
	int32_t *number = mw_arena_alloc(&w->arena, (planes + 1) * sizeof *number);
	if (!number)
		return MW_ENOMEM;
	memset(number, 0xff, planes * sizeof *number);
	for (size_t i = 0; i < w->bsp.node.n; i++) {
		const mw_bsp_node *n = &w->bsp.node.v[i];
		uint32_t at = MW_PLANE_INDEX(n->plane);
		bool turned = n->plane & 1; /* never: splitters face as the table has them */
		if (number[at] < 0) {
			mw_level_plane p;
			number[at] = (int32_t)out->tree_plane.n;
			if (f->known[at]) {
				p = f->plane[at];
			} else {
				mw_plane q = mw_planes_get(w->s->planes, n->plane & ~1u);
				for (int k = 0; k < 3; k++)
					p.v[k] = (float)mw_single(q.n.v[k]);
				p.v[3] = (float)mw_single(q.d);
				if ((double)p.v[3] != q.d)
					return mw_fail(w->cx, MW_EINVALID,
						"a splitting plane is no float32");
			}
			if (!MW_PUSH(w->cx, &out->tree_plane, p))
				return MW_ENOMEM;
		}
		mw_level_node node = {number[at], {n->child[turned], n->child[!turned]}};
		if (!MW_PUSH(w->cx, &out->node, node))
			return MW_ENOMEM;
	}
	return MW_OK;
}

mw_code mw__level_tree(mw__level_work *w)
{
	mw_level *out = w->out;
	mw__level_group g;
	mw_bsp_options o = {
		.leaf_size = w->o->leaf_size, .max_depth = w->o->max_depth, .single = true};
	mw_code rc = mw__level_group_of(w, 0, collides, &g);
	w->tree_brushes = g.b;
	if (rc)
		return rc;
	if ((rc = mw_bsp_build(w->cx, w->s->planes, &g.b, g.solid, &o, &w->bsp)))
		return rc;
	size_t planes = w->s->planes->unit.n;
	plane_floats f = {mw_arena_alloc(&w->arena, (planes + 1) * sizeof *f.plane),
		mw_arena_zalloc(&w->arena, planes + 1)};
	if (!f.plane || !f.known)
		return MW_ENOMEM;
	for (size_t i = 0; i < g.b.side.n; i++)
		note_plane(w, &f, &g.b.side.v[i]);
	if ((rc = put_nodes(w, &f, planes)))
		return rc;
	out->root = w->bsp.root;
	out->depth = w->bsp.depth;
	for (size_t i = 0; i < w->bsp.leaf.n; i++)
		if (!MW_PUSH(w->cx, &out->leaf,
			    ((mw_level_leaf){w->bsp.leaf.v[i].first, w->bsp.leaf.v[i].count})))
			return MW_ENOMEM;
	for (size_t i = 0; i < w->bsp.item.n; i++)
		if (!MW_PUSH(w->cx, &out->item, w->bsp.item.v[i]))
			return MW_ENOMEM;
	/* the world's brushes once more, over the same planes */
	const mw_level_model *world = &out->model.v[0];
	out->first_tree_solid = (uint32_t)out->solid.n;
	out->tree_solids = world->solids;
	if (!MW_RESERVE(w->cx, &out->solid, out->solid.n + world->solids))
		return MW_ENOMEM;
	unset_box(out->tree_box);
	for (uint32_t i = 0; i < world->solids; i++) {
		mw_level_solid s = out->solid.v[world->first + i];
		mw_aabb box = aabb_of(s.box);
		out->solid.v[out->solid.n++] = s;
		mw__box_add(out->tree_box, &box);
	}
	close_box(out->tree_box);
	return MW_OK;
}

/* ---- from end to end ------------------------------------------------------------------------- */

mw_level_options mw_level_options_default(void)
{
	mw_level_options o = {.bevels = MW_BEVEL_AXIAL};
	return o;
}

/* Every plane must survive as floats: the tree is decided for the planes that are written. */
static mw_code check_planes(mw__level_work *w)
{
	const mw_scene *s = w->s;
	for (size_t i = 0; i < s->brushes.side.n; i++) {
		float q[4];
		const mw_side *side = &s->brushes.side.v[i];
		mw_scene_plane_f32(s, side, q);
		mw_plane_id id = mw_planes_find(
			s->planes, mw_v3((double)q[0], (double)q[1], (double)q[2]), (double)q[3]);
		if (id != side->plane)
			return mw_fail(w->cx, MW_EINVALID,
				"the planes are no float32 numbers: round the scene first");
	}
	return MW_OK;
}

static mw_code make_solids(mw__level_work *w)
{
	const mw_scene *s = w->s;
	size_t n = s->brush.n;
	mw_closure *how = mw_arena_alloc(&w->arena, (n + 1) * sizeof *how);
	w->solid = mw_arena_alloc(&w->arena, (n + 1) * sizeof *w->solid);
	if (!w->solid || !how)
		return MW_ENOMEM;
	mw_code rc = mw_solids_make(&w->arena, s->planes, &s->brushes, w->solid, how);
	for (uint32_t i = 0; i < n && !rc; i++) {
		if (how[i] == MW_CLOSED)
			continue;
		w->solid[i].n = 0;
		uint32_t *count = how[i] == MW_OPEN ? &w->notes->open : &w->notes->empty;
		uint32_t *first =
			how[i] == MW_OPEN ? &w->notes->first_open : &w->notes->first_empty;
		if ((*count)++ == 0)
			*first = i;
	}
	return rc;
}

/* Sort things by owner: of[from[o]] up to of[from[o + 1]] are the things of o, ascending.
 * [from: owners + 1] [of: n] */
static void by_owner(
	const uint32_t *owner, uint32_t n, uint32_t owners, uint32_t *from, uint32_t *of)
{
	memset(from, 0, (owners + 1) * sizeof *from);
	for (uint32_t i = 0; i < n; i++)
		from[owner[i] + 1]++;
	for (uint32_t o = 0; o < owners; o++)
		from[o + 1] += from[o];
	for (uint32_t i = 0; i < n; i++)
		of[from[owner[i]]++] = i;
	for (uint32_t o = owners; o > 0; o--)
		from[o] = from[o - 1];
	from[0] = 0;
}

static mw_code sort_by_owner(mw__level_work *w)
{
	const mw_scene *s = w->s;
	uint32_t owners = (uint32_t)s->entity.n + 1;
	uint32_t brushes = (uint32_t)s->brush.n, meshes = (uint32_t)s->mesh.n;
	uint32_t most = brushes > meshes ? brushes : meshes;
	w->brush_from = mw_arena_alloc(&w->arena, (owners + 1) * sizeof *w->brush_from);
	w->mesh_from = mw_arena_alloc(&w->arena, (owners + 1) * sizeof *w->mesh_from);
	w->brush_of = mw_arena_alloc(&w->arena, brushes * sizeof *w->brush_of);
	w->mesh_of = mw_arena_alloc(&w->arena, meshes * sizeof *w->mesh_of);
	mw_arena_mark mark = mw_arena_get_mark(&w->arena);
	uint32_t *owner = mw_arena_alloc(&w->arena, most * sizeof *owner);
	if (!w->brush_from || !w->mesh_from || !w->brush_of || !w->mesh_of || !owner)
		return MW_ENOMEM;
	for (uint32_t i = 0; i < brushes; i++)
		owner[i] = s->brush.v[i].owner;
	by_owner(owner, brushes, owners, w->brush_from, w->brush_of);
	for (uint32_t i = 0; i < meshes; i++)
		owner[i] = s->mesh.v[i].owner;
	by_owner(owner, meshes, owners, w->mesh_from, w->mesh_of);
	mw_arena_reset(&w->arena, mark);
	return MW_OK;
}

/* Model 0, then one for each entity that owns something, in their order. */
static mw_code make_models(mw__level_work *w)
{
	const mw_scene *s = w->s;
	for (uint32_t owner = 0; owner <= s->entity.n; owner++) {
		const uint32_t *brush = w->brush_from + owner, *mesh = w->mesh_from + owner;
		mw_level_model m = {.entity = owner ? s->entity.v[owner - 1].id : 0};
		uint32_t number = (uint32_t)w->out->model.n;
		if (owner && brush[0] == brush[1] && mesh[0] == mesh[1])
			continue;
		mw_code rc = mw__level_solids(w, owner, &m);
		rc = rc ? rc : mw__level_brush_batches(w, owner, number);
		rc = rc ? rc : mw__level_mesh_batches(w, owner, number);
		if (rc)
			return rc;
		unset_box(m.box);
		for (uint32_t i = brush[0]; i < brush[1]; i++)
			if (w->solid[w->brush_of[i]].n)
				mw__box_add(m.box, &w->solid[w->brush_of[i]].box);
		for (uint32_t i = mesh[0]; i < mesh[1]; i++) {
			const mw_scene_mesh *from = &s->mesh.v[w->mesh_of[i]];
			mw_aabb box = mw_aabb_empty();
			for (size_t k = 0; k < from->vertex.n; k++)
				mw_aabb_add(&box, from->vertex.v[k], 0);
			mw__box_add(m.box, &box);
		}
		close_box(m.box);
		if (!MW_PUSH(w->cx, &w->out->model, m))
			return MW_ENOMEM;
	}
	return MW_OK;
}

static void make_bounds(mw__level_work *w)
{
	mw_level *out = w->out;
	mw_aabb seen = mw_aabb_empty();
	unset_box(out->box);
	for (size_t i = 0; i < out->vertex.n; i++)
		mw_aabb_add(&seen,
			mw_v3((double)out->vertex.v[i].pos[0], (double)out->vertex.v[i].pos[1],
				(double)out->vertex.v[i].pos[2]),
			0);
	mw__box_add(out->box, &seen);
	for (size_t i = 0; i < w->s->brush.n; i++)
		if (w->s->brush.v[i].owner == 0 && w->solid[i].n)
			mw__box_add(out->box, &w->solid[i].box);
	for (size_t i = 0; i < out->hull.n; i++) {
		mw_aabb box = aabb_of(out->hull.v[i].box);
		mw__box_add(out->box, &box);
	}
	close_box(out->box);
}

static mw_code bake_vertices(mw__level_work *w)
{
	mw_level *out = w->out;
	size_t n = out->vertex.n;
	mw_light_sample *sample = mw_zalloc_n(w->cx, n + 1, sizeof *sample);
	mw_vec3 *spot = mw_alloc_n(w->cx, w->spot.n + 1, sizeof *spot);
	uint32_t *color = mw_alloc_n(w->cx, n + 1, sizeof *color);
	mw_code rc = sample && spot && color ? MW_OK : MW_ENOMEM;
	if (rc)
		goto done;
	for (size_t i = 0; i < w->spot.n; i++)
		sample[w->spot.v[i].vertex].count++;
	uint32_t first = 0;
	for (size_t i = 0; i < n; i++) {
		const mw_level_vertex *v = &out->vertex.v[i];
		for (int k = 0; k < 3; k++) {
			sample[i].pos.v[k] = (double)v->pos[k];
			sample[i].normal.v[k] = (double)v->normal[k];
		}
		sample[i].first = first;
		first += sample[i].count;
		sample[i].count = 0;
	}
	for (size_t i = 0; i < w->spot.n; i++) {
		mw_light_sample *s = &sample[w->spot.v[i].vertex];
		spot[s->first + s->count++] = w->spot.v[i].at;
	}
	rc = mw_level_bake(
		w->cx, out, w->s->planes, &w->tree_brushes, &w->bsp, sample, n, spot, color);
	for (size_t i = 0; i < n && !rc; i++)
		out->vertex.v[i].color = color[i];
	out->baked = 1;
done:
	mw_free(w->cx, sample);
	mw_free(w->cx, spot);
	mw_free(w->cx, color);
	return rc;
}

mw_code mw_level_compile(
	mw_ctx *cx, mw_level *out, mw_scene *s, const mw_level_options *o, mw_level_notes *notes)
{
	mw_level_options plain = mw_level_options_default();
	mw_level_notes own;
	mw__level_work w = {.cx = cx, .s = s, .o = o ? o : &plain, .out = out};
	w.notes = notes ? notes : &own;
	*w.notes = (mw_level_notes){.first_open = MW_TAG_NONE, .first_empty = MW_TAG_NONE};
	mw_arena_init(&w.arena, cx);
	for (int k = 0; k < 3; k++)
		out->ambient[k] = (float)s->ambient[k];
	out->units_per_metre = (float)s->units_per_metre;
	mw_code rc = check_planes(&w);
	rc = rc ? rc : make_solids(&w);
	rc = rc ? rc : sort_by_owner(&w);
	rc = rc ? rc : make_models(&w);
	rc = rc ? rc : mw__level_tree(&w);
	rc = rc ? rc : mw__level_hulls(&w);
	rc = rc ? rc : mw_level_lights(cx, out, s);
	if (!rc)
		make_bounds(&w);
	if (!rc && w.o->bake)
		rc = bake_vertices(&w);
	mw_free(cx, w.spot.v);
	mw_bsp_free(cx, &w.bsp);
	mw_brushes_free(cx, &w.tree_brushes);
	mw_arena_free(&w.arena);
	if (rc)
		mw_level_free(cx, out);
	return rc;
}

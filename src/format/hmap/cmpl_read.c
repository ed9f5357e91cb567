/* The compiled chunk (spec: "CMPL (compiled)"). */
#include "format/hmap/hmap_internal.h"

#include <string.h>

static void box(mw_rd *r, float out[6], const char *name)
{
	mw__hmap_floats(r, out, 6, name);
}

/* Make room for n more; false with r failed. */
#define MORE(r, array, count)                                                                      \
	((array)->n + (size_t)(count) <= UINT32_MAX                                                \
			? (MW_RESERVE((r)->cx, (array), (array)->n + (size_t)(count))              \
					  ? true                                                   \
					  : ((r)->failed = true, false))                           \
			: (mw_rd_fail((r), MW_ELIMIT, "more than 2^32 of them"), false))

static void read_batch(mw_rd *r, mw_level *l)
{
	mw_level_batch b = {0};
	b.material = mw_rd_i32(r, "batch.material");
	b.source = mw_rd_u8(r, "batch.source");
	b.model = mw_rd_i32(r, "batch.model");
	b.first_vertex = (uint32_t)l->vertex.n;
	b.vertices = mw_rd_count(r, 36, "batch.vertexCount");
	if (r->failed || !MORE(r, &l->vertex, b.vertices))
		return;
	for (uint32_t i = 0; i < b.vertices && !r->failed; i++) {
		mw_level_vertex v;
		float f[8] = {0};
		mw__hmap_floats(r, f, 8, "batch.vertex");
		memcpy(v.pos, f, sizeof v.pos);
		memcpy(v.normal, f + 3, sizeof v.normal);
		memcpy(v.uv, f + 6, sizeof v.uv);
		v.color = mw_rd_u32(r, "batch.vertex.color");
		l->vertex.v[l->vertex.n++] = v;
	}
	b.first_index = (uint32_t)l->index.n;
	b.indices = mw_rd_count(r, 4, "batch.indexCount");
	if (r->failed || !MORE(r, &l->index, b.indices))
		return;
	for (uint32_t i = 0; i < b.indices; i++)
		l->index.v[l->index.n++] = mw_rd_u32(r, "batch.index");
	if (!r->failed && !MW_PUSH(r->cx, &l->batch, b))
		r->failed = true;
}

static void read_solid(mw_rd *r, mw_level *l)
{
	mw_level_solid s = {0};
	s.contents = mw_rd_u32(r, "collisionBrush.contents");
	s.source = mw_rd_u32(r, "collisionBrush.sourceId");
	box(r, s.box, "collisionBrush.aabb");
	s.first = (uint32_t)l->plane.n;
	s.planes = mw_rd_count(r, 16, "collisionBrush.planeCount");
	if (r->failed || !MORE(r, &l->plane, s.planes))
		return;
	for (uint32_t i = 0; i < s.planes && !r->failed; i++) {
		mw_level_plane p = {{0}};
		mw__hmap_plane(r, p.v, "collisionBrush.plane");
		l->plane.v[l->plane.n++] = p;
	}
	if (!r->failed && !MW_PUSH(r->cx, &l->solid, s))
		r->failed = true;
}

static void read_models(mw_rd *r, mw_level *l)
{
	uint32_t n = mw_rd_count(r, 32, "CMPL.modelCount");
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		mw_level_model m = {0};
		m.entity = mw_rd_u32(r, "model.entityId");
		box(r, m.box, "model.aabb");
		m.first = (uint32_t)l->solid.n;
		m.solids = mw_rd_count(r, 36, "model.brushCount");
		for (uint32_t k = 0; k < m.solids && !r->failed; k++)
			read_solid(r, l);
		if (!r->failed && !MW_PUSH(r->cx, &l->model, m))
			r->failed = true;
	}
}

static void read_tree(mw_rd *r, mw_level *l)
{
	l->root = mw_rd_i32(r, "BSP.root");
	l->depth = mw_rd_u32(r, "BSP.depth");
	box(r, l->tree_box, "BSP.aabb");
	uint32_t n = mw_rd_count(r, 16, "BSP.planeCount");
	if (r->failed || !MORE(r, &l->tree_plane, n))
		return;
	for (uint32_t i = 0; i < n && !r->failed; i++)
		mw__hmap_plane(r, l->tree_plane.v[l->tree_plane.n++].v, "BSP.plane");
	n = mw_rd_count(r, 12, "BSP.nodeCount");
	if (r->failed || !MORE(r, &l->node, n))
		return;
	for (uint32_t i = 0; i < n; i++) {
		mw_level_node node;
		node.plane = mw_rd_i32(r, "BSP.node.plane");
		node.child[0] = mw_rd_i32(r, "BSP.node.front");
		node.child[1] = mw_rd_i32(r, "BSP.node.back");
		l->node.v[l->node.n++] = node;
	}
	n = mw_rd_count(r, 8, "BSP.leafCount");
	if (r->failed || !MORE(r, &l->leaf, n))
		return;
	for (uint32_t i = 0; i < n; i++) {
		mw_level_leaf leaf;
		leaf.first = mw_rd_u32(r, "BSP.leaf.firstBrush");
		leaf.count = mw_rd_u32(r, "BSP.leaf.brushCount");
		l->leaf.v[l->leaf.n++] = leaf;
	}
	n = mw_rd_count(r, 4, "BSP.leafBrushCount");
	if (r->failed || !MORE(r, &l->item, n))
		return;
	for (uint32_t i = 0; i < n; i++)
		l->item.v[l->item.n++] = mw_rd_u32(r, "BSP.leafBrush");
	l->first_tree_solid = (uint32_t)l->solid.n;
	l->tree_solids = mw_rd_count(r, 36, "BSP.brushCount");
	for (uint32_t i = 0; i < l->tree_solids && !r->failed; i++)
		read_solid(r, l);
}

static void read_hulls(mw_rd *r, mw_level *l)
{
	uint32_t n = mw_rd_count(r, 32, "CMPL.meshCollCount");
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		mw_level_hull h = {0};
		h.object = mw_rd_u32(r, "meshColl.objectId");
		box(r, h.box, "meshColl.aabb");
		h.first = (uint32_t)l->point.n;
		h.points = mw_rd_count(r, 12, "meshColl.vertexCount");
		if (r->failed || !MORE(r, &l->point, h.points))
			return;
		if (h.points)
			mw__hmap_floats(r, l->point.v[l->point.n].v, 3 * (size_t)h.points,
				"meshColl.vertices");
		l->point.n += h.points;
		if (!r->failed && !MW_PUSH(r->cx, &l->hull, h))
			r->failed = true;
	}
}

static void read_lights(mw_rd *r, mw_level *l)
{
	uint32_t n = mw_rd_count(r, 1 + 36 + 16 + 4, "CMPL.lightCount");
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		mw_level_light x = {0};
		size_t at = r->at;
		x.kind = mw_rd_u8(r, "light.type");
		if (!r->failed && x.kind > MW_LIGHT_SUN) {
			r->at = at;
			(void)mw_rd_fail(
				r, MW_EFORMAT, "light.type: %u, must be 0..2", (unsigned)x.kind);
			return;
		}
		mw__hmap_floats(r, x.pos, 3, "light.pos");
		mw__hmap_floats(r, x.dir, 3, "light.dir");
		mw__hmap_floats(r, x.color, 3, "light.color");
		mw__hmap_floats(r, &x.intensity, 1, "light.intensity");
		mw__hmap_floats(r, &x.radius, 1, "light.radius");
		mw__hmap_floats(r, &x.inner, 1, "light.innerDeg");
		mw__hmap_floats(r, &x.outer, 1, "light.outerDeg");
		x.entity = mw_rd_u32(r, "light.entityId");
		if (!r->failed && !MW_PUSH(r->cx, &l->light, x))
			r->failed = true;
	}
}

void mw__hmap_read_level(mw_rd *r, mw_level *l)
{
	mw__hmap_floats(r, l->ambient, 3, "CMPL.ambient");
	mw__hmap_floats(r, &l->units_per_metre, 1, "CMPL.unitsPerMeter");
	l->baked = mw_rd_u8(r, "CMPL.baked");
	box(r, l->box, "CMPL.bounds");
	uint32_t n = mw_rd_count(r, 17, "CMPL.batchCount");
	for (uint32_t i = 0; i < n && !r->failed; i++)
		read_batch(r, l);
	read_models(r, l);
	read_tree(r, l);
	read_hulls(r, l);
	read_lights(r, l);
}

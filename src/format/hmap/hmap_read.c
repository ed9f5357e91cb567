#include "format/hmap/hmap_internal.h"

#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void mw_hmap_init(mw_hmap *h, mw_ctx *cx)
{
	memset(h, 0, sizeof *h);
	mw_arena_init(&h->mem, cx);
	h->version = MW_HMAP_VERSION;
	h->name = "";
	h->grid = 1;
	h->units_per_metre = 1;
	h->next_id = 1;
	h->level.root = -1;
}

void mw_hmap_free(mw_ctx *cx, mw_hmap *h)
{
	mw_free(cx, h->chunk.v);
	mw_free(cx, h->material.v);
	mw_free(cx, h->brush.v);
	mw_free(cx, h->face.v);
	mw_free(cx, h->mesh.v);
	mw_free(cx, h->vertex.v);
	mw_free(cx, h->poly.v);
	mw_free(cx, h->index.v);
	mw_free(cx, h->uv.v);
	mw_free(cx, h->entity.v);
	mw_free(cx, h->pair.v);
	mw_level_free(cx, &h->level);
	if (h->mem.cx)
		mw_arena_free(&h->mem);
	memset(h, 0, sizeof *h);
}

bool mw_hmap_has(const mw_hmap *h, uint32_t tag)
{
	for (size_t i = 0; i < h->chunk.n; i++)
		if (h->chunk.v[i].known && h->chunk.v[i].tag == tag)
			return true;
	return false;
}

bool mw_hmap_probe(const uint8_t *bytes, size_t n)
{
	return n >= 4 && memcmp(bytes, MW_HMAP_MAGIC, 4) == 0;
}

mw_code mw_hmap_report(mw_ctx *cx, mw_hmap_findings *to, mw_hmap_level level, const char *rule,
	uint32_t tag, int64_t offset, const char *fmt, ...)
{
	mw_hmap_finding f = {.level = level,
		.rule = rule,
		.tag = tag,
		.offset = offset,
		.entity = MW_HMAP_NONE,
		.brush = MW_HMAP_NONE,
		.mesh = MW_HMAP_NONE,
		.face = MW_HMAP_NONE};
	va_list ap;
	if (!to)
		return MW_OK;
	va_start(ap, fmt);
	(void)mw_vformat(f.msg, sizeof f.msg, fmt, ap);
	va_end(ap);
	return MW_PUSH(cx, to, f) ? MW_OK : MW_ENOMEM;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

void mw__hmap_floats(mw_rd *r, float *out, size_t n, const char *name)
{
	if (!mw_rd_f32v(r, out, n, name))
		return;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(out[i])) {
			r->at -= (n - i) * 4;
			(void)mw_rd_fail(r, MW_EFORMAT, "%s: not a finite number", name);
			return;
		}
	}
}

void mw__hmap_plane(mw_rd *r, float out[4], const char *name)
{
	mw__hmap_floats(r, out, 4, name);
	if (r->failed)
		return;
	double len = 0;
	for (int i = 0; i < 3; i++)
		len += (double)out[i] * (double)out[i];
	len = sqrt(len);
	if (!(fabs(len - 1) <= 1e-3)) {
		r->at -= 16;
		(void)mw_rd_fail(r, MW_EFORMAT, "%s: the normal has length %.6g, not 1", name, len);
	}
}

static const char *text(mw_rd *r, mw_hmap *h, const char *name)
{
	size_t n, at = r->at;
	const char *p = mw_rd_str32(r, &n, name);
	if (!p)
		return "";
	if (memchr(p, 0, n)) {
		r->at = at;
		(void)mw_rd_fail(r, MW_EFORMAT, "%s: holds a zero byte", name);
		return "";
	}
	const char *copy = mw_arena_strdup(&h->mem, p, n);
	if (!copy)
		r->failed = true;
	return copy ? copy : "";
}

/* A count of records of at least that many bytes, with room for them in an array. */
#define ROOM(r, array, each, name)                                                                 \
	room((r), (void **)(void *)&(array)->v, &(array)->cap, (array)->n, sizeof *(array)->v,     \
		(each), (name))

static uint32_t room(
	mw_rd *r, void **v, size_t *cap, size_t have, size_t size, size_t each, const char *name)
{
	uint32_t n = mw_rd_count(r, each, name);
	if (r->failed)
		return 0;
	if (have + n > UINT32_MAX) {
		(void)mw_rd_fail(r, MW_ELIMIT, "%s: more than 2^32 in all", name);
		return 0;
	}
	if (!mw_array_reserve(r->cx, v, cap, have + n, size)) {
		r->failed = true;
		return 0;
	}
	return n;
}

static mw_hmap_uv uv_of(mw_rd *r, const char *name)
{
	float v[5] = {0};
	mw__hmap_floats(r, v, 5, name);
	return (mw_hmap_uv){{v[0], v[1]}, {v[2], v[3]}, v[4]};
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static void read_meta(mw_rd *r, mw_hmap *h)
{
	h->name = text(r, h, "META.name");
	mw__hmap_floats(r, h->ambient, 3, "META.ambient");
	mw__hmap_floats(r, &h->grid, 1, "META.gridSize");
	mw__hmap_floats(r, &h->units_per_metre, 1, "META.unitsPerMeter");
	h->next_id = mw_rd_u32(r, "META.nextId");
}

static void read_mats(mw_rd *r, mw_hmap *h)
{
	uint32_t n = ROOM(r, &h->material, 4 + 4 + 8 + 12 + 4, "MATS.n");
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		mw_hmap_material m = {.offset = r->base + r->at};
		m.name = text(r, h, "material.name");
		m.texture = text(r, h, "material.texture");
		mw__hmap_floats(r, m.tile, 2, "material.tileSize");
		mw__hmap_floats(r, m.color, 3, "material.color");
		m.flags = mw_rd_u32(r, "material.flags");
		h->material.v[h->material.n++] = m;
	}
}

static void read_brsh(mw_rd *r, mw_hmap *h)
{
	uint32_t n = ROOM(r, &h->brush, 20, "BRSH.n");
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		mw_hmap_brush b = {.offset = r->base + r->at};
		b.id = mw_rd_u32(r, "brush.id");
		b.owner = mw_rd_u32(r, "brush.owner");
		b.contents = mw_rd_u32(r, "brush.contents");
		b.flags = mw_rd_u32(r, "brush.flags");
		b.first = (uint32_t)h->face.n;
		b.faces = ROOM(r, &h->face, 16 + 4 + 20 + 4, "brush.faceCount");
		for (uint32_t k = 0; k < b.faces && !r->failed; k++) {
			mw_hmap_face f;
			mw__hmap_plane(r, f.plane, "face.plane");
			f.material = mw_rd_i32(r, "face.material");
			f.uv = uv_of(r, "face.uv");
			f.flags = mw_rd_u32(r, "face.flags");
			h->face.v[h->face.n++] = f;
		}
		h->brush.v[h->brush.n++] = b;
	}
}

static void read_poly(mw_rd *r, mw_hmap *h, const mw_hmap_mesh *m)
{
	mw_hmap_poly p = {.offset = r->base + r->at};
	p.material = mw_rd_i32(r, "poly.material");
	p.smooth = mw_rd_u32(r, "poly.smooth");
	p.uv = uv_of(r, "poly.uv");
	p.first = (uint32_t)h->index.n;
	p.indices = ROOM(r, &h->index, 4, "poly.idxCount");
	if (!r->failed && p.indices < 3)
		(void)mw_rd_fail(r, MW_EFORMAT, "poly.idxCount: %u corners are no polygon",
			(unsigned)p.indices);
	for (uint32_t k = 0; k < p.indices && !r->failed; k++) {
		uint32_t at = mw_rd_u32(r, "poly.index");
		if (!r->failed && at >= m->vertices) {
			r->at -= 4;
			(void)mw_rd_fail(r, MW_EFORMAT, "poly.index: %u of %u vertices",
				(unsigned)at, (unsigned)m->vertices);
		}
		h->index.v[h->index.n++] = at;
	}
	size_t before = r->at;
	p.first_uv = (uint32_t)h->uv.n;
	p.uvs = ROOM(r, &h->uv, 8, "poly.uvCount");
	if (!r->failed && p.uvs != 0 && p.uvs != p.indices) {
		r->at = before;
		(void)mw_rd_fail(r, MW_EFORMAT, "poly.uvCount: %u, must be 0 or idxCount (%u)",
			(unsigned)p.uvs, (unsigned)p.indices);
	}
	if (!r->failed && p.uvs) {
		mw__hmap_floats(r, h->uv.v[h->uv.n].v, 2 * (size_t)p.uvs, "poly.uvs");
		h->uv.n += p.uvs;
	}
	if (!r->failed && !MW_PUSH(r->cx, &h->poly, p))
		r->failed = true;
}

static void read_mesh(mw_rd *r, mw_hmap *h)
{
	uint32_t n = ROOM(r, &h->mesh, 12 + 4 + 4 + 4, "MESH.n");
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		mw_hmap_mesh m = {.offset = r->base + r->at};
		m.id = mw_rd_u32(r, "mesh.id");
		m.owner = mw_rd_u32(r, "mesh.owner");
		m.flags = mw_rd_u32(r, "mesh.flags");
		m.name = text(r, h, "mesh.name");
		m.first_vertex = (uint32_t)h->vertex.n;
		m.vertices = ROOM(r, &h->vertex, 12, "mesh.vertCount");
		if (!r->failed && m.vertices) {
			mw__hmap_floats(r, h->vertex.v[h->vertex.n].v, 3 * (size_t)m.vertices,
				"mesh.vertices");
			h->vertex.n += m.vertices;
		}
		m.first_poly = (uint32_t)h->poly.n;
		m.polys = mw_rd_count(r, 4 + 4 + 20 + 4 + 4, "mesh.polyCount");
		for (uint32_t k = 0; k < m.polys && !r->failed; k++)
			read_poly(r, h, &m);
		h->mesh.v[h->mesh.n++] = m;
	}
}

static void read_ents(mw_rd *r, mw_hmap *h)
{
	uint32_t n = ROOM(r, &h->entity, 8 + 4 + 36 + 4, "ENTS.n");
	for (uint32_t i = 0; i < n && !r->failed; i++) {
		mw_hmap_entity e = {.offset = r->base + r->at};
		e.id = mw_rd_u32(r, "entity.id");
		e.flags = mw_rd_u32(r, "entity.flags");
		e.classname = text(r, h, "entity.classname");
		mw__hmap_floats(r, e.origin, 3, "entity.origin");
		mw__hmap_floats(r, e.angles, 3, "entity.angles");
		mw__hmap_floats(r, e.scale, 3, "entity.scale");
		e.first = (uint32_t)h->pair.n;
		e.pairs = ROOM(r, &h->pair, 8, "entity.kvCount");
		for (uint32_t k = 0; k < e.pairs && !r->failed; k++) {
			mw_pair p;
			p.key = text(r, h, "entity.key");
			p.value = text(r, h, "entity.value");
			h->pair.v[h->pair.n++] = p;
		}
		h->entity.v[h->entity.n++] = e;
	}
}

static void read_cmpl(mw_rd *r, mw_hmap *h)
{
	mw__hmap_read_level(r, &h->level);
	if (!r->failed && mw_level_check(r->cx, &h->level))
		r->failed = true;
}

static const struct {
	uint32_t tag;
	void (*read)(mw_rd *r, mw_hmap *h);
} readers[] = {
	{MW_HMAP_META, read_meta},
	{MW_HMAP_MATS, read_mats},
	{MW_HMAP_BRSH, read_brsh},
	{MW_HMAP_MESH, read_mesh},
	{MW_HMAP_ENTS, read_ents},
	{MW_HMAP_CMPL, read_cmpl},
};

/* Forget what a chunk that turned out faulty left in the model. */
static void forget(mw_ctx *cx, mw_hmap *h, uint32_t tag)
{
	if (tag == MW_HMAP_META) {
		h->name = "";
		h->ambient[0] = h->ambient[1] = h->ambient[2] = 0;
		h->grid = h->units_per_metre = 1;
		h->next_id = 1;
	} else if (tag == MW_HMAP_MATS) {
		h->material.n = 0;
	} else if (tag == MW_HMAP_BRSH) {
		h->brush.n = h->face.n = 0;
	} else if (tag == MW_HMAP_MESH) {
		h->mesh.n = h->vertex.n = h->poly.n = h->index.n = h->uv.n = 0;
	} else if (tag == MW_HMAP_ENTS) {
		h->entity.n = h->pair.n = 0;
	} else {
		mw_level_free(cx, &h->level);
		h->level.root = -1;
	}
}

static bool printable(uint32_t tag)
{
	for (int i = 0; i < 4; i++) {
		uint32_t c = tag >> (8 * i) & 0xff;
		if (c < 33 || c > 126)
			return false;
	}
	return true;
}

static void tag_text(uint32_t tag, char out[12])
{
	if (printable(tag))
		(void)mw_format(out, 12, "%c%c%c%c", (int)(tag & 0xff), (int)(tag >> 8 & 0xff),
			(int)(tag >> 16 & 0xff), (int)(tag >> 24));
	else
		(void)mw_format(out, 12, "0x%08x", (unsigned)tag);
}

static mw_code keep_bytes(mw_hmap *h, mw_hmap_chunk *c, const uint8_t *p, size_t n)
{
	uint8_t *copy = mw_arena_alloc(&h->mem, n + 1);
	if (!copy)
		return MW_ENOMEM;
	if (n)
		memcpy(copy, p, n);
	c->bytes = copy;
	c->n = n;
	return MW_OK;
}

static mw_code read_chunk(
	mw_ctx *cx, mw_hmap *h, mw_hmap_findings *found, mw_rd *file, uint32_t tag, uint32_t size)
{
	char name[12];
	size_t which = 0, start = file->at;
	mw_hmap_chunk c = {.tag = tag, .offset = start - 8};
	while (which < MW_COUNTOF(readers) && readers[which].tag != tag)
		which++;
	tag_text(tag, name);
	mw_code rc = MW_OK;
	if (which < MW_COUNTOF(readers) && mw_hmap_has(h, tag)) {
		rc = mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-chunk-repeated", tag,
			(int64_t)c.offset, "a second %s chunk: the first counts", name);
	} else if (which < MW_COUNTOF(readers)) {
		mw_rd r = mw_rd_sub(file, start, size, name);
		readers[which].read(&r, h);
		c.known = !r.failed;
		if (r.failed && (!found || cx->err.code == MW_ENOMEM))
			return mw_note(cx, "%s", name);
		if (r.failed) {
			mw_err err = cx->err;
			mw_err_clear(cx);
			forget(cx, h, tag);
			rc = mw_hmap_report(cx, found, MW_HMAP_ERROR, "hmap-chunk", tag,
				err.offset == MW_ERR_NOWHERE ? (int64_t)c.offset : err.offset,
				"%s: %s%s%s", name, err.subject, err.subject[0] ? ": " : "",
				err.msg);
		} else if (mw_rd_left(&r)) {
			size_t left = mw_rd_left(&r);
			rc = mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-chunk-rest", tag,
				(int64_t)(start + r.at), "%s: %zu bytes behind its content", name,
				left);
			if (!rc)
				rc = keep_bytes(h, &c, file->p + start + r.at, left);
		}
	}
	if (!rc && !c.known)
		rc = keep_bytes(h, &c, file->p + start, size);
	if (!rc && !MW_PUSH(cx, &h->chunk, c))
		rc = MW_ENOMEM;
	return rc;
}

mw_code mw_hmap_read(
	mw_ctx *cx, mw_hmap *out, mw_hmap_findings *found, const uint8_t *bytes, size_t n)
{
	mw_rd r;
	mw_rd_init(&r, cx, bytes, n);
	const uint8_t *magic = mw_rd_bytes(&r, 4, "header.magic");
	if (magic && memcmp(magic, MW_HMAP_MAGIC, 4) != 0) {
		r.at = 0;
		return mw_rd_fail(&r, MW_EFORMAT, "header.magic: not a .hmap file");
	}
	out->version = mw_rd_u32(&r, "header.version");
	if (!r.failed && out->version != MW_HMAP_VERSION) {
		r.at = 4;
		return mw_rd_fail(&r, MW_EUNSUPPORTED, "header.version: %u, only %u is known",
			(unsigned)out->version, (unsigned)MW_HMAP_VERSION);
	}
	out->flags = mw_rd_u32(&r, "header.flags");
	out->file_bytes = n;
	while (!r.failed && mw_rd_left(&r)) {
		uint32_t tag = mw_rd_u32(&r, "chunk.tag");
		uint32_t size = mw_rd_u32(&r, "chunk.size");
		if (!r.failed && size > mw_rd_left(&r)) {
			char name[12];
			tag_text(tag, name);
			r.at -= 4;
			return mw_rd_fail(&r, MW_EFORMAT,
				"%s.size: %u bytes, the file has %zu left", name, (unsigned)size,
				mw_rd_left(&r) - 4);
		}
		if (r.failed)
			break;
		mw_code rc = read_chunk(cx, out, found, &r, tag, size);
		if (rc)
			return rc;
		mw_rd_skip(&r, size, "chunk");
	}
	mw_code rc = mw_rd_code(&r);
	if (!rc && found)
		rc = mw_hmap_check(cx, out, found);
	return rc;
}

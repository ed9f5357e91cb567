#include "format/hmap/hmap_internal.h"

#include <string.h>

static void put_text(mw_wr *w, const char *s)
{
	mw_wr_str32(w, s, strlen(s));
}

static void put_uv(mw_wr *w, const mw_hmap_uv *uv)
{
	mw_wr_f32v(w, uv->offset, 2);
	mw_wr_f32v(w, uv->scale, 2);
	mw_wr_f32(w, uv->rotation);
}

static void write_meta(mw_wr *w, const mw_hmap *h)
{
	put_text(w, h->name);
	mw_wr_f32v(w, h->ambient, 3);
	mw_wr_f32(w, h->grid);
	mw_wr_f32(w, h->units_per_metre);
	mw_wr_u32(w, h->next_id);
}

static void write_mats(mw_wr *w, const mw_hmap *h)
{
	mw_wr_u32(w, (uint32_t)h->material.n);
	for (size_t i = 0; i < h->material.n; i++) {
		const mw_hmap_material *m = &h->material.v[i];
		put_text(w, m->name);
		put_text(w, m->texture);
		mw_wr_f32v(w, m->tile, 2);
		mw_wr_f32v(w, m->color, 3);
		mw_wr_u32(w, m->flags);
	}
}

static void write_brsh(mw_wr *w, const mw_hmap *h)
{
	mw_wr_u32(w, (uint32_t)h->brush.n);
	for (size_t i = 0; i < h->brush.n; i++) {
		const mw_hmap_brush *b = &h->brush.v[i];
		mw_wr_u32(w, b->id);
		mw_wr_u32(w, b->owner);
		mw_wr_u32(w, b->contents);
		mw_wr_u32(w, b->flags);
		mw_wr_u32(w, b->faces);
		for (uint32_t k = 0; k < b->faces; k++) {
			const mw_hmap_face *f = &h->face.v[b->first + k];
			mw_wr_f32v(w, f->plane, 4);
			mw_wr_i32(w, f->material);
			put_uv(w, &f->uv);
			mw_wr_u32(w, f->flags);
		}
	}
}

static void write_mesh(mw_wr *w, const mw_hmap *h)
{
	mw_wr_u32(w, (uint32_t)h->mesh.n);
	for (size_t i = 0; i < h->mesh.n; i++) {
		const mw_hmap_mesh *m = &h->mesh.v[i];
		mw_wr_u32(w, m->id);
		mw_wr_u32(w, m->owner);
		mw_wr_u32(w, m->flags);
		put_text(w, m->name);
		mw_wr_u32(w, m->vertices);
		for (uint32_t k = 0; k < m->vertices; k++)
			mw_wr_f32v(w, h->vertex.v[m->first_vertex + k].v, 3);
		mw_wr_u32(w, m->polys);
		for (uint32_t k = 0; k < m->polys; k++) {
			const mw_hmap_poly *p = &h->poly.v[m->first_poly + k];
			mw_wr_i32(w, p->material);
			mw_wr_u32(w, p->smooth);
			put_uv(w, &p->uv);
			mw_wr_u32(w, p->indices);
			for (uint32_t c = 0; c < p->indices; c++)
				mw_wr_u32(w, h->index.v[p->first + c]);
			mw_wr_u32(w, p->uvs);
			for (uint32_t c = 0; c < p->uvs; c++)
				mw_wr_f32v(w, h->uv.v[p->first_uv + c].v, 2);
		}
	}
}

static void write_ents(mw_wr *w, const mw_hmap *h)
{
	mw_wr_u32(w, (uint32_t)h->entity.n);
	for (size_t i = 0; i < h->entity.n; i++) {
		const mw_hmap_entity *e = &h->entity.v[i];
		mw_wr_u32(w, e->id);
		mw_wr_u32(w, e->flags);
		put_text(w, e->classname);
		mw_wr_f32v(w, e->origin, 3);
		mw_wr_f32v(w, e->angles, 3);
		mw_wr_f32v(w, e->scale, 3);
		mw_wr_u32(w, e->pairs);
		for (uint32_t k = 0; k < e->pairs; k++) {
			put_text(w, h->pair.v[e->first + k].key);
			put_text(w, h->pair.v[e->first + k].value);
		}
	}
}

mw_code mw_hmap_write(mw_ctx *cx, mw_wr *out, const mw_hmap *h)
{
	mw_wr_bytes(out, MW_HMAP_MAGIC, 4);
	mw_wr_u32(out, h->version);
	mw_wr_u32(out, h->flags);
	for (size_t i = 0; i < h->chunk.n && !out->failed; i++) {
		const mw_hmap_chunk *c = &h->chunk.v[i];
		size_t mark = mw_wr_chunk(out, c->tag), start = out->n;
		if (!c->known)
			;
		else if (c->tag == MW_HMAP_META)
			write_meta(out, h);
		else if (c->tag == MW_HMAP_MATS)
			write_mats(out, h);
		else if (c->tag == MW_HMAP_BRSH)
			write_brsh(out, h);
		else if (c->tag == MW_HMAP_MESH)
			write_mesh(out, h);
		else if (c->tag == MW_HMAP_ENTS)
			write_ents(out, h);
		else
			mw__hmap_write_level(out, &h->level);
		mw_wr_bytes(out, c->bytes, c->n);
		if (!out->failed && out->n - start > UINT32_MAX)
			return mw_fail(cx, MW_ELIMIT, "a chunk of more than 2^32 bytes");
		mw_wr_chunk_end(out, mark);
	}
	return mw_wr_code(out);
}

/* ---- content --------------------------------------------------------------------------------- */

mw_code mw_hmap_set_content(mw_ctx *cx, mw_hmap *h, mw_hmap_content content)
{
	bool has_source = mw_hmap_has(h, MW_HMAP_BRSH) || mw_hmap_has(h, MW_HMAP_MESH);
	if (content != MW_HMAP_COMPILED && !has_source && mw_hmap_has(h, MW_HMAP_CMPL))
		return mw_fail(cx, MW_EINVALID,
			"the file holds compiled data only: there is no source to keep");
	if (content != MW_HMAP_SOURCE && !mw_hmap_has(h, MW_HMAP_CMPL))
		return mw_fail(cx, MW_EINVALID, "the level is not compiled");
	size_t n = 0;
	for (size_t i = 0; i < h->chunk.n; i++) {
		const mw_hmap_chunk *c = &h->chunk.v[i];
		bool source = c->tag == MW_HMAP_BRSH || c->tag == MW_HMAP_MESH;
		if ((c->tag == MW_HMAP_CMPL && content == MW_HMAP_SOURCE) ||
			(source && content == MW_HMAP_COMPILED))
			continue;
		h->chunk.v[n++] = *c;
	}
	h->chunk.n = n;
	h->flags &= ~(MW_HMAP_FLAG_SOURCE | MW_HMAP_FLAG_COMPILED);
	if (content != MW_HMAP_COMPILED)
		h->flags |= MW_HMAP_FLAG_SOURCE;
	if (content != MW_HMAP_SOURCE)
		h->flags |= MW_HMAP_FLAG_COMPILED;
	return MW_OK;
}

/* ---- as one of the formats of format/list.c -------------------------------------------------- */

static mw_code verify(mw_ctx *cx, const uint8_t *bytes, size_t n)
{
	mw_hmap h;
	mw_hmap_init(&h, cx);
	mw_code rc = mw_hmap_read(cx, &h, NULL, bytes, n);
	mw_hmap_free(cx, &h);
	return rc;
}

static mw_code rewrite(mw_ctx *cx, mw_wr *out, const uint8_t *bytes, size_t n)
{
	mw_hmap h;
	mw_hmap_findings found = {0};
	mw_hmap_init(&h, cx);
	mw_code rc = mw_hmap_read(cx, &h, &found, bytes, n);
	if (!rc)
		rc = mw_hmap_write(cx, out, &h);
	mw_free(cx, found.v);
	mw_hmap_free(cx, &h);
	return rc;
}

static const char *const extensions[] = {".hmap", NULL};

const mw_codec mw_hmap_codec = {
	.name = "hmap",
	.title = "Rockgrave level",
	.extensions = extensions,
	.probe = mw_hmap_probe,
	.verify = verify,
	.rewrite = rewrite,
};

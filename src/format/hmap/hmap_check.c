/* What is doubtful about a model that reads. */
#include "format/hmap/hmap_internal.h"

#include "base/sort.h"
#include "base/utf8.h"

#include <string.h>

int64_t mw__hmap_offset(const mw_hmap *h, uint32_t tag, size_t index)
{
	return (int64_t)(tag == MW_HMAP_BRSH  ? h->brush.v[index].offset
			: tag == MW_HMAP_MESH ? h->mesh.v[index].offset
					      : h->entity.v[index].offset);
}

void mw__hmap_place(const mw_hmap *h, mw_hmap_findings *found, uint32_t tag, size_t index)
{
	if (!found || !found->n)
		return;
	mw_hmap_finding *f = &found->v[found->n - 1];
	uint32_t owner = 0;
	if (tag == MW_HMAP_ENTS) {
		f->entity = (uint32_t)index;
	} else if (tag == MW_HMAP_BRSH) {
		f->brush = (uint32_t)index;
		owner = h->brush.v[index].owner;
	} else {
		f->mesh = (uint32_t)index;
		owner = h->mesh.v[index].owner;
	}
	for (size_t i = 0; owner && i < h->entity.n; i++)
		if (h->entity.v[i].id == owner) {
			f->entity = (uint32_t)i;
			break;
		}
}

typedef struct {
	uint32_t id;
	uint32_t tag; /* of the chunk it is in */
	uint32_t index;
} id_use;

static int by_id(const void *a, const void *b, void *ud)
{
	const id_use *x = a, *y = b;
	MW_UNUSED(ud);
	return x->id < y->id ? -1 : x->id > y->id;
}

static const char *kind(uint32_t tag)
{
	return tag == MW_HMAP_ENTS ? "entity" : tag == MW_HMAP_BRSH ? "brush" : "mesh";
}

static mw_code check_ids(mw_ctx *cx, const mw_hmap *h, mw_hmap_findings *found)
{
	MW_ARRAY(id_use) use = {0};
	mw_code rc = MW_ENOMEM;
	if (!MW_RESERVE(cx, &use, h->entity.n + h->brush.n + h->mesh.n))
		return MW_ENOMEM;
	for (size_t i = 0; i < h->entity.n; i++)
		use.v[use.n++] = (id_use){h->entity.v[i].id, MW_HMAP_ENTS, (uint32_t)i};
	for (size_t i = 0; i < h->brush.n; i++)
		use.v[use.n++] = (id_use){h->brush.v[i].id, MW_HMAP_BRSH, (uint32_t)i};
	for (size_t i = 0; i < h->mesh.n; i++)
		use.v[use.n++] = (id_use){h->mesh.v[i].id, MW_HMAP_MESH, (uint32_t)i};
	if ((rc = mw_sort(cx, use.v, use.n, sizeof *use.v, by_id, NULL)))
		goto done;
	for (size_t i = 0; i < use.n && !rc; i++) {
		const id_use *u = &use.v[i];
		int64_t at = mw__hmap_offset(h, u->tag, u->index);
		size_t before = found ? found->n : 0;
		if (u->id == 0)
			rc = mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-id-zero", u->tag, at,
				"%s %u has id 0, which is the world's", kind(u->tag),
				(unsigned)u->index);
		else if (i && use.v[i - 1].id == u->id)
			rc = mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-id-repeated", u->tag,
				at, "%s %u has the id %u of %s %u", kind(u->tag),
				(unsigned)u->index, (unsigned)u->id, kind(use.v[i - 1].tag),
				(unsigned)use.v[i - 1].index);
		else if (u->id >= h->next_id && mw_hmap_has(h, MW_HMAP_META))
			rc = mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-id-range", u->tag, at,
				"%s %u has id %u, nextId is %u", kind(u->tag), (unsigned)u->index,
				(unsigned)u->id, (unsigned)h->next_id);
		if (!rc && found && found->n > before)
			mw__hmap_place(h, found, u->tag, u->index);
	}
done:
	mw_free(cx, use.v);
	return rc;
}

/* Ids of entities, sorted, in mem. */
static mw_code entity_ids(mw_ctx *cx, const mw_hmap *h, id_use **out)
{
	*out = mw_alloc_n(cx, h->entity.n + 1, sizeof **out);
	if (!*out)
		return MW_ENOMEM;
	for (size_t i = 0; i < h->entity.n; i++)
		(*out)[i] = (id_use){h->entity.v[i].id, MW_HMAP_ENTS, (uint32_t)i};
	return mw_sort(cx, *out, h->entity.n, sizeof **out, by_id, NULL);
}

static bool has_id(const id_use *ids, size_t n, uint32_t id)
{
	size_t lo = 0, hi = n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (ids[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && ids[lo].id == id;
}

static mw_code check_owner(mw_ctx *cx, const mw_hmap *h, mw_hmap_findings *found, const id_use *ids,
	uint32_t owner, uint32_t tag, size_t index)
{
	if (owner == 0 || has_id(ids, h->entity.n, owner))
		return MW_OK;
	mw_code rc = mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-owner", tag,
		mw__hmap_offset(h, tag, index),
		"%s %zu is owned by %u, which is no entity: it counts as the world's", kind(tag),
		index, (unsigned)owner);
	if (!rc)
		mw__hmap_place(h, found, tag, index);
	return rc;
}

static mw_code check_materials(mw_ctx *cx, const mw_hmap *h, mw_hmap_findings *found)
{
	uint64_t bad = 0;
	int32_t first = 0;
	for (size_t i = 0; i < h->face.n; i++)
		if (h->face.v[i].material < -1 ||
			(h->face.v[i].material >= 0 &&
				(size_t)h->face.v[i].material >= h->material.n))
			if (bad++ == 0)
				first = h->face.v[i].material;
	for (size_t i = 0; i < h->poly.n; i++)
		if (h->poly.v[i].material < -1 ||
			(h->poly.v[i].material >= 0 &&
				(size_t)h->poly.v[i].material >= h->material.n))
			if (bad++ == 0)
				first = h->poly.v[i].material;
	if (!bad)
		return MW_OK;
	return mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-material", MW_HMAP_BRSH,
		MW_ERR_NOWHERE,
		"%llu faces name a material that is none (%d of %zu): the default one counts",
		(unsigned long long)bad, (int)first, h->material.n);
}

static mw_code check_text(
	mw_ctx *cx, mw_hmap_findings *found, const char *s, uint32_t tag, const char *what)
{
	if (mw_utf8_valid(s, strlen(s)))
		return MW_OK;
	return mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-utf8", tag, MW_ERR_NOWHERE,
		"%s is no UTF-8", what);
}

static mw_code check_texts(mw_ctx *cx, const mw_hmap *h, mw_hmap_findings *found)
{
	mw_code rc = check_text(cx, found, h->name, MW_HMAP_META, "the level's name");
	for (size_t i = 0; i < h->material.n && !rc; i++) {
		rc = check_text(
			cx, found, h->material.v[i].name, MW_HMAP_MATS, "a material's name");
		rc = rc ? rc
			: check_text(cx, found, h->material.v[i].texture, MW_HMAP_MATS,
				  "a material's texture");
	}
	for (size_t i = 0; i < h->entity.n && !rc; i++)
		rc = check_text(cx, found, h->entity.v[i].classname, MW_HMAP_ENTS, "a classname");
	for (size_t i = 0; i < h->pair.n && !rc; i++) {
		rc = check_text(cx, found, h->pair.v[i].key, MW_HMAP_ENTS, "a key");
		rc = rc ? rc : check_text(cx, found, h->pair.v[i].value, MW_HMAP_ENTS, "a value");
	}
	return rc;
}

mw_code mw_hmap_check(mw_ctx *cx, const mw_hmap *h, mw_hmap_findings *found)
{
	id_use *ids = NULL;
	bool compiled = mw_hmap_has(h, MW_HMAP_CMPL);
	mw_code rc = check_ids(cx, h, found);
	rc = rc ? rc : entity_ids(cx, h, &ids);
	for (size_t i = 0; i < h->brush.n && !rc; i++)
		rc = check_owner(cx, h, found, ids, h->brush.v[i].owner, MW_HMAP_BRSH, i);
	for (size_t i = 0; i < h->mesh.n && !rc; i++)
		rc = check_owner(cx, h, found, ids, h->mesh.v[i].owner, MW_HMAP_MESH, i);
	mw_free(cx, ids);
	rc = rc ? rc : check_materials(cx, h, found);
	rc = rc ? rc : check_texts(cx, h, found);
	if (!rc && compiled != ((h->flags & MW_HMAP_FLAG_COMPILED) != 0))
		rc = mw_hmap_report(cx, found, MW_HMAP_WARNING, "hmap-flags", 0, 8,
			"the header says %scompiled data, there is %s", compiled ? "no " : "",
			compiled ? "some" : "none");
	return rc;
}

/* What is odd about the shapes of a level: the rules of scene/shape_lint.h with lines. */
#include "format/qmap/qmap_internal.h"

#include <string.h>

mw_code mw__qmap_shape(mw_ctx *cx, mw_qmap_findings *found, const mw_qmap *m,
	const mw_qmap_finding *brush, uint32_t index, const char *name, const mw_shape_finding *f)
{
	const mw_qmap_brush *b = &m->brush.v[index];
	mw_qmap_finding at = *brush;
	char other[32] = "";

	at.line = b->line;
	at.col = 1;
	at.face = MW_QMAP_NONE;
	if (f->face != MW_TAG_NONE) {
		at.line = m->face.v[f->face].line;
		at.face = f->face - b->first;
	}
	if (f->has_at) {
		at.has_at = true;
		at.at = f->at;
	}
	if (f->other_brush != MW_TAG_NONE)
		mw_format(
			other, sizeof other, " the face in line %u", m->face.v[f->other_face].line);
	return mw_qmap_report(cx, found, &at, f->info ? MW_QMAP_INFO : MW_QMAP_WARNING, f->rule,
		"%s%s%s%s", name, f->msg, other, f->rest);
}

typedef struct {
	mw_ctx *cx;
	const mw_qmap *m;
	const mw_qmap_solids *s;
	mw_qmap_findings *found;
	uint32_t *entity; /* of each brush of the model */
} linter;

static mw_code take(void *ud, const mw_shape_finding *f)
{
	linter *w = ud;
	uint32_t index = w->s->brushes.brush.v[f->brush].tag;
	mw_qmap_finding at = {.entity = w->entity[index]};

	at.brush = index - w->m->entity.v[at.entity].first_brush;
	return mw__qmap_shape(w->cx, w->found, w->m, &at, index, "", f);
}

mw_code mw_qmap_lint(mw_ctx *cx, const mw_qmap *m, const mw_qmap_solids *s,
	const mw_shape_limits *o, mw_qmap_findings *found)
{
	linter w = {.cx = cx, .m = m, .s = s, .found = found};
	mw_shape_sink sink = {take, &w};
	mw_arena arena;
	mw_code code = MW_OK;

	mw_arena_init(&arena, cx);
	mw_solid *solid = mw_arena_zalloc(&arena, (s->brushes.brush.n + 1) * sizeof *solid);
	w.entity = mw_arena_zalloc(&arena, (m->brush.n + 1) * sizeof *w.entity);
	if (!solid || !w.entity)
		code = MW_ENOMEM;
	for (uint32_t e = 0; e < m->entity.n && !code; e++)
		for (uint32_t k = 0; k < m->entity.v[e].brushes; k++)
			w.entity[m->entity.v[e].first_brush + k] = e;
	if (!code)
		code = mw_solids_make(&arena, &s->planes, &s->brushes, solid, NULL);
	if (!code)
		code = mw_shape_lint(cx, &s->planes, &s->brushes, solid, o, &sink);
	mw_arena_free(&arena);
	return code;
}

/* The model itself, its dialects' names, findings, the codec. */
#include "format/qmap/qmap.h"

#include <stdarg.h>
#include <string.h>

static const struct {
	const char *name, *format;
	bool patches;
	uint8_t extras;
} dialects[MW_QMAP_DIALECTS] = {
	[MW_QMAP_CLASSIC] = {"classic", "Standard", false, 0},
	[MW_QMAP_VALVE220] = {"valve220", "Valve", false, 0},
	[MW_QMAP_QUAKE2] = {"quake2", "Quake2", false, 3},
	[MW_QMAP_QUAKE2_VALVE] = {"quake2_valve", "Quake2 (Valve)", false, 3},
	[MW_QMAP_HEXEN2] = {"hexen2", "Hexen2", false, 1},
	[MW_QMAP_DAIKATANA] = {"daikatana", "Daikatana", false, 6},
	[MW_QMAP_QUAKE3_LEGACY] = {"quake3_legacy", "Quake3 (legacy)", true, 3},
	[MW_QMAP_QUAKE3_VALVE] = {"quake3_valve", "Quake3 (Valve)", true, 3},
	[MW_QMAP_QUAKE3] = {"quake3", "Quake3", true, 3},
	[MW_QMAP_DOOM3] = {"doom3", "Doom3", true, 3},
	[MW_QMAP_QUAKE4] = {"quake4", "Quake4", true, 3},
};

const char *mw_qmap_dialect_name(mw_qmap_dialect d)
{
	return dialects[d].name;
}

const char *mw_qmap_format_name(mw_qmap_dialect d)
{
	return dialects[d].format;
}

bool mw_qmap_dialect_named(mw_sv name, mw_qmap_dialect *out)
{
	for (int i = 0; i < MW_QMAP_DIALECTS; i++)
		if (mw_sv_eq_nocase(name, mw_sv_of(dialects[i].name)) ||
			mw_sv_eq_nocase(name, mw_sv_of(dialects[i].format))) {
			*out = (mw_qmap_dialect)i;
			return true;
		}
	return false;
}

bool mw_qmap_has_patches(mw_qmap_dialect d)
{
	return dialects[d].patches;
}

int mw_qmap_extras_of(mw_qmap_dialect d)
{
	return dialects[d].extras;
}

void mw_qmap_init(mw_qmap *m, mw_ctx *cx)
{
	memset(m, 0, sizeof *m);
	mw_arena_init(&m->text, cx);
}

void mw_qmap_free(mw_ctx *cx, mw_qmap *m)
{
	if (m->text.cx)
		mw_arena_free(&m->text);
	mw_free(cx, m->entity.v);
	mw_free(cx, m->pair.v);
	mw_free(cx, m->brush.v);
	mw_free(cx, m->face.v);
	mw_free(cx, m->control.v);
	memset(m, 0, sizeof *m);
}

mw_sv mw_qmap_get(const mw_qmap *m, const mw_qmap_entity *e, const char *key)
{
	for (uint32_t i = e->pairs; i-- > 0;) {
		const mw_qmap_pair *p = &m->pair.v[e->first_pair + i];
		if (mw_sv_eq(p->key, mw_sv_of(key)))
			return p->value;
	}
	return (mw_sv){NULL, 0};
}

const char *mw_qmap_level_name(mw_qmap_level level)
{
	static const char *const names[] = {"info", "warning", "error"};
	return names[level];
}

mw_code mw_qmap_report(mw_ctx *cx, mw_qmap_findings *to, const mw_qmap_finding *at,
	mw_qmap_level level, const char *rule, const char *fmt, ...)
{
	mw_qmap_finding f = *at;
	va_list ap;

	f.level = level;
	f.rule = rule;
	va_start(ap, fmt);
	mw_vformat(f.msg, sizeof f.msg, fmt, ap);
	va_end(ap);
	return MW_PUSH(cx, to, f) ? MW_OK : MW_ENOMEM;
}

mw_code mw_qmap_refuse(mw_ctx *cx, const mw_qmap_findings *found)
{
	for (size_t i = 0; i < found->n; i++)
		if (found->v[i].level == MW_QMAP_ERROR)
			return mw_fail_at(cx, MW_EFORMAT, found->v[i].line, MW_ERR_NOWHERE, "%s",
				found->v[i].msg);
	return MW_OK;
}

static mw_code verify(mw_ctx *cx, const uint8_t *bytes, size_t n)
{
	mw_qmap m;

	mw_qmap_init(&m, cx);
	mw_code code = mw_qmap_read(cx, &m, NULL, bytes, n);
	mw_qmap_free(cx, &m);
	return code;
}

/* The same file for every reader, in our layout: comments and blanks are not kept. */
static mw_code rewrite(mw_ctx *cx, mw_wr *out, const uint8_t *bytes, size_t n)
{
	mw_qmap m;

	mw_qmap_init(&m, cx);
	mw_code code = mw_qmap_read(cx, &m, NULL, bytes, n);
	if (!code)
		code = mw_qmap_write(cx, out, &m, NULL, NULL);
	mw_qmap_free(cx, &m);
	return code;
}

static const char *const extensions[] = {".map", NULL};

const mw_codec mw_qmap_codec = {
	.name = "qmap",
	.title = "Quake-family level",
	.extensions = extensions,
	.probe = mw_qmap_probe,
	.verify = verify,
	.rewrite = rewrite,
};

/* The grammar of .map text around brushes: the file, its entities and their pairs. */
#include "format/qmap/qmap_parts.h"

#include <string.h>

/* ---- errors ---------------------------------------------------------------------------------- */

const char *mw__qmap_shown(char out[48], const mw__qmap_reader *r, mw_sv text)
{
	size_t n = 0;

	if (r->lx.kind == MW__QMAP_END && text.n == 0)
		return "the end of the file";
	out[n++] = '\'';
	for (size_t i = 0; i < text.n && n < 40; i++)
		out[n++] =
			(char)((unsigned char)text.p[i] < 32 || text.p[i] == 127 ? '?' : text.p[i]);
	if (text.n > 39)
		memcpy(out + n, "...", 3), n += 3;
	out[n++] = '\'';
	out[n] = '\0';
	return out;
}

void mw__qmap_unexpected(mw__qmap_reader *r, const char *rule, const char *wanted)
{
	char text[48];

	mw__qmap_next(&r->lx);
	mw__qmap_here(r);
	MW__QMAP_REPORT(r, MW_QMAP_ERROR, rule, "%s, found %s", wanted,
		mw__qmap_shown(text, r, r->lx.text));
}

void mw__qmap_unclosed(mw__qmap_reader *r, uint32_t opened, const char *what)
{
	mw__qmap_here(r);
	MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-unclosed",
		"unclosed block at the end of the file: the %s opened in line %u is not closed",
		what, opened);
}

void mw__qmap_skip_block(mw__qmap_reader *r)
{
	uint32_t depth = 1;

	while (depth > 0) {
		mw__qmap_next(&r->lx);
		if (r->lx.kind == MW__QMAP_END)
			return;
		if (r->lx.kind == MW__QMAP_PUNCT)
			depth += r->lx.ch == '{' ? 1u : r->lx.ch == '}' ? UINT32_MAX : 0u;
	}
}

/* ---- entities -------------------------------------------------------------------------------- */

static void pair(mw__qmap_reader *r)
{
	mw_qmap_pair pair = {.line = r->lx.at_line};
	char text[48];

	mw__qmap_next(&r->lx);
	mw__qmap_here(r);
	pair.key = r->lx.text;
	if (r->lx.cut) {
		MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-unclosed", "a string is not closed");
		return;
	}
	if (mw__qmap_peek(&r->lx) != '"') {
		MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-pair",
			"not a key value pair: no value after key %s",
			mw__qmap_shown(text, r, pair.key));
		return;
	}
	mw__qmap_next(&r->lx);
	pair.value = r->lx.text;
	if (r->lx.cut) {
		mw__qmap_here(r);
		MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-unclosed", "the value of %s is not closed",
			mw__qmap_shown(text, r, pair.key));
	}
	while (pair.key.n && (unsigned char)pair.key.p[0] <= ' ')
		pair.key.p++, pair.key.n--;
	while (pair.key.n && (unsigned char)pair.key.p[pair.key.n - 1] <= ' ')
		pair.key.n--;
	if (!MW_PUSH(r->cx, &r->m->pair, pair))
		r->code = MW_ENOMEM;
}

static void entity(mw__qmap_reader *r)
{
	mw_qmap *m = r->m;
	mw_qmap_entity e = {.first_pair = (uint32_t)m->pair.n,
		.first_brush = (uint32_t)m->brush.n,
		.line = r->lx.at_line};

	r->lx.p++;
	r->at.entity = (uint32_t)m->entity.n;
	while (mw__qmap_going(r)) {
		char c = mw__qmap_peek(&r->lx);

		if (r->lx.p >= r->lx.end) {
			mw__qmap_unclosed(r, e.line, "entity");
			break;
		}
		if (c == '}') {
			r->lx.p++;
			break;
		}
		if (c == '"') {
			pair(r);
		} else if (c == '{') {
			r->at.brush = (uint32_t)m->brush.n - e.first_brush;
			mw__qmap_read_brush(r);
			r->at.brush = MW_QMAP_NONE;
		} else {
			mw__qmap_unexpected(r, "map-pair", "not a key value pair and not a brush");
			mw__qmap_skip_line(&r->lx);
		}
	}
	e.pairs = (uint32_t)m->pair.n - e.first_pair;
	e.brushes = (uint32_t)m->brush.n - e.first_brush;
	r->at.entity = MW_QMAP_NONE;
	if (!r->code && !MW_PUSH(r->cx, &m->entity, e))
		r->code = MW_ENOMEM;
}

static void file(mw__qmap_reader *r)
{
	while (mw__qmap_going(r)) {
		char c = mw__qmap_peek(&r->lx);

		if (r->lx.p >= r->lx.end)
			return;
		if (c == '{') {
			entity(r);
			continue;
		}
		mw__qmap_next(&r->lx);
		mw__qmap_here(r);
		if (r->lx.kind == MW__QMAP_WORD && mw_sv_eq(r->lx.text, mw_sv_of("Version"))) {
			double v;
			if (mw__qmap_number(&r->lx, &v) > 0 && v >= 0 && v < 1e6) {
				r->m->version = (int32_t)v;
				continue;
			}
		}
		char text[48];
		if (c == '}')
			MW__QMAP_REPORT(
				r, MW_QMAP_ERROR, "map-outside", "closing brace with nothing open");
		else
			MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-outside",
				"text outside any block: %s", mw__qmap_shown(text, r, r->lx.text));
		if (c != '}')
			mw__qmap_skip_line(&r->lx);
	}
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* "// Game: Quake" of the first lines. */
static void header(mw_qmap *m, const mw__qmap_lex *lx)
{
	const char *p = lx->p;
	struct {
		const char *key;
		mw_sv *to;
	} known[] = {{"// Game:", &m->game}, {"// Format:", &m->format},
		{"// Generator:", &m->generator}};

	while (p[0] == '/' && p[1] == '/') {
		const char *end = p;
		while (end < lx->end && *end != '\n' && *end != '\r')
			end++;
		for (size_t i = 0; i < MW_COUNTOF(known); i++) {
			size_t n = strlen(known[i].key);
			if ((size_t)(end - p) <= n || memcmp(p, known[i].key, n) != 0)
				continue;
			const char *a = p + n, *b = end;
			while (a < b && *a == ' ')
				a++;
			while (b > a && b[-1] == ' ')
				b--;
			*known[i].to = (mw_sv){a, (size_t)(b - a)};
		}
		p = end;
		while (p < lx->end && (*p == '\n' || *p == '\r'))
			p++;
	}
}

mw_code mw_qmap_read(
	mw_ctx *cx, mw_qmap *out, mw_qmap_findings *found, const uint8_t *bytes, size_t n)
{
	mw_qmap_findings own = {0};
	mw__qmap_reader r = {.cx = cx, .m = out, .found = found ? found : &own};
	const uint8_t *nul = n ? memchr(bytes, 0, n) : NULL;

	if (nul)
		n = (size_t)(nul - bytes);
	if (n > INT32_MAX)
		return mw_fail(cx, MW_ELIMIT, "a level text of %zu bytes", n);
	char *text = mw_arena_strdup(&out->text, n ? (const char *)bytes : "", n);
	if (!text)
		return MW_ENOMEM;
	/* room for what so long a text can hold: a face line is hardly shorter than 64 bytes, and
	 * most are 120; pages that are not touched cost nothing */
	if (!MW_RESERVE(cx, &out->face, n / 100 + 16) || !MW_RESERVE(cx, &out->brush, n / 800 + 16))
		return MW_ENOMEM;
	/* the parser looks up to four bytes past where it is, never past the terminator */
	mw__qmap_lex_init(&r.lx, text, n);
	r.at.entity = r.at.brush = r.at.face = MW_QMAP_NONE;
	header(out, &r.lx);
	file(&r);
	if (!r.code && r.errors >= MW__QMAP_MAX_ERRORS) {
		mw__qmap_here(&r);
		MW__QMAP_REPORT(&r, MW_QMAP_ERROR, "map-errors",
			"%d errors; the rest is not looked at", MW__QMAP_MAX_ERRORS);
	}
	if (!r.code && r.errors == 0 && out->entity.n == 0) {
		mw__qmap_here(&r);
		MW__QMAP_REPORT(&r, MW_QMAP_ERROR, "map-no-entity", "no entity in the file");
	}
	out->dialect = mw__qmap_recognise(out);
	if (!r.code && !found)
		r.code = mw_qmap_refuse(cx, &own);
	mw_free(cx, own.v);
	return r.code;
}

/* The grammar of .map text: entities, pairs, brushes of every dialect, patches. */
#include "format/qmap/qmap_internal.h"

#include <string.h>

#define MAX_ERRORS 100

typedef struct {
	mw_ctx *cx;
	mw_qmap *m;
	mw_qmap_findings *found;
	mw__qmap_lex lx;
	mw_qmap_finding at; /* entity, brush, face being read */
	uint32_t errors;
	mw_code code;    /* out of memory, or too many errors */
	mw_sv last_name; /* of the last texture, shared by the faces that follow */
	bool reject;     /* a number of the brush was none */
} reader;

/* ---- errors ---------------------------------------------------------------------------------- */

static bool going(const reader *r)
{
	return !r->code && r->errors < MAX_ERRORS;
}

/* What stands at the cursor, for messages. */
static const char *shown(char out[48], const reader *r, mw_sv text)
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

#define REPORT(r, level, rule, ...)                                                                \
	do {                                                                                       \
		(r)->errors += (level) == MW_QMAP_ERROR;                                           \
		if (!(r)->code)                                                                    \
			(r)->code = mw_qmap_report(                                                \
				(r)->cx, (r)->found, &(r)->at, level, rule, __VA_ARGS__);          \
	} while (0)

static void here(reader *r)
{
	r->at.line = r->lx.at_line;
	r->at.col = r->lx.at_col;
}

/* Take a token and complain that it is not what was wanted. */
static void unexpected(reader *r, const char *rule, const char *wanted)
{
	char text[48];

	mw__qmap_next(&r->lx);
	here(r);
	REPORT(r, MW_QMAP_ERROR, rule, "%s, found %s", wanted, shown(text, r, r->lx.text));
}

static void unclosed(reader *r, uint32_t opened, const char *what)
{
	here(r);
	REPORT(r, MW_QMAP_ERROR, "map-unclosed",
		"unclosed block at the end of the file: the %s opened in line %u is not closed",
		what, opened);
}

/* Over everything up to the brace that closes the one taken. */
static void skip_block(reader *r)
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

/* ---- numbers and points ---------------------------------------------------------------------- */

static bool punct(reader *r, char c, const char *wanted)
{
	if (mw__qmap_peek(&r->lx) == c) {
		r->lx.p++;
		return true;
	}
	unexpected(r, "map-face", wanted);
	return false;
}

/* A number that must be there. One that is no number rejects the brush, not the file. */
static bool number(reader *r, double *out, const char *wanted)
{
	int got = mw__qmap_number(&r->lx, out);

	if (got > 0)
		return true;
	if (got < 0) {
		char text[48];

		here(r);
		*out = 0;
		if (!r->reject)
			REPORT(r, MW_QMAP_WARNING, "map-number",
				"%s is not a number; the brush is left out",
				shown(text, r, r->lx.text));
		r->reject = true;
		return true;
	}
	unexpected(r, "map-face", wanted);
	return false;
}

static bool numbers(reader *r, char open, double *out, int n, const char *wanted)
{
	char close = open == '(' ? ')' : ']';

	if (!punct(r, open, wanted))
		return false;
	for (int i = 0; i < n; i++)
		if (!number(r, out + i, wanted))
			return false;
	return punct(r, close, wanted);
}

static bool texture(reader *r, mw_sv *out)
{
	if (!mw__qmap_texture(&r->lx)) {
		here(r);
		REPORT(r, MW_QMAP_ERROR, "map-face", "a texture name is missing");
		return false;
	}
	if (!mw_sv_eq(r->last_name, r->lx.text))
		r->last_name = r->lx.text;
	*out = r->last_name;
	return true;
}

/* QuArK says by a comment behind the numbers how its points are meant. */
static void quark_comment(const reader *r, mw_qmap_face *f)
{
	const char *p = r->lx.p;

	while (*p == ' ' || *p == '\t')
		p++;
	if (p[0] == '/' && p[1] == '/' && p[2] == 'T' && p[3] == 'X' &&
		(p[4] == '1' || p[4] == '2'))
		f->tx = (uint8_t)(p[4] - '0');
}

/* Numbers behind the alignment: surface flags. */
static void extras(reader *r, mw_qmap_face *f)
{
	double v;
	int got;

	quark_comment(r, f);
	while ((got = mw__qmap_number(&r->lx, &v)) > 0) {
		if (f->num_extra < MW_QMAP_EXTRA)
			f->extra[f->num_extra++] = v;
		quark_comment(r, f);
	}
	if (got < 0) {
		char text[48];

		here(r);
		REPORT(r, MW_QMAP_WARNING, "map-face-extra",
			"%s behind the face is not understood and not kept",
			shown(text, r, r->lx.text));
		mw__qmap_skip_line(&r->lx);
		return;
	}
}

/* ---- faces ----------------------------------------------------------------------------------- */

static const char three_points[] = "a face begins with three points ( x y z )";

static bool alignment(reader *r, mw_qmap_face *f)
{
	static const char valve[] = "expected texture axes [ x y z offset ] [ x y z offset ] "
				    "rotation scale scale";
	static const char classic[] = "expected offset offset rotation scale scale";

	if (mw__qmap_peek(&r->lx) == '[') {
		f->axes = MW_QMAP_AXES_VALVE;
		return numbers(r, '[', f->u, 4, valve) && numbers(r, '[', f->v, 4, valve) &&
			number(r, &f->rotation, valve) && number(r, &f->scale[0], valve) &&
			number(r, &f->scale[1], valve);
	}
	return number(r, &f->offset[0], classic) && number(r, &f->offset[1], classic) &&
		number(r, &f->rotation, classic) && number(r, &f->scale[0], classic) &&
		number(r, &f->scale[1], classic);
}

static bool matrix(reader *r, mw_qmap_face *f)
{
	static const char wanted[] = "expected a texture matrix ( ( a b c ) ( d e f ) )";

	f->axes = MW_QMAP_AXES_MATRIX;
	f->scale[0] = f->scale[1] = 1;
	return punct(r, '(', wanted) && numbers(r, '(', f->u, 3, wanted) &&
		numbers(r, '(', f->v, 3, wanted) && punct(r, ')', wanted);
}

static bool face(reader *r, mw_qmap_kind kind, mw_qmap_face *f)
{
	memset(f, 0, sizeof *f);
	f->line = r->lx.at_line;
	if (kind == MW_QMAP_BRUSHDEF3) {
		if (!numbers(r, '(', f->plane, 4, "a face begins with a plane ( a b c d )"))
			return false;
	} else {
		for (int i = 0; i < 3; i++)
			if (!numbers(r, '(', f->p[i].v, 3, three_points))
				return false;
	}
	if (kind != MW_QMAP_FACES && !matrix(r, f))
		return false;
	if (!texture(r, &f->texture))
		return false;
	if (kind == MW_QMAP_FACES && !alignment(r, f))
		return false;
	extras(r, f);
	return true;
}

/* Faces up to the closing brace, which is taken. False at the end of the file. */
static bool faces(reader *r, mw_qmap_brush *b)
{
	b->first = (uint32_t)r->m->face.n;
	while (going(r)) {
		char c = mw__qmap_peek(&r->lx);

		if (c == '}') {
			r->lx.p++;
			r->at.face = MW_QMAP_NONE;
			return true;
		}
		if (r->lx.p >= r->lx.end) {
			unclosed(r, b->line, "brush");
			return false;
		}
		r->at.face = b->count;
		if (c == '(') {
			if (!MW_RESERVE(r->cx, &r->m->face, r->m->face.n + 1)) {
				r->code = MW_ENOMEM;
				return false;
			}
			if (!face(r, b->kind, r->m->face.v + r->m->face.n)) {
				mw__qmap_skip_line(&r->lx);
				continue;
			}
			r->m->face.n++;
			b->count++;
		} else if (c == '{') {
			here(r);
			REPORT(r, MW_QMAP_ERROR, "map-nested", "brush inside a brush");
			r->lx.p++;
			skip_block(r);
		} else {
			unexpected(r, "map-face", three_points);
			mw__qmap_skip_line(&r->lx);
		}
	}
	return false;
}

/* ---- patches --------------------------------------------------------------------------------- */

/* tex ( w h [sx sy] n n n ) ( w*( h*( x y z s t ) ) ) } */
static bool patch(reader *r, mw_qmap_brush *b)
{
	static const char head[] = "expected ( width height ... ) of a patch";
	static const char body[] = "expected the points ( x y z s t ) of a patch";
	double v[7];
	int n = b->kind == MW_QMAP_PATCH3 ? 7 : 5;

	b->first = (uint32_t)r->m->control.n;
	if (!texture(r, &b->texture) || !numbers(r, '(', v, n, head))
		return false;
	if (!(v[0] >= 1 && v[0] <= 4096 && v[1] >= 1 && v[1] <= 4096)) {
		here(r);
		REPORT(r, MW_QMAP_ERROR, "map-face", "a patch of %g x %g points", v[0], v[1]);
		return false;
	}
	b->w = (uint32_t)v[0];
	b->h = (uint32_t)v[1];
	if (n == 7)
		memcpy(b->sub, v + 2, sizeof b->sub);
	memcpy(b->extra, v + n - 3, sizeof b->extra);
	if (!punct(r, '(', body))
		return false;
	for (uint32_t i = 0; i < b->w; i++) {
		if (!punct(r, '(', body))
			return false;
		for (uint32_t j = 0; j < b->h; j++) {
			mw_qmap_control c;
			double p[5];

			if (!numbers(r, '(', p, 5, body))
				return false;
			c.at = mw_v3(p[0], p[1], p[2]);
			c.uv = mw_v2(p[3], p[4]);
			if (!MW_PUSH(r->cx, &r->m->control, c)) {
				r->code = MW_ENOMEM;
				return false;
			}
			b->count++;
		}
		if (!punct(r, ')', body))
			return false;
	}
	return punct(r, ')', body) && punct(r, '}', "expected the } of a patch");
}

/* ---- brushes and entities -------------------------------------------------------------------- */

static mw_qmap_kind kind_of(mw_sv name)
{
	static const struct {
		const char *name;
		mw_qmap_kind kind;
	} kinds[] = {{"brushDef", MW_QMAP_BRUSHDEF}, {"brushDef3", MW_QMAP_BRUSHDEF3},
		{"patchDef2", MW_QMAP_PATCH2}, {"patchDef3", MW_QMAP_PATCH3}};

	for (size_t i = 0; i < MW_COUNTOF(kinds); i++)
		if (mw_sv_eq_nocase(name, mw_sv_of(kinds[i].name)))
			return kinds[i].kind;
	return MW_QMAP_RAW;
}

/* After the name of a primitive. False when the brush cannot go on. */
static bool primitive(reader *r, mw_qmap_brush *b, char *from)
{
	mw_sv name = r->lx.text;

	b->name_line = r->lx.at_line;
	b->kind = kind_of(name);
	here(r);
	if (mw__qmap_peek(&r->lx) != '{') {
		char text[48];

		REPORT(r, MW_QMAP_ERROR, "map-face", "a face, or a { after %s, is missing",
			shown(text, r, name));
		return true;
	}
	uint32_t opened = r->lx.at_line;
	r->lx.p++;
	if (b->kind == MW_QMAP_BRUSHDEF || b->kind == MW_QMAP_BRUSHDEF3)
		return faces(r, b);
	if (b->kind == MW_QMAP_RAW) {
		r->lx.keep = true;
		skip_block(r);
		r->lx.keep = false;
		if (r->lx.kind == MW__QMAP_END)
			unclosed(r, opened, "block");
		else
			REPORT(r, MW_QMAP_WARNING, "map-raw", "%.*s is kept but not understood",
				(int)(name.n > 60 ? 60 : name.n), name.p);
		b->raw = (mw_sv){from, (size_t)(r->lx.p - from)};
		return r->lx.kind != MW__QMAP_END;
	}
	if (patch(r, b))
		return true;
	skip_block(r);
	return false;
}

/* What is between the braces of a brush of plain faces, or of a primitive and its pairs. */
static void brush_body(reader *r, mw_qmap_brush *b)
{
	char c = mw__qmap_peek(&r->lx);

	if (c == '(' || c == '}' || c == '{') {
		(void)faces(r, b);
		return;
	}
	bool seen = false;
	while (going(r)) {
		c = mw__qmap_peek(&r->lx);
		char *from = r->lx.p;
		if (c == '}') {
			r->lx.p++;
			return;
		}
		if (r->lx.p >= r->lx.end) {
			unclosed(r, b->line, "brush");
			return;
		}
		mw__qmap_next(&r->lx);
		here(r);
		if (r->lx.kind == MW__QMAP_STRING) {
			REPORT(r, MW_QMAP_WARNING, "map-brush-pair",
				"a pair of a brush, %.60s, is not kept",
				r->lx.cut ? "cut short" : "read");
			mw__qmap_next(&r->lx);
		} else if (r->lx.kind == MW__QMAP_WORD && !seen) {
			seen = true;
			if (!primitive(r, b, from))
				return;
		} else {
			char text[48];
			REPORT(r, MW_QMAP_ERROR, "map-face", "%s, found %s", three_points,
				shown(text, r, r->lx.text));
			mw__qmap_skip_line(&r->lx);
		}
	}
}

static void brush(reader *r)
{
	mw_qmap_brush b = {.line = r->lx.at_line};

	r->lx.p++;
	r->reject = false;
	here(r);
	brush_body(r, &b);
	b.rejected = r->reject;
	r->at.face = MW_QMAP_NONE;
	if (!r->code && !MW_PUSH(r->cx, &r->m->brush, b))
		r->code = MW_ENOMEM;
}

static void pair(reader *r)
{
	mw_qmap_pair pair = {.line = r->lx.at_line};
	char text[48];

	mw__qmap_next(&r->lx);
	here(r);
	pair.key = r->lx.text;
	if (r->lx.cut) {
		REPORT(r, MW_QMAP_ERROR, "map-unclosed", "a string is not closed");
		return;
	}
	if (mw__qmap_peek(&r->lx) != '"') {
		REPORT(r, MW_QMAP_ERROR, "map-pair", "not a key value pair: no value after key %s",
			shown(text, r, pair.key));
		return;
	}
	mw__qmap_next(&r->lx);
	pair.value = r->lx.text;
	if (r->lx.cut) {
		here(r);
		REPORT(r, MW_QMAP_ERROR, "map-unclosed", "the value of %s is not closed",
			shown(text, r, pair.key));
	}
	while (pair.key.n && (unsigned char)pair.key.p[0] <= ' ')
		pair.key.p++, pair.key.n--;
	while (pair.key.n && (unsigned char)pair.key.p[pair.key.n - 1] <= ' ')
		pair.key.n--;
	if (!MW_PUSH(r->cx, &r->m->pair, pair))
		r->code = MW_ENOMEM;
}

static void entity(reader *r)
{
	mw_qmap *m = r->m;
	mw_qmap_entity e = {.first_pair = (uint32_t)m->pair.n,
		.first_brush = (uint32_t)m->brush.n,
		.line = r->lx.at_line};

	r->lx.p++;
	r->at.entity = (uint32_t)m->entity.n;
	while (going(r)) {
		char c = mw__qmap_peek(&r->lx);

		if (r->lx.p >= r->lx.end) {
			unclosed(r, e.line, "entity");
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
			brush(r);
			r->at.brush = MW_QMAP_NONE;
		} else {
			unexpected(r, "map-pair", "not a key value pair and not a brush");
			mw__qmap_skip_line(&r->lx);
		}
	}
	e.pairs = (uint32_t)m->pair.n - e.first_pair;
	e.brushes = (uint32_t)m->brush.n - e.first_brush;
	r->at.entity = MW_QMAP_NONE;
	if (!r->code && !MW_PUSH(r->cx, &m->entity, e))
		r->code = MW_ENOMEM;
}

static void file(reader *r)
{
	while (going(r)) {
		char c = mw__qmap_peek(&r->lx);

		if (r->lx.p >= r->lx.end)
			return;
		if (c == '{') {
			entity(r);
			continue;
		}
		mw__qmap_next(&r->lx);
		here(r);
		if (r->lx.kind == MW__QMAP_WORD && mw_sv_eq(r->lx.text, mw_sv_of("Version"))) {
			double v;
			if (mw__qmap_number(&r->lx, &v) > 0 && v >= 0 && v < 1e6) {
				r->m->version = (int32_t)v;
				continue;
			}
		}
		char text[48];
		if (c == '}')
			REPORT(r, MW_QMAP_ERROR, "map-outside", "closing brace with nothing open");
		else
			REPORT(r, MW_QMAP_ERROR, "map-outside", "text outside any block: %s",
				shown(text, r, r->lx.text));
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

static mw_qmap_dialect recognise(const mw_qmap *m)
{
	bool valve = false, def = false, def3 = false, patches = false;
	int most = 0;

	for (size_t i = 0; i < m->brush.n; i++) {
		mw_qmap_kind k = m->brush.v[i].kind;
		def |= k == MW_QMAP_BRUSHDEF;
		def3 |= k == MW_QMAP_BRUSHDEF3;
		patches |= k == MW_QMAP_PATCH2 || k == MW_QMAP_PATCH3;
	}
	for (size_t i = 0; i < m->face.n; i++) {
		valve |= m->face.v[i].axes == MW_QMAP_AXES_VALVE;
		most = m->face.v[i].num_extra > most ? m->face.v[i].num_extra : most;
	}
	if (def3 || m->version)
		return m->version == 3 ? MW_QMAP_QUAKE4 : MW_QMAP_DOOM3;
	if (def)
		return MW_QMAP_QUAKE3;
	mw_qmap_dialect said;
	if (mw_qmap_dialect_named(m->format, &said) && said < MW_QMAP_QUAKE3 &&
		most <= mw_qmap_extras_of(said) && (!patches || mw_qmap_has_patches(said)) &&
		(m->face.n == 0 ||
			valve ==
				(said == MW_QMAP_VALVE220 || said == MW_QMAP_QUAKE2_VALVE ||
					said == MW_QMAP_QUAKE3_VALVE)))
		return said;
	if (patches)
		return valve ? MW_QMAP_QUAKE3_VALVE : MW_QMAP_QUAKE3_LEGACY;
	if (valve)
		return most ? MW_QMAP_QUAKE2_VALVE : MW_QMAP_VALVE220;
	return most > 3    ? MW_QMAP_DAIKATANA
		: most > 1 ? MW_QMAP_QUAKE2
		: most     ? MW_QMAP_HEXEN2
			   : MW_QMAP_CLASSIC;
}

bool mw_qmap_probe(const uint8_t *bytes, size_t n)
{
	size_t i = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	/* "{" alone begins JSON and Lua too: a string or brace must follow */
	for (int seen = 0; i < n; i++) {
		uint8_t c = bytes[i];

		if (c == '/' && i + 1 < n && bytes[i + 1] == '/') {
			while (i + 1 < n && bytes[i] != '\n')
				i++;
		} else if (c <= ' ' && c != 0) {
			continue;
		} else if (seen == 0 && n - i > 8 && memcmp(bytes + i, "Version ", 8) == 0) {
			return true;
		} else if (seen == 0 && c == '{') {
			seen = 1;
		} else if (seen == 1 && c == '"') {
			while (++i < n && bytes[i] != '"' && bytes[i] != '\n')
				;
			if (i >= n || bytes[i] != '"')
				return false;
			seen = 2;
		} else if (seen == 2) {
			return c == '"';
		} else {
			return false;
		}
	}
	return false;
}

mw_code mw_qmap_read(
	mw_ctx *cx, mw_qmap *out, mw_qmap_findings *found, const uint8_t *bytes, size_t n)
{
	mw_qmap_findings own = {0};
	reader r = {.cx = cx, .m = out, .found = found ? found : &own};
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
	if (!r.code && r.errors >= MAX_ERRORS) {
		here(&r);
		REPORT(&r, MW_QMAP_ERROR, "map-errors", "%d errors; the rest is not looked at",
			MAX_ERRORS);
	}
	if (!r.code && r.errors == 0 && out->entity.n == 0) {
		here(&r);
		REPORT(&r, MW_QMAP_ERROR, "map-no-entity", "no entity in the file");
	}
	out->dialect = recognise(out);
	if (!r.code && !found)
		r.code = mw_qmap_refuse(cx, &own);
	mw_free(cx, own.v);
	return r.code;
}

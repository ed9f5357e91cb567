/* The grammar of a brush in .map text: faces of every dialect, patches, blocks kept as they are. */
#include "format/qmap/qmap_parts.h"

#include <string.h>

/* ---- numbers and points ---------------------------------------------------------------------- */

static bool punct(mw__qmap_reader *r, char c, const char *wanted)
{
	if (mw__qmap_peek(&r->lx) == c) {
		r->lx.p++;
		return true;
	}
	mw__qmap_unexpected(r, "map-face", wanted);
	return false;
}

/* A number that must be there. One that is no number rejects the brush, not the file. */
static bool number(mw__qmap_reader *r, double *out, const char *wanted)
{
	int got = mw__qmap_number(&r->lx, out);

	if (got > 0)
		return true;
	if (got < 0) {
		char text[48];

		mw__qmap_here(r);
		*out = 0;
		if (!r->reject)
			MW__QMAP_REPORT(r, MW_QMAP_WARNING, "map-number",
				"%s is not a number; the brush is left out",
				mw__qmap_shown(text, r, r->lx.text));
		r->reject = true;
		return true;
	}
	mw__qmap_unexpected(r, "map-face", wanted);
	return false;
}

static bool numbers(mw__qmap_reader *r, char open, double *out, int n, const char *wanted)
{
	char close = open == '(' ? ')' : ']';

	if (!punct(r, open, wanted))
		return false;
	for (int i = 0; i < n; i++)
		if (!number(r, out + i, wanted))
			return false;
	return punct(r, close, wanted);
}

static bool texture(mw__qmap_reader *r, mw_sv *out)
{
	if (!mw__qmap_texture(&r->lx)) {
		mw__qmap_here(r);
		MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-face", "a texture name is missing");
		return false;
	}
	if (!mw_sv_eq(r->last_name, r->lx.text))
		r->last_name = r->lx.text;
	*out = r->last_name;
	return true;
}

/* QuArK says by a comment behind the numbers how its points are meant. */
static void quark_comment(const mw__qmap_reader *r, mw_qmap_face *f)
{
	const char *p = r->lx.p;

	while (*p == ' ' || *p == '\t')
		p++;
	if (p[0] == '/' && p[1] == '/' && p[2] == 'T' && p[3] == 'X' &&
		(p[4] == '1' || p[4] == '2'))
		f->tx = (uint8_t)(p[4] - '0');
}

/* Numbers behind the alignment: surface flags. */
static void extras(mw__qmap_reader *r, mw_qmap_face *f)
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

		mw__qmap_here(r);
		MW__QMAP_REPORT(r, MW_QMAP_WARNING, "map-face-extra",
			"%s behind the face is not understood and not kept",
			mw__qmap_shown(text, r, r->lx.text));
		mw__qmap_skip_line(&r->lx);
		return;
	}
}

/* ---- faces ----------------------------------------------------------------------------------- */

static const char three_points[] = "a face begins with three points ( x y z )";

static bool alignment(mw__qmap_reader *r, mw_qmap_face *f)
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

static bool matrix(mw__qmap_reader *r, mw_qmap_face *f)
{
	static const char wanted[] = "expected a texture matrix ( ( a b c ) ( d e f ) )";

	f->axes = MW_QMAP_AXES_MATRIX;
	f->scale[0] = f->scale[1] = 1;
	return punct(r, '(', wanted) && numbers(r, '(', f->u, 3, wanted) &&
		numbers(r, '(', f->v, 3, wanted) && punct(r, ')', wanted);
}

static bool face(mw__qmap_reader *r, mw_qmap_kind kind, mw_qmap_face *f)
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
static bool faces(mw__qmap_reader *r, mw_qmap_brush *b)
{
	b->first = (uint32_t)r->m->face.n;
	while (mw__qmap_going(r)) {
		char c = mw__qmap_peek(&r->lx);

		if (c == '}') {
			r->lx.p++;
			r->at.face = MW_QMAP_NONE;
			return true;
		}
		if (r->lx.p >= r->lx.end) {
			mw__qmap_unclosed(r, b->line, "brush");
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
			mw__qmap_here(r);
			MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-nested", "brush inside a brush");
			r->lx.p++;
			mw__qmap_skip_block(r);
		} else {
			mw__qmap_unexpected(r, "map-face", three_points);
			mw__qmap_skip_line(&r->lx);
		}
	}
	return false;
}

/* ---- patches --------------------------------------------------------------------------------- */

/* tex ( w h [sx sy] n n n ) ( w*( h*( x y z s t ) ) ) } */
static bool patch(mw__qmap_reader *r, mw_qmap_brush *b)
{
	static const char head[] = "expected ( width height ... ) of a patch";
	static const char body[] = "expected the points ( x y z s t ) of a patch";
	double v[7];
	int n = b->kind == MW_QMAP_PATCH3 ? 7 : 5;

	b->first = (uint32_t)r->m->control.n;
	if (!texture(r, &b->texture) || !numbers(r, '(', v, n, head))
		return false;
	if (!(v[0] >= 1 && v[0] <= 4096 && v[1] >= 1 && v[1] <= 4096)) {
		mw__qmap_here(r);
		MW__QMAP_REPORT(
			r, MW_QMAP_ERROR, "map-face", "a patch of %g x %g points", v[0], v[1]);
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

/* ---- brushes --------------------------------------------------------------------------------- */

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
static bool primitive(mw__qmap_reader *r, mw_qmap_brush *b, char *from)
{
	mw_sv name = r->lx.text;

	b->name_line = r->lx.at_line;
	b->kind = kind_of(name);
	mw__qmap_here(r);
	if (mw__qmap_peek(&r->lx) != '{') {
		char text[48];

		MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-face", "a face, or a { after %s, is missing",
			mw__qmap_shown(text, r, name));
		return true;
	}
	uint32_t opened = r->lx.at_line;
	r->lx.p++;
	if (b->kind == MW_QMAP_BRUSHDEF || b->kind == MW_QMAP_BRUSHDEF3)
		return faces(r, b);
	if (b->kind == MW_QMAP_RAW) {
		r->lx.keep = true;
		mw__qmap_skip_block(r);
		r->lx.keep = false;
		if (r->lx.kind == MW__QMAP_END)
			mw__qmap_unclosed(r, opened, "block");
		else
			MW__QMAP_REPORT(r, MW_QMAP_WARNING, "map-raw",
				"%.*s is kept but not understood", (int)(name.n > 60 ? 60 : name.n),
				name.p);
		b->raw = (mw_sv){from, (size_t)(r->lx.p - from)};
		return r->lx.kind != MW__QMAP_END;
	}
	if (patch(r, b))
		return true;
	mw__qmap_skip_block(r);
	return false;
}

/* What is between the braces of a brush of plain faces, or of a primitive and its pairs. */
static void brush_body(mw__qmap_reader *r, mw_qmap_brush *b)
{
	char c = mw__qmap_peek(&r->lx);

	if (c == '(' || c == '}' || c == '{') {
		(void)faces(r, b);
		return;
	}
	bool seen = false;
	while (mw__qmap_going(r)) {
		c = mw__qmap_peek(&r->lx);
		char *from = r->lx.p;
		if (c == '}') {
			r->lx.p++;
			return;
		}
		if (r->lx.p >= r->lx.end) {
			mw__qmap_unclosed(r, b->line, "brush");
			return;
		}
		mw__qmap_next(&r->lx);
		mw__qmap_here(r);
		if (r->lx.kind == MW__QMAP_STRING) {
			MW__QMAP_REPORT(r, MW_QMAP_WARNING, "map-brush-pair",
				"a pair of a brush, %.60s, is not kept",
				r->lx.cut ? "cut short" : "read");
			mw__qmap_next(&r->lx);
		} else if (r->lx.kind == MW__QMAP_WORD && !seen) {
			seen = true;
			if (!primitive(r, b, from))
				return;
		} else {
			char text[48];
			MW__QMAP_REPORT(r, MW_QMAP_ERROR, "map-face", "%s, found %s", three_points,
				mw__qmap_shown(text, r, r->lx.text));
			mw__qmap_skip_line(&r->lx);
		}
	}
}

void mw__qmap_read_brush(mw__qmap_reader *r)
{
	mw_qmap_brush b = {.line = r->lx.at_line};

	r->lx.p++;
	r->reject = false;
	mw__qmap_here(r);
	brush_body(r, &b);
	b.rejected = r->reject;
	r->at.face = MW_QMAP_NONE;
	if (!r->code && !MW_PUSH(r->cx, &r->m->brush, b))
		r->code = MW_ENOMEM;
}

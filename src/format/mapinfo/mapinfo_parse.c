#include "format/mapinfo/mapinfo_parse.h"

#include "format/mapinfo/mapinfo_internal.h"

#include <string.h>

/* The parser as a whole, and the failures and names that expressions and statements share. */

#define MAX_LEVELS 190 /* Lua 5.1 stops at 200 */

/* ---- failures -------------------------------------------------------------------------------- */

static void describe(const mw__parser *p, const mw_mapinfo_token *t, char out[48])
{
	size_t n = 0;

	if (t->kind == MW_TK_END) {
		mw_format(out, 48, "<eof>");
		return;
	}
	for (uint32_t i = t->start; i < t->end && n < 40; i++) {
		unsigned char c = (unsigned char)p->text[i];

		if (c == '\n' || c == '\r')
			break;
		out[n++] = (char)(c < 32 || c == 127 ? '?' : c);
	}
	out[n] = '\0';
}

void mw__parse_no_memory(mw__parser *p)
{
	if (p->code == MW_OK)
		p->code = MW_ENOMEM;
}

void mw__parse_fail(mw__parser *p, const char *what)
{
	const mw_mapinfo_token *t = tk(p);
	char near[48];

	if (p->code != MW_OK)
		return;
	describe(p, t, near);
	p->code = mw_fail_at(p->cx, MW_EFORMAT, t->line, t->start, "%s near '%s'", what, near);
}

void mw__parse_expect_op(mw__parser *p, int op, const char *name)
{
	char what[32];

	if (accept_op(p, op))
		return;
	mw_format(what, sizeof what, "'%s' expected", name);
	mw__parse_fail(p, what);
}

void mw__parse_expect(mw__parser *p, mw_mapinfo_token_kind kind, const char *name)
{
	char what[32];

	if (accept(p, kind))
		return;
	mw_format(what, sizeof what, "'%s' expected", name);
	mw__parse_fail(p, what);
}

void mw__parse_expect_match(
	mw__parser *p, bool ok, const char *what, const char *who, uint32_t line)
{
	char text[80];

	if (ok)
		return;
	if (tk(p)->line == line)
		mw_format(text, sizeof text, "'%s' expected", what);
	else
		mw_format(text, sizeof text, "'%s' expected (to close '%s' at line %u)", what, who,
			(unsigned)line);
	mw__parse_fail(p, text);
}

bool mw__parse_enter(mw__parser *p)
{
	if (++p->levels <= MAX_LEVELS)
		return true;
	if (p->code == MW_OK)
		p->code = mw_fail_at(p->cx, MW_ELIMIT, tk(p)->line, tk(p)->start,
			"chunk has too many syntax levels (more than %d)", MAX_LEVELS);
	return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

void mw__parse_declare(mw__parser *p, mw_sv name)
{
	mw__variable v = {name};

	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->locals, v))
		mw__parse_no_memory(p);
}

bool mw__parse_is_local(const mw__parser *p, mw_sv name)
{
	for (size_t i = p->locals.n; i-- > 0;)
		if (mw_sv_eq(p->locals.v[i].name, name))
			return true;
	return false;
}

mw_sv *mw__parse_path(mw__parser *p, size_t n)
{
	mw_sv *v = mw_arena_zalloc(&p->out->mem, n * sizeof *v);

	if (!v)
		mw__parse_no_memory(p);
	return v;
}

mw_sv mw__parse_name(mw__parser *p)
{
	mw_sv none = {"", 0};

	if (tk(p)->kind != MW_TK_NAME) {
		mw__parse_fail(p, "<name> expected");
		return none;
	}
	mw__parse_rename(p, tk(p));
	next(p);
	return text_of(p, &p->out->tokens.tokens.v[p->at - 1]);
}

bool mw__parse_is_guard(const mw_mapinfo_ref *r)
{
	return mw_sv_eq(r->name, mw_sv_of("Map")) ||
		(mw_sv_eq(r->name, mw_sv_of("Spring")) &&
			mw_sv_eq(r->field, mw_sv_of("GetMapOptions")));
}

int32_t mw__parse_ref(mw__parser *p, const mw_mapinfo_token *t)
{
	mw_mapinfo_ref r = {0};

	r.name = text_of(p, t);
	r.field.p = "";
	r.span = span_of(t);
	r.depth = p->fs->depth;
	r.guarded = p->guards > 0;
	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->out->refs, r))
		mw__parse_no_memory(p);
	return p->code == MW_OK ? (int32_t)p->out->refs.n - 1 : -1;
}

void mw__parse_tested(mw__parser *p, const mw__expr *e)
{
	if (e->ref >= 0 && e->is_var)
		p->out->refs.v[e->ref].tested = true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

mw_code mw_mapinfo_parse(mw_ctx *cx, mw_mapinfo_source *out, const char *text, size_t n)
{
	mw__parser p;
	mw__function_state fs;
	mw_code code;

	memset(&p, 0, sizeof p);
	memset(&fs, 0, sizeof fs);
	mw_arena_init(&out->mem, cx);
	p.cx = cx;
	p.out = out;
	p.text = text;
	p.n = n;
	p.fs = &fs;
	code = mw_mapinfo_lex(cx, &out->tokens, text, n);
	if (code != MW_OK)
		return code;
	mw__parse_block(&p);
	if (p.code == MW_OK && tk(&p)->kind != MW_TK_END)
		mw__parse_fail(&p, "'<eof>' expected");
	if (p.code == MW_OK)
		p.code = mw__parse_rewrite(&p);
	mw_free(cx, p.locals.v);
	mw_free(cx, p.edits.v);
	return p.code;
}

void mw_mapinfo_source_free(mw_ctx *cx, mw_mapinfo_source *s)
{
	mw_mapinfo_tokens_free(cx, &s->tokens);
	mw_free(cx, s->tables.v);
	mw_free(cx, s->fields.v);
	mw_free(cx, s->stmts.v);
	mw_free(cx, s->refs.v);
	mw_arena_free(&s->mem);
	memset(s, 0, sizeof *s);
}

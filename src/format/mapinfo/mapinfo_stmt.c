#include "format/mapinfo/mapinfo_internal.h"

#include <string.h>

/* Statements by the grammar of Lua 5.1: which paths are assigned what the text shows. */

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool block_ends(const mw_mapinfo_token *t)
{
	return t->kind == MW_TK_END || t->kind == MW_TK_END_WORD || t->kind == MW_TK_ELSE ||
		t->kind == MW_TK_ELSEIF || t->kind == MW_TK_UNTIL;
}

static void parse_inner_block(mw__parser *p)
{
	size_t locals = p->locals.n;

	p->fs->block++;
	mw__parse_block(p);
	p->fs->block--;
	p->locals.n = locals;
}

static void parse_loop_block(mw__parser *p)
{
	p->fs->loops++;
	parse_inner_block(p);
	p->fs->loops--;
}

static bool mentions_guard(const mw__parser *p, size_t from)
{
	for (size_t i = from; i < p->out->refs.n; i++)
		if (mw__parse_is_guard(&p->out->refs.v[i]))
			return true;
	return false;
}

static void parse_condition(mw__parser *p)
{
	mw__expr e = mw__parse_expr(p);

	mw__parse_tested(p, &e);
}

static void parse_if(mw__parser *p, uint32_t line)
{
	uint32_t guards = p->guards;

	do {
		size_t refs;

		next(p);
		refs = p->out->refs.n;
		parse_condition(p);
		mw__parse_expect(p, MW_TK_THEN, "then");
		p->guards = guards + (mentions_guard(p, refs) ? 1 : 0);
		parse_inner_block(p);
		p->guards = guards;
	} while (p->code == MW_OK && tk(p)->kind == MW_TK_ELSEIF);
	if (accept(p, MW_TK_ELSE))
		parse_inner_block(p);
	mw__parse_expect_match(p, accept(p, MW_TK_END_WORD), "end", "if", line);
}

static void parse_for(mw__parser *p, uint32_t line)
{
	size_t locals = p->locals.n;
	mw_sv first;

	next(p);
	first = mw__parse_name(p);
	if (is_op(tk(p), '=')) {
		mw__parse_edit(p, tk(p)->start, 1, true, " in _mw_r(");
		next(p);
		mw__parse_expr(p);
		mw__parse_expect_op(p, ',', ",");
		mw__parse_expr(p);
		if (accept_op(p, ','))
			mw__parse_expr(p);
		mw__parse_edit(p, last_end(p), 0, false, ")");
		mw__parse_declare(p, first);
	} else if (is_op(tk(p), ',') || tk(p)->kind == MW_TK_IN) {
		size_t names = p->at;

		while (accept_op(p, ','))
			mw__parse_name(p);
		mw__parse_expect(p, MW_TK_IN, "in");
		do
			mw__parse_expr(p);
		while (p->code == MW_OK && accept_op(p, ','));
		mw__parse_declare(p, first);
		for (size_t i = names; i < p->at && p->out->tokens.tokens.v[i].kind != MW_TK_IN;
			i++)
			if (p->out->tokens.tokens.v[i].kind == MW_TK_NAME)
				mw__parse_declare(p, text_of(p, &p->out->tokens.tokens.v[i]));
	} else {
		mw__parse_fail(p, "'=' or 'in' expected");
	}
	mw__parse_expect(p, MW_TK_DO, "do");
	parse_loop_block(p);
	mw__parse_expect_match(p, accept(p, MW_TK_END_WORD), "end", "for", line);
	p->locals.n = locals;
}

/* ---- names and values ------------------------------------------------------------------------ */

static void add_stmt(mw__parser *p, mw_mapinfo_stmt *s)
{
	s->depth = p->fs->depth;
	s->block = p->fs->block;
	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->out->stmts, *s))
		mw__parse_no_memory(p);
}

static void parse_function_stmt(mw__parser *p, uint32_t line)
{
	const mw_mapinfo_token *t;
	bool method = false;
	int32_t ref = -1;

	next(p);
	t = tk(p);
	if (t->kind == MW_TK_NAME && !mw__parse_is_local(p, text_of(p, t)))
		ref = mw__parse_ref(p, t);
	mw__parse_name(p);
	if (ref >= 0 && !is_op(tk(p), '.') && !is_op(tk(p), ':'))
		p->out->refs.v[ref].write = true;
	while (p->code == MW_OK && accept_op(p, '.'))
		mw__parse_name(p);
	if (accept_op(p, ':')) {
		mw__parse_name(p);
		method = true;
	}
	mw__parse_body(p, method, line);
}

static void parse_local(mw__parser *p)
{
	mw_mapinfo_stmt s[16];
	size_t n = 0, from, to;

	next(p);
	if (tk(p)->kind == MW_TK_FUNCTION) {
		uint32_t line = tk(p)->line;

		next(p);
		mw__parse_declare(p, mw__parse_name(p));
		mw__parse_body(p, false, line);
		return;
	}
	from = p->at;
	memset(s, 0, sizeof s);
	do {
		mw_mapinfo_span span = span_of(tk(p));
		mw_sv name = mw__parse_name(p);

		if (n < MW_COUNTOF(s)) {
			mw_sv *path = mw__parse_path(p, 1);

			if (path)
				path[0] = name;
			s[n].kind = MW_STMT_LOCAL;
			s[n].is_local = true;
			s[n].span = span;
			s[n].path = path;
			s[n].path_n = 1;
			s[n].value.kind = MW_SRC_NIL;
			s[n].value.table = -1;
			n++;
		}
	} while (p->code == MW_OK && accept_op(p, ','));
	to = p->at;
	if (accept_op(p, '=')) {
		size_t i = 0;

		do {
			mw__expr e = mw__parse_expr(p);

			if (i < n)
				s[i].value = e.v;
			i++;
		} while (p->code == MW_OK && accept_op(p, ','));
	}
	for (size_t i = from; i < to; i++)
		if (p->out->tokens.tokens.v[i].kind == MW_TK_NAME)
			mw__parse_declare(p, text_of(p, &p->out->tokens.tokens.v[i]));
	for (size_t i = 0; i < n; i++)
		add_stmt(p, &s[i]);
}

static void parse_call_or_assign(mw__parser *p)
{
	mw_mapinfo_stmt s[16];
	size_t n = 0, i = 0;
	mw__expr e = mw__parse_primary(p);

	if (e.is_call)
		return;
	memset(s, 0, sizeof s);
	for (;;) {
		if (p->code != MW_OK)
			return;
		if (!e.is_var) {
			mw__parse_fail(p, "syntax error");
			return;
		}
		if (e.ref >= 0 && e.path_n == 1)
			p->out->refs.v[e.ref].write = true;
		if (n < MW_COUNTOF(s)) {
			s[n].kind = MW_STMT_ASSIGN;
			s[n].is_local = e.local;
			s[n].span = e.v.span;
			s[n].path = e.path;
			s[n].path_n = e.path ? e.path_n : 0;
			s[n].value.kind = MW_SRC_NIL;
			s[n].value.table = -1;
			n++;
		}
		if (!accept_op(p, ','))
			break;
		e = mw__parse_primary(p);
	}
	mw__parse_expect_op(p, '=', "=");
	do {
		mw__expr v = mw__parse_expr(p);

		if (i < n)
			s[i].value = v.v;
		i++;
	} while (p->code == MW_OK && accept_op(p, ','));
	for (i = 0; i < n; i++)
		if (s[i].path)
			add_stmt(p, &s[i]);
}

static void parse_return(mw__parser *p)
{
	mw_mapinfo_stmt s;

	memset(&s, 0, sizeof s);
	s.kind = MW_STMT_RETURN;
	s.span = span_of(tk(p));
	s.value.kind = MW_SRC_NIL;
	s.value.table = -1;
	next(p);
	if (!block_ends(tk(p)) && !is_op(tk(p), ';')) {
		mw__expr e = mw__parse_expr(p);

		s.value = e.v;
		while (p->code == MW_OK && accept_op(p, ','))
			mw__parse_expr(p);
	}
	add_stmt(p, &s);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Returns whether it must be the last of its block. */
static bool parse_statement(mw__parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	uint32_t line = t->line;

	switch (t->kind) {
	case MW_TK_IF:
		parse_if(p, line);
		return false;
	case MW_TK_WHILE:
		next(p);
		parse_condition(p);
		mw__parse_expect(p, MW_TK_DO, "do");
		parse_loop_block(p);
		mw__parse_expect_match(p, accept(p, MW_TK_END_WORD), "end", "while", line);
		return false;
	case MW_TK_DO:
		next(p);
		parse_inner_block(p);
		mw__parse_expect_match(p, accept(p, MW_TK_END_WORD), "end", "do", line);
		return false;
	case MW_TK_FOR:
		parse_for(p, line);
		return false;
	case MW_TK_REPEAT: {
		size_t locals = p->locals.n;

		next(p);
		p->fs->block++;
		p->fs->loops++;
		mw__parse_block(p);
		p->fs->loops--;
		p->fs->block--;
		mw__parse_expect_match(p, accept(p, MW_TK_UNTIL), "until", "repeat", line);
		parse_condition(p);
		p->locals.n = locals;
		return false;
	}
	case MW_TK_FUNCTION:
		parse_function_stmt(p, line);
		return false;
	case MW_TK_LOCAL:
		parse_local(p);
		return false;
	case MW_TK_RETURN:
		parse_return(p);
		return true;
	case MW_TK_BREAK:
		next(p);
		if (p->fs->loops == 0)
			mw__parse_fail(p, "no loop to break");
		return true;
	default:
		parse_call_or_assign(p);
		return false;
	}
}

void mw__parse_block(mw__parser *p)
{
	bool last = false;

	if (!mw__parse_enter(p))
		return;
	while (p->code == MW_OK && !last && !block_ends(tk(p))) {
		last = parse_statement(p);
		accept_op(p, ';');
	}
	leave(p);
}

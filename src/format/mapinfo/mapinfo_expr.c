#include "format/mapinfo/mapinfo_internal.h"

#include <string.h>

/* Expressions by the grammar of Lua 5.1: what the text shows of their values, and the calls around
 * their arithmetic. */

#define MAX_WRAPS 40 /* calls around one chain of operators; deeper ones are left as they are */

/* ---- tables, functions, calls ---------------------------------------------------------------- */

static void add_field(mw__parser *p, mw_mapinfo_field *f)
{
	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->out->fields, *f))
		mw__parse_no_memory(p);
}

static void parse_key(mw__parser *p, mw_mapinfo_field *f)
{
	const mw_mapinfo_token *t = tk(p);

	f->key = span_of(t);
	if (t->kind == MW_TK_NAME) {
		f->kind = MW_KEY_NAME;
		f->name = text_of(p, t);
		if (mw_sv_eq(f->name, mw_sv_of("goto")))
			mw__parse_edit(p, t->start, t->end - t->start, true, "[\"goto\"]");
		next(p);
	} else {
		mw__expr e;

		next(p);
		e = mw__parse_expr(p);
		f->kind = MW_KEY_OTHER;
		if (e.v.kind == MW_SRC_STRING) {
			f->kind = MW_KEY_STRING;
			f->name = e.v.string;
		} else if (e.v.kind == MW_SRC_NUMBER) {
			f->kind = MW_KEY_NUMBER;
			f->number = e.v.number;
		}
		mw__parse_expect_op(p, ']', "]");
		f->key.end = last_end(p);
	}
}

static int32_t parse_table(mw__parser *p)
{
	mw_mapinfo_span span = span_of(tk(p));
	int32_t id = (int32_t)p->out->tables.n;
	uint32_t line = tk(p)->line;
	double position = 0;

	if (!MW_PUSH(p->cx, &p->out->tables, span)) {
		mw__parse_no_memory(p);
		return -1;
	}
	next(p);
	while (p->code == MW_OK && !is_op(tk(p), '}')) {
		mw_mapinfo_field f;
		mw__expr e;

		memset(&f, 0, sizeof f);
		f.table = id;
		f.name.p = "";
		if (is_op(tk(p), '[') || (tk(p)->kind == MW_TK_NAME && is_op(ahead(p), '='))) {
			parse_key(p, &f);
			mw__parse_expect_op(p, '=', "=");
		} else {
			f.kind = MW_KEY_POSITION;
			f.number = ++position;
		}
		e = mw__parse_expr(p);
		f.value = e.v;
		if (f.kind == MW_KEY_POSITION)
			f.key = e.v.span;
		f.end = last_end(p);
		if (accept_op(p, ',') || accept_op(p, ';')) {
			f.end = last_end(p);
			add_field(p, &f);
		} else {
			add_field(p, &f);
			break;
		}
	}
	mw__parse_expect_match(p, accept_op(p, '}'), "}", "{", line);
	if (p->code == MW_OK)
		p->out->tables.v[id].end = last_end(p);
	return id;
}

void mw__parse_body(mw__parser *p, bool method, uint32_t line)
{
	mw__function_state fs;
	size_t locals = p->locals.n;

	memset(&fs, 0, sizeof fs);
	fs.outer = p->fs;
	fs.depth = (uint16_t)(p->fs->depth + 1);
	p->fs = &fs;
	if (method)
		mw__parse_declare(p, mw_sv_of("self"));
	mw__parse_expect_op(p, '(', "(");
	while (p->code == MW_OK && !is_op(tk(p), ')')) {
		if (accept_op(p, MW_OP_DOTS)) {
			fs.vararg = true;
			mw__parse_declare(p, mw_sv_of("arg"));
			break;
		}
		mw__parse_declare(p, mw__parse_name(p));
		if (!accept_op(p, ','))
			break;
		if (is_op(tk(p), ')'))
			mw__parse_fail(p, "<name> expected");
	}
	mw__parse_expect_op(p, ')', ")");
	fs.body = last_end(p);
	mw__parse_block(p);
	mw__parse_expect_match(p, accept(p, MW_TK_END_WORD), "end", "function", line);
	mw__parse_edit(p, fs.body, 0, false, " do local _=_ENV end ");
	if (fs.vararg && fs.uses_arg && !fs.uses_dots)
		mw__parse_edit(p, fs.body, 0, false, " local arg=_mw_a(...) ");
	p->locals.n = locals;
	p->fs = fs.outer;
}

static void parse_args(mw__parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	uint32_t line = t->line;

	if (t->kind == MW_TK_STRING) {
		mw__parse_edit_string(p, t);
		next(p);
	} else if (is_op(t, '{')) {
		parse_table(p);
	} else if (is_op(t, '(')) {
		if (p->at > 0 && p->out->tokens.tokens.v[p->at - 1].line != line) {
			mw__parse_fail(p, "ambiguous syntax (function call x new statement)");
			return;
		}
		next(p);
		if (!is_op(tk(p), ')')) {
			do
				mw__parse_expr(p);
			while (p->code == MW_OK && accept_op(p, ','));
		}
		mw__parse_expect_match(p, accept_op(p, ')'), ")", "(", line);
	} else {
		mw__parse_fail(p, "function arguments expected");
	}
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Make e's path longer by one key that the text shows; without it there is no path any more. */
static void extend_path(mw__parser *p, mw__expr *e, const mw_sv *key)
{
	mw_sv *longer;

	if (!e->path)
		return;
	if (!key) {
		e->path = NULL;
		return;
	}
	longer = mw__parse_path(p, e->path_n + 1);
	if (!longer)
		return;
	memcpy(longer, e->path, e->path_n * sizeof *longer);
	longer[e->path_n++] = *key;
	e->path = longer;
}

static void parse_index(mw__parser *p, mw__expr *e)
{
	mw_sv key;

	if (is_op(tk(p), '.')) {
		const mw_mapinfo_token *t = ahead(p);

		next(p);
		if (t->kind != MW_TK_NAME) {
			mw__parse_fail(p, "<name> expected");
			return;
		}
		key = text_of(p, t);
		if (mw_sv_eq(key, mw_sv_of("goto")))
			mw__parse_edit(p, t->start - 1, t->end - t->start + 1, true, "[\"goto\"]");
		next(p);
		extend_path(p, e, &key);
		if (e->ref >= 0 && p->out->refs.v[e->ref].field.n == 0 && e->path_n == 2)
			p->out->refs.v[e->ref].field = key;
	} else {
		mw__expr k;

		next(p);
		k = mw__parse_expr(p);
		mw__parse_expect_op(p, ']', "]");
		if (k.v.kind == MW_SRC_STRING) {
			extend_path(p, e, &k.v.string);
		} else if (k.v.kind == MW_SRC_NUMBER) {
			char text[MW_NUM_TEXT];
			size_t n = mw_mapinfo_number_text(k.v.number, text);

			key.p = mw_arena_strdup(&p->out->mem, text, n);
			key.n = n;
			extend_path(p, e, key.p ? &key : NULL);
		} else {
			extend_path(p, e, NULL);
		}
	}
	e->is_var = true;
	e->is_call = e->multi = false;
	e->v.kind = MW_SRC_OTHER;
}

static mw__expr parse_prefix(mw__parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	mw__expr e;

	memset(&e, 0, sizeof e);
	e.ref = -1;
	e.v.table = -1;
	e.v.span = span_of(t);
	if (is_op(t, '(')) {
		uint32_t line = t->line;

		next(p);
		mw__parse_expr(p);
		mw__parse_expect_match(p, accept_op(p, ')'), ")", "(", line);
	} else if (t->kind == MW_TK_NAME) {
		mw_sv *path = mw__parse_path(p, 1);

		e.is_var = true;
		e.v.kind = MW_SRC_NAME;
		e.v.string = text_of(p, t);
		e.local = mw__parse_is_local(p, e.v.string);
		if (path) {
			path[0] = e.v.string;
			e.path = path;
			e.path_n = 1;
		}
		if (mw_sv_eq(e.v.string, mw_sv_of("arg")))
			p->fs->uses_arg = true;
		if (!e.local)
			e.ref = mw__parse_ref(p, t);
		mw__parse_rename(p, t);
		next(p);
	} else {
		mw__parse_fail(p, "unexpected symbol");
	}
	e.v.span.end = last_end(p);
	return e;
}

mw__expr mw__parse_primary(mw__parser *p)
{
	mw__expr e = parse_prefix(p);

	while (p->code == MW_OK) {
		const mw_mapinfo_token *t = tk(p);

		if (is_op(t, '.') || is_op(t, '[')) {
			parse_index(p, &e);
		} else if (is_op(t, ':') || is_op(t, '(') || is_op(t, '{') ||
			t->kind == MW_TK_STRING) {
			if (accept_op(p, ':')) {
				if (tk(p)->kind != MW_TK_NAME)
					mw__parse_fail(p, "<name> expected");
				next(p);
			}
			parse_args(p);
			e.is_call = e.multi = true;
			e.is_var = false;
			e.path = NULL;
			e.v.kind = MW_SRC_CALL;
		} else {
			break;
		}
		e.v.span.end = last_end(p);
	}
	return e;
}

/* ---- operators ------------------------------------------------------------------------------- */

static mw__expr parse_simple(mw__parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	mw__expr e;

	memset(&e, 0, sizeof e);
	e.ref = -1;
	e.v.table = -1;
	e.v.span = span_of(t);
	switch (t->kind) {
	case MW_TK_NUMBER:
		e.v.kind = MW_SRC_NUMBER;
		mw_mapinfo_number(text_of(p, t), &e.v.number);
		mw__parse_edit_number(p, t, e.v.number);
		break;
	case MW_TK_STRING:
		e.v.kind = MW_SRC_STRING;
		e.v.string = mw_mapinfo_string(&p->out->mem, p->text, t);
		if (!e.v.string.p)
			mw__parse_no_memory(p);
		mw__parse_edit_string(p, t);
		break;
	case MW_TK_NIL:
		e.v.kind = MW_SRC_NIL;
		break;
	case MW_TK_TRUE:
	case MW_TK_FALSE:
		e.v.kind = MW_SRC_BOOL;
		e.v.truth = t->kind == MW_TK_TRUE;
		break;
	case MW_TK_FUNCTION:
		e.v.kind = MW_SRC_FUNCTION;
		next(p);
		mw__parse_body(p, false, t->line);
		e.v.span.end = last_end(p);
		return e;
	default:
		if (is_op(t, MW_OP_DOTS)) {
			bool main = !p->fs->outer;

			if (!main && !p->fs->vararg)
				mw__parse_fail(p, "cannot use '...' outside a vararg function");
			p->fs->uses_dots = true;
			e.multi = true;
			break;
		}
		if (is_op(t, '{')) {
			e.v.kind = MW_SRC_TABLE;
			e.v.table = parse_table(p);
			e.v.span.end = last_end(p);
			return e;
		}
		return mw__parse_primary(p);
	}
	next(p);
	return e;
}

/* Left and right binding of a binary operator; 0 when the token is none. */
static int binding(const mw_mapinfo_token *t, int *right)
{
	int left = 0;

	*right = 0;
	if (t->kind == MW_TK_OR) {
		left = 1;
	} else if (t->kind == MW_TK_AND) {
		left = 2;
	} else if (t->kind == MW_TK_OP) {
		switch (t->op) {
		case '<':
		case '>':
		case MW_OP_LE:
		case MW_OP_GE:
		case MW_OP_EQ:
		case MW_OP_NE:
			left = 3;
			break;
		case MW_OP_CONCAT:
			*right = 4;
			return 5;
		case '+':
		case '-':
			left = 6;
			break;
		case '*':
		case '/':
		case '%':
			left = 7;
			break;
		case '^':
			*right = 9;
			return 10;
		default:
			break;
		}
	}
	*right = left;
	return left;
}
#define UNARY_BINDING 8

static void plain_result(mw__expr *e, uint32_t end)
{
	e->v.kind = MW_SRC_OTHER;
	e->v.table = -1;
	e->v.span.end = end;
	e->ref = -1;
	e->multi = e->is_call = e->is_var = false;
	e->path = NULL;
}

static mw__expr parse_sub(mw__parser *p, int limit);

static mw__expr parse_unary(mw__parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	mw_mapinfo_span span = span_of(t);
	mw__expr e;

	next(p);
	e = parse_sub(p, UNARY_BINDING);
	if (t->kind == MW_TK_NOT)
		mw__parse_tested(p, &e);
	if (is_op(t, '-') && e.v.kind == MW_SRC_NUMBER) {
		e.v.number = -e.v.number;
		span.end = e.v.span.end;
		e.v.span = span;
		return e;
	}
	plain_result(&e, last_end(p));
	span.end = e.v.span.end;
	e.v.span = span;
	return e;
}

/* a .. b .. c: one call for the whole chain, as deep as it may be. */
static void parse_concat(mw__parser *p, uint32_t start)
{
	mw__parse_edit(p, start, 0, true, "_mw_c(");
	while (p->code == MW_OK && is_op(tk(p), MW_OP_CONCAT)) {
		mw__parse_edit(p, tk(p)->start, 2, true, " , (");
		next(p);
		parse_sub(p, 5);
		mw__parse_edit(p, last_end(p), 0, false, ")");
	}
	mw__parse_edit(p, last_end(p), 0, false, ")");
}

static mw__expr parse_sub(mw__parser *p, int limit)
{
	const mw_mapinfo_token *t = tk(p);
	uint32_t start = t->start;
	int right, wraps = 0;
	mw__expr e;

	memset(&e, 0, sizeof e);
	e.ref = -1;
	if (!mw__parse_enter(p))
		return e;
	if (t->kind == MW_TK_NOT || is_op(t, '-') || is_op(t, '#'))
		e = parse_unary(p);
	else
		e = parse_simple(p);
	while (p->code == MW_OK && binding(tk(p), &right) > limit) {
		const mw_mapinfo_token *op = tk(p);
		bool arithmetic = op->kind == MW_TK_OP && op->op < 256 && strchr("+-*/^%", op->op);
		uint32_t guards = p->guards;

		if (is_op(op, MW_OP_CONCAT)) {
			parse_concat(p, start);
			plain_result(&e, last_end(p));
			continue;
		}
		next(p);
		if (op->kind == MW_TK_AND || op->kind == MW_TK_OR || op->op == MW_OP_EQ ||
			op->op == MW_OP_NE)
			mw__parse_tested(p, &e);
		if (op->kind == MW_TK_AND && e.ref >= 0 &&
			mw__parse_is_guard(&p->out->refs.v[e.ref]))
			p->guards++;
		if (op->op == '%') {
			mw__parse_edit(p, start, 0, true, "_mw_m(");
			mw__parse_edit(p, op->start, 1, true, " , (");
			parse_sub(p, right);
			mw__parse_edit(p, last_end(p), 0, false, "))");
		} else if (arithmetic && wraps++ < MAX_WRAPS) {
			mw__parse_edit(p, start, 0, true, "_mw_f(");
			parse_sub(p, right);
			mw__parse_edit(p, last_end(p), 0, false, ")");
		} else {
			parse_sub(p, right);
		}
		p->guards = guards;
		plain_result(&e, last_end(p));
	}
	leave(p);
	return e;
}

mw__expr mw__parse_expr(mw__parser *p)
{
	return parse_sub(p, 0);
}

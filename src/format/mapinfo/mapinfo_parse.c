#include "format/mapinfo/mapinfo_parse.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

#define MAX_LEVELS 190 /* Lua 5.1 stops at 200 */
#define MAX_WRAPS 40   /* calls around one chain of operators; deeper ones are left as they are */

typedef struct {
	uint32_t at, del; /* [unit: byte] */
	uint32_t order;
	bool opens;
	const char *text; /* static or of the arena */
} edit;

typedef struct {
	mw_sv name;
} variable;

typedef struct function_state {
	struct function_state *outer;
	bool vararg, uses_dots, uses_arg;
	uint32_t body; /* [unit: byte] behind the parameters */
	uint16_t depth, block;
	uint16_t loops; /* around here */
} function_state;

typedef struct {
	mw_ctx *cx;
	mw_mapinfo_source *out;
	const char *text;
	size_t n, at; /* at: index of the token */
	int levels;
	uint32_t guards; /* `if Map` and the like around here */
	function_state *fs;
	MW_ARRAY(variable) locals;
	MW_ARRAY(edit) edits;
	mw_code code; /* the first failure: everything stops */
} parser;

/* What the text of an expression shows. */
typedef struct {
	mw_mapinfo_value v;
	int32_t ref; /* index of the last global it is, or -1 */
	bool multi;  /* a call or `...`: may be any number of values */
	bool is_call, is_var;
	const mw_sv *path; /* of a variable, or NULL */
	size_t path_n;
	bool local;
} expr;

static const mw_mapinfo_token *tk(const parser *p)
{
	return &p->out->tokens.tokens.v[p->at];
}

static const mw_mapinfo_token *ahead(const parser *p)
{
	size_t last = p->out->tokens.tokens.n - 1;

	return &p->out->tokens.tokens.v[p->at < last ? p->at + 1 : last];
}

static void next(parser *p)
{
	if (p->at + 1 < p->out->tokens.tokens.n)
		p->at++;
}

static mw_sv text_of(const parser *p, const mw_mapinfo_token *t)
{
	mw_sv s = {p->text + t->start, t->end - t->start};

	return s;
}

static void describe(const parser *p, const mw_mapinfo_token *t, char out[48])
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

static void out_of_memory(parser *p)
{
	if (p->code == MW_OK)
		p->code = MW_ENOMEM;
}

static void fail_here(parser *p, const char *what)
{
	const mw_mapinfo_token *t = tk(p);
	char near[48];

	if (p->code != MW_OK)
		return;
	describe(p, t, near);
	p->code = mw_fail_at(p->cx, MW_EFORMAT, t->line, t->start, "%s near '%s'", what, near);
}

static bool is_op(const mw_mapinfo_token *t, int op)
{
	return t->kind == MW_TK_OP && t->op == op;
}

static bool accept_op(parser *p, int op)
{
	if (!is_op(tk(p), op))
		return false;
	next(p);
	return true;
}

static bool accept(parser *p, mw_mapinfo_token_kind kind)
{
	if (tk(p)->kind != kind)
		return false;
	next(p);
	return true;
}

static void expect_op(parser *p, int op, const char *name)
{
	char what[32];

	if (accept_op(p, op))
		return;
	mw_format(what, sizeof what, "'%s' expected", name);
	fail_here(p, what);
}

static void expect(parser *p, mw_mapinfo_token_kind kind, const char *name)
{
	char what[32];

	if (accept(p, kind))
		return;
	mw_format(what, sizeof what, "'%s' expected", name);
	fail_here(p, what);
}

/* The end of something that began in an earlier line says so. */
static void expect_match(parser *p, bool ok, const char *what, const char *who, uint32_t line)
{
	char text[80];

	if (ok)
		return;
	if (tk(p)->line == line)
		mw_format(text, sizeof text, "'%s' expected", what);
	else
		mw_format(text, sizeof text, "'%s' expected (to close '%s' at line %u)", what, who,
			(unsigned)line);
	fail_here(p, text);
}

static void put_edit(parser *p, uint32_t at, uint32_t del, bool opens, const char *text)
{
	edit e = {at, del, (uint32_t)p->edits.n, opens, text};

	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->edits, e))
		out_of_memory(p);
}

static mw_mapinfo_span span_of(const mw_mapinfo_token *t)
{
	mw_mapinfo_span s = {t->start, t->end, t->line, t->col};

	return s;
}

static uint32_t last_end(const parser *p)
{
	return p->at > 0 ? p->out->tokens.tokens.v[p->at - 1].end : 0;
}

static bool enter(parser *p)
{
	if (++p->levels <= MAX_LEVELS)
		return true;
	if (p->code == MW_OK)
		p->code = mw_fail_at(p->cx, MW_ELIMIT, tk(p)->line, tk(p)->start,
			"chunk has too many syntax levels (more than %d)", MAX_LEVELS);
	return false;
}

static void leave(parser *p)
{
	p->levels--;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void declare(parser *p, mw_sv name)
{
	variable v = {name};

	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->locals, v))
		out_of_memory(p);
}

static bool is_local(const parser *p, mw_sv name)
{
	for (size_t i = p->locals.n; i-- > 0;)
		if (mw_sv_eq(p->locals.v[i].name, name))
			return true;
	return false;
}

static mw_sv *path_new(parser *p, size_t n)
{
	mw_sv *v = mw_arena_zalloc(&p->out->mem, n * sizeof *v);

	if (!v)
		out_of_memory(p);
	return v;
}

/* `goto` is an ordinary name here, _ENV as well. */
static void rename_word(parser *p, const mw_mapinfo_token *t)
{
	if (mw_sv_eq(text_of(p, t), mw_sv_of("goto")))
		put_edit(p, t->start, t->end - t->start, true, "goto_");
	else if (mw_sv_eq(text_of(p, t), mw_sv_of("_ENV")))
		put_edit(p, t->start, t->end - t->start, true, "_ENV_");
}

static mw_sv expect_name(parser *p)
{
	mw_sv none = {"", 0};

	if (tk(p)->kind != MW_TK_NAME) {
		fail_here(p, "<name> expected");
		return none;
	}
	rename_word(p, tk(p));
	next(p);
	return text_of(p, &p->out->tokens.tokens.v[p->at - 1]);
}

static bool is_guard_name(const mw_mapinfo_ref *r)
{
	return mw_sv_eq(r->name, mw_sv_of("Map")) ||
		(mw_sv_eq(r->name, mw_sv_of("Spring")) &&
			mw_sv_eq(r->field, mw_sv_of("GetMapOptions")));
}

static bool mentions_guard(const parser *p, size_t from)
{
	for (size_t i = from; i < p->out->refs.n; i++)
		if (is_guard_name(&p->out->refs.v[i]))
			return true;
	return false;
}

static int32_t add_ref(parser *p, const mw_mapinfo_token *t)
{
	mw_mapinfo_ref r = {0};

	r.name = text_of(p, t);
	r.field.p = "";
	r.span = span_of(t);
	r.depth = p->fs->depth;
	r.guarded = p->guards > 0;
	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->out->refs, r))
		out_of_memory(p);
	return p->code == MW_OK ? (int32_t)p->out->refs.n - 1 : -1;
}

static void mark_tested(parser *p, const expr *e)
{
	if (e->ref >= 0 && e->is_var)
		p->out->refs.v[e->ref].tested = true;
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static expr parse_expr(parser *p);
static void parse_block(parser *p);

/* Escapes that Lua 5.4 does not know lose their backslash: \x41 is "x41" in 5.1. */
static void rewrite_string(parser *p, const mw_mapinfo_token *t)
{
	if (!t->escapes)
		return;
	for (uint32_t i = t->start + 1; i + 1 < t->end; i++) {
		if (p->text[i] != '\\')
			continue;
		i++;
		if (p->text[i] == '\r' || p->text[i] == '\n') {
			if (i + 1 < t->end && (p->text[i + 1] == '\n' || p->text[i + 1] == '\r') &&
				p->text[i + 1] != p->text[i])
				i++;
		} else if (p->text[i] == '\0' || !strchr("abfnrtv\\\"'0123456789", p->text[i])) {
			put_edit(p, i - 1, 1, true, "");
		}
	}
}

static void rewrite_number(parser *p, const mw_mapinfo_token *t, double v)
{
	char text[64], *copy;

	if (isinf(v))
		mw_format(text, sizeof text, "1e9999");
	else
		mw_format(text, sizeof text, "%.17g", v);
	if (!strpbrk(text, ".e"))
		mw_format(text + strlen(text), sizeof text - strlen(text), ".0");
	copy = mw_arena_strdup(&p->out->mem, text, strlen(text));
	if (!copy)
		out_of_memory(p);
	else
		put_edit(p, t->start, t->end - t->start, true, copy);
}

static void add_field(parser *p, mw_mapinfo_field *f)
{
	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->out->fields, *f))
		out_of_memory(p);
}

static void parse_key(parser *p, mw_mapinfo_field *f)
{
	const mw_mapinfo_token *t = tk(p);

	f->key = span_of(t);
	if (t->kind == MW_TK_NAME) {
		f->kind = MW_KEY_NAME;
		f->name = text_of(p, t);
		if (mw_sv_eq(f->name, mw_sv_of("goto")))
			put_edit(p, t->start, t->end - t->start, true, "[\"goto\"]");
		next(p);
	} else {
		expr e;

		next(p);
		e = parse_expr(p);
		f->kind = MW_KEY_OTHER;
		if (e.v.kind == MW_SRC_STRING) {
			f->kind = MW_KEY_STRING;
			f->name = e.v.string;
		} else if (e.v.kind == MW_SRC_NUMBER) {
			f->kind = MW_KEY_NUMBER;
			f->number = e.v.number;
		}
		expect_op(p, ']', "]");
		f->key.end = last_end(p);
	}
}

static int32_t parse_table(parser *p)
{
	mw_mapinfo_span span = span_of(tk(p));
	int32_t id = (int32_t)p->out->tables.n;
	uint32_t line = tk(p)->line;
	double position = 0;

	if (!MW_PUSH(p->cx, &p->out->tables, span)) {
		out_of_memory(p);
		return -1;
	}
	next(p);
	while (p->code == MW_OK && !is_op(tk(p), '}')) {
		mw_mapinfo_field f;
		expr e;

		memset(&f, 0, sizeof f);
		f.table = id;
		f.name.p = "";
		if (is_op(tk(p), '[') || (tk(p)->kind == MW_TK_NAME && is_op(ahead(p), '='))) {
			parse_key(p, &f);
			expect_op(p, '=', "=");
		} else {
			f.kind = MW_KEY_POSITION;
			f.number = ++position;
		}
		e = parse_expr(p);
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
	expect_match(p, accept_op(p, '}'), "}", "{", line);
	if (p->code == MW_OK)
		p->out->tables.v[id].end = last_end(p);
	return id;
}

static void parse_body(parser *p, bool method, uint32_t line)
{
	function_state fs;
	size_t locals = p->locals.n;

	memset(&fs, 0, sizeof fs);
	fs.outer = p->fs;
	fs.depth = (uint16_t)(p->fs->depth + 1);
	p->fs = &fs;
	if (method)
		declare(p, mw_sv_of("self"));
	expect_op(p, '(', "(");
	while (p->code == MW_OK && !is_op(tk(p), ')')) {
		if (accept_op(p, MW_OP_DOTS)) {
			fs.vararg = true;
			declare(p, mw_sv_of("arg"));
			break;
		}
		declare(p, expect_name(p));
		if (!accept_op(p, ','))
			break;
		if (is_op(tk(p), ')'))
			fail_here(p, "<name> expected");
	}
	expect_op(p, ')', ")");
	fs.body = last_end(p);
	parse_block(p);
	expect_match(p, accept(p, MW_TK_END_WORD), "end", "function", line);
	put_edit(p, fs.body, 0, false, " do local _=_ENV end ");
	if (fs.vararg && fs.uses_arg && !fs.uses_dots)
		put_edit(p, fs.body, 0, false, " local arg=_mw_a(...) ");
	p->locals.n = locals;
	p->fs = fs.outer;
}

static void parse_args(parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	uint32_t line = t->line;

	if (t->kind == MW_TK_STRING) {
		rewrite_string(p, t);
		next(p);
	} else if (is_op(t, '{')) {
		parse_table(p);
	} else if (is_op(t, '(')) {
		if (p->at > 0 && p->out->tokens.tokens.v[p->at - 1].line != line) {
			fail_here(p, "ambiguous syntax (function call x new statement)");
			return;
		}
		next(p);
		if (!is_op(tk(p), ')')) {
			do
				parse_expr(p);
			while (p->code == MW_OK && accept_op(p, ','));
		}
		expect_match(p, accept_op(p, ')'), ")", "(", line);
	} else {
		fail_here(p, "function arguments expected");
	}
}

/* Make e's path longer by one key that the text shows; without it there is no path any more. */
static void extend_path(parser *p, expr *e, const mw_sv *key)
{
	mw_sv *longer;

	if (!e->path)
		return;
	if (!key) {
		e->path = NULL;
		return;
	}
	longer = path_new(p, e->path_n + 1);
	if (!longer)
		return;
	memcpy(longer, e->path, e->path_n * sizeof *longer);
	longer[e->path_n++] = *key;
	e->path = longer;
}

static void parse_index(parser *p, expr *e)
{
	mw_sv key;

	if (is_op(tk(p), '.')) {
		const mw_mapinfo_token *t = ahead(p);

		next(p);
		if (t->kind != MW_TK_NAME) {
			fail_here(p, "<name> expected");
			return;
		}
		key = text_of(p, t);
		if (mw_sv_eq(key, mw_sv_of("goto")))
			put_edit(p, t->start - 1, t->end - t->start + 1, true, "[\"goto\"]");
		next(p);
		extend_path(p, e, &key);
		if (e->ref >= 0 && p->out->refs.v[e->ref].field.n == 0 && e->path_n == 2)
			p->out->refs.v[e->ref].field = key;
	} else {
		expr k;

		next(p);
		k = parse_expr(p);
		expect_op(p, ']', "]");
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

static expr parse_prefix(parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	expr e;

	memset(&e, 0, sizeof e);
	e.ref = -1;
	e.v.table = -1;
	e.v.span = span_of(t);
	if (is_op(t, '(')) {
		uint32_t line = t->line;

		next(p);
		parse_expr(p);
		expect_match(p, accept_op(p, ')'), ")", "(", line);
	} else if (t->kind == MW_TK_NAME) {
		mw_sv *path = path_new(p, 1);

		e.is_var = true;
		e.v.kind = MW_SRC_NAME;
		e.v.string = text_of(p, t);
		e.local = is_local(p, e.v.string);
		if (path) {
			path[0] = e.v.string;
			e.path = path;
			e.path_n = 1;
		}
		if (mw_sv_eq(e.v.string, mw_sv_of("arg")))
			p->fs->uses_arg = true;
		if (!e.local)
			e.ref = add_ref(p, t);
		rename_word(p, t);
		next(p);
	} else {
		fail_here(p, "unexpected symbol");
	}
	e.v.span.end = last_end(p);
	return e;
}

static expr parse_primary(parser *p)
{
	expr e = parse_prefix(p);

	while (p->code == MW_OK) {
		const mw_mapinfo_token *t = tk(p);

		if (is_op(t, '.') || is_op(t, '[')) {
			parse_index(p, &e);
		} else if (is_op(t, ':') || is_op(t, '(') || is_op(t, '{') ||
			t->kind == MW_TK_STRING) {
			if (accept_op(p, ':')) {
				if (tk(p)->kind != MW_TK_NAME)
					fail_here(p, "<name> expected");
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

static expr parse_simple(parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	expr e;

	memset(&e, 0, sizeof e);
	e.ref = -1;
	e.v.table = -1;
	e.v.span = span_of(t);
	switch (t->kind) {
	case MW_TK_NUMBER:
		e.v.kind = MW_SRC_NUMBER;
		mw_mapinfo_number(text_of(p, t), &e.v.number);
		rewrite_number(p, t, e.v.number);
		break;
	case MW_TK_STRING:
		e.v.kind = MW_SRC_STRING;
		e.v.string = mw_mapinfo_string(&p->out->mem, p->text, t);
		if (!e.v.string.p)
			out_of_memory(p);
		rewrite_string(p, t);
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
		parse_body(p, false, t->line);
		e.v.span.end = last_end(p);
		return e;
	default:
		if (is_op(t, MW_OP_DOTS)) {
			bool main = !p->fs->outer;

			if (!main && !p->fs->vararg)
				fail_here(p, "cannot use '...' outside a vararg function");
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
		return parse_primary(p);
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

static void plain_result(expr *e, uint32_t end)
{
	e->v.kind = MW_SRC_OTHER;
	e->v.table = -1;
	e->v.span.end = end;
	e->ref = -1;
	e->multi = e->is_call = e->is_var = false;
	e->path = NULL;
}

static expr parse_sub(parser *p, int limit);

static expr parse_unary(parser *p)
{
	const mw_mapinfo_token *t = tk(p);
	mw_mapinfo_span span = span_of(t);
	expr e;

	next(p);
	e = parse_sub(p, UNARY_BINDING);
	if (t->kind == MW_TK_NOT)
		mark_tested(p, &e);
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
static void parse_concat(parser *p, uint32_t start)
{
	put_edit(p, start, 0, true, "_mw_c(");
	while (p->code == MW_OK && is_op(tk(p), MW_OP_CONCAT)) {
		put_edit(p, tk(p)->start, 2, true, " , (");
		next(p);
		parse_sub(p, 5);
		put_edit(p, last_end(p), 0, false, ")");
	}
	put_edit(p, last_end(p), 0, false, ")");
}

static expr parse_sub(parser *p, int limit)
{
	const mw_mapinfo_token *t = tk(p);
	uint32_t start = t->start;
	int right, wraps = 0;
	expr e;

	memset(&e, 0, sizeof e);
	e.ref = -1;
	if (!enter(p))
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
			mark_tested(p, &e);
		if (op->kind == MW_TK_AND && e.ref >= 0 && is_guard_name(&p->out->refs.v[e.ref]))
			p->guards++;
		if (op->op == '%') {
			put_edit(p, start, 0, true, "_mw_m(");
			put_edit(p, op->start, 1, true, " , (");
			parse_sub(p, right);
			put_edit(p, last_end(p), 0, false, "))");
		} else if (arithmetic && wraps++ < MAX_WRAPS) {
			put_edit(p, start, 0, true, "_mw_f(");
			parse_sub(p, right);
			put_edit(p, last_end(p), 0, false, ")");
		} else {
			parse_sub(p, right);
		}
		p->guards = guards;
		plain_result(&e, last_end(p));
	}
	leave(p);
	return e;
}

static expr parse_expr(parser *p)
{
	return parse_sub(p, 0);
}

/* ---- statements -------------------------------------------------------------------------------
 */

static void add_stmt(parser *p, mw_mapinfo_stmt *s)
{
	s->depth = p->fs->depth;
	s->block = p->fs->block;
	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->out->stmts, *s))
		out_of_memory(p);
}

static bool block_ends(const mw_mapinfo_token *t)
{
	return t->kind == MW_TK_END || t->kind == MW_TK_END_WORD || t->kind == MW_TK_ELSE ||
		t->kind == MW_TK_ELSEIF || t->kind == MW_TK_UNTIL;
}

static void parse_inner_block(parser *p)
{
	size_t locals = p->locals.n;

	p->fs->block++;
	parse_block(p);
	p->fs->block--;
	p->locals.n = locals;
}

static void parse_loop_block(parser *p)
{
	p->fs->loops++;
	parse_inner_block(p);
	p->fs->loops--;
}

static void parse_condition(parser *p)
{
	expr e = parse_expr(p);

	mark_tested(p, &e);
}

static void parse_if(parser *p, uint32_t line)
{
	uint32_t guards = p->guards;

	do {
		size_t refs;

		next(p);
		refs = p->out->refs.n;
		parse_condition(p);
		expect(p, MW_TK_THEN, "then");
		p->guards = guards + (mentions_guard(p, refs) ? 1 : 0);
		parse_inner_block(p);
		p->guards = guards;
	} while (p->code == MW_OK && tk(p)->kind == MW_TK_ELSEIF);
	if (accept(p, MW_TK_ELSE))
		parse_inner_block(p);
	expect_match(p, accept(p, MW_TK_END_WORD), "end", "if", line);
}

static void parse_for(parser *p, uint32_t line)
{
	size_t locals = p->locals.n;
	mw_sv first;

	next(p);
	first = expect_name(p);
	if (is_op(tk(p), '=')) {
		put_edit(p, tk(p)->start, 1, true, " in _mw_r(");
		next(p);
		parse_expr(p);
		expect_op(p, ',', ",");
		parse_expr(p);
		if (accept_op(p, ','))
			parse_expr(p);
		put_edit(p, last_end(p), 0, false, ")");
		declare(p, first);
	} else if (is_op(tk(p), ',') || tk(p)->kind == MW_TK_IN) {
		size_t names = p->at;

		while (accept_op(p, ','))
			expect_name(p);
		expect(p, MW_TK_IN, "in");
		do
			parse_expr(p);
		while (p->code == MW_OK && accept_op(p, ','));
		declare(p, first);
		for (size_t i = names; i < p->at && p->out->tokens.tokens.v[i].kind != MW_TK_IN;
			i++)
			if (p->out->tokens.tokens.v[i].kind == MW_TK_NAME)
				declare(p, text_of(p, &p->out->tokens.tokens.v[i]));
	} else {
		fail_here(p, "'=' or 'in' expected");
	}
	expect(p, MW_TK_DO, "do");
	parse_loop_block(p);
	expect_match(p, accept(p, MW_TK_END_WORD), "end", "for", line);
	p->locals.n = locals;
}

static void parse_function_stmt(parser *p, uint32_t line)
{
	const mw_mapinfo_token *t;
	bool method = false;
	int32_t ref = -1;

	next(p);
	t = tk(p);
	if (t->kind == MW_TK_NAME && !is_local(p, text_of(p, t)))
		ref = add_ref(p, t);
	expect_name(p);
	if (ref >= 0 && !is_op(tk(p), '.') && !is_op(tk(p), ':'))
		p->out->refs.v[ref].write = true;
	while (p->code == MW_OK && accept_op(p, '.'))
		expect_name(p);
	if (accept_op(p, ':')) {
		expect_name(p);
		method = true;
	}
	parse_body(p, method, line);
}

static void parse_local(parser *p)
{
	mw_mapinfo_stmt s[16];
	size_t n = 0, from, to;

	next(p);
	if (tk(p)->kind == MW_TK_FUNCTION) {
		uint32_t line = tk(p)->line;

		next(p);
		declare(p, expect_name(p));
		parse_body(p, false, line);
		return;
	}
	from = p->at;
	memset(s, 0, sizeof s);
	do {
		mw_mapinfo_span span = span_of(tk(p));
		mw_sv name = expect_name(p);

		if (n < MW_COUNTOF(s)) {
			mw_sv *path = path_new(p, 1);

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
			expr e = parse_expr(p);

			if (i < n)
				s[i].value = e.v;
			i++;
		} while (p->code == MW_OK && accept_op(p, ','));
	}
	for (size_t i = from; i < to; i++)
		if (p->out->tokens.tokens.v[i].kind == MW_TK_NAME)
			declare(p, text_of(p, &p->out->tokens.tokens.v[i]));
	for (size_t i = 0; i < n; i++)
		add_stmt(p, &s[i]);
}

static void parse_call_or_assign(parser *p)
{
	mw_mapinfo_stmt s[16];
	size_t n = 0, i = 0;
	expr e = parse_primary(p);

	if (e.is_call)
		return;
	memset(s, 0, sizeof s);
	for (;;) {
		if (p->code != MW_OK)
			return;
		if (!e.is_var) {
			fail_here(p, "syntax error");
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
		e = parse_primary(p);
	}
	expect_op(p, '=', "=");
	do {
		expr v = parse_expr(p);

		if (i < n)
			s[i].value = v.v;
		i++;
	} while (p->code == MW_OK && accept_op(p, ','));
	for (i = 0; i < n; i++)
		if (s[i].path)
			add_stmt(p, &s[i]);
}

static void parse_return(parser *p)
{
	mw_mapinfo_stmt s;

	memset(&s, 0, sizeof s);
	s.kind = MW_STMT_RETURN;
	s.span = span_of(tk(p));
	s.value.kind = MW_SRC_NIL;
	s.value.table = -1;
	next(p);
	if (!block_ends(tk(p)) && !is_op(tk(p), ';')) {
		expr e = parse_expr(p);

		s.value = e.v;
		while (p->code == MW_OK && accept_op(p, ','))
			parse_expr(p);
	}
	add_stmt(p, &s);
}

/* Returns whether it must be the last of its block. */
static bool parse_statement(parser *p)
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
		expect(p, MW_TK_DO, "do");
		parse_loop_block(p);
		expect_match(p, accept(p, MW_TK_END_WORD), "end", "while", line);
		return false;
	case MW_TK_DO:
		next(p);
		parse_inner_block(p);
		expect_match(p, accept(p, MW_TK_END_WORD), "end", "do", line);
		return false;
	case MW_TK_FOR:
		parse_for(p, line);
		return false;
	case MW_TK_REPEAT: {
		size_t locals = p->locals.n;

		next(p);
		p->fs->block++;
		p->fs->loops++;
		parse_block(p);
		p->fs->loops--;
		p->fs->block--;
		expect_match(p, accept(p, MW_TK_UNTIL), "until", "repeat", line);
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
			fail_here(p, "no loop to break");
		return true;
	default:
		parse_call_or_assign(p);
		return false;
	}
}

static void parse_block(parser *p)
{
	bool last = false;

	if (!enter(p))
		return;
	while (p->code == MW_OK && !last && !block_ends(tk(p))) {
		last = parse_statement(p);
		accept_op(p, ';');
	}
	leave(p);
}

/* ---- the rewritten program ---------------------------------------------------------------------
 */

/* At one place: what closes comes first, then what opens, the outer before the inner; a
 * replacement of the token there is last. */
static int compare_edits(const void *a, const void *b, void *ud)
{
	const edit *x = a, *y = b;

	MW_UNUSED(ud);
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->opens != y->opens)
		return x->opens ? 1 : -1;
	if ((x->del > 0) != (y->del > 0))
		return x->del > 0 ? 1 : -1;
	if (x->opens)
		return x->order > y->order ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static mw_code rewrite(parser *p)
{
	mw_str s = {0};
	uint32_t at = 0;
	mw_code code;
	char *copy;

	code = mw_sort(p->cx, p->edits.v, p->edits.n, sizeof *p->edits.v, compare_edits, NULL);
	if (code != MW_OK)
		return code;
	mw_str_init(&s, p->cx);
	mw_str_put(&s,
		"local _mw_f,_mw_m,_mw_c,_mw_r,_mw_a=... return function(...) "
		"do local _=_ENV end ");
	for (size_t i = 0; i < p->edits.n; i++) {
		const edit *e = &p->edits.v[i];

		if (e->at < at)
			continue;
		mw_str_putn(&s, p->text + at, e->at - at);
		mw_str_put(&s, e->text);
		at = e->at + e->del;
	}
	mw_str_putn(&s, p->text + at, p->n - at);
	mw_str_put(&s, "\nend");
	code = mw_str_code(&s);
	if (code == MW_OK) {
		copy = mw_arena_strdup(&p->out->mem, s.p, s.n);
		p->out->rewritten.p = copy;
		p->out->rewritten.n = copy ? s.n : 0;
		code = copy ? MW_OK : MW_ENOMEM;
	}
	mw_str_free(&s);
	return code;
}

mw_code mw_mapinfo_parse(mw_ctx *cx, mw_mapinfo_source *out, const char *text, size_t n)
{
	parser p;
	function_state fs;
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
	parse_block(&p);
	if (p.code == MW_OK && tk(&p)->kind != MW_TK_END)
		fail_here(&p, "'<eof>' expected");
	if (p.code == MW_OK)
		p.code = rewrite(&p);
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

/* Shared by the files of the parser: the cursor over the tokens and what the grammar keeps. */
#ifndef MW_FORMAT_MAPINFO_MAPINFO_INTERNAL_H
#define MW_FORMAT_MAPINFO_MAPINFO_INTERNAL_H

#include "format/mapinfo/mapinfo_parse.h"

typedef struct {
	uint32_t at, del; /* [unit: byte] */
	uint32_t order;
	bool opens;
	const char *text; /* static or of the arena */
} mw__edit;

typedef struct {
	mw_sv name;
} mw__variable;

typedef struct mw__function_state {
	struct mw__function_state *outer;
	bool vararg, uses_dots, uses_arg;
	uint32_t body; /* [unit: byte] behind the parameters */
	uint16_t depth, block;
	uint16_t loops; /* around here */
} mw__function_state;

typedef struct {
	mw_ctx *cx;
	mw_mapinfo_source *out;
	const char *text;
	size_t n, at; /* at: index of the token */
	int levels;
	uint32_t guards; /* `if Map` and the like around here */
	mw__function_state *fs;
	MW_ARRAY(mw__variable) locals;
	MW_ARRAY(mw__edit) edits;
	mw_code code; /* the first failure: everything stops */
} mw__parser;

/* What the text of an expression shows. */
typedef struct {
	mw_mapinfo_value v;
	int32_t ref; /* index of the last global it is, or -1 */
	bool multi;  /* a call or `...`: may be any number of values */
	bool is_call, is_var;
	const mw_sv *path; /* of a variable, or NULL */
	size_t path_n;
	bool local;
} mw__expr;

/* ---- the cursor ------------------------------------------------------------------------------ */

static inline const mw_mapinfo_token *tk(const mw__parser *p)
{
	return &p->out->tokens.tokens.v[p->at];
}

static inline const mw_mapinfo_token *ahead(const mw__parser *p)
{
	size_t last = p->out->tokens.tokens.n - 1;

	return &p->out->tokens.tokens.v[p->at < last ? p->at + 1 : last];
}

static inline void next(mw__parser *p)
{
	if (p->at + 1 < p->out->tokens.tokens.n)
		p->at++;
}

static inline mw_sv text_of(const mw__parser *p, const mw_mapinfo_token *t)
{
	mw_sv s = {p->text + t->start, t->end - t->start};

	return s;
}

static inline mw_mapinfo_span span_of(const mw_mapinfo_token *t)
{
	mw_mapinfo_span s = {t->start, t->end, t->line, t->col};

	return s;
}

static inline uint32_t last_end(const mw__parser *p)
{
	return p->at > 0 ? p->out->tokens.tokens.v[p->at - 1].end : 0;
}

static inline bool is_op(const mw_mapinfo_token *t, int op)
{
	return t->kind == MW_TK_OP && t->op == op;
}

static inline bool accept_op(mw__parser *p, int op)
{
	if (!is_op(tk(p), op))
		return false;
	next(p);
	return true;
}

static inline bool accept(mw__parser *p, mw_mapinfo_token_kind kind)
{
	if (tk(p)->kind != kind)
		return false;
	next(p);
	return true;
}

/* The first failure stays; nothing is read after it. */
void mw__parse_no_memory(mw__parser *p);
/* what, and what stands at the cursor. */
void mw__parse_fail(mw__parser *p, const char *what);

/* Take the token or fail with its name. */
void mw__parse_expect_op(mw__parser *p, int op, const char *name);
void mw__parse_expect(mw__parser *p, mw_mapinfo_token_kind kind, const char *name);
/* Fail unless ok: what is missing would end the who of that line. */
void mw__parse_expect_match(
	mw__parser *p, bool ok, const char *what, const char *who, uint32_t line);

/* One level of syntax deeper; false, with a failure, when that is too deep. */
bool mw__parse_enter(mw__parser *p);

static inline void leave(mw__parser *p)
{
	p->levels--;
}

/* ---- names ----------------------------------------------------------------------------------- */

void mw__parse_declare(mw__parser *p, mw_sv name);
bool mw__parse_is_local(const mw__parser *p, mw_sv name);
/* Room for a path of n names; NULL after a failure. [owned: arena of the source] */
mw_sv *mw__parse_path(mw__parser *p, size_t n);
/* Take a name; empty after a failure. */
mw_sv mw__parse_name(mw__parser *p);
/* Note the use of a global; its index, or -1 after a failure. */
int32_t mw__parse_ref(mw__parser *p, const mw_mapinfo_token *t);
/* The expression only decides something. */
void mw__parse_tested(mw__parser *p, const mw__expr *e);
/* Whether it is `Map` or `Spring.GetMapOptions`. */
bool mw__parse_is_guard(const mw_mapinfo_ref *r);

/* ---- the grammar ----------------------------------------------------------------------------- */

mw__expr mw__parse_expr(mw__parser *p);
/* A variable or a call. */
mw__expr mw__parse_primary(mw__parser *p);
/* A function from its `(` on; line: of the word `function`. method: it has a self. */
void mw__parse_body(mw__parser *p, bool method, uint32_t line);
/* Statements up to a word that ends a block, which is left. */
void mw__parse_block(mw__parser *p);

/* ---- the program for the Lua that is built in ------------------------------------------------ */

/* Put text at a byte instead of the del bytes there. opens: it stands before what begins there;
 * otherwise it closes what ends there. [text: static or of the arena] */
void mw__parse_edit(mw__parser *p, uint32_t at, uint32_t del, bool opens, const char *text);
/* `goto` and _ENV are ordinary names of 5.1. */
void mw__parse_rename(mw__parser *p, const mw_mapinfo_token *t);
void mw__parse_edit_string(mw__parser *p, const mw_mapinfo_token *t);
void mw__parse_edit_number(mw__parser *p, const mw_mapinfo_token *t, double v);
/* Apply the edits: fills rewritten of the source. */
MW_NODISCARD mw_code mw__parse_rewrite(mw__parser *p);

#endif

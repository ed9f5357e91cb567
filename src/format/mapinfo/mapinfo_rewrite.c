#include "format/mapinfo/mapinfo_internal.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

/* The program for the Lua that is built in: the text with edits at single places, so that all lines
 * stay. */

void mw__parse_edit(mw__parser *p, uint32_t at, uint32_t del, bool opens, const char *text)
{
	mw__edit e = {at, del, (uint32_t)p->edits.n, opens, text};

	if (p->code == MW_OK && !MW_PUSH(p->cx, &p->edits, e))
		mw__parse_no_memory(p);
}

void mw__parse_rename(mw__parser *p, const mw_mapinfo_token *t)
{
	if (mw_sv_eq(text_of(p, t), mw_sv_of("goto")))
		mw__parse_edit(p, t->start, t->end - t->start, true, "goto_");
	else if (mw_sv_eq(text_of(p, t), mw_sv_of("_ENV")))
		mw__parse_edit(p, t->start, t->end - t->start, true, "_ENV_");
}

/* Escapes that Lua 5.4 does not know lose their backslash: \x41 is "x41" in 5.1. */
void mw__parse_edit_string(mw__parser *p, const mw_mapinfo_token *t)
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
			mw__parse_edit(p, i - 1, 1, true, "");
		}
	}
}

void mw__parse_edit_number(mw__parser *p, const mw_mapinfo_token *t, double v)
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
		mw__parse_no_memory(p);
	else
		mw__parse_edit(p, t->start, t->end - t->start, true, copy);
}

/* At one place: what closes comes first, then what opens, the outer before the inner; a
 * replacement of the token there is last. */
static int compare_edits(const void *a, const void *b, void *ud)
{
	const mw__edit *x = a, *y = b;

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

mw_code mw__parse_rewrite(mw__parser *p)
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
		const mw__edit *e = &p->edits.v[i];

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

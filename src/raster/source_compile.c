#include "raster/source_build.h"

#include "base/mem.h"

/* ---- slots -------------------------------------------------------------------------------------
 */

static void mark_live(mw__program *p)
{
	for (size_t i = 0; i < p->value.n; i++)
		p->value.v[i].last = (uint32_t)i;
	for (size_t i = 0; i < p->roots; i++) {
		p->value.v[p->root[i]].live = true;
		p->value.v[p->root[i]].last = VALUE_NONE;
	}
	for (size_t i = p->value.n; i-- > 0;) {
		const mw__value *v = &p->value.v[i];
		for (int j = 0; j < 3 && v->live; j++) {
			mw__value *arg = v->arg[j] != VALUE_NONE ? &p->value.v[v->arg[j]] : NULL;
			if (arg && arg->last < i)
				arg->last = (uint32_t)i;
			if (arg)
				arg->live = true;
		}
	}
}

typedef struct {
	MW_ARRAY(uint32_t) idle;
	size_t used;
} slots;

static mw_code take(mw_ctx *cx, slots *s, uint32_t *slot)
{
	if (s->idle.n) {
		*slot = s->idle.v[--s->idle.n];
		return MW_OK;
	}
	/* Room to give it back without failing. */
	if (!MW_RESERVE(cx, &s->idle, s->used + 1))
		return MW_ENOMEM;
	*slot = (uint32_t)s->used++;
	return MW_OK;
}

static void give_back(mw__program *p, size_t at, slots pool[2])
{
	for (int j = 0; j < 3; j++) {
		uint32_t arg = p->value.v[at].arg[j];
		if (arg == VALUE_NONE || p->value.v[arg].last != at)
			continue;
		p->value.v[arg].last = VALUE_NONE;
		slots *s = &pool[p->value.v[arg].shape == SHAPE_FULL];
		s->idle.v[s->idle.n++] = p->value.v[arg].slot;
	}
}

/* Constants and coordinates keep their lines; the rest share what is free. */
static mw_code assign_slots(mw_ctx *cx, mw__program *p)
{
	slots pool[2] = {{.used = 0}, {.used = 0}};
	mw_code code = MW_OK;
	for (size_t i = 0; i < p->value.n && code == MW_OK; i++) {
		mw__value *v = &p->value.v[i];
		if (v->op != VALUE_CONST && v->op != VALUE_X && v->op != VALUE_Z)
			continue;
		v->last = VALUE_NONE;
		if (v->live)
			code = take(cx, &pool[0], &v->slot);
	}
	for (size_t i = 0; i < p->value.n && code == MW_OK; i++) {
		mw__value *v = &p->value.v[i];
		if (!v->live || v->slot != VALUE_NONE)
			continue;
		bool in_place = v->op != VALUE_NOISE && v->op != VALUE_EXPAND;
		if (in_place)
			give_back(p, i, pool);
		code = take(cx, &pool[v->shape == SHAPE_FULL], &v->slot);
		if (!in_place)
			give_back(p, i, pool);
		p->length++;
	}
	p->line_slots = pool[0].used;
	p->full_slots = pool[1].used;
	mw_free(cx, pool[0].idle.v);
	mw_free(cx, pool[1].idle.v);
	return code;
}

/* ---- programs ----------------------------------------------------------------------------------
 */

static mw_code compile(mw__compiler *c, mw_source *const *roots, size_t n)
{
	mw__program *p = c->p;
	p->root = mw_alloc_n(c->cx, n, sizeof *p->root);
	p->source = mw_alloc_n(c->cx, n, sizeof *p->source);
	if (!p->root || !p->source)
		return MW_ENOMEM;
	mw__place at = {.seed = c->scope->seed};
	mw__value x = mw__value_blank(VALUE_X, SHAPE_ROW),
		  z = mw__value_blank(VALUE_Z, SHAPE_COLUMN);
	mw_code code = mw__value_add(c, &x, &at.x);
	if (code == MW_OK)
		code = mw__value_add(c, &z, &at.z);
	for (size_t i = 0; i < n && code == MW_OK; i++) {
		p->source[i] = mw_source_retain(roots[i]);
		p->roots = i + 1;
		code = mw__build(c, roots[i], at, &p->root[i]);
	}
	if (code != MW_OK)
		return code;
	mark_live(p);
	for (size_t i = 0; i < p->value.n; i++) {
		const mw__value *v = &p->value.v[i];
		const mw__shape *shape = v->op == VALUE_DISTANCE ? v->param : NULL;
		if (v->live && shape && shape->n > p->shape_max)
			p->shape_max = shape->n;
	}
	return assign_slots(c->cx, p);
}

mw_code mw_program_compile(mw_ctx *cx, mw_program *out, mw_source *const *roots, size_t n,
	const mw_source_scope *scope)
{
	MW_ASSERT(n >= 1);
	*out = (mw_program){.p = mw_zalloc(cx, sizeof *out->p)};
	if (!out->p)
		return MW_ENOMEM;
	mw__compiler c = {.cx = cx, .p = out->p, .scope = scope};
	mw_code code = compile(&c, roots, n);
	mw_free(cx, c.visit.v);
	mw_free(cx, c.visits.slot);
	mw_free(cx, c.values.slot);
	if (code != MW_OK)
		mw_program_free(cx, out);
	return code;
}

void mw_program_free(mw_ctx *cx, mw_program *program)
{
	mw__program *p = program->p;
	program->p = NULL;
	if (!p)
		return;
	for (size_t i = 0; i < p->roots; i++)
		mw_source_release(cx, p->source[i]);
	for (size_t i = 0; i < p->plan.n; i++)
		mw_free(cx, p->plan.v[i]);
	mw_free(cx, p->plan.v);
	mw_free(cx, p->source);
	mw_free(cx, p->root);
	mw_free(cx, p->value.v);
	mw_free(cx, p);
}

size_t mw_program_length(const mw_program *program)
{
	return program->p->length;
}

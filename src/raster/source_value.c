#include "raster/source_build.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"

static uint64_t hash_value(const mw__value *v)
{
	uint64_t h = v->op;
	for (int i = 0; i < 3; i++) {
		uint32_t k;
		memcpy(&k, &v->k[i], sizeof k);
		h = mw_mix64(h ^ ((uint64_t)v->arg[i] << 32 | k));
	}
	if (v->param_size)
		return mw_mix64(h ^ mw_hash_bytes(v->param, v->param_size).lo);
	return mw_mix64(h ^ (uint64_t)(uintptr_t)v->param);
}

static bool same_value(const mw__value *a, const mw__value *b)
{
	if (a->op != b->op || memcmp(a->arg, b->arg, sizeof a->arg) != 0 ||
		memcmp(a->k, b->k, sizeof a->k) != 0 || a->param_size != b->param_size)
		return false;
	return a->param == b->param ||
		(a->param_size && memcmp(a->param, b->param, a->param_size) == 0);
}

static uint64_t hash_visit(const mw_source *node, mw__place at)
{
	uint64_t h = mw_mix64((uint64_t)(uintptr_t)node ^ at.seed);
	return mw_mix64(h ^ ((uint64_t)at.x << 32 | at.z));
}

/* A mw__table of twice the size, or the first; its entries are put back by the caller. */
static mw_code grow(mw_ctx *cx, mw__table *t)
{
	size_t size = t->size ? t->size * 2 : 64;
	uint32_t *slot = mw_zalloc_n(cx, size, sizeof *slot);
	if (!slot)
		return MW_ENOMEM;
	mw_free(cx, t->slot);
	t->slot = slot;
	t->size = size;
	return MW_OK;
}

static void put(mw__table *t, uint64_t hash, size_t index)
{
	size_t i = hash & (t->size - 1);
	while (t->slot[i])
		i = (i + 1) & (t->size - 1);
	t->slot[i] = (uint32_t)index + 1;
}

/* The value v, found or added. */
mw_code mw__value_add(mw__compiler *c, const mw__value *v, uint32_t *out)
{
	mw__program *p = c->p;
	uint64_t hash = hash_value(v);
	if (c->values.size)
		for (size_t i = hash & (c->values.size - 1); c->values.slot[i];
			i = (i + 1) & (c->values.size - 1)) {
			uint32_t index = c->values.slot[i] - 1;
			if (same_value(&p->value.v[index], v)) {
				*out = index;
				return MW_OK;
			}
		}
	if (p->value.n >= MW_PROGRAM_VALUES_MAX)
		return mw_fail(c->cx, MW_ELIMIT, "source: the expression has more than %d values",
			MW_PROGRAM_VALUES_MAX);
	if ((p->value.n + 1) * 2 > c->values.size) {
		mw_code code = grow(c->cx, &c->values);
		if (code != MW_OK)
			return code;
		for (size_t i = 0; i < p->value.n; i++)
			put(&c->values, hash_value(&p->value.v[i]), i);
	}
	if (!MW_PUSH(c->cx, &p->value, *v))
		return MW_ENOMEM;
	*out = (uint32_t)(p->value.n - 1);
	put(&c->values, hash, *out);
	return MW_OK;
}

mw_code mw__visit_remember(mw__compiler *c, const mw_source *node, mw__place at, uint32_t value)
{
	if (c->visit.n >= 4 * (size_t)MW_PROGRAM_VALUES_MAX)
		return mw_fail(c->cx, MW_ELIMIT, "source: the expression has more than %d parts",
			4 * MW_PROGRAM_VALUES_MAX);
	if ((c->visit.n + 1) * 2 > c->visits.size) {
		mw_code code = grow(c->cx, &c->visits);
		if (code != MW_OK)
			return code;
		for (size_t i = 0; i < c->visit.n; i++)
			put(&c->visits, hash_visit(c->visit.v[i].node, c->visit.v[i].at), i);
	}
	mw__seen s = {.node = node, .at = at, .value = value};
	if (!MW_PUSH(c->cx, &c->visit, s))
		return MW_ENOMEM;
	put(&c->visits, hash_visit(node, at), c->visit.n - 1);
	return MW_OK;
}

const mw__seen *mw__visit_recall(const mw__compiler *c, const mw_source *node, mw__place at)
{
	if (!c->visits.size)
		return NULL;
	for (size_t i = hash_visit(node, at) & (c->visits.size - 1); c->visits.slot[i];
		i = (i + 1) & (c->visits.size - 1)) {
		const mw__seen *s = &c->visit.v[c->visits.slot[i] - 1];
		if (s->node == node && s->at.x == at.x && s->at.z == at.z && s->at.seed == at.seed)
			return s;
	}
	return NULL;
}

/* ---- values ------------------------------------------------------------------------------------
 */

mw__value mw__value_blank(int op, int shape)
{
	mw__value v = {.op = (uint8_t)op,
		.shape = (uint8_t)shape,
		.arg = {VALUE_NONE, VALUE_NONE, VALUE_NONE},
		.slot = VALUE_NONE};
	return v;
}

mw_code mw__value_constant(mw__compiler *c, float f, uint32_t *out)
{
	mw__value v = mw__value_blank(VALUE_CONST, SHAPE_CONST);
	v.k[0] = f;
	return mw__value_add(c, &v, out);
}

bool mw__value_known(const mw__compiler *c, uint32_t value, float *f)
{
	const mw__value *v = &c->p->value.v[value];
	*f = v->k[0];
	return v->op == VALUE_CONST;
}

static mw_code expand(mw__compiler *c, uint32_t *value)
{
	if (c->p->value.v[*value].shape == SHAPE_FULL)
		return MW_OK;
	mw__value v = mw__value_blank(VALUE_EXPAND, SHAPE_FULL);
	v.arg[0] = *value;
	return mw__value_add(c, &v, value);
}

/* Finish v, whose operation, arguments and parameters are set: its shape, and the arguments brought
 * to it. A column cannot be read beside a row, except by noise and grids. */
mw_code mw__value_emit(mw__compiler *c, mw__value *v, uint32_t *out)
{
	const mw__value *all = c->p->value.v;
	int shape = SHAPE_CONST;
	for (int i = 0; i < 3; i++)
		if (v->arg[i] != VALUE_NONE)
			shape |= all[v->arg[i]].shape;
	if (shape == SHAPE_CONST)
		shape = SHAPE_ROW;
	v->shape = (uint8_t)shape;
	if (shape == SHAPE_FULL) {
		bool crossing = (v->op == VALUE_NOISE || v->op == VALUE_GRID) &&
			!(all[v->arg[0]].shape & SHAPE_COLUMN) &&
			!(all[v->arg[1]].shape & SHAPE_ROW);
		for (int i = 0; i < 3 && !crossing; i++) {
			if (v->arg[i] == VALUE_NONE)
				continue;
			int own = c->p->value.v[v->arg[i]].shape;
			mw_code code = MW_OK;
			if (own == SHAPE_COLUMN || v->op == VALUE_DISTANCE)
				code = expand(c, &v->arg[i]);
			if (code != MW_OK)
				return code;
		}
	}
	return mw__value_add(c, v, out);
}

/* A lane-by-lane operation: computed here where all of its arguments are constants. */
mw_code mw__value_emit_map(mw__compiler *c, mw__value *v, uint32_t *out)
{
	float arg[3][8] = {{0}}, r[8];
	bool known = true;
	for (int i = 0; i < 3; i++) {
		float f = 0;
		if (v->arg[i] != VALUE_NONE && !mw__value_known(c, v->arg[i], &f))
			known = false;
		for (int j = 0; j < 8; j++)
			arg[i][j] = f;
	}
	if (!known)
		return mw__value_emit(c, v, out);
	if (v->op == VALUE_CURVE)
		mw__source_kernels_portable.curve(v->param, r, arg[0], 8);
	else
		mw__source_kernels_portable.apply(v->op, r, arg[0], arg[1], arg[2], v->k, 8);
	mw__source_kernels_portable.store(r, r, 8);
	return mw__value_constant(c, r[0], out);
}

mw_code mw__value_map1(
	mw__compiler *c, int op, uint32_t a, float k0, float k1, float k2, uint32_t *out)
{
	mw__value v = mw__value_blank(op, SHAPE_FULL);
	v.arg[0] = a;
	v.k[0] = k0;
	v.k[1] = k1;
	v.k[2] = k2;
	return mw__value_emit_map(c, &v, out);
}

mw_code mw__value_map2(mw__compiler *c, int op, uint32_t a, uint32_t b, uint32_t *out)
{
	mw__value v = mw__value_blank(op, SHAPE_FULL);
	v.arg[0] = a;
	v.arg[1] = b;
	return mw__value_emit_map(c, &v, out);
}

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "raster/source.h"
#include "raster/source_internal.h"

/* Where a node stands: the values that are its coordinates, and the seed of nameless noise. One
 * node under two warps is two values; a node met twice at one place is one. */
typedef struct {
	uint32_t x, z;
	uint64_t seed;
} place;

typedef struct {
	const mw_source *node;
	place at;
	uint32_t value;
} seen;

/* Two open-addressed tables over arrays, each at most half full: what was built, by its parts, and
 * what was visited, by its place. Entries are index + 1. */
typedef struct {
	uint32_t *slot;
	size_t size;
} table;

typedef struct {
	mw_ctx *cx;
	mw__program *p;
	const mw_source_scope *scope;
	MW_ARRAY(seen) visit;
	table values, visits;
} compiler;

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

static uint64_t hash_visit(const mw_source *node, place at)
{
	uint64_t h = mw_mix64((uint64_t)(uintptr_t)node ^ at.seed);
	return mw_mix64(h ^ ((uint64_t)at.x << 32 | at.z));
}

/* A table of twice the size, or the first; its entries are put back by the caller. */
static mw_code grow(mw_ctx *cx, table *t)
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

static void put(table *t, uint64_t hash, size_t index)
{
	size_t i = hash & (t->size - 1);
	while (t->slot[i])
		i = (i + 1) & (t->size - 1);
	t->slot[i] = (uint32_t)index + 1;
}

/* The value v, found or added. */
static mw_code add_value(compiler *c, const mw__value *v, uint32_t *out)
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

static mw_code remember(compiler *c, const mw_source *node, place at, uint32_t value)
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
	seen s = {.node = node, .at = at, .value = value};
	if (!MW_PUSH(c->cx, &c->visit, s))
		return MW_ENOMEM;
	put(&c->visits, hash_visit(node, at), c->visit.n - 1);
	return MW_OK;
}

static const seen *recall(const compiler *c, const mw_source *node, place at)
{
	if (!c->visits.size)
		return NULL;
	for (size_t i = hash_visit(node, at) & (c->visits.size - 1); c->visits.slot[i];
		i = (i + 1) & (c->visits.size - 1)) {
		const seen *s = &c->visit.v[c->visits.slot[i] - 1];
		if (s->node == node && s->at.x == at.x && s->at.z == at.z && s->at.seed == at.seed)
			return s;
	}
	return NULL;
}

/* ---- values ------------------------------------------------------------------------------------
 */

static mw__value blank(int op, int shape)
{
	mw__value v = {.op = (uint8_t)op,
		.shape = (uint8_t)shape,
		.arg = {VALUE_NONE, VALUE_NONE, VALUE_NONE},
		.slot = VALUE_NONE};
	return v;
}

static mw_code constant(compiler *c, float f, uint32_t *out)
{
	mw__value v = blank(VALUE_CONST, SHAPE_CONST);
	v.k[0] = f;
	return add_value(c, &v, out);
}

static bool is_constant(const compiler *c, uint32_t value, float *f)
{
	const mw__value *v = &c->p->value.v[value];
	*f = v->k[0];
	return v->op == VALUE_CONST;
}

static mw_code expand(compiler *c, uint32_t *value)
{
	if (c->p->value.v[*value].shape == SHAPE_FULL)
		return MW_OK;
	mw__value v = blank(VALUE_EXPAND, SHAPE_FULL);
	v.arg[0] = *value;
	return add_value(c, &v, value);
}

/* Finish v, whose operation, arguments and parameters are set: its shape, and the arguments brought
 * to it. A column cannot be read beside a row, except by noise. */
static mw_code emit(compiler *c, mw__value *v, uint32_t *out)
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
		bool crossing = v->op == VALUE_NOISE && !(all[v->arg[0]].shape & SHAPE_COLUMN) &&
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
	return add_value(c, v, out);
}

/* A lane-by-lane operation: computed here where all of its arguments are constants. */
static mw_code emit_map(compiler *c, mw__value *v, uint32_t *out)
{
	float arg[3][8] = {{0}}, r[8];
	bool known = true;
	for (int i = 0; i < 3; i++) {
		float f = 0;
		if (v->arg[i] != VALUE_NONE && !is_constant(c, v->arg[i], &f))
			known = false;
		for (int j = 0; j < 8; j++)
			arg[i][j] = f;
	}
	if (!known)
		return emit(c, v, out);
	if (v->op == VALUE_CURVE)
		mw__source_kernels_portable.curve(v->param, r, arg[0], 8);
	else
		mw__source_kernels_portable.apply(v->op, r, arg[0], arg[1], arg[2], v->k, 8);
	mw__source_kernels_portable.store(r, r, 8);
	return constant(c, r[0], out);
}

static mw_code map1(compiler *c, int op, uint32_t a, float k0, float k1, float k2, uint32_t *out)
{
	mw__value v = blank(op, SHAPE_FULL);
	v.arg[0] = a;
	v.k[0] = k0;
	v.k[1] = k1;
	v.k[2] = k2;
	return emit_map(c, &v, out);
}

static mw_code map2(compiler *c, int op, uint32_t a, uint32_t b, uint32_t *out)
{
	mw__value v = blank(op, SHAPE_FULL);
	v.arg[0] = a;
	v.arg[1] = b;
	return emit_map(c, &v, out);
}

/* ---- nodes -------------------------------------------------------------------------------------
 */

static mw_code build(compiler *c, const mw_source *s, place at, uint32_t *out);

static mw_code build_apply(compiler *c, const mw_source *s, place at, uint32_t *out)
{
	mw__value v = blank(s->op, SHAPE_FULL);
	for (int i = 0; i < mw_source_arity((mw_source_op)s->op); i++) {
		mw_code code = build(c, s->operand[i], at, &v.arg[i]);
		if (code != MW_OK)
			return code;
	}
	/* What leaves every value as it is, to the last bit, is not computed. */
	float f;
	*out = v.arg[0];
	if (v.arg[1] != VALUE_NONE && v.arg[2] == VALUE_NONE && is_constant(c, v.arg[1], &f)) {
		if (f == 1.0f && (v.op == MW_OP_MUL || v.op == MW_OP_DIV || v.op == MW_OP_POW))
			return MW_OK;
		if (f == 0.0f && v.op == MW_OP_SUB && !signbit(f))
			return MW_OK;
		if (f == 2.0f && v.op == MW_OP_POW)
			return map2(c, MW_OP_MUL, v.arg[0], v.arg[0], out);
	}
	return emit_map(c, &v, out);
}

static mw_code build_noise(compiler *c, const mw_source *s, place at, uint32_t *out)
{
	mw_noise noise = s->noise;
	if (s->stream)
		noise.seed += mw_mix64(at.seed ^ s->stream);
	mw_noise_plan plan;
	mw_noise_plan_make(&plan, &noise);
	mw__value v = blank(VALUE_NOISE, SHAPE_FULL);
	v.arg[0] = at.x;
	v.arg[1] = at.z;
	v.param = &plan;
	v.param_size = sizeof plan;
	size_t before = c->p->value.n;
	mw_code code = emit(c, &v, out);
	if (code != MW_OK || *out < before || c->p->value.v[*out].param != &plan)
		return code;
	mw_noise_plan *kept = mw_alloc(c->cx, sizeof *kept);
	if (kept)
		*kept = plan;
	c->p->value.v[*out].param = kept;
	if (!kept)
		return MW_ENOMEM;
	if (MW_PUSH(c->cx, &c->p->plan, kept))
		return MW_OK;
	mw_free(c->cx, kept);
	return MW_ENOMEM;
}

static mw_code build_param(compiler *c, int op, const mw_source *s, place at, uint32_t *out)
{
	mw__value v = blank(op, SHAPE_FULL);
	v.arg[0] = at.x;
	v.arg[1] = at.z;
	v.param = s->param;
	v.param_size = s->param_size;
	return emit(c, &v, out);
}

/* a * m[0] + b * m[1] + m[2], with no more of it than there is. */
static mw_code affine(compiler *c, const float *m, uint32_t a, uint32_t b, uint32_t *out)
{
	if (m[0] == 1.0f && m[1] == 0.0f && m[2] == 0.0f) {
		*out = a;
		return MW_OK;
	}
	if (m[1] == 0.0f)
		return map1(c, VALUE_AFFINE, a, m[0], m[2], 0, out);
	if (m[0] == 0.0f)
		return map1(c, VALUE_AFFINE, b, m[1], m[2], 0, out);
	uint32_t p, q;
	mw_code code = map1(c, VALUE_AFFINE, a, m[0], 0, 0, &p);
	if (code == MW_OK)
		code = map1(c, VALUE_AFFINE, b, m[1], m[2], 0, &q);
	if (code == MW_OK)
		code = map2(c, MW_OP_ADD, p, q, out);
	return code;
}

static mw_code build_transform(compiler *c, const mw_source *s, place at, uint32_t *out)
{
	place inner = at;
	mw_code code = affine(c, s->k, at.x, at.z, &inner.x);
	const float z[3] = {s->k[4], s->k[3], s->k[5]};
	if (code == MW_OK)
		code = affine(c, z, at.z, at.x, &inner.z);
	if (code == MW_OK)
		code = build(c, s->operand[0], inner, out);
	return code;
}

static mw_code build_warp(compiler *c, const mw_source *s, place at, uint32_t *out)
{
	static const uint64_t axis[2] = {0x7761727020782020u, 0x77617270207a2020u};
	place inner = at;
	for (int i = 0; i < 2; i++) {
		const mw_source *by = s->operand[1 + i];
		if (!by)
			continue;
		place beside = at;
		beside.seed = mw_mix64(at.seed ^ axis[i]);
		uint32_t d;
		mw_code code = build(c, by, beside, &d);
		if (code == MW_OK)
			code = map2(c, MW_OP_ADD, i ? at.z : at.x, d, i ? &inner.z : &inner.x);
		if (code != MW_OK)
			return code;
	}
	return build(c, s->operand[0], inner, out);
}

static mw_code build_mirror(compiler *c, const mw_source *s, place at, uint32_t *out)
{
	place inner = at;
	mw_code code = MW_OK;
	float centre[2] = {s->k[0], s->k[1]};
	if (s->centred) {
		centre[0] = (float)(0.5 * (c->scope->x0 + c->scope->x1));
		centre[1] = (float)(0.5 * (c->scope->z0 + c->scope->z1));
	}
	if (s->op == MW_MIRROR_X || s->op == MW_MIRROR_QUAD)
		code = map1(c, VALUE_FOLD, at.x, centre[0], 0, 0, &inner.x);
	if (code == MW_OK && (s->op == MW_MIRROR_Z || s->op == MW_MIRROR_QUAD))
		code = map1(c, VALUE_FOLD, at.z, centre[1], 0, 0, &inner.z);
	if (s->op == MW_MIRROR_POINT || s->op == MW_MIRROR_TURN) {
		bool turn = s->op == MW_MIRROR_TURN;
		mw__value v = blank(turn ? VALUE_TURN_X : VALUE_POINT_X, SHAPE_FULL);
		v.arg[0] = at.x;
		v.arg[1] = at.z;
		v.k[0] = centre[0];
		v.k[1] = centre[1];
		v.param = s->param;
		v.param_size = s->param_size;
		mw__value z = v;
		z.op = turn ? VALUE_TURN_Z : VALUE_POINT_Z;
		code = emit(c, &v, &inner.x);
		if (code == MW_OK)
			code = emit(c, &z, &inner.z);
	}
	if (code == MW_OK)
		code = build(c, s->operand[0], inner, out);
	return code;
}

static mw_code build_fit(compiler *c, const mw_source *s, place at, uint32_t *out)
{
	const double low[2] = {c->scope->x0, c->scope->z0}, high[2] = {c->scope->x1, c->scope->z1};
	float m[2][3];
	for (int i = 0; i < 2; i++) {
		double side = high[i] > low[i] ? high[i] - low[i] : 1;
		double factor = (double)s->k[i] / side;
		m[i][0] = (float)factor;
		m[i][1] = 0;
		m[i][2] = (float)(-low[i] * factor);
	}
	place inner = at;
	mw_code code = affine(c, m[0], at.x, at.z, &inner.x);
	if (code == MW_OK)
		code = affine(c, m[1], at.z, at.x, &inner.z);
	if (code == MW_OK)
		code = build(c, s->operand[0], inner, out);
	return code;
}

static mw_code build_new(compiler *c, const mw_source *s, place at, uint32_t *out)
{
	uint32_t a;
	mw_code code;
	switch ((node_kind)s->kind) {
	case NODE_CONSTANT:
		return constant(c, s->k[0], out);
	case NODE_X:
		*out = at.x;
		return MW_OK;
	case NODE_Z:
		*out = at.z;
		return MW_OK;
	case NODE_NOISE:
		return build_noise(c, s, at, out);
	case NODE_DISTANCE:
		return build_param(c, VALUE_DISTANCE, s, at, out);
	case NODE_GRID:
		return build_param(c, VALUE_GRID, s, at, out);
	case NODE_APPLY:
		return build_apply(c, s, at, out);
	case NODE_CURVE: {
		mw__value v = blank(VALUE_CURVE, SHAPE_FULL);
		code = build(c, s->operand[0], at, &v.arg[0]);
		v.param = s->param;
		v.param_size = s->param_size;
		return code == MW_OK ? emit_map(c, &v, out) : code;
	}
	case NODE_TERRACE:
		code = build(c, s->operand[0], at, &a);
		if (code == MW_OK)
			code = map1(c, VALUE_TERRACE, a, s->k[0], s->k[1], s->k[2], out);
		return code;
	case NODE_TRANSFORM:
		return build_transform(c, s, at, out);
	case NODE_WARP:
		return build_warp(c, s, at, out);
	case NODE_MIRROR:
		return build_mirror(c, s, at, out);
	case NODE_FIT:
		return build_fit(c, s, at, out);
	}
	return mw_fail(c->cx, MW_EINVALID, "source: a node of unknown kind");
}

static mw_code build(compiler *c, const mw_source *s, place at, uint32_t *out)
{
	const seen *before = recall(c, s, at);
	if (before) {
		*out = before->value;
		return MW_OK;
	}
	mw_code code = build_new(c, s, at, out);
	return code == MW_OK ? remember(c, s, at, *out) : code;
}

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

static mw_code compile(compiler *c, mw_source *const *roots, size_t n)
{
	mw__program *p = c->p;
	p->root = mw_alloc_n(c->cx, n, sizeof *p->root);
	p->source = mw_alloc_n(c->cx, n, sizeof *p->source);
	if (!p->root || !p->source)
		return MW_ENOMEM;
	place at = {.seed = c->scope->seed};
	mw__value x = blank(VALUE_X, SHAPE_ROW), z = blank(VALUE_Z, SHAPE_COLUMN);
	mw_code code = add_value(c, &x, &at.x);
	if (code == MW_OK)
		code = add_value(c, &z, &at.z);
	for (size_t i = 0; i < n && code == MW_OK; i++) {
		p->source[i] = mw_source_retain(roots[i]);
		p->roots = i + 1;
		code = build(c, roots[i], at, &p->root[i]);
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
	compiler c = {.cx = cx, .p = out->p, .scope = scope};
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

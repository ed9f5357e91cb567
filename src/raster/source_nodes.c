#include "raster/source_build.h"

#include <math.h>

#include "base/mem.h"
#include "base/rng.h"

static mw_code build_apply(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out)
{
	mw__value v = mw__value_blank(s->op, SHAPE_FULL);
	for (int i = 0; i < mw_source_arity((mw_source_op)s->op); i++) {
		mw_code code = mw__build(c, s->operand[i], at, &v.arg[i]);
		if (code != MW_OK)
			return code;
	}
	/* What leaves every value as it is, to the last bit, is not computed. */
	float f;
	*out = v.arg[0];
	if (v.arg[1] != VALUE_NONE && v.arg[2] == VALUE_NONE && mw__value_known(c, v.arg[1], &f)) {
		if (f == 1.0f && (v.op == MW_OP_MUL || v.op == MW_OP_DIV || v.op == MW_OP_POW))
			return MW_OK;
		if (f == 0.0f && v.op == MW_OP_SUB && !signbit(f))
			return MW_OK;
		if (f == 2.0f && v.op == MW_OP_POW)
			return mw__value_map2(c, MW_OP_MUL, v.arg[0], v.arg[0], out);
	}
	return mw__value_emit_map(c, &v, out);
}

static mw_code build_noise(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out)
{
	mw_noise noise = s->noise;
	if (s->stream)
		noise.seed += mw_mix64(at.seed ^ s->stream);
	mw_noise_plan plan;
	mw_noise_plan_make(&plan, &noise);
	mw__value v = mw__value_blank(VALUE_NOISE, SHAPE_FULL);
	v.arg[0] = at.x;
	v.arg[1] = at.z;
	v.param = &plan;
	v.param_size = sizeof plan;
	size_t before = c->p->value.n;
	mw_code code = mw__value_emit(c, &v, out);
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

static mw_code build_param(mw__compiler *c, int op, const mw_source *s, mw__place at, uint32_t *out)
{
	mw__value v = mw__value_blank(op, SHAPE_FULL);
	v.arg[0] = at.x;
	v.arg[1] = at.z;
	v.param = s->param;
	v.param_size = s->param_size;
	return mw__value_emit(c, &v, out);
}

/* a * m[0] + b * m[1] + m[2], with no more of it than there is. */
static mw_code affine(mw__compiler *c, const float *m, uint32_t a, uint32_t b, uint32_t *out)
{
	if (m[0] == 1.0f && m[1] == 0.0f && m[2] == 0.0f) {
		*out = a;
		return MW_OK;
	}
	if (m[1] == 0.0f)
		return mw__value_map1(c, VALUE_AFFINE, a, m[0], m[2], 0, out);
	if (m[0] == 0.0f)
		return mw__value_map1(c, VALUE_AFFINE, b, m[1], m[2], 0, out);
	uint32_t p, q;
	mw_code code = mw__value_map1(c, VALUE_AFFINE, a, m[0], 0, 0, &p);
	if (code == MW_OK)
		code = mw__value_map1(c, VALUE_AFFINE, b, m[1], m[2], 0, &q);
	if (code == MW_OK)
		code = mw__value_map2(c, MW_OP_ADD, p, q, out);
	return code;
}

static mw_code build_transform(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out)
{
	mw__place inner = at;
	mw_code code = affine(c, s->k, at.x, at.z, &inner.x);
	const float z[3] = {s->k[4], s->k[3], s->k[5]};
	if (code == MW_OK)
		code = affine(c, z, at.z, at.x, &inner.z);
	if (code == MW_OK)
		code = mw__build(c, s->operand[0], inner, out);
	return code;
}

static mw_code build_warp(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out)
{
	static const uint64_t axis[2] = {0x7761727020782020u, 0x77617270207a2020u};
	mw__place inner = at;
	for (int i = 0; i < 2; i++) {
		const mw_source *by = s->operand[1 + i];
		if (!by)
			continue;
		mw__place beside = at;
		beside.seed = mw_mix64(at.seed ^ axis[i]);
		uint32_t d;
		mw_code code = mw__build(c, by, beside, &d);
		if (code == MW_OK)
			code = mw__value_map2(
				c, MW_OP_ADD, i ? at.z : at.x, d, i ? &inner.z : &inner.x);
		if (code != MW_OK)
			return code;
	}
	return mw__build(c, s->operand[0], inner, out);
}

/* The kept place that stands for one: where it is folded or turned to. */
static mw_code kept_place(mw__compiler *c, const mw_source *s, const float centre[2], mw__place *at)
{
	if (s->op == MW_MIRROR_X)
		return mw__value_map1(c, VALUE_FOLD, at->x, centre[0], 0, 0, &at->x);
	if (s->op == MW_MIRROR_Z)
		return mw__value_map1(c, VALUE_FOLD, at->z, centre[1], 0, 0, &at->z);
	bool turn = s->op == MW_MIRROR_TURN;
	mw__value x = mw__value_blank(turn ? VALUE_TURN_X : VALUE_POINT_X, SHAPE_FULL);
	x.arg[0] = at->x;
	x.arg[1] = at->z;
	x.k[0] = centre[0];
	x.k[1] = centre[1];
	x.param = s->param;
	x.param_size = s->param_size;
	mw__value z = x;
	z.op = turn ? VALUE_TURN_Z : VALUE_POINT_Z;
	mw_code code = mw__value_emit(c, &x, &at->x);
	return code == MW_OK ? mw__value_emit(c, &z, &at->z) : code;
}

/* at, moved from the kept place to its image across the seam: reflected or turned half round. */
static mw_code image_place(mw__compiler *c, int kind, const float centre[2], mw__place *at)
{
	mw_code code = MW_OK;
	if (kind != MW_MIRROR_Z)
		code = mw__value_map1(c, VALUE_AFFINE, at->x, -1, 2 * centre[0], 0, &at->x);
	if (code == MW_OK && kind != MW_MIRROR_X)
		code = mw__value_map1(c, VALUE_AFFINE, at->z, -1, 2 * centre[1], 0, &at->z);
	return code;
}

/* Two sides: the kept one and its image, by the distance from the line between them. */
static mw_code build_soft_halves(
	mw__compiler *c, const mw_source *s, const float centre[2], mw__place kept, uint32_t *out)
{
	mw__place image = kept;
	mw__value lerp = mw__value_blank(MW_OP_LERP, SHAPE_FULL);
	bool west = s->op == MW_MIRROR_X;
	uint32_t d;
	mw_code code = image_place(c, s->op, centre, &image);
	if (code == MW_OK)
		code = mw__build(c, s->operand[0], image, &lerp.arg[0]);
	if (code == MW_OK)
		code = mw__build(c, s->operand[0], kept, &lerp.arg[1]);
	if (code == MW_OK)
		code = mw__value_map1(
			c, VALUE_AFFINE, west ? kept.x : kept.z, -1, centre[west ? 0 : 1], 0, &d);
	if (code == MW_OK)
		code = mw__value_map1(c, VALUE_SEAM, d, s->k[2], 0, 0, &lerp.arg[2]);
	return code == MW_OK ? mw__value_emit_map(c, &lerp, out) : code;
}

/* One image of a sector: its weight, as field_mirror.c gives it, and its weighted value. */
static mw_code build_soft_image(mw__compiler *c, const mw_source *s, const float centre[2],
	mw__place kept, int k, uint32_t *weight, uint32_t *value)
{
	const mw__turn *turn = s->param;
	const float cosine = turn->cosine[k], sine = turn->sine[k];
	/* (dx, dz) from the centre, turned clockwise by k sectors */
	const float mx[3] = {cosine, -sine, 0}, mz[3] = {cosine, sine, 0};
	const float edge[3] = {turn->cosine[1], -turn->sine[1], 0};
	uint32_t dx, dz, qx, qz, d0, d1, w0, w1;
	mw__place at = kept;
	mw_code code = mw__value_map1(c, VALUE_AFFINE, kept.x, 1, -centre[0], 0, &dx);
	if (code == MW_OK)
		code = mw__value_map1(c, VALUE_AFFINE, kept.z, 1, -centre[1], 0, &dz);
	if (code == MW_OK)
		code = affine(c, mx, dx, dz, &qx);
	if (code == MW_OK)
		code = affine(c, mz, dz, dx, &qz);
	if (code == MW_OK)
		code = mw__value_map1(c, VALUE_AFFINE, qx, -1, 0, 0, &d0);
	if (code == MW_OK)
		code = affine(c, edge, qx, qz, &d1);
	if (code == MW_OK)
		code = mw__value_map1(c, VALUE_SEAM, d0, s->k[2], 0, 0, &w0);
	if (code == MW_OK)
		code = mw__value_map1(c, VALUE_SEAM, d1, s->k[2], 0, 0, &w1);
	if (code == MW_OK)
		code = mw__value_map2(c, MW_OP_MUL, w0, w1, weight);
	if (code == MW_OK && k)
		code = mw__value_map1(c, VALUE_AFFINE, qx, 1, centre[0], 0, &at.x);
	if (code == MW_OK && k)
		code = mw__value_map1(c, VALUE_AFFINE, qz, 1, centre[1], 0, &at.z);
	if (code == MW_OK)
		code = mw__build(c, s->operand[0], at, value);
	return code == MW_OK ? mw__value_map2(c, MW_OP_MUL, *value, *weight, value) : code;
}

static mw_code build_soft_sectors(
	mw__compiler *c, const mw_source *s, const float centre[2], mw__place kept, uint32_t *out)
{
	uint32_t sum = 0, weights = 0;
	for (int k = 0; k < ((const mw__turn *)s->param)->n; k++) {
		uint32_t w, v;
		mw_code code = build_soft_image(c, s, centre, kept, k, &w, &v);
		if (code == MW_OK && k)
			code = mw__value_map2(c, MW_OP_ADD, sum, v, &v);
		if (code == MW_OK && k)
			code = mw__value_map2(c, MW_OP_ADD, weights, w, &w);
		if (code != MW_OK)
			return code;
		sum = v;
		weights = w;
	}
	return mw__value_map2(c, MW_OP_DIV, sum, weights, out);
}

static mw_code build_mirror(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out)
{
	float centre[2] = {s->k[0], s->k[1]};
	if (s->centred) {
		centre[0] = (float)(0.5 * (c->scope->x0 + c->scope->x1));
		centre[1] = (float)(0.5 * (c->scope->z0 + c->scope->z1));
	}
	mw_code code = kept_place(c, s, centre, &at);
	if (code != MW_OK)
		return code;
	if (s->k[2] == 0.0f)
		return mw__build(c, s->operand[0], at, out);
	return s->op == MW_MIRROR_TURN ? build_soft_sectors(c, s, centre, at, out)
				       : build_soft_halves(c, s, centre, at, out);
}

static mw_code build_fit(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out)
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
	mw__place inner = at;
	mw_code code = affine(c, m[0], at.x, at.z, &inner.x);
	if (code == MW_OK)
		code = affine(c, m[1], at.z, at.x, &inner.z);
	if (code == MW_OK)
		code = mw__build(c, s->operand[0], inner, out);
	return code;
}

static mw_code build_new(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out)
{
	uint32_t a;
	mw_code code;
	switch ((node_kind)s->kind) {
	case NODE_CONSTANT:
		return mw__value_constant(c, s->k[0], out);
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
		mw__value v = mw__value_blank(VALUE_CURVE, SHAPE_FULL);
		code = mw__build(c, s->operand[0], at, &v.arg[0]);
		v.param = s->param;
		v.param_size = s->param_size;
		return code == MW_OK ? mw__value_emit_map(c, &v, out) : code;
	}
	case NODE_TERRACE:
		code = mw__build(c, s->operand[0], at, &a);
		if (code == MW_OK)
			code = mw__value_map1(c, VALUE_TERRACE, a, s->k[0], s->k[1], s->k[2], out);
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

mw_code mw__build(mw__compiler *c, const mw_source *s, mw__place at, uint32_t *out)
{
	const mw__seen *before = mw__visit_recall(c, s, at);
	if (before) {
		*out = before->value;
		return MW_OK;
	}
	mw_code code = build_new(c, s, at, out);
	return code == MW_OK ? mw__visit_remember(c, s, at, *out) : code;
}

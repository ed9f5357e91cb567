#include "raster/source.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "raster/source_internal.h"

/* A float that the double v rounds to, refused where it is not finite. */
static mw_code to_float(mw_ctx *cx, float *out, double v, const char *name)
{
	if (!(v >= -3.4028234663852886e38 && v <= 3.4028234663852886e38))
		return mw_fail(cx, MW_ERANGE, "source: %s = %g is not a finite number", name, v);
	*out = (float)v;
	return MW_OK;
}

static mw_code new_node(
	mw_ctx *cx, mw_source **out, node_kind kind, mw_source *const *operand, int n)
{
	*out = NULL;
	unsigned depth = 0;
	for (int i = 0; i < n; i++)
		if (operand[i] && operand[i]->depth > depth)
			depth = operand[i]->depth;
	if (depth + 1 > MW_SOURCE_DEPTH_MAX)
		return mw_fail(cx, MW_ELIMIT, "source: more than %d operations inside each other",
			MW_SOURCE_DEPTH_MAX);
	mw_source *s = mw_zalloc(cx, sizeof *s);
	if (!s)
		return MW_ENOMEM;
	s->owners = 1;
	s->kind = (uint8_t)kind;
	s->depth = (uint16_t)(depth + 1);
	for (int i = 0; i < n; i++)
		s->operand[i] = operand[i] ? mw_source_retain(operand[i]) : NULL;
	*out = s;
	return MW_OK;
}

/* A node with size bytes of its own, zeroed. */
static mw_code new_param_node(
	mw_ctx *cx, mw_source **out, node_kind kind, mw_source *const *operand, int n, size_t size)
{
	mw_code code = new_node(cx, out, kind, operand, n);
	if (code != MW_OK)
		return code;
	(*out)->param = mw_zalloc(cx, size);
	(*out)->param_size = size;
	if ((*out)->param)
		return MW_OK;
	mw_source_release(cx, *out);
	*out = NULL;
	return MW_ENOMEM;
}

mw_source *mw_source_retain(mw_source *source)
{
	source->owners++;
	return source;
}

void mw_source_release(mw_ctx *cx, mw_source *source)
{
	if (!source || --source->owners > 0)
		return;
	for (int i = 0; i < 3; i++)
		mw_source_release(cx, source->operand[i]);
	mw_free(cx, source->param);
	mw_free(cx, source);
}

mw_code mw_source_constant(mw_ctx *cx, mw_source **out, double v)
{
	*out = NULL;
	float f = 0;
	mw_code code = to_float(cx, &f, v, "constant");
	if (code == MW_OK)
		code = new_node(cx, out, NODE_CONSTANT, NULL, 0);
	if (code == MW_OK)
		(*out)->k[0] = f;
	return code;
}

mw_code mw_source_x(mw_ctx *cx, mw_source **out)
{
	return new_node(cx, out, NODE_X, NULL, 0);
}

mw_code mw_source_z(mw_ctx *cx, mw_source **out)
{
	return new_node(cx, out, NODE_Z, NULL, 0);
}

mw_code mw_source_noise(mw_ctx *cx, mw_source **out, const mw_noise *noise, const char *stream)
{
	*out = NULL;
	mw_code code = mw_noise_check(cx, noise);
	if (code == MW_OK)
		code = new_node(cx, out, NODE_NOISE, NULL, 0);
	if (code != MW_OK)
		return code;
	(*out)->noise = *noise;
	if (stream)
		(*out)->stream = mw_hash_bytes(stream, strlen(stream)).lo | 1;
	return MW_OK;
}

static void segment_set(mw__segment *s, const float *a, const float *b)
{
	s->ax = a[0];
	s->az = a[1];
	s->bx = b[0];
	s->bz = b[1];
	s->dx = s->bx - s->ax;
	s->dz = s->bz - s->az;
	double length2 = (double)s->dx * (double)s->dx + (double)s->dz * (double)s->dz;
	s->inverse = length2 > 1e-30 ? (float)(1.0 / length2) : 0.0f;
	s->slope = s->bz != s->az ? (float)((double)s->dx / (double)s->dz) : 0.0f;
}

mw_code mw_source_distance(
	mw_ctx *cx, mw_source **out, mw_shape_kind kind, const double *xz, size_t n)
{
	*out = NULL;
	size_t least = kind == MW_SHAPE_POLYGON ? 3 : 1;
	if (n < least || n > MW_SOURCE_SHAPE_MAX)
		return mw_fail(cx, MW_ERANGE, "source: a shape of %zu points is outside %zu..%d", n,
			least, MW_SOURCE_SHAPE_MAX);
	for (size_t i = 0; i < 2 * n; i++)
		if (!(xz[i] >= -1e9 && xz[i] <= 1e9))
			return mw_fail(cx, MW_ERANGE,
				"source: point %zu of a shape is not within 1e9 elmos", i / 2 + 1);
	size_t segments = kind == MW_SHAPE_LINE && n > 1 ? n - 1 : n;
	mw_code code = new_param_node(cx, out, NODE_DISTANCE, NULL, 0,
		sizeof(mw__shape) + segments * sizeof(mw__segment));
	if (code != MW_OK)
		return code;
	mw__shape *shape = (*out)->param;
	shape->kind = kind;
	shape->n = segments;
	for (size_t i = 0; i < segments; i++) {
		size_t next = kind == MW_SHAPE_POINTS || n == 1 ? i : (i + 1) % n;
		float a[2] = {(float)xz[2 * i], (float)xz[2 * i + 1]};
		float b[2] = {(float)xz[2 * next], (float)xz[2 * next + 1]};
		segment_set(&shape->segment[i], a, b);
	}
	return MW_OK;
}

mw_code mw_source_grid(mw_ctx *cx, mw_source **out, const float *v, int32_t w, int32_t h, double x0,
	double z0, double dx, double dz, mw_filter filter, mw_edge edge)
{
	*out = NULL;
	if (w < 1 || h < 1 || (int64_t)w * h > MW_SOURCE_GRID_MAX)
		return mw_fail(cx, MW_ERANGE, "source: a grid of %d x %d samples is outside 1..%d",
			w, h, MW_SOURCE_GRID_MAX);
	if (dx == 0 || dz == 0)
		return mw_fail(cx, MW_ERANGE, "source: a grid needs a step other than 0");
	float at[4];
	const double given[4] = {x0, z0, 1 / dx, 1 / dz};
	const char *const name[4] = {"x0", "z0", "1 / dx", "1 / dz"};
	for (int i = 0; i < 4; i++) {
		mw_code code = to_float(cx, &at[i], given[i], name[i]);
		if (code != MW_OK)
			return code;
	}
	size_t count = (size_t)w * (size_t)h;
	mw_code code = new_param_node(
		cx, out, NODE_GRID, NULL, 0, sizeof(mw__grid) + count * sizeof(float));
	if (code != MW_OK)
		return code;
	mw__grid *grid = (*out)->param;
	(*out)->param_size = 0;
	grid->w = w;
	grid->h = h;
	grid->x0 = at[0];
	grid->z0 = at[1];
	grid->inverse_dx = at[2];
	grid->inverse_dz = at[3];
	grid->filter = filter;
	grid->edge = edge;
	memcpy(grid->v, v, count * sizeof(float));
	return MW_OK;
}

int mw_source_arity(mw_source_op op)
{
	return op < MW_OP_ABS ? 2 : op < MW_OP_CLAMP ? 1 : 3;
}

mw_code mw_source_apply(mw_ctx *cx, mw_source **out, mw_source_op op, mw_source *const *operand)
{
	mw_code code = new_node(cx, out, NODE_APPLY, operand, mw_source_arity(op));
	if (code == MW_OK)
		(*out)->op = (uint8_t)op;
	return code;
}

/* Slopes at the points of a monotone cubic (Fritsch and Carlson's condition, by Brodlie's harmonic
 * mean): zero at extremes and ends of plateaus, so it never leaves the range of two neighbours. */
static void monotone(const double *xs, const double *ys, size_t n, double *slope)
{
	for (size_t i = 0; i < n; i++) {
		bool first = i == 0, last = i + 1 == n;
		double before = first ? 0 : (ys[i] - ys[i - 1]) / (xs[i] - xs[i - 1]);
		double after = last ? 0 : (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]);
		if (first || last) {
			slope[i] = first ? after : before;
		} else if (before * after <= 0) {
			slope[i] = 0;
		} else {
			double h0 = xs[i] - xs[i - 1], h1 = xs[i + 1] - xs[i];
			double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
			slope[i] = (w0 + w1) / (w0 / before + w1 / after);
		}
	}
}

mw_code mw_source_curve(mw_ctx *cx, mw_source **out, mw_source *a, const double *xs,
	const double *ys, size_t n, bool smooth)
{
	*out = NULL;
	if (n < 1 || n > MW_SOURCE_CURVE_MAX)
		return mw_fail(cx, MW_ERANGE, "source: a curve of %zu points is outside 1..%d", n,
			MW_SOURCE_CURVE_MAX);
	for (size_t i = 0; i < n; i++) {
		if (!(xs[i] >= -1e30 && xs[i] <= 1e30 && ys[i] >= -1e30 && ys[i] <= 1e30))
			return mw_fail(cx, MW_ERANGE,
				"source: point %zu of a curve is not within 1e30", i + 1);
		if (i && (float)xs[i] <= (float)xs[i - 1])
			return mw_fail(cx, MW_ERANGE,
				"source: point %zu of a curve, at %g, does not come after %g",
				i + 1, xs[i], xs[i - 1]);
	}
	double slope[MW_SOURCE_CURVE_MAX];
	mw_code code = new_param_node(cx, out, NODE_CURVE, &a, 1, sizeof(mw__curve));
	if (code != MW_OK)
		return code;
	mw__curve *curve = (*out)->param;
	curve->n = n;
	monotone(xs, ys, n, slope);
	for (size_t i = 0; i < n; i++) {
		curve->x[i] = (float)xs[i];
		curve->c[i][0] = (float)ys[i];
		if (i + 1 == n)
			break;
		double h = xs[i + 1] - xs[i], d = (ys[i + 1] - ys[i]) / h;
		if (!smooth) {
			curve->c[i][1] = (float)d;
			continue;
		}
		curve->c[i][1] = (float)slope[i];
		curve->c[i][2] = (float)((3 * d - 2 * slope[i] - slope[i + 1]) / h);
		curve->c[i][3] = (float)((slope[i] + slope[i + 1] - 2 * d) / (h * h));
	}
	return MW_OK;
}

mw_code mw_source_terrace(
	mw_ctx *cx, mw_source **out, mw_source *a, double step, double offset, double soften)
{
	*out = NULL;
	if (!(step >= 1e-6 && step <= 1e9))
		return mw_fail(
			cx, MW_ERANGE, "source: a terrace step of %g is outside 1e-6..1e9", step);
	if (!(soften >= 0 && soften <= 1))
		return mw_fail(
			cx, MW_ERANGE, "source: a terrace soften of %g is outside 0..1", soften);
	float from = 0;
	mw_code code = to_float(cx, &from, offset, "terrace offset");
	if (code == MW_OK)
		code = new_node(cx, out, NODE_TERRACE, &a, 1);
	if (code != MW_OK)
		return code;
	(*out)->k[0] = (float)step;
	(*out)->k[1] = from;
	(*out)->k[2] = (float)soften;
	return MW_OK;
}

mw_code mw_source_transform(mw_ctx *cx, mw_source **out, mw_source *a, const double m[6])
{
	*out = NULL;
	float k[6];
	for (int i = 0; i < 6; i++) {
		mw_code code = to_float(cx, &k[i], m[i], "transform");
		if (code != MW_OK)
			return code;
	}
	mw_code code = new_node(cx, out, NODE_TRANSFORM, &a, 1);
	if (code == MW_OK)
		memcpy((*out)->k, k, sizeof k);
	return code;
}

mw_code mw_source_warp(mw_ctx *cx, mw_source **out, mw_source *a, mw_source *dx, mw_source *dz)
{
	mw_source *const operand[3] = {a, dx, dz};
	return new_node(cx, out, NODE_WARP, operand, 3);
}

/* k: x, z and soften */
static mw_code new_mirror(
	mw_ctx *cx, mw_source **out, mw_source *a, mw_mirror mirror, const float k[3], bool centred)
{
	bool turned = mirror.kind == MW_MIRROR_TURN;
	mw_code code = turned ? new_param_node(cx, out, NODE_MIRROR, &a, 1, sizeof(mw__turn))
			      : new_node(cx, out, NODE_MIRROR, &a, 1);
	if (code != MW_OK)
		return code;
	(*out)->op = (uint8_t)mirror.kind;
	(*out)->centred = centred;
	memcpy((*out)->k, k, 3 * sizeof *k);
	mw__turn *turn = (*out)->param;
	for (int i = 0; turned && i < mirror.n; i++) {
		double cosine, sine;
		mw_turn((double)i / mirror.n, &cosine, &sine);
		turn->n = mirror.n;
		turn->cosine[i] = (float)cosine;
		turn->sine[i] = (float)sine;
	}
	return MW_OK;
}

mw_code mw_source_mirror(mw_ctx *cx, mw_source **out, mw_source *a, mw_mirror mirror,
	const double *centre, double soften)
{
	*out = NULL;
	float k[3] = {0};
	mw_code code = MW_OK;
	for (int i = 0; i < 2 && centre && code == MW_OK; i++)
		code = to_float(cx, &k[i], centre[i], i ? "mirror centre z" : "mirror centre x");
	if (code != MW_OK)
		return code;
	if (!(soften >= 0 && soften <= 1e9))
		return mw_fail(
			cx, MW_ERANGE, "source: a soft seam of %g elmos is outside 0..1e9", soften);
	k[2] = (float)soften;
	if (mirror.kind == MW_MIRROR_NONE) {
		*out = mw_source_retain(a);
		return MW_OK;
	}
	if (mirror.kind == MW_MIRROR_TURN && (mirror.n < 2 || mirror.n > MW_MIRROR_TURN_MAX))
		return mw_fail(cx, MW_ERANGE, "source: a symmetry of %d sectors is outside 2..%d",
			mirror.n, MW_MIRROR_TURN_MAX);
	if (mirror.kind == MW_MIRROR_TURN && mirror.n == 2)
		mirror.kind = MW_MIRROR_POINT;
	if (mirror.kind != MW_MIRROR_QUAD)
		return new_mirror(cx, out, a, mirror, k, !centre);
	mw_source *half = NULL;
	code = new_mirror(cx, &half, a, (mw_mirror){.kind = MW_MIRROR_X}, k, !centre);
	if (code == MW_OK)
		code = new_mirror(cx, out, half, (mw_mirror){.kind = MW_MIRROR_Z}, k, !centre);
	mw_source_release(cx, half);
	return code;
}

mw_code mw_source_fit(mw_ctx *cx, mw_source **out, mw_source *a, double w, double h)
{
	*out = NULL;
	if (!(w > 0 && w <= 1e9 && h > 0 && h <= 1e9))
		return mw_fail(
			cx, MW_ERANGE, "source: fitting into %g x %g is outside 0..1e9", w, h);
	mw_code code = new_node(cx, out, NODE_FIT, &a, 1);
	if (code != MW_OK)
		return code;
	(*out)->k[0] = (float)w;
	(*out)->k[1] = (float)h;
	return MW_OK;
}

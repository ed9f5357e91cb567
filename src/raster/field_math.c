#include "raster/field.h"

#include <string.h>

static mw_code same_shape(mw_ctx *cx, const mw_field *f, const mw_field *g)
{
	if (f->w == g->w && f->h == g->h)
		return MW_OK;
	return mw_fail(cx, MW_EINVALID, "the fields differ in size: %d x %d and %d x %d samples",
		f->w, f->h, g->w, g->h);
}

mw_code mw_field_apply(mw_ctx *cx, mw_field *f, mw_field_op op, const mw_field *g)
{
	mw_code code = same_shape(cx, f, g);
	if (code != MW_OK)
		return code;
	size_t n = mw_field_count(f);
	float *a = f->v;
	const float *b = g->v;

	switch (op) {
	case MW_FIELD_SET:
		memmove(a, b, n * sizeof *a);
		break;
	case MW_FIELD_ADD:
		for (size_t i = 0; i < n; i++)
			a[i] += b[i];
		break;
	case MW_FIELD_SUB:
		for (size_t i = 0; i < n; i++)
			a[i] -= b[i];
		break;
	case MW_FIELD_MUL:
		for (size_t i = 0; i < n; i++)
			a[i] *= b[i];
		break;
	case MW_FIELD_DIV:
		for (size_t i = 0; i < n; i++)
			a[i] /= b[i];
		break;
	case MW_FIELD_MIN:
		for (size_t i = 0; i < n; i++)
			a[i] = b[i] < a[i] ? b[i] : a[i];
		break;
	case MW_FIELD_MAX:
		for (size_t i = 0; i < n; i++)
			a[i] = b[i] > a[i] ? b[i] : a[i];
		break;
	}
	return MW_OK;
}

void mw_field_apply_number(mw_field *f, mw_field_op op, float s)
{
	size_t n = mw_field_count(f);
	float *a = f->v;

	switch (op) {
	case MW_FIELD_SET:
		for (size_t i = 0; i < n; i++)
			a[i] = s;
		break;
	case MW_FIELD_ADD:
		for (size_t i = 0; i < n; i++)
			a[i] += s;
		break;
	case MW_FIELD_SUB:
		for (size_t i = 0; i < n; i++)
			a[i] -= s;
		break;
	case MW_FIELD_MUL:
		for (size_t i = 0; i < n; i++)
			a[i] *= s;
		break;
	case MW_FIELD_DIV:
		for (size_t i = 0; i < n; i++)
			a[i] /= s;
		break;
	case MW_FIELD_MIN:
		for (size_t i = 0; i < n; i++)
			a[i] = s < a[i] ? s : a[i];
		break;
	case MW_FIELD_MAX:
		for (size_t i = 0; i < n; i++)
			a[i] = s > a[i] ? s : a[i];
		break;
	}
}

mw_code mw_field_madd(mw_ctx *cx, mw_field *f, const mw_field *g, float s)
{
	mw_code code = same_shape(cx, f, g);
	if (code != MW_OK)
		return code;
	size_t n = mw_field_count(f);

	for (size_t i = 0; i < n; i++)
		f->v[i] += g->v[i] * s;
	return MW_OK;
}

mw_code mw_field_lerp(mw_ctx *cx, mw_field *f, const mw_field *g, const mw_field *mask)
{
	mw_code code = same_shape(cx, f, g);
	if (code == MW_OK)
		code = same_shape(cx, f, mask);
	if (code != MW_OK)
		return code;
	size_t n = mw_field_count(f);
	float *a = f->v;
	const float *b = g->v;
	const float *m = mask->v;

	for (size_t i = 0; i < n; i++) {
		float mixed = a[i] + (b[i] - a[i]) * m[i];
		a[i] = m[i] == 1.0f ? b[i] : mixed; /* a + (b - a) need not be b */
	}
	return MW_OK;
}

mw_code mw_field_lerp_number(mw_ctx *cx, mw_field *f, float level, const mw_field *mask)
{
	mw_code code = same_shape(cx, f, mask);
	if (code != MW_OK)
		return code;
	size_t n = mw_field_count(f);
	float *a = f->v;
	const float *m = mask->v;

	for (size_t i = 0; i < n; i++) {
		float mixed = a[i] + (level - a[i]) * m[i];
		a[i] = m[i] == 1.0f ? level : mixed;
	}
	return MW_OK;
}

void mw_field_scale(mw_field *f, float factor, float offset)
{
	size_t n = mw_field_count(f);

	for (size_t i = 0; i < n; i++)
		f->v[i] = f->v[i] * factor + offset;
}

void mw_field_clamp(mw_field *f, float lo, float hi)
{
	size_t n = mw_field_count(f);

	for (size_t i = 0; i < n; i++) {
		float x = f->v[i];
		x = x < lo ? lo : x;
		f->v[i] = x > hi ? hi : x;
	}
}

void mw_field_abs(mw_field *f)
{
	size_t n = mw_field_count(f);

	for (size_t i = 0; i < n; i++)
		f->v[i] = f->v[i] < 0.0f ? -f->v[i] : f->v[i] + 0.0f; /* -0 becomes 0 */
}

void mw_field_normalise(mw_field *f, float lo, float hi)
{
	mw_field_stats st = mw_field_measure(f);
	size_t n = mw_field_count(f);
	double range = (double)st.max - (double)st.min;

	if (!(range > 0)) {
		for (size_t i = 0; i < n; i++)
			f->v[i] = f->v[i] == st.min ? lo : f->v[i];
		return;
	}
	/* In double, and weighted from both ends, so that both come out exactly. */
	for (size_t i = 0; i < n; i++) {
		double t = ((double)f->v[i] - (double)st.min) / range;
		f->v[i] = (float)((double)lo * (1 - t) + (double)hi * t);
	}
}

static float curve_at(const double *xs, const double *ys, int32_t n, double x)
{
	if (!(x > xs[0]))
		return x == x ? (float)ys[0] : (float)x;
	if (x >= xs[n - 1])
		return (float)ys[n - 1];
	int32_t lo = 0;
	int32_t hi = n - 1; /* xs[lo] < x < xs[hi] or x on a point */
	while (hi - lo > 1) {
		int32_t mid = lo + (hi - lo) / 2;
		if (x < xs[mid])
			hi = mid;
		else
			lo = mid;
	}
	double t = (x - xs[lo]) / (xs[hi] - xs[lo]);
	return (float)(ys[lo] + (ys[hi] - ys[lo]) * t);
}

mw_code mw_field_curve(mw_ctx *cx, mw_field *f, const double *xs, const double *ys, int32_t n)
{
	if (n < 1)
		return mw_fail(cx, MW_EINVALID, "a curve needs at least one point");
	for (int32_t k = 0; k < n; k++) {
		if (!(xs[k] - xs[k] == 0) || !(ys[k] - ys[k] == 0))
			return mw_fail(cx, MW_EINVALID, "curve point %d is not finite", k + 1);
		if (k > 0 && !(xs[k] > xs[k - 1]))
			return mw_fail(cx, MW_EINVALID,
				"curve point %d is at %g, which does not rise above %g", k + 1,
				xs[k], xs[k - 1]);
	}
	size_t count = mw_field_count(f);
	for (size_t i = 0; i < count; i++)
		f->v[i] = curve_at(xs, ys, n, (double)f->v[i]);
	return MW_OK;
}

/* floorf without the library, so that the loop stays a vector loop. [x: |x| < 2^31] */
static inline float floor32(float x)
{
	float t = (float)(int32_t)x;
	return t > x ? t - 1.0f : t;
}

void mw_field_terrace(mw_field *f, float step, float offset, float soften)
{
	size_t n = mw_field_count(f);
	float per = 1.0f / step;
	float tread = 1.0f - soften;
	/* soften 0: the riser is all of nothing; any slope from 1 down gives 0 below it */
	float steep = soften > 0.0f ? 1.0f / soften : 0.0f;

	for (size_t i = 0; i < n; i++) {
		float q = (f->v[i] - offset) * per;
		float in_range = q > -2.0e9f && q < 2.0e9f ? q : 0.0f;
		float base = floor32(in_range);
		float t = (in_range - base - tread) * steep;
		t = t > 0.0f ? t : 0.0f;
		t = t < 1.0f ? t : 1.0f;
		float stepped = (base + t * t * (3.0f - 2.0f * t)) * step + offset;
		f->v[i] = in_range == q ? stepped : f->v[i]; /* NaN and the huge stay */
	}
}

#include "raster/image.h"

#include "base/fs.h"
#include "base/mem.h"
#include "raster/png.h"

#include <string.h>

/* ---- one axis: which input cells make an output cell, and with what weights -------------------
 */

typedef struct {
	uint32_t first, count;
	size_t at; /* of the first weight */
} span;

typedef struct {
	span *spans;    /* one an output cell; first never goes down */
	float *weights; /* each span sums to 1 */
} axis;

static void axis_free(mw_ctx *cx, axis *a)
{
	mw_free(cx, a->spans);
	mw_free(cx, a->weights);
	memset(a, 0, sizeof *a);
}

/* Output cell i covers [i * n / m, (i + 1) * n / m); kept in units of 1 / m of an input cell, so
 * that the overlaps are whole numbers. */
static size_t area_span(span *s, float *w, uint64_t i, uint64_t n, uint64_t m)
{
	uint64_t lo = i * n, hi = lo + n;
	uint64_t first = lo / m, last = (hi - 1) / m;
	s->first = (uint32_t)first;
	s->count = (uint32_t)(last - first + 1);
	for (uint64_t k = first; k <= last; k++) {
		uint64_t from = k * m > lo ? k * m : lo;
		uint64_t to = (k + 1) * m < hi ? (k + 1) * m : hi;
		w[k - first] = (float)(to - from) / (float)n;
	}
	return s->count;
}

/* Between the two nearest cell centres; cells outside repeat the edge. Positions in 1 / (2 m). */
static size_t linear_span(span *s, float *w, uint64_t i, uint64_t n, uint64_t m)
{
	uint64_t c = (2 * i + 1) * n;
	uint64_t k = 0, part = 0;
	if (c > m) {
		k = (c - m) / (2 * m);
		part = (c - m) % (2 * m);
	}
	s->first = (uint32_t)k;
	s->count = k + 1 < n && part ? 2 : 1;
	w[0] = s->count == 2 ? (float)(2 * m - part) / (float)(2 * m) : 1.0f;
	if (s->count == 2)
		w[1] = (float)part / (float)(2 * m);
	return s->count;
}

static size_t nearest_span(span *s, float *w, uint64_t i, uint64_t n, uint64_t m)
{
	s->first = (uint32_t)((2 * i + 1) * n / (2 * m));
	s->count = 1;
	w[0] = 1.0f;
	return 1;
}

static mw_code axis_init(mw_ctx *cx, axis *a, uint32_t n, uint32_t m, mw_resize_kind kind)
{
	memset(a, 0, sizeof *a);
	/* An area span holds at most n / m + 2 cells; the sum over all is at most n + 2 m. */
	a->spans = mw_alloc_n(cx, m, sizeof *a->spans);
	a->weights =
		a->spans ? mw_alloc_n(cx, (size_t)n + 2 * (size_t)m, sizeof *a->weights) : NULL;
	if (!a->weights) {
		axis_free(cx, a);
		return cx->err.code;
	}
	size_t at = 0;
	for (uint32_t i = 0; i < m; i++) {
		span *s = &a->spans[i];
		s->at = at;
		if (kind == MW_RESIZE_NEAREST)
			at += nearest_span(s, a->weights + at, i, n, m);
		else if (m <= n)
			at += area_span(s, a->weights + at, i, n, m);
		else
			at += linear_span(s, a->weights + at, i, n, m);
	}
	return MW_OK;
}

/* ---- the resizer: pulls input rows, keeps two of them resampled along x ------------------------
 */

typedef struct {
	uint32_t in_w, in_h, w, h;
	unsigned channels; /* 4: rows of uint8_t RGBA; 1: rows of uint16_t */
	axis x, y;
	float *row[2];   /* [w * channels] input rows have and have - 1, by parity */
	float *sum;      /* [w * channels] */
	uint8_t *input;  /* one input row */
	uint32_t pulled; /* input rows read so far */
	uint32_t next;   /* output row to make */
} resizer;

/* Read the next input row into out. */
typedef mw_code (*pull_fn)(mw_ctx *cx, void *ud, uint8_t *out);

static void resizer_free(mw_ctx *cx, resizer *r)
{
	axis_free(cx, &r->x);
	axis_free(cx, &r->y);
	mw_free(cx, r->row[0]);
	mw_free(cx, r->row[1]);
	mw_free(cx, r->sum);
	mw_free(cx, r->input);
	memset(r, 0, sizeof *r);
}

static mw_code resizer_init(mw_ctx *cx, resizer *r, uint32_t in_w, uint32_t in_h, uint32_t w,
	uint32_t h, unsigned channels, mw_resize_kind kind)
{
	memset(r, 0, sizeof *r);
	if (in_w == 0 || in_h == 0 || w == 0 || h == 0)
		return mw_fail(cx, MW_EINVALID, "cannot resize a picture of %ux%u to %ux%u", in_w,
			in_h, w, h);
	r->in_w = in_w;
	r->in_h = in_h;
	r->w = w;
	r->h = h;
	r->channels = channels;
	mw_code code = axis_init(cx, &r->x, in_w, w, kind);
	if (!code)
		code = axis_init(cx, &r->y, in_h, h, kind);
	size_t n = (size_t)w * channels;
	if (!code &&
		!((r->row[0] = mw_alloc_n(cx, n, sizeof(float))) &&
			(r->row[1] = mw_alloc_n(cx, n, sizeof(float))) &&
			(r->sum = mw_alloc_n(cx, n, sizeof(float))) &&
			(r->input = mw_alloc_n(cx, in_w, channels == 4 ? 4 : 2))))
		code = cx->err.code;
	if (code)
		resizer_free(cx, r);
	return code;
}

static void along_x(const resizer *r, float *out)
{
	for (uint32_t i = 0; i < r->w; i++) {
		span s = r->x.spans[i];
		const float *w = r->x.weights + s.at;
		if (r->channels == 4) {
			const uint8_t *p = r->input + (size_t)s.first * 4;
			float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
			for (uint32_t k = 0; k < s.count; k++, p += 4) {
				c0 += w[k] * (float)p[0];
				c1 += w[k] * (float)p[1];
				c2 += w[k] * (float)p[2];
				c3 += w[k] * (float)p[3];
			}
			out[4 * i] = c0;
			out[4 * i + 1] = c1;
			out[4 * i + 2] = c2;
			out[4 * i + 3] = c3;
		} else {
			const uint16_t *p = (const uint16_t *)(const void *)r->input + s.first;
			float c = 0;
			for (uint32_t k = 0; k < s.count; k++)
				c += w[k] * (float)p[k];
			out[i] = c;
		}
	}
}

/* The next output row as floats in r->sum. */
static mw_code resizer_row(mw_ctx *cx, resizer *r, pull_fn pull, void *ud)
{
	span s = r->y.spans[r->next++];
	size_t n = (size_t)r->w * r->channels;
	memset(r->sum, 0, n * sizeof(float));
	for (uint32_t k = 0; k < s.count; k++) {
		while (r->pulled <= s.first + k) {
			mw_code code = pull(cx, ud, r->input);
			if (code)
				return code;
			along_x(r, r->row[r->pulled++ & 1]);
		}
		const float *row = r->row[(s.first + k) & 1];
		float w = r->y.weights[s.at + k];
		for (size_t i = 0; i < n; i++)
			r->sum[i] += w * row[i];
	}
	return MW_OK;
}

static void store_bytes(uint8_t *out, const float *sum, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float v = sum[i] + 0.5f;
		out[i] = (uint8_t)(v > 255.0f ? 255.0f : v);
	}
}

static void store_words(uint16_t *out, const float *sum, size_t n, float top)
{
	for (size_t i = 0; i < n; i++) {
		float v = sum[i] + 0.5f;
		out[i] = (uint16_t)(v > top ? top : v);
	}
}

/* ---- whole pictures ---------------------------------------------------------------------------
 */

typedef struct {
	const uint8_t *p;
	size_t stride;
} memory;

static mw_code pull_memory(mw_ctx *cx, void *ud, uint8_t *out)
{
	memory *m = ud;
	MW_UNUSED(cx);
	memcpy(out, m->p, m->stride);
	m->p += m->stride;
	return MW_OK;
}

mw_code mw_image_resize(
	mw_ctx *cx, mw_image *out, const mw_image *in, uint32_t w, uint32_t h, mw_resize_kind kind)
{
	resizer r;
	memory m = {in->px, (size_t)in->w * 4};
	mw_code code = mw_image_init(cx, out, w, h);
	if (code)
		return code;
	code = resizer_init(cx, &r, in->w, in->h, w, h, 4, kind);
	for (uint32_t y = 0; !code && y < h; y++) {
		code = resizer_row(cx, &r, pull_memory, &m);
		if (!code)
			store_bytes(out->px + (size_t)y * w * 4, r.sum, (size_t)w * 4);
	}
	resizer_free(cx, &r);
	if (code)
		mw_image_free(cx, out);
	return code;
}

mw_code mw_grey_resize(
	mw_ctx *cx, mw_grey *out, const mw_grey *in, uint32_t w, uint32_t h, mw_resize_kind kind)
{
	resizer r;
	memory m = {(const uint8_t *)in->v, (size_t)in->w * 2};
	mw_code code = mw_grey_init(cx, out, w, h, in->bits);
	if (code)
		return code;
	code = resizer_init(cx, &r, in->w, in->h, w, h, 1, kind);
	for (uint32_t y = 0; !code && y < h; y++) {
		code = resizer_row(cx, &r, pull_memory, &m);
		if (!code)
			store_words(out->v + (size_t)y * w, r.sum, w,
				in->bits == 16 ? 65535.0f : 255.0f);
	}
	resizer_free(cx, &r);
	if (code)
		mw_grey_free(cx, out);
	return code;
}

/* ---- rows ---------------------------------------------------------------------------------------
 */

typedef struct {
	mw_rows rows; /* first */
	mw_image own; /* of a file that was decoded whole */
	memory at;
} image_rows;

/* Note whether a row that came by has an alpha below 255. */
static void look_for_alpha(mw_rows *rows, const uint8_t *row)
{
	uint8_t all = 255;

	if (rows->has_alpha)
		return;
	for (size_t x = 0; x < rows->w; x++)
		all &= row[4 * x + 3];
	rows->has_alpha = all != 255;
}

static mw_code image_next(mw_ctx *cx, mw_rows *rows, uint8_t *out)
{
	mw_code code = pull_memory(cx, &((image_rows *)rows)->at, out);

	if (!code)
		look_for_alpha(rows, out);
	return code;
}

static void image_close(mw_ctx *cx, mw_rows *rows)
{
	mw_image_free(cx, &((image_rows *)rows)->own);
	mw_free(cx, rows);
}

mw_code mw_rows_image(mw_ctx *cx, mw_rows **out, const mw_image *img)
{
	image_rows *r = mw_zalloc(cx, sizeof *r);
	*out = NULL;
	if (!r)
		return cx->err.code;
	r->rows = (mw_rows){img->w, img->h, image_next, image_close, false};
	r->at = (memory){img->px, (size_t)img->w * 4};
	*out = &r->rows;
	return MW_OK;
}

typedef struct {
	mw_rows rows; /* first */
	mw_rows *in;
	resizer r;
} resize_rows;

static mw_code pull_rows(mw_ctx *cx, void *ud, uint8_t *out)
{
	mw_rows *in = ud;
	return in->next(cx, in, out);
}

static mw_code resize_next(mw_ctx *cx, mw_rows *rows, uint8_t *out)
{
	resize_rows *r = (resize_rows *)rows;
	mw_code code = resizer_row(cx, &r->r, pull_rows, r->in);
	if (!code)
		store_bytes(out, r->r.sum, (size_t)rows->w * 4);
	rows->has_alpha = r->in->has_alpha;
	return code;
}

static void resize_close(mw_ctx *cx, mw_rows *rows)
{
	resize_rows *r = (resize_rows *)rows;
	mw_rows_close(cx, r->in);
	resizer_free(cx, &r->r);
	mw_free(cx, r);
}

mw_code mw_rows_resize(mw_ctx *cx, mw_rows **out, mw_rows *in, uint32_t w, uint32_t h)
{
	*out = NULL;
	if (in->w == w && in->h == h) {
		*out = in;
		return MW_OK;
	}
	resize_rows *r = mw_zalloc(cx, sizeof *r);
	mw_code code = r ? MW_OK : cx->err.code;
	if (!code)
		code = resizer_init(cx, &r->r, in->w, in->h, w, h, 4, MW_RESIZE_SMOOTH);
	if (code) {
		mw_free(cx, r);
		mw_rows_close(cx, in);
		return code;
	}
	r->rows = (mw_rows){w, h, resize_next, resize_close, false};
	r->in = in;
	*out = &r->rows;
	return MW_OK;
}

typedef struct {
	mw_rows rows; /* first */
	mw_png *png;
	bool may_have_alpha;
} png_rows;

static mw_code png_next(mw_ctx *cx, mw_rows *rows, uint8_t *out)
{
	png_rows *r = (png_rows *)rows;
	mw_code code = mw_png_row_rgba(cx, r->png, out);

	if (!code && r->may_have_alpha)
		look_for_alpha(rows, out);
	return code;
}

static void png_close(mw_ctx *cx, mw_rows *rows)
{
	mw_png_close(cx, ((png_rows *)rows)->png);
	mw_free(cx, rows);
}

static mw_code open_decoded(mw_ctx *cx, mw_rows **out, const char *path)
{
	uint8_t *bytes = NULL;
	size_t n = 0;
	image_rows *r = mw_zalloc(cx, sizeof *r);
	mw_code code = r ? MW_OK : cx->err.code;
	if (!code)
		code = mw_fs_read(cx, &bytes, &n, path);
	if (!code) {
		code = mw_image_decode(cx, &r->own, bytes, n);
		if (code)
			mw_note(cx, "%s", path);
	}
	mw_free(cx, bytes);
	if (code) {
		mw_free(cx, r);
		return code;
	}
	r->rows = (mw_rows){r->own.w, r->own.h, image_next, image_close, false};
	r->at = (memory){r->own.px, (size_t)r->own.w * 4};
	*out = &r->rows;
	return MW_OK;
}

mw_code mw_rows_open(mw_ctx *cx, mw_rows **out, const char *path)
{
	mw_png *png = NULL;
	*out = NULL;
	mw_code code = mw_png_open_file(cx, &png, path);
	if (code == MW_EUNSUPPORTED) { /* another kind, or interlaced */
		mw_err_clear(cx);
		return open_decoded(cx, out, path);
	}
	if (code)
		return code;
	png_rows *r = mw_zalloc(cx, sizeof *r);
	if (!r) {
		mw_png_close(cx, png);
		return cx->err.code;
	}
	mw_image_info info = mw_png_info(png);
	r->rows = (mw_rows){info.w, info.h, png_next, png_close, false};
	r->png = png;
	r->may_have_alpha = info.channels % 2 == 0;
	*out = &r->rows;
	return MW_OK;
}

void mw_rows_close(mw_ctx *cx, mw_rows *rows)
{
	if (rows)
		rows->close(cx, rows);
}

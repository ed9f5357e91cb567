#include "compile/groundtex_layer.h"

#include "base/mem.h"

#include <string.h>

#define READY_MAX                                                                                  \
	2048u /* [unit: texel] repeats up to here are resampled once instead of per texel */

/* ---- textures ----------------------------------------------------------------------------------
 */

static void texture_free(mw_ctx *cx, mw__texture *t)
{
	mw_free(cx, t->plane[0]);
	memset(t, 0, sizeof *t);
}

/* Rec. 709 luma weights in 1/256. */
static unsigned brightness(const uint8_t *p)
{
	return (54u * p[0] + 183u * p[1] + 19u * p[2] + 128u) >> 8;
}

static mw_code texture_planes(mw_ctx *cx, mw__texture *t, const mw_image *img)
{
	size_t n = (size_t)img->w * img->h;
	uint8_t *all = mw_alloc_n(cx, n, 4);
	if (!all)
		return cx->err.code;
	for (unsigned c = 0; c < 4; c++)
		t->plane[c] = all + c * n;
	t->w = img->w;
	t->h = img->h;
	uint64_t sum[3] = {0};
	unsigned least = 255, most = 0;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *p = img->px + 4 * i;
		unsigned l = brightness(p);
		for (unsigned c = 0; c < 3; c++) {
			t->plane[c][i] = p[c];
			sum[c] += p[c];
		}
		t->plane[3][i] = (uint8_t)l;
		least = l < least ? l : least;
		most = l > most ? l : most;
	}
	for (unsigned c = 0; c < 3; c++)
		t->mean[c] = (float)((double)sum[c] / (double)n);
	for (size_t i = 0; i < n; i++) {
		unsigned l = t->plane[3][i] - least;
		t->plane[3][i] = (uint8_t)(most > least ? l * 255u / (most - least) : 128u);
	}
	return MW_OK;
}

static uint32_t whole(double v)
{
	return v < 1.0 ? 1u : (uint32_t)(v + 0.5);
}

/* One repeat is rep_w x rep_h texels. */
static mw_code texture_prepare(
	mw_ctx *cx, mw__texture *t, const mw_image *img, double rep_w, double rep_h)
{
	mw_image ready = {0};
	uint32_t w = whole(rep_w), h = whole(rep_h);
	bool small = w <= img->w || h <= img->h || (w <= READY_MAX && h <= READY_MAX);
	t->exact = small;
	t->step_x = img->w / rep_w;
	t->step_z = img->h / rep_h;
	if (!small || (w == img->w && h == img->h))
		return texture_planes(cx, t, img);
	mw_code code = mw_image_resize(cx, &ready, img, w, h, MW_RESIZE_SMOOTH);
	if (!code)
		code = texture_planes(cx, t, &ready);
	mw_image_free(cx, &ready);
	return code;
}

mw_code mw__layer_prepare(mw_ctx *cx, mw__layer_textures *t, const mw_ground_layer *layer,
	uint32_t map_w, uint32_t map_h)
{
	memset(t, 0, sizeof *t);
	const mw_image *img = layer->image;
	if (!img)
		return MW_OK;
	double tall = (double)img->h / (double)img->w;
	mw_code code;
	if (layer->scale > 0)
		code = texture_prepare(cx, &t->first, img, layer->scale, layer->scale * tall);
	else
		code = texture_prepare(cx, &t->first, img, map_w, map_h);
	if (!code && layer->second_scale > 0)
		code = texture_prepare(
			cx, &t->second, img, layer->second_scale, layer->second_scale * tall);
	if (code)
		mw__layer_free(cx, t);
	return code;
}

void mw__layer_free(mw_ctx *cx, mw__layer_textures *t)
{
	texture_free(cx, &t->first);
	texture_free(cx, &t->second);
}

/* ---- sampling ----------------------------------------------------------------------------------
 */

/* A row of an exact texture: runs of the repeated row. */
static void row_exact(float *out, const uint8_t *row, uint32_t period, uint32_t x, uint32_t n)
{
	uint32_t at = x % period;
	while (n > 0) {
		uint32_t run = period - at < n ? period - at : n;
		const uint8_t *p = row + at;
		for (uint32_t i = 0; i < run; i++)
			out[i] = (float)p[i];
		out += run;
		n -= run;
		at = 0;
	}
}

/* Position v [unit: sample, of texel centres] between two samples, wrapped. */
static void between(double v, uint32_t n, uint32_t *a, uint32_t *b, float *f)
{
	double shifted = v - 0.5 + (double)n; /* >= 0 */
	uint64_t k = (uint64_t)shifted;
	*f = (float)(shifted - (double)k);
	*a = (uint32_t)(k % n);
	*b = *a + 1 == n ? 0 : *a + 1;
}

static void row_magnified(
	float *out, const mw__texture *t, const uint8_t *plane, uint32_t x, uint32_t z, uint32_t n)
{
	uint32_t z0, z1;
	float fz;
	between((z + 0.5) * t->step_z, t->h, &z0, &z1, &fz);
	const uint8_t *p = plane + (size_t)z0 * t->w, *q = plane + (size_t)z1 * t->w;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t a, b;
		float fx;
		between((x + i + 0.5) * t->step_x, t->w, &a, &b, &fx);
		float top = (float)p[a] + fx * ((float)p[b] - (float)p[a]);
		float low = (float)q[a] + fx * ((float)q[b] - (float)q[a]);
		out[i] = top + fz * (low - top);
	}
}

static void sample_plane(float *out, const mw__texture *t, unsigned plane, const mw__piece *p)
{
	const uint8_t *from = t->plane[plane];
	for (uint32_t j = 0; j < p->h; j++, out += p->w) {
		if (t->exact)
			row_exact(out, from + (size_t)((p->z + j) % t->h) * t->w, t->w, p->x, p->w);
		else
			row_magnified(out, t, from, p->x, p->z + j, p->w);
	}
}

/* Mean of two textures would lose contrast; the sum of their deviations over root 2 does not. */
static void mix_second(float *out, const float *second, float mean, size_t n)
{
	const float k = 0.70710678f;
	for (size_t i = 0; i < n; i++) {
		float v = mean + k * (out[i] - mean + (second[i] - mean));
		v = v > 0.0f ? v : 0.0f;
		out[i] = v < 255.0f ? v : 255.0f;
	}
}

static void fill(float *out, float v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = v;
}

/* The layer's colours into tr, tg, tb and, where the blend needs it, its brightness into tl. */
static void sample_layer(
	const mw__piece *p, const mw_ground_layer *layer, const mw__layer_textures *t)
{
	size_t n = (size_t)p->w * p->h;
	float *to[4] = {p->tr, p->tg, p->tb, p->tl};
	unsigned planes = layer->blend > 0 ? 4 : 3;
	for (unsigned c = 0; c < planes; c++) {
		if (!t->first.plane[0]) {
			fill(to[c], c < 3 ? layer->colour[c] * 255.0f : 128.0f, n);
			continue;
		}
		sample_plane(to[c], &t->first, c, p);
		if (!t->second.plane[0] || c == 3)
			continue;
		/* tl is free until the last plane. */
		sample_plane(p->tl, &t->second, c, p);
		mix_second(to[c], p->tl, t->first.mean[c], n);
	}
}

/* ---- one layer ---------------------------------------------------------------------------------
 */

/* The mask within 0..1; false when it is 0 everywhere. */
static bool make_mask(float *out, const float *mask, size_t n)
{
	int any = 0;
	if (!mask) {
		fill(out, 1.0f, n);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		float m = mask[i] > 0.0f ? mask[i] : 0.0f; /* NaN too */
		m = m < 1.0f ? m : 1.0f;
		out[i] = m;
	}
	/* apart, and no maximum: so that both loops do many at once */
	for (size_t i = 0; i < n; i++)
		any |= out[i] > 0.0f;
	return any;
}

/* Move the soft part of the edge: 0 and 1 stay, between them bright texels come first. */
static void blend_mask(float *m, const float *light, float blend, size_t n)
{
	const float k = 4.0f * blend;
	for (size_t i = 0; i < n; i++) {
		float v = m[i] * (1.0f + k) - k * (1.0f - light[i] * (1.0f / 255.0f));
		v = v > 0.0f ? v : 0.0f;
		v = v < 1.0f ? v : 1.0f;
		m[i] = m[i] < 1.0f ? v : 1.0f;
	}
}

static void apply_tint(
	const mw__piece *p, const mw_ground_layer *layer, const float *where, size_t n)
{
	const float r = layer->tint[0], g = layer->tint[1], b = layer->tint[2];
	if (r == 1.0f && g == 1.0f && b == 1.0f)
		return;
	for (size_t i = 0; i < n; i++) {
		float m = 1.0f;
		if (where) {
			m = where[i] > 0.0f ? where[i] : 0.0f;
			m = m < 1.0f ? m : 1.0f;
		}
		p->tr[i] *= 1.0f + m * (r - 1.0f);
		p->tg[i] *= 1.0f + m * (g - 1.0f);
		p->tb[i] *= 1.0f + m * (b - 1.0f);
	}
}

static void apply_shade(const mw__piece *p, const float *shade, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float s = shade[i] == shade[i] ? shade[i] : 1.0f;
		s = s > 0.0f ? s : 0.0f;
		s = s < 4.0f ? s : 4.0f;
		p->tr[i] *= s;
		p->tg[i] *= s;
		p->tb[i] *= s;
	}
}

static void lay_over(float *under, const float *over, const float *mask, float opacity, size_t n)
{
	for (size_t i = 0; i < n; i++)
		under[i] += mask[i] * opacity * (over[i] - under[i]);
}

void mw__layer_apply(const mw__piece *p, const mw_ground_layer *layer, const mw__layer_textures *t,
	const float *mask, const float *tint_mask, const float *shade)
{
	size_t n = (size_t)p->w * p->h;
	if (!(layer->opacity > 0) || !make_mask(p->mask, mask, n))
		return;
	sample_layer(p, layer, t);
	if (layer->blend > 0 && mask)
		blend_mask(p->mask, p->tl, layer->blend, n);
	apply_tint(p, layer, tint_mask, n);
	if (shade)
		apply_shade(p, shade, n);
	lay_over(p->r, p->tr, p->mask, layer->opacity, n);
	lay_over(p->g, p->tg, p->mask, layer->opacity, n);
	lay_over(p->b, p->tb, p->mask, layer->opacity, n);
}

/* ---- light -------------------------------------------------------------------------------------
 */

/* Sample position of texel i (its centre) on an axis of n samples over `texels`. */
static void light_at(double scale, uint32_t i, int32_t n, int32_t *k, float *f)
{
	double v = (i + 0.5) * scale;
	*k = (int32_t)v;
	if (*k > n - 2)
		*k = n - 2;
	*f = (float)(v - *k);
}

void mw__light_apply(const mw__piece *p, const mw_field *light, uint32_t map_w, uint32_t map_h)
{
	double sx = (double)(light->w - 1) / map_w, sz = (double)(light->h - 1) / map_h;
	float *fx = p->tr, *across = p->tg;
	int32_t *kx = p->column;
	for (uint32_t i = 0; i < p->w; i++)
		light_at(sx, p->x + i, light->w, &kx[i], &fx[i]);
	int32_t first = kx[0], last = kx[p->w - 1] + 1;
	for (uint32_t j = 0; j < p->h; j++) {
		int32_t kz;
		float fz;
		light_at(sz, p->z + j, light->h, &kz, &fz);
		/* The few samples above this row of texels first, then the texels between them. */
		const float *a = mw_field_row(light, kz), *b = mw_field_row(light, kz + 1);
		for (int32_t k = first; k <= last; k++)
			across[k - first] = a[k] + fz * (b[k] - a[k]);
		size_t at = (size_t)j * p->w;
		for (uint32_t i = 0; i < p->w; i++) {
			const float *s = across + (kx[i] - first);
			p->mask[i] = s[0] + fx[i] * (s[1] - s[0]);
		}
		for (uint32_t i = 0; i < p->w; i++) {
			p->r[at + i] *= p->mask[i];
			p->g[at + i] *= p->mask[i];
			p->b[at + i] *= p->mask[i];
		}
	}
}

/* The renderer: every triangle is clipped at the near plane, projected, and filled with perspective
 * right interpolation; four samples a pixel. */
#include "view/raster3d.h"

#include "base/mem.h"
#include "geom/space.h"

#include <string.h>

#define SAMPLES 2 /* each way */

typedef struct {
	double x, y; /* [unit: sample] y down */
	double z;    /* distance along the view */
	double w;    /* 1 / z in perspective, else 1 */
	mw_vec2 uv;
	mw_vec3 light;
} point;

/* A corner as the camera has it. */
typedef struct {
	mw_vec3 at;
	mw_vec2 uv;
	mw_vec3 light;
} corner;

typedef struct {
	const mw_picture3d *pic;
	uint32_t w, h; /* [unit: sample] */
	float *depth;
	uint8_t *rgb;
} target;

/* ---- cameras --------------------------------------------------------------------------------- */

mw_camera3d mw_camera3d_over(const mw_aabb *box, char what, double aspect)
{
	mw_vec3 size = mw_sub3(box->max, box->min);
	mw_vec3 mid = mw_scale3(mw_add3(box->min, box->max), 0.5);
	mw_camera3d c = {.right = mw_v3(1, 0, 0)};
	double wide = size.x, high = size.y, deep = size.z;

	if (what == 't') {
		c.up = mw_v3(0, 0, -1);
		high = size.z;
		deep = size.y;
	} else {
		c.up = mw_v3(0, 1, 0);
	}
	if (what == 's') {
		c.right = mw_v3(0, 0, -1);
		wide = size.z;
		deep = size.x;
	}
	c.back = mw_cross3(c.right, c.up);
	c.reach = 0.53 * fmax(high, wide / aspect);
	if (!(c.reach > 0))
		c.reach = 1;
	c.eye = mw_along3(mid, c.back, deep / 2 + c.reach);
	c.far = deep + 2 * c.reach;
	return c;
}

mw_camera3d mw_camera3d_outside(const mw_aabb *box, double aspect)
{
	mw_vec3 half = mw_scale3(mw_sub3(box->max, box->min), 0.5);
	mw_vec3 mid = mw_scale3(mw_add3(box->min, box->max), 0.5);
	mw_camera3d c = {.perspective = true, .reach = 0.35};
	double radius = mw_len3(half);

	if (!(radius > 0))
		radius = 1;
	c.back = mw_unit3(mw_v3(0.55, 0.7, 0.85));
	c.right = mw_unit3(mw_cross3(mw_v3(0, 1, 0), c.back));
	c.up = mw_cross3(c.back, c.right);
	/* the sphere around the box fits the narrower way */
	double reach = aspect < 1 ? c.reach * aspect : c.reach;
	double away = radius * sqrt(1 + reach * reach) / reach;
	c.eye = mw_along3(mid, c.back, away);
	c.near = fmax(away - radius, radius * 1e-3) * 0.5;
	c.far = away + radius;
	return c;
}

mw_camera3d mw_camera3d_at(mw_vec3 eye, double yaw, double pitch, double far)
{
	mw_mat m = mw_mat_turn(pitch, yaw, 0);
	mw_camera3d c = {.eye = eye, .perspective = true, .reach = 0.75, .far = far};

	c.right = mw_mat_dir(&m, mw_v3(1, 0, 0));
	c.up = mw_mat_dir(&m, mw_v3(0, 1, 0));
	c.back = mw_mat_dir(&m, mw_v3(0, 0, 1));
	c.near = far * 1e-5;
	return c;
}

/* ---- one triangle ---------------------------------------------------------------------------- */

static uint8_t shade(double v, double light)
{
	double c = v * light;
	return (uint8_t)(c < 0 ? 0 : c > 255 ? 255 : c + 0.5);
}

static void surface_colour(const mw_surface3d *s, mw_vec2 uv, double out[3])
{
	double fu = uv.x - floor(uv.x), fv = uv.y - floor(uv.y);

	if (s->texture && s->texture->w && s->texture->h) {
		uint32_t x = (uint32_t)(fu * s->texture->w), y = (uint32_t)(fv * s->texture->h);
		x = x < s->texture->w ? x : s->texture->w - 1;
		y = y < s->texture->h ? y : s->texture->h - 1;
		const uint8_t *px = s->texture->px + 4 * ((size_t)y * s->texture->w + x);
		for (int i = 0; i < 3; i++)
			out[i] = px[i];
		return;
	}
	/* a check of two fields a repeat */
	bool dark = (fu < 0.5) != (fv < 0.5);
	for (int i = 0; i < 3; i++)
		out[i] = s->rgb[i] * (dark ? 0.86 : 1);
}

/* Twice the area of a b p, positive for p on the right of a to b on the screen (y down). */
static double edge(const point *a, const point *b, double x, double y)
{
	return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static void fill(target *t, const point p[3], const mw_triangle3d *tri, uint8_t edges, bool back)
{
	const mw_surface3d *s = &t->pic->surface[tri->surface];
	double area = edge(&p[0], &p[1], p[2].x, p[2].y), length[3];
	double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};

	if (!(fabs(area) > 1e-9))
		return;
	for (int i = 0; i < 3; i++) {
		const point *a = &p[i], *b = &p[(i + 1) % 3];
		length[i] = sqrt((b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y));
		lo[0] = fmin(lo[0], a->x);
		lo[1] = fmin(lo[1], a->y);
		hi[0] = fmax(hi[0], a->x);
		hi[1] = fmax(hi[1], a->y);
	}
	uint32_t x0 = (uint32_t)fmax(0, floor(lo[0])), y0 = (uint32_t)fmax(0, floor(lo[1]));
	uint32_t x1 = (uint32_t)fmin(t->w, fmax(0, ceil(hi[0])));
	uint32_t y1 = (uint32_t)fmin(t->h, fmax(0, ceil(hi[1])));
	for (uint32_t y = y0; y < y1; y++)
		for (uint32_t x = x0; x < x1; x++) {
			double px = x + 0.5, py = y + 0.5, e[3], b[3], w = 0;
			for (int i = 0; i < 3; i++) {
				e[i] = edge(&p[i], &p[(i + 1) % 3], px, py) / area;
				b[(i + 2) % 3] = e[i];
			}
			if (!(e[0] >= 0 && e[1] >= 0 && e[2] >= 0))
				continue;
			for (int i = 0; i < 3; i++)
				w += b[i] * p[i].w;
			double z = 0;
			mw_vec2 uv = mw_v2(0, 0);
			mw_vec3 light = mw_v3(0, 0, 0);
			for (int i = 0; i < 3; i++) {
				double k = b[i] * p[i].w / w;
				z += k * p[i].z;
				uv.x += k * p[i].uv.x;
				uv.y += k * p[i].uv.y;
				light = mw_along3(light, p[i].light, k);
			}
			size_t at = (size_t)y * t->w + x;
			if (!((float)z < t->depth[at]))
				continue;
			t->depth[at] = (float)z;
			double rgb[3] = {214, 52, 110}, line = 1;
			if (s->cut)
				for (int i = 0; i < 3; i++)
					rgb[i] = s->rgb[i];
			else if (!back)
				surface_colour(s, uv, rgb);
			if (s->cut || back) {
				double stripe = (x + y) / 5 % 2 ? 1 : 0.72;
				light = mw_v3(stripe, stripe, stripe);
			}
			for (int i = 0; i < 3; i++)
				if ((edges >> i & 1) && e[i] * fabs(area) / length[i] < 1.2)
					line *= 0.55;
			for (int i = 0; i < 3; i++)
				t->rgb[3 * at + (size_t)i] = shade(rgb[i], light.v[i] * line);
		}
}

static point project(const target *t, const corner *k)
{
	const mw_camera3d *c = &t->pic->camera;
	double scale = t->h / (2 * c->reach);
	point p = {.z = 0 - k->at.z, .uv = k->uv, .light = k->light, .w = 1};

	if (c->perspective) {
		p.w = 1 / p.z;
		scale *= p.w;
	}
	p.x = t->w / 2.0 + k->at.x * scale;
	p.y = t->h / 2.0 - k->at.y * scale;
	return p;
}

static corner between(const corner *a, const corner *b, double s)
{
	corner c = {.at = mw_along3(a->at, mw_sub3(b->at, a->at), s),
		.uv = mw_v2(a->uv.x + (b->uv.x - a->uv.x) * s, a->uv.y + (b->uv.y - a->uv.y) * s),
		.light = mw_along3(a->light, mw_sub3(b->light, a->light), s)};
	return c;
}

static void draw(target *t, const mw_triangle3d *tri)
{
	const mw_camera3d *c = &t->pic->camera;
	corner v[3], poly[4];
	uint8_t edges = 0;
	uint32_t n = 0;
	double near = c->perspective ? fmax(c->near, 1e-9) : c->near;

	for (int i = 0; i < 3; i++) {
		mw_vec3 d = mw_sub3(tri->p[i], c->eye);
		const float *l = tri->light[i];
		v[i].at = mw_v3(mw_dot3(d, c->right), mw_dot3(d, c->up), mw_dot3(d, c->back));
		v[i].uv = tri->uv[i];
		v[i].light = mw_v3((double)l[0], (double)l[1], (double)l[2]);
	}
	mw_vec3 normal = mw_unit3(mw_cross3(mw_sub3(v[1].at, v[0].at), mw_sub3(v[2].at, v[0].at)));
	bool back = c->perspective ? mw_dot3(normal, v[0].at) >= 0 : normal.z <= 0;
	double lamp = 0.42 + 0.58 * fmax(0, mw_dot3(normal, mw_v3(-0.36, 0.64, 0.68)));
	for (int i = 0; i < 3 && !tri->lit; i++)
		v[i].light = mw_v3(lamp, lamp, lamp);
	for (int i = 0; i < 3; i++) {
		int k = (i + 1) % 3;
		double a = -v[i].at.z - near, b = -v[k].at.z - near;
		bool drawn = tri->edges >> i & 1;
		if (a >= 0) {
			edges |= (uint8_t)(drawn << n);
			poly[n++] = v[i];
		}
		if ((a >= 0) != (b >= 0)) {
			/* leaving: the next edge is the cut; entering: the rest of this one */
			edges |= (uint8_t)((a < 0 && drawn) << n);
			poly[n++] = between(&v[i], &v[k], a / (a - b));
		}
	}
	for (uint32_t i = 2; i < n; i++) {
		point p[3] = {project(t, &poly[0]), project(t, &poly[i - 1]), project(t, &poly[i])};
		uint8_t some = (uint8_t)((edges >> (i - 1) & 1) << 1);
		some = (uint8_t)(some | (i == 2 ? edges & 1 : 0));
		some = (uint8_t)(some | (i == n - 1 ? (edges >> i & 1) << 2 : 0));
		fill(t, p, tri, some, back);
	}
}

/* ---- the picture ----------------------------------------------------------------------------- */

mw_code mw_raster3d_draw(
	mw_ctx *cx, mw_image *out, const mw_picture3d *picture, uint32_t w, uint32_t h)
{
	if (w < 16 || w > 8192 || h < 16 || h > 8192)
		return mw_fail(
			cx, MW_ERANGE, "a picture of %u x %u pixels: each side is 16..8192", w, h);
	for (size_t i = 0; i < picture->triangles; i++)
		if (picture->triangle[i].surface >= picture->surfaces)
			return mw_fail(cx, MW_EINVALID, "triangle %zu has surface %u of %zu", i,
				picture->triangle[i].surface, picture->surfaces);
	target t = {.pic = picture, .w = w * SAMPLES, .h = h * SAMPLES};
	size_t n = (size_t)t.w * t.h;
	mw_code code = mw_image_init(cx, out, w, h);

	if (code)
		return code;
	t.depth = mw_alloc_n(cx, n, sizeof *t.depth);
	t.rgb = mw_alloc_n(cx, n, 3);
	if (!t.depth || !t.rgb) {
		code = MW_ENOMEM;
		goto done;
	}
	for (size_t i = 0; i < n; i++) {
		t.depth[i] = HUGE_VALF;
		memcpy(t.rgb + 3 * i, picture->background, 3);
	}
	for (size_t i = 0; i < picture->triangles; i++)
		draw(&t, &picture->triangle[i]);
	for (uint32_t y = 0; y < h; y++)
		for (uint32_t x = 0; x < w; x++) {
			uint8_t *px = out->px + 4 * ((size_t)y * w + x);
			for (int i = 0; i < 3; i++) {
				uint32_t sum = 0;
				for (uint32_t k = 0; k < SAMPLES * SAMPLES; k++)
					sum += t.rgb[3 *
							((size_t)(y * SAMPLES + k / SAMPLES) * t.w +
								x * SAMPLES + k % SAMPLES) +
						(size_t)i];
				px[i] = (uint8_t)((sum + 2) / (SAMPLES * SAMPLES));
			}
			px[3] = 255;
		}
done:
	mw_free(cx, t.depth);
	mw_free(cx, t.rgb);
	if (code)
		mw_image_free(cx, out);
	return code;
}

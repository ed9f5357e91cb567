#include "view/relief.h"

#include "base/pool.h"
#include "base/str.h"
#include "raster/text.h"

#include <math.h>
#include <string.h>

#define LEGEND_DOTS 15 /* [unit: dot] height of the strip */

typedef struct {
	const mw_relief *r;
	mw_image *out;
	uint32_t map_h; /* [unit: px] rows that show the map */
	double per_px;  /* [unit: elmo] */
	mw_grid grid;
	float low, high; /* of the land */
} scene;

static uint8_t to_byte(double v)
{
	return (uint8_t)(v <= 0 ? 0 : v >= 255 ? 255 : v + 0.5);
}

/* Colours from shore to summit, as on a school map. */
static void height_colour(double t, double rgb[3])
{
	static const double stops[][4] = {{0, 158, 168, 110}, {0.15, 122, 148, 88},
		{0.4, 148, 142, 96}, {0.65, 140, 116, 88}, {0.85, 158, 148, 140},
		{1, 232, 230, 226}};
	size_t i = 1;

	t = t < 0 ? 0 : t > 1 ? 1 : t;
	while (i + 1 < MW_COUNTOF(stops) && t > stops[i][0])
		i++;
	t = (t - stops[i - 1][0]) / (stops[i][0] - stops[i - 1][0]);
	for (int c = 0; c < 3; c++)
		rgb[c] = stops[i - 1][c + 1] + t * (stops[i][c + 1] - stops[i - 1][c + 1]);
}

/* Light on a slope: 1 on the flat. dx, dz are rises per elmo towards east and south. */
static double shade(double dx, double dz)
{
	/* light from north-west, 45 degrees up */
	double light = (0.5 * dx + 0.5 * dz + 0.7071067811865476) / sqrt(1 + dx * dx + dz * dz);

	return 0.35 + 0.65 * (light < 0 ? 0 : light) / 0.7071067811865476;
}

static void ground_colour(const mw_image *ground, double u, double v, double rgb[3])
{
	uint32_t x = (uint32_t)(u * ground->w), y = (uint32_t)(v * ground->h);
	const uint8_t *px;

	x = x < ground->w ? x : ground->w - 1;
	y = y < ground->h ? y : ground->h - 1;
	px = ground->px + 4 * ((size_t)y * ground->w + x);
	for (int c = 0; c < 3; c++)
		rgb[c] = px[c];
}

static void water(double depth, bool hole, double rgb[3])
{
	static const double shallow[3] = {92, 150, 178}, deep[3] = {24, 52, 98};
	double t = depth / (depth + 60), cover = hole ? 1 : 0.55 + 0.45 * t;

	for (int c = 0; c < 3; c++) {
		double w = hole ? 12 : shallow[c] + t * (deep[c] - shallow[c]);

		rgb[c] += (w - rgb[c]) * cover;
	}
}

static mw_code draw_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	scene *s = ud;
	const mw_relief *r = s->r;
	double span = s->high > s->low ? (double)s->high - (double)s->low : 1;

	MW_UNUSED(cx);
	MW_UNUSED(worker);
	for (size_t j = first; j < last; j++) {
		for (uint32_t i = 0; i < s->out->w; i++) {
			uint8_t *px = s->out->px + 4 * (j * s->out->w + i);
			double x = (i + 0.5) * s->per_px, z = ((double)j + 0.5) * s->per_px, rgb[3];
			double d = s->per_px > r->step ? s->per_px : r->step;
			double h = mw_field_sample(r->height, s->grid, x, z);
			double dx = (mw_field_sample(r->height, s->grid, x + d, z) -
					    mw_field_sample(r->height, s->grid, x - d, z)) /
				(2 * d);
			double dz = (mw_field_sample(r->height, s->grid, x, z + d) -
					    mw_field_sample(r->height, s->grid, x, z - d)) /
				(2 * d);
			double light = shade(dx, dz);

			if (r->ground)
				ground_colour(r->ground, (i + 0.5) / s->out->w,
					((double)j + 0.5) / s->map_h, rgb);
			else
				height_colour((h - (double)s->low) / span, rgb);
			/* a ground picture may hold its own shading: lighten it half as much */
			if (r->ground)
				light = 0.5 + 0.5 * light;
			for (int c = 0; c < 3; c++)
				rgb[c] *= light;
			if (r->contour > 0 && !r->ground) {
				double below = floor(h / r->contour);

				if (below != floor((h + dx * s->per_px) / r->contour) ||
					below != floor((h + dz * s->per_px) / r->contour))
					for (int c = 0; c < 3; c++)
						rgb[c] *= 0.8;
			}
			if (h < 0 && !r->ground)
				water(-h, r->void_water, rgb);
			for (int c = 0; c < 3; c++)
				px[c] = to_byte(rgb[c]);
			px[3] = 255;
		}
	}
	return MW_OK;
}

typedef enum { DISC, RING, TRIANGLE } shape;

/* One shape with soft edges, centred at (cx, cy). [unit: px] */
static void draw_shape(mw_image *img, uint32_t rows, shape kind, double cx, double cy,
	double radius, const uint8_t rgb[3])
{
	int32_t x0 = (int32_t)floor(cx - radius - 1), x1 = (int32_t)ceil(cx + radius + 1);
	int32_t y0 = (int32_t)floor(cy - radius - 1), y1 = (int32_t)ceil(cy + radius + 1);

	for (int32_t y = y0 < 0 ? 0 : y0; y <= y1 && y < (int32_t)rows; y++) {
		for (int32_t x = x0 < 0 ? 0 : x0; x <= x1 && x < (int32_t)img->w; x++) {
			double dx = x + 0.5 - cx, dy = y + 0.5 - cy, d = sqrt(dx * dx + dy * dy),
			       cover;
			uint8_t *px = img->px + 4 * ((size_t)y * img->w + (size_t)x);

			if (kind == TRIANGLE) {
				double side = fabs(dx) * 0.8944 + dy * -0.4472 - radius * 0.4472;

				cover = 0.5 - (dy - radius * 0.7 > side ? dy - radius * 0.7 : side);
			} else if (kind == RING) {
				cover = 0.5 -
					(fabs(d - radius) -
						(radius * 0.16 > 1 ? radius * 0.16 : 1));
			} else {
				cover = radius + 0.5 - d;
			}
			cover = cover < 0 ? 0 : cover > 1 ? 1 : cover;
			for (int c = 0; c < 3; c++)
				px[c] = to_byte(px[c] + (rgb[c] - px[c]) * cover);
		}
	}
}

static const uint8_t white[3] = {255, 255, 255}, dark[3] = {24, 24, 24};
static const uint8_t metal[3] = {120, 226, 120}, vent[3] = {255, 150, 50}, tree[3] = {30, 84, 34};

static void draw_mark(mw_image *img, uint32_t rows, mw_mark_kind kind, double x, double y,
	double size, int32_t label)
{
	char text[16];
	uint32_t scale = size >= 18 ? (uint32_t)(size / 9) : 1;

	switch (kind) {
	case MW_MARK_START:
		draw_shape(img, rows, DISC, x, y, size, dark);
		draw_shape(img, rows, RING, x, y, size, white);
		mw_format(text, sizeof text, "%d", (int)label);
		mw_text_draw(img, (int32_t)(x - mw_text_width(text, scale) / 2.0 + 0.5),
			(int32_t)(y - MW_TEXT_HEIGHT * scale / 2.0 + 0.5), scale, white, text);
		break;
	case MW_MARK_METAL:
		draw_shape(img, rows, DISC, x, y, size * 0.55, dark);
		draw_shape(img, rows, DISC, x, y, size * 0.4, metal);
		break;
	case MW_MARK_VENT:
		draw_shape(img, rows, TRIANGLE, x, y, size * 0.75, dark);
		draw_shape(img, rows, TRIANGLE, x, y + 0.5, size * 0.5, vent);
		break;
	case MW_MARK_FEATURE:
		draw_shape(img, rows, DISC, x, y, size * 0.2 > 1 ? size * 0.2 : 1, tree);
		break;
	}
}

static double mark_size(uint32_t w)
{
	double size = w / 64.0;

	return size < 7 ? 7 : size;
}

static void draw_marks(const scene *s)
{
	double size = mark_size(s->out->w);

	/* features lie under spots, spots under starts */
	for (int kind = MW_MARK_FEATURE; kind >= MW_MARK_START; kind--)
		for (size_t i = 0; i < s->r->n_marks; i++) {
			const mw_relief_mark *m = &s->r->marks[i];

			if ((int)m->kind == kind)
				draw_mark(s->out, s->map_h, m->kind, m->x / s->per_px,
					m->z / s->per_px, size, m->label);
		}
}

static void draw_legend(const scene *s, uint32_t scale)
{
	static const char *const words[] = {"START", "METAL", "VENT", "FEATURE"};
	mw_image *img = s->out;
	int32_t y = (int32_t)(s->map_h + 4 * scale), right = (int32_t)(img->w - 4 * scale);
	double middle = s->map_h + LEGEND_DOTS * scale / 2.0, size = 5.0 * scale;
	bool has[4] = {false};

	for (size_t p = (size_t)s->map_h * img->w; p < (size_t)img->w * img->h; p++) {
		memcpy(img->px + 4 * p, dark, 3);
		img->px[4 * p + 3] = 255;
	}
	mw_text_draw(img, (int32_t)(4 * scale), y, scale, white, s->r->title);
	for (size_t i = 0; i < s->r->n_marks; i++)
		has[s->r->marks[i].kind] = true;
	for (int kind = 3; kind >= 0; kind--) {
		uint32_t width = mw_text_width(words[kind], scale);

		if (!has[kind])
			continue;
		right -= (int32_t)width;
		if (right < (int32_t)(mw_text_width(s->r->title, scale) + 24 * scale))
			break;
		mw_text_draw(img, right, y, scale, white, words[kind]);
		right -= (int32_t)(8 * scale);
		draw_mark(img, img->h, (mw_mark_kind)kind, right, middle, size, 1);
		right -= (int32_t)(12 * scale);
	}
}

mw_code mw_relief_draw(mw_ctx *cx, mw_image *out, const mw_relief *r, uint32_t w)
{
	uint32_t scale = w >= 768 ? w / 384 : 1;
	mw_field_stats stats = mw_field_measure(r->height);
	scene s = {.r = r, .out = out, .grid = {0, 0, r->step}};
	double aspect;
	mw_code code;

	if (w < 16 || w > 8192)
		return mw_fail(
			cx, MW_ERANGE, "picture width %u is outside 16..8192 px", (unsigned)w);
	if (r->height->w < 2 || r->height->h < 2)
		return mw_fail(cx, MW_ERANGE, "a height field of %dx%d has no surface",
			(int)r->height->w, (int)r->height->h);
	aspect = (r->height->h - 1) / (double)(r->height->w - 1);
	if (aspect * w > 65536)
		return mw_fail(cx, MW_ERANGE, "the picture would be %.0f px high", aspect * w);
	s.map_h = (uint32_t)(aspect * w + 0.5);
	s.map_h = s.map_h < 1 ? 1 : s.map_h;
	s.per_px = (r->height->w - 1) * r->step / w;
	s.low = stats.min > 0 ? stats.min : 0;
	s.high = stats.max;
	code = mw_image_init(cx, out, w, s.map_h + (r->title ? LEGEND_DOTS * scale : 0));
	if (code == MW_OK)
		code = mw_pool_for(cx, s.map_h, 16, draw_rows, &s);
	if (code != MW_OK) {
		mw_image_free(cx, out);
		return code;
	}
	draw_marks(&s);
	if (r->title)
		draw_legend(&s, scale);
	return MW_OK;
}

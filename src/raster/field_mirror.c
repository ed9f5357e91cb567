/* Symmetry. Each cell's value is worked out once and written to all its images, so that they are
 * equal bit by bit. */
#include "raster/field.h"

#include "base/mem.h"
#include "base/pool.h"

/* Weight of the kept side at signed distance d from the seam: 1 well inside, 1/2 on it, 0 beyond;
 * seam_weight(d) + seam_weight(-d) == 1. */
static double seam_weight(double d, double soften)
{
	if (d >= soften)
		return d > 0 ? 1 : 0.5;
	if (d <= -soften)
		return 0;
	double t = d / soften;
	return 0.5 + t * (0.75 - 0.25 * t * t);
}

static float blend(float kept, float other, double weight)
{
	if (weight == 1)
		return kept;
	return (float)((double)kept * weight + (double)other * (1 - weight));
}

static void mirror_x(mw_field *f, double soften)
{
	for (int32_t j = 0; j < f->h; j++) {
		float *row = mw_field_row(f, j);
		for (int32_t i = 0; i < f->w / 2; i++) {
			int32_t k = f->w - 1 - i;
			float v = blend(row[i], row[k], seam_weight(0.5 * (k - i), soften));
			row[i] = row[k] = v;
		}
	}
}

static void mirror_z(mw_field *f, double soften)
{
	for (int32_t j = 0; j < f->h / 2; j++) {
		int32_t k = f->h - 1 - j;
		float *north = mw_field_row(f, j);
		float *south = mw_field_row(f, k);
		double weight = seam_weight(0.5 * (k - j), soften);
		for (int32_t i = 0; i < f->w; i++)
			north[i] = south[i] = blend(north[i], south[i], weight);
	}
}

static void mirror_point(mw_field *f, double soften)
{
	for (int32_t j = 0; j <= (f->h - 1) / 2; j++) {
		int32_t k = f->h - 1 - j;
		float *north = mw_field_row(f, j);
		float *south = mw_field_row(f, k);
		double weight = seam_weight(0.5 * (k - j), soften);
		/* On a middle row the west half is kept, or blended with the east. */
		if (j == k && soften == 0)
			weight = 1;
		int32_t cells = j == k ? f->w / 2 : f->w;
		for (int32_t i = 0; i < cells; i++) {
			int32_t m = f->w - 1 - i;
			north[i] = south[m] = blend(north[i], south[m], weight);
		}
	}
}

/* Quarter turns of a square field; the north-west quarter is kept. */
static void turn_quarters(mw_field *f, double soften)
{
	int32_t last = f->w - 1;

	for (int32_t j = 0; j < f->h / 2; j++) {
		for (int32_t i = 0; i < (f->w + 1) / 2; i++) {
			/* NW, and its images counter-clockwise: SW, SE, NE */
			float *p[4] = {mw_field_row(f, j) + i, mw_field_row(f, last - i) + j,
				mw_field_row(f, last - j) + (last - i),
				mw_field_row(f, i) + (last - j)};
			double west = seam_weight(0.5 * (last - 2 * i), soften);
			double north = seam_weight(0.5 * (last - 2 * j), soften);
			if (2 * i == last && soften == 0)
				west = 1;
			/* The kept quarter's weight at each image is a product of two seams; the
			 * four sum to 1. */
			double w[4] = {west * north, north * (1 - west), (1 - west) * (1 - north),
				west * (1 - north)};
			double v = 0;
			for (int k = 0; k < 4; k++)
				v += (double)*p[k] * w[k];
			for (int k = 0; k < 4; k++)
				*p[k] = (float)v;
		}
	}
}

typedef struct {
	const mw_field *from;
	mw_field *to;
	int32_t n;
	double soften;
	double turn_c[MW_MIRROR_TURN_MAX], turn_s[MW_MIRROR_TURN_MAX]; /* of k / n turns */
} turn_job;

static mw_code turn_rows(mw_ctx *cx, void *ud, size_t first, size_t last, int worker)
{
	const turn_job *job = ud;
	const mw_field *from = job->from;
	const mw_grid cells = {0, 0, 1};
	double mid_x = 0.5 * (from->w - 1);
	double mid_z = 0.5 * (from->h - 1);

	MW_UNUSED(cx);
	MW_UNUSED(worker);
	for (size_t j = first; j < last; j++) {
		float *out = mw_field_row(job->to, (int32_t)j);
		for (int32_t i = 0; i < from->w; i++) {
			double x = i - mid_x;
			double z = (double)j - mid_z;
			double sum = 0;
			double weights = 0;
			for (int k = 0; k < job->n; k++) {
				double c = job->turn_c[k];
				double s = job->turn_s[k];
				/* (i, j) turned clockwise by k sectors */
				double qx = x * c - z * s;
				double qz = x * s + z * c;
				/* inside its edges: the ray to north and the ray one sector on */
				double d0 = -qx;
				double d1 = qx * job->turn_c[1] - qz * job->turn_s[1];
				double w =
					seam_weight(d0, job->soften) * seam_weight(d1, job->soften);
				if (w == 0)
					continue;
				sum += w *
					mw_field_sample_cubic(from, cells, mid_x + qx, mid_z + qz);
				weights += w;
			}
			out[i] = weights > 0 ? (float)(sum / weights)
					     : mw_field_row(from, (int32_t)j)[i];
		}
	}
	return MW_OK;
}

static mw_code turn_sectors(mw_ctx *cx, mw_field *f, int32_t n, double soften)
{
	mw_field from;
	mw_code code = mw_field_copy(cx, &from, f);
	if (code != MW_OK)
		return code;
	turn_job job = {.from = &from, .to = f, .n = n, .soften = soften};
	for (int k = 0; k < n; k++)
		mw_turn((double)k / n, &job.turn_c[k], &job.turn_s[k]);
	code = mw_pool_for(cx, (size_t)f->h, 8, turn_rows, &job);
	mw_field_free(cx, &from);
	return code;
}

mw_code mw_field_mirror(mw_ctx *cx, mw_field *f, mw_mirror mirror, double soften)
{
	if (!(soften >= 0 && soften < MW_FIELD_SIDE_MAX))
		return mw_fail(cx, MW_ERANGE, "a soft seam of %g samples is outside 0..%d", soften,
			MW_FIELD_SIDE_MAX);
	switch (mirror.kind) {
	case MW_MIRROR_NONE:
		return MW_OK;
	case MW_MIRROR_X:
		mirror_x(f, soften);
		return MW_OK;
	case MW_MIRROR_Z:
		mirror_z(f, soften);
		return MW_OK;
	case MW_MIRROR_POINT:
		mirror_point(f, soften);
		return MW_OK;
	case MW_MIRROR_QUAD:
		mirror_x(f, soften);
		mirror_z(f, soften);
		return MW_OK;
	case MW_MIRROR_TURN:
		break;
	}
	if (mirror.n < 2 || mirror.n > MW_MIRROR_TURN_MAX)
		return mw_fail(cx, MW_ERANGE, "a symmetry of %d sectors is outside 2..%d", mirror.n,
			MW_MIRROR_TURN_MAX);
	bool square = f->w == f->h;
	if (mirror.n == 2) {
		mirror_point(f, soften);
		return MW_OK;
	}
	if (mirror.n == 4 && square) {
		turn_quarters(f, soften);
		return MW_OK;
	}
	mw_code code = turn_sectors(cx, f, mirror.n, soften);
	if (code == MW_OK && mirror.n % 4 == 0 && square)
		turn_quarters(f, 0);
	else if (code == MW_OK && mirror.n % 2 == 0)
		mirror_point(f, 0);
	return code;
}

/* 1 / (2k + 1)! and 1 / (2k)! with alternating signs. */
static const double sine_terms[9] = {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880,
	-1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0};
static const double cosine_terms[9] = {1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320,
	-1.0 / 3628800, 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};

void mw_turn(double turns, double *cosine, double *sine)
{
	/* Reduce to an eighth of a circle around a quarter turn, where short series reach full
	 * precision. */
	double whole = (double)(int64_t)turns;
	double t = turns - (whole > turns ? whole - 1 : whole); /* 0..1 */
	int quarter = (int)(t * 4 + 0.5);
	double x = (t - quarter * 0.25) * 6.283185307179586; /* -pi/4..pi/4 */
	double y = x * x;
	double s = 0;
	double c = 0;
	for (int k = MW_COUNTOF(sine_terms) - 1; k >= 0; k--) {
		s = s * y + sine_terms[k];
		c = c * y + cosine_terms[k];
	}
	s *= x;
	switch (quarter % 4) {
	case 0:
		*cosine = c;
		*sine = s;
		break;
	case 1:
		*cosine = -s;
		*sine = c;
		break;
	case 2:
		*cosine = -c;
		*sine = -s;
		break;
	default:
		*cosine = s;
		*sine = -c;
		break;
	}
}

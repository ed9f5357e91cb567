/* What the engine would make of a model: sizes, counts, ranges. */
#include "format/smf/smf.h"

#include "base/sort.h"
#include "base/str.h"
#include "format/smf/smf_internal.h"

#include <math.h>
#include <string.h>

const char *mw__smf_printable(char out[48], const char *name)
{
	size_t n = 0;
	for (; name[n] && n < 40; n++)
		out[n] = name[n] >= 0x20 && name[n] < 0x7f ? name[n] : '?';
	if (name[n]) {
		memcpy(out + n, "...", 3);
		n += 3;
	}
	out[n] = 0;
	return out;
}

typedef struct {
	mw_ctx *cx;
	const mw_smf *smf;
	mw_smf_findings *found;
} checker;

static mw_code check_side(checker *c, const char *what, int32_t side, int64_t offset)
{
	if (side % MW_SMF_SIDE_STEP == 0)
		return MW_OK;
	return mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-size-not-128", MW_SMF_HEADER,
		offset,
		side < MW_SMF_SIDE_STEP
			? "%s is %d squares; below 128 the engine crashes"
			: "%s is %d squares, not a multiple of 128; the engine leaves the rest "
			  "undrawn or crashes",
		what, (int)side);
}

static mw_code check_header(checker *c)
{
	const mw_smf *s = c->smf;
	mw_code code = check_side(c, "width", s->mapx, 24);
	if (!code)
		code = check_side(c, "depth", s->mapy, 28);
	int32_t lo = s->mapx < s->mapy ? s->mapx : s->mapy;
	int32_t hi = s->mapx < s->mapy ? s->mapy : s->mapx;
	if (!code && lo == MW_SMF_SIDE_STEP && hi >= MW_SMF_CRASH_SIDE)
		code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-size-crash", MW_SMF_HEADER,
			24, "%d x %d squares: " MW__SMF_CRASH_REASON, (int)s->mapx, (int)s->mapy);
	if (code)
		return code;

	double min = (double)s->min_height, max = (double)s->max_height;
	if (!isfinite(min) || !isfinite(max))
		return mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-height-range",
			MW_SMF_HEADER, isfinite(min) ? 48 : 44,
			"heights from %g to %g; every height would be no number", min, max);
	if (min >= max)
		return mw_smf_report(c->cx, c->found, MW_SMF_WARNING, "smf-height-range",
			MW_SMF_HEADER, 44,
			min > max ? "heights from %g to %g turn the terrain over"
				  : "heights from %g to %g are flat",
			min, max);
	return MW_OK;
}

/* Of each kind of fault the first is reported: a file can name millions of tile files. */
static mw_code check_tile_names(checker *c)
{
	const mw_smf *s = c->smf;
	mw_code code = MW_OK;
	bool negative = false, length = false, folder = false;
	char text[48];
	for (size_t i = 0; i < s->num_tile_files && !code; i++) {
		const mw_smf_tile_file *f = &s->tile_files[i];
		size_t len = strlen(f->name);
		mw__smf_printable(text, f->name);
		if (f->count < 0 && !negative) {
			negative = true;
			code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-tile-count-sum",
				MW_SMF_TILES, MW_ERR_NOWHERE, "tile file '%s' has %d tiles", text,
				(int)f->count);
		}
		if (!code && (len == 0 || len > MW_SMF_TILE_NAME_MAX) && !length) {
			length = true;
			code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-tile-name",
				MW_SMF_TILES, MW_ERR_NOWHERE,
				"tile file %zu has a name of %zu bytes, must be 1..%d", i + 1, len,
				MW_SMF_TILE_NAME_MAX);
		} else if (!code && !folder && strpbrk(f->name, "/\\")) {
			folder = true;
			code = mw_smf_report(c->cx, c->found, MW_SMF_WARNING, "name-directory",
				MW_SMF_TILES, MW_ERR_NOWHERE,
				"tile file '%s' carries a folder; it is looked up beside the .smf",
				text);
		}
	}
	return code;
}

static mw_code check_tile_counts(checker *c)
{
	const mw_smf *s = c->smf;
	int64_t sum = 0;
	mw_code code = MW_OK;
	for (size_t i = 0; i < s->num_tile_files; i++)
		sum += s->tile_files[i].count > 0 ? s->tile_files[i].count : 0;
	if (s->num_tiles <= 0)
		code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-tile-count-sum",
			MW_SMF_TILES, MW_ERR_NOWHERE,
			"number of tiles is %d; the engine refuses it", (int)s->num_tiles);
	else if (sum > s->num_tiles)
		code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-tile-count-sum",
			MW_SMF_TILES, MW_ERR_NOWHERE,
			"tile files hold %lld tiles, the number of tiles is %d; the engine "
			"overruns "
			"its buffer",
			(long long)sum, (int)s->num_tiles);
	else if (sum < s->num_tiles)
		code = mw_smf_report(c->cx, c->found, MW_SMF_WARNING, "smf-tile-count-sum",
			MW_SMF_TILES, MW_ERR_NOWHERE,
			"tile files hold %lld tiles, the number of tiles is %d", (long long)sum,
			(int)s->num_tiles);
	return code;
}

static mw_code check_tile_index(checker *c)
{
	const mw_smf *s = c->smf;
	uint64_t cells = mw_smf_cells(s->mapx, s->mapy, MW_SMF_TILES), bad = 0, first = 0;
	for (uint64_t i = cells; i-- > 0;) {
		if (s->tile_index[i] < 0 || s->tile_index[i] >= s->num_tiles) {
			bad++;
			first = i;
		}
	}
	if (bad == 0)
		return MW_OK;
	uint64_t w = (uint64_t)(s->mapx / 4);
	char more[48] = "";
	if (bad > 1)
		mw_format(more, sizeof more, "; %llu such cells", (unsigned long long)bad);
	return mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-tile-index-range", MW_SMF_TILES,
		MW_ERR_NOWHERE, "column %llu, row %llu is %d, but there %s %d %s%s",
		(unsigned long long)(first % w), (unsigned long long)(first / w),
		(int)s->tile_index[first], s->num_tiles == 1 ? "is only" : "are", (int)s->num_tiles,
		s->num_tiles == 1 ? "tile" : "tiles", more);
}

static mw_code check_feature_types(checker *c)
{
	const mw_smf *s = c->smf;
	char text[48];
	if (s->num_feature_types > MW_SMF_TYPES_MAX) {
		mw_code code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-feature-types",
			MW_SMF_FEATURES, MW_ERR_NOWHERE, "%zu feature types, the engine takes %d",
			s->num_feature_types, MW_SMF_TYPES_MAX);
		if (code)
			return code;
	}
	for (size_t i = 0; i < s->num_feature_types; i++) {
		size_t len = strlen(s->feature_types[i]);
		if (len <= MW_SMF_NAME_MAX)
			continue;
		/* one is enough: the engine misreads everything after it */
		return mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-feature-name-length",
			MW_SMF_FEATURES, MW_ERR_NOWHERE,
			"feature type name '%s' has %zu bytes; past %d the engine misreads all "
			"that "
			"follow",
			mw__smf_printable(text, s->feature_types[i]), len, MW_SMF_NAME_MAX);
	}
	return MW_OK;
}

static mw_code check_features(checker *c)
{
	const mw_smf *s = c->smf;
	mw_code code = MW_OK;
	size_t bad_type = 0, no_number = 0, outside = 0, wild = 0;
	size_t first_type = 0, first_number = 0, first_outside = 0;
	double w = (double)s->mapx * MW_SMF_SQUARE, h = (double)s->mapy * MW_SMF_SQUARE;
	for (size_t i = s->num_features; i-- > 0;) {
		const mw_smf_feature *f = &s->features[i];
		double x = (double)f->x, z = (double)f->z, turn = (double)f->rotation;
		if (f->type < 0 || (size_t)f->type >= s->num_feature_types) {
			bad_type++;
			first_type = i;
		}
		if (!isfinite(x) || !isfinite(z) || !isfinite(turn)) {
			no_number++;
			first_number = i;
		} else if (x < 0 || z < 0 || x > w || z > h) {
			outside++;
			first_outside = i;
		}
		wild += isfinite(turn) && (turn < -32768 || turn >= 32768);
	}
	if (s->num_features > MW_SMF_FEATURES_MAX)
		code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "feature-count",
			MW_SMF_FEATURES, MW_ERR_NOWHERE, "%zu features, the engine takes %d",
			s->num_features, MW_SMF_FEATURES_MAX);
	if (!code && bad_type)
		code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-feature-index",
			MW_SMF_FEATURES, MW_ERR_NOWHERE,
			"feature %zu has type %d of %zu; features with no type: %zu",
			first_type + 1, (int)s->features[first_type].type, s->num_feature_types,
			bad_type);
	if (!code && no_number)
		code = mw_smf_report(c->cx, c->found, MW_SMF_ERROR, "smf-feature-number",
			MW_SMF_FEATURES, MW_ERR_NOWHERE,
			"feature %zu has a position or heading that is no number; such features: "
			"%zu",
			first_number + 1, no_number);
	if (!code && outside)
		code = mw_smf_report(c->cx, c->found, MW_SMF_WARNING, "feature-outside",
			MW_SMF_FEATURES, MW_ERR_NOWHERE,
			"feature %zu at (%g, %g) is outside the map (0..%g, 0..%g elmos); the "
			"engine "
			"moves it to the edge; such features: %zu",
			first_outside + 1, (double)s->features[first_outside].x,
			(double)s->features[first_outside].z, w, h, outside);
	if (!code && wild)
		code = mw_smf_report(c->cx, c->found, MW_SMF_WARNING, "feature-heading",
			MW_SMF_FEATURES, MW_ERR_NOWHERE,
			"features with a heading outside -32768..32767: %zu", wild);
	return code;
}

static mw_code check_grass(checker *c)
{
	const mw_smf *s = c->smf;
	uint64_t cells = mw_smf_cells(s->mapx, s->mapy, MW_SMF_GRASS), reserved = 0;
	uint8_t max = 0;
	for (uint64_t i = 0; i < cells; i++) {
		reserved += s->grass[i] == MW_SMF_GRASS_RESERVED;
		max = s->grass[i] > max ? s->grass[i] : max;
	}
	if (reserved)
		return mw_smf_report(c->cx, c->found, MW_SMF_WARNING, "grass-255", MW_SMF_GRASS,
			MW_ERR_NOWHERE,
			"%llu %s 255, which is reserved for \"no grass map\": no grass is drawn",
			(unsigned long long)reserved, reserved == 1 ? "cell holds" : "cells hold");
	if (max == 1)
		return mw_smf_report(c->cx, c->found, MW_SMF_INFO, "grass-binary", MW_SMF_GRASS,
			MW_ERR_NOWHERE,
			"the highest value is 1: read as on or off, patch sizes become random");
	return MW_OK;
}

mw_code mw_smf_check(mw_ctx *cx, const mw_smf *smf, mw_smf_findings *found)
{
	checker c = {.cx = cx, .smf = smf, .found = found};
	mw_code code = check_header(&c);
	if (!code && smf->tile_files)
		code = check_tile_names(&c);
	if (!code && smf->tile_files)
		code = check_tile_counts(&c);
	if (!code && smf->tile_index)
		code = check_tile_index(&c);
	if (!code && smf->feature_types)
		code = check_feature_types(&c);
	if (!code && smf->features)
		code = check_features(&c);
	if (!code && smf->grass)
		code = check_grass(&c);
	return code;
}

static int by_number(const void *a, const void *b, void *ud)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	MW_UNUSED(ud);
	return (x > y) - (x < y);
}

mw_code mw_smf_tiles_used(mw_ctx *cx, uint32_t *used, const mw_smf *smf)
{
	*used = 0;
	size_t cells = (size_t)mw_smf_cells(smf->mapx, smf->mapy, MW_SMF_TILES);
	if (!smf->tile_index || cells == 0)
		return MW_OK;
	/* sorted, not marked in a table: the number of tiles is a stranger's word */
	int32_t *copy = mw_alloc_n(cx, cells, sizeof *copy);
	if (!copy)
		return MW_ENOMEM;
	memcpy(copy, smf->tile_index, cells * sizeof *copy);
	mw_code code = mw_sort(cx, copy, cells, sizeof *copy, by_number, NULL);
	for (size_t i = 0; i < cells && !code; i++)
		*used += copy[i] >= 0 && copy[i] < smf->num_tiles &&
			(i == 0 || copy[i] != copy[i - 1]);
	mw_free(cx, copy);
	return code;
}

float mw_smf_height_of(float min_height, float max_height, uint16_t value)
{
	return min_height + (float)value * ((max_height - min_height) / 65536.0f);
}

float mw_smf_ground_at(const mw_smf *s, float x, float z)
{
	float fx = x / (float)MW_SMF_SQUARE, fz = z / (float)MW_SMF_SQUARE;
	float top_x = (float)s->mapx, top_z = (float)s->mapy;
	fx = fx > 0.0f ? (fx < top_x ? fx : top_x) : 0.0f;
	fz = fz > 0.0f ? (fz < top_z ? fz : top_z) : 0.0f;
	/* the far edge belongs to the last square */
	int32_t ix = (int32_t)fx < s->mapx ? (int32_t)fx : s->mapx - 1;
	int32_t iz = (int32_t)fz < s->mapy ? (int32_t)fz : s->mapy - 1;
	float dx = fx - (float)ix, dz = fz - (float)iz;
	const uint16_t *p = s->heights + (size_t)iz * ((size_t)s->mapx + 1) + (size_t)ix;
	size_t row = (size_t)s->mapx + 1;
	float lo = s->min_height, hi = s->max_height;
	float tr = mw_smf_height_of(lo, hi, p[1]), bl = mw_smf_height_of(lo, hi, p[row]);
	if (dx + dz < 1.0f) {
		float tl = mw_smf_height_of(lo, hi, p[0]);
		return tl + dx * (tr - tl) + dz * (bl - tl);
	}
	float br = mw_smf_height_of(lo, hi, p[row + 1]);
	return br + (1.0f - dx) * (bl - br) + (1.0f - dz) * (tr - br);
}

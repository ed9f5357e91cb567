/* A level in terms of its grids and placements into the model of a .smf. */
#include "format/smf/smf.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/str.h"
#include "format/smf/smf_internal.h"

#include <math.h>
#include <string.h>

static const char *const builtin_types[MW_SMF_BUILTIN_TYPES] = {"TreeType0", "TreeType1",
	"TreeType2", "TreeType3", "TreeType4", "TreeType5", "TreeType6", "TreeType7", "TreeType8",
	"TreeType9", "TreeType10", "TreeType11", "TreeType12", "TreeType13", "TreeType14",
	"TreeType15", "GeoVent"};

const char *mw_smf_builtin_type(size_t i)
{
	MW_ASSERT(i < MW_SMF_BUILTIN_TYPES);
	return builtin_types[i];
}

/* ---- size ------------------------------------------------------------------------------------ */

static mw_code check_side(mw_ctx *cx, const char *what, const char *plural, int64_t side)
{
	int64_t below = side / MW_SMF_SIDE_STEP * MW_SMF_SIDE_STEP;
	if (side < MW_SMF_SIDE_STEP)
		return mw_fail(cx, MW_ERANGE,
			"%s %lld is below 128 squares, where the engine crashes; the smallest "
			"legal "
			"%s is 128",
			what, (long long)side, what);
	if (side > INT32_MAX / 2)
		return mw_fail(
			cx, MW_ERANGE, "%s %lld squares cannot be stored", what, (long long)side);
	if (side != below)
		return mw_fail(cx, MW_ERANGE,
			"%s %lld is not a multiple of 128 squares; the nearest legal %s are %lld "
			"and "
			"%lld",
			what, (long long)side, plural, (long long)below,
			(long long)(below + MW_SMF_SIDE_STEP));
	return MW_OK;
}

mw_code mw_smf_check_size(mw_ctx *cx, int64_t mapx, int64_t mapy, bool force)
{
	if (force) {
		if (mapx <= 0 || mapy <= 0 || mapx % 4 || mapy % 4 || mapx > INT32_MAX / 2 ||
			mapy > INT32_MAX / 2)
			return mw_fail(cx, MW_ERANGE,
				"%lld x %lld squares: even a forced size must be a positive "
				"multiple "
				"of 4",
				(long long)mapx, (long long)mapy);
		return MW_OK;
	}
	mw_code code = check_side(cx, "width", "widths", mapx);
	if (!code)
		code = check_side(cx, "depth", "depths", mapy);
	int64_t lo = mapx < mapy ? mapx : mapy, hi = mapx < mapy ? mapy : mapx;
	if (!code && lo == MW_SMF_SIDE_STEP && hi >= MW_SMF_CRASH_SIDE)
		code = mw_fail(cx, MW_ERANGE,
			"%lld x %lld squares: " MW__SMF_CRASH_REASON
			"; make the short side 256 or the long one 256",
			(long long)mapx, (long long)mapy);
	return code;
}

/* ---- feature types --------------------------------------------------------------------------- */

/* Names in order of first use, found again through an open table. The engine looks types up
 * without regard to case, so neither does the table. */
typedef struct {
	mw_ctx *cx;
	MW_ARRAY(const char *) names; /* [borrowed] */
	uint32_t *slots;              /* index + 1; 0: free */
	size_t mask;
} name_table;

static size_t fold(char out[MW_SMF_NAME_MAX], const char *name)
{
	size_t n = 0;
	for (; name[n] && n < MW_SMF_NAME_MAX; n++)
		out[n] = name[n] >= 'A' && name[n] <= 'Z' ? (char)(name[n] + 32) : name[n];
	return n;
}

static bool same_name(const char *a, const char *b)
{
	return mw_sv_eq_nocase(mw_sv_of(a), mw_sv_of(b));
}

static mw_code name_index(name_table *t, const char *name, int32_t *index)
{
	char key[MW_SMF_NAME_MAX];
	size_t n = fold(key, name);
	size_t at = (size_t)mw_hash_bytes(key, n).lo & t->mask;
	while (t->slots[at] && !same_name(t->names.v[t->slots[at] - 1], name))
		at = (at + 1) & t->mask;
	if (!t->slots[at]) {
		if (t->names.n == MW_SMF_TYPES_MAX)
			return mw_fail(
				t->cx, MW_ELIMIT, "more than %d feature types", MW_SMF_TYPES_MAX);
		if (!MW_PUSH(t->cx, &t->names, name))
			return MW_ENOMEM;
		t->slots[at] = (uint32_t)t->names.n;
	}
	*index = (int32_t)t->slots[at] - 1;
	return MW_OK;
}

static mw_code check_name(mw_ctx *cx, const char *name, size_t number)
{
	char text[48];
	size_t len = strlen(name);
	if (len == 0)
		return mw_fail(cx, MW_ERANGE, "feature %zu has no name", number);
	if (len > MW_SMF_NAME_MAX)
		return mw_fail(cx, MW_ERANGE,
			"feature name '%s' has %zu bytes; the engine reads at most %d and misreads "
			"all that follows",
			mw__smf_printable(text, name), len, MW_SMF_NAME_MAX);
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
			return mw_fail(cx, MW_ERANGE, "feature name '%s' has a control character",
				mw__smf_printable(text, name));
	return MW_OK;
}

float mw_smf_wrap_heading(float heading)
{
	if (heading >= -32768.0f && heading < 32768.0f)
		return heading;
	double h = (double)heading + 32768.0;
	h -= 65536.0 * floor(h / 65536.0);
	float wrapped = (float)(h - 32768.0);
	return wrapped < 32768.0f ? wrapped : -32768.0f; /* rounded up to the full turn */
}

/* ---- features -------------------------------------------------------------------------------- */

typedef struct {
	size_t outside, first_outside, wrapped;
} feature_notes;

static mw_code place(mw_ctx *cx, const mw_smf *smf, const mw_smf_placement *p, size_t number,
	mw_smf_feature *out, feature_notes *notes)
{
	char text[48];
	if (!isfinite((double)p->x) || !isfinite((double)p->z) || !isfinite((double)p->heading) ||
		isinf((double)p->y))
		return mw_fail(cx, MW_ERANGE,
			"feature %zu '%s': position (%g, %g) or heading %g is no number", number,
			mw__smf_printable(text, p->name), (double)p->x, (double)p->z,
			(double)p->heading);
	float w = (float)smf->mapx * (float)MW_SMF_SQUARE;
	float h = (float)smf->mapy * (float)MW_SMF_SQUARE;
	if (p->x < 0.0f || p->z < 0.0f || p->x > w || p->z > h) {
		if (notes->outside++ == 0)
			notes->first_outside = number;
	}
	out->x = p->x;
	out->y = isnan((double)p->y) ? mw_smf_ground_at(smf, p->x, p->z) : p->y;
	out->z = p->z;
	out->rotation = mw_smf_wrap_heading(p->heading);
	out->relative_size = 1.0f;
	notes->wrapped += p->heading < -32768.0f || p->heading >= 32768.0f;
	return MW_OK;
}

static mw_code make_features(mw_ctx *cx, mw_smf *out, const mw_smf_level_desc *in)
{
	if (in->num_features > MW_SMF_FEATURES_MAX)
		return mw_fail(cx, MW_ELIMIT, "%zu features; the engine takes %d", in->num_features,
			MW_SMF_FEATURES_MAX);
	name_table t = {.cx = cx};
	mw_smf_feature *features = NULL;
	const char **types = NULL;
	feature_notes notes = {0};
	mw_code code = MW_ENOMEM;
	size_t slots = 64;
	while (slots < 2 * (in->num_features + MW_SMF_BUILTIN_TYPES))
		slots *= 2;
	t.mask = slots - 1;
	t.slots = mw_zalloc_n(cx, slots, sizeof *t.slots);
	features = mw_arena_alloc(&out->mem, in->num_features * sizeof *features + 1);
	if (!t.slots || !features)
		goto done;

	code = MW_OK;
	int32_t index;
	for (size_t i = 0; in->builtin_types && i < MW_SMF_BUILTIN_TYPES && !code; i++)
		code = name_index(&t, builtin_types[i], &index);
	for (size_t i = 0; i < in->num_features && !code; i++) {
		code = check_name(cx, in->features[i].name, i + 1);
		if (!code)
			code = place(cx, out, &in->features[i], i + 1, &features[i], &notes);
		if (!code)
			code = name_index(&t, in->features[i].name, &features[i].type);
	}
	if (code)
		goto done;
	types = mw_arena_alloc(&out->mem, t.names.n * sizeof *types + 1);
	if (!types)
		code = MW_ENOMEM;
	for (size_t i = 0; i < t.names.n && !code; i++) {
		types[i] = mw_arena_strdup(&out->mem, t.names.v[i], strlen(t.names.v[i]));
		if (!types[i])
			code = MW_ENOMEM;
	}
	if (code)
		goto done;
	out->feature_types = types;
	out->num_feature_types = t.names.n;
	out->features = features;
	out->num_features = in->num_features;
	if (notes.outside) {
		const mw_smf_placement *p = &in->features[notes.first_outside - 1];
		mw_warn(cx, "feature-outside",
			"feature %zu '%s' at (%g, %g) is outside the map (0..%d, 0..%d elmos); the "
			"engine moves it to the edge; such features: %zu",
			notes.first_outside, p->name, (double)p->x, (double)p->z,
			(int)out->mapx * MW_SMF_SQUARE, (int)out->mapy * MW_SMF_SQUARE,
			notes.outside);
	}
	if (notes.wrapped)
		mw_warn(cx, "feature-heading-wrapped",
			"headings outside -32768..32767, brought back by full turns of 65536: %zu",
			notes.wrapped);
done:
	mw_free(cx, t.slots);
	mw_free(cx, (void *)t.names.v);
	return code;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* What only looks wrong goes to the log; what breaks a map is refused. */
static mw_code judge(mw_ctx *cx, const mw_smf *out, bool force_size)
{
	mw_smf_findings found = {0};
	mw_code code = mw_smf_check(cx, out, &found);
	for (size_t i = 0; i < found.n && !code; i++) {
		const mw_smf_finding *f = &found.v[i];
		if (f->block == MW_SMF_FEATURES)
			continue; /* said better while placing */
		if (f->level < MW_SMF_ERROR)
			mw_warn(cx, f->rule, "%s: %s", mw_smf_block_title(f->block), f->msg);
		else if (!force_size || strncmp(f->rule, "smf-size-", 9) != 0)
			code = mw_fail(
				cx, MW_ERANGE, "%s: %s", mw_smf_block_title(f->block), f->msg);
	}
	mw_free(cx, found.v);
	return code;
}

mw_code mw_smf_from_level(mw_ctx *cx, mw_smf *out, const mw_smf_level_desc *in)
{
	mw_code code = mw_smf_check_size(cx, in->mapx, in->mapy, in->force_size);
	if (code)
		return code;
	if (!in->heights || !in->tile_index || (in->num_features && !in->features))
		return mw_fail(cx, MW_EINVALID, "a level needs heights and a tile index");
	int64_t tiles = 0;
	for (size_t i = 0; i < in->num_tile_files; i++)
		tiles += in->tile_files[i].count;
	if (tiles > INT32_MAX)
		return mw_fail(cx, MW_ELIMIT, "%lld tiles", (long long)tiles);
	out->mapx = in->mapx;
	out->mapy = in->mapy;
	out->min_height = in->min_height;
	out->max_height = in->max_height;
	out->heights = in->heights;
	out->types = in->types;
	out->metal = in->metal;
	out->grass = in->grass;
	out->minimap = in->minimap;
	out->minimap_bytes = in->minimap ? MW_SMF_MINIMAP_BYTES : 0;
	out->tile_files = in->tile_files;
	out->num_tile_files = in->num_tile_files;
	out->num_tiles = (int32_t)tiles;
	out->tile_index = in->tile_index;
	code = judge(cx, out, in->force_size);
	if (!code)
		code = make_features(cx, out, in);
	return code;
}

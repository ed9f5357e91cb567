/* What is odd about the shapes of brushes, in no file's terms: the rules that every kind of level
 * has. Their ids are rows of lua/mapwright/levellint/rules.lua. */
#ifndef MW_SCENE_SHAPE_LINT_H
#define MW_SCENE_SHAPE_LINT_H

#include "geom/brush.h"

#define MW_SHAPE_MSG 160
/* The message is msg, then words for what other_brush and other_face are (when they are something),
 * then rest: the file's reader knows the words. */
typedef struct {
	const char *rule; /* [static] */
	bool info;        /* else a warning */
	bool has_at;
	mw_vec3 at;           /* a point of it */
	uint32_t brush;       /* index in the list of brushes */
	uint32_t face;        /* tag of a side; MW_TAG_NONE: the whole brush */
	uint32_t other_brush; /* MW_TAG_NONE: nothing else */
	uint32_t other_face;
	const char *rest; /* [static] */
	char msg[MW_SHAPE_MSG];
} mw_shape_finding;

typedef struct {
	/* Takes a finding; what it returns other than MW_OK ends the work. NULL: nobody asks. */
	mw_code (*report)(void *ud, const mw_shape_finding *f);
	void *ud;
} mw_shape_sink;

/* ---- brushes while they are put together ----------------------------------------------------- */

/* One for many brushes; zeroed but for what the caller knows. Free with mw_shape_builder_free. */
typedef struct {
	mw_ctx *cx;
	mw_arena *arena;
	const mw_planes *t;
	mw_shape_sink sink;
	const char *left_out; /* words behind "the face has the plane of ...": what becomes of it */
	const char *turned;   /* what becomes of a brush that is inside out */
	bool turn;            /* take such a brush turned round */
	uint32_t brush;       /* index of the one at hand */
	MW_ARRAY(uint32_t) seen;
} mw_shape_builder;

void mw_shape_builder_free(mw_shape_builder *b);

/* Take out sides on a plane that an earlier side has, from either side: map-face-repeated,
 * map-face-opposite. */
MW_NODISCARD mw_code mw_shape_unique(mw_shape_builder *b, mw_side *side, uint32_t *n);

/* The polytope of the sides: map-brush-inverted, else map-brush-open, map-brush-empty, or of a
 * closed one map-face-unused. Turned sides are left turned when turn is set. */
MW_NODISCARD mw_code mw_shape_close(
	mw_shape_builder *b, mw_side *side, uint32_t n, mw_solid *solid, mw_closure *how);

/* ---- brushes that are closed ----------------------------------------------------------------- */

/* [unit: of the level] */
typedef struct {
	double micro;  /* brushes smaller than this in every direction */
	double sliver; /* brushes thinner than this in some */
	double gap;    /* gaps between faces up to this */
	double grid;   /* corners off the multiples of this; 0: not asked */
	double limit;  /* coordinates beyond this */
	double exact;  /* how far off numbers of the file may be for how they are stored */
} mw_shape_limits;

/* map-brush-micro, map-brush-sliver, map-plane-near, map-off-grid, map-bounds, map-gap of all
 * brushes with solid[i].n > 0. [solid: b->brush.n] */
MW_NODISCARD mw_code mw_shape_lint(mw_ctx *cx, const mw_planes *t, const mw_brushes *b,
	const mw_solid *solid, const mw_shape_limits *limits, const mw_shape_sink *sink);

/* map-off-grid and map-bounds of other points. f tells where they are and is used for the report.
 * [p: n] */
MW_NODISCARD mw_code mw_shape_lint_points(const mw_vec3 *p, size_t n, const mw_shape_limits *limits,
	const mw_shape_sink *sink, mw_shape_finding *f);

#endif

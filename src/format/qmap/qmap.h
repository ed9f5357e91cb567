/* The file model of .map, the level text of the Quake family: entities, their pairs, brushes with
 * every kind of texture alignment, patches; reading, checking, writing, to and from the scene.
 *
 * Everything of the model is in the file's own space (Z up, map units) and with the file's own
 * numbers: reading and writing lose nothing but blanks and comments. */
#ifndef MW_FORMAT_QMAP_QMAP_H
#define MW_FORMAT_QMAP_QMAP_H

#include "base/mem.h"
#include "base/str.h"
#include "base/wr.h"
#include "format/codec.h"
#include "scene/loss.h"
#include "scene/scene.h"
#include "scene/shape_lint.h"

/* ---- dialects -------------------------------------------------------------------------------- */

/* Editors' names for them in mw_qmap_dialect_named ("Valve", "Quake2 (Valve)", ...). */
typedef enum {
	MW_QMAP_CLASSIC,       /* "classic": offsets, rotation, scale */
	MW_QMAP_VALVE220,      /* "valve220": axes written out; Half-Life too */
	MW_QMAP_QUAKE2,        /* "quake2": classic and contents, flags, value */
	MW_QMAP_QUAKE2_VALVE,  /* "quake2_valve" */
	MW_QMAP_HEXEN2,        /* "hexen2": classic and one number */
	MW_QMAP_DAIKATANA,     /* "daikatana": as quake2 and a colour */
	MW_QMAP_QUAKE3_LEGACY, /* "quake3_legacy": as quake2, with patches */
	MW_QMAP_QUAKE3_VALVE,  /* "quake3_valve" */
	MW_QMAP_QUAKE3,        /* "quake3": brushDef, a matrix for each face */
	MW_QMAP_DOOM3,         /* "doom3": Version 2, brushDef3: planes as four numbers */
	MW_QMAP_QUAKE4,        /* "quake4": Version 3 */
	MW_QMAP_DIALECTS,
	MW_QMAP_AS_READ = MW_QMAP_DIALECTS /* for writing */
} mw_qmap_dialect;

/* Our name of a dialect, and TrenchBroom's (what "// Format:" says). [static] */
const char *mw_qmap_dialect_name(mw_qmap_dialect d);
const char *mw_qmap_format_name(mw_qmap_dialect d);
/* By either name, case aside; false when it is none. */
bool mw_qmap_dialect_named(mw_sv name, mw_qmap_dialect *out);

/* ---- the model ------------------------------------------------------------------------------- */

typedef struct {
	mw_sv key, value; /* escapes undone */
	uint32_t line;    /* [range: 1..] 0: made here */
} mw_qmap_pair;

typedef enum {
	MW_QMAP_AXES_CLASSIC, /* offset, rotation, scale over the axes of the normal */
	MW_QMAP_AXES_VALVE,   /* u, v: axis and offset; scale; rotation is a note */
	MW_QMAP_AXES_MATRIX   /* u, v: rows of a 2 x 3 matrix in repeats; [3] unused */
} mw_qmap_axes;

#define MW_QMAP_EXTRA 6

typedef struct {
	union {
		mw_vec3 p[3];    /* clockwise seen from outside: outward is (p0 - p1) x (p2 - p1)
				    (id QBSP MAP.C) */
		double plane[4]; /* brushDef3: a b c d, solid where a x + b y + c z + d < 0 */
	};
	mw_sv texture;
	mw_qmap_axes axes;
	uint8_t tx; /* 1, 2: QuArK's //TX1, //TX2: the points are the corners of a 128 x 128 texture
		     */
	uint8_t num_extra;
	double u[4], v[4];
	double offset[2], rotation, scale[2];
	double extra[MW_QMAP_EXTRA]; /* contents, flags, value; Daikatana: and red, green, blue */
	uint32_t line;
} mw_qmap_face;

typedef enum {
	MW_QMAP_FACES,     /* plain faces */
	MW_QMAP_BRUSHDEF,  /* Quake 3 brush primitives */
	MW_QMAP_BRUSHDEF3, /* Doom 3 */
	MW_QMAP_PATCH2,
	MW_QMAP_PATCH3,
	MW_QMAP_RAW /* something of an editor that is only kept */
} mw_qmap_kind;

typedef struct {
	mw_qmap_kind kind;
	uint32_t first, count; /* of mw_qmap.face; patches: of mw_qmap.control */
	uint32_t line;         /* of its opening brace */
	uint32_t name_line;    /* of the word that says its kind */
	bool rejected;         /* a number of it is none: kept, never solid */
	mw_sv texture;         /* patches */
	uint32_t w, h;         /* patches: controls run down each of the w columns */
	double sub[2];         /* patchDef3 */
	double extra[3];
	mw_sv raw; /* MW_QMAP_RAW: what is between the braces */
} mw_qmap_brush;

typedef struct {
	mw_vec3 at;
	mw_vec2 uv; /* [unit: repeat] */
} mw_qmap_control;

typedef struct {
	uint32_t first_pair, pairs;
	uint32_t first_brush, brushes;
	uint32_t line;
} mw_qmap_entity;

/* Strings point into text. mw_qmap_init makes one; zeroed is valid for mw_qmap_free. */
typedef struct {
	mw_arena text;
	mw_sv game, format,
		generator;       /* "// Game: ..." and so on of the first lines; may be empty */
	int32_t version;         /* "Version n"; 0: none */
	mw_qmap_dialect dialect; /* as recognised */
	MW_ARRAY(mw_qmap_entity) entity;
	MW_ARRAY(mw_qmap_pair) pair;
	MW_ARRAY(mw_qmap_brush) brush;
	MW_ARRAY(mw_qmap_face) face;
	MW_ARRAY(mw_qmap_control) control;
} mw_qmap;

void mw_qmap_init(mw_qmap *m, mw_ctx *cx);
void mw_qmap_free(mw_ctx *cx, mw_qmap *m); /* idempotent */

/* Value of the last pair with that key (what engines take); p == NULL when there is none. */
mw_sv mw_qmap_get(const mw_qmap *m, const mw_qmap_entity *e, const char *key);

/* ---- findings -------------------------------------------------------------------------------- */

typedef enum {
	MW_QMAP_INFO,
	MW_QMAP_WARNING,
	MW_QMAP_ERROR /* of the text: the file is refused */
} mw_qmap_level;

#define MW_QMAP_NONE UINT32_MAX
#define MW_QMAP_MSG 240
typedef struct {
	mw_qmap_level level;
	const char *rule; /* stable id: "map-syntax" [static] */
	uint32_t line, col;
	uint32_t entity, brush, face; /* brush within its entity, face within its brush, from 0; or
					 MW_QMAP_NONE */
	bool has_at;
	mw_vec3 at; /* a point of it [unit: map unit] */
	char msg[MW_QMAP_MSG];
} mw_qmap_finding;

/* Free with mw_free(cx, findings.v). */
typedef MW_ARRAY(mw_qmap_finding) mw_qmap_findings;

/* "info", "warning", "error". [static] */
const char *mw_qmap_level_name(mw_qmap_level level);

/* Append a copy of at with a level, a rule and a message. */
MW_NODISCARD mw_code mw_qmap_report(mw_ctx *cx, mw_qmap_findings *to, const mw_qmap_finding *at,
	mw_qmap_level level, const char *rule, const char *fmt, ...) MW_PRINTF(6, 7);

/* Turn the first error into a recorded failure (MW_EFORMAT at its line); MW_OK without one. */
MW_NODISCARD mw_code mw_qmap_refuse(mw_ctx *cx, const mw_qmap_findings *found);

/* ---- reading --------------------------------------------------------------------------------- */

/* Whether the bytes look like one: after blanks and comments an entity or "Version". */
bool mw_qmap_probe(const uint8_t *bytes, size_t n);

/* Read a .map of any dialect; blanks, line ends and comments anywhere.
 * found == NULL, strict: the first error of the text refuses the file (MW_EFORMAT with its line).
 * found != NULL, collecting: all errors of the file, up to 100, are reported there.
 * A face with a number that is none (nan, inf, a word) does not refuse the file: its brush is kept
 * and marked rejected, with a warning.
 * [out: an initialised model, freed by the caller also after a failure] [bytes: not kept] */
MW_NODISCARD mw_code mw_qmap_read(
	mw_ctx *cx, mw_qmap *out, mw_qmap_findings *found, const uint8_t *bytes, size_t n);

/* ---- solids ---------------------------------------------------------------------------------- */

/* Brushes as plane sets, file space. brush.v[i].tag: index in m->brush; side tag: index in m->face.
 * Patches and what is raw or rejected are not among them. */
typedef struct {
	mw_planes planes;
	mw_brushes brushes;
	mw_closure *how;  /* one for each of brushes [owned] */
	uint32_t *faces;  /* how many of the sides bound the solid [owned] */
	uint32_t open;    /* brushes that are not closed, rejected ones included */
	uint32_t dropped; /* faces of closed brushes that bound nothing: repeated, flat, outside */
	uint32_t closed_faces;
	double volume;
	mw_aabb bounds; /* of closed brushes and patches; empty without */
} mw_qmap_solids;

/* Build them. Sides on a plane that an earlier side has (either way round) and sides whose points
 * lie on one line are left out; a brush that does not close is tried turned inside out. found may
 * be NULL. [out: zeroed; freed by the caller also after a failure] */
MW_NODISCARD mw_code mw_qmap_build(
	mw_ctx *cx, const mw_qmap *m, mw_qmap_solids *out, mw_qmap_findings *found);
void mw_qmap_solids_free(mw_ctx *cx, mw_qmap_solids *s);

/* What is odd about the shapes of closed brushes: mw_shape_lint, with lines. */
MW_NODISCARD mw_code mw_qmap_lint(mw_ctx *cx, const mw_qmap *m, const mw_qmap_solids *s,
	const mw_shape_limits *o, mw_qmap_findings *found);

/* How a face is textured, in texels (MATRIX: in repeats of a texture of pixels texels; 0: 64). A
 * scale of 0 counts as 1, axes that give nothing are replaced by classic ones. normal: outward,
 * file space. */
mw_texmap mw_qmap_texmap(const mw_qmap *m, const mw_qmap_brush *b, const mw_qmap_face *f,
	mw_vec3 normal, const uint32_t pixels[2]);
/* The plane of a face in doubles, not unit length; false when it has none. */
bool mw_qmap_plane(const mw_qmap_brush *b, const mw_qmap_face *f, mw_vec3 *n, double *d);

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct {
	mw_qmap_dialect dialect; /* MW_QMAP_AS_READ: every brush as it is */
	int decimals;            /* of points, offsets and axes; < 0: what reads back the same */
	bool no_quotes;          /* names with blanks get "_" instead of quotes */
	bool no_comments;        /* leave out "// entity 0" and the header */
} mw_qmap_write_opts;

/* What a dialect could not hold. */
typedef struct {
	uint32_t moved;   /* faces whose points were rounded */
	double moved_by;  /* most, of a coordinate [unit: map unit] */
	uint32_t skewed;  /* faces whose texture axes no offset, rotation and scale can say */
	uint32_t extras;  /* faces with contents, flags or value that are not 0 */
	uint32_t patches; /* left out */
	uint32_t raw;     /* left out */
	uint32_t planes;  /* brushDef3 faces whose plane no three points have exactly */
	uint32_t values;  /* values changed: a quote before a line end or "}" */
	uint32_t names;   /* textures renamed for want of quotes */
	uint32_t flat;    /* faces without a plane, which the other way of writing it cannot say */
} mw_qmap_lost;

/* Append as text. opts NULL: as read; lost may be NULL. */
MW_NODISCARD mw_code mw_qmap_write(mw_ctx *cx, mw_wr *out, const mw_qmap *m,
	const mw_qmap_write_opts *opts, mw_qmap_lost *lost);

/* Whether a dialect has patches; extra numbers. */
bool mw_qmap_has_patches(mw_qmap_dialect d);
int mw_qmap_extras_of(mw_qmap_dialect d);

/* ---- to and from a scene --------------------------------------------------------------------- */

#define MW_QMAP_UNITS_PER_METRE 32.0

typedef enum {
	MW_QMAP_TURN_FILE,  /* as worldspawn's _hf_axis_convention says; without it QUAKE */
	MW_QMAP_TURN_QUAKE, /* Z up: ours (x, y, z) is theirs (x, -z, y) */
	MW_QMAP_TURN_GODOT  /* Y up: nothing is turned */
} mw_qmap_turn;

/* How large the picture behind a texture name is. */
typedef struct {
	mw_sv name;
	uint32_t pixels[2];
} mw_qmap_size;

typedef struct {
	mw_qmap_turn turn;
	/* Of the file. Reading: when worldspawn has no _hf_units_per_metre; 0: 32. Writing: 0: the
	 * scene's when that is more than 1, else 32. [range: 1e-6..1e6] */
	double units_per_metre;
	double scene_units_per_metre; /* reading: of the scene; 0: those of the file */
	uint32_t patch_steps;         /* reading: pieces along a curve of three points; 0: 4 */
	const mw_qmap_size *size;     /* reading: what is known of textures; others have 64 x 64 */
	size_t sizes;
} mw_qmap_scene_opts;

/* Make a scene: closed brushes with their texture axes, patches as meshes of triangles, entities in
 * our words, layers and groups, materials by texture name. Brushes that do not close are left out
 * and named. found may be NULL. MW_ERANGE for units that are no positive number.
 * [out: initialised and empty; freed by the caller also after a failure] */
MW_NODISCARD mw_code mw_qmap_to_scene(mw_ctx *cx, mw_scene *out, const mw_qmap *m,
	const mw_qmap_scene_opts *opts, mw_qmap_findings *found);

/* Make a model with Valve axes; mw_qmap_write turns them into any dialect. losses may be NULL.
 * [out: initialised and empty] [s: its plane table may grow] */
MW_NODISCARD mw_code mw_qmap_from_scene(
	mw_ctx *cx, mw_qmap *out, mw_scene *s, const mw_qmap_scene_opts *opts, mw_losses *losses);

extern const mw_codec mw_qmap_codec;

#endif

/* File model of .hmap: chunks in their order, unknown ones kept as bytes; reading, checking,
 * writing, and the way to and from scenes and compiled levels.
 *
 * Sources: "spec" is the .hmap format description, version 1. What it leaves open is settled here:
 * - unknown chunks, repeated chunks (the first counts) and bytes behind the end of a known chunk's
 *   content are kept and written back in place;
 * - flags words of the spec are undefined: kept, and written 0 but for the bits 16 and up that
 *   scene.h names;
 * - a missing META means its defaults. */
#ifndef MW_FORMAT_HMAP_HMAP_H
#define MW_FORMAT_HMAP_HMAP_H

#include "base/wr.h"
#include "compile/level.h"
#include "format/codec.h"
#include "scene/loss.h"
#include "scene/shape_lint.h"

#define MW_HMAP_MAGIC "HMAP"
#define MW_HMAP_VERSION 1u
#define MW_HMAP_HEADER_BYTES 12u
#define MW_HMAP_FLAG_SOURCE 1u
#define MW_HMAP_FLAG_COMPILED 2u

/* Tags as they stand in the file: 'M' first. */
#define MW_HMAP_TAG(a, b, c, d)                                                                    \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define MW_HMAP_META MW_HMAP_TAG('M', 'E', 'T', 'A')
#define MW_HMAP_MATS MW_HMAP_TAG('M', 'A', 'T', 'S')
#define MW_HMAP_BRSH MW_HMAP_TAG('B', 'R', 'S', 'H')
#define MW_HMAP_MESH MW_HMAP_TAG('M', 'E', 'S', 'H')
#define MW_HMAP_ENTS MW_HMAP_TAG('E', 'N', 'T', 'S')
#define MW_HMAP_CMPL MW_HMAP_TAG('C', 'M', 'P', 'L')

/* ---- the model ------------------------------------------------------------------------------- */

/* One chunk of the file, in its order. */
typedef struct {
	uint32_t tag;
	bool known; /* its content is in the model; else in bytes */
	const uint8_t
		*bytes;  /* unknown or repeated: the payload; known: what follows its content */
	size_t n;        /* [unit: byte] */
	uint64_t offset; /* of the tag, as read */
} mw_hmap_chunk;

typedef struct {
	const char *name, *texture;
	float tile[2];  /* [unit: scene unit a repeat] */
	float color[3]; /* [range: 0..1] */
	uint32_t flags;
	uint64_t offset; /* in the file, as read */
} mw_hmap_material;

/* Offset and scale in repeats, rotation in degrees. */
typedef struct {
	float offset[2], scale[2], rotation;
} mw_hmap_uv;

typedef struct {
	float plane[4]; /* n, d: the solid is where dot(n, p) < d */
	int32_t material;
	mw_hmap_uv uv;
	uint32_t flags;
} mw_hmap_face;

typedef struct {
	uint32_t id, owner, contents, flags;
	uint32_t first, faces; /* of mw_hmap.face */
	uint64_t offset;       /* in the file, as read; the faces follow 20 bytes on, 44 each */
} mw_hmap_brush;

#define MW_HMAP_BRUSH_BYTES 20u
#define MW_HMAP_FACE_BYTES 44u

typedef struct {
	int32_t material;
	uint32_t smooth;
	mw_hmap_uv uv;
	uint32_t first, indices; /* of mw_hmap.index */
	uint32_t first_uv, uvs;  /* of mw_hmap.uv; uvs is 0 or indices */
	uint64_t offset;         /* in the file, as read */
} mw_hmap_poly;

typedef struct {
	uint32_t id, owner, flags;
	const char *name;
	uint32_t first_vertex, vertices; /* of mw_hmap.vertex */
	uint32_t first_poly, polys;      /* of mw_hmap.poly; their indices are below vertices */
	uint64_t offset;                 /* in the file, as read */
} mw_hmap_mesh;

typedef struct {
	uint32_t id, flags;
	const char *classname;
	float origin[3], angles[3], scale[3]; /* angles: pitch, yaw, roll [unit: degree] */
	uint32_t first, pairs;                /* of mw_hmap.pair */
	uint64_t offset;                      /* in the file, as read */
} mw_hmap_entity;

/* Zeroed + mw_hmap_init = valid and empty. */
typedef struct {
	mw_arena mem; /* strings and bytes of chunks */
	uint32_t version, flags;
	MW_ARRAY(mw_hmap_chunk) chunk;
	/* META */
	const char *name;
	float ambient[3];
	float grid, units_per_metre;
	uint32_t next_id;
	MW_ARRAY(mw_hmap_material) material;
	MW_ARRAY(mw_hmap_brush) brush;
	MW_ARRAY(mw_hmap_face) face;
	MW_ARRAY(mw_hmap_mesh) mesh;
	MW_ARRAY(mw_level_point) vertex;
	MW_ARRAY(mw_hmap_poly) poly;
	MW_ARRAY(uint32_t) index;
	MW_ARRAY(struct mw_hmap_point2 { float v[2]; }) uv;
	MW_ARRAY(mw_hmap_entity) entity;
	MW_ARRAY(mw_pair) pair;
	mw_level level; /* CMPL */
	uint64_t file_bytes;
} mw_hmap;

void mw_hmap_init(mw_hmap *h, mw_ctx *cx);
void mw_hmap_free(mw_ctx *cx, mw_hmap *h); /* idempotent */

/* Whether the model holds this known chunk. */
bool mw_hmap_has(const mw_hmap *h, uint32_t tag);

/* ---- findings -------------------------------------------------------------------------------- */

typedef enum { MW_HMAP_INFO, MW_HMAP_WARNING, MW_HMAP_ERROR } mw_hmap_level;

#define MW_HMAP_MSG 256
#define MW_HMAP_NONE UINT32_MAX
typedef struct {
	mw_hmap_level level;
	const char *rule; /* stable id: "hmap-chunk" [static] */
	uint32_t tag;     /* of the chunk; 0: the file */
	int64_t offset;   /* [unit: byte] or MW_ERR_NOWHERE */
	/* Numbers from 0 as the chunks have them, the face or polygon within its brush or mesh; or
	 * MW_HMAP_NONE. */
	uint32_t entity, brush, mesh, face;
	bool has_at;
	mw_vec3 at; /* a point of it [unit: scene unit] */
	char msg[MW_HMAP_MSG];
} mw_hmap_finding;

/* Free with mw_free(cx, found.v). */
typedef MW_ARRAY(mw_hmap_finding) mw_hmap_findings;

/* Append; nothing when to is NULL. */
MW_NODISCARD mw_code mw_hmap_report(mw_ctx *cx, mw_hmap_findings *to, mw_hmap_level level,
	const char *rule, uint32_t tag, int64_t offset, const char *fmt, ...) MW_PRINTF(7, 8);

/* ---- reading --------------------------------------------------------------------------------- */

bool mw_hmap_probe(const uint8_t *bytes, size_t n);

/* Read a .hmap. Chunks may come in any order; every count is checked against what is left.
 * found == NULL, strict: the first fault refuses the file (MW_EFORMAT, chunk and offset named);
 * what is only doubtful passes.
 * found != NULL, collecting: a chunk with a fault is reported and kept as bytes like an unknown
 * one, and reading goes on; fails only on a header that is none, a chunk that is cut off in its
 * head, or out of memory.
 * Faults: numbers that are not finite, normals more than 1e-3 from unit length, strings with a zero
 * byte, uvCount other than 0 or idxCount, indices out of range, a tree that is none.
 * [out: an initialised model, freed by the caller also after a failure] [bytes: not kept] */
MW_NODISCARD mw_code mw_hmap_read(
	mw_ctx *cx, mw_hmap *out, mw_hmap_findings *found, const uint8_t *bytes, size_t n);

/* What is doubtful about a model: ids used twice, 0 or not below nextId, owners that are no entity,
 * materials out of range, flags that tell another content than there is, strings that are no
 * UTF-8. Fails on out of memory only. */
MW_NODISCARD mw_code mw_hmap_check(mw_ctx *cx, const mw_hmap *h, mw_hmap_findings *found);

/* What is odd about the level that a good file holds: shapes of brushes (mw_shape_lint and its kin;
 * limits in the file's units, exact is set from the file), scales and tiles of 0, polygons that are
 * not flat, not convex or nothing, vertices of a mesh within weld of each other, unknown chunks. */
MW_NODISCARD mw_code mw_hmap_lint(mw_ctx *cx, const mw_hmap *h, const mw_shape_limits *limits,
	double weld, mw_hmap_findings *found);

/* What is odd about the compiled part: points of its brushes that the tree does not know
 * (hmap-tree), a depth that is not the tree's (hmap-tree-depth), deep trees and full leaves
 * (hmap-limit); and where there is source, what compiling it again gives that is not there
 * (hmap-stale): entities, solids, mesh collision, lights, drawn areas by material. Texture
 * alignment and baked light are not compared. */
MW_NODISCARD mw_code mw_hmap_lint_compiled(mw_ctx *cx, const mw_hmap *h, mw_hmap_findings *found);

/* Mend the source: sides that bound nothing go; corners within distance of the grid go there, with
 * planes laid anew through them where all corners of a face stay within distance; vertices of
 * meshes go to the grid and to one another in the same way. A brush that would open, lose a face or
 * move by more than twice the distance stays. *count: what was changed. Offsets are void after it.
 * [distance, grid: > 0, unit: scene unit] */
MW_NODISCARD mw_code mw_hmap_mend(
	mw_ctx *cx, mw_hmap *h, double distance, double grid, uint32_t *count);

/* ---- writing --------------------------------------------------------------------------------- */

/* Append a .hmap: the chunks of h->chunk in their order, flags as h->flags says. A file that was
 * read comes out byte for byte. MW_ELIMIT past 2^32 bytes in a chunk. */
MW_NODISCARD mw_code mw_hmap_write(mw_ctx *cx, mw_wr *out, const mw_hmap *h);

typedef enum { MW_HMAP_SOURCE, MW_HMAP_COMPILED, MW_HMAP_BOTH } mw_hmap_content;

/* Leave in the chunk list what this content has: source META MATS BRSH MESH ENTS, compiled META
 * MATS ENTS CMPL; unknown chunks stay. Flags are set from it. MW_EINVALID when the model lacks
 * source for source, or CMPL for compiled (mw_hmap_compile makes it). */
MW_NODISCARD mw_code mw_hmap_set_content(mw_ctx *cx, mw_hmap *h, mw_hmap_content content);

/* ---- scenes ---------------------------------------------------------------------------------- */

/* A model of the source chunks META MATS BRSH MESH ENTS. Numbers are rounded to float32, planes as
 * mw_scene_plane_f32 does; ids are given to what has none. Texture axes that offset, scale and
 * rotation cannot say are fitted. losses (may be NULL) gets what has no place: groups, surface
 * words, skewed texture axes.
 * [out: an initialised, empty model] */
MW_NODISCARD mw_code mw_hmap_from_scene(mw_ctx *cx, mw_hmap *out, mw_scene *s, mw_losses *losses);

/* The scene that the source chunks tell; from a compiled-only file materials and entities alone.
 * [out: an initialised, empty scene] */
MW_NODISCARD mw_code mw_hmap_to_scene(mw_ctx *cx, mw_scene *out, const mw_hmap *h);

/* Compile the source chunks into h->level (what was there goes) and put CMPL at the end of the
 * chunk list, if it is not in it. o and notes may be NULL. MW_EINVALID without source chunks. */
MW_NODISCARD mw_code mw_hmap_compile(
	mw_ctx *cx, mw_hmap *h, const mw_level_options *o, mw_level_notes *notes);

/* .hmap for format/list.c. */
extern const mw_codec mw_hmap_codec;

#endif

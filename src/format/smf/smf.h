/* File models of .smf (map) and .smt (ground tiles): constants, limits, reading, checking, writing.
 *
 * Sources: "spec" is the BAR map specification by section; engine paths are Recoil's, and where the
 * specification and the engine disagree the engine is followed. */
#ifndef MW_FORMAT_SMF_SMF_H
#define MW_FORMAT_SMF_SMF_H

#include "base/mem.h"
#include "base/wr.h"
#include "format/codec.h"

/* ---- constants (spec 4.1, 4.5, 4.9, 8; rts/Map/SMF/SMFFormat.h) ------------------------------ */

#define MW_SMF_MAGIC "spring map file" /* 15 characters and a NUL */
#define MW_SMT_MAGIC "spring tilefile"
#define MW_SMF_VERSION 1
#define MW_SMF_SQUARE 8        /* [unit: elmo] */
#define MW_SMF_TEXELS 8        /* per square */
#define MW_SMF_TILE 32         /* [unit: texel] */
#define MW_SMF_HEADER_BYTES 80 /* extra headers follow at once */
#define MW_SMF_EXTRA_GRASS 1   /* MEH_Vegetation: size, type, i32 offset of the grass map */
#define MW_SMF_EXTRA_GRASS_BYTES 12
#define MW_SMF_FEATURE_BYTES 24
#define MW_SMF_MINIMAP_SIDE 1024
#define MW_SMF_MINIMAP_BYTES 699048 /* 9 DXT1 levels, 1024 down to 4 */
#define MW_SMF_MINIMAP_MAX 699064   /* SpringMapConvNG adds the levels 2 and 1 */
#define MW_SMT_HEADER_BYTES 32
#define MW_SMT_TILE_BYTES 680 /* DXT1 levels 32, 16, 8, 4 */
#define MW_SMT_DXT1 1

/* ---- limits ---------------------------------------------------------------------------------- */

/* A side must be a multiple of a big square; nothing checks it, the engine draws and crashes by it
 * (rts/Map/SMF/SMFReadMap.cpp:116-133, ROAM/RoamMeshDrawer.cpp:58). */
#define MW_SMF_SIDE_STEP 128
/* One side of exactly 128 squares and the other of 384 or more overruns the engine's list of border
 * patches (ROAM/RoamMeshDrawer.cpp:69, 91-108). */
#define MW_SMF_CRASH_SIDE 384
/* The name reader takes at most 31 bytes and leaves the NUL of a 31 byte name behind, so that every
 * later name and record shifts (rts/Map/SMF/SMFMapFile.cpp:144-165). The spec says 31: not so. */
#define MW_SMF_NAME_MAX 30
#define MW_SMF_TYPES_MAX 16384    /* rts/Map/SMF/SMFMapFile.cpp: char[16384][32] */
#define MW_SMF_FEATURES_MAX 32000 /* rts/Sim/Misc/GlobalConstants.h:114 */
#define MW_SMF_TILE_NAME_MAX 254  /* rts/Map/SMF/SMFGroundTextures.cpp: read into 255 bytes */
#define MW_SMF_BUILTIN_TYPES 17   /* TreeType0..15, GeoVent */
#define MW_SMF_GRASS_RESERVED 255 /* Spring.GetGrass: "this map has no grass map" (spec 5) */

/* ---- blocks ---------------------------------------------------------------------------------- */

/* In the conventional order of spec 9. */
typedef enum {
	MW_SMF_HEADER, /* with the extra headers */
	MW_SMF_HEIGHT,
	MW_SMF_TYPE,
	MW_SMF_MINIMAP,
	MW_SMF_METAL,
	MW_SMF_GRASS,
	MW_SMF_TILES,
	MW_SMF_FEATURES,
	MW_SMF_BLOCKS, /* their number */
	MW_SMF_GAP = MW_SMF_BLOCKS
} mw_smf_block;

/* "height", "type", "minimap", "metal", "grass", "tiles", "features"; "header", "gap". [static] */
const char *mw_smf_block_name(mw_smf_block block);
/* "height map", "tile index", ... for messages. [static] */
const char *mw_smf_block_title(mw_smf_block block);

/* Where a block lay. Gaps keep their bytes, so that a file can be written back as it was. */
typedef struct {
	mw_smf_block block;
	uint64_t offset, size; /* [unit: byte] */
	const uint8_t *bytes;  /* MW_SMF_GAP only [owned: model] */
} mw_smf_span;

/* ---- the model of a .smf --------------------------------------------------------------------- */

typedef struct {
	int32_t size; /* as it stands in the file; wrong for type 1 in half of all maps: 4, 12,
			 16388 */
	int32_t type;
	const uint8_t *payload; /* NULL for MW_SMF_EXTRA_GRASS, whose payload is a pointer */
	size_t payload_bytes;
} mw_smf_extra;

typedef struct {
	const char *name; /* looked up beside the .smf */
	int32_t count;    /* tiles taken from this file [range: >= 0] */
} mw_smf_tile_file;

/* One 24 byte record (spec 4.9). The engine ignores y and relative_size. */
typedef struct {
	int32_t type;   /* index into feature_types */
	float x, y, z;  /* [unit: elmo] */
	float rotation; /* heading, 65536 a turn, 0 south, 16384 east; truncated to i16 by the
			   engine */
	float relative_size;
} mw_smf_feature;

/* Pointers are either into mem or borrowed: a caller may put its own grids in and write.
 * Zeroed = valid and empty. All grids are row-major with z as the row. */
typedef struct {
	mw_arena mem;
	int32_t map_id;
	int32_t mapx, mapy; /* [unit: square] */
	float min_height,
		max_height;      /* [unit: elmo] of values 0 and 65536; max < min turns it over */
	const uint16_t *heights; /* (mapx + 1) * (mapy + 1) */
	const uint8_t *types;    /* (mapx / 2) * (mapy / 2) */
	const uint8_t *metal;    /* (mapx / 2) * (mapy / 2) */
	const uint8_t *grass;    /* (mapx / 4) * (mapy / 4), or NULL: none */
	const uint8_t *minimap;  /* minimap_bytes */
	size_t minimap_bytes;    /* MW_SMF_MINIMAP_BYTES, or 8 or 16 more as read */
	const mw_smf_extra *extras; /* as read; type 1 stands for the grass map */
	size_t num_extras;
	const mw_smf_tile_file *tile_files;
	size_t num_tile_files;
	int32_t num_tiles;         /* over all files */
	const int32_t *tile_index; /* (mapx / 4) * (mapy / 4) */
	const char *const *feature_types;
	size_t num_feature_types;
	const mw_smf_feature *features;
	size_t num_features;
	mw_smf_span spans[2 * MW_SMF_BLOCKS + 1]; /* as read, by offset; with gaps */
	size_t num_spans;
	uint64_t file_bytes; /* as read */
} mw_smf;

void mw_smf_init(mw_smf *smf, mw_ctx *cx);
void mw_smf_free(mw_smf *smf); /* idempotent */

/* Number of elements of the grid of a block (height, type, metal, grass, tiles); 0 for others. */
uint64_t mw_smf_cells(int32_t mapx, int32_t mapy, mw_smf_block block);

/* ---- findings -------------------------------------------------------------------------------- */

typedef enum {
	MW_SMF_INFO,
	MW_SMF_WARNING,
	MW_SMF_ERROR, /* readable, but the engine crashes, refuses, or shows something else */
	MW_SMF_BROKEN /* this block cannot be read at all; its pointer in the model is NULL */
} mw_smf_level;

#define MW_SMF_MSG 256
typedef struct {
	mw_smf_level level;
	const char *rule; /* stable id: "smf-pointer-range" [static] */
	mw_smf_block block;
	int64_t offset; /* [unit: byte] or MW_ERR_NOWHERE */
	char msg[MW_SMF_MSG];
} mw_smf_finding;

/* Free with mw_free(cx, findings.v). */
typedef MW_ARRAY(mw_smf_finding) mw_smf_findings;

/* "info", "warning", "error", "error". [static] */
const char *mw_smf_level_name(mw_smf_level level);

/* Append a finding. Returns MW_ENOMEM when there is no room. */
MW_NODISCARD mw_code mw_smf_report(mw_ctx *cx, mw_smf_findings *to, mw_smf_level level,
	const char *rule, mw_smf_block block, int64_t offset, const char *fmt, ...) MW_PRINTF(7, 8);

/* Turn the first finding of level MW_SMF_ERROR or worse into a recorded failure (MW_EFORMAT).
 * MW_OK when there is none. */
MW_NODISCARD mw_code mw_smf_refuse(mw_ctx *cx, const mw_smf_findings *found);

/* ---- reading --------------------------------------------------------------------------------- */

/* Whether the bytes begin like one. */
bool mw_smf_probe(const uint8_t *bytes, size_t n);
bool mw_smt_probe(const uint8_t *bytes, size_t n);

/* Read a .smf. Blocks may lie in any order; every pointer and count is checked against the file
 * before use.
 * found == NULL, strict: the first error refuses the file (MW_EFORMAT, block and offset named).
 * found != NULL, collecting: everything is reported there and the model holds all blocks that could
 * be read; fails only on a header that is none (MW_EFORMAT) or out of memory.
 * [out: an initialised model, freed by the caller also after a failure] [bytes: not kept] */
MW_NODISCARD mw_code mw_smf_read(
	mw_ctx *cx, mw_smf *out, mw_smf_findings *found, const uint8_t *bytes, size_t n);

/* What the engine would make of a model: sizes, heights, tile index, tile counts, names, features,
 * grass values. Blocks that are NULL are passed over. Fails on out of memory only. */
MW_NODISCARD mw_code mw_smf_check(mw_ctx *cx, const mw_smf *smf, mw_smf_findings *found);

/* Tiles that the index names at least once, out of range ones left out. Fails on out of memory. */
MW_NODISCARD mw_code mw_smf_tiles_used(mw_ctx *cx, uint32_t *used, const mw_smf *smf);

/* Height of a stored value by the engine's own float formula, min + v * ((max - min) / 65536)
 * (rts/Map/SMF/SMFReadMap.cpp:149-160; the spec's 65535 is wrong). [unit: elmo] */
float mw_smf_height_of(float min_height, float max_height, uint16_t value);

/* Ground height at a point as the engine interpolates it: two triangles a square, parted from its
 * north-east to its south-west corner (rts/Map/Ground.cpp:16-66). Outside points are clamped.
 * Needs heights. [x, z: elmo] [unit: elmo] */
float mw_smf_ground_at(const mw_smf *smf, float x, float z);

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct {
	/* Blocks, gaps and odd sizes as they were read, instead of the conventional order. */
	bool keep_layout;
	/* Make map_id from the content: never zero, and the same for the same content. */
	bool derive_id;
} mw_smf_write_opts;

/* Append a .smf to out, which must be empty. Absent types and metal are written as zeros, an absent
 * minimap as black, absent features as none. opts may be NULL.
 * MW_EINVALID: no heights or no tile index, a side that is no positive multiple of 4.
 * MW_ELIMIT: past 2^31 bytes, which the pointers cannot say. */
MW_NODISCARD mw_code mw_smf_write(
	mw_ctx *cx, mw_wr *out, const mw_smf *smf, const mw_smf_write_opts *opts);

/* ---- .smt ------------------------------------------------------------------------------------ */

typedef struct {
	uint32_t declared;    /* number in the header; the engine ignores it */
	uint32_t count;       /* whole tiles that are really there and declared (all, if 0 are) */
	uint32_t present;     /* whole tiles after the header */
	size_t trailing;      /* [unit: byte] after the declared tiles */
	const uint8_t *tiles; /* count * MW_SMT_TILE_BYTES [borrowed from bytes] */
} mw_smt;

/* Look at a .smt. Strict and collecting as mw_smf_read. A header other than version 1, 32 texels,
 * DXT1 is fatal to the engine (rts/Map/SMF/SMFGroundTextures.cpp:163-169) and always refused.
 * [out: borrows bytes] */
MW_NODISCARD mw_code mw_smt_read(
	mw_ctx *cx, mw_smt *out, mw_smf_findings *found, const uint8_t *bytes, size_t n);

/* The 32 bytes in front of count tiles. A streaming writer puts it first with count 0 and again in
 * the same place at the end. */
void mw_smt_header(uint8_t out[MW_SMT_HEADER_BYTES], uint32_t count);

/* Header and count tiles, appended to out. [tiles: count * MW_SMT_TILE_BYTES] */
MW_NODISCARD mw_code mw_smt_write(mw_ctx *cx, mw_wr *out, const uint8_t *tiles, uint32_t count);

/* ---- from a level ---------------------------------------------------------------------------- */

typedef struct {
	const char *name; /* feature type [range: 1..30 bytes] [borrowed] */
	float x, z;       /* [unit: elmo] */
	float y;          /* [unit: elmo] NaN: the ground there */
	float heading;    /* 65536 a turn, any finite number; wrapped to -32768..32767 */
} mw_smf_placement;

/* A level in terms of its quantised grids. Everything is borrowed. */
typedef struct {
	int32_t mapx, mapy; /* [unit: square] */
	float min_height, max_height;
	const uint16_t *heights;
	const uint8_t *types, *metal, *grass, *minimap; /* NULL: zeros, zeros, none, black */
	const mw_smf_tile_file *tile_files;
	size_t num_tile_files;
	const int32_t *tile_index;
	const mw_smf_placement *features;
	size_t num_features;
	bool builtin_types; /* list TreeType0..15 and GeoVent first, used or not */
	bool force_size;    /* build a size at which the engine is known to crash */
} mw_smf_level_desc;

/* Refuse sizes that the engine cannot take, with the reason and the nearest that it can.
 * force lets every positive multiple of 4 pass. [unit: square] */
MW_NODISCARD mw_code mw_smf_check_size(mw_ctx *cx, int64_t mapx, int64_t mapy, bool force);

/* Make a model that borrows the grids of the description and owns its feature tables. Refuses what
 * would break a map; what is only doubtful goes to the log as a warning with a stable id
 * (grass-255, grass-binary, feature-outside, feature-heading-wrapped). */
MW_NODISCARD mw_code mw_smf_from_level(mw_ctx *cx, mw_smf *out, const mw_smf_level_desc *level);

/* Name i of the engine's built-in types. [range: 0..16] [static] */
const char *mw_smf_builtin_type(size_t i);

/* .smf and .smt for format/list.c. */
extern const mw_codec mw_smf_codec;
extern const mw_codec mw_smt_codec;

/* A heading in -32768 <= h < 32768; values in range stay as they are, bit for bit. */
float mw_smf_wrap_heading(float heading);

#endif

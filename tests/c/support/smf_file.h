/* Bytes of a .smf put together by hand, in any block order and with any writer's habits. Knows
 * nothing of the code under test. */
#ifndef MW_TESTS_SUPPORT_SMF_FILE_H
#define MW_TESTS_SUPPORT_SMF_FILE_H

#include <stddef.h>
#include <stdint.h>

struct smf_file {
	/* to be set before smf_file_make */
	int mapx, mapy;
	float min_height, max_height;
	const char *order; /* h height, t type, i minimap, m metal, g grass, x tiles, f features */
	int grass_header_size; /* 0: no grass header */
	int minimap_bytes;
	int builtin_types;        /* 17 names instead of none */
	const char *feature_name; /* one feature of this type at (512, 256), heading 90; or NULL */
	const char *tile_name;
	int num_tiles;
	const char *unknown_extra; /* payload of an extra header of type 77 before the grass one */
	const char *tail;          /* bytes after the last block */
	/* made */
	uint8_t *bytes;
	size_t size, cap;
	size_t at[128]; /* offset of each block by its letter of order */
};

/* 128 x 128 squares, heights 0..100, conventional order, one tile of t.smt, nothing else. */
void smf_file_defaults(struct smf_file *f);

/* Heights are 31 * x + 17 * z, types (x + z) % 4, metal 3 * x + z, grass (7 * x + 5 * z) % 253 + 1,
 * minimap bytes count up mod 251, tile index (x + z) % num_tiles. */
void smf_file_make(struct smf_file *f);
void smf_file_free(struct smf_file *f);

void smf_put32(struct smf_file *f, size_t at, int32_t v);
int32_t smf_get32(const uint8_t *bytes, size_t at);

/* The four layouts that real maps have: PyMapConv, MapConv, SpringMapConvNG, SpringMapEdit. */
enum { SMF_PYMAPCONV, SMF_MAPCONV, SMF_CONVNG, SMF_MAPEDIT, SMF_WRITERS };
void smf_file_writer(struct smf_file *f, int writer);

#endif

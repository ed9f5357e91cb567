#include "support/smf_file.h"

#include <stdlib.h>
#include <string.h>

void smf_file_defaults(struct smf_file *f)
{
	memset(f, 0, sizeof *f);
	f->mapx = 128;
	f->mapy = 128;
	f->max_height = 100.0f;
	f->order = "htimxf";
	f->minimap_bytes = 699048;
	f->tile_name = "t.smt";
	f->num_tiles = 1;
}

void smf_file_writer(struct smf_file *f, int writer)
{
	static const struct {
		const char *order;
		int extra, types, minimap;
	} writers[SMF_WRITERS] = {
		[SMF_PYMAPCONV] = {"ghtimxf", 12, 1, 699048},
		[SMF_MAPCONV] = {"htixmgf", 12, 1, 699048},
		[SMF_CONVNG] = {"gihtmfx", 4, 0, 699064},
		[SMF_MAPEDIT] = {"ghtmxfi", 16388, 0, 699048},
	};
	smf_file_defaults(f);
	f->order = writers[writer].order;
	f->grass_header_size = writers[writer].extra;
	f->builtin_types = writers[writer].types;
	f->minimap_bytes = writers[writer].minimap;
	f->num_tiles = 5;
	f->min_height = -100.0f;
	f->max_height = 400.0f;
}

static void put(struct smf_file *f, const void *p, size_t n)
{
	if (f->size + n > f->cap) {
		f->cap = 2 * (f->size + n);
		f->bytes = realloc(f->bytes, f->cap);
		if (!f->bytes)
			abort();
	}
	memcpy(f->bytes + f->size, p, n);
	f->size += n;
}

static void put8(struct smf_file *f, unsigned v)
{
	uint8_t b = (uint8_t)v;
	put(f, &b, 1);
}

static void put32(struct smf_file *f, int32_t v)
{
	put(f, "\0\0\0\0", 4);
	smf_put32(f, f->size - 4, v);
}

static void putf(struct smf_file *f, float v)
{
	int32_t bits;
	memcpy(&bits, &v, 4);
	put32(f, bits);
}

void smf_put32(struct smf_file *f, size_t at, int32_t v)
{
	for (int i = 0; i < 4; i++)
		f->bytes[at + (size_t)i] = (uint8_t)((uint32_t)v >> (8 * i));
}

int32_t smf_get32(const uint8_t *bytes, size_t at)
{
	uint32_t v = 0;
	for (int i = 3; i >= 0; i--)
		v = v << 8 | bytes[at + (size_t)i];
	return (int32_t)v;
}

static void make_features(struct smf_file *f)
{
	static const char *const names[] = {"TreeType0", "TreeType1", "TreeType2", "TreeType3",
		"TreeType4", "TreeType5", "TreeType6", "TreeType7", "TreeType8", "TreeType9",
		"TreeType10", "TreeType11", "TreeType12", "TreeType13", "TreeType14", "TreeType15",
		"GeoVent"};
	int types = (f->builtin_types ? 17 : 0) + (f->feature_name != NULL);
	put32(f, types);
	put32(f, f->feature_name != NULL);
	for (int i = 0; f->builtin_types && i < 17; i++)
		put(f, names[i], strlen(names[i]) + 1);
	if (!f->feature_name)
		return;
	put(f, f->feature_name, strlen(f->feature_name) + 1);
	put32(f, types - 1);
	putf(f, 512.0f);
	putf(f, 0.0f);
	putf(f, 256.0f);
	putf(f, 90.0f);
	putf(f, 1.0f);
}

static void make_block(struct smf_file *f, char block)
{
	int w = f->mapx, h = f->mapy;
	f->at[(unsigned char)block] = f->size;
	switch (block) {
	case 'h':
		for (int z = 0; z <= h; z++)
			for (int x = 0; x <= w; x++) {
				put8(f, (unsigned)(31 * x + 17 * z));
				put8(f, (unsigned)(31 * x + 17 * z) >> 8);
			}
		break;
	case 't':
	case 'm':
		for (int z = 0; z < h / 2; z++)
			for (int x = 0; x < w / 2; x++)
				put8(f, (unsigned)(block == 't' ? (x + z) % 4 : 3 * x + z));
		break;
	case 'g':
		for (int z = 0; z < h / 4; z++)
			for (int x = 0; x < w / 4; x++)
				put8(f, (unsigned)((7 * x + 5 * z) % 253 + 1));
		break;
	case 'i':
		for (int i = 0; i < f->minimap_bytes; i++)
			put8(f, (unsigned)(i % 251));
		break;
	case 'x':
		put32(f, 1);
		put32(f, f->num_tiles);
		put32(f, f->num_tiles);
		put(f, f->tile_name, strlen(f->tile_name) + 1);
		for (int z = 0; z < h / 4; z++)
			for (int x = 0; x < w / 4; x++)
				put32(f, (x + z) % f->num_tiles);
		break;
	case 'f':
		make_features(f);
		break;
	default:
		abort();
	}
}

void smf_file_make(struct smf_file *f)
{
	static const char pointers[] = "htximf";
	put(f, "spring map file", 16);
	put32(f, 1);
	put32(f, 4711);
	put32(f, f->mapx);
	put32(f, f->mapy);
	put32(f, 8);
	put32(f, 8);
	put32(f, 32);
	putf(f, f->min_height);
	putf(f, f->max_height);
	for (int i = 0; i < 6; i++)
		put32(f, 0);
	put32(f, (f->unknown_extra != NULL) + (f->grass_header_size != 0));
	if (f->unknown_extra) {
		put32(f, 8 + (int32_t)strlen(f->unknown_extra));
		put32(f, 77);
		put(f, f->unknown_extra, strlen(f->unknown_extra));
	}
	size_t grass_slot = f->size + 8;
	if (f->grass_header_size) {
		put32(f, f->grass_header_size);
		put32(f, 1);
		put32(f, 0);
	}
	for (const char *b = f->order; *b; b++)
		make_block(f, *b);
	for (size_t i = 0; pointers[i]; i++)
		smf_put32(f, 52 + 4 * i, (int32_t)f->at[(unsigned char)pointers[i]]);
	if (f->grass_header_size)
		smf_put32(f, grass_slot, (int32_t)f->at['g']);
	if (f->tail)
		put(f, f->tail, strlen(f->tail));
	/* exactly as long, so that the address sanitizer sees every read past the end */
	f->bytes = realloc(f->bytes, f->size);
	f->cap = f->size;
}

void smf_file_free(struct smf_file *f)
{
	free(f->bytes);
	f->bytes = NULL;
	f->size = f->cap = 0;
}

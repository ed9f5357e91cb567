/* What all formats have in common: a name, how to recognise one, reading it, writing it back.
 * What a format holds is in its room's own header. */
#ifndef MW_FORMAT_CODEC_H
#define MW_FORMAT_CODEC_H

#include "base/wr.h"

typedef struct {
	const char *name;              /* "smf": also the Lua module mapwright.format.<name> */
	const char *title;             /* "map file", for people */
	const char *const *extensions; /* ".smf", lower case, ended by NULL */
	/* Whether the bytes begin like one. NULL: known by its extension only. */
	bool (*probe)(const uint8_t *bytes, size_t n);
	/* Read strictly and let go again: MW_OK when the file is good. */
	mw_code (*verify)(mw_ctx *cx, const uint8_t *bytes, size_t n);
	/* Read and write back with nothing changed, appended to out. NULL: read only. */
	mw_code (*rewrite)(mw_ctx *cx, mw_wr *out, const uint8_t *bytes, size_t n);
} mw_codec;

/* All formats, in the order of list.c. */
size_t mw_codec_count(void);
const mw_codec *mw_codec_at(size_t i);
/* By name; NULL when there is none. */
const mw_codec *mw_codec_named(const char *name);

/* The format of a file: by its bytes, and where they tell nothing by the extension of path. Either
 * may be empty. NULL when it is none of ours. [bytes: the beginning is enough] */
const mw_codec *mw_codec_of(const uint8_t *bytes, size_t n, const char *path);

#endif

#ifndef MW_BIND_EMBED_H
#define MW_BIND_EMBED_H

/* The files of lua/mapwright, made part of the program by scripts/embed.lua. */

#include <stddef.h>

struct mw_embed_file {
	const char *name;          /* "mapwright", "mapwright.target.bar"; a path where not Lua */
	const unsigned char *data; /* not zero-terminated */
	size_t size;               /* [unit: byte] */
};

/* Sorted bytewise by name; the entry at [mw_embed_count] is all zero. */
extern const struct mw_embed_file mw_embed_files[];
extern const size_t mw_embed_count;

#endif

/* TDF: [NAME] { key=value; [INNER] { } } with // and slash-star comments, the text of old .smd
 * files. */
#ifndef MW_FORMAT_MAPINFO_MAPINFO_TDF_H
#define MW_FORMAT_MAPINFO_MAPINFO_TDF_H

#include "base/val.h"

/* Read TDF text into a map of maps; values are texts (quotes around one go, blanks before one go),
 * keys and names are in lower case, each with its line and column. Of a key or section given twice
 * the last one counts: as the engine's reader has it (base/maphelper.sdz:
 * maphelper/parse_tdf.lua). MW_EFORMAT with line and offset, MW_ELIMIT past
 * cx->limits.depth sections. [out: lives in a] */
MW_NODISCARD mw_code mw_mapinfo_tdf_read(
	mw_ctx *cx, mw_arena *a, mw_val *out, const char *text, size_t n);

#endif

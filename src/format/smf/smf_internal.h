/* Shared by the files of this room only. */
#ifndef MW_FORMAT_SMF_SMF_INTERNAL_H
#define MW_FORMAT_SMF_SMF_INTERNAL_H

#include "base/ctx.h"

/* Refuse a header field that is not what it must be. [offset: byte] */
mw_code mw__smf_header_field(
	mw_ctx *cx, int64_t offset, const char *name, int32_t is, int32_t must);

/* Why the engine cannot take a size of exactly 128 squares by 384 or more; for messages. */
#define MW__SMF_CRASH_REASON                                                                       \
	"the engine overruns a buffer when one side is exactly 128 squares and the other 384 or "  \
	"more"

/* A name of a stranger, short and printable. [out: 48 bytes, returned] */
const char *mw__smf_printable(char out[48], const char *name);

#endif

/* Strict JSON (RFC 8259) with depth and size limits; integers stay integers; stable key order. */
#ifndef MW_BASE_JSON_H
#define MW_BASE_JSON_H

#include "base/val.h"

/* Values carry line and column. Duplicate keys: MW_EFORMAT with both places. Errors say line:col.
 */
MW_NODISCARD mw_code mw_json_read(mw_ctx *cx, mw_arena *a, mw_val *out, const char *text, size_t n);

/* indent 0: one line; otherwise that many blanks a level. NaN and infinities: MW_EINVALID. */
MW_NODISCARD mw_code mw_json_write(mw_str *out, const mw_val *v, int indent);

#endif

/* Status codes and the one error record that lives in a context. */
#ifndef MW_BASE_ERR_H
#define MW_BASE_ERR_H

#include "base/mw.h"

typedef struct mw_ctx mw_ctx;

typedef enum {
	MW_OK = 0,
	MW_ENOMEM,       /* an allocation failed */
	MW_EIO,          /* the outside world failed: file, folder, disk */
	MW_EFORMAT,      /* the bytes are not what the format says */
	MW_ERANGE,       /* a value is outside what is allowed */
	MW_EUNSUPPORTED, /* legal, but not something we read or write */
	MW_ELIMIT,       /* a limit of ours stopped it; see mw_limits */
	MW_EINVALID,     /* the caller's arguments do not make sense together */
	MW_ECANCELLED    /* stopped on request */
} mw_code;

#define MW_ERR_SUBJECT 192
#define MW_ERR_MSG 384
#define MW_ERR_NOWHERE (-1)

typedef struct {
	mw_code code;
	char subject[MW_ERR_SUBJECT]; /* what was looked at: "maps/x.smf", "x.smf: feature block" */
	int64_t line;                 /* [range: 1..] or MW_ERR_NOWHERE */
	int64_t offset;               /* [unit: byte] or MW_ERR_NOWHERE */
	char msg[MW_ERR_MSG];         /* found and expected; lower case, no full stop, one line */
} mw_err;

/* Record the first failure of cx and return code, so that a call site is one line.
 * A later failure leaves the record as it is. code must not be MW_OK. */
mw_code mw_fail(mw_ctx *cx, mw_code code, const char *fmt, ...) MW_PRINTF(3, 4);

/* As mw_fail, with a place. [line: 1.. or MW_ERR_NOWHERE] [offset: bytes or MW_ERR_NOWHERE] */
mw_code mw_fail_at(mw_ctx *cx, mw_code code, int64_t line, int64_t offset, const char *fmt, ...)
	MW_PRINTF(5, 6);

/* Prefix the subject of the recorded failure while unwinding: "outer: inner".
 * Returns the recorded code; does nothing when nothing failed. */
mw_code mw_note(mw_ctx *cx, const char *fmt, ...) MW_PRINTF(2, 3);

/* Forget the recorded failure. */
void mw_err_clear(mw_ctx *cx);

/* Write "subject[:line | @0xoffset]: msg" into out. [out: size bytes, always terminated] */
void mw_err_format(const mw_err *err, char *out, size_t size);

/* Stable lower-case name of a code: "nomem", "io", "format"... [owned: static] */
const char *mw_code_name(mw_code code);

#endif

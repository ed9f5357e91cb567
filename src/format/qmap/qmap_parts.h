/* Between the files that read .map text: the reader that goes along it and its complaints. */
#ifndef MW_FORMAT_QMAP_QMAP_PARTS_H
#define MW_FORMAT_QMAP_QMAP_PARTS_H

#include "format/qmap/qmap_internal.h"

#define MW__QMAP_MAX_ERRORS 100

typedef struct {
	mw_ctx *cx;
	mw_qmap *m;
	mw_qmap_findings *found;
	mw__qmap_lex lx;
	mw_qmap_finding at; /* entity, brush, face being read */
	uint32_t errors;
	mw_code code;    /* out of memory, or too many errors */
	mw_sv last_name; /* of the last texture, shared by the faces that follow */
	bool reject;     /* a number of the brush was none */
} mw__qmap_reader;

#define MW__QMAP_REPORT(r, level, rule, ...)                                                       \
	do {                                                                                       \
		(r)->errors += (level) == MW_QMAP_ERROR;                                           \
		if (!(r)->code)                                                                    \
			(r)->code = mw_qmap_report(                                                \
				(r)->cx, (r)->found, &(r)->at, level, rule, __VA_ARGS__);          \
	} while (0)

/* The place of complaints: the token looked at last. */
static inline void mw__qmap_here(mw__qmap_reader *r)
{
	r->at.line = r->lx.at_line;
	r->at.col = r->lx.at_col;
}

static inline bool mw__qmap_going(const mw__qmap_reader *r)
{
	return !r->code && r->errors < MW__QMAP_MAX_ERRORS;
}

/* What stands at the cursor, for messages: quoted, short and printable. [out: 48 bytes, returned]
 */
const char *mw__qmap_shown(char out[48], const mw__qmap_reader *r, mw_sv text);
/* Take a token and complain that it is not what was wanted. */
void mw__qmap_unexpected(mw__qmap_reader *r, const char *rule, const char *wanted);
/* Complain that what began in a line does not end. */
void mw__qmap_unclosed(mw__qmap_reader *r, uint32_t opened, const char *what);
/* Over everything up to the brace that closes the one taken. */
void mw__qmap_skip_block(mw__qmap_reader *r);

/* A brush from its opening brace on, into the model; what is wrong with it is a finding. */
void mw__qmap_read_brush(mw__qmap_reader *r);

/* The dialect that a model's brushes show. */
mw_qmap_dialect mw__qmap_recognise(const mw_qmap *m);

#endif

/* Progress on standard error: one updating line on a terminal, nothing elsewhere (finished stages
 * are reported by the build itself). */
#ifndef MW_CLI_PROGRESS_H
#define MW_CLI_PROGRESS_H

#include "base/log.h"

typedef struct {
	bool terminal;
	bool shown;  /* a line stands on the terminal */
	double last; /* [unit: second] when it was drawn */
} mw_progress;

/* Install into log->progress. p must outlive log. */
void mw_progress_init(mw_progress *p, mw_log *log);
/* Wipe the line. */
void mw_progress_end(mw_progress *p);

#endif

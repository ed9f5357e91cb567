#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REDRAW 0.1 /* [unit: second] */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void draw(void *ud, mw_stage stage, uint64_t done, uint64_t total)
{
	mw_progress *p = ud;
	double t;

	if (!p->terminal)
		return;
	t = now();
	if (t - p->last < REDRAW)
		return;
	p->last = t;
	if (total)
		fprintf(stderr, "\r\033[K%s %d%%", mw_stage_name(stage),
			(int)(done >= total ? 100 : done * 100 / total));
	else
		fprintf(stderr, "\r\033[K%s ...", mw_stage_name(stage));
	fflush(stderr);
	p->shown = true;
}

static void wipe(void *ud)
{
	mw_progress_end(ud);
}

void mw_progress_init(mw_progress *p, mw_log *log)
{
	const char *term = getenv("TERM"), *ci = getenv("CI");

	memset(p, 0, sizeof *p);
	p->terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 && !(ci && *ci);
	log->progress = draw;
	log->wipe = wipe;
	log->progress_ud = p;
}

void mw_progress_end(mw_progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}

#include "base/log.h"

#include "base/str.h"

#include <stdarg.h>
#include <sys/resource.h>
#include <time.h>

const char *mw_stage_name(mw_stage stage)
{
	static const char *const names[MW_STAGE_COUNT] = {
		"read", "field", "erode", "csg", "bsp", "bake", "tiles", "write", "pack"};

	return stage < MW_STAGE_COUNT ? names[stage] : "unknown";
}

MW_PRINTF(4, 0)
static void put(mw_ctx *cx, mw_log_level level, const char *id, const char *fmt, va_list ap)
{
	char text[1024];

	if (!cx->log || !cx->log->message)
		return;
	mw_vformat(text, sizeof text, fmt, ap);
	cx->log->message(cx->log->ud, level, id, text);
}

void mw_log_put(mw_ctx *cx, mw_log_level level, const char *id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(cx, level, id, fmt, ap);
	va_end(ap);
}

void mw_warn(mw_ctx *cx, const char *id, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(cx, MW_LOG_WARNING, id, fmt, ap);
	va_end(ap);
}

void mw_log_progress(mw_ctx *cx, mw_stage stage, uint64_t done, uint64_t total)
{
	if (cx->log && cx->log->progress)
		cx->log->progress(cx->log->progress_ud, stage, done, total);
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t) != 0)
		return 0;
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

mw_process_stats mw_process_measure(void)
{
	mw_process_stats s = {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID), 0};
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > 0)
		s.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
	return s;
}

mw_stage_run mw_stage_begin(mw_ctx *cx, mw_stage stage)
{
	mw_log_progress(cx, stage, 0, 0);
	return (mw_stage_run){stage, seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

void mw_stage_end(mw_ctx *cx, mw_stage_run run, uint64_t items, uint64_t bytes)
{
	mw_stage_stats *s;
	mw_process_stats now;

	if (!cx->log)
		return;
	now = mw_process_measure();
	s = &cx->log->stats[run.stage];
	s->wall += now.wall - run.wall;
	s->cpu += now.cpu - run.cpu;
	s->items += items;
	s->bytes += bytes;
	s->runs++;
	s->peak_bytes = now.peak_bytes;
}

/* The frame of `make bench`: suites measure, the frame prints a table and writes BENCH_JSON. Every
 * peer runs in the same process, compiled with the same optimisation flags, taking turns with ours;
 * figures are medians, and what counts is the ratio. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "base/ctx.h"

typedef struct bench bench;

/* One suite is one file bench_NAME.c, named once in the list of bench.c. */
typedef void bench_suite(bench *b, mw_ctx *cx);

bench_suite bench_dxt1;
bench_suite bench_noise;
bench_suite bench_ground;
bench_suite bench_picture;
bench_suite bench_field;
bench_suite bench_qmap;
bench_suite bench_levels;
bench_suite bench_archive;
bench_suite bench_count;
bench_suite bench_maps;

/* One work of the suite "count", once, for valgrind to watch; false when there is none of that
 * name. */
bool bench_count_once(const char *name, mw_ctx *cx);

/* The text of a level of the suite "levels" on standard output; false when that fails. */
bool bench_levels_print(const char *brushes, mw_ctx *cx);

/* Something that can be run again and again. */
typedef struct {
	void (*run)(void *ud);
	void *ud;
	double seconds; /* filled in: median of one run, or 0 where run is NULL */
} bench_work;

/* Run all works in turn, as often as BENCH_REPS says, and leave each one's median time on the
 * calling thread's CPU clock. */
void bench_thread_time(bench_work *works, size_t n);
/* The same on the wall clock: for works on several threads. */
void bench_wall_time(bench_work *works, size_t n);

/* Which of two figures is better. */
typedef enum {
	BENCH_MORE, /* a rate: ratio = ours / peer */
	BENCH_LESS  /* a time: ratio = peer / ours */
} bench_sense;

/* One line of the table. peer NULL-named: there is none here. quality may be NULL.
 * The strings are copied. */
void bench_row(bench *b, const char *name, const char *size, const char *unit, bench_sense sense,
	double ours, double peer, const char *peer_name, const char *quality);
/* A line of text between the rows. */
void bench_say(bench *b, const char *text);

#endif

/* Messages, stages with timers and progress. The core never prints: a sink decides. */
#ifndef MW_BASE_LOG_H
#define MW_BASE_LOG_H

#include "base/ctx.h"

typedef enum { MW_LOG_DEBUG, MW_LOG_INFO, MW_LOG_WARNING } mw_log_level;

typedef enum {
	MW_STAGE_READ,
	MW_STAGE_FIELD,
	MW_STAGE_ERODE,
	MW_STAGE_CSG,
	MW_STAGE_BSP,
	MW_STAGE_BAKE,
	MW_STAGE_TILES,
	MW_STAGE_WRITE,
	MW_STAGE_PACK,
	MW_STAGE_COUNT
} mw_stage;

/* wall and CPU seconds of all threads, items and bytes as the stage reported them. */
typedef struct {
	double wall, cpu; /* [unit: second] */
	uint64_t items, bytes;
	uint64_t peak_bytes; /* resident set high-water mark of the process when the stage ended */
	uint32_t runs;
} mw_stage_stats;

struct mw_log {
	/* id is a stable warning id or NULL. May be NULL. */
	void (*message)(void *ud, mw_log_level level, const char *id, const char *text);
	/* done of total, total 0 = unknown. Called from the calling thread only. May be NULL. */
	void (*progress)(void *ud, mw_stage stage, uint64_t done, uint64_t total);
	/* Take what progress drew away, before something else is printed. May be NULL. */
	void (*wipe)(void *ud);
	void *ud, *progress_ud;
	mw_stage_stats stats[MW_STAGE_COUNT];
};

typedef struct {
	mw_stage stage;
	double wall, cpu;
} mw_stage_run;

/* Figures of the whole process: wall time is the monotonic clock's. */
typedef struct {
	double wall, cpu; /* [unit: second] */
	uint64_t peak_bytes;
} mw_process_stats;
mw_process_stats mw_process_measure(void);

/* "read", "field", "erode", ... [owned: static] */
const char *mw_stage_name(mw_stage stage);
void mw_log_put(mw_ctx *cx, mw_log_level level, const char *id, const char *fmt, ...)
	MW_PRINTF(4, 5);
/* Shorthand for a warning with a stable id. */
void mw_warn(mw_ctx *cx, const char *id, const char *fmt, ...) MW_PRINTF(3, 4);
void mw_log_progress(mw_ctx *cx, mw_stage stage, uint64_t done, uint64_t total);
mw_stage_run mw_stage_begin(mw_ctx *cx, mw_stage stage);
void mw_stage_end(mw_ctx *cx, mw_stage_run run, uint64_t items, uint64_t bytes);

#endif

/* The context every fallible function takes first: error slot, allocator, log, pool, limits. */
#ifndef MW_BASE_CTX_H
#define MW_BASE_CTX_H

#include "base/err.h"
#include "base/isa.h"

/* lua_Alloc's shape, so that C and the Lua state share one counter and one place to inject failure:
 * nsize == 0 frees ptr and returns NULL; otherwise (re)allocates. */
typedef void *(*mw_alloc_fn)(void *ud, void *ptr, size_t osize, size_t nsize);

/* Born-with maximums; the command line may raise them. */
typedef struct {
	uint64_t file_bytes;     /* largest file read whole */
	uint64_t unpacked_bytes; /* largest archive member unpacked, and the sum of all */
	uint32_t unpack_ratio;   /* largest unpacked : packed of a big archive member; 0: any */
	uint64_t elements;       /* largest count in a file */
	uint32_t depth;          /* nesting of JSON, Lua tables */
	uint64_t string_bytes;   /* longest string in a text format */
	uint32_t image_side;     /* [unit: px] */
} mw_limits;

typedef struct mw_pool mw_pool;
typedef struct mw_log mw_log;

struct mw_ctx {
	mw_err err;
	mw_alloc_fn alloc;
	void *alloc_ud;
	mw_log *log;   /* may be NULL: silence [borrowed] */
	mw_pool *pool; /* may be NULL: everything runs on the calling thread [borrowed] */
	mw_limits limits;
	mw_isa isa; /* what vector code may use; any choice gives the same bytes */
};

/* Defaults: libc allocator, no log, no pool, default limits, the best
 * instruction set of the machine, nothing failed. */
void mw_ctx_init(mw_ctx *cx);

/* A context for one worker: same allocator, log, limits and isa, own error slot, no pool. */
void mw_ctx_child(mw_ctx *child, const mw_ctx *parent);

/* After a join: take over the error of a child if cx has none. Call in index order, so that the
 * message is the same for any thread count. Returns cx's code. */
mw_code mw_ctx_adopt(mw_ctx *cx, const mw_ctx *child);

/* The one table of default limits. */
mw_limits mw_limits_default(void);

#endif

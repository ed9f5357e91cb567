/* Allocation through the context, arenas for scratch, typed growable arrays, checked sizes. */
#ifndef MW_BASE_MEM_H
#define MW_BASE_MEM_H

#include "base/ctx.h"

/* All return NULL and record MW_ENOMEM on failure; n == 0 gives a valid pointer.
 * mw_realloc keeps the old block when it fails. mw_free(cx, NULL) does nothing. [owned: caller] */
void *mw_alloc(mw_ctx *cx, size_t n);
void *mw_zalloc(mw_ctx *cx, size_t n);
void *mw_realloc(mw_ctx *cx, void *p, size_t n);
void mw_free(mw_ctx *cx, void *p);

/* count * size bytes, overflow checked; mw_zalloc_n zeroed. */
void *mw_alloc_n(mw_ctx *cx, size_t count, size_t size);
void *mw_zalloc_n(mw_ctx *cx, size_t count, size_t size);

/* As mw_alloc, aligned to 64 bytes for vector code; freed by mw_free, never given to mw_realloc. */
void *mw_alloc_wide(mw_ctx *cx, size_t n);

/* a * b and a + b into *out; false (and *out untouched) on overflow. */
bool mw_mul(size_t a, size_t b, size_t *out);
bool mw_add(size_t a, size_t b, size_t *out);

/* A counting allocator: wraps libc, refuses past limit bytes in use. One for C and Lua alike. */
typedef struct {
	size_t in_use; /* [unit: byte] */
	size_t peak;   /* [unit: byte] */
	size_t limit;  /* [unit: byte] 0: none */
} mw_mem_meter;
void *mw_mem_metered(void *meter, void *ptr, size_t osize, size_t nsize);
/* The libc allocator in lua_Alloc's shape (ud unused). */
void *mw_mem_libc(void *ud, void *ptr, size_t osize, size_t nsize);

/* Arena: many small blocks freed together. Zeroed struct + cx = ready. */
typedef struct mw_arena_chunk mw_arena_chunk;
typedef struct {
	mw_ctx *cx;
	mw_arena_chunk *head;
} mw_arena;
typedef struct {
	mw_arena_chunk *head;
	size_t used;
} mw_arena_mark;

void mw_arena_init(mw_arena *a, mw_ctx *cx);
/* 16-byte aligned, uninitialised; NULL with MW_ENOMEM recorded in a->cx. [owned: arena] */
void *mw_arena_alloc(mw_arena *a, size_t n);
void *mw_arena_zalloc(mw_arena *a, size_t n);
/* Copy n bytes and a terminating NUL. */
char *mw_arena_strdup(mw_arena *a, const char *s, size_t n);
mw_arena_mark mw_arena_get_mark(const mw_arena *a);
void mw_arena_reset(mw_arena *a, mw_arena_mark mark);
void mw_arena_free(mw_arena *a);

/* Growable array: `MW_ARRAY(int) a = {0}; if (!MW_PUSH(cx, &a, 7)) goto done;` free with
 * mw_free(cx, a.v). */
#define MW_ARRAY(T)                                                                                \
	struct {                                                                                   \
		T *v;                                                                              \
		size_t n, cap;                                                                     \
	}

/* Grow *v (elements of size bytes) so that need fit. Returns false with MW_ENOMEM recorded. */
bool mw_array_reserve(mw_ctx *cx, void **v, size_t *cap, size_t need, size_t size);

/* Expression: true when pushed, false with MW_ENOMEM recorded. */
#define MW_PUSH(cx, a, value)                                                                      \
	(((a)->n < (a)->cap ||                                                                     \
		 mw_array_reserve(                                                                 \
			 (cx), (void **)(void *)&(a)->v, &(a)->cap, (a)->n + 1, sizeof *(a)->v))   \
			? ((a)->v[(a)->n++] = (value), true)                                       \
			: false)

/* Make room for need elements in total; true or false as above. */
#define MW_RESERVE(cx, a, need)                                                                    \
	mw_array_reserve((cx), (void **)(void *)&(a)->v, &(a)->cap, (need), sizeof *(a)->v)

#endif

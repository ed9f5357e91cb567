#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Every block carries its size in front, so that frees need none. */
typedef struct {
	size_t total; /* [unit: byte] as asked of the allocator, head included */
	size_t shift; /* from the allocator's pointer to the caller's */
} block_head;

#define HEAD 16u
#define WIDE 64u

_Static_assert(sizeof(block_head) <= HEAD, "block head fits its place");

static block_head *head_of(void *p)
{
	return (block_head *)(void *)((char *)p - HEAD);
}

static void *take(mw_ctx *cx, size_t n, size_t align)
{
	size_t extra = align > HEAD ? HEAD + align : HEAD;
	char *raw, *p;

	if (n > SIZE_MAX - extra) {
		mw_fail(cx, MW_ENOMEM, "out of memory: a block of %zu bytes is too large", n);
		return NULL;
	}
	raw = cx->alloc(cx->alloc_ud, NULL, 0, n + extra);
	if (!raw) {
		mw_fail(cx, MW_ENOMEM, "out of memory: needs %zu bytes", n);
		return NULL;
	}
	p = raw + HEAD;
	if (align > HEAD)
		p = (char *)(((uintptr_t)p + align - 1) & ~(uintptr_t)(align - 1));
	head_of(p)->total = n + extra;
	head_of(p)->shift = (size_t)(p - raw);
	return p;
}

void *mw_alloc(mw_ctx *cx, size_t n)
{
	return take(cx, n, HEAD);
}

void *mw_alloc_wide(mw_ctx *cx, size_t n)
{
	return take(cx, n, WIDE);
}

void *mw_zalloc(mw_ctx *cx, size_t n)
{
	void *p = take(cx, n, HEAD);

	return p ? memset(p, 0, n) : NULL;
}

void *mw_realloc(mw_ctx *cx, void *p, size_t n)
{
	block_head *head;
	char *raw;

	if (!p)
		return mw_alloc(cx, n);
	head = head_of(p);
	MW_ASSERT(head->shift == HEAD);
	if (n > SIZE_MAX - HEAD) {
		mw_fail(cx, MW_ENOMEM, "out of memory: a block of %zu bytes is too large", n);
		return NULL;
	}
	raw = cx->alloc(cx->alloc_ud, (char *)p - HEAD, head->total, n + HEAD);
	if (!raw) {
		mw_fail(cx, MW_ENOMEM, "out of memory: needs %zu bytes", n);
		return NULL;
	}
	head = (block_head *)(void *)raw;
	head->total = n + HEAD;
	head->shift = HEAD;
	return raw + HEAD;
}

void mw_free(mw_ctx *cx, void *p)
{
	if (p) {
		size_t total = head_of(p)->total;

		cx->alloc(cx->alloc_ud, (char *)p - head_of(p)->shift, total, 0);
	}
}

bool mw_mul(size_t a, size_t b, size_t *out)
{
	if (b && a > SIZE_MAX / b)
		return false;
	*out = a * b;
	return true;
}

bool mw_add(size_t a, size_t b, size_t *out)
{
	if (a > SIZE_MAX - b)
		return false;
	*out = a + b;
	return true;
}

void *mw_alloc_n(mw_ctx *cx, size_t count, size_t size)
{
	size_t n;

	if (!mw_mul(count, size, &n)) {
		mw_fail(cx, MW_ENOMEM, "out of memory: %zu elements of %zu bytes", count, size);
		return NULL;
	}
	return mw_alloc(cx, n);
}

void *mw_zalloc_n(mw_ctx *cx, size_t count, size_t size)
{
	void *p = mw_alloc_n(cx, count, size);

	return p ? memset(p, 0, count * size) : NULL;
}

void *mw_mem_libc(void *ud, void *ptr, size_t osize, size_t nsize)
{
	MW_UNUSED(ud);
	MW_UNUSED(osize);
	if (nsize == 0) {
		free(ptr);
		return NULL;
	}
	return realloc(ptr, nsize);
}

void *mw_mem_metered(void *meter, void *ptr, size_t osize, size_t nsize)
{
	mw_mem_meter *m = meter;
	size_t old = ptr ? osize : 0; /* Lua passes a type tag as osize of a new block */
	void *p;

	if (nsize > old && m->limit && nsize - old > m->limit - m->in_use)
		return NULL;
	p = mw_mem_libc(NULL, ptr, osize, nsize);
	if (!p && nsize)
		return NULL;
	m->in_use = m->in_use - old + nsize;
	if (m->in_use > m->peak)
		m->peak = m->in_use;
	return p;
}

bool mw_array_reserve(mw_ctx *cx, void **v, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap < 8 ? 8 : *cap, bytes;
	void *p;

	if (need <= *cap)
		return true;
	while (want < need) {
		if (want > SIZE_MAX / 2) {
			want = need;
			break;
		}
		want += want / 2;
	}
	if (!mw_mul(want, size, &bytes)) {
		mw_fail(cx, MW_ENOMEM, "out of memory: %zu elements of %zu bytes", need, size);
		return false;
	}
	p = mw_realloc(cx, *v, bytes);
	if (!p)
		return false;
	*v = p;
	*cap = want;
	return true;
}

struct mw_arena_chunk {
	mw_arena_chunk *prev;
	size_t used, size; /* [unit: byte] of data, which follows */
};

#define CHUNK_HEAD ((sizeof(mw_arena_chunk) + 15u) & ~(size_t)15u)
#define CHUNK_MIN ((size_t)16 << 10)
#define CHUNK_MAX ((size_t)1 << 20)

void mw_arena_init(mw_arena *a, mw_ctx *cx)
{
	a->cx = cx;
	a->head = NULL;
}

void *mw_arena_alloc(mw_arena *a, size_t n)
{
	mw_arena_chunk *c = a->head;
	size_t want, size, total;

	if (!mw_add(n, 15, &want) || !mw_add(want, CHUNK_HEAD, &total)) {
		mw_fail(a->cx, MW_ENOMEM, "out of memory: a block of %zu bytes is too large", n);
		return NULL;
	}
	want &= ~(size_t)15;
	if (!c || c->size - c->used < want) {
		size = c ? c->size * 2 : CHUNK_MIN;
		if (size > CHUNK_MAX)
			size = CHUNK_MAX;
		if (size < want)
			size = want;
		c = mw_alloc(a->cx, CHUNK_HEAD + size);
		if (!c)
			return NULL;
		c->prev = a->head;
		c->used = 0;
		c->size = size;
		a->head = c;
	}
	c->used += want;
	return (char *)c + CHUNK_HEAD + c->used - want;
}

void *mw_arena_zalloc(mw_arena *a, size_t n)
{
	void *p = mw_arena_alloc(a, n);

	return p ? memset(p, 0, n) : NULL;
}

char *mw_arena_strdup(mw_arena *a, const char *s, size_t n)
{
	char *p = n < SIZE_MAX ? mw_arena_alloc(a, n + 1) : NULL;

	if (!p)
		return NULL;
	if (n)
		memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

mw_arena_mark mw_arena_get_mark(const mw_arena *a)
{
	return (mw_arena_mark){a->head, a->head ? a->head->used : 0};
}

void mw_arena_reset(mw_arena *a, mw_arena_mark mark)
{
	while (a->head != mark.head) {
		mw_arena_chunk *prev = a->head->prev;

		mw_free(a->cx, a->head);
		a->head = prev;
	}
	if (a->head)
		a->head->used = mark.used;
}

void mw_arena_free(mw_arena *a)
{
	if (a->cx)
		mw_arena_reset(a, (mw_arena_mark){NULL, 0});
}

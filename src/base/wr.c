#include "base/wr.h"

#include "base/mem.h"

#include <string.h>

void mw_wr_init(mw_wr *w, mw_ctx *cx)
{
	*w = (mw_wr){.cx = cx};
}

void mw_wr_free(mw_wr *w)
{
	if (w->p)
		mw_free(w->cx, w->p);
	w->p = NULL;
	w->n = w->cap = 0;
}

uint8_t *mw_wr_take(mw_wr *w, size_t *n)
{
	uint8_t *p = w->p;

	*n = w->n;
	w->p = NULL;
	w->n = w->cap = 0;
	return p;
}

bool mw_wr_reserve(mw_wr *w, size_t more)
{
	size_t need;

	if (w->failed)
		return false;
	if (!mw_add(w->n, more, &need) || (w->max && need > w->max)) {
		w->failed = true;
		mw_fail(w->cx, MW_ELIMIT, "output of %zu bytes is over the limit of %zu", need,
			w->max);
		return false;
	}
	if (!mw_array_reserve(w->cx, (void **)(void *)&w->p, &w->cap, need, 1)) {
		w->failed = true;
		return false;
	}
	return true;
}

static uint8_t *room(mw_wr *w, size_t n)
{
	if (w->failed || (w->cap - w->n < n && !mw_wr_reserve(w, n)))
		return NULL;
	if (w->max && w->n + n > w->max && !mw_wr_reserve(w, n))
		return NULL;
	w->n += n;
	return w->p + w->n - n;
}

static void put32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
	p[2] = (uint8_t)(v >> 16);
	p[3] = (uint8_t)(v >> 24);
}

void mw_wr_u8(mw_wr *w, uint8_t v)
{
	uint8_t *p = room(w, 1);

	if (p)
		p[0] = v;
}

void mw_wr_u16(mw_wr *w, uint16_t v)
{
	uint8_t *p = room(w, 2);

	if (p) {
		p[0] = (uint8_t)v;
		p[1] = (uint8_t)(v >> 8);
	}
}

void mw_wr_u32(mw_wr *w, uint32_t v)
{
	uint8_t *p = room(w, 4);

	if (p)
		put32(p, v);
}

void mw_wr_u64(mw_wr *w, uint64_t v)
{
	uint8_t *p = room(w, 8);

	if (p) {
		put32(p, (uint32_t)v);
		put32(p + 4, (uint32_t)(v >> 32));
	}
}

void mw_wr_i32(mw_wr *w, int32_t v)
{
	mw_wr_u32(w, (uint32_t)v);
}

void mw_wr_f32(mw_wr *w, float v)
{
	uint32_t u;

	memcpy(&u, &v, sizeof u);
	mw_wr_u32(w, u);
}

void mw_wr_f64(mw_wr *w, double v)
{
	uint64_t u;

	memcpy(&u, &v, sizeof u);
	mw_wr_u64(w, u);
}

void mw_wr_bytes(mw_wr *w, const void *p, size_t n)
{
	uint8_t *to = room(w, n);

	if (to && n)
		memcpy(to, p, n);
}

void mw_wr_zeros(mw_wr *w, size_t n)
{
	uint8_t *to = room(w, n);

	if (to && n)
		memset(to, 0, n);
}

void mw_wr_align(mw_wr *w, size_t to)
{
	if (w->n % to)
		mw_wr_zeros(w, to - w->n % to);
}

void mw_wr_str32(mw_wr *w, const char *s, size_t n)
{
	if (n > UINT32_MAX) {
		w->failed = true;
		mw_fail(w->cx, MW_ELIMIT, "string of %zu bytes does not fit its length field", n);
		return;
	}
	mw_wr_u32(w, (uint32_t)n);
	mw_wr_bytes(w, s, n);
}

void mw_wr_u16v(mw_wr *w, const uint16_t *v, size_t n)
{
	size_t bytes;
	uint8_t *p = mw_mul(n, 2, &bytes) ? room(w, bytes) : NULL;

	for (size_t i = 0; p && i < n; i++) {
		p[2 * i] = (uint8_t)v[i];
		p[2 * i + 1] = (uint8_t)(v[i] >> 8);
	}
}

void mw_wr_i32v(mw_wr *w, const int32_t *v, size_t n)
{
	size_t bytes;
	uint8_t *p = mw_mul(n, 4, &bytes) ? room(w, bytes) : NULL;

	for (size_t i = 0; p && i < n; i++)
		put32(p + 4 * i, (uint32_t)v[i]);
}

void mw_wr_f32v(mw_wr *w, const float *v, size_t n)
{
	size_t bytes;
	uint8_t *p = mw_mul(n, 4, &bytes) ? room(w, bytes) : NULL;

	for (size_t i = 0; p && i < n; i++) {
		uint32_t u;

		memcpy(&u, &v[i], sizeof u);
		put32(p + 4 * i, u);
	}
}

size_t mw_wr_hole_u32(mw_wr *w)
{
	size_t at = w->n;

	mw_wr_u32(w, 0);
	return at;
}

void mw_wr_patch_u32(mw_wr *w, size_t slot, uint32_t v)
{
	if (w->failed)
		return;
	MW_ASSERT(slot + 4 <= w->n);
	put32(w->p + slot, v);
}

size_t mw_wr_chunk(mw_wr *w, uint32_t tag)
{
	mw_wr_u32(w, tag);
	return mw_wr_hole_u32(w);
}

void mw_wr_chunk_end(mw_wr *w, size_t mark)
{
	if (w->failed)
		return;
	if (w->n - mark - 4 > UINT32_MAX) {
		w->failed = true;
		mw_fail(w->cx, MW_ELIMIT, "chunk of %zu bytes does not fit its size field",
			w->n - mark - 4);
		return;
	}
	mw_wr_patch_u32(w, mark, (uint32_t)(w->n - mark - 4));
}

mw_code mw_wr_code(const mw_wr *w)
{
	if (!w->failed)
		return MW_OK;
	return w->cx->err.code != MW_OK ? w->cx->err.code : MW_ENOMEM;
}

#include "base/rd.h"

#include "base/str.h"

#include <stdarg.h>
#include <string.h>

void mw_rd_init(mw_rd *r, mw_ctx *cx, const void *bytes, size_t n)
{
	*r = (mw_rd){.p = bytes, .n = n, .cx = cx};
}

static const uint8_t *need(mw_rd *r, size_t n, const char *name)
{
	const uint8_t *p;

	if (r->failed)
		return NULL;
	if (n > r->n - r->at) {
		r->failed = true;
		mw_fail_at(r->cx, MW_EFORMAT, MW_ERR_NOWHERE, (int64_t)(r->base + r->at),
			"%s: needs %zu bytes, %zu are left", name, n, r->n - r->at);
		return NULL;
	}
	p = r->p + r->at;
	r->at += n;
	return p;
}

static uint32_t le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint8_t mw_rd_u8(mw_rd *r, const char *name)
{
	const uint8_t *p = need(r, 1, name);

	return p ? p[0] : 0;
}

uint16_t mw_rd_u16(mw_rd *r, const char *name)
{
	const uint8_t *p = need(r, 2, name);

	if (p == NULL)
		return 0;
	return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t mw_rd_u32(mw_rd *r, const char *name)
{
	const uint8_t *p = need(r, 4, name);

	return p ? le32(p) : 0;
}

uint64_t mw_rd_u64(mw_rd *r, const char *name)
{
	const uint8_t *p = need(r, 8, name);

	return p ? (uint64_t)le32(p) | (uint64_t)le32(p + 4) << 32 : 0;
}

int32_t mw_rd_i32(mw_rd *r, const char *name)
{
	uint32_t u = mw_rd_u32(r, name);
	int32_t v;

	memcpy(&v, &u, sizeof v);
	return v;
}

float mw_rd_f32(mw_rd *r, const char *name)
{
	uint32_t u = mw_rd_u32(r, name);
	float v;

	memcpy(&v, &u, sizeof v);
	return v;
}

double mw_rd_f64(mw_rd *r, const char *name)
{
	uint64_t u = mw_rd_u64(r, name);
	double v;

	memcpy(&v, &u, sizeof v);
	return v;
}

const uint8_t *mw_rd_bytes(mw_rd *r, size_t n, const char *name)
{
	return need(r, n, name);
}

const char *mw_rd_cstr(mw_rd *r, size_t max, size_t *len, const char *name)
{
	const uint8_t *start, *nul;
	size_t room;

	*len = 0;
	if (r->failed)
		return NULL;
	room = r->n - r->at;
	start = r->p + r->at;
	nul = room ? memchr(start, 0, room <= max ? room : max + 1) : NULL;
	if (!nul) {
		if (room > max)
			mw_rd_fail(r, MW_EFORMAT, "%s: longer than %zu bytes", name, max);
		else
			mw_rd_fail(
				r, MW_EFORMAT, "%s: not ended by a zero byte before the end", name);
		return NULL;
	}
	*len = (size_t)(nul - start);
	r->at += *len + 1;
	return (const char *)start;
}

const char *mw_rd_str32(mw_rd *r, size_t *len, const char *name)
{
	*len = mw_rd_u32(r, name);
	return (const char *)need(r, *len, name);
}

uint32_t mw_rd_count(mw_rd *r, size_t min_bytes_each, const char *name)
{
	uint32_t n = mw_rd_u32(r, name);

	if (r->failed)
		return 0;
	if (min_bytes_each && n > (r->n - r->at) / min_bytes_each) {
		mw_rd_fail(r, MW_EFORMAT, "%s: %u need at least %zu bytes each, %zu are left", name,
			(unsigned)n, min_bytes_each, r->n - r->at);
		return 0;
	}
	if (n > r->cx->limits.elements) {
		mw_rd_fail(r, MW_ELIMIT, "%s: %u is over the limit of %llu", name, (unsigned)n,
			(unsigned long long)r->cx->limits.elements);
		return 0;
	}
	return n;
}

static const uint8_t *need_n(mw_rd *r, size_t n, size_t size, const char *name)
{
	if (!r->failed && n > (r->n - r->at) / size) {
		mw_rd_fail(r, MW_EFORMAT, "%s: needs %zu values of %zu bytes, %zu bytes are left",
			name, n, size, r->n - r->at);
		return NULL;
	}
	return need(r, n * size, name);
}

bool mw_rd_u16v(mw_rd *r, uint16_t *out, size_t n, const char *name)
{
	const uint8_t *p = need_n(r, n, 2, name);

	if (!p)
		return false;
	for (size_t i = 0; i < n; i++)
		out[i] = (uint16_t)(p[2 * i] | p[2 * i + 1] << 8);
	return true;
}

bool mw_rd_i32v(mw_rd *r, int32_t *out, size_t n, const char *name)
{
	const uint8_t *p = need_n(r, n, 4, name);

	if (!p)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t u = le32(p + 4 * i);

		memcpy(&out[i], &u, sizeof u);
	}
	return true;
}

bool mw_rd_f32v(mw_rd *r, float *out, size_t n, const char *name)
{
	const uint8_t *p = need_n(r, n, 4, name);

	if (!p)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t u = le32(p + 4 * i);

		memcpy(&out[i], &u, sizeof u);
	}
	return true;
}

void mw_rd_skip(mw_rd *r, size_t n, const char *name)
{
	(void)need(r, n, name);
}

void mw_rd_seek(mw_rd *r, size_t at, const char *name)
{
	if (r->failed)
		return;
	if (at > r->n)
		mw_rd_fail(r, MW_EFORMAT, "%s: points to byte %zu, the data has %zu", name,
			r->base + at, r->base + r->n);
	else
		r->at = at;
}

size_t mw_rd_left(const mw_rd *r)
{
	return r->n - r->at;
}

mw_rd mw_rd_sub(mw_rd *r, size_t offset, size_t len, const char *name)
{
	mw_rd sub = {.cx = r->cx, .failed = true};

	if (r->failed)
		return sub;
	if (offset > r->n || len > r->n - offset) {
		mw_rd_fail(r, MW_EFORMAT, "%s: %zu bytes at offset %zu, the data has %zu", name,
			len, r->base + offset, r->base + r->n);
		return sub;
	}
	return (mw_rd){.p = r->p + offset, .n = len, .base = r->base + offset, .cx = r->cx};
}

void mw_rd_end(mw_rd *r, const char *name)
{
	if (!r->failed && r->at < r->n)
		mw_rd_fail(r, MW_EFORMAT, "%s: %zu bytes left over", name, r->n - r->at);
}

mw_code mw_rd_code(const mw_rd *r)
{
	if (!r->failed)
		return MW_OK;
	return r->cx->err.code != MW_OK ? r->cx->err.code : MW_EFORMAT;
}

mw_code mw_rd_fail(mw_rd *r, mw_code code, const char *fmt, ...)
{
	char msg[MW_ERR_MSG];
	va_list ap;

	va_start(ap, fmt);
	mw_vformat(msg, sizeof msg, fmt, ap);
	va_end(ap);
	r->failed = true;
	return mw_fail_at(r->cx, code, MW_ERR_NOWHERE, (int64_t)(r->base + r->at), "%s", msg);
}

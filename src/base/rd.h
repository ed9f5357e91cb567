/* Bounded little-endian reader. The first failure is recorded in the context; after it every call
 * returns zero and the position stays, so a run of reads is checked once. */
#ifndef MW_BASE_RD_H
#define MW_BASE_RD_H

#include "base/ctx.h"

typedef struct {
	const uint8_t *p; /* [borrowed] */
	size_t n;         /* [unit: byte] */
	size_t at;        /* [unit: byte] [range: 0..n] */
	size_t base;      /* offset of p in the file, for messages */
	mw_ctx *cx;
	bool failed;
} mw_rd;

void mw_rd_init(mw_rd *r, mw_ctx *cx, const void *bytes, size_t n);

/* Scalars; name is the field for the message: "header.mapid: needs 4 bytes at offset 4, file has
 * 6". */
uint8_t mw_rd_u8(mw_rd *r, const char *name);
uint16_t mw_rd_u16(mw_rd *r, const char *name);
uint32_t mw_rd_u32(mw_rd *r, const char *name);
uint64_t mw_rd_u64(mw_rd *r, const char *name);
int32_t mw_rd_i32(mw_rd *r, const char *name);
float mw_rd_f32(mw_rd *r, const char *name);
double mw_rd_f64(mw_rd *r, const char *name);

/* n raw bytes, NULL after a failure. [borrowed from the input] */
const uint8_t *mw_rd_bytes(mw_rd *r, size_t n, const char *name);
/* NUL-terminated string of at most max bytes without the NUL; *len without it. NULL on failure. */
const char *mw_rd_cstr(mw_rd *r, size_t max, size_t *len, const char *name);
/* u32 length, then that many bytes. NULL on failure. */
const char *mw_rd_str32(mw_rd *r, size_t *len, const char *name);
/* u32 count that must fit: count * min_bytes_each <= bytes left. 0 on failure. */
uint32_t mw_rd_count(mw_rd *r, size_t min_bytes_each, const char *name);

/* Vector forms for grids, native floats and integers out. [out: n elements] */
bool mw_rd_u16v(mw_rd *r, uint16_t *out, size_t n, const char *name);
bool mw_rd_i32v(mw_rd *r, int32_t *out, size_t n, const char *name);
bool mw_rd_f32v(mw_rd *r, float *out, size_t n, const char *name);

void mw_rd_skip(mw_rd *r, size_t n, const char *name);
void mw_rd_seek(mw_rd *r, size_t at, const char *name);
size_t mw_rd_left(const mw_rd *r);
/* A reader over [offset, offset + len) of r, whose messages keep file offsets. */
mw_rd mw_rd_sub(mw_rd *r, size_t offset, size_t len, const char *name);
/* Fails on left-over bytes where a format has an exact end. */
void mw_rd_end(mw_rd *r, const char *name);
/* MW_OK or the recorded code. */
mw_code mw_rd_code(const mw_rd *r);
/* Record a format failure at the current position and make the reader sticky. */
mw_code mw_rd_fail(mw_rd *r, mw_code code, const char *fmt, ...) MW_PRINTF(3, 4);

#endif

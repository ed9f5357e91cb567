/* Growable little-endian writer with sticky out-of-memory: write a run, check once. */
#ifndef MW_BASE_WR_H
#define MW_BASE_WR_H

#include "base/ctx.h"

typedef struct {
	uint8_t *p; /* [owned: writer] */
	size_t n;   /* [unit: byte] written */
	size_t cap;
	size_t max; /* [unit: byte] 0: none; more gives MW_ELIMIT */
	mw_ctx *cx;
	bool failed;
} mw_wr;

void mw_wr_init(mw_wr *w, mw_ctx *cx);
void mw_wr_free(mw_wr *w);
/* Give the bytes away; the writer is empty afterwards. [owned: caller, mw_free] */
uint8_t *mw_wr_take(mw_wr *w, size_t *n);
bool mw_wr_reserve(mw_wr *w, size_t more);

void mw_wr_u8(mw_wr *w, uint8_t v);
void mw_wr_u16(mw_wr *w, uint16_t v);
void mw_wr_u32(mw_wr *w, uint32_t v);
void mw_wr_u64(mw_wr *w, uint64_t v);
void mw_wr_i32(mw_wr *w, int32_t v);
void mw_wr_f32(mw_wr *w, float v); /* bit pattern as it is */
void mw_wr_f64(mw_wr *w, double v);
void mw_wr_bytes(mw_wr *w, const void *p, size_t n);
void mw_wr_zeros(mw_wr *w, size_t n);
void mw_wr_align(mw_wr *w, size_t to);
void mw_wr_str32(mw_wr *w, const char *s, size_t n); /* u32 length + bytes */
void mw_wr_u16v(mw_wr *w, const uint16_t *v, size_t n);
void mw_wr_i32v(mw_wr *w, const int32_t *v, size_t n);
void mw_wr_f32v(mw_wr *w, const float *v, size_t n);

/* A u32 to be filled in later, for absolute pointers. */
size_t mw_wr_hole_u32(mw_wr *w);
void mw_wr_patch_u32(mw_wr *w, size_t slot, uint32_t v);
/* Tagged sized chunk: tag, u32 size patched by the end call. Returns the mark for it. */
size_t mw_wr_chunk(mw_wr *w, uint32_t tag);
void mw_wr_chunk_end(mw_wr *w, size_t mark);
mw_code mw_wr_code(const mw_wr *w);

#endif

/* Which instruction set the vector code uses: detected once, or forced by name for tests. All sets
 * give the same bytes, so the choice is never part of a result. */
#ifndef MW_BASE_ISA_H
#define MW_BASE_ISA_H

#include "base/mw.h"

/* 1 where the files named *_sse41.c and *_avx2.c are built. */
#if defined(__x86_64__)
#define MW_ISA_X86 1
#else
#define MW_ISA_X86 0
#endif

/* In rising order: a machine that has one has all before it. */
typedef enum {
	MW_ISA_PORTABLE = 0, /* plain C */
	MW_ISA_SSE41,
	MW_ISA_AVX2
} mw_isa;
#define MW_ISA_COUNT 3

/* The best set of this machine and operating system. */
mw_isa mw_isa_detect(void);

/* "portable", "sse41" or "avx2" into *out; false (and *out untouched) for any other name.
 * Whether the machine has it is for the caller to ask: isa <= mw_isa_detect(). */
bool mw_isa_from_name(const char *name, mw_isa *out);

/* [owned: static] */
const char *mw_isa_name(mw_isa isa);

#endif

#include "base/isa.h"

#include <string.h>

static const char *const names[MW_ISA_COUNT] = {"portable", "sse41", "avx2"};

mw_isa mw_isa_detect(void)
{
#if MW_ISA_X86
	if (__builtin_cpu_supports("avx2"))
		return MW_ISA_AVX2;
	if (__builtin_cpu_supports("sse4.1"))
		return MW_ISA_SSE41;
#endif
	return MW_ISA_PORTABLE;
}

bool mw_isa_from_name(const char *name, mw_isa *out)
{
	for (int i = 0; i < MW_ISA_COUNT; i++) {
		if (strcmp(name, names[i]) == 0) {
			*out = (mw_isa)i;
			return true;
		}
	}
	return false;
}

const char *mw_isa_name(mw_isa isa)
{
	return names[isa];
}

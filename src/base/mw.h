/* Fixed-width types, attributes and the version: what every file of the project may rely on. */
#ifndef MW_BASE_MW_H
#define MW_BASE_MW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MW_VERSION "0.1.0"

#if defined(__GNUC__)
#define MW_NODISCARD __attribute__((warn_unused_result))
#define MW_ALWAYS_INLINE inline __attribute__((always_inline))
#define MW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define MW_PREFETCH(p) __builtin_prefetch(p)
#define MW_LOW_BIT(x) ((unsigned)__builtin_ctzll(x)) /* index of the lowest 1 of x != 0 */
#define MW_LIKELY(x) __builtin_expect(!!(x), 1)
#define MW_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define MW_NODISCARD
#define MW_ALWAYS_INLINE inline
#define MW_PRINTF(fmt, args)
#define MW_PREFETCH(p) ((void)(p))
#define MW_LOW_BIT(x) mw__low_bit(x)
#define MW_LIKELY(x) (x)
#define MW_UNLIKELY(x) (x)
static inline unsigned mw__low_bit(uint64_t x)
{
	unsigned n = 0;
	while (!(x >> n & 1))
		n++;
	return n;
}
#endif

#define MW_COUNTOF(a) (sizeof(a) / sizeof((a)[0]))
#define MW_UNUSED(x) ((void)(x))

/* Programming errors only; on in debug, sanitizer and fuzz builds. */
#if defined(MW_DEBUG)
#define MW_ASSERT(cond) ((cond) ? (void)0 : __builtin_trap())
#else
#define MW_ASSERT(cond) ((void)0)
#endif

#endif

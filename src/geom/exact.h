/* Exact integers for predicates: fixed capacity on the stack, no allocation, nothing can fail.
 *
 * The capacity holds every number that a predicate of this layer can meet, whatever finite doubles
 * went in: a double spans 2098 bits, a plane through three points has coefficients of degree 2 and
 * 3 in the coordinates, and a side test multiplies three normals and one distance (degree 9). */
#ifndef MW_GEOM_EXACT_H
#define MW_GEOM_EXACT_H

#include "geom/vec.h"

#define MW_BIG_LIMBS 304

/* sign * sum(w[i] * 2^(64 i)); n == 0 and sign == 0 for zero; w[n - 1] != 0 otherwise. */
typedef struct {
	int32_t sign;
	uint32_t n;
	uint64_t w[MW_BIG_LIMBS];
} mw_big;

__extension__ typedef __int128 mw_i128;
__extension__ typedef unsigned __int128 mw_u128;

void mw_big_set_i64(mw_big *r, int64_t x);
/* Smallest k >= 0 for which x * 2^k is an integer; 0 for 0. [x: finite] */
int mw_big_scale_of(double x);
/* x * 2^k, which must be an integer. [x: finite] */
void mw_big_set_double(mw_big *r, double x, int k);
void mw_big_copy(mw_big *r, const mw_big *a);
/* r may be a or b in these. */
void mw_big_add(mw_big *r, const mw_big *a, const mw_big *b);
void mw_big_sub(mw_big *r, const mw_big *a, const mw_big *b);
/* r must be neither a nor b. */
void mw_big_mul(mw_big *r, const mw_big *a, const mw_big *b);
void mw_big_shl(mw_big *r, const mw_big *a, uint32_t bits);
void mw_big_shr(mw_big *r, const mw_big *a, uint32_t bits); /* towards zero */
/* -1, 0, 1 of a - b. */
int mw_big_cmp(const mw_big *a, const mw_big *b);
uint32_t mw_big_bits(const mw_big *a); /* length of |a|; 0 for 0 */
uint32_t mw_big_twos(const mw_big *a); /* trailing zero bits; 0 for 0 */
/* Greatest common divisor, >= 0; gcd(0, x) = |x|. */
void mw_big_gcd(mw_big *r, const mw_big *a, const mw_big *b);
/* a / b, which must divide exactly; b > 0. */
void mw_big_div_exact(mw_big *r, const mw_big *a, const mw_big *b);
/* a = m * 2^*e, |m| in 0.5..1 (0 for 0), relative error below 2^-52. */
double mw_big_frexp(const mw_big *a, int *e);

/* Sign of det(b - a, c - a, d - a): > 0 when a, b, c turn counter-clockwise seen from the side away
 * from d, that is when d lies on the side that (b - a) x (c - a) points to. Exact for any finite
 * doubles. */
int mw_exact_orient(const mw_vec3 *a, const mw_vec3 *b, const mw_vec3 *c, const mw_vec3 *d);

/* Whether the three points lie on one line (or coincide). Exact. */
bool mw_exact_collinear(const mw_vec3 *a, const mw_vec3 *b, const mw_vec3 *c);

#endif

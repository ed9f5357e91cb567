/* Damaged inputs: every truncation and every single-byte change of a good one. */
#ifndef MW_TESTS_SUPPORT_PREFIX_H
#define MW_TESTS_SUPPORT_PREFIX_H

#include "base/mem.h"

/* Reads bytes[0..n) and frees all it made. The buffer is a block of exactly n bytes, so that the
 * address sanitizer sees every read past its end. */
typedef mw_code (*prefix_read)(mw_ctx *cx, const uint8_t *bytes, size_t n, void *ud);

enum prefix_rule {
	PREFIX_MUST_FAIL, /* every truncation is an error */
	PREFIX_MAY_READ,  /* a truncation may also be a shorter good file */
};

/* Every truncation of data is refused cleanly: an error that is returned and recorded, with a
 * message, and no block left behind; the whole data is read. Between the first and last 1000 bytes
 * of long data a sample is taken. Fails the running cmocka test otherwise. */
void prefix_sweep(prefix_read read, void *ud, const void *data, size_t size, enum prefix_rule rule);

/* Every byte of data is set to 0x00, 0x7f, 0x80, 0xff and its neighbours: read or refused, but
 * cleanly as above. */
void mutate_sweep(prefix_read read, void *ud, const void *data, size_t size);

#endif

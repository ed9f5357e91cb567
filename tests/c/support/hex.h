/* Bytes written as text, so that a test shows what is in a file. */
#ifndef MW_TESTS_SUPPORT_HEX_H
#define MW_TESTS_SUPPORT_HEX_H

#include <stddef.h>
#include <stdint.h>

/* Read "4d 57 'spring' 00*4 # a comment until the line ends": hex pairs, quoted text, *N repeats
 * the last byte to N in all. Returns the number of bytes; fails the running test on bad text or
 * more than cap. [out: cap bytes] */
size_t hex_bytes(const char *text, uint8_t *out, size_t cap);

/* data[0..size) is exactly what text says; shows the first difference with its offset otherwise. */
void assert_hex(const void *data, size_t size, const char *text);

#endif

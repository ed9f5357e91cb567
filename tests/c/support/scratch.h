/* A folder of a test's own, and other people's programs run in it. */
#ifndef MW_TESTS_SUPPORT_SCRATCH_H
#define MW_TESTS_SUPPORT_SCRATCH_H

#include <stdbool.h>

typedef struct {
	char path[64];
	char joined[512];
} scratch;

void scratch_make(scratch *s); /* the running test fails when it cannot be made */
void scratch_remove(scratch *s);
/* path/name, until the next call. */
const char *scratch_path(scratch *s, const char *name);
/* How many names lie in it or in a folder of it. */
int scratch_count(scratch *s, const char *folder);
/* Run `program arguments` in the folder, output in `log` there; the running test fails when it ends
 * with anything but 0. false where the program is not installed. */
bool scratch_try(scratch *s, const char *program, const char *arguments);

#endif

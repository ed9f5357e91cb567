/* Programs run by a benchmark, and what they took. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>

typedef struct {
	double wall, cpu; /* [unit: s] cpu: of all threads, user and system */
	double peak;      /* [unit: MB] resident */
	bool ok;          /* started and left with 0 */
} child_cost;

/* Run argv[0], looked up in PATH; it reads nothing, what it prints goes to file, or nowhere when
 * NULL. [argv: ends with NULL] */
child_cost child_run(const char *const *argv, const char *file);
/* Whether PATH has the program. */
bool child_there(const char *program);

#endif

/* compiler.h - a worker of the test's own, kept for all its compiles: to start one takes as long as ten small
 * compiles. */
#ifndef TEST_COMPILER_H
#define TEST_COMPILER_H

#include "files.h"

/* The artifact of a compile. WORDS as on the command line of `smd-worker --compile`: OPTION=VALUE, --threads=N,
 * --kept=FILE, --keep=FILE. The test fails if the compiler dies, or does not know an option. */
struct bytes compiler_run(const char *words, const void *ir, size_t len);

/* Processor time in seconds that all these have taken so far. */
double compiler_seconds(void);

#endif

/* helpers.h - threads that a worker has beside its own (helpers.c). */
#ifndef CORE_HELPERS_H
#define CORE_HELPERS_H

#include <stddef.h>

/* Bytes of the stack of a thread that compiles, the first one included: LLVM recurses. The system leaves 128 MiB free
 * below the first one. */
#define HELPER_STACK   ((size_t)112 << 20)
#define HELPER_SIGNALS ((size_t)1 << 17)            /* of its stack for signals: LLVM prints what it was at there */
#define HELPER_ROOM    (HELPER_SIGNALS + (1 << 16)) /* what else of the address space a thread takes when it begins */
enum { HELPERS_MAX = 8 };                           /* threads of a process, with its own */

/* Makes threads, so that there are THREADS with this one. They run, and wait, when this returns; there are fewer
 * where the system gives no more. Once, in a process that forks no more. */
void helpers_start(int threads);

/* How many may work for the job at hand, with this one. 1 until then. */
void helpers_allow(int threads);

/* Runs WORK on this thread and on helpers at the same time; returns when all have. */
void helpers_run(void (*work)(void *), void *arg);

#endif

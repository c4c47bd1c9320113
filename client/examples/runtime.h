/* runtime.h - a runtime for compiled programs: threads, safepoints, a moving collector, exceptions. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "smclient.h"

/* What managed code may call or refer to, by name: pass it to sm_loader_new as resolve. */
void *runtime_symbol(void *user, const char *name);

/* Runs F(N) in COUNT threads at once, each with a heap in common. Every safepoint that a thread comes to
 * stops it until all others have come to one as well, and then every object moves. Gives the first thread's result;
 * ends the program if another thread's differs. */
int64_t runtime_run(sm_loader *with, int64_t (*f)(int64_t), int64_t n, int count);

/* For the proof that the tests bite: from each walk, root number N (from 0) is left out. -1: none. */
void runtime_leave_out(long n);

/* Of all collections: how many, the roots visited, the frames walked. */
struct runtime_figures {
    uint64_t collections, roots, frames;
};
struct runtime_figures runtime_figures(void);

#endif

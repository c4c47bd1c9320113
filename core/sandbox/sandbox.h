/* sandbox.h - the worker's sandbox, behind a few functions. */
#ifndef CORE_SANDBOX_H
#define CORE_SANDBOX_H

#include "status.h"

#include <stddef.h>
#include <sys/types.h>

/* What a process that reads foreign input may use. */
struct limits {
    int memory_mib;  /* of address space beyond what the process has when it enters its sandbox */
    int cpu_seconds; /* of one job */
    int sandbox;     /* boolean */
    int threads;     /* of the process; 0 is as good as 1 */
};

/* Reads --memory-mib=N, --cpu-seconds=N, --threads=N and --sandbox=on|off from the second argument on; 0 if there is
 * another. */
int limits_read(int argc, char **argv, struct limits *l);

/* The kernel kills this process, even while it is stopped, when its parent ends, which was PARENT when this process was
 * forked. */
void sandbox_end_with(pid_t parent);

/* Enters all layers. Fails closed: on anything but SM_OK the process must end; the log says which layer it was.
 * START, which may be NULL, makes the process's threads, as from then on none can be created. They are in the sandbox
 * as well: it is run when all layers are entered but the last, which is for all threads. STACKS bytes of address
 * space are theirs. */
sm_status sandbox_enter(const struct limits *limits, void (*start)(int threads), size_t stacks);

/* For a process without a sandbox: from now on it opens no file, as a module's assembly may ask for one. Only the soft
 * limit, so that a sanitizer's report may. */
void sandbox_open_files(int may); /* 1: it may again, for what looks for leaks when the process ends */

/* Moves the CPU limit on; works inside and outside the sandbox. */
void sandbox_begin_job(const struct limits *limits);

/* 1 if this kernel has Landlock. */
int sandbox_has_landlock(void);

#endif

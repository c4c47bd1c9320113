/* cpu.h - processor time, which other load on the machine changes less than it changes the time of day.
 * Milliseconds. */
#ifndef BENCH_CPU_H
#define BENCH_CPU_H

#include "daemon.h"

enum { CPU_PROCESSES = 16 };

struct cpu {
    int n;
    pid_t pid[CPU_PROCESSES];
    double ms[CPU_PROCESSES]; /* of all its threads, since it began */
};

/* The daemon and its workers. */
struct cpu cpu_of(const struct daemon *d);

/* What those have used that were there both times: a worker that was replaced meanwhile is left out. */
double cpu_between(const struct cpu *before, const struct cpu *after);

double own_cpu_ms(void); /* of the calling thread */

/* The threads of this name, the oldest first: how many, at most MAX. */
int threads_named(pid_t pid, const char *name, pid_t *tid, int max);

/* How long the thread has been ready to run and had no core, since it began. Milliseconds. */
double waited_ms(pid_t pid, pid_t tid);

#endif

/* processes.h - what runs, by proc(5). */
#ifndef TEST_PROCESSES_H
#define TEST_PROCESSES_H

#include <sys/types.h>

/* The living processes below ROOT, children or theirs, whose name begins with NAME: their number, at most MAX. Not for
 * two threads at once. */
int processes_below(pid_t root, const char *name, pid_t *pids, int max);

/* Its state there, "R" or "T" for example; 0 if there is no such process. */
char process_state(pid_t pid);

/* A number of kB of /proc/PID/status ("VmHWM", "VmSize"), in KiB; 0 if the process is gone. */
long process_kib(pid_t pid, const char *line);

#endif

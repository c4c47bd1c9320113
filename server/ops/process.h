/* process.h - what Prometheus' clients report of their process: CPU, memory, descriptors, start. */
#ifndef SMD_PROCESS_H
#define SMD_PROCESS_H

#include "buf.h"

#include <stdint.h>

/* Appends the figures of this process that change as Prometheus text; what /proc does not have is left out. */
sm_status process_text(sm_buf *out);

/* Appends when this process has started, likewise. Whoever compares two readings takes another start for another
 * process: to be called once, and its text kept. */
void process_start_text(sm_buf *out);

/* Raises the limit of open descriptors as far as it goes, once at the start. */
void process_raise_descriptors(void);

/* How many connections the limit of descriptors has room for beside so many workers, files and listeners; may be less
 * than 0. */
long process_room(int workers);

/* The CPU time that all threads of a process have taken, by the kernel's count; 0 if there is no such process. */
uint64_t process_cpu_ns(int pid);

/* 1 if SIGTERM or SIGINT, which main blocks, has come and was not taken yet. */
int process_is_stopping(void);

#endif

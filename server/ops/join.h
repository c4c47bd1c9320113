/* join.h - the end of a thread that may hang. */
#ifndef SMD_JOIN_H
#define SMD_JOIN_H

#include <pthread.h>

/* Waits for the thread's end for so many seconds, whatever the clock is set to meanwhile. 1: it has ended, and is
 * joined; 0: it still runs. */
int thread_join_within(pthread_t thread, int seconds);

#endif

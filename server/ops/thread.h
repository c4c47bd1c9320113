/* thread.h - threads: which of them come first, and the end of one that may hang. */
#ifndef SMD_THREAD_H
#define SMD_THREAD_H

#include <pthread.h>

/* The calling thread yields to those that answer: as they are the ones that never do much at once, and it may. */
void thread_yields(void);

/* Waits for the thread's end for so many seconds, whatever the clock is set to meanwhile. 1: it has ended, and is
 * joined; 0: it still runs. */
int thread_join_within(pthread_t thread, int seconds);

#endif

/* thread.c - see thread.h. */
#include "thread.h"

#include "clock.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { YIELDING = 5 }; /* nice(2) */

void thread_yields(void) {
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), YIELDING);
}

/* It looks again and again: ThreadSanitizer does not know pthread_clockjoin_np, and pthread_timedjoin_np goes by a clock
 * that can be set. */
int thread_join_within(pthread_t thread, int seconds) {
    static const uint64_t second_ns = 1000000000;
    static const struct timespec pause = {.tv_nsec = 1000000};
    uint64_t until = sm_clock_ns() + (uint64_t)seconds * second_ns;
    for (;;) {
        if (pthread_tryjoin_np(thread, NULL) == 0)
            return 1;
        if (sm_clock_ns() > until)
            return 0;
        nanosleep(&pause, NULL);
    }
}

/* join.c - see join.h. It looks again and again: ThreadSanitizer does not know pthread_clockjoin_np, and
 * pthread_timedjoin_np goes by a clock that can be set. */
#include "join.h"

#include "clock.h"

#include <time.h>

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

/* clock.c - see clock.h. */
#include "clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t which) {
    struct timespec ts;
    clock_gettime(which, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t sm_clock_ns(void) {
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t sm_clock_us(void) {
    return sm_clock_ns() / 1000;
}

uint64_t sm_clock_coarse_ns(void) {
    return read_clock(CLOCK_MONOTONIC_COARSE);
}

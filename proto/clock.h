/* clock.h - the daemon's time. */
#ifndef SMD_CLOCK_H
#define SMD_CLOCK_H

#include <stdint.h>

uint64_t clock_ns(void);        /* CLOCK_MONOTONIC */
uint64_t clock_coarse_ns(void); /* the same to a few milliseconds, in a fifth of the time */

#endif

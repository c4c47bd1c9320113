/* clock.h - time that only goes forward. */
#ifndef SM_CLOCK_H
#define SM_CLOCK_H

#include <stdint.h>

uint64_t sm_clock_ns(void);        /* CLOCK_MONOTONIC */
uint64_t sm_clock_us(void);        /* likewise */
uint64_t sm_clock_coarse_ns(void); /* the same to a few milliseconds, in a fifth of the time */

#endif

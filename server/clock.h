/* clock.h - the daemon's time. */
#ifndef SMD_CLOCK_H
#define SMD_CLOCK_H

#include <stdint.h>

uint64_t clock_ns(void); /* CLOCK_MONOTONIC */

#endif

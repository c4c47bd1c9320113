/* usage.h - what one has used of what a row of the token file allows. Counted: it outlives the table that the row stands
 * in, so that a file that is read again forgets nothing. Thread-safe.
 */
#ifndef SMD_USAGE_H
#define SMD_USAGE_H

#include <stdint.h>
#include <time.h>

struct usage;

struct usage *usage_new(void); /* *new*, one reference; NULL if out of memory */
struct usage *usage_ref(struct usage *u);
void usage_unref(struct usage *u);

/* Counts one more request at NOW_NS (CLOCK_MONOTONIC). 0 if there were more than RATE in a second. */
int usage_admit(struct usage *u, int rate, uint64_t now_ns);

/* One more compile at once; 0 if there are MOST already (0: as many as come). usage_end for each 1. */
int usage_begin(struct usage *u, int most);
void usage_end(struct usage *u);

/* What is counted by the day, UTC, that NOW (seconds since 1970) is in; it begins anew with each. */
enum daily { DAILY_BYTES, DAILY_CPU_NS, DAILIES };
void usage_add(struct usage *u, enum daily what, uint64_t n, time_t now);
uint64_t usage_of_day(struct usage *u, enum daily what, time_t now);

/* Seconds, 1 to 86400, until the day that NOW is in ends. */
int usage_day_left(time_t now);

#endif

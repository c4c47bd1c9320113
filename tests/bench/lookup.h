/* lookup.h - libsmclient's loader and lookup, measured. */
#ifndef BENCH_LOOKUP_H
#define BENCH_LOOKUP_H

/* Finds safepoints by return address among 100,000 of many objects, against tables that do the same in other ways;
 * loads small objects. Prints both. */
void bench_lookup(void);

#endif

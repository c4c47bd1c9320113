/* cached.h - what a hit in the cache costs. */
#ifndef BENCH_CACHED_H
#define BENCH_CACHED_H

/* Prints a table: hits of several kinds, each against libmicrohttpd alone with a constant answer of the same size,
 * under the same load, in turns; then how long a start with 100,000 entries on disk takes. */
void bench_cached(int turns); /* seven at most */

#endif

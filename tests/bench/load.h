/* load.h - the service as it is used: fast code first, many clients at once, modules that repeat, a full cache. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

void bench_load(void);

#endif

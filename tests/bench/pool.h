/* pool.h - what the pool costs, and what it is worth. */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

/* Prints two tables: a process for every job against persistent workers, and small modules alone against under a
 * stream of large ones. */
void bench_pool(void);

#endif

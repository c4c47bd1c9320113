/* pool.h - what the pool costs, and what it is worth. */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

/* Prints three tables: a process for every job against persistent workers; results that a second worker confirms before
 * they are kept against those that none does; and small modules alone against under a stream of large ones. */
void bench_pool(void);

#endif

/* capacity.h - how many servers a load needs. */
#ifndef BENCH_CAPACITY_H
#define BENCH_CAPACITY_H

/* Prints two tables: what queueing theory and the simulation say of one, two and three servers, against these servers on
 * this machine; and the formulas against the simulation up to 1,000 servers. */
void bench_capacity(void);

#endif

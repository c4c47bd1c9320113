/* tables.h - what stackmaps cost, as LLVM writes them and compact. */
#ifndef BENCH_TABLES_H
#define BENCH_TABLES_H

/* Prints a table. */
void bench_maps(void);

#endif

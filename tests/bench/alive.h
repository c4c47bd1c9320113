/* alive.h - how long others wait for /livez, and for a small compile, while clients keep one route busy. */
#ifndef BENCH_ALIVE_H
#define BENCH_ALIVE_H

/* Prints a table with a row for each route, or for those alone whose names have ONLY in them. */
void bench_alive(const char *only);

#endif

/* check.h - the support library's own assertion: it serves benchmarks too, which run outside of Criterion. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define check(condition, ...)                                                                                        \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                          \
            fprintf(stderr, __VA_ARGS__);                                                                            \
            fputc('\n', stderr);                                                                                     \
            abort();                                                                                                 \
        }                                                                                                            \
    } while (0)

#endif

/* matrix.h - a compile through the service against the bare LLVM C API: by size, target and level. */
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include "bench.h"
#include "client.h"

enum { TURNS_MAX = 300 };

extern const char *const bench_triples[]; /* x86-64's, AArch64's */

struct turns {
    double service[TURNS_MAX], bare[TURNS_MAX], ratio[TURNS_MAX], cpu[TURNS_MAX], cpu_ratio[TURNS_MAX];
    int n;
};

/* One after the other, for so many milliseconds and rounds at least; the first WARM rounds do not count. SAME: the
 * objects have to be equally large. */
void take_turns(struct client *c, const struct daemon *d, const char *triple, int level, struct bytes module,
                double budget_ms, int rounds, int warm, int same, struct turns *t);
void record_turns(struct turns *t);

void bench_matrix(void);
void bench_growth(void); /* growth.c: by safepoints, by what lives across them, and by blocks */

#endif

/* matrix.h - a compile through the service against the bare LLVM C API: by size, target and level. */
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

void bench_matrix(void);
void bench_growth(void); /* by safepoints, and by what lives across them */

#endif

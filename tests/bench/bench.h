/* bench.h - the parts of smd-bench. */
#ifndef BENCH_H
#define BENCH_H

#include "files.h"

/* A module of about SIZE bytes of IR: functions with loops over a list, calls and derived pointers; the smallest
 * there is for 0. The same for the same arguments. *new* */
struct bytes make_module(size_t size);

/* A module of so many functions, and the same module with typed pointers. Both *new* */
struct bytes make_typed_pair(size_t functions, struct bytes *typed);

/* The bare LLVM C API in this process, warm after the first call: parse, default<O0> to default<O3>, place-safepoints,
 * rewrite, verify, emit. Gives the object's size. */
void bare_init(void);
size_t bare_compile(const char *triple, int level, struct bytes module);

/* edits.c */
void bench_edits(void);

/* startup.c */
void bench_startup(void);

/* code.c: the programs that ONLY names, or all for NULL. */
void bench_code(const char *only);

#endif

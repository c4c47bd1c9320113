/* modules.h - modules that several tests post. */
#ifndef TEST_MODULES_H
#define TEST_MODULES_H

#include "files.h"

extern const char module_list[];     /* puts a cell before a list: polls, a call, a live pointer */
extern const char module_crashing[]; /* LLVM 19 reads the checksum of a file that was never named */

/* Its compile does not end, on any machine, from opt=1 on: two rules of LLVM 19's InstCombine undo each other,
 * without taking memory. A test that needs a compile to be under way holds it by this, not by one that is thought to
 * take long. */
extern const char module_endless[];

/* The same in so many bytes that the daemon takes it for a large module. *New*. */
struct bytes module_endless_large(void);

/* Not endless: a large module that compiles soon, in one function of so many steps. *New*. */
struct bytes module_of_steps(int steps);

#endif

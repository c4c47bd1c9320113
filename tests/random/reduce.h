/* reduce.h - makes a program at fault small. */
#ifndef RANDOM_REDUCE_H
#define RANDOM_REDUCE_H

#include <stddef.h>

/* Has llvm-reduce take away from the fault's file at PATH what can go while it ends alike. REDUCED gets the new file's
 * path. 0 if it failed. Needs the daemon at $SMD_SERVER. */
int reduce(const char *path, char *reduced, size_t size);

#endif

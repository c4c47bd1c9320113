/* memory.h - writing where the process itself may not: small objects share pages with code that runs, and those are
 * never writable. The kernel writes there for who may debug the process, through /proc/self/mem, and privately: a
 * forked child and its parent do not see each other's. Where that is not so, each object has pages of its own. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* 1 if code can be written so, and is in force; found out once, by trying. */
int memory_works(void);

/* A descriptor for memory_write (close it); -1 if there is none. Never kept: after fork it would be the parent's
 * memory. */
int memory_open(void);

/* 0 if it fails. */
int memory_write(int fd, uintptr_t at, const void *data, size_t len);

/* Once code stands where other code may have stood: every core fetches it anew. Requires memory_begin, once in the
 * process. */
void memory_begin(void);
void memory_synchronise(void);

#endif

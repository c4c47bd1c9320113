/* memory.h - allocations that end the process when memory runs out, as LLVM's own do.
 *
 * No caller checks what it gets, and no list lacks something. The process ends with "out of memory" as its last words, by
 * which smd answers out_of_memory (server/pool/ending.c). The sizes may be 0; free() frees.
 */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include "status.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* How a worker ends when LLVM gives up, or memory runs out; the log says why. */
#define EXIT_LLVM_ERROR 70

_Noreturn void memory_exhausted(void);

static inline void *xchecked(void *memory) {
    if (!memory)
        memory_exhausted();
    return memory;
}

static inline void *xmalloc(size_t size) {
    return xchecked(malloc(size ? size : 1));
}

static inline void *xcalloc(size_t count, size_t size) {
    return xchecked(count && size ? calloc(count, size) : calloc(1, 1));
}

static inline char *xstrdup(const char *text) {
    return xchecked(strdup(text));
}

static inline char *xstrndup(const char *text, size_t len) {
    return xchecked(strndup(text, len));
}

/* LIST, which has COUNT items of SIZE bytes and room for *ROOM, with room for one more: it is reallocated where COUNT is
 * *ROOM. Begins as NULL, 0, 0. */
void *xgrow(void *list, size_t count, size_t *room, size_t size);

/* S, which a function of proto's gave; SM_NOMEM ends the process. */
static inline sm_status xstatus(sm_status s) {
    if (s == SM_NOMEM)
        memory_exhausted();
    return s;
}

#endif

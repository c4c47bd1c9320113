/* memory.c - see memory.h. */
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Ends the process. The log may be full, so that the words stand at its begin. */
void memory_exhausted(void) {
    static const char words[] = "LLVM ERROR: out of memory\n";
    lseek(STDERR_FILENO, 0, SEEK_SET);
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    _exit(EXIT_LLVM_ERROR);
}

void *xgrow(void *list, size_t count, size_t *room, size_t size) {
    enum { FIRST = 16 };
    if (count < *room)
        return list;
    if (*room > SIZE_MAX / 2 / size)
        memory_exhausted();
    *room = *room ? 2 * *room : FIRST;
    return xchecked(reallocarray(list, *room, size));
}

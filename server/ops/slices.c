/* slices.c - see slices.h. */
#include "slices.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLICE = 1 << 20 };

void slices_free(void *block) {
    size_t len = block ? malloc_usable_size(block) : 0;
    if (len > SLICE) {
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = ((uintptr_t)block + page - 1) & -page;
        uintptr_t end = ((uintptr_t)block + len) & -page;
        for (size_t n; at < end; at += n) {
            n = end - at < SLICE ? end - at : SLICE;
            madvise((void *)at, n, MADV_DONTNEED); /* NOLINT(performance-no-int-to-ptr) */
        }
    }
    free(block);
}

/* allocator.c - where memory comes from: mimalloc, if it is built in, takes the place of the C library's. It would end
 * the process without a word when there is none left; smd distinguishes that from a crash by the log. */
#include "process.h"

#ifdef SMD_MIMALLOC
#include <errno.h>
#include <mimalloc.h>
#include <unistd.h>

/* Writes "out of memory" to the log when mimalloc has none left, by which smd distinguishes that from a crash. */
static void on_error(int error, void *arg) {
    static const char words[] = "out of memory\n";
    (void)arg;
    if (error == ENOMEM && write(STDERR_FILENO, words, sizeof words - 1) < 0)
        return; /* the log is full: its words are there already */
}

void allocator_init(void) {
    mi_register_error(on_error, NULL);
}
#else
void allocator_init(void) {
}
#endif

/* keep.h - memory for what lookups keep: taken and given by any thread and by signal handlers, without a lock.
 *
 * Pieces come from chunks of the system's memory, which stay until all is freed. What is given back is used again by
 * the next that asks for its size.
 */
#ifndef KEEP_H
#define KEEP_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { KEEP_CLASSES = 72 };

/* Begins as zeros. */
struct keep {
    _Atomic(uint64_t) given[KEEP_CLASSES]; /* by size: the piece given last, and a turn */
    _Atomic(struct keep_chunk *) chunk;    /* the one that pieces are cut from; the others hang on it */
};

/* A piece of at least BYTES, aligned to 16, its content anything. NULL when out of memory. */
void *keep_take(struct keep *k, size_t bytes);

/* Gives back what was taken with the same BYTES. */
void keep_give(struct keep *k, void *taken, size_t bytes);

/* Requires that nobody else uses it. */
void keep_free(struct keep *k);

#endif

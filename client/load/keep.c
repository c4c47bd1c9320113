/* keep.c - see keep.h. */
#include "keep.h"

#include <sys/mman.h>

enum { UNIT = 32, FINE = 32, CHUNK = 1 << 20, LARGEST = CHUNK / 4 };

struct keep_chunk {
    struct keep_chunk *older;
    size_t bytes;
    _Atomic(size_t) used;
};

/* What stands before a piece. Who takes another one at the same time may read NEXT when the piece is in use again,
 * and finds by the turn that it is. */
struct piece {
    _Atomic(uint64_t) next;
    uint64_t unused;
};

/* Addresses have 48 bits, the last 4 of them zero: the others, and a turn of 20 bits. */
enum { TURN_BITS = 20 };

/* Packs a piece's address and a turn, which makes a reused piece differ from itself (ABA), into one word. */
static uint64_t link_of(const void *piece, uint64_t turn) {
    return (uint64_t)(uintptr_t)piece >> 4 << TURN_BITS | (turn & ((1u << TURN_BITS) - 1));
}

/* The piece that a link points to; NULL if there is none. */
static struct piece *piece_of(uint64_t link) {
    return (struct piece *)(uintptr_t)(link >> TURN_BITS << 4); /* NOLINT(performance-no-int-to-ptr) */
}

/* The size class of *BYTES, which becomes the size that pieces of that class have: multiples of 32 up to 1 KB, then
 * four sizes to each doubling. */
static unsigned class_of(size_t *bytes) {
    size_t units = (*bytes + UNIT - 1) / UNIT;
    if (units <= FINE) {
        *bytes = units * UNIT;
        return (unsigned)units;
    }
    unsigned class = FINE + 1;
    size_t step = FINE / 4, end = FINE + step;
    for (; end < units; class ++) {
        if (end == 8 * step)
            step *= 2;
        end += step;
    }
    *bytes = end * UNIT;
    return class;
}

/* Maps zeroed memory of the system's; NULL if there is none. */
static void *map_bytes(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Cuts BYTES off the chunk, without a lock; NULL if it has not as many left. */
static void *cut(struct keep_chunk *c, size_t bytes) {
    size_t used = atomic_load_explicit(&c->used, memory_order_relaxed);
    do {
        if (bytes > c->bytes - used)
            return NULL;
    } while (!atomic_compare_exchange_weak(&c->used, &used, used + bytes));
    return (unsigned char *)c + used;
}

/* Adds a chunk in place of FULL, unless another thread has done so meanwhile. 0 if out of memory. */
static int add_chunk(struct keep *k, struct keep_chunk *full) {
    struct keep_chunk *c = map_bytes(CHUNK);
    if (!c)
        return 0;
    c->older = full;
    c->bytes = CHUNK;
    atomic_store_explicit(&c->used, (sizeof *c + UNIT - 1) / UNIT * UNIT, memory_order_relaxed);
    if (!atomic_compare_exchange_strong(&k->chunk, &full, c))
        munmap(c, CHUNK);
    return 1;
}

/* Takes a piece that was given back, or cuts one from a chunk; large ones are mapped on their own. NULL when out of
 * memory. */
static struct piece *take(struct keep *k, size_t bytes) {
    unsigned class = class_of(&bytes);
    if (bytes > LARGEST)
        return map_bytes(bytes);
    uint64_t head = atomic_load(&k->given[class]);
    while (piece_of(head)) {
        uint64_t next = atomic_load_explicit(&piece_of(head)->next, memory_order_relaxed);
        if (atomic_compare_exchange_weak(&k->given[class], &head, link_of(piece_of(next), head + 1)))
            return piece_of(head);
    }
    for (;;) {
        struct keep_chunk *c = atomic_load(&k->chunk);
        void *piece = c ? cut(c, bytes) : NULL;
        if (piece || !add_chunk(k, c))
            return piece;
    }
}

void *keep_take(struct keep *k, size_t bytes) {
    struct piece *p = bytes < SIZE_MAX / 2 ? take(k, bytes + sizeof *p) : NULL;
    return p ? p + 1 : NULL;
}

void keep_give(struct keep *k, void *taken, size_t bytes) {
    struct piece *piece = (struct piece *)taken - 1;
    bytes += sizeof *piece;
    unsigned class = class_of(&bytes);
    if (bytes > LARGEST) {
        munmap(piece, bytes);
        return;
    }
    uint64_t head = atomic_load(&k->given[class]);
    do {
        atomic_store_explicit(&piece->next, head, memory_order_relaxed);
    } while (!atomic_compare_exchange_weak(&k->given[class], &head, link_of(piece, head + 1)));
}

void keep_free(struct keep *k) {
    for (struct keep_chunk *c = atomic_load(&k->chunk), *older; c; c = older) {
        older = c->older;
        munmap(c, c->bytes);
    }
}

/* managed.h - what the programs of the bench share: objects in a moving heap, and their inline allocation.
 *
 * A program is C whose references are pointers of address space 1. It keeps to what a frontend does: no reference is
 * a temporary across a call, and no local variable points into an object. So each local variable can be a root of the
 * shadow stack as it stands. An object begins with its header; references follow, then all else. */
#ifndef MANAGED_H
#define MANAGED_H

typedef __UINT8_TYPE__ uint8_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;

#define REF      __attribute__((address_space(1)))
#define NOINLINE __attribute__((noinline))

typedef void REF *object;
typedef char REF *address;

extern volatile address heap_top, heap_limit;
object heap_refill(uint64_t header); /* makes room by a collection; allocates an object */

/* An object of BYTES, a multiple of 8, of which REFS references follow the header. All of it but the header is zero.
 * What a poll may change is volatile: the optimiser, which knows of no polls, would keep it in a register. */
static inline object allocate(uint64_t refs, uint64_t bytes) {
    uint64_t header = refs << 32 | bytes;
    address at = heap_top, next = at + bytes;
    if (__builtin_expect(next > heap_limit, 0))
        return heap_refill(header);
    heap_top = next;
    *(uint64_t REF *)at = header;
    return at;
}

#define NEW(type, refs) ((struct type REF *)allocate(refs, sizeof(struct type)))

struct array {
    uint64_t header;
    object item[];
};

/* N references that are null. */
static inline struct array REF *new_array(uint64_t n) {
    return (struct array REF *)allocate(n, sizeof(struct array) + n * sizeof(object));
}

struct text {
    uint64_t header, length;
    uint8_t byte[];
};

/* A text of LENGTH bytes that are 0. */
static inline struct text REF *new_text(uint64_t length) {
    struct text REF *t = (struct text REF *)allocate(0, (sizeof(struct text) + length + 7) & ~(uint64_t)7);
    t->length = length;
    return t;
}

/* The next of a sequence of numbers that look random. */
static inline uint64_t next_random(uint64_t x) {
    return x * 6364136223846793005u + 1442695040888963407u;
}

int64_t run(int64_t n); /* the program; gives a number that depends on all that it did */

#endif

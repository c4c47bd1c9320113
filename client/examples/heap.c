/* heap.c - see heap.h. Cheney's algorithm over a ring of spaces, of which one is readable between collections. */
#include "heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SPACES = 32, POISON = 0xdb };
#define SPACE_BYTES ((size_t)4 << 20)

struct header {
    uint32_t magic, pointers;
    uint64_t bytes; /* of the object, or its new address once it has moved */
};

enum { LIVE = 0x6c697665, MOVED = 0x6d6f7665 };

static char *space[SPACES];
static int current;
static char *end, *scan; /* of the space that is filled; of what was copied and looked at */
static char *old, *old_end;
static uint64_t moved;

static void die(const char *what, const void *where) {
    fprintf(stderr, "heap: %s: %p\n", what, where);
    exit(3);
}

static void make(char *p, int protection) {
    if (mprotect(p, SPACE_BYTES, protection) != 0)
        die("memory cannot be protected", p);
}

void heap_init(void) {
    for (int i = 0; i < SPACES; i++) {
        if (space[i])
            make(space[i], PROT_NONE);
        else if ((space[i] = mmap(NULL, SPACE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) == MAP_FAILED)
            die("out of memory", NULL);
    }
    current = 0;
    make(space[0], PROT_READ | PROT_WRITE);
    end = space[0];
}

static char *take(uint64_t bytes) {
    size_t whole = sizeof(struct header) + (size_t)((bytes + 15) & ~(uint64_t)15);
    if (bytes > SPACE_BYTES || whole > SPACE_BYTES - (size_t)(end - space[current]))
        return NULL;
    char *at = end;
    end += whole;
    return at;
}

void *heap_allocate(uint64_t bytes, uint64_t pointers) {
    char *at = take(bytes);
    if (!at)
        return NULL;
    *(struct header *)at = (struct header){LIVE, (uint32_t)pointers, bytes};
    return memset(at + sizeof(struct header), 0, bytes);
}

void heap_begin(void) {
    old = space[current];
    old_end = end;
    current = (current + 1) % SPACES;
    make(space[current], PROT_READ | PROT_WRITE);
    scan = end = space[current];
}

void heap_forward(void **root) {
    char *object = *root;
    if (!object)
        return;
    struct header *h = (struct header *)object - 1;
    if ((char *)h < old || object > old_end)
        die("a root is outside the heap, or was moved before", object);
    if (h->magic == LIVE) {
        char *to = take(h->bytes);
        memcpy(to, h, sizeof *h + h->bytes);
        h->magic = MOVED;
        h->bytes = (uint64_t)(uintptr_t)(to + sizeof *h);
        moved++;
    } else if (h->magic != MOVED) {
        die("a root is no object", object);
    }
    *root = (void *)(uintptr_t)h->bytes;
}

void heap_finish(void) {
    while (scan < end) {
        struct header *h = (struct header *)scan;
        void **field = (void **)(h + 1);
        for (uint32_t i = 0; i < h->pointers; i++)
            heap_forward(&field[i]);
        scan += sizeof *h + ((h->bytes + 15) & ~(uint64_t)15);
    }
    memset(old, POISON, (size_t)(old_end - old));
    make(old, PROT_NONE);
}

uint64_t heap_moved(void) {
    return moved;
}

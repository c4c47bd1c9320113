/* heap.h - pairing heaps, whose links are in what they order, so that nothing can fail. */
#ifndef HEAP_H
#define HEAP_H

#include <stdint.h>

struct heap_node {
    uint64_t key, turn; /* the least key is first, and of equal ones the least turn */
    struct heap_node *above, *beside,
        *below; /* above is the parent of the first child, of others the sibling before */
};

/* A heap is its first node; NULL is an empty one. */
void heap_put(struct heap_node **heap, struct heap_node *n);    /* N is in none */
void heap_remove(struct heap_node **heap, struct heap_node *n); /* nothing if it is not in it */
int heap_has(const struct heap_node *heap, const struct heap_node *n);

#endif

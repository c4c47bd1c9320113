/* heap.h - a binary min-heap of nodes that lie inside other structs; push, pop and removal in O(log n). Not
 * thread-safe. */
#ifndef SMD_HEAP_H
#define SMD_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct heap_node {
    uint64_t key;
    size_t index; /* in the heap, counted from 1; 0 while it is in none */
};

struct heap {
    struct heap_node **node; /* owned array, borrowed nodes */
    size_t len, cap;
};

int heap_push(struct heap *h, struct heap_node *n, uint64_t key); /* 0 when out of memory */
struct heap_node *heap_top(const struct heap *h);                 /* NULL when empty */
void heap_remove(struct heap *h, struct heap_node *n);            /* no-op while N is in none */
void heap_free(struct heap *h);

#endif

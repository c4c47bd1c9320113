/* heap.c - see heap.h. */
#include "heap.h"

#include <stddef.h>

/* 1 if A comes before B: by key, then by turn. */
static int is_before(const struct heap_node *a, const struct heap_node *b) {
    return a->key != b->key ? a->key < b->key : a->turn < b->turn;
}

/* Merges two heaps (pairing heaps); gives the root. */
static struct heap_node *merge(struct heap_node *a, struct heap_node *b) {
    if (!a || !b)
        return a ? a : b;
    if (is_before(b, a)) {
        struct heap_node *first = b;
        b = a;
        a = first;
    }
    b->above = a;
    b->beside = a->below;
    if (b->beside)
        b->beside->above = b;
    a->below = b;
    return a;
}

/* Merges a list of siblings into one heap: two by two from the left, then the pairs from the right. */
static struct heap_node *merge_all(struct heap_node *list) {
    struct heap_node *pairs = NULL, *root = NULL;
    while (list) {
        struct heap_node *a = list, *b = a->beside;
        list = b ? b->beside : NULL;
        a->above = a->beside = NULL;
        if (b)
            b->above = b->beside = NULL;
        a = merge(a, b);
        a->beside = pairs;
        pairs = a;
    }
    while (pairs) {
        struct heap_node *next = pairs->beside;
        pairs->beside = NULL;
        root = merge(root, pairs);
        pairs = next;
    }
    return root;
}

int heap_has(const struct heap_node *heap, const struct heap_node *n) {
    return heap == n || n->above;
}

void heap_remove(struct heap_node **heap, struct heap_node *n) {
    if (!heap_has(*heap, n))
        return;
    struct heap_node *below = merge_all(n->below);
    if (*heap == n) {
        *heap = below;
    } else {
        if (n->above->below == n)
            n->above->below = n->beside;
        else
            n->above->beside = n->beside;
        if (n->beside)
            n->beside->above = n->above;
        *heap = merge(*heap, below);
    }
    n->above = n->beside = n->below = NULL;
}

void heap_put(struct heap_node **heap, struct heap_node *n) {
    *heap = merge(*heap, n);
}

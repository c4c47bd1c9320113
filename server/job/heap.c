/* heap.c - see heap.h. */
#include "heap.h"

#include <stdlib.h>

/* Puts N at place I. */
static void place_node(struct heap *h, size_t i, struct heap_node *n) {
    h->node[i] = n;
    n->index = i + 1;
}

/* Puts N at place I or, while its key is smaller than the parent's, further up. */
static void sift_up(struct heap *h, size_t i, struct heap_node *n) {
    for (size_t parent; i > 0 && h->node[parent = (i - 1) / 2]->key > n->key; i = parent)
        place_node(h, i, h->node[parent]);
    place_node(h, i, n);
}

/* Puts N at place I or, while a child's key is smaller, further down. */
static void sift_down(struct heap *h, size_t i, struct heap_node *n) {
    for (size_t child; (child = 2 * i + 1) < h->len; i = child) {
        if (child + 1 < h->len && h->node[child + 1]->key < h->node[child]->key)
            child++;
        if (h->node[child]->key >= n->key)
            break;
        place_node(h, i, h->node[child]);
    }
    place_node(h, i, n);
}

int heap_push(struct heap *h, struct heap_node *n, uint64_t key) {
    if (h->len == h->cap) {
        size_t cap = h->cap ? h->cap * 2 : 64;
        struct heap_node **node = realloc(h->node, cap * sizeof *node);
        if (!node)
            return 0;
        h->node = node;
        h->cap = cap;
    }
    n->key = key;
    sift_up(h, h->len++, n);
    return 1;
}

struct heap_node *heap_top(const struct heap *h) {
    return h->len ? h->node[0] : NULL;
}

void heap_remove(struct heap *h, struct heap_node *n) {
    if (n->index == 0)
        return;
    size_t i = n->index - 1;
    struct heap_node *last = h->node[--h->len];
    n->index = 0;
    if (last == n)
        return;
    if (i > 0 && h->node[(i - 1) / 2]->key > last->key)
        sift_up(h, i, last);
    else
        sift_down(h, i, last);
}

void heap_free(struct heap *h) {
    free(h->node);
    *h = (struct heap){0};
}

/* set.h - some of LLVM's values or blocks, each once, in the order in which they were added. */
#ifndef CORE_SET_H
#define CORE_SET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Begins as {0}; set_free ends it. Others read the items, and change none. */
struct set {
    void **item; /* owned; the items are borrowed */
    size_t count, room;
    uint32_t *place; /* owned: a hash table of the items' numbers, from 1 on; NULL while there are few */
};

void set_add_again(struct set *s, void *item);            /* though it may be there */
size_t set_number(const struct set *s, const void *item); /* the item's, from 0 on; the count if it is not there */

static inline int set_has(const struct set *s, const void *item) {
    return set_number(s, item) < s->count;
}

static inline void set_add(struct set *s, void *item) {
    if (!set_has(s, item))
        set_add_again(s, item);
}

/* Of a set in which no item is twice: the last one takes the place of number I. */
void set_remove(struct set *s, size_t i);

static inline void set_replace(struct set *s, size_t i, void *item) { /* likewise the item, which is not there */
    set_add_again(s, item);
    set_remove(s, i);
}

static inline void set_free(struct set *s) {
    free(s->place);
    free(s->item);
}

static inline void set_clear(struct set *s) {
    if (s->place) { /* to free the table is less than to empty it */
        set_free(s);
        *s = (struct set){0};
    }
    s->count = 0;
}

/* Orders, for qsort, what begins with a number of type size_t. */
static inline int by_number(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

#endif

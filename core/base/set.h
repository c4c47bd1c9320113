/* set.h - some of LLVM's values or blocks, each once, in the order in which they were added. */
#ifndef CORE_SET_H
#define CORE_SET_H

#include <stddef.h>
#include <stdint.h>

/* Begins as {0}; set_free ends it. Others read the items, and change none. */
struct set {
    void **item; /* owned; the items are borrowed */
    size_t count, room;
    uint32_t *place; /* owned: a hash table of the items' numbers, from 1 on; NULL while there are few */
};

void set_add(struct set *s, void *item);
void set_add_again(struct set *s, void *item); /* though it may be there */
int set_has(const struct set *s, const void *item);
size_t set_number(const struct set *s, const void *item); /* the item's, from 0 on; the count if it is not there */
void set_replace(struct set *s, size_t i, void *item);    /* puts another item in the place of number I */
void set_remove(struct set *s, size_t i);                 /* the last one takes the place of number I */
void set_clear(struct set *s);
void set_free(struct set *s);

#endif

/* set.h - some of LLVM's values or blocks, each once, in the order in which they were added: few enough to look at
 * all. */
#ifndef CORE_SET_H
#define CORE_SET_H

#include <stddef.h>

/* Begins as {0}; set_free ends it. */
struct set {
    void **item; /* owned; the items are borrowed */
    size_t count, room;
    int failed; /* boolean: out of memory, and something is missing; the compile fails for it (memory.h) */
};

void set_add(struct set *s, void *item);
void set_add_again(struct set *s, void *item); /* though it may be there */
int set_has(const struct set *s, const void *item);
void set_free(struct set *s);

#endif

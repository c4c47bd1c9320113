/* sites.h - return address -> safepoint, of a whole loader: one hash table, of which a lookup mostly reads one line.
 *
 * Readers take no lock and may be signal handlers. Writers hold the loader's lock. A table that has become too full is
 * replaced, and given back but for its addresses; who has looked into it meanwhile sees by the turn that it looked too
 * long, and looks again. The one before the last is used again, so that coming and going costs no more address space.
 */
#ifndef SITES_H
#define SITES_H

#include "map.h"

#include <stdatomic.h>

struct site_entry {
    _Atomic(uintptr_t) address; /* 0: nothing, and the end of a search; 1: was something */
    _Atomic(const sm_site *) site;
};

struct site_table {
    struct site_entry *entry;
    size_t entries; /* a power of two */
    struct site_table *older;
};

/* Begins as zeros. */
struct sites {
    _Atomic(struct site_table *) table; /* NULL: nothing was ever put into it */
    _Atomic(uint64_t) turn;             /* of tables */
    size_t live, taken;                 /* entries; taken: those that are not nothing */
};

int sites_reserve(struct sites *s, size_t more);      /* 0 if there is no memory */
void sites_add(struct sites *s, const struct map *m); /* requires room */
void sites_remove(struct sites *s, const struct map *m);
void sites_free(struct sites *s);

const sm_site *sites_find(const struct sites *s, uintptr_t address);

#endif

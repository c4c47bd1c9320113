/* sites.h - return address -> safepoint, of those that were looked up before: one hash table, of which a lookup mostly
 * reads one line.
 *
 * Nobody takes a lock, neither who reads nor who adds, and signal handlers may do either: an entry is claimed by one
 * exchange and filled by another, and who comes second takes the first one's. Who replaces the table, or takes
 * something out of it, holds the loader's lock. A table that has become too full is closed, place by place, so that
 * nothing is added to it behind the back of who copies it; then it is given back but for its addresses, which others
 * may still look at. Places are used again, so a table is replaced only when more is live than ever before.
 */
#ifndef SITES_H
#define SITES_H

#include "frames.h"
#include "smclient.h"

#include <stdatomic.h>

#define SLOTS_UNKNOWN ((uint64_t)1 << 63)

/* What a visitor handles of a site's pairs. */
struct slots {
    uint64_t registers; /* bit N: the walk has to know where register N is; SLOTS_UNKNOWN: one that it never knows */
    int have_derived;   /* boolean */
};

/* A safepoint that was asked for, with what it points to after it. */
struct kept {
    sm_site site;
    struct row row; /* how its frame is unwound */
    struct slots slots;
    size_t bytes;  /* of all */
    uintptr_t key; /* what it is found by: the return address; of a null check the instruction that faults */
    struct kept *next;
};

static inline const struct row *row_of(const sm_site *s) {
    return &((const struct kept *)s)->row;
}

static inline const struct slots *slots_of(const sm_site *s) {
    return &((const struct kept *)s)->slots;
}

/* How many values after the site's deopt[n_deopt] say something of its regions; 0 if none does. */
static inline uint32_t site_facts(const sm_site *s) {
    return s->reserved;
}

struct site_entry {
    _Atomic(uintptr_t) address; /* 0: nothing, and the end of a search; or one of the marks in sites.c */
    _Atomic(struct kept *) site;
};

struct site_table {
    struct site_entry *entry;
    size_t entries; /* a power of two */
    _Atomic(size_t) taken;
    struct site_table *older; /* which this one has replaced */
};

/* Begins as zeros. */
struct sites {
    _Atomic(struct site_table *) table; /* NULL: nothing was ever put into it */
    atomic_int is_partial;              /* boolean: a site is kept that had no room in it */
};

int sites_are_crowded(const struct sites *s);
void sites_make_room(struct sites *s); /* requires the lock */

/* Adds what is not there; gives what is there then. NULL if there is no room at present. */
struct kept *sites_add(struct sites *s, struct kept *k);

/* Requires the lock, and that nobody looks for what goes. */
void sites_remove(struct sites *s, const struct kept *k);

void sites_free(struct sites *s);

/* NULL if it is not there, or perhaps not yet. */
const struct kept *sites_find(const struct sites *s, uintptr_t address);

#endif

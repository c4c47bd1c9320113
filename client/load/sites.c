/* sites.c - see sites.h. */
#include "sites.h"

#include <sys/mman.h>

enum { FIRST_ENTRIES = 256, REACH = 128 }; /* REACH: so many places from its first one a site is looked for */

/* In the place of an address: was something; closed, look into the next table. In the place of a site: closed. */
enum { GONE = 1, CLOSED = 2, MARKS };

#define CLOSED_SITE ((struct kept *)1)
#define HUGE_FROM   ((size_t)4 << 20)

/* The index at which the search for an address begins. */
static size_t place_of(uintptr_t address, size_t entries) {
    return (address * 0x9e3779b97f4a7c15u >> 20) & (entries - 1);
}

static size_t bytes_of(const struct site_table *t) {
    return t->entries * sizeof *t->entry;
}

/* Maps zeroed memory; NULL if there is none. */
static void *zeros(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* A new empty table that links to the one it replaces; NULL when out of memory. */
static struct site_table *table_new(size_t entries, struct site_table *older) {
    struct site_table *t = zeros(sizeof *t);
    if (!t)
        return NULL;
    *t = (struct site_table){.entries = entries, .entry = zeros(entries * sizeof *t->entry), .older = older};
    if (!t->entry) {
        munmap(t, sizeof *t);
        return NULL;
    }
    if (bytes_of(t) >= HUGE_FROM)
        madvise(t->entry, bytes_of(t), MADV_HUGEPAGE);
    return t;
}

/* Closes an entry, so that nothing is added there from now on. Gives the site that is there, and its address; NULL
 * if there is none. */
static struct kept *close_entry(struct site_entry *e, uintptr_t *address) {
    struct kept *site = NULL;
    *address = 0;
    while (*address < MARKS)
        if (atomic_compare_exchange_weak(&e->address, address, CLOSED))
            return NULL;
    return atomic_compare_exchange_strong(&e->site, &site, CLOSED_SITE) ? NULL : site;
}

/* Adds MINE, unless a site of that address is there. Gives the one that is there then; NULL if the table is closed
 * (then *WAIT is 1) or full around the address's place. */
static struct kept *add_to(struct site_table *t, uintptr_t address, struct kept *mine, int *wait) {
    size_t i = place_of(address, t->entries);
    for (int n = 0; n < REACH; n++, i = (i + 1) & (t->entries - 1)) {
        struct site_entry *e = &t->entry[i];
        uintptr_t at = atomic_load(&e->address);
        if (at <= GONE && atomic_compare_exchange_strong(&e->address, &at, address)) {
            atomic_fetch_add_explicit(&t->taken, 1, memory_order_relaxed);
            at = address;
        }
        if (at == address) {
            struct kept *there = NULL;
            if (atomic_compare_exchange_strong(&e->site, &there, mine))
                return mine;
            *wait = there == CLOSED_SITE;
            return *wait ? NULL : there;
        }
        *wait = at == CLOSED;
        if (*wait)
            return NULL;
    }
    return NULL;
}

/* Closes every entry of FROM and adds its site to TO. 0 if one did not fit. */
static int copy(struct site_table *to, struct site_table *from) {
    int fits = 1, wait;
    for (size_t i = 0; from && i < from->entries; i++) {
        uintptr_t address;
        struct kept *site = close_entry(&from->entry[i], &address);
        if (site)
            fits &= add_to(to, address, site, &wait) != NULL;
    }
    return fits;
}

/* 1 if there is no table, or it is more than half full. */
int sites_are_crowded(const struct sites *s) {
    struct site_table *t = atomic_load_explicit(&((struct sites *)s)->table, memory_order_acquire);
    return !t || 2 * atomic_load_explicit(&t->taken, memory_order_relaxed) > t->entries;
}

/* Replaces the table by one of twice the size. A site that does not fit near its place is left out. */
void sites_make_room(struct sites *s) {
    struct site_table *last = atomic_load(&s->table);
    struct site_table *t = table_new(last ? 2 * last->entries : FIRST_ENTRIES, last);
    if (!t)
        return;
    if (!copy(t, last))
        atomic_store(&s->is_partial, 1);
    atomic_store(&s->table, t);
    if (last)
        madvise(last->entry, bytes_of(last), MADV_DONTNEED);
}

struct kept *sites_add(struct sites *s, struct kept *k) {
    enum { PATIENCE = 100000 }; /* who copies the table may have been stopped, perhaps to wait for this thread */
    for (int i = 0; i < PATIENCE; i++) {
        struct site_table *t = atomic_load(&s->table);
        int wait = 0;
        struct kept *there = t ? add_to(t, k->key, k, &wait) : NULL;
        if (there ? there != k || atomic_load(&s->table) == t : !wait)
            return there;
    }
    return NULL;
}

/* Takes a site out of one table; its place can be used again. */
static void remove_from(struct site_table *t, const struct kept *k) {
    size_t i = place_of(k->key, t->entries);
    for (int n = 0; n < REACH; n++, i = (i + 1) & (t->entries - 1)) {
        struct site_entry *e = &t->entry[i];
        if (atomic_load(&e->address) != k->key || atomic_load(&e->site) != k)
            continue;
        atomic_store(&e->site, NULL);
        atomic_store(&e->address, GONE);
        atomic_fetch_sub_explicit(&t->taken, 1, memory_order_relaxed);
    }
}

/* Takes a site out of the current table, again if a signal handler has replaced it meanwhile. */
void sites_remove(struct sites *s, const struct kept *k) {
    struct site_table *t;
    do {
        t = atomic_load(&s->table);
        if (t)
            remove_from(t, k);
    } while (t != atomic_load(&s->table));
}

void sites_free(struct sites *s) {
    for (struct site_table *t = atomic_load(&s->table), *older; t; t = older) {
        older = t->older;
        munmap(t->entry, bytes_of(t));
        munmap(t, sizeof *t);
    }
}

const struct kept *sites_find(const struct sites *s, uintptr_t address) {
    struct site_table *t = atomic_load_explicit(&((struct sites *)s)->table, memory_order_acquire);
    if (!t || address < MARKS)
        return NULL;
    size_t i = place_of(address, t->entries);
    for (int n = 0; n < REACH; n++, i = (i + 1) & (t->entries - 1)) {
        uintptr_t at = atomic_load_explicit(&t->entry[i].address, memory_order_acquire);
        if (at == address) {
            struct kept *site = atomic_load_explicit(&t->entry[i].site, memory_order_acquire);
            return site == CLOSED_SITE ? NULL : site;
        }
        if (at == 0 || at == CLOSED)
            return NULL;
    }
    return NULL;
}

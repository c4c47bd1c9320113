/* sites.c - see sites.h. */
#include "sites.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST_ENTRIES = 256, GONE = 1 };

#define HUGE_FROM ((size_t)4 << 20)

static size_t place_of(uintptr_t address, size_t entries) {
    return (address * 0x9e3779b97f4a7c15u >> 20) & (entries - 1);
}

static size_t bytes_of(const struct site_table *t) {
    return t->entries * sizeof *t->entry;
}

static struct site_table *table_new(size_t entries) {
    struct site_table *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->entries = entries;
    void *p = mmap(NULL, bytes_of(t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        free(t);
        return NULL;
    }
    if (bytes_of(t) >= HUGE_FROM)
        madvise(p, bytes_of(t), MADV_HUGEPAGE);
    t->entry = p;
    return t;
}

static void put(struct site_table *t, uintptr_t address, const sm_site *site) {
    size_t i = place_of(address, t->entries);
    while (atomic_load_explicit(&t->entry[i].address, memory_order_relaxed))
        i = (i + 1) & (t->entries - 1);
    atomic_store_explicit(&t->entry[i].site, site, memory_order_relaxed);
    atomic_store_explicit(&t->entry[i].address, address, memory_order_release);
}

/* An empty table of this size: the one before the last, if it has it. */
static struct site_table *next_table(struct site_table *last, size_t entries) {
    struct site_table *older = last ? last->older : NULL;
    if (!older || older->entries != entries)
        return table_new(entries);
    last->older = older->older;
    return older;
}

int sites_reserve(struct sites *s, size_t more) {
    struct site_table *last = atomic_load_explicit(&s->table, memory_order_relaxed);
    size_t entries = last ? last->entries : FIRST_ENTRIES;
    if (last && 3 * (s->taken + more) <= 2 * last->entries)
        return 1;
    while (entries > FIRST_ENTRIES && 4 * (s->live + more) < entries)
        entries /= 2;
    while (2 * (s->live + more) > entries)
        entries *= 2;
    struct site_table *t = next_table(last, entries);
    if (!t)
        return 0;
    for (size_t i = 0; last && i < last->entries; i++) {
        uintptr_t address = atomic_load_explicit(&last->entry[i].address, memory_order_relaxed);
        if (address > GONE)
            put(t, address, atomic_load_explicit(&last->entry[i].site, memory_order_relaxed));
    }
    t->older = last;
    s->taken = s->live;
    atomic_store(&s->table, t);
    atomic_fetch_add(&s->turn, 1);
    if (last)
        madvise(last->entry, bytes_of(last), MADV_DONTNEED);
    return 1;
}

void sites_add(struct sites *s, const struct map *m) {
    struct site_table *t = atomic_load_explicit(&s->table, memory_order_relaxed);
    for (size_t i = 0; i < m->sites; i++)
        put(t, m->site[i].address, &m->site[i]);
    s->live += m->sites;
    s->taken += m->sites;
}

void sites_remove(struct sites *s, const struct map *m) {
    struct site_table *t = atomic_load_explicit(&s->table, memory_order_relaxed);
    for (size_t k = 0; k < m->sites; k++) {
        size_t i = place_of(m->site[k].address, t->entries);
        while (atomic_load_explicit(&t->entry[i].address, memory_order_relaxed) != m->site[k].address)
            i = (i + 1) & (t->entries - 1);
        atomic_store_explicit(&t->entry[i].address, GONE, memory_order_release);
    }
    s->live -= m->sites;
}

void sites_free(struct sites *s) {
    for (struct site_table *t = atomic_load(&s->table), *older; t; t = older) {
        older = t->older;
        munmap(t->entry, bytes_of(t));
        free(t);
    }
}

static const sm_site *look(const struct site_table *t, uintptr_t address) {
    for (size_t i = place_of(address, t->entries);; i = (i + 1) & (t->entries - 1)) {
        uintptr_t at = atomic_load_explicit(&t->entry[i].address, memory_order_acquire);
        if (at == address)
            return atomic_load_explicit(&t->entry[i].site, memory_order_relaxed);
        if (!at)
            return NULL;
    }
}

const sm_site *sites_find(const struct sites *s, uintptr_t address) {
    struct sites *all = (struct sites *)s; /* C11 loads atomically from what is not const */
    if (address <= GONE)
        return NULL;
    for (;;) {
        uint64_t turn = atomic_load_explicit(&all->turn, memory_order_acquire);
        const struct site_table *t = atomic_load_explicit(&all->table, memory_order_acquire);
        const sm_site *site = t ? look(t, address) : NULL;
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(&all->turn, memory_order_relaxed) == turn)
            return site;
    }
}

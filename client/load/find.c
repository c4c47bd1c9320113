/* find.c - safepoints looked up: those that were asked for before are in a table, others are read, and stay. */
#include "find.h"

#include "map.h"

#include <string.h>

/* ---- Unwinding ------------------------------------------------------------------------------------------------ */

const unsigned char *object_entry(const sm_object *o, uintptr_t address) {
    uintptr_t at = address - o->region->start;
    if (o->map && o->map->linked)
        return linked_entry(o->map, address);
    size_t low = 0, high = o->entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->entry[middle].code <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? (const unsigned char *)o->region->start + o->entry[low - 1].entry : NULL;
}

struct row object_row(const sm_object *o, uintptr_t pc) {
    const unsigned char *entry = object_entry(o, pc);
    return entry ? entry_row(entry, pc) : (struct row){0};
}

/* ---- Functions without safepoints ------------------------------------------------------------------------------ */

/* The bounds of the function that PC is in, by its unwind entry; without one from PC on, and to it. */
static void find_bounds(const sm_object *o, uintptr_t pc, uintptr_t *start, uintptr_t *end) {
    const unsigned char *entry = object_entry(o, pc);
    struct cie cie;
    struct fde fde = {0};
    if (entry)
        frames_entry(entry, &cie, &fde);
    int known = pc >= fde.start && pc < fde.end;
    *start = known ? fde.start : pc;
    *end = known ? fde.end : pc;
}

int object_has_sites(const sm_object *o, uintptr_t pc) {
    const struct part *p = map_part(o->map, pc);
    uintptr_t start, end;
    sm_compact c;
    uint32_t before = p && map_open_part(o->map, p, &c) ? sm_compact_functions_before(&c, pc) : 0;
    find_bounds(o, pc, &start, &end);
    return before && sm_compact_function(&c, before - 1) >= start;
}

int object_uses_chain(const sm_object *o, uintptr_t pc) {
    uintptr_t start, end;
    find_bounds(o, pc, &start, &end);
    size_t low = 0, high = o->chain_uses;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->region->start + o->chain_use[middle] < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low < o->chain_uses && o->region->start + o->chain_use[low] < end;
}

/* ---- Safepoints ----------------------------------------------------------------------------------------------- */

/* Adds K to the list of the map's sites, without a lock. */
static void link_site(struct map *m, struct kept *k) {
    k->next = atomic_load(&m->kept);
    while (!atomic_compare_exchange_weak(&m->kept, &k->next, k))
        ;
}

/* Finds in the map's list a site with the same address and kind as LIKE: one that is kept without being in the
 * table. NULL if there is none. */
static struct kept *linked_site(struct map *m, const struct kept *like) {
    struct kept *k = atomic_load(&m->kept);
    while (k && (k->key != like->key || k->site.kind != like->site.kind))
        k = k->next;
    return k;
}

/* The table that K belongs in: of safepoints, or of null checks. */
static struct sites *sites_of(sm_loader *l, const struct kept *k) {
    return k->site.kind == SM_SITE_NULL_CHECK ? &l->faults : &l->sites;
}

/* Enlarges a crowded table, if nobody has the lock: its holder may be a stopped thread that waits for this one. */
static void make_room(struct sm_loader *l, struct sites *s) {
    if (pthread_mutex_trylock(&l->lock) != 0)
        return;
    if (sites_are_crowded(s))
        sites_make_room(s);
    pthread_mutex_unlock(&l->lock);
}

/* Puts K into its table and the map's list. Gives K, or the site that another thread has added for the same address
 * meanwhile, and then gives K back. */
static const struct kept *keep_site(sm_loader *l, struct map *m, struct kept *k) {
    struct sites *s = sites_of(l, k);
    if (sites_are_crowded(s))
        make_room(l, s);
    struct kept *old = atomic_load(&s->is_partial) ? linked_site(m, k) : NULL, *mine = old ? old : k;
    struct kept *there = sites_add(s, mine);
    if (!there && !old) {
        atomic_store(&s->is_partial, 1);
        old = linked_site(m, k);
    }
    if (!there)
        there = old ? old : k;
    if (there == k)
        link_site(m, k);
    else
        keep_give(&l->keep, k, k->bytes);
    return there;
}

/* Reads the site of a return address out of the object's table, with its unwind row; *new* (keep_give). NULL if
 * there is none, or no memory. */
static struct kept *read_site(const sm_object *o, struct keep *keep, uintptr_t address) {
    int no_memory = 0;
    struct kept *k = map_read(o->map, keep, address, &no_memory);
    if (k) {
        k->row = object_row(o, k->site.address - 1);
        k->slots = sum_pairs(k->site.pairs, k->site.n_pairs);
    }
    return k;
}

/* Reads a site that no table has yet, and keeps it. NULL if there is no safepoint at that address. */
static const struct kept *find_slowly(sm_loader *l, uintptr_t address) {
    const sm_object *o = loader_object_at(l, address);
    struct kept *k = o ? read_site(o, &l->keep, address) : NULL;
    return k ? keep_site(l, o->map, k) : NULL;
}

const sm_site *sm_find(const sm_loader *l, uintptr_t return_address) {
    const struct kept *k = sites_find(&l->sites, return_address);
    if (!k)
        k = find_slowly((sm_loader *)l, return_address);
    return k ? &k->site : NULL;
}

int loader_has_site(const sm_loader *l, uintptr_t return_address) {
    struct keep *keep = &((sm_loader *)l)->keep;
    const sm_object *o = loader_object_at(l, return_address);
    int no_memory = 0;
    struct kept *k = o ? map_read(o->map, keep, return_address, &no_memory) : NULL;
    if (k)
        keep_give(keep, k, k->bytes);
    return k || no_memory;
}

int sm_look(const sm_loader *l, uintptr_t return_address, int (*each)(void *user, const sm_site *site), void *user) {
    const struct kept *there = sites_find(&l->sites, return_address);
    if (there)
        return each(user, &there->site);
    struct keep *keep = &((sm_loader *)l)->keep;
    const sm_object *o = loader_object_at(l, return_address);
    struct kept *k = o ? read_site(o, keep, return_address) : NULL;
    if (!k)
        return 0;
    int stopped = each(user, &k->site);
    keep_give(keep, k, k->bytes);
    return stopped;
}

int sm_object_sites(const sm_object *o, int (*each)(void *user, const sm_site *site), void *user) {
    return map_each(o->map, &o->loader->keep, each, user);
}

size_t object_forget_sites(sm_object *o) {
    size_t count = 0;
    for (struct kept *k = atomic_exchange(&o->map->kept, NULL), *next; k; k = next) {
        next = k->next;
        if (!o->loader->is_closing)
            sites_remove(sites_of(o->loader, k), k);
        keep_give(&o->loader->keep, k, k->bytes);
        count++;
    }
    return count;
}

size_t sm_loader_trim(sm_loader *l) {
    size_t count = 0;
    pthread_mutex_lock(&l->lock);
    for (sm_object *o = l->objects; o; o = o->next)
        count += object_forget_sites(o);
    for (sm_object *o = l->retired; o; o = o->next)
        count += object_forget_sites(o);
    pthread_mutex_unlock(&l->lock);
    return count;
}

/* The size of the load at PC if it is one that smd writes for a page poll (docs/compiler/polls.md), which faults when the
 * page is protected; 0 if it is anything else. */
static uintptr_t page_load(uintptr_t pc) {
#if defined(__aarch64__)
    uint32_t code;
    memcpy(&code, (const void *)pc, sizeof code);
    return code == 0xb940029f ? sizeof code : 0; /* ldr wzr, [x20] */
#else
    const unsigned char *code = (const unsigned char *)pc;
    return code[0] == 0x41 && code[1] == 0x85 && code[2] == 0x02 ? 3 : 0; /* test [r10], eax */
#endif
}

/* The null check whose instruction lies at DISTANCE from the start of the code; NULL if there is none. */
static const struct fault *fault_at(const struct map *m, uintptr_t distance) {
    size_t low = 0, high = m->faults;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->fault[middle].at < distance)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->faults && m->fault[low].at == distance ? &m->fault[low] : NULL;
}

/* The site of the null check whose instruction is at PC, made and kept if it is new; its address is the handler's.
 * NULL if there is none. */
static const sm_site *find_null_check(sm_loader *l, uintptr_t pc) {
    const struct kept *there = sites_find(&l->faults, pc);
    const sm_object *o = there ? NULL : loader_object_at(l, pc);
    uintptr_t start = o ? o->span[AREA_CODE].start : 0;
    const struct fault *f = o ? fault_at(o->map, pc - start) : NULL;
    struct kept *k = f ? keep_take(&l->keep, sizeof *k) : NULL;
    if (k) {
        *k = (struct kept){.bytes = sizeof *k, .key = pc};
        k->site.kind = SM_SITE_NULL_CHECK;
        k->site.address = start + f->handler;
        k->site.code = map_find_code(o->map, pc);
        there = keep_site(l, o->map, k);
    }
    return there ? &there->site : NULL;
}

const sm_site *sm_find_fault(const sm_loader *l, uintptr_t pc) {
    uintptr_t bytes = sm_find_code(l, pc) ? page_load(pc) : 0;
    const sm_site *poll = bytes ? sm_find(l, pc + bytes) : NULL;
    return poll ? poll : find_null_check((sm_loader *)l, pc);
}

/* decode.c - a record of the compact table becomes a site.
 *
 * The bytes may be anybody's: whatever is wrong with them, nothing out of their bounds is read, and there is no such
 * safepoint. */
#include "map.h"

#include <string.h>

enum { MOST = 1 << 20 }; /* locations or pairs that a record is believed to have */

/* A record's locations, in memory of the keep. */
struct record {
    sm_stackmap m;
    void *memory;
    size_t bytes;
};

/* Decodes the record of HIT into R, in memory of the keep; the caller gives back R->memory, even after failure. 0
 * if it is damaged, or there is no memory, which *NO_MEMORY is set for. */
static int read_record(struct record *r, struct keep *keep, const sm_compact *c, const sm_compact_hit *hit,
                       int *no_memory) {
    uint32_t locations, liveouts;
    sm_compact_room(c, hit->shape, &locations, &liveouts);
    if (!locations || locations > MOST)
        return 0;
    r->bytes = sizeof(sm_record) + locations * sizeof(sm_location) + liveouts * sizeof(sm_liveout);
    r->memory = keep_take(keep, r->bytes);
    *no_memory |= !r->memory;
    if (!r->memory)
        return 0;
    r->m = (sm_stackmap){.machine = c->machine, .record_cap = 1, .location_cap = locations, .liveout_cap = liveouts};
    r->m.record = r->memory;
    r->m.location = (sm_location *)(r->m.record + 1);
    r->m.liveout = (sm_liveout *)(r->m.location + locations);
    return sm_compact_read(c, hit, &r->m) == SM_OK;
}

/* A location as the walker's slot: a constant's value, or a register and an offset. */
static sm_slot slot_of(const sm_location *l) {
    int64_t value = l->kind == SM_LOCATION_CONSTANT ? l->constant : l->offset;
    return (sm_slot){.kind = l->kind, .reg = l->dwarf, .bytes = l->size, .value = value};
}

/* Writes N locations as slots at TO; gives the end of what it wrote. */
static sm_slot *put_slots(sm_slot *to, const sm_location *l, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        to[i] = slot_of(&l[i]);
    return to + n;
}

/* Which of a record's locations are what. */
struct shape {
    sm_statepoint p; /* without its roots */
    const sm_location *pair;
    uint32_t paired, step;
    uint64_t pairs;
    sm_site_kind kind;
};

/* Finds out what kind of safepoint a record is, and which of its locations are pairs, deoptimisation values and
 * regions. Where the table does not say the kind, the locations do. */
static void find_shape(struct shape *s, const sm_record *r, const sm_location *l) {
    *s = (struct shape){.kind = SM_SITE_STACKMAP, .step = 2, .pair = l};
    if (r->kind == SM_RECORD_GCROOT) {
        s->kind = SM_SITE_GCROOT;
        s->paired = r->locations;
        s->step = 1;
    } else if ((r->kind == SM_RECORD_STATEPOINT || r->kind == SM_RECORD_UNKNOWN) && r->liveouts == 0 &&
               sm_statepoint_parts(l, r->locations, &s->p, &s->paired) == SM_OK) {
        s->kind = SM_SITE_STATEPOINT;
        s->pair = l + s->p.deopt + s->p.deopts_all;
    } else {
        s->p = (sm_statepoint){.deopts = r->locations, .deopts_all = r->locations};
    }
    for (uint32_t i = 0; i < s->paired; i += s->step)
        s->pairs += sm_roots_width(&s->pair[i + s->step - 1]);
}

/* Writes the (base, derived) pairs of a record, those of vectors element by element, and marks which the visitor
 * has to visit. */
static void put_pairs(const struct shape *s, sm_pair *to, struct pair_key *key) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->paired; i += s->step) {
        const sm_location *base = &s->pair[i], *derived = &s->pair[i + s->step - 1];
        for (uint32_t e = 0; e < sm_roots_width(derived); e++) {
            sm_root root = sm_roots_element(base, derived, e);
            to[n++] = (sm_pair){slot_of(&root.base), slot_of(&root.derived)};
        }
    }
    mark_pairs(to, n, key);
}

/* Makes the site of a record: one piece of the keep, with its pairs and slots after it. NULL when out of memory. */
static struct kept *make(const struct shape *s, struct keep *keep, const sm_location *l) {
    uint32_t n = (uint32_t)s->pairs;
    size_t scratch = 2 * (size_t)n * sizeof(struct pair_key);
    size_t bytes = sizeof(struct kept) + n * sizeof(sm_pair) + (s->p.deopts_all + s->p.regions) * sizeof(sm_slot);
    struct pair_key *key = n ? keep_take(keep, scratch) : NULL;
    struct kept *k = n && !key ? NULL : keep_take(keep, bytes);
    if (k) {
        sm_pair *pair = (sm_pair *)(k + 1);
        sm_slot *deopt = (sm_slot *)(pair + n), *region = put_slots(deopt, l + s->p.deopt, s->p.deopts_all);
        put_slots(region, l + s->p.region, s->p.regions);
        put_pairs(s, pair, key);
        *k = (struct kept){.bytes = bytes};
        k->site = (sm_site){.pairs = pair, .deopt = deopt, .regions = region, .n_pairs = n};
        k->site.n_deopt = s->p.deopts;
        k->site.n_regions = s->p.regions;
        k->site.reserved = s->p.deopts_all - s->p.deopts;
        k->site.calling_convention = (uint16_t)s->p.calling_convention;
        k->site.flags = (uint8_t)s->p.flags;
        k->site.kind = (uint8_t)s->kind;
    }
    if (key)
        keep_give(keep, key, scratch);
    return k;
}

int map_open_part(const struct map *m, const struct part *p, sm_compact *c) {
    if (sm_compact_open(c, p->blob, (size_t)(m->end - p->blob)) != SM_OK || c->machine != HOST_MACHINE)
        return 0;
    c->base += m->shift;
    return 1;
}

const struct part *map_part(const struct map *m, uintptr_t address) {
    size_t low = 0, high = m->parts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->part[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &m->part[low - 1] : NULL;
}

/* The function that function I of the part describes; NULL if the object has none that starts there. */
static const sm_code *code_of(const struct map *m, const struct part *p, const sm_compact *c, uint32_t i) {
    uintptr_t address = sm_compact_function(c, i);
    if (m->linked)
        return linked_code(m, p, c, i);
    const sm_code *code = map_find_code(m, address);
    return code && code->address == address ? code : NULL;
}

/* Reads the record of HIT as a site with all its fields but the row; *new* (keep_give). NULL if it is damaged, or
 * there is no memory, which *NO_MEMORY is set for. */
static struct kept *read_hit(const struct map *m, struct keep *keep, const struct part *p, const sm_compact *c,
                             const sm_compact_hit *hit, int *no_memory) {
    struct record r = {0};
    struct shape s = {0};
    struct kept *k = NULL;
    uintptr_t function = sm_compact_function(c, hit->function);
    const sm_code *code = code_of(m, p, c, hit->function);
    if (!code || !read_record(&r, keep, c, hit, no_memory))
        goto out;
    find_shape(&s, r.m.record, r.m.location);
    k = s.pairs <= MOST ? make(&s, keep, r.m.location) : NULL;
    *no_memory |= !k && s.pairs <= MOST;
    if (k) {
        k->site.address = k->key = function + hit->offset;
        k->site.id = hit->id;
        k->site.patch_bytes = r.m.record->patch_bytes;
        k->site.code = code;
    }
out:
    if (r.memory)
        keep_give(keep, r.memory, r.bytes);
    return k;
}

/* Looks in the part before the address, too: a call may be the last thing in its part, and what follows begin at
 * its return address. */
struct kept *map_read(const struct map *m, struct keep *keep, uintptr_t address, int *no_memory) {
    const struct part *before = map_part(m, address - 1), *at = map_part(m, address);
    sm_compact c;
    sm_compact_hit hit;
    if (before && map_open_part(m, before, &c) && sm_compact_search(&c, address, &hit) > 0)
        return read_hit(m, keep, before, &c, &hit, no_memory);
    if (at && at != before && map_open_part(m, at, &c) && sm_compact_search(&c, address, &hit) > 0)
        return read_hit(m, keep, at, &c, &hit, no_memory);
    return NULL;
}

int map_each(const struct map *m, struct keep *keep, int (*each)(void *user, const sm_site *site), void *user) {
    int stopped = 0, no_memory = 0;
    uintptr_t last = 0;
    for (size_t p = 0; !stopped && p < m->parts; p++) {
        sm_compact c;
        uint32_t functions = map_open_part(m, &m->part[p], &c) ? c.functions : 0;
        for (uint32_t f = 0; !stopped && f < functions; f++) {
            sm_compact_walk w = sm_compact_begin(&c, f);
            sm_compact_hit hit;
            while (!stopped && sm_compact_next_address(&w, &c, &hit)) {
                struct kept *k = read_hit(m, keep, &m->part[p], &c, &hit, &no_memory);
                if (!k)
                    continue;
                if (k->site.address > last)
                    stopped = each(user, &k->site);
                last = k->site.address;
                keep_give(keep, k, k->bytes);
            }
        }
    }
    return stopped;
}

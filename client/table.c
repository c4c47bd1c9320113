/* table.c - return address -> safepoint.
 *
 * One table for each object, made when it is loaded and never changed: an open hash of 8-byte slots, seven of ten
 * used, so that a record costs 11.4 bytes. Which object an address belongs to is in the region's words (region.h). So
 * a reader takes no lock and writes nothing: it loads the word, and looks into a table that stays as it is until the
 * object is unloaded.
 */
#include "map.h"

#include <stdlib.h>

/* Multiplication spreads the offsets; the high half picks the slot without a division. */
static inline uint32_t slot_of(const struct table *t, uint32_t offset) {
    return (uint32_t)((uint64_t)(offset * 0x9e3779b1u) * t->slots >> 32);
}

struct table *table_build(const struct map *map, uintptr_t start) {
    size_t slots = map->sites ? map->sites * 10 / 7 + 2 : 0;
    struct table *t = calloc(1, sizeof *t + slots * sizeof t->slot[0]);
    if (!t)
        return NULL;
    t->start = start;
    t->map = map;
    t->slots = (uint32_t)slots;
    for (uint32_t i = 0; i < map->sites; i++) {
        uint32_t offset = (uint32_t)(map->site[i].address - start), at = slot_of(t, offset);
        while (t->slot[at].offset)
            at = at + 1 == t->slots ? 0 : at + 1;
        t->slot[at] = (struct table_slot){offset, i};
    }
    return t;
}

const sm_site *table_find(const struct table *t, uintptr_t address) {
    uint32_t offset = (uint32_t)(address - t->start);
    if (!t->slots || !offset)
        return NULL;
    for (uint32_t at = slot_of(t, offset); t->slot[at].offset; at = at + 1 == t->slots ? 0 : at + 1)
        if (t->slot[at].offset == offset)
            return &t->map->site[t->slot[at].site];
    return NULL;
}

const sm_code *map_find_code(const struct map *m, uintptr_t address) {
    size_t low = 0, high = m->codes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->code[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const sm_code *c = low ? &m->code[low - 1] : NULL;
    return c && (c->bytes == 0 || address - c->address < c->bytes) ? c : NULL;
}

/* table.c - return address -> safepoint.
 *
 * One table for each object, made when it is loaded and never changed: the return addresses in order, and, for each of
 * about as many equal stretches of code, the first address in it. So a lookup is one step to the stretch and a few
 * comparisons there, which need no branches; a record costs at most 8 bytes. Which object an address belongs to is in
 * the region's words (region.h). So a reader takes no lock and writes nothing: it loads the word, and looks into a
 * table that stays as it is until the object is unloaded.
 */
#include "map.h"

#include <stdlib.h>

enum { STEP = 4 }; /* addresses compared at once; as many stand behind the last one, larger than any */

/* The stretches are powers of two, and not more than there are addresses. */
static unsigned choose_shift(uint32_t span, size_t sites) {
    unsigned shift = 0;
    while (span >> shift >= sites)
        shift++;
    return shift;
}

struct table *table_build(const struct map *map, uintptr_t start) {
    size_t n = map->sites;
    uint32_t span = n ? (uint32_t)(map->site[n - 1].address - start) : 0;
    unsigned shift = n ? choose_shift(span, n) : 0;
    size_t stretches = (span >> shift) + 1;
    struct table *t = calloc(1, sizeof *t + (n + STEP + stretches + 1) * sizeof t->offset[0]);
    if (!t)
        return NULL;
    *t = (struct table){.start = start, .site = map->site, .map = map, .span = span, .shift = shift};
    t->first = t->offset + n + STEP;
    for (size_t i = 0; i < n; i++)
        t->offset[i] = (uint32_t)(map->site[i].address - start);
    for (size_t i = n; i < n + STEP; i++)
        t->offset[i] = UINT32_MAX;
    for (size_t s = 0, i = 0; s <= stretches; s++) {
        while (i < n && t->offset[i] >> shift < s)
            i++;
        t->first[s] = (uint32_t)i;
    }
    return t;
}

const sm_site *table_find(const struct table *t, uintptr_t address) {
    uintptr_t offset = address - t->start;
    if (offset > t->span)
        return NULL;
    const uint32_t *first = &t->first[offset >> t->shift];
    uint32_t low = first[0], high = first[1];
    while (high - low > STEP) { /* calls stand close here */
        uint32_t middle = low + (high - low) / 2;
        if (t->offset[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    const uint32_t *at = &t->offset[low];
    unsigned before = (at[0] < offset) + (at[1] < offset) + (at[2] < offset) + (at[3] < offset);
    return at[before] == offset ? &t->site[low + before] : NULL;
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

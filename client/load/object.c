/* object.c - see object.h. */
#include "object.h"

#include "error.h"

#include <string.h>

/* Puts an object first in a list. */
void object_link(sm_object *o, sm_object **list) {
    o->next = *list;
    o->at = list;
    if (o->next)
        o->next->at = &o->next;
    *list = o;
}

struct export *object_export(const sm_object *o, const char *name) {
    uint32_t hash = name_hash(name);
    size_t low = 0, high = o->exports;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (o->export[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < o->exports && o->export[low].hash == hash; low++)
        if (strcmp(o->export[low].name, name) == 0)
            return &o->export[low];
    return NULL;
}

/* The youngest region that the demand fits in; NULL if there is none. */
static struct region *find_region(const sm_loader *l, const struct demand *d) {
    struct region *r = atomic_load_explicit(&l->regions, memory_order_relaxed);
    while (r && !region_fits(r, d))
        r = r->next;
    return r;
}

struct region *loader_take(sm_loader *l, const struct demand *d, struct span span[AREAS], sm_error *err) {
    struct region *r = find_region(l, d);
    if (!r) {
        r = region_new(d, d->within ? d->within : l->options.reserve, err);
        if (!r)
            return NULL;
        r->next = atomic_load_explicit(&l->regions, memory_order_relaxed);
        atomic_store_explicit(&l->regions, r, memory_order_release);
    }
    if (region_take(r, d, span))
        return r;
    fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the object");
    return NULL;
}

const sm_object *loader_object_at(const sm_loader *l, uintptr_t address) {
    struct region *r = atomic_load_explicit(&((sm_loader *)l)->regions, memory_order_acquire);
    while (r && address - r->start >= r->code_bytes)
        r = r->next;
    return r ? region_lookup(r, address) : NULL;
}

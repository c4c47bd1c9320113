/* names.c - see names.h. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

/* The hash by which names are found (FNV-1a). */
uint32_t name_hash(const char *name) {
    uint32_t h = 2166136261u; /* FNV-1a */
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        h = (h ^ *p) * 16777619u;
    return h;
}

/* The youngest export of that name; NULL if there is none. */
struct export *names_find(const struct names *n, const char *name) {
    uint32_t hash = name_hash(name);
    struct export *e = n->buckets ? n->bucket[hash & (n->buckets - 1)] : NULL;
    while (e && (e->hash != hash || strcmp(e->name, name) != 0))
        e = e->next;
    return e;
}

/* Puts an export first in the chain that AT points to. */
static void chain(struct export *e, struct export **at) {
    e->next = *at;
    e->at = at;
    if (e->next)
        e->next->at = &e->next;
    *at = e;
}

/* Moves every export to a table of this many buckets, keeping the order within each chain. 0 if out of memory; then
 * nothing has changed. */
static int resize(struct names *n, size_t buckets) {
    struct export **grown = calloc(buckets, sizeof *grown);
    struct export ***tail = calloc(buckets, sizeof *tail);
    if (grown && tail) {
        for (size_t i = 0; i < n->buckets; i++)
            for (struct export *e = n->bucket[i], *next; e; e = next) {
                size_t to = e->hash & (buckets - 1);
                next = e->next;
                chain(e, tail[to] ? tail[to] : &grown[to]);
                tail[to] = &e->next;
            }
        free(n->bucket);
        n->bucket = grown;
        n->buckets = buckets;
        grown = NULL;
    }
    free(grown);
    free(tail);
    return n->buckets == buckets;
}

int names_reserve(struct names *n, size_t more) {
    size_t buckets = n->buckets ? n->buckets : 64;
    while (buckets < n->count + more)
        buckets *= 2;
    return buckets == n->buckets || resize(n, buckets);
}

void names_add(struct names *n, struct export *export, size_t exports) {
    for (size_t i = 0; i < exports; i++)
        chain(&export[i], &n->bucket[export[i].hash & (n->buckets - 1)]);
    n->count += exports;
}

void names_remove(struct names *n, const struct export *export, size_t exports) {
    for (size_t i = 0; i < exports; i++) {
        const struct export *e = &export[i];
        *e->at = e->next;
        if (e->next)
            e->next->at = e->at;
    }
    n->count -= exports;
}

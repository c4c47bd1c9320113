/* map.h - an object's safepoints and functions, as lookup and walker want them. Never changed once it is made. */
#ifndef MAP_H
#define MAP_H

#include "frames.h"
#include "image.h"
#include "smclient.h"

struct map {
    const sm_object *object;
    sm_code *code; /* by ascending address */
    size_t codes;
    sm_site *site; /* by ascending address, of which no two are equal; row_of() tells how their frames are unwound */
    size_t sites;
    sm_pair *pair;
    sm_slot *slot;
    struct row *row;
    char *strings;
};

/* In a pair's slots, `reserved` says what the visitor does. In the base: visit it, as no pair before has it. In the
 * derived one: move it with its base, as no pair before has it and it is nobody's base. */
enum { SLOT_VISIT = 1 };

/* Reads the relocated stackmap and the frames of an image that is filled. *MAP is *new* (map_free); NULL if the
 * object has no functions. */
sm_result map_build(struct image *im, const sm_object *object, const struct frames *frames, struct map **map);
void map_free(struct map *m);

static inline const struct row *row_of(const struct map *m, const sm_site *s) {
    return &m->row[s->reserved[0]];
}

/* pairs.c: marks the pairs of one site. KEY has room for 2 * N keys. */
struct pair_key {
    uint64_t place;
    uint32_t order;
};
void mark_pairs(sm_pair *pair, uint32_t n, struct pair_key *key);

/* The function that an address lies in; NULL if it is in none. */
const sm_code *map_find_code(const struct map *m, uintptr_t address);

#endif

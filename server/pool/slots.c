/* slots.c - see slots.h. */
#include "slots.h"

#include <stdlib.h>

enum { INDEX_BITS = 24, GENERATION_BITS = SLOTS_TICKET_BITS - INDEX_BITS };

#define MOST ((uint32_t)1 << INDEX_BITS)

struct slot {
    void *thing;         /* NULL: it is free */
    uint32_t generation; /* never 0 */
    uint32_t next;       /* while it is free: as slots.free */
};

/* The slot that the ticket names; NULL if what it named has left. */
static struct slot *slot_of(const struct slots *s, uint64_t ticket) {
    uint64_t index = ticket & (MOST - 1), generation = ticket >> INDEX_BITS;
    struct slot *at = index < s->count ? &s->slot[index] : NULL;
    return at && at->thing && at->generation == generation ? at : NULL;
}

/* Doubles the room for slots. 0 if there are too many, or out of memory. */
static int grow_slots(struct slots *s) {
    uint32_t wanted = s->capacity ? 2 * s->capacity : 64;
    if (wanted > MOST)
        return 0;
    struct slot *grown = realloc(s->slot, wanted * sizeof *grown);
    if (!grown)
        return 0;
    s->slot = grown;
    s->capacity = wanted;
    return 1;
}

uint64_t slots_enter(struct slots *s, void *thing) {
    uint32_t index = s->free ? s->free - 1 : s->count;
    if (!s->free && s->count == s->capacity && !grow_slots(s))
        return 0;
    struct slot *at = &s->slot[index];
    if (s->free) {
        s->free = at->next;
    } else {
        at->generation = 1;
        s->count++;
    }
    at->thing = thing;
    at->next = 0;
    return (uint64_t)at->generation << INDEX_BITS | index;
}

void *slots_find(const struct slots *s, uint64_t ticket) {
    struct slot *at = slot_of(s, ticket);
    return at ? at->thing : NULL;
}

void slots_leave(struct slots *s, uint64_t ticket) {
    struct slot *at = slot_of(s, ticket);
    if (!at)
        return;
    at->thing = NULL;
    at->generation += at->generation == UINT32_MAX ? 2 : 1;
    at->next = s->free;
    s->free = (uint32_t)(at - s->slot) + 1;
}

void slots_free(struct slots *s) {
    free(s->slot);
    *s = (struct slots){0};
}

/* slots.h - tickets: numbers for things that may be gone when an event brings the number back.
 *
 * The kernel keeps an event's data as long as any process has the descriptor open, also a child that was just forked.
 * So that data is never an address but a ticket: a slot and its generation, which changes when the slot is left. Not
 * locked.
 */
#ifndef SMD_SLOTS_H
#define SMD_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#define SLOTS_TICKET_BITS 56 /* tickets are below 1 << this, and never 0 */

struct slots {
    struct slot *slot; /* owned */
    uint32_t count, capacity;
    uint32_t free; /* the first free one's index + 1; 0 if there is none */
};

/* A ticket for THING, borrowed until the slot is left; 0 when out of memory. */
uint64_t slots_enter(struct slots *s, void *thing);

/* The thing with this ticket; NULL once it has left, also if another has its slot now. TICKET may be any number. */
void *slots_find(const struct slots *s, uint64_t ticket);

/* Nothing happens for a ticket of something that has left, or 0. */
void slots_leave(struct slots *s, uint64_t ticket);

void slots_free(struct slots *s);

#endif

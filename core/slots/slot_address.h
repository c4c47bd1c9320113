/* slot_address.h - what instructions do to one slot (slot_address.c). */
#ifndef CORE_SLOT_ADDRESS_H
#define CORE_SLOT_ADDRESS_H

#include "slots.h"

#include <stdlib.h>

/* An instruction that has one of the slot's addresses as an operand or in a bundle, or the slot itself; or the safepoints
 * between two of these, which do not. */
struct slot_event {
    LLVMValueRef instruction; /* NULL of strangers */
    size_t first, end;        /* the numbers of the safepoints that it is or that they are */
    unsigned effects;         /* on the slot: bits SLOT_…, those of operand bundles included; 0 of strangers */
    int listed;               /* boolean: an address is in its "gc-live" bundle */
};

/* What blocks have that use the slot, in their order: a data-flow passes through others without a look at their
 * instructions. Those of block n are event[first[n]] to event[first[n + 1]]. */
struct slot_events {
    struct slot_event *event; /* owned */
    size_t count, room;
    size_t *first; /* owned */
    size_t *block; /* owned: the numbers of the blocks that have some */
    size_t blocks, room_for_blocks;
};

/* Lists E, which the caller frees. BODY is of the slot's function; its instructions are numbered from now on. */
void slot_list_events(const struct compile *c, const struct slot *s, struct body *body, struct slot_events *e);
static inline void slot_free_events(struct slot_events *e) {
    free(e->event);
    free(e->first);
    free(e->block);
}

/* Bytes whose address is handed on as that of a type with references, and of that size, are one of these. */
void slot_take_declared_type(struct slot *s);

/* 1 if V masks an address of the slot with a constant that clears no bits but those of an offset within: then in
 * *MASK. */
int slot_masked(const struct slot *s, LLVMValueRef v, uint64_t *mask);

/* slot_address.c: bits SLOT_… */
int slot_effects(const struct compile *c, const struct slot *s, LLVMValueRef i);

#endif

/* slots.h - references in stack slots: what is in a slot, and how its safepoints report it.
 *
 *   slot_address.c      one stack slot: its address, each instruction's effect on it, and how its address
 *                       escapes
 *   slot_clear.c        null in all references of a slot
 *   slot_contents.c     does a stack slot hold references?
 *   slot_layout.c       at which offsets a stack slot holds references: every access of it is visited
 *   reference_layout.c  where references are in a type, by the data layout
 *   slot_life.c         where a stack slot is alive: what reports it, and where it begins as null
 *   slot_flow.c         is a reference in a slot read after a safepoint that does not list it?
 *   slot_regions.c      stack slots that hold references across safepoints become regions of those
 *                       safepoints
 *   region_facts.c      what a record says of the stack slots in its list
 *   root_types.c        the types of roots, as a frontend declares them: numbers and symbols
 */
#ifndef CORE_SLOTS_H
#define CORE_SLOTS_H

#include "analysis.h"
#include "body.h"
#include "set.h"
#include "state.h"

/* What an instruction does to a slot. FILLS: all of it is written. */
enum { SLOT_WRITES = 1, SLOT_READS = 2, SLOT_FILLS = 4, SLOT_ESCAPES = 8, SLOT_DIES = 16 };

struct slot {
    LLVMValueRef origin; /* the alloca, or the parameter */
    struct set address;  /* it, and what is derived from it */
    struct set
        beyond; /* what it may have become by other ways: in structs, as an integer, by way of memory and calls */
    LLVMTargetDataRef data; /* borrowed: the module's */
    LLVMTypeRef type;
    int copied_in, copied_out; /* boolean: from and to memory of references, as bytes */
    LLVMValueRef handed_on;    /* where references may go in and out unseen; NULL if they do not */
};

/* slot_address.c. 1 if V is a slot of F; the caller then frees it. */
int slot_of(struct slot *s, LLVMValueRef f, LLVMValueRef v);
static inline void slot_free(struct slot *s) {
    set_free(&s->address);
    set_free(&s->beyond);
}

/* Which addresses of slots bytes of the heap reach, by copies from slot to slot, and which lead them there. Begins as
 * {0}; copies_free ends it. It holds as long as nobody changes the addresses and copies. */
struct copies {
    struct reach in, out; /* owned */
};
static inline void copies_free(struct copies *known) {
    reach_free(&known->in);
    reach_free(&known->out);
}

/* slot_contents.c. By its type, by what is stored or loaded, or because bytes of the heap go through it. Says so in
 * SLOT. */
int slot_holds_references(struct slot *s, struct copies *known);

/* slot_flow.c. The first READ of what became old at a SAFEPOINT that does not list the slot; equal if the address has
 * escaped there. NULL, both, if the slot holds references across safepoints that list it alone. */
struct slot_finding {
    LLVMValueRef safepoint, read;
};

/* BODY, F's, is gathered if need be. */
struct slot_finding slot_follow(const struct compile *c, LLVMValueRef f, struct body *body, struct slot *slot);

/* ---- slot_regions.c ---- */

/* Stack slots that hold references across safepoints are in the lists of these. Requires polls */
sm_status stacks_report(struct compile *c);
sm_status stacks_unmark(struct compile *c); /* when slots were checked: regions share their place with nothing */

#endif

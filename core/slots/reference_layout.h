/* reference_layout.h - where references are in a type, and what records say of a stack slot that is a region. */
#ifndef CORE_LAYOUTS_H
#define CORE_LAYOUTS_H

#include "facts.h"
#include "set.h"
#include "state.h"

/* Begins as {0}; layout_free ends it. */
struct layout {
    sm_reference_run *run; /* owned */
    size_t runs, room;
    int any_space;   /* boolean: pointers of every address space are references */
    int too_complex; /* boolean: more runs than a record holds, or a type that is none of memory's */
};

/* Adds the references of TYPE, which stands at OFFSET. */
void layout_add_type(const struct compile *c, struct layout *l, LLVMTypeRef type, uint64_t offset);
void layout_add(struct layout *l, sm_reference_run run);
void layout_free(struct layout *l);

/* slot_clear.c: stores null in all fields of the slot, before an instruction. */
void layout_clear(struct compile *c, LLVMValueRef slot, const struct layout *layout, LLVMValueRef before);

/* What a record says of a slot wherever that is in the list. */
struct region {
    LLVMValueRef slot;
    struct layout layout;
    int is_scoped; /* boolean: a scoped root, a value or a pin: listed within its scope alone */
    unsigned bits; /* SM_FACT_UNKNOWN, SM_FACT_PINNED, SM_FACT_TYPE, SM_FACT_SYMBOL, SM_FACT_MASK, SM_FACT_BYTES */
    uint64_t type, tag_mask;
    uint64_t bytes; /* of one that nobody knows the contents of */
};

/* region_facts.c: *borrowed*, until the next one is added. */
struct region *region_note(struct compile *c, LLVMValueRef slot);                      /* there from now on */
static inline struct region *region_find(const struct compile *c, LLVMValueRef slot) { /* NULL: nothing was noted */
    size_t number = set_number(&c->slots.known, slot);
    return number < c->slots.regions ? &c->slots.region[number] : NULL;
}

/* By the type of the slot, unless that was done. ROOT: the slot is declared a root, and its pointers are references,
 * whatever their address space. */
sm_status region_note_layout(struct compile *c, LLVMValueRef f, LLVMValueRef slot, int root);

/* root_types.c: what a frontend says of the type of what is in the slot: a constant. NULL and null say nothing. */
sm_status region_set_type(struct compile *c, LLVMValueRef f, LLVMValueRef slot, LLVMValueRef type);
LLVMValueRef type_in_metadata(struct compile *c, LLVMValueRef i); /* of !smd.type; NULL */
void types_emit(struct compile *c);                               /* the table of those that are symbols */

/* Requires the rewritten module: the records of statepoints that list such slots say so. */
sm_status regions_report(struct compile *c);
void regions_forget(struct compile *c);

#endif

/* slot_address.h - what instructions do to one slot (slot_address.c). */
#ifndef CORE_SLOT_ADDRESS_H
#define CORE_SLOT_ADDRESS_H

#include "slots.h"

/* Notes the instructions that have one of the slot's addresses as an operand or in a bundle: others have no effect on
 * it, and cost no look from then on. As long as no use of the slot comes up. */
void slot_find_users(struct slot *s);

/* Sets USED of each block, by its number in G, that makes or uses the slot, whose users are known: through the others
 * a data-flow passes without a look at their instructions. */
void slot_note_blocks(const struct slot *s, const struct graph *g, unsigned char *used);

/* Bytes whose address is handed on as that of a type with references, and of that size, are one of these. */
void slot_take_declared_type(struct slot *s);

/* 1 if V masks an address of the slot with a constant that clears no bits but those of an offset within: then in
 * *MASK. */
int slot_masked(const struct slot *s, LLVMValueRef v, uint64_t *mask);

/* slot_address.c: bits SLOT_… */
int slot_effects(const struct compile *c, const struct slot *s, LLVMValueRef i);

/* Of a call's bundles; *LISTED: it is in the "gc-live" one. */
int slot_bundle_effects(const struct slot *s, LLVMValueRef call, int *listed);

#endif

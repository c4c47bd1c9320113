/* gcroots.h - slots that llvm.gcroot marks (gcroots.c). */
#ifndef CORE_GCROOTS_H
#define CORE_GCROOTS_H

#include "ir.h"
#include "stackmap.h"

/* The slot that MARK, a call of llvm.gcroot, marks. */
static inline LLVMValueRef slot_of_mark(LLVMValueRef mark) {
    return stepped_from(LLVMGetOperand(mark, 0), FLOW_CAST | FLOW_SPACE);
}

/* Slots that llvm.gcroot marks, put right after the optimiser */
sm_status gcroots_repair(struct compile *c);
void gcroots_gather(struct compile *c); /* before polls are placed and the optimiser: slots stand at the front */

void root_clear(struct compile *c, LLVMValueRef slot, LLVMValueRef before); /* all of an alloca becomes 0 */

sm_status root_polls_place(struct compile *c);

/* allocators.c: in modules with llvm.gcroot, calls that may collect may write to the slots that it marks. Before the
 * optimiser */
void allocators_reach_slots(struct compile *c);

/* slot_pointers.c: in functions whose table lists words, each slot has as many marks as it has pointers. After the
 * other checks; SM_INVALID_GCROOT for a slot whose pointers cannot be listed. */
sm_status slot_pointers_mark(struct compile *c);

/* root_meta.c: puts F's MARKS in the order of its roots, which a record has at ROOT. 0 if that order is not known. */
int roots_in_order(const struct compile *c, LLVMValueRef f, const sm_location *root, struct set *marks);

/* root_meta.c: the records of erlang and ocaml have the metadata of their roots. */
void root_metadata(struct compile *c);

/* 1 if the roots of F are in a table of LLVM's of one word a root. */
static inline int has_word_table(LLVMValueRef f) {
    const char *gc = LLVMIsDeclaration(f) ? NULL : LLVMGetGC(f);
    return gc && (strcmp(gc, "erlang") == 0 || strcmp(gc, "ocaml") == 0);
}

#endif

/* transition_roots.h - references among the operands of a GC transition that has a frame of its own (transitions.c). */
#ifndef CORE_HANDOVER_H
#define CORE_HANDOVER_H

#include "set.h"
#include "state.h"

/* A slot of the managed function CALLER that holds the operand VALUE from right before BEFORE on. */
LLVMValueRef handover_slot(struct compile *c, LLVMValueRef caller, LLVMValueRef value, LLVMValueRef before);

/* Ends the slot's life on all ways out of CALL. */
void handover_end(struct compile *c, LLVMValueRef slot, LLVMValueRef call);

/* Reads the operand VALUE in the frame, at B's place, from the SLOT that it was given; what loads it is added to
 * LOADS. */
LLVMValueRef handover_load(struct compile *c, LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef slot,
                           struct set *loads);

/* When all hooks are inlined: each use reads the slot itself. SM_TRANSITION_CONFLICT where that cannot be. */
sm_status handover_sink(struct compile *c, struct set *loads);

#endif

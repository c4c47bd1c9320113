/* gcroots.h - slots that llvm.gcroot marks (gcroots.c). */
#ifndef CORE_GCROOTS_H
#define CORE_GCROOTS_H

#include "state.h"

/* Slots that llvm.gcroot marks, put right after the optimiser */
sm_status gcroots_repair(struct compile *c);
void gcroots_gather(struct compile *c); /* before polls are placed and the optimiser: slots stand at the front */

void root_clear(struct compile *c, LLVMValueRef slot, LLVMValueRef before); /* all of an alloca becomes 0 */

/* allocators.c: in modules with llvm.gcroot, calls that may collect may write to the slots that it marks. Before the
 * optimiser */
void allocators_reach_slots(struct compile *c);

/* root_meta.c: the records of erlang and ocaml have the metadata of their roots. */
void root_metadata(struct compile *c);

#endif

/* barrier_parts.h - what the files of barriers/ give one another: the parts of a barrier, and checks. */
#ifndef CORE_BARRIER_PARTS_H
#define CORE_BARRIER_PARTS_H

#include "barrier.h"
#include "state.h"

#include <stdio.h>

/* SM_INVALID_OPTION, with a diagnostic. */
sm_status barriers_read(struct compile *c, struct sm_barriers *k);

/* What a ready-made barrier that calls SYMBOL calls for compressed references of the space NUMBER, if the module has
 * it. */
enum { SPACE_NAME_ROOM = sizeof(((struct sm_barriers *)0)->text) + 20 };
static inline void space_name(char name[SPACE_NAME_ROOM], const char *symbol, unsigned number) {
    snprintf(name, SPACE_NAME_ROOM, "%s.p%u", symbol, number);
}

/* The parts of a built-in barrier at the builder's place; *FAILURE, and a diagnostic, where the module has something
 * else of a name. LIKE has the place in the source. */
void card_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef object,
                LLVMValueRef like, sm_status *failure);
void satb_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef at, LLVMTypeRef type,
                int is_old, LLVMValueRef like, sm_status *failure);
LLVMValueRef load_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef value,
                        LLVMValueRef slot, LLVMValueRef like, sm_status *failure);

/* The module's own barrier: it makes the store, or the load, itself. */
void write_hook_build(struct compile *c, LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef object, LLVMValueRef slot,
                      LLVMValueRef like, sm_status *failure);
LLVMValueRef read_hook_build(struct compile *c, LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef object,
                             LLVMValueRef slot, LLVMValueRef like, sm_status *failure);

/* barrier_auto.c: barriers=auto. Before the optimiser, which keeps copies and clears as they are; and after the
 * polls. */
void barriers_prepare(struct compile *c);
sm_status barriers_insert(struct compile *c, const struct sm_barriers *k);

/* Gc.transition_enter and gc.transition_leave are functions */
sm_status transitions_check(struct compile *c);

#endif

/* analysis.h - facts about a function's values; nothing here changes the module.
 *
 *   body.c      a function's blocks, edges and safepoints, gathered once
 *   liveness.c  is a value alive across a safepoint?
 *   effects.c   may the optimiser remove or move a call that smd inserts? By the callee's attributes
 *   derived.c   may a value be a derived pointer: one into an object, and not the object's own address?
 *   immediate.c is an integer a number that is a reference by its type alone (a fixnum)?
 */
#ifndef CORE_ANALYSIS_H
#define CORE_ANALYSIS_H

#include "set.h"
#include "state.h"

/* ---- liveness.c ---- */

/* A call of F that will be a statepoint and that V is alive across; NULL if there is none */
LLVMValueRef live_across(struct compile *c, LLVMValueRef v);

/* An instruction that V is alive across and of which IS_NEEDED(V, instruction) says 1; NULL if there is none */
LLVMValueRef live_across_such(struct compile *c, LLVMValueRef v, int (*is_needed)(LLVMValueRef v, LLVMValueRef i));

/* Users of one value across which no safepoint lies, so that each instruction between them is looked at once. Begins as
 * {0}; holds as long as the function stays as it is. */
struct crossing {
    LLVMValueRef value; /* NULL: nothing is known yet */
    struct set users;   /* owned: its users, if there are many, but for phis */
    struct set clear;   /* owned: those of them between which and the value there is no safepoint */
};
LLVMValueRef crosses_next(struct compile *c, LLVMValueRef v, LLVMValueRef user, struct crossing *known);
static inline void crossing_free(struct crossing *known) {
    set_free(&known->users);
    set_free(&known->clear);
}

/* A safepoint that V crosses on a path to one USER of it; NULL if there is none */
static inline LLVMValueRef crosses(struct compile *c, LLVMValueRef v, LLVMValueRef user) {
    return crosses_next(c, v, user, NULL);
}

/* ---- derived.c ---- */

int is_opaque_derived(LLVMValueRef v);
int is_derived(LLVMValueRef v); /* 1 if it may be no object's own address */

/* ---- immediate.c ---- */

int is_immediate(
    LLVMValueRef v); /* 1 if the integer is surely no address, although a reference is computed from it */

#endif

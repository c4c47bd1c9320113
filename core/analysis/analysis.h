/* analysis.h - facts about a function's values; nothing here changes the module.
 *
 *   body.c      a function's blocks, edges and safepoints, gathered once
 *   liveness.c  is a value alive across a safepoint?
 *   effects.c   may the optimiser remove or move a call that smd inserts? By the callee's attributes
 *   derived.c   may a value be a derived pointer: one into an object, and not the object's own address?
 *   reach.c     does something reach a value, by way of those that it is computed from?
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
    struct set users;   /* owned: its users, if there are many; for a phi the blocks that it takes the value from */
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

/* ---- reach.c ---- */

/* Which values something reaches, as far as it was asked. Begins as {0}; reach_free ends it. It holds as long as
 * none of these values changes or goes. */
struct reach {
    struct set yes, no; /* owned */
};
static inline void reach_free(struct reach *known) {
    set_free(&known->yes);
    set_free(&known->no);
}

/* 1 if it begins with V; else adds to FROM those values by way of which it may reach V. */
typedef int reach_visit(LLVMValueRef v, struct set *from, void *arg);
int reaches(struct reach *known, LLVMValueRef v, reach_visit *visit, void *arg); /* 1 if it reaches V */

/* ---- derived.c ---- */

/* Of many values: which are derived, and which hold a derived pointer. As a struct reach. */
struct derivations {
    struct reach derived, held;
};
static inline void derivations_free(struct derivations *known) {
    reach_free(&known->derived);
    reach_free(&known->held);
}
int is_opaque_derived_among(struct derivations *known, LLVMValueRef v);
int is_derived_among(struct derivations *known, LLVMValueRef v); /* 1 if it may be no object's own address */

/* The same of one value. */
static inline int is_opaque_derived(LLVMValueRef v) {
    struct derivations known = {0};
    int result = is_opaque_derived_among(&known, v);
    derivations_free(&known);
    return result;
}

static inline int is_derived(LLVMValueRef v) {
    struct derivations known = {0};
    int result = is_derived_among(&known, v);
    derivations_free(&known);
    return result;
}

/* ---- immediate.c ---- */

int is_immediate(
    LLVMValueRef v); /* 1 if the integer is surely no address, although a reference is computed from it */

#endif

/* analysis.h - facts about a function's values; nothing here changes the module.
 *
 *   body.c      a function's blocks, edges and safepoints, gathered once
 *   liveness.c  is a value alive across a safepoint?
 *   crossings.c the same of many values and uses of one function
 *   effects.c   may the optimiser remove or move a call that smd inserts? By the callee's attributes
 *   derived.c   may a value be a derived pointer: one into an object, and not the object's own address?
 *   reach.c     does something reach a value, by way of those that it is computed from?
 *   immediate.c is an integer a number that is a reference by its type alone (a fixnum)?
 */
#ifndef CORE_ANALYSIS_H
#define CORE_ANALYSIS_H

#include "body.h"
#include "set.h"
#include "state.h"

/* ---- liveness.c ---- */

/* An instruction that V is alive across and of which IS_NEEDED(V, instruction) says 1; NULL if there is none. Without
 * IS_NEEDED, one that live_across gives */
LLVMValueRef live_across_such(struct compile *c, LLVMValueRef v, int (*is_needed)(LLVMValueRef v, LLVMValueRef i));

/* A call of F that will be a statepoint and that V is alive across, or of whose deopt state it is part; NULL if there is
 * none */
static inline LLVMValueRef live_across(struct compile *c, LLVMValueRef v) {
    return live_across_such(c, v, NULL);
}

/* A safepoint that V crosses on a path to one USER of it; NULL if there is none */
LLVMValueRef crosses(struct compile *c, LLVMValueRef v, LLVMValueRef user);

/* ---- crossings.c ---- */

/* Of one function, where safepoints lie. Begins as {0}; crossings_free ends it. It holds as long as no block and no
 * safepoint comes or goes, and no instruction goes. */
struct crossings {
    struct body body; /* owned; with numbers of the instructions */
    size_t *segment;  /* owned: by an instruction's number, which one it is in */
    size_t *enter;    /* owned: a segment's number in their tree; 0: from no safepoint a way leads there */
    size_t *last;     /* owned: and the last number below it */
};
static inline void crossings_free(struct crossings *x) {
    body_free(&x->body);
    free(x->segment);
    free(x->enter);
    free(x->last);
}

/* As crosses, in a time that does not grow: 1 if there is such a safepoint */
int crossings_between(struct crossings *x, struct compile *c, LLVMValueRef v, LLVMValueRef user);

/* A place in the function, so that many are compared. */
struct spot {
    size_t segment, at;
};
static const size_t PARAMETER = SIZE_MAX; /* in the place of a segment: there from the function's begin on */

/* The spot of the instruction I; 0 if it is new. */
int crossings_spot(struct crossings *x, const struct compile *c, LLVMValueRef i, struct spot *spot);

/* 1 if a safepoint may lie between a value that is no safepoint and its use. Of uses in the order of x->enter of the
 * segment, and within one of AT, those of which it says 0 are neighbours; and all that no safepoint is before. */
static inline int spot_crosses(const struct crossings *x, struct spot value, struct spot use) {
    size_t enter = x->enter[use.segment];
    return enter &&
           (value.segment == PARAMETER || !(x->enter[value.segment] < enter && enter <= x->last[value.segment])) &&
           !(value.segment == use.segment && value.at < use.at);
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

/* aliases.h - what a cast out of the references has become (integer_aliases.c). */
#ifndef CORE_ALIASES_H
#define CORE_ALIASES_H

#include "analysis.h"
#include "ir.h"
#include "reference_layout.h"

/* A safepoint lies between VALUE and USE, or USE is one; USE is NULL if none does. Which one it is, is looked for where
 * it is told. */
struct late {
    LLVMValueRef value, use;
};

struct alias {
    LLVMValueRef value, source;
    LLVMValueRef from; /* what it was computed from; NULL of the source */
    struct late late;
    int number; /* boolean: no longer an address */
};

struct followed { /* a value that is followed: what it was first computed from, and as what */
    LLVMValueRef from;
    unsigned char states;
};

struct aliases {
    struct compile *c;
    LLVMValueRef function;
    struct alias *alias; /* owned */
    size_t count, room;
    struct set all;            /* owned: every value that an address went into */
    struct set values;         /* owned: those that are followed, and, with the same numbers, how */
    struct followed *followed; /* owned */
    size_t followed_room;
    int jointly;           /* boolean: several sources are followed at once */
    int is_unclear;        /* boolean: what is followed may be no address, as of which source it is matters */
    struct places *places; /* owned: alias_places.c; NULL */
    int (*repair)(struct aliases *a); /* 1 if it has put right what is wrong, and the walk goes on; NULL: it ends */
    int quiet;                        /* boolean: what is wrong is no diagnostic, but in the next two */
    struct alias wrong;
    LLVMValueRef user;
    sm_status status;
};

int aliases_any(struct compile *c); /* 1 if a function with statepoints has such a cast */

/* Calls CHECK for all such casts of F, or of functions with statepoints, until one is wrong; not where nothing is wrong of
 * any cast of a function. */
sm_status aliases_visit_function(struct compile *c, LLVMValueRef f, value_check *check);
static inline sm_status aliases_visit(struct compile *c, value_check *check) {
    return check_functions(c, aliases_visit_function, check);
}

/* Follows all that is computed from the cast SOURCE; what is wrong is in a->status. Requires an empty A. */
void aliases_follow(struct aliases *a, LLVMValueRef source);
void aliases_free(struct aliases *a); /* alias_places.c */

/* Appends an alias to be followed, unless one of the same value is there that is at least as bad. */
void alias_add(struct aliases *a, struct alias new);

/* ---- alias_places.c ---- */

/* Of the function whose casts are looked at. */
struct alias_facts {
    struct set read_anew; /* owned: what reads as something else than a reference a place where one was stored */
    struct crossings crossings;
};
static inline void alias_facts_free(struct alias_facts *facts, struct compile *c) {
    c->optimize.facts = NULL;
    set_free(&facts->read_anew);
    crossings_free(&facts->crossings);
}

/* 1 if the place is one whose references the collector keeps current: in an object, or in a slot or global of a type
 * that has some. A slot that no safepoint reports is refused elsewhere. */
static inline int alias_is_kept_current(const struct compile *c, LLVMValueRef pointer) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    LLVMValueRef origin = stepped_from(pointer, FLOW_STEP | FLOW_CAST);
    return is_reference(pointer) || (LLVMIsAAllocaInst(origin) && holds_root(data, LLVMGetAllocatedType(origin))) ||
           (LLVMIsAGlobalVariable(origin) && holds_root(data, LLVMGlobalGetValueType(origin)));
}

/* 1 if the place is a slot of one reference, and nothing else: after a safepoint its bits are those of now. */
static inline int alias_is_reference_slot(LLVMValueRef place) {
    LLVMTypeRef type = LLVMIsAAllocaInst(place) ? LLVMGetAllocatedType(place) : NULL;
    return type && LLVMGetTypeKind(type) == LLVMPointerTypeKind && holds_reference(type) && alloca_count(place) == 1;
}

/* 1 if it is a load, or an atomic operation, which gives what was there */
static inline int alias_reads_memory(LLVMValueRef i) {
    return LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

/* The alias FROM is written to memory by STORE: adds everything that reads the same address as an alias. Slots that
 * the collector keeps current are left out. */
void alias_follow_memory(struct aliases *a, struct alias from, LLVMValueRef store);

#endif

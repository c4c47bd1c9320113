/* aliases.h - what a cast out of the references has become (integer_aliases.c). */
#ifndef CORE_ALIASES_H
#define CORE_ALIASES_H

#include "analysis.h"
#include "ir.h"

struct alias {
    LLVMValueRef value, source;
    LLVMValueRef from;      /* what it was computed from; NULL of the source */
    LLVMValueRef safepoint; /* that lies between the two; NULL */
    int number;             /* boolean: no longer an address */
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
    int jointly;              /* boolean: several sources are followed at once */
    int is_unclear;           /* boolean: what is followed may be no address, as of which source it is matters */
    struct crossing crossing; /* owned: of the alias that is looked at */
    struct crossing other;    /* owned: of what it was last compared with */
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
void aliases_free(struct aliases *a);

#endif

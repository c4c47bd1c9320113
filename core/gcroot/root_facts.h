/* root_facts.h - of a function with llvm.gcroot: which pointers are alive at a place, and which root holds each of
 * them. */
#ifndef CORE_ROOTFACTS_H
#define CORE_ROOTFACTS_H

#include "cfg.h"
#include "set.h"
#include "state.h"

#include <stdint.h>

/* A parameter or an instruction that may be the address of an object, or be computed from one. */
struct root_value {
    LLVMValueRef value;
    size_t base;  /* the value that it is derived from by steps and casts; its own number if it is none */
    int demotes;  /* boolean: it can be kept in a stack slot */
    int is_kept;  /* boolean: for the caller's use */
    void *memory; /* likewise */
};

/* One load of a root, or a store into it: from there on its value is what the root holds. */
struct root_fact {
    LLVMValueRef at, slot;
    size_t value;
    size_t next; /* of the same root, in a ring */
};

struct rootfacts {
    struct graph graph;
    struct root_value *value; /* owned; parameters, then instructions, in the function's order */
    size_t values;
    struct set numbers;     /* owned: the same values, to find the number of one */
    struct root_fact *fact; /* owned; in the function's order */
    size_t facts;
    struct set places;  /* owned: the facts' instructions, likewise */
    uint64_t *live_out; /* owned: of each block, a bit a value */
    uint64_t *known_in; /* owned: of each block, a bit a fact */
    uint64_t *live, *known, *uses;
};

/* SM_CANNOT_REWRITE, with a diagnostic; rootfacts_free in all cases. */
sm_status rootfacts_of(struct compile *c, LLVMValueRef f, struct rootfacts *r);
void rootfacts_free(struct rootfacts *r);

/* What is so in front of an instruction, until this is asked again. */
void rootfacts_at(struct rootfacts *r, LLVMValueRef before);
int rootfacts_is_live(const struct rootfacts *r, size_t value);
LLVMValueRef rootfacts_slot(const struct rootfacts *r, size_t value); /* a root that holds it; NULL */

/* What may keep an object's address in memory that is no root, or as a number; NULL if nothing does. */
LLVMValueRef rootmemory_hidden(LLVMValueRef f);

#endif

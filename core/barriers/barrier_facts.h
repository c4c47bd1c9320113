/* barrier_facts.h - what is known at each place of a function since the last safepoint: which objects are fresh,
 * which have been passed to the write barrier, which slots have. */
#ifndef CORE_BARRIER_FACTS_H
#define CORE_BARRIER_FACTS_H

#include "barrier_rules.h"
#include "state.h"

enum fact { FRESH, MARKED, KEPT }; /* of an object; of an object; of a slot */

/* What an instruction writes into the heap, or reads out of it. */
enum access_kind { NO_ACCESS, STORES, COPIES, CLEARS, EXCHANGES, SCATTERS, LOADS, GATHERS };

struct access {
    enum access_kind kind;
    LLVMValueRef value;   /* what is stored; NULL of copies, clears and loads */
    LLVMValueRef pointer; /* the slot, or where it begins */
    LLVMTypeRef type;     /* what is stored or loaded */
};

struct access access_of(const struct compile *c, LLVMValueRef i);

int is_block_copy(LLVMValueRef call); /* of memcpy and memmove */
int touches_heap(LLVMValueRef call);  /* a block copy */

/* What the pointer was computed from by steps that stay in the object. */
LLVMValueRef object_of(LLVMValueRef pointer);
int is_harmless_value(LLVMValueRef v); /* null, undefined, or a global's address */

struct facts;
struct facts *facts_find(struct compile *c, const struct barrier_rules *r,
                         LLVMValueRef f); /* *new*; NULL: no memory */
void facts_free(struct facts *s);

/* A walk over a block: what holds before its first instruction; then past one after the other. */
void facts_enter(struct facts *s, LLVMBasicBlockRef block);
int facts_hold(const struct facts *s, enum fact kind, LLVMValueRef of);
void facts_pass(struct facts *s, LLVMValueRef instruction);

#endif

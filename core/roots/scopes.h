/* scopes.h - scoped roots: slots that are roots from one mark to another. */
#ifndef CORE_SCOPES_H
#define CORE_SCOPES_H

#include "body.h"
#include "ir.h"
#include "marks.h"

/* scope_marks.c: a mark is a call of a function of ours, from stage_scopes to scopes_attach. VALUE begins the scope
 * of a value's slot, PIN that of a pin's, TAG that of a tagged value's. */
enum scope_mark { SCOPE_END, SCOPE_BEGIN, SCOPE_VALUE, SCOPE_PIN, SCOPE_TAG };
void scope_mark(struct compile *c, LLVMValueRef before, enum scope_mark mark, LLVMValueRef slot,
                LLVMValueRef metadata);

static inline int scope_ends(LLVMValueRef i) {
    return strcmp(called_function(i), SCOPE "end") == 0;
}

static inline int scope_begins(LLVMValueRef i) { /* whatever it is of */
    return is_intrinsic(i, SCOPE) && !scope_ends(i);
}

static inline int scope_begins_tagged(LLVMValueRef i) { /* of a declared slot that holds a tagged reference */
    return scope_begins(i) && call_attribute(i, TAGGED_ATTRIBUTE);
}

int scope_has_mark(LLVMValueRef slot, enum scope_mark mark); /* 1 if such a mark is of it */
/* 1 if it was created for a value: written where that is defined, whatever the path */
static inline int is_value_slot(LLVMValueRef slot) {
    return scope_has_mark(slot, SCOPE_VALUE) || scope_has_mark(slot, SCOPE_TAG);
}

void collect_marked(LLVMValueRef f, struct set *slots); /* adds the slots that F's scope marks name */

/* scope_flow.c: where a slot is a root */
enum { SCOPE_OUTSIDE = 1, SCOPE_INSIDE = 2, SCOPE_USED = 4 };

/* An instruction that uses the slot, and where it stands. */
struct scope_use {
    size_t at, block; /* its number, its block's */
    LLVMValueRef instruction;
};

/* A function and one of its slots at a time. As long as this is in use, no block
 * comes or goes, and what is new uses none but slots that are done with. */
struct scope {
    struct compile *c;
    struct body body; /* owned: the function, whose instructions are numbered */
    LLVMValueRef slot;
    size_t slot_at;        /* its number */
    int is_value;          /* boolean: the slot is a value's, and the rule does not hold for it: where the value is
                              alive, the slot is in its scope */
    struct scope_use *use; /* owned: all uses of the slot, in the function's order */
    size_t uses, room;     /* how many there are, and how many there is room for */
    unsigned char *used; /* owned: SCOPE_USED if the block has one of them, or the slot itself, and the state that its
                            last mark leaves */
    unsigned char *outside; /* owned: states at each block's begin of a slot without marks */
    unsigned char *in;      /* owned: states at each block's begin; 0 where it is never reached */
    unsigned char *ahead;   /* owned: what comes from each block's begin on: bits AHEAD_… */
    size_t *from[2];        /* owned: a block that brought SCOPE_OUTSIDE, SCOPE_INSIDE */
    size_t *work;           /* owned: blocks to be looked at */
    size_t works;
    char *wrong;  /* owned: what breaks the rule; NULL if nothing does */
    int conflict; /* boolean: that is a block with two states, which says more than what follows from it */
};

void scope_make(struct scope *s, struct compile *c, LLVMValueRef f);
void scope_of(struct scope *s,
              LLVMValueRef slot); /* finds its states at all blocks' begins, and what breaks the rule */
void scope_free(struct scope *s);
unsigned char scope_state_at(struct scope *s, size_t block, size_t at); /* right before that number, in the block */

/* The first use of the slot with that number, or a later one. */
static inline size_t scope_use_from(const struct scope *s, size_t at) {
    size_t low = 0, high = s->uses;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->use[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What comes after a place, on all ways, before all of the slot is written: its scope begins; something may read it. */
enum { AHEAD_BEGINS = 1, AHEAD_READS = 2 };
void scope_look_ahead(struct scope *s); /* finds that for all blocks' begins, before anything is changed */
unsigned scope_ahead(const struct scope *s, size_t block, size_t at); /* from that number on, in the block */
static inline unsigned scope_begin_ahead(const struct scope *s, size_t block) { /* at the block's begin */
    return s->ahead[block] & (AHEAD_BEGINS | AHEAD_READS);
}

/* scope_share.c: slots that are not needed at one time become one */
void scopes_share_slots(struct scope *s, struct set *slots);

void scopes_close(struct compile *c, LLVMValueRef f); /* all scopes of F end where it is left */

/* scopes.c */
int scopes_in(LLVMValueRef function); /* 1 if it has some, or what they have become */

/* scope_attach.c: after polls, live lists get the slots */
sm_status scopes_attach(struct compile *c);

/* value_slots.c: values get slots, each with a scope */
sm_status values_to_slots(struct compile *c, LLVMValueRef function);
void values_put_off(struct compile *c, LLVMValueRef function); /* until polls are placed */
static inline int is_value_mark(LLVMValueRef call) { /* it stands for llvm.gc.value while polls are placed */
    return LLVMIsACallInst(call) && strcmp(called_function(call), LATE_VALUE) == 0;
}

static inline int values_are_late(LLVMValueRef f) { /* it has such marks */
    return any_call(f, is_value_mark);
}

/* V in a slot: with a TYPE (NULL: none); a tagged reference, with the type that "gc-type" operands give it; or a value of
 * which references, compressed ones too, are roots, and raw pointers none. */
enum slot_value { TYPED_VALUE, TAGGED_VALUE, COMPRESSED_VALUE };
sm_status value_to_slot(struct compile *c, LLVMValueRef function, LLVMValueRef v, enum slot_value is,
                        LLVMValueRef type);

/* phi_slots.c: a phi of such values, one of which comes from after an invoke; *CREATED is what takes its place */
int phi_crosses_invoke(LLVMValueRef v);
sm_status phi_resolve(struct compile *c, LLVMValueRef function, LLVMValueRef phi, enum scope_mark mark,
                      LLVMValueRef *created);

/* pins.c: objects that must not move, and raw pointers into them */
sm_status pins_to_slots(struct compile *c);

#endif

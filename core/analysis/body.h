/* body.h - a function's blocks, edges, safepoints and instructions by number: gathered once, and asked for each of its
 * slots. */
#ifndef CORE_BODY_H
#define CORE_BODY_H

#include "cfg.h"
#include "ir.h"

/* Begins as {0}; body_free ends it. It holds as long as no block and no safepoint of the function comes or goes.
 * Instructions that are new have no number. */
struct body {
    LLVMValueRef function; /* NULL: nothing is gathered yet */
    struct graph graph;
    /* block i's safepoints, in its order, are safepoint[first_safepoint[i]] to safepoint[first_safepoint[i + 1]] */
    size_t *first_safepoint; /* owned */
    struct set safepoint;    /* owned */
    /* once they are numbered, block i's instructions, in its order, are instruction[first[i]] to
     * instruction[first[i + 1]] */
    size_t *first;          /* owned; NULL: they are not */
    struct set instruction; /* owned */
    /* of calls with operand bundles, once they are asked for */
    struct set bundled;      /* owned */
    struct bundles *bundles; /* owned: as many as in BUNDLED */
    size_t room;
};

/* By their numbers, the operands of a call that its bundles have, and those that its "gc-live" has. */
struct bundles {
    struct operands all, live;
};

/* Gathers what F has, unless B has it already. */
void body_of(struct body *b, const struct compile *c, LLVMValueRef f);
void body_free(struct body *b);

/* Numbers the instructions, unless they are. */
static inline void body_number_all(struct body *b) {
    if (b->first)
        return;
    b->first = xcalloc(b->graph.blocks + 1, sizeof *b->first);
    for (size_t k = 0; k < b->graph.blocks; k++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b->graph.block[k]); i; i = LLVMGetNextInstruction(i))
            set_add_again(&b->instruction, i);
        b->first[k + 1] = b->instruction.count;
    }
}

/* The number of an instruction that was there when they were numbered. */
static inline size_t body_number(const struct body *b, LLVMValueRef i) {
    size_t number = set_number(&b->instruction, i);
    assert(number < b->instruction.count);
    return number;
}

/* The first of the safepoints FROM to END whose instruction's number is at least AT; END if none is. */
static inline size_t body_safepoint_from(const struct body *b, size_t from, size_t end, size_t at) {
    while (from < end) {
        size_t middle = (from + end) / 2;
        if (body_number(b, b->safepoint.item[middle]) < at)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* What is known of the call's bundles; *borrowed*, until the next call is asked for. A call with a long list is read
 * once, and not for each of the slots in it. */
static inline const struct bundles *body_bundles(struct body *b, LLVMValueRef call) {
    static const struct bundles none = {0};
    if (!LLVMGetNumOperandBundles(call))
        return &none;
    size_t number = set_number(&b->bundled, call);
    if (number == b->bundled.count) {
        b->bundles = xgrow(b->bundles, number, &b->room, sizeof *b->bundles);
        b->bundles[number] = (struct bundles){call_operands(call, NULL), call_operands(call, "gc-live")};
        set_add_again(&b->bundled, call);
    }
    return &b->bundles[number];
}

/* 1 if a call has the operand USE in its "gc-live" bundle. */
static inline int body_lists(struct body *b, LLVMUseRef use) {
    LLVMValueRef user = LLVMGetUser(use);
    return is_call(user) && operands_have(body_bundles(b, user)->live, use_operand(use));
}

#endif

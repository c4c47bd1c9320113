/* scope_flow.c - where a slot is a root, and the rule for that: no block is reached both inside and outside of its
 * scope. */
#include "cfg.h"
#include "ir.h"
#include "memory.h"
#include "scopes.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* Writes the block's name to OUT, or its number in F if it has none. */
static void put_block(sm_buf *out, LLVMValueRef f, LLVMBasicBlockRef b) {
    const char *name = LLVMGetBasicBlockName(b);
    int number = 0;
    if (name[0]) {
        sm_buf_printf(out, "%%%.200s", name);
        return;
    }
    for (LLVMBasicBlockRef i = LLVMGetFirstBasicBlock(f); i && i != b; i = LLVMGetNextBasicBlock(i))
        number++;
    sm_buf_printf(out, "block %d", number + 1);
}

/* Keeps TEXT as the scope's error, if it is the first one; frees TEXT. */
static void set_wrong(struct scope *s, sm_buf *text) {
    if (!s->wrong)
        s->wrong = xstrdup(sm_buf_cstr(text));
    xstatus(text->status);
    sm_buf_free(text);
}

/* Gives the state (inside, outside of the scope) right before STOP (NULL: at the block's end), of that at its begin. The
 * first mark that does not fit (begin inside, end outside) is noted as the scope's error. */
static unsigned char state_through(struct scope *s, size_t block, unsigned char state, LLVMValueRef stop) {
    LLVMBasicBlockRef b = s->graph.block[block];
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && i != stop; i = LLVMGetNextInstruction(i)) {
        int begin = scope_begins(i), end = scope_ends(i);
        if ((!begin && !end) || LLVMGetOperand(i, 0) != s->slot)
            continue;
        if (!s->is_value && ((begin && state & SCOPE_INSIDE) || (end && state & SCOPE_OUTSIDE))) {
            sm_buf text;
            sm_buf_init(&text, 4096);
            sm_buf_printf(&text, "%%%.200s is %s in ", value_name(s->slot), begin ? "declared a root" : "undeclared");
            put_block(&text, s->function, b);
            sm_buf_puts(&text, begin ? ", where it is one already" : ", where it is none");
            set_wrong(s, &text);
        }
        state = begin ? SCOPE_INSIDE : SCOPE_OUTSIDE;
    }
    return state;
}

/* Notes as the scope's error that the block is reached both inside and outside of the scope; replaces errors of other
 * kinds. */
static void note_conflict(struct scope *s, size_t block) {
    sm_buf text;
    sm_buf_init(&text, 4096);
    put_block(&text, s->function, s->graph.block[block]);
    sm_buf_printf(&text, " is reached from ");
    put_block(&text, s->function, s->graph.block[s->from[1][block]]);
    sm_buf_printf(&text, " with %%%.200s declared a root, and from ", value_name(s->slot));
    put_block(&text, s->function, s->graph.block[s->from[0][block]]);
    sm_buf_puts(&text, " without");
    if (!s->conflict) {
        free(s->wrong);
        s->wrong = NULL;
    }
    s->conflict = 1;
    set_wrong(s, &text);
}

/* Adds STATE, which the block FROM ends with, to those that BLOCK begins with; puts BLOCK on the work list if it is
 * new there. */
static void spread_state(struct scope *s, size_t block, unsigned char state, size_t from) {
    for (int k = 0; k < 2; k++)
        if (state & (1 << k) && !(s->in[block] & (1 << k)))
            s->from[k][block] = from;
    if ((s->in[block] | state) == s->in[block])
        return;
    s->in[block] |= state;
    if (!s->is_value && s->in[block] == (SCOPE_OUTSIDE | SCOPE_INSIDE))
        note_conflict(s, block);
    s->work[s->works++] = block; /* at most twice each */
}

unsigned char scope_state_at(struct scope *s, size_t block, LLVMValueRef i) {
    return s->in[block] ? state_through(s, block, s->in[block], i) : 0;
}

/* Makes the scope of SLOT, without what scope_follow finds. */
void scope_make(struct scope *s, struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    *s = (struct scope){.c = c, .function = f, .slot = slot, .is_value = is_value_slot(slot)};
    graph_make(&s->graph, f);
    size_t n = s->graph.blocks + 1;
    s->in = xcalloc(n, 1);
    s->from[0] = xcalloc(n, sizeof(size_t));
    s->from[1] = xcalloc(n, sizeof(size_t));
    s->work = xcalloc(2 * n, sizeof(size_t));
}

void scope_free(struct scope *s) {
    graph_free(&s->graph);
    free(s->in);
    free(s->from[0]);
    free(s->from[1]);
    free(s->work);
    free(s->wrong);
}

/* Finds for each block whether it begins inside or outside of the scope; the first rule that is broken is in
 * s->wrong. */
void scope_follow(struct scope *s) {
    spread_state(s, s->graph.entry, SCOPE_OUTSIDE, s->graph.entry);
    while (s->works) {
        size_t block = s->work[--s->works];
        unsigned char state = state_through(s, block, s->in[block], NULL);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(s->graph.block[block]);
        for (unsigned k = 0; end && k < LLVMGetNumSuccessors(end); k++)
            spread_state(s, graph_number(&s->graph, LLVMGetSuccessor(end, k)), state, block);
    }
}

/* ---- What is in a slot outside of its scope ------------------------------------------------------------------- */

/* Notes in RESULT whether instruction I begins the slot's scope or uses the slot. 0 if I overwrites all of the slot,
 * so that what follows does not matter. */
static int visit_one_scope(LLVMValueRef i, LLVMValueRef slot, struct ahead *result) {
    if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot &&
        LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMGetAllocatedType(slot))
        return 0;
    if (scope_begins(i) && LLVMGetOperand(i, 0) == slot)
        result->begins = 1;
    else if (!scope_ends(i))
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            result->reads |= LLVMGetOperand(i, (unsigned)k) == slot;
    return 1;
}

/* Finds whether, from I on, the slot may be read or its scope begin before all of it is overwritten. */
void scan_ahead(const struct graph *g, LLVMValueRef i, LLVMValueRef slot, struct ahead *result) {
    unsigned char *seen = xcalloc(g->blocks + 1, 1);
    LLVMBasicBlockRef *work = xcalloc(g->blocks + 1, sizeof(LLVMBasicBlockRef));
    size_t works = 0;
    *result = (struct ahead){0};
    while (i) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(i));
        for (; i && visit_one_scope(i, slot, result); i = LLVMGetNextInstruction(i))
            ;
        for (unsigned k = 0; !i && end && k < LLVMGetNumSuccessors(end); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
            if (!seen[graph_number(g, next)])
                work[works++] = next;
            seen[graph_number(g, next)] = 1;
        }
        i = works ? LLVMGetFirstInstruction(work[--works]) : NULL;
    }
    free(seen);
    free(work);
}

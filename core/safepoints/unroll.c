/* unroll.c - see unroll.h.
 *
 * LLVM's pass unrolls by the count that !llvm.loop says. It would compute the number of turns before the loop, and do
 * those that are left in another one, where it can: so the condition of the backedge is hidden from it by a freeze, which
 * goes afterwards. */
#include "unroll.h"
#include "base.h"
#include "cfg.h"
#include "deviations.h"
#include "interval.h"
#include "ir.h"
#include "marks.h"
#include "memory.h"
#include "safepoints.h"
#include "target.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

struct search {
    struct graph graph;           /* owned */
    char *state, *latch, *header; /* owned, as of graph_backedges */
};

/* ---- Which loops ----------------------------------------------------------------------------------------------- */

/* The only header that the latch leads back to, on a condition, if no other latch does; SIZE_MAX if there is none. */
static size_t header_of(const struct search *s, size_t latch) {
    const struct graph *g = &s->graph;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(g->block[latch]);
    size_t header = SIZE_MAX, latches = 0;
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return SIZE_MAX;
    for (size_t k = g->first_after[latch]; k < g->first_after[latch + 1]; k++)
        if (s->header[g->after[k]]) {
            if (header != SIZE_MAX)
                return SIZE_MAX;
            header = g->after[k];
        }
    for (size_t k = header == SIZE_MAX ? 0 : g->first_before[header];
         header != SIZE_MAX && k < g->first_before[header + 1]; k++)
        latches += (size_t)s->latch[g->before[k]];
    return latches == 1 && header != g->entry ? header : SIZE_MAX;
}

/* How many instructions the block has, but for phis; SIZE_MAX if it has one of which a turn needs its own. */
static size_t size_of_block(LLVMBasicBlockRef b) {
    size_t n = 0;
    for (LLVMValueRef i = past_phis(b); i; i = LLVMGetNextInstruction(i), n++)
        if (is_call(i) || LLVMIsAAllocaInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMTokenTypeKind)
            return SIZE_MAX;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    return LLVMIsABranchInst(end) || LLVMIsASwitchInst(end) ? n : SIZE_MAX;
}

/* The loop's blocks go to BODY; gives how many instructions they have. SIZE_MAX if these are too many, or the loop is
 * none of those that are unrolled. */
static size_t size_of_loop(const struct search *s, size_t header, size_t latch, size_t most, struct set *body) {
    const struct graph *g = &s->graph;
    size_t size = 0;
    set_add(body, g->block[latch]);
    for (size_t i = 0; i < body->count; i++) {
        size_t b = graph_number(g, body->item[i]), n = size_of_block(g->block[b]);
        if (n > most || (size += n) > most || b == g->entry || (b != header && s->header[b]))
            return SIZE_MAX;
        for (size_t k = b == header ? g->first_before[b + 1] : g->first_before[b]; k < g->first_before[b + 1]; k++)
            set_add(body, g->block[g->before[k]]);
    }
    return set_has(body, g->block[header]) ? size : SIZE_MAX;
}

/* 1 if V is counted up or down by the loop. */
static int is_counter(const struct set *body, LLVMValueRef v) {
    if (LLVMIsABinaryOperator(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAPHINode(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
           set_has(body, LLVMGetInstructionParent(v));
}

/* 1 if the loop's turns are counted. LLVM may bound them, and place no poll; and code generation would compute where
 * each of several turns ends before the loop, which costs where turns are few. */
static int is_counted(const struct set *body, LLVMValueRef test) {
    return LLVMIsAICmpInst(test) &&
           (is_counter(body, LLVMGetOperand(test, 0)) || is_counter(body, LLVMGetOperand(test, 1)));
}

/* 1 if !llvm.loop says of the loop more than that it ends: how it is to be unrolled, or that it was. */
static int says_how(struct compile *c, LLVMValueRef backedge) {
    unsigned others;
    loop_words(c->context, backedge, "llvm.loop.mustprogress", &others);
    return others > 0;
}

/* How many turns the loop of the latch is to do between two polls; 0: it stays as it is. */
static unsigned turns_of(struct compile *c, const struct search *s, size_t latch) {
    enum { LARGE = 24, MIDDLE = 16, SMALL = 8 };
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->graph.block[latch]);
    size_t header = header_of(s, latch);
    struct set body = {0};
    if (header == SIZE_MAX || says_how(c, end))
        return 0;
    size_t size = size_of_loop(s, header, latch, LARGE, &body);
    int is_left = size == SIZE_MAX || is_counted(&body, LLVMGetCondition(end));
    set_free(&body);
    return is_left ? 0 : size <= SMALL ? 8 : size <= MIDDLE ? 4 : 2;
}

/* ---- Unrolling ------------------------------------------------------------------------------------------------- */

/* A new node of !llvm.loop: !{itself, !{"llvm.loop.unroll.count", i32 TURNS}}. */
static LLVMValueRef count_metadata(struct compile *c, unsigned turns) {
    static const char word[] = "llvm.loop.unroll.count";
    LLVMMetadataRef count[] = {LLVMMDStringInContext2(c->context, word, sizeof word - 1),
                               LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(c->context), turns, 0))};
    LLVMMetadataRef itself = LLVMTemporaryMDNode(c->context, NULL, 0);
    LLVMMetadataRef operands[] = {itself, LLVMMDNodeInContext2(c->context, count, 2)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(c->context, operands, 2);
    LLVMMetadataReplaceAllUsesWith(itself, node);
    return LLVMMetadataAsValue(c->context, node);
}

/* Has LLVM's pass unroll the loop that the branch leads back to. */
static void ask_for(struct compile *c, LLVMValueRef branch, unsigned turns) {
    LLVMMetadataRef none = LLVMMDNodeInContext2(c->context, NULL, 0);
    LLVMBuilderRef b = builder_at(branch);
    LLVMValueRef hidden = LLVMBuildFreeze(b, LLVMGetCondition(branch), "");
    LLVMDisposeBuilder(b);
    LLVMSetMetadata(hidden, LLVMGetMDKindIDInContext(c->context, TURN_METADATA, sizeof TURN_METADATA - 1),
                    LLVMMetadataAsValue(c->context, none));
    LLVMSetCondition(branch, hidden);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c->context, "llvm.loop", 9), count_metadata(c, turns));
}

/* Asks for all loops of F that are to be unrolled; gives how many. */
static size_t ask_in(struct compile *c, LLVMValueRef f) {
    struct search s;
    size_t asked = 0;
    graph_make(&s.graph, f);
    s.state = xcalloc(s.graph.blocks, 1);
    s.latch = xcalloc(s.graph.blocks, 1);
    s.header = xcalloc(s.graph.blocks, 1);
    graph_backedges(&s.graph, 0, s.state, s.latch, s.header);
    for (size_t i = 0; i < s.graph.blocks; i++) {
        unsigned turns = s.latch[i] ? turns_of(c, &s, i) : 0;
        if (!turns)
            continue;
        ask_for(c, LLVMGetBasicBlockTerminator(s.graph.block[i]), turns);
        asked++;
    }
    graph_free(&s.graph);
    free(s.state);
    free(s.latch);
    free(s.header);
    if (asked)
        remark(c, "place-safepoints", f, "%zu small loop(s) do several turns between two polls", asked);
    return asked;
}

/* The conditions are what they were. */
static void show_conditions(struct compile *c, LLVMValueRef f) {
    unsigned mark = LLVMGetMDKindIDInContext(c->context, TURN_METADATA, sizeof TURN_METADATA - 1);
    for (LLVMValueRef i = first_instruction(f), next; i; i = next) {
        next = instruction_after(i);
        if (!LLVMIsAFreezeInst(i) || !LLVMGetMetadata(i, mark))
            continue;
        LLVMReplaceAllUsesWith(i, LLVMGetOperand(i, 0));
        LLVMInstructionEraseFromParent(i);
    }
}

/* 1 if F has polls at backedges by LLVM's pass, and is to be fast. */
static int is_unrolled(const struct compile *c, LLVMValueRef f) {
    static const char *const slow[] = {"optsize", "minsize", "optnone"};
    if (!(function_polls(c, f) & SM_SP_BACKEDGE) || interval_of(c, f) || text_attribute(f, OPTNONE_ATTRIBUTE))
        return 0;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        if (function_attribute(f, slow[i]))
            return 0;
    return 1;
}

/* 1 if loops may do several turns between polls, by the options. Strips, and a module's own poll, stay as they are. */
static int is_asked_for(const struct compile *c) {
    return (c->options->opt == SM_OPT_2 || c->options->opt == SM_OPT_3) && !c->options->all_backedges &&
           !counted_turns(c) && strcmp(c->options->poll, "module") != 0;
}

sm_status unroll_polled(struct compile *c) {
    static const char passes[] =
        "function(loop-unroll<no-partial;no-peeling;no-runtime;no-upperbound;full-unroll-max=0>)";
    struct set asked = {0}, others = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); is_asked_for(c) && f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        if (is_unrolled(c, f) && ask_in(c, f))
            set_add(&asked, f);
        else if (!function_attribute(f, "optnone"))
            set_add(&others, f);
    }
    sm_status s = SM_OK;
    if (asked.count) {
        for (size_t i = 0; i < others.count; i++) /* the pass leaves them alone */
            set_function_attribute(others.item[i], "optnone");
        note_passes(c, "unroll-polled");
        deviate(c, DEVIATION_OWN_POLLS);
        s = run_passes(c, passes);
        for (size_t i = 0; i < others.count; i++)
            remove_function_attribute(others.item[i], "optnone");
    }
    for (size_t i = 0; i < asked.count; i++)
        show_conditions(c, asked.item[i]);
    set_free(&asked);
    set_free(&others);
    return s;
}

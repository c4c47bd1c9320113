/* interval.c - see interval.h. The counter is a stack slot that LLVM's mem2reg makes a value of; what is done with it
 * is written as a function, which LLVM's always-inliner puts where it is called.
 *
 * Where an iteration begins is marked before the optimiser, by a call that it takes for one with an effect of its
 * own. So iterations of the module that came are counted whatever becomes of their loop: one that runs twice may be a
 * loop no more. Loops that the optimiser makes (of tail calls) have no mark, and are looked for after it. */
#include "interval.h"
#include "cfg.h"
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "marks.h"
#include "safepoints.h"

#include <llvm-c/DebugInfo.h>

/* ---- The attribute -------------------------------------------------------------------------------------------- */

/* Gives in *N how many iterations pass between two polls of F: by its attribute, else by the option. Gives a status,
 * and in *ERR the reason, if the attribute's value is not valid. */
static sm_status read_attribute(const struct compile *c, LLVMValueRef f, unsigned *n, sm_option_error *err) {
    LLVMAttributeRef a = text_attribute(f, INTERVAL_ATTRIBUTE);
    sm_options o;
    unsigned len;
    *n = (unsigned)c->options->poll_interval;
    if (!a)
        return SM_OK;
    const char *value = LLVMGetStringAttributeValue(a, &len);
    sm_options_init(&o);
    sm_status s = sm_options_set(&o, "poll_interval", value, len, err);
    *n = (unsigned)o.poll_interval;
    return s;
}

/* Fails if the attribute of F is not valid. */
sm_status interval_check(struct compile *c, LLVMValueRef f) {
    sm_option_error err;
    unsigned n;
    sm_status s = read_attribute(c, f, &n, &err);
    return s == SM_OK ? s : fail(c, s, f, "The attribute \"" INTERVAL_ATTRIBUTE "\": %s", err.message);
}

/* How many iterations pass between polls of F; 0 if it does not count, has no polls at backedges, or its attribute is
 * not valid. */
unsigned interval_of(const struct compile *c, LLVMValueRef f) {
    unsigned n = 0;
    if (!(function_polls(c, f) & SM_SP_BACKEDGE))
        return 0;
    return read_attribute(c, f, &n, NULL) == SM_OK ? n : 0;
}

/* ---- Loops ---------------------------------------------------------------------------------------------------- */

struct search {
    struct graph graph;           /* owned */
    char *state, *latch, *header; /* owned, as of graph_backedges */
    size_t headers;               /* how many */
};

static void search_free_interval(struct search *s) {
    graph_free(&s->graph);
    free(s->state);
    free(s->latch);
    free(s->header);
}

/* 1 if I is a call of the marker that says that an iteration begins. */
static int is_interval_mark(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && LLVMIsAFunction(callee) && strcmp(value_name(callee), ITERATION) == 0;
}

/* How many iteration markers the block has. */
static size_t marks_in(LLVMBasicBlockRef b) {
    size_t n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        n += (size_t)is_interval_mark(i);
    return n;
}

/* Fills S with the latches and headers of F's loops: all of them, or with UNMARKED those that have a path round
 * without a marker. */
static void find_loops(struct search *s, LLVMValueRef f, int unmarked) {
    graph_make(&s->graph, f);
    s->state = xcalloc(s->graph.blocks, 1);
    s->latch = xcalloc(s->graph.blocks, 1);
    s->header = xcalloc(s->graph.blocks, 1);
    for (size_t i = 0; i < s->graph.blocks; i++)
        s->state[i] = unmarked && marks_in(s->graph.block[i]) ? BLOCK_DONE : BLOCK_UNSEEN;
    graph_backedges(&s->graph, unmarked, s->state, s->latch, s->header);
    for (size_t i = 0; i < s->graph.blocks; i++)
        s->headers += (size_t)s->header[i];
}

/* ---- An iteration stays one ----------------------------------------------------------------------------------- */

/* A new node of !llvm.loop that forbids optional loop transformations: !{itself,
 * !{"llvm.loop.disable_nonforced"}}. */
static LLVMValueRef loop_metadata(struct compile *c) {
    static const char word[] = "llvm.loop.disable_nonforced";
    LLVMMetadataRef text = LLVMMDStringInContext2(c->context, word, sizeof word - 1);
    LLVMMetadataRef itself = LLVMTemporaryMDNode(c->context, NULL, 0);
    LLVMMetadataRef operands[] = {itself, LLVMMDNodeInContext2(c->context, &text, 1)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(c->context, operands, 2);
    LLVMMetadataReplaceAllUsesWith(itself, node);
    return LLVMMetadataAsValue(c->context, node);
}

/* The first instruction of HEADER before which a call may stand; NULL if there is none. */
static LLVMValueRef begin_of(LLVMBasicBlockRef header) {
    LLVMValueRef i = past_pads(header);
    return LLVMIsACatchSwitchInst(i) || LLVMIsACatchPadInst(i) || LLVMIsACleanupPadInst(i) ? NULL : i;
}

/* Declares the marker function, which accesses, as far as LLVM knows, memory that nothing else of the module does, so
 * that its calls are neither dropped nor merged, while everything else may move past them. */
static LLVMValueRef declare_mark(struct compile *c) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), NULL, 0, 0);
    LLVMValueRef f = LLVMAddFunction(c->module, ITERATION, type);
    set_mark_attributes(f, "nounwind,willreturn,nosync,nofree,nocallback");
    return f;
}

/* Puts a call of the marker where HEADER allows one; nothing if it does not. */
static void put_mark(LLVMBuilderRef b, LLVMValueRef mark, LLVMBasicBlockRef header) {
    LLVMValueRef begin = begin_of(header);
    if (!begin)
        return;
    LLVMPositionBuilderBefore(b, begin);
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(mark), mark, NULL, 0, "");
}

/* Before the optimiser: forbids transformations of F's loops, and marks the beginning of each iteration, except in
 * hooks and in gc.safepoint_poll. */
static void keep_iterations(struct compile *c, LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef mark) {
    struct search s = {0};
    find_loops(&s, f, 0);
    int is_marked = !is_hook(f) && strcmp(value_name(f), "gc.safepoint_poll") != 0;
    for (size_t i = 0; i < s.graph.blocks; i++) {
        if (s.latch[i])
            LLVMSetMetadata(LLVMGetBasicBlockTerminator(s.graph.block[i]),
                            LLVMGetMDKindIDInContext(c->context, "llvm.loop", 9), loop_metadata(c));
        if (s.header[i] && is_marked)
            put_mark(b, mark, s.graph.block[i]);
    }
    search_free_interval(&s);
}

/* 1 if any function counts iterations between polls. */
static int any_interval(const struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (interval_of(c, f))
            return 1;
    return 0;
}

/* Marks the iterations of all loops if any function counts them; also in functions that do not, as they may be
 * inlined into one that does. */
sm_status interval_keep(struct compile *c) {
    if (!any_interval(c))
        return SM_OK;
    if (LLVMGetNamedFunction(c->module, ITERATION) || LLVMGetNamedGlobal(c->module, ITERATION) ||
        is_other_name(c->module, ITERATION))
        return fail(c, SM_POLL_CONFLICT, NULL, "'" ITERATION "' is in the module, and smd needs the name");
    builtins_forbid(c, 1);
    LLVMValueRef mark = declare_mark(c);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            keep_iterations(c, b, f, mark);
    LLVMDisposeBuilder(b);
    return SM_OK;
}

/* 1 if F has a marker of an iteration. */
int interval_counts(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        if (marks_in(b))
            return 1;
    return 0;
}

/* Erases all calls of the marker, and its declaration. */
static void forget_marks(struct compile *c) {
    LLVMValueRef mark = LLVMGetNamedFunction(c->module, ITERATION);
    for (LLVMUseRef use = mark ? LLVMGetFirstUse(mark) : NULL; use; use = LLVMGetFirstUse(mark))
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    if (mark)
        LLVMDeleteFunction(mark);
}

/* ---- Polls ---------------------------------------------------------------------------------------------------- */

/* What the counter holds at first where nothing has polled: past every interval. */
#define UNPOLLED 0xfffffffeu

struct counted {
    LLVMValueRef function, counter;
    unsigned interval;
};

struct place {
    struct compile *c;
    LLVMBuilderRef b;
    LLVMTypeRef i32, type;   /* of the counter; void(ptr) */
    struct counted *counted; /* owned */
    size_t count;
};

static LLVMValueRef int_constant_interval(const struct place *p, unsigned n) {
    return LLVMConstInt(p->i32, n, 0);
}

/* Adds an internal, always inlined function void(ptr counter) named NAME; the builder is left at the end of its first
 * block. */
static LLVMValueRef begin_helper(struct place *p, const char *name) {
    LLVMValueRef f = LLVMAddFunction(p->c->module, name, p->type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    set_function_attribute(f, "alwaysinline");
    LLVMPositionBuilderAtEnd(p->b, LLVMAppendBasicBlockInContext(p->c->context, f, "entry"));
    return f;
}

/* Ends the helper F: if DUE, it sets the counter to 0 and polls; then it returns. */
static void end_helper(struct place *p, LLVMValueRef f, LLVMValueRef due) {
    LLVMBasicBlockRef poll = LLVMAppendBasicBlockInContext(p->c->context, f, "poll");
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(p->c->context, f, "on");
    LLVMValueRef callee = LLVMGetNamedFunction(p->c->module, "gc.safepoint_poll");
    LLVMBuildCondBr(p->b, due, poll, on);
    LLVMPositionBuilderAtEnd(p->b, poll);
    LLVMBuildStore(p->b, int_constant_interval(p, 0), LLVMGetParam(f, 0));
    LLVMValueRef call = LLVMBuildCall2(p->b, LLVMGlobalGetValueType(callee), callee, NULL, 0, "");
    set_call_enum_attribute(call, "alwaysinline");
    LLVMBuildBr(p->b, on);
    LLVMPositionBuilderAtEnd(p->b, on);
    LLVMBuildRetVoid(p->b);
}

/* Writes the helper for the begin of an iteration: polls if the counter is N or more, and then counts one
 * iteration. */
static LLVMValueRef write_count(struct place *p, const char *name, unsigned n) {
    LLVMValueRef f = begin_helper(p, name), counter = LLVMGetParam(f, 0);
    LLVMValueRef before = LLVMBuildLoad2(p->b, p->i32, counter, "");
    end_helper(p, f, LLVMBuildICmp(p->b, LLVMIntUGE, before, int_constant_interval(p, n), ""));
    LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(LLVMGetLastBasicBlock(f)));
    LLVMValueRef more =
        LLVMBuildAdd(p->b, LLVMBuildLoad2(p->b, p->i32, counter, ""), int_constant_interval(p, 1), "");
    LLVMBuildStore(p->b, more, counter);
    return f;
}

/* Writes the helper for a return: polls if the counter is 1 to N, that is, if iterations were counted since the last
 * poll. */
static LLVMValueRef write_rest(struct place *p, const char *name, unsigned n) {
    LLVMValueRef f = begin_helper(p, name), counter = LLVMGetParam(f, 0);
    LLVMValueRef less =
        LLVMBuildSub(p->b, LLVMBuildLoad2(p->b, p->i32, counter, ""), int_constant_interval(p, 1), "");
    end_helper(p, f, LLVMBuildICmp(p->b, LLVMIntULT, less, int_constant_interval(p, n), ""));
    return f;
}

/* The helper WORD for the interval N; written by WRITE if the module does not have it yet, so that functions with one
 * interval share it. */
static LLVMValueRef helper_of(struct place *p, const char *word, unsigned n,
                              LLVMValueRef (*write)(struct place *p, const char *name, unsigned n)) {
    char name[48];
    snprintf(name, sizeof name, "%s.%u", word, n);
    LLVMValueRef f = LLVMGetNamedFunction(p->c->module, name);
    return f ? f : write(p, name, n);
}

/* Puts a call of HELPER on COUNTER right before the instruction BEFORE. */
static void call_helper(struct place *p, LLVMValueRef helper, LLVMValueRef counter, LLVMValueRef before) {
    LLVMPositionBuilderBefore(p->b, before);
    LLVMBuildCall2(p->b, p->type, helper, &counter, 1, "");
}

/* Allocates F's counter in its entry block: 0 if the function polls at its entry, else UNPOLLED, so that the first
 * iteration polls. */
static LLVMValueRef new_counter(struct place *p, LLVMValueRef f) {
    LLVMPositionBuilderBefore(p->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef counter = LLVMBuildAlloca(p->b, p->i32, "");
    LLVMBuildStore(p->b, int_constant_interval(p, function_polls(p->c, f) & SM_SP_ENTRY ? 0 : UNPOLLED), counter);
    return counter;
}

/* Replaces each marker in the function by a call of HELPER; gives how many there were. */
static size_t count_marks(struct place *p, LLVMValueRef helper, struct counted *k) {
    size_t places = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_interval_mark(i))
                continue;
            places++;
            call_helper(p, helper, k->counter, i);
            LLVMInstructionEraseFromParent(i);
        }
    return places;
}

/* Makes F count its iterations, and poll after N: at the markers, and at the headers of the loops that have none
 * (UNMARKED). Adds F to p->counted. */
static void count_in_function(struct place *p, const struct search *unmarked, LLVMValueRef f, unsigned n) {
    struct counted *k = &p->counted[p->count++];
    *k = (struct counted){f, NULL, n};
    LLVMValueRef helper = helper_of(p, POLL_COUNT, n, write_count);
    k->counter = new_counter(p, f);
    for (size_t i = 0; i < unmarked->graph.blocks; i++) {
        LLVMValueRef begin = unmarked->header[i] ? begin_of(unmarked->graph.block[i]) : NULL;
        if (begin)
            call_helper(p, helper, k->counter, begin);
    }
    size_t places = unmarked->headers + count_marks(p, helper, k);
    remark(p->c, "place-safepoints", f, "%zu loop(s) count their iterations: a poll after %u", places, n);
}

/* Makes F count if it has a marker or a loop without one. */
static void place_in_loops(struct place *p, LLVMValueRef f, unsigned n) {
    struct search s = {0};
    find_loops(&s, f, 1);
    if (s.headers || interval_counts(f))
        count_in_function(p, &s, f, n);
    search_free_interval(&s);
}

/* Before each return, and before a musttail call, which is one: calls the helper that polls if iterations are counted
 * but not polled for. Not after a deoptimization, which does not return. */
static void place_at_returns(struct place *p, const struct counted *k) {
    LLVMValueRef rest = helper_of(p, POLL_REST, k->interval, write_rest);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        LLVMValueRef before = end && LLVMIsAReturnInst(end) ? LLVMGetPreviousInstruction(end) : NULL;
        if (!end || !LLVMIsAReturnInst(end) || (before && LLVMIsACallInst(before) && is_deoptimize(before)))
            continue;
        call_helper(p, rest, k->counter, before && is_musttail(before) ? before : end);
    }
}

/* Inlines the helpers and the polls in them; the polls are marked with REASON. */
static sm_status inline_helpers(struct place *p, const char *reason) {
    poll_mark(p->c, reason);
    return inline_marked(p->c, NULL);
}

/* Counts in all functions that have an interval, polls at returns those that do not poll there anyway, and makes
 * counters values with mem2reg, except at level 0. */
static sm_status place_all(struct place *p) {
    for (LLVMValueRef f = LLVMGetFirstFunction(p->c->module); f; f = LLVMGetNextFunction(f)) {
        unsigned n = interval_of(p->c, f);
        if (n)
            place_in_loops(p, f, n);
    }
    forget_marks(p->c);
    sm_status s = inline_helpers(p, "backedge-poll");
    for (size_t i = 0; s == SM_OK && i < p->count; i++)
        if (!(function_polls(p->c, p->counted[i].function) & SM_SP_RETURN))
            place_at_returns(p, &p->counted[i]);
    if (s == SM_OK)
        s = inline_helpers(p, "return-poll");
    if (s == SM_OK && p->c->options->opt != SM_OPT_0)
        s = run_passes(p->c, "function(mem2reg)");
    return s;
}

/* Replaces the markers by counting and polling, in all functions with an interval. After the optimiser;
 * gc.safepoint_poll has to be defined where any function counts. */
sm_status interval_place(struct compile *c) {
    size_t functions = 0;
    if (!any_interval(c)) {
        forget_marks(c);
        return SM_OK;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        functions++;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c->context, 0);
    struct place p = {.c = c,
                      .b = LLVMCreateBuilderInContext(c->context),
                      .i32 = LLVMInt32TypeInContext(c->context),
                      .type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), &pointer, 1, 0),
                      .counted = xcalloc(functions, sizeof *p.counted)};
    note_passes(c, "poll-interval");
    deviate(c, DEVIATION_OWN_POLLS);
    sm_status s = place_all(&p);
    free(p.counted);
    LLVMDisposeBuilder(p.b);
    return s;
}

/* strips.c - see strips.h. */
#include "strips.h"
#include "cfg.h"
#include "deviations.h"
#include "interval.h"
#include "ir.h"
#include "marks.h"
#include "safepoints.h"
#include "target.h"

/* ---- Loops ---------------------------------------------------------------------------------------------------- */

/* A loop without others in it. */
struct loop {
    LLVMBasicBlockRef header, latch;
    struct set body; /* owned: its blocks */
};

/* The latches and headers of a function, and what a walk needs. */
struct search {
    struct graph graph;           /* owned */
    char *state, *latch, *header; /* owned, as of graph_backedges */
    size_t *stack;                /* owned */
};

static void search_of_strips(struct search *s, LLVMValueRef f) {
    graph_make(&s->graph, f);
    s->state = xcalloc(s->graph.blocks, 1);
    s->latch = xcalloc(s->graph.blocks, 1);
    s->header = xcalloc(s->graph.blocks, 1);
    s->stack = xcalloc(s->graph.blocks + 1, sizeof *s->stack);
    graph_backedges(&s->graph, 0, s->state, s->latch, s->header);
}

static void search_free_strips(struct search *s) {
    graph_free(&s->graph);
    free(s->state);
    free(s->latch);
    free(s->header);
    free(s->stack);
}

/* The header that the latch leads back to, by a branch on a condition, if it leads to one header alone and no other
 * latch does; SIZE_MAX if not. */
static size_t only_header(const struct search *s, size_t latch) {
    const struct graph *g = &s->graph;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(g->block[latch]);
    size_t header = SIZE_MAX, latches = 0;
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return SIZE_MAX;
    for (size_t k = g->first_after[latch]; k < g->first_after[latch + 1]; k++) {
        if (s->header[g->after[k]] && header != SIZE_MAX)
            return SIZE_MAX;
        header = s->header[g->after[k]] ? g->after[k] : header;
    }
    if (header == SIZE_MAX)
        return SIZE_MAX;
    for (size_t k = g->first_before[header]; k < g->first_before[header + 1]; k++)
        latches += (size_t)s->latch[g->before[k]];
    return latches == 1 ? header : SIZE_MAX;
}

/* 1 if nothing of the block may be a safepoint or the mark of a state. */
static int is_without_calls(LLVMBasicBlockRef b) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (is_call(i) && (calls_safepoint(i) || sites_is_record(i) || strcmp(called_function(i), FRAME_STATE) == 0))
            return 0;
    return 1;
}

/* Adds to BODY all blocks from which the latch can be reached without passing the header; with CALLS 0, without a call
 * on the way. 0 if another loop is among them, or the function's entry: the header does not dominate them. */
static int find_turn(struct search *s, size_t header, size_t latch, int calls, struct set *body) {
    const struct graph *g = &s->graph;
    size_t depth = 0;
    if (!calls && !is_without_calls(g->block[latch]))
        return 1;
    set_add(body, g->block[latch]);
    s->stack[depth++] = latch;
    while (depth) {
        size_t b = s->stack[--depth];
        if (b == header)
            continue;
        if (b == g->entry || s->header[b])
            return 0;
        for (size_t k = g->first_before[b]; k < g->first_before[b + 1]; k++) {
            LLVMBasicBlockRef from = g->block[g->before[k]];
            if (set_has(body, from) || (!calls && !is_without_calls(from)))
                continue;
            set_add(body, from);
            s->stack[depth++] = g->before[k];
        }
    }
    return 1;
}

/* 1 if all ways into the loop are branches that can lead to another block. */
static int is_entered_by_branches(const struct search *s, size_t header) {
    const struct graph *g = &s->graph;
    for (size_t k = g->first_before[header]; k < g->first_before[header + 1]; k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(g->block[g->before[k]]);
        if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end) && !LLVMIsAInvokeInst(end))
            return 0;
    }
    return past_phis(g->block[header]) == past_pads(g->block[header]) && header != g->entry;
}

/* Finds the loop of the latch; 0 if there is none that can be strips: one with others in it, or with a call on each
 * way round, which needs no poll. What *L owns is the caller's to free either way. */
static int find_loop(struct search *s, size_t latch, struct loop *l) {
    size_t header = only_header(s, latch);
    struct set without = {0};
    *l = (struct loop){0};
    if (header == SIZE_MAX || !is_entered_by_branches(s, header) || !find_turn(s, header, latch, 1, &l->body))
        return 0;
    l->header = s->graph.block[header];
    l->latch = s->graph.block[latch];
    find_turn(s, header, latch, 0, &without);
    int is_polled = set_has(&without, l->header);
    set_free(&without);
    return is_polled;
}

/* ---- How its turns are counted ----------------------------------------------------------------------------------- */

/* While PREDICATE holds between X and LIMIT the loop goes on. X is PHI, of its header, plus OFFSET; PHI grows by STEP
 * each turn. */
struct count {
    LLVMIntPredicate predicate;
    LLVMValueRef x, limit, phi;
    int64_t offset, step;
};

static int is_of_loop(const struct loop *l, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && set_has(&l->body, LLVMGetInstructionParent(v));
}

/* 1 if V is a phi of the loop's header plus a constant, which go to *PHI and *OFFSET. */
static int is_step_of(const struct loop *l, LLVMValueRef v, LLVMValueRef *phi, int64_t *offset) {
    int is_sum = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAdd &&
                 LLVMIsAConstantInt(LLVMGetOperand(v, 1));
    *phi = is_sum ? LLVMGetOperand(v, 0) : v;
    *offset = is_sum ? LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) : 0;
    return LLVMIsAPHINode(*phi) && LLVMGetInstructionParent(*phi) == l->header;
}

/* What the phi of the header is after a turn. */
static LLVMValueRef after_turn(const struct loop *l, LLVMValueRef phi) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == l->latch)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static LLVMIntPredicate swapped(LLVMIntPredicate p) {
    switch (p) {
    case LLVMIntULT:
        return LLVMIntUGT;
    case LLVMIntUGT:
        return LLVMIntULT;
    case LLVMIntULE:
        return LLVMIntUGE;
    case LLVMIntUGE:
        return LLVMIntULE;
    case LLVMIntSLT:
        return LLVMIntSGT;
    case LLVMIntSGT:
        return LLVMIntSLT;
    case LLVMIntSLE:
        return LLVMIntSGE;
    case LLVMIntSGE:
        return LLVMIntSLE;
    default:
        return p;
    }
}

static LLVMIntPredicate inverse(LLVMIntPredicate p) {
    switch (p) {
    case LLVMIntEQ:
        return LLVMIntNE;
    case LLVMIntNE:
        return LLVMIntEQ;
    case LLVMIntULT:
        return LLVMIntUGE;
    case LLVMIntUGE:
        return LLVMIntULT;
    case LLVMIntUGT:
        return LLVMIntULE;
    case LLVMIntULE:
        return LLVMIntUGT;
    case LLVMIntSLT:
        return LLVMIntSGE;
    case LLVMIntSGE:
        return LLVMIntSLT;
    case LLVMIntSGT:
        return LLVMIntSLE;
    default:
        return LLVMIntSGT;
    }
}

static uint64_t size_of_step(const struct count *n) {
    return n->step < 0 ? 0 - (uint64_t)n->step : (uint64_t)n->step;
}

/* 1 if the predicate ends the loop in the direction of the step. */
static int leads_to_end(const struct count *n) {
    if (n->predicate == LLVMIntNE)
        return 1;
    if (n->step > 0)
        return n->predicate == LLVMIntULT || n->predicate == LLVMIntSLT;
    return n->predicate == LLVMIntUGT || n->predicate == LLVMIntSGT;
}

/* Finds how the loop's turns are counted; 0 if they are not, in this manner. */
static int find_count(const struct loop *l, struct count *n) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(l->latch), test = LLVMGetCondition(end), same;
    if (!LLVMIsAICmpInst(test) || !is_of_loop(l, test) ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(test, 0))) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(test, 0))) > 64)
        return 0;
    unsigned at = is_of_loop(l, LLVMGetOperand(test, 0)) ? 0 : 1;
    n->x = LLVMGetOperand(test, at);
    n->limit = LLVMGetOperand(test, 1 - at);
    n->predicate = at == 0 ? LLVMGetICmpPredicate(test) : swapped(LLVMGetICmpPredicate(test));
    n->predicate = LLVMGetSuccessor(end, 0) == l->header ? n->predicate : inverse(n->predicate);
    if (is_of_loop(l, n->limit) || !is_step_of(l, n->x, &n->phi, &n->offset))
        return 0;
    LLVMValueRef next = after_turn(l, n->phi);
    if (!next || !is_step_of(l, next, &same, &n->step) || same != n->phi || !leads_to_end(n))
        return 0;
    uint64_t size = size_of_step(n);
    return size != 0 && (size & (size - 1)) == 0;
}

/* At most this, by a look; all ones if that is not known. */
static uint64_t bound_of(LLVMValueRef v) {
    if (LLVMIsAConstantInt(v))
        return LLVMConstIntGetZExtValue(v);
    int is_and = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAnd;
    return is_and && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) ? LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1))
                                                              : ~0ull;
}

/* 1 if the loop goes up from 0 to what is so small that it has no more than TURNS turns, or it counts in so few bits. */
static int has_few_turns(const struct loop *l, const struct count *n, uint64_t turns) {
    uint64_t size = size_of_step(n);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(n->x));
    if (turns >= ((uint64_t)1 << (width - 1)) / size)
        return 1;
    for (unsigned i = 0; i < LLVMCountIncoming(n->phi); i++) {
        LLVMValueRef first = LLVMGetIncomingValue(n->phi, i);
        if (LLVMGetIncomingBlock(n->phi, i) != l->latch &&
            !(LLVMIsAConstantInt(first) && LLVMConstIntGetZExtValue(first) == 0))
            return 0;
    }
    return n->step > 0 && n->offset >= 0 && bound_of(n->limit) / size <= turns;
}

/* 1 if the loop does what is left where vectors end: mostly so few turns that strips would cost more than polls. */
static int is_remainder(struct compile *c, const struct loop *l, const struct count *n) {
    unsigned others;
    return size_of_step(n) == 1 &&
           loop_words(c->context, LLVMGetBasicBlockTerminator(l->latch), "llvm.loop.isvectorized", &others);
}

/* ---- Two loops of one --------------------------------------------------------------------------------------------- */

struct making {
    struct compile *c;
    LLVMBuilderRef b;
    poll_insertion *insert_poll;
    uint64_t turns;
    struct loop *loop;       /* its latch is TURN, once that is there */
    LLVMBasicBlockRef latch; /* of the inner loop */
    struct count count;
    LLVMBasicBlockRef strip, turn, poll;
};

/* Gives the outer loop a phi for each of the header's, which begins with it anew. Those of the header are created again:
 * LLVM's C API takes no value out of a phi. */
static void make_phis(struct making *m) {
    const struct loop *l = m->loop;
    for (LLVMValueRef old = LLVMGetFirstInstruction(l->header), next; LLVMIsAPHINode(old); old = next) {
        next = LLVMGetNextInstruction(old);
        LLVMPositionBuilderAtEnd(m->b, m->strip);
        LLVMValueRef outer = LLVMBuildPhi(m->b, LLVMTypeOf(old), ""), again = after_turn(l, old);
        for (unsigned i = 0; i < LLVMCountIncoming(old); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(old, i);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(old, i);
            if (from != l->latch)
                LLVMAddIncoming(outer, &value, &from, 1);
        }
        LLVMPositionBuilderBefore(m->b, old);
        LLVMValueRef inner = LLVMBuildPhi(m->b, LLVMTypeOf(old), "");
        again = again == old ? inner : again;
        LLVMAddIncoming(outer, &again, &m->poll, 1);
        LLVMAddIncoming(inner, &outer, &m->strip, 1);
        LLVMAddIncoming(inner, &again, &m->latch, 1);
        if (m->count.phi == old)
            m->count.phi = outer;
        m->count.x = m->count.x == old ? inner : m->count.x;
        call_replace(old, inner);
    }
}

/* What led into the loop leads to its first strip. */
static void enter_strip(struct making *m) {
    LLVMValueRef header = LLVMBasicBlockAsValue(m->loop->header);
    for (LLVMUseRef u = LLVMGetFirstUse(header), next; u; u = next) {
        LLVMValueRef end = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!LLVMIsATerminatorInst(end) || LLVMGetInstructionParent(end) == m->turn)
            continue;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            if (LLVMGetSuccessor(end, i) == m->loop->header)
                LLVMSetSuccessor(end, i, m->strip);
        next = LLVMGetFirstUse(header);
    }
}

/* The smaller of two, unsigned. */
static LLVMValueRef smaller(struct making *m, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef type = LLVMTypeOf(a);
    unsigned id = LLVMLookupIntrinsicID("llvm.umin", sizeof "llvm.umin" - 1);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(m->c->module, id, &type, 1), both[] = {a, b};
    return LLVMBuildCall2(m->b, LLVMGlobalGetValueType(f), f, both, 2, "");
}

/* Builds what X is in the strip's last turn: LIMIT if that is near, else as far as TURNS go. It differs from what X is
 * before by steps, so that X meets it. */
static LLVMValueRef build_end(struct making *m) {
    const struct count *n = &m->count;
    LLVMTypeRef type = LLVMTypeOf(n->x);
    uint64_t size = size_of_step(n);
    LLVMValueRef none = LLVMConstInt(type, 0, 0), rest_of_step = LLVMConstInt(type, size - 1, 0);
    LLVMValueRef first = LLVMBuildAdd(m->b, n->phi, LLVMConstInt(type, (uint64_t)n->offset, 1), "");
    LLVMValueRef way =
        n->step > 0 ? LLVMBuildSub(m->b, n->limit, first, "") : LLVMBuildSub(m->b, first, n->limit, "");
    if (n->predicate != LLVMIntNE) {
        LLVMValueRef goes_on = LLVMBuildICmp(m->b, n->predicate, first, n->limit, "");
        way = LLVMBuildSelect(m->b, goes_on, way, none, "");
    } else if (size > 1) { /* X may pass LIMIT by */
        LLVMValueRef rest = LLVMBuildAnd(m->b, way, rest_of_step, "");
        LLVMValueRef meets = LLVMBuildICmp(m->b, LLVMIntEQ, rest, none, "");
        way = LLVMBuildSelect(m->b, meets, way, LLVMConstAllOnes(type), "");
    }
    way = smaller(m, way, LLVMConstInt(type, (m->turns - 1) * size, 0));
    if (size > 1) {
        way = n->predicate == LLVMIntNE ? way : LLVMBuildAdd(m->b, way, rest_of_step, "");
        way = LLVMBuildAnd(m->b, way, LLVMConstNot(rest_of_step), "");
    }
    return n->step > 0 ? LLVMBuildAdd(m->b, first, way, "") : LLVMBuildSub(m->b, first, way, "");
}

/* The latch goes on until END; then the old branch decides whether there is another strip. */
static void end_inner(struct making *m, LLVMValueRef end, LLVMValueRef branch) {
    LLVMBasicBlockRef header = m->loop->header;
    unsigned prof = LLVMGetMDKindIDInContext(m->c->context, "prof", 4);
    int is_first = LLVMGetSuccessor(branch, 0) == header;
    LLVMValueRef weights = LLVMGetMetadata(branch, prof);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(m->latch));
    LLVMPositionBuilderAtEnd(m->b, m->latch);
    LLVMValueRef goes_on = LLVMBuildICmp(m->b, is_first ? LLVMIntNE : LLVMIntEQ, m->count.x, end, "");
    LLVMValueRef inner = LLVMBuildCondBr(m->b, goes_on, is_first ? header : m->turn, is_first ? m->turn : header);
    if (weights)
        LLVMSetMetadata(inner, prof, weights);
    LLVMSetMetadata(branch, prof, NULL);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(m->c->context, "llvm.loop", 9), NULL);
    LLVMSetSuccessor(branch, is_first ? 0 : 1, m->poll);
}

/* Makes two loops of the one. */
static void make_strips(struct making *m) {
    struct loop *l = m->loop;
    LLVMValueRef f = LLVMGetBasicBlockParent(l->header), branch = LLVMGetBasicBlockTerminator(l->latch);
    block_split(m->c, f, branch);
    m->latch = l->latch;
    m->turn = l->latch = LLVMGetInstructionParent(branch);
    set_add(&l->body, m->turn);
    find_count(l, &m->count); /* of the phis that are there now */
    m->strip = LLVMInsertBasicBlockInContext(m->c->context, l->header, "strip");
    m->poll = LLVMAppendBasicBlockInContext(m->c->context, f, "strip.poll");
    make_phis(m);
    enter_strip(m);
    LLVMMoveBasicBlockAfter(m->poll, m->turn);
    LLVMPositionBuilderBefore(m->b, branch); /* where what is built is, in the source */
    LLVMPositionBuilderAtEnd(m->b, m->strip);
    LLVMValueRef end = build_end(m);
    LLVMBuildBr(m->b, l->header);
    end_inner(m, end, branch);
    LLVMPositionBuilderAtEnd(m->b, m->poll);
    m->insert_poll(m->c, m->b, LLVMBuildBr(m->b, m->strip));
}

/* ---------------------------------------------------------------------------------------------------------------- */

/* Appends F's loops that may be strips. */
static void find_strips(struct search *s, struct loop **loops, size_t *count, size_t *room) {
    for (size_t i = 0; i < s->graph.blocks; i++) {
        struct loop l;
        if (!s->latch[i])
            continue;
        if (find_loop(s, i, &l)) {
            *loops = xgrow(*loops, *count, room, sizeof **loops);
            (*loops)[(*count)++] = l;
        } else {
            set_free(&l.body);
        }
    }
}

/* Makes strips of F's loops; gives of how many. They are found before the first is made: no block of one is in
 * another. */
static size_t place_in(const struct making *plan, LLVMValueRef f) {
    struct compile *c = plan->c;
    struct search s;
    struct loop *loops = NULL;
    size_t count = 0, room = 0, made = 0;
    search_of_strips(&s, f);
    find_strips(&s, &loops, &count, &room);
    search_free_strips(&s);
    for (size_t i = 0; i < count; i++) {
        struct making m = *plan;
        m.loop = &loops[i];
        if (find_count(&loops[i], &m.count) && !has_few_turns(&loops[i], &m.count, plan->turns) &&
            !is_remainder(c, &loops[i], &m.count)) {
            make_strips(&m);
            made++;
        }
        set_free(&loops[i].body);
    }
    free(loops);
    if (made)
        remark(c, "place-safepoints", f, "%zu counted loop(s) poll after %d turns", made,
               c->options->counted_loop_turns);
    return made;
}

size_t strips_place(struct compile *c, poll_insertion *insert_poll) {
    struct making plan = {.c = c, .insert_poll = insert_poll, .turns = (uint64_t)counted_turns(c)};
    size_t made = 0;
    if (!plan.turns)
        return 0;
    note_passes(c, "counted-loop-strips");
    plan.b = LLVMCreateBuilderInContext(c->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (function_polls(c, f) & SM_SP_BACKEDGE && !interval_of(c, f))
            made += place_in(&plan, f);
    LLVMDisposeBuilder(plan.b);
    if (made)
        deviate(c, DEVIATION_OWN_POLLS);
    return made;
}

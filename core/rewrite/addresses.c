/* addresses.c - addresses in objects that are computed once and used behind safepoints are computed where they are used.
 *
 * LLVM's rewrite relocates such an address, or computes it again behind each safepoint (-spp-rematerialization-threshold):
 * then a loop computes it in each turn, and all ways that join need it in one register. Where it is used, code
 * generation folds it into the access. What it is computed from costs nothing there: the base is alive at the safepoint
 * in any case, as its record names it, and an index is no reference.
 *
 * Only what an access can fold is computed again: steps of constant size, and one index of a size that addresses scale
 * by. Requires polls placed; before the rewrite. */
#include "body.h"
#include "deviations.h"
#include "ir.h"
#include "set.h"
#include "steps.h"

struct search {
    struct compile *c;
    struct body body; /* owned */
    LLVMTargetDataRef data;
    LLVMBuilderRef b;  /* owned */
    struct set seen;   /* owned: blocks of one look */
    struct set unused; /* owned: steps that may have lost their last use */
};

/* ---- Which addresses ------------------------------------------------------------------------------------------- */

/* The type that index number OPERAND of the step goes over, one behind another; NULL of a struct's field. */
static LLVMTypeRef strided_by(LLVMValueRef step, unsigned operand) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(step);
    for (unsigned i = 2; type && i <= operand; i++) {
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        LLVMValueRef index = LLVMGetOperand(step, i);
        if (kind == LLVMStructTypeKind) {
            if (i == operand)
                return NULL;
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
        } else {
            type = kind == LLVMArrayTypeKind ? LLVMGetElementType(type) : NULL;
        }
    }
    return type;
}

static int is_scale(unsigned long long size) {
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/* How many of the step's indexes are no constants; 2 if it is none that an access can fold. */
static unsigned indexes_of(const struct search *s, LLVMValueRef step) {
    unsigned variable = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(step); i++) {
        LLVMValueRef index = LLVMGetOperand(step, i);
        if (LLVMIsAConstantInt(index))
            continue;
        LLVMTypeRef type = LLVMTypeOf(index), by = strided_by(step, i);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 64 || !by ||
            !LLVMTypeIsSized(by) || !is_scale(LLVMABISizeOfType(s->data, by)))
            return 2;
        variable++;
    }
    return variable;
}

/* 1 if V is a step in an object, from a reference. */
static int is_step_in_object(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) && is_reference(v) && !is_vector(LLVMTypeOf(v)) &&
           (LLVMIsAInstruction(LLVMGetOperand(v, 0)) || LLVMIsAArgument(LLVMGetOperand(v, 0)));
}

/* 1 if USER accesses what V points to, or steps on from it. */
static int uses_address(LLVMValueRef user, LLVMValueRef v) {
    if (LLVMIsALoadInst(user) || (LLVMIsAGetElementPtrInst(user) && is_step_in_object(user)))
        return LLVMGetOperand(user, 0) == v;
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == v && LLVMGetOperand(user, 0) != v;
}

/* ---- Which uses ------------------------------------------------------------------------------------------------ */

/* 1 if the block has a safepoint whose number lies between the two. */
static int has_safepoint(const struct search *s, size_t block, size_t from, size_t to) {
    const struct body *b = &s->body;
    for (size_t i = b->first_safepoint[block]; i < b->first_safepoint[block + 1]; i++) {
        size_t number = body_number(b, b->safepoint.item[i]);
        if (number > from && number < to)
            return 1;
    }
    return 0;
}

/* Goes back from block AT to DEFINED; 1 if a block between them, or AT itself in a loop, has a safepoint. A look that
 * takes long ends without one. */
static int passes_safepoint(struct search *s, size_t at, size_t defined) {
    enum { BLOCKS = 64 };
    const struct body *b = &s->body;
    set_clear(&s->seen);
    set_add(&s->seen, b->graph.block[at]);
    for (size_t i = 0; i < s->seen.count && i < BLOCKS; i++) {
        size_t block = graph_number(&b->graph, s->seen.item[i]);
        for (size_t k = b->graph.first_before[block]; k < b->graph.first_before[block + 1]; k++) {
            size_t before = b->graph.before[k];
            if (before == defined)
                continue;
            if (b->first_safepoint[before] != b->first_safepoint[before + 1])
                return 1;
            set_add(&s->seen, b->graph.block[before]);
        }
    }
    return 0;
}

/* 1 if a safepoint lies between V and USER, which it dominates. */
static int is_crossed(struct search *s, LLVMValueRef v, LLVMValueRef user) {
    const struct body *b = &s->body;
    size_t defined = graph_number(&b->graph, LLVMGetInstructionParent(v));
    size_t at = graph_number(&b->graph, LLVMGetInstructionParent(user));
    if (at == defined)
        return has_safepoint(s, at, body_number(b, v), body_number(b, user));
    return has_safepoint(s, defined, body_number(b, v), b->first[defined + 1]) ||
           (b->first_safepoint[at] != b->first_safepoint[at + 1] &&
            body_number(b, b->safepoint.item[b->first_safepoint[at]]) < body_number(b, user)) ||
           passes_safepoint(s, at, defined);
}

/* ---- Steps anew ------------------------------------------------------------------------------------------------ */

/* Has USER use what is computed right before it instead of the step V; and what V steps from likewise, as long as one
 * access can fold all. */
static void step_at(struct search *s, LLVMValueRef v, LLVMValueRef user) {
    enum { DEPTH = 4 };
    unsigned indexes = indexes_of(s, v);
    for (int i = 0; i < DEPTH; i++) {
        LLVMValueRef again = LLVMInstructionClone(v), from = LLVMGetOperand(v, 0);
        LLVMPositionBuilderBefore(s->b, user);
        LLVMSetCurrentDebugLocation2(s->b, NULL);
        LLVMInsertIntoBuilder(s->b, again);
        LLVMSetOperand(user, LLVMIsAStoreInst(user) ? 1 : 0, again);
        if (!is_step_in_object(from) || (indexes += indexes_of(s, from)) > 1)
            return;
        user = again;
        v = from;
    }
}

/* Has the uses of V behind safepoints compute it anew. */
static int repeat_step(struct search *s, LLVMValueRef v) {
    struct set users = {0};
    int any = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (uses_address(LLVMGetUser(use), v) &&
            set_number(&s->body.instruction, LLVMGetUser(use)) < s->body.instruction.count)
            set_add(&users, LLVMGetUser(use));
    for (size_t i = 0; i < users.count; i++)
        if (is_crossed(s, v, users.item[i])) {
            step_at(s, v, users.item[i]);
            any = 1;
        }
    set_free(&users);
    return any;
}

/* Has F compute addresses where they are used behind safepoints. */
static void repeat_steps(struct search *s, LLVMValueRef f) {
    body_of(&s->body, s->c, f);
    if (!s->body.safepoint.count)
        return;
    body_number_all(&s->body);
    for (size_t i = s->body.instruction.count; i-- > 0;) {
        LLVMValueRef v = s->body.instruction.item[i];
        if (is_step_in_object(v) && indexes_of(s, v) <= 1 && repeat_step(s, v))
            set_add(&s->unused, v);
    }
    for (size_t i = 0; i < s->unused.count; i++)
        if (!LLVMGetFirstUse(s->unused.item[i]))
            LLVMInstructionEraseFromParent(s->unused.item[i]);
    if (s->unused.count)
        deviate(s->c, DEVIATION_ADDRESSES);
    set_clear(&s->unused);
}

sm_status addresses_repeat(struct compile *c) {
    struct search s = {.c = c};
    if (c->options->opt == SM_OPT_0 || !c->options->remat)
        return SM_OK;
    s.b = LLVMCreateBuilderInContext(c->context);
    s.data = LLVMGetModuleDataLayout(c->module);
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f))
        repeat_steps(&s, f);
    body_free(&s.body);
    set_free(&s.seen);
    set_free(&s.unused);
    LLVMDisposeBuilder(s.b);
    return SM_OK;
}

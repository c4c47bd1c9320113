/* frame_state.c - polls of smd's that say what state their frame is in.
 *
 * The module marks places where it knows the state: by a call of smd.gc.state() with a "deopt" bundle. A poll takes the
 * state of the last mark before it, if nothing between the two can be seen by others: whoever goes on from that state
 * does again only what has no effects. The mark accesses memory that nothing else does, as far as LLVM knows, so that it
 * is neither dropped nor merged; and it reads all memory, as the state may be of what is there. The marks are gone when
 * polls are placed.
 */
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "placing.h"
#include "safepoints.h"

enum { BLOCKS = 16 }; /* on the way from a poll back to its mark */

static LLVMValueRef mark_function(const struct compile *c) {
    return LLVMGetNamedFunction(c->module, FRAME_STATE);
}

static int is_frame_state(LLVMValueRef i) {
    return is_call(i) && strcmp(called_function(i), FRAME_STATE) == 0;
}

/* Refuses a mark that is not what it has to be. */
static sm_status check_state_mark(struct compile *c, LLVMValueRef use) {
    if (call_has_bundle(use, "deopt"))
        return SM_OK;
    return fail(c, SM_INVALID_MODULE, function_of(use),
                "A call of " FRAME_STATE " has no state: no bundle \"deopt\"");
}

sm_status frame_states_keep(struct compile *c) {
    LLVMValueRef f = mark_function(c);
    sm_status s = SM_OK;
    if (!f)
        return SM_OK;
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), NULL, 0, 0);
    if (!LLVMIsDeclaration(f) || LLVMGlobalGetValueType(f) != type)
        return fail(c, SM_INVALID_MODULE, NULL, FRAME_STATE " is a declared function: void ()");
    set_mark_attributes(f, "nounwind,willreturn,nosync,nofree,nocallback");
    for (LLVMUseRef u = LLVMGetFirstUse(f); u && s == SM_OK; u = LLVMGetNextUse(u))
        s = check_state_mark(c, LLVMGetUser(u));
    deviate(c, DEVIATION_OWN_POLLS);
    return s;
}

/* ---- The state of a poll ---------------------------------------------------------------------------------------- */

/* 1 if a poll has the same state before I as after it: nobody sees whether I runs again. */
static int has_no_effects(LLVMValueRef i) {
    enum { WRITES = 0x2a }; /* of "memory" */
    if (is_call(i))
        return is_intrinsic(i, "llvm.dbg.") || is_intrinsic(i, "llvm.lifetime.") || is_intrinsic(i, "llvm.assume") ||
               strcmp(called_function(i), LATE_VALUE) == 0 || !(effects_of_call(i) & WRITES);
    return !LLVMIsAStoreInst(i) && !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) && !LLVMIsAFenceInst(i);
}

/* The only block that leads to B, by one edge; NULL if there are others. */
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef b) {
    LLVMValueRef end = only_edge_to(b);
    return end ? LLVMGetInstructionParent(end) : NULL;
}

/* The mark whose state POLL has; NULL if there is none. */
static LLVMValueRef state_before(LLVMValueRef poll) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(poll);
    LLVMValueRef i = LLVMGetPreviousInstruction(poll);
    for (int blocks = 0; b && blocks < BLOCKS; blocks++) {
        for (; i; i = LLVMGetPreviousInstruction(i)) {
            if (is_frame_state(i))
                return i;
            if (!has_no_effects(i))
                return NULL;
        }
        b = only_predecessor(b);
        i = b ? LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(b)) : NULL;
        if (b && is_call(LLVMGetBasicBlockTerminator(b)))
            return NULL;
    }
    return NULL;
}

/* Gives the poll the state of a mark. */
static void take_state(struct compile *c, LLVMValueRef poll, LLVMValueRef mark) {
    struct operands state = call_operands(mark, "deopt");
    struct set values = {0};
    for (unsigned i = state.first; i < state.end; i++)
        set_add_again(&values, LLVMGetOperand(mark, i));
    call_extend(c, poll, "deopt", (LLVMValueRef *)values.item, (unsigned)values.count);
    set_free(&values);
}

/* 1 if the call is of a poll that was placed, and has no state. */
static int is_stateless_poll(LLVMValueRef i) {
    const char *reason = is_call(i) && !call_bundle_size(i, "deopt") ? site_reason(i) : NULL;
    return reason && strcmp(reason, "explicit") != 0;
}

/* Gives F's polls the states that marks have for them. */
static void attach(struct compile *c, LLVMValueRef f) {
    size_t polls = 0, states = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef mark = is_stateless_poll(i) ? state_before(i) : NULL;
            polls += (size_t)is_stateless_poll(i);
            states += mark != NULL;
            if (mark)
                take_state(c, i, mark);
        }
    if (polls)
        remark(c, "frame-states", f, "%zu of %zu poll(s) have the state of a mark", states, polls);
}

LLVMValueRef entry_state(LLVMValueRef f) {
    LLVMValueRef found = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); i; i = LLVMGetNextInstruction(i)) {
        if (is_intrinsic(i, "llvm.localescape")) /* which has to stay in the first block */
            return NULL;
        if (!found && is_frame_state(i))
            found = i;
        if (!found && !has_no_effects(i))
            return NULL;
    }
    return found;
}

void frame_states_attach(struct compile *c) {
    LLVMValueRef mark = mark_function(c);
    if (!mark)
        return;
    note_passes(c, "frame-states");
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f))
        attach(c, f);
    for (LLVMUseRef u; (u = LLVMGetFirstUse(mark)) != NULL;)
        LLVMInstructionEraseFromParent(LLVMGetUser(u));
    LLVMDeleteFunction(mark);
}

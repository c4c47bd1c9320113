/* place.c - safepoint polls: LLVM's pass for entries and backedges, ours for returns and calls.
 *
 * LLVM's pass runs once for both kinds of poll where they can be distinguished afterwards (cfg.c): a poll at a
 * backedge lies in a loop, one at an entry does not. Otherwise it runs twice, first for backedges, then for entries,
 * which gives the same (it decides on both before it inserts either, inserts in this order, and neither kind of poll
 * changes the other's decision), and the calls in the inlined bodies carry their reason.
 */
#include "cfg.h"
#include "deviations.h"
#include "elisions.h"
#include "interval.h"
#include "ir.h"
#include "marks.h"
#include "placing.h"
#include "safepoints.h"
#include "strips.h"
#include "target.h"
#include "unroll.h"

#include <elf.h>

/* Which kinds of polls F wants of LLVM's pass: no backedge polls where those are counted (interval.c), and no entry
 * poll where there is one. */
static int uncounted_polls(const struct compile *c, LLVMValueRef f) {
    return function_polls(c, f) & ~(interval_of(c, f) ? SM_SP_BACKEDGE : 0) &
           ~(text_attribute(f, ENTERED_ATTRIBUTE) ? SM_SP_ENTRY : 0);
}

/* Which kinds of polls any function wants. */
static int any_polls(const struct compile *c) {
    int bits = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        bits |= function_polls(c, f);
    return bits;
}

/* LLVM's pass takes every function with a statepoint strategy; those that want no such poll lose theirs for its time.
 * The name is kept in an attribute meanwhile. */

/* Takes the strategy from functions that want no poll of kind BIT, keeping its name in an attribute: LLVM's pass
 * takes every function with a statepoint strategy. */
static void hide_functions(struct compile *c, int bit) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        const char *gc = LLVMIsDeclaration(f) ? NULL : LLVMGetGC(f);
        if (!is_statepoint_gc(gc) || uncounted_polls(c, f) & bit)
            continue;
        set_text_attribute(c->context, f, GC_ATTRIBUTE, gc);
        LLVMSetGC(f, NULL);
    }
}

/* Gives functions with a library's statepoint strategy a builtin one, keeping the name in an attribute: LLVM's
 * pass knows only two by name. */
static void rename_plugins(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        const char *gc = LLVMIsDeclaration(f) ? NULL : LLVMGetGC(f);
        if (!is_plugin_gc(gc) || !is_statepoint_gc(gc))
            continue;
        set_text_attribute(c->context, f, PLUGIN_GC_ATTRIBUTE, gc);
        LLVMSetGC(f, "statepoint-example");
    }
}

/* Gives functions the strategy back whose name ATTRIBUTE keeps, and removes the attribute. */
static void restore_names(struct compile *c, const char *attribute) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeRef kept = text_attribute(f, attribute);
        unsigned len;
        if (!kept)
            continue;
        char gc[64];
        const char *name = LLVMGetStringAttributeValue(kept, &len);
        snprintf(gc, sizeof gc, "%.*s", (int)len, name);
        LLVMSetGC(f, gc);
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute, (unsigned)strlen(attribute));
    }
}

/* How many calls of F have this reason. */
static size_t count_calls(LLVMValueRef f, const char *reason) {
    size_t n = 0;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        n += (size_t)call_has_reason(i, reason);
    return n;
}

/* Remarks how many calls of this reason were placed in F. */
static void remark_count(struct compile *c, LLVMValueRef f, const char *reason) {
    remark(c, "place-safepoints", f, "%zu %s call(s) placed", count_calls(f, reason), reason);
}

/* Runs LLVM's pass for one kind of poll. */
static sm_status place_by_llvm(struct compile *c, int bit, const char *reason) {
    flags_set(c, bit == SM_SP_ENTRY, bit == SM_SP_BACKEDGE);
    poll_mark(c, reason);
    hide_functions(c, bit);
    sm_status s = run_passes(c, "function(place-safepoints)");
    restore_names(c, GC_ATTRIBUTE);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (uncounted_polls(c, f) & bit)
            remark_count(c, f, reason);
    return s;
}

/* 1 if the call is a poll that was put here, of gc.safepoint_poll, and is not inlined yet. */
static int is_poll_of_ours(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) && strcmp(value_name(callee), "gc.safepoint_poll") == 0;
}

/* Builds a call of gc.safepoint_poll, always to be inlined, before this instruction. */
static LLVMValueRef insert_poll_placed(struct compile *c, LLVMBuilderRef b, LLVMValueRef before) {
    LLVMValueRef poll = LLVMGetNamedFunction(c->module, "gc.safepoint_poll");
    LLVMPositionBuilderBefore(b, before);
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(poll), poll, NULL, 0, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(poll));
    set_call_enum_attribute(call, "alwaysinline");
    return call;
}

/* 1 if the return has to follow the call before it at once: musttail or deoptimize. */
static int belongs_to_call(LLVMValueRef ret) {
    LLVMValueRef before = LLVMGetPreviousInstruction(ret);
    return LLVMIsAReturnInst(ret) && before && LLVMIsACallInst(before) &&
           (is_musttail(before) || is_deoptimize(before));
}

/* Puts a poll before each exit of F, but for returns that have to follow a call at once. */
static void place_returns(struct compile *c, LLVMBuilderRef b, LLVMValueRef f) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (!end || !leaves_function(end))
            continue;
        if (belongs_to_call(end))
            remark(c, "return-polls", f, "no poll before a return that follows a musttail call or a deoptimization");
        else
            insert_poll_placed(c, b, end);
    }
}

/* 1 if a poll is needed before the call: it becomes a statepoint (unless BITS ask for musttail calls only) or is a
 * musttail call, and is no poll itself. */
static int wants_precall_poll(LLVMValueRef call, int bits) {
    int calls = (bits != SP_TAIL && calls_safepoint(call)) ||
                (is_musttail(call) && !intrinsic_name(call) && !is_leaf_call(call));
    return calls && !call_attribute(call, REASON_ATTRIBUTE);
}

/* Puts a poll before the call if F's options want one there. */
static void place_precall(struct compile *c, LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef call) {
    if (wants_precall_poll(call, function_polls(c, f) & (SM_SP_PRECALL | SP_TAIL)))
        insert_poll_placed(c, b, call);
}

/* The place where an invoke has returned: other paths that lead there are polled with it. */
static LLVMValueRef behind_invoke(LLVMValueRef invoke) {
    return past_phis(LLVMGetNormalDest(invoke));
}

/* Puts a poll after the call if it returns and becomes a statepoint, and no poll is there yet. None after musttail
 * calls, whose return has to follow at once. */
static void place_postcall(struct compile *c, LLVMBuilderRef b, LLVMValueRef call) {
    if (is_musttail(call) || !wants_precall_poll(call, SM_SP_POSTCALL) || is_poll_of_ours(call))
        return;
    LLVMValueRef next = LLVMIsAInvokeInst(call) ? behind_invoke(call) : LLVMGetNextInstruction(call);
    if (!LLVMIsAUnreachableInst(next) && !(LLVMIsACallInst(next) && is_poll_of_ours(next)))
        insert_poll_placed(c, b, next);
}

/* Puts polls of kind BIT, as calls with this reason, in all functions that want them, and has LLVM inline them. */
static sm_status place_by_us(struct compile *c, int bit, const char *reason) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);

    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (!(function_polls(c, f) & bit))
            continue;
        if (bit == SM_SP_RETURN)
            place_returns(c, b, f);
        for (LLVMValueRef call = bit == SM_SP_RETURN ? NULL : first_call(f), next; call; call = next) {
            next = next_call(call);
            if (bit & SM_SP_PRECALL)
                place_precall(c, b, f, call);
            else
                place_postcall(c, b, call);
        }
    }
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_OWN_POLLS);
    poll_mark(c, reason);
    return inline_marked(c, NULL);
}

/* ---- Entries --------------------------------------------------------------------------------------------------- */

/* LLVM's pass puts the entry poll before the first call, behind whatever a function does before it: between the load
 * and the store of an allocation's top, for one. Where that can be distinguished from a poll at the entry, the poll
 * is put there. */

/* 1 if I accesses memory that is no object: the runtime's, or a slot that is declared a root behind it. */
static int leaves_heap(LLVMValueRef i) {
    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i);
    return LLVMGetVolatile(i) || !is_reference(LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0));
}

/* 1 if a poll before I is another one than a poll after it. */
static int matters(LLVMValueRef i) {
    return leaves_heap(i) || LLVMIsAPtrToIntInst(i) || LLVMIsAIntToPtrInst(i) || LLVMIsAAddrSpaceCastInst(i) ||
           is_intrinsic(i, "llvm.mem") || is_intrinsic(i, GC_READ) || is_intrinsic(i, GC_WRITE);
}

/* The block that LLVM's pass goes on to behind B's end; NULL if it stops there. */
static LLVMBasicBlockRef only_successor(LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    LLVMBasicBlockRef next = end && LLVMGetNumSuccessors(end) == 1 ? LLVMGetSuccessor(end, 0) : NULL;
    LLVMUseRef use = next ? LLVMGetFirstUse(LLVMBasicBlockAsValue(next)) : NULL;
    return use && !LLVMGetNextUse(use) ? next : NULL;
}

/* 1 if LLVM's pass would put F's entry poll behind an instruction that matters. */
static int is_polled_late(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetEntryBasicBlock(f); b; b = only_successor(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_call(i) && (!intrinsic_name(i) || sites_is_record(i)))
                return 0;
            if (is_intrinsic(i, "llvm.localescape")) /* it has to be in the first block, which a poll may end */
                return 0;
            if (matters(i))
                return 1;
        }
    return 0;
}

/* Polls the entries of functions that LLVM's pass would poll too late, or before the mark of the state there. */
static sm_status place_entries(struct compile *c) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    int any = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef state = LLVMIsDeclaration(f) ? NULL : entry_state(f);
        if (LLVMIsDeclaration(f) || !(uncounted_polls(c, f) & SM_SP_ENTRY) || (!state && !is_polled_late(f)))
            continue;
        LLVMValueRef begin = allocas_gather(b, f);
        insert_poll_placed(c, b, state ? LLVMGetNextInstruction(state) : begin);
        set_text_attribute(c->context, f, ENTERED_ATTRIBUTE, "");
        any = 1;
    }
    LLVMDisposeBuilder(b);
    if (!any)
        return SM_OK;
    deviate(c, DEVIATION_OWN_POLLS);
    note_passes(c, "entry-polls");
    poll_mark(c, "entry-poll");
    sm_status s = inline_marked(c, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (text_attribute(f, ENTERED_ATTRIBUTE))
            remark_count(c, f, "entry-poll");
    return s;
}

/* Takes the marks off that place_entries left. */
static void forget_entries(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (text_attribute(f, ENTERED_ATTRIBUTE))
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, ENTERED_ATTRIBUTE,
                                             sizeof ENTERED_ATTRIBUTE - 1);
}

/* ---- LLVM's pass ------------------------------------------------------------------------------------------------ */

/* 1 if all functions with polls of LLVM's kinds want both of them. */
static int all_need_both(const struct compile *c) {
    const int both = SM_SP_ENTRY | SM_SP_BACKEDGE;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        int is_ours = !LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f));
        if (is_ours && (uncounted_polls(c, f) & both) != both && strcmp(value_name(f), "gc.safepoint_poll") != 0)
            return 0;
    }
    return 1;
}

#define EITHER "poll" /* the reason of a call in a poll whose kind is not known yet */

/* Runs LLVM's pass once for entry and backedge polls, and tells them apart by F's loops. */
static sm_status place_both_by_llvm(struct compile *c) {
    flags_set(c, 1, 1);
    poll_mark(c, EITHER);
    sm_status s = run_passes(c, "function(place-safepoints)");
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        if (!function_polls(c, f))
            continue;
        struct loops loops;
        loops_of(&loops, f);
        for (LLVMValueRef call = first_call(f); call; call = next_call(call))
            if (call_has_reason(call, EITHER))
                set_call_attribute(c->context, call, REASON_ATTRIBUTE,
                                   loops_contain(&loops, LLVMGetInstructionParent(call)) ? "backedge-poll"
                                                                                         : "entry-poll");
        loops_free(&loops);
        remark_count(c, f, "entry-poll");
        remark_count(c, f, "backedge-poll");
    }
    return s;
}

/* Places entry and backedge polls, as BITS ask, with LLVM's pass: in one run if the kinds can be distinguished
 * afterwards, else in two. */
static sm_status place_by_pass(struct compile *c, int bits) {
    sm_status s = SM_OK;
    note_passes(c, "function(place-safepoints)");
    if (all_need_both(c) && poll_is_plain(c))
        return place_both_by_llvm(c);
    if (bits & SM_SP_BACKEDGE)
        s = place_by_llvm(c, SM_SP_BACKEDGE, "backedge-poll");
    if (s == SM_OK && bits & SM_SP_ENTRY)
        s = place_by_llvm(c, SM_SP_ENTRY, "entry-poll");
    return s;
}

/* Places entry and backedge polls, as BITS ask, and remarks the backedges that are left without. */
static sm_status place_llvms(struct compile *c, int bits) {
    sm_status s = bits & SM_SP_ENTRY ? place_entries(c) : SM_OK;
    if (s == SM_OK && bits & SM_SP_BACKEDGE)
        s = unroll_polled(c);
    size_t strips = s == SM_OK && bits & SM_SP_BACKEDGE ? strips_place(c, insert_poll_placed) : 0;
    struct elisions *e = elisions_before(c);
    if (s == SM_OK && bits & (SM_SP_ENTRY | SM_SP_BACKEDGE))
        s = place_by_pass(c, bits);
    if (s == SM_OK && strips) {
        poll_mark(c, "backedge-poll");
        s = inline_marked(c, NULL);
    }
    elisions_after(c, e);
    forget_entries(c);
    return s;
}

/* Places precall, postcall and return polls, as BITS ask. */
static sm_status place_ours(struct compile *c, int bits) {
    sm_status s = SM_OK;
    if (bits & (SM_SP_PRECALL | SP_TAIL)) {
        note_passes(c, "precall-polls");
        s = place_by_us(c, SM_SP_PRECALL | SP_TAIL, "precall-poll");
    }
    if (s == SM_OK && bits & SM_SP_POSTCALL) {
        note_passes(c, "postcall-polls");
        s = place_by_us(c, SM_SP_POSTCALL, "postcall-poll");
    }
    if (s == SM_OK && bits & SM_SP_RETURN) {
        note_passes(c, "return-polls");
        s = place_by_us(c, SM_SP_RETURN, "return-poll");
    }
    return s;
}

/* Finds leaf calls, and places all polls. Requires strategies and a verified module; gives polls whose calls carry their reason. Where an
 * entry's poll stands depends on the module's instructions, so those of polls at calls and returns come after it. */
sm_status stage_place(struct compile *c) {
    assert(c->form == FORM_OPTIMISED);
    sm_status s = leaf_calls_mark(c);
    if (s != SM_OK)
        return s;
    int bits = any_polls(c);
    if (!bits) {
        sm_status none = interval_place(c);
        frame_states_attach(c);
        return none;
    }
    s = poll_prepare(c, 0);
    optnone_hide(c, 1);
    rename_plugins(c);
    if (s == SM_OK)
        s = interval_place(c);
    if (s == SM_OK)
        s = place_llvms(c, bits);
    if (s == SM_OK)
        s = place_ours(c, bits);
    if (s == SM_OK)
        frame_states_attach(c);
    deopt_repair(c);
    restore_names(c, PLUGIN_GC_ATTRIBUTE);
    optnone_hide(c, 0);
    return s == SM_OK ? poll_finish(c) : s;
}

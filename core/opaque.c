/* opaque.c - values whose base LLVM's rewrite would not find, because it does not look through what makes them.
 *
 * The rewrite takes for an object's address whatever a call gives, be it an intrinsic or inline assembly, and
 * whatever is extracted from a struct (RewriteStatepointsForGC.cpp, findBaseDefiningValue). If a derived pointer goes
 * in and comes out, the map would have it as its own base. So before the rewrite:
 *
 *   - what gives its operand back is replaced by it: llvm.launder.invariant.group, strip.invariant.group,
 *     ptr.annotation, and calls whose argument is "returned";
 *   - llvm.ptrmask becomes arithmetic on the same pointer;
 *   - atomicrmw xchg of references, whose result would get its place's base, exchanges integers;
 *   - a masked load gets what it gives in the lanes that it does not load from a select;
 *   - whatever else has a derived pointer in it, and stays alive across a safepoint, is refused by name.
 *
 * Requires the optimised module, before the rewrite.
 */
#include "core.h"
#include "leaves.h"
#include "set.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* 1 if the text begins with one of the prefixes, whose list ends in NULL. */
static int starts_with_any(const char *text, const char *const *prefixes) {
    for (; *prefixes; prefixes++)
        if (starts_with(text, *prefixes))
            return 1;
    return 0;
}

/* ---- What is replaced ---------------------------------------------------------------------------------------- */

/* Puts W in the place of V everywhere, and deletes V. */
static void replace_value(struct compile *c, LLVMValueRef v, LLVMValueRef w) {
    LLVMReplaceAllUsesWith(v, w);
    LLVMInstructionEraseFromParent(v);
    deviate(c, DEVIATION_LOOKS_THROUGH);
}

/* Replaces the call by its first argument. */
static void pass_on(struct compile *c, LLVMValueRef call) {
    replace_value(c, call, LLVMGetOperand(call, 0));
}

/* Replaces llvm.ptrmask by a getelementptr on the same pointer, over the distance that the mask changes it by. */
static void add_mask(struct compile *c, LLVMValueRef call) {
    LLVMValueRef pointer = LLVMGetOperand(call, 0), mask = LLVMGetOperand(call, 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef address = LLVMBuildPtrToInt(b, pointer, LLVMTypeOf(mask), "");
    LLVMValueRef masked = LLVMBuildAnd(b, address, mask, ""), distance = LLVMBuildSub(b, masked, address, "");
    LLVMValueRef made = LLVMBuildGEP2(b, LLVMInt8TypeInContext(c->context), pointer, &distance, 1, "");
    LLVMDisposeBuilder(b);
    replace_value(c, call, made);
}

/* Replaces a masked load by one that gives poison in the lanes that are not loaded, and a select that puts its
 * last operand there. */
static void select_lanes(struct compile *c, LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMValueRef args[4], other = LLVMGetOperand(call, n - 1), mask = LLVMGetOperand(call, n - 2);
    struct call_parts p = {LLVMGetCalledFunctionType(call), LLVMGetCalledValue(call), args, n, NULL, 0};
    if (LLVMIsConstant(other))
        return;
    for (unsigned i = 0; i < n; i++)
        args[i] = LLVMGetOperand(call, i);
    args[n - 1] = LLVMGetPoison(LLVMTypeOf(other));
    LLVMValueRef made = call_build(c, call, &p);
    for (unsigned i = 0; i < n; i++)
        call_copy_attributes(call, i + 1, made, i + 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef selected = LLVMBuildSelect(b, mask, made, other, "");
    LLVMDisposeBuilder(b);
    replace_value(c, call, selected);
}

static const struct {
    const char *name; /* the beginning of an intrinsic's */
    unsigned operands;
    void (*mend)(struct compile *c, LLVMValueRef call);
} mended[] = {{"llvm.launder.invariant.group.", 1, pass_on}, {"llvm.strip.invariant.group.", 1, pass_on},
              {"llvm.ptr.annotation.", 5, pass_on},          {"llvm.ptrmask.", 2, add_mask},
              {"llvm.masked.load.", 4, select_lanes},        {"llvm.masked.gather.", 4, select_lanes},
              {"llvm.masked.expandload.", 3, select_lanes}};

/* The argument that the call or its callee says it returns; NULL if there is none. */
static LLVMValueRef returned(LLVMValueRef call) {
    unsigned kind = LLVMGetEnumAttributeKindForName("returned", 8), n = LLVMGetNumArgOperands(call);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    for (unsigned i = 0; i < n; i++)
        if (LLVMTypeOf(LLVMGetOperand(call, i)) == LLVMTypeOf(call) &&
            (LLVMGetCallSiteEnumAttribute(call, i + 1, kind) ||
             (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, i + 1, kind))))
            return LLVMGetOperand(call, i);
    return NULL;
}

/* Replaces the call by what the rewrite looks through, if it is one of MENDED, or by its argument if it is a
 * derived pointer that is "returned". */
static void mend(struct compile *c, LLVMValueRef call) {
    const char *name = intrinsic_name(call);
    for (size_t i = 0; name && i < sizeof mended / sizeof *mended; i++)
        if (starts_with(name, mended[i].name) && LLVMGetNumArgOperands(call) == mended[i].operands) {
            mended[i].mend(c, call);
            return;
        }
    LLVMValueRef same = name ? NULL : returned(call);
    if (!same || !LLVMGetFirstUse(call) || !is_derived(c, same))
        return;
    LLVMReplaceAllUsesWith(call, same);
    deviate(c, DEVIATION_LOOKS_THROUGH);
}

/* Makes an atomic exchange of references one of integers: the rewrite would take the base of the memory's address
 * for the base of the result; an integer cast to a reference it takes for a base of its own. */
static void exchange_integer(struct compile *c, LLVMValueRef old) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, old);
    LLVMValueRef address = LLVMBuildPtrToInt(b, LLVMGetOperand(old, 1), i64, "");
    LLVMValueRef made = LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpXchg, LLVMGetOperand(old, 0), address,
                                           LLVMGetOrdering(old), LLVMIsAtomicSingleThread(old));
    LLVMSetAlignment(made, LLVMGetAlignment(old));
    LLVMSetVolatile(made, LLVMGetVolatile(old));
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(old));
    LLVMValueRef reference = LLVMBuildIntToPtr(b, made, LLVMTypeOf(old), "");
    LLVMDisposeBuilder(b);
    replace_value(c, old, reference);
}

/* 1 if only other extractvalues of SWAP are between SWAP and TAKEN. */
static int is_taken_at_once(LLVMValueRef taken, LLVMValueRef swap) {
    LLVMValueRef before = LLVMGetPreviousInstruction(taken);
    while (before && before != swap && LLVMIsAExtractValueInst(before) && LLVMGetOperand(before, 0) == swap)
        before = LLVMGetPreviousInstruction(before);
    return before == swap;
}

/* Moves the extractvalues of a cmpxchg's result right after it, as the optimiser may have moved them past a
 * safepoint. */
static void take_at_once(struct compile *c, LLVMValueRef swap) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (LLVMUseRef use = LLVMGetFirstUse(swap); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAExtractValueInst(user) || is_taken_at_once(user, swap))
            continue;
        LLVMInstructionRemoveFromParent(user);
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(swap));
        LLVMInsertIntoBuilder(b, user);
        deviate(c, DEVIATION_LOOKS_THROUGH);
    }
    LLVMDisposeBuilder(b);
}

/* Makes the atomic instructions of F that give references such as the rewrite reads rightly. SM_NOMEM, or
 * SM_OK. */
static sm_status mend_atomics(struct compile *c, LLVMValueRef f) {
    struct set found = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if ((LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) && holds_reference(LLVMTypeOf(i)))
                set_add(&found, i);
    for (size_t i = 0; i < found.count; i++)
        if (LLVMIsAAtomicRMWInst(found.item[i]))
            exchange_integer(c, found.item[i]);
        else
            take_at_once(c, found.item[i]);
    set_free(&found);
    return found.failed ? fail(c, SM_NOMEM, f, "Memory ran out") : SM_OK;
}

/* Adds CALL to the set in ARG if it gives a reference. */
static void collect_reference(void *arg, LLVMValueRef f, LLVMValueRef call) {
    (void)f;
    if (is_reference(call))
        set_add(arg, call);
}

/* 1 if F extracts a reference from a struct that it has put together: that is what was put in, and can be
 * simplified. */
static int puts_references(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAExtractValueInst(i) && holds_reference(LLVMTypeOf(i)) &&
                LLVMIsAInsertValueInst(LLVMGetOperand(i, 0)))
                return 1;
    return 0;
}

/* Replaces, in functions with statepoints, what gives back a pointer in a way that LLVM's rewrite does not look
 * through. Requires polls placed, before the rewrite. */
sm_status opaque_mend(struct compile *c) {
    assert(c->form == FORM_POLLED);
    sm_status s = SM_OK;
    int puts = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        struct set calls = {0};
        if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)))
            continue;
        puts |= puts_references(f);
        visit_calls(f, collect_reference, &calls);
        for (size_t i = 0; i < calls.count; i++)
            mend(c, calls.item[i]);
        if (calls.failed)
            s = fail(c, SM_NOMEM, f, "Out of memory");
        set_free(&calls);
        if (s == SM_OK)
            s = mend_atomics(c, f);
    }
    if (s != SM_OK || !puts)
        return s;
    optnone_hide(c);
    note_passes(c, "function(instsimplify)");
    s = run_folding_passes(c, "function(instsimplify)");
    optnone_show(c);
    return s;
}

/* ---- What is refused ----------------------------------------------------------------------------------------- */

/* 1 if V is made of its operands in a way that the rewrite does not look through: an extractvalue, an intrinsic
 * that does not load, or inline assembly. */
static int is_opaque(LLVMValueRef v) {
    static const char *const load[] = {"llvm.experimental.gc.",
                                       "llvm.masked.load.",
                                       "llvm.masked.gather.",
                                       "llvm.masked.expandload.",
                                       "llvm.vp.load.",
                                       "llvm.vp.gather.",
                                       "llvm.experimental.vp.strided.load.",
                                       NULL};
    if (!is_call(v))
        return LLVMIsAExtractValueInst(v) != NULL;
    const char *name = intrinsic_name(v);
    return name ? !starts_with_any(name, load) : LLVMIsAInlineAsm(LLVMGetCalledValue(v)) != NULL;
}

/* 1 if V gives one of its operands, or holds it. */
static int passes_on(LLVMValueRef v) {
    return LLVMIsAInsertValueInst(v) || LLVMIsAPHINode(v) || LLVMIsASelectInst(v) || LLVMIsAFreezeInst(v);
}

/* 1 if a derived pointer may be in V, looking through what passes values on. Adds an error when out of memory. */
static int holds_derived(struct compile *c, LLVMValueRef v) {
    struct set all = {0};
    int derived = 0;
    set_add(&all, v);
    for (size_t i = 0; i < all.count && !derived; i++) {
        LLVMValueRef at = all.item[i],
                     part = LLVMIsAExtractValueInst(at)
                                ? part_of(LLVMGetOperand(at, 0), LLVMGetIndices(at), LLVMGetNumIndices(at))
                                : NULL;
        if (part) /* what else was put in does not matter */
            set_add(&all, part);
        else if (is_reference(at) && is_derived(c, at))
            derived = 1;
        else if (LLVMIsAInstruction(at) && (is_opaque(at) || passes_on(at)))
            for (int k = 0; k < LLVMGetNumOperands(at); k++)
                if (holds_reference(LLVMTypeOf(LLVMGetOperand(at, (unsigned)k))))
                    set_add(&all, LLVMGetOperand(at, (unsigned)k));
    }
    if (all.failed)
        fail(c, SM_NOMEM, NULL, "Out of memory");
    set_free(&all);
    return derived;
}

/* 1 if V is a reference that may be a derived pointer whose base the rewrite would not find. */
int is_opaque_derived(struct compile *c, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && is_reference(v) && is_opaque(v) && holds_derived(c, v);
}

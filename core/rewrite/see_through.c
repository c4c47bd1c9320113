/* see_through.c - values whose base LLVM's rewrite would not find, because it does not look through what makes them.
 *
 * The rewrite takes for an object's address whatever a call gives, be it an intrinsic or inline assembly, and
 * whatever is extracted from a struct (RewriteStatepointsForGC.cpp, findBaseDefiningValue). If a derived pointer goes
 * in and comes out, the map would have it as its own base. So before the rewrite:
 *
 *   - what gives its operand back is replaced by it: llvm.launder.invariant.group, strip.invariant.group,
 *     ptr.annotation, and calls whose argument is "returned";
 *   - llvm.ptrmask becomes arithmetic on the same pointer (llvm19/pointer_masks.c);
 *   - atomicrmw xchg of references, whose result would get its place's base, exchanges integers;
 *   - a masked load gets what it gives in the lanes that it does not load from a select;
 *   - a derived pointer that a statepoint of the module's own has relocated becomes arithmetic on its base, which that
 *     statepoint has relocated, too, in functions with calls that will be statepoints;
 *   - casts that give vectors of references, at which the rewrite ends the process, are casts of each lane;
 *   - whatever else has a derived pointer in it, and stays alive across a safepoint, is refused by name.
 *
 * Requires the optimised module, before the rewrite.
 */
#include "analysis.h"
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "steps.h"

#include <llvm-c/DebugInfo.h>

/* ---- What is replaced ---------------------------------------------------------------------------------------- */

/* Puts W in the place of V everywhere, and deletes V. */
static void look_through(struct compile *c, LLVMValueRef v, LLVMValueRef w) {
    replace_value(v, w);
    deviate(c, DEVIATION_LOOKS_THROUGH);
}

/* Replaces the call by its first argument. */
static void pass_on(struct compile *c, LLVMValueRef call) {
    look_through(c, call, LLVMGetOperand(call, 0));
}

/* Replaces a masked load by one that gives poison in the lanes that are not loaded, and a select that puts its
 * last operand there. */
static void select_lanes(struct compile *c, LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMValueRef args[4], other = LLVMGetOperand(call, n - 1), mask = LLVMGetOperand(call, n - 2);
    struct call_parts p = {LLVMGetCalledFunctionType(call), LLVMGetCalledValue(call), args, n, NULL, 0, 0};
    if (LLVMIsConstant(other))
        return;
    for (unsigned i = 0; i < n; i++)
        args[i] = LLVMGetOperand(call, i);
    args[n - 1] = LLVMGetPoison(LLVMTypeOf(other));
    LLVMValueRef created = call_build(call, &p);
    for (unsigned i = 0; i < n; i++)
        call_copy_attributes(call, i + 1, created, i + 1);
    LLVMBuilderRef b = builder_at(call);
    LLVMValueRef selected = LLVMBuildSelect(b, mask, created, other, "");
    LLVMDisposeBuilder(b);
    look_through(c, call, selected);
}

static const struct {
    const char *name; /* the beginning of an intrinsic's */
    unsigned operands;
    void (*repair)(struct compile *c, LLVMValueRef call);
} repaired[] = {{"llvm.launder.invariant.group.", 1, pass_on}, {"llvm.strip.invariant.group.", 1, pass_on},
                {"llvm.ptr.annotation.", 5, pass_on},          {"llvm.masked.load.", 4, select_lanes},
                {"llvm.masked.gather.", 4, select_lanes},      {"llvm.masked.expandload.", 3, select_lanes}};

/* The argument that the call or its callee says it returns; NULL if there is none. */
static LLVMValueRef returned(LLVMValueRef call) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMTypeOf(LLVMGetOperand(call, i)) == LLVMTypeOf(call) && argument_has(call, i, "returned"))
            return LLVMGetOperand(call, i);
    return NULL;
}

/* Replaces the call by what the rewrite looks through, if it is one of MENDED, or by its argument if it is a
 * derived pointer that is "returned". */
static void repair(struct compile *c, LLVMValueRef call) {
    const char *name = intrinsic_name(call);
    for (size_t i = 0; name && i < sizeof repaired / sizeof *repaired; i++)
        if (starts_with(name, repaired[i].name) && LLVMGetNumArgOperands(call) == repaired[i].operands) {
            repaired[i].repair(c, call);
            return;
        }
    LLVMValueRef same = name ? NULL : returned(call);
    if (!same || !LLVMGetFirstUse(call) || !is_derived(same))
        return;
    LLVMReplaceAllUsesWith(call, same);
    deviate(c, DEVIATION_LOOKS_THROUGH);
}

/* Makes an atomic exchange of references one of integers: the rewrite would take the base of the memory's address
 * for the base of the result; an integer cast to a reference it takes for a base of its own. */
static void exchange_integer(struct compile *c, LLVMValueRef old) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context);
    LLVMBuilderRef b = builder_at(old);
    LLVMValueRef address = LLVMBuildPtrToInt(b, LLVMGetOperand(old, 1), i64, "");
    LLVMValueRef created = LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpXchg, LLVMGetOperand(old, 0), address,
                                              LLVMGetOrdering(old), LLVMIsAtomicSingleThread(old));
    LLVMSetAlignment(created, LLVMGetAlignment(old));
    LLVMSetVolatile(created, LLVMGetVolatile(old));
    LLVMInstructionSetDebugLoc(created, LLVMInstructionGetDebugLoc(old));
    LLVMValueRef reference = LLVMBuildIntToPtr(b, created, LLVMTypeOf(old), "");
    LLVMDisposeBuilder(b);
    look_through(c, old, reference);
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

/* Makes the atomic instructions of F that give references such as the rewrite reads rightly. */
static void repair_atomics(struct compile *c, LLVMValueRef f) {
    struct set result = {0};
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if ((LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) && holds_reference(LLVMTypeOf(i)))
            set_add(&result, i);
    for (size_t i = 0; i < result.count; i++)
        if (LLVMIsAAtomicRMWInst(result.item[i]))
            exchange_integer(c, result.item[i]);
        else
            take_at_once(c, result.item[i]);
    set_free(&result);
}

/* ---- Derived pointers that the module's own statepoints have relocated ------------------------------------------ */

/* 1 if V relocates a derived pointer: the indexes of base and derived pointer differ. */
static int is_derived_relocate(LLVMValueRef v) {
    return is_relocate(v) && LLVMGetOperand(v, RELOCATE_BASE) != LLVMGetOperand(v, RELOCATE_DERIVED);
}

/* The relocation in V's block of V's base; NULL if there is none. */
static LLVMValueRef base_relocation(LLVMValueRef v) {
    LLVMValueRef base = LLVMGetOperand(v, RELOCATE_BASE);
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(v, RELOCATE_TOKEN)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef r = LLVMGetUser(use);
        if (is_relocate(r) && LLVMGetOperand(r, RELOCATE_BASE) == base &&
            LLVMGetOperand(r, RELOCATE_DERIVED) == base && LLVMGetInstructionParent(r) == LLVMGetInstructionParent(v))
            return r;
    }
    return NULL;
}

/* 1 if X stands before Y, which is in its block. Takes as many steps as there are between them. */
static int precedes_relocation(LLVMValueRef x, LLVMValueRef y) {
    for (LLVMValueRef a = x, b = y; a; a = LLVMGetNextInstruction(a)) {
        if (a == y)
            return 1;
        b = b ? LLVMGetNextInstruction(b) : NULL;
        if (b == x)
            return 0;
    }
    return 0;
}

/* The relocation of V's base, in front of V. It is built, with V's type, if the module has none in V's block. Another
 * derived pointer may use it already. */
static LLVMValueRef base_before(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMValueRef base = base_relocation(v);
    LLVMPositionBuilderBefore(b, v);
    if (base && precedes_relocation(base, v))
        return base;
    if (base) {
        LLVMInstructionRemoveFromParent(base);
        LLVMInsertIntoBuilder(b, base);
        return base;
    }
    LLVMValueRef callee = LLVMGetCalledValue(v);
    LLVMValueRef args[] = {LLVMGetOperand(v, RELOCATE_TOKEN), LLVMGetOperand(v, RELOCATE_BASE),
                           LLVMGetOperand(v, RELOCATE_BASE)};
    base = LLVMBuildCall2(b, LLVMGlobalGetValueType(callee), callee, args, 3, "");
    LLVMSetInstructionCallConv(base, LLVMGetInstructionCallConv(v));
    return base;
}

/* Replaces V, a derived pointer that was relocated, by its base and the distance between both. */
static void derive_anew(struct compile *c, LLVMValueRef v) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef base = base_before(b, v), after = LLVMGetNextInstruction(v);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context), type = i64;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind)
        type = LLVMVectorType(i64, LLVMGetVectorSize(LLVMTypeOf(v)));
    LLVMPositionBuilderBefore(b, after);
    LLVMValueRef from = LLVMBuildPtrToInt(b, base, type, ""), to = LLVMBuildPtrToInt(b, v, type, "");
    LLVMValueRef distance = LLVMBuildSub(b, to, from, "");
    LLVMValueRef created = LLVMBuildGEP2(b, LLVMInt8TypeInContext(c->context), base, &distance, 1, "");
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(v, created);
    LLVMSetOperand(to, 0, v);
    deviate(c, DEVIATION_LOOKS_THROUGH);
}

/* 1 if I is an inttoptr of a vector, or a bitcast between a reference and a vector of one. */
static int is_lane_cast(LLVMValueRef i) {
    if (!is_reference(i) || !(LLVMIsAIntToPtrInst(i) || LLVMIsABitCastInst(i)))
        return 0;
    int from = is_vector(LLVMTypeOf(LLVMGetOperand(i, 0))), to = is_vector(LLVMTypeOf(i));
    return LLVMIsAIntToPtrInst(i) ? to : from != to;
}

/* Replaces such a cast by one of each lane. */
static void cast_lanes(struct compile *c, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i), number = LLVMInt32TypeInContext(c->context);
    LLVMValueRef from = LLVMGetOperand(i, 0), to = is_vector(type) ? LLVMGetPoison(type) : NULL;
    unsigned lanes = to ? LLVMGetVectorSize(type) : 1;
    LLVMBuilderRef b = builder_at(i);
    for (unsigned n = 0; n < lanes; n++) {
        LLVMValueRef at = LLVMConstInt(number, n, 0), lane = from;
        if (is_vector(LLVMTypeOf(from)))
            lane = LLVMBuildExtractElement(b, from, at, "");
        if (LLVMIsAIntToPtrInst(i))
            lane = LLVMBuildIntToPtr(b, lane, element_type(type), "");
        to = to ? LLVMBuildInsertElement(b, to, lane, at, "") : lane;
    }
    LLVMDisposeBuilder(b);
    look_through(c, i, to);
}

/* Replaces those of F. */
static void repair_lane_casts(struct compile *c, LLVMValueRef f) {
    struct set result = {0};
    collect_instructions(f, is_lane_cast, &result);
    for (size_t i = 0; i < result.count; i++)
        cast_lanes(c, result.item[i]);
    set_free(&result);
}

/* Makes derived pointers that statepoints of F's own have relocated such as the rewrite knows the bases of. Where it
 * makes no statepoint, it asks for no base. */
static void derive_relocated(struct compile *c, LLVMValueRef f) {
    struct set result = {0};
    LLVMValueRef plain = first_call(f);
    while (plain && (is_statepoint(plain) || !is_safepoint(c, plain)))
        plain = next_call(plain);
    for (LLVMValueRef i = plain ? first_call(f) : NULL; i; i = next_call(i))
        if (is_derived_relocate(i) && LLVMGetFirstUse(i))
            set_add(&result, i);
    for (size_t i = 0; i < result.count; i++)
        derive_anew(c, result.item[i]);
    set_free(&result);
}

/* ---- All of it ------------------------------------------------------------------------------------------------ */

/* 1 if I extracts a reference from a struct that was put together: that is what was put in, and can be simplified. */
static int takes_out_again(LLVMValueRef i) {
    return LLVMIsAExtractValueInst(i) && holds_reference(LLVMTypeOf(i)) &&
           LLVMIsAInsertValueInst(LLVMGetOperand(i, 0));
}

/* Replaces, in functions with statepoints, what gives back a pointer in a way that LLVM's rewrite does not look
 * through. Requires polls placed, before the rewrite. */
sm_status see_through(struct compile *c) {
    assert(c->form == FORM_POLLED);
    int puts = 0;
    masks_lower(c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        struct set calls = {0};
        if (!function_has_statepoints(f))
            continue;
        puts |= any_instruction(f, takes_out_again);
        collect_calls(f, is_reference, &calls);
        for (size_t i = 0; i < calls.count; i++)
            repair(c, calls.item[i]);
        set_free(&calls);
        repair_atomics(c, f);
        repair_lane_casts(c, f);
        if (c->has & HAS_STATEPOINTS)
            derive_relocated(c, f);
    }
    if (!puts)
        return SM_OK;
    return run_folding_everywhere(c, "function(instsimplify)");
}

/* ---- What is refused ----------------------------------------------------------------------------------------- */

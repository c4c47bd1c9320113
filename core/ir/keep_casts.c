/* keep_casts.c - the address of a reference is asked for where the module asks, and nowhere else.
 *
 * To LLVM a cast of a reference to an integer has the same value wherever it stands. So the optimiser takes it out of
 * loops, makes one of two, puts it off until it is used, and makes x of the integer that a reference was computed
 * from x; all of that over safepoints, of which it knows nothing. Behind one the integer is a stale address: it marks
 * the old object's card, is on the wrong side of a generation's border, or is a reference that no map has.
 *
 * While such passes run, the operand of the cast goes through llvm.launder.invariant.group, which keeps it from being
 * executed earlier, and its result through llvm.annotation, which keeps it from being executed later: both cost
 * nothing, are looked through by alias analysis, and are declared to change memory that nobody sees, so that they
 * stay where they are. The integer that a reference is computed from goes through a function of ours that may be
 * called earlier only where it is called anyway: behind a test of its tag it may be no address at all. Casts the
 * other way, ordered comparisons of references, and masks that take more than a tag from one are kept in the same
 * way.
 */
#include "deviations.h"
#include "ir.h"
#include "marks.h"

#define MARK 0x736d64 /* the line of ours among llvm.annotation */

struct keeper {
    struct compile *c;
    LLVMBuilderRef builder;
};

/* Builds a call of the overloaded intrinsic NAME for TYPES, and gives it. */
static LLVMValueRef call_intrinsic(struct keeper *k, const char *name, LLVMTypeRef *types, size_t count,
                                   LLVMValueRef *args, unsigned arg_count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(k->c->module, id, types, count);
    return LLVMBuildCall2(k->builder, LLVMGlobalGetValueType(f), f, args, arg_count, "");
}

/* Calls llvm.launder.invariant.group on the pointer V, and gives its result. */
static LLVMValueRef launder_one(struct keeper *k, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return call_intrinsic(k, "llvm.launder.invariant.group", &type, 1, &v, 1);
}

/* Gives V through llvm.launder.invariant.group, so that what uses the result cannot be moved before this place; a
 * vector lane by lane. A constant is given as it is. */
static LLVMValueRef launder(struct keeper *k, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v), i32 = LLVMInt32TypeInContext(k->c->context);
    if (LLVMIsConstant(v))
        return v;
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return launder_one(k, v);
    LLVMValueRef complete = LLVMGetPoison(type);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        LLVMValueRef lane = LLVMBuildExtractElement(k->builder, v, LLVMConstInt(i32, i, 0), "");
        complete = LLVMBuildInsertElement(k->builder, complete, launder_one(k, lane), LLVMConstInt(i32, i, 0), "");
    }
    return complete;
}

/* Gives the integer V through llvm.annotation, marked as smd's, so that its computation cannot be moved after this
 * place. */
static LLVMValueRef annotate(struct keeper *k, LLVMValueRef v) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(k->c->context, 0), types[] = {LLVMTypeOf(v), pointer};
    LLVMValueRef none = LLVMConstNull(pointer);
    LLVMValueRef args[] = {v, none, none, LLVMConstInt(LLVMInt32TypeInContext(k->c->context), MARK, 0)};
    return call_intrinsic(k, "llvm.annotation", types, 2, args, 4);
}

/* Gives the integer V through a function that reads no memory and is no safepoint, and of which LLVM does not know
 * that it could be called before a test. */
static LLVMValueRef hold_back(struct keeper *k, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    char name[32];
    snprintf(name, sizeof name, OPAQUE_WORD "%u", LLVMGetIntTypeWidth(type));
    LLVMValueRef f = declared_function(k->c->module, name, LLVMFunctionType(type, &type, 1, 0));
    set_text_attribute(k->c->context, f, LEAF_ATTRIBUTE, "");
    set_function_attributes(f, "memory,nounwind,willreturn,nosync,nofree");
    return LLVMBuildCall2(k->builder, LLVMGlobalGetValueType(f), f, &v, 1, "");
}

/* ---- What is kept -------------------------------------------------------------------------------------------- */

/* 1 if the number V is computed from a reference's address, in at most DEPTH operations. */
static int is_cast_of_address(LLVMValueRef v, int depth) {
    if (LLVMIsAPtrToIntInst(v))
        return is_reference(LLVMGetOperand(v, 0));
    return depth && LLVMIsABinaryOperator(v) &&
           (is_cast_of_address(LLVMGetOperand(v, 0), depth - 1) ||
            is_cast_of_address(LLVMGetOperand(v, 1), depth - 1));
}

/* 1 if the pointer has a getelementptr index that is computed from an address: it may lead from one object into
 * another. */
static int is_far(LLVMValueRef pointer) {
    enum { DEPTH = 4 };
    for (int n = 1; LLVMIsAGetElementPtrInst(pointer) && n < LLVMGetNumOperands(pointer); n++)
        if (is_cast_of_address(LLVMGetOperand(pointer, (unsigned)n), DEPTH))
            return 1;
    return 0;
}

/* 1 if the result of the comparison changes when objects move: the order of two references, but not their equality,
 * unless one is computed from an address. */
static int is_of_places(LLVMValueRef comparison) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(comparison);
    LLVMValueRef a = LLVMGetOperand(comparison, 0), b = LLVMGetOperand(comparison, 1);
    return is_reference(a) && ((p != LLVMIntEQ && p != LLVMIntNE) || is_far(a) || is_far(b));
}

/* 1 if the call is of llvm.ptrmask for references. */
static int is_mask(LLVMValueRef call) {
    return is_intrinsic(call, "llvm.ptrmask.p1.") || is_intrinsic(call, OPAQUE_MASK "p1.");
}

/* 1 if the call of llvm.ptrmask may clear more than the lowest 16 bits, which are the same wherever the object is. */
static int is_wide_mask(LLVMValueRef call) {
    enum { LOW_BITS = 0xffff };
    LLVMValueRef mask = LLVMGetOperand(call, 1);
    return !LLVMIsAConstantInt(mask) || LLVMGetIntTypeWidth(LLVMTypeOf(mask)) > 64 ||
           ~LLVMConstIntGetSExtValue(mask) & ~(long long)LOW_BITS;
}

/* 1 if the call is of inline assembly without side effects that takes a reference: the optimiser may move it over
 * safepoints. */
static int is_movable_assembly(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAInlineAsm(callee) || LLVMGetInlineAsmHasSideEffects(callee))
        return 0;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (is_reference(LLVMGetOperand(call, i)))
            return 1;
    return 0;
}

/* 1 if the value of I depends on where objects are, so that I must not move over a safepoint: casts between
 * references and integers, ordered comparisons, wide masks, inline assembly. */
static int is_to_be_kept(LLVMValueRef i) {
    if (LLVMIsAPtrToIntInst(i))
        return is_reference(LLVMGetOperand(i, 0)) && !LLVMIsConstant(LLVMGetOperand(i, 0));
    if (LLVMIsAIntToPtrInst(i))
        return is_reference(i) && !LLVMIsConstant(LLVMGetOperand(i, 0));
    if (LLVMIsAICmpInst(i))
        return is_of_places(i);
    if (is_mask(i))
        return is_wide_mask(i);
    return LLVMIsACallInst(i) && is_movable_assembly(i);
}

/* 1 if V is an integer or a vector of integers. */
static int is_cast_number(LLVMValueRef v) {
    return LLVMGetTypeKind(element_type(LLVMTypeOf(v))) == LLVMIntegerTypeKind;
}

/* Keeps the loads that the integer V is computed of, in at most DEPTH operations, in their places: taken out of a
 * loop whose test says whether it is an address, an integer would be alive across polls. Slots are left to become
 * values. */
static void keep_loads_of(struct keeper *k, LLVMValueRef v, int depth) {
    if (LLVMIsALoadInst(v)) {
        LLVMValueRef from = LLVMGetOperand(v, 0);
        if (is_intrinsic(from, "llvm.launder.") || LLVMIsAAllocaInst(stepped_from(from, FLOW_STEP | FLOW_CAST)))
            return;
        LLVMPositionBuilderBefore(k->builder, v);
        LLVMSetOperand(v, 0, launder_one(k, from));
        return;
    }
    for (unsigned n = 0; depth && LLVMIsABinaryOperator(v) && n < 2; n++)
        keep_loads_of(k, LLVMGetOperand(v, n), depth - 1);
}

/* Replaces I by a copy of it whose operands and result go through the calls that keep it in its place. */
static void keep_address(struct keeper *k, LLVMValueRef i) {
    enum { DEPTH = 4 };
    int operands = LLVMIsACallInst(i) ? (int)LLVMGetNumArgOperands(i) : LLVMGetNumOperands(i);
    if (LLVMIsAIntToPtrInst(i))
        keep_loads_of(k, LLVMGetOperand(i, 0), DEPTH);
    LLVMPositionBuilderBefore(k->builder, i);
    LLVMValueRef copy = LLVMInstructionClone(i), created = NULL;
    for (int n = 0; n < operands; n++)
        if (is_reference(LLVMGetOperand(i, (unsigned)n)))
            LLVMSetOperand(copy, (unsigned)n, launder(k, LLVMGetOperand(i, (unsigned)n)));
    if (LLVMIsAIntToPtrInst(i) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMIntegerTypeKind)
        LLVMSetOperand(copy, 0, hold_back(k, LLVMGetOperand(i, 0)));
    LLVMInsertIntoBuilder(k->builder, copy);
    if (is_reference(i))
        created = launder(k, copy);
    else if (is_cast_number(i))
        created = annotate(k, copy);
    if (created)
        LLVMReplaceAllUsesWith(i, created);
    call_replace(i, copy); /* in its name, if not in its uses */
    deviate(k->c, DEVIATION_KEEPS_ADDRESSES);
}

/* Keeps in their places all instructions that depend on where objects are, in every function: one without a strategy
 * may be inlined into one that has one. */
static void keep_all(struct compile *c) {
    struct keeper k = {c, LLVMCreateBuilderInContext(c->context)};
    struct set result = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        collect_instructions(f, is_to_be_kept, &result);
    for (size_t n = 0; n < result.count; n++)
        keep_address(&k, result.item[n]);
    LLVMDisposeBuilder(k.builder);
    set_free(&result);
}

/* ---- And let go ---------------------------------------------------------------------------------------------- */

/* 1 if I is a call that keep_address added: an annotation with our MARK, a launder of a reference, or a OPAQUE_WORD. */
static int is_cast_ours(LLVMValueRef i) {
    const char *name = intrinsic_name(i);
    if (!name)
        return starts_with(called_function(i), OPAQUE_WORD);
    if (starts_with(name, "llvm.annotation."))
        return LLVMIsAConstantInt(LLVMGetOperand(i, 3)) && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3)) == MARK;
    return starts_with(name,
                       "llvm.launder.invariant.group."); /* a module's own are looked through, too (see_through.c) */
}

/* Removes the calls that keep_address added: each is replaced by its operand. */
static void release_all(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        for (LLVMValueRef i = first_instruction(f), next; i; i = next) {
            next = instruction_after(i);
            if (!is_cast_ours(i))
                continue;
            replace_value(i, LLVMGetOperand(i, 0));
        }
    functions_delete_unused(c->module, OPAQUE_WORD);
}

/* Runs optimiser passes (NULL: none, as they would change nothing) while what depends on objects' addresses is kept
 * in its place, in a module with statepoints; then removes what kept it. */
sm_status run_folding_passes(struct compile *c, const char *passes) {
    if (has_statepoints(c))
        keep_all(c);
    sm_status s = passes ? run_passes(c, passes) : SM_OK;
    if (s == SM_OK && has_deviated(c, DEVIATION_KEEPS_ADDRESSES))
        release_all(c);
    return s;
}

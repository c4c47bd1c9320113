/* undefined.c - undefined parts of references are null where a slot may get them.
 *
 * A value in a register that is undefined is nobody's root: LLVM gives it a constant, and a phi of one has null for
 * its base. A slot is read by the collector, whoever stored to it: of a struct that is filled part by part, or a phi
 * that has a value on one edge alone, it would get what a register happened to hold. What is undefined may be
 * anything, and so null.
 *
 * Requires polls placed, before anything is kept in slots; functions without slots, and without what gets some, stay
 * as they are.
 */
#include "core.h"
#include "scopes.h"

#include <assert.h>
#include <stdlib.h>

/* 1 if values of TYPE may be kept in a slot as references. */
static int is_wanted(struct compile *c, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVoidTypeKind || kind == LLVMLabelTypeKind || kind == LLVMTokenTypeKind ||
        kind == LLVMMetadataTypeKind)
        return 0;
    return tags_are_used(c) || holds_root(LLVMGetModuleDataLayout(c->module), type);
}

/* V with null for all that is undefined in it; V itself if nothing is, NULL if out of memory. */
static LLVMValueRef defined(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMIsUndef(v)) /* poison is one as well */
        return LLVMConstNull(type);
    int is_struct = LLVMIsAConstantStruct(v) != NULL, n = LLVMGetNumOperands(v);
    if ((!is_struct && !LLVMIsAConstantArray(v) && !LLVMIsAConstantVector(v)) || !n)
        return v;
    LLVMValueRef *part = calloc((size_t)n, sizeof *part), made = v;
    int changed = 0;
    for (int i = 0; made && i < n; i++) {
        part[i] = part ? defined(LLVMGetOperand(v, (unsigned)i)) : NULL;
        made = part[i] ? made : NULL;
        changed |= part[i] != LLVMGetOperand(v, (unsigned)i);
    }
    if (made && changed && LLVMIsAConstantVector(v))
        made = LLVMConstVector(part, (unsigned)n);
    else if (made && changed && !is_struct)
        made = LLVMConstArray2(LLVMGetElementType(type), part, (uint64_t)n);
    else if (made && changed && LLVMGetStructName(type))
        made = LLVMConstNamedStruct(type, part, (unsigned)n);
    else if (made && changed)
        made = LLVMConstStructInContext(LLVMGetTypeContext(type), part, (unsigned)n, LLVMIsPackedStruct(type));
    free(part);
    return made;
}

/* Replaces the shuffle by one whose undefined mask elements are 0; NULL if out of memory. */
static LLVMValueRef choose_lanes(struct compile *c, LLVMValueRef shuffle) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->context);
    unsigned n = LLVMGetNumMaskElements(shuffle);
    LLVMValueRef *lane = calloc(n, sizeof *lane);
    if (!lane)
        return NULL;
    for (unsigned i = 0; i < n; i++) {
        int from = LLVMGetMaskValue(shuffle, i);
        lane[i] = LLVMConstInt(i32, from < 0 ? 0 : (unsigned)from, 0);
    }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, shuffle);
    LLVMValueRef made = LLVMBuildShuffleVector(b, LLVMGetOperand(shuffle, 0), LLVMGetOperand(shuffle, 1),
                                               LLVMConstVector(lane, n), "");
    LLVMDisposeBuilder(b);
    free(lane);
    call_replace(shuffle, made);
    deviate(c, DEVIATION_DEFINES);
    return made;
}

/* 1 if I is a shuffle with an undefined mask element. */
static int has_free_lane(LLVMValueRef i) {
    LLVMTypeKind kind = LLVMIsAShuffleVectorInst(i) ? LLVMGetTypeKind(LLVMTypeOf(i)) : LLVMVoidTypeKind;
    for (unsigned n = 0; kind == LLVMVectorTypeKind && n < LLVMGetNumMaskElements(i); n++)
        if (LLVMGetMaskValue(i, n) < 0)
            return 1;
    return 0;
}

/* Puts null for undefined parts of I's constant operands that may be references. 0 if out of memory. */
static int define_operands(struct compile *c, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        LLVMValueRef made =
            LLVMIsAConstant(v) && !LLVMIsAGlobalValue(v) && is_wanted(c, LLVMTypeOf(v)) ? defined(v) : v;
        if (!made)
            return 0;
        if (made != v) {
            LLVMSetOperand(i, (unsigned)k, made);
            deviate(c, DEVIATION_DEFINES);
        }
    }
    return 1;
}

/* Visitor of calls: sets *ARG if CALL has a "gc-type" bundle. */
static void find_type(void *arg, LLVMValueRef f, LLVMValueRef call) {
    LLVMOperandBundleRef bundle = call_bundle(call, "gc-type");
    (void)f;
    *(int *)arg |= bundle != NULL;
    if (bundle)
        LLVMDisposeOperandBundle(bundle);
}

/* 1 if F has an alloca, or something that is going to be kept in a slot. */
static int has_slots(struct compile *c, LLVMValueRef f) {
    int any = c->spaces || tags_are_used(c) || scopes_in(f);
    visit_calls(f, find_type, &any);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); !any && b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); !any && i; i = LLVMGetNextInstruction(i))
            any = LLVMIsAAllocaInst(i) != NULL;
    return any;
}

/* Puts null for undefined parts of references in all of F. 0 if out of memory. */
static int define_in(struct compile *c, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!define_operands(c, i))
                return 0;
            if (has_free_lane(i) && is_wanted(c, LLVMTypeOf(i)) && !choose_lanes(c, i))
                return 0;
        }
    return 1;
}

/* Puts null for undefined parts of references in functions with slots. */
sm_status undefined_to_null(struct compile *c) {
    assert(c->form == FORM_POLLED);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)) && has_slots(c, f) && !define_in(c, f))
            return fail(c, SM_NOMEM, f, "Out of memory");
    return SM_OK;
}

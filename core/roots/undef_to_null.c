/* undef_to_null.c - undefined references, and undefined parts of values with references, are null.
 *
 * Code generation gives an undefined value no register of its own: it is whatever a register happens to hold. LLVM's
 * rewrite lists a constant for one that it sees within a function. It does not see one that a callee returns, that a
 * caller passes, or that a slot or one edge of a phi gets: there the collector would find garbage. What is undefined
 * may be anything, so it becomes null where it is created, in all functions: a function without a strategy may return
 * it to one that has a strategy.
 *
 * Requires polls placed, before anything is kept in slots.
 */
#include "aggregate_parts.h"
#include "deviations.h"
#include "ir.h"
#include "roots.h"

/* 1 if values of TYPE in F may become roots. With llvm.gcroot each pointer that a slot gets does. */
static int is_undefined_needed(struct compile *c, LLVMValueRef f, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVoidTypeKind || kind == LLVMLabelTypeKind || kind == LLVMTokenTypeKind ||
        kind == LLVMMetadataTypeKind)
        return 0;
    const char *gc = LLVMGetGC(f);
    if (gc && !is_statepoint_gc(gc) && holds_pointer(type))
        return 1;
    return (gc && c->tags) || holds_root(LLVMGetModuleDataLayout(c->module), type);
}

/* 1 if an operand V of I may become a root: by its type, or by what it is cast to. */
static int is_needed_operand(struct compile *c, LLVMValueRef f, LLVMValueRef i, LLVMValueRef v) {
    return is_undefined_needed(c, f, LLVMTypeOf(v)) ||
           (LLVMIsACastInst(i) && is_undefined_needed(c, f, LLVMTypeOf(i)));
}

/* V with null for all that is undefined in it; V itself if nothing is. */
static LLVMValueRef defined(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMIsUndef(v)) /* poison is one as well */
        return LLVMConstNull(type);
    int is_struct = LLVMIsAConstantStruct(v) != NULL, n = LLVMGetNumOperands(v);
    if ((!is_struct && !LLVMIsAConstantArray(v) && !LLVMIsAConstantVector(v)) || !n)
        return v;
    LLVMValueRef *part = xcalloc((size_t)n, sizeof *part), created = v;
    int changed = 0;
    for (int i = 0; i < n; i++) {
        part[i] = defined(LLVMGetOperand(v, (unsigned)i));
        changed |= part[i] != LLVMGetOperand(v, (unsigned)i);
    }
    if (changed && LLVMIsAConstantVector(v))
        created = LLVMConstVector(part, (unsigned)n);
    else if (changed && !is_struct)
        created = LLVMConstArray2(LLVMGetElementType(type), part, (uint64_t)n);
    else if (changed && LLVMGetStructName(type))
        created = LLVMConstNamedStruct(type, part, (unsigned)n);
    else if (changed)
        created = LLVMConstStructInContext(LLVMGetTypeContext(type), part, (unsigned)n, LLVMIsPackedStruct(type));
    free(part);
    return created;
}

/* Replaces the shuffle by one whose undefined mask elements are 0. */
static void choose_lanes(struct compile *c, LLVMValueRef shuffle) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->context);
    unsigned n = LLVMGetNumMaskElements(shuffle);
    LLVMValueRef *lane = xcalloc(n, sizeof *lane);
    for (unsigned i = 0; i < n; i++) {
        int from = LLVMGetMaskValue(shuffle, i);
        lane[i] = LLVMConstInt(i32, from < 0 ? 0 : (unsigned)from, 0);
    }
    LLVMBuilderRef b = builder_at(shuffle);
    LLVMValueRef created = LLVMBuildShuffleVector(b, LLVMGetOperand(shuffle, 0), LLVMGetOperand(shuffle, 1),
                                                  LLVMConstVector(lane, n), "");
    LLVMDisposeBuilder(b);
    free(lane);
    call_replace(shuffle, created);
    deviate(c, DEVIATION_DEFINES);
}

/* 1 if I is a shuffle with an undefined mask element. */
static int has_free_lane(LLVMValueRef i) {
    LLVMTypeKind kind = LLVMIsAShuffleVectorInst(i) ? LLVMGetTypeKind(LLVMTypeOf(i)) : LLVMVoidTypeKind;
    for (unsigned n = 0; kind == LLVMVectorTypeKind && n < LLVMGetNumMaskElements(i); n++)
        if (LLVMGetMaskValue(i, n) < 0)
            return 1;
    return 0;
}

/* 1 if LATER follows I in its block, and no safepoint stands between them: there the collector would see I. */
static int follows_at_once(const struct compile *c, LLVMValueRef i, LLVMValueRef later) {
    while (i && i != later && !(is_call(i) && is_safepoint(c, i)))
        i = LLVMGetNextInstruction(i);
    return i == later;
}

/* The end of the chain of insertions that begins with I, each of them into what the one before gives, without a
 * safepoint between them. */
static LLVMValueRef end_of_chain(const struct compile *c, LLVMValueRef i) {
    LLVMUseRef use = LLVMGetFirstUse(i);
    while (use && !LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionOpcode(user) != LLVMGetInstructionOpcode(i) || LLVMGetOperand(user, 0) != i ||
            !follows_at_once(c, i, user))
            break;
        i = user;
        use = LLVMGetFirstUse(i);
    }
    return i;
}

/* 1 if the chain of insertvalues from I on leaves no undefined part that may be a root. */
static int fills_struct(struct compile *c, LLVMValueRef f, LLVMValueRef i) {
    LLVMValueRef end = end_of_chain(c, i);
    struct leaves parts;
    int filled = leaves_find(&parts, LLVMTypeOf(i), 0);
    for (unsigned k = 0; filled && k < parts.count; k++) {
        const struct leaf *l = &parts.leaf[k];
        LLVMValueRef part = is_undefined_needed(c, f, l->type) ? part_of(end, l->path, l->depth) : end;
        filled = part && !LLVMIsUndef(part);
    }
    return filled;
}

/* 1 if the chain of insertelements from I on fills each lane. */
static int fills_vector(const struct compile *c, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    unsigned lanes = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 65;
    LLVMValueRef end = end_of_chain(c, i);
    uint64_t filled = 0;
    for (;; end = LLVMGetOperand(end, 0)) {
        LLVMValueRef at = LLVMGetOperand(end, 2);
        if (LLVMIsAConstantInt(at) && LLVMConstIntGetZExtValue(at) < 64)
            filled |= (uint64_t)1 << LLVMConstIntGetZExtValue(at);
        if (end == i)
            break;
    }
    return lanes <= 64 && filled == ~(uint64_t)0 >> (64 - lanes);
}

/* 1 if the shuffle gives a lane of its operand number K. */
static int gives_lane_of(LLVMValueRef shuffle, int k) {
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(shuffle, 0));
    int lanes = LLVMGetTypeKind(from) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(from) : 1;
    for (unsigned n = 0; n < LLVMGetNumMaskElements(shuffle); n++)
        if (LLVMGetMaskValue(shuffle, n) >= k * lanes && LLVMGetMaskValue(shuffle, n) < (k + 1) * lanes)
            return 1;
    return 0;
}

/* 1 if nothing of operand number K is in what I gives: it is overwritten, or not chosen. */
static int is_unused_operand(struct compile *c, LLVMValueRef f, LLVMValueRef i, int k) {
    if (LLVMIsAInsertValueInst(i))
        return k == 0 && fills_struct(c, f, i);
    if (LLVMIsAInsertElementInst(i))
        return k == 0 && fills_vector(c, i);
    if (LLVMIsAShuffleVectorInst(i))
        return !gives_lane_of(i, k);
    return is_intrinsic(i, "llvm.lifetime.") || (is_gcroot(i) && k == 1); /* the metadata: gcroots.c */
}

/* Puts null for undefined parts of I's constant operands that may be references. */
static void define_operands(struct compile *c, LLVMValueRef f, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        LLVMValueRef created =
            LLVMIsAConstant(v) && !LLVMIsAGlobalValue(v) && is_needed_operand(c, f, i, v) ? defined(v) : v;
        if (created != v && !is_unused_operand(c, f, i, k)) {
            LLVMSetOperand(i, (unsigned)k, created);
            deviate(c, DEVIATION_DEFINES);
        }
    }
}

/* Puts null for undefined parts of references in all of F. */
static void define_in(struct compile *c, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            define_operands(c, f, i);
            if (has_free_lane(i) && is_undefined_needed(c, f, LLVMTypeOf(i)))
                choose_lanes(c, i);
        }
}

/* 1 if the module has a function with a strategy. */
static int any_gc(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetGC(f))
            return 1;
    return 0;
}

/* Puts null for undefined parts of references in all functions of a module with a strategy. */
sm_status undefined_to_null(struct compile *c) {
    assert(c->form == FORM_POLLED);
    for (LLVMValueRef f = any_gc(c) ? LLVMGetFirstFunction(c->module) : NULL; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            define_in(c, f);
    return SM_OK;
}

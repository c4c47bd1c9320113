/* visit.c - walks over the calls and the values of a module. */
#include "core.h"

#include <string.h>

void visit_calls(LLVMValueRef function, call_visitor *visit, void *arg) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            next = LLVMGetNextInstruction(i); /* the visitor may insert before or remove this one */
            if (op == LLVMCall || op == LLVMInvoke || op == LLVMCallBr)
                visit(arg, function, i);
        }
}

void visit_module_calls(LLVMModuleRef module, call_visitor *visit, void *arg) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        visit_calls(f, visit, arg);
}

static sm_status check_instructions(struct compile *c, LLVMValueRef f, value_check *check) {
    sm_status s = SM_OK;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); s == SM_OK && b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); s == SM_OK && i; i = LLVMGetNextInstruction(i))
            s = check(c, f, i);
    return s;
}

sm_status check_function_values(struct compile *c, LLVMValueRef f, value_check *check) {
    sm_status s = SM_OK;
    for (unsigned i = 0; s == SM_OK && i < LLVMCountParams(f); i++)
        s = check(c, f, LLVMGetParam(f, i));
    return s == SM_OK ? check_instructions(c, f, check) : s;
}

sm_status check_values(struct compile *c, value_check *check) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)))
            s = check_function_values(c, f, check);
    return s;
}

const char *intrinsic_name(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t len;
    if (!callee || !LLVMIsAFunction(callee))
        return NULL;
    const char *name = LLVMGetValueName2(callee, &len);
    return len > 5 && memcmp(name, "llvm.", 5) == 0 ? name : NULL;
}

const char *callee_name(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t len;
    return LLVMIsAGlobalValue(callee) ? LLVMGetValueName2(callee, &len) : "an indirect callee";
}

int is_leaf_call(LLVMValueRef call) {
    return call_attribute(call, LEAF_ATTRIBUTE) != NULL;
}

int is_leaf_function(LLVMValueRef f) {
    return text_attribute(f, LEAF_ATTRIBUTE) != NULL;
}

int is_musttail(LLVMValueRef call) {
    return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

int calls_safepoint(LLVMValueRef call) {
    if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
        return 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (intrinsic_name(call) || LLVMIsAInlineAsm(callee) || is_leaf_call(call) || is_musttail(call))
        return 0;
    return !LLVMIsAFunction(callee) || !is_leaf_function(callee);
}

static int is_statepoint(const char *intrinsic) {
    return strncmp(intrinsic, "llvm.experimental.gc.statepoint", 31) == 0;
}

/* Copies of elements by intrinsic are calls of the runtime, unless they say that they are leaves. */
static int is_element_copy(const char *intrinsic) {
    return strncmp(intrinsic, "llvm.memcpy.element.", 20) == 0 ||
           strncmp(intrinsic, "llvm.memmove.element.", 21) == 0;
}

int is_safepoint(const struct compile *c, LLVMValueRef call) {
    if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
        return 0;
    const char *name = intrinsic_name(call);
    if (name && is_statepoint(name))
        return 1;
    return c->form < FORM_REWRITTEN && (name ? is_element_copy(name) && !is_leaf_call(call) : calls_safepoint(call));
}

const char *safepoint_name(LLVMValueRef call) {
    enum { TARGET = 2 };
    const char *name = intrinsic_name(call);
    size_t len;
    if (!name || !is_statepoint(name))
        return callee_name(call);
    LLVMValueRef target = LLVMGetOperand(call, TARGET);
    return LLVMIsAGlobalValue(target) ? LLVMGetValueName2(target, &len) : "an indirect callee";
}

/* Address space 1 is that of statepoint-example and coreclr. */
int holds_reference(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMPointerTypeKind:
        return LLVMGetPointerAddressSpace(t) == 1;
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(t) && holds_reference(LLVMGetElementType(t));
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
        return holds_reference(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (holds_reference(LLVMStructGetTypeAtIndex(t, i)))
                return 1;
        return 0;
    default:
        return 0;
    }
}

int has_statepoints(const struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)))
            return 1;
    return 0;
}

LLVMValueRef stepped_from(LLVMValueRef v, unsigned kinds) {
    enum { STEPS = 1000 };
    for (int i = 0; i < STEPS; i++) {
        unsigned kind = LLVMIsAGetElementPtrInst(v)   ? BY_GEP
                        : LLVMIsABitCastInst(v)       ? BY_BITCAST
                        : LLVMIsAAddrSpaceCastInst(v) ? BY_SPACE_CAST
                        : LLVMIsAFreezeInst(v)        ? BY_FREEZE
                                                      : 0;
        if (!(kind & kinds))
            break;
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

int holds_pointer(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMPointerTypeKind:
        return 1;
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
    case LLVMArrayTypeKind:
        return holds_pointer(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (holds_pointer(LLVMStructGetTypeAtIndex(t, i)))
                return 1;
        return 0;
    default:
        return 0;
    }
}

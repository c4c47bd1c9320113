/* ir.c - what LLVM's C API has no function for, of one value or type. */
#include "ir.h"

#include <string.h>

int starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

int is_call(LLVMValueRef v) {
    return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) || LLVMIsACallBrInst(v);
}

const char *value_name(LLVMValueRef v) {
    size_t len;
    return LLVMGetValueName2(v, &len);
}

const char *called_function(LLVMValueRef v) {
    LLVMValueRef callee = is_call(v) ? LLVMGetCalledValue(v) : NULL;
    return callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
}

const char *intrinsic_name(LLVMValueRef v) {
    const char *name = called_function(v);
    return starts_with(name, "llvm.") && name[5] ? name : NULL;
}

int is_intrinsic(LLVMValueRef v, const char *prefix) {
    return starts_with(called_function(v), prefix);
}

int is_statepoint(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.statepoint");
}

int is_relocate(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.relocate");
}

int is_result(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.result");
}

int is_memory_copy(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.memcpy.") || is_intrinsic(v, "llvm.memmove.");
}

int argument_has(LLVMValueRef call, unsigned index, const char *attribute) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, index + 1, kind) ||
           (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, index + 1, kind));
}

int is_null(LLVMValueRef v) {
    return LLVMIsConstant(v) && LLVMIsNull(v);
}

const char *target_name(LLVMValueRef target) {
    return LLVMIsAGlobalValue(target) ? value_name(target)
           : LLVMIsAInlineAsm(target) ? "inline assembly"
                                      : "an indirect callee";
}

const char *callee_name(LLVMValueRef call) {
    return target_name(LLVMGetCalledValue(call));
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
